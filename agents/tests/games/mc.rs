//! The agent `mc`, and its inference of hidden hands.

use jantaku_agents::inference::{HandInference, HandState, InferenceModel};
use jantaku_agents::residual::Residual;
use jantaku_agents::{Built, Catalog, Entry, Heuristic, MonteCarlo, Policy, Reply, SearchInfo};
use jantaku_engine::rules::PRESETS;
use jantaku_engine::rules::options::OpenRiichi;
use jantaku_engine::{Action, ActionId, Declare, Game, Observation, Phase, Rng, Round, Rules, Seat, Tile};

use crate::common::{each_action_of_heuristic, named};

/// Plays games of `heuristic` and calls `at` with one in `rate` decisions.
fn decisions(
    rules: &Rules,
    seeds: std::ops::Range<u64>,
    rate: usize,
    mut at: impl FnMut(&Game, Seat, &mut Rng),
) {
    for seed in seeds {
        each_action_of_heuristic(rules, seed, |game, seat, _| {
            let mut rng = game.random_stream(seat, 1);
            if rng.below(rate) == 0 {
                at(game, seat, &mut rng);
            }
        });
    }
}

fn sorted(tiles: &[Tile]) -> Vec<Tile> {
    let mut tiles = tiles.to_vec();
    tiles.sort_unstable();
    tiles
}

/// Sampled worlds have exactly the hidden tiles, and players in riichi are tenpai in them.
#[test]
fn sampled_worlds_are_possible() {
    let model = InferenceModel::released();
    let mut riichi = 0;
    for preset in PRESETS {
        let rules = preset.rules();
        decisions(&rules, 0..2, 20, |game, seat, rng| {
            let o = game.observe(seat);
            if o.phase() == Phase::End {
                return;
            }
            let inference = HandInference::new(model.of(rules.players), &o);
            let world = inference.sample(rng);
            assert_eq!(sorted(world.tiles()), sorted(o.hidden().tiles()), "{}", preset.name);
            let guess = world.complete(&o);
            for evidence in inference.evidence().filter(|found| found.state == HandState::Riichi) {
                riichi += 1;
                let waits = guess.private(evidence.seat).waits();
                assert!(!waits.is_empty(), "{}: seat {:?} is noten", preset.name, evidence.seat);
            }
        });
    }
    assert!(riichi > 100, "{riichi}");
}

/// Hands sampled for an open riichi have the waits that it shows.
#[test]
fn open_riichi_has_the_waits_it_shows() {
    let rules = Rules { open_riichi: OpenRiichi::OneHan, ..Rules::default() };
    let (model, agent) = (InferenceModel::released(), Heuristic::default());
    let (mut shown, mut as_shown) = (0_u32, 0_u32);
    for seed in 0..40 {
        let mut game = Game::new(&rules, seed);
        while let Some(seat) = game.pending().iter().next() {
            let (o, mut rng) = (game.observe(seat), game.random_stream(seat, 1));
            if rng.below(8) == 0 && o.phase() != Phase::End {
                let inference = HandInference::new(model.of(rules.players), &o);
                let guess = inference.sample(&mut rng).complete(&o);
                for other in rules.players.others(seat).filter(|other| !o.shown_waits(*other).is_empty()) {
                    shown += 1;
                    as_shown += u32::from(guess.private(other).waits() == o.shown_waits(other));
                }
            }
            let is_open =
                |action: &Action| matches!(action, Action::Discard { declare: Declare::OpenRiichi, .. });
            let open = o.legal().iter().map(ActionId::action).find(is_open);
            let action = open.unwrap_or_else(|| agent.choose(&o, &mut rng));
            game.submit(seat, action).expect("legal");
        }
    }
    assert!(shown > 500 && f64::from(as_shown) > 0.98 * f64::from(shown), "{as_shown} of {shown}");
}

