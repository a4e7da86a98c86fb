//! Seats around the table, values by seat, and sets of seats.

use std::fmt;
use std::ops::{Index, IndexMut};

use crate::Wind;
use crate::bit_set::bit_set;

/// A seat, numbered in turn order from the first dealer of the game.
///
/// Players keep their seats for the whole game: the number does not move with the deal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[must_use]
pub struct Seat(u8);

impl Seat {
    /// The first dealer.
    pub const FIRST: Seat = Seat(0);

    /// The seat with this number, if it is below 4.
    pub const fn new(index: u8) -> Option<Seat> {
        if index < 4 { Some(Seat(index)) } else { None }
    }

    /// The index of the seat, 0–3.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 3) as usize
    }

    /// The number as a byte, 0–3, as files store it.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The seat that acts after this one: to the right, *shimocha*.
    #[inline]
    pub const fn next(self, players: Players) -> Seat {
        players.around(self.0 + 1)
    }

    /// The seat `steps` turns later. `steps` is at most four.
    #[inline]
    pub const fn after(self, steps: u8, players: Players) -> Seat {
        players.around(self.0 + steps)
    }

    /// The number of turns from this seat to `other`: 0 for the seat itself, 1 for the next one.
    #[inline]
    pub const fn steps_to(self, other: Seat, players: Players) -> u8 {
        players.around(other.0 + players.count() - self.0).0
    }

    /// The wind of this seat in a hand dealt by `dealer`.
    #[inline]
    pub const fn wind(self, dealer: Seat, players: Players) -> Wind {
        Wind::ALL[dealer.steps_to(self, players) as usize]
    }
}

/// Prints `0`–`3`.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

/// The number of players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "u8", into = "u8")]
#[must_use]
pub enum Players {
    /// Two players: East and South.
    Two = 2,
    /// Three players: East, South and West.
    Three = 3,
    /// Four players.
    Four = 4,
}

impl Players {
    /// 2, 3 or 4.
    #[inline]
    pub const fn count(self) -> u8 {
        self as u8
    }

    /// The seat with number `number` modulo the number of players. `number` must be below 8.
    #[inline]
    const fn around(self, number: u8) -> Seat {
        AROUND[self as usize & 7][number as usize & 7]
    }

    /// The dealer of the hand with this number ([`Table::round`](crate::Table::round)).
    pub const fn dealer(self, round: u16) -> Seat {
        Seat((round % self.count() as u16) as u8)
    }

    /// The seats in play, first dealer first.
    #[inline]
    pub fn seats(self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        (0..self.count()).map(Seat)
    }

    /// The seats in play in turn order, from `first` on.
    #[inline]
    pub fn seats_from(self, first: Seat) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        (0..self.count()).map(move |steps| first.after(steps, self))
    }

    /// The other seats, in the order in which they act after `seat`.
    #[inline]
    pub fn others(self, seat: Seat) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        (1..self.count()).map(move |steps| seat.after(steps, self))
    }
}

/// Remainders by the number of players. A division at every turn would be too slow.
const AROUND: [[Seat; 8]; 8] = {
    let mut around = [[Seat(0); 8]; 8];
    let mut players = 2;
    while players <= 4 {
        let mut number = 0;
        while number < 8 {
            around[players][number] = Seat((number % players) as u8);
            number += 1;
        }
        players += 1;
    }
    around
};

impl TryFrom<u8> for Players {
    type Error = String;
    fn try_from(count: u8) -> Result<Players, String> {
        match count {
            2 => Ok(Players::Two),
            3 => Ok(Players::Three),
            4 => Ok(Players::Four),
            other => Err(format!("{other} players: expected 2, 3 or 4")),
        }
    }
}

impl From<Players> for u8 {
    fn from(players: Players) -> u8 {
        players.count()
    }
}

/// A value for each seat in play.
///
/// It has room for four values. Iteration, comparison and output stop at the number of players.
#[derive(Clone, Copy)]
#[must_use]
pub struct BySeat<T> {
    values: [T; 4],
    players: Players,
}

