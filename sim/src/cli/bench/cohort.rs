//! What lockstep costs: the same games, played one at a time and at thousands of tables.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use jantaku_agents::{Agent, AgentError, Batched, Random, Reply, Request};
use jantaku_engine::Rules;
use jantaku_sim::play::{Cohort, Detail, Job, Schedule, cohort, direct};
use serde_json::json;

use super::{SEED, median, per_decision};
use crate::cli::print;

/// Tables of a cohort. A half of them has some 4,096 decisions at a time.
const TABLES: usize = 8192;

/// The measurements, on one thread.
pub(super) struct Measured {
    decisions: u64,
    /// Batches of the agent.
    batches: u64,
    /// Seconds of each repetition, in ascending order.
    direct: Vec<f64>,
    cohort: Vec<f64>,
}

/// Random players whose batches are counted.
struct Counted {
    agent: Batched<Random>,
    batches: Arc<AtomicU64>,
}

impl Agent for Counted {
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        self.batches.fetch_add(1, Ordering::Relaxed);
        self.agent.decide(requests, replies)
    }
}

/// Plays games of random players with both runners.
pub(super) fn measure(repeat: u32) -> anyhow::Result<Measured> {
    // Short games, so that few batches are small because most games have ended.
    let (rules, games) = (Rules { wind_rounds: 1, ..Rules::default() }, 2 * TABLES as u64);
    let (schedule, detail) = (Schedule::selfplay(SEED, games), Detail::None);
    let policies = vec![("random".to_owned(), Random); 4];
    let names: Vec<String> = policies.iter().map(|(name, _)| name.clone()).collect();
    let job = Job { rules: &rules, schedule, agents: &policies, detail };
    let in_lockstep =
        Cohort { rules: &rules, schedule, games: 0..games, agents: &names, detail, tables: TABLES };
    let batches = Arc::<AtomicU64>::default();
    let counted = Counted { agent: Batched(Random), batches: Arc::clone(&batches) };
    let mut started: Vec<(String, Box<dyn Agent>)> = vec![("random".to_owned(), Box::new(counted))];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut measured = Measured { decisions: 0, batches: 0, direct: Vec::new(), cohort: Vec::new() };
    for _ in 0..repeat {
        let start = Instant::now();
        let expected = pool.install(|| direct(&job, &mut (), &mut ()))?;
        measured.direct.push(start.elapsed().as_secs_f64());
        let (start, before) = (Instant::now(), batches.load(Ordering::Relaxed));
        let found = pool.install(|| cohort(&in_lockstep, &mut started, &mut (), &mut ()))?;
        measured.cohort.push(start.elapsed().as_secs_f64());
        assert!(found == expected, "both runners play the same games");
        measured.decisions = found.decisions;
        measured.batches = batches.load(Ordering::Relaxed) - before;
    }
    measured.direct.sort_by(f64::total_cmp);
    measured.cohort.sort_by(f64::total_cmp);
    Ok(measured)
}

impl Measured {
    /// Decisions of a batch, in the mean.
    fn batch(&self) -> u64 {
        self.decisions / self.batches.max(1)
    }

    /// Nanoseconds of a decision: with the direct runner, and in lockstep.
    fn nanoseconds(&self) -> [f64; 2] {
        [&self.direct, &self.cohort].map(|seconds| per_decision(median(seconds), self.decisions))
    }

    /// The lines of the table.
    pub(super) fn lines(&self) -> Vec<Vec<String>> {
        let [direct, cohort] = self.nanoseconds();
        let line = |name: &str, tables: String, batch: String, time: f64, more: String| {
            vec![name.to_owned(), tables, batch, format!("{time:.0} ns"), more]
        };
        let tables = print::thousands(TABLES as u64);
        let batch = print::thousands(self.batch());
        let more = format!("{:+.0} ns", cohort - direct);
        let head = ["random, one thread", "tables", "batch", "a decision", ""].map(str::to_owned);
        vec![
            head.to_vec(),
            line("direct", "1".to_owned(), "1".to_owned(), direct, String::new()),
            line("in lockstep", tables, batch, cohort, more),
        ]
    }

    pub(super) fn as_json(&self) -> serde_json::Value {
        let [direct, cohort] = self.nanoseconds();
        json!({
            "tables": TABLES,
            "batch": self.batch(),
            "decisions": self.decisions,
            "direct_seconds": self.direct,
            "seconds": self.cohort,
            "direct_ns": direct,
            "ns": cohort,
        })
    }
}
