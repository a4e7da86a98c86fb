//! The settings of a lobby of Tenhou.
//!
//! A lobby states them in `csrule`: a list of numbers, most of them blank. In XML, commas separate
//! them. The first two are bits, in hexadecimal.

use std::iter::once;

use jantaku_engine::replay::RecordedGame;
use jantaku_engine::{BySeat, Rules, final_results};

use super::Date;
use super::fields::hexadecimal;
use super::rules::{self, CHIPS, KNOWN, MARKED, RON2, SOUTH, YEARS, first_fit};
use crate::logs::settings::Changes;
use crate::logs::{Problem, note_ignored};

/// The bits of the first two numbers, with the fields of the rules that they change. If several
/// rows fit, the last one counts.
const BITS: [&[(u32, &str)]; 2] = [
    &[
        (0x1, "nagashi = 'Off'"),
        (0x2, "kiriage = true"),
        (0x4, "tobi = 'Off'"),
        (0x8, "kan_dora = { ankan = 'Immediate', minkan = 'Immediate' }"),
        (0x10, "dora = false"),
        (0x20, "kan_dora_on = false"),
        (0x40, "ura = false\nkan_ura = false"),
        (0x80, "kan_ura = false"),
        (0x100, "suufon = false"),
        (0x200, "suukaikan = false"),
        (0x400, "suucha = false"),
        (0x800, "kyuushu = false"),
        (0x1000, "triple_ron = 'Pay'\nmax_ron = 3"),
        (0x2000, "triple_ron = 'HeadBump'\nmax_ron = 1"),
        (0x4000, "agari_yame = 'Off'"),
        (0x8000, "tenpai_yame = 'Off'"),
        (0x1_0000, "renchan = 'Tenpai'"),
        (0x2_0000, "renchan = 'Win'"),
        (0x3_0000, "renchan = 'Never'"),
        (0x4_0000, "final_rounding = 'HalfUp'"),
        (0x8_0000, "ippatsu = false"),
        (0x10_0000, "double_round_wind = true"),
        (0x20_0000, "extension = 'SuddenDeath'"),
        (0x40_0000, "north = 'Nukidora'"),
        (0x80_0000, "tsumo_split = 'Bisect'"),
        (0x100_0000, "renhou = 'Yakuman'"),
        (0x200_0000, "riichi_min_live = 1"),
        (0x400_0000, "riichi_ankan = 'ShapeUnchanged'"),
        (0x800_0000, "own_four_wait = 'NotIfOwnFour'"),
        // Hides the button that joins a game.
        (0x4000_0000, ""),
    ],
    &[
        (0x1, "double_wind_pair_fu = 2"),
        (0x2, "tie_rule = 'Shared'"),
        (0x4, "leftover_sticks = 'ToTop'"),
        (0x8, "pao = ['daisangen', 'daisuushii', 'suukantsu']"),
        (0x10, "kazoe = 'Sanbaiman'"),
        // Less time.
        (0x40, ""),
    ],
];

/// Numbers by their index in the list, with the fields that they set. 0 changes only the riichi stick.
const NUMBERS: [(usize, &str); 5] = [
    (4, "start_points = #"),
    (5, "target = #"),
    (6, "return_points = #"),
    (7, "goal_points = #"),
    (STICK, "riichi_stick = #\nriichi_min_points = #"),
];

// Indexes of other numbers in the list.
/// The number of hands at least, and at most with an extension: four for each wind.
const HANDS: [usize; 2] = [8, 9];
/// The riichi stick.
const STICK: usize = 10;
/// The points per honba from each payer of a tsumo.
const HONBA: usize = 11;
/// What each noten player pays to one, two or three tenpai players.
const NOTEN: usize = 16;
/// The points of a chip.
const CHIP: usize = 19;
/// The uma of second to fourth place, if no player has less than the start points, if one has, and so
/// on up to all four.
const UMA: usize = 21;
/// From here on, the numbers are times.
const TIMES: usize = 36;

/// Values about which descriptions of the bits disagree, or that they leave open. A game gets those
/// under which it replays as recorded, the likeliest if all fit.
const DOUBTS: [&[&str]; 4] = [
    &["extension = 'None'", "extension = 'RenchanFirst'", "extension = 'SuddenDeath'"],
    &["north = 'Nukidora'", "north = 'GuestWind'", "north = 'Yakuhai'"],
    &["renhou = 'ManganFloor'"],
    &["leftover_sticks = 'Lost'"],
];

