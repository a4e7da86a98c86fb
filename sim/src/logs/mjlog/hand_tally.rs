//! Where every tile and point of a hand is. The log states most of it twice, and both must agree.

use jantaku_engine::{BySeat, Rules, Seat};

use super::call::{CallKind, CodedCall};
use super::tag::{Tag, not_a_tile};
use crate::logs::Problem;
use crate::logs::tenhou::fields;

/// Where a tile is, as far as the log has shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TileLocation {
    Wall,
    Hand(Seat),
    /// Discarded, in a meld, or an indicator.
    Open,
}

/// The tiles, calls and points of a hand in play. Tiles are numbered 0–135.
pub(super) struct HandTally {
    tiles: [TileLocation; 136],
    /// The tile that was drawn, discarded or called last, if it can win a hand.
    last: Option<u32>,
    indicators: Vec<u32>,
    ura_indicators: Vec<u32>,
    /// The codes of each player's calls.
    calls: BySeat<Vec<u32>>,
    honba: u32,
    sticks: u32,
    /// Points in hundreds.
    points: BySeat<i32>,
}

impl HandTally {
    pub(super) fn new(
        [honba, sticks]: [u32; 2],
        points: BySeat<i32>,
        indicator: u32,
    ) -> Result<HandTally, Problem> {
        let calls = BySeat::from_fn(points.players(), |_| Vec::new());
        let mut tally = HandTally {
            tiles: [TileLocation::Wall; 136],
            last: None,
            indicators: Vec::new(),
            ura_indicators: Vec::new(),
            calls,
            honba,
            sticks,
            points,
        };
        tally.turn_indicator(indicator)?;
        Ok(tally)
    }

    /// Moves a tile from the wall to a hand.
    pub(super) fn draw(&mut self, seat: Seat, id: u32) -> Result<(), Problem> {
        self.reveal(id, TileLocation::Hand(seat))?;
        self.last = Some(id);
        Ok(())
    }

    pub(super) fn discard(&mut self, seat: Seat, id: u32) -> Result<(), Problem> {
        self.put_down(seat, id)?;
        self.last = Some(id);
        Ok(())
    }

    pub(super) fn turn_indicator(&mut self, indicator: u32) -> Result<(), Problem> {
        self.indicators.push(indicator);
        self.reveal(indicator, TileLocation::Open)
    }

    pub(super) fn call(&mut self, seat: Seat, m: u32, call: &CodedCall) -> Result<(), Problem> {
        if call.claimed.is_some() && call.claimed != self.last {
            let what = format!("call {m} claims a tile that is not the last discard");
            return Err(Problem::new(what));
        }
        call.own.iter().try_for_each(|id| self.put_down(seat, *id))?;
        self.last = match (&call.kind, &call.own[..]) {
            (CallKind::Kakan(_) | CallKind::Kita, [id]) => Some(*id),
            _ => None,
        };
        let calls = &mut self.calls[seat];
        if matches!(call.kind, CallKind::Kakan(_)) {
            // A kakan has the code of its pon, with bit 4 set instead of bit 3.
            let pon = calls.iter_mut().find(|pon| **pon == m ^ 0x18);
            let no_pon = || Problem::new(format!("kakan {m} without its pon"));
            *pon.ok_or_else(no_pon)? = m;
        } else {
            calls.push(m);
        }
        Ok(())
    }

    /// Pays a riichi stick. If the tag states the points after it, checks them.
    pub(super) fn riichi(&mut self, seat: Seat, tag: &Tag, rules: &Rules) -> Result<(), Problem> {
        self.points[seat] = self.points[seat].saturating_sub(rules.riichi_stick / 100);
        self.sticks += 1;
        if tag.get("ten").is_none() {
            return Ok(());
        }
        let stated = fields::by_seat_padded("`ten`", &tag.numbers("ten")?, self.points.players())?;
        self.check_points("ten", &stated)
    }

    /// Checks a tag `AGARI` and returns the points that each seat wins or loses.
    ///
    /// The first of several winners takes the sticks.
    pub(super) fn win(&mut self, winner: Seat, tag: &Tag, rules: &Rules) -> Result<BySeat<i32>, Problem> {
        let deltas = self.settle(tag)?;
        self.sticks = 0;
        let machi = tag.number("machi")?;
        if let Some(last) = self.last.filter(|last| *last != machi) {
            return Err(Problem::value("machi", machi, format!("the last tile, {last}")));
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
            self.turn_ura_indicators(&tag.numbers("doraHaiUra")?, rules)?;
        }
        Ok(deltas)
    }

