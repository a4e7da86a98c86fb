//! Completes recorded games and writes them in other formats.

use std::path::PathBuf;

use jantaku_agents::mjai;
use jantaku_engine::replay::{Both, RecordedGame, Spectator};
use jantaku_engine::{DrawReason, Event, Rules, Standing, named_enum};
use serde::Serialize;

use crate::logs::{LogError, tenhou6};
use crate::path_text;
use crate::play::{Detail, GameRecord, Memory, Origin};
use crate::replay::inputs::Input;

/// What was converted and written.
#[derive(Clone, Debug, Serialize)]
pub struct Converted {
    /// Games that were written; for a run, games in complete parts.
    pub games: u64,
    /// Output file or folder.
    #[serde(serialize_with = "path_text::serialize")]
    pub out: PathBuf,
    /// False if it was interrupted before all games were read.
    pub complete: bool,
    /// Number of games that were left out. `errors` has the first 10,000.
    pub error_count: u64,
    /// Why these games were left out.
    pub errors: Vec<LogError>,
    /// Number of games with a gap, of which only the whole hands before it were written. `gaps` has the
    /// first 10,000.
    pub gap_count: u64,
    /// Where the gaps are.
    pub gaps: Vec<LogError>,
}

named_enum! {
    /// A format to write games in.
    Format {
        /// mjai: one event per line.
        Mjai = "mjai",
        /// tenhou.net/6: one JSON object.
        Tenhou6 = "tenhou6",
        /// tenhou.net/6: a URL of Tenhou's viewer for each hand.
        Tenhou6Url = "tenhou6-url",
    }
}

impl Format {
    /// The extension of a file with one game.
    pub const fn ending(self) -> &'static str {
        match self {
            Format::Mjai => "mjson",
            Format::Tenhou6 => "json",
            Format::Tenhou6Url => "txt",
        }
    }

    /// The text of a file with this game.
    pub fn text(self, game: &RecordedGame) -> String {
        match self {
            Format::Mjai => mjai::write(game).iter().map(json).collect::<Vec<_>>().join("\n") + "\n",
            Format::Tenhou6 => tenhou6::write(game) + "\n",
            Format::Tenhou6Url => tenhou6::write_urls(game),
        }
    }

    /// The line of this game in a file with one game per line: an object with its name under `id`
    /// and the game under `events` or `log`. URLs have a line for each hand, without the name.
    pub fn line(self, name: &str, game: &RecordedGame) -> String {
        let name = json(&name);
        match self {
            Format::Mjai => format!("{{\"id\":{name},\"events\":{}}}\n", json(&mjai::write(game))),
            Format::Tenhou6 => format!("{{\"id\":{name},\"log\":{}}}\n", tenhou6::write(game)),
            Format::Tenhou6Url => tenhou6::write_urls(game),
        }
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("texts and numbers have a JSON form")
}

/// The whole hands of a game before its first gap; the same game if it has none.
///
/// # Errors
///
/// If the gap is in the first hand.
pub fn whole_hands(game: RecordedGame) -> Result<RecordedGame, LogError> {
    let Some(gap) = gap_of(&game) else { return Ok(game) };
    let before = game.before_gap();
    if before.hands.is_empty() { Err(gap) } else { Ok(before) }
}

/// The first gap of a game.
pub fn gap_of(game: &RecordedGame) -> Option<LogError> {
    game.gap().map(|(hand, gap)| LogError::new(format!("hand {hand}"), gap))
}

/// Replays a game and adds everything that the rules determine: the yaku and fu of each win, the
/// tenpai players, the points.
///
/// # Errors
///
/// If a replay differs from the recording, or the game has a gap.
pub fn complete(game: &RecordedGame) -> Result<RecordedGame, LogError> {
    let mut recording = RecordedGame::new(game.rules);
    replay(game, &mut recording)?;
    let RecordedGame { names, header, notes, .. } = game.clone();
    let known = RecordedGame { names, header, notes, ..recording };
    // Some hands of a game are not a whole game, even if the game ends with the last of them.
    let RecordedGame { is_whole, final_scores, results, .. } = *game;
    Ok(if is_whole { known } else { RecordedGame { is_whole, final_scores, results, ..known } })
}

