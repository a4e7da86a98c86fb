//! The compiled part of `VecEnv`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError, TryLockError};

use jantaku_agents::encode::{ArraySpec, Encoder, MASK, OracleV1, RowsMut};
use jantaku_agents::{Params, PlacementModel};
use jantaku_engine::{BySeat, FinalResult, Players, Rules, Standing};
use jantaku_sim::env::{
    BatchMut, COLUMNS, ColumnArrays, Deal, EndedHand, EnvConfig, EnvError, Lineup, Player, Rewards, Starts,
    VecEnv, WrongAction, with_arrays,
};
use numpy::{
    Element, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray,
    PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use pyo3::{PyTraverseError, PyVisit};

use crate::agent::agent_of;
use crate::arrays::{Borrowed, borrow, describe};
use crate::callable::{Caller, SharedFunction, function_of, locked, take_raised};
use crate::encoder::encoder_of;
use crate::errors::{IllegalActionError, RulesError, agent_error, kind_of, value_error};
use crate::observation::PyObservation;
use crate::rules::rules_of;
use crate::table::PyStanding;
use crate::threads;
use crate::tiles::seat_of;

/// The tables of a `VecEnv`, which writes its rows into arrays of the caller.
#[pyclass(name = "_Tables", module = "jantaku._jantaku", frozen)]
pub(crate) struct PyTables {
    /// None after `close`.
    env: Mutex<Option<VecEnv>>,
    /// The functions that play opponents; none after `close`.
    functions: Mutex<Vec<SharedFunction>>,
    /// Whether `env` is None. It can be read while a call holds the lock of `env`.
    closed: AtomicBool,
    /// The process that made it: threads do not survive a fork.
    process: u32,
    rules: Rules,
    tables: usize,
    encoder: Option<Encoder>,
    most_rows: usize,
    /// The seats of the learner; all if None.
    seats: Option<Vec<u8>>,
    rewards: Rewards,
}

/// The placement models for three players and for others.
static PLACEMENTS: LazyLock<[PlacementModel; 2]> = LazyLock::new(|| {
    let params = Params::released();
    [Players::Three, Players::Four].map(|players| params.placements(players))
});

/// The opponents of a game in order, and the weight with which they are drawn.
type Opponents<'py> = (Vec<Bound<'py, PyAny>>, f64);

/// An error of the tables as an exception.
fn exception(error: EnvError) -> PyErr {
    let text = error.to_string();
    match error {
        EnvError::Rules(_) => RulesError::new_err(text),
        EnvError::Action(WrongAction::Illegal { .. }) => IllegalActionError::new_err(text),
        EnvError::FollowsGames { .. } | EnvError::Agent { .. } => agent_error(text),
        EnvError::Threads(_) | EnvError::NothingDue { .. } | EnvError::NotResumable => {
            PyRuntimeError::new_err(text)
        }
        _ => value_error(text),
    }
}

/// The columns of a batch by name.
struct BatchColumns<'a, 'py>(&'a Bound<'py, PyDict>);

impl<'py, T: Element> ColumnArrays<T, PyErr> for BatchColumns<'_, 'py> {
    type Array = PyReadwriteArray<'py, T, numpy::Ix1>;

    fn array(&mut self, name: &'static str) -> PyResult<Self::Array> {
        borrow(&self.0.as_any().get_item(name)?)
    }

    fn elements(array: &mut Self::Array) -> PyResult<&mut [T]> {
        array.as_slice_mut().map_err(value_error)
    }
}

