//! The placement model: laws that hold for the released parameters.

use jantaku_agents::{Params, PlacementModel};
use jantaku_engine::Players;

/// Points and turns of one player and the others, for each player.
fn seen_from(points: [f32; 4], at: usize) -> ([f32; 4], [usize; 4]) {
    let turns = std::array::from_fn(|place| (at + place) % 4);
    (turns.map(|turn| points[turn]), turns)
}

/// Probabilities are valid, and over all players, each placement has a sum of about one. The largest error
/// is 1.24 for first place, for players with equal points before the last hand.
#[test]
fn each_placement_is_taken_once() {
    let model = Params::released().placements(Players::Four);
    for points in [[25000.0; 4], [40000.0, 30000.0, 20000.0, 10000.0], [26000.0, 25500.0, 24500.0, 24000.0]] {
        for stage in 0..PlacementModel::STAGES {
            let mut sums = [0.0; 4];
            for at in 0..4 {
                let (points, turns) = seen_from(points, at);
                let chances = model.chances_of_first(stage, &points, &turns);
                assert!(chances.iter().all(|chance| (0.0..=1.0).contains(chance)), "{chances:?}");
                assert!((chances.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{chances:?}");
                (0..4).for_each(|place| sums[place] += chances[place]);
            }
            assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 0.3), "stage {stage}, {points:?}: {sums:?}");
        }
    }
}

/// More points never worsen the expected placement, and matter more towards the end.
#[test]
fn points_help() {
    let model = Params::released().placements(Players::Four);
    let mean = |stage: usize, more: f32| {
        let chances =
            model.chances_of_first(stage, &[25000.0 + more, 25000.0, 25000.0, 25000.0], &[0, 1, 2, 3]);
        chances.iter().zip(1u8..).map(|(chance, place)| chance * f32::from(place)).sum::<f32>()
    };
    for stage in 0..PlacementModel::STAGES {
        for more in (-20..20).map(|thousands| 1000.0 * thousands as f32) {
            assert!(mean(stage, more + 1000.0) <= mean(stage, more) + 1e-5, "stage {stage}, {more}");
        }
    }
    assert!(mean(1, 4000.0) < mean(4, 4000.0) && mean(4, 4000.0) < mean(8, 4000.0));
}

/// With three players there is no fourth place, with two no third.
#[test]
fn fewer_players_have_fewer_placements() {
    const NOBODY: f32 = f32::NEG_INFINITY;
    let model = Params::released().placements(Players::Three);
    let three = model.chances_of_first(3, &[35000.0, 30000.0, 40000.0, NOBODY], &[0, 1, 2, 3]);
    assert!(three[3].abs() < 1e-6 && three[2] > 0.1, "{three:?}");
    let two = model.chances_of_first(3, &[35000.0, 30000.0, NOBODY, NOBODY], &[0, 1, 2, 3]);
    assert!(two[2].abs() < 1e-6 && two[1] > 0.1, "{two:?}");
}
