//! The agent `neural`.

use std::fs;

use jantaku_agents::{Agent, AgentError, NamedAgent, Policy as _, Reply, Request, Setup, TableId};
use jantaku_engine::{Action, Game, Rules, Seat};
use tempfile::TempDir;

use super::model::Model;
use crate::common::named;

/// An agent with a model in a file, which lasts as long as the folder.
fn agent(folder: &TempDir, model: &Model, options: &str) -> NamedAgent {
    let path = folder.path().join("m.safetensors");
    fs::write(&path, model.bytes()).unwrap();
    named(&format!("neural:model={}{options}", path.display()))
}

fn start(agent: &NamedAgent, search_info: bool) -> Box<dyn Agent> {
    agent.start(&Setup { search_info, ..Setup::default() }).unwrap_or_else(|error| panic!("{error}"))
}

/// The decisions that are due in these games.
fn due(games: &[Game]) -> Vec<(usize, Seat)> {
    let decisions = games.iter().enumerate();
    decisions.flat_map(|(at, game)| game.pending().iter().map(move |seat| (at, seat))).collect()
}

fn requests<'a>(games: &'a [Game], due: &[(usize, Seat)]) -> Vec<Request<'a>> {
    let request = |(at, seat): &(usize, Seat)| Request {
        table: TableId(*at as u64),
        observation: games[*at].observe(*seat),
        rng: games[*at].random_stream(*seat, 0),
    };
    due.iter().map(request).collect()
}

/// Plays some steps of several games. Each step is asked in batches of this size. Batches of 4 and
/// more all begin before the first is decided. Returns all replies of each game.
fn play(
    agent: &mut dyn Agent,
    rules: &Rules,
    batch: usize,
    steps: usize,
) -> Result<Vec<Vec<Reply>>, AgentError> {
    let mut games: Vec<Game> = (0..6).map(|seed| Game::new(rules, seed)).collect();
    let mut replies = vec![Vec::new(); games.len()];
    for _ in 0..steps {
        let due = due(&games);
        if batch >= 4 {
            due.chunks(batch).try_for_each(|due| agent.begin(&requests(&games, due)))?;
        }
        let mut answers = Vec::new();
        for due in due.chunks(batch) {
            let mut found = Vec::new();
            agent.decide(&mut requests(&games, due), &mut found)?;
            answers.extend(found);
        }
        assert_eq!(answers.len(), due.len());
        for ((at, seat), reply) in due.into_iter().zip(answers) {
            games[at].submit(seat, reply.action).unwrap_or_else(|illegal| panic!("{illegal}"));
            replies[at].push(reply);
        }
    }
    Ok(replies)
}

#[test]
fn decisions_do_not_depend_on_the_batch() {
    let (folder, model) = (TempDir::new().unwrap(), Model::random(1, 40, &[24]));
    let mut agents = vec![named("neural:model=uniform"), named("neural:model=uniform-planes-v1")];
    for options in ["", ",temperature=1,precision=int8", ",temperature=2,top-p=0.8,average-suits=on"] {
        agents.push(agent(&folder, &model, options));
    }
    for agent in agents {
        assert!(agent.is_deterministic(), "{agent}");
        let played = |batch| play(&mut *start(&agent, true), &Rules::default(), batch, 40).unwrap();
        let expected = played(1);
        for batch in [3, 4, 100] {
            assert_eq!(played(batch), expected, "{agent}, batches of {batch}");
        }
    }
}

/// A batch of several pieces gets the answers that its decisions get one by one.
#[test]
fn decisions_do_not_depend_on_pieces() {
    let (folder, model) = (TempDir::new().unwrap(), Model::random(1, 16, &[8]));
    let games: Vec<Game> = (0..2500).map(|seed| Game::new(&Rules::default(), seed)).collect();
    let due = due(&games);
    for agent in [named("neural:model=uniform"), agent(&folder, &model, ",temperature=1")] {
        let decide = |agent: &mut dyn Agent, due: &[(usize, Seat)]| {
            let mut replies = Vec::new();
            agent.decide(&mut requests(&games, due), &mut replies).unwrap();
            replies
        };
        let mut alone = start(&agent, true);
        let expected: Vec<Reply> = due.iter().flat_map(|due| decide(&mut *alone, &[*due])).collect();
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| decide(&mut *start(&agent, true), &due));
            assert_eq!(found, expected, "{agent}, {threads} threads");
        }
    }
}

