//! Prints how many hands of 13 or 14 tiles have each shanten. Copies of a kind are different tiles.
//!
//! ```sh
//! cargo run --release --package jantaku-engine --example census -- 14 4   # tiles, players
//! ```

use jantaku_engine::Census;
use jantaku_engine::rules::options::TileKinds;

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (tiles, kinds) = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => (14, TileKinds::Full),
        ["13", "4"] => (13, TileKinds::Full),
        ["14", "4"] => (14, TileKinds::Full),
        ["13", "3"] => (13, TileKinds::ThreePlayer),
        ["14", "3"] => (14, TileKinds::ThreePlayer),
        _ => return Err("usage: census [13|14 3|4]: the tiles of a hand and the players".into()),
    };
    let census = Census::of(kinds, tiles);
    let total = census.total();
    for (shanten, hands) in census.iter() {
        println!("{:>2}  {hands:>25}  {:>10.6} %", shanten.number(), 100.0 * hands as f64 / total as f64);
    }
    println!("    {total:>25}");
    Ok(())
}
