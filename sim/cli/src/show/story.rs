//! A game as text.

use jantaku_agents::Thoughts;
use jantaku_engine::replay::Spectator;
use jantaku_engine::{Action, BySeat, Event, FinalResult, Observation, Observer, Rules, Seat};
use jantaku_hands::text;

use crate::ask::answer::{Asker, Decision, thoughts_line};
use crate::print;

/// A game or one of its hands as text, a line per event or decision.
pub(super) struct Story {
    pub(super) lines: Vec<String>,
    /// The only hand to tell; None for all.
    only: Option<u16>,
    /// The only decision to tell; None for all.
    step: Option<usize>,
    /// The number of hands dealt so far.
    pub(super) hands: u16,
    /// The number of decisions so far.
    pub(super) decisions: usize,
    explainer: Option<Explainer>,
    /// What the agents of the run reported with the decisions.
    thoughts: Vec<Option<Thoughts>>,
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
    pub(super) const fn new(
        rules: Rules,
        only: Option<u16>,
        step: Option<usize>,
        thoughts: Vec<Option<Thoughts>>,
        explainer: Option<Explainer>,
    ) -> Story {
        Story {
            lines: Vec::new(),
            only,
            step,
            hands: 0,
            decisions: 0,
            explainer,
            thoughts,
            taken: None,
            rules,
            dealer: Seat::FIRST,
        }
    }

    /// Why an agent did not explain a decision.
    pub(super) fn failure(&mut self) -> Option<anyhow::Error> {
        self.explainer.as_mut()?.failure.take()
    }

    /// Whether the latest hand is told.
    fn is_shown(&self) -> bool {
        self.only.is_none_or(|hand| self.hands.checked_sub(1) == Some(hand))
    }

    /// Adds a line about the latest hand.
    fn push(&mut self, line: String) {
        if self.step.is_none() && self.is_shown() {
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
        let step = self.decisions;
        self.decisions += 1;
        if !self.is_shown() || self.step.is_some_and(|only| only != step) {
            return;
        }
        let drawn = o.drawn().map_or_else(String::new, |tile| format!("+{tile}"));
        let hand = format!("{}{drawn}{}", o.hand(), o.melds());
        let offered = o.offer().map_or_else(String::new, |offer| format!(" on {}", offer.tile));
        let others: Vec<String> = match o.legal().len() {
            0..=6 => {
                o.legal().iter().filter(|id| *id != action.id()).map(|id| o.describe(id.action())).collect()
            }
            n => vec![format!("{} more", n - 1)],
        };
        let number = format!("#{step}");
        self.lines.push(format!(
            "{number:>5} {}  {hand:<24} {}{offered}  (or {})",
            self.name(o.seat()),
            o.describe(action),
            others.join(", ")
        ));
        let thoughts = self.thoughts.get(step).and_then(Option::as_ref);
        let told = thoughts.map(|thoughts| thoughts_line(thoughts, o)).filter(|line| !line.is_empty());
        self.lines.extend(told.map(|line| format!("      {line}")));
        if let Some(explainer) = &mut self.explainer {
            self.lines.extend(explainer.explain(o, self.hands.into()));
        }
    }
}

/// Asks agents about the decisions of a game.
pub(super) struct Explainer {
    asker: Asker,
    seed: u64,
    /// The events of the game so far.
    events: Vec<Event>,
    /// Why an agent did not answer.
    failure: Option<anyhow::Error>,
}

impl Explainer {
    pub(super) const fn new(asker: Asker, seed: u64) -> Explainer {
        Explainer { asker, seed, events: Vec::new(), failure: None }
    }

    /// The lines below a decision.
    fn explain(&mut self, o: &Observation<'_>, hand: u32) -> Vec<String> {
        if self.failure.is_some() {
            return Vec::new();
        }
        let decision = Decision { observation: *o, events: &self.events, seed: self.seed, hand };
        match self.asker.ask(&decision) {
            Ok(answers) => {
                let text: String = answers.iter().map(|answer| answer.text(o)).collect();
                text.lines().map(|line| format!("      {line}")).collect()
            }
            Err(error) => {
                self.failure = Some(error);
                Vec::new()
            }
        }
    }
}

impl Observer for Story {
    fn event(&mut self, event: &Event) {
        if let Some(explainer) = &mut self.explainer {
            explainer.events.push(event.clone());
        }
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
                    let line = format!("      {}  {hand}", self.name(seat));
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
                Some(Taken::Drawn) => format!("      {}  draws and discards {tile}", self.name(*seat)),
                Some(Taken::Claimed) => format!("      {}  discards {tile}", self.name(*seat)),
                None => return,
            },
            Event::RiichiAccepted { seat } => format!("      {}  riichi accepted", self.name(*seat)),
            Event::Indicator { tile } => format!("      dora indicator {tile}"),
            Event::DeadHand { seat } => format!("      {}  has a dead hand", self.name(*seat)),
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
            let mut story = Story::new(rules, None, None, Vec::new(), None);
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
