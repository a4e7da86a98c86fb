//! Positions from TOML.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::text::{own_kan, parse_melds, parse_river};
use super::{Held, NAMES, Places, PlayerSetup, Position, PositionError, RiverEntry, Wrong, many};
use crate::notation::parse_tiles;
use crate::rules::options::{Extension, North, TileKinds};
use crate::rules::{Preset, Rules};
use crate::wall::Wall;
use crate::{BySeat, Players, Seat, Tile, TileKind, Wind, shortened};

/// The file of a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rules: Option<Spanned<String>>,
    round: Option<Spanned<String>>,
    honba: Option<Spanned<u16>>,
    sticks: Option<Spanned<u16>>,
    indicators: Option<Spanned<String>>,
    dora: Option<Spanned<String>>,
    seat: Spanned<String>,
    live: Option<Spanned<u8>>,
    turn: Option<Spanned<u8>>,
    east: Option<Spanned<PlayerTable>>,
    south: Option<Spanned<PlayerTable>>,
    west: Option<Spanned<PlayerTable>>,
    north: Option<Spanned<PlayerTable>>,
}

/// The table of a player.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct PlayerTable {
    score: Option<Spanned<i32>>,
    river: Option<Spanned<String>>,
    melds: Option<Spanned<String>>,
    kita: Option<Spanned<Norths>>,
    hand: Option<Spanned<String>>,
}

/// A number of Norths set aside.
struct Norths(u8);

impl<'de> Deserialize<'de> for Norths {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Norths, D::Error> {
        deserializer.deserialize_i64(NorthsVisitor)
    }
}

struct NorthsVisitor;

impl Visitor<'_> for NorthsVisitor {
    type Value = Norths;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the number of Norths set aside, from 0 to 4")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Norths, E> {
        let norths = u8::try_from(number).ok().filter(|norths| *norths <= 4);
        norths.map(Norths).ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }
}

/// Takes values and records the lines of their fields.
struct Reader<'a> {
    text: &'a str,
    places: Places,
}

impl Reader<'_> {
    fn take<T>(&mut self, field: String, value: Spanned<T>) -> T {
        let line = self.line(value.span().start);
        self.places.lines.insert(field, line);
        value.into_inner()
    }

    fn line(&self, byte: usize) -> usize {
        self.text[..byte].matches('\n').count() + 1
    }
}

impl Position {
    /// Reads a position. The rules are a preset; without them, they are `tenhou`.
    ///
    /// `origin` is the file name for messages.
    ///
    /// # Errors
    ///
    /// If the text is not TOML, a field is unknown or missing, or a value is not allowed.
    pub fn from_toml(text: &str, origin: &str) -> Result<Position, PositionError> {
        Position::from_toml_with(text, origin, |name| {
            Rules::preset(name).ok_or_else(|| format!("found `{}`, {}", shortened(name), Preset::known(name)))
        })
    }

    /// Reads a position whose rules `load` finds by name, such as the rules of a file.
    ///
    /// # Errors
    ///
    /// See [`Position::from_toml`].
    pub fn from_toml_with(
        text: &str,
        origin: &str,
        load: impl FnOnce(&str) -> Result<Rules, String>,
    ) -> Result<Position, PositionError> {
        let places = Places { origin: origin.to_owned(), lines: BTreeMap::new() };
        let mut reader = Reader { text, places };
        let file: File = toml::from_str(text).map_err(|error| PositionError {
            origin: origin.to_owned(),
            line: error.span().map(|span| reader.line(span.start)),
            field: None,
            what: with_ranges(error.message()),
        })?;
        read(file, &mut reader, load).map_err(|wrong| reader.places.error(wrong))
    }
}

/// An error of a value with ranges in place of Rust's types of numbers.
fn with_ranges(message: &str) -> String {
    let replaced = |kind: &str, range: &str| {
        let message = message.strip_suffix(kind)?;
        Some(format!("{message}a whole number from {range}"))
    };
    replaced("u8", "0 to 255")
        .or_else(|| replaced("u16", "0 to 65535"))
        .or_else(|| replaced("i32", "-2147483648 to 2147483647"))
        .unwrap_or_else(|| message.to_owned())
}

