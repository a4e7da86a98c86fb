//! The table of hands.

use jantaku_engine::{HandEnd, Score, Seat, SeatSet, Wind, WonHand, Yaku};

use super::statement::{PlayedGame, table};
use crate::dataset::column::Storage;
use crate::dataset::types::{Bool, I32, List, Nullable, U8, U16, U64, Word};
use crate::play::HandRecord;

table! {
    /// One row per hand, sorted by `game` and `hand`.
    Hands, from Row { game, number, hand, wins },

    game: U64 [storage: Storage::Delta] = *game
        => "Number of the game in its run.";
    hand: U16 [storage: Storage::Delta] = *number
        => "Number of the hand in its game, from 0.";
    round: U16 = hand.course.round
        => "Number of dealer changes before the hand: 0 is East 1; with four players 4 is South 1. It does not wrap around.";
    round_wind: Word = round_wind(hand).to_string()
        => "Round wind: East, South, West, North.";
    dealer: U8 = hand.course.dealer.number()
        => "Seat of the dealer.";
    honba: U16 = hand.course.honba
        => "Honba of the hand.";
    riichi_sticks: U16 = hand.course.sticks
        => "Riichi sticks on the table at the deal. The rules set the points of a stick (`riichi_stick`).";
    start_points: List<I32> = hand.course.start_points.iter().copied()
        => "Points of each seat at the deal. Lists of seats have an entry for each playing seat; seat 0 is the first dealer of the game.";
    outcome: Word = outcome(hand)
        => "How the hand ended: tsumo, ron, or the reason of the draw (exhaustive, nagashi, kyuushu-kyuuhai, four-winds, four-riichi, four-kans, triple-ron, chombo).";
    winners: List<U8> = wins.iter().map(|win| win.winner.number())
        => "Seats that won, in turn order after the discarder; empty for a draw. The next lists up to win_points have an entry for each winner.";
    discarder: Nullable<U8> = wins.first().and_then(|win| win.from).map(Seat::number)
        => "Seat whose tile was won on; null for a tsumo and for a draw.";
    winning_tile: Nullable<Word> = wins.first().map(|win| win.tile.to_string())
        => "Winning tile, 0 for a red five; null for a draw.";
    yaku: List<List<Word>> = wins.iter().map(|win| win.score.yaku.iter().map(Yaku::name))
        => "Yaku of each winner. A yakuman hand lists only its yakuman.";
    han: List<U8> = wins.iter().map(|win| han(&win.score))
        => "Han of each winner with dora; 0 for a yakuman.";
    fu: List<U8> = wins.iter().map(|win| win.score.fu)
        => "Fu of each winner, rounded up; 25 for seven pairs. A yakuman also has the fu of its hand. 0 for renhou as a limit and, if the rules have limits, for thirteen orphans.";
    yakuman: List<U8> = wins.iter().map(|win| win.score.yakuman)
        => "Number of yakuman that each winner is paid; 0 for other hands, including counted yakuman.";
    dora: List<U8> = wins.iter().map(|win| win.score.dora.dora)
        => "Han of each winner from dora named by indicators.";
    ura_dora: List<U8> = wins.iter().map(|win| win.score.dora.ura)
        => "Han of each winner from ura dora.";
    red_fives: List<U8> = wins.iter().map(|win| win.score.dora.red)
        => "Han of each winner from red fives.";
    kita: List<U8> = wins.iter().map(|win| win.score.dora.north)
        => "Han of each winner from kita, Norths set aside.";
    win_points: List<I32> = wins.iter().map(|win| win.points)
        => "Points of each winner's hand, without honba and riichi sticks.";
    deltas: List<I32> = hand.deltas.iter().copied()
        => "Points that each seat won or lost in the hand. They include its own riichi stick and the riichi sticks it took.";
    turn: U8 = hand.course.turn()
        => "Number of discards of the seat with the most discards at the end of the hand.";
    discards: List<U8> [since: 2] = hand.course.discards.iter().copied()
        => "Number of tiles that each seat discarded.";
    live: U8 = hand.live
        => "Live tiles left in the wall.";
    riichi_turn: List<Nullable<U8>> = hand.course.riichi.iter().copied()
        => "Number of the discard, from 1, with which each seat declared an accepted riichi; null without riichi.";
    calls: List<U8> = hand.course.calls.iter().copied()
        => "Number of discards that each seat claimed for chi, pon or daiminkan.";
    tenpai: List<Nullable<Bool>> = tenpai(hand)
        => "Whether each seat was tenpai and showed its hand; null unless the hand ended in an exhaustive draw, nagashi included.";
    nagashi: List<U8> = nagashi(hand).iter().map(Seat::number)
        => "Seats that were paid for nagashi mangan: all their discards were yaochuu, and none of them was claimed.";
}

/// A hand with its number, the number of its game, and its wins.
struct Row<'a> {
    game: u64,
    number: u16,
    hand: &'a HandRecord,
    wins: &'a [WonHand],
}

fn rows_of<'a>(game: &PlayedGame<'a>) -> impl Iterator<Item = Row<'a>> {
    let record = game.record;
    (0..).zip(&record.hands).map(|(number, hand)| {
        let wins: &[WonHand] = match &hand.outcome.end {
            HandEnd::Win(wins) => wins,
            HandEnd::Draw { .. } => &[],
        };
        Row { game: record.game, number, hand, wins }
    })
}

fn round_wind(hand: &HandRecord) -> Wind {
    let players = hand.course.start_points.players().count();
    Wind::of_round(u32::from(hand.course.round) / u32::from(players))
}

fn outcome(hand: &HandRecord) -> &'static str {
    match &hand.outcome.end {
        HandEnd::Win(wins) if wins.first().is_some_and(|win| win.from.is_none()) => "tsumo",
        HandEnd::Win(_) => "ron",
        HandEnd::Draw { reason, .. } => reason.name(),
    }
}

fn han(score: &Score) -> u8 {
    if score.yakuman > 0 { 0 } else { score.han() as u8 }
}

/// Whether each seat showed a tenpai hand; None unless the hand ended in an exhaustive draw.
fn tenpai(hand: &HandRecord) -> impl Iterator<Item = Option<bool>> {
    let tenpai = match &hand.outcome.end {
        HandEnd::Draw { reason, tenpai, .. } if !reason.is_abortive() => Some(*tenpai),
        HandEnd::Draw { .. } | HandEnd::Win(_) => None,
    };
    let seats = hand.course.start_points.players().seats();
    seats.map(move |seat| tenpai.map(|tenpai| tenpai.contains(seat)))
}

fn nagashi(hand: &HandRecord) -> SeatSet {
    match &hand.outcome.end {
        HandEnd::Draw { nagashi, .. } => *nagashi,
        HandEnd::Win(_) => SeatSet::EMPTY,
    }
}
