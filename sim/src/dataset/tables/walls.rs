//! The table of walls.

use jantaku_engine::Wall;

use super::statement::{PlayedGame, table};
use crate::dataset::column::Storage;
use crate::dataset::types::{Text, U16, U64};

table! {
    /// One row per hand, in runs of games from logs and with `--log oracle`: the walls of
    /// self-play games follow from their seeds. No player sees any of it. With four players,
    /// tiles 0 to 51 are dealt and 52 to 121 are live. After k replacement tiles, the next live
    /// tile is tile 122 - k - `live`.
    Walls, from Row { game, hand, wall },

    game: U64 [storage: Storage::Delta] = *game
        => "Number of the game in its run.";
    hand: U16 [storage: Storage::Delta] = *hand
        => "Number of the hand in its game, from 0.";
    wall: Text [storage: Storage::Lengths] = wall.tiles().iter().map(ToString::to_string).collect::<String>()
        => "All tiles of the wall in hand notation, in the order of the engine's wall: dealt tiles, live tiles, dead wall. In a game from a log, the tiles that the log does not show are filled in from the rest of the set. No player sees this column.";
}

/// A wall with the numbers of its game and hand.
struct Row<'a> {
    game: u64,
    hand: u16,
    wall: &'a Wall,
}

fn rows_of<'a>(game: &PlayedGame<'a>) -> impl Iterator<Item = Row<'a>> {
    let record = game.record;
    let walls = (0..).zip(&record.hands).filter_map(|(number, hand)| Some((number, hand.wall.as_ref()?)));
    walls.map(|(hand, wall)| Row { game: record.game, hand, wall })
}
