//! `Outcome` and `Win`: how hands ended.

use jantaku_engine::{DrawReason, HandEnd, Limit, Outcome, Rules, Seat, WonHand};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use serde::{Deserialize, Serialize};

use crate::tiles::TileName;

/// A winning hand.
#[pyclass(name = "Win", module = "jantaku", frozen, eq)]
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub(crate) struct PyWin {
    hand: WonHand,
    rules: Rules,
}

impl PyWin {
    pub(crate) fn new(hand: &WonHand, rules: &Rules) -> PyWin {
        PyWin { hand: hand.clone(), rules: *rules }
    }

    fn yaku_with_han(&self) -> impl Iterator<Item = (&'static str, u8)> {
        let score = &self.hand.score;
        score.yaku.iter().map(|yaku| (yaku.name(), score.han_of(yaku, &self.rules)))
    }

    fn bonus(&self) -> [(&'static str, u8); 4] {
        let dora = &self.hand.score.dora;
        [("dora", dora.dora), ("ura_dora", dora.ura), ("red_fives", dora.red), ("kita", dora.north)]
    }
}

methods! {
    impl PyWin;
    pickle(text);

    get(self) {
        /// The winner's seat.
        winner: u8 = self.hand.winner.number();

        /// The seat that discarded the tile or declared the robbed kan or kita; None for a tsumo.
        from_seat: Option<u8> = self.hand.from.map(Seat::number);

        /// The winning tile.
        tile: TileName = TileName(self.hand.tile);

        /// Han with dora; 0 for a yakuman.
        han: u32 = self.hand.score.han();

        /// Fu.
        fu: u8 = self.hand.score.fu;

        /// The parts of the fu: each reason with its fu. Empty if fu do not count.
        fu_parts: Vec<(String, u8)> =
            self.hand.fu_parts.iter().map(|part| (part.reason.to_string(), part.fu)).collect();

        /// How many yakuman the hand is worth; 0 for an ordinary hand.
        yakuman: u8 = self.hand.score.yakuman;

        /// ``mangan``, ``haneman``, ``baiman``, ``sanbaiman`` or ``yakuman``; None below.
        limit: Option<&'static str> =
            Some(self.hand.score.limit).filter(|limit| *limit != Limit::None).map(Limit::name);

        /// The points that the hand wins, without honba and riichi sticks.
        points: i32 = self.hand.points;

        /// The points that each seat wins or loses by this win, with honba and without riichi sticks.
        payments: Vec<i32> = self.hand.payments.iter().copied().collect();

        /// The yaku with their han: 0 for a yakuman.
        // stub: -> dict[str, int]
        yaku<'py>(py): PyResult<Bound<'py, PyDict>> = self.yaku_with_han().into_py_dict(py);

        /// The han of ``dora``, ``ura_dora``, ``red_fives`` and ``kita``.
        // stub: -> dict[str, int]
        dora<'py>(py): PyResult<Bound<'py, PyDict>> = self.bonus().into_py_dict(py);
    }

    fn __repr__(&self) -> String {
        let PyWin { hand, .. } = self;
        let how = hand.from.map_or_else(|| "tsumo".to_owned(), |from| format!("ron from seat {from}"));
        let bonus = self.bonus().into_iter().filter(|(_, han)| *han > 0);
        let yaku = self.yaku_with_han().chain(bonus).map(|(name, han)| format!("{name} {han}"));
        format!(
            "<Win seat {}, {how} of {}, {}, {} points>",
            hand.winner,
            hand.tile,
            yaku.collect::<Vec<_>>().join(", "),
            hand.points
        )
    }
}

/// How a hand ended and what was paid.
#[pyclass(name = "Outcome", module = "jantaku", frozen, eq)]
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub(crate) struct PyOutcome {
    outcome: Outcome,
    rules: Rules,
}

impl PyOutcome {
    pub(crate) fn new(outcome: &Outcome, rules: &Rules) -> PyOutcome {
        PyOutcome { outcome: outcome.clone(), rules: *rules }
    }

    /// The reason for a draw.
    fn reason(&self) -> Option<DrawReason> {
        match self.outcome.end {
            HandEnd::Win(_) => None,
            HandEnd::Draw { reason, .. } => Some(reason),
        }
    }
}

methods! {
    impl PyOutcome;
    pickle(text);

    get(self) {
        /// The winning hands, in turn order after the discarder; empty after a draw.
        wins: Vec<PyWin> = self.outcome.wins().iter().map(|hand| PyWin::new(hand, &self.rules)).collect();

        /// The reason for a draw, such as ``exhaustive`` or ``kyuushu-kyuuhai``; None after a win.
        draw: Option<&'static str> = self.reason().map(DrawReason::name);

        /// The seats that were tenpai at a draw and showed it.
        tenpai: Vec<u32> = match &self.outcome.end {
            HandEnd::Win(_) => Vec::new(),
            HandEnd::Draw { tenpai, .. } => tenpai.iter().map(|seat| seat.number().into()).collect(),
        };

        /// The points that each seat wins or loses, including the riichi sticks of winners.
        deltas: Vec<i32> = self.outcome.deltas.iter().copied().collect();

        /// Riichi sticks that stay on the table.
        sticks: u16 = self.outcome.sticks;
    }

    fn __str__(&self) -> String {
        jantaku_show::text::outcome(&self.outcome, &self.rules)
    }

    fn __repr__(&self) -> String {
        let deltas = self.outcome.deltas.as_slice();
        let end = match self.reason() {
            Some(reason) => format!("draw: {reason}"),
            None => self.wins().iter().map(PyWin::__repr__).collect::<Vec<_>>().join(", "),
        };
        format!("<Outcome {end}, deltas {deltas:?}>")
    }
}
