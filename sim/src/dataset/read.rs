//! Reads games from the files of a dataset.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use jantaku_engine::replay::GameStart;
use jantaku_engine::{ActionId, BySeat, Rules, Seat, Standing, Wall, notation};

use super::branch::BranchPoint;
use super::contents::Contents;
use super::error::ReadError;
use super::file::TableFile;
use super::select::select;
use super::table::TableKind;
use super::types::StoredColumn as _;
use crate::play::{Decision, GameRecord, Origin};

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
    /// Where it branches from another game.
    pub branch: Option<BranchPoint>,
}

impl StoredGame {
    /// What a dataset would store of this self-play game, without the names of its agents. The record must
    /// have its decisions.
    pub fn from_record(rules: &Rules, record: &GameRecord) -> StoredGame {
        let decision = |made: &Decision| StoredDecision {
            hand: made.hand,
            step: made.step,
            seat: made.seat,
            action: made.action,
        };
        StoredGame {
            game: record.game,
            seed: record.seed,
            source: None,
            agents: Vec::new(),
            rules: *rules,
            hands: Vec::new(),
            decisions: record.decisions.iter().map(decision).collect(),
            branch: None,
        }
    }

    /// The number of the first decision that its players made; earlier ones were copied.
    pub fn first_decision(&self) -> usize {
        self.branch.as_ref().map_or(0, |branch| branch.decisions as usize)
    }

