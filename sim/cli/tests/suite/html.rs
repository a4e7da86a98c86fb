//! `--html`: results as pages for the browser.

use std::collections::HashSet;
use std::fs;

use jantaku_measure::reports::page::{Maker, Origin, PageKind, page};
use serde_json::{Value, json};

use crate::common::program::{folder, json as parsed, ok, page_data as data, path, short_game};

/// The options of a review with few rollouts.
const REVIEW: &str = "--seat=2 --agent=mc:rollouts=16 --rollouts=400 --threshold=100";

/// A text that ends elements, turns the direction of writing, and is long.
fn hostile() -> String {
    format!("</script><script>alert(1)</script>\"'&\u{202e}{{\"x\":1}}{}", "<b>".repeat(3000))
}

/// The text of HTML.
fn unescaped(html: &str) -> String {
    let text = html.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&amp;", "&")
}

/// The parts of a text between two texts.
fn between<'a>(text: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(start).skip(1).map(move |rest| rest.split(end).next().unwrap_or_default())
}

/// The text of an element without its tags.
fn content(html: &str) -> String {
    let mut text = String::new();
    for part in html.split('<') {
        text += part.split_once('>').map_or(part, |(_, text)| text);
    }
    unescaped(&text)
}

/// A row of a table.
#[derive(Debug)]
struct Row {
    heading: String,
    /// The title of its group.
    group: String,
    name: String,
    /// The numbers in attributes, and the texts of the cells.
    numbers: Vec<(f64, String)>,
}

/// All rows of all tables of a page.
fn rows(html: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for section in between(html, "<section", "</section>") {
        let heading = content(between(section, "<h2>", "</h2>").next().unwrap_or_default());
        let mut group = String::new();
        for row in between(section, "<tr", "</tr>") {
            let name = content(&format!("<{}", row.split("</th>").next().unwrap_or_default()));
            if row.starts_with(" class=\"group\"") {
                group = name;
                continue;
            }
            let cells = between(row, "<td", "</td>").flat_map(|cell| {
                let text = content(&format!("<{cell}"));
                let tag = cell.split('>').next().unwrap_or_default().to_owned();
                let numbers = ["data-value", "data-low", "data-high"].map(|name| {
                    between(&tag, &format!("{name}=\""), "\"")
                        .next()
                        .map(|number| serde_json::from_str(number).expect("a number"))
                });
                numbers
                    .into_iter()
                    .flatten()
                    .map(move |number| (number, text.clone()))
                    .collect::<Vec<(f64, String)>>()
            });
            let (heading, group) = (heading.clone(), group.clone());
            rows.push(Row { heading, group, name, numbers: cells.collect() });
        }
    }
    rows
}

/// Whether a text such as `34.1 %` or `1,234` shows this number, rounded.
fn is_rounded(text: &str, exact: f64) -> bool {
    let scale = if text.ends_with(" %") { 100.0 } else { 1.0 };
    let text = text.trim_start_matches(['≤', '≥', '<', '>', ' ']);
    let value = text.split([' ', '%']).next().unwrap_or_default();
    let digits = value.replace([',', '+'], "");
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
    let shown: f64 = digits.parse().expect(text);
    (shown - scale * exact).abs() <= 0.5001 * 10_f64.powi(-decimals)
}

/// All numbers of a value.
fn numbers(value: &Value, found: &mut HashSet<u64>) {
    match value {
        Value::Number(number) => _ = found.insert(number.as_f64().expect("a number").to_bits()),
        Value::Array(values) => values.iter().for_each(|value| numbers(value, found)),
        Value::Object(fields) => fields.values().for_each(|value| numbers(value, found)),
        _ => {}
    }
}

/// What a command prints with `--json`.
fn printed(words: &str, more: &[&str]) -> Value {
    let words: Vec<&str> = words.split(' ').chain(["--json", "--quiet"]).collect();
    parsed(&ok(&[&words, more].concat()))
}

/// Runs a command with `--html` and `--json`. Returns the page, and the object that was printed.
fn reported(words: &str) -> (String, Value) {
    let folder = folder();
    let file = path(&folder, "page.html");
    let printed = printed(words, &["--html", &file]);
    (fs::read_to_string(&file).expect("a page"), printed)
}

/// Every number in the tables of a page is in its JSON, but for those of `computed`.
fn check_numbers(html: &str, json: &Value, computed: &[&str]) {
    let mut known = HashSet::new();
    numbers(json, &mut known);
    let mut checked = 0;
    for row in rows(html).iter().filter(|row| !computed.contains(&row.heading.as_str())) {
        for (number, text) in &row.numbers {
            assert!(known.contains(&number.to_bits()), "{number} {text} {row:?}");
            checked += 1;
        }
    }
    assert!(checked > 10, "{checked}");
}

