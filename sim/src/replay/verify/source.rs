//! Replays the games of a part from seeds or walls and the stored actions.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::Path;

use jantaku_engine::replay::{
    Answers, Both, GameStart, HandReplayer, RecordedGame, Stopped, replay_game_from,
};
use jantaku_engine::rules::options::Enforce;
use jantaku_engine::{Action, ActionId, Game, Observation, Rules, Standing, Wall, notation};

use super::Difference;
use crate::dataset::{Contents, ReadError, StoredColumn as _, TableFile, TableKind, read_origins, select};
use crate::play::{Detail, GameRecord, Memory, Origin};

select! {
    struct ActionColumns from decisions { game, action }
}

select! {
    struct WallColumns from walls { game, wall }
}

/// The stored columns from which the games of a part are replayed.
///
/// Their rows are taken in order. Other columns, such as the step, are not read: `verify` checks
/// them.
pub(super) struct Source {
    part: u64,
    actions: RowCursor<u8>,
    /// Empty for self-play games.
    origins: RowCursor<Result<Origin, String>>,
    /// Empty for self-play games.
    walls: RowCursor<String>,
    /// How much the run keeps of each game.
    detail: Detail,
}

/// A game that was replayed.
pub(super) struct ReplayedGame {
    pub(super) record: GameRecord,
    /// The first impossible action. The replay then continued with other actions.
    pub(super) stop: Option<ImpossibleAction>,
    /// The row of its first wall; None for a self-play game.
    pub(super) first_wall: Option<u64>,
}

/// A stored action that is not legal.
pub(super) struct ImpossibleAction {
    /// Its row of the decisions.
    pub(super) row: u64,
    pub(super) expected: String,
    pub(super) found: String,
}

impl Source {
    /// Reads the columns of a part.
    pub fn read(folder: &Path, contents: &Contents, part: u64) -> Result<Source, ReadError> {
        let mut source = Source {
            part,
            actions: RowCursor::new(),
            origins: RowCursor::new(),
            walls: RowCursor::new(),
            detail: contents.detail,
        };
        TableFile::new(folder, TableKind::Decisions, part).read(|columns: &ActionColumns, row| {
            source.actions.push(columns.game.at(row), columns.action.at(row));
            Ok(())
        })?;
        if contents.walls {
            let origins = read_origins(folder, contents, part)?;
            origins.into_iter().for_each(|(game, origin)| source.origins.push(game, origin));
            TableFile::new(folder, TableKind::Walls, part).read(|columns: &WallColumns, row| {
                source.walls.push(columns.game.at(row), columns.wall.at(row).to_owned());
                Ok(())
            })?;
        }
        Ok(source)
    }

    /// The number of rows of decisions from the current one up to the first row of the next game.
    pub(super) fn decisions_up_to_next(&self, game: u64) -> usize {
        self.actions.first_of(game + 1).saturating_sub(self.actions.next)
    }

    /// Continues at the first row of a game in one table, or at its end if no row has this game.
    pub(super) fn go_to(&mut self, table: TableKind, game: u64) {
        match table {
            TableKind::Games => self.origins.go_to(game),
            TableKind::Hands | TableKind::Oracle | TableKind::Labels => {}
            TableKind::Decisions => self.actions.go_to(game),
            TableKind::Walls => self.walls.go_to(game),
        }
    }

    /// Replays a game from its start and its seed.
    pub(super) fn replay_seed(
        &mut self,
        rules: &Rules,
        start: &GameStart,
        (game, seed): (u64, u64),
    ) -> ReplayedGame {
        let mut memory = Memory::new(self.detail, rules);
        let mut stored = StoredActions { actions: &mut self.actions, stop: None };
        let answer = |_: &Game, o: &Observation<'_>| Ok::<_, Infallible>(stored.answer(o));
        let replayed = replay_game_from(rules, seed, start, &mut Answers(answer, &mut memory));
        replayed.expect("a run is read only if its rules and its first hand are valid");
        let stop = stored.stop;
        let mut record = memory.finish(game, seed).expect("the game is over");
        if self.detail >= Detail::Oracle {
            record.add_walls(rules);
        }
        ReplayedGame { record, stop, first_wall: None }
    }

    /// Replays a game from a log, hand by hand from its walls.
    ///
    /// # Errors
    ///
    /// If the rules or a wall do not fit the game.
    pub(super) fn replay_walls(&mut self, game: u64) -> Result<ReplayedGame, Box<Difference>> {
        let row = self.origins.next;
        let origin = self.next_origin(game)?;
        let rules = origin.rules;
        let mut recorders = Both(Memory::new(self.detail, &rules), RecordedGame::new(rules));
        let mut stored = StoredActions { actions: &mut self.actions, stop: None };
        let mut replayer = HandReplayer::new(&rules);
        let first_wall = self.walls.next as u64;
        let mut next = Some(Standing::start(&rules));
        while let Some(standing) = next {
            // After an impossible action, any wall ends the game.
            let wall = match stored.stop {
                None => Some(next_wall(&mut self.walls, &rules, (self.part, game))?),
                Some(_) => None,
            };
            let answer = |_: &Game, o: &Observation<'_>| Ok::<_, Infallible>(stored.answer(o));
            let replayed = replayer.play(&standing, wall, &mut Answers(answer, &mut recorders));
            next = match replayed {
                Ok(replayed) => replayed.next(),
                Err(Stopped::Start(error)) => {
                    let values = ["rules that can be played".to_owned(), error.to_string()];
                    let place = (game, row as u64);
                    return Err(Box::new(Difference::in_row(
                        TableKind::Games,
                        self.part,
                        place,
                        "ruleset",
                        values,
                    )));
                }
            };
        }
        let (stop, Both(memory, recording)) = (stored.stop, recorders);
        let mut record = memory.finish(game, 0).expect("the game is over");
        for (hand, recorded) in record.hands.iter_mut().zip(&recording.hands) {
            // Fills in the same tiles as the conversion of the log.
            hand.wall = recorded.wall(&rules).ok();
        }
        record.origin = Some(Box::new(origin));
        Ok(ReplayedGame { record, stop, first_wall: Some(first_wall) })
    }