    /// Where it starts. Unused if its hands are stored.
    pub(crate) fn start(&self) -> GameStart {
        BranchPoint::start(self.branch.as_ref(), &self.rules)
    }
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

/// Reads all games of a part, or `only` the one with this number.
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

/// Reads all games of a part, or `only` one, from the files that the function `open` opens.
///
/// # Errors
///
/// As [`read_games`], and the errors of `open`.
pub(crate) fn read_games_of(
    open: impl Fn(TableKind) -> Result<TableFile, ReadError>,
    contents: &Contents,
    only: Option<u64>,
) -> Result<Vec<StoredGame>, ReadError> {
    let (mut games, mut rule_sets) = (BTreeMap::new(), RuleSets::new());
    let file = open(TableKind::Games)?;
    file.read(|columns: &StoredGameColumns, row| {
        if is_chosen(only, columns.game.at(row)) {
            let game = columns.read(row, contents, &mut rule_sets)?;
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

/// Whether to read a game: every game, or `only` the one with this number.
fn is_chosen(only: Option<u64>, game: u64) -> bool {
    only.is_none_or(|only| only == game)
}

select! {
    struct StoredGameColumns from games { game, seed, agents, source, ruleset }
}

/// The rule sets of games from logs, by their texts.
type RuleSets = HashMap<String, Rules>;

impl StoredGameColumns {
    /// The game in a row, without its hands and decisions.
    fn read(&self, row: usize, contents: &Contents, rule_sets: &mut RuleSets) -> Result<StoredGame, String> {
        let game = self.game.at(row);
        let rules = match self.ruleset.at(row) {
            None => contents.rules,
            Some(text) => match rule_sets.get(text) {
                Some(rules) => *rules,
                None => {
                    let rules = Rules::from_toml(text, "ruleset").map_err(|e| format!("game {game}: {e}"))?;
                    *rule_sets.entry(text.to_owned()).or_insert(rules)
                }
            },
        };
        Ok(StoredGame {
            game,
            seed: self.seed.at(row),
            source: self.source.at(row).map(str::to_owned),
            agents: self.agents.at(row).iter().map(str::to_owned).collect(),
            rules,
            hands: Vec::new(),
            decisions: Vec::new(),
            branch: contents.branch.clone(),
        })
    }
}

/// The number of a game from a log; its origin, or why its rules cannot be read.
pub(crate) type NumberedOrigin = (u64, Result<Origin, String>);

/// Reads the origins of the games of a part, in order. The games must come from logs.
pub(crate) fn read_origins(
    folder: &Path,
    contents: &Contents,
    part: u64,
) -> Result<Vec<NumberedOrigin>, ReadError> {
    let (mut origins, mut rule_sets) = (Vec::new(), RuleSets::new());
    TableFile::new(folder, TableKind::Games, part).read(|columns: &StoredGameColumns, row| {
        let origin = columns.read(row, contents, &mut rule_sets).map(|stored| {
            let StoredGame { source, agents, rules, .. } = stored;
            Origin { source: source.unwrap_or_default(), players: agents, rules }
        });
        origins.push((columns.game.at(row), origin));
        Ok(())
    })?;
    Ok(origins)
}

select! {
    struct StoredWallColumns from walls { game, hand, wall }
}

select! {
    struct StoredHandColumns from hands { game, hand, round, honba, riichi_sticks, start_points }
}

/// Reads the start and the wall of each hand.
fn read_hands(
    walls_file: &TableFile,
    hands_file: &TableFile,
    only: Option<u64>,
    games: &mut BTreeMap<u64, StoredGame>,
) -> Result<(), ReadError> {
    let mut walls = HashMap::new();
    walls_file.read(|columns: &StoredWallColumns, row| {
        let game = columns.game.at(row);
        if is_chosen(only, game) {
            walls.insert((game, columns.hand.at(row)), columns.wall.at(row).to_owned());
        }
        Ok(())
    })?;
    hands_file.read(|columns: &StoredHandColumns, row| {
        let (number, hand) = (columns.game.at(row), columns.hand.at(row));
        if !is_chosen(only, number) {
            return Ok(());
        }
        let game = games.get_mut(&number).ok_or_else(|| format!("no game {number}"))?;
        let wall = walls.get(&(number, hand)).map(String::as_str);
        let read = columns.read(row, wall, &game.rules);
        game.hands.push(read.map_err(|what| format!("game {number}, hand {hand}: {what}"))?);
        Ok(())
    })
}

impl StoredHandColumns {
    /// The start of the hand in a row, with the wall of this text. None is an error.
    fn read(&self, row: usize, wall: Option<&str>, rules: &Rules) -> Result<StoredHand, String> {
        let tiles = notation::parse_tiles(wall.ok_or("no wall")?).map_err(|e| e.to_string())?;
        let scores = BySeat::from_slice(rules.players, self.start_points.at(row).as_slice());
        let sticks = [self.honba.at(row), self.riichi_sticks.at(row)];
        let scores = scores.ok_or("points of too few seats")?;
        let standing = Standing::at_deal(self.round.at(row), sticks, scores);
        let wall = Wall::from_tiles(&tiles, rules).map_err(|e| e.to_string())?;
        Ok(StoredHand { standing, wall })
    }
}

select! {
    struct StoredDecisionColumns from decisions { game, hand, step, seat, action }
}

/// Reads the decisions of each game.
fn read_decisions(
    file: &TableFile,
    only: Option<u64>,
    games: &mut BTreeMap<u64, StoredGame>,
) -> Result<(), ReadError> {
    file.read(|columns: &StoredDecisionColumns, row| {
        let number = columns.game.at(row);
        if !is_chosen(only, number) {
            return Ok(());
        }
        let game = games.get_mut(&number).ok_or_else(|| format!("no game {number}"))?;
        let decision = columns.read(row).map_err(|what| format!("game {number}: {what}"))?;
        game.decisions.push(decision);
        Ok(())
    })
}

impl StoredDecisionColumns {
    /// The decision in a row.
    fn read(&self, row: usize) -> Result<StoredDecision, String> {
        let (seat, action) = (self.seat.at(row), self.action.at(row));
        Ok(StoredDecision {
            hand: self.hand.at(row),
            step: self.step.at(row),
            seat: Seat::new(seat).ok_or_else(|| format!("no seat {seat}"))?,
            action: ActionId::new(action).ok_or_else(|| format!("no action {action}"))?,
        })
    }
}
