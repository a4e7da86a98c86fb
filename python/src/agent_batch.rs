//! `AgentBatch`: the decisions that a playing function receives, and its answers.

use jantaku_agents::SearchInfo;
use jantaku_agents::encode::Encoder;
use jantaku_agents::neural::Probabilities;
use jantaku_engine::{ActionId, ActionSet};
use ndarray::{Array2, ArrayView2};
use numpy::{Element, PyArray1, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyAttributeError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use crate::action::{PyAction, action_of};
use crate::errors::value_error;

/// The decisions of many games that a function answers at once.
///
/// Row k of every array and ``observations[k]`` are one decision. The arrays belong to this call: a
/// function may keep or change them.
///
/// With an encoder, the batch has its arrays (`Encoder.arrays`) as attributes, with the rows as first
/// axis: ``planes`` for ``planes-v1``; ``active``, padded with `Encoder.size`, ``counts`` and
/// ``scalars`` for ``sparse-v1``; ``tokens`` instead of ``active`` for ``events-v1``.
/// ``batch["planes"]`` is the attribute ``planes``, and ``dict(batch)`` has all arrays. A batch is no
/// mapping: ``len(batch)`` is the number of decisions, and ``batch.keys()`` has the names.
#[pyclass(name = "AgentBatch", module = "jantaku", frozen, mapping)]
pub(crate) struct PyAgentBatch {
    pub(crate) len: usize,
    /// The numbers of the games: shape (n,), dtype int64.
    #[pyo3(get)]
    pub(crate) games: Py<PyArray1<i64>>,
    /// The seats that decide: shape (n,), dtype uint8.
    #[pyo3(get)]
    pub(crate) seats: Py<PyArray1<u8>>,
    /// The legal actions: shape (n, 165), dtype bool.
    // stub: -> NDArray[np.bool_]
    #[pyo3(get)]
    pub(crate) mask: Py<PyAny>,
    pub(crate) encoder: Option<Encoder>,
    /// The arrays of the encoder by name, or the observations as a list.
    pub(crate) inputs: Py<PyDict>,
}

/// The key of the observations among the inputs.
pub(crate) const OBSERVATIONS: &str = "observations";

impl PyAgentBatch {
    /// The names of the encoder's arrays.
    fn encoded(&self) -> impl Iterator<Item = &'static str> {
        self.encoder.map_or(&[][..], Encoder::arrays).iter().map(|array| array.name)
    }

    /// The error for an array that the batch does not have.
    fn missing(&self, name: &str) -> PyErr {
        let has = match self.encoder {
            None => "observations, because the agent has no encoder".to_owned(),
            Some(encoder) => {
                let names = self.encoded().collect::<Vec<_>>().join(", ");
                format!("{names}, because the encoder of the agent is {encoder}")
            }
        };
        PyAttributeError::new_err(format!("the batch has no {name}: it has {has}"))
    }
}

#[pymethods]
impl PyAgentBatch {
    /// The observations, without an encoder: a list of n.
    #[getter]
    // stub: -> list[Observation]
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.__getattr__(py, OBSERVATIONS)
    }

    /// An array of the encoder.
    // stub: -> NDArray[Any]
    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.inputs.bind(py).get_item(name)?.ok_or_else(|| self.missing(name))
    }

    /// The names of the arrays: ``games``, ``seats``, ``mask``, and those of the encoder.
    fn keys(&self) -> Vec<&'static str> {
        ["games", "seats", "mask"].into_iter().chain(self.encoded()).collect()
    }

    /// An array by its name.
    fn __getitem__<'py>(slf: &Bound<'py, PyAgentBatch>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        if slf.get().keys().contains(&name) {
            slf.getattr(name)
        } else {
            Err(PyKeyError::new_err(name.to_owned()))
        }
    }

    // stub: -> list[str]
    fn __dir__<'py>(slf: &Bound<'py, PyAgentBatch>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let encoded = slf.get().encoded().map(|name| PyString::intern(slf.py(), name).into_any());
        Ok(slf.get_type().dir()?.iter().chain(encoded).collect())
    }

    fn __len__(&self) -> usize {
        self.len
    }

    fn __repr__(&self) -> String {
        let inputs = self.encoder.map_or(OBSERVATIONS, Encoder::name);
        format!("<AgentBatch of {} decisions, {inputs}>", self.len)
    }
}

