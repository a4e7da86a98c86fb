//! The summary of `jantaku selfplay`.

use std::path::Path;

use jantaku_engine::{DrawReason, Rules};
use jantaku_measure::reports::faults::fault_lines;
use jantaku_pages::report::{Cell, Report, Table};
use jantaku_sim::play::{Detail, FaultReport, SeatTally, SharedCount, Tally};
use jantaku_sim::run::{Manifest, Played, RunConfig};

use crate::print::{self, AgentNames, thousands};

/// What was played.
pub(super) struct Summary<'a> {
    pub config: &'a RunConfig,
    pub played: &'a Played,
    pub written: Option<(&'a Path, &'a Manifest)>,
    pub faults: &'a FaultReport,
}

impl Summary<'_> {
    pub fn report(&self) -> Report {
        let Summary { config, played, written, faults } = self;
        if let Some((folder, manifest)) = written.filter(|_| played.games.is_empty()) {
            let (folder, rows) = (folder.display(), rows(manifest, config.detail));
            return Report::new(format!("{folder}: the run is complete: {rows}; nothing is left to play"));
        }
        let names = AgentNames::of(&config.agents);
        let tables = if played.tally.games > 0 { self.tables(&names) } else { Vec::new() };
        Report {
            title: self.title(&names),
            facts: names.facts("agent"),
            notes: self.notes().into_iter().chain(fault_lines(faults, &names)).collect(),
            sections: tables.into_iter().map(Into::into).collect(),
            ..Report::default()
        }
    }

    /// Which games were played.
    fn title(&self, names: &AgentNames) -> String {
        let Summary { config, played, written, .. } = self;
        let Played { games, finished, tally, .. } = played;
        let mut text = String::new();
        if played.is_interrupted() {
            let kept = written.map_or_else(String::new, |(_, manifest)| {
                format!("; {} are kept in complete parts", thousands(manifest.games))
            });
            let (done, asked) = (thousands(*finished), thousands(games.end - games.start));
            text += &format!("interrupted after {done} of {asked} games{kept}\n");
        }
        if games.start > config.range().start {
            text += &format!("resumed at game {}\n", thousands(games.start));
        }
        if let (Some(shard), Some(games)) = (config.shard, config.games) {
            text += &format!("shard {shard} of a run of {}\n", print::many(games, "game"));
        }
        text + &format!(
            "{} of {} under {}, seed {}: {}, {}",
            print::many(tally.games, "game"),
            print::agents(&names.seat_names(&config.agents)),
            config.rules_name,
            config.seed,
            print::many(tally.hands, "hand"),
            print::many(tally.decisions, "decision")
        )
    }

    /// How fast the games were played, and what was written.
    fn notes(&self) -> Vec<String> {
        let Summary { config, played, written, .. } = self;
        let Played { finished, tally, seconds, threads, .. } = played;
        let speed = |count, thing| print::speed(count, *seconds, thing);
        let threads = print::many(*threads as u64, "thread");
        let mut text = format!("{seconds:.1} s on {threads}: {}", speed(*finished, "game"));
        // The other counts leave out the games that are not kept.
        if !played.is_interrupted() {
            let (hands, decisions) = (speed(tally.hands, "hand"), speed(tally.decisions, "decision"));
            text += &format!(", {hands}, {decisions}");
        }
        let written = written
            .map(|(folder, manifest)| format!("{}: {}", folder.display(), rows(manifest, config.detail)));
        let is_resumable = written.is_some() && played.is_interrupted();
        let advice = is_resumable.then(|| "to resume, repeat the command with --resume".to_owned());
        std::iter::once(text).chain(written).chain(advice).collect()
    }

    /// How hands ended, and what each seat did.
    fn tables(&self, names: &AgentNames) -> Vec<Table> {
        let (tally, agents) = (&self.played.tally, names.seat_names(&self.config.agents));
        let share = |count: u64, of: u64| Cell::percent((of > 0).then(|| count as f64 / of as f64));
        let mean = |sum: i64, count: u64| Cell::number((count > 0).then(|| sum as f64 / count as f64), 0);
        let seats = |heading: &str, columns: &[&str], cells: &dyn Fn(&SeatTally) -> Vec<Cell>| {
            let row = |(number, (agent, seat)): (usize, (&String, &SeatTally))| {
                std::iter::once(Cell::Name(format!("{number} {agent}"))).chain(cells(seat))
            };
            let columns = std::iter::once("agent").chain(columns.iter().copied());
            Table::new(heading, columns).rows(agents.iter().zip(&tally.seats).enumerate().map(row))
        };
        let acts = |seat: &SeatTally| {
            let counts = [seat.wins(), seat.tsumo, seat.ron, seat.deal_ins, seat.riichi, seat.called];
            counts.map(|count| share(count, tally.hands)).to_vec()
        };
        let points = |seat: &SeatTally| {
            let result = |result: f64| Cell::Number(print::signed(result, 0), result);
            vec![
                mean(seat.win_points, seat.wins()),
                mean(seat.deal_in_points, seat.deal_ins),
                mean(seat.points, tally.games),
                seat.mean_result().map_or_else(Cell::none, result),
            ]
        };
        let placements = |seat: &SeatTally| {
            let share =
                |count: SharedCount| Cell::percent((tally.games > 0).then(|| count.0 / tally.games as f64));
            let shares = seat.games_by_placement().into_iter().take(agents.len()).map(share);
            std::iter::once(Cell::number(seat.mean_placement(), 3)).chain(shares).collect()
        };
        let endings = ends(tally, &self.config.rules);
        let endings = endings
            .into_iter()
            .map(|(name, count)| [Cell::Name(name), share(count, tally.hands), Cell::count(count)]);
        vec![
            Table::new("Hands", ["end", "share", "hands"]).rows(endings),
            seats("Seats, per hand", &["win", "tsumo", "ron", "deal-in", "riichi", "call"], &acts),
            seats("Seats, mean points", &["per win", "per deal-in", "at the end", "result"], &points),
            seats("Seats, placements", &["mean", "1st", "2nd", "3rd", "4th"][..=agents.len()], &placements),
        ]
    }
}

