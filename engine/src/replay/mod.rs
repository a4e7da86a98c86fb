//! Recorded games: written down while they are played, and played again from what a log tells.
//!
//! - [`RecordedGame`]: a game as a log tells it; what a log leaves out is none
//! - [`Recording`]: writes one down from the events of a game in play
//! - [`HandLog`]: puts a hand together from the lines of a log
//! - [`OneHand`]: one hand of a game alone
//! - [`RecordedGame::replay`]: drives the engine with it, hand by hand. Was each action legal, and does everything come out the same?
//!   Whatever the log leaves out – tiles that were never seen, how a win was valued – is not compared

mod compare;
mod hand_log;
mod one_hand;
mod recording;

use std::fmt;

pub use hand_log::{HandLog, Mark};
pub use one_hand::OneHand;
pub use recording::Recording;

use crate::event::{Event, Observer, Signature};
use crate::game::Standing;
use crate::outcome::DrawReason;
use crate::rules::Rules;
use crate::wall::{Revealed, Wall, WallError};
use crate::yaku::Yaku;
use crate::{Action, BySeat, Limit, MeldKind, Observation, Seat, SeatSet, Tile, TileKind, Wind};

/// A game as a log tells it.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordedGame {
    /// The rules that the log states.
    pub rules: Rules,
    /// The players' names, empty where the log does not tell.
    pub names: Vec<String>,
    /// The hands in order.
    pub hands: Vec<RecordedHand>,
    /// Points at the end, with what became of the sticks on the table; none where the log does not tell or stops before.
    pub final_scores: Option<BySeat<i32>>,
    /// Results with uma and oka, in points.
    pub results: Option<BySeat<i32>>,
    /// Whether the log claims to go to the end of the game; otherwise it may stop after any hand.
    pub is_whole: bool,
}

/// A hand as a log tells it.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordedHand {
    /// Where the game stood at the deal.
    pub standing: Standing,
    /// The dealt tiles.
    pub dealt: BySeat<[Tile; 13]>,
    /// The first dora indicator.
    pub indicator: Option<Tile>,
    /// What happened between deal and end, in the engine's order: an indicator that is turned with a discard follows it.
    pub events: Vec<Event>,
    /// The further dora indicators in order, where the log does not tell when they were turned; none where they are among the events.
    pub listed_indicators: Option<Vec<Tile>>,
    /// The indicators under the dora indicators, as far as the log shows them.
    pub ura_indicators: Vec<Tile>,
    /// How it ended; none where the log stops before.
    pub end: Option<RecordedEnd>,
}

/// How a hand ended, as a log tells it.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordedEnd {
    /// The wins in the log's order; empty at a draw.
    pub wins: Vec<RecordedWin>,
    /// Why nobody won.
    pub draw: Option<DrawReason>,
    /// Who was tenpai at an exhaustive draw, where the log tells.
    pub tenpai: Option<SeatSet>,
    /// What each seat won or lost at the end, sticks taken included, riichi sticks paid before not; where the log tells.
    pub deltas: Option<BySeat<i32>>,
}

/// A win, as a log tells it. What it does not tell is none.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordedWin {
    /// Who won.
    pub winner: Seat,
    /// Whose tile it was; none for a self-draw.
    pub from: Option<Seat>,
    /// The winning tile.
    pub tile: Option<Tile>,
    /// The yaku in order with their han, 0 for yakuman; dora are not among them.
    pub yaku: Option<Vec<(Yaku, u8)>>,
    /// Han with dora; 0 for a yakuman.
    pub han: Option<u32>,
    /// Bonus han by indicators (Norths set aside counted with the turned ones), by those under them, by red fives.
    pub dora: Option<[u8; 3]>,
    /// Fu.
    pub fu: Option<u8>,
    /// Points of the hand as its log counts them.
    pub points: Option<i32>,
    /// The limit that the hand reaches.
    pub limit: Option<Limit>,
    /// Base points of the hand, from which the payments are reckoned.
    pub base: Option<u32>,
    /// Who was liable.
    pub liable: Option<Option<Seat>>,
    /// What each seat won or lost by this win, sticks taken included.
    pub deltas: Option<BySeat<i32>>,
}

/// What was recorded is not what the rules say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The number of the hand in the log, from 0.
    pub hand: usize,
    /// The number of the recorded event, from 0 for the deal; as many as there are for the end of the hand.
    pub step: usize,
    /// What is compared, such as `fu of seat 2`.
    pub what: String,
    /// What the rules say.
    pub expected: String,
    /// What the log says.
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { hand, step, what, expected, found } = self;
        write!(f, "hand {hand} step {step}: {what}: expected {expected}, found {found}")
    }
}

