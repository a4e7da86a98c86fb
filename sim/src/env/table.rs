//! One table: a game in play, advanced to the next decision of the learner.

use jantaku_agents::{AgentError, NamedPolicy, Policy as _};
use jantaku_engine::random::hash;
use jantaku_engine::{ActionId, ActionSet, BySeat, Event, Game, Observer, Phase, Players, Rules, Seat};
use jantaku_hands::text;

use super::batch::Row;
use super::rewards::Rewards;
use super::starts::Starts;

/// The configuration that all tables share.
pub(super) struct Common {
    pub(super) rules: Rules,
    pub(super) seed: u64,
    pub(super) starts: Starts,
    pub(super) roles: Vec<Role>,
    pub(super) rotate: bool,
    pub(super) rewards: Rewards,
}

/// The player of a seat.
pub(super) enum Role {
    Learner,
    Policy(NamedPolicy),
    /// An agent in the list of the environment, and its salt.
    Batched(usize, u64),
}

impl Common {
    pub(super) const fn players(&self) -> Players {
        self.rules.players
    }

    /// Who plays a seat in a game of a table.
    #[inline]
    pub(super) fn role(&self, game: u32, seat: Seat) -> &Role {
        let (seats, at) = (self.roles.len(), seat.index());
        let moved = if self.rotate { (at + seats - game as usize % seats) % seats } else { at };
        &self.roles[moved]
    }

    /// The seed of a game of a table.
    fn game_seed(&self, table: usize, game: u32) -> u64 {
        hash(&[self.seed, table as u64, u64::from(game)])
    }
}

/// A game in play at a table.
pub(super) struct Table {
    pub(super) game: Game,
    /// The number of the game at its table.
    pub(super) number: u32,
    /// The points of each seat when the latest hand was dealt, or at the end.
    settled: BySeat<i32>,
    /// The points of each seat for which it was rewarded.
    rewarded: BySeat<i32>,
    /// The decisions of each seat in this game.
    decisions: BySeat<u32>,
}

/// The open decisions of a table. They are stored apart from the games, so that answers can be
/// checked and stored without reading the games.
#[derive(Clone, Copy, Default)]
pub(super) struct OpenDecisions {
    pub(super) slots: [Slot; 4],
    /// The number of answers that the table waits for.
    pub(super) missing: u8,
    /// Whether an agent that decides batches must answer.
    pub(super) asks_agents: bool,
    /// The rows of an ended game that no earlier call has returned. The next game waits for them, so
    /// that no batch has rows of two games under one ID.
    pub(super) ending: u8,
}

/// The decision of a seat.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub(super) legal: ActionSet,
    pub(super) state: State,
    pub(super) answer: ActionId,
}

/// The state of a seat's decision.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// The seat has nothing to decide.
    Idle,
    /// The learner has not received the decision yet.
    Queued,
    /// The learner has received it.
    Due,
    /// An agent that decides batches must answer.
    Asked,
    Answered,
    /// The learner has received the row that ended the seat's game.
    Ended,
}

impl Default for Slot {
    fn default() -> Slot {
        let answer = jantaku_engine::Action::Pass.id();
        Slot { legal: ActionSet::EMPTY, state: State::Idle, answer }
    }
}

impl OpenDecisions {
    /// Stores the answer to a decision.
    #[inline]
    pub(super) const fn answer(&mut self, seat: usize, answer: ActionId) {
        self.slots[seat].answer = answer;
        self.slots[seat].state = State::Answered;
        self.missing -= 1;
    }
}

/// Keeps the points at the start of each hand and at the end of the game.
struct Settle<'a>(&'a mut BySeat<i32>);

impl Observer for Settle<'_> {
    #[inline]
    fn event(&mut self, event: &Event) {
        if let Event::Deal { scores, .. } | Event::GameEnd { scores, .. } = event {
            *self.0 = *scores;
        }
    }
}

impl Table {
    /// Starts a game at a table.
    pub(super) fn start(common: &Common, table: usize, number: u32) -> Table {
        let seed = common.game_seed(table, number);
        let start = common.starts.draw(seed);
        let mut settled = start.scores;
        let game = Game::at(&common.rules, seed, start, None, &mut Settle(&mut settled));
        Table {
            game: game.expect("the rules and the starts were checked"),
            number,
            settled,
            rewarded: start.scores,
            decisions: BySeat::splat(common.players(), 0),
        }
    }

