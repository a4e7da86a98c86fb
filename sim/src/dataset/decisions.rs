//! Rows of the table of decisions.

use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Float32Builder, Int8Builder, Int32Builder, ListBuilder, StringBuilder,
    StringDictionaryBuilder, UInt8Builder, UInt16Builder, UInt64Builder,
};
use arrow_array::types::UInt32Type;
use arrow_array::{ArrayRef, RecordBatch};
use jantaku_engine::{Phase, Rules, Tile, TileSet};

use super::columns::{Table, schema};
use super::words::Words;
use crate::record::{Decision, GameRecord};
use crate::text;

type Texts = StringDictionaryBuilder<UInt32Type>;

/// Decisions that are being gathered.
#[derive(Default)]
pub(super) struct DecisionRows {
    /// The kinds that the game is played with.
    in_play: TileSet,
    game: UInt64Builder,
    hand: UInt16Builder,
    step: UInt16Builder,
    seat: UInt8Builder,
    turn: UInt8Builder,
    phase: Words,
    tiles: StringBuilder,
    drawn: Words,
    melds: Texts,
    offer: Words,
    offer_from: UInt8Builder,
    seen: [Int32Builder; 4],
    indicators: Texts,
    live: UInt8Builder,
    riichi: UInt8Builder,
    history: StringBuilder,
    shanten: Int8Builder,
    legal: [UInt64Builder; 3],
    action: UInt8Builder,
    action_text: Words,
    outranked: BooleanBuilder,
    agent: Texts,
    value: Float32Builder,
    policy: ListBuilder<Float32Builder>,
    hand_delta: Int32Builder,
    final_points: Int32Builder,
    final_rank: UInt8Builder,
    rows: usize,
    /// Reused for every text.
    buffer: String,
}

impl DecisionRows {
    pub(super) fn push_all(&mut self, record: &GameRecord, rules: &Rules, agents: &[String]) {
        self.in_play = rules.kinds();
        for decision in &record.decisions {
            self.push(record, decision, agents);
        }
    }

    fn push(&mut self, record: &GameRecord, d: &Decision, agents: &[String]) {
        self.game.append_value(record.game);
        self.hand.append_value(d.hand);
        self.step.append_value(d.step);
        self.seat.append_value(d.seat.number());
        self.turn.append_value(d.turn);
        self.phase.append(d.phase as usize, || phase_name(d.phase).to_owned());
        self.push_view(d);
        self.history.append_value(&record.hands[usize::from(d.hand)].history[..usize::from(d.history)]);
        self.shanten.append_value(d.shanten.number());
        for (column, word) in self.legal.iter_mut().zip(d.legal.words()) {
            column.append_value(word);
        }
        self.action.append_value(d.action.number());
        self.push_action_text(d);
        self.outranked.append_value(d.outranked);
        self.agent.append_value(&agents[d.seat.index()]);
        self.value.append_null();
        self.policy.append_null();
        self.hand_delta.append_value(record.hands[usize::from(d.hand)].deltas[d.seat]);
        self.final_points.append_value(record.results[d.seat].points);
        self.final_rank.append_value(record.results[d.seat].place);
        self.rows += 1;
    }

    /// What the seat saw.
    fn push_view(&mut self, d: &Decision) {
        self.tiles.append_value(written(&mut self.buffer, d.concealed.tiles()));
        append_tile(&mut self.drawn, d.drawn);
        self.melds.append_value(if d.melds.is_empty() { String::new() } else { text::melds(&d.melds) });
        append_tile(&mut self.offer, d.offer.map(|offer| offer.tile));
        self.offer_from.append_option(d.offer.map(|offer| offer.from.number()));
        for (suit, column) in self.seen.iter_mut().enumerate() {
            column.append_value(seen(d, suit, self.in_play));
        }
        let (indicators, count) = &d.indicators;
        let turned = indicators[..usize::from(*count)].iter().copied();
        self.indicators.append_value(written(&mut self.buffer, turned));
        self.live.append_value(d.live);
        self.riichi.append_value(d.riichi.bits());
    }

