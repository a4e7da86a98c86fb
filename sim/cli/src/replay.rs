//! `jantaku replay`.

use std::cell::RefCell;
use std::path::PathBuf;
use std::time::Instant;

use jantaku_engine::replay::{ReplayDifference, ReplayReport};
use jantaku_sim::logs::LogError;
use jantaku_sim::play::ThreadOptions;
use serde_json::{Value, json};

use super::arguments::{load_rules, open_inputs, start_threads};
use super::output::{Ended, Output};
use super::print;
use super::problems::Problems;
use super::progress::Progress;

/// Replay recorded games and report every difference from the rules
///
/// Reads Tenhou's XML (mjlog), tenhou.net/6 JSON, mjai JSON lines, Mahjong Soul's records, JSON lines
/// with one game each under `xml`, `log`, `events` or `record`, and lines with URLs of tenhou.net/6.
/// Files may be gzipped. Searches folders and reads runs. A log that breaks off has one difference
/// there; `#` is the number of the decision before it, as `show` counts them. Exit status: 0 no
/// difference, 1 differences, 2 some games cannot be read
#[derive(clap::Args)]
pub(super) struct Args {
    /// Read these files, folders and runs, or single games, such as RUN:3 or LOG:0
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Override the rules that logs state by a preset or a file [default: the rules that a log
    /// states, or those of Tenhou that fit]
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
    #[command(flatten)]
    threads: ThreadOptions,
}

/// The results of all games.
struct Replayed {
    games: u64,
    hands: u64,
    decisions: u64,
    differences: Problems<Value>,
    errors: Problems<LogError>,
    /// What readers did not understand. It does not change the exit status.
    notes: Problems<Value>,
}

impl Replayed {
    fn add(&mut self, name: &str, report: Result<(ReplayReport, Vec<String>), LogError>) {
        match report {
            Ok((report, notes)) => {
                for note in notes {
                    let value = || json!({ "file": name, "note": note });
                    self.notes.warn(&format!("note: {name}: {note}\n"), value);
                }
                self.games += 1;
                self.hands += report.hands as u64;
                self.decisions += report.decisions as u64;
                for found in &report.differences {
                    let after =
                        found.decision.map_or_else(String::new, |number| format!(" (after #{number})"));
                    let line = format!("{name}: {found}{after}\n");
                    self.differences.report(&line, || difference_json(name, found));
                }
            }
            Err(error) => self.fail(&error),
        }
    }

    fn fail(&mut self, error: &LogError) {
        self.errors.report(&format!("{error}\n"), || error.clone());
    }
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    start_threads(args.threads)?;
    let assumed = args.rules.as_deref().map(load_rules).transpose()?;
    let mut inputs = open_inputs(&args.paths)?;
    let mut progress = Progress::bytes(inputs.total(), !output.quiet)?;
    let start = Instant::now();
    let [differences, notes] = [(); 2].map(|()| Problems::new(output, progress.bar()));
    let errors = Problems::new(output, progress.bar());
    let replayed = RefCell::new(Replayed { games: 0, hands: 0, decisions: 0, differences, errors, notes });
    let all = inputs.each(
        |input| input.read(assumed.as_ref()).map(|game| (game.replay(&mut ()), game.notes)),
        &mut progress,
        |input, report| replayed.borrow_mut().add(&input.place(), report),
        |error| replayed.borrow_mut().fail(&error),
    );
    progress.finish();
    let mut replayed = replayed.into_inner();
    replayed.differences.take_print_result().and(replayed.errors.take_print_result())?;
    output.sum_up(&as_json(&replayed, all), || {
        let interrupted = if all { "" } else { "interrupted before all games were read\n" };
        format!("{interrupted}{}", summary(&replayed, start.elapsed().as_secs_f64()))
    })?;
    Ok(Ended::of(!all, replayed.errors.count(), replayed.differences.count()))
}

fn summary(replayed: &Replayed, seconds: f64) -> String {
    let many = print::many;
    let text = format!(
        "{}, {}, {} replayed in {seconds:.1} s ({} hands/s)\n{}, {} unreadable\n",
        many(replayed.games, "game"),
        many(replayed.hands, "hand"),
        many(replayed.decisions, "decision"),
        print::thousands((replayed.hands as f64 / seconds) as u64),
        many(replayed.differences.count(), "difference"),
        many(replayed.errors.count(), "game"),
    );
    print::wrapped(&text, 2)
}

fn difference_json(name: &str, difference: &ReplayDifference) -> Value {
    let mut value = json!(difference);
    value["file"] = name.into();
    value
}

fn as_json(replayed: &Replayed, complete: bool) -> Value {
    json!({
        "complete": complete,
        "games": replayed.games,
        "hands": replayed.hands,
        "decisions": replayed.decisions,
        "difference_count": replayed.differences.count(),
        "differences": replayed.differences.kept(),
        "error_count": replayed.errors.count(),
        "errors": replayed.errors.kept(),
        "note_count": replayed.notes.count(),
        "notes": replayed.notes.kept(),
    })
}
