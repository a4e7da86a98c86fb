//! Where every tile and every point of a hand is, by what its log has told so far: what the log says of it again must agree.

use jantaku_engine::{BySeat, Players, Seat};

use super::Tag;
use super::call::{Call, What};

/// Where a tile is, as far as it was told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Wall,
    Hand(Seat),
    /// Discarded, in a meld, or an indicator.
    Open,
}

/// A hand in play, by the numbers of its tiles.
pub(super) struct Table {
    tiles: [Place; 136],
    /// The tile drawn, discarded or added last.
    last: Option<u32>,
    indicators: Vec<u32>,
    ura_indicators: Vec<u32>,
    /// The calls of each player as the log numbers them.
    calls: BySeat<Vec<u32>>,
    counters: u32,
    sticks: u32,
    /// Points in hundreds.
    points: BySeat<i32>,
}

impl Table {
    pub(super) fn new(
        [counters, sticks]: [u32; 2],
        points: BySeat<i32>,
        indicator: u32,
    ) -> Result<Table, String> {
        let calls = BySeat::from_fn(points.players(), |_| Vec::new());
        let mut table = Table {
            tiles: [Place::Wall; 136],
            last: None,
            indicators: Vec::new(),
            ura_indicators: Vec::new(),
            calls,
            counters,
            sticks,
            points,
        };
        table.turn(indicator)?;
        Ok(table)
    }

    /// A tile comes into a hand.
    pub(super) fn draw(&mut self, seat: Seat, id: u32) -> Result<(), String> {
        self.show(id, Place::Hand(seat))?;
        self.last = Some(id);
        Ok(())
    }

    pub(super) fn discard(&mut self, seat: Seat, id: u32) -> Result<(), String> {
        self.put_down(seat, id)?;
        self.last = Some(id);
        Ok(())
    }

    pub(super) fn turn(&mut self, indicator: u32) -> Result<(), String> {
        self.indicators.push(indicator);
        self.show(indicator, Place::Open)
    }

    pub(super) fn call(&mut self, seat: Seat, m: u32, call: &Call) -> Result<(), String> {
        if call.claimed.is_some() && call.claimed != self.last {
            return Err(format!("{m} claims a tile that was not discarded last"));
        }
        call.own.iter().try_for_each(|id| self.put_down(seat, *id))?;
        self.last = match (&call.what, &call.own[..]) {
            (What::Added(_) | What::North, [id]) => Some(*id),
            _ => None,
        };
        let calls = &mut self.calls[seat];
        if matches!(call.what, What::Added(_)) {
            // The number of the pon with the bit of an added tile in place of that of a pon.
            let pon = calls.iter_mut().find(|pon| **pon == m ^ 0x18);
            *pon.ok_or_else(|| format!("{m} adds a tile to a pon that was not called"))? = m;
        } else {
            calls.push(m);
        }
        Ok(())
    }

    /// A riichi is paid.
    pub(super) fn riichi(&mut self, seat: Seat, tag: &Tag) -> Result<(), String> {
        self.points[seat] = self.points[seat].saturating_sub(10);
        self.sticks += 1;
        match tag.get("ten") {
            Some(_) => self.check_points("ten", &tag.by_seat("ten", self.points.players())?),
            None => Ok(()),
        }
    }

    /// Compares what a tag `AGARI` says of the hand, and tells the points that each seat wins or loses; of several wins the first takes the
    /// sticks.
    pub(super) fn win(&mut self, winner: Seat, tag: &Tag) -> Result<BySeat<i32>, String> {
        let won = self.settle(tag)?;
        self.sticks = 0;
        let machi = tag.number("machi")?;
        if self.last.is_some_and(|last| last != machi) {
            return Err(format!("`machi` is {machi}, which is not the tile that came last"));
        }
        let mut hand = self.hand(winner);
        if !hand.contains(&machi) {
            hand.push(machi);
            hand.sort_unstable();
        }
        check_tiles(tag, "hai", &hand)?;
        check_tiles(tag, "doraHai", &self.indicators)?;
        self.check_calls(tag, winner)?;
        if tag.get("doraHaiUra").is_some() {
            self.look_under(&tag.numbers("doraHaiUra")?)?;
        }
        Ok(won)
    }

