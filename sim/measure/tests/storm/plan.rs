//! What a history plays: a run, a match or a league, and what the person at the keyboard does until it is
//! complete.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use jantaku_engine::Rules;
use jantaku_measure::arena::{LeagueRequest, Match, MatchPlan, Sprt};
use jantaku_sim::play::{Detail, Seatings, Watch};
use jantaku_sim::run::{self, AgentChoice, NamedRules, RulesChoice, Run, RunConfig, Shard, agents_of};

/// What is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Run,
    /// A match of two agents. A test may end it.
    Match {
        has_test: bool,
    },
    /// A league of three or four agents at tables of three.
    League {
        agents: usize,
    },
}

/// What a history plays, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Plan {
    pub kind: Kind,
    /// The sets of a match or a league, or the games of a run.
    pub sets: u64,
    /// Sets in a part of a match, or games in a part of a run.
    pub per_part: u64,
    pub detail: Detail,
    pub seed: u64,
}

impl Plan {
    /// The run of everything but a league.
    fn config(self, shard: Option<Shard>) -> RunConfig {
        static RULES: LazyLock<Rules> = LazyLock::new(|| single_hand("tenhou"));
        let Plan { kind, sets, per_part, detail, seed } = self;
        let (agents, seatings) = match kind {
            Kind::Match { .. } => (["tsumogiri", "random"].as_slice(), Seatings::OneVersusRest),
            _ => (["tsumogiri"; 4].as_slice(), Seatings::Fixed),
        };
        let per_set = seatings.games_per_set(RULES.players);
        RunConfig {
            games: (kind != Kind::Match { has_test: true }).then_some(sets * per_set),
            games_per_part: per_part * per_set,
            agents: agents.iter().map(ToString::to_string).collect(),
            seatings,
            detail,
            seed,
            shard,
            ..RunConfig::new("of the storm", &RULES)
        }
    }

    fn match_plan(self) -> MatchPlan {
        let sprt = Sprt { low: -1.0, high: 1.0, alpha: 0.3, beta: 0.3 };
        let sprt = (self.kind == Kind::Match { has_test: true }).then_some(sprt);
        MatchPlan { sets: Some(self.sets), sprt, ..MatchPlan::default() }
    }

    fn league(self, agents: usize, folder: &Path) -> LeagueRequest {
        static RULES: LazyLock<Rules> = LazyLock::new(|| single_hand("tenhou-sanma"));
        let rules = NamedRules { name: "of the storm".to_owned(), rules: *RULES };
        let agents = &["a=tsumogiri", "b=tsumogiri", "c=tsumogiri", "d=tsumogiri"][..agents];
        LeagueRequest {
            agents: Some(AgentChoice::Text(agents.join(","))),
            sets: Some(self.sets),
            rules: Some(RulesChoice::Ready(Box::new(rules))),
            seed: Some(self.seed),
            log: Some(self.detail),
            out: Some(folder.to_owned()),
            resume: true,
            ..LeagueRequest::default()
        }
    }

    /// A match with a test needs its sets in order, and the tables of a league are its shares.
    pub fn has_shards(self) -> bool {
        matches!(self.kind, Kind::Run | Kind::Match { has_test: false })
    }

    /// The folders of its runs.
    pub fn runs(self, path: &Path) -> Vec<PathBuf> {
        let tables = match self.kind {
            Kind::League { agents: 3 } => &["0-1-2"][..],
            Kind::League { .. } => &["0-1-2", "0-1-3", "0-2-3", "1-2-3"],
            _ => return vec![path.to_owned()],
        };
        tables.iter().map(|table| path.join("tables").join(table)).collect()
    }

    /// Begins or resumes it, as the person at the keyboard does, and plays until the watch stops it.
    /// Returns whether it is complete.
    pub fn live(
        self,
        path: &Path,
        shard: Option<Shard>,
        (creates, has_rivals): (bool, bool),
        watch: &mut dyn Watch,
    ) -> Result<bool, String> {
        let stop = Arc::default();
        match self.kind {
            Kind::League { agents } => {
                let (league, agents) = self.league(agents, path).resolve().map_err(text)?;
                league.play(&agents, false, &stop, watch).map(|result| result.complete).map_err(text)
            }
            Kind::Run => {
                let config = self.config(shard);
                let create = || Run::create(path, config.clone()).map_err(text);
                let resume = || Run::resume(path, Some(&config)).map_err(text);
                let mut run = begin_or_resume(path, (creates, has_rivals), create, resume)?;
                let mut players = config.players().expect("built-in agents");
                run.play(&mut players, watch).map(|played| !played.is_interrupted()).map_err(text)
            }
            Kind::Match { .. } => {
                let (config, plan) = (self.config(shard), self.match_plan());
                let agents = agents_of(&config).expect("built-in agents");
                let create = || Match::new(config.clone(), agents.clone(), plan, Some(path)).map_err(text);
                let resume = || match shard {
                    None => Match::resume(path, &plan, |_, _| Ok(agents.clone())).map_err(text),
                    Some(_) => {
                        let found = Match::find_shard(path, &config, agents.clone(), plan).map_err(text)?;
                        found.ok_or_else(|| "no run to resume".to_owned())
                    }
                };
                let mut played = begin_or_resume(path, (creates, has_rivals), create, resume)?;
                let mut players = played.start(false, &stop).map_err(text)?;
                if shard.is_some() {
                    let played = played.play_shard(&mut players, watch);
                    return played.map(|played| !played.is_interrupted()).map_err(text);
                }
                let result = played.play(&mut players, watch).map_err(text)?;
                result.write(path).map_err(text)?;
                Ok(result.complete)
            }
        }
    }
}

/// The rules of a preset, for games of a single hand.
fn single_hand(preset: &str) -> Rules {
    Rules { wind_rounds: 0, ..Rules::preset(preset).expect("a preset") }
}

fn text(error: impl Display) -> String {
    error.to_string()
}

/// Follows the advice of the messages until a run or a match can be played.
fn begin_or_resume<T>(
    path: &Path,
    (creates, has_rivals): (bool, bool),
    create: impl Fn() -> Result<T, String>,
    resume: impl Fn() -> Result<T, String>,
) -> Result<T, String> {
    let advised = |error: String| match error {
        _ if error.contains("no run to resume") || error.contains("no match to resume") => create(),
        _ if error.contains("already holds a run") || error.contains("was stopped") => resume(),
        _ => Err(error),
    };
    let repaired = |error: String| {
        // In a bucket, two workers that extend a run may each replace its last part.
        if has_rivals && error.contains("it is damaged") {
            run::rebuild_manifest(path, false).map_err(text)?;
            return resume();
        }
        Err(error)
    };
    if creates { create() } else { resume() }.or_else(advised).or_else(repaired)
}
