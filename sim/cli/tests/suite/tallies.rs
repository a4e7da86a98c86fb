//! Statistics whose games several processes play.

use jantaku_agents::{Greedy, NamedPolicy};
use jantaku_engine::Rules;
use jantaku_measure::stats::{Statistics, Tallied as _, empty_sweep, simulate, sweep};
use jantaku_sim::play::{Detail, Groups, Job, Players, Policies, Schedule};

/// The tallies of ranges of games, in any order, add up to the statistics of all games.
#[test]
fn tallies_add_up() {
    let rules = Rules::default();
    let mut players = Players::from(vec![NamedPolicy::new("greedy", Greedy::default()); 4]);
    let mut play = |games| {
        let job = Job { games, ..Job::new(&rules, Schedule::selfplay(3, 30), Detail::None) };
        simulate(&job, &mut players, &mut ()).expect("greedy plays legally")
    };
    let mut total = Statistics::new(&Groups::new(["greedy"; 4]), &rules);
    for games in [20..30, 0..7, 7..20] {
        total.add_tally(&play(games).to_tally()).expect("a tally of these figures");
    }
    assert!(total == play(0..30));
}

#[test]
fn tallies_of_a_sweep_add_up() {
    let variants = [Rules::default(), Rules::preset("mleague").expect("a preset")];
    let policies = Policies::new(vec![NamedPolicy::new("greedy", Greedy::default()); 4]);
    let jobs = |games: std::ops::Range<u64>| {
        let job =
            |rules| Job { games: games.clone(), ..Job::new(rules, Schedule::selfplay(3, 12), Detail::None) };
        variants.iter().map(job).collect::<Vec<_>>()
    };
    let play = |games| sweep(&jobs(games), &policies, &mut ()).expect("greedy plays legally");
    let (_, mut total) = empty_sweep(&jobs(0..12), &policies);
    for games in [5..12, 0..5] {
        total.add_tally(&play(games).to_tally()).expect("a tally of these figures");
    }
    assert!(total == play(0..12));
}

#[test]
fn tallies_of_other_figures_are_refused() {
    let rules = Rules::default();
    let of = |agents: &[&str]| Statistics::new(&Groups::new(agents), &rules);
    let mut total = of(&["greedy"]);
    let error = total.add_tally(&of(&["greedy", "random"]).to_tally()).expect_err("another group");
    assert!(error.to_string().contains("for other agents or rules"), "{error}");
    let error = total.add_tally(b"{}").expect_err("no sums");
    assert!(error.to_string().contains("another version of the program"), "{error}");
    assert!(total == of(&["greedy"]));
}
