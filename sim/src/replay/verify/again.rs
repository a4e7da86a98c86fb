//! The games of a part played again, from seeds or walls and the stored actions.

use std::collections::BTreeMap;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{UInt8Type, UInt64Type};
use jantaku_engine::replay::{OneHand, RecordedHand, Recording, Spectator};
use jantaku_engine::rules::knobs::Enforce;
use jantaku_engine::{
    Action, ActionId, Event, Game, Observation, Observer, Phase, Rules, Standing, Wall, notation,
};

use crate::dataset::{ReadError, Table, TableFile, column, read_origins};
use crate::play::{Detail, GameRecord, Memory, Origin};
use crate::run::RunConfig;

/// What the games of a part are played again from: actions, origins and walls one after the other, whatever else their rows say.
pub(super) struct Source {
    actions: Vec<u8>,
    /// The next action.
    action: usize,
    /// The first decision of each game, as the rows say.
    first_decisions: BTreeMap<u64, usize>,
    /// Of games that came from logs, in order.
    origins: Vec<Result<Origin, String>>,
    /// The next origin.
    origin: usize,
    first_origins: BTreeMap<u64, usize>,
    walls: Vec<String>,
    /// The next wall.
    wall: usize,
    first_walls: BTreeMap<u64, usize>,
}

/// A game that was played again.
pub(super) struct Again {
    pub(super) record: GameRecord,
    /// Where the stored actions could not be followed; the game then went on to some end.
    pub(super) stop: Option<Stop>,
    /// The row of its first wall.
    pub(super) first_wall: u64,
}

/// A stored action that cannot be.
pub(super) struct Stop {
    /// Its row among the decisions.
    pub(super) row: u64,
    pub(super) expected: String,
    pub(super) found: String,
}

/// A value that does not fit its game, which cannot be played again if it is of walls or rules: its row in a table, the column, what was
/// expected and what was found.
pub(super) struct Misfit {
    pub(super) table: Table,
    pub(super) row: u64,
    pub(super) column: &'static str,
    pub(super) expected: String,
    pub(super) found: String,
}

impl Source {
    pub(super) fn read(run: &Path, config: &RunConfig, part: u64) -> Result<Source, ReadError> {
        let mut source = Source {
            actions: Vec::new(),
            action: 0,
            first_decisions: BTreeMap::new(),
            origins: Vec::new(),
            origin: 0,
            first_origins: BTreeMap::new(),
            walls: Vec::new(),
            wall: 0,
            first_walls: BTreeMap::new(),
        };
        TableFile::new(run, Table::Decisions, part).read(&["game", "action"], |batch| {
            note_first(&mut source.first_decisions, column::<UInt64Type>(batch, 0), source.actions.len());
            source.actions.extend(column::<UInt8Type>(batch, 1));
            Ok(())
        })?;
        if config.walls {
            let (games, origins): (Vec<u64>, Vec<_>) = read_origins(run, config, part)?.into_iter().unzip();
            note_first(&mut source.first_origins, &games, 0);
            source.origins = origins;
            TableFile::new(run, Table::Walls, part).read(&["game", "wall"], |batch| {
                note_first(&mut source.first_walls, column::<UInt64Type>(batch, 0), source.walls.len());
                let walls = batch.column(1).as_string::<i32>();
                source.walls.extend(walls.iter().map(|wall| wall.unwrap_or_default().to_owned()));
                Ok(())
            })?;
        }
        Ok(source)
    }

    /// The row of the next action.
    pub(super) const fn row(&self) -> usize {
        self.action
    }

    /// The row at which a game begins, as the rows of decisions say; the end for one that they do not know.
    pub(super) fn first_decision(&self, game: u64) -> usize {
        self.first_decisions.get(&game).copied().unwrap_or(self.actions.len())
    }

    /// Goes to where a game begins in a table, as its rows say; to the end for one that they do not know.
    pub(super) fn go_to(&mut self, table: Table, game: u64) {
        let first = |rows: &BTreeMap<u64, usize>, end| rows.get(&game).copied().unwrap_or(end);
        match table {
            Table::Games => self.origin = first(&self.first_origins, self.origins.len()),
            Table::Hands => {}
            Table::Decisions => self.action = self.first_decision(game),
            Table::Walls => self.wall = first(&self.first_walls, self.walls.len()),
        }
    }

    /// Plays a game from its seed.
    pub(super) fn play_seed(&mut self, rules: &Rules, game: u64, seed: u64) -> Again {
        let (mut memory, mut stop) = (Memory::new(Detail::Decisions, rules), None);
        let mut played = Game::new_seen(rules, seed, &mut memory);
        while !played.is_over() {
            self.answer(&mut played, &mut memory, &mut stop);
        }
        let record = memory.finish(game, seed).expect("the game is over");
        Again { record, stop, first_wall: 0 }
    }

