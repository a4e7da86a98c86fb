//! Runs of the library, with agents and stores that fail.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use jantaku_agents::{Greedy, NamedPolicy, Policy, Random};
use jantaku_engine::replay::RecordedGame;
use jantaku_engine::{
    Action, DrawReason, HandEnd, Observation, Phase, Rng, Rules, Shanten, Tile, TileSet, notation,
};
use jantaku_sim::dataset::read_games;
use jantaku_sim::play::{
    Decision, Detail, GameRecord, HandRecord, Job, Memory, Players, RunError, Schedule, Watch,
};
use jantaku_sim::replay::convert::complete;
use jantaku_sim::replay::verify::{verify, verify_hashes};
use jantaku_sim::run::{self, Manifest, ParquetSink, PlayError, Run, RunConfig};
use jantaku_sim::store::{Folder, Location, partial};

/// Declares tsumo at every decision, legal or not.
struct Impostor;

impl Policy for Impostor {
    fn choose(&self, _: &Observation<'_>, _: &mut Rng) -> Action {
        Action::Tsumo
    }
}

#[test]
fn the_example_resumes_a_run() {
    crate::example::main().expect("a resumed run");
}

#[test]
fn an_illegal_answer_stops_the_run_and_shows_the_observation() {
    let rules = Rules::default();
    let mut players = Players::from(vec![NamedPolicy::new("impostor", Impostor); 4]);
    let schedule = Schedule::selfplay(1, 100);
    let job = Job::new(&rules, schedule, Detail::None);
    let error = players.play(&job, &mut (), &mut ()).expect_err("the first hand is not complete").to_string();
    assert!(
        error.starts_with(
            "game 0: agent `impostor` answered illegally: seat 0 may not tsumo; legal actions are discard "
        ),
        "{error}"
    );
    assert!(error.contains("\nIt saw:\nEast 1-0, 69 live tiles, dora indicator "), "{error}");
    assert!(error.contains("\nE seat 0  25,000 points  "), "{error}");
    assert!(error.contains("\nseat 0 may: "), "{error}");
}

/// Stops the run after `patience` questions.
struct Impatient {
    questions: AtomicUsize,
    patience: usize,
}

impl Watch for Impatient {
    fn progress(&mut self, _: u64) {}

    fn should_stop(&self) -> bool {
        self.questions.fetch_add(1, Ordering::Relaxed) >= self.patience
    }
}

/// A stopped run abandons games in play, and its tally counts the games of its sink.
#[test]
fn a_stopped_run_ends_within_a_decision() {
    let rules = Rules::default();
    let mut players = greedy();
    let schedule = Schedule::selfplay(1, 100_000);
    let job = Job::new(&rules, schedule, Detail::Decisions);
    for (patience, games) in [(0, 0..1), (100, 0..1), (1_000_000, 500..5000)] {
        let mut watch = Impatient { questions: 0.into(), patience };
        let mut records: Vec<GameRecord> = Vec::new();
        let tally = players.play(&job, &mut records, &mut watch).expect("greedy plays legally");
        assert!(games.contains(&tally.games), "{} games after {patience}", tally.games);
        assert_eq!(tally.games, records.len() as u64);
        assert!(records.iter().zip(0..).all(|(record, number)| record.game == number));
        // Each game of the wave may ask once more before it stops.
        assert!(watch.questions.into_inner() <= patience + 512);
    }
}

/// The files in the folders of a run, relative to the run.
fn files_of_parts(run: &Path) -> BTreeSet<PathBuf> {
    let entries = |folder: &Path| {
        std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path())
    };
    let files =
        entries(run).filter(|path| path.is_dir()).flat_map(|folder| entries(&folder).collect::<Vec<_>>());
    files.map(|file| file.strip_prefix(run).expect("inside the run").to_owned()).collect()
}

/// Reads the manifest of a run. Checks that the files of its parts are as it says, and that no
/// other files exist but those of one more part.
fn checked_manifest(run: &Path) -> Manifest {
    let manifest = std::fs::read_to_string(run.join("manifest.json"));
    let manifest: Manifest = manifest
        .map_or_else(|_| Manifest::default(), |text| serde_json::from_str(&text).expect("a manifest"));
    let listed: BTreeSet<PathBuf> =
        manifest.parts.iter().flat_map(|part| &part.files).map(|file| PathBuf::from(&file.path)).collect();
    for file in &listed {
        let bytes = std::fs::read(run.join(file)).expect("a listed file exists");
        assert_eq!(&bytes[bytes.len() - 4..], b"PAR1", "a listed file is complete");
    }
    if manifest.games > 0 {
        let differs = |found| panic!("{found}");
        verify_hashes(run, &mut (), differs, |error| panic!("{error}")).expect("the listed files are right");
    }
    let next = format!("part-{:06}.parquet", manifest.parts.len());
    let mut others = files_of_parts(run).difference(&listed).cloned().collect::<Vec<_>>();
    others.retain(|file| !file.ends_with(&next));
    assert!(others.is_empty(), "{others:?}");
    for small in ["run.toml", "manifest.json"] {
        assert!(!partial(&run.join(small)).exists());
    }
    manifest
}

