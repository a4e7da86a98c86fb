//! Replays a recorded game and compares everything that its log states.

use std::fmt;

use super::driver::{GameStart, HandReplayer, ReplayedHand, Script, Stopped, replay_game_from};
use super::{
    RecordedEnd, RecordedGame, RecordedHand, RecordedWin, ReplayDifference, ReplayReport, Spectator, Step,
};
use crate::draw::DrawReason;
use crate::event::{Event, Observer};
use crate::game::Game;
use crate::game_state::Standing;
use crate::outcome::{HandEnd, Outcome, WonHand};
use crate::rules::Rules;
use crate::table::Phase;
use crate::yaku::Yaku;
use crate::{Action, Limit, Observation, Round, Seat, SeatSet, Wind};

impl RecordedGame {
    /// Replays the game and compares everything that its log states.
    pub fn replay(&self, spectator: &mut dyn Spectator) -> ReplayReport {
        let mut report = ReplayReport::default();
        let mut replayer = HandReplayer::new(&self.rules);
        for (number, hand) in self.hands.iter().enumerate() {
            let hands_before = report.hands;
            let next = self.hands.get(number + 1).filter(|_| hand.gap.is_none());
            replayer.go_to(number as u32);
            let mut comparison = Comparison {
                game: self,
                number,
                hand,
                next,
                spectator: &mut *spectator,
                report: &mut report,
                step: 0,
                turned: 0,
                three_may_win: false,
                has_diverged: false,
            };
            let is_replayed = comparison.run(&mut replayer).is_ok();
            // A hand without an end reports the gap where it stops.
            if is_replayed || hand.end.is_some() {
                comparison.report_gap();
            }
            if !is_replayed {
                replayer.skip(&hand.standing, hand.dealer_won());
            }
            if report.hands == hands_before {
                spectator.undealt_hand();
            }
        }
        report
    }
}

impl RecordedHand {
    /// The answers from this start to the decision that follows the last event. None if the rules do not
    /// allow the events, or no decision follows.
    pub(super) fn steps(&self, rules: &Rules, start: &GameStart) -> Option<Vec<Step>> {
        let (game, mut report) = (RecordedGame::new(*rules), ReplayReport::default());
        let mut hand = self.clone();
        hand.break_off("the hand is in play");
        let mut steps = Steps(Vec::new());
        let mut comparison = Comparison {
            game: &game,
            number: 0,
            hand: &hand,
            next: None,
            spectator: &mut steps,
            report: &mut report,
            step: 0,
            turned: 0,
            three_may_win: false,
            has_diverged: false,
        };
        // The replay stops at the gap after the last event.
        replay_game_from(rules, 0, start, &mut comparison).err()?;
        let is_played = !comparison.has_diverged && comparison.step == hand.events.len();
        is_played.then_some(steps.0)
    }
}

/// The answers of a replay.
struct Steps(Vec<Step>);

impl Observer for Steps {
    fn event(&mut self, _: &Event) {}
}

impl Spectator for Steps {
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        self.0.push(Step::Answer(o.seat(), action.id()));
    }
}

/// One hand while it is replayed and compared.
struct Comparison<'a> {
    game: &'a RecordedGame,
    number: usize,
    hand: &'a RecordedHand,
    /// The next recorded hand. None after the last hand or before a gap.
    next: Option<&'a RecordedHand>,
    spectator: &'a mut dyn Spectator,
    report: &'a mut ReplayReport,
    /// The number of recorded events that have happened.
    step: usize,
    /// The number of further dora indicators turned, if the log only lists them.
    turned: usize,
    /// Whether all three others may win on the last discard.
    three_may_win: bool,
    /// Whether an event was not as recorded. Later events are not compared.
    has_diverged: bool,
}

/// The hand does not follow its record to its end; the report says why.
struct Diverged;