impl PyTables {
    /// The tables. Fails if another call is using them: waiting could last for ever, because that call
    /// may wait for this one to return.
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
        // What a function of the caller raised is raised unchanged.
        worked.map_err(|error| take_raised().unwrap_or_else(|| exception(error)))
    }

    /// Lets a function write rows into the arrays of a batch.
    fn fill(
        &self,
        py: Python<'_>,
        arrays: &Bound<'_, PyDict>,
        write: impl FnOnce(&mut VecEnv, &mut BatchMut<'_>) -> Result<usize, EnvError> + Send,
    ) -> PyResult<usize> {
        // A call that is using the tables may have borrowed the arrays, too. The lock gives the clearer
        // error.
        drop(self.lock()?);
        let array = |spec: &ArraySpec| arrays.as_any().get_item(spec.name);
        let mut masks = Borrowed::new(&MASK, &array(&MASK)?.call_method1("view", ("u1",))?)?;
        let masks = masks.slice()?.into_slice::<u8>().as_chunks_mut().0;
        let specs = self.encoder.map_or(&[][..], Encoder::arrays).iter();
        let encoded = specs.map(|spec| Borrowed::new(spec, &array(spec)?));
        let mut encoded = encoded.collect::<PyResult<Vec<_>>>()?;
        let encoded = encoded.iter_mut().map(Borrowed::slice).collect::<PyResult<Vec<_>>>()?;
        let encoded = RowsMut::new(self.encoder, masks.len(), Some(masks), encoded).map_err(value_error)?;
        let oracle = arrays.get_item(OracleV1::ARRAY.name)?;
        let mut oracle = oracle.map(|oracle| Borrowed::new(&OracleV1::ARRAY, &oracle)).transpose()?;
        let oracle = oracle.as_mut().map(Borrowed::slice).transpose()?;
        let oracle = oracle.map_or(&mut [][..], |planes| planes.into_slice::<u8>().as_chunks_mut().0);
        with_arrays(&mut BatchColumns(arrays), encoded, oracle, |batch| {
            self.with(py, |env| write(env, batch))
        })
    }
}

