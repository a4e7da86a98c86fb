//! The expected loss of each discard, and the threat by all opponents together.

use jantaku_engine::{Seat, TileKind, TileSet};

use super::opponent::Opponents;
use super::outcome_values::{OutcomeValues, YAKUMAN};
use super::params::ParamSet;
use super::situation::Situation;
use super::wait_chances::wait_chances;

/// The danger from all opponents in one decision.
pub(super) struct Danger {
    /// The expected loss by discarding each kind.
    risks: [f32; TileKind::COUNT],
    /// The expected number of opponents who are tenpai, 0–3.
    pub expected_tenpai: f32,
    /// The expected loss of a deal-in, averaged over the opponents by their probability to be
    /// tenpai.
    pub loss: f32,
    /// The number of opponents who are likely tenpai.
    pub count: usize,
}

impl Danger {
    /// No danger.
    pub(super) const NONE: Danger =
        Danger { risks: [0.0; TileKind::COUNT], expected_tenpai: 0.0, loss: 0.0, count: 0 };

    pub(super) fn new(
        params: &ParamSet,
        situation: &Situation<'_>,
        outcomes: &OutcomeValues<'_>,
        opponents: &Opponents,
    ) -> Danger {
        let mut danger = Danger::NONE;
        for opponent in opponents.iter() {
            let seat = opponent.seat;
            if opponent.tenpai < params.threat.least {
                continue;
            }
            let loss = -outcomes.deal_in(opponent.loss, opponent.seat);
            let dora_loss = loss * params.threat.dora_tile;
            let chances = wait_chances(&params.danger, situation, &opponent.river, seat);
            for kind in TileKind::all() {
                let loss = if situation.dora_of(kind) > 0 { dora_loss } else { loss };
                danger.risks[kind.index()] +=
                    outcomes.risk_share * opponent.tenpai * chances[kind.index()] * loss;
            }
            danger.add_big_triplet(params, situation, outcomes, seat);
            danger.loss += opponent.tenpai * loss;
            danger.expected_tenpai += opponent.tenpai;
            if opponent.tenpai >= params.threat.serious {
                danger.count += 1;
            }
        }
        if danger.expected_tenpai > 0.0 {
            danger.loss /= danger.expected_tenpai;
        }
        danger
    }

    /// Adds the risk of discarding the last triplet of a daisangen or daisuushii whose other
    /// triplets this player shows: the discarder may be liable for a yakuman.
    fn add_big_triplet(
        &mut self,
        params: &ParamSet,
        situation: &Situation<'_>,
        outcomes: &OutcomeValues<'_>,
        seat: Seat,
    ) {
        let triplets: TileSet = situation.o.side(seat).melds().iter().map(|meld| meld.low()).collect();
        for set in [TileSet::DRAGONS, TileSet::WINDS] {
            let missing = set - triplets;
            let Some(kind) = missing.iter().next().filter(|_| missing.len() == 1) else { continue };
            if situation.unseen.of(kind) >= 2 {
                let dealer = if situation.o.dealer() == seat { params.value.dealer } else { 1.0 };
                let loss = -outcomes.deal_in(YAKUMAN * dealer, seat);
                self.risks[kind.index()] += params.threat.big_triplet * loss;
            }
        }
    }

    /// The expected loss by discarding this kind.
    #[inline]
    pub(super) fn risk(&self, kind: TileKind) -> f32 {
        self.risks[kind.index()]
    }
}
