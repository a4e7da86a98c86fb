//! Fetching memory before it is read.
//!
//! # Why
//!
//! **Why prefetch tables?** Thousands of tables do not fit into the processor's caches. Most reads
//! of a game depend on earlier ones. `Game::prefetch` and `Game::prefetch_rest` fetch all parts
//! of a table while the tables before it advance. The crate `safe_arch` makes the instruction a safe
//! function. A runner calls the two for different tables, because a processor fetches some twenty cache
//! lines at once. Rejected: plain reads of every part, because the processor cannot retire them before
//! they arrive; copies of the table, because they write all of it back.

/// Makes the processor fetch the cache line in which a value begins, without waiting for it.
///
/// A runner of thousands of games calls this for values that it will soon read. On processors other
/// than x86-64 it reads the value, with nearly the same effect.
#[inline]
pub fn prefetch<T: Copy>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    safe_arch::prefetch_t0(value);
    #[cfg(not(target_arch = "x86_64"))]
    std::hint::black_box(*value);
}
