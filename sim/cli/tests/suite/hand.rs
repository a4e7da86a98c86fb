//! `jantaku hand --jsonl`: its flags, and its answers one by one.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use crate::common::program::{jantaku, text};

/// No flag about a hand is ignored: `--jsonl` excludes each.
#[test]
fn flags_that_do_nothing_are_refused() {
    let help = text(&jantaku(&["hand", "--help"]).stdout);
    let options = help.split("Options:").nth(1).expect("options");
    let others = ["jsonl", "rules", "json", "quiet", "help", "version"];
    let flags =
        options.lines().filter_map(|line| line.trim_start().split_once("--")).filter_map(|(before, flag)| {
            let name = flag.split([' ', '[', '=']).next()?;
            (before.trim_end_matches([',', ' ']).len() <= 2 && !others.contains(&name)).then_some(name)
        });
    let mut count = 0;
    for name in flags.take_while(|name| !name.is_empty()) {
        let value = match name {
            "by" => vec!["ron"],
            "from" | "seat" | "round" => vec!["E"],
            "dora" | "ura" => vec!["1m"],
            "dealer-wins" | "kita" | "honba" | "riichi-sticks" => vec!["1"],
            "pao" => vec!["daisangen=W"],
            _ => vec![],
        };
        let flag = format!("--{name}");
        let output = jantaku(&[&["hand", "--jsonl", &flag], value.as_slice()].concat());
        let found = text(&output.stderr);
        assert!(found.contains(&format!("'--jsonl' cannot be used with '{flag}")), "{found}");
        count += 1;
    }
    assert_eq!(count, 22, "{options}");
}

/// A program can write a question, wait for the answer, and write the next question.
#[test]
fn each_answer_is_flushed_before_the_next_question() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jantaku"));
    command.args(["hand", "--jsonl"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
    for id in 0..3 {
        writeln!(stdin, "{{\"id\":{id},\"hand\":\"2345p\"}}").expect("the program reads");
        let mut line = String::new();
        stdout.read_line(&mut line).expect("the program answers");
        assert!(line.starts_with(&format!("{{\"id\":{id},")), "{line}");
    }
    drop(stdin);
    assert!(child.wait().expect("the program ends").success());
}
