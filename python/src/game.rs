//! `Game`: a game in play.

use jantaku_agents::encode::OracleV1;
use jantaku_agents::{NamedAgent, NamedPolicy, Policy as _, Sampler, Sampling, mjai};
use jantaku_engine::replay::{GameHistory, RecordedGame, Step};
use jantaku_engine::{
    Action, ActionId, ActionSet, BySeat, Earlier, Event, IllegalAction, Rules, Seat, Standing, TileKind, Wall,
};
use jantaku_pages::draw;
use ndarray::{Array3, Axis};
use numpy::{IntoPyArray, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::action::{PyAction, action_of};
use crate::agent::{agent_of, agents_of};
use crate::errors::{AgentError, IllegalActionError, illegal, value_error};
use crate::json::result_to_python;
use crate::log::PyRecordedGame;
use crate::number::{self, SeatNumber};
use crate::observation::{PyObservation, phase_name};
use crate::outcome::PyOutcome;
use crate::pickle::Remade;
use crate::rules::{PyRules, rules_of};
use crate::table::{PyResultOfGame, PyStanding};
use crate::threads;
use crate::tiles::{TileName, seat_of, tile_names, tiles_of};

/// A game in play.
///
/// A *decision* is a choice among at least two legal actions. The game makes forced moves without
/// asking. Several seats may decide at the same time, such as when a discard can be claimed; the
/// order of their answers does not matter. After the last answer the game runs to the next
/// decision, which may be in the next hand.
///
/// ```python
/// game = jantaku.Game("tenhou", seed=1)
/// while not game.is_over:
///     for view in game.decisions():
///         game.submit(view.seat, random.choice(view.legal))
/// print(game.results)
/// ```
///
/// The same rules, seed and actions give the same game on every machine. A game pickles as these.
///
/// Parameters
/// ----------
/// rules : Rules, str or os.PathLike, default "tenhou"
///     The rules, the name of a preset, or the path of a rule file.
/// seed : int, optional
///     The number from which the walls follow, 0 to 2**64 - 1. By default a random one, which the
///     attribute `seed` holds.
/// start : Standing, optional
///     Where the game starts, instead of East 1.
/// wall : str or sequence of str, optional
///     The tiles of the first wall in the order of the deal, instead of the tiles of the seed.
///
/// Raises
/// ------
/// RulesError
///     If the rules cannot be used.
/// ValueError
///     If the standing or the wall does not fit the rules.
#[pyclass(name = "Game", module = "jantaku")]
#[derive(Clone, Debug)]
pub(crate) struct PyGame {
    history: GameHistory,
}

impl PyGame {
    fn game(&self) -> &jantaku_engine::Game {
        self.history.game()
    }

    fn rules_of_game(&self) -> &Rules {
        self.game().rules()
    }

    fn seat(&self, seat: SeatNumber) -> PyResult<Seat> {
        seat_of(seat.0, self.rules_of_game().players)
    }

    /// What a policy chooses at the decision of a seat.
    fn choice(&self, policy: &NamedPolicy, seat: Seat) -> PyResult<Action> {
        let observation = self.game().observe(seat);
        let action = policy.choose(&observation, &mut self.game().random_stream(seat, policy.salt()));
        let legal = observation.legal();
        if legal.contains(action.id()) {
            return Ok(action);
        }
        Err(illegal(&IllegalAction { seat, action, legal }))
    }
}

methods! {
    impl PyGame;

    get(self) {
        /// The rules.
        rules: PyRules = PyRules(*self.rules_of_game());

        /// The number from which the walls follow.
        seed: u64 = self.game().seed();

        /// The number of seats.
        players: u8 = self.rules_of_game().players.count();

        /// Whether the game is over.
        is_over: bool = self.game().is_over();

        /// The seats that must decide now.
        pending: Vec<u32> = self.game().pending().iter().map(|seat| seat.number().into()).collect();

        /// Points by seat, with the riichi sticks of the hand in play already paid.
        scores: Vec<i32> = self.game().scores().iter().copied().collect();

        /// Placement and result by seat; None before the game is over.
        results: Option<Vec<PyResultOfGame>> =
            Some(self.game().results()?.iter().copied().map(PyResultOfGame).collect());

        /// Hands dealt, the one in play included.
        hand_count: u32 = self.game().hand_count();

        /// Where the game stood at the deal of its first hand.
        start: PyStanding = PyStanding(*self.history.start());

        /// The tiles of the wall of the hand in play, in the order of the deal. No player sees them.
        wall: Vec<TileName> = tile_names(self.game().round().wall().tiles().iter().copied());

        /// A number that identifies the events of the game: their hash.
        signature: u64 = self.history.signature().number();

        /// How each hand that is over ended.
        outcomes: Vec<PyOutcome> = {
            let (mut outcomes, rules) = (Vec::new(), *self.rules_of_game());
            self.history.replay(&mut |event: &Event| {
                if let Event::HandEnd(outcome) = event {
                    outcomes.push(PyOutcome::new(outcome, &rules));
                }
            });
            outcomes
        };

        /// The answers so far: a list of seat and number of the action.
        actions: Vec<(u32, u32)> = {
            let answer = |step: &Step| match step {
                Step::Answer(seat, id) => Some((seat.number().into(), id.number().into())),
                Step::Foul(_) | Step::Stop => None,
            };
            self.history.steps().iter().filter_map(answer).collect()
        };
    }

    #[new]
    #[pyo3(signature = (rules = None, seed = None, *, start = None, wall = None))]
    // stub: wall: str | Sequence[str] | None
    fn new(
        rules: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = number::optional_seed)] seed: Option<u64>,
        start: Option<&PyStanding>,
        wall: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyGame> {
        let rules = rules.map_or(Ok(Rules::default()), rules_of)?;
        let start = start.map_or(Ok(Standing::start(&rules)), |start| start.standing(rules.players))?;
        let wall = wall.map(|wall| Wall::from_tiles(&tiles_of(wall)?, &rules).map_err(value_error));
        let history = GameHistory::new(&rules, seed.unwrap_or_else(random_seed), &start, wall.transpose()?);
        Ok(PyGame { history: history.map_err(value_error)? })
    }

    /// The observations of all seats that must decide now, in order of seats. Empty when the game
    /// is over.
    // stub: -> list[Observation]
    fn decisions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for seat in self.game().pending().iter() {
            list.append(Py::new(py, PyObservation::new(&self.game().observe(seat)))?)?;
        }
        Ok(list)
    }

    /// What a seat sees.
    fn observe(&self, seat: SeatNumber) -> PyResult<PyObservation> {
        Ok(PyObservation::new(&self.game().observe(self.seat(seat)?)))
    }

    /// Answers the decision of a seat.
    ///
    /// Raises IllegalActionError if the seat is not asked or the action is not legal; the game is
    /// unchanged. Under rules with a referee, an illegal action of a seat that is asked is a foul
    /// instead.
    fn submit(&mut self, seat: SeatNumber, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let (seat, id) = (self.seat(seat)?, action_of(action)?);
        self.history.submit(seat, id.action()).map_err(|error| illegal(&error))
    }

    /// Answers the decisions of several seats at once, and returns the next decisions.
    ///
    /// Parameters
    /// ----------
    /// actions : dict of int to Action or int
    ///     An action for each seat that must decide. If one of them cannot be submitted, none is.
    ///
    /// Returns
    /// -------
    /// list of Observation
    ///     As `decisions`.
    // stub: actions: dict[int, Any] -> list[Observation]
    fn step<'py>(&mut self, actions: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyList>> {
        let mut answers: Vec<(Seat, ActionId)> = Vec::with_capacity(4);
        for (seat, action) in actions {
            let (seat, id) = (self.seat(seat.extract()?)?, action_of(&action)?);
            let legal = self.game().observe(seat).legal();
            let is_foul = self.rules_of_game().has_referee() && !legal.is_empty();
            if !legal.contains(id) && !is_foul {
                return Err(illegal(&IllegalAction { seat, action: id.action(), legal }));
            }
            answers.push((seat, id));
        }
        for (seat, id) in answers {
            self.history.submit(seat, id.action()).map_err(|error| illegal(&error))?;
        }
        self.decisions(actions.py())
    }

    /// The action that an agent would choose, with the random numbers of the decision.
    ///
    /// Parameters
    /// ----------
    /// agent : Agent or str
    ///     An agent that decides one action at a time.
    /// seat : int, optional
    ///     The seat; by default the first that must decide.
    #[pyo3(signature = (agent, seat = None))]
    fn ask(&self, agent: &Bound<'_, PyAny>, seat: Option<SeatNumber>) -> PyResult<PyAction> {
        let seat =
            match seat {
                Some(seat) => self.seat(seat)?,
                None => self.game().pending().iter().next().ok_or_else(|| {
                    IllegalActionError::new_err("the game is over: there is nothing to decide")
                })?,
            };
        if !self.game().pending().contains(seat) {
            let legal = ActionSet::EMPTY;
            return Err(illegal(&IllegalAction { seat, action: Action::Pass, legal }));
        }
        let policy = policy_of(&agent_of(agent)?)?;
        Ok(PyAction(self.choice(&policy, seat)?.id()))
    }

    /// Plays agents until a seat without an agent must decide, or to the end of the game.
    ///
    /// Parameters
    /// ----------
    /// agents : Agent, str or list
    ///     An agent for all seats, names separated by commas, or a list with an agent or None for each
    ///     seat.
    ///
    /// Returns
    /// -------
    /// list of Observation
    ///     The observations of the seats that must decide and have no agent; empty at the end of
    ///     the game.
    // stub: agents: _Agent | Sequence[_Agent | None] -> list[Observation]
    fn play<'py>(&mut self, agents: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let py = agents.py();
        let agents = agents_of(agents, self.rules_of_game().players.count().into())?;
        let policies: Vec<Option<NamedPolicy>> =
            agents.iter().map(|agent| agent.as_ref().map(policy_of).transpose()).collect::<PyResult<_>>()?;
        py.detach(|| {
            while let Some(seat) = self.game().pending().iter().find(|seat| policies[seat.index()].is_some())
            {
                let policy = policies[seat.index()].as_ref().expect("the seat has an agent");
                let action = self.choice(policy, seat)?;
                self.history.submit(seat, action).map_err(|error| illegal(&error))?;
            }
            PyResult::Ok(())
        })?;
        self.decisions(py)
    }

    /// Ends the game after the hand in play. The rule ``stopped_uma`` decides whether uma counts.
    fn stop(&mut self) {
        self.history.stop();
    }

    /// Reports a foul that is not an action, under rules with fouls: the hand ends, the seat pays.
    fn foul(&mut self, seat: SeatNumber) -> PyResult<()> {
        let seat = self.seat(seat)?;
        self.history.foul(seat).map_err(value_error)
    }

    /// What happened so far, as mjai events.
    ///
    /// Parameters
    /// ----------
    /// seat : int, optional
    ///     The seat that sees the events: tiles hidden from it are ``?``. By default all are shown.
    ///
    /// Returns
    /// -------
    /// list of dict
    #[pyo3(signature = (seat = None))]
    // stub: -> list[dict[str, Any]]
    fn events<'py>(&self, py: Python<'py>, seat: Option<SeatNumber>) -> PyResult<Bound<'py, PyAny>> {
        let viewer = seat.map(|seat| self.seat(seat)).transpose()?;
        let mut translator = mjai::Translator::new(self.rules_of_game(), self.history.start().scores);
        let mut events = Vec::new();
        self.history.replay(&mut |event: &Event| match viewer {
            Some(viewer) => translator.translate(&event.seen_by(viewer), &mut events),
            None => translator.translate(event, &mut events),
        });
        result_to_python(py, &events)
    }

    /// The game so far as a recorded game, which can be written to a log.
    fn recorded(&self) -> PyRecordedGame {
        let mut recording = RecordedGame::new(*self.rules_of_game());
        self.history.replay(&mut recording);
        PyRecordedGame { game: recording, source: format!("seed {}", self.seed()) }
    }

    /// What a seat does not see, as numbers for critics: the encoder ``oracle-v1``.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray
    ///     Shape (45, 34), dtype uint8.
    fn oracle<'py>(&self, py: Python<'py>, seat: SeatNumber) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let seat = self.seat(seat)?;
        let mut bytes = Array3::zeros((1, OracleV1::CHANNELS, TileKind::COUNT));
        OracleV1::encode_batch([(self.game().round(), seat)], bytes.view_mut()).map_err(value_error)?;
        Ok(bytes.remove_axis(Axis(0)).into_pyarray(py))
    }

    /// Samples games that a seat cannot tell from this one: their hidden tiles are drawn from what the seat
    /// has seen.
    ///
    /// Each starts at the deal of the hand in play and stands at the same decision. The seat has seen the
    /// same events of the hand. The hands of the other players, the rest of the wall and all later walls are
    /// drawn, such that the other players could have played as they did. Other players who decide at
    /// the same time decide again.
    ///
    /// Parameters
    /// ----------
    /// seat : int
    ///     A seat that must decide.
    /// n : int
    ///     How many games, 1 to 100,000.
    /// sampling : str, default "weighted"
    ///     ``weighted`` infers hands from the play of the others, as the agent ``mc`` does. ``uniform`` draws
    ///     every possible hand with the same probability; players in riichi are tenpai.
    /// seed : int, optional
    ///     A number from which the games follow. By default a random one.
    ///
    /// Returns
    /// -------
    /// list of Game
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the seat has no decision to make, or no possible hands were found.
    #[pyo3(signature = (seat, n, *, sampling = "weighted", seed = None))]
    // stub: sampling: Literal["weighted", "uniform"]
    fn sample(
        &self,
        py: Python<'_>,
        seat: SeatNumber,
        #[pyo3(from_py_with = number::n)] n: usize,
        sampling: &str,
        #[pyo3(from_py_with = number::optional_seed)] seed: Option<u64>,
    ) -> PyResult<Vec<PyGame>> {
        let seat = self.seat(seat)?;
        let known = Sampling::named(sampling).ok_or_else(|| {
            let found = jantaku_engine::shortened(sampling);
            value_error(format!("`sampling`: expected weighted or uniform, found `{found}`"))
        })?;
        let seed = seed.unwrap_or_else(random_seed);
        let games = || Sampler::new(&self.history, seat, known)?.games(n, seed);
        let games = py.detach(|| threads::run(games)).map_err(value_error)?;
        Ok(games.into_iter().map(|history| PyGame { history }).collect())
    }

    /// The table with all hands shown, as an SVG picture.
    fn svg(&self) -> String {
        draw::table(self.game().round())
    }

    fn _repr_html_(&self) -> String {
        self.svg()
    }

    /// An independent copy.
    fn copy(&self) -> PyGame {
        self.clone()
    }

    fn __copy__(&self) -> PyGame {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyGame {
        self.clone()
    }

    fn __repr__(&self) -> String {
        let (game, table) = (self.game(), self.game().table());
        let state = if game.is_over() { "over".to_owned() } else { phase_name(table.phase()).to_owned() };
        let name = jantaku_show::text::hand_name(table.round(), table.honba(), table.rules());
        let scores = game.scores().as_slice();
        format!("<Game seed {}, {name}, {state}, scores {scores:?}>", game.seed())
    }

    fn __reduce__<'py>(slf: &Bound<'py, PyGame>) -> PyResult<Remade<'py>> {
        let (py, this) = (slf.py(), slf.try_borrow()?);
        let steps: Vec<u8> = this.history.steps().iter().flat_map(|step| step.to_bytes()).collect();
        let wall = this.history.wall().map(|wall| tile_names(wall.tiles().iter().copied()));
        let earlier = this.history.earlier().map(|earlier| (earlier.hands, earlier.penalties.as_slice()));
        let state = (this.rules(), this.seed(), this.start(), wall, PyBytes::new(py, &steps), earlier);
        Ok((slf.get_type().getattr("_resume")?, state.into_pyobject(py)?))
    }

    /// The game after these steps, for pickle.
    #[staticmethod]
    #[pyo3(signature = (rules, seed, start, wall, steps, earlier = None))]
    fn _resume(
        rules: &PyRules,
        seed: u64,
        start: &PyStanding,
        wall: Option<&Bound<'_, PyAny>>,
        steps: &[u8],
        earlier: Option<(u32, Vec<i32>)>,
    ) -> PyResult<PyGame> {
        let wrong = || value_error("the steps are not those of a game");
        let (pairs, rest) = steps.as_chunks();
        let steps: Option<Vec<Step>> = pairs.iter().copied().map(Step::from_bytes).collect();
        let steps = steps.filter(|_| rest.is_empty()).ok_or_else(wrong)?;
        let start = start.standing(rules.0.players)?;
        let wall = wall.map(|wall| Wall::from_tiles(&tiles_of(wall)?, &rules.0).map_err(value_error));
        let mut history =
            GameHistory::new(&rules.0, seed, &start, wall.transpose()?).map_err(value_error)?;
        if let Some((hands, penalties)) = earlier {
            let penalties = BySeat::from_slice(rules.0.players, &penalties).ok_or_else(wrong)?;
            history = history.after(Earlier { hands, penalties });
        }
        Ok(PyGame { history: history.repeated(&steps).map_err(value_error)? })
    }
}

/// The agent as a policy, which decides one action at a time.
fn policy_of(agent: &NamedAgent) -> PyResult<NamedPolicy> {
    agent.policy().ok_or_else(|| {
        AgentError::new_err(format!(
            "agent `{}` answers batches or follows whole games: it plays in selfplay and match; expected an \
             agent that decides one action at a time, such as `greedy`",
            agent.name()
        ))
    })
}

/// A random seed, for games without a chosen one.
fn random_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}
