//! The agent `graded`.

use jantaku_agents::{NamedPolicy, Policy};
use jantaku_engine::Rules;
use jantaku_engine::rules::PRESETS;
use jantaku_engine::rules::options::Maybe;

use crate::common::{direct, each_action, named};

const HIGHEST: usize = 6;
/// Games of a table.
const GAMES: u64 = 200;

fn policy(name: &str) -> NamedPolicy {
    named(name).to_policy().expect("a policy")
}

fn level(level: usize) -> NamedPolicy {
    policy(&format!("graded:level={level}"))
}

/// The highest level is `residual`, with three players, too.
#[test]
fn the_highest_level_is_residual() {
    let of = |rules: &Rules, agent: &NamedPolicy| direct(rules, 5, &[agent as &dyn Policy; 4]);
    for preset in ["tenhou", "tenhou-sanma"] {
        let rules = Rules::preset(preset).expect("a preset");
        assert_eq!(of(&rules, &level(HIGHEST)), of(&rules, &policy("residual")), "{preset}");
    }
}

/// Under each preset, every action is legal, and a second game is the same.
#[test]
fn every_level_plays_every_preset() {
    let levels: Vec<NamedPolicy> = (1..=HIGHEST).map(level).collect();
    for (preset, first) in PRESETS.iter().zip((0..levels.len()).cycle()) {
        let rules = Rules { hands_limit: Maybe(Some(3)), ..preset.rules() };
        let seats: Vec<&dyn Policy> =
            (first..first + 4).map(|at| &levels[at % levels.len()] as &dyn Policy).collect();
        assert_eq!(direct(&rules, 7, &seats), direct(&rules, 7, &seats), "{}", preset.name);
    }
}

/// Two levels up, a player finishes clearly better.
#[test]
fn levels_are_in_order_of_strength() {
    for levels in [[1, 3, 5, 1], [2, 4, 6, 2]] {
        let agents = levels.map(level);
        let mut places = [0.0; HIGHEST + 1];
        for game in 0..GAMES {
            // The agents of a set change seats.
            let at = |seat: usize| (seat + game as usize) % 4;
            let seats = std::array::from_fn(|seat| &agents[at(seat)] as &dyn Policy);
            let table = each_action(&Rules::default(), game / 4, seats, |_, _, _| {});
            let results = table.results().expect("the game is over");
            for (seat, result) in results.enumerate() {
                places[levels[at(seat.index())]] += f64::from(result.placement) / GAMES as f64;
            }
        }
        let [low, middle, high, _] = levels;
        let [low, middle, high] = [places[low] / 2.0, places[middle], places[high]];
        assert!(low > middle + 0.2 && middle > high + 0.2, "{levels:?}: {low}, {middle}, {high}");
    }
}
