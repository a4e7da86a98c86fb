//! Reads logs of one or several games.

use std::io::Cursor;
use std::path::Path;

use jantaku_engine::Rules;
use jantaku_engine::replay::RecordedGame;
use jantaku_sim::logs::LogError;
use jantaku_sim::logs::files::Games;
use jantaku_sim::replay::convert::Format;
use serde_json::Value;

/// All games of a log, read under these rules or those that the log states.
pub fn read_all(log: impl Into<Vec<u8>>, given: Option<&Rules>) -> Vec<Result<RecordedGame, LogError>> {
    let games = Games::of(Path::new("log"), Cursor::new(log.into())).expect("the start of a log");
    let read = |source: jantaku_sim::logs::Source| {
        let name = source.name.clone();
        source.read(given).map_err(|error| error.in_game(&name))
    };
    games.map(|source| source.and_then(read)).collect()
}

/// The only game of a log.
pub fn try_read(log: &impl ToString, given: Option<&Rules>) -> Result<RecordedGame, LogError> {
    let mut games = read_all(log.to_string(), given);
    assert_eq!(games.len(), 1, "a log of one game");
    games.remove(0)
}

/// The only game of a log, under the rules that the log states.
pub fn read(log: &impl ToString) -> RecordedGame {
    try_read(log, None).unwrap_or_else(|error| panic!("{error}"))
}

/// What a replay finds.
pub fn differences(game: &RecordedGame) -> Vec<String> {
    game.replay(&mut ()).differences.iter().map(ToString::to_string).collect()
}

pub fn tenhou6(game: &RecordedGame) -> Value {
    serde_json::from_str(&Format::Tenhou6.text(game)).expect("JSON")
}

/// The events of the mjai log of a game.
pub fn mjai(game: &RecordedGame) -> Vec<Value> {
    let events = Format::Mjai.text(game);
    events.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}
