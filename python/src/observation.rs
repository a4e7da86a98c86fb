//! `Observation`: what one player sees at a decision.
//!
//! # Why
//!
//! **Why is an `Observation` a copy?** Python keeps objects as long as it likes, while the game
//! continues. A copy of the table and of the player's own tiles takes 0.1 µs and holds no hidden
//! tile, so no hidden tile can be reached from it. Rejected: a reference to the game with a check
//! that it has not advanced.

use jantaku_engine::rules::options::TileKinds;
use jantaku_engine::{Observation, Phase, Riichi, Seat, Snapshot, Suit, Tile};
use jantaku_show::{draw, text};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

use crate::action::{action_list, action_mask, action_of};
use crate::encoder::{encode, encoder_of};
use crate::errors::value_error;
use crate::rules::PyRules;
use crate::table::{PyDiscard, PyMeld, PyOffer};
use crate::tiles::{by_kind, kind_list, seat_of, tile_list, tile_name};

/// What one player sees: the table, their own tiles and their legal actions.
///
/// An observation is a copy. It does not change when the game continues, and it holds no hidden
/// tile. It does not depend on whether other players decide at the same time, or on their answers.
///
/// Tiles are texts: ``5m``, ``0p`` (a red five), ``7z``. Arrays by kind have 34 entries: ``1m`` to
/// ``9m``, ``1p`` to ``9p``, ``1s`` to ``9s``, East, South, West, North, White, Green, Red. Lists
/// by seat have an entry for each seat in play, from seat 0.
///
/// Get observations from `Game.decisions`, `Game.observe`, or the replay of a recorded game.
#[pyclass(name = "Observation", module = "jantaku", frozen)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct PyObservation(Snapshot);

impl From<Snapshot> for PyObservation {
    fn from(snapshot: Snapshot) -> PyObservation {
        PyObservation(snapshot)
    }
}

impl PyObservation {
    pub(crate) fn new(observation: &Observation<'_>) -> PyObservation {
        PyObservation(observation.snapshot())
    }

    pub(crate) const fn observe(&self) -> Observation<'_> {
        self.0.observe()
    }

    /// One value for each seat.
    fn by_seat<T>(&self, value: impl Fn(Seat) -> T) -> Vec<T> {
        self.observe().rules().players.seats().map(value).collect()
    }
}

/// The phase of a hand in Python.
pub(crate) const fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Turn => "turn",
        Phase::Claim => "claim",
        Phase::KanClaim => "kan_claim",
        Phase::Draw => "draw",
        Phase::End => "end",
        Phase::Over => "over",
    }
}

#[pymethods]
impl PyObservation {
    /// The seat of the player.
    #[getter]
    fn seat(&self) -> u8 {
        self.observe().seat().number()
    }

