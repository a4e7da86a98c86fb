//! Follows a hand up to a decision of one player.

use jantaku_engine::replay::{HandReplayer, RecordedHand, Script, Spectator, Stopped};
use jantaku_engine::{Action, Event, Game, Observation, Observer, Phase, Rules, Seat, Tile};

use crate::mjai::answer::Answer;

/// Where a hand stands after its recorded events.
#[derive(Debug)]
pub(super) enum Stand<T> {
    /// The player decides; what the caller made of the decision.
    Decision(T),
    /// The player makes a move that has no alternative.
    Forced(Answer),
    /// The player has nothing to do.
    Nothing,
    /// The hand does not follow the rules.
    Impossible {
        /// The number of the recorded event that does not. None if the hand cannot even start.
        event: Option<usize>,
        /// Why.
        why: String,
    },
}

/// Replays the last of these hands, whose tiles are all known, and calls `decide` if its recorded
/// events lead to a decision of this player.
///
/// The hand lists its further indicators. At the decision, the table shows those, whatever the rules
/// have turned by then.
pub(super) fn follow<T>(
    rules: &Rules,
    earlier: &[RecordedHand],
    hand: &RecordedHand,
    own: Seat,
    decide: &mut dyn FnMut(&Observation<'_>) -> T,
) -> Stand<T> {
    let mut replayer = HandReplayer::new(rules);
    for earlier in earlier {
        replayer.skip(&earlier.standing, earlier.dealer_won());
    }
    let wall = match hand.wall(rules) {
        Ok(wall) => wall,
        Err(error) => return Stand::Impossible { event: None, why: error.to_string() },
    };
    let mut follower = Follower { hand, own, step: 0, stand: None, decide };
    match replayer.play(&hand.standing, Some(wall), &mut follower) {
        Ok(_) | Err(Stopped::Script(Stop)) => follower.stand.unwrap_or(Stand::Nothing),
        Err(Stopped::Start(error)) => Stand::Impossible { event: None, why: error.to_string() },
    }
}

/// The replay has shown where the hand stands.
struct Stop;

/// Answers the decisions of a replay as they are recorded.
struct Follower<'a, T> {
    hand: &'a RecordedHand,
    own: Seat,
    /// The number of recorded events that have happened.
    step: usize,
    /// How the replay of the hand ended, once it has.
    stand: Option<Stand<T>>,
    decide: &'a mut dyn FnMut(&Observation<'_>) -> T,
}

impl<T> Follower<'_, T> {
    /// The next recorded event cannot happen.
    fn impossible(&self, why: String) -> Stand<T> {
        Stand::Impossible { event: Some(self.step), why }
    }

    /// The recorded answer to an offered tile. None if no event after the offer shows it.
    fn claim(&self, seat: Seat) -> Option<Action> {
        let mut later = self.hand.events[self.step..].iter();
        let follows = later.find(|event| !matches!(event, Event::RiichiAccepted { .. }))?;
        let call = match follows {
            Event::Call { seat: other, meld } if *other == seat => meld.call(),
            _ => None,
        };
        Some(call.unwrap_or(Action::Pass))
    }

    /// Shows the decision to the caller, with the indicators of the hand.
    fn decide(&mut self, o: &Observation<'_>) -> T {
        let most = usize::from(o.rules().max_indicators());
        let listed: Vec<Tile> = self.hand.indicators().take(most).collect();
        if listed == o.indicators() {
            return (self.decide)(o);
        }
        (self.decide)(&o.snapshot().with_indicators(&listed).observe())
    }
}

/// Describes an expected event, without tiles that were guessed.
fn without_guess(event: &Event) -> String {
    match event {
        Event::Draw { seat, .. } => format!("{seat:?} draws"),
        other => other.to_string(),
    }
}

impl<T> Observer for Follower<'_, T> {
    fn event(&mut self, event: &Event) {
        if self.stand.is_some() || matches!(event, Event::Deal { .. } | Event::Indicator { .. }) {
            return;
        }
        self.stand = match (self.hand.events.get(self.step), event) {
            (Some(recorded), event) if recorded == event => {
                self.step += 1;
                return;
            }
            (Some(recorded), event) => {
                let (expected, found) = (without_guess(event), recorded.seen_by(self.own));
                Some(self.impossible(format!("expected that {expected}, found that {found}")))
            }
            (None, Event::Discard { seat, tile, tsumogiri, .. }) if *seat == self.own => {
                Some(Stand::Forced(Answer::dahai(*seat, *tile, *tsumogiri)))
            }
            (None, _) => Some(Stand::Nothing),
        };
    }
}

impl<T> Spectator for Follower<'_, T> {}

impl<T> Script for Follower<'_, T> {
    type Stop = Stop;

    fn answer(&mut self, _: &Game, o: &Observation<'_>) -> Result<Action, Stop> {
        if self.stand.is_some() {
            return Err(Stop);
        }
        let recorded = match o.phase() {
            Phase::Turn => self.hand.events.get(self.step).and_then(|event| event.action_in_turn(o.seat())),
            Phase::Claim | Phase::KanClaim => match self.claim(o.seat()) {
                None if o.seat() != self.own => Some(Action::Pass),
                claim => claim,
            },
            Phase::Draw | Phase::End | Phase::Over => {
                self.stand = Some(Stand::Nothing);
                return Err(Stop);
            }
        };
        let is_last = self.hand.events.len() <= self.step || o.phase() != Phase::Turn;
        match recorded {
            Some(action) if o.legal().contains(action.id()) => return Ok(action),
            None if is_last && o.seat() == self.own => {
                self.stand = Some(Stand::Decision(self.decide(o)));
            }
            None if is_last => self.stand = Some(Stand::Nothing),
            _ => {
                let found = match self.hand.events.get(self.step) {
                    Some(event) => event.seen_by(self.own).to_string(),
                    None => "nothing".to_owned(),
                };
                let legal: Vec<String> = o.legal().iter().map(|id| o.describe(id.action())).collect();
                let seat = o.seat();
                // The hand of another seat is a guess.
                let expected = if seat == self.own {
                    format!("may {}", legal.join(", "))
                } else {
                    "is to act".to_owned()
                };
                let why = format!("found that {found}, but seat {seat} {expected}");
                self.stand = Some(self.impossible(why));
            }
        }
        Err(Stop)
    }

    fn answers_after_hand(&self) -> bool {
        false
    }
}
