//! Law: a position taken from a game and read back gives the same table, hand and legal actions.

use jantaku_engine::{
    Action, ActionId, BySeat, Declare, DrawSource, Event, Game, Observation, Phase, Position, Riichi, Rng,
    Rules, Seat, Standing,
};

use crate::sizes::POSITION_PERCENT;

/// Presets and the number of hands of each.
const RULES: [(&str, u64); 14] = [
    ("tenhou", 60),
    ("mjsoul", 40),
    ("mleague", 30),
    ("wrc", 30),
    ("ema-2012", 30),
    ("ema-2016", 30),
    ("jpml-a", 20),
    ("tenhou-sanma", 60),
    ("mjsoul-sanma", 60),
    ("duo", 30),
    ("ema-2008", 30),
    ("saki", 30),
    ("riichi-city", 20),
    ("dragon-kong-3", 20),
];

/// Counts of features in the checked positions.
#[derive(Default, Debug)]
struct Seen {
    positions: u32,
    riichi: u32,
    ippatsu: u32,
    furiten: u32,
    kans: u32,
    kita: u32,
    claims: u32,
    kan_claims: u32,
    after_calls: u32,
    rinshan: u32,
    undated: u32,
    undated_equal: u32,
}

/// A player who makes progress, riichi, calls and kans, but lets most wins pass.
fn choose(o: &Observation<'_>, rng: &mut Rng) -> Action {
    let legal: Vec<Action> = o.legal().iter().map(ActionId::action).collect();
    let is_often = |action: &Action| match action {
        Action::Tsumo | Action::Ron => Some(10),
        Action::Discard { declare: Declare::Riichi, .. } | Action::Tsumogiri { declare: Declare::Riichi } => {
            Some(70)
        }
        Action::Kan { .. } | Action::Daiminkan => Some(80),
        Action::Kita => Some(60),
        Action::Chi { .. } | Action::Pon { .. } => Some(30),
        _ => None,
    };
    for action in &legal {
        if is_often(action).is_some_and(|percent| rng.below(100) < percent) {
            return *action;
        }
    }
    if o.phase() != Phase::Turn {
        return Action::Pass;
    }
    let discards: Vec<Action> = legal
        .into_iter()
        .filter(|action| {
            matches!(
                action,
                Action::Discard { declare: Declare::Nothing, .. }
                    | Action::Tsumogiri { declare: Declare::Nothing }
            )
        })
        .collect();
    let shanten = |action: &Action| {
        let mut hand = o.hand_with_draw();
        match action {
            Action::Discard { tile, .. } => hand.remove(*tile),
            _ => hand.remove(o.drawn().expect("tsumogiri follows a draw")),
        }
        hand.shanten(o.melds().len())
    };
    let best = discards.iter().map(shanten).min().expect("a turn has a discard");
    let best: Vec<Action> = discards.into_iter().filter(|action| shanten(action) == best).collect();
    best[rng.below(best.len())]
}

/// The position after these events, written and read, and its text.
fn read_back(name: &str, events: &[Event], seat: Seat) -> (Position, String) {
    let rules = Rules::preset(name).expect("a preset");
    let position = Position::seen(&rules, name, events, seat).expect("the events of a hand");
    let text = position.to_toml();
    let read = Position::from_toml(&text, "law.toml").unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read.to_toml(), text);
    (read, text)
}

/// A player sees the same in both games.
fn is_same(game: &Game, original: &Game, seat: Seat, text: &str) {
    let (again, o) = (game.observe(seat), original.observe(seat));
    assert!(again.table() == o.table(), "{text}\n{:#?}\n{:#?}", again.table(), o.table());
    assert_eq!((again.hand(), again.drawn()), (o.hand(), o.drawn()), "{text}");
    // Whether the tile of a kan or kita was drawn in the same turn is not known, nor whether the hand
    // was tenpai before it. The next discard ends this temporary furiten.
    let in_turn = o.phase() == Phase::Turn && o.turn() == seat;
    if !(in_turn && matches!(o.source(), DrawSource::Kan | DrawSource::Kita)) {
        assert_eq!(again.is_furiten(), o.is_furiten(), "{seat:?} {text}");
    }
    assert_eq!(again.waits(), o.waits(), "{text}");
}

fn compare(name: &str, events: &[Event], original: &Game, seat: Seat, seen: &mut Seen) {
    let visible: Vec<Event> = events.iter().map(|event| event.seen_by(seat)).collect();
    let (position, text) = read_back(name, &visible, seat);
    let seed = original.seed();
    let game = position.game(seed).unwrap_or_else(|error| panic!("{name} seed {seed}: {error}\n{text}"));
    is_same(&game, original, seat, &text);
    assert_eq!(game.observe(seat).legal(), original.observe(seat).legal(), "{text}");
    for other in game.rules().players.others(seat) {
        if game.table().side(other).riichi() != Riichi::None {
            assert!(game.observe(other).is_tenpai(), "{text}");
        }
    }
    let (position, text) = read_back(name, events, seat);
    let game = position.game(seed).unwrap_or_else(|error| panic!("{name} seed {seed}: {error}\n{text}"));
    game.rules().players.seats().for_each(|seat| is_same(&game, original, seat, &text));
    let o = original.observe(seat);
    count(&o, seen);
    undated(&text, &o, seed, seen);
}

