//! The sizes of the long checks: quick, usual and full ([`Size`]).

use crate::level::Size;

/// Kills of a run that is resumed after each.
pub const KILLS: Size = Size(5, 20, 50);
/// Hands under each rule set that are analysed.
pub const LAW_HANDS: Size = Size(50, 200, 200);
/// Values that are changed in each table of each run.
pub const CORRUPTIONS: Size = Size(5, 10, 20);
/// 1 if all recorded games are converted back and forth, 0 for those of one file.
pub const ALL_CONVERSIONS: Size = Size(0, 0, 1);
