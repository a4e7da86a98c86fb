//! The agent `tsumogiri`.

use jantaku_engine::{Action, Declare, Observation, Rng};

use crate::Policy;
use crate::entry::{Built, Entry};

pub(crate) const ENTRY: Entry = Entry {
    name: "tsumogiri",
    about: "discards every tile that it draws, and never wins or calls",
    options: &[],
    build: |_, _| Ok(Built::policy(Tsumogiri)),
};

/// Discards every tile that it draws, and never wins or calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tsumogiri;

impl Policy for Tsumogiri {
    #[inline]
    fn choose(&self, o: &Observation<'_>, _: &mut Rng) -> Action {
        let tsumogiri = Action::Tsumogiri { declare: Declare::Nothing };
        let usual = if o.legal().contains(tsumogiri.id()) { tsumogiri } else { Action::Pass };
        if o.legal().contains(usual.id()) {
            return usual;
        }
        // After a call that another agent made for the seat, no tile is drawn.
        o.legal().iter().next().expect("a decision has a legal action").action()
    }
}
