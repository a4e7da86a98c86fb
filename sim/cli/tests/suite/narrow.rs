//! Output in terminals of less than 80 columns, and of names whose characters take two columns.

use std::fs;
use std::process::Command;

use jantaku_show::report::width;

use crate::common::bots::FAULTY;
use crate::common::program::{folder, ok, path, short_game, text};

/// The stdout of the program for a terminal with this many columns.
fn printed(columns: usize, args: &[&str]) -> String {
    printed_for(&columns.to_string(), args)
}

/// The stdout of the program with this variable `COLUMNS`.
fn printed_for(columns: &str, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jantaku"));
    let output = command.args(args).env("COLUMNS", columns).output().expect("the program starts");
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

/// Tables of leagues show names up to 50 columns, and numbers with a legend only for longer ones.
#[test]
fn names_of_a_league_stay_in_narrow_tables() {
    let agents = "--agents=heuristic,noisy:p=0.03,tsumogiri,my-own-bot=greedy:calls=off";
    let league = ["league", agents, "--sets=1", "--rules=tenhou-tonpuu"];
    for columns in [45, 50, 60, 80] {
        let found = printed(columns, &league);
        for name in ["heuristic", "noisy:p=0.03", "tsumogiri", "my-own-bot"] {
            let is_row = |line: &&str| line.split_whitespace().nth(1) == Some(name);
            assert!(found.lines().filter(is_row).count() >= 3, "{columns} {name}: {found}");
        }
        assert!(!found.contains('['), "{columns}: {found}");
        assert!(found.contains("\nagent my-own-bot: greedy:calls=off\n"), "{found}");
    }
    let long = "--agents=the-bot-that-I-trained-in-October=greedy:calls=off,heuristic,random,tsumogiri";
    let found = printed(50, &["league", long, "--sets=1", "--rules=tenhou-tonpuu"]);
    assert!(found.contains("] the-bot-that-I-t"), "{found}");
    assert!(found.contains("the-bot-that-I-trained-in-October=greedy:calls=off\n"), "{found}");
}

#[test]
fn widths_have_limits() {
    let hand = ["hand", "123m456p99s77z[555z]+9s"];
    let stats = ["stats", "--games=2", "--agents=greedy", "--seed=1", "--only=yaku"];
    for args in [&hand[..], &stats] {
        assert_eq!(printed(200, args), ok(args), "{args:?}");
        assert_eq!(printed(9, args), printed(40, args), "{args:?}");
    }
    for unknown in ["0", "", "-5", "wide", "80 ", "99999999999999999999999"] {
        for args in [&hand[..], &["hand", "--help"]] {
            assert_eq!(printed_for(unknown, args), ok(args), "{unknown:?} {args:?}");
        }
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

/// The text of an agent is copied into commands.
#[test]
fn texts_of_agents_are_not_broken() {
    let folder = folder();
    let bot = path(&folder, "a bot with spaces in its name.py");
    fs::write(&bot, FAULTY).expect("a file");
    let text = format!("mjai:command=\"python3 '{bot}' {{seat}}\"");
    let agents = format!("--agents=mine={text},random,random,random");
    let words =
        ["selfplay", "--games=1", "--rules=tenhou-tonpuu", &agents, "--on-fault=substitute", "--log=none"];
    for columns in [40, 80, 1000] {
        let found = printed(columns, &words);
        assert!(found.lines().any(|line| line.trim_start() == text), "{columns}: {found}");
    }
}

/// Equal agents have one line in the legend of `ask`, whose lines fit.
#[test]
fn legends_of_ask_name_each_agent_once() {
    let folder = folder();
    let decision = format!("{}:0:40", short_game(&folder));
    let name = "雀士".repeat(11);
    let agents = format!("--agents={name}=greedy:calls=off,{name}=greedy:calls=off");
    for columns in [60, 80] {
        let found = printed(columns, &["ask", &decision, &agents]);
        let legend = match columns {
            60 => format!("\n  {name}\n    greedy:calls=off\n\n{name}: "),
            _ => format!("\n  {name}  greedy:calls=off\n\n{name}: "),
        };
        assert!(found.contains(&legend), "{columns}: {found}");
        assert_eq!(found.matches("calls=off").count(), 1, "{found}");
        assert_eq!(long_lines(&found, columns), [""; 0]);
    }
}
