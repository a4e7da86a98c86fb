//! Recorded games, and the replay of recorded and stored games.
//!
//! - [`RecordedGame`]: a game as a log states it, with None for what the log leaves out. As an
//!   [`Observer`], it records a game in play
//! - [`GameHistory`]: a game in play with its history
//! - [`Problem`]: what is wrong in a log
//! - [`HandLog`]: builds a hand from the lines of a log
//! - [`replay_game_from`], [`HandReplayer`]: the driver of every replay, answered by a [`Script`]
//! - [`RecordedGame::replay`]: replays a recorded game hand by hand. It checks that every action
//!   was legal and compares the record with the rules

mod compare;
mod driver;
mod hand_log;
mod history;
mod problem;
mod recording;

use std::cmp::Ordering;
use std::fmt;

pub use driver::{Answers, GameStart, HandReplayer, ReplayedHand, Script, Stopped, replay_game_from};
pub use hand_log::{HandLog, Mark};
pub use history::{GameHistory, HistoryError, Step};
pub use problem::{Problem, seat_of};
use serde::{Deserialize, Serialize};

use crate::draw::DrawReason;
use crate::event::{Event, Observer, Signature};
use crate::game_state::Standing;
use crate::random::Rng;
use crate::rules::Rules;
use crate::wall::{Revealed, Wall, WallError, WallStep};
use crate::yaku::Yaku;
use crate::{Action, BySeat, Limit, MeldKind, Observation, Round, Seat, SeatSet, Tile, TileKind, Wind};

/// A game as a log states it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RecordedGame {
    /// The rules that the log states.
    pub rules: Rules,
    /// The players' names by seat; empty if the log does not state them.
    pub names: Vec<String>,
    /// The hands in order.
    pub hands: Vec<RecordedHand>,
    /// Points at the end, with the riichi sticks left on the table paid out. None if the log does
    /// not state them or stops earlier.
    pub final_scores: Option<BySeat<i32>>,
    /// Results with uma and oka, in points.
    pub results: Option<BySeat<i32>>,
    /// Whether the log claims to reach the end of the game. Otherwise it may stop after any hand.
    pub is_whole: bool,
    /// What the log states about the game and its players beside the play.
    #[serde(default, skip_serializing_if = "LogHeader::is_empty")]
    pub header: LogHeader,
    /// What the reader of the log did not understand, such as the name of a yaku. It is not compared
    /// in a replay.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What a log states about a game and its players beside the play. A replay does not need it; a
/// conversion keeps it. A part that the log does not state is empty.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LogHeader {
    /// The name of the game at its source.
    pub reference: String,
    /// The marks or the name of its room.
    pub room: String,
    /// The lines above the table.
    pub title: Vec<String>,
    /// The players' grades (dan), as their source names them.
    pub dan: Vec<String>,
    /// The players' ratings.
    pub rate: Vec<f64>,
    /// The players' sexes, as their source marks them: M, F, or C for a computer.
    pub sx: Vec<String>,
}

impl LogHeader {
    /// Whether the log states none of this.
    pub fn is_empty(&self) -> bool {
        *self == LogHeader::default()
    }
}

/// A hand as a log states it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RecordedHand {
    /// Where the game stood at the deal.
    pub standing: Standing,
    /// The dealt tiles.
    pub dealt: BySeat<[Tile; 13]>,
    /// The first dora indicator.
    pub indicator: Option<Tile>,
    /// The events between deal and end, in the engine's order: an indicator that a discard turns
    /// follows the discard.
    pub events: Vec<Event>,
    /// The further dora indicators in order, if the log does not say when they were turned. None if
    /// they are among the events.
    pub listed_indicators: Option<Vec<Tile>>,
    /// The ura indicators that the log shows.
    pub ura_indicators: Vec<Tile>,
    /// How the hand ended. None if the log stops earlier.
    pub end: Option<RecordedEnd>,
    /// Why the log has a gap, such as a cut line. If the hand has an end, the gap follows it;
    /// otherwise the rest of the hand is missing. None without a gap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<String>,
}

/// The end of a hand as a log states it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RecordedEnd {
    /// The wins in the log's order; empty for a draw.
    pub wins: Vec<RecordedWin>,
    /// The reason for a draw. None for a win, or if the log does not state it.
    pub draw: Option<DrawReason>,
    /// The tenpai players at an exhaustive draw, if the log states them.
    pub tenpai: Option<SeatSet>,
    /// Points that each seat won or lost at the end, if the log states them. They include riichi
    /// sticks taken, but not riichi sticks paid during the hand.
    pub deltas: Option<BySeat<i32>>,
}

