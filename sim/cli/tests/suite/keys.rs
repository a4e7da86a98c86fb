//! The keys of JSON output, which `docs/json.md` documents.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::common::program::{folder, jantaku, json, note_copied, ok, path, text};

/// A sweep with two precisions: of a figure with an interval, and of one without.
const SWEEP_UNTIL: [&str; 11] = [
    "sweep",
    "--rules",
    "tenhou",
    "--vary",
    "kiriage=true",
    "--games",
    "2",
    "--precision",
    "hands.tsumo=1%",
    "--precision",
    "players.points=1",
];

/// `stats` until two precisions are reached.
const STATS_UNTIL: [&str; 7] =
    ["stats", "--games", "2", "--precision", "hands.tsumo=1%", "--precision", "players.points=1"];

/// The precision that some games reach.
const PLAN_OF_GAMES: [&str; 8] =
    ["stats", "--plan", "--games", "9", "--agents", "tsumogiri", "--precision", "hands.tsumo=9%"];

const LEAGUE: &str = "greedy,greedy:calls=off,random,tsumogiri";

/// A program that ends after its first answer.
const FAULTY_BOT: &str = r#"mjai:command="echo '{\"type\":\"none\"}'""#;

/// A league with [`FAULTY_BOT`].
const FAULTY_LEAGUE: &str = r#"mjai:command="echo '{\"type\":\"none\"}'",greedy,random,tsumogiri"#;

/// Four agents; the first is [`FAULTY_BOT`].
const FAULTY: &str = r#"mjai:command="echo '{\"type\":\"none\"}'",greedy,greedy,greedy"#;

/// A hand whose dealer discards a tile that they do not hold.
const BROKEN_GAME: &str = r#"{"type":"start_game"}
{"type":"start_kyoku","bakaze":"E","dora_marker":"1m","kyoku":1,"honba":0,"kyotaku":0,"oya":0,"scores":[25000,25000,25000,25000],"tehais":[["2m","3m","4m","5m","6m","7m","8m","9m","1p","2p","3p","4p","5p"],["2m","3m","4m","5m","6m","7m","8m","9m","1p","2p","3p","4p","5p"],["1s","2s","3s","4s","5s","6s","7s","8s","9s","E","S","W","N"],["1s","2s","3s","4s","5s","6s","7s","8s","9s","E","S","W","N"]]}
{"type":"tsumo","actor":0,"pai":"P"}
{"type":"dahai","actor":0,"pai":"9s","tsumogiri":false}
"#;

/// A rule file with an error, one with a field without effect, a run of other agents, one with faults,
/// and one that was played on.
fn rules_and_runs(folder: &TempDir) -> [String; 5] {
    let paths = ["bad.toml", "idle.toml", "other", "faulty", "begun"].map(|name| path(folder, name));
    fs::write(&paths[0], "akadora = 3\n").expect("a file");
    fs::write(&paths[1], "kita_rob = true\n").expect("a file");
    ok(&["selfplay", "--games=1", "--agents=random", "--log=hands", "--out", &paths[2], "--quiet"]);
    let faulty =
        ["selfplay", "--games=1", "--log=hands", "--on-fault=forfeit", "--quiet", "--agents", FAULTY];
    ok(&[&faulty[..], &["--out", &paths[3]]].concat());
    ok(&["selfplay", "--games=1", "--out", &paths[4], "--quiet"]);
    note_copied(&paths[4], 1, 1);
    paths
}

/// A run whose only part another agent played.
fn run_with_a_wrong_part(folder: &TempDir) -> String {
    let [run, other] = ["changed", "played by another"].map(|name| path(folder, name));
    for (out, agent) in [(&run, "x=greedy"), (&other, "x=random")] {
        ok(&["selfplay", "--games=1", "--log=hands", "--agents", agent, "--out", out, "--quiet"]);
    }
    for name in ["hands/part-000000.parquet", "manifest.json"] {
        fs::copy(format!("{other}/{name}"), format!("{run}/{name}")).expect("a file");
    }
    run
}

