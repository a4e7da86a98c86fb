//! The value of a winning hand.
//!
//! - [`Win`]: the hand and how it won
//! - `suits`: the ways in which a suit splits into sets
//! - `fu`: the fu and their parts
//! - `limit`: base points from han and fu
//! - `facts`: the yaku and fu that all readings of the hand share
//! - `local`: local yaku
//! - `readings`: the yaku and fu of each reading
//! - `value`: the best reading ([`Win::score`]), and whether the rules let it win
//!
//! # Why
//!
//! **What makes scoring fast?** The readings of a suit come from a perfect hash, and each yaku is a
//! bit of one number. Won hands vary unpredictably, and a mispredicted branch costs as much as
//! about twenty unneeded steps. So a hand always has four slots for melds, some of them empty. The
//! payments of a ron and of a tsumo are both computed, and limits are looked up. That saved a fifth
//! of the time. Rejected: code without branches for yaku of honours and for dora, since few hands have
//! more than one of them.

#![expect(
    clippy::needless_bitwise_bool,
    clippy::inline_always,
    reason = "hands are unpredictable: a mispredicted branch costs more than computing both sides"
)]

mod facts;
mod fu;
mod limit;
mod local;
mod readings;
mod suits;
mod value;

use std::fmt;

pub use fu::{FuPart, FuReason};
pub use limit::Limit;
pub(crate) use limit::hundreds;
use serde::{Deserialize, Serialize};

use crate::rules::Rules;
use crate::rules::options::{Renhou, ScoringMode};
use crate::yaku::{Yaku, YakuSet, YakuValue};
use crate::{Concealed, Melds, Tile, TileKind, TileSet, Wind};

/// Whether and how a player has declared riichi.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Riichi {
    /// No riichi.
    #[default]
    None,
    /// Riichi.
    Single,
    /// Riichi with the first discard, without any call or kan before it.
    Double,
}

/// The moment of a win, as far as a yaku depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Moment {
    /// No special moment.
    #[default]
    Ordinary,
    /// Tsumo on the last live tile, or ron on the last discard.
    LastTile,
    /// Tsumo on the replacement tile of a kan.
    Rinshan,
    /// Tsumo on the replacement tile of a kita.
    KitaReplacement,
    /// Ron on the tile of a kan.
    Chankan,
}

/// A complete hand and how it wins.
///
/// ```
/// use jantaku_engine::{Hand, Rules, Win, Yaku};
///
/// let hand: Hand = "34m567m345p678s55s+2m".parse()?;
/// let rules = Rules::default();
/// let win = Win { indicators: &["7s".parse()?], ..Win::new(&rules, &hand) };
/// let score = win.score().expect("pinfu and tanyao");
/// assert!(score.yaku.contains(Yaku::Pinfu) && score.yaku.contains(Yaku::Tanyao));
/// assert_eq!((score.han(), score.fu, score.base), (3, 30, 960));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Win<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The concealed tiles, including the winning tile.
    pub concealed: Concealed,
    /// The melds.
    pub melds: &'a Melds,
    /// The winning tile.
    pub tile: TileKind,
    /// Whether the win is a tsumo and not a ron.
    pub tsumo: bool,
    /// The winner's seat wind.
    pub seat_wind: Wind,
    /// The round wind.
    pub round_wind: Wind,
    /// The winner's riichi.
    pub riichi: Riichi,
    /// Whether a win now is ippatsu, if the rules count it.
    pub ippatsu: bool,
    /// The moment.
    pub moment: Moment,
    /// Whether the winner has not discarded yet and there was no call, kan or kita.
    pub first_turn: bool,
    /// The dora indicators that are turned.
    pub indicators: &'a [Tile],
    /// The ura indicators that count for a winner in riichi.
    pub ura_indicators: &'a [Tile],
    /// Norths that the winner has set aside.
    pub norths: u8,
    /// Circumstances that only some rules consider.
    pub circumstances: Circumstances,
}

