//! A recorded game played again and compared.

use std::fmt;

use super::{Difference, OneHand, RecordedEnd, RecordedGame, RecordedHand, RecordedWin, Report, Spectator};
use crate::event::Event;
use crate::game::{Game, Standing};
use crate::outcome::{DrawReason, HandEnd, Outcome, WonHand};
use crate::table::Phase;
use crate::yaku::Yaku;
use crate::{Action, ChiPosition, Limit, MeldKind, Observation, Seat, SeatSet, TileKind};

impl RecordedGame {
    /// Plays the game again and compares everything that the log tells.
    pub fn replay(&self, spectator: &mut impl Spectator) -> Report {
        let mut report = Report::default();
        for (number, hand) in self.hands.iter().enumerate() {
            let next = self.hands.get(number + 1);
            let three_may_win = false;
            let mut replay = Replay {
                game: self,
                number,
                hand,
                next,
                report: &mut report,
                step: 0,
                turned: 0,
                three_may_win,
            };
            replay.run(spectator);
        }
        report
    }
}

impl RecordedGame {
    /// How many hands the dealer of a hand has won since the deal came to him.
    fn dealer_wins(&self, number: usize) -> u8 {
        let hand = &self.hands[number];
        let of_dealer =
            self.hands[..number].iter().rev().take_while(|h| h.standing.round == hand.standing.round);
        let wins = |end: &RecordedEnd| end.wins.iter().any(|win| win.winner == hand.dealer());
        of_dealer.filter(|hand| hand.end.as_ref().is_some_and(wins)).count().try_into().unwrap_or(u8::MAX)
    }
}

/// One hand being replayed.
struct Replay<'a> {
    game: &'a RecordedGame,
    number: usize,
    hand: &'a RecordedHand,
    next: Option<&'a RecordedHand>,
    report: &'a mut Report,
    /// Recorded events that have been seen to happen.
    step: usize,
    /// Indicators that have been turned, of a log that only lists them.
    turned: usize,
    /// Whether all three others could win on the discard that lies open.
    three_may_win: bool,
}

