//! Recorded games, played again; reading them is not counted.

use jantaku_engine::replay::RecordedGame;

use crate::measure::Row;

/// Ours finds every decision, those that were passed over too, and compares everything that was recorded. The peer's is part of its Python
/// package.
pub fn replays(games: &[RecordedGame]) -> Row {
    let ours = || {
        let replay = |game: &RecordedGame| {
            let report = game.replay(&mut ());
            assert_eq!(report.differences, [], "a recording of our own");
            report.decisions as u64
        };
        games.iter().map(replay).sum()
    };
    Row::of("replay of a hanchan", games.len(), vec![("jantaku", Box::new(ours))])
}
