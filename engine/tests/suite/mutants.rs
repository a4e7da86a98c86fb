//! The planted bugs of `engine/mutants` match the sources and the rule cases.

use std::path::Path;

use toml::{Table, Value};

use crate::cases::row_ids;

/// Each bug replaces a text that occurs exactly once in its file, and names rows that exist.
#[test]
fn planted_bugs_match_the_sources() {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(engine.join(path)).expect("a file of the project");
    let bugs: Table = read("mutants/planted.toml").parse().expect("TOML");
    let ids = row_ids();
    for bug in bugs["bug"].as_array().expect("bugs") {
        let text = |key: &str| bug.get(key).and_then(Value::as_str).expect("a text");
        let (file, from) = (text("file"), text("from"));
        let found = read(&format!("src/{file}")).matches(from).count();
        assert_eq!(found, 1, "{}: `{from}` in {file}", text("rule"));
        for row in text("rows").split('|').map(str::trim) {
            assert!(ids.iter().any(|id| id == row), "{}: there is no row `{row}`", text("rule"));
        }
    }
}
