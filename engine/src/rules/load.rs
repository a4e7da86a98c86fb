//! Rules from TOML.

use std::collections::BTreeMap;
use std::fmt;

use toml::{Spanned, Value};

use super::check::{self, Contradiction};
use super::closest::{hint, unknown};
use super::{FIELDS, PRESETS, Preset, Rules};

/// The error for rules that cannot be used. The message has the file, line and field, and what was
/// found and expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesError {
    /// The file or preset.
    pub origin: String,
    /// The line, counted from 1, if known.
    pub line: Option<usize>,
    /// The field, if known.
    pub field: Option<String>,
    /// What was found and what was expected.
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

/// Where a rule set gets the value of a field from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file or preset that sets the field, directly or as a `base`; `tenhou` if none does.
    pub rules: String,
    /// The comment on the line of the value.
    pub note: Option<String>,
}

impl Origin {
    /// The origin of a field in the rule file `text`. `name` is the name of the file or preset.
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
        let file = RuleFile::parse(text).unwrap_or_default();
        if let Some(entry) = file.entries.iter().find(|entry| entry.field == field) {
            return Origin { rules: name.to_owned(), note: entry.note(text) };
        }
        match Preset::named(file.base()).filter(|base| base.name != name) {
            Some(base) => Origin::of(field, base.toml, base.name),
            None => Origin { rules: "tenhou".to_owned(), note: None },
        }
    }
}

/// A rule file before its fields are checked.
#[derive(Default)]
struct RuleFile {
    base: Option<Entry>,
    /// The fields that the file sets, in order of lines.
    entries: Vec<Entry>,
}

/// A field that a rule file sets.
struct Entry {
    field: String,
    value: Value,
    /// The line of the name, counted from 1.
    line: usize,
    /// The byte at which the value ends.
    end: usize,
}

impl RuleFile {
    fn parse(text: &str) -> Result<RuleFile, toml::de::Error> {
        let table: BTreeMap<Spanned<String>, Spanned<Value>> = toml::from_str(text)?;
        let entry = |(field, value): (Spanned<String>, Spanned<Value>)| Entry {
            line: line_at(text, field.span().start),
            end: value.span().end,
            field: field.into_inner(),
            value: value.into_inner(),
        };
        let (bases, mut entries): (Vec<Entry>, Vec<Entry>) =
            table.into_iter().map(entry).partition(|entry| entry.field == "base");
        entries.sort_by_key(|entry| entry.line);
        Ok(RuleFile { base: bases.into_iter().next(), entries })
    }

    /// The preset that the file builds on.
    fn base(&self) -> &str {
        self.base.as_ref().and_then(|base| base.value.as_str()).unwrap_or("tenhou")
    }
}

impl Entry {
    /// The comment on the line where the value ends.
    fn note(&self, text: &str) -> Option<String> {
        let rest_of_line = text[self.end..].lines().next()?;
        Some(rest_of_line.split_once("# ")?.1.to_owned())
    }
}

impl Rules {
    /// Reads rules from TOML: the fields in `text`, on top of the preset that `base` names. Without
    /// `base`, the other fields have their defaults.
    ///
    /// `origin` is the file name for messages.
    ///
    /// ```
    /// use jantaku_engine::Rules;
    ///
    /// let rules = Rules::from_toml("base = 'mleague'\nkiriage = false", "my.toml")?;
    /// assert!(!rules.kiriage && rules.max_ron == 1);
    /// let error = Rules::from_toml("kuikae = 'Never'", "my.toml").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "my.toml:1: `kuikae`: expected Both | GenbutsuOnly | SujiOnly | Free, found \"Never\""
    /// );
    /// # Ok::<(), jantaku_engine::RulesError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is not TOML, a field or preset is unknown, a value is not allowed, or fields
    /// contradict each other.
    pub fn from_toml(text: &str, origin: &str) -> Result<Rules, RulesError> {
        let error = |line, field: Option<&str>, what: String| {
            let origin = origin.to_owned();
            RulesError { origin, line, field: field.map(str::to_owned), what }
        };
        let file = RuleFile::parse(text).map_err(|e| {
            let line = e.span().map(|span| line_at(text, span.start));
            error(line, None, format!("not TOML: {}", e.message()))
        })?;
        let mut rules = match &file.base {
            None => Rules::default(),
            Some(base) => {
                preset_of(&base.value).map_err(|what| error(Some(base.line), Some("base"), what))?
            }
        };
        let mut table = rules.to_table();
        // Reads the rules after every field, so that an error belongs to that field.
        for Entry { field, value, line, .. } in &file.entries {
            rules = set(&mut table, field, value).map_err(|what| error(Some(*line), Some(field), what))?;
        }
        rules.check().map_err(|Contradiction { field, what }| {
            let entry = file.entries.iter().find(|entry| entry.field == field);
            let line = entry.or(file.base.as_ref()).map(|entry| entry.line);
            let what = match entry {
                Some(_) => what,
                None => format!("{what}, which `{}` sets", Origin::of(field, text, origin).rules),
            };
            error(line, Some(field), what)
        })?;
        Ok(rules)
    }

    /// The name of the preset that a rule file builds on: its `base`, or else `tenhou`.
    #[must_use]
    pub fn base_of(text: &str) -> String {
        RuleFile::parse(text).unwrap_or_default().base().to_owned()
    }
}

/// The preset that a value of `base` names.
fn preset_of(value: &Value) -> Result<Rules, String> {
    let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    let name = value.as_str().ok_or_else(|| format!("expected the name of a preset, found {value}"))?;
    Rules::preset(name).ok_or_else(|| unknown("preset", name, &names))
}

/// Sets a field in a table of all fields, and reads the rules.
fn set(table: &mut toml::Table, field: &str, value: &Value) -> Result<Rules, String> {
    let Some(old) = table.get_mut(field) else {
        let names: Vec<&str> = ["base"].into_iter().chain(FIELDS.iter().map(|field| field.name)).collect();
        return Err(unknown("field", field, &names));
    };
    if value.as_integer().is_some_and(|number| !check::allows(field, number)) {
        return Err(not_allowed(field, value));
    }
    match (old, value) {
        // Such as `kan_dora.ankan` without `kan_dora.minkan`.
        (Value::Table(old), Value::Table(new)) if new.keys().all(|key| old.contains_key(key)) => {
            old.extend(new.clone());
        }
        (old, new) => *old = new.clone(),
    }
    table.clone().try_into().map_err(|e: toml::de::Error| {
        let starts = |start: &&str| e.message().starts_with(start);
        let names_rust_types = ["invalid type: ", "invalid value: "].iter().any(starts);
        let is_unknown_word = value.is_str() && starts(&"unknown variant ");
        match e.message() {
            _ if names_rust_types || is_unknown_word => not_allowed(field, value),
            what if what.starts_with("expected ") => format!("{what}, found {value}"),
            what => what.to_owned(),
        }
    })
}

/// Error text for a value that a field does not allow.
fn not_allowed(field: &str, value: &Value) -> String {
    let allowed = check::allowed(field);
    let words: Vec<&str> = allowed.split(" | ").collect();
    let hint = value.as_str().map_or_else(String::new, |word| hint(word, &words));
    format!("expected {allowed}, found {value}{hint}")
}

/// The line of a byte, counted from 1.
fn line_at(text: &str, byte: usize) -> usize {
    text[..byte].matches('\n').count() + 1
}
