//! Bots as processes: the example bot, and bots that go wrong.

#[path = "../common/mod.rs"]
mod common;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use common::{Table, direct, play};
use jantaku_agents::{
    Agent, AgentError, Batched, Catalog, FaultKind, Greedy, Messages, OnFault, Policy, Setup, Tsumogiri,
};
use jantaku_engine::{Rules, Signature};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/bot.py");
const BAD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bots/bad.py");

/// The rules of games of one round of winds.
fn short() -> Rules {
    Rules::preset("tenhou-tonpuu").expect("a preset")
}

fn start(options: &str, setup: &Setup) -> Box<dyn Agent> {
    let agent = Catalog::standard().agent(&format!("mjai:{options}")).unwrap_or_else(|e| panic!("{e}"));
    agent.start(setup).unwrap_or_else(|error| panic!("{error}"))
}

/// An empty folder for the files of a test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bots-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// Plays games in which the bot has seats 0 and 2, or every seat up to the number of players, and
/// `greedy` the others.
fn games(rules: &Rules, count: u64, bot: &mut dyn Agent) -> Result<Vec<Signature>, AgentError> {
    let seats = usize::from(rules.players.count());
    let seating = || (0..seats).map(|seat| seat % 2).collect::<Vec<_>>();
    let mut tables: Vec<Table> = (0..count).map(|id| Table::start(rules, id, seating())).collect();
    play(&mut tables, &mut [bot, &mut Batched(Greedy::default())])?;
    Ok(tables.iter().map(|table| table.signature).collect())
}

/// The same games with a policy in the place of the bot.
fn games_of(rules: &Rules, count: u64, policy: &dyn Policy) -> Vec<Signature> {
    let greedy = Greedy::default();
    let seats = usize::from(rules.players.count());
    let policies: Vec<&dyn Policy> =
        (0..seats).map(|seat| if seat % 2 == 0 { policy } else { &greedy as &dyn Policy }).collect();
    (0..count).map(|id| direct(rules, id, &policies)).collect()
}

