//! The agents, and playing a hand on from a given action.

use std::path::Path;

use jantaku_agents::{Heuristic, Params, ParamsError, PlacementModel, Policy};
use jantaku_engine::{
    Action, BySeat, Declare, Event, Game, HandEnd, Observation, Observer, Riichi, Rng, Rules, Seat, SeatSet,
};

/// The agents that play, and those whose expectations are measured. The latter count points alone.
pub struct Players {
    pub rules: Rules,
    /// What a standing leads to under these rules.
    pub placements: PlacementModel,
    /// The agent as released.
    pub released: Heuristic,
    /// The same without defence.
    pub reckless: Heuristic,
    /// With the parameters in `plain.toml`.
    pub judge: Heuristic,
    /// The same without defence.
    pub reckless_judge: Heuristic,
    /// With the parameters in `unsettled.toml`, without defence.
    pub unsettled_judge: Heuristic,
}

impl Players {
    /// # Errors
    ///
    /// If `plain.toml` or `unsettled.toml` cannot be read.
    pub fn new(rules: Rules) -> Result<Players, ParamsError> {
        let released = Heuristic::default();
        let judge = judge_with("plain.toml")?;
        let unsettled_judge = reckless(&judge_with("unsettled.toml")?);
        Ok(Players {
            placements: Params::released().placements(rules.players),
            rules,
            reckless: reckless(&released),
            reckless_judge: reckless(&judge),
            released,
            judge,
            unsettled_judge,
        })
    }
}

/// An agent with parameters from this file that counts points alone.
fn judge_with(params: &str) -> Result<Heuristic, ParamsError> {
    let params = Path::new(env!("CARGO_MANIFEST_DIR")).join(params);
    let mut judge = Heuristic::new(Params::read(&params)?);
    judge.placement = false;
    Ok(judge)
}

fn reckless(agent: &Heuristic) -> Heuristic {
    let mut reckless = agent.clone();
    reckless.defence = false;
    reckless
}

/// How a hand ended.
#[derive(Clone, Debug)]
pub struct Ended {
    pub winners: SeatSet,
    /// The player who dealt in.
    pub dealt_in: SeatSet,
    /// The players who were tenpai at a draw.
    pub tenpai: SeatSet,
    /// What each player won or lost at the end.
    deltas: BySeat<i32>,
    /// The players who paid a riichi stick since the observer was made.
    sticks: SeatSet,
}

impl Ended {
    /// The points that a player won or lost, riichi sticks included.
    pub fn gain(&self, seat: Seat) -> i32 {
        self.deltas[seat] - if self.sticks.contains(seat) { 1000 } else { 0 }
    }

    /// Columns: whether a player won, whether they dealt in, and their points.
    pub fn columns(&self, seat: Seat) -> String {
        let [win, deal_in] = [self.winners, self.dealt_in].map(|seats| u8::from(seats.contains(seat)));
        format!("{win},{deal_in},{}", self.gain(seat))
    }
}

/// Observes the end of hands.
#[derive(Default)]
pub struct Hands {
    sticks: SeatSet,
    /// The hand that ended last.
    pub ended: Option<Ended>,
}

impl Observer for Hands {
    fn event(&mut self, event: &Event) {
        match event {
            Event::RiichiAccepted { seat } => self.sticks.insert(*seat),
            Event::HandEnd(outcome) => {
                let (wins, tenpai) = match &outcome.end {
                    HandEnd::Win(wins) => (wins.as_slice(), SeatSet::EMPTY),
                    HandEnd::Draw { tenpai, .. } => (&[] as _, *tenpai),
                };
                self.ended = Some(Ended {
                    winners: wins.iter().map(|win| win.winner).collect(),
                    dealt_in: wins.iter().filter_map(|win| win.from).collect(),
                    tenpai,
                    deltas: outcome.deltas,
                    sticks: std::mem::replace(&mut self.sticks, SeatSet::EMPTY),
                });
            }
            _ => {}
        }
    }
}

/// The seat that decides next. None after the game.
pub fn next(game: &Game) -> Option<Seat> {
    game.decisions().next().map(|(seat, _)| seat)
}

/// Random numbers for the sampling of this decision.
pub fn sampling(game: &Game, seat: Seat) -> Rng {
    game.random_stream(seat, 1)
}

pub fn choose(agent: &Heuristic, game: &Game, seat: Seat) -> Action {
    agent.choose(&game.observe(seat), &mut game.random_stream(seat, agent.salt()))
}

pub fn submit(game: &mut Game, seat: Seat, action: Action, hands: &mut Hands) {
    game.submit_seen(seat, action, hands).unwrap_or_else(|error| panic!("{error}"));
}

/// Plays a game of the agent with itself and calls `before` with each decision.
pub fn play(agent: &Heuristic, rules: &Rules, seed: u64, mut before: impl FnMut(&Game, Seat)) {
    let mut game = Game::new(rules, seed);
    let mut hands = Hands::default();
    while let Some(seat) = next(&game) {
        before(&game, seat);
        let action = choose(agent, &game, seat);
        submit(&mut game, seat, action, &mut hands);
    }
}

/// Plays a copy of the game to the end of the hand, with this action first.
pub fn play_on(agent: &Heuristic, game: &Game, seat: Seat, action: Action) -> Ended {
    play_on_with(agent, game, seat, action, |_, action| action).0
}

/// The same, with `instead` of each action that the agent chooses. Also returns the game after the
/// hand.
pub fn play_on_with(
    agent: &Heuristic,
    game: &Game,
    seat: Seat,
    action: Action,
    instead: impl Fn(Seat, Action) -> Action,
) -> (Ended, Game) {
    let mut game = game.clone();
    let mut hands = Hands::default();
    submit(&mut game, seat, action, &mut hands);
    loop {
        if let Some(ended) = hands.ended {
            return (ended, game);
        }
        let seat = next(&game).expect("a hand in play has a decision");
        let action = instead(seat, choose(agent, &game, seat));
        submit(&mut game, seat, action, &mut hands);
    }
}

/// The same discard without riichi. Other actions do not change.
pub fn without_riichi(action: Action) -> Action {
    declaring(action, Declare::Nothing)
}

/// The same discard with riichi. Other actions do not change.
pub fn with_riichi(action: Action) -> Action {
    declaring(action, Declare::Riichi)
}

fn declaring(action: Action, declare: Declare) -> Action {
    match action {
        Action::Discard { tile, .. } => Action::Discard { tile, declare },
        Action::Tsumogiri { .. } => Action::Tsumogiri { declare },
        _ => action,
    }
}

/// The number of other players in riichi.
pub fn riichi_of_others(o: &Observation<'_>) -> usize {
    o.rules().players.others(o.seat()).filter(|seat| o.side(*seat).riichi() != Riichi::None).count()
}

/// The draws that each player has left, if nobody calls.
pub fn draws_left(o: &Observation<'_>) -> u8 {
    o.live() / o.rules().players.count()
}

/// The scheduled hands left, this one included. 0 in an extension.
pub fn stage(game: &Game) -> usize {
    let rules = game.rules();
    let hands = usize::from(rules.wind_rounds) * usize::from(rules.players.count());
    hands.saturating_sub(usize::from(game.table().round()))
}

/// The shanten of candidates that cannot win.
pub const NO_PLAN: i8 = 9;
