//! Rules from TOML.

use std::collections::BTreeMap;
use std::fmt;

use toml::{Spanned, Value};

use super::check::{self, Contradiction};
use super::idle::IdleField;
use super::values::{FORMS, NotenPool};
use super::{FIELDS, Preset, Rules};
use crate::suggest::{Known, closest, shortened};
use crate::yaku::Yaku;

/// The error for rules that cannot be used, with all problems that were found. The message has a
/// line for each: the file, line and field, and what was found and expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", problems.iter().map(|problem| problem.in_file(origin)).collect::<Vec<_>>().join("\n"))]
pub struct RulesError {
    /// The file or preset.
    pub origin: String,
    /// The problems in order of lines, at least one.
    pub problems: Vec<FieldProblem>,
}

/// What is wrong with a field of a file of rules or of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldProblem {
    /// The line, counted from 1, if known.
    pub line: Option<usize>,
    /// The field, if known, such as `max_ron` or `south.river`.
    pub field: Option<String>,
    /// What was found and what was expected.
    pub what: String,
}

impl FieldProblem {
    /// What is wrong with a field whose line is not known yet.
    pub(crate) fn new(field: impl Into<String>, what: impl Into<String>) -> FieldProblem {
        FieldProblem { line: None, field: Some(field.into()), what: what.into() }
    }

    /// The problem as text, after its place in the file.
    pub(crate) fn in_file(&self, origin: &str) -> String {
        let line = self.line.map_or_else(String::new, |line| format!(":{line}"));
        format!("{origin}{line}: {self}")
    }
}

/// Prints the field and what is wrong with it, without the line.
impl fmt::Display for FieldProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.field.as_ref().map_or(Ok(()), |field| write!(f, "`{field}`: "))?;
        f.write_str(&self.what)
    }
}

/// Where a rule set gets the value of a field from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldOrigin {
    /// The file or preset that sets the field, directly or as a `base`; `tenhou` if none does.
    pub rules: String,
    /// The comment on the line of the value.
    pub note: Option<String>,
}

impl FieldOrigin {
    /// The origin of a field in the rule file `text`. `name` is the name of the file or preset.
    ///
    /// ```
    /// use jantaku_engine::rules::FieldOrigin;
    ///
    /// let text = "base = 'mleague'\nkiriage = false # as at home";
    /// let origin = |field| FieldOrigin::of(field, text, "house.toml");
    /// assert_eq!(origin("kiriage").note.as_deref(), Some("as at home"));
    /// assert_eq!(origin("max_ron").rules, "mleague");
    /// assert_eq!(origin("players").rules, "tenhou");
    /// ```
    pub fn of(field: &str, text: &str, name: &str) -> FieldOrigin {
        let file = RuleFile::parse(text).unwrap_or_default();
        if let Some(entry) = file.entries.iter().find(|entry| entry.field == field) {
            return FieldOrigin { rules: name.to_owned(), note: entry.note(text) };
        }
        match Preset::named(file.base()) {
            Some(base) if base.name != name => FieldOrigin::of(field, base.toml, base.name),
            // The text is the preset `tenhou`, which has no base.
            Some(_) => FieldOrigin { rules: "tenhou".to_owned(), note: None },
            None => FieldOrigin { rules: file.base().to_owned(), note: None },
        }
    }
}

/// A rule file before its fields are checked.
#[derive(Default)]
struct RuleFile {
    base: Option<Assignment>,
    /// The fields that the file sets, in order of lines.
    entries: Vec<Assignment>,
}

/// A field that a rule file sets.
struct Assignment {
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
        let entry = |(field, value): (Spanned<String>, Spanned<Value>)| Assignment {
            line: line_at(text, field.span().start),
            end: value.span().end,
            field: field.into_inner(),
            value: value.into_inner(),
        };
        let (bases, mut entries): (Vec<Assignment>, Vec<Assignment>) =
            table.into_iter().map(entry).partition(|entry| entry.field == "base");
        entries.sort_by_key(|entry| entry.line);
        Ok(RuleFile { base: bases.into_iter().next(), entries })
    }

    /// The preset or file that the file builds on.
    fn base(&self) -> &str {
        self.base.as_ref().and_then(|base| base.value.as_str()).unwrap_or("tenhou")
    }

    /// The rules of the base, those of the file, and the problems of single fields. A field with a problem
    /// keeps the value of the base.
    fn read(&self, load: impl FnOnce(&Value) -> Result<Rules, String>) -> (Rules, Rules, Vec<FieldProblem>) {
        let (mut base_rules, mut problems) = (Rules::default(), Vec::new());
        match self.base.as_ref().map(|base| (base, load(&base.value))) {
            Some((_, Ok(base))) => base_rules = base,
            Some((base, Err(what))) => problems.push(base.problem(what)),
            None => {}
        }
        let mut rules = base_rules;
        for entry in &self.entries {
            match with(&rules, &shortened(&entry.field), &entry.value) {
                Ok(changed) => rules = changed,
                Err(what) => problems.push(entry.problem(what)),
            }
        }
        (base_rules, rules, problems)
    }

    /// The entry that sets a field.
    fn entry(&self, field: &str) -> Option<&Assignment> {
        self.entries.iter().find(|entry| entry.field == field)
    }

    /// Checks that a file that changes the number of players does not keep the noten payments of
    /// its base.
    fn check_pool(&self, base_rules: &Rules, rules: &Rules) -> Result<(), Contradiction> {
        let sets = |field| self.entry(field).is_some();
        let players = rules.players.count();
        let usual = 1000 * (i32::from(players) - 1);
        let is_usual = [0, usual].map(NotenPool::Total).contains(&rules.noten_pool);
        let is_chosen = !sets("players") || sets("noten_pool") || is_usual;
        if is_chosen || base_rules.players == rules.players {
            return Ok(());
        }
        let found = &rules.to_table()["noten_pool"];
        let what = format!("expected a choice for {players} players, usually {usual}, found {found}");
        Err(Contradiction { field: "noten_pool", others: &["players"], what })
    }
}

