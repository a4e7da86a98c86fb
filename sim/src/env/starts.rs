//! The distribution of starts.

use jantaku_engine::random::hash;
use jantaku_engine::{Game, Rules, Standing};

use super::weighted::Weighted;

/// The stream of random numbers that draws a start.
const STREAM: u64 = 0x7374_6172_7473;

/// A distribution of standings. Each game draws its start from it.
#[derive(Clone, PartialEq, Debug)]
pub struct Starts(Weighted<Standing>);

impl Starts {
    /// Always the start of a game.
    pub fn of_games(rules: &Rules) -> Starts {
        let mut standings = Weighted::new();
        assert!(standings.push(Standing::start(rules), 1.0), "a positive weight");
        Starts(standings)
    }

    /// Standings, drawn in proportion to their weights.
    ///
    /// # Errors
    ///
    /// If there is none, a weight is not positive, or the rules do not allow a standing.
    pub fn weighted(
        rules: &Rules,
        weighted: impl IntoIterator<Item = (Standing, f64)>,
    ) -> Result<Starts, String> {
        let mut standings = Weighted::new();
        for (index, (standing, weight)) in weighted.into_iter().enumerate() {
            if !standings.push(standing, weight) {
                let found = format!("expected a positive number, found {weight}");
                return Err(format!("the weight of standing {index}: {found}"));
            }
            Game::at(rules, 0, &standing, None, &mut ())
                .map_err(|error| format!("standing {index}: {error}"))?;
        }
        if standings.items().is_empty() {
            return Err("expected at least one standing".to_owned());
        }
        Ok(Starts(standings))
    }

    /// The start of the game with this seed.
    pub fn draw(&self, game_seed: u64) -> &Standing {
        self.0.draw(hash(&[game_seed, STREAM]))
    }

    /// The number of players of every standing.
    pub(super) fn players(&self) -> jantaku_engine::Players {
        self.0.items()[0].scores.players()
    }
}
