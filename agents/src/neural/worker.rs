//! The thread of an evaluator.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};

use super::{Encoded, Encoder, Evaluator, EvaluatorError, Outputs, SuitAverage};
use crate::encode::SuitOrder;

/// A batch on its way to the evaluator and back.
#[derive(Debug)]
pub struct Job {
    /// The inputs.
    pub encoded: Encoded,
    /// The outputs, with as many rows as the inputs.
    pub outputs: Outputs,
    /// The permutations of the suits over which the answers are averaged. None for plain answers.
    pub orders: Option<Arc<[SuitOrder]>>,
}

impl Job {
    /// A batch without rows.
    pub fn new(encoder: Encoder) -> Job {
        Job { encoded: Encoded::new(encoder), outputs: Outputs::new(), orders: None }
    }
}

/// An evaluator on a thread of its own, which answers batches in the order in which they come.
#[derive(Debug)]
pub struct Worker {
    /// None while the worker is dropped.
    jobs: Option<Sender<Job>>,
    done: Receiver<(Job, Result<(), EvaluatorError>)>,
    thread: Option<JoinHandle<()>>,
    /// The rows of the batches that have not been taken.
    waiting: VecDeque<usize>,
}

impl Worker {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// If the system gives no thread.
    pub fn start(mut evaluator: Box<dyn Evaluator>) -> Result<Worker, std::io::Error> {
        let (jobs, todo) = channel::<Job>();
        let (finished, done) = channel();
        let work = move || {
            let mut average = None;
            for mut job in todo {
                let evaluated =
                    catch_unwind(AssertUnwindSafe(|| evaluate(&mut *evaluator, &mut average, &mut job)));
                let result = evaluated.unwrap_or_else(|panic| Err(EvaluatorError::Failed(text(&*panic))));
                if finished.send((job, result)).is_err() {
                    break;
                }
            }
        };
        let thread = Builder::new().name("network".to_owned()).spawn(work)?;
        Ok(Worker { jobs: Some(jobs), done, thread: Some(thread), waiting: VecDeque::new() })
    }

    /// Hands over a batch and returns at once.
    pub fn give(&mut self, job: Job) {
        self.waiting.push_back(job.encoded.rows());
        let jobs = self.jobs.as_ref().expect("the worker is not being dropped");
        // If the thread is gone, `take` returns the error.
        let _ = jobs.send(job);
    }

    /// The rows of the first batch that has not been taken.
    pub fn first(&self) -> Option<usize> {
        self.waiting.front().copied()
    }

    /// Waits for the first batch that has not been taken.
    ///
    /// # Errors
    ///
    /// That of the evaluator.
    pub fn take(&mut self) -> Result<Job, EvaluatorError> {
        self.waiting.pop_front();
        let gone = |_| EvaluatorError::Failed("the thread of the network is gone".to_owned());
        let (job, result) = self.done.recv().map_err(gone)?;
        result.map(|()| job)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // The thread catches all panics of the evaluator.
            let _ = thread.join();
        }
    }
}

/// Evaluates a batch. `average` has the permutations of the last one.
fn evaluate(
    evaluator: &mut dyn Evaluator,
    average: &mut Option<(Arc<[SuitOrder]>, SuitAverage)>,
    job: &mut Job,
) -> Result<(), EvaluatorError> {
    let (inputs, out) = (job.encoded.inputs(), job.outputs.view_mut());
    let Some(orders) = &job.orders else { return evaluator.evaluate(inputs, out) };
    if average.as_ref().is_none_or(|(last, _)| last != orders) {
        let new = SuitAverage::new(job.encoded.encoder(), orders.iter().copied());
        *average = Some((Arc::clone(orders), new));
    }
    let (_, average) = average.as_mut().expect("it was just set");
    average.evaluate(evaluator, inputs, out)
}

/// The message of a panic.
fn text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    format!("the network panicked: {}", text.unwrap_or("no message"))
}
