//! The features of `sparse-v1`, block by block.

use jantaku_engine::{Discards, DrawSource, MeldKind, Riichi, Suit, Tile, TileSet};
use wide::u16x8;

use super::SparseV1;
use crate::encode::active::{Active, Block, Domain, Features, SparseRow as Row};
use crate::encode::channel::View;
use crate::encode::danger::suji;
use crate::encode::facts::Facts;

type List<'a> = Active<'a, { SparseV1::MAX_ACTIVE }>;

/// The number of features.
pub(super) const END: u16 = LEGAL.end();

/// The rows of all blocks in order.
pub(super) fn features() -> Vec<Features> {
    let own = HAND.features().chain(OUTLOOK.features());
    let seats = MELDS.features().chain(RIVER.features()).chain(SEAT.features()).chain(RIVAL.features());
    let table = TILES.features().chain(GAME.features()).chain(DECISION.features()).chain(LEGAL.features());
    own.chain(seats).chain(table).collect()
}

/// Adds the active features of all blocks.
#[inline]
pub(super) fn write<'a>(facts: &Facts<'_>, active: List<'a>) -> List<'a> {
    let active = outlook(facts, hand(facts, active));
    let active = river(facts, melds(facts, active));
    let active = seat(facts, active);
    let active = rival::<0>(facts, active);
    let active = rival::<1>(facts, active);
    let active = rival::<2>(facts, active);
    let active = game(facts, tiles(facts, active));
    legal(facts, decision(facts, active))
}

const HAND: Block<7> = Block::from(
    0,
    "hand",
    View::OWN,
    [
        Row::kinds("at_least_1", "The concealed tiles, with the drawn one, hold at least one of the kind."),
        Row::kinds("at_least_2", "They hold at least two."),
        Row::kinds("at_least_3", "They hold at least three."),
        Row::kinds("at_least_4", "They hold all four."),
        Row::kinds("red", "They hold a red five of the kind."),
        Row::kinds("drawn", "The tile just drawn is of the kind."),
        Row::flag("drawn_red", "The tile just drawn is a red five."),
    ],
);

fn hand<'a>(facts: &Facts<'_>, mut active: List<'a>) -> List<'a> {
    let [once, twice, thrice, four, red, drawn, drawn_red] = HAND.of_view(0);
    active.many_kinds(once, facts.hand.kinds());
    active.kinds(twice, facts.hand.at_least(2));
    active.rare_kinds(thrice, facts.hand.at_least(3));
    active.rare_kinds(four, facts.hand.at_least(4));
    active.reds(red, Suit::NUMBERED.map(|suit| facts.hand.reds(suit) > 0));
    if let Some(tile) = facts.o.drawn() {
        active.number(drawn, u16::from(tile.kind().number()));
        active.flag(drawn_red, tile.is_red());
    }
    active
}

/// The smallest ukeire, in tiles, of each row of discards.
const UKEIRE: [u32; 7] = [0, 1, 5, 9, 13, 17, 25];

/// The row of discards for each ukeire. The last one is also for any larger ukeire.
const UKEIRE_ROW: [u8; 32] = {
    let (mut rows, mut row, mut tiles) = ([0; 32], 0, 0);
    while tiles < 32 {
        if row + 1 < UKEIRE.len() && UKEIRE[row + 1] == tiles {
            row += 1;
        }
        rows[tiles as usize] = row as u8;
        tiles += 1;
    }
    rows
};

const OUTLOOK: Block<11> = Block::from(
    HAND.end(),
    "outlook",
    View::OWN,
    [
        Row::numbers("shanten", 10, "The shanten plus 1; with a tile to discard, that of the best discard."),
        Row::kinds("waits", "The kind completes the hand without the drawn tile, by shape."),
        Row::flag("furiten", "The hand without the drawn tile is furiten."),
        Row::kinds(
            "ukeire",
            "The kind lowers the shanten, also if only after one of the best discards, and is unseen.",
        ),
        Row::kinds("discard_0", "The discard leaves the least shanten and no unseen tile that lowers it."),
        Row::kinds("discard_1", "The discard leaves the least shanten and 1–4 unseen tiles that lower it."),
        Row::kinds("discard_5", "The same with 5–8 tiles."),
        Row::kinds("discard_9", "The same with 9–12 tiles."),
        Row::kinds("discard_13", "The same with 13–16 tiles."),
        Row::kinds("discard_17", "The same with 17–24 tiles."),
        Row::kinds("discard_25", "The same with 25 tiles or more."),
    ],
);

