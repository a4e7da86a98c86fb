//! The layout of the counts of a game: each count has an index.
//!
//! All counts are whole numbers. So the order in which games are added does not matter, and played
//! and stored games have the same counts.

use serde::{Deserialize, Serialize, Serializer};

use super::amounts::Amount;
use super::groups::{Groups, HAND_GROUPS};

/// Defines constants for consecutive indexes; `NAME[n]` reserves n of them.
macro_rules! indexes {
    ($(#[$doc:meta])* $end:ident: $($name:ident $([$len:expr])?,)+) => {
        indexes!(@0; $($name (1 $(* $len)?),)+ ;$(#[$doc])* $end);
    };
    (@$index:expr; $name:ident ($len:expr), $($rest:tt)*) => {
        /// The index of the first number of this count.
        pub const $name: usize = $index;
        indexes!(@$name + $len; $($rest)*);
    };
    (@$index:expr; ;$(#[$doc:meta])* $end:ident) => {
        $(#[$doc])*
        pub const $end: usize = $index;
    };
}

/// Indexes of the counts for the whole table.
pub mod table {
    use super::{FU, HAN, HAN_OF_FU, HONBA, POINTS, TURNS};

    indexes! {
        /// The number of these counts.
        COUNTS:
        GAMES, DECISIONS, HONBA_BINS[HONBA.len()], TENPAI_PLAYERS[5], TURN_BINS[TURNS.len()],
        YAKU[128], HAN_BINS[HAN.len()], FU_WINS, FU_SUM, FU_BINS[FU.len()],
        HAN_FU[HAN_OF_FU.len() * FU.len()], POINT_BINS[POINTS.len()], DORA[4],
        BUSTS, LEAD_LOST, FROM_LAST, SECOND_ROUNDS, FROM_LAST_IN_SECOND,
    }
}

/// Indexes of the counts for each group of hands, from the group's first count.
pub mod hand {
    indexes! {
        /// The number of these counts.
        COUNTS:
        HANDS, EARLIER_HANDS, REPEATS, HONBA_SUM, RIICHI,
        WON_HANDS, TSUMO, RON, TWO_RONS, THREE_RONS, TURN_SUM, WINS, HAN_WINS, HAN_SUM, POINT_SUM,
        DRAWS, REASONS[8], EXHAUSTIVE_DRAWS,
    }
}

/// Indexes of the counts for each group of players, from the group's first count.
pub mod player {
    indexes! {
        /// The number of these counts.
        COUNTS:
        HANDS, WINS, TSUMO, RON, DEAL_INS, RIICHI, CALLED, GAIN,
        WIN_POINTS, WIN_TURN, DEAL_IN_POINTS, DAMA_WINS,
        RIICHI_WINS, RIICHI_DEAL_INS, RIICHI_TURN, CALLED_WINS, CALLED_DEAL_INS,
        EXHAUSTIVE_DRAWS, TENPAI,
        GAMES, PLACEMENTS[4], PLACEMENT_SUM, POINTS, RESULT, BUSTS,
    }
}

/// The parts of a place in [`player::PLACEMENTS`]: two, three or four tied players can share each place.
pub const PLACE_PARTS: i64 = 12;
/// The parts of a place in [`player::PLACEMENT_SUM`]: the mean place of tied players can be 1.5.
pub const PLACEMENT_PARTS: i64 = 2;

/// A number of games or places. It is written as a whole number, unless tied players shared places.
#[derive(Clone, Copy, Default, PartialEq, PartialOrd, Debug, Deserialize)]
#[serde(transparent)]
#[must_use]
pub struct SharedCount(pub f64);

impl SharedCount {
    /// A count that is stored in this many parts.
    pub fn of(count: i64, parts: i64) -> SharedCount {
        SharedCount(count as f64 / parts as f64)
    }
}

impl Serialize for SharedCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

/// The lowest number of each bin of a histogram; a bin ends before the next one.
type Bins = [i32];

/// Bins of honba.
pub const HONBA: &Bins = &[0, 1, 2, 3, 4, 5, 6, 7, 8];
/// Bins of a hand's turn: the most discards of any seat.
pub const TURNS: &Bins = &[0, 4, 7, 10, 13, 16, 19];
/// Bins of han below yakuman.
pub const HAN: &Bins = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13];
/// Bins of rounded fu, for wins where fu matter.
pub const FU: &Bins = &[20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120];
/// Bins of the han of wins where fu matter: with most rules, five han are a mangan.
pub const HAN_OF_FU: &Bins = &[1, 2, 3, 4, 5];
/// Bins of a win's points, without honba and riichi sticks.
pub const POINTS: &Bins =
    &[0, 2000, 3000, 4000, 6000, 8000, 12_000, 16_000, 18_000, 24_000, 32_000, 36_000, 48_000, 64_000];

/// The index of the bin of a number; numbers below the first bin count in it.
pub(super) fn bin(bins: &Bins, number: i32) -> usize {
    bins.partition_point(|first| *first <= number).saturating_sub(1)
}

/// The index in [`Counts`] of one of the [`hand`] counts of a group.
pub const fn hand_index(group: usize, count: usize) -> usize {
    table::COUNTS + group * hand::COUNTS + count
}

/// The index in [`Counts`] of one of the [`player`] counts of a group.
pub const fn player_index(group: usize, count: usize) -> usize {
    hand_index(HAND_GROUPS, 0) + group * player::COUNTS + count
}

/// The counts of one or more games: those of the table, then those of each group of hands and of
/// each group of players.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Counts(Vec<i64>);

impl Counts {
    /// All counts are 0.
    pub fn new(groups: &Groups) -> Counts {
        Counts(vec![0; player_index(groups.player_groups(), 0)])
    }

    /// Sets all counts to 0.
    fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The count at an index.
    #[inline]
    pub fn at(&self, index: usize) -> i64 {
        self.0[index]
    }

    /// Whether both have the counts of equally many groups.
    pub fn fits(&self, other: &Counts) -> bool {
        self.0.len() == other.0.len()
    }

    /// Adds the counts of other games, which must have the same groups.
    pub fn add(&mut self, other: &Counts) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, more)| *own += more);
    }

    /// The counts of the table, by the indexes of [`table`].
    #[inline]
    pub fn table(&mut self) -> &mut [i64; table::COUNTS] {
        self.0.first_chunk_mut().expect("the table's counts come first")
    }

    /// The counts of a group of hands, by the indexes of [`hand`].
    #[inline]
    pub fn hands(&mut self, group: usize) -> &mut [i64; hand::COUNTS] {
        self.0[hand_index(group, 0)..].first_chunk_mut().expect("every group has all counts")
    }

    /// The counts of a group of players, by the indexes of [`player`].
    #[inline]
    pub(super) fn players(&mut self, group: usize) -> &mut [i64; player::COUNTS] {
        self.0[player_index(group, 0)..].first_chunk_mut().expect("every group has all counts")
    }
}

/// What is counted in a unit: one game, or all games of a duplicate set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitCounts {
    /// The counts.
    pub counts: Counts,
    /// The single amounts whose spread is measured.
    pub amounts: Vec<Amount>,
}

