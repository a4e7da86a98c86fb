//! A person plays at a table.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

use jantaku_serve::{Site, TableSetup, TimeLimit};
use jantaku_sim::replay::source::GameOfLog;
use jantaku_sim::replay::verify::verify;
use serde_json::{Value, json};

use super::client::{Running, body, choice, offer, parsed, play, send_form, setup, status};

/// The files of a finished game that do not depend on when it was played.
fn files(table: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let tables = ["games", "hands", "decisions"].map(|table| format!("run/{table}/part-000000.parquet"));
    let others = ["run/run.toml", "run/manifest.json", "game.mjson", "decisions.txt"].map(str::to_owned);
    let read = |name: String| {
        let content = fs::read(table.join(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        // The order of the answers of several seats depends on who is faster.
        let content = if name == "decisions.txt" { by_seat(&content) } else { content };
        (PathBuf::from(name), content)
    };
    tables.into_iter().chain(others).map(read).collect()
}

/// Decisions, those of each seat together.
fn by_seat(decisions: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(decisions);
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_by_key(|line| line.split(' ').next());
    lines.join("\n").into_bytes()
}

/// Checks the run and the log of a finished game.
pub(super) fn check_kept(table: &Path, setup: &TableSetup) {
    let found = verify(&table.join("run"), &mut (), |_| panic!("a difference"), |error| panic!("{error}"));
    assert_eq!(found.expect("a run"), 1);
    let game = GameOfLog::open(&table.join("game.mjson"), 0, None).expect("a log").game;
    assert_eq!((&game.names, game.rules), (&setup.agents, setup.rules));
    let report = game.replay(&mut ());
    assert_eq!(report.differences, []);
}

/// No tile in the news is hidden from the person: neither in hands, draws and waits, nor in
/// decisions.
pub(super) fn check_hidden(news: &Value, seat: u8) {
    let is_hidden = |tiles: &Value| {
        tiles.as_str().is_none_or(|tiles| tiles.split(' ').all(|tile| tile == "xx" || tile.is_empty()))
    };
    let check = |sides: &Value| {
        for (other, side) in
            sides.as_object().into_iter().flatten().filter(|(other, _)| **other != seat.to_string())
        {
            for name in ["hand", "drawn", "waits"] {
                assert!(is_hidden(&side[name]), "{name} of {other}: {side}");
            }
            assert!(side["shanten"].is_null() && side["furiten"] != true, "{side}");
        }
    };
    for hand in news["hands"].as_array().expect("hands") {
        check(&hand["start"]["seats"]);
        for step in hand["steps"].as_array().expect("steps") {
            assert!(step.get("decisions").is_none(), "{step}");
            if step["event"] == "draw" && step["seat"] != seat {
                assert_eq!(step["tile"], Value::Null, "{step}");
            }
            if !["hand-end", "game-end"].contains(&step["event"].as_str().expect("an event")) {
                check(&step["changes"]["seats"]);
            }
        }
    }
}

/// No tile is hidden from the person in anything that the server answers about a table while they must
/// decide.
pub(super) fn check_answers(server: &Running, name: &str, seat: u8, decision: &Value) {
    let page = server.get(&format!("/tables/{name}"));
    let data = page.split_once("id=\"data\">").and_then(|(_, rest)| rest.split_once("</script>"));
    let data: Value = serde_json::from_str(data.expect("data").0).expect("JSON");
    check_hidden(&data["game"], seat);
    check_hidden(&data["play"]["news"], seat);
    let number = json!({ "decision": decision["number"] });
    check_hidden(&server.decide(name, "ready", &number), seat);
    check_hint(&server.decide(name, "hint", &number), decision);
}

/// A hint names the tiles of legal actions, and no others but waits, which follow from the person's own hand.
fn check_hint(hint: &Value, decision: &Value) {
    let tiles = |text: &str| -> BTreeSet<String> {
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
        let is_tiles = |word: &&str| {
            let numbers = word.strip_suffix(['m', 'p', 's', 'z']).unwrap_or_default();
            !numbers.is_empty() && numbers.bytes().all(|byte| byte.is_ascii_digit())
        };
        words.filter(is_tiles).map(str::to_owned).collect()
    };
    assert!(hint["opinion"]["action"].is_string(), "{hint}");
    let mut rest = hint.clone();
    rest["opinion"]["options"].as_array_mut().into_iter().flatten().for_each(|option| {
        option.as_object_mut().expect("an object").remove("waits");
    });
    let (named, legal) = (tiles(&rest.to_string()), tiles(&decision["actions"].to_string()));
    assert!(named.is_subset(&legal), "{hint} at {decision}");
    let texts: Vec<&Value> =
        decision["actions"].as_array().expect("actions").iter().map(|one| &one["text"]).collect();
    for option in hint["opinion"]["options"].as_array().into_iter().flatten() {
        assert!(texts.contains(&&option["action"]), "{option} at {decision}");
    }
}

#[test]
fn finished_games_are_kept() {
    for (seat, rules) in (0..).zip(["tenhou", "tenhou-sanma", "duo"]) {
        let (folder, server) = Running::in_new_folder();
        let setup = setup(rules, seat % 2, 5);
        let name = server.site.sit_down(&setup).expect("a table");
        let (mut hands, mut shown, mut checked) = (0, 0, 0);
        let review = server.get(&format!("/tables/{name}/review"));
        assert_eq!(status(&review), 409, "{review}");
        assert!(play(&server, &name, usize::MAX, |news| {
            check_hidden(news, setup.seat);
            if !news["decision"].is_null() {
                check_answers(&server, &name, setup.seat, &news["decision"]);
                checked += 1;
            }
            hands = news["from"].as_u64().expect("a number") as usize
                + news["hands"].as_array().expect("hands").len();
            let open = |hand: &Value| hand["result"]["open"].as_array().is_some_and(|open| !open.is_empty());
            shown += news["hands"].as_array().expect("hands").iter().filter(|hand| open(hand)).count();
        }));
        assert!(hands > 1 && shown > 0, "{rules}: {hands} hands, {shown} with winners");
        assert!(checked > 10, "{rules}: {checked} decisions");
        check_kept(&folder.path().join(&name), &setup);
        let review = server.get(&format!("/tables/{name}/review"));
        assert_eq!(status(&review), 200);
        assert!(review.contains("\"advisors\":[{\"name\":\"heuristic\"") && review.contains("\"advice\":"));
        assert!(server.get("/").contains(&format!("/tables/{name}/review")));
    }
}

/// A game that continues after its server was lost is the same game.
#[test]
fn resumed_games_are_the_same() {
    let setup = setup("tenhou", 2, 11);
    let whole = tempfile::tempdir().expect("a folder");
    let name = {
        let server = Running::start(whole.path(), &[]);
        let name = server.site.sit_down(&setup).expect("a table");
        assert!(play(&server, &name, usize::MAX, |_| ()));
        name
    };
    let resumed = tempfile::tempdir().expect("a folder");
    let server = Running::start(resumed.path(), &[]);
    assert_eq!(server.site.sit_down(&setup).expect("a table"), name);
    drop(server);
    let decisions = resumed.path().join(&name).join("decisions.txt");
    for round in 1.. {
        let server = Running::start(resumed.path(), &[]);
        if play(&server, &name, 7 * round, |_| ()) {
            break;
        }
        drop(server);
        // A server that is killed may leave half of a line.
        let mut text = fs::read_to_string(&decisions).expect("decisions");
        text.push_str("1 1");
        fs::write(&decisions, text).expect("decisions");
    }
    assert_eq!(files(&whole.path().join(&name)), files(&resumed.path().join(&name)));
    check_kept(&resumed.path().join(&name), &setup);
}

/// The next decision of the person.
fn asked(server: &Running, name: &str) -> Value {
    loop {
        let news = server.news(name, 0, 0, "none");
        if !news["decision"].is_null() {
            return news;
        }
    }
}

#[test]
fn a_decision_is_made_once() {
    let (folder, server) = Running::in_new_folder();
    let name = server.site.sit_down(&setup("tenhou", 0, 1)).expect("a table");
    let news = asked(&server, &name);
    let decision = &news["decision"];
    assert_eq!((&decision["number"], &news["made"]), (&json!(0), &json!(0)));
    let legal: Vec<u64> = decision["actions"]
        .as_array()
        .expect("actions")
        .iter()
        .filter_map(|one| one["id"].as_u64())
        .collect();
    let illegal = (0..165).find(|id| !legal.contains(id)).expect("an illegal action");
    let post = |decision: u64, action: u64| {
        let body = json!({ "decision": decision, "action": action }).to_string();
        server.post(&format!("/tables/{name}/act"), "application/json", &body)
    };
    assert_eq!(status(&post(0, illegal)), 409);
    assert_eq!(status(&post(0, 999)), 400);
    assert_eq!(asked(&server, &name)["decision"], *decision, "nothing happened");
    // Two windows wait for news and send the same decision.
    let steps = news["hands"][0]["steps"].as_array().expect("steps").len();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| server.news(&name, 1, steps, "0"));
        let first = scope.spawn(|| parsed(&post(0, choice(decision))));
        let second = scope.spawn(|| parsed(&post(0, choice(decision))));
        let both = [first, second].map(|one| one.join().expect("an answer"));
        assert!(both.iter().all(|news| news["failure"].is_null() && news["made"] == 1));
        let seen = waiting.join().expect("news");
        assert!(seen["hands"][0]["steps"].as_array().expect("steps").len() > steps || seen["from"] != 0);
    });
    let made = fs::read_to_string(folder.path().join(&name).join("decisions.txt")).expect("decisions");
    assert_eq!(made.lines().filter(|line| line.starts_with("0 ")).count(), 1, "{made}");
}

