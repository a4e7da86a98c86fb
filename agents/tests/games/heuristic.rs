//! The agent `heuristic`: laws that hold under every rule set.

use jantaku_agents::{Catalog, Greedy, Heuristic, Params, Policy};
use jantaku_engine::rules::PRESETS;
use jantaku_engine::rules::options::Maybe;
use jantaku_engine::{Action, Game, Observation, Phase, Position, Riichi, Rng, Rules};

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
    let mut game = Game::new(rules, seed);
    while !game.is_over() {
        let (seat, _) = game.decisions().next().expect("a seat has to decide");
        let agent = agents[seat.index()];
        let observation = game.observe(seat);
        let action = agent.choose(&observation, &mut game.random_stream(seat, agent.salt()));
        see(&observation, action);
        game.submit(seat, action).unwrap_or_else(|error| panic!("{error}"));
    }
    game
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
    let agent = Catalog::standard().agent("heuristic:version=1").expect("an agent");
    let agent = agent.downcast::<Heuristic>().expect("heuristic").clone();
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
    let catalog = Catalog::standard();
    let agent = |text: &str| catalog.agent(text).unwrap_or_else(|error| panic!("{error}"));
    let [result, places] = ["heuristic", "heuristic:utility=\"90,45,0,-135\""]
        .map(|text| agent(text).policy().expect("a policy"));
    let mut differing = 0;
    for seed in 0..6 {
        play([&Heuristic::default(); 4], &Rules::default(), seed, |o, action| {
            let mut rng = Rng::new(0);
            assert_eq!(result.choose(o, &mut rng), action, "result is the default");
            differing += u32::from(places.choose(o, &mut rng) != action);
        });
    }
    assert!(differing > 0);
    agent("heuristic:utility=placement");
    for text in ["rank", "1,2", "1,1", "5", "5,4,3,2,1", "nan,0", "3e38,0,0,-3e38", "1e-44,0"] {
        let error = catalog.agent(&format!("heuristic:utility=\"{text}\"")).expect_err(text).to_string();
        assert!(error.contains(&format!("`utility` is `{text}`, expected points, result")), "{error}");
    }
}

