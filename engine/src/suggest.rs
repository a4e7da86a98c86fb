//! Suggests known names for an unknown one, in error messages.

use std::fmt;

/// The known names to suggest for an unknown one.
///
/// ```
/// use jantaku_engine::Known;
///
/// let known = Known::new("gredy", ["random", "greedy"]);
/// assert_eq!(known.to_string(), "did you mean `greedy`? Expected one of random, greedy");
/// assert_eq!(Known::new("mcts", ["random"]).to_string(), "expected one of random");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The closest name, if one is close.
    pub closest: Option<&'static str>,
    /// All names.
    pub names: Vec<&'static str>,
}

impl Known {
    /// The names that were possible instead of `name`.
    pub fn new(name: &str, names: impl IntoIterator<Item = &'static str>) -> Known {
        let names: Vec<&str> = names.into_iter().collect();
        Known { closest: closest(name, &names), names }
    }
}

/// `did you mean …? Expected one of …`, as the end of a sentence.
impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.names.is_empty() {
            return f.write_str("there are none");
        }
        let names = self.names.join(", ");
        match self.closest {
            Some(name) => write!(f, "did you mean `{name}`? Expected one of {names}"),
            None => write!(f, "expected one of {names}"),
        }
    }
}

/// The known name that is closest to `name`; None if none is close. Ignores case.
///
/// First comes a known name that begins with `name`. Then come those that `name` begins with, that end with
/// a hyphen and `name`, or that differ in a few letters. For a `name` of one or two letters, only names that
/// differ in one letter are close.
///
/// ```
/// use jantaku_engine::closest;
///
/// assert_eq!(closest("rmu", &["mu", "rmu-a"]), Some("rmu-a"));
/// assert_eq!(closest("yaku.tenhuo", &["yaku.tenhou"]), Some("yaku.tenhou"));
/// assert_eq!(closest("mcts", &["random"]), None);
/// ```
pub fn closest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name = name.to_lowercase();
    let letters = name.chars().count();
    let close = |known: &&str| {
        let known = known.to_lowercase();
        let is_end = known.strip_suffix(&name).is_some_and(|start| start.ends_with('-'));
        let extends = known.starts_with(&name) || name.starts_with(&known) || is_end;
        let distance = strsim::damerau_levenshtein(&name, &known);
        let is_beginning = letters > 2 && known.starts_with(&name);
        (extends && letters > 2 || distance <= 1 + letters / 4).then_some((!is_beginning, distance))
    };
    let candidates = known.iter().filter_map(|known| Some((close(known)?, *known)));
    candidates.min_by_key(|(order, _)| *order).map(|(_, known)| known)
}

/// A name or value as found in a file, at most 60 characters of it, for an error text.
///
/// ```
/// assert_eq!(jantaku_engine::shortened("kuitan"), "kuitan");
/// assert_eq!(jantaku_engine::shortened(&"a".repeat(1000)), format!("{}…", "a".repeat(60)));
/// ```
pub fn shortened(text: &str) -> String {
    cut_after(text, 60)
}

/// The text, with … instead of what comes after this many characters.
pub fn cut_after(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
