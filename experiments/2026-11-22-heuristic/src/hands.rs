//! How hands end, by their distance to a win.
//!
//! One player without defence plays against three whole agents, so that hands are not folded. Each
//! of the player's discards is a line.

use jantaku_agents::Candidate;
use jantaku_engine::{Game, Observation, Phase, Seat};

use crate::play::{self, Ended, Hands, NO_PLAN, Players};

/// `won` are the points won without the riichi sticks and honba of the decision. `later` is the
/// number of discards after this one.
pub const COLUMNS: &str = "riichi,mode,shanten,draws,ukeire,points,later,win,tenpai,won";

/// One in so many riichi is not declared, so that damaten hands are measured too.
const DAMATEN: usize = 10;

pub fn lines(players: &Players, seed: u64) -> String {
    let all = players.rules.players;
    let subject = Seat::new(0).expect("a seat").after((seed % u64::from(all.count())) as u8, all);
    let mut game = Game::new(&players.rules, seed);
    let mut hands = Hands::default();
    let mut discards: Vec<Discard> = Vec::new();
    let mut lines = String::new();
    while let Some(seat) = play::next(&game) {
        let agent = if seat == subject { &players.reckless } else { &players.released };
        let mut action = play::choose(agent, &game, seat);
        let o = game.observe(seat);
        if seat == subject && o.phase() == Phase::Turn {
            if play::sampling(&game, seat).below(DAMATEN) == 0 {
                action = play::without_riichi(action);
            }
            let candidates = players.unsettled_judge.explain(&o);
            let candidate = candidates.into_iter().find(|candidate| candidate.action == action);
            discards.extend(candidate.map(|candidate| Discard::new(&o, candidate)));
        }
        play::submit(&mut game, seat, action, &mut hands);
        if let Some(ended) = hands.ended.take() {
            let count = discards.len();
            for (at, discard) in discards.drain(..).enumerate() {
                lines += &discard.line(count - 1 - at, &ended, subject);
            }
        }
    }
    lines
}

struct Discard {
    riichi: usize,
    draws: u8,
    /// Points of the riichi sticks on the table and of honba.
    pot: i32,
    candidate: Candidate,
}

impl Discard {
    fn new(o: &Observation<'_>, candidate: Candidate) -> Discard {
        let pot = 1000 * i32::from(o.sticks()) + o.rules().honba_ron * i32::from(o.honba());
        Discard { riichi: play::riichi_of_others(o), draws: play::draws_left(o), pot, candidate }
    }

    /// Empty for hands that cannot win.
    fn line(&self, later: usize, ended: &Ended, seat: Seat) -> String {
        let Discard { riichi, draws, pot, candidate } = self;
        let Candidate { mode, shanten, ukeire, points, .. } = *candidate;
        if shanten == NO_PLAN {
            return String::new();
        }
        let won = ended.winners.contains(seat);
        let points_won = if won { ended.gain(seat) - pot } else { 0 };
        let (mode, won) = (mode as u8, u8::from(won));
        let tenpai = u8::from(ended.tenpai.contains(seat));
        format!(
            "{riichi},{mode},{shanten},{draws},{ukeire},{points:.0},{later},{won},{tenpai},{points_won}\n"
        )
    }
}
