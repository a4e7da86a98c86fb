//! Reads a recorded game from its events.

use std::collections::BTreeMap;
use std::fmt;

use jantaku_engine::replay::{HandLog, Problem, RecordedEnd, RecordedGame, RecordedHand, seat_of};
use jantaku_engine::rules::options::Aka;
use jantaku_engine::{
    BySeat, Claimed, Declare, DrawReason, Event as EngineEvent, Meld, MeldKind, Players, Rules, Seat,
    Standing, shortened,
};
use serde::Deserializer as _;
use serde::de::{SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::error::MjaiError;
use super::event::{Claim, Event, GAMETYPES, Hora, REASONS, SHORT};
use super::keys::Keys;
use super::pai::Pai;
use super::parts::{NORTH, check_tiles, dealt, points, riichi_cost, spaced, tile, tiles};
use super::{win, words};

/// A recorded game, and whether its log states the rules.
#[derive(Clone, PartialEq, Debug)]
pub struct Log {
    /// The game. If the log does not state its rules, they are Tenhou's for the same number of
    /// players.
    pub game: RecordedGame,
    /// Whether the log states the rules.
    pub states_rules: bool,
}

/// Reads a game from a text with one event per line, or from a JSON list of events.
///
/// Events of an unknown type and lines before the first deal that are not JSON are ignored, and the
/// game has a note. If any other event after the first deal cannot be read or does not follow from the
/// events before it, its hand has a gap ([`RecordedHand::gap`]), and the events up to the next deal are
/// skipped.
///
/// # Errors
///
/// If the text is not of this format, hides tiles, or breaks the format before the first deal.
pub fn read(text: &str) -> Result<Log, MjaiError> {
    read_under(text, None)
}

/// Reads a game like [`read`]. If the log states no rules that can be read, the rules are the given ones,
/// unless these are for another number of players.
///
/// # Errors
///
/// As [`read`].
pub fn read_under(text: &str, given: Option<&Rules>) -> Result<Log, MjaiError> {
    let reader = Reader { given: given.copied(), ..Reader::default() };
    let mut reader = LogReader { reader, ..LogReader::default() };
    if text.trim_start().starts_with('[') {
        let (events, broken) = listed(text);
        check_events(&events)?;
        reader.take_all(events.iter().map(|event| event.get()))?;
        if let Some(error) = broken {
            let (at, problem) = ("the list of events".to_owned(), Problem::quoting(error));
            reader.skip_from(&MjaiError { at, problem })?;
        }
    } else {
        reader.take_all(text.lines().filter(|line| !line.trim().is_empty()))?;
    }
    let finished = reader.reader.finish();
    let mut log = finished.map_err(|problem| MjaiError { at: "the end".to_owned(), problem })?;
    log.game.break_off_if_unfinished();
    Ok(log)
}

/// The events of a JSON list, and why the list breaks off, if it does.
fn listed(text: &str) -> (Vec<&RawValue>, Option<serde_json::Error>) {
    let mut events = Vec::new();
    let mut list = serde_json::Deserializer::from_str(text);
    let read = list.deserialize_seq(Listed(&mut events)).and_then(|()| list.end());
    (events, read.err())
}

/// Checks that a list has an event with a type: other lists hold games.
fn check_events(list: &[&RawValue]) -> Result<(), MjaiError> {
    let has_type = |entry: &&RawValue| {
        serde_json::from_str::<Value>(entry.get()).is_ok_and(|entry| entry.get("type").is_some())
    };
    let Some(first) = list.first().filter(|_| !list.iter().any(has_type)) else { return Ok(()) };
    let expected = "an event with `type`; write each of several games on its own line or in its own file";
    let problem = Problem::value("entry 0", shortened(first.get()), expected);
    Err(MjaiError { at: "the list of events".to_owned(), problem })
}

/// Collects the entries of a list, and keeps them if a later one is broken.
struct Listed<'a, 'de>(&'a mut Vec<&'de RawValue>);

impl<'de> Visitor<'de> for Listed<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of events")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(event) = list.next_element()? {
            self.0.push(event);
        }
        Ok(())
    }
}

/// Reads the events of a whole log. After a broken event, it skips the rest of the hand.
#[derive(Default)]
struct LogReader {
    reader: Reader,
    /// Whether events up to the next deal are skipped.
    skips: bool,
    /// Whether a second game has started, which is not read.
    is_done: bool,
}

