//! The laws of `engine/tests/suite/laws` hold at every decision of any game.
//!
//! The first byte chooses the rules, the second the seed, and each further byte answers one
//! decision. The game stops where the bytes end.
#![no_main]

#[path = "../../tests/suite/laws/decisions.rs"]
mod decisions;
#[path = "../../tests/suite/laws/rule_sets.rs"]
mod rule_sets;

use std::sync::LazyLock;

use jantaku_engine::{ActionSet, Game, Phase, Rng, Rules, Seat};
use libfuzzer_sys::fuzz_target;

static RULES: LazyLock<Vec<(String, Rules)>> = LazyLock::new(rule_sets::rule_sets);

/// The laws in turn, one at each decision, because each takes far longer than a move.
const LAWS: [fn(&Game, &mut Rng); 5] = [
    decisions::accepted_actions_are_the_legal_actions,
    decisions::cached_state_matches_recomputed_state,
    decisions::tiles_and_points_are_conserved,
    decisions::order_of_answers_does_not_matter,
    determinized_hands_are_possible,
];

/// `determinize` keeps the player's view, and the hand can be played to its end.
fn determinized_hands_are_possible(game: &Game, rng: &mut Rng) {
    for seat in game.pending().iter() {
        let view = game.observe(seat);
        let mut guess = view.determinize(rng);
        let other = guess.observe(seat);
        assert_eq!((view.table(), view.legal()), (other.table(), other.legal()));
        assert_eq!((view.hand(), view.drawn(), view.waits()), (other.hand(), other.drawn(), other.waits()));
        assert_eq!(view.is_furiten(), other.is_furiten());
        while !guess.is_over() && guess.table().phase() != Phase::End {
            let (seat, legal) = guess.decisions().next().expect("an open decision");
            guess.submit(seat, decisions::choose(legal, false, rng)).expect("a legal action is accepted");
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let [rules, seed, answers @ ..] = bytes else { return };
    let (_, rules) = &RULES[usize::from(*rules) % RULES.len()];
    let mut rng = Rng::new(u64::from(*seed));
    let mut game = Game::new(rules, u64::from(*seed));
    let mut answers = answers.iter();
    for law in LAWS.iter().cycle() {
        law(&game, &mut rng);
        let decisions: Vec<(Seat, ActionSet)> = game.decisions().collect();
        for (seat, legal) in decisions {
            let Some(answer) = answers.next() else { return };
            let action = legal.nth(u32::from(*answer) % legal.len()).expect("a choice").action();
            game.submit(seat, action).expect("a legal action is accepted");
        }
        if game.is_over() {
            return;
        }
    }
});