/// Inferred worlds are closer to the true hands than uniform ones: they share more tiles with them, and
/// more of them agree on tenpai.
#[test]
fn inferred_worlds_are_closer_to_the_truth_than_uniform_ones() {
    const DRAWS: usize = 40;
    let model = InferenceModel::released();
    for preset in ["tenhou", "tenhou-sanma"] {
        let rules = Rules::preset(preset).expect("a preset");
        let (mut overlap, mut tenpai) = ([0.0; 2], [0.0; 2]);
        let mut count = 0.0;
        decisions(&rules, 500..512, 30, |game, seat, rng| {
            let o = game.observe(seat);
            if !matches!(o.phase(), Phase::Turn | Phase::Claim) {
                return;
            }
            let inference = HandInference::new(model.of(rules.players), &o);
            let ways: [&dyn Fn(&mut Rng) -> Round; 2] =
                [&|rng| inference.sample(rng).complete(&o), &|rng| o.determinize(rng)];
            for (at, draw) in ways.into_iter().enumerate() {
                for _ in 0..DRAWS {
                    let guess = draw(rng);
                    for other in rules.players.others(seat) {
                        let [real, drawn] = [game.round(), &guess].map(|round| round.private(other));
                        let kinds = real.hand().kinds() & drawn.hand().kinds();
                        overlap[at] += f64::from(kinds.len()) / DRAWS as f64;
                        let agree = real.waits().is_empty() == drawn.waits().is_empty();
                        tenpai[at] += f64::from(u8::from(agree)) / DRAWS as f64;
                    }
                }
            }
            count += f64::from(rules.players.count() - 1);
        });
        let [overlap, tenpai] = [overlap, tenpai].map(|sums| sums.map(|sum| sum / count));
        assert!(overlap[0] > overlap[1] + 0.15, "{preset}: kinds in common {overlap:?}");
        assert!(tenpai[0] > tenpai[1] + 0.03, "{preset}: tenpai as in truth {tenpai:?}");
    }
}

/// Decisions do not depend on the number of threads, nor on whether games run in parallel.
#[test]
fn decisions_are_the_same_on_any_number_of_threads() {
    let agent = named("mc:rollouts=48");
    let search = agent.downcast::<MonteCarlo>().expect("mc");
    let pools =
        [1, 4].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads"));
    let mut searched = 0;
    decisions(&Rules::default(), 7..8, 12, |game, seat, rng| {
        let o = game.observe(seat);
        let found = |rng: &mut Rng| {
            let found = search.search(&o, rng);
            let arms: Vec<_> =
                found.arms.iter().map(|arm| (arm.action, arm.worlds, arm.difference)).collect();
            (found.action, arms)
        };
        let outside = found(&mut rng.clone());
        for pool in &pools {
            let inside = pool.install(|| found(&mut rng.clone()));
            assert_eq!(outside, inside);
        }
        assert_eq!(agent.policy().expect("a policy").choose(&o, &mut rng.clone()), outside.0);
        searched += usize::from(outside.1.len() > 1);
    });
    assert!(searched > 5, "{searched} searches");
}

/// The agent plays every preset with legal actions and reports valid search info.
#[test]
fn every_preset_can_be_played() {
    for (seed, preset) in PRESETS.iter().enumerate() {
        let rules = preset.rules();
        let agent = named("mc:rollouts=8");
        let policy = agent.policy().expect("a policy");
        let mut game = Game::new(&rules, seed as u64);
        while !game.is_over() && game.hand_count() < 2 {
            let (seat, legal) = game.decisions().next().expect("a decision");
            let reply = policy.reply(&game.observe(seat), &mut game.random_stream(seat, policy.salt()));
            if let Some(search_info) = &reply.search_info {
                search_info.check(legal).unwrap_or_else(|wrong| panic!("{}: {wrong}", preset.name));
            }
            game.submit(seat, reply.action).expect("legal");
        }
    }
}

/// Discards tiles that it draws, and gives them three times the probability of each other action.
struct Lazy;

impl Policy for Lazy {
    fn choose(&self, o: &Observation<'_>, _: &mut Rng) -> Action {
        let actions = || o.legal().iter().map(ActionId::action);
        let drawn = actions().find(|action| matches!(action, Action::Tsumogiri { .. } | Action::Pass));
        drawn.or_else(|| actions().next()).expect("a legal action")
    }

