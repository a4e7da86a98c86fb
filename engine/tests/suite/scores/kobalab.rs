//! majiang-core by Satoshi Kobayashi: hands as `m345p40677s67s8,m34-0`.

use jantaku_engine::rules::options::{PaoRonHonba, PaoScope};
use jantaku_engine::settle::Liability;
use jantaku_engine::{
    Claimed, Concealed, Meld, MeldKind, Melds, Moment, Players, Riichi, Rules, Seat, Shanten, Tile, TileKind,
    TileSet, Yaku,
};
use serde_json::Value;

use super::{Answer, Case, Source, number, reference_lines, wind, yaku_of};

fn yaku(name: &str) -> Option<Yaku> {
    match name {
        name if name.starts_with("場風") => Some(Yaku::RoundWind),
        name if name.starts_with("自風") => Some(Yaku::SeatWind),
        "ドラ" | "赤ドラ" | "裏ドラ" => None,
        name => Some(yaku_of("kobalab", name).unwrap_or_else(|| panic!("unknown yaku {name}"))),
    }
}

/// Tiles in kobalab's notation: the suit letter before the ranks. Ignores marks.
fn tiles(text: &str) -> Vec<Tile> {
    let mut suit = ' ';
    let mut tiles = Vec::new();
    for c in text.chars() {
        match c {
            'm' | 'p' | 's' | 'z' => suit = c,
            '0'..='9' => tiles.push(format!("{c}{suit}").parse().expect("a tile")),
            _ => {}
        }
    }
    tiles
}

/// The seat that a mark names as the source of a tile: `+` right, `=` opposite, `-` left.
fn marked(mark: char, winner: Seat) -> Option<Seat> {
    let steps = match mark {
        '+' => 1,
        '=' => 2,
        '-' => 3,
        _ => return None,
    };
    Some(winner.after(steps, Players::Four))
}

fn meld(text: &str, winner: Seat) -> Meld {
    let all = tiles(text);
    let low = all.iter().map(|tile| tile.kind()).min().expect("a meld has tiles");
    let reds = all.iter().filter(|tile| tile.is_red()).count() as u8;
    let from = text.chars().find_map(|mark| marked(mark, winner));
    let kind = match (all.len(), from, text.ends_with(|c: char| c.is_ascii_digit())) {
        (3, ..) if all.iter().any(|tile| tile.kind() != low) => MeldKind::Chi,
        (3, ..) => MeldKind::Pon,
        (_, None, _) => MeldKind::Ankan,
        (_, _, true) => MeldKind::Kakan,
        (_, _, false) => MeldKind::Daiminkan,
    };
    Meld::new(kind, low, reds, from.map(|from| Claimed { tile: all[0], from }))
}

/// Concealed tiles in written order, and melds.
fn hand(text: &str, winner: Seat) -> (Vec<Tile>, Melds) {
    let mut parts = text.split(',');
    let concealed = tiles(parts.next().unwrap_or_default());
    (concealed, parts.filter(|part| !part.is_empty()).map(|part| meld(part, winner)).collect())
}

fn rules(options: &Value) -> Rules {
    let is = |name: &str, default: bool| options[name].as_bool().unwrap_or(default);
    let mjsoul = Rules::preset("mjsoul").expect("a preset");
    let doubles = is("ダブル役満あり", true) && is("役満の複合あり", true);
    Rules {
        double_wind_pair_fu: if is("連風牌は2符", false) { 2 } else { 4 },
        kuitan: is("クイタンあり", true),
        kiriage: is("切り上げ満貫あり", false),
        // majiang-core counts a double yakuman once where yakuman do not add up.
        double_yakuman: if doubles { mjsoul.double_yakuman } else { Rules::default().double_yakuman },
        yakuman_stack: is("役満の複合あり", true),
        pao_scope: PaoScope::YakuOnly,
        pao_ron_honba: PaoRonHonba::Discarder,
        ..Rules::default()
    }
}

