//! Statistics of games that are played or stored.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;

use jantaku_agents::Faults;
use serde_json::{Value, json};

use super::against::Against;
use super::log_rules::LogRules;
use super::request::Simulation;
use crate::arena::was_stopped_by_test;
use crate::dataset::ReadError;
use crate::path_text;
use crate::play::{Groups, Players, RunError, Seatings, Watch, fault_shares_as_json, faults_as_json};
use crate::stats::{
    self, FigureRow, Precision, Section, SeededWalls, Statistics, StoredRuns, simulate, simulate_until,
};
use jantaku_show::report::numbers::thousands;

/// Statistics, and where their games come from.
#[derive(Debug)]
pub struct GamesReport {
    /// The figures.
    pub statistics: Statistics,
    /// The groups of players.
    pub groups: Groups,
    /// The agents and their seats: those of all games, or those of each run if the runs have
    /// different ones. Empty for games from logs.
    pub agents: Vec<(Vec<String>, Seatings)>,
    /// The name of the rules, with ` with kept draws` for a match that kept them.
    pub rules: String,
    /// The hash of the rules; none for games from logs.
    pub hash: Option<String>,
    /// The rules as a file ([`jantaku_engine::Rules::to_toml`]); none for games from logs.
    pub toml: Option<String>,
    /// The rules of games from logs, by run.
    pub log_rules: Vec<LogRules>,
    /// The seed of the games; none if they come from runs.
    pub seed: Option<u64>,
    /// The folders of the runs; empty if the games were played.
    pub runs: Vec<PathBuf>,
    /// The number of games from logs that are left out as copies.
    pub left_out: u64,
    /// The number of games that began with decisions copied from another game: only their later hands
    /// are counted, not their results.
    pub played_on: u64,
    /// Those of the runs that a sequential test has stopped.
    pub conditional: Vec<PathBuf>,
    /// The walls of the games that were played from a seed.
    pub walls: Vec<SeededWalls>,
    /// How exactly the figures are known for which that was asked.
    pub precision: Vec<Precision>,
    /// Whether all games are played, and all runs are complete.
    pub complete: bool,
    /// Whether the watch stopped it.
    pub interrupted: bool,
    /// The agents that had faults, those of stored games included.
    pub faults: Vec<(String, Faults)>,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

/// Why the games of runs cannot be counted.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A run cannot be read, or the runs do not fit together.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The runs have no games.
    #[error("{}: has no complete part, so no games to count", run.display())]
    Empty {
        /// The first run.
        run: PathBuf,
    },
}

