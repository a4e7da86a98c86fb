//! Rules of riichi mahjong: tiles, shanten, scoring, rule sets and the state machine of a game.
//!
//! The crate has no threads, files, tensors or agents. A [`Game`] lists who must decide and which
//! actions are legal, gives each player an [`Observation`], and moves on when all answers are in:
//!
//! ```
//! use jantaku_engine::{Action, Declare, Game, Rules};
//!
//! let mut game = Game::new(&Rules::default(), 42);
//! let (seat, legal) = game.decisions().next().expect("the dealer begins");
//! let tsumogiri = Action::Tsumogiri { declare: Declare::Nothing };
//! assert!(legal.contains(tsumogiri.id()));
//! println!("{} has {} legal actions", game.observe(seat).hand(), legal.len());
//! game.submit(seat, tsumogiri)?;
//! # Ok::<(), jantaku_engine::IllegalAction>(())
//! ```
//!
//! # Parts
//!
//! In order of dependency:
//!
//! - the vocabulary: [`Tile`], [`TileKind`], [`TileSet`], [`TileCounts`], [`Seat`], [`BySeat`],
//!   [`Wind`], [`Meld`], [`Hand`], and hand notation in [`notation`]
//! - [`Concealed`] and [`Tracker`]: the concealed tiles of a hand, their [`Shanten`], waits and
//!   ukeire
//! - [`Rules`]: one field per rule; the presets are in [`rules`]
//! - [`Win`], [`Score`] and [`settle`]: the value of a winning hand and who pays
//! - [`Action`], [`ActionId`], [`ActionSet`]: the choices of a player; [`Event`]: what happens
//! - [`Wall`] and [`random`]: random numbers that depend only on seeds
//! - [`Table`], [`Observation`]: the open information, and the view of one player; [`Snapshot`]: a
//!   copy that can be stored
//! - [`Round`]: one hand in play; [`Game`]: the hands of a game
//! - [`replay`]: replays recorded games; [`perft`]: counts lines of play; [`cases`]: plays rule cases
//! - [`Position`]: a game set up in the middle of a hand
//! - [`prefetch()`]: lets the processor fetch memory before it is read
//! - [`Known`], [`closest`]: suggest a name instead of an unknown one, in error texts
//! - [`named_enum`]: defines enums whose values have names
//!
#![doc = include_str!("../docs/glossary.md")]

mod action;
mod bit_set;
pub mod cases;
mod concealed;
mod counts;
mod determinize;
mod draw;
mod event;
mod game;
mod game_state;
mod getters;
mod meld;
mod named;
mod next_hand;
pub mod notation;
mod observation;
mod outcome;
mod own_view;
pub mod perft;
mod position;
mod prefetch;
pub mod random;
mod ranking;
pub mod replay;
mod rivers;
mod round;
pub mod rules;
mod score;
mod seat;
mod serde_forms;
pub mod settle;
mod shanten;
mod snapshot;
mod suggest;
mod table;
mod tile;
mod tile_mask;
mod tile_set;
mod unseen;
mod wall;
mod wind;
mod yaku;
mod yaku_names;

pub use action::{Action, ActionId, ActionSet, ActionText, ChiPosition, Declare};
pub use concealed::Concealed;
pub use counts::{FifthCopy, TileCounts};
pub use determinize::HiddenTiles;
pub use draw::DrawReason;
pub use event::{Event, Observer, Signature};
pub use game::{Earlier, Game, NoFouls, StartError};
pub use game_state::Standing;
pub use meld::{Claimed, Meld, MeldKind, Melds, NotAMeld};
pub use next_hand::{AfterHand, SupposedEnd};
pub use notation::{Hand, NotationError};
pub use observation::Observation;
pub use outcome::{HandEnd, Outcome, WinAtTable, WonHand};
pub use own_view::Private;
pub use position::{InRiichi, Position, PositionError};
pub use prefetch::prefetch;
pub use random::Rng;
pub use ranking::{FinalResult, Places, final_results, places};
pub use rivers::{Discard, Discards};
pub use round::{IllegalAction, Round};
pub use rules::{Rules, RulesError};
pub use score::{
    Circumstances, DoraHan, FuPart, FuReason, Limit, Moment, NoWin, Reading, Riichi, Score, Sets, Shown,
    Wait, Win,
};
pub use seat::{BySeat, Players, Seat, SeatSet};
pub use shanten::{DiscardAnalysis, DiscardOption, DiscardOptions, Shanten, Tracker};
pub use snapshot::{Snapshot, WrongSnapshot};
pub use suggest::{Known, closest, cut_after, shortened};
pub use table::{DrawSource, Offer, OfferKind, Phase, Side, Table};
pub use tile::{ParseTileError, Suit, Tile, TileKind};
pub use tile_mask::TileMask;
pub use tile_set::TileSet;
pub use unseen::Unseen;
pub use wall::{Wall, WallError};
pub use wind::Wind;
pub use yaku::{Yaku, YakuSet, YakuValue};
pub use yaku_names::YakuNames;
