//! Tenhou's numbers and names of yaku, limits and draws, and Mahjong Soul's names for them.
//!
//! Logs write Tenhou's names, or those of Mahjong Soul in Japanese, English or Chinese. A name is
//! looked up in its plain form ([`plain`]). So Chinese names need an entry only where the words
//! differ.

use std::collections::HashMap;
use std::sync::LazyLock;

use jantaku_engine::{DrawReason, Limit, Wind, Yaku};

/// The wind of a yaku number, for the yaku of seat wind and round wind.
pub(in crate::logs) fn wind_of_number(number: u32) -> Option<(Yaku, Wind)> {
    let wind = |index: u32| Wind::ALL[index as usize];
    match number {
        10..=13 => Some((Yaku::SeatWind, wind(number - 10))),
        14..=17 => Some((Yaku::RoundWind, wind(number - 14))),
        _ => None,
    }
}

/// The yaku with this number. None for 52–54, the bonus han.
pub(in crate::logs) fn yaku_of_number(number: u32) -> Option<Yaku> {
    let yaku = match number {
        0 => Yaku::MenzenTsumo,
        1 => Yaku::Riichi,
        2 => Yaku::Ippatsu,
        3 => Yaku::Chankan,
        4 => Yaku::Rinshan,
        5 => Yaku::Haitei,
        6 => Yaku::Houtei,
        7 => Yaku::Pinfu,
        8 => Yaku::Tanyao,
        9 => Yaku::Iipeikou,
        10..=13 => Yaku::SeatWind,
        14..=17 => Yaku::RoundWind,
        18 => Yaku::Haku,
        19 => Yaku::Hatsu,
        20 => Yaku::Chun,
        21 => Yaku::DoubleRiichi,
        22 => Yaku::Chiitoitsu,
        23 => Yaku::Chanta,
        24 => Yaku::Ittsuu,
        25 => Yaku::SanshokuDoujun,
        26 => Yaku::SanshokuDoukou,
        27 => Yaku::Sankantsu,
        28 => Yaku::Toitoi,
        29 => Yaku::Sanankou,
        30 => Yaku::Shousangen,
        31 => Yaku::Honroutou,
        32 => Yaku::Ryanpeikou,
        33 => Yaku::Junchan,
        34 => Yaku::Honitsu,
        35 => Yaku::Chinitsu,
        36 => Yaku::Renhou,
        37 => Yaku::Tenhou,
        38 => Yaku::Chiihou,
        39 => Yaku::Daisangen,
        40 => Yaku::Suuankou,
        41 => Yaku::SuuankouTanki,
        42 => Yaku::Tsuuiisou,
        43 => Yaku::Ryuuiisou,
        44 => Yaku::Chinroutou,
        45 => Yaku::Chuuren,
        46 => Yaku::JunseiChuuren,
        47 => Yaku::Kokushi,
        48 => Yaku::Kokushi13,
        49 => Yaku::Daisuushii,
        50 => Yaku::Shousuushii,
        51 => Yaku::Suukantsu,
        _ => return None,
    };
    Some(yaku)
}

/// The Japanese names of the yaku. Logs write the wind after those of seat wind and round wind.
const YAKU: [(Yaku, &str); 48] = {
    use Yaku::{
        Chankan, Chanta, Chiihou, Chiitoitsu, Chinitsu, Chinroutou, Chun, Chuuren, Daisangen, Daisuushii,
        DoubleRiichi, Haitei, Haku, Hatsu, Honitsu, Honroutou, Houtei, Iipeikou, Ippatsu, Ittsuu, Junchan,
        JunseiChuuren, Kokushi, Kokushi13, MenzenTsumo, NorthWind, Pinfu, Renhou, RenhouYakuman, Riichi,
        Rinshan, RoundWind, Ryanpeikou, Ryuuiisou, Sanankou, Sankantsu, SanshokuDoujun, SanshokuDoukou,
        SeatWind, Shousangen, Shousuushii, Suuankou, SuuankouTanki, Suukantsu, Tanyao, Tenhou, Toitoi,
        Tsuuiisou,
    };
    [
        (Riichi, "立直"),
        (DoubleRiichi, "両立直"),
        (Ippatsu, "一発"),
        (MenzenTsumo, "門前清自摸和"),
        (Pinfu, "平和"),
        (Tanyao, "断幺九"),
        (Iipeikou, "一盃口"),
        (Haku, "役牌 白"),
        (Hatsu, "役牌 發"),
        (Chun, "役牌 中"),
        (SeatWind, "自風"),
        (RoundWind, "場風"),
        (NorthWind, "役牌 北"),
        (Haitei, "海底摸月"),
        (Houtei, "河底撈魚"),
        (Rinshan, "嶺上開花"),
        (Chankan, "槍槓"),
        (SanshokuDoujun, "三色同順"),
        (Ittsuu, "一気通貫"),
        (Chanta, "混全帯幺九"),
        (Chiitoitsu, "七対子"),
        (Toitoi, "対々和"),
        (Sanankou, "三暗刻"),
        (Sankantsu, "三槓子"),
        (SanshokuDoukou, "三色同刻"),
        (Honroutou, "混老頭"),
        (Shousangen, "小三元"),
        (Honitsu, "混一色"),
        (Junchan, "純全帯幺九"),
        (Ryanpeikou, "二盃口"),
        (Chinitsu, "清一色"),
        (Renhou, "人和"),
        (Tenhou, "天和"),
        (Chiihou, "地和"),
        (RenhouYakuman, "人和"),
        (Kokushi, "国士無双"),
        (Kokushi13, "国士無双１３面"),
        (Suuankou, "四暗刻"),
        (SuuankouTanki, "四暗刻単騎"),
        (Daisangen, "大三元"),
        (Shousuushii, "小四喜"),
        (Daisuushii, "大四喜"),
        (Tsuuiisou, "字一色"),
        (Chinroutou, "清老頭"),
        (Ryuuiisou, "緑一色"),
        (Chuuren, "九蓮宝燈"),
        (JunseiChuuren, "純正九蓮宝燈"),
        (Suukantsu, "四槓子"),
    ]
};