impl LogReader {
    fn take_all<'a>(&mut self, events: impl Iterator<Item = &'a str>) -> Result<(), MjaiError> {
        for (number, event) in (1..).zip(events) {
            let taken = match serde_json::from_str(event) {
                Ok(read) => {
                    self.note_unknown_keys(event);
                    self.take(read)
                }
                Err(error) => match self.name_of_ignored(event) {
                    Some(what) => {
                        self.reader.note(format!("ignored {what}"));
                        Ok(())
                    }
                    None => Err(Problem::quoting(words::wrong_line::<Event>(event, &error))),
                },
            };
            taken.or_else(|problem| self.skip_from(&MjaiError { at: format!("event {number}"), problem }))?;
        }
        Ok(())
    }

    /// Notes the unknown keys of an event.
    fn note_unknown_keys(&mut self, event: &str) {
        let object: BTreeMap<String, &RawValue> = serde_json::from_str(event).unwrap_or_default();
        let kind = object.get("type").map_or("", |kind| kind.get().trim_matches('"'));
        let stated = object.iter().filter(|(_, value)| value.get() != "null").map(|(key, _)| key);
        Keys::notes(kind, stated).into_iter().for_each(|note| self.reader.note(note));
    }

    /// What to call an ignored text that is no event but a message of another program. None for a broken
    /// event.
    fn name_of_ignored(&self, text: &str) -> Option<String> {
        match serde_json::from_str::<Value>(text) {
            Ok(Value::Object(object)) => match object.get("type") {
                Some(Value::String(kind)) => {
                    words::is_unknown::<Event>(kind).then(|| format!("the unknown event `{kind}`"))
                }
                Some(_) => None,
                None => Some("an event without `type`".to_owned()),
            },
            _ => self.reader.game.is_none().then(|| "text before the first deal that is no event".to_owned()),
        }
    }

    fn take(&mut self, event: Event) -> Result<(), Problem> {
        let is_game_over = self.reader.game.as_ref().is_some_and(|game| game.is_whole);
        match &event {
            _ if self.is_done => return Ok(()),
            Event::StartGame { .. } => self.is_done = self.reader.game.is_some(),
            Event::EndGame { .. } if is_game_over => return Ok(()),
            Event::StartKyoku { .. } | Event::EndGame { .. } => self.skips = false,
            _ if self.skips => return Ok(()),
            Event::Ryukyoku { reason: Some(reason), deltas, .. } => {
                check_is_a_draw(reason, deltas.as_deref())?;
            }
            _ => {}
        }
        self.reader.take(event)
    }

    /// Skips the rest of the hand because of this error. Returns the error if no hand is dealt yet.
    fn skip_from(&mut self, error: &MjaiError) -> Result<(), MjaiError> {
        if !std::mem::replace(&mut self.skips, true) {
            self.reader.break_off(&error.to_string()).ok_or_else(|| error.clone())?;
        }
        Ok(())
    }
}

/// Checks that the reason of a draw does not report a player's error.
fn check_is_a_draw(reason: &str, deltas: Option<&[i32]>) -> Result<(), Problem> {
    if !reason.to_ascii_lowercase().starts_with("error") {
        return Ok(());
    }
    let pays = |(_, points): &(u8, &i32)| **points < 0;
    let mut payers = (0..).zip(deltas.unwrap_or_default()).filter(pays).map(|(seat, _)| seat);
    let only_payer = payers.next().filter(|_| payers.next().is_none());
    let of_seat = only_payer.map_or_else(String::new, |seat| format!(" of seat {seat}"));
    Err(Problem::new(format_args!("an error{of_seat} ended the hand: {}", shortened(reason))))
}

/// The game as far as it is read.
#[derive(Default)]
pub(super) struct Reader {
    names: Vec<String>,
    /// The rules that the log states.
    stated: Option<Rules>,
    /// The rules to assume if the log states none that can be read.
    given: Option<Rules>,
    east_only: bool,
    no_reds: bool,
    game: Option<RecordedGame>,
    hand: Option<HandLog>,
    /// The current points. None after a change that the log does not state.
    points: Option<BySeat<i32>>,
    /// Notes about harmless oddities, each text once.
    notes: Vec<String>,
}

/// The error for an event of a hand outside any hand.
fn no_hand() -> Problem {
    Problem::new("no `start_kyoku` came before")
}

