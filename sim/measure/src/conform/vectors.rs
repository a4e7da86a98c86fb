//! Hands to score, as questions and with the answers that the rules give.

use std::collections::BTreeSet;

use jantaku_engine::settle::{self, PricedWin};
use jantaku_engine::{
    Circumstances, Hand, Meld, Moment, Riichi, Rng, Rules, Seat, Tile, TileKind, TileSet, Wall, Win, Wind,
    Yaku,
};
use serde_json::{Value, json};

use super::peer::ToldRules;

/// The question that scores a hand.
pub(super) fn question(win: &Win<'_>, ToldRules { base, set }: ToldRules) -> Value {
    let kinds = ["chi", "pon", "daiminkan", "kakan", "ankan"];
    let meld = |meld: &Meld| json!({ "type": kinds[meld.kind() as usize], "tiles": meld.tiles().collect::<Vec<_>>() });
    let shown = ["", "waits", "waits to feeder"];
    let moments = ["", "last tile", "rinshan", "kita", "chankan"];
    json!({
        "ask": "score", "rules": base, "set": set,
        "concealed": win.concealed.tiles().collect::<Vec<Tile>>(),
        "melds": win.melds.iter().map(meld).collect::<Vec<_>>(),
        "win": Tile::plain(win.tile), "tsumo": win.tsumo,
        "seat": win.seat_wind.letter(), "round": win.round_wind.letter(),
        "riichi": win.riichi as u8, "ippatsu": win.ippatsu, "first_turn": win.first_turn,
        "moment": moments[win.moment as usize],
        "dora": win.indicators, "ura": win.ura_indicators,
        "honba": win.circumstances.honba, "dealer_wins": win.circumstances.dealer_wins,
        "riichi_tile": win.circumstances.riichi_tile, "after_kan": win.circumstances.after_kan,
        "shown": shown[win.circumstances.shown as usize],
    })
}

/// What the hand is worth: whether it wins, its yaku, what each other player pays (largest first), and,
/// without a yakuman, its han and fu.
pub(super) fn answer(win: &Win<'_>) -> Value {
    let Some(score) = win.score() else { return json!({ "win": false }) };
    // The dealer is taken to sit in seat 0, so the seat wind gives the seat.
    let winner = Seat::new(win.seat_wind as u8).expect("a seat");
    let from = win.rules.players.others(winner).next().filter(|_| !win.tsumo);
    let honba = i32::from(win.circumstances.honba);
    let priced = PricedWin { winner, from, score: &score, liable: &[], honba };
    let paid = settle::payments(&priced, Seat::FIRST, win.rules);
    let mut payments: Vec<i32> = paid.iter().map(|points| -points).filter(|points| *points > 0).collect();
    payments.sort_unstable_by_key(|points| -points);
    let yaku: BTreeSet<&str> = score.yaku.iter().map(Yaku::name).collect();
    if score.yakuman > 0 {
        return json!({ "win": true, "payments": payments, "yaku": yaku });
    }
    json!({ "win": true, "payments": payments, "yaku": yaku, "han": score.han(), "fu": score.fu })
}

/// An answer with its yaku in order.
pub(super) fn sorted(mut answer: Value) -> Value {
    if let Some(yaku) = answer.get_mut("yaku").and_then(Value::as_array_mut) {
        yaku.sort_by_key(Value::to_string);
    }
    answer
}

/// A tile at random.
pub(super) fn random_tile(rng: &mut Rng) -> Tile {
    Tile::plain(TileKind::from_index(rng.below(TileKind::COUNT)))
}

/// A complete hand at random, whose shapes make all common yaku frequent.
pub(super) fn random_hand(rng: &mut Rng, rules: &Rules) -> Hand {
    loop {
        if let Some(text) = try_hand(rng, rules) {
            return text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        }
    }
}

