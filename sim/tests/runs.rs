//! Runs that go wrong, with agents and stores made for it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use jantaku_agents::{Agent, Batched, Greedy, Policy, Random, Request};
use jantaku_engine::{Action, Game, Observation, Rng, Rules};
use jantaku_sim::record::{Detail, GameRecord};
use jantaku_sim::run::{Manifest, ParquetSink, RunConfig};
use jantaku_sim::runner::{Job, direct};
use jantaku_sim::schedule::SelfPlay;
use jantaku_sim::store::{Folder, Store};

/// Wins by self-draw whether it can or not.
struct Impostor;

impl Policy for Impostor {
    fn choose(&self, _: &Observation<'_>, _: &mut Rng) -> Action {
        Action::Tsumo
    }
}

#[test]
fn an_illegal_answer_stops_the_run_and_shows_what_was_seen() {
    let rules = Rules::default();
    let agents: Vec<(String, Impostor)> = (0..4).map(|_| ("impostor".to_owned(), Impostor)).collect();
    let schedule = SelfPlay { seed: 1, games: 100 };
    let job = Job { rules: &rules, schedule, agents: &agents, detail: Detail::None };
    let error =
        direct(&job, &mut (), &mut ()).expect_err("no dealer has won before his first discard").to_string();
    assert!(
        error.starts_with(
            "game 0: agent `impostor` answered illegally: seat 0 may not tsumo: legal are discard "
        ),
        "{error}"
    );
    assert!(error.contains("\nIt saw:\nEast 1-0, 69 live tiles, dora indicator "), "{error}");
    assert!(error.contains("\nE seat 0  25000 points  "), "{error}");
    assert!(error.contains("\nseat 0 may: "), "{error}");
}

/// A folder whose n-th write fails.
#[derive(Clone)]
struct Faulty {
    writes_left: Arc<AtomicUsize>,
    error: io::ErrorKind,
    removed: Arc<Mutex<Vec<PathBuf>>>,
}

struct FaultyFile {
    file: <Folder as Store>::File,
    store: Faulty,
}

impl Faulty {
    fn spend(&self) -> io::Result<()> {
        let left =
            self.writes_left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| Some(n.saturating_sub(1)));
        if left == Ok(0) { Err(self.error.into()) } else { Ok(()) }
    }
}

impl Write for FaultyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.store.spend()?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Store for Faulty {
    type File = FaultyFile;

    fn create(&mut self, path: &Path) -> io::Result<FaultyFile> {
        self.spend()?;
        Ok(FaultyFile { file: Folder.create(path)?, store: self.clone() })
    }

    fn finish(&mut self, file: FaultyFile, path: &Path) -> io::Result<()> {
        self.spend()?;
        Folder.finish(file.file, path)
    }

    fn discard(&mut self, path: &Path) {
        self.removed.lock().expect("no test thread has panicked").push(path.to_owned());
        Folder.discard(path);
    }
}

/// Whichever write fails, with whichever reason: an error that names the file, and a manifest that names just what is there.
#[test]
fn whatever_write_fails_complete_parts_stay() {
    let rules = Rules::default();
    let agents = vec![("greedy".to_owned(), Greedy::default()); 4];
    let schedule = SelfPlay { seed: 2, games: 40 };
    let job = Job { rules: &rules, schedule, agents: &agents, detail: Detail::Decisions };
    let names = agents.iter().map(|(name, _)| name.clone()).collect();
    let config = RunConfig {
        games_per_part: 10,
        ..RunConfig::new("tenhou", &rules, names, schedule.games, schedule.seed, job.detail)
    };
    let (mut failed, mut completed) = (0, 0);
    for writes in (0..).map(|step| step * 7) {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let error =
            if writes % 2 == 0 { io::ErrorKind::StorageFull } else { io::ErrorKind::PermissionDenied };
        let store = Faulty { writes_left: Arc::new(writes.into()), error, removed: Arc::default() };
        let ended = ParquetSink::start(store, folder.path(), config.clone()).map_err(Into::into).and_then(
            |mut sink| {
                direct(&job, &mut sink, &mut ())?;
                Ok::<Manifest, jantaku_sim::runner::RunError>(sink.finish()?)
            },
        );
        let manifest = std::fs::read_to_string(folder.path().join("manifest.json"));
        let manifest: Manifest = manifest
            .map_or_else(|_| Manifest::default(), |text| serde_json::from_str(&text).expect("a manifest"));
        for file in manifest.parts.iter().flat_map(|part| &part.files) {
            let bytes = std::fs::read(folder.path().join(&file.path)).expect("a listed file is there");
            assert_eq!(&bytes[bytes.len() - 4..], b"PAR1", "a listed file is complete");
        }
        match ended {
            Ok(manifest) => {
                assert!(manifest.complete && manifest.parts.len() == 4);
                completed += 1;
            }
            Err(error) => {
                let error = error.to_string();
                assert!(error.contains(&*folder.path().to_string_lossy()), "{error}");
                let reason = if writes % 2 == 0 { "no storage space" } else { "permission denied" };
                assert!(error.contains(reason) && error.contains(": cannot "), "{error}");
                assert!(!manifest.complete);
                failed += 1;
            }
        }
        if completed == 2 {
            break;
        }
    }
    assert!(failed > 3, "{failed} runs failed");
}

#[test]
fn batches_are_answered_like_single_decisions() {
    let mut game = Game::new(&Rules::default(), 4);
    let mut agent: Box<dyn Agent> = Box::new(Batched(Random));
    for _ in 0..200 {
        let (seat, _) = game.decisions().next().expect("somebody is asked");
        let request = |game: &Game| game.random_stream(seat, 0);
        let mut replies = Vec::new();
        let mut requests = [Request { observation: game.observe(seat), rng: request(&game) }];
        agent.decide(&mut requests, &mut replies).expect("random answers");
        let alone = Random.choose(&game.observe(seat), &mut request(&game));
        assert_eq!(replies.iter().map(|reply| reply.action).collect::<Vec<_>>(), [alone]);
        game.submit(seat, alone).expect("legal");
        if game.is_over() {
            break;
        }
    }
}

/// The counts of a run are those of its records.
#[test]
fn counts_are_those_of_the_records() {
    let rules = Rules::default();
    let agents = vec![("greedy".to_owned(), Greedy::default()); 4];
    let job = Job {
        rules: &rules,
        schedule: SelfPlay { seed: 3, games: 50 },
        agents: &agents,
        detail: Detail::Decisions,
    };
    let mut records: Vec<GameRecord> = Vec::new();
    let tally = direct(&job, &mut records, &mut ()).expect("greedy plays legally");
    let count = |of: fn(&GameRecord) -> usize| records.iter().map(of).sum::<usize>() as u64;
    assert_eq!(tally.hands, count(|record| record.hands.len()));
    assert_eq!(tally.decisions, count(|record| record.decisions.len()));
    let wins: u64 = tally.seats.iter().map(jantaku_sim::tally::SeatTally::wins).sum();
    assert_eq!(wins, count(|record| record.hands.iter().map(|hand| hand.outcome.wins().len()).sum()));
    for record in &records {
        let mut points = rules.start_points;
        for hand in &record.hands {
            let first = hand.start_points.iter().next().expect("a seat");
            assert_eq!(*first, points, "a hand begins with the points of the last one");
            points += hand.deltas.iter().next().expect("a seat");
        }
        // A choice is outranked at most where several may claim.
        assert!(record.decisions.iter().filter(|d| d.outranked).all(|d| d.offer.is_some()));
    }
}
