//! Our agents as players of another program: their view is the view that they would have at our own
//! tables.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use jantaku_agents::mjai::{Answer, Dialect, Event, Player, PlayerSetup, Translator};
use jantaku_agents::{
    Agent, AgentError, Batched, Greedy, News, Policy, Random, Reply, Request, TableId, Update,
};
use jantaku_engine::rules::PRESETS;
use jantaku_engine::{Action, BySeat, Event as EngineEvent, Observation, Phase, Rng, Rules, Seat, Snapshot};

use crate::common::{Table, direct, named, play};
use crate::level::Size;

/// What an agent saw and chose.
type Seen = Arc<Mutex<Option<(String, Action)>>>;

/// An agent that keeps its last observation and action.
struct Spy<P> {
    policy: P,
    seen: Seen,
}

impl<P: Policy> Agent for Spy<P> {
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        for request in requests {
            let action = self.policy.choose(&request.observation, &mut request.rng);
            *self.seen.lock().expect("one thread") = Some((format!("{:?}", request.observation), action));
            replies.push(action.into());
        }
        Ok(())
    }
}

/// A seat that is played by a [`Player`], which gets one event a line.
struct Chair {
    player: Player,
    seen: Seen,
    translator: Translator,
    unsent: Vec<Event>,
    /// The answer to the last line, if it is an action.
    answer: Option<Answer>,
    has_announced: bool,
}

/// An agent that plays each seat by a [`Player`], and compares the player's observations with the
/// true ones.
struct Mirror {
    policy: &'static str,
    chairs: HashMap<(TableId, Seat), Chair>,
    decisions: usize,
    forced: usize,
}

impl Mirror {
    fn new(policy: &'static str) -> Mirror {
        Mirror { policy, chairs: HashMap::new(), decisions: 0, forced: 0 }
    }

    fn start(&self, rules: &Rules, seat: Seat) -> Chair {
        let policy = named(self.policy).policy().expect("a policy");
        let seen = Seen::default();
        let setup = PlayerSetup { rules: Some(*rules), ..PlayerSetup::default() };
        let mut player = Player::new(Box::new(Spy { policy, seen: seen.clone() }), setup).expect("a policy");
        let start = format!(r#"{{"type":"start_game","id":{}}}"#, seat.number());
        assert!(player.answer(&start).expect("an answer").is_none());
        let translator = Translator::new(rules, BySeat::splat(rules.players, 0));
        Chair { player, seen, translator, unsent: Vec::new(), answer: None, has_announced: false }
    }
}

impl Chair {
    /// Takes an event. An indicator that a discard turns goes before the discard.
    fn take(&mut self, event: &EngineEvent) {
        self.translator.translate(event, &mut self.unsent);
        if let [.., Event::Dahai { .. }, Event::Dora { .. }] = self.unsent[..] {
            let last = self.unsent.len() - 1;
            self.unsent.swap(last - 1, last);
        }
    }

    /// Sends the events since the last question, and returns the number of moves that the player
    /// made because there was no other.
    fn send_all(&mut self, seat: Seat) -> usize {
        let mut forced = 0;
        let own_reach = Event::Reach { actor: seat.number() };
        for event in std::mem::take(&mut self.unsent) {
            if event == own_reach && std::mem::take(&mut self.has_announced) {
                continue;
            }
            if let Event::Dahai { actor, pai, tsumogiri } = &event
                && let Some(answer) = self.answer.take_if(|_| *actor == seat.number())
            {
                assert_eq!((answer.kind.as_str(), answer.tsumogiri), ("dahai", Some(*tsumogiri)));
                assert_eq!(answer.pai, Some(*pai));
                forced += 1;
            }
            assert_eq!(self.answer, None, "an answer where there is nothing to decide, before {event:?}");
            self.send(&event);
        }
        forced
    }

