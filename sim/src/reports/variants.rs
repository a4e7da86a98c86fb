//! Rule sets to compare.

use jantaku_engine::{Rules, RulesError};
use toml::{Table, Value};

/// The largest number of variants.
pub const MAX_VARIANTS: usize = 64;

/// A rule set of a sweep.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The name; those of different variants differ.
    pub name: String,
    /// The rules.
    pub rules: Rules,
}

/// Variants of the rules with the same number of players. The others are compared with the first.
#[derive(Clone, Debug)]
pub struct Variants(Vec<Variant>);

/// Why rule sets cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum VariantError {
    /// The rules of a variant are not valid.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Fields are varied, but there are several rule sets.
    #[error("fields can be varied for one rule set only, found {0} rule sets; name one")]
    SeveralBases(usize),
    /// A field is varied twice.
    #[error("`{0}`: varied twice; give all its values at once")]
    Twice(String),
    /// Two variants of the fields have the same rules.
    #[error("the variants `{0}` and `{1}` have the same rules; leave one out")]
    Equal(String, String),
    /// There is nothing to compare.
    #[error("a sweep needs at least two variants, found {0}")]
    TooFew(usize),
    /// There are too many variants.
    #[error("found {0} variants, expected at most {MAX_VARIANTS}")]
    TooMany(usize),
    /// The variants have different numbers of players.
    #[error(
        "{} is for {} players and {} for {}; all variants need the same number of players",
        .0.name, .0.rules.players.count(), .1.name, .1.rules.players.count()
    )]
    Players(Box<Variant>, Box<Variant>),
}

/// A rule set in the making: the changes so far, and all fields.
type VariedRules = (Vec<String>, Table);

impl Variants {
    /// The rule sets by name, and variants of the first with other values of fields: all
    /// combinations, or `one_at_a_time`, which changes one field in each variant.
    ///
    /// A value has the text that names it. Variants of equal names are numbered from the second on:
    /// `tenhou`, `tenhou (2)`.
    ///
    /// # Errors
    ///
    /// If rules are not valid, a field is varied twice, two variants of the fields have the same
    /// rules, or there are too few or too many variants, or different numbers of players.
    pub fn new(
        mut variants: Vec<Variant>,
        fields: &[(String, Vec<(String, Value)>)],
        one_at_a_time: bool,
    ) -> Result<Variants, VariantError> {
        if let (Some(base), false) = (variants.first().cloned(), fields.is_empty()) {
            if variants.len() > 1 {
                return Err(VariantError::SeveralBases(variants.len()));
            }
            check_fields_differ(fields)?;
            let unchanged = vec![(Vec::new(), base.rules.to_table())];
            let varied: Vec<VariedRules> = if one_at_a_time {
                fields.iter().flat_map(|(field, values)| all_with(&unchanged, field, values)).collect()
            } else {
                let with =
                    |varied: Vec<_>, (field, values): &(String, Vec<_>)| all_with(&varied, field, values);
                fields.iter().fold(unchanged, with)
            };
            for (changes, table) in varied {
                let name = changes.join(" ");
                let rules = rules_of(&table, &name)?;
                if let Some(equal) = variants[1..].iter().find(|other| other.rules == rules) {
                    return Err(VariantError::Equal(equal.name.clone(), name));
                }
                // The unchanged rules are the first variant already.
                if rules != base.rules {
                    variants.push(Variant { name, rules });
                }
            }
        }
        if variants.len() < 2 {
            return Err(VariantError::TooFew(variants.len()));
        }
        if variants.len() > MAX_VARIANTS {
            return Err(VariantError::TooMany(variants.len()));
        }
        let players = |variant: &Variant| variant.rules.players.count();
        match variants.iter().find(|variant| players(variant) != players(&variants[0])) {
            None => Ok(Variants(with_unique_names(variants))),
            Some(other) => Err(VariantError::Players(Box::new(variants[0].clone()), Box::new(other.clone()))),
        }
    }

    /// The variants, at least two.
    #[must_use]
    pub fn all(&self) -> &[Variant] {
        &self.0
    }

    /// The rules of each variant.
    #[must_use]
    pub fn rules(&self) -> Vec<&Rules> {
        self.0.iter().map(|variant| &variant.rules).collect()
    }

    /// The names.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(|variant| variant.name.clone()).collect()
    }
}

/// Numbers variants with the same name, from the second on: `tenhou`, `tenhou (2)`.
fn with_unique_names(mut variants: Vec<Variant>) -> Vec<Variant> {
    let given: Vec<String> = variants.iter().map(|variant| variant.name.clone()).collect();
    for (index, variant) in variants.iter_mut().enumerate() {
        let before = given[..index].iter().filter(|name| **name == given[index]).count();
        if before > 0 {
            variant.name = format!("{} ({})", variant.name, before + 1);
        }
    }
    variants
}

/// Checks that no field is varied twice: the second would replace the values of the first.
fn check_fields_differ(fields: &[(String, Vec<(String, Value)>)]) -> Result<(), VariantError> {
    let twice = |(index, (field, _)): &(usize, &(String, _))| {
        fields[..*index].iter().any(|(other, _)| other == field)
    };
    match fields.iter().enumerate().find(twice) {
        Some((_, (field, _))) => Err(VariantError::Twice(field.clone())),
        None => Ok(()),
    }
}

/// Every rule set with every value of a field.
fn all_with(varied: &[VariedRules], field: &str, values: &[(String, Value)]) -> Vec<VariedRules> {
    let mut all = Vec::new();
    for (changes, table) in varied {
        for (text, value) in values {
            let mut table = table.clone();
            match (table.get_mut(field), value) {
                (Some(Value::Table(old)), Value::Table(new)) => old.extend(new.clone()),
                (_, value) => _ = table.insert(field.to_owned(), value.clone()),
            }
            let changes = changes.iter().cloned().chain([format!("{field}={text}")]).collect();
            all.push((changes, table));
        }
    }
    all
}

/// Checks a table of all fields and makes rules of it.
fn rules_of(table: &Table, changes: &str) -> Result<Rules, RulesError> {
    let text = toml::to_string(table).expect("a table has a text");
    Rules::from_toml(&text, changes).map_err(|mut error| {
        // The lines of this text are not the user's.
        error.problems.iter_mut().for_each(|problem| problem.line = None);
        error
    })
}