/// The Japanese names of the winds.
const WINDS: [&str; 4] = ["東", "南", "西", "北"];

/// The Japanese name of a yaku, in a hand with these winds of seat and round.
pub(in crate::logs) fn yaku_name(yaku: Yaku, [seat, round]: [Wind; 2]) -> String {
    let name = YAKU.iter().find(|(other, _)| *other == yaku).map_or_else(|| yaku.name(), |(_, name)| name);
    match yaku {
        Yaku::SeatWind => format!("{name} {}", WINDS[seat as usize]),
        Yaku::RoundWind => format!("{name} {}", WINDS[round as usize]),
        _ => name.to_owned(),
    }
}

/// Mahjong Soul's Japanese names that differ from Tenhou's, and other usual ones.
const JAPANESE: &[(Yaku, &str)] = &[
    (Yaku::DoubleRiichi, "ダブル立直"),
    (Yaku::DoubleRiichi, "ダブルリーチ"),
    (Yaku::SeatWind, "役牌:自風牌"),
    (Yaku::SeatWind, "役牌:自風"),
    (Yaku::RoundWind, "役牌:場風牌"),
    (Yaku::RoundWind, "役牌:場風"),
    (Yaku::Kokushi13, "国士無双十三面待ち"),
    (Yaku::Kokushi13, "国士無双十三面"),
    (Yaku::Kokushi13, "国士無双13面待ち"),
    (Yaku::TsubameGaeshi, "燕返し"),
    (Yaku::Kanburi, "槓振り"),
    (Yaku::ShiiaruRaotai, "十二落抬"),
    (Yaku::Uumensai, "五門斉"),
    (Yaku::Sanrenkou, "三連刻"),
    (Yaku::IsshokuSanjun, "一色三順"),
    (Yaku::IipinMouyue, "一筒摸月"),
    (Yaku::ChuupinRaoyui, "九筒撈魚"),
    (Yaku::Daisharin, "大車輪"),
    (Yaku::Daichikurin, "大竹林"),
    (Yaku::Daisuurin, "大数隣"),
    (Yaku::IshinoUenimoSannen, "石の上にも三年"),
    (Yaku::Daichisei, "大七星"),
    (Yaku::Paarenchan, "八連荘"),
];

