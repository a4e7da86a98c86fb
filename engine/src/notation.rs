//! Hand notation: `123m456p789s1122z`, with `0` for a red five.
//!
//! - melds in brackets: `[123m]` a chi, `[777z]` a pon, `[7777z]` a daiminkan or kakan, `<7777z>`
//!   an ankan
//! - the winning or drawn tile after `+`, at the end
//!
//! `23m22z[2222p][345s][678p]+4m` is four concealed tiles, three melds and the winning tile.
//!
//! Read, but not written: spaces, melds before or between the concealed tiles, `+` and its tile
//! before others (`123m +9s 456p`), letters of honours (`ESWNPFC`, as in mjai), suits in capitals
//! (`123M`), full-width characters (`１２３ｍ`), characters of tiles (`🀇`, `一萬`, `東`) and `'` after
//! the called tile of a meld, as positions have it (`[1'23m]`).

mod hand_text;
mod letters;

use std::fmt;
use std::str::FromStr;

pub use hand_text::HandText;

use crate::getters::getters;
use crate::meld::sequence_of;
use crate::{Concealed, Meld, MeldKind, Melds, Suit, Tile, TileCounts, TileKind, TileMask, TileSet};

/// The error for a text that is not in hand notation.
///
/// It prints the text with a mark under the wrong character.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} at character {}\n  {text}\n  {}^", *position + 1, " ".repeat(*position))]
pub struct NotationError {
    text: String,
    /// The index of the wrong character, from 0. The length of the text if it ends too early.
    pub position: usize,
    what: String,
}

/// A player's concealed tiles and melds, and the winning or drawn tile if there is one.
///
/// ```
/// use jantaku_engine::Hand;
///
/// let hand: Hand = "055p[123m]<7777z>+5p".parse()?;
/// assert_eq!(hand.concealed().len(), 3);
/// assert_eq!(hand.melds().len(), 2);
/// assert_eq!(hand.to_string(), "055p[123m]<7777z>+5p");
/// let error = "12a".parse::<Hand>().unwrap_err();
/// assert_eq!(error.position, 2);
/// # Ok::<(), jantaku_engine::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hand {
    concealed: Concealed,
    melds: Melds,
    last: Option<Tile>,
}

impl Hand {
    /// The number of tiles of a kind in the whole hand, melds and last tile included.
    pub fn count(&self, kind: TileKind) -> usize {
        let last = usize::from(self.last.is_some_and(|tile| tile.kind() == kind));
        self.concealed.count(kind) + self.melds.count(kind) + last
    }
}

getters! {
    Hand:
    /// The concealed tiles without the one after `+`.
    &concealed: Concealed,

    /// The melds.
    &melds: Melds,

    /// The tile after `+`: the winning or drawn one.
    last: Option<Tile>,
}

impl FromStr for Hand {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Hand, NotationError> {
        Parser::new(text).hand()
    }
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tiles(f, self.concealed.tiles())?;
        self.melds.fmt(f)?;
        self.last.map_or(Ok(()), |tile| write!(f, "+{tile}"))
    }
}

impl FromStr for Concealed {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Concealed, NotationError> {
        Ok(parse_tiles(text)?.into_iter().collect())
    }
}

impl fmt::Display for Concealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tiles(f, self.tiles())
    }
}

impl fmt::Display for Meld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (open, close) = if self.is_open() { ('[', ']') } else { ('<', '>') };
        write!(f, "{open}")?;
        write_tiles(f, self.tiles())?;
        write!(f, "{close}")
    }
}

/// Prints the melds one after the other.
impl fmt::Display for Melds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|meld| meld.fmt(f))
    }
}

/// Reads the kinds of the tiles in a text such as `147m5z`.
impl FromStr for TileSet {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<TileSet, NotationError> {
        Ok(parse_tiles(text)?.into_iter().map(Tile::kind).collect())
    }
}

/// Prints one tile of each kind, such as `147m5z`. The empty set is the empty text.
impl fmt::Display for TileSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tiles(f, self.iter().map(Tile::plain))
    }
}

