//! Tenhou's names of yaku, limits and draws, and Mahjong Soul's names for them.
//!
//! Logs write Tenhou's names, or those of Mahjong Soul in Japanese, English or Chinese. A name is
//! looked up in its plain form ([`plain`]).

use std::collections::HashMap;
use std::sync::LazyLock;

use jantaku_engine::{DrawReason, Limit, Wind, Yaku};

/// The yaku with this number, and the wind that it is for, if it is for one. None for 52–54, the bonus
/// han.
pub(in crate::logs) fn yaku_of_number(number: u32) -> Option<(Yaku, Option<Wind>)> {
    let wind = |first: u32| Some(Wind::ALL[(number - first) as usize]);
    match number {
        10..=13 => Some((Yaku::SeatWind, wind(10))),
        14..=17 => Some((Yaku::RoundWind, wind(14))),
        _ => Yaku::all().find(|yaku| yaku.names().tenhou == Some(number)).map(|yaku| (yaku, None)),
    }
}

/// The Japanese names of the winds.
const WINDS: [&str; 4] = ["東", "南", "西", "北"];

/// The Japanese name of a yaku, in a hand with these winds of seat and round.
pub(in crate::logs) fn yaku_name(yaku: Yaku, [seat, round]: [Wind; 2]) -> String {
    let name = yaku.names().japanese;
    match yaku {
        Yaku::SeatWind => format!("{name} {}", WINDS[seat as usize]),
        Yaku::RoundWind => format!("{name} {}", WINDS[round as usize]),
        Yaku::OppositeWind => format!("{name} {}", WINDS[round.opposite() as usize]),
        _ => name.to_owned(),
    }
}

/// Forms of characters, each before the one that it becomes in a plain name: simplified, traditional
/// and Japanese forms of one character are the same.
const FORMS: &str = "门門枪槍抢搶杠槓岭嶺开開捞撈鱼魚带帯帶帯气気氣気贯貫顺順对対對対头頭纯純发発發発\
    绿緑綠緑國国无無雙双莲蓮寶宝灯燈单単單単骑騎东東风風场場满満滿満數数计計听聴聽聴员員间間赛賽\
    战戦戰戦會会里裏裡裏红紅斷断么幺杯盃连連庄荘莊荘两両兩両种種齐斉齊斉车車點点拔抜铜銅银銀闲閑閒閑\
    翻飜番飜悬懸赏賞";

/// A name without spaces and marks, in lower case, in narrow letters, and in one form of each
/// character.
pub(in crate::logs) fn plain(name: &str) -> String {
    name.chars().map(plain_character).filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The narrow form of a letter, digit or mark, and one form of each character.
pub(in crate::logs) fn plain_character(c: char) -> char {
    const WIDE: std::ops::RangeInclusive<char> = '\u{FF01}'..='\u{FF5E}';
    if WIDE.contains(&c) {
        return char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c);
    }
    FORM_OF.get(&c).copied().unwrap_or(c)
}

/// Maps each character in [`FORMS`] to the one that replaces it.
static FORM_OF: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    let forms: Vec<char> = FORMS.chars().filter(|c| !c.is_whitespace()).collect();
    forms.as_chunks().0.iter().map(|[form, becomes]| (*form, *becomes)).collect()
});

/// The yaku by plain name and whether it is a yakuman, with our own names ([`Yaku::name`]).
static YAKU_OF: LazyLock<HashMap<(String, bool), Yaku>> =
    LazyLock::new(|| all_names().map(|(yaku, name)| ((plain(name), yaku.is_yakuman()), yaku)).collect());

/// Each yaku with each of its names. Those of the round wind also stand for the opposite wind.
fn all_names() -> impl Iterator<Item = (Yaku, &'static str)> {
    Yaku::all().filter(|yaku| *yaku != Yaku::OppositeWind).flat_map(|yaku| {
        let names = yaku.names();
        let main = [names.japanese, names.chinese, yaku.name()];
        main.into_iter().chain(names.others.iter().copied()).map(move |name| (yaku, name))
    })
}

