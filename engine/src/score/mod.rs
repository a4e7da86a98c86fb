//! What a won hand is worth.
//!
//! - [`Win`]: the hand and how it was won; [`Win::score`] finds its best reading
//! - `suits`: how a suit falls into sets
//! - `facts`: the yaku that every reading of the hand has
//! - `local`: local yaku
//! - `readings`: the yaku and fu of each reading
//! - [`FuPart`]: where the fu come from
//! - [`Limit`]: from han and fu to points

#![expect(
    clippy::needless_bitwise_bool,
    clippy::inline_always,
    reason = "what a hand is cannot be foreseen: a wrong guess costs more than to look at both sides"
)]

mod facts;
mod fu;
mod limit;
mod local;
mod readings;
mod suits;

use std::fmt;

use facts::Facts;
pub use fu::{FuPart, FuReason};
pub use limit::Limit;
pub(crate) use limit::hundreds;

use crate::rules::Rules;
use crate::rules::knobs::{Renhou, ScoringMode};
use crate::yaku::{Worth, Yaku, YakuSet};
use crate::{Concealed, Melds, Shanten, Tile, TileKind, TileSet, Wind};

/// Whether and how a player has declared riichi.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Riichi {
    /// Not.
    #[default]
    None,
    /// Riichi.
    Single,
    /// Riichi with the first discard, nobody having called.
    Double,
}

/// The moment of a win, as far as a yaku depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Moment {
    /// None in particular.
    #[default]
    Ordinary,
    /// Self-draw of the last live tile, or ron on the last discard.
    LastTile,
    /// Self-draw of the replacement tile of a quad.
    Rinshan,
    /// Self-draw of the replacement tile of a North set aside.
    KitaReplacement,
    /// Ron on a tile that was to make a quad.
    Chankan,
}

/// A hand that claims to have won, and how.
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
    /// The concealed tiles with the winning one.
    pub concealed: Concealed,
    /// The melds.
    pub melds: &'a Melds,
    /// The winning tile.
    pub tile: TileKind,
    /// Self-draw, as opposed to ron.
    pub tsumo: bool,
    /// The winner's wind.
    pub seat_wind: Wind,
    /// The round's wind.
    pub round_wind: Wind,
    /// The winner's riichi.
    pub riichi: Riichi,
    /// Whether the winner has not discarded since his riichi and nobody has called.
    pub ippatsu: bool,
    /// The moment.
    pub moment: Moment,
    /// Whether the winner has not discarded yet and nobody has called or made a quad.
    pub first_turn: bool,
    /// The dora indicators that are turned.
    pub indicators: &'a [Tile],
    /// Those under them that count, if the winner is in riichi.
    pub ura_indicators: &'a [Tile],
    /// How many Norths the winner has set aside.
    pub norths: u8,
    /// What else rare rules ask for.
    pub circumstances: Circumstances,
}

/// What only rules ask for that few play by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Circumstances {
    /// Counters on the table: a win may need more yaku when there are many.
    pub honba: u16,
    /// How many hands the dealer has won since he deals.
    pub dealer_wins: u8,
    /// Whether riichi was declared with the tile of a ron.
    pub riichi_tile: bool,
    /// Whether that tile was discarded after a quad.
    pub after_kan: bool,
    /// What the winner has shown.
    pub shown: Shown,
}

/// What a winner has shown before he won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shown {
    /// Nothing.
    #[default]
    Nothing,
    /// His waits, by open riichi.
    Waits,
    /// The same, and a player fed him who is not in riichi himself.
    WaitsToFeeder,
}

/// What a won hand is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Score {
    /// The yaku, or the yakuman alone.
    pub yaku: YakuSet,
    /// Han of the yaku, without dora; 0 for a yakuman, unless the rules know no limits.
    pub yaku_han: u8,
    /// Bonus han; all 0 for a yakuman.
    pub dora: DoraHan,
    /// Fu, rounded; 25 for seven pairs. 0 for renhou as a limit and, unless the rules know no limits, for thirteen orphans.
    pub fu: u8,
    /// How many yakuman are paid; 0 without a yakuman, counted yakuman included, and where the rules know no limits.
    pub yakuman: u8,
    /// The limit.
    pub limit: Limit,
    /// Base points: a ron pays four times as many, the dealer's six times.
    pub base: u32,
    /// How the hand was read.
    pub reading: Reading,
    /// Whether the hand was closed.
    pub closed: bool,
}

/// Bonus han.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DoraHan {
    /// By the indicators turned.
    pub dora: u8,
    /// By those under them.
    pub ura: u8,
    /// Red fives.
    pub red: u8,
    /// Norths set aside.
    pub north: u8,
}

impl DoraHan {
    /// All together.
    #[must_use]
    pub const fn total(self) -> u8 {
        self.dora + self.ura + self.red + self.north
    }
}

/// How a won hand falls into parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// Four sets and a pair.
    Standard(Sets),
    /// Seven pairs.
    SevenPairs,
    /// Thirteen orphans.
    ThirteenOrphans,
    /// Not read: the win is worth a fixed limit.
    Fixed,
}

/// Four sets and a pair, and the part that the winning tile completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sets {
    /// The pair.
    pub pair: TileKind,
    /// Concealed triplets and quads. A triplet completed by ron is not concealed.
    pub concealed_triplets: TileSet,
    /// The other triplets and quads.
    pub open_triplets: TileSet,
    /// Those among them that are quads.
    pub quads: TileSet,
    /// The ranks on which sequences start, by suit, lowest rank first; called ones included.
    pub runs: [u8; 3],
    /// What the hand waited for.
    pub wait: Wait,
}

