//! The agent `heuristic`: laws that hold under every rule set.

use jantaku_agents::{Heuristic, Params, Policy};
use jantaku_engine::rules::PRESETS;
use jantaku_engine::rules::options::Maybe;
use jantaku_engine::{Action, Game, Observation, Phase, Position, Riichi, Rng, Rules};
use tempfile::TempDir;

use crate::common::{each_action, named, refused};

/// The agent with one of its switches set.
fn with(switch: fn(&mut Heuristic)) -> Heuristic {
    let mut agent = Heuristic::default();
    switch(&mut agent);
    agent
}

/// Plays a game and calls `see` with each decision and the action chosen.
fn play(
    agents: [&Heuristic; 4],
    rules: &Rules,
    seed: u64,
    mut see: impl FnMut(&Observation<'_>, Action),
) -> Game {
    let agents = agents.map(|agent| agent as &dyn Policy);
    each_action(rules, seed, agents, |game, seat, action| see(&game.observe(seat), action))
}

/// Under each preset, every action is legal, every win is taken, and a second game is the same.
#[test]
fn it_plays_every_preset() {
    let (usual, fast) = (Heuristic::default(), with(|agent| agent.fast = true));
    for (preset, agent) in PRESETS.iter().flat_map(|preset| [(preset, &usual), (preset, &fast)]) {
        let rules = Rules { hands_limit: Maybe(Some(12)), ..preset.rules() };
        for seed in 0..3 {
            let mut actions = Vec::new();
            play([agent; 4], &rules, seed, |o, action| {
                actions.push(action);
                let wins = [Action::Tsumo, Action::Ron];
                let may_win = wins.iter().any(|win| o.legal().contains(win.id()));
                assert!(!may_win || wins.contains(&action), "{} declined a win for {action}", preset.name);
            });
            let mut again = actions.into_iter();
            play([agent; 4], &rules, seed, |_, action| assert_eq!(again.next(), Some(action)));
            assert_eq!(again.next(), None);
        }
    }
}

/// The caches of outcome values and of rons change no decision and no estimate. Agents with different
/// options take turns in one thread, and each decides as in a new thread.
#[test]
fn a_thread_decides_as_a_new_one() {
    let agents = vec![
        Heuristic::default(),
        with(|agent| agent.fast = true),
        with(|agent| agent.utility = "90,45,0,-135".parse().expect("a utility")),
        with(|agent| agent.placement = false),
    ];
    for preset in ["tenhou", "tenhou-sanma", "wrc", "mleague"] {
        // Short games spend half of their hands at the end, where more values are cached.
        let rules = Rules { wind_rounds: 1, ..Rules::preset(preset).expect("a preset") };
        let mut decisions = 0;
        for seed in 0..2 {
            play([&agents[0], &agents[1], &agents[2], &agents[3]], &rules, seed, |o, _| {
                decisions += 1;
                for agent in &agents {
                    let decide = || (agent.choose(o, &mut Rng::new(0)), agent.explain(o));
                    let alone = std::thread::scope(|scope| scope.spawn(decide).join().expect("a decision"));
                    assert_eq!(decide(), alone, "{preset}, seed {seed}, decision {decisions}");
                }
            });
        }
        assert!(decisions > 200, "{preset}: {decisions} decisions");
    }
}

/// The candidate with the highest value is played, and all numbers are finite.
#[test]
fn it_plays_what_it_explains() {
    let agent = Heuristic::default();
    let mut explained = 0;
    for seed in 0..12 {
        play([&agent; 4], &Rules::default(), seed, |o, action| {
            let candidates = agent.explain(o);
            let wins_or_kans = !matches!(
                action,
                Action::Discard { .. }
                    | Action::Tsumogiri { .. }
                    | Action::Chi { .. }
                    | Action::Pon { .. }
                    | Action::Pass
            );
            if candidates.is_empty() || wins_or_kans {
                return;
            }
            let best = candidates.iter().max_by(|a, b| a.value.total_cmp(&b.value)).expect("a candidate");
            let chosen =
                candidates.iter().filter(|c| c.action == action).map(|c| c.value).fold(f32::MIN, f32::max);
            assert!(chosen >= best.value, "{action} was played instead of {}", best.action);
            for candidate in &candidates {
                assert!(o.legal().contains(candidate.action.id()), "{candidate:?}");
                assert!((0.0..=1.0).contains(&candidate.win) && candidate.risk.is_finite(), "{candidate:?}");
                assert!(candidate.points.is_finite() && candidate.ukeire >= 0.0, "{candidate:?}");
            }
            explained += 1;
        });
    }
    assert!(explained > 1000, "{explained} decisions");
}

/// The first verdict that takes an action is played, unless the agent wins, and nothing else is.
#[test]
fn verdicts_decide_kans_and_kita() {
    let agent = named("heuristic:version=1").downcast::<Heuristic>().expect("heuristic").clone();
    let [mut taken, mut declined] = [0; 2];
    let rules = ["tenhou", "tenhou-sanma"].map(|name| Rules::preset(name).expect("a preset"));
    for (seed, rules) in (0..40).zip(rules.iter().cycle()) {
        play([&agent; 4], rules, seed, |o, action| {
            let verdicts = agent.verdicts(o);
            assert!(verdicts.iter().all(|verdict| o.legal().contains(verdict.action.id())));
            let first = verdicts.iter().find(|verdict| verdict.taken).map(|verdict| verdict.action);
            let is_ruled = matches!(action, Action::Kan { .. } | Action::Kita | Action::KyuushuKyuuhai);
            if action != Action::Tsumo {
                assert_eq!(first, is_ruled.then_some(action));
            }
            taken += usize::from(first.is_some());
            declined += usize::from(first.is_none() && !verdicts.is_empty());
        });
    }
    assert!(taken > 100 && declined > 10, "{taken} taken, {declined} declined");
}

/// Against players in riichi, the agent discards dangerous tiles less often than without defence.
#[test]
fn defence_lowers_the_danger_of_discards() {
    let (whole, reckless) = (Heuristic::default(), with(|agent| agent.defence = false));
    let agents = [&whole, &reckless, &whole, &reckless];
    let mut discards = [0u32; 2];
    let mut dangerous = [0u32; 2];
    for seed in 0..60 {
        play(agents, &Rules::default(), seed, |o, action| {
            let tile = match action {
                Action::Discard { tile, .. } => tile,
                Action::Tsumogiri { .. } => o.drawn().expect("tsumogiri of the drawn tile"),
                _ => return,
            };
            let others = o.rules().players.others(o.seat());
            for other in others.filter(|seat| o.side(*seat).riichi() != Riichi::None) {
                let who = o.seat().index() % 2;
                discards[who] += 1;
                let is_genbutsu = o.discards().of(other).any(|discard| discard.tile.kind() == tile.kind());
                dangerous[who] += u32::from(!is_genbutsu);
            }
        });
    }
    let [safe, open] = [0, 1].map(|who| f64::from(dangerous[who]) / f64::from(discards[who]));
    assert!(discards[0] > 500 && safe + 0.08 < open, "{safe:.2} and {open:.2} of {discards:?} discards");
}

/// Wait chances are probabilities, and 0 for a player's own discards.
#[test]
fn nobody_waits_for_their_own_discards() {
    let agent = Heuristic::default();
    play([&agent; 4], &Rules::default(), 0, |o, _| {
        for other in o.rules().players.others(o.seat()) {
            let chances = agent.wait_chances(o, other);
            assert!(chances.iter().all(|chance| (0.0..=1.0).contains(chance)), "{chances:?}");
            for discard in o.discards().of(other) {
                assert!(chances[discard.tile.kind().index()] <= 0.0, "{}", discard.tile);
            }
        }
    });
}

/// In the last hand, placement changes some decisions of a player who otherwise plays for points.
#[test]
fn placement_changes_decisions() {
    let (whole, points) = (Heuristic::default(), with(|agent| agent.placement = false));
    let mut differing = 0;
    for seed in 0..20 {
        play([&whole; 4], &Rules::default(), seed, |o, action| {
            if o.phase() == Phase::Turn && o.round() >= 7 {
                let mut rng = Rng::new(0);
                differing += u32::from(points.choose(o, &mut rng) != action);
            }
        });
    }
    assert!(differing > 0);
}

/// Maximising placement alone leads to different decisions than maximising the result.
#[test]
fn utility_says_what_is_maximised() {
    let [result, places] = ["heuristic", "heuristic:utility=\"90,45,0,-135\""]
        .map(|text| named(text).policy().expect("a policy"));
    let mut differing = 0;
    for seed in 0..6 {
        play([&Heuristic::default(); 4], &Rules::default(), seed, |o, action| {
            let mut rng = Rng::new(0);
            assert_eq!(result.choose(o, &mut rng), action, "result is the default");
            differing += u32::from(places.choose(o, &mut rng) != action);
        });
    }
    assert!(differing > 0);
    named("heuristic:utility=placement");
    for text in ["rank", "1,2", "1,1", "5", "5,4,3,2,1", "nan,0", "3e38,0,0,-3e38", "1e-44,0"] {
        let error = refused(&format!("heuristic:utility=\"{text}\""));
        assert!(error.contains(&format!("`utility` is `{text}`, expected points, result")), "{error}");
    }
}

/// Each file of `bad_params.toml` is refused by its own error, which names the file.
#[test]
fn wrong_files_are_refused() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("mine.toml");
    let bad: toml::Table = include_str!("../bad_params.toml").parse().expect("TOML");
    for (option, files) in bad {
        for file in files.as_array().expect("files") {
            let [text, part] = ["text", "error"].map(|key| file[key].as_str().expect("a text"));
            std::fs::write(&path, text).expect("a file");
            let error = refused(&format!("heuristic:version=1,{option}={}", path.display()));
            assert!(error.contains("mine.toml") && error.contains(part), "{text:?}: {error}");
        }
    }
}

