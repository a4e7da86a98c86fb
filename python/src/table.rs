//! Parts of the table: discards, melds, offers, standings and results.

use jantaku_engine::{BySeat, Claimed, FinalResult, Meld, MeldKind, Offer, OfferKind, Players, Standing};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::errors::value_error;
use crate::number;
use crate::pickle::Remade;
use crate::tiles::{TileName, tile_names};

/// A discard in a river.
#[pyclass(name = "Discard", module = "jantaku", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Debug)]
pub(crate) struct PyDiscard(pub(crate) jantaku_engine::Discard);

methods! {
    impl PyDiscard;
    pickle(text);

    get(self) {
        /// The seat that discarded it.
        seat: u8 = self.0.seat.number();

        /// The tile, such as ``5m``; ``0m`` is a red five.
        tile: TileName = TileName(self.0.tile);

        /// Whether it was the tile just drawn.
        tsumogiri: bool = self.0.tsumogiri;

        /// Whether it declared riichi.
        riichi: bool = self.0.riichi;

        /// The seat that claimed it; None if it was not claimed.
        claimed_by: Option<u8> = self.0.claimed_by.map(jantaku_engine::Seat::number);
    }

    fn __repr__(&self) -> String {
        let jantaku_engine::Discard { seat, tile, tsumogiri, riichi, claimed_by } = self.0;
        let mut text = format!("<Discard {tile} by seat {seat}");
        text += if riichi { ", riichi" } else { "" };
        text += if tsumogiri { ", tsumogiri" } else { "" };
        text += &claimed_by.map_or_else(String::new, |by| format!(", claimed by seat {by}"));
        text + ">"
    }
}

/// A declared set.
#[pyclass(name = "Meld", module = "jantaku", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Debug)]
pub(crate) struct PyMeld(pub(crate) Meld);

methods! {
    impl PyMeld;
    pickle(text);

    get(self) {
        /// ``chi``, ``pon``, ``daiminkan``, ``kakan`` or ``ankan``.
        // stub: -> Literal["chi", "pon", "daiminkan", "kakan", "ankan"]
        kind: &'static str = match self.0.kind() {
            MeldKind::Chi => "chi",
            MeldKind::Pon => "pon",
            MeldKind::Daiminkan => "daiminkan",
            MeldKind::Kakan => "kakan",
            MeldKind::Ankan => "ankan",
        };

        /// The tiles.
        tiles: Vec<TileName> = tile_names(self.0.tiles());

        /// The claimed tile; None for an ankan.
        claimed: Option<TileName> = self.0.claimed().map(|Claimed { tile, .. }| TileName(tile));

        /// The seat that discarded the claimed tile; None for an ankan.
        from_seat: Option<u8> = self.0.claimed().map(|Claimed { from, .. }| from.number());
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let from = self
            .0
            .claimed()
            .map_or_else(String::new, |claimed| format!(", {} from seat {}", claimed.tile, claimed.from));
        format!("<Meld {} {}{from}>", self.kind(), self.0)
    }
}

/// A tile that others may claim.
#[pyclass(name = "Offer", module = "jantaku", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Debug)]
pub(crate) struct PyOffer(pub(crate) Offer);

methods! {
    impl PyOffer;
    pickle(text);

    get(self) {
        /// The tile.
        tile: TileName = TileName(self.0.tile);

        /// The seat that offers it.
        seat: u8 = self.0.from.number();

        /// How it is offered: ``discard``, ``kakan``, ``ankan`` or ``kita``.
        // stub: -> Literal["discard", "kakan", "ankan", "kita"]
        kind: &'static str = match self.0.kind {
            OfferKind::Discard => "discard",
            OfferKind::Kakan => "kakan",
            OfferKind::Ankan => "ankan",
            OfferKind::Kita => "kita",
        };
    }

    fn __repr__(&self) -> String {
        format!("<Offer {} of seat {}, {}>", self.0.tile, self.0.from, self.kind())
    }
}

/// Where a game stands between two hands.
///
/// Parameters
/// ----------
/// scores : sequence of int
///     Points of each seat.
/// round : int, default 0
///     The number of the hand: it goes up when the deal passes. With four players, East 1 is 0 and
///     South 1 is 4.
/// honba, sticks : int, default 0
///     Honba, and riichi sticks on the table.
/// attempt : int, default 0
///     How often the hand was replayed after fouls; part of the seed of its wall.
/// dealer_wins : int, default 0
///     Hands that the dealer has won since the deal came to them.
#[pyclass(name = "Standing", module = "jantaku", frozen, eq)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PyStanding(pub(crate) Standing);

