//! What several agents and encoders read off an observation.

use jantaku_engine::rules::options::{North, TileKinds};
use jantaku_engine::{Action, Concealed, Declare, Observation, Tile, TileKind, TileSet};

/// The kinds that the indicators make dora, in the order of the indicators.
#[inline]
pub(crate) fn dora(o: &Observation<'_>) -> impl Iterator<Item = TileKind> {
    let without_middle = o.rules().tiles == TileKinds::ThreePlayer;
    o.indicators().iter().map(move |indicator| indicator.kind().dora(without_middle))
}

/// The honours whose triplet is a yaku for every player.
pub(crate) fn shared_yakuhai(o: &Observation<'_>) -> TileSet {
    let shared = TileSet::DRAGONS | o.rules().round_winds(o.round_wind());
    if o.rules().north == North::Yakuhai { shared | TileSet::of(TileKind::NORTH) } else { shared }
}

/// Whether the player is in first place. The earlier seat wins a tie.
pub(crate) fn leads(o: &Observation<'_>) -> bool {
    let own = o.scores()[o.seat()];
    o.scores().enumerate().all(|(seat, points)| *points < own || *points == own && seat >= o.seat())
}

/// The kinds that may be discarded with this declaration.
pub(crate) fn discards(o: &Observation<'_>, declare: Declare) -> TileSet {
    let mut kinds = o.legal().discard_tiles(declare).kinds();
    if let Some(tile) = o.drawn().filter(|_| o.legal().contains(Action::Tsumogiri { declare }.id())) {
        kinds.insert(tile.kind());
    }
    kinds
}

/// The discard of a tile of this kind: a plain five rather than a red one, and the drawn tile rather than
/// an identical one.
pub(crate) fn discard_of(kind: TileKind, hand: &Concealed, o: &Observation<'_>, declare: Declare) -> Action {
    let all_red = hand.reds_of(kind) == hand.count(kind);
    let tile = if all_red { Tile::red(kind.suit()) } else { Tile::plain(kind) };
    discard_of_tile(tile, o, declare)
}

/// The discard of this tile: of the drawn one if the two are identical.
pub(crate) fn discard_of_tile(tile: Tile, o: &Observation<'_>, declare: Declare) -> Action {
    let (tsumogiri, discard) = (Action::Tsumogiri { declare }, Action::Discard { tile, declare });
    let is_drawn = o.drawn() == Some(tile) && o.legal().contains(tsumogiri.id());
    // In riichi only the drawn tile can be discarded, even a red one.
    if is_drawn || !o.legal().contains(discard.id()) { tsumogiri } else { discard }
}

/// Whether two actions leave the same hand: a discard of the drawn tile equals that of an identical
/// tile.
pub fn leave_same_hand(o: &Observation<'_>, a: Action, b: Action) -> bool {
    let discarded = |action: Action| match action {
        Action::Discard { tile, declare } => Some((tile, declare)),
        Action::Tsumogiri { declare } => o.drawn().map(|tile| (tile, declare)),
        _ => None,
    };
    a == b || discarded(a).is_some_and(|discard| discarded(b) == Some(discard))
}
