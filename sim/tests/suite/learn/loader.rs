//! Decisions in order, against the tables of their run.

use std::fs::File;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use jantaku_agents::encode::{PlanesV1, SparseV1, SuitOrder};
use jantaku_engine::rules::Preset;
use jantaku_engine::{ActionId, Game, Observation, Players, Rules};
use jantaku_sim::loader::{Filter, LoadedBatch, Loader, LoaderConfig};
use jantaku_sim::play::Detail;
use jantaku_sim::run::{Run, RunConfig};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use tempfile::TempDir;

/// Plays a run of greedy and random players in parts of four games.
pub fn run(folder: &TempDir, name: &str, rules: &Rules, games: u64) -> PathBuf {
    run_of(folder, name, rules, games, ["greedy", "random", "greedy", "tsumogiri"])
}

/// Plays a run of the first of these agents in parts of four games.
fn run_of(folder: &TempDir, name: &str, rules: &Rules, games: u64, agents: [&str; 4]) -> PathBuf {
    let path = folder.path().join(name);
    let seats = usize::from(rules.players.count());
    let agents = agents[..seats].iter().map(|agent| (*agent).to_owned()).collect();
    let config = RunConfig {
        games_per_part: 4,
        agents,
        games: Some(games),
        seed: 5,
        detail: Detail::Decisions,
        ..RunConfig::new("test", rules)
    };
    let mut players = config.players().expect("known agents");
    let mut run = Run::create(&path, config).expect("a new folder");
    run.play(&mut players, &mut ()).expect("a run");
    path
}

pub fn preset(name: &str) -> Rules {
    Preset::named(name).expect("a preset").rules()
}

pub fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

pub fn config(path: &Path) -> LoaderConfig {
    LoaderConfig { workers: 2, ..LoaderConfig::new(vec![path.to_owned()]) }
}

pub fn load(config: LoaderConfig) -> Vec<LoadedBatch> {
    Loader::start(config).expect("a valid loader").collect::<Result<_, _>>().expect("whole runs")
}

/// A decision: its game and number, its action, and its labels.
pub type Line = (u64, u32, u8, String);

/// The decisions of some batches.
pub fn lines(batches: &[LoadedBatch]) -> Vec<Line> {
    let of_batch = |batch: &LoadedBatch| {
        let line = |row: usize| {
            let labels = format!(
                "{} {} {} {} {} {} {} {:?}",
                batch.hands[row],
                batch.seats[row],
                Filter::kind_names()[usize::from(batch.kinds[row])],
                batch.hand_deltas[row],
                batch.points[row],
                batch.placements[row],
                batch.results[row],
                batch.encoded.masks()[row]
            );
            (batch.games[row], batch.decisions[row], batch.actions[row], labels)
        };
        (0..batch.rows()).map(line).collect::<Vec<_>>()
    };
    batches.iter().flat_map(of_batch).collect()
}

/// The same lines from the table of decisions.
pub fn stored(run: &Path) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for part in 0.. {
        let Ok(file) = File::open(run.join(format!("decisions/part-{part:06}.parquet"))) else { break };
        for batch in ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet").build().expect("rows") {
            let batch = batch.expect("rows");
            let column = |name: &str| batch.column_by_name(name).expect("a column");
            let bytes = |name: &str| column(name).as_primitive::<UInt8Type>().values().to_vec();
            let shorts = |name: &str| column(name).as_primitive::<UInt16Type>().values().to_vec();
            let ints = |name: &str| column(name).as_primitive::<Int32Type>().values().to_vec();
            let longs = |name: &str| column(name).as_primitive::<UInt64Type>().values().to_vec();
            let numbers = column("decision").as_primitive::<UInt32Type>().values().to_vec();
            let kinds = arrow_cast(column("phase"));
            let (games, legal) = (longs("game"), ["legal_0", "legal_1", "legal_2"].map(longs));
            let columns = (shorts("hand"), bytes("seat"), bytes("action"), bytes("final_placement"));
            let labels = (ints("hand_delta"), ints("final_points"), ints("final_result"));
            for row in 0..batch.num_rows() {
                let mask: Vec<u8> =
                    (0..ActionId::COUNT).map(|id| (legal[id / 64][row] >> (id % 64) & 1) as u8).collect();
                let number = lines.last().filter(|last| last.0 == games[row]).map_or(0, |last| last.1 + 1);
                assert_eq!(numbers[row], number, "the column `decision` counts in each game");
                let text = format!(
                    "{} {} {} {} {} {} {} {mask:?}",
                    columns.0[row],
                    columns.1[row],
                    kinds[row],
                    labels.0[row],
                    labels.1[row],
                    columns.3[row],
                    labels.2[row]
                );
                lines.push((games[row], number, columns.2[row], text));
            }
        }
    }
    lines
}