    /// Compares what a tag `RYUUKYOKU` says of the hand, and tells the points that each seat wins or loses.
    pub(super) fn drawn_game(&mut self, tag: &Tag) -> Result<BySeat<i32>, String> {
        let won = self.settle(tag)?;
        let seats = self.points.players().seats();
        seats.into_iter().try_for_each(|seat| check_tiles(tag, &format!("hai{seat}"), &self.hand(seat)))?;
        Ok(won)
    }

    /// Compares counters, sticks and points before, adds what is won and lost, and tells it in points.
    fn settle(&mut self, tag: &Tag) -> Result<BySeat<i32>, String> {
        let players = self.points.players();
        if tag.get("ba").is_some() {
            let (told, stood) = (tag.numbers::<u32>("ba")?, [self.counters, self.sticks]);
            if told != stood {
                return Err(format!("`ba` is {told:?}, expected counters and sticks {stood:?}"));
            }
        }
        let [before, won] = points_before_and_won(tag, players)?;
        self.check_points("sc", &before)?;
        for seat in players.seats() {
            self.points[seat] = self.points[seat].saturating_add(won[seat]);
        }
        Ok(won.map(|hundreds| hundreds.saturating_mul(100)))
    }

    fn check_points(&self, name: &str, told: &BySeat<i32>) -> Result<(), String> {
        if *told == self.points {
            return Ok(());
        }
        Err(format!("`{name}` has points {told:?}, expected {:?}", self.points))
    }

    /// Compares the calls of a winner, in any order; a log that tells his tiles tells his calls, too.
    fn check_calls(&self, tag: &Tag, winner: Seat) -> Result<(), String> {
        let mut told: Vec<u32> = match tag.get("m") {
            Some(_) => tag.numbers("m")?,
            None if tag.get("hai").is_none() => return Ok(()),
            None => Vec::new(),
        };
        let mut calls = self.calls[winner].clone();
        told.sort_unstable();
        calls.sort_unstable();
        if told == calls { Ok(()) } else { Err(format!("`m` is {told:?}, expected {calls:?}")) }
    }

    /// All winners in riichi look at the same indicators.
    fn look_under(&mut self, ura: &[u32]) -> Result<(), String> {
        if self.ura_indicators.is_empty() {
            ura.iter().try_for_each(|id| self.show(*id, Place::Open))?;
            self.ura_indicators = ura.to_vec();
        }
        if self.ura_indicators == ura && ura.len() == self.indicators.len() {
            return Ok(());
        }
        Err(format!("`doraHaiUra` is {ura:?}, expected one tile under each indicator, the same for all"))
    }

    fn hand(&self, seat: Seat) -> Vec<u32> {
        (0..).zip(self.tiles).filter(|(_, place)| *place == Place::Hand(seat)).map(|(id, _)| id).collect()
    }

    /// A tile is seen for the first time.
    fn show(&mut self, id: u32, place: Place) -> Result<(), String> {
        match self.tiles.get_mut(id as usize) {
            Some(tile) if *tile == Place::Wall => *tile = place,
            Some(_) => return Err(format!("tile {id} comes a second time")),
            None => return Err(format!("{id} is no tile: expected 0–135")),
        }
        Ok(())
    }

    /// A tile leaves a hand.
    fn put_down(&mut self, seat: Seat, id: u32) -> Result<(), String> {
        match self.tiles.get_mut(id as usize) {
            Some(tile) if *tile == Place::Hand(seat) => *tile = Place::Open,
            _ => return Err(format!("tile {id} is not in the hand of {seat}")),
        }
        Ok(())
    }
}

fn check_tiles(tag: &Tag, name: &str, expected: &[u32]) -> Result<(), String> {
    if tag.get(name).is_none() {
        return Ok(());
    }
    let told: Vec<u32> = tag.numbers(name)?;
    if told == expected { Ok(()) } else { Err(format!("`{name}` is {told:?}, expected {expected:?}")) }
}

/// The numbers of `sc`: by turns the points of a seat and what it wins or loses, in hundreds.
fn points_before_and_won(tag: &Tag, players: Players) -> Result<[BySeat<i32>; 2], String> {
    let numbers: Vec<i32> = tag.numbers("sc")?;
    let (needed, found) = (2 * usize::from(players.count()), numbers.len());
    if found < needed || found > 8 || numbers[needed..].iter().any(|number| *number != 0) {
        return Err(format!("`sc` is {numbers:?}, expected two numbers for each player"));
    }
    Ok([0, 1]
        .map(|which| BySeat::from_fn(players, |seat| *numbers.get(2 * seat.index() + which).unwrap_or(&0))))
}
