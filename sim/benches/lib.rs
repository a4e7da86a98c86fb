//! Benchmarks.
//!
//! - `times`: times of the engine
//! - `engine`, `agents`: instruction counts of the engine, and of encoders and agents
//! - `batches`: times of the encoders, and what batches cost
//! - `learn`: times of an environment and of a loader
//! - `labels`: how fast decisions are labelled
//! - `model`: how fast a model plays