impl Comparison<'_> {
    fn differ(&mut self, what: &str, expected: impl fmt::Display, found: impl fmt::Display) {
        self.report.differences.push(ReplayDifference {
            hand: self.number,
            step: self.step,
            decision: self.report.decisions.checked_sub(1),
            what: what.to_owned(),
            expected: expected.to_string(),
            found: found.to_string(),
        });
    }

    fn run(&mut self, replayer: &mut HandReplayer<'_>) -> Result<(), Diverged> {
        if self.hand.end.as_ref().is_some_and(|end| end.draw == Some(DrawReason::Chombo)) {
            let expected = "a win or a draw: whose foul it was is not recorded";
            self.differ("end of the hand", expected, DrawReason::Chombo);
            return Err(Diverged);
        }
        let wall = self.hand.wall(&self.game.rules).map_err(|error| {
            self.differ("tiles of the hand", "tiles of one wall", error);
            Diverged
        })?;
        match replayer.play(&self.hand.standing, Some(wall), self) {
            Ok(_) if self.has_diverged => Err(Diverged),
            Ok(replayed) => {
                self.compare_end(&replayed);
                Ok(())
            }
            Err(Stopped::Start(error)) => {
                self.differ("start of the hand", "a start that the rules allow", error);
                Err(Diverged)
            }
            Err(Stopped::Script(diverged)) => Err(diverged),
        }
    }

    /// Whether the log states if the game continues after this hand.
    const fn states_what_follows(&self) -> bool {
        self.hand.gap.is_none()
            && (self.next.is_some() || self.game.is_whole || self.game.final_scores.is_some())
    }

    /// Whether the hand has a gap here: nothing more of it is recorded.
    fn is_at_gap(&self) -> bool {
        let RecordedHand { gap, end, events, .. } = self.hand;
        gap.is_some() && end.is_none() && self.step == events.len()
    }

    /// Reports the gap of the hand, if it has one.
    fn report_gap(&mut self) {
        let (what, expected) = match self.hand.end {
            None => ("rest of the hand", "a win or a draw"),
            Some(_) => ("what follows", "the next hand or the end of the game"),
        };
        if let Some(gap) = &self.hand.gap {
            self.differ(what, expected, gap);
        }
    }

    /// Compares the start of the hand, except where it depends on the hand before.
    fn compare_start(&mut self) {
        let rules = &self.game.rules;
        if rules.dora && self.hand.indicator.is_none() {
            self.differ("first dora indicator", "an indicator", "none");
        }
        if self.number == 0 && self.game.is_whole {
            let (start, found) = (Standing::start(rules), &self.hand.standing);
            self.check_round("first round", start.round, found.round);
            self.check("first honba", Some(start.honba), Some(found.honba));
            self.check("first riichi sticks", Some(start.sticks), Some(found.sticks));
            self.check("points at the start", Some(start.scores), Some(found.scores));
        }
    }

    /// What the log says happens next, for a message.
    fn next_recorded(&self) -> String {
        match (self.hand.events.get(self.step), &self.hand.end) {
            (Some(event), _) => event.to_string(),
            (None, Some(end)) => match end.draw {
                Some(reason) => format!("the draw {reason}"),
                None if end.wins.is_empty() => "a draw".to_owned(),
                None => format!("wins of {:?}", end.winners()),
            },
            (None, None) => "the end of the log".to_owned(),
        }
    }

    /// Compares an event between deal and end with the next recorded one.
    fn compare_event(&mut self, event: &Event) {
        if self.is_at_gap() {
            self.has_diverged = true;
            self.report_gap();
        } else if let (Event::Indicator { tile }, Some(listed)) = (event, &self.hand.listed_indicators) {
            let recorded = listed.get(self.turned);
            // Mahjong Soul's records of a draw do not list an indicator that the last discard turned.
            if recorded.is_none() && self.is_after_last_discard_of_a_draw() {
                return;
            }
            self.turned += 1;
            if recorded != Some(tile) {
                let found = recorded.map_or("no further one".to_owned(), ToString::to_string);
                self.has_diverged = true;
                self.differ("dora indicator", tile, found);
            }
        } else if self.hand.events.get(self.step) == Some(event) {
            self.step += 1;
        } else {
            self.has_diverged = true;
            self.differ("what happens", event, self.next_recorded());
        }
    }

    /// Whether nothing more is recorded of a hand that ended without a win.
    fn is_after_last_discard_of_a_draw(&self) -> bool {
        let RecordedHand { events, end, .. } = self.hand;
        self.step == events.len() && end.as_ref().is_some_and(|end| end.wins.is_empty())
    }

    /// The recorded answer to a decision. None if the next recorded event cannot follow from one.
    fn recorded_action(&self, o: &Observation<'_>) -> Option<Action> {
        match o.phase() {
            Phase::Turn => self.action_in_turn(o),
            Phase::Claim | Phase::KanClaim => Some(self.claim(o)),
            Phase::Draw => {
                let tenpai = self.hand.end.as_ref()?.tenpai;
                let shows = tenpai.is_none_or(|seats| seats.contains(o.seat()));
                Some(if shows { Action::Pass } else { Action::KeepClosed })
            }
            Phase::End => Some(if self.next.is_some() { Action::Pass } else { Action::EndGame }),
            Phase::Over => None,
        }
    }

    fn action_in_turn(&self, o: &Observation<'_>) -> Option<Action> {
        match self.hand.events.get(self.step) {
            _ if self.dies(o) => invalid_call(o),
            Some(event) => event.action_in_turn(o.seat()),
            None => {
                let end = self.hand.end.as_ref()?;
                let wins = end.wins.iter().any(|win| win.winner == o.seat() && win.from.is_none());
                match end.draw {
                    _ if wins => Some(Action::Tsumo),
                    Some(DrawReason::KyuushuKyuuhai) => Some(Action::KyuushuKyuuhai),
                    // No other draw ends a hand in a turn.
                    None if end.wins.is_empty() => Some(Action::KyuushuKyuuhai),
                    _ => None,
                }
            }
        }
    }

    /// The recorded answer to an offered tile.
    fn claim(&self, o: &Observation<'_>) -> Action {
        if self.step == self.hand.events.len() && self.declares_ron(o) {
            return Action::Ron;
        }
        if self.dies(o) {
            return invalid_call(o).unwrap_or(Action::Pass);
        }
        // Dead hands, an accepted riichi and a turned indicator come before the call.
        let is_before = |event: &&Event| {
            matches!(event, Event::DeadHand { .. } | Event::RiichiAccepted { .. } | Event::Indicator { .. })
        };
        match self.hand.events[self.step..].iter().find(|event| !is_before(event)) {
            Some(Event::Call { seat, meld }) if *seat == o.seat() => meld.call().unwrap_or(Action::Pass),
            _ => Action::Pass,
        }
    }

    /// Whether the player makes an invalid call now, after which their hand is dead.
    fn dies(&self, o: &Observation<'_>) -> bool {
        let deaths = self.hand.events[self.step..].iter().map_while(|event| match event {
            Event::DeadHand { seat } => Some(*seat),
            _ => None,
        });
        o.rules().has_referee() && deaths.into_iter().any(|seat| seat == o.seat())
    }

    /// Whether the player won on the offered tile, or declared ron together with two others.
    fn declares_ron(&self, o: &Observation<'_>) -> bool {
        self.hand.end.as_ref().is_some_and(|end| match end.draw {
            Some(reason) => reason == DrawReason::TripleRon,
            // A hand without winners or a reason: live tiles are left, but nobody draws one.
            None if end.wins.is_empty() => self.three_may_win && o.table().live() > 0,
            None => end.wins.iter().any(|win| win.winner == o.seat() && win.from.is_some()),
        })
    }

    fn compare_end(&mut self, replayed: &ReplayedHand) {
        if self.step < self.hand.events.len() {
            return self.differ("end of the hand", "the end", self.next_recorded());
        }
        let listed = self.hand.listed_indicators.as_ref().map(Vec::len);
        self.check("further dora indicators", Some(self.turned), listed);
        match &self.hand.end {
            Some(end) => self.compare_outcome(&replayed.outcome, end),
            // A log may stop before the end of its last hand.
            None if self.states_what_follows() => {
                self.differ("end of the hand", "the end", "no end");
            }
            None => {}
        }
        match self.next {
            _ if self.hand.gap.is_some() => {}
            Some(next) => self.compare_next(replayed, &next.standing),
            None => self.compare_final(replayed),
        }
    }

    fn compare_outcome(&mut self, outcome: &Outcome, end: &RecordedEnd) {
        match &outcome.end {
            HandEnd::Draw { reason, tenpai, .. } => {
                let recorded = match end.draw {
                    Some(reason) => Some(reason.to_string()),
                    None if end.wins.is_empty() => None,
                    None => Some("a win".to_owned()),
                };
                self.check_as("draw", Some(reason.to_string()), recorded, String::clone);
                let expected = Some(*tenpai).filter(|_| !reason.is_abortive());
                self.check("who is tenpai", expected, end.tenpai);
            }
            HandEnd::Win(wins) => {
                let expected: SeatSet = wins.iter().map(|win| win.winner).collect();
                self.check("winners", Some(expected), Some(end.winners()));
                // A log without ura indicators hides them, or its winners have none.
                let shown = self.hand.ura_indicators.len();
                let counted =
                    wins.iter().map(|win| win.ura_indicators.len()).max().filter(|count| *count > 0);
                self.check("number of ura indicators", counted, Some(shown).filter(|shown| *shown > 0));
                for win in wins {
                    let recorded = end.wins.iter().find(|recorded| recorded.winner == win.winner);
                    if let Some(recorded) = recorded {
                        self.compare_win(win, recorded);
                    }
                }
            }
        }
        self.check("points won and lost", Some(outcome.deltas), end.deltas);
    }

    fn compare_win(&mut self, win: &WonHand, recorded: &RecordedWin) {
        let of = |what: &'static str| fmt::from_fn(move |f| write!(f, "{what} of {:?}", win.winner));
        let expected = super::recording::recorded(win, &self.game.rules);
        let seat = |seat: &Option<Seat>| seat.map_or("none".to_owned(), |seat| format!("{seat:?}"));
        let listed = |listed: &&Vec<(Yaku, u8)>| {
            let texts = listed.iter().map(|(yaku, han)| format!("{yaku} {han}"));
            texts.collect::<Vec<_>>().join(", ")
        };
        let limit = |limit: &Limit| match limit {
            Limit::None => "none".to_owned(),
            limit => limit.name().to_owned(),
        };
        self.check_as(of("discarder"), Some(expected.from), Some(recorded.from), seat);
        self.check_as(of("winning tile"), expected.tile, recorded.tile, ToString::to_string);
        self.check_as(of("yaku"), expected.yaku.as_ref(), recorded.yaku.as_ref(), listed);
        self.check(of("han"), expected.han, recorded.han);
        self.check(of("dora, ura dora and red five han"), expected.dora, recorded.dora);
        self.check(of("fu"), expected.fu, recorded.fu);
        self.check(of("points"), expected.points, recorded.points);
        self.check_as(of("limit"), expected.limit, recorded.limit, limit);
        self.check(of("base points"), expected.base, recorded.base);
        self.check_as(of("liability"), expected.liable, recorded.liable, seat);
        self.check(of("payments"), expected.deltas, recorded.deltas);
    }

    /// Compares two rounds.
    fn check_round(&mut self, what: &str, expected: u16, found: u16) {
        if expected != found {
            let [expected, found] = [expected, found].map(|round| self.round_name(round));
            self.differ(what, expected, found);
        }
    }

    /// The name of a round, such as `South 4`.
    fn round_name(&self, round: u16) -> String {
        let players = u16::from(self.game.rules.players.count());
        format!("{} {}", Wind::of_round(u32::from(round / players)), round % players + 1)
    }

    /// The name of a hand, such as `South 4, honba 1`.
    fn hand_name(&self, round: u16, honba: u16) -> String {
        format!("{}, honba {honba}", self.round_name(round))
    }

    /// Compares the start of the next hand with the one after this hand by the rules.
    fn compare_next(&mut self, replayed: &ReplayedHand, next: &Standing) {
        if replayed.is_last {
            let found = self.hand_name(next.round, next.honba);
            return self.differ("what follows", "the game is over", found);
        }
        let table = replayed.game.table();
        self.check_round("next round", table.round(), next.round);
        self.check("next honba", Some(table.honba()), Some(next.honba));
        self.check("next riichi sticks", Some(table.sticks()), Some(next.sticks));
        self.check("next points", Some(*table.scores()), Some(next.scores));
    }

    /// Compares the end of the game, as far as the log states it.
    fn compare_final(&mut self, replayed: &ReplayedHand) {
        let game = &replayed.game;
        if !replayed.is_last && self.states_what_follows() {
            let table = game.table();
            let next = self.hand_name(table.round(), table.honba());
            return self.differ("what follows", next, "the game is over");
        }
        self.check("final points", Some(*game.scores()), self.game.final_scores);
        let results = game.results().map(|results| results.map(|result| result.result));
        self.check("results", results, self.game.results);
    }

    /// Compares two values if both are known.
    fn check<T: PartialEq + fmt::Debug>(
        &mut self,
        what: impl fmt::Display,
        expected: Option<T>,
        found: Option<T>,
    ) {
        self.check_as(what, expected, found, |value| format!("{value:?}"));
    }

    /// Compares two values if both are known; `show` formats them for the report.
    fn check_as<T: PartialEq>(
        &mut self,
        what: impl fmt::Display,
        expected: Option<T>,
        found: Option<T>,
        show: impl Fn(&T) -> String,
    ) {
        if let (Some(expected), Some(found)) = (expected, found)
            && expected != found
        {
            self.differ(&what.to_string(), show(&expected), show(&found));
        }
    }
}

