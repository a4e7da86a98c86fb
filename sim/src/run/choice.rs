//! Agents and rules in requests: by their names, or ready.

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::path::Path;

use jantaku_agents::{Catalog, NamedAgent, ParseAgentError};
use jantaku_engine::rules::Preset;
use jantaku_engine::{Rules, RulesError};
use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

use crate::logs::files::read_text;
use crate::run::config::{ConfigError, RunConfig};
use crate::run::request_error::{OpenRulesError, RequestError};

/// The agents of a request.
#[derive(Clone, Debug)]
pub enum AgentChoice {
    /// Agents of the catalog, separated by commas.
    Text(String),
    /// Agents that the caller has, such as its own functions.
    Ready(Vec<NamedAgent>),
}

/// The rules of a request.
#[derive(Clone, Debug)]
pub enum RulesChoice {
    /// A preset, or the path of a rule file.
    Text(String),
    /// Rules that the caller has.
    Ready(Box<NamedRules>),
}

/// Rules with the name by which the user chose them.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedRules {
    /// The name of a preset, or of a file.
    pub name: String,
    /// The rules.
    pub rules: Rules,
}

/// The preset `tenhou`.
impl Default for NamedRules {
    fn default() -> NamedRules {
        NamedRules { name: "tenhou".to_owned(), rules: Rules::default() }
    }
}

impl NamedRules {
    /// Opens a preset or a rule file.
    ///
    /// # Errors
    ///
    /// If there is no such preset or file, or its rules are not valid.
    pub fn open(name: &str) -> Result<NamedRules, OpenRulesError> {
        let rules = NamedRules::read(&NamedRules::text(name)?, Path::new(name))?;
        Ok(NamedRules { name: name.to_owned(), rules })
    }

    /// The rules of the text of a file. Its `base` may be another file, by its path from the folder of this
    /// one.
    ///
    /// # Errors
    ///
    /// If the rules are not valid.
    pub fn read(text: &str, file: &Path) -> Result<Rules, RulesError> {
        on_files(text, file, &[])
    }

    /// The text of a preset or a rule file.
    ///
    /// # Errors
    ///
    /// If there is no such preset or file.
    pub fn text(name: &str) -> Result<String, OpenRulesError> {
        if let Some(preset) = Preset::named(name) {
            return Ok(preset.toml.to_owned());
        }
        if !Path::new(name).exists() {
            return Err(OpenRulesError::Unknown(name.to_owned()));
        }
        read_text(Path::new(name)).map_err(OpenRulesError::Read)
    }
}

/// [`NamedRules::read`] for a file. Each of the files `above` has the next one as its base, and the last one has
/// this file.
fn on_files(text: &str, file: &Path, above: &[&Path]) -> Result<Rules, RulesError> {
    let files = [above, &[file]].concat();
    let load = |base: &str| {
        let path = file.with_file_name(base);
        let is_file = path.is_file() || path.extension().is_some_and(|end| end == "toml");
        let is_path = |file: &&Path| file.canonicalize().ok() == path.canonicalize().ok();
        is_file.then(|| match read_text(&path) {
            Ok(_) if files.iter().any(is_path) => Err(format!("{} builds on itself", path.display())),
            Ok(text) => on_files(&text, &path, &files).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        })
    };
    Rules::from_toml_with(text, &file.to_string_lossy(), load)
}

impl RulesChoice {
    /// The text that names the rules.
    pub fn text(&self) -> Option<&str> {
        match self {
            RulesChoice::Text(text) => Some(text),
            RulesChoice::Ready(_) => None,
        }
    }

    /// The chosen rules.
    ///
    /// # Errors
    ///
    /// If the text names no rules.
    pub fn open(&self) -> Result<NamedRules, OpenRulesError> {
        match self {
            RulesChoice::Text(name) => NamedRules::open(name),
            RulesChoice::Ready(rules) => Ok((**rules).clone()),
        }
    }
}

impl AgentChoice {
    /// The agents of this many seats: one for each, or one for all.
    ///
    /// # Errors
    ///
    /// If the text of `field` names no agents, their number is wrong, or different agents have the same
    /// name.
    pub fn seats(&self, field: &'static str, seats: usize) -> Result<Vec<NamedAgent>, RequestError> {
        let agents = match self {
            AgentChoice::Text(text) => Catalog::standard().agents(text, seats),
            AgentChoice::Ready(agents) => match &agents[..] {
                [agent] => Ok(vec![agent.clone(); seats]),
                _ if agents.len() == seats => Ok(agents.clone()),
                _ => Err(ParseAgentError::Count { found: agents.len(), seats }),
            },
        };
        checked(field, agents.map_err(|cause| self.error(field, cause))?)
    }

