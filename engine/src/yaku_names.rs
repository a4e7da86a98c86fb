//! The names of the yaku in other programs and languages.

use std::sync::LazyLock;

use crate::Yaku;

/// What other programs and languages call a yaku. Sites have no name for most local yaku.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct YakuNames {
    /// The number in Tenhou's logs. For a yaku of winds, the number with East; those of South, West and
    /// North follow it.
    pub tenhou: Option<u32>,
    /// The number in Mahjong Soul's records.
    pub mahjong_soul: Option<u32>,
    /// The name in mjai. The three dragons share one, and so do a yakuman and its form with a special
    /// wait, such as [`Yaku::Kokushi`] and [`Yaku::Kokushi13`].
    pub mjai: Option<&'static str>,
    /// The Japanese name, as Tenhou writes it. For a yaku of winds, without the wind.
    pub japanese: &'static str,
    /// The Chinese name.
    pub chinese: &'static str,
    /// Other names in logs: Mahjong Soul's in English, and further ones in all languages.
    pub others: Vec<&'static str>,
}

impl Yaku {
    /// The names of the yaku in other programs and languages.
    ///
    /// ```
    /// use jantaku_engine::Yaku;
    ///
    /// assert_eq!(Yaku::Pinfu.names().japanese, "平和");
    /// assert_eq!(Yaku::all().find(|yaku| yaku.names().tenhou == Some(7)), Some(Yaku::Pinfu));
    /// ```
    pub fn names(self) -> &'static YakuNames {
        &NAMES[self as usize]
    }
}

/// One yaku on each line, in the order of [`Yaku`], after a line of headings. `-` stands for no name.
const TABLE: &str = include_str!("yaku_names.tsv");

static NAMES: LazyLock<Vec<YakuNames>> = LazyLock::new(|| TABLE.lines().skip(1).map(row).collect());

/// The names in a line of the table.
fn row(line: &'static str) -> YakuNames {
    let cells: Vec<_> = line.split('\t').map(|cell| Some(cell).filter(|cell| *cell != "-")).collect();
    let number = |cell: Option<&str>| cell.map(|cell| cell.parse().expect("a number"));
    let [_, tenhou, mahjong_soul, mjai, japanese, chinese, others] = cells[..] else {
        panic!("seven cells: {line}");
    };
    YakuNames {
        tenhou: number(tenhou),
        mahjong_soul: number(mahjong_soul),
        mjai,
        japanese: japanese.expect("a Japanese name"),
        chinese: chinese.expect("a Chinese name"),
        others: others.map_or_else(Vec::new, |others| others.split("; ").collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_yaku_has_its_line() {
        let lines = TABLE.lines().skip(1).map(|line| line.split('\t').next().unwrap_or_default());
        assert!(lines.eq(Yaku::all().map(Yaku::name)));
        assert_eq!(NAMES.len(), Yaku::all().len());
    }
}