/// With `--json` each command prints the keys of its table in `docs/json.md`, with their types.
#[test]
fn json_has_the_documented_keys() {
    let folder = folder();
    let (out, [bad, idle, other, faulty, begun]) = (path(&folder, "run"), rules_and_runs(&folder));
    let [log, logs, logged] = ["log.xml", "logs", "logged"].map(|name| path(&folder, name));
    let [broken, kept, gap, page] =
        ["broken.mjson", "kept.jsonl", "gap", "page.html"].map(|name| path(&folder, name));
    fs::write(&log, "<mjloggm><GO type=\"256\"/></mjloggm>").expect("a file");
    fs::write(&broken, BROKEN_GAME).expect("a file");
    let [shard, merged, forged] = ["shard", "merged", "forged"].map(|name| path(&folder, name));
    ok(&["selfplay", "--games=1", "--log=hands", "--seed=1", "--out", &forged, "--quiet"]);
    let (cut, changed) = (cut_log(&folder), run_with_a_wrong_part(&folder));
    ok(&["selfplay", "--games", "2", "--games-per-part=1", "--log", "games", "--out", &gap, "--quiet"]);
    fs::remove_file(format!("{gap}/games/part-000000.parquet")).expect("a part");
    let config = fs::read_to_string(format!("{forged}/run.toml")).expect("a run");
    fs::write(format!("{forged}/run.toml"), config.replace("seed = 1\n", "seed = 2\n")).expect("a file");
    let commands: [(&str, &[&[&str]]); 22] = [
        (
            "selfplay",
            &[
                &["selfplay", "--games", "2", "--out", &out],
                &["selfplay", "--games", "2", "--log", "none", "--quiet"],
                &["selfplay", "--games", "1", "--log", "none", "--agents", FAULTY, "--on-fault", "forfeit"],
                &[
                    "selfplay",
                    "--games=2",
                    "--shard=1/1",
                    "--log=oracle",
                    "--out",
                    &shard,
                    "--labels=deals=1,players=greedy,careful=greedy",
                ],
            ],
        ),
        ("rebuild-manifest", &[&["rebuild-manifest", &out], &["rebuild-manifest", &gap]]),
        ("verify", &[&["verify", &out, &shard, &forged, &log], &["verify", "--quick", &out]]),
        ("verify --replay", &[&["verify", &changed, "--replay=1", "--put-back"]]),
        ("merge", &[&["merge", &shard, "--out", &merged]]),
        ("show", &[&["show", &out, "--game", "1"], &["show", &begun, "--game", "0"], &["show", &broken]]),
        ("view", &[&["view", &broken, "--out", &page]]),
        (
            "convert",
            &[
                &["convert", &out, &log, "--to", "mjai", "--out", &logs],
                &["convert", &out, "--to", "run", "--out", &logged],
                &["convert", &cut, "--to", "tenhou6", "--out", &kept],
            ],
        ),
        (
            "info",
            &[&["info", &out], &["info", &shard], &["info", &logged], &["info", &faulty], &["info", &begun]],
        ),
        (
            "stats",
            &[
                &["stats", &out],
                &["stats", &logged],
                &["stats", &out, &other],
                &["stats", "--games", "1"],
                &["stats", "--games", "2", "--against", "tenhou-2018"],
                &["stats", "--games", "1", "--agents", FAULTY, "--on-fault", "forfeit"],
                &STATS_UNTIL,
            ],
        ),
        (
            "stats --plan",
            &[
                &["stats", "--plan", "--agents", "tsumogiri", "--precision", "hands.tsumo=9%"],
                &["stats", "--plan", "--agents", "tsumogiri", "--precision", "players.points=1"],
                &PLAN_OF_GAMES,
            ],
        ),
        ("stats --list", &[&["stats", "--list"]]),
        ("sweep", &[&["sweep", "--rules", "tenhou", "--vary", "kiriage=true", "--games", "2"], &SWEEP_UNTIL]),
        ("replay", &[&["replay", &logs, &log, &broken], &["replay", &kept, "--rules", "tenhou-sanma"]]),
        (
            "hand",
            &[
                &["hand", "34m567m345p678s55s9m"],
                &["hand", "22p88s222m222s999s+2p", "--by", "tsumo"],
                &["hand", "13m99p[222m][345s][999m]"],
                &["hand", "22p88s[222m][222s][999s]+2p"],
            ],
        ),
        ("perft", &[&["perft", "--depth", "1", "--divide"]]),
        ("rules list", &[&["rules", "list"]]),
        ("rules show", &[&["rules", "show", "wrc"]]),
        ("rules diff", &[&["rules", "diff", "wrc", "mleague"], &["rules", "diff", "rmu-a", "mleague"]]),
        ("rules check", &[&["rules", "check", "wrc", &bad, &idle]]),
        ("agents", &[&["agents"]]),
        ("actions", &[&["actions"]]),
    ];
    for (command, calls) in commands {
        check(command, calls);
    }
    let mut found = BTreeMap::new();
    let manifest = fs::read_to_string(Path::new(&shard).join("manifest.json")).expect("a manifest");
    keys(&json(&manifest), String::new(), &mut found);
    compare_keys("manifest.json", &found);
}

