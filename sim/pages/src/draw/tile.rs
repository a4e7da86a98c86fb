//! The pictures of tiles, from `tiles.svg`.

use jantaku_engine::Tile;

/// The width of a tile.
pub(super) const WIDTH: f32 = 24.0;
/// The height of a tile.
pub(super) const HEIGHT: f32 = 32.0;
/// The space around tiles.
pub(super) const GAP: f32 = 4.0;

/// How far the baseline of a text is below its middle, as a share of the font size. Not every program that
/// shows pictures knows `dominant-baseline`.
pub(super) const BASELINE: f32 = 0.36;

/// All tiles as symbols of one `<svg>` element: each has the name of its tile, `xx` is the back.
///
/// Characters are drawn as strokes, so no picture depends on the fonts of its reader. Red fives have a
/// mark besides their colour, and a number or letter helps readers who do not know the tiles.
pub(crate) const SPRITE: &str = include_str!("tiles.svg");

/// The face of a tile with its upper left corner at the origin. Its title is the name of the tile.
pub(super) fn face(tile: Tile) -> String {
    let name = tile.to_string();
    format!("<title>{name}</title>{}", symbol(&name))
}

/// The back of a tile.
pub(super) fn back() -> &'static str {
    symbol("xx")
}

/// The content of the symbol with this name.
fn symbol(name: &str) -> &'static str {
    let start = format!("<symbol id=\"{name}\"");
    let found = SPRITE.lines().find_map(|line| line.strip_prefix(&start)?.split_once('>'));
    let content = found.and_then(|(_, rest)| rest.strip_suffix("</symbol>"));
    content.unwrap_or_else(|| panic!("tiles.svg has no symbol {name}"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_tile_has_its_own_picture() {
        let mut pictures: BTreeSet<&str> = Tile::all().map(|tile| symbol(&tile.to_string())).collect();
        pictures.insert(symbol("xx"));
        assert_eq!(pictures.len(), Tile::all().count() + 1);
    }

    #[test]
    fn pictures_need_no_font_and_no_other_file() {
        assert!(!SPRITE.contains("<text") && !SPRITE.contains("href") && !SPRITE.contains("url("));
        assert!(SPRITE.is_ascii() && SPRITE.len() < 50_000, "{} bytes", SPRITE.len());
    }
}
