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
//! - [`Action`], [`ActionId`], [`ActionSet`]: what a player can choose; [`Event`]: what happens
//! - [`Wall`] and [`random`]: random numbers that depend only on seeds
//! - [`Table`], [`Observation`]: what is open, and what one player sees; [`Snapshot`]: a copy that
//!   can be stored
//! - [`Round`]: one hand in play; [`Game`]: the hands of a game
//! - [`replay`]: replays recorded games; [`perft`]: counts lines of play
//! - [`Position`]: a game set up in the middle of a hand
//! - [`prefetch()`]: lets the processor fetch memory before it is read
//! - [`Known`]: suggests a name instead of an unknown one, in error texts
//!
//! # Glossary
//!
//! Structure has English names; the rest has the player's word where it is shorter and exact. Each
//! thing has one word, used in code, output and prose. "Elsewhere" lists words that other texts use
//! for the same thing.
//!
//! ## Game and players
//!
//! | word | meaning | elsewhere |
//! |---|---|---|
//! | game | all hands from East 1 to the final result: *tonpuu* (East only), *hanchan* (East and South) | match |
//! | hand | 1. the tiles of a player; 2. the play from one deal to the next, *kyoku* | deal |
//! | round | the number of a hand: it goes up when the deal passes. With four players, East 1 is 0 and South 1 is 4. [`Round`] is a hand in play | |
//! | round wind, seat wind | the wind of the current round of winds; the wind of a seat, East for the dealer | prevalent wind |
//! | honba | the number of repeated or drawn hands in a row; each adds points to a win | counters |
//! | renchan | the dealer deals again | repeat |
//! | attempt | how often a hand was replayed after fouls; part of the wall's seed | |
//! | standing | where a game stands between two hands: round, honba, riichi sticks, points ([`Standing`]) | |
//! | extension | hands after the scheduled last hand, while no player has the target | West round, *enchou* |
//! | yame | the dealer of the last hand ends the game instead of dealing again | |
//! | busting | losing all points, which may end the game: *tobi* | |
//! | seat | a place at the table, numbered from the first dealer | |
//! | player | who sits at a seat | |
//! | agent | a program that plays | bot, AI |
//! | dealer | the player in the East seat | parent, *oya* |
//! | decision | a choice among at least two legal actions; forced moves are not decisions | |
//! | action | what a player can choose ([`Action`]) | move |
//! | event | what happens at the table: a draw, a discard, a call, an end ([`Event`]) | |
//! | duplicate set | games on the same walls, with the agents in different seats | |
//! | run | one execution of self-play and its files; never a sequence of tiles | |
//!
//! ## Tiles and hands
//!
//! | word | meaning | elsewhere |
//! |---|---|---|
//! | kind, tile | one of 34; one of 37, a plain tile of a kind or a red five | |
//! | suit, honours | characters, dots, bamboo; winds and dragons | |
//! | yaochuu, simples | terminals and honours; ranks 2–8 of the suits | |
//! | set | a sequence, triplet or kan: a winning hand is four sets and a pair | *mentsu*, block |
//! | sequence | three consecutive ranks of a suit, called or concealed | run, straight |
//! | triplet | three tiles of a kind, called or concealed | pung |
//! | kan | four tiles of a kind, declared: *daiminkan* on a discard, *kakan* added to a pon, *ankan* concealed | quad, kong |
//! | meld | a declared set: chi (sequence), pon (triplet), kan. An ankan is a meld | *fuuro* |
//! | concealed tiles | the tiles of a hand that are in no meld | |
//! | closed, open | a hand without claimed tiles; a hand with them; an ankan keeps a hand closed | concealed hand |
//! | shanten, tenpai | the number of tiles to exchange to be tenpai; 0 is tenpai: one tile completes the hand | ready |
//! | waits | the kinds that complete a tenpai hand | |
//! | ukeire | the kinds that lower the shanten, or how many of their tiles are unseen | useful tiles |
//! | noten | not tenpai at an exhaustive draw | |
//! | furiten | barred from ron because a winning tile was discarded or passed | |
//! | unseen tiles | tiles that are not open; from a player's view, their own tiles are seen too | |
//!
//! ## Wall and discards
//!
//! | word | meaning | elsewhere |
//! |---|---|---|
//! | wall | all tiles in the order of the deal ([`Wall`]) | |
//! | live wall, live tiles | the part for ordinary draws; its tiles that are still undrawn | |
//! | dead wall | the part that holds indicators and replacement tiles | king's wall |
//! | replacement tile | the tile drawn after a kan or a kita, *rinshan* | supplement |
//! | dora indicator, ura indicator | an open tile that names the dora; the tile under it that names the ura dora | |
//! | dora, ura dora, red five, kita | tiles that add a han: named by indicators, by ura indicators, red, Norths set aside | |
//! | kita | to set a North aside for a replacement tile, in games without a North seat | *nukidora* |
//! | discard | to put a tile into the river; the tile itself | |
//! | tsumogiri | to discard the tile just drawn | |
//! | river | the discards of one player in order | pond |
//! | offer | an open tile that others may claim: a discard, or the tile of a kakan, ankan or kita ([`Offer`]) | |
//! | call | chi, pon or daiminkan: claims a discard for a meld | |
//! | claim | to take an offered tile, by a call or by ron | |
//! | kuikae | to discard, right after a call, a tile that would have served instead of the claimed one | swap-calling |
//!
//! ## Wins, draws and points
//!
//! | word | meaning | elsewhere |
//! |---|---|---|
//! | tsumo, ron | a win on the player's own draw; a win on another player's tile | self-draw |
//! | deal-in | to discard the tile of a ron | |
//! | chankan | ron on the tile of a kan: "robbing a kan" | |
//! | riichi, open riichi | declares a closed tenpai hand for 1000 points; the same with the waits shown | reach |
//! | ippatsu | a win after riichi before the player's own next discard, without a call or kan in between | |
//! | yaku, yakuman | a pattern or circumstance that gives a win its value; one of the highest value | |
//! | han, fu, base points | doublings; minipoints; fu × 2^(han + 2) or the limit, from which payments follow | |
//! | limit | a cap on base points: mangan, haneman, baiman, sanbaiman, yakuman ([`Limit`]) | |
//! | value | what a hand wins in points; of a yaku, its han | worth |
//! | score | the value of a winning hand in all its parts ([`Score`]); `scores` are the players' points | |
//! | points | what players hold and pay | |
//! | riichi stick | the 1000 points of an accepted riichi, on the table until someone wins | deposit |
//! | exhaustive draw | the hand ends because the live wall is empty, *ryuukyoku* | washout |
//! | abortive draw | the hand ends early without a winner: kyuushu kyuuhai, four winds, four riichi, four kans, triple ron | |
//! | kyuushu kyuuhai | nine kinds of yaochuu in the first draw end the hand | nine terminals |
//! | nagashi mangan | a payment at an exhaustive draw for discarding only yaochuu, none of them claimed | |
//! | liability | a player pays for a yakuman whose last visible set they fed, *pao* | |
//! | foul, offender | an illegal action that the rules punish; the player who commits it | |
//! | chombo | the penalty for a foul that ends the hand | |
//! | dead hand | after a lesser foul: the player only draws and discards, and is noten | *agari-houki* |
//! | referee | the rule setting under which an illegal action is a foul and not an error | |
//! | uma, oka | bonus by placement; the part of the starting points that goes to first place | |
//! | placement | 1–4: where a player finishes the game | place, rank |
//! | result | final points of a player minus the return points, plus uma and oka, minus penalties | |

