//! What an agent gains over another one in a single hand, by the situation.
//!
//! Games of the base agent with itself give the standings. From the start of each of the last
//! hands, one seat after the other plays that hand with the other agent, on the same wall, and the
//! base agent plays the rest of the game in all seats.

use std::error::Error;

use jantaku_agents::{Catalog, Policy};
use jantaku_engine::{Game, Rules, Seat};
use rayon::prelude::*;

use crate::groups::{self, Groups};
use crate::play;

/// Only hands with at most so many hands after them.
const LEFT: usize = 3;

pub fn gain(rules: &Rules, games: u64, base: &str, agent: &str) -> Result<(), Box<dyn Error>> {
    let catalog = Catalog::standard();
    let [base, agent] = [base, agent].map(|text| catalog.agent(text));
    let (base, agent) = (base?, agent?);
    let base = base.policy().ok_or("the base is no policy")?;
    let agent = agent.policy().ok_or("the agent is no policy")?;
    let groups = (0..games)
        .into_par_iter()
        .map(|seed| of_game(rules, seed, &base, &agent))
        .reduce(Groups::new, groups::merged);
    groups::print(&groups);
    Ok(())
}

fn of_game(rules: &Rules, seed: u64, base: &dyn Policy, agent: &dyn Policy) -> Groups {
    let (starts, usual) = play::hands(rules, seed, base);
    let mut groups = Groups::new();
    for start in starts.iter().filter(|start| play::hands_left(start) <= LEFT) {
        for seat in rules.players.seats() {
            let with = play::finish(start, base, seat, agent);
            let gains = [
                f64::from(with[seat].result - usual[seat].result),
                f64::from(usual[seat].placement) - f64::from(with[seat].placement),
            ];
            for name in names(start, seat) {
                groups.entry(name).or_default().add(gains);
            }
        }
    }
    groups
}

/// The groups that a hand belongs to.
fn names(start: &Game, seat: Seat) -> Vec<String> {
    let left = play::hands_left(start);
    let scores = start.scores();
    let own = scores[seat];
    let rank = 1 + scores.enumerate().filter(|(s, p)| **p > own || **p == own && *s < seat).count();
    let above = scores.iter().filter(|p| **p > own).min().map_or(99_999, |p| p - own);
    let below = scores.iter().filter(|p| **p < own).max().map_or(99_999, |p| own - p);
    let class = |gap: i32| match gap {
        ..4000 => "close",
        4000..12_000 => "apart",
        _ => "far",
    };
    let dealer = if start.table().dealer() == seat { "dealer" } else { "other" };
    let gaps = match rank {
        1 => format!("1 below {}", class(below)),
        4 => format!("4 above {}", class(above)),
        _ => format!("{rank} above {} below {}", class(above), class(below)),
    };
    let mut names =
        vec![format!("left {left}"), format!("left {left} {dealer}"), format!("left {left} rank {rank}")];
    if left == 0 {
        let extension = if start.table().round() >= 8 { "extension " } else { "" };
        names.push(format!("left 0 {extension}{dealer} rank {rank}"));
        names.push(format!("left 0 {gaps}"));
    }
    names
}
