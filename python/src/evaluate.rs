//! `Agent.evaluate`: the outputs of a network for encoded decisions.

use jantaku_agents::NamedAgent;
use jantaku_agents::encode::{ArrayKind, ArraySpec, Encoder, Inputs, MASK, Slice};
use jantaku_agents::neural::Outputs;
use jantaku_engine::ActionId;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};

use crate::arrays::{Read, by_action};
use crate::errors::{agent_error, value_error};
use crate::threads;

/// A number for each action.
type ByAction = [f32; ActionId::COUNT];

/// The outputs of an agent's network for a batch.
pub(crate) fn evaluate<'py>(agent: &NamedAgent, batch: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    let Some(mut network) = agent.network() else {
        return Err(agent_error(format!(
            "agent `{agent}` is no network: expected one such as `neural:model=FILE`"
        )));
    };
    let encoder = network.evaluator.encoder();
    let specs = encoder.map_or(&[][..], Encoder::arrays);
    let mask = read(batch, &MASK)?;
    let arrays = specs.iter().map(|spec| read(batch, spec)).collect::<PyResult<Vec<_>>>()?;
    check_features(specs, &arrays)?;
    let masks = mask.slice().of::<u8>().as_chunks::<{ ActionId::COUNT }>().0;
    let rows = masks.len();
    let inputs = Inputs::new(encoder, rows, arrays.iter().map(Read::slice)).map_err(value_error)?;
    let py = batch.py();
    let ((logits, values), log_probabilities) = py.detach(|| {
        threads::run(|| {
            let mut outputs = Outputs::new();
            outputs.reset(rows);
            network.evaluator.evaluate(inputs, outputs.view_mut()).map_err(agent_error)?;
            let policy = outputs.policy();
            let policy = policy.as_slice().expect("the rows of outputs are contiguous");
            let logits = policy.as_chunks().0.iter().zip(masks);
            let logits: Vec<ByAction> = logits.map(|(logits, mask)| keep_legal(logits, mask)).collect();
            let logarithms = logits.iter().enumerate().map(|(row, logits)| {
                log_probabilities(logits).ok_or_else(|| {
                    agent_error(format!(
                        "agent `{agent}`: row {row}: expected finite logits of the legal actions"
                    ))
                })
            });
            let logarithms = logarithms.collect::<PyResult<Vec<_>>>()?;
            // The value of a row that ends a game is 0.
            let value = |(value, mask): (&f32, &[u8; ActionId::COUNT])| {
                if mask.contains(&1) { *value } else { 0.0 }
            };
            let values: Vec<f32> = outputs.value().iter().zip(masks).map(value).collect();
            PyResult::Ok(((logits, values), logarithms))
        })
    })?;
    let dict = PyDict::new(py);
    dict.set_item("logits", by_action(py, logits)?)?;
    dict.set_item("log_probabilities", by_action(py, log_probabilities)?)?;
    if network.has_value {
        dict.set_item("values", PyArray1::from_vec(py, values))?;
    }
    Ok(dict)
}

/// An array of a batch: an item of a mapping, or an attribute.
fn read<'py>(batch: &Bound<'py, PyAny>, spec: &ArraySpec) -> PyResult<Read<'py>> {
    let found = match batch.cast::<PyMapping>() {
        Ok(mapping) => mapping.get_item(spec.name),
        Err(_) => batch.getattr(spec.name),
    };
    let expected = || {
        let (name, shape) = (spec.name, spec.shape);
        value_error(format!(
            "`batch`: expected `{name}`, a contiguous array of rows of shape {shape:?}, as the encoder of the \
             network writes it"
        ))
    };
    let mut array = found.map_err(|_| expected())?;
    if spec.kind == ArrayKind::Actions {
        array = array.call_method1("view", ("u1",)).map_err(|_| expected())?;
    }
    Read::new(spec, &array).ok_or_else(expected)
}

/// Checks that every count fits into its row, and that the encoder has every active feature.
fn check_features(specs: &[ArraySpec], arrays: &[Read<'_>]) -> PyResult<()> {
    for ((spec, array), next) in specs.iter().zip(arrays).zip(arrays.iter().skip(1)) {
        let ArrayKind::Features(size) = spec.kind else { continue };
        let (Slice::U16(features), Slice::U16(counts)) = (array.slice(), next.slice()) else { continue };
        let is_valid = |(row, count): (&[u16], &u16)| {
            row.get(..usize::from(*count)).is_some_and(|active| active.iter().all(|feature| *feature < size))
        };
        if !features.chunks_exact(spec.width()).zip(counts).all(is_valid) {
            let name = spec.name;
            return Err(value_error(format!("`batch`: `{name}` has invalid feature numbers")));
        }
    }
    Ok(())
}

/// The logits of legal actions, and -inf for the others.
fn keep_legal(logits: &ByAction, mask: &[u8; ActionId::COUNT]) -> ByAction {
    std::array::from_fn(|at| if mask[at] == 0 { f32::NEG_INFINITY } else { logits[at] })
}

/// The logarithms of the probabilities. None if a logit is NaN or +∞; illegal actions have -∞.
fn log_probabilities(logits: &ByAction) -> Option<ByAction> {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if logits.iter().any(|logit| logit.is_nan() || *logit == f32::INFINITY) {
        return None;
    }
    if most == f32::NEG_INFINITY {
        return Some(*logits);
    }
    let sum: f64 = logits.iter().map(|logit| f64::from(logit - most).exp()).sum();
    let log_sum = f64::from(most) + sum.ln();
    Some(logits.map(|logit| (f64::from(logit) - log_sum) as f32))
}
