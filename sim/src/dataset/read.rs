//! Reads games back from the files of a run.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Int32Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayAccessor as _, RecordBatch, StringArray};
use jantaku_engine::replay::{OneHand, Spectator};
use jantaku_engine::rules::knobs::Enforce;
use jantaku_engine::{ActionId, BySeat, Game, Rules, Seat, Standing, Wall, notation};

use super::columns::Table;
use super::open::Batches;
use crate::play::Origin;
use crate::run::RunConfig;

/// A game as its run stored it.
#[derive(Clone, Debug)]
pub struct StoredGame {
    /// Its number in the run.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// The name of the log that it came from; none for a game that was played.
    pub source: Option<String>,
    /// The agents, or the players that the log names, by seat.
    pub agents: Vec<String>,
    /// Its rules.
    pub rules: Rules,
    /// Its hands with their walls, where these do not follow from the seed.
    pub hands: Vec<StoredHand>,
    /// The decisions in order.
    pub decisions: Vec<StoredDecision>,
}

/// A hand as a run stored it.
#[derive(Clone, Debug)]
pub struct StoredHand {
    /// Where the game stood at the deal.
    pub standing: Standing,
    /// The wall.
    pub wall: Wall,
}

/// A decision as a run stored it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredDecision {
    /// The number of the hand in its game.
    pub hand: u16,
    /// How many events of the hand came before.
    pub step: u16,
    /// Whose decision.
    pub seat: Seat,
    /// What was chosen.
    pub action: ActionId,
}

impl StoredGame {
    /// Plays the game again.
    ///
    /// # Errors
    ///
    /// If a decision is not legal where it was taken, or they end before the game does.
    pub fn replay(&self, spectator: &mut impl Spectator) -> Result<(), String> {
        if self.hands.is_empty() {
            return self.replay_seed(spectator);
        }
        let (mut decisions, mut round, mut dealer_wins) = (self.decisions.as_slice(), 0, 0_u8);
        for (number, hand) in self.hands.iter().enumerate() {
            dealer_wins = if hand.standing.round == round { dealer_wins } else { 0 };
            round = hand.standing.round;
            let of_hand =
                decisions.iter().take_while(|decision| usize::from(decision.hand) == number).count();
            let (now, later) = decisions.split_at(of_hand);
            decisions = later;
            let standing = Standing { dealer_wins, ..hand.standing };
            let is_won = self.replay_hand(&standing, &hand.wall, now, spectator);
            let is_won = is_won.map_err(|what| format!("hand {number}: {what}"))?;
            dealer_wins = dealer_wins.saturating_add(is_won.into());
        }
        Ok(())
    }

    /// Plays the game that its seed deals.
    fn replay_seed(&self, spectator: &mut impl Spectator) -> Result<(), String> {
        self.rules.check().map_err(|wrong| wrong.to_string())?;
        let mut game = Game::new_seen(&self.rules, self.seed, spectator);
        self.decisions.iter().try_for_each(|decision| decision.submit(&mut game, spectator))?;
        if game.is_over() { Ok(()) } else { Err("the decisions end before the game does".to_owned()) }
    }

    /// Plays one hand with its wall, and tells whether the dealer has won.
    fn replay_hand(
        &self,
        standing: &Standing,
        wall: &Wall,
        decisions: &[StoredDecision],
        spectator: &mut impl Spectator,
    ) -> Result<bool, String> {
        let mut shown = OneHand::new(spectator);
        let game = Game::at(&self.rules, 0, standing, Some(*wall), &mut shown);
        let mut game = game.map_err(|wrong| wrong.to_string())?;
        let dealer = game.table().dealer();
        decisions.iter().try_for_each(|decision| decision.submit(&mut game, &mut shown))?;
        let outcome = shown.outcome().ok_or("the decisions end before the hand does")?;
        Ok(outcome.wins().iter().any(|win| win.winner == dealer))
    }
}

impl StoredDecision {
    fn submit(self, game: &mut Game, spectator: &mut impl Spectator) -> Result<(), String> {
        let StoredDecision { hand, step, seat, action } = self;
        let place = || format!("hand {hand} step {step}");
        if !game.pending().contains(seat) {
            return Err(format!("{}: {seat:?} has nothing to decide", place()));
        }
        let observation = game.observe(seat);
        let may_be_foul = game.rules().enforce == Enforce::Referee;
        if !observation.legal().contains(action) && !may_be_foul {
            return Err(format!("{}: {seat:?} may not {}", place(), observation.describe(action.action())));
        }
        spectator.decision(&observation, action.action());
        game.submit_seen(seat, action.action(), spectator).map_err(|error| format!("{}: {error}", place()))
    }
}

