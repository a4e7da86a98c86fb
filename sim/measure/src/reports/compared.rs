//! A sweep over variants of the rules.

use std::time::Instant;

use jantaku_agents::NamedPolicy;
use serde::{Deserialize, Serialize};

use super::request::SweepPlan;
use super::variants::Variant;
use crate::stats::{DifferenceRow, Precision, Statistics, Sweep, sweep_until};
use jantaku_sim::play::{Groups, RunError, Watch};

/// A finished or interrupted sweep.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SweepReport {
    /// Games under each variant.
    pub games: u64,
    /// The variants. The others are compared with the first.
    pub variants: Vec<SweptVariant>,
    /// The agent of each seat.
    pub agents: Vec<String>,
    /// The seed of the games.
    pub seed: u64,
    /// How exactly the requested differences are known.
    pub precision: Vec<Precision>,
    /// Whether all games are played.
    pub complete: bool,
    /// The figures, each with a row for every variant.
    pub figures: Vec<DifferenceRow>,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

/// A variant and its games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SweptVariant {
    /// Its name. A repeated name gets a number, such as `tenhou (2)`.
    pub name: String,
    /// The hash of its rules.
    pub rules_hash: String,
    /// Its rules as a file: the closest preset as `base`, and the fields that differ.
    pub rules_toml: String,
    /// Hands under it.
    pub hands: u64,
}

impl SweepReport {
    /// Plays the same games under all variants. Stops early if there are targets and all are met.
    ///
    /// # Errors
    ///
    /// If an agent answers illegally or a game has no end.
    pub fn play(plan: &SweepPlan, watch: &mut dyn Watch) -> Result<SweepReport, RunError> {
        let start = Instant::now();
        let SweepPlan { policies, games, targets, .. } = plan;
        let sweep = sweep_until(&plan.jobs(*games), policies, targets, watch)?;
        let is_whole = sweep.variants()[0].games() == *games;
        let complete = is_whole || !targets.is_empty() && !watch.should_stop();
        Ok(SweepReport::of(plan, &sweep, complete, start.elapsed().as_secs_f64()))
    }

    /// The report of games that were played.
    pub fn of(plan: &SweepPlan, sweep: &Sweep, complete: bool, seconds: f64) -> SweepReport {
        let SweepPlan { policies, seed, targets, variants, .. } = plan;
        let agents: Vec<String> = policies.agents().iter().map(NamedPolicy::to_string).collect();
        let variant = |(variant, statistics): (&Variant, &Statistics)| SweptVariant {
            name: variant.name.clone(),
            rules_hash: format!("{:016x}", variant.rules.hash()),
            rules_toml: variant.rules.to_toml(),
            hands: statistics.hands(),
        };
        SweepReport {
            games: sweep.variants()[0].games(),
            variants: variants.all().iter().zip(sweep.variants()).map(variant).collect(),
            figures: sweep.rows(&variants.names(), &Groups::new(&agents)),
            precision: Precision::of_all(targets, sweep),
            complete,
            seconds,
            agents,
            seed: *seed,
        }
    }
}
