//! The hands of the others.

use jantaku_engine::{Suit, Tile};

use super::{Hidden, OracleV1};
use crate::encode::channel::{Row, View};
use crate::encode::plane::{Group, Plane, clamped, constant, constant_flag, flags, put};

pub(super) const HAND: Group<OracleV1, 6> = Group {
    name: "hand",
    views: View::OTHERS,
    rows: [
        Row::flag("at_least_1", "Kinds of which the hand has at least one tile, the drawn one included."),
        Row::flag("at_least_2", "Kinds with at least two tiles."),
        Row::flag("at_least_3", "Kinds with at least three tiles."),
        Row::flag("at_least_4", "Kinds with four tiles."),
        Row::tiles("red", "Red fives, at the five of their suit."),
        Row::flag("drawn", "The kind of the tile just drawn."),
    ],
    write: hand,
};

fn hand(hidden: &Hidden<'_>, planes: &mut [[Plane; 6]]) {
    for (seat, [at_least @ .., red, drawn]) in hidden.seats.zip(planes) {
        let private = hidden.round.private(seat);
        let hand = private.hand_with_draw();
        let at_least: &mut [Plane; 4] = at_least;
        for (copies, plane) in (1..).zip(at_least) {
            flags(plane, hand.at_least(copies));
        }
        for suit in Suit::NUMBERED {
            put(red, Tile::red(suit).kind(), hand.reds(suit) as u8);
        }
        if let Some(tile) = private.drawn() {
            put(drawn, tile.kind(), 1);
        }
    }
}

pub(super) const OUTLOOK: Group<OracleV1, 4> = Group {
    name: "outlook",
    views: View::OTHERS,
    rows: [
        Row::number("shanten", "shanten + 1", 9, 8, "The shanten plus 1, without the drawn tile."),
        Row::flag("tenpai", "The hand is tenpai under the rules, without the drawn tile."),
        Row::flag("waits", "Kinds that complete the hand without the drawn tile, by shape."),
        Row::flag("furiten", "The hand without the drawn tile is furiten."),
    ],
    write: outlook,
};

fn outlook(hidden: &Hidden<'_>, planes: &mut [[Plane; 4]]) {
    for (seat, [shanten, tenpai, waits, furiten]) in hidden.seats.zip(planes) {
        let o = hidden.round.observe(seat);
        constant(shanten, clamped(i32::from(o.hand().shanten(o.melds().len()).number()) + 1, 9));
        constant_flag(tenpai, o.is_tenpai());
        flags(waits, o.waits());
        constant_flag(furiten, o.is_furiten());
    }
}