/// Prints the tiles in order of kind, red fives before plain ones, such as `05m1z`.
impl fmt::Display for TileMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tiles: Vec<Tile> = self.iter().collect();
        tiles.sort_by_key(|tile| (tile.kind(), !tile.is_red()));
        write_tiles(f, tiles.into_iter())
    }
}

/// Parses tiles such as `055p1z`, in the order of the text.
///
/// # Errors
///
/// If a character is no rank, suit or tile, if a rank has no suit or a suit no rank, if there is no such
/// tile (`8z`), or if there are five tiles of a kind.
pub fn parse_tiles(text: &str) -> Result<Vec<Tile>, NotationError> {
    let mut parser = Parser::new(text);
    let tiles = parser.tiles("", usize::MAX)?;
    match parser.peek() {
        None => Ok(tiles),
        Some(found) => Err(parser.error(format!("`{found}` where tiles were expected"))),
    }
}

/// Writes tiles in the given order, with one suit letter for adjacent tiles of a suit.
///
/// # Errors
///
/// If the writer fails.
pub fn write_tiles(f: &mut impl fmt::Write, tiles: impl Iterator<Item = Tile>) -> fmt::Result {
    let mut suit: Option<Suit> = None;
    for tile in tiles {
        let kind = tile.kind();
        if let Some(before) = suit.filter(|before| *before != kind.suit()) {
            f.write_char(before.letter())?;
        }
        f.write_char(char::from(b'0' + if tile.is_red() { 0 } else { kind.rank() }))?;
        suit = Some(kind.suit());
    }
    suit.map_or(Ok(()), |suit| f.write_char(suit.letter()))
}

/// The mark after the called tile of a meld.
const CALLED: char = '\'';
/// The characters at which the tiles of a meld end. Only there may a tile have the mark [`CALLED`].
const MELD_ENDS: &str = "[]<>+";

