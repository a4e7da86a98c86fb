//! `jantaku bench`.

use std::time::Instant;

use jantaku_agents::labels::{LabelOptions, Labeller};
use jantaku_agents::{Catalog, Greedy, Heuristic, NamedPolicy, Policy, Random, Tsumogiri};
use jantaku_engine::random::hash;
use jantaku_engine::{Game, Rules};
use jantaku_sim::options::number;
use jantaku_sim::play::{Detail, GameRecord, Job, Players, Schedule, Tally};
use serde::Serialize;
use serde_json::json;

use super::output::{Ended, Output};
use super::print;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Measure this many times and print the median
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = number::<u32>(1..=1_000_000), allow_negative_numbers = true)]
    repeat: u32,
}

/// The measurements of one agent on a number of threads.
struct Row {
    agent: &'static str,
    threads: usize,
    tally: Tally,
    /// The time of each repetition, in ascending order.
    seconds: Vec<f64>,
}

impl Row {
    /// The rate of this count, from the median time.
    fn per_second(&self, count: u64) -> f64 {
        count as f64 / self.seconds[self.seconds.len() / 2]
    }
}

/// The measurements of one agent, and a hash of the signatures of its games.
struct Measured {
    rows: Vec<Row>,
    signature: u64,
}

/// The seed of the benchmark's games, which are played under `tenhou`.
const SEED: u64 = 1;

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let (mut rows, mut signatures) = (Vec::new(), Vec::new());
    let mut add = |measured: Measured| {
        rows.extend(measured.rows);
        signatures.push(measured.signature);
    };
    // Enough games that each measurement takes a good part of a second on one thread.
    add(measure("random", Random, 4000, all, args.repeat)?);
    add(measure("tsumogiri", Tsumogiri, 4000, all, args.repeat)?);
    add(measure("greedy", Greedy::default(), 1500, all, args.repeat)?);
    // Not part of the signature, which new parameters would change.
    rows.extend(measure("heuristic", Heuristic::default(), 100, all, args.repeat)?.rows);
    let mut fast = Heuristic::default();
    fast.fast = true;
    rows.extend(measure("heuristic:fast", fast, 300, all, args.repeat)?.rows);
    let signature = format!("{:016x}", hash(&signatures));
    let whole = LabelOptions { turns: 0, ..LabelOptions::default() };
    let noise = [Noise::measure(LabelOptions::default())?, Noise::measure(whole)?];
    let found = json!({
        "signature": signature,
        "rows": rows.iter().map(as_json).collect::<Vec<_>>(),
        "noise": noise,
    });
    let text = || {
        let (table, noise) =
            (print::table(&table(&rows, args.repeat)), noise.each_ref().map(Noise::text).concat());
        format!("{table}{noise}Signature: {signature}\n")
    };
    output.print(&found, text)?;
    Ok(Ended::Done)
}

/// The noise of labels: how much a comparison of two actions in the same deal varies, and how long it takes.
#[derive(Serialize)]
struct Noise {
    /// The options of the labels.
    labels: String,
    pairs: u64,
    /// The variance of the difference in one pair, in points².
    variance: f64,
    /// One thread's time for a pair, without the games.
    microseconds: f64,
    /// Variance times microseconds. The time for means with a certain error is proportional to it.
    product: f64,
}

