//! The rewards of a game.

use jantaku_agents::{PlacementModel, Utility};
use jantaku_engine::{BySeat, FinalResult, Players, Rules, Seat, Standing};

use super::hands::EndedHand;

/// The weights of the rewards of a learner's seat.
///
/// The rewards of a seat over a game add up to the sum of three parts:
///
/// ```text
/// points · (final points − points at the start) / 1000
/// placements[placement − 1]
/// result · final result / 1000
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rewards {
    /// The weight of points won and lost, in thousands. The reward for a hand, including riichi
    /// sticks, comes at the end of the hand, and that for leftover sticks at the end of the game.
    pub points: f32,
    /// The rewards for first to fourth place, at the end of the game.
    pub placements: [f32; 4],
    /// The weight of the final result with uma and oka, in thousands, at the end of the game.
    pub result: f32,
}

impl Rewards {
    /// No rewards.
    pub const NONE: Rewards = Rewards { points: 0.0, placements: [0.0; 4], result: 0.0 };
    /// Points won and lost in each hand, in thousands.
    pub const POINTS: Rewards = Rewards { points: 1.0, ..Rewards::NONE };
    /// The final result with uma and oka, in thousands of points.
    pub const RESULT: Rewards = Rewards { result: 1.0, ..Rewards::NONE };

    /// From 1 for first place to −1 for last place, in equal steps.
    pub fn placement(players: Players) -> Rewards {
        let last = f32::from(players.count() - 1);
        let placements = std::array::from_fn(|place| (1.0 - 2.0 * place as f32 / last).max(-1.0));
        Rewards { placements, ..Rewards::NONE }
    }

    /// The rewards with this name: `points`, `placement` or `result`.
    pub fn named(name: &str, players: Players) -> Option<Rewards> {
        match name {
            "points" => Some(Rewards::POINTS),
            "placement" => Some(Rewards::placement(players)),
            "result" => Some(Rewards::RESULT),
            _ => None,
        }
    }

    /// Whether all weights are finite.
    pub fn are_finite(&self) -> bool {
        let [a, b, c, d] = self.placements;
        [self.points, self.result, a, b, c, d].iter().all(|weight| weight.is_finite())
    }

    /// The rewards of a hand for each seat: for points, and after the last hand for placement and result.
    pub fn for_hand(&self, hand: &EndedHand) -> BySeat<f32> {
        let players = hand.points.players();
        let mut rewards = BySeat::splat(players, 0.0);
        for seat in players.seats() {
            let at_end = hand.results.map_or(0.0, |results| self.at_end(&results[seat]));
            rewards[seat] = self.for_points(hand.points[seat] - hand.start.points[seat]) + at_end;
        }
        rewards
    }

    /// The reward for winning these points.
    #[inline]
    pub(super) fn for_points(&self, points: i32) -> f32 {
        self.points * (points as f32 / 1000.0)
    }

    /// The expected rewards for placement and result of the seat, from a standing, by the placement
    /// model.
    pub fn expected(&self, model: &PlacementModel, rules: &Rules, standing: &Standing, seat: Seat) -> f32 {
        let chances = model.chances(rules, standing, seat);
        let of_placement: f32 =
            self.placements.iter().zip(chances).map(|(reward, chance)| reward * chance).sum();
        of_placement + self.result * (Utility::Result.expected(model, rules, standing, seat) / 1000.0)
    }

    /// The reward at the end of the game, besides that for points.
    pub fn at_end(&self, result: &FinalResult) -> f32 {
        self.placements[usize::from(result.placement) - 1] + self.result * (result.result as f32 / 1000.0)
    }
}
