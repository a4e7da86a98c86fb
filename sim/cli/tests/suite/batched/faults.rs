//! Failing games, agents and sinks end a run as in the direct runner.

use std::collections::HashSet;

use jantaku_agents::{
    Agent, AgentError, Batched, Greedy, NamedPolicy, News, Policy, Reply, Request, SearchInfo, Tsumogiri,
    Update,
};
use jantaku_engine::rules::options::Renchan;
use jantaku_engine::{Action, Event, Observation, Rng, Rules};
use jantaku_sim::play::{Detail, GameRecord, Job, RunError, Schedule};

use super::{alone, batched, direct_games, games, policies, texts};

/// Plays like `greedy` until they have few points, then answers illegally or thinks the impossible.
#[derive(Clone)]
struct Sore {
    thinks: bool,
}

impl Policy for Sore {
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        let is_sore = !self.thinks && o.scores()[o.seat()] < 2000;
        if is_sore { Action::EndGame } else { Greedy::default().choose(o, rng) }
    }

    fn reply(&self, o: &Observation<'_>, rng: &mut Rng) -> Reply {
        let is_sore = self.thinks && o.scores()[o.seat()] < 2000;
        let search_info =
            SearchInfo { value: Some(if is_sore { f32::NAN } else { 0.0 }), ..SearchInfo::default() };
        Reply { action: self.choose(o, rng), search_info: Some(Box::new(search_info)), took: None }
    }
}

/// The first game that fails ends the run, whichever fails first in time. Earlier games are kept.
#[test]
fn games_fail_as_with_the_direct_runner() {
    let rules = Rules::default();
    let mut first = HashSet::new();
    for (seed, thinks) in [(1, false), (2, false), (3, false), (4, true), (5, true)] {
        let sore = Sore { thinks };
        let agents = vec![NamedPolicy::new("sore", sore); 4];
        let job = Job::new(&rules, Schedule::selfplay(seed, 100), Detail::Decisions);
        let expected = direct_games(&job, &agents);
        let (kept, ended) = (expected.0.len(), &expected.1);
        assert!(ended.contains("sore") && ended.contains(&format!("game: {kept}")), "{ended}");
        first.insert(kept);
        for tables in [1, 3, 64] {
            let found = games(&job, batched(&agents, tables));
            assert!(found == expected, "seed {seed}, {tables} tables: {}", found.1);
        }
        // Runs that do not store search info do not ask for them.
        let job = Job { detail: Detail::Hands, ..job };
        let ended = games(&job, batched(&agents, 3)).1;
        assert_eq!(ended.starts_with("Ok"), thinks, "{ended}");
    }
    assert!(first.len() > 1, "different games fail");
}

#[test]
fn a_game_without_end_is_an_error() {
    let rules = Rules { renchan: Renchan::Always.into(), ..Rules::default() };
    let job = Job::new(&rules, Schedule::selfplay(1, 1), Detail::None);
    let found = games(&job, batched(&policies(&["tsumogiri"; 4]), 2));
    assert_eq!(found, (Vec::new(), "Err(Endless { game: 0 })".to_owned()));
}

/// Answers some batches, then fails or gives a wrong number of replies.
struct Unreliable {
    batches: usize,
    fails: bool,
}

impl Agent for Unreliable {
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        Batched(Greedy::default()).decide(requests, replies)?;
        self.batches = self.batches.saturating_sub(1);
        match self.batches {
            0 if self.fails => Err(AgentError::Failed {
                agent: "unreliable".to_owned(),
                table: requests.last().map(|request| request.table),
                reason: "the model is gone".to_owned(),
            }),
            0 => {
                replies.pop();
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

#[test]
fn an_agent_that_fails_ends_the_run_and_earlier_games_are_kept() {
    let rules = Rules::default();
    let job = |games| Job::new(&rules, Schedule::selfplay(1, games), Detail::Games);
    let all = direct_games(&job(12), &policies(&["greedy"; 4])).0;
    for (fails, tables) in [(true, 1), (true, 5), (false, 1), (false, 5)] {
        let agent = Unreliable { batches: 1500, fails };
        let mut records: Vec<GameRecord> = Vec::new();
        let ended = alone("unreliable", agent, tables).play(&job(100), &mut records, &mut ());
        let Err(RunError::Agent { game, error }) = ended else { panic!("{ended:?}") };
        assert!(!records.is_empty(), "some games had ended");
        assert_eq!(texts(&records)[..], all[..records.len()]);
        let first = records.len() as u64;
        // Free tables start only games a few ahead of the first unfinished one.
        let in_play = if tables == 1 { first..first + 1 } else { first..first + 4 * tables as u64 };
        assert!(in_play.contains(&game), "{game}, first {first}");
        let reason = error.to_string();
        let expected = if fails { "the model is gone" } else { "expected a reply to each of " };
        assert!(reason.starts_with(&format!("agent `unreliable`: {expected}")), "{reason}");
    }
}

/// Fails when it hears that a game is over.
struct Deaf;

impl Agent for Deaf {
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        Batched(Tsumogiri).decide(requests, replies)
    }

    fn wants_updates(&self) -> bool {
        true
    }

    fn update(&mut self, update: Update<'_>) -> Result<(), AgentError> {
        match update.news {
            News::Event(Event::GameEnd { .. }) => Err(AgentError::Failed {
                agent: "deaf".to_owned(),
                table: Some(update.table),
                reason: "it hears nothing".to_owned(),
            }),
            _ => Ok(()),
        }
    }
}

/// The game was over before the agent failed.
#[test]
fn a_finished_game_is_kept_if_an_agent_fails_at_its_news() {
    let rules = Rules::default();
    let job = Job::new(&rules, Schedule::selfplay(1, 3), Detail::Games);
    let (found, ended) = games(&job, alone("deaf", Deaf, 1));
    assert!(ended.contains("it hears nothing"), "{ended}");
    assert_eq!(found[..], direct_games(&job, &policies(&["tsumogiri"; 4])).0[..1]);
}
