//! The words of the lists and the form, in three languages.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jantaku_engine::{Players, Wind};
use jantaku_show::{Sentence, WORDS, text};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

/// The words of one language.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Words {
    pub(super) tag: &'static str,
    pub(super) sit_down: &'static str,
    pub(super) rules: &'static str,
    /// The sentences of presets, by name. English has those of the presets.
    #[serde(borrow)]
    pub(super) presets: BTreeMap<&'static str, &'static str>,
    #[serde(borrow)]
    pub(super) opponents: [&'static str; 3],
    /// Explains the number beside each opponent's name.
    pub(super) strength: &'static str,
    pub(super) seat: &'static str,
    /// A random seat, then the winds of the first hand.
    #[serde(borrow)]
    pub(super) seats: [&'static str; 5],
    /// The error for the seat of a player that the rules do not have.
    pub(super) absent_seat: &'static str,
    pub(super) hints: &'static str,
    pub(super) clock: &'static str,
    pub(super) none: &'static str,
    /// After the number of seconds for each decision, and after that of the spare seconds.
    #[serde(borrow)]
    pub(super) seconds: [&'static str; 2],
    pub(super) seed: &'static str,
    pub(super) random: &'static str,
    pub(super) start: &'static str,
    /// The form that sends a log, and its error.
    pub(super) open: &'static str,
    pub(super) open_help: &'static str,
    pub(super) log_text: &'static str,
    pub(super) log_file: &'static str,
    pub(super) not_opened: &'static str,
    pub(super) tables: &'static str,
    pub(super) over: &'static str,
    pub(super) review: &'static str,
    pub(super) games: &'static str,
    pub(super) game: &'static str,
    pub(super) of: &'static str,
    pub(super) running: &'static str,
    /// A run that no program writes now.
    pub(super) stopped: &'static str,
    pub(super) play_on: &'static str,
    /// The report of all figures.
    pub(super) report: &'static str,
    pub(super) next: &'static str,
    pub(super) previous: &'static str,
    pub(super) back: &'static str,
    /// The page of an error.
    pub(super) error: &'static str,
}

/// English, Japanese and Chinese.
static LANGUAGES: LazyLock<[Words; 3]> = LazyLock::new(|| {
    WORDS.map(|file| {
        let parts: BTreeMap<&str, &RawValue> = serde_json::from_str(file).expect("a language has parts");
        serde_json::from_str(parts["site"].get()).expect("a language has all words")
    })
});

impl Words {
    /// The first language of a browser that there are words for, by its header `Accept-Language`.
    pub(super) fn of(accepted: Option<&str>) -> &'static Words {
        let mut tags = accepted.unwrap_or_default().split(',').map(str::trim);
        let known = |tag: &str| LANGUAGES.iter().find(|of| tag.starts_with(of.tag));
        tags.find_map(known).unwrap_or(&LANGUAGES[0])
    }

    /// A wind.
    pub(super) const fn wind(&self, wind: Wind) -> &'static str {
        self.seats[1 + wind as usize]
    }

    /// The name of a hand, such as `East 2, 1 honba`. Without honba it is the round alone.
    pub(super) fn hand_name(&self, round: u16, honba: u16, players: Players) -> String {
        let (wind, number) = text::hand_number(round, players.count());
        let key = if honba > 0 { "hand-honba" } else { "hand-name" };
        let values = json!({ "wind": self.wind(wind), "number": number, "honba": honba });
        Sentence::new(key, values).in_language(self.tag)
    }

    /// A sentence with `n` as its value. A sentence without a value ignores it.
    pub(super) fn sentence(&self, key: &str, n: &dyn ToString) -> String {
        Sentence::new(key, json!({ "n": n.to_string() })).in_language(self.tag)
    }
}

#[cfg(test)]
mod tests {
    use jantaku_engine::rules::PRESETS;

    use super::*;

    #[test]
    fn all_presets_have_sentences() {
        for words in &LANGUAGES[1..] {
            let missing: Vec<&str> = PRESETS
                .iter()
                .map(|preset| preset.name)
                .filter(|name| !words.presets.contains_key(name))
                .collect();
            assert!(missing.is_empty(), "{}: {missing:?}", words.tag);
        }
    }

    #[test]
    fn hands_have_names() {
        let name = |words: &Words, round, honba| words.hand_name(round, honba, Players::Four);
        let [english, japanese, chinese] = &*LANGUAGES;
        assert_eq!(name(english, 1, 1), "East 2, 1 honba");
        assert_eq!((name(japanese, 5, 2), name(chinese, 4, 0)), ("南2局 2本場".into(), "南1局".into()));
        assert_eq!(english.hand_name(3, 0, Players::Three), "South 1");
    }

    #[test]
    fn the_first_known_language_counts() {
        let tag = |accepted| Words::of(accepted).tag;
        assert_eq!(tag(Some("ja,en-US;q=0.9")), "ja");
        assert_eq!(tag(Some("de-DE, zh-CN;q=0.8, en;q=0.5")), "zh");
        assert_eq!((tag(Some("fr")), tag(None)), ("en", "en"));
    }
}
