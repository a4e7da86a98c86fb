//! The compiled part of `VecEnv`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use jantaku_agents::encode::{ArraySpec, Encoder, MASK, OracleV1, RowsMut};
use jantaku_engine::{Players, Rules, Seat};
use jantaku_sim::env::{BatchMut, EnvConfig, EnvError, Player, Rewards, Starts, VecEnv, WrongAction};
use numpy::{Element, PyArray1, PyArrayMethods, PyReadwriteArray, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

use crate::action::kind_of;
use crate::agent::{agent_error, agent_of};
use crate::arrays::Borrowed;
use crate::callable::{Caller, SharedFunction, function_of, locked, take_raised};
use crate::encoder::encoder_of;
use crate::errors::{IllegalActionError, RulesError, value_error};
use crate::observation::PyObservation;
use crate::rules::rules_of;
use crate::table::PyStanding;
use crate::threads;

/// The tables of a `VecEnv`, which writes its rows into arrays of the caller.
#[pyclass(name = "_Tables", module = "jantaku._jantaku", frozen)]
pub(crate) struct PyTables {
    /// None after `close`.
    env: Mutex<Option<VecEnv>>,
    /// The functions that play opponents; none after `close`.
    functions: Mutex<Vec<SharedFunction>>,
    /// Whether `env` is None. It can be read while a call is at work.
    closed: AtomicBool,
    /// The process that made it: threads do not survive a fork.
    process: u32,
    rules: Rules,
    tables: usize,
    encoder: Option<Encoder>,
    most_rows: usize,
}

/// An error of the tables as an exception.
fn exception(error: EnvError) -> PyErr {
    let text = error.to_string();
    match error {
        EnvError::Rules(_) => RulesError::new_err(text),
        EnvError::Action(WrongAction::Illegal { .. }) => IllegalActionError::new_err(text),
        EnvError::FollowsGames { .. } | EnvError::Agent { .. } => agent_error(text),
        EnvError::Threads(_) | EnvError::NothingDue { .. } => PyRuntimeError::new_err(text),
        EnvError::Starts(_) | EnvError::Config { .. } | EnvError::Room { .. } | EnvError::Action(_) => {
            PyValueError::new_err(text)
        }
    }
}

/// The columns of a batch, as `_vec_env.py` makes them.
const COLUMNS: usize = 13;

impl PyTables {
    /// The tables, unless a call is at work with them. Waiting for it could last for ever: it may be
    /// the call that waits for this one to return.
    fn lock(&self) -> PyResult<MutexGuard<'_, Option<VecEnv>>> {
        match self.env.try_lock() {
            Ok(env) => Ok(env),
            Err(TryLockError::Poisoned(env)) => Ok(env.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "the environment is in use: another thread, or a function that plays an opponent, calls it while \
                 it plays",
            )),
        }
    }

    /// Calls a function with the tables, without the GIL.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut VecEnv) -> Result<T, EnvError> + Send,
    ) -> PyResult<T> {
        if std::process::id() != self.process {
            return Err(PyRuntimeError::new_err(format!(
                "the environment belongs to process {}, and its threads do not survive a fork: make a new one \
                 in this process",
                self.process
            )));
        }
        let mut env = self.lock()?;
        let env: &mut Option<VecEnv> = &mut env;
        let worked = py.detach(|| threads::run(|| env.as_mut().map(work)));
        let worked = worked.ok_or_else(|| PyRuntimeError::new_err("the environment is closed"))?;
        // What a function of the caller raised comes out as it is.
        worked.map_err(|error| take_raised().unwrap_or_else(|| exception(error)))
    }
}

