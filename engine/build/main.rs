//! Computes, proves and writes the tables of the engine.
//!
//! - [`distance`]: how many tiles a suit misses to hold given sets and a pair; the slow search that it is checked against
//! - [`classes`]: suits that miss the same tiles are one class; classes of several suits merge
//! - [`ukeire`]: which tiles bring a suit nearer
//! - [`complete`]: how a complete suit falls into sets and a pair
//!
//! The layouts are described where the tables are read, in `src/shanten/tables.rs` and `src/score/suits.rs`.

mod classes;
mod complete;
mod distance;
mod ukeire;

use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-changed=build");
    let out = Output(PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")));
    let suits = distance::distances(9, true);
    let honours = distance::distances(7, false);
    distance::prove(&suits, &honours);
    let classes = classes::Classes::new(&suits, &honours);
    classes.write(&suits, &honours, &out);
    ukeire::write(&suits, &honours, &classes, &out);
    complete::write(&out);
}

/// The folder of the generated tables.
struct Output(PathBuf);

impl Output {
    fn bytes(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.0.join(name), bytes).expect("the build folder can be written");
    }

    /// Writes numbers as little-endian bytes.
    fn numbers<const N: usize>(&self, name: &str, numbers: impl IntoIterator<Item = [u8; N]>) {
        self.bytes(name, &numbers.into_iter().flatten().collect::<Vec<u8>>());
    }
}

/// Powers of five: the weight of each rank in the number of a suit.
const POW5: [usize; 9] = [1, 5, 25, 125, 625, 3125, 15625, 78125, 390_625];

/// How many different suits have at most four copies of each rank.
const SUITS: usize = 5 * POW5[8];
/// How many different sets of honours have at most four copies of each kind.
const HONOURS: usize = POW5[7];
/// Suits are read in two halves: ranks 1–6 below, ranks 7–9 above. Honours: four winds below, three dragons above.
const LOW: usize = POW5[6];
const HIGH: usize = POW5[3];
const WINDS: usize = POW5[4];
const DRAGONS: usize = POW5[3];
/// No hand holds more tiles than this.
const MAX_TILES: usize = 14;

/// The copies of each rank in the suit with this number.
fn copies(number: usize, ranks: usize) -> Vec<u8> {
    (0..ranks).map(|rank| (number / POW5[rank] % 5) as u8).collect()
}

/// How many tiles the suit with this number has.
fn size(number: usize) -> usize {
    POW5.iter().map(|p| number / p % 5).sum()
}
