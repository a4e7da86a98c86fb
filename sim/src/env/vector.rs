//! All tables of an environment.
//!
//! # Why
//!
//! **Why does `recv` of an environment do the work, and not a background thread?** Then the calling
//! thread decides when games advance, so rows follow from the calls alone. With random answers a
//! decision costs 0.2 µs, and one with planes 1.8 µs, so there is little to hide behind a network.
//! To hide it anyway, use two environments and two threads: `recv` runs without the GIL.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use jantaku_agents::encode::{OracleV1, RowsMut};
use jantaku_agents::{AgentError, Reply, Request, TableId};
use jantaku_engine::random::hash;
use jantaku_engine::{ActionId, Game, IllegalAction, Rng, Rules, Seat};
use jantaku_show::text;
use rayon::prelude::*;

use super::batch::{BatchMut, Row};
use super::config::{EnvConfig, Lineup, Player};
use super::error::{EnvError, WrongAction};
use super::hands::{Deal, EndedHand};
use super::lineup::{BatchedAgent, Role, Roles};
use super::table::{Common, News, OpenDecisions, State, Table};
use super::weighted::Weighted;
use crate::play::check_count;
use crate::run::ConfigError;

/// The number of tables that a thread advances at a time. Their games fit into its cache.
pub(super) const BLOCK: usize = 64;
/// The most tables: they take about 2 GB.
const MAX_TABLES: usize = 1 << 20;
/// The stream of [`VecEnv::random_actions`].
const RANDOM: u64 = 0x7261_6e64_6f6d;

/// A vectorised environment: thousands of tables in one object. A learner plays some seats, agents
/// play the others.
///
/// [`recv`](VecEnv::recv) returns the decisions that are due, and [`send`](VecEnv::send) takes the
/// actions. Each decision is returned once and answered once. If several seats of a table decide at
/// the same time, their decisions are returned together, and none depends on the answer to the
/// others. A table advances when all of them are answered, without waiting for other tables.
///
/// When a game ends, each seat of the learner gets a row that is not due, with its last reward. The
/// next game at the table starts at once.
///
/// The environment is deterministic: the same configuration and answers give the same rows, for any
/// number of threads and any order of answers between two calls of `recv`.
pub struct VecEnv {
    pub(super) common: Common,
    /// The agents that decide batches.
    pub(super) agents: Vec<BatchedAgent>,
    /// The line-ups that new games can draw or games in play have. Before the first rows, also all
    /// earlier ones.
    pub(super) lineups: Vec<Arc<Roles>>,
    /// The numbers of the next line-up and of the next agent that decides batches.
    next: [u32; 2],
    /// Whether rows were received.
    pub(super) has_begun: bool,
    pub(super) tables: Vec<Table>,
    pub(super) open_decisions: Vec<OpenDecisions>,
    /// What each block of tables has for the learner.
    pub(super) blocks: Vec<Block>,
    /// The ID whose row comes first: the first one for which the last call of `recv` had no room.
    pub(super) first: i32,
    /// The rows of the last call of `recv`.
    pub(super) last: Vec<Row>,
    /// The hands that ended between the last two calls of `recv`.
    pub(super) hands: Vec<EndedHand>,
    /// How often random actions were drawn.
    pub(super) draws: u64,
    /// None for a single thread, which is the calling one.
    pool: Option<rayon::ThreadPool>,
    replies: Vec<Reply>,
}

/// What a block of tables has for the learner.
#[derive(Default)]
pub(super) struct Block {
    pub(super) news: News,
    /// The first table that failed.
    failed: Option<(usize, AgentError)>,
}

impl VecEnv {
    /// Sets up the tables and deals the first games.
    ///
    /// # Errors
    ///
    /// If the configuration is invalid, or an opponent needs the events of whole games.
    pub fn new(config: EnvConfig) -> Result<VecEnv, EnvError> {
        check(&config)?;
        let EnvConfig { rules, tables: count, seed, lineups, rotate, rewards, starts, threads, resumable } =
            config;
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let threads = threads.min(count.div_ceil(BLOCK));
        let pool = (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build());
        let pool = pool.transpose().map_err(|error| EnvError::Threads(error.to_string()))?;
        let common = Common { rules, seed, starts, lineups: Weighted::new(), rotate, resumable, rewards };
        let mut env = VecEnv {
            tables: Vec::with_capacity(count),
            open_decisions: vec![OpenDecisions::default(); count],
            blocks: (0..count.div_ceil(BLOCK)).map(|_| Block::default()).collect(),
            first: 0,
            last: Vec::new(),
            hands: Vec::new(),
            draws: 0,
            replies: Vec::new(),
            common,
            agents: Vec::new(),
            lineups: Vec::new(),
            next: [0; 2],
            has_begun: false,
            pool,
        };
        env.set_lineups(lineups)?;
        env.reset(seed);
        Ok(env)
    }

