//! A sweep over variants of the rules.

use std::time::Instant;

use jantaku_agents::NamedPolicy;
use serde_json::{Value, json};

use super::request::SweepPlan;
use super::variants::{Variant, Variants};
use crate::play::{Groups, RunError, Watch};
use crate::stats::{DifferenceRow, Precision, Section, Statistics, Sweep, sweep, sweep_until};

/// A finished or interrupted sweep.
#[derive(Debug)]
pub struct SweepReport {
    /// The statistics of each variant, and of the differences.
    pub sweep: Sweep,
    /// The variants.
    pub variants: Variants,
    /// The names of the agents, one for each seat.
    pub agents: Vec<String>,
    /// The seed of the games.
    pub seed: u64,
    /// The figures of the chosen sections.
    pub rows: Vec<DifferenceRow>,
    /// How exactly the differences are known for which that was asked.
    pub precision: Vec<Precision>,
    /// Whether all games are played.
    pub complete: bool,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

impl SweepReport {
    /// Plays the same games under all variants, or until all targets are met.
    ///
    /// # Errors
    ///
    /// If an agent answers illegally or a game has no end.
    pub fn play(
        plan: SweepPlan,
        sections: &[Section],
        watch: &mut dyn Watch,
    ) -> Result<SweepReport, RunError> {
        let start = Instant::now();
        let SweepPlan { policies, games, targets, .. } = &plan;
        let jobs = plan.jobs(*games);
        let sweep = if targets.is_empty() {
            sweep(&jobs, policies, watch)?
        } else {
            sweep_until(&jobs, policies, targets, watch)?
        };
        let is_whole = sweep.variants()[0].games() == *games;
        let complete = is_whole || !targets.is_empty() && !watch.should_stop();
        Ok(SweepReport::of(plan, sweep, sections, complete, start.elapsed().as_secs_f64()))
    }

    /// The report of games that were played.
    #[must_use]
    pub fn of(
        plan: SweepPlan,
        sweep: Sweep,
        sections: &[Section],
        complete: bool,
        seconds: f64,
    ) -> SweepReport {
        let SweepPlan { policies, seed, targets, .. } = &plan;
        let agents: Vec<String> = policies.agents().iter().map(NamedPolicy::to_string).collect();
        SweepReport {
            rows: sweep.rows(&plan.variants.names(), &Groups::new(&agents), sections),
            precision: Precision::of_all(targets, &sweep),
            complete,
            seconds,
            sweep,
            agents,
            seed: *seed,
            variants: plan.variants,
        }
    }

    /// The report as JSON: what `jantaku sweep --json` prints.
    #[must_use]
    pub fn json(&self) -> Value {
        let variant = |(variant, statistics): (&Variant, &Statistics)| {
            json!({
                "name": variant.name,
                "rules_hash": format!("{:016x}", variant.rules.hash()),
                "rules_toml": variant.rules.to_toml(),
                "hands": statistics.hands(),
            })
        };
        let variants = self.variants.all().iter().zip(self.sweep.variants()).map(variant);
        json!({
            "games": self.sweep.variants()[0].games(),
            "variants": variants.collect::<Vec<_>>(),
            "agents": self.agents,
            "seed": self.seed,
            "precision": self.precision,
            "complete": self.complete,
            "figures": self.rows,
            "seconds": self.seconds,
        })
    }
}