fn outlook<'a>(facts: &Facts<'_>, mut active: List<'a>) -> List<'a> {
    let [shanten, waits, furiten, ukeire, discards @ ..] = OUTLOOK.of_view(0);
    let [zero, one, five, nine, thirteen, seventeen, more] = discards;
    // Eight rows, so that three bits are always a valid index.
    let discards = [zero, one, five, nine, thirteen, seventeen, more, more];
    let outlook = &facts.outlook;
    active.up_to(shanten, i32::from(outlook.shanten.number()) + 1, 10);
    active.rare_kinds(waits, facts.o.waits());
    active.flag(furiten, facts.o.is_furiten());
    active.many_kinds(ukeire, outlook.ukeire & facts.unseen.kinds());
    for (option, tiles) in facts.discards() {
        let row = usize::from(UKEIRE_ROW[usize::from(tiles.min(31))] & 7);
        active.number(discards[row], u16::from(option.kind.number()));
    }
    active
}

const MELDS: Block<8> = Block::from(
    OUTLOOK.end(),
    "melds",
    View::SEATS,
    [
        Row::kinds("chi", "A chi whose lowest tile is of the kind."),
        Row::kinds("chi_again", "A second chi like it."),
        Row::kinds("pon", "A pon of the kind."),
        Row::kinds("daiminkan", "A daiminkan of the kind."),
        Row::kinds("kakan", "A kakan of the kind."),
        Row::kinds("ankan", "An ankan of the kind."),
        Row::kinds("red", "A meld has a red five of the kind."),
        Row::numbers("kita", 4, "Norths set aside: one, two, three, four."),
    ],
);

fn melds<'a>(facts: &Facts<'_>, mut active: List<'a>) -> List<'a> {
    for (at, side) in facts.with_melds() {
        let [chi, chi_again, pon, daiminkan, kakan, ankan, red, kita] = MELDS.of_view(at);
        let (mut lows, mut again, mut reds) = (TileSet::EMPTY, TileSet::EMPTY, TileSet::EMPTY);
        for meld in side.melds() {
            let kind = u16::from(meld.low().number());
            match meld.kind() {
                MeldKind::Chi if lows.contains(meld.low()) => again.insert(meld.low()),
                MeldKind::Chi => lows.insert(meld.low()),
                MeldKind::Pon => active.number(pon, kind),
                MeldKind::Daiminkan => active.number(daiminkan, kind),
                MeldKind::Kakan => active.number(kakan, kind),
                MeldKind::Ankan => active.number(ankan, kind),
            }
            if meld.reds() > 0 {
                reds |= meld.kinds() & TileSet::FIVES;
            }
        }
        active.rare_kinds(chi, lows);
        active.rare_kinds(chi_again, again);
        active.rare_kinds(red, reds);
        if side.norths() > 0 {
            active.up_to(kita, i32::from(side.norths()) - 1, 4);
        }
    }
    active
}

const RIVER: Block<9> = Block::from(
    MELDS.end(),
    "river",
    View::SEATS,
    [
        Row::kinds(
            "early_tedashi",
            "The seat discarded the kind from the hand among its first six discards.",
        ),
        Row::kinds("early_tsumogiri", "It discarded the kind by tsumogiri among its first six discards."),
        Row::kinds("middle_tedashi", "From the hand, as its 7th to 12th discard."),
        Row::kinds("middle_tsumogiri", "By tsumogiri, as its 7th to 12th discard."),
        Row::kinds("late_tedashi", "From the hand, later."),
        Row::kinds("late_tsumogiri", "By tsumogiri, later."),
        Row::kinds("claimed", "Another seat claimed its discard of the kind."),
        Row::kinds("riichi", "It declared riichi with the kind, also if it was not accepted."),
        Row::kinds("last", "The kind is its last discard."),
    ],
);

fn river<'a>(facts: &Facts<'_>, mut active: List<'a>) -> List<'a> {
    let [own, right, across, left] = facts.seats.indices().map(|at| RIVER.of_view(at)[0]);
    let views = u16x8::new([own, right, across, left, 0, 0, 0, 0]);
    let (discards, first) = (facts.o.discards(), active.len());
    let eights = discards.packed_eights().iter();
    active.eights(eights.map(|eight| discard_features(u16x8::new(*eight), views)), discards.len());
    active = unusual_discards(discards, first, active);
    for (at, seat) in facts.seats.present(View::SEATS) {
        if let Some(tile) = facts.o.side(seat).last_discard() {
            let [.., last] = RIVER.of_view(at);
            active.number(last, u16::from(tile.kind().number()));
        }
    }
    active
}

