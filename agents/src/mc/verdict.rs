//! When rollouts outweigh what the proposer thinks.

/// How much the rollouts count against the proposer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict {
    /// How many deals the proposer's comparison of two actions counts as.
    pub(super) trust: f32,
    /// The proposer is followed if the difference is within so many standard errors.
    pub(super) errors: f32,
}

/// How many deals it counts as that the proposer chose an action without comparing it.
const TRUST_IN_CHOICE: f32 = 50.0;
/// The usual deviation of the difference of two candidates in one deal, in points, and the number of
/// deals that it counts as.
const USUAL_NOISE: (f64, f64) = (4000.0, 8.0);

/// Differences of one candidate to the proposer's choice, over deals.
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

    /// The variance in one deal. Few deals alone would often show too small a one.
    fn variance(&self) -> f64 {
        let count = self.count as f64;
        let spread = if self.count == 0 { 0.0 } else { self.squares - self.sum * self.sum / count };
        let (usual, weight) = USUAL_NOISE;
        (spread + weight * usual * usual) / (count + weight)
    }
}

/// What is believed of a difference after the rollouts: the mean, and how uncertain it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Belief {
    pub(super) mean: f32,
    pub(super) deviation: f32,
}

impl Verdict {
    /// The mean of what the proposer thinks and of what the rollouts say. The proposer counts as so
    /// many deals, because both are off by more where deals differ more.
    pub(super) fn weigh(self, gap: Option<f32>, seen: &Differences) -> Belief {
        let trust = if gap.is_some() { self.trust } else { self.trust.min(TRUST_IN_CHOICE) };
        let deals = seen.count as f32;
        let total = (trust + deals).max(1.0);
        Belief {
            mean: (trust * gap.unwrap_or(0.0) + deals * seen.mean()) / total,
            deviation: seen.variance().sqrt() as f32 / total.sqrt(),
        }
    }

    /// Whether the rollouts speak for a candidate against the proposer's choice.
    pub(super) fn prefers(self, gap: Option<f32>, seen: &Differences) -> bool {
        self.weigh(gap, seen).mean > 0.0 && seen.mean() > self.errors * seen.standard_error()
    }
}