impl Replay<'_> {
    fn differ(&mut self, what: &str, expected: impl fmt::Display, found: impl fmt::Display) {
        self.report.differences.push(Difference {
            hand: self.number,
            step: self.step,
            what: what.to_owned(),
            expected: expected.to_string(),
            found: found.to_string(),
        });
    }

    fn run(&mut self, spectator: &mut impl Spectator) {
        let rules = &self.game.rules;
        if self.hand.end.as_ref().is_some_and(|end| end.draw == Some(DrawReason::Chombo)) {
            let expected = "a win or a draw: whose foul it was is not recorded";
            return self.differ("end of the hand", expected, DrawReason::Chombo);
        }
        let wall = match self.hand.wall(rules) {
            Ok(wall) => wall,
            Err(error) => return self.differ("tiles of the hand", "tiles of one set", error),
        };
        let mut shown = OneHand::new(spectator);
        let standing = Standing { dealer_wins: self.game.dealer_wins(self.number), ..self.hand.standing };
        let mut game = match Game::at(rules, 0, &standing, Some(wall), &mut shown) {
            Ok(game) => game,
            Err(error) => return self.differ("start of the hand", "a start that the rules allow", error),
        };
        self.report.hands += 1;
        self.compare_start(&game);
        loop {
            if !self.compare_events(shown.events.drain(..)) {
                return;
            }
            let Some(seat) = game.pending().iter().next() else { break };
            let observation = game.observe(seat);
            let may_end = observation.phase() == Phase::End && self.tells_what_follows();
            if shown.outcome().is_some() && !may_end {
                break;
            }
            match observation.phase() {
                Phase::Turn => self.three_may_win = false,
                Phase::Claim if game.pending().len() == 3 => {
                    self.three_may_win = game.decisions().all(|(_, legal)| legal.contains(Action::Ron.id()));
                }
                _ => {}
            }
            let action = self.recorded_action(&observation);
            let is_legal = |action: &Action| observation.legal().contains(action.id());
            let Some(action) = action.filter(is_legal) else {
                let legal = observation.legal().iter().map(|id| observation.describe(id.action()));
                let expected = format!("one of {}", legal.collect::<Vec<_>>().join(", "));
                let found =
                    action.map_or_else(|| self.next_recorded(), |action| observation.describe(action));
                return self.differ(&format!("action of seat {seat}"), expected, found);
            };
            shown.decision(&observation, action);
            self.report.decisions += 1;
            game.submit_seen(seat, action, &mut shown).expect("the action is legal");
        }
        self.compare_end(&game, &shown);
    }

    /// Whether the log tells if the game goes on after this hand.
    const fn tells_what_follows(&self) -> bool {
        self.next.is_some() || self.game.is_whole || self.game.final_scores.is_some()
    }

    /// Compares how the hand begins; its points and counters, where a hand before it does not tell them.
    fn compare_start(&mut self, game: &Game) {
        if game.rules().dora && self.hand.indicator.is_none() {
            self.differ("first dora indicator", "an indicator", "none");
        }
        if self.number == 0 && self.game.is_whole {
            let (start, found) = (Standing::start(game.rules()), &self.hand.standing);
            self.check("first round", Some(start.round), Some(found.round));
            self.check("first honba", Some(start.honba), Some(found.honba));
            self.check("first sticks", Some(start.sticks), Some(found.sticks));
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
                None => format!("wins of {:?}", end.wins.iter().map(|win| win.winner).collect::<SeatSet>()),
            },
            (None, None) => "the end of the log".to_owned(),
        }
    }

    /// Compares what has happened since with what was recorded, and tells whether it is the same so far.
    fn compare_events(&mut self, events: impl Iterator<Item = Event>) -> bool {
        for event in events {
            let is_same = match (&event, &self.hand.listed_indicators) {
                (Event::Indicator { tile }, Some(listed)) => {
                    self.turned += 1;
                    listed.get(self.turned - 1) == Some(tile)
                }
                _ => {
                    self.step += 1;
                    self.hand.events.get(self.step - 1) == Some(&event)
                }
            };
            if !is_same {
                self.step = self.step.saturating_sub(1);
                self.differ("what happens", event, self.next_recorded());
                return false;
            }
        }
        true
    }

    /// What the log says that this player did at this decision; none if it says nothing that could be meant.
    fn recorded_action(&self, o: &Observation<'_>) -> Option<Action> {
        let next = self.hand.events.get(self.step);
        match o.phase() {
            Phase::Turn => self.action_in_turn(o, next),
            Phase::Claim | Phase::KanClaim => {
                // A riichi that stands and an indicator that is turned are told before the call.
                let mut later = self.hand.events[self.step..].iter();
                let follows =
                    later.find(|e| !matches!(e, Event::RiichiAccepted { .. } | Event::Indicator { .. }));
                let called = follows.and_then(|event| call_of(event, o));
                let wins = next.is_none() && self.declares_ron(o);
                Some(if wins { Action::Ron } else { called.unwrap_or(Action::Pass) })
            }
            Phase::Draw => {
                let tenpai = self.hand.end.as_ref()?.tenpai;
                let shows = tenpai.is_none_or(|seats| seats.contains(o.seat()));
                Some(if shows { Action::Pass } else { Action::KeepClosed })
            }
            Phase::End => Some(if self.next.is_some() { Action::Pass } else { Action::EndGame }),
            Phase::Over => None,
        }
    }

    fn action_in_turn(&self, o: &Observation<'_>, next: Option<&Event>) -> Option<Action> {
        match next {
            Some(Event::Discard { seat, tsumogiri: true, declare, .. }) if *seat == o.seat() => {
                Some(Action::Tsumogiri { declare: *declare })
            }
            Some(Event::Discard { seat, tile, declare, .. }) if *seat == o.seat() => {
                Some(Action::Discard { tile: *tile, declare: *declare })
            }
            Some(Event::Ankan { seat, meld }) if *seat == o.seat() => Some(Action::Kan { kind: meld.low() }),
            Some(Event::Kakan { seat, tile }) if *seat == o.seat() => Some(Action::Kan { kind: tile.kind() }),
            Some(Event::Kita { seat }) if *seat == o.seat() => Some(Action::Kita),
            Some(_) => None,
            None => {
                let end = self.hand.end.as_ref()?;
                let wins = end.wins.iter().any(|win| win.winner == o.seat() && win.from.is_none());
                match end.draw {
                    _ if wins => Some(Action::Tsumo),
                    Some(DrawReason::KyuushuKyuuhai) => Some(Action::KyuushuKyuuhai),
                    // Nothing else ends a hand in a turn.
                    None if end.wins.is_empty() => Some(Action::KyuushuKyuuhai),
                    _ => None,
                }
            }
        }
    }

    /// Whether the log says that this player won on the tile that lies open, or declared ron with two others.
    fn declares_ron(&self, o: &Observation<'_>) -> bool {
        self.hand.end.as_ref().is_some_and(|end| match end.draw {
            Some(reason) => reason == DrawReason::TripleRon,
            // A draw without its reason: tiles are left, and nobody draws.
            None if end.wins.is_empty() => self.three_may_win && o.table().live() > 0,
            None => end.wins.iter().any(|win| win.winner == o.seat() && win.from.is_some()),
        })
    }

    fn compare_end<S: Spectator>(&mut self, game: &Game, shown: &OneHand<'_, S>) {
        let Some(outcome) = shown.outcome() else {
            return self.differ("end of the hand", "the hand goes on", self.next_recorded());
        };
        if self.step < self.hand.events.len() {
            return self.differ("end of the hand", "the end", self.next_recorded());
        }
        let listed = self.hand.listed_indicators.as_ref().map(Vec::len);
        self.check("further dora indicators", Some(self.turned), listed);
        match &self.hand.end {
            Some(end) => self.compare_outcome(outcome, end),
            // A log may stop before it tells how its last hand ends.
            None if self.tells_what_follows() => self.differ("end of the hand", "the end", "nothing of it"),
            None => {}
        }
        match self.next {
            Some(next) => self.compare_standing(game, shown.is_last(), &next.standing),
            None => self.compare_final(game, shown.is_last()),
        }
    }

    fn compare_outcome(&mut self, outcome: &Outcome, end: &RecordedEnd) {
        match &outcome.end {
            HandEnd::Draw { reason, tenpai, .. } => {
                // None stands for a win.
                let recorded = end.draw.map(Some).or_else(|| (!end.wins.is_empty()).then_some(None));
                let name =
                    |draw: &Option<DrawReason>| draw.map_or("a win".to_owned(), |draw| draw.to_string());
                self.check_as("draw", Some(Some(*reason)), recorded, name);
                let expected = Some(*tenpai).filter(|_| !reason.is_abortive());
                self.check("who is tenpai", expected, end.tenpai);
            }
            HandEnd::Win(wins) => {
                let expected: SeatSet = wins.iter().map(|win| win.winner).collect();
                self.check("winners", Some(expected), Some(end.wins.iter().map(|win| win.winner).collect()));
                for win in wins {
                    if let Some(recorded) = end.wins.iter().find(|recorded| recorded.winner == win.winner) {
                        self.compare_win(win, recorded);
                    }
                }
            }
        }
        self.check("points won and lost", Some(outcome.deltas), end.deltas);
    }

    fn compare_win(&mut self, win: &WonHand, recorded: &RecordedWin) {
        let of = |what| What(what, Some(win.winner));
        let expected = super::recording::recorded(win, &self.game.rules);
        let seat = |seat: &Option<Seat>| seat.map_or("none".to_owned(), |seat| format!("{seat:?}"));
        let listed = |listed: &&Vec<(Yaku, u8)>| {
            listed.iter().map(|(yaku, han)| format!("{yaku} {han}")).collect::<Vec<_>>().join(", ")
        };
        let limit =
            |limit: &Limit| if *limit == Limit::None { "none".to_owned() } else { limit.name().to_owned() };
        self.check_as(of("discarder"), Some(expected.from), Some(recorded.from), seat);
        self.check_as(of("winning tile"), expected.tile, recorded.tile, ToString::to_string);
        self.check_as(of("yaku"), expected.yaku.as_ref(), recorded.yaku.as_ref(), listed);
        self.check(of("han"), expected.han, recorded.han);
        self.check(of("dora, ura and red han"), expected.dora, recorded.dora);
        self.check(of("fu"), expected.fu, recorded.fu);
        self.check(of("points"), expected.points, recorded.points);
        self.check_as(of("limit"), expected.limit, recorded.limit, limit);
        self.check(of("base points"), expected.base, recorded.base);
        self.check_as(of("liability"), expected.liable, recorded.liable, seat);
        self.check(of("payments"), expected.deltas, recorded.deltas);
    }

    fn compare_standing(&mut self, game: &Game, over: bool, next: &Standing) {
        if over {
            return self.differ(
                "what follows",
                "the game is over",
                format!("round {} honba {}", next.round, next.honba),
            );
        }
        let table = game.table();
        self.check("next round", Some(table.round()), Some(next.round));
        self.check("next honba", Some(table.honba()), Some(next.honba));
        self.check("next sticks", Some(table.sticks()), Some(next.sticks));
        self.check("next points", Some(*table.scores()), Some(next.scores));
    }

    fn compare_final(&mut self, game: &Game, over: bool) {
        if !over && (self.game.is_whole || self.game.final_scores.is_some()) {
            let table = game.table();
            let next = format!("round {} honba {}", table.round(), table.honba());
            return self.differ("what follows", next, "the game is over");
        }
        self.check("final points", Some(*game.scores()), self.game.final_scores);
        let results = game.results().map(|results| results.map(|result| result.result));
        self.check("results", results, self.game.results);
    }

    /// Compares two values that are both known.
    fn check<T: PartialEq + fmt::Debug>(
        &mut self,
        what: impl Into<What>,
        expected: Option<T>,
        found: Option<T>,
    ) {
        self.check_as(what, expected, found, |value| format!("{value:?}"));
    }

    /// Compares two values that are both known, and tells how to show them.
    fn check_as<T: PartialEq>(
        &mut self,
        what: impl Into<What>,
        expected: Option<T>,
        found: Option<T>,
        show: impl Fn(&T) -> String,
    ) {
        if let (Some(expected), Some(found)) = (expected, found)
            && expected != found
        {
            self.differ(&what.into().to_string(), show(&expected), show(&found));
        }
    }
}

