//! The notation of rivers and melds.

use std::fmt::Write as _;

use super::{Declared, Dropped, RiverEntry};
use crate::notation::write_tiles;
use crate::{Claimed, Meld, MeldKind, Players, Seat, Suit, Tile, TileKind, shortened};

/// Reads a river: entries separated by spaces.
pub(super) fn parse_river(text: &str) -> Result<Vec<RiverEntry>, String> {
    let entry = |(index, word): (usize, &str)| {
        parse_entry(word).map_err(|what| format!("entry {} `{}`: {what}", index + 1, shortened(word)))
    };
    text.split_whitespace().enumerate().map(entry).collect()
}

fn parse_entry(word: &str) -> Result<RiverEntry, String> {
    if let Some(inside) = word.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
        if inside == "kita" {
            return Ok(RiverEntry::Kita);
        }
        let tile: Option<Tile> = inside.parse().ok();
        return tile
            .map(|tile| RiverEntry::Kan(tile.kind()))
            .ok_or_else(|| "expected `<kita>` or the kind of a kan, such as `<7z>`".to_owned());
    }
    let end = word.char_indices().nth(2).map_or(word.len(), |(end, _)| end);
    let (tile, marks) = word.split_at(end);
    let tile = tile.parse::<Tile>().map_err(|_| {
        if tile.len() == 2
            && tile.starts_with(|c: char| c.is_ascii_digit())
            && tile.ends_with(['m', 'p', 's', 'z'])
        {
            format!("there is no tile `{tile}`")
        } else {
            "expected one tile such as `5p`, then its marks".to_owned()
        }
    })?;
    let mut dropped = Dropped { tile, tsumogiri: false, riichi: false, claimed: false };
    for mark in marks.chars() {
        let flag = match mark {
            '*' => &mut dropped.tsumogiri,
            'r' => &mut dropped.riichi,
            '\'' => &mut dropped.claimed,
            _ => {
                return Err(format!(
                    "found `{}` after the tile, expected the marks * (tsumogiri), r (riichi) or ' (called)",
                    mark.escape_debug()
                ));
            }
        };
        if std::mem::replace(flag, true) {
            return Err(format!("the mark `{mark}` stands twice"));
        }
    }
    Ok(RiverEntry::Discard(dropped))
}

/// Writes a river as [`parse_river`] reads it.
pub(super) fn river_text(river: &[RiverEntry]) -> String {
    let words: Vec<String> = river.iter().copied().map(entry_text).collect();
    words.join(" ")
}

pub(super) fn entry_text(entry: RiverEntry) -> String {
    match entry {
        RiverEntry::Kan(kind) => format!("<{kind}>"),
        RiverEntry::Kita => "<kita>".to_owned(),
        RiverEntry::Discard(Dropped { tile, tsumogiri, riichi, claimed }) => {
            let mark = |set: bool, mark| if set { mark } else { "" };
            format!("{tile}{}{}{}", mark(riichi, "r"), mark(tsumogiri, "*"), mark(claimed, "'"))
        }
    }
}

/// The melds of a player, separated by spaces or not.
pub(super) fn parse_melds(text: &str, owner: Seat, players: Players) -> Result<Vec<Declared>, String> {
    let mut melds = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let wrong = |what: String| format!("meld {}: {what}", melds.len() + 1);
        let close = match rest.chars().next() {
            Some('[') => ']',
            Some('<') => '>',
            _ => return Err(wrong(format!("expected `[` or `<`, found `{}`", shortened(rest)))),
        };
        let Some(end) = rest.find(close) else {
            return Err(wrong(format!("`{}` does not end with `{close}`", shortened(rest))));
        };
        let (word, after) = rest.split_at(end + 1);
        let meld = parse_meld(&word[1..end], close, owner, players);
        melds.push(meld.map_err(|what| wrong(format!("`{}`: {what}", shortened(word))))?);
        rest = after.trim_start();
    }
    if melds.len() > 4 {
        return Err(format!("found {} melds, expected at most 4", melds.len()));
    }
    Ok(melds)
}

