//! The direct runner: plays games of policies on all threads, one after the other on each.
//!
//! # Why
//!
//! **How do threads share the games?** In waves of up to 512, smaller if games take long. Rayon
//! divides a wave among the threads. Then the sink takes the wave in order, and writes it on threads of
//! its own while the next one is played. Nothing waits inside a thread of the pool. Rejected: a shared
//! queue with a reorder buffer, which needs a bound, a lock and a way to handle a late game.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jantaku_agents::{AgentError, NamedPolicy, Policy as _, Reply, SearchInfo, WrongSearchInfo};
use jantaku_engine::replay::Spectator;
use jantaku_engine::{Action, Event, Game, Observation, Observer, Rng, Rules, Seat};
use jantaku_show::text;
use rayon::prelude::*;

use super::fold::{AddGame, Fold, Taken};
use super::job::{Job, RunError, Watch};
use super::latency::Latencies;
use crate::play::{AgentGroups, Detail, Fixture, GameCounter, GameRecord, Listener, Memory, UnitCounts};

/// The agents of a job that decide one action at a time.
///
/// Copies share the agents and their times.
#[derive(Clone, Debug)]
pub struct Policies {
    /// In the order that the schedule seats them.
    agents: Vec<NamedPolicy>,
    /// How long each takes for its decisions, if they are timed.
    times: Option<Arc<[Latencies]>>,
}

impl Policies {
    /// These agents, in the order that a schedule seats them.
    pub const fn new(agents: Vec<NamedPolicy>) -> Policies {
        Policies { agents, times: None }
    }

    /// The agents.
    pub fn agents(&self) -> &[NamedPolicy] {
        &self.agents
    }

    /// Times the decisions from now on.
    pub(super) fn time(&mut self) {
        self.times = Some(self.agents.iter().map(|_| Latencies::default()).collect());
    }

    /// How long each agent takes for its decisions; empty if they are not timed.
    pub(super) fn times(&self) -> impl Iterator<Item = (&str, &Latencies)> {
        let names = self.agents.iter().map(NamedPolicy::name);
        names.zip(self.times.iter().flat_map(|times| times.iter()))
    }

    /// The reply of an agent. With `wants_info`, the agent also reports search info.
    #[expect(clippy::inline_always, reason = "called for every decision, and not inlined otherwise")]
    #[inline(always)]
    fn reply(&self, agent: usize, o: &Observation<'_>, rng: &mut Rng, wants_info: bool) -> Reply {
        let policy = &self.agents[agent];
        let mut reply = || if wants_info { policy.reply(o, rng) } else { policy.choose(o, rng).into() };
        match &self.times {
            None => reply(),
            Some(times) => times[agent].sample(reply),
        }
    }
}

/// The maximum number of units (games, or duplicate sets) of a wave: enough that threads rarely wait for
/// the last one, few enough to fit in memory.
const WAVE: u64 = 512;

/// The number of units of the next wave, from that of the last one and the time that it took.
///
/// Waves of slow agents are small: the watch learns of progress after each, and if a game ends the
/// run, the later games of its wave were played in vain.
fn next_wave(size: u64, took: Duration) -> u64 {
    const BRIEF: Duration = Duration::from_millis(100);
    const LONG: Duration = Duration::from_secs(1);
    match took {
        took if took < BRIEF => (2 * size).min(WAVE),
        took if took > LONG => size.div_ceil(2).max(rayon::current_num_threads() as u64),
        _ => size,
    }
}

