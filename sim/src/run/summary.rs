//! What was played and written, for programs that print it.

use std::path::Path;

use jantaku_agents::{Faults, label_of};
use jantaku_engine::DrawReason;
use serde_json::{Map, Value, json};

use crate::path_text;
use crate::play::{fault_shares_as_json, faults_as_json};
use crate::run::config::RunConfig;
use crate::run::manifest::Manifest;
use crate::run::play::Played;

/// What one call played and wrote of a run.
#[derive(Clone, Copy, Debug)]
pub struct Summary<'a> {
    /// The run.
    pub config: &'a RunConfig,
    /// What was played.
    pub played: &'a Played,
    /// The folder and its manifest; `None` if nothing is written.
    pub written: Option<(&'a Path, &'a Manifest)>,
    /// The agents that had faults.
    pub faults: &'a [(String, Faults)],
}

impl Summary<'_> {
    /// The summary as JSON: what `jantaku selfplay --json` prints.
    #[must_use]
    pub fn json(&self) -> Value {
        let Summary { config, played, written, faults } = self;
        let Played { games, tally, seconds, threads, .. } = played;
        let draws: Map<String, Value> = DrawReason::ALL
            .iter()
            .zip(tally.draws)
            .map(|(reason, count)| (reason.name().to_owned(), count.into()))
            .collect();
        let seats = config.agents.iter().zip(&tally.seats).map(|(agent, seat)| {
            json!({
                "agent": label_of(agent),
                "tsumo": seat.tsumo,
                "ron": seat.ron,
                "deal_ins": seat.deal_ins,
                "riichi": seat.riichi,
                "called": seat.called,
                "win_points": seat.win_points,
                "deal_in_points": seat.deal_in_points,
                "points": seat.points,
                "results": seat.results,
                "placements": seat.placements[..config.agents.len()],
            })
        });
        json!({
            "first_game": games.start,
            "games": tally.games,
            "hands": tally.hands,
            "decisions": tally.decisions,
            "won_hands": tally.won_hands(),
            "multiple_rons": tally.multiple_rons,
            "draws": draws,
            "seats": seats.collect::<Vec<_>>(),
            "rules": config.rules_name,
            "rules_hash": config.rules_hash,
            "seed": config.seed,
            "shard": config.shard(),
            "out": written.map(|(folder, _)| path_text(folder)),
            "rows": written.map(|(_, manifest)| manifest.rows),
            "complete": !played.is_interrupted(),
            "faults": faults_as_json(faults),
            "fault_shares": fault_shares_as_json(faults),
            "seconds": seconds,
            "threads": threads,
        })
    }
}
