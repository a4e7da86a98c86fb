//! A store in memory, which needs no server. `sim/tests/cloud.py` tests a server.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

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
