//! Reduces the events of other programs to the values that a player needs.
//!
//! Programs state different values. Those that a player does not need are dropped, so a wrong one
//! does no harm. Missing values that can be derived are filled in.

use std::collections::BTreeSet;

use jantaku_engine::replay::RecordedHand;
use jantaku_engine::{Declare, Event as EngineEvent, Players, Rules, Seat, TileSet, shortened};
use serde_json::{Map, Value};

use crate::mjai::event::{Event, GAMETYPES, REASONS, SHORT};
use crate::mjai::keys::Keys;
use crate::mjai::pai::Pai;
use crate::mjai::words;

/// An event as another program states it.
pub(super) type Object = Map<String, Value>;

/// Notes about ignored parts of lines, each one once.
#[derive(Debug, Default)]
pub(super) struct Notes {
    said: BTreeSet<String>,
    new: Vec<String>,
}

impl Notes {
    /// Adds a note about an ignored part of a line, unless an earlier note has the same text.
    pub(super) fn add(&mut self, line: usize, what: String) {
        if !self.said.contains(&what) {
            self.new.push(format!("line {line}: {what}"));
            self.said.insert(what);
        }
    }

    /// Removes and returns the notes since the last call.
    pub(super) fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.new)
    }
}

/// What a player knows when an event arrives.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    /// The seat of the player.
    pub(super) own: u8,
    /// The rules, once they are known.
    pub(super) rules: Option<&'a Rules>,
    /// Whether `start_game` has a fourth name that is empty.
    pub(super) lacks_fourth_name: bool,
    /// The hand in play, or the last one.
    pub(super) hand: Option<&'a RecordedHand>,
}

/// Reads the parts of an event that a player needs. None if the event is ignored: its type is missing or
/// unknown, or it lacks a key without which it says nothing.
///
/// # Errors
///
/// If a value that a player needs is missing or wrong.
pub(super) fn read(
    mut object: Object,
    view: &View<'_>,
    note: &mut dyn FnMut(String),
) -> Result<Option<Event>, String> {
    object.retain(|_, value| !value.is_null());
    let Some(stated) = object.get("type").and_then(Value::as_str).map(str::to_owned) else {
        note("ignored an event without `type`".to_owned());
        return Ok(None);
    };
    // A hidden indicator says as little as a missing one.
    if object.get("dora_marker").is_some_and(|marker| marker == "?") {
        object.remove("dora_marker");
    }
    let kind = if stated == "hora" && !object.contains_key("actor") {
        note("`hora` has no `actor`, so the winner is not known".to_owned());
        "ryukyoku"
    } else {
        &stated
    };
    let Some(keys) = Keys::of(kind) else {
        note(format!("ignored the unknown event `{kind}`"));
        return Ok(None);
    };
    Keys::notes(&stated, object.keys()).into_iter().for_each(&mut *note);
    if kind == "error" {
        note(error_note(&object));
    }
    fill_in(kind, &mut object, view);
    if let Some(lacking) = lacking(kind, &object) {
        note(format!("ignored `{kind}` without `{lacking}`"));
        return Ok(None);
    }
    reduced(kind, &keys, object, view, note).map(Some)
}

/// The key that an event of this type needs and this one lacks, if any. A player can ignore such an
/// event.
fn lacking(kind: &str, object: &Object) -> Option<&'static str> {
    let key = match kind {
        "dora" => "dora_marker",
        "reach_accepted" => "actor",
        _ => return None,
    };
    (!object.contains_key(key)).then_some(key)
}

/// The note that an `error` event was ignored, with what the event says.
fn error_note(object: &Object) -> String {
    let text = ["message", "error", "reason"].iter().find_map(|key| object.get(*key)).map(Value::to_string);
    let text = text.map_or_else(String::new, |text| format!(": {}", shortened(&text)));
    format!("ignored an `error` event{text}")
}

