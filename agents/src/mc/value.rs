//! The value of the end of a hand.

use jantaku_engine::{AfterHand, BySeat, FinalResult, Observation, Round, Rules, Seat, Standing, places};

use crate::{PlacementModel, Utility};

/// Evaluates the end of a rollout for one player.
pub(crate) struct RolloutValue<'a> {
    seat: Seat,
    rules: &'a Rules,
    utility: Utility,
    placements: &'a PlacementModel,
}

impl<'a> RolloutValue<'a> {
    pub(crate) const fn new(
        o: &Observation<'a>,
        utility: Utility,
        placements: &'a PlacementModel,
    ) -> RolloutValue<'a> {
        RolloutValue { seat: o.seat(), rules: o.table().rules(), utility, placements }
    }

    /// The value of a hand that is over, in points. It is exact where the game ends. 0 for a hand in play.
    pub(crate) fn of(&self, round: &Round) -> f32 {
        round.after_hand().map_or(0.0, |next| self.of_after_hand(&next, round.table().dealer()))
    }

    /// The value of what follows a hand of this dealer, in points.
    pub(crate) fn of_after_hand(&self, next: &AfterHand, dealer: Seat) -> f32 {
        after(next, dealer, |standing| self.standing_value(standing), |results| self.result_value(results))
    }

    /// The expected placement after a hand that is over, from 1. It is exact where the game ends.
    pub(super) fn placement(&self, round: &Round) -> f32 {
        let expected = |standing: &Standing| {
            let chances = self.placements.chances(self.rules, standing, self.seat);
            chances.iter().zip([1.0, 2.0, 3.0, 4.0]).map(|(chance, place)| chance * place).sum()
        };
        let of_results = |results: &BySeat<FinalResult>| {
            let own = places(results, self.rules.tie_rule)[self.seat];
            f32::from(own.first + own.last) / 2.0
        };
        let dealer = round.table().dealer();
        round.after_hand().map_or(0.0, |next| after(&next, dealer, expected, of_results))
    }

    fn result_value(&self, results: &BySeat<FinalResult>) -> f32 {
        let own = results[self.seat];
        match self.utility {
            Utility::Points => (own.points - self.rules.return_points) as f32,
            Utility::Result => own.result as f32,
            Utility::Places(_) => {
                let (bonus, _) = self.utility.weights(self.rules, &BySeat::splat(self.rules.players, 0));
                bonus[usize::from(own.placement) - 1]
            }
        }
    }

    fn standing_value(&self, standing: &Standing) -> f32 {
        self.utility.expected(self.placements, self.rules, standing, self.seat)
    }
}

/// The value of what follows a hand: `of_next` if there is another hand, `of_results` if the game ends. A
/// dealer who may end the game does so if they are in first place.
fn after(
    next: &AfterHand,
    dealer: Seat,
    of_next: impl Fn(&Standing) -> f32,
    of_results: impl Fn(&BySeat<FinalResult>) -> f32,
) -> f32 {
    match next {
        AfterHand::Hand(standing) => of_next(standing),
        AfterHand::Ask(standing, results) if results[dealer].placement != 1 => of_next(standing),
        AfterHand::Ask(_, results) | AfterHand::End(results) => of_results(results),
    }
}