#[test]
fn hints_are_the_reasons_of_an_agent() {
    let (_folder, server) = Running::in_new_folder();
    let name = server.site.sit_down(&setup("tenhou", 0, 1)).expect("a table");
    let news = asked(&server, &name);
    let hint = server.decide(&name, "hint", &json!({ "decision": news["decision"]["number"] }));
    assert_eq!(hint["opinion"]["agent"], "heuristic");
    let best = &hint["opinion"]["action"];
    assert!(news["decision"]["actions"].as_array().expect("actions").iter().any(|one| one["text"] == *best));
    assert!(hint["opinion"]["cost"].is_null());
    assert!(hint["opinion"]["options"][0]["win"].as_f64().is_some_and(|win| win > 0.0));
    let late = server.decide(&name, "hint", &json!({ "decision": 99 }));
    assert_eq!(late, json!({}), "no hint at a decision that is not due");
}

/// Who gives hints must know the rules, as the players do.
#[test]
fn agents_for_hints_can_play_under_the_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Running::start(&folder.path().join("tables"), &[]);
    let model = folder.path().join("m.safetensors");
    fs::write(&model, crate::network_file::model(0.1)).expect("a model");
    let hints = Some(format!("neural:model={}", model.display()));
    let sit_down = |rules| {
        let setup = TableSetup { hints: hints.clone(), ..setup(rules, 0, 1) };
        server.site.sit_down(&setup).map_err(|error| error.to_string())
    };
    let error = sit_down("duo").expect_err("a model for four players");
    assert!(error.starts_with("`hints`: `neural:model=") && error.contains("rules.hash"), "{error}");
    assert!(!folder.path().join("tables/table-0001").exists());
    assert_eq!(sit_down("tenhou").expect("a table"), "table-0001");
}