/// The event with the needed keys, and with the used ones whose values are right.
fn reduced(
    kind: &str,
    Keys { needed, used, .. }: &Keys,
    mut object: Object,
    view: &View<'_>,
    note: &mut dyn FnMut(String),
) -> Result<Event, String> {
    let mut kept = Object::from_iter([("type".to_owned(), kind.into())]);
    let parts = needed.iter().filter_map(|key| object.remove_entry(*key));
    kept.extend(parts);
    let mut event: Event = words::read(&kept.clone().into())?;
    for key in *used {
        let Some(value) = object.remove(*key) else { continue };
        let mut more = kept.clone();
        more.insert((*key).to_owned(), value.clone());
        match serde_json::from_value(more.clone().into()) {
            Ok(read) if fits(key, &value, view) => (event, kept) = (read, more),
            _ => note(format!("ignored `{key}` of `{kind}`: {}", shortened(&value.to_string()))),
        }
    }
    Ok(event)
}

/// Whether an optional value is possible under the rules.
fn fits(key: &str, value: &Value, view: &View<'_>) -> bool {
    let count = |list: &Value| list.as_array().map_or(0, Vec::len);
    match key {
        "scores" | "deltas" => match view.rules {
            Some(rules) => count(value) >= usize::from(rules.players.count()),
            None => (2..=4).contains(&count(value)),
        },
        "reason" => REASONS.iter().any(|(_, names)| names.iter().any(|name| value == name)),
        "gametype" => GAMETYPES.iter().any(|name| value == name),
        "kyoku_first" => [0, u64::from(SHORT)].contains(&value.as_u64().unwrap_or(u64::MAX)),
        "rules" => value.as_str().is_some_and(|text| Rules::from_toml(text, "rules").is_ok()),
        _ => true,
    }
}

/// Fills in values that follow from the rest of the event or from earlier ones, and hides those the
/// player does not see.
fn fill_in(kind: &str, object: &mut Object, view: &View<'_>) {
    let is_own = object.get("actor").and_then(Value::as_u64) == Some(view.own.into());
    match kind {
        "start_kyoku" => fill_in_deal(object, view),
        "tsumo" if !is_own => drop(object.insert("pai".to_owned(), "?".into())),
        "dahai" => {
            let tsumogiri = is_tsumogiri(object, view);
            object.insert("tsumogiri".to_owned(), tsumogiri.into());
        }
        "hora" if !object.contains_key("target") => {
            object.insert("target".to_owned(), object["actor"].clone());
        }
        "reach_accepted" => fill_in_discarder("actor", object, last_discard(view, true)),
        "chi" | "pon" | "daiminkan" => fill_in_discarder("target", object, last_discard(view, false)),
        _ => {}
    }
}

/// Fills in the seat of a discard under this key.
fn fill_in_discarder(key: &str, object: &mut Object, discarder: Option<Seat>) {
    if let Some(seat) = discarder {
        object.entry(key).or_insert(seat.number().into());
    }
}

/// The seat of the last discard of the hand, or of the last one that declares riichi.
fn last_discard(view: &View<'_>, is_riichi: bool) -> Option<Seat> {
    view.hand?.events.iter().rev().find_map(|event| match event {
        EngineEvent::Discard { seat, declare, .. } if !is_riichi || *declare == Declare::Riichi => {
            Some(*seat)
        }
        _ => None,
    })
}

/// Fills in a `start_kyoku`, hides the hands of the others, and drops a fourth hand and score from games of
/// three.
fn fill_in_deal(object: &mut Object, view: &View<'_>) {
    let dealer = object.get("kyoku").and_then(Value::as_u64).map_or(0, |kyoku| kyoku.saturating_sub(1));
    object.entry("honba").or_insert(0.into());
    object.entry("oya").or_insert(dealer.into());
    let has_three = match (view.rules, object.get("num_players").and_then(Value::as_u64)) {
        (Some(rules), _) => rules.players == Players::Three,
        (None, Some(players)) => players == 3,
        (None, None) => are_three_players(object, view),
    };
    for key in ["tehais", "scores"] {
        let list = object.get_mut(key).and_then(Value::as_array_mut);
        list.into_iter().filter(|_| has_three).for_each(|list| list.truncate(3));
    }
    let hands = object.get_mut("tehais").and_then(Value::as_array_mut).into_iter().flatten();
    let others = hands.zip(0_u8..).filter(|(_, seat)| *seat != view.own);
    others.for_each(|(hand, _)| *hand = vec![Value::from("?"); 13].into());
}

/// Whether an event lists something for four players.
pub(super) fn lists_four(object: &Object) -> bool {
    ["names", "tehais", "scores"].iter().any(|key| list(object, key).len() == 4)
}

