//! Statistics of games that are played or stored.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::request::Simulation;
use crate::arena::was_stopped_by_test;
use crate::stats::{self, FigureRow, Precision, Statistics, StoredRuns, simulate_until};
use jantaku_sim::dataset::ReadError;
use jantaku_sim::path_text;
use jantaku_sim::play::{FaultReport, Groups, Players, RunError, Seatings, Watch};
use jantaku_sim::replay::error::SourceError;
use jantaku_sim::run::RunConfig;

/// Statistics, and where their games come from.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct GamesReport {
    /// The games.
    #[serde(flatten)]
    pub counted: CountedGames,
    /// How exactly the figures are known for which a precision was asked.
    pub precision: Vec<Precision>,
    /// The figures.
    pub figures: Vec<FigureRow>,
}

/// Games that were counted, and where they come from.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct CountedGames {
    /// Games that were counted.
    pub games: u64,
    /// Independent units, from which the intervals are computed: games, or sets of games on the same
    /// walls.
    pub units: u64,
    /// Hands of these games.
    pub hands: u64,
    /// The games of each number of players; games from logs can have several.
    pub players: Vec<GamesOfPlayers>,
    /// The name of the rules, with ` with kept draws` for a match that kept them.
    pub rules: String,
    /// The hash of the rules; null for games from logs.
    pub rules_hash: Option<String>,
    /// The rules as a file: the closest preset as `base`, and the fields that differ; null for games
    /// from logs.
    pub rules_toml: Option<String>,
    /// The agent of each seat, or the agents that change seats; null if the runs have different
    /// agents, and for games from logs.
    pub agents: Option<Vec<String>>,
    /// Who sits where in a set; null with `agents`.
    pub seatings: Option<Seatings>,
    /// The agents of each run, if the runs have different ones; otherwise empty.
    pub agents_of_runs: Vec<AgentsOfRun>,
    /// The seed of the games; null if they come from runs.
    pub seed: Option<u64>,
    /// The runs that the games come from; empty if the games were played.
    pub runs: Vec<String>,
    /// The Parquet files beside the parts of the runs that no manifest names; other tools would count their
    /// rows.
    #[serde(default)]
    pub stray_files: Vec<String>,
    /// Games from logs that are not counted because another one has the same signature, such as copies.
    pub left_out: u64,
    /// Whether one of the runs is a match that a sequential test stopped, so that all intervals are
    /// conditional on that.
    pub conditional: bool,
    /// Whether all games are played or all targets of precision are met, and all runs are complete.
    pub complete: bool,
    /// The agents that had faults, those of stored games included.
    #[serde(flatten)]
    pub faults: FaultReport,
    /// Wall-clock time in seconds.
    pub seconds: f64,
    /// Whether the watch stopped the playing or counting of games.
    #[serde(skip)]
    pub interrupted: bool,
}

/// The games with a number of players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GamesOfPlayers {
    /// A number of players; games from logs can have several.
    pub players: u8,
    /// Games with this number of players.
    pub games: u64,
}

/// The agents of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AgentsOfRun {
    /// The run.
    pub run: String,
    /// Its agents.
    pub agents: Vec<String>,
    /// Who sits where in it.
    pub seatings: Seatings,
}

/// Why the games of runs cannot be counted.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A run cannot be read, or the runs do not fit together.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A run has no decisions, or a game of it cannot be replayed.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The runs have no games.
    #[error("{}: has no complete part, so no games to count", run.display())]
    Empty {
        /// The first run.
        run: PathBuf,
    },
}

impl GamesReport {
    /// Plays games and counts them.
    ///
    /// # Errors
    ///
    /// If an agent fails or answers illegally, or a game has no end.
    pub fn play(
        games: &Simulation,
        players: &mut Players,
        watch: &mut dyn Watch,
    ) -> Result<GamesReport, RunError> {
        let start = Instant::now();
        let Simulation { targets, .. } = games;
        let agents: Vec<String> = players.names().into_iter().map(str::to_owned).collect();
        let statistics = simulate_until(&games.job(games.games), players, targets, watch)?;
        let complete = statistics.games() == games.games || !targets.is_empty() && !watch.should_stop();
        let seconds = start.elapsed().as_secs_f64();
        let mut report = GamesReport::of(games, agents, &statistics, complete, seconds);
        report.counted.faults = FaultReport::of(&players.faults());
        Ok(report)
    }

