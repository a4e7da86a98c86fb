//! Advice about arguments that a command does not have.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Arguments that people try, with the commands that lack them, and advice.
const INSTEAD: [(&str, &[&str], &str); 4] = [
    ("--games", &["match", "league"], "games are played in sets; write `--sets N`"),
    ("--sets", &["selfplay", "stats", "sweep"], "write `--games N`"),
    ("--tsumo", &["hand"], "write `--by tsumo`"),
    ("--ron", &["hand"], "write `--by ron`"),
];

/// Adds advice to an error about an argument, if there is any. `words` are those of the command line.
pub(super) fn with_advice(mut error: clap::Error, words: &[String]) -> clap::Error {
    let found = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(found)) if error.kind() == ErrorKind::UnknownArgument => found.clone(),
        _ => return error,
    };
    let advice = instead_of(&found, words).or_else(|| about_resume(&found, words));
    if let Some(advice) = advice {
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice.into()]));
    }
    error
}

/// What to write instead of an unknown option.
fn instead_of(found: &str, words: &[String]) -> Option<String> {
    let is_word = |command: &&str| words.iter().any(|word| word == command);
    let meant = INSTEAD.iter().find(|(option, commands, _)| *option == found && commands.iter().any(is_word));
    meant.map(|(.., advice)| (*advice).to_owned())
}

/// Advice about a folder after `--resume`, which is a flag.
fn about_resume(found: &str, words: &[String]) -> Option<String> {
    let is_folder = !found.starts_with('-') && words.iter().any(|word| word == "--resume");
    is_folder.then(|| format!("give the folder of the run as `--out {found}`"))
}
