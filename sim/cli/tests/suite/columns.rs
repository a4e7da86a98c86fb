//! Columns agree with each other: what a decision shows follows from the other tables.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::program::{folder, ok, path};
use crate::common::tables::{file_of, rows};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch, StringArray};
use jantaku_engine::notation;
use jantaku_sim::dataset::TableKind;

/// Rule sets of two, three and four players. In the last one dealers choose when the game ends.
const RULES: [(&str, usize); 4] = [("duo", 2), ("tenhou-sanma", 3), ("tenhou", 4), ("choice.toml", 4)];

/// Plays a run under each rule set, and converts each to a run of games from logs. Calls `each`
/// with the folder of a run and its number of players.
fn each_run(mut each: impl FnMut(&Path, usize)) {
    let folder = folder();
    let choice = path(&folder, "choice.toml");
    fs::write(&choice, "agari_yame = 'Choice'\ntenpai_yame = 'Choice'\nyame_condition = 'None'\n")
        .expect("a file");
    for (rules, players) in RULES {
        let [played, logs] = ["played", "logs"].map(|name| path(&folder, &format!("{rules}-{name}")));
        let rules = if rules == "choice.toml" { &choice } else { rules };
        ok(&["selfplay", "--games", "12", "--seed", "7", "--rules", rules, "--quiet", "--out", &played]);
        ok(&["convert", &played, "--to", "run", "--quiet", "--out", &logs]);
        [played, logs].iter().for_each(|run| each(Path::new(run), players));
    }
}

/// The rows of a table, with access to its columns by name.
struct Rows(RecordBatch);

impl Rows {
    fn of(run: &Path, table: TableKind) -> Rows {
        Rows(rows(&file_of(run, table, 0)))
    }

    fn column(&self, name: &str) -> &dyn Array {
        self.0.column_by_name(name).unwrap_or_else(|| panic!("no column {name}"))
    }

    fn u64(&self, name: &str, row: usize) -> u64 {
        self.column(name).as_primitive::<UInt64Type>().value(row)
    }

    fn u16(&self, name: &str, row: usize) -> u16 {
        self.column(name).as_primitive::<UInt16Type>().value(row)
    }

    fn u8(&self, name: &str, row: usize) -> u8 {
        self.column(name).as_primitive::<UInt8Type>().value(row)
    }

    fn i32(&self, name: &str, row: usize) -> i32 {
        self.column(name).as_primitive::<Int32Type>().value(row)
    }

    fn points(&self, name: &str, row: usize) -> Vec<i32> {
        self.column(name).as_list::<i32>().value(row).as_primitive::<Int32Type>().values().to_vec()
    }

    fn word(&self, name: &str, row: usize) -> &str {
        let words = self.column(name).as_dictionary::<UInt32Type>();
        words.downcast_dict::<StringArray>().expect("texts").values().value(words.keys().value(row) as usize)
    }

    /// The row of each game, or of each game and hand.
    fn index(&self, has_hands: bool) -> BTreeMap<(u64, u16), usize> {
        let hand = |row| if has_hands { self.u16("hand", row) } else { 0 };
        (0..self.0.num_rows()).map(|row| ((self.u64("game", row), hand(row)), row)).collect()
    }
}

/// The red fives of characters, dots and bamboo among the tiles of a history and the indicators,
/// as one decimal digit each.
fn open_reds(history: &str, indicators: &str) -> u16 {
    let reds = |text: &str| -> u16 {
        let tiles = notation::parse_tiles(text).expect("tiles");
        let digit = |suit| [100, 10, 1][suit as usize];
        tiles.iter().filter(|tile| tile.is_red()).map(|tile| digit(tile.kind().suit())).sum()
    };
    let (mut sum, mut last_discard) = (reds(indicators), 0);
    for word in history.split_whitespace() {
        let what = &word[1..];
        let of_word = reds(what.trim_matches(['[', ']', '<', '>', '+', '*', 'r']));
        // A call takes the discard before it.
        sum += if what.starts_with('[') { of_word - last_discard } else { of_word };
        last_discard = of_word;
    }
    sum
}

