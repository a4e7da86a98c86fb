//! The batched runner plays the games of the direct runner, in the same order, and fails like it.

mod faults;
mod results;

use std::collections::{HashSet, VecDeque};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jantaku_agents::{
    Agent, AgentError, Batched, Catalog, Greedy, NamedPolicy, Policy, Reply, Request, Setup, TableId,
    Tsumogiri, Update,
};
use jantaku_engine::rules::options::Renchan;
use jantaku_engine::rules::{PRESETS, Preset};
use jantaku_engine::{Rules, Seat};
use jantaku_sim::play::{
    Detail, GameRecord, Job, Players, RunError, Schedule, Seatings, Sink, SinkError, Started, StartedAgent,
    Watch,
};
use jantaku_sim::run::{PlayError, Run, RunConfig, count};

use crate::common::program::{files, folder, path};
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

/// Drags game 1 out: its players only discard the drawn tile, until they have decided often. All
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
    let rules = Rules { renchan: Renchan::Always.into(), ..Rules::default() };
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
    let config = RunConfig {
        agents: names(&policies),
        games: Some(10),
        seed: 1,
        detail: Detail::Oracle,
        games_per_part: 4,
        ..RunConfig::new("tenhou", &rules)
    };
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
