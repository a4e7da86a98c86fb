//! Vectors that differ from our answer, with the reason.

use std::sync::LazyLock;

/// A vector that differs.
pub(crate) struct Exception {
    pub source: &'static str,
    /// A part of its name that is unique in the source.
    pub vector: &'static str,
    /// The rule behind the difference.
    pub reason: &'static str,
    /// Our answer.
    pub ours: &'static str,
}

pub(crate) static EXCEPTIONS: LazyLock<Vec<Exception>> = LazyLock::new(|| {
    let file: toml::Table = include_str!("../../scores/exceptions.toml").parse().expect("TOML");
    let exceptions = file["exception"].as_array().expect("exceptions").iter().map(|row| {
        let [source, vector, reason, ours] = ["source", "vector", "reason", "ours"]
            .map(|key| &*row[key].as_str().expect("a text").to_owned().leak());
        Exception { source, vector, reason, ours }
    });
    exceptions.collect()
});
