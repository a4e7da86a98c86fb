//! Vectors that differ from our answer, with the reason.

/// A vector that differs.
pub(crate) struct Exception {
    pub source: &'static str,
    /// A part of its name that is unique in the source.
    pub vector: &'static str,
    /// The rule behind the difference.
    pub reason: &'static str,
    /// Our answer.
    pub ours: &'static str,
}

const CONTRADICTION: &str = "circumstances that exclude each other are an error there; here \
    `jantaku hand` rejects them before scoring, and a `Win` cannot express some";
const DAICHISEI: &str = "local yaku: seven pairs of honours count twice";
const DEALT: &str = "a dealt hand has no winning tile, so the best choice counts";
const NAGASHI: &str = "nagashi mangan is a payment at a draw here, not a hand";
const NO_LIMIT: &str = "no limits (aotenjou): yakuman add to other yaku";
const OPEN_RIICHI: &str = "local yaku: open riichi, a yakuman for a deal-in";
const PAARENCHAN: &str = "local yaku: the eighth win of a dealer in a row";
const PAO_HONBA: &str = "the liable player pays all honba of a tsumo, though others pay the rest";
const TENHOU_OF_SOUTH: &str = "the vector calls South's first draw tenhou";
const THREE_TILES: &str = "the vector omits the fourth tile of a kan";

pub(crate) static EXCEPTIONS: &[Exception] = &[
    Exception {
        source: "kobalab tests",
        vector: "和了役: 天和",
        reason: TENHOU_OF_SOUTH,
        ours: "chiihou: 1 yakuman, -16000 32000 -8000 -8000",
    },
    Exception {
        source: "kobalab tests",
        vector: "放銃者なし、関連役満のみ責任払い",
        reason: PAO_HONBA,
        ours: "daisuushii tsuuiisou: 3 yakuman, -16000 97300 -72300 -8000",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_aotenjou_kokushi_ron 0",
        reason: NO_LIMIT,
        ours: "kokushi-13: 1 yakuman, 48000 -48000 0 0",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_chuuren_poutou_inner 1",
        reason: NO_LIMIT,
        ours: "junsei-chuuren: 2 yakuman, 96000 -32000 -32000 -32000",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_suukantsu 2",
        reason: NO_LIMIT,
        ours: "suukantsu: 1 yakuman, 48000 -16000 -16000 -16000",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_ryuisou 3",
        reason: NO_LIMIT,
        ours: "ryuuiisou: 1 yakuman, 48000 -16000 -16000 -16000",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_aotenjou_kokushi_with_dora 4",
        reason: NO_LIMIT,
        ours: "kokushi-13: 2 yakuman, 96000 -96000 0 0",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_fix_not_correct_kan_handling 5",
        reason: THREE_TILES,
        ours: "toitoi: 2 han 60 fu, -3900 0 0 3900",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_rinshan_without_tsumo 9",
        reason: CONTRADICTION,
        ours: "rinshan: 1 han 40 fu, -1300 0 0 1300",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_haitei_with_rinshan 10",
        reason: CONTRADICTION,
        ours: "haitei menzen-tsumo: 2 han 30 fu, -1000 -500 -500 2000",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_tenhou_not_as_dealer 12",
        reason: CONTRADICTION,
        ours: "tenhou: 1 yakuman, 48000 -16000 -16000 -16000",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_chiihou_as_dealer 15",
        reason: CONTRADICTION,
        ours: "tenhou: 1 yakuman, 48000 -16000 -16000 -16000",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_chiihou_without_tsumo 16",
        reason: CONTRADICTION,
        ours: "renhou: 5 han 40 fu, -8000 0 0 8000",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_renhou_with_tsumo 19",
        reason: CONTRADICTION,
        ours: "chiihou: 1 yakuman, -16000 -8000 -8000 32000",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_renhou_with_meld 20",
        reason: CONTRADICTION,
        ours: "renhou: 5 han 50 fu, -8000 0 0 8000",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_is_open_riichi 30",
        reason: OPEN_RIICHI,
        ours: "riichi: 1 han 40 fu, -1300 0 0 1300",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_is_nagashi_mangan 31",
        reason: NAGASHI,
        ours: "no win",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_is_tsuisou_and_daichisei 83",
        reason: DAICHISEI,
        ours: "tsuuiisou: 1 yakuman, -32000 0 0 32000",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_kokushi_musou_multiple_yakuman 93",
        reason: DEALT,
        ours: "kokushi-13 tenhou: 3 yakuman, 144000 -48000 -48000 -48000",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_kokushi_musou_multiple_yakuman 99",
        reason: OPEN_RIICHI,
        ours: "kokushi-13 renhou-yakuman: 3 yakuman, -96000 0 0 96000",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_is_open_riichi_sashikomi 105",
        reason: OPEN_RIICHI,
        ours: "riichi: 1 han 40 fu, -1300 0 0 1300",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_paarenchan_no_yaku_allowed 108",
        reason: PAARENCHAN,
        ours: "no win",
    },
    Exception {
        source: "python-mahjong",
        vector: "test_kokushi_sashikomi_with_daburu_riichi_and_open_riichi 109",
        reason: OPEN_RIICHI,
        ours: "kokushi-13: 2 yakuman, 96000 -96000 0 0",
    },
];
