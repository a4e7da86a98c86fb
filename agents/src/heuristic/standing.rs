//! What points are worth for the result of the game.

use std::str::FromStr;

use jantaku_engine::rules::knobs::{Extension, Tobi, Yame};
use jantaku_engine::{BySeat, Observation, Rules, Seat};

use super::interpolated;
use super::params::Numbers;

/// What a player maximises.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Utility {
    /// Points alone.
    Points,
    /// The result of the game: points, uma and oka.
    Result,
    /// The placement alone, with a value for each place. With fewer players the first ones count.
    Places([f32; 4]),
}

impl Utility {
    /// The same distance between all places.
    pub const PLACEMENT: Utility = Utility::Places([3.0, 2.0, 1.0, 0.0]);
    /// What the first place is worth more than the last where places alone count. About what uma
    /// and points make of it in the result of a game.
    const SPREAD: f32 = 100_000.0;

    /// The bonus of each place, and what a point counts besides.
    fn weights(self, rules: &Rules, scores: &BySeat<i32>) -> ([f32; 4], f32) {
        match self {
            Utility::Points => ([0.0; 4], 1.0),
            Utility::Result => {
                let players = i32::from(rules.players.count());
                let mut bonus = [0.0; 4];
                let ahead = scores.iter().filter(|points| **points >= rules.return_points).count();
                for (bonus, uma) in bonus.iter_mut().zip(rules.uma.by_placement(ahead)) {
                    *bonus = 1000.0 * f32::from(*uma);
                }
                bonus[0] += (players * (rules.return_points - rules.start_points)) as f32;
                (bonus, 1.0)
            }
            Utility::Places(values) => {
                let last = values[usize::from(rules.players.count()) - 1];
                let spread = if values[0] > last { Utility::SPREAD / (values[0] - last) } else { 0.0 };
                (values.map(|value| spread * (value - last)), 0.0)
            }
        }
    }
}

/// `points`, `result`, `placement`, or a number for each place separated by commas.
impl FromStr for Utility {
    type Err = UtilityError;

    fn from_str(text: &str) -> Result<Utility, UtilityError> {
        let wrong = || UtilityError(text.to_owned());
        match text {
            "points" => return Ok(Utility::Points),
            "result" => return Ok(Utility::Result),
            "placement" => return Ok(Utility::PLACEMENT),
            _ => {}
        }
        let numbers = text.split(',').map(|value| value.trim().parse());
        let values: Vec<f32> = numbers.collect::<Result<_, _>>().map_err(|_| wrong())?;
        let falls = values.is_sorted_by(|a, b| a >= b) && values.first() > values.last();
        if !(2..=4).contains(&values.len()) || !falls || values.iter().any(|value| !value.is_finite()) {
            return Err(wrong());
        }
        let last = values[values.len() - 1];
        Ok(Utility::Places(std::array::from_fn(|place| values.get(place).copied().unwrap_or(last))))
    }
}

/// Why a text is no [`Utility`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`utility` is `{0}`, expected points, result, placement, or a number for each place that never rises, such \
     as \"90,45,0,-135\""
)]
pub struct UtilityError(String);

/// When the game ends, as far as the rules and the points tell.
#[derive(Clone, Copy)]
struct End {
    /// Whether no hand is scheduled after this one.
    is_last: bool,
    /// Whether the game ends when a player has less than no points.
    with_broke: bool,
    /// The points without which the game goes on.
    target: Option<f32>,
    /// Whether a leading dealer may end it.
    yame: bool,
    /// Where the dealer stands in `scores`.
    dealer: usize,
}