/// [`json_has_the_documented_keys`] for `bench`, which also prints the signature of its games.
#[test]
fn json_of_bench_has_the_documented_keys() {
    let bench = check("bench", &[&["bench", "--repeat", "1"]]).remove(0);
    // A hash of thousands of games of three agents. It changes only with a rule or an agent.
    assert_eq!(bench["signature"], "54afc55a56fe2272");
    let rows = bench["rows"].as_array().expect("rows");
    let mut agents: Vec<&str> = rows.iter().filter_map(|row| row["agent"].as_str()).collect();
    agents.dedup();
    assert_eq!(agents, ["random", "tsumogiri", "greedy", "heuristic", "heuristic:fast"]);
}

/// [`json_has_the_documented_keys`] for `label`.
#[test]
fn json_of_labels_has_the_documented_keys() {
    let folder = folder();
    let [run, labelled] = ["run", "labelled"].map(|name| path(&folder, name));
    ok(&["selfplay", "--games", "1", "--log", "oracle", "--out", &run, "--quiet"]);
    let options = "deals=1,players=greedy,careful=greedy";
    check("label", &[&["label", &run, "--out", &labelled, "--labels", options]]);
}

/// A turn of East.
const POSITION: &str = r#"
round = "E1"
indicators = "3m"
seat = "east"
[east]
river = "9m"
hand = "123m45678p3446s6z+4z"
[south]
river = "1z"
[west]
river = "9p"
[north]
river = "5s"
"#;

/// [`json_has_the_documented_keys`] for `ask`.
#[test]
fn json_of_answers_has_the_documented_keys() {
    let folder = folder();
    let [run, position, claim, kan] =
        ["run", "position.toml", "claim.toml", "kan.toml"].map(|name| path(&folder, name));
    ok(&["selfplay", "--games", "1", "--out", &run, "--quiet"]);
    fs::write(&position, POSITION).expect("a file");
    fs::write(&claim, POSITION.replace("+4z", "")).expect("a file");
    fs::write(&kan, POSITION.replace("123m45678p3446s6z", "1111m45678p3446s")).expect("a file");
    check(
        "ask",
        &[
            &["ask", &position, "--agents", "heuristic,greedy,residual"],
            &["ask", &format!("{run}:0:0"), "--agents", "greedy"],
            &["ask", &claim, "--threads", "2"],
            &["ask", &kan],
        ],
    );
}

/// [`json_has_the_documented_keys`] for `analyse`.
#[test]
fn json_of_reviews_has_the_documented_keys() {
    let folder = folder();
    let [run, begun, log] = ["run", "begun", "log.jsonl"].map(|name| path(&folder, name));
    for run in [&run, &begun] {
        ok(&["selfplay", "--games", "1", "--agents", "random", "--out", run, "--quiet"]);
    }
    ok(&["convert", &run, "--to", "mjai", "--out", &log, "--quiet"]);
    // All of its first hand was copied, so nothing is reviewed.
    note_copied(&begun, 1000, 1);
    let [game, begun] = [run, begun].map(|run| format!("{run}:0"));
    let few = ["--hand", "0", "--agent", "mc:rollouts=16", "--rollouts", "20000", "--threads", "2"];
    let of = |place| [&["analyse", place, "--seat", "1"][..], &few].concat();
    check("analyse", &[&of(&game), &of(&begun), &of(&log)]);
}

