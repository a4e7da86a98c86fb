//! Self-play in batches for some time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use jantaku_agents::{Agent, AgentError, Catalog, Reply, Request, Setup};
use jantaku_engine::Rules;
use jantaku_sim::play::{Detail, Job, Players, Schedule, Started, StartedAgent, Watch};

use super::SEED;

/// What an agent decided in some time.
pub(super) struct Window {
    pub(super) batches: u64,
    pub(super) decisions: u64,
    pub(super) seconds: f64,
}

/// Plays games of an agent at this many tables. When all are in play, it measures for this time, and
/// stops.
pub(super) fn window(agent: &str, tables: usize, time: Duration) -> anyhow::Result<Window> {
    let counts = Arc::<Counts>::default();
    let started = Catalog::standard().agent(agent)?.start(&Setup::default())?;
    let counted = Counted { agent: started, counts: Arc::clone(&counts) };
    let agents = vec![StartedAgent::new(agent, Box::new(counted))];
    let mut players = Players::Started(Started::new(agents, vec![0; 4], tables));
    let rules = Rules::default();
    let job = Job::new(&rules, Schedule::selfplay(SEED, u64::MAX / 2), Detail::None);
    let phase = Mutex::new(Phase::WarmUp(Instant::now()));
    let mut stopwatch = Stopwatch { counts, time, phase };
    players.play(&job, &mut (), &mut stopwatch)?;
    match stopwatch.phase.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Phase::Done(window) => Ok(window),
        _ => unreachable!("the games end only when the window does"),
    }
}

/// How often an agent was asked, and for how many decisions.
#[derive(Default)]
struct Counts {
    batches: AtomicU64,
    decisions: AtomicU64,
}

/// An agent whose decisions are counted.
struct Counted {
    agent: Box<dyn Agent>,
    counts: Arc<Counts>,
}

impl Agent for Counted {
    fn begin(&mut self, requests: &[Request<'_>]) -> Result<(), AgentError> {
        self.agent.begin(requests)
    }

    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        self.counts.batches.fetch_add(1, Ordering::Relaxed);
        self.counts.decisions.fetch_add(requests.len() as u64, Ordering::Relaxed);
        self.agent.decide(requests, replies)
    }
}

/// A warm-up, the measurement, which takes as long, and its result.
enum Phase {
    WarmUp(Instant),
    Measuring(Instant),
    Done(Window),
}

/// Ends the games after a warm-up and a measurement.
struct Stopwatch {
    counts: Arc<Counts>,
    time: Duration,
    phase: Mutex<Phase>,
}

impl Watch for Stopwatch {
    fn progress(&mut self, _: u64) {}

    fn should_stop(&self) -> bool {
        let mut phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        let (Phase::WarmUp(start) | Phase::Measuring(start)) = &*phase else { return true };
        let took = start.elapsed();
        if took < self.time {
            return false;
        }
        let Counts { batches, decisions } = &*self.counts;
        let [batches, decisions] = [batches, decisions].map(|count| count.swap(0, Ordering::Relaxed));
        *phase = match &*phase {
            Phase::WarmUp(_) => Phase::Measuring(Instant::now()),
            _ => Phase::Done(Window { batches, decisions, seconds: took.as_secs_f64() }),
        };
        matches!(*phase, Phase::Done(_))
    }
}
