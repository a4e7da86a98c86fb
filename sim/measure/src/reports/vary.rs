//! The rule sets of a sweep as a user gives them.

use std::path::Path;
use std::str::FromStr;
use std::{fmt, iter};

use jantaku_show::view::without_hidden;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use toml::{Table, Value};

use jantaku_sim::run::{NamedRules, OpenRulesError, RulesChoice};

/// The rules of a variant, with a name of its own if one is given.
#[derive(Clone, Debug)]
pub struct VariantRules {
    /// The name; by default that of the rules.
    pub name: Option<String>,
    /// The rules.
    pub rules: RulesChoice,
}

/// A field of the rules to vary.
#[derive(Clone, Debug)]
pub struct Vary {
    /// The field.
    pub field: String,
    /// Its values, each with the text that names it.
    pub values: Vec<(String, Value)>,
}

impl VariantRules {
    pub(super) fn open(&self) -> Result<NamedRules, OpenRulesError> {
        let NamedRules { name, rules } = self.rules.open()?;
        // A name stands on one line of a table.
        Ok(NamedRules { name: without_hidden(self.name.as_ref().unwrap_or(&name), &[]), rules })
    }

    /// The text that names the rules, without the name of the variant.
    pub fn text(&self) -> Option<&str> {
        self.rules.text()
    }
}

/// Rules such as `tenhou` or `ours=my.toml`. The path of an existing file is no name, even with an equals sign.
impl From<String> for VariantRules {
    fn from(text: String) -> VariantRules {
        let labelled =
            text.split_once('=').filter(|(name, _)| !name.is_empty() && !Path::new(&text).exists());
        match labelled {
            Some((name, rules)) => {
                VariantRules { name: Some(name.to_owned()), rules: RulesChoice::Text(rules.to_owned()) }
            }
            None => VariantRules { name: None, rules: RulesChoice::Text(text) },
        }
    }
}

/// A field and its values, such as `kiriage=true,false`.
impl FromStr for Vary {
    type Err = String;

    fn from_str(text: &str) -> Result<Vary, String> {
        let parts = text.split_once('=').filter(|(field, values)| !field.is_empty() && !values.is_empty());
        let (field, values) = parts.ok_or("expected a field and its values, such as `kiriage=true,false`")?;
        let value = |text: &str| (text.to_owned(), toml_value(text));
        Ok(Vary { field: field.to_owned(), values: split(values).into_iter().map(value).collect() })
    }
}

/// Splits at the commas outside brackets.
fn split(values: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (index, letter) in values.char_indices() {
        match letter {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&values[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&values[start..]);
    parts
}

/// A value in TOML syntax, but words need no quotes.
fn toml_value(text: &str) -> Value {
    let read = format!("value = {text}").parse::<Table>().ok().and_then(|mut table| table.remove("value"));
    read.unwrap_or_else(|| Value::String(text.to_owned()))
}

/// Reads a list of rules, or a map of rules by the names of their variants.
pub(super) fn variants<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<VariantRules>, D::Error> {
    struct ListOrMap;

    impl<'de> Visitor<'de> for ListOrMap {
        type Value = Vec<VariantRules>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of rules, or rules by name")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let rules = iter::from_fn(|| list.next_element().transpose());
            rules.map(|rules| Ok(VariantRules { name: None, rules: rules? })).collect()
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let entries = iter::from_fn(|| map.next_entry().transpose());
            let variant = |(name, rules)| VariantRules { name: Some(name), rules };
            entries.map(|entry| entry.map(variant)).collect()
        }
    }

    deserializer.deserialize_any(ListOrMap)
}

/// Reads a map of fields, each with a list of values.
pub(super) fn varied<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vary>, D::Error> {
    struct Fields;

    impl<'de> Visitor<'de> for Fields {
        type Value = Vec<Vary>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("fields, each with a list of values")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut varied = Vec::new();
            while let Some((field, values)) = map.next_entry::<String, Vec<Value>>()? {
                let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                let values = values.into_iter().map(|value| (text(&value), value)).collect();
                varied.push(Vary { field, values });
            }
            Ok(varied)
        }
    }

    deserializer.deserialize_map(Fields)
}
