//! Faults of an agent: what went wrong, and how often.

use std::collections::BTreeMap;

use jantaku_engine::named_enum;
use serde::{Deserialize, Serialize};

use crate::TableId;

named_enum! {
    /// What an agent did wrong.
    FaultKind {
        /// The process ended or closed its output.
        Crash = "crash",
        /// No answer came within the time limit.
        Late = "late",
        /// The answer was longer than the limit.
        Oversized = "oversized",
        /// The answer was not JSON.
        NotJson = "not_json",
        /// The answer was JSON but not an answer to the question.
        NotAnAnswer = "not_an_answer",
        /// The action was not legal.
        Illegal = "illegal",
    }
}

/// The decisions of an agent, and how many of them a substitute made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Moves {
    /// All decisions.
    #[serde(rename = "moves")]
    pub all: u64,
    /// The decisions of the substitute.
    pub substituted: u64,
}

impl std::ops::AddAssign for Moves {
    fn add_assign(&mut self, more: Moves) {
        self.all += more.all;
        self.substituted += more.substituted;
    }
}

/// The number of faults of each kind by game, the message of the latest, and the moves of the games that
/// have ended.
///
/// ```
/// use jantaku_agents::{FaultKind, Faults, TableId};
///
/// let mut faults = Faults::default();
/// faults.add(TableId(7), FaultKind::Late, Some("no answer after 10 seconds".to_owned()));
/// assert_eq!((faults.total(), faults.count(FaultKind::Late)), (1, 1));
/// assert_eq!(faults.latest(), Some("no answer after 10 seconds"));
/// let before = faults.before(TableId(7));
/// assert_eq!((before.total(), before.latest()), (0, None));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Faults {
    games: BTreeMap<TableId, [u64; FaultKind::ALL.len()]>,
    /// The game of the latest message, and the message.
    latest: Option<(TableId, String)>,
    /// The moves of the games that have ended.
    moves: BTreeMap<TableId, Moves>,
}

impl Faults {
    /// Counts a fault in a game, and keeps its message if it has one.
    pub fn add(&mut self, game: TableId, kind: FaultKind, message: Option<String>) {
        self.games.entry(game).or_default()[kind as usize] += 1;
        self.latest = message.map(|message| (game, message)).or(self.latest.take());
    }

    /// Counts the moves of a game.
    pub fn add_moves(&mut self, game: TableId, moves: Moves) {
        *self.moves.entry(game).or_default() += moves;
    }

    /// Adds later faults.
    pub fn extend(&mut self, later: &Faults) {
        for (game, counts) in &later.games {
            let own = self.games.entry(*game).or_default();
            own.iter_mut().zip(counts).for_each(|(own, count)| *own += count);
        }
        later.moves.iter().for_each(|(game, moves)| self.add_moves(*game, *moves));
        self.latest = later.latest.clone().or(self.latest.take());
    }

    /// The faults in games before this one.
    #[must_use]
    pub fn before(&self, game: TableId) -> Faults {
        let games = self.games.range(..game).map(|(game, counts)| (*game, *counts)).collect();
        let moves = self.moves.range(..game).map(|(game, moves)| (*game, *moves)).collect();
        Faults { games, latest: self.latest.clone().filter(|(of, _)| *of < game), moves }
    }

    /// The same faults with the numbers of their games raised by `by`, so that they can be added to
    /// the faults of other games with the same numbers.
    #[must_use]
    pub fn shifted(&self, by: u64) -> Faults {
        let later = |game: &TableId| TableId(game.0 + by);
        let games = self.games.iter().map(|(game, counts)| (later(game), *counts)).collect();
        let moves = self.moves.iter().map(|(game, moves)| (later(game), *moves)).collect();
        let latest = self.latest.as_ref().map(|(game, message)| (later(game), message.clone()));
        Faults { games, latest, moves }
    }

    /// The number of games that have ended. 0 for an agent that is not an external engine.
    pub fn games(&self) -> u64 {
        self.moves.len() as u64
    }

    /// The number of games with faults.
    pub fn games_with_faults(&self) -> u64 {
        self.games.len() as u64
    }

    /// The moves of the games that have ended.
    pub fn moves(&self) -> Moves {
        self.moves.values().fold(Moves::default(), |mut sum, moves| {
            sum += *moves;
            sum
        })
    }

    /// The number of faults of this kind.
    pub fn count(&self, kind: FaultKind) -> u64 {
        self.games.values().map(|counts| counts[kind as usize]).sum()
    }

    /// The number of all faults.
    pub fn total(&self) -> u64 {
        self.games.values().flatten().sum()
    }

    /// The kinds that occurred, with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (FaultKind, u64)> {
        FaultKind::ALL.into_iter().map(|kind| (kind, self.count(kind))).filter(|(_, count)| *count > 0)
    }

    /// The message of the latest fault that has one.
    pub fn latest(&self) -> Option<&str> {
        self.latest.as_ref().map(|(_, message)| message.as_str())
    }
}
