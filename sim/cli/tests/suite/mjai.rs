//! `jantaku mjai` as a bot at our own tables: its games, its input and its errors.

use std::io::Write as _;
use std::process::{Command, Stdio};

use jantaku_agents::{Agent, AgentError, Catalog, Greedy, News, Policy, Request, Setup, TableId, Update};
use jantaku_engine::rules::PRESETS;
use jantaku_engine::{Event, Game, Observer as _, Seat, Signature};

use crate::common::program::{folder, path, text};
use crate::sizes::GAMES_OF_BOTS;

const PROGRAM: &str = env!("CARGO_BIN_EXE_jantaku");

/// Plays a game of one agent at some seats and of a policy at the others, until `ends` says so.
fn play(
    mut game: Game,
    mut news: Vec<Event>,
    agent: &mut dyn Agent,
    is_agent: impl Fn(Seat) -> bool,
    policy: &impl Policy,
    mut ends: impl FnMut(&Event) -> bool,
) -> Result<Signature, AgentError> {
    let (rules, table, mut signature) = (*game.rules(), TableId(game.seed()), Signature::default());
    let seats: Vec<Seat> = rules.players.seats().filter(|seat| is_agent(*seat)).collect();
    for seat in seats.iter().copied() {
        agent.update(Update { table, seat, news: News::GameStart { rules: &rules } })?;
    }
    loop {
        for event in std::mem::take(&mut news) {
            signature.event(&event);
            for seat in seats.iter().copied() {
                agent.update(Update { table, seat, news: News::Event(&event.seen_by(seat)) })?;
            }
            if ends(&event) {
                return Ok(signature);
            }
        }
        let (mut requests, mut replies, mut actions) = (Vec::new(), Vec::new(), Vec::new());
        for seat in game.pending().iter() {
            let (observation, rng) = (game.observe(seat), game.random_stream(seat, 0));
            if is_agent(seat) {
                requests.push(Request { table, observation, rng });
            } else {
                actions.push((seat, policy.choose(&observation, &mut rng.clone())));
            }
        }
        if !requests.is_empty() {
            agent.decide(&mut requests, &mut replies)?;
        }
        actions.extend(requests.iter().zip(replies).map(|(request, reply)| (request.seat(), reply.action)));
        drop(requests);
        for (seat, action) in actions {
            game.submit_seen(seat, action, &mut news).expect("agents answer legally");
        }
    }
}

fn is_end(event: &Event) -> bool {
    matches!(event, Event::GameEnd { .. })
}

