//! The functions of the Python package take the options of the commands.
//!
//! `JANTAKU_WRITE=1` updates `python/jantaku/options.py`.

use std::fs;
use std::path::PathBuf;

use clap::{Arg, ArgAction, Args, Command};
use jantaku_measure::arena::{LeagueRequest, MatchRequest};
use jantaku_measure::reports::{StatsRequest, SweepRequest};
use jantaku_sim::play::ThreadOptions;
use jantaku_sim::replay::label::LabelRequest;
use jantaku_sim::run::SelfplayRequest;

use crate::common::program::ok;

const HEAD: &str = r#""""The options of the functions that play, which are those of the program's commands.

A test writes this file from the requests of the library.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict

from ._types import Agents, AnyRules, Path
"#;

/// A command, its options, the parameters of its function that are given by position, and the
/// options that its function does not have, with the reason.
type Function = (&'static str, Command, &'static [&'static str], Vec<(&'static str, &'static str)>);

const FILES: &str = "results and their tables are written by pandas, and `to_html` writes the page";
const FIGURES: &str = "`sections` chooses figures, and results find single figures and groups";
const PLAN: &str = "`jantaku.plan` plans";

/// The options that choose figures, and write them to files.
const OF_FIGURES: &[(&str, &str)] = &[
    ("plan", PLAN),
    ("only", FIGURES),
    ("by", FIGURES),
    ("csv", FILES),
    ("parquet", FILES),
    ("markdown", FILES),
    ("html", FILES),
];

fn functions() -> Vec<Function> {
    fn command<R: Args>() -> Command {
        ThreadOptions::augment_args(R::augment_args(Command::new("")))
    }
    vec![
        ("selfplay", command::<SelfplayRequest>(), &["games", "agents"], Vec::new()),
        ("match", command::<MatchRequest>(), &["challenger", "baseline"], OF_FIGURES.to_vec()),
        ("league", command::<LeagueRequest>(), &["agents"], vec![("html", FILES)]),
        (
            "stats",
            command::<StatsRequest>(),
            &[],
            [
                OF_FIGURES,
                &[("of", "`jantaku.cases` counts cases"), ("list", "sim/docs/statistics.md has the figures")],
            ]
            .concat(),
        ),
        ("sweep", command::<SweepRequest>(), &["rules"], OF_FIGURES.to_vec()),
        ("label", command::<LabelRequest>(), &["run", "out"], Vec::new()),
    ]
}

#[test]
fn functions_of_python_have_the_options_of_commands() {
    let mut page = HEAD.to_owned();
    for (name, command, given, _) in functions() {
        page += &class(name, &command, given);
    }
    let file = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/jantaku/options.py"));
    if std::env::var_os("JANTAKU_WRITE").is_some_and(|value| value == "1") {
        fs::write(&file, &page).expect("the file");
    }
    let written = fs::read_to_string(&file).expect("the file");
    assert!(
        written == page,
        "python/jantaku/options.py does not match the requests; JANTAKU_WRITE=1 updates it"
    );
}

#[test]
fn options_that_python_lacks_have_a_reason() {
    for (name, command, _, without) in functions() {
        let help = ok(&[name, "--help"]);
        let options = help
            .lines()
            .filter_map(|line| line.trim_start().split_once("--"))
            .filter(|(before, _)| before.is_empty() || *before == "-q, " || *before == "-h, ");
        let options = options.map(|(_, rest)| rest.split([' ', '[']).next().unwrap_or_default());
        let own = |option: &str| command.get_arguments().any(|arg| arg.get_long() == Some(option));
        let mut left: Vec<&str> =
            options.filter(|option| !own(option) && !["json", "quiet", "help"].contains(option)).collect();
        let mut without: Vec<&str> = without.iter().map(|(option, _)| *option).collect();
        left.sort_unstable();
        without.sort_unstable();
        assert_eq!(left, without, "{name}");
    }
}

/// The class of a function's options.
fn class(function: &str, command: &Command, given: &[&str]) -> String {
    let name: String = function[..1].to_uppercase() + &function[1..];
    let mut docs = String::new();
    let mut fields = String::new();
    for arg in command.get_arguments() {
        let (id, kind) = (arg.get_id().as_str(), kind(arg));
        docs += &format!("    {id} : {kind}\n{}", about(arg));
        if !given.contains(&id) {
            fields += &format!("    {id}: {kind} | None\n");
        }
    }
    format!(
        "\n\nclass {name}Options(TypedDict, total=False):\n    \"\"\"The options of `{function}`.\n\n    Parameters\n    \
         ----------\n{docs}\n    \"\"\"\n\n{fields}"
    )
}

/// The type of an option in Python.
fn kind(arg: &Arg) -> String {
    let values: Vec<String> =
        arg.get_possible_values().iter().map(|value| format!("\"{}\"", value.get_name())).collect();
    let name = arg.get_value_names().unwrap_or_default().first().map_or("", |name| name.as_str());
    match (arg.get_action(), name) {
        (ArgAction::SetTrue, _) => "bool".to_owned(),
        _ if !values.is_empty() => format!("Literal[{}]", values.join(", ")),
        (_, "N" | "S" | "T") => "int".to_owned(),
        (_, "R") => "float".to_owned(),
        (_, "DIR" | "RUN") => "Path".to_owned(),
        (_, "AGENT" | "A,B,C,D" | "A[,B,C,D]" | "A,B,C,…") => "Agents".to_owned(),
        (_, "PRESET|FILE") => "AnyRules".to_owned(),
        (_, "[NAME=]PRESET|FILE") => "AnyRules | Sequence[AnyRules] | Mapping[str, AnyRules]".to_owned(),
        (_, "FIELD=V1,V2") => "Mapping[str, Iterable[Any]]".to_owned(),
        (_, "D0,D1") => "tuple[float, float]".to_owned(),
        (_, "ALPHA[,BETA]") => "float | tuple[float, float]".to_owned(),
        (_, "I/N") => "str".to_owned(),
        (_, "OPTIONS") => "bool | str".to_owned(),
        (_, "FIGURE[@GROUP]=DISTANCE") => "str | Sequence[str]".to_owned(),
        (_, other) => panic!("{}: no type in Python for {other}", arg.get_id()),
    }
}

/// The calls of Python that do what commands do.
const CALLS: [(&str, &str); 3] = [
    ("`jantaku agents`", "`Agent.catalog()`"),
    ("`jantaku rules list`", "`Rules.presets()`"),
    ("`jantaku merge`", "`jantaku.merge`"),
];

/// The help of an option in lines, with keyword arguments for options.
fn about(arg: &Arg) -> String {
    let help = arg.get_long_help().or_else(|| arg.get_help()).map_or_else(String::new, ToString::to_string);
    let help = CALLS.iter().fold(help, |help, (command, call)| help.replace(command, call));
    let words = help.split_whitespace().map(as_argument);
    let mut lines = vec![String::new()];
    for word in words {
        let line = lines.last_mut().expect("a line");
        if line.is_empty() {
            line.push_str(&word);
        } else if line.chars().count() + 1 + word.chars().count() > 88 {
            lines.push(word);
        } else {
            line.push(' ');
            line.push_str(&word);
        }
    }
    format!("        {}.\n", lines.join("\n        "))
}

/// A word of a help; `` `--on-fault` `` becomes ``` ``on_fault`` ```.
fn as_argument(word: &str) -> String {
    let Some(start) = word.find("`--") else { return word.replace('`', "``") };
    let (before, option) = word.split_at(start);
    let option = &option[3..];
    let end =
        option.find(|letter: char| letter != '-' && !letter.is_ascii_alphabetic()).unwrap_or(option.len());
    format!("{before}``{}{}", option[..end].replace('-', "_"), option[end..].replace('`', "``"))
}
