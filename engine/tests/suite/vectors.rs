//! Shanten and scores compared with the reference data: vectors, and the wins of recorded games.

use jantaku_engine::rules::options::{Aka, TileKinds, WallLayout};
use jantaku_engine::settle::{self, Liability, PricedWin};
use jantaku_engine::{
    Circumstances, Claimed, Concealed, Meld, MeldKind, Melds, Moment, Players, Riichi, Rules, Seat, Tile,
    TileKind, TileSet, Win, Wind, Yaku,
};
use serde_json::Value;

use crate::common::{number, numbers, reference_lines};
use crate::scores::tile_136;

fn concealed(kinds: &[usize]) -> Concealed {
    kinds.iter().map(|kind| Tile::plain(TileKind::from_index(*kind))).collect()
}

#[test]
#[ignore = "needs JANTAKU_DATA"]
fn shanten_of_the_ara_hands() {
    let mut checked = 0;
    for line in reference_lines("shanten", "ara_") {
        let row = line.as_array().expect("a list");
        let hand = concealed(&numbers(&row[..14].to_vec().into()));
        let expected = [number(&row[14]), number(&row[15]), number(&row[16])];
        let found =
            [hand.tracker().standard_shanten(0), hand.thirteen_orphans_shanten(), hand.seven_pairs_shanten()];
        assert_eq!(found.map(|shanten| i64::from(shanten.number())), expected, "{hand}");
        checked += 1;
    }
    println!("{checked} hands");
}

#[test]
#[ignore = "needs JANTAKU_DATA"]
fn shanten_and_ukeire_of_real_hands() {
    for line in reference_lines("shanten", "real_hands_agreed") {
        let hand = concealed(&numbers(&line["closed"]));
        let melds = (14 - hand.len()) / 3;
        let (shanten, ukeire) = hand.ukeire(melds);
        assert_eq!(i64::from(shanten.number()), number(&line["shanten"]), "{line}");
        assert_eq!(
            i64::from(hand.tracker().standard_shanten(melds).number()),
            number(&line["standard"]),
            "{line}"
        );
        if !line["chiitoi"].is_null() {
            assert_eq!(i64::from(hand.seven_pairs_shanten().number()), number(&line["chiitoi"]), "{line}");
            assert_eq!(
                i64::from(hand.thirteen_orphans_shanten().number()),
                number(&line["kokushi"]),
                "{line}"
            );
        }
        if let Some(expected) = line["ting"].as_array() {
            // Both sides count by shape alone: a kind may be listed though the hand's melds hold
            // all four of its tiles.
            let expected: TileSet =
                expected.iter().map(|name| kobalab_tile(name.as_str().expect("a tile"))).collect();
            assert_eq!(ukeire, expected, "{line}");
        }
    }
}

/// The kind of a tile in kobalab's notation: `m5` is our `5m`.
fn kobalab_tile(name: &str) -> TileKind {
    let (suit, rank) = name.split_at(1);
    format!("{rank}{suit}").parse::<Tile>().expect("a tile").kind()
}

fn seat(index: i64) -> Seat {
    Seat::new(index as u8).expect("a seat")
}

fn tenhou_melds(line: &Value, who: Seat, players: Players) -> Melds {
    let meld = |meld: &Value| {
        let tiles: Vec<Tile> = numbers(&meld["tiles"]).into_iter().map(tile_136).collect();
        let kind = match meld["t"].as_str().expect("the kind of a meld") {
            "chi" => MeldKind::Chi,
            "pon" => MeldKind::Pon,
            "minkan" => MeldKind::Daiminkan,
            "kakan" => MeldKind::Kakan,
            "ankan" => MeldKind::Ankan,
            other => panic!("unknown meld {other}"),
        };
        let low = tiles.iter().map(|tile| tile.kind()).min().expect("a meld has tiles");
        let reds = tiles.iter().filter(|tile| tile.is_red()).count() as u8;
        let claimed = meld["called"].as_u64().filter(|_| kind != MeldKind::Ankan).map(|id| Claimed {
            tile: tile_136(id as usize),
            from: who.after(number(&meld["from_rel"]) as u8, players),
        });
        Meld::new(kind, low, reds, claimed)
    };
    line["melds"].as_array().expect("melds").iter().map(meld).collect()
}

/// The yaku with this name in the reference data. None for dora.
fn tenhou_yaku(name: &str) -> Option<Yaku> {
    Some(match name {
        "tsumo" => Yaku::MenzenTsumo,
        "sanshoku" => Yaku::SanshokuDoujun,
        "ittsu" => Yaku::Ittsuu,
        "shousuushi" => Yaku::Shousuushii,
        name if name.starts_with("bakaze") => Yaku::RoundWind,
        name if name.starts_with("jikaze") => Yaku::SeatWind,
        "dora" | "ura" | "aka" => return None,
        name => Yaku::all().find(|yaku| yaku.name() == name).unwrap_or_else(|| panic!("unknown yaku {name}")),
    })
}

