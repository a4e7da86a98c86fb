//! The text of a recorded game.

use jantaku_engine::replay::{RecordedEnd, RecordedGame, RecordedHand, RecordedWin};
use jantaku_engine::{Declare, DrawReason, Event, Meld, MeldKind, Rules, Seat, Tile};

use super::{Document, Entry, Hand, Item, Part, Rule, code};
use crate::logs::tenhou;

/// The text of a game of which everything is known, as a replay writes it down.
///
/// When an indicator was turned is not told, nor are the draws of players that the log leaves at three.
#[must_use]
pub fn write(game: &RecordedGame) -> String {
    let results = game.final_scores.as_ref().zip(game.results.as_ref());
    let sc = results.map(|(scores, results)| {
        let by_turns = scores.iter().zip(results.iter());
        by_turns.flat_map(|(points, result)| [f64::from(*points), f64::from(*result) / 1000.0]).collect()
    });
    let document = Document {
        title: [String::new(), String::new()],
        reference: String::new(),
        name: game.names.clone(),
        rule: rule(&game.rules),
        sc: sc.filter(|_| game.is_whole),
        log: game.hands.iter().map(|hand| write_hand(hand, &game.rules)).collect(),
    };
    serde_json::to_string(&document).expect("numbers and texts have a JSON form")
}

/// The marks of the rules, and the rules themselves.
fn rule(rules: &Rules) -> Rule {
    let mark = |holds: bool, mark: &'static str| if holds { mark } else { "" };
    let three = mark(rules.players.count() == 3, "三");
    let reds = rules.aka.by_suit();
    let length = if rules.wind_rounds == 1 { "東" } else { "南" };
    Rule {
        disp: [three, length, mark(rules.kuitan, "喰"), mark(reds != [0; 3], "赤")].concat(),
        aka: None,
        aka51: Some(reds[0]),
        aka52: Some(reds[1]),
        aka53: Some(reds[2]),
        rules: Some(rules.to_toml()),
    }
}

/// The lists of one player.
#[derive(Default)]
struct Lists {
    dealt: Vec<u8>,
    draws: Vec<Entry>,
    discards: Vec<Entry>,
}

fn write_hand(hand: &RecordedHand, rules: &Rules) -> Hand {
    let standing = &hand.standing;
    let count = u16::from(rules.players.count());
    let mut lists: [Lists; 4] = Default::default();
    for (seat, tiles) in hand.dealt.enumerate() {
        lists[seat.index()].dealt = tiles.iter().map(|tile| code(*tile)).collect();
    }
    let mut indicators: Vec<Tile> = hand.indicator.into_iter().collect();
    for event in &hand.events {
        write_event(event, &mut lists, &mut indicators);
    }
    indicators.extend(hand.listed_indicators.iter().flatten());
    let codes = |tiles: &[Tile]| tiles.iter().map(|tile| code(*tile)).collect();
    let [a, b, c, d] = lists;
    Hand(
        [standing.round / count * 4 + standing.round % count, standing.honba, standing.sticks],
        padded(standing.scores.as_slice()),
        codes(&indicators),
        codes(&hand.ura_indicators),
        a.dealt,
        a.draws,
        a.discards,
        b.dealt,
        b.draws,
        b.discards,
        c.dealt,
        c.draws,
        c.discards,
        d.dealt,
        d.draws,
        d.discards,
        hand.end.as_ref().map_or_else(Vec::new, |end| result(end, hand, rules)),
    )
}

/// Points of four places, 0 where nobody plays.
fn padded(points: &[i32]) -> Vec<i32> {
    (0..4).map(|place| points.get(place).copied().unwrap_or(0)).collect()
}

fn write_event(event: &Event, lists: &mut [Lists; 4], indicators: &mut Vec<Tile>) {
    match event {
        Event::Draw { seat, tile: Some(tile), .. } => {
            lists[seat.index()].draws.push(Entry::Tile(code(*tile)));
        }
        Event::Discard { seat, tile, tsumogiri, declare } => {
            let number = if *tsumogiri { 60 } else { code(*tile) };
            let declared = *declare == Declare::Riichi;
            let entry = if declared { Entry::Text(format!("r{number}")) } else { Entry::Tile(number) };
            lists[seat.index()].discards.push(entry);
        }
        Event::Call { seat, meld } => {
            lists[seat.index()].draws.push(Entry::Text(called(*seat, *meld)));
            if meld.is_kan() {
                lists[seat.index()].discards.push(Entry::Tile(0));
            }
        }
        Event::Ankan { seat, meld } => {
            let mut codes: Vec<u8> = meld.tiles().map(code).collect();
            codes.sort_unstable();
            lists[seat.index()].discards.push(Entry::Text(marked(&codes, 3, 'a')));
        }
        Event::Kakan { seat, tile } => {
            let added = added(&lists[seat.index()].draws, *tile);
            lists[seat.index()].discards.push(Entry::Text(added));
        }
        Event::Kita { seat } => lists[seat.index()].discards.push(Entry::Text("f44".to_owned())),
        Event::Indicator { tile } => indicators.push(*tile),
        Event::Draw { tile: None, .. }
        | Event::RiichiAccepted { .. }
        | Event::Deal { .. }
        | Event::HandEnd(_)
        | Event::GameEnd { .. } => {}
    }
}

/// The tiles of a call with its letter before one of them.
fn marked(codes: &[u8], place: usize, letter: char) -> String {
    let text = |codes: &[u8]| codes.iter().map(u8::to_string).collect::<String>();
    format!("{}{letter}{}", text(&codes[..place]), text(&codes[place..]))
}