impl Reader {
    /// A reader of a game under these rules, unless its `start_game` states others.
    pub(super) fn under(rules: Option<&Rules>) -> Reader {
        Reader { stated: rules.copied(), ..Reader::default() }
    }

    /// The rules of the game, once a hand has started.
    pub(super) fn rules(&self) -> Option<&Rules> {
        self.game.as_ref().map(|game| &game.rules)
    }

    /// The hands before the one in play.
    pub(super) fn earlier_hands(&self) -> &[RecordedHand] {
        self.game.as_ref().map_or(&[], |game| &game.hands)
    }

    /// The hand in play, or the last one.
    pub(super) fn hand(&self) -> Option<&RecordedHand> {
        self.hand.as_ref().map(HandLog::hand)
    }

    /// Takes the next event.
    pub(super) fn take(&mut self, event: Event) -> Result<(), Problem> {
        match event {
            Event::StartGame { names, rules, gametype, aka_flag, kyoku_first, .. } => {
                if self.game.is_some() {
                    return Err(Problem::new("a second game starts"));
                }
                self.names = names;
                match rules.map(|text| Rules::from_toml(&text, "rules")).transpose() {
                    Err(error) if self.given.is_some() => {
                        self.note(format!("ignored `rules` of `start_game`: {}", error.problems[0]));
                    }
                    stated => self.stated = stated.map_err(Problem::new)?.or(self.stated),
                }
                let [short, long] = GAMETYPES;
                self.east_only = gametype.as_deref() == Some(short) || kyoku_first == Some(SHORT);
                if self.east_only && (gametype.as_deref() == Some(long) || kyoku_first == Some(0)) {
                    let what = "`gametype` and `kyoku_first` of `start_game` contradict each other";
                    self.note(what.to_owned());
                }
                if let Some(name) = gametype.filter(|name| !GAMETYPES.contains(&name.as_str())) {
                    self.note(format!("ignored `gametype` of `start_game`: {}", shortened(&name)));
                }
                if let Some(first) = kyoku_first.filter(|first| ![0, SHORT].contains(first)) {
                    self.note(format!("ignored `kyoku_first` of `start_game`: {first}"));
                }
                self.no_reds = aka_flag == Some(false);
                Ok(())
            }
            Event::StartKyoku { .. } => {
                self.close_hand();
                self.deal(event)
            }
            Event::EndGame { scores } => {
                self.close_hand();
                let game = self.game.as_mut().ok_or_else(no_hand)?;
                if game.is_whole {
                    return Err(Problem::new("the game is over"));
                }
                let players = game.rules.players;
                game.final_scores = scores.map(|scores| points("scores", &scores, players)).transpose()?;
                game.is_whole = true;
                Ok(())
            }
            Event::EndKyoku if self.hand.as_ref().is_some_and(|hand| hand.hand().end.is_none()) => {
                Err(Problem::new("the hand has no end, expected `hora` or `ryukyoku`"))
            }
            Event::EndKyoku | Event::None => Ok(()),
            event => self.play(event),
        }
    }

    /// Adds a further dora indicator of the hand, without the moment at which it is turned.
    pub(super) fn list_indicator(&mut self, marker: Pai) -> Result<(), Problem> {
        let hand = self.hand.as_mut().ok_or_else(no_hand)?;
        let mut listed = hand.hand().listed_indicators.clone().unwrap_or_default();
        listed.push(tile(marker)?);
        hand.list_indicators(listed);
        Ok(())
    }

    /// Starts the hand of a `start_kyoku`, and with the first hand the game.
    fn deal(&mut self, event: Event) -> Result<(), Problem> {
        let Event::StartKyoku { bakaze, dora_marker, kyoku, honba, kyotaku, oya, scores, tehais } = event
        else {
            return Ok(());
        };
        let tehais = hands_in_play(&tehais, scores.as_deref());
        let count = scores.as_ref().map_or(tehais.len(), |scores| scores.len().min(tehais.len()));
        let players = self.start_game(count)?;
        let count = u16::from(players.count());
        let hand_in_round = match u16::from(kyoku).checked_sub(1) {
            Some(index) if index < count => index,
            _ => return Err(Problem::value("kyoku", kyoku, format!("a number from 1 to {count}"))),
        };
        if u16::from(oya) != hand_in_round {
            return Err(Problem::value("oya", oya, hand_in_round));
        }
        let scores = self.points_at_deal(scores.as_deref(), players)?;
        self.points = Some(scores);
        // The winds start again after North.
        let mut round = bakaze.0 as u16 * count + hand_in_round;
        let before = self.earlier_hands().last().map_or(0, |hand| hand.standing.round);
        round += before.saturating_sub(round).div_ceil(4 * count) * 4 * count;
        let standing = Standing { round, honba, sticks: kyotaku, attempt: 0, dealer_wins: 0, scores };
        let indicator = dora_marker.map(tile).transpose()?;
        self.hand = Some(HandLog::new(standing, dealt(tehais, players)?, indicator));
        Ok(())
    }