/// The yaku with this name, and the wind that follows the name. `is_yakuman` decides between two yaku of
/// one name.
pub(in crate::logs) fn yaku_named(name: &str, is_yakuman: bool) -> Option<(Yaku, Option<Wind>)> {
    let find = |name: &str| {
        let by_value = |is_yakuman| YAKU_OF.get(&(name.to_owned(), is_yakuman)).copied();
        by_value(is_yakuman).or_else(|| by_value(!is_yakuman))
    };
    let name = plain(name);
    let with_wind = || {
        let index = WINDS.iter().position(|wind| name.ends_with(wind))?;
        let yaku = find(name.strip_suffix(WINDS[index])?);
        let yaku = yaku.filter(|yaku| matches!(yaku, Yaku::SeatWind | Yaku::RoundWind))?;
        Some((yaku, Some(Wind::ALL[index])))
    };
    find(&name).map(|yaku| (yaku, None)).or_else(with_wind)
}

/// The names of bonus han: dora with Norths set aside, ura dora, red fives.
const BONUS: [&[&str]; 3] = [
    &["ドラ", "抜きドラ", "北ドラ", "Dora", "Kita", "Nukidora", "宝牌", "拔北宝牌", "懸賞牌", "拔北懸賞牌"],
    &["裏ドラ", "Ura Dora", "里宝牌", "裡懸賞牌"],
    &["赤ドラ", "Red Five", "Red Fives", "Red Dora", "Aka Dora", "红宝牌", "赤宝牌", "紅懸賞牌", "赤懸賞牌"],
];

/// The index of bonus han with this name: 0 for dora, 1 for ura dora, 2 for red fives.
pub(in crate::logs) fn bonus_named(name: &str) -> Option<usize> {
    let name = plain(name);
    BONUS.iter().position(|names| names.iter().any(|known| plain(known) == name))
}

/// The limits in the order of their numbers, which Tenhou and Mahjong Soul share.
pub(in crate::logs) const NUMBERED_LIMITS: [Limit; 6] =
    [Limit::None, Limit::Mangan, Limit::Haneman, Limit::Baiman, Limit::Sanbaiman, Limit::Yakuman];

/// The names of the limits, Tenhou's first. Logs may write a prefix before them: for counted and multiple
/// yakuman, or a mangan that is rounded up. 三倍満 comes before 倍満, with which it ends.
const LIMITS: [(Limit, &[&str]); 5] = [
    (Limit::Mangan, &["満貫", "Mangan"]),
    (Limit::Haneman, &["跳満", "Haneman"]),
    (Limit::Sanbaiman, &["三倍満", "Sanbaiman"]),
    (Limit::Baiman, &["倍満", "Baiman"]),
    (Limit::Yakuman, &["役満", "Yakuman"]),
];

/// The limit with this name.
pub(in crate::logs) fn limit_named(name: &str) -> Option<Limit> {
    let name = plain(name);
    let is_it = |known: &&str| name.ends_with(&plain(known));
    LIMITS.iter().find(|(_, names)| names.iter().any(&is_it)).map(|(limit, _)| *limit)
}

/// Tenhou's name of a limit. None below mangan.
pub(in crate::logs) fn limit_name(limit: Limit) -> Option<&'static str> {
    LIMITS.iter().find(|(known, _)| *known == limit).map(|(_, names)| names[0])
}

/// The names of the draws: Tenhou's first, the values of the attribute `type` of mjlog last.
const DRAWS: [(DrawReason, &[&str]); 7] = [
    (DrawReason::Exhaustive, &["流局", "荒牌流局", "荒牌平局", "Ryuukyoku", "Ryukyoku", "Exhaustive Draw"]),
    (DrawReason::Nagashi, &["流し満貫", "流局满贯", "Nagashi Mangan", "Mangan at Draw", "nm"]),
    (DrawReason::KyuushuKyuuhai, &["九種九牌", "Kyuushu Kyuuhai", "Nine Terminal Abortion", "yao9"]),
    (DrawReason::FourWinds, &["四風連打", "四風子連打", "Suufon Renda", "Four Wind Abortion", "kaze4"]),
    (DrawReason::FourRiichi, &["四家立直", "Suucha Riichi", "Four Riichi Abortion", "reach4"]),
    (DrawReason::FourKans, &["四槓散了", "四開槓", "四杠流局", "Suukaikan", "Four Kan Abortion", "kan4"]),
    (DrawReason::TripleRon, &["三家和了", "三家和", "三家和牌", "Sanchahou", "Three Ron Abortion", "ron3"]),
];

