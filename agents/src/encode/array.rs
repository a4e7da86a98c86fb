//! The arrays of an encoder: their parts of a row, and their elements.

use std::ops::Range;

use jantaku_engine::{ActionId, TileKind};

/// The meaning of an array's elements. Their type follows from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrayKind {
    /// Channels of 34 bytes, one for each kind of tile.
    Planes,
    /// Numbers of active features, as u16. All are below the number in this variant, which pads the list.
    /// The next array has the lengths of the lists.
    Features(u16),
    /// How many features of the array before are active, as u16.
    Counts,
    /// Scalars, as f32.
    Scalars,
    /// A byte for each action: 1 for a legal one.
    Actions,
}

/// The type of an array's elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ElementType {
    /// Bytes.
    U8,
    /// Unsigned integers of 16 bits.
    U16,
    /// Floats of 32 bits.
    F32,
}

/// An array of an encoder: its name, its kind, and the shape of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArraySpec {
    /// The name, in Python too.
    pub name: &'static str,
    /// What its elements mean.
    pub kind: ArrayKind,
    /// The shape of a row. Empty for one element.
    pub shape: &'static [usize],
    width: usize,
}

/// The array of the legal actions. It is the same for all encoders.
pub const MASK: ArraySpec = ArraySpec::new("mask", ArrayKind::Actions, &[ActionId::COUNT]);

impl ArraySpec {
    /// An array with rows of this shape.
    ///
    /// # Panics
    ///
    /// If planes do not end with an axis of 34, or features have numbers of more than 15 bits: torch gets
    /// them as i16.
    pub const fn new(name: &'static str, kind: ArrayKind, shape: &'static [usize]) -> ArraySpec {
        let (mut width, mut axis) = (1, 0);
        while axis < shape.len() {
            width *= shape[axis];
            axis += 1;
        }
        match kind {
            ArrayKind::Planes => {
                assert!(shape[shape.len() - 1] == TileKind::COUNT, "planes end with an axis of 34");
            }
            ArrayKind::Features(count) => assert!(count <= i16::MAX as u16, "torch gets features as i16"),
            _ => {}
        }
        ArraySpec { name, kind, shape, width }
    }

    /// The number of elements of a row.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The range of a row's elements in the array.
    #[inline]
    pub(super) fn row(&self, row: usize) -> Range<usize> {
        self.rows(row..row + 1)
    }

    /// The range of the elements of some rows in the array.
    #[inline]
    pub(super) fn rows(&self, rows: Range<usize>) -> Range<usize> {
        rows.start * self.width..rows.end * self.width
    }

    /// The type of the elements.
    pub const fn element_type(&self) -> ElementType {
        match self.kind {
            ArrayKind::Planes | ArrayKind::Actions => ElementType::U8,
            ArrayKind::Features(_) | ArrayKind::Counts => ElementType::U16,
            ArrayKind::Scalars => ElementType::F32,
        }
    }

    /// The value of all elements in a row without a decision: the padding of features, otherwise 0.
    pub const fn empty(&self) -> u16 {
        match self.kind {
            ArrayKind::Features(count) => count,
            _ => 0,
        }
    }

    /// An upper bound of the elements. None for scalars.
    pub const fn most(&self) -> Option<u16> {
        match self.kind {
            ArrayKind::Planes => Some(u8::MAX as u16),
            ArrayKind::Features(count) => Some(count),
            ArrayKind::Counts => Some(u16::MAX),
            ArrayKind::Scalars => None,
            ArrayKind::Actions => Some(1),
        }
    }
}

/// An element of an array: u8, u16 or f32.
pub trait Element: Copy + sealed::Sealed {
    /// The elements of an array. None if they have another type.
    fn of<'a>(slice: &Slice<'a>) -> Option<&'a [Self]>;
    /// The same, to be changed.
    fn of_mut<'b>(slice: &'b mut SliceMut<'_>) -> Option<&'b mut [Self]>;
    /// The same, to be changed for as long as the array is borrowed.
    fn into_mut(slice: SliceMut<'_>) -> Option<&mut [Self]>;
}

mod sealed {
    pub trait Sealed {}
}

/// The elements of an array, which owns them.
#[derive(Clone, Debug)]
pub enum Values {
    /// Bytes.
    U8(Vec<u8>),
    /// Unsigned integers of 16 bits.
    U16(Vec<u16>),
    /// Floats of 32 bits.
    F32(Vec<f32>),
}

