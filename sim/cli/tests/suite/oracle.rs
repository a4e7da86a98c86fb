//! `--log oracle`: the hidden hands at each decision, and the walls.

use std::path::Path;

use crate::common::program::{folder, ok, path};
use crate::common::tables::{file_of, rows};
use arrow_array::cast::AsArray;
use arrow_array::types::{UInt8Type, UInt16Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use jantaku_agents::{Greedy, NamedPolicy, Policy, Random};
use jantaku_engine::notation::HandText;
use jantaku_engine::replay::Spectator as _;
use jantaku_engine::rules::Preset;
use jantaku_engine::{
    Action, BySeat, DrawReason, Game, HandEnd, Observation, Players, Rng, Rules, Tile, notation,
};
use jantaku_sim::dataset::TableKind;
use jantaku_sim::play::{self, Detail, GameRecord, Job, Memory, Schedule};

/// The hidden hands of a record are those of the game, for two, three and four players.
#[test]
fn hidden_hands_are_those_of_the_game() {
    let (mut kans, mut kitas) = (0, 0);
    for name in ["tenhou", "tenhou-sanma", "duo"] {
        let rules = Preset::named(name).expect("a preset").rules();
        for seed in 0..20 {
            let mut memory = Memory::new(Detail::Oracle, &rules);
            let mut game = Game::new_seen(&rules, seed, &mut memory);
            let mut expected: Vec<BySeat<String>> = Vec::new();
            while !game.is_over() {
                let (seat, _) = game.decisions().next().expect("a seat must decide");
                let observation = game.observe(seat);
                let rng = &mut game.random_stream(seat, 0);
                // Random players make many calls and kans, greedy ones finish hands.
                let action = match seed % 2 {
                    0 => Random.choose(&observation, rng),
                    _ => Greedy::default().choose(&observation, rng),
                };
                expected.push(BySeat::from_fn(rules.players, |of| game.observe(of).hand().to_string()));
                memory.decision(&observation, action);
                kans += usize::from(matches!(action, Action::Kan { .. } | Action::Daiminkan));
                kitas += usize::from(action == Action::Kita);
                game.submit_seen(seat, action, &mut memory).expect("legal");
            }
            let record = memory.finish(0, seed).expect("the game is over");
            let found = record.concealed.iter().map(|hands| hands.map(|hand| hand.as_str().to_owned()));
            assert_eq!(found.collect::<Vec<_>>(), expected, "{name} {seed}");
        }
    }
    assert!(kans > 0 && kitas > 0, "{kans} {kitas}");
}

/// Plays like `greedy`, but illegally in one decision of 100.
#[derive(Clone)]
struct Clumsy(Greedy);

impl Policy for Clumsy {
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        if rng.below(100) == 0 { Action::EndGame } else { self.0.choose(o, rng) }
    }
}

/// Each hand has the wall that it was dealt from, also when a foul has it dealt again.
#[test]
fn walls_are_those_of_the_deals() {
    let rules = Rules::from_toml("base = 'ema-2016'\nenforce = 'Referee'", "set").expect("valid rules");
    let mut players = play::Players::from(vec![NamedPolicy::new("clumsy", Clumsy(Greedy::default())); 4]);
    let schedule = Schedule::selfplay(1, 4);
    let job = Job::new(&rules, schedule, Detail::Oracle);
    let mut records: Vec<GameRecord> = Vec::new();
    players.play(&job, &mut records, &mut ()).expect("a foul is an answer");
    let mut fouls = 0;
    for record in &records {
        for (number, hand) in (0..).zip(&record.hands) {
            let first = record.decisions.iter().position(|d| d.hand == number);
            let first = first.expect("the dealer decides first");
            if record.decisions[first].step != 2 {
                continue;
            }
            let hands = record.concealed[first].iter().map(HandText::as_str);
            let dealt: Vec<Tile> =
                hands.flat_map(|hand| notation::parse_tiles(hand).expect("tiles")).collect();
            let wall = hand.wall.expect("a wall");
            assert_eq!(sorted(dealt), sorted(wall.tiles()[..52].to_vec()), "{} {number}", record.game);
            fouls += u32::from(matches!(hand.outcome.end, HandEnd::Draw { reason: DrawReason::Chombo, .. }));
        }
    }
    assert!(fouls > 0, "some hands are dealt again");
}

