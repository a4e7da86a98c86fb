//! The rows of an encoder's table, their views, and the encoder's identity.

use std::fmt;

use jantaku_engine::{Observation, Players, Seat, named_enum};
use sha2::{Digest, Sha256};

named_enum! {
    /// The seat that a row of an encoder's table describes, relative to the player who decides.
    ///
    /// `Right` acts after the player and `Left` before them. Three players have no `Across`. Two
    /// players have only `Right`. Rows of absent seats are empty.
    #[derive(Hash)]
    View {
        /// The table: facts of no single seat.
        Table = "table",
        /// The player who decides.
        Own = "own",
        /// The next player in turn order, *shimocha*.
        Right = "right",
        /// The player opposite, *toimen*.
        Across = "across",
        /// The previous player in turn order, *kamicha*.
        Left = "left",
    }
}

impl View {
    pub(super) const TABLE: &[View] = &[View::Table];
    pub(super) const OWN: &[View] = &[View::Own];
    pub(super) const OTHERS: &[View] = &[View::Right, View::Across, View::Left];
    pub(super) const SEATS: &[View] = &[View::Own, View::Right, View::Across, View::Left];
}

/// The seats as the player who decides sees them: own, right, across, left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seats {
    /// None for absent seats.
    pub by_view: [Option<Seat>; 4],
    /// The index of each seat in `by_view`.
    index: [u8; 4],
}

impl Seats {
    #[inline]
    pub(super) fn of(o: &Observation<'_>) -> Seats {
        Seats::around(o.seat(), o.rules().players)
    }

    #[inline]
    pub(super) fn around(own: Seat, players: Players) -> Seats {
        static AROUND: [Seats; Seats::ORDERS] = {
            let (mut around, mut order) = ([Seats::of_order(0); Seats::ORDERS], 1);
            while order < Seats::ORDERS {
                around[order] = Seats::of_order(order);
                order += 1;
            }
            around
        };
        AROUND[4 * (usize::from(players.count()) - 2) + own.index()]
    }

    /// The number of orders of seats: for two, three and four players, one for each of four seats.
    pub(super) const ORDERS: usize = 12;

    /// The seats in this order: 4 × (players − 2) + the index of the own seat.
    pub(super) const fn of_order(order: usize) -> Seats {
        let players = [Players::Two, Players::Three, Players::Four][order / 4];
        let own = Seat::new((order % 4) as u8).expect("a number below 4 is a seat");
        let (mut by_view, mut index, mut steps) = ([None; 4], [0; 4], 0);
        while steps < players.count() && own.number() < players.count() {
            let seat = own.after(steps, players);
            let at = if steps == 2 && players.count() == 3 { 3 } else { steps };
            by_view[at as usize] = Some(seat);
            index[seat.index()] = at;
            steps += 1;
        }
        Seats { by_view, index }
    }

    /// The position of each seat in [`View::SEATS`], by the number of the seat.
    #[inline]
    pub(super) fn indices(&self) -> [usize; 4] {
        self.index.map(|index| usize::from(index & 3))
    }

    /// The position of a seat in [`View::SEATS`].
    #[inline]
    pub(super) const fn index_of(&self, seat: Seat) -> usize {
        (self.index[seat.index()] & 3) as usize
    }

    /// The seats in play of these views, each with its index among them. `views` are all four, or the three
    /// others.
    #[inline]
    pub(super) fn present(&self, views: &[View]) -> impl Iterator<Item = (usize, Seat)> {
        let seats = self.by_view[4 - views.len()..].iter();
        seats.enumerate().filter_map(|(at, seat)| Some((at, (*seat)?)))
    }

    /// The seats of a group's views, each with its entry of `values`. `values` has one entry for
    /// each of the four views, or for the three others.
    #[inline]
    pub(super) fn zip<'a, T>(&self, values: &'a mut [T]) -> impl Iterator<Item = (Seat, &'a mut T)> {
        let seats = self.by_view[4 - values.len()..].iter();
        seats.zip(values).filter_map(|(seat, value)| Some(((*seat)?, value)))
    }
}

/// A row of a group of channels, before it is laid out for each view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub name: &'static str,
    pub meaning: &'static str,
    pub unit: &'static str,
    pub most: u8,
    pub one: u8,
    pub since: u32,
}

impl Row {
    /// A channel whose values are 0 and 1.
    pub(super) const fn flag(name: &'static str, meaning: &'static str) -> Row {
        Row::number(name, "flag", 1, 1, meaning)
    }

    /// A channel with numbers of tiles of a kind, 0–4.
    pub(super) const fn tiles(name: &'static str, meaning: &'static str) -> Row {
        Row::number(name, "tiles", 4, 4, meaning)
    }

    /// A channel with numbers from 0 to `most`. The byte `one` becomes 1.0.
    pub(super) const fn number(
        name: &'static str,
        unit: &'static str,
        most: u8,
        one: u8,
        meaning: &'static str,
    ) -> Row {
        Row { name, meaning, unit, most, one, since: 1 }
    }
}

/// One channel of an encoder of planes: 34 bytes, one for each kind of tile.
///
/// A channel that holds one number for the whole hand or table has it in all 34 places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Channel {
    /// Its group.
    pub group: &'static str,
    /// Its name in the group.
    pub name: &'static str,
    /// Whose facts it holds.
    pub view: View,
    /// What it means.
    pub meaning: &'static str,
    /// The unit of a byte.
    pub unit: &'static str,
    /// The highest byte that occurs.
    pub most: u8,
    /// The byte that becomes 1.0: the value as f32 is the byte × [`scale`](Channel::scale).
    pub one: u8,
    /// The version of the encoder that added it.
    pub since: u32,
}

impl Channel {
    pub(super) const fn of(group: &'static str, view: View, row: &Row) -> Channel {
        let Row { name, meaning, unit, most, one, since } = *row;
        Channel { group, name, view, meaning, unit, most, one, since }
    }

    /// The factor that turns a byte of the channel into its value as f32.
    pub fn scale(&self) -> f32 {
        1.0 / f32::from(self.one)
    }
}

/// Prints the full name, such as `river.red.left`.
impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.group, self.name, self.view)
    }
}

/// The identity of an encoder. A model and the program that plays it must have the same.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub struct EncoderId {
    /// The name, with the version: `planes-v1`.
    pub name: &'static str,
    /// The version.
    pub version: u32,
    /// The number of channels, or of features in a sparse encoder.
    pub channels: usize,
    /// A hash of the table: the first 16 hexadecimal digits of a SHA-256. Any change of a row
    /// changes it.
    pub hash: String,
}

impl EncoderId {
    /// The identity of an encoder whose table prints as these lines.
    pub(crate) fn new(
        name: &'static str,
        version: u32,
        channels: usize,
        lines: impl Iterator<Item = String>,
    ) -> EncoderId {
        let hash = hash_of(std::iter::once(format!("{name} {channels}")).chain(lines));
        EncoderId { name, version, channels, hash }
    }
}

/// Prints `planes-v1 (216 channels, 0123456789abcdef)`.
impl fmt::Display for EncoderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} channels, {})", self.name, self.channels, self.hash)
    }
}

/// The first 16 hexadecimal digits of the SHA-256 of these lines.
pub(crate) fn hash_of(lines: impl Iterator<Item = String>) -> String {
    let mut hash = Sha256::new();
    lines.for_each(|line| hash.update(format!("{line}\n")));
    let start = hash.finalize().iter().take(8).fold(0, |start: u64, byte| start << 8 | u64::from(*byte));
    format!("{start:016x}")
}
