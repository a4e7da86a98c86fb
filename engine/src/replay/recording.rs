//! Records a game while it is played.

use super::{RecordedEnd, RecordedGame, RecordedHand, RecordedWin};
use crate::draw::DrawReason;
use crate::event::{Event, Observer};
use crate::game_state::Standing;
use crate::outcome::{HandEnd, Outcome, WonHand};
use crate::rules::Rules;
use crate::{BySeat, Tile, TileKind};

impl RecordedGame {
    /// The attempt of the next hand: a hand that ends with a foul is replayed.
    fn attempt(&self) -> u16 {
        let is_foul =
            |hand: &&RecordedHand| hand.end.as_ref().is_some_and(|end| end.draw == Some(DrawReason::Chombo));
        self.hands.last().filter(is_foul).map_or(0, |hand| hand.standing.attempt + 1)
    }

    fn record_end(&mut self, outcome: &Outcome) {
        let rules = self.rules;
        let Some(hand) = self.hands.last_mut() else { return };
        let (draw, tenpai) = match &outcome.end {
            HandEnd::Win(_) => (None, None),
            HandEnd::Draw { reason, tenpai, .. } => {
                (Some(*reason), Some(*tenpai).filter(|_| !reason.is_abortive()))
            }
        };
        let ura = outcome.wins().iter().map(|win| &win.ura_indicators).max_by_key(|ura| ura.len());
        hand.ura_indicators = ura.cloned().unwrap_or_default();
        hand.end = Some(RecordedEnd {
            wins: outcome.wins().iter().map(|win| recorded(win, &rules)).collect(),
            draw,
            tenpai,
            deltas: Some(outcome.deltas),
        });
    }
}

/// Records the game whose events it observes, so that it can be written to a log and replayed.
///
/// A hand that ends with a foul is recorded without the foul and cannot be replayed.
///
/// ```
/// use jantaku_engine::replay::RecordedGame;
/// use jantaku_engine::{Game, Rules};
///
/// let mut recorded = RecordedGame::new(Rules::default());
/// let mut game = Game::new_seen(&Rules::default(), 7, &mut recorded);
/// while !game.is_over() {
///     let (seat, legal) = game.decisions().next().expect("a seat decides");
///     let action = legal.first().expect("an action is legal").action();
///     game.submit_seen(seat, action, &mut recorded)?;
/// }
/// let report = recorded.replay(&mut ());
/// assert_eq!((report.hands, report.differences.len()), (game.hand_count() as usize, 0));
/// # Ok::<(), jantaku_engine::IllegalAction>(())
/// ```
impl Observer for RecordedGame {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Deal { round, honba, sticks, scores, indicator, hands, .. } => {
                // A recording needs events with all tiles; a hidden tile is recorded as East.
                let dealt = hands.map(|hand| hand.map(|tile| tile.unwrap_or(Tile::plain(TileKind::EAST))));
                let standing = Standing {
                    attempt: self.attempt(),
                    ..Standing::at_deal(*round, [*honba, *sticks], *scores)
                };
                self.hands.push(RecordedHand::new(standing, dealt, *indicator));
            }
            Event::HandEnd(outcome) => self.record_end(outcome),
            Event::GameEnd { scores, results } => {
                self.final_scores = Some(*scores);
                self.results = Some(results.map(|result| result.result));
                // What starts in the middle is not a whole game.
                let start = Standing::start(&self.rules);
                self.is_whole = self.hands.first().is_some_and(|first| first.standing == start);
            }
            event => {
                if let Some(hand) = self.hands.last_mut() {
                    hand.events.push(event.clone());
                }
            }
        }
    }
}

/// A win with all its values.
pub(super) fn recorded(win: &WonHand, rules: &Rules) -> RecordedWin {
    let score = &win.score;
    let mut deltas: BySeat<i32> = win.payments;
    deltas[win.winner] += rules.riichi_stick * i32::from(win.sticks);
    RecordedWin {
        winner: win.winner,
        from: win.from,
        tile: Some(win.tile),
        yaku: Some(score.yaku.iter().map(|yaku| (yaku, score.han_of(yaku, rules))).collect()),
        han: Some(if score.yakuman > 0 { 0 } else { score.han() }),
        dora: Some([score.dora.dora + score.dora.north, score.dora.ura, score.dora.red]),
        fu: Some(score.fu),
        points: Some(win.points),
        limit: Some(score.limit),
        base: Some(score.base),
        liable: Some(win.liable.first().map(|liability| liability.seat)),
        deltas: Some(deltas),
    }
}