/// Plays the games of a job and folds them.
///
/// Threads of the calling thread's rayon pool play a wave of units, then `take` of the fold receives
/// them. A sink with threads of its own writes one wave while the next is played. Memory does not
/// grow with the number of games.
///
/// # Errors
///
/// As [`Players::play`](super::Players::play).
pub fn fold<V: Send>(
    job: &Job<'_>,
    policies: &Policies,
    fold: Fold<'_, impl Fn() -> V + Sync, impl AddGame<V>, impl FnMut(V) -> Taken>,
    watch: &mut dyn Watch,
) -> Result<(), RunError> {
    let Fold { groups, of_agents, unit, start, add, mut take } = fold;
    let counter = GameCounter::new(groups);
    gather(
        job.games.start / unit..job.games.end / unit,
        unit,
        watch,
        || (counter.clone(), start()),
        |(counter, value), number, watch| {
            for game in number * unit..(number + 1) * unit {
                let (record, counts) = play_counted(job, game, policies, of_agents, counter, watch)?;
                add(value, record, counts);
            }
            Ok(())
        },
        |(_, value)| take(value),
    )
}

/// Plays units of games on all threads of the rayon pool, into values that `take` receives.
///
/// `start` makes an empty value, and `play` plays one unit into a value. A value holds consecutive
/// units of one wave; `take` receives the values in order, and can end the job. If the watch stops
/// the job, `take` has received the units before the first stopped one, and there is no error. The
/// watch receives the number of games: `per_unit` for each unit.
///
/// # Errors
///
/// The error of the first unit that fails, after `take` has received the units before it; or the
/// first error of `take`.
pub fn gather<T: Send>(
    units: Range<u64>,
    per_unit: u64,
    watch: &mut dyn Watch,
    start: impl Fn() -> T + Sync,
    play: impl Fn(&mut T, u64, &dyn Watch) -> Result<(), RunError> + Sync,
    mut take: impl FnMut(T) -> Taken,
) -> Result<(), RunError> {
    let (first, mut next) = (units.start, units.start);
    let mut size = (8 * rayon::current_num_threads() as u64).min(WAVE);
    while next < units.end {
        let wave = next..units.end.min(next.saturating_add(size));
        let (first_failed, began) = (AtomicU64::new(u64::MAX), Instant::now());
        next = wave.end;
        let add = |(mut value, mut result): (T, Result<(), RunError>), unit| {
            if result.is_ok() {
                // After an error, only earlier units matter.
                let should_stop = || first_failed.load(Ordering::Relaxed) < unit || watch.should_stop();
                result = play(&mut value, unit, &should_stop);
                if result.is_err() {
                    first_failed.fetch_min(unit, Ordering::Relaxed);
                }
            }
            (value, result)
        };
        let values: Vec<_> = wave.into_par_iter().fold(|| (start(), Ok(())), add).collect();
        for (value, result) in values {
            if take(value)?.is_break() {
                return Ok(());
            }
            match result {
                Err(RunError::Stopped) => return Ok(()),
                result => result?,
            }
        }
        watch.progress((next - first) * per_unit);
        size = next_wave(size, began.elapsed());
    }
    Ok(())
}

/// Plays one game of a job and counts it, with the agents in these groups.
///
/// # Errors
///
/// As for [`play_game`].
pub fn play_counted<'c>(
    job: &Job<'_>,
    game: u64,
    policies: &Policies,
    of_agents: AgentGroups,
    counter: &'c mut GameCounter,
    watch: &dyn Watch,
) -> Result<(GameRecord, &'c UnitCounts), RunError> {
    let fixture = job.schedule.fixture(game);
    counter.start(fixture.seating.arrange(of_agents));
    let mut memory = Memory::new(job.detail, job.rules);
    let counted = &mut Counted { memory: &mut memory, counter, news: None };
    play_game(job.rules, fixture, policies, counted, watch)?;
    Ok(finish_counted(memory, counter, fixture, job.rules))
}

/// The record of a finished game and its counts.
pub(super) fn finish_counted<'c>(
    memory: Memory,
    counter: &'c mut GameCounter,
    fixture: Fixture,
    rules: &Rules,
) -> (GameRecord, &'c UnitCounts) {
    let has_walls = memory.detail() >= Detail::Oracle;
    let mut record = memory.finish(fixture.game, fixture.seed).expect("the game is over");
    if has_walls {
        record.add_walls(rules);
    }
    let unit = counter.finish(&record.results, rules.tie_rule, record.decision_count);
    (record, unit)
}

