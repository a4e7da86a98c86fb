//! The rules that a document states.
//!
//! Our own logs state all rules. Others have marks of Tenhou, or the name of a room of Mahjong Soul.
//! The form of `ref` shows the site, whatever the name of the room.

use jantaku_agents::field_name;
use jantaku_engine::rules::options::Aka;
use jantaku_engine::{Players, Rules};

use super::document::{Document, Rule};
use crate::logs::Problem;
use crate::logs::tenhou::{self, Date, Lobby, MARKED, NO_KUITAN, NO_RED, RON2, SOUTH, THREE, names};

/// What a document says about its rules.
pub(super) struct Stated {
    /// The rules, the likeliest first. Empty if none are known.
    pub(super) rules: Vec<Rules>,
    /// The lobby, if they are Tenhou's.
    pub(super) lobby: Option<Lobby>,
}

impl Stated {
    /// Reads what a document of a game of this day states.
    pub(super) fn read(
        document: &Document,
        played: Option<Date>,
        notes: &mut Vec<String>,
    ) -> Result<Stated, Problem> {
        let rule = &document.rule;
        if let Some(problem) = &rule.problem {
            return Err(problem.clone());
        }
        let in_name = tenhou::type_in(&document.reference);
        let platform = in_name.unwrap_or_default() & (MARKED | RON2);
        let by_marks = || names::is_tenhou(&rule.disp).then(|| game_type_of(document) | platform);
        let mut lobby = None;
        let rules = match (&rule.rules, Site::of(document)) {
            (Some(text), _) => vec![Rules::from_toml(text, "rule.rules").map_err(Problem::new)?],
            (None, Some(Site::MahjongSoul)) => mahjong_soul(document),
            (None, Some(Site::Tenhou)) => match rule.game_type.or_else(by_marks).or(in_name) {
                None if document.csrule.iter().all(String::is_empty) => Vec::new(),
                game_type => {
                    let types =
                        game_type.map_or_else(|| possible_types(document, notes), |known| vec![known]);
                    let lobby = lobby.insert(Lobby::new(types[0], &document.csrule, notes)?);
                    lobby.others = types[1..].to_vec();
                    vec![lobby.rules(played)?]
                }
            },
            (None, None) => Vec::new(),
        };
        Ok(Stated { rules, lobby })
    }
}

/// The game types that the settings of a lobby may mean if the log states no type. Adds a note.
fn possible_types(document: &Document, notes: &mut Vec<String>) -> Vec<u32> {
    notes.push(unknown_name(&document.rule.disp));
    let three = is_three(document);
    let of =
        |south| [false, true].map(|no| tenhou::game_type(&[(THREE, three), (SOUTH, south), (NO_KUITAN, no)]));
    [true, false].into_iter().flat_map(of).collect()
}

/// The note for a name of rules that is not known.
pub(super) fn unknown_name(disp: &str) -> String {
    let unknown = Problem::unknown("name of rules in `rule.disp`", format!("`{disp}`"));
    format!("{unknown}: read under the rules of Tenhou that fit; {} gives other rules", field_name("rules"))
}

/// The number of players: that of the rules in one of our own logs; else by the marks, the game type and
/// the dealt tiles.
pub(super) fn players(document: &Document, stated: Option<&Stated>) -> Players {
    match stated.map_or(&[][..], |stated| &stated.rules) {
        [rules] if document.rule.rules.is_some() => rules.players,
        _ if is_three(document) => Players::Three,
        _ if document.first_hand().is_some_and(|hand| hand.dealt()[2].is_empty()) => Players::Two,
        _ => Players::Four,
    }
}

/// The red fives, if the log states their numbers. They override the marks. Logs of three players also
/// state a number for 5m, which such games do not have.
pub(super) fn stated_reds(document: &Document) -> Option<Aka> {
    let [m, p, s] = document.rule.reds().filter(|_| document.rule.rules.is_none())?;
    Some(Aka { m: if is_three(document) { 0 } else { m }, p, s })
}

/// Whether a document is for three players: it says so, or it deals tiles to a third player and
/// none to a fourth.
fn is_three(document: &Document) -> bool {
    let dealt = document.first_hand().map(|hand| hand.dealt().map(<[u8]>::len));
    let is_dealt = |[_, _, third, fourth]: [usize; 4]| third > 0 && fourth == 0;
    let is_typed = document.rule.game_type.is_some_and(|game_type| game_type & THREE != 0);
    is_typed || document.rule.disp.contains('三') || dealt.is_some_and(is_dealt)
}

