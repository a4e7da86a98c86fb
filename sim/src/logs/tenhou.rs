//! What the formats of Tenhou share.

use jantaku_engine::replay::RecordedGame;
use jantaku_engine::rules::knobs::{Aka, FinalRounding, Uma, Yame};
use jantaku_engine::{BySeat, DrawReason, Limit, Players, Rules, Wind, Yaku, final_results};

/// A year and month.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Month {
    /// The year.
    pub year: u16,
    /// 1–12.
    pub month: u8,
}

impl Month {
    /// The first year and month in a text: Tenhou's names of games and of lists of games begin with ten digits, year to hour.
    #[must_use]
    pub fn find(text: &str) -> Option<Month> {
        text.split(|c: char| !c.is_ascii_digit()).filter(|digits| digits.len() >= 8).find_map(|digits| {
            let month = Month { year: digits[..4].parse().ok()?, month: digits[4..6].parse().ok()? };
            ((2000..2100).contains(&month.year) && (1..=12).contains(&month.month)).then_some(month)
        })
    }
}

/// A year of each time between two changes of the rules, the latest first.
const YEARS: [u16; 4] = [2026, 2021, 2010, 2009];

/// The bits of a game type that change the rules.
pub(super) const NO_RED: u32 = 0x02;
pub(super) const NO_KUITAN: u32 = 0x04;
pub(super) const SOUTH: u32 = 0x08;
pub(super) const THREE: u32 = 0x10;
/// With the bits that do not: online, rooms, speed.
const KNOWN: u32 = 0xFF;

/// The game type with those of its bits for which it is said so.
pub(super) fn game_type(bits: &[(u32, bool)]) -> u32 {
    bits.iter().filter(|(_, is_set)| *is_set).fold(0, |bits, (bit, _)| bits | bit)
}

/// The rules of a game type, as they were when the game was played; today's if that is unknown.
///
/// The dates are those of the recorded games: results have been counted to 0.1 points since 2022; a dealer who is tenpai in first
/// place ends the game since the middle of 2010; East-only games have today's uma since August 2009.
///
/// # Errors
///
/// If the type has a bit of special rules.
pub fn rules(game_type: u32, played: Option<Month>) -> Result<Rules, String> {
    if game_type & !KNOWN != 0 {
        let special = game_type & !KNOWN;
        return Err(format!(
            "game type {game_type:#x}: the bits {special:#x} stand for special rules that are not known"
        ));
    }
    let three = game_type & THREE != 0;
    let preset = Rules::preset(if three { "tenhou-sanma" } else { "tenhou" });
    let mut rules = preset.expect("the engine has the rules of Tenhou");
    let before = |year, month| played.is_some_and(|played| played < Month { year, month });
    if game_type & NO_RED != 0 {
        rules.aka = Aka { m: 0, p: 0, s: 0 };
    }
    rules.kuitan = game_type & NO_KUITAN == 0;
    if game_type & SOUTH == 0 {
        rules.wind_rounds = 1;
        if before(2009, 8) && !three {
            rules.uma = Uma::new(&[10, 5, -5, -10]);
        }
    }
    if before(2010, 7) {
        rules.tenpai_yame = Yame::Off;
    }
    if before(2022, 1) {
        rules.final_rounding = FinalRounding::HalfUp;
    }
    Ok(rules)
}

/// The rules as they were in the latest years whose uma and rounding give these results, for a game whose date is not known; none if
/// it is known, or if no years give them.
pub(super) fn rules_of_results(
    game_type: u32,
    played: Option<Month>,
    scores: &BySeat<i32>,
    results: &BySeat<i32>,
) -> Option<Rules> {
    let years = YEARS.into_iter().filter(|_| played.is_none());
    let of_years = years.filter_map(|year| rules(game_type, Some(Month { year, month: 1 })).ok());
    let gives = |rules: &Rules| final_results(scores, rules).map(|result| result.result) == *results;
    of_years.into_iter().find(gives)
}

/// Gives a game of this type of which no date is known the rules of the latest years under which it goes as recorded. If none fit, its
/// rules stay as they are.
pub(super) fn fit_years(game: &mut RecordedGame, game_type: u32) {
    let goes = |rules: Rules| RecordedGame { rules, ..game.clone() }.replay(&mut ()).differences.is_empty();
    let of_years = YEARS.into_iter().filter_map(|year| rules(game_type, Some(Month { year, month: 1 })).ok());
    if !goes(game.rules)
        && let Some(found) = of_years.into_iter().find(|rules| goes(*rules))
    {
        game.rules = found;
    }
}

/// Gives a game whose log does not state its rules those of Tenhou under which it goes as recorded: East only or not, with open
/// tanyao or not, of the latest years that fit. If none fit, its rules stay as they are.
pub fn fit_rules(game: &mut RecordedGame, played: Option<Month>) {
    let goes = |rules: Rules| RecordedGame { rules, ..game.clone() }.replay(&mut ()).differences.is_empty();
    let three = game.rules.players == Players::Three;
    let reds = game.rules.aka.by_suit() != [0; 3];
    let lengths = if game.rules.wind_rounds == 1 { [false, true] } else { [true, false] };
    let years = YEARS.map(|year| Some(Month { year, month: 1 }));
    let months = if played.is_some() { vec![played] } else { years.to_vec() };
    let candidates = months.iter().flat_map(|played| {
        let of_length = |south| {
            [true, false].map(|kuitan| {
                let bits = [(THREE, three), (SOUTH, south), (NO_KUITAN, !kuitan), (NO_RED, !reds)];
                rules(game_type(&bits), *played)
            })
        };
        lengths.into_iter().flat_map(of_length)
    });
    if let Some(found) = candidates.flatten().find(|rules| goes(*rules)) {
        game.rules = found;
    }
}

