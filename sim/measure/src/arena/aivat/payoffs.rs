//! The expected result of each seat for each end of a hand.

use jantaku_agents::PlacementModel;
use jantaku_engine::rules::options::{Extension, Tobi, Yame};
use jantaku_engine::{BySeat, Rules, Seat, final_results};

use super::numbers::{LEVELS, POINTS, TSUMO_SHARE};
use super::win_odds::Class;

/// The quantities of a match: placement, result and points.
pub const QUANTITIES: usize = 3;

/// The expected placement, result and points of each seat; 0 for seats that the game does not have.
pub type Values = [[f32; 4]; QUANTITIES];

/// Nothing for any seat.
pub const NO_VALUE: Values = [[0.0; 4]; QUANTITIES];

/// Adds a share of one value to another.
#[inline]
pub fn add(sum: &mut Values, share: f32, values: &Values) {
    for (sum, value) in sum.iter_mut().flatten().zip(values.iter().flatten()) {
        *sum += share * value;
    }
}

/// How a hand ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Win(Seat),
    Draw { dealer_repeats: bool },
}

/// The standing at the start of a hand, and the riichi sticks paid since.
#[derive(Clone, Copy, Debug)]
pub struct HandStart {
    /// The number of the hand in the game, from 0. A repeat has the same number.
    pub round: u16,
    /// Honba.
    pub honba: u16,
    /// Riichi sticks on the table.
    pub sticks: u16,
    /// The dealer.
    pub dealer: Seat,
    /// Points of each seat.
    pub scores: BySeat<i32>,
}

/// The value of each end of a hand, minus that of a drawn hand. The values of all seats add up to 0.
#[derive(Clone, Debug)]
pub struct Stakes {
    wins: [[Values; Class::COUNT]; 4],
    tsumo: [[Values; Class::COUNT]; 4],
    ron: [[[Values; Class::COUNT]; 4]; 4],
}

impl Stakes {
    /// Stakes of 0, before [`Stakes::compute`].
    pub fn new() -> Box<Stakes> {
        let none = [[NO_VALUE; Class::COUNT]; 4];
        Box::new(Stakes { wins: none, tsumo: none, ron: [none; 4] })
    }

    /// A win of a seat, by tsumo or ron.
    pub const fn win_value(&self, winner: Seat, class: Class) -> &Values {
        &self.wins[winner.index()][class.index()]
    }

    /// A win by tsumo.
    pub const fn tsumo_value(&self, winner: Seat, class: Class) -> &Values {
        &self.tsumo[winner.index()][class.index()]
    }

    /// A win on another seat's discard.
    pub const fn ron_value(&self, winner: Seat, from: Seat, class: Class) -> &Values {
        &self.ron[winner.index()][from.index()][class.index()]
    }

    /// Computes the stakes of a hand.
    pub fn compute(&mut self, rules: &Rules, model: &PlacementModel, start: &HandStart) {
        let after = After { rules, model, start };
        let players = rules.players;
        // In half of the drawn hands, the dealer is taken to repeat.
        let mut drawn = NO_VALUE;
        for dealer_repeats in [false, true] {
            add(&mut drawn, 0.5, &after.values(&start.scores, End::Draw { dealer_repeats }));
        }
        let compared = |scores: &BySeat<i32>, end: End| {
            let mut values = after.values(scores, end);
            add(&mut values, -1.0, &drawn);
            values
        };
        let rivals = f32::from(players.count() - 1);
        for winner in players.seats() {
            let own = winner.index();
            let by_tsumo = LEVELS.map(|points| compared(&after.tsumo(winner, points), End::Win(winner)));
            for (class, style) in Class::all() {
                let class = class.index();
                self.tsumo[own][class] = mixed(&by_tsumo, &POINTS[1][class]);
                self.wins[own][class] = NO_VALUE;
                add(&mut self.wins[own][class], TSUMO_SHARE[style], &self.tsumo[own][class]);
            }
            for from in players.others(winner) {
                let by_ron =
                    LEVELS.map(|points| compared(&after.ron(winner, from, points), End::Win(winner)));
                for (class, style) in Class::all() {
                    let class = class.index();
                    let ron = mixed(&by_ron, &POINTS[0][class]);
                    add(&mut self.wins[own][class], (1.0 - TSUMO_SHARE[style]) / rivals, &ron);
                    self.ron[own][from.index()][class] = ron;
                }
            }
        }
    }
}

fn mixed(levels: &[Values; LEVELS.len()], shares: &[f32; LEVELS.len()]) -> Values {
    let mut values = NO_VALUE;
    levels.iter().zip(shares).for_each(|(level, share)| add(&mut values, *share, level));
    values
}

/// The expected results after a hand.
struct After<'a> {
    rules: &'a Rules,
    model: &'a PlacementModel,
    start: &'a HandStart,
}