/// Replays a recorded game to make its record for a run; `source` names the log.
fn record(game: &RecordedGame, source: &str, detail: Detail) -> Result<GameRecord, LogError> {
    let mut recorders = new_recorders(&game.rules, detail);
    replay(game, &mut recorders)?;
    recorded(recorders, &game.rules, game.names.clone(), source)
}

/// The complete game of an input, after one replay. Of a game with a gap, the whole hands before it,
/// and the gap.
///
/// # Errors
///
/// If the input cannot be read, has no whole hand before its gap or a player with a dead hand, or if its
/// replay differs from the recording.
pub fn complete_input(
    input: &Input,
    assumed: Option<&Rules>,
) -> Result<(RecordedGame, Option<LogError>), LogError> {
    let game = input.read(assumed)?;
    let gap = gap_of(&game).map(|gap| gap.in_game(&input.place()));
    Ok((complete_hands(input, whole_hands(game)?)?, gap))
}

/// The complete game of an input that was read.
fn complete_hands(input: &Input, game: RecordedGame) -> Result<RecordedGame, LogError> {
    let is_dead_hand = |event: &Event| matches!(event, Event::DeadHand { .. });
    if let Some(hand) = game.hands.iter().position(|hand| hand.events.iter().any(is_dead_hand)) {
        let what = "a player has a dead hand, which no log format states";
        return Err(LogError::new(format!("hand {hand}"), what));
    }
    match input {
        // The replay of a stored game has recorded everything, except who fouled.
        Input::Stored(..) if !has_foul(&game) => Ok(game),
        _ => complete(&game),
    }
}

/// The record of an input for a run with this detail, after one replay. The number of the game is 0.
///
/// # Errors
///
/// If the input cannot be read, its replay differs from the recording, or a log has a gap, starts late or
/// stops early.
pub fn record_input(input: &Input, assumed: Option<&Rules>, detail: Detail) -> Result<GameRecord, LogError> {
    match input {
        Input::Log(_) => record(&input.read(assumed)?, &input.id(), detail),
        Input::Stored(_, game) => {
            let mut recorders = new_recorders(&game.rules, detail);
            game.replay(&mut recorders).map_err(|what| LogError::new("", what))?;
            if has_foul(&recorders.0) {
                return record(&input.read(assumed)?, &input.id(), detail);
            }
            recorded(recorders, &game.rules, game.agents.clone(), &input.id())
        }
    }
}

/// Whether a hand ended with a foul: its replay fails, because no log states who fouled.
fn has_foul(game: &RecordedGame) -> bool {
    let ends = game.hands.iter().filter_map(|hand| hand.end.as_ref());
    ends.map(|end| end.draw).any(|draw| draw == Some(DrawReason::Chombo))
}

/// Records a replay twice: as a log and as a record for a run.
fn new_recorders(rules: &Rules, detail: Detail) -> Both<RecordedGame, Memory> {
    Both(RecordedGame::new(*rules), Memory::new(detail, rules))
}

/// The record of a replayed game, with the walls that its hands reveal. A log that starts late or stops early
/// is an error.
fn recorded(
    Both(known, memory): Both<RecordedGame, Memory>,
    rules: &Rules,
    players: Vec<String>,
    source: &str,
) -> Result<GameRecord, LogError> {
    if known.hands.first().is_none_or(|first| first.standing != Standing::start(rules)) {
        let what = "the log starts in the middle of a game: a run holds whole games";
        return Err(LogError::new("the first hand", what));
    }
    let stops = || LogError::new("the end", "the log stops before the game ends: a run holds whole games");
    let mut record = memory.finish(0, 0).ok_or_else(stops)?;
    for (hand, recorded) in record.hands.iter_mut().zip(&known.hands) {
        let wall = recorded.wall(rules).map_err(|error| LogError::new("a hand", error))?;
        hand.wall = Some(wall);
    }
    record.origin = Some(Box::new(Origin { source: source.to_owned(), players, rules: *rules }));
    Ok(record)
}

/// Replays a game, which must end as recorded.
fn replay(game: &RecordedGame, spectator: &mut dyn Spectator) -> Result<(), LogError> {
    let report = game.replay(spectator);
    report.differences.first().map_or(Ok(()), |difference| Err(LogError::new("", difference)))
}
