//! The decisions of a game on disk, as they are made.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use jantaku_engine::{Action, ActionId, Players, Seat};

use super::error::ServeError;

/// The file with the decisions of a game: a line for each, with the seat and the number of the action.
///
/// The decisions of agents are in it, too. So a game goes on without asking them again, also if they use a
/// clock or another program.
#[derive(Debug)]
pub(super) struct Decisions {
    path: PathBuf,
    file: File,
    made: Vec<(Seat, Action)>,
}

impl Decisions {
    /// Opens the file, or creates it. A line that was not written to its end is removed.
    pub(super) fn open(path: &Path, players: Players) -> Result<Decisions, ServeError> {
        let error = |what| move |cause| ServeError::file(path, what, cause);
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(error("cannot write"))?;
        let text = std::fs::read_to_string(path).map_err(error("cannot read"))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).map_err(error("cannot write"))?;
        let made = text[..whole].lines().zip(1..).map(|(line, number)| {
            let decision = parsed(line, players);
            decision.ok_or_else(|| {
                let what = format!("line {number}: expected a seat and an action, found {line:?}");
                ServeError::table(path, &what)
            })
        });
        Ok(Decisions { path: path.to_owned(), file, made: made.collect::<Result<_, _>>()? })
    }

    /// The decisions in the order in which they were made.
    pub(super) fn made(&self) -> &[(Seat, Action)] {
        &self.made
    }

    /// Adds a decision.
    pub(super) fn push(&mut self, seat: Seat, action: Action) -> Result<(), ServeError> {
        let line = format!("{} {}\n", seat.number(), action.id().number());
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|cause| ServeError::file(&self.path, "cannot write", cause))?;
        self.made.push((seat, action));
        Ok(())
    }
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