/// Circumstances that only some rules consider.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Circumstances {
    /// Honba. The rules may require more han at high honba.
    pub honba: u16,
    /// Hands that the dealer has won since the deal came to them.
    pub dealer_wins: u8,
    /// Whether riichi was declared with the discard of a ron.
    pub riichi_tile: bool,
    /// Whether the discard of a ron came after a kan.
    pub after_kan: bool,
    /// What the winner has shown by open riichi.
    pub shown: Shown,
}

/// What the winner has shown by open riichi.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shown {
    /// Nothing.
    #[default]
    Nothing,
    /// The waits.
    Waits,
    /// The waits, and the discarder was not in riichi.
    WaitsToFeeder,
}

/// The value of a winning hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Score {
    /// The yaku. With a yakuman, only the yakuman, unless scored without limits.
    pub yaku: YakuSet,
    /// Han of the yaku, without dora. 0 for a yakuman, unless scored without limits.
    pub yaku_han: u8,
    /// Han from dora. All 0 for renhou alone and, unless scored without limits, for a yakuman.
    pub dora: DoraHan,
    /// Fu, rounded up to ten; 25 for seven pairs. 0 for renhou alone, shiisanpuutaa and shiisuupuutaa, and
    /// for thirteen orphans unless scored without limits.
    pub fu: u8,
    /// Number of yakuman paid. 0 without a yakuman, for a counted yakuman, and if scored without
    /// limits.
    pub yakuman: u8,
    /// The limit.
    pub limit: Limit,
    /// Base points. A ron pays four times as much, or six times if the winner is the dealer.
    pub base: u32,
    /// The reading that gives this value.
    pub reading: Reading,
    /// Whether the hand is closed.
    pub closed: bool,
}

/// Why the rules do not let a hand win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoWin {
    /// The hand is not complete, or has fewer han from yaku than the rules require.
    TooFewHan,
    /// Under `atozuke = "Nashi"`: the hand waits for this kind, too, which gives no yaku without
    /// luck.
    WaitWithoutYaku(TileKind),
}

/// Han from dora.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DoraHan {
    /// From dora indicators.
    pub dora: u8,
    /// From ura indicators.
    pub ura: u8,
    /// From red fives.
    pub red: u8,
    /// From Norths set aside.
    pub north: u8,
}

impl DoraHan {
    /// The sum.
    pub const fn total(self) -> u8 {
        self.dora + self.ura + self.red + self.north
    }
}

/// How a winning hand splits into parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Reading {
    /// Four sets and a pair.
    Standard(Sets),
    /// Seven pairs.
    SevenPairs,
    /// Thirteen orphans.
    ThirteenOrphans,
    /// None: the win has a fixed limit.
    Fixed,
}

/// Four sets and a pair, and the part that the winning tile completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sets {
    /// The pair.
    pub pair: TileKind,
    /// Concealed triplets and kans. A triplet completed by ron is not concealed.
    pub concealed_triplets: TileSet,
    /// The other triplets and kans.
    pub open_triplets: TileSet,
    /// The kinds of the kans, concealed or open.
    pub kans: TileSet,
    /// The ranks on which sequences start, for each suit; bit 0 is rank 1. Includes chi.
    pub sequences: [u8; 3],
    /// The shape of the wait.
    pub wait: Wait,
}

/// The shape of a wait.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Wait {
    /// Two-sided: 23 for 1 or 4.
    Ryanmen,
    /// Closed: 13 for 2.
    Kanchan,
    /// Edge: 12 for 3.
    Penchan,
    /// One of two pairs becomes a triplet.
    Shanpon,
    /// The pair.
    Tanki,
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["ryanmen", "kanchan", "penchan", "shanpon", "tanki"][*self as usize])
    }
}

impl Score {
    /// Han, including dora.
    pub const fn han(&self) -> u32 {
        self.yaku_han as u32 + self.dora.total() as u32
    }

