//! `jantaku hand --jsonl`: its answers, one by one.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

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