/// Whether yaku of winds name the wind that they are for. Converters of Mahjong Soul's logs name the
/// wind that the seat had at the start of the game.
pub(super) fn names_true_winds(document: &Document) -> bool {
    document.rule.rules.is_some() || !matches!(Site::of(document), Some(Site::MahjongSoul))
}

/// A site whose games come in this format.
enum Site {
    Tenhou,
    MahjongSoul,
}

impl Site {
    /// The site of a game, by the form of its name at its source, the settings of a lobby, or its room.
    fn of(document: &Document) -> Option<Site> {
        let (reference, room) = (document.reference.as_str(), document.rule.disp.as_str());
        let is_lobby = document.rule.game_type.is_some() || !document.csrule.is_empty();
        if tenhou::reference_in(reference).is_some() || is_lobby {
            return Some(Site::Tenhou);
        }
        if is_mahjong_soul(reference) || names::is_mahjong_soul(room) {
            return Some(Site::MahjongSoul);
        }
        names::is_tenhou(room).then_some(Site::Tenhou)
    }
}

/// Whether a game is named as Mahjong Soul names its games: six digits for the day, then a UUID, then
/// perhaps a player.
fn is_mahjong_soul(reference: &str) -> bool {
    let parts: Vec<&str> = reference.split(['-', '_']).collect();
    let is_hex = |part: &str| part.chars().all(|c| c.is_ascii_hexdigit());
    let lengths = [6, 8, 4, 4, 4, 12];
    parts.len() >= lengths.len()
        && parts.iter().zip(lengths).all(|(part, length)| part.len() == length && is_hex(part))
}

/// Tenhou's game type by the marks.
fn game_type_of(document: &Document) -> u32 {
    let has = |mark: char| document.rule.disp.contains(mark);
    let has_reds = stated_reds(document).map_or(has('赤'), |reds| reds.by_suit() != [0; 3]);
    tenhou::game_type(&[
        (THREE, is_three(document)),
        (SOUTH, has('南')),
        (NO_KUITAN, !has('喰')),
        (NO_RED, !has_reds),
    ])
}

/// Mahjong Soul's rules that a room may mean, the likeliest first: its name may omit the length and open
/// tanyao.
fn mahjong_soul(document: &Document) -> Vec<Rules> {
    let name = if is_three(document) { "mjsoul-sanma" } else { "mjsoul" };
    let preset = Rules::preset(name).expect("the engine has the rules of Mahjong Soul");
    let room = Room::named(&document.rule);
    // Tournaments choose the points at the start.
    let start = document.first_hand().filter(|first| first.0 == [0; 3]).and_then(|first| first.1.first());
    let of = |wind_rounds: &u8, kuitan: bool| {
        let mut rules = Rules { wind_rounds: *wind_rounds, kuitan, ..preset };
        if !room.has_reds {
            rules.aka = Aka { m: 0, p: 0, s: 0 };
        }
        if let Some(start) = start {
            (rules.start_points, rules.return_points) = (*start, *start);
        }
        rules
    };
    room.lengths.iter().flat_map(|length| room.kuitan.iter().map(move |kuitan| of(length, *kuitan))).collect()
}

/// What the name of a room of Mahjong Soul says about its rules.
struct Room {
    /// The numbers of wind rounds that the game may have.
    lengths: &'static [u8],
    /// Whether open tanyao counts: both values if the name does not mark it, as in English.
    kuitan: &'static [bool],
    has_reds: bool,
}

impl Room {
    fn named(rule: &Rule) -> Room {
        let name = names::plain(&rule.disp);
        let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
        // Names with the marks of Tenhou mark both open tanyao and red fives.
        let is_marked = has(&["喰"]);
        Room {
            lengths: match (has(&["東", "east"]), has(&["南", "south"])) {
                (true, false) => &[1],
                (false, true) => &[2],
                _ => &[2, 1],
            },
            kuitan: if is_marked { &[true] } else { &[true, false] },
            has_reds: !has(&["nored", "akanashi"]) && (!is_marked || has(&["赤"])),
        }
    }
}
