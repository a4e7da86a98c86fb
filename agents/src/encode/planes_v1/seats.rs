//! What all players see of each seat.

use jantaku_engine::{MeldKind, Riichi, TileKind};

use super::PlanesV1;
use crate::encode::channel::{Row, View};
use crate::encode::danger::suji;
use crate::encode::facts::Facts;
use crate::encode::plane::{Group, Plane, add, clamped, constant, constant_flag, flags, put};

pub(super) const MELDS: Group<PlanesV1, 8> = Group {
    name: "melds",
    views: View::SEATS,
    rows: [
        Row::number("chi", "melds", 4, 4, "Chi whose lowest tile is this kind."),
        Row::flag("pon", "A pon of this kind."),
        Row::flag("daiminkan", "A daiminkan of this kind."),
        Row::flag("kakan", "A kakan of this kind."),
        Row::flag("ankan", "An ankan of this kind."),
        Row::tiles("red", "Red fives in melds, at the five of their suit."),
        Row::tiles("claimed", "Tiles that the seat claimed from other rivers."),
        Row::tiles("kita", "Norths set aside, at 4z."),
    ],
    write: melds,
};

fn melds(facts: &Facts<'_>, planes: &mut [[Plane; 8]]) {
    for (at, side) in facts.with_melds() {
        let [chi, pon, daiminkan, kakan, ankan, red, claimed, kita] = &mut planes[at];
        for meld in side.melds() {
            let plane: &mut Plane = match meld.kind() {
                MeldKind::Chi => chi,
                MeldKind::Pon => pon,
                MeldKind::Daiminkan => daiminkan,
                MeldKind::Kakan => kakan,
                MeldKind::Ankan => ankan,
            };
            add(plane, meld.low(), 1);
            if let Some(five) = meld.tiles().find(|tile| tile.is_red()) {
                add(red, five.kind(), meld.reds());
            }
            if let Some(from) = meld.claimed() {
                add(claimed, from.tile.kind(), 1);
            }
        }
        put(kita, TileKind::NORTH, side.norths());
    }
}

/// The maximum number of discards in a hand ([`jantaku_engine::Discards`]).
const MAX_DISCARDS: u8 = 104;
/// A discard is recent if it is among the last eight of its seat.
const RECENT: u8 = 8;

pub(super) const RIVER: Group<PlanesV1, 12> = Group {
    name: "river",
    views: View::SEATS,
    rows: [
        Row::number(
            "when_1",
            "discards",
            MAX_DISCARDS,
            70,
            "When the seat first discarded this kind: the number of discards at the table up to then.",
        ),
        Row::number("when_2", "discards", MAX_DISCARDS, 70, "The same for its second tile of the kind."),
        Row::number("when_3", "discards", MAX_DISCARDS, 70, "The same for its third tile of the kind."),
        Row::number("when_4", "discards", MAX_DISCARDS, 70, "The same for its fourth tile of the kind."),
        Row::flag("tedashi_1", "The seat discarded its first tile of the kind from the hand: no tsumogiri."),
        Row::flag("tedashi_2", "The same for its second tile of the kind."),
        Row::flag("tedashi_3", "The same for its third tile of the kind."),
        Row::flag("tedashi_4", "The same for its fourth tile of the kind."),
        Row::number(
            "recent",
            "discards",
            RECENT,
            8,
            "8 for the seat's last discard, 1 less for each one before it.",
        ),
        Row::tiles("red", "Red fives that the seat discarded, at the five of their suit."),
        Row::tiles("claimed", "Tiles that others claimed from this river for a meld."),
        Row::flag("riichi", "The discard that declared riichi, also if it was not accepted."),
    ],
    write: river,
};

fn river(facts: &Facts<'_>, planes: &mut [[Plane; 12]]) {
    // For each seat, its discards that are still to come in the loop below.
    let mut later = [0; 4];
    for (seat, later) in facts.seats.zip(&mut later) {
        *later = facts.o.side(seat).discard_count();
    }
    for (when, discard) in (1..).zip(facts.o.discards().iter()) {
        let (kind, at) = (discard.tile.kind(), facts.seats.index_of(discard.seat));
        let river = &mut planes[at];
        let copy = (0..3).find(|copy| river[*copy][kind.index()] == 0).unwrap_or(3);
        put(&mut river[copy], kind, when);
        put(&mut river[4 + copy], kind, u8::from(!discard.tsumogiri));
        later[at] = later[at].saturating_sub(1);
        let [.., recent, red, claimed, riichi] = river;
        put(recent, kind, RECENT.saturating_sub(later[at]));
        if discard.tile.is_red() || discard.claimed_by.is_some() || discard.riichi {
            add(red, kind, u8::from(discard.tile.is_red()));
            add(claimed, kind, u8::from(discard.claimed_by.is_some()));
            add(riichi, kind, u8::from(discard.riichi));
        }
    }
}

