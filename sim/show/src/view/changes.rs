//! The difference of two moments.

use serde_json::{Map, Value};

/// The values of `after` that differ from `before`. For two objects, these are only the differing
/// entries; `after` has at least the entries of `before`.
pub(super) fn changes(before: &Value, after: &Value) -> Value {
    let (Value::Object(old), Value::Object(new)) = (before, after) else { return after.clone() };
    let changed = |(name, value): (&String, &Value)| match old.get(name) {
        Some(other) if other == value => None,
        Some(other) => Some((name.clone(), changes(other, value))),
        None => Some((name.clone(), value.clone())),
    };
    Value::Object(new.iter().filter_map(changed).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_differs_is_kept() {
        let before =
            json!({ "live": 70, "seats": { "0": { "hand": "1m", "drawn": "" }, "1": { "hand": "" } } });
        let after =
            json!({ "live": 69, "seats": { "0": { "hand": "1m", "drawn": "2m" }, "1": { "hand": "" } } });
        assert_eq!(changes(&before, &after), json!({ "live": 69, "seats": { "0": { "drawn": "2m" } } }));
        assert_eq!(changes(&after, &after), json!({}));
    }
}
