//! `jantaku serve`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
#[cfg(unix)]
use std::time::{Duration, Instant};

use serde_json::{Value, json};

#[cfg(unix)]
use crate::common::program::wait_until;
use crate::common::program::{folder, json as parsed, ok, path};

/// A server that was started as a user does.
struct Server {
    child: Child,
    /// Such as `127.0.0.1:7136`.
    address: String,
    line: Value,
}

impl Server {
    fn start(args: &[&str]) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jantaku"));
        command.args(["serve", "--port=0", "--json", "--agents=greedy,random"]).args(args);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let line = parsed(&line);
        let url = line["url"].as_str().expect("an address");
        let address = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
        Server { child, address, line }
    }

    /// The response to a request with this method and path.
    fn ask(&self, what: &str, body: &str) -> String {
        let (address, length) = (&self.address, body.len());
        let mut stream = TcpStream::connect(address).expect("the server listens");
        let head = format!(
            "{what} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(head.as_bytes()).expect("the server reads");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("a response");
        response
    }

    /// The JSON in a response.
    fn json(&self, what: &str, body: &str) -> Value {
        let response = self.ask(what, body);
        parsed(response.split_once("\r\n\r\n").expect("a body").1)
    }

    /// Plays at a table with the first legal actions, for this many decisions at most. Returns
    /// whether the game is over.
    fn play(&self, table: &str, most: usize) -> bool {
        for _ in 0..most {
            let news = loop {
                let news = self.json(&format!("GET {table}/state?hands=0&steps=0"), "");
                if news["kept"] == true || !news["decision"].is_null() {
                    break news;
                }
            };
            if news["kept"] == true {
                return true;
            }
            let actions = news["decision"]["actions"].as_array().expect("actions");
            let last = actions[actions.len() - 1]["id"].clone();
            let decision = json!({ "decision": news["decision"]["number"], "action": last });
            self.json(&format!("POST {table}/act"), &decision.to_string());
        }
        false
    }

    fn kill(mut self) {
        self.child.kill().expect("the program is ours");
        self.child.wait().expect("the program ends");
    }
}

/// A killed server continues where it was, and the finished game is a run and a log.
#[test]
fn a_killed_server_resumes_its_tables() {
    let folder = folder();
    let [tables, run] = ["tables", "run"].map(|name| path(&folder, name));
    ok(&["selfplay", "--games=2", "--agents=greedy", "--out", &run, "--quiet"]);
    let server = Server::start(&["--tables", &tables, "--rules=duo", &run]);
    assert_eq!((&server.line["tables"], &server.line["sources"]), (&json!(0), &json!(1)));
    let form = "rules=0&opponent0=0&opponent1=0&opponent2=0&seat=1&hints=1&clock=0&seed=3";
    let response = server.ask("POST /tables", form);
    assert!(response.starts_with("HTTP/1.1 303 ") && response.contains("Location: /tables/table-0001\r\n"));
    let page = server.ask("GET /games/0/1", "");
    assert!(page.contains("game 1 of ") && page.contains("<title>"), "{page}");
    assert!(!server.play("/tables/table-0001", 10));
    server.kill();
    loop {
        let server = Server::start(&["--tables", &tables, "--rules=duo"]);
        assert_eq!(server.line["tables"], 1);
        let is_over = server.play("/tables/table-0001", 50);
        server.kill();
        if is_over {
            break;
        }
    }
    let table = Path::new(&tables).join("table-0001");
    let of_table = |name: &str| table.join(name).to_str().expect("plain characters").to_owned();
    ok(&["verify", &of_table("run")]);
    ok(&["replay", &of_table("game.mjson")]);
    ok(&["view", &format!("{}:0", of_table("run")), "--out=-"]);
    let info = parsed(&ok(&["info", &of_table("run"), "--json"]));
    assert_eq!(info["agents"], json!(["person", "greedy"]));
}