#[test]
fn a_page_of_statistics_has_the_numbers_of_the_json() {
    let agents = "heuristic,greedy,greedy,greedy";
    let (html, printed) = reported(&format!("stats --games=20 --agents={agents} --by=seat --seed=3"));
    assert_eq!(data(&html), printed);
    check_numbers(&html, &printed, &[]);
    let figures = printed["figures"].as_array().expect("figures");
    let (mut shown, mut groups) = (0, HashSet::new());
    for row in rows(&html) {
        let Some((section, _)) = row.heading.split_once([',', ' ']) else { continue };
        let (name, group) =
            if row.group.is_empty() { (&row.name, "all") } else { (&row.group, &row.name[..]) };
        let name = name.split(", per ").next().unwrap_or_default();
        let name = format!("{}.{name}", section.to_lowercase());
        let Some(figure) = figures.iter().find(|one| one["name"] == name && one["group"] == group) else {
            continue;
        };
        let (value, text) = &row.numbers[0];
        assert_eq!(json!(value), figure["value"], "{row:?}");
        // A value without cases is shown as the bound that its interval has.
        assert!(text.starts_with('≤') || is_rounded(text, *value), "{row:?}");
        if figure["low"].is_number() {
            assert_eq!(
                [json!(row.numbers[1].0), json!(row.numbers[2].0)],
                [figure["low"].clone(), figure["high"].clone()]
            );
        }
        assert_eq!(figure["trials"].as_f64(), row.numbers.last().map(|(trials, _)| *trials), "{row:?}");
        shown += 1;
        groups.insert(group.to_owned());
    }
    let is_shown = |one: &&Value| {
        let group = one["group"].as_str().unwrap_or_default();
        // Tables with a column for each number of han, or for each measure, have several figures in a row.
        let is_alone = !one["name"]
            .as_str()
            .is_some_and(|name| name.starts_with("han-fu.") || name.starts_with("spread."));
        is_alone && (group == "all" || group.starts_with("seat ") || group.starts_with("agent "))
    };
    assert_eq!(shown, figures.iter().filter(is_shown).count());
    assert!(groups.len() == 7, "{groups:?}");
    for fact in ["jantaku stats --games=20", "base = \"tenhou\"", "20 games of ", ", seed 3: "] {
        assert!(html.contains(&fact.replace('"', "&quot;")) || html.contains(fact), "{fact}");
    }
}

#[test]
fn a_page_of_a_match_has_the_numbers_of_the_json() {
    let players = "--challenger=heuristic --baseline=mine=greedy:calls=off";
    let (html, printed) = reported(&format!("match --rules=wrc {players} --sets=6 --variance-reduction"));
    assert_eq!(data(&html), printed);
    check_numbers(&html, &printed, &[]);
    let agents = printed["agents"].as_array().expect("agents");
    for agent in agents {
        let of = |heading: &str| {
            let rows = rows(&html);
            let row =
                rows.into_iter().find(|row| row.heading == heading && agent["agent"] == row.name.as_str());
            row.expect(heading).numbers
        };
        for (heading, means) in [("Results", agent), ("Variance-reduced results", &agent["variance_reduced"])]
        {
            let ends = |mean: &str| ["value", "low", "high"].map(|end| means[mean][end].as_f64());
            let expected = ["placement", "result", "points"].map(ends).concat();
            let found = of(heading);
            assert_eq!(
                found.iter().take(9).map(|(number, _)| Some(*number)).collect::<Vec<_>>(),
                expected,
                "{heading}"
            );
        }
        let shares: Vec<Value> =
            of("Share of games in each place").iter().take(4).map(|(share, _)| json!(share)).collect();
        assert_eq!(json!(shares), agent["placements"]);
    }
    assert!(
        html.contains("<dt>agent mine</dt><dd><pre>greedy:calls=off</pre>")
            && html.contains("base = &quot;wrc&quot;")
    );
}

