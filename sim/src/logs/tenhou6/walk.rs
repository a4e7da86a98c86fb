//! The lists of a hand put into the order in which things happened.
//!
//! The format does not tell which of a player's equal discards a call took. Where a call fits, it is taken to have been made at once;
//! if that leads nowhere, the hand is gone through again from there with the call left for later.

use jantaku_engine::replay::{HandLog, Mark};
use jantaku_engine::{Claimed, Meld, MeldKind, Players, Seat, Tile, TileKind};

use super::{Entry, tile};

/// How often a hand is gone through again before it is given up.
const MOST_TURNINGS: usize = 1000;

/// More than any list of a hand has: the tiles of a set.
const MOST_ENTRIES: usize = 136;

/// Puts what each player drew and discarded after the log's deal. `ronned` tells who discarded or lost the tile on which the hand was
/// won, if anybody: a riichi with that very tile does not stand.
pub(super) fn walk(
    log: HandLog,
    lists: &[[&[Entry]; 2]],
    dealer: Seat,
    players: Players,
    ronned: Option<Seat>,
) -> Result<HandLog, String> {
    if let Some(long) = lists.as_flattened().iter().map(|list| list.len()).find(|len| *len > MOST_ENTRIES) {
        return Err(format!("a list of {long} draws or discards, expected no more than {MOST_ENTRIES}"));
    }
    let at = Point { told: log.mark(), places: [[0; 2]; 4], turn: dealer, declared: None };
    let mut walk = Walk { lists, players, ronned, log, at, open: Vec::new() };
    let mut wrong = None;
    for _ in 0..MOST_TURNINGS {
        match walk.go_on() {
            Ok(()) => return Ok(walk.log),
            Err(error) => wrong = wrong.or(Some(error)),
        }
        if !walk.go_back()? {
            break;
        }
    }
    Err(wrong.unwrap_or_default())
}

/// A way through the lists.
struct Walk<'a> {
    /// By player: what he drew or called, what he discarded.
    lists: &'a [[&'a [Entry]; 2]],
    players: Players,
    ronned: Option<Seat>,
    log: HandLog,
    at: Point,
    /// Where else it could have gone, the last first.
    open: Vec<Turning>,
}

/// A point on the way.
#[derive(Clone, Copy)]
struct Point {
    /// How far the hand is told.
    told: Mark,
    /// How far each list is told.
    places: [[usize; 2]; 4],
    /// Whose turn it is.
    turn: Seat,
    /// Whose riichi stands if nobody wins on its tile.
    declared: Option<Seat>,
}

/// What can follow a discard: this call, or the turn of the next player.
struct Turning {
    at: Point,
    call: Option<(Seat, Meld)>,
}

const DRAWS: usize = 0;
const DISCARDS: usize = 1;

impl<'a> Walk<'a> {
    fn go_on(&mut self) -> Result<(), String> {
        let mut drawn = None;
        loop {
            // A call leaves a tile to discard, everything else a tile to draw.
            if self.log_waits_for_draw() {
                match self.take(self.at.turn, DRAWS) {
                    Some(Entry::Tile(number)) => {
                        self.accept_riichi()?;
                        let tile = tile(*number).map_err(|what| self.place(DRAWS, &what))?;
                        self.log.draw(self.at.turn, tile)?;
                        drawn = Some(tile);
                    }
                    Some(Entry::Text(text)) => {
                        return Err(
                            self.place(DRAWS, &format!("`{text}` claims a tile that was not discarded then"))
                        );
                    }
                    None => return self.end(),
                }
            }
            let Some(entry) = self.take(self.at.turn, DISCARDS) else { return self.end() };
            let discarded = self.own_turn(entry, drawn.take());
            if let Some(tile) = discarded.map_err(|what| self.place(DISCARDS, &what))? {
                self.pass_on(tile)?;
            }
        }
    }

    /// Whether the player in turn draws next: he does unless he has just called a chi or pon.
    fn log_waits_for_draw(&self) -> bool {
        !matches!(self.log.hand().events.last(), Some(jantaku_engine::Event::Call { meld, .. }) if !meld.is_kan())
    }

    /// What a player does with his turn; the tile if he discards.
    fn own_turn(&mut self, entry: &Entry, drawn: Option<Tile>) -> Result<Option<Tile>, String> {
        let seat = self.at.turn;
        let (text, declares) = match entry {
            Entry::Tile(number) => (number.to_string(), false),
            Entry::Text(text) if text.starts_with('r') => (text[1..].to_owned(), true),
            Entry::Text(text) => return self.own_call(text).map(|()| None),
        };
        if declares {
            self.log.declare_riichi(seat)?;
            self.at.declared = Some(seat);
        }
        let number: u8 = text.parse().map_err(|_| format!("`{text}` is no discard"))?;
        let discarded = match number {
            60 => drawn.ok_or("60 discards the tile just drawn, but none was drawn")?,
            _ => tile(number)?,
        };
        self.log.discard(seat, discarded, number == 60)?;
        Ok(Some(discarded))
    }

    fn own_call(&mut self, text: &str) -> Result<(), String> {
        let call = Call::parse(text)?;
        match call.letter {
            'a' => {
                let meld = Meld::of(MeldKind::Ankan, &call.tiles, None).map_err(|wrong| wrong.to_string())?;
                self.log.meld(self.at.turn, meld)?;
            }
            'k' => {
                let (tile, pon) = call.parts();
                self.log.add_to_pon(self.at.turn, tile, Some(&pon))?;
            }
            'f' if call.tiles == [Tile::plain(TileKind::NORTH)] => self.log.kita(self.at.turn)?,
            _ => return Err(format!("`{text}` is no call of the own turn: expected the letter a, k or f")),
        }
        Ok(())
    }

