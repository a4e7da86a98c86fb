//! Recorded games from one format into another.

use jantaku_agents::mjai;
use jantaku_engine::Standing;
use jantaku_engine::replay::{RecordedGame, Recording};

use crate::logs::{LogError, tenhou6};
use crate::play::{Detail, GameRecord, Memory, Origin};

/// A format that games are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// mjai: an event a line.
    Mjai,
    /// tenhou.net/6: one JSON object.
    Tenhou6,
}

impl Format {
    /// The end of a file's name.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Format::Mjai => "mjson",
            Format::Tenhou6 => "json",
        }
    }

    /// The text of a file that holds this game.
    #[must_use]
    pub fn text(self, game: &RecordedGame) -> String {
        match self {
            Format::Mjai => mjai::write(game).iter().map(json).collect::<Vec<_>>().join("\n") + "\n",
            Format::Tenhou6 => tenhou6::write(game) + "\n",
        }
    }

    /// The line that holds this game in a file of many: an object with its name, and the game under `events` or `log`.
    #[must_use]
    pub fn line(self, name: &str, game: &RecordedGame) -> String {
        let name = json(&name);
        match self {
            Format::Mjai => format!("{{\"id\":{name},\"events\":{}}}\n", json(&mjai::write(game))),
            Format::Tenhou6 => format!("{{\"id\":{name},\"log\":{}}}\n", tenhou6::write(game)),
        }
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("texts and numbers have a JSON form")
}

/// A game with everything that the rules tell of it: the yaku and fu of each win, who was tenpai, the points.
///
/// # Errors
///
/// If the game does not come out as recorded.
pub fn complete(game: &RecordedGame) -> Result<RecordedGame, LogError> {
    let mut recording = Recording::new(&game.rules);
    match game.replay(&mut recording).differences.first() {
        None => {
            let known = RecordedGame { names: game.names.clone(), ..recording.into_game() };
            // Some hands out of a game are no whole game, even if it ends with the last of them.
            let RecordedGame { is_whole, final_scores, results, .. } = *game;
            Ok(if is_whole { known } else { RecordedGame { is_whole, final_scores, results, ..known } })
        }
        Some(difference) => Err(LogError::new("", difference)),
    }
}

/// The rows of a recorded game in the tables of a run, where it has this number; `source` names its log.
///
/// # Errors
///
/// If the game does not come out as recorded, or the log begins after its start or stops before its end.
pub fn record(game: &RecordedGame, number: u64, source: &str) -> Result<GameRecord, LogError> {
    if game.hands.first().is_none_or(|first| first.standing != Standing::start(&game.rules)) {
        let what = "the log begins in the middle of a game: a run holds whole games";
        return Err(LogError::new("the first hand", what));
    }
    let mut memory = Memory::new(Detail::Decisions, &game.rules);
    if let Some(difference) = game.replay(&mut memory).differences.first() {
        return Err(LogError::new("", difference));
    }
    let stops = || LogError::new("the end", "the log stops before the game ends: a run holds whole games");
    let mut record = memory.finish(number, 0).ok_or_else(stops)?;
    for (hand, recorded) in record.hands.iter_mut().zip(&game.hands) {
        let wall = recorded.wall(&game.rules).map_err(|error| LogError::new("a hand", error))?;
        hand.wall = Some(wall);
    }
    let players = game.names.clone();
    record.origin = Some(Box::new(Origin { source: source.to_owned(), players, rules: game.rules }));
    Ok(record)
}
