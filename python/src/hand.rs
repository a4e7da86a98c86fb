//! `Hand`: the analysis of a single hand.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use jantaku_engine::{Rules, Shanten};
use jantaku_pages::draw;
use jantaku_show::analysis::{Analysis, DiscardChoice, Question, UkeireKind, Won, analyse};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use serde::{Deserialize, Serialize};

use crate::errors::value_error;
use crate::json::{result_to_python, to_json};
use crate::outcome::PyWin;
use crate::pickle::Pickle;
use crate::rules::{PyRules, rules_of};
use crate::tiles::{TileName, tile_names};

/// A hand: its shanten, waits, ukeire and discards, and its value if it wins.
///
/// ```python
/// hand = jantaku.Hand("34m567m345p678s55s+2m", dora="4s", riichi="single")
/// hand.score.points       # 7700
/// hand.score.yaku         # {'riichi': 1, 'pinfu': 1, 'tanyao': 1}
/// jantaku.Hand("123m456p789s1122z").ukeire    # {'1z': 2, '2z': 2}
/// ```
///
/// Parameters
/// ----------
/// tiles : str
///     The tiles in hand notation: ``0m`` is a red five, ``[123m]`` a chi, ``[777z]`` a pon,
///     ``<7777z>`` an ankan. After ``+`` comes the last tile, which wins or has just been drawn.
/// rules : Rules, str or os.PathLike, default "tenhou"
/// **facts
///     How the hand wins. By default, South wins by ron in the East round.
///
///     by : "ron" or "tsumo"; win : the last tile; melds : more melds; dora, ura : indicators;
///     seat, round : "E", "S", "W", "N"; riichi : "single" or "double"; from_ : the discarder, such
///     as "left" or "E"; honba, riichi_sticks, kita, dealer_wins : int; ippatsu, haitei, rinshan,
///     chankan, first_turn, open_riichi, riichi_tile, after_kan, discarder_riichi,
///     kita_replacement : bool; pao : list of liabilities. They are the keys of
///     ``jantaku hand --jsonl``.
///
/// Raises
/// ------
/// ValueError
///     If the tiles are not a hand, or the facts contradict each other or the rules.
#[pyclass(name = "Hand", module = "jantaku", frozen)]
#[derive(Debug)]
pub(crate) struct PyHand {
    tiles: String,
    rules: Rules,
    facts: Py<PyDict>,
    analysis: Analysis,
}

methods! {
    impl PyHand;

    get(self) {
        /// The tiles in hand notation.
        tiles: &str = &self.tiles;

        /// The rules.
        rules: PyRules = PyRules(self.rules);

        /// The shanten of all tiles, the last one included: 0 is tenpai, -1 complete.
        shanten: i8 = self.analysis.shanten.best.number();

        /// Whether the hand without its last tile is tenpai.
        is_tenpai: bool = self.analysis.is_tenpai;

        /// The kinds that complete the hand without its last tile; empty unless it is tenpai.
        waits: Vec<TileName> = {
            let kinds = self.analysis.ukeire.iter().filter(|_| self.analysis.is_tenpai);
            tile_names(kinds.map(|ukeire| ukeire.kind.into()))
        };

        /// The discards, best first: lowest shanten, then most ukeire. Empty for a hand of 13 tiles.
        discards: Vec<PyDiscardChoice> =
            self.analysis.discards.iter().cloned().map(PyDiscardChoice).collect();

        /// Why a complete hand has no value, such as ``a win needs a yaku``; else None.
        no_score: Option<String> = Some(self.analysis.won.as_ref()?.as_ref().err()?.to_string());

        /// How the hand wins, as given.
        facts<'py>(py): PyResult<Bound<'py, PyDict>> = self.facts.bind(py).copy();

        /// The shanten for each shape: ``standard``, ``seven_pairs`` and ``thirteen_orphans``. None for
        /// a shape that melds exclude.
        // stub: -> dict[str, int | None]
        shanten_by_shape<'py>(py): PyResult<Bound<'py, PyDict>> = {
            let shanten = self.analysis.shanten;
            let shapes = [
                ("standard", Some(shanten.standard)),
                ("seven_pairs", shanten.seven_pairs),
                ("thirteen_orphans", shanten.thirteen_orphans),
            ];
            shapes.map(|(shape, shanten)| (shape, shanten.map(Shanten::number))).into_py_dict(py)
        };

        /// The kinds that lower the shanten of the hand without its last tile. Each has the number of
        /// its tiles outside the hand and the indicators.
        // stub: -> dict[str, int]
        ukeire<'py>(py): PyResult<Bound<'py, PyDict>> = ukeire_dict(py, &self.analysis.ukeire);
    }

    #[new]
    #[pyo3(signature = (tiles, /, rules = None, **facts))]
    fn new(
        py: Python<'_>,
        tiles: String,
        rules: Option<&Bound<'_, PyAny>>,
        facts: Option<Bound<'_, PyDict>>,
    ) -> PyResult<PyHand> {
        let rules = rules.map_or(Ok(Rules::default()), rules_of)?;
        let facts = facts.unwrap_or_else(|| PyDict::new(py));
        let mut question = serde_json::Map::new();
        question.insert("hand".to_owned(), tiles.clone().into());
        for (name, value) in &facts {
            let name: String = name.extract()?;
            // `from` is a keyword of Python.
            let json = to_json(&name, &value)?;
            question.insert(name.trim_end_matches('_').to_owned(), json);
        }
        let question = serde_json::Value::Object(question).to_string();
        let question = Question::from_json(&question).map_err(value_error)?;
        let analysis = analyse(&question, &rules).map_err(value_error)?;
        Ok(PyHand { tiles, rules, facts: facts.unbind(), analysis })
    }

    /// The value of the hand if it wins, else None.
    #[getter]
    fn score(slf: &Bound<'_, PyHand>) -> Option<PyScore> {
        let won = slf.get().analysis.score()?;
        let win = PyWin::new(&won.hand, &slf.get().rules);
        Some(PyScore { hand: slf.clone().unbind(), won: won.clone(), win })
    }

    /// The tiles as an SVG picture.
    fn svg(&self) -> PyResult<String> {
        Ok(draw::hand(&self.tiles.parse().map_err(value_error)?))
    }

    fn _repr_html_(&self) -> PyResult<String> {
        self.svg()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut text = format!("Hand('{}'", self.tiles);
        if self.rules != Rules::default() {
            text += &format!(", rules={}", PyRules(self.rules).__repr__(py)?);
        }
        for (name, value) in self.facts.bind(py) {
            text += &format!(", {name}={}", value.repr()?);
        }
        Ok(text + ")")
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<PyHand>() else { return Ok(false) };
        let other = other.get();
        Ok(self.tiles == other.tiles && self.rules == other.rules && self.facts.bind(py).eq(&other.facts)?)
    }

    fn __hash__(&self) -> u64 {
        BuildHasherDefault::<DefaultHasher>::new().hash_one(&self.tiles)
    }

    /// The arguments that make the hand again, for pickle.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((&str, PyRules), Bound<'py, PyDict>)> {
        Ok(((&self.tiles, self.rules()), self.facts(py)?))
    }
}

