//! Local yaku, which count only if the rules name them.
//!
//! # Why
//!
//! **Why are local yaku a set and not a field each?** There are over two dozen, and all presets
//! leave them off. Scoring asks once whether the set is empty. Each yaku is a bit of one number, so
//! one type serves for the yaku of a hand, double yaku and permitted yaku.

use super::facts::Facts;
use super::{Limit, Moment, Riichi, Score, Win};
use crate::yaku::{Yaku, YakuSet};
use crate::{Suit, TileKind, TileSet};

/// A kind by suit and rank.
const fn kind(suit: Suit, rank: u8) -> TileKind {
    TileKind::from_index(9 * suit as usize + rank as usize - 1)
}

/// The kinds of a suit with these ranks; bit 0 is rank 1.
const fn ranks(suit: Suit, bits: u64) -> TileSet {
    TileSet::from_bits(bits << (9 * suit as usize))
}

/// The bamboo of benikujaku: 1579s.
const PEACOCK: TileSet = ranks(Suit::Bamboo, 0b1_0101_0001);
/// The bamboo of kouitten: 23468s.
const GREEN_FIELD: TileSet = ranks(Suit::Bamboo, 0b0_1010_1110);
/// The dots of kokuiisou: 248p.
const BLACK: TileSet = ranks(Suit::Dots, 0b0_1000_1010);

/// Adds the local yaku and yakuman that all readings of the hand share.
pub(super) fn add_to(facts: &mut Facts, win: &Win<'_>) {
    facts.yaku = facts.yaku | yaku_of_hand(win, facts);
    facts.yakuman_of_moment = facts.yakuman_of_moment | yakuman_of_hand(win, facts);
}

/// Yaku of the moment and of the tiles as a whole.
fn yaku_of_hand(win: &Win<'_>, facts: &Facts) -> YakuSet {
    let winds = facts.honour_triplets(win) & TileSet::WINDS;
    let (dots, bamboo) = (Suit::Dots, Suit::Bamboo);
    let (last, rinshan) = (win.moment == Moment::LastTile, win.moment == Moment::Rinshan);
    let claimed = win.melds.iter().filter(|meld| meld.is_open()).count();
    let all_sorts = facts.suits() == 3
        && facts.kinds.intersects(TileSet::WINDS)
        && facts.kinds.intersects(TileSet::DRAGONS);
    let found = YakuSet::EMPTY
        .with(Yaku::TsubameGaeshi, !win.tsumo && win.circumstances.riichi_tile)
        .with(Yaku::Kanburi, !win.tsumo && win.circumstances.after_kan)
        .with(Yaku::ShiiaruRaotai, claimed == 4)
        .with(Yaku::Uumensai, all_sorts)
        .with(Yaku::Sanpuukou, winds.len() == 3)
        .with(Yaku::IipinMouyue, last && win.tsumo && win.tile == kind(dots, 1))
        .with(Yaku::ChuupinRaoyui, last && !win.tsumo && win.tile == kind(dots, 9))
        .with(Yaku::UupinKaihou, rinshan && win.tile == kind(dots, 5))
        .with(Yaku::RyanzouChankan, win.moment == Moment::Chankan && win.tile == kind(bamboo, 2));
    found & win.rules.local_yaku
}

/// Yakuman of the moment and of the tiles as a whole, in every reading.
fn yakuman_of_hand(win: &Win<'_>, facts: &Facts) -> YakuSet {
    let kinds = facts.kinds;
    let with_red =
        |others: TileSet| kinds.contains(TileKind::RED) && kinds.is_subset(others | TileKind::RED.into());
    let pairs_of =
        |suit: Suit, bits: u64| win.melds.is_empty() && win.concealed.at_least(2) == ranks(suit, bits);
    let wheel = |suit: &Suit| pairs_of(*suit, 0b0_0111_1111) || pairs_of(*suit, 0b1_1111_1100);
    let big_wheel = |suit: Suit| pairs_of(suit, 0b0_1111_1110);
    let found = YakuSet::EMPTY
        .with(Yaku::Shousharin, Suit::NUMBERED.iter().any(wheel))
        .with(Yaku::Daisharin, big_wheel(Suit::Dots))
        .with(Yaku::Daichikurin, big_wheel(Suit::Bamboo))
        .with(Yaku::Daisuurin, big_wheel(Suit::Characters))
        .with(Yaku::HyakumanGoku, sum_of_characters(win, facts) >= 100)
        .with(Yaku::Benikujaku, with_red(PEACOCK))
        .with(Yaku::Kouitten, with_red(GREEN_FIELD))
        .with(Yaku::Kokuiisou, kinds.is_subset(BLACK | TileSet::WINDS))
        .with(Yaku::IshinoUenimoSannen, win.riichi == Riichi::Double && win.moment == Moment::LastTile)
        .with(Yaku::Paarenchan, win.is_dealer() && win.circumstances.dealer_wins >= 7);
    found & win.rules.local_yaku
}

