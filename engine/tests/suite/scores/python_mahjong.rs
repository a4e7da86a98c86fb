//! The unit tests of the Python package `mahjong`.

use jantaku_engine::rules::options::{Aka, Kazoe, Maybe, OpenPinfu, Renhou};
use jantaku_engine::{
    Concealed, Meld, MeldKind, Melds, Moment, Riichi, Rules, Seat, Tile, TileKind, TileSet, Wind, Yaku,
    YakuSet,
};
use serde_json::Value;

use super::{Answer, Case, Source, number, numbers, reference_lines, tile_136, yaku_of};

/// Our name of a yaku. Local yaku keep their name; dora have none.
fn yaku(name: &str) -> Option<String> {
    let listed = yaku_of("python-mahjong", name).map(|yaku| yaku.name().to_owned());
    match name {
        "Dora" | "Aka Dora" | "Ura Dora" => None,
        name if name.starts_with("Yakuhai (seat wind") => Some(Yaku::SeatWind.name().to_owned()),
        name if name.starts_with("Yakuhai (round wind") => Some(Yaku::RoundWind.name().to_owned()),
        name => listed.or_else(|| Some(name.to_lowercase().replace(' ', "-"))),
    }
}

fn meld(meld: &Value) -> Meld {
    let tiles: Vec<Tile> = numbers(&meld["tiles"]).into_iter().map(tile_136).collect();
    let low = tiles.iter().map(|tile| tile.kind()).min().expect("a meld has tiles");
    let reds = tiles.iter().filter(|tile| tile.is_red()).count() as u8;
    let kind = match (meld["type"].as_str().expect("a kind"), meld["opened"].as_bool()) {
        ("chi", _) => MeldKind::Chi,
        ("pon", _) => MeldKind::Pon,
        ("kan", Some(false)) => MeldKind::Ankan,
        ("kan" | "shouminkan", _) => MeldKind::Daiminkan,
        other => panic!("unknown meld {other:?}"),
    };
    Meld::new(kind, low, reds, None)
}

fn rules(options: &Value) -> Rules {
    let is = |name: &str, default: bool| options[name].as_bool().unwrap_or(default);
    let mjsoul = Rules::preset("mjsoul").expect("a preset");
    let red = u8::from(is("has_aka_dora", false));
    Rules {
        kuitan: is("has_open_tanyao", false),
        aka: Aka { m: red, p: red, s: red },
        double_yakuman: if is("has_double_yakuman", true) {
            mjsoul.double_yakuman
        } else {
            Rules::default().double_yakuman
        },
        kazoe: if options["kazoe_limit"].as_u64().unwrap_or(0) == 1 {
            Kazoe::Sanbaiman
        } else {
            Kazoe::Yakuman
        },
        kiriage: is("kiriage", false),
        open_pinfu: if is("fu_for_open_pinfu", true) { OpenPinfu::Thirty } else { OpenPinfu::Twenty },
        pinfu_tsumo: Maybe(Some(20).filter(|_| !is("fu_for_pinfu_tsumo", false))),
        renhou: if is("renhou_as_yakuman", false) { Renhou::Yakuman } else { Renhou::HanAdd(5) },
        local_yaku: YakuSet::EMPTY
            .with(Yaku::Daisharin, is("has_daisharin", false))
            .with(Yaku::Daichikurin, is("has_daisharin_other_suits", false))
            .with(Yaku::Daisuurin, is("has_daisharin_other_suits", false)),
        max_yakuman: Maybe(Some(6).filter(|_| is("limit_to_sextuple_yakuman", true))),
        ..Rules::default()
    }
}

/// The given wind. If none is given, a wind without tiles in the hand.
fn wind_or_none(given: &Value, kinds: TileSet) -> Wind {
    let others = [Wind::North, Wind::West, Wind::South];
    let unused = || others.into_iter().find(|wind| !kinds.contains(wind.tile())).unwrap_or(Wind::North);
    given.as_u64().map_or_else(unused, |kind| Wind::ALL[kind as usize - TileKind::EAST.index()])
}

