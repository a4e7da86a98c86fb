//! The sizes of the long checks: quick, usual and full ([`Size`]).

use crate::level::Size;

/// Kills of a run that is resumed after each. The storm of the library has thousands.
pub const KILLS: Size = Size(3, 6, 12);
/// Sets of matches and leagues with bots that are killed.
pub const BOT_SETS: Size = Size(6, 6, 12);
/// Matches whose intervals must cover the truth.
pub const MATCHES: Size = Size(80, 80, 120);
/// Games that are played at any number of tables, hundreds at once.
pub const TABLED_GAMES: Size = Size(200, 200, 350);
/// Hands under each rule set that are analysed.
pub const LAW_HANDS: Size = Size(50, 200, 200);
/// Values that are changed in each table of each run.
pub const CORRUPTIONS: Size = Size(5, 10, 20);
/// Games under each preset that are replayed from runs and logs.
pub const REPLAYED_GAMES: Size = Size(4, 4, 8);
/// Games under each preset that a bot plays like its agent.
pub const GAMES_OF_BOTS: Size = Size(1, 1, 2);
/// 1 if all recorded games are converted back and forth, 0 for those of two files.
pub const ALL_CONVERSIONS: Size = Size(0, 0, 1);
