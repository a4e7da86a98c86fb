//! The luck of players, and results without it.

use std::sync::Arc;

use jantaku_agents::{Catalog, NamedAgent, Policy as _};
use jantaku_engine::replay::Spectator;
use jantaku_engine::rules::{PRESETS, Preset};
use jantaku_engine::{Action, Event, Game, Observation, Observer, Rules, Seat, Tile, TileKind};
use jantaku_measure::arena::aivat::ControlVariate;
use jantaku_measure::arena::aivat::view::View;
use jantaku_measure::arena::{Match, MatchPlan, MatchResult};
use jantaku_sim::play::{Detail, Seatings};
use jantaku_sim::run::RunConfig;

/// Plays a game of an agent with itself. `each` sees the game after every answer.
fn play(rules: &Rules, seed: u64, agent: &str, seen: &mut impl Observer, mut each: impl FnMut(&Game)) {
    let policy = Catalog::standard().agent(agent).expect("an agent").policy().expect("a policy");
    let mut game = Game::new_seen(rules, seed, seen);
    loop {
        let next = game.decisions().next();
        let Some((seat, _)) = next else { return };
        let action = policy.choose(&game.observe(seat), &mut game.random_stream(seat, policy.salt()));
        game.submit_seen(seat, action, seen).expect("a legal action");
        each(&game);
    }
}

/// A view that a game shows itself to while it is compared with the game.
#[derive(Clone)]
struct Shared(std::rc::Rc<std::cell::RefCell<View>>);

impl Observer for Shared {
    fn event(&mut self, event: &Event) {
        self.0.borrow_mut().event(event);
    }
}

/// The hidden tiles are those neither open nor in a hand, as the engine counts them. The tiles of
/// the wall are among them. Players who move at random call, declare kans and set Norths aside.
#[test]
fn hidden_tiles_are_those_of_the_wall() {
    let (mut kans, mut norths) = (0, 0);
    for preset in PRESETS {
        let rules = preset.rules();
        for (seed, agent) in [(1, "random"), (2, "random"), (3, "greedy")] {
            let view = Shared(std::rc::Rc::new(std::cell::RefCell::new(View::new(&rules))));
            play(&rules, seed, agent, &mut view.clone(), |game| {
                if game.is_over() || game.round().outcome().is_some() {
                    return;
                }
                let view = view.0.borrow();
                let mut held = TileKind::all().map(|_| 0).collect::<Vec<u32>>();
                for seat in rules.players.seats() {
                    let hand = game.observe(seat).hand_with_draw();
                    assert_eq!(view.places[seat].hand, hand, "{}: {seat:?}", preset.name);
                    TileKind::all().for_each(|kind| held[kind.index()] += hand.count(kind) as u32);
                    norths += u32::from(game.table().side(seat).norths());
                }
                for kind in TileKind::all() {
                    let unseen = game.table().unseen().of(kind) - held[kind.index()];
                    assert_eq!(view.hidden_kinds.of(kind), unseen, "{}: {kind}", preset.name);
                    let tiles = Tile::all().filter(|tile| tile.kind() == kind);
                    let by_tile: u32 = tiles.map(|tile| u32::from(view.hidden[tile.index()])).sum();
                    assert_eq!(by_tile, unseen);
                }
                let mut left = view.hidden;
                let wall = game.round().wall();
                for tile in wall.live_tiles().iter().copied().chain(wall.replacement_tiles()) {
                    assert!(left[tile.index()] > 0, "{}: {tile} is in the wall", preset.name);
                    left[tile.index()] -= 1;
                }
                assert_eq!(view.live, game.table().live(), "{}", preset.name);
                kans += u32::from(game.table().kans());
            });
        }
    }
    assert!(kans > 0 && norths > 0, "{kans} kans, {norths} Norths");
}

/// Follows the luck through a game. At each draw and indicator, computes the luck of every possible
/// tile.
struct Followed<'a> {
    variate: ControlVariate<'a>,
    view: View,
    chances: usize,
    largest: f64,
}

impl Followed<'_> {
    /// Checks that luck has the mean 0 over the hidden tiles.
    fn check(&mut self, event: impl Fn(Tile) -> Event) {
        let mut mean = [[0.0; 4]; 3];
        let mut count = 0.0;
        for tile in Tile::all() {
            let copies = f64::from(self.view.hidden[tile.index()]);
            if copies == 0.0 {
                continue;
            }
            let mut after = self.variate.clone();
            after.event(&event(tile));
            for ((mean, after), before) in mean.iter_mut().zip(after.total()).zip(self.variate.total()) {
                for ((mean, after), before) in mean.iter_mut().zip(after).zip(before) {
                    *mean += copies * (after - before);
                    self.largest = self.largest.max((after - before).abs());
                }
            }
            count += copies;
        }
        let units = [1.0, 1000.0, 1000.0];
        for (mean, unit) in mean.iter().zip(units) {
            assert!(mean.iter().all(|sum| (sum / count).abs() < 1e-6 * unit), "{mean:?}");
        }
        self.chances += 1;
    }
}

