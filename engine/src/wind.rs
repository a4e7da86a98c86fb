//! The four winds.

use std::fmt;

use crate::TileKind;

/// The wind of a seat in the current hand, or of a round of winds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[must_use]
pub enum Wind {
    /// 東, `1z`.
    #[default]
    East,
    /// 南, `2z`.
    South,
    /// 西, `3z`.
    West,
    /// 北, `4z`.
    North,
}

impl Wind {
    /// The winds in turn order.
    pub const ALL: [Wind; 4] = [Wind::East, Wind::South, Wind::West, Wind::North];

    /// The wind's tile.
    #[inline]
    pub const fn tile(self) -> TileKind {
        TileKind::from_index(TileKind::EAST.index() + self as usize)
    }

    /// The wind of the round of winds with this number: 0 is the East round. East follows North.
    #[inline]
    pub const fn of_round(number: u32) -> Wind {
        Wind::ALL[(number % 4) as usize]
    }

    /// The wind of the seat across the table.
    pub const fn opposite(self) -> Wind {
        Wind::ALL[(self as usize + 2) % 4]
    }

    /// `E`, `S`, `W` or `N`.
    pub const fn letter(self) -> char {
        ['E', 'S', 'W', 'N'][self as usize]
    }
}

impl fmt::Display for Wind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
