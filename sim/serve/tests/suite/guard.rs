//! Which requests a server answers.

use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;

use jantaku_serve::Server;

use super::client::{Running, body, play, send_form, setup, status};

#[test]
fn only_this_machine_reaches_the_server() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:80"] {
        let address: SocketAddr = address.parse().expect("an address");
        let Err(error) = Server::bind(address) else { panic!("{address}") };
        let message = format!("{address}: expected an address of this machine alone, such as 127.0.0.1");
        assert_eq!(error.to_string(), message);
    }
}

/// A page elsewhere may make its name point to this machine, and ask under it.
#[test]
fn other_hosts_are_refused() {
    let (_folder, server) = Running::in_new_folder();
    let (own, port) = (server.address.to_string(), server.address.port());
    let get = |hosts: &[&str]| {
        let hosts: Vec<String> = hosts.iter().map(|host| format!("Host: {host}\r\n")).collect();
        let hosts = hosts.concat();
        status(&server.raw(format!("GET / HTTP/1.1\r\n{hosts}\r\n").as_bytes()))
    };
    assert_eq!(get(&[&own]), 200);
    assert_eq!(get(&[&format!("LocalHost:{port}")]), 200);
    let others = ["evil.example", "127.0.0.1", "localhost", "127.0.0.1:1", "", "[::1]"].map(str::to_owned);
    for other in others.iter().chain(&[format!("evil.example:{port}"), format!("{own}.evil.example")]) {
        assert_eq!(get(&[other]), 403, "{other}");
    }
    assert_eq!(get(&[]), 403);
    assert_eq!(get(&[&own, "evil.example"]), 403);
    assert_eq!(get(&[&own, &own]), 403);
}

/// Only a page of the server may change anything, or ask for news. Links of other pages work.
#[test]
fn other_origins_change_nothing() {
    let (_folder, server) = Running::in_new_folder();
    let (own, port) = (server.address.to_string(), server.address.port());
    let others = ["http://evil.example", "null", "http://localhost:1", "", &format!("https://{own}")];
    let get = |headers: &str| status(&server.get_with("/state", headers));
    for origin in others {
        assert_eq!(get(&format!("Origin: {origin}\r\n")), 403, "{origin}");
    }
    assert_eq!(get(&format!("Origin: http://{own}\r\nOrigin: http://{own}\r\n")), 403);
    assert_eq!(get(&format!("Origin: http://{own}\r\n")), 200);
    for (site, expected) in [("same-origin", 200), ("none", 200), ("cross-site", 403), ("same-site", 403)] {
        let fetched = format!("Sec-Fetch-Site: {site}\r\n");
        let link = |dest| format!("{fetched}Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: {dest}\r\n");
        assert_eq!(get(&fetched), expected, "{site}");
        assert_eq!(get(&format!("{fetched}Sec-Fetch-Mode: no-cors\r\n")), expected, "{site}");
        assert_eq!(get(&link("iframe")), expected, "{site}, in a frame");
        assert_eq!(get(&link("document")), 200, "{site}, by a link");
    }
    let form = "rules=0&opponent0=0&opponent1=0&opponent2=0&seat=1&hints=0&clock=0&seed=1";
    let post = |host: &str, origin: &str| {
        let length = form.len();
        let text = format!(
            "POST /tables HTTP/1.1\r\nHost: {host}\r\n{origin}Content-Length: {length}\r\n\r\n{form}"
        );
        status(&server.raw(text.as_bytes()))
    };
    for origin in others {
        assert_eq!(post(&own, &format!("Origin: {origin}\r\n")), 403, "{origin}");
    }
    assert_eq!(post(&own, ""), 403, "no origin");
    assert_eq!(post(&own, &format!("Origin: http://{own}\r\nOrigin: http://{own}\r\n")), 403);
    assert_eq!(post(&own, &format!("Origin: http://localhost:{port}\r\n")), 403, "another name");
    assert_eq!(server.site.counts(), (0, 0));
    assert_eq!(post(&own, &format!("Origin: http://{own}\r\n")), 303);
    let local = format!("localhost:{port}");
    assert_eq!(post(&local, &format!("Origin: http://{local}\r\n")), 303);
    assert_eq!(server.site.counts(), (2, 0));
    // A form of another page cannot send JSON, but it can send text.
    let decision = "{\"decision\":0,\"action\":37}";
    let response = server.post("/tables/table-0001/act", "text/plain", decision);
    assert_eq!(status(&response), 400, "{response}");
}

