//! Lists and pages of the games of runs and logs.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jantaku_engine::replay::Spectator;
use jantaku_engine::{Action, Event, Observation, Observer};
use jantaku_serve::Site;
use jantaku_sim::dataset::BranchPoint;
use jantaku_sim::play::Detail;
use jantaku_sim::replay::stored_run::GameOfRun;
use jantaku_sim::run::{Run, RunConfig};

use serde_json::{Value, json};

use super::client::{Running, body, offer, parsed, play, rules, send_form, send_log, setup, status};

/// A line of a log: a game that can be listed, but not opened.
const GAME: &str = "{\"xml\":\"<mjloggm ver='2.3'></mjloggm>\"}\n";

/// A run of three games.
fn config(agents: [&str; 2], detail: Detail) -> RunConfig {
    let agents = agents.map(str::to_owned).to_vec();
    RunConfig { agents, games: Some(3), seed: 1, detail, ..RunConfig::new("duo", &rules("duo")) }
}

/// Starts a run without playing any game.
fn started(folder: &Path, detail: Detail) -> Run {
    Run::create(folder, config(["greedy"; 2], detail)).expect("a new run")
}

fn played(folder: &Path, detail: Detail) {
    let mut players = config(["greedy"; 2], detail).players().expect("agents");
    started(folder, detail).play(&mut players, &mut ()).expect("a run");
}

/// A server with these sources.
fn running(folder: &tempfile::TempDir, sources: &[PathBuf]) -> Running {
    Running::start(&folder.path().join("tables"), sources)
}

/// Logs are counted as far as a page needs it.
#[test]
fn long_logs_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("games.jsonl");
    fs::write(&log, GAME.repeat(1_203)).expect("a log");
    let server = running(&folder, std::slice::from_ref(&log));
    assert!(server.get("/").contains("<small>more than 1000</small>"));
    let page = |from: u64| server.get(&format!("/games/0?from={from}"));
    let has = |page: &str, game: u64| page.contains(&format!("<a href=\"/games/0/{game}\">"));
    let next = |page: &str, from: u64| page.contains(&format!("?from={from}\">Next</a>"));
    let first = server.get("/games/0");
    assert!(has(&first, 0) && has(&first, 99) && !has(&first, 100) && next(&first, 100));
    let before = page(900);
    assert!(has(&before, 999) && !has(&before, 1_000) && next(&before, 1_000));
    let beyond = page(1_000);
    assert!(has(&beyond, 1_000) && has(&beyond, 1_099) && next(&beyond, 1_100), "{beyond}");
    let last = page(1_200);
    assert!(has(&last, 1_202) && !has(&last, 1_203) && !last.contains("Next"), "{last}");
    // All games are counted now.
    assert!(server.get("/").contains("<small>1203</small>"));
    // A log that grew is counted again.
    let mut file = fs::OpenOptions::new().append(true).open(&log).expect("a log");
    file.write_all(GAME.as_bytes()).expect("a game");
    assert!(has(&page(1_200), 1_203));
}

#[test]
fn logs_that_cannot_be_opened_are_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing.json");
    let stop = Arc::new(AtomicBool::new(false));
    let Err(error) = Site::open(offer(), folder.path(), std::slice::from_ref(&missing), stop) else {
        panic!("a file that does not exist");
    };
    let error = error.to_string();
    assert!(error.starts_with(&format!("{}: cannot open: ", missing.display())), "{error}");
    assert_eq!(error.matches("missing.json").count(), 1, "{error}");
}

/// The error of a server with this source.
fn refused(folder: &Path, source: &Path) -> String {
    let stop = Arc::new(AtomicBool::new(false));
    let opened = Site::open(offer(), &folder.join("tables"), &[source.to_owned()], stop);
    opened.err().unwrap_or_else(|| panic!("{} is served", source.display())).to_string()
}

