//! Matches and leagues: which of several agents is stronger, and how sure that is.
//!
//! The games of a set are on the same walls and differ in who sits where
//! ([`Seatings`](crate::play::Seatings)). So luck with the tiles cancels in part, and the set is
//! the unit of evidence: every interval and test is about means of sets, never about single games.
//!
//! In the order in which the files build on each other:
//!
//! - `ranked`: games as the orders of their agents
//! - `matrix`: symmetric matrices
//! - `plackett_luce`: the model of orders, and its fit
//! - `group`: agents with finite differences in strength, and their fit
//! - `explain`: how well ratings explain the results
//! - `rating`: ratings with intervals
//! - [`luck`]: the luck of the players of a game
//! - `sums`: sums of an agent's placements, results and points over sets
//! - `sequential`: stops a match as soon as its outcome is clear
//! - `latency`: how long agents take for a decision
//! - `counts`: what is counted in a match
//! - `standing`: what a match shows so far
//! - `parts`: how many games a part has
//! - `plan`: what a match in a run shall play
//! - `play`: plays a match in memory or into a run
//! - `prepared`: a match that is ready to be played, new or resumed
//! - `report`: the result of a match
//! - `power`: how many sets a match needs
//! - `plot`: a picture of ratings
//! - `league`: plays all tables of several agents
//!
//! `sim/docs/matches.md` and `sim/docs/league.md` have the formulas and their sources.

mod counts;
mod explain;
mod group;
mod latency;
mod league;
pub mod luck;
mod matrix;
mod parts;
mod plackett_luce;
mod plan;
mod play;
mod plot;
mod power;
mod prepared;
mod ranked;
mod rating;
mod report;
mod sequential;
mod standing;
mod sums;

pub use counts::{MatchCounts, labels};
pub use explain::{Explanation, PairShare};
pub use latency::{Latencies, Timed, TimedAgent};
pub use league::{League, LeagueConfig, LeagueError, PlayedLeague};
pub use parts::games_per_part;
pub use plan::{MOST_SETS, MatchPlan, was_stopped_by_test};
pub use play::{MatchError, PlayedMatch, play_match, play_match_batched, write_match, write_match_batched};
pub use plot::{PlotRow, plot};
pub use power::sets_for;
pub use prepared::{MatchOutcome, MatchSetup, PrepareError, PreparedMatch};
pub use ranked::RankedGames;
pub use rating::{ELO, Rating, Ratings, expected_placement, expected_share, rate};
pub use report::{DecisionTimes, MatchReport};
pub use sequential::{Decision, Sprt, SprtState};
pub use standing::{AgentStanding, LuckRatios, Standing, WithoutLuck};
pub use sums::Mean;
