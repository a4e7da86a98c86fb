//! The state of an environment as bytes.
//!
//! # Why
//!
//! **Why does a saved environment store answers, and not games?** A game is replayed from its seed
//! in a tenth of a millisecond, and its answers keep their meaning when the engine's tables change.
//! Keeping them costs a list for each table, which the processor fetches for every decision: with
//! random answers 4 to 10 % of the speed. So an environment does it only if it is `resumable`.

use std::sync::Arc;

use jantaku_engine::{ActionId, BySeat, Seat};
use serde::{Deserialize, Serialize};

use super::batch::{BatchMut, Row};
use super::error::EnvError;
use super::hands::EndedHand;
use super::lineup::{Role, Roles};
use super::table::{OpenDecisions, Slot, State, Table};
use super::vector::{BLOCK, Block, VecEnv};

/// A state: fields of [`VecEnv`], and each game as its answers, from which it is replayed.
#[derive(Serialize, Deserialize)]
struct Saved {
    rules: u64,
    setup: Setup,
    seed: u64,
    draws: u64,
    first: i32,
    last: Vec<Row>,
    hands: Vec<EndedHand>,
    tables: Vec<SavedTable>,
}

/// What games depend on besides rules, seed and answers.
#[derive(Serialize, Deserialize)]
struct Setup {
    rotate: bool,
    rewards: String,
    starts: String,
    /// The line-ups of new games, with their numbers, weights and players.
    lineups: Vec<String>,
}

impl Setup {
    /// The setup in messages: a line for each part.
    fn lines(&self) -> impl Iterator<Item = String> {
        let Setup { rotate, rewards, starts, lineups } = self;
        let fixed = [format!("rotate {rotate}"), rewards.clone(), starts.clone()];
        fixed.into_iter().chain([format!("{} line-ups", lineups.len())]).chain(lineups.iter().cloned())
    }
}

#[derive(Serialize, Deserialize)]
struct SavedTable {
    game: u32,
    lineup: u32,
    rewarded: BySeat<i32>,
    slots: [(State, u8); 4],
    missing: u8,
    asks_agents: bool,
    ending: u8,
    /// The rows that no call of `recv` has returned yet.
    rows: Vec<Row>,
    /// The hands that ended since the last call of `recv`.
    hands: Vec<EndedHand>,
    /// The answers so far: two hexadecimal digits for each of seat and action.
    answers: String,
}

fn wrong(expected: impl Into<String>, found: impl Into<String>) -> EnvError {
    EnvError::State { expected: expected.into(), found: found.into() }
}

impl VecEnv {
    /// The state as bytes, for [`load_state`](VecEnv::load_state).
    ///
    /// # Errors
    ///
    /// If the environment is not [resumable](super::EnvConfig::resumable).
    pub fn state(&self) -> Result<Vec<u8>, EnvError> {
        if !self.common.resumable {
            return Err(EnvError::NotResumable);
        }
        let saved = Saved {
            rules: self.common.rules.hash(),
            setup: self.setup(),
            seed: self.common.seed,
            draws: self.draws,
            first: self.first,
            last: self.last.clone(),
            hands: self.hands.clone(),
            tables: (0..self.tables()).map(|table| self.save(table)).collect(),
        };
        Ok(serde_json::to_vec(&saved).expect("a state has no maps, and its numbers are finite"))
    }

    fn setup(&self) -> Setup {
        let common = &self.common;
        let named = |number: u32| self.agents.iter().find(|agent| agent.number == number);
        let name = |role: &Role| match role {
            Role::Learner => "the learner".to_owned(),
            Role::Policy(policy) => policy.to_string(),
            Role::Batched(number, _) => named(*number).map_or_else(String::new, |agent| agent.name.clone()),
        };
        let lineup = |(roles, weight): (&Arc<Roles>, f64)| {
            let names: Vec<String> = roles.roles.iter().map(name).collect();
            format!("line-up {} with weight {weight}: {}", roles.number, names.join(", "))
        };
        Setup {
            rotate: common.rotate,
            rewards: format!("rewards {:?}", common.rewards),
            starts: format!("starts {:?}", common.starts),
            lineups: common.lineups.iter().map(lineup).collect(),
        }
    }

    /// Checks that games would continue like those of the state.
    fn check_setup(&self, saved: &Setup) -> Result<(), EnvError> {
        let own = self.setup();
        let differing = own.lines().zip(saved.lines()).find(|(own, saved)| own != saved);
        differing.map_or(Ok(()), |(own, saved)| Err(wrong(own, saved)))
    }

    /// Checks that all rows are of existing tables and seats, with the IDs of these.
    fn check_rows(&self, saved: &Saved) -> Result<(), EnvError> {
        let (tables, seats) = (self.tables(), self.common.seats());
        let exists = |row: &Row| {
            let table = usize::try_from(row.tables).ok().filter(|table| *table < tables);
            let seat = Some(usize::from(row.seats)).filter(|seat| *seat < seats);
            let id = usize::try_from(row.ids).ok();
            id.is_some() && id == table.zip(seat).map(|(table, seat)| table * seats + seat)
        };
        let mut rows = saved.last.iter().chain(saved.tables.iter().flat_map(|table| &table.rows));
        rows.find(|row| !exists(row)).map_or(Ok(()), |Row { ids, tables: table, seats: seat, .. }| {
            let expected = format!("rows of {tables} tables with {seats} seats");
            Err(wrong(expected, format!("table {table}, seat {seat}, ID {ids}")))
        })
    }

