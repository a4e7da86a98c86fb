//! The batched runner plays the games of the direct runner, in the same order, and fails like it.

use std::collections::{HashSet, VecDeque};
use std::fs;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jantaku_agents::{
    Agent, AgentError, Batched, Catalog, Greedy, NamedPolicy, News, Policy, Reply, Request, SearchInfo,
    Setup, TableId, Tsumogiri, Update,
};
use jantaku_engine::rules::options::Renchan;
use jantaku_engine::rules::{PRESETS, Preset};
use jantaku_engine::{Action, Event, Observation, Rng, Rules, Seat};
use jantaku_sim::arena::{Match, MatchPlan, MatchResult, Sprt};
use jantaku_sim::play::{
    Detail, GameRecord, Groups, Job, Players, RunError, Schedule, Seatings, Sink, SinkError, Started,
    StartedAgent, Watch,
};
use jantaku_sim::run::{PlayError, Run, RunConfig, count};
use jantaku_sim::stats::{Target, simulate, simulate_until};

use crate::common::bots::FAULTY;
use crate::common::program::{files, folder, jantaku, json, ok, path, refused, text};
use crate::sizes::TABLED_GAMES;

/// These agents of the catalog as policies.
fn policies(names: &[&str]) -> Vec<NamedPolicy> {
    let policy = |name: &&str| Catalog::standard().agent(name).expect("an agent").policy().expect("a policy");
    names.iter().map(policy).collect()
}

/// The same agents at this many tables, each name started once.
fn batched(policies: &[NamedPolicy], tables: usize) -> Players {
    let mut agents: Vec<StartedAgent> = Vec::new();
    for policy in policies {
        if agents.iter().all(|other| other.name() != policy.name()) {
            agents.push(StartedAgent::new(policy.name(), Box::new(Batched(policy.clone()))));
        }
    }
    let roles = policies.iter().map(|policy| agents.iter().position(|agent| agent.name() == policy.name()));
    let roles = roles.map(|role| role.expect("it was started")).collect();
    Players::Started(Started::new(agents, roles, tables))
}

/// One agent in all four seats.
fn alone(name: &str, agent: impl Agent + 'static, tables: usize) -> Players {
    Players::Started(Started::new(vec![StartedAgent::new(name, Box::new(agent))], vec![0; 4], tables))
}

fn names(policies: &[NamedPolicy]) -> Vec<String> {
    policies.iter().map(NamedPolicy::to_string).collect()
}

/// The games of a job as text, and how it ended.
fn games(job: &Job<'_>, mut players: Players) -> (Vec<String>, String) {
    let mut records: Vec<GameRecord> = Vec::new();
    let ended = players.play(job, &mut records, &mut ());
    (texts(&records), format!("{ended:?}"))
}

/// The games of the direct runner.
fn direct_games(job: &Job<'_>, policies: &[NamedPolicy]) -> (Vec<String>, String) {
    games(job, policies.to_vec().into())
}

fn texts(records: &[GameRecord]) -> Vec<String> {
    records.iter().map(|record| format!("{record:?}")).collect()
}

#[test]
fn every_number_of_tables_plays_the_games_of_the_direct_runner() {
    let lists: [(Seatings, &[&str]); 3] = [
        (Seatings::Fixed, &["random", "greedy", "noisy:p=0.1,salt=7", "greedy"]),
        (Seatings::OneVersusRest, &["noisy:p=0.2", "greedy"]),
        (Seatings::Rotations, &["greedy", "noisy:p=0.1", "random", "tsumogiri"]),
    ];
    for name in ["tenhou", "tenhou-sanma", "duo", "ema-2016"] {
        let rules = Preset::named(name).expect("a preset").rules();
        let players = rules.players;
        for (seatings, list) in lists {
            let policies = policies(&list[..seatings.agents(players)]);
            let schedule = Schedule { seed: 5, games: 12, seatings, players };
            let job = Job::new(&rules, schedule, Detail::Oracle);
            let expected = direct_games(&job, &policies);
            assert_eq!(expected.0.len(), 12);
            for tables in [1, 3, 64] {
                let found = games(&job, batched(&policies, tables));
                assert!(found == expected, "{name}, {seatings:?}, {tables} tables");
            }
        }
    }
}

