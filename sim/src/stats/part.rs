//! Counts the games of one part of a run, from its tables `games` and `hands`.

use std::ops::Range;
use std::path::Path;

use arrow_array::{Array, RecordBatch};
use jantaku_engine::{BySeat, DrawReason, FinalResult, Players, Seat, Yaku, YakuSet};

use super::columns::{ListColumn, column, inner, inner_indexes, numbers, words};
use crate::dataset::{Batches, ReadError, TableFile, TableKind};
use crate::play::{AgentGroups, EndFacts, GameCounter, Groups, HandFacts, Schedule, UnitCounts, WinFacts};

/// A game and its counts.
pub(super) struct CountedGame {
    pub number: u64,
    pub unit: UnitCounts,
}

/// The games of a part in order, each counted when it is read.
pub(super) struct PartGames<'a> {
    games: TableRows<GameColumns>,
    hands: TableRows<HandColumns>,
    /// The numbers of the part's games.
    numbers: Range<u64>,
    /// The number of the next game.
    next: u64,
    players: PlayerGroups<'a>,
    counter: GameCounter,
}

/// The groups of the players of a game.
#[derive(Clone, Copy)]
pub(super) enum PlayerGroups<'a> {
    /// The players have no groups of their own.
    None,
    /// Agents have groups by their names.
    Named(&'a Groups),
    /// Agents have groups by their index in the list of the schedule.
    Seated(Schedule, AgentGroups),
}

impl PlayerGroups<'_> {
    /// The groups of a game's players, by seat.
    fn of(self, game: &GameRow) -> AgentGroups {
        match self {
            PlayerGroups::None => AgentGroups::default(),
            PlayerGroups::Named(groups) => groups.of_agents(&game.agents),
            PlayerGroups::Seated(schedule, groups) => {
                schedule.fixture(game.number as u64).seating.arrange(groups)
            }
        }
    }
}

impl<'a> PartGames<'a> {
    /// The games of a part of the run in this folder. `numbers` are the games that it should have.
    ///
    /// # Errors
    ///
    /// If a file is missing or lacks a column.
    pub(super) fn open(
        run: &Path,
        part: u64,
        numbers: Range<u64>,
        groups: &Groups,
        players: PlayerGroups<'a>,
    ) -> Result<PartGames<'a>, ReadError> {
        let games =
            TableRows::open(TableFile::new(run, TableKind::Games, part), &GAME_COLUMNS, GameColumns::new)?;
        let hands =
            TableRows::open(TableFile::new(run, TableKind::Hands, part), &HAND_COLUMNS, HandColumns::new)?;
        let (next, counter) = (numbers.start, GameCounter::new(groups));
        Ok(PartGames { games, hands, numbers, next, players, counter })
    }

    /// Reads and counts the next game. None after the last game.
    ///
    /// # Errors
    ///
    /// If a file is damaged, or a game or hand is missing, unexpected or out of order.
    pub(super) fn next(&mut self) -> Result<Option<CountedGame>, ReadError> {
        let Some(game) = self.games.next(GameColumns::game)? else {
            return self.check_end().map(|()| None);
        };
        self.check_number(game.number)?;
        self.next += 1;
        self.counter.start(self.players.of(&game));
        self.count_hands(&game)?;
        let unit = self.counter.finish(&game.results, game.decisions).clone();
        Ok(Some(CountedGame { number: game.number as u64, unit }))
    }

    fn check_number(&self, found: i64) -> Result<(), ReadError> {
        let (found, Range { start, end }) = (found as u64, self.numbers.clone());
        if found == self.next && found < end {
            return Ok(());
        }
        let what = if !(start..end).contains(&found) {
            format!("unexpected game {found}; the part should have the games {start} to {}", end - 1)
        } else if found < self.next {
            format!("game {found} follows game {}; games should be in order, each once", self.next - 1)
        } else {
            self.missing_game()
        };
        Err(self.games.file.error(&what))
    }

    fn missing_game(&self) -> String {
        let Range { start, end } = self.numbers;
        format!("game {} is missing; the part should have the games {start} to {}", self.next, end - 1)
    }

    /// Checks that no game is missing and no hands are left.
    fn check_end(&mut self) -> Result<(), ReadError> {
        if self.next < self.numbers.end {
            return Err(self.games.file.error(&self.missing_game()));
        }
        match self.hands.peek(|hands, row| hands.game[row])? {
            None => Ok(()),
            Some(game) => Err(self.hands.file.error(&format!("game {game} is not in the table `games`"))),
        }
    }

    fn count_hands(&mut self, game: &GameRow) -> Result<(), ReadError> {
        let mut counted = 0;
        while self.hands.peek(|hands, row| hands.game[row])? == Some(game.number) {
            let read = |hands: &HandColumns, row: usize| {
                let hand = hands.hand[row];
                let in_hand = |what: String| format!("game {} hand {hand}: {what}", game.number);
                if hand != counted {
                    return Err(in_hand(format!("expected hand {counted}; hands should be in order")));
                }
                hands.facts(row, game.results.players()).map_err(in_hand)
            };
            let hand = self.hands.next(read)?.expect("a row was peeked");
            self.counter.hand(&hand);
            counted += 1;
        }
        if counted == game.hands {
            return Ok(());
        }
        let GameRow { number, hands, .. } = game;
        let what = format!("game {number}: expected {hands} hands as in the table `games`, found {counted}");
        Err(self.hands.file.error(&what))
    }
}

