//! Writes the events of a recorded game.

use jantaku_engine::replay::{RecordedEnd, RecordedGame, RecordedHand, RecordedWin};
use jantaku_engine::{self as engine, BySeat, Standing};

use super::event::{Event, Hora};
use super::pai::Pai;
use super::parts::pais;
use super::translate::{Translator, deal, list, start_game};
use super::yaku::{self, YAKUMAN};

/// The events of a game, in order. A log in this format has one event per line.
///
/// The format leaves out liability and the results with uma.
pub fn write(game: &RecordedGame) -> Vec<Event> {
    let mut events = vec![start_game(&game.rules, game.names.clone(), None)];
    for hand in &game.hands {
        let Standing { round, honba, sticks, scores, .. } = hand.standing;
        let dealt = hand.dealt.iter().map(|tiles| pais(tiles.iter().copied())).collect();
        events.push(deal(round, honba, sticks, &scores, hand.indicator, dealt));
        let mut translator = Translator::new(&game.rules, scores);
        hand.events.iter().for_each(|event| translator.translate(event, &mut events));
        if let Some(end) = &hand.end {
            write_end(hand, end, &mut translator, &mut events);
        }
    }
    if game.is_whole {
        events.push(Event::EndGame { scores: game.final_scores.map(|scores| list(&scores)) });
    }
    events
}

/// Adds the end of a hand. The translator keeps the points.
fn write_end(hand: &RecordedHand, end: &RecordedEnd, translator: &mut Translator, events: &mut Vec<Event>) {
    for win in &end.wins {
        translator.pay(win.deltas.as_ref());
        events.push(Event::Hora(hora(hand, win, &translator.scores)));
    }
    if end.wins.is_empty() {
        translator.pay(end.deltas.as_ref());
        events.push(translator.draw(end.draw, end.tenpai, end.deltas.as_ref()));
    }
    events.push(Event::EndKyoku);
}

/// A win after which the players have these points.
fn hora(hand: &RecordedHand, win: &RecordedWin, scores: &BySeat<i32>) -> Hora {
    // A hand with yakuman has no han in the engine, and 100 for each yakuman here.
    let yakuman = win.yaku.iter().flatten().filter(|(yaku, _)| yaku.is_yakuman()).count() as u32;
    let in_riichi = engine::Event::RiichiAccepted { seat: win.winner };
    let ura = if hand.events.contains(&in_riichi) { hand.ura_indicators.as_slice() } else { &[] };
    Hora {
        actor: win.winner.number(),
        target: win.from.unwrap_or(win.winner).number(),
        pai: win.tile.map(Pai::from),
        ura_markers: Some(pais(ura.iter().copied())),
        uradora_markers: None,
        hora_tehais: hand.held(win.winner).map(pais),
        yakus: yaku::listed(win),
        fu: win.fu.map(u32::from),
        fan: if yakuman > 0 { Some(YAKUMAN * yakuman) } else { win.han },
        hora_points: win.points,
        deltas: win.deltas.as_ref().map(list),
        scores: Some(list(scores)),
    }
}
