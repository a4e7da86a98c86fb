//! The tokens of `events-v1`, block by block.

use jantaku_engine::{Discard, Meld, MeldKind, Seat, Tile};

use super::EventsV1;
use crate::encode::active::{Active, Block, Features, SparseRow as Row};
use crate::encode::channel::View;
use crate::encode::facts::Facts;

type List<'a> = Active<'a, { EventsV1::MAX }>;

/// The number of different tokens.
pub(super) const END: u16 = DECISION.end();

/// The rows of all blocks in order.
pub(super) fn features() -> Vec<Features> {
    let before = HAND.features().chain(TABLE.features());
    before.chain(EVENT.features()).chain(KAN.features()).chain(DECISION.features()).collect()
}

/// Adds the sequence of a decision.
pub(super) fn write<'a>(facts: &Facts<'_>, mut list: List<'a>) -> List<'a> {
    hand(facts, &mut list);
    table(facts, &mut list);
    events(facts, &mut list);
    kans(facts, &mut list);
    decision(facts, &mut list);
    list
}

/// Adds the token of a tile: `plain` and `red` are the first tokens of the two rows for its kind.
fn tile(list: &mut List<'_>, [plain, red]: [u16; 2], tile: Tile) {
    list.number(if tile.is_red() { red } else { plain }, u16::from(tile.kind().number()));
}

const HAND: Block<4> = Block::from(
    0,
    "hand",
    View::OWN,
    [
        Row::kinds("tile", "A concealed tile of the kind: a token for each tile, without the drawn one."),
        Row::kinds("red", "The same for a red five."),
        Row::kinds("drawn", "The tile just drawn."),
        Row::kinds("drawn_red", "The same for a red five."),
    ],
);

fn hand(facts: &Facts<'_>, list: &mut List<'_>) {
    let [plain, red, drawn, drawn_red] = HAND.of_view(0);
    for own in facts.o.hand().tiles() {
        tile(list, [plain, red], own);
    }
    if let Some(own) = facts.o.drawn() {
        tile(list, [drawn, drawn_red], own);
    }
}

const TABLE: Block<5> = Block::from(
    HAND.end(),
    "table",
    View::TABLE,
    [
        Row::numbers("players", 5, "The number of players."),
        Row::numbers("round_wind", 4, "The wind of the round: east, south, west, north."),
        Row::numbers("seat_wind", 4, "The player's own wind."),
        Row::kinds("indicator", "A dora indicator, in the order in which they were turned."),
        Row::kinds("indicator_red", "The same for a red five."),
    ],
);

fn table(facts: &Facts<'_>, list: &mut List<'_>) {
    let [players, round_wind, seat_wind, indicator, indicator_red] = TABLE.of_view(0);
    let o = facts.o;
    list.number(players, u16::from(o.rules().players.count()));
    list.number(round_wind, o.round_wind() as u16);
    list.number(seat_wind, o.seat_wind(o.seat()) as u16);
    for turned in o.indicators() {
        tile(list, [indicator, indicator_red], *turned);
    }
}

const EVENT: Block<9> = Block::from(
    TABLE.end(),
    "event",
    View::SEATS,
    [
        Row::flag(
            "riichi",
            "The seat declares riichi with the discard that follows, also if it was not accepted.",
        ),
        Row::kinds("tedashi", "It discards a tile of the kind from the hand."),
        Row::kinds("tedashi_red", "It discards a red five from the hand."),
        Row::kinds("tsumogiri", "It discards a tile of the kind that it has just drawn."),
        Row::kinds("tsumogiri_red", "It discards a red five that it has just drawn."),
        Row::kinds("chi", "It claims the discard before for a chi whose lowest tile is of the kind."),
        Row::kinds("pon", "It claims the discard before for a pon, also one that became a kakan later."),
        Row::kinds("daiminkan", "It claims the discard before for a daiminkan."),
        Row::kinds("with_red", "The chi, pon or daiminkan before shows a red five of the kind."),
    ],
);

