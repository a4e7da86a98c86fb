//! The value of each reading of a winning hand.

use super::facts::Facts;
use super::fu;
use super::suits::{SuitReading, readings};
use super::{Limit, Reading, Score, Sets, Wait, Win, han_of_all, limit, local};
use crate::rules::options::ScoringMode;
use crate::yaku::{Yaku, YakuSet};
use crate::{Suit, TileKind, TileSet};

/// The best of all readings.
pub(super) fn best(win: &Win<'_>, facts: &Facts, standard: bool) -> Option<Score> {
    let mut best = seven_pairs(win, facts);
    if !standard {
        return best.or_else(|| thirteen_orphans(win, facts));
    }
    each_combination(win, facts, |reading| {
        for wait in reading.waits(win) {
            if let Some(score) = reading.value(win, facts, wait)
                && score.beats(best.as_ref())
            {
                best = Some(Score { reading: reading.to_reading(win, facts, wait), ..score });
            }
        }
    });
    best
}

/// The base points of the best of all readings. The best reading pays the most.
pub(super) fn most_base_points(win: &Win<'_>, facts: &Facts, standard: bool) -> Option<u32> {
    let base = |score: Score| score.base;
    let mut most = seven_pairs(win, facts).map(base);
    if !standard {
        return most.or_else(|| thirteen_orphans(win, facts).map(base));
    }
    each_combination(win, facts, |reading| {
        for wait in reading.waits(win) {
            most = most.max(reading.value(win, facts, wait).map(base));
        }
    });
    most
}

/// Calls `found` with each way in which the hand splits into four sets and a pair.
#[inline(always)]
fn each_combination(win: &Win<'_>, facts: &Facts, mut found: impl FnMut(&Combination)) {
    let hand = win.concealed.tracker();
    let (m, p, s) =
        (readings(hand, Suit::Characters), readings(hand, Suit::Dots), readings(hand, Suit::Bamboo));
    for m in m {
        for p in p.clone() {
            for s in s.clone() {
                found(&Combination::new(win, facts, [m, p, s]));
            }
        }
    }
}

/// Whether a closed hand of 14 tiles is thirteen orphans.
pub(super) fn is_thirteen_orphans(win: &Win<'_>) -> bool {
    win.concealed.kinds() == TileSet::YAOCHUU && win.melds.is_empty() && win.concealed.at_least(2).len() == 1
}

/// Whether a closed hand of 14 tiles is seven different pairs.
pub(super) fn is_seven_pairs(win: &Win<'_>) -> bool {
    let hand = &win.concealed;
    hand.kinds() == hand.at_least(2)
        && hand.at_least(3).is_empty()
        && win.melds.is_empty()
        && hand.kinds().len() == 7
}

fn thirteen_orphans(win: &Win<'_>, facts: &Facts) -> Option<Score> {
    if !is_thirteen_orphans(win) {
        return None;
    }
    // In a dealt hand, no tile is the winning tile: the best one counts.
    let thirteen_waits = win.concealed.count(win.tile) == 2 || facts.yakuman_of_moment.contains(Yaku::Tenhou);
    let yakuman =
        facts.yakuman_of_moment.with(Yaku::Kokushi13, thirteen_waits).with(Yaku::Kokushi, !thirteen_waits);
    // The fu of a closed hand, which count only without limits.
    let fu = if win.rules.scoring_mode == ScoringMode::Aotenjou { 30 } else { 0 };
    let score = score(win, facts, yakuman | facts.yaku, fu)?;
    Some(Score { reading: Reading::ThirteenOrphans, ..score })
}

fn seven_pairs(win: &Win<'_>, facts: &Facts) -> Option<Score> {
    if !is_seven_pairs(win) {
        return None;
    }
    let honours = facts.kinds.is_subset(TileSet::HONOURS);
    let has_daichisei = win.rules.local_yaku.contains(Yaku::Daichisei);
    let yaku = (facts.yakuman_of_moment | facts.yaku)
        .with(Yaku::Tsuuiisou, honours && !has_daichisei)
        .with(Yaku::Daichisei, honours && has_daichisei)
        .with(Yaku::Chiitoitsu, true);
    Some(Score { reading: Reading::SevenPairs, ..score(win, facts, yaku, 25)? })
}

