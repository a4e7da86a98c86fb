//! Puts the lists of a hand into the order of events.
//!
//! The format does not say which of a player's equal discards a call claimed. Where a call fits,
//! the search first assumes that it was made at once. If that leads to a contradiction, the search
//! returns to this discard and leaves the call for later.

use jantaku_engine::replay::{HandLog, Mark};
use jantaku_engine::rules::options::Aka;
use jantaku_engine::{Claimed, Event, Meld, MeldKind, Players, Rules, Seat, Tile, TileKind};

use super::document::{TurnEntry, tile};
use crate::logs::Problem;

/// How many ways through a hand are tried before it is given up.
const MAX_WAYS: usize = 1000;

/// The tiles of a set: no list of a hand has more entries.
const MAX_ENTRIES: usize = 136;

/// Adds the draws, discards and calls of a hand to its log, which has the deal.
///
/// `discarder` is the player on whose tile others won. If this tile is a riichi discard, the riichi is
/// not paid.
pub(super) fn walk(
    log: HandLog,
    lists: &[[&[TurnEntry]; 2]],
    dealer: Seat,
    rules: &Rules,
    discarder: Option<Seat>,
) -> Result<HandLog, Problem> {
    if let Some(long) = lists.as_flattened().iter().map(|list| list.len()).find(|len| *len > MAX_ENTRIES) {
        let what = format!("a list of {long} draws or discards, expected no more than {MAX_ENTRIES}");
        return Err(Problem::new(what));
    }
    let at = WalkState { mark: log.mark(), read: [[0; 2]; 4], turn: dealer, declared: None };
    let Rules { players, aka, .. } = *rules;
    let mut walk = Walk { lists, players, aka, discarder, log, at, open: Vec::new() };
    let mut first_problem = None;
    for _ in 0..MAX_WAYS {
        match walk.read_rest() {
            Ok(()) => return Ok(walk.log),
            Err(problem) => first_problem = first_problem.or(Some(problem)),
        }
        if !walk.take_next_branch()? {
            break;
        }
    }
    Err(first_problem.unwrap_or_else(|| Problem::new("no order of draws and discards fits the lists")))
}

/// A depth-first search for an order of events.
struct Walk<'a> {
    /// For each player the draws and the discards.
    lists: &'a [[&'a [TurnEntry]; 2]],
    players: Players,
    aka: Aka,
    discarder: Option<Seat>,
    log: HandLog,
    at: WalkState,
    /// Branches that have not been tried, the next one last.
    open: Vec<Branch>,
}

/// A point in the hand.
#[derive(Clone, Copy)]
struct WalkState {
    /// The length of the log.
    mark: Mark,
    /// How many entries of each list have been read.
    read: [[usize; 2]; 4],
    /// The player whose turn it is.
    turn: Seat,
    /// The player whose riichi is accepted unless another player wins on the discard.
    declared: Option<Seat>,
}

/// What can follow a discard: this call, or the turn of the next player.
struct Branch {
    at: WalkState,
    call: Option<(Seat, Meld)>,
}

/// The index of a player's list of draws and claims.
const DRAWS: usize = 0;
/// The index of a player's list of discards and own calls.
const DISCARDS: usize = 1;

impl<'a> Walk<'a> {
    /// Reads the lists from here to the end of the hand.
    fn read_rest(&mut self) -> Result<(), Problem> {
        let mut drawn = None;
        loop {
            if self.draws_next() {
                match self.take(self.at.turn, DRAWS) {
                    Some(TurnEntry::Tile(number)) => {
                        self.accept_riichi()?;
                        let tile =
                            tile(*number, self.aka).map_err(|problem| self.in_entry(DRAWS, &problem))?;
                        self.log.draw(self.at.turn, tile)?;
                        drawn = Some(tile);
                    }
                    Some(TurnEntry::Text(text)) => {
                        let what = format!("`{text}` claims a tile that is not the last discard");
                        return Err(self.in_entry(DRAWS, &Problem::new(what)));
                    }
                    None => return self.end(),
                }
            }
            let Some(entry) = self.take(self.at.turn, DISCARDS) else { return self.end() };
            let discarded = self.own_turn(entry, drawn.take());
            if let Some(tile) = discarded.map_err(|problem| self.in_entry(DISCARDS, &problem))? {
                self.pass_on(tile)?;
            }
        }
    }

    /// Whether the player whose turn it is draws next. After a chi or pon they discard without a
    /// draw.
    fn draws_next(&self) -> bool {
        !matches!(self.log.hand().events.last(), Some(Event::Call { meld, .. }) if !meld.is_kan())
    }

    /// Reads an entry of the discard list. Returns the tile if it is a discard.
    fn own_turn(&mut self, entry: &TurnEntry, drawn: Option<Tile>) -> Result<Option<Tile>, Problem> {
        let seat = self.at.turn;
        let (text, declares) = match entry {
            TurnEntry::Tile(number) => (number.to_string(), false),
            TurnEntry::Text(text) if text.starts_with('r') => (text[1..].to_owned(), true),
            TurnEntry::Text(text) => return self.own_call(text).map(|()| None),
        };
        if declares {
            self.log.declare_riichi(seat)?;
            self.at.declared = Some(seat);
        }
        let number: u8 = text.parse().map_err(|_| Problem::unknown("discard", format!("`{text}`")))?;
        let discarded = match number {
            60 => drawn.ok_or("60 discards the tile just drawn, but none was drawn")?,
            _ => tile(number, self.aka)?,
        };
        self.log.discard(seat, discarded, number == 60)?;
        Ok(Some(discarded))
    }

