//! Makes the record of a game while it is played.

use jantaku_agents::SearchInfo;
use jantaku_engine::notation::{HandText, write_tiles};
use jantaku_engine::replay::Spectator;
use jantaku_engine::rules::options::TileKinds;
use jantaku_engine::{
    Action, BySeat, Declare, Event, FinalResult, Observation, Observer, Outcome, Phase, Riichi, Rules, Seat,
    Signature, Tile, TileKind, prefetch,
};

use super::concealed::AllConcealed;
use super::hand::HandInPlay;
use super::listener::Listener;
use super::record::{Decision, Detail, GameRecord, HandRecord};

/// Records a game in its [`Detail`], from the events and decisions that it sees.
#[derive(Debug)]
pub struct Memory {
    detail: Detail,
    /// The hand in play, or the latest one.
    hand: HandInPlay,
    hand_count: u32,
    decision_count: u32,
    /// Final results, after the end of the game.
    results: Option<BySeat<FinalResult>>,
    /// Live tiles at the deal.
    live_at_deal: u8,
    signature: Signature,
    /// The number of events in the hand, the deal included.
    step: u16,
    /// The public events of the hand in play as text; none between hands.
    history: Option<String>,
    /// Red fives in open view in the hand in play: of characters, dots and bamboo.
    open_reds: [u8; 3],
    hands: Vec<HandRecord>,
    decisions: Vec<Decision>,
    /// The concealed tiles now, from [`Detail::Oracle`] on. Boxed: tables of the batched runner must
    /// stay small.
    concealed: Option<Box<AllConcealed>>,
    /// The concealed tiles at each decision.
    concealed_at_decisions: Vec<BySeat<HandText>>,
    /// Indexes of the decisions that claim the tile on offer.
    claims: Vec<usize>,
}

impl Memory {
    /// An empty record of a game under these rules.
    pub fn new(detail: Detail, rules: &Rules) -> Memory {
        let tiles = match rules.tiles {
            TileKinds::Full => 136,
            TileKinds::ThreePlayer => 108,
        };
        Memory {
            detail,
            hand: HandInPlay::new(rules.players, rules.riichi_stick),
            hand_count: 0,
            decision_count: 0,
            results: None,
            live_at_deal: tiles - 14 - 13 * rules.players.count(),
            signature: Signature::default(),
            step: 0,
            history: None,
            open_reds: [0; 3],
            hands: Vec::new(),
            decisions: Vec::new(),
            concealed: (detail >= Detail::Oracle).then(|| Box::new(AllConcealed::new(rules.players))),
            concealed_at_decisions: Vec::new(),
            claims: Vec::new(),
        }
    }

    /// The record, with this number and seed. None if the game has not ended.
    pub fn finish(self, game: u64, seed: u64) -> Option<GameRecord> {
        Some(GameRecord {
            game,
            seed,
            origin: None,
            results: self.results?,
            hand_count: self.hand_count,
            decision_count: self.decision_count,
            signature: self.signature.number(),
            hands: self.hands,
            decisions: self.decisions,
            concealed: self.concealed_at_decisions,
            labels: Vec::new(),
        })
    }

    /// How much of the game is recorded.
    pub(super) const fn detail(&self) -> Detail {
        self.detail
    }

    /// The facts of the hand in play, or of the latest hand.
    pub const fn hand(&self) -> &HandInPlay {
        &self.hand
    }

    /// Makes the processor fetch what every event reads
    /// ([`Game::prefetch`](jantaku_engine::Game::prefetch)).
    #[inline]
    pub(super) fn prefetch(&self) {
        prefetch(&self.hand.start_points);
        prefetch(&self.hand.draws);
        prefetch(&self.decision_count);
        prefetch(&self.detail);
    }

    fn push_hand(&mut self, outcome: &Outcome) {
        let hand = &self.hand;
        self.hands.push(HandRecord {
            course: *hand,
            deltas: hand.deltas(outcome),
            outcome: outcome.clone(),
            live: self.live_at_deal - hand.draws,
            wall: None,
            history: self.history.take().unwrap_or_default(),
        });
    }

    /// Appends a public event to the history of the hand, which begins with the deal.
    fn write_history(&mut self, event: &Event) {
        let seat = match event {
            Event::Deal { .. } => {
                self.history = Some(String::new());
                return;
            }
            Event::Discard { seat, .. }
            | Event::Call { seat, .. }
            | Event::Ankan { seat, .. }
            | Event::Kakan { seat, .. }
            | Event::Kita { seat } => seat,
            _ => return,
        };
        let history = self.history.as_mut().expect("a deal comes first");
        if !history.is_empty() {
            history.push(' ');
        }
        history.push(char::from(b'0' + seat.number()));
        match event {
            Event::Discard { tile, tsumogiri, declare, .. } => {
                write_tiles(history, std::iter::once(*tile)).expect("a String takes everything");
                history.extend(tsumogiri.then_some('*'));
                history.extend((*declare != Declare::Nothing).then_some('r'));
            }
            Event::Call { meld, .. } | Event::Ankan { meld, .. } => *history += &meld.to_string(),
            Event::Kakan { tile, .. } => {
                history.push('+');
                write_tiles(history, std::iter::once(*tile)).expect("a String takes everything");
            }
            _ => *history += "+4z",
        }
    }

