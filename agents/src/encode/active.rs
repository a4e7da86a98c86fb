//! Lists of active features, blocks of features, and their numbers.
//!
//! # Why
//!
//! **How is code vectorised?** The compiler vectorises most loops over eight numbers. Encoding the
//! rivers for `sparse-v1` also needs look-ups within a vector and a bit mask of its lanes. The
//! crate `wide` has safe functions for both on every processor. Rejected: intrinsics, which are
//! `unsafe` or specific to one processor.

#![expect(clippy::inline_always, reason = "where `first` is a constant, so are the vectors made of it")]

use jantaku_engine::{ActionId, ActionSet, Suit, Tile, TileKind, TileSet};
use wide::u16x8;

use super::channel::View;

/// What the features of a row stand for. A row has one feature for each member of its domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// One feature for each of the 34 kinds of tile.
    Kinds,
    /// One feature for each number from 0 to one less than this.
    Numbers(u16),
    /// One feature for each of the 165 actions.
    Actions,
}

impl Domain {
    /// The number of features.
    pub const fn len(self) -> u16 {
        match self {
            Domain::Kinds => TileKind::COUNT as u16,
            Domain::Numbers(count) => count,
            Domain::Actions => ActionId::COUNT as u16,
        }
    }

    /// Whether there are no features.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// A row of a block, before it is laid out for each view.
#[derive(Clone, Copy, Debug)]
pub(super) struct SparseRow {
    pub name: &'static str,
    pub domain: Domain,
    pub meaning: &'static str,
    pub since: u32,
}

impl SparseRow {
    /// A feature for each kind.
    pub(super) const fn kinds(name: &'static str, meaning: &'static str) -> SparseRow {
        SparseRow { name, domain: Domain::Kinds, meaning, since: 1 }
    }

    /// One feature that is active or not.
    pub(super) const fn flag(name: &'static str, meaning: &'static str) -> SparseRow {
        SparseRow::numbers(name, 1, meaning)
    }

    /// A feature for each number below `count`.
    pub(super) const fn numbers(name: &'static str, count: u16, meaning: &'static str) -> SparseRow {
        SparseRow { name, domain: Domain::Numbers(count), meaning, since: 1 }
    }
}

/// A row of a sparse encoder's table: consecutive features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Features {
    /// Its block.
    pub block: &'static str,
    /// Its name in the block.
    pub name: &'static str,
    /// Whose facts it holds.
    pub view: View,
    /// What its features stand for.
    pub domain: Domain,
    /// The number of its first feature.
    pub first: u16,
    /// The meaning of an active feature.
    pub meaning: &'static str,
    /// The version of the encoder that added it.
    pub since: u32,
}

/// A block of features: its rows, once for each of its views.
pub(super) struct Block<const N: usize> {
    pub name: &'static str,
    pub views: &'static [View],
    pub rows: [SparseRow; N],
    /// The number of the first feature.
    first: u16,
    /// Where each row begins among the features of a view.
    starts: [u16; N],
    /// The number of features of a view.
    size: u16,
}

impl<const N: usize> Block<N> {
    /// A block whose first feature has the number `first`.
    pub(super) const fn from(
        first: u16,
        name: &'static str,
        views: &'static [View],
        rows: [SparseRow; N],
    ) -> Block<N> {
        let (mut starts, mut size, mut row) = ([0; N], 0, 0);
        while row < N {
            starts[row] = size;
            size += rows[row].domain.len();
            row += 1;
        }
        Block { name, views, rows, first, starts, size }
    }

    /// Where a row begins among the features of a view.
    pub(super) const fn start(&self, row: usize) -> u16 {
        self.starts[row]
    }

    /// The number after the last feature.
    pub(super) const fn end(&self) -> u16 {
        self.first + self.size * self.views.len() as u16
    }

    /// For view number `view` of the block: the first feature of each row.
    #[inline]
    pub(super) const fn of_view(&self, view: usize) -> [u16; N] {
        let (mut rows, mut row) = (self.starts, 0);
        while row < N {
            rows[row] += self.first + self.size * view as u16;
            row += 1;
        }
        rows
    }

    /// The rows of the table.
    pub(super) fn features(&self) -> impl Iterator<Item = Features> {
        self.views.iter().enumerate().flat_map(move |(index, view)| {
            let row = move |(row, first): (&SparseRow, u16)| Features {
                block: self.name,
                name: row.name,
                view: *view,
                domain: row.domain,
                first,
                meaning: row.meaning,
                since: row.since,
            };
            self.rows.iter().zip(self.of_view(index)).map(row)
        })
    }
}

/// The active features of a decision, in a list of fixed capacity.
///
/// Functions that add many take the list and return it: behind a reference, its length would be read
/// and written again for each feature.
pub(super) struct Active<'a, const MAX: usize> {
    numbers: &'a mut [u16; MAX],
    len: usize,
}

impl<'a, const MAX: usize> Active<'a, MAX> {
    const FULL: &'static str = "a decision has too many active features";

