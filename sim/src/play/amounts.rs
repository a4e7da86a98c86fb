//! Single amounts, such as the points of one win, whose spread is measured.

/// What an amount is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// A player's final result with uma and oka, in points.
    Result,
    /// A player's points at the end of a game.
    Points,
    /// The points of a win, without honba and riichi sticks.
    WinPoints,
    /// The turn of a win.
    WinTurn,
}

impl Quantity {
    /// All quantities.
    pub const ALL: [Quantity; 4] =
        [Quantity::Result, Quantity::Points, Quantity::WinPoints, Quantity::WinTurn];
}

/// One amount, of a player in a group that is counted directly: a seat, a wind or an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Amount {
    /// What is counted.
    pub quantity: Quantity,
    /// The group of players.
    pub group: usize,
    /// How much it is.
    pub value: i32,
}
