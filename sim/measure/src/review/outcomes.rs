//! How hands end in the rollouts of a trial.

use jantaku_agents::HandEnds;
use serde::{Deserialize, Serialize};

use super::confirm::Trial;

/// How the hand ended for the player in the rollouts of a trial.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ends {
    /// The share of wins, from 0 to 1.
    pub win: f32,
    /// Mean points of these wins, without honba and riichi sticks.
    pub points: f32,
    /// The share of deal-ins, from 0 to 1.
    pub deal_in: f32,
}

impl Ends {
    /// The ends after the action played and after the other one.
    pub(super) fn of_trial(trial: &Trial) -> [Ends; 2] {
        let worlds = trial.pairs.worlds.max(1) as f32;
        trial.pairs.ends.map(|ends| {
            let HandEnds { wins, win_points, deal_ins } = ends;
            Ends {
                win: wins as f32 / worlds,
                points: win_points as f32 / wins.max(1) as f32,
                deal_in: deal_ins as f32 / worlds,
            }
        })
    }
}