methods! {
    impl PyStanding;

    get(self) {
        /// Points of each seat.
        scores: Vec<i32> = self.0.scores.as_slice().to_vec();

        /// The number of the hand.
        round: u16 = self.0.round;

        /// Honba.
        honba: u16 = self.0.honba;

        /// Riichi sticks on the table.
        sticks: u16 = self.0.sticks;

        /// How often the hand was replayed after fouls.
        attempt: u16 = self.0.attempt;

        /// Hands that the dealer has won since the deal came to them.
        dealer_wins: u8 = self.0.dealer_wins;
    }

    #[new]
    #[pyo3(signature = (scores, round = 0, honba = 0, sticks = 0, attempt = 0, dealer_wins = 0))]
    fn new(
        #[pyo3(from_py_with = number::scores)] scores: Vec<i32>,
        #[pyo3(from_py_with = number::round)] round: u16,
        #[pyo3(from_py_with = number::honba)] honba: u16,
        #[pyo3(from_py_with = number::sticks)] sticks: u16,
        #[pyo3(from_py_with = number::attempt)] attempt: u16,
        #[pyo3(from_py_with = number::dealer_wins)] dealer_wins: u8,
    ) -> PyResult<PyStanding> {
        let players = u8::try_from(scores.len()).ok().and_then(|count| Players::try_from(count).ok());
        let by_seat = players.and_then(|players| BySeat::from_slice(players, &scores));
        let scores = by_seat.ok_or_else(|| {
            value_error(format!("{} scores: expected one for each of 2 to 4 seats", scores.len()))
        })?;
        Ok(PyStanding(Standing { round, honba, sticks, attempt, dealer_wins, scores }))
    }

    fn __repr__(&self) -> String {
        let Standing { scores, round, honba, sticks, attempt, dealer_wins } = self.0;
        let mut text = format!("Standing({scores:?}, round={round}, honba={honba}, sticks={sticks}");
        if attempt > 0 {
            text += &format!(", attempt={attempt}");
        }
        if dealer_wins > 0 {
            text += &format!(", dealer_wins={dealer_wins}");
        }
        text + ")"
    }

    fn __reduce__<'py>(slf: &Bound<'py, PyStanding>) -> PyResult<Remade<'py>> {
        let Standing { scores, round, honba, sticks, attempt, dealer_wins } = slf.get().0;
        let fields = (scores.as_slice(), round, honba, sticks, attempt, dealer_wins);
        Ok((slf.get_type().into_any(), fields.into_pyobject(slf.py())?))
    }
}

impl PyStanding {
    /// The standing of a game of this many players.
    pub(crate) fn standing(&self, players: Players) -> PyResult<Standing> {
        let (found, expected) = (self.0.scores.players().count(), players.count());
        if found != expected {
            return Err(value_error(format!("{found} scores: expected {expected} under these rules")));
        }
        Ok(self.0)
    }
}

/// A player's placement and result at the end of a game.
///
/// Parameters
/// ----------
/// placement : int
///     The placement; 1 is first place.
/// points : int
///     Points at the end.
/// result : int
///     The result with uma and oka, in points.
#[pyclass(name = "Result", module = "jantaku", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PyResultOfGame(pub(crate) FinalResult);

methods! {
    impl PyResultOfGame;

    get(self) {
        /// The placement; 1 is first place.
        placement: u8 = self.0.placement;

        /// Points at the end.
        points: i32 = self.0.points;

        /// Points minus the return points, plus uma and oka, minus penalties. 55000 is +55.0.
        result: i32 = self.0.result;
    }

    #[new]
    fn new(
        #[pyo3(from_py_with = number::placement)] placement: u8,
        #[pyo3(from_py_with = number::points)] points: i32,
        #[pyo3(from_py_with = number::result)] result: i32,
    ) -> PyResultOfGame {
        PyResultOfGame(FinalResult { placement, points, result })
    }

    fn __repr__(&self) -> String {
        let FinalResult { placement, points, result } = self.0;
        format!("Result(placement={placement}, points={points}, result={result})")
    }

    fn __reduce__<'py>(slf: &Bound<'py, PyResultOfGame>) -> PyResult<Remade<'py>> {
        let FinalResult { placement, points, result } = slf.get().0;
        Ok((slf.get_type().into_any(), (placement, points, result).into_pyobject(slf.py())?))
    }
}