/// What is not counted of games that were played on from others. None without such games.
#[must_use]
pub fn note_on_played_on(games: u64) -> Option<String> {
    let number = match games {
        0 => return None,
        1 => "1 game was".to_owned(),
        games => format!("{} games were", thousands(games)),
    };
    Some(format!(
        "{number} played on from a decision of another game: hands with decisions copied from there and final \
         results are not counted"
    ))
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
        let job = games.job(games.games);
        let statistics = if targets.is_empty() {
            simulate(&job, players, watch)?
        } else {
            simulate_until(&job, players, targets, watch)?
        };
        let complete = statistics.games() == games.games || !targets.is_empty() && !watch.should_stop();
        let seconds = start.elapsed().as_secs_f64();
        let report = GamesReport::of(games, agents, statistics, complete, seconds);
        Ok(GamesReport { faults: players.faults(), ..report })
    }

    /// The report of games that these agents played, without faults.
    #[must_use]
    pub fn of(
        games: &Simulation,
        agents: Vec<String>,
        statistics: Statistics,
        complete: bool,
        seconds: f64,
    ) -> GamesReport {
        let Simulation { rules, targets, .. } = games;
        let played = statistics.games();
        GamesReport {
            precision: Precision::of_all(targets, &statistics),
            statistics,
            groups: Groups::new(&agents),
            agents: vec![(agents, Seatings::Fixed)],
            rules: rules.name.clone(),
            hash: Some(format!("{:016x}", rules.rules.hash())),
            toml: Some(rules.rules.to_toml()),
            log_rules: Vec::new(),
            seed: Some(games.seed),
            runs: Vec::new(),
            left_out: 0,
            played_on: 0,
            conditional: Vec::new(),
            walls: vec![SeededWalls::of_seed(games.seed, played)],
            complete,
            interrupted: !complete,
            faults: Vec::new(),
            seconds,
        }
    }

    /// Counts the games of stored runs.
    ///
    /// # Errors
    ///
    /// If a run cannot be read or there are no games.
    pub fn read(runs: &StoredRuns, watch: &mut dyn Watch) -> Result<GamesReport, ReportError> {
        let start = Instant::now();
        let folders: Vec<PathBuf> = runs.configs().map(|(folder, _)| folder.to_owned()).collect();
        if runs.games() + runs.played_on() == 0 {
            return Err(ReportError::Empty { run: folders[0].clone() });
        }
        let statistics = stats::read(runs, watch)?;
        let (_, config) = runs.configs().next().expect("there is a run");
        // The players of logs are not agents.
        let of_agents = runs.configs().filter(|(_, config)| !config.is_of_logs());
        let mut agents: Vec<(Vec<String>, Seatings)> =
            of_agents.map(|(_, config)| (config.agents.clone(), config.seatings())).collect();
        if agents.iter().all(|other| *other == agents[0]) {
            agents.truncate(1);
        }
        let interrupted = statistics.games() < runs.games();
        let mut conditional = Vec::new();
        for run in &folders {
            if was_stopped_by_test(run)? {
                conditional.push(run.clone());
            }
        }
        let mut log_rules = Vec::new();
        for (run, manifest) in runs.of_logs() {
            log_rules.extend(LogRules::of_run(run, manifest)?);
        }
        Ok(GamesReport {
            groups: runs.groups().clone(),
            agents,
            rules: if config.is_of_logs() {
                "the rules of each log".to_owned()
            } else {
                config.rules_in_words()
            },
            hash: (!config.is_of_logs()).then(|| config.rules_hash.clone()),
            toml: (!config.is_of_logs()).then(|| config.rules.to_toml()),
            log_rules,
            seed: None,
            left_out: runs.left_out(),
            played_on: runs.played_on(),
            conditional,
            walls: runs.walls(),
            precision: Vec::new(),
            complete: runs.are_complete() && !interrupted,
            interrupted,
            faults: runs.faults()?,
            statistics,
            runs: folders,
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// The hashes of the rules of all games, and the rules in words.
    pub(super) fn rules_of_all(&self) -> (BTreeSet<&str>, String) {
        let of_logs = self.log_rules.iter().map(|rules| rules.hash.as_str());
        let hashes: BTreeSet<&str> = self.hash.as_deref().into_iter().chain(of_logs).collect();
        let mut words: Vec<String> = Vec::new();
        for rules in self.log_rules.iter().map(LogRules::in_words) {
            if !words.contains(&rules) {
                words.push(rules);
            }
        }
        let words = match &words[..] {
            [] => self.rules.clone(),
            all @ ([_] | [_, _] | [_, _, _]) => all.join("; "),
            [first, second, others @ ..] => format!("{first}; {second}; {} others", others.len()),
        };
        (hashes, words)
    }

    /// The figures of these sections.
    #[must_use]
    pub fn rows(&self, sections: &[Section]) -> Vec<FigureRow> {
        self.statistics.rows(&self.groups, sections)
    }

    /// The report as JSON with these figures, and those beside a reference: what `jantaku stats --json`
    /// prints.
    #[must_use]
    pub fn json(&self, rows: &[FigureRow], against: Option<&Against>) -> Value {
        let runs: Vec<_> = self.runs.iter().map(|run| path_text(run)).collect();
        let (of_all, of_runs) = match &self.agents[..] {
            [of_all] => (Some(of_all), &[][..]),
            of_runs => (None, of_runs),
        };
        let of_run = |(run, (agents, seatings)): (&Cow<'_, str>, &(Vec<String>, Seatings))| {
            let seatings = seatings.name();
            json!({ "run": run, "agents": agents, "seatings": seatings })
        };
        let of_players = |(players, games): (u8, u64)| json!({ "players": players, "games": games });
        json!({
            "games": self.statistics.games(),
            "units": self.statistics.units(),
            "hands": self.statistics.hands(),
            "players": self.statistics.games_by_players().into_iter().map(of_players).collect::<Vec<_>>(),
            "rules": self.rules,
            "rules_hash": self.hash,
            "rules_toml": self.toml,
            "agents": of_all.map(|(agents, _)| agents),
            "seatings": of_all.map(|(_, seatings)| seatings.name()),
            "agents_of_runs": runs.iter().zip(of_runs).map(of_run).collect::<Vec<_>>(),
            "seed": self.seed,
            "runs": runs,
            "left_out": self.left_out,
            "played_on": self.played_on,
            "conditional": !self.conditional.is_empty(),
            "precision": self.precision,
            "complete": self.complete,
            "faults": faults_as_json(&self.faults),
            "fault_shares": fault_shares_as_json(&self.faults),
            "figures": rows,
            "against": against,
            "seconds": self.seconds,
        })
    }
}