/// A win as a log states it. None for what the log leaves out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RecordedWin {
    /// The winner.
    pub winner: Seat,
    /// The player who dealt in; None for a tsumo.
    pub from: Option<Seat>,
    /// The winning tile.
    pub tile: Option<Tile>,
    /// The yaku in order with their han (0 for yakuman), without dora.
    pub yaku: Option<Vec<(Yaku, u8)>>,
    /// Han with dora; 0 for a yakuman.
    pub han: Option<u32>,
    /// Han from dora indicators (with Norths set aside), from ura indicators, and from red fives.
    pub dora: Option<[u8; 3]>,
    /// Fu.
    pub fu: Option<u8>,
    /// Points of the hand as its log counts them.
    pub points: Option<i32>,
    /// The limit that the hand reaches.
    pub limit: Option<Limit>,
    /// Base points of the hand, from which the payments follow.
    pub base: Option<u32>,
    /// The player liable for the win (pao). `Some(None)` if the log states that nobody is.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "crate::serde_forms::present"
    )]
    pub liable: Option<Option<Seat>>,
    /// Points that each seat won or lost by this win, riichi sticks taken included.
    pub deltas: Option<BySeat<i32>>,
}

/// A recorded value that differs from the value by the rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReplayDifference {
    /// The number of the hand in the log, from 0.
    pub hand: usize,
    /// The number of the recorded event after the deal, from 0. At the end of the hand, the number
    /// of all its events.
    pub step: usize,
    /// The number of the decision before it in the game, from 0, passes included. None before the
    /// first.
    pub decision: Option<usize>,
    /// What is compared, such as `fu of seat 2`.
    pub what: String,
    /// What the rules give.
    pub expected: String,
    /// What the log states.
    pub found: String,
}

impl fmt::Display for ReplayDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReplayDifference { hand, step, what, expected, found, .. } = self;
        write!(f, "hand {hand} step {step}: {what}: expected {expected}, found {found}")
    }
}

/// The result of a replay.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReplayReport {
    /// Hands that were replayed.
    pub hands: usize,
    /// Decisions that were answered, passes included.
    pub decisions: usize,
    /// All differences from the record. After a wrong event or an illegal action, the rest of the
    /// hand is skipped.
    pub differences: Vec<ReplayDifference>,
}

/// Sees the events of a game and the decisions between them.
pub trait Spectator: Observer {
    /// Called by replays before each decision, with the whole hand: all tiles of all players.
    fn round(&mut self, _: &Round) {}

    /// Called before each answer takes effect, with the player's view and the chosen action.
    fn decision(&mut self, _: &Observation<'_>, _: Action) {}

    /// Called by replays of logs for each hand that cannot be dealt, so that hands keep the numbers of the log.
    fn undealt_hand(&mut self) {}
}

impl Spectator for () {}

impl Spectator for Signature {}

impl Spectator for RecordedGame {}

/// Shows a game to two spectators.
#[derive(Clone, Debug)]
pub struct Both<A, B>(pub A, pub B);

impl<A: Observer, B: Observer> Observer for Both<A, B> {
    fn event(&mut self, event: &Event) {
        self.0.event(event);
        self.1.event(event);
    }
}

impl<A: Spectator, B: Spectator> Spectator for Both<A, B> {
    fn round(&mut self, round: &Round) {
        self.0.round(round);
        self.1.round(round);
    }

    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        self.0.decision(o, action);
        self.1.decision(o, action);
    }

    fn undealt_hand(&mut self) {
        self.0.undealt_hand();
        self.1.undealt_hand();
    }
}

impl RecordedGame {
    /// A game under these rules, without hands yet.
    pub fn new(rules: Rules) -> RecordedGame {
        let names = vec![String::new(); usize::from(rules.players.count())];
        RecordedGame {
            rules,
            names,
            hands: Vec::new(),
            final_scores: None,
            results: None,
            is_whole: false,
            header: LogHeader::default(),
            notes: Vec::new(),
        }
    }

    /// Sets the players' names, which the log states under `key`. A log may leave them out, and may list
    /// four for fewer players.
    ///
    /// # Errors
    ///
    /// If the number of names does not fit the players.
    pub fn name_players(&mut self, key: &str, mut names: Vec<String>) -> Result<(), Problem> {
        let players = self.names.len();
        if ![0, players, 4].contains(&names.len()) {
            let found = format!("a list of {} names", names.len());
            return Err(Problem::value(key, found, format!("one for each of {players} players")));
        }
        names.resize(players, String::new());
        self.names = names;
        Ok(())
    }

    /// Marks a gap in the last hand if it has no end.
    pub fn break_off_if_unfinished(&mut self) {
        if let Some(last) = self.hands.last_mut().filter(|last| last.end.is_none()) {
            last.break_off("the end of the log");
        }
    }

    /// The first gap of the log: the number of its hand and the reason.
    pub fn gap(&self) -> Option<(usize, &str)> {
        self.hands.iter().enumerate().find_map(|(number, hand)| Some((number, hand.gap.as_deref()?)))
    }

    /// A game of the whole hands before the first gap, without final points. Without a gap, a copy of this
    /// game.
    #[must_use]
    pub fn before_gap(&self) -> RecordedGame {
        let Some((number, _)) = self.gap() else { return self.clone() };
        let whole = number + usize::from(self.hands[number].end.is_some());
        let hands = self.hands[..whole].iter().map(|hand| RecordedHand { gap: None, ..hand.clone() });
        RecordedGame {
            hands: hands.collect(),
            names: self.names.clone(),
            header: self.header.clone(),
            notes: self.notes.clone(),
            ..RecordedGame::new(self.rules)
        }
    }
}

