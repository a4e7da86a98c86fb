//! Ways to win with a hand: the tiles that count for each, its distance and its han.

use jantaku_engine::{Concealed, Melds, TileKind, TileSet};

use super::params::PlanParams;
use super::situation::Situation;
use super::win_model::WinMode;

/// A way to win: a yaku to aim at, or riichi.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// The concealed tiles that count for the plan.
    pub hand: Concealed,
    /// The number of sets that `hand` does not need to form.
    pub melds: usize,
    /// The kinds that count for the plan. Empty for toitoi, whose distance does not depend on
    /// `hand`.
    pub kinds: TileSet,
    /// The number of additional tiles, besides those that complete `hand`.
    pub more: i8,
    /// The kinds of these tiles.
    pub more_kinds: TileSet,
    /// The kinds outside `hand` that the plan must keep.
    pub kept: TileSet,
    /// The han of its yaku.
    pub yaku: f32,
    /// The number of dora and red fives outside `hand`.
    pub dora: f32,
    pub mode: WinMode,
}

/// The plans of a hand.
pub(super) struct Plans {
    plans: [Option<Plan>; Plans::MAX],
    len: usize,
}

/// The ranks 1–9 of the first suit.
const SUIT: u64 = 0b1_1111_1111;
/// The lowest rank in each suit.
pub(super) const EACH_SUIT: u64 = 1 | 1 << 9 | 1 << 18;
/// The ranks 4–6 of all suits, which are useless for chanta.
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
    /// The maximum number of plans. More are dropped, toitoi first, because it comes last.
    const MAX: usize = 8;

    pub(super) fn iter(&self) -> impl Iterator<Item = &Plan> {
        self.plans[..self.len].iter().flatten()
    }

    // Called for each plan: a copy of its code at each call would not fit into the fastest cache.
    /// Adds a plan, unless it is open and its yaku have fewer han than the rules require.
    #[inline(never)]
    fn push(&mut self, plan: Plan, needed: u8) {
        if self.len < Plans::MAX && (plan.mode != WinMode::Open || plan.yaku >= f32::from(needed)) {
            self.plans[self.len] = Some(plan);
            self.len += 1;
        }
    }

    /// The plans for these concealed tiles and melds. `may_call` allows plans that need calls. In
    /// its last draws, an open hand may aim for tenpai without a yaku.
    pub(super) fn new(
        situation: &Situation<'_>,
        hand: &Concealed,
        melds: &Melds,
        may_call: bool,
        params: &PlanParams,
    ) -> Plans {
        let mut plans = Plans { plans: [const { None }; Plans::MAX], len: 0 };
        plans.add_all(situation, (hand, melds), may_call, params);
        plans
    }

    fn add_all(
        &mut self,
        situation: &Situation<'_>,
        (hand, melds): (&Concealed, &Melds),
        may_call: bool,
        params: &PlanParams,
    ) {
        let rules = situation.o.rules();
        let needed = rules.han_needed(situation.o.honba());
        let closed = !melds.are_open();
        let dora: u8 = melds.iter().map(|meld| situation.dora_in_meld(*meld)).sum();
        let called: TileSet =
            melds.iter().filter(|meld| !meld.is_sequence()).map(|meld| meld.low()).collect();
        let free = Plan {
            hand: *hand,
            melds: melds.len(),
            kinds: TileSet::ALL,
            more: 0,
            more_kinds: TileSet::EMPTY,
            kept: TileSet::EMPTY,
            yaku: f32::from(situation.valued_han(called | hand.at_least(3))),
            dora: f32::from(dora + situation.o.side(situation.o.seat()).norths()),
            mode: if closed { WinMode::Riichi } else { WinMode::Open },
        };
        if closed {
            self.push(free, needed);
        } else if situation.draws <= params.formal_draws {
            self.push(Plan { mode: WinMode::Draw, ..free }, needed);
        }
        if closed && !may_call {
            return;
        }
        let open = Plan { mode: WinMode::Open, ..free };
        let mut push = |plan| self.push(plan, needed.max(1));
        push(open);
        let pairs = (hand.at_least(2) - hand.at_least(3)) & situation.valued & situation.unseen.kinds();
        if melds.len() < 4 {
            pairs.iter().for_each(|kind| push(open.with_pair(kind, situation)));
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
                let plan = open.with_sequences(sequences, melds, situation);
                let plan = plan.filter(|plan| plan.more_kinds.len() <= params.missing);
                plan.into_iter().for_each(|plan| push(Plan { yaku: plan.yaku + 1.0, ..plan }));
            }
        }
        let groups = hand.at_least(2).len() as usize + melds.len();
        if groups >= params.groups && melds.iter().all(|meld| !meld.is_sequence()) {
            push(open.toitoi(situation));
        }
    }
}

