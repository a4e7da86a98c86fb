//! The value of a won hand as text: `30符2飜2900点`, `満貫4000点∀`, `跳満3000-6000点`. Mahjong Soul's
//! converters also write `Haneman 12000点`, `30Fu2Han1000点∀` or `30符6飜跳満18000点`.

use jantaku_engine::replay::RecordedWin;
use jantaku_engine::{Limit, Players, Rules, Seat};

use crate::logs::Problem;
use crate::logs::tenhou::names;

/// The parts of a value text that a log gives.
#[derive(Default)]
pub(super) struct HandValue {
    pub(super) fu: Option<u8>,
    pub(super) han: Option<u32>,
    pub(super) limit: Option<Limit>,
    pub(super) points: Option<i32>,
}

/// The units of fu, of han and of points, in plain characters.
const FU: [&str; 2] = ["符", "fu"];
const HAN: [&str; 2] = ["飜", "han"];
const POINTS: [&str; 3] = ["点", "points", "point"];
/// What follows the points that each other player pays.
const FROM_ALL: [&str; 3] = ["∀", "all", "オール"];

impl HandValue {
    /// Reads a value text: fu and han, or a limit, or both; then points. If the name of the limit is
    /// unknown, it adds a problem with the text to `unknown`.
    pub(super) fn parse(
        text: &str,
        players: Players,
        unknown: &mut Vec<Problem>,
    ) -> Result<HandValue, Problem> {
        let wrong =
            || Problem::value("value of the hand", format!("`{text}`"), "fu and han or a limit, and points");
        let plain: String = text.chars().map(names::plain_character).filter(|c| !c.is_whitespace()).collect();
        let plain = plain.to_lowercase();
        let (fu, rest) = counted(&plain, &FU);
        let (han, rest) = counted(rest, &HAN);
        let (limit, amount) = rest.split_at(start_of_points(rest));
        if amount.is_empty() && rest.contains(|c: char| c.is_ascii_digit()) {
            return Err(wrong());
        }
        let points = if amount.is_empty() { None } else { Some(points(amount, players).ok_or_else(wrong)?) };
        let named = names::limit_named(limit);
        if named.is_none() && !limit.is_empty() {
            unknown.push(Problem::unknown("limit", format!("`{text}`")));
        }
        let number = |digits: Option<&str>| digits.map(|digits| digits.parse::<u8>().map_err(|_| wrong()));
        let is_given = fu.or(han).is_some();
        let (fu, han) = (number(fu).transpose()?, number(han).transpose()?.map(u32::from));
        // Fu or han without the name of a limit: below mangan. From 5 han on, some converters leave the
        // name out, so the limit is not known.
        let is_below_mangan = is_given && limit.is_empty() && han.is_none_or(|han| han < 5);
        let below_mangan = is_below_mangan.then_some(Limit::None);
        Ok(HandValue { fu, han, limit: named.or(below_mangan), points })
    }
}

/// The digits before a unit, and the rest. None without digits or with another unit.
fn counted<'a>(text: &'a str, units: &[&str]) -> (Option<&'a str>, &'a str) {
    let (digits, after) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let rest = units.iter().find_map(|unit| after.strip_prefix(unit));
    rest.filter(|_| !digits.is_empty()).map_or((None, text), |rest| (Some(digits), rest))
}

/// The text without one of these words at its end.
fn strip<'a>(text: &'a str, words: &[&str]) -> &'a str {
    words.iter().find_map(|word| text.strip_suffix(word)).unwrap_or(text)
}

/// Where the points begin: after the name of the limit, or at the end of a text without points.
fn start_of_points(text: &str) -> usize {
    let amount = strip(strip(text, &FROM_ALL), &POINTS);
    let of_points = |c: char| c.is_ascii_digit() || c == '-';
    let start = amount.trim_end_matches(of_points).len();
    if start == amount.len() { text.len() } else { start }
}

/// The points of a hand: a sum, the payment of each other player, or the payments of the others and
/// the dealer.
fn points(amount: &str, players: Players) -> Option<i32> {
    let is_from_all = strip(amount, &FROM_ALL).len() < amount.len();
    let amount = strip(strip(amount, &FROM_ALL), &POINTS);
    let count = i32::from(players.count());
    let number = |text: &str| text.parse::<i32>().ok();
    match amount.split_once('-') {
        Some((each, dealer)) => number(each)?.checked_mul(count - 2)?.checked_add(number(dealer)?),
        None if is_from_all => number(amount)?.checked_mul(count - 1),
        None => number(amount),
    }
}

/// The value text of a win in a hand with this dealer and honba.
pub(super) fn text(win: &RecordedWin, dealer: Seat, honba: u16, rules: &Rules) -> String {
    let limit = win.limit.and_then(names::limit_name).map(str::to_owned);
    let value = limit.unwrap_or_else(|| format!("{}符{}飜", win.fu.unwrap_or(0), win.han.unwrap_or(0)));
    format!("{value}{}", amount(win, dealer, honba, rules))
}

/// The points of a hand: the sum for a ron, the payments of the other players for a tsumo.
fn amount(win: &RecordedWin, dealer: Seat, honba: u16, rules: &Rules) -> String {
    let points = win.points.unwrap_or(0);
    let Some(deltas) = win.deltas.as_ref().filter(|_| win.from.is_none() && rules.players.count() > 2) else {
        return format!("{points}点");
    };
    let base = win.base.map_or(0, |base| base as i32);
    let hundreds = |points: i32| (points + 99) / 100 * 100;
    // Without liability, each player's payment shows the split of the hand.
    let is_liable = win.liable.flatten().is_some();
    let paid = |seat: Seat, times: i32| {
        if is_liable { hundreds(times * base) } else { -deltas[seat] - i32::from(honba) * rules.honba_tsumo }
    };
    let other = rules.players.others(win.winner).find(|seat| *seat != dealer).unwrap_or(dealer);
    if win.winner == dealer {
        format!("{}点∀", paid(other, 2))
    } else {
        format!("{}-{}点", paid(other, 1), paid(dealer, 2))
    }
}