/// The text of a hand. None if there are not enough copies of a tile, or a pair comes twice.
fn try_hand(rng: &mut Rng, rules: &Rules) -> Option<String> {
    let suit = TileSet::from_bits(0x1FF << (9 * rng.below(3)));
    let pools = [
        TileSet::ALL,
        !TileSet::YAOCHUU,
        TileSet::YAOCHUU,
        suit,
        suit | TileSet::HONOURS,
        TileSet::HONOURS,
        TileSet::GREENS,
    ];
    // Of four sets, at least `triplets` are triplets on average, and `open` are open.
    let (pool, triplets, open) = (pools[rng.below(pools.len())], rng.below(5), rng.below(4));
    let kinds: Vec<TileKind> = TileKind::all().filter(|kind| pool.contains(*kind)).collect();
    let mut left = Wall::copies(rules);
    let mut take = |kind: TileKind, rng: &mut Rng| -> Option<String> {
        let red =
            Some(Tile::plain(kind)).filter(|_| TileSet::FIVES.contains(kind)).map(|_| Tile::red(kind.suit()));
        let red = red.filter(|red| left[red.index()] > 0 && rng.below(3) == 0);
        let tile = red.unwrap_or(Tile::plain(kind));
        left[tile.index()] = left[tile.index()].checked_sub(1)?;
        Some(tile.to_string())
    };
    let (mut concealed, mut melds) = (Vec::new(), String::new());
    let pairs = if rng.below(12) == 0 { 7 } else { 1 };
    for _ in 0..if pairs == 7 { 0 } else { 4 } {
        let low = kinds[rng.below(kinds.len())];
        let sequence = [low.offset(1), low.offset(2)].map(|kind| kind.filter(|kind| pool.contains(*kind)));
        let set = match sequence {
            [Some(second), Some(third)] if rng.below(4) >= triplets => vec![low, second, third],
            _ => vec![low; if rng.below(6) == 0 { 4 } else { 3 }],
        };
        let tiles: Vec<String> = set.iter().map(|kind| take(*kind, rng)).collect::<Option<_>>()?;
        match (rng.below(4) < open, set.len()) {
            (true, _) => melds += &format!("[{}]", tiles.concat()),
            (false, 4) => melds += &format!("<{}>", tiles.concat()),
            (false, _) => concealed.extend(tiles),
        }
    }
    let mut paired = TileSet::EMPTY;
    for _ in 0..pairs {
        let kind = kinds[rng.below(kinds.len())];
        if paired.contains(kind) {
            return None;
        }
        paired |= kind.into();
        concealed.extend([take(kind, rng)?, take(kind, rng)?]);
    }
    let last = concealed.swap_remove(rng.below(concealed.len()));
    Some(format!("{}{melds}+{last}", concealed.concat()))
}

/// A way at random in which the hand wins.
pub(super) fn random_win<'a>(
    rng: &mut Rng,
    rules: &'a Rules,
    hand: &'a Hand,
    [indicators, ura_indicators]: [&'a [Tile]; 2],
) -> Win<'a> {
    let (tsumo, closed) = (rng.below(2) == 0, !hand.melds().are_open());
    let riichi =
        [Riichi::None, Riichi::Single, Riichi::Single, Riichi::Double][rng.below(4) * usize::from(closed)];
    let has_kan = hand.melds().iter().any(|meld| meld.is_kan());
    let moment = match rng.below(8) {
        0 => Moment::LastTile,
        1 if tsumo && has_kan => Moment::Rinshan,
        2 if !tsumo => Moment::Chankan,
        _ => Moment::Ordinary,
    };
    Win {
        tsumo,
        seat_wind: Wind::ALL[rng.below(4)],
        round_wind: Wind::ALL[rng.below(2)],
        riichi,
        ippatsu: riichi != Riichi::None && moment == Moment::Ordinary && rng.below(3) == 0,
        moment,
        circumstances: Circumstances { honba: rng.below(3) as u16, ..Circumstances::default() },
        indicators,
        ura_indicators: if riichi == Riichi::None { &[] } else { ura_indicators },
        ..Win::new(rules, hand)
    }
}
