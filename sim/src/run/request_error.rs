//! Why a request is not valid.

use std::fmt::Display;
use std::io;

use jantaku_agents::{ParseAgentError, field_name, field_value};
use jantaku_engine::rules::Preset;
use jantaku_engine::{RulesError, shortened};

use crate::run::config::ConfigError;

/// A field of a request that is not valid.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// A field is missing, is not valid or does not fit another one.
    #[error("{}: {}", field_name(.0.field), .0.what)]
    Field(ConfigError),
    /// One value of a field is not valid.
    #[error("{}: {what}", field_value(field, value))]
    Value {
        /// The field.
        field: &'static str,
        /// The value as the user gave it.
        value: String,
        /// What is wrong with it.
        what: String,
    },
    /// A text names no agents that can play.
    #[error("{}: {cause}", field_value(field, text))]
    Agents {
        /// The field.
        field: &'static str,
        /// The text.
        text: String,
        /// The reason. The message contains it, so it is not a source.
        cause: Box<ParseAgentError>,
    },
    /// A text names no rules.
    #[error(transparent)]
    Rules(#[from] OpenRulesError),
}

impl From<ConfigError> for RequestError {
    fn from(error: ConfigError) -> RequestError {
        RequestError::Field(error)
    }
}

impl RequestError {
    /// A field with this wrong or missing value.
    pub fn field(field: &'static str, expected: &dyn Display, found: &dyn Display) -> RequestError {
        RequestError::Field(ConfigError::new(field, expected, found))
    }
}

/// Why a text names no rules.
#[derive(Debug, thiserror::Error)]
pub enum OpenRulesError {
    /// There is no such preset or file.
    #[error("unknown rules `{}`: no file, and no preset, {}", shortened(.0), expected_rules(.0))]
    Unknown(String),
    /// The file cannot be read. The message names it.
    #[error("{0}")]
    Read(io::Error),
    /// The rules are not valid.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

/// What was expected instead of unknown rules.
fn expected_rules(text: &str) -> String {
    if text.contains(',') {
        return "expected one; several are given one by one, without commas".to_owned();
    }
    Preset::known(&shortened(text)).to_string()
}