/// A file that is no log ends the server at its start, not each page later. In a folder it hides nothing.
#[test]
fn only_sources_are_accepted() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let cases: [(&str, &[u8], &str); 5] = [
        (
            "notes.txt",
            b"Hello.\nHello.\n",
            "no recorded game (line 1: not a recorded game: expected XML, JSON",
        ),
        ("picture.png", b"\x89PNG\xff", "no recorded game (line 1: not UTF-8)"),
        ("empty.json", b"", "no recorded game (the file is empty: expected a recorded game)"),
        ("document.json", b"{\n\"name\": 1\n}\n", "no recorded game ("),
        ("other.json", b"{}", "no recorded game (line 1: no recorded game: expected one of the keys"),
    ];
    for (name, content, found) in cases {
        fs::write(file(name), content).expect("a file");
        let expected = format!(
            "{}: expected a run, a league, a log, a position or a folder of them, found {found}",
            file(name).display()
        );
        let error = refused(folder.path(), &file(name));
        assert!(error.starts_with(&expected), "{error}");
    }
    fs::write(file("pos.toml"), "rules = \"tenhou\"\n").expect("a file");
    let error = refused(folder.path(), &file("pos.toml"));
    assert!(error.contains("pos.toml") && error.contains("missing field"), "{error}");
    for (name, config) in [("run", "run.toml"), ("league", "league.toml")] {
        fs::create_dir(file(name)).expect("a folder");
        fs::write(file(name).join(config), "nothing = ").expect("a file");
        let error = refused(folder.path(), &file(name));
        assert!(error.starts_with(&file(name).join(config).display().to_string()), "{error}");
    }
    let error = refused(folder.path(), Path::new("https://tenhou.net/0/?log=1"));
    assert!(error.contains("replay links hold no game"), "{error}");
    // A log with a damaged game, and the folder of all.
    fs::write(file("damaged.jsonl"), GAME.repeat(2)).expect("a file");
    let sources = ["damaged.jsonl", ""].map(file);
    let server = Running::start(&file("tables"), &sources);
    assert!(server.get("/games/0").contains("/games/0/1"));
    assert_eq!(status(&server.get("/")), 200);
}

/// A log that a browser sends is kept with the tables, and opened with the advice of an agent.
#[test]
fn sent_logs_are_kept_and_reviewed() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = running(&folder, &[]);
    let name = server.site.sit_down(&setup("duo", 0, 3)).expect("a table");
    assert!(play(&server, &name, usize::MAX, |_| ()));
    let log = server.get(&format!("/tables/{name}/log"));
    let log = body(&log);
    let kept = |number: usize| format!("Location: /games/{number}/0?agent=0\r\n");
    for (file, text, number) in [
        (Some("../../\u{1F004}mine.mjson"), log, 0),
        (None, log, 1),
        (None, log, 1),
        (Some("mine.mjson"), &format!("{log}\n"), 2),
    ] {
        let response = send_log(&server, file, text);
        assert!(status(&response) == 303 && response.contains(&kept(number)), "{response}");
    }
    let files =
        ["mine.mjson", "pasted.txt", "2-mine.mjson"].map(|file| folder.path().join("tables/logs").join(file));
    assert!(files.iter().all(|file| file.is_file()), "{files:?}");
    let review = server.get("/games/0/0?agent=2");
    let has_advice = |page: &str| page.contains("\"advice\":");
    assert!(has_advice(&review) && !has_advice(&server.get("/games/0/0")));
    assert!(server.get("/games/0").contains("<a href=\"/games/0/0?agent=0\">Review</a>"));
    assert_eq!(status(&server.get("/games/0/0?agent=9")), 404);
    drop(server);
    assert!(running(&folder, &[]).get("/").contains("pasted.txt"), "logs are there after a restart");
}

/// The page says why a log cannot be opened, and shows the form again. Nothing is kept.
#[test]
fn sent_texts_without_games_are_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = running(&folder, &[]);
    for (file, text, why) in [
        (None, "", "pasted: the file is empty: expected a recorded game"),
        (None, "<b>", "pasted: byte 3: the log ends early: expected"),
        (None, "https://tenhou.net/0/?log=2026", "https://tenhou.net/0/?log=2026: replay links hold no game"),
        (Some("a.json"), "{}", "a.json: line 1: no recorded game: expected one of the keys"),
        (Some("a.json"), "Hello.", "a.json: line 1: not a recorded game: expected XML, JSON or a URL"),
    ] {
        let response = send_log(&server, file, text);
        assert!(
            status(&response) == 400 && response.contains(&format!("<p role=\"alert\" lang=\"en\">{why}")),
            "{response}"
        );
        let text = if file.is_some() { "" } else { &*text.replace('<', "&lt;").replace('>', "&gt;") };
        assert!(response.contains(&format!("<textarea name=\"text\">{text}</textarea>")), "{response}");
    }
    assert_eq!(status(&send_log(&server, None, &" ".repeat(17 << 20))), 413);
    assert_eq!(status(&server.post("/games", "text/plain", "text=x")), 400);
    assert_eq!(server.site.counts().1, 0);
}