#[test]
fn parameters_can_be_replaced() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("mine.toml");
    for (text, changes) in [("", false), ("[push]\nrisk_share = 1.0\n", true)] {
        std::fs::write(&path, text).expect("a file");
        assert_eq!(Params::read(&path).expect("parameters") != Params::released(), changes);
    }
}

/// A file for the placement model changes decisions.
#[test]
fn the_placement_model_can_be_replaced() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("mine.toml");
    // Points decide nothing: all differences are far below the standard deviation.
    let list = format!("[{}]", ["9e9"; 9].join(", "));
    std::fs::write(&path, format!("[standing]\nnarrow = {list}\nwide = {list}\n")).expect("a file");
    let flat = named(&format!("heuristic:version=1,standing={}", path.display()));
    assert_eq!(flat.files().len(), 2);
    let flat = flat.policy().expect("a policy");
    let mut differing = 0;
    for seed in 0..6 {
        play([&Heuristic::default(); 4], &Rules::default(), seed, |o, action| {
            differing += u32::from(flat.choose(o, &mut Rng::new(0)) != action);
        });
    }
    assert!(differing > 0);
}

/// The SHA-256 of the files of the released parameters.
const RELEASED: [(&str, &str); 3] = [
    ("version=1", "cdbb58177c2b3277a3615709bbf48106f21204a1a9dfe5b7b182541f8caa66ac"),
    ("version=2", "18241f2b6594cc26ac43dfd32dabc9b93b58acd26bdd8dd29c42ab780549434c"),
    ("version=3", "34f041967e8e8f7030626a225c625fac30831116a906f9a147ebe4b15c42f778"),
];