/// The feature of each discard ([`Discards::packed`]) by its tile, row and tsumogiri. `views` has the
/// first feature of each seat.
#[inline]
fn discard_features(discards: u16x8, views: u16x8) -> u16x8 {
    let first = views.shuffle((discards >> 6_u32) & u16x8::splat(3));
    let row = ((discards >> 8_u32) & u16x8::splat(7)) * u16x8::splat(RIVER.start(1));
    first + row + kinds_of_discards(discards)
}

/// The number of the kind of each discard.
#[inline]
fn kinds_of_discards(discards: u16x8) -> u16x8 {
    let tile = discards & u16x8::splat(63);
    // The red fives follow the 34 kinds. They are 9 kinds apart from each other.
    let of_red = tile * u16x8::splat(9) - u16x8::splat(9 * 34 - 4);
    tile.simd_lt(u16x8::splat(34)).select(tile, of_red)
}

const _: () = {
    let mut number = 34;
    while let Some(tile) = Tile::new(number) {
        assert!(tile.kind().number() == 9 * (number - 34) + 4, "the kinds of red fives");
        number += 1;
    }
    let mut row = 0;
    while row < 6 {
        assert!(RIVER.start(row) == row as u16 * RIVER.start(1), "rows of discards, which have 34 features");
        row += 1;
    }
};

/// How far the row of a discard is from the first one of its view.
#[inline]
const fn row_of_discard(discard: u16) -> u16 {
    // Bit 8 is set for tsumogiri, and the next two bits are the row of the river.
    RIVER.start(1) * (discard >> 8 & 7)
}

/// The number of the kind of a discard.
#[inline]
const fn kind_of_discard(discard: u16) -> u16 {
    let tile = discard & 63;
    // The red fives follow the 34 kinds. They are 9 kinds apart from each other.
    if tile < 34 { tile } else { 9 * (tile - 34) + 4 }
}

/// Adds the features `claimed` and `riichi` of discards. Removes the feature of a discard if an earlier
/// discard has it, too.
///
/// The features of the discards begin at the place `first` of the list.
#[inline]
fn unusual_discards<'a>(discards: &Discards, first: usize, mut active: List<'a>) -> List<'a> {
    let mut claimed = [TileSet::EMPTY; 4];
    // From the last one back: the feature that replaces a removed one was looked at before.
    for (index, eights) in discards.packed_eights().chunks(8).enumerate().rev() {
        let discards = eights.as_flattened();
        let mut unusual = unusual(discards);
        while unusual != 0 {
            let place = unusual.ilog2() as usize;
            unusual &= !(1 << place);
            let (discard, at) = (discards[place], first + 64 * index + place);
            let feature = active.at(at);
            let in_first_row = feature - row_of_discard(discard);
            let kind = TileSet::from_bits(1 << kind_of_discard(discard));
            let claimed = &mut claimed[usize::from(discard >> 6 & 3)];
            let is_claimed = discard & Discards::CLAIMED != 0;
            active.flag(in_first_row + RIVER.start(6), is_claimed & !claimed.intersects(kind));
            if is_claimed {
                *claimed |= kind;
            }
            active.flag(in_first_row + RIVER.start(7), discard & Discards::RIICHI != 0);
            active.remove_if(at, discard & Discards::AGAIN != 0);
        }
    }
    active
}

/// The places among 64 discards that may not have exactly one feature of their own, as bits.
#[inline]
fn unusual(discards: &[u16]) -> u64 {
    const UNUSUAL: u16 = Discards::CLAIMED | Discards::RIICHI | Discards::AGAIN;
    discards.as_chunks().0.iter().enumerate().fold(0, |places, (index, eight)| {
        let usual = (u16x8::new(*eight) & u16x8::splat(UNUSUAL)).simd_eq(u16x8::splat(0));
        places | u64::from(!usual.to_bitmask() & 0xFF) << (8 * index)
    })
}

/// The number of steps of points. A step has 2,000 points; the first begins at 0, the last at 62,000.
const POINT_STEPS: u16 = 32;

const SEAT: Block<8> = Block::from(
    RIVER.end(),
    "seat",
    View::SEATS,
    [
        Row::flag("riichi", "In riichi: declared and accepted."),
        Row::flag("double_riichi", "In double riichi."),
        Row::flag("ippatsu", "A win now would be ippatsu."),
        Row::kinds("shown_waits", "An open riichi waits for the kind."),
        Row::flag("dead", "The hand is dead after a foul."),
        Row::flag("dealer", "The seat is the dealer."),
        Row::numbers(
            "points",
            POINT_STEPS,
            "Points in steps of 2,000; the first also below 0, the last also above.",
        ),
        Row::numbers(
            "dora",
            8,
            "Dora, red fives and Norths set aside that it shows; the own seat's also in the \
             hand. 7 also above.",
        ),
    ],
);

