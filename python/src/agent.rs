//! `Agent`: agents by name.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use jantaku_agents::{Agent, Catalog, Estimate, NamedAgent, Reply, Request, Setup, TableId};
use jantaku_engine::{ActionId, ActionSet, IllegalAction, Observation, Rng};
use jantaku_measure::explain::opinion_of;
use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyList, PySequence, PyTuple};

use crate::action::{PyAction, action_object};
use crate::callable::{Caller, function_of};
use crate::errors::{agent_error, kind_of};
use crate::evaluate::evaluate;
use crate::json::result_to_python;
use crate::number;
use crate::observation::PyObservation;
use crate::pickle::Pickle;
use crate::threads;

/// An agent by name: an opponent, or a source of labels.
///
/// ```python
/// agent = jantaku.Agent("heuristic")
/// agent.choose(view)              # an Action
/// agent.choose_batch(views)       # an array of numbers of actions
/// game.ask(agent)                 # with the random numbers of the game's own decision
/// game.play("greedy")             # plays the game to its end
/// ```
///
/// Parameters
/// ----------
/// name : str
///     The name with options, such as ``greedy``, ``greedy:calls=off`` or
///     ``neural:model=model.safetensors``. `Agent.catalog` lists the names. ``mine=greedy`` gives the
///     agent a name of your choice for tables and columns.
///
/// Raises
/// ------
/// AgentError
///     If there is no such agent or option, or the agent cannot be built.
#[pyclass(name = "Agent", module = "jantaku", frozen)]
pub(crate) struct PyAgent {
    agent: NamedAgent,
    /// The running agent, which the first request starts.
    started: Mutex<Option<Box<dyn Agent>>>,
}

/// The agent in an argument: an agent, its name, or a function.
///
/// Raises TypeError for anything else.
pub(crate) fn agent_of(argument: &Bound<'_, PyAny>) -> PyResult<NamedAgent> {
    if let Ok(agent) = argument.cast::<PyAgent>() {
        return Ok(agent.get().agent.clone());
    }
    if let Some((agent, _)) = function_of(argument, &Caller::default())? {
        return Ok(agent);
    }
    let name: String = argument.extract().map_err(|_| {
        PyTypeError::new_err(format!(
            "expected an agent: an Agent, its name, a FunctionAgent or a function; found {}",
            kind_of(argument)
        ))
    })?;
    named(&name)
}

/// The items of a list or tuple. Any other object counts as a list of one.
pub(crate) fn items_of<'py>(argument: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    if argument.is_instance_of::<PyList>() || argument.is_instance_of::<PyTuple>() {
        return argument.try_iter()?.collect();
    }
    Ok(vec![argument.clone()])
}

fn named(name: &str) -> PyResult<NamedAgent> {
    Catalog::standard().agent(name).map_err(agent_error)
}