    /// Checks a tag `RYUUKYOKU` and returns the points that each seat wins or loses.
    pub(super) fn end_in_draw(&mut self, tag: &Tag) -> Result<BySeat<i32>, Problem> {
        let deltas = self.settle(tag)?;
        let seats = self.points.players().seats();
        seats.into_iter().try_for_each(|seat| check_tiles(tag, &format!("hai{seat}"), &self.hand(seat)))?;
        Ok(deltas)
    }

    /// Checks honba, sticks and points before the end, then applies the changes of points. Returns
    /// these in points, not in hundreds.
    fn settle(&mut self, tag: &Tag) -> Result<BySeat<i32>, Problem> {
        let players = self.points.players();
        if tag.get("ba").is_some() {
            let (stated, expected) = (tag.numbers::<u32>("ba")?, [self.honba, self.sticks]);
            if stated != expected {
                return Err(unequal("ba", &stated, format!("{expected:?}: honba and riichi sticks")));
            }
        }
        let [before, won] = fields::pairs_by_seat("`sc`", &tag.points::<i32>("sc")?, players)?;
        self.check_points("sc", &before)?;
        self.points = self.points.saturating_add(&won);
        Ok(won.map(|hundreds| hundreds.saturating_mul(100)))
    }

    fn check_points(&self, name: &str, stated: &BySeat<i32>) -> Result<(), Problem> {
        if *stated == self.points {
            return Ok(());
        }
        Err(Problem::value(name, format!("{stated:?}"), format!("{:?}, in hundreds of points", self.points)))
    }

    /// Checks a winner's calls, in any order. A log that shows the winner's tiles must show the
    /// calls.
    fn check_calls(&self, tag: &Tag, winner: Seat) -> Result<(), Problem> {
        let mut stated: Vec<u32> = match tag.get("m") {
            Some(_) => tag.numbers("m")?,
            None if tag.get("hai").is_none() => return Ok(()),
            None => Vec::new(),
        };
        let mut calls = self.calls[winner].clone();
        stated.sort_unstable();
        calls.sort_unstable();
        if stated == calls { Ok(()) } else { Err(unequal("m", &stated, format!("{calls:?}"))) }
    }

    /// Turns the ura indicators, which are the same for all winners in riichi.
    fn turn_ura_indicators(&mut self, ura: &[u32], rules: &Rules) -> Result<(), Problem> {
        if self.ura_indicators.is_empty() {
            ura.iter().try_for_each(|id| self.reveal(*id, TileLocation::Open))?;
            self.ura_indicators = ura.to_vec();
        }
        let turned = self.indicators.len();
        let count = if rules.kan_ura || !rules.ura { turned } else { 1 };
        if self.ura_indicators == ura && ura.len() == count {
            return Ok(());
        }
        Err(unequal("doraHaiUra", ura, format!("a list of length {count}, the same for all winners")))
    }

    /// The concealed tiles of a player, in order.
    fn hand(&self, seat: Seat) -> Vec<u32> {
        let held = TileLocation::Hand(seat);
        (0..).zip(self.tiles).filter(|(_, location)| *location == held).map(|(id, _)| id).collect()
    }

    /// Moves a tile out of the wall.
    fn reveal(&mut self, id: u32, location: TileLocation) -> Result<(), Problem> {
        match self.tiles.get_mut(id as usize) {
            Some(tile) if *tile == TileLocation::Wall => *tile = location,
            Some(_) => return Err(Problem::new(format!("tile {id} appears a second time"))),
            None => return Err(not_a_tile(id)),
        }
        Ok(())
    }

    /// Moves a tile out of a hand.
    fn put_down(&mut self, seat: Seat, id: u32) -> Result<(), Problem> {
        match self.tiles.get_mut(id as usize) {
            Some(tile) if *tile == TileLocation::Hand(seat) => *tile = TileLocation::Open,
            _ => {
                let what = format!("tile {id} is not in the hand of player {seat}");
                return Err(Problem::new(what));
            }
        }
        Ok(())
    }
}

fn check_tiles(tag: &Tag, name: &str, expected: &[u32]) -> Result<(), Problem> {
    if tag.get(name).is_none() {
        return Ok(());
    }
    let stated: Vec<u32> = tag.numbers(name)?;
    if stated == expected { Ok(()) } else { Err(unequal(name, &stated, format!("{expected:?}"))) }
}

/// The error for a list that is not as the rest of the log implies.
fn unequal(name: &str, stated: &[u32], expected: String) -> Problem {
    Problem::value(name, format!("{stated:?}"), expected)
}
