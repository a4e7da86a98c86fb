//! Estimates that the agent's own decisions do not need, for reviews of players: of a win, which it always
//! takes, of a red five discarded instead of a plain one, and of the places after the hand.

use jantaku_engine::{Action, Declare, Observation, Riichi, Tile, TileSet};

use super::agent::Heuristic;
use super::candidate::Candidate;
use super::estimator::Estimator;
use super::ron_points::RonPoints;
use crate::view::{discard_of_tile, discards};

impl Heuristic {
    /// The win that is legal, and its value in the unit of [`Candidate::value`]. None if no win
    /// is legal.
    ///
    /// The hand counts without ippatsu and ura dora.
    pub fn win_now(&self, o: &Observation<'_>) -> Option<(Action, f32)> {
        let (action, tile) = if o.legal().contains(Action::Tsumo.id()) {
            (Action::Tsumo, o.drawn()?)
        } else if o.legal().contains(Action::Ron.id()) {
            (Action::Ron, o.offer()?.tile)
        } else {
            return None;
        };
        let points = RonPoints::new(o, o.melds(), o.side(o.seat()).riichi());
        let points = points.now(o.hand(), tile, action == Action::Tsumo) as f32;
        let value = self.estimate(o, |estimator| {
            let is_dealer = estimator.situation.is_dealer;
            let share = if is_dealer { estimator.params.value.dealer } else { 1.0 };
            estimator.outcomes.exact_win(share * points)
        });
        Some((action, value))
    }

    /// The chances of each place after the player wins the hand with these points, first place first, and
    /// after a draw that changes no points. None if the agent plays for points alone.
    pub fn place_chances(&self, o: &Observation<'_>, points: f32) -> Option<[Vec<f32>; 2]> {
        self.estimate(o, |estimator| estimator.outcomes.place_chances(points))
    }
}

impl Estimator<'_> {
    /// The discards of red fives while the hand has plain ones of the kind.
    pub(super) fn red_discards(&self) -> Vec<Candidate> {
        let (o, hand) = (self.situation.o, self.situation.o.hand_with_draw());
        let mut found = Vec::new();
        if o.side(o.seat()).riichi() != Riichi::None {
            return found;
        }
        for declare in [Declare::Nothing, Declare::Riichi] {
            let kinds = discards(o, declare).iter();
            for kind in kinds.filter(|kind| (1..hand.count(*kind)).contains(&hand.reds_of(*kind))) {
                let red = Tile::red(kind.suit());
                // The hand with a plain five in place of a red one: discarding a plain five from it leaves
                // the same tiles as discarding the red five from `hand`.
                let mut other = hand;
                other.remove(red);
                other.add(Tile::plain(kind));
                let estimates = self.after_discards(&other, o.melds(), TileSet::of(kind));
                let estimate = match declare {
                    Declare::Nothing => estimates.plain(kind),
                    _ => estimates.riichi(kind),
                };
                let risk = self.danger.risk(kind);
                let value = estimate.value - risk - self.keep_value(kind);
                found.push(Candidate::new(discard_of_tile(red, o, declare), value, risk, estimate));
            }
        }
        found
    }
}
