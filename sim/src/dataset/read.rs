//! Reads games from the files of a dataset.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayAccessor as _, RecordBatch, StringArray};
use jantaku_engine::{ActionId, BySeat, Rules, Seat, Standing, Wall, notation};

use super::columns::TableKind;
use super::contents::Contents;
use super::error::ReadError;
use super::file::{TableFile, column};
use crate::play::Origin;

/// A game as its dataset stored it.
#[derive(Clone, Debug)]
pub struct StoredGame {
    /// Its number in the run.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// The name of its log; None for a self-play game.
    pub source: Option<String>,
    /// The agents by seat, or the players that the log names.
    pub agents: Vec<String>,
    /// Its rules.
    pub rules: Rules,
    /// Its hands with their walls; empty if they follow from the seed.
    pub hands: Vec<StoredHand>,
    /// Its decisions in order.
    pub decisions: Vec<StoredDecision>,
}

/// The start of a hand as its dataset stored it.
#[derive(Clone, Debug)]
pub struct StoredHand {
    /// Where the game stood at the deal.
    pub standing: Standing,
    /// The wall.
    pub wall: Wall,
}

/// A decision as its dataset stored it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredDecision {
    /// The number of the hand in its game.
    pub hand: u16,
    /// The number of events of the hand before it.
    pub step: u16,
    /// The seat that decided.
    pub seat: Seat,
    /// The chosen action.
    pub action: ActionId,
}

/// Reads the games of a part, or one of them.
///
/// # Errors
///
/// If a file is missing or damaged, or the part does not hold the game.
pub fn read_games(
    folder: &Path,
    contents: &Contents,
    part: u64,
    only: Option<u64>,
) -> Result<Vec<StoredGame>, ReadError> {
    read_games_of(|table| Ok(TableFile::new(folder, table, part)), contents, only)
}

/// Reads the games of a part, or one of them, from the files that a function opens.
///
/// # Errors
///
/// As [`read_games`], and those of the function.
pub(crate) fn read_games_of(
    open: impl Fn(TableKind) -> Result<TableFile, ReadError>,
    contents: &Contents,
    only: Option<u64>,
) -> Result<Vec<StoredGame>, ReadError> {
    let mut games = BTreeMap::new();
    let file = open(TableKind::Games)?;
    let mut rule_sets = HashMap::new();
    file.read(&GAME_COLUMNS, |batch| {
        for row in chosen(batch, only) {
            let game = read_game(batch, row, contents, &mut rule_sets)?;
            games.insert(game.game, game);
        }
        Ok(())
    })?;
    if let Some(game) = only.filter(|game| !games.contains_key(game)) {
        return Err(file.error(&format!("no game {game}")));
    }
    if contents.walls {
        read_hands(&open(TableKind::Walls)?, &open(TableKind::Hands)?, only, &mut games)?;
    }
    read_decisions(&open(TableKind::Decisions)?, only, &mut games)?;
    Ok(games.into_values().collect())
}

/// The rows of a batch that belong to the chosen game, or all rows. The first column is the game.
pub(super) fn chosen(batch: &RecordBatch, only: Option<u64>) -> impl Iterator<Item = usize> {
    let games = column::<UInt64Type>(batch, 0);
    (0..batch.num_rows()).filter(move |row| only.is_none_or(|game| games[*row] == game))
}

/// The columns that [`read_game`] reads.
const GAME_COLUMNS: [&str; 5] = ["game", "seed", "agents", "source", "ruleset"];

