//! What is remembered of a game while it is played.

use jantaku_engine::notation::write_tiles;
use jantaku_engine::replay::Spectator;
use jantaku_engine::rules::knobs::TileKinds;
use jantaku_engine::{
    Action, ActionId, ActionSet, BySeat, Concealed, Declare, Event, FinalResult, Melds, Observation,
    Observer, Offer, Outcome, Phase, Riichi, Rules, Seat, SeatSet, Shanten, Signature, Tile, Unseen, Wall,
};

use crate::play::Tally;

/// How much of each game is kept; each step keeps what the one before keeps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Detail {
    /// Counts over all games.
    None,
    /// Points, places and the signature of each game.
    Games,
    /// How each hand went and ended.
    Hands,
    /// Every decision.
    Decisions,
}

impl Detail {
    /// From least to most.
    pub const ALL: [Detail; 4] = [Detail::None, Detail::Games, Detail::Hands, Detail::Decisions];

    /// The name on the command line and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Detail::None => "none",
            Detail::Games => "games",
            Detail::Hands => "hands",
            Detail::Decisions => "decisions",
        }
    }

    /// The detail with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Detail> {
        Detail::ALL.into_iter().find(|detail| detail.name() == name)
    }
}

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Its number in the run.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// Where it came from; none for a game that was played here.
    pub origin: Option<Box<Origin>>,
    /// Places, points and results.
    pub results: BySeat<FinalResult>,
    /// How many hands it had.
    pub hand_count: u32,
    /// How many decisions were taken.
    pub decision_count: u32,
    /// A hash of all its events.
    pub signature: u64,
    /// Its hands, where they are kept.
    pub hands: Vec<HandRecord>,
    /// Its decisions in order, where they are kept.
    pub decisions: Vec<Decision>,
}

/// Where a game that was not played here came from.
#[derive(Clone, PartialEq, Debug)]
pub struct Origin {
    /// The name of its log.
    pub source: String,
    /// The players' names by seat.
    pub players: Vec<String>,
    /// Its rules.
    pub rules: Rules,
}

/// A hand that has been played.
#[derive(Clone, Debug)]
pub struct HandRecord {
    /// The hand by dealers from the start of the game ([`jantaku_engine::Table::round`]).
    pub round: u16,
    /// Counters.
    pub honba: u16,
    /// Riichi sticks on the table at the deal.
    pub sticks: u16,
    /// The dealer.
    pub dealer: Seat,
    /// Points at the deal.
    pub start_points: BySeat<i32>,
    /// What each seat won or lost in the hand, riichi sticks included.
    pub deltas: BySeat<i32>,
    /// How it ended.
    pub outcome: Outcome,
    /// The number of the discard with which each seat declared an accepted riichi, from 1.
    pub riichi: BySeat<Option<u8>>,
    /// How many discards each seat claimed.
    pub calls: BySeat<u8>,
    /// How many tiles each seat discarded.
    pub discards: BySeat<u8>,
    /// Live tiles left at the end.
    pub live: u8,
    /// The wall, where it does not follow from the seed of the game.
    pub wall: Option<Wall>,
    /// What everybody saw the players do, in order and as text ([`crate::dataset::COLUMNS`]); empty where no decisions are kept.
    pub history: String,
}

