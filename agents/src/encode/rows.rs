//! Rows of encoded decisions: the arrays of an encoder, and the legal actions.

use std::iter;
use std::ops::Range;

use jantaku_engine::Observation;
use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};

use super::array::{ArraySpec, Element, Slice, SliceMut, Values};
use super::mask::{Mask, write_mask};
use super::shape::WrongShape;
use super::{Encoder, SuitOrder};

/// The maximum number of arrays of an encoder. Views store that many slices inline, so they never
/// allocate.
const MAX_ARRAYS: usize = 4;

/// The number of decisions that a thread encodes at a time.
pub const CHUNK: usize = 64;

/// The number of decisions by which prefetching is ahead of encoding.
const AHEAD: usize = 2;

/// Rows of encoded decisions, which own their memory.
///
/// The arrays keep their memory when the rows become fewer, so a batch of the usual size allocates
/// nothing.
///
/// ```
/// use jantaku_agents::encode::{Encoder, Rows};
/// use jantaku_engine::{Game, Rules, Seat};
///
/// let game = Game::new(&Rules::default(), 42);
/// let mut rows = Rows::new(Encoder::named("planes-v1"));
/// rows.encode(&[game.observe(Seat::FIRST)], |o| o);
/// assert_eq!(rows.array::<u8>("planes").map(<[u8]>::len), Some(216 * 34));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Rows {
    encoder: Option<Encoder>,
    /// The legal actions of each row. None if they are not wanted.
    masks: Option<Vec<Mask>>,
    /// The arrays of the encoder. The rest is empty.
    arrays: [Values; MAX_ARRAYS],
    /// Whether lists are padded.
    pads: bool,
    /// The number of rows that the arrays have room for.
    capacity: usize,
    count: usize,
}

impl Rows {
    /// No rows yet, in the form that networks need: without legal actions, and with lists that are
    /// not padded. Without an encoder, rows are empty.
    pub fn new(encoder: impl Into<Option<Encoder>>) -> Rows {
        Rows { encoder: encoder.into(), ..Rows::default() }
    }

    /// Rows of zeros. Encoding a decision pads its lists.
    pub fn padded(encoder: impl Into<Option<Encoder>>, rows: usize) -> Rows {
        let mut padded = Rows { pads: true, ..Rows::new(encoder) };
        padded.reset(rows);
        padded
    }

    /// Rows of zeros, with legal actions. Encoding a decision pads its lists. Without an encoder, rows have
    /// only the legal actions.
    pub fn with_masks(encoder: impl Into<Option<Encoder>>, rows: usize) -> Rows {
        Rows { masks: Some(vec![[0; _]; rows]), ..Rows::padded(encoder, rows) }
    }

    /// The encoder.
    pub const fn encoder(&self) -> Option<Encoder> {
        self.encoder
    }

    /// The number of rows.
    pub const fn rows(&self) -> usize {
        self.count
    }

    /// Makes room for this many rows. Their contents mean nothing until they are encoded.
    pub fn reset(&mut self, rows: usize) {
        if rows > self.capacity {
            for (values, spec) in self.arrays.iter_mut().zip(specs(self.encoder)) {
                *values = Values::zeros(spec, rows);
            }
            if let Some(masks) = &mut self.masks {
                masks.resize(rows, [0; _]);
            }
            self.capacity = rows;
        }
        self.count = rows;
    }

    /// Encodes one decision for each item, on the threads of rayon.
    pub fn encode<T: Sync>(&mut self, items: &[T], observation: impl Fn(&T) -> &Observation<'_> + Sync) {
        self.reset(items.len());
        if self.encoder.is_none() && self.masks.is_none() {
            return;
        }
        if items.len() <= CHUNK || rayon::current_num_threads() == 1 {
            self.view_mut().encode_all(items, &observation);
            return;
        }
        let chunks: Vec<_> = self.view_mut().chunks(CHUNK).zip(items.chunks(CHUNK)).collect();
        chunks.into_par_iter().with_max_len(1).for_each(|(mut rows, items)| {
            rows.encode_all(items, &observation);
        });
    }

    /// Copies rows and permutes their suits. Inputs have no legal actions, so none are copied.
    ///
    /// # Panics
    ///
    /// If they are rows of a different encoder.
    pub fn copy_permuted(&mut self, inputs: Inputs<'_>, order: SuitOrder) {
        assert!(self.encoder == inputs.encoder, "rows of {:?}, found {:?}", self.encoder, inputs.encoder);
        self.reset(inputs.rows);
        let mut rows = self.view_mut();
        for (array, source) in rows.arrays.iter_mut().zip(&inputs.arrays) {
            array.copy_from(source);
        }
        (0..inputs.rows).for_each(|row| rows.permute(row, order));
    }

    /// The legal actions of each row. Empty if they are not wanted.
    pub fn masks(&self) -> &[Mask] {
        self.masks.as_ref().map_or(&[], |masks| &masks[..self.count])
    }

