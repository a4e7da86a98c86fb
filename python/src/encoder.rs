//! `Encoder`: decisions as numbers for networks.

use jantaku_agents::encode::{Channel, Features, PlanesV1, Scalar, SparseV1, expand_f32};
use jantaku_agents::neural::{Encoder, Manifest, ValueHead};
use jantaku_engine::{Known, Observation, TileKind, shortened};
use ndarray::{Array1, Array2, Array3};
use numpy::{
    IntoPyArray, PyArray1, PyArray3, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::action::kind_of;
use crate::errors::value_error;
use crate::observation::PyObservation;
use crate::runs::named_rules;

/// An encoder: a table of channels or features, and how a decision fills them.
///
/// ``planes-v1``
///     Channels of 34 bytes, one for each kind of tile, for convolutional networks: an array of
///     shape (channels, 34). As float32, each byte is multiplied with the scale of its channel.
/// ``sparse-v1``
///     The numbers of the active features, which feed an embedding bag, and a few scalars: a dict
///     of ``active`` (uint16), ``scalars`` (float32) and, for batches, ``counts`` (uint16).
///
/// The tables are in ``agents/docs/encoders.md``, and here as `channels`. A version never changes.
///
/// Parameters
/// ----------
/// name : str
///     ``planes-v1`` or ``sparse-v1``.
#[pyclass(name = "Encoder", module = "jantaku", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PyEncoder(pub(crate) Encoder);

/// The encoder in an argument: an encoder or its name; by default `planes-v1`.
pub(crate) fn encoder_of(argument: Option<&Bound<'_, PyAny>>) -> PyResult<PyEncoder> {
    let Some(argument) = argument else { return Ok(PyEncoder(Encoder::PlanesV1)) };
    if let Ok(encoder) = argument.cast::<PyEncoder>() {
        return Ok(*encoder.get());
    }
    let name: String = argument.extract().map_err(|_| {
        PyTypeError::new_err(format!(
            "`encoder`: expected an Encoder or its name, found {}",
            kind_of(argument)
        ))
    })?;
    PyEncoder::new(&name)
}

#[pymethods]
impl PyEncoder {
    #[new]
    fn new(name: &str) -> PyResult<PyEncoder> {
        Encoder::named(name).map(PyEncoder).ok_or_else(|| {
            let known = Known::new(name, Encoder::ALL.map(|encoder| encoder.id().name));
            PyValueError::new_err(format!("unknown encoder `{}`: {known}", shortened(name)))
        })
    }

    /// The name with the version, such as ``planes-v1``.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.id().name
    }

    /// A hash of the table: 16 hexadecimal digits. A network reads the encoder whose hash it knows.
    #[getter]
    fn hash(&self) -> &'static str {
        &self.0.id().hash
    }

    /// The manifest of a network that reads this encoder: the JSON text that the agent ``neural``
    /// expects in or beside its model (``agents/docs/networks.md``).
    ///
    /// Parameters
    /// ----------
    /// rules : Rules or str or path
    ///     The rules that the network was trained for.
    /// value : str, optional
    ///     The unit of the network's value, such as ``points``. Leave it out if it has no value.
    ///
    /// Returns
    /// -------
    /// str
    #[pyo3(signature = (rules, value = None))]
    fn manifest(&self, rules: &Bound<'_, PyAny>, value: Option<String>) -> PyResult<String> {
        let (name, rules) = named_rules(rules)?;
        let mut manifest = Manifest::new(self.0, &rules);
        manifest.rules.name = Some(name);
        manifest.heads.value = value.map(|unit| ValueHead { unit });
        serde_json::to_string_pretty(&manifest).map_err(value_error)
    }

    /// The number of channels of ``planes-v1``, or of features of ``sparse-v1``.
    #[getter]
    fn size(&self) -> usize {
        self.0.id().channels
    }

    /// The shape of one decision: (channels, 34), or (most active features,).
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        match self.0 {
            Encoder::PlanesV1 => PyTuple::new(py, [PlanesV1::CHANNELS, TileKind::COUNT]),
            Encoder::SparseV1 => PyTuple::new(py, [SparseV1::MOST_ACTIVE]),
        }
    }

    /// The number of scalars of ``sparse-v1``; 0 for planes.
    #[getter]
    fn scalars(&self) -> usize {
        match self.0 {
            Encoder::PlanesV1 => 0,
            Encoder::SparseV1 => SparseV1::SCALARS,
        }
    }

    /// The rows of the table: a dict for each channel, or for each row of features and scalar.
    #[getter]
    fn channels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows: Vec<Bound<'_, PyDict>> = match self.0 {
            Encoder::PlanesV1 => {
                PlanesV1::channels().iter().map(|row| channel(py, row)).collect::<PyResult<_>>()?
            }
            Encoder::SparseV1 => {
                let features = SparseV1::features().iter().map(|row| features(py, row));
                features
                    .chain(SparseV1::scalars().iter().map(|row| scalar(py, row)))
                    .collect::<PyResult<_>>()?
            }
        };
        PyList::new(py, rows)
    }

    /// The factor of each channel that turns bytes into float32: shape (channels,), dtype float32.
    /// Ones for the scalars of ``sparse-v1``.
    #[getter]
    fn scales<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        let scales = match self.0 {
            Encoder::PlanesV1 => PlanesV1::channels().iter().map(Channel::scale).collect(),
            Encoder::SparseV1 => vec![1.0; SparseV1::SCALARS],
        };
        PyArray1::from_vec(py, scales)
    }

    /// Encodes one decision.
    ///
    /// Parameters
    /// ----------
    /// observation : Observation
    /// out : numpy.ndarray, optional
    ///     Planes only: an array of shape (channels, 34) and dtype uint8 or float32, contiguous and
    ///     writable, which is filled and returned.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray or dict
    ///     Planes: shape (channels, 34), dtype uint8, or ``out``. Sparse: ``active`` of shape (n,),
    ///     dtype uint16; ``scalars`` of shape (scalars,), dtype float32.
    #[pyo3(signature = (observation, out = None))]
    pub(crate) fn encode<'py>(
        &self,
        observation: &Bound<'py, PyObservation>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, o) = (observation.py(), observation.get().observe());
        match (self.0, out) {
            (Encoder::PlanesV1, None) => {
                let mut bytes = Array3::zeros((1, PlanesV1::CHANNELS, TileKind::COUNT));
                PlanesV1::encode_batch([&o], bytes.view_mut()).map_err(value_error)?;
                Ok(bytes.remove_axis(ndarray::Axis(0)).into_pyarray(py).into_any())
            }
            (Encoder::PlanesV1, Some(out)) => {
                let shape = [PlanesV1::CHANNELS, TileKind::COUNT];
                // A reshaped array shares its data only if it is contiguous.
                let fits =
                    |array: &Bound<'_, PyUntypedArray>| array.shape() == shape && array.is_c_contiguous();
                if !out.cast::<PyUntypedArray>().is_ok_and(fits) {
                    return Err(wrong_out(out, &shape));
                }
                fill_planes(py, &[o], &out.call_method1("reshape", ((1, shape[0], shape[1]),))?)?;
                Ok(out.clone())
            }
            (Encoder::SparseV1, Some(_)) => Err(only_planes()),
            (Encoder::SparseV1, None) => {
                let mut active = [0; SparseV1::MOST_ACTIVE];
                let mut scalars = [0.0; SparseV1::SCALARS];
                let count = SparseV1::encode(&o, &mut active, &mut scalars);
                let dict = PyDict::new(py);
                dict.set_item("active", PyArray1::from_slice(py, &active[..count]))?;
                dict.set_item("scalars", PyArray1::from_slice(py, &scalars))?;
                Ok(dict.into_any())
            }
        }
    }

    /// Encodes a batch of decisions.
    ///
    /// Parameters
    /// ----------
    /// observations : sequence of Observation
    /// out : numpy.ndarray, optional
    ///     Planes only: an array of shape (n, channels, 34) and dtype uint8 or float32, contiguous
    ///     and writable, which is filled and returned.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray or dict
    ///     Planes: shape (n, channels, 34), dtype uint8, or ``out``. Sparse: ``active`` of shape
    ///     (n, most active), dtype uint16, padded with the number of features; ``counts`` of shape
    ///     (n,), dtype uint16; ``scalars`` of shape (n, scalars), dtype float32.
    #[pyo3(signature = (observations, out = None))]
    fn encode_batch<'py>(
        &self,
        py: Python<'py>,
        observations: Vec<Py<PyObservation>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let views: Vec<Observation<'_>> = observations.iter().map(|o| o.get().observe()).collect();
        match (self.0, out) {
            (Encoder::PlanesV1, Some(out)) => {
                fill_planes(py, &views, out)?;
                Ok(out.clone())
            }
            (Encoder::PlanesV1, None) => {
                let mut bytes = Array3::zeros((views.len(), PlanesV1::CHANNELS, TileKind::COUNT));
                py.detach(|| PlanesV1::encode_batch(&views, bytes.view_mut())).map_err(value_error)?;
                Ok(bytes.into_pyarray(py).into_any())
            }
            (Encoder::SparseV1, Some(_)) => Err(only_planes()),
            (Encoder::SparseV1, None) => {
                let mut active = Array2::zeros((views.len(), SparseV1::MOST_ACTIVE));
                let mut counts = Array1::zeros(views.len());
                let mut scalars = Array2::zeros((views.len(), SparseV1::SCALARS));
                py.detach(|| {
                    SparseV1::encode_batch(&views, active.view_mut(), counts.view_mut(), scalars.view_mut())
                })
                .map_err(value_error)?;
                let dict = PyDict::new(py);
                dict.set_item("active", active.into_pyarray(py))?;
                dict.set_item("counts", counts.into_pyarray(py))?;
                dict.set_item("scalars", scalars.into_pyarray(py))?;
                Ok(dict.into_any())
            }
        }
    }

    fn __repr__(&self) -> String {
        format!("Encoder('{}')", self.name())
    }

    fn __reduce__<'py>(slf: &Bound<'py, PyEncoder>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((slf.get_type().into_any(), PyTuple::new(slf.py(), [slf.get().name()])?))
    }
}

