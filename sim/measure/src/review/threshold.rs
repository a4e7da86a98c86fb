//! The mistake threshold.

use std::fmt;

use jantaku_agents::PairedRollouts;
use jantaku_show::numbers::decimal;
use serde::{Deserialize, Serialize};

/// The mistake threshold. A mistake loses more by every measure that is given.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Threshold {
    /// The threshold in points; None if only places count.
    pub points: Option<f32>,
    /// The threshold in places of the expected placement; None if only points count.
    pub placements: Option<f32>,
}

/// The points that one placement is worth: about a third of the difference between the results of
/// first and last, uma included.
const POINTS_PER_PLACE: f32 = 30_000.0;

impl Threshold {
    /// The default threshold in points.
    pub const POINTS: f32 = 2000.0;

    /// The measures that count: [`Threshold::POINTS`] if neither is given.
    pub fn new(points: Option<f32>, placements: Option<f32>) -> Threshold {
        let default = placements.is_none().then_some(Threshold::POINTS);
        Threshold { points: points.or(default), placements }
    }

    /// The threshold in points: with both measures the larger one, a place counted as 30,000 points.
    pub(super) fn in_points(self) -> f32 {
        let [points, placements] = [self.points, self.placements].map(Option::unwrap_or_default);
        points.max(placements * POINTS_PER_PLACE)
    }

    /// Whether a loss is above the threshold by every measure. None if that is not certain.
    ///
    /// It is above if the mean exceeds the threshold by more than `above` standard errors, and not
    /// above if it falls short of it by more than `below`.
    pub(super) fn is_exceeded(self, pairs: &PairedRollouts, above: f32, below: f32) -> Option<bool> {
        let measures = [(self.points, &pairs.value), (self.placements, &pairs.placement)];
        let given = measures.into_iter().filter_map(|(threshold, seen)| Some((threshold?, seen.estimate())));
        let mut all_exceeded = true;
        for (threshold, seen) in given {
            let (excess, error) = (seen.mean - threshold, seen.standard_error.unwrap_or_default());
            if excess <= 0.0 && -excess >= below * error {
                return Some(false);
            }
            all_exceeded &= excess > above * error;
        }
        all_exceeded.then_some(true)
    }

    /// About how many worlds a trial needs in all until [`Threshold::is_exceeded`] is certain, if its
    /// means are one standard error farther from the threshold than they seem. So it may need many
    /// more, but barely fewer.
    pub(super) fn needed_worlds(self, pairs: &PairedRollouts, above: f32, below: f32) -> f32 {
        let worlds = |errors: f32, distance: f32| {
            let ratio = if distance > 0.0 { errors / distance } else { f32::INFINITY };
            pairs.worlds as f32 * ratio * ratio
        };
        let measures = [(self.points, &pairs.value), (self.placements, &pairs.placement)];
        let given = measures.into_iter().filter_map(|(threshold, seen)| Some((threshold?, seen.estimate())));
        let (mut exceeded, mut short) = (0.0_f32, f32::INFINITY);
        for (threshold, seen) in given {
            let excess = (seen.mean - threshold) / seen.standard_error.unwrap_or_default();
            exceeded = exceeded.max(worlds(above, 1.0 + excess));
            short = short.min(worlds(below, 1.0 - excess));
        }
        exceeded.min(short)
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points = self.points.map(|points| format!("{} points", decimal(points.into(), 0)));
        let places = self.placements.map(|places| format!("{places} places"));
        f.write_str(&points.into_iter().chain(places).collect::<Vec<_>>().join(" and "))
    }
}

impl Default for Threshold {
    fn default() -> Threshold {
        Threshold::new(None, None)
    }
}
