//! The yaku, their names and what they are worth.

use std::fmt;

/// Defines [`Yaku`] with its table of names and values.
macro_rules! yaku {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $worth:expr;)*) => {
        /// A yaku or yakuman.
        ///
        /// The order is the order in which they are listed.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Yaku {
            $($(#[$doc])* $variant,)*
        }

        const TABLE: &[(Yaku, &str, Worth)] = &[$((Yaku::$variant, $name, $worth),)*];
    };
}

/// What a yaku is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// Han in a closed and in an open hand; 0 where the hand must be closed.
    Han(u8, u8),
    /// Han that the rules fix.
    ByRules,
    /// A yakuman.
    Yakuman,
    /// A yakuman that the rules may count twice.
    DoubleYakuman,
    /// Two yakuman.
    TwoYakuman,
}

use Worth::{ByRules, DoubleYakuman, Han, TwoYakuman, Yakuman};

yaku! {
    /// Riichi.
    Riichi = "riichi", Han(1, 0);
    /// Riichi with the first discard while nobody has called; counts instead of riichi.
    DoubleRiichi = "double-riichi", Han(2, 0);
    /// A win before the own next discard after riichi, nobody having called.
    Ippatsu = "ippatsu", Han(1, 0);
    /// Self-draw with a closed hand.
    MenzenTsumo = "menzen-tsumo", Han(1, 0);
    /// Four sequences, a pair without value, a two-sided wait.
    Pinfu = "pinfu", Han(1, 0);
    /// No terminals or honours.
    Tanyao = "tanyao", Han(1, 1);
    /// Two identical sequences.
    Iipeikou = "iipeikou", Han(1, 0);
    /// A triplet of white dragons.
    Haku = "haku", Han(1, 1);
    /// A triplet of green dragons.
    Hatsu = "hatsu", Han(1, 1);
    /// A triplet of red dragons.
    Chun = "chun", Han(1, 1);
    /// A triplet of the own seat's wind.
    SeatWind = "seat-wind", Han(1, 1);
    /// A triplet of the round's wind.
    RoundWind = "round-wind", Han(1, 1);
    /// A triplet of North where the rules make it count for everybody.
    NorthWind = "north-wind", Han(1, 1);
    /// Self-draw of the last tile.
    Haitei = "haitei", Han(1, 1);
    /// A win on the last discard.
    Houtei = "houtei", Han(1, 1);
    /// A win on a replacement tile.
    Rinshan = "rinshan", Han(1, 1);
    /// A win on a tile that was to be added to a pon.
    Chankan = "chankan", Han(1, 1);
    /// The same sequence in three suits.
    SanshokuDoujun = "sanshoku-doujun", Han(2, 1);
    /// 123, 456 and 789 of a suit.
    Ittsuu = "ittsuu", Han(2, 1);
    /// A terminal or honour in every set and the pair.
    Chanta = "chanta", Han(2, 1);
    /// Seven different pairs.
    Chiitoitsu = "chiitoitsu", Han(2, 0);
    /// Four triplets.
    Toitoi = "toitoi", Han(2, 2);
    /// Three concealed triplets.
    Sanankou = "sanankou", Han(2, 2);
    /// Three quads.
    Sankantsu = "sankantsu", Han(2, 2);
    /// The same triplet in three suits.
    SanshokuDoukou = "sanshoku-doukou", Han(2, 2);
    /// Only terminals and honours.
    Honroutou = "honroutou", Han(2, 2);
    /// Two triplets and a pair of dragons.
    Shousangen = "shousangen", Han(2, 2);
    /// One suit and honours.
    Honitsu = "honitsu", Han(3, 2);
    /// A terminal in every set and the pair.
    Junchan = "junchan", Han(3, 2);
    /// Two pairs of identical sequences.
    Ryanpeikou = "ryanpeikou", Han(3, 0);
    /// One suit.
    Chinitsu = "chinitsu", Han(6, 5);
    /// A win on a discard before the own first draw, nobody having called.
    Renhou = "renhou", ByRules;
    /// The dealer's win with the dealt tiles.
    Tenhou = "tenhou", Yakuman;
    /// A win with the first draw, nobody having called.
    Chiihou = "chiihou", Yakuman;
    /// [`Yaku::Renhou`] where the rules make it a yakuman.
    RenhouYakuman = "renhou-yakuman", Yakuman;
    /// Thirteen orphans: one of each terminal and honour and one more of them.
    Kokushi = "kokushi", Yakuman;
    /// Thirteen orphans waiting for any of the thirteen.
    Kokushi13 = "kokushi-13", DoubleYakuman;
    /// Four concealed triplets.
    Suuankou = "suuankou", Yakuman;
    /// Four concealed triplets waiting for the pair.
    SuuankouTanki = "suuankou-tanki", DoubleYakuman;
    /// Three triplets of dragons.
    Daisangen = "daisangen", Yakuman;
    /// Three triplets and a pair of winds.
    Shousuushii = "shousuushii", Yakuman;
    /// Four triplets of winds.
    Daisuushii = "daisuushii", DoubleYakuman;
    /// Only honours.
    Tsuuiisou = "tsuuiisou", Yakuman;
    /// Only terminals.
    Chinroutou = "chinroutou", Yakuman;
    /// Only green tiles.
    Ryuuiisou = "ryuuiisou", Yakuman;
    /// 1112345678999 and one more of the suit.
    Chuuren = "chuuren", Yakuman;
    /// 1112345678999 waiting for any tile of the suit.
    JunseiChuuren = "junsei-chuuren", DoubleYakuman;
    /// Four quads.
    Suukantsu = "suukantsu", Yakuman;
    /// Riichi with the waits shown; counts beside riichi.
    OpenRiichi = "open-riichi", Han(1, 0);
    /// Local: ron on the tile that riichi is declared with.
    TsubameGaeshi = "tsubame-gaeshi", Han(1, 1);
    /// Local: ron on the discard after a quad.
    Kanburi = "kanburi", Han(1, 1);
    /// Local: four claimed sets, waiting for the pair.
    ShiiaruRaotai = "shiiaru-raotai", Han(1, 1);
    /// Local: all three suits, winds and dragons.
    Uumensai = "uumensai", Han(2, 2);
    /// Local: three triplets of a suit in a row.
    Sanrenkou = "sanrenkou", Han(2, 2);
    /// Local: 123, 456 and 789 in three suits.
    SanshokuIttsuu = "sanshoku-ittsuu", Han(2, 1);
    /// Local: three identical sequences; counts instead of two.
    IsshokuSanjun = "isshoku-sanjun", Han(3, 2);
    /// Local: three triplets of winds.
    Sanpuukou = "sanpuukou", Han(2, 2);
    /// Local: self-draw of the last tile, 1p: mangan, counted as five han.
    IipinMouyue = "iipin-mouyue", Han(5, 5);
    /// Local: a win on the last discard, 9p: mangan, counted as five han.
    ChuupinRaoyui = "chuupin-raoyui", Han(5, 5);
    /// Local: a win on a replacement tile, 5p: mangan, counted as five han.
    UupinKaihou = "uupin-kaihou", Han(5, 5);
    /// Local: a win on 2s that was to be added to a pon: mangan, counted as five han.
    RyanzouChankan = "ryanzou-chankan", Han(5, 5);
    /// A win by ron from a player who is not in riichi on an open riichi, where the rules make it one.
    OpenRiichiYakuman = "open-riichi-yakuman", Yakuman;
    /// Local: four triplets of a suit in a row.
    Suurenkou = "suurenkou", Yakuman;
    /// Local: four identical sequences.
    IsshokuYonjun = "isshoku-yonjun", Yakuman;
    /// Local: pairs of 1–7 or of 3–9 of a suit.
    Shousharin = "shousharin", Yakuman;
    /// Local: pairs of 2–8 of dots.
    Daisharin = "daisharin", Yakuman;
    /// Local: only characters, whose numbers add up to a hundred or more.
    HyakumanGoku = "hyakuman-goku", Yakuman;
    /// Local: only 1579s and red dragons.
    Benikujaku = "benikujaku", Yakuman;
    /// Local: only 23468s and red dragons.
    Kouitten = "kouitten", Yakuman;
    /// Local: only 248p and winds.
    Kokuiisou = "kokuiisou", Yakuman;
    /// Local: double riichi and a win on the last tile.
    IshinoUenimoSannen = "ishino-uenimo-sannen", Yakuman;
    /// Local: a pair and twelve single tiles with the first draw, of which no two make up a part of a sequence.
    Shiisanpuutaa = "shiisanpuutaa", Yakuman;
    /// Local: fourteen single tiles with the first draw, of which no two make up a part of a sequence.
    Shiisuupuutaa = "shiisuupuutaa", Yakuman;
    /// Local: the dealer's eighth win in a row; draws between them do not count.
    Paarenchan = "paarenchan", Yakuman;
    /// Local: seven pairs of honours; counts instead of the hand of honours.
    Daichisei = "daichisei", TwoYakuman;
}