fn sorted(mut tiles: Vec<Tile>) -> Vec<Tile> {
    tiles.sort_unstable();
    tiles
}

/// The texts of a row of a list of texts.
fn texts(rows: &RecordBatch, name: &str, row: usize) -> Vec<String> {
    let list = rows.column_by_name(name).expect("a column").as_list::<i32>().value(row);
    list.as_string::<i32>().iter().map(|text| text.expect("no nulls").to_owned()).collect()
}

/// Row k of `oracle` belongs to row k of `decisions`, and draws follow the wall as documented.
#[test]
fn a_run_holds_the_hands_and_walls_of_its_decisions() {
    let folder = folder();
    for (rules, players) in [("tenhou", Players::Four), ("tenhou-sanma", Players::Three)] {
        let [played, logs] = ["played", "logs"].map(|name| path(&folder, &format!("{rules}-{name}")));
        let words = ["selfplay", "--games", "6", "--seed", "3", "--rules", rules, "--log", "oracle"];
        ok(&[&words[..], &["--agents", "random", "--quiet", "--out", &played]].concat());
        ok(&["convert", &played, "--to", "run", "--log", "oracle", "--quiet", "--out", &logs]);
        for run in [&played, &logs] {
            assert!(ok(&["verify", run]).ends_with("\n0 differences, 0 errors\n"));
            check_rows(Path::new(run), players);
        }
        let of = |run: &str| rows(&file_of(Path::new(run), TableKind::Oracle, 0));
        assert!(of(&played) == of(&logs), "a converted run has the same hidden hands");
    }
}

fn check_rows(run: &Path, players: Players) {
    let of = |table| rows(&file_of(run, table, 0));
    let (decisions, oracle, walls) = (of(TableKind::Decisions), of(TableKind::Oracle), of(TableKind::Walls));
    assert_eq!(oracle.num_rows(), decisions.num_rows());
    for key in ["game", "hand", "step", "seat"] {
        assert!(oracle.column_by_name(key) == decisions.column_by_name(key), "{key}");
    }
    let text = |name: &str, row| {
        decisions.column_by_name(name).expect("a column").as_string::<i32>().value(row).to_owned()
    };
    let seats = decisions.column_by_name("seat").expect("a column").as_primitive::<UInt8Type>();
    let live = decisions.column_by_name("live").expect("a column").as_primitive::<UInt8Type>();
    let drawn = decisions.column_by_name("drawn").expect("a column");
    let key = |rows: &RecordBatch, row: usize| {
        let game = rows.column(0).as_primitive::<UInt64Type>().value(row);
        (game, rows.column(1).as_primitive::<UInt16Type>().value(row))
    };
    let all_walls: std::collections::BTreeMap<_, _> = (0..walls.num_rows())
        .map(|row| {
            let wall = walls.column_by_name("wall").expect("a column").as_string::<i32>().value(row);
            (key(&walls, row), notation::parse_tiles(wall).expect("tiles"))
        })
        .collect();
    let mut draws = 0;
    for row in 0..oracle.num_rows() {
        let hands = texts(&oracle, "tiles", row);
        assert_eq!(hands.len(), usize::from(players.count()));
        assert_eq!(hands[usize::from(seats.value(row))], text("tiles", row), "row {row}");
        let (wall, history) = (&all_walls[&key(&decisions, row)], text("history", row));
        let replacements = history.split(' ').filter(|entry| takes_replacement(entry)).count();
        let is_replacement = history.split(' ').next_back().is_some_and(takes_replacement);
        if drawn.is_valid(row) && !is_replacement {
            let words = drawn.as_any_dictionary();
            let word = words.values().as_string::<i32>().value(words.normalized_keys()[row]);
            let next = wall.len() - 14 - replacements - usize::from(live.value(row));
            assert_eq!(wall[next - 1].to_string(), word, "row {row}");
            draws += 1;
        }
    }
    assert!(draws > 1000, "{draws}");
}

/// Whether an entry of a history is a kan or a North set aside.
fn takes_replacement(entry: &str) -> bool {
    let is_kan = entry.contains('[') && entry.bytes().filter(u8::is_ascii_digit).count() == 5;
    is_kan || entry.contains(['<', '+'])
}
