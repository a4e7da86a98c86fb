//! Tenhou's numbers and Japanese names of yaku, limits and draws.

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

/// The yaku with this Japanese name, and the wind that follows the name.
///
/// Yaku that Tenhou does not have are written with our own name ([`Yaku::name`]).
pub(in crate::logs) fn yaku_named(name: &str, is_yakuman: bool) -> Option<(Yaku, Option<Wind>)> {
    let wind_of = |rest: &str| {
        let index = WINDS.iter().position(|wind| rest.strip_prefix(' ') == Some(wind))?;
        Some(Wind::ALL[index])
    };
    let found = YAKU.iter().filter(|(yaku, _)| yaku.is_yakuman() == is_yakuman).find_map(|(yaku, known)| {
        let rest = name.strip_prefix(known)?;
        let wind = wind_of(rest);
        (rest.is_empty() || wind.is_some()).then_some((*yaku, wind))
    });
    found.or_else(|| Some((Yaku::all().find(|yaku| yaku.name() == name)?, None)))
}

/// The Japanese names of the limits.
const LIMITS: [(Limit, &str); 5] = [
    (Limit::Mangan, "満貫"),
    (Limit::Haneman, "跳満"),
    (Limit::Baiman, "倍満"),
    (Limit::Sanbaiman, "三倍満"),
    (Limit::Yakuman, "役満"),
];

/// The limit with this Japanese name.
pub(in crate::logs) fn limit_named(name: &str) -> Option<Limit> {
    // Counted and multiple yakuman have a prefix before the name.
    let is_it =
        |(limit, known): &&(Limit, &str)| name == *known || *limit == Limit::Yakuman && name.ends_with(known);
    LIMITS.iter().find(is_it).map(|(limit, _)| *limit)
}

/// The Japanese name of a limit. None below mangan.
pub(in crate::logs) fn limit_name(limit: Limit) -> Option<&'static str> {
    LIMITS.iter().find(|(known, _)| *known == limit).map(|(_, name)| *name)
}

/// The Japanese names of the draws.
const DRAWS: [(DrawReason, &str); 7] = [
    (DrawReason::Exhaustive, "流局"),
    (DrawReason::Nagashi, "流し満貫"),
    (DrawReason::KyuushuKyuuhai, "九種九牌"),
    (DrawReason::FourWinds, "四風連打"),
    (DrawReason::FourRiichi, "四家立直"),
    (DrawReason::FourKans, "四槓散了"),
    (DrawReason::TripleRon, "三家和了"),
];

/// The draw with this Japanese name.
pub(in crate::logs) fn draw_named(name: &str) -> Option<DrawReason> {
    DRAWS.iter().find(|(_, known)| *known == name).map(|(reason, _)| *reason)
}

/// The Japanese name of a draw.
pub(in crate::logs) fn draw_name(reason: DrawReason) -> &'static str {
    DRAWS.iter().find(|(known, _)| *known == reason).map_or("流局", |(_, name)| name)
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
