//! Tables that advance together.

use jantaku_agents::{Reply, Request, TableId};
use jantaku_engine::{Game, prefetch};
use rayon::prelude::*;

use super::queue::{Finished, Queue};
use super::roles::Roles;
use crate::play::direct::{Counted, Notice, finish_counted, submit};
use crate::play::{Fixture, GameCounter, Memory, RunError};

/// The number of tables that a thread advances at a time, at most: enough to keep a thread busy.
pub(super) const BLOCK: usize = 64;

/// How many tables before its turn a whole table is prefetched into the processor's cache.
const AHEAD: usize = 2;

/// Half of the tables: one of the two groups of double buffering.
pub(super) struct TableGroup(Vec<Block>);

/// Tables that one thread advances at a time.
struct Block {
    /// The games in play; none at a free table.
    tables: Vec<Option<Table>>,
    /// The number of open requests of these tables to each agent.
    asked: Vec<usize>,
}

/// The new requests of tables that advanced, their news and their finished games.
pub(super) struct Advanced<'a> {
    /// The decisions that are due, by agent, in the order of the tables and seats.
    pub(super) requests: Vec<Vec<Request<'a>>>,
    /// The news for the subscribers of each game, in the order of its events.
    pub(super) news: Vec<(Fixture, Notice)>,
    /// Games that have ended.
    pub(super) finished: Vec<Finished>,
    /// The first game that failed.
    pub(super) failed: Option<(u64, RunError)>,
}

/// A game in play.
struct Table {
    fixture: Fixture,
    game: Game,
    memory: Memory,
    counter: GameCounter,
    /// Whether an agent at the table wants its news.
    is_followed: bool,
}

/// The answers of each agent to the requests of a block, in the order of the requests.
type Answers<'r> = Vec<std::slice::IterMut<'r, Reply>>;

impl TableGroup {
    /// A group of this many free tables.
    pub fn new(tables: usize) -> TableGroup {
        let firsts = (0..tables).step_by(BLOCK);
        TableGroup(firsts.map(|first| Block::new(BLOCK.min(tables - first))).collect())
    }

    /// Applies the replies of each agent, sets finished games aside, and starts games at free tables.
    /// Then gathers the pending decisions in `requests`, which has an empty list for each agent.
    ///
    /// Threads of the rayon pool share the blocks.
    pub(super) fn advance<'a>(
        &'a mut self,
        replies: &mut [Vec<Reply>],
        requests: Vec<Vec<Request<'a>>>,
        roles: &Roles<'_>,
        queue: &Queue<'_>,
    ) -> Advanced<'a> {
        let is_alone = self.0.len() <= 1 || rayon::current_num_threads() == 1;
        let mut replies: Vec<&mut [Reply]> = replies.iter_mut().map(Vec::as_mut_slice).collect();
        let mut own_replies = |block: &Block| -> Answers<'_> {
            let asked = replies.iter_mut().zip(&block.asked);
            asked
                .map(|(replies, asked)| {
                    replies.split_off_mut(..*asked).expect("they were counted").iter_mut()
                })
                .collect()
        };
        let blocks = self.0.iter_mut().map(|block| (own_replies(block), block));
        let mut all = Advanced::new(requests);
        if is_alone {
            blocks.for_each(|(replies, block)| block.advance(replies, roles, queue, &mut all));
            return all;
        }
        let advance = |(replies, block): (Answers<'_>, &'a mut Block)| {
            let room = || Vec::with_capacity(block.tables.len());
            let mut advanced = Advanced::new((0..roles.count()).map(|_| room()).collect());
            block.advance(replies, roles, queue, &mut advanced);
            advanced
        };
        let blocks: Vec<_> = blocks.collect();
        let advanced: Vec<Advanced<'_>> = blocks.into_par_iter().map(advance).collect();
        advanced.into_iter().for_each(|advanced| all.append(advanced));
        all
    }
}

impl Block {
    fn new(tables: usize) -> Block {
        Block { tables: (0..tables).map(|_| None).collect(), asked: Vec::new() }
    }