/// Why a file of a run could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {what}")]
pub struct ReadError {
    path: String,
    what: String,
}

impl ReadError {
    pub(crate) fn new(path: &Path, what: &dyn ToString) -> ReadError {
        ReadError { path: path.display().to_string(), what: what.to_string() }
    }
}

/// Reads the games of a part, or one of them.
///
/// # Errors
///
/// If a file is missing or not what it should be, or the game is not in it.
pub fn read_games(
    run: &Path,
    config: &RunConfig,
    part: u64,
    only: Option<u64>,
) -> Result<Vec<StoredGame>, ReadError> {
    let mut games = BTreeMap::new();
    let file = TableFile::new(run, Table::Games, part);
    let mut rule_sets = HashMap::new();
    file.read(&["game", "seed", "agents", "source", "ruleset"], |batch| {
        for row in chosen(batch, only) {
            let game = read_game(batch, row, config, &mut rule_sets)?;
            games.insert(game.game, game);
        }
        Ok(())
    })?;
    if let Some(game) = only.filter(|game| !games.contains_key(game)) {
        return Err(file.error(&format!("no game {game}")));
    }
    if config.walls {
        read_hands(run, part, only, &mut games)?;
    }
    TableFile::new(run, Table::Decisions, part).read(
        &["game", "hand", "step", "seat", "action"],
        |batch| {
            let (numbers, hands) = (column::<UInt64Type>(batch, 0), column::<UInt16Type>(batch, 1));
            let (steps, seats) = (column::<UInt16Type>(batch, 2), column::<UInt8Type>(batch, 3));
            let actions = column::<UInt8Type>(batch, 4);
            for row in chosen(batch, only) {
                let of = |what: &str, number: u8| format!("{what} {number} of game {}", numbers[row]);
                let game = games.get_mut(&numbers[row]).ok_or_else(|| format!("no game {}", numbers[row]))?;
                let seat = Seat::new(seats[row]).ok_or_else(|| of("seat", seats[row]))?;
                let action = ActionId::new(actions[row]).ok_or_else(|| of("action", actions[row]))?;
                game.decisions.push(StoredDecision { hand: hands[row], step: steps[row], seat, action });
            }
            Ok(())
        },
    )?;
    Ok(games.into_values().collect())
}

/// The rows of a batch that belong to the games asked for; the first column is the number of the game.
fn chosen(batch: &RecordBatch, only: Option<u64>) -> impl Iterator<Item = usize> {
    let games = column::<UInt64Type>(batch, 0);
    (0..batch.num_rows()).filter(move |row| only.is_none_or(|game| games[*row] == game))
}

fn read_game(
    batch: &RecordBatch,
    row: usize,
    config: &RunConfig,
    rule_sets: &mut HashMap<String, Rules>,
) -> Result<StoredGame, String> {
    let game = column::<UInt64Type>(batch, 0)[row];
    let agents = batch.column(2).as_list::<i32>().value(row);
    let rules = match word(batch.column(4), row) {
        None => config.rules,
        Some(text) => match rule_sets.get(&text) {
            Some(rules) => *rules,
            None => {
                let rules = Rules::from_toml(&text, "ruleset").map_err(|e| format!("game {game}: {e}"))?;
                *rule_sets.entry(text).or_insert(rules)
            }
        },
    };
    Ok(StoredGame {
        game,
        seed: column::<UInt64Type>(batch, 1)[row],
        source: word(batch.column(3), row),
        agents: (0..agents.len()).map(|seat| word(&agents, seat).unwrap_or_default()).collect(),
        rules,
        hands: Vec::new(),
        decisions: Vec::new(),
    })
}

/// The number of a game that came from a log, and its players and rules, or why the rules cannot be understood.
pub(crate) type NumberedOrigin = (u64, Result<Origin, String>);

/// The games of a part that came from logs, in order.
pub(crate) fn read_origins(
    run: &Path,
    config: &RunConfig,
    part: u64,
) -> Result<Vec<NumberedOrigin>, ReadError> {
    let (mut origins, mut rule_sets) = (Vec::new(), HashMap::new());
    let columns = ["game", "seed", "agents", "source", "ruleset"];
    TableFile::new(run, Table::Games, part).read(&columns, |batch| {
        for (row, game) in column::<UInt64Type>(batch, 0).iter().enumerate() {
            let origin = read_game(batch, row, config, &mut rule_sets).map(|stored| {
                let StoredGame { source, agents, rules, .. } = stored;
                Origin { source: source.unwrap_or_default(), players: agents, rules }
            });
            origins.push((*game, origin));
        }
        Ok(())
    })?;
    Ok(origins)
}

