//! The first hand of a game that does not begin as its seed deals.
//!
//! # Why
//!
//! **How is a game stored that starts from a log or a position?** `run.toml` has the standing and
//! the whole wall of its first hand, and the later walls follow from the seed, as in any run of
//! self-play. So nothing else distinguishes it: agents have their parameters, and `verify` replays
//! it. Rejected: a run of logs, which would lose the agents and must start with the first hand;
//! copying the earlier hands of the log, because the walls of all of them would have to be kept for
//! a game without decisions.

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