    /// Lets each game that starts from now on draw one of these line-ups by the weights. Games in play
    /// keep theirs. Returns the numbers of the line-ups, which continue the earlier ones.
    ///
    /// Once rows were received, earlier line-ups are dropped when no game plays with them.
    ///
    /// # Errors
    ///
    /// If a line-up or a weight is invalid, the learner has other seats than before, or an opponent
    /// needs the events of whole games.
    pub fn set_lineups(&mut self, lineups: Vec<Lineup>) -> Result<Range<u32>, EnvError> {
        check_lineups(&self.common, &lineups)?;
        let [first, mut next_agent] = self.next;
        let (mut numbers, mut weighted, mut agents) = (first.., Weighted::new(), Vec::new());
        for (lineup, number) in lineups.into_iter().zip(&mut numbers) {
            let weight = lineup.weight;
            let roles = Roles::new(number, lineup, &mut agents, &mut next_agent)?;
            assert!(weighted.push(Arc::new(roles), weight), "the weights were checked");
        }
        let end = first + weighted.items().len() as u32;
        self.common.lineups = weighted;
        self.agents.append(&mut agents);
        self.next = [end, next_agent];
        if self.has_begun {
            let tables = &self.tables;
            self.lineups.retain(|lineup| tables.iter().any(|table| table.lineup.number == lineup.number));
        }
        self.lineups.extend(self.common.lineups.items().iter().cloned());
        let lineups = &self.lineups;
        self.agents.retain(|agent| lineups.iter().any(|lineup| lineup.has_agent(agent.number)));
        Ok(first..end)
    }

    /// Restarts all tables with a seed. Open decisions are void.
    pub fn reset(&mut self, seed: u64) {
        self.common.seed = seed;
        self.draws = 0;
        let count = self.open_decisions.len();
        self.tables.clear();
        self.tables.extend((0..count).map(|table| Table::start(&self.common, table, 0)));
        self.open_decisions.fill(OpenDecisions::default());
        self.blocks.fill_with(Block::default);
        self.first = 0;
        self.last.clear();
        self.hands.clear();
    }

    /// Gives up the games in play at the tables with a true flag, and starts their next ones. Their
    /// open decisions are void, and so are their rows that [`recv`](VecEnv::recv) has not returned.
    ///
    /// # Panics
    ///
    /// If there is not a flag for each table.
    pub fn restart(&mut self, flags: &[bool]) {
        assert_eq!(flags.len(), self.tables.len(), "a flag for each table");
        for table in (0..flags.len()).filter(|table| flags[*table]) {
            let number = self.tables[table].number.wrapping_add(1);
            self.tables[table] = Table::start(&self.common, table, number);
            self.open_decisions[table] = OpenDecisions::default();
        }
        for Block { news, .. } in &mut self.blocks {
            news.rows.retain(|row| !flags[row.tables as usize]);
            news.hands.retain(|hand| !flags[hand.table as usize]);
        }
        self.last.retain(|row| !flags[row.tables as usize]);
    }

    /// The number of tables.
    pub const fn tables(&self) -> usize {
        self.tables.len()
    }

    /// The rules of all games.
    pub const fn rules(&self) -> &Rules {
        &self.common.rules
    }

    /// The number of threads that advance tables.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// The most rows that a call of [`recv`](VecEnv::recv) has: one for every seat of the learner at
    /// every table. With less room, the next call returns the rest.
    pub fn most_rows(&self) -> usize {
        let roles = &self.common.lineups.items()[0].roles;
        let learners = roles.iter().filter(|role| matches!(role, Role::Learner)).count();
        learners * self.tables.len()
    }

    /// The hands that ended between the last two calls of [`recv`](VecEnv::recv), in the order of
    /// tables.
    pub fn ended_hands(&self) -> &[EndedHand] {
        &self.hands
    }

    /// The deal of the hand in play at a table.
    ///
    /// # Panics
    ///
    /// If there is no such table.
    pub fn deal(&self, table: usize) -> &Deal {
        self.tables[table].deal()
    }

