//! Tenhou's XML logs.
//!
//! A log is a flat list of tags in the order of events: `INIT` deals, `T…W` and a number draw,
//! `D…G` and a number discard, `N` calls, `REACH` declares and pays, `DORA` turns an indicator,
//! `AGARI` and `RYUUKYOKU` end the hand. Tiles are numbered 0–135, four to a kind. 16, 52 and 88
//! are the red fives.
//!
//! - `tag`: tags and the values of their attributes
//! - `call`: the codes of calls
//! - `hand_tally`: where each tile and point of a hand is
//! - `hand`: one hand

mod call;
mod hand;
mod hand_tally;
mod tag;

use std::str::FromStr;

use hand::{HandReader, is_play};
use jantaku_engine::replay::{LogHeader, RecordedGame};
use jantaku_engine::{Players, Rules};
use percent_encoding::percent_decode_str;
use quick_xml::events::Event as Xml;
use tag::Tag;

use super::tenhou::{self, Date, Lobby, NO_KUITAN, NO_RED, SOUTH, THREE, fields, names};
use super::{LogError, Problem, break_off, note_ignored};

/// Reads a log that was played on this day.
///
/// The given rules decide, unless they are for another number of players.
///
/// A tag of an unknown name is ignored, and the game has a note. Any other tag after the first deal that
/// cannot be read or contradicts those before it leaves a gap in its hand
/// ([`RecordedHand::gap`](jantaku_engine::replay::RecordedHand::gap)). Tags up to the next deal are then
/// skipped.
///
/// # Errors
///
/// If the text is not an mjlog, is broken before the first deal, or states rules that cannot be read.
pub fn read(xml: &str, played: Option<Date>, given: Option<&Rules>) -> Result<RecordedGame, LogError> {
    let mut tags = Tags { xml: quick_xml::Reader::from_str(xml), number: 0, open: 0 };
    let mut game = GameReader { played, given: given.copied(), ..GameReader::default() };
    loop {
        match tags.next() {
            Ok(None) => break,
            Ok(Some((place, tag))) => match game.take(&tag) {
                Ok(()) => {}
                Err(problem) => game.skip_from(LogError::at(place, problem))?,
            },
            // Nothing after broken XML can be read. A whole game needs nothing more.
            Err(_) if game.is_over => break,
            Err(error) => {
                game.break_off(error)?;
                break;
            }
        }
    }
    game.end().map_err(|problem| LogError::at("the end", problem))
}

/// The tags of a log in order.
struct Tags<'a> {
    xml: quick_xml::Reader<&'a [u8]>,
    /// The number of the next tag.
    number: usize,
    /// How many tags are open.
    open: usize,
}

impl Tags<'_> {
    /// The next tag and its place. None at the end of the log.
    fn next(&mut self) -> Result<Option<(String, Tag)>, LogError> {
        loop {
            let at = self.xml.buffer_position();
            let at_byte = |problem| LogError::at(format!("byte {at}"), problem);
            let tag = match self.xml.read_event() {
                Ok(Xml::Eof) if self.open > 0 => {
                    return Err(at_byte(Problem::new("the log ends early: expected `</mjloggm>`")));
                }
                Ok(Xml::Eof) => return Ok(None),
                Ok(Xml::Start(tag)) => {
                    self.open += 1;
                    tag
                }
                Ok(Xml::Empty(tag)) => tag,
                Ok(Xml::End(_)) => {
                    self.open = self.open.saturating_sub(1);
                    continue;
                }
                Ok(_) => continue,
                Err(error) => return Err(at_byte(Problem::quoting(error))),
            };
            let number = self.number;
            self.number += 1;
            let place = format!("tag {number}, byte {at}");
            let tag = Tag::new(&tag).map_err(|problem| LogError::at(place, problem))?;
            return Ok(Some((format!("tag {number} <{}>, byte {at}", tag.name), tag)));
        }
    }
}

/// A game that is being read.
#[derive(Default)]
struct GameReader {
    played: Option<Date>,
    /// The rules to read the game under. None for those that the log states.
    given: Option<Rules>,
    lobby: Lobby,
    game: Option<RecordedGame>,
    hand: Option<HandReader>,
    /// Whether a tag has ended the game.
    is_over: bool,
    /// Whether tags up to the next deal are skipped.
    skips: bool,
    /// Notes about ignored tags.
    notes: Vec<String>,
}

impl GameReader {
    fn take(&mut self, tag: &Tag) -> Result<(), Problem> {
        match tag.name.as_str() {
            "mjloggm" | "SHUFFLE" | "BYE" => Ok(()),
            "TAIKYOKU" => match tag.get("oya") {
                None | Some("0") => Ok(()),
                Some(oya) => Err(Problem::value("oya", oya, "0 for the first dealer")),
            },
            "GO" => self.begin(tag),
            "UN" => self.read_names(tag),
            "INIT" => self.deal(tag),
            name if !is_play(name) => {
                note_ignored(&mut self.notes, format_args!("tag <{name}>"));
                Ok(())
            }
            _ if self.skips => Ok(()),
            _ => self.play(tag),
        }
    }

