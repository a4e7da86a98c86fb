//! Payments: wins with honba and liability, nagashi mangan, noten payments, fouls.

use std::hint::select_unpredictable;

use serde::{Deserialize, Serialize};

use crate::rules::Rules;
use crate::rules::options::{
    Chombo, PaoRonHonba, PaoScope, PaoTsumoHonba, PaoTsumoTotal, ScoringMode, TsumoSplit,
};
use crate::score::{Score, hundreds};
use crate::yaku::{Yaku, YakuSet};
use crate::{BySeat, Meld, Melds, Seat, SeatSet, TileSet};

/// A player who must pay for a yakuman or for a win on a replacement tile, because they fed it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Liability {
    /// The liable player.
    pub seat: Seat,
    /// The yakuman; `None` for the replacement tile of a daiminkan, where the player pays the whole
    /// hand.
    pub yaku: Option<Yaku>,
}

/// The yakuman with liability whose last visible set is this meld. Empty unless the meld is a pon
/// or an open kan.
pub fn yakuman_fed(meld: Meld, melds: &Melds, rules: &Rules) -> YakuSet {
    if meld.is_sequence() || !meld.is_open() {
        return YakuSet::EMPTY;
    }
    let visible = |m: &&Meld| !m.is_sequence() && (m.is_open() || rules.pao_counts_ankan);
    let sets: TileSet = melds.iter().filter(visible).map(|m| m.low()).collect();
    let kans = melds.iter().filter(visible).filter(|m| m.is_kan()).count();
    let counts = !meld.is_kan() || rules.pao_by_kan;
    let completes = |group: TileSet| counts && group.contains(meld.low()) && group.is_subset(sets);
    let liable = YakuSet::EMPTY
        .with(Yaku::Daisangen, completes(TileSet::DRAGONS))
        .with(Yaku::Daisuushii, completes(TileSet::WINDS))
        .with(Yaku::Suukantsu, meld.is_kan() && kans == 4);
    liable & rules.pao
}

/// A win to be paid.
#[derive(Clone, Copy, Debug)]
pub struct PricedWin<'a> {
    /// The winner.
    pub winner: Seat,
    /// Who discarded the winning tile; `None` for tsumo.
    pub from: Option<Seat>,
    /// The score of the hand.
    pub score: &'a Score,
    /// The liable players. If several are liable for the whole hand, the first in this list pays.
    pub liable: &'a [Liability],
    /// Honba that the winner is paid for.
    pub honba: i32,
}

/// The points that each seat wins or loses by a win, without riichi sticks. Their sum is 0.
#[inline]
pub fn payments(win: &PricedWin<'_>, dealer: Seat, rules: &Rules) -> BySeat<i32> {
    if !win.liable.is_empty() {
        return payments_with_liability(win, dealer, rules);
    }
    ordinary_payments(win.winner, win.from, win.score.base, win.honba, dealer, rules)
}

#[cold]
fn payments_with_liability(win: &PricedWin<'_>, dealer: Seat, rules: &Rules) -> BySeat<i32> {
    let mut paid = BySeat::splat(rules.players, 0);
    match (win.from, whole_hand_liability(win, rules)) {
        (Some(from), Some(pao)) => {
            let value = ron_value(win.winner, win.score.base, dealer);
            split_ron(&mut paid, win, (from, pao), value, rules);
        }
        (None, Some(pao)) => {
            paid[pao] -= tsumo_total(win, win.score.base, dealer, rules) + tsumo_honba(win, rules);
        }
        (from, None) => pay_by_yaku(&mut paid, win, from, dealer, rules),
    }
    paid[win.winner] = 0;
    paid[win.winner] = -paid.sum();
    paid
}

/// The player who is liable for the whole hand.
fn whole_hand_liability(win: &PricedWin<'_>, rules: &Rules) -> Option<Seat> {
    // Without limits, what one yaku adds depends on the others.
    let whole = rules.pao_scope == PaoScope::WholeHand || rules.scoring_mode == ScoringMode::Aotenjou;
    let of_hand = |l: &&Liability| l.yaku.is_none() || whole;
    let holds = |l: &&Liability| l.yaku.is_none_or(|yaku| win.score.yaku.contains(yaku));
    win.liable.iter().filter(of_hand).find(holds).map(|l| l.seat)
}