/// Every page about a source that was removed says so.
#[test]
fn sources_that_are_removed_are_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let [run, log] = ["run", "log.jsonl"].map(|name| folder.path().join(name));
    played(&run, Detail::Decisions);
    fs::write(&log, GAME.repeat(2)).expect("a log");
    let server = running(&folder, &[run.clone(), log.clone()]);
    let name = server.site.sit_down(&super::client::setup("duo", 0, 1)).expect("a table");
    // The server knows a result.
    assert_eq!(status(&server.get("/games/0/result")), 200);
    fs::remove_dir_all(&run).expect("a run");
    fs::remove_file(&log).expect("a log");
    fs::remove_dir_all(folder.path().join("tables").join(&name)).expect("a table");
    let says = |response: &str, path: &Path| {
        let sentence = format!("{}: is not there any more: it was removed or renamed", path.display());
        assert!(body(response).contains(&sentence), "{response}");
    };
    for (number, path) in [(0, &run), (1, &log)] {
        for rest in ["", "/state", "/result", "/report", "/0", "/0/5"] {
            let response = server.get(&format!("/games/{number}{rest}"));
            assert_eq!(status(&response), 404, "{rest}: {response}");
            says(&response, path);
        }
        let form = format!("source={number}&game=0&seat=0&opponent1=0&hints=1&clock=0&decision=1");
        let response = send_form(&server, &form);
        assert_eq!(status(&response), 404, "{response}");
        says(&response, path);
        let index = server.get("/");
        assert_eq!(status(&index), 200);
        says(&index, path);
    }
    let table = folder.path().join("tables").join(&name);
    for rest in ["", "/state?hands=0&steps=0&decision=none", "/review", "/log"] {
        let response = server.get(&format!("/tables/{name}{rest}"));
        assert_eq!(status(&response), 404, "{rest}: {response}");
        says(&response, &table);
    }
}

/// Before the first part is complete, there is no result yet. Some sources never have one.
#[test]
fn results_begin_with_the_first_part() {
    let folder = tempfile::tempdir().expect("a folder");
    let [run, games, log] = ["run", "games", "log.jsonl"].map(|name| folder.path().join(name));
    let writing = started(&run, Detail::Decisions);
    played(&games, Detail::Games);
    fs::write(&log, GAME.repeat(2)).expect("a log");
    let server = running(&folder, &[run.clone(), games, log]);
    let state = parsed(&server.get("/games/0/state"));
    assert_eq!((&state["games"], &state["progress"]), (&0.into(), &"running".into()));
    assert_eq!(parsed(&server.get("/games/0/result")), state);
    let report = server.get("/games/0/report");
    assert_eq!(status(&report), 200, "{report}");
    assert!(report.contains("No part is complete yet") && report.contains("0 of 3, running"), "{report}");
    assert!(server.get_with("/games/0/report", "Accept-Language: ja\r\n").contains("統計はありません"));
    drop(writing);
    fs::remove_dir_all(&run).expect("a run");
    played(&run, Detail::Decisions);
    assert_eq!(parsed(&server.get("/games/0/result"))["games"], 3);
    assert!(server.get("/games/0/report").contains("3 games of "));
    for source in [1, 2] {
        for page in ["result", "report"] {
            let response = server.get(&format!("/games/{source}/{page}"));
            assert_eq!(status(&response), 404, "{response}");
            assert!(
                body(&response).contains("no result: this is a log, or a run that keeps no hands"),
                "{response}"
            );
        }
    }
}

/// Without scripts, the page of a run loads itself again while a program writes it, and only then.
#[test]
fn runs_are_running_stopped_or_complete() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    let writing = started(&run, Detail::Decisions);
    let server = running(&folder, std::slice::from_ref(&run));
    let reloads = |page: &str| page.contains("http-equiv=\"refresh\"");
    let games = server.get("/games/0");
    assert!(games.contains("</progress> 0 of 3, running") && reloads(&games), "{games}");
    assert!(server.get("/").contains("<small>0 of 3, running</small>"));
    drop(writing);
    let games = server.get("/games/0");
    assert!(games.contains("</progress> 0 of 3, not complete") && !reloads(&games), "{games}");
    fs::remove_dir_all(&run).expect("a run");
    played(&run, Detail::Decisions);
    let games = server.get("/games/0");
    assert!(!games.contains("<progress") && !reloads(&games) && games.contains("/games/0/2"), "{games}");
    assert!(server.get("/").contains("<small>3</small>"));
    assert_eq!(status(&server.get("/games/0/2")), 200);
    let missing = server.get("/games/0/3");
    assert_eq!((status(&missing), missing.contains("no game 3; the run holds games 0 to 2")), (404, true));
}

