//! Logs of our own games, edited so that one statement contradicts the rest.
//!
//! The reader or the replay must report every such edit.
#![expect(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeMap;

use jantaku_engine::replay::RecordedGame;
use jantaku_engine::{Rng, Rules};
use serde_json::{Value, json};

use crate::common::logs::{differences, mjai, read_all, tenhou6};
use crate::sizes::EDIT_POSITIONS;

/// Short games in which all kinds of events occur.
fn games() -> Vec<RecordedGame> {
    let rules = ["tenhou", "tenhou-sanma", "mjsoul"].map(east_only);
    (0..60).map(|seed| crate::common::played(&rules[seed as usize % 3], seed)).collect()
}

fn east_only(preset: &str) -> Rules {
    Rules { wind_rounds: 1, ..Rules::preset(preset).unwrap() }
}

/// The first error, difference or note when a log is read and replayed. None for a good log.
fn problem(log: String, rules: &Rules) -> Option<String> {
    match read_all(log, Some(rules)).remove(0) {
        Ok(game) => differences(&game).into_iter().chain(game.notes.iter().cloned()).next(),
        Err(error) => Some(error.to_string()),
    }
}

/// The name of an edit, and a function that changes a log at a position. None if nothing can be
/// changed.
type Edit<L> = (&'static str, fn(&L, usize) -> Option<L>);

/// Tries all edits at some positions of all logs. A log comes with its number of positions and its
/// rules.
fn try_edits<L>(edits: &[Edit<L>], logs: &[(L, usize, Rules)], text: fn(&L) -> String) {
    for (log, _, rules) in logs {
        assert_eq!(problem(text(log), rules), None);
    }
    let (mut tried, mut silent) = (BTreeMap::<&str, usize>::new(), Vec::new());
    for (number, (name, change)) in edits.iter().enumerate() {
        for (game, (log, positions, rules)) in logs.iter().enumerate() {
            let mut rng = Rng::new((number * logs.len() + game) as u64);
            let start = rng.below(*positions);
            let changed = (start..*positions).chain(0..start).filter_map(|at| Some((at, change(log, at)?)));
            for (at, edited) in changed.take(EDIT_POSITIONS.get() as usize) {
                *tried.entry(name).or_default() += 1;
                if problem(text(&edited), rules).is_none() {
                    silent.push(format!("{name}, game {game}, position {at}"));
                }
            }
        }
    }
    println!("{tried:?}");
    assert_eq!(silent, [""; 0], "edits without an error or difference");
    let untried: Vec<&str> =
        edits.iter().map(|(name, _)| *name).filter(|name| !tried.contains_key(name)).collect();
    assert_eq!(untried, [""; 0], "edits that fit no game");
}

/// The events of an mjai log.
type Events = Vec<Value>;

fn is(log: &Events, at: usize, kind: &str) -> Option<()> {
    (log.get(at)?["type"] == kind).then_some(())
}

/// Removes an event of this type.
fn without(log: &Events, at: usize, kind: &str) -> Option<Events> {
    is(log, at, kind)?;
    Some([&log[..at], &log[at + 1..]].concat())
}

/// Inserts an event.
fn put(log: &Events, at: usize, event: Value) -> Events {
    [&log[..at], &[event], &log[at..]].concat()
}

/// Changes the value of a key in an event of this type.
fn with(
    log: &Events,
    at: usize,
    kind: &str,
    key: &str,
    change: impl FnOnce(&Value) -> Value,
) -> Option<Events> {
    is(log, at, kind)?;
    let changed = change(log[at].get(key)?);
    let mut log = (changed != log[at][key]).then(|| log.clone())?;
    log[at][key] = changed;
    Some(log)
}

/// Adds to a number.
fn plus(number: &Value, more: i64) -> Value {
    (number.as_i64().unwrap() + more).into()
}

/// Adds to the first number of a list, and subtracts from the second.
fn shifted(numbers: &Value, more: i64) -> Value {
    let mut numbers = numbers.clone();
    numbers[0] = plus(&numbers[0], more);
    numbers[1] = plus(&numbers[1], -more);
    numbers
}

/// The number of another player.
fn next(actor: &Value) -> Value {
    ((actor.as_i64().unwrap() + 1) % 3).into()
}

/// Removes the hand that starts at this event.
fn without_hand(log: &Events, at: usize) -> Option<Events> {
    is(log, at, "start_kyoku")?;
    let end = at + log[at..].iter().position(|event| event["type"] == "end_kyoku")? + 1;
    Some([&log[..at], &log[end..]].concat())
}

/// The player of a discard without riichi.
fn plain_discard(log: &Events, at: usize) -> Option<&Value> {
    is(log, at, "dahai")?;
    (log[at - 1]["type"] != "reach").then_some(&log[at]["actor"])
}

const MJAI: &[Edit<Events>] = &[
    ("no draw at the end", |log, at| without(log, at, "ryukyoku")),
    ("no draw at the end, and the hand after it missing", |log, at| {
        without_hand(&without(log, at, "ryukyoku")?, at + 1)
    }),
    ("no draw at the end, and other points after it", |log, at| {
        with(&without(log, at, "ryukyoku")?, at + 1, "start_kyoku", "scores", |points| shifted(points, 1000))
    }),
    ("no win", |log, at| without(log, at, "hora")),
    ("no first hand", |log, at| is(log, at, "start_game").and_then(|()| without_hand(log, at + 1))),
    ("other points at the start", |log, at| {
        is(log, at, "start_game")?;
        with(log, at + 1, "start_kyoku", "scores", |points| shifted(points, 100))
    }),
    ("no dora indicator", |log, at| with(log, at, "start_kyoku", "dora_marker", |_| Value::Null)),
    ("a riichi of another player", |log, at| with(log, at, "reach", "actor", next)),
    ("a riichi of a player who does not discard", |log, at| {
        Some(put(log, at, json!({"type": "reach", "actor": next(plain_discard(log, at)?)})))
    }),
    ("a riichi after its discard", |log, at| {
        Some(put(log, at + 1, json!({"type": "reach", "actor": plain_discard(log, at)?})))
    }),
    ("a riichi taken back", |log, at| {
        is(log, at + 2, "reach_accepted").and_then(|()| without(log, at, "reach"))
    }),
    ("a riichi that is not paid", |log, at| without(log, at, "reach_accepted")),
    ("an indicator twice", |log, at| {
        is(log, at, "dora").map(|()| put(log, at, json!({"type": "dora", "dora_marker": "9p"})))
    }),
    ("no further indicator", |log, at| without(log, at, "dora")),
    ("a pon of other tiles", |log, at| {
        with(log, at, "pon", "consumed", |own| json!([own[0], if own[0] == "9s" { "1m" } else { "9s" }]))
    }),
    ("a pon without own tiles", |log, at| with(log, at, "pon", "consumed", |_| json!([]))),
    ("a pon of the caller's own discard", |log, at| {
        with(log, at, "pon", "target", |_| log[at]["actor"].clone())
    }),
    ("a chi with one tile", |log, at| with(log, at, "chi", "consumed", |own| json!([own[0]]))),
    ("a chi with three tiles", |log, at| {
        with(log, at, "chi", "consumed", |own| json!([own[0], own[1], own[1]]))
    }),
    ("a chi that is not a sequence", |log, at| with(log, at, "chi", "consumed", |own| json!([own[0], "C"]))),
    ("an ankan of one tile", |log, at| with(log, at, "ankan", "consumed", |own| json!([own[0]]))),
    ("an ankan of several kinds", |log, at| {
        with(log, at, "ankan", "consumed", |own| json!([own[0], own[1], "C", "F"]))
    }),
    ("a daiminkan of several kinds", |log, at| {
        with(log, at, "daiminkan", "consumed", |own| json!([own[0], "C", "F"]))
    }),
    ("a kakan on other tiles", |log, at| with(log, at, "kakan", "consumed", |_| json!(["1m"]))),
    ("another tile than North set aside", |log, at| with(log, at, "kita", "pai", |_| json!("W"))),
    ("tiles of a player who does not play", |log, at| {
        with(log, at, "start_kyoku", "tehais", |hands| {
            let mut hands = hands.as_array().unwrap().clone();
            hands.resize(5, hands[0].clone());
            hands.into()
        })
    }),
    ("a hand before the first", |log, at| with(log, at, "start_kyoku", "kyoku", |_| json!(0))),
    ("an unknown event", |log, at| with(log, at, "dahai", "type", |_| json!("dahay"))),
    ("a riichi that costs less", |log, at| {
        with(log, at, "reach_accepted", "deltas", |points| shifted(points, 100))
    }),
    ("other points after a riichi", |log, at| {
        with(log, at, "reach_accepted", "scores", |points| shifted(points, 100))
    }),
    ("other points after a win", |log, at| with(log, at, "hora", "scores", |points| shifted(points, 100))),
    ("other points won", |log, at| with(log, at, "hora", "deltas", |points| shifted(points, 100))),
    ("other points after a draw", |log, at| {
        with(log, at, "ryukyoku", "scores", |points| shifted(points, 100))
    }),
    ("other points of a hand", |log, at| with(log, at, "hora", "hora_points", |points| plus(points, 100))),
    ("other fu", |log, at| {
        is(log, at, "hora").filter(|()| log[at]["fan"].as_u64() < Some(100))?;
        with(log, at, "hora", "fu", |fu| plus(fu, 10))
    }),
    ("fu beyond all hands", |log, at| with(log, at, "hora", "fu", |_| json!(300))),
    ("other han", |log, at| with(log, at, "hora", "fan", |han| plus(han, 1))),
    ("a yakuman instead of yaku", |log, at| {
        with(log, at, "hora", "fan", |han| if han.as_u64() < Some(100) { json!(100) } else { han.clone() })
    }),
    ("other tiles of a winner", |log, at| {
        with(
            log,
            at,
            "hora",
            "hora_tehais",
            |tiles| if tiles[0] == "1m" { json!(["2m"]) } else { json!(["1m"]) },
        )
    }),
    ("a missing yaku", |log, at| {
        is(log, at, "hora").filter(|()| log[at]["fan"].as_u64() < Some(100))?;
        with(log, at, "hora", "yakus", |yaku| yaku.as_array().unwrap()[1..].into())
    }),
    ("an additional yaku", |log, at| {
        is(log, at, "hora").filter(|()| log[at]["fan"].as_u64() < Some(100))?;
        with(log, at, "hora", "yakus", |yaku| {
            [yaku.as_array().unwrap(), &[json!(["chankan", 1])][..]].concat().into()
        })
    }),
    ("additional dragons", |log, at| {
        with(log, at, "hora", "yakus", |yaku| {
            [yaku.as_array().unwrap(), &[json!(["sangenpai", 3])][..]].concat().into()
        })
    }),
    ("an unknown yaku", |log, at| with(log, at, "hora", "yakus", |_| json!([["dorra", 1]]))),
    ("an unknown reason of a draw", |log, at| with(log, at, "ryukyoku", "reason", |_| json!("fanpay"))),
    ("another reason of a draw", |log, at| {
        with(log, at, "ryukyoku", "reason", |reason| {
            if reason == "fanpai" { json!("suchareach") } else { json!("fanpai") }
        })
    }),
    ("an indicator before a win", |log, at| {
        is(log, at, "hora").map(|()| put(log, at, json!({"type": "dora", "dora_marker": "9p"})))
    }),
];

#[test]
fn contradictions_in_mjai_are_reported() {
    let events = |game: &RecordedGame| {
        let events = mjai(game);
        let positions = events.len();
        (events, positions, game.rules)
    };
    let logs: Vec<_> = games().iter().map(events).collect();
    try_edits(MJAI, &logs, |events| events.iter().map(Value::to_string).collect::<Vec<_>>().join("\n"));
}

/// Changes a hand of a tenhou.net/6 log.
fn hand(log: &Value, number: usize, change: impl FnOnce(&mut Value) -> Option<()>) -> Option<Value> {
    let mut log = log.clone();
    change(&mut log["log"][number])?;
    Some(log)
}

/// Changes the number before a word in the value text of the first win.
fn in_value(hand: &mut Value, word: &str, change: fn(u32) -> u32) -> Option<()> {
    let value = hand[16].get(2)?.get(3)?.as_str()?;
    let (before, after) = value.split_once(word)?;
    let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (before, number) = before.split_at(before.len() - digits);
    hand[16][2][3] = format!("{before}{}{word}{after}", change(number.parse().ok()?)).into();
    Some(())
}

/// Changes the first call with this letter.
fn call(hand: &mut Value, letter: char, change: fn(&str) -> String) -> Option<()> {
    let lists = [5, 6, 8, 9, 11, 12, 14, 15];
    let (list, entry) = lists.into_iter().find_map(|list| {
        let is_it = |entry: &Value| entry.as_str().is_some_and(|text| text.contains(letter));
        Some((list, hand[list].as_array()?.iter().position(is_it)?))
    })?;
    let changed = change(hand[list][entry].as_str()?);
    set(&mut hand[list][entry], changed.into())
}

fn set(entry: &mut Value, value: Value) -> Option<()> {
    (*entry != value).then(|| *entry = value)
}

const TENHOU6: &[Edit<Value>] = &[
    ("no result of a draw", |log, number| {
        hand(log, number, |hand| (hand[16][0] != "和了").then(|| hand[16] = json!([])))
    }),
    ("no first hand", |log, number| {
        let mut log = (number == 0).then(|| log.clone())?;
        log["log"].as_array_mut()?.remove(0);
        Some(log)
    }),
    ("other fu", |log, number| hand(log, number, |hand| in_value(hand, "符", |fu| fu + 10))),
    ("fu beyond all hands", |log, number| hand(log, number, |hand| in_value(hand, "符", |_| 999))),
    ("other han", |log, number| hand(log, number, |hand| in_value(hand, "飜", |han| han + 1))),
    ("other points", |log, number| hand(log, number, |hand| in_value(hand, "点", |points| points + 100))),
    ("a yaku of another wind", |log, number| {
        hand(log, number, |hand| {
            let yaku = hand[16].get_mut(2)?.as_array_mut()?;
            let wind =
                yaku.iter_mut().find(|yaku| yaku.as_str().is_some_and(|yaku| yaku.starts_with("自風 ")))?;
            let other = if wind.as_str()?.contains('東') { "自風 南(1飜)" } else { "自風 東(1飜)" };
            set(wind, other.into())
        })
    }),
    ("ura indicators without riichi", |log, number| {
        hand(log, number, |hand| {
            let yaku = hand[16].get(2)?.as_array()?.iter().filter_map(Value::as_str).collect::<String>();
            (!yaku.contains("立直") && !yaku.contains("役満") && hand[16].get(4).is_none()).then_some(())?;
            set(&mut hand[3], json!([47]))
        })
    }),
    ("another limit", |log, number| {
        hand(log, number, |hand| {
            let value = hand[16][2][3].as_str().filter(|value| value.starts_with("満貫"))?;
            hand[16][2][3] = value.replace("満貫", "倍満").into();
            Some(())
        })
    }),
    ("an unknown limit", |log, number| {
        hand(log, number, |hand| {
            let value = hand[16][2][3].as_str().filter(|value| value.starts_with("満貫"))?;
            hand[16][2][3] = value.replace("満貫", "満").into();
            Some(())
        })
    }),
    ("a pon of other tiles", |log, number| {
        hand(log, number, |hand| call(hand, 'p', |text| format!("{}47", &text[..text.len() - 2])))
    }),
    ("a chi that is not a sequence", |log, number| {
        hand(log, number, |hand| call(hand, 'c', |text| format!("{}47", &text[..text.len() - 2])))
    }),
    ("a chi of four tiles", |log, number| {
        hand(log, number, |hand| call(hand, 'c', |text| format!("{text}47")))
    }),
    ("an ankan of one tile", |log, number| {
        hand(log, number, |hand| call(hand, 'a', |text| text[4..].to_owned()))
    }),
    ("a kakan without a pon", |log, number| {
        hand(log, number, |hand| call(hand, 'k', |text| text[text.find('k').unwrap()..][..3].to_owned()))
    }),
    ("another tile than North set aside", |log, number| {
        hand(log, number, |hand| call(hand, 'f', |_| "f11".to_owned()))
    }),
    ("no dora indicator", |log, number| hand(log, number, |hand| set(&mut hand[2], json!([])))),
];

#[test]
fn contradictions_in_tenhou6_are_reported() {
    let hands = |game: &RecordedGame| {
        let log = tenhou6(game);
        let positions = log["log"].as_array().unwrap().len();
        (log, positions, game.rules)
    };
    let logs: Vec<_> = games().iter().map(hands).collect();
    try_edits(TENHOU6, &logs, ToString::to_string);
}

/// The tags of an mjlog without their brackets.
type Tags = Vec<String>;

/// Removes a tag of this name.
fn untag(log: &Tags, at: usize, name: &str) -> Option<Tags> {
    log[at].starts_with(name).then(|| [&log[..at], &log[at + 1..]].concat())
}

/// Inserts a tag.
fn tag(log: &Tags, at: usize, tag: String) -> Tags {
    [&log[..at], &[tag], &log[at..]].concat()
}

/// The player of a discard without riichi.
fn discarder(log: &Tags, at: usize) -> Option<usize> {
    let plain = log[at].len() < 5 && log[at][1..].parse::<u8>().is_ok() && !log[at - 1].starts_with("REACH");
    "DEFG".find(&log[at][..1]).filter(|_| plain)
}

/// Changes the number at an index of an attribute.
fn number(
    log: &Tags,
    at: usize,
    name: &str,
    attribute: &str,
    index: usize,
    change: fn(i64) -> i64,
) -> Option<Tags> {
    let tag = log[at].strip_prefix(name)?;
    let mark = format!(" {attribute}=\"");
    let start = tag.find(&mark)? + mark.len();
    let end = start + tag[start..].find('"')?;
    let mut numbers: Vec<String> = tag[start..end].split(',').map(str::to_owned).collect();
    let changed = change(numbers.get(index)?.parse().ok()?).to_string();
    (changed != numbers[index]).then_some(())?;
    numbers[index] = changed;
    let mut log = log.clone();
    log[at] = format!("{name}{}{}{}", &tag[..start], numbers.join(","), &tag[end..]);
    Some(log)
}

/// Removes an attribute.
fn without_attribute(log: &Tags, at: usize, name: &str, attribute: &str) -> Option<Tags> {
    let tag = Some(&log[at]).filter(|tag| tag.starts_with(name))?;
    let start = tag.find(&format!(" {attribute}=\""))?;
    let end = tag[start..].match_indices('"').nth(1)?.0 + start + 1;
    let mut log = log.clone();
    log[at] = format!("{}{}", &tag[..start], &tag[end..]);
    Some(log)
}

/// The tags of a hand from before this one back to the deal.
fn hand_so_far(log: &Tags, at: usize) -> impl Iterator<Item = &String> {
    let deal = log[..at].iter().rposition(|tag| tag.starts_with("INIT")).unwrap_or(at);
    log[deal..at].iter().rev()
}

/// Whether this is the code of a call of this kind.
fn is_call(m: i64, kind: &str) -> bool {
    let found = match m {
        _ if m & 4 != 0 => "chi",
        _ if m & 8 != 0 => "pon",
        _ if m & 16 != 0 => "kakan",
        _ if m & 32 != 0 => "kita",
        _ => "kan",
    };
    found == kind
}

const MJLOG: &[Edit<Tags>] = &[
    ("other honba", |log, at| number(log, at, "INIT", "seed", 1, |n| n + 1)),
    ("other sticks", |log, at| number(log, at, "INIT", "seed", 2, |n| n + 1)),
    ("other points", |log, at| number(log, at, "INIT", "ten", 0, |n| n + 1)),
    ("a dealt tile twice", |log, at| {
        let second = log[at].split("hai0=\"").nth(1)?.split(',').nth(1)?.to_owned();
        let mut log = log.clone();
        let start = log[at].find("hai0=\"")? + 6;
        let end = start + log[at][start..].find(',')?;
        log[at].replace_range(start..end, &second);
        Some(log)
    }),
    ("another first dealer", |log, at| number(log, at, "TAIKYOKU", "oya", 0, |n| n + 1)),
    ("other points after a riichi", |log, at| number(log, at, "REACH", "ten", 0, |n| n + 1)),
    ("another indicator", |log, at| number(log, at, "DORA", "hai", 0, |n| (n + 4) % 136)),
    ("other honba at a win", |log, at| number(log, at, "AGARI", "ba", 0, |n| n + 1)),
    ("other sticks at a win", |log, at| number(log, at, "AGARI", "ba", 1, |n| n + 1)),
    ("another tile of a winner", |log, at| number(log, at, "AGARI", "hai", 0, |n| (n + 40) % 136)),
    ("another call of a winner", |log, at| number(log, at, "AGARI", "m", 0, |n| n ^ 1)),
    ("no calls of a winner", |log, at| without_attribute(log, at, "AGARI", "m")),
    ("another copy of the winning tile", |log, at| number(log, at, "AGARI", "machi", 0, |n| n ^ 1)),
    ("another winning tile", |log, at| number(log, at, "AGARI", "machi", 0, |n| (n + 4) % 136)),
    ("other fu", |log, at| {
        Some(()).filter(|()| !log[at].contains("yakuman"))?;
        number(log, at, "AGARI", "ten", 0, |n| n + 10)
    }),
    ("fu beyond all hands", |log, at| number(log, at, "AGARI", "ten", 0, |_| 300)),
    ("other points of a hand", |log, at| number(log, at, "AGARI", "ten", 1, |n| n + 100)),
    ("another limit", |log, at| number(log, at, "AGARI", "ten", 2, |n| (n + 1) % 6)),
    ("an unknown limit", |log, at| number(log, at, "AGARI", "ten", 2, |n| n + 6)),
    ("other han", |log, at| number(log, at, "AGARI", "yaku", 1, |n| n + 1)),
    ("a yaku without han", |log, at| {
        let mut log = log.clone();
        let end = log[at].find("yaku=\"")? + 6;
        log[at].insert_str(end, "52,");
        Some(log)
    }),
    ("a yaku of another wind", |log, at| {
        number(log, at, "AGARI", "yaku", 0, |n| {
            if (10..18).contains(&n) { (n - 10) / 4 * 4 + 10 + (n - 9) % 4 } else { n }
        })
    }),
    ("a yaku twice", |log, at| {
        let first: Vec<&str> =
            log[at].split(" yaku=\"").nth(1)?.split('"').next()?.split(',').take(2).collect();
        let first = first.join(",");
        let mut log = log.clone();
        let end = log[at].find(" yaku=\"")? + 7;
        log[at].insert_str(end, &format!("{first},"));
        Some(log)
    }),
    ("a yakuman beside yaku", |log, at| {
        let index = log[at].find(" yaku=")?;
        let mut log = log.clone();
        log[at].insert_str(index, " yakuman=\"39\"");
        Some(log)
    }),
    ("ura indicators without riichi", |log, at| {
        let tag = Some(&log[at]).filter(|tag| tag.starts_with("AGARI") && !tag.contains("doraHaiUra"))?;
        let index = tag.find(" yaku=")?;
        let mut log = log.clone();
        log[at].insert_str(index, " doraHaiUra=\"135\"");
        Some(log)
    }),
    ("no ura indicators", |log, at| without_attribute(log, at, "AGARI", "doraHaiUra")),
    ("a result of more players", |log, at| {
        let start = log[at].find(" sc=\"")? + 5;
        let end = start + log[at][start..].find('"')?;
        let mut log = log.clone();
        log[at].insert_str(end, ",0,0,1");
        Some(log)
    }),
    ("other indicators at a win", |log, at| number(log, at, "AGARI", "doraHai", 0, |n| (n + 4) % 136)),
    ("a dora indicator again as ura indicator", |log, at| {
        let indicator = log[at].split("doraHai=\"").nth(1)?.split(['"', ',']).next()?;
        let mut log = log.clone();
        let start = log[at].find("doraHaiUra=\"")? + 12;
        let end = start + log[at][start..].find(['"', ','])?;
        let indicator = indicator.to_owned();
        log[at].replace_range(start..end, &indicator);
        Some(log)
    }),
    ("another winner", |log, at| number(log, at, "AGARI", "who", 0, |n| (n + 1) % 3)),
    ("another discarder", |log, at| number(log, at, "AGARI", "fromWho", 0, |n| (n + 1) % 3)),
    ("other points before a win", |log, at| number(log, at, "AGARI", "sc", 0, |n| n + 1)),
    ("other points won", |log, at| number(log, at, "AGARI", "sc", 1, |n| n + 1)),
    ("other honba at a draw", |log, at| number(log, at, "RYUUKYOKU", "ba", 0, |n| n + 1)),
    ("other sticks at a draw", |log, at| number(log, at, "RYUUKYOKU", "ba", 1, |n| n + 1)),
    ("other points before a draw", |log, at| number(log, at, "RYUUKYOKU", "sc", 0, |n| n + 1)),
    ("other points at a draw", |log, at| number(log, at, "RYUUKYOKU", "sc", 1, |n| n + 1)),
    ("another tile shown at a draw", |log, at| number(log, at, "RYUUKYOKU", "hai0", 0, |n| (n + 40) % 136)),
    ("a hand not shown at a draw", |log, at| without_attribute(log, at, "RYUUKYOKU", "hai0")),
    ("other final points", |log, at| number(log, at, "", "owari", 0, |n| n + 1)),
    ("a call from another player", |log, at| {
        number(log, at, "N", "m", 0, |m| if is_call(m, "kan") { m } else { m & !3 | (m + 1) & 3 })
    }),
    ("a chi with a tile that is not held", |log, at| {
        number(log, at, "N", "m", 0, |m| if is_call(m, "chi") { m ^ 0xA8 } else { m })
    }),
    ("a pon with a tile that is not held", |log, at| {
        number(log, at, "N", "m", 0, |m| if is_call(m, "pon") { m ^ 0x20 } else { m })
    }),
    ("a kakan on another pon", |log, at| {
        number(log, at, "N", "m", 0, |m| if is_call(m, "kakan") { m ^ 3 } else { m })
    }),
    ("another tile than North set aside", |log, at| {
        number(log, at, "N", "m", 0, |m| if is_call(m, "kita") { m & 0xFF } else { m })
    }),
    ("no call", |log, at| untag(log, at, "N ")),
    ("another copy discarded", |log, at| {
        discarder(log, at)?;
        let id: u32 = log[at][1..].parse().ok()?;
        let other = (id ^ 1).to_string();
        let is_new =
            hand_so_far(log, at).all(|tag| tag.split(|c: char| !c.is_ascii_digit()).all(|n| n != other));
        let mut log = is_new.then(|| log.clone())?;
        log[at] = format!("{}{other}", &log[at][..1]);
        Some(log)
    }),
    ("a tile drawn twice", |log, at| {
        let id: u32 = log[at].strip_prefix('T')?.parse().ok()?;
        let other = hand_so_far(log, at).find_map(|tag| tag.strip_prefix('U')?.parse::<u32>().ok())?;
        let mut log = (other != id).then(|| log.clone())?;
        log[at] = format!("T{other}");
        Some(log)
    }),
    ("no draw at the end", |log, at| untag(log, at, "RYUUKYOKU")),
    ("no win", |log, at| untag(log, at, "AGARI")),
    ("no first hand", |log, at| {
        let next = at + 1 + log[at + 1..].iter().position(|tag| tag.starts_with("INIT"))?;
        log[at].starts_with("TAIKYOKU").then_some(())?;
        let after = next + 1 + log[next + 1..].iter().position(|tag| tag.starts_with("INIT"))?;
        Some([&log[..next], &log[after..]].concat())
    }),
    ("a riichi of a player who does not discard", |log, at| {
        Some(tag(log, at, format!("REACH who=\"{}\" step=\"1\"", (discarder(log, at)? + 1) % 3)))
    }),
    ("a riichi after its discard", |log, at| {
        Some(tag(log, at + 1, format!("REACH who=\"{}\" step=\"1\"", discarder(log, at)?)))
    }),
    ("a riichi that is not paid", |log, at| {
        log[at].contains("step=\"2\"").then_some(())?;
        untag(log, at, "REACH")
    }),
    ("an indicator twice", |log, at| log[at].starts_with("DORA").then(|| tag(log, at, log[at].clone()))),
    ("no further indicator", |log, at| untag(log, at, "DORA")),
];

#[test]
fn contradictions_in_mjlog_are_reported() {
    let tags = |game: &RecordedGame| {
        let xml = crate::common::mjlog::write(game);
        let tags: Tags = xml
            .split(['<', '>'])
            .filter(|tag| !tag.is_empty())
            .map(|tag| tag.trim_end_matches('/').to_owned())
            .collect();
        let tags = tags[1..tags.len() - 1].to_vec();
        (tags.clone(), tags.len(), game.rules)
    };
    let of_tenhou = |game: &&RecordedGame| game.rules != east_only("mjsoul");
    let logs: Vec<_> = games().iter().filter(of_tenhou).map(tags).collect();
    try_edits(MJLOG, &logs, |tags| format!("<mjloggm ver=\"2.3\"><{}/></mjloggm>", tags.join("/><")));
}

/// A call fits after every discard, so there are more orders of events than can be tried or kept.
#[test]
fn lists_with_too_many_orders_are_refused() {
    let lists = |calls: usize| {
        let mut draws = vec![json!(11)];
        draws.extend((0..calls).map(|_| json!("1212p12")));
        json!({"log": [[
            [0, 0, 0], [25000, 25000, 25000, 25000], [11], [],
            [11, 11, 11, 11, 21, 22, 23, 24, 25, 26, 27, 28, 29], draws, vec![12; calls],
            [31, 31, 31, 32, 33, 34, 35, 36, 37, 38, 39, 41, 42], vec![12; calls], vec![12; calls],
            [31, 32, 33, 34, 35, 36, 37, 38, 39, 41, 42, 43, 44], [], [],
            [32, 33, 34, 35, 36, 37, 38, 39, 41, 42, 43, 44, 45], vec![12; calls], vec![12; calls],
            ["流局", [0, 0, 0, 0]]
        ]]})
    };
    for (calls, what) in
        [(100, "hand 0: "), (2000, "a list of 2001 draws or discards, expected no more than 136")]
    {
        let error = problem(lists(calls).to_string(), &Rules::default()).unwrap();
        assert!(error.contains(what), "{error}");
    }
}