#[test]
fn oversized_and_broken_requests_are_refused() {
    let (_folder, server) = Running::in_new_folder();
    let host = server.address;
    let long = "x".repeat(40_000);
    assert_eq!(status(&server.get_with("/", &format!("X-Long: {long}\r\n"))), 413);
    assert_eq!(status(&server.get(&format!("/{long}"))), 413);
    assert_eq!(status(&server.get_with("/", &"X-Many: 1\r\n".repeat(100))), 413);
    assert_eq!(status(&server.post("/tables", "text/plain", &long)), 413);
    let head = format!("POST /tables HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n");
    for (length, expected) in [
        ("Content-Length: 999999999999999999999999\r\n", 413),
        ("Content-Length: -1\r\n", 400),
        ("Content-Length: +1\r\n", 400),
        ("Content-Length: 1\r\nContent-Length: 2\r\n", 400),
        ("Transfer-Encoding: chunked\r\n", 411),
    ] {
        assert_eq!(status(&server.raw(format!("{head}{length}\r\n").as_bytes())), expected, "{length}");
    }
    assert_eq!(status(&server.raw(b"hello\r\n\r\n")), 400);
    assert_eq!(status(&server.raw(format!("DELETE / HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes())), 405);
    for form in ["", "rules=99", "rules=0&opponent0=mjai", "%", "\u{FFFD}"] {
        assert_eq!(status(&server.post("/tables", "text/plain", form)), 400, "{form}");
    }
    assert_eq!(server.site.counts(), (0, 0));
}

/// A path is a name in a list, never a file.
#[test]
fn paths_outside_are_not_found() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("secret.txt"), "secret").expect("a file");
    let server = Running::start(folder.path(), &[]);
    server.site.sit_down(&setup("tenhou", 0, 1)).expect("a table");
    for path in [
        "/../secret.txt",
        "/tables/../secret.txt",
        "/tables/%2e%2e/secret.txt",
        "/tables/secret.txt",
        "/tables/table-0001/../../secret.txt",
        "/tables/table-0001/decisions.txt",
        "/tables/table-0001/table.toml",
        "/tables/",
        "//",
        "/games/0",
        "/games/-1/0",
        "/games/../secret.txt",
        "/favicon.ico",
        "http://evil.example/",
    ] {
        let response = server.get(path);
        assert_eq!(status(&response), 404, "{path}");
        assert!(!response.contains("secret"), "{path}");
    }
}

#[test]
fn pages_allow_only_what_they_need() {
    let (_folder, server) = Running::in_new_folder();
    let name = server.site.sit_down(&setup("tenhou", 0, 1)).expect("a table");
    let table = server.get(&format!("/tables/{name}"));
    let index = server.get("/");
    for page in [&table, &index] {
        for header in [
            "Content-Security-Policy: frame-ancestors 'none'",
            "X-Content-Type-Options: nosniff",
            "Cross-Origin-Resource-Policy: same-origin",
            "Cache-Control: no-store",
        ] {
            assert!(page.contains(&format!("{header}\r\n")), "{header}");
        }
        assert!(!page.contains("Access-Control"), "no other page reads an answer");
        assert!(page.contains("default-src 'none'") && !page.contains("unsafe"));
    }
    assert!(table.contains("connect-src 'self'") && index.contains("connect-src 'self'"));
    assert!(index.matches("<script").count() == 1 && index.contains("script-src 'sha256-"));
    assert!(index.contains("form-action 'self'"));
}

/// Names of files and of players are shown as text.
#[test]
fn hostile_names_stay_texts() {
    let folder = tempfile::tempdir().expect("a folder");
    let logs = folder.path().join("logs");
    fs::create_dir(&logs).expect("a folder");
    let server = Running::start(folder.path(), &[]);
    let name = server.site.sit_down(&setup("duo", 0, 3)).expect("a table");
    assert!(play(&server, &name, usize::MAX, |_| ()));
    let log = server.get(&format!("/tables/{name}/log"));
    let log = body(&log).replacen("\"random\"", "\"</script><script>alert(1)</script>\\u202Ex\"", 1);
    let log = log.replacen("\"person\"", "\"<b>&amp;\"", 1);
    let file = logs.join("<img src=x onerror=alert(1)>.mjson");
    fs::write(&file, &log).expect("a log");
    let sources = [PathBuf::from(&logs)];
    let server = Running::start(&folder.path().join("tables"), &sources);
    let index = server.get("/");
    assert!(index.contains("&lt;img src=x onerror=alert(1)&gt;.mjson") && !index.contains("<img"), "{index}");
    let list = server.get("/games/0");
    assert!(list.contains("<a href=\"/games/0/0\">") && !list.contains("<img"), "{list}");
    let game = server.get("/games/0/0");
    assert_eq!(game.matches("<script").count(), 2, "the data and the script");
    assert!(game.contains("[U+202E]x"));
    let missing = server.get("/games/0/1");
    assert_eq!((status(&missing), missing.contains("no game 1")), (404, true), "{missing}");
}

/// A person chooses among the agents and rules of the server. Others could start programs or read
/// files.
#[test]
fn forms_choose_from_lists() {
    let (folder, server) = Running::in_new_folder();
    let page = server.get("/");
    assert!(page.contains(">greedy (2.96)</option>") && page.contains("mean place in games of four against"));
    assert!(page.contains(">tenhou: Tenhou, four players: hanchan with red fives and open tanyao</option>"));
    let form = "rules=1&opponent0=1&opponent1=2&opponent2=0&seat=2&hints=3&clock=1&seed=7";
    let response = send_form(&server, form);
    assert!(response.contains("Location: /tables/table-0001\r\n"), "{response}");
    let table = fs::read_to_string(folder.path().join("table-0001/table.toml")).expect("a table");
    assert!(table.contains("agents = [\"heuristic\", \"person\", \"random\"]"), "{table}");
    assert!(
        table.contains("seat = 1") && table.contains("hints = \"heuristic\"") && table.contains("seed = 7")
    );
    for (from, to, wrong) in [
        ("rules=1", "rules=3", "rules: expected a number below 3, found \"3\""),
        ("seat=2", "seat=9", "seat: expected a number below 5, found \"9\""),
        (
            "seat=2",
            "seat=4",
            "seat: North does not play under tenhou-sanma, which has 3 players: choose another seat",
        ),
        (
            "rules=1&opponent0=1&opponent1=2&opponent2=0&seat=2",
            "rules=2&opponent1=0&seat=3",
            "seat: West does not play under duo, which has 2 players: choose another seat",
        ),
        ("clock=1", "clock=9", "clock: expected a number below 4, found \"9\""),
        ("hints=3", "hints=4", "hints: expected a number below 4, found \"4\""),
        ("opponent1=2", "opponent1=-1", "opponent1: expected a number below 3, found \"-1\""),
        ("&clock=1", "", "clock: missing; expected all fields of the form"),
        ("seed=7", "seed=x", "seed: expected a number up to 9223372036854775807, found \"x\""),
        (
            "seed=7",
            "seed=9223372036854775808",
            "seed: expected a number up to 9223372036854775807, found \"9223372036854775808\"",
        ),
    ] {
        let response = send_form(&server, &form.replace(from, to));
        assert_eq!((status(&response), body(&response).trim_end()), (400, wrong), "{to}");
    }
    assert_eq!(server.site.counts(), (1, 0));
}

/// A seed that a server drew can be given again.
#[test]
fn forms_take_every_seed_that_fits_into_a_file() {
    let (folder, server) = Running::in_new_folder();
    assert!(server.get("/").contains("pattern=\"[0-9]{0,19}\""));
    let form = "rules=2&opponent1=0&seat=1&hints=0&clock=0&seed=";
    for (number, seed) in [(1, "4294967296"), (2, "9223372036854775807"), (3, "")] {
        let response = send_form(&server, &format!("{form}{seed}"));
        assert_eq!(status(&response), 303, "{response}");
        let table = folder.path().join(format!("table-000{number}/table.toml"));
        let table = fs::read_to_string(table).expect("a table");
        assert!(table.contains(&format!("seed = {seed}")), "{table}");
    }
}

#[test]
fn at_most_64_requests_are_answered_at_once() {
    let (_folder, server) = Running::in_new_folder();
    // The server waits some seconds for the rest of a request. A slow machine may need more time to
    // connect.
    let is_full = || {
        let connect = || TcpStream::connect(server.address).expect("the server listens");
        let _held: Vec<TcpStream> = std::iter::repeat_with(connect).take(64).collect();
        let response = server.get("/");
        (status(&response), body(&response) == "too many requests at once\n") == (503, true)
    };
    assert!((0..20).any(|_| is_full()));
    // The places are free again when the server has seen that the connections are closed.
    assert!((0..100_000).any(|_| status(&server.get("/")) == 200));
}
