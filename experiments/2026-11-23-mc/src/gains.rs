//! What the search gains where the hidden hands are known.

use std::fmt::Write;
use std::ops::Range;

use jantaku_agents::{Heuristic, MonteCarlo, SearchResult};
use jantaku_engine::{Action, Game, Observation, Rng, Round, Rules, Tile};

use crate::play;

/// `decision`: its number in the game. `choice`, `candidate`: kinds of actions. `hands`: scheduled
/// hands left, this one included. `left`: live tiles. `gap`: what the proposer finds the candidate
/// worse than its choice; empty if it does not say. `difference`, `error`, `believed`: what the
/// rollouts say, its standard error, and what the agent makes of it. `chosen`: whether the agent
/// takes it. `gain`: what it gains with the true hands, compared with the choice.
const COLUMNS: &str =
    "seed,decision,choice,candidate,hands,left,gap,deals,difference,error,believed,chosen,gain";

/// Prints a line for each candidate besides the proposer's choice. With the true hands, `heuristic`
/// plays all seats, in the same walls for all candidates.
pub fn print(search: &MonteCarlo, rules: &Rules, seeds: Range<u64>, rate: usize, walls: usize) {
    println!("{COLUMNS}");
    let agent = Heuristic::default();
    play::decisions(rules, seeds, rate, |game, seat, number, rng| {
        let o = game.observe(seat);
        let SearchResult { action: chosen, arms, .. } = search.search(&o, rng);
        if arms.len() < 2 {
            return String::new();
        }
        let deals = true_hands(game, &o, walls);
        let value = |action: Action| {
            let values = deals
                .iter()
                .map(|deal| play::play_on(search, &o, deal.clone(), action, &agent, &mut Rng::new(0)));
            values.sum::<f32>() / walls as f32
        };
        let of_choice = value(arms[0].action);
        let scheduled = u16::from(rules.wind_rounds) * u16::from(rules.players.count());
        let mut lines = String::new();
        for arm in &arms[1..] {
            let gap = arm.gap.map_or(String::new(), |gap| format!("{gap:.0}"));
            let written = writeln!(
                lines,
                "{},{number},{},{},{},{},{gap},{},{:.0},{:.0},{:.0},{},{:.0}",
                game.seed(),
                play::kind(arms[0].action),
                play::kind(arm.action),
                scheduled.saturating_sub(o.round()),
                o.live(),
                arm.worlds,
                arm.difference,
                arm.error,
                arm.posterior,
                u8::from(arm.action == chosen),
                value(arm.action) - of_choice,
            );
            written.unwrap_or_default();
        }
        lines
    });
}

/// The true hands, each time with the wall in another random order.
fn true_hands(game: &Game, o: &Observation<'_>, walls: usize) -> Vec<Round> {
    let mut known: Vec<Tile> = Vec::new();
    for seat in o.rules().players.seats().filter(|seat| *seat != o.seat()) {
        let private = game.round().private(seat);
        known.extend(private.hand().tiles());
        known.extend(private.drawn());
    }
    let mut wall = o.hidden().tiles().to_vec();
    for tile in &known {
        let at = wall.iter().position(|other| other == tile).expect("hidden tiles hold all hands");
        wall.swap_remove(at);
    }
    let mut rng = game.random_stream(o.seat(), 2);
    let mut next = || {
        rng.shuffle(&mut wall);
        o.complete(&[&known[..], &wall].concat())
    };
    (0..walls).map(|_| next()).collect()
}
