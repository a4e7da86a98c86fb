//! Figures over many games, each with a confidence interval.
//!
//! In the order in which the files build on each other:
//!
//! - `interval`: 95 % intervals for ratios of totals
//! - `figures`: the figures, as ratios of counts
//! - `tally`: sums as bytes, for games that several processes play
//! - `histogram`: standard deviations and quantiles of whole numbers
//! - `statistics`: the figures of games under one rule set
//! - `sweep`: the figures of several rule sets on the same walls
//! - `table`: a table as CSV and Parquet; `rows`: figures as rows of a table
//! - `precision`: how exactly figures are known, and how many games that takes
//! - `played`: plays games and counts them
//! - `cases`: what conditional tables count; `case_counter`: counts it in replayed games; `case_table`:
//!   its sums and rows
//! - `part`: counts the games of one part of a run; `stored`: counts the games of runs
//!
//! Played and stored games are counted by the same code ([`jantaku_sim::play`]), in whole numbers. So the
//! same games have the same figures, to the last digit. Memory use does not depend on the number of
//! games, with one exception: the signatures of games from logs are kept to find copies.
//!
//! # Why
//!
//! **Why do conditional tables have cases of their own?** They need every tile and every decision, so
//! their games are replayed, which takes far longer than reading the tables `games` and `hands`. Plain
//! statistics stay as fast as they are, and need no decisions in a run.
//!
//! **Why do statistics add up games and not hands?** Hands of one game depend on each other; games
//! do not. So every figure is a ratio of two totals over games, kept as five sums of whole numbers:
//! y, x, y², x y, x². They merge in any order, take the same memory for ten games and for ten
//! million, and give the same digits for files and simulations. Rejected: the bootstrap, because it
//! needs all games at once, and batches of games as units, because they waste degrees of freedom.
//! Also rejected: floating-point sums (Welford), because their last digits depend on the threads.

mod case_counter;
mod case_table;
mod cases;
mod figures;
mod histogram;
mod interval;
mod part;
mod played;
mod precision;
mod rows;
mod statistics;
mod stored;
mod sweep;
mod table;
mod tally;

pub use case_table::{CaseRow, CaseTable, case_columns};
pub use cases::{CaseChoice, CaseMeasure, Cases, Condition};
pub use figures::{Figure, FigureKind, Occurrence, Section, can_occur};
pub use interval::{Estimate, Products, Sums, cut_interval, difference, placement_limits};
pub(crate) use interval::{NORMAL, t_quantile};
pub use played::{
    Batches, FIRST_BATCH, PATIENCE, empty_sweep, simulate, simulate_cases, simulate_until, sweep, sweep_until,
};
pub use precision::{Measured, Precision, Target};
pub use rows::{DifferenceRow, FigureRow, difference_table, figure_table, unknown_figure};
pub use statistics::Statistics;
pub(crate) use stored::for_each_set;
pub use stored::{StoredRuns, read, read_cases};
pub use sweep::Sweep;
pub use table::{Cells, FigureTable, csv, parquet};
pub use tally::{Tallied, TallyError};