    /// Applies the answers of all seats, and plays on to the next decision of the learner or of an
    /// agent that decides batches.
    ///
    /// Adds a row for each decision of the learner. If the game ends, adds a row for each of its seats
    /// instead, and starts the next game.
    ///
    /// # Errors
    ///
    /// If a policy chooses an illegal action. Its decision then stays open.
    pub(super) fn advance(
        &mut self,
        open: &mut OpenDecisions,
        common: &Common,
        table: usize,
        rows: &mut Vec<Row>,
    ) -> Result<(), AgentError> {
        for seat in self.game.pending().iter() {
            let slot = &mut open.slots[seat.index()];
            if slot.state == State::Answered {
                slot.state = State::Idle;
                self.decisions[seat] += 1;
                let submitted =
                    self.game.submit_seen(seat, slot.answer.action(), &mut Settle(&mut self.settled));
                submitted.expect("answers were checked");
            }
        }
        open.asks_agents = false;
        loop {
            if self.game.is_over() {
                let earlier = rows.len();
                self.end(common, table, rows);
                open.ending = (rows.len() - earlier) as u8;
                *self = Table::start(common, table, self.number.wrapping_add(1));
                return Ok(());
            }
            self.ask_policies(common)?;
            self.ask_others(open, common, table, rows);
            if open.missing > 0 {
                return Ok(());
            }
        }
    }

    /// Lets the policies at the table decide, in the order of seats.
    fn ask_policies(&mut self, common: &Common) -> Result<(), AgentError> {
        for seat in self.game.pending().iter() {
            let Role::Policy(policy) = common.role(self.number, seat) else { continue };
            let observation = self.game.observe(seat);
            let action = policy.choose(&observation, &mut self.game.random_stream(seat, policy.salt()));
            let submitted = self.game.submit_seen(seat, action, &mut Settle(&mut self.settled));
            submitted.map_err(|illegal| AgentError::Illegal {
                agent: policy.name().to_owned(),
                illegal: Box::new(illegal),
                seen: text::observation(&self.game.observe(seat)),
            })?;
        }
        Ok(())
    }

    /// Opens the decisions of the seats that no policy plays.
    ///
    /// If a policy has a decision too, its seats come first, and nothing is opened yet.
    fn ask_others(&mut self, open: &mut OpenDecisions, common: &Common, table: usize, rows: &mut Vec<Row>) {
        let pending = self.game.pending();
        let is_ours = |seat: &Seat| !matches!(common.role(self.number, *seat), Role::Policy(_));
        if !pending.iter().all(|seat| is_ours(&seat)) {
            return;
        }
        if self.game.table().phase() == Phase::End {
            self.settled = *self.game.scores();
        }
        for seat in pending.iter() {
            let slot = &mut open.slots[seat.index()];
            slot.legal = self.game.observe(seat).legal();
            open.missing += 1;
            if let Role::Learner = common.role(self.number, seat) {
                slot.state = State::Queued;
                let row = self.row(common, table, seat);
                rows.push(row);
            } else {
                slot.state = State::Asked;
                open.asks_agents = true;
            }
        }
    }

    /// Adds a row for each seat of the learner in a game that is over.
    fn end(&mut self, common: &Common, table: usize, rows: &mut Vec<Row>) {
        let results = self.game.results().expect("the game is over");
        let truncated = self.game.is_endless();
        for (seat, result) in results.enumerate() {
            if let Role::Learner = common.role(self.number, seat) {
                let row = self.row(common, table, seat);
                rows.push(Row {
                    due: false,
                    terminated: !truncated,
                    truncated,
                    rewards: row.rewards + common.rewards.at_end(result),
                    placements: result.placement,
                    results: result.result,
                    ..row
                });
            }
        }
    }

    /// A row for a seat that must decide, with the points won and lost since its previous row.
    #[inline]
    fn row(&mut self, common: &Common, table: usize, seat: Seat) -> Row {
        let won = self.settled[seat] - self.rewarded[seat];
        self.rewarded[seat] = self.settled[seat];
        Row {
            ids: (table * common.roles.len() + seat.index()) as i32,
            tables: table as i32,
            seats: seat.number(),
            due: true,
            rewards: common.rewards.of_points(won),
            terminated: false,
            truncated: false,
            games: self.number,
            decisions: self.decisions[seat],
            points: self.game.scores()[seat],
            placements: 0,
            results: 0,
        }
    }
}
