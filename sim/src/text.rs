//! Observations, hands and results for a person to read.

use std::fmt::Write as _;

use jantaku_engine::{
    BySeat, Concealed, HandEnd, Observation, OfferKind, Outcome, Riichi, Rules, Seat, Suit, Table, Tile,
    WonHand,
};

/// The name of a hand, such as `East 1-0`: round wind, dealer, counters.
#[must_use]
pub fn hand_name(table_round: u16, honba: u16, rules: &Rules) -> String {
    let players = u16::from(rules.players.count());
    let wind = jantaku_engine::Wind::of_round(u32::from(table_round / players));
    format!("{wind} {}-{honba}", table_round % players + 1)
}

/// Everything that a player sees, a line for each part.
#[must_use]
pub fn observation(o: &Observation<'_>) -> String {
    let mut text = String::new();
    let mut line = |what: String| writeln!(text, "{what}").expect("a String takes everything");
    line(format!(
        "{}, {} live tiles, dora indicator {}",
        hand_name(o.round(), o.honba(), o.rules()),
        o.live(),
        list(o.indicators())
    ));
    for seat in o.rules().players.seats() {
        line(seat_line(o, seat));
    }
    if let Some(offer) = o.offer() {
        let how = match offer.kind {
            OfferKind::Discard => "discarded",
            OfferKind::Kakan => "to be added to a pon",
            OfferKind::Ankan => "of a concealed quad",
            OfferKind::Kita => "to be set aside",
        };
        line(format!("{} of {:?}, {how}", offer.tile, offer.from));
    }
    let legal: Vec<String> = o.legal().iter().map(|id| o.describe(id.action())).collect();
    line(format!("{:?} may: {}", o.seat(), legal.join(", ")));
    text
}

fn seat_line(o: &Observation<'_>, seat: Seat) -> String {
    let side = o.side(seat);
    let hand = if seat == o.seat() {
        let drawn = o.drawn().map_or_else(String::new, |tile| format!("+{tile}"));
        format!("{}{drawn}", o.hand())
    } else {
        format!("{} tiles", 13 - 3 * side.melds().len())
    };
    let riichi = if side.riichi() == Riichi::None { "" } else { " riichi" };
    format!(
        "{} {:?} {:>6} points  {hand}{}  discards {}{riichi}",
        o.seat_wind(seat).letter(),
        seat,
        o.scores()[seat],
        melds(side.melds()),
        river(o, seat)
    )
}

/// Melds in hand notation.
#[must_use]
pub fn melds(melds: &jantaku_engine::Melds) -> String {
    melds.iter().map(ToString::to_string).collect()
}

/// Adds tiles in hand notation to a text, as [`notation::write_tiles`] writes them: formatting through the standard library would take
/// four times as long, and every decision has its tiles.
///
/// [`notation::write_tiles`]: jantaku_engine::notation::write_tiles
pub fn write_tiles(text: &mut String, tiles: impl Iterator<Item = Tile>) {
    let mut suit: Option<Suit> = None;
    for tile in tiles {
        let kind = tile.kind();
        if let Some(before) = suit.filter(|before| *before != kind.suit()) {
            text.push(before.letter());
        }
        text.push(char::from(b'0' + if tile.is_red() { 0 } else { kind.rank() }));
        suit = Some(kind.suit());
    }
    text.extend(suit.map(Suit::letter));
}

/// Bytes that the concealed tiles of a hand need, three more than the text of fourteen tiles of four suits.
pub const HAND: usize = 14 + 4 + 3;

/// The number with a hexadecimal digit of 1 for each rank of a set, the lowest rank last.
const HEX: [u64; 512] = {
    let mut table = [0; 512];
    let mut set = 1;
    while set < 512 {
        // The rest of the set, a place lower.
        table[set] = table[set >> 1] << 4 | (set & 1) as u64;
        set += 1;
    }
    table
};

/// Concealed tiles in hand notation, of which no hand has more than fourteen: as [`write_tiles`] writes them, but by kinds and not by tiles,
/// since every decision has them.
pub fn hand<'a>(hand: &Concealed, text: &'a mut [u8; HAND]) -> &'a str {
    let mut len = 0;
    for suit in Suit::NUMBERED.into_iter().chain([Suit::Honours]) {
        let set = |copies| hand.at_least(copies).suit_bits(suit as usize);
        let mut counts =
            HEX[set(1) as usize] + HEX[set(2) as usize] + HEX[set(3) as usize] + HEX[set(4) as usize];
        if counts == 0 {
            continue;
        }
        let start = len;
        while counts != 0 {
            let place = counts.trailing_zeros() / 4;
            // Always four, of which the next kind writes over those that there are not.
            text[len..len + 4].fill(b'1' + place as u8);
            len += (counts >> (4 * place) & 0xf) as usize;
            counts &= !(0xf << (4 * place));
        }
        if hand.reds(suit) > 0 {
            let fives = start + text[start..len].iter().position(|rank| *rank == b'5').expect("a red five");
            text[fives..fives + hand.reds(suit)].fill(b'0');
        }
        text[len] = suit.letter() as u8;
        len += 1;
    }
    str::from_utf8(&text[..len]).expect("digits and letters")
}

