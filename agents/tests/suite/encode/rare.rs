//! States that few games reach: dead hands, open riichi, claims of a kan's tile, the choices at a draw
//! and at the end of the game.

use std::collections::BTreeMap;

use jantaku_engine::rules::options::{Chombo, Enforce, InvalidCall, OpenRiichi, Yame, YameCondition};
use jantaku_engine::{Action, Game, Observation, Phase, Rng, Rules, TileKind};

use super::laws::{Planes, seats};
use super::play;
use super::sparse::{encoded, kinds, numbers};

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

const PHASES: [(&str, Phase); 5] = [
    ("turn", Phase::Turn),
    ("claim", Phase::Claim),
    ("kan_claim", Phase::KanClaim),
    ("draw", Phase::Draw),
    ("end", Phase::End),
];

/// Compares both encodings of a decision with its observation, and notes the features that have
/// occurred.
fn check(o: &Observation<'_>, seen: &mut BTreeMap<String, bool>) {
    let (planes, (active, _)) = (Planes::of(o), encoded(o));
    let mut note = |name: String, occurs: bool| *seen.entry(name).or_default() |= occurs;
    for (number, (phase, expected)) in (0..).zip(PHASES) {
        let (name, is_phase) = (format!("decision.{phase}.table"), o.phase() == expected);
        assert_eq!(planes.number(&name) == 1, is_phase, "{name}");
        assert_eq!(numbers(&active, "decision.phase.table") == [number], is_phase, "{name}");
        note(name, is_phase);
    }
    for (view, seat) in seats(o) {
        let (name, is_dead) = (format!("seat.dead.{view}"), o.side(seat).is_dead());
        assert_eq!(planes.number(&name) == 1, is_dead, "{name}");
        assert_eq!(numbers(&active, &name).len(), usize::from(is_dead), "{name}");
        note(name, is_dead);
        let (name, waits) = (format!("seat.shown_waits.{view}"), o.shown_waits(seat));
        let of_plane = TileKind::all().filter(|kind| planes.at(&name, *kind) == 1);
        assert!(of_plane.eq(waits.iter()), "{name}");
        assert!(kinds(&active, &name).into_iter().eq(waits.iter()), "{name}");
        note(name, waits.iter().next().is_some());
    }
}

/// Whether few games reach such a decision.
fn is_rare(o: &Observation<'_>) -> bool {
    let rare_phase = !matches!(o.phase(), Phase::Turn | Phase::Claim);
    rare_phase
        || seats(o).into_iter().any(|(_, seat)| o.side(seat).is_dead() || !o.shown_waits(seat).is_empty())
}

/// Both encoders encode the rare states of a decision. The test ends when all of them have
/// occurred.
#[test]
fn rare_states_are_encoded() {
    let rules = rules();
    assert_eq!(rules.check(), Ok(()));
    let mut seen = BTreeMap::new();
    for seed in 0..300 {
        let (mut game, mut rng, mut chosen) = (Game::new(&rules, seed), Rng::new(seed), Rng::new(seed));
        while !game.is_over() {
            for seat in game.pending().iter() {
                let o = game.observe(seat);
                if is_rare(&o) || chosen.below(20) == 0 {
                    check(&o, &mut seen);
                }
                // A daiminkan without the tiles for it is a foul that makes the hand dead.
                let is_foul = o.phase() == Phase::Claim && rng.below(100) == 0;
                let action = if is_foul { Action::Daiminkan } else { play::choose(&o, &mut rng) };
                game.submit(seat, action).expect("the referee judges illegal actions");
            }
        }
        if seen.values().all(|occurs| *occurs) {
            return;
        }
    }
    panic!("some never occur: {seen:?}");
}
