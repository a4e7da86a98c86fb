//! Writes a game, whole or as URLs of its hands.

use jantaku_engine::replay::{LogHeader, RecordedEnd, RecordedGame, RecordedHand, RecordedWin};
use jantaku_engine::rules::options::Aka;
use jantaku_engine::{Declare, DrawReason, Event, Meld, MeldKind, Rules, Seat, Tile};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::document::{
    Document, HandEntry, HandLists, ResultItem, ResultPart, Rule, SeatLists, TurnEntry, code, tile,
};
use super::value;
use crate::logs::tenhou::names;

/// The text of a game without gaps, such as one that a replay recorded.
///
/// The format does not say when an indicator was turned.
pub fn write(game: &RecordedGame) -> String {
    let results = game.final_scores.as_ref().zip(game.results.as_ref());
    let sc = results.map(|(scores, results)| {
        let alternating = scores.iter().zip(results.iter());
        alternating.flat_map(|(points, result)| [f64::from(*points), f64::from(*result) / 1000.0]).collect()
    });
    json(&Document { sc: sc.filter(|_| game.is_whole), ..document(game, &game.hands) })
}

/// A line for each hand: the URL that shows it in Tenhou's viewer.
///
/// The results of the game are left out.
pub fn write_urls(game: &RecordedGame) -> String {
    let url = |hand| {
        let text = json(&document(game, std::slice::from_ref(hand)));
        format!("https://tenhou.net/6/#json={}\n", utf8_percent_encode(&text, ENCODED))
    };
    game.hands.iter().map(url).collect()
}

/// The bytes that are percent-encoded in a URL.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

fn json(document: &Document) -> String {
    serde_json::to_string(document).expect("numbers and texts have a JSON form")
}

/// The document of some hands of a game, without its results.
fn document(game: &RecordedGame, hands: &[RecordedHand]) -> Document {
    let LogHeader { reference, title, dan, rate, sx, .. } = game.header.clone();
    let mut title: Vec<Value> = title.into_iter().map(Value::from).collect();
    // The viewer shows two lines.
    title.resize(title.len().max(2), Value::from(""));
    Document {
        title,
        reference,
        name: game.names.clone(),
        rule: rule(&game.rules, &game.header.room),
        dan,
        rate,
        sx,
        log: hands.iter().map(|hand| HandEntry::Hand(Box::new(write_hand(hand, &game.rules)))).collect(),
        ..Document::default()
    }
}

/// The name of the room, or else the marks of the rules, and all rules.
fn rule(rules: &Rules, room: &str) -> Rule {
    let mark = |holds: bool, mark: &'static str| if holds { mark } else { "" };
    let three = mark(rules.players.count() == 3, "三");
    let reds = rules.aka.by_suit();
    let length = if rules.wind_rounds == 1 { "東" } else { "南" };
    let marks = [three, length, mark(rules.kuitan, "喰"), mark(reds != [0; 3], "赤")].concat();
    Rule {
        disp: if room.is_empty() { marks } else { room.to_owned() },
        aka51: Some(reds[0]),
        aka52: Some(reds[1]),
        aka53: Some(reds[2]),
        rules: Some(rules.to_toml()),
        ..Rule::default()
    }
}

fn write_hand(hand: &RecordedHand, rules: &Rules) -> HandLists {
    let standing = &hand.standing;
    let count = u16::from(rules.players.count());
    let mut lists: [SeatLists; 4] = Default::default();
    for (seat, tiles) in hand.dealt.enumerate() {
        lists[seat.index()].dealt = tiles.iter().map(|tile| code(*tile)).collect();
    }
    let mut indicators: Vec<Tile> = hand.indicator.into_iter().collect();
    for event in &hand.events {
        write_event(event, &mut lists, &mut indicators);
    }
    indicators.extend(hand.listed_indicators.iter().flatten());
    let codes = |tiles: &[Tile]| tiles.iter().map(|tile| code(*tile)).collect();
    HandLists::new(
        [standing.round / count * 4 + standing.round % count, standing.honba, standing.sticks],
        padded(standing.scores.as_slice()),
        [codes(&indicators), codes(&hand.ura_indicators)],
        lists,
        hand.end.as_ref().map_or_else(Vec::new, |end| result(end, hand, rules)),
    )
}

/// The points of four seats, 0 for empty ones.
fn padded(points: &[i32]) -> Vec<i32> {
    (0..4).map(|seat| points.get(seat).copied().unwrap_or(0)).collect()
}

fn write_event(event: &Event, lists: &mut [SeatLists; 4], indicators: &mut Vec<Tile>) {
    match event {
        Event::Draw { seat, tile: Some(tile), .. } => {
            lists[seat.index()].draws.push(TurnEntry::Tile(code(*tile)));
        }
        Event::Discard { seat, tile, tsumogiri, declare } => {
            let number = if *tsumogiri { 60 } else { code(*tile) };
            let declared = *declare == Declare::Riichi;
            let entry =
                if declared { TurnEntry::Text(format!("r{number}")) } else { TurnEntry::Tile(number) };
            lists[seat.index()].discards.push(entry);
        }
        Event::Call { seat, meld } => {
            lists[seat.index()].draws.push(TurnEntry::Text(claim_text(*seat, *meld)));
            if meld.is_kan() {
                lists[seat.index()].discards.push(TurnEntry::Tile(0));
            }
        }
        Event::Ankan { seat, meld } => {
            let mut codes: Vec<u8> = meld.tiles().map(code).collect();
            codes.sort_unstable();
            lists[seat.index()].discards.push(TurnEntry::Text(call_text(&codes, 3, 'a')));
        }
        Event::Kakan { seat, tile } => {
            let kakan = kakan_text(&lists[seat.index()].draws, *tile);
            lists[seat.index()].discards.push(TurnEntry::Text(kakan));
        }
        Event::Kita { seat } => lists[seat.index()].discards.push(TurnEntry::Text("f44".to_owned())),
        Event::Indicator { tile } => indicators.push(*tile),
        Event::Draw { tile: None, .. }
        | Event::RiichiAccepted { .. }
        | Event::Deal { .. }
        | Event::DeadHand { .. }
        | Event::HandEnd(_)
        | Event::GameEnd { .. } => {}
    }
}

