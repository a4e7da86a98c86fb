//! Whether another engine plays and scores by the same rules.
//!
//! `docs/conformance.md` describes the questions that the engine under test answers.
//!
//! - `peer`: the process of that engine, and questions with their answers
//! - `lockstep`: a hand that both engines play
//! - `vectors`: hands to score
//! - `themes`: what is asked
//! - this file: the request, and the result
//!
//! # Why
//!
//! **Why does this engine play along instead of comparing with the words of a rule case?** Each check of a
//! case is a fact about legal actions, events or payments, and all of these are compared at every decision.
//! So cases, perft positions and random games are the same: a wall, and answers to play.

mod lockstep;
mod peer;
mod themes;
mod vectors;

use jantaku_agents::mjai::{Event, start_game};
use jantaku_engine::{Rules, named_enum};
use serde::Serialize;
use serde_json::Value;

use peer::{Difference, Hello, Peer};

named_enum! {
    /// What another engine is asked.
    Theme {
        /// Every answer at the positions of perft.
        Perft = "perft",
        /// Hands of rule cases, move by move.
        Cases = "cases",
        /// Values of hands.
        Scoring = "scoring",
        /// Games of random players.
        Games = "games",
    }
}

/// The engine under test cannot be asked.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConformError(String);

/// What to ask another engine.
#[derive(Clone, Debug)]
pub struct ConformRequest {
    /// The themes; all if empty.
    pub only: Vec<Theme>,
    /// Seconds for each answer.
    pub seconds: f64,
    /// Games under each of six presets.
    pub games: u32,
    /// Random hands to score under each of four presets.
    pub hands: u32,
    /// The seed of games and hands.
    pub seed: u64,
}

/// How far another engine follows the same rules.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Conformance {
    /// The name of the engine, as it states it.
    pub engine: String,
    /// Its version, as it states it; may be empty.
    pub version: String,
    /// The seed of games and hands.
    pub seed: u64,
    /// Why items that the engine supports were not asked, or that there are none.
    pub error: Option<String>,
    /// The result of each theme.
    pub themes: Vec<ThemeScore>,
}

/// How far another engine passes a theme.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ThemeScore {
    /// The theme.
    pub theme: Theme,
    /// The number of positions, cases, hands or games without a difference.
    pub passed: u64,
    /// The number with a difference.
    pub failed: u64,
    /// The number that the engine does not support, most of them because of their rules.
    pub not_supported: u64,
    /// The number left out because the engine failed too often.
    pub not_asked: u64,
    /// The differences, those after the fewest moves first.
    pub failures: Vec<Failure>,
}

/// A difference, and the way to it.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Failure {
    /// The position, case, hand or game, with its rules.
    pub name: String,
    /// The question that begins it: a deal, or a hand to score.
    pub question: Value,
    /// The answers after the deal: the seat and the action.
    pub moves: Vec<String>,
    /// What the rules say.
    pub expected: String,
    /// What the engine says instead, or what went wrong.
    pub found: String,
    /// The events up to the difference, in mjai; empty for a hand to score.
    pub events: Vec<Event>,
}

impl Conformance {
    /// Starts the engine of this command line and asks it everything that it supports. `ended` receives
    /// the result of each theme.
    ///
    /// # Errors
    ///
    /// If the engine cannot be started, or does not answer `hello`.
    pub fn check(
        command: &[String],
        request: &ConformRequest,
        mut ended: impl FnMut(&ThemeScore),
    ) -> Result<Conformance, ConformError> {
        let mut peer = Peer::start(command, request.seconds)?;
        let mut themes = Vec::new();
        let wanted = |theme: &Theme| request.only.is_empty() || request.only.contains(theme);
        for theme in Theme::ALL.into_iter().filter(wanted) {
            let mut asked = Asked { peer: &mut peer, score: ThemeScore::new(theme) };
            asked.run(request);
            asked.score.failures.sort_by_key(|failure| failure.moves.len());
            ended(&asked.score);
            themes.push(asked.score);
        }
        if themes.iter().all(|score| score.passed + score.failed == 0) {
            peer.error = Some(peer.tagged("nothing was compared, because there is no item that it supports"));
        }
        let Hello { name, version, .. } = peer.hello;
        Ok(Conformance { engine: name, version, seed: request.seed, error: peer.error, themes })
    }

    /// Whether there is no difference.
    pub fn agrees(&self) -> bool {
        self.themes.iter().all(|score| score.failed == 0)
    }
}

impl ThemeScore {
    fn new(theme: Theme) -> ThemeScore {
        ThemeScore { theme, passed: 0, failed: 0, not_supported: 0, not_asked: 0, failures: Vec::new() }
    }
}

/// A theme that is being asked.
struct Asked<'a, 'p> {
    peer: &'a mut Peer<'p>,
    score: ThemeScore,
}

impl Asked<'_, '_> {
    /// Asks one item, if the engine plays its rules and has not failed too often.
    fn item(
        &mut self,
        name: String,
        rules: &Rules,
        ask: impl FnOnce(&mut Peer<'_>, &mut Failure) -> Result<(), Difference>,
    ) {
        let Asked { peer, score } = self;
        if !peer.plays(score.theme, rules) {
            score.not_supported += 1;
            return;
        }
        if !peer.is_ready() {
            score.not_asked += 1;
            return;
        }
        let mut failure = Failure { name, ..Failure::default() };
        match ask(peer, &mut failure) {
            Ok(()) => score.passed += 1,
            Err(Difference { is_unsupported: true, .. }) => score.not_supported += 1,
            Err(Difference { expected, found, .. }) => {
                if !failure.events.is_empty() {
                    failure.events.insert(0, start_game(rules, Vec::new(), None));
                }
                peer.stop_after_faults(&failure.name, &found);
                score.failed += 1;
                score.failures.push(Failure { expected, found, ..failure });
            }
        }
    }
}
