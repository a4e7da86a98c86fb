//! Events, observers of events, and the signature of a game.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::outcome::{HandEnd, Outcome};
use crate::random::hash;
use crate::ranking::FinalResult;
use crate::{Action, BySeat, Declare, Meld, Seat, Tile};

/// A change of the table.
///
/// The state machine emits events with all tiles. [`Event::seen_by`] hides what one player does not see.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Event {
    /// A hand begins.
    Deal {
        /// The round, counted from the start of the game ([`Table::round`](crate::Table::round)).
        round: u16,
        /// Honba.
        honba: u16,
        /// Riichi sticks on the table.
        sticks: u16,
        /// The dealer.
        dealer: Seat,
        /// The points of each seat.
        scores: BySeat<i32>,
        /// The first dora indicator, if the rules use one.
        indicator: Option<Tile>,
        /// The thirteen tiles of each seat. None for a hidden tile.
        hands: BySeat<[Option<Tile>; 13]>,
    },
    /// A player draws a tile.
    Draw {
        /// The seat that draws.
        seat: Seat,
        /// The tile. None if it is hidden.
        tile: Option<Tile>,
        /// Whether it is a replacement tile from the dead wall.
        replacement: bool,
    },
    /// A player discards a tile.
    Discard {
        /// The seat that discards.
        seat: Seat,
        /// The tile.
        tile: Tile,
        /// Whether it is the tile just drawn.
        tsumogiri: bool,
        /// The declaration with it.
        declare: Declare,
    },
    /// A riichi is accepted: no player won on the tile, and the stick is paid.
    RiichiAccepted {
        /// The seat in riichi.
        seat: Seat,
    },
    /// A player claims a discard: chi, pon or daiminkan.
    Call {
        /// The seat that claims.
        seat: Seat,
        /// The meld with the claimed tile.
        meld: Meld,
    },
    /// A player declares an ankan.
    Ankan {
        /// The seat that declares.
        seat: Seat,
        /// The ankan.
        meld: Meld,
    },
    /// A player declares a kakan. Other players may still rob it.
    Kakan {
        /// The seat that declares.
        seat: Seat,
        /// The added tile.
        tile: Tile,
    },
    /// A player sets a North aside. Other players may still rob it.
    Kita {
        /// The seat that sets it aside.
        seat: Seat,
    },
    /// A player made an invalid call, and their hand is dead.
    DeadHand {
        /// The seat with the dead hand.
        seat: Seat,
    },
    /// A further dora indicator is turned.
    Indicator {
        /// The tile.
        tile: Tile,
    },
    /// The hand is over.
    HandEnd(Outcome),
    /// The game is over.
    GameEnd {
        /// The final points, after the sticks left on the table are given out.
        scores: BySeat<i32>,
        /// Placements and results, after penalties for fouls.
        results: BySeat<FinalResult>,
    },
}

/// Prints the event in one short line.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Deal { .. } => f.write_str("the deal"),
            Event::Draw { seat, tile: Some(tile), .. } => write!(f, "{seat:?} draws {tile}"),
            Event::Draw { seat, tile: None, .. } => write!(f, "{seat:?} draws"),
            Event::Discard { seat, tile, tsumogiri, declare } => {
                let drawn = if *tsumogiri { "the drawn " } else { "" };
                let riichi = if *declare == Declare::Nothing { "" } else { " for riichi" };
                write!(f, "{seat:?} discards {drawn}{tile}{riichi}")
            }
            Event::RiichiAccepted { seat } => write!(f, "the riichi of {seat:?} is accepted"),
            Event::Call { seat, meld } => write!(f, "{seat:?} calls {meld}"),
            Event::Ankan { seat, meld } => write!(f, "{seat:?} makes {meld}"),
            Event::Kakan { seat, tile } => write!(f, "{seat:?} adds {tile} to a pon"),
            Event::Kita { seat } => write!(f, "{seat:?} sets a North aside"),
            Event::DeadHand { seat } => write!(f, "the hand of {seat:?} is dead"),
            Event::Indicator { tile } => write!(f, "the indicator {tile} is turned"),
            Event::HandEnd(_) => f.write_str("the hand ends"),
            Event::GameEnd { .. } => f.write_str("the game ends"),
        }
    }
}

impl Event {
    /// The action of this player in their turn that makes the event: a discard, an ankan, a kakan or a kita.
    /// None for other events and for those of other players.
    pub fn action_in_turn(&self, player: Seat) -> Option<Action> {
        let (seat, action) = match *self {
            Event::Discard { seat, tsumogiri: true, declare, .. } => (seat, Action::Tsumogiri { declare }),
            Event::Discard { seat, tile, declare, .. } => (seat, Action::Discard { tile, declare }),
            Event::Ankan { seat, meld } => (seat, Action::Kan { kind: meld.low() }),
            Event::Kakan { seat, tile } => (seat, Action::Kan { kind: tile.kind() }),
            Event::Kita { seat } => (seat, Action::Kita),
            _ => return None,
        };
        (seat == player).then_some(action)
    }

    /// The event without the tiles that this player does not see.
    #[must_use]
    pub fn seen_by(&self, viewer: Seat) -> Event {
        let mut seen = self.clone();
        match &mut seen {
            Event::Deal { hands, .. } => {
                let players = hands.players();
                players.seats().filter(|seat| *seat != viewer).for_each(|seat| hands[seat] = [None; 13]);
            }
            Event::Draw { seat, tile, .. } if *seat != viewer => *tile = None,
            _ => {}
        }
        seen
    }
}

