//! `jantaku match --shard`.

use jantaku_agents::Faults;
use jantaku_measure::arena::{Match, MatchRequest};
use jantaku_measure::reports::faults::fault_lines;
use jantaku_show::report::Report;
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
    if let Some(run) = game.run()
        && !output.quiet
    {
        note_games_played_again(run);
    }
    let mut players = game.start(request.start.verbose, &progress.stop_flag())?;
    let games = game.run().map_or(0..0, Run::remaining);
    progress.set_length(games.end - games.start);
    let played = game.play_shard(&mut players, &mut progress);
    progress.finish();
    let (played, faults) = (played?, players.faults());
    output.sum_up(&json(&game, &played, &faults), || {
        let names = AgentNames::of(&game.config().agents);
        let notes = fault_lines(&FaultReport::of(&faults), &names);
        Report { title: text(&game, &played), notes, ..Report::default() }.to_text(print::width())
    })?;
    Ok(if played.is_interrupted() { Ended::Interrupted } else { Ended::Done })
}

/// The sets of the whole match and those of the share that are kept.
fn sets(game: &Match) -> (u64, u64) {
    let kept = game.run().map_or(0, |run| run.manifest().games);
    (game.plan().most_sets(), kept / game.config().schedule().games_per_set())
}

fn text(game: &Match, played: &Played) -> String {
    let ((all, kept), shard) =
        (sets(game), game.config().shard.map_or_else(String::new, |own| own.to_string()));
    let folder = game.run().map_or_else(String::new, |run| run.folder().display().to_string());
    let mut text = format!("{folder}: shard {shard} of a match of {}", print::many(all, "set"));
    let of_range = game.config().range();
    let expected = (of_range.end - of_range.start) / game.config().schedule().games_per_set();
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

fn json(game: &Match, played: &Played, faults: &[(String, Faults)]) -> Value {
    let (all, kept) = sets(game);
    let FaultReport { faults, fault_shares } = FaultReport::of(faults);
    json!({
        "shard": game.config().shard,
        "sets": kept,
        "sets_of_match": all,
        "first_game": played.games.start,
        "games": played.tally.games,
        "agents": game.config().agents,
        "rules": game.config().rules_name,
        "rules_hash": game.config().rules_hash,
        "seed": game.config().seed,
        "out": game.run().map(|run| path_text(run.folder())),
        "complete": !played.is_interrupted(),
        "faults": faults,
        "fault_shares": fault_shares,
        "seconds": played.seconds,
        "threads": played.threads,
    })
}