    pub(super) const fn new(numbers: &'a mut [u16; MAX]) -> Active<'a, MAX> {
        Active { numbers, len: 0 }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Adds the feature of a number. `first` is the first feature of the row.
    #[inline]
    pub(super) fn number(&mut self, first: u16, number: u16) {
        self.numbers[self.len] = first + number;
        self.len += 1;
    }

    /// Adds the feature of a number, at most the last of the row's `count`.
    #[inline]
    pub(super) fn up_to(&mut self, first: u16, number: i32, count: u16) {
        self.number(first, number.clamp(0, i32::from(count) - 1) as u16);
    }

    /// Adds the first `count` features, given in eights. The others, at most seven, lie past the
    /// end of the list.
    #[inline]
    pub(super) fn eights(&mut self, features: impl IntoIterator<Item = u16x8>, count: usize) {
        let places = self.numbers[self.len..].as_chunks_mut().0;
        for (place, eight) in places.iter_mut().zip(features) {
            *place = eight.to_array();
        }
        self.len += count;
    }

    /// The feature at an index of the list.
    #[inline]
    pub(super) const fn at(&self, place: usize) -> u16 {
        self.numbers[place]
    }

    /// Removes the feature at an index of the list if `holds`. The last one replaces it.
    #[inline]
    pub(super) fn remove_if(&mut self, place: usize, holds: bool) {
        self.len -= usize::from(holds);
        let source = if holds { self.len } else { place };
        self.numbers[place] = self.numbers[source];
    }

    /// Adds a feature if `holds`.
    ///
    /// Always writes it, but keeps it only if `holds`: a branch would be hard to predict.
    #[inline]
    pub(super) fn flag(&mut self, first: u16, holds: bool) {
        self.numbers[self.len] = first;
        self.len += usize::from(holds);
    }

    /// Adds the features of these kinds. Fastest for about four.
    #[inline]
    pub(super) fn kinds(&mut self, first: u16, kinds: TileSet) {
        self.bits::<4>(first, kinds.bits());
    }

    /// Adds the features of these kinds. Fastest for one or two.
    #[inline]
    pub(super) fn few_kinds(&mut self, first: u16, kinds: TileSet) {
        self.bits::<2>(first, kinds.bits());
    }

    /// Adds the features of these kinds. Fastest if there are usually none.
    #[inline]
    pub(super) fn rare_kinds(&mut self, first: u16, kinds: TileSet) {
        if !kinds.is_empty() {
            self.bits::<2>(first, kinds.bits());
        }
    }

    /// Adds the features of these kinds. Fastest for many.
    #[inline(always)]
    pub(super) fn many_kinds(&mut self, first: u16, kinds: TileSet) {
        self.bytes::<5>(first, kinds.bits());
    }

    /// Adds the features of the fives of the suits with `holds`.
    #[inline]
    pub(super) fn reds(&mut self, first: u16, holds: [bool; 3]) {
        for (suit, holds) in Suit::NUMBERED.into_iter().zip(holds) {
            self.flag(first + u16::from(Tile::red(suit).kind().number()), holds);
        }
    }

    /// Adds the features of these actions.
    #[inline(always)]
    pub(super) fn actions(&mut self, first: u16, actions: ActionSet) {
        let [discards, rest, last] = actions.words();
        self.bytes::<5>(first, discards & ((1 << 40) - 1));
        for (first, words) in [(first + 40, discards >> 40), (first + 64, rest), (first + 128, last)] {
            if words != 0 {
                self.bits::<2>(first, words);
            }
        }
    }

    /// Adds the feature of each bit.
    ///
    /// Writes `STEP` numbers at a time; the next write overwrites any surplus. A loop that could
    /// end after each number would be hard to predict.
    #[inline]
    fn bits<const STEP: usize>(&mut self, first: u16, mut bits: u64) {
        let mut at = self.len;
        self.len += bits.count_ones() as usize;
        loop {
            for number in &mut self.numbers[at..at + STEP] {
                // Zeros are cheaper to count if a bit is set. The highest bit comes last in any case.
                *number = first.wrapping_add((bits | 1 << 63).trailing_zeros() as u16);
                bits &= bits.wrapping_sub(1);
            }
            at += STEP;
            if at >= self.len {
                return;
            }
        }
    }

    /// Adds the feature of each bit of the lowest `BYTES` bytes.
    ///
    /// Writes eight numbers for each byte, without a branch; the next byte overwrites the excess.
    #[inline(always)]
    fn bytes<const BYTES: usize>(&mut self, first: u16, bits: u64) {
        let mut at = self.len;
        // With this check the compiler drops the check of each byte.
        assert!(at <= MAX - 8 * BYTES, "{}", Self::FULL);
        for (index, byte) in (0..).zip(bits.to_le_bytes()).take(BYTES) {
            let places = &PLACES[usize::from(byte)];
            let features: [u16; 8] = std::array::from_fn(|bit| u16::from(places[bit]) + 8 * index + first);
            self.numbers[at..at + 8].copy_from_slice(&features);
            at += byte.count_ones() as usize;
        }
        self.len = at;
    }
}

/// For each byte, the indices of its set bits, the lowest first, and then zeros.
static PLACES: [[u8; 8]; 256] = {
    let mut places = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut count, mut bit) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                places[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    places
};