/// Drags game 1 out: its players only discard what they draw, until they have decided often. All
/// other games are greedy's.
struct Slow(usize);

impl Agent for Slow {
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        for Request { table, observation, rng } in requests {
            let is_slow = *table == TableId(1) && self.0 > 0;
            self.0 -= usize::from(is_slow);
            let agent: &dyn Policy = if is_slow { &Tsumogiri } else { &Greedy::default() };
            replies.push(agent.choose(observation, rng).into());
        }
        Ok(())
    }
}

/// A table may not start a game too far ahead of the first unfinished one. The run continues after
/// that one, even if no decision is left.
#[test]
fn a_slow_game_does_not_end_the_run() {
    let rules = Rules { renchan: Renchan::Always, ..Rules::default() };
    let job = Job::new(&rules, Schedule::selfplay(1, 20), Detail::Games);
    let (games, ended) = games(&job, alone("greedy", Slow(20_000), 2));
    assert_eq!(games.len(), 20, "{ended}");
}

#[test]
fn every_preset_plays_in_batches() {
    for preset in PRESETS {
        let rules = preset.rules();
        let seats = usize::from(rules.players.count());
        let policies = policies(&["greedy", "random", "noisy:p=0.3", "greedy"][..seats]);
        let job = Job::new(&rules, Schedule::selfplay(3, 4), Detail::Games);
        let found = games(&job, batched(&policies, 2));
        assert!(found == direct_games(&job, &policies), "{}", preset.name);
    }
}

#[test]
fn runs_have_the_files_of_the_direct_runner() {
    let (rules, folder) = (Rules::default(), folder());
    let policies = policies(&["greedy", "random", "greedy", "noisy:p=0.1"]);
    let config = RunConfig::new("tenhou", &rules, names(&policies), 10, 1, Detail::Oracle);
    let config = RunConfig { games_per_part: 4, ..config };
    let run_files = |name: &str| files(&path(&folder, name));
    let run = |name: &str| Run::create(&folder.path().join(name), config.clone()).expect("a new folder");
    let expected = run("direct").play(&mut policies.clone().into(), &mut ()).expect("it is written");
    for tables in [1, 3, 64] {
        let name = tables.to_string();
        let played = run(&name).play(&mut batched(&policies, tables), &mut ()).expect("it is written");
        assert_eq!((&played.tally, played.finished, played.threads), (&expected.tally, 10, 1));
        assert_eq!(run_files(&name), run_files("direct"), "{tables} tables");
    }
    // A stopped run continues.
    let mut stopped = run("stopped");
    let played = stopped.play(&mut batched(&policies, 3), &mut StopAfter { games: 5, done: 0 });
    let played = played.expect("a stop is no error");
    assert!(played.is_interrupted() && (5..10).contains(&played.finished), "{}", played.finished);
    assert!([4, 8].contains(&stopped.manifest().games), "complete parts are kept");
    stopped.play(&mut batched(&policies, 2), &mut ()).expect("it is written");
    assert_eq!(run_files("stopped"), run_files("direct"));
    let counted = |mut players| count(&config, &mut players, &mut ()).expect("agents answer").tally;
    assert_eq!(counted(batched(&policies, 5)), counted(policies.clone().into()));
    let wrong = run("wrong").play(&mut batched(&policies[1..], 2), &mut ());
    assert!(matches!(wrong, Err(PlayError::Agents { .. })), "{wrong:?}");
}

/// Stops a run when this many games are done.
struct StopAfter {
    games: u64,
    done: u64,
}

impl Watch for StopAfter {
    fn progress(&mut self, done: u64) {
        assert!(done > self.done, "progress continues");
        self.done = done;
    }

    fn should_stop(&self) -> bool {
        self.done >= self.games
    }
}

