//! Conditional tables: sums over games for each combination of conditions.

use std::collections::BTreeMap;

use jantaku_sim::play::Groups;
use serde::{Deserialize, Serialize};

use super::case_counter::CaseUnit;
use super::cases::{CaseChoice, CaseKey, CaseMeasure, Condition, MEASURES};
use super::figures::FigureKind;
use super::interval::Sums;
use super::table::{Cells, FigureTable};

/// The sums of a conditional table. They are whole numbers and merge in any order.
#[derive(Clone, Debug)]
pub struct CaseTable {
    choice: CaseChoice,
    /// The sums of each cell's measures. The share counts per case of the table, the others per case of the
    /// cell.
    cells: BTreeMap<CaseKey, [Sums; MEASURES]>,
    /// The cases of each unit, as the denominator of the shares.
    all: Sums,
    units: u64,
    /// Index 0 counts the hands, index n the games of n players.
    totals: [u64; 5],
}

/// A measure in a cell of a conditional table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CaseRow {
    /// The values of the conditions, in the order of `by`.
    pub values: Vec<String>,
    /// What is measured in the cases with these values.
    pub measure: CaseMeasure,
    /// `rate`, from 0 to 1, or `mean`.
    pub kind: FigureKind,
    /// `events` / `trials`.
    pub value: f64,
    /// Lower end of the 95 % interval; None if the games do not determine one.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
    /// Count of a rate; sum of the amounts of a mean.
    pub events: i64,
    /// Cases with these values; for `share` all cases of the table.
    pub trials: i64,
    /// Units with at least one trial.
    pub units: u64,
}

impl CaseTable {
    /// A table of no games.
    pub fn new(choice: &CaseChoice) -> CaseTable {
        let (choice, all) = (choice.clone(), Sums::default());
        CaseTable { choice, cells: BTreeMap::new(), all, units: 0, totals: [0; 5] }
    }

    /// Adds a unit: one game, or all games on the same wall.
    pub(super) fn add(&mut self, unit: &CaseUnit) {
        let all = unit.cells.values().map(|counts| counts[0]).sum();
        let games = unit.totals[1..].iter().sum();
        self.all.add_unit(0, all, games);
        for (key, counts) in &unit.cells {
            let sums = self.cells.entry(*key).or_default();
            let trials = std::iter::once(all).chain(std::iter::repeat(counts[0]));
            sums.iter_mut().zip(counts).zip(trials).for_each(|((sums, y), x)| sums.add_unit(*y, x, games));
        }
        self.units += 1;
        self.totals.iter_mut().zip(unit.totals).for_each(|(own, more)| *own += more);
    }

    /// Adds the units of another table of the same cases and conditions.
    pub(super) fn merge(&mut self, other: &CaseTable) {
        for (key, more) in &other.cells {
            let own = self.cells.entry(*key).or_default();
            own.iter_mut().zip(more).for_each(|(own, more)| own.merge(more));
        }
        self.all.merge(&other.all);
        self.units += other.units;
        self.totals.iter_mut().zip(other.totals).for_each(|(own, more)| *own += more);
    }

    /// The number of units: games, or sets of games on the same wall.
    pub const fn units(&self) -> u64 {
        self.units
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.totals[1..].iter().sum()
    }

    /// The number of hands.
    pub const fn hands(&self) -> u64 {
        self.totals[0]
    }

    /// Pairs of a number of players and its number of games, without numbers that have no games.
    pub fn games_by_players(&self) -> Vec<(u8, u64)> {
        (1..).zip(self.totals[1..].iter().copied()).filter(|(_, games)| *games > 0).collect()
    }

    /// The rows: those of each cell together, the cells in the order of their values. Cells without cases
    /// are left out.
    pub fn rows(&self, groups: &Groups) -> Vec<CaseRow> {
        let (names, CaseChoice { of, by }) = (groups.names(), &self.choice);
        let order = |key: &CaseKey| by.iter().map(|by| key[*by as usize]).collect::<Vec<_>>();
        let mut cells: Vec<_> = self.cells.iter().collect();
        cells.sort_by_key(|(key, _)| order(key));
        let mut rows = Vec::new();
        for (key, sums) in cells {
            let values: Vec<String> = by.iter().map(|by| by.text(key[*by as usize], &names)).collect();
            // The units of a share are those of the table: a unit without a case of the cell counts as 0.
            let Sums { units, games, x, xx, .. } = self.all;
            let share = Sums { units, games, x, xx, ..sums[0] };
            let measures = of.measures().iter().zip(std::iter::once(&share).chain(&sums[1..]));
            rows.extend(measures.map(|(measure, sums)| CaseRow::new(values.clone(), *measure, sums)));
        }
        rows
    }
}

impl CaseRow {
    fn new(values: Vec<String>, measure: CaseMeasure, sums: &Sums) -> CaseRow {
        let kind = measure.kind();
        let estimate = if kind == FigureKind::Rate { sums.rate() } else { sums.mean() };
        let estimate = estimate.expect("a cell has cases");
        let (low, high) = estimate.interval.unzip();
        let Sums { y: events, x: trials, units, .. } = *sums;
        CaseRow { values, measure, kind, value: estimate.value, low, high, events, trials, units }
    }
}

/// The rows of a conditional table as a table, with a column for each condition.
pub fn case_columns(by: &[Condition], rows: &[CaseRow]) -> FigureTable {
    let texts = |cell: &dyn Fn(&CaseRow) -> String| Cells::Texts(rows.iter().map(cell).collect());
    let numbers = |cell: fn(&CaseRow) -> Option<f64>| Cells::Numbers(rows.iter().map(cell).collect());
    let counts = |cell: fn(&CaseRow) -> i64| Cells::Counts(rows.iter().map(cell).collect());
    let values = by.iter().enumerate().map(|(at, by)| (by.name(), texts(&|row| row.values[at].clone())));
    let mut all: FigureTable = values.collect();
    all.extend([
        ("measure", texts(&|row| row.measure.name().to_owned())),
        ("kind", texts(&|row| row.kind.name().to_owned())),
        ("value", numbers(|row| Some(row.value))),
        ("low", numbers(|row| row.low)),
        ("high", numbers(|row| row.high)),
        ("events", counts(|row| row.events)),
        ("trials", counts(|row| row.trials)),
        ("units", counts(|row| row.units as i64)),
    ]);
    all
}
