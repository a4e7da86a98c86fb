//! Builds the rows of the table of decisions.

use std::mem;
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Int32Builder, ListBuilder, StringBuilder, UInt8Builder};
use arrow_array::{ArrayRef, Int8Array, Int32Array, RecordBatch, UInt8Array, UInt16Array, UInt64Array};
use jantaku_engine::notation::{HandText, write_tiles};
use jantaku_engine::{Melds, Phase, Rules, Tile, TileSet};

use super::columns::{TableKind, schema};
use super::thoughts::ThoughtRows;
use super::words::{LastingWords, Words};
use crate::play::{Decision, GameRecord};

/// The rows so far.
#[derive(Default)]
pub(super) struct DecisionRows {
    /// The tile kinds of the game.
    in_play: TileSet,
    game: Vec<u64>,
    hand: Vec<u16>,
    step: Vec<u16>,
    seat: Vec<u8>,
    round: Vec<u16>,
    honba: Vec<u16>,
    riichi_sticks: Vec<u16>,
    points: ListBuilder<Int32Builder>,
    turn: Vec<u8>,
    phase: Words,
    tiles: StringBuilder,
    drawn: Words,
    melds: LastingWords<Melds>,
    offer: Words,
    offer_from: UInt8Builder,
    seen: [Vec<i32>; 4],
    seen_red: Vec<u16>,
    indicators: LastingWords<([Tile; 5], u8)>,
    live: Vec<u8>,
    riichi: Vec<u8>,
    history: StringBuilder,
    shanten: Vec<i8>,
    legal: [Vec<u64>; 3],
    action: Vec<u8>,
    action_text: Words,
    outranked: BooleanBuilder,
    /// Keyed by the game: a seat keeps its agent for a whole game.
    agent: LastingWords<u64>,
    thoughts: ThoughtRows,
    hand_delta: Vec<i32>,
    final_points: Vec<i32>,
    final_placement: Vec<u8>,
    final_result: Vec<i32>,
}

impl DecisionRows {
    pub(super) fn push_all(&mut self, record: &GameRecord, rules: &Rules, agents: &[String]) {
        self.in_play = rules.kinds();
        for decision in &record.decisions {
            self.push(record, decision, agents);
        }
    }

    fn push(&mut self, record: &GameRecord, d: &Decision, agents: &[String]) {
        let (hand, result) = (&record.hands[usize::from(d.hand)], &record.results[d.seat]);
        if let Some(thoughts) = &d.thoughts {
            self.thoughts.push(self.len(), thoughts);
        }
        self.game.push(record.game);
        self.hand.push(d.hand);
        self.step.push(d.step);
        self.seat.push(d.seat.number());
        self.round.push(hand.round);
        self.honba.push(hand.honba);
        self.riichi_sticks.push(d.riichi_sticks);
        self.points.values().append_slice(d.points.as_slice());
        self.points.append(true);
        self.turn.push(d.turn);
        self.phase.append(d.phase as usize, || phase_name(d.phase).to_owned());
        self.push_view(d);
        self.history.append_value(&hand.history[..usize::from(d.history)]);
        self.shanten.push(d.shanten.number());
        for (column, word) in self.legal.iter_mut().zip(d.legal.words()) {
            column.push(word);
        }
        self.action.push(d.action.number());
        self.push_action_text(d);
        self.outranked.append_value(d.outranked);
        self.agent.append(d.seat, record.game, || agents[d.seat.index()].clone());
        self.hand_delta.push(hand.deltas[d.seat]);
        self.final_points.push(result.points);
        self.final_placement.push(result.placement);
        self.final_result.push(result.result);
    }

    /// Adds what the seat saw.
    fn push_view(&mut self, d: &Decision) {
        self.tiles.append_value(HandText::new(&d.concealed).as_str());
        append_tile(&mut self.drawn, d.drawn);
        self.melds.append(d.seat, d.melds, || d.melds.to_string());
        append_tile(&mut self.offer, d.offer.map(|offer| offer.tile));
        self.offer_from.append_option(d.offer.map(|offer| offer.from.number()));
        for (suit, column) in self.seen.iter_mut().enumerate() {
            column.push(seen(d, suit, self.in_play));
        }
        let [m, p, s] = d.open_reds.map(u16::from);
        self.seen_red.push(100 * m + 10 * p + s);
        self.indicators.append(d.seat, d.indicators, || indicators(d.indicators));
        self.live.push(d.live);
        self.riichi.push(d.riichi.bits());
    }

