//! Arguments that several commands take.

use std::fs::File;
use std::io::{self, Read as _};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use jantaku_engine::rules::Preset;
use jantaku_engine::{Rules, shortened};
use jantaku_sim::logs::files::{is_readable, is_stdin, is_stream, is_url, shown};
use jantaku_sim::replay::inputs::Inputs;
use jantaku_sim::replay::open::{MAX_COUNTED, count_games};
use jantaku_sim::run::{self, AgentChoice, ConfigError, NamedRules, NotNew, RequestError, check_is_new};
use jantaku_sim::store::{self, Lock};
use rayon::ThreadPoolBuilder;

use super::output::{Output, note};

/// Starts this many threads that share all work of the program, or as many as the machine has.
pub(super) fn start_threads(threads: Option<usize>) -> anyhow::Result<()> {
    let of_machine = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or_else(of_machine);
    let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(|_| "play".to_owned());
    pool.build_global().context("cannot start threads")
}

/// Loads the rules of a preset or file.
pub(super) fn load_rules(name: &str) -> anyhow::Result<Rules> {
    Ok(rules_and_text(name)?.0)
}

/// What is read, and so whether `--rules` can choose its rules.
#[derive(Clone, Copy)]
pub(super) enum Ruled {
    Log,
    Run,
    Position,
}

/// The rules of `--rules` for a log. Nothing else takes them.
pub(super) fn rules_of_log(name: Option<&str>, what: Ruled) -> anyhow::Result<Option<Rules>> {
    let Some(name) = name else { return Ok(None) };
    match what {
        Ruled::Log => load_rules(name).map(Some),
        Ruled::Run => bail!("--rules {name}: a run keeps the rules of its games; leave out the option"),
        Ruled::Position => {
            bail!("--rules {name}: a position states its rules; write rules = \"{name}\" into it")
        }
    }
}

/// Loads the rules of a preset or file, with its text.
pub(super) fn rules_and_text(name: &str) -> anyhow::Result<(Rules, String)> {
    let text = rule_text(name)?;
    Ok((Rules::from_toml(&text, name)?, text))
}

/// The rules of a request, by the name of a preset or file.
pub(super) fn named_rules(name: &str) -> anyhow::Result<NamedRules> {
    Ok(NamedRules { name: name.to_owned(), rules: load_rules(name)? })
}

/// The agents of a request, by their names.
pub(super) fn agents(words: &str) -> AgentChoice {
    AgentChoice::Text(words.to_owned())
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
    let is_any_url = is_url(Path::new(text)) || store::is_url(Path::new(text));
    if exists(Path::new(text)) && !is_any_url {
        return Ok((text.into(), None));
    }
    let found =
        text.rsplit_once(':').and_then(|(path, game)| Some((PathBuf::from(path), game.parse().ok()?)));
    match found.filter(|(path, _)| exists(path)) {
        Some((path, game)) => Ok((path, Some(game))),
        None if is_any_url => Ok((text.into(), None)),
        None => bail!("{text}: no such file; expected RUN:GAME, LOG or LOG:GAME"),
    }
}

/// Opens files, folders and runs, and single games such as `RUN:GAME` and `LOG:GAME`.
pub(super) fn open_inputs(paths: &[PathBuf]) -> io::Result<Inputs> {
    // An error of the reader says more than one about the text.
    let place = |path: &PathBuf| split_game(&path.to_string_lossy()).unwrap_or_else(|_| (path.clone(), None));
    Inputs::open_games(paths.iter().map(place))
}

/// The error with the option of the command line instead of the field.
pub(super) fn in_words_of_options(error: RequestError) -> anyhow::Error {
    match error {
        RequestError::Field(ConfigError { field: "shard", what }) => {
            anyhow::anyhow!("--shard: {what}; a smaller --games-per-part makes more parts")
        }
        RequestError::Field(ConfigError { field: "games_per_part", what }) => {
            anyhow::anyhow!("--games-per-part: {what}")
        }
        RequestError::Field(error) => field_in_words(error),
        RequestError::Value { field, value, what } => anyhow::anyhow!("{} {value}: {what}", option(field)),
        RequestError::Agents { field, text, cause } => {
            anyhow::Error::new(*cause).context(format!("{} {text}", option(field)))
        }
    }
}

/// The error of a field, with its option if it has one.
pub(super) fn field_in_words(error: ConfigError) -> anyhow::Error {
    /// The fields that are options of every command that has them.
    const OPTIONS: [&str; 11] =
        ["agents", "games", "labels", "log", "out", "resume", "rules", "seatings", "seed", "sets", "shard"];
    match error {
        ConfigError { field, what } if OPTIONS.contains(&field) => {
            anyhow::anyhow!("{}: {what}", option(field))
        }
        error => error.into(),
    }
}

