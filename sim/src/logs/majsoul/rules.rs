//! The rules of a room.

use jantaku_engine::replay::RecordedGame;
use jantaku_engine::rules::options::{Aka, Maybe};
use jantaku_engine::{Players, Rules};

use super::document::{Head, NewRound};
use crate::logs::tenhou;

/// The rules that the head names: Mahjong Soul's, with the choices of the room. `first` is the
/// first deal, for records without a head.
pub(super) fn of_room(head: &Head, first: &NewRound, players: Players) -> Rules {
    let preset = Rules::preset(if players == Players::Three { "mjsoul-sanma" } else { "mjsoul" });
    let mut rules = preset.expect("the engine has the rules of Mahjong Soul");
    let mode = &head.config.mode;
    if mode.mode % 10 == 1 {
        rules.wind_rounds = 1;
    }
    let is_start = [first.chang, first.ju, first.ben, first.liqibang] == [0; 4];
    if let Some(points) = first.scores.first().filter(|_| is_start) {
        (rules.start_points, rules.return_points) = (*points, *points);
    }
    let chosen = mode.detail_rule.clone().unwrap_or_default();
    if chosen.init_point > 0 {
        (rules.start_points, rules.return_points) = (chosen.init_point, chosen.init_point);
    }
    if chosen.fandian > 0 {
        rules.target = Maybe(Some(chosen.fandian));
    }
    if let Some(count) = chosen.dora_count {
        rules.aka = reds(count, players);
    }
    rules.kuitan = chosen.shiduan != Some(0);
    rules
}

/// Red fives: three one of each suit, four with two of dots. Three players have no 5m.
fn reds(count: u8, players: Players) -> Aka {
    let m = u8::from(players != Players::Three && count > 0);
    let s = u8::from(count > 0);
    Aka { m, p: count.saturating_sub(m + s), s }
}

/// Gives the game rules under which it replays as recorded: those of the room, if need be with the
/// other length or the other choice of open tanyao. If none fit, those of the room stay.
pub(super) fn fit(game: &mut RecordedGame) {
    let named = game.rules;
    let other_length = Rules { wind_rounds: 3 - named.wind_rounds.clamp(1, 2), ..named };
    let varied = [named, other_length]
        .map(|rules| [rules.kuitan, !rules.kuitan].map(|kuitan| Rules { kuitan, ..rules }));
    tenhou::first_fit(game, varied.into_iter().flatten());
}