methods! {
    impl PyTables;

    get(self) {
        tables: usize = self.tables;

        players: u8 = self.rules.players.count();

        most_rows: usize = self.most_rows;

        encoder: Option<&'static str> = self.encoder.map(Encoder::name);

        closed: bool = self.closed.load(Ordering::Relaxed);
    }

    #[new]
    #[pyo3(signature = (tables, rules, seats, opponents, *, rotate, encoder, reward, start, seed, threads, resumable))]
    #[expect(clippy::too_many_arguments, reason = "one for each argument of VecEnv")]
    fn new(
        tables: usize,
        rules: &Bound<'_, PyAny>,
        seats: Option<Vec<u8>>,
        opponents: Vec<Opponents<'_>>,
        rotate: bool,
        encoder: Option<&Bound<'_, PyAny>>,
        reward: &Bound<'_, PyAny>,
        start: Option<Vec<(Py<PyStanding>, f64)>>,
        seed: u64,
        threads: usize,
        resumable: bool,
    ) -> PyResult<PyTables> {
        let rules = rules_of(rules)?;
        let encoder = encoder.map(encoder_of).transpose()?;
        let starts = match start {
            None => Starts::of_games(&rules),
            Some(standings) => {
                let weighted = |(standing, weight): &(Py<PyStanding>, f64)| {
                    Ok((standing.get().standing(rules.players)?, *weight))
                };
                let weighted = standings.iter().map(weighted).collect::<PyResult<Vec<_>>>()?;
                Starts::weighted(&rules, weighted).map_err(|wrong| exception(EnvError::Starts(wrong)))?
            }
        };
        let (lineups, functions) = lineups(&rules, seats.as_deref(), &opponents)?;
        let rewards = rewards(reward, rules.players)?;
        let config = EnvConfig { rules, tables, seed, lineups, rotate, rewards, starts, threads, resumable };
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
            seats,
            rewards,
        })
    }

    /// The columns of a batch in order: name, dtype and meaning.
    #[staticmethod]
    fn columns() -> Vec<(&'static str, String, String)> {
        let dtype = |element: &str| match element.split_at(1) {
            ("i", bits) => format!("int{bits}"),
            ("u", bits) => format!("uint{bits}"),
            ("f", bits) => format!("float{bits}"),
            _ => element.to_owned(),
        };
        COLUMNS.iter().map(|column| (column.name, dtype(column.element), column.about.join("\n"))).collect()
    }

    /// How hands end, by their numbers.
    #[staticmethod]
    fn hand_ends() -> Vec<&'static str> {
        EndedHand::KINDS.to_vec()
    }

    /// Ends the threads and frees the memory.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        if std::process::id() == self.process {
            let env = self.lock()?.take();
            self.closed.store(true, Ordering::Relaxed);
            py.detach(|| drop(env));
            // The last references to the functions: dropping them needs the GIL.
            drop(std::mem::take(&mut *locked(&self.functions)));
        }
        Ok(())
    }

    /// Shows the functions to the garbage collector. There is no `__clear__`, as for a
    /// `FunctionAgent`.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // If another thread holds the lock, the collector sees references that it cannot explain, and frees
        // nothing.
        let Ok(functions) = self.functions.try_lock() else { return Ok(()) };
        functions.iter().try_for_each(|function| visit.call(&**function))
    }

    fn reset(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        self.with(py, |env| {
            env.reset(seed);
            Ok(())
        })
    }

    /// Starts the next games of the tables with a true flag.
    fn restart(&self, py: Python<'_>, flags: Vec<bool>) -> PyResult<()> {
        self.with(py, |env| {
            env.restart(&flags);
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

    /// Writes the rows that are ready into the arrays of a batch. Returns their number.
    fn recv(&self, py: Python<'_>, arrays: &Bound<'_, PyDict>) -> PyResult<usize> {
        self.fill(py, arrays, VecEnv::recv)
    }

    /// The state as bytes.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let state = self.with(py, |env| env.state())?;
        Ok(PyBytes::new(py, &state))
    }

    /// Continues from a state, and writes the rows of the last `recv` before it into the arrays of a
    /// batch. Returns their number.
    fn load_state(&self, py: Python<'_>, state: &[u8], arrays: &Bound<'_, PyDict>) -> PyResult<usize> {
        self.fill(py, arrays, |env, batch| env.load_state(state, batch))
    }

    /// Lets each later game draw its opponents from these. Returns the range of their numbers: the first
    /// one, and the one after the last.
    fn set_opponents(&self, py: Python<'_>, opponents: Vec<Opponents<'_>>) -> PyResult<(u32, u32)> {
        let (lineups, functions) = lineups(&self.rules, self.seats.as_deref(), &opponents)?;
        let numbers = self.with(py, |env| env.set_lineups(lineups))?;
        locked(&self.functions).extend(functions);
        Ok((numbers.start, numbers.end))
    }

    /// The hands that ended between the last two calls of `recv`, by column.
    // stub: -> dict[str, NDArray[Any]]
    fn ended_hands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let hands = self.with(py, |env| Ok(env.ended_hands().to_vec()))?;
        let columns = Columns { dict: PyDict::new(py), seats: usize::from(self.rules.players.count()) };
        let last = |hand: &EndedHand| hand.next.is_none();
        let next = |of: fn(&Deal) -> u16| {
            move |hand: &EndedHand| hand.next.as_ref().map_or(0, |deal| i32::from(of(deal)))
        };
        columns.set("tables", &hands, |hand| hand.table as i32)?;
        columns.set("games", &hands, |hand| hand.game as i32)?;
        columns.set("opponents", &hands, |hand| hand.lineup as i32)?;
        columns.set("hands", &hands, |hand| i32::from(hand.hand))?;
        columns.set("kinds", &hands, |hand| hand.kind)?;
        columns.set("last", &hands, last)?;
        columns.set_deals(&hands, |hand| hand.start)?;
        columns.set("next_rounds", &hands, next(|deal| deal.round))?;
        columns.set("next_honba", &hands, next(|deal| deal.honba))?;
        columns.set("next_sticks", &hands, next(|deal| deal.sticks))?;
        columns.set_by_seat("next_points", &hands, |hand| hand.points)?;
        let results = |of: fn(&FinalResult) -> i32| {
            let players = self.rules.players;
            move |hand: &EndedHand| hand.results.map_or(BySeat::splat(players, 0), |results| results.map(of))
        };
        columns.set_by_seat("placements", &hands, results(|result| i32::from(result.placement)))?;
        columns.set_by_seat("results", &hands, results(|result| result.result))?;
        columns.set_by_seat("rewards", &hands, |hand| self.rewards.for_hand(hand))?;
        Ok(columns.dict)
    }

    /// The deal of the hand in play at each table, by column.
    // stub: -> dict[str, NDArray[Any]]
    fn deals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let deals = self.with(py, |env| Ok((0..env.tables()).map(|at| *env.deal(at)).collect::<Vec<_>>()))?;
        let columns = Columns { dict: PyDict::new(py), seats: usize::from(self.rules.players.count()) };
        columns.set_deals(&deals, |deal| *deal)?;
        Ok(columns.dict)
    }

    /// What the placement model expects of the rewards for placement and result: hands × seats.
    fn expected<'py>(
        &self,
        py: Python<'py>,
        rounds: PyReadonlyArray1<'_, i32>,
        points: PyReadonlyArray2<'_, i32>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let players = self.rules.players;
        let [three, four] = &*PLACEMENTS;
        let model = if players == Players::Three { three } else { four };
        let mut expected = Vec::with_capacity(points.len());
        for (round, scores) in rounds.as_array().iter().zip(points.as_array().rows()) {
            let scores = scores.to_slice().and_then(|scores| BySeat::from_slice(players, scores));
            let scores = scores.ok_or_else(|| value_error("expected the points of each seat"))?;
            let round = u16::try_from(*round).map_err(value_error)?;
            let standing = Standing { round, scores, ..Standing::start(&self.rules) };
            let of_seat = |seat| self.rewards.expected(model, &self.rules, &standing, seat);
            expected.extend(players.seats().map(of_seat));
        }
        PyArray1::from_vec(py, expected).reshape(points.dims())
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

    /// Answers the rows of the last `recv`, or the decisions with these IDs.
    #[pyo3(signature = (actions, ids = None))]
    fn send(
        &self,
        py: Python<'_>,
        actions: &Bound<'_, PyUntypedArray>,
        ids: Option<&Bound<'_, PyUntypedArray>>,
    ) -> PyResult<()> {
        let ids = ids.map(|ids| integers("ids", ids)).transpose()?;
        let actions = integers("actions", actions)?;
        self.with(py, |env| match ids {
            None => env.send(&actions),
            Some(ids) => env.send_to(&ids, &actions),
        })
    }

    /// What a seat sees now. The caller has checked the table.
    fn observation(&self, py: Python<'_>, table: usize, seat: u8) -> PyResult<PyObservation> {
        let seat = seat_of(seat.into(), self.rules.players)?;
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

/// A line-up for each entry of `opponents`: the learner plays the given seats, and the entry's agents the
/// others. Also returns the functions among the agents.
fn lineups(
    rules: &Rules,
    seats: Option<&[u8]>,
    opponents: &[Opponents<'_>],
) -> PyResult<(Vec<Lineup>, Vec<SharedFunction>)> {
    let count = rules.players.count();
    let all: Vec<u8> = (0..count).collect();
    let seats = seats.unwrap_or(&all);
    check_seats(seats, count)?;
    let mut functions = Vec::new();
    let lineup = |(opponents, weight): &Opponents<'_>| {
        Ok(Lineup { players: players(rules, seats, opponents, &mut functions)?, weight: *weight })
    };
    let lineups = opponents.iter().map(lineup).collect::<PyResult<_>>()?;
    Ok((lineups, functions))
}

/// Checks the seats of the learner.
fn check_seats(seats: &[u8], count: u8) -> PyResult<()> {
    if let Some(seat) = seats.iter().find(|seat| **seat >= count) {
        return Err(value_error(format!("seats: there is no seat {seat}, expected 0 to {}", count - 1)));
    }
    if seats.is_empty() {
        return Err(value_error("seats: expected at least one seat of the learner, found none"));
    }
    if let Some(twice) = (1..seats.len()).find(|at| seats[..*at].contains(&seats[*at])) {
        let seat = seats[twice];
        return Err(value_error(format!("seats: expected each seat once, found {seat} twice")));
    }
    Ok(())
}

/// Who plays each seat: the learner in these seats, opponents in the others. Functions among them are
/// added to `functions`.
fn players(
    rules: &Rules,
    seats: &[u8],
    opponents: &[Bound<'_, PyAny>],
    functions: &mut Vec<SharedFunction>,
) -> PyResult<Vec<Player>> {
    let count = rules.players.count();
    let others: Vec<u8> = (0..count).filter(|seat| !seats.contains(seat)).collect();
    if !others.is_empty() && opponents.len() != 1 && opponents.len() != others.len() {
        let (found, expected) = (opponents.len(), others.len());
        return Err(value_error(format!(
            "opponents: expected one agent, or {expected}, one for each other seat; found {found}"
        )));
    }
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
    (0..count).map(player).collect()
}

/// Columns of a table by name.
struct Columns<'py> {
    dict: Bound<'py, PyDict>,
    /// The number of seats.
    seats: usize,
}

impl Columns<'_> {
    /// Sets a column with one value for each row.
    fn set<R, T: Element>(&self, name: &str, rows: &[R], value: impl Fn(&R) -> T) -> PyResult<()> {
        self.dict.set_item(name, PyArray1::from_vec(self.dict.py(), rows.iter().map(value).collect()))
    }

    /// Sets a column with a value for each row and seat.
    fn set_by_seat<R, T: Element + Copy>(
        &self,
        name: &str,
        rows: &[R],
        values: impl Fn(&R) -> BySeat<T>,
    ) -> PyResult<()> {
        let values: Vec<T> = rows.iter().flat_map(|row| values(row).as_slice().to_vec()).collect();
        let values = PyArray1::from_vec(self.dict.py(), values).reshape([rows.len(), self.seats])?;
        self.dict.set_item(name, values)
    }

    /// Sets the columns of deals.
    fn set_deals<R>(&self, rows: &[R], deal: impl Fn(&R) -> Deal) -> PyResult<()> {
        self.set("rounds", rows, |row| i32::from(deal(row).round))?;
        self.set("honba", rows, |row| i32::from(deal(row).honba))?;
        self.set("sticks", rows, |row| i32::from(deal(row).sticks))?;
        self.set_by_seat("points", rows, |row| deal(row).points)
    }
}