/// The rows of a stored table, read one batch at a time. `C` holds the columns of a batch.
struct TableRows<C> {
    file: TableFile,
    batches: Batches,
    columns_of: fn(&RecordBatch) -> Result<C, String>,
    /// The columns of the current batch.
    columns: Option<C>,
    /// The next row in the batch.
    row: usize,
    /// The number of rows in the batch.
    count: usize,
}

impl<C> TableRows<C> {
    fn open(
        file: TableFile,
        columns: &[&str],
        columns_of: fn(&RecordBatch) -> Result<C, String>,
    ) -> Result<TableRows<C>, ReadError> {
        let batches = file.batches(columns)?;
        Ok(TableRows { file, batches, columns_of, columns: None, row: 0, count: 0 })
    }

    /// Reads from the next row and stays on it. None after the last row.
    fn peek<T>(&mut self, read: impl FnOnce(&C, usize) -> T) -> Result<Option<T>, ReadError> {
        while self.row == self.count {
            let Some(batch) = self.batches.next().transpose()? else { return Ok(None) };
            let columns = (self.columns_of)(&batch).map_err(|what| self.file.error(&what))?;
            (self.columns, self.row, self.count) = (Some(columns), 0, batch.num_rows());
        }
        Ok(self.columns.as_ref().map(|columns| read(columns, self.row)))
    }

    /// Reads the next row and moves past it. None after the last row.
    fn next<T>(&mut self, read: impl FnOnce(&C, usize) -> Result<T, String>) -> Result<Option<T>, ReadError> {
        let found = self.peek(read)?.transpose().map_err(|what| self.file.error(&what))?;
        self.row += usize::from(found.is_some());
        Ok(found)
    }
}

/// A row of the table `games`, as far as it is counted.
struct GameRow {
    number: i64,
    agents: Vec<String>,
    results: BySeat<FinalResult>,
    hands: i64,
    decisions: u32,
}

const GAME_COLUMNS: [&str; 7] = ["game", "agents", "points", "placement", "result", "hands", "decisions"];

/// A batch of the table `games`.
struct GameColumns {
    game: Vec<i64>,
    agents: ListColumn<String>,
    points: ListColumn<i64>,
    placement: ListColumn<i64>,
    result: ListColumn<i64>,
    hands: Vec<i64>,
    decisions: Vec<i64>,
}

impl GameColumns {
    fn new(batch: &RecordBatch) -> Result<GameColumns, String> {
        let names = |names: &dyn Array| words(names, |name| Ok(name.to_owned()));
        Ok(GameColumns {
            game: number_column(batch, "game")?,
            agents: list_column(batch, "agents", names)?,
            points: list_column(batch, "points", numbers)?,
            placement: list_column(batch, "placement", numbers)?,
            result: list_column(batch, "result", numbers)?,
            hands: number_column(batch, "hands")?,
            decisions: number_column(batch, "decisions")?,
        })
    }

    fn game(&self, row: usize) -> Result<GameRow, String> {
        let number = self.game[row];
        let results = self.results(row).map_err(|what| format!("game {number}: {what}"))?;
        let (hands, decisions) = (self.hands[row], self.decisions[row] as u32);
        Ok(GameRow { number, agents: self.agents.of(row).to_vec(), results, hands, decisions })
    }

