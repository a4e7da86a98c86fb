//! What was played and written, for programs that print it.

use std::collections::BTreeMap;
use std::path::Path;

use jantaku_agents::{Faults, label_of};
use jantaku_engine::DrawReason;
use serde::Serialize;

use crate::path_text;
use crate::play::{FaultReport, SeatTally, SharedCount};
use crate::run::config::RunConfig;
use crate::run::manifest::{Manifest, RowCounts};
use crate::run::play::Played;
use crate::run::shard::Shard;

/// What one call played and wrote of a run: what `jantaku selfplay --json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The number of the first game that was played: not 0 in a shard or a resumed run.
    pub first_game: u64,
    /// Games that were played: those in complete parts, or all that finished if nothing is written. 0
    /// for a resumed run that was complete.
    pub games: u64,
    /// Hands of these games.
    pub hands: u64,
    /// Decisions of these games; forced moves do not count.
    pub decisions: u64,
    /// Hands with a winner.
    pub won_hands: u64,
    /// Hands with several winners.
    pub multiple_rons: u64,
    /// Hands that ended in a draw, for every reason.
    pub draws: BTreeMap<&'static str, u64>,
    /// The counts of each seat.
    pub seats: Vec<SeatSummary>,
    /// The name of the rules as given.
    pub rules: String,
    /// The hash of the rules, 16 hexadecimal digits.
    pub rules_hash: String,
    /// The seed of the run.
    pub seed: u64,
    /// The share of the run that was played, such as `2/4`; null for the whole run.
    pub shard: Option<Shard>,
    /// The folder of the run; null if nothing is written.
    pub out: Option<String>,
    /// The rows of each table in complete parts; null if nothing is written.
    pub rows: Option<RowCounts>,
    /// False if it was interrupted.
    pub complete: bool,
    /// The agents that had faults.
    #[serde(flatten)]
    pub faults: FaultReport,
    /// Wall-clock time in seconds.
    pub seconds: f64,
    /// Threads that played.
    pub threads: usize,
}

/// The counts of a seat.
#[derive(Clone, Debug, Serialize)]
pub struct SeatSummary {
    /// The agent of the seat, with its options.
    pub agent: String,
    /// Its counts.
    #[serde(flatten)]
    pub tally: SeatTally,
    /// Games in which it finished first, second and so on; tied players share places if the rules do.
    pub placements: Vec<SharedCount>,
}

impl Summary {
    /// The summary of games of a run. `written` is the folder and its manifest, none if nothing is
    /// written.
    pub fn new(
        config: &RunConfig,
        played: &Played,
        written: Option<(&Path, &Manifest)>,
        faults: &[(String, Faults)],
    ) -> Summary {
        let Played { games, tally, seconds, threads, .. } = played;
        let seat = |(agent, seat): (&String, &SeatTally)| SeatSummary {
            agent: label_of(agent).to_owned(),
            tally: *seat,
            placements: seat.games_by_placement()[..config.agents.len()].to_vec(),
        };
        Summary {
            first_game: games.start,
            games: tally.games,
            hands: tally.hands,
            decisions: tally.decisions,
            won_hands: tally.won_hands(),
            multiple_rons: tally.multiple_rons,
            draws: DrawReason::ALL.iter().map(|reason| reason.name()).zip(tally.draws).collect(),
            seats: config.agents.iter().zip(&tally.seats).map(seat).collect(),
            rules: config.rules_name.clone(),
            rules_hash: config.rules_hash.clone(),
            seed: config.seed,
            shard: config.shard,
            out: written.map(|(folder, _)| path_text(folder).into_owned()),
            rows: written.map(|(_, manifest)| manifest.rows),
            complete: !played.is_interrupted(),
            faults: FaultReport::of(faults),
            seconds: *seconds,
            threads: *threads,
        }
    }
}