    fn own_call(&mut self, text: &str) -> Result<(), Problem> {
        let call = CallText::parse(text, self.aka)?;
        match call.letter {
            'a' => self.log.meld(self.at.turn, Meld::of(MeldKind::Ankan, &call.tiles, None)?)?,
            'k' => {
                let (tile, pon) = call.parts();
                self.log.add_to_pon(self.at.turn, tile, Some(&pon))?;
            }
            'f' if call.tiles == [Tile::plain(TileKind::NORTH)] => self.log.kita(self.at.turn)?,
            _ => {
                let expected = "a call in the own turn, with the letter a, k or f";
                return Err(Problem::value("call", format!("`{text}`"), expected));
            }
        }
        Ok(())
    }

    /// Gives the turn to a player who can claim a discard, or to the next. Keeps the other
    /// branches.
    fn pass_on(&mut self, discarded: Tile) -> Result<(), Problem> {
        let from = self.at.turn;
        let at = WalkState { mark: self.log.mark(), ..self.at };
        let claims =
            self.players.others(from).filter_map(|seat| Some((seat, self.claim(seat, from, discarded)?)));
        let calls = [None].into_iter().chain(claims.map(Some));
        // The call of the nearest player is tried first, no call last.
        let mut branches: Vec<Branch> = calls.map(|call| Branch { at, call }).collect();
        branches[1..].reverse();
        self.open.append(&mut branches);
        self.take_next_branch().map(|_| ())
    }

    /// Returns to the last branch that has not been tried, and takes it. False if there is none.
    fn take_next_branch(&mut self) -> Result<bool, Problem> {
        let Some(Branch { at, call }) = self.open.pop() else { return Ok(false) };
        self.log.go_back(at.mark);
        self.at = at;
        match call {
            Some((seat, meld)) => self.call(seat, meld)?,
            None => self.at.turn = at.turn.next(self.players),
        }
        Ok(true)
    }

    fn call(&mut self, seat: Seat, meld: Meld) -> Result<(), Problem> {
        self.accept_riichi()?;
        self.at.read[seat.index()][DRAWS] += 1;
        self.log.meld(seat, meld)?;
        self.at.turn = seat;
        // A daiminkan has a 0 in the list of discards, where other calls have their discard.
        let read = &mut self.at.read[seat.index()][DISCARDS];
        if meld.is_kan() && self.lists[seat.index()][DISCARDS].get(*read) == Some(&TurnEntry::Tile(0)) {
            *read += 1;
        }
        Ok(())
    }

    /// The meld that the next entry of a player's draws makes with this discard, if it is such a
    /// call.
    fn claim(&self, seat: Seat, from: Seat, discarded: Tile) -> Option<Meld> {
        let list = self.lists[seat.index()][DRAWS];
        let Some(TurnEntry::Text(text)) = list.get(self.at.read[seat.index()][DRAWS]) else { return None };
        let call = CallText::parse(text, self.aka).ok()?;
        // Logs count seats as at a table of four. A chi is always from the player on the left.
        let steps = (from.number() + 4 - seat.number()) % 4;
        let is_from = match call.letter {
            'c' => call.index == 0 && from.next(self.players) == seat,
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

    fn accept_riichi(&mut self) -> Result<(), Problem> {
        self.at.declared.take().map_or(Ok(()), |seat| Ok(self.log.accept_riichi(seat)?))
    }

    /// Ends the hand: checks that all lists have been read, and accepts the riichi of the last discard,
    /// unless others declared ron on it.
    fn end(&mut self) -> Result<(), Problem> {
        for seat in self.players.seats() {
            let left = |list: usize| self.lists[seat.index()][list].len() > self.at.read[seat.index()][list];
            if left(DRAWS) || left(DISCARDS) {
                let turn = self.at.turn;
                let what =
                    format!("player {seat} has draws or discards left when the hand stops at player {turn}");
                return Err(Problem::new(what));
            }
        }
        if self.at.declared != self.discarder {
            self.accept_riichi()?;
        }
        Ok(())
    }

    /// The next entry of a list, which is then read. None at its end.
    fn take(&mut self, seat: Seat, list: usize) -> Option<&'a TurnEntry> {
        let read = &mut self.at.read[seat.index()][list];
        let entry = self.lists[seat.index()][list].get(*read)?;
        *read += 1;
        Some(entry)
    }

    /// Adds the place to a problem: the last entry read from this list in the current turn.
    fn in_entry(&self, list: usize, problem: &Problem) -> Problem {
        let name = if list == DRAWS { "draws" } else { "discards" };
        let entry = self.at.read[self.at.turn.index()][list];
        Problem::new(format!("{name} of player {}, entry {entry}: {problem}", self.at.turn))
    }
}

/// A call as text: tiles with a letter before one of them.
struct CallText {
    letter: char,
    tiles: Vec<Tile>,
    /// The index of the tile that the letter stands before.
    index: usize,
}

impl CallText {
    fn parse(text: &str, aka: Aka) -> Result<CallText, Problem> {
        let wrong = || Problem::value("call", format!("`{text}`"), "tiles with a letter before one of them");
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
        let tiles: Result<Vec<Tile>, Problem> = (0..digits.len())
            .step_by(2)
            .map(|i| tile(digits[i..i + 2].parse().map_err(|_| wrong())?, aka))
            .collect();
        Ok(CallText { letter: text[at..].chars().next().ok_or_else(wrong)?, tiles: tiles?, index: at / 2 })
    }

    /// How many seats after the caller the discarder sits, at a table of four.
    ///
    /// The letter is first for the player on the left, second for the one across, last for the one
    /// on the right.
    fn steps_from(&self) -> u8 {
        3 - self.index.min(2) as u8
    }

    /// The tile that the letter stands before, and the others.
    fn parts(&self) -> (Tile, Vec<Tile>) {
        let mut others = self.tiles.clone();
        (others.remove(self.index), others)
    }
}
