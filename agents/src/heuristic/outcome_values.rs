//! The value of winning and losing points, measured by the result of the game.

use std::cmp::Ordering;

use jantaku_engine::rules::options::TieRule;
use jantaku_engine::{Observation, Seat};

use super::game_end::{Ending, GameEnd};
use super::outcome_cache::{CacheEntry, CacheKey, KeyValues, ModelsId, PointsCache};
use super::params::ParamSet;
use super::situation::stage;
use super::utility::Utility;
use super::win_curve::{COARSE, FINE_STEP, WinCurve, fine};
use crate::PlacementModel;

/// Points of a non-dealer yakuman.
pub(super) const YAKUMAN: f32 = 32_000.0;

/// How likely an opponent is to win a hand that the player neither wins nor deals into, and for how
/// much.
#[derive(Clone, Copy)]
pub(super) struct OpponentWin {
    /// The probability that they are tenpai now.
    pub tenpai: f32,
    /// The mean points of their win.
    pub points: f32,
}

/// The expected values of the outcomes of this hand.
///
/// Points count by themselves and through the placement, which a [`PlacementModel`] predicts.
/// Public values are relative to a baseline: the player neither wins nor deals in, so another
/// player wins or the hand is drawn. Their unit is the value of one point at the current scores, so
/// they compare with numbers measured in points. Private values are in points of the result.
#[derive(Clone)]
pub(super) struct OutcomeValues<'a> {
    model: &'a PlacementModel,
    /// The state of the game and the utility.
    key: CacheKey,
    /// The seat of each player in the scores of the key.
    seats: [Seat; 4],
    /// The turn of each player to deal. 0 is the dealer of this hand.
    turns: [usize; 4],
    players: usize,
    end: GameEnd<'a>,
    /// Whether players with equal points share the bonuses of their placements.
    shares_ties: bool,
    /// Whether placements count, not points alone.
    counts_places: bool,
    /// The factor that turns a value into points.
    points_per_value: f32,
    /// The value of neither winning nor dealing in.
    baseline: f32,
    /// The value of a win by its mean points, relative to the baseline.
    wins: WinCurve,
    /// The value of tenpai at an exhaustive draw, relative to noten.
    pub tenpai: f32,
    /// The cost of a riichi stick that the player does not win back.
    pub stick: f32,
    /// The cost of a certain threat if the player does not win. 0 where the baseline includes it.
    pub threat_cost: f32,
    /// The share of a deal-in's cost that the hand would not lose in any other way. 1 where the
    /// baseline includes the other losses.
    pub risk_share: f32,
    /// The distribution of the points of wins around their mean: factors and their probabilities.
    spread: &'a [[f32; 2]; 3],
    /// The share of tsumo among the player's wins.
    tsumo_share: f32,
}

