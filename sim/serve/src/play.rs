//! The game at a table: its events, and the decisions of the person.

use std::path::Path;
use std::time::Instant;

use jantaku_engine::replay::{Both, GameStart, Spectator as _};
use jantaku_engine::{Action, ActionId, Declare, Event, Game, Observation, Seat, Tile};
use jantaku_show::Sentence;
use jantaku_show::view::Viewer;
use serde_json::{Value, json};

use super::clock::Clock;
use super::decisions::Decisions;
use super::error::ServeError;
use super::table_config::TableSetup;

/// The game at a table.
pub(super) struct Play {
    /// The seat of the person.
    person: Seat,
    game: Game,
    /// What the person sees, and all events.
    seen: Both<Viewer, Vec<Event>>,
    decisions: Decisions,
    /// How many decisions the person has made, which is the number of their next one.
    made_by_person: usize,
    /// The choices of the person that can be undone, by their numbers among all decisions.
    choices: Vec<usize>,
    clock: Option<Clock>,
    /// Why the game cannot continue.
    pub(super) failure: Option<Sentence>,
    /// Whether the finished game is saved.
    pub(super) is_saved: bool,
}

/// What a page knows of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// The number of hands.
    pub(super) hands: usize,
    /// The number of steps of the last hand.
    pub(super) steps: usize,
    /// The number of the decision that the person must make.
    pub(super) decision: Option<usize>,
    /// How often the person has undone a choice.
    pub(super) undone: usize,
}

impl Play {
    /// The game of a table, after the decisions in this file.
    pub(super) fn resume(setup: &TableSetup, path: &Path) -> Result<Play, ServeError> {
        let person = setup.person().expect("a setup has a person");
        let decisions = Decisions::open(path, setup.rules.players)?;
        let mut seen = Both(Viewer::for_player(&setup.rules, person), Vec::new());
        let GameStart { standing, wall } = setup.start();
        let begun = Game::at(&setup.rules, setup.game_seed(), &standing, wall, &mut seen);
        let mut game = begun.expect("the start of a table was checked");
        let mut choices = Vec::new();
        let copied = setup.branch.as_ref().map_or(0, |branch| branch.decisions as usize);
        seen.0.round(game.round());
        for (index, (seat, action)) in decisions.made().iter().enumerate() {
            if *seat == person && index >= copied && is_choice(&game, person) {
                choices.push(index);
            }
            let submitted = game.submit_seen(*seat, *action, &mut seen);
            submitted.map_err(|illegal| ServeError::table(path, &format!("decision {index}: {illegal}")))?;
            seen.0.round(game.round());
        }
        let made_by_person = decisions.made().iter().filter(|(seat, _)| *seat == person).count();
        let clock = setup.clock.map(|limit| Clock::new(limit, game.hand_count()));
        let (failure, is_saved) = (None, false);
        Ok(Play { person, game, seen, decisions, made_by_person, choices, clock, failure, is_saved })
    }

    /// Takes back the last choice of the person and all later decisions, unless they play against a clock.
    /// Returns whether there was such a choice.
    pub(super) fn undo(&mut self, setup: &TableSetup, path: &Path) -> Result<bool, ServeError> {
        let Some(last) = self.undoable() else { return Ok(false) };
        self.decisions.undo(last)?;
        *self = Play::resume(setup, path)?;
        Ok(true)
    }

    /// The number among all decisions of the choice that the person can take back.
    fn undoable(&self) -> Option<usize> {
        self.choices.last().copied().filter(|_| self.clock.is_none() && self.asked().is_some())
    }

    pub(super) const fn game(&self) -> &Game {
        &self.game
    }

    /// All events of the game.
    pub(super) fn events(&self) -> &[Event] {
        &self.seen.1
    }

    /// The view that the page of the person shows.
    pub(super) const fn viewer(&self) -> &Viewer {
        &self.seen.0
    }

    /// All decisions in the order in which they were made.
    pub(super) fn made(&self) -> &[(Seat, Action)] {
        self.decisions.made()
    }

    /// The first agent that must decide.
    pub(super) fn next_agent(&self) -> Option<Seat> {
        self.game.pending().iter().find(|seat| *seat != self.person)
    }