    /// The elements of the array with this name, if the encoder has one.
    ///
    /// # Panics
    ///
    /// If its elements have a different type.
    pub fn array<T: Element>(&self, name: &str) -> Option<&[T]> {
        self.inputs().array(name)
    }

    /// The rows for an evaluator.
    pub fn inputs(&self) -> Inputs<'_> {
        let mut arrays = <[Slice<'_>; MAX_ARRAYS]>::default();
        for ((slice, values), spec) in arrays.iter_mut().zip(&self.arrays).zip(specs(self.encoder)) {
            *slice = values.slice(spec.rows(0..self.count));
        }
        Inputs { encoder: self.encoder, rows: self.count, arrays }
    }

    /// The rows to fill.
    pub fn view_mut(&mut self) -> RowsMut<'_> {
        let Rows { encoder, masks, arrays, pads, count: rows, .. } = self;
        let mut slices = <[SliceMut<'_>; MAX_ARRAYS]>::default();
        for ((slice, values), spec) in slices.iter_mut().zip(arrays).zip(specs(*encoder)) {
            *slice = values.slice_mut(spec.rows(0..*rows));
        }
        let masks = masks.as_mut().map(|masks| &mut masks[..*rows]);
        RowsMut { encoder: *encoder, masks, arrays: slices, pads: *pads, rows: *rows }
    }

    /// The legal actions, empty if they are not wanted, and the arrays of the encoder.
    pub fn into_arrays(self) -> (Vec<Mask>, impl Iterator<Item = (&'static ArraySpec, Values)>) {
        let arrays = specs(self.encoder).iter().zip(self.arrays);
        (self.masks.unwrap_or_default(), arrays)
    }
}

/// The arrays of an encoder; none without one.
fn specs(encoder: Option<Encoder>) -> &'static [ArraySpec] {
    encoder.map_or(&[], Encoder::arrays)
}

/// Rows of encoded decisions, borrowed for reading.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    encoder: Option<Encoder>,
    rows: usize,
    arrays: [Slice<'a>; MAX_ARRAYS],
}

impl<'a> Inputs<'a> {
    /// Rows whose memory the caller owns: the arrays of the encoder in order.
    ///
    /// # Errors
    ///
    /// If an array does not have this many rows.
    ///
    /// # Panics
    ///
    /// If there are fewer arrays than the encoder has, or the elements have a different type.
    pub fn new(
        encoder: Option<Encoder>,
        rows: usize,
        arrays: impl IntoIterator<Item = Slice<'a>>,
    ) -> Result<Inputs<'a>, WrongShape> {
        Ok(Inputs { encoder, rows, arrays: checked(encoder, rows, arrays, |array| *array)? })
    }

    /// The number of rows.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// The encoder that wrote them.
    pub const fn encoder(&self) -> Option<Encoder> {
        self.encoder
    }

    /// The arrays of the encoder in order.
    pub fn arrays(&self) -> impl Iterator<Item = (&'static ArraySpec, Slice<'a>)> + use<'a> {
        specs(self.encoder).iter().zip(self.arrays)
    }

    /// The elements of the array with this name, if the encoder has one.
    ///
    /// # Panics
    ///
    /// If its elements have a different type.
    pub fn array<T: Element>(&self, name: &str) -> Option<&'a [T]> {
        self.arrays().find(|(spec, _)| spec.name == name).map(|(_, slice)| slice.of())
    }

    /// Some of the rows.
    ///
    /// # Panics
    ///
    /// If the range goes past the last row.
    #[must_use]
    pub fn slice(self, rows: Range<usize>) -> Inputs<'a> {
        let mut arrays = self.arrays;
        for (slice, spec) in arrays.iter_mut().zip(specs(self.encoder)) {
            *slice = slice.slice(spec.rows(rows.clone()));
        }
        Inputs { encoder: self.encoder, rows: rows.len(), arrays }
    }
}

/// The arrays of a view, after a check that each has this many rows of the encoder's shape and type.
/// `shared` borrows an array to read it.
fn checked<T: Default>(
    encoder: Option<Encoder>,
    rows: usize,
    arrays: impl IntoIterator<Item = T>,
    shared: impl Fn(&T) -> Slice<'_>,
) -> Result<[T; MAX_ARRAYS], WrongShape> {
    let (mut places, mut count) = (<[T; MAX_ARRAYS]>::default(), 0);
    for ((place, array), spec) in places.iter_mut().zip(arrays).zip(specs(encoder)) {
        let elements = shared(&array);
        assert_eq!(elements.element_type(), spec.element_type(), "the elements of {}", spec.name);
        if elements.len() != rows * spec.width() {
            let (expected, found) = ([&[rows], spec.shape].concat(), vec![elements.len()]);
            return Err(WrongShape { what: spec.name, expected, found });
        }
        (*place, count) = (array, count + 1);
    }
    assert_eq!(count, specs(encoder).len(), "the number of arrays");
    Ok(places)
}

