//! What played and stored games show, for programs that print it.
//!
//! - `games`: statistics of games that are played or stored
//! - `variants`: rule sets to compare
//! - `compared`: a sweep over variants

mod compared;
mod games;
mod variants;

pub use compared::SweepReport;
pub use games::{GamesReport, ReportError, Simulation};
pub use variants::{MOST_VARIANTS, Variant, VariantError, Variants};
