//! What points are worth for the result of the game.

use std::cmp::Ordering;
use std::str::FromStr;

use jantaku_engine::rules::options::TieRule;
use jantaku_engine::{BySeat, Observation, Rules, Seat};

use super::end::{End, Ending};
use super::interpolated;
use super::kept::{Kept, OfStanding, Outcomes, Standing, TablesId};
use super::params::Numbers;
use crate::PlacementModel;

/// What a player maximises.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Utility {
    /// Points alone.
    Points,
    /// The result of the game: points, uma and oka.
    Result,
    /// The placement alone, with a value for each place. With fewer players the first ones and the
    /// last one count.
    Places([f32; 4]),
}

impl Utility {
    /// The same distance between all places.
    pub const PLACEMENT: Utility = Utility::Places([3.0, 2.0, 1.0, 0.0]);
    /// Points between the first place and the last where places alone count: about as much as uma
    /// and points together in the result of a game.
    const FIRST_OVER_LAST: f32 = 100_000.0;

    /// The bonus of each place, and what a point counts besides.
    pub(crate) fn weights(self, rules: &Rules, scores: &BySeat<i32>) -> ([f32; 4], f32) {
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
            Utility::Places(mut values) => {
                let last = values[3];
                values[usize::from(rules.players.count()) - 1] = last;
                let spread = Utility::FIRST_OVER_LAST / (values[0] - last);
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
        let [first, .., last] = values[..] else { return Err(wrong()) };
        let falls = values.is_sorted_by(|a, b| a >= b) && first > last;
        let is_usual = (Utility::FIRST_OVER_LAST / (first - last)).is_normal();
        if values.len() > 4 || !falls || !is_usual {
            return Err(wrong());
        }
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

/// What the player expects of one opponent in a hand that the player neither wins nor deals into.
#[derive(Clone, Copy)]
pub(super) struct Rival {
    /// The chance to be tenpai now.
    pub tenpai: f32,
    /// Points that a win of theirs has on average.
    pub points: f32,
}

/// The worth of winning and losing points now.
///
/// Points count by themselves and through the placement that they lead to, which a
/// [`PlacementModel`] tells. All worths are compared with a hand in which the player neither wins
/// nor deals in: another player wins, or nobody. They are in units of the worth of one point in
/// this standing, so that they compare with numbers that were measured in points.
pub(super) struct Worth<'a> {
    model: &'a PlacementModel,
    /// What the values of outcomes depend on.
    standing: Standing,
    /// The points of each player. The first is the agent.
    scores: [f32; 4],
    /// The seat of each player in `scores`.
    seats: [Seat; 4],
    /// Their turns to deal: 0 is the dealer of this hand.
    turns: [usize; 4],
    players: usize,
    /// The stage of the game in this hand, as the model counts them.
    stage: usize,
    end: End<'a>,
    /// Whether players with as many points share what their placements bring.
    shares_ties: bool,
    /// The bonus of each placement.
    bonus: [f32; 4],
    /// What each point counts besides.
    share: f32,
    counts_places: bool,
    /// One over the worth of a point.
    per_point: f32,
    /// The value of neither winning nor dealing in.
    without: f32,
    /// The worth of a win by its mean points.
    wins: Wins,
    /// The worth of tenpai at an exhaustive draw, compared with noten.
    pub tenpai: f32,
    /// The worth of a riichi stick that the player does not win back.
    pub stick: f32,
    /// Points that a certain threat costs if the player does not win. 0 where `without` counts this.
    pub threat_cost: f32,
    /// The share of a deal-in that the hand would not have cost anyway. 1 where `without` counts
    /// this.
    pub risk_share: f32,
    /// Points of the riichi sticks on the table.
    sticks: f32,
    /// Points that honba add to a ron.
    honba: f32,
    /// How points of wins spread around their mean: factors, and their chances.
    spread: &'a [[f32; 2]; 3],
    /// The share of tsumo among the player's wins.
    by_tsumo: f32,
}

/// The stage of the game as [`PlacementModel`] counts them: the scheduled hands left, this one
/// included. 0 in an extension.
pub(super) fn stage(o: &Observation<'_>) -> usize {
    let scheduled = usize::from(o.rules().wind_rounds) * usize::from(o.rules().players.count());
    scheduled.saturating_sub(usize::from(o.round()))
}

/// The worth of wins, interpolated between nodes.
enum Wins {
    /// In hands before the last one.
    Coarse([f32; COARSE.len()]),
    /// In the last hand, where a few points more can mean a better placement. Points spread around
    /// the mean.
    Fine([f32; FINE]),
}

const COARSE: [f32; 3] = [0.0, 8000.0, 32000.0];
/// Nodes of [`Wins::Fine`], and the points between them.
pub(super) const FINE: usize = 17;
const FINE_STEP: f32 = 2000.0;

impl<'a> Worth<'a> {
    /// The worth at a decision. `rivals` are the others in the order of turns, `draws` those that
    /// each player has left.
    pub(super) fn new(
        o: &'a Observation<'_>,
        (params, model, tables): (&'a Numbers, &'a PlacementModel, TablesId),
        utility: Utility,
        rivals: &[Rival; 3],
        draws: usize,
    ) -> Worth<'a> {
        let rules = o.rules();
        let players = usize::from(rules.players.count());
        let mut seats = [o.seat(); 4];
        for (place, seat) in seats.iter_mut().skip(1).zip(rules.players.others(o.seat())) {
            *place = seat;
        }
        let mut scores = [f32::NEG_INFINITY; 4];
        for (score, seat) in scores.iter_mut().zip(seats).take(players) {
            *score = o.scores()[seat] as f32;
        }
        let stage = stage(o);
        let dealer = seats.iter().position(|seat| *seat == o.dealer()).unwrap_or(0);
        let end = End::new(rules, stage, dealer);
        let (bonus, share) = utility.weights(rules, o.scores());
        let sticks = 1000.0 * f32::from(o.sticks());
        let honba = (rules.honba_ron * i32::from(o.honba())) as f32;
        let seat = o.seat();
        let standing = Standing { tables, rules, seat, scores, stage, dealer, sticks, honba, bonus, share };
        let mut worth = Worth {
            model,
            standing,
            scores,
            seats,
            turns: std::array::from_fn(|at| (at + players - dealer) % players),
            players,
            stage,
            end,
            shares_ties: rules.tie_rule == TieRule::Shared,
            bonus,
            share,
            counts_places: utility != Utility::Points,
            per_point: 1.0,
            without: 0.0,
            wins: Wins::Coarse(COARSE),
            tenpai: params.value.of_tenpai(rules),
            stick: 1000.0,
            threat_cost: params.push.threat_cost,
            risk_share: params.push.risk_share,
            sticks,
            honba,
            spread: &params.value.spread,
            by_tsumo: params.value.tsumo,
        };
        if !worth.counts_places {
            worth.wins = Wins::Coarse(COARSE.map(|points| points + worth.sticks + worth.honba));
            return worth;
        }
        worth.threat_cost = 0.0;
        worth.risk_share = 1.0;
        Kept::with(&standing, |kept| worth.compare(params, rivals, draws, kept));
        worth
    }

    /// The values that depend on the standing alone.
    fn of_standing(&self) -> OfStanding {
        let tenpai = self.tenpai;
        let is_last = self.end.is_last_hand();
        let in_last_hand = |value: &dyn Fn() -> f32| if is_last { value() } else { 0.0 };
        OfStanding {
            wins: std::array::from_fn(|at| {
                let coarse = || COARSE.get(at).map_or(0.0, |points| self.value_of_win(*points));
                if is_last { self.value_of_win(at as f32 * FINE_STEP) } else { coarse() }
            }),
            lost: in_last_hand(&|| self.value(self.won(-4000.0), Ending::Win { by_dealer: false })),
            noten: self.at_draw(-0.4 * tenpai, false),
            noten_in_riichi: in_last_hand(&|| self.at_draw(-1000.0 - 0.4 * tenpai, false)),
            tenpai: self.at_draw(0.6 * tenpai, true),
        }
    }

    /// Computes what follows from the value of neither winning nor dealing in.
    fn compare(&mut self, params: &Numbers, rivals: &[Rival; 3], draws: usize, kept: &mut Kept) {
        let OfStanding { wins: values, lost, noten, noten_in_riichi, tenpai } =
            *kept.of_standing.get_or_insert_with(|| self.of_standing());
        self.without = self.value_without(params, rivals, draws, noten, 0.0, &mut kept.wins_of_others);
        let least = params.value.per_point;
        let worth_of = |gain: f32, points: f32| (gain / points).max(least);
        if self.end.is_last_hand() {
            let gain = values[2] - 0.5 * (lost + noten);
            self.per_point = 1.0 / worth_of(gain, 6500.0);
            self.wins = Wins::Fine(std::array::from_fn(|at| {
                let points = at as f32 * FINE_STEP;
                let after = |[factor, chance]: &[f32; 2]| chance * fine(&values, factor * points);
                let mean: f32 = self.spread.iter().map(after).sum();
                self.per_point * (mean - self.without)
            }));
            let others = &mut kept.wins_over_riichi;
            let without_stick = self.value_without(params, rivals, draws, noten_in_riichi, -1000.0, others);
            self.stick = self.per_point * (self.without - without_stick);
        } else {
            let points = COARSE[1] + self.sticks + self.honba + 0.4 * self.tenpai;
            self.per_point = 1.0 / worth_of(values[1] - noten, points);
            self.wins = Wins::Coarse(std::array::from_fn(|at| self.per_point * (values[at] - self.without)));
        }
        self.tenpai = self.per_point * (tenpai - noten);
    }

    /// The value if the player neither wins nor deals in, and has so many points more.
    /// `noten` is the value of an exhaustive draw, `wins` keeps those of others' wins.
    fn value_without(
        &self,
        params: &Numbers,
        rivals: &[Rival; 3],
        draws: usize,
        noten: f32,
        more: f32,
        wins: &mut Outcomes,
    ) -> f32 {
        let [usual, of_tenpai] = params.others.wins;
        let rivals = &rivals[..self.players - 1];
        let rates: [f32; 3] = std::array::from_fn(|at| {
            rivals.get(at).map_or(0.0, |rival| draws as f32 * (usual + of_tenpai * rival.tenpai))
        });
        let rate: f32 = rates.iter().sum();
        let nobody = (-rate).exp();
        let mut value = nobody * noten;
        for (at, (rival, own_rate)) in rivals.iter().zip(rates).enumerate() {
            if own_rate > 0.0 {
                let chance = (1.0 - nobody) * own_rate / rate;
                let after = || self.after_win_of(at + 1, rival.points, params.others.tsumo, more);
                value += chance * wins.of(self.seats[at + 1], rival.points, after);
            }
        }
        value
    }

    /// The value after a win of another player to whom the player does not deal in.
    fn after_win_of(&self, winner: usize, points: f32, tsumo: f32, more: f32) -> f32 {
        let ending = self.won_by(winner);
        let after = |points: f32, tsumo: f32| {
            let points = points + self.honba;
            let own = tsumo * points / (self.players - 1) as f32;
            let mut changes = [-(points - own) / (self.players - 2).max(1) as f32; 4];
            changes[0] = more - own;
            changes[winner] = points + self.sticks;
            self.value(changes, ending)
        };
        if !self.end.is_last_hand() || self.players < 3 {
            return after(points, if self.players < 3 { 1.0 } else { tsumo });
        }
        let mut value = 0.0;
        for [factor, chance] in *self.spread {
            value += chance * tsumo * after(factor * points, 1.0);
            for payer in (1..self.players).filter(|payer| *payer != winner) {
                let points = factor * points + self.honba;
                let mut changes = [more, 0.0, 0.0, 0.0];
                changes[payer] = -points;
                changes[winner] = points + self.sticks;
                value += chance * (1.0 - tsumo) / (self.players - 2) as f32 * self.value(changes, ending);
            }
        }
        value
    }

    /// The value of an exhaustive draw with this change of points. Another dealer is tenpai in one
    /// of two draws.
    fn at_draw(&self, points: f32, is_tenpai: bool) -> f32 {
        let changes = self.won(points);
        let value = |dealer_is_tenpai| self.value(changes, Ending::Draw { dealer_is_tenpai });
        if self.end.dealer == 0 || !self.end.is_last_hand() {
            return value(is_tenpai && self.end.dealer == 0);
        }
        0.5 * (value(false) + value(true))
    }

    /// What one unit of worth is in the value that the player maximises, in points.
    pub(super) fn unit(&self) -> f32 {
        self.per_point.recip()
    }

    /// The worth of winning this much on average, without sticks and honba.
    #[inline]
    pub(super) fn win(&self, points: f32) -> f32 {
        match &self.wins {
            Wins::Fine(wins) => fine(wins, points),
            Wins::Coarse(wins) => {
                let nodes = &COARSE;
                let high = (1..nodes.len() - 1).find(|at| points < nodes[*at]).unwrap_or(nodes.len() - 1);
                let share = (points - nodes[high - 1]) / (nodes[high] - nodes[high - 1]);
                wins[high - 1] + (wins[high] - wins[high - 1]) * share.min(1.0)
            }
        }
    }

    /// The worth of winning exactly this much, without sticks and honba.
    pub(super) fn of_win(&self, points: f32) -> f32 {
        self.per_point * (self.value_of_win(points) - self.without)
    }

    /// The value of winning exactly this much, without sticks and honba.
    fn value_of_win(&self, points: f32) -> f32 {
        let ending = self.won_by(0);
        let points = points + self.honba;
        if !self.end.is_last_hand() {
            let mut changes = self.won(points);
            changes[0] += self.sticks;
            return self.value(changes, ending);
        }
        // By tsumo, and by ron from each of the others.
        let mut changes = self.by_tsumo(points);
        changes[0] += self.sticks;
        let mut value = self.by_tsumo * self.value(changes, ending);
        for payer in 1..self.players {
            let mut changes = [points + self.sticks, 0.0, 0.0, 0.0];
            changes[payer] = -points;
            value += (1.0 - self.by_tsumo) / (self.players - 1) as f32 * self.value(changes, ending);
        }
        value
    }

    /// The worth of paying this much on average to one player.
    pub(super) fn deal_in(&self, points: f32, to: Seat) -> f32 {
        if !self.counts_places {
            return -(points + self.honba);
        }
        let at = (1..self.players).find(|at| self.seats[*at] == to).unwrap_or(0);
        let after = |points: f32| {
            let mut changes = [0.0; 4];
            changes[0] = -(points + self.honba);
            changes[at] = points + self.honba + self.sticks;
            self.value(changes, self.won_by(at))
        };
        let compute = || {
            if self.end.is_last_hand() {
                self.spread.iter().map(|[factor, chance]| chance * after(factor * points)).sum()
            } else {
                after(points)
            }
        };
        let value = Kept::with(&self.standing, |kept| kept.deal_ins.of(to, points, compute));
        self.per_point * (value - self.without)
    }

    /// The changes of points if the others pay this much together.
    fn won(&self, points: f32) -> [f32; 4] {
        let mut changes = [-points / (self.players - 1) as f32; 4];
        changes[0] = points;
        changes
    }

    /// The changes of points by a tsumo: the dealer pays twice.
    fn by_tsumo(&self, points: f32) -> [f32; 4] {
        let mut changes = self.won(points);
        if self.end.dealer > 0 {
            let part = points / self.players as f32;
            (1..self.players).for_each(|at| changes[at] = -part);
            changes[self.end.dealer] -= part;
        }
        changes
    }

    /// Whether no hand follows this one, as far as is known.
    pub(super) const fn is_last_hand(&self) -> bool {
        matches!(self.wins, Wins::Fine(_))
    }

    /// A win of this player.
    const fn won_by(&self, winner: usize) -> Ending {
        Ending::Win { by_dealer: self.end.dealer == winner }
    }

    /// The bonus for the placement of the player at the end of the game. Among players with equal
    /// points, all share the bonuses of their places or the earlier seat is ahead, as the rules say.
    fn final_bonus(&self, points: &[f32; 4]) -> f32 {
        let (mut ahead, mut tied, mut earlier) = (0, 0, 0);
        for at in 1..self.players {
            match points[at].total_cmp(&points[0]) {
                Ordering::Greater => ahead += 1,
                Ordering::Equal => {
                    tied += 1;
                    earlier += usize::from(self.seats[at] < self.seats[0]);
                }
                Ordering::Less => {}
            }
        }
        if self.shares_ties {
            let places = &self.bonus[ahead..=ahead + tied];
            return places.iter().sum::<f32>() / places.len() as f32;
        }
        self.bonus[ahead + earlier]
    }

    /// The value of the game after these changes of points and this ending.
    fn value(&self, changes: [f32; 4], ending: Ending) -> f32 {
        let points: [f32; 4] = std::array::from_fn(|at| self.scores[at] + changes[at]);
        let of_points = self.share * changes[0];
        if self.end.is_over(&points[..self.players], ending) {
            return of_points + self.final_bonus(&points);
        }
        let (stage, pass) = if self.end.repeats(ending) {
            (self.stage, 0)
        } else {
            (self.stage.saturating_sub(1), self.players - 1)
        };
        let turns = self.turns.map(|turn| {
            let turn = turn + pass;
            if turn < self.players { turn } else { turn - self.players }
        });
        let chances = self.model.of_first(stage, &points, &turns);
        of_points + chances.iter().zip(self.bonus).map(|(chance, bonus)| chance * bonus).sum::<f32>()
    }
}

/// The value at so many points, between the nodes on a straight line.
fn fine(values: &[f32; FINE], points: f32) -> f32 {
    interpolated(values, points / FINE_STEP)
}
