//! How fast decisions are labelled with the default options, on one thread and on all.

use std::time::Instant;

use jantaku_agents::labels::{LabelOptions, Labeller};
use jantaku_agents::{Catalog, Heuristic, NamedPolicy};
use jantaku_engine::Rules;
use jantaku_engine::replay::GameStart;
use jantaku_sim::play::{Detail, GameRecord, Job, LabelSink, Players, Schedule, Sink as _};

/// The games of `heuristic` whose decisions are labelled.
const GAMES: u64 = 16;
/// How often they are labelled. The median counts.
const REPEAT: usize = 3;

fn main() -> anyhow::Result<()> {
    let rules = Rules::default();
    let mut players = Players::from(vec![NamedPolicy::new("heuristic", Heuristic::default()); 4]);
    let mut games: Vec<GameRecord> = Vec::new();
    let job = Job::new(&rules, Schedule::selfplay(1, GAMES), Detail::Decisions);
    players.play(&job, &mut games, &mut ())?;
    let labeller = Labeller::new(LabelOptions::default(), &Catalog::standard())?;
    // A pair is a candidate and the choice in the same deal.
    println!("threads  labels/s  pairs of rollouts/s");
    for threads in [1, std::thread::available_parallelism().map_or(1, usize::from)] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let (mut labelled, mut seconds): (Vec<GameRecord>, _) = (Vec::new(), Vec::new());
        for _ in 0..REPEAT {
            labelled.clear();
            let unlabelled = games.clone();
            let start = Instant::now();
            pool.install(|| {
                let mut sink =
                    LabelSink::new(Some(&labeller), &rules, GameStart::of_game(&rules), &mut labelled);
                unlabelled.into_iter().try_for_each(|game| sink.take(game))?;
                sink.finish()
            })?;
            seconds.push(start.elapsed().as_secs_f64());
        }
        seconds.sort_by(f64::total_cmp);
        let labels = labelled.iter().flat_map(|game| &game.labels).map(|(_, label)| label);
        let count = labels.clone().count() as f64;
        let pairs: u64 = labels.map(|label| u64::from(label.deals) * (label.actions.len() as u64 - 1)).sum();
        let median = seconds[REPEAT / 2];
        println!("{threads:7}  {:8.0}  {:19.0}", count / median, pairs as f64 / median);
    }
    Ok(())
}
