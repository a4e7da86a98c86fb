//! Why a discard is safe, as players say it.

use jantaku_engine::{Observation, Seat, TileKind, TileSet, named_enum};
use serde::Serialize;

named_enum! {
    /// What speaks against a wait for a tile.
    Safety {
        /// The opponent has discarded the tile, or let it pass since their hand last changed.
        Genbutsu = "genbutsu",
        /// For each two-sided wait, the other end is genbutsu.
        Suji = "suji",
        /// No two-sided wait is left: for each, the other end is genbutsu, or all copies of a tile that the
        /// opponent would need are seen.
        NoChance = "no-chance",
        /// As no-chance, but a single copy of a needed tile is not seen.
        OneChance = "one-chance",
    }
}

/// What a discard risks against an opponent who is likely tenpai.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Danger {
    /// The seat of the opponent.
    pub seat: Seat,
    /// The points of the result that it risks.
    pub risk: f32,
    /// What speaks against a wait for the tile, if anything does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub safety: Option<Safety>,
}

impl Safety {
    /// What the player who decides can say about a tile against an opponent.
    pub fn of(o: &Observation<'_>, opponent: Seat, kind: TileKind) -> Option<Safety> {
        let (side, unseen) = (o.side(opponent), o.unseen());
        Safety::from_facts(kind, side.discarded() | side.passed(), |kind| unseen.of(kind))
    }

    /// [`Safety::of`] from the kinds that are genbutsu and the number of unseen tiles of each kind.
    fn from_facts(kind: TileKind, genbutsu: TileSet, unseen: impl Fn(TileKind) -> u32) -> Option<Safety> {
        if genbutsu.contains(kind) {
            return Some(Safety::Genbutsu);
        }
        if kind.is_honour() {
            return None;
        }
        let (rank, at) = (i32::from(kind.rank()), kind.index() as i32);
        let shapes = [-1, 1].into_iter().filter(|side| (1..=9).contains(&(rank + 3 * side)));
        let against = shapes.map(|side| {
            let tile = |steps: i32| TileKind::from_index((at + steps * side) as usize);
            let left = unseen(tile(1)).min(unseen(tile(2)));
            match left {
                _ if genbutsu.contains(tile(3)) => Some(Safety::Suji),
                0 => Some(Safety::NoChance),
                1 => Some(Safety::OneChance),
                _ => None,
            }
        });
        // The less safe of the two sides counts: the variants are in order, the safest first.
        against.collect::<Option<Vec<Safety>>>()?.into_iter().max()
    }
}

#[cfg(test)]
mod tests {
    use jantaku_engine::Tile;

    use super::*;

    /// The safety of a tile where these kinds are genbutsu, and of these no or one copy is unseen.
    fn safety(tile: &str, genbutsu: &[&str], [none, one]: [&[&str]; 2]) -> Option<Safety> {
        let kind = |text: &&str| text.parse::<Tile>().expect("a tile").kind();
        let has = |list: &[&str], wanted: TileKind| list.iter().any(|text| kind(text) == wanted);
        let unseen = |wanted| if has(none, wanted) { 0 } else { 3 - 2 * u32::from(has(one, wanted)) };
        Safety::from_facts(kind(&tile), genbutsu.iter().map(kind).collect(), unseen)
    }

    #[test]
    fn tiles_are_safe_for_the_reasons_of_players() {
        const NOTHING: [&[&str]; 2] = [&[], &[]];
        for (tile, genbutsu, seen, expected) in [
            ("5p", &["5p"][..], NOTHING, Some(Safety::Genbutsu)),
            ("1z", &["1z"], NOTHING, Some(Safety::Genbutsu)),
            ("1z", &["2z"], NOTHING, None),
            ("1m", &["4m"], NOTHING, Some(Safety::Suji)),
            ("4m", &["1m"], NOTHING, None),
            ("4m", &["1m", "7m"], NOTHING, Some(Safety::Suji)),
            ("5s", &["5p", "2p", "8p"], NOTHING, None),
            ("1m", &[], [&["2m"], &[]], Some(Safety::NoChance)),
            ("2s", &[], [&[], &["4s"]], Some(Safety::OneChance)),
            ("5s", &["8s"], [&["4s"], &[]], Some(Safety::NoChance)),
            ("5s", &["8s"], [&[], &["4s"]], Some(Safety::OneChance)),
            ("5s", &[], [&["4s"], &[]], None),
            ("9p", &["7p"], [&[], &["8p", "7p"]], Some(Safety::OneChance)),
        ] {
            assert_eq!(safety(tile, genbutsu, seen), expected, "{tile} {genbutsu:?}");
        }
    }
}