/// The discards of a seat: `*` drawn and discarded, `r` riichi, `'` taken by another.
#[must_use]
pub fn river(table: &Table, seat: Seat) -> String {
    let tile = |d: jantaku_engine::Discard| {
        let mark = |is: bool, mark: &'static str| if is { mark } else { "" };
        let (drawn, taken) = (mark(d.tsumogiri, "*"), mark(d.claimed_by.is_some(), "'"));
        format!("{}{}{drawn}{taken}", mark(d.riichi, "r"), d.tile)
    };
    table.discards().of(seat).map(tile).collect::<Vec<_>>().join(" ")
}

fn list<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// How a hand ended, a line for each winner or one for the draw, then what each seat won or lost.
#[must_use]
pub fn outcome(outcome: &Outcome, rules: &Rules) -> String {
    let mut text = String::new();
    match &outcome.end {
        HandEnd::Win(wins) => wins.iter().for_each(|win| text += &won_hand(win, rules)),
        HandEnd::Draw { reason, tenpai, nagashi, fouls } => {
            let seats = |set: &jantaku_engine::SeatSet| {
                set.iter().map(|seat| seat.to_string()).collect::<Vec<_>>().join(" ")
            };
            text += &format!("  draw: {reason}");
            if !reason.is_abortive() {
                text +=
                    &format!(", tenpai: {}", if tenpai.is_empty() { "nobody".into() } else { seats(tenpai) });
            }
            if !fouls.is_empty() {
                text += &format!(" of {}", seats(fouls));
            }
            if !nagashi.is_empty() {
                text += &format!(", nagashi: {}", seats(nagashi));
            }
            text.push('\n');
        }
    }
    text + &format!("  points {}\n", signed(&outcome.deltas))
}

fn won_hand(win: &WonHand, rules: &Rules) -> String {
    let score = &win.score;
    let yaku: Vec<String> = score
        .yaku
        .iter()
        .map(|yaku| match score.han_of(yaku, rules) {
            0 => yaku.to_string(),
            han => format!("{yaku} {han}"),
        })
        .collect();
    let bonus = [
        ("dora", score.dora.dora),
        ("ura dora", score.dora.ura),
        ("red fives", score.dora.red),
        ("norths", score.dora.north),
    ];
    let bonus = bonus.iter().filter(|(_, han)| *han > 0).map(|(name, han)| format!("{name} {han}"));
    let yaku: Vec<String> = yaku.into_iter().chain(bonus).collect();
    let how = win.from.map_or_else(|| "tsumo".to_owned(), |from| format!("ron from {from:?}"));
    let value = match score.yakuman {
        0 => format!("{} han {} fu {}", score.han(), score.fu, score.limit),
        1 => "yakuman".to_owned(),
        n => format!("{n} yakuman"),
    };
    let fu: Vec<String> = win.fu_parts.iter().map(|part| format!("{} {}", part.reason, part.fu)).collect();
    let fu = if fu.is_empty() { String::new() } else { format!("    fu: {}\n", fu.join(", ")) };
    format!(
        "  {:?} wins with {} by {how}: {}; {}, {} points\n{fu}",
        win.winner,
        win.tile,
        yaku.join(", "),
        value.trim_end(),
        win.points
    )
}

/// Points of each seat with signs.
#[must_use]
pub fn signed(points: &BySeat<i32>) -> String {
    points.iter().map(|p| format!("{p:+}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use jantaku_engine::{Rng, TileKind, TileSet, notation};

    use super::*;

    #[test]
    fn hands_are_written_by_kinds_as_by_tiles() {
        let mut rng = Rng::new(1);
        // Of each numbered suit one five is red.
        let tile = |n: usize| match (n % 4, TileKind::from_index(n / 4)) {
            (0, kind) if TileSet::FIVES.contains(kind) => Tile::red(kind.suit()),
            (_, kind) => Tile::plain(kind),
        };
        let mut tiles: Vec<Tile> = (0..136).map(tile).collect();
        for count in (0..15).cycle().take(3000) {
            // Few kinds make hands of pairs, triplets and quads.
            rng.shuffle(&mut tiles[..]);
            let few = tiles.iter().filter(|tile| tile.kind().index() % 7 < 3);
            for hand in [tiles.iter().take(count).copied().collect(), few.take(count).copied().collect()] {
                assert_eq!(super::hand(&hand, &mut [0; HAND]), hand.to_string());
            }
        }
    }

    #[test]
    fn tiles_are_written_in_hand_notation() {
        let mut rng = Rng::new(1);
        for count in (0..14).cycle().take(1000) {
            let any = |_| Tile::new(rng.below(Tile::COUNT) as u8).expect("a tile");
            let tiles: Vec<Tile> = (0..count).map(any).collect();
            let (mut found, mut expected) = (String::new(), String::new());
            write_tiles(&mut found, tiles.iter().copied());
            notation::write_tiles(&mut expected, tiles.iter().copied()).expect("a String takes everything");
            assert_eq!(found, expected);
        }
    }
}
