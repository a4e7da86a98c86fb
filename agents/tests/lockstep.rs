//! Several tables in lockstep: agents answer batches and follow the masked events of their tables.

mod common;

use std::collections::HashMap;

use common::{Table, direct, play};
use jantaku_agents::{
    Agent, AgentError, Batched, Estimate, Greedy, News, Policy, Random, Reply, Request, TableId, Thoughts,
    Tsumogiri, Update,
};
use jantaku_engine::rules::PRESETS;
use jantaku_engine::{
    Action, ActionId, Concealed, Event, Game, Meld, MeldKind, Observation, Rng, Rules, Seat, Tile, TileKind,
};

/// Random choices with random numbers of its own.
struct Salted;

impl Policy for Salted {
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        Random.choose(o, rng)
    }

    fn salt(&self) -> u64 {
        7
    }
}

#[test]
fn batched_policies_play_the_same_games_as_direct_ones() {
    let rules = Rules::default();
    let policies: [&dyn Policy; 4] = [&Random, &Salted, &Greedy { calls: true }, &Tsumogiri];
    let seating = |id: u64| (0..4).map(|seat| (seat + id as usize) % 4).collect::<Vec<_>>();
    let mut tables: Vec<Table> = (0..6).map(|id| Table::start(&rules, id, seating(id))).collect();
    let [mut random, mut salted] = [Batched(&Random as &dyn Policy), Batched(&Salted)];
    let (mut greedy, mut tsumogiri) = (Batched(Greedy::default()), Batched(Tsumogiri));
    let agents: &mut [&mut dyn Agent] = &mut [&mut random, &mut salted, &mut greedy, &mut tsumogiri];
    play(&mut tables, agents).expect("policies answer");
    for table in &tables {
        let by_seat: Vec<&dyn Policy> = table.agents.iter().map(|agent| policies[*agent]).collect();
        assert_eq!(table.signature, direct(&rules, table.id.0, &by_seat), "{:?}", table.id);
    }
    let [plain, salted] = [&Random as &dyn Policy, &Salted].map(|policy| direct(&rules, 0, &[policy; 4]));
    assert_ne!(plain, salted, "a salt gives other random choices");
}

/// Plays greedily, follows the events, and checks them against the observation at every decision.
#[derive(Default)]
struct Follower {
    hands: HashMap<(TableId, Seat), Concealed>,
    games_started: usize,
    games_ended: usize,
    decisions: usize,
}

impl Follower {
    fn take_meld(hand: &mut Concealed, meld: Meld) {
        let mut own: Vec<Tile> = meld.tiles().collect();
        if let Some(claimed) = meld.claimed() {
            own.remove(
                own.iter().position(|tile| *tile == claimed.tile).expect("a meld has the claimed tile"),
            );
        }
        own.into_iter().for_each(|tile| hand.remove(tile));
    }

    fn follow(&mut self, table: TableId, viewer: Seat, event: &Event) {
        if let Event::Deal { hands, .. } = event {
            let others = hands.players().others(viewer);
            assert!(others.into_iter().all(|seat| hands[seat] == [None; 13]), "dealt tiles are hidden");
            let own = hands[viewer].iter().map(|tile| tile.expect("the viewer's own tiles are shown"));
            self.hands.insert((table, viewer), own.collect());
            return;
        }
        let hand = self.hands.get_mut(&(table, viewer)).expect("a hand starts with its deal");
        match event {
            Event::Draw { seat, tile, .. } => match tile {
                Some(tile) if *seat == viewer => hand.add(*tile),
                shown => assert!(shown.is_none() && *seat != viewer, "only the viewer's own draw is shown"),
            },
            Event::Discard { seat, tile, .. } | Event::Kakan { seat, tile } if *seat == viewer => {
                hand.remove(*tile);
            }
            Event::Call { seat, meld } | Event::Ankan { seat, meld } if *seat == viewer => {
                assert!(meld.kind() != MeldKind::Kakan, "a kakan is an event of its own");
                Follower::take_meld(hand, *meld);
            }
            Event::Kita { seat } if *seat == viewer => hand.remove(Tile::plain(TileKind::NORTH)),
            Event::GameEnd { .. } => self.games_ended += 1,
            _ => {}
        }
    }
}

impl Agent for Follower {
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        for request in &*requests {
            let known = self.hands[&(request.table, request.seat())];
            assert_eq!(known, request.observation.hand_with_draw(), "all news precedes the decision");
            self.decisions += 1;
        }
        Batched(Greedy::default()).decide(requests, replies)
    }

    fn wants_updates(&self) -> bool {
        true
    }

    fn update(&mut self, update: Update<'_>) -> Result<(), AgentError> {
        match update.news {
            News::GameStart { .. } => self.games_started += 1,
            News::Event(event) => self.follow(update.table, update.seat, event),
        }
        Ok(())
    }
}

/// An agent that panics if it gets news.
struct Deaf;

impl Agent for Deaf {
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        Batched(Random).decide(requests, replies)
    }

    fn update(&mut self, update: Update<'_>) -> Result<(), AgentError> {
        panic!("no subscription, but received {update:?}")
    }
}

#[test]
fn subscribers_rebuild_their_hands_from_masked_events() {
    for preset in PRESETS {
        let rules = preset.rules();
        let seats = usize::from(rules.players.count());
        // The follower plays every other seat. The other agent wants no news.
        let seating = |id: usize| (0..seats).map(|seat| (seat + id) % 2).collect::<Vec<_>>();
        let mut tables: Vec<Table> = (0..2).map(|id| Table::start(&rules, id as u64, seating(id))).collect();
        let followed: usize = tables.iter().map(|table| table.seats_of(0).count()).sum();
        let mut follower = Follower::default();
        play(&mut tables, &mut [&mut follower, &mut Deaf]).expect("agents answer");
        assert_eq!([follower.games_started, follower.games_ended], [followed; 2], "{}", preset.name);
        assert!(follower.decisions > 100, "{}: {} decisions", preset.name, follower.decisions);
    }
}

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
        let thoughts = Thoughts {
            value: Some(0.0),
            policy: Some(vec![probability; count]),
            action_values: Some(o.legal().iter().map(|id| Some(estimate(id))).collect()),
            probability: Some(probability),
        };
        Reply { action: Random.choose(o, rng), thoughts: Some(Box::new(thoughts)) }
    }
}

#[test]
fn thoughts_reach_the_reply_of_both_interfaces() {
    let rules = Rules::default();
    let mut game = Game::new(&rules, 3);
    while !game.is_over() {
        let (seat, legal) = game.decisions().next().expect("a seat has to decide");
        let (observation, rng) = (game.observe(seat), game.random_stream(seat, 0));
        let mut replies = Vec::new();
        let mut requests = [Request { table: TableId(0), observation, rng: rng.clone() }];
        Batched(&Thinker).decide(&mut requests, &mut replies).expect("a policy answers");
        let reply = Thinker.reply(&observation, &mut rng.clone());
        assert_eq!(replies.first(), Some(&reply));
        assert_eq!(Thinker.choose(&observation, &mut rng.clone()), reply.action, "both methods agree");
        let thoughts = reply.thoughts.expect("the agent reports thoughts");
        assert_eq!(thoughts.policy.map(|policy| policy.len()), Some(legal.len() as usize));
        assert_eq!(thoughts.action_values.map(|values| values.len()), Some(legal.len() as usize));
        assert_eq!(Greedy::default().reply(&observation, &mut rng.clone()).thoughts, None);
        game.submit(seat, reply.action).expect("a legal action");
    }
}
