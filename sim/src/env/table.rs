//! One table: a game in play, advanced to the next decision of the learner.

use std::sync::Arc;

use jantaku_agents::{AgentError, Policy as _};
use jantaku_engine::random::hash;
use jantaku_engine::{
    Action, ActionId, ActionSet, BySeat, Event, FinalResult, Game, IllegalAction, Observer, Phase, Players,
    Rules, Seat,
};
use jantaku_show::text;
use serde::{Deserialize, Serialize};

use super::batch::Row;
use super::hands::{Deal, EndedHand, HandsOfGame};
use super::lineup::{Role, Roles};
use super::rewards::Rewards;
use super::starts::Starts;
use super::weighted::Weighted;

/// The stream of random numbers that draws a line-up.
const LINEUP: u64 = 0x6c69_6e65_7570;

/// The configuration that all tables share.
pub(super) struct Common {
    pub(super) rules: Rules,
    pub(super) seed: u64,
    pub(super) starts: Starts,
    pub(super) lineups: Weighted<Arc<Roles>>,
    pub(super) rotate: bool,
    pub(super) resumable: bool,
    pub(super) rewards: Rewards,
}

impl Common {
    pub(super) const fn players(&self) -> Players {
        self.rules.players
    }

    /// The number of seats.
    pub(super) const fn seats(&self) -> usize {
        self.players().count() as usize
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
    pub(super) lineup: Arc<Roles>,
    pub(super) progress: Progress,
    /// The points of each seat at its latest row: later points are not rewarded yet.
    pub(super) rewarded: BySeat<i32>,
    /// The number of decisions of each seat in this game.
    pub(super) decisions: BySeat<u32>,
}

/// What happened in a game so far.
pub(super) struct Progress {
    /// The points of each seat when the latest hand was dealt, or at the end.
    settled: BySeat<i32>,
    pub(super) hands: HandsOfGame,
    /// The answers so far, if the state may be stored.
    steps: Option<Vec<(Seat, ActionId)>>,
}

/// What the tables have for the learner.
#[derive(Default)]
pub(super) struct News {
    /// The rows that no call of `recv` has returned yet.
    pub(super) rows: Vec<Row>,
    /// The hands that ended since the last call of `recv`.
    pub(super) hands: Vec<EndedHand>,
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
    /// The number of rows of an ended game that no earlier call has returned. The next game waits for
    /// them, so that no batch has rows of two games under one ID.
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
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

impl Progress {
    /// Applies an answer.
    #[inline]
    fn submit(
        &mut self,
        game: &mut Game,
        seat: Seat,
        action: Action,
        ended: &mut Vec<EndedHand>,
    ) -> Result<(), IllegalAction> {
        let Progress { settled, hands, steps } = self;
        game.submit_seen(seat, action, &mut Follow { settled, hands, ended })?;
        if let Some(steps) = steps {
            steps.push((seat, action.id()));
        }
        Ok(())
    }
}

/// Keeps the points at the start of each hand and at the end of the game, and the hands that end.
struct Follow<'a> {
    settled: &'a mut BySeat<i32>,
    hands: &'a mut HandsOfGame,
    ended: &'a mut Vec<EndedHand>,
}

impl Observer for Follow<'_> {
    #[inline]
    fn event(&mut self, event: &Event) {
        if matches!(event, Event::Deal { .. } | Event::HandEnd(_) | Event::GameEnd { .. }) {
            self.between_hands(event);
        }
    }
}

impl Follow<'_> {
    /// Handles the start or the end of a hand, or the end of the game. Such events are rare.
    #[cold]
    fn between_hands(&mut self, event: &Event) {
        if let Event::Deal { scores, .. } | Event::GameEnd { scores, .. } = event {
            *self.settled = *scores;
        }
        self.ended.extend(self.hands.event(event));
    }
}

impl Table {
    /// Starts a game at a table, with a line-up drawn by the weights.
    pub(super) fn start(common: &Common, table: usize, number: u32) -> Table {
        let drawn = common.lineups.draw(hash(&[common.game_seed(table, number), LINEUP]));
        Table::start_with(common, table, number, Arc::clone(drawn))
    }

    /// Starts a game at a table, with this line-up.
    fn start_with(common: &Common, table: usize, number: u32, lineup: Arc<Roles>) -> Table {
        let (seed, players) = (common.game_seed(table, number), common.players());
        let start = common.starts.draw(seed);
        let mut settled = start.scores;
        let mut hands = HandsOfGame::new(table, number, lineup.number, players);
        // No hand ends with the first deal, so the list of ended hands stays empty.
        let mut seen = Follow { settled: &mut settled, hands: &mut hands, ended: &mut Vec::new() };
        let game = Game::at(&common.rules, seed, start, None, &mut seen);
        Table {
            game: game.expect("the rules and the starts were checked"),
            number,
            lineup,
            progress: Progress { settled, hands, steps: common.resumable.then(Vec::new) },
            rewarded: start.scores,
            decisions: BySeat::splat(players, 0),
        }
    }