/// Mahjong Soul's English names, older ones included.
const ENGLISH: &[(Yaku, &str)] = &[
    (Yaku::MenzenTsumo, "Fully Concealed Hand"),
    (Yaku::Riichi, "Riichi"),
    (Yaku::DoubleRiichi, "Double Riichi"),
    (Yaku::Ippatsu, "Ippatsu"),
    (Yaku::Pinfu, "Pinfu"),
    (Yaku::Tanyao, "All Simples"),
    (Yaku::Iipeikou, "Pure Double Sequence"),
    (Yaku::Iipeikou, "Pure Double Chow"),
    (Yaku::Iipeikou, "Pure Double Chi"),
    (Yaku::Haku, "White Dragon"),
    (Yaku::Hatsu, "Green Dragon"),
    (Yaku::Chun, "Red Dragon"),
    (Yaku::SeatWind, "Seat Wind"),
    (Yaku::RoundWind, "Prevalent Wind"),
    (Yaku::RoundWind, "Round Wind"),
    (Yaku::Haitei, "Under the Sea"),
    (Yaku::Houtei, "Under the River"),
    (Yaku::Rinshan, "After a Kan"),
    (Yaku::Rinshan, "After a Quad"),
    (Yaku::Chankan, "Robbing a Kan"),
    (Yaku::Chankan, "Robbing a Quad"),
    (Yaku::Chankan, "Robbing the Kan"),
    (Yaku::SanshokuDoujun, "Mixed Triple Sequence"),
    (Yaku::SanshokuDoujun, "Mixed Triple Chow"),
    (Yaku::SanshokuDoujun, "Mixed Triple Chi"),
    (Yaku::Ittsuu, "Pure Straight"),
    (Yaku::Chanta, "Half Outside Hand"),
    (Yaku::Chiitoitsu, "Seven Pairs"),
    (Yaku::Toitoi, "All Triplets"),
    (Yaku::Toitoi, "All Pungs"),
    (Yaku::Sanankou, "Three Concealed Triplets"),
    (Yaku::Sanankou, "Three Concealed Pungs"),
    (Yaku::Sankantsu, "Three Quads"),
    (Yaku::Sankantsu, "Three Kans"),
    (Yaku::SanshokuDoukou, "Triple Triplets"),
    (Yaku::SanshokuDoukou, "Triple Pungs"),
    (Yaku::Honroutou, "All Terminals and Honors"),
    (Yaku::Honroutou, "All Terminals and Honours"),
    (Yaku::Shousangen, "Little Three Dragons"),
    (Yaku::Honitsu, "Half Flush"),
    (Yaku::Junchan, "Fully Outside Hand"),
    (Yaku::Ryanpeikou, "Twice Pure Double Sequence"),
    (Yaku::Ryanpeikou, "Twice Pure Double Chow"),
    (Yaku::Ryanpeikou, "Twice Pure Double Chi"),
    (Yaku::Ryanpeikou, "Twice Pure Double Chis"),
    (Yaku::Chinitsu, "Full Flush"),
    (Yaku::Renhou, "Blessing of Man"),
    (Yaku::Renhou, "Hand of Man"),
    (Yaku::RenhouYakuman, "Blessing of Man"),
    (Yaku::RenhouYakuman, "Hand of Man"),
    (Yaku::Tenhou, "Blessing of Heaven"),
    (Yaku::Chiihou, "Blessing of Earth"),
    (Yaku::Kokushi, "Thirteen Orphans"),
    (Yaku::Kokushi13, "Thirteen-wait Thirteen Orphans"),
    (Yaku::Kokushi13, "Thirteen Wait Orphans"),
    (Yaku::Suuankou, "Four Concealed Triplets"),
    (Yaku::Suuankou, "Four Concealed Pungs"),
    (Yaku::SuuankouTanki, "Single-wait Four Concealed Triplets"),
    (Yaku::SuuankouTanki, "Single-wait Four Concealed Pungs"),
    (Yaku::Daisangen, "Big Three Dragons"),
    (Yaku::Shousuushii, "Four Little Winds"),
    (Yaku::Daisuushii, "Four Big Winds"),
    (Yaku::Tsuuiisou, "All Honors"),
    (Yaku::Tsuuiisou, "All Honours"),
    (Yaku::Chinroutou, "All Terminals"),
    (Yaku::Ryuuiisou, "All Green"),
    (Yaku::Chuuren, "Nine Gates"),
    (Yaku::JunseiChuuren, "True Nine Gates"),
    (Yaku::JunseiChuuren, "Pure Nine Gates"),
    (Yaku::Suukantsu, "Four Quads"),
    (Yaku::Suukantsu, "Four Kans"),
    (Yaku::Daisharin, "Big Wheels"),
    (Yaku::Daichisei, "Big Seven Stars"),
];

/// Chinese names whose words differ from the Japanese ones.
const CHINESE: &[(Yaku, &str)] = &[
    (Yaku::DoubleRiichi, "双立直"),
    (Yaku::SeatWind, "役牌:门风牌"),
    (Yaku::SeatWind, "役牌:门风"),
    (Yaku::SeatWind, "门风"),
    (Yaku::SeatWind, "门风牌"),
    (Yaku::SeatWind, "自风牌"),
    (Yaku::RoundWind, "场风牌"),
    (Yaku::Haitei, "海底捞月"),
    (Yaku::Chankan, "抢杠"),
    (Yaku::Ittsuu, "一气贯通"),
    (Yaku::Toitoi, "对对和"),
    (Yaku::Toitoi, "碰碰和"),
    (Yaku::Kokushi13, "国士无双十三面听"),
    (Yaku::TsubameGaeshi, "燕返"),
    (Yaku::Kanburi, "杠振"),
    (Yaku::IsshokuSanjun, "一色三同顺"),
    (Yaku::IshinoUenimoSannen, "石上三年"),
];

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