#[test]
fn stopped_batches_keep_the_first_games() {
    let rules = Rules::default();
    let mut players = batched(&policies(&["greedy"; 4]), 8);
    let job = Job { games: 3..1000, ..Job::new(&rules, Schedule::selfplay(1, 1000), Detail::Games) };
    for games in [0, 1, 20] {
        let mut records: Vec<GameRecord> = Vec::new();
        let mut watch = StopAfter { games, done: 0 };
        let tally = players.play(&job, &mut records, &mut watch).expect("a stop is no error");
        assert_eq!((tally.games, watch.done), (records.len() as u64, records.len() as u64));
        // A step can end several games.
        assert!((games..games + 8 * 5).contains(&tally.games), "{} games after {games}", tally.games);
        assert!(records.iter().zip(3..).all(|(record, number)| record.game == number));
    }
}

/// Takes some games, then fails.
struct Full(u64);

impl Sink for Full {
    fn take(&mut self, game: GameRecord) -> Result<(), SinkError> {
        if game.game < self.0 {
            return Ok(());
        }
        assert_eq!(game.game, self.0, "games come in order, and none after an error");
        Err(SinkError { path: "disk".into(), what: "full", cause: std::io::ErrorKind::StorageFull.into() })
    }
}

#[test]
fn a_full_sink_ends_the_games() {
    let rules = Rules::default();
    let job = Job::new(&rules, Schedule::selfplay(1, 1000), Detail::None);
    let ended = batched(&policies(&["greedy"; 4]), 16).play(&job, &mut Full(7), &mut ());
    assert!(matches!(ended, Err(RunError::Sink(_))), "{ended:?}");
}

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
    let rules = Rules { renchan: Renchan::Always, ..Rules::default() };
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

/// Checks its batches and counts them.
struct Counting {
    tables: usize,
    seats: Range<usize>,
    batches: Arc<AtomicUsize>,
}

impl Agent for Counting {
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        assert!(replies.is_empty() && !requests.is_empty());
        let asked: HashSet<_> = requests.iter().map(|request| (request.table, request.seat())).collect();
        let tables: HashSet<_> = requests.iter().map(|request| request.table).collect();
        assert_eq!(asked.len(), requests.len(), "each seat of a table is asked once");
        assert!(tables.len() <= self.tables);
        assert!(requests.iter().all(|request| self.seats.contains(&request.seat().index())));
        self.batches.fetch_add(1, Ordering::Relaxed);
        Batched(Greedy::default()).decide(requests, replies)
    }
}

#[test]
fn an_agent_answers_for_all_its_seats_and_tables_at_once() {
    let rules = Rules::default();
    let job = Job::new(&rules, Schedule::selfplay(1, 40), Detail::None);
    let batches = |tables| {
        let counts = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
        let agent = |at: usize| Counting { tables, seats: 2 * at..2 * at + 2, batches: counts[at].clone() };
        let agents = vec![
            StartedAgent::new("other", Box::new(agent(1))),
            StartedAgent::new("two", Box::new(agent(0))),
        ];
        let mut players = Players::Started(Started::new(agents, vec![1, 1, 0, 0], tables));
        let tally = players.play(&job, &mut (), &mut ()).expect("agents answer");
        (counts.map(|count| count.load(Ordering::Relaxed)), tally.decisions as usize)
    };
    let (one, decisions) = batches(1);
    let (many, _) = batches(20);
    assert!(one.iter().sum::<usize>() <= decisions);
    // Tables that wait for the last games of the schedule are empty.
    assert!(many.iter().zip(one).all(|(many, one)| many * 4 < one), "{many:?} and {one:?}");
}

/// Hundreds of tables that several threads advance give the bytes of a few on one thread, and of
/// the direct runner, also where agents answer on several threads.
#[test]
fn bytes_depend_neither_on_tables_nor_on_threads() {
    let rules = Rules { wind_rounds: 1, ..Rules::default() };
    let policies = policies(&["greedy", "random", "noisy:p=0.1", "greedy"]);
    let job = Job::new(&rules, Schedule::selfplay(9, TABLED_GAMES.get().into()), Detail::Decisions);
    let expected = direct_games(&job, &policies);
    assert_eq!(expected.0.len(), TABLED_GAMES.get() as usize);
    for (tables, threads) in [(2, 1), (150, 1), (150, 3), (512, 8)] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let found = pool.install(|| games(&job, batched(&policies, tables)));
        assert!(found == expected, "{tables} tables, {threads} threads: {}", found.1);
    }
}

