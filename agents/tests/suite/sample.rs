//! Sampled games agree with everything that the player has seen, and depend on nothing else.

use jantaku_agents::{MAX_SAMPLES, Policy, Random, Sampler, Sampling};
use jantaku_engine::replay::GameHistory;
use jantaku_engine::rules::PRESETS;
use jantaku_engine::rules::options::{Chombo, Enforce, InvalidCall, Maybe};
use jantaku_engine::{
    Action, Declare, Event, Game, Phase, Position, Rng, Rules, Seat, Standing, Tile, TileKind,
};

use crate::eager::choose;
use crate::level::Size;

/// Games whose decisions are sampled.
const GAMES: Size = Size(10, 60, 120);

/// Plays hands of eager players and samples one decision in `share`.
fn sampled(rules: &Rules, seed: u64, share: usize, mut check: impl FnMut(&GameHistory, Seat)) {
    let mut rng = Rng::new(seed);
    let mut history = GameHistory::new(rules, seed, &Standing::start(rules), None).expect("valid rules");
    while !history.game().is_over() && history.game().hand_count() < 4 {
        let (seat, _) = history.game().decisions().next().expect("a game in play has a decision");
        if history.game().table().phase() != Phase::End && rng.below(share) == 0 {
            check(&history, seat);
        }
        // With a referee, some calls are fouls that make the hand dead.
        let o = history.game().observe(seat);
        let is_foul = rules.has_referee() && o.phase() == Phase::Claim && rng.below(20) == 0;
        let action = if is_foul { Action::Pon { reds: 0 } } else { choose(&o, &mut rng) };
        history.submit(seat, action).expect("a legal action is accepted");
    }
}

/// Presets, and rules with a referee whose fouls make hands dead.
fn rules_of(number: u64) -> Rules {
    let rules = PRESETS[number as usize % PRESETS.len()].rules();
    if !number.is_multiple_of(4) {
        return rules;
    }
    Rules {
        enforce: Enforce::Referee,
        chombo: Chombo::FinalPenalty(20_000),
        invalid_call: InvalidCall::DeadHand,
        ..rules
    }
}

/// What the seat has seen since the deal.
fn events(history: &GameHistory, seat: Seat) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    history.replay(&mut |event: &Event| {
        if matches!(event, Event::Deal { .. }) {
            events.clear();
        }
        events.push(event.seen_by(seat));
    });
    events
}

/// The concealed tiles of all seats.
fn hands(history: &GameHistory) -> Vec<Vec<Tile>> {
    let game = history.game();
    let seats = game.rules().players.seats();
    seats.map(|seat| game.round().private(seat).hand_with_draw().tiles().collect()).collect()
}

fn play_on(mut game: Game, rng: &mut Rng) -> Game {
    while !game.is_over() {
        let (seat, _) = game.decisions().next().expect("a game in play has a decision");
        let action = Random.choose(&game.observe(seat), rng);
        game.submit(seat, action).expect("a legal action is accepted");
    }
    game
}

/// A sampled game is the true one with its hidden tiles permuted and another future. The samples of
/// both with the same seed are equal to the last bit.
#[test]
fn samples_do_not_depend_on_what_is_hidden() {
    let (mut checked, mut changed) = (0, 0);
    for number in 0..u64::from(GAMES.get()) {
        sampled(&rules_of(number), number, 30, |history, seat| {
            let sampling = Sampling::ALL[checked % 2];
            let sampler = |of| Sampler::new(of, seat, sampling).expect("the seat decides");
            let samples = sampler(history).games(2, number).expect("samples");
            for sample in &samples {
                assert!(sampler(sample).games(2, number).as_ref() == Ok(&samples), "game {number}");
                changed += usize::from(hands(sample) != hands(history));
            }
            checked += 1;
        });
    }
    assert!(changed > checked, "{changed} of twice {checked} samples have other hands");
}

/// What the player has seen stays, the tiles are those of one wall, riichi is tenpai, and the game can be
/// stored and played to its end.
#[test]
fn samples_are_games_that_the_player_cannot_tell_apart() {
    for number in 0..u64::from(GAMES.get() / 2) {
        sampled(&rules_of(number), number, 30, |history, seat| {
            let sampler = Sampler::new(history, seat, Sampling::Weighted).expect("the seat decides");
            let samples = sampler.games(1, number).expect("samples");
            let (sample, game) = (&samples[0], samples[0].game());
            assert_eq!(events(sample, seat), events(history, seat));
            assert_eq!(game.observe(seat).snapshot(), history.game().observe(seat).snapshot());
            assert_eq!(game.earlier(), history.game().earlier());
            let sorted = |history: &GameHistory| {
                let mut tiles = history.game().round().wall().tiles().to_vec();
                tiles.sort_unstable();
                tiles
            };
            assert_eq!(sorted(sample), sorted(history));
            let again =
                GameHistory::resume(game.rules(), game.seed(), sample.start(), sample.wall().copied(), &[]);
            let again = again.expect("a start").after(game.earlier()).repeated(sample.steps());
            assert_eq!(again.as_ref(), Ok(sample));
            let end = play_on(game.clone(), &mut Rng::new(number));
            assert!(end.is_over() && end.results().is_some());
        });
    }
}

