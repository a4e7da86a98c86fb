//! Placements and results at the end of a game.

use serde::{Deserialize, Serialize};

use crate::rules::Rules;
use crate::rules::options::{FinalRounding, LeftoverSticks, TieRule};
use crate::{BySeat, Seat};

/// A player's placement and result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct FinalResult {
    /// The placement; 1 is first place. Tied players get different placements in the order of
    /// seats, even if they share the bonus.
    pub placement: u8,
    /// Points at the end.
    pub points: i32,
    /// Points minus the return points, plus uma and oka, minus penalties. 55000 is +55.0.
    /// The rules may round the points first.
    pub result: i32,
}

/// The places that a player takes: their own, or those that tied players share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Places {
    /// The first of them; 1 is first place.
    pub first: u8,
    /// The last of them.
    pub last: u8,
}

/// The places of each seat. Under [`TieRule::Shared`], players with equal points share theirs.
///
/// ```
/// use jantaku_engine::rules::options::TieRule;
/// use jantaku_engine::{BySeat, Players, Rules, final_results, places};
///
/// let scores = BySeat::from_slice(Players::Four, &[25_000, 30_000, 25_000, 20_000]).expect("four seats");
/// let results = final_results(&scores, &Rules::default());
/// let last = |tie_rule| places(&results, tie_rule).map(|own| own.last);
/// assert_eq!(last(TieRule::SeatOrder).as_slice(), [2, 1, 3, 4]);
/// assert_eq!(last(TieRule::Shared).as_slice(), [3, 1, 3, 4]);
/// ```
pub fn places(results: &BySeat<FinalResult>, tie_rule: TieRule) -> BySeat<Places> {
    results.map(|own| {
        let is_tied = |other: &&FinalResult| tie_rule == TieRule::Shared && other.points == own.points;
        let tied = results.iter().filter(is_tied).map(|other| other.placement);
        let (first, last) = (tied.clone().fold(own.placement, u8::min), tied.fold(own.placement, u8::max));
        Places { first, last }
    })
}

/// The player in first place; among tied players the one in the earlier seat.
pub(crate) fn leader(scores: &BySeat<i32>) -> Seat {
    ranked(scores)[0]
}

/// Seats by points; tied players in the order of seats.
fn ranked(scores: &BySeat<i32>) -> Vec<Seat> {
    let mut seats: Vec<Seat> = scores.players().seats().collect();
    seats.sort_by_key(|seat| (-scores[*seat], *seat));
    seats
}

/// The points that each seat gets from the riichi sticks left on the table.
pub(crate) fn leftover_sticks(scores: &BySeat<i32>, sticks: u16, rules: &Rules) -> BySeat<i32> {
    let mut gains = BySeat::splat(rules.players, 0);
    let points = rules.riichi_stick * i32::from(sticks);
    let first = leader(scores);
    match rules.leftover_sticks {
        LeftoverSticks::ToTop => gains[first] = points,
        LeftoverSticks::SplitTop | LeftoverSticks::SplitTopFloor => {
            let tied: Vec<Seat> =
                rules.players.seats().filter(|seat| scores[*seat] == scores[first]).collect();
            let keeps_rest = rules.leftover_sticks == LeftoverSticks::SplitTop;
            let shares = in_hundreds(points / 100, tied.len(), keeps_rest);
            tied.into_iter().zip(shares).for_each(|(seat, share)| gains[seat] = share);
        }
        LeftoverSticks::Lost => {}
    }
    gains
}

/// Placements and results, without penalties for fouls. The leftover riichi sticks must already be in the
/// scores.
pub fn final_results(scores: &BySeat<i32>, rules: &Rules) -> BySeat<FinalResult> {
    let order = ranked(scores);
    let oka = i32::from(rules.players.count()) * (rules.return_points - rules.start_points);
    let bonus: Vec<i32> = (0..)
        .zip(rules.uma_after(scores))
        .map(|(row, uma)| 1000 * i32::from(*uma) + if row == 0 { oka } else { 0 })
        .collect();
    let bonus = match rules.tie_rule {
        TieRule::SeatOrder => bonus,
        TieRule::Shared => shared(&order, scores, &bonus),
    };
    let mut results = BySeat::splat(rules.players, FinalResult { placement: 0, points: 0, result: 0 });
    for ((placement, seat), bonus) in (1..).zip(&order).zip(bonus) {
        let points = scores[*seat];
        let result = rounded(points, rules.final_rounding) - rules.return_points + bonus;
        results[*seat] = FinalResult { placement, points, result };
    }
    if rules.final_rounding != FinalRounding::None {
        // First place takes the balance.
        let others: i32 = order[1..].iter().map(|seat| results[*seat].result).sum();
        results[order[0]].result = -others;
    }
    results
}

/// The bonuses by placement, averaged over tied players. A remainder of hundreds goes to the
/// earlier seats.
fn shared(order: &[Seat], scores: &BySeat<i32>, bonus: &[i32]) -> Vec<i32> {
    let mut shared = Vec::new();
    for tied in order.chunk_by(|a, b| scores[*a] == scores[*b]) {
        let placements = shared.len()..shared.len() + tied.len();
        let hundreds: i32 = bonus[placements].iter().sum::<i32>() / 100;
        shared.extend(in_hundreds(hundreds, tied.len(), true));
    }
    shared
}

/// Equal shares of `hundreds`, in points. The first shares get the remainder, 100 points each, or it is
/// lost.
fn in_hundreds(hundreds: i32, shares: usize, keeps_rest: bool) -> Vec<i32> {
    let count = shares as i32;
    let (share, rest) = (hundreds.div_euclid(count), hundreds.rem_euclid(count));
    (0..count).map(|i| 100 * (share + i32::from(keeps_rest && i < rest))).collect()
}

fn rounded(points: i32, rounding: FinalRounding) -> i32 {
    match rounding {
        FinalRounding::None => points,
        FinalRounding::GoSharokunyu => (points + 499).div_euclid(1000) * 1000,
        FinalRounding::HalfUp => (points.abs() + 500) / 1000 * 1000 * points.signum(),
    }
}