    /// The report of games that these agents played, without faults.
    pub fn of(
        games: &Simulation,
        agents: Vec<String>,
        statistics: &Statistics,
        complete: bool,
        seconds: f64,
    ) -> GamesReport {
        let figures = statistics.rows(&Groups::new(&agents));
        let precision = Precision::of_all(&games.targets, statistics);
        let counts = [statistics.games(), statistics.units(), statistics.hands()];
        let counted = CountedGames::of(counts, statistics.games_by_players());
        let counted = counted.played(games, agents, complete, seconds);
        GamesReport { counted, precision, figures }
    }

    /// Counts the games of stored runs.
    ///
    /// # Errors
    ///
    /// If a run cannot be read or there are no games.
    pub fn read(runs: &StoredRuns, watch: &mut dyn Watch) -> Result<GamesReport, ReportError> {
        let mut figures = Vec::new();
        let counted = CountedGames::stored(runs, || {
            let found = stats::read(runs, watch)?;
            figures = found.rows(runs.groups());
            Ok(CountedGames::of([found.games(), found.units(), found.hands()], found.games_by_players()))
        })?;
        Ok(GamesReport { counted, precision: Vec::new(), figures })
    }
}

impl CountedGames {
    /// These numbers of games, units and hands, and of games by players, without where the games come from.
    pub(super) fn of([games, units, hands]: [u64; 3], by_players: Vec<(u8, u64)>) -> CountedGames {
        let of_players = |(players, games)| GamesOfPlayers { players, games };
        let players = by_players.into_iter().map(of_players).collect();
        CountedGames { games, units, hands, players, ..CountedGames::default() }
    }

    /// These numbers, with where the games come from: these agents played them.
    pub(super) fn played(
        self,
        games: &Simulation,
        agents: Vec<String>,
        complete: bool,
        seconds: f64,
    ) -> CountedGames {
        let rules = &games.rules;
        CountedGames {
            rules: rules.name.clone(),
            rules_hash: Some(format!("{:016x}", rules.rules.hash())),
            rules_toml: Some(rules.rules.to_toml()),
            seed: Some(games.seed),
            complete,
            seconds,
            interrupted: !complete,
            agents: Some(agents),
            seatings: Some(Seatings::Fixed),
            ..self
        }
    }

    /// The games of stored runs, which `count` counts, with where they come from.
    pub(super) fn stored(
        runs: &StoredRuns,
        count: impl FnOnce() -> Result<CountedGames, ReportError>,
    ) -> Result<CountedGames, ReportError> {
        let start = Instant::now();
        let folders: Vec<PathBuf> = runs.configs().map(|(folder, _)| folder.to_owned()).collect();
        if runs.games() == 0 {
            return Err(ReportError::Empty { run: folders[0].clone() });
        }
        let counted = count()?;
        let (_, config) = runs.configs().next().expect("there is a run");
        // The players of logs are not agents.
        let of_agents = runs.configs().filter(|(_, config)| !config.from_logs);
        let of_run = |(run, config): (&Path, &RunConfig)| AgentsOfRun {
            run: path_text(run).into_owned(),
            agents: config.agents.clone(),
            seatings: config.seatings,
        };
        let mut agents_of_runs: Vec<AgentsOfRun> = of_agents.map(of_run).collect();
        let agents = |run: &AgentsOfRun| (run.agents.clone(), run.seatings);
        let are_same = agents_of_runs.windows(2).all(|pair| agents(&pair[0]) == agents(&pair[1]));
        let of_all = if are_same { agents_of_runs.drain(..).next() } else { None };
        let interrupted = counted.games < runs.games();
        let mut conditional = false;
        for run in &folders {
            conditional |= was_stopped_by_test(run)?;
        }
        let has_rules = !config.from_logs;
        Ok(CountedGames {
            rules: if has_rules { config.rules_in_words() } else { "the rules of each log".to_owned() },
            rules_hash: has_rules.then(|| config.rules_hash.clone()),
            rules_toml: has_rules.then(|| config.rules.to_toml()),
            runs: folders.iter().map(|run| path_text(run).into_owned()).collect(),
            stray_files: runs.stray_files()?.iter().map(|path| path_text(path).into_owned()).collect(),
            left_out: runs.left_out(),
            conditional,
            complete: runs.are_complete() && !interrupted,
            faults: FaultReport::of(&runs.faults()?),
            seconds: start.elapsed().as_secs_f64(),
            interrupted,
            seatings: of_all.as_ref().map(|run| run.seatings),
            agents: of_all.map(|run| run.agents),
            agents_of_runs,
            ..counted
        })
    }

    /// The agents of all games; a name may come several times.
    pub fn all_agents(&self) -> impl Iterator<Item = &String> {
        self.agents.iter().flatten().chain(self.agents_of_runs.iter().flat_map(|run| &run.agents))
    }
}
