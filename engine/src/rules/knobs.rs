//! The values that rules choose among.

use serde::{Deserialize, Serialize};

pub use super::values::{Aka, Chombo, KanDora, Maybe, Renhou, Shibari, Uma};

/// What a field of the rules may be set to, for messages and documents.
pub trait Knob {
    /// The allowed values with their meanings; the meaning may be empty.
    fn values() -> Vec<(String, &'static str)>;
}

/// Defines an enum of documented values.
macro_rules! knob {
    ($(#[doc = $about:literal])+ $name:ident { $($(#[doc = $doc:literal])+ $value:ident,)+ }) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
        pub enum $name {
            $($(#[doc = $doc])+ $value,)+
        }

        impl Knob for $name {
            fn values() -> Vec<(String, &'static str)> {
                vec![$((stringify!($value).to_owned(), concat!($($doc),+).trim_ascii())),+]
            }
        }
    };
}

knob! {
    /// The tiles that are played with.
    TileKinds {
        /// 34 kinds, 136 tiles.
        Full,
        /// Without 2m–8m: 27 kinds, 108 tiles.
        ThreePlayer,
    }
}

knob! {
    /// Where the dead wall's indicators and replacement tiles lie.
    WallLayout {
        /// Tenhou's, which is also the physical one.
        Tenhou,
        /// Mahjong Soul's.
        MahjongSoul,
        /// That of the program majiang-core.
        MajiangCore,
        /// Tenhou's for 108 tiles, with eight replacement tiles.
        Tenhou3p,
        /// Mahjong Soul's for 108 tiles, with eight replacement tiles.
        MahjongSoul3p,
    }
}

knob! {
    /// What becomes of players with equal points at the end.
    TieRule {
        /// The one earlier in the seating, first dealer first, ranks higher.
        SeatOrder,
        /// They share the uma and oka of their places; a rest of 100 points goes by seat.
        Shared,
    }
}

knob! {
    /// What becomes of riichi sticks that are still on the table at the end.
    LeftoverSticks {
        /// They go to the first place; among tied leaders to the earlier seat.
        ToTop,
        /// Tied leaders share them, rounded down to 100 points.
        SplitTop,
        /// They are lost.
        Lost,
    }
}

knob! {
    /// How final results are rounded.
    FinalRounding {
        /// To 100 points, as they are.
        None,
        /// To 1000 points, 500 and less down; first place takes the balance.
        GoSharokunyu,
        /// To 1000 points, halves away from zero; first place takes the balance.
        HalfUp,
    }
}

knob! {
    /// How han and fu become points.
    ScoringMode {
        /// By han and fu up to mangan, by limits above.
        Standard,
        /// By han alone: 250, 500 and 1000 base points for one to three han, mangan for four, then the limits.
        HanOnly,
        /// By han and fu without limits; a yakuman counts 13 han beside the other yaku and dora.
        Aotenjou,
    }
}

knob! {
    /// Whether the yaku may depend on the winning tile.
    Atozuke {
        /// Any wait that gives a yaku may win.
        Ari,
        /// Every tile of the waits must give a yaku that does not depend on luck.
        Nashi,
    }
}

knob! {
    /// Which discards are forbidden right after a chi or pon.
    Kuikae {
        /// The claimed tile and the one at the other end of the run.
        Both,
        /// The claimed tile.
        GenbutsuOnly,
        /// The one at the other end of the run.
        SujiOnly,
        /// None.
        Free,
    }
}

knob! {
    /// When a player in riichi may make a concealed quad with the tile just drawn.
    RiichiAnkan {
        /// Never.
        Forbidden,
        /// When the waits stay the same.
        WaitsUnchanged,
        /// When the waits stay the same and the three tiles are a triplet in every reading of the hand.
        ShapeUnchanged,
        /// The same, and no yaku may be lost.
        YakuSafe,
        /// When the hand stays tenpai.
        Free,
    }
}

knob! {
    /// When the new dora indicator of a quad is turned.
    KanDoraTiming {
        /// When the quad stands, before the replacement tile.
        Immediate,
        /// With the next discard, so that it counts for a ron on that very tile.
        AtDiscard,
        /// After the next discard has not been ronned.
        AfterDiscardPassed,
        /// Never.
        Off,
    }
}

knob! {
    /// When an owed indicator is turned if the same player adds a tile to a pon.
    DeferredFlush {
        /// When he declares it: it counts for whoever robs the quad.
        AtDeclaration,
        /// After the quad was not robbed.
        AfterRobWindow,
    }
}

knob! {
    /// When temporary furiten ends.
    TempFuritenEnd {
        /// With the own next discard.
        OwnDiscard,
        /// With the own next draw.
        OwnDraw,
        /// With the own next draw or call.
        OwnDrawOrOwnCall,
        /// With the own next draw or anybody's call.
        OwnDrawOrAnyCall,
    }
}

knob! {
    /// Which tile that passes makes a player temporarily furiten.
    TempFuritenTrigger {
        /// Any that completes the shape of the hand.
        Shape,
        /// Only one on which he could have won.
        YakuOnly,
    }
}

knob! {
    /// Whether a hand that waits only for tiles of which the player holds all four is tenpai.
    OwnFourWait {
        /// Not if the four are among the concealed tiles.
        NotIfConcealedFour,
        /// Not if the four are in hand and melds together.
        NotIfOwnFour,
        /// It is tenpai.
        Tenpai,
    }
}

knob! {
    /// Whether a concealed quad can be robbed.
    AnkanRob {
        /// Never.
        None,
        /// By a hand that waits for thirteen orphans.
        KokushiOnly,
    }
}

knob! {
    /// Who wins when only one of several may.
    HeadBump {
        /// The next in turn after the discarder.
        Nearest,
        /// The last in turn.
        Farthest,
    }
}

knob! {
    /// What happens when three players declare ron on one tile.
    TripleRon {
        /// All are paid.
        Pay,
        /// The hand is drawn: sanchahou.
        Abort,
        /// Only one is paid.
        HeadBump,
    }
}

knob! {
    /// Who gets the riichi sticks when several win.
    MultiRonSticks {
        /// The winner nearest after the discarder.
        Nearest,
        /// Winners in riichi take back their own, the nearest the others.
        OwnBackThenNearest,
    }
}

knob! {
    /// Who gets the counters' points when several win.
    MultiRonHonba {
        /// The winner nearest after the discarder.
        Nearest,
        /// Every winner.
        Each,
    }
}

knob! {
    /// Who deals after an abortive draw.
    AbortiveDealer {
        /// The same dealer.
        Repeat,
        /// The same dealer if he is tenpai.
        ByTenpai,
        /// The next.
        Rotate,
    }
}

knob! {
    /// What a fifth quad is.
    FifthKan {
        /// Not allowed.
        Forbidden,
        /// Allowed to declare: it ends the hand in a draw.
        AbortsHand,
    }
}

knob! {
    /// When four quads by several players end the hand.
    SuukaikanAt {
        /// After the discard that follows the fourth has not been ronned.
        AfterDiscard,
        /// As soon as the fourth stands.
        AtKan,
    }
}

knob! {
    /// The fu of an open hand without any other.
    OpenPinfu {
        /// 30.
        Thirty,
        /// 20.
        Twenty,
    }
}

knob! {
    /// What 13 han without a yakuman are.
    Kazoe {
        /// A counted yakuman.
        Yakuman,
        /// Sanbaiman.
        Sanbaiman,
    }
}

knob! {
    /// What becomes of hands with only terminal and honour discards at an exhaustive draw.
    Nagashi {
        /// Nothing.
        Off,
        /// Paid as a mangan, and still a draw.
        Draw,
        /// Paid as a mangan, and a win.
        Win,
    }
}

knob! {
    /// For how much of a hand a liable player pays.
    PaoScope {
        /// For all of it.
        WholeHand,
        /// For the yakuman that he fed.
        YakuOnly,
    }
}

knob! {
    /// Who pays for the counters when a liable player and a discarder share.
    PaoRonHonba {
        /// The liable player.
        Pao,
        /// The discarder.
        Discarder,
    }
}

knob! {
    /// What a liable player pays for a self-draw in a game of three.
    PaoTsumoTotal {
        /// What the others would have paid together.
        SameAsTsumo,
        /// What a ron would have cost.
        RonValue,
    }
}

knob! {
    /// When the dealer deals again.
    Renchan {
        /// Never.
        Never,
        /// After winning.
        Win,
        /// After winning, and when tenpai at an exhaustive draw.
        WinOrTenpai,
        /// After winning and after every exhaustive draw.
        Always,
    }
}

knob! {
    /// What becomes of the counters when the deal passes after a draw.
    HonbaOnRotatingDraw {
        /// One more.
        Increment,
        /// As many.
        Keep,
        /// None.
        Reset,
    }
}

knob! {
    /// Whether the dealer of the last hand can end the game instead of dealing again.
    Yame {
        /// No.
        Off,
        /// It ends by itself when the condition holds.
        Auto,
        /// He may end it when the condition holds.
        Choice,
    }
}

knob! {
    /// On what condition the dealer of the last hand ends the game.
    YameCondition {
        /// He is first and has the target.
        FirstWithTarget,
        /// He is first.
        First,
        /// His team leads, which he knows from outside the game: he is asked.
        TeamLeads,
        /// None.
        None,
    }
}

knob! {
    /// When the game ends because somebody has lost his points.
    Tobi {
        /// Never.
        Off,
        /// Below 0.
        BelowZero,
        /// At 0 or below.
        ZeroOrBelow,
    }
}

knob! {
    /// How the game goes on after its last hand when nobody has the target.
    Extension {
        /// Not at all.
        None,
        /// Until somebody has it, but a dealer who repeats and may not end the game plays on first.
        RenchanFirst,
        /// Until somebody has it, whoever deals next.
        SuddenDeath,
        /// For a full round of winds.
        FixedRound,
    }
}

knob! {
    /// What North is where there is no North seat.
    North {
        /// An ordinary wind; in games without a North seat nobody's.
        GuestWind,
        /// Set aside for a replacement tile, each a bonus han.
        Nukidora,
        /// A yaku for everybody.
        Yakuhai,
    }
}

knob! {
    /// How a self-draw is paid in games of fewer than four.
    TsumoSplit {
        /// The missing players' shares are not paid.
        Loss,
        /// They are split among the payers, rounded up to 100.
        Bisect,
        /// The payers together pay the ron value; for two players.
        Full,
    }
}

knob! {
    /// Open riichi: riichi with the waits shown to everybody.
    OpenRiichi {
        /// Not played.
        Off,
        /// A han more than riichi.
        OneHan,
        /// The same; a ron from a player who is not in riichi himself is a yakuman.
        YakumanFromOthers,
    }
}

knob! {
    /// What an action is that is not legal.
    Enforce {
        /// An error: it cannot be made.
        Simulator,
        /// A foul, which costs what `chombo` says. A win declared at the same moment goes before it.
        Referee,
    }
}
