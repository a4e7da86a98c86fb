//! Games that are played until a figure is known as exactly as asked.

use jantaku_agents::{Greedy, NamedPolicy};
use jantaku_engine::Rules;
use jantaku_measure::stats::{FIRST_BATCH, Measured as _, Precision, Target, simulate, simulate_until};
use jantaku_sim::play::{Detail, Groups, Job, Players, Schedule};
/// The statistics are those of a run with the same number of games, and of any number of threads.
/// The games end at the first boundary of a batch where the target is met.
#[test]
fn games_are_played_until_the_target_is_met() {
    let rules = Rules::default();
    let players = || Players::from(vec![NamedPolicy::new("greedy", Greedy::default()); 4]);
    let job = |games| Job::new(&rules, Schedule::selfplay(3, games), Detail::None);
    let target = Target::parse("hands.tsumo=1%", &Groups::default(), &[&rules]).expect("a target");
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let targets = std::slice::from_ref(&target);
        pool.install(|| {
            simulate_until(&job(1 << 40), &mut players(), targets, &mut ()).expect("greedy plays legally")
        })
    };
    let found = on(1);
    let games = found.games();
    assert!(found == on(3), "threads change nothing");
    assert!(found == simulate(&job(games), &mut players(), &mut ()).expect("greedy plays legally"));
    let known = Precision::of(&target, &found);
    assert!(known.met && known.distance.is_some_and(|distance| distance <= 0.01), "{known:?}");
    assert!(games.is_multiple_of(FIRST_BATCH) && games > FIRST_BATCH, "{games}");
    let before = simulate(&job(games - FIRST_BATCH), &mut players(), &mut ()).expect("greedy plays legally");
    assert!(!Precision::of(&target, &before).met, "{games}");
    // The estimate of a tenth of the games is near.
    let planned = Precision::of(&target, &before).games.expect("an estimate");
    assert!(planned > before.games() && planned <= 2 * games, "{planned} of {games}");
    let as_if = before.distance(&target, games).expect("an interval");
    let then = known.distance.expect("an interval");
    assert!((as_if / then - 1.0).abs() < 0.1, "{as_if} {then}");
}