    /// The game in play at a table.
    ///
    /// # Panics
    ///
    /// If there is no such table.
    pub fn game(&self, table: usize) -> &Game {
        &self.tables[table].game
    }

    /// The number of decisions that were returned and not answered yet.
    pub fn outstanding(&self) -> usize {
        let slots = self.open_decisions.iter().flat_map(|open| &open.slots);
        slots.filter(|slot| slot.state == State::Due).count()
    }

    /// Advances the tables without open decisions, and writes rows while there is room. Returns the
    /// number of rows, at least 1.
    ///
    /// Rows come in the order of tables and seats, and no ID comes twice: after the rows that end a
    /// game, the next game's decisions come in a later call. If the last call had no room for all rows,
    /// this one begins where it stopped.
    ///
    /// # Errors
    ///
    /// If the arrays have no room, no row is ready, or an opponent fails. An error returns no rows,
    /// and a later call tries again.
    pub fn recv(&mut self, out: &mut BatchMut<'_>) -> Result<usize, EnvError> {
        let room = out.rows()?;
        self.has_begun = true;
        for row in self.last.drain(..).filter(|row| !row.due) {
            let open = &mut self.open_decisions[row.tables as usize];
            open.slots[usize::from(row.seats)].state = State::Idle;
            open.ending -= 1;
        }
        if let Err(error) = self.fill(out, room) {
            self.take_back();
            return Err(error);
        }
        self.hands.clear();
        self.blocks.iter_mut().for_each(|block| self.hands.append(&mut block.news.hands));
        match self.last.len() {
            0 => Err(EnvError::NothingDue { outstanding: self.outstanding() }),
            given => Ok(given),
        }
    }

    /// Advances the tables and writes rows while there is room.
    fn fill(&mut self, out: &mut BatchMut<'_>, room: usize) -> Result<(), EnvError> {
        let (first, blocks) = (std::mem::take(&mut self.first), self.blocks.len());
        let start = first as usize / self.common.seats() / BLOCK;
        let all = 0..i32::MAX;
        // The block of the first row comes twice: its rows from there on, and at the end those before.
        let others = (start + 1..blocks).chain(0..start).map(|block| (block, all.clone()));
        let order = std::iter::once((start, first..i32::MAX)).chain(others).chain([(start, 0..first)]);
        // Without threads and agents that decide batches, rows are written while their games are in
        // the cache.
        let at_once = self.pool.is_none() && self.agents.is_empty();
        if !at_once {
            loop {
                self.advance_all();
                (0..blocks).try_for_each(|block| self.take_failure(block))?;
                if !self.ask_agents()? {
                    break;
                }
            }
        }
        let mut stopped = None;
        for (block, ids) in order {
            // The second visit of the first block does not advance it again.
            if at_once && ids.end == i32::MAX {
                self.advance_block(block);
                self.take_failure(block)?;
            }
            let earlier = self.last.len();
            stopped = stopped.or(self.take_rows(block, ids, room - earlier));
            if at_once {
                self.give_out(earlier, out);
            }
        }
        if !at_once {
            self.give_out(0, out);
        }
        self.first = stopped.unwrap_or(0);
        Ok(())
    }

    /// Advances the tables of a block on this thread.
    fn advance_block(&mut self, block: usize) {
        let first = block * BLOCK;
        let end = self.tables.len().min(first + BLOCK);
        let VecEnv { common, tables, open_decisions, blocks, .. } = self;
        blocks[block].advance(common, first, &mut tables[first..end], &mut open_decisions[first..end]);
    }

    /// Advances all tables, on the threads of the pool if there is one.
    fn advance_all(&mut self) {
        let VecEnv { common, tables, open_decisions, blocks, pool, .. } = self;
        let Some(pool) = pool else {
            return (0..self.blocks.len()).for_each(|block| self.advance_block(block));
        };
        let of_block = tables.par_chunks_mut(BLOCK).zip(open_decisions.par_chunks_mut(BLOCK));
        let advance = |(block, (first, (tables, open_decisions))): (&mut Block, (usize, _))| {
            block.advance(common, first * BLOCK, tables, open_decisions);
        };
        pool.install(|| blocks.par_iter_mut().zip(of_block.enumerate()).for_each(advance));
    }

    /// If a table of the block failed when it last advanced, takes the error out of the block and returns it.
    fn take_failure(&mut self, block: usize) -> Result<(), EnvError> {
        let failed = self.blocks[block].failed.take();
        failed.map_or(Ok(()), |(table, error)| Err(EnvError::Agent { table, error }))
    }