    fn push_action_text(&mut self, d: &Decision) {
        // The text names the drawn or the offered tile; a decision never has both.
        let offer = d.offer.map(|offer| offer.tile);
        let tile = d.drawn.or(offer).map_or(0, |tile| tile.index() + 1);
        let number = usize::from(d.action.number()) * (Tile::COUNT + 1) + tile;
        self.action_text.append(number, || d.action.action().in_context(d.drawn, offer).to_string());
    }

    pub(super) fn len(&self) -> usize {
        self.game.len()
    }

    /// Takes the rows so far.
    pub(super) fn take(&mut self) -> RecordBatch {
        let (rows, schema) = (self.len(), schema(TableKind::Decisions));
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(UInt64Array::from(taken(&mut self.game))),
            Arc::new(UInt16Array::from(taken(&mut self.hand))),
            Arc::new(UInt16Array::from(taken(&mut self.step))),
            Arc::new(UInt8Array::from(taken(&mut self.seat))),
            Arc::new(UInt16Array::from(taken(&mut self.round))),
            Arc::new(UInt16Array::from(taken(&mut self.honba))),
            Arc::new(UInt16Array::from(taken(&mut self.riichi_sticks))),
            Arc::new(self.points.finish()),
            Arc::new(UInt8Array::from(taken(&mut self.turn))),
            self.phase.finish(),
            taken_texts(&mut self.tiles),
            self.drawn.finish(),
            self.melds.finish(),
            self.offer.finish(),
            Arc::new(self.offer_from.finish()),
        ];
        columns.extend(self.seen.iter_mut().map(|suit| Arc::new(Int32Array::from(taken(suit))) as ArrayRef));
        columns.extend([
            Arc::new(UInt16Array::from(taken(&mut self.seen_red))) as ArrayRef,
            self.indicators.finish(),
            Arc::new(UInt8Array::from(taken(&mut self.live))),
            Arc::new(UInt8Array::from(taken(&mut self.riichi))),
            taken_texts(&mut self.history),
            Arc::new(Int8Array::from(taken(&mut self.shanten))),
        ]);
        columns
            .extend(self.legal.iter_mut().map(|word| Arc::new(UInt64Array::from(taken(word))) as ArrayRef));
        columns.extend([
            Arc::new(UInt8Array::from(taken(&mut self.action))) as ArrayRef,
            self.action_text.finish(),
            Arc::new(self.outranked.finish()),
            self.agent.finish(),
        ]);
        columns.extend(self.thoughts.take(rows));
        columns.extend([
            Arc::new(Int32Array::from(taken(&mut self.hand_delta))) as ArrayRef,
            Arc::new(Int32Array::from(taken(&mut self.final_points))),
            Arc::new(UInt8Array::from(taken(&mut self.final_placement))),
            Arc::new(Int32Array::from(taken(&mut self.final_result))),
        ]);
        RecordBatch::try_new(schema, columns).expect("rows have the columns of their table")
    }
}

/// Takes the values of a column and leaves an empty one of the same capacity.
fn taken<T>(column: &mut Vec<T>) -> Vec<T> {
    let empty = Vec::with_capacity(column.len());
    mem::replace(column, empty)
}

/// Takes the texts of a column and leaves an empty one of the same capacity.
fn taken_texts(column: &mut StringBuilder) -> ArrayRef {
    let empty = StringBuilder::with_capacity(column.offsets_slice().len(), column.values_slice().len());
    Arc::new(mem::replace(column, empty).finish())
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

fn indicators((tiles, count): ([Tile; 5], u8)) -> String {
    let mut text = String::new();
    write_tiles(&mut text, tiles.into_iter().take(usize::from(count))).expect("a String takes everything");
    text
}

fn append_tile(column: &mut Words, tile: Option<Tile>) {
    match tile {
        Some(tile) => column.append(tile.index(), || tile.to_string()),
        None => column.append_null(),
    }
}

/// For each set of ranks, the number with a decimal digit 1 for each rank, the lowest rank first.
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

/// The tiles of a suit that the seat sees outside its concealed tiles, one decimal digit per rank.
fn seen(d: &Decision, suit: usize, in_play: TileSet) -> i32 {
    let digits = |set: TileSet| DIGITS[set.suit_bits(suit) as usize];
    let [ones, twos, fours] = d.unseen.digits();
    let unseen = digits(ones) + 2 * digits(twos) + 4 * digits(fours);
    let own: i32 = (1..=4).map(|copies| digits(d.concealed.at_least(copies))).sum();
    let drawn = d.drawn.map_or(0, |tile| digits(tile.kind().into()));
    // Kinds outside the game are neither seen nor unseen.
    let all = 4 * digits(in_play) - unseen - own - drawn;
    // Honours have only seven digits.
    if suit == 3 { all / 100 } else { all }
}
