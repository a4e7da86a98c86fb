//! Output, exit statuses and error messages of the program.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::program::{files, folder, forget_last_part, jantaku, json, ok, path, refused, text};
use jantaku_engine::Rules;
use jantaku_engine::rules::PRESETS;

#[test]
fn a_run_is_the_same_for_any_number_of_threads() {
    let folder = folder();
    let run = |threads: &str| {
        let out = path(&folder, threads);
        ok(&[
            "selfplay",
            "--games",
            "150",
            "--games-per-part",
            "100",
            "--seed",
            "5",
            "--agents",
            "greedy,random,tsumogiri,greedy:calls=off",
            "--out",
            &out,
            "--threads",
            threads,
        ]);
        files(&out)
    };
    let one = run("1");
    assert!(one.keys().any(|name| name.ends_with("decisions/part-000001.parquet")));
    assert!(!one.keys().any(|name| name.to_string_lossy().ends_with(".partial")));
    for threads in ["2", "8"] {
        let other = run(threads);
        assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
        for (name, bytes) in &one {
            assert!(*bytes == other[name], "{} differs with {threads} threads", name.display());
        }
    }
}

#[test]
fn the_summary_the_manifest_and_the_json_agree() {
    let folder = folder();
    let out = path(&folder, "run");
    let found = json(&ok(&["selfplay", "--games", "40", "--seed", "3", "--out", &out, "--json"]));
    let manifest = json(&fs::read_to_string(Path::new(&out).join("manifest.json")).expect("a manifest"));
    assert_eq!(found["rows"], manifest["rows"]);
    assert_eq!(manifest["complete"], true);
    for key in ["games", "hands", "decisions"] {
        assert_eq!(found[key], found["rows"][key], "{key}");
    }
    let draws: u64 =
        found["draws"].as_object().expect("reasons").values().map(|n| n.as_u64().expect("a count")).sum();
    assert_eq!(found["hands"].as_u64(), Some(found["won_hands"].as_u64().expect("a count") + draws));
    let points: i64 =
        found["seats"].as_array().expect("seats").iter().map(|s| s["points"].as_i64().expect("points")).sum();
    assert_eq!(points, 40 * 100_000);
    // `--log none` plays the same games.
    let counted = json(&ok(&["selfplay", "--games", "40", "--seed", "3", "--log", "none", "--json"]));
    for key in ["hands", "decisions", "draws", "seats"] {
        assert_eq!(found[key], counted[key], "{key}");
    }
}

#[test]
fn each_level_writes_its_tables() {
    let folder = folder();
    for (level, tables) in [
        ("games", vec!["games"]),
        ("hands", vec!["games", "hands"]),
        ("decisions", vec!["games", "hands", "decisions"]),
        ("oracle", vec!["games", "hands", "decisions", "walls", "oracle"]),
    ] {
        let out = path(&folder, level);
        ok(&["selfplay", "--games", "3", "--out", &out, "--log", level, "--quiet"]);
        for table in ["games", "hands", "decisions", "walls", "oracle"] {
            let there = Path::new(&out).join(table).join("part-000000.parquet").exists();
            assert_eq!(there, tables.contains(&table), "{table} with {level}");
        }
    }
}

/// `info` prints the rows and bytes of the files.
#[test]
fn info_agrees_with_the_files() {
    let folder = folder();
    let out = path(&folder, "run");
    ok(&["selfplay", "--games", "5", "--games-per-part", "2", "--seed", "3", "--out", &out, "--quiet"]);
    let found = json(&ok(&["info", &out, "--json"]));
    let manifest = json(&fs::read_to_string(format!("{out}/manifest.json")).expect("a manifest"));
    for table in found["tables"].as_array().expect("tables") {
        let name = table["table"].as_str().expect("a name");
        assert_eq!(table["rows"], manifest["rows"][name], "{name}");
        let of_table =
            |(path, bytes): (PathBuf, Vec<u8>)| path.starts_with(name).then_some(bytes.len() as u64);
        let bytes: u64 = files(&out).into_iter().filter_map(of_table).sum();
        assert_eq!(table["bytes"].as_u64(), Some(bytes), "{name}");
        let columns = table["columns"].as_array().expect("columns");
        let sizes: Vec<u64> = columns.iter().map(|column| column["bytes"].as_u64().expect("bytes")).collect();
        assert!(!sizes.contains(&0) && sizes.iter().sum::<u64>() < bytes, "{name}: {columns:?}");
    }
    let text = ok(&["info", &out]);
    let head =
        format!("{out}: 5 games of greedy, complete\n  rules    tenhou, {:016x}\n", Rules::default().hash());
    assert!(text.starts_with(&head), "{text}");
    assert!(
        text.contains("\n  parts    3 of 2 games\n") && text.contains("\ndecisions, bytes a row\n"),
        "{text}"
    );
}

