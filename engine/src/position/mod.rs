//! Positions: a game set up in the middle of a hand from what one player sees.
//!
//! A position is a text in TOML. It holds the rivers, melds, points and indicators that all players
//! see, and the hand of the player who decides. [`Position::game`] plays the hand up to this point,
//! so everything else follows from the rules: furiten, ippatsu, live tiles and legal actions.
//!
//! - [`Position::from_toml`] reads a position (`read`, with the notation in `text`)
//! - [`Position::to_toml`] writes it; [`Position::seen`] takes one from the events of a hand
//!   (`write`)
//! - [`Position::game`] finds an order of turns (`order`) and a wall (`deal`, `hidden`) that lead to
//!   the position, and plays them (`drive`). If the position gives a turn instead of whole rivers,
//!   random discards complete them (`fill`)
//!
//! # Why
//!
//! **How is a position set up?** The engine plays a hand up to it. Called tiles are marked in the
//! rivers, so they determine the order of turns; tiles are dealt and drawn when they are needed. A
//! constructor of tables would be shorter, but it would have to re-derive state that play produces:
//! furiten, ippatsu, liability, pending indicators. It would also accept unreachable positions.
//! Only kans and kita leave no mark in a river. So a search finds their turns, latest first, unless
//! the file states them. A law takes positions from random games and compares the whole table.

mod deal;
mod drive;
mod fill;
mod hidden;
mod order;
mod read;
mod text;
mod write;

use std::collections::BTreeMap;

pub use hidden::InRiichi;
use text::entry_text;

use crate::event::Observer;
use crate::game::Game;
use crate::replay::GameHistory;
use crate::rules::{FieldProblem, Rules};
use crate::{BySeat, Meld, Seat, Tile, TileKind};

/// A decision in the middle of a hand, as one player sees it.
///
/// ```
/// use jantaku_engine::{Phase, Position};
///
/// let text = r#"
///     round = "E2"
///     indicators = "3m"
///     seat = "south"
///     [east]
///     river = "1z 9p*"
///     [south]
///     river = "9m"
///     hand = "23455m234p56788s+9s"
///     [west]
///     river = "4z"
///     [north]
///     river = "2z"
/// "#;
/// let position = Position::from_toml(text, "position.toml")?;
/// let game = position.game(1)?;
/// assert_eq!(game.table().phase(), Phase::Turn);
/// assert_eq!(game.observe(position.seat()).hand().to_string(), "23455m234p56788s");
/// let error = Position::from_toml(&text.replace("2z", "8z"), "position.toml").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "position.toml:13: `north.river`: entry 1 `8z`: there is no tile `8z`"
/// );
/// # Ok::<(), jantaku_engine::PositionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    rules_name: String,
    rules: Rules,
    round: u16,
    honba: u16,
    sticks: u16,
    indicators: Vec<Tile>,
    seat: Seat,
    live: Option<u8>,
    /// The number of the turn of `seat`, from 1, if the rivers are not whole.
    turn: Option<u8>,
    players: BySeat<PlayerSetup>,
    places: Places,
}

/// What a position states about one player.
#[derive(Clone, PartialEq, Debug, Default)]
struct PlayerSetup {
    /// Points, with the stick of an accepted riichi paid. None for the start points less that stick.
    score: Option<i32>,
    river: Vec<RiverEntry>,
    melds: Vec<Declared>,
    /// Norths set aside.
    kita: u8,
    /// The concealed tiles. None if they are hidden.
    hand: Option<Held>,
}

/// Concealed tiles.
#[derive(Clone, PartialEq, Debug)]
struct Held {
    /// The tiles without the one just drawn.
    tiles: Vec<Tile>,
    drawn: Option<Tile>,
}

/// A meld, and the tile that was added to the pon of a kakan.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Declared {
    meld: Meld,
    added: Option<Tile>,
}

/// An entry of a river.
#[derive(Clone, Copy, PartialEq, Debug)]
enum RiverEntry {
    Discard(Dropped),
    /// A kan of this kind, declared before the next discard.
    Kan(TileKind),
    /// A North, set aside before the next discard.
    Kita,
}

