//! Counts the games of runs from their files: those of games and of hands.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_array::{Array as _, RecordBatch};
use jantaku_engine::{BySeat, DrawReason, FinalResult, Players, Seat, SeatSet, YakuSet};
use rayon::prelude::*;

use super::Statistics;
use super::cells::{Lists, column, inner, numbers, places, words};
use super::counts::{Counter, Counts, Groups, Hand, Win, yaku_named};
use crate::dataset::{ReadError, Table, TableFile};
use crate::record::Detail;
use crate::run::{self, Manifest, RunConfig};
use crate::runner::Watch;

/// Runs whose games are counted together.
pub struct StoredRuns {
    runs: Vec<StoredRun>,
    groups: Groups,
}

struct StoredRun {
    folder: PathBuf,
    config: RunConfig,
    manifest: Manifest,
}

/// A part of a run: its place among the runs, its number and its games.
#[derive(Clone, Copy)]
struct PartOf {
    run: usize,
    part: u64,
    first: u64,
    end: u64,
}

impl StoredRuns {
    /// Opens runs, which keep their hands and were played under the same rules.
    ///
    /// # Errors
    ///
    /// If a folder is not such a run, or games of a run would be counted twice.
    pub fn open(folders: &[PathBuf]) -> Result<StoredRuns, ReadError> {
        let open = |folder: &PathBuf| {
            let (config, manifest) = run::read(folder)?;
            Ok(StoredRun { folder: folder.clone(), config, manifest })
        };
        let runs: Vec<StoredRun> = folders.iter().map(open).collect::<Result<_, _>>()?;
        for run in &runs {
            run.check(&runs[0])?;
        }
        check_named_once(folders)?;
        for (place, run) in runs.iter().enumerate() {
            run.check_has_others_than(&runs[..place])?;
        }
        // The players of logs are too many to tell them apart.
        let agents = runs.iter().filter(|run| !run.config.walls).flat_map(|run| &run.config.agents);
        let groups = Groups::new(agents);
        Ok(StoredRuns { runs, groups })
    }

    /// The groups of players: agents only where the games were played here.
    #[must_use]
    pub const fn groups(&self) -> &Groups {
        &self.groups
    }

    /// What each run says of itself, with its folder.
    pub fn configs(&self) -> impl Iterator<Item = (&Path, &RunConfig)> {
        self.runs.iter().map(|run| (run.folder.as_path(), &run.config))
    }

    /// How many games there are in complete parts.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.runs.iter().map(|run| run.manifest.games).sum()
    }

    /// Whether all games of all runs are there.
    #[must_use]
    pub fn are_complete(&self) -> bool {
        self.runs.iter().all(|run| run.manifest.complete)
    }

    /// Parts of which no two groups have walls in common: runs of the same seed share theirs.
    fn blocks(&self) -> Vec<Vec<PartOf>> {
        let family = |run: usize| {
            let config = &self.runs[run].config;
            if config.walls { (run, 0) } else { (0, config.seed) }
        };
        let mut parts: Vec<PartOf> = Vec::new();
        for (run, stored) in self.runs.iter().enumerate() {
            parts.extend(stored.manifest.parts.iter().map(|part| {
                let (first, end) = (part.first_game, part.first_game + part.games);
                PartOf { run, part: part.part, first, end }
            }));
        }
        parts.sort_by_key(|part| (family(part.run), part.first));
        let mut blocks: Vec<Vec<PartOf>> = Vec::new();
        let mut before = None;
        for part in parts {
            let family = family(part.run);
            match blocks.last_mut() {
                Some(block) if before.is_some_and(|(of, end)| of == family && part.first < end) => {
                    block.push(part);
                }
                _ => blocks.push(vec![part]),
            }
            let end = before.filter(|(of, _)| *of == family).map_or(part.end, |(_, end)| part.end.max(end));
            before = Some((family, end));
        }
        blocks
    }
}