impl After<'_> {
    /// The points after a tsumo. `points` are those of a player who is not the dealer; the dealer
    /// wins half as many again.
    fn tsumo(&self, winner: Seat, points: f32) -> BySeat<i32> {
        let HandStart { dealer, honba, sticks, .. } = *self.start;
        let mut scores = self.start.scores;
        let honba = self.rules.honba_ron * i32::from(honba) / 3;
        scores[winner] += self.rules.riichi_stick * i32::from(sticks);
        let players = self.rules.players;
        let (points, shares) = if winner == dealer { (1.5 * points, 3.0) } else { (points, 4.0) };
        for other in players.others(winner) {
            let double = if other == dealer { 2.0 } else { 1.0 };
            let paid = (double * points / shares) as i32 + honba;
            scores[other] -= paid;
            scores[winner] += paid;
        }
        scores
    }

    /// The points after a ron. `points` are as in [`After::tsumo`].
    fn ron(&self, winner: Seat, from: Seat, points: f32) -> BySeat<i32> {
        let HandStart { dealer, honba, sticks, .. } = *self.start;
        let mut scores = self.start.scores;
        let points = if winner == dealer { 1.5 * points } else { points };
        let paid = points as i32 + self.rules.honba_ron * i32::from(honba);
        scores[from] -= paid;
        scores[winner] += paid + self.rules.riichi_stick * i32::from(sticks);
        scores
    }

    /// The expected result of each seat after a hand that leaves these points, minus the mean of all
    /// seats.
    fn values(&self, scores: &BySeat<i32>, end: End) -> Values {
        let repeats = match end {
            End::Win(winner) => winner == self.start.dealer,
            End::Draw { dealer_repeats } => dealer_repeats,
        };
        let mut values = NO_VALUE;
        if self.ends_game(scores, repeats, end) {
            for (seat, result) in final_results(scores, self.rules).enumerate() {
                values[0][seat.index()] = f32::from(result.placement);
                values[1][seat.index()] = result.result as f32;
                values[2][seat.index()] = scores[seat] as f32;
            }
        } else {
            self.set_expected(scores, repeats, &mut values);
        }
        let players = usize::from(self.rules.players.count());
        for quantity in &mut values {
            let mean = quantity[..players].iter().sum::<f32>() / players as f32;
            quantity[..players].iter_mut().for_each(|value| *value -= mean);
        }
        values
    }

    /// Sets the values to the expected result of each seat if the game continues.
    fn set_expected(&self, scores: &BySeat<i32>, repeats: bool, values: &mut Values) {
        let players = self.rules.players;
        let count = u16::from(players.count());
        let round = self.start.round + u16::from(!repeats);
        let stage = usize::from((u16::from(self.rules.wind_rounds) * count).saturating_sub(round));
        let dealer = Seat::FIRST.after((round % count) as u8, players);
        let oka = f32::from(players.count()) * (self.rules.return_points - self.rules.start_points) as f32;
        for seat in players.seats() {
            let (mut points, mut turns) = ([f32::NEG_INFINITY; 4], [0; 4]);
            for (at, other) in std::iter::once(seat).chain(players.others(seat)).enumerate() {
                points[at] = scores[other] as f32;
                turns[at] = usize::from(dealer.steps_to(other, players));
            }
            let chances = self.model.chances_of_first(stage, &points, &turns);
            let placed = (1u8..).zip(chances).map(|(place, chance)| f32::from(place) * chance);
            let uma = self.rules.uma_after(scores).iter().zip(chances);
            let bonus: f32 = uma.map(|(uma, chance)| 1000.0 * f32::from(*uma) * chance).sum();
            values[0][seat.index()] = placed.sum();
            values[1][seat.index()] = scores[seat] as f32 + bonus + oka * chances[0];
            values[2][seat.index()] = scores[seat] as f32;
        }
    }

    /// Whether the game ends after a hand. Ignores rare options, such as the length of an extension.
    fn ends_game(&self, scores: &BySeat<i32>, repeats: bool, end: End) -> bool {
        let Rules { tobi, goal_points, target, extension, agari_yame, tenpai_yame, .. } = self.rules;
        let broke = |points: &i32| match tobi {
            Tobi::Off => false,
            Tobi::BelowZero => *points < 0,
            Tobi::ZeroOrBelow => *points <= 0,
        };
        let has_goal = |points: &i32| goal_points.0.is_some_and(|goal| *points >= goal);
        if scores.iter().any(|points| broke(points) || has_goal(points)) {
            return true;
        }
        let hands = u16::from(self.rules.wind_rounds) * u16::from(self.rules.players.count());
        if self.start.round + 1 < hands {
            return false;
        }
        let has_target = |points: i32| target.0.is_some_and(|target| points >= target);
        if !repeats {
            return *extension == Extension::None || scores.iter().any(|points| has_target(*points));
        }
        let yame = if matches!(end, End::Win(_)) { agari_yame } else { tenpai_yame };
        let own = scores[self.start.dealer];
        *yame != Yame::Off && has_target(own) && scores.iter().all(|points| *points <= own)
    }
}