    /// Han of one yaku of this hand. 0 for a yakuman, unless scored without limits.
    pub fn han_of(&self, yaku: Yaku, rules: &Rules) -> u8 {
        han_of(yaku, self.closed, rules)
    }
}

impl<'a> Win<'a> {
    /// A ron by South in East 1, without riichi or dora. The tile after `+` is the winning tile.
    ///
    /// # Panics
    ///
    /// If the hand has no tile after `+`.
    pub fn new(rules: &'a Rules, hand: &'a crate::Hand) -> Win<'a> {
        let tile = hand.last().expect("a winning hand has its winning tile after `+`");
        let mut concealed = *hand.concealed();
        concealed.add(tile);
        Win {
            rules,
            concealed,
            melds: hand.melds(),
            tile: tile.kind(),
            tsumo: false,
            seat_wind: Wind::South,
            round_wind: Wind::East,
            riichi: Riichi::None,
            ippatsu: false,
            moment: Moment::Ordinary,
            first_turn: false,
            indicators: &[],
            ura_indicators: &[],
            norths: 0,
            circumstances: Circumstances::default(),
        }
    }

    /// Whether the winner is the dealer.
    pub fn is_dealer(&self) -> bool {
        self.seat_wind == Wind::East
    }
}

impl Score {
    /// Whether this value is better: more points, then more yakuman, then more han, then more fu.
    ///
    /// More base points are more points: below mangan they are multiples of 80, or 250, 500 and
    /// 1000 by han alone, so two different ones never round to the same points.
    fn beats(&self, other: Option<&Score>) -> bool {
        let rank = |score: &Score| (score.base, score.yakuman, score.han(), score.fu);
        other.is_none_or(|other| rank(self) > rank(other))
    }

    /// Renhou as a value of its own, without other yaku.
    fn renhou(limit: Limit, han: u8, base: u32) -> Score {
        Score { yaku_han: han, ..Score::fixed(YakuSet::of(Yaku::Renhou), limit, base) }
    }

    /// A closed hand whose value does not depend on dora, fu and reading.
    #[inline]
    fn fixed(yaku: YakuSet, limit: Limit, base: u32) -> Score {
        Score {
            yaku,
            yaku_han: 0,
            dora: DoraHan::default(),
            fu: 0,
            yakuman: 0,
            limit,
            base,
            reading: Reading::Fixed,
            closed: true,
        }
    }
}

/// Han of a yaku. 0 for a yakuman, unless scored without limits.
fn han_of(yaku: Yaku, closed: bool, rules: &Rules) -> u8 {
    match (yaku.value(), rules.renhou) {
        (YakuValue::Han(han, _), _) if closed => han,
        (YakuValue::Han(_, han), _) => han,
        (YakuValue::ByRules, Renhou::HanAdd(han) | Renhou::HanAlone(han)) => han,
        (YakuValue::ByRules, _) => 0,
        _ if rules.scoring_mode == ScoringMode::Aotenjou => 13 * rules.yakuman_multiple(yaku),
        _ => 0,
    }
}

/// Han of several yaku together.
#[inline(always)] // For the same reason as `readings::score`.
fn han_of_all(yaku: YakuSet, closed: bool, rules: &Rules) -> u8 {
    if yaku.contains(Yaku::Renhou) || rules.scoring_mode == ScoringMode::Aotenjou {
        return yaku.iter().map(|yaku| han_of(yaku, closed, rules)).fold(0, u8::saturating_add);
    }
    yaku.han(closed)
}

/// Whether the three tiles of `kind` are a triplet in every reading of the hand when `wait`
/// completes it. The hand has 13 tiles, less three per meld.
pub(crate) fn is_triplet_in_every_reading(hand: &Concealed, wait: TileKind, kind: TileKind) -> bool {
    let mut full = *hand;
    full.add(Tile::plain(wait));
    let suit = kind.suit();
    // Three honours can only be a triplet.
    kind.is_honour()
        || suits::readings(full.tracker(), suit).all(|r| r.triplets(suit as usize).contains(kind))
}
