//! Builds a recorded hand from the lines of a log.

use super::{RecordedEnd, RecordedHand, RecordedWin};
use crate::event::Event;
use crate::game_state::Standing;
use crate::{BySeat, Declare, Meld, Seat, Tile};

/// Builds a hand from the entries of a log and puts them into the engine's order.
///
/// Logs declare a riichi before its discard and do not mark replacement tiles. Some turn the
/// indicator of a daiminkan or kakan before the discard that turns it.
#[derive(Clone, Debug)]
pub struct HandLog {
    hand: RecordedHand,
    state: Mark,
}

/// A position in a hand to return to after a wrong guess ([`HandLog::go_back`]).
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    events: usize,
    /// The seat that draws a replacement tile next.
    replaces: Option<Seat>,
    /// The seat whose next discard declares riichi.
    declared: Option<Seat>,
    /// An indicator that comes too early in the log: the next discard turns it.
    early: Option<Tile>,
}

impl HandLog {
    /// A hand after its deal.
    pub const fn new(standing: Standing, dealt: BySeat<[Tile; 13]>, indicator: Option<Tile>) -> HandLog {
        let hand = RecordedHand::new(standing, dealt, indicator);
        HandLog { hand, state: Mark { events: 0, replaces: None, declared: None, early: None } }
    }

    /// The hand so far.
    pub const fn hand(&self) -> &RecordedHand {
        &self.hand
    }

    /// The hand so far.
    pub fn into_hand(self) -> RecordedHand {
        self.hand
    }

    /// A mark after the last entry so far.
    pub const fn mark(&self) -> Mark {
        Mark { events: self.hand.events.len(), ..self.state }
    }

    /// Removes everything that was added after this mark.
    pub fn go_back(&mut self, mark: Mark) {
        self.hand.events.truncate(mark.events);
        self.state = mark;
    }

