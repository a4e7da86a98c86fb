//! The paipu of the program majiang (電脳麻将), in JSON.
//!
//! A paipu has the lists of events of its hands under `log`. Players (`player`, `defen`, `point`) are
//! numbered from the player in seat 0, `qijia` is the first dealer among them, and `l` of an event
//! counts from the dealer of its hand.
//!
//! - `document`: the fields of a paipu and its events
//! - `tiles`: texts of tiles, hands and melds
//! - `hand`: one hand
//! - [`read()`]: a recorded game from its text

mod document;
mod hand;
mod tiles;

use document::Paipu;
use hand::{HandReader, Play};
use jantaku_engine::replay::{RecordedGame, RecordedHand};
use jantaku_engine::rules::options::FinalRounding;
use jantaku_engine::{BySeat, Players, Rules, Seat};
use serde_json::Value;

use super::tenhou::{self, fields};
use super::{LogError, Problem, json, note_ignored};

/// The number of players.
const PLAYERS: Players = Players::Four;

/// Reads a paipu. It states no rules: they are the given ones, or else the first of majiang's,
/// Tenhou's and Mahjong Soul's under which the game replays as recorded.
///
/// An event of an unknown name is ignored, and the game has a note. Another event after the first deal
/// that cannot be read leaves a gap in its hand
/// ([`RecordedHand::gap`]). The hands after it are read.
///
/// # Errors
///
/// If the text is not a paipu or is broken before the first deal.
pub fn read(text: &str, given: Option<&Rules>) -> Result<RecordedGame, LogError> {
    let paipu: Paipu = json::read(text)?;
    let mut game = RecordedGame::new(given.copied().unwrap_or_else(|| preset("majiang-default")));
    if game.rules.players != PLAYERS {
        let what = format!("a game of 4 players, but the rules are for {}", game.rules.players.count());
        return Err(LogError::at("the game", Problem::Rules(what)));
    }
    for (number, hand) in paipu.log.iter().enumerate() {
        let in_hand = |problem| LogError::at(format!("hand {number}"), problem);
        match read_hand(hand, &mut game.notes) {
            Ok(hand) => game.hands.push(hand),
            Err(problem) => match game.hands.last_mut() {
                Some(last) => last.break_off(&in_hand(problem).to_string()),
                None => return Err(in_hand(problem)),
            },
        }
    }
    if game.hands.is_empty() {
        return Err(LogError::at("`log`", Problem::Missing("the first hand".to_owned())));
    }
    add_players(&mut game, &paipu).map_err(|problem| LogError::at("the players", problem))?;
    game.break_off_if_unfinished();
    if given.is_none() {
        fit(&mut game);
    }
    Ok(game)
}

fn preset(name: &str) -> Rules {
    Rules::preset(name).expect("the engine has this preset")
}

/// Reads the events of a hand. One that cannot be read after the deal leaves a gap. Adds a note about
/// each unknown name of an event, which is ignored.
fn read_hand(hand: &Value, notes: &mut Vec<String>) -> Result<RecordedHand, Problem> {
    let events = hand.as_array().ok_or_else(|| Problem::value("hand", hand, "a list of events"))?;
    let (first, events) = events.split_first().ok_or_else(|| Problem::Missing("`qipai`".to_owned()))?;
    let mut hand = HandReader::deal(first)?;
    for (number, event) in (1..).zip(events) {
        if let Err(problem) = take(&mut hand, event, notes) {
            hand.break_off(&LogError::at(format!("event {number}"), problem).to_string());
            break;
        }
    }
    Ok(hand.into_hand())
}

/// Adds an event to a hand, or a note if its name is not known.
fn take(hand: &mut HandReader, event: &Value, notes: &mut Vec<String>) -> Result<(), Problem> {
    let (name, fields) = hand::parts(event)?;
    match Play::read(name, fields)? {
        Some(play) => hand.take(&play),
        None => {
            note_ignored(notes, format_args!("event `{name}`"));
            Ok(())
        }
    }
}

/// Adds names, final points and results.
fn add_players(game: &mut RecordedGame, paipu: &Paipu) -> Result<(), Problem> {
    let first = fields::seat(paipu.qijia, PLAYERS)?;
    // The player in a seat, which counts from the first dealer.
    let player = |seat: Seat| first.after(seat.number(), PLAYERS).index();
    for (seat, name) in PLAYERS.seats().zip(&mut game.names) {
        *name = paipu.player.get(player(seat)).cloned().unwrap_or_default();
    }
    let by_seat = |list: &[f64], unit: f64| {
        (list.len() == 4).then(|| BySeat::from_fn(PLAYERS, |seat| (list[player(seat)] * unit).round() as i32))
    };
    game.final_scores = by_seat(&paipu.defen, 1.0);
    game.is_whole = game.final_scores.is_some() && !paipu.point.is_empty();
    // The program rounds halves up below zero, too, which is no rule of ours: -1,500 to -1,000.
    let is_odd = |points: &i32| *points < 0 && *points % 1000 == -500;
    let is_comparable = game.final_scores.is_none_or(|scores| !scores.iter().any(is_odd));
    game.results = by_seat(&paipu.results()?, 1000.0).filter(|_| is_comparable);
    Ok(())
}

/// Gives the game the first rules of a program that writes or converts to this format under which
/// it replays as recorded.
fn fit(game: &mut RecordedGame) {
    let lengths = [2, 1].map(|wind_rounds| Rules { wind_rounds, ..preset("majiang-default") });
    // The program rounds results by default.
    let rounded = |rules| [Rules { final_rounding: FinalRounding::HalfUp, ..rules }, rules];
    let others = ["majiang-classic", "mjsoul", "mjsoul-tonpuu"].map(preset);
    let rules = lengths.into_iter().flat_map(rounded).chain(others);
    if tenhou::first_fit(game, rules).is_none() {
        tenhou::fit_rules(game, None);
    }
}
