//! Labels by rollouts from the true hands.

use jantaku_agents::candidates::ComparisonKind;
use jantaku_agents::labels::{KindShares, Label, LabelOptions, Labeller};
use jantaku_agents::oracle::Encoded;
use jantaku_agents::{Catalog, Policy};
use jantaku_engine::{Action, BySeat, FinalResult, Game, Observation, Phase, Riichi, Rng, Rules, Seat, Tile};

use crate::common::each_action_of_heuristic;

/// Labels every decision that has candidates.
fn everything(deals: u16) -> LabelOptions {
    let shares = KindShares { discard: 1.0, danger: 1.0, riichi: 1.0, call: 1.0, kan: 1.0, abort: 1.0 };
    LabelOptions { deals, shares, ..LabelOptions::default() }
}

fn labeller(options: LabelOptions) -> Labeller {
    Labeller::new(options, &Catalog::standard()).expect("built-in agents")
}

/// Plays a game of `heuristic` and calls `each` before every decision, with its number.
fn play(rules: &Rules, seed: u64, mut each: impl FnMut(&Game, Seat, u64)) {
    let mut numbers = 0..;
    each_action_of_heuristic(rules, seed, |game, seat, _| {
        each(game, seat, numbers.next().expect("a number"));
    });
}

/// The labels of a game.
fn labels(labeller: &Labeller, rules: &Rules, seed: u64) -> Vec<(u64, Label)> {
    let mut found = Vec::new();
    play(rules, seed, |game, seat, number| {
        let label = labeller.label(game, &game.observe(seat), &[seed, number]);
        found.extend(label.map(|label| (number, label)));
    });
    found
}

#[test]
fn labels_have_candidates_and_sums() {
    let labeller = labeller(everything(2));
    let mut kinds = [false; ComparisonKind::ALL.len()];
    for (rules, seeds) in [("tenhou", 0..12), ("tenhou-sanma", 0..2)] {
        let rules = Rules::preset(rules).expect("a preset");
        for seed in seeds {
            for (_, label) in labels(&labeller, &rules, seed) {
                kinds[label.kind as usize] = true;
                assert_eq!(label.deals, 2);
                let actions: Vec<_> = label.actions.iter().map(|action| action.compared.action).collect();
                assert!(
                    actions.len() > 1
                        && actions.iter().all(|a| actions.iter().filter(|b| a == *b).count() == 1)
                );
                let choice = &label.actions[0];
                assert_eq!(
                    (choice.differences.sum, choice.differences.squares, choice.doubt),
                    (0.0, 0.0, 0.0)
                );
                for other in &label.actions[1..] {
                    let expected = other.values.sum - choice.values.sum;
                    assert!((other.differences.sum - expected).abs() < 1.0, "{label:?}");
                    assert!(
                        other.differences.squares + 1.0 >= other.differences.sum.powi(2) / 2.0,
                        "{label:?}"
                    );
                    assert!(
                        other.doubt > 0.0 && other.compared.gap.is_none_or(|gap| gap <= 0.01),
                        "{label:?}"
                    );
                }
            }
        }
    }
    let missing: Vec<_> = ComparisonKind::ALL.into_iter().filter(|kind| !kinds[*kind as usize]).collect();
    assert!(missing.is_empty(), "no decision of {missing:?}");
}