/// Reads a game without its hands and decisions. `rule_sets` holds the rule sets read before, by
/// their texts.
fn read_game(
    batch: &RecordBatch,
    row: usize,
    contents: &Contents,
    rule_sets: &mut HashMap<String, Rules>,
) -> Result<StoredGame, String> {
    let game = column::<UInt64Type>(batch, 0)[row];
    let agents = batch.column(2).as_list::<i32>().value(row);
    let rules = match word(batch.column(4), row) {
        None => contents.rules,
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

/// The number of a game from a log with its origin, or the reason why its rules cannot be read.
pub(crate) type NumberedOrigin = (u64, Result<Origin, String>);

/// Reads the origins of a part's games from logs, in order.
pub(crate) fn read_origins(
    folder: &Path,
    contents: &Contents,
    part: u64,
) -> Result<Vec<NumberedOrigin>, ReadError> {
    let (mut origins, mut rule_sets) = (Vec::new(), HashMap::new());
    TableFile::new(folder, TableKind::Games, part).read(&GAME_COLUMNS, |batch| {
        for (row, game) in column::<UInt64Type>(batch, 0).iter().enumerate() {
            let origin = read_game(batch, row, contents, &mut rule_sets).map(|stored| {
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
    walls_file: &TableFile,
    hands_file: &TableFile,
    only: Option<u64>,
    games: &mut BTreeMap<u64, StoredGame>,
) -> Result<(), ReadError> {
    let mut walls = HashMap::new();
    walls_file.read(&["game", "hand", "wall"], |batch| {
        let (numbers, hands) = (column::<UInt64Type>(batch, 0), column::<UInt16Type>(batch, 1));
        let texts = batch.column(2).as_string::<i32>();
        for row in chosen(batch, only) {
            walls.insert((numbers[row], hands[row]), texts.value(row).to_owned());
        }
        Ok(())
    })?;
    let columns = ["game", "hand", "round", "honba", "riichi_sticks", "start_points"];
    hands_file.read(&columns, |batch| {
        let (numbers, hands) = (column::<UInt64Type>(batch, 0), column::<UInt16Type>(batch, 1));
        for row in chosen(batch, only) {
            let (number, hand) = (numbers[row], hands[row]);
            let error = |what: &dyn ToString| format!("game {number} hand {hand}: {}", what.to_string());
            let game = games.get_mut(&number).ok_or_else(|| format!("no game {number}"))?;
            let points = batch.column(5).as_list::<i32>().value(row);
            let scores = BySeat::from_slice(game.rules.players, points.as_primitive::<Int32Type>().values());
            let text = walls.get(&(number, hand)).ok_or_else(|| error(&"no wall"))?;
            let tiles = notation::parse_tiles(text).map_err(|e| error(&e))?;
            let standing = Standing {
                round: column::<UInt16Type>(batch, 2)[row],
                honba: column::<UInt16Type>(batch, 3)[row],
                sticks: column::<UInt16Type>(batch, 4)[row],
                attempt: 0,
                dealer_wins: 0,
                scores: scores.ok_or_else(|| error(&"points of too few seats"))?,
            };
            let wall = Wall::from_tiles(&tiles, &game.rules).map_err(|e| error(&e))?;
            game.hands.push(StoredHand { standing, wall });
        }
        Ok(())
    })
}

/// Reads the decisions of each game.
fn read_decisions(
    file: &TableFile,
    only: Option<u64>,
    games: &mut BTreeMap<u64, StoredGame>,
) -> Result<(), ReadError> {
    let columns = ["game", "hand", "step", "seat", "action"];
    file.read(&columns, |batch| {
        let (numbers, hands) = (column::<UInt64Type>(batch, 0), column::<UInt16Type>(batch, 1));
        let (steps, seats) = (column::<UInt16Type>(batch, 2), column::<UInt8Type>(batch, 3));
        let actions = column::<UInt8Type>(batch, 4);
        for row in chosen(batch, only) {
            let unknown = |what: &str, number: u8| format!("game {}: no {what} {number}", numbers[row]);
            let game = games.get_mut(&numbers[row]).ok_or_else(|| format!("no game {}", numbers[row]))?;
            let seat = Seat::new(seats[row]).ok_or_else(|| unknown("seat", seats[row]))?;
            let action = ActionId::new(actions[row]).ok_or_else(|| unknown("action", actions[row]))?;
            game.decisions.push(StoredDecision { hand: hands[row], step: steps[row], seat, action });
        }
        Ok(())
    })
}

/// A text of a column of words; None if it is null.
pub(super) fn word(column: &dyn Array, row: usize) -> Option<String> {
    let words = column.as_dictionary::<UInt32Type>().downcast_dict::<StringArray>()?;
    words.keys().is_valid(row).then(|| words.value(row).to_owned())
}