/// As a policy, a network decides as in batches, on any thread.
#[test]
fn a_policy_decides_as_the_agent() {
    use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
    let (folder, model) = (TempDir::new().unwrap(), Model::random(3, 40, &[24]));
    let mut games: Vec<Game> = (0..40).map(|seed| Game::new(&Rules::default(), seed)).collect();
    for options in ["", ",precision=int8", ",temperature=1,average-suits=on"] {
        let agent = agent(&folder, &model, options);
        let policy = agent.to_policy().unwrap_or_else(|error| panic!("{error}"));
        let mut started = start(&agent, true);
        for _ in 0..20 {
            let (due, mut expected) = (due(&games), Vec::new());
            started.decide(&mut requests(&games, &due), &mut expected).unwrap();
            let answer = |(at, seat): &(usize, Seat)| {
                let o = games[*at].observe(*seat);
                let rng = || games[*at].random_stream(*seat, policy.salt());
                let reply = policy.reply(&o, &mut rng());
                assert_eq!(policy.choose(&o, &mut rng()), reply.action);
                reply
            };
            let found: Vec<Reply> = due.par_iter().map(answer).collect();
            assert_eq!(found, expected, "{agent}");
            for ((at, seat), reply) in due.into_iter().zip(found) {
                games[at].submit(seat, reply.action).unwrap_or_else(|illegal| panic!("{illegal}"));
            }
        }
    }
}

/// A search may start from the probabilities of a network and let a network play on, under the rules of
/// both.
#[test]
fn a_search_uses_networks() {
    let (folder, model) = (TempDir::new().unwrap(), Model::random(4, 24, &[16]));
    let network = agent(&folder, &model, "");
    let text = format!("mc:prior={network},rollout={network},rollouts=32", network = network.name());
    let search = named(&text);
    let path = folder.path().join("m.safetensors");
    assert_eq!(search.files(), network.files());
    let (policy, prior) = (search.policy().unwrap(), network.to_policy().unwrap());
    let (mut game, mut same) = (Game::new(&Rules::default(), 5), 0);
    for _ in 0..30 {
        let (seat, legal) = game.decisions().next().unwrap();
        let (o, mut rng) = (game.observe(seat), game.random_stream(seat, 0));
        let action = policy.choose(&o, &mut rng.clone());
        assert!(legal.contains(action.id()));
        same += u32::from(action == prior.choose(&o, &mut rng));
        game.submit(seat, action).unwrap();
    }
    assert!((1..30).contains(&same), "{same}");
    let sanma = jantaku_engine::rules::Preset::named("tenhou-sanma").unwrap().rules();
    let error = search.check_rules(&sanma).unwrap_err().to_string();
    assert!(error.contains(&*path.to_string_lossy()), "{error}");
    assert!(search.check_rules(&Rules::default()).is_ok());
}

/// With other numbers of players and at all decisions, only legal actions are chosen.
#[test]
fn actions_are_legal() {
    let (folder, model) = (TempDir::new().unwrap(), Model::random(2, 16, &[]));
    for preset in jantaku_engine::rules::PRESETS {
        for options in [",rules=any", ",rules=any,temperature=1,average-suits=on"] {
            let agent = agent(&folder, &model, options);
            play(&mut *start(&agent, false), &preset.rules(), 100, 60).unwrap();
        }
    }
}

#[test]
fn uniform_plays_all_legal_actions_alike() {
    let agent = named("neural:model=uniform");
    assert_eq!(agent.name(), "neural:model=uniform");
    assert!(agent.files().is_empty());
    let game = Game::new(&Rules::default(), 1);
    let (seat, legal) = game.decisions().next().unwrap();
    let (mut started, share) = (start(&agent, true), 1.0 / legal.len() as f32);
    let mut counts = std::collections::BTreeMap::new();
    for salt in 0..2_000 {
        let request = Request {
            table: TableId(0),
            observation: game.observe(seat),
            rng: game.random_stream(seat, salt),
        };
        let mut replies = Vec::new();
        started.decide(&mut [request], &mut replies).unwrap();
        let search_info = replies[0].search_info.as_ref().unwrap();
        assert_eq!((search_info.value, search_info.probability), (None, Some(share)));
        assert_eq!(search_info.policy, Some(vec![share; legal.len() as usize]));
        *counts.entry(replies[0].action.id()).or_insert(0.0) += 1.0;
    }
    assert_eq!(counts.len(), legal.len() as usize);
    let expected = 2_000.0 * f64::from(share);
    let square: f64 = counts.values().map(|count: &f64| (count - expected).powi(2) / expected).sum();
    // The 99.9th percentile of chi-squared with as many degrees of freedom is below this.
    assert!(square < 2.0 * f64::from(legal.len()) + 15.0, "{square}");
}

