//! What can be said of a single hand: how far it is from a win, what each discard leaves, and what it is worth.
//!
//! - [`Request`]: the question, as the command line or a line of JSON puts it
//! - [`Analysis`]: the answer of the engine
//! - [`answer`]: a line of JSON for a line of JSON

mod answer;
mod request;
mod tiles;

pub use answer::{Answer, LONGEST_LINE, answer};
use jantaku_engine::settle::{self, PricedWin};
use jantaku_engine::{
    Circumstances, Concealed, FuPart, Rules, Score, Seat, Shanten, Tile, TileKind, TileSet, Win, Yaku,
};
pub use request::{By, Request, parse_riichi, parse_wind};
use tiles::Tiles;

/// A question that has no answer: the field of [`Request`] that is to blame, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`: {what}")]
pub struct Refusal {
    /// The field.
    pub field: &'static str,
    /// What was found, and what was expected.
    pub what: String,
}

/// What there is to say of a hand.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Whether every meld is written: with fewer than 13 tiles, what is missing counts as melds for shanten alone.
    pub is_whole: bool,
    /// The shanten of all tiles, the last one included.
    pub shanten: ShantenByShape,
    /// The tiles that bring the hand nearer before the last one came; empty if 14 tiles were given without naming one.
    pub ukeire: Vec<Useful>,
    /// Whether `ukeire` are the waits of a hand in tenpai.
    pub is_tenpai: bool,
    /// What each discard leaves, the best first; empty for a hand that has none to make.
    pub discards: Vec<Discard>,
    /// What the hand is worth; none if it is not complete, nobody said with which tile, or it has no yaku.
    pub won: Option<Won>,
}

/// How far a hand is from each of the shapes that win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShantenByShape {
    /// Four sets and a pair.
    pub standard: Shanten,
    /// Seven pairs; none beside a meld.
    pub pairs: Option<Shanten>,
    /// Thirteen orphans; none beside a meld.
    pub orphans: Option<Shanten>,
    /// The least of them.
    pub best: Shanten,
}

/// A kind of tile that brings a hand nearer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Useful {
    /// The kind.
    pub kind: TileKind,
    /// How many of it are neither in the hand and its melds nor shown as indicators: 0–4.
    pub left: u32,
}

/// What remains after a discard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Discard {
    /// What is discarded: the red five only where there is no plain one.
    pub tile: Tile,
    /// The shanten afterwards.
    pub shanten: Shanten,
    /// The kinds that lower it of which there are tiles left.
    pub ukeire: Vec<Useful>,
}

impl Discard {
    /// How many tiles lower the shanten.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.ukeire.iter().map(|useful| useful.left).sum()
    }
}

/// The worth of a won hand.
#[derive(Clone, Debug)]
pub struct Won {
    /// Its best reading.
    pub score: Score,
    /// The yaku with their han; 0 for a yakuman.
    pub yaku: Vec<(Yaku, u8)>,
    /// Where the fu come from.
    pub fu_parts: Vec<FuPart>,
    /// The points that the hand wins without counters and sticks.
    pub points: i32,
    /// Who pays what with them.
    pub payments: Payments,
}

/// What is paid for a hand, counters included. Liability aside, which a hand alone does not show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Payments {
    /// What the discarder pays; none for a self-draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discarder: Option<i32>,
    /// What the dealer pays for another's self-draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dealer: Option<i32>,
    /// What each of the other players pays for a self-draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others: Option<i32>,
    /// The riichi sticks that the winner takes, in points.
    pub sticks: i32,
    /// All that the winner gets.
    pub total: i32,
}

/// Answers a question under these rules; [`Request::rules`] is for the caller to look up.
///
/// ```
/// use jantaku_engine::{Rules, Yaku};
/// use jantaku_sim::analysis::{Request, analyse};
///
/// let hand = analyse(&Request::new("34m567m345p678s55s+2m"), &Rules::default())?;
/// let won = hand.won.expect("pinfu and tanyao");
/// assert_eq!(won.yaku, [(Yaku::Pinfu, 1), (Yaku::Tanyao, 1)]);
/// assert_eq!(won.points, 2000);
/// # Ok::<(), jantaku_sim::analysis::Refusal>(())
/// ```
///
/// # Errors
///
/// If the tiles are not a hand, or what is said about the win cannot be.
pub fn analyse(request: &Request, rules: &Rules) -> Result<Analysis, Refusal> {
    request.check(rules)?;
    let tiles = Tiles::of(request, rules)?;
    let all = tiles.all();
    let sets = tiles.melds_of_all();
    let closed = sets == 0;
    let shanten = ShantenByShape {
        standard: all.tracker().standard_shanten(sets),
        pairs: closed.then(|| all.seven_pairs_shanten()),
        orphans: closed.then(|| all.thirteen_orphans_shanten()),
        best: all.shanten(sets),
    };
    let (before, ukeire) = match tiles.concealed.len() % 3 {
        1 => tiles.concealed.ukeire(sets),
        _ => (shanten.best, TileSet::EMPTY),
    };
    let is_won = shanten.best == Shanten::COMPLETE && tiles.last.is_some() && tiles.are_whole();
    let may_discard = all.len() % 3 == 2 && !(is_won && request.by == By::Ron);
    Ok(Analysis {
        is_whole: tiles.are_whole(),
        shanten,
        ukeire: tiles.useful(ukeire),
        is_tenpai: before == Shanten::TENPAI && !ukeire.is_empty(),
        discards: if may_discard { discards(&all, sets, &tiles) } else { Vec::new() },
        won: if is_won { won(request, &tiles, rules) } else { None },
    })
}