/// Rows to fill. They can be split between threads.
#[derive(Debug, Default)]
pub struct RowsMut<'a> {
    encoder: Option<Encoder>,
    masks: Option<&'a mut [Mask]>,
    arrays: [SliceMut<'a>; MAX_ARRAYS],
    pads: bool,
    rows: usize,
}

impl<'a> RowsMut<'a> {
    /// Rows whose memory the caller owns: the legal actions if they are wanted, and the arrays of the
    /// encoder in order. Lists are padded.
    ///
    /// # Errors
    ///
    /// If an array does not have this many rows.
    ///
    /// # Panics
    ///
    /// If there are fewer arrays than the encoder has, or the elements have a different type.
    pub fn new(
        encoder: Option<Encoder>,
        rows: usize,
        masks: Option<&'a mut [Mask]>,
        arrays: impl IntoIterator<Item = SliceMut<'a>>,
    ) -> Result<RowsMut<'a>, WrongShape> {
        let arrays = checked(encoder, rows, arrays, SliceMut::shared)?;
        Ok(RowsMut { encoder, masks, arrays, pads: true, rows })
    }

    /// The number of rows.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// The same rows, borrowed for a shorter time.
    pub fn reborrow(&mut self) -> RowsMut<'_> {
        RowsMut {
            encoder: self.encoder,
            masks: self.masks.as_deref_mut(),
            arrays: self.arrays.each_mut().map(SliceMut::reborrow),
            pads: self.pads,
            rows: self.rows,
        }
    }

    /// Splits off the first rows.
    ///
    /// # Panics
    ///
    /// If there are fewer rows.
    pub fn split_at(self, rows: usize) -> (RowsMut<'a>, RowsMut<'a>) {
        let RowsMut { encoder, masks, arrays, pads, rows: all } = self;
        let (masks, other_masks) = masks.map(|masks| masks.split_at_mut(rows)).unzip();
        let (mut first, mut other) = <([SliceMut<'a>; MAX_ARRAYS], [SliceMut<'a>; MAX_ARRAYS])>::default();
        let halves = first.iter_mut().zip(&mut other);
        for ((array, spec), (first, other)) in arrays.into_iter().zip(specs(encoder)).zip(halves) {
            (*first, *other) = array.split_at(rows * spec.width());
        }
        (
            RowsMut { encoder, masks, arrays: first, pads, rows },
            RowsMut { encoder, masks: other_masks, arrays: other, pads, rows: all - rows },
        )
    }

    /// Splits the rows into pieces of this many. The last one may have fewer.
    pub fn chunks(self, rows: usize) -> impl Iterator<Item = RowsMut<'a>> {
        let mut rest = self;
        iter::from_fn(move || {
            let len = rest.rows.min(rows);
            let (first, other) = std::mem::take(&mut rest).split_at(len);
            rest = other;
            (len > 0).then_some(first)
        })
    }

    /// The elements of the array with this name, if the encoder has one.
    ///
    /// # Panics
    ///
    /// If its elements have a different type.
    pub fn array<T: Element>(&mut self, name: &str) -> Option<&mut [T]> {
        let place = specs(self.encoder).iter().position(|spec| spec.name == name)?;
        Some(self.arrays[place].of())
    }

    /// Writes a decision to a row.
    #[inline]
    pub fn encode(&mut self, row: usize, o: &Observation<'_>) {
        if let Some(masks) = &mut self.masks {
            write_mask(o.legal(), &mut masks[row]);
        }
        if let Some(encoder) = self.encoder {
            (encoder.encode)(o, &mut self.arrays, row);
            if self.pads {
                (encoder.description)().pad(&mut self.arrays, row);
            }
        }
    }

    /// Writes a decision to each row.
    fn encode_all<T>(&mut self, items: &[T], observation: &impl Fn(&T) -> &Observation<'_>) {
        items.iter().take(AHEAD).for_each(|item| observation(item).prefetch());
        for (row, item) in items.iter().enumerate() {
            if let Some(later) = items.get(row + AHEAD) {
                observation(later).prefetch();
            }
            self.encode(row, observation(item));
        }
    }

    /// Empties a row: no legal action, no active feature, and zeros.
    pub fn clear(&mut self, row: usize) {
        if let Some(masks) = &mut self.masks {
            masks[row].fill(0);
        }
        for (array, spec) in self.arrays.iter_mut().zip(specs(self.encoder)) {
            array.fill(spec.row(row), spec.empty());
        }
    }

    /// Permutes the suits of a row that was encoded.
    pub fn permute(&mut self, row: usize, order: SuitOrder) {
        if order == SuitOrder::ALL[0] {
            return;
        }
        if let Some(masks) = &mut self.masks {
            masks[row] = order.policy(&masks[row]);
        }
        if let Some(encoder) = self.encoder {
            (encoder.description)().permute(order, &mut self.arrays, row);
        }
    }
}
