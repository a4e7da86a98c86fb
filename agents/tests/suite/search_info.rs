//! Search info reach the replies of both interfaces of an agent.

use jantaku_agents::{Agent, Batched, Estimate, Greedy, Policy, Random, Reply, Request, SearchInfo, TableId};
use jantaku_engine::{Action, ActionId, Game, Observation, Rng, Rules};

/// Chooses at random and reports everything about it.
struct Thinker;

impl Policy for Thinker {
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        self.reply(o, rng).action
    }

    fn reply(&self, o: &Observation<'_>, rng: &mut Rng) -> Reply {
        let count = o.legal().len() as usize;
        let probability = 1.0 / count as f32;
        let estimate = |id: ActionId| Estimate { mean: f32::from(id.number()), standard_error: Some(0.5) };
        let search_info = SearchInfo {
            value: Some(0.0),
            policy: Some(vec![probability; count]),
            action_values: Some(o.legal().iter().map(|id| Some(estimate(id))).collect()),
            probability: Some(probability),
        };
        Reply { action: Random.choose(o, rng), search_info: Some(Box::new(search_info)), took: None }
    }
}

#[test]
fn search_info_reach_the_reply_of_both_interfaces() {
    let rules = Rules::default();
    let mut game = Game::new(&rules, 3);
    while !game.is_over() {
        let (seat, legal) = game.decisions().next().expect("a seat has to decide");
        let (observation, rng) = (game.observe(seat), game.random_stream(seat, 0));
        let mut replies = Vec::new();
        let mut requests = [Request { table: TableId(0), observation, rng: rng.clone() }];
        Batched(&Thinker).decide(&mut requests, &mut replies).expect("a policy answers");
        let reply = Thinker.reply(&observation, &mut rng.clone());
        let batched = replies.remove(0);
        assert!(batched.took.is_some() && reply.took.is_none(), "the batch is timed");
        assert_eq!(Reply { took: None, ..batched }, reply);
        assert_eq!(Thinker.choose(&observation, &mut rng.clone()), reply.action, "both methods agree");
        let search_info = reply.search_info.expect("the agent reports search info");
        assert_eq!(search_info.policy.map(|policy| policy.len()), Some(legal.len() as usize));
        assert_eq!(search_info.action_values.map(|values| values.len()), Some(legal.len() as usize));
        assert_eq!(Greedy::default().reply(&observation, &mut rng.clone()).search_info, None);
        game.submit(seat, reply.action).expect("a legal action");
    }
}