/// The shape of a wait.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wait {
    /// Two-sided: 23 for 1 or 4.
    Ryanmen,
    /// Closed: 13 for 2.
    Kanchan,
    /// Edge: 12 for 3.
    Penchan,
    /// The second of two pairs.
    Shanpon,
    /// The pair.
    Tanki,
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Wait::Ryanmen => "ryanmen",
            Wait::Kanchan => "kanchan",
            Wait::Penchan => "penchan",
            Wait::Shanpon => "shanpon",
            Wait::Tanki => "tanki",
        })
    }
}

impl Score {
    /// Han with dora.
    #[must_use]
    pub const fn han(&self) -> u32 {
        self.yaku_han as u32 + self.dora.total() as u32
    }

    /// The han of one of the yaku of this hand; 0 for a yakuman, unless the rules know no limits.
    #[must_use]
    pub fn han_of(&self, yaku: Yaku, rules: &Rules) -> u8 {
        han_of(yaku, self.closed, rules)
    }
}

impl<'a> Win<'a> {
    /// A self-drawn win of South in East 1 without riichi or dora, for a start; the tile after `+` is the winning one.
    ///
    /// # Panics
    ///
    /// If the hand has no tile after `+`.
    #[must_use]
    pub fn new(rules: &'a Rules, hand: &'a crate::Hand) -> Win<'a> {
        let tile = hand.last().expect("a won hand names its winning tile after `+`");
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

    /// The value of the hand in its best reading: the one that is paid most, then a yakuman before one that is counted,
    /// then with the most han, then fu.
    ///
    /// None if the hand is not complete, or has fewer han of yaku than the rules ask for.
    #[must_use]
    pub fn score(&self) -> Option<Score> {
        let standard = self.concealed.tracker().standard_shanten(self.melds.len()) == Shanten::COMPLETE;
        if !standard && !self.is_special() {
            return local::unconnected(self);
        }
        let facts = Facts::of(self);
        let best = readings::best(self, &facts, standard);
        let renhou = match self.rules.renhou {
            Renhou::ManganFloor if facts.renhou => Score::renhou(Limit::Mangan, 0, 2000),
            Renhou::HanAlone(han) if facts.renhou => {
                let (limit, base) = limit::base_points(u32::from(han), 30, self.rules);
                Score::renhou(limit, han, base)
            }
            _ => return best,
        };
        if renhou.beats(best.as_ref(), self) { Some(renhou) } else { best }
    }

    /// Whether the hand is seven pairs or thirteen orphans.
    fn is_special(&self) -> bool {
        readings::is_seven_pairs(self) || readings::is_thirteen_orphans(self)
    }

    /// Whether the hand is closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        !self.melds.are_open()
    }

    /// Whether the winner is the dealer.
    #[must_use]
    pub fn is_dealer(&self) -> bool {
        self.seat_wind == Wind::East
    }

    /// The points that the hand wins without counters, sticks and liability, when nobody's share is missing.
    fn points(&self, base: u32) -> i32 {
        match (self.tsumo, self.is_dealer()) {
            (false, dealer) => hundreds(if dealer { 6 } else { 4 } * base),
            (true, true) => 3 * hundreds(2 * base),
            (true, false) => hundreds(2 * base) + 2 * hundreds(base),
        }
    }
}

impl Score {
    /// Whether this value of a win is better: more points, then a yakuman before one that is counted, then more han, then fu.
    fn beats(&self, other: Option<&Score>, win: &Win<'_>) -> bool {
        let Some(other) = other else { return true };
        let points = |score: &Score| win.points(score.base);
        let rest = |score: &Score| (score.yakuman, score.han(), score.fu);
        let equal = self.base == other.base || points(self) == points(other);
        if equal { rest(self) > rest(other) } else { self.base > other.base }
    }

    /// Renhou as a value of its own.
    fn renhou(limit: Limit, han: u8, base: u32) -> Score {
        Score {
            yaku: YakuSet::of(Yaku::Renhou),
            yaku_han: han,
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

/// The han of a yaku; 0 for a yakuman, unless the rules know no limits.
fn han_of(yaku: Yaku, closed: bool, rules: &Rules) -> u8 {
    match (yaku.worth(), rules.renhou) {
        (Worth::Han(han, _), _) if closed => han,
        (Worth::Han(_, han), _) => han,
        (Worth::ByRules, Renhou::HanAdd(han) | Renhou::HanAlone(han)) => han,
        (Worth::ByRules, _) => 0,
        _ if rules.scoring_mode == ScoringMode::Aotenjou => 13 * rules.yakuman_multiple(yaku),
        _ => 0,
    }
}

/// The han of several yaku together.
#[inline(always)] // As `readings::score`.
fn han_of_all(yaku: YakuSet, closed: bool, rules: &Rules) -> u8 {
    if yaku.contains(Yaku::Renhou) || rules.scoring_mode == ScoringMode::Aotenjou {
        return yaku.iter().map(|yaku| han_of(yaku, closed, rules)).fold(0, u8::saturating_add);
    }
    yaku.han(closed)
}

/// Whether the three tiles of `kind` in a hand of 13 tiles less three a meld are a triplet however the hand is read
/// when it is completed with `wait`.
pub(crate) fn is_triplet_in_every_reading(hand: &Concealed, wait: TileKind, kind: TileKind) -> bool {
    let mut full = *hand;
    full.add(Tile::plain(wait));
    let suit = kind.suit();
    // Three honours are never anything else.
    kind.is_honour()
        || suits::readings(full.tracker(), suit).all(|r| r.triplets(suit as usize).contains(kind))
}