/// A decision that has been taken.
#[derive(Clone, Copy, Debug)]
pub struct Decision {
    /// The number of the hand in its game.
    pub hand: u16,
    /// How many things had happened in the hand before.
    pub step: u16,
    /// Whose.
    pub seat: Seat,
    /// How many tiles the seat had discarded.
    pub turn: u8,
    /// What the game waited for.
    pub phase: Phase,
    /// The own concealed tiles without the one just drawn.
    pub concealed: Concealed,
    /// The tile just drawn, in the own turn.
    pub drawn: Option<Tile>,
    /// The own melds.
    pub melds: Melds,
    /// The tile that lay open to be claimed.
    pub offer: Option<Offer>,
    /// Tiles that the seat had not seen.
    pub unseen: Unseen,
    /// The dora indicators, as many as the number tells.
    pub indicators: ([Tile; 5], u8),
    /// Live tiles left.
    pub live: u8,
    /// Who was in accepted riichi.
    pub riichi: SeatSet,
    /// How much of its hand's [`history`](HandRecord::history) came before, in bytes.
    pub history: u16,
    /// The own shanten, with the tile just drawn.
    pub shanten: Shanten,
    /// What was legal.
    pub legal: ActionSet,
    /// What was chosen.
    pub action: ActionId,
    /// Whether another's claim on the same tile went before.
    pub outranked: bool,
}

/// Counts alone.
impl Spectator for Tally {
    #[inline]
    fn decision(&mut self, _: &Observation<'_>, _: Action) {
        self.decisions += 1;
    }
}

/// Remembers a game as far as the detail asks.
#[derive(Debug)]
pub struct Memory {
    detail: Detail,
    /// How the game ended.
    results: Option<BySeat<FinalResult>>,
    /// Live tiles at the deal.
    live: u8,
    tally: Tally,
    signature: Signature,
    /// Things that have happened in this hand.
    step: u16,
    hands: Vec<HandRecord>,
    decisions: Vec<Decision>,
    /// Decisions about the tile that lies open that were to take it.
    claims: Vec<usize>,
    /// The hand in play.
    current: Option<HandInPlay>,
}

/// What is remembered of a hand until it ends.
#[derive(Debug)]
struct HandInPlay {
    round: u16,
    honba: u16,
    sticks: u16,
    dealer: Seat,
    start_points: BySeat<i32>,
    riichi: BySeat<Option<u8>>,
    calls: BySeat<u8>,
    discards: BySeat<u8>,
    drawn: u8,
    history: String,
}

impl Memory {
    /// Remembers nothing yet of a game under these rules.
    #[must_use]
    pub fn new(detail: Detail, rules: &Rules) -> Memory {
        let tiles = match rules.tiles {
            TileKinds::Full => 136,
            TileKinds::ThreePlayer => 108,
        };
        Memory {
            detail,
            results: None,
            live: tiles - 14 - 13 * rules.players.count(),
            tally: Tally::default(),
            signature: Signature::default(),
            step: 0,
            hands: Vec::new(),
            decisions: Vec::new(),
            claims: Vec::new(),
            current: None,
        }
    }

    /// The record of a game with this number and seed, and what it adds to the counts; none if the game is not over.
    #[must_use]
    pub fn finish(mut self, game: u64, seed: u64) -> Option<(GameRecord, Tally)> {
        let results = self.results?;
        self.tally.add_results(&results);
        let record = GameRecord {
            game,
            seed,
            origin: None,
            results,
            hand_count: self.tally.hands as u32,
            decision_count: self.tally.decisions as u32,
            signature: self.signature.number(),
            hands: self.hands,
            decisions: self.decisions,
        };
        Some((record, self.tally))
    }

    fn in_play(&mut self) -> &mut HandInPlay {
        self.current.as_mut().expect("a hand is in play from its deal to its end")
    }

    fn hand_event(&mut self, event: &Event) {
        match event {
            Event::Deal { round, honba, sticks, dealer, scores, .. } => {
                let players = scores.players();
                self.current = Some(HandInPlay {
                    round: *round,
                    honba: *honba,
                    sticks: *sticks,
                    dealer: *dealer,
                    start_points: *scores,
                    riichi: BySeat::splat(players, None),
                    calls: BySeat::splat(players, 0),
                    discards: BySeat::splat(players, 0),
                    drawn: 0,
                    history: String::new(),
                });
            }
            Event::Draw { .. } => self.in_play().drawn += 1,
            Event::Discard { seat, .. } => self.in_play().discards[*seat] += 1,
            Event::RiichiAccepted { seat } => {
                let hand = self.in_play();
                hand.riichi[*seat] = Some(hand.discards[*seat]);
            }
            Event::Call { seat, .. } => self.in_play().calls[*seat] += 1,
            Event::HandEnd(outcome) => self.end_hand(outcome),
            _ => {}
        }
    }

