//! How often the intervals of matches between equally strong agents cover a fair field.

use std::error::Error;
use std::sync::Arc;

use jantaku_agents::{Catalog, NamedAgent};
use jantaku_engine::Rules;
use jantaku_sim::arena::{Match, MatchPlan, Mean};
use jantaku_sim::play::{Detail, Seatings};
use jantaku_sim::run::RunConfig;

/// What matches show of the first agent, with luck or without.
#[derive(Default)]
struct Shown {
    covered: u64,
    sum: f64,
    width: f64,
}

impl Shown {
    fn add(&mut self, mean: &Mean, fair: f64) {
        let (low, high) = mean.low.zip(mean.high).unwrap_or((mean.value, mean.value));
        self.covered += u64::from(low <= fair && fair <= high);
        self.sum += mean.value;
        self.width += high - low;
    }
}

/// Plays matches with luck and prints, with and without it: the share of intervals of the placement
/// that cover a fair field, the mean of all matches, and the mean width of the intervals.
pub fn cover(rules: &Rules, matches: u64, sets: u64, agents: [&str; 2]) -> Result<(), Box<dyn Error>> {
    let agents = Catalog::standard().list(&agents.join(","))?;
    let plan = MatchPlan { luck: true, ..MatchPlan::of_sets(sets) };
    let (mut shown, mut fair, mut ratio) = ([Shown::default(), Shown::default()], 0.0, 0.0);
    for seed in 0..matches {
        let names = agents.iter().map(NamedAgent::to_string).collect();
        let config = RunConfig::new("of the experiment", rules, names, 0, seed, Detail::None);
        let config = config.with_seatings(Seatings::OneVersusRest);
        let mut game = Match::in_memory(config, agents.clone(), plan);
        let mut players = game.start(false, &Arc::default())?;
        let result = game.play(&mut players, &mut ())?;
        let first = &result.agents[0];
        let without = first.without_luck.as_ref().ok_or("no luck")?;
        fair = result.fair();
        ratio += without.variance_ratio.placement.unwrap_or(f64::NAN) / matches as f64;
        shown[0].add(&first.placement, fair);
        shown[1].add(&without.placement, fair);
    }
    println!("placement\tcovered\tmatches\tmean less fair\twidth");
    for (title, shown) in ["with luck", "without luck"].iter().zip(shown) {
        let all = matches as f64;
        println!(
            "{title}\t{}\t{matches}\t{:+.4}\t{:.3}",
            shown.covered,
            shown.sum / all - fair,
            shown.width / all
        );
    }
    println!("mean variance ratio of a match: {ratio:.3}");
    Ok(())
}
