//! How fast decisions are labelled.

use std::time::Instant;

use jantaku_agents::labels::{LabelOptions, Labeller};
use jantaku_agents::{Catalog, Heuristic, NamedPolicy};
use jantaku_engine::Rules;
use jantaku_engine::replay::GameStart;
use jantaku_sim::play::{Detail, GameRecord, Job, LabelSink, Players, Schedule, Sink as _};
use serde_json::json;

use super::{SEED, print};

/// The games whose decisions are labelled.
const GAMES: u64 = 16;

/// The measurements, with the default options of labels.
pub(super) struct Measured {
    rows: Vec<Row>,
}

/// The measurements on a number of threads.
struct Row {
    threads: usize,
    labels: u64,
    /// Pairs of rollouts: a candidate and the choice in the same deal.
    pairs: u64,
    /// Of each repetition, in ascending order.
    seconds: Vec<f64>,
}

/// Labels games of `heuristic` on one thread and on all threads.
pub(super) fn measure(all: usize, repeat: u32) -> anyhow::Result<Measured> {
    let rules = Rules::default();
    let mut players = Players::from(vec![NamedPolicy::new("heuristic", Heuristic::default()); 4]);
    let mut games: Vec<GameRecord> = Vec::new();
    players.play(
        &Job::new(&rules, Schedule::selfplay(SEED, GAMES), Detail::Decisions),
        &mut games,
        &mut (),
    )?;
    let labeller = Labeller::new(LabelOptions::default(), &Catalog::standard())?;
    let mut rows = Vec::new();
    let thread_counts = if all > 1 { vec![1, all] } else { vec![1] };
    for threads in thread_counts {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let mut row = Row { threads, labels: 0, pairs: 0, seconds: Vec::new() };
        for _ in 0..repeat {
            let unlabelled = games.clone();
            let mut labelled: Vec<GameRecord> = Vec::new();
            let start = Instant::now();
            pool.install(|| {
                let mut sink = LabelSink::new(&labeller, &rules, GameStart::of_game(&rules), &mut labelled);
                unlabelled.into_iter().try_for_each(|game| sink.take(game))?;
                sink.finish()
            })?;
            row.seconds.push(start.elapsed().as_secs_f64());
            let labels = labelled.iter().flat_map(|game| &game.labels).map(|(_, label)| label);
            row.labels = labels.clone().count() as u64;
            row.pairs = labels.map(|label| u64::from(label.deals) * (label.actions.len() as u64 - 1)).sum();
        }
        row.seconds.sort_by(f64::total_cmp);
        rows.push(row);
    }
    Ok(Measured { rows })
}

impl Row {
    fn per_second(&self, count: u64) -> f64 {
        count as f64 / self.seconds[self.seconds.len() / 2]
    }
}

impl Measured {
    /// The lines of the table.
    pub(super) fn lines(&self) -> Vec<Vec<String>> {
        let head = ["labels of heuristic, threads", "labels/s", "pairs of rollouts/s"];
        let line = |row: &Row| {
            let [labels, pairs] = [row.labels, row.pairs].map(|count| row.per_second(count) as u64);
            vec![row.threads.to_string(), print::thousands(labels), print::thousands(pairs)]
        };
        let head = head.map(str::to_owned).to_vec();
        std::iter::once(head).chain(self.rows.iter().map(line)).collect()
    }

    pub(super) fn as_json(&self) -> serde_json::Value {
        let row = |row: &Row| {
            json!({
                "threads": row.threads,
                "games": GAMES,
                "labels": row.labels,
                "pairs": row.pairs,
                "seconds": row.seconds,
                "labels_per_second": row.per_second(row.labels),
                "pairs_per_second": row.per_second(row.pairs),
            })
        };
        self.rows.iter().map(row).collect()
    }
}