    /// Plays a game that came from a log, hand by hand with their walls.
    pub(super) fn play_walls(&mut self, game: u64) -> Result<Again, Misfit> {
        let misfit = |table, row: usize, column, expected: &str, found: &str| {
            let (expected, found) = (expected.to_owned(), found.to_owned());
            Misfit { table, row: row as u64, column, expected, found }
        };
        let place = self.origin;
        let Some(origin) = self.origins.get(place).cloned() else {
            let before = self.first_origins.range(..game).next_back().map_or(0, |(_, row)| row + 1);
            return Err(misfit(Table::Games, before, "row", &format!("a row of game {game}"), "none"));
        };
        self.origin += 1;
        let origin =
            origin.map_err(|found| misfit(Table::Games, place, "ruleset", "rules as a TOML text", &found))?;
        let rules = origin.rules;
        if origin.players.len() != usize::from(rules.players.count()) {
            let found = format!("[{}]", origin.players.join(", "));
            return Err(misfit(Table::Games, place, "agents", "a name for each player", &found));
        }
        let mut stop = None;
        let mut seen = Seen { memory: Memory::new(Detail::Decisions, &rules), log: Recording::new(&rules) };
        let first_wall = self.wall;
        let mut standing = Standing::start(&rules);
        loop {
            let row = self.wall;
            let wall = match &stop {
                None => {
                    let text = self.walls.get(row).map_or("", String::as_str);
                    let wall = wall_of(text, &rules);
                    Some(wall.ok_or_else(|| misfit(Table::Walls, row, "wall", "the tiles of a set", text))?)
                }
                // The game goes to some end.
                Some(_) => None,
            };
            self.wall += 1;
            let mut shown = OneHand::new(&mut seen);
            let played = Game::at(&rules, 0, &standing, wall, &mut shown);
            let mut played = played.map_err(|wrong| {
                misfit(Table::Games, place, "ruleset", "rules to play by", &wrong.to_string())
            })?;
            while !shown.is_last() && (shown.outcome().is_none() || played.table().phase() == Phase::End) {
                self.answer(&mut played, &mut shown, &mut stop);
            }
            if shown.is_last() {
                break;
            }
            standing = standing_of(&played);
        }
        let mut record = seen.memory.finish(game, 0).expect("the game is over");
        for (hand, log) in record.hands.iter_mut().zip(&seen.log.game().hands) {
            hand.wall = shown_wall(log, &rules);
        }
        record.origin = Some(Box::new(origin));
        Ok(Again { record, stop, first_wall: first_wall as u64 })
    }

    /// Answers the next decision as it is stored; from where that cannot be, with the first legal action.
    fn answer(&mut self, game: &mut Game, spectator: &mut impl Spectator, stop: &mut Option<Stop>) {
        let seat = game.pending().iter().next().expect("a game in play waits for somebody");
        let observation = game.observe(seat);
        let first_legal = || observation.legal().first().expect("a decision has legal actions").action();
        let action = match stop {
            Some(_) => first_legal(),
            None => self.stored_action(&observation).unwrap_or_else(|found| {
                let legal = observation.legal().iter().map(|id| observation.describe(id.action()));
                let expected = format!("one of {}", legal.collect::<Vec<_>>().join(", "));
                *stop = Some(Stop { row: self.action as u64, expected, found });
                first_legal()
            }),
        };
        self.action += 1;
        spectator.decision(&observation, action);
        game.submit_seen(seat, action, spectator).expect("the action is legal or a foul");
    }

    /// The action that is stored for this decision, or what is stored if it cannot be.
    fn stored_action(&self, o: &Observation<'_>) -> Result<Action, String> {
        let number = *self.actions.get(self.action).ok_or("the end of the decisions")?;
        let action = ActionId::new(number).ok_or_else(|| number.to_string())?;
        if o.legal().contains(action) || o.rules().enforce == Enforce::Referee {
            Ok(action.action())
        } else {
            Err(format!("{number} ({})", o.describe(action.action())))
        }
    }
}

/// Notes the first row of each game.
fn note_first(first: &mut BTreeMap<u64, usize>, games: &[u64], rows_before: usize) {
    for (row, game) in games.iter().enumerate() {
        first.entry(*game).or_insert(rows_before + row);
    }
}

fn wall_of(text: &str, rules: &Rules) -> Option<Wall> {
    notation::parse_tiles(text).ok().and_then(|tiles| Wall::from_tiles(&tiles, rules).ok())
}

/// The wall as far as the hand has shown it, the rest filled as when the log was converted.
fn shown_wall(hand: &RecordedHand, rules: &Rules) -> Option<Wall> {
    hand.wall(rules).ok()
}

/// Where a game stands that has just dealt its next hand.
fn standing_of(game: &Game) -> Standing {
    let table = game.table();
    Standing {
        round: table.round(),
        honba: table.honba(),
        sticks: table.sticks(),
        attempt: 0,
        dealer_wins: table.dealer_wins(),
        scores: *table.scores(),
    }
}

/// Remembers a game, and writes it down as a log.
struct Seen {
    memory: Memory,
    log: Recording,
}

impl Observer for Seen {
    fn event(&mut self, event: &Event) {
        self.memory.event(event);
        self.log.event(event);
    }
}

impl Spectator for Seen {
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        self.memory.decision(o, action);
    }
}
