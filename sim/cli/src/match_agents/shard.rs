//! `jantaku match --shard`.

use jantaku_measure::arena::{MatchRequest, MatchShard};
use jantaku_measure::reports::faults::fault_lines;
use jantaku_pages::report::Report;
use jantaku_sim::run::{Played, Run};

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
    let played = played?;
    let shard = MatchShard::new(&game, &played, &players.faults());
    let run = game.run().expect("a share of a match is a run");
    output.sum_up(&shard, || {
        let notes = fault_lines(&shard.faults, &AgentNames::of(&shard.agents));
        Report { title: text(run, &shard, &played), notes, ..Report::default() }.to_text(print::width())
    })?;
    Ok(if played.is_interrupted() { Ended::Interrupted } else { Ended::Done })
}

/// What was played of a share of a match.
fn text(run: &Run, share: &MatchShard, played: &Played) -> String {
    let MatchShard { sets: kept, sets_of_match: all, shard, .. } = *share;
    let (config, folder) = (run.config(), run.folder().display());
    let shard = shard.map_or_else(String::new, |own| own.to_string());
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
