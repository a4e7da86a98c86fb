//! How a hand ended.

use jantaku_engine::{
    BySeat, FuPart, FuReason, HandEnd, Outcome, Rules, Seat, SeatSet, Tile, TileKind, WonHand,
};
use serde::Serialize;

use crate::text::{bonus, list};

/// The end of a hand, and its payments.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownResult {
    /// The wins, in turn order after the discarder. Empty after a draw.
    pub wins: Vec<ShownWin>,
    /// The draw. None after a win.
    pub draw: Option<ShownDraw>,
    /// The points that each seat wins or loses, including the riichi sticks of winners.
    pub deltas: BySeat<i32>,
    /// The points of each seat after the hand less those before it: `deltas` less the riichi stick that the
    /// seat paid in the hand.
    pub changes: BySeat<i32>,
    /// The seats whose hands everybody sees now: winners and tenpai players.
    pub open: SeatSet,
}

/// A winning hand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownWin {
    /// The winner.
    pub winner: Seat,
    /// Who discarded the tile, or whose kan or kita was robbed. None for tsumo.
    pub from: Option<Seat>,
    /// The winning tile.
    pub tile: Tile,
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
    pub liable: Vec<Seat>,
}

/// A yaku or a kind of dora, and its han.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownYaku {
    /// The name of the yaku, or `dora`, `ura-dora`, `red-fives` or `kita`.
    pub name: String,
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
    pub tile: Option<TileKind>,
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
    pub tenpai: SeatSet,
    /// The players with nagashi mangan.
    pub nagashi: SeatSet,
    /// The offenders, after a foul.
    pub fouls: SeatSet,
}

impl ShownResult {
    /// The end of a hand with this outcome. `paid` are the points that each seat paid for riichi in the hand.
    pub(super) fn of(outcome: &Outcome, paid: impl Fn(Seat) -> i32, rules: &Rules) -> ShownResult {
        let wins = outcome.wins().iter().map(|win| ShownWin::of(win, rules)).collect();
        let draw = match outcome.end {
            HandEnd::Win(_) => None,
            HandEnd::Draw { reason, tenpai, nagashi, fouls } => {
                let (reason, abortive) = (reason.name(), reason.is_abortive());
                Some(ShownDraw { reason, abortive, tenpai, nagashi, fouls })
            }
        };
        let changes = BySeat::from_fn(rules.players, |seat| outcome.deltas[seat] - paid(seat));
        ShownResult { wins, draw, deltas: outcome.deltas, changes, open: shown_hands(outcome) }
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
            ShownYaku { name: yaku.name().to_owned(), han, yakuman }
        });
        let bonus = bonus(score.dora);
        let bonus = bonus.map(|(name, han)| ShownYaku { name: name.replace(' ', "-"), han, yakuman: 0 });
        ShownWin {
            winner: win.winner,
            from: win.from,
            tile: win.tile,
            yaku: yaku.chain(bonus).collect(),
            han: if score.yakuman > 0 { 0 } else { score.han() },
            fu: score.fu,
            fu_parts: win.fu_parts.iter().copied().map(ShownFu::of).collect(),
            limit: score.limit.name(),
            yakuman: score.yakuman,
            ura_indicators: list(&win.ura_indicators),
            points: win.points,
            liable: win.liable.iter().map(|liable| liable.seat).collect(),
        }
    }
}

impl ShownFu {
    fn of(FuPart { reason, fu }: FuPart) -> ShownFu {
        let tile = match reason {
            FuReason::Pair(kind) | FuReason::Set { kind, .. } => Some(kind),
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
