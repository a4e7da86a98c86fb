//! An entry of the catalog: one agent that can be named.
//!
//! # Why
//!
//! **Why does an entry build a policy or an agent, and not always an agent?** The direct runner
//! shares a policy between its threads and calls it without a queue. A process cannot be shared in
//! this way. `NamedAgent` starts both kinds as an agent, and returns a policy only where there is
//! one. So the compiler checks which runner can play an agent. Rejected: a policy that waits for
//! its process. It would block a thread of the pool for each seat.

use std::any::Any;
use std::sync::Arc;

use jantaku_engine::Known;

use crate::error::{BuildError, ParseAgentError};
use crate::option::{AgentOption, OptionDefault, Options, Setting};
use crate::text::{AgentText, quoted};
use crate::{AgentSpeed, NamedAgent, ParameterFile, Policy, StartAgent};

/// An agent that can be named: its options, and how it is built.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name, without spaces, commas, colons, equals signs or quotation marks.
    pub name: &'static str,
    /// What the agent does, in one line.
    pub about: &'static str,
    /// The options, in the order in which help texts and canonical names list them.
    pub options: &'static [AgentOption],
    /// Builds the agent. The catalog calls this once for each agent that a text names, after it has
    /// checked the options.
    pub build: Build,
}

/// The constructor of an agent, from its options. An agent that contains others looks them up.
pub type Build = fn(&Options, LookUp<'_>) -> Result<Built, BuildError>;

/// An agent as its constructor returns it.
#[derive(Clone)]
pub struct Built {
    pub(crate) player: Implementation,
    pub(crate) files: Vec<ParameterFile>,
    /// The agents in it.
    pub(crate) parts: Vec<NamedAgent>,
    /// Whether a policy plays the same game again from the same seed.
    pub(crate) is_deterministic: bool,
    /// The speed of a policy.
    pub(crate) speed: AgentSpeed,
}

/// The agent itself.
#[derive(Clone)]
pub(crate) enum Implementation {
    Policy(Arc<dyn AnyPolicy>),
    Agent(Arc<dyn StartAgent>),
}

/// A policy that can be downcast ([`NamedAgent::downcast`]). Every policy is one.
pub(crate) trait AnyPolicy: Policy + Any {}

impl<P: Policy + Any> AnyPolicy for P {}

impl Built {
    /// An agent that decides one action at a time. All runners can play it.
    pub fn policy(policy: impl Policy + 'static) -> Built {
        Built::new(Implementation::Policy(Arc::new(policy)))
    }

    /// An agent that has to be started. Only a runner of batches can play it.
    pub fn agent(agent: impl StartAgent + 'static) -> Built {
        Built::new(Implementation::Agent(Arc::new(agent)))
    }

    const fn new(player: Implementation) -> Built {
        Built {
            player,
            files: Vec::new(),
            parts: Vec::new(),
            is_deterministic: true,
            speed: AgentSpeed::Fast,
        }
    }

    /// The agent with the files that its parameters come from.
    ///
    /// Runs record their hashes. A run is not resumed if the contents of a file have changed.
    #[must_use]
    pub fn with_files(self, files: Vec<ParameterFile>) -> Built {
        Built { files, ..self }
    }

    /// A policy with other agents in it. It has their files, is as slow as the slowest, plays the same game
    /// again only if all of them do, and plays only under rules under which all of them play.
    #[must_use]
    pub fn with_parts(mut self, parts: impl IntoIterator<Item = NamedAgent>) -> Built {
        for part in parts {
            let new = part.files().iter().filter(|file| !self.files.contains(file)).cloned();
            self.files.extend(new.collect::<Vec<_>>());
            self.is_deterministic &= part.is_deterministic();
            self.speed = self.speed.max(part.speed());
            self.parts.push(part);
        }
        self
    }
}

/// Builds the agent that a text names, as [`Catalog::agent`](crate::Catalog::agent) of the catalog
/// that calls the constructor.
pub type LookUp<'a> = &'a dyn Fn(&str) -> Result<NamedAgent, ParseAgentError>;

/// Whether a name is not empty and has neither spaces nor a character that separates or quotes options.
pub(crate) fn is_plain(name: &str) -> bool {
    let is_separator = |letter: char| ",:=\"".contains(letter) || letter.is_whitespace();
    !name.is_empty() && !name.contains(is_separator)
}

impl Entry {
    /// Panics if a name contains a separator, two options share a name, or a default is not valid.
    pub(crate) fn check(&self) {
        let agent = self.name;
        for name in self.options.iter().map(|option| option.name).chain([agent]) {
            assert!(is_plain(name), "agent `{agent}`: `{name}` is not a valid name");
        }
        for (at, AgentOption { name, kind, default, .. }) in self.options.iter().enumerate() {
            let is_new = self.options[..at].iter().all(|other| other.name != *name);
            assert!(is_new, "agent `{agent}` has two options named `{name}`");
            if let OptionDefault::Value(text) = default {
                let is_valid = kind.canonical(text).is_some();
                assert!(is_valid, "agent `{agent}`: the default of `{name}` is `{text}`, expected {kind}");
            }
        }
    }

    /// The value of each option, from the text or the default.
    pub(crate) fn read_options(&self, text: &AgentText) -> Result<Options, String> {
        let agent = self.name;
        let read = |(option, given): (&AgentOption, Option<&str>)| {
            let AgentOption { name, kind, default, .. } = option;
            let value = match given {
                Some(text) => Some(kind.canonical(text).ok_or_else(|| {
                    format!("option `{name}` of agent `{agent}` is `{text}`, expected {kind}")
                })?),
                None if *default == OptionDefault::Required => {
                    return Err(format!("agent `{agent}` needs the option `{name}`, {kind}"));
                }
                None => option.default_value(),
            };
            Ok(Setting { name, value, is_given: given.is_some() })
        };
        let given = self.given_options(text)?;
        let settings = self.options.iter().zip(given).map(read).collect::<Result<_, _>>()?;
        Ok(Options { agent, settings })
    }

    /// The value that the text gives each option, in the order of the entry.
    fn given_options<'a>(&self, text: &'a AgentText) -> Result<Vec<Option<&'a str>>, String> {
        let agent = self.name;
        let mut given = vec![None; self.options.len()];
        for (name, value) in &text.options {
            let at = self.options.iter().position(|option| option.name == name).ok_or_else(|| {
                let known = Known::new(name, self.options.iter().map(|option| option.name));
                format!("agent `{agent}` has no option `{name}`, {known}")
            })?;
            let value = value.as_deref().or(self.options[at].kind.value_of_bare_name()).ok_or_else(|| {
                format!("option `{name}` of agent `{agent}` has no value, expected `{name}=…`")
            })?;
            if let Some(first) = given[at].replace(value) {
                return Err(format!(
                    "option `{name}` of agent `{agent}` is given twice, as `{first}` and as `{value}`"
                ));
            }
        }
        Ok(given)
    }

    /// The name with the options that differ from their defaults, such as `greedy:calls=off`.
    pub(crate) fn canonical_name(&self, options: &Options) -> String {
        let settings = self.options.iter().zip(&options.settings);
        let changed = settings.filter(|(option, setting)| setting.value != option.default_value());
        let written = changed.filter_map(|(option, setting)| {
            Some(format!("{}={}", option.name, quoted(setting.value.as_ref()?)))
        });
        let written: Vec<String> = written.collect();
        if written.is_empty() { self.name.to_owned() } else { format!("{}:{}", self.name, written.join(",")) }
    }
}
