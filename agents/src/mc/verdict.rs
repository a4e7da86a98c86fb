//! When rollouts outweigh what the proposer thinks.

/// How much the rollouts count against the proposer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict {
    /// How much the proposer's comparison of two actions counts, times what was measured.
    pub(super) trust: f32,
    /// The proposer is followed if the difference is within so many standard errors.
    pub(super) errors: f32,
}

/// What is known of a candidate before any rollout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prior {
    /// How much less the proposer expects of it than of its choice, in points. None if the proposer
    /// does not say.
    pub(super) gap: Option<f32>,
    /// Whether both actions are of one kind: discards without riichi.
    pub(super) is_alike: bool,
    /// Live tiles left.
    pub(super) left: u8,
}

// Fitted with `weigh.py doubts` in experiments/2026-11-23-mc. The proposer's squared error is that of
// one deal times (DOUBT.0 + DOUBT.1 · |gap| / deviation) / (live tiles + 4), where the deviation is
// that of one deal. So the proposer counts as so many deals as this factor goes into 1.

/// The part of a gap that is there on average.
const REAL: f32 = 0.5;
/// The proposer's error without a gap, and for each deviation of gap.
const DOUBT: (f32, f32) = (0.073, 1.0);
/// Added to the factor for actions of different kinds, such as a call and a pass.
const DOUBT_UNLIKE: f32 = 0.006;
/// What an action without a gap is believed to be worth compared with the proposer's choice, in
/// deviations of one deal, and the number of deals that this counts as. Chosen: kans that the proposer
/// did not want were worse by 0.1–0.2 deviations in a trial.
const WITHOUT_GAP: (f32, f32) = (-0.1, 100.0);
/// Any number of rollouts counts as fewer deals than this: deals and players in rollouts are not
/// quite the true ones. Chosen by `weigh.py gains`, so that what is believed agrees with what is gained.
const MOST_TO_LEARN: f32 = 170.0;

impl Prior {
    /// The expected difference to the proposer's choice, and the number of deals that it counts as.
    /// `deviation`: that of one deal, in points.
    fn of(&self, deviation: f32) -> (f32, f32) {
        let Some(gap) = self.gap else {
            let (mean, deals) = WITHOUT_GAP;
            return (mean * deviation, deals);
        };
        let (usual, by_gap) = DOUBT;
        let unlike = if self.is_alike { 0.0 } else { DOUBT_UNLIKE };
        let doubt = (usual + by_gap * gap.abs() / deviation) / (f32::from(self.left) + 4.0) + unlike;
        (REAL * gap, doubt.recip())
    }
}

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
    pub(super) fn weigh(self, prior: &Prior, seen: &Differences) -> Belief {
        let deviation = seen.variance().sqrt() as f32;
        let (expected, trust) = prior.of(deviation);
        let (trust, deals) = (self.trust * trust, seen.count as f32);
        let learnt = deals / (1.0 + deals / MOST_TO_LEARN);
        Belief {
            mean: (trust * expected + learnt * seen.mean()) / (trust + learnt).max(1.0),
            deviation: deviation / (trust + deals).max(1.0).sqrt(),
        }
    }

    /// Whether the rollouts speak for a candidate against the proposer's choice.
    pub(super) fn prefers(self, prior: &Prior, seen: &Differences) -> bool {
        self.weigh(prior, seen).mean > 0.0 && seen.mean() > self.errors * seen.standard_error()
    }
}