/// The number of dora is clamped to this.
const MAX_DORA: u8 = 20;

pub(super) const SEAT: Group<PlanesV1, 10> = Group {
    name: "seat",
    views: View::SEATS,
    rows: [
        Row::flag("riichi", "In riichi: declared and accepted."),
        Row::flag("double_riichi", "In double riichi."),
        Row::flag("ippatsu", "A win now would be ippatsu."),
        Row::flag("shown_waits", "The waits of an open riichi."),
        Row::flag("dead", "The hand is dead after a foul."),
        Row::flag("dealer", "The seat is the dealer."),
        Row::flag("wind", "The seat wind."),
        Row::number("points", "500 points", 255, 100, "Points. 0 also below 0, 255 also above 127,500."),
        Row::number(
            "dora",
            "tiles",
            MAX_DORA,
            4,
            "Dora, red fives and Norths set aside that it shows; the own seat's also in the \
             hand. A tile counts once for each reason. 20 also above 20.",
        ),
        Row::number("discards", "discards", MAX_DISCARDS, 18, "Tiles that the seat has discarded."),
    ],
    write: seat,
};

fn seat(facts: &Facts<'_>, planes: &mut [[Plane; 10]]) {
    let o = facts.o;
    for (seat, planes) in facts.seats.zip(planes) {
        let [riichi, double, ippatsu, shown_waits, dead, dealer, wind, points, dora, discards] = planes;
        let side = o.side(seat);
        constant_flag(riichi, side.riichi() != Riichi::None);
        constant_flag(double, side.riichi() == Riichi::Double);
        constant_flag(ippatsu, side.ippatsu());
        flags(shown_waits, o.shown_waits(seat));
        constant_flag(dead, side.is_dead());
        constant_flag(dealer, o.dealer() == seat);
        put(wind, o.seat_wind(seat).tile(), 1);
        constant(points, clamped(o.scores()[seat] / 500, u8::MAX));
        constant(dora, facts.dora_of(seat).min(MAX_DORA));
        constant(discards, side.discard_count());
    }
}

pub(super) const RIVAL: Group<PlanesV1, 8> = Group {
    name: "rival",
    views: View::OTHERS,
    rows: [
        Row::flag("present", "The seat is in play."),
        Row::number(
            "ahead",
            "100 points",
            255,
            100,
            "Points that the seat has more than the player. 255 also above 25,500.",
        ),
        Row::number(
            "behind",
            "100 points",
            255,
            100,
            "Points that the seat has less than the player. 255 also above 25,500.",
        ),
        Row::number(
            "unchanged",
            "discards",
            MAX_DISCARDS,
            6,
            "Tsumogiri since the seat last discarded from the hand.",
        ),
        Row::flag(
            "genbutsu",
            "Kinds on which the seat cannot win by ron: it discarded them, or they passed after its riichi.",
        ),
        Row::flag(
            "passed",
            "Kinds that any seat discarded after this seat's last discard from the hand, or \
             after its riichi.",
        ),
        Row::flag("suji", "Number tiles whose two-sided waits include a genbutsu of the seat on each side."),
        Row::flag("offers", "The tile that the player may claim comes from this seat."),
    ],
    write: rival,
};

fn rival(facts: &Facts<'_>, planes: &mut [[Plane; 8]]) {
    let o = facts.o;
    let own = o.scores()[o.seat()];
    for (seat, planes) in facts.seats.zip(planes) {
        let [present, ahead, behind, unchanged, genbutsu, passed, safe_suji, offers] = planes;
        let (river, more) = (facts.river(seat), o.scores()[seat].saturating_sub(own) / 100);
        constant(present, 1);
        constant(ahead, clamped(more, u8::MAX));
        constant(behind, clamped(more.saturating_neg(), u8::MAX));
        constant(unchanged, river.unchanged);
        flags(genbutsu, river.genbutsu);
        flags(passed, river.passed);
        flags(safe_suji, suji(river.genbutsu));
        constant_flag(offers, o.offer().is_some_and(|offer| offer.from == seat));
    }
}
