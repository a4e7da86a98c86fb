//! The scalars of `sparse-v1`.

use crate::encode::channel::View;
use crate::encode::facts::Facts;

/// A number beside the features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scalar {
    /// Its name.
    pub name: &'static str,
    /// Whose facts it holds.
    pub view: View,
    /// The unit of 1.0.
    pub unit: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// The version of the encoder that added it.
    pub since: u32,
}

const fn scalar(name: &'static str, view: View, unit: &'static str, meaning: &'static str) -> Scalar {
    Scalar { name, view, unit, meaning, since: 1 }
}

const POINTS: &str = "10,000 points";
const MORE: &str = "Points that the seat has more than the player, less if negative.";

/// The scalars in order.
pub(in crate::encode) const SCALARS: [Scalar; 10] = [
    scalar("points", View::Own, POINTS, "Points."),
    scalar("more", View::Right, POINTS, MORE),
    scalar("more", View::Across, POINTS, MORE),
    scalar("more", View::Left, POINTS, MORE),
    scalar("live", View::Table, "70 tiles", "Live tiles left to draw."),
    scalar("honba", View::Table, "1 honba", "Honba."),
    scalar("sticks", View::Table, "1 riichi stick", "Riichi sticks on the table."),
    scalar(
        "shanten",
        View::Own,
        "1 shanten",
        "The shanten; with a tile to discard, that of the best discard.",
    ),
    scalar(
        "ukeire",
        View::Own,
        "20 tiles",
        "Unseen tiles that lower the shanten after the discard with the most.",
    ),
    scalar("dora", View::Own, "1 tile", "Dora, red fives and Norths set aside in the hand and melds."),
];

/// Writes the scalars of a decision.
pub(in crate::encode) fn write(facts: &Facts<'_>, numbers: &mut [f32; SCALARS.len()]) {
    let o = facts.o;
    let own = o.scores()[o.seat()];
    let more = facts.seats.by_view.map(|seat| seat.map_or(0, |seat| o.scores()[seat].saturating_sub(own)));
    let outlook = &facts.outlook;
    *numbers = [
        own as f32 / 10_000.0,
        more[1] as f32 / 10_000.0,
        more[2] as f32 / 10_000.0,
        more[3] as f32 / 10_000.0,
        f32::from(o.live()) / 70.0,
        f32::from(o.honba()),
        f32::from(o.sticks()),
        f32::from(outlook.shanten.number()),
        f32::from(outlook.most_tiles) / 20.0,
        f32::from(facts.dora_of(o.seat())),
    ];
}
