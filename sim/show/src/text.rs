//! Observations, hands and results as text for people.
//!
//! Tables have their own compact texts, in hand notation ([`jantaku_engine::notation`]).

use std::fmt::Write as _;

use jantaku_engine::{
    Discard, DoraHan, DrawReason, FuReason, HandEnd, Observation, OfferKind, Outcome, Reading, Riichi, Rules,
    Seat, SeatSet, Table, Tile, TileSet, Wait, Wind, WonHand,
};

use crate::numbers::{decimal, many, signed};

/// The name of a hand: round wind, dealer and honba, such as `East 1-0`.
pub fn hand_name(round: u16, honba: u16, rules: &Rules) -> String {
    let (wind, number) = hand_number(round, rules.players.count());
    format!("{wind} {number}-{honba}")
}

/// The round wind and the number of a hand in its round, from 1.
pub fn hand_number(round: u16, players: u8) -> (Wind, u16) {
    let players = u16::from(players);
    (Wind::of_round(u32::from(round / players)), round % players + 1)
}

/// Everything that a player sees and may do, one line per part.
pub fn observation(o: &Observation<'_>) -> String {
    let legal: Vec<String> = o.legal().iter().map(|id| o.describe(id.action())).collect();
    format!("{}{:?} may: {}\n", table_seen(o), o.seat(), legal.join(", "))
}

/// Everything that a player sees, one line per part.
pub fn table_seen(o: &Observation<'_>) -> String {
    let mut text = String::new();
    let mut line = |what: String| writeln!(text, "{what}").expect("a String takes everything");
    line(format!(
        "{}, {}, dora indicator {}{}",
        hand_name(o.round(), o.honba(), o.rules()),
        many(o.live().into(), "live tile"),
        list(o.indicators()),
        dora(o.indicators(), o.rules()).map_or_else(String::new, |dora| format!(", dora {dora}"))
    ));
    for seat in o.rules().players.seats() {
        line(seat_line(o, seat));
    }
    if let Some(offer) = o.offer() {
        let how = match offer.kind {
            OfferKind::Discard => "discarded",
            OfferKind::Kakan => "added to a pon",
            OfferKind::Ankan => "for an ankan",
            OfferKind::Kita => "set aside",
        };
        line(format!("{} of {:?}, {how}", offer.tile, offer.from));
    }
    text
}

fn seat_line(o: &Observation<'_>, seat: Seat) -> String {
    let side = o.side(seat);
    let hand = if seat == o.seat() {
        let drawn = o.drawn().map_or_else(String::new, |tile| format!("+{tile}"));
        format!("{}{drawn}", o.hand())
    } else {
        many(13 - 3 * side.melds().len() as u64, "tile")
    };
    let riichi = if side.riichi() == Riichi::None { "" } else { " riichi" };
    let dead = if side.is_dead() { " dead hand" } else { "" };
    let norths = match side.norths() {
        0 => String::new(),
        norths => format!("  kita {norths}"),
    };
    format!(
        "{} {:?} {:>7} points  {hand}{}{norths}  discards {}{riichi}{dead}",
        o.seat_wind(seat).letter(),
        seat,
        points(o.scores()[seat]),
        side.melds(),
        river(o, seat)
    )
}

/// The discards of a seat as positions write them. `r` marks riichi, `*` tsumogiri, `'` a tile that
/// another player claimed: `9m 1z* 2mr 3s*'`.
pub fn river(table: &Table, seat: Seat) -> String {
    list(table.discards().of(seat).map(discard))
}

/// A tile of a river with its marks.
pub(crate) fn discard(d: Discard) -> String {
    let mark = |is: bool, mark: &'static str| if is { mark } else { "" };
    let (drawn, claimed) = (mark(d.tsumogiri, "*"), mark(d.claimed_by.is_some(), "'"));
    format!("{}{}{drawn}{claimed}", d.tile, mark(d.riichi, "r"))
}

/// What the marks of rivers mean. None for a text without marked discards.
///
/// ```
/// use jantaku_show::text::legend;
///
/// assert_eq!(legend("discards 9m 1z"), None);
/// assert!(legend("discards 9m 1z*'").is_some());
/// ```
pub fn legend(text: &str) -> Option<&'static str> {
    let is_marked = |word: &str| {
        let mut letters = word.chars();
        let is_tile = letters.next().is_some_and(|rank| rank.is_ascii_digit())
            && letters.next().is_some_and(|suit| "mpsz".contains(suit));
        let marks = letters.as_str();
        is_tile && !marks.is_empty() && marks.chars().all(|mark| "r*'".contains(mark))
    };
    let meaning = "Discards: * tsumogiri, r riichi, ' called by another player";
    text.split_whitespace().any(is_marked).then_some(meaning)
}

/// The dora that these indicators show. None without indicators.
pub fn dora(indicators: &[Tile], rules: &Rules) -> Option<String> {
    let three = rules.kinds() == TileSet::THREE_PLAYER;
    (!indicators.is_empty()).then(|| list(indicators.iter().map(|tile| tile.kind().dora(three))))
}

/// Items with spaces between them.
pub(crate) fn list(items: impl IntoIterator<Item: ToString>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(" ")
}