#[test]
fn a_game_is_shown_to_its_end() {
    let folder = folder();
    let out = path(&folder, "run");
    ok(&["selfplay", "--games", "1002", "--seed", "9", "--agents", "random", "--out", &out, "--quiet"]);
    for game in ["0", "1001"] {
        let shown = ok(&["show", &out, "--game", game]);
        assert!(shown.contains("\nEast 1-0, 0 riichi sticks, dora indicator "), "{shown}");
        assert!(shown.contains("\n  points 25,000 25,000 25,000 25,000\n"), "{shown}");
        assert!(!shown.lines().skip(1).any(has_long_number), "{shown}");
        assert_eq!(shown.lines().filter(|line| line.contains(": placement ")).count(), 4, "{shown}");
    }
    let whole = ok(&["show", &out, "--game", "1"]);
    let hands = whole.matches(", dora indicator ").count();
    let hand = |number: usize| ok(&["show", &out, "--game", "1", "--hand", &number.to_string()]);
    let head = whole.split("\n\n").next().expect("the agents");
    let told: Vec<String> = (0..hands).map(|n| hand(n).replacen(head, "", 1).trim().to_owned()).collect();
    assert_eq!(format!("{head}\n\n{}", told.join("\n\n")), whole.trim());
    let missing = hands.to_string();
    refused(
        &["show", &out, "--game", "1", "--hand", &missing],
        &format!("error: {out}: no hand {missing}; game 1 has hands 0 to {}", hands - 1),
    );
    refused(
        &["show", &out, "--game", "1002"],
        &format!("error: {out}: no game 1002; the run holds games 0 to 1001"),
    );
    let hands = path(&folder, "hands");
    let summary = ok(&["selfplay", "--games", "1", "--out", &hands, "--log", "hands"]);
    let written = summary.lines().find(|line| line.starts_with(&hands)).expect("a line on the folder");
    assert!(written.starts_with(&format!("{hands}: 1 game, ")), "{written}");
    assert!(written.ends_with(" hands in 1 part"), "{written}");
    refused(
        &["show", &hands, "--game", "0"],
        &format!(
            "error: {hands}: the run keeps only hands, expected decisions: write it with `--log decisions`"
        ),
    );
    for words in [&["ask", &format!("{hands}:0:0")][..], &["analyse", &format!("{hands}:0"), "--seat", "0"]] {
        refused(
            words,
            &format!(
                "error: {hands}: the run keeps only hands, expected decisions: write it with `--log decisions`"
            ),
        );
    }
    let file = format!("{out}/run.toml");
    refused(
        &["show", &file, "--game", "0"],
        &format!("error: {file}: line 1: not a recorded game: expected XML, JSON or a URL of tenhou.net/6"),
    );
    let nothing = path(&folder, "nothing");
    let shown = jantaku(&["show", &nothing, "--game", "0"]);
    assert_eq!(shown.status.code(), Some(2));
    assert!(
        text(&shown.stderr).contains("nothing: no such file; expected RUN:GAME"),
        "{}",
        text(&shown.stderr)
    );
}