fn ukeire_dict<'py>(py: Python<'py>, ukeire: &[UkeireKind]) -> PyResult<Bound<'py, PyDict>> {
    ukeire.iter().map(|kind| (TileName(kind.kind.into()), kind.left)).into_py_dict(py)
}

/// A discard and the hand after it.
#[pyclass(name = "DiscardChoice", module = "jantaku", frozen, eq)]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub(crate) struct PyDiscardChoice(DiscardChoice);

methods! {
    impl PyDiscardChoice;
    pickle(text);

    get(self) {
        /// The tile; a red five only if there is no plain one.
        tile: TileName = TileName(self.0.tile);

        /// The shanten after the discard.
        shanten: i8 = self.0.shanten.number();

        /// The number of tiles that lower the shanten.
        count: u32 = self.0.count();

        /// The kinds that lower the shanten and have tiles left, each with their number.
        // stub: -> dict[str, int]
        ukeire<'py>(py): PyResult<Bound<'py, PyDict>> = ukeire_dict(py, &self.0.ukeire);
    }

    fn __repr__(&self) -> String {
        let DiscardChoice { tile, shanten, ukeire } = &self.0;
        let ukeire: Vec<String> = ukeire.iter().map(|kind| format!("{}×{}", kind.kind, kind.left)).collect();
        format!(
            "<DiscardChoice {tile}, shanten {}, {} tiles: {}>",
            shanten.number(),
            self.count(),
            ukeire.join(" ")
        )
    }
}

/// The value of a winning hand.
#[pyclass(name = "Score", module = "jantaku", frozen)]
#[derive(Debug)]
pub(crate) struct PyScore {
    /// The hand that has this value.
    hand: Py<PyHand>,
    won: Won,
    win: PyWin,
}

methods! {
    impl PyScore;

    get(self) {
        /// Han with dora; 0 for a yakuman.
        han: u32 = self.win.han();

        /// Fu.
        fu: u8 = self.win.fu();

        /// The parts of the fu: each reason with its fu. Empty if fu do not count.
        fu_parts: Vec<(String, u8)> = self.win.fu_parts();

        /// How many yakuman the hand is worth; 0 for an ordinary hand.
        yakuman: u8 = self.win.yakuman();

        /// ``mangan``, ``haneman``, ``baiman``, ``sanbaiman`` or ``yakuman``; None below.
        limit: Option<&'static str> = self.win.limit();

        /// The points of the hand, without honba and riichi sticks.
        points: i32 = self.won.hand.points;

        /// The yaku with their han: 0 for a yakuman.
        // stub: -> dict[str, int]
        yaku<'py>(py): PyResult<Bound<'py, PyDict>> = self.win.yaku(py);

        /// The han of ``dora``, ``ura_dora``, ``red_fives`` and ``kita``.
        // stub: -> dict[str, int]
        dora<'py>(py): PyResult<Bound<'py, PyDict>> = self.win.dora(py);

        /// Who pays what: ``discarder``, or ``dealer`` and ``others``; ``by_seat`` from the dealer on;
        /// ``riichi_sticks``; and the ``total`` that the winner gets.
        // stub: -> dict[str, Any]
        payments<'py>(py): PyResult<Bound<'py, PyAny>> = result_to_python(py, &self.won.payments);
    }

    fn __repr__(&self) -> String {
        let value = match self.yakuman() {
            0 => format!("{} han {} fu", self.han(), self.fu()),
            1 => "yakuman".to_owned(),
            several => format!("{several} yakuman"),
        };
        let yaku: Vec<&str> = self.won.yaku.iter().map(|(yaku, _)| yaku.name()).collect();
        format!("<Score {value}, {} points: {}>", self.points(), yaku.join(", "))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<PyScore>() else { return Ok(false) };
        self.hand.bind(py).eq(&other.get().hand)
    }

    fn __hash__(&self) -> u64 {
        self.hand.get().__hash__()
    }

    /// Pickles as the attribute `score` of the hand.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickle<'py, (Py<PyHand>, &'static str)>> {
        let attribute_of = py.import("builtins")?.getattr("getattr")?;
        Ok((attribute_of, (self.hand.clone_ref(py), "score")))
    }
}
