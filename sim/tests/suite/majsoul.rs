//! The reader of Mahjong Soul's records reads our own games as they were played.
#![expect(clippy::unwrap_used, reason = "a test")]

use std::io::Cursor;
use std::path::Path;

use jantaku_engine::replay::{RecordedEnd, RecordedGame, RecordedHand, RecordedWin};
use jantaku_engine::{BySeat, Declare, DrawReason, Event, MeldKind, Rules, Tile};
use jantaku_sim::logs::LogFormat;
use jantaku_sim::logs::files::Games;
use serde_json::{Value, json};

/// The records of a game.
pub fn records(game: &RecordedGame) -> Vec<Value> {
    game.hands.iter().flat_map(hand_records).collect()
}

fn texts<'a>(tiles: impl IntoIterator<Item = &'a Tile>) -> Vec<String> {
    tiles.into_iter().map(ToString::to_string).collect()
}

fn list(points: &BySeat<i32>) -> Vec<i32> {
    points.iter().copied().collect()
}

fn hand_records(hand: &RecordedHand) -> Vec<Value> {
    let (start, dealer) = (&hand.standing, hand.dealer());
    let count = u16::from(start.scores.players().count());
    let mut deal = json!({
        "chang": start.round / count, "ju": start.round % count, "ben": start.honba, "liqibang": start.sticks,
        "scores": list(&start.scores), "doras": texts(&hand.indicator),
    });
    for (seat, tiles) in hand.dealt.enumerate() {
        deal[format!("tiles{seat}")] = json!(texts(tiles));
    }
    let turned = hand.events.iter().map_while(|event| match event {
        Event::Indicator { tile } => Some(tile.to_string()),
        _ => None,
    });
    let turned: Vec<String> = turned.collect();
    let events = &hand.events[turned.len()..];
    deal["doras"].as_array_mut().unwrap().extend(turned.iter().map(|tile| json!(tile)));
    let Event::Draw { tile: Some(first), .. } = events[0] else { panic!("the dealer draws first") };
    deal[format!("tiles{dealer}")].as_array_mut().unwrap().push(json!(first.to_string()));
    let mut records = vec![json!({"name": ".lq.RecordNewRound", "data": deal})];
    let doras = texts(&hand.indicator).into_iter().chain(turned).collect();
    let (mut doras, mut liqi, mut is_new): (Vec<String>, _, _) = (doras, None, false);
    let mut push = |name: &str, mut data: Value, doras: Option<&Vec<String>>, liqi: Option<u8>| {
        doras.inspect(|doras| data["doras"] = json!(doras));
        liqi.inspect(|seat| data["liqi"] = json!({"seat": seat, "score": 0}));
        records.push(json!({"type": 1, "result": {"name": format!(".lq.{name}"), "data": data}}));
    };
    for event in &events[1..] {
        let (name, data) = match event {
            Event::Indicator { tile } => {
                doras.push(tile.to_string());
                is_new = true;
                continue;
            }
            Event::RiichiAccepted { seat } => {
                liqi = Some(seat.number());
                continue;
            }
            Event::Draw { seat, tile, .. } => {
                ("RecordDealTile", json!({"seat": seat.number(), "tile": tile.unwrap().to_string()}))
            }
            Event::Discard { seat, tile, tsumogiri, declare } => {
                let riichi = *declare != Declare::Nothing;
                let data = json!({
                    "seat": seat.number(), "tile": tile.to_string(), "moqie": tsumogiri, "is_liqi": riichi,
                });
                ("RecordDiscardTile", data)
            }
            Event::Call { seat, meld } => {
                let claimed = meld.claimed().unwrap();
                let mut own: Vec<Tile> = meld.tiles().collect();
                own.remove(own.iter().position(|tile| *tile == claimed.tile).unwrap());
                let mut froms = vec![seat.number(); own.len()];
                froms.push(claimed.from.number());
                own.push(claimed.tile);
                let kind = match meld.kind() {
                    MeldKind::Chi => 0,
                    MeldKind::Pon => 1,
                    _ => 2,
                };
                (
                    "RecordChiPengGang",
                    json!({"seat": seat.number(), "type": kind, "tiles": texts(&own), "froms": froms}),
                )
            }
            Event::Ankan { seat, meld } => {
                let tile = Tile::plain(meld.low()).to_string();
                ("RecordAnGangAddGang", json!({"seat": seat.number(), "type": 3, "tiles": tile}))
            }
            Event::Kakan { seat, tile } => {
                ("RecordAnGangAddGang", json!({"seat": seat.number(), "type": 2, "tiles": tile.to_string()}))
            }
            Event::Kita { seat } => ("RecordBaBei", json!({"seat": seat.number(), "moqie": false})),
            other => panic!("{other}"),
        };
        push(name, data, Some(&doras).filter(|_| is_new), liqi.take());
        is_new = false;
    }
    let (name, data) = end(hand, hand.end.as_ref().unwrap(), &doras);
    // No record of an exhaustive draw states a riichi on the last tile.
    push(name, data, None, liqi.filter(|_| name != "RecordNoTile"));
    records
}