/// The configuration of a job's run with parts of `games_per_part` games.
fn parts_of(games_per_part: u64, job: &Job<'_>, players: &Players) -> RunConfig {
    let agents = players.names().into_iter().map(str::to_owned).collect();
    let Schedule { seed, games, .. } = job.schedule;
    RunConfig {
        games_per_part,
        agents,
        games: Some(games),
        seed,
        detail: job.detail,
        ..RunConfig::new("of the test", job.rules)
    }
}

fn greedy() -> Players {
    Players::from(vec![NamedPolicy::new("greedy", Greedy::default()); 4])
}

/// Starts to write a run in parts of `games_per_part` games.
fn sink_of(run: &Path, games_per_part: u64, job: &Job<'_>, players: &Players) -> ParquetSink {
    let config = parts_of(games_per_part, job, players);
    ParquetSink::start(Location::new(Folder, run), config).expect("a folder to write")
}

/// Plays a job into a run in parts of `games_per_part` games.
fn write(run: &Path, games_per_part: u64, job: &Job<'_>, players: &mut Players) {
    let mut sink = sink_of(run, games_per_part, job, players);
    players.play(job, &mut sink, &mut ()).expect("agents play legally");
    sink.finish().expect("it is written");
}

/// Plays like `greedy`, and illegally once there are four honba.
struct Traitor(Greedy);

impl Policy for Traitor {
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        if o.table().honba() < 4 { self.0.choose(o, rng) } else { Action::EndGame }
    }
}

/// If an agent ends the run, the dropped sink stops writing and keeps the complete parts.
#[test]
fn an_illegal_answer_leaves_complete_parts() {
    let rules = Rules::default();
    let mut players = Players::from(vec![NamedPolicy::new("traitor", Traitor(Greedy::default())); 4]);
    let schedule = Schedule::selfplay(2, 100);
    let job = Job::new(&rules, schedule, Detail::Decisions);
    let folder = tempfile::tempdir().expect("a folder for the test");
    let mut sink = sink_of(folder.path(), 3, &job, &players);
    let ended = players.play(&job, &mut sink, &mut ());
    drop(sink);
    let Err(RunError::Agent { game, .. }) = ended else { panic!("{ended:?}") };
    let manifest = checked_manifest(folder.path());
    assert!(game >= 3, "no complete part before game {game}");
    assert_eq!((manifest.complete, manifest.games), (false, game / 3 * 3));
}

/// A run with an unknown number of games is complete if the sink is finished. If it is stopped, it
/// is not complete and only complete parts stay.
#[test]
fn a_run_of_unknown_length_is_complete_only_if_finished() {
    let rules = Rules::default();
    let mut players = greedy();
    for (games, stopped, kept) in [(7, true, 6), (6, true, 6), (7, false, 7), (6, false, 6), (0, false, 0)] {
        let schedule = Schedule::selfplay(2, games);
        let job = Job::new(&rules, schedule, Detail::Games);
        let folder = tempfile::tempdir().expect("a folder for the test");
        let config = RunConfig { games: None, ..parts_of(3, &job, &players) };
        let mut sink =
            ParquetSink::start(Location::new(Folder, folder.path()), config).expect("a folder to write");
        players.play(&job, &mut sink, &mut ()).expect("greedy plays legally");
        let ended = if stopped { sink.stop() } else { sink.finish() }.expect("it is written");
        assert_eq!((ended.complete, ended.games), (!stopped, kept), "{games} games");
        assert_eq!(checked_manifest(folder.path()), ended);
        let (config, _) = run::read(folder.path()).expect("a run");
        assert_eq!(config.games, Some(kept).filter(|kept| !stopped && *kept > 0));
    }
}

/// The bytes of all files of a run.
fn bytes_of(run: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let small = ["run.toml", "manifest.json"].map(PathBuf::from);
    let names = files_of_parts(run).into_iter().chain(small);
    names.map(|name| (name.clone(), std::fs::read(run.join(name)).expect("a file of the run"))).collect()
}