/// The text of a call: its tiles with a letter before the one at `index`.
fn call_text(codes: &[u8], index: usize, letter: char) -> String {
    let text = |codes: &[u8]| codes.iter().map(u8::to_string).collect::<String>();
    format!("{}{letter}{}", text(&codes[..index]), text(&codes[index..]))
}

/// The text of a meld with a claimed tile. The claimed tile stands where the discarder sits.
fn claim_text(seat: Seat, meld: Meld) -> String {
    let mut codes: Vec<u8> = meld.tiles().map(code).collect();
    codes.sort_unstable();
    let Some(claimed) = meld.claimed() else { return call_text(&codes, 0, 'c') };
    let claimed_code = code(claimed.tile);
    codes.remove(codes.iter().position(|code| *code == claimed_code).unwrap_or(0));
    let steps = (claimed.from.number() + 4 - seat.number()) % 4;
    let (letter, index) = match (meld.kind(), steps) {
        (MeldKind::Chi, _) => ('c', 0),
        (MeldKind::Daiminkan, 1) => ('m', 3),
        (MeldKind::Daiminkan, steps) => ('m', 3 - usize::from(steps)),
        (_, steps) => ('p', 3 - usize::from(steps)),
    };
    codes.insert(index, claimed_code);
    call_text(&codes, index, letter)
}

/// For tiles whose kind alone matters.
const NO_REDS: Aka = Aka { m: 0, p: 0, s: 0 };

/// The text of a kakan: its pon's, with the added tile after the letter.
fn kakan_text(draws: &[TurnEntry], added: Tile) -> String {
    // All tiles of a pon are of one kind, so the first is enough.
    let is_its_pon = |text: &str| {
        let first: String = text.chars().filter(char::is_ascii_digit).take(2).collect();
        let first = first.parse().ok().and_then(|number| tile(number, NO_REDS).ok());
        text.contains('p') && first.is_some_and(|first| first.kind() == added.kind())
    };
    let pon = draws.iter().rev().find_map(|entry| match entry {
        TurnEntry::Text(text) if is_its_pon(text) => Some(text.as_str()),
        _ => None,
    });
    pon.unwrap_or("p").replace('p', &format!("k{}", code(added)))
}

fn result(end: &RecordedEnd, hand: &RecordedHand, rules: &Rules) -> Vec<ResultPart> {
    let points =
        |points: &[i32]| ResultPart::List(padded(points).into_iter().map(ResultItem::Number).collect());
    if !end.wins.is_empty() {
        let mut parts = vec![ResultPart::Name("和了".to_owned())];
        for win in &end.wins {
            parts.extend(win.deltas.as_ref().map(|deltas| points(deltas.as_slice())));
            parts.push(ResultPart::List(details(win, hand, rules)));
        }
        return parts;
    }
    let tenpai = end.tenpai.map(jantaku_engine::SeatSet::len);
    let name = match (end.draw, tenpai) {
        (Some(DrawReason::Exhaustive), Some(0)) => "全員不聴",
        (Some(DrawReason::Exhaustive), Some(all)) if all == u32::from(rules.players.count()) => "全員聴牌",
        (Some(reason), _) => names::draw_name(reason),
        (None, _) => "流局",
    };
    let mut parts = vec![ResultPart::Name(name.to_owned())];
    let paid = end.deltas.as_ref().filter(|deltas| deltas.iter().any(|points| *points != 0));
    parts.extend(paid.map(|deltas| points(deltas.as_slice())));
    parts
}

/// Winner, discarder, the liable player or again the winner, the value, the yaku and bonus han.
fn details(win: &RecordedWin, hand: &RecordedHand, rules: &Rules) -> Vec<ResultItem> {
    let number = |seat: Seat| ResultItem::Number(i32::from(seat.number()));
    let liable = win.liable.flatten().unwrap_or(win.winner);
    let mut items = vec![number(win.winner), number(win.from.unwrap_or(win.winner)), number(liable)];
    items.push(ResultItem::Text(value::text(win, hand.dealer(), hand.standing.honba, rules)));
    let winds = hand.winds(win.winner);
    for (yaku, han) in win.yaku.iter().flatten() {
        let value = if yaku.is_yakuman() { "役満".to_owned() } else { format!("{han}飜") };
        items.push(ResultItem::Text(format!("{}({value})", names::yaku_name(*yaku, winds))));
    }
    let [dora, ura, red] = win.dora.unwrap_or_default();
    // In the viewer's order.
    for (name, han) in [("ドラ", dora), ("赤ドラ", red), ("裏ドラ", ura)] {
        if han > 0 && win.yaku.iter().flatten().all(|(yaku, _)| !yaku.is_yakuman()) {
            items.push(ResultItem::Text(format!("{name}({han}飜)")));
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kakan_finds_the_pon_of_its_kind() {
        let draws = ["c141516", "41p4141", "1414p14", "5115p15"].map(|text| TurnEntry::Text(text.to_owned()));
        let add = |tile: &str| kakan_text(&draws, tile.parse().expect("a tile"));
        assert_eq!([add("4m"), add("1z"), add("5m")], ["1414k1414", "41k414141", "5115k1515"]);
    }
}
