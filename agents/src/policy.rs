//! The direct interface: one decision at a time.

use std::fmt;
use std::sync::Arc;

use jantaku_engine::{Action, Observation, Rng};

use crate::Reply;

/// An agent that decides one action at a time.
///
/// A runner shares one policy between its threads and calls it for many games in turn. A policy
/// therefore keeps no state that changes its decisions. An agent that needs batches or the events
/// of its tables implements [`Agent`](crate::Agent) instead.
///
/// The random numbers belong to the decision. They follow from the seed of the game, the hand, the
/// seat, the number of the seat's decision in the hand, and [`salt`](Policy::salt). A policy that
/// uses no other random numbers and no clock plays the same game on every machine and on any number
/// of threads.
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
///     let (seat, _) = game.decisions().next().expect("a seat has to decide");
///     let action = First.choose(&game.observe(seat), &mut game.random_stream(seat, First.salt()));
///     game.submit(seat, action)?;
/// }
/// # Ok::<(), jantaku_engine::IllegalAction>(())
/// ```
pub trait Policy: Send + Sync {
    /// Chooses one of the legal actions.
    ///
    /// A runner calls this once for each decision of the seats that the policy plays, from any of
    /// its threads. Forced moves are not decisions. The action must be in [`Observation::legal`]:
    /// any other action stops the run with an error that shows the observation.
    ///
    /// The calling thread can do nothing else until the call returns. An agent that waits for
    /// another process or a device therefore implements [`Agent`](crate::Agent) instead.
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action;

    /// Chooses one of the legal actions and reports the [`SearchInfo`](crate::SearchInfo) behind it.
    ///
    /// A runner that stores search info calls this instead of [`choose`](Policy::choose), and never
    /// both for one decision. With the same observation and random numbers, both must choose the
    /// same action. The default calls `choose` and reports no search info.
    #[inline]
    fn reply(&self, o: &Observation<'_>, rng: &mut Rng) -> Reply {
        self.choose(o, rng).into()
    }

    /// A number that gives this agent random numbers of its own.
    ///
    /// A runner may read it at any time to seed the random numbers of a decision, so it must never
    /// change. Two random agents with the same salt make the same choices in the same situation.
    /// The default is 0.
    #[inline]
    fn salt(&self) -> u64 {
        0
    }
}

/// Forwards to the policy behind the pointer.
macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<P: Policy + ?Sized> Policy for $pointer {
            #[inline]
            fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
                (**self).choose(o, rng)
            }

            #[inline]
            fn reply(&self, o: &Observation<'_>, rng: &mut Rng) -> Reply {
                (**self).reply(o, rng)
            }

            #[inline]
            fn salt(&self) -> u64 {
                (**self).salt()
            }
        }
    )*};
}

forward!(&P, Box<P>, Arc<P>);

/// A policy with its canonical name. Copies share the policy.
#[derive(Clone)]
pub struct NamedPolicy {
    name: Arc<str>,
    /// The policy's salt. Each decision needs it, and reading a field is cheaper than a call.
    salt: u64,
    policy: Arc<dyn Policy>,
}

impl NamedPolicy {
    /// A policy with a name of the caller's choice, which need not be one of a catalog.
    pub fn new(name: &str, policy: impl Policy + 'static) -> NamedPolicy {
        NamedPolicy { name: name.into(), salt: policy.salt(), policy: Arc::new(policy) }
    }

    pub(crate) fn shared(name: &Arc<str>, policy: Arc<dyn Policy>) -> NamedPolicy {
        NamedPolicy { name: name.clone(), salt: policy.salt(), policy }
    }

    /// The canonical name ([`NamedAgent::name`](crate::NamedAgent::name)).
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for NamedPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl fmt::Debug for NamedPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NamedPolicy").field(&self.name).finish()
    }
}

impl Policy for NamedPolicy {
    #[inline]
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        self.policy.choose(o, rng)
    }

    #[inline]
    fn reply(&self, o: &Observation<'_>, rng: &mut Rng) -> Reply {
        self.policy.reply(o, rng)
    }

    #[inline]
    fn salt(&self) -> u64 {
        self.salt
    }
}
