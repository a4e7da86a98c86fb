//! A browser without a window: requests over a real socket.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use jantaku_agents::Catalog;
use jantaku_engine::random::hash;
use jantaku_engine::rules::Preset;
use jantaku_serve::{Offer, PERSON, Server, Site, TableSetup};
use jantaku_sim::run::NamedRules;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A server on a thread of its own. It ends when it is dropped.
pub struct Running {
    pub address: SocketAddr,
    pub site: Arc<Site>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// What the servers of tests offer.
pub fn offer() -> Offer {
    let agents = Catalog::standard().list("greedy,random,heuristic").expect("agents");
    let named = |name: &str| NamedRules { name: name.to_owned(), rules: rules(name) };
    Offer { agents, rules: ["tenhou", "tenhou-sanma", "duo"].map(named).to_vec() }
}

pub fn rules(name: &str) -> jantaku_engine::Rules {
    Preset::named(name).expect("a preset").rules()
}

/// A table under these rules, with the person in this seat against `greedy` and `random`.
pub fn setup(rules_name: &str, seat: u8, seed: u64) -> TableSetup {
    let rules = rules(rules_name);
    let agent = |other: u8| if other == seat { PERSON } else { ["greedy", "random"][usize::from(other) % 2] };
    let agents = (0..rules.players.count()).map(|other| agent(other).to_owned()).collect();
    let rules_name = rules_name.to_owned();
    TableSetup {
        rules_name,
        agents,
        seat,
        seed,
        game: 0,
        branch: None,
        hints: Some("heuristic".to_owned()),
        clock: None,
        rules,
    }
}

impl Running {
    /// A server with tables in a folder that is removed with the first value.
    pub fn in_new_folder() -> (TempDir, Running) {
        let folder = tempfile::tempdir().expect("a folder");
        let server = Running::start(folder.path(), &[]);
        (folder, server)
    }

    /// A server with tables in this folder, and with these sources.
    pub fn start(folder: &Path, sources: &[PathBuf]) -> Running {
        let stop = Arc::new(AtomicBool::new(false));
        let (site, wrong) = Site::open(offer(), folder, sources, Arc::clone(&stop)).expect("a site");
        assert!(wrong.is_empty(), "{wrong:?}");
        let server = Server::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).expect("a free port");
        let (address, site) = (server.address(), Arc::new(site));
        let thread = {
            let (site, stop) = (Arc::clone(&site), Arc::clone(&stop));
            std::thread::spawn(move || server.serve(&site, &stop))
        };
        Running { address, site, stop, thread: Some(thread) }
    }

    /// Sends bytes and returns the response, status line and headers included.
    pub fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).expect("the server listens");
        // The server may refuse the request before it has all of it.
        stream.write_all(bytes).ok();
        let mut response = Vec::new();
        stream.read_to_end(&mut response).ok();
        String::from_utf8_lossy(&response).into_owned()
    }

    /// Gets a page with these further headers.
    pub fn get_with(&self, path: &str, headers: &str) -> String {
        let host = self.address;
        self.raw(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n").as_bytes())
    }

    pub fn get(&self, path: &str) -> String {
        self.get_with(path, "")
    }

    /// Posts a body of this kind from a page of the server.
    pub fn post(&self, path: &str, kind: &str, body: &str) -> String {
        let (host, length) = (self.address, body.len());
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Type: {kind}\r\n\
             Content-Length: {length}\r\n\r\n"
        );
        self.raw((head + body).as_bytes())
    }

    /// Posts a decision to a table.
    pub fn decide(&self, table: &str, what: &str, body: &Value) -> Value {
        parsed(&self.post(&format!("/tables/{table}/{what}"), "application/json", &body.to_string()))
    }

    /// What happened at a table since this place; `decision` is `none` or a number.
    pub fn news(&self, table: &str, hands: usize, steps: usize, decision: &str) -> Value {
        let query = format!("hands={hands}&steps={steps}&decision={decision}");
        parsed(&self.get(&format!("/tables/{table}/state?{query}")))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(ended.is_some_and(|ended| ended.is_ok()), "the server ends");
    }
}

/// The status of a response.
pub fn status(response: &str) -> u16 {
    let status = response.split(' ').nth(1).and_then(|status| status.parse().ok());
    status.unwrap_or_else(|| panic!("no response: {response:?}"))
}

/// Sends the form of a new table, and returns the response.
pub fn send_form(server: &Running, form: &str) -> String {
    server.post("/tables", "application/x-www-form-urlencoded", form)
}

/// Sends the form with a log, as a file of this name or as text, and returns the response.
pub fn send_log(server: &Running, file: Option<&str>, log: &str) -> String {
    let (text, name, file) = if let Some(name) = file { ("", name, log) } else { (log, "", "") };
    let body = format!(
        "--B\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\n{text}\r\n\
         --B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n{file}\r\n--B--\r\n"
    );
    server.post("/games", "multipart/form-data; boundary=B", &body)
}

/// The body of a response.
pub fn body(response: &str) -> &str {
    response.split_once("\r\n\r\n").expect("headers and a body").1
}

pub fn parsed(response: &str) -> Value {
    assert_eq!(status(response), 200, "{response}");
    serde_json::from_str(body(response)).expect("JSON")
}

/// The legal choice of a person who decides by the number of the decision alone. They win when they
/// can, and call often.
pub fn choice(decision: &Value) -> u64 {
    let number = decision["number"].as_u64().expect("a number");
    let actions = decision["actions"].as_array().expect("actions");
    let is = |action: &&Value, kinds: &[&str]| kinds.iter().any(|kind| action["kind"] == *kind);
    let win = actions.iter().find(|action| is(action, &["ron", "tsumo", "kyuushu-kyuuhai"]));
    let rare =
        actions.iter().find(|action| is(action, &["riichi", "kan", "daiminkan", "kita", "pon", "chi"]));
    let any = hash(&[number]);
    let rare = rare.filter(|_| !any.is_multiple_of(3));
    let chosen = win.or(rare).unwrap_or_else(|| &actions[any as usize % actions.len()]);
    chosen["id"].as_u64().expect("a number")
}

/// Plays at a table, for this many decisions at most. Each of the news passes `see`. Returns
/// whether the game is over and kept.
pub fn play(running: &Running, table: &str, most: usize, mut see: impl FnMut(&Value)) -> bool {
    let mut news = running.news(table, 0, 0, "none");
    let mut made = 0;
    while made < most {
        see(&news);
        assert_eq!(news["failure"], Value::Null, "{news}");
        if news["kept"] == true {
            return true;
        }
        if news["decision"].is_null() {
            let hands = news["from"].as_u64().expect("a number") as usize
                + news["hands"].as_array().expect("hands").len();
            let steps = news["hands"][news["hands"].as_array().expect("hands").len() - 1]["steps"].as_array();
            news = running.news(table, hands, steps.expect("steps").len(), "none");
        } else {
            let decision =
                json!({ "decision": news["decision"]["number"], "action": choice(&news["decision"]) });
            news = running.decide(table, "act", &decision);
            made += 1;
        }
    }
    false
}
