//! The parts of runs and the files of logs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jantaku_agents::{call, label_of, without_label};
use jantaku_engine::random::hash;

use super::compatibility::unknown_agent;
use super::config::LoaderConfig;
use super::error::LoadError;
use crate::logs::files::{Games, find_at};
use crate::replay::inputs::Input;
pub(super) use crate::replay::stored_run::GameExtras;
use crate::replay::stored_run::{StoredRun, WantedExtras};
use crate::run::{self, ConfigError, PartEntry, check_tables};
use crate::store;

/// The parts that a loader reads.
#[derive(Default)]
pub(super) struct Sources {
    opened: Vec<Source>,
    parts: Vec<Part>,
    /// Files beside the parts that no manifest names.
    pub(super) strays: Vec<PathBuf>,
}

/// A run, or a file of logs.
enum Source {
    Run(Box<StoredRun>),
    Log(PathBuf),
}

/// A part of a run, or a file of logs as a whole.
struct Part {
    /// The number of the run or file.
    source: usize,
    /// The index of the part in the manifest of the run; 0 for a file of logs.
    index: usize,
}

/// The games of an open part, and what else is known of them. After the error of an unreadable log, more
/// games may follow.
pub(super) type OpenPart = Box<dyn Iterator<Item = Result<(Input, GameExtras), LoadError>>>;

/// The runs and files of logs at these paths, which may be folders of them. A batch names them by
/// their numbers in this order.
///
/// # Errors
///
/// If a path does not exist or has neither a run nor a log.
pub fn find_sources(paths: &[PathBuf]) -> Result<Vec<PathBuf>, LoadError> {
    let mut sources = Vec::new();
    for path in paths {
        let found = find_at(path).map_err(|error| open_error(path, &error))?;
        if found.is_empty() {
            return Err(open_error(path, &"no run and no file with the name of a log"));
        }
        sources.extend(found);
    }
    Ok(sources)
}

impl Sources {
    /// Opens runs, logs, and folders of them.
    pub(super) fn open(paths: &[PathBuf]) -> Result<Sources, LoadError> {
        let mut sources = Sources::default();
        for path in find_sources(paths)? {
            if store::is_folder(&path) { sources.add_run(&path)? } else { sources.add_log(path) }
        }
        Ok(sources)
    }

    fn add_log(&mut self, path: PathBuf) {
        self.parts.push(Part { source: self.opened.len(), index: 0 });
        self.opened.push(Source::Log(path));
    }

    fn add_run(&mut self, path: &Path) -> Result<(), LoadError> {
        let (config, manifest) = run::read_unchecked(path)?;
        check_tables(path, &config, &manifest)?;
        let run = StoredRun::new(path, config, manifest).map_err(|error| LoadError::Source(error.into()))?;
        self.strays.extend(run::stray_files(path, &run.manifest)?);
        let source = self.opened.len();
        self.parts.extend((0..run.manifest.parts.len()).map(|index| Part { source, index }));
        self.opened.push(Source::Run(Box::new(run)));
        Ok(())
    }

    /// Checks that the sources fit the options: that all runs have labels if these are loaded, that options
    /// for logs have logs, that all runs of played games have the same rules, and that each name of the
    /// filter means one agent of these runs. Games from logs have rules and players of their own, which
    /// only their replay finds.
    pub(super) fn check(&self, config: &LoaderConfig) -> Result<(), LoadError> {
        if let Some(path) = self.opened.iter().find_map(Source::without_labels).filter(|_| config.labels) {
            let selfplay = call("selfplay", "labels");
            return Err(open_error(path, &format!("has no labels; {selfplay} writes runs with labels")));
        }
        let has_logs = self.opened.iter().any(|source| matches!(source, Source::Log(_)));
        for (field, is_given) in [("rules", config.rules.is_some()), ("skip_damaged", config.skip_damaged)] {
            if is_given && !has_logs {
                return Err(ConfigError::without_effect(field, &"there are no logs").into());
            }
        }
        let played: Vec<&StoredRun> = self.opened.iter().filter_map(Source::played).collect();
        let Some(first) = played.first() else { return Ok(()) };
        let differs = |run: &&&StoredRun| run.config.rules != first.config.rules;
        if let Some(other) = played.iter().find(differs).filter(|_| !config.mixed) {
            return Err(LoadError::Mixed {
                place: other.folder.display().to_string(),
                first: first.folder.display().to_string(),
                expected: rules_of(first),
                found: rules_of(other),
            });
        }
        for name in config.filter.agents.iter().flatten() {
            let texts =
                played.iter().flat_map(|run| &run.config.agents).filter(|agent| label_of(agent) == name);
            let texts: BTreeSet<&str> = texts.map(|text| without_label(text)).collect();
            if texts.len() > 1 {
                let found = format!("`{name}` for {}", Vec::from_iter(texts).join(" and "));
                return Err(ConfigError::new("agents", &"names that each mean one agent", &found).into());
            }
        }
        if played.len() < self.opened.len() {
            return Ok(());
        }
        let names: BTreeSet<String> = played.iter().flat_map(|run| run.config.contents().agents).collect();
        let unknown = config.filter.agents.iter().flatten().find(|name| !names.contains(*name));
        unknown.map_or(Ok(()), |name| Err(unknown_agent(name, &names).into()))
    }