/// Ctrl-C is how a server usually ends.
#[cfg(unix)]
#[test]
fn a_signal_ends_the_server() {
    let folder = folder();
    let mut server = Server::start(&["--tables", &path(&folder, "tables")]);
    crate::common::program::signal("-INT", &server.child);
    assert_eq!(server.child.wait().expect("the program ends").code(), Some(0));
}

/// What a page reads about a source, until this holds.
#[cfg(unix)]
fn state_until(server: &Server, source: usize, holds: impl Fn(&Value) -> bool) -> Value {
    let start = Instant::now();
    loop {
        let state = server.json(&format!("GET /games/{source}/state"), "");
        if holds(&state) {
            return state;
        }
        assert!(start.elapsed() < Duration::from_mins(20), "{state}");
    }
}

/// The number of a source in the list of the first page.
#[cfg(unix)]
fn source_named(server: &Server, name: &str) -> usize {
    let page = server.ask("GET /", "");
    let line = page.lines().find(|line| line.contains(&format!("<bdi>{name}</bdi>"))).expect("a line");
    line.split("/games/")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .expect("a link")
        .parse()
        .expect("a number")
}

/// Starts the program in the background.
#[cfg(unix)]
fn started(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_jantaku")).args(args).stdout(Stdio::null()).spawn().expect("it starts")
}

/// The end of a program that a signal stops.
#[cfg(unix)]
fn stop(mut child: Child) {
    crate::common::program::signal("-INT", &child);
    child.wait().expect("the program ends");
}

/// A result without what depends on the time that it took.
#[cfg(unix)]
fn without_times(mut result: Value) -> Value {
    let fields = result.as_object_mut().expect("an object");
    for key in ["seconds", "speed", "threads", "played"] {
        fields.remove(key);
    }
    result
}

/// A match that begins after the server is shown while it is played: its numbers are those of as many
/// sets, and in the end those of its result.
#[cfg(unix)]
#[test]
fn a_match_is_shown_while_it_is_played() {
    let folder = folder();
    let [tables, runs, out] = ["tables", "runs", "runs/match"].map(|name| path(&folder, name));
    std::fs::create_dir(&runs).expect("a folder");
    let server = Server::start(&["--tables", &tables, &runs]);
    let game =
        ["match", "--challenger=mine=greedy", "--baseline=random", "--rules=duo", "--seed=5", "--quiet"];
    let options = ["--log=decisions", "--sets=1000000", "--out", &out];
    let mut playing = started(&[&game[..], &options].concat());
    wait_until(&mut playing, || Path::new(&out).join("run.toml").exists());
    let source = source_named(&server, &out);
    let state = state_until(&server, source, |state| state["games"].as_u64() > Some(0));
    assert_eq!((&state["progress"], &state["planned"]), (&json!("running"), &json!(2_000_000)), "{state}");
    let page = server.ask(&format!("GET /games/{source}"), "");
    assert!(
        page.contains("<progress ") && page.contains("data-state=") && page.contains("connect-src 'self'")
    );
    let first = server.ask(&format!("GET /games/{source}/0"), "");
    assert!(first.contains("game 0 of "), "a game that is on disk can be opened");
    let so_far = server.json(&format!("GET /games/{source}/result"), "");
    let sets = so_far["sets"].as_u64().expect("a number").to_string();
    let again = parsed(&ok(&[&game[..], &["--json", "--sets", &sets]].concat()));
    assert_eq!(so_far["complete"], false);
    for key in ["agents", "figures", "placement", "placement_difference", "elo"] {
        assert_eq!(so_far[key], again[key], "{key} after {sets} sets");
    }
    stop(playing);
    state_until(&server, source, |state| state["progress"] == "stopped");
    let kept = std::fs::read_to_string(Path::new(&out).join("result.json")).expect("a result");
    let [shown, mut kept] = [server.json(&format!("GET /games/{source}/result"), ""), parsed(&kept)];
    // What the stopped command played but did not keep is gone.
    kept["sets_not_kept"] = json!(0);
    assert_eq!(shown, kept);
    let report = server.ask(&format!("GET /games/{source}/report"), "");
    assert!(report.contains("Match: mine, random") && report.contains("Results"));
    server.kill();
}