/// Reads the start and the wall of each hand.
fn read_hands(
    run: &Path,
    part: u64,
    only: Option<u64>,
    games: &mut BTreeMap<u64, StoredGame>,
) -> Result<(), ReadError> {
    let mut walls = HashMap::new();
    TableFile::new(run, Table::Walls, part).read(&["game", "hand", "wall"], |batch| {
        let (numbers, hands) = (column::<UInt64Type>(batch, 0), column::<UInt16Type>(batch, 1));
        for row in chosen(batch, only) {
            walls
                .insert((numbers[row], hands[row]), batch.column(2).as_string::<i32>().value(row).to_owned());
        }
        Ok(())
    })?;
    let columns = ["game", "hand", "round", "honba", "deposits", "start_points"];
    TableFile::new(run, Table::Hands, part).read(&columns, |batch| {
        let (numbers, hands) = (column::<UInt64Type>(batch, 0), column::<UInt16Type>(batch, 1));
        for row in chosen(batch, only) {
            let place = format!("game {} hand {}", numbers[row], hands[row]);
            let game = games.get_mut(&numbers[row]).ok_or_else(|| format!("no game {}", numbers[row]))?;
            let points = batch.column(5).as_list::<i32>().value(row);
            let scores = BySeat::from_slice(game.rules.players, points.as_primitive::<Int32Type>().values());
            let text = walls.get(&(numbers[row], hands[row])).ok_or_else(|| format!("{place}: no wall"))?;
            let tiles = notation::parse_tiles(text).map_err(|error| format!("{place}: {error}"))?;
            let standing = Standing {
                round: column::<UInt16Type>(batch, 2)[row],
                honba: column::<UInt16Type>(batch, 3)[row],
                sticks: column::<UInt16Type>(batch, 4)[row],
                attempt: 0,
                dealer_wins: 0,
                scores: scores.ok_or_else(|| format!("{place}: points of too few seats"))?,
            };
            let wall = Wall::from_tiles(&tiles, &game.rules).map_err(|error| format!("{place}: {error}"))?;
            game.hands.push(StoredHand { standing, wall });
        }
        Ok(())
    })
}

/// The file of a table that holds a part, from the folder of the run.
pub(crate) fn part_name(table: Table, part: u64) -> String {
    format!("{}/part-{part:06}.parquet", table.name())
}

/// The file of a table that holds a part.
pub(crate) fn part_path(run: &Path, table: Table, part: u64) -> PathBuf {
    run.join(part_name(table, part))
}

/// A file of a table.
pub(crate) struct TableFile {
    table: Table,
    path: PathBuf,
}

impl TableFile {
    pub(crate) fn new(run: &Path, table: Table, part: u64) -> TableFile {
        TableFile { table, path: part_path(run, table, part) }
    }

    pub(crate) fn error(&self, what: &dyn ToString) -> ReadError {
        ReadError::new(&self.path, what)
    }

    /// The batches of some columns, in this order.
    pub(crate) fn batches(&self, columns: &[&str]) -> Result<Batches, ReadError> {
        Batches::open(&self.path, self.table, columns)
    }

    /// Shows the batches of some columns, in this order.
    pub(crate) fn read(
        &self,
        columns: &[&str],
        mut each: impl FnMut(&RecordBatch) -> Result<(), String>,
    ) -> Result<(), ReadError> {
        for batch in self.batches(columns)? {
            each(&batch?).map_err(|e| self.error(&e))?;
        }
        Ok(())
    }
}

/// The values of a column of numbers; its type has been checked, and it has no nulls.
pub(crate) fn column<T: ArrowPrimitiveType>(batch: &RecordBatch, index: usize) -> &[T::Native] {
    batch.column(index).as_primitive::<T>().values()
}

/// A text of a column of words; none where it is null.
fn word(column: &dyn Array, row: usize) -> Option<String> {
    let words = column.as_dictionary::<UInt32Type>().downcast_dict::<StringArray>()?;
    words.keys().is_valid(row).then(|| words.value(row).to_owned())
}