    fn send(&mut self, event: &Event) {
        let line = serde_json::to_string(event).expect("JSON");
        let answer = self.player.answer(&line).unwrap_or_else(|error| panic!("{error}"));
        self.answer = Some(answer).filter(|answer| !answer.is_none());
    }
}

impl Agent for Mirror {
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        for request in &*requests {
            let o = &request.observation;
            if matches!(o.phase(), Phase::Draw | Phase::End) {
                // The format has no words for these questions.
                replies.push(Greedy::default().choose(o, &mut request.rng.clone()).into());
                continue;
            }
            let chair = self.chairs.get_mut(&(request.table, request.seat())).expect("a game");
            self.forced += chair.send_all(o.seat());
            let seen = chair.seen.lock().expect("one thread").take();
            let (seen, action) = seen.unwrap_or_else(|| panic!("no question at {o:?}"));
            assert_eq!(seen, format!("{o:?}"));
            if chair.answer.as_ref().is_some_and(|answer| answer.kind == "reach") {
                chair.send(&Event::Reach { actor: o.seat().number() });
                chair.has_announced = true;
                assert!(chair.answer.as_ref().is_some_and(|answer| answer.kind == "dahai"));
            }
            chair.answer = None;
            self.decisions += 1;
            replies.push(action.into());
        }
        Ok(())
    }

    fn wants_updates(&self) -> bool {
        true
    }

    fn update(&mut self, update: Update<'_>) -> Result<(), AgentError> {
        let key = (update.table, update.seat);
        let event = match update.news {
            News::GameStart { rules } => {
                self.chairs.insert(key, self.start(rules, update.seat));
                return Ok(());
            }
            News::Event(event) => event,
        };
        let chair = self.chairs.get_mut(&key).expect("a game");
        chair.take(event);
        if matches!(event, EngineEvent::GameEnd { .. }) {
            self.forced += chair.send_all(update.seat);
        }
        Ok(())
    }
}

/// The policies that play under each preset, of three.
const POLICIES: Size = Size(1, 1, 3);

/// The policies take turns with the presets.
#[test]
fn players_see_what_they_would_see_at_our_tables() {
    let mut forced = 0;
    for (index, preset) in PRESETS.iter().enumerate() {
        let rules = preset.rules();
        if rules.has_referee() {
            continue;
        }
        let seats = usize::from(rules.players.count());
        let policies = ["greedy", "noisy:p=0.2", "random"].into_iter().cycle().skip(index);
        for policy in policies.take(POLICIES.get() as usize) {
            let mut tables = [Table::start(&rules, 1, vec![0; seats])];
            let mut mirror = Mirror::new(policy);
            play(&mut tables, &mut [&mut mirror, &mut Batched(Random)]).expect("they play");
            assert!(mirror.decisions > 100, "{} {policy}: {} decisions", preset.name, mirror.decisions);
            forced += mirror.forced;
            if policy == "greedy" {
                let greedy = Greedy::default();
                assert_eq!(tables[0].signature, direct(&rules, 1, &vec![&greedy as &dyn Policy; seats]));
            }
        }
    }
    assert!(forced > 200, "{forced} forced moves");
}

/// The answers of `greedy` to these lines, and the notes.
fn answers(setup: PlayerSetup, lines: &str) -> (Vec<Answer>, Vec<String>) {
    let mut player = greedy(setup);
    let answer = |line: &str| player.answer(line).unwrap_or_else(|error| panic!("{error}"));
    let answers = lines.lines().map(answer).collect();
    (answers, player.take_notes())
}

fn greedy(setup: PlayerSetup) -> Player {
    Player::new(Box::new(Batched(Greedy::default())), setup).expect("a policy")
}

