//! Tenhou's rules by game type and date.

use jantaku_agents::field_name;
use jantaku_engine::replay::RecordedGame;
use jantaku_engine::rules::options::{Aka, FinalRounding, Uma, Yame};
use jantaku_engine::{Players, Rules};

use crate::logs::Problem;

/// A date.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Date {
    /// The year.
    pub year: u16,
    /// 1–12.
    pub month: u8,
    /// 1–31.
    pub day: u8,
}

impl Date {
    /// The first date in a text.
    ///
    /// Tenhou's names of games and of game lists begin with ten digits, year to hour.
    pub fn find(text: &str) -> Option<Date> {
        text.split(|c: char| !c.is_ascii_digit()).filter(|digits| digits.len() >= 8).find_map(|digits| {
            let [year, month, day] = [&digits[..4], &digits[4..6], &digits[6..8]];
            let date = Date { year: year.parse().ok()?, month: month.parse().ok()?, day: day.parse().ok()? };
            let is_date = (2000..2100).contains(&date.year)
                && (1..=12).contains(&date.month)
                && (1..=31).contains(&date.day);
            is_date.then_some(date)
        })
    }

    /// The first day of a year.
    pub(super) const fn new_year(year: u16) -> Date {
        Date { year, month: 1, day: 1 }
    }
}

/// The name of a game of Tenhou in a text, such as `2022080600gm-00a9-0000-06406b7f`: ten digits for
/// year to hour, the game type, the lobby and a number.
pub(in crate::logs) fn reference_in(text: &str) -> Option<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    text.split(|c| !is_part(c)).find(|part| {
        let digits = part.find(|c: char| !c.is_ascii_digit());
        digits == Some(10) && part[10..].starts_with("gm-")
    })
}

/// The game type in the name of a game of Tenhou, four hexadecimal digits.
pub(in crate::logs) fn type_in(reference: &str) -> Option<u32> {
    let (_, rest) = reference_in(reference)?.split_once("gm-")?;
    u32::from_str_radix(rest.get(..4)?, 16).ok()
}

/// A year of each period between two changes of the rules, latest first. Its first day is in the
/// period.
pub(super) const YEARS: [u16; 4] = [2026, 2021, 2010, 2009];

/// The bits of a game type that change the rules.
pub(in crate::logs) const NO_RED: u32 = 0x02;
pub(in crate::logs) const NO_KUITAN: u32 = 0x04;
pub(in crate::logs) const SOUTH: u32 = 0x08;
pub(in crate::logs) const THREE: u32 = 0x10;
/// Lobbies that mark tsumogiri.
pub(in crate::logs) const MARKED: u32 = 0x100;
/// Rooms with chips, which count beside the points.
pub(super) const CHIPS: u32 = 0x600;
/// Games of the platform Ron2.
pub(in crate::logs) const RON2: u32 = 0x1000;
/// All known bits. Those without a constant here are for online play, rooms and speed.
pub(super) const KNOWN: u32 = 0xFF | MARKED | CHIPS | RON2;

/// The game type with these bits set or not.
pub(in crate::logs) fn game_type(bits: &[(u32, bool)]) -> u32 {
    bits.iter().filter(|(_, is_set)| *is_set).fold(0, |bits, (bit, _)| bits | bit)
}

/// The rules of a game type on a day, or today's if the day is unknown.
///
/// The dates of changes are inferred from recorded games. Since 2022 results have one decimal. A dealer
/// who is tenpai in first place continues in a game of 1 June 2010, and ends one of 8 June 2010: the
/// rule is taken to begin on 2 June. Since August 2009 East-only games have today's uma.
///
/// # Errors
///
/// If there are no rules for the type: Ron2 for three players.
pub fn rules(game_type: u32, played: Option<Date>) -> Result<Rules, Problem> {
    let has = |bit: u32| game_type & bit != 0;
    let three = has(THREE);
    let preset = match (has(RON2), three) {
        (false, false) => "tenhou",
        (false, true) => "tenhou-sanma",
        (true, false) => "ron2",
        (true, true) => {
            let what = format!("game type {game_type:#x}: Ron2 for three players; give the rules with");
            return Err(Problem::new(format!("{what} {}", field_name("rules"))));
        }
    };
    let mut rules = Rules::preset(preset).expect("the engine has the rules of Tenhou and Ron2");
    let before = |year, month, day| played.is_some_and(|played| played < Date { year, month, day });
    if has(NO_RED) {
        rules.aka = Aka { m: 0, p: 0, s: 0 };
    }
    rules.kuitan = !has(NO_KUITAN);
    if has(CHIPS) && !three {
        rules.uma = Uma::new(&[30, 10, -10, -30]);
    }
    if !has(SOUTH) {
        rules.wind_rounds = 1;
        if before(2009, 8, 1) && !three {
            rules.uma = Uma::new(&[10, 5, -5, -10]);
        }
    }
    if before(2010, 6, 2) {
        rules.tenpai_yame = Yame::Off;
    }
    if before(2022, 1, 1) {
        rules.final_rounding = FinalRounding::HalfUp;
    }
    Ok(rules)
}

/// Gives a game without stated rules those of Tenhou under which it replays as recorded.
///
/// Tries the latest years first; in each year, first the game's own number of wind rounds, and for each
/// number, first the rules with open tanyao. The red fives stay. If no rules fit, all stay.
pub fn fit_rules(game: &mut RecordedGame, played: Option<Date>) {
    let three = game.rules.players == Players::Three;
    let aka = game.rules.aka;
    let lengths = if game.rules.wind_rounds == 1 { [false, true] } else { [true, false] };
    let years = YEARS.map(|year| Some(Date::new_year(year)));
    let dates = if played.is_some() { vec![played] } else { years.to_vec() };
    let candidates = dates.iter().flat_map(|played| {
        let of_length = |south| {
            [true, false].map(|kuitan| {
                let bits = [(THREE, three), (SOUTH, south), (NO_KUITAN, !kuitan)];
                rules(game_type(&bits), *played).map(|rules| Rules { aka, ..rules })
            })
        };
        lengths.into_iter().flat_map(of_length)
    });
    first_fit(game, candidates.flatten());
}

/// Gives a game the first of these rules under which it replays as recorded, and returns them. None
/// if none fit: the rules then stay as they are.
pub(in crate::logs) fn first_fit(
    game: &mut RecordedGame,
    rules: impl IntoIterator<Item = Rules>,
) -> Option<Rules> {
    let found = rules.into_iter().find(|rules| replays(game, rules));
    game.rules = found.unwrap_or(game.rules);
    found
}

/// The given rules for a game of this number of players.
///
/// A log that `states` its rules keeps them if the given ones are for another number of players, and
/// the game gets a note.
///
/// # Errors
///
/// If the rules are for another number of players and the log states none.
pub(in crate::logs) fn given_rules(
    given: Option<&Rules>,
    players: Players,
    states: bool,
    notes: &mut Vec<String>,
) -> Result<Option<Rules>, Problem> {
    let Some(other) = given.filter(|given| given.players != players) else { return Ok(given.copied()) };
    let (found, expected) = (players.count(), other.players.count());
    let what = format!("a game of {found} players, but the given rules are for {expected}");
    if !states {
        return Err(Problem::new(what));
    }
    notes.push(format!("{what}: read under the rules that the log states"));
    Ok(None)
}

/// Whether a game replays under these rules without a difference, up to its first gap.
fn replays(game: &RecordedGame, rules: &Rules) -> bool {
    RecordedGame { rules: *rules, ..game.before_gap() }.replay(&mut ()).differences.is_empty()
}
