//! Hand notation: a text is a hand that survives a round trip, or an error with a position in the
//! text.
#![no_main]

use jantaku_engine::notation::{parse_tiles, write_tiles};
use jantaku_engine::{Concealed, Hand, TileKind, TileSet};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match text.parse::<Hand>() {
        Ok(hand) => {
            assert_eq!(hand.to_string().parse(), Ok(hand), "{text}");
            assert!(TileKind::all().all(|kind| hand.count(kind) <= 4), "five tiles of a kind: {text}");
            shanten_and_waits_agree(&hand);
        }
        Err(error) => {
            assert!(error.position <= text.chars().count(), "{text}");
            assert!(error.to_string().lines().last().is_some_and(|line| line.trim() == "^"), "{text}");
        }
    }
    if let Ok(tiles) = parse_tiles(text) {
        let mut again = String::new();
        write_tiles(&mut again, tiles.iter().copied()).expect("writing to a string");
        assert_eq!(parse_tiles(&again), Ok(tiles.clone()), "{text}");
        assert_eq!(text.parse::<Concealed>(), Ok(tiles.iter().copied().collect()), "{text}");
        assert_eq!(text.parse::<TileSet>(), Ok(tiles.iter().map(|tile| tile.kind()).collect()), "{text}");
    }
});

/// Shanten is in range and agrees with the waits.
fn shanten_and_waits_agree(hand: &Hand) {
    let (melds, tiles) = (hand.melds().len(), hand.concealed().len());
    if tiles + 3 * melds == 13 {
        let shanten = hand.concealed().shanten(melds).number();
        assert!((0..=6).contains(&shanten), "{hand}: shanten {shanten}");
        assert_eq!(shanten == 0, !hand.concealed().waits(melds).is_empty(), "{hand}");
    }
}
