//! What points are worth for the result of the game.

use jantaku_engine::{Observation, Seat};

use super::interpolated;
use super::params::Numbers;

/// The worth of winning and losing points now, in points of result.
///
/// Points count by themselves and through the placement that they lead to. The chance to finish
/// ahead of another player follows from the difference in points and from what the remaining hands
/// may change, as a normal distribution. Outcomes are compared with a hand that goes on, which may
/// still change the points.
pub(super) struct Worth<'a> {
    normal: &'a Normal,
    /// The points of each player. The first is the agent.
    scores: [f32; 4],
    /// The seat of each player in `scores`.
    seats: [Seat; 4],
    players: usize,
    /// One over the standard deviation of a difference at the end, after a hand that ends now.
    scale: f32,
    /// The bonus of each placement.
    bonus: [f32; 4],
    /// The expected bonus while the hand goes on.
    now: f32,
    /// Whether placements count.
    is_on: bool,
    /// The worth of wins of [`Worth::NODES`] points. None in the last hand, where a few
    /// points more can mean a better placement.
    wins: Option<[f32; Worth::NODES.len()]>,
    /// The worth of tenpai at an exhaustive draw, compared with noten.
    pub tenpai: f32,
    /// The worth of a riichi stick that the player does not win back.
    pub stick: f32,
    /// Points of the riichi sticks on the table.
    sticks: f32,
    /// Points that honba add to a ron.
    honba: f32,
}

impl<'a> Worth<'a> {
    const NODES: [f32; 4] = [0.0, 6000.0, 14000.0, 32000.0];

