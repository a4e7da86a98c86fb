//! Positions from TOML.

use std::collections::BTreeMap;

use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};
use toml::de::DeTable;

use super::text::{ankan_or_kakan, parse_melds, parse_river};
use super::{Held, NAMES, Places, PlayerSetup, Position, PositionError, RiverEntry, many};
use crate::game_state::Standing;
use crate::notation::parse_tiles;
use crate::rules::options::{Extension, North, TileKinds};
use crate::rules::{FieldProblem, Preset, Rules, line_at};
use crate::wall::Wall;
use crate::{BySeat, Players, Seat, Tile, Wind, shortened};

/// The file of a position.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) rules: Option<String>,
    pub(super) round: Option<String>,
    #[serde(default)]
    pub(super) honba: u16,
    #[serde(default)]
    pub(super) sticks: u16,
    pub(super) indicators: Option<String>,
    pub(super) dora: Option<String>,
    pub(super) seat: String,
    pub(super) live: Option<u8>,
    pub(super) turn: Option<u8>,
    pub(super) east: Option<PlayerTable>,
    pub(super) south: Option<PlayerTable>,
    pub(super) west: Option<PlayerTable>,
    pub(super) north: Option<PlayerTable>,
}

/// The table of a player.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayerTable {
    pub(super) score: Option<i32>,
    pub(super) river: Option<String>,
    pub(super) melds: Option<String>,
    #[serde(default, deserialize_with = "norths")]
    pub(super) kita: Option<u8>,
    pub(super) hand: Option<String>,
}

/// What is expected of `kita`.
const NORTHS: &str = "the number of Norths set aside, from 0 to 4";

fn norths<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
    let number = i64::deserialize(deserializer)?;
    match u8::try_from(number) {
        Ok(norths @ 0..=4) => Ok(Some(norths)),
        _ => Err(D::Error::invalid_value(Unexpected::Signed(number), &NORTHS)),
    }
}

impl Places {
    /// Records the lines of the values of a table, and of the tables in it. Their names begin with
    /// `prefix`.
    fn record(&mut self, text: &str, table: &DeTable<'_>, prefix: &str) {
        for (name, value) in table {
            let field = format!("{prefix}{}", name.get_ref());
            if let Some(table) = value.get_ref().as_table() {
                self.record(text, table, &format!("{field}."));
            }
            self.lines.insert(field, line_at(text, value.span().start));
        }
    }
}

impl Position {
    /// Reads a position. `rules` names a preset; without it, the rules are `tenhou`.
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

    /// Reads a position. `load` returns the rules that it names, such as those of a file.
    ///
    /// # Errors
    ///
    /// See [`Position::from_toml`].
    pub fn from_toml_with(
        text: &str,
        origin: &str,
        load: impl FnOnce(&str) -> Result<Rules, String>,
    ) -> Result<Position, PositionError> {
        let toml_error = |error: toml::de::Error| {
            let line = error.span().map(|span| line_at(text, span.start));
            let problem = FieldProblem { line, field: None, what: with_ranges(error.message()) };
            PositionError { origin: origin.to_owned(), problem }
        };
        let table = DeTable::parse(text).map_err(toml_error)?;
        let mut places = Places { origin: origin.to_owned(), lines: BTreeMap::new() };
        places.record(text, table.get_ref(), "");
        let file = File::deserialize(toml::Deserializer::from(table)).map_err(toml_error)?;
        let position = read(file, load).map_err(|problem| places.error(problem))?;
        Ok(Position { places, ..position })
    }
}

/// The message of a TOML error, with a range in place of the name of a Rust type.
fn with_ranges(message: &str) -> String {
    const RANGES: [(&str, &str); 4] = [
        ("u8", "a whole number from 0 to 255"),
        ("u16", "a whole number from 0 to 65535"),
        ("i32", "a whole number from -2147483648 to 2147483647"),
        // Only `kita` is read as an i64.
        ("i64", NORTHS),
    ];
    let replaced = |(kind, range): &(&str, &str)| Some(format!("{}{range}", message.strip_suffix(kind)?));
    RANGES.iter().find_map(replaced).unwrap_or_else(|| message.to_owned())
}