#[test]
fn parameters_can_be_replaced() {
    let folder = std::env::temp_dir().join(format!("jantaku-params-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("params.toml");
    let read = |text: &str| {
        std::fs::write(&path, text).expect("a file");
        Params::read(&path)
    };
    assert_eq!(read("").expect("no changes"), Params::released());
    assert_ne!(read("[push]\nrisk_share = 1.0\n").expect("one change"), Params::released());
    let cases = [
        ("[push]\nrisk = 1.0\n", "unknown field `risk`"),
        ("[pus]\nrisk_share = 1.0\n", "unknown field `pus`"),
        ("[push]\nrisk_share = \"high\"\n", "expected f32"),
        ("[call]\nopen_nearer = [1, 2]\n", "expected an array of length 6"),
        ("push = 3\n", "expected struct PushParams"),
        ("push\n", "key"),
        (
            "[look_ahead]\nrange = [4.0, 0.2]\n",
            "`look_ahead.range` is [4, 0.2], expected numbers from 0, the lower one first",
        ),
        ("[wait]\nkinds = [1.0, nan]\n", "`wait.kinds[1]` is NaN, expected a number from -1e12 to 1e12"),
        (
            "[shape]\nsafe = 1e30\n",
            "`shape.safe` is 1000000000000000000000000000000, expected a number from -1e12 to 1e12",
        ),
        ("[others]\nwins = [-9.0, 0.0]\n", "`others.wins` has -9, expected rates from 0"),
        ("[three_players.value]\ntenpai = inf\n", "`three_players.value.tenpai` is inf, expected a number"),
        ("three_players = 3\n", "`three_players` is integer, expected a table"),
    ];
    for (text, message) in cases {
        let error = read(text).expect_err(text).to_string();
        assert!(error.starts_with(&path.display().to_string()), "{error}");
        assert!(error.contains(message), "{text:?}: {error}");
    }
    let named = format!("heuristic:defence=off,params={}", path.display());
    let error = Catalog::standard().agent(&named).expect_err("no TOML").to_string();
    assert!(error.contains("params.toml"), "{error}");
    std::fs::remove_dir_all(&folder).expect("the folder");
}

/// A file for the placement model changes decisions. It must not have other tables.
#[test]
fn the_placement_model_can_be_replaced() {
    let folder = std::env::temp_dir().join(format!("jantaku-standing-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("mine.toml");
    let catalog = Catalog::standard();
    let agent = |text: &str| {
        std::fs::write(&path, text).expect("a file");
        catalog.agent(&format!("heuristic:version=1,standing={}", path.display()))
    };
    // Points decide nothing: all differences are far below the standard deviation.
    let list = format!("[{}]", ["9e9"; 9].join(", "));
    let flat = agent(&format!("[standing]\nnarrow = {list}\nwide = {list}\n")).expect("a model");
    assert_eq!(flat.files().len(), 2);
    let flat = flat.policy().expect("a policy");
    let mut differing = 0;
    for seed in 0..6 {
        play([&Heuristic::default(); 4], &Rules::default(), seed, |o, action| {
            differing += u32::from(flat.choose(o, &mut Rng::new(0)) != action);
        });
    }
    assert!(differing > 0);
    let cases = [
        ("[push]\nrisk_share = 1.0\n", "unknown table `push`, expected `standing`"),
        ("[three_players.push]\nrisk_share = 1.0\n", "unknown table `push`, expected `standing`"),
        ("[standing]\ndeviation = [1]\n", "unknown field `deviation`"),
        (
            "[standing]\nnarrow = [1, 1, 1, 1, 0, 1, 1, 1, 1]\n",
            "`standing.narrow` has 0, expected points above 0",
        ),
        (
            "[three_players.standing]\nwide_share = [0, 0, 0, 0, 2, 0, 0, 0, 0]\n",
            "expected a share between 0 and 1",
        ),
    ];
    for (text, message) in cases {
        let error = agent(text).expect_err(text).to_string();
        assert!(error.contains("mine.toml") && error.contains(message), "{text:?}: {error}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder");
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
    let agent = Catalog::standard().agent("heuristic").expect("an agent");
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
    let folder = std::env::temp_dir().join(format!("jantaku-files-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("mine.toml").display().to_string();
    let files = |text: &str| {
        let agent = Catalog::standard().agent(text).unwrap_or_else(|error| panic!("{error}"));
        agent.files().to_vec()
    };
    assert_eq!(files("greedy"), []);
    std::fs::write(&path, "[push]\nrisk_share = 0.5\n").expect("a file");
    let first = files(&format!("heuristic:version=1,params={path}"));
    assert_eq!(first.len(), 2);
    assert_eq!(first[..1], files("heuristic:version=1"));
    assert_eq!(first[1].option, format!("params={path}"));
    assert_eq!(files(&format!("noisy:base=\"heuristic:version=1,params={path}\",p=0.1")), first);
    std::fs::write(&path, "[push]\nrisk_share = 0.6\n").expect("a file");
    assert_ne!(files(&format!("heuristic:version=1,params={path}"))[1].sha256, first[1].sha256);
    std::fs::remove_dir_all(&folder).expect("the folder");
    // Each version changes parameters of the one before.
    let third = files("heuristic:version=3");
    let options: Vec<&str> = third.iter().map(|file| file.option.as_str()).collect();
    assert_eq!((options, &third[..1]), (vec!["version=1", "version=2", "version=3"], &first[..1]));
    assert_eq!(third[..2], files("heuristic:version=2"));
    let error = Catalog::standard().agent("heuristic:version=4").expect_err("no such version").to_string();
    assert_eq!(error, "option `version` of agent `heuristic` is `4`, expected one of 1, 2, 3");
}

/// What an agent does in a position, and its estimate for it.
fn asked(text: &str, position: &str) -> (Action, Option<f32>) {
    let agent = Catalog::standard().agent(text).unwrap_or_else(|error| panic!("{error}"));
    let agent = agent.downcast::<Heuristic>().expect("heuristic");
    let position = Position::from_toml(position, "position").unwrap_or_else(|error| panic!("{error}"));
    let game = position.game(1).unwrap_or_else(|error| panic!("{error}"));
    let o = game.observe(position.seat());
    let action = agent.choose(&o, &mut Rng::new(0));
    let win = agent.explain(&o).iter().find(|candidate| candidate.action == action).map(|found| found.win);
    (action, win)
}

/// In double riichi, a kan keeps the waits but turns junchan and iipeikou into sanankou: it costs 6,000
/// points.
const COSTLY_KAN: &str = include_str!("costly_kan.toml");

/// The same without the sequences: the kan only adds to the hand.
fn cheap_kan() -> String {
    COSTLY_KAN.replace("111222333s99p13m+1s", "111s456m789m99p13p+1s")
}

#[test]
fn greedy_declares_no_kan_that_costs_points() {
    let kans = [COSTLY_KAN, &cheap_kan()].map(|position| {
        let position = Position::from_toml(position, "position").unwrap_or_else(|error| panic!("{error}"));
        let game = position.game(1).unwrap_or_else(|error| panic!("{error}"));
        let action = Greedy::default().choose(&game.observe(position.seat()), &mut Rng::new(0));
        matches!(action, Action::Kan { .. })
    });
    assert_eq!(kans, [false, true]);
}

#[test]
fn version_2_declares_kans_in_riichi_by_value() {
    let kan = |action: Action| matches!(action, Action::Kan { .. });
    assert!(kan(asked("heuristic:version=1", COSTLY_KAN).0));
    assert!(!kan(asked("heuristic:version=2", COSTLY_KAN).0));
    // Without the sequences, the kan only adds to the hand.
    assert!(kan(asked("heuristic:version=2", &cheap_kan()).0));
}

/// In damaten, the kan turns junchan and iipeikou into sanankou, and a better hand is left. Far from
/// tenpai, only the draw counts.
#[test]
fn version_3_weighs_an_ankan_by_the_value_of_the_hand() {
    let kan = |action: Action| matches!(action, Action::Kan { .. });
    let dear = "turn = 5\ndora = \"4p\"\nseat = \"south\"\n[south]\nhand = \"111222333s99p13m+1s\"";
    assert!(kan(asked("heuristic:version=2", dear).0));
    assert!(!kan(asked("heuristic:version=3", dear).0));
    let far = dear.replace("111222333s99p13m+1s", "111s45m1358p257z6m+1s");
    assert!(kan(asked("heuristic:version=3", &far).0));
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
    let [(first, before), (second, after)] =
        ["heuristic:version=1", "heuristic:version=2"].map(|agent| asked(agent, position));
    assert_eq!(first, second);
    assert!(after.expect("an estimate") < before.expect("an estimate"), "{before:?} and {after:?}");
}

/// An open hand that is tenpai and holds a triplet of the discarded tile.
const TENPAI_WITH_TRIPLET: &str = r#"
round = "S3"
honba = 1
indicators = "7s"
seat = "north"
[east]
score = 41600
river = "6z' 1z 4z* 9m"
[south]
score = 16200
river = "7z 4z"
[west]
score = 13500
river = "9s 7z"
[north]
score = 28700
river = "7z 2m 4s*"
melds = "[666'z]"
hand = "999m678p45s55z"
"#;

/// A daiminkan keeps the waits of this hand and adds fu. If its triplet were one of sequences, the kan would
/// break tenpai.
#[test]
fn version_3_makes_a_daiminkan_by_value() {
    let choice = |version: &str, position: &str| asked(&format!("heuristic:version={version}"), position).0;
    assert_eq!(choice("2", TENPAI_WITH_TRIPLET), Action::Pass);
    assert_eq!(choice("3", TENPAI_WITH_TRIPLET), Action::Daiminkan);
    let with_sequence = TENPAI_WITH_TRIPLET.replace("999m678p45s55z", "78999m67p456s");
    assert_eq!(choice("3", &with_sequence), Action::Pass);
    assert_eq!(choice("3,calls=off", TENPAI_WITH_TRIPLET), Action::Pass);
}

/// The triplet of dragons is a set already. A pon with two of its tiles opens the hand, and does not bring it
/// nearer to a win.
#[test]
fn version_3_makes_no_pon_of_a_triplet() {
    let position = r#"
round = "E4"
honba = 1
sticks = 1
indicators = "1m"
seat = "north"
[east]
score = 17700
river = "3m 2z 2s 4z*"
melds = "[666'z]"
[south]
score = 37400
river = "1z 6z' 5z* 7z"
[west]
score = 15600
river = "1z 4z"
[north]
score = 28300
river = "4z 3m"
hand = "67m3p3405689s777z"
"#;
    assert_eq!(asked("heuristic:version=2", position).0, Action::Pon { reds: 0 });
    assert_eq!(asked("heuristic:version=3", position).0, Action::Pass);
}
