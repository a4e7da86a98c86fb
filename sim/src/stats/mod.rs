//! Figures over many games, each with a confidence interval.
//!
//! - `interval`: 95 % intervals for ratios of totals
//! - `figures`: the figures, as ratios of counts
//! - `histogram`: standard deviations and quantiles of whole numbers
//! - `rows`: figures as table rows; `table`: a table as CSV and Parquet
//! - `precision`: how exactly figures are known, and how many games that takes
//! - `played`: statistics of games that are played for them
//! - `columns`: columns of stored tables as plain numbers and words; `part`: counts the games of
//!   one part of a run; `stored`: counts the games of runs
//!
//! Played and stored games are counted by the same code ([`crate::play`]), in whole numbers. So the
//! same games have the same figures, to the last digit. Memory use does not depend on the number of
//! games, with one exception: the signatures of games from logs are kept to find copies.

mod columns;
mod figures;
mod histogram;
mod interval;
mod part;
mod played;
mod precision;
mod rows;
mod stored;
mod table;

use std::sync::Arc;

pub use figures::{Figure, Occurrence, Section};
pub(crate) use interval::t_quantile;
pub use interval::{Estimate, Products, Sums, difference};
pub use played::{FIRST_BATCH, PATIENCE, simulate, simulate_until, sweep, sweep_until};
pub use precision::{Measured, Precision, Target};
pub use rows::{DifferenceRow, FigureRow, difference_table, figure_table};
pub(crate) use stored::for_each_set;
pub use stored::{StoredRuns, read};
pub use table::{Cells, FigureTable, csv, parquet};

use histogram::{Histogram, Measure};
use jantaku_engine::Rules;

use crate::play::{
    ALL_GROUP, Counts, Groups, Quantity, UnitCounts, hand_counts, hand_index, player_parts,
    table as table_counts,
};

/// The figures of games under one rule set, or of games from logs with a rule set each.
#[derive(Clone, PartialEq, Debug)]
pub struct Statistics {
    figures: Arc<[Figure]>,
    /// The sums of each figure.
    sums: Vec<Sums>,
    /// By group of players and [`Quantity`]; empty for groups that other groups make up.
    histograms: Vec<Histogram>,
    totals: Counts,
    units: u64,
}

impl Statistics {
    /// Statistics of no games under these rules, with figures for these groups.
    #[must_use]
    pub fn new(groups: &Groups, rules: &Rules) -> Statistics {
        let figures: Arc<[Figure]> = figures::figures(groups, rules).into();
        let sums = vec![Sums::default(); figures.len()];
        let histograms = vec![Histogram::default(); groups.player_groups() * Quantity::ALL.len()];
        Statistics { figures, sums, histograms, totals: Counts::new(groups), units: 0 }
    }

    /// Adds a unit: one game, or all games on the same wall.
    pub fn add(&mut self, unit: &UnitCounts) {
        let UnitCounts { counts, amounts } = unit;
        let games = counts.at(table_counts::GAMES) as u64;
        for (figure, sums) in self.figures.iter().zip(&mut self.sums) {
            sums.add_unit(counts.at(figure.numerator), counts.at(figure.denominator), games);
        }
        for amount in amounts {
            self.histograms[histogram_index(amount.group, amount.quantity)].add(amount.value);
        }
        self.totals.add(counts);
        self.units += 1;
    }

    /// Adds the units of other statistics.
    pub fn merge(&mut self, other: &Statistics) {
        self.sums.iter_mut().zip(&other.sums).for_each(|(own, more)| own.merge(more));
        self.histograms.iter_mut().zip(&other.histograms).for_each(|(own, more)| own.merge(more));
        self.totals.add(&other.totals);
        self.units += other.units;
    }

    /// The number of units: games, or sets of games on the same wall.
    #[must_use]
    pub const fn units(&self) -> u64 {
        self.units
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.totals.at(table_counts::GAMES) as u64
    }

    /// The number of hands.
    #[must_use]
    pub fn hands(&self) -> u64 {
        self.totals.at(hand_index(ALL_GROUP, hand_counts::HANDS)) as u64
    }