impl Observer for Followed<'_> {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Draw { seat, replacement, .. } => {
                let (seat, replacement) = (*seat, *replacement);
                self.check(|tile| Event::Draw { seat, tile: Some(tile), replacement });
            }
            Event::Indicator { .. } => self.check(|tile| Event::Indicator { tile }),
            _ => {}
        }
        self.variate.event(event);
        self.view.event(event);
    }
}

impl Spectator for Followed<'_> {
    fn decision(&mut self, _: &Observation<'_>, _: Action) {}
}

#[test]
fn the_variate_has_mean_0_over_the_hidden_tiles() {
    for (preset, agent) in [("tenhou", "random"), ("tenhou-sanma", "greedy"), ("dragon-kong-2", "greedy")] {
        let rules = Rules { wind_rounds: 1, ..Preset::named(preset).expect("a preset").rules() };
        let (variate, view) = (ControlVariate::new(&rules, 1), View::new(&rules));
        let mut followed = Followed { variate, view, chances: 0, largest: 0.0 };
        play(&rules, 1, agent, &mut followed, |_| {});
        assert!(followed.chances > 100 && followed.largest > 1000.0, "{preset}: {}", followed.largest);
    }
}

/// The deals of many games have no luck on average, for the dealer as for the others.
#[test]
fn the_mean_variate_of_deals_is_0() {
    const GAMES: u64 = 2000;
    let rules = Rules::default();
    let first = Seat::FIRST.index();
    let of_deal = |seed: u64| {
        let mut variate = ControlVariate::new(&rules, seed);
        let _ = Game::new_seen(&rules, seed, &mut |event: &Event| {
            if matches!(event, Event::Deal { .. }) {
                variate.event(event);
            }
        });
        variate.total()[1][first]
    };
    let variate: Vec<f64> = (0..GAMES).map(of_deal).collect();
    let mean = variate.iter().sum::<f64>() / GAMES as f64;
    let variance = variate.iter().map(|variate| (variate - mean).powi(2)).sum::<f64>() / (GAMES - 1) as f64;
    let error = (variance / GAMES as f64).sqrt();
    assert!(error > 1.0 && mean.abs() < 4.0 * error, "{mean} ± {error}");
}

/// The result of a match with reduced variance that is played in memory.
fn result_of(preset: &str, seatings: Seatings, agents: [&str; 2], sets: u64) -> MatchResult {
    let agents = agents.map(|agent| Catalog::standard().agent(agent).expect("an agent")).to_vec();
    let names = agents.iter().map(NamedAgent::to_string).collect();
    let rules = Preset::named(preset).expect("a preset").rules();
    let config = RunConfig {
        agents: names,
        games: Some(0),
        seed: 1,
        detail: Detail::None,
        seatings,
        ..RunConfig::new(preset, &rules)
    };
    let plan = MatchPlan { sets: Some(sets), variance_reduction: true, ..MatchPlan::default() };
    let mut game = Match::in_memory(config, agents, plan);
    let mut players = game.start(false, &Arc::default()).expect("agents start");
    game.play(&mut players, &mut ()).expect("the agents answer")
}

/// Without luck, agents of equal strength that decide differently still have a fair field's mean.
/// They have less variance with the players that the numbers were fitted for; with two players, the
/// value function is a poor guess.
#[test]
fn equally_strong_agents_are_fair_with_reduced_variance() {
    let agents = [1, 2].map(|salt| format!("noisy:base=greedy,p=0.2,salt={salt}"));
    for (preset, fair) in [("tenhou", 2.5), ("tenhou-sanma", 2.0), ("dragon-kong-2", 1.5)] {
        let found = result_of(preset, Seatings::OneVersusRest, agents.each_ref().map(String::as_str), 60);
        let without = found.agents[0].variance_reduced.as_ref().expect("the variance is reduced");
        let error = without.placement.standard_error.expect("many sets");
        assert!((without.placement.value - fair).abs() < 4.0 * error, "{preset}: {without:?}");
        let ratio = without.variance_ratio.placement.expect("sets differ");
        let most = if preset == "dragon-kong-2" { 3.0 } else { 0.95 };
        assert!((0.05..most).contains(&ratio), "{preset}: {without:?}");
    }
}

/// Agents that play the same games have a fair field's mean exactly: the luck of all seats adds up
/// to nothing.
#[test]
fn equal_agents_are_exactly_fair_with_reduced_variance() {
    for (preset, seatings, fair) in [
        ("tenhou", Seatings::OneVersusRest, 2.5),
        ("tenhou", Seatings::TwoVersusTwo, 2.5),
        ("tenhou-sanma", Seatings::OneVersusRest, 2.0),
    ] {
        for agent in result_of(preset, seatings, ["greedy", "greedy"], 2).agents {
            let placement = agent.variance_reduced.expect("the variance is reduced").placement;
            assert_eq!((placement.value, placement.standard_error), (fair, Some(0.0)), "{preset}");
        }
    }
}
