//! Rule cases: rows of data that state a situation and what the rules say about it.
//!
//! The README of `engine/tests/cases` explains the keys and the script of a row. This module reads the rows
//! and plays their hands; the tests make the checks that rows state. Other engines play the same hands.
//!
//! # Panics
//!
//! All functions panic if a row is not as the README says: the rows are part of the project.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use toml::{Table, Value};

use crate::perft::move_text;
use crate::rules::options::ScoringMode;
use crate::rules::{PRESETS, Rules};
use crate::wall::{DEAD, DEALT, dead_wall, dealt_index};
use crate::{
    Action, BySeat, Circumstances, Declare, Event, Game, Hand, Moment, Observation, Phase, Players, Riichi,
    Seat, Shown, Standing, Tile, Wall, Win, Wind, notation,
};

/// The rows with values of hands.
pub const VALUES: &str = include_str!("../tests/cases/values.toml");

/// The files with hands that are played move by move, by name.
pub const PLAYED: [(&str, &str); 13] = [
    ("calls", include_str!("../tests/cases/calls.toml")),
    ("riichi", include_str!("../tests/cases/riichi.toml")),
    ("kans", include_str!("../tests/cases/kans.toml")),
    ("kita", include_str!("../tests/cases/kita.toml")),
    ("furiten", include_str!("../tests/cases/furiten.toml")),
    ("wins", include_str!("../tests/cases/wins.toml")),
    ("points", include_str!("../tests/cases/points.toml")),
    ("liability", include_str!("../tests/cases/liability.toml")),
    ("fouls", include_str!("../tests/cases/fouls.toml")),
    ("referee", include_str!("../tests/cases/referee.toml")),
    ("draws", include_str!("../tests/cases/draws.toml")),
    ("games", include_str!("../tests/cases/games.toml")),
    ("presets", include_str!("../tests/cases/presets.toml")),
];

/// The names of the seats: their winds.
pub const SEATS: [&str; 4] = ["E", "S", "W", "N"];

/// The seat with this wind in the first hand of a game.
pub fn seat_named(name: &str) -> Seat {
    let index = SEATS.iter().position(|seat| *seat == name).unwrap_or_else(|| panic!("not a seat: {name}"));
    Seat::new(index as u8).expect("four winds")
}

/// The rows of a file. A row with `like` takes over the keys of that earlier row.
pub fn rows(file: &str) -> Vec<Table> {
    let table: Table = file.parse().unwrap_or_else(|e| panic!("{e}"));
    let mut rows: Vec<Table> = Vec::new();
    for row in table["case"].as_array().expect("rows") {
        let mut row = row.as_table().expect("a row is a table").clone();
        if let Some(like) = row.remove("like") {
            let like = like.as_str().expect("`like` names a row");
            let mut base = rows.iter().find(|row| text(row, "id") == like).expect(like).clone();
            base.extend(row);
            row = base;
        }
        rows.push(row);
    }
    rows
}

/// A text of a row; empty without the key.
pub fn text<'a>(row: &'a Table, key: &str) -> &'a str {
    row.get(key).map_or("", |value| value.as_str().unwrap_or_else(|| panic!("{key} is a text: {row:?}")))
}

/// A number of a row; 0 without the key.
pub fn int(row: &Table, key: &str) -> i64 {
    row.get(key).map_or(0, |value| value.as_integer().unwrap_or_else(|| panic!("{key} is a number: {row:?}")))
}

/// Whether a key of a row is there and true.
pub fn flag(row: &Table, key: &str) -> bool {
    row.get(key).is_some_and(|value| value.as_bool().expect("true or false"))
}

/// Tiles in hand notation, with or without spaces.
pub fn tiles(text: &str) -> Vec<Tile> {
    notation::parse_tiles(&text.replace(' ', "")).unwrap_or_else(|e| panic!("{e}"))
}

/// The rule sets of a row by name, with the fields that the row changes.
pub fn rule_sets(row: &Table) -> Vec<(String, Rules)> {
    // `all` stands for the presets for four players that count fu.
    let counts_fu_for_four =
        |rules: Rules| rules.players == Players::Four && rules.scoring_mode == ScoringMode::Standard;
    let names: Vec<&str> = match text(row, "rules") {
        "" => vec!["tenhou"],
        "all" => PRESETS
            .iter()
            .filter(|preset| counts_fu_for_four(preset.rules()))
            .map(|preset| preset.name)
            .collect(),
        names => names.split_whitespace().collect(),
    };
    let set = row.get("set").map_or_else(String::new, |set| set.as_table().expect("fields").to_string());
    names.into_iter().map(|name| (name.to_owned(), rules(format!("base = '{name}'\n{set}")))).collect()
}

