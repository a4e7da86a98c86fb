//! `Encoder`: decisions as numbers for networks.

use jantaku_agents::encode::{
    ArrayKind, ArraySpec, Channel, Encoder, EncoderId, EncoderTable, Features, OracleV1, Rows, RowsMut,
    Scalar, Slice, SliceMut, expand_f32,
};
use jantaku_agents::neural::{Manifest, ValueHead};
use jantaku_engine::{Known, Observation, shortened};
use ndarray::ArrayView3;
use numpy::{PyArray1, PyArray3, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyTuple};

use crate::arrays::{array, copied, entry_of};
use crate::errors::{kind_of, value_error};
use crate::observation::PyObservation;
use crate::pickle::Pickle;
use crate::rules::named_rules;

/// An encoder: a table of channels or features, and how a decision fills them.
///
/// ``planes-v1``
///     Channels of 34 bytes, one for each kind of tile, for convolutional networks: an array of
///     shape (channels, 34). As float32, each byte is multiplied by the scale of its channel.
/// ``sparse-v1``
///     The numbers of the active features, which feed an embedding bag, and a few scalars: a dict
///     of ``active`` (uint16), ``scalars`` (float32) and, for batches, ``counts`` (uint16).
/// ``events-v1``
///     The hand and the events of a hand of play as tokens in order, for transformers, and the
///     scalars of ``sparse-v1``: a dict of ``tokens`` (uint16), ``scalars`` (float32) and, for
///     batches, ``counts`` (uint16). ``torch.nn.Embedding(encoder.size + 1, width,
///     padding_idx=encoder.size)`` embeds padded tokens.
///
/// ``oracle-v1``
///     What a seat does not see, for critics: channels of 34 bytes, as in ``planes-v1``. Only
///     `Game.oracle`, and `VecEnv` and `Dataset` with ``oracle=True``, fill it: no observation has
///     hidden tiles, so ``encode`` and agents refuse it.
///
/// The tables are in ``agents/docs/encoders.md``, and here as `channels`. A version never changes.
///
/// Parameters
/// ----------
/// name : str
///     ``planes-v1``, ``sparse-v1``, ``events-v1`` or ``oracle-v1``.
#[pyclass(name = "Encoder", module = "jantaku", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PyEncoder(Source);

/// What an encoder reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Source {
    /// The observation of a decision.
    Observation(Encoder),
    /// The hidden tiles of a hand: [`OracleV1`].
    Hidden,
}

impl From<Encoder> for PyEncoder {
    fn from(encoder: Encoder) -> PyEncoder {
        PyEncoder(Source::Observation(encoder))
    }
}

impl PyEncoder {
    fn all() -> impl Iterator<Item = PyEncoder> {
        Encoder::ALL.iter().copied().map(PyEncoder::from).chain([PyEncoder(Source::Hidden)])
    }

    /// The encoder, which must encode observations: `oracle-v1` reads hidden tiles.
    fn for_observations(self) -> PyResult<Encoder> {
        match self.0 {
            Source::Observation(encoder) => Ok(encoder),
            Source::Hidden => Err(value_error(format!(
                "`{}` reads hidden tiles, which no observation has: `Game.oracle` encodes them, and \
                 `oracle=True` adds them to the rows of VecEnv and Dataset",
                self.id().name
            ))),
        }
    }

    fn id(self) -> &'static EncoderId {
        match self.0 {
            Source::Observation(encoder) => encoder.id(),
            Source::Hidden => OracleV1::id(),
        }
    }

    fn specs(self) -> &'static [ArraySpec] {
        match self.0 {
            Source::Observation(encoder) => encoder.arrays(),
            Source::Hidden => &[OracleV1::ARRAY],
        }
    }

    fn table(self) -> EncoderTable {
        match self.0 {
            Source::Observation(encoder) => encoder.table(),
            Source::Hidden => EncoderTable { channels: OracleV1::channels(), ..EncoderTable::default() },
        }
    }
}

/// The encoder in an argument: an encoder or its name. Fails for `oracle-v1`, which encodes no
/// observations.
pub(crate) fn encoder_of(argument: &Bound<'_, PyAny>) -> PyResult<Encoder> {
    if let Ok(encoder) = argument.cast::<PyEncoder>() {
        return encoder.get().for_observations();
    }
    let name: String = argument.extract().map_err(|_| {
        PyTypeError::new_err(format!(
            "`encoder`: expected an Encoder or its name, found {}",
            kind_of(argument)
        ))
    })?;
    PyEncoder::new(&name)?.for_observations()
}

