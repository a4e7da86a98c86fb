//! A game that branches from another one.
//!
//! # Why
//!
//! **How does a run distinguish copied decisions from its players' own?** By a count in `run.toml`.
//! Rejected: a run without the copied decisions, because nothing could replay it; a column that names
//! who decided, because it would cost every run bytes for a case of one game; counting the later hands
//! of such a game in statistics, which needed a special case in every module.
//!
//! **How is a game stored that starts from a log or a position?** `run.toml` has the standing and
//! the whole wall of its first hand, and the later walls follow from the seed, as in any run of
//! self-play. In all else it is such a run: it records its agents with their parameters, and `verify`
//! replays it. Rejected: a run of logs, which would lose the agents and must start with the first hand;
//! copying the earlier hands of the log, because the walls of these hands would have to be kept, too,
//! although they have no decisions.

use jantaku_engine::notation::{parse_tiles, write_tiles};
use jantaku_engine::replay::GameStart;
use jantaku_engine::{Game, Rules, Standing, Wall};
use jantaku_show::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Where a game branches from another one. Other players made the decisions before it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BranchPoint {
    /// The number of decisions that were copied.
    pub decisions: u32,
    /// The first hand, if it does not follow from the seed: the other game is a log or a position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_hand: Option<FirstHand>,
}

impl BranchPoint {
    /// The start of a game with this branch point. Without one, the rules alone decide it.
    ///
    /// # Panics
    ///
    /// If no game under these rules starts with this first hand. Files with such a hand cannot be read.
    pub fn start(branch: Option<&BranchPoint>, rules: &Rules) -> GameStart {
        let first_hand = branch.and_then(|branch| branch.first_hand.as_ref());
        first_hand.map_or_else(
            || GameStart::of_game(rules),
            |first| first.start(rules).expect("the first hand was checked"),
        )
    }

    /// Checks that a game under these rules can start like this.
    ///
    /// # Errors
    ///
    /// If none can, and why.
    pub fn check(&self, rules: &Rules) -> Result<(), String> {
        self.first_hand.as_ref().map_or(Ok(()), |first| first.start(rules).map(drop))
    }

    /// How many decisions were copied and from what, for readers of the game.
    pub fn sentence(&self) -> Sentence {
        let from = if self.first_hand.is_none() { "another-game" } else { "log-or-position" };
        let key = if self.decisions == 0 { "copied-deal" } else { "copied-decisions" };
        Sentence::new(key, json!({ "n": self.decisions, "from": Sentence::new(from, ()) }))
    }
}

/// The first hand of a game that branches from a log or a position: its standing and its wall do not
/// follow from the seed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FirstHand {
    /// The tiles of the wall as text ([`Wall::tiles`]).
    pub wall: String,
    /// Where the game stood at the deal.
    pub standing: Standing,
}

impl FirstHand {
    /// The first hand with this standing and wall.
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
