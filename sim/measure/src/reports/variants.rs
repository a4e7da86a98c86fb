//! Rule sets to compare.

use std::collections::BTreeSet;

use jantaku_agents::{argument, field_name, field_value};
use jantaku_engine::{Rules, RulesError};
use toml::{Table, Value};

use super::vary::Vary;

/// The largest number of variants.
pub const MAX_VARIANTS: usize = 64;

/// A rule set of a sweep.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The name. No other variant of a sweep has it.
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
    #[error("{error}{advice}")]
    Rules {
        /// What is wrong.
        error: RulesError,
        /// What to do, as a further line; empty if that is not known.
        advice: String,
    },
    /// Fields are varied, but there are several rule sets.
    #[error("{} changes one rule set, found {} in {}", field_name("vary"), .0, field_name("rules"))]
    SeveralBases(usize),
    /// A field is varied twice.
    #[error("{}: given twice; give all values at once", field_value("vary", .0))]
    Twice(String),
    /// Two variants of the fields have the same rules.
    #[error("the variants `{0}` and `{1}` have the same rules; leave one out")]
    Equal(String, String),
    /// There is nothing to compare.
    #[error(
        "a sweep needs at least two variants, found {}: give several {}, or {} with a value that the rules do \
         not have",
        .0,
        field_name("rules"),
        field_name("vary")
    )]
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
    /// These rule sets. With `fields`, there must be one: its variants with other values of the fields
    /// follow, in all combinations, or `one_at_a_time`, which changes one field in each variant.
    ///
    /// A variant is named by its values, such as `kiriage=true`. Variants of equal names are numbered
    /// from the second on: `tenhou`, `tenhou (2)`.
    ///
    /// # Errors
    ///
    /// If rules are not valid, a field is varied twice, two variants of the fields have the same
    /// rules, or there are too few or too many variants, or different numbers of players.
    pub fn new(
        mut variants: Vec<Variant>,
        fields: &[Vary],
        one_at_a_time: bool,
    ) -> Result<Variants, VariantError> {
        if let (Some(base), false) = (variants.first().cloned(), fields.is_empty()) {
            if variants.len() > 1 {
                return Err(VariantError::SeveralBases(variants.len()));
            }
            check_fields_differ(fields)?;
            let unchanged = vec![(Vec::new(), base.rules.to_table())];
            let varied: Vec<VariedRules> = if one_at_a_time {
                fields.iter().flat_map(|vary| all_with(&unchanged, vary)).collect()
            } else {
                fields.iter().fold(unchanged, |varied, vary| all_with(&varied, vary))
            };
            for (changes, table) in varied {
                let name = changes.join(" ");
                let rules = rules_of(&table, &name).map_err(|error| {
                    let advice = advice(&base.rules, fields, one_at_a_time, &error);
                    VariantError::Rules { error, advice }
                })?;
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
    pub fn all(&self) -> &[Variant] {
        &self.0
    }

    /// The rules of each variant.
    pub fn rules(&self) -> Vec<&Rules> {
        self.0.iter().map(|variant| &variant.rules).collect()
    }

    /// The names.
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(|variant| variant.name.clone()).collect()
    }
}

/// Numbers variants with the same name, from the second on: `tenhou`, `tenhou (2)`.
fn with_unique_names(mut variants: Vec<Variant>) -> Vec<Variant> {
    let mut taken: BTreeSet<String> = variants.iter().map(|variant| variant.name.clone()).collect();
    let mut named = BTreeSet::new();
    for variant in &mut variants {
        if !named.insert(variant.name.clone()) {
            let mut numbered = (2..).map(|number| format!("{} ({number})", variant.name));
            variant.name = numbered.find(|name| taken.insert(name.clone())).expect("some number is free");
        }
    }
    variants
}

/// Checks that no field is varied twice: the second would replace the values of the first.
fn check_fields_differ(fields: &[Vary]) -> Result<(), VariantError> {
    let twice =
        |(index, vary): &(usize, &Vary)| fields[..*index].iter().any(|other| other.field == vary.field);
    match fields.iter().enumerate().find(twice) {
        Some((_, vary)) => Err(VariantError::Twice(vary.field.clone())),
        None => Ok(()),
    }
}

/// Every rule set with every value of a field.
fn all_with(varied: &[VariedRules], Vary { field, values }: &Vary) -> Vec<VariedRules> {
    let mut all = Vec::new();
    for (changes, table) in varied {
        for (text, value) in values {
            let mut table = table.clone();
            match (table.get_mut(field), value) {
                (Some(Value::Table(old)), Value::Table(new)) => old.extend(new.clone()),
                (_, value) => _ = table.insert(field.clone(), value.clone()),
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
    Rules::from_toml(&text, &field_value("vary", changes)).map_err(|mut error| {
        // The lines of this text are not the user's.
        error.problems.iter_mut().for_each(|problem| problem.line = None);
        error
    })
}

/// What to do about rules that are not valid, as a further line; empty if that is not known.
fn advice(base: &Rules, fields: &[Vary], one_at_a_time: bool, error: &RulesError) -> String {
    let wrong = || error.problems.iter().filter_map(|problem| problem.field.as_ref());
    let is_varied = |field: &String| fields.iter().find(|vary| vary.field == *field);
    // Commas separate variants, so a list without brackets was taken as several values.
    if let Some(Vary { field, values }) = wrong().next().and_then(is_varied)
        && base.to_table().get(field).is_some_and(Value::is_array)
        && !values.iter().any(|(_, value)| value.is_array())
    {
        let list = Value::Array(values.iter().map(|(_, value)| value.clone()).collect());
        return format!(
            "\na list needs brackets and quotes: {}",
            argument("vary", &format!("'{field}={list}'"))
        );
    }
    let are_combined = fields.len() > 1 && !one_at_a_time;
    if are_combined || wrong().any(|field| is_varied(field).is_none()) {
        return format!(
            "\nevery variant needs valid rules: if fields depend on each other, write a rule file for each \
             variant, and give these with {}",
            field_name("rules")
        );
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_get_numbers_that_no_other_name_has() {
        let variant = |name: &str| Variant { name: name.to_owned(), rules: Rules::default() };
        let named = with_unique_names(["a", "a", "a (2)", "a", "b"].map(variant).into());
        let names: Vec<&str> = named.iter().map(|variant| &*variant.name).collect();
        assert_eq!(names, ["a", "a (3)", "a (2)", "a (4)", "b"]);
    }
}
