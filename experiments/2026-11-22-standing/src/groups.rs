//! Mean gains by group.

use std::collections::BTreeMap;

/// Sums over the gains of a group.
#[derive(Clone, Copy, Default)]
pub struct Sums {
    count: f64,
    /// Gains of result in points, and of placements, and their squares.
    gains: [f64; 2],
    squares: [f64; 2],
}

pub type Groups = BTreeMap<String, Sums>;

impl Sums {
    pub fn add(&mut self, gains: [f64; 2]) {
        self.count += 1.0;
        for (at, gain) in gains.into_iter().enumerate() {
            self.gains[at] += gain;
            self.squares[at] += gain * gain;
        }
    }
}

pub fn merged(mut one: Groups, other: Groups) -> Groups {
    for (name, sums) in other {
        let to = one.entry(name).or_default();
        to.count += sums.count;
        for at in 0..2 {
            to.gains[at] += sums.gains[at];
            to.squares[at] += sums.squares[at];
        }
    }
    one
}

/// Prints each group with the mean gains and their 95 % intervals.
pub fn print(groups: &Groups) {
    println!("group\tcount\tresult\t±\tplacement\t±");
    for (name, sums) in groups {
        let [result, placement] = [0, 1].map(|at| {
            let mean = sums.gains[at] / sums.count;
            let variance = sums.squares[at] / sums.count - mean * mean;
            (mean, 1.96 * (variance / sums.count).sqrt())
        });
        println!(
            "{name}\t{}\t{:+.0}\t{:.0}\t{:+.4}\t{:.4}",
            sums.count, result.0, result.1, placement.0, placement.1
        );
    }
}
