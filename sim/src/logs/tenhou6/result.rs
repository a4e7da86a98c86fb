//! Reads the result of a hand.

use jantaku_engine::replay::{RecordedEnd, RecordedHand, RecordedWin, seat_of};
use jantaku_engine::{BySeat, DrawReason, Limit, Players, Seat, SeatSet};

use super::document::{ResultItem, ResultPart};
use super::value::HandValue;
use crate::logs::Problem;
use crate::logs::tenhou::fields::{self, YakuList};
use crate::logs::tenhou::names;

/// Reads results of a hand.
pub(super) struct ResultReader<'a> {
    pub(super) players: Players,
    /// The hand, if yaku of winds are to be checked.
    pub(super) hand: Option<&'a RecordedHand>,
    /// Unknown names, which a replay does not compare.
    pub(super) unknown: &'a mut Vec<Problem>,
}

impl ResultReader<'_> {
    /// Reads a result: a name, then points and details alternating. A log that stops in a hand has
    /// none.
    pub(super) fn read(&mut self, parts: &[ResultPart]) -> Result<Option<RecordedEnd>, Problem> {
        let Some(ResultPart::Name(name)) = parts.first() else { return Ok(None) };
        let draw = draw_named(name);
        let is_win = names::is_win(name);
        if !is_win && draw.is_none() {
            self.unknown.push(Problem::unknown("result", format!("`{name}`")));
        }
        // Only a win has details after its points.
        if is_win || draw.is_none() && parts.len() > 2 {
            return self.wins(&parts[1..]).map(Some);
        }
        let points = parts.get(1).map(list).transpose()?;
        read_draw(draw, points, self.players).map(Some)
    }

    fn wins(&mut self, parts: &[ResultPart]) -> Result<RecordedEnd, Problem> {
        let players = self.players;
        let most = usize::from(players.count()) - 1;
        let mut wins = Vec::new();
        for pair in parts.chunks(2) {
            let [points, details] = pair else {
                return Err(Problem::missing("the winner after the points"));
            };
            let deltas = deltas_by_seat(list(points)?, players)?;
            wins.push(self.win(list(details)?, deltas)?);
            if wins.len() > most {
                return Err(Problem::length("winners", wins.len(), format!("at most {most}")));
            }
        }
        if wins.is_empty() {
            return Err(Problem::missing("the winner"));
        }
        let all = wins.iter().filter_map(|win| win.deltas);
        let deltas = all.reduce(|sum, deltas| sum.saturating_add(&deltas));
        Ok(RecordedEnd { wins, draw: None, tenpai: None, deltas })
    }

    /// Reads a win: winner, discarder, the liable player or again the winner, the value, the yaku.
    ///
    /// A log may leave out the value and the yaku.
    fn win(&mut self, items: &[ResultItem], deltas: BySeat<i32>) -> Result<RecordedWin, Problem> {
        let players = self.players;
        let seat = |index: usize| match items.get(index) {
            Some(ResultItem::Number(number)) => seat_of(*number, players),
            _ => Err(Problem::missing("winner, discarder or liable player")),
        };
        let (winner, from, liable) = (seat(0)?, seat(1)?, seat(2)?);
        let texts: Vec<&str> = items[3..]
            .iter()
            .map(|item| match item {
                ResultItem::Text(text) => Ok(text.as_str()),
                // Noted like any other unknown name.
                ResultItem::Null => Ok("null"),
                ResultItem::Number(number) => Err(Problem::value("result", number, "a text")),
            })
            .collect::<Result<_, _>>()?;
        let (value, listed_yaku) = match texts.split_first() {
            Some((value, yaku)) => {
                let listed = if yaku.is_empty() { ListedYaku::default() } else { self.yaku(yaku, winner)? };
                (HandValue::parse(value, players, self.unknown)?, listed)
            }
            None => (HandValue::default(), ListedYaku::default()),
        };
        // The fu and han that a log may state for a yakuman are not those of the hand.
        let stated = value.han.filter(|_| !listed_yaku.is_yakuman);
        if let (Some(stated), Some(listed)) = (stated, listed_yaku.han)
            && stated != listed
        {
            let what = format!("a hand of {stated} han, but its yaku and dora have {listed}");
            return Err(Problem::new(what));
        }
        Ok(RecordedWin {
            winner,
            from: (from != winner).then_some(from),
            tile: None,
            han: listed_yaku.han.or(stated),
            dora: listed_yaku.list.as_ref().filter(|_| !listed_yaku.is_yakuman).map(|list| list.bonus),
            yaku: listed_yaku.list.map(|list| list.yaku),
            fu: value.fu.filter(|_| !listed_yaku.is_yakuman),
            points: value.points,
            limit: value.limit,
            base: None,
            liable: Some((liable != winner).then_some(liable)),
            deltas: Some(deltas),
        })
    }

    /// Reads yaku and bonus han from texts such as `平和(1飜)`.
    fn yaku(&mut self, texts: &[&str], winner: Seat) -> Result<ListedYaku, Problem> {
        let winds = self.hand.map(|hand| hand.winds(winner));
        let (mut list, mut is_yakuman, mut han, mut is_known) = (YakuList::default(), false, Some(0), true);
        for text in texts {
            let (name, value) = text.split_once(['(', '（']).unwrap_or((text, ""));
            let digits: String = value.chars().take_while(char::is_ascii_digit).collect();
            let is_limit = names::limit_named(value) == Some(Limit::Yakuman);
            let stated = if is_limit { Some(0) } else { digits.parse::<u8>().ok() };
            is_yakuman |= is_limit;
            han = han.zip(stated).map(|(sum, han)| sum + u32::from(han));
            match (names::bonus_named(name), names::yaku_named(name, is_limit), stated) {
                (Some(index), _, Some(han)) => list.add_bonus(index, han),
                (_, Some((yaku, wind)), Some(han)) => {
                    let yaku = fields::wind_yaku(yaku, wind, winds)?;
                    list.yaku.push((yaku, if yaku.is_yakuman() { 0 } else { han }));
                }
                _ => {
                    self.unknown.push(Problem::unknown("yaku", format!("`{text}`")));
                    is_known = false;
                }
            }
        }
        list.yaku.sort_unstable();
        let is_yakuman = is_yakuman || list.has_yakuman();
        let han = if is_yakuman { Some(0) } else { han };
        Ok(ListedYaku { list: Some(list).filter(|_| is_known), han, is_yakuman })
    }
}