/// The yaku and bonus han of a win, each with its number and value.
fn fans(win: &RecordedWin) -> Vec<Value> {
    let is_yakuman = win.han == Some(0);
    let yaku = win.yaku.iter().flatten().map(|(yaku, han)| {
        let number = yaku.names().mahjong_soul.unwrap_or_else(|| panic!("{yaku} has no number"));
        (number, if is_yakuman { 1 } else { *han })
    });
    let bonus = [31, 33, 32].into_iter().zip(win.dora.unwrap_or_default());
    let all = yaku.chain(bonus.filter(|(_, han)| *han > 0 && !is_yakuman));
    all.map(|(id, val)| json!({"id": id, "val": val})).collect()
}

/// The name and fields of the record that ends a hand.
fn end(hand: &RecordedHand, end: &RecordedEnd, doras: &[String]) -> (&'static str, Value) {
    let deltas = list(&end.deltas.unwrap());
    if !end.wins.is_empty() {
        let win = |win: &RecordedWin| {
            let mut held = hand.held(win.winner).unwrap();
            if win.from.is_none() {
                held.remove(held.iter().position(|tile| Some(*tile) == win.tile).unwrap());
            }
            json!({
                "seat": win.winner.number(), "hand": texts(&held), "hu_tile": win.tile.unwrap().to_string(), "zimo": win.from.is_none(),
                "yiman": win.han == Some(0), "count": win.han, "fu": win.fu, "doras": doras,
                "li_doras": texts(&hand.ura_indicators), "fans": fans(win),
            })
        };
        let hules: Vec<Value> = end.wins.iter().map(win).collect();
        return ("RecordHule", json!({"hules": hules, "delta_scores": deltas}));
    }
    let kind = match end.draw.unwrap() {
        reason @ (DrawReason::Exhaustive | DrawReason::Nagashi) => {
            let tenpai = end.tenpai.unwrap();
            let shown =
                hand.standing.scores.players().seats().map(|seat| json!({"tingpai": tenpai.contains(seat)}));
            let players: Vec<Value> = shown.collect();
            let is_nagashi = reason == DrawReason::Nagashi;
            let data =
                json!({"liujumanguan": is_nagashi, "players": players, "scores": [{"delta_scores": deltas}]});
            return ("RecordNoTile", data);
        }
        DrawReason::KyuushuKyuuhai => 1,
        DrawReason::FourWinds => 2,
        DrawReason::FourKans => 3,
        DrawReason::FourRiichi => 4,
        DrawReason::TripleRon => 5,
        other => panic!("{other}"),
    };
    ("RecordLiuJu", json!({"type": kind}))
}

/// The head of a ranked game.
pub fn head(game: &RecordedGame) -> Value {
    let rules = &game.rules;
    let (points, results) = (game.final_scores.unwrap(), game.results.unwrap());
    let player = |seat| json!({"seat": jantaku_engine::Seat::number(seat), "part_point_1": points[seat], "total_point": results[seat]});
    let players: Vec<Value> = rules.players.seats().map(player).collect();
    let three = if rules.players.count() == 3 { 10 } else { 0 };
    let mode = json!({"mode": three + rules.wind_rounds, "detail_rule": {}});
    let accounts = json!([{"seat": 0, "nickname": "A"}, {"seat": 2, "nickname": "C"}]);
    json!({"config": {"category": 2, "mode": mode}, "accounts": accounts, "result": {"players": players}})
}