/// [`encoder_of`], for classes that are written in Python.
#[pyfunction]
// stub: argument: _Encoder
pub(crate) fn _encoder(argument: &Bound<'_, PyAny>) -> PyResult<PyEncoder> {
    encoder_of(argument).map(PyEncoder::from)
}

methods! {
    impl PyEncoder;

    get(self) {
        /// The name with the version, such as ``planes-v1``.
        name: &'static str = self.id().name;

        /// A hash of the table: 16 hexadecimal digits. The manifest of a network states the hash of its
        /// encoder.
        hash: &'static str = &self.id().hash;

        /// The number of channels, of features of ``sparse-v1``, or of different tokens of ``events-v1``.
        size: usize = self.id().channels;

        /// The number of scalars of ``sparse-v1`` and ``events-v1``; 0 for planes.
        scalars: usize = self.table().scalars.len();

        /// The arrays that a decision fills, by name: a dict for each.
        ///
        /// ``kind`` is what the elements mean: ``planes`` (bytes, 34 for each channel), ``features``
        /// (numbers of active features, then padding), ``counts`` (how many features are active) or
        /// ``scalars``. ``shape`` and ``dtype`` are those of one decision. ``empty`` is the element of a
        /// row without a decision, ``most`` the largest possible one, None for scalars.
        // stub: -> dict[str, dict[str, Any]]
        arrays<'py>(py): PyResult<Bound<'py, PyDict>> = {
            let arrays = self.specs().iter().map(|spec| Ok((spec.name, entry_of(py, spec)?)));
            arrays.collect::<PyResult<Vec<_>>>()?.into_py_dict(py)
        };

        /// The shape of a decision in the first array: (channels, 34), or (most active features or
        /// tokens,).
        // stub: -> tuple[int, ...]
        shape<'py>(py): PyResult<Bound<'py, PyTuple>> = PyTuple::new(py, self.specs()[0].shape);

        /// The rows of the table: a dict for each channel, or for each row of features and scalar.
        // stub: -> list[dict[str, Any]]
        channels<'py>(py): PyResult<Vec<Bound<'py, PyDict>>> = {
            let table = self.table();
            let channels = table.channels.iter().map(|row| channel(py, row));
            let features = table.features.iter().map(|row| features(py, row));
            let scalars = table.scalars.iter().map(|row| scalar(py, row));
            channels.chain(features).chain(scalars).collect()
        };

        /// The factor of each channel that turns bytes into float32: shape (channels,), dtype float32.
        /// For ``sparse-v1`` and ``events-v1``, ones of shape (scalars,).
        scales<'py>(py): Bound<'py, PyArray1<f32>> = {
            let table = self.table();
            let scales = table.channels.iter().map(Channel::scale);
            PyArray1::from_vec(py, scales.chain(table.scalars.iter().map(|_| 1.0)).collect())
        };
    }

    #[new]
    fn new(name: &str) -> PyResult<PyEncoder> {
        PyEncoder::all().find(|encoder| encoder.name() == name).ok_or_else(|| {
            let known = Known::new(name, PyEncoder::all().map(|encoder| encoder.name()));
            value_error(format!("unknown encoder `{}`: {known}", shortened(name)))
        })
    }

    /// The manifest of a network that reads this encoder, as JSON text. The agent ``neural``
    /// expects it in or beside its model (``agents/docs/networks.md``).
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
        let mut manifest = Manifest::new(self.for_observations()?, &rules);
        manifest.rules.name = Some(name);
        manifest.heads.value = value.map(|unit| ValueHead { unit });
        serde_json::to_string_pretty(&manifest).map_err(value_error)
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
    ///     Planes: shape (channels, 34), dtype uint8, or ``out``. Others: ``active`` or ``tokens`` of
    ///     shape (n,), dtype uint16; ``scalars`` of shape (scalars,), dtype float32.
    #[pyo3(signature = (observation, out = None))]
    // stub: out: _Planes | None
    fn encode<'py>(
        &self,
        observation: &Bound<'py, PyObservation>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        encode(self.for_observations()?, observation, out)
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
    ///     Planes: shape (n, channels, 34), dtype uint8, or ``out``. Others: ``active`` or ``tokens`` of
    ///     shape (n, most), dtype uint16, padded with `size`; ``counts`` of shape
    ///     (n,), dtype uint16; ``scalars`` of shape (n, scalars), dtype float32.
    #[pyo3(signature = (observations, out = None))]
    // stub: out: _Planes | None
    fn encode_batch<'py>(
        &self,
        py: Python<'py>,
        observations: Vec<Py<PyObservation>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let encoder = self.for_observations()?;
        let views: Vec<Observation<'_>> = observations.iter().map(|o| o.get().observe()).collect();
        if let Some(out) = out {
            fill_planes(py, encoder, &views, out)?;
            return Ok(out.clone());
        }
        let mut rows = Rows::padded(encoder, views.len());
        py.detach(|| write(&views, &mut rows.view_mut()));
        let arrays = rows.into_arrays().1;
        let arrays = arrays.map(|(spec, values)| Ok((spec.name, array(py, spec, values)?)));
        let arrays = arrays.collect::<PyResult<Vec<_>>>()?;
        if let [(_, array)] = &arrays[..] {
            return Ok(array.clone());
        }
        Ok(arrays.into_py_dict(py)?.into_any())
    }

    fn __repr__(&self) -> String {
        format!("Encoder('{}')", self.name())
    }

    fn __reduce__<'py>(slf: &Bound<'py, PyEncoder>) -> Pickle<'py, (&'static str,)> {
        (slf.get_type().into_any(), (slf.get().name(),))
    }
}