/// The first decision after `count` hands of a game whose seats discard what they draw.
fn after_hands(rules: &Rules, count: u32, turns: u8) -> GameHistory {
    let mut history = GameHistory::new(rules, 3, &Standing::start(rules), None).expect("valid rules");
    let is_there = |game: &Game| {
        let side = game.table().side(game.table().dealer());
        game.hand_count() > count && side.discard_count() >= turns && game.table().phase() == Phase::Turn
    };
    while !is_there(history.game()) {
        let (seat, legal) = history.game().decisions().next().expect("the hand is not over");
        let tsumogiri = Action::Tsumogiri { declare: Declare::Nothing };
        let pass = Action::Pass;
        let action = if legal.contains(tsumogiri.id()) { tsumogiri } else { pass };
        history.submit(seat, action).expect("a legal action");
    }
    history
}

/// A game that is sampled in its last hand ends with it.
#[test]
fn samples_count_the_hands_and_the_end_of_the_true_game() {
    let limited = Rules { hands_limit: Maybe(Some(3)), ..Rules::default() };
    let mut stopped = after_hands(&Rules::default(), 2, 1);
    stopped.stop();
    for history in [after_hands(&limited, 2, 1), stopped] {
        let seat = history.game().pending().iter().next().expect("a decision");
        let sampler = Sampler::new(&history, seat, Sampling::Uniform).expect("the seat decides");
        for sample in sampler.games(5, 1).expect("samples") {
            assert_eq!(sample.game().hand_count(), 3);
            assert_eq!(play_on(sample.into_game(), &mut Rng::new(1)).hand_count(), 3);
        }
    }
}

/// Every unseen tile is as often in another hand as its share of the places.
#[test]
fn uniform_samples_are_uniform() {
    let history = after_hands(&Rules::default(), 0, 5);
    let seat = history.game().pending().iter().next().expect("a decision");
    let sampler = Sampler::new(&history, seat, Sampling::Uniform).expect("the seat decides");
    let (count, mut found) = (2_000, [0_u32; TileKind::COUNT]);
    for sample in sampler.games(count, 1).expect("samples") {
        let others = sample.game().rules().players.others(seat);
        others.for_each(|other| {
            let tiles = sample.game().round().private(other).hand_with_draw();
            tiles.tiles().for_each(|tile| found[tile.kind().index()] += 1);
        });
    }
    let hidden = history.game().observe(seat).hidden();
    let share = 39.0 / hidden.tiles().len() as f64;
    for kind in TileKind::all() {
        let copies = hidden.tiles().iter().filter(|tile| tile.kind() == kind).count() as f64;
        let expected = copies * share * count as f64;
        let deviation = (expected * (1.0 - share)).sqrt();
        let error = f64::from(found[kind.index()]) - expected;
        assert!(error.abs() <= 4.5 * deviation, "{kind}: {error} from {expected}");
    }
}

/// In the ninth turn hands are nearer to tenpai than random ones, as the inference knows.
#[test]
fn weighted_samples_follow_the_inference() {
    let history = after_hands(&Rules::default(), 0, 9);
    let seat = history.game().pending().iter().next().expect("a decision");
    let shanten = |sampling| -> i32 {
        let sampler = Sampler::new(&history, seat, sampling).expect("the seat decides");
        let of_next = |sample: &GameHistory| {
            let next = seat.next(sample.game().rules().players);
            i32::from(sample.game().round().private(next).hand().shanten(0).number())
        };
        sampler.games(400, 1).expect("samples").iter().map(of_next).sum()
    };
    let [weighted, uniform] = [Sampling::Weighted, Sampling::Uniform].map(shanten);
    assert!(weighted + 200 < uniform, "{weighted} and {uniform} in 400 hands");
}

/// A player whose riichi is not accepted yet is tenpai, too. Few random hands are.
#[test]
fn a_declared_riichi_is_tenpai() {
    let text = r#"
        indicators = "8p"
        seat = "south"
        [east]
        river = "4z 1p 5z 6z 1mr"
        [south]
        river = "1z 2z 3z 9s"
        hand = "2305m234p06788s1z"
        [west]
        river = "9p 1z 2z 3z"
        [north]
        river = "4z 9m 9s 2z"
    "#;
    let position = Position::from_toml(text, "position.toml").expect("a position");
    let history = position.history(1).expect("a game");
    for sampling in Sampling::ALL {
        let sampler = Sampler::new(&history, position.seat(), sampling).expect("the seat decides");
        for sample in sampler.games(50, 1).expect("samples") {
            assert!(sample.game().observe(sample.game().table().dealer()).is_tenpai());
        }
    }
}

#[test]
fn what_cannot_be_sampled_is_an_error() {
    let rules = Rules::preset("tenhou-sanma").expect("a preset");
    let mut history = GameHistory::new(&rules, 1, &Standing::start(&rules), None).expect("valid rules");
    let error = |history: &GameHistory, seat, count| {
        let seat = Seat::new(seat).expect("below four");
        let sampler = Sampler::new(history, seat, Sampling::Uniform);
        sampler.and_then(|sampler| sampler.games(count, 1)).expect_err("an error").to_string()
    };
    assert_eq!(error(&history, 3, 1), "`seat`: expected 0 to 2, found 3");
    assert_eq!(error(&history, 1, 1), "seat 1 has no decision to make; expected one of [0]");
    assert_eq!(error(&history, 0, 0), "`n`: expected a number from 1 to 100000, found 0");
    assert!(error(&history, 0, MAX_SAMPLES + 1).ends_with("found 100001"));
    while !history.game().is_over() {
        let (seat, legal) = history.game().decisions().next().expect("a game in play has a decision");
        history.submit(seat, legal.first().expect("an action").action()).expect("a legal action");
    }
    assert!(error(&history, 0, 1).starts_with("the hand is over"));
}
