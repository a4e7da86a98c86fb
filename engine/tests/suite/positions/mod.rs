//! Positions: what they mean, and their errors.

mod cases;
mod errors;
mod law;
mod mutated;