impl Plan {
    /// The plan restricted to these kinds.
    fn within(self, kinds: TileSet) -> Plan {
        Plan { hand: self.hand.within(kinds), kinds: self.kinds & kinds, ..self }
    }

    /// The plan with this pair of valued honours as a triplet.
    fn with_pair(self, kind: TileKind, situation: &Situation<'_>) -> Plan {
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
            yaku: self.yaku + f32::from(situation.valued_han(pair)),
            dora: self.dora + f32::from(3 * situation.dora_of(kind)),
            ..self
        }
    }

    /// The plan with these sequences. None if the melds leave no room for them, or if no copy of a
    /// missing tile is left.
    fn with_sequences(
        self,
        sequences: &[TileSet; 3],
        melds: &Melds,
        situation: &Situation<'_>,
    ) -> Option<Plan> {
        let is_called = |kinds: TileSet| melds.iter().any(|meld| meld.is_sequence() && meld.kinds() == kinds);
        let rest = sequences.iter().filter(|kinds| !is_called(**kinds));
        let rest = rest.fold(TileSet::EMPTY, |rest, kinds| rest | *kinds);
        let melds = self.melds + rest.len() as usize / 3;
        let mut hand = self.hand;
        let held = rest & hand.kinds();
        let missing = rest - held;
        if melds > 4 || !missing.is_subset(situation.unseen.kinds()) {
            return None;
        }
        let reds: u8 = held.iter().map(|kind| u8::from(hand.remove_any(kind).is_red())).sum();
        let dora: u8 = rest.iter().map(|kind| situation.dora_of(kind)).sum();
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

    /// The plan with triplets only.
    fn toitoi(self, situation: &Situation<'_>) -> Plan {
        let (pairs, triplets) = (self.hand.at_least(2), self.hand.at_least(3));
        let left = (4 - triplets.len() as i8 - self.melds as i8).max(0);
        let pairs_only = pairs - triplets;
        let from_pairs = left.min(pairs_only.len() as i8);
        let needs_pair = i8::from(pairs_only.len() as i8 <= left);
        let dora: u8 = pairs.iter().map(|kind| 3 * situation.dora_of(kind)).sum();
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

    /// The kinds of a hand that the plan does not need.
    pub(super) fn spare(&self, hand: &Concealed) -> TileSet {
        hand.kinds() - self.hand.kinds() - self.kept
    }

    /// The number of tiles that the plan needs before it is tenpai.
    pub(super) fn shanten(&self) -> i8 {
        if self.is_fixed() { self.more } else { self.hand.shanten(self.melds).number() + self.more }
    }

    /// The shanten of the plan after the best discard of a hand that has the kinds in `spare` to spare. None
    /// if each discard breaks the plan. `shanten` is that of the plan before the discard.
    pub(super) fn shanten_after_discard(&self, shanten: i8, spare: TileSet) -> Option<i8> {
        let has_spare = !spare.is_empty() || self.hand.len() > 14 - 3 * self.melds;
        match shanten {
            _ if self.is_fixed() && !has_spare => None,
            shanten if has_spare => Some(shanten),
            // A complete hand without a spare tile becomes tenpai.
            shanten => Some(shanten.max(self.more)),
        }
    }

    /// The kinds that bring the plan nearer to tenpai.
    pub(super) fn ukeire(&self) -> TileSet {
        if self.is_fixed() {
            return self.more_kinds;
        }
        let (_, ukeire) = self.hand.ukeire(self.melds);
        (ukeire & self.kinds) | self.more_kinds
    }

    /// Whether the plan is toitoi, whose distance does not depend on `hand`.
    pub(super) fn is_fixed(&self) -> bool {
        self.kinds.is_empty()
    }
}

/// The number of tiles of these kinds.
pub(crate) fn count_of(hand: &Concealed, kinds: TileSet) -> u32 {
    (1..=4).map(|copies| (hand.at_least(copies) & kinds).len()).sum()
}
