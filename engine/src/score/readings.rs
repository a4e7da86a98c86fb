//! The value of each reading of a won hand.

use super::facts::Facts;
use super::fu;
use super::suits::{SuitReading, readings};
use super::{DoraHan, Limit, Reading, Score, Sets, Wait, Win, better, han_of, limit, local};
use crate::rules::knobs::ScoringMode;
use crate::yaku::{Yaku, YakuSet};
use crate::{Shanten, Suit, TileSet};

/// The best of all readings.
pub(super) fn best(win: &Win<'_>, facts: &Facts) -> Option<Score> {
    let mut best = None;
    if win.melds.is_empty() {
        best = better(best, thirteen_orphans(win, facts), win);
        best = better(best, seven_pairs(win, facts), win);
    }
    if win.concealed.tracker().standard_shanten(win.melds.len()) != Shanten::COMPLETE {
        return best;
    }
    let hand = win.concealed.tracker();
    let [m, p, s] = Suit::NUMBERED.map(|suit| readings(hand, suit));
    for a in m {
        for b in p.clone() {
            for c in s.clone() {
                let reading = Combination::new(win, facts, [a, b, c]);
                reading.waits(win, |wait| {
                    best = better(best, reading.value(win, facts, wait), win);
                });
            }
        }
    }
    best
}

fn thirteen_orphans(win: &Win<'_>, facts: &Facts) -> Option<Score> {
    if win.concealed.kinds() != TileSet::YAOCHUU {
        return None;
    }
    // A dealt hand has no winning tile of its own: the best is taken.
    let thirteen_waits = win.concealed.count(win.tile) == 2 || facts.yakuman_of_moment.contains(Yaku::Tenhou);
    let yakuman =
        facts.yakuman_of_moment.with(Yaku::Kokushi13, thirteen_waits).with(Yaku::Kokushi, !thirteen_waits);
    // The fu of a closed hand, where they count at all.
    let fu = if win.rules.scoring_mode == ScoringMode::Aotenjou { 30 } else { 0 };
    score(win, facts, yakuman.union(facts.yaku), fu, Reading::ThirteenOrphans)
}

fn seven_pairs(win: &Win<'_>, facts: &Facts) -> Option<Score> {
    if win.concealed.at_least(2).len() != 7 || !win.concealed.at_least(3).is_empty() {
        return None;
    }
    let honours = facts.kinds.is_subset(TileSet::HONOURS);
    let stars = win.rules.local_yaku.contains(Yaku::Daichisei);
    let yaku = facts
        .yakuman_of_moment
        .union(facts.yaku)
        .with(Yaku::Tsuuiisou, honours && !stars)
        .with(Yaku::Daichisei, honours && stars)
        .with(Yaku::Chiitoitsu, true);
    score(win, facts, yaku, 25, Reading::SevenPairs)
}

/// A reading of four sets and a pair, before it is decided which part the winning tile completed.
struct Combination {
    /// Concealed sequences by suit: the ranks on which they start.
    concealed_runs: [u64; 3],
    /// With the called ones.
    runs: [u64; 3],
    /// Concealed triplets in hand, and concealed quads.
    concealed_triplets: TileSet,
    /// All triplets and quads.
    triplets: TileSet,
    pair: TileSet,
    /// The yaku that do not depend on the wait.
    yaku: YakuSet,
}

impl Combination {
    fn new(win: &Win<'_>, facts: &Facts, suits: [SuitReading; 3]) -> Combination {
        let [m, p, s] = suits;
        let concealed_runs = suits.map(SuitReading::runs);
        let honour_triplets = win.concealed.at_least(3) & TileSet::HONOURS;
        let concealed = m.triplets(0) | p.triplets(1) | s.triplets(2) | honour_triplets;
        let honour_pair = (win.concealed.at_least(2) - win.concealed.at_least(3)) & TileSet::HONOURS;
        let mut combination = Combination {
            concealed_runs,
            runs: std::array::from_fn(|suit| concealed_runs[suit] | facts.called_runs[suit]),
            concealed_triplets: concealed | facts.ankans,
            triplets: concealed | facts.called_triplets,
            pair: m.pair(0) | p.pair(1) | s.pair(2) | honour_pair,
            yaku: facts.yaku,
        };
        let identical = suits.iter().map(|suit| suit.identical_runs()).sum();
        combination.yaku = combination.yaku_of_sets(facts, identical);
        if !win.rules.local_yaku.is_empty() {
            let sets = (combination.triplets, concealed, combination.pair);
            combination.yaku = local::of_sets(win, sets, combination.yaku);
        }
        combination
    }

