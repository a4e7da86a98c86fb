//! Lists and pages of the games of runs and logs.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jantaku_sim::play::Detail;
use jantaku_sim::replay::open::GameOfRun;
use jantaku_sim::run::{Run, RunConfig};
use jantaku_sim::serve::Site;

use super::client::{Running, body, offer, play, rules, send_form, status};

/// Starts a run of three games without playing any.
fn started(folder: &Path, detail: Detail) -> Run {
    let agents = vec!["greedy".to_owned(); 2];
    Run::create(folder, RunConfig::new("duo", &rules("duo"), agents, 3, 1, detail)).expect("a new run")
}

fn played(folder: &Path, detail: Detail) {
    let config = RunConfig::new("duo", &rules("duo"), vec!["greedy".to_owned(); 2], 3, 1, detail);
    let mut players = config.players().expect("agents");
    started(folder, detail).play(&mut players, &mut ()).expect("a run");
}

/// A server with these sources.
fn running(folder: &tempfile::TempDir, sources: &[PathBuf]) -> Running {
    Running::start(&folder.path().join("tables"), sources)
}

/// Logs are counted as far as a page needs it.
#[test]
fn long_logs_go_on() {
    const GAME: &str = "{\"xml\":\"<mjloggm ver='2.3'></mjloggm>\"}\n";
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
    // A log that is removed while the server runs.
    fs::write(&missing, "{}").expect("a log");
    let server = running(&folder, std::slice::from_ref(&missing));
    fs::remove_file(&missing).expect("a log");
    assert!(server.get("/").contains("missing.json: cannot open: "));
    let games = server.get("/games/0");
    assert!(status(&games) == 500 && body(&games).contains("missing.json: cannot open: "), "{games}");
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

/// Whoever looks at the first page does not keep others from their tables.
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

/// A game of a run goes on from any decision, on its own walls, and is kept as a game of its own.
#[test]
fn games_of_runs_are_played_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    played(&run, Detail::Decisions);
    let server = running(&folder, std::slice::from_ref(&run));
    let before = GameOfRun::open(&run, 2).expect("a game").stored;
    assert!(server.get("/games/0/2").contains("\"play_on\":\"/games/0/2\""));
    let form = server.get("/games/0/2/40?seat=1");
    assert!(
        form.contains("name=\"decision\" value=\"40\"") && form.contains("value=\"1\" selected>South"),
        "{form}"
    );
    assert!(!form.contains("name=\"rules\"") && !form.contains("name=\"seed\""), "those of the game");
    let choices = "source=0&game=2&seat=1&opponent1=0&hints=1&clock=0";
    let response = send_form(&server, &format!("{choices}&decision=40"));
    assert!(response.contains("Location: /tables/table-0001\r\n"), "{response}");
    assert!(play(&server, "table-0001", usize::MAX, |_| {}));
    let kept = GameOfRun::open(&folder.path().join("tables/table-0001/run"), 2).expect("a game");
    assert_eq!((kept.stored.seed, &kept.stored.decisions[..40]), (before.seed, &before.decisions[..40]));
    assert_ne!(kept.stored.decisions, before.decisions);
    kept.replay(&mut ()).expect("a game under its rules");
    assert!(server.get("/tables/table-0001/review").contains("\"advisor\""));
    for (form, expected) in [
        (format!("{choices}&decision={}", before.decisions.len()), "it has no decision "),
        (format!("{choices}&decision=x"), "decision: expected a number, found \"x\""),
        (choices.replace("source=0", "source=7") + "&decision=1", "source: there is none with the number 7"),
        (choices.replace("seat=1", "seat=2") + "&decision=1", "seat: expected a number below 2"),
    ] {
        let response = send_form(&server, &form);
        assert!(status(&response) >= 400 && response.contains(expected), "{response}");
    }
    assert_eq!(status(&server.get("/games/0/2/1000000")), 404);
}
