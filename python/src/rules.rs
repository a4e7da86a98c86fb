//! `Rules`: the rules of a game.

use std::path::{Path, PathBuf};

use jantaku_engine::rules::{FIELDS, PRESETS, Preset};
use jantaku_engine::{Known, Rules, RulesError as Wrong, shortened};
use jantaku_sim::run::NamedRules;
use pyo3::exceptions::{PyAttributeError, PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyString};
use toml::Table;

use crate::errors::{RulesError, kind_of};
use crate::json::{to_python, to_toml_of};
use crate::pickle::Pickle;

/// The rules of a game: a preset or a rule file, with fields changed.
///
/// ```python
/// Rules()                                  # Tenhou, four players
/// Rules("tenhou-sanma")                    # a preset: Rules.presets() lists them
/// Rules("house.toml")                      # a rule file
/// Rules("mleague", kuitan=False, uma=[15, 5, -5, -15])
/// ```
///
/// Each field of the rules is an attribute: ``Rules().start_points`` is 25000. Rules never change.
/// They compare by their fields, hash, and pickle.
///
/// Parameters
/// ----------
/// base : str or os.PathLike, default "tenhou"
///     The name of a preset, or the path of a rule file.
/// **fields
///     The fields to change, as in a rule file: bool, int, str, and lists or dicts of these.
///     None is the value ``"none"``.
///
/// Raises
/// ------
/// RulesError
///     If the preset or a field is unknown, a value is not allowed, or fields contradict each
///     other.
/// OSError
///     If the rule file cannot be read.
#[pyclass(name = "Rules", module = "jantaku", frozen, eq)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct PyRules(pub(crate) Rules);

/// The argument `base`: None here if it is left out. Python's None is an error, unlike for an `Option`.
struct Base<'py>(Option<Bound<'py, PyAny>>);

impl<'a, 'py> FromPyObject<'a, 'py> for Base<'py> {
    type Error = std::convert::Infallible;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> Result<Base<'py>, Self::Error> {
        Ok(Base(Some(object.to_owned())))
    }
}

impl PyRules {
    /// The closest preset as `base`, and the fields that differ.
    fn differences(&self) -> PyResult<Table> {
        toml::from_str(&self.0.to_toml()).map_err(|error| RulesError::new_err(error.to_string()))
    }
}

#[pymethods]
impl PyRules {
    #[new]
    #[pyo3(signature = (base = Base(None), /, **fields), text_signature = "(base='tenhou', /, **fields)")]
    // stub: base: _Rules
    fn new(base: Base<'_>, fields: Option<&Bound<'_, PyDict>>) -> PyResult<PyRules> {
        let rules = base.0.map_or(Ok(Rules::default()), |base| rules_in("base", &base))?;
        fields.map_or(Ok(PyRules(rules)), |fields| PyRules(rules).replace(Some(fields)))
    }

    /// The rules with these fields changed.
    #[pyo3(signature = (**fields))]
    fn replace(&self, fields: Option<&Bound<'_, PyDict>>) -> PyResult<PyRules> {
        let Some(fields) = fields else { return Ok(*self) };
        let mut table = self.differences()?;
        for (name, value) in fields {
            let name: String = name.extract()?;
            let value = to_toml_of(&name, &value)?;
            table.insert(name, value);
        }
        Rules::from_toml(&table.to_string(), "rules").map(PyRules).map_err(|wrong| {
            // The text is ours, so its lines mean nothing to the caller.
            let problems: Vec<String> = wrong.problems.iter().map(ToString::to_string).collect();
            RulesError::new_err(problems.join("\n"))
        })
    }

    /// Reads rules from the text of a rule file (TOML).
    #[staticmethod]
    fn from_toml(text: &str) -> PyResult<PyRules> {
        Rules::from_toml(text, "rules").map(PyRules).map_err(wrong)
    }

    /// The rules as the text of a rule file: the closest preset, then the fields that differ.
    fn to_toml(&self) -> String {
        self.0.to_toml()
    }

