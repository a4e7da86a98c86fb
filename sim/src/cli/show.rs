//! `jantaku show`.

use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use jantaku_engine::replay::Spectator;
use jantaku_engine::{Action, BySeat, Event, FinalResult, Observation, Observer, Rules, Seat};
use jantaku_sim::dataset::{TableKind, read_games};
use jantaku_sim::play::Detail;
use jantaku_sim::run;
use jantaku_sim::text;
use serde_json::json;

use super::arguments::number;
use super::output::{Ended, Output, say, say_json};
use super::print;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Read the run in this folder
    run: PathBuf,
    /// Show this game, counted from 0
    #[arg(long, value_name = "N", value_parser = number::<u64>(0..=u64::MAX), allow_negative_numbers = true)]
    game: u64,
    /// Show only this hand of the game, counted from 0
    #[arg(long, value_name = "N", value_parser = number::<u16>(0..=u64::from(u16::MAX)), allow_negative_numbers = true)]
    hand: Option<u16>,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let (config, manifest) = run::read(&args.run)?;
    let show = args.run.display();
    if config.detail < Detail::Decisions {
        bail!("{show}: keeps only {}; `show` needs a run with decisions", config.detail.name());
    }
    let Some(part) = manifest.part_of(args.game) else {
        let Range { start, end } = config.range().start..config.range().start + manifest.games;
        let what = if start == end { "no games".to_owned() } else { format!("games {start} to {}", end - 1) };
        bail!("{show}: no game {}; the run holds {what}", args.game)
    };
    run::check_part(&args.run, part, &TableKind::ALL)?;
    let stored = read_games(&args.run, &config.contents(), part.part, Some(args.game))?.into_iter().next();
    let stored = stored.with_context(|| format!("{show}: no game {}", args.game))?;
    let mut story = Story::new(stored.rules, args.hand);
    stored.replay(&mut story).map_err(|what| anyhow::anyhow!("{show}: game {}: {what}", args.game))?;
    if let Some(hand) = args.hand.filter(|hand| *hand >= story.hands) {
        bail!("{show}: no hand {hand}; game {} has hands 0 to {}", args.game, story.hands - 1);
    }
    let lines = story.lines;
    if output.json {
        let game = json!({
            "game": args.game,
            "seed": stored.seed,
            "source": stored.source,
            "agents": stored.agents,
            "lines": lines,
        });
        say_json(&game)?;
        return Ok(Ended::Done);
    }
    let mut text = match &stored.source {
        None => {
            format!("game {} of {show}, seed {}, rules {}\n", args.game, stored.seed, config.rules_name)
        }
        Some(source) => format!("game {} of {show}, from {source}\n", args.game),
    };
    for (seat, agent) in stored.agents.iter().enumerate() {
        text += &format!("seat {seat}: {agent}\n");
    }
    say(&print::wrapped(&(text + &lines.join("\n") + "\n"), 6))?;
    Ok(Ended::Done)
}

/// A game or one of its hands as text, a line per event or decision.
struct Story {
    lines: Vec<String>,
    /// The only hand to tell; None for all.
    only: Option<u16>,
    /// The number of hands dealt so far.
    hands: u16,
    /// How the player got their last tile, until they decide.
    taken: Option<Taken>,
    rules: Rules,
    dealer: Seat,
}

/// How a player gets a tile.
#[derive(Clone, Copy)]
enum Taken {
    Drawn,
    Claimed,
}

impl Story {
    const fn new(rules: Rules, only: Option<u16>) -> Story {
        Story { lines: Vec::new(), only, hands: 0, taken: None, rules, dealer: Seat::FIRST }
    }

    /// Adds a line about the latest hand.
    fn push(&mut self, line: String) {
        if self.only.is_none_or(|hand| self.hands.checked_sub(1) == Some(hand)) {
            self.lines.push(line);
        }
    }

    fn name(&self, seat: Seat) -> String {
        format!("{} {seat:?}", seat.wind(self.dealer, self.rules.players).letter())
    }

    fn results(&mut self, results: &BySeat<FinalResult>) {
        self.push(String::new());
        for (seat, result) in results.enumerate() {
            let value = f64::from(result.result) / 1000.0;
            self.push(format!(
                "{seat:?}: placement {}, {} points, result {}",
                result.placement,
                text::points(result.points),
                print::signed(value, 1)
            ));
        }
    }
}

