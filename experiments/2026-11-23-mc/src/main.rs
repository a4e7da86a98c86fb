//! Measures what the rollouts of the agent `mc` tell.
//!
//! In games of `heuristic`, searches some decisions and then plays every candidate on in the true
//! game, by `heuristic` in all seats. Prints a line of CSV for each candidate besides the
//! proposer's choice.

use std::error::Error;
use std::fmt::Write;

use jantaku_agents::{Catalog, Heuristic, MonteCarlo, Policy};
use jantaku_engine::{Action, Declare, Game, Observation, Riichi, Rng, Rules, Seat};
use rayon::prelude::*;

const USAGE: &str = "usage: jantaku-mc gains FIRST GAMES RATE AGENT [PRESET]

Plays GAMES games from seed FIRST and searches one in RATE decisions with AGENT, such as
mc:rollouts=256. The agent searches no clear decision (option margin).";

/// `decision`: the number of the decision among those of the game. `gap`: what the proposer finds the candidate worse; empty if it does not say. `difference`,
/// `error`: what the rollouts say, and the standard error. `gain`: what the candidate brought in the
/// true game, compared with the proposer's choice. `chosen`: whether the agent would take it.
/// `hands`: scheduled hands left, this one included.
const COLUMNS: &str =
    "seed,decision,choice,candidate,hands,turn,riichi,gap,deals,difference,error,chosen,gain";

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (first, games, rate, agent, preset) = match words[..] {
        ["gains", first, games, rate, agent] => (first, games, rate, agent, "tenhou"),
        ["gains", first, games, rate, agent, preset] => (first, games, rate, agent, preset),
        _ => return Err(USAGE.into()),
    };
    let (first, games, rate): (u64, u64, usize) = (first.parse()?, games.parse()?, rate.parse()?);
    let rules = Rules::preset(preset).ok_or("unknown preset")?;
    let named = Catalog::standard().agent(agent)?;
    let search = named.downcast::<MonteCarlo>().ok_or("the agent is not mc")?;
    print!("{COLUMNS}\n");
    (first..first + games).into_par_iter().for_each(|seed| print!("{}", lines(search, &rules, seed, rate)));
    Ok(())
}

fn lines(search: &MonteCarlo, rules: &Rules, seed: u64, rate: usize) -> String {
    let agent = Heuristic::default();
    let mut lines = String::new();
    let mut game = Game::new(rules, seed);
    let mut decision = 0;
    while let Some(seat) = game.pending().iter().next() {
        decision += 1;
        let mut rng = game.random_stream(seat, 1);
        if rng.below(rate) == 0 {
            let number = decision;
            add(&mut lines, search, &agent, &game, (seat, number), &mut rng);
        }
        let action = agent.choose(&game.observe(seat), &mut rng);
        game.submit(seat, action).unwrap_or_else(|illegal| panic!("{illegal}"));
    }
    lines
}

fn add(
    lines: &mut String,
    search: &MonteCarlo,
    agent: &Heuristic,
    game: &Game,
    (seat, number): (Seat, usize),
    rng: &mut Rng,
) {
    let o = game.observe(seat);
    let searched = search.search(&o, rng);
    let choice = searched.arms[0].action;
    if searched.arms.len() < 2 {
        return;
    }
    let base = play_on(search, agent, game, &o, choice);
    let others = o.rules().players.others(seat);
    let riichi = others.filter(|seat| o.side(*seat).riichi() != Riichi::None).count();
    let scheduled = u16::from(o.rules().wind_rounds) * u16::from(o.rules().players.count());
    for arm in &searched.arms[1..] {
        let gain = play_on(search, agent, game, &o, arm.action) - base;
        let gap = arm.gap.map_or(String::new(), |gap| format!("{gap:.0}"));
        let result = writeln!(
            lines,
            "{},{number},{},{},{},{},{riichi},{gap},{},{:.0},{:.0},{},{gain:.0}",
            game.seed(),
            kind(choice),
            kind(arm.action),
            scheduled.saturating_sub(o.round()),
            o.side(seat).discard_count(),
            arm.deals,
            arm.difference,
            arm.error,
            u8::from(arm.action == searched.action),
        );
        result.unwrap_or_default();
    }
}

/// The value after the hand if the seat takes this action in the true game.
fn play_on(search: &MonteCarlo, agent: &Heuristic, game: &Game, o: &Observation<'_>, action: Action) -> f32 {
    let mut round = game.round().clone();
    let mut rng = Rng::new(0);
    round.submit(o.seat(), action).unwrap_or_else(|illegal| panic!("{illegal}"));
    while !round.is_over() {
        for seat in round.pending().iter() {
            let action = agent.choose(&round.observe(seat), &mut rng);
            round.submit(seat, action).unwrap_or_else(|illegal| panic!("{illegal}"));
        }
    }
    search.value_of(o, &round)
}

fn kind(action: Action) -> &'static str {
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
