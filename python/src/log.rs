//! `RecordedGame`: games of logs and runs.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use jantaku_agents::NamedAgent;
use jantaku_engine::Observer;
use jantaku_engine::replay::{RecordedGame, Spectator};
use jantaku_engine::{Action, Event, Observation, Rules};
use jantaku_measure::explain::{AskError, AskingAdvisor, shown_advisors};
use jantaku_pages::page;
use jantaku_show::view::{GameView, Opening};
use jantaku_sim::logs::files::Games;
use jantaku_sim::replay::convert::{Format, complete};
use jantaku_sim::replay::inputs::{Input, Inputs};
use jantaku_sim::replay::view::view_of_game;
use pyo3::prelude::*;

use crate::action::action_object;
use crate::errors::{LogError, agent_error, value_error};
use crate::json::result_to_python;
use crate::number;
use crate::observation::PyObservation;
use crate::pickle::{Pickle, pickle, restore};
use crate::review::agent_list;
use crate::rules::{PyRules, rules_of};
use crate::table::PyStanding;
use crate::threads;

/// A game as a log states it.
///
/// Get one from `read_log`, `parse_log`, `read_logs` or `Game.recorded`.
#[pyclass(name = "RecordedGame", module = "jantaku", frozen, eq)]
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PyRecordedGame {
    pub(crate) game: RecordedGame,
    pub(crate) source: String,
}

impl PyRecordedGame {
    /// The view of the game with what these agents think of each decision.
    fn advised(&self, agents: &[NamedAgent], threshold: f32) -> Result<GameView, AskError> {
        let advisor = |agent| AskingAdvisor::new(agent, 0, None, threshold);
        let mut advisors: Vec<_> = agents.iter().map(advisor).collect();
        let mut view = view_of_game(&self.source, &self.game, &mut advisors);
        view.advisors = shown_advisors(agents);
        advisors.into_iter().find_map(AskingAdvisor::into_failure).map_or(Ok(view), Err)
    }
}

/// Keeps the decisions of a replay.
#[derive(Default)]
struct Decisions {
    /// The hands dealt so far.
    dealt: usize,
    kept: Vec<(usize, PyObservation, Action)>,
}

impl Observer for Decisions {
    fn event(&mut self, event: &Event) {
        if matches!(event, Event::Deal { .. }) {
            self.dealt += 1;
        }
    }
}

impl Spectator for Decisions {
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        self.kept.push((self.dealt.saturating_sub(1), PyObservation::new(o), action));
    }
}

