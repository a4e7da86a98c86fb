//! Errors of JSON texts in words of the format, with the key whose value is wrong.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// Rust's names of types in errors of serde, and their plain names.
const TYPES: [(&str, &str); 11] = [
    ("invalid type: sequence", "invalid type: a list"),
    ("invalid type: map", "invalid type: an object"),
    ("expected a sequence", "expected a list"),
    ("expected a map", "expected an object"),
    ("expected an array of length", "expected a list of length"),
    ("expected fewer elements in array", "expected a shorter list"),
    ("expected f64", "expected a number"),
    ("expected u8", "expected a number from 0 to 255"),
    ("expected u16", "expected a number from 0 to 65535"),
    ("expected u32", "expected a number from 0 to 4294967295"),
    ("expected i32", "expected a whole number"),
];

/// The keys whose values are seats.
const SEATS: [&str; 3] = ["actor", "target", "oya"];

/// Reads an object of the format.
///
/// # Errors
///
/// What is wrong. It names the key of a wrong value.
pub(super) fn read<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    T::deserialize(value).map_err(|error| with_key::<T>(value, &error.to_string()))
}

/// The error of a line that is not an object of the format.
pub(super) fn wrong_line<T: DeserializeOwned>(line: &str, error: &serde_json::Error) -> String {
    let value = serde_json::from_str(line).ok();
    value.and_then(|value| read::<T>(&value).err()).unwrap_or_else(|| plain(&error.to_string()))
}

/// Whether the format has no object of this type.
pub(super) fn is_unknown<T: DeserializeOwned>(kind: &str) -> bool {
    let error = T::deserialize(&json!({ "type": kind })).err();
    error.is_some_and(|error| error.to_string().starts_with("unknown variant"))
}

/// The text of an error of serde without Rust's types, and without the number of a line if there is only
/// one.
pub fn plain(error: &str) -> String {
    let text = error.replace(" at line 1 column ", " at column ");
    TYPES.iter().fold(text, |text, (rust, plain)| text.replace(rust, plain))
}

/// The error of an object with the key whose value causes it: the key that causes the same error
/// alone. An error about a missing key or an unknown type names it already.
fn with_key<T: DeserializeOwned>(value: &Value, error: &str) -> String {
    let text = plain(error);
    let Some(object) = value.as_object() else { return text };
    if error.starts_with("missing field") || error.starts_with("unknown variant") {
        return text;
    }
    let fails_alone = |key: &str| {
        let parts = ["type", key].into_iter().filter_map(|key| object.get_key_value(key));
        let alone: Map<String, Value> = parts.map(|(key, value)| (key.clone(), value.clone())).collect();
        T::deserialize(&Value::Object(alone)).is_err_and(|alone| alone.to_string() == error)
    };
    let mut keys = std::iter::once("type").chain(object.keys().map(String::as_str));
    match keys.find(|key| fails_alone(key)) {
        Some(key) if SEATS.contains(&key) => {
            let (found, _) = text.split_once(", expected ").unwrap_or((&text, ""));
            format!("`{key}`: {found}, expected a seat, a number from 0 to 3")
        }
        Some(key) => format!("`{key}`: {text}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Answer, Event};
    use super::*;

    fn error<T: DeserializeOwned>(text: &str) -> String {
        let value = serde_json::from_str(text).expect("JSON");
        read::<T>(&value).err().expect("a wrong value")
    }

    #[test]
    fn errors_name_the_key() {
        for (text, expected) in [
            (
                r#"{"type":"tsumo","actor":"0","pai":"P"}"#,
                r#"`actor`: invalid type: string "0", expected a seat, a number from 0 to 3"#,
            ),
            (
                r#"{"type":"pon","actor":0,"target":300,"pai":"P","consumed":["P","P"]}"#,
                "`target`: invalid value: integer `300`, expected a seat, a number from 0 to 3",
            ),
            (r#"{"type":"tsumo","actor":0}"#, "missing field `pai`"),
            (r#"{"actor":0}"#, "missing field `type`"),
        ] {
            assert_eq!(error::<Event>(text), expected);
        }
        let wrong_pai = error::<Event>(r#"{"type":"dahai","actor":0,"pai":"1x"}"#);
        assert!(wrong_pai.starts_with("`pai`: `1x` is not a tile"), "{wrong_pai}");
        let wrong_type = error::<Answer>(r#"{"actor":0,"type":5}"#);
        assert_eq!(wrong_type, "`type`: invalid type: integer `5`, expected a string");
    }

    #[test]
    fn a_line_has_no_number_of_its_own() {
        let error =
            |line| wrong_line::<Event>(line, &serde_json::from_str::<Event>(line).expect_err("wrong"));
        assert_eq!(error("{"), "EOF while parsing an object at column 1");
        assert_eq!(error("{}"), "missing field `type`");
    }
}
