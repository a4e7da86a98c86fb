//! The face of a tile.

use std::fmt::Write as _;

use jantaku_engine::{Suit, Tile};

/// The width of a tile.
pub(super) const WIDTH: f32 = 24.0;
/// The height of a tile.
pub(super) const HEIGHT: f32 = 32.0;
/// The space around tiles.
pub(super) const GAP: f32 = 4.0;

/// How far the baseline of a text is below its middle, in parts of the size. Not every program that
/// shows pictures knows `dominant-baseline`.
pub(super) const BASELINE: f32 = 0.36;

const RED: &str = "#c0272d";
const GREEN: &str = "#1d7a46";
const BLUE: &str = "#23418f";
const INK: &str = "#26221c";

/// Fonts that have the characters of tiles.
const SERIF: &str =
    "'Noto Serif CJK JP','Noto Serif JP','Yu Mincho','Hiragino Mincho ProN','MS Mincho',serif";

/// The face of a tile with its upper left corner at the origin. Its title is the name of the tile.
pub(super) fn face(tile: Tile) -> String {
    let (kind, red) = (tile.kind(), tile.is_red());
    let mut picture = format!("<title>{tile}</title>{}", body("#fbf8ee"));
    let rank = usize::from(kind.rank());
    picture += &match kind.suit() {
        Suit::Characters => characters(rank, red),
        Suit::Dots => shapes(rank, red, dot),
        Suit::Bamboo => shapes(rank, red, stick),
        Suit::Honours => honour(rank),
    };
    if kind.suit() != Suit::Honours {
        // A small number helps readers who do not know the tiles.
        picture +=
            &glyph(&rank.to_string(), [3.6, 4.6], 5.5, if red { RED } else { "#8d8774" }, "sans-serif");
    }
    picture
}

/// The back of a tile.
pub(super) fn back() -> String {
    body("#d99a3c")
}

fn body(colour: &str) -> String {
    let (width, height) = (WIDTH - 1.0, HEIGHT - 1.0);
    format!(
        "<rect x=\"0.5\" y=\"0.5\" width=\"{width}\" height=\"{height}\" rx=\"2.5\" fill=\"{colour}\" \
         stroke=\"#7c7664\" stroke-width=\"0.7\"/>"
    )
}

fn glyph(text: &str, [x, y]: [f32; 2], size: f32, colour: &str, font: &str) -> String {
    let y = y + BASELINE * size;
    format!(
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{colour}\" font-family=\"{font}\" \
         font-weight=\"bold\" text-anchor=\"middle\">{text}</text>"
    )
}

fn characters(rank: usize, red: bool) -> String {
    const RANKS: [&str; 9] = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];
    let ink = if red { RED } else { INK };
    let centre = WIDTH / 2.0;
    glyph(RANKS[rank - 1], [centre, 10.5], 12.0, ink, SERIF) + &glyph("萬", [centre, 23.0], 12.0, RED, SERIF)
}

fn honour(rank: usize) -> String {
    const FACES: [(&str, &str); 7] =
        [("東", INK), ("南", INK), ("西", INK), ("北", INK), ("", BLUE), ("發", GREEN), ("中", RED)];
    let (text, colour) = FACES[rank - 1];
    if text.is_empty() {
        return format!(
            "<rect x=\"4.5\" y=\"5\" width=\"15\" height=\"22\" rx=\"1\" fill=\"none\" stroke=\"{colour}\" \
             stroke-width=\"1.4\"/>"
        );
    }
    glyph(text, [WIDTH / 2.0, HEIGHT / 2.0], 18.0, colour, SERIF)
}

/// A shape: its centre, how many shapes the tile has, and its colour.
type Shape = fn([f32; 2], usize, &str) -> String;

/// The shapes of a tile of dots or bamboo, in rows from top to bottom.
fn shapes(rank: usize, red: bool, shape: Shape) -> String {
    const ROWS: [&[&[f32]]; 9] = [
        &[&[12.0]],
        &[&[12.0], &[12.0]],
        &[&[7.0], &[12.0], &[17.0]],
        &[&[7.5, 16.5], &[7.5, 16.5]],
        &[&[7.0, 17.0], &[12.0], &[7.0, 17.0]],
        &[&[7.5, 16.5], &[7.5, 16.5], &[7.5, 16.5]],
        &[&[12.0], &[6.0, 12.0, 18.0], &[6.0, 12.0, 18.0]],
        &[&[6.0, 12.0, 18.0], &[9.0, 15.0], &[6.0, 12.0, 18.0]],
        &[&[6.0, 12.0, 18.0], &[6.0, 12.0, 18.0], &[6.0, 12.0, 18.0]],
    ];
    let rows = ROWS[rank - 1];
    let height = 24.0 / rows.len() as f32;
    let mut picture = String::new();
    for (row, places) in rows.iter().enumerate() {
        let y = 5.0 + height * (row as f32 + 0.5);
        for x in *places {
            let is_middle = row * 2 + 1 == rows.len();
            let colour = if red || is_middle && rank % 2 == 1 { RED } else { GREEN };
            picture += &shape([*x, y], rank, colour);
        }
    }
    picture
}

fn dot([x, y]: [f32; 2], rank: usize, colour: &str) -> String {
    let radius = match rank {
        1 => 7.5,
        2..=5 => 3.7,
        _ => 2.9,
    };
    let colour = if colour == GREEN { BLUE } else { colour };
    let mut picture = String::new();
    for (radius, fill) in [(radius, colour), (radius * 0.62, "#fbf8ee"), (radius * 0.36, colour)] {
        let _ = write!(picture, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\"/>");
    }
    picture
}

fn stick([x, y]: [f32; 2], rank: usize, colour: &str) -> String {
    let (half, width) = match rank {
        1 => (10.5, 5.0),
        2..=5 => (4.6, 3.0),
        _ => (3.4, 2.6),
    };
    let (left, top, height) = (x - width / 2.0, y - half, 2.0 * half);
    format!(
        "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"{}\" fill=\"{colour}\"/>\
         <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"0.9\" fill=\"#fbf8ee\"/>",
        width / 2.0,
        left,
        y - 0.45,
        width
    )
}
