//! What the decisions gain that an agent makes otherwise than another one.
//!
//! In games of the agent with itself, each decision that the other one makes differently is played
//! both ways on the same walls, each to the end of the game by the agent.

use std::error::Error;

use jantaku_agents::{Catalog, Heuristic, Policy};
use jantaku_engine::{Action, Declare, Game, Observation, Phase, Riichi, Rules, Seat};
use rayon::prelude::*;

use crate::groups::{self, Groups};
use crate::play;

/// Only hands with at most so many hands after them.
const LEFT: usize = 3;

pub fn decisions(rules: &Rules, games: u64, agent: &str, other: &str) -> Result<(), Box<dyn Error>> {
    let catalog = Catalog::standard();
    let [agent, other] = [agent, other].map(|text| catalog.agent(text));
    let (agent, other) = (agent?, other?);
    let agent = agent.downcast::<Heuristic>().ok_or("the agent is no heuristic")?;
    let other = other.downcast::<Heuristic>().ok_or("the other agent is no heuristic")?;
    let groups = (0..games)
        .into_par_iter()
        .map(|seed| of_game(rules, seed, agent, other))
        .reduce(Groups::new, groups::merged);
    groups::print(&groups);
    Ok(())
}

fn of_game(rules: &Rules, seed: u64, agent: &Heuristic, other: &Heuristic) -> Groups {
    let mut groups = Groups::new();
    let mut game = Game::new(rules, seed);
    loop {
        let next = game.decisions().next();
        let Some((seat, _)) = next else { return groups };
        let o = game.observe(seat);
        let mut rng = game.random_stream(seat, 0);
        let action = agent.choose(&o, &mut rng);
        if play::hands_left(&game) <= LEFT && matches!(o.phase(), Phase::Turn | Phase::Claim) {
            let instead = other.choose(&o, &mut rng);
            if instead != action {
                let [with, without] =
                    [action, instead].map(|action| play::play_on(&game, seat, action, agent));
                let gains = [
                    f64::from(with[seat].result - without[seat].result),
                    f64::from(without[seat].placement) - f64::from(with[seat].placement),
                ];
                for name in names(agent, &game, seat, &o, action, instead) {
                    groups.entry(name).or_default().add(gains);
                }
            }
        }
        game.submit(seat, action).unwrap_or_else(|error| panic!("{error}"));
    }
}

fn names(
    agent: &Heuristic,
    game: &Game,
    seat: Seat,
    o: &Observation<'_>,
    action: Action,
    instead: Action,
) -> Vec<String> {
    let left = play::hands_left(game);
    let own = o.scores()[seat];
    let rank = 1 + o.scores().enumerate().filter(|(s, p)| **p > own || **p == own && *s < seat).count();
    let threat = o.rules().players.others(seat).any(|s| o.side(s).riichi() != Riichi::None);
    let candidates = agent.explain(o);
    let of = |action: Action| candidates.iter().find(|c| c.action == action).copied();
    let kind = match (action, instead) {
        (Action::Pass, _) => "passes",
        (_, Action::Pass) => "calls",
        _ if o.phase() == Phase::Claim => "calls otherwise",
        _ if declares(action) && !declares(instead) => "riichi",
        _ if !declares(action) && declares(instead) => "no riichi",
        _ => match (of(action), of(instead)) {
            (Some(a), Some(b)) if a.risk < b.risk - 50.0 => "safer",
            (Some(a), Some(b)) if a.risk > b.risk + 50.0 => "riskier",
            (Some(a), Some(b)) if a.points > b.points => "dearer",
            (Some(a), Some(b)) if a.points < b.points => "cheaper",
            _ => "other",
        },
    };
    let threat = if threat { "against riichi" } else { "free" };
    let stage = if left == 0 { "last" } else { "before" };
    vec![
        format!("left {left}"),
        format!("{stage} {kind}"),
        format!("{stage} {kind} {threat}"),
        format!("{stage} {kind} rank {rank}"),
    ]
}

fn declares(action: Action) -> bool {
    matches!(
        action,
        Action::Discard { declare: Declare::Riichi, .. } | Action::Tsumogiri { declare: Declare::Riichi }
    )
}