/// The same for agents that answer on a thread of their own, beside others.
#[test]
fn games_of_networks_depend_neither_on_tables_nor_on_threads() {
    let rules = Rules { wind_rounds: 1, ..Rules::default() };
    let names = ["neural:model=uniform-sparse-v1", "heuristic", "neural:model=uniform", "greedy"];
    let games = |tables: usize, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let start = |name: &str| {
            let agent = Catalog::standard().agent(name).expect("an agent");
            let setup = Setup { search_info: true, ..Setup::default() };
            StartedAgent::new(name, agent.start(&setup).expect("it starts"))
        };
        let agents = names.map(start).into();
        let mut players = Players::Started(Started::new(agents, vec![0, 1, 2, 3], tables));
        let job = Job::new(&rules, Schedule::selfplay(9, 200), Detail::Decisions);
        let mut records: Vec<GameRecord> = Vec::new();
        let ended = pool.install(|| players.play(&job, &mut records, &mut ()));
        assert_eq!(records.len(), 200, "{ended:?}");
        texts(&records)
    };
    let expected = games(1, 1);
    for (tables, threads) in [(150, 1), (150, 3), (512, 3)] {
        assert!(games(tables, threads) == expected, "{tables} tables, {threads} threads");
    }
}

/// Checks the order of calls, and decides what it began.
#[derive(Default)]
struct Ordered {
    /// The tables and seats of each batch that has begun.
    begun: VecDeque<Vec<(TableId, Seat)>>,
    /// The most batches that had begun at once.
    most: Arc<AtomicUsize>,
    /// Batches that have begun, and were not decided at the end.
    left: Arc<AtomicUsize>,
}