fn bot(options: &str) -> Box<dyn Agent> {
    let agent = Catalog::standard().agent(&format!("mjai:{options}")).unwrap_or_else(|e| panic!("{e}"));
    agent.start(&Setup::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The same agent plays the same game in this process and in one of its own.
#[test]
fn a_bot_plays_like_its_agent() {
    for (index, preset) in PRESETS.iter().enumerate() {
        let rules = preset.rules();
        if rules.has_referee() {
            continue;
        }
        let dialect = ["app", "line", "line,can_act=on"][index % 3];
        let options =
            format!(r#"command="'{PROGRAM}' mjai --agent greedy --seat {{seat}}",dialect={dialect}"#);
        let mut agent = bot(&options);
        for seed in 1..=u64::from(GAMES_OF_BOTS.get()) {
            let greedy = Greedy::default();
            let mut news = Vec::new();
            let game = Game::new_seen(&rules, seed, &mut news);
            let played = play(game.clone(), news.clone(), &mut *agent, |_| true, &greedy, is_end);
            let played = played.unwrap_or_else(|error| panic!("{}: {error}", preset.name));
            let expected = play(game, news, &mut *agent, |_| false, &greedy, is_end).expect("a policy");
            assert_eq!(played, expected, "{} seed {seed}", preset.name);
        }
        assert_eq!(agent.faults().total(), 0);
    }
}

/// The output of `jantaku mjai` for this input.
fn answers(words: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(PROGRAM);
    command.arg("mjai").args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("the program starts");
    let mut stdin = process.stdin.take().expect("it is piped");
    let written = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = process.wait_with_output().expect("the program ends");
    // A program that refuses its words reads no input.
    assert!(written.is_ok() || !output.status.success());
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn errors_name_the_line() {
    const START: &str = r#"{"type":"start_game","id":0}"#;
    const PON: &str = r#"{"type":"pon","actor":1,"target":0,"pai":"E","consumed":["E","E"]}"#;
    let folder = folder();
    let none = "{\"type\":\"none\"}\n";
    assert_eq!(answers(&[], &format!("{START}\n[]\n")), (Some(0), none.repeat(2), String::new()));
    let kyoku = r#"{"type":"start_kyoku","bakaze":"E","dora_marker":"1m","kyoku":1,"honba":0,"kyotaku":0,"oya":0,"scores":[25000,25000,25000,25000],"tehais":[["1m","2m","3m","4m","5m","6m","7m","8m","9m","E","E","E","P"],["?","?","?","?","?","?","?","?","?","?","?","?","?"],["?","?","?","?","?","?","?","?","?","?","?","?","?"],["?","?","?","?","?","?","?","?","?","?","?","?","?"]]}"#;
    let tsumo = |pai: &str| format!(r#"{{"type":"tsumo","actor":0,"pai":"{pai}"}}"#);
    let drawn = |actor: u8| format!(r#"{{"type":"tsumo","actor":{actor},"pai":"?"}}"#);
    let dahai = |actor: u8, pai: &str| {
        format!(r#"{{"type":"dahai","actor":{actor},"pai":"{pai}","tsumogiri":false}}"#)
    };
    let win = answers(&["--dialect", "app"], &format!("[{START},{kyoku},{}]\n", tsumo("P")));
    assert_eq!(win.1, "{\"type\":\"hora\",\"actor\":0,\"target\":0,\"pai\":\"P\"}\n");
    // What the agent does not need stops nothing, and is reported once.
    let end = r#"{"type":"hora","scores":[1,2,3,4]}"#;
    let lines =
        [START, kyoku, end, kyoku, end, &kyoku.replace(r#""honba":0"#, r#""honba":null"#), &tsumo("P")];
    let found = answers(&[], &format!("{}\n", lines.join("\n")));
    let note = "note: stdin: line 3: `hora` has no `actor`, so the winner is not known\n";
    assert_eq!(found, (Some(0), none.repeat(6) + &win.1, note.to_owned()));
    let no_rules = path(&folder, "none.toml");
    for (words, lines, message) in [
        (vec![], vec!["{"], "line 1: expected one event: EOF while parsing an object at column 1"),
        (
            vec![],
            vec![START, r#"{"type":"tsumo","actor":"0","pai":"P"}"#],
            "line 2: expected one event: `actor`: invalid type: string \"0\", expected a seat, a number from 0 to 3",
        ),
        (vec!["--dialect", "app"], vec![START], "line 1: expected a list of events: invalid type"),
        (vec!["--dialect", "line"], vec![START, "[]"], "line 2: expected one event: invalid type: a list"),
        (vec![], vec![r#"{"type":"start_game"}"#], "line 1: `start_game` has no `id`, and no seat is given"),
        (vec!["--seat", "1"], vec![START], "line 1: `id` of `start_game` is 0, expected 1, the given seat"),
        (vec![], vec![&tsumo("P")], "no `start_game` came before"),
        (
            vec![],
            vec![START, &tsumo("P")],
            "line 2: no `start_kyoku` came before; the event: {\"type\":\"tsumo\"",
        ),
        (
            vec![],
            vec![START, kyoku, &tsumo("?")],
            "line 3: the drawn tile of seat 0 is hidden, but the player sits there: check the seat",
        ),
        (
            vec!["--seat", "1"],
            vec![r#"{"type":"start_game"}"#, kyoku],
            "line 2: the hand of seat 1 is hidden, but the player sits there: check the seat; the event: {\"type\":\"start_kyoku\"",
        ),
        (vec![], vec![START, kyoku, &tsumo("1x")], "`1x` is not a tile"),
        (vec![], vec![START, kyoku, &tsumo("1m"), &tsumo("1m"), &tsumo("1m"), &tsumo("1m")], "line 4: "),
        // The wrong line comes before the question that reveals it.
        (
            vec![],
            vec![START, kyoku, &tsumo("P"), &dahai(0, "9s"), &drawn(1), &dahai(1, "2p")],
            "line 4: the hand cannot be played under these rules: ",
        ),
        (
            vec![],
            vec![START, kyoku, &drawn(2), &tsumo("P")],
            "line 3: the hand cannot be played under these rules: expected that seat 0 draws, found that seat 2 \
             draws.",
        ),
        (
            vec![],
            vec![START, kyoku, &tsumo("P"), &dahai(0, "E"), PON, &dahai(1, "2p")],
            "line 5: E is visible 5 times, expected at most 4 under these rules. Give the rules of the games if \
             they are others; the event: {\"type\":\"pon\"",
        ),
        (
            vec![],
            vec![START, kyoku, &drawn(7)],
            r#"line 3: player 7 does not play; the event: {"type":"tsumo","actor":7,"pai":"?"}"#,
        ),
        (vec!["--agent", "gredy"], vec![], "--agent gredy: unknown agent `gredy`"),
        (vec!["--agent", "mjai:command=x"], vec![], "--agent mjai:command=x: the agent follows whole games"),
        (vec!["--rules", &no_rules], vec![], "unknown rules"),
        (vec!["--seat", "4"], vec![], "expected a whole number from 0 to 3"),
    ] {
        let (status, _, error) = answers(&words, &format!("{}\n", lines.join("\n")));
        assert_eq!(status, Some(2), "{words:?} {lines:?}");
        assert!(error.starts_with("error: ") && error.contains(message), "{message}: {error}");
    }
}

/// A tile too many is an error of the event that shows it, also if the player has nothing to decide.
#[test]
fn a_fifth_tile_is_named() {
    const START: &str = r#"{"type":"start_game","id":0}"#;
    let deal = |marker: &str, first: &str| {
        let hidden = r#"["?","?","?","?","?","?","?","?","?","?","?","?","?"]"#;
        format!(
            r#"{{"type":"start_kyoku","bakaze":"E","dora_marker":"{marker}","kyoku":1,"honba":0,"kyotaku":0,"oya":0,"scores":[25000,25000,25000,25000],"tehais":[["1m","1m","1m","{first}","2m","3m","4m","5mr","6m","7m","8m","9m","E"],{hidden},{hidden},{hidden}]}}"#
        )
    };
    let usual = &deal("1p", "1m");
    let event = |kind: &str, actor: u8, pai: &str| {
        format!(r#"{{"type":"{kind}","actor":{actor},"pai":"{pai}","tsumogiri":true}}"#)
    };
    let (draw, cut) = (event("tsumo", 0, "C"), event("dahai", 0, "C"));
    let hidden = event("tsumo", 1, "?");
    let pon = r#"{"type":"pon","actor":2,"target":1,"pai":"2m","consumed":["2m","2m"]}"#;
    let ankan = r#"{"type":"ankan","actor":1,"consumed":["2m","2m","2m","2m"]}"#;
    let kakan = r#"{"type":"kakan","actor":2,"pai":"2m","consumed":["2m","2m","2m"]}"#;
    let cases: [(&[&str], &str); 9] = [
        (&[&deal("1m", "1m")], "line 2: 1m is visible 5 times"),
        (&[&deal("1p", "5mr")], "line 2: 5mr is visible 2 times, expected at most 1"),
        (&[usual, &event("tsumo", 0, "1m")], "line 3: 1m is visible 5 times"),
        (&[usual, &draw, r#"{"type":"dora","dora_marker":"1m"}"#], "line 4: 1m is visible 5 times"),
        (&[usual, &draw, &cut, &hidden, &event("dahai", 1, "1m")], "line 6: 1m is visible 5 times"),
        (&[usual, &draw, &cut, &hidden, &event("dahai", 1, "5mr")], "line 6: 5mr is visible 2 times"),
        (&[usual, &draw, &cut, &hidden, ankan], "line 6: 2m is visible 5 times"),
        (
            &[usual, &draw, &cut, &hidden, &event("dahai", 1, "2m"), pon, kakan],
            "line 8: 2m is visible 5 times",
        ),
        (
            &[usual, &draw, &cut, &hidden, &event("dahai", 1, "2m"), pon, &event("dahai", 2, "2m")],
            "line 8: 2m is visible 5 times",
        ),
    ];
    for (lines, message) in cases {
        let input = format!("{START}\n{}\n", lines.join("\n"));
        let (status, _, error) = answers(&[], &input);
        assert_eq!(status, Some(2), "{input}: {error}");
        assert!(error.starts_with(&format!("error: stdin: {message}")), "{message}: {error}");
        assert!(error.contains("; the event: {\"type\":"), "{error}");
        // The events before are those of a possible hand.
        let before = format!("{START}\n{}\n", lines[..lines.len() - 1].join("\n"));
        assert_eq!(answers(&[], &before).0, Some(0), "{before}");
    }
    let (status, _, error) =
        answers(&["--rules", "tenhou-noaka"], &format!("{START}\n{}\n", deal("1p", "2p")));
    assert_eq!(status, Some(2), "{error}");
    assert!(
        error.starts_with("error: stdin: line 2: 5mr is visible, but these rules play without it."),
        "{error}"
    );
}

/// A seat without a player is an error, whether `start_game` or the first deal shows it.
#[test]
fn a_seat_is_that_of_a_player() {
    let start = |id: &str| format!(r#"{{"type":"start_game","id":{id}}}"#);
    for id in ["4", "255", "256", "-1", "1.0", r#""0""#, "[0]"] {
        let (status, _, error) = answers(&[], &format!("{}\n", start(id)));
        let expected = format!("line 1: `id` of `start_game` is {id}, expected a seat, a number from 0 to 3");
        assert_eq!(status, Some(2), "{id}");
        assert!(error.contains(&expected), "{error}");
    }
    let hand = r#"["?","?","?","?","?","?","?","?","?","?","?","?","?"]"#;
    let deal = format!(
        r#"{{"type":"start_kyoku","bakaze":"E","dora_marker":"1p","kyoku":1,"honba":0,"kyotaku":0,"oya":0,"scores":[35000,35000,35000],"tehais":[{hand},{hand},{hand}]}}"#
    );
    for (words, start) in [(vec![], start("3")), (vec!["--seat", "3"], r#"{"type":"start_game"}"#.to_owned())]
    {
        let (status, _, error) = answers(&words, &format!("{start}\n{deal}\n"));
        assert_eq!(status, Some(2), "{words:?}");
        assert!(error.contains("line 2: seat 3 does not play: the game has 3 players"), "{error}");
    }
}