/// Records a game in play, counts its hands, and keeps its events for agents that want them.
pub(super) struct Counted<'a> {
    pub(super) memory: &'a mut Memory,
    pub(super) counter: &'a mut GameCounter,
    /// This game and the list of news to add to, if an agent at its table wants its news.
    pub(super) news: Option<(Fixture, &'a mut Vec<(Fixture, Notice)>)>,
}

/// A piece of news of a game.
pub(super) enum Notice {
    Start,
    Event(Event),
}

/// Keeps an event for agents. In most games no agent wants it.
#[cold]
fn push_news(fixture: Fixture, news: &mut Vec<(Fixture, Notice)>, event: &Event) {
    news.push((fixture, Notice::Event(event.clone())));
}

impl Observer for Counted<'_> {
    #[inline]
    fn event(&mut self, event: &Event) {
        self.memory.event(event);
        if let Event::HandEnd(outcome) = event {
            self.counter.hand(&self.memory.hand().facts(outcome));
        }
        if let Some((fixture, news)) = &mut self.news {
            push_news(*fixture, news, event);
        }
    }
}

impl Spectator for Counted<'_> {
    #[inline]
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        self.memory.decision(o, action);
    }
}

impl Listener for Counted<'_> {
    fn listens(&self) -> bool {
        self.memory.listens()
    }

    fn search_info(&mut self, search_info: Box<SearchInfo>) {
        self.memory.search_info(search_info);
    }
}

/// Plays one game and shows it to a listener.
///
/// # Errors
///
/// If an agent answers illegally or reports impossible search info, the game has no end, or the watch
/// stops it.
pub fn play_game(
    rules: &Rules,
    fixture: Fixture,
    policies: &Policies,
    listener: &mut impl Listener,
    watch: &dyn Watch,
) -> Result<Game, RunError> {
    let mut game = Game::new_seen(rules, fixture.seed, listener);
    while !game.is_over() {
        if watch.should_stop() {
            return Err(RunError::Stopped);
        }
        // All pending seats answer before the next event.
        for seat in game.pending().iter() {
            let agent = fixture.seating.agent(seat);
            let policy = &policies.agents[agent];
            let rng = &mut game.random_stream(seat, policy.salt());
            let reply = policies.reply(agent, &game.observe(seat), rng, listener.listens());
            submit(&mut game, seat, policy.name(), reply, listener)
                .map_err(|error| RunError::Agent { game: fixture.game, error })?;
        }
    }
    if game.is_endless() { Err(RunError::Endless { game: fixture.game }) } else { Ok(game) }
}

/// Submits an agent's reply to its game and shows it to a listener.
///
/// # Errors
///
/// If the action is not legal, or the listener listens and the search info is impossible.
#[inline]
pub(super) fn submit(
    game: &mut Game,
    seat: Seat,
    agent: &str,
    reply: Reply,
    listener: &mut impl Listener,
) -> Result<(), AgentError> {
    let Reply { action, search_info, .. } = reply;
    let observation = game.observe(seat);
    listener.decision(&observation, action);
    if let Some(search_info) = search_info.filter(|_| listener.listens()) {
        search_info.check(observation.legal()).map_err(|wrong| wrong_search_info(agent, &wrong))?;
        listener.search_info(search_info);
    }
    game.submit_seen(seat, action, listener).map_err(|illegal| {
        let seen = text::observation(&game.observe(seat));
        AgentError::Illegal { agent: agent.to_owned(), illegal: Box::new(illegal), seen }
    })
}

fn wrong_search_info(agent: &str, wrong: &WrongSearchInfo) -> AgentError {
    let reason = format!("reports impossible search info: {wrong}");
    AgentError::Failed { agent: agent.to_owned(), table: None, reason }
}
