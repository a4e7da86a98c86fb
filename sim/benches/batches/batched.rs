//! What batches cost: games one at a time, and at thousands of tables.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use jantaku_agents::encode::{Encoder, Rows};
use jantaku_agents::{Agent, AgentError, Catalog, NamedPolicy, Random, Reply, Request, Setup};
use jantaku_engine::Rules;
use jantaku_sim::play::{Detail, Job, Players, Schedule, Started, StartedAgent, Watch};

use crate::encoders::BATCH;
use crate::{REPEAT, SEED, median, per_decision};

/// Tables in play at once. A half of them has some 4,096 decisions at a time.
const TABLES: usize = 8192;

/// The agents in batches, and the encoder of those that encode every decision.
const AGENTS: [(&str, Option<&str>); 4] = [
    ("random", None),
    (UNIFORM, None),
    ("neural:model=uniform-sparse-v1", Some("sparse-v1")),
    ("neural:model=uniform-planes-v1", Some("planes-v1")),
];

/// The agent that plays the same games as the last two and does not encode.
const UNIFORM: &str = "neural:model=uniform";

/// How long a repetition takes.
const WINDOW: Duration = Duration::from_secs(1);
/// The games that are played one at a time after each repetition.
const GAMES: u64 = 2000;

/// What an agent takes for a decision in batches.
pub struct Row {
    /// The agent.
    pub agent: &'static str,
    /// Decisions of a batch, in the mean.
    pub batch: u64,
    /// Nanoseconds of a decision.
    pub time: f64,
    /// Nanoseconds that the encoder takes of it. 0 without an encoder.
    pub encoder: f64,
    /// Nanoseconds more than in games one at a time, without those of the encoder.
    pub overhead: f64,
}

/// Plays games one at a time and in batches. Returns the nanoseconds of a decision in the former, and
/// the rows of [`AGENTS`].
///
/// Repetitions of the runners alternate, so both meet the same state of the machine.
pub fn measure() -> anyhow::Result<(f64, Vec<Row>)> {
    let (mut alone, mut rows) = (Vec::new(), Vec::new());
    for (agent, encoder) in AGENTS {
        let windows = in_batches(agent, None, one_at_a_time)?;
        let encoder = encoder.and_then(Encoder::named).map(encoding).transpose()?.unwrap_or(0.0);
        let [batches, decisions] = [|window: &Window| window.batches, |window: &Window| window.decisions]
            .map(|count| windows.iter().map(count).sum::<u64>());
        alone.extend(windows.iter().map(|window| window.after));
        let more = median(windows.iter().map(|window| window.nanoseconds() - window.after).collect());
        rows.push(Row {
            agent,
            batch: decisions / batches.max(1),
            time: median(windows.iter().map(Window::nanoseconds).collect()),
            encoder,
            overhead: more - encoder,
        });
    }
    Ok((median(alone), rows))
}

/// Plays games one after the other. Returns the nanoseconds of a decision.
fn one_at_a_time() -> f64 {
    let (rules, policy) = (Rules::default(), NamedPolicy::new("random", Random));
    let job = Job::new(&rules, Schedule::selfplay(SEED, GAMES), Detail::None);
    let mut players = Players::from(vec![policy; 4]);
    let start = Instant::now();
    let played = players.play(&job, &mut (), &mut ()).expect("random players play legally");
    per_decision(start.elapsed().as_secs_f64(), played.decisions)
}

/// What an agent decided in some time.
struct Window {
    batches: u64,
    decisions: u64,
    seconds: f64,
    /// Nanoseconds that [`Counted`] encoded.
    encoding: u64,
    /// What was measured after it.
    after: f64,
}

impl Window {
    fn nanoseconds(&self) -> f64 {
        per_decision(self.seconds, self.decisions)
    }
}

/// Nanoseconds that an encoder takes for a decision.
///
/// It encodes the decisions of the same games in batches, in the same pieces and in the same order
/// as the agent, before another agent decides them.
fn encoding(encoder: Encoder) -> anyhow::Result<f64> {
    let windows = in_batches(UNIFORM, Some(encoder), || 0.0)?;
    Ok(median(windows.iter().map(|window| window.encoding as f64 / window.decisions as f64).collect()))
}

/// Plays games of an agent in batches. When all tables are in play, it measures [`REPEAT`] windows, and
/// stops. `after` is called after each window. Each decision is also encoded if there is an encoder.
fn in_batches(agent: &str, encoder: Option<Encoder>, after: fn() -> f64) -> anyhow::Result<Vec<Window>> {
    let counts = Arc::<Counts>::default();
    let started = Catalog::standard().agent(agent)?.start(&Setup::default())?;
    let encoded = encoder.map(Rows::new);
    let counted = Counted { agent: started, encoded, counts: Arc::clone(&counts) };
    let agents = vec![StartedAgent::new(agent, Box::new(counted))];
    let mut players = Players::Started(Started::new(agents, vec![0; 4], TABLES));
    let rules = Rules::default();
    let job = Job::new(&rules, Schedule::selfplay(SEED, u64::MAX / 2), Detail::None);
    let state = Windows { start: Instant::now(), is_warm: false, done: Vec::new() };
    let mut stopwatch = Stopwatch { counts, after, windows: Mutex::new(state) };
    players.play(&job, &mut (), &mut stopwatch)?;
    Ok(stopwatch.windows.into_inner().unwrap_or_else(PoisonError::into_inner).done)
}

/// How often an agent was asked, for how many decisions, and the nanoseconds of their encoding.
#[derive(Default)]
struct Counts {
    batches: AtomicU64,
    decisions: AtomicU64,
    encoding: AtomicU64,
}

/// An agent whose decisions are counted, and encoded first if there are rows for it.
struct Counted {
    agent: Box<dyn Agent>,
    encoded: Option<Rows>,
    counts: Arc<Counts>,
}

impl Agent for Counted {
    fn begin(&mut self, requests: &[Request<'_>]) -> Result<(), AgentError> {
        self.agent.begin(requests)
    }

    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        self.counts.batches.fetch_add(1, Ordering::Relaxed);
        self.counts.decisions.fetch_add(requests.len() as u64, Ordering::Relaxed);
        if let Some(encoded) = &mut self.encoded {
            let start = Instant::now();
            for piece in requests.chunks(BATCH) {
                encoded.encode(piece, |request| &request.observation);
                black_box(&*encoded);
            }
            self.counts.encoding.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        }
        self.agent.decide(requests, replies)
    }
}

/// Measures windows of time one after the other, and then ends the games.
struct Stopwatch {
    counts: Arc<Counts>,
    after: fn() -> f64,
    windows: Mutex<Windows>,
}

struct Windows {
    /// The start of the window, or of the warm-up, which takes as long.
    start: Instant,
    is_warm: bool,
    done: Vec<Window>,
}

impl Watch for Stopwatch {
    fn progress(&mut self, _: u64) {}

    fn should_stop(&self) -> bool {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.done.len() == REPEAT {
            return true;
        }
        let took = windows.start.elapsed();
        if took >= WINDOW {
            let Counts { batches, decisions, encoding } = &*self.counts;
            let [batches, decisions, encoding] =
                [batches, decisions, encoding].map(|count| count.swap(0, Ordering::Relaxed));
            if windows.is_warm {
                let (seconds, after) = (took.as_secs_f64(), (self.after)());
                windows.done.push(Window { batches, decisions, seconds, encoding, after });
            }
            (windows.is_warm, windows.start) = (true, Instant::now());
        }
        false
    }
}