/// Whether no two of these are the same folder, however they are spelt.
fn check_named_once(folders: &[PathBuf]) -> Result<(), ReadError> {
    let mut seen: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    for folder in folders {
        let place = folder.canonicalize().map_err(|error| ReadError::new(folder, &error))?;
        if let Some(first) = seen.insert(place, folder) {
            let what =
                format!("is the run {}, given before: its games would be counted twice", first.display());
            return Err(ReadError::new(folder, &what));
        }
    }
    Ok(())
}

impl StoredRun {
    /// The numbers of the games that are there.
    fn range(&self) -> Range<u64> {
        let first = self.manifest.parts.first().map_or(0, |part| part.first_game);
        first..first + self.manifest.games
    }

    /// Whether none of its games is one of these runs, as those of a copy or of a shard are.
    fn check_has_others_than(&self, runs: &[StoredRun]) -> Result<(), ReadError> {
        let (own, range) = (&self.config, self.range());
        let has_same = |other: &&StoredRun| {
            let (found, range_found) = (&other.config, other.range());
            let is_same_play =
                (own.seed, &own.agents, &own.rules_hash) == (found.seed, &found.agents, &found.rules_hash);
            let start = range.start.max(range_found.start);
            own.repeatable && found.repeatable && is_same_play && start < range.end.min(range_found.end)
        };
        let Some(other) = runs.iter().find(has_same) else { return Ok(()) };
        let what = format!(
            "has games of {}, with the same seed, agents and rules: they would be counted twice",
            other.folder.display()
        );
        Err(ReadError::new(&self.folder, &what))
    }

    /// Whether its games can be counted together with those of another run.
    fn check(&self, first: &StoredRun) -> Result<(), ReadError> {
        let wrong = |what: &str| Err(ReadError::new(&self.folder, &what));
        if self.config.detail() < Detail::Hands {
            return wrong(&format!(
                "keeps {} only; statistics are made of a run with hands: `--log hands` or `--log decisions`",
                self.config.log
            ));
        }
        let (own, other) = (&self.config, &first.config);
        if own.walls != other.walls || own.rules_hash != other.rules_hash {
            let of = |config: &RunConfig| {
                if config.walls { "each log".to_owned() } else { config.rules_name.clone() }
            };
            let (own, other, folder) = (of(own), of(other), first.folder.display());
            return wrong(&format!(
                "has the rules of {own}, and {folder} those of {other}: they are not counted together"
            ));
        }
        Ok(())
    }
}

/// Counts all games of the runs, on all threads of the rayon pool.
///
/// Games of the same seed share their walls and are a unit together; games of the same seed and run are in the same part. Games from logs
/// are units of their own. If the watch stops it, the statistics are of some of the games.
///
/// # Errors
///
/// If a file is missing or not what it should be.
pub fn read(runs: &StoredRuns, watch: &mut impl Watch) -> Result<Statistics, ReadError> {
    let mut total = Statistics::new(&runs.groups);
    let empty = total.clone();
    // So many that no thread waits for long, and the counts of so many parts fit into memory.
    let at_once = 2 * rayon::current_num_threads();
    for blocks in runs.blocks().chunks(at_once) {
        let stopped = AtomicBool::new(false);
        let count = |block: &Vec<PartOf>| {
            let mut statistics = empty.none_yet();
            if watch.should_stop() {
                stopped.store(true, Ordering::Relaxed);
                return Ok(statistics);
            }
            read_block(runs, block)?.values().for_each(|unit| statistics.add(unit));
            Ok(statistics)
        };
        let counted: Vec<Result<Statistics, ReadError>> = blocks.par_iter().map(count).collect();
        for statistics in counted {
            total.merge(&statistics?);
        }
        watch.progress(total.games());
        if stopped.into_inner() {
            break;
        }
    }
    Ok(total)
}