/// Yaku, han of dora, fu, points and the payments of each seat for every recorded win.
#[test]
#[ignore = "needs JANTAKU_DATA"]
fn wins_of_recorded_games() {
    let tenhou = Rules::preset("tenhou").expect("a preset");
    let three = Rules {
        players: Players::Three,
        tiles: TileKinds::ThreePlayer,
        wall_layout: WallLayout::Tenhou3p,
        aka: Aka { m: 0, p: 1, s: 1 },
        honba_ron: 200,
        ..tenhou
    };
    let mut checked = 0;
    let mut last = Value::Null;
    for mut line in reference_lines("score", "tenhou_agari") {
        let hand = Value::from(vec![line["id"].clone(), line["round"].clone()]);
        if hand == last {
            // After a double ron only the first winner receives honba.
            line["honba"] = 0.into();
        }
        last = hand;
        let rules =
            if line["rules"].as_str().is_some_and(|r| r.starts_with("3p")) { &three } else { &tenhou };
        check_recorded_win(&line, rules);
        checked += 1;
    }
    println!("{checked} wins");
}

fn check_recorded_win(line: &Value, rules: &Rules) {
    let (who, from, dealer) =
        (seat(number(&line["who"])), seat(number(&line["frm"])), seat(number(&line["dealer"])));
    let named = |key: &str| -> Vec<(String, u8)> {
        let entry = |entry: &Value| match entry.as_str() {
            Some(name) => (name.to_owned(), 0),
            None => (entry[0].as_str().expect("a name").to_owned(), number(&entry[1]) as u8),
        };
        line[key].as_array().expect("a list").iter().map(entry).collect()
    };
    let listed: Vec<(String, u8)> = named("yaku").into_iter().chain(named("yakuman")).collect();
    let has = |name: &str| listed.iter().any(|(n, _)| n == name);
    let bonus = |name: &str| listed.iter().filter(|(n, _)| n == name).map(|(_, han)| han).sum::<u8>();
    let tiles: Vec<Tile> = numbers(&line["hand"]).into_iter().map(tile_136).collect();
    let indicators = |key: &str| numbers(&line[key]).into_iter().map(tile_136).collect::<Vec<Tile>>();
    let (dora, ura) = (indicators("dora_ind"), indicators("ura_ind"));
    let melds = tenhou_melds(line, who, rules.players);
    let win = Win {
        rules,
        concealed: tiles.into_iter().collect(),
        melds: &melds,
        tile: tile_136(number(&line["win_tile"]) as usize).kind(),
        tsumo: who == from,
        seat_wind: Wind::ALL[number(&line["seat_wind"]) as usize],
        round_wind: Wind::ALL[number(&line["round_wind"]) as usize],
        riichi: match (has("riichi"), has("double-riichi")) {
            (_, true) => Riichi::Double,
            // The log omits riichi for a yakuman; ura indicators imply it.
            (single, _) if single || !ura.is_empty() => Riichi::Single,
            _ => Riichi::None,
        },
        ippatsu: has("ippatsu"),
        moment: match () {
            () if has("haitei") || has("houtei") => Moment::LastTile,
            () if has("rinshan") => Moment::Rinshan,
            () if has("chankan") => Moment::Chankan,
            () => Moment::Ordinary,
        },
        first_turn: has("tenhou") || has("chiihou"),
        indicators: &dora,
        ura_indicators: &ura,
        norths: number(&line["nuki"]) as u8,
        circumstances: Circumstances::default(),
    };
    let score = win.score().unwrap_or_else(|| panic!("no win: {line}"));
    let mut expected: Vec<Yaku> = listed.iter().filter_map(|(name, _)| tenhou_yaku(name)).collect();
    expected.sort_unstable();
    assert_eq!(score.yaku.iter().collect::<Vec<_>>(), expected, "{line}");
    if score.yakuman == 0 {
        let (dora, ura, red) = (score.dora.dora + score.dora.north, score.dora.ura, score.dora.red);
        assert_eq!((dora, ura, red), (bonus("dora"), bonus("ura"), bonus("aka")), "{line}");
    }
    assert_eq!(i64::from(score.fu), number(&line["fu"]), "{line}");
    assert_eq!(score.fu_parts(&win).iter().map(|part| part.fu).sum::<u8>(), score.fu, "{line}");
    assert_eq!(score.limit as i64, number(&line["limit"]), "{line}");
    let pao = line["pao"].as_i64().map(|pao| Liability { seat: seat(pao), yaku: Some(Yaku::Daisangen) });
    let priced = PricedWin {
        winner: who,
        from: Some(from).filter(|from| *from != who),
        score: &score,
        liable: pao.as_slice(),
        honba: number(&line["honba"]) as i32,
    };
    let mut deltas = settle::payments(&priced, dealer, rules);
    deltas[who] += 1000 * number(&line["sticks"]) as i32;
    let recorded: Vec<i64> = line["deltas"].as_array().expect("deltas").iter().map(number).collect();
    assert_eq!(deltas.iter().map(|d| i64::from(*d)).collect::<Vec<_>>(), recorded, "{line}");
}
