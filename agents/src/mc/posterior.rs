//! The posterior: the prior of a candidate combined with its rollouts.

/// How a search weighs its prior against the rollouts.
#[derive(Clone, Copy, Debug)]
pub(super) struct DecisionRule {
    /// Multiplies the measured weight of the prior.
    pub(super) prior_weight: f32,
    /// The prior's choice is replaced only if the rollouts differ by more than this many standard
    /// errors.
    pub(super) errors: f32,
}

/// The prior of a candidate: its estimate before any rollout.
#[derive(Clone, Copy, Debug)]
pub(super) struct CandidatePrior {
    /// The prior's expected value of the candidate minus that of its choice, in points, at most 0
    /// in a search. None if the prior gives none.
    pub(super) gap: Option<f32>,
    /// The slope of the regression of the true difference on the gap.
    pub(super) slope: f32,
    /// Whether the candidate and the choice are both discards without riichi.
    pub(super) is_alike: bool,
    /// The number of live tiles left.
    pub(super) live: u8,
}

// Fitted with `weigh.py doubts` in experiments/2026-11-23-mc. In units of the variance of one
// world, the variance of the prior is (PRIOR_VARIANCE.0 + PRIOR_VARIANCE.1 · |gap| / deviation) /
// (live tiles + 4), where the deviation is that of one world. The reciprocal is the weight of the
// prior in worlds.

/// The slope of the regression of the true difference on the gap, for the estimates of `heuristic` and
/// of other agents.
pub(super) const GAP_SLOPE: f32 = 0.5;
/// The slope for estimates that a network has corrected: 0.7 for discards and 1.2 for calls in
/// experiments/2026-11-27-search.
pub(super) const CORRECTED_GAP_SLOPE: f32 = 1.0;
/// The prior variance at a gap of 0, and its increase at a gap of one deviation. Both are
/// divided by the live tiles + 4.
const PRIOR_VARIANCE: (f32, f32) = (0.073, 1.0);
/// The additional prior variance for actions of different kinds, such as a call and a pass.
const PRIOR_VARIANCE_UNLIKE: f32 = 0.006;
/// The prior of a candidate without a gap: its mean, in deviations of one world, and its weight in
/// worlds. Chosen, not fitted: in a trial, kans that the prior rejected were worse by 0.1–0.2
/// deviations.
const PRIOR_WITHOUT_GAP: (f32, f32) = (-0.1, 100.0);
/// The limit of the effective number of worlds, however many are played: sampled worlds and players
/// in rollouts differ from the true ones. Chosen by `weigh.py gains`, so that posterior means agree
/// with measured gains.
const MAX_EFFECTIVE_WORLDS: f32 = 170.0;

impl CandidatePrior {
    /// The prior mean of the difference to the choice, in points, and the weight of the prior in
    /// worlds. `deviation` is the standard deviation of one world, in points.
    fn mean_and_weight(&self, deviation: f32) -> (f32, f32) {
        let Some(gap) = self.gap else {
            let (mean, worlds) = PRIOR_WITHOUT_GAP;
            return (mean * deviation, worlds);
        };
        let (usual, by_gap) = PRIOR_VARIANCE;
        let unlike = if self.is_alike { 0.0 } else { PRIOR_VARIANCE_UNLIKE };
        let variance = (usual + by_gap * gap.abs() / deviation) / (f32::from(self.live) + 4.0) + unlike;
        (self.slope * gap, variance.recip())
    }
}

/// The standard deviation of a candidate's true difference to the choice, around the mean that the
/// prior expects, in points.
pub(crate) fn prior_doubt(gap: Option<f32>, is_alike: bool, live: u8) -> f32 {
    let (deviation, _) = USUAL_DEVIATION;
    let (_, worlds) =
        CandidatePrior { gap, slope: GAP_SLOPE, is_alike, live }.mean_and_weight(deviation as f32);
    deviation as f32 / worlds.sqrt()
}

/// The usual standard deviation of a difference in one world, in points, and its weight in worlds.
const USUAL_DEVIATION: (f64, f64) = (4000.0, 8.0);

/// The differences of a candidate to the prior's choice, over worlds.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Differences {
    pub(super) count: usize,
    sum: f64,
    squares: f64,
}

impl Differences {
    pub(super) fn add(&mut self, difference: f32) {
        self.count += 1;
        self.sum += f64::from(difference);
        self.squares += f64::from(difference) * f64::from(difference);
    }

    pub(super) fn mean(&self) -> f32 {
        if self.count == 0 { 0.0 } else { (self.sum / self.count as f64) as f32 }
    }

    pub(super) fn standard_error(&self) -> f32 {
        (self.variance() / self.count.max(1) as f64).sqrt() as f32
    }

    /// The variance of one world, shrunk towards the usual one: the variance of a small sample is
    /// often too low.
    fn variance(&self) -> f64 {
        let count = self.count as f64;
        let spread = if self.count == 0 { 0.0 } else { self.squares - self.sum * self.sum / count };
        let (usual, weight) = USUAL_DEVIATION;
        (spread + weight * usual * usual) / (count + weight)
    }
}

/// The posterior of a candidate's difference to the prior's choice, in points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Posterior {
    pub(super) mean: f32,
    pub(super) deviation: f32,
}

impl DecisionRule {
    /// Averages the prior mean, which is the gap times its slope, with the mean of the rollouts, weighted by
    /// their precision.
    ///
    /// The prior is worth a number of sampled worlds, because both variances scale with the
    /// variance of one world.
    pub(super) fn posterior(self, prior: &CandidatePrior, seen: &Differences) -> Posterior {
        let deviation = seen.variance().sqrt() as f32;
        let (expected, weight) = prior.mean_and_weight(deviation);
        let (weight, worlds) = (self.prior_weight * weight, seen.count as f32);
        let effective = worlds / (1.0 + worlds / MAX_EFFECTIVE_WORLDS);
        Posterior {
            mean: (weight * expected + effective * seen.mean()) / (weight + effective).max(1.0),
            deviation: deviation / (weight + worlds).max(1.0).sqrt(),
        }
    }

    /// Whether the candidate replaces the prior's choice.
    pub(super) fn prefers(self, prior: &CandidatePrior, seen: &Differences) -> bool {
        self.posterior(prior, seen).mean > 0.0 && seen.mean() > self.errors * seen.standard_error()
    }
}