/// The rules of a rule file, parsed once: hundreds of rows share a few rule sets.
fn rules(text: String) -> Rules {
    static KNOWN: Mutex<BTreeMap<String, Rules>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let read = |text: &String| Rules::from_toml(text, "a row").unwrap_or_else(|e| panic!("{e}"));
    *known.entry(text).or_insert_with_key(read)
}

/// The hand of a row of [`VALUES`].
pub fn hand(row: &Table) -> Hand {
    text(row, "hand").parse().unwrap_or_else(|e| panic!("{e}"))
}

/// The win that a row of [`VALUES`] describes, with its hand, dora indicators and ura indicators.
pub fn win<'a>(
    row: &Table,
    rules: &'a Rules,
    hand: &'a Hand,
    [indicators, ura_indicators]: &'a [Vec<Tile>; 2],
) -> Win<'a> {
    let or = |key, default| if row.contains_key(key) { text(row, key) } else { default };
    let wind = |text: &str| Wind::ALL[seat_named(text).index()];
    // The index of the row's word for a key among the possible words; the first, "", is a missing key.
    let place = |key: &str, words: &[&str]| {
        let place = words.iter().position(|word| *word == text(row, key));
        place.unwrap_or_else(|| panic!("{key} = {}", text(row, key)))
    };
    let moments = [Moment::Ordinary, Moment::LastTile, Moment::Rinshan, Moment::Chankan];
    Win {
        tsumo: text(row, "by") == "tsumo",
        seat_wind: wind(or("seat", "S")),
        round_wind: wind(or("round", "E")),
        riichi: [Riichi::None, Riichi::Single, Riichi::Double][place("riichi", &["", "riichi", "double"])],
        ippatsu: flag(row, "ippatsu"),
        moment: moments[place("moment", &["", "last-tile", "rinshan", "chankan"])],
        first_turn: flag(row, "first_turn"),
        circumstances: Circumstances {
            honba: int(row, "honba") as u16,
            dealer_wins: int(row, "dealer_wins") as u8,
            riichi_tile: flag(row, "riichi_tile"),
            after_kan: flag(row, "after_kan"),
            shown: [Shown::Nothing, Shown::Waits, Shown::WaitsToFeeder]
                [place("shown", &["", "waits", "waits to feeder"])],
        },
        indicators,
        ura_indicators,
        ..Win::new(rules, hand)
    }
}

/// Whether the script of a row has fouls.
pub fn has_fouls(row: &Table) -> bool {
    ["wrongly", " foul"].iter().any(|word| text(row, "script").contains(word))
}

/// The hand of a row that is played move by move.
pub struct Play<'a> {
    /// The row and the rule set, for messages.
    pub context: &'a str,
    /// The game.
    pub game: Game,
    /// The events so far.
    pub events: Vec<Event>,
    /// The answers so far, as in a file of perft positions.
    pub moves: Vec<String>,
    /// The dealer of the hand, whose name is `E`.
    pub dealer: Seat,
    /// The number of the hand in the game.
    pub hand: u32,
}