fn asked(requests: &[Request<'_>]) -> Vec<(TableId, Seat)> {
    requests.iter().map(|request| (request.table, request.seat())).collect()
}

impl Agent for Ordered {
    fn begin(&mut self, requests: &[Request<'_>]) -> Result<(), AgentError> {
        let new = asked(requests);
        let thinks_at = |table| self.begun.iter().flatten().any(|(other, _)| *other == table);
        assert!(new.iter().all(|(table, _)| !thinks_at(*table)), "a game is in two batches");
        self.begun.push_back(new);
        self.most.fetch_max(self.begun.len(), Ordering::Relaxed);
        self.left.store(self.begun.len(), Ordering::Relaxed);
        Ok(())
    }

    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        assert_eq!(self.begun.pop_front().as_ref(), Some(&asked(requests)), "the batch that began first");
        self.left.store(self.begun.len(), Ordering::Relaxed);
        Batched(Greedy::default()).decide(requests, replies)
    }

    fn wants_updates(&self) -> bool {
        true
    }

    fn update(&mut self, update: Update<'_>) -> Result<(), AgentError> {
        let thinks = self.begun.iter().flatten().any(|(table, _)| *table == update.table);
        assert!(!thinks, "news of a game at which the agent thinks");
        Ok(())
    }
}

/// Two batches begin before the first is decided, in order, also if the run stops.
#[test]
fn an_agent_thinks_about_one_group_while_the_other_advances() {
    let rules = Rules::default();
    let job = Job::new(&rules, Schedule::selfplay(1, 30), Detail::None);
    for games in [30, 10] {
        let (one, other) = (Ordered::default(), Ordered::default());
        let most = [&one, &other].map(|agent| agent.most.clone());
        let left = [&one, &other].map(|agent| agent.left.clone());
        let agents =
            vec![StartedAgent::new("one", Box::new(one)), StartedAgent::new("other", Box::new(other))];
        let mut players = Players::Started(Started::new(agents, vec![0, 1, 0, 1], 6));
        let mut watch = StopAfter { games, done: 0 };
        let tally = players.play(&job, &mut (), &mut watch).expect("a stop is no error");
        assert!(tally.games >= games);
        assert_eq!(most.map(|most| most.load(Ordering::Relaxed)), [2, 2]);
        assert_eq!(left.map(|left| left.load(Ordering::Relaxed)), [0, 0], "all that began was decided");
    }
}

/// The parts of a result that do not depend on how it was played.
fn shown(result: &MatchResult) -> String {
    let MatchResult { complete, agents, placement_difference, elo, sprt, .. } = result;
    format!("{} {complete} {agents:?} {placement_difference:?} {elo:?} {sprt:?}", result.sets())
}

/// A match has the same result and files, with and without a test that ends it.
#[test]
fn matches_are_those_of_the_direct_runner() {
    let (rules, folder) = (Rules::default(), folder());
    let policies = policies(&["greedy", "noisy:p=0.3"]);
    let config = RunConfig::new("tenhou", &rules, names(&policies), 600, 1, Detail::Hands);
    let config = RunConfig { games_per_part: 100, ..config.with_seatings(Seatings::OneVersusRest) };
    let test = Sprt { low: 0.0, high: 0.1, alpha: 0.05, beta: 0.05 };
    for test in [None, Some(test)] {
        let plan = MatchPlan { sprt: test, ..MatchPlan::of_sets(150) };
        let in_memory = |mut players: Players| {
            let mut game = Match::in_memory(config.clone(), Vec::new(), plan);
            game.play(&mut players, &mut ()).expect("agents answer")
        };
        let expected = in_memory(policies.clone().into());
        let found = in_memory(batched(&policies, 7));
        assert_eq!(shown(&found), shown(&expected));
        assert_eq!(found.statistics(), expected.statistics());
        assert!(found.complete);
        assert_eq!(found.sets() < 150, test.is_some(), "the test ends the match: {} sets", found.sets());
        let write = |runner: &str, mut players: Players| {
            let name = format!("{runner} {}", test.is_some());
            let run = Run::create(&folder.path().join(&name), config.clone()).expect("a new folder");
            let mut game = Match::of_run(run, Vec::new(), plan);
            let result = game.play(&mut players, &mut ()).expect("it is written");
            (result.speed.sets, files(&path(&folder, &name)))
        };
        let (direct, batched) =
            (write("direct", policies.clone().into()), write("batched", batched(&policies, 7)));
        assert!(direct == batched, "{} and {} sets", direct.0, batched.0);
    }
}

/// Games in batches have the luck of the direct runner.
#[test]
fn variates_are_those_of_the_direct_runner() {
    let rules = Rules::default();
    let policies = policies(&["greedy", "noisy:p=0.3"]);
    let config = RunConfig::new("tenhou", &rules, names(&policies), 0, 1, Detail::None);
    let config = config.with_seatings(Seatings::OneVersusRest);
    let plan = MatchPlan { variance_reduction: true, ..MatchPlan::of_sets(5) };
    let play = |mut players: Players| {
        let mut game = Match::in_memory(config.clone(), Vec::new(), plan);
        game.play(&mut players, &mut ()).expect("agents answer").agents
    };
    assert_eq!(play(batched(&policies, 7)), play(policies.into()));
}

#[test]
fn statistics_are_those_of_the_direct_runner() {
    let rules = Rules::default();
    let policies = policies(&["greedy", "random", "noisy:p=0.1", "greedy"]);
    let job = Job::new(&rules, Schedule::selfplay(1, 2000), Detail::Games);
    let names = names(&policies);
    let targets = [Target::parse("points.mean=300", &Groups::new(&names), &[&rules]).expect("a figure")];
    let until = |mut players| simulate_until(&job, &mut players, &targets, &mut ()).expect("agents answer");
    let found = until(batched(&policies, 5));
    assert_eq!(found, until(policies.clone().into()));
    assert!(found.games() < 2000, "{} games", found.games());
    let job = Job { games: 0..found.games(), ..job.clone() };
    assert_eq!(simulate(&job, &mut batched(&policies, 5), &mut ()).expect("agents answer"), found);
}

/// Our own program as a bot plays the games of its agent.
#[test]
fn programs_play_in_runs_and_statistics() {
    let folder = folder();
    let program = env!("CARGO_BIN_EXE_jantaku");
    let bot = format!("mjai:command=\"{program} mjai --agent greedy\"");
    let four = format!("greedy,{bot},greedy,{bot}");
    let out = |name: &str| path(&folder, name);
    let same = ["seats", "draws", "hands", "decisions"];
    let own = json(&ok(&["selfplay", "--games", "3", "--log", "none", "--json"]));
    for (log, verified) in [("games", Some(2)), ("decisions", Some(0))] {
        let run = out(log);
        let args = ["selfplay", "--games", "3", "--agents", &four, "--log", log, "--out", &run];
        let played = json(&ok(&[&args[..], &["--tables", "2", "--json"]].concat()));
        for field in same.into_iter().skip(1) {
            assert_eq!(played[field], own[field], "{field}");
        }
        assert_eq!((&played["threads"], &played["faults"]), (&1.into(), &serde_json::json!([])));
        let config = fs::read_to_string(folder.path().join(log).join("run.toml")).expect("a file");
        assert!(config.contains("\ndeterministic = false\n"), "{config}");
        assert!(folder.path().join(log).join("agents.log").is_file());
        let checked = jantaku(&["verify", &run]);
        assert_eq!(checked.status.code(), verified, "{}", text(&checked.stderr));
        let said = text(&checked.stdout);
        assert_eq!(
            said.contains("`verify` plays only agents that decide one action at a time"),
            verified == Some(2),
            "{said}"
        );
    }
    let statistics = |agents: &str| {
        let args = ["stats", "--games", "3", "--agents", agents, "--json"];
        json(&ok(&args))["figures"].as_array().expect("a list").iter().take(20).cloned().collect::<Vec<_>>()
    };
    assert_eq!(statistics(&bot), statistics("greedy"));
}

#[test]
fn faults_of_programs_end_the_run_or_are_counted() {
    let agents = r#"mjai:command="false",greedy,greedy,greedy"#;
    let args = ["selfplay", "--games", "2", "--log", "none", "--agents", agents, "--json"];
    let stopped = jantaku(&args);
    assert_eq!(stopped.status.code(), Some(2));
    let said = text(&stopped.stderr);
    assert!(said.contains("game 0: agent `mjai:command=false`: the program does not start: "), "{said}");
    // It answers `start_game`, and ends.
    let agents = r#"mjai:command="echo '{\"type\":\"none\"}'",greedy,greedy,greedy"#;
    for on_fault in ["substitute", "forfeit"] {
        let words = [&args[..], &["--on-fault", on_fault]].concat();
        let never = jantaku(&words);
        assert_eq!(never.status.code(), Some(2), "{}", text(&never.stdout));
        let words: Vec<&str> =
            words.iter().map(|word| if *word == args[6] { agents } else { *word }).collect();
        let played = json(&ok(&words));
        assert_eq!(played["games"], 2);
        let faults = &played["faults"];
        assert_eq!((&faults[0]["kind"], &faults[1]), (&"crash".into(), &serde_json::Value::Null), "{faults}");
        assert!(faults[0]["count"].as_u64() >= Some(2), "a crash in each game: {faults}");
    }
}

/// A run of self-play keeps the faults of its bots, and what they cause. `stats` and `info` report
/// the faults of kept games, also those of merged shards.
#[test]
fn runs_keep_the_faults_of_their_programs() {
    let folder = folder();
    let [bot, out] = ["bot.py", "run"].map(|name| path(&folder, name));
    fs::write(&bot, FAULTY).expect("a file");
    let agents = format!(r#"bot=mjai:command="python3 '{bot}'",greedy,greedy,greedy"#);
    let rules = ["--rules", "tenhou-tonpuu", "--log", "hands", "--games-per-part", "1", "--agents", &agents];
    let play = [&["selfplay", "--games", "2", "--json"][..], &rules].concat();
    assert_eq!(jantaku(&[&play[..], &["--out", &out]].concat()).status.code(), Some(2));
    let config = || fs::read_to_string(format!("{out}/run.toml")).expect("a file");
    assert!(!config().contains("on_fault"), "{}", config());
    let resume = ["selfplay", "--resume", "--json", "--out", &out];
    ok(&[&resume[..], &["--on-fault", "substitute"]].concat());
    assert!(config().contains("\non_fault = \"substitute\"\n"), "{}", config());
    // The choice is kept.
    let more = json(&ok(&[&resume[..], &["--games", "3"]].concat()));
    assert_eq!(more["faults"], serde_json::json!([{ "agent": "bot", "kind": "illegal", "count": 1 }]));
    refused(
        &["selfplay", "--resume", "--on-fault", "forfeit", "--out", &out],
        &format!(
            "error: --on-fault: the run in {out} has substitute, found forfeit; leave out the option to \
             resume the run as it is"
        ),
    );
    let [one, two, merged] = ["one", "two", "merged"].map(|name| path(&folder, name));
    for (shard, out) in [("1/2", &one), ("2/2", &two)] {
        ok(&[&play[..], &["--on-fault", "substitute", "--shard", shard, "--out", out]].concat());
    }
    ok(&["merge", &one, &two, "--out", &merged, "--quiet"]);
    for (run, games) in [(&out, 3), (&merged, 2)] {
        for command in ["stats", "info"] {
            let found = json(&ok(&[command, run, "--json"]));
            let faults = serde_json::json!([{ "agent": "bot", "kind": "illegal", "count": games }]);
            assert_eq!(found["faults"], faults, "{command}");
            let shares = &found["fault_shares"]["bot"];
            assert_eq!(
                (&shares["games"], &shares["substituted"]),
                (&games.into(), &games.into()),
                "{command}"
            );
            let shown = ok(&[command, run]).split_whitespace().collect::<Vec<_>>().join(" ");
            let line = format!(
                "faults of bot: illegal {games}; faults in 100.00 % of games, and the substitute made "
            );
            assert!(shown.contains(&line), "{command}: {shown}");
        }
        // Messages of bots may be long: they are at the end.
        let shown = ok(&["info", run]);
        let (_, last) = shown.rsplit_once("\n\n").expect("paragraphs");
        assert!(last.starts_with("faults of bot: ") && last.ends_with("faults.jsonl\n"), "{shown}");
    }
}

/// A match between a program and the agent that it plays: every set is even.
#[test]
fn programs_play_matches() {
    let folder = folder();
    let program = env!("CARGO_BIN_EXE_jantaku");
    let bot = format!("mjai:command=\"{program} mjai --agent greedy\"");
    let out = path(&folder, "run");
    let args =
        ["match", "--challenger", &bot, "--baseline", "greedy", "--sets", "2", "--json", "--out", &out];
    let played = json(&ok(&args));
    assert_eq!((&played["complete"], &played["placement"]["value"]), (&true.into(), &2.5.into()), "{played}");
    assert_eq!(played["speed"]["threads"], 1);
    assert_eq!(played["faults"], serde_json::json!({ "greedy": 0, bot.as_str(): 0 }));
    let config = fs::read_to_string(folder.path().join("run/run.toml")).expect("a file");
    assert!(config.contains("\ndeterministic = false\n"), "{config}");
    // It resumes with more sets.
    let more = json(&ok(&["match", "--resume", "--out", &out, "--sets", "3", "--json"]));
    assert_eq!((&more["complete"], &more["sets"]), (&true.into(), &3.into()), "{more}");
}

/// Two bots that are asked in the same step wait for each other: both must be asked at once.
#[test]
fn different_bots_think_at_the_same_time() {
    const BOT: &str = r#"
import json, os, sys, time
seat, own, other = int(sys.argv[1]), sys.argv[2], sys.argv[3]
for line in sys.stdin:
    last = json.loads(line)[-1]
    answer = {"type": "none"}
    if last["type"] == "tsumo" and last["actor"] == seat:
        answer = {"type": "dahai", "pai": last["pai"], "tsumogiri": True}
        open(own, "w").close()
        while not os.path.exists(other):
            time.sleep(0.005)
    print(json.dumps(answer), flush=True)
"#;
    let folder = folder();
    let [bot, one, two] = ["bot.py", "one", "two"].map(|name| path(&folder, name));
    fs::write(&bot, BOT).expect("a file");
    let agent = |own, other| format!(r#"mjai:command="python3 '{bot}' {{seat}} '{own}' '{other}'",time=600"#);
    let (challenger, baseline) = (agent(&one, &two), agent(&two, &one));
    let words = ["match", "--sets", "1", "--tables", "2", "--rules", "tenhou-tonpuu", "--json", "-q"];
    // The dealer of game 0 is the challenger, that of game 1 the baseline.
    let played = ok(&[&words[..], &["--challenger", &challenger, "--baseline", &baseline]].concat());
    assert_eq!(json(&played)["games"], 4);
}