/// Search info fits the decision, and is left out if the run does not keep it.
#[test]
fn search_info_fit_the_decision() {
    let (folder, model) = (TempDir::new().unwrap(), Model::random(3, 16, &[8]));
    let agent = agent(&folder, &model, ",temperature=1.5,top-p=0.9");
    let [with, without] = [true, false]
        .map(|search_info| play(&mut *start(&agent, search_info), &Rules::default(), 100, 40).unwrap());
    let actions = |replies: &[Vec<Reply>]| -> Vec<Vec<Action>> {
        replies.iter().map(|game| game.iter().map(|reply| reply.action).collect()).collect()
    };
    assert_eq!(actions(&with), actions(&without));
    assert!(without.iter().flatten().all(|reply| reply.search_info.is_none()));
    let mut games: Vec<Game> = (0..6).map(|seed| Game::new(&Rules::default(), seed)).collect();
    for (game, replies) in games.iter_mut().zip(with) {
        // Decisions of one step come in the order of their seats, and the last one moves the game on.
        let mut replies = replies.into_iter();
        while let [first, ..] = replies.as_slice() {
            assert!(first.search_info.is_some());
            for seat in game.pending().iter() {
                let reply = replies.next().unwrap();
                let legal = game.observe(seat).legal();
                let search_info = reply.search_info.unwrap();
                assert!(search_info.value.is_some());
                assert!(search_info.probability.unwrap() > 0.0);
                search_info.check(legal).unwrap_or_else(|wrong| panic!("{wrong}"));
                game.submit(seat, reply.action).unwrap();
            }
        }
    }
}

#[test]
fn other_rules_are_an_error() {
    let (folder, model) = (TempDir::new().unwrap(), Model::random(4, 16, &[]));
    let other = Rules { kuitan: false, ..Rules::default() };
    let error =
        play(&mut *start(&agent(&folder, &model, ""), false), &other, 100, 1).unwrap_err().to_string();
    let parts =
        ["m.safetensors: manifest, rules.hash: found rules ", "expected the rules of the game", "rules=any"];
    for part in parts {
        assert!(error.contains(part), "{error}");
    }
    play(&mut *start(&agent(&folder, &model, ",rules=any"), false), &other, 100, 1).unwrap();
    // Players do not notice kept draws.
    let kept = Rules { keep_draws: true, ..Rules::default() };
    play(&mut *start(&agent(&folder, &model, ""), false), &kept, 100, 1).unwrap();
}

/// An overflow in any layer is an error that names the table.
#[test]
fn answers_are_finite() {
    let folder = TempDir::new().unwrap();
    let huge = |layers: &[usize], names: &[&str]| {
        let mut model = Model::random(5, 16, layers);
        for name in names {
            model.tensors.get_mut(*name).unwrap().values.fill(3e38);
        }
        model
    };
    let models = [
        huge(&[], &["embedding.bias", "policy.weight"]),
        huge(&[], &["embedding.weight"]),
        huge(&[8], &["embedding.weight"]),
    ];
    for model in &models {
        for options in ["", ",temperature=1", ",precision=int8"] {
            let error = play(&mut *start(&agent(&folder, model, options), false), &Rules::default(), 100, 1);
            let AgentError::Failed { table, reason, .. } = error.unwrap_err() else {
                panic!("another error")
            };
            assert_eq!(table, Some(TableId(0)));
            assert!(reason.contains("expected finite numbers"), "{reason}");
        }
    }
}

#[test]
fn runs_record_the_file() {
    let (folder, model) = (TempDir::new().unwrap(), Model::random(6, 16, &[]));
    let agent = agent(&folder, &model, "");
    let [file] = agent.files() else { panic!("one file") };
    assert!(file.option.starts_with("model=") && file.option.ends_with("m.safetensors"));
    assert_eq!(file.sha256.len(), 64);
}