/// [`json_has_the_documented_keys`] for commands that compare agents.
#[test]
fn json_of_matches_has_the_documented_keys() {
    let folder = folder();
    let [matched, league] = ["match", "league"].map(|name| path(&folder, name));
    let pair = ["match", "--challenger", "greedy", "--baseline", "random"];
    let with = |more: &[&'static str]| [&pair[..], more].concat();
    let kept = [&pair[..], &["--sets", "2", "--out", &matched]].concat();
    let orders = ["match", "--agents", "greedy,random,greedy,tsumogiri", "--sets", "1"];
    let faulty = ["match", "--challenger", FAULTY_BOT, "--baseline", "greedy", "--sets", "1"];
    let faulty = [&faulty[..], &["--on-fault", "forfeit"]].concat();
    check(
        "match",
        &[
            &kept,
            &with(&["--sets", "1", "--variance-reduction"]),
            &with(&["--sprt", "0,0.05"]),
            &orders,
            &faulty,
        ],
    );
    let [share, faulty_share] = ["share", "faulty share"].map(|name| path(&folder, name));
    check(
        "match --shard",
        &[
            &[&pair[..], &["--sets", "2", "--shard", "1/1", "--out", &share]].concat(),
            &[&faulty[..], &["--shard", "1/1", "--out", &faulty_share]].concat(),
        ],
    );
    let pilot = ["match", "--challenger", "tsumogiri", "--baseline", "random", "--plan", "difference=0.1"];
    check("match --plan", &[&with(&["--plan", "difference=1,variance=1"]), &pilot]);
    check(
        "league",
        &[
            &["league", "--agents", LEAGUE, "--sets", "3", "--out", &league],
            &["league", "--agents", "greedy,tsumogiri", "--sets", "1", "--rules", "duo"],
            &["league", "--agents", FAULTY_LEAGUE, "--sets", "1", "--on-fault", "forfeit"],
        ],
    );
}

/// A game as mjai that is cut in its third hand.
fn cut_log(folder: &TempDir) -> String {
    let [run, logs, cut] = ["whole", "whole logs", "cut.mjson"].map(|name| path(folder, name));
    ok(&["selfplay", "--games", "1", "--seed", "1", "--out", &run, "--quiet"]);
    ok(&["convert", &run, "--to", "mjai", "--out", &logs, "--quiet"]);
    let whole = fs::read_to_string(format!("{logs}/000000.mjson")).expect("a log");
    let third = whole.match_indices("start_kyoku").nth(2).expect("three hands").0;
    fs::write(&cut, &whole[..third + 1000]).expect("a file");
    cut
}

/// Compares the keys of all calls with the section of the command, and returns the output of each
/// call.
fn check(command: &str, calls: &[&[&str]]) -> Vec<serde_json::Value> {
    let mut found = BTreeMap::new();
    let mut values = Vec::new();
    for words in calls {
        let output = jantaku(&[*words, &["--json"]].concat());
        let printed = text(&output.stdout);
        assert_eq!(printed.matches('\n').count(), 1, "{words:?} prints one line: {printed}");
        values.push(json(&printed));
        keys(&values[values.len() - 1], String::new(), &mut found);
    }
    compare_keys(command, &found);
    values
}

fn compare_keys(section: &str, found: &BTreeMap<String, BTreeSet<&'static str>>) {
    let documented = documented_keys(section);
    assert_eq!(found.keys().collect::<Vec<_>>(), documented.keys().collect::<Vec<_>>(), "{section}");
    for (key, types) in found {
        let allowed = &documented[key];
        let fits = allowed == "any" || types.iter().all(|found| allowed.split(" or ").any(|t| t == *found));
        assert!(fits, "{section}: {key} is {types:?}, documented as {allowed}");
    }
}

/// The keys of a section of `docs/json.md`, with their types.
fn documented_keys(section: &str) -> BTreeMap<String, String> {
    let page = include_str!("../../../docs/json.md");
    let text = page.split("\n## ").find(|text| text.starts_with(&format!("{section}\n")));
    let rows = text.expect("a section").lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split(" | ").collect();
        (cells[0].trim_matches(['|', ' ', '`']).to_owned(), cells[1].replace("true or false", "bool"))
    })
    .collect()
}

/// Collects the paths of all values in an object, with their types. Keys that are data become
/// placeholders.
fn keys(value: &serde_json::Value, path: String, found: &mut BTreeMap<String, BTreeSet<&'static str>>) {
    use serde_json::Value;
    let data = [
        ("draws", "<reason>"),
        ("faults", "<agent>"),
        ("fault_shares", "<agent>"),
        ("fields", "<field>"),
        ("origins", "<field>"),
    ];
    let data = data.iter().find(|(object, _)| *object == path);
    let is_any = path.ends_with('>') || ["id", "differences[].left", "differences[].right"].contains(&&*path);
    let kind = match value {
        Value::Object(entries) if !is_any => {
            let dot = if path.is_empty() { "" } else { "." };
            for (key, value) in entries {
                let key = data.map_or(key.as_str(), |(_, name)| name);
                keys(value, format!("{path}{dot}{key}"), found);
            }
            return;
        }
        Value::Array(entries) if !is_any => {
            return entries.iter().for_each(|value| keys(value, format!("{path}[]"), found));
        }
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(_) | Value::Object(_) => "any",
    };
    found.entry(path).or_default().insert(kind);
}
