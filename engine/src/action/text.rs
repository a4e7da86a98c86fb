//! Actions as text, and their meanings.

use std::fmt;

use super::{Action, ChiPosition, Declare};
use crate::Tile;
use crate::notation::write_tiles;

impl Action {
    /// Adds the context for printing: the tile just drawn and the tile offered for a claim.
    ///
    /// ```
    /// use jantaku_engine::{Action, ChiPosition, Tile};
    ///
    /// let chi = Action::Chi { position: ChiPosition::High, red: true };
    /// let claimed: Tile = "6s".parse()?;
    /// assert_eq!(chi.in_context(None, Some(claimed)).to_string(), "chi 40s");
    /// # Ok::<(), jantaku_engine::ParseTileError>(())
    /// ```
    pub const fn in_context(self, drawn: Option<Tile>, offered: Option<Tile>) -> ActionText {
        ActionText { action: self, drawn, offered }
    }

    /// What the action does, in one sentence.
    ///
    /// The sentence is the same for all tiles; the text of the action names the tile.
    ///
    /// ```
    /// use jantaku_engine::Action;
    ///
    /// assert_eq!(Action::Tsumo.meaning(), "Wins with the tile just drawn.");
    /// ```
    pub const fn meaning(self) -> &'static str {
        match self {
            Action::Discard { declare, .. } => match declare {
                Declare::Nothing => "Discards this tile; the drawn tile stays.",
                Declare::Riichi => "Declares riichi with this discard.",
                Declare::OpenRiichi => "Declares open riichi with this discard.",
            },
            Action::Tsumogiri { declare } => match declare {
                Declare::Nothing => "Discards the tile just drawn.",
                Declare::Riichi => "Declares riichi and discards the drawn tile.",
                Declare::OpenRiichi => "Declares open riichi and discards the drawn tile.",
            },
            Action::Chi { position, red } => match (position, red) {
                (ChiPosition::Low, false) => "Claims the discard as the lowest of a sequence.",
                (ChiPosition::Low, true) => "As chi low, with a red five from the hand.",
                (ChiPosition::Middle, false) => "Claims the discard as the middle of a sequence.",
                (ChiPosition::Middle, true) => "As chi middle, with a red five from the hand.",
                (ChiPosition::High, false) => "Claims the discard as the highest of a sequence.",
                (ChiPosition::High, true) => "As chi high, with a red five from the hand.",
            },
            Action::Pon { reds } => match reds {
                0 => "Claims the discard for a triplet.",
                1 => "As pon, with a red five from the hand.",
                _ => "As pon, with two red fives from the hand.",
            },
            Action::Daiminkan => "Claims the discard for a kan.",
            Action::Kan { .. } => "Declares an ankan or a kakan of this kind.",
            Action::Kita => "Sets a North aside.",
            Action::Ron => "Wins on another player's tile.",
            Action::Tsumo => "Wins with the tile just drawn.",
            Action::KyuushuKyuuhai => "Aborts the hand with nine kinds of yaochuu.",
            Action::Pass => "Claims nothing, shows tenpai, or plays on.",
            Action::KeepClosed => "Keeps a tenpai hand closed at a draw, as noten.",
            Action::EndGame => "Ends the game after the last hand.",
        }
    }
}

/// An action with the tiles of its context, for printing.
///
/// `chi 34s` names the tiles from the hand, `tsumogiri 5m` the drawn tile.
#[derive(Clone, Copy, Debug)]
pub struct ActionText {
    action: Action,
    drawn: Option<Tile>,
    offered: Option<Tile>,
}

impl fmt::Display for ActionText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let riichi = |declare: Declare| ["", "riichi ", "open riichi "][declare as usize];
        let from_hand = self.offered.and_then(|tile| self.action.tiles_from_hand(tile.kind()));
        match self.action {
            Action::Discard { tile, declare } => write!(f, "{}discard {tile}", riichi(declare)),
            Action::Tsumogiri { declare } => {
                write!(f, "{}tsumogiri", riichi(declare))?;
                self.drawn.map_or(Ok(()), |tile| write!(f, " {tile}"))
            }
            Action::Chi { position, red } => match from_hand {
                Some(tiles) => write_call(f, "chi", tiles),
                None => {
                    let position = ["low", "middle", "high"][position as usize];
                    write!(f, "chi {position}{}", if red { " with red five" } else { "" })
                }
            },
            Action::Pon { reds } => match (from_hand, reds) {
                (Some(tiles), _) => write_call(f, "pon", tiles),
                (None, 0) => f.write_str("pon"),
                (None, 1) => f.write_str("pon with red five"),
                (None, _) => f.write_str("pon with two red fives"),
            },
            Action::Kan { kind } => write!(f, "kan {kind}"),
            action => f.write_str(action.word()),
        }
    }
}

impl Action {
    /// The kind of action as text, without tiles and riichi.
    ///
    /// ```
    /// use jantaku_engine::{Action, TileKind};
    ///
    /// assert_eq!(Action::Kan { kind: TileKind::RED }.word(), "kan");
    /// assert_eq!(Action::KyuushuKyuuhai.word(), "kyuushu kyuuhai");
    /// ```
    pub const fn word(self) -> &'static str {
        match self {
            Action::Discard { .. } => "discard",
            Action::Tsumogiri { .. } => "tsumogiri",
            Action::Chi { .. } => "chi",
            Action::Pon { .. } => "pon",
            Action::Daiminkan => "daiminkan",
            Action::Kan { .. } => "kan",
            Action::Kita => "kita",
            Action::Ron => "ron",
            Action::Tsumo => "tsumo",
            Action::KyuushuKyuuhai => "kyuushu kyuuhai",
            Action::Pass => "pass",
            Action::KeepClosed => "keep closed",
            Action::EndGame => "end game",
        }
    }
}

/// Writes a call and the tiles that it takes from the hand.
fn write_call(f: &mut fmt::Formatter<'_>, call: &str, tiles: [Tile; 2]) -> fmt::Result {
    write!(f, "{call} ")?;
    write_tiles(f, tiles.into_iter())
}

/// Prints the action without context, such as `discard 5m`, `chi low` or `kan 1z`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.in_context(None, None).fmt(f)
    }
}