/// The sum of the ranks if the hand has only characters, otherwise 0.
fn sum_of_characters(win: &Win<'_>, facts: &Facts) -> usize {
    if facts.kinds.suit_bits(Suit::Characters as usize) != facts.kinds.bits() {
        return 0;
    }
    let of_kind =
        |kind: TileKind| usize::from(kind.rank()) * (win.concealed.count(kind) + win.melds.count(kind));
    facts.kinds.iter().map(of_kind).sum()
}

/// The yaku of a reading with its local yaku and yakuman. `sets` are all triplets, those among the
/// concealed tiles, and the pair.
pub(super) fn with_local_yaku(win: &Win<'_>, sets: (TileSet, TileSet, TileSet), yaku: YakuSet) -> YakuSet {
    let (triplets, in_hand, pair) = sets;
    let sequences = sequences(win, in_hand, pair);
    let most = sequences.iter().flatten().copied().max().unwrap_or(0);
    let starts = |suit: usize, rank: usize| sequences[suit][rank - 1] > 0;
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let mixed = orders.iter().any(|[a, b, c]| starts(*a, 1) && starts(*b, 4) && starts(*c, 7));
    let in_a_row = (0..3).map(|suit| longest_row(triplets.suit_bits(suit))).max().unwrap_or(0);
    let found = YakuSet::EMPTY
        .with(Yaku::Sanrenkou, in_a_row == 3)
        .with(Yaku::Suurenkou, in_a_row == 4)
        .with(Yaku::SanshokuIttsuu, mixed)
        .with(Yaku::IsshokuSanjun, most == 3)
        .with(Yaku::IsshokuYonjun, most == 4);
    let found = found & win.rules.local_yaku;
    // Three identical sequences count instead of two.
    let replaced = YakuSet::EMPTY.with(Yaku::Iipeikou, found.contains(Yaku::IsshokuSanjun));
    (yaku - replaced) | found
}

/// The length of the longest row of neighbouring ranks.
fn longest_row(ranks: u64) -> u32 {
    (0..9).map(|rank| (ranks >> rank).trailing_ones()).max().unwrap_or(0)
}

/// Number of sequences that start on each rank of each suit, including chi.
fn sequences(win: &Win<'_>, triplets: TileSet, pair: TileSet) -> [[usize; 9]; 3] {
    let mut sequences = [[0; 9]; 3];
    for (suit, sequences) in Suit::NUMBERED.into_iter().zip(&mut sequences) {
        for rank in 1..=7 {
            let kind = kind(suit, rank);
            let of_others = 3 * usize::from(triplets.contains(kind)) + 2 * usize::from(pair.contains(kind));
            let index = usize::from(rank) - 1;
            let begun: usize = sequences[index.saturating_sub(2)..index].iter().sum();
            sequences[index] = win.concealed.count(kind).saturating_sub(of_others + begun);
        }
    }
    for meld in win.melds.iter().filter(|meld| meld.is_sequence()) {
        sequences[meld.low().suit() as usize][usize::from(meld.low().rank()) - 1] += 1;
    }
    sequences
}

/// The value of fourteen unconnected tiles with the first draw: no two of them can be part of a
/// sequence, and at most two make a pair.
#[cold]
pub(super) fn unconnected(win: &Win<'_>) -> Option<Score> {
    let yaku = match win.concealed.kinds().len() {
        13 => Yaku::Shiisanpuutaa,
        14 => Yaku::Shiisuupuutaa,
        _ => return None,
    };
    let connected = |suit: usize| {
        let ranks = win.concealed.kinds().suit_bits(suit);
        ranks & (ranks << 1 | ranks << 2) != 0
    };
    let holds = win.first_turn && win.tsumo && !(0..3).any(connected) && win.rules.local_yaku.contains(yaku);
    holds.then(|| Score { yakuman: 1, ..Score::fixed(YakuSet::of(yaku), Limit::Yakuman, 8000) })
}
