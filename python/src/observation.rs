//! `Observation`: what one player sees at a decision.
//!
//! # Why
//!
//! **Why is an `Observation` a copy?** Python keeps objects as long as it likes, while the game
//! continues. A copy of the table and of the player's own tiles takes 0.1 µs and holds no hidden
//! tile, so no hidden tile can be reached from it. Rejected: a reference to the game with a check
//! that it has not advanced.

use jantaku_agents::encode::Encoder;
use jantaku_engine::rules::options::TileKinds;
use jantaku_engine::{Observation, Phase, Riichi, Seat, Snapshot, Suit, Tile};
use jantaku_pages::draw;
use jantaku_show::text;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};

use crate::action::{action_list, action_mask, action_of};
use crate::encoder::{encode, encoder_of};
use crate::errors::value_error;
use crate::number::SeatNumber;
use crate::pickle::Remade;
use crate::rules::PyRules;
use crate::table::{PyDiscard, PyMeld, PyOffer};
use crate::tiles::{TileName, by_kind, seat_of, tile_names};

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
#[pyclass(name = "Observation", module = "jantaku", frozen, eq)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct PyObservation(pub(crate) Snapshot);

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

methods! {
    impl PyObservation;

    get(self) {
        /// The seat of the player.
        seat: u8 = self.observe().seat().number();

        /// The player's concealed tiles in order, with the tile just drawn.
        hand: Vec<TileName> = tile_names(self.observe().hand_with_draw().tiles());

        /// The tile just drawn; None outside the player's turn.
        drawn: Option<TileName> = self.observe().drawn().map(TileName);

        /// The shanten of the hand with the tile just drawn; 0 is tenpai, -1 complete.
        shanten: i8 = self.observe().hand_with_draw().shanten(self.observe().melds().len()).number();

        /// The kinds that complete the hand without the tile just drawn, with or without a yaku.
        waits: Vec<TileName> = tile_names(self.observe().waits().iter().map(Tile::plain));

        /// Whether the hand without the tile just drawn is tenpai under the rules.
        is_tenpai: bool = self.observe().is_tenpai();

        /// Whether the player is furiten.
        is_furiten: bool = self.observe().is_furiten();

        /// The number of decisions that the player has made in this hand.
        decision_count: u16 = self.observe().decision_count();

        /// The rules.
        rules: PyRules = PyRules(*self.observe().rules());

        /// What is decided: ``turn``, ``claim`` (of a discard), ``kan_claim`` (of the tile of a kan or
        /// kita), ``draw`` (whether a tenpai hand is shown), ``end`` (whether the dealer ends the
        /// game), or ``over``.
        // stub: -> Literal["turn", "claim", "kan_claim", "draw", "end", "over"]
        phase: &'static str = phase_name(self.observe().phase());

        /// The number of the hand, 0 for East 1: it goes up when the deal passes.
        round: u16 = self.observe().round();

        /// The round wind: ``E``, ``S``, ``W`` or ``N``.
        // stub: -> _Wind
        round_wind: char = self.observe().round_wind().letter();

        /// The wind of each seat: ``E``, ``S``, ``W`` or ``N``.
        // stub: -> list[_Wind]
        seat_winds: Vec<char> = self.by_seat(|seat| self.observe().seat_wind(seat).letter());

        /// The name of the hand, such as ``East 1-0``: round wind, dealer and honba.
        hand_name: String = {
            let o = self.observe();
            text::hand_name(o.round(), o.honba(), o.rules())
        };

        /// The dealer's seat.
        dealer: u8 = self.observe().dealer().number();

        /// Honba.
        honba: u16 = self.observe().honba();

        /// Riichi sticks on the table.
        sticks: u16 = self.observe().sticks();

        /// Points by seat, with the riichi sticks of this hand already paid.
        scores: Vec<i32> = self.observe().scores().iter().copied().collect();

        /// The seat whose turn it is.
        turn: u8 = self.observe().turn().number();

        /// The tile that may be claimed now; None in the player's own turn.
        offer: Option<PyOffer> = self.observe().offer().map(PyOffer);

        /// The number of tiles that are left in the live wall.
        live: u8 = self.observe().live();

        /// The open dora indicators.
        indicators: Vec<TileName> = tile_names(self.observe().indicators().iter().copied());

        /// The kinds that the open indicators make dora, one for each indicator.
        dora: Vec<TileName> = {
            let sanma = self.observe().rules().tiles == TileKinds::ThreePlayer;
            let dora = |tile: &Tile| Tile::plain(tile.kind().dora(sanma));
            tile_names(self.observe().indicators().iter().map(dora))
        };

        /// All discards of the hand in order.
        discards: Vec<PyDiscard> = self.observe().discards().iter().map(PyDiscard).collect();

        /// The melds of each seat.
        melds: Vec<Vec<PyMeld>> =
            self.by_seat(|seat| self.observe().side(seat).melds().iter().copied().map(PyMeld).collect());

        /// Whether each seat is in riichi.
        riichi: Vec<bool> = self.by_seat(|seat| self.observe().side(seat).riichi() != Riichi::None);

        /// The number of Norths that each seat has set aside.
        norths: Vec<u8> = self.by_seat(|seat| self.observe().side(seat).norths());

        /// The number of kans that all players have declared in this hand.
        kans: u8 = self.observe().kans();

        /// The legal actions in order of their numbers; empty unless the player must decide.
        // stub: -> list[Action]
        legal<'py>(py): PyResult<Bound<'py, PyList>> = action_list(py, self.observe().legal());

        /// The legal actions as a mask: an array of shape (165,), dtype bool.
        action_mask<'py>(py): Bound<'py, PyArray1<bool>> = action_mask(py, self.observe().legal());

        /// The number of concealed tiles of each kind, with the tile just drawn: shape (34,), dtype
        /// uint8.
        hand_counts<'py>(py): Bound<'py, PyArray1<u8>> = {
            let hand = self.observe().hand_with_draw();
            PyArray1::from_vec(py, by_kind(|kind| hand.count(kind)))
        };

        /// The number of red fives of characters, dots and bamboo among the concealed tiles: shape (3,),
        /// dtype uint8.
        hand_reds<'py>(py): Bound<'py, PyArray1<u8>> = {
            let hand = self.observe().hand_with_draw();
            PyArray1::from_vec(py, Suit::NUMBERED.map(|suit| hand.reds(suit) as u8).to_vec())
        };

        /// The number of tiles of each kind that the player has not seen: shape (34,), dtype uint8.
        unseen<'py>(py): Bound<'py, PyArray1<u8>> = {
            let unseen = self.observe().unseen();
            PyArray1::from_vec(py, by_kind(|kind| unseen.of(kind) as usize))
        };
    }

    /// Whether an action, or the action with this number, is legal.
    fn is_legal(&self, action: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.observe().legal().contains(action_of(action)?))
    }

    /// An action of this decision with its tiles, such as ``chi 34s``.
    fn describe(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(self.observe().describe(action_of(action)?.action()))
    }

    /// The decision as numbers for a network. See `Encoder.encode`.
    #[pyo3(signature = (encoder = None, out = None))]
    fn encode<'py>(
        slf: &Bound<'py, PyObservation>,
        encoder: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // By default `planes-v1`.
        encode(encoder.map_or(Ok(Encoder::ALL[0]), encoder_of)?, slf, out)
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

    fn __reduce__<'py>(slf: &Bound<'py, PyObservation>) -> PyResult<Remade<'py>> {
        let bytes = PyBytes::new(slf.py(), &slf.get().0.to_bytes());
        Ok((slf.get_type().getattr("_from_bytes")?, PyTuple::new(slf.py(), [bytes])?))
    }

    fn __copy__(slf: Py<PyObservation>) -> Py<PyObservation> {
        slf
    }

    fn __deepcopy__(slf: Py<PyObservation>, _memo: &Bound<'_, PyAny>) -> Py<PyObservation> {
        slf
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
            self.hand_name(),
            phase_name(o.phase()),
            o.hand(),
            o.melds(),
            o.legal().len()
        )
    }

    /// The discards of a seat in order.
    fn river(&self, seat: SeatNumber) -> PyResult<Vec<PyDiscard>> {
        let o = self.observe();
        let seat = seat_of(seat.0, o.rules().players)?;
        Ok(o.discards().of(seat).map(PyDiscard).collect())
    }
}