    fn yaku_of_sets(&self, facts: &Facts, identical_runs: u32) -> YakuSet {
        const WHOLE_SUIT: u64 = 0b100_1001;
        const OUTER_RUNS: u64 = 0b100_0001;
        let [m, p, s] = self.runs;
        let no_runs = m | p | s == 0;
        let suit_triplets = [0, 1, 2].map(|suit| self.triplets.suit_bits(suit));
        let outside = (m | p | s) & !OUTER_RUNS == 0
            && (self.triplets | self.pair).is_subset(TileSet::YAOCHUU)
            && !no_runs;
        let has_honours = facts.kinds.intersects(TileSet::HONOURS);
        facts
            .yaku
            .with(Yaku::Iipeikou, facts.closed && identical_runs == 1)
            .with(Yaku::Ryanpeikou, facts.closed && identical_runs == 2)
            .with(Yaku::SanshokuDoujun, m & p & s != 0)
            .with(Yaku::Ittsuu, self.runs.iter().any(|runs| runs & WHOLE_SUIT == WHOLE_SUIT))
            .with(Yaku::Chanta, outside && has_honours)
            .with(Yaku::Junchan, outside && !has_honours)
            .with(Yaku::Toitoi, no_runs)
            .with(Yaku::SanshokuDoukou, suit_triplets[0] & suit_triplets[1] & suit_triplets[2] != 0)
    }

    /// Every part that the winning tile may have completed.
    fn waits(&self, win: &Win<'_>, mut each: impl FnMut(Wait)) {
        if self.pair.contains(win.tile) {
            each(Wait::Tanki);
        }
        if (self.concealed_triplets & win.concealed.kinds()).contains(win.tile) {
            each(Wait::Shanpon);
        }
        if win.tile.is_honour() {
            return;
        }
        let runs = self.concealed_runs[win.tile.suit() as usize];
        let rank = win.tile.rank();
        let starts_on = |start: u8| (1..=7).contains(&start) && runs >> (start - 1) & 1 != 0;
        if starts_on(rank) {
            each(if rank == 7 { Wait::Penchan } else { Wait::Ryanmen });
        }
        if starts_on(rank.wrapping_sub(1)) {
            each(Wait::Kanchan);
        }
        if starts_on(rank.wrapping_sub(2)) {
            each(if rank == 3 { Wait::Penchan } else { Wait::Ryanmen });
        }
    }

    /// The value of the reading if the winning tile completed this part; none without enough yaku.
    fn value(&self, win: &Win<'_>, facts: &Facts, wait: Wait) -> Option<Score> {
        let completed_by_ron =
            if wait == Wait::Shanpon && !win.tsumo { win.tile.into() } else { TileSet::EMPTY };
        let concealed_triplets = self.concealed_triplets - completed_by_ron;
        let sets = Sets {
            pair: self.pair.first().expect("a reading of four sets has a pair"),
            concealed_triplets,
            open_triplets: self.triplets - concealed_triplets,
            quads: facts.quads,
            runs: self.runs.map(|runs| runs as u8),
            wait,
        };
        let pinfu = facts.closed
            && wait == Wait::Ryanmen
            && self.triplets.is_empty()
            && fu::of_pair(sets.pair, win) == 0
            && (!win.tsumo || win.rules.pinfu_tsumo.0.is_some());
        let fu = fu::total(&sets, pinfu, win, facts.closed);
        let concealed = concealed_triplets.len();
        let tanki = wait == Wait::Tanki || facts.yakuman_of_moment.contains(Yaku::Tenhou);
        let yaku = self
            .yaku
            .union(facts.yakuman)
            .union(facts.yakuman_of_moment)
            .with(Yaku::Suuankou, concealed == 4 && !tanki)
            .with(Yaku::SuuankouTanki, concealed == 4 && tanki)
            .with(Yaku::Pinfu, pinfu)
            .with(Yaku::Sanankou, concealed == 3);
        score(win, facts, yaku, fu, Reading::Standard(sets))
    }
}