#[pymethods]
impl PyTables {
    #[new]
    #[pyo3(signature = (tables, rules, seats, opponents, *, rotate, encoder, reward, start, seed, threads))]
    #[expect(clippy::too_many_arguments, reason = "one for each argument of VecEnv")]
    fn new(
        tables: usize,
        rules: &Bound<'_, PyAny>,
        seats: Option<Vec<u8>>,
        opponents: Vec<Bound<'_, PyAny>>,
        rotate: bool,
        encoder: Option<&Bound<'_, PyAny>>,
        reward: &Bound<'_, PyAny>,
        start: Option<Vec<(Py<PyStanding>, f64)>>,
        seed: u64,
        threads: usize,
    ) -> PyResult<PyTables> {
        let rules = rules_of(rules)?;
        let encoder = encoder.map(|encoder| encoder_of(Some(encoder))).transpose()?.map(|encoder| encoder.0);
        let starts = match start {
            None => Starts::of_games(&rules),
            Some(standings) => {
                let weighted = |(standing, weight): &(Py<PyStanding>, f64)| {
                    Ok((standing.get().standing(rules.players)?, *weight))
                };
                let weighted = standings.iter().map(weighted).collect::<PyResult<Vec<_>>>()?;
                Starts::weighted(&rules, weighted).map_err(|wrong| exception(wrong.into()))?
            }
        };
        let (players, functions) = players(&rules, seats, &opponents)?;
        let config = EnvConfig {
            rules,
            tables,
            seed,
            players,
            rotate,
            rewards: rewards(reward, rules.players)?,
            starts,
            threads,
        };
        let env = VecEnv::new(config).map_err(exception)?;
        let most_rows = env.most_rows();
        let process = std::process::id();
        Ok(PyTables {
            env: Mutex::new(Some(env)),
            functions: Mutex::new(functions),
            closed: AtomicBool::new(false),
            process,
            rules,
            tables,
            encoder,
            most_rows,
        })
    }

    #[getter]
    fn tables(&self) -> usize {
        self.tables
    }

    #[getter]
    fn players(&self) -> u8 {
        self.rules.players.count()
    }

    #[getter]
    fn most_rows(&self) -> usize {
        self.most_rows
    }

    #[getter]
    fn encoder(&self) -> Option<&'static str> {
        self.encoder.map(Encoder::name)
    }

    #[getter]
    fn closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Ends the threads and frees the memory.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        if std::process::id() == self.process {
            let env = self.lock()?.take();
            self.closed.store(true, Ordering::Relaxed);
            py.detach(|| drop(env));
            // Their last references, which are given up with the GIL.
            drop(std::mem::take(&mut *locked(&self.functions)));
        }
        Ok(())
    }

    /// Shows the functions to the garbage collector. There is no `__clear__`, as for a
    /// `FunctionAgent`.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // Without the lock, the collector believes that something else refers to the functions.
        let Ok(functions) = self.functions.try_lock() else { return Ok(()) };
        functions.iter().try_for_each(|function| visit.call(&**function))
    }

    fn reset(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        self.with(py, |env| {
            env.reset(seed);
            Ok(())
        })
    }

    #[getter]
    fn outstanding(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |env| Ok(env.outstanding()))
    }

    #[getter]
    fn threads(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |env| Ok(env.threads()))
    }

    /// Writes the rows that are ready into the columns of a batch. Returns their number.
    fn recv(&self, py: Python<'_>, columns: &Bound<'_, PyTuple>) -> PyResult<usize> {
        // A call at work has borrowed the arrays, too.
        drop(self.lock()?);
        let item = |at: usize| columns.get_item(at);
        if columns.len() != COLUMNS + 2 {
            return Err(PyValueError::new_err("expected a Batch of this environment"));
        }
        let (mut ids, mut tables, mut seats) = (column(item(0)?)?, column(item(1)?)?, column(item(2)?)?);
        let (mut due, mut rewards) = (column(item(3)?)?, column(item(4)?)?);
        let (mut terminated, mut truncated) = (column(item(5)?)?, column(item(6)?)?);
        let (mut games, mut decisions) = (column(item(7)?)?, column(item(8)?)?);
        let (mut points, mut placements, mut results) =
            (column(item(9)?)?, column(item(10)?)?, column(item(11)?)?);
        let mut masks = borrowed(&MASK, &item(12)?)?;
        let mut arrays = arrays(self.encoder, item(13)?.cast()?)?;
        let masks = masks.slice()?.into_slice::<u8>().as_chunks_mut().0;
        let arrays = arrays.iter_mut().map(Borrowed::slice).collect::<PyResult<Vec<_>>>()?;
        let encoded = RowsMut::new(self.encoder, masks.len(), Some(masks), arrays).map_err(value_error)?;
        let oracle = item(14)?;
        let mut oracle = (!oracle.is_none()).then(|| borrowed(&OracleV1::ARRAY, &oracle)).transpose()?;
        let oracle = oracle.as_mut().map(Borrowed::slice).transpose()?;
        let oracle = oracle.map_or(&mut [][..], |planes| planes.into_slice::<u8>().as_chunks_mut().0);
        let mut batch = BatchMut {
            ids: slice(&mut ids)?,
            tables: slice(&mut tables)?,
            seats: slice(&mut seats)?,
            due: slice(&mut due)?,
            rewards: slice(&mut rewards)?,
            terminated: slice(&mut terminated)?,
            truncated: slice(&mut truncated)?,
            games: slice(&mut games)?,
            decisions: slice(&mut decisions)?,
            points: slice(&mut points)?,
            placements: slice(&mut placements)?,
            results: slice(&mut results)?,
            encoded,
            oracle,
        };
        self.with(py, |env| env.recv(&mut batch))
    }

    /// Answers the rows of the last `recv`, or the decisions with these IDs.
    #[pyo3(signature = (actions, ids = None))]
    fn send(
        &self,
        py: Python<'_>,
        actions: &Bound<'_, PyUntypedArray>,
        ids: Option<&Bound<'_, PyUntypedArray>>,
    ) -> PyResult<()> {
        let ids = ids.map(|ids| integers("ids", ids)).transpose()?;
        macro_rules! send {
            ($($integer:ty),*) => {$(
                if let Ok(actions) = actions.cast::<PyArray1<$integer>>() {
                    let actions = actions.try_readonly().map_err(value_error)?;
                    let copied;
                    let actions = match actions.as_slice() {
                        Ok(actions) => actions,
                        Err(_) => {
                            copied = actions.as_array().to_vec();
                            &copied
                        }
                    };
                    return self.with(py, |env| match ids {
                        None => env.send(actions),
                        Some(ids) => env.send_to(&ids, actions),
                    });
                }
            )*};
        }
        send!(i64, u8, i32, i16, u16, u32, u64, i8);
        Err(wrong_integers("actions", actions))
    }

    /// Random legal actions for the rows of the last `recv`.
    fn random_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let actions = self.with(py, |env| {
            let mut actions = Vec::new();
            env.random_actions(&mut actions);
            Ok(actions)
        })?;
        Ok(PyArray1::from_vec(py, actions))
    }

    /// What a seat sees now.
    fn observation(&self, py: Python<'_>, table: usize, seat: u8) -> PyResult<PyObservation> {
        let found = Seat::new(seat).filter(|seat| seat.number() < self.rules.players.count());
        let seat = found.ok_or_else(|| PyValueError::new_err(format!("there is no seat {seat}")))?;
        if table >= self.tables {
            return Err(PyValueError::new_err(format!(
                "there is no table {table}, expected 0 to {}",
                self.tables - 1
            )));
        }
        self.with(py, |env| Ok(PyObservation::new(&env.game(table).observe(seat))))
    }

    /// The seed of the game in play at each table.
    fn seeds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let seeds = self
            .with(py, |env| Ok((0..env.tables()).map(|table| env.game(table).seed()).collect::<Vec<_>>()))?;
        Ok(PyArray1::from_vec(py, seeds))
    }
}

