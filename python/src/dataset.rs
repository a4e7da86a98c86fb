//! The compiled part of `Dataset`.
//!
//! # Why
//!
//! **Why does each loop over a `Dataset` begin an epoch?** After `break` a loop is done, and
//! `next(iter(data))` gives a different sample each time, as with torch's `DataLoader`. Rejected:
//! continuing where the last loop stopped. What a loop yields would depend on earlier loops;
//! `load_state_dict` continues on request.

use std::ffi::{CString, OsString};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jantaku_agents::encode::{MASK, OracleV1, Values};
use jantaku_agents::residual::CandidateEncoder;
use jantaku_engine::Tile;
use jantaku_sim::loader::{
    self, ConcealedTiles, Labelled, LoadError, LoadedBatch, Loader, LoaderConfig, Polled, Position, Reported,
};
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{Call, read_call};
use crate::arrays::{array, by_action, masks};
use crate::encoder::encoder_of;
use crate::errors::{LogError, value_error};
use crate::observation::PyObservation;
use crate::rules::rules_of;

/// How often a wait checks for Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(100);

/// One epoch of a `Dataset`: an iterator over batches.
#[pyclass(name = "_Loader", module = "jantaku._jantaku", frozen)]
pub(crate) struct PyLoader {
    /// None after `close`.
    loader: Mutex<Option<Loader>>,
    /// The process that made it: threads do not survive a fork.
    process: u32,
}

/// An error of the loader as an exception.
fn exception(error: &LoadError) -> PyErr {
    let text = error.to_string();
    match error {
        LoadError::Config(_) | LoadError::Mixed { .. } | LoadError::OtherLoader { .. } => value_error(text),
        LoadError::Open { .. } | LoadError::Source(_) => PyOSError::new_err(text),
        LoadError::Run(_) | LoadError::Log(_) | LoadError::Game { .. } => LogError::new_err(text),
        LoadError::Stopped(_) => PyRuntimeError::new_err(text),
    }
}