/// A receiver of events.
///
/// The state machine calls it for each event as it happens, many times a hand, so it must be fast.
/// `()` ignores events at no cost. A `Vec<Event>` collects them. A function of `&Event` is an
/// observer too:
///
/// ```
/// use jantaku_engine::{Action, Declare, Event, Game, Rules};
///
/// let mut game = Game::new(&Rules::default(), 42);
/// let (seat, _) = game.decisions().next().expect("the dealer begins");
/// let mut draws = 0;
/// let mut count = |event: &Event| draws += u32::from(matches!(event, Event::Draw { .. }));
/// game.submit_seen(seat, Action::Tsumogiri { declare: Declare::Nothing }, &mut count)?;
/// println!("{draws} tiles drawn until the next decision");
/// # Ok::<(), jantaku_engine::IllegalAction>(())
/// ```
pub trait Observer {
    /// Receives the next event.
    fn event(&mut self, event: &Event);
}

impl<F: FnMut(&Event)> Observer for F {
    #[inline]
    fn event(&mut self, event: &Event) {
        self(event);
    }
}

impl Observer for () {
    #[inline]
    fn event(&mut self, _: &Event) {}
}

impl Observer for Vec<Event> {
    fn event(&mut self, event: &Event) {
        self.push(event.clone());
    }
}

/// A hash of a game's events.
///
/// Two games with the same signature had the same events, up to collisions of 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Signature(u64);

impl Signature {
    /// The number.
    pub const fn number(self) -> u64 {
        self.0
    }

    #[inline]
    fn add(&mut self, words: [u64; 2]) {
        self.0 = hash(&[self.0, words[0], words[1]]);
    }

    fn add_outcome(&mut self, outcome: &Outcome) {
        match &outcome.end {
            HandEnd::Win(wins) => wins.iter().for_each(|win| {
                let score = &win.score;
                let value =
                    [win.winner.number(), win.tile.number(), score.yaku_han, score.dora.total(), score.fu];
                let yaku = score.yaku.bits();
                self.add([pack(value), yaku as u64]);
                if yaku >> 64 != 0 {
                    self.add([12, (yaku >> 64) as u64]);
                }
            }),
            HandEnd::Draw { reason, tenpai, nagashi, fouls } => {
                self.add([11, pack([fouls.bits(), *reason as u8, tenpai.bits(), nagashi.bits()])]);
            }
        }
        self.add([9, u64::from(outcome.sticks)]);
        self.add_points(&outcome.deltas);
    }

    fn add_points(&mut self, points: &BySeat<i32>) {
        points.iter().for_each(|points| self.add([0xF0, *points as u64]));
    }
}

/// Packs up to eight bytes into a word.
#[inline]
fn pack(parts: impl IntoIterator<Item = u8>) -> u64 {
    parts.into_iter().fold(0, |word, part| word << 8 | u64::from(part))
}

/// The number of a tile; 255 if there is none or it is hidden.
fn number(tile: Option<Tile>) -> u8 {
    tile.map_or(u8::MAX, Tile::number)
}

impl Observer for Signature {
    #[inline]
    fn event(&mut self, event: &Event) {
        match event {
            Event::Deal { round, honba, sticks, dealer, scores, indicator, hands } => {
                let start =
                    [u64::from(*round), u64::from(*honba), u64::from(*sticks), u64::from(dealer.number())];
                self.add([1, hash(&start)]);
                self.add_points(scores);
                for hand in hands {
                    let half = |tiles: &[Option<Tile>]| pack(tiles.iter().copied().map(number));
                    self.add([half(&hand[..7]), half(&hand[7..])]);
                }
                self.add([1, u64::from(number(*indicator))]);
            }
            Event::Draw { seat, tile, replacement } => {
                self.add([2, pack([seat.number(), number(*tile), u8::from(*replacement)])]);
            }
            Event::Discard { seat, tile, tsumogiri, declare } => {
                self.add([3, pack([seat.number(), tile.number(), u8::from(*tsumogiri), *declare as u8])]);
            }
            Event::RiichiAccepted { seat } => self.add([4, u64::from(seat.number())]),
            Event::Call { seat, meld } | Event::Ankan { seat, meld } => {
                let claimed = meld.claimed();
                let (tile, from) =
                    (number(claimed.map(|c| c.tile)), claimed.map_or(u8::MAX, |c| c.from.number()));
                let shape = [meld.kind() as u8, meld.low().number(), meld.reds()];
                self.add([5, pack([seat.number(), shape[0], shape[1], shape[2], tile, from])]);
            }
            Event::Kakan { seat, tile } => self.add([6, pack([seat.number(), tile.number()])]),
            Event::Kita { seat } => self.add([7, u64::from(seat.number())]),
            Event::DeadHand { seat } => self.add([13, u64::from(seat.number())]),
            Event::Indicator { tile } => self.add([8, u64::from(tile.number())]),
            Event::HandEnd(outcome) => self.add_outcome(outcome),
            Event::GameEnd { scores, .. } => {
                self.add([10, 0]);
                self.add_points(scores);
            }
        }
    }
}
