//! The value of a won hand as text: `30符2飜2900点`, `満貫4000点∀`, `跳満3000-6000点`.

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

impl HandValue {
    pub(super) fn parse(text: &str, players: Players) -> Result<HandValue, Problem> {
        let wrong =
            || Problem::value("value of the hand", format!("`{text}`"), "fu and han or a limit, and points");
        HandValue::find(text, players).ok_or_else(wrong)
    }

    fn find(text: &str, players: Players) -> Option<HandValue> {
        let (amount, is_from_all) = match text.strip_suffix('∀') {
            Some(amount) => (amount, true),
            None => (text, false),
        };
        let amount = amount.strip_suffix('点')?;
        let (value, amount) =
            amount.split_at(amount.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-').len());
        let count = i32::from(players.count());
        let number = |text: &str| text.parse::<i32>().ok();
        let points = match amount.split_once('-') {
            Some((each, dealer)) => number(each)?.checked_mul(count - 2)?.checked_add(number(dealer)?)?,
            None if is_from_all => number(amount)?.checked_mul(count - 1)?,
            None => number(amount)?,
        };
        let value = match value.split_once('符') {
            Some((fu, han)) => HandValue {
                fu: Some(fu.parse().ok()?),
                han: Some(han.strip_suffix('飜')?.parse().ok()?),
                limit: Some(Limit::None),
                points: None,
            },
            None if value.is_empty() => HandValue::default(),
            None => HandValue { limit: Some(names::limit_named(value)?), ..HandValue::default() },
        };
        Some(HandValue { points: Some(points), ..value })
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