#[test]
fn the_example_bot_plays_whole_games_in_both_dialects() {
    for dialect in ["app", "line", "line,can_act=on"] {
        for preset in ["tenhou", "mjsoul-sanma"] {
            let rules = Rules::preset(preset).expect("a preset");
            let options = format!(r#"command="python3 '{EXAMPLE}' {{seat}}",dialect={dialect}"#);
            let mut bot = start(&options, &Setup::default());
            // The second set of games goes to the processes of the first.
            for count in [2, 3] {
                let played = games(&rules, count, &mut *bot).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(played, games_of(&rules, count, &Tsumogiri), "{dialect} {preset}");
            }
            assert_eq!(bot.faults().total(), 0);
            assert!(!bot.is_repeatable());
        }
    }
}

/// What a bot does wrong, and what that counts as.
const FAULTS: [(&str, FaultKind); 15] = [
    ("slow start", FaultKind::Late),
    ("hang", FaultKind::Late),
    ("late", FaultKind::Late),
    ("die", FaultKind::Crash),
    ("close", FaultKind::Crash),
    ("deaf", FaultKind::Late),
    ("endless line", FaultKind::Oversized),
    ("garbage", FaultKind::NotJson),
    ("bytes", FaultKind::NotJson),
    ("number", FaultKind::NotAnAnswer),
    ("no tile", FaultKind::NotAnAnswer),
    ("unknown", FaultKind::NotAnAnswer),
    ("wrong tile", FaultKind::Illegal),
    ("pass", FaultKind::Illegal),
    ("other seat", FaultKind::Illegal),
];

fn bad(fault: &str, line: u32, dialect: &str, rest: &str) -> String {
    // Only faults of time have short limits, so that a busy machine changes nothing.
    let start = if fault == "slow start" { 0.4 } else { 60.0 };
    let time = if ["hang", "late", "deaf"].contains(&fault) { 0.4 } else { 60.0 };
    format!(
        r#"command="python3 '{BAD}' {{seat}} '{fault}' {line} {rest}",dialect={dialect},time={time},start={start}"#
    )
}

#[test]
fn a_fault_costs_a_decision_or_a_game_and_is_counted() {
    use OnFault::{Forfeit, Substitute};
    let rules = short();
    for (fault, kind) in FAULTS {
        for (dialect, on_fault) in [("app", Substitute), ("line", Substitute), ("app", Forfeit)] {
            let setup = Setup { on_fault, ..Setup::default() };
            let mut bot = start(&bad(fault, 4, dialect, ""), &setup);
            let begin = Instant::now();
            let played = games(&rules, 1, &mut *bot).unwrap_or_else(|error| panic!("{error}"));
            let took = begin.elapsed();
            // The bot and the substitute both discard what they draw.
            assert_eq!(played, games_of(&rules, 1, &Tsumogiri), "{fault} {dialect}");
            let faults = bot.faults();
            let counted: Vec<FaultKind> = faults.iter().map(|(kind, _)| kind).collect();
            assert_eq!(counted, [kind], "{fault} {dialect}: {faults:?}");
            let is_over = on_fault == OnFault::Forfeit
                || matches!(kind, FaultKind::Late | FaultKind::Crash | FaultKind::Oversized);
            assert_eq!(faults.total() == 2, is_over, "{fault} {dialect} {on_fault:?}: {faults:?}");
            assert!(took < Duration::from_secs(30), "{fault}: {took:?}");
        }
    }
}

#[test]
fn a_fault_stops_the_run_with_everything_one_needs_to_know() {
    let rules = short();
    for dialect in ["app", "line"] {
        for (fault, _) in FAULTS {
            let mut bot = start(&bad(fault, 4, dialect, ""), &Setup::default());
            let error = games(&rules, 1, &mut *bot).expect_err("a fault stops the run").to_string();
            for part in
                ["agent `mjai:command=", "Last event: {\"type\":", "Answer: ", "Legal: dahai ", "--on-fault"]
            {
                assert!(error.contains(part), "{fault}: no `{part}` in: {error}");
            }
            assert_eq!(bot.faults().total(), 1);
        }
        let mut bot = start(&bad("wrong tile", 4, dialect, ""), &Setup::default());
        let error = games(&rules, 1, &mut *bot).expect_err("a fault").to_string();
        assert!(error.contains("an action that is not legal (seat "), "{error}");
        assert!(error.contains(r#""tsumogiri": true}"#), "{error}");
    }
}

#[test]
fn lines_without_a_question_are_a_fault() {
    for fault in ["twice", "flood"] {
        let setup = Setup { on_fault: OnFault::Substitute, ..Setup::default() };
        let mut bot = start(&bad(fault, 4, "app", ""), &setup);
        let played = games(&short(), 1, &mut *bot).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(played.len(), 1);
        // The further line may be taken for the answer to the next question, but not forever.
        assert!(bot.faults().total() >= 2, "{fault}: {:?}", bot.faults());
    }
}

#[test]
fn a_dead_process_is_replaced_in_the_next_game() {
    let folder = folder("replaced");
    let pids = folder.join("pids");
    let setup = Setup { on_fault: OnFault::Substitute, ..Setup::default() };
    let mut bot = start(&bad("die", 4, "app", &format!("'{}'", pids.display())), &setup);
    for game in 1..=3 {
        games(&short(), 1, &mut *bot).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(bot.faults().count(FaultKind::Crash), 2 * game);
        let started = std::fs::read_to_string(&pids).expect("process IDs").lines().count();
        assert_eq!(started as u64, 2 * game);
    }
}

#[test]
fn a_program_that_does_not_exist_is_an_error() {
    let setup = Setup { on_fault: OnFault::Substitute, ..Setup::default() };
    let mut bot = start("command=no-such-program", &setup);
    let error = games(&short(), 1, &mut *bot).expect_err("no program").to_string();
    assert!(error.contains("cannot start `no-such-program`: "), "{error}");
    for (text, message) in [
        ("mjai", "agent `mjai` needs the option `command`, a text"),
        (r#"mjai:command="""#, "`command` is empty"),
        ("mjai:command=a,can_act=on", "`can_act=on` needs `dialect=line`"),
        (r#"mjai:command="a 'b""#, "the closing ' is missing"),
    ] {
        let error = Catalog::standard().agent(text).expect_err("an error").to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// Whether a process with this ID exists and has not ended.
#[cfg(target_os = "linux")]
fn is_running(pid: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = status.rsplit(") ").next().and_then(|rest| rest.chars().next());
    state.is_some_and(|state| state != 'Z')
}

/// No process is left, not even one that a bot has started and that never ends.
#[cfg(target_os = "linux")]
#[test]
fn no_process_outlives_the_agent() {
    let folder = folder("left");
    for (name, fault, on_fault) in [
        ("good", "none", OnFault::Stop),
        ("hanging", "hang", OnFault::Stop),
        ("hanging-too", "hang", OnFault::Substitute),
        ("stubborn", "stubborn", OnFault::Stop),
        ("deaf", "deaf", OnFault::Substitute),
    ] {
        let pids = folder.join(name);
        let mut bot = start(
            &bad(fault, 4, "app", &format!("'{}'", pids.display())),
            &Setup { on_fault, ..Setup::default() },
        );
        let result = games(&short(), 2, &mut *bot);
        assert_eq!(result.is_err(), name == "hanging", "{name}: {result:?}");
        let running = || {
            let pids = std::fs::read_to_string(&pids).expect("process IDs");
            pids.lines().filter(|pid| is_running(pid)).count()
        };
        assert_eq!(running() > 0, on_fault == OnFault::Stop, "{name}");
        drop(bot);
        // A process that is no child of ours disappears when its new parent takes notice.
        let end = Instant::now() + Duration::from_secs(5);
        while running() > 0 && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(running(), 0, "{name}");
    }
}

#[test]
fn messages_go_to_a_file() {
    let log = folder("messages").join("bot.log");
    let setup = Setup { messages: Messages::File(log.clone()), ..Setup::default() };
    let mut bot = start(&bad("none", 4, "app", ""), &setup);
    games(&short(), 2, &mut *bot).unwrap_or_else(|error| panic!("{error}"));
    drop(bot);
    let text = std::fs::read_to_string(log).expect("a log");
    assert_eq!(text, "hello from the bot\n".repeat(4));
}