impl<T> BySeat<T> {
    /// Computes the value of each seat with a function.
    ///
    /// The function is called for all four seats. Values of seats that are not in play are ignored.
    #[inline]
    pub fn from_fn(players: Players, mut value: impl FnMut(Seat) -> T) -> BySeat<T> {
        BySeat { values: std::array::from_fn(|i| value(Seat(i as u8))), players }
    }

    /// The number of players.
    #[inline]
    pub const fn players(&self) -> Players {
        self.players
    }

    /// The values of the seats in play.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        &self.values[..self.players.count() as usize]
    }

    /// Iterates over the values of the seats in play.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.as_slice().iter()
    }

    /// Iterates over the values of the seats in play, which the caller may change.
    #[inline]
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.values[..self.players.count() as usize].iter_mut()
    }

    /// Iterates over the seats in play with their values.
    #[inline]
    pub fn enumerate(&self) -> impl Iterator<Item = (Seat, &T)> {
        self.players.seats().zip(self.iter())
    }

    /// Applies a function to each value.
    #[inline]
    pub fn map<U>(&self, mut value: impl FnMut(&T) -> U) -> BySeat<U> {
        BySeat { values: std::array::from_fn(|i| value(&self.values[i])), players: self.players }
    }
}

impl<T: Copy> BySeat<T> {
    /// The same value for every seat.
    #[inline]
    pub const fn splat(players: Players, value: T) -> BySeat<T> {
        BySeat { values: [value; 4], players }
    }

    /// Takes one value for each seat in play from the slice. None if it is too short.
    pub fn from_slice(players: Players, values: &[T]) -> Option<BySeat<T>> {
        let values = values.get(..usize::from(players.count()))?;
        let first = *values.first()?;
        Some(BySeat { values: std::array::from_fn(|i| values.get(i).copied().unwrap_or(first)), players })
    }
}

impl BySeat<i32> {
    /// The sum over the seats in play.
    #[inline]
    pub fn sum(&self) -> i32 {
        self.iter().sum()
    }

    /// Adds the points of each seat, and stops at the limits of `i32`: hands scored without limits could
    /// overflow.
    #[inline]
    pub fn saturating_add(&self, other: &BySeat<i32>) -> BySeat<i32> {
        BySeat::from_fn(self.players, |seat| self[seat].saturating_add(other[seat]))
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;
    #[inline]
    fn index(&self, seat: Seat) -> &T {
        &self.values[seat.index()]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.values[seat.index()]
    }
}

impl<'a, T> IntoIterator for &'a BySeat<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> std::slice::Iter<'a, T> {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut BySeat<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    fn into_iter(self) -> std::slice::IterMut<'a, T> {
        self.iter_mut()
    }
}

impl<T: PartialEq> PartialEq for BySeat<T> {
    fn eq(&self, other: &BySeat<T>) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T: Eq> Eq for BySeat<T> {}

impl<T: fmt::Debug> fmt::Debug for BySeat<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A set of seats.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
#[must_use]
pub struct SeatSet(u8);

bit_set!(SeatSet(u8) of Seat, "seat", "seats", Seat::index, Seat);

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turn_order_wraps_at_the_number_of_players() {
        for players in [Players::Two, Players::Three, Players::Four] {
            for seat in players.seats() {
                for steps in 0..players.count() {
                    let other = seat.after(steps, players);
                    assert_eq!(seat.steps_to(other, players), steps);
                    assert_eq!((0..steps).fold(seat, |s, _| s.next(players)), other);
                }
                assert_eq!(players.others(seat).count() + 1, usize::from(players.count()));
            }
        }
    }

    #[test]
    fn values_of_absent_seats_are_ignored() {
        let three = BySeat::from_fn(Players::Three, |seat| i32::from(seat.number()) * 10);
        assert_eq!(three.sum(), 30);
        assert_eq!(format!("{three:?}"), "[0, 10, 20]");
        assert_eq!(three, BySeat { values: [0, 10, 20, 99], players: Players::Three });
    }
}
