//! Plays parts of a run again with its agents, and compares the bytes of their files.
//!
//! `verify` replays the recorded actions. This also asks the agents, so it finds a machine that wrote
//! games which other agents or another program played.
//!
//! # Why
//!
//! **How is a machine that plays wrong games found?** `verify` replays recorded actions, so it accepts
//! games of any player. `verify --replay` lets the agents play whole parts again, with the same code
//! that wrote them, and compares the hashes of their files. It refuses agents that are not deterministic
//! functions. `environment.json` lists the calls that wrote a run with their hosts and first games, and
//! is written before the first game, so it also knows calls that were killed. A wrong part is removed
//! from the manifest with all parts after it, because a manifest has no gaps.

use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use jantaku_agents::NamedAgent;
use jantaku_agents::field_name;
use jantaku_engine::Rng;
use jantaku_engine::random::hash;
use serde::{Deserialize, Serialize};

use crate::dataset::{PartWriter, ReadError, WriteError, WrittenTable, part_name};
use crate::path_text;
use crate::play::{
    CannotStart, GameRecord, LabelSink, PlayedParts, Players, RunError, Sink, SinkError, StartOptions, Watch,
    watch_after,
};
use crate::run::check_files::check_tables;
use crate::run::choice::AgentChoice;
use crate::run::config::{ConfigError, RunConfig};
use crate::run::environment::Environment;
use crate::run::files::{read_unchecked, write_manifest};
use crate::run::in_use::locked;
use crate::run::manifest::{Manifest, PartEntry, PartFile};
use crate::run::request::parsed;
use crate::run::request_error::RequestError;
use crate::run::resume::check_program;
use crate::store::fingerprint::Hashed;
use crate::store::{self, Fingerprint};

/// How many parts of a run are played again: a share such as `1%` or `0.01`, or a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sample {
    /// A percentage of the parts, rounded up.
    Percent(f64),
    /// At most this many parts.
    Parts(u64),
}

impl Sample {
    /// How many of this many parts are played again.
    fn of(self, parts: usize) -> usize {
        match self {
            // A rounding error of the percentage adds no part.
            Sample::Percent(percent) => {
                ((parts as f64 * percent / 100.0 - 1e-6).ceil().max(1.0) as usize).min(parts)
            }
            Sample::Parts(number) => usize::try_from(number).map_or(parts, |number| number.min(parts)),
        }
    }
}

impl FromStr for Sample {
    type Err = String;

    fn from_str(text: &str) -> Result<Sample, String> {
        let share = |text: &str, whole: f64| {
            let percent = 100.0 / whole * text.trim().parse::<f64>().ok()?;
            (percent > 0.0 && percent <= 100.0).then_some(Sample::Percent(percent))
        };
        let sample = match text.strip_suffix('%') {
            Some(percent) => share(percent, 100.0),
            None if text.contains(['.', 'e']) => share(text, 1.0),
            None => text.parse().ok().filter(|parts| *parts > 0).map(Sample::Parts),
        };
        sample.ok_or_else(|| {
            format!("expected a share of the parts such as 1% or 0.01, or a number of parts, found `{text}`")
        })
    }
}

/// Parts of runs that are played again. They are chosen at random, so that nobody who writes a run can
/// predict them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ReplayRequest {
    /// Only let the agents of a run play this share of its parts again, such as 1% or 0.01, or this
    /// many parts, and compare the bytes of the files; names the wrong parts and the machine that
    /// wrote them
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE|N", required = false))]
    #[serde(deserialize_with = "parsed")]
    pub replay: Sample,
    /// Choose the parts of `--replay` by this seed [default: a random one, which the result has]
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "S", value_parser = crate::options::number::<u64>(0..=i64::MAX as u64),
        allow_negative_numbers = true, requires = "replay"
    ))]
    pub seed: Option<u64>,
    /// Remove the first wrong part that `--replay` finds, and all later parts; `--resume` then plays
    /// these again
    #[cfg_attr(feature = "clap", arg(long, requires = "replay"))]
    #[serde(default)]
    pub put_back: bool,
    /// The agents, if some of them are not in the catalog, such as functions of the caller. By default
    /// those that the runs name.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub agents: Option<AgentChoice>,
}

