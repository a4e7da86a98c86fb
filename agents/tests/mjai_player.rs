//! Our agents as players of another program: their view is the view that they would have at our own
//! tables.

mod common;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use common::{Table, direct, play};
use jantaku_agents::mjai::{Answer, Event, Player, PlayerSetup, Translator};
use jantaku_agents::{
    Agent, AgentError, Batched, Catalog, Greedy, News, Policy, Random, Reply, Request, TableId, Update,
};
use jantaku_engine::rules::PRESETS;
use jantaku_engine::{Action, BySeat, Event as EngineEvent, Phase, Rules, Seat};

/// What an agent saw and chose.
type Seen = Arc<Mutex<Option<(String, Action)>>>;

/// An agent that keeps what it saw.
struct Spy<P> {
    policy: P,
    seen: Seen,
}

impl<P: Policy> Agent for Spy<P> {
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        for request in requests {
            let action = self.policy.choose(&request.observation, &mut request.rng);
            *self.seen.lock().expect("one thread") = Some((format!("{:?}", request.observation), action));
            replies.push(action.into());
        }
        Ok(())
    }
}

/// A seat that is played by a [`Player`], which gets one event a line.
struct Chair {
    player: Player,
    seen: Seen,
    translator: Translator,
    unsent: Vec<Event>,
    /// The answer to the last line, if it is an action.
    answer: Option<Answer>,
    has_announced: bool,
}

/// An agent that plays each seat by a [`Player`], and compares what that one sees with the truth.
struct Mirror {
    policy: &'static str,
    chairs: HashMap<(TableId, Seat), Chair>,
    decisions: usize,
    forced: usize,
}

impl Mirror {
    fn new(policy: &'static str) -> Mirror {
        Mirror { policy, chairs: HashMap::new(), decisions: 0, forced: 0 }
    }

    fn start(&self, rules: &Rules, seat: Seat) -> Chair {
        let policy = Catalog::standard().agent(self.policy).expect("an agent").policy().expect("a policy");
        let seen = Seen::default();
        let setup = PlayerSetup { rules: Some(*rules), ..PlayerSetup::default() };
        let mut player = Player::new(Box::new(Spy { policy, seen: seen.clone() }), setup).expect("a policy");
        let start = format!(r#"{{"type":"start_game","id":{}}}"#, seat.number());
        assert!(player.answer(&start).expect("an answer").is_none());
        let translator = Translator::new(BySeat::splat(rules.players, 0));
        Chair { player, seen, translator, unsent: Vec::new(), answer: None, has_announced: false }
    }
}

impl Chair {
    /// Takes an event. An indicator that a discard turns goes before the discard.
    fn take(&mut self, event: &EngineEvent) {
        self.translator.translate(event, &mut self.unsent);
        if let [.., Event::Dahai { .. }, Event::Dora { .. }] = self.unsent[..] {
            let last = self.unsent.len() - 1;
            self.unsent.swap(last - 1, last);
        }
    }

    /// Sends the events since the last question, and returns the number of moves that the player
    /// made because there was no other.
    fn send_all(&mut self, seat: Seat) -> usize {
        let mut forced = 0;
        let own_reach = Event::Reach { actor: seat.number() };
        for event in std::mem::take(&mut self.unsent) {
            if event == own_reach && std::mem::take(&mut self.has_announced) {
                continue;
            }
            if let Event::Dahai { actor, pai, tsumogiri } = &event
                && let Some(answer) = self.answer.take_if(|_| *actor == seat.number())
            {
                assert_eq!((answer.kind.as_str(), answer.tsumogiri), ("dahai", Some(*tsumogiri)));
                assert_eq!(answer.pai, Some(*pai));
                forced += 1;
            }
            assert_eq!(self.answer, None, "an answer where there is nothing to decide, before {event:?}");
            self.send(&event);
        }
        forced
    }

    fn send(&mut self, event: &Event) {
        let line = serde_json::to_string(event).expect("JSON");
        let answer = self.player.answer(&line).unwrap_or_else(|error| panic!("{error}"));
        self.answer = Some(answer).filter(|answer| !answer.is_none());
    }
}

impl Agent for Mirror {
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        for request in &*requests {
            let o = &request.observation;
            if matches!(o.phase(), Phase::Draw | Phase::End) {
                // The format has no words for these questions.
                replies.push(Greedy::default().choose(o, &mut request.rng.clone()).into());
                continue;
            }
            let chair = self.chairs.get_mut(&(request.table, request.seat())).expect("a game");
            self.forced += chair.send_all(o.seat());
            let seen = chair.seen.lock().expect("one thread").take();
            let (seen, action) = seen.unwrap_or_else(|| panic!("no question at {o:?}"));
            assert_eq!(seen, format!("{o:?}"));
            if chair.answer.as_ref().is_some_and(|answer| answer.kind == "reach") {
                chair.send(&Event::Reach { actor: o.seat().number() });
                chair.has_announced = true;
                assert!(chair.answer.as_ref().is_some_and(|answer| answer.kind == "dahai"));
            }
            chair.answer = None;
            self.decisions += 1;
            replies.push(action.into());
        }
        Ok(())
    }

    fn wants_updates(&self) -> bool {
        true
    }

    fn update(&mut self, update: Update<'_>) -> Result<(), AgentError> {
        let key = (update.table, update.seat);
        let event = match update.news {
            News::GameStart { rules } => {
                self.chairs.insert(key, self.start(rules, update.seat));
                return Ok(());
            }
            News::Event(event) => event,
        };
        let chair = self.chairs.get_mut(&key).expect("a game");
        chair.take(event);
        if matches!(event, EngineEvent::GameEnd { .. }) {
            self.forced += chair.send_all(update.seat);
        }
        Ok(())
    }
}

#[test]
fn players_see_what_they_would_see_at_our_tables() {
    let mut forced = 0;
    for preset in PRESETS {
        let rules = preset.rules();
        if rules.has_referee() {
            continue;
        }
        let seats = usize::from(rules.players.count());
        for policy in ["greedy", "noisy:p=0.2", "random"] {
            let mut tables = [Table::start(&rules, 1, vec![0; seats])];
            let mut mirror = Mirror::new(policy);
            play(&mut tables, &mut [&mut mirror, &mut Batched(Random)]).expect("they play");
            assert!(mirror.decisions > 100, "{} {policy}: {} decisions", preset.name, mirror.decisions);
            forced += mirror.forced;
            if policy == "greedy" {
                let greedy = Greedy::default();
                assert_eq!(tables[0].signature, direct(&rules, 1, &vec![&greedy as &dyn Policy; seats]));
            }
        }
    }
    assert!(forced > 200, "{forced} forced moves");
}
