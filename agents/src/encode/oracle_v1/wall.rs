//! Future draws and indicators.

use jantaku_engine::{Tile, Wall};

use super::{Hidden, OracleV1};
use crate::encode::channel::{Row, View};
use crate::encode::plane::{Group, Plane, add, put, single_view};

/// The most dora indicators of a hand.
const INDICATORS: usize = 5;

/// A channel with the number of draws until a tile of each kind.
const fn when(name: &'static str, most: u8, one: u8, meaning: &'static str) -> Row {
    Row::number(name, "draws", most, one, meaning)
}

pub(super) const LIVE: Group<OracleV1, 5> = Group {
    name: "live",
    views: View::TABLE,
    rows: [
        when(
            "when_1",
            96,
            70,
            "How many draws from the live wall bring the first tile of this kind: 1 the next draw, 0 none.",
        ),
        when("when_2", 96, 70, "How many bring the second one."),
        when("when_3", 96, 70, "How many bring the third one."),
        when("when_4", 96, 70, "How many bring the fourth one."),
        when("red", 96, 70, "How many bring the first red five, at the five of its suit."),
    ],
    write: live,
};

fn live(hidden: &Hidden<'_>, planes: &mut [[Plane; 5]]) {
    draws(hidden.round.wall().live_tiles().iter().copied(), single_view(planes));
}

pub(super) const REPLACEMENT: Group<OracleV1, 5> = Group {
    name: "replacement",
    views: View::TABLE,
    rows: [
        when(
            "when_1",
            8,
            4,
            "How many replacement draws, after kans and kita, bring the first tile of this kind: 1 the next, \
             0 none.",
        ),
        when("when_2", 8, 4, "How many bring the second one."),
        when("when_3", 8, 4, "How many bring the third one."),
        when("when_4", 8, 4, "How many bring the fourth one."),
        when("red", 8, 4, "How many bring the first red five, at the five of its suit."),
    ],
    write: replacement,
};

fn replacement(hidden: &Hidden<'_>, planes: &mut [[Plane; 5]]) {
    draws(hidden.round.wall().replacement_tiles(), single_view(planes));
}

/// Writes when each of these tiles is drawn.
fn draws(tiles: impl Iterator<Item = Tile>, [copies @ .., red]: &mut [Plane; 5]) {
    let copies: &mut [Plane; 4] = copies;
    for (draw, tile) in (1..).zip(tiles) {
        let kind = tile.kind().index();
        if let Some(plane) = copies.iter_mut().find(|plane| plane[kind] == 0) {
            plane[kind] = draw;
        }
        if tile.is_red() && red[kind] == 0 {
            red[kind] = draw;
        }
    }
}

pub(super) const INDICATOR: Group<OracleV1, 5> = Group {
    name: "indicator",
    views: View::TABLE,
    rows: [
        Row::flag("next", "The dora indicator that the next kan turns."),
        Row::tiles("unturned", "Dora indicators of this kind that are not turned."),
        Row::tiles("ura", "Ura indicators of this kind under the turned dora indicators."),
        Row::tiles("ura_dora", "Those among them that make this kind ura dora."),
        Row::tiles("unturned_ura", "Ura indicators of this kind under those that are not turned."),
    ],
    write: indicator,
};

fn indicator(hidden: &Hidden<'_>, planes: &mut [[Plane; 5]]) {
    let [next, unturned, ura, ura_dora, unturned_ura] = single_view(planes);
    let wall: &Wall = hidden.round.wall();
    let turned = hidden.round.table().indicators().len();
    for number in 0..turned {
        let indicator = wall.ura_indicator(number).kind();
        add(ura, indicator, 1);
        add(ura_dora, hidden.dora(indicator), 1);
    }
    for number in turned..INDICATORS {
        let indicator = wall.indicator(number).kind();
        if number == turned {
            put(next, indicator, 1);
        }
        add(unturned, indicator, 1);
        add(unturned_ura, wall.ura_indicator(number).kind(), 1);
    }
}