fn read(
    file: File,
    reader: &mut Reader<'_>,
    load: impl FnOnce(&str) -> Result<Rules, String>,
) -> Result<Position, Wrong> {
    let rules_name = file.rules.map_or_else(|| "tenhou".to_owned(), |name| reader.take("rules".into(), name));
    let rules = load(&rules_name).map_err(|what| Wrong::new("rules", what))?;
    let players = rules.players;
    let round = file.round.map_or_else(|| "E1".to_owned(), |round| reader.take("round".into(), round));
    let round = parse_round(&round, &rules)?;
    let dealer = players.dealer(round);
    let seat = parse_seat(&reader.take("seat".into(), file.seat), dealer, players)?;
    let mut take =
        |field: &str, text: Option<Spanned<String>>| text.map(|text| reader.take(field.into(), text));
    let (indicators, dora) = (take("indicators", file.indicators), take("dora", file.dora));
    let indicators = indicators_of(indicators, dora, &rules)?;
    let mut position = Position {
        rules_name,
        rules,
        round,
        honba: file.honba.map_or(0, |honba| reader.take("honba".into(), honba)),
        sticks: file.sticks.map_or(0, |sticks| reader.take("sticks".into(), sticks)),
        indicators,
        seat,
        live: file.live.map(|live| reader.take("live".into(), live)),
        turn: file.turn.map(|turn| parse_turn(reader.take("turn".into(), turn))).transpose()?,
        players: BySeat::from_fn(players, |_| PlayerSetup::default()),
        places: Places::default(),
    };
    for (wind, table) in [file.east, file.south, file.west, file.north].into_iter().enumerate() {
        let Some(table) = table else { continue };
        let table = reader.take(NAMES[wind].to_owned(), table);
        if wind >= usize::from(players.count()) {
            let what = format!("found this player, expected {} players by the rules", players.count());
            return Err(Wrong::new(NAMES[wind], what));
        }
        let owner = dealer.after(wind as u8, players);
        position.players[owner] = read_player(table, &position, owner, reader)?;
    }
    position.check()?;
    position.places = reader.places.clone();
    Ok(position)
}

fn parse_round(text: &str, rules: &Rules) -> Result<u16, Wrong> {
    let players = rules.players;
    let wrong = || {
        let what = format!(
            "found `{}`, expected a wind and a number from 1 to {}, such as \"S1\"",
            shortened(text),
            players.count()
        );
        Wrong::new("round", what)
    };
    let mut letters = text.chars();
    let wind = letters.next().and_then(|letter| Wind::ALL.into_iter().find(|wind| wind.letter() == letter));
    let number = letters.as_str().parse::<u16>().ok();
    let number = number.filter(|number| (1..=u16::from(players.count())).contains(number));
    match (wind, number) {
        (Some(wind), Some(number)) => {
            let round = wind as u16 * u16::from(players.count()) + number - 1;
            match last_wind(rules).filter(|last| *last < wind) {
                Some(last) => {
                    let what = format!(
                        "found `{text}`, expected at most `{}{}`: by the rules, every game is over after it",
                        last.letter(),
                        players.count()
                    );
                    Err(Wrong::new("round", what))
                }
                None => Ok(round),
            }
        }
        _ => Err(wrong()),
    }
}

/// The last round wind that games can have. None if it can be any, or if games have one hand.
fn last_wind(rules: &Rules) -> Option<Wind> {
    let extension = match rules.extension {
        Extension::None => 0,
        _ => usize::try_from(rules.extension_rounds.0?).ok()?,
    };
    let last = (usize::from(rules.wind_rounds) + extension).checked_sub(1)?;
    Wind::ALL.get(last).copied().filter(|_| rules.wind_rounds > 0)
}

fn parse_seat(text: &str, dealer: Seat, players: Players) -> Result<Seat, Wrong> {
    let names = &NAMES[..usize::from(players.count())];
    let mut known = names.iter().map(|name| [name, &name[..1]]);
    let wind = known.position(|known| known.iter().any(|name| name.eq_ignore_ascii_case(text)));
    let wind = wind.ok_or_else(|| {
        let what = format!("found `{}`, expected one of {}", shortened(text), names.join(", "));
        Wrong::new("seat", what)
    })?;
    Ok(dealer.after(wind as u8, players))
}

fn parse_turn(turn: u8) -> Result<u8, Wrong> {
    let wrong = || Wrong::new("turn", "found 0, expected the number of the turn, from 1");
    (turn > 0).then_some(turn).ok_or_else(wrong)
}