/// What parts that were played again showed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Replayed {
    /// The seed that chose the parts.
    pub seed: u64,
    /// Parts that were played again.
    pub parts: u64,
    /// Their games.
    pub games: u64,
    /// Parts with other bytes than those of the run, in order.
    pub wrong: Vec<WrongPart>,
    /// False if it was interrupted.
    pub complete: bool,
    /// Wall-clock time in seconds.
    #[serde(skip)]
    pub seconds: f64,
}

/// A part whose bytes differ from those of a replay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WrongPart {
    /// Folder of the run with this part.
    #[serde(serialize_with = "path_text::serialize")]
    pub run: PathBuf,
    /// The number of the part.
    pub part: u64,
    /// The number of its first game.
    pub first_game: u64,
    /// Its games.
    pub games: u64,
    /// Machine that wrote it; None if the run does not say.
    pub host: Option<String>,
    /// Its files that differ.
    pub files: Vec<WrongFile>,
    /// Whether it was removed with all later parts, so that `--resume` plays them again.
    pub put_back: bool,
}

/// A file of a run that is missing, or differs from the one that playing its games again gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WrongFile {
    /// Its path, relative to the run.
    pub path: String,
    /// The SHA-256 of the file that playing the games again gives.
    pub expected: String,
    /// The SHA-256 of the file in the run, or `missing`.
    pub found: String,
}

