//! Texts of tiles, hands and melds: `m0` is a red five, `z1` East, `m123p55` a hand.

use jantaku_engine::{Claimed, Meld, MeldKind, Players, Seat, Suit, Tile};

use crate::logs::Problem;

/// The tiles of a text such as `m406p55z1`.
pub(super) fn tiles(text: &str) -> Result<Vec<Tile>, Problem> {
    let wrong = || Problem::value("tiles", format!("`{text}`"), "tiles such as `m123p0z1`");
    let (mut suit, mut tiles) = (None, Vec::new());
    for c in text.chars() {
        match c.to_digit(10) {
            Some(rank) => {
                let suit: Suit = suit.ok_or_else(wrong)?;
                tiles.push(suit.tile(rank as u8).ok_or_else(wrong)?);
            }
            None => suit = Some(Suit::from_letter(c).ok_or_else(wrong)?),
        }
    }
    Ok(tiles)
}

/// The tile of a text such as `m0`.
pub(super) fn tile(text: &str) -> Result<Tile, Problem> {
    match tiles(text)?[..] {
        [tile] => Ok(tile),
        _ => Err(Problem::value("tile", format!("`{text}`"), "a tile such as `m5`, `m0` or `z1`")),
    }
}

/// A meld as a text writes it.
pub(super) enum MeldText {
    /// A claim or an ankan.
    Meld(Meld),
    /// A kakan: the tile and the pon.
    Kakan(Tile, Vec<Tile>),
}

impl MeldText {
    /// The meld of this player. The mark after the claimed tile says whose it was: `-` that of the
    /// player on the left, `=` across, `+` on the right.
    pub(super) fn parse(text: &str, seat: Seat, players: Players) -> Result<MeldText, Problem> {
        let wrong = || Problem::value("m", format!("`{text}`"), "a meld such as `m12-3`, `z555=` or `p0555`");
        let Some((before, after)) = text.split_once(['-', '=', '+']) else {
            return Ok(MeldText::Meld(Meld::of(MeldKind::Ankan, &tiles(text)?, None)?));
        };
        let steps = match text.as_bytes()[before.len()] {
            b'-' => 3,
            b'=' => 2,
            _ => 1,
        };
        let suit = text.get(..1).ok_or_else(wrong)?;
        let (mut own, rest) = (tiles(before)?, tiles(&format!("{suit}{after}"))?);
        let claimed = Claimed { tile: own.pop().ok_or_else(wrong)?, from: seat.after(steps, players) };
        let kind = match (own.len(), rest.len()) {
            (3, 0) => MeldKind::Daiminkan,
            (2, 1) if own[0].kind() == claimed.tile.kind() => {
                own.push(claimed.tile);
                return Ok(MeldText::Kakan(rest[0], own));
            }
            _ if own.iter().chain(&rest).all(|tile| tile.kind() == claimed.tile.kind()) => MeldKind::Pon,
            _ => MeldKind::Chi,
        };
        own.extend(rest);
        Ok(MeldText::Meld(Meld::of(kind, &own, Some(claimed))?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The meld of seat 1 with this text, as our notation writes it.
    fn meld(text: &str) -> String {
        let seat = Seat::new(1).expect("a seat");
        match MeldText::parse(text, seat, Players::Four) {
            Ok(MeldText::Meld(meld)) => {
                let from =
                    meld.claimed().map_or_else(String::new, |claimed| format!(" from {}", claimed.from));
                format!("{:?} {meld}{from}", meld.kind())
            }
            Ok(MeldText::Kakan(tile, pon)) => format!("Kakan {tile} on {}", pon.len()),
            Err(problem) => problem.to_string(),
        }
    }

    #[test]
    fn marks_say_whose_tile_was_claimed() {
        let texts = ["s0-67", "m7-89", "p45-6", "z555+", "m505=", "m5550", "m8888-", "p999+9", "m505+5"];
        let kinds =
            ["Chi", "Chi", "Chi", "Pon", "Pon", "Ankan", "Daiminkan", "Kakan 9p on 3", "Kakan 5m on 3"];
        let froms = ["from 0", "from 0", "from 0", "from 2", "from 3", "", "from 0", "", ""];
        for ((text, kind), from) in texts.into_iter().zip(kinds).zip(froms) {
            let found = meld(text);
            assert!(found.starts_with(kind) && found.ends_with(from), "{text}: {found}");
        }
    }

    #[test]
    fn broken_texts_are_reported() {
        for text in ["", "-", "x12-3", "m12-4", "m1", "m12345", "z8888", "m-12"] {
            assert!(
                !meld(text).is_empty() && MeldText::parse(text, Seat::FIRST, Players::Four).is_err(),
                "{text}"
            );
        }
        assert!(tile("m12").is_err() && tile("5").is_err() && tiles("q1").is_err());
    }
}
