//! `jantaku mjai` as a bot at our own tables.

use jantaku_agents::{Agent, AgentError, Catalog, Greedy, News, Policy, Request, Setup, TableId, Update};
use jantaku_engine::rules::PRESETS;
use jantaku_engine::{Event, Game, Observer as _, Seat, Signature};

use crate::sizes::GAMES_OF_BOTS;

const PROGRAM: &str = env!("CARGO_BIN_EXE_jantaku");

/// Plays a game of one agent at some seats and of a policy at the others, to its end.
fn play(
    mut game: Game,
    mut news: Vec<Event>,
    agent: &mut dyn Agent,
    is_agent: impl Fn(Seat) -> bool,
    policy: &impl Policy,
) -> Result<Signature, AgentError> {
    let (rules, table, mut signature) = (*game.rules(), TableId(game.seed()), Signature::default());
    let seats: Vec<Seat> = rules.players.seats().filter(|seat| is_agent(*seat)).collect();
    for seat in seats.iter().copied() {
        agent.update(Update { table, seat, news: News::GameStart { rules: &rules } })?;
    }
    loop {
        for event in std::mem::take(&mut news) {
            signature.event(&event);
            for seat in seats.iter().copied() {
                agent.update(Update { table, seat, news: News::Event(&event.seen_by(seat)) })?;
            }
            if matches!(event, Event::GameEnd { .. }) {
                return Ok(signature);
            }
        }
        let (mut requests, mut replies, mut actions) = (Vec::new(), Vec::new(), Vec::new());
        for seat in game.pending().iter() {
            let (observation, rng) = (game.observe(seat), game.random_stream(seat, 0));
            if is_agent(seat) {
                requests.push(Request { table, observation, rng });
            } else {
                actions.push((seat, policy.choose(&observation, &mut rng.clone())));
            }
        }
        if !requests.is_empty() {
            agent.decide(&mut requests, &mut replies)?;
        }
        actions.extend(requests.iter().zip(replies).map(|(request, reply)| (request.seat(), reply.action)));
        drop(requests);
        for (seat, action) in actions {
            game.submit_seen(seat, action, &mut news).expect("agents answer legally");
        }
    }
}

fn bot(options: &str) -> Box<dyn Agent> {
    let agent = Catalog::standard().agent(&format!("mjai:{options}")).unwrap_or_else(|e| panic!("{e}"));
    agent.start(&Setup::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The same agent plays the same game in this process and in one of its own.
#[test]
fn a_bot_plays_like_its_agent() {
    for (index, preset) in PRESETS.iter().enumerate() {
        let rules = preset.rules();
        if rules.has_referee() {
            continue;
        }
        let dialect = ["app", "line", "line,can_act=on"][index % 3];
        let options =
            format!(r#"command="'{PROGRAM}' mjai --agent greedy --seat {{seat}}",dialect={dialect}"#);
        let mut agent = bot(&options);
        for seed in 1..=u64::from(GAMES_OF_BOTS.get()) {
            let greedy = Greedy::default();
            let mut news = Vec::new();
            let game = Game::new_seen(&rules, seed, &mut news);
            let played = play(game.clone(), news.clone(), &mut *agent, |_| true, &greedy);
            let played = played.unwrap_or_else(|error| panic!("{}: {error}", preset.name));
            let expected = play(game, news, &mut *agent, |_| false, &greedy).expect("a policy");
            assert_eq!(played, expected, "{} seed {seed}", preset.name);
        }
        assert_eq!(agent.faults().total(), 0);
    }
}
