//! `Action`: what a player can choose.

use jantaku_engine::{Action, ActionId, ActionSet, Declare};
use numpy::PyArray1;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString};

use crate::errors::{kind_of, value_error};
use crate::pickle::Pickle;
use crate::tiles::TileName;

/// A choice at a decision, one of 165.
///
/// An action has a number, the same under all rules, which is its index in masks and in the outputs
/// of networks. A method that takes an action takes the number as well. An action equals its number.
///
/// ======== ================================================================
/// number   action
/// ======== ================================================================
/// 0–36     discard of this tile from the hand
/// 37       tsumogiri: discard of the tile just drawn
/// 38–75    discard or tsumogiri, as 0–37, with riichi
/// 76–113   discard or tsumogiri, as 0–37, with open riichi
/// 114–119  chi with the claimed tile low, middle, high: each without, then with a red five
/// 120–122  pon with 0, 1, 2 red fives
/// 123      daiminkan
/// 124–157  ankan or kakan of this kind
/// 158      kita: a North set aside
/// 159, 160 ron, tsumo
/// 161      kyuushu kyuuhai
/// 162      pass
/// 163      keep a tenpai hand closed at an exhaustive draw
/// 164      end the game
/// ======== ================================================================
///
/// Parameters
/// ----------
/// action : int or str
///     The number, or the text, such as ``"discard 5m"``, ``"riichi tsumogiri"``, ``"chi low"`` or
///     ``"ron"``.
#[pyclass(name = "Action", module = "jantaku", frozen)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct PyAction(pub(crate) ActionId);

/// All actions in order. Each decision shares them.
static ALL: PyOnceLock<Vec<Py<PyAction>>> = PyOnceLock::new();

fn all(py: Python<'_>) -> PyResult<&Vec<Py<PyAction>>> {
    ALL.get_or_try_init(py, || ActionId::all().map(|id| Py::new(py, PyAction(id))).collect())
}

/// The object of an action.
pub(crate) fn action_object(py: Python<'_>, id: ActionId) -> PyResult<Py<PyAction>> {
    Ok(all(py)?[usize::from(id.number())].clone_ref(py))
}

/// The objects of a set of actions, in order of numbers.
pub(crate) fn action_list(py: Python<'_>, set: ActionSet) -> PyResult<Bound<'_, PyList>> {
    let all = all(py)?;
    let list: Vec<_> = set.iter().map(|id| &all[usize::from(id.number())]).collect();
    PyList::new(py, list)
}

/// A set of actions as one flag for each of the 165 actions.
pub(crate) fn action_mask(py: Python<'_>, set: ActionSet) -> Bound<'_, PyArray1<bool>> {
    let mut mask = vec![false; ActionId::COUNT];
    set.iter().for_each(|id| mask[usize::from(id.number())] = true);
    PyArray1::from_vec(py, mask)
}

/// The action in an argument: an action or its number.
#[inline]
pub(crate) fn action_of(argument: &Bound<'_, PyAny>) -> PyResult<ActionId> {
    if let Ok(action) = argument.cast::<PyAction>() {
        return Ok(action.get().0);
    }
    let number: i64 = argument.extract().map_err(|_| {
        PyTypeError::new_err(format!("expected an Action or its number, found {}", kind_of(argument)))
    })?;
    let id = u8::try_from(number).ok().and_then(ActionId::new);
    id.ok_or_else(|| value_error(format!("action {number}: expected a number from 0 to 164")))
}

methods! {
    impl PyAction;

    get(self) {
        /// The number, 0 to 164.
        id: u8 = self.0.number();

        /// What it is: ``discard``, ``tsumogiri``, ``chi``, ``pon``, ``daiminkan``, ``kan``, ``kita``,
        /// ``ron``, ``tsumo``, ``kyuushu_kyuuhai``, ``pass``, ``keep_closed`` or ``end_game``.
        kind: String = self.0.action().word().replace(' ', "_");

        /// The tile of a discard from the hand, or the kind of a kan; None for other actions.
        tile: Option<TileName> = match self.0.action() {
            Action::Discard { tile, .. } => Some(TileName(tile)),
            Action::Kan { kind } => Some(TileName(kind.into())),
            _ => None,
        };

        /// Whether the action declares riichi, open or not.
        is_riichi: bool = match self.0.action() {
            Action::Discard { declare, .. } | Action::Tsumogiri { declare } => declare != Declare::Nothing,
            _ => false,
        };

        /// What the action does, in one sentence.
        meaning: &'static str = self.0.action().meaning();
    }

    #[new]
    // stub: action: SupportsIndex | str
    fn new(action: &Bound<'_, PyAny>) -> PyResult<PyAction> {
        let Ok(text) = action.cast::<PyString>() else { return action_of(action).map(PyAction) };
        let text = text.to_str()?;
        let named = ActionId::all().find(|id| id.action().to_string() == text);
        named.map(PyAction).ok_or_else(|| {
            value_error(format!(
                "`{text}` is not an action: expected text such as 'discard 5m', 'riichi tsumogiri', \
                 'chi low', 'pon', 'kan 7z', 'ron' or 'pass'"
            ))
        })
    }

    /// All actions in order of their numbers.
    #[staticmethod]
    #[pyo3(name = "all")]
    // stub: -> list[Action]
    fn every(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
        PyList::new(py, all(py)?)
    }

    /// The number of actions: 165.
    #[classattr]
    const COUNT: usize = ActionId::COUNT;

    fn __index__(&self) -> u8 {
        self.0.number()
    }

    fn __int__(&self) -> u8 {
        self.0.number()
    }

    fn __hash__(&self) -> u64 {
        self.0.number().into()
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operator: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let number = match other.cast::<PyAction>() {
            Ok(action) => Some(i64::from(action.get().0.number())),
            Err(_) => other.extract::<i64>().ok(),
        };
        let Some(number) = number else { return Ok(py.NotImplemented()) };
        let holds = operator.matches(i64::from(self.0.number()).cmp(&number));
        Ok(holds.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    fn __str__(&self) -> String {
        self.0.action().to_string()
    }

    fn __repr__(&self) -> String {
        format!("Action('{}')", self.0.action())
    }

    fn __reduce__<'py>(slf: &Bound<'py, PyAction>) -> Pickle<'py, (u8,)> {
        (slf.get_type().into_any(), (slf.get().0.number(),))
    }
}