    /// Advances every table to its next decision.
    fn advance<'a>(
        &'a mut self,
        mut replies: Answers<'_>,
        roles: &Roles<'_>,
        queue: &Queue<'_>,
        advanced: &mut Advanced<'a>,
    ) {
        // Until the last loop, `asked` has the numbers of requests of earlier blocks.
        self.asked.clear();
        self.asked.extend(advanced.requests.iter().map(Vec::len));
        self.tables.iter().take(AHEAD + 1).flatten().for_each(Table::prefetch);
        self.tables.iter().take(AHEAD).flatten().for_each(Table::prefetch_rest);
        let mut rest = &mut self.tables[..];
        while let Some((place, later)) = rest.split_first_mut() {
            if let Some(Some(next)) = later.get(AHEAD) {
                next.prefetch();
            }
            if let Some(table) = place {
                let answered = table.answer(&mut replies, roles, &mut advanced.news);
                let (game, is_over) = (table.fixture.game, table.game.is_over());
                match answered {
                    _ if !queue.wants(game) => *place = None,
                    Ok(()) if is_over => advanced.finished.extend(place.take().map(Table::finish)),
                    Ok(()) => {}
                    Err(error) => {
                        *place = None;
                        advanced.fail(game, error);
                    }
                }
            }
            if place.is_none() {
                *place = queue.start().map(|next| Table::start(next, roles, &mut advanced.news));
            }
            if let Some(Some(next)) = later.get(AHEAD - 1) {
                next.prefetch_rest();
            }
            if let Some(table) = place {
                table.ask(roles, &mut advanced.requests);
            }
            rest = later;
        }
        for (asked, requests) in self.asked.iter_mut().zip(&advanced.requests) {
            *asked = requests.len() - *asked;
        }
    }
}

impl<'a> Advanced<'a> {
    /// Nothing yet, with these empty lists of decisions.
    const fn new(requests: Vec<Vec<Request<'a>>>) -> Advanced<'a> {
        Advanced { requests, news: Vec::new(), finished: Vec::new(), failed: None }
    }

    /// Appends the requests, news, games and error of later tables.
    fn append(&mut self, later: Advanced<'a>) {
        for (all, mut more) in self.requests.iter_mut().zip(later.requests) {
            all.append(&mut more);
        }
        self.news.extend(later.news);
        self.finished.extend(later.finished);
        if let Some((game, error)) = later.failed {
            self.fail(game, error);
        }
    }

    /// Keeps the error of a game unless an earlier one has failed.
    fn fail(&mut self, game: u64, error: RunError) {
        if self.failed.as_ref().is_none_or(|(earlier, _)| game < *earlier) {
            self.failed = Some((game, error));
        }
    }
}

impl Table {
    /// Starts a game.
    fn start(
        (fixture, mut counter): (Fixture, GameCounter),
        roles: &Roles<'_>,
        news: &mut Vec<(Fixture, Notice)>,
    ) -> Table {
        let rules = roles.job.rules;
        let is_followed = roles.are_followed(rules, fixture);
        counter.start(fixture.seating.arrange(roles.groups));
        let mut memory = Memory::new(roles.job.detail, rules);
        news.extend(is_followed.then_some((fixture, Notice::Start)));
        let news = is_followed.then_some((fixture, news));
        let mut seen = Counted { memory: &mut memory, counter: &mut counter, news };
        let game = Game::new_seen(rules, fixture.seed, &mut seen);
        Table { fixture, game, memory, counter, is_followed }
    }

    /// Applies the replies of all seats that must decide.
    fn answer(
        &mut self,
        replies: &mut Answers<'_>,
        roles: &Roles<'_>,
        news: &mut Vec<(Fixture, Notice)>,
    ) -> Result<(), RunError> {
        let Table { fixture, game, memory, counter, is_followed } = self;
        let mut seen = Counted { memory, counter, news: is_followed.then_some((*fixture, news)) };
        let mut answered = Ok(());
        for seat in game.pending().iter() {
            let agent = roles.agent_at(*fixture, seat);
            let reply = replies[agent].next().expect("every seat was asked");
            let reply = Reply { search_info: reply.search_info.take(), ..*reply };
            // After an error, the replies of the other seats are ignored.
            answered = answered.and_then(|()| submit(game, seat, roles.name(agent), reply, &mut seen));
        }
        let game_number = fixture.game;
        answered.map_err(|error| RunError::Agent { game: game_number, error })?;
        if game.is_endless() { Err(RunError::Endless { game: game_number }) } else { Ok(()) }
    }

    /// Makes the processor fetch half of the table while the tables before it advance
    /// ([`Game::prefetch`]).
    #[inline]
    fn prefetch(&self) {
        self.game.prefetch();
        prefetch(&self.fixture.game);
    }

    /// Makes the processor fetch the other half.
    #[inline]
    fn prefetch_rest(&self) {
        self.game.prefetch_rest();
        self.memory.prefetch();
    }

    /// For each seat that must decide, adds a request to those of the seat's agent.
    #[inline]
    fn ask<'a>(&'a self, roles: &Roles<'_>, requests: &mut [Vec<Request<'a>>]) {
        for seat in self.game.pending().iter() {
            let agent = roles.agent_at(self.fixture, seat);
            requests[agent].push(Request {
                table: TableId(self.fixture.game),
                observation: self.game.observe(seat),
                rng: self.game.random_stream(seat, roles.salt(agent)),
            });
        }
    }

    /// The record and the counts of the finished game.
    fn finish(mut self) -> Finished {
        let rules = self.game.rules();
        let (record, _) = finish_counted(self.memory, &mut self.counter, self.fixture, rules);
        Finished { record, counter: self.counter }
    }
}
