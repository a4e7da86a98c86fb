//! Tables continue hands of logs and positions. The tiles that are not known are dealt at random.

use std::fs;
use std::path::PathBuf;

use jantaku_agents::{Catalog, NamedPolicy, Policy as _};
use jantaku_engine::replay::{RecordedGame, RecordedHand, Spectator};
use jantaku_engine::{Action, Event, Game, Observation, Observer, Seat};
use jantaku_serve::TableSetup;
use jantaku_sim::dataset::{BranchPoint, FirstHand};
use jantaku_sim::play::{Detail, Sink as _};
use jantaku_sim::replay::convert::{Format, record_input};
use jantaku_sim::replay::inputs::Inputs;
use jantaku_sim::replay::source::GameOfLog;
use jantaku_sim::replay::stored_run::GameOfRun;
use jantaku_sim::run::{ParquetSink, RunConfig};
use jantaku_sim::store::{Folder, Location};

use super::client::{Running, play, rules, send_form, status};
use super::tables::{check_answers, check_hidden, check_kept};

/// The choices of the form, with the hints of `heuristic`.
const CHOICES: &str = "game=0&seat=1&opponent0=0&opponent1=1&opponent2=0&hints=3&clock=0";

/// A finished game of `greedy`.
fn recorded(rules_name: &str, seed: u64) -> RecordedGame {
    let agent = Catalog::standard().agent("greedy").expect("an agent");
    let policy: NamedPolicy = agent.policy().expect("a policy");
    let mut recording = RecordedGame::new(rules(rules_name));
    let mut game = Game::new_seen(&rules(rules_name), seed, &mut recording);
    while let Some(seat) = game.pending().iter().next() {
        let action = policy.choose(&game.observe(seat), &mut game.random_stream(seat, policy.salt()));
        game.submit_seen(seat, action, &mut recording).expect("a legal action");
    }
    recording
}

/// The decisions of each hand.
#[derive(Default)]
struct Hands(Vec<Vec<(Seat, Action)>>);

impl Observer for Hands {
    fn event(&mut self, event: &Event) {
        if matches!(event, Event::Deal { .. }) {
            self.0.push(Vec::new());
        }
    }
}

impl Spectator for Hands {
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        self.0.last_mut().expect("a hand").push((o.seat(), action));
    }
}

/// A server with its folder of tables, and one source.
struct Served {
    folder: tempfile::TempDir,
    source: PathBuf,
}

impl Served {
    fn start(&self) -> Running {
        Running::start(&self.tables(), std::slice::from_ref(&self.source))
    }

    fn tables(&self) -> PathBuf {
        self.folder.path().join("tables")
    }

    /// The setup of a table.
    fn setup(&self, table: &str) -> TableSetup {
        let text = fs::read_to_string(self.tables().join(table).join("table.toml")).expect("a table");
        toml::from_str(&text).expect("a setup")
    }

    /// Plays on from a decision to the end of the game. The server is killed meanwhile. Returns the kept
    /// game.
    fn play_on(&self, decision: usize, is_whole: bool) -> GameOfRun {
        let server = self.start();
        assert!(server.get("/games/0/0").contains("\"play_on\":\"/games/0/0\""));
        let form = server.get(&format!("/games/0/0/{decision}"));
        assert!(form.contains("dealt at random") && form.contains("name=\"seed\""), "{form}");
        let sit_down = |server: &Running, seed: u64| {
            let form = format!("source=0&{CHOICES}&decision={decision}&seed={seed}");
            assert_eq!(status(&send_form(server, &form)), 303);
        };
        sit_down(&server, 7);
        let page = server.get("/tables/table-0001");
        assert!(page.contains("were dealt at random") && !page.contains(&self.first_hand("table-0001").wall));
        play(&server, "table-0001", 3, |_| {});
        drop(server);
        let server = self.start();
        let mut decided = 0;
        assert!(play(&server, "table-0001", usize::MAX, |news| {
            check_hidden(news, 1);
            if !news["decision"].is_null() && decided < 10 {
                check_answers(&server, "table-0001", 1, &news["decision"]);
                decided += 1;
            }
        }));
        assert!(server.get("/tables/table-0001/review").contains("were dealt at random"));
        for (number, seed) in [(2, 7), (3, 8)] {
            sit_down(&server, seed);
            let [one, other] = ["table-0001".to_owned(), format!("table-000{number}")];
            assert_eq!(self.first_hand(&one) == self.first_hand(&other), seed == 7, "seed {seed}");
        }
        let table = self.tables().join("table-0001");
        check_kept(&table, &self.setup("table-0001"));
        let log = GameOfLog::open(&table.join("game.mjson"), 0, None).expect("a log");
        assert_eq!(log.game.is_whole, is_whole);
        GameOfRun::open(&table.join("run"), 0).expect("a game")
    }

    /// The first hand of a table.
    fn first_hand(&self, table: &str) -> FirstHand {
        self.setup(table).branch.and_then(|branch| branch.first_hand).expect("a first hand")
    }
}

