//! Tests of the agents that take seconds; `make quick` runs them.
//!
//! - `encode`: the encoders
//! - `greedy`: what `greedy` does, one scenario each
//! - `placements`: the placement model of `heuristic`
//! - `positions`: positions with a known right answer, in `tests/positions.toml`
//! - `mjai`: errors and gaps of the mjai reader
//! - `sample`: games sampled from what a player sees
//! - `search_info`: what agents report about their search
//!
//! `JANTAKU_TESTS` chooses the sizes of long checks (`level`); `eager` is a player who reaches rare states. `tests/games` has the other tests. Two
//! need a binary of their own: `allocations` counts in its allocator, `torch` needs a feature.

#[path = "../../../engine/tests/suite/eager.rs"]
mod eager;
mod encode;
mod greedy;
#[path = "../../../engine/tests/suite/level.rs"]
mod level;
mod mjai;
mod placements;
mod positions;
mod sample;
mod search_info;
