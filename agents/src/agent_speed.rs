//! How fast an agent plays.

/// About how long an agent takes for a game. Runs of slow agents write smaller parts, so that an
/// interruption loses little.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum AgentSpeed {
    /// Less than a second of one core.
    #[default]
    Fast,
    /// Perhaps seconds or minutes: a search, an external engine, a function of the caller.
    Slow,
}
