//! Ways to win with a hand: the tiles that serve each, its distance and its value.

use jantaku_engine::{Concealed, Melds, TileKind, TileSet};

use super::outlook::WinMode;
use super::params::PlanParams;
use super::scene::Scene;

/// A way to win: a yaku to aim at, or riichi.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// The concealed tiles that serve the plan.
    pub hand: Concealed,
    /// The sets that `hand` need not make.
    pub melds: usize,
    /// The kinds that serve the plan. Empty for toitoi, which is counted without `hand`.
    pub kinds: TileSet,
    /// Tiles that the plan needs besides those that complete `hand`.
    pub more: i8,
    /// The kinds of these tiles.
    pub more_kinds: TileSet,
    /// Kinds that the plan cannot spare.
    pub kept: TileSet,
    /// Han of the yaku.
    pub yaku: f32,
    /// Dora and red fives outside `hand`.
    pub dora: f32,
    pub mode: WinMode,
}

/// The plans of a hand.
pub(super) struct Plans {
    plans: [Option<Plan>; Plans::MOST],
    len: usize,
}

/// The ranks 1–9 of the first suit.
const SUIT: u64 = 0b1_1111_1111;
/// The lowest rank in each suit.
pub(super) const EACH_SUIT: u64 = 1 | 1 << 9 | 1 << 18;
/// The ranks 4–6 of all suits, which chanta has no use for.
const MIDDLE: TileSet = TileSet::from_bits(0b11_1000 * EACH_SUIT);
/// The sequences of sanshoku, by their lowest rank, and of ittsuu, by suit.
const THREE_SEQUENCES: [[TileSet; 3]; 10] = {
    let mut all = [[TileSet::EMPTY; 3]; 10];
    let mut at = 0;
    while at < 10 {
        let mut sequence = 0;
        while sequence < 3 {
            let low = if at < 7 { at + 9 * sequence } else { 9 * (at - 7) + 3 * sequence };
            all[at][sequence] = TileSet::from_bits(0b111 << low);
            sequence += 1;
        }
        at += 1;
    }
    all
};

impl Plans {
    /// Plans beyond these are dropped. Toitoi comes last.
    const MOST: usize = 8;

    pub(super) fn iter(&self) -> impl Iterator<Item = &Plan> {
        self.plans[..self.len].iter().flatten()
    }

    /// Adds a plan whose yaku reach the han that the rules require.
    fn push(&mut self, plan: Plan, needed: u8) {
        if self.len < Plans::MOST && (plan.mode != WinMode::Open || plan.yaku >= f32::from(needed)) {
            self.plans[self.len] = Some(plan);
            self.len += 1;
        }
    }

    /// The plans of these concealed tiles and melds. `may_call` admits plans that need calls. An
    /// open hand may go for tenpai without a yaku in its last draws.
    pub(super) fn new(
        scene: &Scene<'_>,
        hand: &Concealed,
        melds: &Melds,
        may_call: bool,
        params: &PlanParams,
    ) -> Plans {
        let rules = scene.o.rules();
        let needed = rules.han_needed(scene.o.honba());
        let closed = !melds.are_open();
        let dora: u8 = melds.iter().map(|meld| scene.dora_in_meld(*meld)).sum();
        let called: TileSet =
            melds.iter().filter(|meld| !meld.is_sequence()).map(|meld| meld.low()).collect();
        let free = Plan {
            hand: *hand,
            melds: melds.len(),
            kinds: TileSet::ALL,
            more: 0,
            more_kinds: TileSet::EMPTY,
            kept: TileSet::EMPTY,
            yaku: f32::from(scene.valued_han(called | hand.at_least(3))),
            dora: f32::from(dora + scene.o.side(scene.o.seat()).norths()),
            mode: if closed { WinMode::Riichi } else { WinMode::Open },
        };
        let mut plans = Plans { plans: [const { None }; Plans::MOST], len: 0 };
        if closed {
            plans.push(free, needed);
        } else if scene.draws <= params.formal_draws {
            plans.push(Plan { mode: WinMode::Draw, ..free }, needed);
        }
        if closed && !may_call {
            return plans;
        }
        let open = Plan { mode: WinMode::Open, ..free };
        let mut push = |plan| plans.push(plan, needed.max(1));
        push(open);
        let pairs = (hand.at_least(2) - hand.at_least(3)) & scene.valued & scene.unseen.kinds();
        if melds.len() < 4 {
            pairs.iter().for_each(|kind| push(open.with_pair(kind, scene)));
        }
        let all = melds.iter().fold(TileSet::EMPTY, |kinds, meld| kinds | meld.kinds());
        if rules.kuitan && !all.intersects(TileSet::YAOCHUU) {
            push(Plan { yaku: 1.0, ..open.within(!TileSet::YAOCHUU) });
        }
        for suit in 0..3 {
            let suit = TileSet::from_bits(SUIT << (9 * suit));
            let kinds = suit | TileSet::HONOURS;
            if all.is_subset(kinds) && count_of(hand, !kinds) <= params.outside_honitsu {
                push(Plan { yaku: open.yaku + 2.0, ..open.within(kinds) });
            }
            if all.is_subset(suit) && count_of(hand, !suit) <= params.outside_chinitsu {
                push(Plan { yaku: 5.0, ..open.within(suit) });
            }
        }
        let may_be_chanta = melds.iter().all(|meld| meld.kinds().intersects(TileSet::YAOCHUU));
        if may_be_chanta && count_of(hand, MIDDLE) <= params.outside_chanta {
            push(Plan { yaku: open.yaku + 1.0, ..open.within(!MIDDLE) });
        }
        for sequences in &THREE_SEQUENCES {
            let kinds = sequences[0] | sequences[1] | sequences[2];
            if (kinds - hand.kinds() - all).len() <= params.missing {
                let plan = open.with_sequences(sequences, melds, scene);
                let plan = plan.filter(|plan| plan.more_kinds.len() <= params.missing);
                plan.into_iter().for_each(|plan| push(Plan { yaku: plan.yaku + 1.0, ..plan }));
            }
        }
        let groups = hand.at_least(2).len() as usize + melds.len();
        if groups >= params.groups && melds.iter().all(|meld| !meld.is_sequence()) {
            push(open.toitoi(scene));
        }
        plans
    }
}

