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
    told: Mark,
}

/// How far a hand has been told: where to go back to when another way through its log is tried ([`HandLog::go_back`]).
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    events: usize,
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
        HandLog { hand, told: Mark { events: 0, replaces: None, declared: None, late: None } }
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

    /// How far the hand has been told.
    #[must_use]
    pub const fn mark(&self) -> Mark {
        Mark { events: self.hand.events.len(), ..self.told }
    }

    /// Forgets what has happened since this mark was made.
    pub fn go_back(&mut self, mark: Mark) {
        self.hand.events.truncate(mark.events);
        self.told = mark;
    }

    /// A tile is drawn.
    ///
    /// # Errors
    ///
    /// If a riichi was declared, whose discard must follow.
    pub fn draw(&mut self, seat: Seat, tile: Tile) -> Result<(), &'static str> {
        let replacement = self.told.replaces.take() == Some(seat);
        self.happen(Event::Draw { seat, tile: Some(tile), replacement })
    }

    /// The next discard of this player declares riichi.
    ///
    /// # Errors
    ///
    /// If a riichi was declared, whose discard must follow.
    pub const fn declare_riichi(&mut self, seat: Seat) -> Result<(), &'static str> {
        match self.told.declared.replace(seat) {
            None => Ok(()),
            Some(_) => Err(NO_DISCARD),
        }
    }

    /// A tile is discarded.
    ///
    /// The logs of Mahjong Soul say of the dealer's first discard that it came from his hand even if that has no such tile.
    ///
    /// # Errors
    ///
    /// If a riichi was declared, whose discard must follow.
    pub fn discard(&mut self, seat: Seat, tile: Tile, tsumogiri: bool) -> Result<(), &'static str> {
        let drawn = Event::Draw { seat, tile: Some(tile), replacement: false };
        let tsumogiri = tsumogiri || self.hand.events == [drawn] && !self.hand.dealt[seat].contains(&tile);
        let declared = self.told.declared.take_if(|declared| *declared == seat).is_some();
        let declare = if declared { Declare::Riichi } else { Declare::Nothing };
        self.happen(Event::Discard { seat, tile, tsumogiri, declare })
    }

    /// A riichi stands.
    ///
    /// # Errors
    ///
    /// If a riichi was declared, whose discard must follow.
    pub fn accept_riichi(&mut self, seat: Seat) -> Result<(), &'static str> {
        self.happen(Event::RiichiAccepted { seat })
    }

    /// A chi, a pon, or a quad that is made at once.
    ///
    /// # Errors
    ///
    /// If a riichi was declared, whose discard must follow.
    pub fn meld(&mut self, seat: Seat, meld: Meld) -> Result<(), &'static str> {
        self.told.replaces = meld.is_kan().then_some(seat);
        self.happen(if meld.is_open() { Event::Call { seat, meld } } else { Event::Ankan { seat, meld } })
    }

    /// A tile is added to a pon, of which the log shows these tiles; none where it does not show them.
    ///
    /// # Errors
    ///
    /// If there is no such pon, or a riichi was declared, whose discard must follow.
    pub fn add_to_pon(&mut self, seat: Seat, tile: Tile, shown: Option<&[Tile]>) -> Result<(), &'static str> {
        let pon = self.hand.pon(seat, tile.kind()).ok_or("the player has no pon of this tile")?;
        let sorted = |mut tiles: Vec<Tile>| {
            tiles.sort_unstable();
            tiles
        };
        if shown.is_some_and(|shown| sorted(shown.to_vec()) != sorted(pon.tiles().collect())) {
            return Err("the tile is added to other tiles than those of the pon");
        }
        self.told.replaces = Some(seat);
        self.happen(Event::Kakan { seat, tile })
    }

    /// A North is set aside.
    ///
    /// # Errors
    ///
    /// If a riichi was declared, whose discard must follow.
    pub fn kita(&mut self, seat: Seat) -> Result<(), &'static str> {
        self.told.replaces = Some(seat);
        self.happen(Event::Kita { seat })
    }

    /// A further dora indicator is turned.
    ///
    /// # Errors
    ///
    /// If it is the second before a discard, or a riichi was declared, whose discard must follow.
    pub fn indicator(&mut self, tile: Tile) -> Result<(), &'static str> {
        match self.hand.events.last() {
            Some(Event::Draw { replacement: true, .. }) => match self.told.late.replace(tile) {
                None => Ok(()),
                Some(_) => Err("a second dora indicator is turned before the discard"),
            },
            _ => self.happen(Event::Indicator { tile }),
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
        self.stop()?;
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
        self.stop()?;
        match self.hand.end.replace(end) {
            None => Ok(()),
            Some(_) => Err("the hand is over"),
        }
    }

    /// One thing more has happened; a late indicator is turned with it.
    fn happen(&mut self, event: Event) -> Result<(), &'static str> {
        self.hand.events.push(event);
        self.stop()
    }

    /// A late indicator is turned by what has happened: the discard, the next quad; or, where the rules know better, nothing.
    fn stop(&mut self) -> Result<(), &'static str> {
        let late = self.told.late.take().map(|tile| Event::Indicator { tile });
        self.hand.events.extend(late);
        if self.told.declared.is_some() { Err(NO_DISCARD) } else { Ok(()) }
    }
}

const NO_DISCARD: &str = "a riichi was declared, and no discard of its player follows";
