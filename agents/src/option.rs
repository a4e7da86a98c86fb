//! The options of an agent: the values they accept, and typed access for the constructor.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use crate::text::quoted;

/// An option of an agent, such as `calls` of `greedy:calls=off`.
#[derive(Clone, Debug)]
pub struct AgentOption {
    /// The name.
    pub name: &'static str,
    /// The values that it accepts.
    pub kind: OptionKind,
    /// What it means to leave the option out.
    pub default: OptionDefault,
    /// What it decides, in one line.
    pub about: &'static str,
}

impl AgentOption {
    pub(crate) fn default_value(&self) -> Option<OptionValue> {
        match self.default {
            OptionDefault::Value(text) => self.kind.parse(text),
            OptionDefault::Required | OptionDefault::Unset => None,
        }
    }
}

/// The values that an option accepts.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionKind {
    /// One of these words. Read it as `String`, or as `bool` if the words are
    /// [`OptionKind::SWITCH`].
    Choice(&'static [&'static str]),
    /// A whole number in this range. Read it as any integer type that holds the range.
    Integer(RangeInclusive<i64>),
    /// A number in this range. Read it as `f32` or `f64`.
    Number(RangeInclusive<f64>),
    /// Any text. Read it as `String`.
    Text,
    /// The path of a file. Read it as `PathBuf`. The constructor opens the file.
    File,
}

/// What it means to leave an option out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionDefault {
    /// An error.
    Required,
    /// The option has no value. Read it as an `Option`.
    Unset,
    /// The option has this value, written as on the command line.
    Value(&'static str),
}

impl OptionKind {
    /// A choice of `on` and `off`.
    pub const SWITCH: OptionKind = OptionKind::Choice(&["on", "off"]);

    /// The value of an option that is named without a value: a switch is on.
    pub(crate) fn value_of_bare_name(&self) -> Option<&'static str> {
        (*self == OptionKind::SWITCH).then_some("on")
    }

    /// The values for help texts: the words of a choice, otherwise one description such as `1..64`
    /// or `FILE`.
    #[must_use]
    pub fn values(&self) -> Vec<String> {
        match self {
            OptionKind::Choice(words) => words.iter().map(|word| (*word).to_owned()).collect(),
            OptionKind::Integer(range) => vec![format!("{}..{}", range.start(), range.end())],
            OptionKind::Number(range) => vec![format!("{:?}..{:?}", range.start(), range.end())],
            OptionKind::Text => vec!["TEXT".to_owned()],
            OptionKind::File => vec!["FILE".to_owned()],
        }
    }

    pub(crate) fn parse(&self, text: &str) -> Option<OptionValue> {
        match self {
            OptionKind::Choice(words) => words.contains(&text).then(|| OptionValue::Text(text.to_owned())),
            OptionKind::Integer(range) => {
                text.parse().ok().filter(|number| range.contains(number)).map(OptionValue::Integer)
            }
            OptionKind::Number(range) => {
                text.parse().ok().filter(|number| range.contains(number)).map(OptionValue::Number)
            }
            OptionKind::Text => Some(OptionValue::Text(text.to_owned())),
            OptionKind::File => (!text.is_empty()).then(|| OptionValue::Text(text.to_owned())),
        }
    }
}

/// What the option expects, for error messages.
impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Choice(words) => write!(f, "one of {}", words.join(", ")),
            OptionKind::Integer(range) => {
                write!(f, "a whole number from {} to {}", range.start(), range.end())
            }
            OptionKind::Number(range) => write!(f, "a number from {} to {}", range.start(), range.end()),
            OptionKind::Text => f.write_str("a text"),
            OptionKind::File => f.write_str("the path of a file"),
        }
    }
}

/// A value that an option accepts.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionValue {
    /// A word, a text or a path.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
}

/// The value as the command line takes it, in quotes where it needs them.
impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Text(text) => f.write_str(&quoted(text)),
            OptionValue::Integer(number) => number.fmt(f),
            OptionValue::Number(number) => number.fmt(f),
        }
    }
}

/// The value of each option of an agent, defaults included.
#[derive(Clone, Debug)]
pub struct Options {
    agent: &'static str,
    values: Vec<(&'static str, Option<OptionValue>)>,
    /// The options that the text states.
    given: Vec<&'static str>,
}

impl Options {
    pub(crate) const fn new(
        agent: &'static str,
        values: Vec<(&'static str, Option<OptionValue>)>,
        given: Vec<&'static str>,
    ) -> Options {
        Options { agent, values, given }
    }

    /// The names and values in the order of the entry.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, Option<&OptionValue>)> {
        self.values.iter().map(|(name, value)| (*name, value.as_ref()))
    }

    /// Whether the text states this option, even with the value that it has by default.
    #[must_use]
    pub fn is_given(&self, name: &str) -> bool {
        self.given.contains(&name)
    }

    /// The value of an option. An option without a default is read as an `Option`.
    ///
    /// # Panics
    ///
    /// If the entry of the agent declares no such option, or one that does not fit the type.
    #[must_use]
    pub fn value<T: FromOption>(&self, name: &str) -> T {
        let declared = self.values.iter().find(|(option, _)| *option == name);
        let Some((_, value)) = declared else { panic!("agent `{}` declares no option `{name}`", self.agent) };
        T::from_option(value.as_ref()).unwrap_or_else(|| {
            panic!(
                "option `{name}` of agent `{}` is {value:?}, which cannot be read as {}",
                self.agent,
                std::any::type_name::<T>()
            )
        })
    }
}

/// A type that the value of an option can be read as.
pub trait FromOption: Sized {
    /// The value as this type, or `None` if it does not fit. An unset option is `None`.
    fn from_option(value: Option<&OptionValue>) -> Option<Self>;
}

impl<T: FromOption> FromOption for Option<T> {
    fn from_option(value: Option<&OptionValue>) -> Option<Option<T>> {
        match value {
            None => Some(None),
            value => T::from_option(value).map(Some),
        }
    }
}

impl FromOption for String {
    fn from_option(value: Option<&OptionValue>) -> Option<String> {
        match value? {
            OptionValue::Text(text) => Some(text.clone()),
            _ => None,
        }
    }
}

impl FromOption for PathBuf {
    fn from_option(value: Option<&OptionValue>) -> Option<PathBuf> {
        String::from_option(value).map(PathBuf::from)
    }
}

impl FromOption for bool {
    fn from_option(value: Option<&OptionValue>) -> Option<bool> {
        match String::from_option(value)?.as_str() {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        }
    }
}

impl FromOption for f64 {
    fn from_option(value: Option<&OptionValue>) -> Option<f64> {
        match value? {
            OptionValue::Number(number) => Some(*number),
            _ => None,
        }
    }
}

impl FromOption for f32 {
    fn from_option(value: Option<&OptionValue>) -> Option<f32> {
        f64::from_option(value).map(|number| number as f32)
    }
}

macro_rules! integers {
    ($($integer:ty),*) => {$(
        impl FromOption for $integer {
            fn from_option(value: Option<&OptionValue>) -> Option<$integer> {
                match value? {
                    OptionValue::Integer(number) => (*number).try_into().ok(),
                    _ => None,
                }
            }
        }
    )*};
}

integers!(u8, u16, u32, u64, usize, i8, i16, i32, i64);
