//! One hand out of a game.

use super::Spectator;
use crate::event::{Event, Observer};
use crate::outcome::Outcome;
use crate::{Action, Observation};

/// Passes on what happens in one hand, and whether the game ends with it: a game that begins with this hand goes on to deal the next
/// by itself, of which nothing is passed on.
#[derive(Debug)]
pub struct OneHand<'a, S> {
    spectator: &'a mut S,
    /// What has happened since somebody looked, deal and end aside.
    pub(super) events: Vec<Event>,
    outcome: Option<Outcome>,
    is_last: bool,
}

impl<'a, S: Spectator> OneHand<'a, S> {
    /// The hand that is dealt next.
    pub const fn new(spectator: &'a mut S) -> OneHand<'a, S> {
        OneHand { spectator, events: Vec::new(), outcome: None, is_last: false }
    }

    /// How the hand ended; none as long as it has not.
    #[must_use]
    pub const fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Whether the game has ended with the hand.
    #[must_use]
    pub const fn is_last(&self) -> bool {
        self.is_last
    }
}

impl<S: Spectator> Observer for OneHand<'_, S> {
    fn event(&mut self, event: &Event) {
        match event {
            Event::GameEnd { .. } => self.is_last = true,
            _ if self.outcome.is_some() => return,
            Event::HandEnd(outcome) => self.outcome = Some(outcome.clone()),
            Event::Deal { .. } => {}
            event => self.events.push(event.clone()),
        }
        self.spectator.event(event);
    }
}

impl<S: Spectator> Spectator for OneHand<'_, S> {
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        self.spectator.decision(o, action);
    }
}
