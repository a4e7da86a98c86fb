//! `FunctionAgent`: Python functions as agents.
//!
//! # Why
//!
//! **Why does the garbage collector see the functions of an environment?** A function that plays
//! often refers to its environment. All Rust owners of a function share one Python reference, so
//! the collector can count it and free such a cycle.

use std::cell::RefCell;
use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jantaku_agents::encode::{Encoder, Rows};
use jantaku_agents::neural::Sampling;
use jantaku_agents::{
    Agent, AgentError as Wrong, AgentSpeed, Built, Catalog, NamedAgent, Reply, Request, SearchInfo, Setup,
    StartAgent,
};
use jantaku_engine::{ActionId, ActionSet, IllegalAction, Rng, Seat, Snapshot};
use jantaku_sim::play::MAX_TABLES;
use ndarray::ArrayView2;
use numpy::PyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{PyTraverseError, PyVisit};

use crate::agent_batch::{Answers, Choices, OBSERVATIONS, PyAgentBatch, Report};
use crate::arrays::{array, masks};
use crate::encoder::{PyEncoder, encoder_of};
use crate::errors::{AgentError, IllegalActionError, check_range, kind_of, value_error};
use crate::number;
use crate::observation::PyObservation;
use crate::pickle::Remade;

/// A Python function as an agent: it answers the decisions of many games at once.
///
/// ```python
/// def tsumogiri(batch):                            # an AgentBatch
///     return [view.legal[-1] for view in batch.observations]
///
/// def network(batch):
///     with torch.inference_mode():
///         return model(torch.from_numpy(batch.planes))      # logits of shape (n, 165)
///
/// jantaku.match(tsumogiri, "random", sets=100)
/// jantaku.match(FunctionAgent(network, name="net-3", encoder="planes-v1"), "greedy", sets=100)
/// ```
///
/// A plain function is ``FunctionAgent(function)``.
///
/// The function is called on the thread that called `selfplay`, `match` or `stats`. It answers with
/// one of these:
///
/// - actions: a sequence of `Action` or numbers, or an array of shape (n,) and an integer dtype
/// - logits: an array or tensor of shape (n, 165) and a floating-point dtype, such as bfloat16; those
///   of illegal actions do not matter
/// - a dict with ``actions`` or ``logits``, and optionally ``value``, numbers of shape (n,), and
///   ``policy``, probabilities of shape (n, 165). Runs with decisions store value and policy, and
///   `Dataset` loads them. The policy of the legal actions is divided by its sum. Without ``policy``,
///   that of the logits is stored
///
/// If the function raises, the run stops, keeps its complete parts, and raises the exception again.
///
/// Parameters
/// ----------
/// function : callable
///     Receives an `AgentBatch`.
/// name : str, optional
///     The name in runs and tables; by default the function's. No spaces or ``,:="``.
/// encoder : Encoder or str, optional
///     Such as ``planes-v1``, ``sparse-v1`` or ``events-v1``. Without an encoder, the batch has observations.
/// temperature : float, default 0.0
///     Logits are divided by it. At 0, the legal action with the largest logit is chosen. Else one
///     is drawn, with the random numbers of the decision.
/// top_p : float, default 1.0
///     Only the most probable actions are drawn: the fewest whose probabilities add up to at least this.
/// tables : int, default 2048
///     The most games in play at once. About half of them have a decision in a batch.
/// deterministic : bool, default False
///     Whether the function answers a decision the same in a batch of any size, on every machine.
///     Runs state it.
#[pyclass(name = "FunctionAgent", module = "jantaku", frozen)]
#[derive(Debug)]
pub(crate) struct PyFunctionAgent {
    /// The function.
    // stub: -> Callable[[AgentBatch], Any]
    #[pyo3(get)]
    pub(crate) function: Py<PyAny>,
    name: String,
    encoder: Option<Encoder>,
    sampling: Sampling,
    tables: usize,
    deterministic: bool,
}

/// A `FunctionAgent`, shared by everything that plays with it. All clones of the `Arc` are a single
/// reference for Python, so an object that owns some of them shows the garbage collector exactly one.
pub(crate) type SharedFunction = Arc<Py<PyFunctionAgent>>;

