//! Tests of what games show. Those that run the program are in `cli/tests`.
//!
//! - `ratings`, `league_coverage`: simulated leagues
//! - `intervals`: the coverage of intervals
//! - `opinions`: what agents say that decisions cost
//! - `shards`: the results of the shards of a match
//! - `level`: how `JANTAKU_TESTS` chooses the sizes of long checks

mod intervals;
#[path = "../../examples/league_coverage/model.rs"]
mod league_coverage;
#[path = "../../../../engine/tests/suite/level.rs"]
mod level;
mod opinions;
mod ratings;
mod shards;