impl Yaku {
    /// All of them in order.
    #[must_use]
    pub fn all() -> impl DoubleEndedIterator<Item = Yaku> + ExactSizeIterator {
        TABLE.iter().map(|row| row.0)
    }

    /// The name in datasets and output, lower case with hyphens.
    #[must_use]
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// What it is worth.
    #[must_use]
    pub fn worth(self) -> Worth {
        TABLE[self as usize].2
    }

    /// Whether it is a yakuman.
    #[must_use]
    pub const fn is_yakuman(self) -> bool {
        YakuSet::YAKUMAN.contains(self)
    }

    /// Whether it is one of the local yaku, which count only where the rules name them.
    #[must_use]
    pub const fn is_local(self) -> bool {
        YakuSet::LOCAL.contains(self)
    }
}

impl fmt::Display for Yaku {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of yaku.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct YakuSet(u128);

impl YakuSet {
    /// None.
    pub const EMPTY: YakuSet = YakuSet(0);
    /// All yakuman.
    pub const YAKUMAN: YakuSet = YakuSet::from_to(Yaku::Tenhou, Yaku::Suukantsu)
        .union(YakuSet::from_to(Yaku::OpenRiichiYakuman, Yaku::Daichisei));
    /// The local yaku and yakuman, which count only where the rules name them.
    pub const LOCAL: YakuSet = YakuSet::from_to(Yaku::TsubameGaeshi, Yaku::RyanzouChankan)
        .union(YakuSet::from_to(Yaku::Suurenkou, Yaku::Daichisei));

