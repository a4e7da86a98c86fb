//! The options of an agent: the values they accept, and typed access for the constructor.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

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
    /// An option with a default, written as on the command line.
    pub const fn new(
        name: &'static str,
        kind: OptionKind,
        default: &'static str,
        about: &'static str,
    ) -> AgentOption {
        AgentOption { name, kind, default: OptionDefault::Value(default), about }
    }

    /// An option that may be left out and has no default.
    pub const fn unset(name: &'static str, kind: OptionKind, about: &'static str) -> AgentOption {
        AgentOption { name, kind, default: OptionDefault::Unset, about }
    }

    pub(crate) fn default_value(&self) -> Option<String> {
        match self.default {
            OptionDefault::Value(text) => self.kind.canonical(text),
            OptionDefault::Required | OptionDefault::Unset => None,
        }
    }
}

/// The values that an option accepts.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionKind {
    /// One of these words. Read it by [`Options::text`], or by [`Options::is_on`] if the words are
    /// [`OptionKind::SWITCH`].
    Choice(&'static [&'static str]),
    /// A whole number in this range. Read it as any integer type that holds the range.
    Integer(RangeInclusive<i64>),
    /// A number in this range. Read it as `f32` or `f64`.
    Number(RangeInclusive<f64>),
    /// Any text. Read it by [`Options::text`].
    Text,
    /// The path of a file. Read it as `PathBuf`. The constructor opens the file.
    File,
}

/// What it means to leave an option out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionDefault {
    /// An error.
    Required,
    /// The option has no value. Read it by [`Options::optional`].
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
    pub fn values(&self) -> Vec<String> {
        match self {
            OptionKind::Choice(words) => words.iter().map(|word| (*word).to_owned()).collect(),
            OptionKind::Integer(range) => vec![format!("{}..{}", range.start(), range.end())],
            OptionKind::Number(range) => vec![format!("{:?}..{:?}", range.start(), range.end())],
            OptionKind::Text => vec!["TEXT".to_owned()],
            OptionKind::File => vec!["FILE".to_owned()],
        }
    }

    /// A value as canonical names have it. None if the option does not accept it.
    pub(crate) fn canonical(&self, text: &str) -> Option<String> {
        fn number<N: FromStr + PartialOrd + ToString>(
            text: &str,
            range: &RangeInclusive<N>,
        ) -> Option<String> {
            text.parse().ok().filter(|number| range.contains(number)).map(|number: N| number.to_string())
        }
        let is_accepted = match self {
            OptionKind::Choice(words) => words.contains(&text),
            OptionKind::Integer(range) => return number(text, range),
            OptionKind::Number(range) => return number(text, range),
            OptionKind::Text => true,
            OptionKind::File => !text.is_empty(),
        };
        is_accepted.then(|| text.to_owned())
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

/// The value of each option of an agent, defaults included.
#[derive(Clone, Debug)]
pub struct Options {
    pub(crate) agent: &'static str,
    /// In the order of the entry.
    pub(crate) settings: Vec<Setting>,
}

/// An option with its value.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) name: &'static str,
    /// As canonical names have it. None if the option is left out and has no default.
    pub(crate) value: Option<String>,
    /// Whether the text of the agent states it.
    pub(crate) is_given: bool,
}

impl Options {
    /// Whether the text states this option, even with the value that it has by default.
    ///
    /// # Panics
    ///
    /// If the entry of the agent declares no such option.
    pub fn is_given(&self, name: &str) -> bool {
        self.setting(name).is_given
    }

    /// The text of an option that has a value.
    ///
    /// # Panics
    ///
    /// If the entry of the agent declares no such option, or the option has no value.
    pub fn text(&self, name: &str) -> &str {
        let value = self.setting(name).value.as_deref();
        value.unwrap_or_else(|| panic!("option `{name}` of agent `{}` may have no value", self.agent))
    }

    /// Whether a switch is on.
    ///
    /// # Panics
    ///
    /// As [`Options::text`].
    pub fn is_on(&self, name: &str) -> bool {
        self.text(name) == "on"
    }

    /// The value of an option that has one. A switch is read by [`Options::is_on`]: `bool` does not read `on`.
    ///
    /// # Panics
    ///
    /// As [`Options::text`], and if the type does not hold the value.
    pub fn value<T: FromStr>(&self, name: &str) -> T {
        let text = self.text(name);
        text.parse().unwrap_or_else(|_| {
            let (agent, of) = (self.agent, std::any::type_name::<T>());
            panic!("option `{name}` of agent `{agent}` is {text:?}, which cannot be read as {of}")
        })
    }

    /// The value of an option, if it has one.
    ///
    /// # Panics
    ///
    /// If the entry of the agent declares no such option, or the type does not hold the value.
    pub fn optional<T: FromStr>(&self, name: &str) -> Option<T> {
        self.setting(name).value.as_ref().map(|_| self.value(name))
    }

    fn setting(&self, name: &str) -> &Setting {
        let declared = self.settings.iter().find(|setting| setting.name == name);
        declared.unwrap_or_else(|| panic!("agent `{}` declares no option `{name}`", self.agent))
    }
}