    fn end_hand(&mut self, outcome: &Outcome) {
        let hand = self.current.take().expect("a hand that ends was dealt");
        let players = hand.start_points.players();
        let sticks_paid = |seat: Seat| 1000 * i32::from(hand.riichi[seat].is_some());
        self.hands.push(HandRecord {
            round: hand.round,
            honba: hand.honba,
            sticks: hand.sticks,
            dealer: hand.dealer,
            start_points: hand.start_points,
            deltas: BySeat::from_fn(players, |seat| outcome.deltas[seat] - sticks_paid(seat)),
            outcome: outcome.clone(),
            riichi: hand.riichi,
            calls: hand.calls,
            discards: hand.discards,
            live: self.live - hand.drawn,
            wall: None,
            history: hand.history,
        });
    }

    /// Adds to the history of the hand what everybody sees of an event.
    fn tell(&mut self, event: &Event) {
        let (Event::Discard { seat, .. }
        | Event::Call { seat, .. }
        | Event::Ankan { seat, .. }
        | Event::Kakan { seat, .. }
        | Event::Kita { seat }) = event
        else {
            return;
        };
        let history = &mut self.in_play().history;
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

    /// Of the claims on a tile those were outranked that another went before; an abortive draw goes before none.
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
}

impl Observer for Memory {
    #[inline]
    fn event(&mut self, event: &Event) {
        self.tally.event(event);
        if let Event::GameEnd { results, .. } = event {
            self.results = Some(*results);
        }
        if self.detail == Detail::None {
            return;
        }
        self.signature.event(event);
        self.step = if matches!(event, Event::Deal { .. }) { 1 } else { self.step + 1 };
        if self.detail >= Detail::Hands {
            self.hand_event(event);
        }
        if self.detail >= Detail::Decisions {
            self.tell(event);
        }
        if !self.claims.is_empty() {
            self.settle_claims(event);
        }
    }
}

impl Spectator for Memory {
    #[inline]
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        self.tally.decision(o, action);
        if self.detail < Detail::Decisions {
            return;
        }
        let is_claim = matches!(o.phase(), Phase::Claim | Phase::KanClaim);
        if is_claim && action != Action::Pass {
            self.claims.push(self.decisions.len());
        }
        let mut indicators = [Tile::plain(jantaku_engine::TileKind::EAST); 5];
        indicators[..o.indicators().len()].copy_from_slice(o.indicators());
        let in_riichi = |seat: &Seat| o.side(*seat).riichi() != Riichi::None;
        // Whether the game ends is asked after the last hand has ended.
        let (hand, history) = match &self.current {
            Some(current) => (self.hands.len(), &current.history),
            None => (self.hands.len() - 1, &self.hands[self.hands.len() - 1].history),
        };
        // Where the game may end, the last hand's winning tile still lies on the table.
        let is_turn = o.phase() == Phase::Turn;
        let held = if is_turn { o.hand_with_draw() } else { *o.hand() };
        self.decisions.push(Decision {
            hand: hand as u16,
            step: self.step,
            seat: o.seat(),
            turn: o.side(o.seat()).discard_count(),
            phase: o.phase(),
            concealed: *o.hand(),
            drawn: o.drawn().filter(|_| is_turn),
            melds: *o.melds(),
            offer: o.offer().filter(|_| is_claim),
            unseen: o.unseen(),
            indicators: (indicators, o.indicators().len() as u8),
            live: o.live(),
            riichi: o.rules().players.seats().filter(in_riichi).collect(),
            history: history.len() as u16,
            shanten: held.shanten(o.melds().len()),
            legal: o.legal(),
            action: action.id(),
            outranked: false,
        });
    }
}