impl Plan {
    /// The plan with only these kinds.
    fn within(self, kinds: TileSet) -> Plan {
        let mut hand = self.hand;
        for kind in (hand.kinds() - kinds).iter() {
            (0..hand.count(kind)).for_each(|_| {
                hand.remove_any(kind);
            });
        }
        Plan { hand, kinds: self.kinds & kinds, ..self }
    }

    /// The plan with this pair of valued honours as a triplet.
    fn with_pair(self, kind: TileKind, scene: &Scene<'_>) -> Plan {
        let mut hand = self.hand;
        hand.remove_any(kind);
        hand.remove_any(kind);
        let pair = TileSet::of(kind);
        Plan {
            hand,
            melds: self.melds + 1,
            more: 1,
            more_kinds: pair,
            kept: pair,
            yaku: self.yaku + f32::from(scene.valued_han(pair)),
            dora: self.dora + f32::from(3 * scene.dora_of(kind)),
            ..self
        }
    }

    /// The plan with these sequences. None if the melds leave no room for them, or if a missing tile
    /// cannot come any more.
    fn with_sequences(self, sequences: &[TileSet; 3], melds: &Melds, scene: &Scene<'_>) -> Option<Plan> {
        let is_called = |kinds: TileSet| melds.iter().any(|meld| meld.is_sequence() && meld.kinds() == kinds);
        let rest = sequences.iter().filter(|kinds| !is_called(**kinds));
        let rest = rest.fold(TileSet::EMPTY, |rest, kinds| rest | *kinds);
        let melds = self.melds + rest.len() as usize / 3;
        let mut hand = self.hand;
        let held = rest & hand.kinds();
        let missing = rest - held;
        if melds > 4 || !missing.is_subset(scene.unseen.kinds()) {
            return None;
        }
        let reds: u8 = held.iter().map(|kind| u8::from(hand.remove_any(kind).is_red())).sum();
        let dora: u8 = rest.iter().map(|kind| scene.dora_of(kind)).sum();
        Some(Plan {
            hand,
            melds,
            more: missing.len() as i8,
            more_kinds: missing,
            kept: held,
            dora: self.dora + f32::from(dora + reds),
            ..self
        })
    }

    /// The plan with triplets alone.
    fn toitoi(self, scene: &Scene<'_>) -> Plan {
        let (pairs, triplets) = (self.hand.at_least(2), self.hand.at_least(3));
        let left = (4 - triplets.len() as i8 - self.melds as i8).max(0);
        let pairs_only = pairs - triplets;
        let from_pairs = left.min(pairs_only.len() as i8);
        let needs_pair = i8::from(pairs_only.len() as i8 <= left);
        let dora: u8 = pairs.iter().map(|kind| 3 * scene.dora_of(kind)).sum();
        Plan {
            hand: Concealed::EMPTY,
            kinds: TileSet::EMPTY,
            more: from_pairs + 2 * (left - from_pairs) + needs_pair - 1,
            more_kinds: pairs_only,
            kept: pairs,
            yaku: self.yaku + 2.0,
            dora: self.dora + f32::from(dora + self.hand.red_count()),
            ..self
        }
    }

    /// Whether the plan is toitoi, whose distance does not depend on `hand`.
    pub(super) fn is_fixed(&self) -> bool {
        self.kinds.is_empty()
    }
}

/// The number of tiles of these kinds.
pub(super) fn count_of(hand: &Concealed, kinds: TileSet) -> u32 {
    (1..=4).map(|copies| (hand.at_least(copies) & kinds).len()).sum()
}
