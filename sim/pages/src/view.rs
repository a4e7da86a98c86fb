//! The page of a view.
//!
//! # Why
//!
//! **Why do pages state hashes of their script?** Each page has a content security policy with the
//! hashes of its style and script. The browser runs nothing else, even if a log contains a script.
//! Rejected: a nonce, because an unchanging file cannot keep it secret.

use std::sync::LazyLock;

use jantaku_show::LANGUAGES;
use jantaku_show::view::{GameView, Opening};
use serde::Serialize;
use serde_json::Value;

use crate::draw::SPRITE;
use crate::html::{embedded, escaped, policy};

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = concat!(include_str!("theme.css"), include_str!("page/page.css"));
const SCRIPT: &str = concat!(include_str!("page/page.js"), include_str!("page/position.js"));
const PLAY_STYLE: &str =
    concat!(include_str!("theme.css"), include_str!("page/page.css"), include_str!("page/play.css"));
const PLAY_SCRIPT: &str = concat!(include_str!("page/page.js"), include_str!("page/play.js"));

/// The script that defines the words of the viewer.
static WORDS: LazyLock<String> =
    LazyLock::new(|| format!("const WORDS = {};\n", Value::from(LANGUAGES.clone())));

/// What the script reads.
#[derive(Serialize)]
struct Data<'a, P> {
    game: &'a GameView,
    opening: Opening,
    #[serde(skip_serializing_if = "Option::is_none")]
    play: Option<P>,
    /// The address where a server plays on from a decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    play_on: Option<&'a str>,
}

/// The page of a view: one file of HTML that needs no other file and no network.
///
/// Its content security policy allows only its own style and script, by their hashes. The texts of
/// the view stand in a block of JSON, which the script shows as text.
///
/// ```
/// use jantaku_engine::{Game, Rules};
/// use jantaku_pages::page;
/// use jantaku_show::view::{GameView, Opening};
///
/// let game = Game::new(&Rules::default(), 1);
/// let (seat, _) = game.decisions().next().expect("the dealer begins");
/// let view = GameView::from_position(&game.observe(seat), "</script><script>", "tenhou");
/// let html = page(&view, Opening::default());
/// assert!(html.contains("<title>&lt;/script&gt;&lt;script&gt;"));
/// assert_eq!(html.matches("<script").count(), 2, "the data and the script");
/// ```
pub fn page(view: &GameView, opening: Opening) -> String {
    let data = Data::<()> { game: view, opening, play: None, play_on: None };
    filled(STYLE, SCRIPT, "form-action 'none'", &data)
}

/// [`page()`] on a server that can play on: under this address followed by the number of a decision, with
/// the seat at the bottom as the query `seat`.
pub fn served_page(view: &GameView, opening: Opening, play_on: &str) -> String {
    let data = Data::<()> { game: view, opening, play: None, play_on: Some(play_on) };
    filled(STYLE, SCRIPT, "form-action 'none'", &data)
}

/// The page of a table in play: the page of a view to which a server adds events.
///
/// Its script also reads `play`, and asks the server for news.
pub fn play_page(view: &GameView, opening: Opening, play: &impl Serialize) -> String {
    let data = Data { game: view, opening, play: Some(play), play_on: None };
    filled(PLAY_STYLE, PLAY_SCRIPT, "connect-src 'self'; form-action 'none'", &data)
}

fn filled(style: &str, script: &str, targets: &str, data: &Data<'_, impl Serialize>) -> String {
    let script = format!("{}{script}", *WORDS);
    let json = serde_json::to_string(data).expect("a view has a JSON form");
    fill(TEMPLATE, |name| match name {
        "title" => escaped(&data.game.source),
        "policy" => policy(style, &script, targets),
        "style" => style.to_owned(),
        "tiles" => SPRITE.to_owned(),
        "data" => embedded(&json),
        "script" => script.clone(),
        other => panic!("the template has an unknown place {other}"),
    })
}

/// The template with a text for each `{{name}}`.
fn fill(template: &str, text: impl Fn(&str) -> String) -> String {
    let mut parts = template.split("{{");
    let mut page = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").expect("a place of the template ends");
        page += &text(name);
        page += rest;
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_loads_nothing() {
        for text in [TEMPLATE, PLAY_STYLE, SCRIPT, &WORDS] {
            let without = text.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "");
            assert!(!without.contains("http") && !without.contains("//www") && !without.contains("@import"));
            assert!(
                !without.contains("url(") && !without.contains("fetch(") && !without.contains("innerHTML")
            );
        }
        for text in [PLAY_SCRIPT, PLAY_STYLE, &WORDS] {
            assert!(!text.contains("</") && !text.contains("<!--"));
        }
    }

    /// A table asks the server that sent it, and no other.
    #[test]
    fn the_page_of_a_table_asks_its_own_server() {
        let only_here = PLAY_SCRIPT.split("fetch(").skip(1).all(|rest| rest.starts_with("`${play.path}"));
        assert!(only_here && PLAY_SCRIPT.contains("fetch(") && !PLAY_SCRIPT.contains("innerHTML"));
        assert!(!PLAY_SCRIPT.replace("http://www.w3.org/2000/svg", "").contains("http"));
    }

    #[test]
    fn places_of_the_template_are_filled_once() {
        let filled =
            fill("a {{x}} b {{y}} c", |name| if name == "x" { "{{y}}".to_owned() } else { "2".to_owned() });
        assert_eq!(filled, "a {{y}} b 2 c");
    }

    #[test]
    fn pages_use_all_words() {
        let scripts = [TEMPLATE, SCRIPT, PLAY_SCRIPT];
        // The kinds of events are captions by their names.
        let is_event = |key: &str| ["riichi-accepted", "dead-hand", "indicator"].contains(&key);
        let is_used = |key: &str| scripts.iter().any(|script| script.contains(&format!("\"{key}\"")));
        let words = LANGUAGES["en"].as_object().expect("an object");
        let keys = words.keys().filter(|key| *key != "terms");
        let unused: Vec<_> = keys.filter(|key| !is_event(key) && !is_used(key)).collect();
        assert!(unused.is_empty(), "{unused:?}");
    }
}