/// The rules that a log of Tenhou states: the bits of the game type, and the settings of the lobby.
#[derive(Clone, Default, Debug)]
pub(in crate::logs) struct Lobby {
    pub(in crate::logs) game_type: u32,
    /// Further game types that the log may mean.
    pub(in crate::logs) others: Vec<u32>,
    settings: Changes,
}

impl Lobby {
    /// Reads the settings. Adds a note for each that is not known.
    pub(in crate::logs) fn new(
        game_type: u32,
        csrule: &[String],
        notes: &mut Vec<String>,
    ) -> Result<Lobby, Problem> {
        let mut lobby = Lobby { game_type, ..Lobby::default() };
        let unknown = game_type & !KNOWN;
        if unknown != 0 {
            note_ignored(notes, format_args!("bits {unknown:#x} of the game type {game_type:#x}"));
        }
        let list = Settings(csrule);
        if game_type & CHIPS != 0 || list.number(CHIP)?.is_some() {
            notes.push("chips are not counted".to_owned());
        }
        if csrule.iter().all(String::is_empty) {
            return Ok(lobby);
        }
        for (index, table) in BITS.into_iter().enumerate() {
            let bits = list.bits(index)?;
            let set = table.iter().filter(|(mask, _)| bits & mask == *mask);
            set.for_each(|(mask, fields)| {
                lobby.settings.set(format_args!("bits {mask:#x} of `csrule[{index}]`"), fields, 0);
            });
            let unknown = table.iter().fold(bits, |bits, (mask, _)| bits & !mask);
            if unknown != 0 {
                note_ignored(notes, format_args!("bits {unknown:#x} of `csrule[{index}]`"));
            }
        }
        for (index, fields) in NUMBERS {
            if let Some(number) = list.number(index)?.filter(|number| *number != 0 || index == STICK) {
                lobby.settings.set(setting(index, number), fields, number);
            }
        }
        let base = rules::rules(game_type & !RON2, None)?;
        list.read_length(game_type, &mut lobby.settings, notes)?;
        list.read_payments(&base, &mut lobby.settings)?;
        for index in (2..4).chain(12..16).chain([20]) {
            if let Some(text) = csrule.get(index).filter(|text| !["", "0"].contains(&text.as_str())) {
                note_ignored(notes, format_args!("`csrule[{index}]` {text}"));
            }
        }
        Ok(lobby)
    }

    /// The rules on a day, or today's if the day is unknown.
    ///
    /// # Errors
    ///
    /// If the settings contradict each other, or there are no rules for the game type.
    pub(in crate::logs) fn rules(&self, played: Option<Date>) -> Result<Rules, Problem> {
        self.rules_of_type(self.game_type, played)
    }

    fn rules_of_type(&self, game_type: u32, played: Option<Date>) -> Result<Rules, Problem> {
        if self.settings.is_empty() {
            return rules::rules(game_type, played);
        }
        self.settings.apply(&rules::rules(game_type & !RON2, played)?)
    }

    /// The rules in the years of [`YEARS`].
    fn rules_by_year(&self) -> impl Iterator<Item = Rules> {
        YEARS.into_iter().filter_map(|year| self.rules(Some(Date::new_year(year))).ok())
    }

    /// For a game of unknown date, the rules of the latest year whose uma and rounding give these
    /// results.
    ///
    /// None if the date is known or no year gives the results.
    pub(in crate::logs) fn rules_of_results(
        &self,
        played: Option<Date>,
        scores: &BySeat<i32>,
        results: &BySeat<i32>,
    ) -> Option<Rules> {
        let gives = |rules: &Rules| final_results(scores, rules).map(|result| result.result) == *results;
        if played.is_some() { None } else { self.rules_by_year().find(gives) }
    }

    /// Whether the log leaves a choice of rules even if its date is known.
    pub(in crate::logs) fn has_choice(&self) -> bool {
        !self.settings.is_empty() || self.game_type & MARKED != 0
    }

    /// Gives a game the first rules that the lobby may mean under which it replays as recorded. If its
    /// date is unknown, the latest year comes first. Lobbies that mark tsumogiri may also be Ron2's.
    ///
    /// The rules stay as they are if they already fit, or if no others do.
    pub(in crate::logs) fn fit(&self, game: &mut RecordedGame, played: Option<Date>) {
        let (stated, has_settings) = (game.rules, !self.settings.is_empty());
        let years = self.rules_by_year().filter(|_| played.is_none());
        let of_ron2 = self.has_choice() && !has_settings;
        let ron2 = rules::rules(self.game_type | RON2, played).ok().filter(|_| of_ron2);
        let with_aka = |rules| Rules { aka: stated.aka, ..rules };
        let others = self.others.iter().filter_map(|other| self.rules_of_type(*other, played).ok());
        let bases: Vec<Rules> = once(stated).chain(others.map(with_aka)).collect();
        let doubtful = bases.iter().flat_map(doubtful).filter(|_| has_settings);
        if played.is_none() || self.has_choice() {
            first_fit(game, once(stated).chain(years).chain(ron2).chain(doubtful));
        }
    }
}