    /// All fields by name.
    // stub: -> dict[str, Any]
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.0.to_table().into())
    }

    /// The presets by name, each with its title.
    #[staticmethod]
    // stub: -> dict[str, str]
    fn presets(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        PRESETS.iter().map(|preset| (preset.name, preset.title())).into_py_dict(py)
    }

    /// The fields by name, each with its meaning.
    #[staticmethod]
    // stub: -> dict[str, str]
    fn fields(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        FIELDS.iter().map(|field| (field.name, field.meaning)).into_py_dict(py)
    }

    /// The hash that names the rules in datasets: 16 hexadecimal digits.
    #[getter]
    fn hash(&self) -> String {
        format!("{:016x}", self.0.hash())
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        match self.0.to_table().remove(name) {
            Some(value) => to_python(py, value),
            None => {
                let known = Known::new(name, FIELDS.iter().map(|field| field.name));
                let closest =
                    known.closest.map_or_else(String::new, |name| format!(", did you mean `{name}`?"));
                Err(PyAttributeError::new_err(format!("Rules have no field `{}`{closest}", shortened(name))))
            }
        }
    }

    // stub: -> list[str]
    fn __dir__<'py>(slf: &Bound<'py, PyRules>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let fields = FIELDS.iter().map(|field| PyString::intern(slf.py(), field.name).into_any());
        Ok(slf.get_type().dir()?.iter().chain(fields).collect())
    }

    fn __hash__(&self) -> u64 {
        self.0.hash()
    }

    /// As the call that makes them, such as ``Rules('mleague', kuitan=False)``.
    pub(crate) fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut arguments = Vec::new();
        for (name, value) in self.differences()? {
            let value = to_python(py, value)?.repr()?.to_string();
            if name == "base" {
                arguments.insert(0, value);
            } else {
                arguments.push(format!("{name}={value}"));
            }
        }
        Ok(format!("Rules({})", arguments.join(", ")))
    }

    fn __reduce__<'py>(slf: &Bound<'py, PyRules>) -> PyResult<Pickle<'py>> {
        Ok((slf.get_type().getattr("from_toml")?, (slf.get().0.to_toml(),)))
    }
}

fn wrong(error: Wrong) -> PyErr {
    RulesError::new_err(error.to_string())
}

/// The rules of the argument `rules`: rules, the name of a preset, or the path of a file.
pub(crate) fn rules_of(argument: &Bound<'_, PyAny>) -> PyResult<Rules> {
    rules_in("rules", argument)
}

/// The rules of an argument, with their name: that of their preset, `custom` without one, or the
/// argument's text.
pub(crate) fn named_rules(argument: &Bound<'_, PyAny>) -> PyResult<(String, Rules)> {
    let rules = rules_of(argument)?;
    if argument.is_instance_of::<PyRules>() {
        let preset = PRESETS.iter().find(|preset| Rules::preset(preset.name) == Some(rules));
        return Ok((preset.map_or("custom", |preset| preset.name).to_owned(), rules));
    }
    Ok((argument.str()?.to_string(), rules))
}

/// As [`rules_of`], for the argument that errors call `name`.
fn rules_in(name: &str, argument: &Bound<'_, PyAny>) -> PyResult<Rules> {
    if let Ok(rules) = argument.cast::<PyRules>() {
        return Ok(rules.get().0);
    }
    if let Ok(text) = argument.extract::<String>() {
        if let Some(rules) = Rules::preset(&text) {
            return Ok(rules);
        }
        if !Path::new(&text).exists() {
            let text = shortened(&text);
            let known = Preset::known(&text);
            return Err(RulesError::new_err(format!(
                "unknown rules `{text}`: no file, and no preset, {known}"
            )));
        }
    }
    let path: PathBuf = argument.extract().map_err(|_| {
        PyTypeError::new_err(format!(
            "`{name}`: expected Rules, the name of a preset, or the path of a rule file, found {}",
            kind_of(argument)
        ))
    })?;
    let show = path.display().to_string();
    let text = std::fs::read_to_string(&path).map_err(|e| PyOSError::new_err(format!("{show}: {e}")))?;
    NamedRules::read(&text, &path).map_err(wrong)
}