    /// Starts a game at a table and repeats these answers.
    ///
    /// # Errors
    ///
    /// If an answer is not legal.
    pub(super) fn resume(
        common: &Common,
        (table, number): (usize, u32),
        lineup: Arc<Roles>,
        rewarded: BySeat<i32>,
        steps: &[(Seat, ActionId)],
    ) -> Result<Table, IllegalAction> {
        let mut resumed = Table { rewarded, ..Table::start_with(common, table, number, lineup) };
        for (seat, action) in steps {
            resumed.progress.submit(&mut resumed.game, *seat, action.action(), &mut Vec::new())?;
            resumed.decisions[*seat] += 1;
        }
        resumed.settle_last_hand();
        Ok(resumed)
    }

    /// The answers so far.
    pub(super) fn steps(&self) -> &[(Seat, ActionId)] {
        self.progress.steps.as_deref().unwrap_or_default()
    }

    /// The deal of the hand in play.
    pub(super) const fn deal(&self) -> &Deal {
        self.progress.hands.start()
    }

    /// Who plays a seat.
    #[inline]
    pub(super) fn role(&self, common: &Common, seat: Seat) -> &Role {
        self.lineup.role(common.rotate, self.number, seat)
    }

    /// Applies the answers of all seats, and plays on to the next decision of the learner or of an
    /// agent that decides batches.
    ///
    /// Adds a row for each decision of the learner. If the game ends, adds a last row for each seat of the
    /// learner instead, and starts the next game.
    ///
    /// # Errors
    ///
    /// If a policy chooses an illegal action. Its decision then stays open.
    pub(super) fn advance(
        &mut self,
        open: &mut OpenDecisions,
        common: &Common,
        table: usize,
        news: &mut News,
    ) -> Result<(), AgentError> {
        for seat in self.game.pending().iter() {
            let slot = &mut open.slots[seat.index()];
            if slot.state == State::Answered {
                slot.state = State::Idle;
                self.decisions[seat] += 1;
                let submitted =
                    self.progress.submit(&mut self.game, seat, slot.answer.action(), &mut news.hands);
                submitted.expect("answers were checked");
            }
        }
        open.asks_agents = false;
        loop {
            if self.game.is_over() {
                let earlier = news.rows.len();
                self.end(common, table, &mut news.rows);
                open.ending = (news.rows.len() - earlier) as u8;
                *self = Table::start(common, table, self.number.wrapping_add(1));
                return Ok(());
            }
            self.ask_policies(common, &mut news.hands)?;
            self.ask_others(open, common, table, &mut news.rows);
            if open.missing > 0 {
                return Ok(());
            }
        }
    }

    /// Lets the policies at the table decide, in the order of seats.
    fn ask_policies(&mut self, common: &Common, ended: &mut Vec<EndedHand>) -> Result<(), AgentError> {
        for seat in self.game.pending().iter() {
            let Role::Policy(policy) = self.lineup.role(common.rotate, self.number, seat) else { continue };
            let observation = self.game.observe(seat);
            let action = policy.choose(&observation, &mut self.game.random_stream(seat, policy.salt()));
            let submitted = self.progress.submit(&mut self.game, seat, action, ended);
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
    /// Opens nothing if a policy has a decision, too: [`Table::advance`] asks the policy first.
    fn ask_others(&mut self, open: &mut OpenDecisions, common: &Common, table: usize, rows: &mut Vec<Row>) {
        let pending = self.game.pending();
        let has_no_policy = |seat: &Seat| !matches!(self.role(common, *seat), Role::Policy(_));
        if !pending.iter().all(|seat| has_no_policy(&seat)) {
            return;
        }
        self.settle_last_hand();
        for seat in pending.iter() {
            let slot = &mut open.slots[seat.index()];
            slot.legal = self.game.observe(seat).legal();
            open.missing += 1;
            if let Role::Learner = self.role(common, seat) {
                slot.state = State::Queued;
                rows.push(self.make_row(common, table, seat, None));
            } else {
                slot.state = State::Asked;
                open.asks_agents = true;
            }
        }
    }

    /// If the dealer may end the game, the points of the hand that just ended count for the rewards now:
    /// there may be no further deal.
    fn settle_last_hand(&mut self) {
        if self.game.table().phase() == Phase::End {
            self.progress.settled = *self.game.scores();
        }
    }

    /// Adds a row for each seat of the learner in a game that is over.
    fn end(&mut self, common: &Common, table: usize, rows: &mut Vec<Row>) {
        let results = self.game.results().expect("the game is over");
        for (seat, result) in results.enumerate() {
            if let Role::Learner = self.role(common, seat) {
                rows.push(self.make_row(common, table, seat, Some(result)));
            }
        }
    }

    /// Makes the next row of a seat, with the points won and lost since its previous row, which then count
    /// as rewarded. `end` is the seat's result, for its last row of a game.
    #[inline]
    fn make_row(&mut self, common: &Common, at: usize, seat: Seat, end: Option<&FinalResult>) -> Row {
        let settled = self.progress.settled[seat];
        let won = settled - self.rewarded[seat];
        self.rewarded[seat] = settled;
        Row::new(&RowFacts { common, table: self, at, seat, won, end })
    }
}

/// What the columns of a row are computed from.
pub(super) struct RowFacts<'a> {
    pub(super) common: &'a Common,
    pub(super) table: &'a Table,
    /// The number of the table.
    pub(super) at: usize,
    pub(super) seat: Seat,
    /// The points won and lost since the seat's previous row.
    pub(super) won: i32,
    /// The seat's result, if the row ends its game.
    pub(super) end: Option<&'a FinalResult>,
}
