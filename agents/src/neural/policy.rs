//! The agent `neural` as a policy.

use std::sync::{Arc, Mutex, PoisonError};

use jantaku_engine::{Action, Observation, Rng};

use super::agent::{Network, Neural};
use crate::{Agent as _, Policy, Reply, Request, TableId};

/// A network that decides one action at a time, on any thread.
///
/// Each caller takes an idle agent, or starts one that shares the weights.
pub(super) struct NeuralPolicy {
    name: String,
    network: Arc<Network>,
    idle: Mutex<Vec<Neural>>,
}

impl NeuralPolicy {
    /// A policy of a network that can be [shared](super::Evaluator::share).
    pub(super) fn new(name: &str, network: &Arc<Network>) -> NeuralPolicy {
        NeuralPolicy { name: name.to_owned(), network: Arc::clone(network), idle: Mutex::default() }
    }

    /// Answers a decision, with search info or without.
    ///
    /// # Panics
    ///
    /// If the network fails, or answers a number that is not finite.
    fn answer(&self, o: &Observation<'_>, rng: &mut Rng, keeps_search_info: bool) -> Reply {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut agent = idle.unwrap_or_else(|| Neural::alone(&self.name, &self.network));
        agent.keeps_search_info = keeps_search_info;
        let mut requests = [Request { table: TableId(0), observation: *o, rng: rng.clone() }];
        let mut replies = Vec::with_capacity(1);
        let decided = agent.decide(&mut requests, &mut replies);
        decided.unwrap_or_else(|error| panic!("{error}"));
        let [request] = requests;
        *rng = request.rng;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(agent);
        replies.pop().expect("a request has a reply")
    }
}

impl Policy for NeuralPolicy {
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        self.answer(o, rng, false).action
    }

    fn reply(&self, o: &Observation<'_>, rng: &mut Rng) -> Reply {
        self.answer(o, rng, true)
    }
}
