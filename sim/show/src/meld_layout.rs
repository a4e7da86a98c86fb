//! How the tiles of a meld lie.

use jantaku_engine::{Meld, MeldKind, Players, Seat, Tile};

/// A tile of a meld, and how it lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Laid {
    /// The tile.
    pub tile: Tile,
    /// How it lies.
    pub pose: Pose,
}

/// How a tile of a meld lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pose {
    /// On its short side.
    Upright,
    /// On its side: the claimed tile.
    Sideways,
    /// On its side above the tile before it: the tile of a kakan.
    OnTop,
    /// An outer tile of an ankan.
    FaceDown,
}

impl Laid {
    const fn upright(tile: Tile) -> Laid {
        Laid { tile, pose: Pose::Upright }
    }
}

/// The tiles of a meld from left to right.
///
/// The claimed tile lies on its side: on the left, in the middle or on the right, depending on where the
/// player who discarded it sits. `from` is their place as [`steps_right`] counts it: 1 is the player on the
/// right. Without it all tiles stand upright.
pub fn lay(meld: Meld, from: Option<u8>) -> Vec<Laid> {
    let mut tiles: Vec<Tile> = meld.tiles().collect();
    if meld.kind() == MeldKind::Ankan {
        // Red fives come first. The swap moves one to the middle, where it is visible.
        tiles.swap(0, 1);
        let mut laid: Vec<Laid> = tiles.into_iter().map(Laid::upright).collect();
        [0, 3].into_iter().for_each(|outer: usize| laid[outer].pose = Pose::FaceDown);
        return laid;
    }
    let (Some(claimed), Some(from)) = (meld.claimed(), from) else {
        return tiles.into_iter().map(Laid::upright).collect();
    };
    let at = tiles.iter().position(|tile| *tile == claimed.tile).expect("a meld has the claimed tile");
    let mut turned = vec![Laid { tile: tiles.remove(at), pose: Pose::Sideways }];
    if meld.kind() == MeldKind::Kakan {
        turned.extend(tiles.pop().map(|tile| Laid { tile, pose: Pose::OnTop }));
    }
    let place = match from {
        1 => tiles.len(),
        2 => 1,
        _ => 0,
    };
    let mut laid: Vec<Laid> = tiles.into_iter().map(Laid::upright).collect();
    laid.splice(place..place, turned);
    laid
}

/// How many quarters of a turn to the right of a seat another one sits. With three players the place
/// across is empty; two players sit across from each other.
pub const fn steps_right(seat: Seat, other: Seat, players: Players) -> u8 {
    match (players.count(), seat.steps_to(other, players)) {
        (3, 2) => 3,
        (2, 1) => 2,
        (_, steps) => steps,
    }
}

#[cfg(test)]
mod tests {
    use jantaku_engine::Claimed;

    use super::*;

    /// A meld as text: `-` for a tile on its side, `=` above it, `_` face down.
    fn shown(meld: Meld, from: Option<u8>) -> String {
        let mark = |pose| match pose {
            Pose::Upright => "",
            Pose::Sideways => "-",
            Pose::OnTop => "=",
            Pose::FaceDown => "_",
        };
        let words = lay(meld, from).into_iter().map(|laid| format!("{}{}", laid.tile, mark(laid.pose)));
        words.collect::<Vec<_>>().concat()
    }

    fn meld(kind: MeldKind, own: &[&str], claimed: Option<&str>) -> Meld {
        let tile = |text: &str| text.parse().expect("a tile");
        let own: Vec<Tile> = own.iter().map(|text| tile(text)).collect();
        let claimed = claimed.map(|text| Claimed { tile: tile(text), from: Seat::FIRST });
        Meld::of(kind, &own, claimed).expect("a meld")
    }

    #[test]
    fn the_claimed_tile_shows_where_it_came_from() {
        let pon = meld(MeldKind::Pon, &["5p", "0p"], Some("5p"));
        let by_source = [1, 2, 3].map(|from| shown(pon, Some(from)));
        assert_eq!(by_source, ["0p5p5p-", "0p5p-5p", "5p-0p5p"]);
        assert_eq!(shown(pon, None), "0p5p5p");
        let chi = meld(MeldKind::Chi, &["3s", "5s"], Some("4s"));
        assert_eq!(shown(chi, Some(3)), "4s-3s5s");
    }

    #[test]
    fn kans_show_their_kind() {
        let own = ["1z"; 3];
        let kan = |kind| meld(kind, &own, Some("1z"));
        assert_eq!(shown(kan(MeldKind::Daiminkan), Some(2)), "1z1z-1z1z");
        assert_eq!(shown(kan(MeldKind::Kakan), Some(1)), "1z1z1z-1z=");
        let ankan = meld(MeldKind::Ankan, &["0m", "5m", "5m", "5m"], None);
        assert_eq!(shown(ankan, None), "5m_0m5m5m_", "a red five is shown");
    }
}