    fn push_action_text(&mut self, d: &Decision) {
        // The text names the tile that was drawn or lies open; there is never both.
        let offer = d.offer.map(|offer| offer.tile);
        let tile = d.drawn.or(offer).map_or(0, |tile| tile.index() + 1);
        let number = usize::from(d.action.number()) * (Tile::COUNT + 1) + tile;
        self.action_text.append(number, || d.action.action().in_context(d.drawn, offer).to_string());
    }

    pub(super) fn len(&self) -> usize {
        self.rows
    }

    /// The rows so far; gathering starts anew.
    pub(super) fn take(&mut self) -> RecordBatch {
        self.rows = 0;
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.game.finish()),
            Arc::new(self.hand.finish()),
            Arc::new(self.step.finish()),
            Arc::new(self.seat.finish()),
            Arc::new(self.turn.finish()),
            self.phase.finish(),
            Arc::new(self.tiles.finish()),
            self.drawn.finish(),
            Arc::new(self.melds.finish()),
            self.offer.finish(),
            Arc::new(self.offer_from.finish()),
        ];
        columns.extend(self.seen.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        columns.extend([
            Arc::new(self.indicators.finish()) as ArrayRef,
            Arc::new(self.live.finish()),
            Arc::new(self.riichi.finish()),
            Arc::new(self.history.finish()),
            Arc::new(self.shanten.finish()),
        ]);
        columns.extend(self.legal.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        columns.extend([
            Arc::new(self.action.finish()) as ArrayRef,
            self.action_text.finish(),
            Arc::new(self.outranked.finish()),
            Arc::new(self.agent.finish()),
            Arc::new(self.value.finish()),
            Arc::new(self.policy.finish()),
            Arc::new(self.hand_delta.finish()),
            Arc::new(self.final_points.finish()),
            Arc::new(self.final_rank.finish()),
        ]);
        RecordBatch::try_new(schema(Table::Decisions), columns).expect("rows have the columns of their table")
    }
}

fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Turn => "turn",
        Phase::Claim => "claim",
        Phase::KanClaim => "kan-claim",
        Phase::Draw => "draw",
        Phase::End | Phase::Over => "end",
    }
}

/// Tiles in hand notation, in a buffer that is used again and again.
fn written(buffer: &mut String, tiles: impl Iterator<Item = Tile>) -> &str {
    buffer.clear();
    text::write_tiles(buffer, tiles);
    buffer
}

fn append_tile(column: &mut Words, tile: Option<Tile>) {
    match tile {
        Some(tile) => column.append(tile.index(), || tile.to_string()),
        None => column.append_null(),
    }
}

/// The number with a decimal digit of 1 for each rank of a set, the lowest rank first.
const DIGITS: [i32; 512] = {
    let mut table = [0; 512];
    let mut set = 0;
    while set < 512 {
        let mut rank = 0;
        while rank < 9 {
            table[set] = 10 * table[set] + (set >> rank & 1) as i32;
            rank += 1;
        }
        set += 1;
    }
    table
};

/// The tiles of a suit that the seat sees outside its concealed tiles, a decimal digit a rank.
fn seen(d: &Decision, suit: usize, in_play: TileSet) -> i32 {
    let digits = |set: TileSet| DIGITS[set.suit_bits(suit) as usize];
    let [ones, twos, fours] = d.unseen.digits();
    let unseen = digits(ones) + 2 * digits(twos) + 4 * digits(fours);
    let own: i32 = (1..=4).map(|copies| digits(d.concealed.at_least(copies))).sum();
    let drawn = d.drawn.map_or(0, |tile| digits(tile.kind().into()));
    // Kinds that are not played with are never seen and never unseen.
    let all = 4 * digits(in_play) - unseen - own - drawn;
    // Honours have seven digits.
    if suit == 3 { all / 100 } else { all }
}
