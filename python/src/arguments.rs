//! Keyword arguments as the requests of the library.
//!
//! An argument that is None counts as not given. An error names the argument, what is expected and
//! what was found: a `TypeError` if the value has a wrong type.

use std::cell::RefCell;
use std::fmt::Display;
use std::iter::Peekable;
use std::path::PathBuf;

use jantaku_engine::Known;
use jantaku_sim::play::{MAX_TABLES, StartOptions, ThreadOptions};
use jantaku_sim::run::{NamedRules, RulesChoice, hand_over};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt};
use serde::de::value::SeqDeserializer;
use serde::de::{
    self, Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, Expected, IntoDeserializer,
    MapAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;

use crate::errors::{check_range, described, value_error};
use crate::rules::{PyRules, named_rules};
use crate::runs::AgentReader;
use crate::session::Session;

/// A call of a function with keyword arguments, and the session that it starts.
pub(crate) struct Call<'py> {
    pub(crate) session: Session,
    /// The arguments that no request has taken yet.
    left: Vec<(String, Bound<'py, PyAny>)>,
    /// The fields of all requests so far, for the error about an unexpected argument.
    known: Vec<&'static str>,
    reader: RefCell<AgentReader<'py>>,
}

impl<'py> Call<'py> {
    fn new(arguments: &Bound<'py, PyDict>, progress: Option<Py<PyAny>>) -> PyResult<Call<'py>> {
        let mut call = Call {
            session: Session::new(progress),
            left: Vec::new(),
            known: Vec::new(),
            reader: RefCell::default(),
        };
        for (name, value) in arguments.iter().filter(|(_, value)| !value.is_none()) {
            call.left.push((name.extract()?, value));
        }
        if let Some(threads) = call.take::<ThreadOptions>()?.threads {
            call.session.set_threads(threads)?;
        }
        call.reader = RefCell::new(AgentReader::new(call.session.caller()));
        Ok(call)
    }

    /// Reads a request, and takes its fields out of the arguments that are left.
    pub(crate) fn take<T: DeserializeOwned>(&mut self) -> PyResult<T> {
        T::deserialize(self).map_err(PyErr::from)
    }

    /// How agents start.
    pub(crate) fn start(&mut self) -> PyResult<StartOptions> {
        let start: StartOptions = self.take()?;
        start.tables.map_or(Ok(()), |tables| check_range("tables", tables, 1..=MAX_TABLES))?;
        Ok(start)
    }

    /// Returns the session. Fails if a request has not taken an argument.
    fn end(self) -> PyResult<Session> {
        match self.left.first() {
            None => Ok(self.session),
            Some((name, _)) => {
                let known = Known::new(name, self.known.iter().copied());
                Err(PyTypeError::new_err(format!("unexpected argument `{name}`, {known}")))
            }
        }
    }
}

/// Reads the request among the arguments of a call. Returns it with the session of the call.
pub(crate) fn read_call<'py, T>(
    arguments: &Bound<'py, PyDict>,
    progress: Option<Py<PyAny>>,
    request: impl FnOnce(&mut Call<'py>) -> PyResult<T>,
) -> PyResult<(T, Session)> {
    let mut call = Call::new(arguments, progress)?;
    Ok((request(&mut call)?, call.end()?))
}

/// Why a request cannot be read from arguments.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArgumentError {
    /// What was expected. [`ArgumentError::of`] adds what was found, which the visitor does not know.
    #[error("{0}")]
    Expected(String),
    #[error("{0}")]
    Type(String),
    #[error("{0}")]
    Value(String),
    #[error(transparent)]
    Raised(PyErr),
}

impl ArgumentError {
    /// The error of a value, with what was found.
    fn of(self, value: &Bound<'_, PyAny>) -> ArgumentError {
        match self {
            ArgumentError::Expected(what) => {
                ArgumentError::Type(format!("{what}, found {}", described(value)))
            }
            other => other,
        }
    }

    /// The error of a value in a container.
    fn at(self, name: &str) -> ArgumentError {
        match self {
            ArgumentError::Type(what) => ArgumentError::Type(format!("`{name}`: {what}")),
            ArgumentError::Value(what) => ArgumentError::Value(format!("`{name}`: {what}")),
            other => other,
        }
    }
}

impl From<ArgumentError> for PyErr {
    fn from(error: ArgumentError) -> PyErr {
        match error {
            ArgumentError::Expected(what) | ArgumentError::Type(what) => PyTypeError::new_err(what),
            ArgumentError::Value(what) => value_error(what),
            ArgumentError::Raised(error) => error,
        }
    }
}

impl de::Error for ArgumentError {
    fn custom<T: Display>(what: T) -> ArgumentError {
        ArgumentError::Value(what.to_string())
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> ArgumentError {
        ArgumentError::Expected(format!("expected {expected}"))
    }

    fn unknown_variant(found: &str, expected: &'static [&'static str]) -> ArgumentError {
        let known = Known::new(found, expected.iter().copied());
        ArgumentError::Value(format!("unknown value `{found}`, {known}"))
    }
}

/// The fields of a request among the arguments.
impl<'de> Deserializer<'de> for &mut Call<'_> {
    type Error = ArgumentError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, ArgumentError> {
        Err(ArgumentError::Expected("expected a request".to_owned()))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ArgumentError> {
        let given = std::mem::take(&mut self.left);
        let (own, left) = given.into_iter().partition(|(name, _)| fields.contains(&name.as_str()));
        self.left = left;
        self.known.extend(fields);
        visitor.visit_map(Entries::new(own, &self.reader))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// Names and values: arguments, or a dict.
struct Entries<'a, 'py> {
    left: Peekable<std::vec::IntoIter<(String, Bound<'py, PyAny>)>>,
    reader: &'a RefCell<AgentReader<'py>>,
}

impl<'a, 'py> Entries<'a, 'py> {
    fn new(entries: Vec<(String, Bound<'py, PyAny>)>, reader: &'a RefCell<AgentReader<'py>>) -> Self {
        Entries { left: entries.into_iter().peekable(), reader }
    }
}

impl<'de> MapAccess<'de> for Entries<'_, '_> {
    type Error = ArgumentError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ArgumentError> {
        let Some((name, _)) = self.left.peek() else { return Ok(None) };
        seed.deserialize(name.clone().into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ArgumentError> {
        let (name, value) = self.left.next().expect("a value follows its key");
        let found = Argument { value: value.clone(), reader: self.reader };
        seed.deserialize(found).map_err(|error| error.of(&value).at(&name))
    }
}

/// The value of an argument, or a part of it.
struct Argument<'a, 'py> {
    value: Bound<'py, PyAny>,
    reader: &'a RefCell<AgentReader<'py>>,
}

/// A Python object as JSON. Floats stay exact; infinite ones and NaN become null.
///
/// # Errors
///
/// If a part of it is not None, a bool, a number of at most 64 bits, a text, a path, an iterable, or a
/// dict with texts as keys.
pub(crate) fn json_of(value: &Bound<'_, PyAny>) -> PyResult<serde_json::Value> {
    let found = Argument { value: value.clone(), reader: &RefCell::default() };
    serde_json::Value::deserialize(found).map_err(|error| error.of(value).into())
}

fn expected<T>(what: &str) -> Result<T, ArgumentError> {
    Err(ArgumentError::Expected(format!("expected {what}")))
}

impl Argument<'_, '_> {
    fn text(&self) -> Option<String> {
        let text = self.value.extract::<String>().ok();
        text.or_else(|| Some(self.value.extract::<PathBuf>().ok()?.to_string_lossy().into_owned()))
    }

    fn visit_list<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentError> {
        let is_list = self.text().is_none() && !self.value.is_instance_of::<PyDict>();
        let Some(items) = self.value.try_iter().ok().filter(|_| is_list) else {
            return Err(de::Error::invalid_type(Unexpected::Other("a value"), &visitor));
        };
        let items = items.collect::<PyResult<Vec<_>>>().map_err(ArgumentError::Raised)?;
        let reader = self.reader;
        let mut items = SeqDeserializer::new(items.into_iter().map(|value| Argument { value, reader }));
        let found = visitor.visit_seq(&mut items)?;
        items.end()?;
        Ok(found)
    }

    fn visit_dict<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentError> {
        let Some(dict) = self.value.cast::<PyDict>().ok() else {
            return Err(de::Error::invalid_type(Unexpected::Other("a value"), &visitor));
        };
        let mut entries = Vec::new();
        for (name, value) in dict {
            let Ok(text) = name.extract::<String>() else {
                return Err(ArgumentError::Type(format!(
                    "expected texts as keys, found {}",
                    described(&name)
                )));
            };
            entries.push((text, value));
        }
        visitor.visit_map(Entries::new(entries, self.reader))
    }
}

impl<'a, 'py> IntoDeserializer<'_, ArgumentError> for Argument<'a, 'py> {
    type Deserializer = Argument<'a, 'py>;

    fn into_deserializer(self) -> Argument<'a, 'py> {
        self
    }
}

macro_rules! whole_numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentError> {
            if self.value.is_instance_of::<PyBool>() {
                return expected("an integer");
            }
            match (self.value.extract::<u64>(), self.value.extract::<i128>()) {
                (Ok(number), _) => visitor.visit_u64(number),
                (_, Ok(number)) => {
                    let most = u64::MAX;
                    let what = format!("expected a number from 0 to {most}, found {number}");
                    Err(ArgumentError::Value(what))
                }
                _ if self.value.is_instance_of::<PyInt>() => {
                    Err(ArgumentError::Value(format!("expected a number from 0 to {}", u64::MAX)))
                }
                _ => expected("an integer"),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Argument<'_, '_> {
    type Error = ArgumentError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentError> {
        let value = &self.value;
        if value.is_none() {
            visitor.visit_unit()
        } else if let Ok(holds) = value.cast::<PyBool>() {
            visitor.visit_bool(holds.is_true())
        } else if let Ok(number) = value.cast::<PyFloat>() {
            visitor.visit_f64(number.value())
        } else if let Some(text) = self.text() {
            visitor.visit_string(text)
        } else if let Ok(number) = value.extract::<i64>() {
            // Also integers of numpy.
            visitor.visit_i64(number)
        } else if let Ok(number) = value.extract::<u64>() {
            visitor.visit_u64(number)
        } else if value.is_instance_of::<PyDict>() {
            self.visit_dict(visitor)
        } else {
            self.visit_list(visitor)
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentError> {
        match self.value.extract() {
            Ok(holds) => visitor.visit_bool(holds),
            Err(_) => expected("True or False"),
        }
    }

    whole_numbers! { deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentError> {
        match self.value.extract::<f64>() {
            Ok(number) if !self.value.is_instance_of::<PyBool>() => visitor.visit_f64(number),
            _ => expected("a number"),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentError> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentError> {
        match self.text() {
            Some(text) => visitor.visit_string(text),
            None => expected("a text"),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentError> {
        if self.value.is_none() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentError> {
        self.visit_list(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, count: usize, visitor: V) -> Result<V::Value, ArgumentError> {
        self.visit_list(visitor).map_err(|error| match error {
            ArgumentError::Expected(_) => ArgumentError::Expected(format!("expected {count} values")),
            error => error,
        })
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentError> {
        self.visit_dict(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ArgumentError> {
        match self.text() {
            Some(text) => visitor.visit_enum(text.into_deserializer()),
            None => expected("a text"),
        }
    }

    /// Agents and rules are handed over as they are ([`hand_over`]).
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ArgumentError> {
        match name {
            "AgentChoice" => {
                let agents = self.reader.borrow_mut().choice(&self.value);
                hand_over(agents.map_err(ArgumentError::Raised)?);
            }
            "RulesChoice" if self.value.is_instance_of::<PyRules>() => {
                let (name, rules) = named_rules(&self.value).map_err(ArgumentError::Raised)?;
                hand_over(RulesChoice::Ready(Box::new(NamedRules { name, rules })));
            }
            "RulesChoice" => match self.text() {
                Some(text) => hand_over(RulesChoice::Text(text)),
                None => return expected("Rules, the name of a preset, or the path of a rule file"),
            },
            _ => return visitor.visit_newtype_struct(self),
        }
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u128 char bytes byte_buf unit unit_struct tuple_struct struct identifier ignored_any
    }
}
