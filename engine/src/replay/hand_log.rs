//! A hand put together from the lines of a log.

use super::{RecordedEnd, RecordedHand, RecordedWin};
use crate::event::Event;
use crate::game::Standing;
use crate::{BySeat, Declare, Meld, Seat, Tile};

/// Takes what a log tells of a hand, one thing after the other, and puts it into the engine's order.
///
/// Logs declare a riichi before its discard, do not say that a tile is a replacement, and some turn the indicator of an open quad
/// already before the discard that turns it.
#[derive(Clone, Debug)]
pub struct HandLog {
    hand: RecordedHand,
    /// Who draws a replacement tile next.
    replaces: Option<Seat>,
    /// Whose next discard declares riichi.
    declared: Option<Seat>,
    /// An indicator that was told before the discard that turns it.
    late: Option<Tile>,
}

impl HandLog {
    /// A hand of which only the deal is known yet.
    #[must_use]
    pub const fn new(standing: Standing, dealt: BySeat<[Tile; 13]>, indicator: Option<Tile>) -> HandLog {
        let hand = RecordedHand {
            standing,
            dealt,
            indicator,
            events: Vec::new(),
            listed_indicators: None,
            ura_indicators: Vec::new(),
            end: None,
        };
        HandLog { hand, replaces: None, declared: None, late: None }
    }

    /// The hand as far as it was told.
    #[must_use]
    pub const fn hand(&self) -> &RecordedHand {
        &self.hand
    }

    /// The hand as far as it was told.
    #[must_use]
    pub fn into_hand(self) -> RecordedHand {
        self.hand
    }

    /// A tile is drawn.
    pub fn draw(&mut self, seat: Seat, tile: Tile) {
        let replacement = self.replaces.take() == Some(seat);
        self.hand.events.push(Event::Draw { seat, tile: Some(tile), replacement });
    }

    /// The next discard of this player declares riichi.
    pub const fn declare_riichi(&mut self, seat: Seat) {
        self.declared = Some(seat);
    }

    /// A tile is discarded.
    ///
    /// The logs of Mahjong Soul say of the dealer's first discard that it came from his hand even if that has no such tile.
    pub fn discard(&mut self, seat: Seat, tile: Tile, tsumogiri: bool) {
        let drawn = Event::Draw { seat, tile: Some(tile), replacement: false };
        let tsumogiri = tsumogiri || self.hand.events == [drawn] && !self.hand.dealt[seat].contains(&tile);
        let declared = self.declared.take() == Some(seat);
        let declare = if declared { Declare::Riichi } else { Declare::Nothing };
        self.hand.events.push(Event::Discard { seat, tile, tsumogiri, declare });
        self.turn_late();
    }

    /// A riichi stands.
    pub fn accept_riichi(&mut self, seat: Seat) {
        self.hand.events.push(Event::RiichiAccepted { seat });
    }

    /// A chi, a pon, or a quad that is made at once.
    pub fn meld(&mut self, seat: Seat, meld: Meld) {
        self.hand.events.push(if meld.is_open() {
            Event::Call { seat, meld }
        } else {
            Event::Ankan { seat, meld }
        });
        self.replaces = meld.is_quad().then_some(seat);
        self.turn_late();
    }

    /// A tile is added to a pon.
    pub fn add_to_pon(&mut self, seat: Seat, tile: Tile) {
        self.hand.events.push(Event::Kakan { seat, tile });
        self.replaces = Some(seat);
        self.turn_late();
    }

    /// A North is set aside.
    pub fn kita(&mut self, seat: Seat) {
        self.hand.events.push(Event::Kita { seat });
        self.replaces = Some(seat);
        self.turn_late();
    }

    /// A further dora indicator is turned.
    pub fn indicator(&mut self, tile: Tile) {
        match self.hand.events.last() {
            Some(Event::Draw { replacement: true, .. }) => self.late = Some(tile),
            _ => self.hand.events.push(Event::Indicator { tile }),
        }
    }

    /// All further indicators, of a log that does not tell when they were turned.
    pub fn list_indicators(&mut self, tiles: Vec<Tile>) {
        self.hand.listed_indicators = Some(tiles);
    }

    /// The indicators under the dora indicators.
    pub fn ura_indicators(&mut self, tiles: Vec<Tile>) {
        self.hand.ura_indicators = tiles;
    }

    /// Somebody wins, beside those who were told to win before.
    ///
    /// # Errors
    ///
    /// If the hand is drawn, or as many have won as can.
    pub fn win(&mut self, win: RecordedWin) -> Result<(), &'static str> {
        let nothing = RecordedEnd { wins: Vec::new(), draw: None, tenpai: None, deltas: None };
        let is_first = self.hand.end.is_none();
        let end = self.hand.end.get_or_insert(nothing);
        let players = self.hand.standing.scores.players();
        if end.wins.is_empty() != is_first || end.wins.len() >= usize::from(players.count()) {
            return Err("the hand is over");
        }
        end.deltas = match (end.deltas, win.deltas) {
            (None, deltas) if is_first => deltas,
            (Some(all), Some(deltas)) => {
                Some(BySeat::from_fn(players, |seat| all[seat].saturating_add(deltas[seat])))
            }
            _ => None,
        };
        end.wins.push(win);
        Ok(())
    }

    /// The hand is drawn.
    ///
    /// # Errors
    ///
    /// If it is over already.
    pub fn end(&mut self, end: RecordedEnd) -> Result<(), &'static str> {
        match self.hand.end.replace(end) {
            None => Ok(()),
            Some(_) => Err("the hand is over"),
        }
    }

    /// A late indicator is turned, by the discard or by the next quad.
    fn turn_late(&mut self) {
        if let Some(tile) = self.late.take() {
            self.hand.events.push(Event::Indicator { tile });
        }
    }
}
