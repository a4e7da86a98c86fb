//! The numbers of hands at each shanten: published, added up, and seen in dealt hands.

use std::path::PathBuf;

use jantaku_engine::rules::knobs::TileKinds;
use jantaku_engine::{Census, Concealed, Rules, Shanten, Wall};

/// Hands of 14 of the 136 tiles from complete hands on. Published in
/// <https://github.com/tomohxx/mahjong-algorithm-book>, `docs/shanten.md`.
const PUBLISHED: [u64; 8] = [
    12_859_078_207_674,
    2_966_241_795_738_948,
    99_154_452_630_748_356,
    828_714_358_375_292_670,
    1_867_404_976_243_926_528,
    1_211_948_980_271_480_832,
    233_501_763_289_743_360,
    6_601_397_483_077_632,
];

#[test]
fn all_hands_of_fourteen_tiles_are_those_published() {
    let census = Census::of(TileKinds::Full, 14);
    let expected: Vec<(i8, u64)> = (-1..).zip(PUBLISHED).collect();
    assert_eq!(census.iter().map(|(shanten, n)| (shanten.number(), n)).collect::<Vec<_>>(), expected);
    let Some(root) = std::env::var_os("JANTAKU_DATA").map(PathBuf::from) else {
        return eprintln!("skipped: JANTAKU_DATA is not set, so its constants cannot be compared");
    };
    let path = root.join("reference/exact_constants_shared.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let constants: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    for (shanten, hands) in census.iter() {
        let known = &constants["shanten_distribution_4p_14_tiles"]["counts"][shanten.to_string()];
        assert_eq!(known.as_str(), Some(&*hands.to_string()), "shanten {shanten}");
    }
}

/// Every choice of tiles is counted once.
#[test]
fn hands_add_up() {
    let choose = |n: u128, k: u128| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
    for (kinds, wall) in [(TileKinds::Full, 136), (TileKinds::ThreePlayer, 108)] {
        for tiles in [13, 14] {
            let total = Census::of(kinds, tiles).total();
            assert_eq!(u128::from(total), choose(wall, tiles as u128), "{tiles} of {wall}");
        }
        assert_eq!(Census::of(kinds, 13).hands(Shanten::COMPLETE), 0);
    }
}

/// Hands that are dealt have the shanten that the census says, within five standard errors.
#[test]
fn dealt_hands_agree() {
    const DEALS: u32 = 50_000;
    let missing = |shanten: Shanten| (shanten.number() + 1) as usize;
    for (preset, kinds) in [("tenhou", TileKinds::Full), ("tenhou-sanma", TileKinds::ThreePlayer)] {
        let rules = Rules::preset(preset).expect("a preset");
        let mut seen = [[0_u32; 10]; 2];
        for seed in 0..DEALS {
            let wall = Wall::of_hand(u64::from(seed), 0, 0, 0, &rules);
            for (tiles, seen) in [13, 14].into_iter().zip(&mut seen) {
                let hand: Concealed = wall.tiles()[..tiles].iter().copied().collect();
                seen[missing(hand.shanten(0))] += 1;
            }
        }
        for (tiles, seen) in [13, 14].into_iter().zip(seen) {
            let census = Census::of(kinds, tiles);
            for (shanten, hands) in census.iter() {
                let (deals, share) = (f64::from(DEALS), hands as f64 / census.total() as f64);
                let found = f64::from(seen[missing(shanten)]);
                let error = (deals * share * (1.0 - share)).sqrt();
                let gap = (found - deals * share).abs();
                assert!(gap <= 5.0 * error + 1.0, "{preset}, {tiles} tiles, shanten {shanten}: {found}");
            }
        }
    }
}