/// These rules with all combinations of [`DOUBTS`], and with riichi on the last tile if it is allowed on the
/// one before.
fn doubtful(stated: &Rules) -> Vec<Rules> {
    let on_last_tile = Rules { riichi_min_live: 0, ..*stated };
    let first = once(*stated).chain(Some(on_last_tile).filter(|_| stated.riichi_min_live == 1));
    DOUBTS.iter().fold(first.collect(), |all: Vec<Rules>, values| {
        let with = |rules: &Rules, fields: &str| {
            let mut changes = Changes::default();
            changes.set("doubtful bits", fields, 0);
            changes.apply(rules).ok().filter(|changed| changed != rules)
        };
        let changed = |rules: Rules| values.iter().filter_map(move |fields| with(&rules, fields));
        all.into_iter().flat_map(|rules| once(rules).chain(changed(rules))).collect()
    })
}

/// The list of settings.
struct Settings<'a>(&'a [String]);

impl Settings<'_> {
    fn text(&self, index: usize) -> &str {
        self.0.get(index).map_or("", |text| text.trim())
    }

    fn bits(&self, index: usize) -> Result<u32, Problem> {
        match self.text(index) {
            "" => Ok(0),
            text => hexadecimal(text).ok_or_else(|| wrong(index, text, "bits in hexadecimal")),
        }
    }

    /// A number. None if it is blank.
    fn number(&self, index: usize) -> Result<Option<i64>, Problem> {
        let text = self.text(index);
        let number =
            |text: &str| text.parse::<i32>().map(i64::from).map_err(|_| wrong(index, text, "a number"));
        Some(text).filter(|text| !text.is_empty()).map(number).transpose()
    }

    /// Reads the length of the game.
    fn read_length(
        &self,
        game_type: u32,
        settings: &mut Changes,
        notes: &mut Vec<String>,
    ) -> Result<(), Problem> {
        let winds = |index: usize| match self.number(index)? {
            None | Some(0) => Ok(None),
            Some(1) => Ok(Some(0)),
            Some(hands) if hands > 0 && hands % 4 == 0 => Ok(Some(hands / 4)),
            Some(hands) => Err(wrong(index, &hands.to_string(), "1 hand, or 4 for each wind")),
        };
        let [least, most] = [winds(HANDS[0])?, winds(HANDS[1])?];
        if let Some(least) = least {
            settings.set(setting(HANDS[0], 4 * least), "wind_rounds = #", least);
        }
        let of_type = if game_type & SOUTH == 0 { 1 } else { 2 };
        let at_most = format!("`csrule[{}]`", HANDS[1]);
        match most.map(|most| most - least.unwrap_or(of_type)) {
            None => {}
            Some(..0) => notes.push(format!("ignored {at_most}: fewer hands than the game has")),
            Some(0) => settings.set(at_most, "extension = 'None'", 0),
            Some(rounds) => settings.set(at_most, "extension_rounds = #", rounds),
        }
        Ok(())
    }

    /// Reads honba, noten payments and uma. What is blank stays as in the rules `base`.
    fn read_payments(&self, base: &Rules, settings: &mut Changes) -> Result<(), Problem> {
        if let Some(each) = self.number(HONBA)? {
            settings.set_honba(setting(HONBA, each), each, base.players);
        }
        let tenpai = usize::from(base.players.count()) - 1;
        settings.set_noten("csrule[16..19]", &self.numbers(NOTEN..NOTEN + tenpai)?, base);
        let row = |first| self.numbers(first..first + tenpai);
        let rows: Result<Vec<_>, Problem> = (UMA..TIMES).step_by(3).map(row).collect();
        settings.set_uma("csrule[21..36]", &rows?[..=tenpai + 1], base);
        Ok(())
    }

    fn numbers(&self, indices: std::ops::Range<usize>) -> Result<Vec<Option<i64>>, Problem> {
        indices.map(|index| self.number(index)).collect()
    }
}

/// A setting and its number, for messages.
fn setting(index: usize, number: i64) -> String {
    format!("`csrule[{index}]` {number}")
}

fn wrong(index: usize, found: &str, expected: &str) -> Problem {
    Problem::value(format_args!("csrule[{index}]"), format_args!("`{found}`"), expected)
}