fn seat<'a>(facts: &Facts<'_>, mut active: List<'a>) -> List<'a> {
    let o = facts.o;
    for (at, seat) in facts.seats.present(View::SEATS) {
        let [riichi, double, ippatsu, shown_waits, dead, dealer, points, dora] = SEAT.of_view(at);
        let side = o.side(seat);
        if side.riichi() != Riichi::None {
            active.number(riichi, 0);
            active.flag(double, side.riichi() == Riichi::Double);
            active.flag(ippatsu, side.ippatsu());
            active.rare_kinds(shown_waits, o.shown_waits(seat));
        }
        if side.is_dead() {
            active.number(dead, 0);
        }
        active.flag(dealer, o.dealer() == seat);
        active.number(points, point_step(o.scores()[seat]));
        active.up_to(dora, i32::from(facts.dora_of(seat)), 8);
    }
    active
}

/// The step of a player's points.
#[inline]
fn point_step(points: i32) -> u16 {
    (points.clamp(0, 2000 * i32::from(POINT_STEPS) - 1) as u32 / 2000) as u16
}

/// The number of steps of the difference in points. A step has 1,000 points; the first begins at −13,000,
/// the last at 12,000.
const GAP_STEPS: u16 = 26;

const RIVAL: Block<7> = Block::from(
    SEAT.end(),
    "rival",
    View::OTHERS,
    [
        Row::flag("present", "The seat is in play."),
        Row::numbers(
            "gap",
            GAP_STEPS,
            "Points that the seat has more than the player, in steps of 1,000: 13 is the same. \
             The ends also beyond.",
        ),
        Row::numbers("unchanged", 6, "Tsumogiri since the seat last discarded from the hand. 5 also above."),
        Row::kinds(
            "held_genbutsu",
            "The hand holds the kind, and the seat cannot win on it by ron: a genbutsu.",
        ),
        Row::kinds(
            "held_passed",
            "The hand holds the kind, and it was discarded after the seat's last discard from \
             the hand, or after its riichi.",
        ),
        Row::kinds(
            "held_suji",
            "The hand holds the kind, and its two-sided waits include a genbutsu of the seat on each side.",
        ),
        Row::flag("offers", "The tile that the player may claim comes from this seat."),
    ],
);

/// `AT` is the index of the seat among the other players. As a constant it makes all features
/// constants, too.
fn rival<'a, const AT: usize>(facts: &Facts<'_>, mut active: List<'a>) -> List<'a> {
    let Some(seat) = facts.seats.by_view[AT + 1] else { return active };
    let (o, held) = (facts.o, facts.hand.kinds());
    let own = o.scores()[o.seat()];
    let [present, gap, unchanged, genbutsu, passed, safe_suji, offers] = const { RIVAL.of_view(AT) };
    let (river, more) = (facts.river(seat), o.scores()[seat].saturating_sub(own));
    active.flag(present, true);
    active.number(gap, gap_step(more));
    active.up_to(unchanged, i32::from(river.unchanged), 6);
    active.few_kinds(genbutsu, held & river.genbutsu);
    active.few_kinds(passed, held & river.passed);
    active.few_kinds(safe_suji, held & suji(river.genbutsu));
    active.flag(offers, o.offer().is_some_and(|offer| offer.from == seat));
    active
}

/// The step of a difference in points.
#[inline]
fn gap_step(more: i32) -> u16 {
    const ZERO: i32 = 13;
    let above_least = more.saturating_add(1000 * ZERO).clamp(0, 1000 * i32::from(GAP_STEPS) - 1);
    (above_least as u32 / 1000) as u16
}

const TILES: Block<9> = Block::from(
    RIVAL.end(),
    "tiles",
    View::OWN,
    [
        Row::kinds("dora", "One dora indicator makes the kind dora."),
        Row::kinds("dora_again", "Two or more dora indicators make it dora."),
        Row::kinds("unseen_0", "The player has seen all tiles of the kind."),
        Row::kinds("unseen_1", "One tile of the kind is unseen."),
        Row::kinds("unseen_2", "Two tiles are unseen."),
        Row::kinds("unseen_3", "Three tiles are unseen."),
        Row::kinds("unseen_red", "A red five of the kind is unseen."),
        Row::kinds(
            "held_no_chance",
            "The hand holds the kind, and its two-sided waits are all impossible, because all \
             tiles of a needed kind are seen.",
        ),
        Row::kinds("held_one_chance", "The same if at most one tile of a needed kind is unseen."),
    ],
);

