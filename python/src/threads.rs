//! Threads for work in parallel, also after a fork.

use std::sync::{Mutex, OnceLock, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The process that imported the package. Rayon's global pool belongs to this process. A process forked
/// from it has none of the pool's threads.
static HOME: OnceLock<u32> = OnceLock::new();

/// The pool of a forked process, with the number of the process. It lives as long as the process.
static OF_FORK: Mutex<Option<(u32, &'static ThreadPool)>> = Mutex::new(None);

/// Notes the process that imports the package.
pub(crate) fn remember_process() {
    HOME.get_or_init(std::process::id);
}

/// Runs work that may use rayon's threads: of the global pool or, in a forked process, of its own pool.
pub(crate) fn run<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let process = std::process::id();
    if *HOME.get_or_init(|| process) == process {
        return work();
    }
    match of_fork(process) {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// The pool of this forked process. None if the system starts no threads.
fn of_fork(process: u32) -> Option<&'static ThreadPool> {
    let mut known = OF_FORK.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((owner, pool)) = *known
        && owner == process
    {
        return Some(pool);
    }
    let pool: &'static ThreadPool = Box::leak(Box::new(ThreadPoolBuilder::new().build().ok()?));
    *known = Some((process, pool));
    Some(pool)
}
