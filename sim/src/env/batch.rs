//! The rows that a learner receives.

use jantaku_agents::encode::{Encoder, OracleV1, Rows, RowsMut};

use serde::{Deserialize, Serialize};

use super::error::EnvError;

/// Declares the columns of a row, as slices and as vectors.
macro_rules! columns {
    ($($(#[doc = $doc:literal])+ $name:ident: $type:ty;)+) => {
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
            #[must_use]
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
            /// The number of rows.
            pub(super) fn rows(&self) -> Result<usize, EnvError> {
                let rows = self.encoded.rows();
                let of_oracle = if self.oracle.is_empty() { rows } else { self.oracle.len() };
                let found = [$(self.$name.len(),)+ rows, of_oracle];
                if found.iter().any(|rows| *rows != found[0] || *rows == 0) {
                    return Err(EnvError::Room { found: format!("{found:?}") });
                }
                Ok(found[0])
            }

            /// Writes rows without legal actions and encoding, the first of them to this row.
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
    };
}

columns! {
    /// The ID of the decision: table · players + seat.
    ids: i32;
    /// The table, from 0.
    tables: i32;
    /// The seat, from 0.
    seats: u8;
    /// Whether the seat must decide. If not, the row ends its game.
    due: bool;
    /// The reward of the seat since its previous row.
    rewards: f32;
    /// Whether the seat's game is over.
    terminated: bool;
    /// Whether the game was cut off at the engine's limits. `terminated` is then false.
    truncated: bool;
    /// The number of the game at its table, from 0.
    games: u32;
    /// The number of hands of the game that ended before the row, so the number of the hand in play.
    hands: u16;
    /// The number of earlier decisions of the seat in this game.
    decisions: u32;
    /// The points of the seat.
    points: i32;
    /// The placement at the end of the game, from 1; 0 before.
    placements: u8;
    /// The result with uma and oka at the end of the game, in points; 0 before.
    results: i32;
    /// The number of the game's line-up, from 0, counting all line-ups the environment ever had.
    lineups: u32;
}