#[test]
fn a_page_of_a_league_has_the_numbers_of_the_json() {
    let agents = "heuristic,greedy,random,tsumogiri,mine=greedy:calls=off";
    let (html, printed) = reported(&format!("league --agents={agents} --sets=2 --anchor=mine"));
    assert_eq!(data(&html), printed);
    let ahead = "Share of games in which the row's agent finished ahead, of 24 games";
    let found = rows(&html);
    let pairs = printed["pairs"].as_array().expect("pairs");
    // serde_json reads a number with an error of up to one unit in the last place.
    let as_read = |number: f64| serde_json::from_str::<f64>(&number.to_string()).expect("a number");
    let shares: Vec<f64> = pairs
        .iter()
        .map(|pair| pair["ahead"].as_f64().expect("a count") / pair["games"].as_f64().expect("a count"))
        .map(as_read)
        .collect();
    let shown =
        found.iter().filter(|row| row.heading == ahead).flat_map(|row| &row.numbers).map(|(share, _)| *share);
    assert_eq!(shown.collect::<Vec<_>>(), shares);
    for (agent, row) in printed["agents"]
        .as_array()
        .expect("agents")
        .iter()
        .zip(found.iter().filter(|row| row.heading == "Ratings").skip(1))
    {
        assert!(row.name.ends_with(&format!(" {}", agent["agent"].as_str().expect("a name"))), "{row:?}");
        let exact: Vec<f64> = row.numbers.iter().map(|(number, _)| *number).collect();
        let is_in = |value: &Value| value.as_f64().is_none_or(|value| exact.contains(&value));
        assert!(is_in(&agent["games"]) && is_in(&agent["placement"]) && is_in(&agent["rating"]), "{row:?}");
        let first =
            agent["placements"][0].as_f64().expect("a count") / agent["games"].as_f64().expect("a count");
        assert!(exact.contains(&first), "{row:?}");
    }
}

#[test]
fn a_page_of_a_sweep_has_the_numbers_of_the_json() {
    let words = "sweep --rules=tenhou --vary=kuitan=false --games=20 --only=hands,points";
    let (html, printed) = reported(words);
    assert_eq!(data(&html), printed);
    check_numbers(&html, &printed, &[]);
    let mut checked = 0;
    for figure in printed["figures"].as_array().expect("figures").iter().filter(|one| one["group"] == "all") {
        let name = figure["name"].as_str().expect("a name").split_once('.').expect("a section").1;
        let title = format!("{name}, per {}", figure["per"].as_str().expect("a text"));
        let variant = figure["variant"].as_str().expect("a text");
        let found = rows(&html);
        let row = found.iter().find(|row| row.group == title && row.name == variant).expect(&title);
        let keys = ["difference", "difference_low", "difference_high", "value", "low", "high"];
        let exact = keys.iter().filter_map(|key| figure[*key].as_f64());
        assert!(exact.eq(row.numbers.iter().map(|(number, _)| *number)), "{figure} {row:?}");
        checked += 1;
    }
    assert!(checked > 40, "{checked}");
    assert!(html.contains("kuitan = false"));
}

#[test]
fn a_page_of_a_review_has_the_numbers_of_the_json() {
    let folder = folder();
    let run = short_game(&folder);
    let (html, printed) = reported(&format!("analyse {run}:0 {REVIEW}"));
    assert_eq!(data(&html), printed);
    let stated = ["base = \"tenhou-tonpuu\"", "jantaku analyse "].map(|text| unescaped(&html).contains(text));
    assert_eq!((&printed["rules"], stated), (&json!("tenhou-tonpuu"), [true, true]));
    let lists = ["Mistakes", "Undecided decisions", "Other decisions"];
    check_numbers(&html, &printed, &lists);
    let decisions = printed["decisions"].as_array().expect("decisions").iter();
    let losses = decisions.filter(|one| !one["trial"].is_null()).filter_map(|one| one["loss"].as_f64());
    let found = rows(&html);
    let shown = found.iter().filter(|row| lists.contains(&row.heading.as_str()) && !row.numbers.is_empty());
    let sorted = |mut numbers: Vec<f64>| {
        numbers.sort_by(f64::total_cmp);
        numbers
    };
    assert_eq!(sorted(shown.map(|row| row.numbers[0].0).collect()), sorted(losses.collect()));
}

/// Each decision of a review has its tiles, and links to itself in the page of the game, which has the review's
/// advice.
#[test]
fn a_review_links_to_its_game() {
    let folder = folder();
    let run = short_game(&folder);
    let [html, game] = ["a #1.html", "a #1-game.html"].map(|name| path(&folder, name));
    let arguments = ["analyse", &format!("{run}:0"), "--seat=2", "--agent=mc:rollouts=16", "--rollouts=400"];
    let printed = parsed(&ok(&[&arguments[..], &["--json", "--quiet", "--html", &html]].concat()));
    let [review, game] = [html, game].map(|file| std::fs::read_to_string(file).expect("a page"));
    let advised: Vec<u64> = between(&game, "{\"number\":", "}")
        .filter(|decision| decision.contains("\"advice\""))
        .map(|decision| decision.split(',').next().expect("a number").parse().expect("a number"))
        .collect();
    let decisions = printed["decisions"].as_array().expect("decisions");
    assert!(!decisions.is_empty() && advised.len() == decisions.len(), "{advised:?}");
    for (decision, number) in decisions.iter().zip(advised) {
        assert_eq!(decision["step"], number);
        let link = format!("id=\"decision={number}\"><a href=\"./a %231-game.html#decision={number}\">");
        let row = between(&review, &link, "</tr>").next().unwrap_or_else(|| panic!("no {link}"));
        let drawn: String = between(row, "<title>", "</title>").collect();
        let tiles =
            decision["tiles"].as_str().expect("tiles").matches(|one: char| one.is_ascii_digit()).count();
        let played =
            decision["played"].as_str().expect("an action").matches(|one: char| one.is_ascii_digit());
        assert_eq!(drawn.len(), 2 * (tiles + played.count()), "{decision}");
    }
}