/// Checks that a kept game continues with this hand, after these decisions.
fn check_hand(kept: &GameOfRun, hand: &RecordedHand, made: &[(Seat, Action)]) {
    let Some(BranchPoint { decisions, first_hand: Some(first) }) = &kept.stored.branch else {
        panic!("the first hand is kept");
    };
    assert_eq!(*decisions as usize, made.len());
    assert_eq!((first.standing.round, first.standing.scores), (hand.standing.round, hand.standing.scores));
    let found = kept.stored.decisions.iter().map(|one| (one.seat, one.action.action()));
    assert_eq!(found.take(made.len()).collect::<Vec<_>>(), made);
    let mut recording = RecordedGame::new(kept.stored.rules);
    kept.replay(&mut recording).expect("a game under its rules");
    let first = &recording.hands[0];
    assert_eq!((&first.dealt, first.indicator), (&hand.dealt, hand.indicator));
}

/// The number of the first decision of a hand.
fn first_of(hands: &[Vec<(Seat, Action)>], hand: usize) -> usize {
    hands[..hand].iter().map(Vec::len).sum()
}

#[test]
fn hands_of_logs_are_played_on() {
    // The second log ends in the middle of its first hand.
    for (rules, format, lines, hand, before) in [
        ("tenhou", Format::Tenhou6, usize::MAX, 3, 25),
        ("tenhou", Format::Mjai, 40, 0, 11),
        ("tenhou-sanma", Format::Mjai, usize::MAX, 2, 0),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join(format!("log.{}", format.ending()));
        let text = format.text(&recorded(rules, 5));
        let lines: String = text.split_inclusive('\n').take(lines).collect();
        fs::write(&source, lines).expect("a log");
        let game = GameOfLog::open(&source, 0, None).expect("a log").game;
        let mut hands = Hands::default();
        game.replay(&mut hands);
        let served = Served { folder, source };
        let kept = served.play_on(first_of(&hands.0, hand) + before, hand == 0);
        check_hand(&kept, &game.hands[hand], &hands.0[hand][..before]);
        let missing = served.start().get("/games/0/0/1000000");
        assert_eq!((status(&missing), missing.contains("it has no decision 1000000")), (404, true));
    }
}

/// A run of logs has no more of the walls than the logs. The game kept from it has its wall: playing
/// on needs no new tiles.
#[test]
fn hands_of_runs_of_logs_are_played_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let [log, source] = ["log.json", "run"].map(|name| folder.path().join(name));
    let game = recorded("tenhou", 6);
    fs::write(&log, Format::Tenhou6.text(&game)).expect("a log");
    let input = Inputs::open(&[log]).expect("a log").next().expect("a game").expect("a game");
    let record = record_input(&input, None, Detail::Decisions).expect("a record");
    let config = RunConfig::for_logs(Detail::Decisions);
    let mut sink = ParquetSink::start(Location::new(Folder, &source), config).expect("a run");
    sink.take(record).expect("a game");
    sink.finish().expect("a run");
    let mut hands = Hands::default();
    game.replay(&mut hands);
    let served = Served { folder, source };
    let kept = served.play_on(first_of(&hands.0, 2) + 9, false);
    check_hand(&kept, &game.hands[2], &hands.0[2][..9]);

    let again = Served { folder: tempfile::tempdir().expect("a folder"), source: kept.folder.clone() };
    let server = again.start();
    let form = server.get("/games/0/0/30");
    assert!(!form.contains("dealt at random") && !form.contains("name=\"seed\""), "{form}");
    assert_eq!(status(&send_form(&server, &format!("source=0&{CHOICES}&decision=30"))), 303);
    assert_eq!(again.first_hand("table-0001"), served.first_hand("table-0001"));
    assert!(play(&server, "table-0001", usize::MAX, |_| {}));
    check_kept(&again.tables().join("table-0001"), &again.setup("table-0001"));
}

#[test]
fn positions_are_played_on() {
    let four = r#"
        round = "S2"
        honba = 1
        sticks = 1
        indicators = "3m"
        seat = "south"
        [east]
        score = 30000
        river = "1z 9p*"
        [south]
        score = 24000
        river = "9m"
        hand = "23455m234p56788s+9s"
        [west]
        score = 20000
        river = "4z"
        [north]
        score = 24000
        river = "2z"
    "#;
    let three = r#"
        rules = "tenhou-sanma"
        round = "E2"
        indicators = "9p"
        turn = 5
        seat = "west"
        [west]
        hand = "19m23455p345567s+7s"
    "#;
    for text in [four, three] {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("position.toml");
        fs::write(&source, text).expect("a position");
        let served = Served { folder, source };
        let kept = served.play_on(0, false);
        let first = kept.stored.branch.as_ref().and_then(|branch| branch.first_hand.as_ref());
        let standing = first.expect("a first hand").standing;
        if text == four {
            assert_eq!((standing.round, standing.honba, standing.sticks), (5, 1, 1));
        } else {
            assert_eq!((standing.round, kept.stored.first_decision() > 8), (1, true));
        }
        let server = served.start();
        for missing in ["/games/0/0/1", "/games/0/1/0", "/games/0/1"] {
            assert_eq!(status(&server.get(missing)), 404, "{missing}");
        }
    }
}
