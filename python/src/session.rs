//! A run that is played on other threads while the interpreter stays responsive.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use jantaku_sim::play::Watch;
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;

use crate::callable::{Call, Caller, Served, locked};
use crate::errors::{check_range, value_error};

/// How often signals such as Ctrl-C are checked.
const TICK: Duration = Duration::from_millis(50);

/// The time between two reports of progress.
const BETWEEN_REPORTS: Duration = Duration::from_millis(100);

/// The most threads of a session.
const MAX_THREADS: usize = 1024;

/// A run that is played on other threads.
///
/// The thread that starts it serves it: it calls playing functions, reports progress, and checks
/// for signals. It holds the interpreter only for that.
pub(crate) struct Session {
    threads: usize,
    shared: Arc<Shared>,
    served: Served,
    calls: Mutex<Receiver<Option<Call>>>,
    /// The function that receives the progress.
    progress: Option<Py<PyAny>>,
    caller: Caller,
}

/// The progress of a run, in its unit: games, or sets of a match.
struct Shared {
    done: AtomicU64,
    /// 0 if it is not known.
    total: AtomicU64,
}

/// Follows a run for a session.
pub(crate) struct Follow {
    shared: Arc<Shared>,
    stop: Arc<AtomicBool>,
}

impl Watch for Follow {
    fn progress(&mut self, done: u64) {
        self.shared.done.store(done, Ordering::Relaxed);
    }

    fn expect(&mut self, total: u64) {
        self.shared.total.store(total, Ordering::Relaxed);
    }

    fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Signals the end of a run to the serving thread, even if the run panics.
struct End<'a>(&'a Sender<Option<Call>>);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.send(None).ok();
    }
}

impl Session {
    /// A session on one thread for each processor.
    pub(crate) fn new(progress: Option<Py<PyAny>>) -> Session {
        let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let (sender, calls) = channel();
        let served = Served { calls: sender, stop: Arc::default(), error: Arc::default() };
        let caller = Caller::default();
        caller.set_run(Some(served.clone()));
        let shared = Arc::new(Shared { done: AtomicU64::new(0), total: AtomicU64::new(0) });
        Session { threads, shared, served, calls: Mutex::new(calls), progress, caller }
    }

    /// Chooses the number of threads.
    pub(crate) fn set_threads(&mut self, threads: usize) -> PyResult<()> {
        self.threads = threads;
        check_range("threads", threads, 1..=MAX_THREADS)
    }

    /// What calls the functions of this run.
    pub(crate) const fn caller(&self) -> &Caller {
        &self.caller
    }

    /// The flag that stops the run.
    pub(crate) const fn stop(&self) -> &Arc<AtomicBool> {
        &self.served.stop
    }

    /// Sets the total of the progress.
    pub(crate) fn expect(&self, total: u64) {
        self.shared.total.store(total, Ordering::Relaxed);
    }

    /// Does work on a pool of threads, and serves it meanwhile.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Follow) -> T + Send,
    ) -> PyResult<T> {
        let pool = ThreadPoolBuilder::new().num_threads(self.threads).thread_name(|_| "play".to_owned());
        let pool = pool.build().map_err(value_error)?;
        let mut follow = Follow { shared: Arc::clone(&self.shared), stop: Arc::clone(&self.served.stop) };
        let (mut result, calls) = (None, &self.served.calls);
        pool.in_place_scope(|scope| {
            scope.spawn(|_| {
                let _end = End(calls);
                result = Some(work(&mut follow));
            });
            self.serve(py);
        });
        Ok(result.expect("the work has ended, and a panic has been passed on"))
    }

    /// Serves the run until it ends.
    fn serve(&self, py: Python<'_>) {
        let mut reported = Instant::now();
        loop {
            match py.detach(|| locked(&self.calls).recv_timeout(TICK)) {
                Ok(Some(call)) => call(py),
                Ok(None) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(error) = py.check_signals() {
                self.served.fail(error);
            }
            if reported.elapsed() >= BETWEEN_REPORTS {
                self.report(py);
                reported = Instant::now();
            }
        }
        self.report(py);
        if let Err(error) = py.check_signals() {
            self.served.fail(error);
        }
    }

    /// Calls the caller's function with the progress. The run stops if the function raises.
    fn report(&self, py: Python<'_>) {
        let Some(progress) = self.progress.as_ref().filter(|_| locked(&self.served.error).is_none()) else {
            return;
        };
        let done = self.shared.done.load(Ordering::Relaxed);
        let total = Some(self.shared.total.load(Ordering::Relaxed)).filter(|total| *total > 0);
        if let Err(error) = progress.call1(py, (done, total)) {
            self.served.fail(error);
        }
    }

    /// Takes the exception that stopped the run: Ctrl-C, or one raised by a function. None in a second
    /// call.
    pub(crate) fn take_error(&self) -> Option<PyErr> {
        locked(&self.served.error).take()
    }

    /// Does work that may fail ([`Session::run`]). If it fails, raises the exception that stopped the run or,
    /// without one, the error of the work.
    pub(crate) fn attempt<T: Send, E: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Follow) -> Result<T, E> + Send,
        wrong: impl FnOnce(E) -> PyErr,
    ) -> PyResult<T> {
        self.run(py, work)?.map_err(|error| self.take_error().unwrap_or_else(|| wrong(error)))
    }
}

/// No call goes to a run that has ended.
impl Drop for Session {
    fn drop(&mut self) {
        self.caller.set_run(None);
    }
}