/// A discard with its marks.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Dropped {
    tile: Tile,
    tsumogiri: bool,
    riichi: bool,
    claimed: bool,
}

/// Where the fields of a position stand in its file.
#[derive(Clone, PartialEq, Debug, Default)]
struct Places {
    origin: String,
    lines: BTreeMap<String, usize>,
}

/// The error for an invalid position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", problem.in_file(origin))]
pub struct PositionError {
    /// The name of the file.
    pub origin: String,
    /// The line and the field, if known, and what was found and expected.
    pub problem: FieldProblem,
}

impl Places {
    /// The error about a field of this file.
    fn error(&self, problem: FieldProblem) -> PositionError {
        let field = problem.field.as_deref().unwrap_or_default();
        let table = field.split('.').next().unwrap_or_default();
        let line = self.lines.get(field).or_else(|| self.lines.get(table)).copied();
        PositionError { origin: self.origin.clone(), problem: FieldProblem { line, ..problem } }
    }
}

impl Position {
    /// The rules.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The name of the rules: a preset or a file.
    pub fn rules_name(&self) -> &str {
        &self.rules_name
    }

    /// The seat that decides.
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// Plays the hand up to the decision. The seed chooses the hidden tiles.
    ///
    /// Hidden hands and the wall are random unseen tiles. So are the discards before the `turn` of the file
    /// that no river has. The hidden hand of a player in riichi is tenpai, and not furiten if such a hand is
    /// found.
    ///
    /// # Errors
    ///
    /// If no play leads to the position, or if its seat has nothing to decide.
    pub fn game(&self, seed: u64) -> Result<Game, PositionError> {
        self.history(seed).map(GameHistory::into_game)
    }

    /// Plays the hand up to the decision. The observer receives the events since the deal.
    ///
    /// # Errors
    ///
    /// See [`Position::game`].
    pub fn game_seen(&self, seed: u64, seen: &mut impl Observer) -> Result<Game, PositionError> {
        let history = self.history(seed)?;
        history.replay(seen);
        Ok(history.into_game())
    }

    /// Plays the hand up to the decision, as [`Position::game`] does, and keeps its history: the
    /// standing and the wall at the deal, and the decisions since.
    ///
    /// # Errors
    ///
    /// See [`Position::game`].
    pub fn history(&self, seed: u64) -> Result<GameHistory, PositionError> {
        let played = match self.turn {
            Some(turn) => self.play_filled(turn, seed),
            None => self.play_whole(seed),
        };
        played.map_err(|problem| self.places.error(problem))
    }

    /// The values missing in the file of this position, with the assumed ones: one text for each.
    /// Hidden hands and the wall, which are always random, do not count.
    pub fn assumed(&self) -> Vec<String> {
        let mut found = Vec::new();
        if self.lacks("round") {
            found.push("`round` is E1".to_owned());
        }
        let scores = self.names_where(|seat| self.lacks(&self.field(seat, "score")));
        if !scores.is_empty() {
            let pays = |player: &PlayerSetup| player.score.is_none() && player.declares_riichi();
            let before = if self.players.iter().any(pays) { ", before riichi sticks" } else { "" };
            found.push(format!("`score` is {} for {scores}{before}", self.rules.start_points));
        }
        if let Some(turn) = self.turn {
            let rivers = self.names_where(|seat| self.players[seat].river.is_empty());
            let all = if rivers.is_empty() { rivers } else { format!(": all of {rivers}") };
            found.push(format!("the discards before turn {turn} that no river gives are random{all}"));
        }
        found
    }

    /// A warning if the points do not add up to the start points of all players. `game` is a game of this
    /// position.
    pub fn warning(&self, game: &Game) -> Option<String> {
        let table = game.table();
        let found = table.scores().iter().map(|points| i64::from(*points)).sum::<i64>()
            + i64::from(self.rules.riichi_stick) * i64::from(table.sticks());
        let expected = i64::from(self.rules.start_points) * i64::from(self.rules.players.count());
        (found != expected)
            .then(|| format!("the points add up to {found} with riichi sticks, not to {expected}"))
    }

    /// Whether the file lacks this field.
    fn lacks(&self, field: &str) -> bool {
        !self.places.lines.contains_key(field)
    }