    /// The players of the game, which starts here if it has not started yet.
    fn start_game(&mut self, count: usize) -> Result<Players, Problem> {
        if let Some(game) = &self.game {
            return Ok(game.rules.players);
        }
        let players = Players::try_from(u8::try_from(count).unwrap_or(u8::MAX)).map_err(Problem::new)?;
        let rules = self.stated.map_or_else(|| self.assumed_rules(players), Ok)?;
        let mut game = RecordedGame::new(rules);
        game.name_players("names", std::mem::take(&mut self.names))?;
        self.game = Some(game);
        Ok(rules.players)
    }

    /// The rules of a log that states none: the given ones if they are for this number of players, otherwise
    /// Tenhou's, with the length and the red fives that `start_game` states.
    fn assumed_rules(&self, players: Players) -> Result<Rules, Problem> {
        if let Some(given) = self.given.filter(|given| given.players == players) {
            return Ok(given);
        }
        let preset = match players {
            Players::Four => Rules::preset("tenhou"),
            Players::Three => Rules::preset("tenhou-sanma"),
            Players::Two => None,
        };
        let mut rules = preset.ok_or_else(|| {
            let count = players.count();
            Problem::new(format_args!(
                "the log does not state its rules, and there are none to assume for {count} players"
            ))
        })?;
        if self.east_only {
            rules.wind_rounds = 1;
        }
        if self.no_reds {
            rules.aka = Aka { m: 0, p: 0, s: 0 };
        }
        Ok(rules)
    }

    /// The points at a deal: as stated, or as the hand before left them.
    fn points_at_deal(&self, stated: Option<&[i32]>, players: Players) -> Result<BySeat<i32>, Problem> {
        let game = self.game.as_ref().ok_or_else(no_hand)?;
        match (stated, self.points) {
            (Some(scores), _) => points("scores", scores, players),
            (None, Some(points)) => Ok(points),
            (None, None) if game.hands.is_empty() => Ok(BySeat::splat(players, game.rules.start_points)),
            (None, None) => {
                Err(Problem::value("scores", "missing", "the points, which the hand before does not state"))
            }
        }
    }

    /// Takes an event of a hand.
    fn play(&mut self, event: Event) -> Result<(), Problem> {
        // With these events, nobody has won on the discard before. If it declared riichi, this is accepted.
        if matches!(event, Event::Tsumo { .. } | Event::Chi(_) | Event::Pon(_) | Event::Daiminkan(_)) {
            self.accept_unaccepted()?;
        }
        let players = self.game.as_ref().ok_or_else(no_hand)?.rules.players;
        let hand = self.hand.as_mut().ok_or_else(no_hand)?;
        if hand.hand().end.is_some() && !matches!(event, Event::Hora(_)) {
            return Err(Problem::new("the hand is over"));
        }
        let seat = |actor| seat_of(actor, players);
        let taken = match event {
            Event::Tsumo { actor, pai } => hand.draw(seat(actor)?, tile(pai)?),
            Event::Dahai { actor, pai, tsumogiri } => hand.discard(seat(actor)?, tile(pai)?, tsumogiri),
            Event::Chi(claim) => hand.meld(seat(claim.actor)?, meld(MeldKind::Chi, &claim, players)?),
            Event::Pon(claim) => hand.meld(seat(claim.actor)?, meld(MeldKind::Pon, &claim, players)?),
            Event::Daiminkan(claim) => {
                hand.meld(seat(claim.actor)?, meld(MeldKind::Daiminkan, &claim, players)?)
            }
            Event::Ankan { actor, consumed } => {
                hand.meld(seat(actor)?, Meld::of(MeldKind::Ankan, &tiles(&consumed)?, None)?)
            }
            Event::Kakan { actor, pai, consumed } => {
                let pon = tiles(&consumed)?;
                hand.add_to_pon(seat(actor)?, tile(pai)?, Some(&pon[..]).filter(|pon| !pon.is_empty()))
            }
            Event::Kita { actor, pai } => match pai.map_or(Ok(NORTH), tile)? {
                NORTH => hand.kita(seat(actor)?),
                other => return Err(Problem::value("pai", Pai::from(other), "N")),
            },
            Event::Dora { dora_marker } => hand.indicator(tile(dora_marker)?),
            Event::Reach { actor } => hand.declare_riichi(seat(actor)?),
            Event::ReachAccepted { actor, deltas, scores } => {
                return self.accept_riichi(seat(actor)?, deltas.as_deref(), scores.as_deref());
            }
            Event::Hora(hora) => return self.win(&hora, players),
            Event::Ryukyoku { .. } => return self.end_without_win(event),
            Event::StartGame { .. }
            | Event::StartKyoku { .. }
            | Event::EndGame { .. }
            | Event::EndKyoku
            | Event::None => Ok(()),
        };
        Ok(taken?)
    }