/// The dora indicators, or those of given dora.
fn indicators_of(
    indicators: Option<String>,
    dora: Option<String>,
    rules: &Rules,
) -> Result<Vec<Tile>, Wrong> {
    let Some(dora) = dora else {
        return tiles_of(&indicators.unwrap_or_default()).map_err(|what| Wrong::new("indicators", what));
    };
    if indicators.is_some() {
        return Err(Wrong::new("dora", "found `indicators`, too, expected one of them"));
    }
    let tiles = tiles_of(&dora).map_err(|what| Wrong::new("dora", what))?;
    let three = rules.tiles == TileKinds::ThreePlayer;
    let indicator = |tile: Tile| {
        let kind = rules.kinds().iter().find(|kind| kind.dora(three) == tile.kind());
        let none = || Wrong::new("dora", format!("{tile}: no indicator makes it dora by the rules"));
        kind.map(Tile::plain).ok_or_else(none)
    };
    tiles.into_iter().map(indicator).collect()
}

/// Tiles in notation, with or without spaces.
fn tiles_of(text: &str) -> Result<Vec<Tile>, String> {
    let joined: String = text.split_whitespace().collect();
    parse_tiles(&joined).map_err(|error| error.to_string())
}

fn read_player(
    table: PlayerTable,
    position: &Position,
    owner: Seat,
    reader: &mut Reader<'_>,
) -> Result<PlayerSetup, Wrong> {
    let mut take = |field: &str, text: Option<Spanned<String>>| {
        text.map(|text| reader.take(position.field(owner, field), text))
    };
    let river = take("river", table.river).unwrap_or_default();
    let river = parse_river(&river).map_err(|what| position.wrong(owner, "river", what))?;
    let melds = take("melds", table.melds).unwrap_or_default();
    let melds = parse_melds(&melds, owner, position.rules.players)
        .map_err(|what| position.wrong(owner, "melds", what))?;
    let hand = take("hand", table.hand);
    let hand =
        hand.map(|text| parse_hand(&text)).transpose().map_err(|what| position.wrong(owner, "hand", what))?;
    let score = table.score.map(|score| reader.take(position.field(owner, "score"), score));
    let kita = table.kita.map_or(0, |kita| reader.take(position.field(owner, "kita"), kita).0);
    Ok(PlayerSetup { score, river, melds, kita, hand })
}

fn parse_hand(text: &str) -> Result<Held, String> {
    let (tiles, drawn) = match text.split_once(['+', '＋']) {
        Some((tiles, drawn)) => (tiles, Some(drawn)),
        None => (text, None),
    };
    let one = |drawn: &str| match tiles_of(drawn)?.as_slice() {
        [tile] => Ok(*tile),
        tiles => Err(format!("found {} after `+`, expected one", many(tiles.len(), "tile"))),
    };
    Ok(Held { tiles: tiles_of(tiles)?, drawn: drawn.map(one).transpose()? })
}

impl Position {
    /// Checks counts of tiles and contradicting marks, before any play.
    fn check(&self) -> Result<(), Wrong> {
        for seat in self.rules.players.seats() {
            self.check_river(seat)?;
            self.check_melds(seat)?;
            self.check_hand(seat)?;
        }
        let most = usize::from(self.rules.max_indicators());
        if self.indicators.len() > most || self.indicators.is_empty() && self.rules.dora {
            let found = many(self.indicators.len(), "dora indicator");
            let advice = if self.indicators.is_empty() { "; set `dora` or `indicators`" } else { "" };
            let what = format!("found {found}, expected 1 to {most}{advice}");
            return Err(Wrong::new("indicators", what));
        }
        self.check_copies()
    }

    fn check_river(&self, seat: Seat) -> Result<(), Wrong> {
        let mut in_riichi = false;
        for (index, entry) in self.players[seat].river.iter().enumerate() {
            let RiverEntry::Discard(dropped) = entry else { continue };
            let wrong = |what: String| {
                let entry = super::text::entry_text(*entry);
                Err(self.wrong(seat, "river", format!("entry {} `{entry}`: {what}", index + 1)))
            };
            if in_riichi && dropped.riichi {
                return wrong("found a second riichi".to_owned());
            }
            if in_riichi && !dropped.tsumogiri {
                return wrong(format!(
                    "found a discard from the hand after riichi, expected `{}*`",
                    dropped.tile
                ));
            }
            in_riichi |= dropped.riichi;
        }
        if in_riichi && self.players[seat].melds.iter().any(|declared| declared.meld.is_open()) {
            return Err(self.wrong(seat, "melds", "found an open meld of a player in riichi"));
        }
        Ok(())
    }