    /// Takes at most this many rows of a block with these IDs, in their order. Returns the ID of the
    /// first of these rows that is left.
    fn take_rows(&mut self, block: usize, ids: Range<i32>, most: usize) -> Option<i32> {
        let found = &mut self.blocks[block].news.rows;
        // Rows for which an earlier call had no room come in between.
        found.sort_unstable_by_key(|row| row.ids);
        let [from, to] = [ids.start, ids.end].map(|id| found.partition_point(|row| row.ids < id));
        let end = to.min(from + most);
        let left = found[end..to].first().map(|row| row.ids);
        self.last.extend(found.drain(from..end));
        left
    }

    /// Writes the rows of this call, from row `first` on. Their decisions are due now.
    fn give_out(&mut self, first: usize, out: &mut BatchMut<'_>) {
        let rows = &self.last[first..];
        for row in rows {
            let slot = &mut self.open_decisions[row.tables as usize].slots[usize::from(row.seats)];
            slot.state = if row.due { State::Due } else { State::Ended };
        }
        out.write(first, rows);
        self.encode(rows, first, out);
    }

    /// Encodes rows, the first of them to row `first` of the arrays.
    pub(super) fn encode(&self, rows: &[Row], first: usize, out: &mut BatchMut<'_>) {
        let (_, encoded) = out.encoded.reborrow().split_at(first);
        let (mut encoded, _) = encoded.split_at(rows.len());
        match &self.pool {
            Some(pool) if rows.len() > BLOCK => {
                let chunks: Vec<_> = rows.chunks(BLOCK).zip(encoded.chunks(BLOCK)).collect();
                let tables = &self.tables;
                let encode = |(rows, mut chunk): (&[Row], RowsMut<'_>)| encode(tables, rows, &mut chunk);
                pool.install(|| chunks.into_par_iter().for_each(encode));
            }
            _ => encode(&self.tables, rows, &mut encoded),
        }
        if let Some(oracle) = out.oracle.get_mut(first..first + rows.len()) {
            let tables = &self.tables;
            let encode = |(row, bytes): (&Row, &mut _)| encode_oracle(tables, row, bytes);
            match &self.pool {
                Some(pool) => {
                    pool.install(|| rows.par_iter().zip(oracle).with_min_len(BLOCK).for_each(encode));
                }
                None => rows.iter().zip(oracle).for_each(encode),
            }
        }
    }

    /// Takes back the rows of this call, so that the next call returns them.
    fn take_back(&mut self) {
        for row in self.last.drain(..) {
            let table = row.tables as usize;
            let slot = &mut self.open_decisions[table].slots[usize::from(row.seats)];
            slot.state = if row.due { State::Queued } else { State::Idle };
            self.blocks[table / BLOCK].news.rows.push(row);
        }
    }

    /// Asks the agents that decide batches. Returns whether there was a decision for them.
    fn ask_agents(&mut self) -> Result<bool, EnvError> {
        let VecEnv { common, agents, tables, open_decisions, replies, .. } = self;
        let players = common.players();
        let mut asked = false;
        for BatchedAgent { number: asked_number, name, agent } in agents {
            let (mut requests, mut places) = (Vec::new(), Vec::new());
            let asking =
                tables.iter().zip(&*open_decisions).enumerate().filter(|(_, (_, open))| open.asks_agents);
            for (at, (table, open)) in asking {
                for seat in players.seats().filter(|seat| open.slots[seat.index()].state == State::Asked) {
                    let Role::Batched(of_seat, salt) = *table.role(common, seat) else { continue };
                    if of_seat == *asked_number {
                        requests.push(Request {
                            table: TableId(u64::from(table.number) << 32 | at as u64),
                            observation: table.game.observe(seat),
                            rng: table.game.random_stream(seat, salt),
                        });
                        places.push((at, seat));
                    }
                }
            }
            if requests.is_empty() {
                continue;
            }
            asked = true;
            replies.clear();
            let failed = |table| move |error| EnvError::Agent { table, error };
            agent.decide(&mut requests, replies).map_err(failed(places[0].0))?;
            check_count(name, places.len(), replies.len()).map_err(failed(places[0].0))?;
            for ((table, seat), reply) in places.iter().zip(&*replies) {
                let (id, legal) = (reply.action.id(), open_decisions[*table].slots[seat.index()].legal);
                if !legal.contains(id) && !common.rules.has_referee() {
                    let illegal = Box::new(IllegalAction { seat: *seat, action: reply.action, legal });
                    let seen = text::observation(&tables[*table].game.observe(*seat));
                    return Err(failed(*table)(AgentError::Illegal { agent: name.clone(), illegal, seen }));
                }
            }
            for ((table, seat), reply) in places.iter().zip(&*replies) {
                open_decisions[*table].answer(seat.index(), reply.action.id());
            }
        }
        Ok(asked)
    }

    /// Answers the rows of the last call of [`recv`](VecEnv::recv), with one action for each. The
    /// actions of rows that are not due are ignored.
    ///
    /// # Errors
    ///
    /// If an action is wrong. Then none is accepted.
    pub fn send<A: Copy + TryInto<u8> + fmt::Display>(&mut self, actions: &[A]) -> Result<(), EnvError> {
        let VecEnv { common, open_decisions, last, .. } = self;
        if actions.len() != last.len() {
            return Err(WrongAction::Count { expected: last.len(), found: actions.len() }.into());
        }
        let rows = last.iter().zip(actions).enumerate();
        let due =
            rows.filter(|(_, (row, _))| row.due).map(|(at, (row, action))| (at, row.ids as usize, *action));
        Ok(answer(common, open_decisions, due)?)
    }

    /// Answers decisions by their IDs, in any order. The actions of rows that are not due are ignored,
    /// until the next call of [`recv`](VecEnv::recv).
    ///
    /// # Errors
    ///
    /// If an ID or an action is wrong. Then no action is accepted.
    pub fn send_to<I, A>(&mut self, ids: &[I], actions: &[A]) -> Result<(), EnvError>
    where
        I: Copy + TryInto<usize> + fmt::Display,
        A: Copy + TryInto<u8> + fmt::Display,
    {
        if actions.len() != ids.len() {
            return Err(WrongAction::Count { expected: ids.len(), found: actions.len() }.into());
        }
        let most = self.open_decisions.len() * self.common.seats() - 1;
        let checked = |(row, id): (usize, &I)| {
            let number = (*id).try_into().ok().filter(|id| *id <= most);
            number.ok_or_else(|| WrongAction::Id { row, most, found: id.to_string() })
        };
        let ids: Vec<usize> = ids.iter().enumerate().map(checked).collect::<Result<_, _>>()?;
        let due = ids.iter().zip(actions).enumerate().map(|(row, (id, action))| (row, *id, *action));
        Ok(answer(&self.common, &mut self.open_decisions, due)?)
    }

    /// Draws a uniformly random legal action for each row of the last call of
    /// [`recv`](VecEnv::recv), and 0 for rows that are not due. Deterministic from the seed.
    pub fn random_actions(&mut self, actions: &mut Vec<u8>) {
        let mut random = Rng::new(hash(&[self.common.seed, RANDOM, self.draws]));
        self.draws += 1;
        let action = |row: &Row| {
            if !row.due {
                return 0;
            }
            let legal = self.open_decisions[row.tables as usize].slots[usize::from(row.seats)].legal;
            let nth = random.below(legal.len() as usize) as u32;
            legal.nth(nth).map_or(0, ActionId::number)
        };
        actions.clear();
        actions.extend(self.last.iter().map(action));
    }
}

impl fmt::Debug for VecEnv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VecEnv").field("tables", &self.tables.len()).finish_non_exhaustive()
    }
}