    /// The sum of a count over all games, by its index in [`Counts`].
    pub(crate) fn count(&self, index: usize) -> i64 {
        self.totals.at(index)
    }

    /// The figures in order with their sums, those without cases included.
    pub fn figures(&self) -> impl Iterator<Item = (&Figure, &Sums)> {
        self.figures.iter().zip(&self.sums)
    }

    /// The measures of a figure's single amounts. Empty if they are not measured or there are none.
    fn spread(&self, figure: &Figure) -> Vec<(Measure, f64)> {
        let Some(quantity) = figure.quantity else { return Vec::new() };
        let mut histogram = Histogram::default();
        for part in player_parts(figure.group) {
            histogram.merge(&self.histograms[histogram_index(part, quantity)]);
        }
        Measure::ALL.into_iter().filter_map(|measure| Some((measure, measure.of(&histogram)?))).collect()
    }
}

/// The index of the histogram of a quantity in a group of players.
const fn histogram_index(group: usize, quantity: Quantity) -> usize {
    group * Quantity::ALL.len() + quantity as usize
}

impl Figure {
    /// The section and the name in the section: `draws.exhaustive`.
    #[must_use]
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.section.name(), self.name)
    }

    /// The figure's value and interval. None if there are no cases.
    #[must_use]
    pub fn estimate(&self, sums: &Sums) -> Option<Estimate> {
        if self.is_rate { sums.rate() } else { sums.mean() }
    }
}

/// The figures of several rule sets on the same walls.
#[derive(Clone, PartialEq, Debug)]
pub struct Sweep {
    variants: Vec<Statistics>,
    /// Whether each variant has the rules of the first.
    are_same: Vec<bool>,
    /// By variant after the first and by figure: products with the first variant.
    products: Vec<Vec<Products>>,
}

impl Sweep {
    /// A sweep of no games under the rules of each variant.
    fn new(groups: &Groups, rules: &[&Rules]) -> Sweep {
        let are_same = rules.iter().map(|own| *own == rules[0]).collect();
        let variants: Vec<Statistics> = rules.iter().map(|rules| Statistics::new(groups, rules)).collect();
        let no_products = vec![Products::default(); variants[0].sums.len()];
        Sweep { products: vec![no_products; variants.len() - 1], are_same, variants }
    }

    /// Adds a unit: the same game under each variant.
    fn add(&mut self, units: &[&UnitCounts]) {
        for (variant, unit) in self.variants.iter_mut().zip(units) {
            variant.add(unit);
        }
        for (products, unit) in self.products.iter_mut().zip(&units[1..]) {
            for (figure, products) in self.variants[0].figures.iter().zip(products) {
                let at = |unit: &UnitCounts| {
                    (unit.counts.at(figure.numerator), unit.counts.at(figure.denominator))
                };
                products.add(at(units[0]), at(unit));
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

    /// A variant's figure minus that of the first variant. None for the first variant, and if one
    /// of the two has no cases.
    ///
    /// `figure` is an index into [`Statistics::figures`]. For a variant with the rules of the first
    /// the difference is exactly 0, with the interval 0 to 0.
    #[must_use]
    pub fn difference(&self, variant: usize, figure: usize) -> Option<Estimate> {
        self.difference_after(variant, figure, self.variants[0].games())
    }

    /// [`Sweep::difference`] after this many games like those so far.
    fn difference_after(&self, variant: usize, figure: usize, games: u64) -> Option<Estimate> {
        let played = self.variants[0].games();
        let products = self.products.get(variant.checked_sub(1)?)?[figure].scaled(games, played);
        let sums = |variant: usize| self.variants[variant].sums[figure].scaled(games, played);
        if self.are_same[variant] && sums(0).x != 0 {
            return Some(Estimate { value: 0.0, interval: Some((0.0, 0.0)) });
        }
        difference(&sums(0), &sums(variant), &products, self.variants[0].figures[figure].is_rate)
    }
}
