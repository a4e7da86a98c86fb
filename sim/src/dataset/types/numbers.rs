//! Columns of numbers and booleans.

use std::mem;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Int8Type, Int32Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{ArrayRef, BooleanArray, PrimitiveArray};
use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder, NullBuffer, ScalarBuffer};

use super::column_type::{Append, ColumnType, StoredColumn};
use crate::dataset::column::Kind;

/// An Arrow type of numbers that columns can have.
pub trait NumberType: ArrowPrimitiveType {
    const KIND: Kind;
}

/// Defines the types of columns of numbers.
macro_rules! number_types {
    ($($name:ident: $number:ty;)+) => { $(
        #[doc = concat!("A column of `", stringify!($number), "`.")]
        pub type $name = Number<$number>;

        impl NumberType for $number {
            const KIND: Kind = Kind::$name;
        }
    )+ };
}

number_types! {
    U8: UInt8Type;
    U16: UInt16Type;
    U32: UInt32Type;
    U64: UInt64Type;
    I8: Int8Type;
    I32: Int32Type;
    F32: Float32Type;
}

/// Numbers of one type.
pub struct Number<T: NumberType>(Vec<T::Native>);

impl<T: NumberType> Default for Number<T> {
    fn default() -> Number<T> {
        Number(Vec::new())
    }
}

impl<T: NumberType> Append<T::Native> for Number<T> {
    #[inline]
    fn append(&mut self, value: T::Native) {
        self.0.push(value);
    }
}

impl<T: NumberType> ColumnType for Number<T> {
    const KIND: Kind = T::KIND;
    type Stored = Numbers<T>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn append_empty(&mut self, count: usize) {
        self.0.resize(self.0.len() + count, T::Native::default());
    }

    fn take(&mut self, nulls: Option<NullBuffer>) -> ArrayRef {
        let empty = Vec::with_capacity(self.0.len());
        let numbers = mem::replace(&mut self.0, empty);
        Arc::new(PrimitiveArray::<T>::new(numbers.into(), nulls))
    }
}

/// Stored numbers.
pub struct Numbers<T: NumberType>(ScalarBuffer<T::Native>);

impl<T: NumberType> Numbers<T> {
    /// The numbers of all rows.
    pub fn as_slice(&self) -> &[T::Native] {
        &self.0
    }
}

impl<T: NumberType> StoredColumn for Numbers<T> {
    type Cell<'a> = T::Native;

    fn new(array: &ArrayRef) -> Numbers<T> {
        Numbers(array.as_primitive::<T>().values().clone())
    }

    #[inline]
    fn at(&self, row: usize) -> T::Native {
        self.0[row]
    }
}

/// True or false.
pub struct Bool(BooleanBufferBuilder);

impl Default for Bool {
    fn default() -> Bool {
        Bool(BooleanBufferBuilder::new(0))
    }
}

impl Append<bool> for Bool {
    #[inline]
    fn append(&mut self, value: bool) {
        self.0.append(value);
    }
}

impl ColumnType for Bool {
    const KIND: Kind = Kind::Bool;
    type Stored = Bools;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn append_empty(&mut self, count: usize) {
        self.0.append_n(count, false);
    }

    fn take(&mut self, nulls: Option<NullBuffer>) -> ArrayRef {
        Arc::new(BooleanArray::new(self.0.finish(), nulls))
    }
}

/// Stored booleans.
pub struct Bools(BooleanBuffer);

impl StoredColumn for Bools {
    type Cell<'a> = bool;

    fn new(array: &ArrayRef) -> Bools {
        Bools(array.as_boolean().values().clone())
    }

    #[inline]
    fn at(&self, row: usize) -> bool {
        self.0.value(row)
    }
}
