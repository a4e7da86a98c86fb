//! Commands that read from stdin and pipes: these can be read only once.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use crate::common::program::{folder, ok, path, refused, short_game, text};

/// Runs the program with this text in a pipe as its stdin.
fn piped(args: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jantaku"));
    command.args(args).env_remove("COLUMNS");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let (mut stdin, input) = (child.stdin.take().expect("it is piped"), input.to_vec());
    // A program that refuses its words reads no input.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends");
    output
}

/// [`piped`], which expects success without a word on stderr. Returns stdout.
fn ok_piped(args: &[&str], input: &[u8]) -> String {
    let output = piped(args, input);
    assert!(output.status.success() && output.stderr.is_empty(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Checks that a command prints the same for a file, for `-` and for the path of a pipe, but for the
/// name.
fn same_from_stdin(file: &str, args: impl Fn(&str) -> Vec<String>) {
    let content = fs::read(file).expect("a file");
    let words = |name: &str| args(name);
    let run = |name: &str, printed: &dyn Fn(&[&str]) -> String| {
        let words = words(name);
        printed(&words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let expected = run(file, &ok).replace(file, "NAME");
    let from_stdin = |name: &str| run(name, &|words| ok_piped(words, &content));
    assert_eq!(from_stdin("-").replace("stdin", "NAME"), expected, "{:?}", args("-"));
    if cfg!(unix) {
        assert_eq!(
            from_stdin("/dev/stdin").replace("/dev/stdin", "NAME"),
            expected,
            "{:?}",
            args("/dev/stdin")
        );
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn texts_of_stdin_are_those_of_files() {
    let folder = folder();
    let run = short_game(&folder);
    let [position, log, rules] = ["position.toml", "game.mjson", "my.toml"].map(|name| path(&folder, name));
    fs::write(&position, ok(&["ask", &format!("{run}:0:40"), "--toml"])).expect("a file");
    ok(&["convert", &run, "--to=mjai", "--out", &log, "--quiet"]);
    fs::write(&rules, "base = \"mleague\"\nkita_rob = true\n").expect("a file");
    same_from_stdin(&position, |name| words(&["ask", name, "--agents=greedy"]));
    same_from_stdin(&log, |name| words(&["show", name, "--hand=0"]));
    let agent = "--agent=mc:rollouts=16";
    same_from_stdin(&log, |name| words(&["analyse", name, "--seat=0", "--hand=0", agent, "--rollouts=0"]));
    let replayed = |printed: &str| printed.split(" replayed").next().map(str::to_owned);
    let (from_pipe, from_file) =
        (ok_piped(&["replay", "-"], &fs::read(&log).expect("a file")), ok(&["replay", &log]));
    assert_eq!(replayed(&from_pipe), replayed(&from_file));
    assert!(from_pipe.starts_with("1 game, ") && from_pipe.ends_with("0 differences, 0 games unreadable\n"));
    let content = fs::read(&rules).expect("a file");
    let table = |printed: &str| printed.parse::<toml::Table>().expect("TOML");
    assert_eq!(table(&ok_piped(&["rules", "show", "-"], &content)), table(&ok(&["rules", "show", &rules])));
    let differing = ok_piped(&["rules", "diff", "-", "tenhou"], &content);
    assert!(differing.lines().count() > 5 && differing.contains(" stdin "), "{differing}");
    let perft = concat!(env!("CARGO_MANIFEST_DIR"), "/../../engine/tests/perft/tenhou.toml");
    same_from_stdin(perft, |name| words(&["perft", name, "--position=deal", "--depth=1"]));
    let hand = "123m456p99s77z[555z]+9s";
    if cfg!(unix) {
        let content = fs::read(&log).expect("a file");
        let piped = ok_piped(&["ask", "/dev/stdin:40", "--agents=greedy"], &content);
        assert_eq!(piped.replace("/dev/stdin", &log), ok(&["ask", &format!("{log}:40"), "--agents=greedy"]));
    }
    let content = fs::read(&log).expect("a file");
    for (before, place, after) in [("ask", ":40", "--agents=greedy"), ("show", ":0", "--hand=0")] {
        let piped = ok_piped(&[before, &format!("-{place}"), after], &content);
        assert_eq!(piped.replace("stdin", &log), ok(&[before, &format!("{log}{place}"), after]));
    }
    let mistyped = text(&piped(&["ask", "-:40", "--agent=greedy"], &content).stderr);
    assert!(
        mistyped.contains("unexpected argument '--agent'") && mistyped.contains("'--agents'"),
        "{mistyped}"
    );
    assert_eq!(ok_piped(&["hand", "-"], format!("{hand}\n").as_bytes()), ok(&["hand", hand]));
}

/// The notes of a rule file need its text, too.
#[test]
fn notes_of_rules_come_from_pipes() {
    let folder = folder();
    let file = path(&folder, "my.toml");
    fs::write(&file, "base = \"mleague\"\nkita_rob = true\n").expect("a file");
    same_from_stdin(&file, |name| words(&["rules", "check", name]));
    assert!(ok(&["rules", "check", &file]).contains("on top of mleague"));
    let twice = "error: -: given twice, but stdin holds one rule set";
    refused(&["rules", "check", "-", "-"], twice);
    refused(&["rules", "diff", "-", "-"], twice);
}

/// A log on stdin needs the number of a decision, as one in a file does.
#[test]
fn a_log_on_stdin_is_no_position() {
    let found = piped(&["ask", "-"], b"{\"type\":\"start_game\"}\n");
    assert_eq!(found.status.code(), Some(2));
    let expected = "error: stdin: expected the decision of the log, as in LOG:25, ";
    assert!(text(&found.stderr).starts_with(expected), "{}", text(&found.stderr));
}