/// What a function answered.
pub(crate) struct Answers {
    pub(crate) choices: Choices,
    /// None if it answered with choices alone.
    pub(crate) report: Option<Report>,
}

/// What a function chose.
pub(crate) enum Choices {
    Actions(Vec<ActionId>),
    Logits(Array2<f32>),
}

/// What a function reported beside its choices.
pub(crate) struct Report {
    /// The expected result of each decision.
    values: Option<Vec<f32>>,
    /// The probabilities of the actions of each decision.
    policies: Option<Array2<f32>>,
}

/// The keys of an answer that is a dict: one of the first two, and any of the others.
const KEYS: [&str; 4] = ["actions", "logits", "policy", "value"];

impl Answers {
    /// Reads the answer of the agent `name` to a batch of `rows` decisions.
    pub(crate) fn read(answer: &Bound<'_, PyAny>, rows: usize, name: &str) -> PyResult<Answers> {
        let Ok(parts) = answer.cast::<PyDict>() else {
            return Ok(Answers { choices: Choices::read(answer, rows, name)?, report: None });
        };
        for key in parts.keys() {
            if !KEYS.iter().any(|known| key.eq(known).unwrap_or(false)) {
                let (known, found) = (KEYS.join(", "), key.repr()?);
                return Err(value_error(format!(
                    "agent `{name}`: expected a dict with the keys {known}, found the key {found}"
                )));
            }
        }
        let [actions, logits, policies, values] = KEYS.map(|key| parts.get_item(key));
        let choices = match (actions?, logits?) {
            (Some(choices), None) | (None, Some(choices)) => Choices::read(&choices, rows, name)?,
            (actions, _) => {
                let found = if actions.is_some() { "both" } else { "neither" };
                return Err(value_error(format!(
                    "agent `{name}`: expected a dict with either actions or logits, found {found}"
                )));
            }
        };
        let read = |part: Option<Bound<'_, PyAny>>, key, width| {
            part.map(|part| numbers(&part, rows, width, key, name)).transpose()
        };
        let values = read(values?, "value", 1)?;
        let policies = read(policies?, "policy", ActionId::COUNT)?;
        let policies = policies.map(|policies| by_row(rows, policies)).transpose()?;
        Ok(Answers { choices, report: Some(Report { values, policies }) })
    }
}

impl Report {
    /// The search info of a decision with these legal actions. Without a reported policy, it has the
    /// policy of the logits. An error is a message.
    pub(crate) fn search_info(
        &self,
        row: usize,
        legal: ActionSet,
        logits: Option<ArrayView2<'_, f32>>,
    ) -> Result<SearchInfo, String> {
        let value = self.values.as_ref().map(|values| values[row]);
        if let Some(wrong) = value.filter(|value| !value.is_finite()) {
            return Err(format!("the value is {wrong}, expected a finite number"));
        }
        let number = |id: ActionId| usize::from(id.number());
        let policy = match (&self.policies, logits) {
            (Some(policies), _) => Some(normalized(legal.iter().map(|id| policies[[row, number(id)]]))?),
            (None, Some(logits)) => {
                let logit = |id| logits[[row, number(id)]];
                let policy = Probabilities::new(logit, legal, 1.0)
                    .map_err(|id| format!("the logit of {} is not finite", id.action()))?;
                Some(policy.values().iter().map(|probability| *probability as f32).collect())
            }
            (None, None) => None,
        };
        Ok(SearchInfo { value, policy, ..SearchInfo::default() })
    }
}

/// The probabilities of the legal actions, divided by their sum: a function may give illegal actions
/// some probability, or round.
fn normalized(weights: impl Iterator<Item = f32>) -> Result<Vec<f32>, String> {
    let weights: Vec<f32> = weights.collect();
    let sum: f32 = weights.iter().sum();
    if sum > 0.0 && sum.is_finite() && weights.iter().all(|weight| *weight >= 0.0) {
        return Ok(weights.into_iter().map(|weight| weight / sum).collect());
    }
    Err(format!(
        "the policy of the legal actions adds up to {sum}, expected probabilities, not all of them 0"
    ))
}