/// A claimed meld: the letter and the claimed tile first, second or last, by where the discarder sits.
fn called(seat: Seat, meld: Meld) -> String {
    let mut codes: Vec<u8> = meld.tiles().map(code).collect();
    codes.sort_unstable();
    let Some(claimed) = meld.claimed() else { return marked(&codes, 0, 'c') };
    let claimed_code = code(claimed.tile);
    codes.remove(codes.iter().position(|code| *code == claimed_code).unwrap_or(0));
    let steps = (claimed.from.number() + 4 - seat.number()) % 4;
    let (letter, place) = match (meld.kind(), steps) {
        (MeldKind::Chi, _) => ('c', 0),
        (MeldKind::Daiminkan, 1) => ('m', 3),
        (MeldKind::Daiminkan, steps) => ('m', 3 - usize::from(steps)),
        (_, steps) => ('p', 3 - usize::from(steps)),
    };
    codes.insert(place, claimed_code);
    marked(&codes, place, letter)
}

/// The text of the pon of a tile's kind, with the tile in it as it is added.
fn added(draws: &[Entry], tile: Tile) -> String {
    // All tiles of a pon are of one kind, so the first tells it.
    let of_kind = |text: &str| {
        let first: String = text.chars().filter(char::is_ascii_digit).take(2).collect();
        let first = first.parse().ok().and_then(|number| super::tile(number).ok());
        text.contains('p') && first.is_some_and(|first| first.kind() == tile.kind())
    };
    let pon = draws.iter().rev().find_map(|entry| match entry {
        Entry::Text(text) if of_kind(text) => Some(text.as_str()),
        _ => None,
    });
    pon.unwrap_or("p").replace('p', &format!("k{}", code(tile)))
}

fn result(end: &RecordedEnd, hand: &RecordedHand, rules: &Rules) -> Vec<Part> {
    let points = |points: &[i32]| Part::List(padded(points).into_iter().map(Item::Number).collect());
    if !end.wins.is_empty() {
        let mut parts = vec![Part::Name("和了".to_owned())];
        for win in &end.wins {
            parts.extend(win.deltas.as_ref().map(|deltas| points(deltas.as_slice())));
            parts.push(Part::List(details(win, hand, rules)));
        }
        return parts;
    }
    let tenpai = end.tenpai.map(jantaku_engine::SeatSet::len);
    let name = match (end.draw, tenpai) {
        (Some(DrawReason::Exhaustive), Some(0)) => "全員不聴",
        (Some(DrawReason::Exhaustive), Some(all)) if all == u32::from(rules.players.count()) => "全員聴牌",
        (Some(reason), _) => tenhou::name_of_draw(reason),
        (None, _) => "流局",
    };
    let mut parts = vec![Part::Name(name.to_owned())];
    let paid = end.deltas.as_ref().filter(|deltas| deltas.iter().any(|points| *points != 0));
    parts.extend(paid.map(|deltas| points(deltas.as_slice())));
    parts
}

/// Winner, discarder, who is liable or the winner again, what the hand is worth, and the yaku.
fn details(win: &RecordedWin, hand: &RecordedHand, rules: &Rules) -> Vec<Item> {
    let number = |seat: Seat| Item::Number(i32::from(seat.number()));
    let liable = win.liable.flatten().unwrap_or(win.winner);
    let mut items = vec![number(win.winner), number(win.from.unwrap_or(win.winner)), number(liable)];
    items.push(Item::Text(worth(win, hand.dealer(), hand.standing.honba, rules)));
    let winds = hand.winds(win.winner);
    for (yaku, han) in win.yaku.iter().flatten() {
        let worth = if yaku.is_yakuman() { "役満".to_owned() } else { format!("{han}飜") };
        items.push(Item::Text(format!("{}({worth})", tenhou::name_of_yaku(*yaku, winds))));
    }
    for (name, han) in ["ドラ", "裏ドラ", "赤ドラ"].into_iter().zip(win.dora.into_iter().flatten()) {
        if han > 0 && win.yaku.iter().flatten().all(|(yaku, _)| !yaku.is_yakuman()) {
            items.push(Item::Text(format!("{name}({han}飜)")));
        }
    }
    items
}

/// A text such as `30符2飜2900点`, `満貫4000点∀` or `跳満3000-6000点`.
fn worth(win: &RecordedWin, dealer: Seat, honba: u16, rules: &Rules) -> String {
    let limit = win.limit.and_then(tenhou::name_of_limit).map(str::to_owned);
    let worth = limit.unwrap_or_else(|| format!("{}符{}飜", win.fu.unwrap_or(0), win.han.unwrap_or(0)));
    format!("{worth}{}", amount(win, dealer, honba, rules))
}

/// The points of a hand: in all for a ron, from each for a self-draw.
fn amount(win: &RecordedWin, dealer: Seat, honba: u16, rules: &Rules) -> String {
    let points = win.points.unwrap_or(0);
    let Some(deltas) = win.deltas.as_ref().filter(|_| win.from.is_none() && rules.players.count() > 2) else {
        return format!("{points}点");
    };
    let base = win.base.map_or(0, |base| base as i32);
    let hundreds = |points: i32| (points + 99) / 100 * 100;
    // Where nobody is liable, what each has paid tells how the hand was split.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_is_added_to_the_pon_of_its_kind() {
        let draws = ["c141516", "41p4141", "1414p14", "5115p15"].map(|text| Entry::Text(text.to_owned()));
        let add = |tile: &str| added(&draws, tile.parse().expect("a tile"));
        assert_eq!([add("4m"), add("1z"), add("5m")], ["1414k1414", "41k414141", "5115k1515"]);
    }
}
