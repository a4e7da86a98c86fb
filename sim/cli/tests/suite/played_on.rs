//! Games played on from a decision of another game: the actions of its players do not count for the
//! new players.

use std::fs;

use serde_json::{Value, json};

use crate::common::program::{self, folder, jantaku, json as parsed, ok, path, text};

/// The decisions of the run that were copied, and their hands: they end within hand 1.
const DECISIONS: usize = 100;
const HANDS: usize = 2;

/// A run of one game.
fn played(folder: &tempfile::TempDir) -> String {
    let run = path(folder, "run");
    ok(&["selfplay", "--games=1", "--agents=greedy", "--seed=5", "--out", &run, "--quiet"]);
    run
}

/// Notes in a run that these decisions were copied.
fn note_copied(run: &str) {
    program::note_copied(run, DECISIONS, HANDS);
}

fn count(of: &Value, key: &str) -> u64 {
    of[key].as_u64().unwrap_or_else(|| panic!("no number `{key}`: {of}"))
}

/// The rows of a figure.
fn rows<'a>(stats: &'a Value, name: &str) -> Vec<&'a Value> {
    let figures = stats["figures"].as_array().expect("figures");
    figures.iter().filter(|row| row["name"] == name).collect()
}

/// Only hands without a copied decision count, and no result.
#[test]
fn statistics_begin_with_the_first_whole_hand() {
    let folder = folder();
    let run = played(&folder);
    let before = parsed(&ok(&["stats", &run, "--json"]));
    assert_eq!((count(&before, "games"), count(&before, "played_on")), (1, 0));
    note_copied(&run);
    let after = parsed(&ok(&["stats", &run, "--json"]));
    let hands = count(&before, "hands") - HANDS as u64;
    assert!(hands > 2, "{before}");
    let found = ["games", "played_on", "hands"].map(|key| count(&after, key));
    assert_eq!(found, [0, 1, hands]);
    assert_eq!(after["complete"], true);
    for row in rows(&after, "players.win") {
        if row["group"] == "all" {
            assert_eq!(count(row, "trials"), 4 * hands, "{row}");
        }
        assert!(count(row, "trials") <= 4 * hands, "{row}");
    }
    assert!(rows(&after, "players.win").len() > 4);
    for of_games in ["players.placement", "players.result", "games.hands"] {
        assert!(rows(&after, of_games).is_empty() && !rows(&before, of_games).is_empty(), "{of_games}");
    }
    let html = path(&folder, "stats.html");
    let page = ok(&["stats", &run, "--html", &html]);
    let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let note = "1 game was played on from a decision of another game: hands with decisions copied from there and \
                final results are not counted";
    assert!(
        words.starts_with(&format!("0 games of greedy under tenhou, from {run}: {hands} hands")),
        "{page}"
    );
    assert!(words.contains(note) && fs::read_to_string(&html).expect("a page").contains(note), "{page}");
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
    assert_eq!(before["copied"], Value::Null);
    note_copied(&run);
    let after = review();
    assert_eq!(after["copied"], json!({ "decisions": DECISIONS, "hands": HANDS }));
    let steps = |review: &Value| -> Vec<u64> {
        review["decisions"].as_array().expect("decisions").iter().map(|one| count(one, "step")).collect()
    };
    let expected: Vec<u64> = steps(&before).into_iter().filter(|step| *step >= DECISIONS as u64).collect();
    assert!(!expected.is_empty() && expected.len() < steps(&before).len());
    assert_eq!(steps(&after), expected);
    assert!(count(&after, "clear") < count(&before, "clear"));
    let html = path(&folder, "review.html");
    let page = ok(&[&words[..], &["--html", &html]].concat());
    let note =
        format!("first {DECISIONS} decisions were copied from another game, where other players made them");
    let joined = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(joined.contains(&format!("Not reviewed: the {note}.")), "{page}");
    assert!(fs::read_to_string(html).expect("a page").contains(&note));
}

/// `info`, `show` and `view` say which decisions were copied, and `view` advises on none of them.
#[test]
fn commands_that_show_the_game_say_so() {
    let folder = folder();
    let run = played(&folder);
    let place = format!("{run}:0");
    assert_eq!(parsed(&ok(&["info", &run, "--json"]))["copied"], Value::Null);
    assert!(parsed(&ok(&["show", &place, "--json"])).get("copied").is_none());
    note_copied(&run);
    let copied = json!({ "decisions": DECISIONS, "hands": HANDS });
    for words in [["info", &run, "--json"], ["show", &place, "--json"]] {
        assert_eq!(parsed(&ok(&words))["copied"], copied, "{words:?}");
    }
    let note = format!("the first {DECISIONS} decisions were copied from another game");
    for words in [["info", &run], ["show", &place]] {
        let shown = ok(&words).split_whitespace().collect::<Vec<_>>().join(" ");
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
