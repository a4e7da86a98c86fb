//! The yaku, their names and their values.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::bit_set::bit_set;

/// Defines [`Yaku`] with its table of names and values.
macro_rules! yaku {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $value:expr;)*) => {
        /// A yaku or yakuman.
        ///
        /// Lists of yaku are in this order.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        pub enum Yaku {
            $($(#[$doc])* $variant,)*
        }

        const TABLE: &[(Yaku, &str, YakuValue)] = &[$((Yaku::$variant, $name, $value),)*];
    };
}

/// The value of a yaku.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum YakuValue {
    /// Han in a closed and in an open hand; 0 if the hand must be closed.
    Han(u8, u8),
    /// Han fixed by the rules.
    ByRules,
    /// A yakuman.
    Yakuman,
    /// A yakuman that the rules may count twice.
    DoubleYakuman,
    /// A yakuman that always counts twice.
    TwoYakuman,
}

use YakuValue::{ByRules, DoubleYakuman, Han, TwoYakuman, Yakuman};

yaku! {
    /// Riichi.
    Riichi = "riichi", Han(1, 0);
    /// Riichi with the first discard, without any call or kan before it. Counts instead of riichi.
    DoubleRiichi = "double-riichi", Han(2, 0);
    /// A win after riichi before the player's next discard, without any call or kan in between.
    Ippatsu = "ippatsu", Han(1, 0);
    /// Tsumo with a closed hand.
    MenzenTsumo = "menzen-tsumo", Han(1, 0);
    /// Four sequences, a pair without fu and a two-sided wait, in a closed hand.
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
    /// A triplet of the seat wind.
    SeatWind = "seat-wind", Han(1, 1);
    /// A triplet of the round wind.
    RoundWind = "round-wind", Han(1, 1);
    /// A triplet of North, if the rules make it a yaku for every player.
    NorthWind = "north-wind", Han(1, 1);
    /// Tsumo on the last live tile.
    Haitei = "haitei", Han(1, 1);
    /// Ron on the last discard.
    Houtei = "houtei", Han(1, 1);
    /// Tsumo on a replacement tile.
    Rinshan = "rinshan", Han(1, 1);
    /// Ron on the tile of a kan.
    Chankan = "chankan", Han(1, 1);
    /// The same sequence in three suits.
    SanshokuDoujun = "sanshoku-doujun", Han(2, 1);
    /// 123, 456 and 789 of one suit.
    Ittsuu = "ittsuu", Han(2, 1);
    /// A yaochuu in every set and in the pair, with an honour and a sequence.
    Chanta = "chanta", Han(2, 1);
    /// Seven different pairs.
    Chiitoitsu = "chiitoitsu", Han(2, 0);
    /// Four triplets.
    Toitoi = "toitoi", Han(2, 2);
    /// Three concealed triplets.
    Sanankou = "sanankou", Han(2, 2);
    /// Three kans.
    Sankantsu = "sankantsu", Han(2, 2);
    /// The same triplet in three suits.
    SanshokuDoukou = "sanshoku-doukou", Han(2, 2);
    /// Only yaochuu.
    Honroutou = "honroutou", Han(2, 2);
    /// Two triplets of dragons and a pair of the third.
    Shousangen = "shousangen", Han(2, 2);
    /// One suit, and honours.
    Honitsu = "honitsu", Han(3, 2);
    /// A terminal in every set and in the pair, with a sequence.
    Junchan = "junchan", Han(3, 2);
    /// Two pairs of identical sequences.
    Ryanpeikou = "ryanpeikou", Han(3, 0);
    /// One suit.
    Chinitsu = "chinitsu", Han(6, 5);
    /// A ron before the player's first draw, without any call or kan before it.
    Renhou = "renhou", ByRules;
    /// The dealer's win with the dealt tiles.
    Tenhou = "tenhou", Yakuman;
    /// Tsumo with the first draw, without any call or kan before it.
    Chiihou = "chiihou", Yakuman;
    /// [`Yaku::Renhou`] as a yakuman.
    RenhouYakuman = "renhou-yakuman", Yakuman;
    /// Thirteen orphans: one of each yaochuu kind, and one more.
    Kokushi = "kokushi", Yakuman;
    /// Thirteen orphans with a wait for all thirteen kinds.
    Kokushi13 = "kokushi-13", DoubleYakuman;
    /// Four concealed triplets.
    Suuankou = "suuankou", Yakuman;
    /// Four concealed triplets with a wait for the pair.
    SuuankouTanki = "suuankou-tanki", DoubleYakuman;
    /// Three triplets of dragons.
    Daisangen = "daisangen", Yakuman;
    /// Three triplets of winds and a pair of the fourth.
    Shousuushii = "shousuushii", Yakuman;
    /// Four triplets of winds.
    Daisuushii = "daisuushii", DoubleYakuman;
    /// Only honours.
    Tsuuiisou = "tsuuiisou", Yakuman;
    /// Only terminals.
    Chinroutou = "chinroutou", Yakuman;
    /// Only green tiles.
    Ryuuiisou = "ryuuiisou", Yakuman;
    /// 1112345678999 of one suit, and one more of the suit.
    Chuuren = "chuuren", Yakuman;
    /// 1112345678999 of one suit with a wait for any tile of the suit.
    JunseiChuuren = "junsei-chuuren", DoubleYakuman;
    /// Four kans.
    Suukantsu = "suukantsu", Yakuman;
    /// Riichi with the waits shown. Counts in addition to riichi.
    OpenRiichi = "open-riichi", Han(1, 0);
    /// Local: ron on the discard of a riichi.
    TsubameGaeshi = "tsubame-gaeshi", Han(1, 1);
    /// Local: ron on the discard after a kan.
    Kanburi = "kanburi", Han(1, 1);
    /// Local: four called sets and a wait for the pair.
    ShiiaruRaotai = "shiiaru-raotai", Han(1, 1);
    /// Local: all three suits, a wind and a dragon.
    Uumensai = "uumensai", Han(2, 2);
    /// Local: triplets of three consecutive ranks of one suit.
    Sanrenkou = "sanrenkou", Han(2, 2);
    /// Local: 123, 456 and 789, each in a different suit.
    SanshokuIttsuu = "sanshoku-ittsuu", Han(2, 1);
    /// Local: three identical sequences. Counts instead of iipeikou.
    IsshokuSanjun = "isshoku-sanjun", Han(3, 2);
    /// Local: three triplets of winds.
    Sanpuukou = "sanpuukou", Han(2, 2);
    /// Local: tsumo on the last live tile with 1p. A mangan, counted as five han.
    IipinMouyue = "iipin-mouyue", Han(5, 5);
    /// Local: ron on the last discard with 9p. A mangan, counted as five han.
    ChuupinRaoyui = "chuupin-raoyui", Han(5, 5);
    /// Local: tsumo on a replacement tile with 5p. A mangan, counted as five han.
    UupinKaihou = "uupin-kaihou", Han(5, 5);
    /// Local: ron on the tile of a kan with 2s. A mangan, counted as five han.
    RyanzouChankan = "ryanzou-chankan", Han(5, 5);
    /// A ron with open riichi on the tile of a player who is not in riichi, if the rules make it a
    /// yakuman.
    OpenRiichiYakuman = "open-riichi-yakuman", Yakuman;
    /// Local: triplets of four consecutive ranks of one suit.
    Suurenkou = "suurenkou", Yakuman;
    /// Local: four identical sequences.
    IsshokuYonjun = "isshoku-yonjun", Yakuman;
    /// Local: pairs of 1–7 or 3–9 of one suit.
    Shousharin = "shousharin", Yakuman;
    /// Local: pairs of 2–8 of dots.
    Daisharin = "daisharin", Yakuman;
    /// Local: only characters, with ranks that add up to 100 or more.
    HyakumanGoku = "hyakuman-goku", Yakuman;
    /// Local: only 1579s and red dragons.
    Benikujaku = "benikujaku", Yakuman;
    /// Local: only 23468s and red dragons.
    Kouitten = "kouitten", Yakuman;
    /// Local: only 248p and winds.
    Kokuiisou = "kokuiisou", Yakuman;
    /// Local: double riichi and a win on the last tile.
    IshinoUenimoSannen = "ishino-uenimo-sannen", Yakuman;
    /// Local: a pair and twelve single tiles with the first draw. No two can be part of a sequence.
    Shiisanpuutaa = "shiisanpuutaa", Yakuman;
    /// Local: fourteen single tiles with the first draw. No two can be part of a sequence.
    Shiisuupuutaa = "shiisuupuutaa", Yakuman;
    /// Local: the dealer's eighth win in a row. Draws in between do not interrupt the row.
    Paarenchan = "paarenchan", Yakuman;
    /// Local: seven pairs of honours. Counts instead of tsuuiisou.
    Daichisei = "daichisei", TwoYakuman;
    /// Local: pairs of 2–8 of bamboo.
    Daichikurin = "daichikurin", Yakuman;
    /// Local: pairs of 2–8 of characters.
    Daisuurin = "daisuurin", Yakuman;
    /// A triplet of the wind opposite to the round wind, if the rules make it a round wind, too.
    OppositeWind = "opposite-wind", Han(1, 1);
}