/// The units of some parts, by the seeds that they share; games from logs by their numbers.
fn read_block(runs: &StoredRuns, block: &[PartOf]) -> Result<BTreeMap<u64, Counts>, ReadError> {
    let mut units: BTreeMap<u64, Counts> = BTreeMap::new();
    for part in block {
        let run = &runs.runs[part.run];
        for (number, game) in read_part(run, part, &runs.groups)? {
            let unit = if run.config.walls { number } else { game.seed };
            let counts = game.counter.finish(&game.results, game.decisions);
            match units.get_mut(&unit) {
                Some(unit) => unit.add(&counts),
                None => _ = units.insert(unit, counts),
            }
        }
    }
    Ok(units)
}

/// A game of which the hands are being counted.
struct StoredGame {
    seed: u64,
    results: BySeat<FinalResult>,
    decisions: u32,
    /// How many hands it has.
    hands: i64,
    /// How many have been counted.
    counted: i64,
    counter: Counter,
}

/// The games of a part by their numbers, counted.
fn read_part(
    run: &StoredRun,
    part: &PartOf,
    groups: &Groups,
) -> Result<BTreeMap<u64, StoredGame>, ReadError> {
    let PartOf { part, first, end, .. } = *part;
    let mut games = BTreeMap::new();
    let columns = ["game", "seed", "agents", "points", "rank", "result", "hands", "decisions"];
    let file = TableFile::new(&run.folder, Table::Games, part);
    file.read(&columns, |batch| read_games(batch, run, groups, &mut games))?;
    if let Some(other) = games.keys().find(|number| !(first..end).contains(number)) {
        return Err(file.error(&format!("game {other}: expected the games {first} to {}", end - 1)));
    }
    if let Some(missing) = (first..end).find(|number| !games.contains_key(number)) {
        return Err(file.error(&format!("no game {missing}: expected the games {first} to {}", end - 1)));
    }
    let columns = [
        "game",
        "hand",
        "round",
        "dealer",
        "honba",
        "start_points",
        "result",
        "winners",
        "discarder",
        "yaku",
        "han",
        "fu",
        "dora",
        "ura",
        "red",
        "north",
        "win_points",
        "deltas",
        "turn",
        "riichi_turn",
        "calls",
        "tenpai",
    ];
    let file = TableFile::new(&run.folder, Table::Hands, part);
    file.read(&columns, |batch| count_hands(batch, &mut games))?;
    match games.iter().find(|(_, game)| game.counted != game.hands) {
        None => Ok(games),
        Some((number, game)) => {
            let what = format!(
                "game {number}: expected {} hands, as the table of games has, found {}",
                game.hands, game.counted
            );
            Err(file.error(&what))
        }
    }
}

fn read_games(
    batch: &RecordBatch,
    run: &StoredRun,
    groups: &Groups,
    games: &mut BTreeMap<u64, StoredGame>,
) -> Result<(), String> {
    let of = |name: &str| numbers(column(batch, name)?);
    let lists = |name: &str| Lists::new(column(batch, name)?, numbers);
    let (number, seed, hands, decisions) = (of("game")?, of("seed")?, of("hands")?, of("decisions")?);
    let (points, rank, result) = (lists("points")?, lists("rank")?, lists("result")?);
    let agents = Lists::new(column(batch, "agents")?, |names| words(names, |name| Ok(name.to_owned())))?;
    for row in 0..batch.num_rows() {
        let place = |what: String| format!("game {}: {what}", number[row]);
        let players = u8::try_from(points.of(row).len()).map_err(|e| place(e.to_string()))?;
        let players = Players::try_from(players).map_err(place)?;
        let seats = |name, list: &Lists<i64>| {
            by_seat(list, row, players).map_err(|what| place(format!("`{name}`: {what}")))
        };
        let (points, rank, result) =
            (seats("points", &points)?, seats("rank", &rank)?, seats("result", &result)?);
        if let Some(wrong) = rank.iter().find(|rank| !(1..=i64::from(players.count())).contains(*rank)) {
            return Err(place(format!("`rank`: expected 1 to {}, found {wrong}", players.count())));
        }
        let results = BySeat::from_fn(players, |seat| FinalResult {
            place: rank[seat] as u8,
            points: points[seat] as i32,
            result: result[seat] as i32,
        });
        let agents = if run.config.walls { &[] } else { agents.of(row) };
        let game = StoredGame {
            seed: seed[row] as u64,
            results,
            decisions: decisions[row] as u32,
            hands: hands[row],
            counted: 0,
            counter: Counter::new(groups, agents),
        };
        if games.insert(number[row] as u64, game).is_some() {
            return Err(place("is there twice".to_owned()));
        }
    }
    Ok(())
}