/// Runs record the parameters of their agents. A released version never changes its bytes.
#[test]
fn released_parameters_stay_as_they_are() {
    let agent = named("heuristic");
    let files = agent.files().iter().map(|file| (file.option.as_str(), file.sha256.as_str()));
    assert_eq!(
        files.collect::<Vec<_>>(),
        RELEASED,
        "the file of a version has changed. If that version is not released yet, set its hash in RELEASED to \
         the one on the left. If it is, restore the file and add the new numbers as a version of their own"
    );
}

/// An agent lists all files that its parameters come from, even inside another agent.
#[test]
fn agents_list_the_files_of_their_parameters() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("mine.toml").display().to_string();
    let files = |text: &str| named(text).files().to_vec();
    assert_eq!(files("greedy"), []);
    std::fs::write(&path, "[push]\nrisk_share = 0.5\n").expect("a file");
    let first = files(&format!("heuristic:version=1,params={path}"));
    assert_eq!(first.len(), 2);
    assert_eq!(first[..1], files("heuristic:version=1"));
    assert_eq!(first[1].option, format!("params={path}"));
    assert_eq!(files(&format!("noisy:base=\"heuristic:version=1,params={path}\",p=0.1")), first);
    std::fs::write(&path, "[push]\nrisk_share = 0.6\n").expect("a file");
    assert_ne!(files(&format!("heuristic:version=1,params={path}"))[1].sha256, first[1].sha256);
    // Each version changes parameters of the one before.
    let third = files("heuristic:version=3");
    let options: Vec<&str> = third.iter().map(|file| file.option.as_str()).collect();
    assert_eq!((options, &third[..1]), (vec!["version=1", "version=2", "version=3"], &first[..1]));
    assert_eq!(third[..2], files("heuristic:version=2"));
    let error = refused("heuristic:version=4");
    assert_eq!(error, "option `version` of agent `heuristic` is `4`, expected one of 1, 2, 3");
}