    fn results(&self, row: usize) -> Result<BySeat<FinalResult>, String> {
        let players = u8::try_from(self.points.of(row).len()).map_err(|error| error.to_string())?;
        let players = Players::try_from(players)?;
        let points = by_seat("points", &self.points, row, players)?;
        let placement = by_seat("placement", &self.placement, row, players)?;
        let result = by_seat("result", &self.result, row, players)?;
        let places = 1..=i64::from(players.count());
        if let Some(wrong) = placement.iter().find(|place| !places.contains(*place)) {
            return Err(format!("`placement`: expected 1 to {}, found {wrong}", players.count()));
        }
        Ok(BySeat::from_fn(players, |seat| FinalResult {
            placement: placement[seat] as u8,
            points: points[seat] as i32,
            result: result[seat] as i32,
        }))
    }
}

/// A value of the column `outcome`, as far as it is counted.
#[derive(Clone, Copy)]
enum HandOutcome {
    Won,
    Draw(DrawReason),
}

impl HandOutcome {
    fn named(name: &str) -> Result<HandOutcome, String> {
        if ["tsumo", "ron"].contains(&name) {
            return Ok(HandOutcome::Won);
        }
        let reason = DrawReason::ALL.into_iter().find(|reason| reason.name() == name);
        reason.map(HandOutcome::Draw).ok_or_else(|| format!("`outcome`: unknown outcome `{name}`"))
    }
}

const HAND_COLUMNS: [&str; 22] = [
    "game",
    "hand",
    "round",
    "dealer",
    "honba",
    "start_points",
    "outcome",
    "winners",
    "discarder",
    "yaku",
    "han",
    "fu",
    "dora",
    "ura_dora",
    "red_fives",
    "kita",
    "win_points",
    "deltas",
    "discards",
    "riichi_turn",
    "calls",
    "tenpai",
];

/// A batch of the table `hands`.
struct HandColumns {
    game: Vec<i64>,
    hand: Vec<i64>,
    round: Vec<i64>,
    honba: Vec<i64>,
    dealer: Vec<i64>,
    discarder: Vec<Option<i64>>,
    outcome: Vec<HandOutcome>,
    start_points: ListColumn<i64>,
    deltas: ListColumn<i64>,
    discards: ListColumn<i64>,
    calls: ListColumn<i64>,
    /// 0 for seats without riichi.
    riichi: ListColumn<i64>,
    /// 0 for seats that did not show tenpai.
    tenpai: ListColumn<i64>,
    winners: ListColumn<i64>,
    /// The indexes in `yaku` of each row's winners.
    yaku_of: ListColumn<usize>,
    /// The yaku of each winner, one set for each.
    yaku: ListColumn<YakuSet>,
    /// Of each winner: han, fu, dora, ura dora, red fives, kita, points.
    values: [ListColumn<i64>; 7],
}

impl HandColumns {
    fn new(batch: &RecordBatch) -> Result<HandColumns, String> {
        let lists = |name: &str| list_column(batch, name, numbers);
        let lists_or_0 = |name: &str| list_column(batch, name, numbers_or_0);
        let one_yaku = |name: &str| {
            let yaku = Yaku::all().find(|yaku| yaku.name() == name).map(YakuSet::of);
            yaku.ok_or_else(|| format!("`yaku`: unknown yaku `{name}`"))
        };
        let (yaku, discarder) = (column(batch, "yaku")?, column(batch, "discarder")?);
        let discarders = number_column(batch, "discarder")?.into_iter().enumerate();
        Ok(HandColumns {
            game: number_column(batch, "game")?,
            hand: number_column(batch, "hand")?,
            round: number_column(batch, "round")?,
            honba: number_column(batch, "honba")?,
            dealer: number_column(batch, "dealer")?,
            discarder: discarders.map(|(row, seat)| discarder.is_valid(row).then_some(seat)).collect(),
            outcome: words(column(batch, "outcome")?, HandOutcome::named)?,
            start_points: lists("start_points")?,
            deltas: lists("deltas")?,
            discards: lists("discards")?,
            calls: lists("calls")?,
            riichi: lists_or_0("riichi_turn")?,
            tenpai: lists_or_0("tenpai")?,
            winners: lists("winners")?,
            yaku_of: inner_indexes(yaku)?,
            yaku: ListColumn::new(inner(yaku)?, |names| words(names, one_yaku))?,
            values: [
                lists("han")?,
                lists("fu")?,
                lists("dora")?,
                lists("ura_dora")?,
                lists("red_fives")?,
                lists("kita")?,
                lists("win_points")?,
            ],
        })
    }

