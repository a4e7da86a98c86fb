//! Why decisions cannot be reviewed.

use jantaku_sim::replay::error::SourceError;

/// Why decisions cannot be reviewed.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The agent cannot compare actions.
    #[error(
        "`agent`: expected `mc`, which compares actions by search, or an agent that `mc` can start from, such \
         as `residual`; found `{found}`"
    )]
    NoSearch {
        /// The name of the agent.
        found: String,
    },
    /// The game has no such seat.
    #[error("`seat`: the game has seats 0 to {last}, found {found}")]
    NoSeat {
        /// The number of the seat.
        found: u8,
        /// The last seat.
        last: u8,
    },
    /// No player has this name.
    #[error("`seat`: found `{found}`, expected a number from 0, a wind or the name of a player: {names}")]
    NoPlayer {
        /// The name.
        found: String,
        /// The names of the players.
        names: String,
    },
    /// Several players have this name.
    #[error("`seat`: seats {seats} have the name `{found}`: give the number of the seat")]
    SameNames {
        /// The name.
        found: String,
        /// Their seats.
        seats: String,
    },
    /// The game cannot be opened or replayed, or does not have the hand.
    #[error(transparent)]
    Source(#[from] SourceError),
}
