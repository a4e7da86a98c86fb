//! The value of the end of a hand.

use jantaku_engine::{BySeat, FinalResult, Observation, Round, Rules, Seat, Sequel, Standing};

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

    /// The value of a hand that is over, in points. It is exact where the game ends.
    pub(crate) fn of(&self, round: &Round) -> f32 {
        match round.sequel() {
            Some(Sequel::Hand(standing)) => self.of_standing(&standing),
            Some(Sequel::Ask(standing, results)) => {
                if results[round.table().dealer()].placement == 1 {
                    self.of_results(&results)
                } else {
                    self.of_standing(&standing)
                }
            }
            Some(Sequel::End(results)) => self.of_results(&results),
            None => 0.0,
        }
    }

    /// The expected placement after a hand that is over, from 1. It is exact where the game ends.
    pub(super) fn placement(&self, round: &Round) -> f32 {
        let expected = |standing: &Standing| {
            let chances = self.chances(standing);
            chances.iter().zip([1.0, 2.0, 3.0, 4.0]).map(|(chance, place)| chance * place).sum()
        };
        match round.sequel() {
            Some(Sequel::Hand(standing)) => expected(&standing),
            Some(Sequel::Ask(standing, results)) if results[round.table().dealer()].placement != 1 => {
                expected(&standing)
            }
            Some(Sequel::Ask(_, results) | Sequel::End(results)) => f32::from(results[self.seat].placement),
            None => 0.0,
        }
    }

    fn of_results(&self, results: &BySeat<FinalResult>) -> f32 {
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

    fn of_standing(&self, standing: &Standing) -> f32 {
        let (bonus, share) = self.utility.weights(self.rules, &standing.scores);
        let own = (standing.scores[self.seat] - self.rules.return_points) as f32;
        if self.utility == Utility::Points {
            return own;
        }
        let chances = self.chances(standing);
        share * own + chances.iter().zip(bonus).map(|(chance, bonus)| chance * bonus).sum::<f32>()
    }

    /// The probability of each placement before the next hand.
    fn chances(&self, standing: &Standing) -> [f32; 4] {
        let players = self.rules.players;
        let count = u16::from(players.count());
        let scheduled = u16::from(self.rules.wind_rounds) * count;
        let stage = usize::from(scheduled.saturating_sub(standing.round));
        let dealer = Seat::FIRST.after((standing.round % count) as u8, players);
        let (mut points, mut turns) = ([f32::NEG_INFINITY; 4], [0; 4]);
        for (at, seat) in std::iter::once(self.seat).chain(players.others(self.seat)).enumerate() {
            points[at] = standing.scores[seat] as f32;
            turns[at] = usize::from(dealer.steps_to(seat, players));
        }
        self.placements.of_first(stage, &points, &turns)
    }
}
