//! The record of a finished game.

use jantaku_agents::SearchInfo;
use jantaku_agents::labels::Label;
use jantaku_engine::notation::HandText;
use jantaku_engine::{
    ActionId, ActionSet, BySeat, Concealed, DrawReason, FinalResult, HandEnd, Melds, Offer, Outcome, Phase,
    Rules, Seat, SeatSet, Shanten, Tile, Unseen, Wall, named_enum,
};

use super::hand::HandInPlay;

named_enum! {
    /// How much of each game a record keeps. Each level includes those before it.
    Detail {
        /// Nothing; games are only counted.
        None = "none",
        /// Points, placements and the signature of each game.
        Games = "games",
        /// The course and end of each hand.
        Hands = "hands",
        /// Every decision.
        Decisions = "decisions",
        /// Also what no player sees: all hands at every decision, and the walls.
        Oracle = "oracle",
    }
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The game's number in the run.
    pub game: u64,
    /// The game's seed.
    pub seed: u64,
    /// The log of the game; none for a game of self-play.
    pub origin: Option<Box<Origin>>,
    /// Placements, points and results.
    pub results: BySeat<FinalResult>,
    /// The number of hands.
    pub hand_count: u32,
    /// The number of decisions.
    pub decision_count: u32,
    /// A hash of all events; 0 below [`Detail::Games`].
    pub signature: u64,
    /// The hands in order, from [`Detail::Hands`] on.
    pub hands: Vec<HandRecord>,
    /// The decisions in order, from [`Detail::Decisions`] on.
    pub decisions: Vec<Decision>,
    /// The concealed tiles of each seat at each decision, without the tile just drawn; from
    /// [`Detail::Oracle`] on.
    pub concealed: Vec<BySeat<HandText>>,
    /// Labels, each with the number of its decision; empty in runs without labels.
    pub labels: Vec<(u32, Label)>,
}

impl GameRecord {
    /// Adds the wall of each hand, which follows from the seed of the game under its rules.
    pub(crate) fn add_walls(&mut self, rules: &Rules) {
        let mut attempt = 0;
        for hand in &mut self.hands {
            hand.wall = Some(Wall::of_hand(self.seed, hand.course.round, hand.course.honba, attempt, rules));
            // After a foul, the same hand is dealt again from another wall.
            attempt = if hand.is_foul() { attempt + 1 } else { 0 };
        }
    }
}

/// The source of a game that was not played here.
#[derive(Clone, PartialEq, Debug)]
pub struct Origin {
    /// The name of the log.
    pub source: String,
    /// The players' names by seat.
    pub players: Vec<String>,
    /// The rules of the log.
    pub rules: Rules,
}

/// A finished hand.
#[derive(Clone, Debug)]
pub struct HandRecord {
    /// What happened in it.
    pub course: HandInPlay,
    /// Points that each seat won or lost, riichi sticks included.
    pub deltas: BySeat<i32>,
    /// How the hand ended.
    pub outcome: Outcome,
    /// Live tiles left at the end.
    pub live: u8,
    /// The wall: in games from logs, and from [`Detail::Oracle`] on.
    pub wall: Option<Wall>,
    /// The public events in order, as text (the column `history` of decisions); empty below
    /// [`Detail::Decisions`].
    pub history: String,
}

impl HandRecord {
    /// Whether a foul ended the hand.
    const fn is_foul(&self) -> bool {
        matches!(self.outcome.end, HandEnd::Draw { reason: DrawReason::Chombo, .. })
    }
}

/// A decision of a player.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The number of the hand in its game, from 0.
    pub hand: u16,
    /// The number of events in the hand before the decision.
    pub step: u16,
    /// The seat that decides.
    pub seat: Seat,
    /// Points of each seat, after the riichi sticks paid so far.
    pub points: BySeat<i32>,
    /// Riichi sticks on the table.
    pub riichi_sticks: u16,
    /// Tiles that the seat has discarded.
    pub turn: u8,
    /// What the game waits for.
    pub phase: Phase,
    /// The seat's concealed tiles without the drawn tile.
    pub concealed: Concealed,
    /// The tile that the seat has just drawn, in its own turn.
    pub drawn: Option<Tile>,
    /// The seat's melds.
    pub melds: Melds,
    /// The tile that the seat may claim.
    pub offer: Option<Offer>,
    /// Tiles that the seat has not seen.
    pub unseen: Unseen,
    /// Red fives that all players see: of characters, dots and bamboo.
    pub open_reds: [u8; 3],
    /// The dora indicators: the first tiles of the array, and their number.
    pub indicators: ([Tile; 5], u8),
    /// Live tiles left.
    pub live: u8,
    /// Seats in accepted riichi.
    pub riichi: SeatSet,
    /// The length in bytes of the part of the hand's [`history`](HandRecord::history) before the
    /// decision.
    pub history: u16,
    /// The seat's shanten, with the drawn tile.
    pub shanten: Shanten,
    /// The legal actions.
    pub legal: ActionSet,
    /// The chosen action.
    pub action: ActionId,
    /// Whether another player's claim took precedence.
    pub outranked: bool,
    /// What the agent reported.
    pub search_info: Option<Box<SearchInfo>>,
}
