//! The rules of a game as data.
//!
//! - [`Rules`]: a field for every rule
//! - [`knobs`]: the values that they choose among
//! - `load`: rules from TOML, with errors that name file, field and allowed values
//! - `presets`: the rule sets that the crate ships

pub mod knobs;
mod load;
mod presets;

use knobs::{
    AbortiveDealer, Aka, AnkanRob, Atozuke, DeferredFlush, Extension, FifthKan, FinalRounding, HeadBump,
    HonbaOnRotatingDraw, KanDora, KanDoraTiming, Kazoe, Knob, Kuikae, LeftoverSticks, Maybe, MultiRonHonba,
    MultiRonSticks, Nagashi, North, OpenPinfu, OwnFourWait, PaoRonHonba, PaoScope, PaoTsumoTotal, Renchan,
    Renhou, RiichiAnkan, SuukaikanAt, TempFuritenEnd, TempFuritenTrigger, TieRule, TileKinds, Tobi,
    TripleRon, TsumoSplit, Uma, WallLayout, Yame, YameCondition,
};
pub use load::RulesError;
pub use presets::{PRESETS, Preset};
use serde::{Deserialize, Serialize};

use crate::yaku::{Yaku, YakuSet};
use crate::{Players, TileSet};

/// Defines [`Rules`], its default and the table of its fields.
macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $name:ident: $type:ty = $default:expr;)+) => {
        /// Everything in which games of riichi differ, one field a rule.
        ///
        /// The default is the rule set `tenhou`. Points are points, not hundreds or thousands, except for `uma`. Rules that
        /// contradict each other are refused when they are loaded ([`Rules::check`]).
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Rules {
            $($(#[doc = $doc])+ pub $name: $type,)+
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
                meaning: concat!($($doc),+),
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
    /// The allowed values with their meanings.
    pub values: fn() -> Vec<(String, &'static str)>,
}

rules! {
    /// How many play.
    players: Players = Players::Four;
    /// The tiles that are played with.
    tiles: TileKinds = TileKinds::Full;
    /// Where the dead wall's indicators and replacement tiles lie.
    wall_layout: WallLayout = WallLayout::Tenhou;
    /// How many fives of each suit are red; each is a bonus han.
    aka: Aka = Aka { m: 1, p: 1, s: 1 };

    /// Points at the start.
    start_points: i32 = 25_000;
    /// Points from which results are counted; what they exceed the start by is the oka of the first place.
    return_points: i32 = 30_000;
    /// Points that somebody must have for the game to end, where it can be extended or the dealer can end it.
    target: Maybe = Maybe(Some(30_000));
    /// How many winds are played: 1 East only, 2 a hanchan, 4 all; 0 a single hand.
    wind_rounds: u8 = 2;
    /// Bonus by place, in thousands of points.
    uma: Uma = Uma::new(&[20, 10, -10, -20]);
    /// What becomes of players with equal points at the end.
    tie_rule: TieRule = TieRule::SeatOrder;
    /// What becomes of riichi sticks that are still on the table at the end.
    leftover_sticks: LeftoverSticks = LeftoverSticks::ToTop;
    /// How final results are rounded.
    final_rounding: FinalRounding = FinalRounding::None;

    /// Whether sequences can be claimed.
    chi: bool = true;
    /// Which discards are forbidden right after a chi or pon.
    kuikae: Kuikae = Kuikae::Both;
    /// Tiles that must be left in the live wall after the draw for a riichi.
    riichi_min_live: u8 = 4;
    /// Points that a riichi needs; none: any.
    riichi_min_points: Maybe = Maybe(Some(1000));
    /// When a player in riichi may make a concealed quad with the tile just drawn.
    riichi_ankan: RiichiAnkan = RiichiAnkan::WaitsUnchanged;
    /// Whether ippatsu counts.
    ippatsu: bool = true;

    /// Whether there is a dora indicator.
    dora: bool = true;
    /// Whether quads turn further indicators.
    kan_dora_on: bool = true;
    /// Whether a winner in riichi looks under the indicators.
    ura: bool = true;
    /// Whether he looks under those of quads too.
    kan_ura: bool = true;
    /// When the indicators of quads are turned.
    kan_dora: KanDora = KanDora { ankan: KanDoraTiming::Immediate, minkan: KanDoraTiming::AtDiscard };
    /// When an owed indicator is turned if the same player adds a tile to a pon.
    deferred_flush: DeferredFlush = DeferredFlush::AfterRobWindow;

    /// When temporary furiten ends.
    temp_furiten_end: TempFuritenEnd = TempFuritenEnd::OwnDiscard;
    /// Which tile that passes makes a player temporarily furiten.
    temp_furiten_trigger: TempFuritenTrigger = TempFuritenTrigger::Shape;
    /// Whether a tile added to a pon counts as the player's own discard for furiten.
    kakan_tile_is_discard: bool = false;
    /// Whether a hand that waits only for tiles of which the player holds all four is tenpai.
    own_four_wait: OwnFourWait = OwnFourWait::NotIfConcealedFour;
    /// Whether a tenpai player who is not in riichi may keep the hand closed at a draw.
    noten_declaration: bool = false;

    /// Whether a concealed quad can be robbed.
    ankan_rob: AnkanRob = AnkanRob::None;
    /// How many can win on one tile.
    max_ron: u8 = 2;
    /// Who wins when only one of several may.
    head_bump: HeadBump = HeadBump::Nearest;
    /// What happens when three players declare ron on one tile.
    triple_ron: TripleRon = TripleRon::Abort;
    /// Who gets the riichi sticks when several win.
    multi_ron_sticks: MultiRonSticks = MultiRonSticks::Nearest;
    /// Who gets the counters' points when several win.
    multi_ron_honba: MultiRonHonba = MultiRonHonba::Nearest;

    /// Whether a player with nine kinds of terminals and honours in the first draw may end the hand.
    kyuushu: bool = true;
    /// Whether the same wind as everybody's first discard ends the hand.
    suufon: bool = true;
    /// Whether a riichi of every player ends the hand.
    suucha: bool = true;
    /// Whether four quads by several players end the hand.
    suukaikan: bool = true;
    /// When four quads by several players end the hand.
    suukaikan_at: SuukaikanAt = SuukaikanAt::AfterDiscard;
    /// Who deals after an abortive draw.
    abortive_dealer: AbortiveDealer = AbortiveDealer::Repeat;
    /// Whether those who are not tenpai pay after an abortive draw too.
    abortive_noten_payment: bool = false;
    /// What a fifth quad is.
    fifth_kan: FifthKan = FifthKan::Forbidden;

    /// Han of yaku that a win needs, dora not counted.
    min_yaku: u8 = 1;
    /// Whether tanyao counts in an open hand.
    kuitan: bool = true;
    /// Whether the yaku may depend on the winning tile.
    atozuke: Atozuke = Atozuke::Ari;
    /// Fu of a pair that is both seat and round wind.
    double_wind_pair_fu: u8 = 4;
    /// Fu of an open hand without any other.
    open_pinfu: OpenPinfu = OpenPinfu::Thirty;
    /// Fu of a self-drawn pinfu; none: pinfu does not count with a self-draw.
    pinfu_tsumo: Maybe = Maybe(Some(20));
    /// Whether a self-draw on a replacement tile has the fu of a self-draw.
    rinshan_tsumo_fu: bool = true;
    /// Whether 4 han 30 fu and 3 han 60 fu are rounded up to mangan.
    kiriage: bool = false;
    /// What 13 han without a yakuman are.
    kazoe: Kazoe = Kazoe::Yakuman;
    /// Whether several yakuman in a hand are all paid.
    yakuman_stack: bool = true;
    /// Yakuman that count twice.
    double_yakuman: YakuSet = YakuSet::EMPTY;
    /// The most yakuman that are paid for one hand; none: no limit.
    max_yakuman: Maybe = Maybe(None);
    /// Whether the all-green hand needs the green dragon.
    ryuuiisou_needs_hatsu: bool = false;
    /// The yaku of a win before the own first draw.
    renhou: Renhou = Renhou::Off;
    /// What becomes of hands with only terminal and honour discards at an exhaustive draw.
    nagashi: Nagashi = Nagashi::Draw;
    /// Whether such a hand must be closed.
    nagashi_needs_closed: bool = false;

    /// Yakuman for which the feeder of the last visible set is liable.
    pao: YakuSet = YakuSet::of(Yaku::Daisangen).with(Yaku::Daisuushii, true);
    /// For how much of a hand a liable player pays.
    pao_scope: PaoScope = PaoScope::WholeHand;
    /// Who pays for the counters when a liable player and a discarder share.
    pao_ron_honba: PaoRonHonba = PaoRonHonba::Pao;
    /// Whether concealed quads count among the visible sets.
    pao_counts_ankan: bool = false;
    /// What a liable player pays for a self-draw in a game of three.
    pao_tsumo_total: PaoTsumoTotal = PaoTsumoTotal::SameAsTsumo;
    /// Whether the feeder of an open quad pays a win on its replacement tile alone.
    daiminkan_pao: bool = false;

    /// Points for each counter at a ron.
    honba_ron: i32 = 300;
    /// Points for each counter from each payer at a self-draw.
    honba_tsumo: i32 = 100;
    /// Points that those who are not tenpai pay together at an exhaustive draw.
    noten_pool: i32 = 3000;

    /// When the dealer deals again.
    renchan: Renchan = Renchan::WinOrTenpai;
    /// What becomes of the counters when the deal passes after a draw.
    honba_on_rotating_draw: HonbaOnRotatingDraw = HonbaOnRotatingDraw::Increment;
    /// Whether a dealer who has won the last hand can end the game.
    agari_yame: Yame = Yame::Auto;
    /// Whether a dealer who is tenpai at a draw of the last hand can end the game.
    tenpai_yame: Yame = Yame::Auto;
    /// On what condition the dealer of the last hand ends the game.
    yame_condition: YameCondition = YameCondition::FirstWithTarget;
    /// When the game ends because somebody has lost his points.
    tobi: Tobi = Tobi::BelowZero;
    /// How the game goes on after its last hand when nobody has the target.
    extension: Extension = Extension::RenchanFirst;
    /// For how many rounds of winds it goes on; none: without limit.
    extension_rounds: Maybe = Maybe(Some(1));

    /// What North is where there is no North seat.
    north: North = North::GuestWind;
    /// Whether a North set aside can be robbed.
    kita_rob: bool = true;
    /// Whether a win on the replacement tile of a North set aside has the yaku of replacement tiles.
    kita_rinshan_yaku: bool = true;
    /// How a self-draw is paid in games of fewer than four.
    tsumo_split: TsumoSplit = TsumoSplit::Loss;
}

/// Rules that contradict each other or that no game can be played with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`: {what}")]
pub struct Contradiction {
    /// The field that is to blame first.
    pub field: &'static str,
    /// What is wrong, with the values found and expected.
    pub what: String,
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

    /// Whether a game can be played with these rules.
    ///
    /// # Errors
    ///
    /// The first pair of fields that contradict each other, or the first value out of range.
    pub fn check(&self) -> Result<(), Contradiction> {
        let players = usize::from(self.players.count());
        let three_player_wall = matches!(self.wall_layout, WallLayout::Tenhou3p | WallLayout::MahjongSoul3p);
        let few_tiles = self.tiles == TileKinds::ThreePlayer;
        let yame = self.agari_yame != Yame::Off || self.tenpai_yame != Yame::Off;
        let needs_target = self.extension != Extension::None
            || yame && self.yame_condition == YameCondition::FirstWithTarget;
        let pool_splits = (1..players as i32).all(|n| self.noten_pool % (100 * n) == 0);
        let pao_yaku = YakuSet::of(Yaku::Daisangen).with(Yaku::Daisuushii, true).with(Yaku::Suukantsu, true);
        let hundreds = [self.start_points, self.return_points, self.honba_ron, self.honba_tsumo];
        let checks: &[(bool, &'static str, &str)] = &[
            (few_tiles && players == 4, "tiles", "ThreePlayer tiles are for two or three players"),
            (
                few_tiles != three_player_wall,
                "wall_layout",
                "the layouts Tenhou3p and MahjongSoul3p go with tiles = \"ThreePlayer\", the others with \"Full\"",
            ),
            (self.aka.by_suit().iter().any(|n| *n > 4), "aka", "a suit has four fives"),
            (few_tiles && self.aka.m > 0, "aka", "ThreePlayer tiles have no 5m"),
            (self.uma.as_slice().len() != players, "uma", "expected as many numbers as players"),
            (hundreds.iter().any(|points| points % 100 != 0), "start_points", "points go in hundreds"),
            (
                needs_target && self.target.0.is_none(),
                "target",
                "an extension, and a dealer who ends the game with the target, need target points",
            ),
            (!matches!(self.wind_rounds, 0 | 1 | 2 | 4), "wind_rounds", "expected 0, 1, 2 or 4"),
            (!(1..=3).contains(&self.max_ron), "max_ron", "expected 1, 2 or 3"),
            (
                self.max_ron == 1 && self.triple_ron == TripleRon::Abort,
                "triple_ron",
                "Abort needs max_ron of 2 or 3; with max_ron = 1 use HeadBump",
            ),
            (self.max_ron < 3 && self.triple_ron == TripleRon::Pay, "triple_ron", "Pay needs max_ron = 3"),
            (
                !pool_splits,
                "noten_pool",
                "expected a number of points that any number of tenpai players can share in hundreds",
            ),
            (
                self.double_wind_pair_fu != 2 && self.double_wind_pair_fu != 4,
                "double_wind_pair_fu",
                "expected 2 or 4",
            ),
            (!matches!(self.pinfu_tsumo.0, None | Some(20)), "pinfu_tsumo", "expected 20 or \"none\""),
            (
                self.pao.intersection(pao_yaku) != self.pao,
                "pao",
                "expected some of daisangen, daisuushii, suukantsu",
            ),
            (self.max_yakuman.0.is_some_and(|n| n < 1), "max_yakuman", "expected at least 1 or \"none\""),
            (
                self.extension_rounds.0.is_some_and(|n| n < 1),
                "extension_rounds",
                "expected at least 1 or \"none\"; for no extension use extension = \"None\"",
            ),
            (self.min_yaku == 0, "min_yaku", "expected at least 1"),
            (self.tsumo_split == TsumoSplit::Full && players != 2, "tsumo_split", "Full is for two players"),
            (
                self.north == North::Nukidora && !three_player_wall,
                "north",
                "Nukidora needs a wall layout with eight replacement tiles",
            ),
            (self.kan_ura && !self.ura, "kan_ura", "needs ura"),
        ];
        match checks.iter().find(|(wrong, ..)| *wrong) {
            Some((_, field, what)) => Err(Contradiction { field, what: (*what).to_owned() }),
            None => Ok(()),
        }
    }
}
