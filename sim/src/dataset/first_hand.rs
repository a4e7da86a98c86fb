//! The first hand of a game that does not begin as its seed deals.

use jantaku_engine::notation::{parse_tiles, write_tiles};
use jantaku_engine::replay::GameStart;
use jantaku_engine::{Game, Rules, Standing, Wall};
use serde::{Deserialize, Serialize};

/// The first hand of a game that was played on from a log or a position: its standing and its wall do
/// not follow from the seed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FirstHand {
    /// The tiles of the wall as text ([`Wall::tiles`]).
    pub wall: String,
    /// Where the game stood at the deal.
    pub standing: Standing,
}

impl FirstHand {
    /// The first hand with this standing and wall.
    #[must_use]
    pub fn new(standing: Standing, wall: &Wall) -> FirstHand {
        let mut text = String::new();
        write_tiles(&mut text, wall.tiles().iter().copied()).expect("a string takes any text");
        FirstHand { wall: text, standing }
    }

    /// The start of its game.
    ///
    /// # Errors
    ///
    /// If no game under these rules starts like this, and why.
    pub fn start(&self, rules: &Rules) -> Result<GameStart, String> {
        let tiles = parse_tiles(&self.wall).map_err(|wrong| wrong.to_string())?;
        let wall = Wall::from_tiles(&tiles, rules).map_err(|wrong| wrong.to_string())?;
        let start = GameStart { standing: self.standing, wall: Some(wall) };
        let begun = Game::at(rules, 0, &start.standing, start.wall, &mut ());
        begun.map(|_| start).map_err(|wrong| wrong.to_string())
    }
}