/// The tally of a run counts what its records hold.
#[test]
fn the_tally_equals_the_records() {
    let rules = Rules::default();
    let mut players = greedy();
    let job = Job::new(&rules, Schedule::selfplay(3, 50), Detail::Decisions);
    let mut records: Vec<GameRecord> = Vec::new();
    let tally = players.play(&job, &mut records, &mut ()).expect("greedy plays legally");
    let count = |of: fn(&GameRecord) -> usize| records.iter().map(of).sum::<usize>() as u64;
    assert_eq!(tally.hands, count(|record| record.hands.len()));
    assert_eq!(tally.decisions, count(|record| record.decisions.len()));
    let wins: u64 = tally.seats.iter().map(jantaku_sim::play::SeatTally::wins).sum();
    assert_eq!(wins, count(|record| record.hands.iter().map(|hand| hand.outcome.wins().len()).sum()));
    for record in &records {
        let mut points = rules.start_points;
        for hand in &record.hands {
            let first = hand.course.start_points.iter().next().expect("a seat");
            assert_eq!(*first, points, "a hand begins with the points of the last one");
            points += hand.deltas.iter().next().expect("a seat");
        }
    }
}

/// Plays like `greedy`, but illegally in one decision of 100.
#[derive(Clone)]
struct Clumsy(Greedy);

impl Policy for Clumsy {
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        if rng.below(100) == 0 { Action::EndGame } else { self.0.choose(o, rng) }
    }
}

/// With a referee a foul is an answer: the results contain its penalty, and the game replays from
/// its decisions. It cannot be written as a log.
#[test]
fn games_with_fouls_are_stored_but_not_converted() {
    let text = "base = 'ema-2016'\nenforce = 'Referee'";
    let rules = Rules::from_toml(text, "set").expect("valid rules");
    let mut players = Players::from(vec![NamedPolicy::new("clumsy", Clumsy(Greedy::default())); 4]);
    let schedule = Schedule::selfplay(1, 4);
    let job = Job::new(&rules, schedule, Detail::Decisions);
    let folder = tempfile::tempdir().expect("a folder for the test");
    let mut records: Vec<GameRecord> = Vec::new();
    players.play(&job, &mut records, &mut ()).expect("a foul is an answer");
    write(folder.path(), 4, &job, &mut players);
    let differs = |found| panic!("{found}");
    assert_eq!(verify(folder.path(), &mut (), differs, |error| panic!("{error}")).expect("a run"), 4);
    let (config, _) = run::read(folder.path()).expect("a run");
    let stored = read_games(folder.path(), &config.contents(), 0, None).expect("its games");
    let mut attempts = 0;
    for (record, stored) in records.iter().zip(&stored) {
        let offenders = |hand: &HandRecord| match hand.outcome.end {
            HandEnd::Draw { reason: DrawReason::Chombo, fouls, .. } => fouls.len() as i32,
            _ => 0,
        };
        let fouls: i32 = record.hands.iter().map(offenders).sum();
        assert!(fouls > 0, "one decision in 100 is a foul");
        let results: i32 = record.results.iter().map(|result| result.result).sum();
        assert_eq!(results, -20_000 * fouls);
        let mut memory = Memory::new(Detail::Decisions, &rules);
        stored.replay(&mut memory).expect("the stored game replays");
        let again = memory.finish(record.game, record.seed).expect("to its end");
        assert_eq!((again.signature, again.results), (record.signature, record.results));
        let mut recording = RecordedGame::new(rules);
        stored.replay(&mut recording).expect("the stored game replays");
        attempts += recording.hands.iter().filter(|hand| hand.standing.attempt > 0).count();
        let error = complete(&recording).expect_err("the log does not record who fouled").to_string();
        let what =
            "end of the hand: expected a win or a draw: whose foul it was is not recorded, found chombo";
        assert!(error.ends_with(what), "{error}");
    }
    assert!(attempts > 0);
}

