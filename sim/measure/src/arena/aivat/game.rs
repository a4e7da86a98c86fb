//! The luck of a finished game in whole numbers.

use jantaku_engine::{Players, Rules, Seat};

use super::control_variate::ControlVariate;
use super::payoffs::QUANTITIES;
use jantaku_sim::dataset::StoredGame;
use jantaku_sim::play::GameRecord;

/// The luck of each seat in a game: the part of its placement, result and points that is due to the
/// tiles. Subtracting it reduces the variance and keeps the expected value.
///
/// The numbers are whole, so sums of them do not depend on order. Those of all seats add up to 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameVariate {
    players: Players,
    /// By quantity and seat.
    variate: [[i64; 4]; QUANTITIES],
}

impl GameVariate {
    /// How many units make one placement, one point of a result, and one point at the end.
    pub const UNITS: [i64; QUANTITIES] = [1_000_000, 1000, 1000];

    /// Rounds the luck of each seat.
    pub(super) fn rounded(variate: &[[f64; 4]; QUANTITIES], players: Players) -> GameVariate {
        let mut rounded = [[0; 4]; QUANTITIES];
        for ((rounded, variate), unit) in rounded.iter_mut().zip(variate).zip(GameVariate::UNITS) {
            let last = usize::from(players.count()) - 1;
            for (rounded, variate) in rounded.iter_mut().zip(variate).take(last) {
                *rounded = (variate * unit as f64).round() as i64;
            }
            rounded[last] = -rounded.iter().sum::<i64>();
        }
        GameVariate { players, variate: rounded }
    }

    /// The luck in a game that a run has stored with its decisions.
    ///
    /// # Errors
    ///
    /// If the decisions are not those of a game under its rules.
    pub fn from_stored(game: &StoredGame) -> Result<GameVariate, String> {
        let mut variate = ControlVariate::new(&game.rules, game.seed);
        game.replay(&mut variate)?;
        Ok(variate.rounded())
    }

    /// The luck in a game that was just played, from the decisions in its record.
    ///
    /// # Panics
    ///
    /// If the record has no decisions.
    pub(crate) fn from_record(rules: &Rules, record: &GameRecord) -> GameVariate {
        let game = StoredGame::from_record(rules, record);
        GameVariate::from_stored(&game).expect("a game that was played can be played again")
    }

    /// The total luck of some seats in a quantity, in the units of [`GameVariate::UNITS`].
    pub fn total(&self, quantity: usize, is_chosen: impl Fn(Seat) -> bool) -> i64 {
        let seats = self.players.seats().filter(|seat| is_chosen(*seat));
        seats.map(|seat| self.variate[quantity][seat.index()]).sum()
    }
}
