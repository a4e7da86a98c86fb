//! The agent `random`.

use jantaku_engine::{Action, Observation, Rng};

use crate::Policy;
use crate::entry::{Built, Entry};

pub(crate) const ENTRY: Entry = Entry {
    name: "random",
    about: "any legal action, each with the same probability",
    options: &[],
    build: |_, _| Ok(Built::policy(Random)),
};

/// Chooses each legal action with the same probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random;

impl Policy for Random {
    #[inline]
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        let legal = o.legal();
        let choice = legal.nth(rng.below(legal.len() as usize) as u32);
        choice.expect("a number below the size of the set has an action").action()
    }
}