fn case(line: &Value) -> Case {
    let config = &line["config"];
    let is = |name: &str| config[name].as_bool().unwrap_or(false);
    let mut tiles = numbers(&line["tiles"]);
    for meld in line["melds"].as_array().expect("melds") {
        let melded = numbers(&meld["tiles"]);
        tiles.retain(|tile| !melded.contains(tile));
    }
    let concealed: Concealed = tiles.into_iter().map(tile_136).collect();
    let melds: Melds = line["melds"].as_array().expect("melds").iter().map(meld).collect();
    let kinds = melds.iter().fold(concealed.kinds(), |kinds, meld| kinds | meld.kinds());
    let indicators = |key: &str| numbers(&line[key]).into_iter().map(tile_136).collect::<Vec<Tile>>();
    // Vectors of nagashi mangan have no winning tile.
    let tile =
        line["win_tile"].as_u64().map_or(concealed.kinds().first(), |id| Some(tile_136(id as usize).kind()));
    let tile = tile.expect("a hand has tiles");
    let seat = wind_or_none(&config["player_wind"], kinds);
    let dealt = is("is_tenhou") || is("is_chiihou") || is("is_renhou");
    let seat = if is("is_tenhou") { Wind::East } else { seat };
    let from = u8::from(seat == Wind::East);
    Case {
        from: Seat::new(from).filter(|_| !is("is_tsumo")),
        seat,
        round: wind_or_none(&config["round_wind"], kinds),
        riichi: match () {
            () if is("is_daburu_riichi") => Riichi::Double,
            () if is("is_riichi") => Riichi::Single,
            () => Riichi::None,
        },
        ippatsu: is("is_ippatsu"),
        moment: match () {
            () if is("is_haitei") || is("is_houtei") => Moment::LastTile,
            () if is("is_rinshan") => Moment::Rinshan,
            () if is("is_chankan") => Moment::Chankan,
            () => Moment::Ordinary,
        },
        first_turn: dealt,
        dora: indicators("dora_indicators"),
        ura: indicators("ura_dora_indicators"),
        norths: config["num_nuki_dora"].as_i64().unwrap_or(0).max(0) as u8,
        ..Case::new(&rules(&config["options"]), concealed, melds, tile)
    }
}

/// The answer of a vector. None for an error.
fn answer(out: &Value, case: &Case) -> Option<Answer> {
    let listed = out["yaku"].as_array().filter(|_| out["error"].is_null())?;
    let name = |entry: &Value| yaku(entry["name"].as_str().expect("a name"));
    let is_yakuman = listed.iter().any(|entry| name(entry).is_some() && number(&entry["han"]) >= 13);
    let han = number(&out["han"]) as u32;
    let cost = |key: &str| i32::try_from(number(&out["cost"][key])).unwrap_or(i32::MAX);
    let mut paid = vec![0; 4];
    let winner = case.seat as usize;
    match case.from {
        Some(from) => paid[from.index()] = -cost("main"),
        None => paid.iter_mut().enumerate().filter(|(seat, _)| *seat != winner).for_each(|(seat, points)| {
            *points = if winner == 0 || seat == 0 { -cost("main") } else { -cost("additional") };
        }),
    }
    paid[winner] = paid.iter().fold(0_i32, |sum, points| sum.saturating_sub(*points));
    Some(Answer {
        yaku: listed.iter().filter_map(name).collect(),
        han: if is_yakuman { 0 } else { han },
        fu: if is_yakuman { 0 } else { out["fu"].as_u64().unwrap_or(0) as u8 },
        yakuman: if is_yakuman { (han / 13) as u8 } else { 0 },
        paid,
    })
}

#[test]
#[ignore = "needs JANTAKU_DATA"]
fn unit_tests() {
    let mut source = Source::new("python-mahjong");
    for (index, line) in reference_lines("score", "python-mahjong").iter().enumerate() {
        let test = line["test"].as_str().expect("a name").rsplit("::").next().expect("a part");
        let case = case(line);
        source.check(
            &format!("{test} {index}"),
            case.answer().as_ref(),
            answer(&line["out"], &case).as_ref(),
        );
    }
    source.end();
}
