//! Statistics of many games, each figure with an interval.
//!
//! - `counts`: what is counted in a game
//! - `played`: counts a game while it is played
//! - `stored`: counts the games of runs from their files, `part`: those of a part one after the other, `cells`: columns as plain numbers
//! - `figures`: what is told, as ratios of counts
//! - `interval`: how far a ratio can be trusted
//! - `rows`: figures as a table of their own, CSV and Parquet
//!
//! A game is counted the same whether it is being played or comes from a file, and only whole numbers are added up: the same games
//! give the same figures to the last digit. Memory does not grow with the number of games, but that the signatures of games
//! from logs are kept to tell those that are there twice.

mod cells;
mod counts;
mod figures;
mod interval;
mod part;
mod played;
mod rows;
mod stored;

use std::sync::Arc;

pub use counts::{Counts, Groups};
pub use figures::{Figure, Section};
pub use interval::{Estimate, Products, Sums, difference};
pub use played::{simulate, sweep};
pub use rows::{Cells, Columns, Compared, Row, columns, compared_columns, csv, parquet};
pub use stored::{StoredRuns, read};

/// Statistics of games under one rule set, or under that of each game.
#[derive(Clone, PartialEq, Debug)]
pub struct Statistics {
    figures: Arc<[Figure]>,
    sums: Vec<Sums>,
    totals: Counts,
    units: u64,
}

impl Statistics {
    /// Of no games yet, with these groups of players.
    #[must_use]
    pub fn new(groups: &Groups) -> Statistics {
        let figures: Arc<[Figure]> = figures::figures(groups).into();
        let sums = vec![Sums::default(); figures.len()];
        Statistics { figures, sums, totals: Counts::none(groups), units: 0 }
    }

    /// The same figures of no games.
    fn none_yet(&self) -> Statistics {
        Statistics {
            figures: Arc::clone(&self.figures),
            sums: vec![Sums::default(); self.sums.len()],
            totals: self.totals.cleared(),
            units: 0,
        }
    }

    /// Adds a unit: the counts of a game, or of all games that share their walls.
    pub fn add(&mut self, unit: &Counts) {
        for (figure, sums) in self.figures.iter().zip(&mut self.sums) {
            sums.add(unit.at(figure.of), unit.at(figure.by));
        }
        self.totals.add(unit);
        self.units += 1;
    }

    /// Adds other units.
    pub fn merge(&mut self, other: &Statistics) {
        self.sums.iter_mut().zip(&other.sums).for_each(|(own, more)| own.merge(more));
        self.totals.add(&other.totals);
        self.units += other.units;
    }

    /// How many units there are: games, or sets of games that share their walls.
    #[must_use]
    pub const fn units(&self) -> u64 {
        self.units
    }

    /// How many games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.totals.at(counts::table::GAMES) as u64
    }

    /// How many hands.
    #[must_use]
    pub fn hands(&self) -> u64 {
        self.totals.at(counts::table::HANDS) as u64
    }

    /// The figures in order with their sums; some have no cases.
    pub fn figures(&self) -> impl Iterator<Item = (&Figure, &Sums)> {
        self.figures.iter().zip(&self.sums)
    }
}

impl Figure {
    /// The figure with its interval; none if there were no cases.
    #[must_use]
    pub fn estimate(&self, sums: &Sums) -> Option<Estimate> {
        if self.is_rate { sums.rate() } else { sums.mean() }
    }
}

/// Statistics of variants of the rules on the same walls.
#[derive(Clone, PartialEq, Debug)]
pub struct Sweep {
    variants: Vec<Statistics>,
    /// Whether the rules are those of the first variant.
    are_same: Vec<bool>,
    /// Products of the first variant with each of the others, by figure.
    products: Vec<Vec<Products>>,
}

impl Sweep {
    /// Of no games yet, of variants of which it is told whether they have the rules of the first.
    fn new(groups: &Groups, are_same: Vec<bool>) -> Sweep {
        let variants = vec![Statistics::new(groups); are_same.len()];
        let none = vec![Products::default(); variants[0].sums.len()];
        Sweep { products: vec![none; variants.len() - 1], are_same, variants }
    }

    fn none_yet(&self) -> Sweep {
        let none = vec![Products::default(); self.variants[0].sums.len()];
        Sweep {
            variants: self.variants.iter().map(Statistics::none_yet).collect(),
            are_same: self.are_same.clone(),
            products: vec![none; self.products.len()],
        }
    }

    /// Adds a unit: the counts of the same game under each variant.
    fn add(&mut self, unit: &[Counts]) {
        for (variant, counts) in self.variants.iter_mut().zip(unit) {
            variant.add(counts);
        }
        for (products, counts) in self.products.iter_mut().zip(&unit[1..]) {
            for (figure, products) in self.variants[0].figures.iter().zip(products) {
                let at = |counts: &Counts| (counts.at(figure.of), counts.at(figure.by));
                products.add(at(&unit[0]), at(counts));
            }
        }
    }

    fn merge(&mut self, other: &Sweep) {
        self.variants.iter_mut().zip(&other.variants).for_each(|(own, more)| own.merge(more));
        for (own, more) in self.products.iter_mut().zip(&other.products) {
            own.iter_mut().zip(more).for_each(|(own, more)| own.merge(more));
        }
    }

    /// The statistics of each variant.
    #[must_use]
    pub fn variants(&self) -> &[Statistics] {
        &self.variants
    }

    /// What a variant's figure differs by from that of the first; none for the first itself, and where one of them has no cases.
    ///
    /// `figure` is a place among [`Statistics::figures`]. Under the same rules nothing differs, and that is certain.
    #[must_use]
    pub fn difference(&self, variant: usize, figure: usize) -> Option<Estimate> {
        let products = &self.products.get(variant.checked_sub(1)?)?[figure];
        let sums = |variant: usize| &self.variants[variant].sums[figure];
        if self.are_same[variant] && sums(0).x != 0 {
            return Some(Estimate { value: 0.0, interval: Some((0.0, 0.0)), conservative: false });
        }
        difference(sums(0), sums(variant), products, self.variants[0].figures[figure].is_rate)
    }
}