/// Rewards by name, or by weights.
fn rewards(argument: &Bound<'_, PyAny>, players: Players) -> PyResult<Rewards> {
    if let Ok(name) = argument.extract::<String>() {
        return Rewards::named(&name, players).ok_or_else(|| {
            value_error(format!("`reward`: expected points, placement or result, found {name}"))
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
                    return Err(value_error(format!("`reward`: expected {expected}, found {found}")));
                }
                rewards.placements[..values.len()].copy_from_slice(&values);
            }
            other => {
                return Err(value_error(format!(
                    "`reward`: expected weights of points, placement and result, found {other}"
                )));
            }
        }
    }
    if !rewards.are_finite() {
        return Err(value_error("`reward`: expected finite weights, found one that is not"));
    }
    Ok(rewards)
}

fn wrong_reward(expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("`reward`: expected {expected}, found {}", kind_of(found)))
}

/// The numbers of an array of any integer type.
fn integers(what: &str, array: &Bound<'_, PyUntypedArray>) -> PyResult<Vec<i128>> {
    macro_rules! read {
        ($($integer:ty),*) => {$(
            if let Ok(array) = array.cast::<PyArray1<$integer>>() {
                let array = array.try_readonly().map_err(value_error)?;
                return Ok(array.as_array().iter().map(|number| i128::from(*number)).collect());
            }
        )*};
    }
    read!(i64, u8, i32, i16, u16, u32, u64, i8);
    let found = describe(array.as_any());
    Err(PyTypeError::new_err(format!("{what}: expected an array of one axis of integers, found {found}")))
}
