//! The decisions of a game on disk, as they are made.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use jantaku_engine::{Action, ActionId, Players, Seat};

use super::error::ServeError;
use jantaku_sim::store::{Folder, write};

/// Begins a line that takes decisions back.
const UNDO: &str = "undo ";

/// The file with the decisions of a game: a line for each, with the seat and the number of the
/// action. `undo 17` takes back all but the first 17.
///
/// It has the decisions of agents, too. So a game resumes without asking them again, even if they
/// use a clock or an external engine.
#[derive(Debug)]
pub(super) struct Decisions {
    path: PathBuf,
    file: File,
    /// The number of bytes in the file, which has only whole lines.
    length: u64,
    made: Vec<(Seat, Action)>,
    undone: usize,
}

impl Decisions {
    /// Opens the file, or creates it. An incomplete last line is removed.
    pub(super) fn open(path: &Path, players: Players) -> Result<Decisions, ServeError> {
        let error = |what| move |cause| ServeError::file(path, what, &cause);
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(error("cannot write"))?;
        let text = std::fs::read_to_string(path).map_err(error("cannot read"))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let length = whole as u64;
        file.set_len(length).map_err(error("cannot write"))?;
        let mut found = Decisions { path: path.to_owned(), file, length, made: Vec::new(), undone: 0 };
        for (line, number) in text[..whole].lines().zip(1..) {
            found.take(line, players).ok_or_else(|| {
                let what = format!("line {number}: expected a seat and an action, found {line:?}");
                ServeError::table(path, &what)
            })?;
        }
        Ok(found)
    }

    /// Applies a line of the file. None if it is neither a decision nor a possible undo.
    fn take(&mut self, line: &str, players: Players) -> Option<()> {
        if let Some(left) = line.strip_prefix(UNDO) {
            let left = left.parse().ok().filter(|left| *left <= self.made.len())?;
            self.made.truncate(left);
            self.undone += 1;
        } else {
            self.made.push(parsed(line, players)?);
        }
        Some(())
    }

    /// Writes a new file with these decisions.
    pub(super) fn write(path: &Path, made: &[(Seat, Action)]) -> Result<(), ServeError> {
        let text: String = made.iter().map(|(seat, action)| line(*seat, *action)).collect();
        Ok(write(&Folder, path, text.as_bytes())?)
    }

    /// The decisions in the order in which they were made.
    pub(super) fn made(&self) -> &[(Seat, Action)] {
        &self.made
    }

    /// How often decisions were taken back.
    pub(super) const fn undone(&self) -> usize {
        self.undone
    }

    /// Appends a decision.
    pub(super) fn push(&mut self, seat: Seat, action: Action) -> Result<(), ServeError> {
        self.add(&line(seat, action))?;
        self.made.push((seat, action));
        Ok(())
    }

    /// Takes back all decisions but the first `left`.
    pub(super) fn undo(&mut self, left: usize) -> Result<(), ServeError> {
        self.add(&format!("{UNDO}{left}\n"))?;
        self.made.truncate(left);
        self.undone += 1;
        Ok(())
    }

    /// Appends a line. A failed write leaves nothing of it in the file.
    fn add(&mut self, line: &str) -> Result<(), ServeError> {
        append(&mut &self.file, &self.file, self.length, line.as_bytes())
            .map_err(|cause| ServeError::file(&self.path, "cannot write", &cause))?;
        self.length += line.len() as u64;
        Ok(())
    }

    /// Makes the file one that cannot be written.
    #[cfg(test)]
    pub(super) fn forbid_writing(&mut self) {
        self.file = File::open(&self.path).expect("a file");
    }
}

/// Appends a line to a file of this length. If that fails, cuts the file to this length again.
fn append(writer: &mut impl Write, file: &File, length: u64, line: &[u8]) -> io::Result<()> {
    writer.write_all(line).inspect_err(|_| {
        // If this fails, too, the next start removes the incomplete line.
        file.set_len(length).ok();
    })
}

/// The line of a decision.
fn line(seat: Seat, action: Action) -> String {
    format!("{} {}\n", seat.number(), action.id().number())
}

/// The decision in a line.
fn parsed(line: &str, players: Players) -> Option<(Seat, Action)> {
    let (seat, action) = line.split_once(' ')?;
    let seat: u8 = seat.parse().ok()?;
    let seat = players.seats().find(|other| other.number() == seat)?;
    Some((seat, ActionId::new(action.parse().ok()?)?.action()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk that is full after two bytes of a line.
    struct Full<'a>(&'a File);

    impl Write for Full<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if bytes.len() > 2 { self.0.write(&bytes[..2]) } else { Err(io::ErrorKind::StorageFull.into()) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn nothing_stays_of_a_line_that_cannot_be_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("decisions.txt");
        std::fs::write(&path, "0 37\n").expect("a file");
        let mut decisions = Decisions::open(&path, Players::Four).expect("decisions");
        let file = &decisions.file;
        append(&mut Full(file), file, decisions.length, b"16\n").expect_err("the disk is full");
        let (seat, action) = decisions.made()[0];
        decisions.push(seat, Action::Pass).expect("a line");
        append(&mut Full(&decisions.file), &decisions.file, decisions.length, b"16\n").expect_err("full");
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), "0 37\n0 162\n");
        decisions.forbid_writing();
        let error = decisions.push(seat, action).expect_err("a file for reading").to_string();
        assert!(error.starts_with(&format!("{}: cannot write: ", path.display())), "{error}");
        assert_eq!(decisions.made().len(), 2);
    }

    #[test]
    fn decisions_that_were_taken_back_stay_in_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("decisions.txt");
        std::fs::write(&path, "0 37\n1 162\n2 1\n").expect("a file");
        let mut decisions = Decisions::open(&path, Players::Three).expect("decisions");
        let first = decisions.made()[0];
        decisions.undo(1).expect("a line");
        decisions.push(first.0, Action::Pass).expect("a line");
        let again = Decisions::open(&path, Players::Three).expect("decisions");
        for found in [&decisions, &again] {
            assert_eq!((found.made(), found.undone()), (&[first, (first.0, Action::Pass)][..], 1));
        }
        std::fs::write(&path, "0 37\nundo 2\n").expect("a file");
        Decisions::open(&path, Players::Three).expect_err("there is one decision");
    }

    #[test]
    fn a_line_that_was_cut_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("decisions.txt");
        std::fs::write(&path, "0 37\n1 162\n2 1").expect("a file");
        let mut decisions = Decisions::open(&path, Players::Three).expect("decisions");
        assert_eq!(decisions.made().len(), 2);
        decisions.push(decisions.made()[0].0, Action::Pass).expect("a line");
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), "0 37\n1 162\n0 162\n");
        std::fs::write(&path, "0 37\n3 162\n").expect("a file");
        let error = Decisions::open(&path, Players::Three).expect_err("seat 3 of three").to_string();
        let message = "line 2: expected a seat and an action, found \"3 162\"";
        assert_eq!(error, format!("{}: {message}", path.display()));
    }
}
