//! Compares two actions of a decision in the same worlds, for as long as the caller wants.

use std::ops::{AddAssign, Range};

use jantaku_engine::{Action, HandEnd, Observation, Outcome, Round, Seat};

use super::MonteCarlo;
use super::rollout::Worlds;
use super::value::RolloutValue;
use crate::Estimate;

/// The results of two actions of a decision in the same worlds.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct PairedRollouts {
    /// The number of worlds. Each was played twice, once after each action.
    pub worlds: u64,
    /// The value of the second action minus that of the first, in points.
    pub value: PairedMean,
    /// The expected placement after the first action minus that after the second. So positive
    /// numbers favour the second action, too.
    pub placement: PairedMean,
    /// How the hand ended for the player after each action.
    pub ends: [HandEnds; 2],
}

/// The mean difference over worlds.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct PairedMean {
    worlds: u64,
    sum: f64,
    squares: f64,
}

/// How hands ended for a player.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct HandEnds {
    /// Hands that the player won.
    pub wins: u64,
    /// The points of these wins, without honba and riichi sticks.
    pub win_points: i64,
    /// Draws in which the player showed tenpai.
    pub tenpai: u64,
    /// Hands in which the player dealt in.
    pub deal_ins: u64,
}

impl PairedMean {
    /// The difference in one world.
    pub fn of(difference: f64) -> PairedMean {
        PairedMean { worlds: 1, sum: difference, squares: difference * difference }
    }

    /// The mean with its standard error: 0 without worlds.
    pub fn estimate(&self) -> Estimate {
        let worlds = self.worlds.max(1) as f64;
        let mean = self.sum / worlds;
        let variance = (self.squares / worlds - mean * mean).max(0.0) / (worlds - 1.0).max(1.0);
        Estimate { mean: mean as f32, standard_error: Some(variance.sqrt() as f32) }
    }
}

impl HandEnds {
    /// The end of one hand.
    fn of(round: &Round, seat: Seat) -> HandEnds {
        let mut ends = HandEnds::default();
        if let Some(Outcome { end: HandEnd::Draw { tenpai, .. }, .. }) = round.outcome() {
            ends.tenpai = u64::from(tenpai.contains(seat));
        }
        for win in round.outcome().iter().flat_map(Outcome::wins) {
            ends.wins += u64::from(win.winner == seat);
            ends.win_points += if win.winner == seat { i64::from(win.points) } else { 0 };
            ends.deal_ins = ends.deal_ins.max(u64::from(win.from == Some(seat)));
        }
        ends
    }
}

impl AddAssign for PairedMean {
    fn add_assign(&mut self, more: PairedMean) {
        self.worlds += more.worlds;
        self.sum += more.sum;
        self.squares += more.squares;
    }
}

impl AddAssign for HandEnds {
    fn add_assign(&mut self, more: HandEnds) {
        self.wins += more.wins;
        self.win_points += more.win_points;
        self.deal_ins += more.deal_ins;
        self.tenpai += more.tenpai;
    }
}

impl AddAssign for PairedRollouts {
    fn add_assign(&mut self, more: PairedRollouts) {
        self.worlds += more.worlds;
        self.value += more.value;
        self.placement += more.placement;
        self.ends[0] += more.ends[0];
        self.ends[1] += more.ends[1];
    }
}

impl MonteCarlo {
    /// Plays two legal actions of a decision in the worlds with these numbers.
    ///
    /// The seed and a number determine a world, so other numbers are fresh worlds. The results of
    /// different numbers can be added. All threads of the rayon pool take part if the caller is not
    /// one of them; the result does not depend on their number.
    ///
    /// # Panics
    ///
    /// If an action is not legal.
    pub fn paired(
        &self,
        o: &Observation<'_>,
        actions: [Action; 2],
        seed: u64,
        numbers: Range<u64>,
    ) -> PairedRollouts {
        let value = RolloutValue::new(o, self.utility, self.placements.of(o.rules().players));
        let worlds = Worlds::new(self, o, seed);
        let of_world = worlds.map(numbers, |start| {
            let ends = actions.map(|action| worlds.end(start, action));
            let [first, second] = [0, 1].map(|at| f64::from(value.of(&ends[at])));
            let [first_placement, second_placement] = [0, 1].map(|at| f64::from(value.placement(&ends[at])));
            PairedRollouts {
                worlds: 1,
                value: PairedMean::of(second - first),
                placement: PairedMean::of(first_placement - second_placement),
                ends: [0, 1].map(|at| HandEnds::of(&ends[at], o.seat())),
            }
        });
        of_world.into_iter().fold(PairedRollouts::default(), |mut sum, one| {
            sum += one;
            sum
        })
    }
}
