//! The sizes of the long checks: quick, usual and full ([`Size`]).

use crate::level::Size;

/// Hands that check each law of `laws`.
pub const LAW_HANDS: Size = Size(400, 400, 400);
/// The same for the laws that try every action or search every hand.
pub const SLOW_LAW_HANDS: Size = Size(25, 100, 400);
/// Seeds whose deals must differ.
pub const SEEDS: Size = Size(1_000, 10_000, 10_000);
/// Hands that check each law of `hidden`.
pub const HIDDEN_HANDS: Size = Size(200, 400, 400);
/// The referee counts up to the depth with at most this many lines; the files have up to 300,000.
pub const PERFT_LINES: Size = Size(200, 4_000, 20_000);
/// Hands that the referee follows under each rule set.
pub const REFEREE_HANDS: Size = Size(10, 40, 100);
/// Files of perft positions that are found and counted again, of seven.
pub const PERFT_FILES: Size = Size(1, 2, 7);
/// Percent of the hands whose positions are read back.
pub const POSITION_PERCENT: Size = Size(10, 30, 100);
/// Texts that are close to a position.
pub const MUTATED_POSITIONS: Size = Size(1_000, 4_000, 20_000);
