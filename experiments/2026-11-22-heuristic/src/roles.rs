//! What a tile does in a hand: two discards of the same hand with different roles, each played on
//! to the end of the hand.

use jantaku_agents::Candidate;
use jantaku_engine::{Action, Game, Observation, Phase, Riichi, Seat, TileKind, TileSet};

use crate::play::{self, NO_PLAN, Players};

/// The roles are numbered as in `role_tables.py`.
pub const COLUMNS: &str = "draws,open,shanten,\
    role1,ukeire1,worth1,win1,gain1,\
    role2,ukeire2,worth2,win2,gain2";

/// One in so many decisions is measured.
const RATE: usize = 3;
/// Discards whose worth is lower than the best by more points are not measured.
const WITHIN: f32 = 400.0;

pub fn lines(players: &Players, seed: u64) -> String {
    let mut lines = String::new();
    play::play(&players.released, &players.rules, seed, |game, seat| {
        let o = game.observe(seat);
        let free = o.side(seat).riichi() == Riichi::None && !o.legal().contains(Action::Tsumo.id());
        let calm = o.phase() == Phase::Turn && free && play::riichi_of_others(&o) == 0;
        let mut rng = play::sampling(game, seat);
        if !calm || rng.below(RATE) > 0 {
            return;
        }
        let mut candidates = players.judge.explain(&o);
        let shanten = candidates.iter().map(|candidate| candidate.shanten).min().unwrap_or(NO_PLAN);
        let best = candidates.iter().map(|candidate| candidate.value).fold(f32::MIN, f32::max);
        candidates.retain(|candidate| candidate.shanten == shanten && candidate.value >= best - WITHIN);
        if !(1..NO_PLAN).contains(&shanten) || candidates.len() < 2 {
            return;
        }
        let first = candidates.swap_remove(rng.below(candidates.len()));
        let second = candidates.swap_remove(rng.below(candidates.len()));
        let roles = [&first, &second].map(|candidate| role(&o, candidate.action));
        if roles[0] != roles[1] {
            let [one, two] = [(&first, roles[0]), (&second, roles[1])]
                .map(|(candidate, role)| played(players, game, seat, candidate, role));
            let open = u8::from(o.melds().are_open());
            lines += &format!("{},{open},{shanten},{one},{two}\n", play::draws_left(&o));
        }
    });
    lines
}

/// Columns of one of the discards.
fn played(players: &Players, game: &Game, seat: Seat, candidate: &Candidate, role: usize) -> String {
    let ended = play::play_on(&players.released, game, seat, candidate.action);
    let (win, gain) = (u8::from(ended.winners.contains(seat)), ended.gain(seat));
    format!("{role},{},{:.1},{win},{gain}", candidate.ukeire, candidate.value)
}

/// The role of a discarded tile.
fn role(o: &Observation<'_>, action: Action) -> usize {
    let kind = match action {
        Action::Discard { tile, .. } => tile.kind(),
        _ => o.drawn().expect("a tsumogiri has a drawn tile").kind(),
    };
    let hand = o.hand_with_draw();
    let winds = [o.seat_wind(o.seat()).tile(), o.round_wind().tile()];
    let of_wind = winds.iter().filter(|wind| **wind == kind).count();
    let valued = of_wind + usize::from(TileSet::DRAGONS.contains(kind));
    let has =
        |by: i8| [-by, by].into_iter().filter_map(|by| kind.offset(by)).any(|kind| hand.count(kind) > 0);
    match hand.count(kind) {
        1 if kind.is_honour() => 15 + valued,
        1 if has(1) => 10 + folded_rank(kind),
        1 if has(2) => 5 + folded_rank(kind),
        1 => folded_rank(kind),
        2 => 18 + usize::from(valued > 0 && o.unseen().of(kind) > 0),
        _ => 20,
    }
}

/// How far a kind is from the end of its suit: 0 for 1 and 9, 4 for 5.
fn folded_rank(kind: TileKind) -> usize {
    usize::from(kind.rank().min(10 - kind.rank())) - 1
}