impl<'a> Play<'a> {
    /// Deals the hand.
    pub fn start(row: &Table, rules: &Rules, context: &'a str) -> Play<'a> {
        let mut events = Vec::new();
        let (standing, wall) = (standing(row, rules), build_wall(row, rules));
        let game = Game::at(rules, 1, &standing, Some(wall), &mut events)
            .unwrap_or_else(|wrong| panic!("{context}: {wrong:?}"));
        let (dealer, hand) = (game.table().dealer(), game.hand_count());
        Play { context, game, events, moves: Vec::new(), dealer, hand }
    }

    /// Plays the hand of a row without fouls to its end.
    pub fn whole(row: &Table, rules: &Rules, context: &'a str) -> Play<'a> {
        let mut play = Play::start(row, rules, context);
        script_lines(text(row, "script")).for_each(|line| play.line(line));
        play.finish();
        play
    }

    /// Plays a line: a move, `- go 3`, `- pass`, or the moves of others before a seat `can` do something.
    /// Other lines are no moves, and change nothing.
    pub fn line(&mut self, line: &str) {
        let (who, what) = line.split_once(' ').unwrap_or_else(|| panic!("{}: `{line}`", self.context));
        if let ("-", Some(live)) = (who, what.strip_prefix("go ")) {
            return self.go_until(live.parse().expect("a number of live tiles"));
        }
        match (who, what) {
            ("-", "pass") => self.pass(),
            ("-", _) | (_, "is not asked") => {}
            _ if what.starts_with("cannot ") => {}
            _ => {
                let (seat, only_can) = (self.seat(who), what.strip_prefix("can "));
                self.wait_for(seat, only_can.unwrap_or(what), line);
                if only_can.is_none() {
                    let action = self.action(seat, what, line);
                    self.submit(seat, action);
                }
            }
        }
    }

    /// The seat with this wind in the hand.
    pub fn seat(&self, name: &str) -> Seat {
        self.dealer.after(seat_named(name).number(), self.game.rules().players)
    }

    /// Lets players pass and discard the drawn tile until the seat must decide.
    ///
    /// For an action in its own turn, the seat passes offered tiles too.
    pub fn wait_for(&mut self, seat: Seat, what: &str, line: &str) {
        let in_own_turn = ["discard", "tsumo", "kan ", "kyuushu"].iter().any(|word| what.contains(word));
        let asked = |game: &Game| {
            game.pending().contains(seat) && !(in_own_turn && game.table().phase() == Phase::Claim)
        };
        while !asked(&self.game) {
            self.must_be_in_play(line);
            self.play_idly();
        }
    }

    /// Whether the hand of the row is not over.
    pub fn is_in_play(&self) -> bool {
        !self.game.is_over() && self.game.hand_count() == self.hand
    }

    /// Fails if the hand of the row is over, because a line must not run in the next hand.
    pub fn must_be_in_play(&self, line: &str) {
        assert!(self.is_in_play(), "{}: `{line}`: the hand is over", self.context);
    }

    /// Lets all players pass and discard the drawn tile until `live` live tiles are left.
    fn go_until(&mut self, live: u8) {
        while self.game.table().live() > live {
            self.must_be_in_play("- go");
            self.play_idly();
        }
    }

    /// All players pass the offered tile.
    fn pass(&mut self) {
        while matches!(self.game.table().phase(), Phase::Claim | Phase::KanClaim) {
            self.play_idly();
        }
    }

    /// Lets all players pass and discard the drawn tile until the hand is over.
    pub fn finish(&mut self) {
        while self.is_in_play() && self.game.table().phase() != Phase::End {
            self.play_idly();
        }
    }

    /// The first player who is asked passes or discards the drawn tile, or else takes the first legal
    /// action.
    fn play_idly(&mut self) {
        let (seat, legal) = self.game.decisions().next().expect("an open decision");
        let tsumogiri = Action::Tsumogiri { declare: Declare::Nothing };
        let idle = [Action::Pass, tsumogiri].into_iter().find(|action| legal.contains(action.id()));
        self.submit(seat, idle.unwrap_or(legal.first().expect("an action").action()));
    }

    /// Answers for a seat.
    pub fn submit(&mut self, seat: Seat, action: Action) {
        let context = self.context;
        self.moves.push(move_text(&self.game.observe(seat), action.id()));
        self.game.submit_seen(seat, action, &mut self.events).unwrap_or_else(|e| panic!("{context}: {e}"));
    }

    /// The legal actions of a seat as texts; a tsumogiri also as a discard of its tile.
    pub fn legal_texts(&self, seat: Seat) -> Vec<String> {
        let view = self.game.observe(seat);
        let mut texts: Vec<String> = view.legal().iter().map(|id| view.describe(id.action())).collect();
        texts.extend(view.legal().iter().filter_map(|id| discard_text(&view, id.action())));
        texts
    }

    fn action(&self, seat: Seat, what: &str, line: &str) -> Action {
        let view = self.game.observe(seat);
        let is_meant = |action: &Action| {
            view.describe(*action) == what || discard_text(&view, *action).is_some_and(|text| text == what)
        };
        let found = view.legal().iter().map(crate::ActionId::action).find(is_meant);
        found.unwrap_or_else(|| panic!("{}: `{line}`: legal are {:?}", self.context, self.legal_texts(seat)))
    }
}

/// The lines of a script, without comments.
pub fn script_lines(script: &str) -> impl Iterator<Item = &str> {
    script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The text of a discard, the same for a tsumogiri and for a discard from the hand.
fn discard_text(view: &Observation<'_>, action: Action) -> Option<String> {
    let (tile, declare) = match action {
        Action::Discard { tile, declare } => (tile, declare),
        Action::Tsumogiri { declare } => (view.drawn()?, declare),
        _ => return None,
    };
    let riichi = ["", "riichi ", "open riichi "][declare as usize];
    Some(format!("{riichi}discard {tile}"))
}

/// The standing at the deal of a row. The key `scores` starts with the dealer's points.
fn standing(row: &Table, rules: &Rules) -> Standing {
    let (round, players) = (int(row, "round") as u16, rules.players);
    let dealer = Seat::FIRST.after((round % u16::from(players.count())) as u8, players);
    let score = |seat: Seat| match row.get("scores").and_then(Value::as_array) {
        Some(scores) if seat.number() < players.count() => {
            scores[usize::from(dealer.steps_to(seat, players))].as_integer().expect("points") as i32
        }
        _ => rules.start_points,
    };
    let counters = ["honba", "sticks"].map(|key| int(row, key) as u16);
    Standing::at_deal(round, counters, BySeat::from_fn(players, score))
}

/// A wall with the tiles of the row at their indexes and the rest of the tiles in a fixed order.
///
/// - `hands`: dealt tiles by wind, up to 13
/// - `draws`: the first live tiles; `_` leaves an index open
/// - `draws_of`: the draws of one seat in a hand without calls
/// - `last`: the last live tiles
/// - `dora`, `ura`, `rinshan`: dora indicators, ura indicators and replacement tiles in order
fn build_wall(row: &Table, rules: &Rules) -> Wall {
    let players = usize::from(rules.players.count());
    let mut set = Wall::of_hand(7, 0, 0, 0, rules).tiles().to_vec();
    set.sort_unstable();
    let (dead, first, end) = (dead_wall(rules.wall_layout), DEALT * players, set.len() - DEAD);
    let mut places: Vec<(usize, Tile)> = Vec::new();
    let by_wind = |key| row.get(key).and_then(Value::as_table).into_iter().flatten();
    for (wind, hand) in by_wind("hands") {
        let hand = tiles(hand.as_str().expect("tiles")).into_iter().enumerate();
        places.extend(hand.map(|(i, tile)| (dealt_index(i, seat_named(wind).index(), players), tile)));
    }
    for (wind, draws) in by_wind("draws_of") {
        let draws = tiles(draws.as_str().expect("tiles")).into_iter().enumerate();
        places.extend(draws.map(|(turn, tile)| (first + players * turn + seat_named(wind).index(), tile)));
    }
    let mut put = |key: &str, index: &dyn Fn(usize) -> usize| {
        let listed = text(row, key).split_whitespace().enumerate().filter(|(_, name)| *name != "_");
        places.extend(listed.map(|(k, name)| (index(k), name.parse().expect("a tile"))));
    };
    let last = text(row, "last").split_whitespace().count();
    put("draws", &|turn| first + turn);
    put("last", &|k| end - last + k);
    put("dora", &dead.indicator);
    put("ura", &dead.ura);
    put("rinshan", &|k| dead.replacement[k]);
    // A fixed order: every 53rd tile, which visits each of 136 or 108 tiles once.
    let mut rest: Vec<Tile> = (0..set.len()).map(|i| set[53 * i % set.len()]).collect();
    let mut tiles: Vec<Option<Tile>> = vec![None; set.len()];
    for (index, tile) in places {
        assert!(tiles[index].is_none_or(|old| old == tile), "two tiles for index {index}");
        tiles[index] = Some(tile);
    }
    for tile in tiles.iter().flatten() {
        let at = rest.iter().position(|other| other == tile);
        rest.swap_remove(at.unwrap_or_else(|| panic!("{:?}: too many {tile}", row["id"])));
    }
    let mut rest = rest.into_iter();
    let tiles: Vec<Tile> =
        tiles.into_iter().map(|tile| tile.unwrap_or_else(|| rest.next().expect("a tile"))).collect();
    Wall::from_tiles(&tiles, rules).expect("the tiles of the set")
}
