//! The summary of `jantaku selfplay`.

use std::path::Path;

use jantaku_engine::DrawReason;
use jantaku_sim::play::{Detail, SeatTally, Tally};
use jantaku_sim::run::{Manifest, Played, RunConfig};
use serde_json::json;

use crate::cli::print::{self, thousands};

/// What was played and written.
pub(super) struct Report<'a> {
    pub config: &'a RunConfig,
    pub played: &'a Played,
    /// The folder and its manifest; `None` if nothing is written.
    pub written: Option<(&'a Path, &'a Manifest)>,
}

impl Report<'_> {
    pub fn text(&self) -> String {
        let Report { config, played, written } = self;
        let Played { tally, seconds, threads, .. } = played;
        let mut text = self.head();
        let rate = |count: u64| thousands((count as f64 / seconds) as u64);
        text += &format!(
            "{seconds:.1} s on {}: {} games/s, {} hands/s, {} decisions/s\n",
            print::many(*threads as u64, "thread"),
            rate(tally.games),
            rate(tally.hands),
            rate(tally.decisions)
        );
        if let Some((folder, manifest)) = written {
            text += &format!("{}: {}\n", folder.display(), rows(manifest, config.detail));
            if played.is_interrupted() {
                text += "to resume, repeat the command with --resume\n";
            }
        }
        let (hands, seats) = (print::table(&hand_rows(tally)), print::table(&self.seat_rows()));
        format!("{text}\nhands\n{hands}\nseats\n{seats}")
    }

    /// Which games were played.
    fn head(&self) -> String {
        let Report { config, played, written } = self;
        let Played { games, tally, .. } = played;
        let mut text = String::new();
        if played.is_interrupted() {
            let kept = written.map_or_else(String::new, |(_, manifest)| {
                format!("; {} are kept in complete parts", thousands(manifest.games))
            });
            let (done, asked) = (thousands(tally.games), thousands(games.end - games.start));
            text += &format!("interrupted after {done} of {asked} games{kept}\n");
        }
        if games.start > config.range().start {
            text += &format!("resumed at game {}\n", thousands(games.start));
        }
        if let (Some(shard), Some(games)) = (config.shard, config.games) {
            text += &format!("shard {shard} of a run of {} games\n", thousands(games));
        }
        let mut agents = config.agents.clone();
        agents.dedup();
        text + &format!(
            "{} games of {} under {}, seed {}: {} hands, {} decisions\n",
            thousands(tally.games),
            agents.join(", "),
            config.rules_name,
            config.seed,
            thousands(tally.hands),
            thousands(tally.decisions)
        )
    }

    /// What each seat won, lost and did.
    fn seat_rows(&self) -> Vec<Vec<String>> {
        let (tally, players) = (&self.played.tally, self.config.agents.len());
        let head = [
            "agent",
            "win",
            "tsumo",
            "ron",
            "deal-in",
            "riichi",
            "call",
            "win pts",
            "deal-in pts",
            "points",
            "result",
            "placement",
        ];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        rows[0].extend((1..=players).map(|placement| format!("{placement}.")));
        let seats = self.config.agents.iter().zip(&tally.seats).enumerate();
        rows.extend(seats.map(|(number, (agent, seat))| {
            let mut row = vec![format!("{number} {agent}")];
            row.extend(seat_cells(seat, tally));
            row.extend(
                seat.placements[..players].iter().map(|count| print::percent_short(*count, tally.games)),
            );
            row
        }));
        rows
    }

    pub fn json(&self) -> serde_json::Value {
        let Report { config, played, written } = self;
        let Played { games, tally, seconds, threads } = played;
        let draws: serde_json::Map<String, serde_json::Value> = DrawReason::ALL
            .iter()
            .zip(tally.draws)
            .map(|(reason, count)| (reason.name().to_owned(), count.into()))
            .collect();
        let seats = config.agents.iter().zip(&tally.seats).map(|(agent, seat)| {
            json!({
                "agent": agent,
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
            "shard": config.shard,
            "out": written.map(|(folder, _)| folder),
            "rows": written.map(|(_, manifest)| manifest.rows),
            "complete": !played.is_interrupted(),
            "seconds": seconds,
            "threads": threads,
        })
    }
}

/// The rows of the tables in the folder.
fn rows(manifest: &Manifest, detail: Detail) -> String {
    let rows = manifest.rows;
    let tables = [
        (Detail::Games, "games", rows.games),
        (Detail::Hands, "hands", rows.hands),
        (Detail::Decisions, "decisions", rows.decisions),
    ];
    let kept = tables.iter().filter(|(level, ..)| *level <= detail);
    let kept: Vec<String> = kept.map(|(_, name, rows)| format!("{} {name}", thousands(*rows))).collect();
    match manifest.parts.len() {
        0 => "no games: no part is complete".to_owned(),
        1 => format!("{} in 1 part", kept.join(", ")),
        parts => format!("{} in {parts} parts", kept.join(", ")),
    }
}

/// How hands ended.
fn hand_rows(tally: &Tally) -> Vec<Vec<String>> {
    let tsumo: u64 = tally.seats.iter().map(|seat| seat.tsumo).sum();
    let share =
        |name: &str, count: u64| vec![name.to_owned(), print::percent(count, tally.hands), thousands(count)];
    let mut rows = vec![
        share("won by tsumo", tsumo),
        share("won by ron", tally.won_hands() - tsumo),
        share("  by several players", tally.multiple_rons),
    ];
    rows.extend(
        DrawReason::ALL
            .iter()
            .zip(tally.draws)
            .filter(|(reason, count)| **reason != DrawReason::Chombo || *count > 0)
            .map(|(reason, count)| share(&format!("draw: {reason}"), count)),
    );
    rows
}

/// The cells of a seat from its wins to its mean placement.
fn seat_cells(seat: &SeatTally, tally: &Tally) -> [String; 11] {
    let share = |count: u64| print::percent_short(count, tally.hands);
    let none = || "–".to_owned();
    [
        share(seat.wins()),
        share(seat.tsumo),
        share(seat.ron),
        share(seat.deal_ins),
        share(seat.riichi),
        share(seat.called),
        print::mean(seat.win_points, seat.wins()),
        print::mean(seat.deal_in_points, seat.deal_ins),
        print::mean(seat.points, tally.games),
        seat.mean_result().map_or_else(none, |result| format!("{result:+.1}")),
        seat.mean_placement().map_or_else(none, |placement| format!("{placement:.3}")),
    ]
}