methods! {
    impl PyFunctionAgent;

    get(self) {
        /// The name.
        name: &str = &self.name;

        /// The encoder; None if the function reads observations.
        encoder: Option<PyEncoder> = self.encoder.map(PyEncoder::from);

        /// What logits are divided by.
        temperature: f64 = self.sampling.temperature;

        /// The total probability of the actions that can be drawn.
        top_p: f64 = self.sampling.top_p;

        /// The most games in play at once.
        tables: usize = self.tables;

        /// Whether a decision is answered the same in a batch of any size.
        deterministic: bool = self.deterministic;
    }

    #[new]
    #[pyo3(signature = (
        function, name = None, encoder = None, temperature = 0.0, top_p = 1.0, tables = 2048, deterministic = false
    ))]
    // stub: function: Callable[[AgentBatch], Any]
    fn new(
        function: Bound<'_, PyAny>,
        name: Option<String>,
        encoder: Option<&Bound<'_, PyAny>>,
        temperature: f64,
        top_p: f64,
        #[pyo3(from_py_with = number::tables)] tables: usize,
        deterministic: bool,
    ) -> PyResult<PyFunctionAgent> {
        if !function.is_callable() {
            let kind = kind_of(&function);
            return Err(PyTypeError::new_err(format!("`function`: expected a callable, found {kind}")));
        }
        let name = name.unwrap_or_else(|| name_of(&function));
        if Catalog::standard().entries().iter().any(|entry| entry.name == name) {
            return Err(AgentError::new_err(format!(
                "`{name}` is the name of a built-in agent: give the function another name with \
                 `FunctionAgent(function, name=…)`"
            )));
        }
        check_plain(&name)?;
        if !temperature.is_finite() || temperature < 0.0 {
            return Err(value_error(format!(
                "`temperature`: expected a number from 0 on, found {temperature}"
            )));
        }
        if !(top_p > 0.0 && top_p <= 1.0) {
            return Err(value_error(format!(
                "`top_p`: expected a number above 0 and up to 1, found {top_p}"
            )));
        }
        check_range("tables", tables, 1..=MAX_TABLES)?;
        let encoder = encoder.map(encoder_of).transpose()?;
        let sampling = Sampling { temperature, top_p };
        Ok(PyFunctionAgent { function: function.unbind(), name, encoder, sampling, tables, deterministic })
    }

    /// Shows the function to the garbage collector: its variables may refer to what plays with this
    /// agent. Like a tuple, the agent has no `__clear__`: the function is older than the agent, so a cycle
    /// has an object that was changed later, and the collector can clear that one.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.function)
    }

    fn __repr__(&self) -> String {
        let encoder = self.encoder.map_or_else(String::new, |encoder| format!(", encoder='{encoder}'"));
        format!("FunctionAgent('{}'{encoder})", self.name)
    }

    fn __reduce__<'py>(slf: &Bound<'py, PyFunctionAgent>) -> PyResult<Remade<'py>> {
        let PyFunctionAgent { function, name, encoder, sampling, tables, deterministic } = slf.get();
        let Sampling { temperature, top_p } = sampling;
        let encoder = encoder.map(Encoder::name);
        let arguments = (function, name, encoder, temperature, top_p, tables, deterministic);
        Ok((slf.get_type().into_any(), arguments.into_pyobject(slf.py())?))
    }
}

/// The name of a function, or of the type of another callable.
fn name_of(function: &Bound<'_, PyAny>) -> String {
    let named = function.getattr("__name__").and_then(|name| name.extract());
    named.unwrap_or_else(|_| kind_of(function))
}

/// Checks that the name has none of the characters that separate agents and options.
fn check_plain(name: &str) -> PyResult<()> {
    let named = NamedAgent::outside_catalog(name, Built::policy(jantaku_agents::Tsumogiri));
    named.map(drop).map_err(|name| {
        value_error(format!("`name`: expected a name without spaces and `,:=\"`, found `{name}`"))
    })
}

/// The agent of an argument, if it is a function or a `FunctionAgent`. `caller` calls the
/// function.
pub(crate) fn function_of(
    argument: &Bound<'_, PyAny>,
    caller: &Caller,
) -> PyResult<Option<(NamedAgent, SharedFunction)>> {
    let py = argument.py();
    let agent: Py<PyFunctionAgent> = match argument.cast::<PyFunctionAgent>() {
        Ok(agent) => agent.clone().unbind(),
        Err(_) if argument.is_callable() => {
            py.get_type::<PyFunctionAgent>().call1((argument,))?.cast_into()?.unbind()
        }
        Err(_) => return Ok(None),
    };
    let name = agent.get().name.clone();
    let agent = Arc::new(agent);
    let built = Built::agent(Function { agent: Arc::clone(&agent), caller: caller.clone() });
    let named = NamedAgent::outside_catalog(&name, built).map_err(PyValueError::new_err)?;
    Ok(Some((named, agent)))
}

