//! Rules of a game, as data.
//!
//! - [`options`]: the enums that fields choose from; `values`: field values that consist of parts
//! - [`Rules`]: one field per rule
//! - `check`: finds rules that contradict each other; `idle`: finds fields without effect
//! - `load`: reads rules from TOML
//! - `presets`: the rule sets that the crate ships
//! - [`reference()`]: the page of all fields and presets
//!
//! # Why
//!
//! **What does the hash of a rule set cover?** Fields that differ from the default. A new field
//! whose default keeps the old behaviour changes no hash. Several forms of a value that mean the same
//! count as one. Fields without effect count, because presets set them for the rule sets that build on
//! the preset.

mod check;
mod idle;
mod load;
pub mod options;
mod presets;
mod reference;
mod shared;
mod values;

pub use check::Contradiction;
pub use idle::IdleField;
pub(crate) use load::line_at;
pub use load::{FieldOrigin, FieldProblem, RulesError};
use options::{
    AbortiveDealer, Aka, AnkanRob, Atozuke, Chombo, DeferredFlush, Enforce, Extension, FifthKan,
    FinalRounding, HeadBump, HonbaOnRotatingDraw, InvalidCall, KanDora, KanDoraTiming, Kazoe, Kuikae,
    LeftoverSticks, Maybe, MultiRonHonba, MultiRonSticks, Nagashi, North, NotenPool, OpenPinfu, OpenRiichi,
    OwnFourWait, PaoRonHonba, PaoScope, PaoTsumoHonba, PaoTsumoTotal, Renchan, RenchanRule, Renhou,
    RiichiAnkan, RiichiFouls, RuleOption, ScoringMode, Shibari, SuukaikanAt, TempFuritenEnd,
    TempFuritenTrigger, TieRule, TileKinds, Tobi, TripleRon, TsumoSplit, Uma, WallLayout, Yame,
    YameCondition,
};
pub use presets::{PRESETS, Preset};
pub use reference::reference;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::yaku::{Yaku, YakuSet, YakuValue};
use crate::{BySeat, DrawReason, Players, TileSet, Wind};

