//! What a tile does in a hand, by its shape: two discards of the same hand with different roles,
//! each played on to the end of the hand.

use jantaku_agents::Candidate;
use jantaku_engine::{Action, Game, Observation, Phase, Riichi, Seat, TileKind, TileSet};

use crate::play::{self, NO_PLAN, Players};

pub const COLUMNS: &str = "draws,least,open,\
    role1,left1,mode1,shanten1,true1,ukeire1,points1,attack1,risk1,win1,gain1,\
    role2,left2,mode2,shanten2,true2,ukeire2,points2,attack2,risk2,win2,gain2";

/// One in so many decisions is measured.
const RATE: usize = 3;
/// Discards whose worth is lower than the best by more points are not measured.
const WITHIN: f32 = 400.0;

pub fn lines(players: &Players, seed: u64) -> String {
    let mut lines = String::new();
    play::play(&players.released, &players.rules, seed, |game, seat| {
        let o = game.observe(seat);
        let free = o.side(seat).riichi() == Riichi::None && !o.legal().contains(Action::Tsumo.id());
        if o.phase() != Phase::Turn || !free || play::riichi_of_others(&o) > 0 {
            return;
        }
        let mut rng = play::sampling(game, seat);
        if rng.below(RATE) > 0 {
            return;
        }
        let mut candidates = players.judge.explain(&o);
        let least = candidates.iter().map(|candidate| candidate.shanten).min().unwrap_or(NO_PLAN);
        if !(1..NO_PLAN).contains(&least) {
            return;
        }
        let best = candidates.iter().map(|candidate| candidate.worth).fold(f32::MIN, f32::max);
        candidates.retain(|candidate| candidate.shanten <= least + 1 && candidate.worth >= best - WITHIN);
        if candidates.len() < 2 {
            return;
        }
        let first = candidates.swap_remove(rng.below(candidates.len()));
        let second = candidates.swap_remove(rng.below(candidates.len()));
        let roles = [&first, &second].map(|candidate| role(&o, candidate.action));
        if roles[0] == roles[1] && first.shanten == second.shanten {
            return;
        }
        let [one, two] = [(&first, &roles[0]), (&second, &roles[1])]
            .map(|(candidate, role)| played(players, game, seat, candidate, role));
        let open = u8::from(o.melds().are_open());
        lines += &format!("{},{least},{open},{one},{two}\n", play::draws_left(&o));
    });
    lines
}

/// Columns of one of the discards.
fn played(players: &Players, game: &Game, seat: Seat, candidate: &Candidate, role: &str) -> String {
    let ended = play::play_on(&players.released, game, seat, candidate.action);
    let (win, gain) = (u8::from(ended.winners.contains(seat)), ended.gain(seat));
    let Candidate { worth, risk, mode, ukeire, points, shanten, .. } = *candidate;
    let o = game.observe(seat);
    let mut rest = o.hand_with_draw();
    rest.remove_any(kind_of(&o, candidate.action));
    let after = rest.shanten(o.melds().len()).number();
    let (mode, attack) = (mode as u8, worth + risk);
    format!("{role},{mode},{shanten},{after},{ukeire},{points:.0},{attack:.1},{risk:.1},{win},{gain}")
}

fn kind_of(o: &Observation<'_>, action: Action) -> TileKind {
    match action {
        Action::Discard { tile, .. } => tile.kind(),
        _ => o.drawn().expect("a tsumogiri has a drawn tile").kind(),
    }
}

fn role(o: &Observation<'_>, action: Action) -> String {
    let kind = kind_of(o, action);
    let hand = o.hand_with_draw();
    let left = o.unseen().of(kind);
    let at = |by: i8| kind.offset(by).map_or(0, |kind| hand.count(kind));
    let count = hand.count(kind);
    if kind.is_honour() {
        let wind = [o.seat_wind(o.seat()).tile(), o.round_wind().tile()];
        let han = wind.iter().filter(|wind| **wind == kind).count() + usize::from(TileSet::DRAGONS.contains(kind));
        return format!("honour{han}-{count},{left}");
    }
    let rank = kind.rank().min(10 - kind.rank());
    let (near, far) = (at(1) + at(-1) > 0, at(2) + at(-2) > 0);
    let shape = match (near, far) {
        (false, false) => "alone",
        (false, true) => "gap",
        (true, false) => "next",
        (true, true) => "both",
    };
    format!("{shape}{rank}-{count},{left}")
}
