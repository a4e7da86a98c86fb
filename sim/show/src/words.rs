//! The words of pages, in a file for each language.
//!
//! The object `page` of a file has the words of the viewer, and `site` those of a server's pages.
//! Names without an entry in `terms` are shown as the program writes them, without hyphens.

use std::fmt::{self, Display, Formatter};
use std::sync::LazyLock;

use jantaku_engine::Yaku;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::text::points;

/// The words in English, Japanese and Chinese, as JSON.
pub const WORDS: [&str; 3] =
    [include_str!("words/en.json"), include_str!("words/ja.json"), include_str!("words/zh.json")];

/// The words of the viewer by the tags of their languages.
pub static LANGUAGES: LazyLock<Map<String, Value>> = LazyLock::new(|| WORDS.map(page).into_iter().collect());

/// A sentence of the program: a `key` and values, or a text that is English in all languages.
///
/// The object `sentences` of each language has the template of the key. `{name}` in it is a value: a number,
/// a text such as an action, or another sentence. `{name:key}` is the sentence with that key and the value as
/// its `n`. A template in two forms has the singular and the plural of `n`.
///
/// ```
/// use jantaku_show::Sentence;
///
/// let sentence = Sentence::new("highest-probability", serde_json::json!({ "percent": 62.5 }));
/// assert_eq!(sentence.to_string(), "it has the highest probability, 62.5 %");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Sentence(Value);

impl Sentence {
    /// The sentence with this key. The values are an object, or `()` if it takes none.
    pub fn new(key: &str, values: impl Serialize) -> Sentence {
        let mut values = json!(values);
        values["key"] = key.into();
        Sentence(values)
    }

    /// The key. None of a text that is English in all languages.
    pub fn key(&self) -> Option<&str> {
        self.0["key"].as_str()
    }

    /// The sentence in the language with this tag.
    ///
    /// # Panics
    ///
    /// If the language has no template for the key, or there is no such language.
    pub fn in_language(&self, tag: &str) -> String {
        said(&LANGUAGES[tag]["sentences"], &self.0)
    }
}

impl<T: Into<String>> From<T> for Sentence {
    fn from(text: T) -> Sentence {
        Sentence(Value::String(text.into()))
    }
}

/// English.
impl Display for Sentence {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_language("en"))
    }
}

/// A value or a sentence as text.
fn said(templates: &Value, value: &Value) -> String {
    let Some(key) = value["key"].as_str() else {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        return value.as_i64().map_or(text, |whole| points(whole as i32));
    };
    let is_one = value["n"].as_i64().is_some_and(|n| n.abs() == 1);
    let template = templates[key].get(usize::from(!is_one)).unwrap_or(&templates[key]);
    let parts = template.as_str().expect("each sentence has a template").split(['{', '}']);
    let part = |(at, part): (usize, &str)| match part.split_once(':') {
        _ if at % 2 == 0 => part.to_owned(),
        None => said(templates, &value[part]),
        Some((name, key)) => said(templates, &json!({ "key": key, "n": value[name] })),
    };
    parts.enumerate().map(part).collect()
}

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
    use std::collections::BTreeSet;

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

    /// The values of the templates of each sentence, of both forms.
    #[test]
    fn sentences_have_the_same_values_in_all_languages() {
        let values = |template: &Value| -> BTreeSet<String> {
            let forms = template.as_array().map_or_else(|| vec![template], |forms| forms.iter().collect());
            let texts = forms.into_iter().map(|form| form.as_str().expect("a template"));
            texts.flat_map(|text| text.split(['{', '}']).skip(1).step_by(2)).map(str::to_owned).collect()
        };
        let [english, others @ ..] = WORDS.map(page).map(|(_, mut page)| page["sentences"].take());
        for (key, template) in english.as_object().expect("an object") {
            let of_others = others.each_ref().map(|other| values(&other[key]));
            assert_eq!(of_others, [values(template), values(template)], "{key}");
        }
    }

    #[test]
    fn sentences_have_values_and_forms() {
        let more = |n: i32| Sentence::new("more", json!({ "points": n, "action": "pass" }));
        let value = |n: i32| json!({ "actions": 2, "value": n, "lead": more(1200), "win": Sentence::new("percent", json!({ "n": 5 })) });
        let said = |n| Sentence::new("highest-value", value(n)).to_string();
        let end = "1,200 more than pass; it wins 5 % of hands";
        assert_eq!(said(-1), format!("it has the highest value of 2 actions: -1 point, {end}"));
        assert_eq!(said(2500), format!("it has the highest value of 2 actions: 2,500 points, {end}"));
        assert_eq!(more(1200).in_language("ja"), "passより1,200点高い");
        assert_eq!(Sentence::from("{a: b}").in_language("zh"), "{a: b}");
    }
}