/// Payments with liability for single yakuman. The liable players pay for their yakuman, and share a ron
/// with the discarder. What remains of the hand is paid as without liability.
fn pay_by_yaku(paid: &mut BySeat<i32>, win: &PricedWin<'_>, from: Option<Seat>, dealer: Seat, rules: &Rules) {
    let mut rest = win.score.base;
    let part = |liability: &Liability| {
        let yaku = liability.yaku.filter(|yaku| win.score.yaku.contains(*yaku))?;
        let base = rest.min(8000 * u32::from(rules.yakuman_multiple(yaku)));
        rest -= base;
        Some((liability.seat, base))
    };
    let parts: Vec<(Seat, u32)> = win.liable.iter().filter_map(part).collect();
    let rest_pays_honba =
        parts.is_empty() || from.is_none() && rest > 0 && rules.pao_tsumo_honba == PaoTsumoHonba::Payers;
    for (index, (liable, base)) in parts.into_iter().enumerate() {
        let pays_honba = index == 0 && !rest_pays_honba;
        let part = PricedWin { honba: if pays_honba { win.honba } else { 0 }, ..*win };
        match from {
            None => paid[liable] -= tsumo_total(win, base, dealer, rules) + tsumo_honba(&part, rules),
            Some(from) => {
                let value = ron_value(win.winner, base, dealer);
                split_ron(paid, &part, (from, liable), value, rules);
            }
        }
    }
    let honba = if rest_pays_honba { win.honba } else { 0 };
    for (seat, share) in ordinary_payments(win.winner, win.from, rest, honba, dealer, rules).enumerate() {
        paid[seat] += share;
    }
}

/// The points that each seat wins or loses by a win with these base points, without riichi sticks and
/// liability.
#[inline]
pub(crate) fn ordinary_payments(
    winner: Seat,
    from: Option<Seat>,
    base: u32,
    honba: i32,
    dealer: Seat,
    rules: &Rules,
) -> BySeat<i32> {
    let shares = tsumo_shares(winner, base, dealer, rules);
    let value = ron_value(winner, base, dealer) + honba * rules.honba_ron;
    let mut paid = BySeat::from_fn(rules.players, |seat| {
        let ron = select_unpredictable(from == Some(seat), value, 0);
        let tsumo = select_unpredictable(seat == winner, 0, shares[seat] + honba * rules.honba_tsumo);
        -select_unpredictable(from.is_some(), ron, tsumo)
    });
    paid[winner] = -paid.sum();
    paid
}

/// Splits a ron in half between the discarder and a liable player. The rules decide who pays honba. A
/// discarder who is liable pays all of it.
fn split_ron(paid: &mut BySeat<i32>, win: &PricedWin<'_>, payers: (Seat, Seat), value: i32, rules: &Rules) {
    let (from, pao) = payers;
    let honba = win.honba * rules.honba_ron;
    if from == pao {
        paid[from] -= value + honba;
        return;
    }
    paid[from] -= value / 2;
    paid[pao] -= value / 2;
    paid[if rules.pao_ron_honba == PaoRonHonba::Pao { pao } else { from }] -= honba;
}

/// Points of a ron with these base points, without honba.
fn ron_value(winner: Seat, base: u32, dealer: Seat) -> i32 {
    hundreds(if winner == dealer { 6 } else { 4 } * base)
}

/// What each other player pays for a tsumo with these base points, without honba.
#[inline]
pub fn tsumo_shares(winner: Seat, base: u32, dealer: Seat, rules: &Rules) -> BySeat<i32> {
    let (single, double) = (hundreds(base), hundreds(2 * base));
    let share = |seat| select_unpredictable(seat == dealer || winner == dealer, double, single);
    let missing_players = 4 - i32::from(rules.players.count());
    let payers = i32::from(rules.players.count()) - 1;
    let missing_share = if winner == dealer { double } else { single };
    let extra = match rules.tsumo_split {
        TsumoSplit::Loss => 0,
        TsumoSplit::Bisect => hundreds((missing_players * missing_share / payers) as u32),
        TsumoSplit::Full => {
            let ron = hundreds(if winner == dealer { 6 } else { 4 } * base);
            return BySeat::from_fn(rules.players, |seat| if seat == winner { 0 } else { ron });
        }
    };
    BySeat::from_fn(rules.players, |seat| select_unpredictable(seat == winner, 0, share(seat) + extra))
}

/// What a liable player pays for a tsumo, without honba.
fn tsumo_total(win: &PricedWin<'_>, base: u32, dealer: Seat, rules: &Rules) -> i32 {
    match rules.pao_tsumo_total {
        PaoTsumoTotal::SameAsTsumo => tsumo_shares(win.winner, base, dealer, rules).sum(),
        PaoTsumoTotal::RonValue => ron_value(win.winner, base, dealer),
    }
}

/// The points for honba that all payers of a tsumo pay together.
fn tsumo_honba(win: &PricedWin<'_>, rules: &Rules) -> i32 {
    win.honba * rules.honba_tsumo * (i32::from(rules.players.count()) - 1)
}

