//! The inline and the threaded executor of an evaluator.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};

use super::{Evaluator, EvaluatorError, Outputs, SuitAverage};
use crate::encode::{Encoder, Rows, SuitOrder};

/// A batch on its way to the evaluator and back.
#[derive(Debug)]
pub struct Job {
    /// The inputs.
    pub rows: Rows,
    /// The outputs, with as many rows as the inputs.
    pub outputs: Outputs,
    /// The permutations of the suits over which the answers are averaged. None for plain answers.
    pub orders: Option<Arc<[SuitOrder]>>,
}

impl Job {
    /// A batch without rows.
    pub fn new(encoder: Option<Encoder>) -> Job {
        Job { rows: Rows::new(encoder), outputs: Outputs::new(), orders: None }
    }
}

/// An evaluator that evaluates batches on the thread of the caller.
pub struct Inline {
    evaluator: Box<dyn Evaluator>,
    /// The permutations of the last batch that was averaged.
    average: Option<(Arc<[SuitOrder]>, SuitAverage)>,
}

impl Inline {
    pub fn new(evaluator: Box<dyn Evaluator>) -> Inline {
        Inline { evaluator, average: None }
    }

    /// Evaluates a batch.
    ///
    /// # Errors
    ///
    /// The error of the evaluator, or [`EvaluatorError::Failed`] if it panics.
    pub fn evaluate(&mut self, job: &mut Job) -> Result<(), EvaluatorError> {
        let evaluated = catch_unwind(AssertUnwindSafe(|| self.evaluate_or_panic(job)));
        evaluated.unwrap_or_else(|panic| Err(EvaluatorError::Failed(text(&*panic))))
    }

    fn evaluate_or_panic(&mut self, job: &mut Job) -> Result<(), EvaluatorError> {
        let Inline { evaluator, average } = self;
        let (inputs, out) = (job.rows.inputs(), job.outputs.view_mut());
        let Some(orders) = &job.orders else { return evaluator.evaluate(inputs, out) };
        if average.as_ref().is_none_or(|(last, _)| last != orders) {
            let new = SuitAverage::new(job.rows.encoder(), orders.iter().copied());
            *average = Some((Arc::clone(orders), new));
        }
        let (_, average) = average.as_mut().expect("it has these orders now");
        average.evaluate(&mut **evaluator, inputs, out)
    }
}

/// An evaluator on a thread of its own. It answers batches in order.
#[derive(Debug)]
pub struct Threaded {
    /// None while the executor is dropped.
    jobs: Option<Sender<Job>>,
    done: Receiver<(Job, Result<(), EvaluatorError>)>,
    thread: Option<JoinHandle<()>>,
    /// The number of rows of each batch that has not been taken, oldest first.
    waiting: VecDeque<usize>,
}

impl Threaded {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// If the thread cannot be started.
    pub fn start(mut inline: Inline) -> Result<Threaded, std::io::Error> {
        let (jobs, todo) = channel::<Job>();
        let (finished, done) = channel();
        let work = move || {
            for mut job in todo {
                let result = inline.evaluate(&mut job);
                if finished.send((job, result)).is_err() {
                    break;
                }
            }
        };
        let thread = Builder::new().name("network".to_owned()).spawn(work)?;
        Ok(Threaded { jobs: Some(jobs), done, thread: Some(thread), waiting: VecDeque::new() })
    }

    /// Hands over a batch and returns at once.
    pub fn give(&mut self, job: Job) {
        self.waiting.push_back(job.rows.rows());
        let jobs = self.jobs.as_ref().expect("the executor is not being dropped");
        // If the thread is gone, `take` returns the error.
        let _ = jobs.send(job);
    }

    /// The number of rows of the oldest batch that has not been taken. None if there is no such batch.
    pub fn first(&self) -> Option<usize> {
        self.waiting.front().copied()
    }

    /// Waits for the oldest batch that has not been taken, and takes it.
    ///
    /// # Errors
    ///
    /// The error of the evaluator.
    pub fn take(&mut self) -> Result<Job, EvaluatorError> {
        self.waiting.pop_front();
        let gone = |_| EvaluatorError::Failed("the thread of the network is gone".to_owned());
        let (job, result) = self.done.recv().map_err(gone)?;
        result.map(|()| job)
    }
}

impl Drop for Threaded {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // `Inline` catches all panics of the evaluator.
            let _ = thread.join();
        }
    }
}

/// The message of a panic.
fn text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    format!("the network panicked: {}", text.unwrap_or("no message"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::{Inputs, SparseV1};
    use crate::neural::OutputsMut;

    /// Answers the number of rows, and panics at a batch of three.
    struct Counting;

    impl Evaluator for Counting {
        fn encoder(&self) -> Option<Encoder> {
            Some(SparseV1::ENCODER)
        }

        fn evaluate(&mut self, inputs: Inputs<'_>, mut out: OutputsMut<'_>) -> Result<(), EvaluatorError> {
            assert_ne!(inputs.rows(), 3, "three rows");
            out.value.fill(inputs.rows() as f32);
            Ok(())
        }
    }

    fn job(rows: usize) -> Job {
        let mut job = Job::new(Some(SparseV1::ENCODER));
        job.rows.reset(rows);
        job.outputs.reset(rows);
        job
    }

    #[test]
    fn batches_come_back_in_order_and_a_panic_is_an_error() {
        let mut threaded = Threaded::start(Inline::new(Box::new(Counting))).expect("a thread");
        assert_eq!(threaded.first(), None);
        for rows in [2, 3, 5] {
            threaded.give(job(rows));
        }
        for rows in [2, 3, 5] {
            assert_eq!(threaded.first(), Some(rows));
            match threaded.take() {
                Ok(job) => assert_eq!(job.outputs.value().to_vec(), vec![rows as f32; rows]),
                Err(error) => {
                    assert!(rows == 3 && error.to_string().contains("three rows"), "{rows}: {error}");
                }
            }
        }
        assert_eq!(threaded.first(), None);
    }
}