impl Choices {
    /// Reads the choices of the agent `name` for a batch of `rows` decisions.
    fn read(answer: &Bound<'_, PyAny>, rows: usize, name: &str) -> PyResult<Choices> {
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
                return Err(value_error(expected(&format!("{len} actions"))));
            }
            let actions = answer.try_iter()?.map(|action| action_of(&action?));
            return Ok(Choices::Actions(actions.collect::<PyResult<_>>()?));
        }
        let array = as_array(answer)?;
        let found = described(&array)?;
        match (array.dtype().kind(), array.shape()) {
            (b'i' | b'u', [len]) if *len == rows => {
                let action = |(row, number): (usize, i64)| {
                    let id = u8::try_from(number).ok().and_then(ActionId::new);
                    id.ok_or_else(|| {
                        value_error(format!(
                            "agent `{name}`, row {row}: expected the number of an action, 0 to 164, found {number}"
                        ))
                    })
                };
                let numbers = elements(&array, "int64")?.into_iter().enumerate();
                Ok(Choices::Actions(numbers.map(action).collect::<PyResult<_>>()?))
            }
            (b'f', [len, actions]) if (*len, *actions) == (rows, ActionId::COUNT) => {
                Ok(Choices::Logits(by_row(rows, elements(&array, "float32")?)?))
            }
            // Right in shape, wrong in type.
            (_, [len]) if *len == rows => {
                Err(PyTypeError::new_err(expected(&found) + "; actions are integers"))
            }
            (_, [len, actions]) if (*len, *actions) == (rows, ActionId::COUNT) => {
                Err(PyTypeError::new_err(expected(&found) + "; logits are floating-point numbers"))
            }
            _ => Err(value_error(expected(&found))),
        }
    }
}

/// The numbers that an answer has under `key`: an array of shape (rows, width), or also (rows,) if the
/// width is 1.
fn numbers(part: &Bound<'_, PyAny>, rows: usize, width: usize, key: &str, name: &str) -> PyResult<Vec<f32>> {
    let array = as_array(part)?;
    let fits = array.shape() == [rows, width] || width == 1 && array.shape() == [rows];
    if !fits || !matches!(array.dtype().kind(), b'f' | b'i' | b'u') {
        let shape = if width == 1 { format!("({rows},)") } else { format!("({rows}, {width})") };
        return Err(value_error(format!(
            "agent `{name}`: `{key}`: expected numbers of shape {shape}, found {}",
            described(&array)?
        )));
    }
    elements(&array, "float32")
}

/// Numbers as an array of rows × 165.
fn by_row(rows: usize, numbers: Vec<f32>) -> PyResult<Array2<f32>> {
    Array2::from_shape_vec((rows, ActionId::COUNT), numbers).map_err(value_error)
}

/// An array as errors show it.
fn described(array: &Bound<'_, PyUntypedArray>) -> PyResult<String> {
    Ok(format!("an array of shape {} and dtype {}", array.getattr("shape")?.repr()?, array.dtype().str()?))
}

/// The elements of an array in order, as numbers of this type.
fn elements<T: Element + Clone>(array: &Bound<'_, PyUntypedArray>, dtype: &str) -> PyResult<Vec<T>> {
    let flat = array.call_method1("astype", (dtype,))?.call_method0("ravel")?;
    Ok(flat.cast::<PyArray1<T>>()?.try_readonly().map_err(value_error)?.as_array().to_vec())
}

/// An answer as an array of numpy: tensors are copied to the processor. Numpy has no types such as
/// bfloat16, so their numbers become float32.
fn as_array<'py>(answer: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = answer.py();
    let mut answer = answer.clone();
    if answer.hasattr("detach")? && answer.hasattr("cpu")? {
        answer = answer.call_method0("detach")?.call_method0("cpu")?;
        if answer.hasattr("is_floating_point")? && answer.call_method0("is_floating_point")?.is_truthy()? {
            answer = answer.call_method0("float")?;
        }
    }
    let array = py.import("numpy")?.call_method1("asarray", (answer,))?.cast_into::<PyUntypedArray>()?;
    // Types of other libraries, such as the bfloat16 of `ml_dtypes`, have the kind V, for raw bytes.
    if array.dtype().kind() == b'V' && array.dtype().str()?.to_str()?.contains("float") {
        return Ok(array.call_method1("astype", ("float32",))?.cast_into()?);
    }
    Ok(array)
}
