//! The sizes of the long checks: quick, usual and full ([`Size`]).

use crate::level::Size;

/// Positions of a log at which each edit is tried.
pub const EDIT_POSITIONS: Size = Size(1, 1, 3);
/// Logs with random damage.
pub const MUTATED_LOGS: Size = Size(1_000, 3_000, 10_000);
/// Of this many recorded games, one is written in other formats and read again.
pub const ROUND_TRIP_STEP: Size = Size(16, 8, 1);
/// Batches of each folder of recorded games that a loader reads; the folders have fewer than the last.
pub const LOADED_BATCHES: Size = Size(10, 40, u32::MAX);
/// Of this many batches, a loader continues after one.
pub const CONTINUED_STEP: Size = Size(8, 5, 1);
