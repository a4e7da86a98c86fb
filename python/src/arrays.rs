//! The arrays of encoded rows as arrays of numpy.

use jantaku_agents::encode::{ArrayKind, ArraySpec, ElementType, MASK, Mask, Slice, SliceMut, Values};
use jantaku_engine::ActionId;
use ndarray::Dimension;
use numpy::{
    Element, PyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArray,
    PyReadwriteArrayDyn, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::errors::{kind_of, value_error};

/// An array of rows, which takes over the memory of its elements.
pub(crate) fn array<'py>(py: Python<'py>, spec: &ArraySpec, values: Values) -> PyResult<Bound<'py, PyAny>> {
    match values {
        Values::U8(bytes) => shaped(py, spec, bytes),
        Values::U16(numbers) => shaped(py, spec, numbers),
        Values::F32(numbers) => shaped(py, spec, numbers),
    }
}

fn shaped<'py, T: Element>(py: Python<'py>, spec: &ArraySpec, values: Vec<T>) -> PyResult<Bound<'py, PyAny>> {
    let shape = [&[values.len() / spec.width()], spec.shape].concat();
    Ok(PyArray1::from_vec(py, values).reshape(shape)?.into_any())
}

/// A number for each row and action: rows × 165.
pub(crate) fn by_action(
    py: Python<'_>,
    rows: Vec<[f32; ActionId::COUNT]>,
) -> PyResult<Bound<'_, PyArray2<f32>>> {
    let shape = [rows.len(), ActionId::COUNT];
    PyArray1::from_vec(py, rows.into_flattened()).reshape(shape)
}

/// The legal actions of rows: bool, rows × 165.
pub(crate) fn masks(py: Python<'_>, masks: Vec<Mask>) -> PyResult<Bound<'_, PyAny>> {
    array(py, &MASK, Values::U8(masks.into_flattened()))?.call_method1("view", ("?",))
}

/// A copy of these elements of a row.
pub(crate) fn copied<'py>(py: Python<'py>, elements: Slice<'_>) -> Bound<'py, PyAny> {
    match elements {
        Slice::U8(bytes) => PyArray1::from_slice(py, bytes).into_any(),
        Slice::U16(numbers) => PyArray1::from_slice(py, numbers).into_any(),
        Slice::F32(numbers) => PyArray1::from_slice(py, numbers).into_any(),
    }
}

/// The name of the element type in numpy.
const fn dtype(spec: &ArraySpec) -> &'static str {
    match spec.element_type() {
        ElementType::U8 => "uint8",
        ElementType::U16 => "uint16",
        ElementType::F32 => "float32",
    }
}

/// The entry of an array in `Encoder.arrays`.
pub(crate) fn entry_of<'py>(py: Python<'py>, spec: &ArraySpec) -> PyResult<Bound<'py, PyDict>> {
    let kind = match spec.kind {
        ArrayKind::Planes => "planes",
        ArrayKind::Features(_) => "features",
        ArrayKind::Counts => "counts",
        ArrayKind::Scalars => "scalars",
        ArrayKind::Actions => "actions",
    };
    let dict = PyDict::new(py);
    dict.set_item("kind", kind)?;
    dict.set_item("shape", PyTuple::new(py, spec.shape)?)?;
    dict.set_item("dtype", dtype(spec))?;
    dict.set_item("empty", spec.empty())?;
    dict.set_item("most", spec.most())?;
    Ok(dict)
}

/// An array of the caller to write rows into.
pub(crate) enum Borrowed<'py> {
    U8(PyReadwriteArrayDyn<'py, u8>),
    U16(PyReadwriteArrayDyn<'py, u16>),
    F32(PyReadwriteArrayDyn<'py, f32>),
}

impl<'py> Borrowed<'py> {
    pub(crate) fn new(spec: &ArraySpec, object: &Bound<'py, PyAny>) -> PyResult<Borrowed<'py>> {
        Ok(match spec.element_type() {
            ElementType::U8 => Borrowed::U8(borrow(object)?),
            ElementType::U16 => Borrowed::U16(borrow(object)?),
            ElementType::F32 => Borrowed::F32(borrow(object)?),
        })
    }

    /// The elements. Fails if the array is not contiguous.
    pub(crate) fn slice(&mut self) -> PyResult<SliceMut<'_>> {
        Ok(match self {
            Borrowed::U8(array) => SliceMut::U8(array.as_slice_mut().map_err(value_error)?),
            Borrowed::U16(array) => SliceMut::U16(array.as_slice_mut().map_err(value_error)?),
            Borrowed::F32(array) => SliceMut::F32(array.as_slice_mut().map_err(value_error)?),
        })
    }
}

/// An array of the caller to read rows from.
pub(crate) enum Read<'py> {
    U8(PyReadonlyArrayDyn<'py, u8>),
    U16(PyReadonlyArrayDyn<'py, u16>),
    F32(PyReadonlyArrayDyn<'py, f32>),
}

impl<'py> Read<'py> {
    /// The rows of an array as this specification describes it. None if the object is no array of this
    /// type and shape, is not contiguous, or is borrowed to be written.
    pub(crate) fn new(spec: &ArraySpec, object: &Bound<'py, PyAny>) -> Option<Read<'py>> {
        let fits = |shape: &[usize]| shape.split_first().is_some_and(|(_, row)| row == spec.shape);
        macro_rules! read {
            ($variant:ident) => {{
                let array = object.cast::<PyArrayDyn<_>>().ok()?.try_readonly().ok()?;
                (array.is_c_contiguous() && fits(array.shape())).then_some(Read::$variant(array))
            }};
        }
        match spec.element_type() {
            ElementType::U8 => read!(U8),
            ElementType::U16 => read!(U16),
            ElementType::F32 => read!(F32),
        }
    }

    /// The elements.
    pub(crate) fn slice(&self) -> Slice<'_> {
        const CONTIGUOUS: &str = "the array was checked to be contiguous";
        match self {
            Read::U8(array) => Slice::U8(array.as_slice().expect(CONTIGUOUS)),
            Read::U16(array) => Slice::U16(array.as_slice().expect(CONTIGUOUS)),
            Read::F32(array) => Slice::F32(array.as_slice().expect(CONTIGUOUS)),
        }
    }
}

/// An array of a column to write into.
pub(crate) fn borrow<'py, T: Element, D: Dimension>(
    object: &Bound<'py, PyAny>,
) -> PyResult<PyReadwriteArray<'py, T, D>> {
    let array = object.cast::<PyArray<T, D>>().map_err(|_| {
        PyTypeError::new_err(format!(
            "a column of a Batch does not have the type that `VecEnv.batch` gives it: {}",
            describe(object)
        ))
    })?;
    array.try_readwrite().map_err(value_error)
}

/// An array as errors show it.
pub(crate) fn describe(object: &Bound<'_, PyAny>) -> String {
    match object.cast::<PyUntypedArray>() {
        Ok(array) => format!("an array of shape {:?} and dtype {}", array.shape(), array.dtype()),
        Err(_) => kind_of(object),
    }
}
