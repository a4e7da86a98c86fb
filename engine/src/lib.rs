//! The game of riichi mahjong: tiles, shanten, scoring, rules, and the state machine that plays them.
//!
//! The crate knows no threads, files, tensors or agents. A [`Game`] says who must decide and what is legal, shows each
//! player an [`Observation`], and goes on when it is answered:
//!
//! ```
//! use jantaku_engine::{Action, Declare, Game, Rules};
//!
//! let mut game = Game::new(&Rules::default(), 42);
//! let (seat, legal) = game.decisions().next().expect("the dealer begins");
//! let tsumogiri = Action::Tsumogiri { declare: Declare::Nothing };
//! assert!(legal.contains(tsumogiri.id()));
//! println!("{} may choose among {} actions", game.observe(seat).hand(), legal.len());
//! game.submit(seat, tsumogiri)?;
//! # Ok::<(), jantaku_engine::IllegalAction>(())
//! ```
//!
//! # The parts
//!
//! In the order in which they build on each other:
//!
//! - the vocabulary: [`Tile`], [`TileKind`], [`TileSet`], [`TileCounts`], [`Seat`], [`BySeat`], [`Wind`], [`Meld`], [`Hand`],
//!   and hand notation in [`notation`]
//! - [`Concealed`] and [`Tracker`]: the tiles of a hand, their [`Shanten`], waits and useful tiles
//! - [`Rules`]: a field for every rule, presets in [`rules`]
//! - [`Win`], [`Score`] and [`settle`]: what a won hand is worth and who pays
//! - [`Action`], [`ActionId`], [`ActionSet`]: what can be chosen; [`Event`]: what happens
//! - [`Wall`] and [`random`]: chance that depends on seeds alone
//! - [`Table`], [`Observation`]: what is open, and what one player sees
//! - [`Round`]: one hand; [`Game`]: the hands of a game
//! - [`replay`]: recorded games; [`perft`]: counts of what can be played
//!
//! # Glossary
//!
//! English for structure, the player's word where it is shorter and exact.
//!
//! | word | meaning |
//! |---|---|
//! | hand | what a player holds; also the play from a deal to the next, *kyoku* |
//! | round | a hand counted by dealers: East 1 is round 0, South 1 round 4; [`Round`] is a hand in play |
//! | game | hands from East 1 to the end: *tonpuu* (East only), *hanchan* (East and South) |
//! | kind, tile | one of 34; a kind or a red five |
//! | suit, honours | characters, dots, bamboo; winds and dragons |
//! | yaochuu, simples | terminals and honours; 2–8 |
//! | meld: chi, pon, kan | a set on the table: sequence, triplet, quad (daiminkan, kakan, ankan) |
//! | open, closed | a hand with or without claimed tiles; a concealed quad keeps it closed |
//! | live wall, dead wall | tiles to draw; replacement tiles and indicators |
//! | dora, ura, red, north | bonus han: by the indicators, by those under them, red fives, Norths set aside |
//! | riichi, ippatsu | a declared closed tenpai hand; a win before the own next discard |
//! | tenpai, shanten, waits | ready; how many tiles away from it; the tiles that complete the hand |
//! | furiten | may not win by ron because a winning tile has passed |
//! | tsumo, ron | win by self-draw, by another's tile |
//! | tsumogiri | discard of the tile just drawn |
//! | yaku, han, fu | what gives a win its value |
//! | honba, sticks | counters of repeated hands; riichi deposits on the table |
//! | noten, nagashi | not tenpai at the end; only terminals and honours discarded, none claimed |
//! | pao | liability of who fed the last set of a yakuman |
//! | uma, oka | bonus by place; what the first place gets of the points paid in |

mod action;
mod concealed;
mod counts;
mod determinize;
mod event;
mod game;
mod meld;
pub mod notation;
mod observation;
mod outcome;
pub mod perft;
mod private;
pub mod random;
mod ranking;
pub mod replay;
mod round;
pub mod rules;
mod score;
mod seat;
pub mod settle;
mod shanten;
mod table;
mod tile;
mod tile_mask;
mod tile_set;
mod unseen;
mod wall;
mod wind;
mod yaku;

pub use action::{Action, ActionId, ActionSet, ActionText, ChiPosition, Declare};
pub use concealed::Concealed;
pub use counts::{FifthCopy, TileCounts};
pub use event::{Event, Observer, Signature};
pub use game::{Game, NoFouls, Standing, StartError};
pub use meld::{Claimed, Meld, MeldKind, Melds, NotAMeld};
pub use notation::{Hand, NotationError};
pub use observation::Observation;
pub use outcome::{DrawReason, HandEnd, Outcome, WonHand};
pub use private::Private;
pub use random::Rng;
pub use ranking::{FinalResult, final_results};
pub use round::{IllegalAction, Round};
pub use rules::{Rules, RulesError};
pub use score::{
    Circumstances, DoraHan, FuPart, FuReason, Limit, Moment, Reading, Riichi, Score, Sets, Shown, Wait, Win,
};
pub use seat::{BySeat, Players, Seat, SeatSet};
pub use shanten::{Census, DiscardOption, DiscardOptions, Shanten, Tracker};
pub use table::{Discard, Discards, DrawSource, Offer, OfferKind, Phase, Side, Table};
pub use tile::{ParseTileError, Suit, Tile, TileKind};
pub use tile_mask::TileMask;
pub use tile_set::TileSet;
pub use unseen::Unseen;
pub use wall::{Wall, WallError};
pub use wind::Wind;
pub use yaku::{Worth, Yaku, YakuSet};
