//! The faults of the external engines of a stored run.

use std::collections::BTreeMap;
use std::path::Path;

use jantaku_agents::{Faults, TableId};

use crate::dataset::ReadError;
use crate::play::read_faults;
use crate::run::manifest::Manifest;

/// The agents of a run that had faults in its complete parts, by their labels. Empty if the run has
/// no file of faults. Equal agents in several roles of a match are one agent, as in statistics.
///
/// # Errors
///
/// If the file cannot be read.
pub fn stored_faults(folder: &Path, manifest: &Manifest) -> Result<Vec<(String, Faults)>, ReadError> {
    let end = TableId(manifest.parts.first().map_or(0, |part| part.first_game) + manifest.games);
    let found = read_faults(folder, end).map_err(|error| ReadError::new(&error.path, &error.cause))?;
    let mut faults: BTreeMap<&str, Faults> = BTreeMap::new();
    for (label, of_role) in &found {
        faults.entry(without_number(label)).or_default().extend(of_role);
    }
    let faults = faults.into_iter().filter(|(_, faults)| faults.total() > 0);
    Ok(faults.map(|(label, faults)| (label.to_owned(), faults)).collect())
}

/// The label of an agent without the number of its role, such as `mybot` for `mybot #2`. A label has
/// no spaces outside quotation marks.
fn without_number(label: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match label.rsplit_once(" #") {
        Some((name, number)) if is_number(number) => name,
        _ => label,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_have_the_label_of_their_agent() {
        for (label, name) in [
            ("mybot #2", "mybot"),
            ("mybot", "mybot"),
            (r#"mjai:command="bot #2""#, r#"mjai:command="bot #2""#),
            (r#"mjai:command="bot #2" #3"#, r#"mjai:command="bot #2""#),
        ] {
            assert_eq!(without_number(label), name);
        }
    }
}