/// The entries of a list that has one for each player.
fn by_seat(list: &Lists<i64>, row: usize, players: Players) -> Result<BySeat<i64>, String> {
    let (entries, expected) = (list.of(row), usize::from(players.count()));
    let found = entries.len();
    let seats = BySeat::from_slice(players, entries).filter(|_| found == expected);
    seats.ok_or_else(|| format!("expected {expected} entries, found {found}"))
}

/// How a hand ended, by the name that the table has.
#[derive(Clone, Copy)]
enum End {
    Won,
    Draw(DrawReason),
}

impl End {
    fn named(name: &str) -> Result<End, String> {
        if ["tsumo", "ron"].contains(&name) {
            return Ok(End::Won);
        }
        let reason = DrawReason::ALL.into_iter().find(|reason| reason.name() == name);
        reason.map(End::Draw).ok_or_else(|| format!("`result`: unknown result `{name}`"))
    }
}

/// The columns of a batch of hands.
struct HandColumns<'a> {
    batch: &'a RecordBatch,
    round: Vec<i64>,
    honba: Vec<i64>,
    dealer: Vec<i64>,
    discarder: Vec<i64>,
    turn: Vec<i64>,
    result: Vec<End>,
    start_points: Lists<i64>,
    deltas: Lists<i64>,
    calls: Lists<i64>,
    /// 0 where there was no riichi.
    riichi: Lists<i64>,
    /// 0 where it was not asked.
    tenpai: Lists<i64>,
    winners: Lists<i64>,
    /// Which of `yaku` are of a row.
    yaku_of: Lists<usize>,
    yaku: Lists<YakuSet>,
    /// han, fu, dora, ura, red, north, points
    values: [Lists<i64>; 7],
}