    /// The number of the run or file of logs that has this part.
    pub(super) fn source_of(&self, part: usize) -> u32 {
        self.parts[part].source as u32
    }

    /// Whether this part is a file of logs. Then an error concerns one game of it, not the whole part.
    pub(super) fn is_log(&self, part: usize) -> bool {
        matches!(self.opened[self.parts[part].source], Source::Log(_))
    }

    /// The number of parts.
    pub(super) const fn len(&self) -> usize {
        self.parts.len()
    }

    /// A hash of the parts: of a run's part, its number and games and the seed and rules of the run; of a
    /// file of logs, only its length.
    pub(super) fn hash(&self) -> u64 {
        let of_part = |part: &Part| match &self.opened[part.source] {
            Source::Run(run) => {
                let StoredRun { config, manifest, .. } = &**run;
                let PartEntry { part: number, first_game, games, .. } = &manifest.parts[part.index];
                hash(&[
                    part.source as u64,
                    config.schedule().seed,
                    config.rules.hash(),
                    *number,
                    *first_game,
                    *games,
                ])
            }
            Source::Log(path) => hash(&[path.metadata().map_or(0, |file| file.len())]),
        };
        hash(&self.parts.iter().map(of_part).collect::<Vec<_>>())
    }

    /// Begins to download a part that is opened soon.
    pub(super) fn prefetch(&self, part: usize, config: &LoaderConfig) {
        let Part { source, index } = self.parts[part];
        if let Source::Run(run) = &self.opened[source] {
            run.prefetch(&run.manifest.parts[index], wanted(config));
        }
    }

    /// Opens a part. Reads all games of a run's part; logs are read one by one.
    pub(super) fn open_part(&self, part: usize, config: &LoaderConfig) -> Result<OpenPart, LoadError> {
        let Part { source, index } = self.parts[part];
        match &self.opened[source] {
            Source::Log(path) => {
                let games = Games::open(path).map_err(|error| open_error(path, &error))?;
                Ok(Box::new(games.map(|log| Ok((Input::Log(log?), GameExtras::default())))))
            }
            Source::Run(run) => {
                let games = run.read(&run.manifest.parts[index], None, wanted(config))?;
                let name = run.folder.display().to_string();
                let input = move |(game, extras)| Ok((Input::Stored(name.clone(), Box::new(game)), extras));
                Ok(Box::new(games.into_iter().map(input)))
            }
        }
    }
}

impl Source {
    /// The path of a source without labels: logs, or a run that has none. None for a run with labels.
    fn without_labels(&self) -> Option<&Path> {
        match self {
            Source::Run(run) if run.config.labels.is_some() => None,
            Source::Run(run) => Some(&run.folder),
            Source::Log(path) => Some(path),
        }
    }

    /// A run of games that were played. None for games from logs.
    fn played(&self) -> Option<&StoredRun> {
        match self {
            Source::Run(run) if !run.config.from_logs => Some(run),
            Source::Run(_) | Source::Log(_) => None,
        }
    }
}

/// What the loader wants beside the games of a run: search info, labels by rollouts.
const fn wanted(config: &LoaderConfig) -> WantedExtras {
    WantedExtras { search_info: config.search_info, labels: config.labels }
}

/// The name and the hash of a run's rules.
fn rules_of(run: &StoredRun) -> String {
    format!("the rules `{}` ({})", run.config.rules_name, run.config.rules_hash)
}

fn open_error(path: &Path, what: &dyn ToString) -> LoadError {
    LoadError::Open { path: path.display().to_string(), what: what.to_string() }
}