/// The texts of a column of words.
fn arrow_cast(column: &dyn arrow_array::Array) -> Vec<String> {
    use arrow_array::{ArrayAccessor as _, StringArray};
    let words = column.as_dictionary::<UInt32Type>().downcast_dict::<StringArray>().expect("texts");
    (0..column.len()).map(|row| words.value(row).to_owned()).collect()
}

#[test]
fn decisions_come_in_the_order_of_the_run() {
    for name in ["tenhou", "tenhou-sanma", "duo", "mleague"] {
        let folder = folder();
        let run = run(&folder, "run", &preset(name), 10);
        let expected = stored(&run);
        assert!(expected.len() > 1000, "{name}");
        for (workers, batch) in [(1, 100), (2, 1), (3, 4096)] {
            let batches = load(LoaderConfig { workers, batch, ..config(&run) });
            assert!(lines(&batches) == expected, "{name}, {workers} workers");
            let rows: Vec<usize> = batches.iter().map(LoadedBatch::rows).collect();
            let (last, full) = rows.split_last().expect("batches");
            assert!(full.iter().all(|rows| *rows == batch) && *last <= batch);
        }
        let whole = load(LoaderConfig { batch: 300, drop_last: true, ..config(&run) });
        assert_eq!(whole.iter().map(LoadedBatch::rows).sum::<usize>(), expected.len() / 300 * 300);
    }
}