impl Noise {
    /// Measures the noise: labels the decisions of some games on one thread.
    fn measure(options: LabelOptions) -> anyhow::Result<Noise> {
        let labels = options.to_string();
        let labeller = Labeller::new(options, &Catalog::standard())?;
        let (player, rules) = (Heuristic::default(), Rules::default());
        let (mut pairs, mut candidates, mut spread, mut seconds) = (0, 0, 0.0, 0.0);
        for seed in 0..NOISE_GAMES {
            let (mut game, mut number) = (Game::new(&rules, seed), 0);
            while let Some(seat) = game.pending().iter().next() {
                let o = game.observe(seat);
                let start = Instant::now();
                let label = labeller.label(&game, &o, &[seed, number]);
                seconds += start.elapsed().as_secs_f64();
                for played in label.iter().flat_map(|label| &label.actions[1..]) {
                    let deals = f64::from(labeller.options().deals);
                    let [sum, squares] = [played.differences.sum, played.differences.squares].map(f64::from);
                    spread += squares - sum * sum / deals;
                    pairs += u64::from(labeller.options().deals);
                    candidates += 1;
                }
                let action = player.choose(&o, &mut game.random_stream(seat, player.salt()));
                game.submit(seat, action)?;
                number += 1;
            }
        }
        let (variance, microseconds) = (spread / (pairs - candidates) as f64, 1e6 * seconds / pairs as f64);
        Ok(Noise { labels, pairs, variance, microseconds, product: variance * microseconds })
    }

    fn text(&self) -> String {
        let Noise { labels, pairs, variance, microseconds, product } = self;
        let (variance, noise) = (variance / 1e6, product / 1e6);
        format!(
            "Noise: {noise:.0} = {variance:.1} million points² × {microseconds:.1} µs a pair ({pairs} pairs, \
             {labels})\n"
        )
    }
}

/// The games whose decisions are labelled.
const NOISE_GAMES: u64 = 12;

/// Plays the games of one agent on one thread and on all threads, and hashes their signatures.
///
/// The agent is called as in self-play, through `dyn Policy`.
fn measure(
    name: &'static str,
    policy: impl Policy + 'static,
    games: u64,
    all: usize,
    repeat: u32,
) -> anyhow::Result<Measured> {
    let rules = Rules::default();
    let mut players = Players::from(vec![NamedPolicy::new(name, policy); 4]);
    let job = |detail, games| Job::new(&rules, Schedule::selfplay(SEED, games), detail);
    let mut rows = Vec::new();
    let thread_counts = if all > 1 { vec![1, all] } else { vec![1] };
    for threads in thread_counts {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let (mut tally, mut seconds) = (Tally::default(), Vec::new());
        for _ in 0..repeat {
            let start = Instant::now();
            tally = pool.install(|| players.play(&job(Detail::None, games), &mut (), &mut ()))?;
            seconds.push(start.elapsed().as_secs_f64());
        }
        seconds.sort_by(f64::total_cmp);
        rows.push(Row { agent: name, threads, tally, seconds });
    }
    let mut records: Vec<GameRecord> = Vec::new();
    players.play(&job(Detail::Games, games / 4), &mut records, &mut ())?;
    let signature = hash(&records.iter().map(|record| record.signature).collect::<Vec<_>>());
    Ok(Measured { rows, signature })
}

fn table(rows: &[Row], repeat: u32) -> Vec<Vec<String>> {
    let head = ["agent", "threads", "decisions/s", "hands/s", "hanchan/s", "speed-up, best of each"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for row in rows {
        let alone = rows.iter().find(|other| other.agent == row.agent && other.threads == 1);
        let speed_up = alone.filter(|_| row.threads > 1).map(|alone| alone.seconds[0] / row.seconds[0]);
        lines.push(vec![
            row.agent.to_owned(),
            row.threads.to_string(),
            print::thousands(row.per_second(row.tally.decisions) as u64),
            print::thousands(row.per_second(row.tally.hands) as u64),
            print::thousands(row.per_second(row.tally.games) as u64),
            speed_up.map_or_else(String::new, |factor| format!("{factor:.2}")),
        ]);
    }
    lines.push(vec![format!("medians of {repeat}")]);
    lines
}

fn as_json(row: &Row) -> serde_json::Value {
    json!({
        "agent": row.agent,
        "threads": row.threads,
        "games": row.tally.games,
        "hands": row.tally.hands,
        "decisions": row.tally.decisions,
        "seconds": row.seconds,
        "decisions_per_second": row.per_second(row.tally.decisions),
        "hands_per_second": row.per_second(row.tally.hands),
        "hanchan_per_second": row.per_second(row.tally.games),
    })
}