/// What is compared, and of whose win.
struct What(&'static str, Option<Seat>);

impl From<&'static str> for What {
    fn from(what: &'static str) -> What {
        What(what, None)
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What(what, Some(winner)) => write!(f, "{what} of {winner:?}"),
            What(what, None) => f.write_str(what),
        }
    }
}

/// The call of this player that the event tells of.
fn call_of(event: &Event, o: &Observation<'_>) -> Option<Action> {
    let Event::Call { seat, meld } = event else { return None };
    let claimed = meld.claimed().filter(|_| *seat == o.seat())?;
    let own_reds = meld.reds() - u8::from(claimed.tile.is_red());
    match meld.kind() {
        MeldKind::Chi => {
            let kind = claimed.tile.kind();
            let position = ChiPosition::ALL
                .into_iter()
                .find(|position| run_from(*position, kind) == Some(meld.low()))?;
            Some(Action::Chi { position, red: own_reds > 0 })
        }
        MeldKind::Pon => Some(Action::Pon { reds: own_reds }),
        MeldKind::Daiminkan => Some(Action::Daiminkan),
        MeldKind::Kakan | MeldKind::Ankan => None,
    }
}

/// The lowest tile of the run that a claimed tile in this position makes.
fn run_from(position: ChiPosition, claimed: TileKind) -> Option<TileKind> {
    Some(position.partners(claimed)?[0].min(claimed))
}