    /// Takes the origin of the next game, which must have a name for each player.
    fn next_origin(&mut self, game: u64) -> Result<Origin, Box<Difference>> {
        let part = self.part;
        let mismatch = |row: usize, column, expected: &str, found: String| {
            let (place, values) = ((game, row as u64), [expected.to_owned(), found]);
            Box::new(Difference::in_row(TableKind::Games, part, place, column, values))
        };
        let row = self.origins.next;
        let Some(origin) = self.origins.take() else {
            let before = self.origins.row_after_games_before(game);
            return Err(mismatch(before, "row", &format!("a row of game {game}"), "none".to_owned()));
        };
        let origin = origin.map_err(|found| mismatch(row, "ruleset", "rules as a TOML text", found))?;
        if origin.players.len() == usize::from(origin.rules.players.count()) {
            return Ok(origin);
        }
        let found = format!("[{}]", origin.players.join(", "));
        Err(mismatch(row, "agents", "a name for each player", found))
    }
}

/// Takes the next wall, for a hand of this part and game under these rules.
fn next_wall(
    walls: &mut RowCursor<String>,
    rules: &Rules,
    (part, game): (u64, u64),
) -> Result<Wall, Box<Difference>> {
    let row = walls.next as u64;
    let text = walls.take().unwrap_or_default();
    let wall = notation::parse_tiles(&text).ok().and_then(|tiles| Wall::from_tiles(&tiles, rules).ok());
    wall.ok_or_else(|| {
        let values = ["the tiles of one wall".to_owned(), text];
        Box::new(Difference::in_row(TableKind::Walls, part, (game, row), "wall", values))
    })
}

/// The values of a stored column, taken row by row.
struct RowCursor<T> {
    values: Vec<T>,
    /// The next row.
    next: usize,
    /// The first row of each game.
    first_rows: BTreeMap<u64, usize>,
}

impl<T: Clone> RowCursor<T> {
    const fn new() -> RowCursor<T> {
        RowCursor { values: Vec::new(), next: 0, first_rows: BTreeMap::new() }
    }

    /// Adds a row of a game.
    fn push(&mut self, game: u64, value: T) {
        self.first_rows.entry(game).or_insert(self.values.len());
        self.values.push(value);
    }

    /// Takes the next value; None at the end.
    fn take(&mut self) -> Option<T> {
        let value = self.values.get(self.next).cloned();
        self.next += 1;
        value
    }

    /// The first row of a game, or the end.
    fn first_of(&self, game: u64) -> usize {
        self.first_rows.get(&game).copied().unwrap_or(self.values.len())
    }

    /// Where the row of a game belongs in a table with one row per game: after those of the games before it.
    fn row_after_games_before(&self, game: u64) -> usize {
        self.first_rows.range(..game).next_back().map_or(0, |(_, row)| row + 1)
    }

    /// Continues at the first row of a game, or at the end.
    fn go_to(&mut self, game: u64) {
        self.next = self.first_of(game);
    }
}

/// Answers with the stored actions, and after an impossible one with the first legal action.
struct StoredActions<'a> {
    actions: &'a mut RowCursor<u8>,
    /// The impossible action.
    stop: Option<ImpossibleAction>,
}

impl StoredActions<'_> {
    /// Takes the next stored action. If it is impossible, the error is the stored value as text.
    fn stored_action(&mut self, o: &Observation<'_>) -> Result<Action, String> {
        let number = self.actions.take().ok_or("the end of the decisions")?;
        let action = ActionId::new(number).ok_or_else(|| number.to_string())?;
        if o.legal().contains(action) || o.rules().enforce == Enforce::Referee {
            Ok(action.action())
        } else {
            Err(format!("{number} ({})", o.describe(action.action())))
        }
    }

    fn answer(&mut self, o: &Observation<'_>) -> Action {
        if self.stop.is_none() {
            let row = self.actions.next as u64;
            match self.stored_action(o) {
                Ok(action) => return action,
                Err(found) => {
                    let legal = o.legal().iter().map(|id| o.describe(id.action()));
                    let expected = format!("one of {}", legal.collect::<Vec<_>>().join(", "));
                    self.stop = Some(ImpossibleAction { row, expected, found });
                }
            }
        }
        o.legal().first().expect("a decision has legal actions").action()
    }
}