    /// Accepts the riichi of the last discard if the log does not.
    fn accept_unaccepted(&mut self) -> Result<(), Problem> {
        if let Some(seat) = self.hand().and_then(unaccepted_riichi) {
            self.accept_riichi(seat, None, None)?;
            self.note("`reach_accepted` is missing and was filled in".to_owned());
        }
        Ok(())
    }

    fn accept_riichi(
        &mut self,
        seat: Seat,
        deltas: Option<&[i32]>,
        scores: Option<&[i32]>,
    ) -> Result<(), Problem> {
        let (hand, game) = self.hand.as_mut().zip(self.game.as_ref()).ok_or_else(no_hand)?;
        hand.accept_riichi(seat)?;
        let (players, cost) = (game.rules.players, riichi_cost(seat, &game.rules));
        let stated = deltas.map(|deltas| points("deltas", deltas, players)).transpose()?;
        if let Some(stated) = stated.filter(|stated| *stated != cost) {
            return Err(Problem::value("deltas", format!("{stated:?}"), format!("{cost:?}")));
        }
        self.settle(Some(&cost), scores)
    }

    fn win(&mut self, hora: &Hora, players: Players) -> Result<(), Problem> {
        let hand = self.hand.as_mut().ok_or_else(no_hand)?;
        let mut win = win::read(hora, hand.hand(), players)?;
        win.deltas = win.deltas.or(changes(self.points, hora.scores.as_deref(), players)?);
        let (one, other) = (hora.ura_markers.as_ref(), hora.uradora_markers.as_ref());
        if let (Some(one), Some(other)) = (one, other)
            && one != other
        {
            let expected = format!("{} as in `ura_markers`", spaced(one));
            return Err(Problem::value("uradora_markers", spaced(other), expected));
        }
        if let Some(markers) = one.or(other).filter(|markers| !markers.is_empty()) {
            hand.ura_indicators(tiles(markers)?);
        }
        let deltas = win.deltas;
        hand.win(win)?;
        self.settle(deltas.as_ref(), hora.scores.as_deref())
    }

    /// Ends the hand of a `ryukyoku`.
    fn end_without_win(&mut self, event: Event) -> Result<(), Problem> {
        let Event::Ryukyoku { reason, tehais, tenpais, deltas, scores } = event else { return Ok(()) };
        let draw = reason.as_deref().map(draw_reason).transpose()?;
        if draw != Some(DrawReason::TripleRon) {
            self.accept_unaccepted()?;
        }
        let hand = self.hand.as_mut().ok_or_else(no_hand)?;
        let players = hand.hand().standing.scores.players();
        let deltas = match deltas {
            Some(deltas) => Some(points("deltas", &deltas, players)?),
            None => changes(self.points, scores.as_deref(), players)?,
        };
        for (seat, stated) in players.seats().zip(tehais.iter().flatten()) {
            if stated.iter().all(|pai| pai.0.is_some()) {
                check_tiles("tehais", stated, hand.hand(), seat, None)?;
            }
        }
        let is_tenpai = |list: &[bool], seat: &Seat| list.get(seat.index()) == Some(&true);
        let tenpai = tenpais
            .filter(|_| draw.is_some_and(|reason| !reason.is_abortive()))
            .map(|list| players.seats().filter(|seat| is_tenpai(&list, seat)).collect());
        hand.end(RecordedEnd { wins: Vec::new(), draw, tenpai, deltas })?;
        self.settle(deltas.as_ref(), scores.as_deref())
    }