/// The elements of an array of some rows.
#[derive(Clone, Copy, Debug)]
pub enum Slice<'a> {
    /// Bytes.
    U8(&'a [u8]),
    /// Unsigned integers of 16 bits.
    U16(&'a [u16]),
    /// Floats of 32 bits.
    F32(&'a [f32]),
}

/// The elements of an array of some rows, to be changed.
#[derive(Debug)]
pub enum SliceMut<'a> {
    /// Bytes.
    U8(&'a mut [u8]),
    /// Unsigned integers of 16 bits.
    U16(&'a mut [u16]),
    /// Floats of 32 bits.
    F32(&'a mut [f32]),
}

/// Implements [`Element`] for each type of elements, and the methods that match on the type.
macro_rules! each_type {
    ($($variant:ident $type:ty),*) => {
        $(
            impl sealed::Sealed for $type {}

            impl Element for $type {
                #[inline]
                fn of<'a>(slice: &Slice<'a>) -> Option<&'a [$type]> {
                    match slice {
                        Slice::$variant(elements) => Some(elements),
                        _ => None,
                    }
                }

                fn into_mut(slice: SliceMut<'_>) -> Option<&mut [$type]> {
                    match slice {
                        SliceMut::$variant(elements) => Some(elements),
                        _ => None,
                    }
                }

                #[inline]
                fn of_mut<'b>(slice: &'b mut SliceMut<'_>) -> Option<&'b mut [$type]> {
                    match slice {
                        SliceMut::$variant(elements) => Some(elements),
                        _ => None,
                    }
                }
            }
        )*

        impl Values {
            pub(super) fn zeros(spec: &ArraySpec, rows: usize) -> Values {
                match spec.element_type() {
                    $(ElementType::$variant => Values::$variant(vec![Default::default(); rows * spec.width()]),)*
                }
            }

            pub(super) fn slice(&self, elements: Range<usize>) -> Slice<'_> {
                match self {
                    $(Values::$variant(all) => Slice::$variant(&all[elements]),)*
                }
            }

            pub(super) fn slice_mut(&mut self, elements: Range<usize>) -> SliceMut<'_> {
                match self {
                    $(Values::$variant(all) => SliceMut::$variant(&mut all[elements]),)*
                }
            }
        }

        impl<'a> Slice<'a> {
            /// The number of elements.
            pub(super) const fn len(&self) -> usize {
                match self {
                    $(Slice::$variant(elements) => elements.len(),)*
                }
            }

            pub(super) const fn element_type(&self) -> ElementType {
                match self {
                    $(Slice::$variant(_) => ElementType::$variant,)*
                }
            }

            pub(super) fn slice(self, elements: Range<usize>) -> Slice<'a> {
                match self {
                    $(Slice::$variant(all) => Slice::$variant(&all[elements]),)*
                }
            }
        }

        impl<'a> SliceMut<'a> {
            /// The elements, to be read.
            pub(super) const fn shared(&self) -> Slice<'_> {
                match self {
                    $(SliceMut::$variant(elements) => Slice::$variant(elements),)*
                }
            }

            pub(super) fn split_at(self, elements: usize) -> (SliceMut<'a>, SliceMut<'a>) {
                match self {
                    $(SliceMut::$variant(all) => {
                        let (first, rest) = all.split_at_mut(elements);
                        (SliceMut::$variant(first), SliceMut::$variant(rest))
                    })*
                }
            }

            pub(super) fn reborrow(&mut self) -> SliceMut<'_> {
                match self {
                    $(SliceMut::$variant(elements) => SliceMut::$variant(elements),)*
                }
            }

            /// Sets these elements to a number.
            pub(super) fn fill(&mut self, elements: Range<usize>, number: u16) {
                match self {
                    $(SliceMut::$variant(all) => all[elements].fill(number as $type),)*
                }
            }

            pub(super) fn copy_from(&mut self, source: &Slice<'_>) {
                match (self, source) {
                    $((SliceMut::$variant(elements), Slice::$variant(source)) => {
                        elements.copy_from_slice(source);
                    })*
                    _ => panic!("{WRONG_TYPE}"),
                }
            }
        }
    };
}

each_type!(U8 u8, U16 u16, F32 f32);

const WRONG_TYPE: &str = "an array does not have the type of elements that its encoder states";

impl Default for Values {
    fn default() -> Values {
        Values::U8(Vec::new())
    }
}

impl Default for Slice<'_> {
    fn default() -> Self {
        Slice::U8(&[])
    }
}

impl Default for SliceMut<'_> {
    fn default() -> Self {
        SliceMut::U8(&mut [])
    }
}

impl<'a> Slice<'a> {
    /// The elements.
    ///
    /// # Panics
    ///
    /// If they have a different type.
    pub fn of<T: Element>(&self) -> &'a [T] {
        T::of(self).expect(WRONG_TYPE)
    }
}

impl<'a> SliceMut<'a> {
    /// The elements, for as long as they are borrowed.
    ///
    /// # Panics
    ///
    /// If they have a different type.
    pub fn into_slice<T: Element>(self) -> &'a mut [T] {
        T::into_mut(self).expect(WRONG_TYPE)
    }

    /// The elements.
    ///
    /// # Panics
    ///
    /// If they have a different type.
    #[inline]
    pub fn of<T: Element>(&mut self) -> &mut [T] {
        T::of_mut(self).expect(WRONG_TYPE)
    }

    /// A row of `N` elements.
    #[inline]
    pub(super) fn row<T: Element, const N: usize>(&mut self, row: usize) -> &mut [T; N] {
        &mut self.of().as_chunks_mut().0[row]
    }
}
