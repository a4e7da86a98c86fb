//! A game in another program, followed by its events.

use jantaku_engine::replay::{Problem, RecordedHand};
use jantaku_engine::rules::options::KanDoraTiming;
use jantaku_engine::{Declare, Event as EngineEvent, Rules};

use super::normalise::View;
use super::tile_count::too_many;
use crate::mjai::answer::Answer;
use crate::mjai::event::Event;
use crate::mjai::read::Reader;

/// The maximum number of dora indicators in a hand.
const MAX_INDICATORS: usize = 5;

/// A game in another program.
pub(super) struct Game {
    pub number: u64,
    pub seat: u8,
    /// Whether `start_game` has a fourth name that is empty.
    lacks_fourth_name: bool,
    /// Whether the game calls a North that is set aside `nukidora`. None until one is.
    pub says_nukidora: Option<bool>,
    /// Whether the game lists names, hands or scores for four players, even if only three play.
    /// Programs that do so say `nukidora`.
    pub lists_four: bool,
    pub reader: Reader,
    /// The player who has declared riichi and not discarded yet.
    declared: Option<u8>,
    /// Whether the hand in play is over, although its events may not say how.
    pub is_over: bool,
    /// The discard of a riichi that the player has announced.
    pub announced: Option<Answer>,
    /// The last question: its hand, and the number of the event that asks.
    pub asked: Option<(usize, usize)>,
    /// The number of the line with the deal of the hand in play, then with each of its events.
    pub lines: Vec<usize>,
}

impl Game {
    /// A game before its first hand.
    pub fn new(number: u64, seat: u8, lacks_fourth_name: bool, rules: Option<&Rules>) -> Game {
        Game {
            number,
            seat,
            lacks_fourth_name,
            says_nukidora: None,
            lists_four: false,
            reader: Reader::under(rules),
            declared: None,
            is_over: false,
            announced: None,
            asked: None,
            lines: Vec::new(),
        }
    }

    /// Checks that the game has the player's seat, once its rules are known.
    pub fn check_seat(&self) -> Result<(), String> {
        let (seat, rules) = (self.seat, self.reader.rules());
        match rules.map(|rules| rules.players.count()).filter(|players| *players <= seat) {
            Some(players) => {
                Err(format!("seat {seat} does not play: the game has {players} players; is the seat right?"))
            }
            None => Ok(()),
        }
    }

    /// A tile that the player sees more often than the rules have it.
    pub fn too_many(&self) -> Option<String> {
        let (rules, hand) = self.reader.rules().zip(self.reader.hand())?;
        let own = rules.players.seats().find(|seat| seat.number() == self.seat)?;
        too_many(hand, own, rules)
    }

    /// What the player knows when the next event arrives. `given` are the rules of the setup.
    pub fn view<'a>(&'a self, given: Option<&'a Rules>) -> View<'a> {
        View {
            own: self.seat,
            rules: self.reader.rules().or(given),
            lacks_fourth_name: self.lacks_fourth_name,
            hand: self.reader.hand(),
        }
    }

    /// Takes the next event, and returns whether it was not ignored. `kind` is its type.
    pub fn take(&mut self, event: Event, kind: &str, note: &mut dyn FnMut(String)) -> Result<bool, Problem> {
        if is_end(&event) {
            return Ok(self.end(event, kind, note));
        }
        if let Some(why) = self.why_ignored(&event) {
            note(format!("ignored `{kind}` {why}"));
            return Ok(false);
        }
        match event {
            Event::StartKyoku { .. } => {
                if self.is_open() {
                    note("`start_kyoku` comes before the hand has ended, so its result is not known".into());
                }
                self.is_over = false;
            }
            Event::Dora { dora_marker } => return self.reader.list_indicator(dora_marker).map(|()| true),
            _ => {}
        }
        self.declared = if let Event::Reach { actor } = event { Some(actor) } else { None };
        self.reader.take(event)?;
        if self.lacks_indicator() {
            note("no `dora` came after a kan, so its indicator is not known".to_owned());
        }
        Ok(true)
    }

    /// Whether the next player draws after a kan whose indicator was not sent.
    fn lacks_indicator(&self) -> bool {
        let Some((hand, rules)) = self.reader.hand().zip(self.reader.rules()) else { return false };
        let is_next_turn = matches!(hand.events.last(), Some(EngineEvent::Draw { replacement: false, .. }));
        is_next_turn && hand.indicators().count() < indicators_after_kans(hand, rules)
    }

    /// Takes an event that ends a hand or the game, and returns whether it was not ignored.
    fn end(&mut self, event: Event, kind: &str, note: &mut dyn FnMut(String)) -> bool {
        let was_open = self.is_open();
        self.is_over = true;
        if event == Event::EndKyoku {
            if was_open {
                note("`end_kyoku` comes without `hora` or `ryukyoku`, so the result is not known".into());
            }
            return true;
        }
        let taken = self.reader.take(event);
        if let Err(why) = &taken {
            note(format!("ignored `{kind}`: {why}"));
        }
        taken.is_ok()
    }

    /// Why an event of a hand is ignored. None if it is not.
    fn why_ignored(&self, event: &Event) -> Option<&'static str> {
        match event {
            Event::StartGame { .. } | Event::StartKyoku { .. } => None,
            _ if self.is_over => Some("after the end of a hand"),
            Event::Dora { .. } => {
                let turned = self.reader.hand().map_or(0, |hand| hand.indicators().count());
                (turned >= MAX_INDICATORS).then_some("after five indicators")
            }
            Event::Reach { actor } => {
                (self.declared == Some(*actor)).then_some("that comes twice before the discard")
            }
            Event::ReachAccepted { actor, .. } => {
                (self.unaccepted() != Some(*actor)).then_some("without a discard that declares riichi")
            }
            _ => None,
        }
    }

    /// Whether a hand is in play.
    fn is_open(&self) -> bool {
        self.reader.hand().is_some() && !self.is_over
    }

    /// The player whose last discard has declared a riichi that is not accepted yet.
    fn unaccepted(&self) -> Option<u8> {
        match self.reader.hand()?.events.last()? {
            EngineEvent::Discard { seat, declare: Declare::Riichi, .. } => Some(seat.number()),
            _ => None,
        }
    }
}

/// The number of dora indicators that the rules have turned when the turn after a hand's last kan begins.
fn indicators_after_kans(hand: &RecordedHand, rules: &Rules) -> usize {
    let timing = |event: &EngineEvent| match event {
        EngineEvent::Ankan { .. } => Some(rules.kan_dora.ankan),
        EngineEvent::Call { meld, .. } if meld.is_kan() => Some(rules.kan_dora.minkan),
        EngineEvent::Kakan { .. } => Some(rules.kan_dora.minkan),
        _ => None,
    };
    let is_turned = |timing: &KanDoraTiming| *timing != KanDoraTiming::Off;
    let turned = hand.events.iter().filter_map(timing).filter(is_turned).count();
    let at_deal = hand.indicator.map_or(0, |_| rules.start_indicators.into());
    (at_deal + turned).min(rules.max_indicators().into())
}

/// Whether an event ends a hand or a game.
pub(super) const fn is_end(event: &Event) -> bool {
    matches!(event, Event::Hora(_) | Event::Ryukyoku { .. } | Event::EndKyoku | Event::EndGame { .. })
}
