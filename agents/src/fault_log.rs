//! A file of faults, from which a resumed run learns the faults of earlier sessions.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{FaultKind, Faults, Moves, TableId};

/// The number of faults of an agent in one session that are written with their messages. Later ones are
/// written without, so that the file stays small.
const WITH_MESSAGE: u64 = 100;

/// Where the faults of an agent are written: a file with one JSON object a line. Several agents may
/// share it.
///
/// Each fault is written when it is counted, so before the record of its game. A program that is killed
/// leaves at most half a last line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultLog {
    /// The file.
    pub path: PathBuf,
    /// What the file calls the agent.
    pub agent: String,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    game: u64,
    agent: String,
    #[serde(flatten)]
    entry: LineContents,
}

/// What a line states.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum LineContents {
    Fault {
        kind: FaultKind,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// The moves of a seat in a game that has ended.
    Moves(Moves),
}

impl FaultLog {
    /// Appends a fault. `number` counts the faults of the agent in this session, from 1.
    pub(crate) fn add(&self, number: u64, game: TableId, kind: FaultKind, message: &str) -> io::Result<()> {
        let message = (number <= WITH_MESSAGE).then(|| message.to_owned());
        self.append(game, LineContents::Fault { kind, message })
    }

    /// Appends the moves of a seat in a game that has ended.
    pub(crate) fn add_moves(&self, game: TableId, moves: Moves) -> io::Result<()> {
        self.append(game, LineContents::Moves(moves))
    }

    fn append(&self, game: TableId, entry: LineContents) -> io::Result<()> {
        let line = Line { game: game.0, agent: self.agent.clone(), entry };
        let line = serde_json::to_string(&line).map_err(io::Error::other)? + "\n";
        OpenOptions::new().create(true).append(true).open(&self.path)?.write_all(line.as_bytes())
    }

    /// The faults of each agent in games before `end`, from the text of a file of faults.
    ///
    /// # Errors
    ///
    /// If a line states neither a fault nor moves.
    pub fn faults_in(text: &str, end: TableId) -> io::Result<BTreeMap<String, Faults>> {
        before(text, end).map(|(faults, _)| faults)
    }

    /// The faults as [`FaultLog::faults_in`] finds them, none if there is no file. Removes the lines of
    /// later games from the file: these games are played again.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, or as [`FaultLog::faults_in`].
    pub fn resume(path: &Path, end: TableId) -> io::Result<BTreeMap<String, Faults>> {
        if !path.try_exists()? {
            return Ok(BTreeMap::new());
        }
        let text = fs::read_to_string(path)?;
        let (faults, kept) = before(&text, end)?;
        if kept != text {
            let new = path.with_extension("new");
            fs::write(&new, kept)?;
            fs::rename(&new, path)?;
        }
        Ok(faults)
    }
}

/// The faults of each agent in games before `end`, and the lines of these games. Ignores a last line that
/// was cut off.
fn before(text: &str, end: TableId) -> io::Result<(BTreeMap<String, Faults>, String)> {
    let (mut faults, mut kept) = (BTreeMap::<String, Faults>::new(), String::new());
    for (number, line) in (1..).zip(text.split_inclusive('\n').filter(|line| line.ends_with('\n'))) {
        let Line { game, agent, entry } = serde_json::from_str(line)
            .map_err(|error| io::Error::other(format!("line {number}: {error}")))?;
        if game < end.0 {
            let faults = faults.entry(agent).or_default();
            match entry {
                LineContents::Fault { kind, message } => faults.add(TableId(game), kind, message),
                LineContents::Moves(moves) => faults.add_moves(TableId(game), moves),
            }
            kept += line;
        }
    }
    Ok((faults, kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resumed_run_keeps_the_faults_of_kept_games() {
        let folder = std::env::temp_dir().join(format!("jantaku-faults-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("faults.jsonl");
        assert!(FaultLog::resume(&path, TableId(9)).expect("no file").is_empty());
        let [one, two] = ["a", "a #2"].map(|agent| FaultLog { path: path.clone(), agent: agent.to_owned() });
        for number in 1..=102 {
            one.add(number, TableId(3), FaultKind::Late, "late").expect("the file is writable");
        }
        two.add(1, TableId(4), FaultKind::NotJson, "no\nJSON").expect("the file is writable");
        two.add(2, TableId(5), FaultKind::Crash, "gone").expect("the file is writable");
        for game in [3, 4, 5] {
            let moves = Moves { all: 10, substituted: game };
            two.add_moves(TableId(game), moves).expect("the file is writable");
        }
        let whole = fs::read_to_string(&path).expect("a file");
        assert_eq!((whole.lines().count(), whole.matches(r#""message":"late""#).count()), (107, 100));
        // The program was killed in a line.
        fs::write(&path, format!("{whole}{{\"game\":1,")).expect("a file");
        let text = fs::read_to_string(&path).expect("a file");
        let read = FaultLog::faults_in(&text, TableId(5)).expect("faults");
        let faults = FaultLog::resume(&path, TableId(5)).expect("a file of faults");
        assert_eq!((faults.len(), faults["a"].total(), faults["a #2"].total()), (2, 102, 1));
        assert_eq!(faults, read);
        assert_eq!(faults["a #2"].latest(), Some("no\nJSON"));
        assert_eq!(fs::read_to_string(&path).expect("a file").lines().count(), 105);
        assert_eq!(faults["a #2"].moves(), Moves { all: 20, substituted: 7 });
        assert_eq!((faults["a #2"].games(), faults["a #2"].games_with_faults()), (2, 1));
        fs::write(&path, "{}\n").expect("a file");
        let error = FaultLog::resume(&path, TableId(5)).expect_err("no fault").to_string();
        assert!(error.starts_with("line 1: missing field"), "{error}");
        fs::remove_dir_all(&folder).expect("the folder is ours");
    }
}