/// The yaku by plain name and whether it is a yakuman. Yaku that no table has are written with our
/// own name ([`Yaku::name`]).
static YAKU_OF: LazyLock<HashMap<(String, bool), Yaku>> = LazyLock::new(|| {
    let own = Yaku::all().map(|yaku| (yaku, yaku.name()));
    let all = [&YAKU[..], JAPANESE, ENGLISH, CHINESE].concat().into_iter().chain(own);
    all.map(|(yaku, name)| ((plain(name), yaku.is_yakuman()), yaku)).collect()
});

/// The yaku with this name, and the wind that follows the name.
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

/// The names of the limits, Tenhou's first. Names may have a prefix before the one here: those of
/// counted and multiple yakuman, or of a mangan that is rounded up.
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

/// The names of the draws, Tenhou's first.
const DRAWS: [(DrawReason, &[&str]); 7] = [
    (DrawReason::Exhaustive, &["流局", "荒牌流局", "荒牌平局", "Ryuukyoku", "Ryukyoku", "Exhaustive Draw"]),
    (DrawReason::Nagashi, &["流し満貫", "流局满贯", "Nagashi Mangan", "Mangan at Draw"]),
    (DrawReason::KyuushuKyuuhai, &["九種九牌", "Kyuushu Kyuuhai", "Nine Terminal Abortion"]),
    (DrawReason::FourWinds, &["四風連打", "四風子連打", "Suufon Renda", "Four Wind Abortion"]),
    (DrawReason::FourRiichi, &["四家立直", "Suucha Riichi", "Four Riichi Abortion"]),
    (DrawReason::FourKans, &["四槓散了", "四開槓", "四杠流局", "Suukaikan", "Four Kan Abortion"]),
    (DrawReason::TripleRon, &["三家和了", "三家和", "三家和牌", "Sanchahou", "Three Ron Abortion"]),
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
const MAHJONG_SOUL: [&str; 15] = [
    "間",
    "友人戦",
    "友人場",
    "大会戦",
    "大会室",
    "大会場",
    "比賽場",
    "休閑場",
    "段位戦",
    "段位場",
    "Room",
    "Friendly",
    "Tounament",
    "Tournament",
    "Casual Match",
];

/// Whether the name of a room is one of Mahjong Soul's.
pub(in crate::logs) fn is_mahjong_soul(room: &str) -> bool {
    let room = plain(room);
    MAHJONG_SOUL.iter().any(|known| room.contains(&plain(known)))
}

/// Whether a text is made of Tenhou's marks of rooms and rules alone, such as 鳳南喰赤速.
pub(in crate::logs) fn is_tenhou(room: &str) -> bool {
    let is_mark = |c: char| c.is_ascii_digit() || "三四般上特鳳若銀琥孔雀荘技能祝東南喰赤速".contains(c);
    let room: String = room.chars().map(plain_character).filter(|c| c.is_alphanumeric()).collect();
    room.chars().all(is_mark) && room.contains(['東', '南', '喰', '赤'])
}

/// Tenhou's grades by number.
const GRADES: [&str; 21] = [
    "新人",
    "９級",
    "８級",
    "７級",
    "６級",
    "５級",
    "４級",
    "３級",
    "２級",
    "１級",
    "初段",
    "二段",
    "三段",
    "四段",
    "五段",
    "六段",
    "七段",
    "八段",
    "九段",
    "十段",
    "天鳳位",
];

/// Tenhou's name of the grade with this number.
pub(in crate::logs) fn grade_of_number(number: usize) -> Option<&'static str> {
    GRADES.get(number).copied()
}

/// The draw with this name in the attribute `type` of mjlog.
pub(in crate::logs) fn draw_of_type(name: &str) -> Option<DrawReason> {
    let reason = match name {
        "yao9" => DrawReason::KyuushuKyuuhai,
        "reach4" => DrawReason::FourRiichi,
        "ron3" => DrawReason::TripleRon,
        "kan4" => DrawReason::FourKans,
        "kaze4" => DrawReason::FourWinds,
        "nm" => DrawReason::Nagashi,
        _ => return None,
    };
    Some(reason)
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
        for (yaku, name) in [&YAKU[..], JAPANESE, ENGLISH, CHINESE].concat() {
            let before = names.insert((plain(name), yaku.is_yakuman()), yaku);
            assert!(before.is_none_or(|before| before == yaku), "{name}: {before:?} and {yaku:?}");
        }
    }

    #[test]
    fn every_form_becomes_one_that_stays() {
        assert!(FORM_OF.values().all(|form| plain_character(*form) == *form));
    }
}