/// The encodings of a run's decisions, from games that are played again.
fn encodings<T>(run: &Path, rules: &Rules, encode: impl Fn(&Observation<'_>) -> T) -> Vec<T> {
    let (config, _) = jantaku_sim::run::read(run).expect("a run");
    let mut rows = Vec::new();
    let mut lines = stored(run).into_iter();
    for number in 0..config.games.expect("a number") {
        let mut game = Game::new(rules, config.schedule().fixture(number).seed);
        while !game.is_over() {
            for seat in game.pending().iter() {
                rows.push(encode(&game.observe(seat)));
                let (.., action, _) = lines.next().expect("a stored decision");
                game.submit(seat, ActionId::new(action).expect("an action").action()).expect("legal");
            }
        }
    }
    rows
}

/// The planes of each row.
fn planes(batch: &LoadedBatch) -> &[[u8; PlanesV1::BYTES]] {
    batch.encoded.array::<u8>("planes").expect("planes").as_chunks().0
}

/// The active features of a row.
fn features(batch: &LoadedBatch, row: usize) -> &[u16] {
    let rows = &batch.encoded;
    let counts: &[u16] = rows.array::<u16>("counts").expect("counts");
    &rows.array::<u16>("active").expect("features")[row * SparseV1::MAX_ACTIVE..][..usize::from(counts[row])]
}

#[test]
fn encodings_are_those_of_the_decisions() {
    let (folder, rules) = (folder(), preset("tenhou"));
    let run = run(&folder, "run", &rules, 6);
    let expected = encodings(&run, &rules, |o| {
        let mut row = [0; PlanesV1::BYTES];
        PlanesV1::encode(o, &mut row);
        row
    });
    let batches = load(LoaderConfig { encoder: Some(PlanesV1::ENCODER), ..config(&run) });
    assert!(batches.iter().flat_map(planes).eq(&expected));
    // A permutation of suits applies to the encoding, the legal actions and the action.
    let augmented = LoaderConfig { encoder: Some(PlanesV1::ENCODER), augment: true, ..config(&run) };
    let permuted = load(augmented.clone());
    assert_eq!(
        load(augmented).iter().map(|batch| &batch.actions).collect::<Vec<_>>(),
        permuted.iter().map(|batch| &batch.actions).collect::<Vec<_>>()
    );
    let mut found = [0; 6];
    let rows = |batches: &[LoadedBatch]| -> Vec<([u8; PlanesV1::BYTES], [u8; 165], u8)> {
        let rows = |batch: &LoadedBatch| {
            (0..batch.rows())
                .map(|row| (planes(batch)[row], batch.encoded.masks()[row], batch.actions[row]))
                .collect::<Vec<_>>()
        };
        batches.iter().flat_map(rows).collect()
    };
    for (plain, permuted) in rows(&batches).into_iter().zip(rows(&permuted)) {
        let fits = |order: SuitOrder| {
            let mut planes = plain.0;
            order.planes(&mut planes);
            let action = order.action(ActionId::new(plain.2).expect("an action")).number();
            (planes, order.policy(&plain.1), action) == permuted
        };
        let order = SuitOrder::ALL.iter().position(|order| fits(*order));
        found[order.expect("one of the orders")] += 1;
        assert_eq!(permuted.1[usize::from(permuted.2)], 1, "the action is legal");
    }
    let mean = expected.len() / 6;
    assert!(found.iter().all(|count| (mean * 8 / 10..mean * 12 / 10).contains(count)), "{found:?}");
}

#[test]
fn sparse_rows_are_those_of_the_decisions() {
    for name in ["tenhou", "tenhou-sanma"] {
        let (folder, rules) = (folder(), preset(name));
        let run = run(&folder, "run", &rules, 6);
        let expected = encodings(&run, &rules, |o| {
            let (mut active, mut scalars) = ([0; SparseV1::MAX_ACTIVE], [0.0; SparseV1::SCALARS]);
            let count = SparseV1::encode(o, &mut active, &mut scalars);
            (active[..count].to_vec(), scalars)
        });
        let batches = load(LoaderConfig { encoder: Some(SparseV1::ENCODER), ..config(&run) });
        let rows = batches.iter().flat_map(|batch| {
            let scalars = batch.encoded.array::<f32>("scalars").expect("scalars").as_chunks().0;
            (0..batch.rows()).map(|row| (features(batch, row).to_vec(), scalars[row]))
        });
        assert!(rows.eq(expected), "{name}");
    }
}

#[test]
fn sparse_rows_are_permuted_like_planes() {
    let (folder, rules) = (folder(), preset("tenhou-sanma"));
    let run = run(&folder, "run", &rules, 4);
    let load = |augment| load(LoaderConfig { encoder: Some(SparseV1::ENCODER), augment, ..config(&run) });
    let (plain, permuted) = (load(false), load(true));
    let mut swapped = 0;
    for (plain, permuted) in plain.iter().zip(&permuted) {
        for row in 0..plain.rows() {
            let features = |batch: &LoadedBatch, order: SuitOrder| {
                let table = SparseV1::ENCODER.table().features;
                let features = features(batch, row).iter().map(|feature| order.feature(table, *feature));
                features.collect::<std::collections::BTreeSet<_>>()
            };
            let of_rules: Vec<SuitOrder> = SuitOrder::allowed(&rules).collect();
            assert_eq!(of_rules.len(), 2, "characters stay");
            let order = of_rules
                .into_iter()
                .position(|order| features(plain, order) == features(permuted, SuitOrder::ALL[0]));
            swapped += order.expect("one of the orders");
        }
    }
    let rows: usize = plain.iter().map(LoadedBatch::rows).sum();
    assert!((rows * 2 / 5..rows * 3 / 5).contains(&swapped), "{swapped} of {rows}");
}

/// Whether the words of a line pass a filter.
type Passes = fn(&[String]) -> bool;

#[test]
fn filters_keep_exactly_what_passes() {
    let folder = folder();
    let run = run(&folder, "run", &preset("tenhou"), 12);
    let all = stored(&run);
    let words = |line: &Line| -> Vec<String> { line.3.split(' ').map(str::to_owned).collect() };
    let texts = |texts: &[&str]| Some(texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
    let cases: [(Filter, Passes); 5] = [
        (Filter { seats: Some(vec![1, 3]), ..Filter::default() }, |w| ["1", "3"].contains(&&*w[1])),
        (Filter { agents: texts(&["greedy"]), ..Filter::default() }, |w| ["0", "2"].contains(&&*w[1])),
        (Filter { placements: Some(vec![1]), ..Filter::default() }, |w| w[5] == "1"),
        (Filter { kinds: texts(&["claim", "end"]), ..Filter::default() }, |w| {
            ["claim", "end"].contains(&&*w[2])
        }),
        (
            Filter {
                seats: Some(vec![0]),
                agents: texts(&["greedy", "tsumogiri"]),
                placements: Some(vec![2, 4]),
                kinds: texts(&["turn"]),
            },
            |w| w[1] == "0" && ["2", "4"].contains(&&*w[5]) && w[2] == "turn",
        ),
    ];
    for (filter, passes) in cases {
        let expected: Vec<&Line> = all.iter().filter(|line| passes(&words(line))).collect();
        assert!(expected.len() > 20 && expected.len() < all.len(), "{filter:?}");
        let found = lines(&load(LoaderConfig { filter: filter.clone(), ..config(&run) }));
        assert!(found.iter().eq(expected), "{filter:?}");
    }
    let none = Filter { agents: texts(&["random"]), seats: Some(vec![0]), ..Filter::default() };
    assert!(load(LoaderConfig { filter: none, ..config(&run) }).is_empty());
    assert_eq!(Players::Four.count(), 4);
}

/// Decisions that were copied from another game are none of the agents' of the run.
#[test]
fn copied_decisions_are_no_agents() {
    let folder = folder();
    let run = run(&folder, "run", &preset("tenhou"), 1);
    let config_file = run.join("run.toml");
    let text = std::fs::read_to_string(&config_file).expect("a run");
    std::fs::write(&config_file, text + "\n[branch]\ndecisions = 100\n").expect("a run");
    let all = stored(&run);
    assert_eq!(lines(&load(config(&run))), all, "all are loaded if no agent is chosen");
    let agents = ["greedy", "random", "tsumogiri"].map(str::to_owned).to_vec();
    let filter = Filter { agents: Some(agents), ..Filter::default() };
    let found = lines(&load(LoaderConfig { filter, ..config(&run) }));
    assert!(all.len() > 200 && found.iter().eq(all.iter().filter(|line| line.1 >= 100)), "{}", found.len());
}

/// A name that means different agents in two runs would mix their decisions.
#[test]
fn a_chosen_name_is_one_agent() {
    let folder = folder();
    let rules = preset("tenhou-tonpuu");
    let runs = ["greedy", "random"].map(|agent| {
        let named = format!("a={agent}");
        run_of(&folder, agent, &rules, 1, [&named, "tsumogiri", "tsumogiri", "tsumogiri"])
    });
    let chosen = |name: &str| {
        let filter = Filter { agents: Some(vec![name.to_owned()]), ..Filter::default() };
        LoaderConfig { filter, ..LoaderConfig::new(runs.to_vec()) }
    };
    let error = Loader::start(chosen("a")).expect_err("two agents").to_string();
    assert_eq!(error, "`agents`: expected names that each mean one agent, found `a` for greedy and random");
    assert!(!load(chosen("tsumogiri")).is_empty());
}

#[test]
fn wrong_values_are_errors() {
    let folder = folder();
    let run = run(&folder, "run", &preset("duo"), 2);
    let error = |config: LoaderConfig| Loader::start(config).expect_err("a wrong value").to_string();
    assert_eq!(error(LoaderConfig { batch: 0, ..config(&run) }), "`batch`: expected at least 1, found 0");
    assert_eq!(error(LoaderConfig { window: 0, ..config(&run) }), "`window`: expected at least 1, found 0");
    let rank = LoaderConfig { rank: 2, ranks: 2, ..config(&run) };
    assert_eq!(error(rank), "`rank`: expected less than `ranks`, 2, found 2");
    let filter = |filter| LoaderConfig { filter, ..config(&run) };
    let kinds = Filter { kinds: Some(vec!["discard".to_owned()]), ..Filter::default() };
    assert_eq!(
        error(filter(kinds)),
        "`kinds`: expected one of turn, claim, kan-claim, draw, end, found discard"
    );
    let seats = Filter { seats: Some(vec![4]), ..Filter::default() };
    assert_eq!(error(filter(seats)), "`seats`: expected seats from 0 to 3, found 4");
    let placements = Filter { placements: Some(vec![0]), ..Filter::default() };
    assert_eq!(error(filter(placements)), "`placements`: expected placements from 1 to 4, found 0");
}
