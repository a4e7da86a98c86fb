//! A store in memory, which needs no server. `sim/tests/cloud.py` tests a server.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use jantaku_sim::play::Detail;
use jantaku_sim::run::{Run, RunConfig};
use jantaku_sim::store::{Location, write};

/// Bytes of a file that is uploaded in several pieces.
const LARGE: usize = 40 << 20;

/// Small files and files of several pieces appear when they are published, and never if they
/// are discarded.
#[test]
fn files_appear_when_they_are_published() {
    jantaku_cloud::connect();
    let Location { store, path: url } =
        Location::open(Path::new("memory:///runs")).expect("a store in memory");
    let path = |name: &str| url.join(name);
    let [small, large, discarded] = ["small", "part/large", "part/discarded"].map(path);
    write(&*store, &small, b"few bytes").expect("it is written");
    assert_eq!(store.read(&small).expect("a file"), b"few bytes");
    let bytes: Vec<u8> = (0..LARGE).map(|i| (i % 251) as u8).collect();
    let seal = |path: &PathBuf| {
        let mut file = store.create(path).expect("a file");
        bytes.chunks(1 << 20).for_each(|chunk| file.write_all(chunk).expect("room"));
        file.seal().expect("it is sealed");
    };
    let entries = |folder: &Path| {
        let found = store.entries(folder).expect("a folder");
        found.into_iter().map(|entry| (entry.name, entry.bytes)).collect::<Vec<_>>()
    };
    seal(&large);
    assert_eq!(entries(&url), [("small".to_owned(), 9)]);
    store.publish(&large).expect("it is published");
    assert!(store.read(&large).expect("a file") == bytes);
    seal(&discarded);
    store.discard(&discarded);
    assert_eq!(entries(&url.join("part")), [("large".to_owned(), bytes.len() as u64)]);
    let error = store.read(&discarded).expect_err("it is discarded");
    assert_eq!(error.kind(), ErrorKind::NotFound);
    let other = url.join("part-2");
    write(&*store, &other, b"stays").expect("it is written");
    store.remove_folder(&url.join("part")).expect("it is removed");
    assert_eq!(entries(&url), [("part-2".to_owned(), 5), ("small".to_owned(), 9)]);
    store.remove_folder(&url.join("part")).expect("nothing is there");
    store.remove_folder(&url).expect("it is removed");
    assert_eq!(entries(&url), []);
}

/// Without locks, the second program that begins a run cannot know whether the first one still plays.
#[test]
#[expect(clippy::default_trait_access, reason = "the crate of the rules is no dependency")]
fn a_run_that_was_begun_may_be_in_use() {
    jantaku_cloud::connect();
    let url = Path::new("memory:///begun");
    let agents = vec!["tsumogiri".to_owned(); 4];
    let new = RunConfig::new("tenhou", &Default::default());
    let config = RunConfig { agents, games: Some(2), detail: Detail::Games, ..new };
    let mut players = config.players().expect("built-in agents");
    let mut first = Run::create(url, config.clone()).expect("a new run");
    let refused = || Run::create(url, config.clone()).expect_err("there is a run").to_string();
    assert!(
        refused().contains("memory:///begun: another program is writing it, or was stopped; "),
        "{}",
        refused()
    );
    first.play(&mut players, &mut ()).expect("the agents answer");
    assert!(refused().contains("already holds a run"), "{}", refused());
}