/// A person who is too late discards the drawn tile, or passes.
#[test]
fn the_clock_decides_for_the_person() {
    let (_folder, server) = Running::in_new_folder();
    let clock = Some(TimeLimit { seconds: 0, spare: 0 });
    let setup = TableSetup { clock, ..setup("duo", 0, 3) };
    let name = server.site.sit_down(&setup).expect("a table");
    // Without time, every decision is late at once, and the game ends without the person.
    let news = loop {
        let news = server.news(&name, 0, 0, "none");
        assert_eq!(news["failure"], Value::Null, "{news}");
        if news["kept"] == true {
            break news;
        }
    };
    let hands = news["hands"].as_array().expect("hands").iter();
    let steps = hands.flat_map(|hand| hand["steps"].as_array().expect("steps"));
    let own = steps.filter(|step| step["seat"] == 0 && step["event"] == "discard");
    let own: Vec<&Value> = own.collect();
    assert!(own.len() > 10, "{} discards", own.len());
    for step in own {
        assert!(step["tsumogiri"] == true && step["riichi"] == false, "{step}");
    }
}

/// The clock starts when a page has shown the decision.
#[test]
fn the_clock_waits_for_the_page() {
    let (_folder, server) = Running::in_new_folder();
    let clock = Some(TimeLimit { seconds: 5_000, spare: 10_000 });
    let setup = TableSetup { clock, ..setup("tenhou", 0, 1) };
    let name = server.site.sit_down(&setup).expect("a table");
    let news = asked(&server, &name);
    assert_eq!(news["clock"], json!({ "left": 15_000_000, "running": false }));
    let ready = server.decide(&name, "ready", &json!({ "decision": news["decision"]["number"] }));
    assert_eq!(ready["clock"]["running"], true);
}

