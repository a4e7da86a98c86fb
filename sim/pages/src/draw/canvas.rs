//! Elements of a picture.

use std::fmt::Write as _;

use jantaku_engine::{Meld, Tile};

use super::tile::{BASELINE, HEIGHT, WIDTH, back, face};
use jantaku_show::meld_layout::{Laid, Pose, lay};

/// The elements of a picture so far.
#[derive(Default)]
pub(super) struct Canvas {
    elements: String,
}

/// How a tile lies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Upright,
    /// On its side, as in riichi or in a meld.
    Sideways,
    /// Upright and faint: a discard that was claimed.
    Faint,
}

impl Way {
    /// The width that the tile takes.
    pub(super) const fn width(self) -> f32 {
        match self {
            Way::Sideways => HEIGHT,
            Way::Upright | Way::Faint => WIDTH,
        }
    }
}

/// The width that a tile takes in its meld.
const fn width(pose: Pose) -> f32 {
    match pose {
        Pose::Upright | Pose::FaceDown => WIDTH,
        Pose::Sideways => HEIGHT,
        Pose::OnTop => 0.0,
    }
}

/// The width of a meld.
pub(super) fn meld_width(meld: Meld, from: Option<u8>) -> f32 {
    lay(meld, from).iter().map(|laid| width(laid.pose)).sum()
}

impl Canvas {
    /// Adds an element.
    pub(super) fn add(&mut self, element: &str) {
        self.elements += element;
    }

    /// Adds a tile with its upper left corner at a point.
    pub(super) fn tile(&mut self, tile: Tile, way: Way, at: [f32; 2]) {
        self.place(&face(tile), way, at);
    }

    /// Adds the back of a tile.
    pub(super) fn back(&mut self, way: Way, at: [f32; 2]) {
        self.place(back(), way, at);
    }

    fn place(&mut self, tile: &str, way: Way, [x, y]: [f32; 2]) {
        // A tile on its side stands on the same line as the others.
        let transform = match way {
            Way::Sideways => format!("translate({x} {}) rotate(-90)", y + HEIGHT),
            Way::Upright | Way::Faint => format!("translate({x} {y})"),
        };
        let opacity = if way == Way::Faint { " opacity=\"0.4\"" } else { "" };
        self.group(&format!("transform=\"{transform}\"{opacity}"), |canvas| canvas.add(tile));
    }

    /// Adds a meld with its left edge at a point, and returns its right edge. `from` is where the player who
    /// discarded the claimed tile sits, as for [`lay`].
    pub(super) fn meld(&mut self, meld: Meld, from: Option<u8>, [left, y]: [f32; 2]) -> f32 {
        let mut x = left;
        for Laid { tile, pose } in lay(meld, from) {
            match pose {
                Pose::Upright => self.tile(tile, Way::Upright, [x, y]),
                Pose::Sideways => self.tile(tile, Way::Sideways, [x, y]),
                Pose::OnTop => self.tile(tile, Way::Sideways, [x - HEIGHT, y - WIDTH]),
                Pose::FaceDown => self.back(Way::Upright, [x, y]),
            }
            x += width(pose);
        }
        x
    }

    /// Adds a text with its centre at a point.
    pub(super) fn text(&mut self, text: &str, size: f32, [x, y]: [f32; 2]) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let y = y + BASELINE * size;
        let style = "text-anchor=\"middle\" fill=\"#f4f1e4\"";
        // Writing to a string cannot fail.
        let _ = write!(self.elements, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" {style}>{text}</text>");
    }

    /// Adds what `draw` adds, as a group with these attributes.
    pub(super) fn group(&mut self, attributes: &str, draw: impl FnOnce(&mut Canvas)) {
        let _ = write!(self.elements, "<g {attributes}>");
        draw(self);
        self.elements += "</g>";
    }

    /// The picture with this width and height.
    pub(super) fn into_svg(self, [width, height]: [f32; 2]) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">{}</svg>",
            self.elements
        )
    }
}
