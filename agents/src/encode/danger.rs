//! What the tiles on the table say about the danger of a discard: suji and walls.

use jantaku_engine::TileSet;

/// The ranks 4–9 and 1–6 of the three suits, as bits.
const FROM_4: u64 = 0b1_1111_1000 * EACH_SUIT;
const UP_TO_6: u64 = 0b0_0011_1111 * EACH_SUIT;
const EACH_SUIT: u64 = 1 | 1 << 9 | 1 << 18;
const SUITS: u64 = (1 << 27) - 1;

/// The suji of these kinds: number tiles on which no two-sided wait wins.
///
/// A two-sided wait wins on two tiles three ranks apart, and it is furiten if one of them is among
/// `safe`. A 1–3 or 7–9 is in one such pair, a 4–6 in two, and both must have a safe tile.
#[inline]
pub(crate) fn suji(safe: TileSet) -> TileSet {
    let safe = safe.bits() & SUITS;
    let covered_above = (safe >> 3) & UP_TO_6;
    let covered_below = (safe << 3) & FROM_4;
    both_sides(covered_above, covered_below)
}

/// The number tiles on which no two-sided wait can win, because the tiles for it are gone.
///
/// A two-sided wait for a tile holds the next two ranks above or below it. It is impossible if one
/// of these two kinds is in `gone`.
#[inline]
pub(super) fn walls(gone: TileSet) -> TileSet {
    let gone = gone.bits() & SUITS;
    let above = (gone >> 1 | gone >> 2) & UP_TO_6;
    let below = (gone << 1 | gone << 2) & FROM_4;
    both_sides(above, below)
}

/// The kinds whose two-sided waits are impossible on each side where the suit has one.
///
/// `above` are kinds whose wait with the ranks above is impossible, `below` those below.
#[inline]
const fn both_sides(above: u64, below: u64) -> TileSet {
    let (no_above, no_below) = (SUITS & !UP_TO_6, SUITS & !FROM_4);
    TileSet::from_bits((above | no_above) & (below | no_below))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> TileSet {
        text.parse().expect("notation")
    }

    #[test]
    fn suji_needs_a_safe_tile_on_each_side() {
        assert_eq!(suji(kinds("4m")), kinds("17m"));
        assert_eq!(suji(kinds("5m")), kinds("28m"));
        assert_eq!(suji(kinds("17m")), kinds("4m"));
        assert_eq!(suji(kinds("1m")), TileSet::EMPTY);
        assert_eq!(suji(kinds("9m1p")), TileSet::EMPTY);
        assert_eq!(suji(kinds("28p6s1z")), kinds("5p39s"));
    }

    #[test]
    fn walls_stop_two_sided_waits() {
        assert_eq!(walls(kinds("2p")), kinds("1p"));
        assert_eq!(walls(kinds("3p")), kinds("12p"));
        assert_eq!(walls(kinds("8s")), kinds("9s"));
        assert_eq!(walls(kinds("37s")), kinds("12589s"));
        assert_eq!(walls(kinds("1p9m7z")), TileSet::EMPTY);
    }
}
