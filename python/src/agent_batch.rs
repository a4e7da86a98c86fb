//! `AgentBatch`: what a function that plays receives, and what it answers.

use jantaku_agents::encode::Encoder;
use jantaku_engine::ActionId;
use ndarray::Array2;
use numpy::{PyArray1, PyArray2, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::action::{PyAction, action_of};
use crate::errors::value_error;

/// The decisions of many games that a function answers at once.
///
/// Row k of every array and ``observations[k]`` are one decision. The arrays are those of the call:
/// a function may keep or change them.
///
/// With an encoder, the batch has its arrays (`Encoder.arrays`) as attributes, with the rows as first
/// axis: ``planes`` for ``planes-v1``; ``active``, padded with the number of features, ``counts`` and
/// ``scalars`` for ``sparse-v1``.
#[pyclass(name = "AgentBatch", module = "jantaku", frozen)]
pub(crate) struct PyAgentBatch {
    pub(crate) len: usize,
    pub(crate) games: Py<PyArray1<u64>>,
    pub(crate) seats: Py<PyArray1<u8>>,
    pub(crate) mask: Py<PyAny>,
    pub(crate) inputs: Inputs,
}

/// The inputs of a batch.
pub(crate) enum Inputs {
    Observations(Py<PyList>),
    /// The arrays of an encoder by name.
    Arrays(Encoder, Py<PyDict>),
}

impl PyAgentBatch {
    /// The error for inputs that the batch does not have.
    fn has_none<T>(&self, name: &str) -> PyResult<T> {
        let has = match self.inputs {
            Inputs::Observations(_) => "observations, because the agent has no encoder".to_owned(),
            Inputs::Arrays(encoder, _) => {
                let names: Vec<&str> = encoder.arrays().iter().map(|array| array.name).collect();
                format!("{}, because the encoder of the agent is {encoder}", names.join(", "))
            }
        };
        Err(PyAttributeError::new_err(format!("the batch has no {name}: it has {has}")))
    }
}

#[pymethods]
impl PyAgentBatch {
    /// The numbers of the games: shape (n,), dtype uint64.
    #[getter]
    fn games(&self, py: Python<'_>) -> Py<PyArray1<u64>> {
        self.games.clone_ref(py)
    }

    /// The seats that decide: shape (n,), dtype uint8.
    #[getter]
    fn seats(&self, py: Python<'_>) -> Py<PyArray1<u8>> {
        self.seats.clone_ref(py)
    }

    /// The legal actions: shape (n, 165), dtype bool.
    #[getter]
    fn mask(&self, py: Python<'_>) -> Py<PyAny> {
        self.mask.clone_ref(py)
    }

    /// The observations, without an encoder: a list of n.
    #[getter]
    fn observations(&self, py: Python<'_>) -> PyResult<Py<PyList>> {
        match &self.inputs {
            Inputs::Observations(observations) => Ok(observations.clone_ref(py)),
            Inputs::Arrays(..) => self.has_none("observations"),
        }
    }

    /// An array of the encoder.
    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let array = match &self.inputs {
            Inputs::Observations(_) => None,
            Inputs::Arrays(_, arrays) => arrays.bind(py).get_item(name)?,
        };
        array.map_or_else(|| self.has_none(name), Ok)
    }

    fn __dir__<'py>(slf: &Bound<'py, PyAgentBatch>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let names = slf.get_type().dir()?;
        let arrays = match &slf.get().inputs {
            Inputs::Observations(_) => PyList::empty(slf.py()),
            Inputs::Arrays(_, arrays) => arrays.bind(slf.py()).keys(),
        };
        Ok(names.iter().chain(arrays.iter()).collect())
    }

    fn __len__(&self) -> usize {
        self.len
    }

    fn __repr__(&self) -> String {
        let inputs = match self.inputs {
            Inputs::Observations(_) => "observations",
            Inputs::Arrays(encoder, _) => encoder.name(),
        };
        format!("<AgentBatch of {} decisions, {inputs}>", self.len)
    }
}

/// What a function answered.
pub(crate) enum Answers {
    Actions(Vec<ActionId>),
    Logits(Array2<f32>),
}

impl Answers {
    /// Reads the answer to this many decisions.
    pub(crate) fn read(answer: &Bound<'_, PyAny>, rows: usize, name: &str) -> PyResult<Answers> {
        let expected = |found: &str| {
            format!(
                "agent `{name}`: expected {rows} actions, or logits of shape ({rows}, {}), found {found}",
                ActionId::COUNT
            )
        };
        let is_list = answer.is_instance_of::<PyList>() || answer.is_instance_of::<PyTuple>();
        if is_list && answer.len()? > 0 && answer.get_item(0)?.is_instance_of::<PyAction>() {
            let len = answer.len()?;
            if len != rows {
                return Err(PyValueError::new_err(expected(&format!("{len} actions"))));
            }
            let actions = answer.try_iter()?.map(|action| action_of(&action?));
            return Ok(Answers::Actions(actions.collect::<PyResult<_>>()?));
        }
        let array = as_array(answer)?;
        let kind = array.dtype().kind();
        let dtype = array.dtype().str()?.to_string();
        let found = format!("an array of shape {} and dtype {dtype}", array.getattr("shape")?.repr()?);
        match (kind, array.shape()) {
            (b'i' | b'u', [len]) if *len == rows => {
                let numbers = array.call_method1("astype", ("int64",))?;
                let numbers = numbers.cast::<PyArray1<i64>>()?.try_readonly().map_err(value_error)?;
                let action = |(row, number): (usize, &i64)| {
                    let id = u8::try_from(*number).ok().and_then(ActionId::new);
                    id.ok_or_else(|| {
                        PyValueError::new_err(format!(
                            "agent `{name}`, row {row}: expected the number of an action, 0 to 164, found {number}"
                        ))
                    })
                };
                let numbers = numbers.as_array();
                Ok(Answers::Actions(numbers.iter().enumerate().map(action).collect::<PyResult<_>>()?))
            }
            (b'f', [len, actions]) if (*len, *actions) == (rows, ActionId::COUNT) => {
                let logits = array.call_method1("astype", ("float32",))?;
                let logits = logits.cast::<PyArray2<f32>>()?.try_readonly().map_err(value_error)?;
                Ok(Answers::Logits(logits.as_array().to_owned()))
            }
            // Right in shape, wrong in type.
            (_, [len]) if *len == rows => {
                Err(PyTypeError::new_err(expected(&found) + "; actions are integers"))
            }
            (_, [len, actions]) if (*len, *actions) == (rows, ActionId::COUNT) => {
                Err(PyTypeError::new_err(expected(&found) + "; logits are floating-point numbers"))
            }
            _ => Err(PyValueError::new_err(expected(&found))),
        }
    }
}

/// An answer as an array of numpy: tensors are copied to the processor.
fn as_array<'py>(answer: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = answer.py();
    let answer = if answer.hasattr("detach")? && answer.hasattr("cpu")? {
        answer.call_method0("detach")?.call_method0("cpu")?
    } else {
        answer.clone()
    };
    let array = py.import("numpy")?.call_method1("asarray", (answer,))?;
    Ok(array.cast_into::<PyUntypedArray>()?)
}