/// The end of a hand: a line for each winner with the parts of the fu below it, or a line for the draw. Then
/// the change of each seat's points.
pub fn outcome(outcome: &Outcome, rules: &Rules) -> String {
    let mut text = String::new();
    match &outcome.end {
        HandEnd::Win(wins) => wins.iter().for_each(|win| text += &won_hand(win, rules)),
        HandEnd::Draw { reason, tenpai, nagashi, fouls } => {
            text += &format!("{}\n", draw(*reason, *tenpai, *nagashi, *fouls));
        }
    }
    text + &format!("  points {}\n", list(outcome.deltas.iter().map(|points| signed((*points).into(), 0))))
}

fn draw(reason: DrawReason, tenpai: SeatSet, nagashi: SeatSet, fouls: SeatSet) -> String {
    let seats = |set: SeatSet| if set.is_empty() { "none".to_owned() } else { list(set.iter()) };
    let mut text = format!("  draw: {reason}");
    if !reason.is_abortive() {
        text += &format!(", tenpai: {}", seats(tenpai));
    }
    if !fouls.is_empty() {
        text += &format!(" of {}", seats(fouls));
    }
    if !nagashi.is_empty() {
        text += &format!(", nagashi: {}", seats(nagashi));
    }
    text
}

fn won_hand(win: &WonHand, rules: &Rules) -> String {
    let score = &win.score;
    let yaku = score.yaku.iter().map(|yaku| match score.han_of(yaku, rules) {
        0 if rules.yakuman_multiple(yaku) == 2 => format!("{yaku} (double)"),
        0 => yaku.to_string(),
        han => format!("{yaku} {han}"),
    });
    let bonus = bonus(score.dora).map(|(name, han)| format!("{name} {han}"));
    let yaku: Vec<String> = yaku.chain(bonus).collect();
    let how = win.from.map_or_else(|| "tsumo".to_owned(), |from| format!("ron from {from:?}"));
    let value = match score.yakuman {
        0 => format!("{} han {} fu {}", score.han(), score.fu, score.limit),
        1 => "yakuman".to_owned(),
        n => format!("{n} yakuman"),
    };
    let fu: Vec<String> =
        win.fu_parts.iter().map(|part| format!("{} {}", fu_reason(part.reason, win), part.fu)).collect();
    let fu = if fu.is_empty() { String::new() } else { format!("    fu: {}\n", fu.join(", ")) };
    format!(
        "  {:?} wins with {} by {how}: {}; {}, {} points\n{fu}",
        win.winner,
        win.tile,
        yaku.join(", "),
        value.trim_end(),
        points(win.points)
    )
}

/// The bonus han of a hand that are not 0, by name.
pub fn bonus(dora: DoraHan) -> impl Iterator<Item = (&'static str, u8)> {
    let all = [("dora", dora.dora), ("ura dora", dora.ura), ("red fives", dora.red), ("kita", dora.north)];
    all.into_iter().filter(|(_, han)| *han > 0)
}

/// The reason of a part of the fu of this hand, as text. Says why a triplet of concealed tiles counts
/// as open.
pub fn fu_reason(reason: FuReason, win: &WonHand) -> String {
    let wait = match win.score.reading {
        Reading::Standard(sets) => Some(sets.wait),
        _ => None,
    };
    let is_completed = win.from.is_some()
        && wait == Some(Wait::Shanpon)
        && matches!(reason, FuReason::Set { kind, concealed: false, kan: false } if kind == win.tile.kind());
    if is_completed { format!("{reason} (completed by ron)") } else { reason.to_string() }
}

/// Points with a comma every three digits.
///
/// ```
/// use jantaku_show::text::points;
///
/// assert_eq!([points(25_000), points(-900), points(1_250_000)], ["25,000", "-900", "1,250,000"]);
/// ```
pub fn points(number: i32) -> String {
    decimal(number.into(), 0)
}

#[cfg(test)]
mod tests {
    use jantaku_engine::Position;

    use super::{observation, river};

    /// Those of every player, not only of the observer.
    #[test]
    fn norths_set_aside_are_counted() {
        let text = "rules = \"tenhou-sanma\"\nindicators = \"3p\"\nseat = \"south\"\n[east]\nkita = 2\n\
            river = \"1m 9m\"\n[south]\nkita = 1\nriver = \"2z\"\nhand = \"11123456789p11s+3z\"\n[west]\n\
            river = \"5z\"\n";
        let position = Position::from_toml(text, "example").expect("a position");
        let game = position.game(1).expect("a game");
        let shown = observation(&game.observe(position.seat()));
        for line in
            ["  13 tiles  kita 2  discards 1m 9m\n", "9p11s+3z  kita 1  discards 2z\n", "  discards 5z\n"]
        {
            assert!(shown.contains(line), "{shown}");
        }
    }

    /// The position of `docs/positions.md` has all marks of a river.
    #[test]
    fn rivers_are_printed_as_positions_write_them() {
        let page = include_str!("../../docs/positions.md");
        let text =
            page.split("```toml\n").nth(1).and_then(|text| text.split("```").next()).expect("an example");
        let position = Position::from_toml(text, "example").expect("a position");
        let game = position.game(1).expect("a game");
        for seat in game.rules().players.seats() {
            let line = format!("river = \"{}\"\n", river(game.table(), seat));
            assert!(text.contains(&line), "{line}");
        }
    }
}
