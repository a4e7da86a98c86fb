//! Games that branch from another game: the actions of its players do not count for the new players.

use std::fs;

use serde_json::{Value, json};

use crate::common::program::{folder, jantaku, json as parsed, note_branch, ok, path, text};

/// The decisions of the run that were copied. They end within hand 1.
const DECISIONS: usize = 100;

/// A run of one game.
fn played(folder: &tempfile::TempDir) -> String {
    let run = path(folder, "run");
    ok(&["selfplay", "--games=1", "--agents=greedy", "--seed=5", "--out", &run, "--quiet"]);
    run
}

fn count(of: &Value, key: &str) -> u64 {
    of[key].as_u64().unwrap_or_else(|| panic!("no number `{key}`: {of}"))
}

/// A review begins with the first decision of the players.
#[test]
fn reviews_begin_with_the_first_decision() {
    let folder = folder();
    let run = played(&folder);
    let place = format!("{run}:0");
    let words = ["analyse", &place, "--seat=0", "--hand=1", "--agent=mc:rollouts=16", "--rollouts=0"];
    let review = || parsed(&ok(&[&words[..], &["--json"]].concat()));
    let before = review();
    assert_eq!(before["notes"], json!([]));
    note_branch(&run, DECISIONS);
    let after = review();
    let steps = |review: &Value| -> Vec<u64> {
        review["decisions"].as_array().expect("decisions").iter().map(|one| count(one, "step")).collect()
    };
    let expected: Vec<u64> = steps(&before).into_iter().filter(|step| *step >= DECISIONS as u64).collect();
    assert!(!expected.is_empty() && expected.len() < steps(&before).len());
    assert_eq!(steps(&after), expected);
    assert!(count(&after, "clear") < count(&before, "clear"));
    let html = path(&folder, "review.html");
    let page = ok(&[&words[..], &["--html", &html]].concat());
    let note = format!(
        "the first {DECISIONS} decisions were copied from another game, where other players made them"
    );
    assert_eq!(after["notes"], json!([note]));
    let joined = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(joined.contains(&format!("note: {note}")), "{page}");
    assert!(fs::read_to_string(html).expect("a page").contains(&note));
}

/// `info`, `show` and `view` say which decisions were copied, and `view` advises on none of them.
#[test]
fn commands_that_show_the_game_say_so() {
    let folder = folder();
    let run = played(&folder);
    let place = format!("{run}:0");
    assert_eq!(parsed(&ok(&["info", &run, "--json"]))["branch"], Value::Null);
    assert!(parsed(&ok(&["show", &place, "--json"])).get("notes").is_none());
    note_branch(&run, DECISIONS);
    let note = format!("the first {DECISIONS} decisions were copied from another game");
    for words in
        [&["info", &run][..], &["show", &place], &["info", &run, "--json"], &["show", &place, "--json"]]
    {
        let shown = ok(words).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.contains(&note), "{shown}");
    }
    let page = path(&folder, "page.html");
    let viewed = jantaku(&["view", &place, "--agent=greedy", "--out", &page]);
    assert!(text(&viewed.stderr).contains(&note), "{}", text(&viewed.stderr));
    let page = fs::read_to_string(page).expect("a page");
    let (_, rest) = page.split_once("id=\"data\">").expect("a block of data");
    let data: Value = parsed(rest.split_once("</script>").expect("its end").0);
    let hands = data["game"]["hands"].as_array().expect("hands");
    let steps = hands.iter().flat_map(|hand| hand["steps"].as_array().expect("steps"));
    let decisions = steps.flat_map(|step| step["decisions"].as_array().cloned().unwrap_or_default());
    let (mut advised, mut bare) = (0, 0);
    for decision in decisions {
        let is_copied = count(&decision, "number") < DECISIONS as u64;
        let is_advised = !decision["advice"].is_null();
        assert!(!is_copied || !is_advised, "{decision}");
        advised += usize::from(is_advised);
        bare += usize::from(is_copied);
    }
    assert!(advised > 0 && bare == DECISIONS, "{advised} {bare}");
    assert!(ok(&["verify", &run]).contains("1 game"));
}
