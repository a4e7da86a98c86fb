//! JSON texts of logs.

use jantaku_agents::mjai::plain;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{LogError, Problem};

/// Reads a JSON text. A key whose value is null counts as missing.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, LogError> {
    let wrong = |problem| LogError::at("the text", problem);
    let mut document: Value = serde_json::from_str(text).map_err(|error| wrong(Problem::quoting(error)))?;
    drop_nulls(&mut document);
    value("", &document).map_err(wrong)
}

/// Reads the value of a document under this key. An error names the key of the wrong part, such as
/// `log[0][5]`.
pub(super) fn value<T: DeserializeOwned>(key: &str, value: &Value) -> Result<T, Problem> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = format!(".{}", error.path()).replace(".[", "[");
        let found = value.pointer(&path.replace(['.', '['], "/").replace(']', ""));
        let (what, place) = (plain(&error.inner().to_string()), format!("{key}{path}"));
        match (place.trim_matches('.'), what.strip_prefix("expected "), found) {
            ("", ..) => Problem::quoting(&what),
            (place, Some(expected), Some(found)) => Problem::value(place, found, expected),
            (place, ..) => Problem::quoting(format!("`{place}`: {what}")),
        }
    })
}

/// Removes the keys whose value is null.
fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            fields.values_mut().for_each(drop_nulls);
        }
        Value::Array(values) => values.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}