/// Reads the only game of a text and checks that it is the game that was played.
fn check(text: &str, game: &RecordedGame) -> RecordedGame {
    let mut sources = Games::of(Path::new("log"), Cursor::new(text.as_bytes().to_vec())).unwrap();
    let source = sources.next().unwrap().unwrap();
    assert_eq!(source.format(), LogFormat::Majsoul);
    let read = source.read(None).unwrap_or_else(|error| panic!("{error}"));
    assert!(sources.next().is_none());
    let report = read.replay(&mut ());
    assert_eq!((report.hands, report.differences), (game.hands.len(), Vec::new()));
    read
}

#[test]
fn written_games_are_read_back() {
    for seed in 0..100 {
        let mut rules = Rules::preset(["mjsoul", "mjsoul-sanma"][seed as usize / 2 % 2]).unwrap();
        rules.wind_rounds = 1 + (seed % 2) as u8;
        let game = crate::common::played(&rules, seed);
        let records = records(&game);
        let document = json!({"head": head(&game), "data": {"name": ".lq.GameDetailRecords", "data": {"actions": records}}});
        let read = check(&document.to_string(), &game);
        assert_eq!((read.rules, &read.names[..3]), (rules, &["A", "", "C"].map(String::from)[..]));
        assert_eq!((read.final_scores, read.results, read.is_whole), (game.final_scores, game.results, true));
        if seed % 10 == 0 {
            // Over many lines, as a line of a collection, and as records in a plain list.
            check(&serde_json::to_string_pretty(&document).unwrap(), &game);
            assert_eq!(check(&json!({"id": "a", "record": document}).to_string(), &game).rules, rules);
            let listed = check(&Value::from(records).to_string(), &game);
            assert!(!listed.is_whole);
        }
    }
}

/// A document in which these names of fields have another form.
pub fn renamed(value: &Value, rename: fn(&str) -> String) -> Value {
    match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (rename(name), renamed(value, rename)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        Value::Array(values) => values.iter().map(|value| renamed(value, rename)).collect(),
        other => other.clone(),
    }
}

/// The name of a field as printers of protobuf messages write it.
pub fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |name, part| name + &part[..1].to_uppercase() + &part[1..])
}

#[test]
fn names_in_camel_case_are_read() {
    for (seed, preset) in (0..).zip(["mjsoul", "mjsoul-sanma", "mjsoul"]) {
        let game = crate::common::played(&Rules::preset(preset).unwrap(), seed);
        let document = json!({"head": head(&game), "records": records(&game)});
        let read = check(&renamed(&document, camel).to_string(), &game);
        assert_eq!(
            (read.rules, read.final_scores, read.results),
            (game.rules, game.final_scores, game.results)
        );
    }
}

#[test]
fn null_counts_as_missing() {
    let game = crate::common::played(&Rules::preset("mjsoul").unwrap(), 3);
    let records = records(&game);
    let mut no_name = head(&game);
    no_name["accounts"][0]["nickname"] = Value::Null;
    let mut heads = vec![Value::Null, no_name];
    for key in ["accounts", "config", "result"] {
        let mut head = head(&game);
        head[key] = Value::Null;
        heads.push(head);
    }
    for head in heads {
        check(&json!({"head": head, "records": records}).to_string(), &game);
    }
}

/// A record of an unknown name is ignored wherever it is.
#[test]
fn unknown_records_are_notes() {
    let game = crate::common::played(&Rules::preset("mjsoul").unwrap(), 3);
    for at in [0, 1, 5] {
        let mut records = records(&game);
        records.insert(at, json!({"name": ".lq.RecordFoo", "data": {"seat": 0}}));
        let read = check(&Value::from(records).to_string(), &game);
        assert_eq!(read.notes, ["ignored the unknown record `RecordFoo`"]);
    }
}