fn parse_meld(inside: &str, close: char, owner: Seat, players: Players) -> Result<Declared, String> {
    if ["kita", "4z"].contains(&inside) {
        return Err("a North set aside is no meld: expected `kita = 1` instead".to_owned());
    }
    let (tiles, marked) = marked_tiles(inside)?;
    let of = |kind: MeldKind, own: &[Tile], claimed: Option<Claimed>| {
        Meld::of(kind, own, claimed).map_err(|error| error.to_string())
    };
    if close == '>' {
        if !marked.is_empty() {
            return Err("an ankan has no sideways tile (')".to_owned());
        }
        return Ok(Declared { meld: of(MeldKind::Ankan, &tiles, None)?, added: None });
    }
    let (at, added) = match marked.as_slice() {
        [at] => (*at, None),
        [at, next] if *next == at + 1 && tiles.len() == 4 => (*at, Some(tiles[*next])),
        _ => {
            return Err("expected ' after the claimed tile (after two neighbours for a kakan)".to_owned());
        }
    };
    let claimed_tile = tiles[at];
    let mut own = tiles.clone();
    own.remove(at);
    if added.is_some() {
        // The added tile lies beside the claimed one.
        own.remove(at);
    }
    let is_sequence = tiles.iter().any(|tile| tile.kind() != claimed_tile.kind());
    let from = source(at, tiles.len() - usize::from(added.is_some()), is_sequence, owner, players)?;
    let claimed = Some(Claimed { tile: claimed_tile, from });
    let meld = match (tiles.len(), is_sequence, added) {
        (_, true, _) => of(MeldKind::Chi, &own, claimed)?,
        (4, _, Some(tile)) => of(MeldKind::Pon, &own, claimed)?.with_added(tile),
        (4, ..) => of(MeldKind::Daiminkan, &own, claimed)?,
        _ => of(MeldKind::Pon, &own, claimed)?,
    };
    Ok(Declared { meld, added })
}

/// The tiles of a meld and the indices of the marked ones.
fn marked_tiles(inside: &str) -> Result<(Vec<Tile>, Vec<usize>), String> {
    let (mut ranks, mut tiles, mut marked) = (Vec::new(), Vec::new(), Vec::new());
    for letter in inside.chars() {
        if let Some(rank) = letter.to_digit(10) {
            ranks.push(rank as u8);
        } else if letter == '\'' {
            let at = (tiles.len() + ranks.len()).checked_sub(1).ok_or("' stands before the first tile")?;
            marked.push(at);
        } else if let Some(suit) = Suit::from_letter(letter) {
            for rank in ranks.drain(..) {
                let none = || format!("there is no tile `{rank}{letter}`");
                tiles.push(suit.tile(rank).ok_or_else(none)?);
            }
        } else {
            return Err(format!("found `{}`, expected tiles and '", letter.escape_debug()));
        }
    }
    match ranks.first() {
        Some(rank) => Err(format!("rank {rank} has no suit (m, p, s or z) after it")),
        None if tiles.is_empty() => Err("expected three or four tiles, found none".to_owned()),
        None => Ok((tiles, marked)),
    }
}

/// The player whose discard lies sideways at this place in a meld of `len` tiles.
fn source(at: usize, len: usize, is_sequence: bool, owner: Seat, players: Players) -> Result<Seat, String> {
    let left = owner.after(players.count() - 1, players);
    if is_sequence && at != 0 {
        return Err("a chi claims from the left: expected its sideways tile (') first".to_owned());
    }
    if players == Players::Two || at == 0 {
        return Ok(left);
    }
    if at + 1 == len {
        return Ok(owner.next(players));
    }
    if players == Players::Three {
        return Err("with three players, the sideways tile (') is the first or the last".to_owned());
    }
    Ok(owner.after(2, players))
}

/// Writes a meld as [`parse_melds`] reads it.
pub(super) fn meld_text(declared: Declared, owner: Seat, players: Players) -> String {
    let own = declared.hand_tiles();
    let Some(claimed) = declared.meld.claimed() else {
        return declared.meld.to_string();
    };
    let at = match owner.steps_to(claimed.from, players) {
        1 if players != Players::Two => own.len(),
        2 if players == Players::Four => 1,
        _ => 0,
    };
    let mut tiles: Vec<(Tile, bool)> = own.into_iter().map(|tile| (tile, false)).collect();
    tiles.insert(at, (claimed.tile, true));
    if let Some(tile) = declared.added {
        tiles.insert(at + 1, (tile, true));
    }
    let mut text = String::from("[");
    let mut suit = Suit::Honours;
    for (tile, is_marked) in tiles {
        suit = tile.kind().suit();
        let rank = if tile.is_red() { 0 } else { tile.kind().rank() };
        // Writing to a string cannot fail.
        let _ = write!(text, "{rank}{}", if is_marked { "'" } else { "" });
    }
    text.push(suit.letter());
    text + "]"
}

/// Writes tiles in the given order, with a suit after each group.
pub(super) fn tiles_text(tiles: impl Iterator<Item = Tile>) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_tiles(&mut text, tiles);
    text
}

/// The kind of the kan, if the meld is an ankan or kakan. These are declared in the player's own turn.
pub(super) fn ankan_or_kakan(declared: Declared) -> Option<TileKind> {
    let is_own = matches!(declared.meld.kind(), MeldKind::Ankan | MeldKind::Kakan);
    is_own.then(|| declared.meld.low())
}