    /// The legal actions in order of their numbers; empty unless the player must decide.
    #[getter]
    // stub: -> list[Action]
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        action_list(py, self.observe().legal())
    }

    /// The legal actions as a mask: an array of shape (165,), dtype bool.
    #[getter]
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        action_mask(py, self.observe().legal())
    }

    /// Whether an action, or the action with this number, is legal.
    fn is_legal(&self, action: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.observe().legal().contains(action_of(action)?))
    }

    /// An action of this decision with its tiles, such as ``chi 34s``.
    fn describe(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(self.observe().describe(action_of(action)?.action()))
    }

    /// The player's concealed tiles in order, with the tile just drawn.
    #[getter]
    // stub: -> list[str]
    fn hand<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        tile_list(py, self.observe().hand_with_draw().tiles())
    }

    /// The number of concealed tiles of each kind, with the tile just drawn: shape (34,), dtype
    /// uint8.
    #[getter]
    fn hand_counts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let hand = self.observe().hand_with_draw();
        PyArray1::from_vec(py, by_kind(|kind| hand.count(kind)))
    }

    /// The number of red fives of characters, dots and bamboo among the concealed tiles: shape (3,),
    /// dtype uint8.
    #[getter]
    fn hand_reds<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let hand = self.observe().hand_with_draw();
        PyArray1::from_vec(py, Suit::NUMBERED.map(|suit| hand.reds(suit) as u8).to_vec())
    }

    /// The tile just drawn; None outside the player's turn.
    #[getter]
    fn drawn(&self, py: Python<'_>) -> Option<Py<PyString>> {
        self.observe().drawn().map(|tile| tile_name(py, tile))
    }

    /// The shanten of the hand with the tile just drawn; 0 is tenpai, -1 complete.
    #[getter]
    fn shanten(&self) -> i8 {
        let o = self.observe();
        o.hand_with_draw().shanten(o.melds().len()).number()
    }

    /// The kinds that complete the hand without the tile just drawn, by shape.
    #[getter]
    // stub: -> list[str]
    fn waits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        kind_list(py, self.observe().waits())
    }

    /// Whether the hand without the tile just drawn is tenpai under the rules.
    #[getter]
    fn is_tenpai(&self) -> bool {
        self.observe().is_tenpai()
    }

    /// Whether the player is furiten.
    #[getter]
    fn is_furiten(&self) -> bool {
        self.observe().is_furiten()
    }

    /// The tiles of each kind that the player has not seen: shape (34,), dtype uint8.
    #[getter]
    fn unseen<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let unseen = self.observe().unseen();
        PyArray1::from_vec(py, by_kind(|kind| unseen.of(kind) as usize))
    }

    /// The decisions that the player has made in this hand.
    #[getter]
    fn decision_count(&self) -> u16 {
        self.observe().decision_count()
    }

    /// The decision as numbers for a network. See `Encoder.encode`.
    #[pyo3(signature = (encoder = None, out = None))]
    fn encode<'py>(
        slf: &Bound<'py, PyObservation>,
        encoder: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        encode(encoder_of(encoder)?, slf, out)
    }

    /// The table as this player sees it, as an SVG picture.
    fn svg(&self) -> String {
        draw::observation(&self.observe())
    }

    fn _repr_html_(&self) -> String {
        self.svg()
    }

    /// The observation of these bytes, for pickle.
    #[staticmethod]
    fn _from_bytes(bytes: &[u8]) -> PyResult<PyObservation> {
        Snapshot::from_bytes(bytes).map(PyObservation).map_err(value_error)
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, PyObservation>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let bytes = PyBytes::new(slf.py(), &slf.get().0.to_bytes());
        Ok((slf.get_type().getattr("_from_bytes")?, PyTuple::new(slf.py(), [bytes])?))
    }

    fn __copy__(slf: Py<PyObservation>) -> Py<PyObservation> {
        slf
    }

    fn __deepcopy__(slf: Py<PyObservation>, _memo: &Bound<'_, PyAny>) -> Py<PyObservation> {
        slf
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyObservation>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        let o = self.observe();
        u64::from(o.seat().number()) << 32 | u64::from(o.live()) << 16 | u64::from(o.decision_count())
    }

    fn __str__(&self) -> String {
        text::observation(&self.observe())
    }

    fn __repr__(&self) -> String {
        let o = self.observe();
        let drawn = o.drawn().map_or_else(String::new, |tile| format!("+{tile}"));
        format!(
            "<Observation seat {}, {}, {}, hand {}{}{drawn}, {} legal>",
            o.seat(),
            text::hand_name(o.round(), o.honba(), o.rules()),
            phase_name(o.phase()),
            o.hand(),
            o.melds(),
            o.legal().len()
        )
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(*self.observe().rules())
    }

    /// What is decided: ``turn``, ``claim`` (of a discard), ``kan_claim`` (of the tile of a kan or
    /// kita), ``draw`` (whether a tenpai hand is shown), ``end`` (whether the dealer ends the
    /// game), or ``over``.
    #[getter]
    // stub: -> Literal["turn", "claim", "kan_claim", "draw", "end", "over"]
    fn phase(&self) -> &'static str {
        phase_name(self.observe().phase())
    }

    /// The number of the hand: it goes up when the deal passes.
    #[getter]
    fn round(&self) -> u16 {
        self.observe().round()
    }

    /// The round wind: ``E``, ``S``, ``W`` or ``N``.
    #[getter]
    // stub: -> _Wind
    fn round_wind(&self) -> char {
        self.observe().round_wind().letter()
    }

    /// The wind of each seat: ``E``, ``S``, ``W`` or ``N``.
    #[getter]
    // stub: -> list[_Wind]
    fn seat_winds(&self) -> Vec<char> {
        self.by_seat(|seat| self.observe().seat_wind(seat).letter())
    }

    /// The name of the hand, such as ``East 1-0``: round wind, dealer and honba.
    #[getter]
    fn hand_name(&self) -> String {
        let o = self.observe();
        text::hand_name(o.round(), o.honba(), o.rules())
    }

    /// The dealer's seat.
    #[getter]
    fn dealer(&self) -> u8 {
        self.observe().dealer().number()
    }

    /// Honba.
    #[getter]
    fn honba(&self) -> u16 {
        self.observe().honba()
    }

    /// Riichi sticks on the table.
    #[getter]
    fn sticks(&self) -> u16 {
        self.observe().sticks()
    }

    /// Points by seat, with the riichi sticks of this hand already paid.
    #[getter]
    fn scores(&self) -> Vec<i32> {
        self.observe().scores().iter().copied().collect()
    }

    /// The seat whose turn it is.
    #[getter]
    fn turn(&self) -> u8 {
        self.observe().turn().number()
    }

    /// The tile that may be claimed now; None in the player's own turn.
    #[getter]
    fn offer(&self) -> Option<PyOffer> {
        self.observe().offer().map(PyOffer)
    }

    /// Undrawn live tiles.
    #[getter]
    fn live(&self) -> u8 {
        self.observe().live()
    }

    /// The open dora indicators.
    #[getter]
    // stub: -> list[str]
    fn indicators<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        tile_list(py, self.observe().indicators().iter().copied())
    }

    /// The kinds that the open indicators make dora, one for each indicator.
    #[getter]
    // stub: -> list[str]
    fn dora<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let o = self.observe();
        let sanma = o.rules().tiles == TileKinds::ThreePlayer;
        tile_list(py, o.indicators().iter().map(|tile| Tile::plain(tile.kind().dora(sanma))))
    }

    /// All discards of the hand in order.
    #[getter]
    fn discards(&self) -> Vec<PyDiscard> {
        self.observe().discards().iter().map(PyDiscard).collect()
    }

    /// The discards of a seat in order.
    fn river(&self, seat: i64) -> PyResult<Vec<PyDiscard>> {
        let o = self.observe();
        let seat = seat_of(seat, o.rules().players)?;
        Ok(o.discards().of(seat).map(PyDiscard).collect())
    }

    /// The melds of each seat.
    #[getter]
    fn melds(&self) -> Vec<Vec<PyMeld>> {
        self.by_seat(|seat| self.observe().side(seat).melds().iter().copied().map(PyMeld).collect())
    }

    /// Whether each seat is in riichi.
    #[getter]
    fn riichi(&self) -> Vec<bool> {
        self.by_seat(|seat| self.observe().side(seat).riichi() != Riichi::None)
    }

    /// The Norths that each seat has set aside.
    #[getter]
    fn norths(&self) -> Vec<u8> {
        self.by_seat(|seat| self.observe().side(seat).norths())
    }

    /// Kans that all players have declared in this hand.
    #[getter]
    fn kans(&self) -> u8 {
        self.observe().kans()
    }
}
