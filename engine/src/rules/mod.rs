//! The rules of a game as data.
//!
//! - [`Rules`]: a field for every rule
//! - [`knobs`]: the values that they choose among; `values`: those that have parts
//! - `check`: rules that no game can be played with, and why
//! - `load`: rules from TOML, with errors that name file, field and allowed values
//! - `presets`: the rule sets that the crate ships
//! - [`reference()`]: the page of all fields and presets

mod check;
pub mod knobs;
mod load;
mod presets;
mod reference;
mod values;

pub use check::Contradiction;
use knobs::{
    AbortiveDealer, Aka, AnkanRob, Atozuke, Chombo, DeferredFlush, Enforce, Extension, FifthKan,
    FinalRounding, HeadBump, HonbaOnRotatingDraw, KanDora, KanDoraTiming, Kazoe, Knob, Kuikae,
    LeftoverSticks, Maybe, MultiRonHonba, MultiRonSticks, Nagashi, North, OpenPinfu, OpenRiichi, OwnFourWait,
    PaoRonHonba, PaoScope, PaoTsumoTotal, Renchan, Renhou, RiichiAnkan, ScoringMode, Shibari, SuukaikanAt,
    TempFuritenEnd, TempFuritenTrigger, TieRule, TileKinds, Tobi, TripleRon, TsumoSplit, Uma, WallLayout,
    Yame, YameCondition,
};
pub use load::{Origin, RulesError};
pub use presets::{PRESETS, Preset};
pub use reference::reference;
use serde::{Deserialize, Serialize};

use crate::yaku::{Worth, Yaku, YakuSet};
use crate::{Players, TileSet};