/// A reading as four sets and a pair, before the part that the winning tile completed is chosen.
struct Combination {
    /// The kinds on which concealed sequences start.
    concealed_sequences: TileSet,
    /// The kinds on which sequences start, including chi.
    sequences: TileSet,
    /// Triplets among the concealed tiles.
    in_hand: TileSet,
    /// All triplets and kans.
    triplets: TileSet,
    pair: TileKind,
    /// Number of concealed triplets and kans, and the fu, as if the winning tile did not complete a
    /// triplet.
    concealed: u8,
    fu: u8,
    /// The yaku that do not depend on the wait.
    yaku: YakuSet,
    /// Whether a two-sided wait makes the hand pinfu.
    may_be_pinfu: bool,
}

impl Combination {
    #[inline(always)] // For the same reason as `score`.
    fn new(win: &Win<'_>, facts: &Facts, suits: [SuitReading; 3]) -> Combination {
        let [m, p, s] = suits;
        let (twice, thrice) = (win.concealed.at_least(2), win.concealed.at_least(3));
        let concealed_sequences = m.sequences(0) | p.sequences(1) | s.sequences(2);
        let in_hand = m.triplets(0) | p.triplets(1) | s.triplets(2) | thrice & TileSet::HONOURS;
        let pair = m.pair(0) | p.pair(1) | s.pair(2) | (twice - thrice) & TileSet::HONOURS;
        let pair = pair.first().expect("a reading of four sets has a pair");
        let pair_fu = fu::of_pair(pair, win);
        let (sequences, triplets) =
            (concealed_sequences | facts.called_sequences, in_hand | facts.called_triplets);
        let mut combination = Combination {
            concealed_sequences,
            sequences,
            in_hand,
            triplets,
            pair,
            concealed: (in_hand | facts.ankans).len() as u8,
            fu: facts.fu + pair_fu + fu::of_concealed_triplets(in_hand),
            yaku: facts.yaku | facts.yakuman | facts.yakuman_of_moment,
            may_be_pinfu: facts.closed
                && pair_fu == 0
                && triplets.is_empty()
                && (!win.tsumo || win.rules.pinfu_tsumo.0.is_some()),
        };
        combination
            .add_yaku(facts, m.identical_sequences() + p.identical_sequences() + s.identical_sequences());
        if !win.rules.local_yaku.is_empty() {
            let sets = (triplets, in_hand, pair.into());
            combination.yaku = local::with_local_yaku(win, sets, combination.yaku);
        }
        combination
    }

    fn add_yaku(&mut self, facts: &Facts, identical_sequences: u32) {
        const EACH_SUIT: u64 = 1 | 1 << 9 | 1 << 18;
        const OUTER_SEQUENCES: TileSet = TileSet::from_bits(0b100_0001 * EACH_SUIT);
        let (sequences, triplets) = (self.sequences.bits(), self.triplets.bits());
        let in_three_suits = |sets: u64| sets & sets >> 9 & sets >> 18 & 0b1_1111_1111 != 0;
        let outside = self.sequences.is_subset(OUTER_SEQUENCES)
            & (self.triplets | self.pair.into()).is_subset(TileSet::YAOCHUU)
            & !self.sequences.is_empty();
        let has_honours = facts.kinds.intersects(TileSet::HONOURS);
        self.yaku = self
            .yaku
            .with(Yaku::Iipeikou, facts.closed & (identical_sequences == 1))
            .with(Yaku::Ryanpeikou, facts.closed & (identical_sequences == 2))
            .with(Yaku::SanshokuDoujun, in_three_suits(sequences))
            .with(Yaku::Ittsuu, sequences & sequences >> 3 & sequences >> 6 & EACH_SUIT != 0)
            .with(Yaku::Chanta, outside & has_honours)
            .with(Yaku::Junchan, outside & !has_honours)
            .with(Yaku::Toitoi, self.sequences.is_empty())
            .with(Yaku::SanshokuDoukou, in_three_suits(triplets));
    }

