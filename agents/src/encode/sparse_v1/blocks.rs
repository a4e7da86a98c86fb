//! The features of `sparse-v1`, block by block.

use jantaku_engine::{DiscardOptions, DrawSource, MeldKind, Riichi, Suit, Tile, TileKind, TileSet};

use super::SparseV1;
use crate::encode::active::{Active, Block, Domain, Features, SparseRow as Row};
use crate::encode::channel::View;
use crate::encode::danger::suji;
use crate::encode::facts::Facts;

type List<'a> = Active<'a, { SparseV1::MOST_ACTIVE }>;

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
pub(super) fn write(facts: &Facts<'_>, active: &mut List<'_>) {
    hand(facts, active);
    outlook(facts, active);
    melds(facts, active);
    river(facts, active);
    seat(facts, active);
    rival(facts, active);
    tiles(facts, active);
    game(facts, active);
    decision(facts, active);
    let [legal] = LEGAL.of_view(0);
    active.actions(legal, facts.o.legal());
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

fn hand(facts: &Facts<'_>, active: &mut List<'_>) {
    let [once, twice, thrice, four, red, drawn, drawn_red] = HAND.of_view(0);
    active.many_kinds(once, facts.hand.kinds());
    for (copies, first) in (2..).zip([twice, thrice, four]) {
        active.kinds(first, facts.hand.at_least(copies));
    }
    for suit in Suit::NUMBERED.into_iter().filter(|suit| facts.hand.reds(*suit) > 0) {
        active.number(red, u16::from(Tile::red(suit).kind().number()));
    }
    if let Some(tile) = facts.o.drawn() {
        active.number(drawn, u16::from(tile.kind().number()));
        active.flag(drawn_red, tile.is_red());
    }
}

/// The least ukeire, in tiles, of each row of discards.
const UKEIRE: [u32; 7] = [0, 1, 5, 9, 13, 17, 25];

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

fn outlook(facts: &Facts<'_>, active: &mut List<'_>) {
    let [shanten, waits, furiten, ukeire, discards @ ..] = OUTLOOK.of_view(0);
    let discards: [u16; UKEIRE.len()] = discards;
    let outlook = &facts.outlook;
    active.up_to(shanten, i32::from(outlook.shanten.number()) + 1, 10);
    active.kinds(waits, facts.o.waits());
    active.flag(furiten, facts.o.is_furiten());
    active.kinds(ukeire, outlook.ukeire & facts.unseen.kinds());
    let options = outlook.discards.iter().flat_map(DiscardOptions::as_slice);
    for option in options.filter(|option| option.shanten == outlook.shanten) {
        let tiles = facts.unseen.count(option.ukeire);
        let row = UKEIRE.iter().filter(|least| **least <= tiles).count() - 1;
        active.number(discards[row], u16::from(option.kind.number()));
    }
}

const MELDS: Block<8> = Block::from(
    OUTLOOK.end(),
    "melds",
    View::ALL,
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

fn melds(facts: &Facts<'_>, active: &mut List<'_>) {
    for (at, seat) in facts.seats.present(View::ALL) {
        let side = facts.o.side(seat);
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
        active.kinds(chi, lows);
        active.kinds(chi_again, again);
        active.kinds(red, reds);
        if side.norths() > 0 {
            active.up_to(kita, i32::from(side.norths()) - 1, 4);
        }
    }
}

/// The row of a tedashi, by the discards of the seat before it. Discards 1–6 have a row, 7–12 have
/// one, and so have later ones. The row of a tsumogiri comes after that of a tedashi.
const THIRDS: [u8; 128] = {
    let (mut rows, mut count) = ([4; 128], 0);
    while count < 12 {
        rows[count] = if count < 6 { 0 } else { 2 };
        count += 1;
    }
    rows
};

const RIVER: Block<9> = Block::from(
    MELDS.end(),
    "river",
    View::ALL,
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

fn river(facts: &Facts<'_>, active: &mut List<'_>) {
    let mut rivers: [SeatRiver; 4] = std::array::from_fn(|at| SeatRiver::new(RIVER.of_view(at)));
    for discard in facts.o.discards().iter() {
        let river = &mut rivers[facts.seats.index_of(discard.seat)];
        let kind = discard.tile.kind();
        let third = usize::from(THIRDS[usize::from(river.discards & 127)]);
        river.add(third + usize::from(discard.tsumogiri), kind, active);
        if discard.claimed_by.is_some() {
            river.add(CLAIMED, kind, active);
        }
        if discard.riichi {
            river.add(RIICHI, kind, active);
        }
        river.discards += 1;
        river.last = Some(kind);
    }
    for SeatRiver { rows, last, .. } in rivers {
        if let Some(kind) = last {
            active.number(rows[LAST], u16::from(kind.number()));
        }
    }
}

/// Rows of `RIVER`.
const CLAIMED: usize = 6;
const RIICHI: usize = 7;
const LAST: usize = 8;

/// The discards of a seat so far.
struct SeatRiver {
    /// The first feature of each row.
    rows: [u16; 9],
    /// The kinds of each row that are active.
    before: [TileSet; 8],
    discards: u8,
    last: Option<TileKind>,
}

impl SeatRiver {
    fn new(rows: [u16; 9]) -> SeatRiver {
        SeatRiver { rows, before: [TileSet::EMPTY; 8], discards: 0, last: None }
    }

    /// Adds the feature of a kind in a row.
    #[inline]
    fn add(&mut self, row: usize, kind: TileKind, active: &mut List<'_>) {
        active.new_kind(self.rows[row & 7], kind, &mut self.before[row & 7]);
    }
}

/// Steps of points: 2,000 up to 62,000.
const POINT_STEPS: u16 = 32;

const SEAT: Block<8> = Block::from(
    RIVER.end(),
    "seat",
    View::ALL,
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

fn seat(facts: &Facts<'_>, active: &mut List<'_>) {
    let o = facts.o;
    for (at, seat) in facts.seats.present(View::ALL) {
        let [riichi, double, ippatsu, shown_waits, dead, dealer, points, dora] = SEAT.of_view(at);
        let side = o.side(seat);
        active.flag(riichi, side.riichi() != Riichi::None);
        active.flag(double, side.riichi() == Riichi::Double);
        active.flag(ippatsu, side.ippatsu());
        active.kinds(shown_waits, o.shown_waits(seat));
        active.flag(dead, side.is_dead());
        active.flag(dealer, o.dealer() == seat);
        active.up_to(points, o.scores()[seat] / 2000, POINT_STEPS);
        active.up_to(dora, i32::from(facts.dora_of(seat)), 8);
    }
}

/// Steps of the difference in points: 1,000 from −12,000 to 13,000.
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

fn rival(facts: &Facts<'_>, active: &mut List<'_>) {
    let (o, held) = (facts.o, facts.hand.kinds());
    let own = o.scores()[o.seat()];
    for (at, seat) in facts.seats.present(View::OTHERS) {
        let [present, gap, unchanged, genbutsu, passed, safe_suji, offers] = RIVAL.of_view(at);
        let (river, more) = (facts.river(seat), o.scores()[seat].saturating_sub(own));
        active.flag(present, true);
        active.up_to(gap, more.div_euclid(1000).saturating_add(13), GAP_STEPS);
        active.up_to(unchanged, i32::from(river.unchanged), 6);
        active.kinds(genbutsu, held & river.genbutsu);
        active.kinds(passed, held & river.passed);
        active.kinds(safe_suji, held & suji(river.genbutsu));
        active.flag(offers, o.offer().is_some_and(|offer| offer.from == seat));
    }
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

fn tiles(facts: &Facts<'_>, active: &mut List<'_>) {
    let [dora, dora_again, none, one, two, three, red, no_chance, one_chance] = TILES.of_view(0);
    let (mut once, mut again) = (TileSet::EMPTY, TileSet::EMPTY);
    for kind in facts.dora().map(TileSet::of) {
        again |= once & kind;
        once |= kind;
    }
    active.kinds(dora, once - again);
    active.kinds(dora_again, again);
    let [ones, twos, fours] = facts.unseen.digits();
    active.many_kinds(none, facts.o.rules().kinds() - (ones | twos | fours));
    active.many_kinds(one, ones - twos);
    active.many_kinds(two, twos - ones);
    active.many_kinds(three, ones & twos);
    for suit in Suit::NUMBERED.into_iter().filter(|suit| facts.unseen_reds[*suit as usize] > 0) {
        active.number(red, u16::from(Tile::red(suit).kind().number()));
    }
    let held = facts.hand.kinds();
    active.kinds(no_chance, held & facts.no_chance);
    active.kinds(one_chance, held & facts.one_chance);
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

fn game(facts: &Facts<'_>, active: &mut List<'_>) {
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

fn decision(facts: &Facts<'_>, active: &mut List<'_>) {
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
}

const LEGAL: Block<1> = Block::from(
    DECISION.end(),
    "legal",
    View::OWN,
    [Row { name: "action", domain: Domain::Actions, meaning: "The action is legal.", since: 1 }],
);
