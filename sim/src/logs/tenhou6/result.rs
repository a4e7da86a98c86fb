//! Reads the result of a hand.

use jantaku_engine::replay::{RecordedEnd, RecordedWin};
use jantaku_engine::{BySeat, DrawReason, Players, Seat, SeatSet, Wind};

use super::document::{ResultItem, ResultPart};
use super::value::HandValue;
use crate::logs::Problem;
use crate::logs::tenhou::fields::{self, YakuList};
use crate::logs::tenhou::names;

/// Reads a result: a name, then points and details alternating. A log that stops in a hand has
/// none.
///
/// `winds` gives the winds of a seat and of the round, if yaku of winds are to be checked.
pub(super) fn read(
    parts: &[ResultPart],
    players: Players,
    winds: impl Fn(Seat) -> Option<[Wind; 2]> + Copy,
) -> Result<Option<RecordedEnd>, Problem> {
    let Some(ResultPart::Name(name)) = parts.first() else { return Ok(None) };
    let end = if name == "和了" {
        wins(&parts[1..], players, winds)?
    } else {
        let points = parts.get(1).map(list).transpose()?;
        draw(name, points, players)?
    };
    Ok(Some(end))
}

fn list(part: &ResultPart) -> Result<&[ResultItem], Problem> {
    match part {
        ResultPart::List(items) => Ok(items),
        ResultPart::Name(text) => Err(Problem::value("result", format!("`{text}`"), "a list")),
    }
}

fn wins(
    parts: &[ResultPart],
    players: Players,
    winds: impl Fn(Seat) -> Option<[Wind; 2]> + Copy,
) -> Result<RecordedEnd, Problem> {
    let most = usize::from(players.count()) - 1;
    let mut wins = Vec::new();
    for pair in parts.chunks(2) {
        let [points, details] = pair else {
            return Err(Problem::Missing("the winner after the points".to_owned()));
        };
        wins.push(win(list(details)?, deltas_by_seat(list(points)?, players)?, players, winds)?);
        if wins.len() > most {
            return Err(Problem::length("winners", wins.len(), format!("at most {most}")));
        }
    }
    if wins.is_empty() {
        return Err(Problem::Missing("the winner".to_owned()));
    }
    let sum =
        |seat| wins.iter().filter_map(|win| Some(win.deltas.as_ref()?[seat])).fold(0, i32::saturating_add);
    let deltas = Some(BySeat::from_fn(players, sum));
    Ok(RecordedEnd { wins, draw: None, tenpai: None, deltas })
}

fn draw(name: &str, points: Option<&[ResultItem]>, players: Players) -> Result<RecordedEnd, Problem> {
    let deltas = points.map(|points| deltas_by_seat(points, players)).transpose()?;
    // Without payments, all players are tenpai or none.
    let paid = deltas.as_ref().map(|deltas| players.seats().filter(|seat| deltas[*seat] > 0).collect());
    let paid = paid.filter(|seats: &SeatSet| !seats.is_empty());
    let (draw, tenpai) = match name {
        "流局" => (DrawReason::Exhaustive, paid),
        "全員聴牌" => (DrawReason::Exhaustive, Some(players.seats().collect())),
        "全員不聴" => (DrawReason::Exhaustive, Some(SeatSet::EMPTY)),
        name => {
            let unknown = || Problem::unknown("result", format!("`{name}`"));
            (names::draw_named(name).ok_or_else(unknown)?, None)
        }
    };
    Ok(RecordedEnd { wins: Vec::new(), draw: Some(draw), tenpai, deltas })
}

fn deltas_by_seat(items: &[ResultItem], players: Players) -> Result<BySeat<i32>, Problem> {
    let number = |item: &ResultItem| match item {
        ResultItem::Number(number) => Ok(*number),
        ResultItem::Text(text) => Err(Problem::value("result", format!("`{text}`"), "points")),
    };
    let numbers = items.iter().map(number).collect::<Result<Vec<i32>, Problem>>()?;
    fields::by_seat("the points of the result", &numbers, players)
}

/// Reads a win: winner, discarder, the liable player or again the winner, the value, the yaku.
///
/// A log may leave out the value and the yaku.
fn win(
    items: &[ResultItem],
    deltas: BySeat<i32>,
    players: Players,
    winds: impl Fn(Seat) -> Option<[Wind; 2]>,
) -> Result<RecordedWin, Problem> {
    let seat = |index: usize| match items.get(index) {
        Some(ResultItem::Number(number)) => fields::seat(*number, players),
        _ => Err(Problem::Missing("winner, discarder or liable player".to_owned())),
    };
    let (winner, from, liable) = (seat(0)?, seat(1)?, seat(2)?);
    let texts: Vec<&str> = items[3..]
        .iter()
        .map(|item| match item {
            ResultItem::Text(text) => Ok(text.as_str()),
            ResultItem::Number(number) => Err(Problem::value("result", number, "a text")),
        })
        .collect::<Result<_, _>>()?;
    let (value, list) = match texts.split_first() {
        Some((value, yaku)) => {
            let list = (!yaku.is_empty()).then(|| read_yaku(yaku, winds(winner))).transpose()?;
            (HandValue::parse(value, players)?, list)
        }
        None => (HandValue::default(), None),
    };
    let is_yakuman = list.as_ref().is_some_and(YakuList::has_yakuman);
    let han = list.as_ref().map(|list| if is_yakuman { 0 } else { list.han() });
    if let (Some(stated), Some(listed)) = (value.han, han)
        && stated != listed
    {
        let what = format!("a hand of {stated} han, but its yaku and dora have {listed}");
        return Err(Problem::contradiction(what));
    }
    Ok(RecordedWin {
        winner,
        from: (from != winner).then_some(from),
        tile: None,
        han: han.or(value.han),
        dora: list.as_ref().filter(|_| !is_yakuman).map(|list| list.bonus),
        yaku: list.map(|list| list.yaku),
        fu: value.fu,
        points: value.points,
        limit: value.limit,
        base: None,
        liable: Some((liable != winner).then_some(liable)),
        deltas: Some(deltas),
    })
}

/// Reads yaku and bonus han from texts such as `平和(1飜)`.
fn read_yaku(texts: &[&str], winds: Option<[Wind; 2]>) -> Result<YakuList, Problem> {
    let mut list = YakuList::default();
    for text in texts {
        let unknown = || Problem::unknown("yaku", format!("`{text}`"));
        let (name, value) = text.split_once('(').ok_or_else(unknown)?;
        let digits: String = value.chars().take_while(char::is_ascii_digit).collect();
        let is_yakuman = value.starts_with("役満");
        let han: u8 = if is_yakuman { 0 } else { digits.parse().map_err(|_| unknown())? };
        match name {
            "ドラ" | "抜きドラ" => list.add_bonus(0, han),
            "裏ドラ" => list.add_bonus(1, han),
            "赤ドラ" => list.add_bonus(2, han),
            name => {
                let (yaku, wind) = names::yaku_named(name, is_yakuman).ok_or_else(unknown)?;
                if let (Some(wind), Some(winds)) = (wind, winds) {
                    fields::check_wind(yaku, wind, winds)?;
                }
                list.yaku.push((yaku, han));
            }
        }
    }
    list.yaku.sort_unstable();
    Ok(list)
}