impl UnitCounts {
    /// The counts of no games.
    pub fn new(groups: &Groups) -> UnitCounts {
        UnitCounts { counts: Counts::new(groups), amounts: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.counts.clear();
        self.amounts.clear();
    }

    /// Adds the counts of other games, which must have the same groups.
    pub fn add(&mut self, other: &UnitCounts) {
        self.counts.add(&other.counts);
        self.amounts.extend(&other.amounts);
    }
}

#[cfg(test)]
mod tests {
    use jantaku_engine::DrawReason;

    use super::*;

    #[test]
    fn every_number_has_a_bin() {
        assert_eq!([0, 1, 3, 4, 6, 19, 70].map(|turn| bin(TURNS, turn)), [0, 0, 0, 1, 1, 6, 6]);
        assert_eq!([20, 22, 25, 30, 110, 112, 120, 140].map(|fu| bin(FU, fu)), [0, 0, 1, 2, 10, 10, 11, 11]);
        assert_eq!(bin(POINTS, 7700), bin(POINTS, 6000));
        assert_eq!(bin(HAN, 40), HAN.len() - 1);
    }

    #[test]
    fn every_draw_reason_has_a_count() {
        assert_eq!(hand::EXHAUSTIVE_DRAWS - hand::REASONS, DrawReason::ALL.len());
    }
}
