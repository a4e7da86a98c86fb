//! Play: whatever is chosen among the legal actions, the laws hold at every decision.
//!
//! The bytes choose the rules (one), the wall (one) and an answer at each decision (one); where they end, the game is left.
#![no_main]

#[path = "../../tests/laws/decisions.rs"]
mod decisions;
#[path = "../../tests/laws/rule_sets.rs"]
mod rule_sets;

use std::sync::LazyLock;

use jantaku_engine::{ActionSet, Game, Phase, Rng, Rules, Seat};
use libfuzzer_sys::fuzz_target;

static RULES: LazyLock<Vec<(String, Rules)>> = LazyLock::new(rule_sets::rule_sets);

/// Checked in turns, because each takes far longer than a move.
const LAWS: [fn(&Game, &mut Rng); 5] = [
    decisions::what_is_legal_is_what_is_accepted,
    decisions::what_is_kept_is_what_is_computed_anew,
    decisions::no_tile_is_lost_and_no_point,
    decisions::the_order_of_answers_does_not_matter,
    guesses_look_the_same_and_can_be_played,
];

/// Hidden tiles may be guessed: nothing of what is seen changes, and the guess can be played to the end of its hand.
fn guesses_look_the_same_and_can_be_played(game: &Game, rng: &mut Rng) {
    for seat in game.pending().iter() {
        let view = game.observe(seat);
        let mut guess = view.determinize(rng);
        let other = guess.observe(seat);
        assert_eq!((view.table(), view.legal()), (other.table(), other.legal()));
        assert_eq!((view.hand(), view.drawn(), view.waits()), (other.hand(), other.drawn(), other.waits()));
        assert_eq!(view.is_furiten(), other.is_furiten());
        while !guess.is_over() && guess.table().phase() != Phase::End {
            let (seat, legal) = guess.decisions().next().expect("a hand that is not over waits for somebody");
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
