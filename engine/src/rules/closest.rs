//! The known name that is closest to an unknown one.

/// Error text for an unknown name: the closest known name, if there is one, and all known names.
pub(super) fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    format!("unknown {what} `{name}`{}, expected one of {}", hint(name, known), known.join(", "))
}

/// " (did you mean `kuikae`?)" for `kuikea`; empty if no known name is close.
pub(super) fn hint(name: &str, known: &[&str]) -> String {
    closest(name, known).map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

/// The known name that shares a beginning with this one, or differs in a few letters. Ignores case.
fn closest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name = name.to_lowercase();
    let close = |known: &&str| {
        let known = known.to_lowercase();
        let extends = known.starts_with(&name) || name.starts_with(&known);
        let distance = strsim::damerau_levenshtein(&name, &known);
        (extends && name.len() > 2 || distance <= 1 + name.len() / 4).then_some(distance)
    };
    let candidates = known.iter().filter_map(|known| Some((close(known)?, *known)));
    candidates.min_by_key(|(distance, _)| *distance).map(|(_, known)| known)
}