impl PyAgent {
    /// The replies to observations. Each decision's random numbers follow from the seed and the
    /// observation's index.
    fn replies(&self, views: &[Observation<'_>], seed: u64) -> PyResult<Vec<Reply>> {
        let mut started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        let agent = match &mut *started {
            Some(agent) => agent,
            empty => {
                let setup = Setup { search_info: true, ..Setup::default() };
                empty.insert(self.agent.start(&setup).map_err(agent_error)?)
            }
        };
        if agent.wants_updates() {
            let name = self.agent.name();
            return Err(agent_error(format!(
                "agent `{name}` follows whole games: it plays in selfplay and match, but answers no single \
                 observation"
            )));
        }
        let salt = agent.salt();
        let mut requests: Vec<Request<'_>> = Vec::with_capacity(views.len());
        for (table, o) in (0..).zip(views) {
            // The index stands for the number of the hand in the game.
            let rng = Rng::of_decision(seed, table, o.seat(), o.decision_count(), salt);
            requests.push(Request { table: TableId(table.into()), observation: *o, rng });
        }
        let mut replies = Vec::with_capacity(requests.len());
        // `decide` expects that all requests of a call have the same rules. Compares their addresses.
        let same_rules =
            |a: &Request<'_>, b: &Request<'_>| ptr::eq(a.observation.rules(), b.observation.rules());
        for requests in requests.chunk_by_mut(same_rules) {
            let mut answers = Vec::with_capacity(requests.len());
            agent.decide(requests, &mut answers).map_err(agent_error)?;
            replies.append(&mut answers);
        }
        self.check_replies(views, &replies)?;
        Ok(replies)
    }

    /// Checks that there is one reply for each observation, with a legal action. An agent may fail in
    /// a position that its own play would not reach.
    fn check_replies(&self, views: &[Observation<'_>], replies: &[Reply]) -> PyResult<()> {
        let agent = self.agent.name();
        if replies.len() != views.len() {
            let (found, expected) = (replies.len(), views.len());
            return Err(agent_error(format!(
                "agent `{agent}`: expected {expected} answers, one for each observation, found {found}"
            )));
        }
        for (o, reply) in views.iter().zip(replies) {
            let (seat, action, legal) = (o.seat(), reply.action, o.legal());
            if !legal.contains(action.id()) {
                let illegal = IllegalAction { seat, action, legal };
                return Err(agent_error(format!("agent `{agent}` answered illegally: {illegal}")));
            }
        }
        Ok(())
    }
}

/// Checks that the player of each observation has a decision to make.
fn check_decisions(views: &[Observation<'_>]) -> PyResult<()> {
    match views.iter().position(|view| view.legal().is_empty()) {
        None => Ok(()),
        Some(at) => Err(agent_error(format!(
            "observation {at}: seat {} has no decision to make, so there is nothing to choose",
            views[at].seat()
        ))),
    }
}

methods! {
    impl PyAgent;

    get(self) {
        /// The canonical name: the agent with the options that differ from their defaults.
        name: &str = self.agent.name();

        /// Whether the agent plays the same game again from the same seed.
        is_deterministic: bool = self.agent.is_deterministic();
    }

    #[new]
    fn new(name: &str) -> PyResult<PyAgent> {
        Ok(PyAgent { agent: named(name)?, started: Mutex::new(None) })
    }

    /// The agents by name, each with what it does.
    #[staticmethod]
    // stub: -> dict[str, str]
    fn catalog(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        Catalog::standard().entries().iter().map(|entry| (entry.name, entry.about)).into_py_dict(py)
    }

    /// The options of a built-in agent, each with its meaning. Empty for a name with options.
    #[staticmethod]
    // stub: -> dict[str, str]
    fn options<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
        let catalog = Catalog::standard();
        let Some(entry) = catalog.entries().iter().find(|entry| entry.name == name) else {
            return named(name).map(|_| PyDict::new(py));
        };
        entry.options.iter().map(|option| (option.name, option.about)).into_py_dict(py)
    }

    /// Chooses one of the legal actions.
    ///
    /// An agent that plays at random takes its random numbers from ``seed``. `Game.ask` takes the
    /// random numbers of the decision in the game.
    #[pyo3(signature = (observation, seed = 0))]
    fn choose(
        &self,
        observation: &Bound<'_, PyObservation>,
        #[pyo3(from_py_with = number::seed)] seed: u64,
    ) -> PyResult<Py<PyAction>> {
        let reply = self.reply_to(observation, seed)?;
        action_object(observation.py(), reply.action.id())
    }

    /// Chooses a legal action for each observation, as labels or as the answers of opponents.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray
    ///     The numbers of the actions: shape (n,), dtype uint8.
    #[pyo3(signature = (observations, seed = 0))]
    fn choose_batch<'py>(
        &self,
        py: Python<'py>,
        observations: Vec<Py<PyObservation>>,
        #[pyo3(from_py_with = number::seed)] seed: u64,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let replies = py.detach(|| {
            threads::run(|| {
                let views: Vec<Observation<'_>> = observations.iter().map(|o| o.get().observe()).collect();
                check_decisions(&views)?;
                self.replies(&views, seed)
            })
        })?;
        let numbers = replies.iter().map(|reply| reply.action.id().number()).collect();
        Ok(PyArray1::from_vec(py, numbers))
    }

    /// Evaluates encoded decisions with the network of this agent. The agent must be ``neural`` with a
    /// file that this package evaluates without PyTorch.
    ///
    /// ```python
    /// agent = jantaku.Agent("neural:model=clone.safetensors")
    /// env = jantaku.VecEnv(64, encoder="sparse-v1")
    /// batch = env.recv()
    /// found = agent.evaluate(batch)
    /// env.send(found["logits"].argmax(axis=1))
    /// ```
    ///
    /// Parameters
    /// ----------
    /// batch : Batch, AgentBatch or mapping
    ///     ``mask`` and the arrays of the network's encoder, as `VecEnv` and `Dataset` return them and
    ///     functions that play receive them: n rows.
    ///
    /// Returns
    /// -------
    /// dict of numpy.ndarray
    ///     ``logits`` and ``log_probabilities``: shape (n, 165), dtype float32, -inf for actions that
    ///     are not legal. The probabilities of a row add up to 1. ``values``, if the network has a value:
    ///     shape (n,), dtype float32, in the unit of its manifest, for the seat that decides. In rows
    ///     without a legal action, which end games, the value is 0.
    ///
    /// Raises
    /// ------
    /// AgentError
    ///     If the agent is no network, or its logits are not finite.
    /// ValueError
    ///     If the batch does not have the arrays of the network's encoder.
    // stub: batch: Batch | AgentBatch | Mapping[str, Any] -> dict[str, NDArray[np.float32]]
    fn evaluate<'py>(&self, batch: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        evaluate(&self.agent, batch)
    }

    /// Chooses one of the legal actions and reports the search info behind it.
    #[pyo3(signature = (observation, seed = 0))]
    // stub: -> Reply
    fn reply<'py>(
        &self,
        observation: &Bound<'py, PyObservation>,
        #[pyo3(from_py_with = number::seed)] seed: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, reply) = (observation.py(), self.reply_to(observation, seed)?);
        let legal = observation.get().observe().legal();
        let info = *reply.search_info.unwrap_or_default();
        let policy = info.policy.map(|policy| by_action(py, legal, policy, 0.0));
        let mean = |estimate: Option<Estimate>| estimate.map_or(f32::NAN, |estimate| estimate.mean);
        let values = info.action_values.map(|values| values.into_iter().map(mean));
        let values = values.map(|values| by_action(py, legal, values, f32::NAN));
        let parts = (action_object(py, reply.action.id())?, info.value, info.probability, policy, values);
        py.import("jantaku._values")?.getattr("Reply")?.call1(parts)
    }

    /// Chooses one of the legal actions and explains the choice.
    ///
    /// The action is that of `choose`. ``heuristic`` compares candidates and says why it declares a
    /// kan or not; other agents report values and probabilities if they have them.
    ///
    /// Returns
    /// -------
    /// jantaku.results.Opinion
    ///     The choice with its reasons.
    #[pyo3(signature = (observation, seed = 0))]
    // stub: -> Opinion
    fn explain<'py>(
        &self,
        observation: &Bound<'py, PyObservation>,
        #[pyo3(from_py_with = number::seed)] seed: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, reply) = (observation.py(), self.reply_to(observation, seed)?);
        let o = observation.get();
        let opinion = py.detach(|| opinion_of(&self.agent, &reply, &o.observe()));
        py.import("jantaku.results")?.getattr("Opinion")?.call1((result_to_python(py, &opinion)?,))
    }

    fn __repr__(&self) -> String {
        format!("Agent('{}')", self.agent.name())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyAgent>().is_ok_and(|other| other.get().agent.name() == self.agent.name())
    }

    fn __hash__(&self) -> u64 {
        BuildHasherDefault::<DefaultHasher>::new().hash_one(self.agent.name())
    }

    fn __reduce__<'py>(slf: &Bound<'py, PyAgent>) -> Pickle<'py> {
        (slf.get_type().into_any(), (slf.get().name().to_owned(),))
    }
}