/// The lines of other programs for a bot, in which something is missing or unknown.
#[test]
fn what_a_player_does_not_need_is_ignored() {
    const WIN: &str = include_str!("../mjai_logs/bot-hora-no-actor.jsonl");
    const ERROR: &str = include_str!("../mjai_logs/bot-error-ryukyoku.jsonl");
    const NO_END: &str = include_str!("../mjai_logs/bot-no-hora.jsonl");
    let setup = PlayerSetup { seat: Some(2), dialect: Some(Dialect::Line), ..PlayerSetup::default() };
    for (lines, note) in [
        (WIN, "line 9: `hora` has no `actor`, so the winner is not known"),
        (ERROR, r#"line 9: ignored `reason` of `ryukyoku`: "Error: Illegal Action by Player 1""#),
        (NO_END, "line 9: `end_kyoku` comes without `hora` or `ryukyoku`, so the result is not known"),
    ] {
        // Another hand follows, and the same again: the note comes once.
        let second = lines.replace(r#""kyoku": 1"#, r#""kyoku": 2"#).replace(r#""oya": 0"#, r#""oya": 1"#);
        let deal = second.lines().nth(1).expect("a deal");
        let draw = r#"{"type":"tsumo","actor":1,"pai":null}"#;
        let own = r#"{"type":"tsumo","actor":2,"pai":"P"}"#;
        let discard = r#"{"type":"dahai","actor":1,"pai":"S"}"#;
        let all = format!("{lines}{deal}\n{draw}\n{discard}\n{own}\n{lines}");
        let (found, notes) = answers(setup.clone(), &all);
        assert_eq!(found.len(), all.lines().count());
        assert_eq!(found[lines.lines().count() + 3].kind, "dahai", "{found:?}");
        assert_eq!(notes, [note]);
    }
}

/// The lists of texts of each row of a table of a file.
fn rows<const N: usize>(file: &str, table: &str, keys: [&str; N]) -> Vec<[Vec<String>; N]> {
    let file: toml::Table = file.parse().expect("TOML");
    let rows = file[table].as_array().expect("rows").iter();
    rows.map(|row| keys.map(|key| row[key].clone().try_into().expect("a list of texts"))).collect()
}

/// The kind of the last answer to lines with unknown events and values, and the notes.
#[test]
fn unknown_events_and_values_are_ignored() {
    const FILE: &str = include_str!("../mjai_logs/ignored.toml");
    const DRAW: &str = r#"{"type":"tsumo","actor":0,"pai":"P","rinshan":null}"#;
    let play = |lines: &[&str]| {
        let (answers, notes) = answers(PlayerSetup::default(), &lines.join("\n"));
        (answers.last().expect("an answer").kind.clone(), notes)
    };
    let start = r#"{"type":"start_game","id":0,"names":null,"rules":null,"aka_flag":null}"#;
    let [[deal]] = &rows(FILE, "deal", ["line"])[..] else { panic!("one deal") };
    let deal = &*deal[0];
    assert_eq!(play(&[start, deal, DRAW]), ("hora".to_owned(), vec![]));
    for [line, note] in rows(FILE, "between", ["line", "note"]) {
        let line = &*line[0];
        assert_eq!(play(&[start, line, deal, line, DRAW]).1[0], note[0]);
        assert_eq!(play(&[start, line, deal, DRAW]), ("hora".to_owned(), note));
    }
    for [more, note] in rows(FILE, "more", ["deal", "note"]) {
        let deal = deal.replacen('}', &more[0], 1);
        assert_eq!(play(&[start, &deal, DRAW]), ("hora".to_owned(), note));
    }
    for [start, note] in rows(FILE, "start", ["line", "note"]) {
        assert_eq!(play(&[&start[0], deal, DRAW]), ("hora".to_owned(), note));
    }
}

/// A fourth hand that is empty is unknown where the fourth player has points.
#[test]
fn four_scores_are_those_of_four_players() {
    const START: &str = r#"{"type":"start_game","id":0}"#;
    const DRAW: &str = r#"{"type":"tsumo","actor":0,"pai":"P"}"#;
    const LAST: &str = r#"{"type":"tsumo","actor":3,"pai":"?"}"#;
    for hand in ["null", "[]"] {
        let deal = r#"{"type":"start_kyoku","bakaze":"E","dora_marker":"1m","kyoku":1,"tehais":[["1m","2m","3m","4m","5m","6m","7m","8m","9m","E","E","E","P"],null,[],HAND],"scores":[25000,25000,25000,25000]}"#
            .replace("HAND", hand);
        let (found, notes) = answers(PlayerSetup::default(), &[START, &deal, DRAW].join("\n"));
        assert_eq!((&*found[2].kind, notes), ("hora", vec![]), "{hand}");
        let dealt_last = deal.replace(r#""kyoku":1"#, r#""kyoku":4"#);
        let (found, notes) = answers(PlayerSetup::default(), &[START, &dealt_last, LAST].join("\n"));
        assert_eq!((&*found[2].kind, notes), ("none", vec![]), "{hand}");
    }
}

/// Three players in four lists, each time with other signs of a game of three.
#[test]
fn three_players_may_have_four_lists() {
    const LINES: &str = include_str!("../mjai_logs/bot-3p-four-lists.jsonl");
    let named = LINES.replace(r#""2", """#, r#""2", "3""#);
    let no_hand =
        named.replacen(r#"["?", "?", "?", "?", "?", "?", "?", "?", "?", "?", "?", "?", "?"]]"#, "[]]", 1);
    let later = named.replace(r#""honba": 0"#, r#""honba": 1"#);
    for lines in [LINES, &named, &no_hand, &later] {
        let (found, notes) = answers(PlayerSetup::default(), lines);
        assert!(["kita", "nukidora", "dahai"].contains(&found[2].kind.as_str()), "{found:?}");
        // Line 4 says `nukidora`, so the answers do.
        let kinds: Vec<&str> = found[4..].iter().map(|answer| answer.kind.as_str()).collect();
        assert!(kinds.contains(&"nukidora") && !kinds.contains(&"kita"), "{kinds:?}");
        assert_eq!((found.len(), notes.len()), (lines.lines().count(), 0), "{notes:?}");
    }
    let rules = Rules::preset("mjsoul-sanma");
    let setup = PlayerSetup { rules, ..PlayerSetup::default() };
    let poor = later.replace("[35000, 35000, 35000, 0]", "[35000, 35000, 34000, 0]");
    assert_eq!(answers(setup, &poor).0.len(), poor.lines().count());
}

/// A fourth player without points is a player, unless there is another sign of a game of three.
#[test]
fn a_player_without_points_plays() {
    const LINES: &str = include_str!("../mjai_logs/bot-3p-four-lists.jsonl");
    let named = LINES.replace(r#""2", """#, r#""2", "3""#);
    // Whether the first answer is one of a game of three: only there is a North set aside, as `kita`
    // or `nukidora`.
    let has_three = |lines: &str, scores: &str| {
        let lines = lines.replace("[35000, 35000, 35000, 0]", scores);
        let first = lines.lines().take(3).collect::<Vec<_>>().join("\n");
        let (found, notes) = answers(PlayerSetup::default(), &first);
        assert_eq!(notes, [""; 0], "{scores}");
        ["kita", "nukidora"].contains(&found[2].kind.as_str())
    };
    for scores in ["[0, 0, 0, 0]", "[34000, 33000, 33000, 0]", "[35000, 35000, 30000, 0]"] {
        assert!(!has_three(&named, scores), "{scores}");
        assert!(has_three(LINES, scores), "an empty name: {scores}");
    }
    for scores in ["[35000, 35000, 35000, 0]", "[40000, 35000, 30000, 0]", "[25000, 25000, 25000, 0]"] {
        assert!(has_three(&named, scores), "{scores}");
    }
    // With tiles that only four players have, they are four.
    for (tile, other) in [(r#"["1m", "9m""#, r#"["1m", "5mr""#), (r#""2p", "kyoku""#, r#""2m", "kyoku""#)] {
        let lines = LINES.replace(tile, other);
        assert_ne!(lines, LINES);
        assert!(!has_three(&lines, "[35000, 35000, 35000, 0]"), "{other}");
    }
}

/// Lines of a game up to a draw of seat 2, with these lines between.
fn up_to_a_draw(between: &[&str]) -> String {
    const START: &str = r#"{"type":"start_game","id":2}"#;
    const DEAL: &str = r#"{"type":"start_kyoku","bakaze":"E","dora_marker":"F","kyoku":1,"tehais":[[],[],["9m","1p","2p","3p","4p","5p","1s","6s","7s","E","S","W","P"],[]]}"#;
    const DRAW: &str = r#"{"type":"tsumo","actor":2,"pai":"5m"}"#;
    [&[START, DEAL], between, &[DRAW]].concat().join("\n")
}

/// The turns of the first two players.
const TURNS: [&str; 4] = [
    r#"{"type":"tsumo","actor":0,"pai":"?"}"#,
    r#"{"type":"dahai","actor":0,"pai":"N"}"#,
    r#"{"type":"tsumo","actor":1,"pai":"?"}"#,
    r#"{"type":"dahai","actor":1,"pai":"C"}"#,
];

/// The indicators of the last decision of these lines, and the notes.
fn indicators(lines: &str) -> (Vec<String>, Vec<String>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let agent = Watch(Arc::clone(&seen));
    let mut player = Player::new(Box::new(Batched(agent)), PlayerSetup::default()).expect("a policy");
    for line in lines.lines() {
        player.answer(line).unwrap_or_else(|error| panic!("{error}: {lines}"));
    }
    let seen = seen.lock().expect("one thread").clone();
    (seen, player.take_notes())
}

/// An agent that keeps the indicators that it saw last.
struct Watch(Arc<Mutex<Vec<String>>>);

impl Policy for Watch {
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        let bytes = o.snapshot().to_bytes();
        assert_eq!(Snapshot::from_bytes(&bytes), Ok(o.snapshot()), "a table that can be");
        *self.0.lock().expect("one thread") = o.indicators().iter().map(ToString::to_string).collect();
        Greedy::default().choose(o, rng)
    }
}

/// The note about a kan whose indicator the log does not announce.
const MISSING: &str = "no `dora` came after a kan, so its indicator is not known";

/// The indicator of a kan is on the table once it is announced, whatever the rules say. If it is not,
/// the table lacks it.
#[test]
fn the_moment_of_an_indicator_does_not_matter() {
    const ANKAN: &str = r#"{"type":"ankan","actor":1,"consumed":["9s","9s","9s","9s"]}"#;
    const DAIMINKAN: &str = r#"{"type":"daiminkan","actor":1,"target":0,"pai":"N","consumed":["N","N","N"]}"#;
    const DORA: &str = r#"{"type":"dora","dora_marker":"1m"}"#;
    let [first_draw, first_discard, draw, discard] = TURNS;
    for kan in [&[first_draw, first_discard, draw, ANKAN][..], &[first_draw, first_discard, DAIMINKAN]] {
        let unannounced = [kan, &[draw, discard]].concat();
        let note = format!("line {}: {MISSING}", 3 + unannounced.len());
        assert_eq!(
            indicators(&up_to_a_draw(&unannounced)),
            (vec!["6z".into()], vec![note]),
            "{unannounced:?}"
        );
        for moment in kan.len()..=unannounced.len() {
            let mut lines = unannounced.clone();
            lines.insert(moment, DORA);
            let seen = indicators(&up_to_a_draw(&lines));
            assert_eq!(seen, (vec!["6z".into(), "1m".into()], vec![]), "{lines:?}");
        }
    }
    // A hand has at most five.
    let six = up_to_a_draw(
        &[&[DORA, DORA, DORA, r#"{"type":"dora","dora_marker":"2m"}"#, DORA], &TURNS[..]].concat(),
    );
    assert_eq!(indicators(&six).1, ["line 7: ignored `dora` after five indicators"]);
}

/// Values that follow from earlier events may be missing, and so may what says nothing.
#[test]
fn what_follows_may_be_missing() {
    for [lines, expected] in rows(include_str!("../mjai_logs/missing.toml"), "case", ["lines", "notes"]) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let (answers, notes) = answers(PlayerSetup::default(), &up_to_a_draw(&lines));
        assert_eq!(answers.last().expect("an answer").kind, "dahai", "{lines:?}");
        assert_eq!(notes, expected, "{lines:?}");
    }
}

/// Dialogues with the hosts that people run. No key is unknown.
#[test]
fn dialogues_with_other_hosts_are_as_recorded() {
    for (name, text) in [
        ("gimite", include_str!("../mjai_logs/dialogues/gimite.txt")),
        ("mortal", include_str!("../mjai_logs/dialogues/mortal.txt")),
        ("akochan", include_str!("../mjai_logs/dialogues/akochan.txt")),
        ("mjai.app", include_str!("../mjai_logs/dialogues/mjai-app.txt")),
        ("akagi", include_str!("../mjai_logs/dialogues/akagi.txt")),
        ("akagi with three players", include_str!("../mjai_logs/dialogues/akagi-sanma.txt")),
    ] {
        let said = |mark: &str| text.lines().filter_map(|line| line.strip_prefix(mark)).collect::<Vec<_>>();
        let setup = PlayerSetup { seat: Some(1), ..PlayerSetup::default() };
        let (found, notes) = answers(setup, &said("< ").join("\n"));
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(
            (found, notes),
            (
                said("> ").iter().map(ToString::to_string).collect(),
                said("! ").iter().map(ToString::to_string).collect()
            ),
            "{name}"
        );
    }
}

/// A first line that is no JSON is an error, even behind the mark of UTF-8 that some programs write
/// first.
#[test]
fn the_first_line_is_json() {
    let start = r#"{"type":"start_game","id":2}"#;
    for (line, is_read) in [(start, true), ("5", false), ("hello?", false), ("[INFO]", false)] {
        for mark in ["", "\u{FEFF}"] {
            let answer = greedy(PlayerSetup::default()).answer(&format!("{mark}{line}"));
            assert_eq!(answer.is_ok(), is_read, "{answer:?}");
        }
    }
}

/// With a given seat, a game may start with its first hand.
#[test]
fn a_given_seat_needs_no_start_game() {
    let lines = up_to_a_draw(&TURNS);
    let (_, without_start) = lines.split_once('\n').expect("lines");
    let setup = PlayerSetup { seat: Some(2), ..PlayerSetup::default() };
    let (found, notes) = answers(setup, without_start);
    assert_eq!(found.last().expect("an answer").kind, "dahai");
    assert_eq!(notes, ["line 1: `start_kyoku` comes without `start_game`, so a game starts here"]);
    let error = greedy(PlayerSetup::default()).answer(without_start.lines().next().expect("a line"));
    assert!(error.expect_err("no seat").to_string().contains("no `start_game` came before"));
}

/// Programs that list four players where three play call a North that is set aside `nukidora`.
#[test]
fn the_first_north_is_a_nukidora_in_lists_of_four() {
    const LINES: &str = include_str!("../mjai_logs/bot-3p-four-lists.jsonl");
    let north = LINES.lines().take(3).collect::<Vec<_>>().join("\n");
    let names = r#"["0", "1", "2", ""]"#;
    let scores = "[35000, 35000, 35000, 0]";
    let hidden = r#"["?", "?", "?", "?", "?", "?", "?", "?", "?", "?", "?", "?", "?"]"#;
    assert!(
        north.contains(names) && north.contains(scores) && north.contains(&format!("{hidden}]")),
        "{north}"
    );
    let of_three = north
        .replace(names, r#"["0", "1", "2"]"#)
        .replace(scores, "[35000, 35000, 35000]")
        .replace(&format!(", {hidden}]"), "]");
    for (lines, expected) in [
        (north.clone(), "nukidora"),
        (north.replace(names, "null"), "nukidora"),
        (north.replace(names, r#"["a", "b", "c", "d"]"#), "nukidora"),
        (north.replace(names, r#"["a", "b", "c"]"#), "nukidora"),
        (north.replace(names, "null").replace(scores, "[35000, 35000, 35000]"), "nukidora"),
        (of_three, "kita"),
    ] {
        let (found, notes) = answers(PlayerSetup::default(), &lines);
        assert_eq!((&*found[2].kind, notes), (expected, vec![]), "{lines}");
    }
}

/// An agent that plays like a policy. The watching players would choose otherwise.
struct Watched<P> {
    policy: Batched<P>,
    chairs: HashMap<(TableId, Seat), (Translator, Player)>,
    /// Answers by their type.
    answers: HashMap<String, usize>,
}

impl<P: Policy> Agent for Watched<P> {
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        self.policy.decide(requests, replies)
    }

    fn wants_updates(&self) -> bool {
        true
    }

    fn update(&mut self, update: Update<'_>) -> Result<(), AgentError> {
        let key = (update.table, update.seat);
        let event = match update.news {
            News::GameStart { rules } => {
                let mut player = greedy(PlayerSetup { rules: Some(*rules), ..PlayerSetup::default() });
                let start = format!(r#"{{"type":"start_game","id":{}}}"#, update.seat.number());
                player.answer(&start).expect("an answer");
                let scores = BySeat::splat(rules.players, 0);
                self.chairs.insert(key, (Translator::new(rules, scores), player));
                return Ok(());
            }
            News::Event(event) => event,
        };
        let (translator, player) = self.chairs.get_mut(&key).expect("a game");
        let mut events = Vec::new();
        translator.translate(event, &mut events);
        for event in events {
            let line = serde_json::to_string(&event).expect("JSON");
            let answer = player.answer(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
            let reaches = event == Event::Reach { actor: update.seat.number() };
            assert!(!reaches || answer.kind == "dahai", "{answer}");
            *self.answers.entry(answer.kind).or_default() += 1;
        }
        assert_eq!(player.take_notes(), [""; 0]);
        Ok(())
    }
}

/// A player answers every line although another one decides, as when it follows a game.
#[test]
fn players_follow_the_moves_of_others() {
    for preset in ["tenhou", "tenhou-sanma"] {
        let rules = Rules::preset(preset).expect("a preset");
        let seats = usize::from(rules.players.count());
        for text in ["noisy:p=0.3", "random", "heuristic:fast"] {
            let policy = named(text).policy().expect("a policy");
            let mut watched =
                Watched { policy: Batched(policy), chairs: HashMap::new(), answers: HashMap::new() };
            let mut tables = [Table::start(&rules, 7, vec![0; seats])];
            play(&mut tables, &mut [&mut watched]).expect("they play");
            assert!(watched.answers["dahai"] > 50, "{preset} {text}: {:?}", watched.answers);
        }
    }
}