/// Two servers would write over each other's games.
#[test]
fn a_folder_has_one_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = folder.path().join("tables");
    let site = || {
        let site = Site::open(offer(), &tables, &[], Arc::new(AtomicBool::new(false)));
        site.map_err(|error| error.to_string())
    };
    let message = "cannot be used: another program is writing it; choose another folder with `tables`";
    let locked = Some(format!("{}: {message}", tables.display()));
    // Neither has the folder before it exists.
    let server = Running::start(&tables, &[]);
    let (other, _) = site().expect("a site");
    let name = server.site.sit_down(&setup("tenhou", 0, 1)).expect("a table");
    let refused = other.sit_down(&setup("tenhou", 0, 1)).err();
    assert_eq!(refused.map(|error| error.to_string()), locked);
    let decisions = tables.join(&name).join("decisions.txt");
    asked(&server, &name);
    let mut text = fs::read_to_string(&decisions).expect("decisions");
    // The first half of a line that the server is writing.
    text.push('0');
    fs::write(&decisions, &text).expect("decisions");
    assert_eq!(site().err(), locked);
    assert_eq!(fs::read_to_string(&decisions).expect("decisions"), text, "nothing was removed");
    drop(server);
    let (after, wrong) = site().expect("the first one has ended");
    assert_eq!((after.counts(), wrong.len()), ((1, 0), 0));
}

/// A half-written log of a killed server is not served.
#[test]
fn logs_are_served_when_the_game_is_kept() {
    let (folder, server) = Running::in_new_folder();
    let name = server.site.sit_down(&setup("duo", 0, 3)).expect("a table");
    let file = folder.path().join(&name).join("game.mjson");
    fs::write(&file, "half").expect("a file");
    let log = server.get(&format!("/tables/{name}/log"));
    assert_eq!(status(&log), 409, "{log}");
    assert!(play(&server, &name, usize::MAX, |_| ()));
    let log = server.get(&format!("/tables/{name}/log"));
    assert_eq!(fs::read_to_string(&file).expect("a log"), body(&log));
    assert!(body(&log).contains("end_game"), "{log}");
}

/// Finished games are read when they are opened, not when a server starts.
#[test]
fn finished_games_wait_to_be_opened() {
    let (folder, server) = Running::in_new_folder();
    let setup = setup("duo", 1, 3);
    let [first, second] = [(); 2].map(|()| server.site.sit_down(&setup).expect("a table"));
    for name in [&first, &second] {
        assert!(play(&server, name, usize::MAX, |_| ()));
    }
    drop(server);
    fs::write(folder.path().join(&second).join("decisions.txt"), "0 999\n").expect("decisions");
    let server = Running::start(folder.path(), &[]);
    let index = server.get("/");
    for name in [&first, &second] {
        assert!(index.contains(&format!("/tables/{name}/review")), "{index}");
    }
    let page = server.get(&format!("/tables/{first}"));
    assert!(page.contains("\"kept\":true") && page.contains("\"results\":["), "{page}");
    let page = server.get(&format!("/tables/{second}"));
    assert_eq!((status(&page), page.contains("decisions.txt: line 1: expected a seat")), (500, true));
}

