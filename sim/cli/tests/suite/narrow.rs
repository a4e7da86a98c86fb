//! Output in terminals of less than 80 columns, and of names whose characters take two columns.

use std::fs;
use std::process::Command;

use jantaku_show::report::width;

use crate::common::program::{folder, ok, path, short_game, text};

/// The stdout of the program for a terminal with this many columns.
fn printed(columns: usize, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jantaku"));
    let output = command.args(args).env("COLUMNS", columns.to_string()).output().expect("the program starts");
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// The lines of more columns, but for those with texts to copy: between backticks, in files of rules, and
/// words without a space.
fn long_lines(printed: &str, columns: usize) -> Vec<&str> {
    let is_long = |line: &&str| width::columns(line) > columns;
    let is_copied = |line: &&str| line.contains('`') || !line.trim_start_matches("# ").trim().contains(' ');
    printed.lines().filter(is_long).filter(|line| !is_copied(line)).collect()
}

#[test]
fn lines_fit_narrow_terminals() {
    let folder = folder();
    let run = short_game(&folder);
    let game = format!("{run}:0");
    let decision = format!("{run}:0:40");
    let out = path(&folder, "out");
    let commands: [&[&str]; 14] = [
        &["stats", "--games=20", "--agents=heuristic,greedy,random,greedy", "--by=seat"],
        &["sweep", "--rules=tenhou", "--vary=kuitan=false", "--games=10"],
        &["match", "--challenger=heuristic", "--baseline=greedy", "--sets=3"],
        &["league", "--agents=heuristic,greedy,random,tsumogiri,greedy:calls=off", "--sets=1"],
        &["selfplay", "--games=3", "--agents=heuristic:version=2,greedy,random,greedy", "--out", &out],
        &["analyse", &game, "--seat=2", "--agent=mc:rollouts=16", "--rollouts=200", "--threshold=100"],
        &["ask", &decision, "--agents=heuristic,greedy"],
        &["show", &game, "--hand=0"],
        &["info", &run],
        &["hand", "123m456p99s77z[555z]+9s"],
        &["hand", "1123456789999m"],
        &["rules", "list"],
        &["rules", "diff", "tenhou", "wrc"],
        &["agents"],
    ];
    for args in commands {
        for columns in [50, 40] {
            let _ = std::fs::remove_dir_all(&out);
            let narrow = printed(columns, args);
            let long = long_lines(&narrow, columns);
            assert!(long.is_empty(), "{columns} {args:?}: {long:#?}");
        }
    }
}

/// The longest option with its values has room in a line.
#[test]
fn options_of_agents_fit_narrow_terminals() {
    let narrow = printed(40, &["agents"]);
    let long: Vec<&str> = narrow.lines().filter(|line| width::columns(line) > 40).collect();
    assert!(long.is_empty(), "{long:#?}");
}

/// Names, folders and rules in Japanese.
#[test]
fn wide_characters_fit_the_terminal() {
    let folder = folder();
    let [run, log, rules] = ["対局", "牌譜.mjson", "規則.toml"].map(|name| path(&folder, name));
    let agents = "--agents=雀士一号=heuristic,雀士二号の名前がとても長いのです=greedy:calls=off,雀三=noisy:p=0.03,random";
    let tonpuu = "--rules=tenhou-tonpuu";
    ok(&["selfplay", "--games=2", tonpuu, agents, "--seed=5", "--out", &run, "--quiet"]);
    ok(&["convert", &format!("{run}:0"), "--to=mjai", "--out", &log, "--quiet"]);
    fs::write(&rules, "base = \"tenhou-tonpuu\"\nkuitan = false\n").expect("a file");
    let (game, decision) = (format!("{run}:0"), format!("{run}:0:40"));
    let league = format!("{agents},tsumogiri");
    let named = format!("--rules=規則甲={rules}");
    let pair = ["--challenger=雀士二号の名前がとても長いのです=greedy", "--baseline=雀三=noisy:p=0.03"];
    let commands: [&[&str]; 17] = [
        &["show", &game, "--hand=0", "--explain", "heuristic,greedy"],
        &["show", &game, "--hand=0", "--explain", "mc:rollouts=16"],
        &["show", &log, "--hand=0"],
        &["ask", &decision, "--agents=heuristic,greedy,mc:rollouts=32"],
        &["analyse", &game, "--seat=2", "--hand=0", "--agent=mc:rollouts=16", "--rollouts=50", "--verbose"],
        &["match", pair[0], pair[1], "--sets=3"],
        &["match", pair[0], pair[1], "--plan=difference=0.3"],
        &["match", pair[0], pair[1], "--plan=difference=0.3,variance=0.25"],
        &["league", &league, "--sets=2", tonpuu],
        &["stats", "--games=10", agents, tonpuu, "--by=agent"],
        &["stats", "--list"],
        &["sweep", &named, tonpuu, "--games=5", agents],
        &["selfplay", "--games=2", agents, "--log=none"],
        &["info", &run],
        &["actions"],
        &["rules", "list"],
        &["rules", "diff", &rules, "wrc"],
    ];
    for args in commands {
        for columns in [40, 60, 80, 120] {
            let found = printed(columns, args);
            let long = long_lines(&found, columns.min(80));
            assert!(long.is_empty(), "{columns} {args:?}: {long:#?}");
        }
    }
}