/// The winds of a seat and of the round by their numbers among the yaku.
pub(super) fn wind_of_yaku(number: u32) -> Option<(Yaku, Wind)> {
    let wind = |place: u32| Wind::ALL[place as usize];
    match number {
        10..=13 => Some((Yaku::SeatWind, wind(number - 10))),
        14..=17 => Some((Yaku::RoundWind, wind(number - 14))),
        _ => None,
    }
}

/// Whether a yaku of a wind is that of the winner's seat or of the round, given in this order.
pub(super) fn check_wind(yaku: Yaku, wind: Wind, [seat, round]: [Wind; 2]) -> Result<(), String> {
    let expected = if yaku == Yaku::SeatWind { seat } else { round };
    if wind == expected { Ok(()) } else { Err(format!("a yaku of the wind {wind}, expected {expected}")) }
}

/// The yaku by their numbers; none for the bonus han 52–54.
pub(super) fn yaku(number: u32) -> Option<Yaku> {
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

/// The names of the yaku in Japanese; those of seat and round wind are followed by the wind.
const WORDS: [(Yaku, &str); 48] = {
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

/// The winds in Japanese.
const WINDS: [&str; 4] = ["東", "南", "西", "北"];

/// The name of a yaku in Japanese, in a hand with these winds of seat and round.
pub(super) fn name_of_yaku(yaku: Yaku, [seat, round]: [Wind; 2]) -> String {
    let name = WORDS.iter().find(|(other, _)| *other == yaku).map_or_else(|| yaku.name(), |(_, name)| name);
    match yaku {
        Yaku::SeatWind => format!("{name} {}", WINDS[seat as usize]),
        Yaku::RoundWind => format!("{name} {}", WINDS[round as usize]),
        _ => name.to_owned(),
    }
}

/// The yaku with this name in Japanese, or with our own for yaku that Tenhou does not know; and the wind that follows the name.
pub(super) fn yaku_in_words(name: &str, is_yakuman: bool) -> Option<(Yaku, Option<Wind>)> {
    let wind_of = |rest: &str| {
        let place = WINDS.iter().position(|wind| rest.strip_prefix(' ') == Some(wind))?;
        Some(Wind::ALL[place])
    };
    let found = WORDS.iter().filter(|(yaku, _)| yaku.is_yakuman() == is_yakuman).find_map(|(yaku, known)| {
        let rest = name.strip_prefix(known)?;
        let wind = wind_of(rest);
        (rest.is_empty() || wind.is_some()).then_some((*yaku, wind))
    });
    found.or_else(|| Some((Yaku::all().find(|yaku| yaku.name() == name)?, None)))
}

/// The limits in Japanese.
const LIMITS: [(Limit, &str); 5] = [
    (Limit::Mangan, "満貫"),
    (Limit::Haneman, "跳満"),
    (Limit::Baiman, "倍満"),
    (Limit::Sanbaiman, "三倍満"),
    (Limit::Yakuman, "役満"),
];

/// The limit with this name in Japanese.
pub(super) fn limit_in_words(name: &str) -> Option<Limit> {
    // What is counted up to it, and what counts several times, are yakuman too.
    let is_it =
        |(limit, known): &&(Limit, &str)| name == *known || *limit == Limit::Yakuman && name.ends_with(known);
    LIMITS.iter().find(is_it).map(|(limit, _)| *limit)
}

/// The name of a limit in Japanese; none below mangan.
pub(super) fn name_of_limit(limit: Limit) -> Option<&'static str> {
    LIMITS.iter().find(|(known, _)| *known == limit).map(|(_, name)| *name)
}

/// The reasons of draws in Japanese.
const DRAWS: [(DrawReason, &str); 7] = [
    (DrawReason::Exhaustive, "流局"),
    (DrawReason::Nagashi, "流し満貫"),
    (DrawReason::KyuushuKyuuhai, "九種九牌"),
    (DrawReason::FourWinds, "四風連打"),
    (DrawReason::FourRiichi, "四家立直"),
    (DrawReason::FourKans, "四槓散了"),
    (DrawReason::TripleRon, "三家和了"),
];

/// The reason of a draw with this name in Japanese.
pub(super) fn draw_reason_in_words(name: &str) -> Option<DrawReason> {
    DRAWS.iter().find(|(_, known)| *known == name).map(|(reason, _)| *reason)
}

/// The name of a draw in Japanese.
pub(super) fn name_of_draw(reason: DrawReason) -> &'static str {
    DRAWS.iter().find(|(known, _)| *known == reason).map_or("流局", |(_, name)| name)
}

/// Points and results by turns, seat by seat: points in so many points, results in thousands.
pub(super) fn final_points(
    numbers: &[f64],
    players: Players,
    unit: f64,
) -> Result<(BySeat<i32>, BySeat<i32>), String> {
    let (needed, found) = (2 * usize::from(players.count()), numbers.len());
    if found < needed || found > 8 || numbers[needed..].iter().any(|number| *number != 0.0) {
        return Err(format!("{found} numbers, expected points and result of each player"));
    }
    let at = |place: usize, times: f64| numbers.get(place).map_or(0, |n| (n * times).round() as i32);
    let scores = BySeat::from_fn(players, |seat| at(2 * seat.index(), unit));
    // Results are calculated from them.
    if scores.iter().any(|points| points.unsigned_abs() > 100_000_000) {
        return Err(format!("points of {scores:?}, more than any game has"));
    }
    Ok((scores, BySeat::from_fn(players, |seat| at(2 * seat.index() + 1, 1000.0))))
}

/// The reasons of draws by their names in mjlog.
pub(super) fn draw_reason(name: &str) -> Option<DrawReason> {
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