mod action;
mod concealed;
mod counts;
mod course;
mod determinize;
mod event;
mod game;
mod known;
mod meld;
pub mod notation;
mod observation;
mod outcome;
pub mod perft;
mod position;
mod prefetch;
mod private;
pub mod random;
mod ranking;
pub mod replay;
mod rivers;
mod round;
pub mod rules;
mod score;
mod seat;
mod set_operators;
pub mod settle;
mod shanten;
mod snapshot;
mod stored;
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
pub use course::Sequel;
pub use determinize::Hidden;
pub use event::{Event, Observer, Signature};
pub use game::{Game, NoFouls, Standing, StartError};
pub use known::{Known, shortened};
pub use meld::{Claimed, Meld, MeldKind, Melds, NotAMeld};
pub use notation::{Hand, NotationError};
pub use observation::Observation;
pub use outcome::{DrawReason, HandEnd, Outcome, WinAtTable, WonHand};
pub use position::{Position, PositionError};
pub use prefetch::prefetch;
pub use private::Private;
pub use random::Rng;
pub use ranking::{FinalResult, final_results};
pub use rivers::{Discard, Discards};
pub use round::{IllegalAction, Round};
pub use rules::{Rules, RulesError};
pub use score::{
    Circumstances, DoraHan, FuPart, FuReason, Limit, Moment, NoWin, Reading, Riichi, Score, Sets, Shown,
    Wait, Win,
};
pub use seat::{BySeat, Players, Seat, SeatSet};
pub use shanten::{Census, DiscardOption, DiscardOptions, Shanten, Tracker};
pub use snapshot::{Snapshot, WrongSnapshot};
pub use table::{DrawSource, Offer, OfferKind, Phase, Side, Table};
pub use tile::{ParseTileError, Suit, Tile, TileKind};
pub use tile_mask::TileMask;
pub use tile_set::TileSet;
pub use unseen::Unseen;
pub use wall::{Wall, WallError};
pub use wind::Wind;
pub use yaku::{Yaku, YakuSet, YakuValue};
