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
use serde_json::json;

use super::encoders::BATCH;
use super::{SEED, median, per_decision};
use crate::print;

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

/// The measurements of an agent.
struct Row {
    agent: &'static str,
    tables: usize,
    /// Decisions of a batch, in the mean. Without batches each decision is one.
    batch: u64,
    /// Nanoseconds of a decision in each repetition, in ascending order.
    nanoseconds: Vec<f64>,
    /// How many of them are more than those of games one at a time right after the repetition, in
    /// ascending order. None without batches.
    more: Vec<f64>,
    /// Nanoseconds that the encoder takes for a decision of such games, in ascending order. None
    /// without an encoder.
    encoder: Vec<f64>,
}

impl Row {
    /// How many nanoseconds more a decision takes than in games one at a time, without those of the
    /// encoder.
    fn overhead(&self) -> Option<f64> {
        let encoder = if self.encoder.is_empty() { 0.0 } else { median(&self.encoder) };
        (!self.more.is_empty()).then(|| median(&self.more) - encoder)
    }
}

/// The measurements, on one thread: first one game at a time, then each of `AGENTS` in batches.
pub(super) struct Measured(Vec<Row>);

/// Plays games of random players with both runners. The pool of the process must have one thread.
///
/// Repetitions of the runners alternate, so both meet the same state of the machine.
pub(super) fn measure(repeat: u32) -> anyhow::Result<Measured> {
    let ascending = |mut numbers: Vec<f64>| {
        numbers.sort_by(f64::total_cmp);
        numbers
    };
    let (mut alone, mut rows) = (Vec::new(), Vec::new());
    for (agent, encoder) in AGENTS {
        let windows = in_batches(agent, TABLES, WINDOW, repeat, one_at_a_time)?;
        let encoder =
            encoder.and_then(Encoder::named).map(|encoder| encoding(encoder, repeat)).transpose()?;
        let [batches, decisions] = [|window: &Window| window.batches, |window: &Window| window.decisions]
            .map(|count| windows.iter().map(count).sum::<u64>());
        alone.extend(windows.iter().map(|window| window.after));
        rows.push(Row {
            agent,
            tables: TABLES,
            batch: decisions / batches.max(1),
            nanoseconds: ascending(windows.iter().map(Window::nanoseconds).collect()),
            more: ascending(windows.iter().map(|window| window.nanoseconds() - window.after).collect()),
            encoder: ascending(encoder.unwrap_or_default()),
        });
    }
    let alone = Row {
        agent: "random",
        tables: 1,
        batch: 1,
        nanoseconds: ascending(alone),
        more: Vec::new(),
        encoder: Vec::new(),
    };
    rows.insert(0, alone);
    Ok(Measured(rows))
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

impl Measured {
    /// The lines of the table.
    pub(super) fn lines(&self) -> Vec<Vec<String>> {
        let head = ["agent, one thread", "tables", "batch", "a decision", "encoder", "overhead"];
        let head = head.map(str::to_owned).to_vec();
        let time = |times: &[f64]| match times {
            [] => String::new(),
            times => format!("{:.0} ns", median(times)),
        };
        let line = |row: &Row| {
            let overhead = row.overhead().map_or_else(String::new, |overhead| format!("{overhead:+.0} ns"));
            let [tables, batch] = [row.tables as u64, row.batch].map(print::thousands);
            vec![row.agent.to_owned(), tables, batch, time(&row.nanoseconds), time(&row.encoder), overhead]
        };
        std::iter::once(head).chain(self.0.iter().map(line)).collect()
    }

    pub(super) fn as_json(&self) -> serde_json::Value {
        let row = |row: &Row| {
            json!({
                "agent": row.agent,
                "tables": row.tables,
                "batch": row.batch,
                "repetitions": row.nanoseconds,
                "more": row.more,
                "encoder": row.encoder,
                "overhead": row.overhead(),
                "ns": median(&row.nanoseconds),
            })
        };
        self.0.iter().map(row).collect()
    }
}

/// What an agent decided in some time.
pub(super) struct Window {
    pub(super) batches: u64,
    pub(super) decisions: u64,
    pub(super) seconds: f64,
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

/// Nanoseconds that an encoder takes for a decision, in each repetition.
///
/// It encodes the decisions of the same games in batches, in the same pieces and in the same order
/// as the agent, before another agent decides them.
fn encoding(encoder: Encoder, repeat: u32) -> anyhow::Result<Vec<f64>> {
    let windows = encoding_in_batches(UNIFORM, Some(encoder), TABLES, WINDOW, repeat, || 0.0)?;
    let time = |window: &Window| window.encoding as f64 / window.decisions as f64;
    Ok(windows.iter().map(time).collect())
}

/// Plays games of an agent in batches. When all tables are in play, it measures as often as
/// `repeat` says, and stops. `after` is called after each window.
pub(super) fn in_batches(
    agent: &str,
    tables: usize,
    time: Duration,
    repeat: u32,
    after: fn() -> f64,
) -> anyhow::Result<Vec<Window>> {
    encoding_in_batches(agent, None, tables, time, repeat, after)
}

/// Plays games as [`in_batches`] does, and also encodes each decision with an encoder.
fn encoding_in_batches(
    agent: &str,
    encoder: Option<Encoder>,
    tables: usize,
    time: Duration,
    repeat: u32,
    after: fn() -> f64,
) -> anyhow::Result<Vec<Window>> {
    let counts = Arc::<Counts>::default();
    let started = Catalog::standard().agent(agent)?.start(&Setup::default())?;
    let encoded = encoder.map(Rows::new);
    let counted = Counted { agent: started, encoded, counts: Arc::clone(&counts) };
    let agents = vec![StartedAgent::new(agent, Box::new(counted))];
    let mut players = Players::Started(Started::new(agents, vec![0; 4], tables));
    let rules = Rules::default();
    let job = Job::new(&rules, Schedule::selfplay(SEED, u64::MAX / 2), Detail::None);
    let state = Windows { start: Instant::now(), is_warm: false, done: Vec::new() };
    let mut stopwatch =
        Stopwatch { counts, time, repeat: repeat as usize, after, windows: Mutex::new(state) };
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
    time: Duration,
    repeat: usize,
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
        if windows.done.len() == self.repeat {
            return true;
        }
        let took = windows.start.elapsed();
        if took >= self.time {
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