fn list(part: &ResultPart) -> Result<&[ResultItem], Problem> {
    match part {
        ResultPart::List(items) => Ok(items),
        ResultPart::Name(text) => Err(Problem::value("result", format!("`{text}`"), "a list")),
    }
}

/// The draw with this name, and whether all players are tenpai or none, if the name states it.
fn draw_named(name: &str) -> Option<(DrawReason, Option<bool>)> {
    match names::plain(name).as_str() {
        "全員聴牌" => Some((DrawReason::Exhaustive, Some(true))),
        "全員不聴" => Some((DrawReason::Exhaustive, Some(false))),
        _ => names::draw_named(name).map(|reason| (reason, None)),
    }
}

fn read_draw(
    draw: Option<(DrawReason, Option<bool>)>,
    points: Option<&[ResultItem]>,
    players: Players,
) -> Result<RecordedEnd, Problem> {
    let deltas = points.map(|points| deltas_by_seat(points, players)).transpose()?;
    // Without payments, either all players or none are tenpai: the points do not say which.
    let paid = deltas.as_ref().map(|deltas| players.seats().filter(|seat| deltas[*seat] > 0).collect());
    let paid = paid.filter(|seats: &SeatSet| !seats.is_empty());
    let tenpai = match draw {
        Some((_, Some(true))) => Some(players.seats().collect()),
        Some((_, Some(false))) => Some(SeatSet::EMPTY),
        Some((DrawReason::Exhaustive, None)) => paid,
        _ => None,
    };
    Ok(RecordedEnd { wins: Vec::new(), draw: draw.map(|(reason, _)| reason), tenpai, deltas })
}

fn deltas_by_seat(items: &[ResultItem], players: Players) -> Result<BySeat<i32>, Problem> {
    let number = |item: &ResultItem| match item {
        ResultItem::Number(number) => Ok(*number),
        ResultItem::Text(text) => Err(Problem::value("result", format!("`{text}`"), "points")),
        ResultItem::Null => Err(Problem::value("result", "null", "points")),
    };
    let numbers = items.iter().map(number).collect::<Result<Vec<i32>, Problem>>()?;
    fields::by_seat("the points of the result", &numbers, players)
}

/// What the list of yaku says about a win.
#[derive(Default)]
struct ListedYaku {
    /// The yaku and bonus han. None if a name is not known.
    list: Option<YakuList>,
    /// Han with dora, 0 for a yakuman. None if the list does not say it.
    han: Option<u32>,
    is_yakuman: bool,
}
