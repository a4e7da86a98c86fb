//! What the formats of Tenhou share.

use jantaku_engine::replay::RecordedGame;
use jantaku_engine::rules::knobs::{Aka, FinalRounding, Uma, Yame};
use jantaku_engine::{BySeat, DrawReason, Players, Rules, Yaku, final_results};

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

/// The bits of a game type that change the rules.
const NO_RED: u32 = 0x02;
const NO_KUITAN: u32 = 0x04;
const SOUTH: u32 = 0x08;
const THREE: u32 = 0x10;
/// With the bits that do not: online, rooms, speed.
const KNOWN: u32 = 0xFF;

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

/// The rules of a game that ended with these points and results: those of its date or, where that is not known, of the latest years
/// whose uma and rounding give these results.
///
/// # Errors
///
/// If the type has a bit of special rules.
pub fn rules_of_results(
    game_type: u32,
    played: Option<Month>,
    scores: &BySeat<i32>,
    results: &BySeat<i32>,
) -> Result<Rules, String> {
    let today = rules(game_type, played)?;
    if played.is_some() {
        return Ok(today);
    }
    let years = [2021, 2010, 2009]
        .into_iter()
        .filter_map(|year| rules(game_type, Some(Month { year, month: 1 })).ok());
    let gives = |rules: &Rules| final_results(scores, rules).map(|result| result.result) == *results;
    Ok(std::iter::once(today).chain(years).find(gives).unwrap_or(today))
}

/// Gives a game whose log does not state its rules those of Tenhou under which it goes as recorded: East only or not, with open
/// tanyao or not, of the latest years that fit. If none fit, its rules stay as they are.
pub fn fit_rules(game: &mut RecordedGame, played: Option<Month>) {
    let goes = |rules: Rules| RecordedGame { rules, ..game.clone() }.replay(&mut ()).differences.is_empty();
    let three = if game.rules.players == Players::Three { THREE } else { 0 };
    let reds = if game.rules.aka.by_suit() == [0; 3] { NO_RED } else { 0 };
    let east_first = game.rules.wind_rounds == 1;
    let lengths = if east_first { [0, SOUTH] } else { [SOUTH, 0] };
    let years = [2026, 2021, 2010, 2009].map(|year| Some(Month { year, month: 1 }));
    let months = if played.is_some() { vec![played] } else { years.to_vec() };
    let candidates = months.iter().flat_map(|played| {
        let of_length = |length| [0, NO_KUITAN].map(|kuitan| rules(three | reds | length | kuitan, *played));
        lengths.into_iter().flat_map(of_length)
    });
    if let Some(found) = candidates.flatten().find(|rules| goes(*rules)) {
        game.rules = found;
    }
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

/// The reasons of draws by their names in mjlog.
pub(super) fn draw_reason(name: &str) -> Option<DrawReason> {
    let reason = match name {
        "yao9" => DrawReason::NineTerminals,
        "reach4" => DrawReason::FourRiichi,
        "ron3" => DrawReason::TripleRon,
        "kan4" => DrawReason::FourKans,
        "kaze4" => DrawReason::FourWinds,
        "nm" => DrawReason::Nagashi,
        _ => return None,
    };
    Some(reason)
}
