//! Who pays whom: wins with counters, sticks and liability; nagashi; players who are not tenpai.

use std::hint::select_unpredictable;

use crate::rules::Rules;
use crate::rules::knobs::{Chombo, PaoRonHonba, PaoScope, PaoTsumoTotal, ScoringMode, TsumoSplit};
use crate::score::{Score, hundreds};
use crate::yaku::Yaku;
use crate::{BySeat, Seat, SeatSet};

/// A player who must answer for a yakuman that he fed, or for a win on the tile after an open quad that he fed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Liability {
    /// The player.
    pub seat: Seat,
    /// The yakuman; none for the replacement tile of an open quad, where he pays the whole hand.
    pub yaku: Option<Yaku>,
}

/// A win to be paid.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// Who won.
    pub winner: Seat,
    /// Who discarded the tile; none for a self-draw.
    pub from: Option<Seat>,
    /// What the hand is worth.
    pub score: &'a Score,
    /// Who is liable, the one first whose set was completed first.
    pub liable: &'a [Liability],
    /// Counters that the winner is paid for.
    pub honba: i32,
}

/// The points that change hands at a win: positive for the winner, the sum is 0. Riichi sticks are not among them.
#[must_use]
#[inline]
pub fn payments(claim: &Claim<'_>, dealer: Seat, rules: &Rules) -> BySeat<i32> {
    if !claim.liable.is_empty() {
        return payments_with_liability(claim, dealer, rules);
    }
    let mut paid = ordinary_payments(claim, claim.score.base, claim.honba, dealer, rules);
    paid[claim.winner] = -paid.sum();
    paid
}

#[cold]
fn payments_with_liability(claim: &Claim<'_>, dealer: Seat, rules: &Rules) -> BySeat<i32> {
    let mut paid = BySeat::splat(rules.players, 0);
    match (claim.from, whole_hand_liability(claim, rules)) {
        (Some(from), Some(pao)) => {
            let value = ron_value(claim, claim.score.base, dealer);
            split_ron(&mut paid, claim, (from, pao), value, value, rules);
        }
        (None, Some(pao)) => {
            paid[pao] -= tsumo_total(claim, claim.score.base, dealer, rules) + tsumo_honba(claim, rules);
        }
        (from, None) => pay_by_yaku(&mut paid, claim, from, dealer, rules),
    }
    paid[claim.winner] = 0;
    paid[claim.winner] = -paid.sum();
    paid
}

/// The player who is liable for the whole of the hand.
fn whole_hand_liability(claim: &Claim<'_>, rules: &Rules) -> Option<Seat> {
    // Where there are no limits, what a yaku adds depends on the others.
    let whole = rules.pao_scope == PaoScope::WholeHand || rules.scoring_mode == ScoringMode::Aotenjou;
    let of_hand = |l: &&Liability| l.yaku.is_none() || whole;
    let holds = |l: &&Liability| l.yaku.is_none_or(|yaku| claim.score.yaku.contains(yaku));
    claim.liable.iter().filter(of_hand).find(holds).map(|l| l.seat)
}

/// Ordinary payment, and liability for single yakuman: each is paid by its own liable player, the rest by whom it would be anyway.
fn pay_by_yaku(paid: &mut BySeat<i32>, claim: &Claim<'_>, from: Option<Seat>, dealer: Seat, rules: &Rules) {
    let mut rest = claim.score.base;
    let mut honba_is_paid = false;
    for liability in claim.liable {
        let Some(yaku) = liability.yaku.filter(|yaku| claim.score.yaku.contains(*yaku)) else { continue };
        let base = rest.min(8000 * u32::from(rules.yakuman_multiple(yaku)));
        rest -= base;
        match from {
            None => {
                paid[liability.seat] -= tsumo_total(claim, base, dealer, rules);
                if !honba_is_paid {
                    paid[liability.seat] -= tsumo_honba(claim, rules);
                }
            }
            Some(from) => {
                let part = ron_value(claim, base, dealer);
                let honba = if honba_is_paid { Claim { honba: 0, ..*claim } } else { *claim };
                split_ron(paid, &honba, (from, liability.seat), part, part, rules);
            }
        }
        honba_is_paid = true;
    }
    let honba = if honba_is_paid { 0 } else { claim.honba };
    for (seat, share) in ordinary_payments(claim, rest, honba, dealer, rules).enumerate() {
        paid[seat] += share;
    }
}

