//! The games of a part, counted one after the other: its tables of games and of hands are read side by side, batch by batch.

use std::ops::Range;
use std::path::Path;

use arrow_array::{Array as _, RecordBatch};
use jantaku_engine::{BySeat, DrawReason, FinalResult, Players, Seat, SeatSet, YakuSet};

use super::cells::{Lists, column, inner, numbers, places, words};
use super::counts::{Counter, Counts, Groups, Hand, Win, yaku_named};
use crate::dataset::{Batches, ReadError, TableFile, TableKind};

/// A game that has been counted.
pub(super) struct CountedGame {
    pub number: u64,
    pub counts: Counts,
}

/// The games of a part that have not been counted yet.
pub(super) struct PartGames<'a> {
    games: Rows<GameColumns>,
    hands: Rows<HandColumns>,
    /// The numbers of the games of the part.
    all: Range<u64>,
    /// The number of the next game.
    next: u64,
    groups: &'a Groups,
    /// Whether the players are agents, who are told apart.
    are_agents: bool,
}

impl<'a> PartGames<'a> {
    /// The games of a part of the run in this folder, which are those with these numbers.
    ///
    /// # Errors
    ///
    /// If a file is missing or has not the columns.
    pub(super) fn open(
        run: &Path,
        part: u64,
        all: Range<u64>,
        groups: &'a Groups,
        are_agents: bool,
    ) -> Result<PartGames<'a>, ReadError> {
        let games = Rows::open(TableFile::new(run, TableKind::Games, part), &GAME_COLUMNS, GameColumns::new)?;
        let hands = Rows::open(TableFile::new(run, TableKind::Hands, part), &HAND_COLUMNS, HandColumns::new)?;
        Ok(PartGames { games, hands, next: all.start, all, groups, are_agents })
    }

    /// Counts the next game; none after the last.
    ///
    /// # Errors
    ///
    /// If a file is damaged, or the games or their hands are not those that should come.
    pub(super) fn next(&mut self) -> Result<Option<CountedGame>, ReadError> {
        let Some(game) = self.games.next(GameColumns::game)? else {
            return self.check_end().map(|()| None);
        };
        self.check_number(game.number)?;
        self.next += 1;
        let agents = if self.are_agents { &game.agents[..] } else { &[] };
        let counter = self.count_hands(&game, Counter::new(self.groups, agents))?;
        let number = game.number as u64;
        Ok(Some(CountedGame { number, counts: counter.finish(&game.results, game.decisions) }))
    }

    fn check_number(&self, found: i64) -> Result<(), ReadError> {
        let (found, Range { start, end }) = (found as u64, self.all.clone());
        if found == self.next && found < end {
            return Ok(());
        }
        let what = if !(start..end).contains(&found) {
            format!("game {found}: expected the games {start} to {}", end - 1)
        } else if found < self.next {
            format!("game {found}: comes after game {}, expected each game once and in order", self.next - 1)
        } else {
            format!("no game {}: expected the games {start} to {}", self.next, end - 1)
        };
        Err(self.games.file.error(&what))
    }

    /// Whether nothing is missing, and no hands are left.
    fn check_end(&mut self) -> Result<(), ReadError> {
        let Range { start, end } = self.all;
        if self.next < end {
            let what = format!("no game {}: expected the games {start} to {}", self.next, end - 1);
            return Err(self.games.file.error(&what));
        }
        match self.hands.peek(|hands, row| hands.game[row])? {
            None => Ok(()),
            Some(game) => Err(self.hands.file.error(&format!("game {game}: not in the table of games"))),
        }
    }

    fn count_hands(&mut self, game: &Game, mut counter: Counter) -> Result<Counter, ReadError> {
        let mut counted = 0;
        while self.hands.peek(|hands, row| hands.game[row])? == Some(game.number) {
            counter.hand(
                &self
                    .hands
                    .next(|hands, row| {
                        let hand = hands.hand[row];
                        let place = |what: String| format!("game {} hand {hand}: {what}", game.number);
                        if hand != counted {
                            return Err(place(format!("expected hand {counted}, as hands come in order")));
                        }
                        hands.hand(row, game.results.players()).map_err(place)
                    })?
                    .expect("there is a row"),
            );
            counted += 1;
        }
        if counted == game.hands {
            return Ok(counter);
        }
        let Game { number, hands, .. } = game;
        let what =
            format!("game {number}: expected {hands} hands, as the table of games has, found {counted}");
        Err(self.hands.file.error(&what))
    }
}

/// The rows of a table, of which a batch is in memory.
struct Rows<C> {
    file: TableFile,
    batches: Batches,
    /// Makes plain columns of a batch.
    columns_of: fn(&RecordBatch) -> Result<C, String>,
    columns: Option<C>,
    /// The next row of the batch.
    row: usize,
    /// How many rows the batch has.
    count: usize,
}

