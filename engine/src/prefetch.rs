//! Fetching memory before it is read.

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
