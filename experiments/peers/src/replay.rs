//! Replays of recorded games. Reading them is not counted.

use jantaku_engine::replay::RecordedGame;

use crate::measure::Row;

/// Our replay finds all decisions, also passes, and compares all recorded events.
///
/// `riichienv` replays only in its Python package.
pub fn replays(games: &[RecordedGame]) -> Row {
    let ours = || {
        let replay = |game: &RecordedGame| {
            let report = game.replay(&mut ());
            assert_eq!(report.differences, [], "differences of our own recording");
            report.decisions as u64
        };
        games.iter().map(replay).sum()
    };
    Row::of("replay of a hanchan", games.len(), vec![("jantaku", Box::new(ours))])
}