    /// The observation from which the person decides. None if they need not decide now.
    pub(super) fn asked(&self) -> Option<Observation<'_>> {
        let is_asked = self.game.pending().contains(self.person);
        is_asked.then(|| self.game.observe(self.person))
    }

    /// What an up-to-date page knows.
    pub(super) fn place(&self) -> Known {
        let hands = &self.viewer().view().hands;
        Known {
            hands: hands.len(),
            steps: hands.last().map_or(0, |hand| hand.steps.len()),
            decision: self.asked().map(|_| self.made_by_person),
            undone: self.decisions.undone(),
        }
    }

    /// Makes the file of the decisions one that cannot be written.
    #[cfg(test)]
    pub(super) fn forbid_writing(&mut self) {
        self.decisions.forbid_writing();
    }

    /// Submits a decision, after it is on disk. The action must be legal.
    pub(super) fn submit(&mut self, seat: Seat, action: Action) -> Result<(), ServeError> {
        let (number, is_choice) = (self.made().len(), seat == self.person && is_choice(&self.game, seat));
        self.decisions.push(seat, action)?;
        self.choices.extend(is_choice.then_some(number));
        let submitted = self.game.submit_seen(seat, action, &mut self.seen);
        submitted.expect("the action is legal");
        self.seen.0.round(self.game.round());
        if seat == self.person {
            self.made_by_person += 1;
            self.clock.iter_mut().for_each(|clock| clock.stop(Instant::now()));
        }
        // The decision of any player may end the hand.
        let hand = self.game.hand_count();
        self.clock.iter_mut().for_each(|clock| clock.enter(hand));
        Ok(())
    }

    /// Submits the only action of the person, or their default when their time is over. Returns whether
    /// it submitted one.
    pub(super) fn submit_forced(&mut self, now: Instant) -> Result<bool, ServeError> {
        let Some(o) = self.asked() else { return Ok(false) };
        let is_late = self.clock.is_some_and(|clock| clock.left(now).is_zero());
        if o.legal().is_choice() && !is_late {
            return Ok(false);
        }
        let action = default_action(&o);
        self.submit(self.person, action)?;
        Ok(true)
    }

    /// Starts the clock of the person, if they must make this decision now.
    pub(super) fn start_clock(&mut self, decision: usize, now: Instant) {
        if self.place().decision == Some(decision) {
            self.clock.iter_mut().for_each(|clock| clock.start(now));
        }
    }

    /// What happened since a page had this many hands. Includes the last of them, which may have changed.
    pub(super) fn news(&self, hands: usize, now: Instant) -> Value {
        let view = self.viewer().view();
        let from = hands.saturating_sub(1).min(view.hands.len() - 1);
        let clock = self.clock.map(
            |clock| json!({ "left": clock.left(now).as_millis() as u64, "running": clock.is_running() }),
        );
        json!({
            "made": self.made_by_person,
            "from": from,
            "hands": &view.hands[from..],
            "results": view.results,
            "decision": self.asked().map(|o| decision(self.made_by_person, &o)),
            "clock": clock,
            "undone": self.decisions.undone(),
            "undo": self.undoable().is_some(),
            "failure": self.failure,
            "kept": self.is_saved,
        })
    }
}

/// Whether a seat that must decide has several legal actions.
fn is_choice(game: &Game, seat: Seat) -> bool {
    game.pending().contains(seat) && game.observe(seat).legal().is_choice()
}

/// The action of a person who does not answer: discards the drawn tile, or passes.
fn default_action(o: &Observation<'_>) -> Action {
    let usual = [Action::Tsumogiri { declare: Declare::Nothing }, Action::Pass];
    let usual = usual.into_iter().find(|action| o.legal().contains(action.id()));
    usual.unwrap_or_else(|| o.legal().first().expect("a decision has legal actions").action())
}

/// A decision with its legal actions.
fn decision(number: usize, o: &Observation<'_>) -> Value {
    let action = |id: ActionId| {
        let action = id.action();
        json!({
            "id": id.number(),
            "kind": kind(action),
            "text": o.describe(action),
            "tiles": tiles(o, action).iter().map(Tile::to_string).collect::<Vec<_>>(),
            "drawn": matches!(action, Action::Tsumogiri { .. }),
        })
    };
    json!({ "number": number, "actions": o.legal().iter().map(action).collect::<Vec<_>>() })
}

/// The tiles of an action: the discarded one, those of the hand that a call uses, or the kind of a kan.
fn tiles(o: &Observation<'_>, action: Action) -> Vec<Tile> {
    match action {
        Action::Discard { tile, .. } => vec![tile],
        Action::Tsumogiri { .. } => o.drawn().into_iter().collect(),
        Action::Kan { kind } => vec![Tile::plain(kind)],
        _ => {
            let claimed = o.offer().map(|offer| offer.tile.kind());
            claimed.and_then(|claimed| action.tiles_from_hand(claimed)).into_iter().flatten().collect()
        }
    }
}