methods! {
    impl PyRecordedGame;

    get(self) {
        /// Where the game was found.
        source: &str = &self.source;

        /// The rules.
        rules: PyRules = PyRules(self.game.rules);

        /// The players' names by seat; empty if the log does not state them.
        names: Vec<String> = self.game.names.clone();

        /// The number of hands.
        hand_count: usize = self.game.hands.len();

        /// Where the game stood at the deal of each hand.
        standings: Vec<PyStanding> =
            self.game.hands.iter().map(|hand| PyStanding(hand.standing)).collect();

        /// Whether the log claims to reach the end of the game.
        is_whole: bool = self.game.is_whole;

        /// Points by seat at the end; None if the log does not state them.
        final_scores: Option<Vec<i32>> = self.game.final_scores.map(|scores| scores.as_slice().to_vec());

        /// Results by seat with uma and oka, in points; None if the log does not state them.
        results: Option<Vec<i32>> = self.game.results.map(|results| results.as_slice().to_vec());

        /// What the reader of the log did not understand, such as the name of a yaku.
        notes: Vec<String> = self.game.notes.clone();
    }

    /// Replays the game: every decision with what the player saw, and every difference between the
    /// log and its rules.
    // stub: -> Replay
    fn replay<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (report, kept) = py.detach(|| {
            let mut decisions = Decisions::default();
            let report = self.game.replay(&mut decisions);
            (report, decisions.kept)
        });
        let values = py.import("jantaku._values")?;
        let decision = values.getattr("RecordedDecision")?;
        let decisions = kept.into_iter().map(|(hand, observation, action)| {
            decision.call1((observation, action_object(py, action.id())?, hand))
        });
        let decisions = decisions.collect::<PyResult<Vec<_>>>()?;
        let differences: Vec<String> = report.differences.iter().map(ToString::to_string).collect();
        values.getattr("Replay")?.call1((decisions, report.hands, differences))
    }

    /// The game with everything that the rules determine: the yaku and fu of each win, the tenpai
    /// players, the points.
    ///
    /// Raises LogError if the game does not replay as recorded.
    fn complete(&self, py: Python<'_>) -> PyResult<PyRecordedGame> {
        let game = py.detach(|| complete(&self.game)).map_err(log_error)?;
        Ok(PyRecordedGame { game, source: self.source.clone() })
    }

    /// The game as mjai events.
    // stub: -> list[dict[str, Any]]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        result_to_python(py, &jantaku_agents::mjai::write(&self.game))
    }

    /// The game as the text of a log.
    ///
    /// Parameters
    /// ----------
    /// format : str
    ///     ``mjai`` (one event per line), ``tenhou6`` (tenhou.net/6 JSON), or ``tenhou6-url`` (a URL of
    ///     Tenhou's viewer for each hand).
    // stub: format: Literal["mjai", "tenhou6", "tenhou6-url"]
    fn to_log(&self, format: &str) -> PyResult<String> {
        let known = Format::named(format).ok_or_else(|| {
            let found = jantaku_engine::shortened(format);
            value_error(format!("unknown format `{found}`: expected mjai, tenhou6 or tenhou6-url"))
        })?;
        Ok(known.text(&self.game))
    }

    /// The game as a page for the browser: HTML that needs no other file and no network.
    ///
    /// Parameters
    /// ----------
    /// hand : int, default 0
    ///     The hand at which the page opens.
    /// seat : int, default 0
    ///     The seat at the bottom.
    /// closed : bool, default False
    ///     Whether only the hand at the bottom is shown.
    /// agent : str, Agent or sequence, optional
    ///     The agents to ask about each decision: names separated by commas, an agent, or a sequence
    ///     of them. A search such as ``mc`` takes minutes, and its costs are estimates
    ///     only; `analyse` confirms them in fresh rollouts.
    /// threshold : float, default 2000
    ///     A mistake loses more than this many points.
    ///
    /// Raises
    /// ------
    /// AgentError
    ///     If an agent does not answer.
    #[pyo3(signature = (*, hand = 0, seat = 0, closed = false, agent = None, threshold = 2000.0))]
    // stub: agent: _Agent | Sequence[_Agent] | None
    fn to_html(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::hand)] hand: usize,
        #[pyo3(from_py_with = number::seat)] seat: u8,
        closed: bool,
        agent: Option<Bound<'_, PyAny>>,
        threshold: f32,
    ) -> PyResult<String> {
        let (hands, players) = (self.game.hands.len(), self.game.rules.players.count());
        if hand >= hands {
            return Err(value_error(format!("hand {hand}: expected less than {hands}")));
        }
        if seat >= players {
            return Err(value_error(format!(
                "seat {seat}: expected less than {players}, the number of players"
            )));
        }
        let opening = Opening { seat, closed, hand, decision: None };
        let agents = agent.as_ref().map_or_else(|| Ok(Vec::new()), agent_list)?;
        let view = py.detach(|| threads::run(|| self.advised(&agents, threshold)));
        Ok(page(&view.map_err(agent_error)?, opening))
    }

    fn __repr__(&self) -> String {
        let RecordedGame { names, hands, is_whole, .. } = &self.game;
        let part = if *is_whole { "" } else { ", not whole" };
        let names = if names.iter().all(String::is_empty) {
            String::new()
        } else {
            format!(", {}", names.join(", "))
        };
        format!("<RecordedGame {}, {} hands{part}{names}>", self.source, hands.len())
    }

    fn __reduce__<'py>(slf: &Bound<'py, PyRecordedGame>) -> PyResult<Pickle<'py>> {
        let PyRecordedGame { game, source } = slf.get();
        pickle(slf, &(game, source))
    }

    /// The game that a text stores, for pickle.
    #[staticmethod]
    fn _restore(text: &str) -> PyResult<PyRecordedGame> {
        let (game, source) = restore::<PyRecordedGame, (RecordedGame, String)>(text)?;
        game.rules.check().map_err(value_error)?;
        Ok(PyRecordedGame { game, source })
    }
}

fn log_error(error: impl ToString) -> PyErr {
    LogError::new_err(error.to_string())
}