impl<'a> OutcomeValues<'a> {
    /// The values in a decision. `opponents` are in the order of turns; `draws` is the number of
    /// draws that each player has left.
    pub(super) fn new(
        o: &'a Observation<'_>,
        (params, model, models): (&'a ParamSet, &'a PlacementModel, ModelsId),
        utility: Utility,
        opponents: &[OpponentWin; 3],
        draws: usize,
    ) -> OutcomeValues<'a> {
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
        let end = GameEnd::new(rules, stage, dealer);
        let (bonus, share) = utility.weights(rules, o.scores());
        let stick = rules.riichi_stick as f32;
        let sticks = stick * f32::from(o.sticks());
        let honba = (rules.honba_ron * i32::from(o.honba())) as f32;
        let seat = o.seat();
        let key = CacheKey { models, rules, seat, scores, stage, dealer, sticks, honba, bonus, share };
        let mut outcomes = OutcomeValues {
            model,
            key,
            seats,
            turns: std::array::from_fn(|at| (at + players - dealer) % players),
            players,
            end,
            shares_ties: rules.tie_rule == TieRule::Shared,
            counts_places: utility != Utility::Points,
            points_per_value: 1.0,
            baseline: 0.0,
            wins: WinCurve::Coarse(COARSE),
            tenpai: params.value.tenpai_points(rules),
            stick,
            threat_cost: params.push.threat_cost,
            risk_share: params.push.risk_share,
            spread: &params.value.spread,
            tsumo_share: params.value.tsumo,
        };
        if !outcomes.counts_places {
            outcomes.wins = WinCurve::Coarse(COARSE.map(|points| points + sticks + honba));
            return outcomes;
        }
        outcomes.threat_cost = 0.0;
        outcomes.risk_share = 1.0;
        CacheEntry::with(&key, |cache| outcomes.set_baseline(params, opponents, draws, cache));
        outcomes
    }

    /// The values that depend on the cache key alone.
    fn key_values(&self) -> KeyValues {
        // Tenpai gains 0.6 of its points over noten, and noten loses the other 0.4.
        let tenpai = self.tenpai;
        let is_last = self.end.is_last_hand();
        let in_last_hand = |value: &dyn Fn() -> f32| if is_last { value() } else { 0.0 };
        KeyValues {
            wins: std::array::from_fn(|at| {
                let coarse = || COARSE.get(at).map_or(0.0, |points| self.value_of_win(*points));
                if is_last { self.value_of_win(at as f32 * FINE_STEP) } else { coarse() }
            }),
            lost: in_last_hand(&|| self.value(self.all_pay(-4000.0), Ending::Win { by_dealer: false })),
            noten: self.at_draw(-0.4 * tenpai, false),
            noten_in_riichi: in_last_hand(&|| {
                self.at_draw(-self.end.rules.riichi_stick as f32 - 0.4 * tenpai, false)
            }),
            tenpai: self.at_draw(0.6 * tenpai, true),
        }
    }

    /// Computes the baseline, the unit, and the values that are relative to them.
    fn set_baseline(
        &mut self,
        params: &ParamSet,
        opponents: &[OpponentWin; 3],
        draws: usize,
        cache: &mut CacheEntry,
    ) {
        let KeyValues { wins: values, lost, noten, noten_in_riichi, tenpai } =
            *cache.key_values.get_or_insert_with(|| self.key_values());
        self.baseline = self.baseline_value(params, opponents, draws, noten, 0.0, &mut cache.wins_of_others);
        let least = params.value.per_point;
        let value_of_point = |gain: f32, points: f32| (gain / points).max(least);
        if self.end.is_last_hand() {
            // From the mean of paying 4,000 points and of noten, which costs about 1,000, to a win of 4,000
            // points, that of the third node, it is 6,500 points.
            let gain = values[2] - 0.5 * (lost + noten);
            self.points_per_value = 1.0 / value_of_point(gain, 6500.0);
            self.wins = WinCurve::Fine(std::array::from_fn(|at| {
                let points = at as f32 * FINE_STEP;
                let after = |[factor, chance]: &[f32; 2]| chance * fine(&values, factor * points);
                let mean: f32 = self.spread.iter().map(after).sum();
                self.points_per_value * (mean - self.baseline)
            }));
            let others = &mut cache.wins_over_riichi;
            let without_stick = self.baseline_value(
                params,
                opponents,
                draws,
                noten_in_riichi,
                -self.end.rules.riichi_stick as f32,
                others,
            );
            self.stick = self.points_per_value * (self.baseline - without_stick);
        } else {
            let points = COARSE[1] + self.key.sticks + self.key.honba + 0.4 * self.tenpai;
            self.points_per_value = 1.0 / value_of_point(values[1] - noten, points);
            self.wins = WinCurve::Coarse(std::array::from_fn(|at| {
                self.points_per_value * (values[at] - self.baseline)
            }));
        }
        self.tenpai = self.points_per_value * (tenpai - noten);
    }

    /// The value if the player neither wins nor deals in, and gets `more` points in addition. `noten` is the
    /// value of an exhaustive draw without tenpai, `more` included; `wins` caches the values of opponents'
    /// wins.
    fn baseline_value(
        &self,
        params: &ParamSet,
        opponents: &[OpponentWin; 3],
        draws: usize,
        noten: f32,
        more: f32,
        wins: &mut PointsCache,
    ) -> f32 {
        let [usual, of_tenpai] = params.others.wins;
        let opponents = &opponents[..self.players - 1];
        let rates: [f32; 3] = std::array::from_fn(|at| {
            opponents.get(at).map_or(0.0, |opponent| draws as f32 * (usual + of_tenpai * opponent.tenpai))
        });
        let rate: f32 = rates.iter().sum();
        let nobody = (-rate).exp();
        let mut value = nobody * noten;
        for (at, (opponent, own_rate)) in opponents.iter().zip(rates).enumerate() {
            if own_rate > 0.0 {
                let chance = (1.0 - nobody) * own_rate / rate;
                let after = || self.after_win_of(at + 1, opponent.points, params.others.tsumo, more);
                value += chance * wins.of(self.seats[at + 1], opponent.points, after);
            }
        }
        value
    }

    /// The value after a win by an opponent into whom the player did not deal. `tsumo` is the share of tsumo
    /// among such wins.
    fn after_win_of(&self, winner: usize, points: f32, tsumo: f32, more: f32) -> f32 {
        let ending = self.ending_of_win(winner);
        let after = |points: f32, tsumo: f32| {
            let points = points + self.key.honba;
            let own = tsumo * points / (self.players - 1) as f32;
            let mut changes = [-(points - own) / (self.players - 2).max(1) as f32; 4];
            changes[0] = more - own;
            changes[winner] = points + self.key.sticks;
            self.value(changes, ending)
        };
        if !self.end.is_last_hand() || self.players < 3 {
            return after(points, if self.players < 3 { 1.0 } else { tsumo });
        }
        let mut value = 0.0;
        for [factor, chance] in *self.spread {
            value += chance * tsumo * after(factor * points, 1.0);
            for payer in (1..self.players).filter(|payer| *payer != winner) {
                let points = factor * points + self.key.honba;
                let mut changes = [more, 0.0, 0.0, 0.0];
                changes[payer] = -points;
                changes[winner] = points + self.key.sticks;
                value += chance * (1.0 - tsumo) / (self.players - 2) as f32 * self.value(changes, ending);
            }
        }
        value
    }

    /// The value of an exhaustive draw with this change of points. An opponent who deals is tenpai
    /// in half of the draws.
    fn at_draw(&self, points: f32, is_tenpai: bool) -> f32 {
        let changes = self.all_pay(points);
        let value = |dealer_is_tenpai| self.value(changes, Ending::Draw { dealer_is_tenpai });
        if self.end.dealer == 0 || !self.end.is_last_hand() {
            return value(is_tenpai && self.end.dealer == 0);
        }
        0.5 * (value(false) + value(true))
    }

    /// The value of one point at the current scores, in points of the result.
    pub(super) fn unit(&self) -> f32 {
        self.points_per_value.recip()
    }

    /// The value of a win with these points on average, without sticks and honba.
    #[inline]
    pub(super) fn win(&self, points: f32) -> f32 {
        self.wins.at(points)
    }

    /// The highest value of a win with up to these points on average.
    pub(super) fn highest_win(&self, points: f32) -> f32 {
        self.wins.highest(points)
    }

    /// The value of a win with exactly these points, without sticks and honba.
    pub(super) fn exact_win(&self, points: f32) -> f32 {
        let compute = || self.value_of_win(points);
        let value = CacheEntry::with(&self.key, |cache| cache.own_wins.of(self.key.seat, points, compute));
        self.points_per_value * (value - self.baseline)
    }

    /// The chances of each place after a win with exactly these points, and after a draw
    /// that changes no points. None if places do not count.
    pub(super) fn place_chances(&self, points: f32) -> Option<[Vec<f32>; 2]> {
        // With a bonus of 1 for one place and 0 for the others, the value is the chance of that place.
        let of = |value: &dyn Fn(&Self) -> f32| {
            let chance = |place: usize| {
                let mut outcomes = self.clone();
                (outcomes.key.bonus, outcomes.key.share) = ([0.0; 4], 0.0);
                outcomes.key.bonus[place] = 1.0;
                value(&outcomes)
            };
            (0..self.players).map(chance).collect()
        };
        self.counts_places.then(|| {
            [of(&|outcomes| outcomes.value_of_win(points)), of(&|outcomes| outcomes.at_draw(0.0, false))]
        })
    }

    /// The value of a win with exactly these points, without sticks and honba, in points of the
    /// result.
    fn value_of_win(&self, points: f32) -> f32 {
        let ending = self.ending_of_win(0);
        let points = points + self.key.honba;
        if !self.end.is_last_hand() {
            let mut changes = self.all_pay(points);
            changes[0] += self.key.sticks;
            return self.value(changes, ending);
        }
        // By tsumo, and by ron from each of the others.
        let mut changes = self.by_tsumo(points);
        changes[0] += self.key.sticks;
        let mut value = self.tsumo_share * self.value(changes, ending);
        for payer in 1..self.players {
            let mut changes = [points + self.key.sticks, 0.0, 0.0, 0.0];
            changes[payer] = -points;
            value += (1.0 - self.tsumo_share) / (self.players - 1) as f32 * self.value(changes, ending);
        }
        value
    }

    /// The value of dealing in to a player for these points on average.
    pub(super) fn deal_in(&self, points: f32, to: Seat) -> f32 {
        if !self.counts_places {
            return -(points + self.key.honba);
        }
        let at = (1..self.players).find(|at| self.seats[*at] == to).unwrap_or(0);
        let after = |points: f32| {
            let mut changes = [0.0; 4];
            changes[0] = -(points + self.key.honba);
            changes[at] = points + self.key.honba + self.key.sticks;
            self.value(changes, self.ending_of_win(at))
        };
        let compute = || {
            if self.end.is_last_hand() {
                self.spread.iter().map(|[factor, chance]| chance * after(factor * points)).sum()
            } else {
                after(points)
            }
        };
        let value = CacheEntry::with(&self.key, |cache| cache.deal_ins.of(to, points, compute));
        self.points_per_value * (value - self.baseline)
    }

    /// The changes of points if the opponents pay these points in equal parts.
    fn all_pay(&self, points: f32) -> [f32; 4] {
        let mut changes = [-points / (self.players - 1) as f32; 4];
        changes[0] = points;
        changes
    }

    /// The changes of points by a tsumo: the dealer pays double.
    fn by_tsumo(&self, points: f32) -> [f32; 4] {
        let mut changes = self.all_pay(points);
        if self.end.dealer > 0 {
            let part = points / self.players as f32;
            (1..self.players).for_each(|at| changes[at] = -part);
            changes[self.end.dealer] -= part;
        }
        changes
    }

    /// Whether no hand is scheduled after this one and placements count.
    pub(super) const fn is_last_hand(&self) -> bool {
        matches!(self.wins, WinCurve::Fine(_))
    }

    /// The end of the hand by a win of this player.
    const fn ending_of_win(&self, winner: usize) -> Ending {
        Ending::Win { by_dealer: self.end.dealer == winner }
    }

    /// The player's placement bonus at the end of the game. Depending on the rules, players with
    /// equal points share the bonuses of their places, or the earlier seat is ahead.
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
            let places = &self.key.bonus[ahead..=ahead + tied];
            return places.iter().sum::<f32>() / places.len() as f32;
        }
        self.key.bonus[ahead + earlier]
    }

    /// The value of the game after these changes of points, if the hand ended like this.
    fn value(&self, changes: [f32; 4], ending: Ending) -> f32 {
        let points: [f32; 4] = std::array::from_fn(|at| self.key.scores[at] + changes[at]);
        let of_points = self.key.share * changes[0];
        if self.end.is_over(&points[..self.players], ending) {
            return of_points + self.final_bonus(&points);
        }
        let (stage, pass) = if self.end.repeats(ending) {
            (self.key.stage, 0)
        } else {
            (self.key.stage.saturating_sub(1), self.players - 1)
        };
        let turns = self.turns.map(|turn| {
            let turn = turn + pass;
            if turn < self.players { turn } else { turn - self.players }
        });
        let chances = self.model.chances_of_first(stage, &points, &turns);
        of_points + chances.iter().zip(self.key.bonus).map(|(chance, bonus)| chance * bonus).sum::<f32>()
    }
}