fn read(file: File, load: impl FnOnce(&str) -> Result<Rules, String>) -> Result<Position, FieldProblem> {
    let rules_name = file.rules.unwrap_or_else(|| "tenhou".to_owned());
    let rules = load(&rules_name).map_err(|what| FieldProblem::new("rules", what))?;
    let players = rules.players;
    let round = parse_round(file.round.as_deref().unwrap_or("E1"), &rules)?;
    let dealer = players.dealer(round);
    let mut position = Position {
        rules_name,
        rules,
        round,
        honba: file.honba,
        sticks: file.sticks,
        seat: parse_seat(&file.seat, dealer, players)?,
        indicators: indicators_of(file.indicators, file.dora, &rules)?,
        live: file.live,
        turn: file.turn.map(parse_turn).transpose()?,
        players: BySeat::from_fn(players, |_| PlayerSetup::default()),
        places: Places::default(),
    };
    for (wind, table) in [file.east, file.south, file.west, file.north].into_iter().enumerate() {
        let Some(table) = table else { continue };
        if wind >= usize::from(players.count()) {
            let what = format!("found this player, expected {} players by the rules", players.count());
            return Err(FieldProblem::new(NAMES[wind], what));
        }
        let owner = dealer.after(wind as u8, players);
        position.players[owner] = read_player(&table, &position, owner)?;
    }
    position.check()?;
    Ok(position)
}