    /// The only agent.
    ///
    /// # Errors
    ///
    /// If the choice is not exactly one agent. `field` names it in the error.
    pub fn one(&self, field: &'static str) -> Result<NamedAgent, RequestError> {
        Ok(self.seats(field, 1)?.remove(0))
    }

    /// All agents, however many there are.
    ///
    /// # Errors
    ///
    /// If the text of `field` names no agents, or different agents have the same name.
    pub fn list(&self, field: &'static str) -> Result<Vec<NamedAgent>, RequestError> {
        let agents = match self {
            AgentChoice::Text(text) => {
                Catalog::standard().list(text).map_err(|cause| self.error(field, cause))?
            }
            AgentChoice::Ready(agents) => agents.clone(),
        };
        checked(field, agents)
    }

    fn error(&self, field: &'static str, cause: ParseAgentError) -> RequestError {
        let text = match self {
            AgentChoice::Text(text) => text.clone(),
            AgentChoice::Ready(agents) => agents.iter().map(NamedAgent::name).collect::<Vec<_>>().join(","),
        };
        RequestError::Agents { field, text, cause: Box::new(cause) }
    }
}

/// The agents of a field, if different ones have different names.
fn checked(field: &'static str, agents: Vec<NamedAgent>) -> Result<Vec<NamedAgent>, RequestError> {
    check_names(field, &agents)?;
    Ok(agents)
}

/// Checks that different agents have different names. Equal agents may share one.
///
/// # Errors
///
/// If two agents with different texts have the same name.
pub fn check_names(field: &'static str, agents: &[NamedAgent]) -> Result<(), ConfigError> {
    let repeats_name = |(index, agent): &(usize, &NamedAgent)| {
        let is_other = |other: &NamedAgent| other.label() == agent.label() && other.name() != agent.name();
        agents[..*index].iter().any(is_other)
    };
    agents.iter().enumerate().find(repeats_name).map_or(Ok(()), |(_, agent)| {
        let found = format!("{} twice", agent.label());
        Err(ConfigError::new(field, &"different names for different agents", &found))
    })
}

/// The agents of a run by their names.
///
/// # Errors
///
/// If a name is not that of an agent of the catalog, such as the name of a function.
pub fn agents_of(config: &RunConfig) -> Result<Vec<NamedAgent>, RequestError> {
    config.named_agents().map_err(|cause| RequestError::Agents {
        field: "agents",
        text: config.agents.join(","),
        cause: Box::new(cause),
    })
}

thread_local! {
    /// A choice for the deserialization in progress.
    static READY: Cell<Option<Box<dyn Any>>> = const { Cell::new(None) };
}

/// Hands a choice to the deserialization in progress on this thread.
///
/// [`AgentChoice`] and [`RulesChoice`] deserialize from texts. A deserializer that has one ready, such as
/// the one for Python's arguments, recognises the newtype by its name: it hands over the
/// choice, and visits a unit.
pub fn hand_over<C: Any>(choice: C) {
    READY.set(Some(Box::new(choice)));
}

struct ChoiceVisitor<C>(PhantomData<C>);

impl<'de, C: From<String> + Any> Visitor<'de> for ChoiceVisitor<C> {
    type Value = C;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<C, E> {
        Ok(C::from(text.to_owned()))
    }

    fn visit_unit<E: Error>(self) -> Result<C, E> {
        let ready = READY.take().and_then(|ready| ready.downcast::<C>().ok());
        ready.map(|ready| *ready).ok_or_else(|| E::invalid_type(Unexpected::Unit, &self))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<C, D::Error> {
        deserializer.deserialize_str(self)
    }
}

macro_rules! choice {
    ($name:ident) => {
        impl From<String> for $name {
            fn from(text: String) -> $name {
                $name::Text(text)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                deserializer.deserialize_newtype_struct(stringify!($name), ChoiceVisitor(PhantomData))
            }
        }
    };
}

choice!(AgentChoice);
choice!(RulesChoice);
