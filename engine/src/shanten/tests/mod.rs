//! The number of hands at each shanten, compared with published counts, with their sum and with
//! deals.

mod census;

use self::census::Census;
use crate::rules::options::TileKinds;
use crate::{Concealed, Rules, Shanten, Wall};

const DEALS: u32 = 10_000;

/// Hands of 14 of the 136 tiles by shanten, from complete hands (-1) to shanten 6.
///
/// Source: <https://github.com/tomohxx/mahjong-algorithm-book>, `docs/shanten.md`.
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
fn census_of_fourteen_tiles_matches_the_published_counts() {
    let census = Census::of(TileKinds::Full, 14);
    let expected: Vec<(i8, u64)> = (-1..).zip(PUBLISHED).collect();
    assert_eq!(census.iter().map(|(shanten, n)| (shanten.number(), n)).collect::<Vec<_>>(), expected);
}

/// The counts add up to the binomial coefficient: the census counts each choice of tiles once.
#[test]
fn census_counts_each_choice_of_tiles_once() {
    let choose = |n: u128, k: u128| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
    for (kinds, wall) in [(TileKinds::Full, 136), (TileKinds::ThreePlayer, 108)] {
        for tiles in [13, 14] {
            let total = Census::of(kinds, tiles).total();
            assert_eq!(u128::from(total), choose(wall, tiles as u128), "{tiles} of {wall}");
        }
        assert_eq!(Census::of(kinds, 13).hands(Shanten::COMPLETE), 0);
    }
}

/// The shanten of dealt hands has the frequency of the census, within five standard errors.
#[test]
fn dealt_hands_follow_the_census() {
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