#[test]
fn decisions_show_the_round_the_points_and_the_red_fives() {
    let (mut ends, mut in_riichi, mut reds) = (0, 0, 0);
    each_run(|run, players| {
        let games = Rows::of(run, TableKind::Games);
        let hands = Rows::of(run, TableKind::Hands);
        let decisions = Rows::of(run, TableKind::Decisions);
        let (game_rows, hand_rows) = (games.index(false), hands.index(true));
        for row in 0..decisions.0.num_rows() {
            let (game, hand) = (decisions.u64("game", row), decisions.u16("hand", row));
            let (of_game, of_hand) = (game_rows[&(game, 0)], hand_rows[&(game, hand)]);
            let place = format!("{} game {game} hand {hand} row {row}", run.display());
            for column in ["round", "honba"] {
                assert_eq!(decisions.u16(column, row), hands.u16(column, of_hand), "{place}: {column}");
            }
            let round = decisions.u16("round", row);
            assert_eq!(round % players as u16, u16::from(hands.u8("dealer", of_hand)), "{place}");
            let wind = ["East", "South", "West", "North"][usize::from(round) / players % 4];
            assert_eq!(wind, hands.word("round_wind", of_hand), "{place}");
            // Sticks are paid when a riichi is accepted; after the hand, its points are settled.
            let is_end = decisions.word("phase", row) == "end";
            let riichi = decisions.u8("riichi", row);
            let deltas = hands.points("deltas", of_hand);
            let points = hands.points("start_points", of_hand).into_iter().enumerate();
            let paid = |seat: usize| 1000 * i32::from(riichi >> seat & 1);
            let points = points.map(|(seat, start)| start + if is_end { deltas[seat] } else { -paid(seat) });
            assert_eq!(decisions.points("points", row), points.collect::<Vec<_>>(), "{place}");
            let at_deal = u32::from(hands.u16("riichi_sticks", of_hand));
            let sticks = u32::from(decisions.u16("riichi_sticks", row));
            if is_end {
                ends += 1;
                let won = !hands.column("winners").as_list::<i32>().value(of_hand).is_empty();
                assert_eq!(sticks, if won { 0 } else { at_deal + riichi.count_ones() }, "{place}");
            } else {
                assert_eq!(sticks, at_deal + riichi.count_ones(), "{place}");
            }
            let history = decisions.column("history").as_string::<i32>().value(row);
            let open = open_reds(history, decisions.word("indicators", row));
            assert_eq!(decisions.u16("seen_red", row), open, "{place}: {history}");
            let seat = usize::from(decisions.u8("seat", row));
            for (label, column) in [("final_points", "points"), ("final_result", "result")] {
                assert_eq!(
                    decisions.i32(label, row),
                    games.points(column, of_game)[seat],
                    "{place}: {label}"
                );
            }
            in_riichi += u32::from(riichi != 0);
            reds += u32::from(open != 0);
        }
    });
    assert!(
        ends > 0 && in_riichi > 0 && reds > 0,
        "{ends} ends, {in_riichi} in riichi, {reds} with red fives"
    );
}

/// The lists by seat of each table.
const BY_SEAT: [(TableKind, &[&str]); 3] = [
    (TableKind::Games, &["agents", "points", "placement", "result"]),
    (TableKind::Hands, &["start_points", "deltas", "discards", "riichi_turn", "calls", "tenpai"]),
    (TableKind::Decisions, &["points"]),
];

#[test]
fn lists_by_seat_have_an_entry_for_each_player() {
    each_run(|run, players| {
        for (table, columns) in BY_SEAT {
            let rows = Rows::of(run, table);
            for name in columns {
                let lists = rows.column(name).as_list::<i32>();
                let is_whole = (0..lists.len()).all(|row| lists.value_length(row) as usize == players);
                assert!(is_whole && !lists.is_empty(), "{}: {}.{name}", run.display(), table.name());
            }
        }
    });
}

/// The longest river of a hand gives its turn, and every discard of a decision is counted.
#[test]
fn hands_count_the_discards_of_each_seat() {
    each_run(|run, _| {
        let (hands, decisions) = (Rows::of(run, TableKind::Hands), Rows::of(run, TableKind::Decisions));
        let discards = |row| {
            let list = hands.column("discards").as_list::<i32>().value(row);
            list.as_primitive::<UInt8Type>().values().to_vec()
        };
        for row in 0..hands.0.num_rows() {
            assert_eq!(discards(row).into_iter().max(), Some(hands.u8("turn", row)), "{}", run.display());
        }
        let hand_rows = hands.index(true);
        for row in 0..decisions.0.num_rows() {
            let hand = hand_rows[&(decisions.u64("game", row), decisions.u16("hand", row))];
            let seat = usize::from(decisions.u8("seat", row));
            assert!(decisions.u8("turn", row) <= discards(hand)[seat], "{} row {row}", run.display());
        }
    });
}
