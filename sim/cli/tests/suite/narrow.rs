//! Output in terminals of less than 80 columns.

use std::process::Command;

use crate::common::program::{folder, ok, path, short_game, text};

/// The stdout of the program for a terminal of so many columns.
fn printed(columns: usize, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jantaku"));
    let output = command.args(args).env("COLUMNS", columns.to_string()).output().expect("the program starts");
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// The lines of more columns, but for those with texts to copy: between backticks, in files of rules, and
/// words without a space.
fn long_lines(printed: &str, columns: usize) -> Vec<&str> {
    let is_long = |line: &&str| line.chars().count() > columns;
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
        &["analyse", &game, "--seat=2", "--agent=mc:rollouts=16", "--rollouts=200", "--least=100"],
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

#[test]
fn widths_have_limits() {
    let hand = ["hand", "123m456p99s77z[555z]+9s"];
    let stats = ["stats", "--games=2", "--agents=greedy", "--seed=1", "--only=yaku"];
    for args in [&hand[..], &stats] {
        assert_eq!(printed(200, args), ok(args), "{args:?}");
        assert_eq!(printed(9, args), printed(40, args), "{args:?}");
    }
}

/// Comments of rules are wrapped; the rules stay as they are.
#[test]
fn narrow_rules_are_the_same_rules() {
    let narrow = printed(50, &["rules", "show", "wrc"]);
    let wide = ok(&["rules", "show", "wrc"]);
    let fields = |text: &str| text.parse::<toml::Table>().expect("TOML");
    assert_eq!(fields(&narrow), fields(&wide));
    let comments: String = narrow.lines().filter(|line| line.starts_with('#')).collect::<Vec<_>>().join("\n");
    assert_eq!(long_lines(&comments, 50), [""; 0]);
    assert!(narrow.lines().count() > wide.lines().count());
}