impl Block {
    /// Advances the tables without open decisions. `first` is the number of the first table.
    fn advance(
        &mut self,
        common: &Common,
        first: usize,
        tables: &mut [Table],
        open_decisions: &mut [OpenDecisions],
    ) {
        self.failed = None;
        for at in 0..tables.len() {
            if open_decisions[at].missing > 0 || open_decisions[at].ending > 0 {
                continue;
            }
            if let Some(next) = tables.get(at + 1) {
                next.game.prefetch();
                next.game.prefetch_rest();
            }
            let table = first + at;
            let moved = tables[at].advance(&mut open_decisions[at], common, table, &mut self.news);
            if let Err(error) = moved {
                self.failed.get_or_insert((table, error));
            }
        }
    }
}

/// Writes legal actions and encodings of rows.
fn encode(tables: &[Table], rows: &[Row], encoded: &mut RowsMut<'_>) {
    for (at, row) in rows.iter().enumerate() {
        match Seat::new(row.seats).filter(|_| row.due) {
            Some(seat) => encoded.encode(at, &tables[row.tables as usize].game.observe(seat)),
            None => encoded.clear(at),
        }
    }
}

/// Writes the tiles hidden from the seat of a row.
fn encode_oracle(tables: &[Table], row: &Row, bytes: &mut [u8; OracleV1::BYTES]) {
    match Seat::new(row.seats).filter(|_| row.due) {
        Some(seat) => OracleV1::encode(tables[row.tables as usize].game.round(), seat, bytes),
        None => bytes.fill(0),
    }
}

