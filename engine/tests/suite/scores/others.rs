//! Hands of mahjax, and yakuman of mahjong-cpp.

use jantaku_engine::{Concealed, Meld, MeldKind, Melds, Rules, Seat, Tile, TileKind, Yaku, YakuSet};
use serde_json::Value;

use super::{Case, number, numbers, reference_lines, wind, yaku_of};

fn concealed(counts: &[usize]) -> Concealed {
    let tile = |(kind, count): (usize, &usize)| vec![Tile::plain(TileKind::from_index(kind)); *count];
    counts.iter().enumerate().flat_map(tile).collect()
}

/// A kan in mahjax's packed form: bits 7–12 are the kind, higher bits are set for a daiminkan.
fn packed_kan(packed: i64) -> Meld {
    let kind = if packed >> 13 == 0 { MeldKind::Ankan } else { MeldKind::Daiminkan };
    Meld::new(kind, TileKind::from_index((packed >> 7 & 0x3F) as usize), 0, None)
}

fn mahjax_case(line: &Value, rules: &Rules) -> Case {
    let tile = TileKind::from_index(number(&line["last"]) as usize);
    let mut hand = concealed(&numbers(&line["hand"]));
    hand.add(tile.into());
    let melds = line["melds"].as_array().expect("melds").iter().take(number(&line["n_meld"]) as usize);
    let melds: Melds = melds.map(|packed| packed_kan(number(packed))).collect();
    // The vectors list dora, but no hand contains one.
    let seat = wind(number(&line["seat_wind"]));
    let from = Seat::new(u8::from(seat as u8 == 0)).filter(|_| line["is_ron"] == 1);
    let round = wind(number(&line["prevalent_wind"]));
    Case { from, seat, round, ..Case::new(rules, hand, melds, tile) }
}

/// Compares yaku, han (multiples for a yakuman), fu and base points.
#[test]
#[ignore = "needs JANTAKU_DATA"]
fn hands_of_mahjax() {
    let double_yakuman = YakuSet::of(Yaku::Daisuushii);
    let rules = Rules { double_yakuman, ..Rules::default() };
    for line in reference_lines("score", "mahjax") {
        let case = mahjax_case(&line, &rules);
        let score = case.win().score().unwrap_or_else(|| panic!("no win: {line}"));
        for id in line["yaku_indices"].as_array().expect("yaku") {
            let yaku = yaku_of("mahjax", &id.to_string()).expect("a known yaku");
            // mahjax has one number for both forms of a yakuman.
            let other_form = match yaku {
                Yaku::Suuankou => Yaku::SuuankouTanki,
                Yaku::Kokushi => Yaku::Kokushi13,
                yaku => yaku,
            };
            let holds = score.yaku.contains(yaku) || score.yaku.contains(other_form);
            assert!(holds, "{yaku}: {line}: {score:?}");
        }
        let (han, fu) = match score.yakuman {
            0 => (score.han(), score.fu),
            n => (u32::from(n), 0),
        };
        let found = [i64::from(han), i64::from(fu), i64::from(score.base)];
        assert_eq!(found, [number(&line["fan"]), number(&line["fu"]), number(&line["score"])], "{line}");
    }
}

/// The files, each with the forms of its yakuman.
const MAHJONG_CPP: &[(&str, &[Yaku])] = &[
    ("all_green", &[Yaku::Ryuuiisou]),
    ("all_honors", &[Yaku::Tsuuiisou]),
    ("big_four_winds", &[Yaku::Daisuushii]),
    ("big_three_dragons", &[Yaku::Daisangen]),
    ("four_concealed_triplets", &[Yaku::Suuankou, Yaku::SuuankouTanki]),
    ("little_four_winds", &[Yaku::Shousuushii]),
    ("nine_gates", &[Yaku::Chuuren, Yaku::JunseiChuuren]),
    ("single_wait_four_concealed_triplets", &[Yaku::SuuankouTanki]),
    ("thirteen_wait_thirteen_orphans", &[Yaku::Kokushi13]),
    ("true_nine_gates", &[Yaku::JunseiChuuren]),
];

/// A line has 14 tiles, the winning tile and whether the hand has the yakuman.
#[test]
#[ignore = "needs JANTAKU_DATA"]
fn yakuman_of_mahjong_cpp() {
    let rules = Rules::preset("mjsoul").expect("a preset");
    for (file, forms) in MAHJONG_CPP {
        let mut compared = 0;
        for line in reference_lines("score/gpl_mahjong-cpp_yakuman", &format!("{file}.")) {
            let row = numbers(&line);
            let (kinds, tile) = (&row[..14], TileKind::from_index(row[14]));
            let hand: Concealed = kinds.iter().map(|kind| Tile::plain(TileKind::from_index(*kind))).collect();
            let holds = hand.count(tile) > 0 && {
                let case = Case { from: None, ..Case::new(&rules, hand, Melds::EMPTY, tile) };
                case.win().score().is_some_and(|score| forms.iter().any(|yaku| score.yaku.contains(*yaku)))
            };
            assert_eq!(holds, row[15] == 1, "{file}: {hand} with {tile}");
            compared += 1;
        }
        println!("{file}: {compared} hands");
    }
}