/// Defines [`Rules`], its default and the table of its fields.
macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $name:ident: $type:ty = $default:expr, $source:literal;)+) => {
        /// Everything in which games of riichi differ, one field a rule.
        ///
        /// The default is the rule set `tenhou`. Points are points, not hundreds or thousands, except for `uma`. Rules that
        /// contradict each other are refused when they are loaded ([`Rules::check`]).
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Rules {
            $($(#[doc = $doc])+ #[doc = concat!("\n\nSource: ", $source, ".")] pub $name: $type,)+
        }

        impl Default for Rules {
            fn default() -> Rules {
                Rules { $($name: $default,)+ }
            }
        }

        /// The fields of [`Rules`] in order.
        pub static FIELDS: &[Field] = &[
            $(Field {
                name: stringify!($name),
                meaning: concat!($($doc),+).trim_ascii(),
                source: $source,
                values: <$type as Knob>::values,
            },)+
        ];
    };
}

/// A field of [`Rules`].
#[derive(Debug)]
pub struct Field {
    /// Its name in TOML.
    pub name: &'static str,
    /// What it decides.
    pub meaning: &'static str,
    /// Whose rules have which value.
    pub source: &'static str,
    /// The allowed values with their meanings.
    pub values: fn() -> Vec<(String, &'static str)>,
}

rules! {
    /// How many play.
    players: Players = Players::Four,
        "Tenhou and Mahjong Soul for four and three; the Dragon Kong rules for two to four";
    /// The tiles that are played with.
    tiles: TileKinds = TileKinds::Full,
        "Tenhou and Mahjong Soul, games of three";
    /// Where the dead wall's indicators and replacement tiles lie.
    wall_layout: WallLayout = WallLayout::Tenhou,
        "Tenhou's published wall generator; Mahjong Soul's and majiang-core's recorded walls";
    /// How many fives of each suit are red; each is a bonus han.
    aka: Aka = Aka { m: 1, p: 1, s: 1 },
        "Tenhou; the EMA rule book of 2008 has three, rooms for four a second 5p";

    /// Points at the start.
    start_points: i32 = 25_000,
        "every rule book";
    /// Points from which results are counted; what they exceed the start by is the oka of the first place.
    return_points: i32 = 30_000,
        "every rule book";
    /// Points that somebody must have for the game to end, where it can be extended or the dealer can end it.
    target: Maybe = Maybe(Some(30_000)),
        "Tenhou and Mahjong Soul; 40000 in their games of three";
    /// How many winds are played: 1 East only, 2 a hanchan, 4 all; 0 a single hand.
    wind_rounds: u8 = 2,
        "Tenhou: one or two; the Dragon Kong rules: a single hand too";
    /// Bonus by place, in thousands of points.
    uma: Uma = Uma::new(&[20, 10, -10, -20]),
        "every rule book; floating in the A rules of the JPML";
    /// What becomes of players with equal points at the end.
    tie_rule: TieRule = TieRule::SeatOrder,
        "seats: Tenhou, Mahjong Soul; shared: EMA, WRC, M.League, JPML";
    /// What becomes of riichi sticks that are still on the table at the end.
    leftover_sticks: LeftoverSticks = LeftoverSticks::ToTop,
        "first place: Tenhou, EMA 2016; split: EMA 2025, M.League; lost: WRC, JPML";
    /// How final results are rounded.
    final_rounding: FinalRounding = FinalRounding::None,
        "Tenhou: none since 2022, halves up before; parlours: five down, six up";
    /// How han and fu become points.
    scoring_mode: ScoringMode = ScoringMode::Standard,
        "by han alone: a beginners' table of clubs; without limits: a variant of parlours";

    /// Whether sequences can be claimed.
    chi: bool = true,
        "not in games of three: Tenhou, Mahjong Soul";
    /// Which discards are forbidden right after a chi or pon.
    kuikae: Kuikae = Kuikae::Both,
        "both: Tenhou, Mahjong Soul, M.League, WRC, EMA since 2016; the tile alone: JPML until 2017; free: EMA until 2012";
    /// Tiles that must be left in the live wall after the draw for a riichi.
    riichi_min_live: u8 = 4,
        "four: Tenhou, Mahjong Soul, EMA 2016; one: EMA 2025, JPML; none: WRC 2025, M.League";
    /// Points that a riichi needs; none: any.
    riichi_min_points: Maybe = Maybe(Some(1000)),
        "1000: Tenhou, Mahjong Soul; any: EMA, WRC, M.League, JPML";
    /// When a player in riichi may make a concealed quad with the tile just drawn.
    riichi_ankan: RiichiAnkan = RiichiAnkan::WaitsUnchanged,
        "waits: Tenhou, Mahjong Soul; shape: EMA, WRC, M.League; yaku: JPML";
    /// Whether ippatsu counts.
    ippatsu: bool = true,
        "not in the A rules of the JPML";
    /// Whether riichi can be declared with the waits shown, for more han.
    open_riichi: OpenRiichi = OpenRiichi::Off,
        "parlours";

    /// Whether there is a dora indicator.
    dora: bool = true,
        "every rule book";
    /// Whether quads turn further indicators.
    kan_dora_on: bool = true,
        "not in the A rules of the JPML";
    /// Whether a winner in riichi looks under the indicators.
    ura: bool = true,
        "not in the A rules of the JPML";
    /// Whether he looks under those of quads too.
    kan_ura: bool = true,
        "not in the A rules of the JPML";
    /// When the indicators of quads are turned.
    kan_dora: KanDora = KanDora { ankan: KanDoraTiming::Immediate, minkan: KanDoraTiming::AtDiscard },
        "open quads at the discard: Tenhou, Mahjong Soul; immediately: EMA, WRC, M.League";
    /// When an owed indicator is turned if the same player adds a tile to a pon.
    deferred_flush: DeferredFlush = DeferredFlush::AfterRobWindow,
        "recorded games: Tenhou's after the window, Mahjong Soul's at the declaration";

    /// When temporary furiten ends.
    temp_furiten_end: TempFuritenEnd = TempFuritenEnd::OwnDiscard,
        "own discard: Tenhou, Mahjong Soul; own draw or call: EMA since 2016, WRC; anybody's call: EMA until 2012";
    /// Which tile that passes makes a player temporarily furiten.
    temp_furiten_trigger: TempFuritenTrigger = TempFuritenTrigger::Shape,
        "by shape in every rule book; by yaku in private games";
    /// Whether a tile added to a pon counts as the player's own discard for furiten.
    kakan_tile_is_discard: bool = false,
        "EMA 2016; no longer in EMA 2025";
    /// Whether a hand that waits only for tiles of which the player holds all four is tenpai.
    own_four_wait: OwnFourWait = OwnFourWait::NotIfConcealedFour,
        "concealed four: Tenhou, Mahjong Soul; own four: EMA, WRC, JPML, M.League";
    /// Whether a tenpai player who is not in riichi may keep the hand closed at a draw.
    noten_declaration: bool = false,
        "EMA, WRC, M.League, JPML; automatic online";

    /// Whether a concealed quad can be robbed.
    ankan_rob: AnkanRob = AnkanRob::None,
        "Mahjong Soul, EMA; not on Tenhou, in M.League and WRC";
    /// How many can win on one tile.
    max_ron: u8 = 2,
        "two: Tenhou; three: Mahjong Soul, EMA; one: M.League, WRC, JPML";
    /// Who wins when only one of several may.
    head_bump: HeadBump = HeadBump::Nearest,
        "nearest in every rule book; farthest as a convention of some tables";
    /// What happens when three players declare ron on one tile.
    triple_ron: TripleRon = TripleRon::Abort,
        "drawn: Tenhou; paid: Mahjong Soul, EMA; one: M.League, WRC, JPML";
    /// Who gets the riichi sticks when several win.
    multi_ron_sticks: MultiRonSticks = MultiRonSticks::Nearest,
        "nearest: Tenhou, Mahjong Soul; own back: EMA";
    /// Who gets the counters' points when several win.
    multi_ron_honba: MultiRonHonba = MultiRonHonba::Nearest,
        "nearest: Tenhou, Mahjong Soul; each: EMA";

    /// Whether a player with nine kinds of terminals and honours in the first draw may end the hand.
    kyuushu: bool = true,
        "Tenhou, Mahjong Soul, EMA until 2012; not in M.League, WRC, EMA since 2016";
    /// Whether the same wind as everybody's first discard ends the hand.
    suufon: bool = true,
        "Tenhou, Mahjong Soul, EMA until 2012; not in M.League, WRC, EMA since 2016";
    /// Whether a riichi of every player ends the hand.
    suucha: bool = true,
        "Tenhou, Mahjong Soul, EMA until 2012; not in M.League, WRC, EMA since 2016";
    /// Whether four quads by several players end the hand.
    suukaikan: bool = true,
        "Tenhou, Mahjong Soul, EMA until 2012; not in M.League, WRC, EMA since 2016";
    /// When four quads by several players end the hand.
    suukaikan_at: SuukaikanAt = SuukaikanAt::AfterDiscard,
        "after the discard in every rule book";
    /// Who deals after an abortive draw.
    abortive_dealer: AbortiveDealer = AbortiveDealer::Repeat,
        "the same dealer: Tenhou, Mahjong Soul; if tenpai: the wording of EMA 2008";
    /// Whether a riichi is paid whose tile brings about an abortive draw by four quads or four winds.
    aborting_riichi_pays: bool = true,
        "paid: recorded games of Mahjong Soul, majiang-core; other programs take the stick back";
    /// Whether those who are not tenpai pay after an abortive draw too.
    abortive_noten_payment: bool = false,
        "the wording of EMA 2008";
    /// What a fifth quad is.
    fifth_kan: FifthKan = FifthKan::Forbidden,
        "forbidden: Tenhou, Mahjong Soul; ends the hand: the rules of the manga Saki";

    /// Han of yaku that a win needs, dora not counted.
    min_yaku: u8 = 1,
        "one in every rule book";
    /// Han of yaku that a win needs from so many counters on; nothing: never more.
    shibari: Shibari = Shibari::NONE,
        "two han from five counters on: EMA until 2012";
    /// Whether tanyao counts in an open hand.
    kuitan: bool = true,
        "Tenhou, Mahjong Soul, EMA since 2016; not in EMA until 2012 and in tables without it";
    /// Whether the yaku may depend on the winning tile.
    atozuke: Atozuke = Atozuke::Ari,
        "allowed in every rule book; not at some local tables";
    /// Fu of a pair that is both seat and round wind.
    double_wind_pair_fu: u8 = 4,
        "four: Tenhou, Mahjong Soul, EMA 2016; two: M.League, WRC, EMA 2025, JPML";
    /// Fu of an open hand without any other.
    open_pinfu: OpenPinfu = OpenPinfu::Thirty,
        "thirty in every rule book; twenty at some local tables";
    /// Fu of a self-drawn pinfu; none: pinfu does not count with a self-draw.
    pinfu_tsumo: Maybe = Maybe(Some(20)),
        "twenty in every rule book; none at some local tables";
    /// Whether a self-draw on a replacement tile has the fu of a self-draw.
    rinshan_tsumo_fu: bool = true,
        "in every rule book but that of the JPML until about 2022";
    /// Whether 4 han 30 fu and 3 han 60 fu are rounded up to mangan.
    kiriage: bool = false,
        "M.League, WRC, EMA 2025; not on Tenhou and Mahjong Soul";
    /// What 13 han without a yakuman are.
    kazoe: Kazoe = Kazoe::Yakuman,
        "a yakuman: Tenhou, Mahjong Soul, WRC 2025; sanbaiman: M.League, EMA, WRC until 2022";
    /// Whether several yakuman in a hand are all paid.
    yakuman_stack: bool = true,
        "Tenhou, Mahjong Soul, M.League, WRC; one alone: EMA, JPML until 2017";
    /// Yakuman that count twice.
    double_yakuman: YakuSet = YakuSet::EMPTY,
        "four: Mahjong Soul; four winds: EMA until 2012; none: Tenhou, M.League, WRC";
    /// The most yakuman that are paid for one hand; none: no limit.
    max_yakuman: Maybe = Maybe(None),
        "no limit in every rule book";
    /// Whether the all-green hand needs the green dragon.
    ryuuiisou_needs_hatsu: bool = false,
        "JPML until about 2017";
    /// The yaku of a win before the own first draw.
    renhou: Renhou = Renhou::Off,
        "mangan: EMA 2016, WRC; five han: EMA 2025; a yakuman: EMA until 2012; none: Tenhou, Mahjong Soul";
    /// Local yaku that count.
    local_yaku: YakuSet = YakuSet::EMPTY,
        "local tables; none in any rule book here";
    /// What becomes of hands with only terminal and honour discards at an exhaustive draw.
    nagashi: Nagashi = Nagashi::Draw,
        "a draw: Tenhou, Mahjong Soul; a win: EMA until 2012; none: M.League, WRC, JPML, EMA since 2016";
    /// Whether such a hand must be closed.
    nagashi_needs_closed: bool = false,
        "EMA until 2012";
    /// Whether it is paid as a yakuman instead of a mangan.
    nagashi_yakuman: bool = false,
        "local tables";

    /// Yakuman for which the feeder of the last visible set is liable.
    pao: YakuSet = YakuSet::of(Yaku::Daisangen).with(Yaku::Daisuushii, true),
        "three dragons and four winds: Tenhou, Mahjong Soul, EMA; four quads too: M.League, WRC, JPML";
    /// For how much of a hand a liable player pays.
    pao_scope: PaoScope = PaoScope::WholeHand,
        "whole: Tenhou, EMA; the yakuman: Mahjong Soul";
    /// Who pays for the counters when a liable player and a discarder share.
    pao_ron_honba: PaoRonHonba = PaoRonHonba::Pao,
        "the liable player: Tenhou, Mahjong Soul; the discarder: EMA, JPML";
    /// Whether concealed quads count among the visible sets.
    pao_counts_ankan: bool = false,
        "recorded games: Mahjong Soul's count them";
    /// What a liable player pays for a self-draw in a game of three.
    pao_tsumo_total: PaoTsumoTotal = PaoTsumoTotal::SameAsTsumo,
        "what the others would have paid: Tenhou, games of three";
    /// Whether the feeder of an open quad pays a win on its replacement tile alone.
    daiminkan_pao: bool = false,
        "Riichi City, JPML until 2017";

    /// Points for each counter at a ron.
    honba_ron: i32 = 300,
        "300; 200 in games of three: Tenhou, Mahjong Soul; 1500 in parlours";
    /// Points for each counter from each payer at a self-draw.
    honba_tsumo: i32 = 100,
        "100; 500 in parlours";
    /// Points that those who are not tenpai pay together at an exhaustive draw.
    noten_pool: i32 = 3000,
        "3000; 2000 in games of three, 1000 in games of two";

    /// When the dealer deals again.
    renchan: Renchan = Renchan::WinOrTenpai,
        "winning or tenpai in every rule book; never: Dragon Kong express games; winning alone: a classic rule";
    /// What becomes of the counters when the deal passes after a draw.
    honba_on_rotating_draw: HonbaOnRotatingDraw = HonbaOnRotatingDraw::Increment,
        "one more in every rule book; none placed: the Dragon Kong rules";
    /// Whether a dealer who has won the last hand can end the game.
    agari_yame: Yame = Yame::Auto,
        "Tenhou, Mahjong Soul; not in EMA, WRC, M.League, JPML";
    /// Whether a dealer who is tenpai at a draw of the last hand can end the game.
    tenpai_yame: Yame = Yame::Auto,
        "Tenhou since 2010, Mahjong Soul; not in EMA, WRC, M.League, JPML";
    /// On what condition the dealer of the last hand ends the game.
    yame_condition: YameCondition = YameCondition::FirstWithTarget,
        "first with the target: Tenhou, Mahjong Soul; first: clubs; team and none: the rules of the manga Saki";
    /// When the game ends because somebody has lost his points.
    tobi: Tobi = Tobi::BelowZero,
        "below 0: Tenhou, Mahjong Soul; off: EMA, WRC, M.League, JPML";
    /// How the game goes on after its last hand when nobody has the target.
    extension: Extension = Extension::RenchanFirst,
        "Tenhou, Mahjong Soul; sudden death: majiang-core; none: EMA, WRC, M.League, JPML";
    /// For how many rounds of winds it goes on; none: without limit.
    extension_rounds: Maybe = Maybe(Some(1)),
        "one: Tenhou, Mahjong Soul; without limit: the rules of the manga Saki";

    /// What an action is that is not legal.
    enforce: Enforce = Enforce::Simulator,
        "fouls: the rule books of EMA and WRC; none online";
    /// What a foul costs; sticks of the hand go back to their owners, and it is played again.
    chombo: Chombo = Chombo::Off,
        "a mangan: EMA until 2012; 20000 off the result: EMA since 2016, WRC";

    /// What North is where there is no North seat.
    north: North = North::GuestWind,
        "set aside: Tenhou and Mahjong Soul, games of three";
    /// Whether a North set aside can be robbed.
    kita_rob: bool = true,
        "Tenhou, Mahjong Soul";
    /// Whether a win on the replacement tile of a North set aside has the yaku of replacement tiles.
    kita_rinshan_yaku: bool = true,
        "Tenhou, Mahjong Soul";
    /// How a self-draw is paid in games of fewer than four.
    tsumo_split: TsumoSplit = TsumoSplit::Loss,
        "lost: Tenhou, Mahjong Soul; bisected: rooms and parlours; full: games of two";
}

impl Rules {
    /// The number of the rule set: a hash of the fields that differ from the default, so that a field that comes with a later
    /// version does not change it.
    ///
    /// FNV-1a over `name = value` lines in alphabetical order, values as in TOML.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let differing = self
            .to_table()
            .into_iter()
            .zip(Rules::default().to_table())
            .filter(|((_, value), (_, default))| value != default);
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        differing
            .map(|((name, value), _)| format!("{name} = {value}\n"))
            .fold(0xCBF2_9CE4_8422_2325, |hash, line| line.bytes().fold(hash, step))
    }

    /// The han of yaku that a win needs with so many counters on the table.
    #[must_use]
    #[inline]
    pub fn han_needed(&self, honba: u16) -> u8 {
        self.min_yaku.max(self.shibari.han(honba))
    }

    /// How often a yakuman counts.
    #[must_use]
    pub(crate) fn yakuman_multiple(&self, yaku: Yaku) -> u8 {
        match yaku.worth() {
            Worth::TwoYakuman => 2,
            Worth::DoubleYakuman if self.double_yakuman.contains(yaku) => 2,
            _ => 1,
        }
    }

    /// The kinds of tile that are played with.
    #[must_use]
    pub const fn kinds(&self) -> TileSet {
        match self.tiles {
            TileKinds::Full => TileSet::ALL,
            TileKinds::ThreePlayer => TileSet::THREE_PLAYER,
        }
    }

    /// The fields by name, as TOML values.
    ///
    /// # Panics
    ///
    /// Never: every field has a TOML form.
    #[must_use]
    pub fn to_table(&self) -> toml::Table {
        toml::Table::try_from(self).expect("every field of the rules has a TOML form")
    }
}