/// Whether a line has points or results of four digits without a comma.
fn has_long_number(line: &str) -> bool {
    let words = line.split_whitespace().map(|word| word.trim_start_matches(['+', '-']));
    words.into_iter().any(|word| word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// `show` prints decisions at draws and at the end of the game, and games of three and two players.
#[test]
fn games_under_unusual_rules_are_shown() {
    let folder = folder();
    let choices =
        "agari_yame = 'Choice'\ntenpai_yame = 'Choice'\nyame_condition = 'None'\nnoten_declaration = true\n";
    let three = "players = 3\ntiles = 'ThreePlayer'\nwall_layout = 'Tenhou3p'\naka = { m = 0, p = 1, s = 1 }\n\
        uma = [15, 0, -15]\nchi = false\nnoten_pool = 2000\nhonba_ron = 200\ntriple_ron = 'HeadBump'\nnorth = 'Nukidora'\n";
    let two = "players = 2\nmax_ron = 1\ntriple_ron = 'HeadBump'\numa = [10, -10]\nnoten_pool = 1000\nhonba_ron = 100\ntsumo_split = 'Full'\nriichi_min_live = 2\n";
    for (name, rules) in [("choices", choices), ("three", three), ("two", two)] {
        let file = path(&folder, &format!("{name}.toml"));
        fs::write(&file, rules).expect("a file");
        let out = path(&folder, name);
        ok(&["selfplay", "--games", "30", "--rules", &file, "--out", &out, "--quiet"]);
        let shown: String = (0..30).map(|game| ok(&["show", &out, "--game", &game.to_string()])).collect();
        fu_parts_add_up(&shown);
        match name {
            "choices" => assert!(shown.contains("end game") && shown.contains("keep closed")),
            "three" => assert!(shown.contains("kita")),
            _ => assert!(shown.contains("S seat 1")),
        }
    }
}

/// Checks that the parts of fu, on the line below a win, add up to its fu.
fn fu_parts_add_up(shown: &str) {
    let mut found = 0;
    // Long lines are broken.
    let shown = shown.replace("\n      ", " ");
    for (win, parts) in shown.lines().zip(shown.lines().skip(1)) {
        let Some((_, parts)) = parts.split_once("    fu: ") else { continue };
        let (before, _) = win.split_once(" fu").expect("a win with its fu");
        let fu: u32 = before.rsplit(' ').next().and_then(|n| n.parse().ok()).expect("a number");
        let sum: u32 =
            parts.split(", ").filter_map(|part| part.rsplit(' ').next()?.parse::<u32>().ok()).sum();
        assert_eq!(sum, fu, "{win}\n{parts}");
        found += 1;
    }
    assert!(found > 10, "{found}");
}

#[test]
fn bad_options_are_refused() {
    let folder = folder();
    let out = path(&folder, "run");
    let presets = PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ");
    let largest = i64::MAX;
    for (option, value, from, to) in [
        ("--games <N>", "0", 1, largest),
        ("--games <N>", "-1", 1, largest),
        ("--games <N>", "abc", 1, largest),
        ("--games <N>", "1.5", 1, largest),
        ("--games <N>", "1e19", 1, largest),
        ("--seed <S>", "-1", 0, largest),
        ("--seed <S>", "9223372036854775808", 0, largest),
        ("--threads <T>", "0", 1, 1024),
        ("--threads <T>", "5000", 1, 1024),
    ] {
        let word = option.split(' ').next().expect("an option");
        let output = jantaku(&["selfplay", "--out", &out, word, value]);
        let message = format!(
            "error: invalid value '{value}' for '{option}': expected a whole number from {from} to {to}\n"
        );
        assert!(text(&output.stderr).starts_with(&message), "{}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(2));
    }
    refused(
        &["selfplay", "--games", "1"],
        "error: --out DIR is needed to write a run; to write nothing, give `--log none`",
    );
    refused(
        &["selfplay", "--games", "1", "--out", &out, "--rules", "tenhuo"],
        &format!(
            "error: unknown rules `tenhuo`: no file, and no preset, did you mean `tenhou`? Expected one of {presets}"
        ),
    );
    refused(
        &["selfplay", "--games", "1", "--out", &out, "--agents", "gredy"],
        "error: --agents gredy: unknown agent `gredy`, did you mean `greedy`? Expected one of random, tsumogiri, greedy, heuristic, mc, noisy, neural, residual, mjai",
    );
    refused(
        &["selfplay", "--games", "1", "--out", &out, "--agents", "greedy,random"],
        "error: --agents greedy,random: 2 agents for 4 seats: expected 1 or 4",
    );
    assert!(!Path::new(&out).exists(), "bad options must not create a folder");
    let unknown = jantaku(&["selfplay", "--game", "1"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(
        text(&unknown.stderr).contains("a similar argument exists: '--games'"),
        "{}",
        text(&unknown.stderr)
    );
}

/// Edited values of `run.toml` and `manifest.json` that contradict the rest are errors.
#[test]
fn a_run_that_contradicts_itself_is_refused() {
    let folder = folder();
    let out = path(&folder, "run");
    ok(&["selfplay", "--games", "2", "--out", &out, "--quiet"]);
    let hash = format!("{:016x}", Rules::default().hash());
    let uma = "`rules`: `uma`: expected 3 numbers, one for each player, found [20, 10, -10, -20]";
    let agents = "agents = [\"greedy\", \"greedy\", \"greedy\", \"greedy\"]";
    let other = format!("`rules_hash`: expected {hash}, that of `rules`, found 0123456789abcdef");
    for (file, from, to, what) in [
        (
            "run.toml",
            "games_per_part = 1000",
            "games_per_part = 0",
            "`games_per_part`: expected at least 1, found 0",
        ),
        ("run.toml", "players = 4", "players = 3", uma),
        (
            "run.toml",
            "log = \"decisions\"",
            "log = \"foo\"",
            "TOML parse error at line 7, column 7\n  |\n7 | log = \"foo\"\n  |       ^^^^^\n\
            `log`: expected one of none, games, hands, decisions, oracle, found foo",
        ),
        ("run.toml", hash.as_str(), "0123456789abcdef", other.as_str()),
        ("run.toml", agents, "agents = [\"greedy\"]", "`agents`: expected 4, one for each player, found 1"),
        (
            "manifest.json",
            "{\n  \"complete\": true,\n  \"games\": 2",
            "{\n  \"complete\": true,\n  \"games\": 3000",
            "`games`: expected 2, those of the parts, found 3000",
        ),
    ] {
        let name = format!("{out}/{file}");
        let good = fs::read_to_string(&name).expect("a file");
        assert!(good.contains(from), "{from} in {good}");
        fs::write(&name, good.replacen(from, to, 1)).expect("a file");
        refused(&["show", &out, "--game", "0"], &format!("error: {name}: {what}"));
        fs::write(&name, good).expect("a file");
    }
    let empty = fs::read_to_string(format!("{out}/manifest.json")).expect("a manifest");
    let empty = empty.replacen("\"games\": 2", "\"games\": 0", 1);
    let empty = empty.replacen("\"complete\": true", "\"complete\": false", 1);
    let (head, _) = empty.split_once("\"parts\"").expect("parts");
    fs::write(format!("{out}/manifest.json"), format!("{head}\"parts\": []}}")).expect("a file");
    refused(&["show", &out, "--game", "0"], &format!("error: {out}: no game 0; the run holds no games"));
}

/// Reading a pipe in place of a file would block without end.
#[cfg(unix)]
#[test]
fn a_pipe_is_not_a_file_of_a_run() {
    let folder = folder();
    let pipe = path(&folder, "run.toml");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts").success());
    let run = folder.path().to_str().expect("a path of plain characters");
    refused(&["show", run, "--game", "0"], &format!("error: {pipe}: expected a file, found something else"));
}

/// Under these rules a game continues until a player has the target points, which needs a win.
#[test]
fn a_game_without_end_is_an_error() {
    refused(
        &["selfplay", "--games", "100", "--rules", "saki", "--agents", "tsumogiri", "--log", "none"],
        "error: game 0: no end after 10000 hands: the rules do not force one; \
        see `renchan`, `tobi`, `extension` and `extension_rounds`",
    );
}

/// A folder name that is not UTF-8 works, and `environment.json` stores it with replacements.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_name_need_not_be_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let folder = folder();
    let name = folder.path().join(OsStr::from_bytes(b"bad\xff"));
    let output = Command::new(env!("CARGO_BIN_EXE_jantaku"))
        .args(["selfplay", "--games", "2", "-q", "--out"])
        .arg(&name)
        .output()
        .expect("the program starts");
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    let environment = json(&fs::read_to_string(name.join("environment.json")).expect("a file"));
    let words = environment["arguments"].as_array().expect("words");
    assert!(words[5].as_str().expect("a word").ends_with("bad\u{fffd}"), "{words:?}");
}

/// Results name a folder that is not UTF-8 with replacements.
#[cfg(target_os = "linux")]
#[test]
fn results_name_a_folder_that_is_not_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let folder = folder();
    let name = |name: &[u8]| folder.path().join(OsStr::from_bytes(name));
    let (run, pair, league) = (name(b"run\xff"), name(b"match\xff"), name(b"league\xff"));
    let (shard, merged, converted) = (name(b"shard\xff"), name(b"merged\xff"), name(b"converted\xff"));
    let (plain, page) = (path(&folder, "plain"), name(b"page\xff"));
    ok(&["selfplay", "--games=1", "--agents=tsumogiri", "--out", &plain, "--quiet"]);
    let game = format!("{plain}:0");
    let commands: [(&str, &[&OsStr]); 10] = [
        ("selfplay --games 2 --agents tsumogiri --json --out", &[run.as_os_str()]),
        ("stats --only hands --json", &[run.as_os_str()]),
        ("info --json", &[run.as_os_str()]),
        ("rebuild-manifest --json", &[run.as_os_str()]),
        ("match --challenger random --baseline tsumogiri --sets 1 --json --out", &[pair.as_os_str()]),
        ("league --agents greedy,random,tsumogiri,heuristic --sets 1 --json --out", &[league.as_os_str()]),
        ("selfplay --games 2 --agents tsumogiri --shard 1/1 --json --out", &[shard.as_os_str()]),
        ("merge --json", &[shard.as_os_str(), OsStr::new("--out"), merged.as_os_str()]),
        ("convert --to run --json", &[run.as_os_str(), OsStr::new("--out"), converted.as_os_str()]),
        ("view --json", &[OsStr::new(&game), OsStr::new("--out"), page.as_os_str()]),
    ];
    for (command, paths) in commands {
        let output = Command::new(env!("CARGO_BIN_EXE_jantaku"))
            .args(command.split(' '))
            .args(paths)
            .output()
            .expect("the program starts");
        assert_eq!(output.status.code(), Some(0), "{command}: {}", text(&output.stderr));
        assert!(text(&output.stdout).contains('\u{fffd}'), "{command}: {}", text(&output.stdout));
    }
    assert!(pair.join("result.json").exists() && league.join("result.json").exists());
}

#[test]
fn an_output_folder_in_use_stays_unchanged() {
    let folder = folder();
    let out = path(&folder, "run");
    ok(&["selfplay", "--games", "2", "--out", &out, "--quiet"]);
    let before = files(&out);
    refused(
        &["selfplay", "--games", "2", "--out", &out],
        &format!("error: {out}: already holds a run; resume it with `--resume`, or choose another folder"),
    );
    // Other commands cannot resume.
    refused(
        &["convert", &out, "--to", "run", "--out", &out],
        &format!("error: {out}: already holds a run; choose another folder"),
    );
    assert!(files(&out) == before);
    // A run that was stopped in its first part.
    forget_last_part(&out);
    for table in ["games", "hands", "decisions"] {
        fs::remove_dir_all(Path::new(&out).join(table)).expect("a folder");
    }
    for lost in ["none", "manifest.json"] {
        fs::remove_file(Path::new(&out).join(lost)).ok();
        refused(
            &["selfplay", "--games", "2", "--out", &out],
            &format!(
                "error: {out}: already holds a run without games; begin it with `--resume`, or delete the folder"
            ),
        );
    }
    ok(&["selfplay", "--resume", "--out", &out, "--quiet"]);
    assert!(files(&out) == before);
    let other = path(&folder, "other");
    fs::create_dir(&other).expect("a folder");
    fs::write(Path::new(&other).join("letter.txt"), "dear").expect("a file");
    refused(
        &["selfplay", "--games", "2", "--out", &other],
        &format!("error: {other}: is not empty; choose a new folder"),
    );
    let file = path(&folder, "file");
    fs::write(&file, "").expect("a file");
    let below = format!("{file}/run");
    refused(
        &["selfplay", "--games", "2", "--out", &below],
        &format!("error: {below}: cannot be used: Not a directory (os error 20)"),
    );
    #[cfg(unix)]
    {
        let (link, target) = (path(&folder, "link"), path(&folder, "nowhere"));
        std::os::unix::fs::symlink(&target, &link).expect("a link");
        refused(
            &["selfplay", "--games", "2", "--out", &link],
            &format!("error: {link}: is a link to {target}, which does not exist"),
        );
    }
}

#[cfg(unix)]
#[test]
fn an_error_names_the_folder_and_the_reason() {
    let folder = folder();
    let out = path(&folder, "run");
    let command =
        format!("ulimit -f 0; exec {} selfplay --games 1 --out {out}", env!("CARGO_BIN_EXE_jantaku"));
    let output = Command::new("bash").args(["-c", &command]).output().expect("bash starts");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        text(&output.stderr),
        format!("error: {out}/run.toml: cannot finish: File too large (os error 27)\n")
    );
    assert_eq!(files(&out), BTreeMap::new());
}

/// The help of every command fits a terminal of 80 columns.
#[test]
fn help_fits_80_columns() {
    let mut commands = vec![vec![]];
    let mut seen = 0;
    while let Some(words) = commands.pop() {
        for flag in ["-h", "--help"] {
            let help = ok(&[&words[..], &[flag]].concat());
            let long = help.lines().find(|line| line.chars().count() > 80);
            assert_eq!(long, None, "{words:?} {flag}");
            let broken = help.split('`').skip(1).step_by(2).find(|code| code.contains('\n'));
            assert_eq!(broken, None, "{words:?} {flag}: a line breaks what a user copies");
        }
        seen += 1;
        let help = ok(&[&words[..], &["-h"]].concat());
        let Some((_, list)) = help.split_once("Commands:\n") else { continue };
        // Further lines of a long description begin with more spaces.
        let lines = list.lines().take_while(|line| line.starts_with("  "));
        let names = lines.filter_map(|line| line[2..].split(' ').next().filter(|name| !name.is_empty()));
        let below = names
            .filter(|name| *name != "help")
            .map(|name| [&words[..], &[String::leak(name.to_owned())]].concat());
        commands.extend(below);
    }
    assert!(seen > 20, "{seen}");
}

/// Common wrong arguments get advice for the command. Commands whose output has a format of its own
/// do not ignore `--json`.
#[test]
fn other_formats_refuse_json() {
    let folder = folder();
    let pages = path(&folder, "pages");
    for (args, reason) in [
        (&["completions", "bash"][..], "`completions` prints a script for a shell"),
        (&["manual", &pages], "`manual` writes pages and prints nothing"),
        (&["mjai"], "`mjai` prints one answer per line, which is JSON already"),
        (&["rules", "reference"], "`rules reference` prints Markdown; `rules show --json` prints fields"),
        (&["hand", "--jsonl"], "`--jsonl` prints lines of JSON already"),
        (&["ask", "position.toml", "--toml"], "`--toml` prints a position"),
    ] {
        let message = format!("error: --json: expected no such option, because {reason}");
        refused(&[args, &["--json"]].concat(), &message);
    }
    assert!(!Path::new(&pages).exists());
}

/// What an error repeats of the command line cannot control the terminal.
#[test]
fn errors_of_the_command_line_are_harmless() {
    for args in [
        &["stats", "--a\u{1B}[31mb"][..],
        &["fo\u{1B}[31mo"],
        &["stats", "--games", "1\u{9B}2\u{202E}3\r"],
        &["match", "--seatings", "\u{1B}]0;title\u{7}"],
        &["hand", "1m", "--by", "\u{1B}[2J"],
    ] {
        let output = jantaku(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = text(&output.stderr);
        let is_control = |letter: char| letter != '\n' && (letter.is_control() || letter == '\u{202E}');
        assert!(!said.contains(is_control) && said.contains("[U+00"), "{args:?}: {said:?}");
    }
}

#[test]
fn unknown_arguments_have_advice() {
    for (words, tip) in [
        (&["match", "--games", "5"][..], "games are played in sets; write `--sets N`"),
        (&["league", "--games=5"], "games are played in sets; write `--sets N`"),
        (&["selfplay", "--sets", "5"], "write `--games N`"),
        (&["hand", "23m", "--tsumo"], "write `--by tsumo`"),
    ] {
        let said = text(&jantaku(words).stderr);
        let advice = format!("\n  tip: {tip}\n");
        assert!(said.contains(&advice) && !said.contains("Usage") && !said.contains("similar"), "{said}");
    }
}

#[test]
fn commands_without_a_run() {
    let agents = ok(&["agents"]);
    assert!(agents.contains("greedy:calls=on|off"), "{agents}");
    let list = ok(&["rules", "list"]);
    // Further lines of a long title begin with spaces.
    let names: Vec<&str> = list.lines().filter_map(|line| line.split(' ').next()).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
    assert_eq!(names, PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>());
    let unknown = jantaku(&["rules", "show", "tenhou-3p"]);
    assert!(text(&unknown.stderr).contains("did you mean `tenhou-sanma`?"), "{}", text(&unknown.stderr));
    let unknown = jantaku(&["rules", "show", "sanma"]);
    assert!(text(&unknown.stderr).contains("did you mean `tenhou-sanma`?"), "{}", text(&unknown.stderr));
    let shown = ok(&["rules", "show", "mleague"]);
    let line = "riichi_min_live = 0 # set by mleague; assumed: another source asks for one tile";
    assert!(shown.contains(line), "{shown}");
    assert!(shown.contains("# Source: four: Tenhou, Mahjong Soul, EMA 2016;"), "{shown}");
    assert!(ok(&["rules", "reference"]).starts_with("# Rules\n"));
    assert!(ok(&["rules", "diff", "tenhou", "tenhou"]).contains("are the same rules"));
}

/// The version names the commit of the sources, and whether they were modified.
#[test]
fn the_version_names_the_commit() {
    let git = |words: &[&str]| {
        let output = Command::new("git").args(words).current_dir(env!("CARGO_MANIFEST_DIR")).output();
        output.ok().filter(|output| output.status.success()).map(|output| text(&output.stdout))
    };
    let version = ok(&["--version"]);
    let commit = version.strip_prefix(concat!("jantaku ", env!("CARGO_PKG_VERSION"), ", commit "));
    let (commit, features) = commit.and_then(|rest| rest.split_once(", ")).expect(&version);
    assert_eq!(
        features.trim_end(),
        if cfg!(feature = "cloud") { "features: cloud" } else { "features: none" }
    );
    let Some(head) = git(&["rev-parse", "--short=12", "HEAD"]) else {
        assert_eq!(commit, "unknown");
        return;
    };
    let sources = ["src", "../engine/src", "../agents/src", "../Cargo.lock"];
    let changed = git(&[&["status", "--porcelain", "--untracked-files=no", "--"], &sources[..]].concat());
    let is_modified = changed.is_some_and(|files| !files.is_empty());
    assert_eq!(commit.strip_suffix("-dirty").unwrap_or(commit), head.trim_end());
    assert!(!is_modified || commit.ends_with("-dirty"), "{version}");
    // A run says which program wrote it, and is deterministic only by a commit.
    let folder = folder();
    let out = path(&folder, "run");
    ok(&["selfplay", "--games", "1e0", "--seed", "1_0", "--log", "games", "--quiet", "--out", &out]);
    let config = fs::read_to_string(format!("{out}/run.toml")).expect("a run");
    assert!(config.contains(&format!("commit = \"{commit}\"\n")), "{config}");
    assert!(config.contains(&format!("deterministic = {}\n", !commit.ends_with("-dirty"))), "{config}");
    assert!(config.contains("games = 1\nseed = 10\n"), "{config}");
    let environment = json(&fs::read_to_string(format!("{out}/environment.json")).expect("a file"));
    assert!(!environment["host"].as_str().expect("a name").is_empty(), "{environment}");
    // A run of modified sources is resumed with a warning.
    let edit = |from: &str, to: &str| {
        let config = fs::read_to_string(format!("{out}/run.toml")).expect("a run");
        fs::write(format!("{out}/run.toml"), config.replacen(from, to, 1)).expect("a file");
    };
    let resumed = jantaku(&["selfplay", "--resume", "--games", "2", "--quiet", "--out", &out]);
    let warning = format!("warning: the commit {commit} has modified sources; ");
    assert!(resumed.status.success());
    assert_eq!(text(&resumed.stderr).starts_with(&warning), commit.ends_with("-dirty"));
    edit(commit, "005fef0b173c-dirty");
    let refused = jantaku(&["selfplay", "--resume", "--games", "3", "--quiet", "--out", &out]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("`commit`: expected "), "{}", text(&refused.stderr));
}

#[test]
fn perft_counts_lines_and_compares_them_with_the_file() {
    let folder = folder();
    let positions = concat!(env!("CARGO_MANIFEST_DIR"), "/../../engine/tests/perft/tenhou.toml");
    let counted = json(&ok(&["perft", positions, "--position", "ron", "--divide", "--json"]));
    assert_eq!(counted["agree"], true);
    let position = &counted["positions"][0];
    let lines = position["counts"].as_array().unwrap().last().unwrap().as_u64();
    let divided = position["divided"].as_array().unwrap().iter().map(|part| part["lines"].as_u64().unwrap());
    assert_eq!(Some(divided.sum()), lines);
    let seeded = json(&ok(&["perft", "--rules", "mleague", "--seed", "3", "--depth", "2", "--json"]));
    assert_eq!(seeded["positions"][0]["counts"].as_array().unwrap().len(), 2);

    // A file that states another number fails.
    let good = std::fs::read_to_string(positions).unwrap();
    let wrong = path(&folder, "wrong.toml");
    std::fs::write(&wrong, good.replacen("counts = [", "counts = [1, ", 1)).unwrap();
    let answer = jantaku(&["perft", &wrong, "--depth", "1"]);
    assert_eq!(answer.status.code(), Some(1), "{}", text_of(&answer));
    assert!(text_of(&answer).contains("the file has 1"), "{}", text_of(&answer));
    for (words, part) in [
        (&["perft", positions, "--position", "none"][..], "no position with this name in the files"),
        (
            &["perft", positions, "--position", "deal", "--move", "0 ron"],
            "move `0 ron`: expected one of 0 discard",
        ),
        (&["perft"], "--depth"),
    ] {
        let refused = jantaku(words);
        assert_eq!((refused.status.code(), text_of(&refused)), (Some(2), String::new()), "{words:?}");
        assert!(text(&refused.stderr).contains(part), "{words:?}: {}", text(&refused.stderr));
    }
}

fn text_of(output: &Output) -> String {
    text(&output.stdout)
}

#[test]
fn every_command_has_a_manual_page_and_completes() {
    let folder = folder();
    let pages = folder.path().join("pages");
    ok(&["manual", pages.to_str().expect("a path of plain characters")]);
    let page = path(&folder, "pages/jantaku.1");
    refused(&["manual", &page], &format!("error: {page}: expected a folder, found a file"));
    let script = ok(&["completions", "bash"]);
    let help = ok(&["--help"]);
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    let commands: Vec<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 20, "{commands:?}");
    for command in commands.iter().filter(|command| **command != "help") {
        let page = std::fs::read_to_string(pages.join(format!("jantaku-{command}.1"))).expect("a page");
        assert!(page.contains("NAME"), "{page}");
        assert!(script.contains(&format!("jantaku,{command})")), "{command}");
    }
}