/// What agents do in the positions of `choices.toml`.
#[test]
fn choices_are_those_of_the_file() {
    let file: toml::Table = include_str!("../choices.toml").parse().expect("TOML");
    for row in file["position"].as_array().expect("positions") {
        let [about, text] = ["about", "text"].map(|key| row[key].as_str().expect("a text"));
        for (name, action) in row["does"].as_table().expect("agents") {
            let policy = named(name).policy().expect("a policy");
            let found = asked(text, |o| o.describe(policy.choose(o, &mut Rng::new(0))));
            assert_eq!(Some(&*found), action.as_str(), "{name}: {about}");
        }
    }
}

/// Asks in a position.
fn asked<T>(position: &str, ask: impl FnOnce(&Observation<'_>) -> T) -> T {
    let position = Position::from_toml(position, "position").unwrap_or_else(|error| panic!("{error}"));
    let game = position.game(1).unwrap_or_else(|error| panic!("{error}"));
    ask(&game.observe(position.seat()))
}

/// An open hand without a yaku that is complete with the drawn tile. Every discard leaves a wait on the
/// discarded tile.
#[test]
fn version_2_knows_that_a_discard_makes_furiten() {
    let position = r#"
seat = "south"
dora = "3m"
[east]
river = "9m 1z 9s 3m' 1p 1m"
[south]
river = "9m 1z 2z 9p 4z"
melds = "[3'45m]"
hand = "234678p22s78s+9s"
[west]
river = "1z 9m 5z 6z 6z"
[north]
river = "2z 9p 7z 1s 6z"
"#;
    let win = |name: &str| {
        let agent = named(name).downcast::<Heuristic>().expect("heuristic").clone();
        asked(position, |o| {
            let action = agent.choose(o, &mut Rng::new(0));
            let found = agent.explain(o).into_iter().find(|candidate| candidate.action == action);
            (action, found.expect("an estimate").win)
        })
    };
    let [(first, before), (second, after)] = ["heuristic:version=1", "heuristic:version=2"].map(win);
    assert_eq!(first, second);
    assert!(after < before, "{before} and {after}");
}
