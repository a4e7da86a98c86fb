//! `jantaku replay`.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context as _;
use jantaku_engine::replay::{Difference, Report};
use jantaku_sim::formats::LogError;
use jantaku_sim::inputs::Inputs;
use serde_json::json;

use super::progress::Progress;
use super::{Ended, Output, load_rules, print, say, say_json};

/// Play recorded games again and report everything that does not come out as recorded.
///
/// Reads Tenhou's XML (mjlog), tenhou.net/6 JSON and mjai JSON lines, plain or gzipped, and JSON lines that hold a game each under
/// `xml`, `log` or `events`. Folders are searched through. Exit status: 0 no difference, 1 differences, 2 a file that cannot be read.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Files, folders and runs.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Rules of games whose logs do not state them: a preset or a file. Otherwise those of Tenhou that fit.
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
}

/// What came of all games.
#[derive(Default)]
struct Replayed {
    games: u64,
    hands: u64,
    decisions: u64,
    /// With the name of the game.
    differences: Vec<(String, Difference)>,
    errors: Vec<LogError>,
}

impl Replayed {
    fn add(&mut self, name: &str, report: Result<Report, LogError>) {
        match report {
            Ok(report) => {
                self.games += 1;
                self.hands += report.hands as u64;
                self.decisions += report.decisions as u64;
                self.differences.extend(report.differences.into_iter().map(|found| (name.to_owned(), found)));
            }
            Err(error) => self.errors.push(error.of_game(name)),
        }
    }
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let assumed = args.rules.as_deref().map(load_rules).transpose()?;
    let mut inputs = Inputs::open(&args.paths)?;
    let mut progress = Progress::bytes(inputs.total(), !output.quiet).context("cannot watch for signals")?;
    let start = Instant::now();
    let mut replayed = Replayed::default();
    let mut unreadable = Vec::new();
    let all = inputs.each(
        |input| input.read(assumed.as_ref()).map(|game| game.replay(&mut ())),
        &mut progress,
        |input, report| replayed.add(&input.place(), report),
        |error| unreadable.push(error),
    );
    replayed.errors.append(&mut unreadable);
    progress.finish();
    if output.json {
        say_json(&as_json(&replayed))?;
    } else {
        say(&differences(&replayed))?;
        if !output.quiet {
            say(&summary(&replayed, start.elapsed().as_secs_f64()))?;
        }
    }
    Ok(match replayed {
        _ if !all => Ended::Interrupted,
        Replayed { errors, .. } if !errors.is_empty() => Ended::Unreadable,
        Replayed { differences, .. } if !differences.is_empty() => Ended::No,
        _ => Ended::Done,
    })
}

fn differences(replayed: &Replayed) -> String {
    let differences = replayed.differences.iter().map(|(name, found)| format!("{name}: {found}\n"));
    let errors = replayed.errors.iter().map(|error| format!("{error}\n"));
    differences.chain(errors).collect()
}

fn summary(replayed: &Replayed, seconds: f64) -> String {
    let many = print::thousands;
    format!(
        "{} games, {} hands, {} decisions replayed in {seconds:.1} s ({} hands/s)\n{} differences, {} games unreadable\n",
        many(replayed.games),
        many(replayed.hands),
        many(replayed.decisions),
        many((replayed.hands as f64 / seconds) as u64),
        many(replayed.differences.len() as u64),
        many(replayed.errors.len() as u64),
    )
}

fn as_json(replayed: &Replayed) -> serde_json::Value {
    let difference = |(name, found): &(String, Difference)| {
        let Difference { hand, step, what, expected, found } = found;
        json!({ "file": name, "hand": hand, "step": step, "what": what, "expected": expected, "found": found })
    };
    let error = |error: &LogError| json!({ "file": error.file, "place": error.place, "error": error.what });
    json!({
        "games": replayed.games,
        "hands": replayed.hands,
        "decisions": replayed.decisions,
        "differences": replayed.differences.iter().map(difference).collect::<Vec<_>>(),
        "errors": replayed.errors.iter().map(error).collect::<Vec<_>>(),
    })
}