/// The text of options reads as the same options.
#[test]
fn options_have_a_text() {
    for text in ["", "deals=8,discard=0.1,margin=250.5", r#"base="heuristic:calls=off,fast=on",candidates=5"#]
    {
        let options: LabelOptions = text.parse().expect("options");
        assert_eq!(options.to_string().parse::<LabelOptions>().expect("options"), options, "{options}");
    }
}

/// A label depends on its decision and key only.
#[test]
fn labels_are_deterministic() {
    let labeller = labeller(everything(2));
    let rules = Rules::default();
    assert_eq!(labels(&labeller, &rules, 3), labels(&labeller, &rules, 3));
    assert_ne!(labels(&labeller, &rules, 3), labels(&labeller, &rules, 4));
}

#[test]
fn shares_choose_decisions() {
    let rules = Rules::default();
    let all = labels(&labeller(everything(1)), &rules, 5);
    let mut options = everything(1);
    *options.shares.of_mut(ComparisonKind::Discard) = 0.25;
    let some = labels(&labeller(options), &rules, 5);
    assert!(some.iter().all(|label| all.contains(label)), "the same labels, but fewer");
    let discards = |labels: &[(u64, Label)]| {
        labels.iter().filter(|(_, label)| label.kind == ComparisonKind::Discard).count() as f64
    };
    let share = discards(&some) / discards(&all);
    assert!((0.15..0.35).contains(&share), "{share}");
    assert_eq!(all.len() - some.len(), (discards(&all) - discards(&some)) as usize);
}

/// Rollouts that could play on for longer than the wall lasts play to the end.
#[test]
fn turns_beyond_the_wall_change_nothing() {
    let [long, whole] = [20, 0].map(|turns| labeller(LabelOptions { turns, ..everything(1) }));
    let rules = Rules::default();
    assert_eq!(labels(&long, &rules, 8), labels(&whole, &rules, 8));
}

/// Rollouts that stop have the values of those that play on, on average, and less noise.
#[test]
fn values_of_rollouts_that_stop_agree_with_those_of_whole_ones() {
    let [whole, short] = [0, 4].map(|turns| labeller(LabelOptions { turns, ..everything(4) }));
    let rules = Rules::default();
    let (mut values, mut noise) = ([0.0; 2], [0.0; 2]);
    let mut count = 0.0;
    for seed in 0..6 {
        let found = [&whole, &short].map(|labeller| labels(labeller, &rules, seed));
        for (of, labels) in found.iter().enumerate() {
            for (_, label) in labels {
                let sums = label.actions[0].values;
                values[of] += f64::from(sums.sum) / 4.0;
                let spread = label.actions[1..].iter().map(|other| other.differences);
                noise[of] +=
                    spread.map(|sums| f64::from(sums.squares - sums.sum * sums.sum / 4.0)).sum::<f64>();
            }
        }
        count += found[0].len() as f64;
    }
    let [whole, short] = values.map(|sum| sum / count);
    assert!((whole - short).abs() < 400.0, "{whole} and {short} points");
    assert!(noise[1] < 0.5 * noise[0], "{noise:?}");
}

/// What stands for a hand in play does not depend on the order of its wall.
#[test]
fn the_oracle_does_not_see_the_wall() {
    let mut checked = 0;
    play(&Rules::default(), 4, |game, seat, number| {
        let mut other = game.round().clone();
        other.reshuffle(&mut Rng::new(number));
        assert_eq!(Encoded::new(&other, seat), Encoded::new(game.round(), seat));
        checked += 1;
    });
    assert!(checked > 300, "{checked} decisions");
}

/// The mean over random walls agrees with the mean over all walls, where one tile is left to draw.
#[test]
fn labels_are_unbiased() {
    const DEALS: u16 = 600;
    let labeller = labeller(everything(DEALS));
    let rules = Rules::default();
    let mut checked = 0;
    for seed in 0..6 {
        play(&rules, seed, |game, seat, number| {
            let o = game.observe(seat);
            if o.live() != 1 || game.pending().len() != 1 {
                return;
            }
            let Some(label) = labeller.label(game, &o, &[seed, number]) else { return };
            for candidate in &label.actions {
                let exact = mean_over_walls(game, &o, candidate.compared.action, label.kind, &labeller);
                let (n, sums) = (f32::from(DEALS), candidate.values);
                let mean = sums.sum / n;
                let error = ((sums.squares / n - mean * mean).max(0.0) / n).sqrt();
                assert!(
                    (mean - exact).abs() <= 5.0 * error + 1.0,
                    "{mean} ± {error}, exactly {exact}: {label:?}"
                );
                checked += 1;
            }
        });
    }
    assert!(checked > 10, "{checked} candidates");
}

/// At the last discard of a game, no tile is left to chance: every value is the result of the game.
#[test]
fn values_at_the_last_discard_are_results() {
    let name = "heuristic:version=2";
    let players = Catalog::standard().agent(name).and_then(|agent| agent.to_policy()).expect("a policy");
    let labeller =
        labeller(LabelOptions { players: name.to_owned(), careful: name.to_owned(), ..everything(2) });
    let (mut checked, mut different) = (0, 0);
    for seed in 0..300 {
        play(&Rules::default(), seed, |game, seat, number| {
            let o = game.observe(seat);
            // An ura indicator can change the points of a player in riichi.
            let is_riichi = |seat| game.table().side(seat).riichi() != Riichi::None;
            if o.live() > 0 || o.phase() != Phase::Turn || o.rules().players.seats().any(is_riichi) {
                return;
            }
            let Some(label) = labeller.label(game, &o, &[seed, number]) else { return };
            let results = label.actions.iter().map(|action| {
                let results = last_results(game.clone(), seat, action.compared.action, &players)?;
                Some(results[seat].result as f32)
            });
            let Some(results) = results.collect::<Option<Vec<_>>>() else { return };
            for (action, result) in label.actions.iter().zip(&results) {
                assert_eq!((action.values.sum, action.values.squares), (2.0 * result, 2.0 * result * result));
            }
            checked += 1;
            different += usize::from(results.iter().any(|result| (result - results[0]).abs() > 1.0));
        });
    }
    assert!(
        checked >= 10 && different > 0,
        "{checked} decisions, {different} of them with different results"
    );
}

/// The results after this action of the last discard. None if the game has another hand or asks the
/// dealer.
fn last_results(
    mut game: Game,
    seat: Seat,
    action: Action,
    players: &dyn Policy,
) -> Option<BySeat<FinalResult>> {
    game.submit(seat, action).expect("a candidate");
    while let Some(seat) = game.pending().iter().next() {
        if game.table().live() > 0 || game.table().phase() == Phase::End {
            return None;
        }
        let action = players.choose(&game.observe(seat), &mut Rng::new(0));
        game.submit(seat, action).expect("a legal action");
    }
    game.results()
}

/// The mean value of an action, with each hidden tile of the wall as the last one to draw.
fn mean_over_walls(
    game: &Game,
    o: &Observation<'_>,
    action: Action,
    kind: ComparisonKind,
    labeller: &Labeller,
) -> f32 {
    let round = game.round();
    let mut wall = o.hidden().tiles().to_vec();
    let mut hands: Vec<Tile> = Vec::new();
    for seat in o.rules().players.seats().filter(|seat| *seat != o.seat()) {
        hands.extend(round.private(seat).hand().tiles());
        hands.extend(round.private(seat).drawn());
    }
    for tile in &hands {
        wall.swap_remove(wall.iter().position(|other| other == tile).expect("a hidden tile"));
    }
    let values: Vec<f32> = (0..wall.len())
        .map(|last| {
            wall.swap(0, last);
            let mut deal = o.complete(&[&hands[..], &wall].concat());
            wall.swap(0, last);
            deal.submit(o.seat(), action).expect("a candidate");
            labeller.play_on(o, kind, deal, &mut Rng::new(0))
        })
        .collect();
    values.iter().sum::<f32>() / values.len() as f32
}