impl Drop for PyTables {
    fn drop(&mut self) {
        if std::process::id() != self.process {
            // The threads are those of another process.
            std::mem::forget(self.env.get_mut().unwrap_or_else(PoisonError::into_inner).take());
        }
    }
}

/// Who plays each seat: the learner in the given seats, opponents in the others. Also the functions
/// among the opponents.
fn players(
    rules: &Rules,
    seats: Option<Vec<u8>>,
    opponents: &[Bound<'_, PyAny>],
) -> PyResult<(Vec<Player>, Vec<SharedFunction>)> {
    let count = rules.players.count();
    let seats = seats.unwrap_or_else(|| (0..count).collect());
    if let Some(seat) = seats.iter().find(|seat| **seat >= count) {
        return Err(PyValueError::new_err(format!(
            "seats: there is no seat {seat}, expected 0 to {}",
            count - 1
        )));
    }
    if seats.is_empty() {
        return Err(PyValueError::new_err("seats: expected at least one seat of the learner, found none"));
    }
    if let Some(twice) = (1..seats.len()).find(|at| seats[..*at].contains(&seats[*at])) {
        let seat = seats[twice];
        return Err(PyValueError::new_err(format!("seats: expected each seat once, found {seat} twice")));
    }
    let others: Vec<u8> = (0..count).filter(|seat| !seats.contains(seat)).collect();
    if !others.is_empty() && opponents.len() != 1 && opponents.len() != others.len() {
        let (found, expected) = (opponents.len(), others.len());
        return Err(PyValueError::new_err(format!(
            "opponents: expected one agent, or {expected}, one for each other seat; found {found}"
        )));
    }
    let mut functions = Vec::new();
    let player = |seat| {
        let Some(at) = others.iter().position(|other| *other == seat) else { return Ok(Player::Learner) };
        let opponent = if opponents.len() == 1 { &opponents[0] } else { &opponents[at] };
        let agent = match function_of(opponent, &Caller::default())? {
            Some((agent, function)) => {
                functions.push(function);
                agent
            }
            None => agent_of(opponent)?,
        };
        Player::named(&agent, rules).map_err(agent_error)
    };
    let players = (0..count).map(player).collect::<PyResult<_>>()?;
    Ok((players, functions))
}

/// Rewards by name, or by weights.
fn rewards(argument: &Bound<'_, PyAny>, players: Players) -> PyResult<Rewards> {
    if let Ok(name) = argument.extract::<String>() {
        return Rewards::named(&name, players).ok_or_else(|| {
            PyValueError::new_err(format!("`reward`: expected points, placement or result, found {name}"))
        });
    }
    let Ok(weights) = argument.cast::<PyDict>() else {
        return Err(wrong_reward("a name or a dict of weights", argument));
    };
    let mut rewards = Rewards::NONE;
    for (name, weight) in weights {
        let number =
            || weight.extract().map_err(|_| wrong_reward(&format!("a number for `{name}`"), &weight));
        match name.to_string().as_str() {
            "points" => rewards.points = number()?,
            "result" => rewards.result = number()?,
            "placement" => {
                let count = players.count();
                let expected = format!("{count} numbers for `placement`");
                let values: Vec<f32> = weight.extract().map_err(|_| wrong_reward(&expected, &weight))?;
                if values.len() != usize::from(count) {
                    let found = values.len();
                    return Err(PyValueError::new_err(format!(
                        "`reward`: expected {expected}, found {found}"
                    )));
                }
                rewards.placements[..values.len()].copy_from_slice(&values);
            }
            other => {
                return Err(PyValueError::new_err(format!(
                    "`reward`: expected weights of points, placement and result, found {other}"
                )));
            }
        }
    }
    if !rewards.are_finite() {
        return Err(PyValueError::new_err("`reward`: expected finite weights, found one that is not"));
    }
    Ok(rewards)
}

fn wrong_reward(expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("`reward`: expected {expected}, found {}", kind_of(found)))
}

