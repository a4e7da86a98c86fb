//! Benchmarks.
//!
//! - `times`: times of the engine
//! - `engine`, `encoders`: instruction counts of the engine and of the encoders
//! - `batches`: times of the encoders, and what batches cost
//! - `learn`: times of an environment and of a loader
