//! `jantaku match --shard`.

use jantaku_measure::arena::MatchRequest;
use jantaku_measure::reports::faults::fault_lines;
use jantaku_pages::report::Report;
use jantaku_sim::path_text;
use jantaku_sim::play::FaultReport;
use jantaku_sim::run::{Played, Run};
use serde_json::{Value, json};

use crate::output::{Ended, Output};
use crate::players::note_games_played_again;
use crate::print::{self, AgentNames};
use crate::progress::Progress;

/// Plays a share of a match into a run of its own.
pub(super) fn run(request: &MatchRequest, output: Output) -> anyhow::Result<Ended> {
    // Signals are caught before the first file is written.
    let mut progress = Progress::games(0, !output.quiet)?;
    let mut game = request.resolve_shard()?;
    note_games_played_again(game.run(), output);
    let mut players = game.start(request.start.verbose, &progress.stop_flag())?;
    let games = game.run().map_or(0..0, Run::remaining);
    progress.set_length(games.end - games.start);
    let played = game.play_shard(&mut players, &mut progress);
    progress.finish();
    let (played, faults) = (played?, FaultReport::of(&players.faults()));
    let (run, all) = (game.run().expect("a share of a match is a run"), game.plan().most_sets());
    output.sum_up(&json(run, all, &played, &faults), || {
        let notes = fault_lines(&faults, &AgentNames::of(&run.config().agents));
        Report { title: text(run, all, &played), notes, ..Report::default() }.to_text(print::width())
    })?;
    Ok(if played.is_interrupted() { Ended::Interrupted } else { Ended::Done })
}

/// The sets of a share that are kept.
fn kept_sets(run: &Run) -> u64 {
    run.manifest().games / run.config().schedule().games_per_set()
}

/// What was played of a match with this many sets.
fn text(run: &Run, all: u64, played: &Played) -> String {
    let (kept, config, folder) = (kept_sets(run), run.config(), run.folder().display());
    let shard = config.shard.map_or_else(String::new, |own| own.to_string());
    let mut text = format!("{folder}: shard {shard} of a match of {}", print::many(all, "set"));
    let expected = (config.range().end - config.range().start) / config.schedule().games_per_set();
    if played.games.is_empty() {
        text += &format!(" is complete: {}; nothing is left to play\n", print::many(kept, "set"));
    } else {
        let speed = print::speed(played.finished, played.seconds, "game");
        text +=
            &format!(": {} of {} in complete parts\n", print::thousands(kept), print::many(expected, "set"));
        text += &format!(
            "{:.1} s on {}: {speed}\n",
            played.seconds,
            print::many(played.threads as u64, "thread")
        );
    }
    text += if played.is_interrupted() {
        "to resume, repeat the command with --resume\n"
    } else {
        "`jantaku merge` joins all shards to a match; `jantaku match --resume` counts it\n"
    };
    text
}

fn json(run: &Run, all: u64, played: &Played, faults: &FaultReport) -> Value {
    let config = run.config();
    json!({
        "shard": config.shard,
        "sets": kept_sets(run),
        "sets_of_match": all,
        "first_game": played.games.start,
        "games": played.tally.games,
        "agents": config.agents,
        "rules": config.rules_name,
        "rules_hash": config.rules_hash,
        "seed": config.seed,
        "out": path_text(run.folder()),
        "complete": !played.is_interrupted(),
        "faults": faults.faults,
        "fault_shares": faults.fault_shares,
        "seconds": played.seconds,
        "threads": played.threads,
    })
}