/// A value with this name in place of each text, but for the texts that the program chooses.
fn with_names(key: &str, value: &Value, name: &str) -> Value {
    match value {
        Value::String(text) if text.starts_with("agent ") => json!(format!("agent {name}")),
        Value::String(_) if ["kind", "grade", "per", "name", "group", "seatings"].contains(&key) => {
            value.clone()
        }
        Value::String(_) => json!(name),
        Value::Array(values) => values.iter().map(|value| with_names(key, value, name)).collect(),
        Value::Object(fields) => {
            let renamed = |(key, value): (&String, &Value)| (key.clone(), with_names(key, value, name));
            Value::Object(fields.iter().map(renamed).collect())
        }
        other => other.clone(),
    }
}

/// Names, texts and titles stay plain text, even if they contain HTML.
#[test]
fn hostile_texts_stay_texts() {
    let (hostile, folder) = (hostile(), folder());
    let review = format!("analyse {}:0 {REVIEW}", short_game(&folder));
    let results = [
        (PageKind::League, "league --agents=greedy,heuristic,random,tsumogiri --sets=1"),
        (PageKind::Match, "match --challenger=heuristic --baseline=greedy --sets=2"),
        (PageKind::Sweep, "sweep --rules=tenhou --rules=wrc --games=2"),
        (PageKind::Statistics, "stats --games=2 --agents=greedy,random,greedy,random"),
        (PageKind::Review, &review),
    ];
    let training =
        json!({ "rows": [{ "network": "", "step": 1, "seconds": 1.0, &hostile: 1.0 }], "folder": "" });
    let results = results.map(|(kind, words)| (kind, printed(words, &[])));
    for (kind, mut result) in results.into_iter().chain([(PageKind::Training, training)]) {
        if let Some(decisions) = result["decisions"].as_array_mut() {
            decisions.retain(|decision| decision["grade"] == "mistake");
            decisions.truncate(1);
        }
        let result = with_names("", &result, &hostile);
        let origin = Origin { maker: Maker::Command(hostile.clone()), ..Origin::default() };
        let html = page(kind, &result, &origin).expect("a page");
        assert_eq!(html.matches("<script").count(), 2, "{kind:?}");
        assert_eq!(html.matches("</script").count(), 2, "{kind:?}");
        assert!(!html.contains("<b>"), "{kind:?}");
        assert!(html.contains("&lt;script&gt;alert(1)") && html.contains("⟨U+202E⟩"), "{kind:?}");
        assert!(html.len() < 1_000_000, "{kind:?}: {} bytes", html.len());
        let left_out = data(&html);
        assert!(left_out == result || left_out["left_out_of_page"].is_object(), "{kind:?}");
    }
}

/// A sweep over as many variants as there may be, with all figures, fits into a megabyte.
#[test]
fn pages_of_large_sweeps_are_small() {
    let fields = ["ippatsu", "suucha", "kyuushu", "suufon", "kuitan", "rinshan_tsumo_fu"];
    let vary = fields.map(|field| format!(" --vary={field}=true,false")).concat();
    let (html, printed) = reported(&format!("sweep --rules=tenhou --games=2 --by=seat{vary}"));
    assert_eq!(printed["variants"].as_array().map(Vec::len), Some(64));
    assert!(html.len() < 1_000_000, "{} bytes", html.len());
    let data = data(&html);
    let figures = [&data, &printed].map(|json| json["figures"].as_array().expect("figures"));
    let left_out = figures[1].len() - figures[0].len();
    assert_eq!(data["left_out_of_page"]["figures"], left_out);
    assert!(figures[0].iter().all(|figure| figures[1].contains(figure)) && figures[0].len() > 100);
    assert!(html.contains("would make this page too large") && html.contains("The data in this page has "));
    assert!(html.contains("choose fewer figures, or read the result as JSON."), "without marks of Markdown");
    check_numbers(&html, &data, &[]);
}
