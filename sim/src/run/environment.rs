//! Which calls wrote the games of a run, and where: the contents of `environment.json`.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::play::SinkError;
use crate::store::{self, Location, write};

/// The name of the file.
pub(super) const ENVIRONMENT: &str = "environment.json";

/// A call that wrote games of a run, or was stopped before it did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Call {
    /// Seconds since 1970 at its start.
    started_unix_seconds: u64,
    /// Seconds since 1970 at its end; None if it was killed.
    finished_unix_seconds: Option<u64>,
    /// How long it took; None if it was killed.
    seconds: Option<f64>,
    /// The number of its first game.
    first_game: u64,
    /// Threads that played.
    threads: usize,
    /// The operating system.
    system: String,
    /// The kind of processor.
    machine: String,
    /// The name of the machine.
    host: String,
    /// The arguments of the program.
    arguments: Vec<String>,
}

/// The file: the last call has its fields at the top.
#[derive(Serialize, Deserialize)]
struct CallsInFile {
    #[serde(flatten)]
    last: Call,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    earlier: Vec<Call>,
}

/// The calls that wrote a run, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Environment(Vec<Call>);

impl Environment {
    /// Reads the file of a run in a folder or under a URL. Empty if there is none that can be read: no
    /// game depends on it.
    pub fn read(run: &Path) -> Environment {
        let text = store::read_text(&run.join(ENVIRONMENT)).ok().flatten().unwrap_or_default();
        let calls = serde_json::from_str(&text).map(|CallsInFile { last, mut earlier }| {
            earlier.push(last);
            earlier
        });
        Environment(calls.unwrap_or_default())
    }

    /// The machine that wrote a game: the host of the last call that began at this game or an earlier one.
    pub fn host_of(&self, game: u64) -> Option<&str> {
        let call = self.0.iter().rev().find(|call| call.first_game <= game)?;
        Some(call.host.as_str()).filter(|host| !host.is_empty())
    }

    /// The machine of the last call, and how many seconds ago it began. None without a call.
    pub(super) fn last_began(&self) -> Option<(&str, u64)> {
        let last = self.0.last()?;
        Some((&last.host, now().saturating_sub(last.started_unix_seconds)))
    }

    /// Adds this call of the program, which begins to play with this game.
    pub(super) fn begin(&mut self, first_game: u64) {
        let arguments = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
        self.0.push(Call {
            started_unix_seconds: now(),
            finished_unix_seconds: None,
            seconds: None,
            first_game,
            threads: rayon::current_num_threads(),
            system: std::env::consts::OS.to_owned(),
            machine: std::env::consts::ARCH.to_owned(),
            host: gethostname::gethostname().to_string_lossy().into_owned(),
            arguments: arguments.collect(),
        });
    }

    /// Ends the last call.
    pub(super) fn finish(&mut self, seconds: f64, threads: usize) {
        if let Some(call) = self.0.last_mut() {
            let (finished_unix_seconds, seconds) = (Some(now()), Some(seconds));
            *call = Call { finished_unix_seconds, seconds, threads, ..call.clone() };
        }
    }

    /// Adds the calls that wrote the next shard of a run.
    pub(super) fn extend(&mut self, shard: Environment) {
        self.0.extend(shard.0);
    }

    /// Writes the file of a run. There is none without calls.
    pub(super) fn write(&self, run: &Location) -> Result<(), SinkError> {
        let Some((last, earlier)) = self.0.split_last() else { return Ok(()) };
        let calls = CallsInFile { last: last.clone(), earlier: earlier.to_vec() };
        let text = serde_json::to_string_pretty(&calls).expect("calls have a JSON form") + "\n";
        write(&*run.store, &run.path.join(ENVIRONMENT), text.as_bytes())
    }
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Folder;

    fn call(first_game: u64, host: &str) -> Call {
        Call { first_game, host: host.to_owned(), ..Call::default() }
    }

    #[test]
    fn a_game_has_the_host_of_the_last_call_that_began_before_it() {
        let environment = Environment(vec![call(0, "a"), call(20, "b"), call(10, "c"), call(30, "")]);
        let hosts = [0, 9, 10, 20, 29, 30].map(|game| environment.host_of(game));
        assert_eq!(hosts, [Some("a"), Some("a"), Some("c"), Some("c"), Some("c"), None]);
        assert_eq!(Environment::default().host_of(0), None);
    }

    #[test]
    fn calls_are_read_as_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut environment = Environment(vec![call(0, "a")]);
        environment.begin(5);
        environment.finish(2.5, 3);
        environment.write(&Location::new(Folder, folder.path())).expect("the folder is writable");
        assert_eq!(Environment::read(folder.path()), environment);
        // The file of an older version has one call.
        std::fs::write(folder.path().join(ENVIRONMENT), r#"{"host": "old", "first_game": 3}"#)
            .expect("a file");
        assert_eq!(Environment::read(folder.path()), Environment(vec![call(3, "old")]));
        std::fs::write(folder.path().join(ENVIRONMENT), "{").expect("a file");
        assert_eq!(Environment::read(folder.path()), Environment::default());
    }
}
