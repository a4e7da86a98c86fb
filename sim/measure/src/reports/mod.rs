//! Results that programs print: of played and stored games, sweeps and runs, and the page of each result.
//!
//! - `request`: what a caller asks to play, resolved
//! - `games`: statistics of games that are played or stored
//! - `cases`: conditional tables of such games
//! - `games_plan`: how many games a precision needs
//! - `log_rules`: the rules of games from logs
//! - `info`: what a run has in its folder
//! - `vary`: rule sets to compare, as a user gives them
//! - `variants`: rule sets to compare
//! - `compared`: a sweep over variants
//! - `fair_field`: what a match says about a placement
//! - [`names`]: what tables call agents
//! - `shown`: figures as [`jantaku_pages::report`] shows them
//! - [`faults`], [`precision`]: faults of agents, and how exactly figures are known, in words
//! - [`mod@page`]: the reports of results

mod cases;
mod compared;
mod fair_field;
pub mod faults;
mod games;
mod games_plan;
mod info;
mod log_rules;
pub mod names;
pub mod page;
pub mod precision;
mod request;
mod shown;
mod variants;
mod vary;

pub use cases::CaseReport;
pub use compared::{SweepReport, SweptVariant};
pub use fair_field::FairField;
pub use games::{AgentsOfRun, CountedGames, GamesOfPlayers, GamesReport, ReportError};
pub use games_plan::{GamesPlan, GamesPlanError};
pub use info::RunInfo;
pub use log_rules::LogRules;
pub use request::{GamesRequest, Simulation, StatsRequest, SweepError, SweepPlan, SweepRequest};
pub use variants::{MAX_VARIANTS, Variant, VariantError, Variants};
pub use vary::{VariantRules, Vary};
