//! Completes recorded games and writes them in other formats.

use jantaku_agents::mjai;
use jantaku_engine::Standing;
use jantaku_engine::replay::{Both, RecordedGame, Recording, Spectator};

use crate::logs::{LogError, tenhou6};
use crate::play::{Detail, GameRecord, Memory, Origin};

/// A format to write games in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// mjai: one event per line.
    Mjai,
    /// tenhou.net/6: one JSON object.
    Tenhou6,
}

impl Format {
    /// The extension of a file with one game.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Format::Mjai => "mjson",
            Format::Tenhou6 => "json",
        }
    }

    /// The text of a file with this game.
    #[must_use]
    pub fn text(self, game: &RecordedGame) -> String {
        match self {
            Format::Mjai => mjai::write(game).iter().map(json).collect::<Vec<_>>().join("\n") + "\n",
            Format::Tenhou6 => tenhou6::write(game) + "\n",
        }
    }

    /// The line of this game in a file with one game per line: an object with its name under `id`
    /// and the game under `events` or `log`.
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

/// Replays a game and adds everything that the rules determine: the yaku and fu of each win, the
/// tenpai players, the points.
///
/// # Errors
///
/// If a replay does not come out as recorded.
pub fn complete(game: &RecordedGame) -> Result<RecordedGame, LogError> {
    let mut recording = Recording::new(&game.rules);
    replay(game, &mut recording)?;
    let known = RecordedGame { names: game.names.clone(), ..recording.into_game() };
    // Some hands of a game are not a whole game, even if the game ends with the last of them.
    let RecordedGame { is_whole, final_scores, results, .. } = *game;
    Ok(if is_whole { known } else { RecordedGame { is_whole, final_scores, results, ..known } })
}

/// Replays a game to make its rows in a run. The record's number is 0; `source` names the log.
///
/// # Errors
///
/// If a replay does not come out as recorded, or the log starts late or stops early.
pub fn record(game: &RecordedGame, source: &str) -> Result<GameRecord, LogError> {
    let (recording, memory) = (Recording::new(&game.rules), Memory::new(Detail::Decisions, &game.rules));
    let mut seen = Both(recording, memory);
    replay(game, &mut seen)?;
    let Both(recording, memory) = seen;
    let known = recording.into_game();
    if known.hands.first().is_none_or(|first| first.standing != Standing::start(&game.rules)) {
        let what = "the log starts in the middle of a game: a run holds whole games";
        return Err(LogError::new("the first hand", what));
    }
    let stops = || LogError::new("the end", "the log stops before the game ends: a run holds whole games");
    let mut record = memory.finish(0, 0).ok_or_else(stops)?;
    for (hand, recorded) in record.hands.iter_mut().zip(&known.hands) {
        let wall = recorded.wall(&game.rules).map_err(|error| LogError::new("a hand", error))?;
        hand.wall = Some(wall);
    }
    let players = game.names.clone();
    record.origin = Some(Box::new(Origin { source: source.to_owned(), players, rules: game.rules }));
    Ok(record)
}

/// Replays a game that must come out as recorded.
fn replay(game: &RecordedGame, spectator: &mut impl Spectator) -> Result<(), LogError> {
    let report = game.replay(spectator);
    report.differences.first().map_or(Ok(()), |difference| Err(LogError::new("", difference)))
}