/// The points that each seat wins or loses by nagashi mangan. Each player who has it is paid as for
/// a tsumo of a mangan, or of a yakuman if the rules say so.
pub fn nagashi_payments(players: SeatSet, dealer: Seat, rules: &Rules) -> BySeat<i32> {
    let mut paid = BySeat::splat(rules.players, 0);
    for winner in players.iter() {
        let base = if rules.nagashi_yakuman { 8000 } else { 2000 };
        let shares = tsumo_shares(winner, base, dealer, rules);
        for (seat, share) in shares.enumerate() {
            paid[seat] -= share;
        }
        paid[winner] += shares.sum();
    }
    paid
}

/// The points that each seat wins or loses at a draw, where noten players pay tenpai players.
pub fn noten_payments(tenpai: SeatSet, rules: &Rules) -> BySeat<i32> {
    let players = i32::from(rules.players.count());
    let ready = tenpai.len() as i32;
    if ready == 0 || ready == players {
        return BySeat::splat(rules.players, 0);
    }
    let pool = rules.noten_pool.total(ready, players);
    BySeat::from_fn(rules.players, |seat| {
        if tenpai.contains(seat) { pool / ready } else { -pool / (players - ready) }
    })
}

/// The points that each seat wins or loses by a foul. Their sum is 0, except for a penalty to the
/// bank. A penalty on the result is not included.
pub fn chombo_payments(offender: Seat, dealer: Seat, rules: &Rules) -> BySeat<i32> {
    let mut paid = BySeat::splat(rules.players, 0);
    let flat = if offender == dealer { 12_000 } else { 8000 };
    match rules.chombo {
        Chombo::Off | Chombo::FinalPenalty(_) => {}
        Chombo::ReverseMangan => {
            for seat in rules.players.others(offender) {
                paid[seat] = if seat == dealer || offender == dealer { 4000 } else { 2000 };
            }
            paid[offender] = -paid.sum();
        }
        Chombo::FlatToOthers => {
            let others = i32::from(rules.players.count()) - 1;
            let (share, rest) = (flat / 100 / others, flat / 100 % others);
            for (index, seat) in (0..).zip(rules.players.others(offender)) {
                paid[seat] = 100 * (share + i32::from(index < rest));
            }
            paid[offender] = -flat;
        }
        Chombo::FlatToBank => paid[offender] = -flat,
    }
    paid
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hand;

    /// Only a pon or open kan is fed by another player.
    #[test]
    fn chi_and_ankan_feed_no_yakuman() {
        let rules = Rules { pao_counts_ankan: true, ..Rules::default() };
        let hand: Hand = "1m[555z][6666z]<7777z>[123s]+1m".parse().expect("notation");
        let fed = |index: usize| yakuman_fed(hand.melds().as_slice()[index], hand.melds(), &rules);
        let daisangen = YakuSet::of(Yaku::Daisangen);
        assert_eq!([0, 1, 2, 3].map(fed), [daisangen, daisangen, YakuSet::EMPTY, YakuSet::EMPTY]);
    }

    /// Without `pao_by_kan`, only a pon completes the sets of daisangen and daisuushii.
    #[test]
    fn a_kan_can_be_left_out() {
        let pao = [Yaku::Daisangen, Yaku::Daisuushii, Yaku::Suukantsu].into_iter().collect();
        let rules = Rules { pao, pao_by_kan: false, ..Rules::default() };
        let fed = |hand: &str, rules: &Rules| {
            let hand: Hand = hand.parse().expect("notation");
            yakuman_fed(*hand.melds().as_slice().last().expect("a meld"), hand.melds(), rules)
        };
        for (hand, by_kan, otherwise) in [
            ("1m[555z][666z][7777z]", Some(Yaku::Daisangen), None),
            ("1m[555z][6666z][777z]", Some(Yaku::Daisangen), Some(Yaku::Daisangen)),
            ("1m[111z][222z][333z][4444z]", Some(Yaku::Daisuushii), None),
            ("1m[111z][222z][333z][444z]", Some(Yaku::Daisuushii), Some(Yaku::Daisuushii)),
            ("9p[1111m][2222m][3333m][4444m]", Some(Yaku::Suukantsu), Some(Yaku::Suukantsu)),
        ] {
            let set = |yaku: Option<Yaku>| yaku.map_or(YakuSet::EMPTY, YakuSet::of);
            assert_eq!(fed(hand, &Rules { pao, ..Rules::default() }), set(by_kan), "{hand}");
            assert_eq!(fed(hand, &rules), set(otherwise), "{hand}");
        }
    }
}
