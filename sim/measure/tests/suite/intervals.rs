//! Simulated runs: how often intervals cover the truth, and how they change with every event.

use jantaku_agents::{Greedy, NamedPolicy};
use jantaku_engine::{Rng, Rules};
use jantaku_measure::stats::{Products, Section, Statistics, Sums, difference, simulate};
use jantaku_sim::play::{Detail, Groups, Job, Players, Schedule};

use crate::level::Size;

/// Samples of games whose intervals must cover the truth: quick, usual and full.
const SAMPLES: Size = Size(200, 200, 600);

/// A random number from 0 to 1.
fn uniform(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Simulated games whose event rates differ.
///
/// A game has 4 to 16 hands. The rate of its hands is uniform from 0 to twice the mean, and grows
/// with the length of the game, as games are longer if the dealer wins.
#[derive(Clone, Copy)]
struct Model {
    /// The mean rate in a game of 10 hands, without echoes.
    mean: f64,
    /// How much an event raises the chance of an event in the next hand.
    echo: f64,
}

impl Model {
    /// The model in which a run of this many games has this many events on average.
    fn with_events(events: f64, games: u64, echo: f64) -> Model {
        let one = Model { mean: 1.0, echo };
        Model { mean: events / (games as f64 * 10.0 * one.rate()), echo }
    }

    /// The true rate: E events / E hands.
    ///
    /// The chance c of the first hand grows by the echoes to c (1 − echoᵏ) / (1 − echo) for hand k.
    fn rate(self) -> f64 {
        let growth = |hand| (1.0 - self.echo.powi(hand)) / (1.0 - self.echo);
        let events = |hands| self.mean * f64::from(hands) / 10.0 * (1..=hands).map(growth).sum::<f64>();
        (4..=16).map(events).sum::<f64>() / (4..=16).map(f64::from).sum::<f64>()
    }

    /// The events and hands of a game.
    fn game(self, rng: &mut Rng) -> (i64, i64) {
        let hands = 4 + rng.below(13) as i64;
        let chance = 2.0 * self.mean * uniform(rng) * hands as f64 / 10.0;
        let (mut events, mut last) = (0, 0.0);
        for _ in 0..hands {
            last = f64::from(u8::from(uniform(rng) < chance + self.echo * last));
            events += last as i64;
        }
        (events, hands)
    }

    /// A run of this many games.
    fn run(self, seed: u64, games: u64) -> Sums {
        let (mut rng, mut sums) = (Rng::new(seed), Sums::default());
        for _ in 0..games {
            let (events, hands) = self.game(&mut rng);
            sums.add(events, hands);
        }
        sums
    }

    /// The share of runs whose interval covers the truth.
    fn coverage(self, runs: u64, games: u64) -> f64 {
        covered(runs, self.rate(), |seed| self.run(seed, games))
    }
}

fn covered(runs: u64, truth: f64, run: impl Fn(u64) -> Sums) -> f64 {
    let covers = |sums: &Sums| {
        let (low, high) = ends(sums);
        low <= truth && truth <= high
    };
    (0..runs).filter(|seed| covers(&run(1 + seed))).count() as f64 / runs as f64
}

fn ends(sums: &Sums) -> (f64, f64) {
    sums.rate().and_then(|rate| rate.interval).expect("enough games")
}

#[test]
fn intervals_of_common_events_cover_the_truth_in_95_percent_of_runs() {
    for (games, mean, echo) in
        [(100, 0.2, 0.0), (400, 0.2, 0.0), (400, 0.05, 0.0), (400, 0.1, 0.4), (2000, 0.02, 0.3)]
    {
        let found = Model { mean, echo }.coverage(3000, games);
        println!("{games} games, {mean}, echo {echo}: {found}");
        assert!((0.93..=0.97).contains(&found), "{games} {mean} {echo}: {found}");
    }
    // Treating hands as independent gives intervals that are too narrow.
    let model = Model { mean: 0.3, echo: 0.0 };
    let naive = covered(1000, model.rate(), |seed| {
        let sums = model.run(seed, 400);
        Sums {
            units: sums.x as u64,
            games: sums.x as u64,
            yy: sums.y.into(),
            xy: sums.y.into(),
            xx: sums.x.into(),
            ..sums
        }
    });
    assert!(naive < 0.85, "{naive}");
}

/// On average, a run has half an event to 20. With the echo of 0.5, an event brings nearly one
/// more.
#[test]
fn intervals_of_rare_events_cover_the_truth_in_at_least_95_percent_of_runs() {
    for games in [20, 100, 500] {
        for echo in [0.0, 0.25, 0.5] {
            let found = [0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0].map(|events| {
                let found = Model::with_events(events, games, echo).coverage(2000, games);
                assert!(found >= 0.95, "{games} games, {events} events, echo {echo}: {found}");
                found
            });
            println!("{games} games, echo {echo}: {found:?}");
        }
    }
}

/// Few games of independent hands.
#[test]
fn intervals_of_few_games_cover_the_truth() {
    for games in [2, 3, 5, 10, 20] {
        for chance in [0.5, 0.2, 0.05] {
            let found = covered(2000, chance, |seed| {
                let (mut rng, mut sums) = (Rng::new(seed), Sums::default());
                for _ in 0..games {
                    let hands = 4 + rng.below(13) as i64;
                    sums.add((0..hands).filter(|_| uniform(&mut rng) < chance).count() as i64, hands);
                }
                sums
            });
            println!("{games} games, {chance}: {found}");
            assert!(found >= 0.94, "{games} {chance}: {found}");
        }
    }
}

/// Adds an event to a random game of random runs.
///
/// A first event never lowers the upper end. A further one can lower it a little, if it shows that
/// events cluster less than before.
#[test]
fn an_event_more_does_not_lower_the_bound() {
    let (mut rng, mut first_events, mut lower) = (Rng::new(1), 0, 0);
    for run in 0..20_000 {
        let games = [5, 20, 100, 400][run % 4];
        let events = [0.0, 1.0, 4.0, 20.0][run / 4 % 4];
        let model = Model::with_events(events, games, [0.0, 0.25, 0.5][run / 16 % 3]);
        let mut units: Vec<(i64, i64)> = (0..games).map(|_| model.game(&mut rng)).collect();
        let high = |units: &[(i64, i64)]| {
            let mut sums = Sums::default();
            units.iter().for_each(|(events, hands)| sums.add(*events, *hands));
            (ends(&sums).1, sums.y)
        };
        let (before, events) = high(&units);
        let game = rng.below(games as usize);
        if units[game].0 < units[game].1 {
            units[game].0 += 1;
            let (after, _) = high(&units);
            assert!(events > 0 || after >= before, "{games}: {before} {after}");
            assert!(games < 20 || after > 0.95 * before, "{games}, {events}: {before} {after}");
            first_events += usize::from(events == 0);
            lower += usize::from(games >= 100 && after < before);
        }
    }
    println!("{first_events} first events; {lower} lower");
    assert!(first_events > 4000 && lower < 200, "{first_events} {lower}");
}

/// Two variants share the luck of each hand; the rate of the second is higher by a tenth.
///
/// A common event has 80 hands that differ, the others have 8, 2 and 0.4 on average.
#[test]
fn intervals_of_differences_cover_the_truth() {
    const RUNS: u64 = 2000;
    for (mean, most) in [(0.2, 0.97), (0.02, 1.0), (0.005, 1.0), (0.001, 1.0)] {
        let (mut covered, mut far_narrower) = (0, 0);
        for run in 0..RUNS {
            let (mut rng, mut sums, mut products) =
                (Rng::new(1 + run), [Sums::default(); 2], Products::default());
            for _ in 0..400 {
                let hands = 4 + rng.below(13) as i64;
                let chance = 2.0 * mean * uniform(&mut rng);
                let luck: Vec<f64> = (0..hands).map(|_| uniform(&mut rng)).collect();
                let units = [chance, 1.1 * chance]
                    .map(|chance| (luck.iter().filter(|luck| **luck < chance).count() as i64, hands));
                sums.iter_mut().zip(units).for_each(|(sums, (y, x))| sums.add(y, x));
                products.add(units[0], units[1]);
            }
            let found = difference(&sums[0], &sums[1], &products, true).and_then(|found| found.interval);
            let (low, high) = found.expect("enough games");
            covered += u64::from(low <= 0.1 * mean && 0.1 * mean <= high);
            // Without common walls the interval would be more than twice as wide.
            let width = |sums: &Sums| ends(sums).1 - ends(sums).0;
            far_narrower += u64::from(width(&sums[0]).hypot(width(&sums[1])) > 2.0 * (high - low));
        }
        let covered = covered as f64 / RUNS as f64;
        println!("{mean}: {covered}, {far_narrower}");
        assert!((if most < 1.0 { 0.93 } else { 0.95 }..=most).contains(&covered), "{mean}: {covered}");
        assert!(mean < 0.1 || far_narrower > RUNS * 9 / 10, "{mean}: {far_narrower}");
    }
}

/// Counts how often a sample's interval covers the value over all samples together.
#[test]
fn intervals_cover_the_truth_of_played_games() {
    const GAMES: u64 = 50;
    let rules = Rules::from_toml("wind_rounds = 1", "east rounds").expect("rules");
    let sample = |seed| {
        let schedule = Schedule::selfplay(seed, GAMES);
        let mut players = Players::from(vec![NamedPolicy::new("greedy", Greedy::default()); 4]);
        simulate(&Job::new(&rules, schedule, Detail::None), &mut players, &mut ())
            .expect("greedy plays legally")
    };
    let samples: Vec<Statistics> = (0..u64::from(SAMPLES.get())).map(sample).collect();
    let mut all = Statistics::new(&Groups::new(["greedy"]), &rules);
    samples.iter().for_each(|statistics| all.merge(statistics));
    for (section, name) in
        [(Section::Hands, "tsumo"), (Section::Hands, "dealer-repeat"), (Section::Yaku, "chiitoitsu")]
    {
        let of = |statistics: &Statistics| {
            let mut found = statistics
                .figures()
                .filter(|(figure, _)| (figure.section, figure.name.as_str()) == (section, name));
            found.next().map(|(figure, sums)| figure.estimate(sums).expect("hands")).expect("a figure")
        };
        let truth = of(&all).value;
        let covering = samples.iter().filter(|sample| {
            let (low, high) = of(sample).interval.expect("enough games");
            low <= truth && truth <= high
        });
        let covered = covering.count() as f64 / samples.len() as f64;
        println!("{name}: {covered}");
        let standard_error = (0.95 * 0.05 / samples.len() as f64).sqrt();
        assert!((covered - 0.95).abs() < 2.8 * standard_error, "{name}: {covered} ± {standard_error}");
    }
}