#[pymethods]
impl PyLoader {
    #[new]
    #[pyo3(signature = (paths, arguments, *, encoder, rules, position))]
    fn new(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        arguments: &Bound<'_, PyDict>,
        encoder: Option<&Bound<'_, PyAny>>,
        rules: Option<&Bound<'_, PyAny>>,
        position: [u64; 5],
    ) -> PyResult<PyLoader> {
        let [loader, epoch, part, game, given] = position;
        let request = |call: &mut Call<'_>| Ok(LoaderConfig { filter: call.take()?, ..call.take()? });
        let (config, _) = read_call(arguments, None, request)?;
        let config = LoaderConfig {
            paths,
            encoder: encoder.map(encoder_of).transpose()?,
            rules: rules.map(rules_of).transpose()?,
            start: Position { loader, epoch, part, game, given },
            ..config
        };
        let loader = py.detach(|| Loader::start(config)).map_err(|error| exception(&error))?;
        if let Some(warning) = loader.warning() {
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(warning)?, 1)?;
        }
        Ok(PyLoader { loader: Mutex::new(Some(loader)), process: std::process::id() })
    }

    /// The runs and files of logs at these paths, in the order of the column `runs`.
    #[staticmethod]
    fn sources(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Vec<OsString>> {
        let found = py.detach(|| loader::find_sources(&paths)).map_err(|error| exception(&error))?;
        Ok(found.into_iter().map(PathBuf::into_os_string).collect())
    }

    /// The number of logs that were left out so far.
    #[getter]
    fn skipped(&self) -> u64 {
        let loader = self.loader.lock().unwrap_or_else(PoisonError::into_inner);
        loader.as_ref().map_or(0, Loader::skipped)
    }

    /// Ends the threads.
    fn close(&self, py: Python<'_>) {
        if std::process::id() == self.process {
            py.detach(|| drop(self.loader.lock().unwrap_or_else(PoisonError::into_inner).take()));
        }
    }

    fn __iter__(slf: PyRef<'_, PyLoader>) -> PyRef<'_, PyLoader> {
        slf
    }

    /// The next batch: its position, and its arrays by name.
    // stub: -> tuple[tuple[int, int, int, int, int], dict[str, Any]]
    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<([u64; 5], Bound<'py, PyDict>)>> {
        if std::process::id() != self.process {
            let process = self.process;
            return Err(PyRuntimeError::new_err(format!(
                "the loader belongs to process {process}, and its threads do not survive a fork: iterate over \
                 the dataset in this process"
            )));
        }
        loop {
            let polled = py.detach(|| {
                let mut loader = self.loader.lock().unwrap_or_else(PoisonError::into_inner);
                loader.as_mut().map_or(Polled::End, |loader| loader.poll(PATIENCE))
            });
            match polled {
                Polled::Waiting => py.check_signals()?,
                Polled::End => return Ok(None),
                Polled::Failed(error) => return Err(exception(&error)),
                Polled::Batch(batch) => return arrays(py, *batch).map(Some),
            }
        }
    }
}

impl Drop for PyLoader {
    fn drop(&mut self) {
        if std::process::id() != self.process {
            // The threads are those of another process; waiting for them would never end.
            std::mem::forget(self.loader.get_mut().unwrap_or_else(PoisonError::into_inner).take());
        }
    }
}

/// The arrays of a batch by name, which take over its memory.
fn arrays(py: Python<'_>, batch: LoadedBatch) -> PyResult<([u64; 5], Bound<'_, PyDict>)> {
    let Position { loader, epoch, part, game, given } = batch.position;
    let dict = PyDict::new(py);
    let (legal, encoded) = batch.encoded.into_arrays();
    for (spec, values) in encoded {
        dict.set_item(spec.name, array(py, spec, values)?)?;
    }
    dict.set_item(MASK.name, masks(py, legal)?)?;
    set(&dict, "action", batch.actions)?;
    set(&dict, "runs", batch.runs.into_iter().map(|run| run as i32).collect())?;
    set(&dict, "games", batch.games.into_iter().map(|game| game as i64).collect())?;
    set(&dict, "hands", batch.hands.into_iter().map(i32::from).collect())?;
    set(&dict, "decisions", batch.decisions.into_iter().map(|decision| decision as i32).collect())?;
    set(&dict, "players", batch.players)?;
    set(&dict, "seats", batch.seats)?;
    set(&dict, "kinds", batch.kinds)?;
    set(&dict, "hand_deltas", batch.hand_deltas)?;
    set(&dict, "points", batch.points)?;
    set(&dict, "placements", batch.placements)?;
    set(&dict, "results", batch.results)?;
    if let Some(observations) = batch.observations {
        let views = observations.into_iter().map(PyObservation).collect::<Vec<_>>();
        dict.set_item("observations", views)?;
    }
    if let Some(reported) = batch.reported {
        set_reported(&dict, reported)?;
    }
    if let Some(concealed) = batch.concealed {
        set_concealed(&dict, concealed)?;
    }
    if let Some(oracle) = batch.oracle {
        let planes = Values::U8(oracle.into_flattened());
        dict.set_item(OracleV1::ARRAY.name, array(py, &OracleV1::ARRAY, planes)?)?;
    }
    if let Some(labelled) = batch.labelled {
        set_labelled(&dict, labelled)?;
    }
    Ok(([loader, epoch, part, game, given], dict))
}

/// Sets what agents reported.
fn set_reported(dict: &Bound<'_, PyDict>, reported: Reported) -> PyResult<()> {
    set(dict, "value", reported.values)?;
    dict.set_item("policy", by_action(dict.py(), reported.policies)?)?;
    set(dict, "probability", reported.probabilities)?;
    dict.set_item("action_values", by_action(dict.py(), reported.action_values)?)?;
    dict.set_item("action_errors", by_action(dict.py(), reported.action_errors)?)
}

/// Sets the labels by rollouts.
fn set_labelled(dict: &Bound<'_, PyDict>, labelled: Labelled) -> PyResult<()> {
    set(dict, "label_kind", labelled.kinds)?;
    set(dict, "deals", labelled.deals.into_iter().map(i32::from).collect())?;
    set(dict, "candidate_counts", labelled.counts.into_iter().map(i32::from).collect())?;
    set(dict, "candidate", labelled.actions)?;
    set(dict, "gap", labelled.gaps)?;
    set(dict, "value_sum", labelled.values)?;
    set(dict, "value_squares", labelled.value_squares)?;
    set(dict, "difference_sum", labelled.differences)?;
    set(dict, "difference_squares", labelled.difference_squares)?;
    set(dict, "candidate_active", labelled.features)?;
    set(dict, "candidate_active_counts", labelled.feature_counts)?;
    let shape = [labelled.scalars.len() / CandidateEncoder::SCALARS, CandidateEncoder::SCALARS];
    dict.set_item("candidate_scalars", PyArray1::from_vec(dict.py(), labelled.scalars).reshape(shape)?)
}

/// Sets the concealed tiles of all seats.
fn set_concealed(dict: &Bound<'_, PyDict>, tiles: Vec<ConcealedTiles>) -> PyResult<()> {
    let shape = [tiles.len(), 4, Tile::COUNT];
    let tiles = tiles.into_flattened().into_flattened();
    dict.set_item("concealed", PyArray1::from_vec(dict.py(), tiles).reshape(shape)?)
}

fn set<T: Element>(dict: &Bound<'_, PyDict>, name: &str, values: Vec<T>) -> PyResult<()> {
    dict.set_item(name, PyArray1::from_vec(dict.py(), values))
}
