//! What happens in a hand, step by step.

use std::fmt;

use crate::outcome::{HandEnd, Outcome};
use crate::random::hash;
use crate::ranking::FinalResult;
use crate::{BySeat, Declare, Meld, Seat, Tile};

/// A change of the table.
///
/// Tiles are what they are; [`Event::seen_by`] gives what one player sees of it.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A hand begins.
    Deal {
        /// The hand by dealers from the start of the game ([`Table::round`](crate::Table::round)).
        round: u16,
        /// Counters.
        honba: u16,
        /// Riichi sticks on the table.
        sticks: u16,
        /// The dealer.
        dealer: Seat,
        /// Points.
        scores: BySeat<i32>,
        /// The first dora indicator, if the rules have one.
        indicator: Option<Tile>,
        /// Thirteen tiles for each player; none where they are hidden.
        hands: BySeat<[Option<Tile>; 13]>,
    },
    /// A tile is drawn.
    Draw {
        /// By whom.
        seat: Seat,
        /// The tile; none where it is hidden.
        tile: Option<Tile>,
        /// Whether it came from the dead wall.
        replacement: bool,
    },
    /// A tile is discarded.
    Discard {
        /// By whom.
        seat: Seat,
        /// The tile.
        tile: Tile,
        /// Whether it was the one just drawn.
        tsumogiri: bool,
        /// What is declared with it.
        declare: Declare,
    },
    /// A riichi stands: nobody won on the tile, and the stick is paid.
    RiichiAccepted {
        /// Whose.
        seat: Seat,
    },
    /// A discard is claimed: chi, pon or open quad.
    Call {
        /// By whom.
        seat: Seat,
        /// The meld with the claimed tile.
        meld: Meld,
    },
    /// A concealed quad is declared.
    Ankan {
        /// By whom.
        seat: Seat,
        /// The quad.
        meld: Meld,
    },
    /// A tile is to be added to a pon.
    Kakan {
        /// By whom.
        seat: Seat,
        /// The tile.
        tile: Tile,
    },
    /// A North is to be set aside.
    Kita {
        /// By whom.
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
        /// Points, with what became of the sticks.
        scores: BySeat<i32>,
        /// Places and results, less what fouls take off.
        results: BySeat<FinalResult>,
    },
}

/// What happens, for a person.
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
            Event::RiichiAccepted { seat } => write!(f, "the riichi of {seat:?} stands"),
            Event::Call { seat, meld } => write!(f, "{seat:?} calls {meld}"),
            Event::Ankan { seat, meld } => write!(f, "{seat:?} makes {meld}"),
            Event::Kakan { seat, tile } => write!(f, "{seat:?} adds {tile} to a pon"),
            Event::Kita { seat } => write!(f, "{seat:?} sets a North aside"),
            Event::Indicator { tile } => write!(f, "the indicator {tile} is turned"),
            Event::HandEnd(_) => f.write_str("the hand ends"),
            Event::GameEnd { .. } => f.write_str("the game ends"),
        }
    }
}

impl Event {
    /// The event with what this player does not see taken out.
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

/// Who is told of each change.
///
/// Called by the state machine in the order in which things happen, many times a hand; it must not take long. `()` listens to
/// nothing and costs nothing, a `Vec<Event>` collects, a function is called.
pub trait Observer {
    /// One more thing has happened.
    fn event(&mut self, event: &Event);
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

/// A hash of a game's events: two games with the same signature went the same way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Signature(u64);

impl Signature {
    /// The number.
    #[must_use]
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
                self.add([pack(&value), yaku as u64]);
                if yaku >> 64 != 0 {
                    self.add([12, (yaku >> 64) as u64]);
                }
            }),
            HandEnd::Draw { reason, tenpai, nagashi, fouls } => {
                self.add([11, pack(&[fouls.bits(), *reason as u8, tenpai.bits(), nagashi.bits()])]);
            }
        }
        self.add([9, u64::from(outcome.sticks)]);
        self.add_points(&outcome.deltas);
    }

    fn add_points(&mut self, points: &BySeat<i32>) {
        points.iter().for_each(|points| self.add([0xF0, *points as u64]));
    }
}

/// Packs small numbers into a word, eight bits each.
#[inline]
fn pack(parts: &[u8]) -> u64 {
    parts.iter().fold(0, |word, part| word << 8 | u64::from(*part))
}

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
                    let half = |tiles: &[Option<Tile>]| {
                        tiles.iter().fold(0, |word, tile| word << 8 | u64::from(number(*tile)))
                    };
                    self.add([half(&hand[..7]), half(&hand[7..])]);
                }
                self.add([1, u64::from(number(*indicator))]);
            }
            Event::Draw { seat, tile, replacement } => {
                self.add([2, pack(&[seat.number(), number(*tile), u8::from(*replacement)])]);
            }
            Event::Discard { seat, tile, tsumogiri, declare } => {
                self.add([3, pack(&[seat.number(), tile.number(), u8::from(*tsumogiri), *declare as u8])]);
            }
            Event::RiichiAccepted { seat } => self.add([4, u64::from(seat.number())]),
            Event::Call { seat, meld } | Event::Ankan { seat, meld } => {
                let claimed = meld.claimed();
                let (tile, from) =
                    (number(claimed.map(|c| c.tile)), claimed.map_or(u8::MAX, |c| c.from.number()));
                let shape = [meld.kind() as u8, meld.low().number(), meld.reds()];
                self.add([5, pack(&[seat.number(), shape[0], shape[1], shape[2], tile, from])]);
            }
            Event::Kakan { seat, tile } => self.add([6, pack(&[seat.number(), tile.number()])]),
            Event::Kita { seat } => self.add([7, u64::from(seat.number())]),
            Event::Indicator { tile } => self.add([8, u64::from(tile.number())]),
            Event::HandEnd(outcome) => self.add_outcome(outcome),
            Event::GameEnd { scores, .. } => {
                self.add([10, 0]);
                self.add_points(scores);
            }
        }
    }
}