fn tiles<'a>(facts: &Facts<'_>, mut active: List<'a>) -> List<'a> {
    let [dora, dora_again, none, one, two, three, red, no_chance, one_chance] = TILES.of_view(0);
    let (mut once, mut again) = (TileSet::EMPTY, TileSet::EMPTY);
    for kind in facts.dora().map(TileSet::of) {
        again |= once & kind;
        once |= kind;
    }
    active.few_kinds(dora, once - again);
    active.rare_kinds(dora_again, again);
    let [ones, twos, fours] = facts.unseen.digits();
    active.many_kinds(none, facts.o.rules().kinds() - (ones | twos | fours));
    active.many_kinds(one, ones - twos);
    active.many_kinds(two, twos - ones);
    active.many_kinds(three, ones & twos);
    active.reds(red, facts.unseen_reds.map(|reds| reds > 0));
    let held = facts.hand.kinds();
    active.rare_kinds(no_chance, held & facts.no_chance);
    active.few_kinds(one_chance, held & facts.one_chance);
    active
}

const GAME: Block<9> = Block::from(
    TILES.end(),
    "game",
    View::TABLE,
    [
        Row::numbers("round_wind", 4, "The round wind: East, South, West, North."),
        Row::numbers("seat_wind", 4, "The player's seat wind."),
        Row::numbers(
            "hands_left",
            9,
            "How often the deal still passes until the last hand of the schedule; 0 from that \
             hand on. 8 also above.",
        ),
        Row::numbers("honba", 6, "Honba. 5 also above."),
        Row::numbers("sticks", 5, "Riichi sticks on the table. 4 also above."),
        Row::numbers("live", 25, "Live tiles left, in steps of four."),
        Row::numbers("kans", 6, "Kans declared by all seats."),
        Row::flag("uninterrupted", "No seat has made a call, kan or kita yet."),
        Row::numbers("players_ahead", 4, "Seats with more points than the player."),
    ],
);

fn game<'a>(facts: &Facts<'_>, mut active: List<'a>) -> List<'a> {
    let [round_wind, seat_wind, hands_left, honba, sticks, live, kans, uninterrupted, ahead] =
        GAME.of_view(0);
    let o = facts.o;
    active.up_to(round_wind, o.round_wind() as i32, 4);
    active.up_to(seat_wind, o.seat_wind(o.seat()) as i32, 4);
    active.up_to(hands_left, i32::from(facts.hands_left()), 9);
    active.up_to(honba, i32::from(o.honba()), 6);
    active.up_to(sticks, i32::from(o.sticks()), 5);
    active.up_to(live, i32::from(o.live() / 4), 25);
    active.up_to(kans, i32::from(o.kans()), 6);
    active.flag(uninterrupted, o.uninterrupted());
    active.up_to(ahead, i32::from(facts.players_ahead()), 4);
    active
}

const DECISION: Block<6> = Block::from(
    GAME.end(),
    "decision",
    View::TABLE,
    [
        Row::numbers(
            "phase",
            5,
            "A turn, a claim of a discard, a claim of a kan's or kita's tile, an exhaustive draw, the end.",
        ),
        Row::flag("replacement", "The last draw was a replacement tile, after a kan or kita."),
        Row::flag("called", "The turn began with a chi or pon instead of a draw."),
        Row::numbers("turn", 20, "Tiles that the player has discarded. 19 also above."),
        Row::kinds("offer", "The player may claim a tile of the kind."),
        Row::flag("offer_red", "The tile that the player may claim is a red five."),
    ],
);

fn decision<'a>(facts: &Facts<'_>, mut active: List<'a>) -> List<'a> {
    let [phase, replacement, called, turn, offer, offer_red] = DECISION.of_view(0);
    let o = facts.o;
    active.number(phase, facts.phase() as u16);
    active.flag(replacement, matches!(o.source(), DrawSource::Kan | DrawSource::Kita));
    active.flag(called, o.source() == DrawSource::Claim);
    active.up_to(turn, i32::from(o.side(o.seat()).discard_count()), 20);
    if let Some(offered) = o.offer() {
        active.number(offer, u16::from(offered.tile.kind().number()));
        active.flag(offer_red, offered.tile.is_red());
    }
    active
}

const LEGAL: Block<1> = Block::from(
    DECISION.end(),
    "legal",
    View::OWN,
    [Row { name: "action", domain: Domain::Actions, meaning: "The action is legal.", since: 1 }],
);

fn legal<'a>(facts: &Facts<'_>, mut active: List<'a>) -> List<'a> {
    let [legal] = LEGAL.of_view(0);
    active.actions(legal, facts.o.legal());
    active
}