/// Why parts of a run cannot be played again.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The run cannot be read, or another program played it or writes it.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A value of `run.toml` is not valid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The agents of the caller are not those of the run.
    #[error(transparent)]
    Agents(#[from] RequestError),
    /// An agent cannot start.
    #[error(transparent)]
    Agent(#[from] CannotStart),
    /// A game cannot be played.
    #[error(transparent)]
    Play(#[from] RunError),
    /// Wrong parts cannot be removed.
    #[error(transparent)]
    Write(#[from] SinkError),
}

impl ReplayRequest {
    /// The request with a seed, which is random if it has none.
    #[must_use]
    pub fn seeded(self) -> Self {
        // The seeds of `RandomState` come from the system.
        let random = || RandomState::new().hash_one(0) >> 1;
        ReplayRequest { seed: Some(self.seed.unwrap_or_else(random)), ..self }
    }

    /// The number of games in the parts that are played again. Runs that cannot be read do not count.
    /// It is known once the request has a seed.
    pub fn games(&self, runs: &[PathBuf]) -> u64 {
        let manifests = runs.iter().filter_map(|run| read_unchecked(run).ok());
        manifests.map(|(_, manifest)| self.chosen(&manifest).iter().map(|part| part.games).sum::<u64>()).sum()
    }

    /// The parts of a run that are played again, in order.
    fn chosen<'a>(&self, manifest: &'a Manifest) -> Vec<&'a PartEntry> {
        let mut parts: Vec<&PartEntry> = manifest.parts.iter().collect();
        Rng::new(hash(&[self.seed.unwrap_or_default()])).shuffle(&mut parts);
        parts.truncate(self.replay.of(manifest.parts.len()));
        parts.sort_by_key(|part| part.part);
        parts
    }

    /// Plays parts of the runs again, one after another, each on all threads of the rayon pool.
    /// Calls `found` with each wrong part. The watch receives the number of games.
    ///
    /// # Errors
    ///
    /// - A run cannot be read, comes from logs, or was played by another version of the program or
    ///   with other parameter files.
    /// - One of its agents is not a deterministic function, such as a program or a network on a GPU,
    ///   or is neither in the catalog nor among the agents of the request.
    /// - A file that is there cannot be read, such as from a store that does not answer. Nothing of
    ///   this run is removed.
    /// - A wrong part cannot be put back.
    pub fn replay(
        &self,
        runs: &[PathBuf],
        stop: &Arc<AtomicBool>,
        watch: &mut dyn Watch,
        mut found: impl FnMut(&WrongPart),
    ) -> Result<Replayed, ReplayError> {
        let (start, request) = (Instant::now(), self.clone().seeded());
        let mut replayed = Replayed { seed: request.seed.unwrap_or_default(), ..Replayed::default() };
        for run in runs {
            let wrong = request.replay_run(run, stop, watch, &mut replayed)?;
            wrong.iter().for_each(&mut found);
            replayed.wrong.extend(wrong);
        }
        replayed.complete = !watch.should_stop();
        replayed.seconds = start.elapsed().as_secs_f64();
        Ok(replayed)
    }

    /// Plays the chosen parts of a run again and returns the wrong ones. Removes them if the request says
    /// so.
    fn replay_run(
        &self,
        run: &Path,
        stop: &Arc<AtomicBool>,
        watch: &mut dyn Watch,
        replayed: &mut Replayed,
    ) -> Result<Vec<WrongPart>, ReplayError> {
        let (config, manifest) = read_unchecked(run)?;
        check_tables(run, &config, &manifest)?;
        // A match has no number of games until its sequential test ends it.
        let config = RunConfig { games: config.games.or(Some(manifest.games)), ..config };
        let agents = self.agents_of(run, &config)?;
        let mut players = players(run, &config, &agents, stop)?;
        let (environment, mut wrong) = (Environment::read(run), Vec::new());
        for part in self.chosen(&manifest) {
            let mut watch = watch_after(watch, replayed.games);
            let Some(files) = play_again(&config, part, &mut players, &mut watch)? else { break };
            (replayed.parts, replayed.games) = (replayed.parts + 1, replayed.games + part.games);
            let files = files.iter().filter_map(|file| wrong_file(run, file).transpose());
            let files: Vec<WrongFile> = files.collect::<Result<_, _>>()?;
            if !files.is_empty() {
                let (run, host) = (run.to_owned(), environment.host_of(part.first_game).map(str::to_owned));
                let PartEntry { part, first_game, games, .. } = *part;
                wrong.push(WrongPart { run, part, first_game, games, host, files, put_back: self.put_back });
            }
        }
        if self.put_back && !wrong.is_empty() {
            put_back(run, &wrong)?;
        }
        Ok(wrong)
    }

    /// The agents of a run.
    fn agents_of(&self, run: &Path, config: &RunConfig) -> Result<Vec<NamedAgent>, ReplayError> {
        let Some(agents) = &self.agents else {
            return config.named_agents().map_err(|cause| {
                let what = format!("`agents`: {cause}; if a Python function played the run, give it to `jantaku.verify` as an agent");
                ReadError::new(&run.join("run.toml"), &what).into()
            });
        };
        let agents = agents.seats("agents", config.agents.len())?;
        let names: Vec<String> = agents.iter().map(NamedAgent::to_string).collect();
        if names == config.agents {
            return Ok(agents);
        }
        let (own, given) = (config.agents.join(","), names.join(","));
        let expected = format!("those of {}, {own}", run.display());
        Err(RequestError::field("agents", &expected, &given).into())
    }
}

/// Starts the agents of a run. A run that they may play differently the next time is an error.
fn players(
    run: &Path,
    config: &RunConfig,
    agents: &[NamedAgent],
    stop: &Arc<AtomicBool>,
) -> Result<Players, ReplayError> {
    let error = |what: String| ReadError::new(&run.join("run.toml"), &what);
    check_program(run, config)?;
    if config.branch.is_some() {
        return Err(error("the game branches from another one, which is not here".to_owned()).into());
    }
    if let Some(agent) = agents.iter().find(|agent| !agent.is_deterministic()) {
        let what = format!(
            "`agents`: `{agent}` is not a deterministic function and may play other games: programs, networks \
            on a GPU and most functions cannot be compared byte by byte; `verify` without {} checks their games",
            field_name("replay")
        );
        return Err(error(what).into());
    }
    let options = StartOptions { tables: None, on_fault: Some(config.on_fault), verbose: false };
    Ok(options.start_again(agents, stop)?)
}

/// The files that the agents play for a part. None if the watch stops it.
fn play_again(
    config: &RunConfig,
    part: &PartEntry,
    players: &mut Players,
    watch: &mut dyn Watch,
) -> Result<Option<Vec<PartFile>>, ReplayError> {
    let job = config.job(part.range());
    let (mut hashes, per_part) = (HashSink::new(config, part.part)?, Some(config.games_per_part));
    let labeller = config.labeller()?;
    let mut labelled = LabelSink::new(labeller.as_ref(), &config.rules, config.start(), &mut hashes);
    let PlayedParts { games, .. } = players.play_parts(&job, per_part, &mut labelled, watch)?;
    labelled.finish()?;
    Ok(if games < part.games { None } else { Some(hashes.finish()?) })
}

/// How a file of a run differs from the one that playing its games again gives. None if it does not.
fn wrong_file(run: &Path, file: &PartFile) -> Result<Option<WrongFile>, ReadError> {
    let (expected, path) = (file.sha256.clone().expect("it was hashed"), run.join(&file.path));
    let found = match store::fingerprint(&path) {
        Ok(Fingerprint { sha256, .. }) => sha256,
        Err(error) if error.kind() == io::ErrorKind::NotFound => "missing".to_owned(),
        Err(error) => return Err(ReadError::new(&path, &error)),
    };
    Ok((found != expected).then(|| WrongFile { path: file.path.clone(), expected, found }))
}

/// Removes the first wrong part and all later ones from a run, because a manifest has no gaps. `--resume`
/// then plays these again.
fn put_back(run: &Path, wrong: &[WrongPart]) -> Result<(), ReplayError> {
    let (place, _lock) = locked(run)?;
    let (_, mut manifest) = read_unchecked(run)?;
    let is_wrong = |part: &PartEntry| wrong.iter().any(|wrong| wrong.part == part.part);
    let first = manifest.parts.iter().position(is_wrong).unwrap_or(manifest.parts.len());
    let files = manifest.parts[first..].iter().flat_map(|part| &part.files);
    let files: Vec<PathBuf> = files.map(|file| place.path.join(&file.path)).collect();
    manifest.keep(first);
    manifest.complete = false;
    // In this order, the manifest names only files that are there.
    write_manifest(&place, &manifest)?;
    place.store.remove(&files);
    Ok(())
}

/// Encodes the games of a part, and keeps only the hashes of its files.
struct HashSink {
    part: u64,
    writer: PartWriter<Hashed<io::Sink>>,
}

impl HashSink {
    fn new(config: &RunConfig, part: u64) -> Result<HashSink, SinkError> {
        let contents = config.contents();
        let files = contents.tables().map(|table| (table, Hashed::new(io::sink()))).collect();
        Ok(HashSink { part, writer: PartWriter::new(contents, files).map_err(sink_error)? })
    }

    fn finish(self) -> Result<Vec<PartFile>, SinkError> {
        let tables = self.writer.finish().map_err(sink_error)?;
        let file = |WrittenTable { table, file, rows }: WrittenTable<Hashed<io::Sink>>| {
            let (_, fingerprint) = file.finish();
            PartFile::new(table, part_name(table, self.part), rows, fingerprint)
        };
        Ok(tables.into_iter().map(file).collect())
    }
}

impl Sink for HashSink {
    fn take(&mut self, game: GameRecord) -> Result<(), SinkError> {
        self.writer.push(&game).map_err(sink_error)
    }
}

fn sink_error(error: WriteError) -> SinkError {
    SinkError { path: PathBuf::from(error.table.name()), what: "cannot encode", cause: error.cause }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_shares_or_numbers_of_parts() {
        let sample = |text: &str| text.parse::<Sample>().expect("a sample");
        assert_eq!(["1%", "0.5%", "50%", "100%"].map(|text| sample(text).of(300)), [3, 2, 150, 300]);
        assert_eq!(["0.01", "0.005", "5e-1", "1.0"].map(|text| sample(text).of(300)), [3, 2, 150, 300]);
        assert_eq!(["1", "299", "1000"].map(|text| sample(text).of(300)), [1, 299, 300]);
        assert_eq!((sample("1%").of(1), sample("1%").of(0)), (1, 0));
        assert_eq!(Sample::Percent(0.07 * 100.0).of(300), 21);
        for wrong in ["", "0", "0%", "0.0", "-1", "101%", "x%", "1.5", "seven"] {
            let error = wrong.parse::<Sample>().expect_err("no sample");
            assert!(error.ends_with(&format!("found `{wrong}`")), "{error}");
        }
    }
}