/// What each discard leaves: the least shanten first, then the most tiles, then in order of kind.
fn discards(hand: &Concealed, sets: usize, tiles: &Tiles) -> Vec<Discard> {
    let options = hand.discard_options(sets);
    let mut discards: Vec<Discard> = options
        .as_slice()
        .iter()
        .map(|option| {
            let mut ukeire = tiles.useful(option.ukeire);
            ukeire.retain(|useful| useful.left > 0);
            Discard { tile: hand.clone().remove_any(option.kind), shanten: option.shanten, ukeire }
        })
        .collect();
    discards.sort_by_key(|discard| (discard.shanten, std::cmp::Reverse(discard.count())));
    discards
}

/// The worth of a complete hand; none without enough yaku.
fn won(request: &Request, tiles: &Tiles, rules: &Rules) -> Option<Won> {
    let win = Win {
        rules,
        concealed: tiles.all(),
        melds: &tiles.melds,
        tile: tiles.last?.kind(),
        tsumo: request.by == By::Tsumo,
        seat_wind: request.seat,
        round_wind: request.round,
        riichi: request.riichi,
        ippatsu: request.ippatsu,
        moment: request.moment(),
        first_turn: request.first_turn,
        indicators: &tiles.dora,
        ura_indicators: if rules.ura { &tiles.ura } else { &[] },
        norths: request.norths,
        circumstances: Circumstances { honba: request.honba, ..Circumstances::default() },
    };
    let score = win.score()?;
    let without = pay(&win, &score, 0, 0);
    Some(Won {
        yaku: score.yaku.iter().map(|yaku| (yaku, score.han_of(yaku, rules))).collect(),
        fu_parts: score.fu_parts(&win),
        points: without.total,
        payments: pay(&win, &score, request.honba, request.sticks),
        score,
    })
}

fn pay(win: &Win<'_>, score: &Score, honba: u16, sticks: u16) -> Payments {
    let players = win.rules.players;
    let winner = Seat::new(win.seat_wind as u8).expect("a wind has a seat");
    let from = players.others(winner).next().filter(|_| !win.tsumo);
    let priced = PricedWin { winner, from, score, liable: &[], honba: i32::from(honba) };
    let paid = settle::payments(&priced, Seat::FIRST, win.rules);
    let other = players.others(winner).find(|seat| *seat != Seat::FIRST);
    let sticks = 1000 * i32::from(sticks);
    Payments {
        discarder: from.map(|seat| -paid[seat]),
        dealer: (win.tsumo && winner != Seat::FIRST).then(|| -paid[Seat::FIRST]),
        others: other.filter(|_| win.tsumo).map(|seat| -paid[seat]),
        sticks,
        total: paid[winner] + sticks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(hand: &str) -> Analysis {
        analyse(&Request::new(hand), &Rules::default()).unwrap_or_else(|e| panic!("{hand}: {e}"))
    }

    fn names(useful: &[Useful]) -> String {
        useful.iter().map(|u| format!("{}×{}", u.kind, u.left)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_hand_before_it_draws() {
        let hand = of("123m456p789s1122z");
        assert_eq!((hand.shanten.best, hand.is_tenpai), (Shanten::TENPAI, true));
        assert_eq!(names(&hand.ukeire), "1z×2 2z×2");
        assert!(hand.discards.is_empty() && hand.won.is_none());
        let far = of("147m258p369s1234z");
        assert_eq!((far.is_tenpai, far.shanten.best.number()), (false, 6), "seven pairs");
    }

    #[test]
    fn discards_come_best_first_and_count_what_is_left() {
        let hand = of("23m456m345p678s9s1z+2z");
        let counts = hand.discards.iter().map(|d| (d.shanten, std::cmp::Reverse(d.count())));
        assert!(counts.is_sorted() && hand.discards.len() == 14);
        assert_eq!(names(&hand.discards[0].ukeire), "1m×4 4m×3 7m×4 6s×3 9s×3 2z×3");
        assert!(of("23m99s678s[123p][345s]+4m").discards.is_empty(), "the tile is another's");
    }

    /// A tile of which nothing is left is a wait by shape, but nothing to hope for.
    #[test]
    fn own_tiles_and_indicators_are_not_left() {
        let request = Request { dora: "4m4m4m".to_owned(), ..Request::new("23m456m345p678s99s") };
        let hand = analyse(&request, &Rules::default()).expect("a hand");
        assert_eq!(names(&hand.ukeire), "1m×4 4m×0 7m×4");
        let hand = of("23m11p[1111m][444s][555s]+9p");
        let tsumogiri = hand.discards.iter().find(|discard| discard.tile.to_string() == "9p").expect("9p");
        assert_eq!(names(&tsumogiri.ukeire), "4m×4");
    }

    #[test]
    fn melds_that_are_not_written_count_for_shanten_alone() {
        let hand = of("2345p");
        assert_eq!(names(&hand.ukeire), "2p×3 5p×3");
        let complete = of("234p5p+5p");
        assert_eq!((complete.shanten.best, complete.won.is_none()), (Shanten::COMPLETE, true));
        assert_eq!(complete.shanten.pairs, None);
    }
}