    /// Every part that the winning tile may have completed: the pair, a triplet, or a sequence at
    /// its low end, middle or high end.
    #[inline]
    fn waits(&self, win: &Win<'_>) -> impl Iterator<Item = Wait> + use<> {
        const THREES: TileSet = TileSet::from_bits(1 << 2 | 1 << 11 | 1 << 20);
        const SEVENS: TileSet = TileSet::from_bits(1 << 6 | 1 << 15 | 1 << 24);
        let edge = |edges: TileSet| if edges.contains(win.tile) { Wait::Penchan } else { Wait::Ryanmen };
        let waits = [Wait::Tanki, Wait::Shanpon, edge(SEVENS), Wait::Kanchan, edge(THREES)];
        // Bits 0–2: whether a sequence starts two ranks below the winning tile, one rank below, or on it. No
        // sequence starts on an 8 or 9, so no bit comes from another suit.
        let starts = self.concealed_sequences.bits() << 2 >> win.tile.index();
        let sequences = starts & 0b100 | (starts & 0b010) << 2 | (starts & 0b001) << 4;
        let pair = u64::from(self.pair == win.tile);
        let mut rest = pair | u64::from(self.in_hand.contains(win.tile)) << 1 | sequences;
        std::iter::from_fn(move || {
            let wait = *waits.get(rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(wait)
        })
    }

    /// The value of the reading if the winning tile completed this part, without `Score::reading`.
    /// `None` without enough yaku.
    #[inline(always)] // For the same reason as `score`.
    fn value(&self, win: &Win<'_>, facts: &Facts, wait: Wait) -> Option<Score> {
        let opened = u8::from((wait == Wait::Shanpon) & !win.tsumo);
        let concealed = self.concealed - opened;
        let fu = self.fu + fu::of_wait(wait) - opened * fu::of_set(win.tile, false, false);
        let pinfu = self.may_be_pinfu && wait == Wait::Ryanmen;
        let tanki = wait == Wait::Tanki || facts.yakuman_of_moment.contains(Yaku::Tenhou);
        let yaku = self
            .yaku
            .with(Yaku::Suuankou, concealed == 4 && !tanki)
            .with(Yaku::SuuankouTanki, concealed == 4 && tanki)
            .with(Yaku::Pinfu, pinfu)
            .with(Yaku::Sanankou, concealed == 3);
        score(win, facts, yaku, fu::total(fu, pinfu, win))
    }

    fn to_reading(&self, win: &Win<'_>, facts: &Facts, wait: Wait) -> Reading {
        let completed_by_ron = wait == Wait::Shanpon && !win.tsumo;
        let opened = if completed_by_ron { win.tile.into() } else { TileSet::EMPTY };
        let concealed_triplets = (self.in_hand | facts.ankans) - opened;
        Reading::Standard(Sets {
            pair: self.pair,
            concealed_triplets,
            open_triplets: self.triplets - concealed_triplets,
            kans: facts.kans,
            sequences: [0, 1, 2].map(|suit| self.sequences.suit_bits(suit) as u8),
            wait,
        })
    }
}

/// The value of a reading with these yaku, without `Score::reading`. `None` without enough yaku.
// Rare forms call it, too, so without the attribute it is not inlined into the loop over readings.
// The calls would take a tenth of the scoring time.
#[inline(always)]
fn score(win: &Win<'_>, facts: &Facts, yaku: YakuSet, fu: u8) -> Option<Score> {
    let yakuman = yaku & YakuSet::YAKUMAN;
    if yakuman.is_empty() {
        ordinary_score(win, facts, yaku, fu)
    } else if win.rules.scoring_mode == ScoringMode::Aotenjou {
        ordinary_score(win, facts, yaku - contained_in(yakuman), fu)
    } else {
        Some(yakuman_score(win, facts, yakuman, fu))
    }
}

/// The yaku that every hand with these yakuman has. They do not count where yaku are added to yakuman:
/// if scored without limits.
#[cold]
fn contained_in(yakuman: YakuSet) -> YakuSet {
    const BIG_WHEEL: &[Yaku] = &[Yaku::Chinitsu, Yaku::Ryanpeikou, Yaku::Chiitoitsu, Yaku::Tanyao];
    const DAISUUSHII: &[Yaku] =
        &[Yaku::Toitoi, Yaku::SeatWind, Yaku::RoundWind, Yaku::NorthWind, Yaku::OppositeWind];
    const CONTAINED: &[(Yaku, &[Yaku])] = &[
        (Yaku::Tenhou, &[Yaku::MenzenTsumo]),
        (Yaku::Chiihou, &[Yaku::MenzenTsumo]),
        (Yaku::Kokushi, &[Yaku::Honroutou]),
        (Yaku::Kokushi13, &[Yaku::Honroutou]),
        (Yaku::Suuankou, &[Yaku::Toitoi]),
        (Yaku::SuuankouTanki, &[Yaku::Toitoi]),
        (Yaku::Daisangen, &[Yaku::Haku, Yaku::Hatsu, Yaku::Chun]),
        (Yaku::Shousuushii, &[Yaku::Sanpuukou]),
        (Yaku::Daisuushii, DAISUUSHII),
        (Yaku::Tsuuiisou, &[Yaku::Toitoi]),
        (Yaku::Chinroutou, &[Yaku::Toitoi]),
        (Yaku::Chuuren, &[Yaku::Chinitsu]),
        (Yaku::JunseiChuuren, &[Yaku::Chinitsu]),
        (Yaku::Suukantsu, &[Yaku::Toitoi]),
        (Yaku::Suurenkou, &[Yaku::Toitoi]),
        (Yaku::IsshokuYonjun, &[Yaku::Ryanpeikou]),
        (Yaku::Shousharin, &[Yaku::Chinitsu, Yaku::Ryanpeikou, Yaku::Chiitoitsu]),
        (Yaku::Daisharin, BIG_WHEEL),
        (Yaku::Daichikurin, BIG_WHEEL),
        (Yaku::Daisuurin, BIG_WHEEL),
        (Yaku::HyakumanGoku, &[Yaku::Chinitsu]),
        (Yaku::Daichisei, &[Yaku::Chiitoitsu]),
        (Yaku::Benikujaku, &[Yaku::Toitoi, Yaku::Honitsu]),
        (Yaku::Kouitten, &[Yaku::Honitsu]),
        (Yaku::Kokuiisou, &[Yaku::Honitsu]),
        (Yaku::IshinoUenimoSannen, &[Yaku::DoubleRiichi, Yaku::Haitei, Yaku::Houtei]),
    ];
    let of_these = CONTAINED.iter().filter(|(yaku, _)| yakuman.contains(*yaku));
    of_these.flat_map(|(_, contained)| contained.iter().copied()).collect()
}

#[inline(always)] // For the same reason as `score`.
fn ordinary_score(win: &Win<'_>, facts: &Facts, yaku: YakuSet, fu: u8) -> Option<Score> {
    let yaku_han = han_of_all(yaku, facts.closed, win.rules);
    if yaku_han < win.rules.han_needed(win.circumstances.honba) {
        return None;
    }
    let han = u32::from(yaku_han) + u32::from(facts.dora.total());
    let (limit, base) = limit::base_points(han, u32::from(fu), win.rules);
    let score = Score::fixed(yaku, limit, base);
    Some(Score { yaku_han, dora: facts.dora, fu, closed: facts.closed, ..score })
}

fn yakuman_score(win: &Win<'_>, facts: &Facts, yaku: YakuSet, fu: u8) -> Score {
    let multiples = yaku.iter().map(|yaku| i32::from(win.rules.yakuman_multiple(yaku)));
    let paid = if win.rules.yakuman_stack { multiples.sum() } else { multiples.max().unwrap_or(1) };
    let yakuman = win.rules.max_yakuman.0.map_or(paid, |most| paid.min(most)) as u8;
    let score = Score::fixed(yaku, Limit::Yakuman, 8000 * u32::from(yakuman));
    Score { fu, yakuman, closed: facts.closed, ..score }
}
