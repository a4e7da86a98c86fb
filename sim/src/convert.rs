//! Recorded games from one format into another.

use jantaku_agents::mjai;
use jantaku_engine::Rules;
use jantaku_engine::replay::{RecordedGame, Recording};

use crate::formats::files::Source;
use crate::formats::{LogError, tenhou6};

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

/// Reads a game and plays it again, so that everything is known of it that the rules give: the yaku and fu of each win, who was
/// tenpai, the points.
///
/// # Errors
///
/// If the log cannot be read, or the game does not come out as recorded.
pub fn complete(source: &Source, assumed: Option<&Rules>) -> Result<RecordedGame, LogError> {
    let game = source.read(assumed)?;
    let mut recording = Recording::new(&game.rules);
    let report = game.replay(&mut recording);
    match report.differences.first() {
        None => Ok(RecordedGame { names: game.names, ..recording.into_game() }),
        Some(difference) => Err(LogError::new("", difference)),
    }
}