/// A game can be watched before its part is complete, and is the one that the run writes then.
#[test]
fn the_game_in_play_is_shown() {
    let hands = |page: &str| {
        let data = page.split_once("id=\"data\">").and_then(|(_, rest)| rest.split_once("</script>"));
        let data: Value = serde_json::from_str(data.expect("data").0).expect("JSON");
        (data["game"]["hands"].clone(), data["game"]["names"].clone(), data["game"]["notes"].clone())
    };
    for detail in [Detail::Hands, Detail::Decisions] {
        let folder = tempfile::tempdir().expect("a folder");
        let run = folder.path().join("run");
        let writing = started(&run, detail);
        let server = running(&folder, std::slice::from_ref(&run));
        let list = server.get("/games/0");
        assert!(list.contains("<a href=\"/games/0/now\">Game in play: 0</a>"), "{list}");
        assert!(!list.contains("Latest complete game"), "{list}");
        let page = server.get("/games/0/now");
        assert_eq!(status(&page), 200, "{page}");
        let (in_play, names, notes) = hands(&page);
        assert_eq!(notes, json!([{ "key": "not-written" }]));
        drop(writing);
        let none = server.get("/games/0/now");
        assert_eq!((status(&none), none.contains("no game in play can be shown")), (404, true), "{none}");
        assert!(!server.get("/games/0").contains("/games/0/now"));
        fs::remove_dir_all(&run).expect("a run");
        played(&run, Detail::Decisions);
        let (written, players, _) = hands(&server.get("/games/0/0"));
        assert!(in_play == written && names == players, "{in_play} in play, {written} written");
    }
}

/// Others than quick agents of this program do not play for a page.
#[test]
fn the_game_in_play_needs_quick_agents() {
    for agents in [["mc", "greedy"], ["greedy", "mjai:command=false"]] {
        let folder = tempfile::tempdir().expect("a folder");
        let run = folder.path().join("run");
        let _writing = Run::create(&run, config(agents, Detail::Decisions)).expect("a new run");
        let server = running(&folder, std::slice::from_ref(&run));
        let list = server.get("/games/0");
        assert!(list.contains("0 of 3, running") && !list.contains("/games/0/now"), "{list}");
        assert_eq!(status(&server.get("/games/0/now")), 404);
    }
}

#[test]
fn runs_without_decisions_have_no_links() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    played(&run, Detail::Hands);
    let server = running(&folder, std::slice::from_ref(&run));
    let games = server.get("/games/0");
    assert!(!games.contains("/games/0/0") && games.contains("3 games without decisions"), "{games}");
    let game = server.get("/games/0/0");
    assert_eq!((status(&game), game.contains("the run keeps only hands")), (404, true), "{game}");
}

/// A reader of the first page does not block the tables of others.
#[cfg(unix)]
#[test]
fn slow_sources_hold_nobody_up() {
    use std::sync::mpsc;
    use std::time::Duration;

    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe.json");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    let server = running(&folder, std::slice::from_ref(&pipe));
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        let index = scope.spawn(|| server.get("/"));
        // Opening the pipe takes until the server reads it.
        let writer = fs::OpenOptions::new().write(true).open(&pipe).expect("a pipe");
        scope.spawn(|| sender.send(server.site.sit_down(&super::client::setup("duo", 0, 1)).is_ok()));
        let sat_down = receiver.recv_timeout(Duration::from_mins(20));
        drop(writer);
        assert_eq!(sat_down, Ok(true), "the table is set up while the first page waits");
        assert_eq!(status(&index.join().expect("a page")), 200);
    });
}

/// A file in a folder that has the name of a log, but no game, is listed with its error.
#[test]
fn files_without_games_are_listed_with_their_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let logs = folder.path().join("logs");
    fs::create_dir(&logs).expect("a folder");
    for (name, content) in [("empty.mjlog", &b""[..]), ("hello.json", b"hello"), ("other.xml", b"<html/>")] {
        fs::write(logs.join(name), content).expect("a file");
    }
    let server = running(&folder, &[logs]);
    let page = server.get("/");
    assert_eq!(page.matches("found no recorded game").count(), 3, "{page}");
}