/// The draw with this name.
pub(in crate::logs) fn draw_named(name: &str) -> Option<DrawReason> {
    let name = plain(name);
    let is_it = |names: &[&str]| names.iter().any(|known| plain(known) == name);
    DRAWS.iter().find(|(_, names)| is_it(names)).map(|(reason, _)| *reason)
}

/// Tenhou's name of a draw.
pub(in crate::logs) fn draw_name(reason: DrawReason) -> &'static str {
    DRAWS.iter().find(|(known, _)| *known == reason).map_or("流局", |(_, names)| names[0])
}

/// Whether a result with this name is a win.
pub(in crate::logs) fn is_win(name: &str) -> bool {
    ["和了", "和牌", "胡牌", "agari"].contains(&plain(name).as_str())
}

/// The names of Mahjong Soul's rooms, as they are part of longer names. All rooms of its ladder end
/// with 間 in Japanese and Chinese, and with Room in English.
const MAHJONG_SOUL: &str = "間,友人戦,友人場,大会戦,大会室,大会場,比賽場,休閑場,段位戦,段位場,Room,Friendly,\
    Tounament,Tournament,Casual Match";

/// Whether the name of a room is one of Mahjong Soul's.
pub(in crate::logs) fn is_mahjong_soul(room: &str) -> bool {
    let room = plain(room);
    MAHJONG_SOUL.split(',').any(|known| room.contains(&plain(known)))
}

/// Whether a text is made of Tenhou's marks of rooms and rules alone, such as 鳳南喰赤速.
pub(in crate::logs) fn is_tenhou(room: &str) -> bool {
    let is_mark = |c: char| c.is_ascii_digit() || "三四般上特鳳若銀琥孔雀荘技能祝東南喰赤速".contains(c);
    let room: String = room.chars().map(plain_character).filter(|c| c.is_alphanumeric()).collect();
    room.chars().all(is_mark) && room.contains(['東', '南', '喰', '赤'])
}

/// Tenhou's grades by number.
const GRADES: &str = "新人 ９級 ８級 ７級 ６級 ５級 ４級 ３級 ２級 １級 初段 二段 三段 四段 五段 六段 七段 八段 \
    九段 十段 天鳳位";

/// Tenhou's name of the grade with this number.
pub(in crate::logs) fn grade_of_number(number: usize) -> Option<&'static str> {
    GRADES.split(' ').nth(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_all_writings() {
        for (name, is_yakuman, yaku) in [
            ("役牌：自風牌", false, Yaku::SeatWind),
            ("自风", false, Yaku::SeatWind),
            ("ｏｐｅｎ　ｒｉｉｃｈｉ", false, Yaku::OpenRiichi),
            ("HALF FLUSH", false, Yaku::Honitsu),
            ("役牌 发", false, Yaku::Hatsu),
            ("国士無双１３面", true, Yaku::Kokushi13),
            ("纯正九莲宝灯", true, Yaku::JunseiChuuren),
            ("人和", true, Yaku::RenhouYakuman),
            ("人和", false, Yaku::Renhou),
        ] {
            assert_eq!(yaku_named(name, is_yakuman), Some((yaku, None)), "{name}");
        }
        assert_eq!(yaku_named("自风 东", false), Some((Yaku::SeatWind, Some(Wind::East))));
        assert_eq!(yaku_named("役牌 北", false), Some((Yaku::NorthWind, None)));
        assert_eq!([yaku_named("混一", false), yaku_named("立直東", false)], [None, None]);
        assert_eq!(
            [limit_named("Counted Yakuman "), limit_named("三倍满")],
            [Some(Limit::Yakuman), Some(Limit::Sanbaiman)]
        );
        assert_eq!(
            [bonus_named("裡宝牌"), bonus_named("裏寶牌"), bonus_named("裏")],
            [Some(1), Some(1), None]
        );
    }

    #[test]
    fn no_two_yaku_share_a_name() {
        let mut names = HashMap::new();
        for (yaku, name) in all_names() {
            let before = names.insert((plain(name), yaku.is_yakuman()), yaku);
            assert!(before.is_none_or(|before| before == yaku), "{name}: {before:?} and {yaku:?}");
        }
    }

    #[test]
    fn every_form_becomes_one_that_stays() {
        assert!(FORM_OF.values().all(|form| plain_character(*form) == *form));
    }
}
