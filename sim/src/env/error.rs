//! Errors of an environment.

use jantaku_agents::AgentError;
use jantaku_engine::rules::Contradiction;
use jantaku_engine::{Action, ActionSet, Seat};

use crate::run::ConfigError;

/// An error of an environment.
///
/// An error of [`VecEnv::send`] or [`VecEnv::recv`] leaves the environment unchanged and usable.
///
/// [`VecEnv::recv`]: super::VecEnv::recv
/// [`VecEnv::send`]: super::VecEnv::send
#[derive(Debug, thiserror::Error)]
pub enum EnvError {
    /// The rules contradict each other.
    #[error(transparent)]
    Rules(#[from] Contradiction),
    /// There are no starts, a weight of one is not positive, or the rules do not allow one.
    #[error("start: {0}")]
    Starts(String),
    /// A field of the configuration has an invalid value.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// An opponent needs the events of whole games.
    #[error(
        "agent `{agent}` follows whole games by their events; expected an opponent that decides from \
         observations, such as `heuristic` or `neural:model=FILE`"
    )]
    FollowsGames {
        /// The agent.
        agent: String,
    },
    /// An opponent could not answer.
    #[error("table {table}: {error}")]
    Agent {
        /// The table.
        table: usize,
        /// The error of the agent.
        error: AgentError,
    },
    /// The threads cannot start.
    #[error("cannot start threads: {0}")]
    Threads(String),
    /// The environment was not configured to store its state.
    #[error("the state cannot be stored: expected an environment with `resumable`")]
    NotResumable,
    /// A state is not one of this environment.
    #[error("the state is not one of this environment: expected {expected}, found {found}")]
    State {
        /// What was expected.
        expected: String,
        /// What was found.
        found: String,
    },
    /// The arrays have no room for a row, or different numbers of rows.
    #[error("expected arrays of the same number of rows, at least 1, found {found}")]
    Room {
        /// The numbers of rows.
        found: String,
    },
    /// Nothing can be received: all decisions were returned, and none was answered.
    #[error("nothing to receive: {outstanding} decisions wait for their actions, send them first")]
    NothingDue {
        /// The number of decisions without an answer.
        outstanding: usize,
    },
    /// An action is wrong. No action of the call was accepted.
    #[error(transparent)]
    Action(#[from] WrongAction),
}

/// Why an action cannot be accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongAction {
    /// There are not as many actions as rows.
    #[error("expected {expected} actions, one for each row, found {found}")]
    Count {
        /// The number of rows.
        expected: usize,
        /// The number of actions.
        found: usize,
    },
    /// There is no action with this number.
    #[error("row {row}: expected an action from 0 to 164, found {found}")]
    Number {
        /// The row.
        row: usize,
        /// The number.
        found: String,
    },
    /// There is no open decision with this ID, or it was answered already.
    #[error("row {row}: no decision of table {table}, seat {seat} waits for an action")]
    NotDue {
        /// The row.
        row: usize,
        /// The table.
        table: usize,
        /// The seat.
        seat: usize,
    },
    /// The ID is out of range.
    #[error("row {row}: expected an ID from 0 to {most}, found {found}")]
    Id {
        /// The row.
        row: usize,
        /// The highest ID.
        most: usize,
        /// What was found.
        found: String,
    },
    /// The action is not legal.
    #[error("row {row}: table {table}, {seat:?} may not {action}; legal actions are {legal:?}")]
    Illegal {
        /// The row.
        row: usize,
        /// The table.
        table: usize,
        /// The seat.
        seat: Seat,
        /// The action.
        action: Action,
        /// The legal actions.
        legal: ActionSet,
    },
}