    /// Those with han that few rules know: open riichi and the local ones.
    const RARE: YakuSet = YakuSet::from_to(Yaku::OpenRiichi, Yaku::RyanzouChankan);

    /// Those from one to another in the list.
    const fn from_to(first: Yaku, last: Yaku) -> YakuSet {
        YakuSet((2 << last as u8) - (1 << first as u8))
    }

    /// The set of one.
    #[must_use]
    #[inline]
    pub const fn of(yaku: Yaku) -> YakuSet {
        YakuSet(1 << yaku as u8)
    }

    /// This set and, if `holds`, one more.
    #[must_use]
    #[inline]
    pub const fn with(self, yaku: Yaku, holds: bool) -> YakuSet {
        YakuSet(self.0 | (holds as u128) << yaku as u8)
    }

    /// Both sets.
    #[must_use]
    #[inline]
    pub const fn union(self, other: YakuSet) -> YakuSet {
        YakuSet(self.0 | other.0)
    }

    /// What is in both.
    #[must_use]
    #[inline]
    pub const fn intersection(self, other: YakuSet) -> YakuSet {
        YakuSet(self.0 & other.0)
    }

    /// What is in this set alone.
    #[must_use]
    #[inline]
    pub const fn without(self, other: YakuSet) -> YakuSet {
        YakuSet(self.0 & !other.0)
    }

    /// Whether it is in the set.
    #[must_use]
    #[inline]
    pub const fn contains(self, yaku: Yaku) -> bool {
        self.0 >> yaku as u8 & 1 != 0
    }

    /// Whether there is none.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Bit k stands for the yaku in place k of the list.
    #[must_use]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The han of all yaku that the rules do not change, yakuman left aside.
    #[inline]
    pub(crate) fn han(self, closed: bool) -> u8 {
        let bytes = (self.0 as u64).to_le_bytes();
        let of_byte = |byte: usize| HAN[byte][usize::from(bytes[byte])][usize::from(closed)];
        let common = of_byte(0) + of_byte(1) + of_byte(2) + of_byte(3);
        if self.intersection(YakuSet::RARE).is_empty() { common } else { common + of_byte(6) + of_byte(7) }
    }

    /// The yaku in order.
    pub fn iter(self) -> impl Iterator<Item = Yaku> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let yaku = TABLE.get(rest.trailing_zeros() as usize)?.0;
            rest &= rest - 1;
            Some(yaku)
        })
    }
}

impl FromIterator<Yaku> for YakuSet {
    fn from_iter<I: IntoIterator<Item = Yaku>>(yaku: I) -> YakuSet {
        yaku.into_iter().fold(YakuSet::EMPTY, |set, yaku| set.with(yaku, true))
    }
}

impl fmt::Debug for YakuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The han of eight neighbouring yaku together, at the byte of a set, its value, and whether the hand is closed; a yakuman and what the
/// rules fix add nothing. No yaku beyond the first 64 has han.
static HAN: [[[u8; 2]; 256]; 8] = {
    let mut table = [[[0; 2]; 256]; 8];
    let mut yaku = 0;
    while yaku < TABLE.len() {
        if let Han(closed, open) = TABLE[yaku].2 {
            let mut byte = 0;
            while byte < 256 {
                if byte >> (yaku % 8) & 1 != 0 {
                    table[yaku / 8][byte][0] += open;
                    table[yaku / 8][byte][1] += closed;
                }
                byte += 1;
            }
        }
        yaku += 1;
    }
    table
};

/// A bit for each yaku fits, and the table is in the order of the enum.
const _: () = {
    assert!(TABLE.len() <= 128);
    let mut i = 0;
    while i < TABLE.len() {
        assert!(TABLE[i].0 as usize == i);
        i += 1;
    }
};
