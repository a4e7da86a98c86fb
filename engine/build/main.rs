//! Build script: computes, checks and writes the tables of the engine.
//!
//! - [`distance`]: the number of tiles that a suit needs for sets and a pair, checked by a slow
//!   search
//! - [`classes`]: suits with the same distances form a class, and classes of several suits merge
//! - [`ukeire`]: the tiles that bring a suit closer to each goal
//! - [`complete`]: the readings of complete suits as sets and a pair
//!
//! `src/shanten/tables.rs` and `src/score/suits.rs` read the tables.

mod classes;
mod complete;
mod distance;
mod ukeire;

use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-changed=build");
    let out = Output(PathBuf::from(std::env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR")));
    let suits = distance::distances(9, true);
    let honours = distance::distances(7, false);
    distance::check(&suits, &honours);
    let classes = classes::Classes::new(&suits, &honours);
    classes.write(&suits, &honours, &out);
    ukeire::write(&suits, &honours, &classes, &out);
    complete::write(&out);
}

/// The folder of the generated tables.
struct Output(PathBuf);

impl Output {
    fn write_bytes(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.0.join(name), bytes).expect("OUT_DIR is writable");
    }

    /// Takes numbers as little-endian bytes, and writes them in the byte order of the target.
    fn write_numbers<const N: usize>(&self, name: &str, numbers: impl IntoIterator<Item = [u8; N]>) {
        let big = std::env::var("CARGO_CFG_TARGET_ENDIAN").is_ok_and(|order| order == "big");
        let in_order = |mut bytes: [u8; N]| {
            if big {
                bytes.reverse();
            }
            bytes
        };
        self.write_bytes(name, &numbers.into_iter().flat_map(in_order).collect::<Vec<u8>>());
    }
}

/// Powers of five. The tiles of a suit are a number in base 5: digit k is the number of copies of
/// rank k + 1.
const POW5: [usize; 9] = [1, 5, 25, 125, 625, 3125, 15625, 78125, 390_625];

/// The number of suits with at most four copies of each rank.
const SUITS: usize = 5 * POW5[8];
/// The number of combinations of honours with at most four copies of each kind.
const HONOURS: usize = POW5[7];
/// The number of low halves of suits: ranks 1–6.
const LOW: usize = POW5[6];
/// The number of high halves of suits: ranks 7–9.
const HIGH: usize = POW5[3];
/// The number of low halves of honours: the winds.
const WINDS: usize = POW5[4];
/// The number of high halves of honours: the dragons.
const DRAGONS: usize = POW5[3];
/// The number of tiles in the largest hand.
const MAX_TILES: usize = 14;

/// The copies of each rank in the suit with this number.
fn copies(number: usize, ranks: usize) -> Vec<u8> {
    (0..ranks).map(|rank| (number / POW5[rank] % 5) as u8).collect()
}

/// The number of tiles in the suit with this number.
fn size(number: usize) -> usize {
    POW5.iter().map(|p| number / p % 5).sum()
}