/// A game of a run continues from any decision, on its own walls, and is kept as a game of its own.
#[test]
fn games_of_runs_are_played_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    played(&run, Detail::Decisions);
    let server = running(&folder, std::slice::from_ref(&run));
    let before = GameOfRun::open(&run, 2).expect("a game").stored;
    assert!(server.get("/games/0/2").contains("\"play_on\":\"/games/0/2\""));
    let form = server.get("/games/0/2/40");
    assert!(form.contains("name=\"decision\" value=\"40\""), "{form}");
    assert!(!form.contains("name=\"rules\"") && !form.contains("name=\"seed\""), "those of the game");
    let choices = "source=0&game=2&seat=1&opponent1=0&hints=1&clock=0";
    let response = send_form(&server, &format!("{choices}&decision=40"));
    assert!(response.contains("Location: /tables/table-0001\r\n"), "{response}");
    assert!(play(&server, "table-0001", usize::MAX, |_| {}));
    let kept = GameOfRun::open(&folder.path().join("tables/table-0001/run"), 2).expect("a game");
    assert_eq!((kept.stored.seed, &kept.stored.decisions[..40]), (before.seed, &before.decisions[..40]));
    assert_ne!(kept.stored.decisions, before.decisions);
    // Other players made the first decisions.
    assert_eq!(kept.stored.branch, Some(BranchPoint { decisions: 40, first_hand: None }));
    let page = server.get("/tables/table-0001/review");
    assert!(page.contains("\"key\":\"copied-decisions\",\"n\":40"));
    kept.replay(&mut ()).expect("a game under its rules");
    assert!(server.get("/tables/table-0001/review").contains("\"advisors\":["));
    for (form, expected) in [
        (format!("{choices}&decision={}", before.decisions.len()), "it has no decision "),
        (format!("{choices}&decision=x"), "decision: expected a number, found \"x\""),
        (choices.replace("source=0", "source=7") + "&decision=1", "there is no source with the number 7"),
        (choices.replace("seat=1", "seat=2") + "&decision=1", "seat: expected a number below 2"),
    ] {
        let response = send_form(&server, &form);
        assert!(status(&response) >= 400 && response.contains(expected), "{response}");
    }
    assert_eq!(status(&server.get("/games/0/2/1000000")), 404);
}

/// The form names the hand and lists the seats with their winds in that hand, the deciding seat first.
#[test]
fn the_form_to_play_on_shows_the_hand() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    let agents = ["greedy", "random", "greedy", "tsumogiri"];
    let named = agents.map(str::to_owned).to_vec();
    let config = RunConfig {
        agents: named,
        games: Some(1),
        seed: 1,
        detail: Detail::Decisions,
        ..RunConfig::new("tenhou", &rules("tenhou"))
    };
    let mut players = config.players().expect("agents");
    Run::create(&run, config).expect("a new run").play(&mut players, &mut ()).expect("a run");
    let server = running(&folder, std::slice::from_ref(&run));
    let decisions = GameOfRun::open(&run, 0).expect("a game").stored.decisions;
    let mut deals = Deals(Vec::new());
    GameOfRun::open(&run, 0).expect("a game").replay(&mut deals).expect("a game");
    let mut seen = [0; 3];
    for (number, decision) in decisions.iter().enumerate().step_by(17) {
        let (round, honba, dealer) = deals.0[usize::from(decision.hand)];
        let form = server.get(&format!("/games/0/0/{number}"));
        let winds = ["East", "South", "West", "North"];
        let wind = winds[usize::from(round / 4)];
        let honba_text = if honba > 0 { format!(", {honba} honba") } else { String::new() };
        let title = format!("<h1>Game 0, {wind} {}{honba_text}, #{number}</h1>", round % 4 + 1);
        assert!(form.contains(&title), "{title}: {form}");
        for (seat, agent) in agents.iter().enumerate() {
            let wind = winds[(seat + 4 - usize::from(dealer)) % 4];
            let is_chosen = seat == usize::from(decision.seat.number());
            let selected = if is_chosen { " selected" } else { "" };
            let option = format!("<option value=\"{seat}\"{selected}>{wind}: {agent}</option>");
            assert!(form.contains(&option), "{option}: {form}");
            seen[0] += u32::from(is_chosen && seat == 1);
        }
        seen[1] += u32::from(dealer == 1);
        seen[2] += u32::from(honba > 0);
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
    let form = server.get_with("/games/0/0/0", "Accept-Language: ja\r\n");
    assert!(form.contains("<h1>ゲーム 0, 東1局, #0</h1>") && form.contains(">東: greedy<"), "{form}");
}

/// The round, the honba and the dealer of each hand.
struct Deals(Vec<(u16, u16, u8)>);

impl Observer for Deals {
    fn event(&mut self, event: &Event) {
        if let Event::Deal { round, honba, dealer, .. } = event {
            self.0.push((*round, *honba, dealer.number()));
        }
    }
}

impl Spectator for Deals {
    fn decision(&mut self, _: &Observation<'_>, _: Action) {}
}