    /// Gives the turn to whoever claims a discard, or to the next. What else could have followed stays open.
    fn pass_on(&mut self, discarded: Tile) -> Result<(), String> {
        let from = self.at.turn;
        let at = Point { told: self.log.mark(), ..self.at };
        let claims =
            self.players.others(from).filter_map(|seat| Some((seat, self.claim(seat, from, discarded)?)));
        let ways = [None].into_iter().chain(claims.map(Some));
        // The call of the nearest player is tried first, that there was none last.
        let mut turnings: Vec<Turning> = ways.map(|call| Turning { at, call }).collect();
        turnings[1..].reverse();
        self.open.append(&mut turnings);
        self.go_back().map(|_| ())
    }

    /// Goes back to where the way could have gone on otherwise, and takes that turn; tells whether there is one.
    fn go_back(&mut self) -> Result<bool, String> {
        let Some(Turning { at, call }) = self.open.pop() else { return Ok(false) };
        self.log.go_back(at.told);
        self.at = at;
        match call {
            Some((seat, meld)) => self.call(seat, meld)?,
            None => self.at.turn = at.turn.next(self.players),
        }
        Ok(true)
    }

    fn call(&mut self, seat: Seat, meld: Meld) -> Result<(), String> {
        self.accept_riichi()?;
        self.at.places[seat.index()][DRAWS] += 1;
        self.log.meld(seat, meld)?;
        self.at.turn = seat;
        // Where another call has its discard, an open quad has an entry that says nothing.
        let place = &mut self.at.places[seat.index()][DISCARDS];
        if meld.is_kan() && self.lists[seat.index()][DISCARDS].get(*place) == Some(&Entry::Tile(0)) {
            *place += 1;
        }
        Ok(())
    }

    /// The call that stands next in the list of a player, if it claims this discard.
    fn claim(&self, seat: Seat, from: Seat, discarded: Tile) -> Option<Meld> {
        let list = self.lists[seat.index()][DRAWS];
        let Some(Entry::Text(text)) = list.get(self.at.places[seat.index()][DRAWS]) else { return None };
        let call = Call::parse(text).ok()?;
        // The players in counts of four, as at a full table; a chi is always from the left.
        let steps = (from.number() + 4 - seat.number()) % 4;
        let is_from = match call.letter {
            'c' => call.place == 0 && from.next(self.players) == seat,
            _ => call.steps_from() == steps,
        };
        let (tile, own) = call.parts();
        let kind = match call.letter {
            'c' => MeldKind::Chi,
            'p' => MeldKind::Pon,
            'm' => MeldKind::Daiminkan,
            _ => return None,
        };
        let claimed = Claimed { tile: discarded, from };
        Meld::of(kind, &own, Some(claimed)).ok().filter(|_| tile == discarded && is_from)
    }

    fn accept_riichi(&mut self) -> Result<(), &'static str> {
        self.at.declared.take().map_or(Ok(()), |seat| self.log.accept_riichi(seat))
    }

    fn end(&mut self) -> Result<(), String> {
        for seat in self.players.seats() {
            let left =
                |list: usize| self.lists[seat.index()][list].len() > self.at.places[seat.index()][list];
            if left(DRAWS) || left(DISCARDS) {
                return Err(format!("the lists of {seat} go on where those of {} end", self.at.turn));
            }
        }
        if self.at.declared != self.ronned {
            self.accept_riichi()?;
        }
        Ok(())
    }

    fn take(&mut self, seat: Seat, list: usize) -> Option<&'a Entry> {
        let place = &mut self.at.places[seat.index()][list];
        let entry = self.lists[seat.index()][list].get(*place)?;
        *place += 1;
        Some(entry)
    }

    fn place(&self, list: usize, what: &str) -> String {
        let name = if list == DRAWS { "draws" } else { "discards" };
        let entry = self.at.places[self.at.turn.index()][list];
        format!("{name} of {}, entry {entry}: {what}", self.at.turn)
    }
}

/// The text of a call.
struct Call {
    letter: char,
    tiles: Vec<Tile>,
    /// Which tile the letter stands before.
    place: usize,
}

impl Call {
    fn parse(text: &str) -> Result<Call, String> {
        let wrong = || format!("`{text}` is no call: expected tiles with a letter before one of them");
        let at = text.find(|c: char| c.is_ascii_lowercase()).ok_or_else(wrong)?;
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        if !at.is_multiple_of(2)
            || digits.len() + 1 != text.len()
            || !digits.len().is_multiple_of(2)
            || digits.len() <= at
            || digits.len() > 8
        {
            return Err(wrong());
        }
        let tiles: Result<Vec<Tile>, String> = (0..digits.len())
            .step_by(2)
            .map(|i| tile(digits[i..i + 2].parse().map_err(|_| wrong())?))
            .collect();
        Ok(Call { letter: text[at..].chars().next().ok_or_else(wrong)?, tiles: tiles?, place: at / 2 })
    }

    /// How many steps from the caller the discarder sits, at a table of four: the letter stands first for the player on the left,
    /// second for the one across, last for the one on the right.
    fn steps_from(&self) -> u8 {
        match self.place {
            0 => 3,
            1 => 2,
            _ => 1,
        }
    }

    /// The tile that the letter stands before, and the others.
    fn parts(&self) -> (Tile, Vec<Tile>) {
        let mut others = self.tiles.clone();
        (others.remove(self.place), others)
    }
}