fn case(input: &Value, out: &Value) -> Case {
    let param = &input["param"];
    let seat = wind(number(&param["menfeng"]));
    let winner = Seat::new(seat as u8).expect("a seat");
    let (mut concealed, melds) = hand(input["shoupai"].as_str().expect("a hand"), winner);
    let ron = input["rongpai"].as_str();
    concealed.extend(ron.map_or_else(Vec::new, tiles));
    let tile = concealed.last().expect("a hand has tiles").kind();
    let said = &param["hupai"];
    let indicators = |key: &str| -> Vec<Tile> {
        let list = param[key].as_array().map_or(&[][..], Vec::as_slice);
        list.iter().flat_map(|text| tiles(text.as_str().expect("a tile"))).collect()
    };
    let liable = |entry: &Value| {
        let seat = marked(entry["baojia"].as_str()?.chars().next()?, winner)?;
        Some(Liability { seat, yaku: yaku(entry["name"].as_str()?) })
    };
    Case {
        from: ron.map(|text| text.chars().find_map(|mark| marked(mark, winner)).expect("a ron has a mark")),
        seat,
        round: wind(number(&param["zhuangfeng"])),
        riichi: match said["lizhi"].as_i64() {
            Some(1) => Riichi::Single,
            Some(2) => Riichi::Double,
            _ => Riichi::None,
        },
        ippatsu: said["yifa"].as_bool().unwrap_or(false),
        moment: match () {
            () if said["haidi"].as_i64().unwrap_or(0) > 0 => Moment::LastTile,
            () if said["lingshang"].as_bool().unwrap_or(false) => Moment::Rinshan,
            () if said["qianggang"].as_bool().unwrap_or(false) => Moment::Chankan,
            () => Moment::Ordinary,
        },
        first_turn: said["tianhu"].as_i64().unwrap_or(0) > 0,
        dora: indicators("baopai"),
        ura: indicators("fubaopai"),
        honba: number(&param["jicun"]["changbang"]) as i32,
        sticks: number(&param["jicun"]["lizhibang"]) as i32,
        liable: out["hupai"].as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(liable).collect(),
        ..Case::new(&rules(&param["rule"]), concealed.into_iter().collect(), melds, tile)
    }
}

/// The answer of a vector. None without yaku.
fn answer(out: &Value) -> Option<Answer> {
    let listed = out["hupai"].as_array().filter(|list| !list.is_empty())?;
    let names = listed.iter().filter_map(|entry| yaku(entry["name"].as_str().expect("a name")));
    let paid = out["fenpei"].as_array().expect("payments").iter().map(|points| number(points) as i32);
    Some(Answer {
        yaku: names.map(|yaku| yaku.name().to_owned()).collect(),
        han: out["fanshu"].as_u64().unwrap_or(0) as u32,
        fu: out["fu"].as_u64().unwrap_or(0) as u8,
        yakuman: out["damanguan"].as_u64().unwrap_or(0) as u8,
        paid: paid.collect(),
    })
}

/// The kinds that lower the shanten of seven pairs.
fn seven_pairs_ukeire(hand: &Concealed) -> TileSet {
    let lowers = |kind: &TileKind| {
        let mut more = *hand;
        more.add(Tile::plain(*kind));
        more.seven_pairs_shanten() < hand.seven_pairs_shanten()
    };
    (TileSet::ALL - hand.at_least(4)).iter().filter(lowers).collect()
}

#[test]
#[ignore = "needs JANTAKU_DATA"]
fn wins_of_a_simulation() {
    let mut source = Source::new("kobalab wins");
    for line in reference_lines("score", "kobalab_hule") {
        let ours = case(&line["in"], &line["out"]).answer();
        source.check(&line["n"].to_string(), ours.as_ref(), answer(&line["out"]).as_ref());
    }
    source.end();
}

#[test]
#[ignore = "needs JANTAKU_DATA"]
fn unit_tests() {
    let mut source = Source::new("kobalab tests");
    for line in reference_lines("score", "kobalab_unit") {
        let name = line["test"].as_str().expect("a name");
        let shoupai = line["shoupai"].as_str().expect("a hand");
        let (mut concealed, melds) = hand(shoupai, Seat::FIRST);
        match line["fn"].as_str().expect("a function") {
            "hule" => {
                let ours = case(&line, &line["out"]).answer();
                source.check(name, ours.as_ref(), answer(&line["out"]).as_ref());
            }
            // Readings: compares only whether one exists.
            "hule_mianzi" => {
                concealed.extend(line["rongpai"].as_str().map_or_else(Vec::new, tiles));
                let hand: Concealed = concealed.into_iter().collect();
                let is_complete = hand.len() % 3 == 2 && hand.shanten(melds.len()) == Shanten::COMPLETE;
                assert_eq!(is_complete, line["out"] != Value::Array(vec![]), "{name} {shoupai}");
            }
            "xiangting" => {
                let hand: Concealed = concealed.into_iter().collect();
                assert_eq!(i64::from(hand.shanten(melds.len()).number()), number(&line["out"]), "{name}");
            }
            // Ukeire. An error for a hand that must discard.
            "tingpai" => {
                let hand: Concealed = concealed.into_iter().collect();
                let Some(list) = line["out"].as_array() else {
                    assert_eq!(hand.len() % 3, 2, "{name}");
                    continue;
                };
                let expected: TileSet = list
                    .iter()
                    .flat_map(|text| tiles(text.as_str().expect("a tile")))
                    .map(Tile::kind)
                    .collect();
                // One vector is about seven pairs only.
                let found = if name.contains("ルーチンを指定") {
                    seven_pairs_ukeire(&hand)
                } else {
                    hand.ukeire(melds.len()).1
                };
                assert_eq!(found, expected, "{name} {shoupai}");
            }
            other => panic!("unknown function {other}"),
        }
    }
    source.end();
}
