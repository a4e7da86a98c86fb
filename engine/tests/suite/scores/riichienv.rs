//! Wins of Mahjong Soul with three and four players, from the benchmarks of `RiichiEnv`.

use jantaku_engine::{
    Concealed, Meld, MeldKind, Melds, Moment, Riichi, Rules, Seat, Shanten, Tile, TileKind, Wind, Yaku,
};
use serde_json::Value;

use super::{Answer, Case, Source, number, numbers, reference_lines, tile_136, wind, yaku_of};

/// The numbers of dora, red fives, ura dora and kita.
const BONUS: std::ops::RangeInclusive<i64> = 31..=34;

fn yaku(id: i64) -> Yaku {
    yaku_of("riichienv", &id.to_string()).unwrap_or_else(|| panic!("unknown yaku {id}"))
}

fn meld(meld: &Value) -> Meld {
    let tiles: Vec<Tile> = numbers(&meld["tiles"]).into_iter().map(tile_136).collect();
    let low = tiles.iter().map(|tile| tile.kind()).min().expect("a meld has tiles");
    let reds = tiles.iter().filter(|tile| tile.is_red()).count() as u8;
    let kind = match meld["meld_type"].as_str().expect("a kind") {
        "chi" => MeldKind::Chi,
        "pon" => MeldKind::Pon,
        "daiminkan" => MeldKind::Daiminkan,
        "kakan" => MeldKind::Kakan,
        "ankan" => MeldKind::Ankan,
        other => panic!("unknown meld {other}"),
    };
    Meld::new(kind, low, reds, None)
}

fn case(line: &Value, rules: &Rules) -> Case {
    let said = &line["conditions"];
    let is = |name: &str| said[name].as_bool().expect("true or false");
    let tiles = |key: &str| numbers(&line[key]).into_iter().map(tile_136).collect::<Vec<Tile>>();
    let last = tile_136(number(&line["win_tile_136"]) as usize);
    let concealed: Concealed = tiles("tiles_136").into_iter().chain([last]).collect();
    let melds: Melds = line["melds"].as_array().expect("melds").iter().map(meld).collect();
    let seat = wind(number(&said["player_wind"]));
    let from = u8::from(seat == Wind::East);
    Case {
        from: Seat::new(from).filter(|_| !is("tsumo")),
        seat,
        round: wind(number(&said["round_wind"])),
        riichi: match () {
            () if is("double_riichi") => Riichi::Double,
            () if is("riichi") => Riichi::Single,
            () => Riichi::None,
        },
        ippatsu: is("ippatsu"),
        moment: match () {
            () if is("haitei") || is("houtei") => Moment::LastTile,
            () if is("rinshan") => Moment::Rinshan,
            () if is("chankan") => Moment::Chankan,
            () => Moment::Ordinary,
        },
        first_turn: is("tsumo_first_turn"),
        dora: tiles("dora_indicators"),
        ura: tiles("ura_indicators"),
        norths: number(&said["kita_count"]) as u8,
        ..Case::new(rules, concealed, melds, last.kind())
    }
}

/// The answer of a vector. Payments are copied from ours, because the vectors have none.
fn answer(expected: &Value, ours: Option<&Answer>) -> Answer {
    let ids: Vec<i64> = expected["yaku"].as_array().expect("yaku").iter().map(number).collect();
    let yaku: Vec<Yaku> = ids.iter().filter(|id| !BONUS.contains(id)).map(|id| yaku(*id)).collect();
    let is_yakuman = yaku.iter().any(|yaku| yaku.is_yakuman());
    let han = number(&expected["han"]) as u32;
    Answer {
        yaku: yaku.iter().map(|yaku| yaku.name().to_owned()).collect(),
        han: if is_yakuman { 0 } else { han },
        fu: if is_yakuman { 0 } else { number(&expected["fu"]) as u8 },
        yakuman: if is_yakuman { (han / 13) as u8 } else { 0 },
        paid: ours.map_or_else(Vec::new, |ours| ours.paid.clone()),
    }
}

fn check(name: &'static str, file: &str, preset: &str) {
    let mut source = Source::new(name);
    let rules = Rules::preset(preset).expect("a preset");
    for (index, line) in reference_lines("score", file).iter().enumerate() {
        let ours = case(line, &rules).answer();
        let theirs = answer(&line["expected"], ours.as_ref());
        source.check(&index.to_string(), ours.as_ref(), Some(&theirs));
    }
    source.end();
}

#[test]
#[ignore = "needs JANTAKU_DATA"]
fn wins_of_four_players() {
    check("riichienv 4p", "riichienv_agari_4p", "mjsoul");
}

#[test]
#[ignore = "needs JANTAKU_DATA"]
fn wins_of_three_players() {
    check("riichienv 3p", "riichienv_agari_3p", "mjsoul-sanma");
}

#[test]
#[ignore = "needs JANTAKU_DATA"]
fn hands_that_are_not_tenpai() {
    for line in reference_lines("score", "riichienv_hands") {
        let counts = numbers(&line["counts_34"]);
        let tile = |(kind, count): (usize, &usize)| vec![Tile::plain(TileKind::from_index(kind)); *count];
        let hand: Concealed = counts.iter().enumerate().flat_map(tile).collect();
        assert_eq!(hand.shanten(0) == Shanten::TENPAI, line["is_tenpai"] == true, "{hand}");
    }
}