/// A call of a function, for the thread that serves the run (`Session`).
pub(crate) type Call = Box<dyn FnOnce(Python<'_>) + Send>;

/// Where functions are called: on the thread that serves the run or, without a run, on the thread of the
/// agent.
#[derive(Clone, Default)]
pub(crate) struct Caller(Arc<Mutex<Option<Served>>>);

/// A run that calls functions on the thread that started it.
#[derive(Clone)]
pub(crate) struct Served {
    pub(crate) calls: Sender<Option<Call>>,
    pub(crate) stop: Arc<AtomicBool>,
    /// The first exception, which stops the run.
    pub(crate) error: Arc<Mutex<Option<PyErr>>>,
}

thread_local! {
    /// The exception of a function called on this thread, without a run.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// The exception that a function has raised on this thread outside of a run, once.
pub(crate) fn take_raised() -> Option<PyErr> {
    RAISED.with(|raised| raised.borrow_mut().take())
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Served {
    /// Keeps an exception if it is the first, and stops the run.
    pub(crate) fn fail(&self, error: PyErr) {
        locked(&self.error).get_or_insert(error);
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Caller {
    /// Sends all calls to a run; if None, makes them on the threads of the agents.
    pub(crate) fn set_run(&self, served: Option<Served>) {
        *locked(&self.0) = served;
    }

    /// Calls a function. An exception stops the run; without a run, [`take_raised`] has the exception.
    fn call<T: Send + 'static>(
        &self,
        agent: &str,
        call: impl FnOnce(Python<'_>) -> PyResult<T> + Send + 'static,
    ) -> Result<T, Wrong> {
        let served = locked(&self.0).clone();
        let Some(served) = served else {
            return Python::attach(call).map_err(|error| {
                let reason = error.to_string();
                RAISED.with(|raised| raised.borrow_mut().replace(error));
                Wrong::Failed { agent: agent.to_owned(), table: None, reason }
            });
        };
        let (reply, answer) = sync_channel(1);
        let run = served.clone();
        let call: Call = Box::new(move |py| {
            // The run is stopped before the agent learns of it.
            let answered = call(py).map_err(|error| run.fail(error));
            reply.send(answered.ok()).ok();
        });
        served.calls.send(Some(call)).map_err(|_| Wrong::Interrupted)?;
        answer.recv().ok().flatten().ok_or(Wrong::Interrupted)
    }
}

/// A function that can be started as an agent.
struct Function {
    agent: SharedFunction,
    caller: Caller,
}

impl StartAgent for Function {
    fn start(&self, _: &str, setup: &Setup) -> Result<Box<dyn Agent>, Wrong> {
        let (agent, caller) = (Arc::clone(&self.agent), self.caller.clone());
        let (stop, search_info) = (Arc::clone(&setup.stop), setup.search_info);
        Ok(Box::new(Started { agent, caller, stop, search_info }))
    }

    fn is_deterministic(&self) -> bool {
        self.agent.get().deterministic
    }

    fn tables(&self) -> usize {
        self.agent.get().tables
    }

    fn speed(&self) -> AgentSpeed {
        AgentSpeed::Slow
    }
}

/// A function that plays.
struct Started {
    agent: SharedFunction,
    caller: Caller,
    stop: Arc<AtomicBool>,
    search_info: bool,
}

impl Agent for Started {
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), Wrong> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Wrong::Interrupted);
        }
        let asked = Asked::new(requests, Arc::clone(&self.agent), self.search_info);
        replies.extend(self.caller.call(&self.agent.get().name, |py| asked.answer(py))?);
        Ok(())
    }

    fn is_deterministic(&self) -> bool {
        self.agent.get().deterministic
    }
}

/// Decisions, ready to be given to a function.
struct Asked {
    agent: SharedFunction,
    search_info: bool,
    games: Vec<i64>,
    seats: Vec<Seat>,
    legal: Vec<ActionSet>,
    rngs: Vec<Rng>,
    rows: Rows,
    /// The observations without an encoder; empty with one.
    views: Vec<Snapshot>,
}

impl Asked {
    fn new(requests: &[Request<'_>], agent: SharedFunction, search_info: bool) -> Asked {
        let encoder = agent.get().encoder;
        let mut rows = Rows::with_masks(encoder, requests.len());
        rows.encode(requests, |request| &request.observation);
        let views = if encoder.is_none() { requests } else { &[] };
        Asked {
            agent,
            search_info,
            games: requests.iter().map(|request| request.table.0 as i64).collect(),
            seats: requests.iter().map(Request::seat).collect(),
            legal: requests.iter().map(|request| request.observation.legal()).collect(),
            rngs: requests.iter().map(|request| request.rng.clone()).collect(),
            views: views.iter().map(|request| request.observation.snapshot()).collect(),
            rows,
        }
    }

    /// Calls the function and checks its answers.
    fn answer(mut self, py: Python<'_>) -> PyResult<Vec<Reply>> {
        let batch = Py::new(py, self.batch(py)?)?;
        let answer = self.agent.get().function.bind(py).call1((batch,))?;
        let Answers { choices, report } = Answers::read(&answer, self.legal.len(), self.name())?;
        let (mut replies, logits) = match &choices {
            Choices::Actions(actions) => {
                let reply =
                    |(row, id): (usize, &ActionId)| self.check_legal(row, *id).map(|()| id.action().into());
                (actions.iter().enumerate().map(reply).collect::<PyResult<Vec<Reply>>>()?, None)
            }
            Choices::Logits(logits) => (self.choose(logits.view())?, Some(logits.view())),
        };
        if let Some(report) = report.filter(|_| self.search_info) {
            self.add_report(&mut replies, &report, logits)?;
        }
        Ok(replies)
    }

    fn name(&self) -> &str {
        &self.agent.get().name
    }

    /// The error of an answer to a decision.
    fn wrong(&self, row: usize, what: impl Display) -> PyErr {
        value_error(format!("agent `{}`, row {row}: {what}", self.name()))
    }

    /// Adds the search info that the function reported beside its choices.
    fn add_report(
        &self,
        replies: &mut [Reply],
        report: &Report,
        logits: Option<ArrayView2<'_, f32>>,
    ) -> PyResult<()> {
        for (row, (reply, legal)) in replies.iter_mut().zip(&self.legal).enumerate() {
            let reported = report.search_info(row, *legal, logits).map_err(|what| self.wrong(row, what))?;
            let probability = reply.search_info.as_ref().and_then(|known| known.probability);
            reply.search_info = Some(Box::new(SearchInfo { probability, ..reported }));
        }
        Ok(())
    }

    fn batch(&mut self, py: Python<'_>) -> PyResult<PyAgentBatch> {
        let (legal, arrays) = std::mem::take(&mut self.rows).into_arrays();
        let (encoder, inputs) = (self.agent.get().encoder, PyDict::new(py));
        for (spec, values) in arrays {
            inputs.set_item(spec.name, array(py, spec, values)?)?;
        }
        if encoder.is_none() {
            let views = self.views.drain(..).map(PyObservation);
            inputs.set_item(OBSERVATIONS, views.collect::<Vec<_>>())?;
        }
        Ok(PyAgentBatch {
            len: self.legal.len(),
            games: PyArray1::from_slice(py, &self.games).unbind(),
            seats: PyArray1::from_iter(py, self.seats.iter().map(|seat| seat.number())).unbind(),
            mask: masks(py, legal)?.unbind(),
            encoder,
            inputs: inputs.unbind(),
        })
    }

    fn check_legal(&self, row: usize, id: ActionId) -> PyResult<()> {
        let legal = self.legal[row];
        if legal.contains(id) {
            return Ok(());
        }
        let (name, seat, action, game) = (self.name(), self.seats[row], id.action(), self.games[row]);
        let illegal = IllegalAction { seat, action, legal };
        Err(IllegalActionError::new_err(format!("agent `{name}`, row {row}, game {game}: {illegal}")))
    }

    /// Chooses a legal action for each row of logits.
    fn choose(&self, logits: ArrayView2<'_, f32>) -> PyResult<Vec<Reply>> {
        let sampling = self.agent.get().sampling;
        let choose = |(row, (legal, rng)): (usize, (&ActionSet, &Rng))| {
            let logit = |id: ActionId| logits[[row, usize::from(id.number())]];
            let chosen = sampling.choose(logit, *legal, &mut rng.clone());
            let (action, probability) = chosen.map_err(|id| {
                let (number, action, found) = (id.number(), id.action(), logit(id));
                let what = format!("the logit of the legal action {number} ({action}) is {found}");
                self.wrong(row, what + ", expected a finite number")
            })?;
            let probability = Some(probability as f32);
            let known = || Box::new(SearchInfo { probability, ..SearchInfo::default() });
            Ok(Reply { action, search_info: self.search_info.then(known), took: None })
        };
        self.legal.iter().zip(&self.rngs).enumerate().map(choose).collect()
    }
}
