//! The value of wins by their points: a curve through a few nodes.

use super::interpolate::interpolated;

/// The points of the nodes of [`WinCurve::Coarse`].
pub(super) const COARSE: [f32; 3] = [0.0, 8000.0, 32000.0];
/// The number of nodes of [`WinCurve::Fine`].
pub(super) const FINE: usize = 17;
/// The points between two nodes of [`WinCurve::Fine`].
pub(super) const FINE_STEP: f32 = 2000.0;

/// The value of wins at nodes, interpolated between them.
#[derive(Clone)]
pub(super) enum WinCurve {
    /// For hands before the last one.
    Coarse([f32; COARSE.len()]),
    /// For the last hand, in which a few points more can mean a better placement.
    Fine([f32; FINE]),
}

impl WinCurve {
    /// The value of a win with these points on average.
    #[inline]
    pub(super) fn at(&self, points: f32) -> f32 {
        match self {
            WinCurve::Fine(values) => fine(values, points),
            WinCurve::Coarse(values) => {
                let nodes = &COARSE;
                let high = (1..nodes.len() - 1).find(|at| points < nodes[*at]).unwrap_or(nodes.len() - 1);
                let share = (points - nodes[high - 1]) / (nodes[high] - nodes[high - 1]);
                values[high - 1] + (values[high] - values[high - 1]) * share.min(1.0)
            }
        }
    }

    /// The highest value of a win with up to these points.
    pub(super) fn highest(&self, points: f32) -> f32 {
        let nodes = match self {
            WinCurve::Fine(values) => &values[..=usize::from((points / FINE_STEP) as u16).min(FINE - 1)],
            WinCurve::Coarse(values) => &values[..COARSE.iter().filter(|node| **node <= points).count()],
        };
        nodes.iter().copied().fold(self.at(points), f32::max)
    }
}

/// The value at these points on a fine curve.
pub(super) fn fine(values: &[f32; FINE], points: f32) -> f32 {
    interpolated(values, points / FINE_STEP)
}