    /// The names of the seats for which this holds, dealer first.
    fn names_where(&self, holds: impl Fn(Seat) -> bool) -> String {
        let seats = self.rules.players.seats_from(self.dealer());
        let names: Vec<&str> = seats.filter(|seat| holds(*seat)).map(|seat| self.name(seat)).collect();
        names.join(", ")
    }

    /// Whether the player who decides has just drawn a tile.
    fn has_drawn(&self) -> bool {
        self.players[self.seat].hand.as_ref().is_some_and(|held| held.drawn.is_some())
    }

    /// All tiles that the position shows, each with its field.
    fn shown(&self) -> Vec<(Tile, String)> {
        let mut shown: Vec<(Tile, String)> =
            self.indicators.iter().map(|tile| (*tile, "indicators".to_owned())).collect();
        for (seat, player) in self.players.enumerate() {
            let mut add = |field: &str, tiles: Vec<Tile>| {
                shown.extend(tiles.into_iter().map(|tile| (tile, self.field(seat, field))));
            };
            // A claimed tile lies in a meld.
            let in_river = |entry: &RiverEntry| match entry {
                RiverEntry::Discard(dropped) if !dropped.claimed => Some(dropped.tile),
                _ => None,
            };
            add("melds", player.melds.iter().flat_map(|declared| declared.meld.tiles()).collect());
            add("river", player.river.iter().filter_map(in_river).collect());
            add("hand", player.held().collect());
            add("kita", vec![Tile::plain(TileKind::NORTH); player.kita.into()]);
        }
        shown
    }

    /// The dealer.
    fn dealer(&self) -> Seat {
        self.rules.players.dealer(self.round)
    }

    /// The name of a seat in the file: its wind in this hand.
    fn name(&self, seat: Seat) -> &'static str {
        NAMES[seat.wind(self.dealer(), self.rules.players) as usize]
    }

    /// The name of a field of a player.
    fn field(&self, seat: Seat, field: &str) -> String {
        format!("{}.{field}", self.name(seat))
    }

    /// What is wrong with a field of a player.
    fn wrong(&self, seat: Seat, field: &str, what: impl Into<String>) -> FieldProblem {
        FieldProblem::new(self.field(seat, field), what)
    }

    /// What is wrong with an entry of a river.
    fn wrong_entry(&self, seat: Seat, entry: usize, what: &str) -> FieldProblem {
        self.wrong(seat, "river", format!("{}: {what}", self.entry_name(seat, entry)))
    }

    /// An entry of a river in an error text.
    fn entry_name(&self, seat: Seat, entry: usize) -> String {
        format!("entry {} `{}`", entry + 1, entry_text(self.players[seat].river[entry]))
    }
}

/// A number and a noun with a plural in s.
fn many(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The names of the players by seat wind.
const NAMES: [&str; 4] = ["east", "south", "west", "north"];

impl Declared {
    /// The number of steps that make the meld: two for a kakan, the pon and the added tile.
    fn steps(self) -> u8 {
        1 + u8::from(self.added.is_some())
    }

    /// The tiles of the meld from the player's own hand, without the one added to a pon.
    fn hand_tiles(self) -> Vec<Tile> {
        let mut tiles: Vec<Tile> = self.meld.tiles().collect();
        for gone in self.meld.claimed().map(|claimed| claimed.tile).into_iter().chain(self.added) {
            if let Some(at) = tiles.iter().position(|tile| *tile == gone) {
                tiles.remove(at);
            }
        }
        tiles
    }
}

impl PlayerSetup {
    /// The number of discards in the river.
    fn discards(&self) -> usize {
        self.river.iter().filter(|entry| matches!(entry, RiverEntry::Discard(_))).count()
    }

    /// Whether the river has a riichi.
    fn declares_riichi(&self) -> bool {
        self.river.iter().any(|entry| matches!(entry, RiverEntry::Discard(dropped) if dropped.riichi))
    }

    /// The concealed tiles with the one just drawn; none if they are hidden.
    fn held(&self) -> impl Iterator<Item = Tile> {
        self.hand.iter().flat_map(|held| held.tiles.iter().chain(&held.drawn)).copied()
    }
}