impl Yaku {
    /// All yaku in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Yaku> + ExactSizeIterator {
        TABLE.iter().map(|row| row.0)
    }

    /// The place in the list.
    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    /// The name in datasets and output: lower case with hyphens.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// The value of the yaku.
    pub fn value(self) -> YakuValue {
        TABLE[self as usize].2
    }

    /// Whether the yaku is a yakuman.
    pub const fn is_yakuman(self) -> bool {
        YakuSet::YAKUMAN.contains(self)
    }

    /// Whether the yaku is local: it counts only if the rules name it.
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
#[must_use]
pub struct YakuSet(u128);

impl YakuSet {
    /// All yakuman.
    pub const YAKUMAN: YakuSet = YakuSet(
        YakuSet::from_to(Yaku::Tenhou, Yaku::Suukantsu).0
            | YakuSet::from_to(Yaku::OpenRiichiYakuman, Yaku::Daisuurin).0,
    );
    /// The local yaku and yakuman, which count only if the rules name them.
    pub const LOCAL: YakuSet = YakuSet(
        YakuSet::from_to(Yaku::TsubameGaeshi, Yaku::RyanzouChankan).0
            | YakuSet::from_to(Yaku::Suurenkou, Yaku::Daisuurin).0,
    );

    /// Yaku with han that few rules have: open riichi, local yaku and the opposite wind.
    const RARE: YakuSet =
        YakuSet::from_to(Yaku::OpenRiichi, Yaku::RyanzouChankan).with(Yaku::OppositeWind, true);

