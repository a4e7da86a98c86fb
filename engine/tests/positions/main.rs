//! Positions: what they say, and where they are wrong.

mod cases;
mod errors;
mod law;
mod mutated;