/// Bots end with their game, not with the server.
#[cfg(target_os = "linux")]
#[test]
fn bots_leave_when_the_game_is_kept() {
    const BOT: &str = r#"
import json, os, sys
seat = int(sys.argv[1])
with open(sys.argv[2], "w") as file:
    file.write(str(os.getpid()))
for line in sys.stdin:
    last = json.loads(line)[-1]
    answer = {"type": "none"}
    if last["type"] == "tsumo" and last["actor"] == seat:
        answer = {"type": "dahai", "actor": seat, "pai": last["pai"], "tsumogiri": True}
    print(json.dumps(answer), flush=True)
"#;
    let folder = tempfile::tempdir().expect("a folder");
    let [bot, pid] = ["bot.py", "pid"].map(|name| folder.path().join(name));
    fs::write(&bot, BOT).expect("a bot");
    let command = format!("mjai:command=\"python3 '{}' {{seat}} '{}'\"", bot.display(), pid.display());
    let server = Running::start(&folder.path().join("tables"), &[]);
    let setup = setup("duo", 0, 3);
    let setup = TableSetup { agents: vec![setup.agents[0].clone(), command], ..setup };
    let name = server.site.sit_down(&setup).expect("a table");
    assert!(play(&server, &name, usize::MAX, |_| ()));
    let pid = fs::read_to_string(&pid).expect("the bot has started");
    let until = Instant::now() + Duration::from_mins(20);
    while Path::new(&format!("/proc/{pid}")).exists() {
        assert!(Instant::now() < until, "the bot does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A person takes choices back, one after another, also after a restart. Other windows learn of it, and who chooses
/// the same again gets the same game.
#[test]
fn choices_are_taken_back() {
    let (folder, server) = Running::in_new_folder();
    let name = server.site.sit_down(&setup("tenhou", 1, 3)).expect("a table");
    assert_eq!(asked(&server, &name)["undo"], false, "nothing is chosen yet");
    assert!(!play(&server, &name, 30, |_| ()));
    let before = asked(&server, &name);
    let decision = before["decision"].clone();
    let mut now = before.clone();
    for _ in 0..5 {
        let body = json!({ "decision": now["decision"]["number"] });
        now = server.decide(&name, "undo", &body);
        let late = server.decide(&name, "undo", &body);
        assert_eq!(late["made"], now["made"], "a second window asks too late");
    }
    assert_eq!((&now["undone"], &now["from"]), (&json!(5), &json!(0)));
    let steps = before["hands"][0]["steps"].as_array().expect("steps").len();
    let place = format!("hands=1&steps={steps}&decision={}&undone=4", decision["number"]);
    let other = parsed(&server.get(&format!("/tables/{name}/state?{place}")));
    assert_eq!((&other["decision"], &other["from"]), (&now["decision"], &json!(0)));
    drop(server);
    let server = Running::start(folder.path(), &[]);
    let resumed = asked(&server, &name);
    assert_eq!((&resumed["decision"], &resumed["undone"]), (&now["decision"], &json!(5)));
    let made = |news: &Value| news["made"].as_u64().expect("a number") as usize;
    assert!(made(&now) < made(&before));
    while made(&asked(&server, &name)) < made(&before) {
        assert!(!play(&server, &name, 1, |_| ()));
    }
    let again = asked(&server, &name);
    assert_eq!((&again["decision"], &again["hands"]), (&decision, &before["hands"]));
    assert!(play(&server, &name, usize::MAX, |_| ()));
    check_kept(&folder.path().join(&name), &setup("tenhou", 1, 3));
    let over = server.post(&format!("/tables/{name}/undo"), "application/json", "{\"decision\":0}");
    assert_eq!(parsed(&over)["kept"], true, "a finished game stays");
}

/// With a clock, nothing is taken back.
#[test]
fn clocks_forbid_to_take_choices_back() {
    let (_folder, server) = Running::in_new_folder();
    let clock = Some(TimeLimit { seconds: 60, spare: 60 });
    let name = server.site.sit_down(&TableSetup { clock, ..setup("tenhou", 1, 3) }).expect("a table");
    assert!(!play(&server, &name, 3, |_| ()));
    let news = asked(&server, &name);
    let body = json!({ "decision": news["decision"]["number"] }).to_string();
    let response = server.post(&format!("/tables/{name}/undo"), "application/json", &body);
    assert_eq!((status(&response), body_text(&response)), (409, "there is nothing to undo"));
    assert_eq!(news["undo"], false);
}

fn body_text(response: &str) -> &str {
    body(response).trim_end()
}

/// The review of a finished game offers to play on, and the table is one entry, also if its folder is served.
#[test]
fn finished_tables_are_played_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = folder.path().join("tables");
    let server = Running::start(&tables, &[]);
    let name = server.site.sit_down(&setup("tenhou-sanma", 1, 3)).expect("a table");
    let form = |name: &str| server.get(&format!("/tables/{name}/review/20"));
    assert_eq!(status(&form(&name)), 409, "the game is not over");
    assert!(play(&server, &name, usize::MAX, |_| ()));
    let review = server.get(&format!("/tables/{name}/review"));
    assert!(review.contains(&format!("\"play_on\":\"/tables/{name}/review\"")));
    let form = form(&name);
    assert!(form.contains(&format!("<input type=\"hidden\" name=\"table\" value=\"{name}\">")), "{form}");
    let choices = format!("table={name}&decision=20&seat=2&opponent0=0&opponent1=1&hints=0&clock=0");
    let response = send_form(&server, &choices);
    assert!(response.contains("Location: /tables/table-0002\r\n"), "{response}");
    let made = |name: &str| {
        let text = fs::read_to_string(tables.join(name).join("decisions.txt")).expect("decisions");
        text.lines().take(20).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(made(&name), made("table-0002"));
    let missing = send_form(&server, &choices.replace("table=table-0001", "table=table-0009"));
    assert_eq!(status(&missing), 404);
    drop(server);
    for (served, is_listed) in
        [(folder.path().to_owned(), false), (tables.clone(), false), (tables.join(&name), true)]
    {
        let server = Running::start(&tables, std::slice::from_ref(&served));
        let (tables, sources) = server.site.counts();
        assert_eq!((tables, sources > 0), (2, is_listed), "{}", served.display());
    }
}