/// Checks that the history of a decision has every open tile except the indicators.
fn check_open_tiles(history: &str, d: &Decision) {
    let (indicators, turned) = &d.indicators;
    let own = d.concealed.tiles().chain(d.drawn);
    let mut seen: Vec<Tile> = own.chain(indicators[..usize::from(*turned)].iter().copied()).collect();
    let mut last = None;
    let (mut discards, mut melds) = (0, 0);
    for word in history.split_whitespace() {
        let (seat, what) = word.split_at(1);
        let is_own = seat == d.seat.number().to_string();
        let tiles =
            notation::parse_tiles(what.trim_matches(['[', ']', '<', '>', '+', '*', 'r'])).expect("tiles");
        seen.extend(&tiles);
        if what.starts_with('[') {
            let claimed = last.take().expect("a discard is claimed");
            seen.swap_remove(seen.iter().position(|tile| *tile == claimed).expect("it was seen"));
        }
        melds += usize::from(is_own && what.starts_with(['[', '<']));
        discards += u8::from(is_own && what.starts_with(|first: char| first.is_ascii_digit()));
        last = Some(tiles[0]).filter(|_| tiles.len() == 1);
    }
    assert_eq!((discards, melds), (d.turn, d.melds.len()), "{history}");
    for kind in TileSet::ALL.iter() {
        let copies = seen.iter().filter(|tile| tile.kind() == kind).count();
        // At the end of a game, a winning tile that was drawn is in no hand and not open.
        let known = d.phase == Phase::End || copies as u32 + d.unseen.of(kind) == 4;
        assert!(known, "{kind} in {history}: {d:?}");
    }
}

/// Records of decisions follow the definitions of their columns, also at the end of a game and for
/// claims that another claim outranks.
#[test]
fn records_follow_the_definitions_of_the_columns() {
    let set = "agari_yame = 'Choice'\ntenpai_yame = 'Choice'\nyame_condition = 'None'\n";
    let rules = Rules::from_toml(set, "set").expect("valid rules");
    let mut players = greedy();
    let schedule = Schedule::selfplay(7, 300);
    let job = Job::new(&rules, schedule, Detail::Decisions);
    let mut records: Vec<GameRecord> = Vec::new();
    players.play(&job, &mut records, &mut ()).expect("greedy plays legally");
    let (mut ends, mut triple_rons, mut outranked) = (0, 0, 0);
    for record in &records {
        for d in &record.decisions {
            let claim = matches!(d.phase, Phase::Claim | Phase::KanClaim);
            assert_eq!(d.offer.is_some(), claim, "{d:?}");
            assert!(d.drawn.is_none() || d.phase == Phase::Turn, "{d:?}");
            assert!(d.phase == Phase::Turn || d.shanten >= Shanten::TENPAI, "{d:?}");
            assert!(claim || !d.outranked, "{d:?}");
            let HandRecord { outcome, history, .. } = &record.hands[usize::from(d.hand)];
            check_open_tiles(&history[..usize::from(d.history)], d);
            let abortive = matches!(&outcome.end, HandEnd::Draw { reason: DrawReason::TripleRon, .. });
            ends += u32::from(d.phase == Phase::End);
            outranked += u32::from(d.outranked);
            if abortive && d.action == Action::Ron.id() {
                assert!(!d.outranked, "no claim outranks a triple ron");
                triple_rons += 1;
            }
        }
    }
    assert!(ends > 0 && outranked > 0, "{ends} {outranked}");
    assert!(triple_rons > 0 && triple_rons % 3 == 0, "{triple_rons}");
}

/// A run can be played in several calls. Agents with other names are refused.
#[test]
fn a_run_continues_in_the_same_program() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let agents = vec!["tsumogiri".to_owned(); 4];
    let config = RunConfig {
        agents,
        games: Some(600),
        seed: 1,
        detail: Detail::Games,
        games_per_part: 50,
        ..RunConfig::new("tenhou", &Rules::default())
    };
    let mut players = config.players().expect("agents of the program");
    let mut run = Run::create(&folder.path().join("run"), config.clone()).expect("a new folder");
    let other = ["random", "tsumogiri"].map(|name| NamedPolicy::new(name, Random));
    let refused = run.play(&mut other.to_vec().into(), &mut ()).expect_err("two agents of four seats");
    assert!(matches!(refused, PlayError::Agents { .. }), "{refused}");
    let mut watch = Impatient { questions: 0.into(), patience: 300_000 };
    let played = run.play(&mut players, &mut watch).expect("it is written");
    assert!(played.is_interrupted() && run.remaining() == (run.manifest().games..600));
    let played = run.play(&mut players, &mut ()).expect("it is written");
    assert_eq!((played.is_interrupted(), run.manifest().complete), (false, true));
    let whole = folder.path().join("whole");
    Run::create(&whole, config).expect("a new folder").play(&mut players, &mut ()).expect("it is written");
    assert!(bytes_of(run.folder()) == bytes_of(&whole));
}