    fn begin(&mut self, tag: &Tag) -> Result<(), Problem> {
        if self.game.is_some() {
            return Err(Problem::new("a second game starts"));
        }
        let game_type = tag.bits("type");
        let players = match (&game_type, &self.given) {
            (Ok(bits), _) if bits & THREE != 0 => Players::Three,
            (Err(_), Some(given)) => given.players,
            _ => Players::Four,
        };
        let mut notes = Vec::new();
        self.given = tenhou::given_rules(self.given.as_ref(), players, true, &mut notes)?;
        let rules = match self.given {
            Some(rules) => rules,
            None => {
                let csrule = tag.get("csrule").unwrap_or_default().split(',').map(str::to_owned);
                let csrule: Vec<String> = csrule.collect();
                self.lobby = Lobby::new(game_type.clone()?, &csrule, &mut notes)?;
                self.lobby.rules(self.played)?
            }
        };
        let header = LogHeader { room: game_type.map(room).unwrap_or_default(), ..LogHeader::default() };
        self.game = Some(RecordedGame { header, notes, ..RecordedGame::new(rules) });
        Ok(())
    }

    /// Reads percent-encoded names, grades, ratings and sexes. The log repeats the name of a player
    /// who reconnects.
    fn read_names(&mut self, tag: &Tag) -> Result<(), Problem> {
        let game = self.game.as_mut().ok_or_else(no_go)?;
        let players = usize::from(game.rules.players.count());
        if tag.get("dan").is_some() {
            let grade = |number: usize| names::grade_of_number(number).unwrap_or_default().to_owned();
            game.header.dan = listed(tag, "dan").into_iter().take(players).map(grade).collect();
            game.header.rate = listed(tag, "rate").into_iter().take(players).collect();
            game.header.sx = listed(tag, "sx").into_iter().take(players).collect();
        }
        for (seat, name) in game.rules.players.seats().zip(&mut game.names) {
            if let Some(text) = tag.get(&format!("n{seat}")) {
                *name = percent_decode_str(text).decode_utf8_lossy().into_owned();
            }
        }
        Ok(())
    }

    fn deal(&mut self, tag: &Tag) -> Result<(), Problem> {
        self.close();
        self.skips = false;
        let game = self.game.as_ref().ok_or_else(no_go)?;
        if self.is_over {
            return Err(Problem::new("a hand is dealt after the end of the game"));
        }
        self.hand = Some(HandReader::deal(tag, &game.rules)?);
        Ok(())
    }

    fn play(&mut self, tag: &Tag) -> Result<(), Problem> {
        let (Some(game), Some(hand)) = (&mut self.game, &mut self.hand) else {
            return Err(Problem::new("no `INIT` came before"));
        };
        if self.is_over {
            return Err(Problem::new("the game is over: `owari` came before"));
        }
        hand.take(tag, &game.rules)?;
        if ["AGARI", "RYUUKYOKU"].contains(&tag.name.as_str()) && tag.get("owari").is_some() {
            let numbers = tag.points("owari")?;
            let [scores, results] = fields::final_points("`owari`", &numbers, game.rules.players, 100.0)?;
            let of_results = self.lobby.rules_of_results(self.played, &scores, &results);
            if let (None, Some(rules)) = (self.given, of_results) {
                game.rules = rules;
            }
            (game.final_scores, game.results) = (Some(scores), Some(results));
            self.is_over = true;
        }
        Ok(())
    }

    /// Skips the rest of the hand because of this error. Before the first deal, the log is broken.
    fn skip_from(&mut self, error: LogError) -> Result<(), LogError> {
        if std::mem::replace(&mut self.skips, true) { Ok(()) } else { self.break_off(error) }
    }

    /// Marks a gap in the latest hand, or returns the error if there is none.
    fn break_off(&mut self, error: LogError) -> Result<(), LogError> {
        let last = self.game.as_mut().and_then(|game| game.hands.last_mut());
        break_off(self.hand.as_mut().map(|hand| &mut hand.log), last, error)
    }

    /// Adds the hand that was read last to the game.
    fn close(&mut self) {
        if let (Some(game), Some(hand)) = (&mut self.game, self.hand.take()) {
            game.hands.push(hand.into_hand());
        }
    }

    fn end(mut self) -> Result<RecordedGame, Problem> {
        self.close();
        let mut game = self.game.ok_or_else(|| Problem::new("no tag `GO`: expected a log of Tenhou"))?;
        if game.hands.is_empty() {
            return Err(Problem::new("no hand is dealt"));
        }
        game.notes.append(&mut self.notes);
        game.break_off_if_unfinished();
        game.is_whole = self.is_over || game.gap().is_none();
        if self.given.is_none() {
            self.lobby.fit(&mut game, self.played);
        }
        Ok(game)
    }
}

/// The marks of a game type, as Tenhou shows them, such as 鳳南喰赤.
fn room(game_type: u32) -> String {
    const UPPER: u32 = 0x80;
    const EXPERT: u32 = 0x20;
    const FAST: u32 = 0x40;
    let has = |bit: u32| game_type & bit != 0;
    let mark = |holds: bool, mark: &'static str| if holds { mark } else { "" };
    let level = match (has(UPPER), has(EXPERT)) {
        (false, false) => "般",
        (true, false) => "上",
        (false, true) => "特",
        (true, true) => "鳳",
    };
    let length = if has(SOUTH) { "南" } else { "東" };
    let rules = [mark(!has(NO_KUITAN), "喰"), mark(!has(NO_RED), "赤"), mark(has(FAST), "速")];
    [mark(has(THREE), "三"), level, length, &rules.concat()].concat()
}

/// The values of an attribute that does not matter for the game. Empty if one cannot be read.
fn listed<T: FromStr>(tag: &Tag, name: &str) -> Vec<T> {
    tag.numbers(name).unwrap_or_default()
}

/// The error for a tag that needs the rules.
fn no_go() -> Problem {
    Problem::new("no `GO` came before")
}
