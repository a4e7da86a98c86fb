//! Riichi and damaten, each played on to the end of the hand.
//!
//! Each decision in which the agent may declare riichi and keeps tenpai is a line. The discard is
//! the agent's. In damaten the player declares no riichi later in the hand.

use jantaku_agents::PlacementModel;
use jantaku_engine::{Action, Game, Observation, Phase, Seat};

use crate::play::{self, Players};

/// `declared` tells what the agent does. `riichi` counts other players. `turn` is the number of the
/// discard, `stage` the scheduled hands left. `mode` and `points` are those of damaten. `estimate`
/// is the worth of riichi less that of damaten. `result` is the expected result of the game after
/// the hand.
pub const COLUMNS: &str = "declared,riichi,turn,stage,mode,ukeire,draws,win_as_riichi,win_as_damaten,points_as_riichi,points,estimate,worth,\
    honour,end,end_suji,second,second_suji,third,third_suji,middle,middle_suji,\
    win_riichi,deal_in_riichi,gain_riichi,result_riichi,\
    win_damaten,deal_in_damaten,gain_damaten,result_damaten";

pub fn lines(players: &Players, seed: u64) -> String {
    let mut lines = String::new();
    play::play(&players.released, &players.rules, seed, |game, seat| {
        let o = game.observe(seat);
        if o.phase() != Phase::Turn {
            return;
        }
        let chosen = play::choose(&players.released, game, seat);
        let (declared, silent) = (play::with_riichi(chosen), play::without_riichi(chosen));
        if declared == silent || !o.legal().contains(declared.id()) {
            return;
        }
        let candidates = players.judge.explain(&o);
        let of = |action: Action| candidates.iter().find(|candidate| candidate.action == action);
        let (Some(with), Some(without)) = (of(declared), of(silent)) else { return };
        let own = players.released.explain(&o);
        let worth = |action: Action| own.iter().find(|c| c.action == action).map_or(0.0, |c| c.value);
        let worth = worth(declared) - worth(silent);
        let (riichi, after_riichi) =
            play::play_on_with(&players.released, game, seat, declared, |_, action| action);
        let (damaten, after_damaten) =
            play::play_on_with(&players.released, game, seat, silent, |other, action| {
                if other == seat { play::without_riichi(action) } else { action }
            });
        let result = |game: &Game| result(game, seat, &players.placements);
        lines += &format!(
            "{},{},{},{},{},{},{},{:.3},{:.3},{:.0},{:.0},{:.0},{:.0},{},{},{:.0},{},{:.0}\n",
            u8::from(chosen == declared),
            play::riichi_of_others(&o),
            o.side(seat).discard_count() + 1,
            play::stage(game),
            without.mode as u8,
            with.ukeire,
            play::draws_left(&o),
            with.win,
            without.win,
            with.points,
            without.points,
            with.value - without.value,
            worth,
            waits(&o, silent),
            riichi.columns(seat),
            result(&after_riichi),
            damaten.columns(seat),
            result(&after_damaten),
        );
    });
    lines
}

/// The unseen tiles that the hand waits for after a discard: honours, then terminals, 2 and 8, 3 and
/// 7, 4 to 6, each without and with suji of the player's own discards.
fn waits(o: &Observation<'_>, discard: Action) -> String {
    let tile = match discard {
        Action::Discard { tile, .. } => Some(tile),
        _ => o.drawn(),
    };
    let mut hand = o.hand_with_draw();
    let Some(tile) = tile else { return String::new() };
    hand.remove(tile);
    let (_, waits) = hand.ukeire(o.melds().len());
    let mut discarded = o.side(o.seat()).discarded();
    discarded.insert(tile.kind());
    let unseen = o.unseen();
    let mut counts = [0; 9];
    for kind in waits.iter() {
        let class = match kind.rank() {
            _ if kind.is_honour() => 0,
            rank => {
                let pairs = [kind.offset(-3), kind.offset(3)];
                let suji = pairs.into_iter().flatten().all(|other| discarded.contains(other));
                let ring = usize::from(rank.min(10 - rank).min(4));
                2 * ring - 1 + usize::from(suji)
            }
        };
        counts[class] += unseen.of(kind);
    }
    counts.map(|count| count.to_string()).join(",")
}

/// The expected result of a game between two hands, in points.
fn result(game: &Game, seat: Seat, model: &PlacementModel) -> f32 {
    if let Some(results) = game.results() {
        return results[seat].result as f32;
    }
    let rules = game.rules();
    let (players, table) = (usize::from(rules.players.count()), game.table());
    let (mut points, mut turns) = ([f32::NEG_INFINITY; 4], [0; 4]);
    for (at, player) in [seat].into_iter().chain(rules.players.others(seat)).enumerate() {
        points[at] = game.scores()[player] as f32;
        turns[at] = (player.index() + players - table.dealer().index()) % players;
    }
    let uma = rules.uma.by_placement(0);
    let oka = players as i32 * (rules.return_points - rules.start_points);
    let chances = model.of_first(play::stage(game), &points, &turns);
    let places: f32 = chances.iter().zip(uma).map(|(chance, uma)| chance * 1000.0 * f32::from(*uma)).sum();
    points[0] - rules.return_points as f32 + places + chances[0] * oka as f32
}