/// Whether nobody sits at the fourth seat of a `start_kyoku` with four hands.
///
/// Four players may have no points left, too, or all start with none. So the lack of points alone
/// shows nothing: the fourth name or hand has to be missing, or the points are those of three
/// players. A sign of four players overrules all of this.
fn are_three_players(object: &Object, view: &View<'_>) -> bool {
    if needs_four_players(object, view.own) {
        return false;
    }
    let lacks_name = view.lacks_fourth_name;
    let scores: Vec<i64> = list(object, "scores").iter().filter_map(Value::as_i64).collect();
    let lacks_hand =
        list(object, "tehais").get(3).is_some_and(|hand| hand.as_array().is_none_or(Vec::is_empty));
    match scores.get(3) {
        Some(score) => *score == 0 && (lacks_name || lacks_hand || are_of_three(&scores, object)),
        None => scores.len() == 3 || lacks_hand && lacks_name,
    }
}

/// Whether a `start_kyoku` can only be one of four players: the fourth player deals or is the
/// player here, or there is a tile from 2m to 8m.
fn needs_four_players(object: &Object, own: u8) -> bool {
    let is_fourth = |key, number: u64| object.get(key).and_then(Value::as_u64) == Some(number);
    let hand = list(object, "tehais").get(usize::from(own)).and_then(Value::as_array);
    let mut tiles = hand.into_iter().flatten().chain(object.get("dora_marker"));
    own == 3 || is_fourth("oya", 3) || is_fourth("kyoku", 4) || tiles.any(is_of_four)
}

/// Whether games of three players lack this tile.
fn is_of_four(tile: &Value) -> bool {
    let pai = serde_json::from_value::<Pai>(tile.clone()).ok();
    pai.and_then(|pai| pai.0).is_some_and(|tile| !TileSet::THREE_PLAYER.contains(tile.kind()))
}

/// Whether four scores with 0 as the last are those of three players. They are if the sum, with the
/// riichi sticks on the table, is 105,000, or if the three have equal points at the start of the game.
fn are_of_three(scores: &[i64], object: &Object) -> bool {
    let number = |key| object.get(key).and_then(Value::as_i64).unwrap_or(0);
    let is_first = number("kyoku") == 1 && number("honba") == 0 && object.get("bakaze") == Some(&"E".into());
    let are_equal = scores[0] > 0 && scores[..3].iter().all(|score| *score == scores[0]);
    let sticks = number("kyotaku").saturating_add(number("kyoutaku")).saturating_mul(1000);
    let total = scores.iter().fold(sticks, |total, score| total.saturating_add(*score));
    total == 105_000 || (is_first && are_equal)
}

/// The list of this key. Empty without it.
fn list<'a>(object: &'a Object, key: &str) -> &'a [Value] {
    object.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Whether a discard is the drawn tile: the event says so, or [`must_be_tsumogiri`].
fn is_tsumogiri(object: &Object, view: &View<'_>) -> bool {
    let stated = object.get("tsumogiri").and_then(Value::as_bool);
    stated == Some(true) || must_be_tsumogiri(object, stated.is_none(), view).unwrap_or(false)
}

/// Whether a discard must be the drawn tile. If the event leaves `tsumogiri` out (`is_unstated`), an own
/// discard of a tile identical to the drawn one counts as drawn. None if the hand is not known well enough.
fn must_be_tsumogiri(object: &Object, is_unstated: bool, view: &View<'_>) -> Option<bool> {
    let (hand, rules) = (view.hand?, view.rules?);
    let actor = object.get("actor").and_then(Value::as_u64)?;
    let seat = rules.players.seats().find(|seat| u64::from(seat.number()) == actor)?;
    let tile = serde_json::from_value::<Pai>(object.get("pai")?.clone()).ok()?.0?;
    let drawn = match hand.events.last()? {
        EngineEvent::Draw { seat: drawer, tile, .. } if *drawer == seat => (*tile)?,
        _ => return Some(false),
    };
    if seat.number() != view.own {
        return Some(hand.events.contains(&EngineEvent::RiichiAccepted { seat }));
    }
    let copies = hand.held(seat)?.iter().filter(|held| **held == tile).count();
    Some(tile == drawn && (is_unstated || copies == 1))
}
