//! JSON texts of logs.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{LogError, Problem};

/// Reads a JSON text. A key whose value is null counts as missing.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, LogError> {
    let wrong = |error| LogError::at("the text", Problem::quoting(error));
    let mut document: Value = serde_json::from_str(text).map_err(wrong)?;
    drop_nulls(&mut document);
    T::deserialize(document).map_err(wrong)
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
