//! The words of pages, in a file for each language.
//!
//! The object `page` of a file has the words of the viewer, and `site` those of a server's pages.
//! Names without an entry in `terms` are shown as the program writes them, without hyphens.

use std::sync::LazyLock;

use jantaku_engine::Yaku;
use serde_json::{Map, Value};

/// The words in English, Japanese and Chinese, as JSON.
pub const WORDS: [&str; 3] =
    [include_str!("words/en.json"), include_str!("words/ja.json"), include_str!("words/zh.json")];

/// The script that defines the words of the viewer.
pub(crate) static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let languages: Map<String, Value> = WORDS.map(page).into_iter().collect();
    format!("const WORDS = {};\n", Value::from(languages))
});

/// The tag of a language and the words of the viewer, with the names of the yaku among the terms.
fn page(file: &str) -> (String, Value) {
    let mut words: Value = serde_json::from_str(file).expect("a file of words is JSON");
    let tag = words["site"]["tag"].as_str().expect("a language has a tag").to_owned();
    let mut page = words["page"].take();
    for yaku in Yaku::all() {
        let name = match tag.as_str() {
            "ja" => yaku.names().japanese,
            "zh" => yaku.names().chinese,
            _ => continue,
        };
        page["terms"][yaku.name()] = name.into();
    }
    (tag, page)
}

#[cfg(test)]
mod tests {
    use jantaku_engine::{ActionId, DrawReason, Limit, Wait};

    use super::*;

    /// English shows the names themselves.
    #[test]
    fn all_names_have_words_in_japanese_and_chinese() {
        let draws = DrawReason::ALL.into_iter().map(DrawReason::name);
        let limits = [Limit::Mangan, Limit::Haneman, Limit::Baiman, Limit::Sanbaiman, Limit::Yakuman];
        let waits = [Wait::Ryanmen, Wait::Kanchan, Wait::Penchan, Wait::Shanpon, Wait::Tanki];
        let waits = waits.map(|wait| format!("{wait}-wait"));
        let fu = "base closed-ron tsumo pair ankan open-kan concealed-triplet open-triplet open-pinfu \
                  seven-pairs rounding dora ura-dora red-fives kita";
        let names = Yaku::all().map(Yaku::name).chain(draws).chain(limits.map(Limit::name));
        let names: Vec<String> = names.chain(fu.split_whitespace()).map(str::to_owned).chain(waits).collect();
        let actions: Vec<&str> =
            ActionId::all().map(|id| id.action().word()).chain(["riichi", "open riichi"]).collect();
        for (tag, page) in &WORDS.map(page)[1..] {
            let missing: Vec<_> = names.iter().filter(|name| page["terms"].get(name).is_none()).collect();
            assert!(missing.is_empty(), "{tag}: {missing:?}");
            let missing: Vec<_> = actions.iter().filter(|name| page["actions"].get(name).is_none()).collect();
            assert!(missing.is_empty(), "{tag}: {missing:?}");
        }
    }

    /// But for names that English shows as they are.
    #[test]
    fn all_languages_have_the_same_words() {
        let [english, others @ ..] = WORDS.map(page).map(|(_, page)| {
            let mut keys = Vec::new();
            for (key, value) in page.as_object().expect("an object") {
                let inner = value.as_object().filter(|_| !["terms", "actions"].contains(&&**key));
                let inner = inner.into_iter().flat_map(|inner| inner.keys());
                keys.extend(inner.map(|name| format!("{key}: {name}")).chain([key.clone()]));
            }
            keys
        });
        assert!(english.len() > 60, "{english:?}");
        assert!(others.iter().all(|keys| *keys == english), "{english:?} {others:?}");
    }

    #[test]
    fn pages_use_all_words() {
        const SCRIPTS: [&str; 4] = [
            include_str!("view/page/page.html"),
            include_str!("view/page/page.js"),
            include_str!("view/page/play.js"),
            include_str!("view/page/position.js"),
        ];
        // The kinds of events are captions by their names.
        let is_event = |key: &str| ["riichi-accepted", "dead-hand", "indicator"].contains(&key);
        let is_used = |key: &str| SCRIPTS.iter().any(|script| script.contains(&format!("\"{key}\"")));
        let (_, page) = page(WORDS[0]);
        let keys = page.as_object().expect("an object").keys().filter(|key| *key != "terms");
        let unused: Vec<_> = keys.filter(|key| !is_event(key) && !is_used(key)).collect();
        assert!(unused.is_empty(), "{unused:?}");
    }
}