/// The value of a reading with these yaku; none without enough of them.
fn score(win: &Win<'_>, facts: &Facts, yaku: YakuSet, fu: u8, reading: Reading) -> Option<Score> {
    let yakuman = yaku.intersection(YakuSet::YAKUMAN);
    if yakuman.is_empty() {
        ordinary_score(win, facts, yaku, fu, reading)
    } else if win.rules.scoring_mode == ScoringMode::Aotenjou {
        ordinary_score(win, facts, yaku.without(contained_in(yakuman)), fu, reading)
    } else {
        Some(yakuman_score(win, facts, yakuman, fu, reading))
    }
}

/// Yaku that every hand with these yakuman has: where all are counted together they do not count beside them.
#[cold]
fn contained_in(yakuman: YakuSet) -> YakuSet {
    const CONTAINED: &[(Yaku, &[Yaku])] = &[
        (Yaku::Tenhou, &[Yaku::MenzenTsumo]),
        (Yaku::Chiihou, &[Yaku::MenzenTsumo]),
        (Yaku::Kokushi, &[Yaku::Honroutou]),
        (Yaku::Kokushi13, &[Yaku::Honroutou]),
        (Yaku::Suuankou, &[Yaku::Toitoi]),
        (Yaku::SuuankouTanki, &[Yaku::Toitoi]),
        (Yaku::Daisangen, &[Yaku::Haku, Yaku::Hatsu, Yaku::Chun]),
        (Yaku::Daisuushii, &[Yaku::Toitoi, Yaku::SeatWind, Yaku::RoundWind, Yaku::NorthWind]),
        (Yaku::Tsuuiisou, &[Yaku::Toitoi]),
        (Yaku::Chinroutou, &[Yaku::Toitoi]),
        (Yaku::Chuuren, &[Yaku::Chinitsu]),
        (Yaku::JunseiChuuren, &[Yaku::Chinitsu]),
        (Yaku::Suukantsu, &[Yaku::Toitoi]),
        (Yaku::Suurenkou, &[Yaku::Toitoi]),
        (Yaku::IsshokuYonjun, &[Yaku::Ryanpeikou]),
        (Yaku::Shousharin, &[Yaku::Chinitsu, Yaku::Ryanpeikou, Yaku::Chiitoitsu]),
        (Yaku::Daisharin, &[Yaku::Chinitsu, Yaku::Ryanpeikou, Yaku::Chiitoitsu, Yaku::Tanyao]),
        (Yaku::HyakumanGoku, &[Yaku::Chinitsu]),
        (Yaku::Daichisei, &[Yaku::Chiitoitsu]),
    ];
    let of_these = CONTAINED.iter().filter(|(yaku, _)| yakuman.contains(*yaku));
    of_these.flat_map(|(_, contained)| contained.iter().copied()).collect()
}

fn ordinary_score(win: &Win<'_>, facts: &Facts, yaku: YakuSet, fu: u8, reading: Reading) -> Option<Score> {
    let han = yaku.iter().map(|yaku| han_of(yaku, facts.closed, win.rules));
    let yaku_han = han.fold(0, u8::saturating_add);
    if yaku_han < win.rules.han_needed(win.circumstances.honba) {
        return None;
    }
    let han = u32::from(yaku_han) + u32::from(facts.dora.total());
    let (limit, base) = limit::base_points(han, u32::from(fu), win.rules);
    Some(Score {
        yaku,
        yaku_han,
        dora: facts.dora,
        fu,
        yakuman: 0,
        limit,
        base,
        reading,
        closed: facts.closed,
    })
}

fn yakuman_score(win: &Win<'_>, facts: &Facts, yaku: YakuSet, fu: u8, reading: Reading) -> Score {
    let multiples = yaku.iter().map(|yaku| i32::from(win.rules.yakuman_multiple(yaku)));
    let paid = if win.rules.yakuman_stack { multiples.sum() } else { multiples.max().unwrap_or(1) };
    let yakuman = win.rules.max_yakuman.0.map_or(paid, |most| paid.min(most)) as u8;
    let (dora, base) = (DoraHan::default(), 8000 * u32::from(yakuman));
    Score { yaku, yaku_han: 0, dora, fu, yakuman, limit: Limit::Yakuman, base, reading, closed: facts.closed }
}