    fn check_melds(&self, seat: Seat) -> Result<(), Wrong> {
        let player = &self.players[seat];
        let count = |entry: RiverEntry| player.river.iter().filter(|other| **other == entry).count();
        let timed = count(RiverEntry::Kita);
        if player.kita > 0 || timed > 0 {
            if self.rules.north != North::Nukidora {
                let what = "found Norths set aside, expected none by the rules: `north` is not \"Nukidora\", \
                            as it is in tenhou-sanma";
                return Err(self.wrong(seat, "kita", what));
            }
            if timed > usize::from(player.kita) {
                let what = format!(
                    "found {}, but the river has {timed} `<kita>`: expected `kita = {timed}`",
                    player.kita
                );
                return Err(self.wrong(seat, "kita", what));
            }
        }
        for entry in &player.river {
            let RiverEntry::Kan(kind) = entry else { continue };
            let melds = player.melds.iter().filter(|declared| own_kan(**declared) == Some(*kind)).count();
            if count(*entry) != melds {
                let what = format!(
                    "found {} `<{kind}>`, expected {melds}: one for each ankan or kakan of {kind}",
                    count(*entry)
                );
                return Err(self.wrong(seat, "river", what));
            }
        }
        Ok(())
    }

    fn check_hand(&self, seat: Seat) -> Result<(), Wrong> {
        let player = &self.players[seat];
        let size = 13 - 3 * player.melds.len();
        let wrong = |what: String| Err(self.wrong(seat, "hand", what));
        match &player.hand {
            None if seat == self.seat => {
                wrong("found none, expected the tiles of the player who decides".into())
            }
            None => Ok(()),
            Some(Held { drawn: Some(tile), .. }) if seat != self.seat => {
                wrong(format!("found `+{tile}`, expected a drawn tile only for `seat`"))
            }
            Some(held) if held.tiles.len() == size => Ok(()),
            Some(held) if seat == self.seat && held.drawn.is_none() && held.tiles.len() == size + 1 => Ok(()),
            Some(held) => {
                let drawn = if held.drawn.is_some() { ", with one more after `+`" } else { "" };
                wrong(format!(
                    "found {}{drawn}, expected {size} with {}",
                    many(held.tiles.len(), "tile"),
                    many(player.melds.len(), "meld")
                ))
            }
        }
    }

    /// Checks that no tile occurs more often than in the set of the rules.
    fn check_copies(&self) -> Result<(), Wrong> {
        let copies = Wall::copies(&self.rules);
        let mut found: Vec<(Tile, String)> = Vec::new();
        for tile in &self.indicators {
            found.push((*tile, "indicators".into()));
        }
        for (seat, player) in self.players.enumerate() {
            for tile in player.melds.iter().flat_map(|declared| declared.meld.tiles()) {
                found.push((tile, self.field(seat, "melds")));
            }
            for entry in &player.river {
                // A claimed tile lies in a meld.
                if let RiverEntry::Discard(dropped) = entry
                    && !dropped.claimed
                {
                    found.push((dropped.tile, self.field(seat, "river")));
                }
            }
            let held = player.hand.iter().flat_map(|held| held.tiles.iter().chain(&held.drawn));
            held.for_each(|tile| found.push((*tile, self.field(seat, "hand"))));
            for _ in 0..player.kita {
                found.push((Tile::plain(TileKind::NORTH), self.field(seat, "kita")));
            }
        }
        let mut seen = [0_usize; Tile::COUNT];
        found.iter().for_each(|(tile, _)| seen[tile.index()] += 1);
        let too_many = |(tile, _): &&(Tile, String)| seen[tile.index()] > usize::from(copies[tile.index()]);
        let Some((tile, _)) = found.iter().rev().find(too_many) else { return Ok(()) };
        let mut fields: Vec<&String> =
            found.iter().filter(|(other, _)| other == tile).map(|(_, field)| field).collect();
        let last = fields.last().map_or_else(String::new, |field| (*field).clone());
        fields.dedup();
        let fields: Vec<String> = fields.into_iter().map(|field| format!("`{field}`")).collect();
        let (seen, copies, fields) = (seen[tile.index()], copies[tile.index()], fields.join(", "));
        let what = match copies {
            0 => format!("found {tile} in {fields}: {}", self.why_none(*tile)),
            _ => format!("found {seen} copies of {tile} in {fields}, expected at most {copies} by the rules"),
        };
        Err(Wrong::new(last, what))
    }

    /// Why the set of the rules has no such tile.
    fn why_none(&self, tile: Tile) -> String {
        let kind = tile.kind();
        if self.rules.kinds().contains(kind) {
            let instead = if tile.is_red() { "no red five" } else { "only red fives" };
            format!("the rules have {instead} of this suit")
        } else if self.rules.tiles == TileKinds::ThreePlayer {
            format!("there is no {kind} in games of three players")
        } else {
            format!("the rules play without {kind}")
        }
    }
}
