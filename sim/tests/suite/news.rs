//! News of the batched runner: masked events reach the agents that want them, in order.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use jantaku_agents::{Agent, AgentError, Batched, Greedy, News, Random, Reply, Request, TableId, Update};
use jantaku_engine::rules::PRESETS;
use jantaku_engine::{Concealed, Event, Meld, MeldKind, Seat, Tile, TileKind};
use jantaku_sim::play::{Detail, Job, Players, Schedule, Seatings, Started, StartedAgent};

/// Plays greedily, follows the events, and checks them against the observation at every decision.
struct Follower {
    hands: HashMap<(TableId, Seat), Concealed>,
    heard: Arc<Mutex<Heard>>,
}

/// What a follower has received.
#[derive(Default)]
struct Heard {
    started: HashSet<(TableId, Seat)>,
    ended: HashSet<(TableId, Seat)>,
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
            _ => {}
        }
    }
}

impl Agent for Follower {
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        for request in &*requests {
            let known = self.hands[&(request.table, request.seat())];
            assert_eq!(known, request.observation.hand_with_draw(), "all news precedes the decision");
            self.heard.lock().expect("one thread").decisions += 1;
        }
        Batched(Greedy::default()).decide(requests, replies)
    }

    fn wants_updates(&self) -> bool {
        true
    }

    fn update(&mut self, update: Update<'_>) -> Result<(), AgentError> {
        let Update { table, seat, news } = update;
        let mut heard = self.heard.lock().expect("one thread");
        match news {
            News::GameStart { .. } => assert!(heard.started.insert((table, seat)), "a game starts once"),
            News::Event(event) => {
                assert!(heard.started.contains(&(table, seat)), "the start of the game comes first");
                assert!(!heard.ended.contains(&(table, seat)), "nothing follows the end of the game");
                if matches!(event, Event::GameEnd { .. }) {
                    heard.ended.insert((table, seat));
                }
                drop(heard);
                self.follow(table, seat, event);
            }
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

/// The follower plays some seats. The other agent wants no news.
#[test]
fn subscribers_rebuild_their_hands_from_masked_events() {
    for preset in PRESETS {
        let rules = preset.rules();
        let (seatings, players) = (Seatings::OneVersusRest, rules.players);
        let games = seatings.games_per_set(players);
        for first in [0, 1] {
            let seats = if first == 0 { 1 } else { usize::from(players.count()) - 1 };
            let schedule = Schedule { seed: 1, games, seatings, players };
            let job = Job::new(&rules, schedule, Detail::None);
            let heard = Arc::new(Mutex::new(Heard::default()));
            let follower = Follower { hands: HashMap::new(), heard: heard.clone() };
            let agents = vec![
                StartedAgent::new("follower", Box::new(follower)),
                StartedAgent::new("deaf", Box::new(Deaf)),
            ];
            let mut players = Players::Started(Started::new(agents, vec![first, 1 - first], 2));
            players.play(&job, &mut (), &mut ()).expect("agents answer");
            let heard = heard.lock().expect("the follower is done");
            let followed = seats * games as usize;
            assert_eq!([heard.started.len(), heard.ended.len()], [followed; 2], "{}", preset.name);
            assert!(heard.decisions > 50, "{}: {} decisions", preset.name, heard.decisions);
        }
    }
}
