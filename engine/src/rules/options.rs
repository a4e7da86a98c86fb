//! The values that fields of the rules can have.

use serde::{Deserialize, Serialize};

pub use super::values::{Aka, Chombo, KanDora, Maybe, NotenPool, RenchanRule, Renhou, Shibari, Uma};
use crate::{ChiPosition, TileKind, TileSet};

/// The type of a rule field. Lists the allowed values for error messages and documentation.
pub trait RuleOption {
    /// The allowed values with their meanings. A meaning may be empty.
    fn values() -> Vec<(String, &'static str)>;
}

/// Defines enums of documented values.
macro_rules! rule_options {
    ($($(#[doc = $about:literal])+ $name:ident { $($(#[doc = $doc:literal])+ $value:ident,)+ })+) => {$(
        $(#[doc = $about])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
        pub enum $name {
            $($(#[doc = $doc])+ $value,)+
        }

        impl RuleOption for $name {
            fn values() -> Vec<(String, &'static str)> {
                vec![$((stringify!($value).to_owned(), concat!($($doc),+).trim_ascii())),+]
            }
        }
    )+};
}

rule_options! {
    /// The kinds of tiles in play.
    TileKinds {
        /// All 34 kinds, 136 tiles.
        Full,
        /// Without 2m–8m: 27 kinds, 108 tiles.
        ThreePlayer,
    }

    /// Where the dead wall holds indicators and replacement tiles.
    WallLayout {
        /// The layout of Tenhou and of physical walls.
        Tenhou,
        /// The layout of Mahjong Soul.
        MahjongSoul,
        /// The layout of the program majiang-core.
        MajiangCore,
        /// Tenhou's layout for 108 tiles, with eight replacement tiles.
        Tenhou3p,
        /// Mahjong Soul's layout for 108 tiles, with eight replacement tiles.
        MahjongSoul3p,
    }

    /// How placements and bonuses are decided among players with equal points.
    TieRule {
        /// The player in the earlier seat, counted from the first dealer, gets the better
        /// placement.
        SeatOrder,
        /// Tied players share the uma and oka of their placements. A remainder of hundreds goes to
        /// the earlier seats.
        Shared,
    }

    /// Who gets the riichi sticks that remain on the table after the last hand.
    LeftoverSticks {
        /// First place; among tied players the one in the earlier seat.
        ToTop,
        /// All players tied for first place, in equal shares. A remainder of hundreds goes to the
        /// earlier seats.
        SplitTop,
        /// All players tied for first place, in equal shares rounded down to 100 points.
        SplitTopFloor,
        /// Nobody.
        Lost,
    }

    /// How final points are rounded before results are computed.
    FinalRounding {
        /// They are not rounded.
        None,
        /// To 1000 points: up to 500 down, more than 500 up. First place takes the balance.
        GoSharokunyu,
        /// To 1000 points, halves away from zero. First place takes the balance.
        HalfUp,
    }

    /// How han and fu become base points.
    ScoringMode {
        /// From han and fu up to mangan, by limits above.
        Standard,
        /// From han alone: 250, 500 and 1000 base points for one to three han, mangan for four,
        /// then the limits.
        HanOnly,
        /// From han and fu without limits. A yakuman counts 13 han, added to other yaku and dora.
        Aotenjou,
    }

    /// Whether a wait may give a yaku with only some of its tiles.
    Atozuke {
        /// Yes: only the winning tile must give a yaku.
        Ari,
        /// No: every tile of the wait must give a yaku that does not depend on luck.
        Nashi,
    }

    /// Which discards are forbidden right after a chi or pon.
    Kuikae {
        /// The claimed tile and the tile at the other end of the sequence.
        Both,
        /// The claimed tile.
        GenbutsuOnly,
        /// The tile at the other end of the sequence.
        SujiOnly,
        /// None.
        Free,
    }

    /// When a player in riichi may declare an ankan with the tile just drawn.
    RiichiAnkan {
        /// Never.
        Forbidden,
        /// If the waits stay the same.
        WaitsUnchanged,
        /// If the waits stay the same and the three tiles in hand are a triplet in every reading.
        ShapeUnchanged,
        /// As `ShapeUnchanged`, and if no yaku is lost.
        YakuSafe,
        /// If the hand stays tenpai.
        Free,
    }

    /// When the dora indicator of a kan is turned.
    KanDoraTiming {
        /// When the kan is complete, before the replacement tile is drawn.
        Immediate,
        /// Together with the next discard, so that it counts for a ron on that discard.
        AtDiscard,
        /// After the next discard, if nobody wins on it.
        AfterDiscardPassed,
        /// Never.
        Off,
    }

    /// When the pending indicator of an earlier kan is turned if the same player declares a kakan.
    DeferredFlush {
        /// At the declaration, so that it counts for a player who robs the kan.
        AtDeclaration,
        /// After the chance to rob the kan has passed.
        AfterRobWindow,
    }

    /// When temporary furiten ends.
    TempFuritenEnd {
        /// At the player's next discard.
        OwnDiscard,
        /// At the player's next draw.
        OwnDraw,
        /// At the player's next draw or call.
        OwnDrawOrOwnCall,
        /// At the player's next draw, or at a call, kan or kita by any player.
        OwnDrawOrAnyCall,
    }

    /// Which passed tiles cause temporary furiten.
    TempFuritenTrigger {
        /// Every tile that completes the shape of the hand.
        Shape,
        /// Only tiles on which the player was allowed to win.
        YakuOnly,
    }

    /// Whether a hand is tenpai if the player holds all four tiles of every kind it waits for.
    OwnFourWait {
        /// Not if the four tiles are concealed.
        NotIfConcealedFour,
        /// Not if the four tiles are in the player's hand and melds together.
        NotIfOwnFour,
        /// Yes.
        Tenpai,
    }

    /// Whether an ankan can be robbed.
    AnkanRob {
        /// No.
        None,
        /// Only by a hand that waits for thirteen orphans.
        KokushiOnly,
    }

    /// Which player wins when several declare ron but only one may win.
    HeadBump {
        /// The first in turn after the discarder.
        Nearest,
        /// The last in turn after the discarder.
        Farthest,
    }

    /// What happens when three players declare ron on one tile.
    TripleRon {
        /// All three win.
        Pay,
        /// The hand ends in an abortive draw, sanchahou.
        Abort,
        /// Only one wins, by `head_bump`.
        HeadBump,
    }

    /// Who gets the riichi sticks when several players win on one tile.
    MultiRonSticks {
        /// The first winner in turn order after the discarder.
        Nearest,
        /// Winners in riichi take back their own sticks. The first winner in turn order gets the
        /// rest.
        OwnBackThenNearest,
        /// All winners the same number. The first winners in turn order get one more of those that
        /// are left over.
        Shared,
        /// The dealer if among the winners, otherwise the first winner in turn order.
        DealerThenNearest,
    }

    /// Who gets the points for honba when several players win on one tile.
    MultiRonHonba {
        /// The first winner in turn order after the discarder.
        Nearest,
        /// Every winner.
        Each,
    }

    /// Who deals after an abortive draw.
    AbortiveDealer {
        /// The same dealer.
        Repeat,
        /// The same dealer if tenpai, otherwise the next player.
        ByTenpai,
        /// The next player.
        Rotate,
    }

    /// What happens when a player declares a fifth kan.
    FifthKan {
        /// It is not allowed.
        Forbidden,
        /// It is allowed and ends the hand in an abortive draw.
        AbortsHand,
    }

    /// When the hand ends after four kans by two or more players.
    SuukaikanAt {
        /// After the discard that follows the fourth kan, if nobody wins on it.
        AfterDiscard,
        /// As soon as the fourth kan is complete.
        AtKan,
    }

    /// Fu of an open hand without any fu besides the base 20.
    OpenPinfu {
        /// 30 fu.
        Thirty,
        /// 20 fu.
        Twenty,
    }

    /// The limit of a hand with 13 or more han and no yakuman.
    Kazoe {
        /// Counted yakuman.
        Yakuman,
        /// Sanbaiman.
        Sanbaiman,
    }

    /// How nagashi mangan is treated at an exhaustive draw.
    Nagashi {
        /// It is not played.
        Off,
        /// It is paid as a mangan, and the hand remains a draw: honba and riichi sticks are not
        /// collected.
        Draw,
        /// It is paid as a mangan and counts as a win: honba and riichi sticks are collected.
        Win,
    }

    /// How much of a winning hand a liable player pays.
    PaoScope {
        /// The whole hand.
        WholeHand,
        /// Only the yakuman that the player is liable for.
        YakuOnly,
    }

    /// Who pays for honba when a liable player and a discarder share a ron.
    PaoRonHonba {
        /// The liable player.
        Pao,
        /// The discarder.
        Discarder,
    }

    /// Who pays for honba when a liable player pays for a part of a tsumo.
    PaoTsumoHonba {
        /// The liable player.
        Pao,
        /// The players who pay the rest, each for themselves; the liable player if there is no
        /// rest.
        Payers,
    }

    /// What a liable player pays for a tsumo in a three-player game.
    PaoTsumoTotal {
        /// What all players would have paid for the tsumo.
        SameAsTsumo,
        /// What a ron would have cost.
        RonValue,
    }

    /// When the dealer deals again in a round of a wind.
    Renchan {
        /// Never.
        Never,
        /// After winning.
        Win,
        /// After an exhaustive draw if tenpai.
        Tenpai,
        /// After winning, and after an exhaustive draw if tenpai.
        WinOrTenpai,
        /// After winning and after every exhaustive draw.
        Always,
    }

    /// What happens to honba when the deal passes after a draw.
    HonbaOnRotatingDraw {
        /// It goes up by one.
        Increment,
        /// It stays the same.
        Keep,
        /// It goes back to 0.
        Reset,
    }

    /// Whether the game may end when the dealer of the last hand would deal again.
    Yame {
        /// No.
        Off,
        /// Yes: it ends if `yame_condition` holds.
        Auto,
        /// If `yame_condition` holds, the dealer decides.
        Choice,
    }

    /// What `agari_yame` and `tenpai_yame` require of the dealer.
    YameCondition {
        /// To be in first place with at least `target` points.
        FirstWithTarget,
        /// To be in first place.
        First,
        /// To be in a team that leads. The team's points come from outside the game, so the dealer
        /// must be asked.
        TeamLeads,
        /// Nothing.
        None,
    }

    /// How few points a player must have for the game to end early.
    Tobi {
        /// It never ends early.
        Off,
        /// Below 0.
        BelowZero,
        /// At 0 or below.
        ZeroOrBelow,
    }

    /// How the game continues after its last hand if no player has the target.
    Extension {
        /// It does not: the game ends.
        None,
        /// Until a player has the target. Whatever the points, it continues while the dealer deals
        /// again and may not end it.
        RenchanFirst,
        /// Until a player has the target, no matter who deals next.
        SuddenDeath,
        /// For full rounds of winds, until a player has the target at the end of one.
        FixedRound,
    }

    /// What North is in games without a North seat.
    North {
        /// An ordinary wind that is no player's seat wind.
        GuestWind,
        /// A tile that can be set aside as kita, which counts as a dora and draws a replacement
        /// tile.
        Nukidora,
        /// A yaku for every player.
        Yakuhai,
    }

    /// How a tsumo is paid with fewer than four players.
    TsumoSplit {
        /// The shares of the missing players are not paid.
        Loss,
        /// The missing share is split among the payers, each part rounded up to 100 points.
        Bisect,
        /// The payer pays the value of a ron. Only for two players.
        Full,
    }

    /// Open riichi: a riichi with the waits shown to all players.
    OpenRiichi {
        /// It is not allowed.
        Off,
        /// It gives one han more than riichi.
        OneHan,
        /// As `OneHan`, but a ron from a player who is not in riichi is a yakuman.
        YakumanFromOthers,
    }

    /// How an illegal action is treated.
    Enforce {
        /// It is an error and changes nothing.
        Simulator,
        /// It is a foul with the penalty `chombo`, unless `invalid_call` or `riichi_fouls` say
        /// otherwise. A win declared at the same moment takes precedence. All players are asked
        /// about every tile, even if they have a single legal action.
        Referee,
    }

    /// What a chi, pon or kan costs that the rules do not allow.
    InvalidCall {
        /// The penalty `chombo`.
        Chombo,
        /// The hand is dead: its player only draws and discards, and is noten at a draw. A call,
        /// kan, riichi or win with a dead hand costs `chombo`.
        DeadHand,
    }

    /// When fouls in riichi are punished: a riichi without tenpai, and an ankan of four equal tiles
    /// that `riichi_ankan` forbids.
    RiichiFouls {
        /// At once.
        AtOnce,
        /// When the hand is shown: at an exhaustive draw, at a draw by four riichi, or if the
        /// offender declares a win. Until then they count as legal.
        AtEnd,
    }
}

impl Kuikae {
    /// The kinds that may not be discarded right after a chi of this tile in this position.
    pub fn after_chi(self, claimed: TileKind, position: ChiPosition) -> TileSet {
        let other_end = match position {
            ChiPosition::Low => claimed.offset(3),
            ChiPosition::Middle => None,
            ChiPosition::High => claimed.offset(-3),
        };
        let forbids_other_end = matches!(self, Kuikae::Both | Kuikae::SujiOnly);
        let other_end = other_end.filter(|_| forbids_other_end);
        other_end.into_iter().collect::<TileSet>() | self.after_pon(claimed)
    }

    /// The kinds that may not be discarded right after a pon of this kind.
    pub fn after_pon(self, claimed: TileKind) -> TileSet {
        let forbids_same = matches!(self, Kuikae::Both | Kuikae::GenbutsuOnly);
        if forbids_same { claimed.into() } else { TileSet::EMPTY }
    }
}
