//! The engine under test: its process, and questions with their answers.

use std::fmt::Display;

use jantaku_agents::mjai::LineProgram;
use jantaku_engine::rules::{FIELDS, PRESETS};
use jantaku_engine::{Known, Rules, shortened};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::{ConformError, Theme};

/// The most letters of a question or an answer in a message.
const MAX_LETTERS: usize = 400;

/// How often the engine may die, hang or answer what is not a JSON object.
const MAX_FAULTS: u32 = 20;

/// What another engine says about itself.
#[derive(Clone, Default, Debug, Deserialize)]
pub(super) struct Hello {
    /// Its name.
    pub name: String,
    /// Its version.
    #[serde(default)]
    pub version: String,
    /// The presets that it plays; `all` for each of them.
    rules: Vec<String>,
    /// The rule fields that it can change; `all` for each of them.
    #[serde(default)]
    fields: Vec<String>,
    /// The themes that it supports.
    themes: Vec<String>,
}

/// A difference: what was expected, and what the engine answered instead.
#[derive(Debug)]
pub(super) struct Difference {
    pub expected: String,
    pub found: String,
    /// Whether the engine says that it does not support the item.
    pub is_unsupported: bool,
}

impl Difference {
    pub fn new(expected: impl Display, found: impl Display) -> Difference {
        Difference { expected: expected.to_string(), found: found.to_string(), is_unsupported: false }
    }
}

/// An error that the engine reports instead of an answer.
#[derive(Deserialize)]
struct Refused {
    error: String,
}

/// The engine under test.
pub(super) struct Peer<'a> {
    command: &'a [String],
    seconds: f64,
    /// None after a fault.
    program: Option<LineProgram>,
    faults: u32,
    /// Why it is asked no more.
    pub error: Option<String>,
    pub hello: Hello,
    /// The rules of the last question, as the engine is told them. Most questions repeat them.
    told: Option<(Rules, ToldRules)>,
}

/// Rules as the engine is told them: the closest preset, and the fields that differ from it.
#[derive(Clone)]
pub(super) struct ToldRules {
    pub base: String,
    pub set: Map<String, Value>,
}

impl Peer<'_> {
    /// Starts the engine.
    pub fn start(command: &[String], seconds: f64) -> Result<Peer<'_>, ConformError> {
        let hello = Hello::default();
        let mut peer = Peer { command, seconds, program: None, faults: 0, error: None, hello, told: None };
        peer.greet().map_err(ConformError)?;
        Ok(peer)
    }

    /// Whether the engine can be asked. Starts it again if it has no process.
    pub fn is_ready(&mut self) -> bool {
        if self.error.is_none() && self.program.is_none() {
            self.error = self.greet().err();
        }
        self.error.is_none()
    }

    /// Asks no more after too many faults, of which this item has the last.
    pub fn stop_after_faults(&mut self, item: &str, found: &str) {
        if self.faults >= MAX_FAULTS {
            let faults = format!("{MAX_FAULTS} faults, each of which ended its process");
            self.error = Some(self.tagged(&format!("{faults}; the last in {item}: {found}")));
        }
    }

    /// An error text with the command of the engine.
    pub fn tagged(&self, what: &str) -> String {
        format!("{}: {what}", self.command.join(" "))
    }

    /// Starts the engine and asks what it supports.
    fn greet(&mut self) -> Result<(), String> {
        let Some((program, arguments)) = self.command.split_first() else {
            return Err("`command` is empty, expected a program and its arguments".to_owned());
        };
        let started = LineProgram::start(program, arguments, self.seconds);
        self.program = Some(started.map_err(|error| self.tagged(&error.to_string()))?);
        let hello: Result<Hello, Difference> = self.ask(&json!({ "ask": "hello" }));
        let wrong = |fault: Difference| format!("{}, expected {}", fault.found, fault.expected);
        self.hello = hello.map_err(wrong).and_then(checked).map_err(|error| self.tagged(&error))?;
        Ok(())
    }

    /// The answer to a question. A fault of the process is a difference like a wrong answer.
    pub fn ask<T: DeserializeOwned>(&mut self, question: &Value) -> Result<T, Difference> {
        let line = question.to_string();
        let asked = |what: &dyn Display| format!("{what}; asked: {}", cut(&line));
        let Some(program) = &mut self.program else {
            return Err(Difference::new("an answer", asked(&"the process has ended")));
        };
        let read =
            program.ask(&line).and_then(|answer| match serde_json::from_str::<Map<String, Value>>(&answer) {
                Ok(value) => Ok((answer, Value::Object(value))),
                Err(error) => Err(format!("an answer that is not a JSON object ({error}): {}", cut(&answer))),
            });
        let (answer, value) = read.map_err(|fault| {
            (self.program, self.faults) = (None, self.faults + 1);
            Difference::new("an answer", asked(&fault))
        })?;
        if let Ok(Refused { error }) = Refused::deserialize(&value) {
            return Err(Difference::new("an answer", asked(&format!("an error: {error}"))));
        }
        if value["unsupported"] == true {
            return Err(Difference { is_unsupported: true, ..Difference::new("an answer", cut(&answer)) });
        }
        let wrong = |error| asked(&format!("{error}; answered: {}", cut(&answer)));
        T::deserialize(value).map_err(|error| Difference::new("an answer with all keys", wrong(error)))
    }

    /// Whether the engine supports the theme and plays these rules.
    pub fn plays(&mut self, theme: Theme, rules: &Rules) -> bool {
        let ToldRules { base, set } = self.told(rules);
        let has = |list: &[String], name: &str| list.iter().any(|known| known == "all" || known == name);
        self.hello.themes.iter().any(|name| name == theme.name())
            && has(&self.hello.rules, &base)
            && set.keys().all(|field| has(&self.hello.fields, field))
    }

    /// The rules of a question.
    pub fn told(&mut self, rules: &Rules) -> ToldRules {
        if let Some((_, told)) = self.told.as_ref().filter(|(known, _)| known == rules) {
            return told.clone();
        }
        let mut set: Map<String, Value> = toml::from_str(&rules.to_toml()).expect("rules are TOML");
        let base = set.remove("base").and_then(|base| base.as_str().map(str::to_owned));
        let told = ToldRules { base: base.expect("rules have a base"), set };
        self.told.insert((*rules, told)).1.clone()
    }
}

/// Checks that an engine names only known presets, rule fields and themes.
fn checked(hello: Hello) -> Result<Hello, String> {
    let presets: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    let fields: Vec<&str> = FIELDS.iter().map(|field| field.name).collect();
    let themes = Theme::ALL.map(Theme::name).to_vec();
    let stated = [
        ("rules", &hello.rules, presets),
        ("fields", &hello.fields, fields),
        ("themes", &hello.themes, themes),
    ];
    for (key, stated, known) in stated {
        let is_unknown = |name: &&String| *name != "all" && !known.contains(&name.as_str());
        if let Some(name) = stated.iter().find(is_unknown) {
            let hint = Known::new(name, known);
            return Err(format!("unknown name `{}` in `{key}`, {hint}", shortened(name)));
        }
    }
    Ok(hello)
}

/// The text, cut after [`MAX_LETTERS`] letters.
pub(super) fn cut(text: &str) -> String {
    jantaku_engine::cut_after(text.trim_end(), MAX_LETTERS)
}
