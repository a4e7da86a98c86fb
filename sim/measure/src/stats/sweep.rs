//! The figures of several rule sets on the same walls.

use jantaku_engine::Rules;
use serde::{Deserialize, Serialize};

use super::interval::{Estimate, Products, difference};
use super::statistics::Statistics;
use super::tally::{Tallied, TallyError};
use jantaku_sim::play::{Groups, UnitCounts};

/// The figures of several rule sets on the same walls.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sweep {
    variants: Vec<Statistics>,
    /// Whether each variant has the rules of the first. Not in a tally.
    #[serde(skip)]
    pub(super) are_same: Vec<bool>,
    /// By variant after the first and by figure: products with the first variant.
    products: Vec<Vec<Products>>,
}

impl Sweep {
    /// A sweep of no games under the rules of each variant.
    pub(super) fn new(groups: &Groups, rules: &[&Rules]) -> Sweep {
        let are_same = rules.iter().map(|own| *own == rules[0]).collect();
        let variants: Vec<Statistics> = rules.iter().map(|rules| Statistics::new(groups, rules)).collect();
        let no_products = vec![Products::default(); variants[0].sums.len()];
        Sweep { products: vec![no_products; variants.len() - 1], are_same, variants }
    }

    /// Adds a unit: the same game under each variant.
    pub(super) fn add(&mut self, units: &[&UnitCounts]) {
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

    pub(super) fn merge(&mut self, other: &Sweep) {
        self.variants.iter_mut().zip(&other.variants).for_each(|(own, more)| own.merge(more));
        for (own, more) in self.products.iter_mut().zip(&other.products) {
            own.iter_mut().zip(more).for_each(|(own, more)| own.merge(more));
        }
    }

    /// The statistics of each variant.
    pub fn variants(&self) -> &[Statistics] {
        &self.variants
    }

    /// A variant's figure minus that of the first variant. None for the first variant, and if one
    /// of the two has no cases.
    ///
    /// `figure` is an index into [`Statistics::figures`]. For a variant with the rules of the first
    /// the difference is exactly 0, with the interval 0 to 0. If the rules of one of the two exclude
    /// the figure, the interval is that of the other's figure.
    pub fn difference(&self, variant: usize, figure: usize) -> Option<Estimate> {
        self.difference_after(variant, figure, self.variants[0].games())
    }

    /// [`Sweep::difference`] after this many games like those so far.
    pub(super) fn difference_after(&self, variant: usize, figure: usize, games: u64) -> Option<Estimate> {
        let played = self.variants[0].games();
        let products = self.products.get(variant.checked_sub(1)?)?[figure].scaled(games, played);
        let own = |variant: usize| {
            let Statistics { figures, sums, .. } = &self.variants[variant];
            (&figures[figure], sums[figure].scaled(games, played))
        };
        let ((first, first_sums), (other, other_sums)) = (own(0), own(variant));
        if first_sums.x == 0 || other_sums.x == 0 {
            return None;
        }
        if self.are_same[variant] {
            return Some(Estimate::ZERO);
        }
        if first.is_impossible(&first_sums) {
            return other.estimate(&other_sums);
        }
        if other.is_impossible(&other_sums) {
            return first.estimate(&first_sums).map(Estimate::negated);
        }
        difference(&first_sums, &other_sums, &products, first.is_rate)
    }
}

impl Tallied for Sweep {
    fn add_read(&mut self, other: &Sweep) -> Result<(), TallyError> {
        let fits = self.variants.len() == other.variants.len()
            && self.variants.iter().zip(&other.variants).all(|(own, other)| own.fits(other))
            && self.products.iter().map(Vec::len).eq(other.products.iter().map(Vec::len));
        if !fits {
            return Err(TallyError::other());
        }
        self.merge(other);
        Ok(())
    }
}
