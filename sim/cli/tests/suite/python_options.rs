//! The functions of the Python package take the options of the commands.
//!
//! `JANTAKU_WRITE=1` updates `python/jantaku/options.py`.

use std::fs;
use std::path::PathBuf;

use clap::{Arg, ArgAction, Args, Command};
use jantaku_measure::arena::{LeagueRequest, MatchRequest};
use jantaku_measure::reports::{StatsRequest, SweepRequest};
use jantaku_measure::review::ReviewRequest;
use jantaku_sim::play::ThreadOptions;
use jantaku_sim::replay::label::LabelRequest;
use jantaku_sim::run::{ReplayRequest, SelfplayRequest};

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

const FILES: &str = "results and their tables are written by pandas, and `html` makes the page";
const FIGURES: &str = "`sections` chooses figures, and results find single figures and groups";
const PLAN: &str = "`jantaku.plan` plans matches and statistics; the program alone plans sweeps";

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
        (
            "match",
            command::<MatchRequest>(),
            &["challenger", "baseline"],
            [OF_FIGURES, &[("shard", "`jantaku.ray.match` plays all shares")]].concat(),
        ),
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
        (
            "analyse",
            command::<ReviewRequest>(),
            &["seat"],
            vec![
                ("only", "`decisions` has the grade of each decision"),
                ("verbose", "`decisions` has the figures"),
                ("html", FILES),
            ],
        ),
        ("verify", command::<ReplayRequest>(), &["replay"], Vec::new()),
    ]
}

/// The other commands that a function of Python's modules does, and the options that it does not have, with
/// the reason.
const BY_HAND: [(&str, &[(&str, &str)]); 4] = [
    (
        "ask",
        &[("toml", "the program writes positions"), ("threads", "it answers one decision, on all threads")],
    ),
    ("info", &[]),
    ("merge", &[]),
    (
        "view",
        &[
            ("out", "`Page.save` writes the page"),
            ("open", "`Page.open` opens it"),
            ("step", "the address of the page has the decision"),
            ("rollouts", "searches are reviewed by `analyse`"),
            ("rules", "`read_log` takes the rules of a log"),
            ("threads", "agents are asked one decision after the other"),
        ],
    ),
];

/// The commands without a function in Python's modules, with the reason.
const WITHOUT: [(&str, &str); 16] = [
    ("actions", "`Action` has the numbers"),
    ("agents", "`Agent.catalog` lists them"),
    ("bench", "measures the program"),
    ("card", "describes a run that is published"),
    ("completions", "is for shells"),
    ("conform", "drives engines of other programs"),
    ("convert", "`RecordedGame.to_log` writes one game"),
    ("hand", "`Hand` has methods"),
    ("manual", "is about the program"),
    ("mjai", "is a bot of another program"),
    ("perft", "counts lines of play for authors of engines"),
    ("rebuild-manifest", "repairs a run by hand"),
    ("replay", "`RecordedGame.replay` replays one game"),
    ("rules", "`Rules` has methods"),
    ("serve", "is a server"),
    ("show", "`view` shows a game"),
];

#[test]
fn functions_of_python_have_the_options_of_commands() {
    let mut page = HEAD.to_owned();
    for (name, command, given, without) in functions() {
        let is_left_out = |arg: &&Arg| without.iter().any(|(option, _)| arg.get_long() == Some(option));
        page += &class(name, command.get_arguments().filter(|arg| !is_left_out(arg)), given);
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
    let by_hand = BY_HAND.map(|(name, without)| (name, Command::new(""), without.to_vec()));
    let by_requests = functions().into_iter().map(|(name, command, _, without)| (name, command, without));
    for (name, command, without) in by_requests.chain(by_hand) {
        let help = ok(&[name, "--help"]);
        let parameters = parameters(name);
        let options = help
            .lines()
            .filter_map(|line| line.trim_start().split_once("--"))
            .filter(|(before, _)| before.is_empty() || *before == "-q, " || *before == "-h, ");
        let options = options.map(|(_, rest)| rest.split([' ', '[']).next().unwrap_or_default());
        let is_without = |option: &str| without.iter().any(|(name, _)| *name == option);
        let is_own = |option: &str| {
            let named = option.replace('-', "_");
            command.get_arguments().any(|arg| arg.get_long() == Some(option) && !is_without(option))
                || parameters.contains(&named)
                || ["json", "quiet", "help"].contains(&option)
        };
        let mut left: Vec<&str> = options.filter(|option| !is_own(option)).collect();
        let mut without: Vec<&str> = without.iter().map(|(option, _)| *option).collect();
        left.sort_unstable();
        without.sort_unstable();
        assert_eq!(left, without, "{name}");
    }
}

#[test]
fn every_command_has_a_function_or_a_reason() {
    let help = ok(&["--help"]);
    let lines =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let mut found: Vec<&str> = names.filter(|name| !["", "help"].contains(name)).collect();
    let functions = functions();
    let known = functions.iter().map(|(name, ..)| *name);
    let known =
        known.chain(BY_HAND.iter().map(|(name, _)| *name)).chain(WITHOUT.iter().map(|(name, _)| *name));
    let mut known: Vec<&str> = known.collect();
    found.sort_unstable();
    known.sort_unstable();
    assert_eq!(found, known);
}

/// The parameters of the function with this name in the modules of Python.
fn parameters(function: &str) -> Vec<String> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/jantaku"));
    let sources = ["runs.py", "reviews.py", "tournaments.py", "pages.py"];
    let sources = sources.map(|file| fs::read_to_string(folder.join(file)).expect("a module"));
    let start = format!("\n\ndef {function}(");
    let stated = sources.iter().filter_map(|source| {
        let (_, rest) = source.rsplit_once(&start).or_else(|| source.rsplit_once(&start[1..]))?;
        rest.split_once(") -> ")
    });
    let stated: Vec<&str> = stated.map(|(parameters, _)| parameters).collect();
    assert_eq!(stated.len(), 1, "functions named {function}");
    let parameters = stated[0].split([',', '(']).filter_map(|one| one.split_once(':'));
    parameters.map(|(name, _)| name.trim().to_owned()).collect()
}

/// The class of a function's options.
fn class<'a>(function: &str, options: impl Iterator<Item = &'a Arg>, given: &[&str]) -> String {
    let name: String = function[..1].to_uppercase() + &function[1..];
    let mut docs = String::new();
    let mut fields = String::new();
    for arg in options {
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
        (_, "R" | "POINTS" | "PLACES") => "float".to_owned(),
        (_, "SEAT|WIND|NAME" | "N|HAND") => "int | str".to_owned(),
        (_, "SHARE|N") => "float | str".to_owned(),
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
