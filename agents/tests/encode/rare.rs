//! States that few games reach: dead hands, open riichi, claims of a kan's tile, the choices at a draw
//! and at the end of the game.

use std::collections::BTreeMap;

use jantaku_engine::rules::knobs::{Chombo, Enforce, InvalidCall, OpenRiichi, Yame, YameCondition};
use jantaku_engine::{Action, Game, Observation, Phase, Rng, Rules, TileKind};

use crate::laws::{Planes, seats};
use crate::play;
use crate::sparse::{encoded, kinds, numbers};

/// Short games with a referee, open riichi and all choices.
fn rules() -> Rules {
    Rules {
        wind_rounds: 1,
        enforce: Enforce::Referee,
        chombo: Chombo::ReverseMangan,
        invalid_call: InvalidCall::DeadHand,
        open_riichi: OpenRiichi::OneHan,
        noten_declaration: true,
        agari_yame: Yame::Choice,
        tenpai_yame: Yame::Choice,
        yame_condition: YameCondition::None,
        ..Rules::default()
    }
}

/// Compares what both encoders say of a decision with its observation, and counts what is rare.
fn check(o: &Observation<'_>, seen: &mut BTreeMap<String, u32>) {
    let (planes, (active, _)) = (Planes::of(o), encoded(o));
    let mut is_true = |name: String, expected: bool| {
        assert_eq!(planes.number(&name) == 1, expected, "{name}");
        *seen.entry(name).or_default() += u32::from(expected);
    };
    let phases = ["turn", "claim", "kan_claim", "draw", "end"];
    let phase = match o.phase() {
        Phase::Turn => 0,
        Phase::Claim => 1,
        Phase::KanClaim => 2,
        Phase::Draw => 3,
        Phase::End => 4,
        Phase::Over => panic!("no decision is over"),
    };
    for (number, name) in phases.into_iter().enumerate() {
        is_true(format!("decision.{name}.table"), number == phase);
    }
    assert_eq!(numbers(&active, "decision.phase.table"), [phase as u16]);
    for (view, seat) in seats(o) {
        let is_dead = o.side(seat).is_dead();
        is_true(format!("seat.dead.{view}"), is_dead);
        assert_eq!(numbers(&active, &format!("seat.dead.{view}")).len(), usize::from(is_dead));
    }
    for (view, seat) in seats(o) {
        let waits: Vec<TileKind> = o.shown_waits(seat).iter().collect();
        let name = format!("seat.shown_waits.{view}");
        let of_plane = TileKind::all().filter(|kind| planes.at(&name, *kind) == 1);
        assert!(of_plane.eq(waits.iter().copied()), "{name}");
        assert_eq!(kinds(&active, &name), waits);
        *seen.entry(name).or_default() += u32::from(!waits.is_empty());
    }
}

/// Both encoders say what is there, until all of it has occurred.
#[test]
fn rare_states_are_encoded() {
    let rules = rules();
    assert_eq!(rules.check(), Ok(()));
    let mut seen = BTreeMap::new();
    for seed in 0..300 {
        let (mut game, mut rng) = (Game::new(&rules, seed), Rng::new(seed));
        while !game.is_over() {
            for seat in game.pending().iter() {
                let o = game.observe(seat);
                check(&o, &mut seen);
                // A daiminkan without the tiles for it is a foul that makes the hand dead.
                let is_foul = o.phase() == Phase::Claim && rng.below(100) == 0;
                let action = if is_foul { Action::Daiminkan } else { play::choose(&o, &mut rng) };
                game.submit(seat, action).expect("the referee judges illegal actions");
            }
        }
        if seen.values().all(|times| *times > 0) {
            return;
        }
    }
    panic!("some never occur: {seen:?}");
}