impl Observer for Comparison<'_> {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Deal { .. } => {
                self.report.hands += 1;
                self.compare_start();
            }
            Event::HandEnd(_) | Event::GameEnd { .. } => {}
            event if !self.has_diverged => self.compare_event(event),
            _ => {}
        }
        if !self.has_diverged {
            self.spectator.event(event);
        }
    }
}

impl Spectator for Comparison<'_> {
    fn round(&mut self, round: &Round) {
        if !self.has_diverged {
            self.spectator.round(round);
        }
    }

    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        self.spectator.decision(o, action);
        self.report.decisions += 1;
    }
}

impl Script for Comparison<'_> {
    type Stop = Diverged;

    fn answer(&mut self, game: &Game, observation: &Observation<'_>) -> Result<Action, Diverged> {
        if self.has_diverged {
            return Err(Diverged);
        }
        if self.is_at_gap() {
            self.report_gap();
            return Err(Diverged);
        }
        match observation.phase() {
            Phase::Turn => self.three_may_win = false,
            Phase::Claim if game.pending().len() == 3 => {
                self.three_may_win = game.decisions().all(|(_, legal)| legal.contains(Action::Ron.id()));
            }
            _ => {}
        }
        let action = self.recorded_action(observation);
        let dies = self.dies(observation);
        let is_possible = |action: &Action| {
            let is_foul = dies || game.round().is_punished_later(observation.seat(), *action);
            is_foul || observation.legal().contains(action.id())
        };
        action.filter(is_possible).ok_or_else(|| {
            let legal = observation.legal().iter().map(|id| observation.describe(id.action()));
            let expected = format!("one of {}", legal.collect::<Vec<_>>().join(", "));
            let found = action.map_or_else(|| self.next_recorded(), |action| observation.describe(action));
            self.differ(&format!("action of seat {}", observation.seat()), expected, found);
            Diverged
        })
    }

    fn answers_after_hand(&self) -> bool {
        self.states_what_follows()
    }
}

/// Any call that is not legal now. The record does not state which one was made.
fn invalid_call(o: &Observation<'_>) -> Option<Action> {
    let mut calls = (0..3).map(|reds| Action::Pon { reds }).chain([Action::Daiminkan]);
    calls.find(|call| !o.legal().contains(call.id()))
}