impl Assignment {
    fn problem(&self, what: String) -> FieldProblem {
        FieldProblem { line: Some(self.line), field: Some(shortened(&self.field)), what }
    }

    /// The comment on the line where the value ends.
    fn note(&self, text: &str) -> Option<String> {
        let rest_of_line = text[self.end..].lines().next()?;
        Some(rest_of_line.split_once("# ")?.1.to_owned())
    }
}

impl Rules {
    /// Reads rules from TOML: the fields in `text`, on top of the preset that `base` names. Without
    /// `base`, the other fields have their defaults. A value with several forms gets the form that presets
    /// use.
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
        Rules::from_toml_with(text, origin, |_| None)
    }

    /// [`Rules::from_toml`] for a text whose `base` may also be a name that `load` knows, such as that of
    /// another file.
    ///
    /// # Errors
    ///
    /// As [`Rules::from_toml`], and the error of `load`.
    pub fn from_toml_with(
        text: &str,
        origin: &str,
        load: impl FnOnce(&str) -> Option<Result<Rules, String>>,
    ) -> Result<Rules, RulesError> {
        let base = |value: &Value| {
            let preset = preset_of(value);
            let other = || value.as_str().and_then(load);
            if preset.is_ok() { preset } else { other().unwrap_or(preset) }
        };
        let error = |problems| RulesError { origin: origin.to_owned(), problems };
        let file = RuleFile::parse(text).map_err(|e| error(vec![not_toml(text, &e)]))?;
        let (base_rules, rules, mut problems) = file.read(base);
        let wrong: Vec<String> = problems.iter().filter_map(|problem| problem.field.clone()).collect();
        // Ignore contradictions of fields that could not be read, and all of them after an unknown
        // base.
        let is_read = |field: &&str| !wrong.iter().any(|wrong| wrong == field || wrong == "base");
        for Contradiction { field, others, what } in
            rules.contradictions().into_iter().chain(file.check_pool(&base_rules, &rules).err())
        {
            let mut fields = [field].into_iter().chain(others.iter().copied());
            if !fields.clone().all(|field| is_read(&field)) {
                continue;
            }
            // Show the user's line, even if the field to change is set by the preset.
            let cause = fields.find_map(|field| file.entry(field)).or(file.base.as_ref());
            let what = match file.entry(field) {
                Some(_) => what,
                None => format!("{what}, which `{}` sets", FieldOrigin::of(field, text, origin).rules),
            };
            let line = cause.map(|entry| entry.line);
            problems.push(FieldProblem { line, field: Some(field.to_owned()), what });
        }
        problems.sort_by_key(|problem| problem.line);
        if problems.is_empty() { Ok(rules.canonical()) } else { Err(error(problems)) }
    }

    /// The fields that `text`, the file of these rules, sets although they have no effect.
    ///
    /// ```
    /// use jantaku_engine::Rules;
    ///
    /// let text = "kuitan = false\nkita_rob = false";
    /// let problems = Rules::from_toml(text, "my.toml")?.idle_fields_in(text);
    /// assert_eq!(problems.len(), 1);
    /// assert_eq!(problems[0].line, Some(2));
    /// assert_eq!(problems[0].to_string(), "`kita_rob`: no effect: `north` is not \"Nukidora\"");
    /// # Ok::<(), jantaku_engine::RulesError>(())
    /// ```
    pub fn idle_fields_in(&self, text: &str) -> Vec<FieldProblem> {
        let file = RuleFile::parse(text).unwrap_or_default();
        // The values as the file states them. Those of `self` may have another form.
        let (_, stated, _) = file.read(|_| Ok(*self));
        let problem = |IdleField { field, why }: &IdleField| {
            Some(file.entry(field)?.problem(format!("no effect: {why}")))
        };
        let mut problems: Vec<FieldProblem> = stated.idle_fields().iter().filter_map(problem).collect();
        problems.sort_by_key(|problem| problem.line);
        problems
    }

    /// The name of the preset or file that a rule file builds on: its `base`, or else `tenhou`.
    pub fn base_of(text: &str) -> String {
        RuleFile::parse(text).unwrap_or_default().base().to_owned()
    }
}