/// A run shows how far it is, and figures of the games that are there; in the end those of `stats`.
#[cfg(unix)]
#[test]
fn a_run_is_shown_while_it_is_played() {
    let folder = folder();
    let [tables, out] = ["tables", "<b>run"].map(|name| path(&folder, name));
    let game = "selfplay --agents=greedy,random --rules=duo --games-per-part=200 --quiet --out";
    let game: Vec<&str> = game.split(' ').chain([&*out]).collect();
    ok(&[&game[..], &["--games=200"]].concat());
    let server = Server::start(&["--tables", &tables, &out]);
    let result = || without_times(server.json("GET /games/0/result", ""));
    let stats = || without_times(parsed(&ok(&["stats", &out, "--json"])));
    assert_eq!(result(), stats());
    let playing = started(&[&game[..], &["--resume", "--games=1000000"]].concat());
    let state = state_until(&server, 0, |state| state["games"].as_u64() > Some(200));
    assert_eq!((&state["progress"], &state["planned"]), (&json!("running"), &json!(1_000_000)), "{state}");
    let so_far = result();
    assert!(so_far["complete"] == false && so_far["games"].as_u64() > Some(200), "{so_far}");
    stop(playing);
    state_until(&server, 0, |state| state["progress"] == "stopped");
    assert_eq!(result(), stats());
    let page = server.ask("GET /games/0", "");
    assert!(page.contains("<bdi>Players by agent</bdi>"), "{page}");
    assert!(page.contains("/&lt;b&gt;run</h1>") && !page.contains("<b>run"), "names are texts: {page}");
    server.kill();
}

/// A league is one line of the list; its page has the ratings so far and its tables.
#[cfg(unix)]
#[test]
fn a_league_is_shown_while_it_is_played() {
    let folder = folder();
    let [tables, runs, out] = ["tables", "runs", "runs/league"].map(|name| path(&folder, name));
    std::fs::create_dir(&runs).expect("a folder");
    let league = ["league", "--quiet", "--rules=duo", "--out", &out, "--log=decisions"];
    let first = ["--agents=greedy,random,tsumogiri", "--sets=20", "--anchor=random", "--anchor-rating=100"];
    ok(&[&league[..], &first].concat());
    let server = Server::start(&["--tables", &tables, &runs]);
    let source = source_named(&server, &out);
    let result = || without_times(server.json(&format!("GET /games/{source}/result"), ""));
    let kept = || {
        let text = std::fs::read_to_string(Path::new(&out).join("result.json")).expect("a result");
        without_times(parsed(&text))
    };
    assert_eq!(result(), kept());
    let index = server.ask("GET /", "");
    assert_eq!(index.matches("/games/").count(), 1, "tables are on the page of their league: {index}");
    let more =
        ["--agents=greedy,random,tsumogiri", "--sets=300000", "--anchor=random", "--anchor-rating=100"];
    let playing = started(&[&league[..], &["--resume"], &more].concat());
    let state = state_until(&server, source, |state| state["games"].as_u64() > Some(3 * 20 * 2));
    assert_eq!(state["progress"], "running", "{state}");
    let so_far = result();
    assert!(so_far["complete"] == false && so_far["anchor"] == "random", "{so_far}");
    let page = server.ask(&format!("GET /games/{source}"), "");
    assert!(page.contains("Ratings") && page.contains("/tables/0-1</bdi>"), "{page}");
    stop(playing);
    state_until(&server, source, |state| state["progress"] == "stopped");
    assert_eq!(result(), kept());
    server.kill();
}
