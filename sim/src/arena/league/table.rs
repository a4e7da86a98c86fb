//! How a league plays one table.

use std::path::Path;

use jantaku_agents::{Agent, FaultLog, Faults, NamedAgent, Policy, Setup};
use jantaku_engine::Players;

use super::LeagueError;
use crate::play::{GameRecord, RunError, Schedule, Sink, SinkError, Tally, Watch, cohort, direct};
use crate::run::{PlayError, Played, Run, RunConfig};

/// The agents of a league, and how they play a table of some of them.
pub(super) trait PlayTable {
    /// Whether the agents of a table play the same game again from the same seed.
    fn are_repeatable(&self, table: &[usize]) -> bool;

    /// Starts the agents of a table, which write their faults to this file.
    fn start(&mut self, table: &[usize], log: Option<&Path>) -> Result<(), LeagueError>;

    /// The faults of the agents of the last table, with their indexes.
    fn faults(&self) -> Vec<(usize, Faults)>;

    /// Plays the missing games of a table into its run.
    fn write(&mut self, run: &mut Run, table: &[usize], watch: &mut impl Watch) -> Result<Played, PlayError>;

    /// Plays all games of a table.
    fn play(
        &mut self,
        config: &RunConfig,
        table: &[usize],
        sink: &mut impl Sink,
        watch: &mut impl Watch,
    ) -> Result<Tally, RunError>;
}

/// Policies, on all threads of the rayon pool.
pub(super) struct Direct<'a, P>(pub(super) &'a [(String, P)]);

impl<'a, P: Policy> Direct<'a, P> {
    fn at(&self, table: &[usize]) -> Vec<(String, &'a P)> {
        let agents = self.0;
        table.iter().map(|agent| (agents[*agent].0.clone(), &agents[*agent].1)).collect()
    }
}

impl<P: Policy> PlayTable for Direct<'_, P> {
    fn are_repeatable(&self, _: &[usize]) -> bool {
        true
    }

    fn start(&mut self, _: &[usize], _: Option<&Path>) -> Result<(), LeagueError> {
        Ok(())
    }

    fn faults(&self) -> Vec<(usize, Faults)> {
        Vec::new()
    }

    fn write(&mut self, run: &mut Run, table: &[usize], watch: &mut impl Watch) -> Result<Played, PlayError> {
        run.play(&self.at(table), watch)
    }

    fn play(
        &mut self,
        config: &RunConfig,
        table: &[usize],
        sink: &mut impl Sink,
        watch: &mut impl Watch,
    ) -> Result<Tally, RunError> {
        direct(&config.job(&self.at(table)), sink, watch)
    }
}

/// Agents that are started for each table, in games in lockstep.
pub(super) struct InLockstep<'a> {
    pub(super) agents: &'a [(String, NamedAgent)],
    pub(super) setup: Setup,
    pub(super) at_once: usize,
    /// The agents of the last table, by their indexes in the league.
    pub(super) table: Vec<usize>,
    pub(super) started: Vec<(String, Box<dyn Agent>)>,
}

impl PlayTable for InLockstep<'_> {
    fn are_repeatable(&self, table: &[usize]) -> bool {
        table.iter().all(|agent| self.agents[*agent].1.is_repeatable())
    }

    fn start(&mut self, table: &[usize], log: Option<&Path>) -> Result<(), LeagueError> {
        // The processes of the table before end first.
        self.started.clear();
        self.table = table.to_vec();
        for (name, agent) in table.iter().map(|agent| &self.agents[*agent]) {
            let fault_log = log.map(|path| FaultLog { path: path.to_owned(), agent: name.clone() });
            let started = agent.start(&Setup { fault_log, ..self.setup.clone() });
            let started = started.map_err(|cause| LeagueError::Agent { agent: name.clone(), cause })?;
            self.started.push((name.clone(), started));
        }
        Ok(())
    }

    fn faults(&self) -> Vec<(usize, Faults)> {
        let faults = self.started.iter().map(|(_, agent)| agent.faults());
        self.table.iter().copied().zip(faults).collect()
    }

    fn write(&mut self, run: &mut Run, _: &[usize], watch: &mut impl Watch) -> Result<Played, PlayError> {
        run.play_batched(&mut self.started, self.at_once, watch)
    }

    fn play(
        &mut self,
        config: &RunConfig,
        _: &[usize],
        sink: &mut impl Sink,
        watch: &mut impl Watch,
    ) -> Result<Tally, RunError> {
        cohort(&config.cohort(config.range(), self.at_once), &mut self.started, sink, watch)
    }
}

/// The orders of a table's games, as they are played.
pub(super) struct TableGames<'a> {
    pub(super) schedule: Schedule,
    /// The table's agents by their indexes in the league.
    pub(super) table: &'a [usize],
    /// By game: its set, and its agents from first place to last.
    pub(super) orders: Vec<(u64, Vec<usize>)>,
}

impl TableGames<'_> {
    /// The set of a game, and its agents from first place to last.
    pub(super) fn order(
        &self,
        game: u64,
        placements: impl Iterator<Item = u8>,
    ) -> Result<(u64, Vec<usize>), String> {
        let Schedule { players, .. } = self.schedule;
        let (seating, placements) = (self.schedule.fixture(game).seating, placements.collect::<Vec<u8>>());
        let agent = |placement: u8| {
            let seat = players.seats().find(|seat| placements.get(seat.index()) == Some(&placement));
            seat.map(|seat| self.table[seating.agent(seat)])
        };
        let order: Option<Vec<usize>> = (1..=players.count()).map(agent).collect();
        let is_whole = placements.len() == usize::from(players.count());
        let order = order.filter(|_| is_whole).ok_or_else(|| wrong_placements(game, &placements, players))?;
        Ok((game / self.schedule.games_per_set(), order))
    }
}

fn wrong_placements(game: u64, found: &[u8], players: Players) -> String {
    format!(
        "game {game}: `placement`: expected each number from 1 to {} once, found {found:?}",
        players.count()
    )
}

impl Sink for TableGames<'_> {
    fn take(&mut self, game: GameRecord) -> Result<(), SinkError> {
        let order = self.order(game.game, game.results.iter().map(|result| result.placement));
        self.orders.push(order.expect("the engine places every player"));
        Ok(())
    }
}

/// A watch of several tables: the games of earlier tables count too.
pub(super) struct Later<'a, W> {
    pub(super) watch: &'a mut W,
    pub(super) before: u64,
}

impl<W: Watch> Watch for Later<'_, W> {
    fn progress(&mut self, done: u64) {
        self.watch.progress(self.before + done);
    }

    fn note(&mut self, text: &str) {
        self.watch.note(text);
    }

    fn should_stop(&self) -> bool {
        self.watch.should_stop()
    }

    fn writer_is_behind(&mut self, is_behind: bool) {
        self.watch.writer_is_behind(is_behind);
    }
}