impl<C> Rows<C> {
    fn open(
        file: TableFile,
        columns: &[&str],
        columns_of: fn(&RecordBatch) -> Result<C, String>,
    ) -> Result<Rows<C>, ReadError> {
        let batches = file.batches(columns)?;
        Ok(Rows { file, batches, columns_of, columns: None, row: 0, count: 0 })
    }

    /// What is read of the next row; none after the last.
    fn peek<T>(&mut self, read: impl FnOnce(&C, usize) -> T) -> Result<Option<T>, ReadError> {
        while self.row == self.count {
            let Some(batch) = self.batches.next().transpose()? else { return Ok(None) };
            let columns = (self.columns_of)(&batch).map_err(|what| self.file.error(&what))?;
            (self.columns, self.row, self.count) = (Some(columns), 0, batch.num_rows());
        }
        Ok(self.columns.as_ref().map(|columns| read(columns, self.row)))
    }

    /// The same, and goes on to the row after it.
    fn next<T>(&mut self, read: impl FnOnce(&C, usize) -> Result<T, String>) -> Result<Option<T>, ReadError> {
        let found = self.peek(read)?.transpose().map_err(|what| self.file.error(&what))?;
        self.row += usize::from(found.is_some());
        Ok(found)
    }
}

/// A row of the table of games, as far as it is counted.
struct Game {
    number: i64,
    agents: Vec<String>,
    results: BySeat<FinalResult>,
    hands: i64,
    decisions: u32,
}

const GAME_COLUMNS: [&str; 7] = ["game", "agents", "points", "rank", "result", "hands", "decisions"];

/// The columns of a batch of games.
struct GameColumns {
    game: Vec<i64>,
    agents: Lists<String>,
    points: Lists<i64>,
    rank: Lists<i64>,
    result: Lists<i64>,
    hands: Vec<i64>,
    decisions: Vec<i64>,
}

impl GameColumns {
    fn new(batch: &RecordBatch) -> Result<GameColumns, String> {
        let of = |name: &str| numbers(column(batch, name)?);
        let lists = |name: &str| Lists::new(column(batch, name)?, numbers);
        let names = |names: &dyn arrow_array::Array| words(names, |name| Ok(name.to_owned()));
        Ok(GameColumns {
            game: of("game")?,
            agents: Lists::new(column(batch, "agents")?, names)?,
            points: lists("points")?,
            rank: lists("rank")?,
            result: lists("result")?,
            hands: of("hands")?,
            decisions: of("decisions")?,
        })
    }

    fn game(&self, row: usize) -> Result<Game, String> {
        let number = self.game[row];
        let place = |what: String| format!("game {number}: {what}");
        let players = u8::try_from(self.points.of(row).len()).map_err(|e| place(e.to_string()))?;
        let players = Players::try_from(players).map_err(place)?;
        let seats = |name, list: &Lists<i64>| {
            by_seat(list, row, players).map_err(|what| place(format!("`{name}`: {what}")))
        };
        let (points, rank, result) =
            (seats("points", &self.points)?, seats("rank", &self.rank)?, seats("result", &self.result)?);
        if let Some(wrong) = rank.iter().find(|rank| !(1..=i64::from(players.count())).contains(*rank)) {
            return Err(place(format!("`rank`: expected 1 to {}, found {wrong}", players.count())));
        }
        let results = BySeat::from_fn(players, |seat| FinalResult {
            placement: rank[seat] as u8,
            points: points[seat] as i32,
            result: result[seat] as i32,
        });
        let (hands, decisions) = (self.hands[row], self.decisions[row] as u32);
        Ok(Game { number, agents: self.agents.of(row).to_vec(), results, hands, decisions })
    }
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

const HAND_COLUMNS: [&str; 22] = [
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

/// The columns of a batch of hands.
struct HandColumns {
    game: Vec<i64>,
    hand: Vec<i64>,
    round: Vec<i64>,
    honba: Vec<i64>,
    dealer: Vec<i64>,
    discarder: Vec<Option<i64>>,
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

impl HandColumns {
    fn new(batch: &RecordBatch) -> Result<HandColumns, String> {
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
        let (yaku, discarder) = (column(batch, "yaku")?, column(batch, "discarder")?);
        let discarders = of("discarder")?.into_iter().enumerate();
        Ok(HandColumns {
            game: of("game")?,
            hand: of("hand")?,
            round: of("round")?,
            honba: of("honba")?,
            dealer: of("dealer")?,
            discarder: discarders.map(|(row, seat)| discarder.is_valid(row).then_some(seat)).collect(),
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
        let (tenpai, riichi) = (seats("tenpai", &self.tenpai)?, seats("riichi_turn", &self.riichi)?);
        Ok(Hand {
            round: self.round[row] as u16,
            honba: self.honba[row] as u16,
            dealer: seat("dealer", self.dealer[row], players)?,
            start_points: seats("start_points", &self.start_points)?.map(|points| *points as i32),
            draw,
            wins: self.wins(row, players, draw.is_none())?,
            discarder: self.discarder[row].map(|found| seat("discarder", found, players)).transpose()?,
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
