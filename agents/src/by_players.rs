//! What differs between games of three and games of two or four players.

use jantaku_engine::Players;

/// A value for games of two or four players, and one for games of three.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ByPlayers<T> {
    pub(crate) usual: T,
    pub(crate) three_players: T,
}

impl<T> ByPlayers<T> {
    /// The value for games with this number of players.
    pub(crate) const fn of(&self, players: Players) -> &T {
        match players {
            Players::Three => &self.three_players,
            Players::Two | Players::Four => &self.usual,
        }
    }

    /// Converts both values.
    pub(crate) fn map<U>(self, of: impl Fn(T) -> U) -> ByPlayers<U> {
        ByPlayers { usual: of(self.usual), three_players: of(self.three_players) }
    }
}