    /// The worth at a decision. Points count alone if `is_on` is false.
    pub(super) fn new(o: &Observation<'_>, params: &Numbers, normal: &'a Normal, is_on: bool) -> Worth<'a> {
        let points_of_tenpai = params.value.tenpai;
        let params = &params.standing;
        let rules = o.rules();
        let players = usize::from(rules.players.count());
        let mut scores = [0.0; 4];
        let mut seats = [o.seat(); 4];
        scores[0] = o.scores()[o.seat()] as f32;
        for (at, seat) in rules.players.others(o.seat()).enumerate() {
            scores[at + 1] = o.scores()[seat] as f32;
            seats[at + 1] = seat;
        }
        let hands = usize::from(rules.wind_rounds) * players;
        let left = hands.saturating_sub(1 + usize::from(o.round())).min(params.deviation.len() - 1);
        let mut bonus = [0.0; 4];
        let ahead = o.scores().iter().filter(|points| **points >= rules.return_points).count();
        for (bonus, uma) in bonus.iter_mut().zip(rules.uma.by_placement(ahead)) {
            *bonus = 1000.0 * f32::from(*uma);
        }
        bonus[0] += (players as i32 * (rules.return_points - rules.start_points)) as f32;
        let deviation = params.deviation[left] * std::f32::consts::SQRT_2;
        // Tenpai of the dealer prolongs the game.
        let goes_on = (o.dealer() == o.seat()).then(|| params.deviation[1] * std::f32::consts::SQRT_2);
        let mut worth = Worth {
            normal,
            scores,
            seats,
            players,
            scale: 1.0 / deviation,
            bonus,
            now: 0.0,
            is_on,
            wins: None,
            tenpai: points_of_tenpai,
            stick: 1000.0,
            sticks: 1000.0 * f32::from(o.sticks()),
            honba: (rules.honba_ron * i32::from(o.honba())) as f32,
        };
        // As long as the hand goes on, it may change the points too.
        let deviation = params.deviation[(left + 1).min(params.deviation.len() - 1)];
        let in_play = Worth { scale: 1.0 / (deviation * std::f32::consts::SQRT_2), ..worth };
        worth.now = in_play.expected_bonus([0.0; 4]);
        if is_on {
            worth.stick += worth.now - in_play.expected_bonus([-1000.0, 0.0, 0.0, 0.0]);
        }
        if left > 0 {
            worth.wins = Some(Worth::NODES.map(|points| worth.of_win(points)));
        } else if is_on {
            worth.tenpai = worth.of_tenpai(points_of_tenpai, goes_on);
        }
        worth
    }

    /// The worth of winning this much from the others, with sticks and honba.
    #[inline]
    pub(super) fn win(&self, points: f32) -> f32 {
        match &self.wins {
            Some(wins) => {
                let nodes = &Worth::NODES;
                let high = (1..nodes.len() - 1).find(|at| points < nodes[*at]).unwrap_or(nodes.len() - 1);
                let share = (points - nodes[high - 1]) / (nodes[high] - nodes[high - 1]);
                wins[high - 1] + (wins[high] - wins[high - 1]) * share.min(1.0)
            }
            None => self.of_win(points),
        }
    }

    fn of_win(&self, points: f32) -> f32 {
        let points = points + self.sticks + self.honba;
        let mut changes = [-points / (self.players - 1) as f32; 4];
        changes[0] = points;
        self.of(changes)
    }

    /// The worth of paying this much to one player. Negative.
    pub(super) fn deal_in(&self, points: f32, to: Seat) -> f32 {
        let mut changes = [0.0; 4];
        let points = points + self.honba;
        changes[0] = -points;
        let at = (1..self.players).find(|at| self.seats[*at] == to).unwrap_or(0);
        changes[at] = points;
        self.of(changes)
    }

    /// The worth of tenpai in the last hand. `goes_on` is the standard deviation of a difference
    /// after one more hand, if tenpai leads to one.
    fn of_tenpai(&self, points: f32, goes_on: Option<f32>) -> f32 {
        let others = (self.players - 1) as f32;
        let after = |share: f32| {
            let mut changes = [-share * points / others; 4];
            changes[0] = share * points;
            changes
        };
        let tenpai = Worth { scale: goes_on.map_or(self.scale, |deviation| 1.0 / deviation), ..*self };
        points + tenpai.expected_bonus(after(0.6)) - self.expected_bonus(after(-0.4))
    }

    /// Whether no hand follows this one, as far as is known.
    pub(super) const fn is_last_hand(&self) -> bool {
        self.wins.is_none()
    }

    fn of(&self, changes: [f32; 4]) -> f32 {
        let bonus = if self.is_on { self.expected_bonus(changes) - self.now } else { 0.0 };
        changes[0] + bonus
    }

    /// The expected bonus after these changes of points.
    fn expected_bonus(&self, changes: [f32; 4]) -> f32 {
        let own = self.scores[0] + changes[0];
        // The chance of each placement, one opponent after the other.
        let mut placements = [1.0, 0.0, 0.0, 0.0];
        let others = self.scores.iter().zip(changes).take(self.players).skip(1);
        for (score, change) in others {
            let ahead = self.normal.of((score + change - own) * self.scale);
            for placement in (1..4).rev() {
                placements[placement] =
                    placements[placement] * (1.0 - ahead) + placements[placement - 1] * ahead;
            }
            placements[0] *= 1.0 - ahead;
        }
        placements.iter().zip(self.bonus).map(|(chance, bonus)| chance * bonus).sum()
    }
}

/// The standard normal distribution function, as a table.
#[derive(Clone, Debug)]
pub(super) struct Normal([f32; Normal::STEPS * Normal::PER_UNIT + 1]);

impl Normal {
    /// The table ends at ±4, where the function is within 0.00004 of 0 and 1.
    const STEPS: usize = 8;
    const PER_UNIT: usize = 32;

    /// Computes the table by a logistic approximation with an error below 0.0002 (Bowling et al.
    /// 2009, doi:10.3926/jiem.2009.v2n1.p114-127).
    pub(super) fn new() -> Normal {
        Normal(std::array::from_fn(|at| {
            let x = at as f32 / Normal::PER_UNIT as f32 - 4.0;
            1.0 / (1.0 + (-(1.5976 * x + 0.07056 * x * x * x)).exp())
        }))
    }

    #[inline]
    fn of(&self, x: f32) -> f32 {
        interpolated(&self.0, (x + 4.0) * Normal::PER_UNIT as f32)
    }
}