/// The rows of the tables in the folder.
fn rows(manifest: &Manifest, detail: Detail) -> String {
    let rows = manifest.rows;
    let tables = [
        (Detail::Games, "game", rows.games),
        (Detail::Hands, "hand", rows.hands),
        (Detail::Decisions, "decision", rows.decisions),
    ];
    let kept = tables.iter().filter(|(level, ..)| *level <= detail);
    let kept: Vec<String> = kept.map(|(_, name, rows)| print::many(*rows, name)).collect();
    match manifest.parts.len() {
        0 => "no games: no part is complete".to_owned(),
        1 => format!("{} in 1 part", kept.join(", ")),
        parts => format!("{} in {parts} parts", kept.join(", ")),
    }
}

/// How many hands ended in each of the ways that the rules have.
fn ends(tally: &Tally, rules: &Rules) -> Vec<(String, u64)> {
    let tsumo: u64 = tally.seats.iter().map(|seat| seat.tsumo).sum();
    let mut ends =
        vec![("won by tsumo".to_owned(), tsumo), ("won by ron".to_owned(), tally.won_hands() - tsumo)];
    if rules.most_winners() > 1 {
        ends.push(("  by several players".to_owned(), tally.multiple_rons));
    }
    let draws = DrawReason::ALL.into_iter().zip(tally.draws);
    let draws = draws.filter(|(reason, count)| {
        rules.can_draw_by(*reason) && (*reason != DrawReason::Chombo || *count > 0)
    });
    ends.extend(draws.map(|(reason, count)| (format!("draw: {reason}"), count)));
    ends
}