/// Checks and stores answers: row, ID and action of each. If one is wrong, none is accepted.
fn answer<A: Copy + TryInto<u8> + fmt::Display>(
    common: &Common,
    open_decisions: &mut [OpenDecisions],
    answers: impl Iterator<Item = (usize, usize, A)> + Clone,
) -> Result<(), WrongAction> {
    let seats = common.seats();
    let referee = common.rules.has_referee();
    let mut answer_one = |(row, id, action): (usize, usize, A)| {
        let (table, seat) = (id / seats, id % seats);
        let slot = &open_decisions[table].slots[seat];
        if slot.state == State::Ended {
            return Ok(());
        }
        let number = action.try_into().ok().and_then(ActionId::new);
        let number = number.ok_or_else(|| WrongAction::Number { row, found: action.to_string() })?;
        if slot.state != State::Due {
            return Err(WrongAction::NotDue { row, table, seat });
        }
        if !slot.legal.contains(number) && !referee {
            let seat = Seat::new(seat as u8).expect("a seat of the table");
            return Err(WrongAction::Illegal {
                row,
                table,
                seat,
                action: number.action(),
                legal: slot.legal,
            });
        }
        open_decisions[table].answer(seat, number);
        Ok(())
    };
    let mut taken = 0;
    let wrong = answers.clone().find_map(|one| match answer_one(one) {
        Ok(()) => {
            taken += 1;
            None
        }
        Err(wrong) => Some(wrong),
    });
    let Some(wrong) = wrong else { return Ok(()) };
    for (_, id, _) in answers.take(taken) {
        let open = &mut open_decisions[id / seats];
        if open.slots[id % seats].state == State::Answered {
            open.slots[id % seats].state = State::Due;
            open.missing += 1;
        }
    }
    Err(wrong)
}

/// Checks line-ups that replace the earlier ones, if there are any.
fn check_lineups(common: &Common, lineups: &[Lineup]) -> Result<(), ConfigError> {
    let seats = common.seats();
    let is_learner = |lineup: &Lineup, seat: usize| matches!(lineup.players[seat], Player::Learner);
    let first = lineups.first().ok_or_else(|| ConfigError::new("lineups", &"at least one", &"none"))?;
    for lineup in lineups {
        if lineup.players.len() != seats {
            return Err(ConfigError::new(
                "players",
                &format!("{seats}, one for each seat"),
                &lineup.players.len(),
            ));
        }
        if !(0..seats).any(|seat| is_learner(lineup, seat)) {
            return Err(ConfigError::new("players", &"a learner in at least one seat", &"none"));
        }
        if !(lineup.weight.is_finite() && lineup.weight > 0.0) {
            return Err(ConfigError::new("weight", &"a positive number", &lineup.weight));
        }
        let earlier = common.lineups.items().first().map(|lineup| &lineup.roles);
        let was_learner = |seat: usize| match earlier {
            Some(roles) => matches!(roles[seat], Role::Learner),
            None => is_learner(first, seat),
        };
        if let Some(seat) = (0..seats).find(|seat| is_learner(lineup, *seat) != was_learner(*seat)) {
            let expected = "the learner in the same seats in all line-ups";
            return Err(ConfigError::new(
                "players",
                &expected,
                &format!("a line-up that differs in seat {seat}"),
            ));
        }
    }
    Ok(())
}

/// Checks the values of a configuration.
fn check(config: &EnvConfig) -> Result<(), EnvError> {
    config.rules.check()?;
    let seats = usize::from(config.rules.players.count());
    if !(1..=MAX_TABLES).contains(&config.tables) {
        return Err(ConfigError::new("tables", &format!("1 to {MAX_TABLES}"), &config.tables).into());
    }
    if config.starts.players() != config.rules.players {
        let found = format!("standings of {}", config.starts.players().count());
        return Err(ConfigError::new("starts", &format!("standings of {seats} players"), &found).into());
    }
    if !config.rewards.are_finite() {
        return Err(ConfigError::new("rewards", &"finite weights", &format!("{:?}", config.rewards)).into());
    }
    Ok(())
}
