//! Pictures of hands and tables as SVG.
//!
//! - `tile`: the pictures of tiles, which stand in `tiles.svg`
//! - [`hand()`]: a hand with its melds
//! - [`observation()`], [`table()`]: a table, as one player sees it or with all hands shown
//!
//! A picture is one `<svg>` element without scripts, fonts or links, so it can stand in a web page.

mod canvas;
mod table;
mod tile;

use jantaku_engine::Hand;

use self::canvas::{Canvas, Way};
use self::tile::{GAP, HEIGHT, WIDTH};

pub(crate) use self::tile::SPRITE;

pub use self::table::{observation, table};

/// A hand: the concealed tiles, the last tile apart, and the melds.
///
/// ```
/// use jantaku_engine::Hand;
///
/// let hand: Hand = "34m567p55s[777z]+2m".parse()?;
/// let svg = jantaku_pages::draw::hand(&hand);
/// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"));
/// assert_eq!(svg.matches("<title>").count(), 11);
/// # Ok::<(), jantaku_engine::NotationError>(())
/// ```
pub fn hand(hand: &Hand) -> String {
    let mut canvas = Canvas::default();
    let mut x = GAP;
    for tile in hand.concealed().tiles() {
        canvas.tile(tile, Way::Upright, [x, GAP]);
        x += WIDTH;
    }
    if let Some(tile) = hand.last() {
        x += WIDTH / 3.0;
        canvas.tile(tile, Way::Upright, [x, GAP]);
        x += WIDTH;
    }
    for meld in hand.melds() {
        x += WIDTH / 2.0;
        x = canvas.meld(*meld, None, [x, GAP]);
    }
    canvas.into_svg([x + GAP, HEIGHT + 2.0 * GAP])
}
