//! The values that rules choose among.

use serde::de::{Deserializer, Error as _};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::yaku::{Yaku, YakuSet};

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

/// The yaku of a win before the own first draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Renhou {
    /// None.
    Off,
    /// Mangan, or the value of the hand without it if that is higher.
    ManganFloor,
    /// So many han beside no other yaku or dora, or the hand without it if that is worth more.
    HanAlone(u8),
    /// So many han beside other yaku and dora.
    HanAdd(u8),
    /// A yakuman.
    Yakuman,
}

impl Knob for Renhou {
    fn values() -> Vec<(String, &'static str)> {
        [
            ("Off", "no yaku"),
            ("ManganFloor", "mangan, or the value of the hand without it if that is higher"),
            (
                "{ HanAlone = n }",
                "n han beside no other yaku or dora, or the hand without it if that is worth more",
            ),
            ("{ HanAdd = n }", "n han beside other yaku and dora"),
            ("Yakuman", "a yakuman"),
        ]
        .map(|(value, doc)| (value.to_owned(), doc))
        .to_vec()
    }
}

/// How many fives of each suit are red.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aka {
    /// Characters.
    pub m: u8,
    /// Dots.
    pub p: u8,
    /// Bamboo.
    pub s: u8,
}

impl Aka {
    /// By suit number.
    #[must_use]
    pub const fn by_suit(self) -> [u8; 3] {
        [self.m, self.p, self.s]
    }
}

impl Knob for Aka {
    fn values() -> Vec<(String, &'static str)> {
        vec![("{ m = 0-4, p = 0-4, s = 0-4 }".to_owned(), "")]
    }
}

/// When indicators of quads are turned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KanDora {
    /// For concealed quads.
    pub ankan: KanDoraTiming,
    /// For open quads.
    pub minkan: KanDoraTiming,
}

impl Knob for KanDora {
    fn values() -> Vec<(String, &'static str)> {
        KanDoraTiming::values()
            .into_iter()
            .map(|(v, doc)| (format!("{{ ankan|minkan = \"{v}\" }}"), doc))
            .collect()
    }
}

/// A number, or `"none"`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Maybe(pub Option<i32>);

impl Serialize for Maybe {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(number) => serializer.serialize_i32(number),
            None => serializer.serialize_str("none"),
        }
    }
}

impl<'de> Deserialize<'de> for Maybe {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Maybe, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a number or \"none\"")]
        enum Either {
            Number(i32),
            Word(String),
        }
        match Either::deserialize(deserializer)? {
            Either::Number(number) => Ok(Maybe(Some(number))),
            Either::Word(word) if word == "none" => Ok(Maybe(None)),
            Either::Word(word) => {
                Err(D::Error::custom(format!("found \"{word}\", expected a number or \"none\"")))
            }
        }
    }
}

impl Knob for Maybe {
    fn values() -> Vec<(String, &'static str)> {
        vec![("a number".to_owned(), ""), ("none".to_owned(), "")]
    }
}

/// Uma in thousands of points by place; as many numbers as players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Uma {
    places: [i32; 4],
    len: u8,
}

impl Uma {
    /// From first place to last.
    ///
    /// # Panics
    ///
    /// If there are more than four.
    #[must_use]
    pub const fn new(places: &[i32]) -> Uma {
        let mut all = [0; 4];
        let mut i = 0;
        while i < places.len() {
            all[i] = places[i];
            i += 1;
        }
        Uma { places: all, len: places.len() as u8 }
    }

    /// Thousands of points from first place to last.
    #[must_use]
    pub fn as_slice(&self) -> &[i32] {
        &self.places[..usize::from(self.len)]
    }
}

impl Serialize for Uma {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Uma {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Uma, D::Error> {
        let places = Vec::<i32>::deserialize(deserializer)?;
        if places.len() > 4 {
            return Err(D::Error::invalid_length(places.len(), &"at most four numbers"));
        }
        Ok(Uma::new(&places))
    }
}

impl Knob for Uma {
    fn values() -> Vec<(String, &'static str)> {
        vec![("[first, …, last]".to_owned(), "thousands of points, as many as players")]
    }
}

/// As a list of names.
impl Serialize for YakuSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Yaku::name))
    }
}

impl<'de> Deserialize<'de> for YakuSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<YakuSet, D::Error> {
        let by_name = |name: String| {
            Yaku::all().find(|yaku| yaku.name() == name).ok_or_else(|| {
                let known: Vec<&str> = Yaku::all().filter(|y| y.is_yakuman()).map(Yaku::name).collect();
                D::Error::custom(format!("unknown yakuman `{name}`, expected some of {}", known.join(", ")))
            })
        };
        Vec::<String>::deserialize(deserializer)?.into_iter().map(by_name).collect()
    }
}

impl Knob for YakuSet {
    fn values() -> Vec<(String, &'static str)> {
        vec![("[names of yakuman]".to_owned(), "")]
    }
}

macro_rules! plain_knob {
    ($($number:ty = $text:literal),+) => {
        $(impl Knob for $number {
            fn values() -> Vec<(String, &'static str)> {
                vec![($text.to_owned(), "")]
            }
        })+
    };
}

plain_knob!(bool = "true | false", u8 = "a number", i32 = "a number of points");

impl Knob for crate::Players {
    fn values() -> Vec<(String, &'static str)> {
        vec![("2 | 3 | 4".to_owned(), "")]
    }
}