/// The kind of an action: what a button of a page is called.
fn kind(action: Action) -> String {
    match action {
        Action::Discard { declare, .. } | Action::Tsumogiri { declare } => match declare {
            Declare::Nothing => "discard".to_owned(),
            Declare::Riichi => "riichi".to_owned(),
            Declare::OpenRiichi => "open-riichi".to_owned(),
        },
        other => other.word().replace(' ', "-"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use jantaku_engine::Rng;
    use jantaku_engine::notation::parse_tiles;
    use jantaku_engine::rules::Preset;

    use super::*;
    use crate::table_config::{PERSON, TimeLimit};

    const LIMIT: TimeLimit = TimeLimit { seconds: 5, spare: 10 };

    /// A game in a folder, with a person in seat 0 who has a clock.
    fn game(folder: &Path, rules: &str, seed: u64) -> Play {
        let rules_name = rules.to_owned();
        let rules = Preset::named(rules).expect("a preset").rules();
        let agents = vec![PERSON.to_owned(); rules.players.count().into()];
        let setup = TableSetup {
            rules_name,
            agents,
            seat: 0,
            seed,
            game: 0,
            branch: None,
            hints: None,
            clock: Some(LIMIT),
            rules,
        };
        Play::resume(&setup, &folder.join("decisions.txt")).expect("a new game")
    }

    /// Plays at random to the end: wins and calls often. `each` sees the game before and after a
    /// decision.
    fn play_out(
        play: &mut Play,
        seed: u64,
        mut each: impl FnMut(&mut Play, Seat, &mut dyn FnMut(&mut Play)),
    ) {
        let mut rng = Rng::new(seed);
        while let Some(seat) = play.game().pending().iter().next() {
            let o = play.game().observe(seat);
            let legal: Vec<Action> = o.legal().iter().map(ActionId::action).collect();
            let is_rare = |action: &&Action| {
                !matches!(action, Action::Discard { .. } | Action::Tsumogiri { .. } | Action::Pass)
            };
            let rare = legal.iter().copied().find(|action| is_rare(&action) && rng.below(3) > 0);
            let action = rare.unwrap_or_else(|| legal[rng.below(legal.len())]);
            each(play, seat, &mut |play| play.submit(seat, action).expect("a folder to write to"));
        }
    }

    /// Each hand has the whole spare time, the first one too.
    #[test]
    fn spare_time_is_whole_in_each_hand() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut play = game(folder.path(), "tenhou", 1);
        let second = Duration::from_secs(1);
        let (mut ends, mut own) = ([0, 0], 0);
        play_out(&mut play, 1, |play, seat, submit| {
            let (is_person, now) = (seat == play.person, Instant::now());
            let clock = play.clock.as_mut().expect("a clock");
            if clock.left(now) == 15 * second {
                // The first decision of the hand takes 2 seconds of the spare time.
                clock.start(now);
                clock.stop(now + 7 * second);
            }
            let hand = play.game.hand_count();
            submit(play);
            let left = play.clock.expect("a clock").left(now);
            let is_new = play.game.hand_count() != hand;
            assert_eq!(left, if is_new { 15 * second } else { 13 * second }, "hand {hand} of {seat:?}");
            ends[usize::from(is_person)] += u32::from(is_new);
            own += u32::from(is_person);
        });
        assert!(ends[0] > 0 && ends[1] > 0 && own > 50, "{ends:?} hands end, {own} decisions");
    }

    #[test]
    fn actions_have_the_tiles_of_their_texts() {
        let mut seen = 0;
        for (rules, seed) in [("tenhou", 1), ("tenhou", 2), ("tenhou-sanma", 3), ("duo", 4)] {
            let folder = tempfile::tempdir().expect("a folder");
            play_out(&mut game(folder.path(), rules, seed), seed, |play, seat, submit| {
                let o = play.game().observe(seat);
                for action in o.legal().iter().map(ActionId::action) {
                    let text = o.describe(action);
                    let named = parse_tiles(text.rsplit(' ').next().unwrap_or_default()).unwrap_or_default();
                    assert_eq!(tiles(&o, action), named, "{text}");
                    seen += u32::from(named.iter().any(|tile| tile.is_red()) && named.len() == 2);
                }
                submit(play);
            });
        }
        assert!(seen > 0, "calls with red fives");
    }
}