fn only_planes() -> PyErr {
    PyValueError::new_err("`out`: only planes are written into an array of the caller")
}

/// Fills an array of decisions × channels × 34.
fn fill_planes(py: Python<'_>, views: &[Observation<'_>], out: &Bound<'_, PyAny>) -> PyResult<()> {
    let shape = [views.len(), PlanesV1::CHANNELS, TileKind::COUNT];
    if let Ok(bytes) = out.cast::<PyArray3<u8>>() {
        check_shape(bytes.shape(), &shape, out)?;
        let mut bytes = bytes.try_readwrite().map_err(|_| wrong_out(out, &shape))?;
        let bytes = bytes.as_array_mut();
        return py.detach(|| PlanesV1::encode_batch(views, bytes)).map_err(value_error);
    }
    let Ok(numbers) = out.cast::<PyArray3<f32>>() else { return Err(wrong_out(out, &shape)) };
    check_shape(numbers.shape(), &shape, out)?;
    let mut numbers = numbers.try_readwrite().map_err(|_| wrong_out(out, &shape))?;
    let numbers = numbers.as_array_mut();
    py.detach(|| {
        let mut bytes = Array3::zeros(shape);
        PlanesV1::encode_batch(views, bytes.view_mut())?;
        expand_f32(PlanesV1::channels(), bytes.view(), numbers)
    })
    .map_err(value_error)
}