/// The option of a field.
fn option(field: &str) -> String {
    format!("--{}", field.replace('_', "-"))
}

/// The text of a preset or rule file.
fn rule_text(name: &str) -> anyhow::Result<String> {
    if let Some(preset) = Preset::named(name) {
        return Ok(preset.toml.to_owned());
    }
    if !Path::new(name).exists() {
        let name = shortened(name);
        anyhow::bail!("unknown rules `{name}`: no file, and no preset, {}", Preset::known(&name));
    }
    read_text(Path::new(name))
}

/// The text of a file, or of stdin if it is `-`.
pub(super) fn read_text(path: &Path) -> anyhow::Result<String> {
    let name = shown(path);
    let mut bytes = Vec::new();
    let read = if is_stdin(path) {
        io::stdin().read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    read.with_context(|| format!("{name}: cannot read"))?;
    String::from_utf8(bytes).map_err(|error| {
        let (at, bytes) = (error.utf8_error().valid_up_to(), error.as_bytes());
        let line = String::from_utf8_lossy(&bytes[..at]).matches('\n').count() + 1;
        let byte = bytes[at];
        anyhow::anyhow!(
            "{name}:{line}: expected UTF-8, found the byte 0x{byte:02x} at {at}: save the file as UTF-8"
        )
    })
}

/// Parses a whole number in this range, such as `1000000`, `1_000_000`, `1e6` or `1.5e6`.
pub(super) fn number<N: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<N, String> + Clone {
    move |text| {
        let number = whole_number(text).filter(|number| range.contains(number));
        let number = number.and_then(|number| N::try_from(number).ok());
        number.ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    }
}

/// The number in a text. None if it is not a whole number below 2⁶⁴.
fn whole_number(text: &str) -> Option<u64> {
    let is_grouped = |text: &str| text.split('_').all(|digits| !digits.is_empty());
    let (digits, zeros) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    if !is_grouped(whole) {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    let zeros = zeros.parse::<u32>().ok()?.checked_sub(u32::try_from(fraction.len()).ok()?)?;
    let digits: u64 = (whole.replace('_', "") + fraction).parse().ok()?;
    digits.checked_mul(10_u64.checked_pow(zeros)?)
}

/// Checks that an output folder does not exist yet or is empty.
pub(super) fn check_is_free(folder: &Path) -> anyhow::Result<()> {
    check_is_folder(folder)?;
    check_is_new(folder).map_err(|error| not_new(folder, &error))
}

/// Takes a new or empty folder and locks it against other programs.
pub(super) fn claim(folder: &Path) -> anyhow::Result<Option<Lock>> {
    check_is_folder(folder)?;
    run::claim(folder).map_err(|error| not_new(folder, &error))
}

/// The error for a folder that is in use, of a command that cannot resume.
fn not_new(folder: &Path, error: &NotNew) -> anyhow::Error {
    let folder = folder.display();
    match error {
        NotNew::HoldsRun | NotNew::HoldsEmptyRun => {
            anyhow::anyhow!("{folder}: already holds a run; choose another folder")
        }
        error => anyhow::anyhow!("{folder}: {error}"),
    }
}

fn check_is_folder(folder: &Path) -> anyhow::Result<()> {
    if folder.to_string_lossy().contains("://") {
        anyhow::bail!(
            "{}: is a URL: only `selfplay`, `match`, `label` and `merge` write to these; choose a folder",
            folder.display()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_several_forms() {
        for (text, number) in [
            ("0", 0),
            ("1000000", 1_000_000),
            ("1_000_000", 1_000_000),
            ("1e6", 1_000_000),
            ("1E6", 1_000_000),
            ("2.5e3", 2500),
            ("1.0", 1),
            ("18446744073709551615", u64::MAX),
            ("1_8e18", 18_000_000_000_000_000_000),
        ] {
            assert_eq!(whole_number(text), Some(number), "{text}");
        }
        for wrong in [
            "",
            "-1",
            "1e-3",
            "1.5",
            "2.55e1",
            "1__0",
            "_1",
            "1_",
            "1e",
            "e6",
            "1e6e6",
            ".",
            "1e20",
            "18446744073709551616",
            "ten",
            "1,000",
            "0x10",
            "1.e1_0",
        ] {
            assert_eq!(whole_number(wrong), None, "{wrong}");
        }
    }
}
