//! Decisions in games of `heuristic`, and how they are played on.

use std::ops::Range;

use jantaku_agents::{Heuristic, MonteCarlo, Policy};
use jantaku_engine::{Action, Declare, Game, Observation, Rng, Round, Rules, Seat};
use rayon::prelude::*;

/// Prints what `study` writes about one in `rate` decisions of these games. It gets the number of
/// the decision in its game.
pub fn decisions(
    rules: &Rules,
    seeds: Range<u64>,
    rate: usize,
    study: impl Fn(&Game, Seat, usize, &mut Rng) -> String + Sync,
) {
    let agent = Heuristic::default();
    seeds.into_par_iter().for_each(|seed| {
        let mut game = Game::new(rules, seed);
        let mut number = 0;
        while let Some(seat) = game.pending().iter().next() {
            number += 1;
            let mut rng = game.random_stream(seat, 1);
            if rng.below(rate) == 0 {
                print!("{}", study(&game, seat, number, &mut rng));
            }
            let action = agent.choose(&game.observe(seat), &mut rng);
            game.submit(seat, action).unwrap_or_else(|illegal| panic!("{illegal}"));
        }
    });
}

/// The value after the hand if the player of an observation takes this action and `players` play on
/// in all seats.
pub fn play_on(
    search: &MonteCarlo,
    o: &Observation<'_>,
    mut round: Round,
    action: Action,
    players: &impl Policy,
    rng: &mut Rng,
) -> f32 {
    round.submit(o.seat(), action).unwrap_or_else(|illegal| panic!("{illegal}"));
    while !round.is_over() {
        round.keep_draws();
        for seat in round.pending().iter() {
            let action = players.choose(&round.observe(seat), rng);
            round.submit(seat, action).unwrap_or_else(|illegal| panic!("{illegal}"));
        }
    }
    search.value_of(o, &round)
}

/// What kind of action it is.
pub fn kind(action: Action) -> &'static str {
    match action {
        Action::Discard { declare, .. } | Action::Tsumogiri { declare } => {
            if declare == Declare::Nothing {
                "discard"
            } else {
                "riichi"
            }
        }
        Action::Chi { .. } => "chi",
        Action::Pon { .. } => "pon",
        Action::Kan { .. } | Action::Daiminkan => "kan",
        Action::Ron | Action::Tsumo => "win",
        Action::Pass => "pass",
        _ => "other",
    }
}