/// What came of a replay.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Hands that were played.
    pub hands: usize,
    /// Decisions that were found, passes included.
    pub decisions: usize,
    /// What was not as recorded. A hand is left at its first illegal action.
    pub differences: Vec<Difference>,
}

/// Who is shown the decisions of a replay besides its events.
pub trait Spectator: Observer {
    /// A decision is about to be answered as recorded.
    fn decision(&mut self, o: &Observation<'_>, action: Action);
}

impl Spectator for () {
    fn decision(&mut self, _: &Observation<'_>, _: Action) {}
}

impl Spectator for Signature {
    fn decision(&mut self, _: &Observation<'_>, _: Action) {}
}

impl Spectator for Recording {
    fn decision(&mut self, _: &Observation<'_>, _: Action) {}
}

impl RecordedGame {
    /// A game under these rules of which no hand is known yet.
    #[must_use]
    pub fn new(rules: Rules) -> RecordedGame {
        let names = vec![String::new(); usize::from(rules.players.count())];
        RecordedGame { rules, names, hands: Vec::new(), final_scores: None, results: None, is_whole: false }
    }
}

impl RecordedHand {
    /// The dealer.
    #[must_use]
    pub fn dealer(&self) -> Seat {
        let players = self.dealt.players();
        Seat::FIRST.after((self.standing.round % u16::from(players.count())) as u8, players)
    }

    /// The wind of a seat, and that of the round.
    #[must_use]
    pub fn winds(&self, seat: Seat) -> [Wind; 2] {
        let players = self.dealt.players();
        let round = self.standing.round / u16::from(players.count());
        [seat.wind(self.dealer(), players), Wind::of_round(u32::from(round))]
    }

    /// The concealed tiles that a player holds at the end, the one just drawn included, in order; none if he has parted with a tile that
    /// he did not hold.
    #[must_use]
    pub fn held(&self, seat: Seat) -> Option<Vec<Tile>> {
        let mut held = self.dealt[seat].to_vec();
        for event in &self.events {
            let (gone, claimed): (Vec<Tile>, _) = match event {
                Event::Draw { seat: drawer, tile, .. } if *drawer == seat => {
                    held.extend(*tile);
                    continue;
                }
                Event::Discard { seat: other, tile, .. } | Event::Kakan { seat: other, tile }
                    if *other == seat =>
                {
                    (vec![*tile], None)
                }
                Event::Call { seat: caller, meld } | Event::Ankan { seat: caller, meld }
                    if *caller == seat =>
                {
                    (meld.tiles().collect(), meld.claimed().map(|claimed| claimed.tile))
                }
                Event::Kita { seat: other } if *other == seat => (vec![Tile::plain(TileKind::NORTH)], None),
                _ => continue,
            };
            // The claimed tile came from another.
            held.extend(claimed);
            for tile in gone {
                held.swap_remove(held.iter().position(|other| *other == tile)?);
            }
        }
        held.sort_unstable();
        Some(held)
    }

    /// The pon of this player and kind that the hand has so far.
    pub(crate) fn pon(&self, seat: Seat, kind: TileKind) -> Option<crate::Meld> {
        self.events.iter().find_map(|event| match event {
            Event::Call { seat: caller, meld }
                if *caller == seat && meld.kind() == MeldKind::Pon && meld.low() == kind =>
            {
                Some(*meld)
            }
            _ => None,
        })
    }

    /// The wall as far as the log reveals it.
    ///
    /// # Errors
    ///
    /// If the tiles are not all from one set.
    pub fn wall(&self, rules: &Rules) -> Result<Wall, WallError> {
        let players = rules.players;
        let dealer = self.dealer();
        let dealt: Vec<[Tile; 13]> =
            (0..players.count()).map(|steps| self.dealt[dealer.after(steps, players)]).collect();
        let draws = |from_dead_wall: bool| -> Vec<Tile> {
            let tile = |event: &Event| match event {
                Event::Draw { tile, replacement, .. } if *replacement == from_dead_wall => *tile,
                _ => None,
            };
            self.events.iter().filter_map(tile).collect()
        };
        let turned = self.events.iter().filter_map(|event| match event {
            Event::Indicator { tile } => Some(*tile),
            _ => None,
        });
        let listed = self.listed_indicators.iter().flatten().copied();
        let indicators: Vec<Tile> = self.indicator.into_iter().chain(turned).chain(listed).collect();
        Wall::revealed(
            rules,
            &Revealed {
                dealt: &dealt,
                drawn: &draws(false),
                replacements: &draws(true),
                indicators: &indicators,
                ura_indicators: &self.ura_indicators,
            },
        )
    }
}