/// What the others pay, each below 0, for so many base points with these counters where nobody is liable.
#[inline]
fn ordinary_payments(claim: &Claim<'_>, base: u32, honba: i32, dealer: Seat, rules: &Rules) -> BySeat<i32> {
    let shares = tsumo_shares(claim.winner, base, dealer, rules);
    let value = ron_value(claim, base, dealer) + honba * rules.honba_ron;
    BySeat::from_fn(rules.players, |seat| {
        let ron = select_unpredictable(claim.from == Some(seat), value, 0);
        let tsumo = select_unpredictable(seat == claim.winner, 0, shares[seat] + honba * rules.honba_tsumo);
        -select_unpredictable(claim.from.is_some(), ron, tsumo)
    })
}

/// A ron that a liable player shares with the discarder, half each; who pays the counters is a rule.
fn split_ron(
    paid: &mut BySeat<i32>,
    claim: &Claim<'_>,
    payers: (Seat, Seat),
    value: i32,
    whole: i32,
    rules: &Rules,
) {
    let (from, pao) = payers;
    let honba = claim.honba * rules.honba_ron;
    if from == pao {
        paid[from] -= whole + honba;
        return;
    }
    paid[from] -= value / 2;
    paid[pao] -= value / 2;
    paid[if rules.pao_ron_honba == PaoRonHonba::Pao { pao } else { from }] -= honba;
}

/// What a ron of so many base points costs.
fn ron_value(claim: &Claim<'_>, base: u32, dealer: Seat) -> i32 {
    hundreds(if claim.winner == dealer { 6 } else { 4 } * base)
}

/// What the others pay for a self-draw of so many base points, counters aside.
#[must_use]
#[inline]
pub fn tsumo_shares(winner: Seat, base: u32, dealer: Seat, rules: &Rules) -> BySeat<i32> {
    let (single, double) = (hundreds(base), hundreds(2 * base));
    let share = |seat| select_unpredictable(seat == dealer || winner == dealer, double, single);
    let missing_players = 4 - i32::from(rules.players.count());
    let payers = i32::from(rules.players.count()) - 1;
    let missing_share = if winner == dealer { double } else { single };
    let more = match rules.tsumo_split {
        TsumoSplit::Loss => 0,
        TsumoSplit::Bisect => hundreds((missing_players * missing_share / payers) as u32),
        TsumoSplit::Full => {
            let ron = hundreds(if winner == dealer { 6 } else { 4 } * base);
            return BySeat::from_fn(rules.players, |seat| if seat == winner { 0 } else { ron });
        }
    };
    BySeat::from_fn(rules.players, |seat| select_unpredictable(seat == winner, 0, share(seat) + more))
}

/// What a liable player pays for a self-draw, counters aside.
fn tsumo_total(claim: &Claim<'_>, base: u32, dealer: Seat, rules: &Rules) -> i32 {
    match rules.pao_tsumo_total {
        PaoTsumoTotal::SameAsTsumo => tsumo_shares(claim.winner, base, dealer, rules).sum(),
        PaoTsumoTotal::RonValue => ron_value(claim, base, dealer),
    }
}

fn tsumo_honba(claim: &Claim<'_>, rules: &Rules) -> i32 {
    claim.honba * rules.honba_tsumo * (i32::from(rules.players.count()) - 1)
}

/// The points that change hands for nagashi mangan: as a self-draw of a mangan, or of a yakuman, by each player who has it.
#[must_use]
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

/// The points that change hands at a draw between those who are tenpai and those who are not.
#[must_use]
pub fn noten_payments(tenpai: SeatSet, rules: &Rules) -> BySeat<i32> {
    let players = i32::from(rules.players.count());
    let ready = tenpai.len() as i32;
    if ready == 0 || ready == players {
        return BySeat::splat(rules.players, 0);
    }
    BySeat::from_fn(rules.players, |seat| {
        if tenpai.contains(seat) { rules.noten_pool / ready } else { -rules.noten_pool / (players - ready) }
    })
}

/// The points that change hands for a foul; their sum is 0, but for a penalty to the bank. A penalty in the result of the game is not
/// among them.
#[must_use]
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
            for (place, seat) in (0..).zip(rules.players.others(offender)) {
                paid[seat] = 100 * (share + i32::from(place < rest));
            }
            paid[offender] = -flat;
        }
        Chombo::FlatToBank => paid[offender] = -flat,
    }
    paid
}
