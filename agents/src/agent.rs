//! The traits of an agent.

use jantaku_engine::{Action, IllegalAction, Observation, Rng};

/// A player that decides one thing at a time: twenty lines make an agent.
///
/// A runner calls [`choose`](Policy::choose) once for every decision of its seats, possibly from several threads at once and
/// for several games in turn, so a policy keeps nothing that changes its decisions. What it answers must be in
/// [`Observation::legal`]; anything else stops the run with an error that shows the observation. Forced moves are never asked.
///
/// The random numbers belong to the decision: they follow from the game's seed, the hand, the seat, the number of the seat's decision in the
/// hand and the agent's [`salt`](Policy::salt). A policy that uses no others and no clock plays the same game whenever and wherever it is run.
///
/// ```
/// use jantaku_agents::Policy;
/// use jantaku_engine::{Action, Game, Observation, Rng, Rules};
///
/// /// Takes the first legal action.
/// struct First;
///
/// impl Policy for First {
///     fn choose(&self, o: &Observation<'_>, _: &mut Rng) -> Action {
///         o.legal().first().expect("a decision has legal actions").action()
///     }
/// }
///
/// let mut game = Game::new(&Rules::default(), 1);
/// while !game.is_over() {
///     let (seat, _) = game.decisions().next().expect("somebody is asked");
///     let action = First.choose(&game.observe(seat), &mut game.random_stream(seat, First.salt()));
///     game.submit(seat, action)?;
/// }
/// # Ok::<(), jantaku_engine::IllegalAction>(())
/// ```
pub trait Policy: Send + Sync {
    /// Chooses one of the legal actions.
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action;

    /// Tells apart agents that should not make the same random choices; 0 unless there is a reason.
    fn salt(&self) -> u64 {
        0
    }
}

/// A decision that an agent is asked for.
#[derive(Debug)]
pub struct Request<'a> {
    /// What the player sees.
    pub observation: Observation<'a>,
    /// The random numbers of this decision.
    pub rng: Rng,
}

/// An answer to a [`Request`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reply {
    /// The choice.
    pub action: Action,
    /// What the agent expects of the game, where it says so: its own scale, stated with the agent.
    pub value: Option<f32>,
}

impl From<Action> for Reply {
    fn from(action: Action) -> Reply {
        Reply { action, value: None }
    }
}

/// A player that decides for many tables at once.
///
/// A runner gathers the decisions that are due in many games, calls [`decide`](Agent::decide) once, and applies the answers; then the next.
/// One agent may sit in several seats and games of a batch. It owns its buffers and may keep them, but nothing that
/// changes its decisions may pass from one game to another.
pub trait Agent: Send {
    /// Answers every request: pushes one reply for each, in their order, to `replies`, which is empty at the call.
    ///
    /// # Errors
    ///
    /// If the agent cannot answer; the run stops, and what was finished is kept.
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError>;
}

/// A [`Policy`] as an [`Agent`]: a batch is answered one decision after the other.
#[derive(Clone, Debug)]
pub struct Batched<P>(pub P);

impl<P: Policy> Agent for Batched<P> {
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        replies.extend(requests.iter_mut().map(|r| Reply::from(self.0.choose(&r.observation, &mut r.rng))));
        Ok(())
    }
}

/// Why an agent gave no usable answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// It answered what is not legal.
    #[error("agent `{agent}` answered illegally: {illegal}\nIt saw:\n{seen}")]
    Illegal {
        /// The agent as it was named.
        agent: String,
        /// What it answered and what was legal.
        illegal: Box<IllegalAction>,
        /// The observation, readable.
        seen: String,
    },
    /// It could not answer.
    #[error("agent `{agent}`: {reason}")]
    Failed {
        /// The agent as it was named.
        agent: String,
        /// Why.
        reason: String,
    },
}