struct Parser<'a> {
    text: &'a str,
    chars: Vec<char>,
    /// The index of the next character.
    at: usize,
    /// The tiles parsed so far, to find a fifth copy.
    seen: TileCounts,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Parser<'a> {
        Parser {
            text,
            chars: text.chars().map(letters::narrow).collect(),
            at: 0,
            seen: TileCounts::default(),
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn error(&self, what: String) -> NotationError {
        self.error_at(self.at, what)
    }

    fn error_at(&self, position: usize, what: String) -> NotationError {
        NotationError { text: self.text.to_owned(), position, what }
    }

    fn hand(&mut self) -> Result<Hand, NotationError> {
        let (mut concealed, mut melds, mut last) = (Vec::new(), Melds::EMPTY, None);
        loop {
            concealed.extend(self.tiles("[<+", usize::MAX)?);
            let Some(open) = self.peek() else { break };
            let start = self.at;
            self.at += 1;
            match open {
                '[' | '<' if melds.len() == 4 => return Err(self.error_at(start, "a fifth meld".into())),
                '[' => melds.push(self.meld(']')?),
                '<' => melds.push(self.meld('>')?),
                _ if last.is_some() => return Err(self.error_at(start, "a second `+`".into())),
                _ => last = Some(self.last_tile()?),
            }
        }
        let concealed: Concealed = concealed.into_iter().collect();
        let tiles = concealed.len() + 3 * melds.len() + usize::from(last.is_some());
        if tiles > 14 {
            let what = format!("{tiles} tiles, counting three per meld: a hand has at most 14");
            return Err(self.error(what));
        }
        Ok(Hand { concealed, melds, last })
    }

    /// Parses tiles until the text ends, a character of `until` follows, or there are `enough` tiles.
    fn tiles(&mut self, until: &str, enough: usize) -> Result<Vec<Tile>, NotationError> {
        let mut tiles = Vec::new();
        let mut ranks: Vec<(usize, u8)> = Vec::new();
        let start = self.at;
        while let Some(found) = self.peek().filter(|c| tiles.len() < enough && !until.contains(*c)) {
            let is_mark = until == MELD_ENDS && found == CALLED && self.at > start;
            if letters::is_blank(found) || is_mark {
                self.at += 1;
                continue;
            }
            if let Some(rank) = letters::rank(found) {
                ranks.push((self.at, rank));
            } else if let (Some(suit), false) = (letters::suit(found), ranks.is_empty()) {
                for (at, rank) in ranks.drain(..) {
                    let none = || self.error_at(at, format!("there is no `{rank}{found}`"));
                    tiles.push((at, suit.tile(rank).ok_or_else(none)?));
                }
            } else if let (Some(tile), true) = (letters::tile(found), ranks.is_empty()) {
                tiles.push((self.at, tile));
            } else if letters::suit(found).is_some() {
                return Err(self.error(format!("suit `{found}` without a rank before it")));
            } else if letters::tile(found).is_some() {
                // A tile after ranks that lack a suit.
                break;
            } else {
                return Err(self.error(unexpected(found)));
            }
            self.at += 1;
        }
        if let Some((at, rank)) = ranks.first() {
            return Err(self.error_at(*at, format!("rank {rank} without a suit (m, p, s or z) after it")));
        }
        for (at, tile) in &tiles {
            if self.seen.of(tile.kind()) == 4 {
                return Err(self.error_at(*at, format!("a fifth {}", tile.kind())));
            }
            self.seen.add(tile.kind());
        }
        Ok(tiles.into_iter().map(|(_, tile)| tile).collect())
    }

    fn meld(&mut self, close: char) -> Result<Meld, NotationError> {
        let start = self.at;
        let tiles = self.tiles(MELD_ENDS, usize::MAX)?;
        if self.peek() != Some(close) {
            return Err(self.error(format!("the meld does not end with `{close}`")));
        }
        let marks = self.chars[start..self.at].iter().filter(|letter| **letter == CALLED).count();
        self.at += 1;
        let reds = tiles.iter().filter(|tile| tile.is_red()).count() as u8;
        let same =
            tiles.first().map(|tile| tile.kind()).filter(|kind| tiles.iter().all(|t| t.kind() == *kind));
        // The marks of a kakan follow the called tile and the one added to it.
        let (most_marks, expected) = match (close, tiles.len()) {
            ('>', _) => (0, "an ankan has no called tile"),
            (_, 4) => (2, "at most two tiles of a kan are marked"),
            _ => (1, "one tile of a meld is called"),
        };
        if marks > most_marks {
            return Err(self.error_at(start, format!("{expected}, found {marks} of the mark `{CALLED}`")));
        }
        let kind = match (tiles.len(), same, sequence_of(&tiles), close) {
            (4, Some(kind), _, '>') => Some((MeldKind::Ankan, kind)),
            (4, Some(kind), _, _) => Some((MeldKind::Daiminkan, kind)),
            (3, Some(kind), _, ']') => Some((MeldKind::Pon, kind)),
            (3, None, Some(low), ']') => Some((MeldKind::Chi, low)),
            _ => None,
        };
        let (kind, low) = kind.ok_or_else(|| {
            let expected =
                if close == '>' { "four equal tiles" } else { "a sequence, or three or four equal tiles" };
            self.error_at(start, format!("not a meld: expected {expected}"))
        })?;
        Ok(Meld::new(kind, low, reds, None))
    }

    fn last_tile(&mut self) -> Result<Tile, NotationError> {
        let start = self.at;
        let tiles = self.tiles("[<+", 1)?;
        match (tiles.as_slice(), self.peek()) {
            ([tile], _) => Ok(*tile),
            ([], Some('+')) => Err(self.error("a second `+`".into())),
            _ => Err(self.error_at(start, "expected one tile after `+`".into())),
        }
    }
}