/// Defines [`Rules`], its default and [`FIELDS`].
macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $name:ident: $type:ty = $default:expr, $source:literal;)+) => {
        /// The rules of a game, one field per rule.
        ///
        /// The default is the preset `tenhou`. Amounts are in points, except `uma`, which is in
        /// thousands of points. [`Rules::check`] rejects rules that contradict each other.
        ///
        /// Rules that were stored before a field was added are read with its default, which keeps
        /// the behaviour of that time.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Rules {
            $($(#[doc = $doc])+ #[doc = concat!("\n\nSource: ", $source, ".")] pub $name: $type,)+
        }

        /// The forms of the fields in TOML.
        #[derive(Serialize, Deserialize)]
        #[serde(remote = "Rules", deny_unknown_fields, default = "Rules::default")]
        struct Fields {
            $($name: $type,)+
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
                values: <$type as RuleOption>::values,
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
    /// Which rule sets use which value.
    pub source: &'static str,
    /// The allowed values with their meanings.
    pub values: fn() -> Vec<(String, &'static str)>,
}

rules! {
    /// Number of players.
    players: Players = Players::Four,
        "four and three: Tenhou, Mahjong Soul; two to four: Dragon Kong";
    /// The kinds of tiles in play.
    tiles: TileKinds = TileKinds::Full,
        "Tenhou and Mahjong Soul for three players";
    /// Where the dead wall holds indicators and replacement tiles.
    wall_layout: WallLayout = WallLayout::Tenhou,
        "Tenhou's published wall generator; Mahjong Soul's and majiang-core's recorded walls";
    /// Number of red fives in each suit. Each red five in a winning hand is a dora.
    aka: Aka = Aka { m: 1, p: 1, s: 1 },
        "one in each suit: Tenhou, EMA 2008; a second 5p: some online rooms for four players";

    /// Points of each player at the start.
    start_points: i32 = 25_000,
        "every rule book";
    /// Points that a result is measured against. The difference from `start_points`, times the
    /// number of players, is the oka of first place.
    return_points: i32 = 30_000,
        "every rule book";
    /// Points that one player needs for the game to end after its last hand. Used only if
    /// `extension` or `yame_condition` refers to the target.
    target: Maybe = Maybe(Some(30_000)),
        "30000: Tenhou, Mahjong Soul; 40000: Tenhou and Mahjong Soul for three players";
    /// Number of winds in the game: 1 is East only, 2 a hanchan, 4 all winds; 0 is a single hand.
    wind_rounds: u8 = 2,
        "one or two: Tenhou; a single hand: Dragon Kong";
    /// Bonus by placement, in thousands of points.
    uma: Uma = Uma::new(&[20, 10, -10, -20]),
        "every rule book; floating: JPML A rules; by players below the start: rooms of Tenhou (`csrule`)";
    /// How placements and bonuses are decided among players with equal points.
    tie_rule: TieRule = TieRule::SeatOrder,
        "seat order: Tenhou, Mahjong Soul, Saikyosen; shared: EMA, WRC, M.League, JPML, RMU, Mahjong Rengo";
    /// Who gets the riichi sticks that remain on the table after the last hand.
    leftover_sticks: LeftoverSticks = LeftoverSticks::ToTop,
        "first place: Tenhou, EMA 2016; split: EMA 2025, M.League; lost: WRC, JPML, Saikouisen";
    /// How final points are rounded before results are computed.
    final_rounding: FinalRounding = FinalRounding::None,
        "none: Tenhou since 2022; halves up: Tenhou before 2022; five down, six up: parlours";
    /// How han and fu become base points.
    scoring_mode: ScoringMode = ScoringMode::Standard,
        "by han alone: a beginners' table of clubs; without limits: a variant in parlours";

    /// Whether chi is allowed.
    chi: bool = true,
        "allowed: every rule book; not allowed: Tenhou and Mahjong Soul for three players";
    /// Which discards are forbidden right after a chi or pon.
    kuikae: Kuikae = Kuikae::Both,
        "both: Tenhou, Mahjong Soul, M.League, WRC, EMA since 2016; the claimed tile: JPML in 2017; free: EMA until 2012, Mahjong Rengo, Saikouisen Classic";
    /// Minimum number of live tiles left after the player's draw for declaring riichi.
    riichi_min_live: u8 = 4,
        "four: Tenhou, Mahjong Soul, EMA 2016; one: EMA 2025, JPML; none: WRC 2025, M.League, Saikouisen";
    /// Minimum points for declaring riichi; `"none"` means no minimum.
    riichi_min_points: Maybe = Maybe(Some(1000)),
        "1000: Tenhou, Mahjong Soul; no minimum: EMA, WRC, M.League, JPML";
    /// When a player in riichi may declare an ankan with the tile just drawn.
    riichi_ankan: RiichiAnkan = RiichiAnkan::WaitsUnchanged,
        "waits: Tenhou, Mahjong Soul; shape: EMA, WRC, M.League, Saikouisen; yaku: JPML; never: Mahjong Rengo, Saikouisen Classic";
    /// Points of a riichi stick.
    riichi_stick: i32 = 1000,
        "1000: every rule book; other amounts: rooms of Tenhou (`csrule`) and Mahjong Soul (`liqibang_value`)";
    /// Whether ippatsu counts.
    ippatsu: bool = true,
        "every rule book except JPML A, RMU B, Mahjong Rengo and Saikouisen Classic";
    /// Whether open riichi is allowed and what it adds.
    open_riichi: OpenRiichi = OpenRiichi::Off,
        "a variant in parlours";

    /// Whether the first dora indicator is turned.
    dora: bool = true,
        "every rule book";
    /// Number of dora indicators that are turned at the deal. They all have ura. Kans turn further
    /// ones, up to five in all. With three players, the deal turns at most three, and a kan turns
    /// none while its place still belongs to the live wall.
    start_indicators: u8 = 1,
        "one: every rule book; three: Mahjong Soul's `dora3_mode`";
    /// Whether kans turn further dora indicators.
    kan_dora_on: bool = true,
        "every rule book except JPML A, RMU B, Mahjong Rengo and Saikouisen Classic";
    /// Whether the ura indicator counts for a winner in riichi.
    ura: bool = true,
        "every rule book except JPML A, RMU B, Mahjong Rengo and Saikouisen Classic";
    /// Whether the ura indicators under kan dora indicators count, too. Needs `ura`.
    kan_ura: bool = true,
        "every rule book except JPML A, RMU B, Mahjong Rengo and Saikouisen Classic";
    /// When the dora indicator of a kan is turned.
    kan_dora: KanDora = KanDora { ankan: KanDoraTiming::Immediate, minkan: KanDoraTiming::AtDiscard },
        "daiminkan and kakan at the discard: Tenhou, Mahjong Soul; immediately: EMA, WRC, M.League";
    /// When the pending indicator of an earlier kan is turned if the same player declares a kakan.
    deferred_flush: DeferredFlush = DeferredFlush::AfterRobWindow,
        "after the chance to rob: recorded games of Tenhou; at the declaration: recorded games of Mahjong Soul";

    /// When temporary furiten ends.
    temp_furiten_end: TempFuritenEnd = TempFuritenEnd::OwnDiscard,
        "own discard: Tenhou, Mahjong Soul; own draw or call: EMA since 2016, WRC; any call: EMA until 2012";
    /// Which passed tiles cause temporary furiten.
    temp_furiten_trigger: TempFuritenTrigger = TempFuritenTrigger::Shape,
        "by shape: every rule book; by yaku: private games";
    /// Whether the tile of a kakan counts as the player's own discard for furiten.
    kakan_tile_is_discard: bool = false,
        "yes: EMA 2016; no: EMA 2025 and all others";
    /// Whether a hand is tenpai if the player holds all four tiles of every kind it waits for.
    own_four_wait: OwnFourWait = OwnFourWait::NotIfConcealedFour,
        "not with four concealed: Tenhou, Mahjong Soul; not with four in hand and melds: EMA, WRC, JPML, M.League";
    /// Whether a tenpai player who is not in riichi may declare noten at an exhaustive draw.
    noten_declaration: bool = false,
        "yes: EMA, WRC, M.League, JPML; no: online rooms";

    /// Whether an ankan can be robbed.
    ankan_rob: AnkanRob = AnkanRob::None,
        "by thirteen orphans: Mahjong Soul, EMA, JPML until 2023; never: Tenhou, M.League, WRC, Saikouisen, Mahjong Rengo";
    /// Maximum number of winners on one tile.
    max_ron: u8 = 2,
        "two: Tenhou; three: Mahjong Soul, EMA; one: M.League, WRC, JPML";
    /// Which player wins when several declare ron but only one may win.
    head_bump: HeadBump = HeadBump::Nearest,
        "nearest: every rule book; farthest: a convention at some tables";
    /// What happens when three players declare ron on one tile.
    triple_ron: TripleRon = TripleRon::Abort,
        "draw: Tenhou; all win: Mahjong Soul, EMA; one wins: M.League, WRC, JPML";
    /// Who gets the riichi sticks when several players win on one tile.
    multi_ron_sticks: MultiRonSticks = MultiRonSticks::Nearest,
        "nearest: Tenhou, Mahjong Soul; own sticks back: EMA; shared, or the dealer's first: parlours";
    /// Who gets the points for honba when several players win on one tile.
    multi_ron_honba: MultiRonHonba = MultiRonHonba::Nearest,
        "nearest: Tenhou, Mahjong Soul; each: EMA";

    /// Whether kyuushu kyuuhai is allowed: a player with nine kinds of yaochuu in the first draw
    /// may end the hand.
    kyuushu: bool = true,
        "yes: Tenhou, Mahjong Soul, EMA until 2012, JPML until 2023; no: M.League, WRC, EMA since 2016";
    /// Whether the hand ends when every player's first discard is the same wind: four winds, or
    /// three or two with fewer players.
    suufon: bool = true,
        "yes: Tenhou, Mahjong Soul, EMA until 2012, JPML until 2023; no: M.League, WRC, EMA since 2016, Tenhou and Mahjong Soul for three players";
    /// Whether the hand ends when all players are in riichi: four, or three or two with fewer
    /// players.
    suucha: bool = true,
        "yes: Tenhou, Mahjong Soul, EMA until 2012, JPML until 2023; no: M.League, WRC, EMA since 2016, Tenhou and Mahjong Soul for three players";
    /// Whether the hand ends after four kans by two or more players.
    suukaikan: bool = true,
        "yes: Tenhou, Mahjong Soul, EMA until 2012, JPML until 2023; no: M.League, WRC, EMA since 2016";
    /// When the hand ends after four kans by two or more players.
    suukaikan_at: SuukaikanAt = SuukaikanAt::AfterDiscard,
        "after the discard: every rule book";
    /// Who deals after an abortive draw.
    abortive_dealer: AbortiveDealer = AbortiveDealer::Repeat,
        "the same dealer: Tenhou, Mahjong Soul; if tenpai: the wording of EMA 2008";
    /// Whether a riichi is accepted and its stick paid when its discard causes an abortive draw by
    /// four kans or four winds.
    aborting_riichi_pays: bool = true,
        "paid: recorded games of Mahjong Soul, majiang-core; not paid: other programs";
    /// Whether noten players pay after an abortive draw, too.
    abortive_noten_payment: bool = false,
        "yes: the wording of EMA 2008; no: all others";
    /// What happens when a player declares a fifth kan.
    fifth_kan: FifthKan = FifthKan::Forbidden,
        "forbidden: Tenhou, Mahjong Soul; ends the hand: Saki";

    /// Minimum han from yaku for a win. Dora do not count.
    min_yaku: u8 = 1,
        "one: every rule book";
    /// Higher minimum han at high honba, as steps of honba and han; empty means no steps.
    shibari: Shibari = Shibari::NONE,
        "two han from five honba on: EMA until 2012; none: all others";
    /// Whether tanyao counts in an open hand.
    kuitan: bool = true,
        "yes: Tenhou, Mahjong Soul, EMA since 2016; no: EMA until 2012, tables without open tanyao";
    /// Whether a wait may give a yaku with only some of its tiles.
    atozuke: Atozuke = Atozuke::Ari,
        "yes: every rule book; no: some local tables";
    /// Whether the wind opposite to the round wind is a round wind, too: West in East, North in South.
    double_round_wind: bool = false,
        "yes: rooms of Tenhou (`csrule`); no: every rule book";
    /// Fu of a pair that is both the seat wind and the round wind.
    double_wind_pair_fu: u8 = 4,
        "four: Tenhou, Mahjong Soul, EMA 2016, JPML until 2023; two: M.League, WRC, EMA 2025, JPML since 2023";
    /// Fu of an open hand without any fu besides the base 20.
    open_pinfu: OpenPinfu = OpenPinfu::Thirty,
        "thirty: every rule book; twenty: some local tables";
    /// Fu of pinfu with tsumo; `"none"` means that pinfu does not count with tsumo.
    pinfu_tsumo: Maybe = Maybe(Some(20)),
        "twenty: every rule book; none: some local tables";
    /// Whether tsumo on a replacement tile gets the 2 fu of tsumo.
    rinshan_tsumo_fu: bool = true,
        "yes: every rule book; no: JPML until 2023";
    /// Whether 4 han 30 fu and 3 han 60 fu are rounded up to mangan.
    kiriage: bool = false,
        "yes: M.League, WRC, EMA 2025, Saikouisen; no: Tenhou, Mahjong Soul, Mahjong Rengo, Saikouisen Classic";
    /// The limit of a hand with 13 or more han and no yakuman.
    kazoe: Kazoe = Kazoe::Yakuman,
        "a yakuman: Tenhou, Mahjong Soul, WRC 2025; sanbaiman: M.League, EMA, WRC until 2022, Saikouisen, Ron2";
    /// Whether a hand with several yakuman is paid for all of them.
    yakuman_stack: bool = true,
        "all: Tenhou, Mahjong Soul, M.League, WRC, Saikouisen since 2023; one: EMA, JPML in 2017, Saikouisen until 2023";
    /// Yakuman that count twice.
    double_yakuman: YakuSet = YakuSet::EMPTY,
        "four yakuman: Mahjong Soul; daisuushii: EMA until 2012; none: Tenhou, M.League, WRC";
    /// Maximum number of yakuman paid for one hand; `"none"` means no maximum.
    max_yakuman: Maybe = Maybe(None),
        "no maximum: every rule book";
    /// Whether ryuuiisou needs the green dragon.
    ryuuiisou_needs_hatsu: bool = false,
        "yes: JPML in 2017; no: all others";
    /// The value of renhou: a ron before the player's first draw, without any call or kan before
    /// it.
    renhou: Renhou = Renhou::Off,
        "mangan: EMA 2016, WRC; five han: EMA 2025; a yakuman: EMA until 2012; no yaku: Tenhou, Mahjong Soul";
    /// Local yaku that count.
    local_yaku: YakuSet = YakuSet::EMPTY,
        "some: local tables; none: every rule book here";
    /// How nagashi mangan is treated at an exhaustive draw.
    nagashi: Nagashi = Nagashi::Draw,
        "a draw: Tenhou, Mahjong Soul; a win: EMA until 2012; not played: M.League, WRC, JPML, EMA since 2016";
    /// Whether nagashi mangan needs a closed hand.
    nagashi_needs_closed: bool = false,
        "yes: EMA until 2012; no: all others";
    /// Whether nagashi mangan is paid as a yakuman.
    nagashi_yakuman: bool = false,
        "yes: local tables; no: every rule book";

    /// Yakuman with liability: the player who fed the last visible set pays.
    pao: YakuSet = YakuSet::of(Yaku::Daisangen).with(Yaku::Daisuushii, true),
        "daisangen and daisuushii: Tenhou, Mahjong Soul, EMA, Mahjong Rengo; suukantsu, too: M.League, WRC, JPML, Ron2; none: Saikouisen";
    /// How much of a winning hand a liable player pays.
    pao_scope: PaoScope = PaoScope::WholeHand,
        "the whole hand: Tenhou, EMA; the yakuman: Mahjong Soul";
    /// Who pays for honba when a liable player and a discarder share a ron.
    pao_ron_honba: PaoRonHonba = PaoRonHonba::Pao,
        "the liable player: Tenhou, Mahjong Soul; the discarder: EMA, JPML";
    /// Who pays for honba when a liable player pays for a part of a tsumo.
    pao_tsumo_honba: PaoTsumoHonba = PaoTsumoHonba::Pao,
        "the liable player: Mahjong Soul; all payers: majiang-core";
    /// Whether an ankan counts as a visible set for liability.
    pao_counts_ankan: bool = false,
        "yes: recorded games of Mahjong Soul";
    /// Whether a daiminkan that completes the sets of daisangen or daisuushii makes anybody liable.
    /// Suukantsu is always completed by a kan.
    pao_by_kan: bool = true,
        "no: the Japanese student league (Gakusei); yes: all others";
    /// What a liable player pays for a tsumo in a three-player game.
    pao_tsumo_total: PaoTsumoTotal = PaoTsumoTotal::SameAsTsumo,
        "what all would have paid: Tenhou for three players";
    /// Whether the player whose discard became a daiminkan pays alone for a win on its replacement
    /// tile.
    daiminkan_pao: bool = false,
        "yes: Riichi City, JPML until 2023; no: all others";

    /// Points per honba for a ron.
    honba_ron: i32 = 300,
        "300: most rule books; 200: Tenhou and Mahjong Soul for three players; 1500: parlours; 0: Mahjong Rengo";
    /// Points per honba from each payer for a tsumo.
    honba_tsumo: i32 = 100,
        "100: most rule books; 500: parlours; 0: Mahjong Rengo";
    /// Points that noten players pay at an exhaustive draw.
    noten_pool: NotenPool = NotenPool::Total(3000),
        "3000 for four players, 2000 for three, 1000 for two; nothing: Saikouisen Classic; by tenpai players: rooms of Tenhou (`csrule`) and Mahjong Soul (`noting_fafu_1` to `3`)";

    /// When the dealer deals again.
    renchan: RenchanRule = RenchanRule::Same(Renchan::WinOrTenpai),
        "win or tenpai: every rule book; never: Dragon Kong express games; win only: Saikouisen Classic; tenpai in East and win from South on: parlours";
    /// What happens to honba when the deal passes after a draw.
    honba_on_rotating_draw: HonbaOnRotatingDraw = HonbaOnRotatingDraw::Increment,
        "one more: every rule book; back to 0: Dragon Kong";
    /// Whether the game may end after the dealer wins the last hand.
    agari_yame: Yame = Yame::Auto,
        "automatic: Tenhou, Mahjong Soul; yes: Ron2; no: EMA, WRC, M.League, JPML";
    /// Whether the game may end after the dealer is tenpai at an exhaustive draw of the last hand.
    tenpai_yame: Yame = Yame::Auto,
        "automatic: Tenhou since 2010, Mahjong Soul; no: EMA, WRC, M.League, JPML";
    /// What `agari_yame` and `tenpai_yame` require of the dealer.
    yame_condition: YameCondition = YameCondition::FirstWithTarget,
        "first with the target: Tenhou, Mahjong Soul; first: clubs; team, none: Saki";
    /// How few points a player must have for the game to end early.
    tobi: Tobi = Tobi::BelowZero,
        "below 0: Tenhou, Mahjong Soul, Ron2; never: EMA, WRC, M.League, JPML, RMU";
    /// The game ends after a hand in which a player reaches this many points; `"none"` means that
    /// no number of points ends it.
    goal_points: Maybe = Maybe(None),
        "60000: parlours; rooms of Tenhou (`csrule`) and Mahjong Soul (`tianbian_value`); none: every rule book";
    /// How the game continues after its last hand if no player has the target.
    extension: Extension = Extension::RenchanFirst,
        "with renchan first: Tenhou, Mahjong Soul; sudden death: majiang-core; none: EMA, WRC, M.League, JPML";
    /// Maximum number of extra rounds of winds; `"none"` means no maximum.
    extension_rounds: Maybe = Maybe(Some(1)),
        "one: Tenhou, Mahjong Soul; no maximum: Saki";

    /// Number of hands after which the game is stopped, as by the clock of a tournament; `"none"`
    /// means no limit. A hand that ends with a foul counts too. If it is the last one, it is
    /// replayed all the same.
    hands_limit: Maybe<u8> = Maybe(None),
        "tournaments stop games by the clock";
    /// Whether uma counts in a game that is stopped before its last hand.
    stopped_uma: bool = true,
        "no: EMA 2008; the other rule books do not say";

    /// How an illegal action is treated.
    enforce: Enforce = Enforce::Simulator,
        "fouls: EMA, WRC; errors: online rooms";
    /// The penalty for a foul. The hand is replayed, and its riichi sticks are returned.
    chombo: Chombo = Chombo::Off,
        "a mangan: EMA until 2012; 20000 off the result: EMA since 2016, WRC";
    /// Whether a foul in the last hand, or a later one, ends the game. Otherwise the hand is
    /// replayed.
    chombo_ends_game: bool = false,
        "yes: parlours; no: EMA, WRC";
    /// What a chi, pon or kan costs that the rules do not allow. Needs a referee.
    invalid_call: InvalidCall = InvalidCall::Chombo,
        "a dead hand: EMA until 2012; chombo: most clubs";
    /// When a riichi without tenpai and a forbidden ankan in riichi are punished. Needs a referee.
    riichi_fouls: RiichiFouls = RiichiFouls::AtOnce,
        "when the hand is shown: EMA until 2012; at once: a program that sees all tiles";

    /// What North is in games without a North seat.
    north: North = North::GuestWind,
        "kita: Tenhou and Mahjong Soul for three players";
    /// Whether the tile of a kita can be robbed.
    kita_rob: bool = true,
        "yes: Tenhou, Mahjong Soul";
    /// Whether a win on the replacement tile of a kita has the yaku rinshan.
    kita_rinshan_yaku: bool = true,
        "yes: Tenhou, Mahjong Soul";
    /// How a tsumo is paid with fewer than four players.
    tsumo_split: TsumoSplit = TsumoSplit::Loss,
        "not paid: Tenhou, Mahjong Soul; split: rooms and parlours; full: two players";

    /// Whether all seats keep their own draws when a chi, pon or daiminkan changes the order of
    /// turns: each seat draws the live tiles that it would have drawn without the call, in the same
    /// order. Only the last tile of a seat can go to another seat: to one that has more turns because
    /// of the call. Kans still draw replacement tiles and remove the last live tile.
    /// Players cannot tell the difference, but games on the same walls have more luck in common.
    keep_draws: bool = false,
        "no: every rule book; yes: comparisons of agents";
}

impl Rules {
    /// Hash that names the rule set in datasets.
    ///
    /// Computed as FNV-1a over the fields that differ from the default: `name = value` lines in
    /// alphabetical order, with values as in TOML. A field that a later version adds, with the old
    /// behaviour as its default, changes no hash. Forms of a value that mean the same have one hash.
    pub fn hash(&self) -> u64 {
        let differing = self
            .canonical()
            .to_table()
            .into_iter()
            .zip(Rules::default().to_table())
            .filter(|((_, value), (_, default))| value != default);
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        differing
            .map(|((name, value), _)| format!("{name} = {value}\n"))
            .fold(0xCBF2_9CE4_8422_2325, |hash, line| line.bytes().fold(hash, step))
    }

    /// The same rules, with each value that has several forms in the form that presets use.
    fn canonical(&self) -> Rules {
        let (min_yaku, shibari) = self.shibari.canonical(self.min_yaku);
        // Unless `triple_ron` pays three winners, at most two are paid.
        let pays_two = self.max_ron == 3 && self.triple_ron != TripleRon::Pay;
        Rules {
            uma: self.uma.canonical(self.return_points == self.start_points),
            max_ron: if pays_two { 2 } else { self.max_ron },
            min_yaku,
            shibari,
            noten_pool: self.noten_pool.canonical(self.players.count().into()),
            renchan: self.renchan.canonical(),
            ..*self
        }
    }

    /// Whether an illegal action is a foul and not an error.
    #[inline]
    pub fn has_referee(&self) -> bool {
        self.enforce == Enforce::Referee
    }

    /// Minimum han from yaku for a win with this honba.
    #[inline]
    pub fn han_needed(&self, honba: u16) -> u8 {
        self.min_yaku.max(self.shibari.han(honba))
    }

    /// The most dora indicators that can be turned in a hand.
    pub fn max_indicators(&self) -> u8 {
        let KanDora { ankan, minkan } = self.kan_dora;
        let never = !self.kan_dora_on || [ankan, minkan] == [KanDoraTiming::Off; 2];
        match (self.dora, never) {
            (false, _) => 0,
            (true, true) => self.start_indicators,
            (true, false) => 5,
        }
    }

    /// Number of ura indicators that count for a winner when `indicators` dora indicators are
    /// turned.
    ///
    /// Those of the deal count even if the rules do not turn the first dora indicator.
    pub fn ura_count(&self, in_riichi: bool, indicators: usize) -> usize {
        match (self.ura && in_riichi, self.kan_ura) {
            (false, _) => 0,
            (true, true) => indicators.max(self.start_indicators.into()),
            (true, false) => self.start_indicators.into(),
        }
    }

    /// The kinds that count as the round wind in the round of this wind.
    #[inline]
    pub fn round_winds(&self, wind: Wind) -> TileSet {
        let opposite = if self.double_round_wind { wind.opposite().tile().into() } else { TileSet::EMPTY };
        TileSet::of(wind.tile()) | opposite
    }

    /// Thousands of points of uma from first place to last, if a game ends with these points.
    ///
    /// ```
    /// use jantaku_engine::{BySeat, Rules};
    ///
    /// let rules = Rules::from_toml("uma = [[12, -1, -3, -8], [8, 4, -4, -8], [8, 3, 1, -12]]", "text")?;
    /// let ended = |scores: [i32; 4]| BySeat::from_fn(rules.players, |seat| scores[seat.index()]);
    /// assert_eq!(rules.uma_after(&ended([38_000, 31_000, 20_000, 11_000])), [8, 4, -4, -8]);
    /// assert_eq!(rules.uma_after(&ended([25_000; 4])), [0; 4]);
    /// # Ok::<(), jantaku_engine::RulesError>(())
    /// ```
    pub fn uma_after(&self, points: &BySeat<i32>) -> &[i8] {
        let at_return = points.iter().filter(|points| **points >= self.return_points).count();
        let below_start = points.iter().filter(|points| **points < self.start_points).count();
        self.uma.row(at_return, below_start)
    }

    /// The same rules with an uma of 0.
    #[must_use]
    pub(crate) fn without_uma(&self) -> Rules {
        let none = [0; 4];
        Rules { uma: Uma::new(&none[..usize::from(self.players.count())]), ..*self }
    }

    /// How often a yakuman counts: 1 or 2.
    pub fn yakuman_multiple(&self, yaku: Yaku) -> u8 {
        match yaku.value() {
            YakuValue::TwoYakuman => 2,
            YakuValue::DoubleYakuman if self.double_yakuman.contains(yaku) => 2,
            _ => 1,
        }
    }

    /// The yaku that no hand can have under these rules.
    pub fn excluded_yaku(&self) -> YakuSet {
        let three_player = self.tiles == TileKinds::ThreePlayer;
        (YakuSet::LOCAL - self.local_yaku)
            .with(Yaku::Ippatsu, !self.ippatsu)
            .with(Yaku::NorthWind, self.north != North::Yakuhai)
            .with(Yaku::OppositeWind, !self.double_round_wind)
            .with(Yaku::Renhou, matches!(self.renhou, Renhou::Off | Renhou::Yakuman))
            .with(Yaku::RenhouYakuman, self.renhou != Renhou::Yakuman)
            .with(Yaku::OpenRiichi, self.open_riichi == OpenRiichi::Off)
            .with(Yaku::OpenRiichiYakuman, self.open_riichi != OpenRiichi::YakumanFromOthers)
            // Without 2m–8m, characters have no sequences and no ranks that add up to 100.
            .with(Yaku::SanshokuDoujun, three_player)
            .with(Yaku::SanshokuIttsuu, three_player)
            .with(Yaku::HyakumanGoku, three_player)
    }

    /// Whether a hand can end in a draw for this reason under these rules.
    pub fn can_draw_by(&self, reason: DrawReason) -> bool {
        match reason {
            DrawReason::Exhaustive => true,
            DrawReason::Nagashi => self.nagashi != Nagashi::Off,
            DrawReason::KyuushuKyuuhai => self.kyuushu,
            DrawReason::FourWinds => self.suufon,
            DrawReason::FourRiichi => self.suucha,
            DrawReason::FourKans => self.suukaikan || self.fifth_kan == FifthKan::AbortsHand,
            DrawReason::TripleRon => self.triple_ron == TripleRon::Abort,
            DrawReason::Chombo => self.has_referee(),
        }
    }

    /// The most players who can win on one tile.
    pub fn most_winners(&self) -> u8 {
        match (self.max_ron, self.triple_ron) {
            (1, _) => 1,
            (_, TripleRon::Pay) => 3,
            _ => 2,
        }
    }

    /// The kinds of tiles in play.
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
    pub fn to_table(&self) -> toml::Table {
        struct ByField<'a>(&'a Rules);
        impl Serialize for ByField<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Fields::serialize(self.0, serializer)
            }
        }
        toml::Table::try_from(ByField(self)).expect("every field of the rules has a TOML form")
    }

    /// The rules with these fields, and the default of the others.
    fn from_table(table: toml::Table) -> Result<Rules, toml::de::Error> {
        Fields::deserialize(table)
    }
}

// Through a table, so that the code for 90 fields is not compiled for each format and each crate.
impl Serialize for Rules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let table = self.to_table();
        serializer.collect_map(FIELDS.iter().map(|field| (field.name, &table[field.name])))
    }
}

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rules, D::Error> {
        let table = toml::Table::deserialize(deserializer)?;
        Rules::from_table(table).map_err(|error| D::Error::custom(error.to_string().trim_end()))
    }
}
