//! Why the tables of an environment cannot be made or move on.

use jantaku_agents::AgentError;
use jantaku_engine::rules::Contradiction;
use jantaku_engine::{Action, ActionSet, Seat};

pub use super::starts::WrongStarts;

/// Why the tables of an environment cannot be made or move on.
///
/// After an error of [`VecEnv::send`] or [`VecEnv::recv`], the environment is as before and can be
/// used.
///
/// [`VecEnv::recv`]: super::VecEnv::recv
/// [`VecEnv::send`]: super::VecEnv::send
#[derive(Debug, thiserror::Error)]
pub enum EnvError {
    /// The rules contradict each other.
    #[error(transparent)]
    Rules(#[from] Contradiction),
    /// The starts are not standings of the rules.
    #[error("start: {0}")]
    Starts(#[from] WrongStarts),
    /// A value of the configuration is not valid.
    #[error("`{field}`: expected {expected}, found {found}")]
    Config {
        /// The field of the configuration.
        field: &'static str,
        /// What was expected.
        expected: String,
        /// What was found.
        found: String,
    },
    /// An opponent follows whole games.
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
    /// The arrays have no room for a row, or different numbers of rows.
    #[error("expected arrays of the same number of rows, at least 1, found {found}")]
    Room {
        /// The numbers of rows.
        found: String,
    },
    /// Nothing can be received, because all decisions were handed out and none was answered.
    #[error("nothing to receive: {outstanding} decisions wait for their actions, send them first")]
    NothingDue {
        /// The number of decisions that were handed out.
        outstanding: usize,
    },
    /// An action is wrong; none of the same call was taken.
    #[error(transparent)]
    Action(#[from] WrongAction),
}

/// An action that cannot be taken, and why.
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
    /// No action has the number.
    #[error("row {row}: expected an action from 0 to 164, found {found}")]
    Number {
        /// The row.
        row: usize,
        /// The number.
        found: String,
    },
    /// No decision has the ID, or its action was sent already.
    #[error("row {row}: no decision of table {table}, seat {seat} waits for an action")]
    NotDue {
        /// The row.
        row: usize,
        /// The table.
        table: usize,
        /// The seat.
        seat: usize,
    },
    /// No seat has the ID.
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