/// Reads the games of a log file: Tenhou's XML, tenhou.net/6 JSON, mjai, Mahjong Soul's records, or
/// a collection with one game per line. Files may be compressed with gzip. A game that breaks off
/// after its first deal keeps the hands before the break; `replay` reports it.
///
/// Parameters
/// ----------
/// path : str or os.PathLike
/// rules : Rules, str or os.PathLike, optional
///     The rules of all games. By default those that a log states, or the rules of Tenhou that fit it.
///
/// Returns
/// -------
/// list of RecordedGame
///
/// Raises
/// ------
/// LogError
///     If a game cannot be read.
/// OSError
///     If the file cannot be read.
#[pyfunction]
#[pyo3(signature = (path, rules = None))]
pub(crate) fn read_log(
    py: Python<'_>,
    path: PathBuf,
    rules: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<PyRecordedGame>> {
    let rules = rules.map(rules_of).transpose()?;
    py.detach(|| read_all(Games::open(&path).map_err(|error| os_error(&path, error))?, rules.as_ref()))
}

/// Reads the games of a text in any of the formats of `read_log`.
#[pyfunction]
#[pyo3(signature = (text, rules = None))]
pub(crate) fn parse_log(
    py: Python<'_>,
    text: String,
    rules: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<PyRecordedGame>> {
    let rules = rules.map(rules_of).transpose()?;
    let content = Cursor::new(text);
    py.detach(|| read_all(Games::of(Path::new("text"), content).map_err(log_error)?, rules.as_ref()))
}

fn read_all(games: Games, rules: Option<&Rules>) -> PyResult<Vec<PyRecordedGame>> {
    let read = |source: Result<jantaku_sim::logs::Source, _>| {
        let source = source.map_err(log_error)?;
        let game = source.read(rules).map_err(|error| log_error(error.in_game(&source.name)))?;
        Ok(PyRecordedGame { game, source: source.name.clone() })
    };
    games.map(read).collect()
}

fn os_error(path: &Path, error: std::io::Error) -> PyErr {
    std::io::Error::new(error.kind(), format!("{}: {error}", path.display())).into()
}

/// Iterates over the games of files, folders of files, and runs.
///
/// Parameters
/// ----------
/// paths : sequence of str or os.PathLike
///     Log files, folders of them (searched in order of name), and runs.
/// rules : Rules, str or os.PathLike, optional
///     The rules of all games. By default those that a log states, or the rules of Tenhou that fit it.
/// skip_errors : bool, default False
///     Whether unreadable games are left out. `errors` keeps their messages.
#[pyclass(name = "Logs", module = "jantaku")]
pub(crate) struct PyLogs {
    /// Nobody waits for this lock: `__next__` has `&mut self`, so it reads without locking.
    inputs: Mutex<Inputs>,
    rules: Option<Rules>,
    skip_errors: bool,
    errors: Vec<String>,
}

methods! {
    impl PyLogs;

    get(self) {
        /// The messages of the games that were left out so far.
        errors: Vec<String> = self.errors.clone();
    }

    #[new]
    #[pyo3(signature = (paths, rules = None, skip_errors = false))]
    // stub: paths: _Path | Sequence[_Path]
    fn new(
        paths: &Bound<'_, PyAny>,
        rules: Option<&Bound<'_, PyAny>>,
        skip_errors: bool,
    ) -> PyResult<PyLogs> {
        let paths: Vec<PathBuf> = paths.extract().map(|path| vec![path]).or_else(|_| paths.extract())?;
        let rules = rules.map(rules_of).transpose()?;
        Ok(PyLogs { inputs: Mutex::new(Inputs::open(&paths)?), rules, skip_errors, errors: Vec::new() })
    }

    fn __iter__(slf: Py<PyLogs>) -> Py<PyLogs> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<PyRecordedGame>> {
        loop {
            let inputs = self.inputs.get_mut().unwrap_or_else(PoisonError::into_inner);
            let read = |input: Input| {
                let source = input.place();
                let game = input.read(self.rules.as_ref()).map_err(|error| error.in_game(&source))?;
                Ok(PyRecordedGame { game, source })
            };
            match py.detach(|| inputs.next().map(|input| input.and_then(read))).transpose() {
                Ok(game) => return Ok(game),
                Err(error) if self.skip_errors => self.errors.push(error.to_string()),
                Err(error) => return Err(log_error(error)),
            }
        }
    }
}