fn parse_round(text: &str, rules: &Rules) -> Result<u16, FieldProblem> {
    let players = rules.players;
    let mut letters = text.chars();
    let wind = letters.next().and_then(|letter| Wind::ALL.into_iter().find(|wind| wind.letter() == letter));
    let number = letters.as_str().parse::<u16>().ok();
    let number = number.filter(|number| (1..=u16::from(players.count())).contains(number));
    let what = match (wind, number, last_wind(rules)) {
        (Some(wind), Some(_), Some(last)) if last < wind => format!(
            "found `{text}`, expected at most `{}{}`: by the rules, every game is over after it",
            last.letter(),
            players.count()
        ),
        (Some(wind), Some(number), _) => return Ok(wind as u16 * u16::from(players.count()) + number - 1),
        _ => format!(
            "found `{}`, expected a wind and a number from 1 to {}, such as \"S1\"",
            shortened(text),
            players.count()
        ),
    };
    Err(FieldProblem::new("round", what))
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

fn parse_seat(text: &str, dealer: Seat, players: Players) -> Result<Seat, FieldProblem> {
    let names = &NAMES[..usize::from(players.count())];
    let mut known = names.iter().map(|name| [name, &name[..1]]);
    let wind = known.position(|known| known.iter().any(|name| name.eq_ignore_ascii_case(text)));
    let wind = wind.ok_or_else(|| {
        let what = format!("found `{}`, expected one of {}", shortened(text), names.join(", "));
        FieldProblem::new("seat", what)
    })?;
    Ok(dealer.after(wind as u8, players))
}

fn parse_turn(turn: u8) -> Result<u8, FieldProblem> {
    let wrong = || FieldProblem::new("turn", "found 0, expected the number of the turn, from 1");
    (turn > 0).then_some(turn).ok_or_else(wrong)
}

/// The dora indicators in the file, or those that make its `dora`. The file may have only one of the fields.
fn indicators_of(
    indicators: Option<String>,
    dora: Option<String>,
    rules: &Rules,
) -> Result<Vec<Tile>, FieldProblem> {
    let Some(dora) = dora else {
        return tiles_of(&indicators.unwrap_or_default())
            .map_err(|what| FieldProblem::new("indicators", what));
    };
    if indicators.is_some() {
        return Err(FieldProblem::new("dora", "found `indicators` as well, expected only one of them"));
    }
    let tiles = tiles_of(&dora).map_err(|what| FieldProblem::new("dora", what))?;
    let three = rules.tiles == TileKinds::ThreePlayer;
    let indicator = |tile: Tile| {
        let kind = rules.kinds().iter().find(|kind| kind.dora(three) == tile.kind());
        let none = || FieldProblem::new("dora", format!("{tile}: no indicator makes it dora by the rules"));
        kind.map(Tile::plain).ok_or_else(none)
    };
    tiles.into_iter().map(indicator).collect()
}

/// Tiles in notation, with or without spaces.
fn tiles_of(text: &str) -> Result<Vec<Tile>, String> {
    let joined: String = text.split_whitespace().collect();
    parse_tiles(&joined).map_err(|error| error.to_string())
}

fn read_player(table: &PlayerTable, position: &Position, owner: Seat) -> Result<PlayerSetup, FieldProblem> {
    let wrong = |field: &'static str| move |what: String| position.wrong(owner, field, what);
    let PlayerTable { score, river, melds, kita, hand } = table;
    Ok(PlayerSetup {
        score: *score,
        river: parse_river(river.as_deref().unwrap_or_default()).map_err(wrong("river"))?,
        melds: parse_melds(melds.as_deref().unwrap_or_default(), owner, position.rules.players)
            .map_err(wrong("melds"))?,
        kita: kita.unwrap_or(0),
        hand: hand.as_deref().map(parse_hand).transpose().map_err(wrong("hand"))?,
    })
}

fn parse_hand(text: &str) -> Result<Held, String> {
    let (tiles, drawn) = match text.split_once(['+', '＋']) {
        Some((tiles, drawn)) => (tiles, Some(drawn)),
        None => (text, None),
    };
    let read = |drawn: &str| tiles_of(drawn).map_err(|error| format!("after `+`: {error}"));
    let one = |drawn: &str| match read(drawn)?.as_slice() {
        [tile] => Ok(*tile),
        tiles => Err(format!("found {} after `+`, expected one", many(tiles.len(), "tile"))),
    };
    Ok(Held { tiles: tiles_of(tiles)?, drawn: drawn.map(one).transpose()? })
}

impl Position {
    /// Checks counts of tiles and contradicting marks, before any play.
    fn check(&self) -> Result<(), FieldProblem> {
        for (field, found) in [("honba", self.honba), ("sticks", self.sticks)] {
            if found > Standing::MAX_COUNT {
                let what = format!("found {found}, expected at most {}", Standing::MAX_COUNT);
                return Err(FieldProblem::new(field, what));
            }
        }
        for seat in self.rules.players.seats() {
            self.check_score(seat)?;
            self.check_river(seat)?;
            self.check_melds(seat)?;
            self.check_hand(seat)?;
        }
        let most = usize::from(self.rules.max_indicators());
        if self.indicators.len() > most || self.indicators.is_empty() && self.rules.dora {
            let found = many(self.indicators.len(), "dora indicator");
            let advice = if self.indicators.is_empty() { "; set `dora` or `indicators`" } else { "" };
            let what = format!("found {found}, expected 1 to {most}{advice}");
            return Err(FieldProblem::new("indicators", what));
        }
        self.check_copies()
    }

    fn check_score(&self, seat: Seat) -> Result<(), FieldProblem> {
        let most = Standing::MAX_POINTS;
        match self.players[seat].score.filter(|score| score.unsigned_abs() > most) {
            Some(found) => {
                Err(self.wrong(seat, "score", format!("found {found}, expected -{most} to {most}")))
            }
            None => Ok(()),
        }
    }

    fn check_river(&self, seat: Seat) -> Result<(), FieldProblem> {
        let mut in_riichi = false;
        for (index, entry) in self.players[seat].river.iter().enumerate() {
            let RiverEntry::Discard(dropped) = entry else { continue };
            if in_riichi && dropped.riichi {
                return Err(self.wrong_entry(seat, index, "found a second riichi"));
            }
            if in_riichi && !dropped.tsumogiri {
                let what =
                    format!("found a discard from the hand after riichi, expected `{}*`", dropped.tile);
                return Err(self.wrong_entry(seat, index, &what));
            }
            in_riichi |= dropped.riichi;
        }
        if in_riichi && self.players[seat].melds.iter().any(|declared| declared.meld.is_open()) {
            return Err(self.wrong(seat, "melds", "found an open meld of a player in riichi"));
        }
        Ok(())
    }

    fn check_melds(&self, seat: Seat) -> Result<(), FieldProblem> {
        let player = &self.players[seat];
        let count = |entry: RiverEntry| player.river.iter().filter(|other| **other == entry).count();
        let in_river = count(RiverEntry::Kita);
        if player.kita > 0 || in_river > 0 {
            if self.rules.north != North::Nukidora {
                let what = "found Norths set aside, expected none by the rules: `north` is not \"Nukidora\", \
                            as it is in tenhou-sanma";
                return Err(self.wrong(seat, "kita", what));
            }
            if in_river > usize::from(player.kita) {
                let what = format!(
                    "found {}, but the river has {in_river} `<kita>`: expected `kita = {in_river}`",
                    player.kita
                );
                return Err(self.wrong(seat, "kita", what));
            }
        }
        for entry in &player.river {
            let RiverEntry::Kan(kind) = entry else { continue };
            let melds =
                player.melds.iter().filter(|declared| ankan_or_kakan(**declared) == Some(*kind)).count();
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

    fn check_hand(&self, seat: Seat) -> Result<(), FieldProblem> {
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

    /// Checks that no tile occurs more often than the rules have it.
    fn check_copies(&self) -> Result<(), FieldProblem> {
        let (copies, found) = (Wall::copies(&self.rules), self.shown());
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
        Err(FieldProblem::new(last, what))
    }

    /// Why the rules have no such tile.
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