impl RecordedEnd {
    /// The seats that won.
    pub fn winners(&self) -> SeatSet {
        self.wins.iter().map(|win| win.winner).collect()
    }
}

impl RecordedHand {
    /// A hand after its deal.
    pub const fn new(standing: Standing, dealt: BySeat<[Tile; 13]>, indicator: Option<Tile>) -> RecordedHand {
        RecordedHand {
            standing,
            dealt,
            indicator,
            events: Vec::new(),
            listed_indicators: None,
            ura_indicators: Vec::new(),
            end: None,
            gap: None,
        }
    }

    /// The dealer.
    pub fn dealer(&self) -> Seat {
        self.dealt.players().dealer(self.standing.round)
    }

    /// The seat wind of a player and the round wind.
    pub fn winds(&self, seat: Seat) -> [Wind; 2] {
        let players = self.dealt.players();
        let round = self.standing.round / u16::from(players.count());
        [seat.wind(self.dealer(), players), Wind::of_round(u32::from(round))]
    }

    /// A player's concealed tiles at the end, sorted, with the tile just drawn. None if the
    /// player discarded or melded a tile that they did not hold.
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
            // The claimed tile came from another player.
            held.extend(claimed);
            for tile in gone {
                held.swap_remove(held.iter().position(|other| *other == tile)?);
            }
        }
        held.sort_unstable();
        Some(held)
    }

    /// Compares the concealed tiles that a log states for a player with those that they hold. `winning` is
    /// the tile of a win, which the log may count or not.
    ///
    /// # Errors
    ///
    /// The stated and the held tiles, sorted, if they differ. If [`held`](Self::held) is None, there is
    /// nothing to compare.
    pub fn check_held(
        &self,
        seat: Seat,
        mut stated: Vec<Tile>,
        winning: Option<Tile>,
    ) -> Result<(), [Vec<Tile>; 2]> {
        let Some(mut held) = self.held(seat) else { return Ok(()) };
        match stated.len().cmp(&held.len()) {
            Ordering::Less => stated.extend(winning),
            Ordering::Equal => {}
            Ordering::Greater => held.extend(winning),
        }
        stated.sort_unstable();
        held.sort_unstable();
        if stated == held { Ok(()) } else { Err([stated, held]) }
    }

    /// Marks a gap: the log does not state the next events, for this reason. A hand keeps its first
    /// gap, and at most 1000 characters of the reason.
    pub fn break_off(&mut self, why: &str) {
        self.gap.get_or_insert_with(|| why.chars().take(1000).collect());
    }

    /// Whether the dealer won, according to the log.
    pub fn dealer_won(&self) -> bool {
        self.end.as_ref().is_some_and(|end| end.winners().contains(self.dealer()))
    }

    /// This player's pon of a kind.
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

    /// The dora indicators that the log shows, in order.
    pub fn indicators(&self) -> impl Iterator<Item = Tile> {
        let turned = self.events.iter().filter_map(|event| match event {
            Event::Indicator { tile } => Some(*tile),
            _ => None,
        });
        let listed = self.listed_indicators.iter().flatten().copied();
        self.indicator.into_iter().chain(turned).chain(listed)
    }

    /// The wall as far as the log reveals it; the other places get the remaining tiles.
    ///
    /// # Errors
    ///
    /// If a tile is revealed more often than the rules have it, or more tiles than a wall has.
    pub fn wall(&self, rules: &Rules) -> Result<Wall, WallError> {
        self.wall_among(rules, |_| {})
    }

    /// The wall as far as the log reveals it; the other places get the remaining tiles at random.
    ///
    /// # Errors
    ///
    /// As [`wall`](RecordedHand::wall).
    pub fn random_wall(&self, rules: &Rules, rng: &mut Rng) -> Result<Wall, WallError> {
        self.wall_among(rules, |rest| rng.shuffle(rest))
    }

    /// The wall as far as the log reveals it. `arrange` orders the remaining tiles.
    fn wall_among(&self, rules: &Rules, arrange: impl FnOnce(&mut [Tile])) -> Result<Wall, WallError> {
        let players = rules.players;
        let dealt: Vec<[Tile; 13]> = players.seats_from(self.dealer()).map(|seat| self.dealt[seat]).collect();
        let step = |event: &Event| match event {
            Event::Draw { tile, replacement: false, .. } => tile.map(WallStep::Draw),
            Event::Draw { tile, replacement: true, .. } => tile.map(WallStep::Replacement),
            Event::Call { seat, meld } => {
                meld.claimed().map(|claimed| WallStep::Call(claimed.from.steps_to(*seat, players)))
            }
            _ => None,
        };
        let play: Vec<WallStep> = self.events.iter().filter_map(step).collect();
        let indicators: Vec<Tile> = self.indicators().collect();
        let revealed = Revealed {
            dealt: &dealt,
            play: &play,
            indicators: &indicators,
            ura_indicators: &self.ura_indicators,
        };
        Wall::revealed(rules, &revealed, arrange)
    }
}
