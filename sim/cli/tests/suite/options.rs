//! `docs/options.md` is what the program says about its commands, agents and actions.
//!
//! `JANTAKU_WRITE=1` updates it.

use std::fs;
use std::path::PathBuf;

use crate::common::program::ok;

const HEAD: &str = "# Options

What the program says about itself: the help of each command, the agents with their options, and the
numbers of the actions. [commands.md](commands.md) has the commands by job, with examples. A test compares
this page with the program, and `JANTAKU_WRITE=1` before the test writes it.
";

#[test]
fn the_page_says_what_the_program_says() {
    let file = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/options.md"));
    let mut page = HEAD.to_owned();
    add_help(&mut page, &[]);
    add(&mut page, "Agents", &ok(&["agents"]));
    add(&mut page, "Actions", &ok(&["actions"]));
    if std::env::var_os("JANTAKU_WRITE").is_some_and(|value| value == "1") {
        fs::write(&file, &page).expect("the page");
    }
    let written = fs::read_to_string(&file).expect("the page");
    assert!(written == page, "docs/options.md does not match the program; JANTAKU_WRITE=1 updates it");
}

/// Adds the help of a command, and of the commands in it.
fn add_help(page: &mut String, command: &[&str]) {
    let help = ok(&[command, &["--help"]].concat());
    add(page, &["jantaku", &command.join(" ")].join(" "), &help);
    for name in commands(&help).filter(|name| *name != "help") {
        add_help(page, &[command, &[name]].concat());
    }
}

/// The commands that a help lists.
fn commands(help: &str) -> impl Iterator<Item = &str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines.take_while(|line| !line.is_empty());
    // The words of a command continue in lines that are indented further.
    names.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).filter(|name| !name.is_empty())
}

fn add(page: &mut String, title: &str, text: &str) {
    page.push_str(&format!("\n## {}\n\n```text\n{}\n```\n", title.trim_end(), text.trim_end()));
}
