//! The player's own hand, and what it can become.

use jantaku_engine::{Suit, Tile};

use super::PlanesV1;
use crate::encode::channel::{Row, View};
use crate::encode::facts::Facts;
use crate::encode::plane::{Group, Plane, clamped, constant, constant_flag, flags, put, single_view};

pub(super) const HAND: Group<PlanesV1, 7> = Group {
    name: "hand",
    views: View::OWN,
    rows: [
        Row::flag("at_least_1", "Kinds of which the concealed tiles, with the drawn one, hold at least one."),
        Row::flag("at_least_2", "Kinds of which they hold at least two."),
        Row::flag("at_least_3", "Kinds of which they hold at least three."),
        Row::flag("at_least_4", "Kinds of which they hold all four."),
        Row::tiles("red", "Red fives among them, at the five of their suit."),
        Row::flag("drawn", "The kind of the tile just drawn."),
        Row::flag("drawn_red", "The same, only if it is a red five."),
    ],
    write: hand,
};

fn hand(facts: &Facts<'_>, planes: &mut [[Plane; 7]]) {
    let [once, twice, thrice, four, red, drawn, drawn_red] = single_view(planes);
    for (copies, plane) in (1..).zip([once, twice, thrice, four]) {
        flags(plane, facts.hand.at_least(copies));
    }
    for suit in Suit::NUMBERED {
        put(red, Tile::red(suit).kind(), facts.hand.reds(suit) as u8);
    }
    if let Some(tile) = facts.o.drawn() {
        put(drawn, tile.kind(), 1);
        put(drawn_red, tile.kind(), u8::from(tile.is_red()));
    }
}

/// An upper bound of the ukeire, in tiles.
const MAX_UKEIRE: u8 = 136;

pub(super) const OUTLOOK: Group<PlanesV1, 10> = Group {
    name: "outlook",
    views: View::OWN,
    rows: [
        Row::number(
            "shanten",
            "shanten + 1",
            9,
            8,
            "The shanten plus 1; with a tile to discard, that of the best discard.",
        ),
        Row::flag("tenpai", "The shanten is 0 or less."),
        Row::flag("within_1", "The shanten is 1 or less."),
        Row::flag("within_2", "The shanten is 2 or less."),
        Row::flag("waits", "Kinds that complete the hand without the drawn tile, by shape."),
        Row::flag("furiten", "The hand without the drawn tile is furiten."),
        Row::number(
            "ukeire",
            "unseen tiles",
            4,
            4,
            "Kinds that lower the shanten, also if only after one of the best discards.",
        ),
        Row::flag("best_discard", "Kinds whose discard leaves the least shanten."),
        Row::number(
            "discard_ukeire",
            "unseen tiles",
            MAX_UKEIRE,
            40,
            "Tiles that lower the shanten after the discard of this kind.",
        ),
        Row::number("discard_kinds", "kinds", 34, 10, "Kinds among these tiles."),
    ],
    write: outlook,
};

fn outlook(facts: &Facts<'_>, planes: &mut [[Plane; 10]]) {
    let [shanten, tenpai, within_1, within_2, waits, furiten, ukeire, best, discard_ukeire, discard_kinds] =
        single_view(planes);
    let outlook = &facts.outlook;
    let number = outlook.shanten.number();
    constant(shanten, clamped(i32::from(number) + 1, 9));
    constant_flag(tenpai, number <= 0);
    constant_flag(within_1, number <= 1);
    constant_flag(within_2, number <= 2);
    flags(waits, facts.o.waits());
    constant_flag(furiten, facts.o.is_furiten());
    for kind in outlook.ukeire.iter() {
        put(ukeire, kind, facts.unseen.of(kind) as u8);
    }
    let unseen = facts.unseen.kinds();
    for (option, tiles) in facts.discards() {
        put(best, option.kind, u8::from(option.shanten == outlook.shanten));
        put(discard_ukeire, option.kind, tiles);
        put(discard_kinds, option.kind, (option.ukeire & unseen).len() as u8);
    }
}