impl PyAgent {
    fn reply_to(&self, observation: &Bound<'_, PyObservation>, seed: u64) -> PyResult<Reply> {
        let view = [observation.get().observe()];
        check_decisions(&view)?;
        let reply = observation.py().detach(|| threads::run(|| self.replies(&view, seed)))?.pop();
        reply.ok_or_else(|| agent_error("the agent gave no answer"))
    }
}

/// A number for each of the 165 actions: `numbers` has those of the legal actions in order, and all
/// other actions get `others`.
fn by_action(
    py: Python<'_>,
    legal: ActionSet,
    numbers: impl IntoIterator<Item = f32>,
    others: f32,
) -> Bound<'_, PyArray1<f32>> {
    let mut all = vec![others; ActionId::COUNT];
    for (id, number) in legal.iter().zip(numbers) {
        all[usize::from(id.number())] = number;
    }
    PyArray1::from_vec(py, all)
}

/// The agents of a table from an argument: one for all seats, names separated by commas, or a sequence
/// with one for each seat. None in the sequence is a seat without a player.
pub(crate) fn agents_of(argument: &Bound<'_, PyAny>, seats: usize) -> PyResult<Vec<Option<NamedAgent>>> {
    if let Ok(text) = argument.extract::<String>() {
        let agents = Catalog::standard().agents(&text, seats).map_err(agent_error)?;
        return Ok(agents.into_iter().map(Some).collect());
    }
    let Ok(list) = argument.cast::<PySequence>() else {
        return Ok(vec![Some(agent_of(argument)?); seats]);
    };
    let list = list.to_list()?;
    if list.len() != seats {
        return Err(agent_error(format!("{} agents: expected one for each of {seats} seats", list.len())));
    }
    list.iter().map(|agent| if agent.is_none() { Ok(None) } else { agent_of(&agent).map(Some) }).collect()
}