    /// Adds a draw.
    ///
    /// # Errors
    ///
    /// If a declared riichi still lacks its discard.
    pub fn draw(&mut self, seat: Seat, tile: Tile) -> Result<(), &'static str> {
        let replacement = self.state.replaces.take() == Some(seat);
        self.push(Event::Draw { seat, tile: Some(tile), replacement })
    }

    /// Makes this player's next discard declare riichi.
    ///
    /// # Errors
    ///
    /// If a declared riichi still lacks its discard.
    pub const fn declare_riichi(&mut self, seat: Seat) -> Result<(), &'static str> {
        match self.state.declared.replace(seat) {
            None => Ok(()),
            Some(_) => Err(NO_DISCARD),
        }
    }

    /// Adds a discard.
    ///
    /// Some logs do not mark every tsumogiri. If the player has just drawn the tile, and is in riichi or
    /// holds no other such tile, the discard is a tsumogiri, whatever the log states.
    ///
    /// # Errors
    ///
    /// If the declared riichi of another player still lacks its discard.
    pub fn discard(&mut self, seat: Seat, tile: Tile, tsumogiri: bool) -> Result<(), &'static str> {
        let tsumogiri = tsumogiri || self.must_be_as_drawn(seat, tile);
        let declared = self.state.declared.take_if(|declared| *declared == seat).is_some();
        let declare = if declared { Declare::Riichi } else { Declare::Nothing };
        self.push(Event::Discard { seat, tile, tsumogiri, declare })
    }

    /// Whether the player has just drawn this tile, and is in riichi or holds no other such tile.
    fn must_be_as_drawn(&self, seat: Seat, tile: Tile) -> bool {
        let drawn = |event: &Event| {
            matches!(event, Event::Draw { seat: drawer, tile: Some(drawn), .. }
                if *drawer == seat && *drawn == tile)
        };
        let copies = |held: Vec<Tile>| held.into_iter().filter(|held| *held == tile).count();
        self.hand.events.last().is_some_and(drawn)
            && (self.hand.events.contains(&Event::RiichiAccepted { seat })
                || self.hand.held(seat).map(copies) == Some(1))
    }

    /// Adds the acceptance of a riichi.
    ///
    /// # Errors
    ///
    /// If a declared riichi still lacks its discard.
    pub fn accept_riichi(&mut self, seat: Seat) -> Result<(), &'static str> {
        self.push(Event::RiichiAccepted { seat })
    }

    /// Adds a chi, pon, daiminkan or ankan.
    ///
    /// # Errors
    ///
    /// If a declared riichi still lacks its discard.
    pub fn meld(&mut self, seat: Seat, meld: Meld) -> Result<(), &'static str> {
        self.state.replaces = meld.is_kan().then_some(seat);
        self.push(if meld.is_open() { Event::Call { seat, meld } } else { Event::Ankan { seat, meld } })
    }

    /// Adds a kakan. `shown` is the pon's tiles if the log shows them.
    ///
    /// # Errors
    ///
    /// If the player has no such pon, or a declared riichi still lacks its discard.
    pub fn add_to_pon(&mut self, seat: Seat, tile: Tile, shown: Option<&[Tile]>) -> Result<(), &'static str> {
        let pon = self.hand.pon(seat, tile.kind()).ok_or("the player has no pon of this tile")?;
        let sorted = |mut tiles: Vec<Tile>| {
            tiles.sort_unstable();
            tiles
        };
        if shown.is_some_and(|shown| sorted(shown.to_vec()) != sorted(pon.tiles().collect())) {
            return Err("the tiles of the kakan are not those of the player's pon");
        }
        self.state.replaces = Some(seat);
        self.push(Event::Kakan { seat, tile })
    }

    /// Adds a North that is set aside.
    ///
    /// # Errors
    ///
    /// If a declared riichi still lacks its discard.
    pub fn kita(&mut self, seat: Seat) -> Result<(), &'static str> {
        self.state.replaces = Some(seat);
        self.push(Event::Kita { seat })
    }

    /// Adds a further dora indicator. If it follows a replacement tile, it is placed after the next event,
    /// which turned it.
    ///
    /// # Errors
    ///
    /// If it is the second before a discard, or a declared riichi still lacks its discard.
    pub fn indicator(&mut self, tile: Tile) -> Result<(), &'static str> {
        match self.hand.events.last() {
            Some(Event::Draw { replacement: true, .. }) => match self.state.early.replace(tile) {
                None => Ok(()),
                Some(_) => Err("a second dora indicator is turned before the discard"),
            },
            _ => self.push(Event::Indicator { tile }),
        }
    }

    /// Sets all further indicators, for a log that does not say when they were turned.
    pub fn list_indicators(&mut self, tiles: Vec<Tile>) {
        self.hand.listed_indicators = Some(tiles);
    }

    /// Sets the ura indicators.
    pub fn ura_indicators(&mut self, tiles: Vec<Tile>) {
        self.hand.ura_indicators = tiles;
    }

    /// Adds a win, which may follow other wins on the same tile.
    ///
    /// # Errors
    ///
    /// If the hand is drawn or every player has won, or a declared riichi still lacks its discard.
    pub fn win(&mut self, win: RecordedWin) -> Result<(), &'static str> {
        self.flush()?;
        let nothing = RecordedEnd { wins: Vec::new(), draw: None, tenpai: None, deltas: None };
        let is_first = self.hand.end.is_none();
        let end = self.hand.end.get_or_insert(nothing);
        let players = self.hand.standing.scores.players();
        if end.wins.is_empty() != is_first || end.wins.len() >= usize::from(players.count()) {
            return Err("the hand is over");
        }
        end.deltas = match (end.deltas, win.deltas) {
            (None, deltas) if is_first => deltas,
            (Some(all), Some(deltas)) => Some(all.saturating_add(&deltas)),
            _ => None,
        };
        end.wins.push(win);
        Ok(())
    }

    /// Ends the hand with a draw.
    ///
    /// # Errors
    ///
    /// If the hand is over, or a declared riichi still lacks its discard.
    pub fn end(&mut self, end: RecordedEnd) -> Result<(), &'static str> {
        self.flush()?;
        match self.hand.end.replace(end) {
            None => Ok(()),
            Some(_) => Err("the hand is over"),
        }
    }

    /// Marks a gap after the hand so far ([`RecordedHand::break_off`]).
    pub fn break_off(&mut self, why: &str) {
        self.hand.break_off(why);
    }

    /// Adds an event, then the early indicator.
    fn push(&mut self, event: Event) -> Result<(), &'static str> {
        self.hand.events.push(event);
        self.flush()
    }

    /// Adds the early indicator, which the last event turned: a discard or the next kan. A replay
    /// reports it if the rules turn it elsewhere.
    fn flush(&mut self) -> Result<(), &'static str> {
        let early = self.state.early.take().map(|tile| Event::Indicator { tile });
        self.hand.events.extend(early);
        if self.state.declared.is_some() { Err(NO_DISCARD) } else { Ok(()) }
    }
}

const NO_DISCARD: &str = "a riichi was declared, but no discard of its player follows";
