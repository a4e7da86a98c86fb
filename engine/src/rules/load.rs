//! Rules from TOML.

use std::fmt;

use toml::{Table, Value};

use super::check::{self, Contradiction};
use super::{FIELDS, PRESETS, Preset, Rules};

/// Rules that cannot be used: says in which file, at which line and field, what was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesError {
    /// The file or preset.
    pub origin: String,
    /// The line, counted from 1, where it is known.
    pub line: Option<usize>,
    /// The field, where it is known.
    pub field: Option<String>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.origin)?;
        self.line.map_or(Ok(()), |line| write!(f, ":{line}"))?;
        write!(f, ": ")?;
        self.field.as_ref().map_or(Ok(()), |field| write!(f, "`{field}`: "))?;
        f.write_str(&self.what)
    }
}

impl std::error::Error for RulesError {}

/// Where a rule set has the value of a field from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file or preset that sets it, by way of `base`; `tenhou` if none does.
    pub rules: String,
    /// The comment behind the value.
    pub note: Option<String>,
}

impl Origin {
    /// Of a field in the rules that a text holds; `name` is that of the file or preset.
    ///
    /// ```
    /// use jantaku_engine::rules::Origin;
    ///
    /// let text = "base = 'mleague'\nkiriage = false # as at home";
    /// let origin = |field| Origin::of(field, text, "house.toml");
    /// assert_eq!(origin("kiriage").note.as_deref(), Some("as at home"));
    /// assert_eq!(origin("max_ron").rules, "mleague");
    /// assert_eq!(origin("players").rules, "tenhou");
    /// ```
    #[must_use]
    pub fn of(field: &str, text: &str, name: &str) -> Origin {
        if let Some(line) = line_of(text, field) {
            let note = text.lines().nth(line - 1).and_then(|line| Some(line.split_once(" # ")?.1.to_owned()));
            return Origin { rules: name.to_owned(), note };
        }
        match Preset::named(&Rules::base_of(text)).filter(|base| base.name != name) {
            Some(base) => Origin::of(field, base.toml, base.name),
            None => Origin { rules: "tenhou".to_owned(), note: None },
        }
    }
}

impl Rules {
    /// Reads rules from a TOML text: fields of [`Rules`], on top of the preset that `base` names (without it, of the default).
    ///
    /// `origin` is the file's name for messages.
    ///
    /// ```
    /// use jantaku_engine::Rules;
    ///
    /// let rules = Rules::from_toml("base = 'mleague'\nkiriage = false", "house.toml")?;
    /// assert!(!rules.kiriage && rules.max_ron == 1);
    /// let error = Rules::from_toml("kuikae = 'Never'", "house.toml").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "house.toml:1: `kuikae`: unknown variant `Never`, expected one of `Both`, `GenbutsuOnly`, `SujiOnly`, `Free`"
    /// );
    /// # Ok::<(), jantaku_engine::RulesError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is not TOML, a field or preset is unknown, a value is not allowed, or fields contradict each other.
    pub fn from_toml(text: &str, origin: &str) -> Result<Rules, RulesError> {
        let error = |line, field: Option<&str>, what: String| {
            let origin = origin.to_owned();
            RulesError { origin, line, field: field.map(str::to_owned), what }
        };
        let mut changes: Table = text.parse().map_err(|e: toml::de::Error| {
            let line = e.span().map(|span| text[..span.start].matches('\n').count() + 1);
            error(line, None, format!("not TOML: {}", e.message()))
        })?;
        let mut table = match changes.remove("base") {
            None => Rules::default().to_table(),
            Some(Value::String(name)) if Preset::named(&name).is_some() => {
                Preset::named(&name).map_or_else(Rules::default, Preset::rules).to_table()
            }
            Some(other) => {
                let known: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
                let what = format!("unknown preset {other}, expected one of {}", known.join(", "));
                return Err(error(line_of(text, "base"), Some("base"), what));
            }
        };
        let mut rules = None;
        for (field, value) in changes {
            let line = line_of(text, &field);
            if !table.contains_key(&field) {
                return Err(error(line, Some(&field), unknown_field(&field)));
            }
            let not_allowed = format!("expected {}, found {value}", check::allowed(&field));
            if value.as_integer().is_some_and(|number| !check::allows(&field, number)) {
                return Err(error(line, Some(&field), not_allowed));
            }
            overlay(&mut table, &field, value);
            // After every change, so that a value that is not allowed can be told by its field.
            let read = Rules::deserialize_table(&table).map_err(|what| {
                // These tell of the types of the program.
                let is_of_type =
                    ["invalid type: ", "invalid value: "].iter().any(|kind| what.starts_with(kind));
                error(line, Some(&field), if is_of_type { not_allowed } else { what })
            })?;
            rules = Some(read);
        }
        let rules = match rules {
            Some(rules) => rules,
            None => Rules::deserialize_table(&table).map_err(|what| error(None, None, what))?,
        };
        rules.check().map_err(|Contradiction { field, what }| match line_of(text, field) {
            Some(line) => error(Some(line), Some(field), what),
            None => {
                let Origin { rules, .. } = Origin::of(field, text, origin);
                error(None, Some(field), format!("{what}, which `{rules}` sets"))
            }
        })?;
        Ok(rules)
    }

    /// The preset that a text of rules changes: the one that `base` names; without it, `tenhou`.
    #[must_use]
    pub fn base_of(text: &str) -> String {
        let table: Table = text.parse().unwrap_or_default();
        table.get("base").and_then(Value::as_str).unwrap_or("tenhou").to_owned()
    }

    fn deserialize_table(table: &Table) -> Result<Rules, String> {
        table.clone().try_into().map_err(|e: toml::de::Error| e.message().to_owned())
    }
}

/// What is told of a field that there is not: the one that may be meant, and all.
fn unknown_field(field: &str) -> String {
    let names: Vec<&str> = FIELDS.iter().map(|known| known.name).collect();
    let alike = |name: &&&str| {
        name.starts_with(field) || field.starts_with(**name) || distance(field, name) <= 1 + field.len() / 4
    };
    let nearest = names.iter().filter(alike).min_by_key(|name| distance(field, name));
    let meant = nearest.map_or_else(String::new, |name| format!("did you mean `{name}`? "));
    format!("unknown field, {meant}expected `base` or one of {}", names.join(", "))
}

/// How many letters must be put in, left out or changed to make one word of another: their Levenshtein distance.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    // The distances of the letters so far to each beginning of the other word.
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (place, letter) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], place + 1);
        for (column, other) in to.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

/// Replaces a field; tables such as `kan_dora` key by key.
fn overlay(table: &mut Table, field: &str, value: Value) {
    match (table.get_mut(field), value) {
        (Some(Value::Table(old)), Value::Table(new)) => old.extend(new),
        (_, value) => {
            table.insert(field.to_owned(), value);
        }
    }
}

/// The line on which a field is set.
fn line_of(text: &str, field: &str) -> Option<usize> {
    let sets = |line: &str| {
        let rest = line.trim_start().trim_start_matches(['[', '"', '\'']).strip_prefix(field);
        rest.is_some_and(|rest| rest.trim_start().starts_with(['=', '.', ']', '"', '\'']))
    };
    text.lines().position(sets).map(|line| line + 1)
}
