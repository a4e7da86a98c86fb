//! Bots as processes: the example bot, and bots that go wrong.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use jantaku_agents::{
    Agent, AgentError, Batched, FaultKind, Greedy, Messages, Moves, OnFault, Policy, Reply, Request, Setup,
    TableId, Tsumogiri, Update,
};
use jantaku_engine::{Rules, Seat, Signature};

use crate::common::{Table, direct, named, play, refused};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/bot.py");
const LEGAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/legal_bot.py");
const CLIENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bots/client.py");
const BAD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bots/bad.py");

/// The rules of games of one round of winds.
fn short() -> Rules {
    Rules::preset("tenhou-tonpuu").expect("a preset")
}

fn start(options: &str, setup: &Setup) -> Box<dyn Agent> {
    named(&format!("mjai:{options}")).start(setup).unwrap_or_else(|error| panic!("{error}"))
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

/// The error of a game with a bot that goes wrong.
fn error_of(options: &str, setup: &Setup) -> String {
    games(&short(), 1, &mut *start(options, setup)).expect_err("a fault").to_string()
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
            assert!(!bot.is_deterministic());
        }
    }
}

/// A bot without rules plays everything if each question lists what is legal.
#[test]
fn a_bot_that_is_told_the_legal_answers_plays_everything() {
    for dialect in ["app", "line", "line,can_act=on"] {
        for preset in ["tenhou", "mjsoul-sanma", "saikouisen-classic"] {
            let rules = Rules::preset(preset).expect("a preset");
            let options = format!(r#"command="python3 '{LEGAL}'",dialect={dialect},legal=on"#);
            let mut bot = start(&options, &Setup::default());
            let played = games(&rules, 3, &mut *bot).unwrap_or_else(|error| panic!("{error}"));
            assert_ne!(played, games_of(&rules, 3, &Tsumogiri), "{dialect} {preset}");
            assert_eq!(bot.faults().total(), 0);
        }
    }
}

/// A client that joins and knows only what the host says is possible plays without a fault.
#[test]
fn a_client_of_gimites_server_plays_whole_games() {
    let rules = short();
    let mut bot = start(&format!(r#"command="python3 '{CLIENT}'",dialect=mjsonp"#), &Setup::default());
    for count in [2, 3] {
        let played = games(&rules, count, &mut *bot).unwrap_or_else(|error| panic!("{error}"));
        assert_ne!(played, games_of(&rules, count, &Tsumogiri), "it never finds anything possible");
    }
    assert_eq!(bot.faults().total(), 0);
}

/// The fault of a bot that never answers `start_game`.
const NO_START: &str = "slow start";

/// The faults of the bot, with their kinds.
const FAULTS: [(&str, FaultKind); 16] = [
    (NO_START, FaultKind::Late),
    ("hang", FaultKind::Late),
    ("late", FaultKind::Late),
    ("die", FaultKind::Crash),
    ("close", FaultKind::Crash),
    ("deaf", FaultKind::Late),
    ("endless line", FaultKind::Oversized),
    ("garbage", FaultKind::NotJson),
    ("bytes", FaultKind::NotJson),
    ("number", FaultKind::NotAnAnswer),
    ("array", FaultKind::NotAnAnswer),
    ("no tile", FaultKind::NotAnAnswer),
    ("unknown", FaultKind::NotAnAnswer),
    ("wrong tile", FaultKind::Illegal),
    ("pass", FaultKind::Illegal),
    ("other seat", FaultKind::Illegal),
];

fn bad(fault: &str, line: u32, dialect: &str, rest: &str) -> String {
    // Only faults of time have short limits, so that a busy machine changes nothing.
    let start = if fault == NO_START { 0.4 } else { 600.0 };
    let time = if ["hang", "late", "deaf"].contains(&fault) { 2.0 } else { 600.0 };
    format!(
        r#"command="python3 '{BAD}' {{seat}} '{fault}' {line} {rest}",dialect={dialect},time={time},start={start}"#
    )
}

#[test]
fn a_fault_costs_a_decision_or_a_game_and_is_counted() {
    use OnFault::{Forfeit, Substitute};
    let rules = short();
    let check = |fault: &str, kind, dialect: &str, on_fault| {
        let setup = Setup { on_fault, ..Setup::default() };
        let mut bot = start(&bad(fault, 4, dialect, ""), &setup);
        let played = games(&rules, 1, &mut *bot).unwrap_or_else(|error| panic!("{error}"));
        // The bot and the substitute both discard what they draw.
        assert_eq!(played, games_of(&rules, 1, &Tsumogiri), "{fault} {dialect}");
        let faults = bot.faults();
        let counted: Vec<FaultKind> = faults.iter().map(|(kind, _)| kind).collect();
        assert_eq!(counted, [kind], "{fault} {dialect}: {faults:?}");
        let is_over = on_fault == OnFault::Forfeit
            || matches!(kind, FaultKind::Late | FaultKind::Crash | FaultKind::Oversized);
        assert_eq!(faults.total() == 2, is_over, "{fault} {dialect} {on_fault:?}: {faults:?}");
    };
    // Bots mostly wait, so those of all cases wait at the same time.
    thread::scope(|scope| {
        for (dialect, on_fault) in [("app", Substitute), ("line", Substitute), ("app", Forfeit)] {
            let check = &check;
            scope.spawn(move || {
                for (fault, kind) in FAULTS.into_iter().filter(|(fault, _)| *fault != NO_START) {
                    check(fault, kind, dialect, on_fault);
                }
            });
        }
    });
}

#[test]
fn a_fault_stops_the_run_with_everything_one_needs_to_know() {
    let rules = short();
    for dialect in ["app", "line"] {
        for (fault, _) in FAULTS {
            let setup = Setup { has_on_fault: true, ..Setup::default() };
            let mut bot = start(&bad(fault, 4, dialect, ""), &setup);
            let error = games(&rules, 1, &mut *bot).expect_err("a fault stops the run");
            let table = if let AgentError::Failed { table, .. } = &error { *table } else { None };
            assert_eq!(table, Some(TableId(0)), "{error}");
            let error = error.to_string();
            let silent = [NO_START, "hang", "late", "die", "close", "deaf"];
            let answer = match fault {
                fault if silent.contains(&fault) => "\nNo answer\n",
                "endless line" | "bytes" => "\nAnswer: not shown\n",
                _ => "\nAnswer: ",
            };
            let (legal, advice) = match fault {
                NO_START => (r#"Expected: {"type":"none"}"#, "give the agent a larger `start`"),
                _ => ("Legal: dahai ", "on_fault"),
            };
            for part in ["agent `mjai:command=", "Last event: {\"type\":", answer, legal, advice] {
                assert!(error.contains(part), "{fault}: no `{part}` in: {error}");
            }
            assert_eq!(bot.faults().total(), 1);
        }
        let error = error_of(&bad("wrong tile", 4, dialect, ""), &Setup::default());
        assert!(error.contains("an action that is not legal (seat "), "{error}");
        assert!(error.contains(r#""tsumogiri": true}"#), "{error}");
        assert!(!error.contains("on_fault"), "nobody can choose what a fault causes: {error}");
        let error = error_of(&bad("wrong actor", 4, dialect, ""), &Setup::default());
        let names_actor =
            |seat| error.contains(&format!("`actor` is {}, expected {seat} (seat {seat})", seat + 1));
        assert!(names_actor(0) || names_actor(2), "{error}");
        let error = error_of(&bad("array", 4, dialect, ""), &Setup::default());
        assert!(error.contains("not an answer: found an array, expected a JSON object"), "{error}");
    }
}

/// The answer to the end of a game is read although no game follows. A bot may also end there.
#[test]
fn the_answer_to_the_end_of_a_game_is_read() {
    for dialect in ["app", "line", "line,can_act=on"] {
        let setup = Setup { on_fault: OnFault::Substitute, ..Setup::default() };
        for (fault, late_faults) in [("last words", 2), ("leaves", 0)] {
            let mut bot = start(&bad(fault, 4, dialect, ""), &setup);
            for game in 1..=2 {
                let played = games(&short(), 1, &mut *bot).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(played, games_of(&short(), 1, &Tsumogiri), "{fault} {dialect}");
                let faults = bot.faults();
                assert_eq!(faults.count(FaultKind::NotJson), late_faults * game, "{dialect}: {faults:?}");
                assert_eq!(faults.total(), late_faults * game, "{dialect}: {faults:?}");
            }
        }
        let error = error_of(&bad("last words", 4, dialect, ""), &Setup::default());
        assert!(error.contains("(at the end of a game)\nAnswer: goodbye"), "{error}");
    }
}

/// Keeps the times of the replies of each batch.
struct Stopwatch {
    bot: Box<dyn Agent>,
    batches: Vec<Vec<(Seat, Duration)>>,
}

impl Agent for Stopwatch {
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        self.bot.decide(requests, replies)?;
        let time = |(request, reply): (&Request<'_>, &Reply)| Some((request.seat(), reply.took?));
        self.batches.push(requests.iter().zip(replies.iter()).filter_map(time).collect());
        Ok(())
    }

    fn wants_updates(&self) -> bool {
        true
    }

    fn update(&mut self, update: Update<'_>) -> Result<(), AgentError> {
        self.bot.update(update)
    }
}

/// A bot that takes its time does not make the answers of others in its batch slow.
#[test]
fn times_are_those_of_single_answers() {
    const NAP: Duration = Duration::from_secs(1);
    for dialect in ["app", "line"] {
        let bot = start(&bad("slow seat", 9, dialect, ""), &Setup::default());
        let mut bot = Stopwatch { bot, batches: Vec::new() };
        games(&short(), 6, &mut bot).unwrap_or_else(|error| panic!("{error}"));
        let slow = |batch: &&Vec<(Seat, Duration)>| batch.iter().any(|(_, time)| *time >= NAP);
        let naps: Vec<_> = bot.batches.iter().filter(slow).collect();
        let slow_seats = naps.iter().map(|batch| batch.iter().filter(|(_, time)| *time >= NAP).count());
        assert!(slow_seats.sum::<usize>() >= 6 * 3, "{dialect}: three naps of seat 0 in six games");
        let quick = naps.iter().any(|batch| batch.iter().any(|(_, time)| *time < NAP / 2));
        assert!(quick, "{dialect}: {naps:?}");
    }
}

/// A bot that hangs counts as slow as the wait for it, and the substitute does not make it fast.
#[test]
fn late_answers_have_the_time_of_the_wait() {
    let setup = Setup { on_fault: OnFault::Substitute, ..Setup::default() };
    let bot = start(&bad("hang", 4, "app", ""), &setup);
    assert!(bot.times_all_answers());
    let mut bot = Stopwatch { bot, batches: Vec::new() };
    games(&short(), 1, &mut bot).unwrap_or_else(|error| panic!("{error}"));
    let waits = bot.batches.iter().flatten().filter(|(_, time)| *time >= Duration::from_secs(2));
    assert_eq!(waits.count(), 2, "{:?}", bot.batches);
    let last = bot.batches.iter().rposition(|batch| !batch.is_empty()).expect("times");
    assert!(last + 10 < bot.batches.len(), "the substitute has no times");
}

/// The moves of the substitute are counted, and the games with faults.
#[test]
fn faults_have_their_share_of_games_and_moves() {
    let setup = Setup { on_fault: OnFault::Substitute, ..Setup::default() };
    for (fault, rest_of_game) in [("die", true), ("wrong tile", false)] {
        let mut bot = start(&bad(fault, 4, "app", ""), &setup);
        games(&short(), 2, &mut *bot).unwrap_or_else(|error| panic!("{error}"));
        let faults = bot.faults();
        let Moves { all, substituted } = faults.moves();
        assert_eq!((faults.games(), faults.games_with_faults()), (2, 2));
        assert!(0 < substituted && substituted < all, "{fault}: {substituted} of {all}");
        assert_eq!(faults.total() == substituted, !rest_of_game, "{fault}: {substituted}, {faults:?}");
        assert_eq!(faults.before(TableId(1)).games(), 1);
        let shifted = faults.shifted(2);
        let mut both = faults.clone();
        both.extend(&shifted);
        assert_eq!((both.games(), both.moves().all, both.total()), (4, 2 * all, 2 * faults.total()));
    }
}

/// What a bot says when it crashes is in the message, and advice if it never answered in mjai.
#[test]
fn a_crash_shows_the_last_words_of_the_bot() {
    let error = error_of(&bad("die", 4, "app", ""), &Setup::default());
    assert!(error.contains("\nLast lines of its stderr:\nhello from the bot"), "{error}");
    assert!(!error.contains("first message"), "{error}");
    for (dialect, advice) in [("app", "`dialect=line`"), ("line", "`dialect=app`")] {
        for (command, speaks) in [("seq 20 >&2; exit 3", true), ("exit 3", false), ("read x; exit 0", false)]
        {
            let options = format!(r#"command="sh -c '{command}'",dialect={dialect}"#);
            let error = error_of(&options, &Setup::default());
            assert!(error.contains("failed at its first message") && error.contains(advice), "{error}");
            let words = "\nLast lines of its stderr:\n13\n14\n15\n16\n17\n18\n19\n20";
            assert_eq!(error.contains(words), speaks, "{error}");
        }
        // A bot that catches its error and prints something else than an answer.
        let file = tempfile::NamedTempFile::new().expect("a file");
        for answer in ["list?", "{}", r#"{"type":"error","message":"list?"}"#, ""] {
            std::fs::write(file.path(), format!("{answer}\n")).expect("a file");
            let printed = file.path().display();
            let options =
                format!(r#"command="sh -c 'while read x; do cat {printed}; done'",dialect={dialect}"#);
            let error = error_of(&options, &Setup::default());
            assert!(error.contains("failed at its first message") && error.contains(advice), "{error}");
        }
    }
}

/// A program that never answers stops the run whatever faults cause.
#[test]
fn a_program_that_does_not_start_stops_the_run() {
    for on_fault in OnFault::ALL {
        for (command, time) in [("exit 3", 600.0), ("exec sleep 1000", 0.4)] {
            let options = format!(r#"command="sh -c '{command}'",start={time},time=600"#);
            let error = error_of(&options, &Setup { on_fault, ..Setup::default() });
            assert!(error.contains("the program does not start: "), "{error}");
            assert!(error.contains(", the answer to `start_game`)"), "{error}");
            assert!(!error.contains("on_fault"), "{error}");
        }
    }
}

/// A wrong answer to `start_game` is shown as one, and is a fault like others.
#[test]
fn faults_at_the_start_of_a_game_name_it() {
    for (answer, what) in [
        ("Loading model", "an answer that is not JSON: expected value at column 1"),
        ("", "an answer that is not JSON: an empty line (seat "),
        (r#"{"type":"ready","name":"me"}"#, "not an answer: `type` is `ready`, expected one of none, "),
        (r#"{"type":"none","actor":"0"}"#, "not an answer: `actor`: invalid type: string \"0\", expected "),
    ] {
        let script = folder("start").join("bot.sh");
        std::fs::write(&script, format!("echo '{answer}'\nexec python3 '{EXAMPLE}' $1\n")).expect("a file");
        let options = format!(r#"command="sh '{}' {{seat}}""#, script.display());
        let error = error_of(&options, &Setup::default());
        let event = ", the answer to `start_game`)\nLast event: {\"type\":\"start_game\"";
        for part in [what, event, "\nExpected: {\"type\":\"none\"}"] {
            assert!(error.contains(part), "no `{part}` in: {error}");
        }
        assert!(error.contains("`dialect=line`") && !error.contains("Legal: dahai"), "{error}");
    }
}

/// A time-out names the option that sets its limit.
#[test]
fn a_time_out_names_its_option() {
    for (fault, time, limit) in [
        ("hang", "time=1", "no answer after 1 second, the limit `time=1` (seat "),
        (NO_START, "start=0.4", "no answer after 0.4 seconds, the limit `start=0.4` (seat "),
    ] {
        let other = if fault == NO_START { "time=600" } else { "start=600" };
        let options = format!(r#"command="python3 '{BAD}' {{seat}} '{fault}' 4",{time},{other}"#);
        let error = error_of(&options, &Setup::default());
        assert!(error.contains(limit), "{error}");
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
        // Nothing is legal where nothing is asked.
        let message = bot.faults().latest().expect("a message").to_owned();
        let is_unasked = message.starts_with("a line that answers no question");
        assert!(!is_unasked || !message.contains("\nLegal: "), "{fault}: {message}");
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
    let error = error_of("command=no-such-program", &setup);
    assert!(error.contains("cannot start `no-such-program`: "), "{error}");
    for (text, message) in [
        ("mjai", "agent `mjai` needs the option `command`, a text"),
        (r#"mjai:command="""#, "`command` is empty"),
        ("mjai:command=a,can_act=on", "`can_act=on` needs `dialect=line`"),
        ("mjai:command=a,dialect=mjsonp,legal=on", "`legal=on` needs `dialect=app` or `dialect=line`"),
        (r#"mjai:command="a 'b""#, "the closing ' is missing"),
    ] {
        let error = refused(text);
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

/// No process is left, not even an endless one that a bot has started.
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
        // A process that is no child of ours disappears when its new parent takes notice.
        let all_end = || {
            let end = Instant::now() + Duration::from_mins(20);
            while running() > 0 && Instant::now() < end {
                std::thread::sleep(Duration::from_millis(10));
            }
            running() == 0
        };
        if on_fault == OnFault::Stop {
            assert!(running() > 0, "{name}");
        } else {
            assert!(all_end(), "{name}: a bot that has lost its game is gone");
        }
        drop(bot);
        assert!(all_end(), "{name}");
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

/// A bot that writes more than the file may have plays on.
#[test]
fn the_file_of_messages_has_a_limit() {
    let log = folder("many-messages").join("bot.log");
    let setup = Setup { messages: Messages::File(log.clone()), ..Setup::default() };
    let mut bot = start(&bad("chatty", 4, "app", ""), &setup);
    let played = games(&short(), 1, &mut *bot).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(played, games_of(&short(), 1, &Tsumogiri));
    drop(bot);
    let text = std::fs::read_to_string(log).expect("a log");
    assert!((16 << 20..17 << 20).contains(&text.len()), "{} bytes", text.len());
    assert!(text.contains("later messages are left out"));
}