    fn save(&self, at: usize) -> SavedTable {
        let (table, open, news) = (&self.tables[at], &self.open_decisions[at], &self.blocks[at / BLOCK].news);
        let answer =
            |(seat, action): &(Seat, ActionId)| format!("{:02x}{:02x}", seat.number(), action.number());
        SavedTable {
            game: table.number,
            lineup: table.lineup.number,
            rewarded: table.rewarded,
            slots: open.slots.map(|slot| (slot.state, slot.answer.number())),
            missing: open.missing,
            asks_agents: open.asks_agents,
            ending: open.ending,
            rows: news.rows.iter().filter(|row| row.tables as usize == at).copied().collect(),
            hands: news.hands.iter().filter(|hand| hand.table as usize == at).copied().collect(),
            answers: table.steps().iter().map(answer).collect(),
        }
    }

    /// Continues from a state: subsequent rows are identical, if the answers and the opponents are
    /// the same. Also writes again the rows of the last call of [`recv`](VecEnv::recv) before the state was
    /// taken, and returns their number.
    ///
    /// The environment must have the same configuration, except for the seed and the number of threads, and
    /// have had the same line-ups since its start. Line-ups are compared by the names of their players.
    ///
    /// # Errors
    ///
    /// If the environment is not resumable, the bytes are no state of such an environment, or the arrays
    /// have no room for the rows. The environment is unchanged.
    pub fn load_state(&mut self, state: &[u8], out: &mut BatchMut<'_>) -> Result<usize, EnvError> {
        if !self.common.resumable {
            return Err(EnvError::NotResumable);
        }
        let saved: Saved =
            serde_json::from_slice(state).map_err(|error| wrong("a state", error.to_string()))?;
        if saved.rules != self.common.rules.hash() {
            let hash = |hash: u64| format!("rules with the hash {hash:016x}");
            return Err(wrong(hash(self.common.rules.hash()), hash(saved.rules)));
        }
        self.check_setup(&saved.setup)?;
        if saved.tables.len() != self.tables() {
            return Err(wrong(format!("{} tables", self.tables()), saved.tables.len().to_string()));
        }
        self.check_rows(&saved)?;
        let room = out.rows()?;
        if saved.last.len() > room {
            return Err(EnvError::Room { found: format!("{room} for {} rows", saved.last.len()) });
        }
        let seed = std::mem::replace(&mut self.common.seed, saved.seed);
        let resumed: Result<Vec<_>, _> =
            saved.tables.iter().enumerate().map(|(at, table)| self.resume(at, table)).collect();
        let resumed = resumed.inspect_err(|_| self.common.seed = seed)?;
        (self.tables, self.open_decisions) = resumed.into_iter().unzip();
        self.blocks.fill_with(Block::default);
        for (at, SavedTable { rows, hands, .. }) in saved.tables.into_iter().enumerate() {
            let news = &mut self.blocks[at / BLOCK].news;
            news.rows.extend(rows);
            news.hands.extend(hands);
        }
        (self.first, self.draws, self.hands) = (saved.first, saved.draws, saved.hands);
        out.write(0, &saved.last);
        self.encode(&saved.last, 0, out);
        (self.last, self.has_begun) = (saved.last, true);
        Ok(self.last.len())
    }

    /// A table as it was saved.
    fn resume(&self, at: usize, saved: &SavedTable) -> Result<(Table, OpenDecisions), EnvError> {
        let lineup = self.lineups.iter().find(|lineup| lineup.number == saved.lineup);
        let lineup = lineup.cloned().ok_or_else(|| {
            wrong("a line-up set before the first rows", format!("line-up {}", saved.lineup))
        })?;
        let steps = answers(&saved.answers).ok_or_else(|| wrong("answers", saved.answers.clone()))?;
        let table = Table::resume(&self.common, (at, saved.game), lineup, saved.rewarded, &steps);
        let table = table.map_err(|illegal| wrong("legal answers", format!("table {at}: {illegal}")))?;
        let mut open = OpenDecisions {
            slots: [Slot::default(); 4],
            missing: saved.missing,
            asks_agents: saved.asks_agents,
            ending: saved.ending,
        };
        for (slot, (state, answer)) in open.slots.iter_mut().zip(saved.slots) {
            slot.state = state;
            slot.answer =
                ActionId::new(answer).ok_or_else(|| wrong("the number of an action", answer.to_string()))?;
        }
        for seat in table.game.pending().iter() {
            open.slots[seat.index()].legal = table.game.observe(seat).legal();
        }
        Ok((table, open))
    }
}

/// The answers in a text of [`SavedTable::answers`]. None if it is malformed.
fn answers(text: &str) -> Option<Vec<(Seat, ActionId)>> {
    let (answers, []) = text.as_bytes().as_chunks::<4>() else { return None };
    let byte = |digits: &[u8]| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
    let answer =
        |digits: &[u8; 4]| Some((Seat::new(byte(&digits[..2])?)?, ActionId::new(byte(&digits[2..])?)?));
    answers.iter().map(answer).collect()
}
