//! The figures of games under one rule set.

use std::sync::Arc;

use jantaku_engine::{Rules, Seat};
use serde::{Deserialize, Serialize};

use super::figures::{Figure, Occurrence, figures};
use super::histogram::{Histogram, Measure};
use super::interval::Sums;
use super::tally::{Tallied, TallyError};
use jantaku_sim::play::{
    ALL_GROUP, Counts, Groups, Quantity, UnitCounts, hand_counts, hand_index, player, player_index,
    player_parts, seat_group, table,
};

/// The figures of games under one rule set, or of games from logs with a rule set each.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Statistics {
    /// Not in a tally: the groups and rules determine them.
    #[serde(skip)]
    pub(super) figures: Arc<[Figure]>,
    /// The sums of each figure.
    pub(super) sums: Vec<Sums>,
    /// By group of players and [`Quantity`]; empty for groups that other groups make up.
    histograms: Vec<Histogram>,
    totals: Counts,
    units: u64,
}

impl Statistics {
    /// Statistics of no games under these rules, with figures for these groups.
    pub fn new(groups: &Groups, rules: &Rules) -> Statistics {
        let figures: Arc<[Figure]> = figures(groups, rules).into();
        let sums = figures.iter().map(|figure| Sums { parts: figure.parts, ..Sums::default() }).collect();
        let histograms = vec![Histogram::default(); groups.player_groups() * Quantity::ALL.len()];
        Statistics { figures, sums, histograms, totals: Counts::new(groups), units: 0 }
    }

    /// Adds a unit: one game, or all games on the same wall.
    pub fn add(&mut self, unit: &UnitCounts) {
        let UnitCounts { counts, amounts } = unit;
        // `GAMES` is 0 if only hands are counted; the unit is still one game.
        let games = (counts.at(table::GAMES) as u64).max(1);
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

    /// Whether other statistics have the sums of equally many figures and groups.
    pub(super) fn fits(&self, other: &Statistics) -> bool {
        self.sums.len() == other.sums.len()
            && self.histograms.len() == other.histograms.len()
            && self.totals.fits(&other.totals)
    }

    /// The number of units: games, or sets of games on the same wall.
    pub const fn units(&self) -> u64 {
        self.units
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.totals.at(table::GAMES) as u64
    }

    /// The number of hands.
    pub fn hands(&self) -> u64 {
        self.totals.at(hand_index(ALL_GROUP, hand_counts::HANDS)) as u64
    }

    /// Pairs of a number of players and its number of games, without numbers that have no games.
    pub fn games_by_players(&self) -> Vec<(u8, u64)> {
        // The first seats play in every game, a later seat only in games with enough players.
        let with = |players: u8| {
            let last = Seat::new(players.checked_sub(1)?)?;
            Some(self.totals.at(player_index(seat_group(last), player::GAMES)) as u64)
        };
        let games = |players| with(players).unwrap_or(0) - with(players + 1).unwrap_or(0);
        (1..=4).map(|players| (players, games(players))).filter(|(_, games)| *games > 0).collect()
    }

    /// Whether the figure with this index says nothing about the games.
    pub(super) fn is_hidden(&self, index: usize) -> bool {
        let (figure, sums) = (&self.figures[index], &self.sums[index]);
        let is_possible = figure.occurrence == Occurrence::Possible
            && self.games_by_players().last().is_some_and(|(most, _)| figure.players <= *most);
        !is_possible && sums.y == 0 || figure.is_fixed && sums.has_equal_units()
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
    pub(super) fn spread(&self, figure: &Figure) -> Vec<(Measure, f64)> {
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

impl Tallied for Statistics {
    fn add_read(&mut self, other: &Statistics) -> Result<(), TallyError> {
        if !self.fits(other) {
            return Err(TallyError::other());
        }
        self.merge(other);
        Ok(())
    }
}