/// The preset that a value of `base` names.
fn preset_of(value: &Value) -> Result<Rules, String> {
    let found = || shortened(&value.to_string());
    let name = value.as_str().ok_or_else(|| format!("expected the name of a preset, found {}", found()))?;
    Rules::preset(name).ok_or_else(|| format!("unknown preset {}, {}", found(), Preset::known(name)))
}

/// The problem of text that is not TOML, with its line and field if they are known.
fn not_toml(text: &str, error: &toml::de::Error) -> FieldProblem {
    let Some(span) = error.span() else {
        return FieldProblem { line: None, field: None, what: format!("not TOML: {}", error.message()) };
    };
    let start = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
    let entry = text[start..].lines().next().and_then(|line| line.split_once('='));
    let known = |(name, _): &(&str, &str)| FIELDS.iter().any(|field| field.name == name.trim());
    let is_large = is_too_large(&text[span.clone()]);
    let not_toml =
        format!("not TOML: {}", if is_large { "the number is too large" } else { error.message() });
    let (field, what) = match entry.filter(known) {
        // The name is a known field, so it must be a duplicate.
        Some((field, _)) if span.start < start + field.len() => (Some(field.trim()), not_toml),
        Some((field, value)) => {
            let (field, value) = (field.trim(), shortened(value.trim()));
            (Some(field), format!("expected {}, found `{value}` ({not_toml})", check::allowed(field)))
        }
        None => (None, not_toml),
    };
    FieldProblem { line: Some(line_at(text, span.start)), field: field.map(str::to_owned), what }
}

/// Whether a text is an integer of TOML that does not fit into 64 bits.
fn is_too_large(text: &str) -> bool {
    let digits = text.replace('_', "");
    let (digits, radix) = match digits.get(..2) {
        Some("0x") => (&digits[2..], 16),
        Some("0o") => (&digits[2..], 8),
        Some("0b") => (&digits[2..], 2),
        _ => (&*digits, 10),
    };
    i128::from_str_radix(digits, radix).is_ok_and(|number| i64::try_from(number).is_err())
}

/// The rules with this value of a field, or the error text if there is no such field or it does not allow
/// the value.
fn with(rules: &Rules, field: &str, value: &Value) -> Result<Rules, String> {
    let mut table = rules.to_table();
    let Some(old) = table.get_mut(field) else {
        let names = ["base"].into_iter().chain(FIELDS.iter().map(|field| field.name));
        // Suggest for a table only fields that take a table.
        let is_alike = |name: &&str| !value.is_table() || table.get(*name).is_some_and(Value::is_table);
        let names: Vec<&str> = names.filter(is_alike).collect();
        let hint = closest(field, &names).map_or_else(String::new, |name| format!("did you mean `{name}`? "));
        if value.is_table() {
            return Err(format!(
                "unknown table; a rule file has no sections: its fields are at the top level; {hint}`jantaku \
                 rules reference` lists all"
            ));
        }
        return Err(format!("unknown field; {hint}`jantaku rules reference` lists all"));
    };
    if value.as_integer().is_some_and(|number| !check::allows(field, number)) {
        return Err(not_allowed(field, value));
    }
    if let (Some(possible), Some(list)) = (check::yaku_of(field), value.as_array()) {
        let names = || possible.iter().map(Yaku::name);
        let wrong = list.iter().filter_map(Value::as_str).find(|name| names().all(|known| known != *name));
        if let Some(wrong) = wrong {
            return Err(format!("found `{}`, {}", shortened(wrong), Known::new(wrong, names())));
        }
    }
    match (old, value) {
        // Such as `kan_dora.ankan` without `kan_dora.minkan`.
        (Value::Table(old), Value::Table(new)) if new.keys().all(|key| old.contains_key(key)) => {
            old.extend(new.clone());
        }
        (old, new) => *old = new.clone(),
    }
    Rules::from_table(table).map_err(|e| match e.message() {
        what if FORMS.contains(&what) => format!("{what}, found {}", shortened(&value.to_string())),
        // Other messages are those of libraries.
        _ => not_allowed(field, value),
    })
}

/// Error text for a value that a field does not allow.
fn not_allowed(field: &str, value: &Value) -> String {
    let allowed = check::allowed(field);
    let words: Vec<&str> = allowed.split(" | ").collect();
    let meant = value.as_str().and_then(|word| closest(word, &words));
    let hint = meant.map_or_else(String::new, |meant| format!(", did you mean `{meant}`?"));
    format!("expected {allowed}, found {}{hint}", shortened(&value.to_string()))
}

/// The line of a byte, counted from 1.
pub(crate) fn line_at(text: &str, byte: usize) -> usize {
    text[..byte].matches('\n').count() + 1
}
