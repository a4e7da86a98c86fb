//! Arguments that several commands take.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use jantaku_engine::Rules;
use jantaku_sim::logs::files::{is_page_url, is_readable, is_stream, shown};
use jantaku_sim::play::ThreadOptions;
use jantaku_sim::replay::decision_ref::split_numbers;
use jantaku_sim::replay::inputs::Inputs;
use jantaku_sim::replay::source::{GameSource, MAX_COUNTED, count_games};
use jantaku_sim::run::{self, NamedRules, NotNew, StartError, check_is_new};
use jantaku_sim::store::{self, Lock};
use rayon::ThreadPoolBuilder;

use super::output::{Output, note};

/// Starts this many threads that share all work of the program, or as many as the machine has.
pub(super) fn start_threads(threads: ThreadOptions) -> anyhow::Result<()> {
    let of_machine = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.threads.unwrap_or_else(of_machine);
    let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(|_| "play".to_owned());
    pool.build_global().context("cannot start threads")
}

/// Loads the rules of a preset or file.
pub(super) fn load_rules(name: &str) -> anyhow::Result<Rules> {
    Ok(NamedRules::open(name)?.rules)
}

/// What is read. Only a log takes `--rules`.
#[derive(Clone, Copy)]
pub(super) enum SourceKind {
    Log,
    Run,
    Position,
}

/// The rules of `--rules` for a log. For other sources, the option is an error.
pub(super) fn rules_of_log(name: Option<&str>, kind: SourceKind) -> anyhow::Result<Option<Rules>> {
    let Some(name) = name else { return Ok(None) };
    match kind {
        SourceKind::Log => load_rules(name).map(Some),
        SourceKind::Run => bail!("--rules {name}: a run keeps the rules of its games; leave out the option"),
        SourceKind::Position => {
            bail!("--rules {name}: a position states its rules; write rules = \"{name}\" into it")
        }
    }
}

/// Notes that a log has more games than the first one, which is read. `next` is the argument that
/// reads the next one. Nothing is noted of stdin and pipes, which can be read only once.
pub(super) fn note_other_games(log: &Path, next: &str, output: Output) {
    if output.quiet || is_stream(log) {
        return;
    }
    let games = count_games(log);
    if games > 1 {
        let (log, of) = (shown(log), if games > MAX_COUNTED { "more than " } else { "" });
        let games = games.min(MAX_COUNTED);
        note(&format!("note: {log}: this is game 0 of {of}{games}; `{next}` is the next"));
    }
}

/// The path of `RUN:GAME`, `LOG` or `LOG:GAME`, and the game after it. `-` is stdin.
pub(super) fn split_game(text: &str) -> anyhow::Result<(PathBuf, Option<u64>)> {
    let exists = |path: &Path| path.exists() || is_readable(path) || store::is_url(path);
    let is_any_url = is_page_url(Path::new(text)) || store::is_url(Path::new(text));
    if exists(Path::new(text)) && !is_any_url {
        return Ok((text.into(), None));
    }
    match split_numbers(text, 1) {
        (path, numbers) if !numbers.is_empty() && exists(path.as_ref()) => {
            Ok((path.into(), numbers.first().copied()))
        }
        _ if is_any_url => Ok((text.into(), None)),
        _ => bail!("{text}: no such file; expected RUN:GAME, LOG or LOG:GAME"),
    }
}

/// Opens a game of a run or log. `rules` is the value of `--rules`. Notes that a log without a number has
/// more games: `next` is what follows its name, or an option, to read the next one.
pub(super) fn open_game(
    place: &(PathBuf, Option<u64>),
    rules: Option<&str>,
    next: &str,
    output: Output,
) -> anyhow::Result<GameSource> {
    let rules = rules_of_game((&place.0, place.1), rules, next, output)?;
    Ok(GameSource::open(&place.0, place.1, rules.as_ref())?)
}

/// The rules of `--rules` for a game of a log; an error for a run. Also notes other games, as [`open_game`]
/// does.
pub(super) fn rules_of_game(
    (path, game): (&Path, Option<u64>),
    rules: Option<&str>,
    next: &str,
    output: Output,
) -> anyhow::Result<Option<Rules>> {
    let kind = if store::is_folder(path) { SourceKind::Run } else { SourceKind::Log };
    let rules = rules_of_log(rules, kind)?;
    if game.is_none() && matches!(kind, SourceKind::Log) {
        let next = if next.starts_with(':') { shown(path) + next } else { next.to_owned() };
        note_other_games(path, &next, output);
    }
    Ok(rules)
}

/// Opens files, folders and runs, and single games such as `RUN:GAME` and `LOG:GAME`.
pub(super) fn open_inputs(paths: &[PathBuf]) -> io::Result<Inputs> {
    // The reader's error says more than an error about the text.
    let place = |path: &PathBuf| split_game(&path.to_string_lossy()).unwrap_or_else(|_| (path.clone(), None));
    Inputs::open_games(paths.iter().map(place))
}

/// Checks that an output folder does not exist yet or is empty.
pub(super) fn check_is_free(folder: &Path) -> anyhow::Result<()> {
    check_is_no_url(folder)?;
    check_is_new(folder).map_err(|error| not_new(folder, error))
}

/// Takes a new or empty folder and locks it against other programs.
pub(super) fn claim(folder: &Path) -> anyhow::Result<Option<Lock>> {
    check_is_no_url(folder)?;
    run::claim(folder).map_err(|error| not_new(folder, error))
}

/// The error of a command that cannot resume, for a folder that is not new.
fn not_new(folder: &Path, error: NotNew) -> anyhow::Error {
    StartError::not_new(folder, error.without_resuming()).into()
}

fn check_is_no_url(folder: &Path) -> anyhow::Result<()> {
    if folder.to_string_lossy().contains("://") {
        anyhow::bail!(
            "{}: is a URL: only `selfplay`, `match`, `label` and `merge` write to these; choose a folder",
            folder.display()
        );
    }
    Ok(())
}
