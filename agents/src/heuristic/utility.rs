//! What the agent plays for.

use std::str::FromStr;

use jantaku_engine::{BySeat, Rules, Seat, Standing};

use crate::PlacementModel;
use crate::option::{AgentOption, OptionKind};

/// What a player maximises.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Utility {
    /// Points only.
    Points,
    /// The result of the game: points, uma and oka.
    Result,
    /// The placement only, with a value for each place. With fewer players, the first places and
    /// the last one count.
    Places([f32; 4]),
}

impl Utility {
    /// The option with which an agent's text states its utility.
    pub(crate) const OPTION: AgentOption = AgentOption::new(
        "utility",
        OptionKind::Text,
        "result",
        "what it plays for: points, result, placement, or a number for each place",
    );

    /// Equal steps between the places.
    pub const PLACEMENT: Utility = Utility::Places([3.0, 2.0, 1.0, 0.0]);
    /// Points between the first place and the last where only places count: about the spread of uma
    /// and points together in the result of a game.
    const FIRST_OVER_LAST: f32 = 100_000.0;

    /// The expected value of the game for a player, in points, before a hand that starts from this standing.
    /// The placement model predicts the placements.
    pub fn expected(self, model: &PlacementModel, rules: &Rules, standing: &Standing, seat: Seat) -> f32 {
        let own = (standing.scores[seat] - rules.return_points) as f32;
        if self == Utility::Points {
            return own;
        }
        let (bonus, share) = self.weights(rules, &standing.scores);
        let chances = model.chances(rules, standing, seat);
        share * own + chances.iter().zip(bonus).map(|(chance, bonus)| chance * bonus).sum::<f32>()
    }

    /// The bonus for each place, and the weight of a point itself.
    pub(crate) fn weights(self, rules: &Rules, scores: &BySeat<i32>) -> ([f32; 4], f32) {
        match self {
            Utility::Points => ([0.0; 4], 1.0),
            Utility::Result => {
                let players = i32::from(rules.players.count());
                let mut bonus = [0.0; 4];
                for (bonus, uma) in bonus.iter_mut().zip(rules.uma_after(scores)) {
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
    type Err = String;

    fn from_str(text: &str) -> Result<Utility, String> {
        let wrong = || {
            format!(
                "`utility` is `{text}`, expected points, result, placement, or a number for each place that \
                 never rises, such as \"90,45,0,-135\""
            )
        };
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