fn unexpected(found: char) -> String {
    match found {
        ']' | '>' => format!("`{found}` closes no meld"),
        '[' | '<' | '+' => format!("`{found}` where tiles were expected"),
        _ if found.is_control() => format!("unexpected control character {}", found.escape_unicode()),
        _ => format!("`{found}` is neither a rank (0-9) nor a suit (m, p, s, z)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_print_as_they_are_read() {
        for text in [
            "23m22z[2222p][345s][678p]+4m",
            "19m19p19s1234567z+1m",
            "",
            "055p",
            "1m<2222m><3333p><4444s><6666p>+1m",
        ] {
            assert_eq!(text.parse::<Hand>().expect(text).to_string(), text);
        }
    }

    /// As people type and paste hands.
    #[test]
    fn other_spellings_are_read() {
        for (text, hand) in [
            ("123m 456p\t7 8 9 s", "123m456p789s"),
            ("[123m]4m <7777z> 5m", "45m[123m]<7777z>"),
            ("23m+4m[345s] [678p]", "23m[345s][678p]+4m"),
            ("123m +9s 456p 99s", "123m456p99s+9s"),
            ("+9s9s1z", "9s1z+9s"),
            ("1m + E E [777z] 9p", "1m9p1z[777z]+1z"),
            ("ESWNPFC", "1234567z"),
            ("123M456P789S11Z", "123m456p789s11z"),
            ("1S S", "1s2z"),
            ("[EEE]11M + E", "11m[111z]+1z"),
            ("🀇🀈🀉🀐🀡🀀🀄🀆🀅\u{fe0e}", "123m9p1s1567z"),
            ("一二三萬 五筒 0索", "123m5p0s"),
            ("１２３m４５ｐＥ［７７７ｚ］＋１ｓ", "123m45p1z[777z]+1s"),
            ("一萬二筒三索東南西北白發中", "1m2p3s1234567z"),
            ("23m[1'23m][50'5p][777'7'z]", "23m[123m][055p][7777z]"),
        ] {
            assert_eq!(text.parse::<Hand>().expect(text).to_string(), hand, "{text}");
        }
    }

    #[test]
    fn errors_point_at_the_wrong_character() {
        let cases = [
            ("12x", 2, "`x` is neither a rank (0-9) nor a suit (m, p, s, z)"),
            ("123", 0, "rank 1 without a suit (m, p, s or z) after it"),
            ("m", 0, "suit `m` without a rank before it"),
            ("18z", 1, "there is no `8z`"),
            ("11111m", 4, "a fifth 1m"),
            ("11m[111m]", 6, "a fifth 1m"),
            ("05555p", 4, "a fifth 5p"),
            ("[124m]", 1, "not a meld: expected a sequence, or three or four equal tiles"),
            ("<123m>", 1, "not a meld: expected four equal tiles"),
            ("[123m", 5, "the meld does not end with `]`"),
            ("1m+23m", 3, "expected one tile after `+`"),
            ("1m +23m 4p", 4, "expected one tile after `+`"),
            ("1m+", 3, "expected one tile after `+`"),
            ("1m++2m", 3, "a second `+`"),
            ("1m+2m+3m", 5, "a second `+`"),
            ("1m+2m 3p+3m", 8, "a second `+`"),
            ("123E", 0, "rank 1 without a suit (m, p, s or z) after it"),
            ("M", 0, "suit `M` without a rank before it"),
            ("八z", 0, "there is no `8z`"),
            ("🀢", 0, "`🀢` is neither a rank (0-9) nor a suit (m, p, s, z)"),
            ("[123m>", 5, "the meld does not end with `]`"),
            ("[12m[3m]", 4, "the meld does not end with `]`"),
            ("['123m]", 1, "`'` is neither a rank (0-9) nor a suit (m, p, s, z)"),
            ("1'23m", 1, "`'` is neither a rank (0-9) nor a suit (m, p, s, z)"),
            ("[1'2'3m]", 1, "one tile of a meld is called, found 2 of the mark `'`"),
            ("<777'7z>", 1, "an ankan has no called tile, found 1 of the mark `'`"),
            ("12m]", 3, "`]` closes no meld"),
            ("1m\u{7}", 2, "unexpected control character \\u{7}"),
            ("[111m][222m][333m][444m][555m]", 24, "a fifth meld"),
            ("123456789m123456p", 17, "15 tiles, counting three per meld: a hand has at most 14"),
        ];
        for (text, position, what) in cases {
            let error = text.parse::<Hand>().expect_err(text);
            assert_eq!((error.position, error.what.as_str()), (position, what), "{text}");
        }
        let shown = "12x".parse::<Hand>().unwrap_err().to_string();
        assert_eq!(shown.lines().last(), Some("    ^"), "{shown}");
    }
}
