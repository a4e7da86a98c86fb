//! Mahjong Soul's numbers of yaku, limits and draws.

use jantaku_engine::{DrawReason, Limit, Yaku};

/// The sum of bonus han that a number counts for: 0 dora and Norths, 1 ura dora, 2 red fives.
pub(super) const fn bonus_of_number(number: u32) -> Option<usize> {
    match number {
        31 | 34 => Some(0),
        33 => Some(1),
        32 => Some(2),
        _ => None,
    }
}

/// The yaku with this number.
pub(super) const fn yaku_of_number(number: u32) -> Option<Yaku> {
    let yaku = match number {
        1 => Yaku::MenzenTsumo,
        2 => Yaku::Riichi,
        3 => Yaku::Chankan,
        4 => Yaku::Rinshan,
        5 => Yaku::Haitei,
        6 => Yaku::Houtei,
        7 => Yaku::Haku,
        8 => Yaku::Hatsu,
        9 => Yaku::Chun,
        10 => Yaku::SeatWind,
        11 => Yaku::RoundWind,
        12 => Yaku::Tanyao,
        13 => Yaku::Iipeikou,
        14 => Yaku::Pinfu,
        15 => Yaku::Chanta,
        16 => Yaku::Ittsuu,
        17 => Yaku::SanshokuDoujun,
        18 => Yaku::DoubleRiichi,
        19 => Yaku::SanshokuDoukou,
        20 => Yaku::Sankantsu,
        21 => Yaku::Toitoi,
        22 => Yaku::Sanankou,
        23 => Yaku::Shousangen,
        24 => Yaku::Honroutou,
        25 => Yaku::Chiitoitsu,
        26 => Yaku::Junchan,
        27 => Yaku::Honitsu,
        28 => Yaku::Ryanpeikou,
        29 => Yaku::Chinitsu,
        30 => Yaku::Ippatsu,
        35 => Yaku::Tenhou,
        36 => Yaku::Chiihou,
        37 => Yaku::Daisangen,
        38 => Yaku::Suuankou,
        39 => Yaku::Tsuuiisou,
        40 => Yaku::Ryuuiisou,
        41 => Yaku::Chinroutou,
        42 => Yaku::Kokushi,
        43 => Yaku::Shousuushii,
        44 => Yaku::Suukantsu,
        45 => Yaku::Chuuren,
        47 => Yaku::JunseiChuuren,
        48 => Yaku::SuuankouTanki,
        49 => Yaku::Kokushi13,
        50 => Yaku::Daisuushii,
        _ => return None,
    };
    Some(yaku)
}

/// The limit with this number. None if the number is not known.
pub(super) const fn limit_of_number(number: u32) -> Option<Limit> {
    match number {
        0 => Some(Limit::None),
        1 => Some(Limit::Mangan),
        2 => Some(Limit::Haneman),
        3 => Some(Limit::Baiman),
        4 => Some(Limit::Sanbaiman),
        _ => None,
    }
}

/// The abortive draw with this number.
pub(super) const fn draw_of_number(number: u32) -> Option<DrawReason> {
    match number {
        1 => Some(DrawReason::KyuushuKyuuhai),
        2 => Some(DrawReason::FourWinds),
        3 => Some(DrawReason::FourKans),
        4 => Some(DrawReason::FourRiichi),
        5 => Some(DrawReason::TripleRon),
        _ => None,
    }
}
