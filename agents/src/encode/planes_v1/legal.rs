//! The legal actions, each at the kind of its tile.

use jantaku_engine::{Action, ChiPosition, Declare, Suit, Tile, TileKind, TileSet};

use super::PlanesV1;
use crate::encode::channel::{Row, View};
use crate::encode::facts::Facts;
use crate::encode::plane::{Group, Plane, constant_flag, flags, put, single_view};

pub(super) const DISCARDS: Group<PlanesV1, 9> = Group {
    name: "legal_discard",
    views: View::OWN,
    rows: [
        Row::flag("plain", "Discard of a plain tile of this kind from the hand."),
        Row::flag("red", "Discard of a red five from the hand."),
        Row::flag("tsumogiri", "Tsumogiri, at the kind of the drawn tile."),
        Row::flag("riichi_plain", "Discard of a plain tile from the hand with riichi."),
        Row::flag("riichi_red", "Discard of a red five from the hand with riichi."),
        Row::flag("riichi_tsumogiri", "Tsumogiri with riichi."),
        Row::flag("open_riichi_plain", "Discard of a plain tile from the hand with open riichi."),
        Row::flag("open_riichi_red", "Discard of a red five from the hand with open riichi."),
        Row::flag("open_riichi_tsumogiri", "Tsumogiri with open riichi."),
    ],
    write: discards,
};

fn discards(facts: &Facts<'_>, planes: &mut [[Plane; 9]]) {
    let legal = facts.o.legal();
    let declarations = [Declare::Nothing, Declare::Riichi, Declare::OpenRiichi];
    for (declare, planes) in declarations.into_iter().zip(single_view(planes).as_chunks_mut::<3>().0) {
        let [plain, red, tsumogiri] = planes;
        let tiles = legal.discard_tiles(declare);
        flags(plain, TileSet::from_bits(tiles.bits()));
        for five in Suit::NUMBERED.map(Tile::red).into_iter().filter(|five| tiles.contains(*five)) {
            put(red, five.kind(), 1);
        }
        if let Some(drawn) = facts.o.drawn() {
            put(tsumogiri, drawn.kind(), u8::from(legal.contains(Action::Tsumogiri { declare }.id())));
        }
    }
}

pub(super) const OTHERS: Group<PlanesV1, 18> = Group {
    name: "legal",
    views: View::OWN,
    rows: [
        Row::flag(
            "chi_low",
            "Chi with the claimed tile lowest and no red five from the hand, at the claimed tile.",
        ),
        Row::flag("chi_low_red", "The same with a red five from the hand."),
        Row::flag("chi_middle", "Chi with the claimed tile in the middle and no red five from the hand."),
        Row::flag("chi_middle_red", "The same with a red five from the hand."),
        Row::flag("chi_high", "Chi with the claimed tile highest and no red five from the hand."),
        Row::flag("chi_high_red", "The same with a red five from the hand."),
        Row::flag("pon", "Pon without red fives from the hand, at the claimed tile."),
        Row::flag("pon_1_red", "Pon with one red five from the hand."),
        Row::flag("pon_2_reds", "Pon with two red fives from the hand."),
        Row::flag("daiminkan", "Daiminkan, at the claimed tile."),
        Row::flag("kan", "Ankan or kakan of this kind."),
        Row::flag("kita", "Kita, at 4z."),
        Row::flag("ron", "Ron, at the winning tile."),
        Row::flag("tsumo", "Tsumo, at the winning tile."),
        Row::flag("kyuushu_kyuuhai", "Kyuushu kyuuhai."),
        Row::flag("pass", "Pass."),
        Row::flag("keep_closed", "Keep a tenpai hand closed at an exhaustive draw."),
        Row::flag("end_game", "End the game."),
    ],
    write: others,
};

/// Writes the actions other than discards.
fn others(facts: &Facts<'_>, planes: &mut [[Plane; 18]]) {
    let [claims @ .., kan, kita, ron, tsumo, kyuushu, pass, keep_closed, end_game] = single_view(planes);
    let claims: &mut [Plane; 10] = claims;
    let legal = facts.o.legal();
    let allows = |action: Action| legal.contains(action.id());
    if let Some(offer) = facts.o.offer() {
        let kind = offer.tile.kind();
        for (plane, action) in claims.iter_mut().zip(CLAIMS) {
            put(plane, kind, u8::from(allows(action)));
        }
        put(ron, kind, u8::from(allows(Action::Ron)));
    }
    flags(kan, legal.kan_kinds());
    put(kita, TileKind::NORTH, u8::from(allows(Action::Kita)));
    if let Some(drawn) = facts.o.drawn() {
        put(tsumo, drawn.kind(), u8::from(allows(Action::Tsumo)));
    }
    constant_flag(kyuushu, allows(Action::KyuushuKyuuhai));
    constant_flag(pass, allows(Action::Pass));
    constant_flag(keep_closed, allows(Action::KeepClosed));
    constant_flag(end_game, allows(Action::EndGame));
}

/// The calls of a discard, in the order of their channels.
const CLAIMS: [Action; 10] = [
    Action::Chi { position: ChiPosition::Low, red: false },
    Action::Chi { position: ChiPosition::Low, red: true },
    Action::Chi { position: ChiPosition::Middle, red: false },
    Action::Chi { position: ChiPosition::Middle, red: true },
    Action::Chi { position: ChiPosition::High, red: false },
    Action::Chi { position: ChiPosition::High, red: true },
    Action::Pon { reds: 0 },
    Action::Pon { reds: 1 },
    Action::Pon { reds: 2 },
    Action::Daiminkan,
];
