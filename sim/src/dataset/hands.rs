//! Builds the rows of the table of hands.

use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Int32Builder, ListBuilder, StringDictionaryBuilder, UInt8Builder, UInt16Builder,
    UInt64Builder,
};
use arrow_array::types::UInt32Type;
use arrow_array::{ArrayRef, RecordBatch};
use jantaku_engine::{BySeat, HandEnd, Players, SeatSet, Wind, WonHand};

use super::columns::{TableKind, schema};
use crate::play::{GameRecord, HandRecord};

type WordBuilder = StringDictionaryBuilder<UInt32Type>;

/// The rows so far.
#[derive(Default)]
pub(super) struct HandRows {
    game: UInt64Builder,
    hand: UInt16Builder,
    round: UInt16Builder,
    round_wind: WordBuilder,
    dealer: UInt8Builder,
    honba: UInt16Builder,
    riichi_sticks: UInt16Builder,
    start_points: ListBuilder<Int32Builder>,
    outcome: WordBuilder,
    winners: ListBuilder<UInt8Builder>,
    discarder: UInt8Builder,
    winning_tile: WordBuilder,
    yaku: ListBuilder<ListBuilder<WordBuilder>>,
    /// The columns `han`, `fu`, `yakuman`, `dora`, `ura_dora`, `red_fives` and `kita`.
    values: [ListBuilder<UInt8Builder>; 7],
    win_points: ListBuilder<Int32Builder>,
    deltas: ListBuilder<Int32Builder>,
    turn: UInt8Builder,
    discards: ListBuilder<UInt8Builder>,
    live: UInt8Builder,
    riichi_turn: ListBuilder<UInt8Builder>,
    calls: ListBuilder<UInt8Builder>,
    tenpai: ListBuilder<BooleanBuilder>,
    nagashi: ListBuilder<UInt8Builder>,
    rows: usize,
}

impl HandRows {
    pub(super) fn push_all(&mut self, record: &GameRecord) {
        for (number, hand) in (0..).zip(&record.hands) {
            self.push(record.game, number, hand);
        }
    }

    fn push(&mut self, game: u64, number: u16, hand: &HandRecord) {
        let players = hand.start_points.players();
        self.game.append_value(game);
        self.hand.append_value(number);
        self.round.append_value(hand.round);
        let wind = Wind::of_round(u32::from(hand.round) / u32::from(players.count()));
        self.round_wind.append_value(wind.to_string());
        self.dealer.append_value(hand.dealer.number());
        self.honba.append_value(hand.honba);
        self.riichi_sticks.append_value(hand.sticks);
        append(&mut self.start_points, &hand.start_points);
        self.push_end(&hand.outcome.end, players);
        append(&mut self.deltas, &hand.deltas);
        self.turn.append_value(hand.discards.iter().copied().max().unwrap_or(0));
        self.discards.append_value(hand.discards.iter().copied().map(Some));
        self.live.append_value(hand.live);
        self.riichi_turn.append_value(hand.riichi.iter().copied());
        self.calls.append_value(hand.calls.iter().copied().map(Some));
        self.rows += 1;
    }

    fn push_end(&mut self, end: &HandEnd, players: Players) {
        let wins: &[WonHand] = match end {
            HandEnd::Win(wins) => wins,
            HandEnd::Draw { .. } => &[],
        };
        let first = wins.first();
        self.winners.append_value(wins.iter().map(|win| Some(win.winner.number())));
        self.discarder.append_option(first.and_then(|win| win.from).map(jantaku_engine::Seat::number));
        self.winning_tile.append_option(first.map(|win| win.tile.to_string()));
        for win in wins {
            self.yaku.values().append_value(win.score.yaku.iter().map(|yaku| Some(yaku.name())));
        }
        self.yaku.append(true);
        let value = |win: &WonHand| {
            let (score, dora) = (&win.score, win.score.dora);
            let han = if score.yakuman > 0 { 0 } else { score.han() as u8 };
            [han, score.fu, score.yakuman, dora.dora, dora.ura, dora.red, dora.north]
        };
        for (index, column) in self.values.iter_mut().enumerate() {
            column.append_value(wins.iter().map(|win| Some(value(win)[index])));
        }
        self.win_points.append_value(wins.iter().map(|win| Some(win.points)));
        let none = SeatSet::EMPTY;
        let (outcome, tenpai, nagashi) = match end {
            HandEnd::Win(_) if first.is_some_and(|win| win.from.is_none()) => ("tsumo", None, &none),
            HandEnd::Win(_) => ("ron", None, &none),
            HandEnd::Draw { reason, tenpai, nagashi, .. } => {
                (reason.name(), Some(tenpai).filter(|_| !reason.is_abortive()), nagashi)
            }
        };
        self.outcome.append_value(outcome);
        self.tenpai.append_value(players.seats().map(|seat| tenpai.map(|set| set.contains(seat))));
        self.nagashi.append_value(nagashi.iter().map(|seat| Some(seat.number())));
    }

    pub(super) fn len(&self) -> usize {
        self.rows
    }

    /// Takes the rows so far.
    pub(super) fn take(&mut self) -> RecordBatch {
        self.rows = 0;
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.game.finish()),
            Arc::new(self.hand.finish()),
            Arc::new(self.round.finish()),
            Arc::new(self.round_wind.finish()),
            Arc::new(self.dealer.finish()),
            Arc::new(self.honba.finish()),
            Arc::new(self.riichi_sticks.finish()),
            Arc::new(self.start_points.finish()),
            Arc::new(self.outcome.finish()),
            Arc::new(self.winners.finish()),
            Arc::new(self.discarder.finish()),
            Arc::new(self.winning_tile.finish()),
            Arc::new(self.yaku.finish()),
        ];
        columns.extend(self.values.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        columns.extend([
            Arc::new(self.win_points.finish()) as ArrayRef,
            Arc::new(self.deltas.finish()),
            Arc::new(self.turn.finish()),
            Arc::new(self.discards.finish()),
            Arc::new(self.live.finish()),
            Arc::new(self.riichi_turn.finish()),
            Arc::new(self.calls.finish()),
            Arc::new(self.tenpai.finish()),
            Arc::new(self.nagashi.finish()),
        ]);
        RecordBatch::try_new(schema(TableKind::Hands), columns).expect("rows have the columns of their table")
    }
}

fn append(column: &mut ListBuilder<Int32Builder>, points: &BySeat<i32>) {
    column.append_value(points.iter().copied().map(Some));
}