fn check_shape(found: &[usize], expected: &[usize], out: &Bound<'_, PyAny>) -> PyResult<()> {
    if found == expected { Ok(()) } else { Err(wrong_out(out, expected)) }
}

/// The error for an array that cannot take planes.
fn wrong_out(out: &Bound<'_, PyAny>, expected: &[usize]) -> PyErr {
    let expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
    let found = match out.cast::<PyUntypedArray>() {
        Ok(array) => {
            let dtype =
                array.dtype().typeobj().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
            format!("shape {:?}, dtype {dtype}", array.shape())
        }
        Err(_) => kind_of(out),
    };
    PyValueError::new_err(format!(
        "`out`: expected a contiguous, writable array of shape ({}) and dtype uint8 or float32, \
         found {found}",
        expected.join(", ")
    ))
}

fn channel<'py>(py: Python<'py>, row: &Channel) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", row.to_string())?;
    dict.set_item("view", row.view.name())?;
    dict.set_item("meaning", row.meaning)?;
    dict.set_item("unit", row.unit)?;
    dict.set_item("most", row.most)?;
    dict.set_item("one", row.one)?;
    Ok(dict)
}

fn features<'py>(py: Python<'py>, row: &Features) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", format!("{}.{}.{}", row.block, row.name, row.view.name()))?;
    dict.set_item("view", row.view.name())?;
    dict.set_item("meaning", row.meaning)?;
    dict.set_item("first", row.first)?;
    dict.set_item("features", row.domain.len())?;
    Ok(dict)
}

fn scalar<'py>(py: Python<'py>, row: &Scalar) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", row.name)?;
    dict.set_item("view", row.view.name())?;
    dict.set_item("meaning", row.meaning)?;
    dict.set_item("unit", row.unit)?;
    Ok(dict)
}