/// One decision as `Encoder.encode` returns it.
pub(crate) fn encode<'py>(
    encoder: Encoder,
    observation: &Bound<'py, PyObservation>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, o) = (observation.py(), observation.get().observe());
    if let Some(out) = out {
        let spec = only_planes(encoder)?;
        // A reshaped array shares its data only if it is contiguous.
        let fits = |array: &Bound<'_, PyUntypedArray>| array.shape() == spec.shape && array.is_c_contiguous();
        if !out.cast::<PyUntypedArray>().is_ok_and(fits) {
            return Err(wrong_out(out, spec.shape));
        }
        let shape = PyTuple::new(py, [&[1], spec.shape].concat())?;
        fill_planes(py, encoder, &[o], &out.call_method1("reshape", (shape,))?)?;
        return Ok(out.clone());
    }
    let mut rows = Rows::new(encoder);
    rows.encode(&[o], |o| o);
    if encoder.arrays().len() == 1 {
        let (spec, values) = rows.into_arrays().1.next().expect("the only array");
        return array(py, spec, values)?.call_method1("reshape", (PyTuple::new(py, spec.shape)?,));
    }
    let (dict, mut arrays) = (PyDict::new(py), rows.inputs().arrays());
    while let Some((spec, elements)) = arrays.next() {
        let elements = match spec.kind {
            // The next array has the count. The list of one decision is cut to it and needs no counts.
            ArrayKind::Features(_) => {
                let count = arrays.next().expect("counts").1.of::<u16>()[0];
                Slice::U16(&elements.of()[..usize::from(count)])
            }
            _ => elements,
        };
        dict.set_item(spec.name, copied(py, elements))?;
    }
    Ok(dict.into_any())
}

/// The array of planes. Fails if the encoder has other arrays.
fn only_planes(encoder: Encoder) -> PyResult<&'static ArraySpec> {
    match encoder.arrays() {
        [spec] if spec.kind == ArrayKind::Planes => Ok(spec),
        _ => Err(value_error("`out`: expected an encoder of planes; others return new arrays")),
    }
}

/// Encodes decisions into the rows, on this thread.
fn write(views: &[Observation<'_>], rows: &mut RowsMut<'_>) {
    views.iter().enumerate().for_each(|(row, view)| rows.encode(row, view));
}

/// Fills an array of decisions × channels × 34.
fn fill_planes(
    py: Python<'_>,
    encoder: Encoder,
    views: &[Observation<'_>],
    out: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let spec = only_planes(encoder)?;
    let shape = [views.len(), spec.shape[0], spec.shape[1]];
    let wrong = || wrong_out(out, &shape);
    if !out.cast::<PyUntypedArray>().is_ok_and(|array| array.shape() == shape) {
        return Err(wrong());
    }
    if let Ok(bytes) = out.cast::<PyArray3<u8>>() {
        let mut bytes = bytes.try_readwrite().map_err(|_| wrong())?;
        let bytes = SliceMut::U8(bytes.as_slice_mut().map_err(|_| wrong())?);
        let mut rows = RowsMut::new(Some(encoder), views.len(), None, [bytes]).map_err(value_error)?;
        py.detach(|| write(views, &mut rows));
        return Ok(());
    }
    let numbers = out.cast::<PyArray3<f32>>().map_err(|_| wrong())?;
    let mut numbers = numbers.try_readwrite().map_err(|_| wrong())?;
    let numbers = numbers.as_array_mut();
    py.detach(|| {
        let mut rows = Rows::padded(encoder, views.len());
        write(views, &mut rows.view_mut());
        let bytes = rows.array(spec.name).expect("the encoder has the array");
        let bytes = ArrayView3::from_shape(shape, bytes).expect("the rows of all decisions");
        expand_f32(encoder.table().channels, bytes, numbers)
    })
    .map_err(value_error)
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
    value_error(format!(
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
