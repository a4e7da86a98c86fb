//! Cases of the command line, as pages in `tests/cmd`.
//!
//! A shell runs the commands of a page's `console` blocks, which begin with `$ `, in a folder that is the page's own.
//! Below a command are its status as `? 2`, unless it is 0, its stdout, and its stderr with `! ` before each line.
//! `[..]` stands for any characters, and a line `...` for any lines. A block with a name, such as `toml my.toml`, is
//! a file for the commands below it, and `model m.safetensors` a network. `JANTAKU_WRITE=1` writes what the commands
//! print.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::program::{folder, text};
use crate::models::write_model;

const PAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cmd");

/// A test for each page.
macro_rules! pages {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name));
        })*

        #[test]
        fn every_page_is_checked() {
            let names = fs::read_dir(PAGES).expect("a folder").map(|entry| entry.expect("a page").file_name());
            let mut names: Vec<_> = names.collect();
            names.sort();
            assert_eq!(names, [$(concat!(stringify!($name), ".md")),*]);
        }
    };
}

pages! {
    arguments ask conform convert damaged hand labels league matches mjai narrow networks parameters review rules runs shards stats sweep verify view
}

/// Runs the commands of a page, and compares what they print.
fn check(name: &str) {
    let file = format!("{PAGES}/{name}.md");
    let page = fs::read_to_string(&file).expect("a page");
    let (folder, mut written, mut wrong) = (folder(), Vec::new(), String::new());
    for (info, lines) in pieces(&page) {
        written.extend(info.map(|info| format!("```{info}")));
        if info == Some("console") {
            for case in cases(&lines) {
                let found = printed(&run(&case.command(), folder.path()));
                let is_same = is_match(&case.expected, &found);
                if !is_same {
                    let (command, expected) = (case.command(), case.expected.join("\n"));
                    wrong +=
                        &format!("$ {command}\n-- expected:\n{expected}\n-- found:\n{}\n", found.join("\n"));
                }
                written.extend(case.stated.into_iter().map(str::to_owned));
                written.extend(if is_same {
                    case.expected.into_iter().map(str::to_owned).collect()
                } else {
                    found
                });
            }
        } else {
            write_file(info, &lines, folder.path());
            written.extend(lines.into_iter().map(str::to_owned));
        }
        written.extend(info.map(|_| "```".to_owned()));
    }
    if std::env::var_os("JANTAKU_WRITE").is_some_and(|value| value == "1") {
        fs::write(&file, written.join("\n") + "\n").expect("a page");
    } else {
        assert!(wrong.is_empty(), "{file}:\n{wrong}JANTAKU_WRITE=1 writes the page");
    }
}

/// The commands of a page, after the files that its blocks state are written.
pub fn commands(page: &str, folder: &Path) -> Vec<String> {
    let pieces = pieces(page);
    pieces.iter().for_each(|(info, lines)| write_file(*info, lines, folder));
    let consoles = pieces.iter().filter(|(info, _)| *info == Some("console"));
    consoles.flat_map(|(_, lines)| cases(lines)).map(|case| case.command()).collect()
}

/// The texts and blocks of a page. Blocks have what is behind their mark.
fn pieces(page: &str) -> Vec<(Option<&str>, Vec<&str>)> {
    let mut pieces = vec![(None, Vec::new())];
    for line in page.lines() {
        let (info, lines) = pieces.last_mut().expect("a piece");
        match line.strip_prefix("```") {
            Some(_) if info.is_some() => pieces.push((None, Vec::new())),
            Some(info) => pieces.push((Some(info), Vec::new())),
            None => lines.push(line),
        }
    }
    pieces
}

/// Writes the file of a block that has a name.
fn write_file(info: Option<&str>, lines: &[&str], folder: &Path) {
    match info.and_then(|info| info.split_once(' ')) {
        Some(("model", name)) => write_model(&folder.join(name)),
        Some((_, name)) => fs::write(folder.join(name), lines.join("\n") + "\n").expect("a file"),
        None => {}
    }
}

/// A command of a page, and what it prints.
struct Case<'a> {
    stated: Vec<&'a str>,
    expected: Vec<&'a str>,
}

impl Case<'_> {
    fn command(&self) -> String {
        self.stated.iter().map(|line| &line[2..]).collect::<Vec<_>>().join("\n")
    }
}

fn cases<'a>(lines: &[&'a str]) -> Vec<Case<'a>> {
    let mut cases: Vec<Case<'_>> = Vec::new();
    for &line in lines {
        match cases.last_mut() {
            _ if line.starts_with("$ ") => cases.push(Case { stated: vec![line], expected: Vec::new() }),
            Some(case) if case.expected.is_empty() && line.starts_with("> ") => case.stated.push(line),
            Some(case) => case.expected.push(line),
            None => panic!("expected a command, found {line}"),
        }
    }
    cases
}

/// Runs a command in a folder.
pub fn run(command: &str, folder: &Path) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_jantaku")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder).env_remove("COLUMNS");
    shell.env("PATH", format!("{}:{path}", program.display()));
    shell.env("ROOT", concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).output().expect("a shell")
}

/// The status and the output of a command as lines of a page.
fn printed(output: &Output) -> Vec<String> {
    let status = output.status.code().filter(|code| *code != 0).map(|code| format!("? {code}"));
    let (printed, said) = (text(&output.stdout), text(&output.stderr));
    let said = said.lines().map(|line| format!("! {line}").trim_end().to_owned());
    status.into_iter().chain(printed.lines().map(|line| line.trim_end().to_owned())).chain(said).collect()
}

/// Whether lines are those of a page, where `...` is any number of lines.
fn is_match(expected: &[&str], found: &[String]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((&"...", rest)) => (0..=found.len()).any(|skip| is_match(rest, &found[skip..])),
        Some((line, rest)) => {
            found.split_first().is_some_and(|(first, found)| is_line(line, first) && is_match(rest, found))
        }
    }
}

/// Whether a line is that of a page, where `[..]` is any characters.
fn is_line(expected: &str, found: &str) -> bool {
    let Some((start, rest)) = expected.split_once("[..]") else { return expected == found };
    let (middle, end) = rest.rsplit_once("[..]").unwrap_or(("", rest));
    let between = found.strip_prefix(start).and_then(|found| found.strip_suffix(end));
    between.is_some_and(|mut found| {
        middle.split("[..]").all(|part| {
            let after = found.split_once(part).map(|(_, rest)| rest);
            found = after.unwrap_or_default();
            after.is_some()
        })
    })
}
