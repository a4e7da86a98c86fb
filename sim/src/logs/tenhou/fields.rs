//! Fields that Tenhou's formats write in the same way.

use jantaku_engine::replay::seat_of;
use jantaku_engine::{BySeat, Players, Seat, Tile, TileKind, Wind, Yaku};

use crate::logs::Problem;

/// Far more points than any game has. Results are computed from points, which must not overflow.
const MAX_POINTS: u32 = 100_000_000;

/// The most bonus han that are counted for one entry. The entries of a broken log must not
/// overflow.
const MAX_BONUS: u8 = 100;

/// Bits in hexadecimal, with or without `0x`. None if the text is no such number.
pub(in crate::logs) fn hexadecimal(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    u32::from_str_radix(digits, 16).ok()
}

/// The number of dealer changes before a round, and its dealer. `number` is the round in a log, which
/// counts four rounds to a wind for any number of players.
pub(in crate::logs) fn round(number: u32, players: Players) -> Result<(u16, Seat), Problem> {
    let count = u32::from(players.count());
    let wrong = || Problem::value("round", number, format!("a round with one of {count} dealers"));
    let dealer = seat_of(number % 4, players).map_err(|_| wrong())?;
    let round = u16::try_from(number / 4 * count + number % 4).map_err(|_| wrong())?;
    Ok((round, dealer))
}

/// The 13 tiles dealt to each seat. `read` reads the tiles of one seat.
pub(in crate::logs) fn deal(
    players: Players,
    mut read: impl FnMut(Seat) -> Result<Vec<Tile>, Problem>,
) -> Result<BySeat<[Tile; 13]>, Problem> {
    let mut dealt = BySeat::splat(players, [Tile::plain(TileKind::EAST); 13]);
    for seat in players.seats() {
        let tiles = read(seat)?;
        let count = tiles.len();
        let wrong = |_| Problem::length(format!("the deal of player {seat}"), count, "13");
        dealt[seat] = tiles.try_into().map_err(wrong)?;
    }
    Ok(dealt)
}

/// One value for each seat in play. Further values are ignored.
pub(in crate::logs) fn by_seat<T: Copy>(
    list: &str,
    values: &[T],
    players: Players,
) -> Result<BySeat<T>, Problem> {
    let wrong = || Problem::length(list, values.len(), "one for each player");
    BySeat::from_slice(players, values).ok_or_else(wrong)
}

/// One value for each seat in play. Further values must be zeros, for the empty seats of a table of
/// four.
pub(in crate::logs) fn by_seat_padded<T: Copy + Default + PartialEq>(
    list: &str,
    values: &[T],
    players: Players,
) -> Result<BySeat<T>, Problem> {
    check_padded(list, values, 1, players)?;
    by_seat(list, values, players)
}

/// Two values for each seat in play, alternating. Further values must be zeros, as for empty seats.
pub(in crate::logs) fn pairs_by_seat<T: Copy + Default + PartialEq>(
    list: &str,
    values: &[T],
    players: Players,
) -> Result<[BySeat<T>; 2], Problem> {
    check_padded(list, values, 2, players)?;
    let value = |index: usize| values.get(index).copied().unwrap_or_default();
    Ok([0, 1].map(|which| BySeat::from_fn(players, |seat| value(2 * seat.index() + which))))
}

/// Checks that a list has `each` values for every player, and then nothing but zeros, at most for the empty
/// seats of a table of four.
fn check_padded<T: Default + PartialEq>(
    list: &str,
    values: &[T],
    each: usize,
    players: Players,
) -> Result<(), Problem> {
    let padding = values.get(each * usize::from(players.count())..);
    let is_zero = padding.is_some_and(|padding| padding.iter().all(|value| *value == T::default()));
    if is_zero && values.len() <= 4 * each {
        return Ok(());
    }
    Err(Problem::length(list, values.len(), format!("{each} for each player, and zeros for empty seats")))
}

/// Final points and results with uma, alternating by seat. Points are in `unit` points, results in
/// thousands. Both are returned in points.
pub(in crate::logs) fn final_points(
    list: &str,
    numbers: &[f64],
    players: Players,
    unit: f64,
) -> Result<[BySeat<i32>; 2], Problem> {
    let [points, results] = pairs_by_seat(list, numbers, players)?;
    let points = points.map(|points| (points * unit).round() as i32);
    if let Some(most) = points.iter().find(|points| points.unsigned_abs() > MAX_POINTS) {
        return Err(Problem::value(list, most, format!("at most {MAX_POINTS} points")));
    }
    Ok([points, results.map(|result| (result * 1000.0).round() as i32)])
}

/// The yaku and bonus han of a win.
#[derive(Default)]
pub(in crate::logs) struct YakuList {
    /// The yaku with their han, 0 for yakuman.
    pub(in crate::logs) yaku: Vec<(Yaku, u8)>,
    /// Bonus han: dora, ura dora, red fives.
    pub(in crate::logs) bonus: [u8; 3],
}

impl YakuList {
    /// Adds han to one of the three sums of bonus han.
    pub(in crate::logs) fn add_bonus(&mut self, index: usize, han: u8) {
        self.bonus[index] = self.bonus[index].saturating_add(han.min(MAX_BONUS));
    }

    /// The han of yaku and bonus.
    pub(in crate::logs) fn han(&self) -> u32 {
        let yaku = self.yaku.iter().map(|(_, han)| *han);
        yaku.chain(self.bonus).map(u32::from).sum()
    }

    /// Whether the winner was in riichi.
    pub(in crate::logs) fn has_riichi(&self) -> bool {
        self.yaku.iter().any(|(yaku, _)| matches!(yaku, Yaku::Riichi | Yaku::DoubleRiichi))
    }

    /// Whether one of the yaku is a yakuman.
    pub(in crate::logs) fn has_yakuman(&self) -> bool {
        self.yaku.iter().any(|(yaku, _)| yaku.is_yakuman())
    }
}

/// Checks that a yaku for a wind is for the winner's seat wind or the round wind: `winds` in this order,
/// or None to check nothing. Returns the yaku; for the wind opposite the round wind, `OppositeWind`.
pub(in crate::logs) fn wind_yaku(
    yaku: Yaku,
    wind: Option<Wind>,
    winds: Option<[Wind; 2]>,
) -> Result<Yaku, Problem> {
    let (Some(wind), Some([seat, round])) = (wind, winds) else { return Ok(yaku) };
    let expected = if yaku == Yaku::SeatWind { seat } else { round };
    if wind == expected {
        return Ok(yaku);
    }
    if yaku == Yaku::RoundWind && wind == round.opposite() {
        return Ok(Yaku::OppositeWind);
    }
    Err(Problem::new(format!("{yaku} for {wind}, but the wind is {expected}")))
}