    /// Changes the points by `deltas`, and checks the points that the log states afterwards.
    fn settle(&mut self, deltas: Option<&BySeat<i32>>, scores: Option<&[i32]>) -> Result<(), Problem> {
        let players = self.game.as_ref().ok_or_else(no_hand)?.rules.players;
        let stated = scores.map(|scores| points("scores", scores, players)).transpose()?;
        let expected = self.points.zip(deltas).map(|(points, deltas)| points.saturating_add(deltas));
        self.points = stated.or(expected);
        match (stated, expected) {
            (Some(stated), Some(expected)) if stated != expected => {
                Err(Problem::value("scores", format!("{stated:?}"), format!("{expected:?}")))
            }
            _ => Ok(()),
        }
    }

    /// Adds a note, unless it is there.
    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Marks a gap in the latest hand. None if no hand is dealt yet.
    fn break_off(&mut self, why: &str) -> Option<()> {
        match &mut self.hand {
            Some(hand) => hand.break_off(why),
            None => self.game.as_mut()?.hands.last_mut()?.break_off(why),
        }
        Some(())
    }

    fn close_hand(&mut self) {
        if let (Some(game), Some(hand)) = (&mut self.game, self.hand.take()) {
            game.hands.push(hand.into_hand());
        }
    }

    fn finish(mut self) -> Result<Log, Problem> {
        self.close_hand();
        let mut game = self.game.ok_or_else(|| Problem::new("no hand is dealt"))?;
        game.notes.append(&mut self.notes);
        Ok(Log { game, states_rules: self.stated.is_some() })
    }
}

/// The dealt tiles of the players. Games of three players may have a hidden hand and 0 points for a
/// fourth.
fn hands_in_play<'a>(tehais: &'a [Vec<Pai>], scores: Option<&[i32]>) -> &'a [Vec<Pai>] {
    let is_hidden = |tiles: &Vec<Pai>| tiles.iter().all(|pai| pai.0.is_none());
    match (tehais, scores) {
        ([first @ .., fourth], None | Some([_, _, _] | [_, _, _, 0]))
            if first.len() == 3 && is_hidden(fourth) && !first.iter().any(is_hidden) =>
        {
            first
        }
        _ => tehais,
    }
}

/// The changes that lead from these points to those that the log states. None if either is not known.
fn changes(
    before: Option<BySeat<i32>>,
    scores: Option<&[i32]>,
    players: Players,
) -> Result<Option<BySeat<i32>>, Problem> {
    let after = scores.map(|scores| points("scores", scores, players)).transpose()?;
    let change = |(before, after): (BySeat<i32>, BySeat<i32>)| {
        BySeat::from_fn(players, |seat| after[seat].saturating_sub(before[seat]))
    };
    Ok(before.zip(after).map(change))
}

fn draw_reason(name: &str) -> Result<DrawReason, Problem> {
    let found = REASONS.iter().find(|(_, names)| names.contains(&name));
    found.map(|(reason, _)| *reason).ok_or_else(|| {
        let names: Vec<&str> = REASONS.iter().flat_map(|(_, names)| *names).copied().collect();
        Problem::value("reason", format!("`{name}`"), format!("one of {}", names.join(", ")))
    })
}

/// The player with whose riichi discard the events end, indicators aside. None if the hand is over.
fn unaccepted_riichi(hand: &RecordedHand) -> Option<Seat> {
    let mut latest = hand.events.iter().rev();
    match latest.find(|event| !matches!(event, EngineEvent::Indicator { .. }))? {
        EngineEvent::Discard { seat, declare: Declare::Riichi | Declare::OpenRiichi, .. }
            if hand.end.is_none() =>
        {
            Some(*seat)
        }
        _ => None,
    }
}

fn meld(kind: MeldKind, claim: &Claim, players: Players) -> Result<Meld, Problem> {
    let claimed = Claimed { tile: tile(claim.pai)?, from: seat_of(claim.target, players)? };
    Ok(Meld::of(kind, &tiles(&claim.consumed)?, Some(claimed))?)
}
