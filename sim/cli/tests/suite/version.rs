//! The commit that the build script gives to a program, in clones made for the test.

#[path = "../../../commit/build/commit.rs"]
mod commit;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::common::program::{folder, text};

const SOURCES: [&str; 3] = ["engine/src", "sim/src", "no-such-file"];

/// A clone with a source in each of two packages, a page, and one commit.
struct Clone(TempDir);

impl Clone {
    fn new() -> Clone {
        let clone = Clone(folder());
        for file in ["engine/src/lib.rs", "sim/src/main.rs", "README.md"] {
            clone.write(file, "first");
        }
        clone.git(&["init", "--quiet"]);
        clone.git(&["add", "."]);
        clone.commit_all();
        clone
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    fn write(&self, file: &str, contents: &str) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, contents).expect("a file");
    }

    fn git(&self, words: &[&str]) -> String {
        let author =
            ["-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"];
        let output = Command::new("git").args(author).args(words).current_dir(self.0.path()).output();
        let output = output.expect("git starts");
        assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
        text(&output.stdout).trim_end().to_owned()
    }

    fn commit_all(&self) {
        self.git(&["commit", "--quiet", "--all", "--message", "A commit of the test"]);
    }

    fn head(&self) -> String {
        self.git(&["rev-parse", "--short=12", "HEAD"])
    }

    /// What the build script finds.
    fn found(&self) -> Option<String> {
        found(self.0.path())
    }
}

fn found(root: &Path) -> Option<String> {
    commit::commit(root, &SOURCES).map(|commit| commit.name)
}

#[test]
fn a_changed_source_makes_the_commit_dirty() {
    let clone = Clone::new();
    let head = clone.head();
    assert_eq!(clone.found(), Some(head.clone()));
    clone.write("README.md", "second");
    clone.write("sim/src/new.rs", "not tracked");
    assert_eq!(clone.found(), Some(head.clone()), "neither is a source");
    for source in ["engine/src/lib.rs", "sim/src/main.rs"] {
        clone.write(source, "second");
        assert_eq!(clone.found(), Some(format!("{head}-dirty")), "{source}");
        clone.write(source, "first");
        assert_eq!(clone.found(), Some(head.clone()), "{source}");
    }
    clone.write("sim/src/main.rs", "third");
    clone.git(&["add", "sim/src/main.rs"]);
    assert_eq!(clone.found(), Some(format!("{head}-dirty")), "a change that is staged");
    clone.commit_all();
    assert_ne!(clone.head(), head);
    assert_eq!(clone.found(), Some(clone.head()));
    fs::remove_file(clone.path("engine/src/lib.rs")).expect("a file");
    assert_eq!(clone.found(), Some(clone.head() + "-dirty"), "a source that is gone");
}

/// Such as an unpacked archive, or sources copied into the repository of another project.
#[test]
fn sources_outside_a_clone_have_no_commit() {
    let clone = Clone::new();
    clone.write("vendor/jantaku/sim/src/main.rs", "first");
    assert_eq!(found(&clone.path("vendor/jantaku")), None);
    assert_eq!(found(folder().path()), None, "an archive");
}

/// The files that cargo watches are there, and one of them changes with each commit.
#[test]
fn a_commit_changes_a_watched_file() {
    let clone = Clone::new();
    let watched = || {
        let commit = commit::commit(clone.0.path(), &SOURCES).expect("a clone");
        let paths = commit.files.iter().map(|file| clone.path(file));
        paths.map(|path| contents(&path)).collect::<Vec<_>>()
    };
    let before = watched();
    clone.write("sim/src/main.rs", "second");
    clone.commit_all();
    assert_ne!(watched(), before);
}

/// The contents of a file, or of all files in a folder.
fn contents(path: &Path) -> String {
    if path.is_dir() {
        let entries =
            fs::read_dir(path).expect("a folder").map(|entry| contents(&entry.expect("an entry").path()));
        return entries.collect();
    }
    fs::read_to_string(path).expect("a watched file")
}
