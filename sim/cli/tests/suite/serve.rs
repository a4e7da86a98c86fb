//! `jantaku serve`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::common::program::{folder, json as parsed, ok, path, refused};

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

/// A killed server goes on where it stood, and the finished game is a run and a log.
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

#[test]
fn what_cannot_be_served_is_refused() {
    let folder = folder();
    let missing = path(&folder, "missing");
    let output = crate::common::program::jantaku(&["serve", &missing]);
    let error = crate::common::program::text(&output.stderr);
    assert_eq!(
        (output.status.code(), error.starts_with(&format!("error: {missing}: "))),
        (Some(2), true),
        "{error}"
    );
    refused(
        &["serve", "--agents=gredy"],
        "error: --agents gredy: unknown agent `gredy`, did you mean `greedy`? Expected one of random, tsumogiri, \
         greedy, heuristic, mc, noisy, neural, residual, mjai",
    );
    refused(&["serve", "--rules=nowhere"], &{
        let output = crate::common::program::jantaku(&["rules", "show", "nowhere"]);
        crate::common::program::text(&output.stderr).trim_end().to_owned()
    });
}
