//! The letters and characters for tiles, ranks and suits.

use crate::{Suit, Tile};

/// The ranks in Chinese and Japanese, from 1 on.
const RANKS: &str = "一二三四五六七八九";

/// The honours in the order of `1z` to `7z`: as letters (those of mjai), then as characters.
const HONOURS: [&str; 7] = ["E東东", "S南", "W西", "N北", "P白", "F發発发", "C中"];

/// The rank of a digit or character; 0 is a red five.
pub(super) fn rank(letter: char) -> Option<u8> {
    let number = RANKS.chars().position(|known| known == letter).map(|at| at as u32 + 1);
    letter.to_digit(10).or(number).map(|rank| rank as u8)
}

/// The suit of a letter or character after ranks.
pub(super) fn suit(letter: char) -> Option<Suit> {
    match letter {
        '萬' | '万' => Some(Suit::Characters),
        '筒' | '餅' | '饼' => Some(Suit::Dots),
        '索' | '条' | '條' => Some(Suit::Bamboo),
        _ => Suit::from_letter(letter.to_ascii_lowercase()),
    }
}

/// The tile of one letter or character: `E`, `東` or `🀀`.
pub(super) fn tile(letter: char) -> Option<Tile> {
    let honour = HONOURS.iter().position(|letters| letters.contains(letter)).map(|at| at as u8 + 1);
    let (suit, rank) = match (honour, u32::from(letter)) {
        (Some(rank), _) => (Suit::Honours, rank),
        // Unicode has the winds, then the red, green and white dragon.
        (_, code @ 0x1F000..0x1F004) => (Suit::Honours, (code - 0x1F000) as u8 + 1),
        (_, code @ 0x1F004..0x1F007) => (Suit::Honours, 7 - (code - 0x1F004) as u8),
        (_, code @ 0x1F007..0x1F010) => (Suit::Characters, (code - 0x1F007) as u8 + 1),
        (_, code @ 0x1F010..0x1F019) => (Suit::Bamboo, (code - 0x1F010) as u8 + 1),
        (_, code @ 0x1F019..0x1F022) => (Suit::Dots, (code - 0x1F019) as u8 + 1),
        _ => return None,
    };
    suit.tile(rank)
}

/// The narrow form of a full-width character, such as `１` or `ｍ`, and any other one as it is.
pub(super) fn narrow(letter: char) -> char {
    match u32::from(letter) {
        code @ 0xFF01..=0xFF5E => char::from_u32(code - 0xFEE0).unwrap_or(letter),
        _ => letter,
    }
}

/// Whether a character has no meaning: a space, or a variation selector, which shows a tile as text
/// or as a picture.
pub(super) fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{FE0E}' | '\u{FE0F}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TileKind;

    #[test]
    fn every_kind_has_a_character() {
        let named: Vec<String> =
            ('\u{1F000}'..='\u{1F021}').map(|letter| tile(letter).expect("a tile").to_string()).collect();
        let mut kinds = named.clone();
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds.len(), TileKind::COUNT);
        assert_eq!(
            [&named[0], &named[4], &named[6], &named[7], &named[16], &named[33]],
            ["1z", "7z", "5z", "1m", "1s", "9p"]
        );
        assert_eq!(tile('\u{1F022}'), None, "a flower");
    }
}
