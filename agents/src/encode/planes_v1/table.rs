//! What concerns the whole table: dora, unseen tiles, the state of the game, the decision.

use jantaku_engine::{DrawSource, Suit, Tile};

use super::PlanesV1;
use crate::encode::channel::{Row, View};
use crate::encode::facts::Facts;
use crate::encode::plane::{Group, Plane, add, clamped, constant, constant_flag, flags, put, single_view};

pub(super) const DORA: Group<PlanesV1, 2> = Group {
    name: "dora",
    views: View::TABLE,
    rows: [
        Row::tiles("indicators", "Dora indicators of this kind."),
        Row::tiles("dora", "Dora indicators that make this kind dora."),
    ],
    write: dora,
};

fn dora(facts: &Facts<'_>, planes: &mut [[Plane; 2]]) {
    let [indicators, dora] = single_view(planes);
    facts.o.indicators().iter().for_each(|indicator| add(indicators, indicator.kind(), 1));
    facts.dora().for_each(|kind| add(dora, kind, 1));
}

pub(super) const UNSEEN: Group<PlanesV1, 7> = Group {
    name: "unseen",
    views: View::OWN,
    rows: [
        Row::flag(
            "at_least_1",
            "Kinds of which the player has at least one tile not seen: in other hands or the wall.",
        ),
        Row::flag("at_least_2", "Kinds with at least two unseen tiles."),
        Row::flag("at_least_3", "Kinds with at least three unseen tiles."),
        Row::flag("at_least_4", "Kinds with four unseen tiles."),
        Row::tiles("red", "Unseen red fives, at the five of their suit."),
        Row::flag(
            "no_chance",
            "Number tiles whose two-sided waits are all impossible, because all tiles of a \
             needed kind are seen.",
        ),
        Row::flag("one_chance", "The same if at most one tile of a needed kind is unseen."),
    ],
    write: unseen,
};

fn unseen(facts: &Facts<'_>, planes: &mut [[Plane; 7]]) {
    let [once, twice, thrice, four, red, no_chance, one_chance] = single_view(planes);
    let [ones, twos, fours] = facts.unseen.digits();
    flags(once, ones | twos | fours);
    flags(twice, twos | fours);
    flags(thrice, (ones & twos) | fours);
    flags(four, fours);
    for suit in Suit::NUMBERED {
        put(red, Tile::red(suit).kind(), facts.unseen_reds[suit as usize]);
    }
    flags(no_chance, facts.no_chance);
    flags(one_chance, facts.one_chance);
}

pub(super) const GAME: Group<PlanesV1, 10> = Group {
    name: "game",
    views: View::TABLE,
    rows: [
        Row::flag("round_wind", "The round wind."),
        Row::number(
            "round",
            "hands",
            255,
            8,
            "The number of the hand by dealers: 0 is East 1. 255 also above 255.",
        ),
        Row::number(
            "hands_left",
            "hands",
            255,
            8,
            "How often the deal still passes until the last hand of the schedule; 0 from that \
             hand on. 255 also above 255.",
        ),
        Row::flag("last_hand", "The deal does not pass any more before the end of the schedule."),
        Row::number("honba", "honba", 255, 8, "Honba. 255 also above 255."),
        Row::number("sticks", "riichi sticks", 255, 4, "Riichi sticks on the table. 255 also above 255."),
        Row::number("live", "tiles", 96, 70, "Live tiles left to draw."),
        Row::number("kans", "kans", 5, 4, "Kans declared by all seats."),
        Row::flag("uninterrupted", "No seat has made a call, kan or kita yet."),
        Row::number("players_ahead", "seats", 3, 3, "Seats with more points than the player."),
    ],
    write: game,
};

fn game(facts: &Facts<'_>, planes: &mut [[Plane; 10]]) {
    let [wind, round, hands_left, last_hand, honba, sticks, live, kans, uninterrupted, ahead] =
        single_view(planes);
    let o = facts.o;
    put(wind, o.round_wind().tile(), 1);
    constant(round, clamped(i32::from(o.round()), u8::MAX));
    constant(hands_left, clamped(i32::from(facts.hands_left()), u8::MAX));
    constant_flag(last_hand, facts.hands_left() == 0);
    constant(honba, clamped(i32::from(o.honba()), u8::MAX));
    constant(sticks, clamped(i32::from(o.sticks()), u8::MAX));
    constant(live, o.live());
    constant(kans, o.kans());
    constant_flag(uninterrupted, o.uninterrupted());
    constant(ahead, facts.players_ahead());
}

pub(super) const DECISION: Group<PlanesV1, 9> = Group {
    name: "decision",
    views: View::TABLE,
    rows: [
        Row::flag("turn", "The player is in turn."),
        Row::flag("claim", "The player may claim a discard."),
        Row::flag("kan_claim", "The player may win on the tile of a kan or kita."),
        Row::flag("draw", "The player may show or keep closed their hand at an exhaustive draw."),
        Row::flag("end", "The player may end the game."),
        Row::flag("replacement", "The last draw was a replacement tile, after a kan or kita."),
        Row::flag("called", "The turn began with a chi or pon instead of a draw."),
        Row::flag("offer", "The kind of the tile that the player may claim."),
        Row::flag("offer_red", "The same, only if it is a red five."),
    ],
    write: decision,
};

fn decision(facts: &Facts<'_>, planes: &mut [[Plane; 9]]) {
    let [phases @ .., replacement, called, offer, offer_red] = single_view(planes);
    let phases: &mut [Plane; 5] = phases;
    // The first five rows have the order of `Facts::phase`.
    constant(&mut phases[facts.phase()], 1);
    let source = facts.o.source();
    constant_flag(replacement, matches!(source, DrawSource::Kan | DrawSource::Kita));
    constant_flag(called, source == DrawSource::Claim);
    if let Some(offered) = facts.o.offer() {
        put(offer, offered.tile.kind(), 1);
        put(offer_red, offered.tile.kind(), u8::from(offered.tile.is_red()));
    }
}