    /// The yaku from `first` to `last` in the list.
    const fn from_to(first: Yaku, last: Yaku) -> YakuSet {
        YakuSet((2 << last as u8) - (1 << first as u8))
    }

    /// Adds a yaku if `holds`.
    #[inline]
    pub const fn with(self, yaku: Yaku, holds: bool) -> YakuSet {
        YakuSet(self.0 | (holds as u128) << yaku as u8)
    }

    /// The sum of the han of the yaku. Yaku whose han the rules set, and yakuman, add nothing.
    #[inline]
    pub(crate) fn han(self, closed: bool) -> u8 {
        let bytes = (self.0 as u64).to_le_bytes();
        // Bytes 0–3 hold the common yaku, 4 and 5 yakuman, 6 and 7 the rare yaku except the opposite wind.
        let of_byte = |byte: usize| HAN[byte][usize::from(bytes[byte])][usize::from(closed)];
        let common = of_byte(0) + of_byte(1) + of_byte(2) + of_byte(3);
        if (self & YakuSet::RARE).is_empty() {
            return common;
        }
        common + of_byte(6) + of_byte(7) + u8::from(self.contains(Yaku::OppositeWind))
    }
}

bit_set!(YakuSet(u128) of Yaku, "yaku", "yaku", Yaku::index, |bit: u8| TABLE[usize::from(bit)].0);

impl fmt::Debug for YakuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Sums of han for eight neighbouring yaku: by the byte of a set, the value of that byte, and
/// whether the hand is closed.
///
/// Yakuman and yaku with han fixed by the rules add nothing. After the first 64, only the opposite
/// wind has han.
static HAN: [[[u8; 2]; 256]; 8] = {
    let mut table = [[[0; 2]; 256]; 8];
    let mut yaku = 0;
    while yaku < 64 {
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

/// The set has a bit for every yaku, and the table is in the order of the enum.
const _: () = {
    assert!(TABLE.len() <= 128);
    let mut i = 0;
    while i < TABLE.len() {
        assert!(TABLE[i].0 as usize == i);
        i += 1;
    }
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_yaku_can_be_added_twice() {
        let once = YakuSet::EMPTY.with(Yaku::Pinfu, true);
        assert_eq!(once.with(Yaku::Pinfu, true), once);
        assert_eq!(once.with(Yaku::Pinfu, false), once);
        assert_eq!(once | once, once);
    }
}
