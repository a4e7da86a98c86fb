//! The rows that a learner receives.

use jantaku_agents::encode::{Encoder, OracleV1, Rows, RowsMut};

use serde::{Deserialize, Serialize};

use super::error::EnvError;
use super::table::RowFacts;

/// A column of a row.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The name.
    pub name: &'static str,
    /// The type of its elements in Rust, such as `u8`.
    pub element: &'static str,
    /// Its meaning, line by line.
    pub about: &'static [&'static str],
}

/// Provides the arrays of columns with elements of type `T`.
pub trait ColumnArrays<T, E> {
    /// An array, or what lends it.
    type Array;

    /// The array of the column with this name.
    ///
    /// # Errors
    ///
    /// If there is none of this type.
    fn array(&mut self, name: &'static str) -> Result<Self::Array, E>;

    /// The elements of an array.
    ///
    /// # Errors
    ///
    /// If they are not contiguous.
    fn elements(array: &mut Self::Array) -> Result<&mut [T], E>;
}

/// States the columns of a row.
///
/// `from facts; /// Meaning. name: Type = value;` adds a column: `value` is an expression over the
/// [`RowFacts`] `facts`. Arrays, documentation and, in Python, types for checkers follow.
macro_rules! columns {
    (from $facts:ident; $($(#[doc = $doc:literal])+ $name:ident: $type:ty = $value:expr;)+) => {
        /// The columns in order.
        pub const COLUMNS: &[Column] = &[$(
            Column { name: stringify!($name), element: stringify!($type), about: &[$($doc),+] },
        )+];

        /// Calls `work` with a batch of the arrays that `arrays` provides.
        ///
        /// # Errors
        ///
        /// If an array is missing or not contiguous, or `work` fails.
        pub fn with_arrays<A, E, R>(
            arrays: &mut A,
            encoded: RowsMut<'_>,
            oracle: &mut [[u8; OracleV1::BYTES]],
            work: impl FnOnce(&mut BatchMut<'_>) -> Result<R, E>,
        ) -> Result<R, E>
        where
            $(A: ColumnArrays<$type, E>,)+
        {
            $(let mut $name = ColumnArrays::<$type, E>::array(arrays, stringify!($name))?;)+
            work(&mut BatchMut {
                $($name: <A as ColumnArrays<$type, E>>::elements(&mut $name)?,)+
                encoded,
                oracle,
            })
        }

        /// Arrays for rows, which the caller owns. All have the same number of rows.
        #[derive(Debug)]
        pub struct BatchMut<'a> {
            $($(#[doc = $doc])+ pub $name: &'a mut [$type],)+
            /// Legal actions and encodings. Both are empty in a row that is not due.
            pub encoded: RowsMut<'a>,
            /// What the seat does not see ([`OracleV1`]), zeros in a row that is not due. Without rows
            /// if it is not wanted.
            pub oracle: &'a mut [[u8; OracleV1::BYTES]],
        }

        /// Rows that own their memory.
        #[derive(Clone, Debug, Default)]
        pub struct Batch {
            $($(#[doc = $doc])+ pub $name: Vec<$type>,)+
            /// Legal actions and encodings. Both are empty in a row that is not due.
            pub encoded: Rows,
            /// What the seat does not see ([`OracleV1`]), zeros in a row that is not due. Empty if it
            /// is not wanted.
            pub oracle: Vec<[u8; OracleV1::BYTES]>,
        }

        impl Batch {
            /// This many rows of zeros. Without an encoder, rows have only legal actions.
            pub fn new(encoder: Option<Encoder>, rows: usize) -> Batch {
                Batch {
                    $($name: vec![<$type>::default(); rows],)+
                    encoded: Rows::with_masks(encoder, rows),
                    oracle: Vec::new(),
                }
            }

            /// The same rows with what their seats do not see.
            #[must_use]
            pub fn with_oracle(self) -> Batch {
                Batch { oracle: vec![[0; OracleV1::BYTES]; self.encoded.rows()], ..self }
            }

            /// The rows to fill.
            pub fn view_mut(&mut self) -> BatchMut<'_> {
                BatchMut { $($name: &mut self.$name,)+ encoded: self.encoded.view_mut(), oracle: &mut self.oracle }
            }
        }

        impl BatchMut<'_> {
            /// The number of rows, at least 1. Fails if the arrays differ in it.
            pub(super) fn rows(&self) -> Result<usize, EnvError> {
                let rows = self.encoded.rows();
                let of_oracle = if self.oracle.is_empty() { rows } else { self.oracle.len() };
                let found = [$(self.$name.len(),)+ rows, of_oracle];
                if found.iter().any(|rows| *rows != found[0] || *rows == 0) {
                    return Err(EnvError::Room { found: format!("{found:?}") });
                }
                Ok(found[0])
            }

            /// Writes rows without legal actions and encoding, from row `first` on.
            #[inline]
            pub(super) fn write(&mut self, first: usize, rows: &[Row]) {
                let places = first..first + rows.len();
                $(
                    let column = self.$name[places.clone()].iter_mut();
                    column.zip(rows).for_each(|(to, row)| *to = row.$name);
                )+
            }

        }

        /// A row without its legal actions and encoding.
        #[derive(Clone, Copy, Debug, Serialize, Deserialize)]
        pub(super) struct Row {
            $(pub(super) $name: $type,)+
        }

        impl Row {
            #[inline]
            pub(super) fn new($facts: &RowFacts<'_>) -> Row {
                Row { $($name: $value,)+ }
            }
        }
    };
}

columns! {
    from facts;
    /// The ID of the decision: table · players + seat.
    ids: i32 = (facts.at * facts.common.seats() + facts.seat.index()) as i32;
    /// The table, from 0.
    tables: i32 = facts.at as i32;
    /// The seat, from 0.
    seats: u8 = facts.seat.number();
    /// Whether the seat must decide. If not, the row ends the seat's game.
    due: bool = facts.end.is_none();
    /// The reward since the seat's previous row.
    rewards: f32 = {
        let points = facts.common.rewards.for_points(facts.won);
        facts.end.map_or(points, |result| points + facts.common.rewards.at_end(result))
    };
    /// Whether the seat's game is over by its rules.
    terminated: bool = facts.end.is_some() && !facts.table.game.is_endless();
    /// Whether the game was cut off at the engine's limits. `terminated` is then false.
    truncated: bool = facts.end.is_some() && facts.table.game.is_endless();
    /// The number of the game at its table, from 0, so (table, game) names a game. A reset counts from
    /// 0 again.
    games: i32 = facts.table.number as i32;
    /// How many hands of the game have ended: in a row that is due, the number of the hand in play, from
    /// 0. So a hand ended between two rows of a game if this number differs. The decision of the dealer
    /// on the end of the game still belongs to the hand.
    hands: i32 = facts.table.progress.hands.ended().into();
    /// The number of earlier decisions of the seat in this game.
    decisions: i32 = facts.table.decisions[facts.seat] as i32;
    /// The points of the seat.
    points: i32 = facts.table.game.scores()[facts.seat];
    /// The placement, from 1, in rows that end a game; 0 in others.
    placements: u8 = facts.end.map_or(0, |result| result.placement);
    /// The result with uma and oka in points, in rows that end a game; 0 in others.
    results: i32 = facts.end.map_or(0, |result| result.result);
    /// The number of the game's line-up, from 0, counting all line-ups the environment ever had.
    opponents: i32 = facts.table.lineup.number as i32;
}
