//! The summary of `jantaku selfplay`.

use std::path::Path;

use jantaku_engine::{DrawReason, Rules};
use jantaku_sim::play::{Detail, FaultReport, SeatTally, Tally};
use jantaku_sim::run::{Manifest, Played, RunConfig};

use crate::players::fault_lines;
use crate::print::{self, AgentNames, thousands};

/// A summary as text.
pub(super) struct Report<'a> {
    pub config: &'a RunConfig,
    pub played: &'a Played,
    pub written: Option<(&'a Path, &'a Manifest)>,
    pub faults: &'a FaultReport,
}

impl Report<'_> {
    pub fn text(&self) -> String {
        let Report { config, played, written, faults } = self;
        if let Some((folder, manifest)) = written.filter(|_| played.games.is_empty()) {
            let (folder, rows) = (folder.display(), rows(manifest, config.detail));
            let text = format!("{folder}: the run is complete: {rows}; nothing is left to play");
            return print::wrapped(&text, 2);
        }
        let Played { finished, tally, seconds, threads, .. } = played;
        let mut text = self.head();
        let speed = |count, thing| print::speed(count, *seconds, thing);
        let threads = print::many(*threads as u64, "thread");
        text += &format!("{seconds:.1} s on {threads}: {}", speed(*finished, "game"));
        // The other counts leave out the games that are not kept.
        if !played.is_interrupted() {
            let (hands, decisions) = (speed(tally.hands, "hand"), speed(tally.decisions, "decision"));
            text += &format!(", {hands}, {decisions}");
        }
        text += "\n";
        if let Some((folder, manifest)) = written {
            text += &format!("{}: {}\n", folder.display(), rows(manifest, config.detail));
            if played.is_interrupted() {
                text += "to resume, repeat the command with --resume\n";
            }
        }
        let names = AgentNames::of(&config.agents);
        text += &fault_lines(faults, &names);
        if tally.games == 0 {
            return print::wrapped(&text, 2) + &print::legend(&names);
        }
        let hands = print::table(&hand_rows(tally, &config.rules));
        let players = config.agents.len();
        print::wrapped(&text, 2)
            + &print::legend(&names)
            + &format!("\nhands\n{hands}")
            + &self.seat_table("per hand", |seat| acts(seat, tally))
            + &self.seat_table("mean points", |seat| points(seat, tally))
            + &self.seat_table("placements", |seat| placements(seat, players, tally))
    }

    /// Which games were played.
    fn head(&self) -> String {
        let Report { config, played, written, .. } = self;
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
        if let (Some(shard), Some(games)) = (config.shard(), config.games()) {
            text += &format!("shard {shard} of a run of {}\n", print::many(games, "game"));
        }
        text + &format!(
            "{} of {} under {}, seed {}: {}, {}\n",
            print::many(tally.games, "game"),
            print::agents(&AgentNames::of(&config.agents).of_seats(&config.agents)),
            config.rules_name,
            config.seed,
            print::many(tally.hands, "hand"),
            print::many(tally.decisions, "decision")
        )
    }

    /// A table with a row for each seat. `cells` gives the cells of a seat with their titles.
    fn seat_table(&self, title: &str, cells: impl Fn(&SeatTally) -> Vec<(&'static str, String)>) -> String {
        let mut rows = vec![vec!["agent".to_owned()]];
        let agents = AgentNames::of(&self.config.agents).of_seats(&self.config.agents);
        for (number, (agent, seat)) in agents.iter().zip(&self.played.tally.seats).enumerate() {
            let cells = cells(seat);
            if number == 0 {
                rows[0].extend(cells.iter().map(|(title, _)| (*title).to_owned()));
            }
            rows.push(
                [format!("{number} {agent}")]
                    .into_iter()
                    .chain(cells.into_iter().map(|cell| cell.1))
                    .collect(),
            );
        }
        format!("\nseats, {title}\n{}", print::table(&rows))
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

/// How hands ended, in the ways that the rules have.
fn hand_rows(tally: &Tally, rules: &Rules) -> Vec<Vec<String>> {
    let tsumo: u64 = tally.seats.iter().map(|seat| seat.tsumo).sum();
    let share =
        |name: &str, count: u64| vec![name.to_owned(), print::percent(count, tally.hands), thousands(count)];
    let mut rows = vec![share("won by tsumo", tsumo), share("won by ron", tally.won_hands() - tsumo)];
    if rules.most_winners() > 1 {
        rows.push(share("  by several players", tally.multiple_rons));
    }
    let reasons = DrawReason::ALL.into_iter().zip(tally.draws);
    rows.extend(
        reasons
            .filter(|(reason, count)| {
                rules.can_draw_by(*reason) && (*reason != DrawReason::Chombo || *count > 0)
            })
            .map(|(reason, count)| share(&format!("draw: {reason}"), count)),
    );
    rows
}

/// How often a seat won, dealt in, declared riichi and called.
fn acts(seat: &SeatTally, tally: &Tally) -> Vec<(&'static str, String)> {
    let share = |title, count: u64| (title, print::percent(count, tally.hands));
    vec![
        share("win", seat.wins()),
        share("tsumo", seat.tsumo),
        share("ron", seat.ron),
        share("deal-in", seat.deal_ins),
        share("riichi", seat.riichi),
        share("call", seat.called),
    ]
}

/// Mean points of a seat.
fn points(seat: &SeatTally, tally: &Tally) -> Vec<(&'static str, String)> {
    let result = seat.mean_result().map_or_else(|| "–".to_owned(), |result| print::signed(result, 0));
    vec![
        ("per win", print::mean(seat.win_points, seat.wins())),
        ("per deal-in", print::mean(seat.deal_in_points, seat.deal_ins)),
        ("at the end", print::mean(seat.points, tally.games)),
        ("result", result),
    ]
}

/// The mean placement of a seat, and the share of each, among this many players.
fn placements(seat: &SeatTally, players: usize, tally: &Tally) -> Vec<(&'static str, String)> {
    let mean = seat.mean_placement().map_or_else(|| "–".to_owned(), |mean| print::decimal(mean, 3));
    let shares = ["1.", "2.", "3.", "4."].into_iter().zip(seat.placements).take(players);
    let shares = shares.map(|(title, count)| (title, print::percent(count, tally.games)));
    std::iter::once(("mean", mean)).chain(shares).collect()
}
