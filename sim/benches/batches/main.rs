//! Times the encoders, and what playing many tables in batches costs, on one thread:
//! `cargo bench -p jantaku-benches --bench batches`.
//!
//! - `encoders`: how long the encoders take in games one after the other
//! - `batched`: games at thousands of tables, against games one after the other
//!
//! All times are medians of [`REPEAT`], in nanoseconds of a decision.

mod batched;
mod encoders;

/// How often each work is measured.
const REPEAT: usize = 3;

/// The seed of the games, which are played under `tenhou`.
const SEED: u64 = 1;

fn main() -> anyhow::Result<()> {
    // Games in batches use the threads of the process.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    println!("{:<38}{:>12}", "encoder", "a decision");
    for (name, time) in encoders::measure() {
        println!("{name:<38}{time:>9.0} ns");
    }
    println!("\n{:<38}{:>12}{:>10}{:>12}{:>12}", "agent", "a decision", "batch", "encoder", "overhead");
    let (alone, rows) = batched::measure()?;
    println!("{:<38}{alone:>9.0} ns", "random, one table");
    for batched::Row { agent, batch, time, encoder, overhead } in rows {
        println!("{agent:<38}{time:>9.0} ns{batch:>10}{encoder:>9.0} ns{overhead:>+9.0} ns");
    }
    Ok(())
}

/// The median of some numbers.
fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// Nanoseconds of a decision.
fn per_decision(seconds: f64, decisions: u64) -> f64 {
    seconds * 1e9 / decisions as f64
}
