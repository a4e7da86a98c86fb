//! Positions: what they mean, and their errors.

mod cases;
mod errors;
mod filled;
mod law;
mod mutated;