    /// The facts of the hand in a row.
    fn facts(&self, row: usize, players: Players) -> Result<HandFacts, String> {
        let seats = |name: &str, list: &ListColumn<i64>| by_seat(name, list, row, players);
        let riichi = seats("riichi_turn", &self.riichi)?;
        Ok(HandFacts {
            round: self.round[row] as u16,
            honba: self.honba[row] as u16,
            dealer: seat("dealer", self.dealer[row], players)?,
            start_points: seats("start_points", &self.start_points)?.map(|points| *points as i32),
            deltas: seats("deltas", &self.deltas)?.map(|points| *points as i32),
            discards: seats("discards", &self.discards)?.map(|discards| *discards as u8),
            riichi: riichi.map(|turn| (*turn != 0).then_some(*turn as u8)),
            calls: seats("calls", &self.calls)?.map(|calls| *calls as u8),
            end: self.end(row, players)?,
        })
    }

    fn end(&self, row: usize, players: Players) -> Result<EndFacts, String> {
        let winners = self.winners.of(row);
        match self.outcome[row] {
            HandOutcome::Draw(_) if !winners.is_empty() => {
                Err(format!("`winners`: expected none in a draw, found {winners:?}"))
            }
            HandOutcome::Draw(reason) => {
                let tenpai = by_seat("tenpai", &self.tenpai, row, players)?;
                Ok(EndFacts::Draw {
                    reason,
                    tenpai: players.seats().filter(|seat| tenpai[*seat] != 0).collect(),
                })
            }
            HandOutcome::Won if winners.is_empty() => {
                Err("`winners`: expected the winners of a won hand, found none".to_owned())
            }
            HandOutcome::Won => {
                let discarder =
                    self.discarder[row].map(|found| seat("discarder", found, players)).transpose()?;
                Ok(EndFacts::Won { wins: self.wins(row, players)?, discarder })
            }
        }
    }

    fn wins(&self, row: usize, players: Players) -> Result<BySeat<Option<WinFacts>>, String> {
        let (winners, yaku) = (self.winners.of(row), self.yaku_of.of(row));
        if yaku.len() != winners.len() || self.values.iter().any(|list| list.of(row).len() != winners.len()) {
            return Err(format!(
                "expected {} entries in each list of winners, found another number",
                winners.len()
            ));
        }
        let mut wins = BySeat::splat(players, None);
        for (index, winner) in winners.iter().enumerate() {
            let value = |column: usize| self.values[column].of(row)[index];
            let win = WinFacts {
                yaku: self.yaku.of(yaku[index]).iter().fold(YakuSet::EMPTY, |all, one| all.union(*one)),
                han: value(0) as u8,
                fu: value(1) as u8,
                dora: [2, 3, 4, 5].map(|column| value(column) as u8),
                points: value(6) as i32,
            };
            if wins[seat("winners", *winner, players)?].replace(win).is_some() {
                return Err(format!("`winners`: expected each seat at most once, found {winners:?}"));
            }
        }
        Ok(wins)
    }
}

/// A column of integers; the message of an error names it.
fn number_column(batch: &RecordBatch, name: &str) -> Result<Vec<i64>, String> {
    numbers(column(batch, name)?).map_err(|what| format!("`{name}`: {what}"))
}

/// A column of lists; the message of an error names it.
fn list_column<T>(
    batch: &RecordBatch,
    name: &str,
    read: impl FnOnce(&dyn Array) -> Result<Vec<T>, String>,
) -> Result<ListColumn<T>, String> {
    ListColumn::new(column(batch, name)?, read).map_err(|what| format!("`{name}`: {what}"))
}

/// A column of integers or booleans, with 0 for null.
fn numbers_or_0(array: &dyn Array) -> Result<Vec<i64>, String> {
    let mut numbers = numbers(array)?;
    (0..array.len()).filter(|entry| array.is_null(*entry)).for_each(|entry| numbers[entry] = 0);
    Ok(numbers)
}

/// A list with one entry for each player.
fn by_seat(name: &str, list: &ListColumn<i64>, row: usize, players: Players) -> Result<BySeat<i64>, String> {
    let (entries, expected) = (list.of(row), usize::from(players.count()));
    let found = entries.len();
    let seats = BySeat::from_slice(players, entries).filter(|_| found == expected);
    seats.ok_or_else(|| format!("`{name}`: expected {expected} entries, found {found}"))
}

fn seat(name: &str, number: i64, players: Players) -> Result<Seat, String> {
    let found = players.seats().find(|seat| i64::from(seat.number()) == number);
    found
        .ok_or_else(|| format!("`{name}`: expected a seat from 0 to {}, found {number}", players.count() - 1))
}