/// Without the dates of kans, the position still leads to a game.
fn undated(text: &str, o: &Observation<'_>, seed: u64, seen: &mut Seen) {
    if !text.contains('<') || o.phase() == Phase::KanClaim {
        return;
    }
    let without: Vec<String> = text
        .lines()
        .map(|line| match line.strip_prefix("river = ") {
            Some(river) => {
                let entries: Vec<&str> = river
                    .trim_matches('"')
                    .split_whitespace()
                    .filter(|entry| !entry.starts_with('<'))
                    .collect();
                format!("river = \"{}\"", entries.join(" "))
            }
            None => line.to_owned(),
        })
        .collect();
    let text = without.join("\n");
    if text.contains("river") {
        seen.undated += 1;
        let position = Position::from_toml(&text, "undated.toml").unwrap_or_else(|error| panic!("{error}"));
        match position.game(seed) {
            Ok(game) => {
                let again = game.observe(o.seat());
                seen.undated_equal += u32::from(again.legal() == o.legal());
            }
            Err(error) => panic!("{error}\n{text}"),
        }
    }
}

fn count(o: &Observation<'_>, seen: &mut Seen) {
    let sides: Vec<_> = o.rules().players.seats().map(|seat| o.side(seat)).collect();
    seen.positions += 1;
    seen.riichi += u32::from(sides.iter().any(|side| side.riichi() != Riichi::None));
    seen.ippatsu += u32::from(sides.iter().any(|side| side.ippatsu()));
    seen.kita += u32::from(sides.iter().any(|side| side.norths() > 0));
    seen.kans += u32::from(o.kans() > 0);
    seen.furiten += u32::from(o.is_furiten());
    seen.claims += u32::from(o.phase() == Phase::Claim);
    seen.kan_claims += u32::from(o.phase() == Phase::KanClaim);
    seen.after_calls += u32::from(o.phase() == Phase::Turn && o.drawn().is_none());
    seen.rinshan += u32::from(o.phase() == Phase::Turn && o.source() == DrawSource::Kan);
}

/// Plays one hand and compares one of `every` decisions.
fn play(name: &str, seed: u64, every: usize, seen: &mut Seen) {
    let rules = Rules::preset(name).expect("a preset");
    let mut rng = Rng::new(seed);
    let players = rules.players;
    let start = Standing {
        round: rng.below(2 * usize::from(players.count())) as u16,
        honba: rng.below(3) as u16,
        sticks: rng.below(2) as u16,
        scores: BySeat::from_fn(players, |seat: Seat| 20_000 + 1_000 * i32::from(seat.number())),
        ..Standing::start(&rules)
    };
    let mut events = Vec::new();
    let mut game = Game::at(&rules, seed, &start, None, &mut events).expect("a start");
    while !events.iter().any(|event| matches!(event, Event::HandEnd(_))) {
        let (seat, _) = game.decisions().next().expect("a hand in play has a decision");
        let o = game.observe(seat);
        let is_position = matches!(o.phase(), Phase::Turn | Phase::Claim | Phase::KanClaim);
        if is_position && (rng.below(every) == 0 || o.phase() == Phase::KanClaim) {
            compare(name, &events, &game, seat, seen);
        }
        let action = choose(&o, &mut rng);
        game.submit_seen(seat, action, &mut events).expect("a legal action");
    }
}

#[test]
fn positions_read_back_give_the_same_observation() {
    let percent = u64::from(POSITION_PERCENT.get());
    let mut seen = Seen::default();
    for (name, hands) in RULES {
        for seed in 0..(hands * percent).div_ceil(100) {
            play(name, seed, 8, &mut seen);
        }
    }
    println!("{seen:?}");
    let Seen { positions, riichi, ippatsu, furiten, kans, kita, claims, kan_claims, after_calls, .. } = seen;
    assert!(u64::from(positions) > 10 * percent, "{seen:?}");
    if percent < 100 {
        // Too few for the rare ones.
        return;
    }
    assert!(positions > 2_000, "{seen:?}");
    assert!([riichi, furiten, kans, kita, claims, after_calls].iter().all(|count| *count > 100), "{seen:?}");
    assert!(ippatsu > 20 && kan_claims > 1 && seen.rinshan > 20, "{seen:?}");
}
