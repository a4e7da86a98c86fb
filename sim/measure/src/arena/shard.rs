//! What one call played of a share of a match.

use std::path::PathBuf;

use jantaku_agents::Faults;
use serde::Serialize;

use super::matches::Match;
use jantaku_sim::path_text;
use jantaku_sim::play::FaultReport;
use jantaku_sim::run::{Played, Shard};

/// What one call played of a share of a match, whose games are a run of their own.
#[derive(Clone, Debug, Serialize)]
pub struct MatchShard {
    /// Share of the match, such as `2/4`; None for the whole match.
    pub shard: Option<Shard>,
    /// Sets of the share in complete parts, earlier ones included.
    pub sets: u64,
    /// Sets of the whole match.
    pub sets_of_match: u64,
    /// Number of the first game that was played.
    pub first_game: u64,
    /// Games that were played.
    pub games: u64,
    /// The challenger and the baseline, or the agents that change seats.
    pub agents: Vec<String>,
    /// Name of the rules as given.
    pub rules: String,
    /// Hash of the rules, 16 hexadecimal digits.
    pub rules_hash: String,
    /// Seed of the match.
    pub seed: u64,
    /// The folder.
    #[serde(serialize_with = "path_text::serialize")]
    pub out: PathBuf,
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

impl MatchShard {
    /// What was played of a share, and the faults of the players.
    ///
    /// # Panics
    ///
    /// If the match is not a run.
    pub fn new(game: &Match, played: &Played, faults: &[(String, Faults)]) -> MatchShard {
        let run = game.run().expect("a share of a match is a run");
        let config = game.config().clone();
        MatchShard {
            shard: config.shard,
            sets: run.manifest().games / config.schedule().games_per_set(),
            sets_of_match: game.plan().most_sets(),
            first_game: played.games.start,
            games: played.tally.games,
            agents: config.agents,
            rules: config.rules_name,
            rules_hash: config.rules_hash,
            seed: config.seed,
            out: run.folder().to_owned(),
            complete: !played.is_interrupted(),
            faults: FaultReport::of(faults),
            seconds: played.seconds,
            threads: played.threads,
        }
    }
}