impl Spectator for Story {
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        self.taken = None;
        let drawn = o.drawn().map_or_else(String::new, |tile| format!("+{tile}"));
        let hand = format!("{}{drawn}{}", o.hand(), o.melds());
        let offered = o.offer().map_or_else(String::new, |offer| format!(" on {}", offer.tile));
        let others: Vec<String> = match o.legal().len() {
            0..=6 => {
                o.legal().iter().filter(|id| *id != action.id()).map(|id| o.describe(id.action())).collect()
            }
            n => vec![format!("{} more", n - 1)],
        };
        self.push(format!(
            "  {}  {hand:<24} {}{offered}  (or {})",
            self.name(o.seat()),
            o.describe(action),
            others.join(", ")
        ));
    }
}

impl Observer for Story {
    fn event(&mut self, event: &Event) {
        let line = match event {
            Event::Deal { round, honba, sticks, dealer, scores, indicator, hands } => {
                self.hands += 1;
                self.dealer = *dealer;
                let points: Vec<String> = scores.iter().map(|points| text::points(*points)).collect();
                let indicator = indicator.map_or_else(|| "none".to_owned(), |tile| tile.to_string());
                self.push(String::new());
                let name = text::hand_name(*round, *honba, &self.rules);
                self.push(format!("{name}, {sticks} riichi sticks, dora indicator {indicator}"));
                self.push(format!("  points {}", points.join(" ")));
                for (seat, tiles) in hands.enumerate() {
                    let hand: jantaku_engine::Concealed = tiles.iter().flatten().copied().collect();
                    let line = format!("  {}  {hand}", self.name(seat));
                    self.push(line);
                }
                return;
            }
            Event::Draw { .. } => {
                self.taken = Some(Taken::Drawn);
                return;
            }
            Event::Call { .. } => {
                self.taken = Some(Taken::Claimed);
                return;
            }
            // A forced discard is not a decision.
            Event::Discard { seat, tile, .. } => match self.taken.take() {
                Some(Taken::Drawn) => format!("  {}  draws and discards {tile}", self.name(*seat)),
                Some(Taken::Claimed) => format!("  {}  discards {tile}", self.name(*seat)),
                None => return,
            },
            Event::RiichiAccepted { seat } => format!("  {}  riichi accepted", self.name(*seat)),
            Event::Indicator { tile } => format!("  dora indicator {tile}"),
            Event::DeadHand { seat } => format!("  {}  has a dead hand", self.name(*seat)),
            Event::HandEnd(outcome) => text::outcome(outcome, &self.rules).trim_end().to_owned(),
            Event::GameEnd { results, .. } => return self.results(results),
            Event::Ankan { .. } | Event::Kakan { .. } | Event::Kita { .. } => return,
        };
        self.push(line);
    }
}

#[cfg(test)]
mod tests {
    use jantaku_agents::{Policy, Random};
    use jantaku_engine::{ActionId, Game};
    use jantaku_sim::dataset::{StoredDecision, StoredGame};

    use super::*;

    /// Forced discards have lines, too: in riichi, and when a call leaves one tile to discard.
    #[test]
    fn every_discard_has_a_line() {
        let mut after_calls = 0;
        for seed in 0..20 {
            let (mut events, mut decisions) = (Vec::new(), Vec::new());
            let rules = Rules::default();
            let mut game = Game::new_seen(&rules, seed, &mut events);
            while !game.is_over() {
                let (seat, legal) = game.decisions().next().expect("a seat must decide");
                // Four calls leave few tiles to choose from.
                let call = legal.iter().map(ActionId::action).find(|a| matches!(a, Action::Pon { .. }));
                let action = call
                    .unwrap_or_else(|| Random.choose(&game.observe(seat), &mut game.random_stream(seat, 0)));
                decisions.push(StoredDecision { hand: 0, step: 0, seat, action: action.id() });
                game.submit_seen(seat, action, &mut events).expect("legal");
            }
            let (agents, hands) = (Vec::new(), Vec::new());
            let stored = StoredGame { game: 0, seed, source: None, agents, rules, hands, decisions };
            let mut story = Story::new(rules, None);
            stored.replay(&mut story).expect("the game replays");
            let lines = story.lines;
            let chosen = |line: &String| line.split("  (or ").next().map_or_else(String::new, str::to_owned);
            let shown = lines.iter().map(chosen);
            let shown = shown.filter(|line| line.contains("discard") || line.contains("tsumogiri")).count();
            let discards = events.iter().filter(|event| matches!(event, Event::Discard { .. })).count();
            assert_eq!(shown, discards, "seed {seed}: {lines:#?}");
            after_calls += lines.iter().filter(|line| line.contains("  discards ")).count();
        }
        assert!(after_calls > 0);
    }
}