type Column<'py, T> = PyReadwriteArray<'py, T, numpy::Ix1>;

/// A column to write.
fn column<T: Element>(object: Bound<'_, PyAny>) -> PyResult<Column<'_, T>> {
    object.cast::<PyArray1<T>>().map_err(|_| wrong_array(&object))?.try_readwrite().map_err(value_error)
}

fn slice<'a, T: Element>(array: &'a mut Column<'_, T>) -> PyResult<&'a mut [T]> {
    array.as_slice_mut().map_err(value_error)
}

/// An array to write.
fn borrowed<'py>(spec: &ArraySpec, object: &Bound<'py, PyAny>) -> PyResult<Borrowed<'py>> {
    Borrowed::new(spec, object).unwrap_or_else(|| Err(wrong_array(object)))
}

/// The arrays of an encoder, in order.
fn arrays<'py>(encoder: Option<Encoder>, arrays: &Bound<'py, PyTuple>) -> PyResult<Vec<Borrowed<'py>>> {
    let specs = encoder.map_or(&[][..], Encoder::arrays);
    if arrays.len() != specs.len() {
        return Err(PyValueError::new_err("expected a Batch of this environment"));
    }
    specs.iter().zip(arrays.iter()).map(|(spec, array)| borrowed(spec, &array)).collect()
}

/// The error for an array that is not of the type of its column.
fn wrong_array(found: &Bound<'_, PyAny>) -> PyErr {
    let text = describe(found);
    PyTypeError::new_err(format!(
        "a column of a Batch does not have the type that `VecEnv.batch` gives it: {text}"
    ))
}

fn describe(object: &Bound<'_, PyAny>) -> String {
    match object.cast::<PyUntypedArray>() {
        Ok(array) => format!("an array of shape {:?} and dtype {}", array.shape(), array.dtype()),
        Err(_) => kind_of(object),
    }
}

/// An array of integers of any type.
fn integers(what: &str, array: &Bound<'_, PyUntypedArray>) -> PyResult<Vec<i64>> {
    macro_rules! read {
        ($($integer:ty),*) => {$(
            if let Ok(array) = array.cast::<PyArray1<$integer>>() {
                let array = array.try_readonly().map_err(value_error)?;
                return Ok(array.as_array().iter().map(|number| i64::from(*number)).collect());
            }
        )*};
    }
    read!(i32, i64, u32, i16, u16, u8, i8);
    Err(wrong_integers(what, array))
}

fn wrong_integers(what: &str, found: &Bound<'_, PyUntypedArray>) -> PyErr {
    let found = describe(found.as_any());
    PyTypeError::new_err(format!("{what}: expected an array of one axis of integers, found {found}"))
}
