//! How a hand ended.

use jantaku_engine::{FuReason, HandEnd, Outcome, Rules, Seat, SeatSet, Tile, WonHand};
use serde::Serialize;

/// The end of a hand, and its payments.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownResult {
    /// The wins, in turn order after the discarder. Empty after a draw.
    pub wins: Vec<ShownWin>,
    /// The draw. None after a win.
    pub draw: Option<ShownDraw>,
    /// The points that each seat wins or loses, including the riichi sticks of winners.
    pub deltas: Vec<i32>,
    /// The seats whose hands everybody sees now: winners and tenpai players.
    pub open: Vec<u8>,
}

/// A winning hand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownWin {
    /// The winner.
    pub winner: u8,
    /// Who discarded the tile, or whose kan or kita was robbed. None for tsumo.
    pub from: Option<u8>,
    /// The winning tile.
    pub tile: String,
    /// The yaku, and the dora that count.
    pub yaku: Vec<ShownYaku>,
    /// Han with dora. 0 for a yakuman.
    pub han: u32,
    /// Fu. 0 if they do not count.
    pub fu: u8,
    /// The parts of the fu.
    pub fu_parts: Vec<ShownFu>,
    /// The limit, such as `mangan`. Empty below mangan.
    pub limit: &'static str,
    /// The number of yakuman.
    pub yakuman: u8,
    /// The ura indicators that counted, with spaces between them.
    pub ura_indicators: String,
    /// The points that the hand wins, without honba and riichi sticks.
    pub points: i32,
    /// The players who were liable for a yakuman or for the replacement tile.
    pub liable: Vec<u8>,
}

/// A yaku or a kind of dora, and its han.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownYaku {
    /// The name of the yaku, or `dora`, `ura-dora`, `red-fives` or `kita`.
    pub name: &'static str,
    /// Its han. 0 for a yakuman.
    pub han: u8,
    /// How many yakuman it counts as.
    pub yakuman: u8,
}

/// A part of the fu.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownFu {
    /// The reason without its tile, such as `concealed-triplet`.
    pub reason: String,
    /// The kind of the pair, triplet or kan. None if the reason has none.
    pub tile: Option<String>,
    /// The fu.
    pub fu: u8,
}

/// A draw.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownDraw {
    /// The reason, such as `exhaustive`.
    pub reason: &'static str,
    /// Whether the hand ended early.
    pub abortive: bool,
    /// The players who showed that they were tenpai.
    pub tenpai: Vec<u8>,
    /// The players with nagashi mangan.
    pub nagashi: Vec<u8>,
    /// The offenders, after a foul.
    pub fouls: Vec<u8>,
}

impl ShownResult {
    pub(super) fn of(outcome: &Outcome, rules: &Rules) -> ShownResult {
        let deltas = outcome.deltas.iter().copied().collect();
        let wins: Vec<ShownWin> = outcome.wins().iter().map(|win| ShownWin::of(win, rules)).collect();
        let draw = match &outcome.end {
            HandEnd::Win(_) => None,
            HandEnd::Draw { reason, tenpai, nagashi, fouls } => Some(ShownDraw {
                reason: reason.name(),
                abortive: reason.is_abortive(),
                tenpai: seats(*tenpai),
                nagashi: seats(*nagashi),
                fouls: seats(*fouls),
            }),
        };
        ShownResult { wins, draw, deltas, open: seats(shown_hands(outcome)) }
    }
}

/// The seats whose hands everybody sees at the end of a hand: winners and tenpai players.
pub(super) fn shown_hands(outcome: &Outcome) -> SeatSet {
    match &outcome.end {
        HandEnd::Win(wins) => wins.iter().map(|win| win.winner).collect(),
        HandEnd::Draw { tenpai, .. } => *tenpai,
    }
}

impl ShownWin {
    fn of(win: &WonHand, rules: &Rules) -> ShownWin {
        let score = &win.score;
        let yaku = score.yaku.iter().map(|yaku| {
            let han = score.han_of(yaku, rules);
            let yakuman = if yaku.is_yakuman() { rules.yakuman_multiple(yaku) } else { 0 };
            ShownYaku { name: yaku.name(), han, yakuman }
        });
        let dora = [
            ("dora", score.dora.dora),
            ("ura-dora", score.dora.ura),
            ("red-fives", score.dora.red),
            ("kita", score.dora.north),
        ];
        let dora = dora.into_iter().filter(|(_, han)| *han > 0);
        let dora = dora.map(|(name, han)| ShownYaku { name, han, yakuman: 0 });
        let ura: Vec<String> = win.ura_indicators.iter().map(Tile::to_string).collect();
        ShownWin {
            winner: win.winner.number(),
            from: win.from.map(Seat::number),
            tile: win.tile.to_string(),
            yaku: yaku.chain(dora).collect(),
            han: if score.yakuman > 0 { 0 } else { score.han() },
            fu: score.fu,
            fu_parts: win.fu_parts.iter().map(|part| ShownFu::of(part.reason, part.fu)).collect(),
            limit: score.limit.name(),
            yakuman: score.yakuman,
            ura_indicators: ura.join(" "),
            points: win.points,
            liable: win.liable.iter().map(|liable| liable.seat.number()).collect(),
        }
    }
}

impl ShownFu {
    fn of(reason: FuReason, fu: u8) -> ShownFu {
        let tile = match reason {
            FuReason::Pair(kind) | FuReason::Set { kind, .. } => Some(kind.to_string()),
            _ => None,
        };
        ShownFu { reason: reason_name(reason), tile, fu }
    }
}

fn reason_name(reason: FuReason) -> String {
    let name = match reason {
        FuReason::Base => "base",
        FuReason::ClosedRon => "closed-ron",
        FuReason::Tsumo => "tsumo",
        FuReason::Wait(wait) => return format!("{wait}-wait"),
        FuReason::Pair(_) => "pair",
        FuReason::Set { concealed: true, kan: true, .. } => "ankan",
        FuReason::Set { concealed: false, kan: true, .. } => "open-kan",
        FuReason::Set { concealed: true, kan: false, .. } => "concealed-triplet",
        FuReason::Set { concealed: false, kan: false, .. } => "open-triplet",
        FuReason::OpenPinfu => "open-pinfu",
        FuReason::SevenPairs => "seven-pairs",
        FuReason::Rounding => "rounding",
    };
    name.to_owned()
}

fn seats(set: SeatSet) -> Vec<u8> {
    set.iter().map(Seat::number).collect()
}
