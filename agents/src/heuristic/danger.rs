//! The expected loss of each discard, and the threat by all opponents together.

use std::cell::OnceCell;

use jantaku_engine::{Seat, TileKind, TileSet};

use super::opponent::{Opponent, Opponents};
use super::outcome_values::{OutcomeValues, YAKUMAN};
use super::params::ParamSet;
use super::river::early_discards;
use super::situation::Situation;
use super::wait_chances::{WaitShapes, wait_chances};

/// The danger from all opponents in one decision.
pub(super) struct Danger<'a> {
    params: &'a ParamSet,
    shapes: &'a WaitShapes,
    situation: &'a Situation<'a>,
    outcomes: &'a OutcomeValues<'a>,
    threats: [Option<Threat<'a>>; 3],
    /// The expected loss by discarding each kind. Many decisions about calls do not need it.
    risks: OnceCell<[f32; TileKind::COUNT]>,
    /// The expected number of opponents who are tenpai, 0–3.
    pub expected_tenpai: f32,
    /// The expected loss of a deal-in, averaged over the opponents by their probability to be
    /// tenpai.
    pub loss: f32,
    /// The number of opponents who are likely tenpai.
    pub count: usize,
}

/// An opponent who may be tenpai.
#[derive(Clone, Copy)]
struct Threat<'a> {
    opponent: &'a Opponent,
    /// The expected loss of a deal-in to them.
    loss: f32,
}

impl<'a> Danger<'a> {
    pub(super) fn new(
        (params, shapes): (&'a ParamSet, &'a WaitShapes),
        situation: &'a Situation<'a>,
        outcomes: &'a OutcomeValues<'a>,
        opponents: &'a Opponents,
    ) -> Danger<'a> {
        let mut danger = Danger {
            params,
            shapes,
            situation,
            outcomes,
            threats: [None; 3],
            risks: OnceCell::new(),
            expected_tenpai: 0.0,
            loss: 0.0,
            count: 0,
        };
        let near = opponents.iter().filter(|opponent| opponent.tenpai >= params.threat.least);
        for (place, opponent) in danger.threats.iter_mut().zip(near) {
            let loss = -outcomes.deal_in(opponent.loss, opponent.seat);
            *place = Some(Threat { opponent, loss });
            danger.loss += opponent.tenpai * loss;
            danger.expected_tenpai += opponent.tenpai;
            danger.count += usize::from(opponent.tenpai >= params.threat.serious);
        }
        if danger.expected_tenpai > 0.0 {
            danger.loss /= danger.expected_tenpai;
        }
        danger
    }

    /// The expected loss by discarding this kind.
    #[inline]
    pub(super) fn risk(&self, kind: TileKind) -> f32 {
        self.risks()[kind.index()]
    }

    /// The expected loss by discarding each kind, by its index.
    #[inline]
    pub(super) fn risks(&self) -> &[f32; TileKind::COUNT] {
        self.risks.get_or_init(|| self.all_risks())
    }

    /// Lower bounds of the expected loss by discarding each kind: 0 if no discard can be a gain, otherwise
    /// the expected loss itself.
    pub(super) fn min_risks(&self) -> impl Fn(TileKind) -> f32 {
        let is_loss = |threat: &Threat<'_>| threat.loss >= 0.0 && self.meld_kinds(threat).len() < 2;
        let are_losses = self.threats.iter().flatten().all(is_loss);
        move |kind| if are_losses { 0.0 } else { self.risk(kind) }
    }

    /// The opponents who are likely tenpai, each with the expected loss to them by discarding each kind.
    pub(super) fn by_opponent(&self) -> Vec<(Seat, [f32; TileKind::COUNT])> {
        let is_serious = |threat: &&Threat<'_>| threat.opponent.tenpai >= self.params.threat.serious;
        let alone = |threat: &Threat<'a>| {
            let danger = Danger { threats: [Some(*threat), None, None], risks: OnceCell::new(), ..*self };
            (threat.opponent.seat, danger.all_risks())
        };
        self.threats.iter().flatten().filter(is_serious).map(alone).collect()
    }

    fn all_risks(&self) -> [f32; TileKind::COUNT] {
        let (params, situation) = (self.params, self.situation);
        let mut risks = [0.0; TileKind::COUNT];
        if self.threats[0].is_none() {
            return risks;
        }
        let early = early_discards(situation.o, params.threat.early);
        for threat in self.threats.iter().flatten() {
            let Threat { opponent: Opponent { seat, river, tenpai, .. }, loss } = threat;
            let dora_loss = loss * params.threat.dora_tile;
            let early = early[seat.index()];
            let chances = wait_chances(&params.danger, self.shapes, situation, river, early, *seat);
            let (before, share) = (risks, self.outcomes.risk_share * tenpai);
            for (risk, chance) in risks.iter_mut().zip(&chances) {
                *risk += share * chance * loss;
            }
            for kind in situation.dora_kinds.iter().map(TileKind::index) {
                risks[kind] = before[kind] + share * chances[kind] * dora_loss;
            }
            self.add_big_triplet(threat, &mut risks);
        }
        risks
    }

    /// The lowest kind of each of this opponent's melds. Those of honours are the kinds of their triplets
    /// and kans.
    fn meld_kinds(&self, threat: &Threat<'_>) -> TileSet {
        self.situation.o.side(threat.opponent.seat).melds().iter().map(|meld| meld.low()).collect()
    }

    /// Adds the risk of discarding the last triplet of a daisangen or daisuushii whose other
    /// triplets this opponent shows: the discarder may be liable for a yakuman.
    fn add_big_triplet(&self, threat: &Threat<'_>, risks: &mut [f32; TileKind::COUNT]) {
        let (params, situation, seat) = (self.params, self.situation, threat.opponent.seat);
        let shown = self.meld_kinds(threat);
        for set in [TileSet::DRAGONS, TileSet::WINDS] {
            let missing = set - shown;
            let Some(kind) = missing.iter().next().filter(|_| missing.len() == 1) else { continue };
            if situation.unseen.of(kind) >= 2 {
                let dealer = if situation.o.dealer() == seat { params.value.dealer } else { 1.0 };
                let loss = -self.outcomes.deal_in(YAKUMAN * dealer, seat);
                risks[kind.index()] += params.threat.big_triplet * loss;
            }
        }
    }
}