impl HandColumns<'_> {
    fn new(batch: &RecordBatch) -> Result<HandColumns<'_>, String> {
        let of = |name: &str| numbers(column(batch, name)?).map_err(|what| format!("`{name}`: {what}"));
        let lists = |name: &str| {
            Lists::new(column(batch, name)?, numbers).map_err(|what| format!("`{name}`: {what}"))
        };
        // What is null has any number.
        let or_0 = |name: &str| {
            let entries = |array: &dyn arrow_array::Array| {
                let mut numbers = numbers(array)?;
                let nulls = (0..array.len()).filter(|entry| array.is_null(*entry));
                nulls.for_each(|entry| numbers[entry] = 0);
                Ok(numbers)
            };
            Lists::new(column(batch, name)?, entries).map_err(|what: String| format!("`{name}`: {what}"))
        };
        let one_yaku = |name: &str| {
            let yaku = yaku_named(name).map(YakuSet::of);
            yaku.ok_or_else(|| format!("`yaku`: unknown yaku `{name}`"))
        };
        let yaku = column(batch, "yaku")?;
        Ok(HandColumns {
            batch,
            round: of("round")?,
            honba: of("honba")?,
            dealer: of("dealer")?,
            discarder: of("discarder")?,
            turn: of("turn")?,
            result: words(column(batch, "result")?, End::named)?,
            start_points: lists("start_points")?,
            deltas: lists("deltas")?,
            calls: lists("calls")?,
            riichi: or_0("riichi_turn")?,
            tenpai: or_0("tenpai")?,
            winners: lists("winners")?,
            yaku_of: places(yaku)?,
            yaku: Lists::new(inner(yaku)?, |names| words(names, one_yaku))?,
            values: [
                lists("han")?,
                lists("fu")?,
                lists("dora")?,
                lists("ura")?,
                lists("red")?,
                lists("north")?,
                lists("win_points")?,
            ],
        })
    }

    /// The hand in a row, at a table of so many players.
    fn hand(&self, row: usize, players: Players) -> Result<Hand, String> {
        let seats = |name: &str, list: &Lists<i64>| {
            by_seat(list, row, players).map_err(|what| format!("`{name}`: {what}"))
        };
        let draw = match self.result[row] {
            End::Won => None,
            End::Draw(reason) => Some(reason),
        };
        let has_discarder = column(self.batch, "discarder")?.is_valid(row);
        let (tenpai, riichi) = (seats("tenpai", &self.tenpai)?, seats("riichi_turn", &self.riichi)?);
        Ok(Hand {
            round: self.round[row] as u16,
            honba: self.honba[row] as u16,
            dealer: seat("dealer", self.dealer[row], players)?,
            start_points: seats("start_points", &self.start_points)?.map(|points| *points as i32),
            draw,
            wins: self.wins(row, players, draw.is_none())?,
            discarder: has_discarder.then(|| seat("discarder", self.discarder[row], players)).transpose()?,
            deltas: seats("deltas", &self.deltas)?.map(|points| *points as i32),
            turn: self.turn[row] as u8,
            riichi: riichi.map(|turn| (*turn != 0).then_some(*turn as u8)),
            calls: seats("calls", &self.calls)?.map(|calls| *calls as u8),
            tenpai: players.seats().filter(|seat| tenpai[*seat] != 0).collect::<SeatSet>(),
        })
    }

    fn wins(&self, row: usize, players: Players, is_won: bool) -> Result<Vec<Win>, String> {
        let (winners, yaku) = (self.winners.of(row), self.yaku_of.of(row));
        if winners.is_empty() == is_won {
            let expected = if is_won { "winners of a hand that was won" } else { "no winners of a draw" };
            return Err(format!("`winners`: expected {expected}, found {winners:?}"));
        }
        if yaku.len() != winners.len() || self.values.iter().any(|list| list.of(row).len() != winners.len()) {
            return Err(format!("expected {} entries in each list of winners, found others", winners.len()));
        }
        let win = |(place, winner): (usize, &i64)| {
            let value = |column: usize| self.values[column].of(row)[place];
            Ok(Win {
                winner: seat("winners", *winner, players)?,
                yaku: self.yaku.of(yaku[place]).iter().fold(YakuSet::EMPTY, |all, one| all.union(*one)),
                han: value(0) as u8,
                fu: value(1) as u8,
                dora: [2, 3, 4, 5].map(|column| value(column) as u8),
                points: value(6) as i32,
            })
        };
        winners.iter().enumerate().map(win).collect()
    }
}

fn seat(name: &str, number: i64, players: Players) -> Result<Seat, String> {
    let found = players.seats().find(|seat| i64::from(seat.number()) == number);
    found
        .ok_or_else(|| format!("`{name}`: expected a seat from 0 to {}, found {number}", players.count() - 1))
}

fn count_hands(batch: &RecordBatch, games: &mut BTreeMap<u64, StoredGame>) -> Result<(), String> {
    let (game_of, number_of) = (numbers(column(batch, "game")?)?, numbers(column(batch, "hand")?)?);
    let columns = HandColumns::new(batch)?;
    for row in 0..batch.num_rows() {
        let (number, hand) = (game_of[row], number_of[row]);
        let game = games.get_mut(&(number as u64));
        let game = game.ok_or_else(|| format!("game {number}: not in the table of games"))?;
        let place = |what: String| format!("game {number} hand {hand}: {what}");
        if hand != game.counted {
            return Err(place(format!("expected hand {}, as hands come in order", game.counted)));
        }
        game.counter.hand(&columns.hand(row, game.results.players()).map_err(place)?);
        game.counted += 1;
    }
    Ok(())
}