fn events(facts: &Facts<'_>, list: &mut List<'_>) {
    // How many claims of each seat came before: its melds have the same order.
    let mut before = [0; 4];
    for discard in facts.o.discards().iter() {
        add_discard(facts, list, discard);
        let Some(seat) = discard.claimed_by else { continue };
        let mut claims = facts.o.side(seat).melds().iter().filter(|meld| meld.claimed().is_some());
        if let Some(meld) = claims.nth(before[seat.index()]) {
            add_claim(facts, list, seat, *meld);
        }
        before[seat.index()] += 1;
    }
}

fn add_discard(facts: &Facts<'_>, list: &mut List<'_>, discard: Discard) {
    let [riichi, tedashi, tedashi_red, tsumogiri, tsumogiri_red, ..] =
        EVENT.of_view(facts.seats.index_of(discard.seat));
    list.flag(riichi, discard.riichi);
    let rows = if discard.tsumogiri { [tsumogiri, tsumogiri_red] } else { [tedashi, tedashi_red] };
    tile(list, rows, discard.tile);
}

fn add_claim(facts: &Facts<'_>, list: &mut List<'_>, seat: Seat, meld: Meld) {
    let [.., chi, pon, daiminkan, with_red] = EVENT.of_view(facts.seats.index_of(seat));
    let row = match meld.kind() {
        MeldKind::Chi => chi,
        MeldKind::Daiminkan => daiminkan,
        MeldKind::Pon | MeldKind::Kakan | MeldKind::Ankan => pon,
    };
    list.number(row, u16::from(meld.low().number()));
    let red = meld.tiles().find(|tile| tile.is_red()).filter(|_| meld.kind() != MeldKind::Kakan);
    if let Some(red) = red {
        list.number(with_red, u16::from(red.kind().number()));
    }
}

const KAN: Block<5> = Block::from(
    EVENT.end(),
    "kan",
    View::SEATS,
    [
        Row::kinds("ankan", "The seat has an ankan of the kind. Nobody sees after which discard."),
        Row::kinds("kakan", "Its pon of the kind has become a kakan."),
        Row::kinds("with_red", "The ankan or kakan before has a red five of the kind."),
        Row::flag("kita", "A North that it has set aside: a token for each."),
        Row::kinds("shown_wait", "Its open riichi waits for the kind."),
    ],
);

fn kans(facts: &Facts<'_>, list: &mut List<'_>) {
    for (at, seat) in facts.seats.present(View::SEATS) {
        let [ankan, kakan, with_red, kita, shown_wait] = KAN.of_view(at);
        let side = facts.o.side(seat);
        for meld in side.melds() {
            let row = match meld.kind() {
                MeldKind::Ankan => ankan,
                MeldKind::Kakan => kakan,
                MeldKind::Chi | MeldKind::Pon | MeldKind::Daiminkan => continue,
            };
            list.number(row, u16::from(meld.low().number()));
            if meld.reds() > 0 {
                list.number(with_red, u16::from(meld.low().number()));
            }
        }
        for _ in 0..side.norths() {
            list.number(kita, 0);
        }
        for kind in facts.o.shown_waits(seat).iter() {
            list.number(shown_wait, u16::from(kind.number()));
        }
    }
}

const DECISION: Block<3> = Block::from(
    KAN.end(),
    "decision",
    View::TABLE,
    [
        Row::numbers(
            "phase",
            5,
            "A turn, a claim of a discard, a claim of a kan's or kita's tile, an exhaustive draw, the end.",
        ),
        Row::kinds("offer", "The player may claim a tile of the kind."),
        Row::kinds("offer_red", "The same for a red five."),
    ],
);

fn decision(facts: &Facts<'_>, list: &mut List<'_>) {
    let [phase, offer, offer_red] = DECISION.of_view(0);
    list.number(phase, facts.phase() as u16);
    if let Some(offered) = facts.o.offer() {
        tile(list, [offer, offer_red], offered.tile);
    }
}
