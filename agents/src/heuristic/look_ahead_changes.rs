//! Bounds of what the look-ahead does to estimates.

use super::params::LookAheadParams;

/// How the look-ahead may change estimates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Changes {
    /// It multiplies them by at least this factor, at most 1.
    pub least: f32,
    /// It multiplies them by at most this factor, at least 1.
    pub most: f32,
    /// It changes only those that reach this share of the best one.
    pub from: f32,
    /// The lowest estimate that it may change.
    pub above: f32,
}

impl LookAheadParams {
    /// How the look-ahead may change estimates. None if it is off.
    pub(super) fn changes(&self) -> Option<Changes> {
        let [least, most] = self.range.map(|ratio| ratio.powf(self.power));
        (self.power != 0.0).then(|| Changes {
            least: 0.999 * least.min(1.0),
            most: 1.001 * most.max(1.0),
            from: 0.999 * (1.0 - self.within),
            above: 0.0,
        })
    }
}