    /// Counts the red fives that an event brings into open view.
    fn count_reds(&mut self, event: &Event) {
        let (kind, reds) = match event {
            Event::Deal { indicator, .. } => {
                self.open_reds = [0; 3];
                let Some(tile) = indicator else { return };
                (tile.kind(), u8::from(tile.is_red()))
            }
            Event::Discard { tile, .. } | Event::Kakan { tile, .. } | Event::Indicator { tile } => {
                (tile.kind(), u8::from(tile.is_red()))
            }
            Event::Call { meld, .. } | Event::Ankan { meld, .. } => {
                // The claimed tile was discarded before.
                let claimed = meld.claimed().is_some_and(|claimed| claimed.tile.is_red());
                (meld.low(), meld.reds() - u8::from(claimed))
            }
            _ => return,
        };
        if reds > 0 {
            self.open_reds[kind.suit() as usize] += reds;
        }
    }

    /// Marks each claim that another player's claim on the tile outranked. An abortive draw outranks none.
    fn settle_claims(&mut self, event: &Event) {
        let outranked = |seat: Seat| match event {
            Event::Call { seat: caller, .. } => *caller != seat,
            Event::HandEnd(outcome) => {
                let wins = outcome.wins();
                !wins.is_empty() && wins.iter().all(|win| win.winner != seat)
            }
            _ => unreachable!("a call or the end of the hand settles claims"),
        };
        if matches!(event, Event::Call { .. } | Event::HandEnd(_)) {
            for claim in self.claims.drain(..) {
                let decision = &mut self.decisions[claim];
                decision.outranked = outranked(decision.seat);
            }
        }
    }

    /// Adds an event to the record.
    fn record_event(&mut self, event: &Event) {
        self.signature.event(event);
        self.step = if matches!(event, Event::Deal { .. }) { 1 } else { self.step + 1 };
        if self.detail >= Detail::Decisions {
            self.write_history(event);
            self.count_reds(event);
        }
        if let Some(concealed) = &mut self.concealed {
            concealed.event(event);
        }
        if let Event::HandEnd(outcome) = event
            && self.detail >= Detail::Hands
        {
            self.push_hand(outcome);
        }
        if !self.claims.is_empty() {
            self.settle_claims(event);
        }
    }

    /// Adds a decision to the record.
    fn push_decision(&mut self, o: &Observation<'_>, action: Action) {
        let is_claim = matches!(o.phase(), Phase::Claim | Phase::KanClaim);
        if is_claim && action != Action::Pass {
            self.claims.push(self.decisions.len());
        }
        let mut indicators = [Tile::plain(TileKind::EAST); 5];
        indicators[..o.indicators().len()].copy_from_slice(o.indicators());
        let in_riichi = |seat: &Seat| o.side(*seat).riichi() != Riichi::None;
        let (hand, history) = match &self.history {
            Some(history) => (self.hands.len(), history),
            // A player may end the game after the last hand.
            None => (self.hands.len() - 1, &self.hands[self.hands.len() - 1].history),
        };
        // When the dealer may end the game, `o` may still have the last hand's winning tile, which is not
        // part of this decision.
        let is_turn = o.phase() == Phase::Turn;
        let held = if is_turn { o.hand_with_draw() } else { *o.hand() };
        self.decisions.push(Decision {
            hand: hand as u16,
            step: self.step,
            seat: o.seat(),
            points: *o.scores(),
            riichi_sticks: o.sticks(),
            turn: o.side(o.seat()).discard_count(),
            phase: o.phase(),
            concealed: *o.hand(),
            drawn: o.drawn().filter(|_| is_turn),
            melds: *o.melds(),
            offer: o.offer().filter(|_| is_claim),
            unseen: o.unseen(),
            open_reds: self.open_reds,
            indicators: (indicators, o.indicators().len() as u8),
            live: o.live(),
            riichi: o.rules().players.seats().filter(in_riichi).collect(),
            history: history.len() as u16,
            shanten: held.shanten(o.melds().len()),
            legal: o.legal(),
            action: action.id(),
            outranked: false,
            search_info: None,
        });
        if let Some(concealed) = &self.concealed {
            self.concealed_at_decisions.push(*concealed.texts());
        }
    }
}

impl Observer for Memory {
    #[inline]
    fn event(&mut self, event: &Event) {
        self.hand.event(event);
        match event {
            Event::HandEnd(_) => self.hand_count += 1,
            Event::GameEnd { results, .. } => self.results = Some(*results),
            _ => {}
        }
        if self.detail > Detail::None {
            self.record_event(event);
        }
    }
}

impl Spectator for Memory {
    #[inline]
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        self.decision_count += 1;
        if self.detail >= Detail::Decisions {
            self.push_decision(o, action);
        }
    }
}

impl Listener for Memory {
    #[inline]
    fn listens(&self) -> bool {
        self.detail >= Detail::Decisions
    }

    fn search_info(&mut self, search_info: Box<SearchInfo>) {
        if let Some(decision) = self.decisions.last_mut() {
            decision.search_info = Some(search_info);
        }
    }
}
