//! Matches and leagues: which of several agents is stronger, and how sure that is.
//!
//! The games of a duplicate set are on the same walls and differ in who sits where
//! ([`Seatings`](jantaku_sim::play::Seatings)). So luck with the tiles cancels in part, and the set is
//! the unit of evidence: every interval and test is about means of sets, never about single games.
//!
//! In the order in which the files build on each other:
//!
//! - `ranked`: games as the orders of their agents
//! - `matrix`: symmetric matrices
//! - `plackett_luce`: the model of orders, and its fit
//! - `group`: agents with finite differences in strength, and their fit
//! - `goodness_of_fit`: how well ratings explain the results
//! - `rating`: ratings with intervals
//! - [`aivat`]: variance reduction: the luck of the players of a game
//! - `sums`: sums of an agent's placements, results and points over sets
//! - `sequential`: stops a match as soon as its outcome is clear
//! - `parts`: how many games a part has
//! - `plan`: what a match in a run plays
//! - `power`: how many sets show a placement difference
//! - `agent_result`: the result of one agent
//! - `counts`: the counts of a match
//! - `result`: the result of a match so far
//! - `play`: plays the sets of a match
//! - `matches`: a match, new or resumed, and how it is played
//! - `shard`: what one call played of a share of a match
//! - `request`: what a caller asks to play, resolved
//! - `sets_plan`: plans how many sets a match needs, with a pilot
//! - `league`: plays all tables of several agents
//!
//! `sim/docs/matches.md` and `sim/docs/league.md` have the formulas and their sources.
//!
//! # Why
//!
//! **Why are all games of a duplicate set on the same walls?** Then an agent's luck with the tiles
//! also goes to its opponents when they sit in the same seat. Agents that differ in 3 % of their
//! decisions need half the games for the same error bar (`experiments/2026-11-22-matches`). The
//! games of a set are not independent, so everything is computed from means of sets. Rejected:
//! treating games as the unit. The stated errors would be too small or too large, depending on the
//! agents.

mod agent_result;
pub mod aivat;
mod counts;
mod goodness_of_fit;
mod group;
mod league;
mod matches;
mod matrix;
mod parts;
mod plackett_luce;
mod plan;
mod play;
mod power;
mod ranked;
mod rating;
mod request;
mod result;
mod sequential;
mod sets_plan;
mod shard;
mod sums;

pub use agent_result::{AgentResult, VarianceRatios, VarianceReduced};
pub use goodness_of_fit::{GoodnessOfFit, PairShare};
pub use league::{
    AgentPair, League, LeagueConfig, LeagueError, LeagueFit, LeagueReport, LeagueRequest, LeagueResult,
    LeagueTable, RatedAgent, WorstPair,
};
pub use matches::{Match, MatchError, PrepareError};
pub use parts::games_per_part;
pub use plan::{MAX_SETS, MatchPlan, was_stopped_by_test};
pub use power::{PILOT_SETS, sets_for};
pub use ranked::RankedGames;
pub use rating::{ELO, Rating, Ratings, expected_placement, expected_share, rate};
pub use request::MatchRequest;
pub use result::{DecisionTime, MatchResult, MatchSpeed};
pub use sequential::{Sprt, SprtOutcome, SprtState, Undecidable};
pub use sets_plan::{SetsPlan, SetsPlanError, SetsPlanRequest};
pub use shard::MatchShard;
pub use sums::Mean;
