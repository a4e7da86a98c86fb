//! The notation of a hand's concealed tiles, written kind by kind.

use crate::{Concealed, Suit};

/// Bytes for 14 tiles and 4 suit letters, and 3 more because every kind writes four bytes.
const CAPACITY: usize = 14 + 4 + 3;

/// For each set of ranks, a number whose hexadecimal digit k is 1 if rank k + 1 is in the set.
const HEX: [u64; 512] = {
    let mut table = [0; 512];
    let mut set = 1;
    while set < 512 {
        // The entry at `set >> 1` is computed earlier: the set without rank 1, shifted down by one.
        table[set] = table[set >> 1] << 4 | (set & 1) as u64;
        set += 1;
    }
    table
};

/// Concealed tiles in hand notation, in a buffer on the stack.
///
/// The text is the same as with [`Concealed`]'s `Display`, but without formatting or heap
/// allocation: datasets write it for every decision.
///
/// ```
/// use jantaku_engine::Concealed;
/// use jantaku_engine::notation::HandText;
///
/// let hand: Concealed = "055p123m7z".parse()?;
/// assert_eq!(HandText::new(&hand).as_str(), "123m055p7z");
/// # Ok::<(), jantaku_engine::NotationError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct HandText {
    bytes: [u8; CAPACITY],
    len: usize,
}

impl HandText {
    /// Writes the concealed tiles of a hand.
    ///
    /// # Panics
    ///
    /// If there are more than 14.
    pub fn new(hand: &Concealed) -> HandText {
        let mut bytes = [0; CAPACITY];
        let mut len = 0;
        for suit in Suit::NUMBERED.into_iter().chain([Suit::Honours]) {
            let set = |copies| hand.at_least(copies).suit_bits(suit as usize);
            let mut counts =
                HEX[set(1) as usize] + HEX[set(2) as usize] + HEX[set(3) as usize] + HEX[set(4) as usize];
            if counts == 0 {
                continue;
            }
            let start = len;
            while counts != 0 {
                let rank = counts.trailing_zeros() / 4;
                // Always writes four copies. The next kind overwrites the surplus.
                bytes[len..len + 4].fill(b'1' + rank as u8);
                len += (counts >> (4 * rank) & 0xf) as usize;
                counts &= !(0xf << (4 * rank));
            }
            if hand.reds(suit) > 0 {
                let fives = start
                    + bytes[start..len].iter().position(|rank| *rank == b'5').expect("a red five is a five");
                bytes[fives..fives + hand.reds(suit)].fill(b'0');
            }
            bytes[len] = suit.letter() as u8;
            len += 1;
        }
        HandText { bytes, len }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.bytes[..self.len]).expect("digits and letters are UTF-8")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rng, Tile, TileKind, TileSet};

    #[test]
    fn hand_text_equals_display() {
        let mut rng = Rng::new(1);
        // One five of each numbered suit is red.
        let tile = |n: usize| match (n % 4, TileKind::from_index(n / 4)) {
            (0, kind) if TileSet::FIVES.contains(kind) => Tile::red(kind.suit()),
            (_, kind) => Tile::plain(kind),
        };
        let mut tiles: Vec<Tile> = (0..136).map(tile).collect();
        for count in (0..15).cycle().take(3000) {
            // Few kinds make hands of pairs, triplets and four of a kind.
            rng.shuffle(&mut tiles[..]);
            let few = tiles.iter().filter(|tile| tile.kind().index() % 7 < 3);
            for hand in [tiles.iter().take(count).copied().collect(), few.take(count).copied().collect()] {
                assert_eq!(HandText::new(&hand).as_str(), hand.to_string());
            }
        }
    }
}
