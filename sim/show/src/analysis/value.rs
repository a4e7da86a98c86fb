//! The value of a win, as a game pays it.

use jantaku_engine::{
    BySeat, Circumstances, NoWin, Rules, Seat, Shown, Tile, TileKind, Win, WinAtTable, WonHand, Yaku,
};

use super::question::{Question, WinBy};
use super::seats::Seats;
use super::tiles::Tiles;

/// The value of a won hand.
#[derive(Clone, Debug)]
pub struct Won {
    /// The hand as a game settles it. Seats count from the dealer.
    ///
    /// The seat of the discarder is arbitrary if the question does not name it.
    pub hand: WonHand,
    /// The yaku with their han, 0 for a yakuman.
    pub yaku: Vec<(Yaku, u8)>,
    /// The payments with honba and riichi sticks.
    pub payments: Payments,
}

/// The payments for a hand in points, including honba.
///
/// The first three are None if a player is liable: then who pays depends on the seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Payments {
    /// The payment of the discarder. None for a tsumo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discarder: Option<i32>,
    /// The payment of the dealer for another player's tsumo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dealer: Option<i32>,
    /// The payment of each other player for a tsumo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others: Option<i32>,
    /// The points that each seat wins or loses, from the dealer on, without riichi sticks. None for
    /// a ron from an unknown seat.
    pub by_seat: Option<BySeat<i32>>,
    /// The riichi sticks that the winner takes, in points.
    pub riichi_sticks: i32,
    /// The sum that the winner gets.
    pub total: i32,
}

/// Why a complete hand has no score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoScore {
    /// The question leaves out melds.
    #[error("the melds are missing")]
    MeldsMissing,
    /// The question does not say which of the tiles wins.
    #[error("the winning tile is missing: write it after `+`, or in JSON as `win`")]
    LastTileMissing,
    /// The hand has fewer han from yaku than the rules require at this honba.
    #[error("{}", too_few_han(*.needed, *.honba))]
    TooFewHan {
        /// The han that the rules require.
        needed: u8,
        /// The honba, if they raise the han that the rules require.
        honba: Option<u16>,
    },
    /// The hand also waits for this kind, which gives no yaku without luck, and `atozuke` is
    /// `"Nashi"`.
    #[error("every wait needs a yaku (atozuke), and {0} gives none without luck")]
    WaitWithoutYaku(TileKind),
}

fn too_few_han(needed: u8, honba: Option<u16>) -> String {
    match (needed, honba) {
        (1, _) => "a win needs a yaku".to_owned(),
        (_, None) => format!("a win needs {needed} han of yaku"),
        (_, Some(honba)) => format!("a win at {honba} honba needs {needed} han of yaku"),
    }
}

/// The value of a hand that has all its melds, with this last tile.
pub(super) fn value(
    question: &Question,
    tiles: &Tiles,
    tile: Tile,
    seats: &Seats,
    rules: &Rules,
) -> Result<Won, NoScore> {
    let win = Win {
        rules,
        concealed: tiles.all(),
        melds: &tiles.melds,
        tile: tile.kind(),
        tsumo: question.by == WinBy::Tsumo,
        seat_wind: question.seat,
        round_wind: question.round,
        riichi: question.riichi,
        ippatsu: question.ippatsu,
        moment: question.moment(),
        first_turn: question.first_turn,
        indicators: &tiles.dora,
        ura_indicators: &tiles.ura,
        norths: question.kita,
        circumstances: circumstances(question),
    };
    let score = win.allowed(tiles.concealed.waits(tiles.melds.len())).map_err(|no_win| match no_win {
        NoWin::TooFewHan => {
            let needed = rules.han_needed(question.honba);
            let raised = needed > rules.han_needed(0);
            NoScore::TooFewHan { needed, honba: Some(question.honba).filter(|_| raised) }
        }
        NoWin::WaitWithoutYaku(kind) => NoScore::WaitWithoutYaku(kind),
    })?;
    let anyone = rules.players.others(seats.winner).next();
    let hand = WonHand::new(
        &win,
        score,
        &WinAtTable {
            dealer: Seat::FIRST,
            winner: seats.winner,
            from: if win.tsumo { None } else { seats.from.or(anyone) },
            tile,
            liable: &seats.liable,
            honba: question.honba,
            sticks: question.riichi_sticks,
        },
    );
    let yaku = score.yaku.iter().map(|yaku| (yaku, score.han_of(yaku, rules))).collect();
    Ok(Won { payments: payments(&hand, seats, rules), yaku, hand })
}

fn circumstances(question: &Question) -> Circumstances {
    let is_tsumo = question.by == WinBy::Tsumo;
    Circumstances {
        honba: question.honba,
        dealer_wins: question.dealer_wins,
        riichi_tile: question.riichi_tile,
        after_kan: question.after_kan,
        shown: match question.open_riichi {
            false => Shown::Nothing,
            true if is_tsumo || question.discarder_riichi => Shown::Waits,
            true => Shown::WaitsToFeeder,
        },
    }
}

fn payments(hand: &WonHand, seats: &Seats, rules: &Rules) -> Payments {
    let (paid, winner) = (hand.payments, hand.winner);
    let by_role = hand.liable.is_empty();
    let tsumo = by_role && hand.from.is_none();
    let other = paid.players().others(winner).find(|seat| *seat != Seat::FIRST);
    let riichi_sticks = rules.riichi_stick * i32::from(hand.sticks);
    Payments {
        discarder: hand.from.filter(|_| by_role).map(|seat| -paid[seat]),
        dealer: (tsumo && winner != Seat::FIRST).then(|| -paid[Seat::FIRST]),
        others: other.filter(|_| tsumo).map(|seat| -paid[seat]),
        by_seat: (hand.from == seats.from).then_some(paid),
        riichi_sticks,
        total: paid[winner] + riichi_sticks,
    }
}