impl End {
    /// Whether the game ends with these points. `repeats` tells that the dealer deals again.
    fn is_over(&self, points: &[f32], repeats: bool) -> bool {
        if self.with_broke && points.iter().any(|points| *points < 0.0) {
            return true;
        }
        let reached = self.target.is_none_or(|target| points.iter().any(|points| *points >= target));
        let leads = || points.iter().all(|other| *other <= points[self.dealer]);
        self.is_last && if repeats { self.yame && reached && leads() } else { reached }
    }
}

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
    end: End,
    /// One over the standard deviation of a difference at the end: when this hand was the last one,
    /// and after the hands that follow it.
    over: f32,
    goes_on: f32,
    /// The bonus of each placement.
    bonus: [f32; 4],
    /// What each point counts besides.
    share: f32,
    counts_places: bool,
    /// The expected bonus while the hand goes on.
    now: f32,
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

    /// The worth at a decision.
    pub(super) fn new(
        o: &Observation<'_>,
        params: &Numbers,
        normal: &'a Normal,
        utility: Utility,
    ) -> Worth<'a> {
        let points_of_tenpai = params.value.tenpai;
        let rules = o.rules();
        let players = usize::from(rules.players.count());
        let mut seats = [o.seat(); 4];
        for (place, seat) in seats.iter_mut().skip(1).zip(rules.players.others(o.seat())) {
            *place = seat;
        }
        let mut scores = [0.0; 4];
        for (score, seat) in scores.iter_mut().zip(seats).take(players) {
            *score = o.scores()[seat] as f32;
        }
        let deviations = &params.standing.deviation;
        let hands = usize::from(rules.wind_rounds) * players;
        let left = hands.saturating_sub(1 + usize::from(o.round())).min(deviations.len() - 1);
        let target = rules.target.0.filter(|_| rules.extension != Extension::None);
        let end = End {
            is_last: left == 0,
            with_broke: rules.tobi != Tobi::Off,
            target: target.map(|points| points as f32),
            yame: rules.agari_yame != Yame::Off,
            dealer: seats.iter().position(|seat| *seat == o.dealer()).unwrap_or(0),
        };
        let scale =
            |hands: usize| 1.0 / (deviations[hands.min(deviations.len() - 1)] * std::f32::consts::SQRT_2);
        let (bonus, share) = utility.weights(rules, o.scores());
        let mut worth = Worth {
            normal,
            scores,
            seats,
            players,
            end,
            over: scale(0),
            goes_on: scale(left.max(1)),
            bonus,
            share,
            counts_places: utility != Utility::Points,
            now: 0.0,
            wins: None,
            tenpai: points_of_tenpai,
            stick: 1000.0,
            sticks: 1000.0 * f32::from(o.sticks()),
            honba: (rules.honba_ron * i32::from(o.honba())) as f32,
        };
        if !worth.counts_places {
            worth.wins = Some(Worth::NODES.map(|points| points + worth.sticks + worth.honba));
            return worth;
        }
        // As long as the hand goes on, it may change the points too.
        let in_play = scale(left + 1);
        worth.now = worth.expected_bonus([0.0; 4], in_play);
        let without_stick = worth.expected_bonus([-1000.0, 0.0, 0.0, 0.0], in_play);
        worth.stick = worth.share * 1000.0 + worth.now - without_stick;
        if left > 0 {
            worth.wins = Some(Worth::NODES.map(|points| worth.of_win(points)));
        }
        if left == 0 || worth.share == 0.0 {
            worth.tenpai = worth.of_tenpai(points_of_tenpai);
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
        self.of(self.won(points), self.end.dealer == 0)
    }

    /// The worth of paying this much to one player.
    pub(super) fn deal_in(&self, points: f32, to: Seat) -> f32 {
        let mut changes = [0.0; 4];
        let points = points + self.honba;
        changes[0] = -points;
        let at = (1..self.players).find(|at| self.seats[*at] == to).unwrap_or(0);
        changes[at] = points;
        self.of(changes, self.end.dealer == at)
    }

    /// The worth of tenpai at an exhaustive draw, compared with noten. The dealer deals again only
    /// when tenpai.
    fn of_tenpai(&self, points: f32) -> f32 {
        self.of(self.won(0.6 * points), self.end.dealer == 0) - self.of(self.won(-0.4 * points), false)
    }

    /// The changes of points if the others pay this much together.
    fn won(&self, points: f32) -> [f32; 4] {
        let mut changes = [-points / (self.players - 1) as f32; 4];
        changes[0] = points;
        changes
    }

    /// Whether no hand follows this one, as far as is known.
    pub(super) const fn is_last_hand(&self) -> bool {
        self.wins.is_none()
    }

    /// The worth of these changes. `repeats` tells that the dealer deals again.
    fn of(&self, changes: [f32; 4], repeats: bool) -> f32 {
        if !self.counts_places {
            return self.share * changes[0];
        }
        let points: [f32; 4] = std::array::from_fn(|at| self.scores[at] + changes[at]);
        let is_over = self.end.is_over(&points[..self.players], repeats);
        let scale = if is_over { self.over } else { self.goes_on };
        self.share * changes[0] + self.expected_bonus(changes, scale) - self.now
    }

    /// The expected bonus after these changes of points.
    fn expected_bonus(&self, changes: [f32; 4], scale: f32) -> f32 {
        let own = self.scores[0] + changes[0];
        // The chance of each placement, one opponent after the other.
        let [mut first, mut second, mut third, mut fourth] = [1.0, 0.0, 0.0, 0.0];
        let others = self.scores[1..self.players].iter().zip(&changes[1..self.players]);
        for (score, change) in others {
            let ahead = self.normal.of((score + change - own) * scale);
            let behind = 1.0 - ahead;
            fourth = fourth * behind + third * ahead;
            third = third * behind + second * ahead;
            second = second * behind + first * ahead;
            first *= behind;
        }
        let [if_first, if_second, if_third, if_fourth] = self.bonus;
        first * if_first + second * if_second + third * if_third + fourth * if_fourth
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