    fn reply(&self, o: &Observation<'_>, rng: &mut Rng) -> Reply {
        let (choice, all) = (self.choose(o, rng), o.legal().len() as f32 + 2.0);
        let probability = |id: ActionId| if id.action() == choice { 3.0 / all } else { 1.0 / all };
        let policy = Some(o.legal().iter().map(probability).collect());
        Reply { search_info: Some(Box::new(SearchInfo { policy, ..SearchInfo::default() })), ..choice.into() }
    }
}

/// Other agents can be the prior and play the rollouts. A prior without probabilities is an error.
#[test]
fn other_agents_can_be_the_prior_and_play() {
    const LAZY: Entry =
        Entry { name: "lazy", about: "keeps its hand", options: &[], build: |_, _| Ok(Built::policy(Lazy)) };
    let catalog = Catalog::standard().with(LAZY);
    let mut game = Game::new(&Rules::default(), 3);
    let mut replaced = 0;
    for text in ["mc:rollouts=60,prior=lazy,rollout=greedy", "mc:rollouts=60,prior=lazy,sampling=uniform"] {
        let agent = catalog.agent(text).unwrap_or_else(|error| panic!("{error}"));
        let search = agent.downcast::<MonteCarlo>().expect("mc");
        for _ in 0..30 {
            let (seat, legal) = game.decisions().next().expect("a decision");
            let (o, mut rng) = (game.observe(seat), game.random_stream(seat, search.salt()));
            let found = search.search(&o, &mut rng);
            assert_eq!(found.arms.len(), search.candidates.min(legal.len() as usize));
            // 200 points for each factor of e.
            let gaps = found.arms[1..].iter().map(|arm| arm.gap.expect("a probability"));
            assert!(gaps.into_iter().all(|gap| (gap + 200.0 * 3_f32.ln()).abs() < 0.1));
            replaced += usize::from(found.action != found.arms[0].action);
            game.submit(seat, found.action).expect("legal");
        }
    }
    assert!(replaced > 5, "{replaced} decisions against the prior");
    for prior in ["greedy", "random", "mc:ms=60000", "noisy:p=0.1"] {
        let error = catalog.agent(&format!("mc:prior=\"{prior}\"")).expect_err("no probabilities");
        assert!(error.to_string().contains("cannot be the prior"), "{error}");
    }
    assert!(!named("mc:ms=1").is_deterministic() && named("mc").is_deterministic());
}

/// With `residual` as the prior, the search starts from its choice and its corrected estimates.
#[test]
fn a_corrected_estimate_can_be_the_prior() {
    let (agent, residual) = (named("mc:rollouts=48,prior=residual"), named("residual"));
    let search = agent.downcast::<MonteCarlo>().expect("mc");
    let residual = residual.downcast::<Residual>().expect("residual");
    let mut searched = 0;
    decisions(&Rules::default(), 3..5, 6, |game, seat, rng| {
        let o = game.observe(seat);
        let found = search.search(&o, rng);
        let expected = residual.choose(&o, &mut Rng::new(0));
        assert_eq!(found.arms.first().map_or(found.action, |arm| arm.action), expected);
        let Ok(corrected) = residual.compare(&o, &mut Rng::new(0)) else { return };
        let top = corrected.gain(corrected.chosen());
        for arm in found.arms.iter().skip(1) {
            let candidates = &corrected.comparison.candidates;
            let at = candidates.iter().position(|candidate| candidate.action == arm.action);
            let gain = corrected.gain(at.expect("a candidate of the prior"));
            assert_eq!(arm.gap, top.zip(gain).map(|(top, gain)| (gain - top).min(0.0)));
            searched += 1;
        }
    });
    assert!(searched > 20, "{searched}");
}

/// With a time instead of rollouts, a decision takes about that time.
#[test]
fn a_decision_takes_its_time() {
    let agent = named("mc:ms=40");
    let policy = agent.policy().expect("a policy");
    let mut longest = std::time::Duration::ZERO;
    decisions(&Rules::default(), 11..12, 60, |game, seat, rng| {
        let start = std::time::Instant::now();
        let _ = policy.choose(&game.observe(seat), rng);
        longest = longest.max(start.elapsed());
    });
    assert!(longest.as_millis() >= 30, "{longest:?}");
}
