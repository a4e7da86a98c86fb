//! Statistics: equal figures from games and files, and in all formats.

use std::path::{Path, PathBuf};

use jantaku_agents::{Catalog, NamedPolicy};
use jantaku_engine::Rules;
use jantaku_engine::rules::{PRESETS, Preset};
use jantaku_measure::stats::{
    CaseChoice, CaseMeasure, CaseRow, Cases, Condition, Estimate, Occurrence, StoredRuns, read, read_cases,
    simulate, simulate_cases, sweep,
};
use jantaku_sim::play::{Detail, Job, Players, Policies, Schedule};
use jantaku_sim::run::{ParquetSink, RunConfig};
use jantaku_sim::store::{Folder, Location};
use tempfile::TempDir;

use serde_json::Value;

use crate::common::program::{folder, json, ok};

fn policies(text: &str, rules: &Rules) -> Vec<NamedPolicy> {
    Catalog::standard().policies(text, usize::from(rules.players.count())).expect("agents")
}

fn job(rules: &Rules, games: u64) -> Job<'_> {
    Job::new(rules, Schedule::selfplay(7, games), Detail::Hands)
}

/// Writes the games of a job as a run.
fn write(job: &Job<'_>, agents: &[NamedPolicy], folder: &TempDir, name: &str) -> PathBuf {
    write_in_parts(job, agents, 1000, folder, name)
}

/// Writes the games of a job as a run with this many games in each part.
fn write_in_parts(
    job: &Job<'_>,
    agents: &[NamedPolicy],
    games_per_part: u64,
    folder: &TempDir,
    name: &str,
) -> PathBuf {
    let names = agents.iter().map(NamedPolicy::to_string).collect();
    let Schedule { seed, games, .. } = job.schedule;
    let config = RunConfig {
        games_per_part,
        agents: names,
        games: Some(games),
        seed,
        detail: job.detail,
        ..RunConfig::new(name, job.rules)
    };
    let path = folder.path().join(name);
    let mut sink = ParquetSink::start(Location::new(Folder, &path), config).expect("a new folder");
    Players::from(agents.to_vec()).play(job, &mut sink, &mut ()).expect("agents play legally");
    sink.finish().expect("the run is written");
    path
}

/// Compares both for every preset and several agents.
#[test]
fn stored_and_played_games_have_the_same_statistics() {
    let folder = folder();
    for preset in PRESETS {
        let rules = preset.rules();
        let agents = ["greedy", "greedy:calls=off", "random", "greedy"];
        let agents = policies(&agents[..usize::from(rules.players.count())].join(","), &rules);
        let job = job(&rules, 40);
        let played = simulate(&job, &mut agents.clone().into(), &mut ()).expect("agents play legally");
        let runs = StoredRuns::open(&[write(&job, &agents, &folder, preset.name)]).expect("a run");
        let stored = read(&runs, &mut ()).expect("files as they were written");
        assert_eq!(played.games(), 40);
        for (figure, _) in played.figures().filter(|(_, sums)| sums.y > 0) {
            let name = figure.full_name();
            assert!(figure.occurrence != Occurrence::Excluded, "{}: {name}", preset.name);
        }
        assert!(played == stored, "{}", preset.name);
    }
}

/// Stored and played games have the same conditional tables, whose totals are those of the figures and do
/// not depend on the conditions.
#[test]
fn conditional_tables_add_up_to_the_figures() {
    let folder = folder();
    for preset in ["tenhou", "tenhou-sanma", "mleague"] {
        let rules = Preset::named(preset).expect("a preset").rules();
        let agents = policies("greedy", &rules);
        let job = Job { detail: Detail::Decisions, ..job(&rules, 12) };
        let runs = StoredRuns::open(&[write_in_parts(&job, &agents, 5, &folder, preset)]).expect("a run");
        let figures = read(&runs, &mut ()).expect("files as they were written").rows(runs.groups());
        let table = |of: Cases, by: &[Condition]| {
            let by: Vec<&str> = by.iter().map(|by| by.name()).collect();
            let choice = CaseChoice::named(of.name(), &by).expect("conditions of these cases");
            let played = simulate_cases(&job, &mut agents.clone().into(), &choice, &mut ());
            let played = played.expect("agents play legally").rows(runs.groups());
            let stored = read_cases(&runs, &choice, &mut ()).expect("files as they were written");
            assert_eq!((stored.games(), stored.units()), (12, 12));
            assert!(played == stored.rows(runs.groups()), "{preset}: {choice:?}");
            played
        };
        let events = |rows: &[CaseRow], measure: CaseMeasure| -> i64 {
            rows.iter().filter(|row| row.measure == measure).map(|row| row.events).sum()
        };
        let figure = |name: &str| {
            figures.iter().find(|row| row.name == name && row.group == "all").expect("a figure").events.0
                as i64
        };
        for of in Cases::ALL {
            let whole = table(of, &[]);
            let all: Vec<Condition> = Condition::ALL.into_iter().filter(|by| of.have(*by)).collect();
            let parts = table(of, &all);
            assert!(parts.len() > whole.len(), "{preset}: {of:?}");
            for measure in of.measures() {
                assert_eq!(
                    events(&parts, *measure),
                    events(&whole, *measure),
                    "{preset}: {of:?} {measure:?}"
                );
            }
            let cases = events(&whole, CaseMeasure::Share);
            let of_hands = |suffix: &str| {
                [CaseMeasure::Win, CaseMeasure::DealIn].map(|measure| {
                    (events(&whole, measure), figure(&format!("players.{}{suffix}", measure.name())))
                })
            };
            let same = match of {
                Cases::Decisions => vec![(cases, figure("games.decisions"))],
                Cases::Hands => {
                    [of_hands("").to_vec(), vec![(events(&whole, CaseMeasure::Gain), figure("players.gain"))]]
                        .concat()
                }
                Cases::Riichi => {
                    [of_hands("-after-riichi").to_vec(), vec![(cases, figure("players.riichi"))]].concat()
                }
                Cases::DealIns => vec![(cases, events(&table(Cases::Danger, &[]), CaseMeasure::DealIn))],
                Cases::Discards | Cases::Tiles | Cases::Danger => Vec::new(),
            };
            same.into_iter().for_each(|(found, expected)| assert_eq!(found, expected, "{preset}: {of:?}"));
            for row in
                parts.iter().filter(|row| of == Cases::Danger && row.values.contains(&"genbutsu".to_owned()))
            {
                assert!(row.measure != CaseMeasure::DealIn || row.events == 0, "{preset}: ron on genbutsu");
            }
        }
    }
}

/// Two runs with the same seed form one unit for each wall. A run with another seed adds units.
#[test]
fn games_on_the_same_walls_are_one_unit() {
    let (rules, folder) = (Rules::default(), folder());
    let (first, second) = (policies("greedy", &rules), policies("greedy:calls=off", &rules));
    // More games than fit in one part.
    let other = Job { schedule: Schedule::selfplay(8, 30), ..job(&rules, 30) };
    let paths = [
        (job(&rules, 1100), &first, "first"),
        (job(&rules, 1050), &second, "second"),
        (other, &first, "other"),
    ]
    .map(|(job, agents, name)| write(&job, agents, &folder, name));
    let all = read(&StoredRuns::open(&paths).expect("runs"), &mut ()).expect("files");
    assert_eq!((all.games(), all.units()), (1100 + 1050 + 30, 1100 + 30));
    // Counting the same games twice does not narrow the intervals. `open` refuses that only for
    // deterministic runs.
    let again = write(&job(&rules, 1100), &first, &folder, "again");
    let config = again.join("run.toml");
    let text = std::fs::read_to_string(&config).expect("a run");
    let text =
        text.replacen("deterministic = true", "deterministic = false", 1).replacen("-dirty\"", "\"", 1);
    std::fs::write(config, text).expect("a file");
    let once = read(&StoredRuns::open(&paths[..1]).expect("a run"), &mut ()).expect("files");
    let twice = read(&StoredRuns::open(&[paths[0].clone(), again]).expect("runs"), &mut ()).expect("files");
    assert_eq!(twice.games(), 2 * once.games());
    for ((figure, once), (_, twice)) in once.figures().zip(twice.figures()) {
        let (once, twice) = (figure.estimate(once), figure.estimate(twice));
        assert_eq!(once.map(|e| e.value), twice.map(|e| e.value), "{}", figure.name);
        let ends = |e: Option<Estimate>| e.and_then(|e| e.interval).unwrap_or_default();
        let ((low, high), (twice_low, twice_high)) = (ends(once), ends(twice));
        let far = (low - twice_low).abs().max((high - twice_high).abs());
        assert!(far <= 1e-9 * high.abs().max(1.0), "{}: {low} {high}, {twice_low} {twice_high}", figure.name);
    }
}

/// Counts a run in parts of two sizes, alone and with a run on the same walls whose parts have
/// another size.
#[test]
fn part_sizes_do_not_change_statistics() {
    let (rules, folder) = (Rules::default(), folder());
    let (greedy, random) = (policies("greedy", &rules), policies("random", &rules));
    let (all, beside) = (job(&rules, 40), job(&rules, 25));
    let whole = write(&all, &greedy, &folder, "whole");
    let parts = write_in_parts(&all, &greedy, 3, &folder, "parts");
    let (beside, in_parts) = (
        write(&beside, &random, &folder, "beside"),
        write_in_parts(&beside, &random, 7, &folder, "in-parts"),
    );
    let statistics = |runs: &[&PathBuf]| {
        let runs: Vec<PathBuf> = runs.iter().map(|path| (*path).clone()).collect();
        read(&StoredRuns::open(&runs).expect("runs"), &mut ()).expect("files as they were written")
    };
    assert!(statistics(&[&whole]) == statistics(&[&parts]));
    let both = statistics(&[&whole, &beside]);
    assert_eq!((both.games(), both.units()), (40 + 25, 40));
    assert!(both == statistics(&[&parts, &in_parts]) && both == statistics(&[&whole, &in_parts]));
}

/// A preset does not differ from itself. For another preset the difference is that of the values.
#[test]
fn sweeps_report_differences() {
    let rules = ["tenhou", "tenhou", "mleague"].map(|name| Preset::named(name).expect("a preset").rules());
    let agents = policies("greedy", &rules[0]);
    let jobs: Vec<_> = rules.iter().map(|rules| job(rules, 200)).collect();
    let sweep = sweep(&jobs, &Policies::new(agents.clone()), &mut ()).expect("agents play legally");
    assert!(sweep.variants()[0] == sweep.variants()[1]);
    let alone = simulate(&jobs[2], &mut agents.into(), &mut ()).expect("agents play legally");
    assert!(sweep.variants()[2] == alone, "a variant is played as if it were alone");
    let mut differing = 0;
    for (index, (figure, sums)) in sweep.variants()[0].figures().enumerate() {
        let Some(own) = figure.estimate(sums) else { continue };
        let none = Estimate { value: 0.0, interval: Some((0.0, 0.0)) };
        assert_eq!(sweep.difference(1, index), Some(none), "{}", figure.name);
        let (other, sums) = sweep.variants()[2].figures().nth(index).expect("the same figures");
        if let Some(other) = other.estimate(sums) {
            let difference = sweep.difference(2, index).expect("both have cases");
            assert_eq!(difference.value.to_bits(), (other.value - own.value).to_bits(), "{}", figure.name);
            let (low, high) = difference.interval.unwrap_or((difference.value, difference.value));
            assert!(low <= difference.value && difference.value <= high, "{}", figure.name);
            differing += usize::from(low > 0.0 || high < 0.0);
        }
    }
    assert!(sweep.difference(0, 0).is_none());
    assert!(differing > 0, "M-League has no abortive draws");
}

fn shown(path: &Path) -> &str {
    path.to_str().expect("a path of plain characters")
}

/// Few games can be equal by chance, so no interval has length 0. The exception is the difference
/// between equal rules, which is exactly 0.
#[test]
fn few_games_do_not_give_certainty() {
    let is_proper = |figure: &Value, low: &str, high: &str| {
        let [low, high] = [low, high].map(|end| figure[end].as_f64());
        low.is_some() == high.is_some() && low.is_none_or(|low| low < high.expect("both ends"))
    };
    for (agents, games) in [("greedy,random,greedy,tsumogiri", "50"), ("random", "5"), ("greedy", "2")] {
        let words = ["--agents", agents, "--games", games, "--json"];
        let found = json(&ok(&[&["stats"], &words[..]].concat()));
        for figure in found["figures"].as_array().expect("figures") {
            assert!(is_proper(figure, "low", "high"), "{figure}");
            let is_rate = figure["kind"] == "rate";
            assert!(!is_rate || figure["units"] == 1 || !figure["low"].is_null(), "{figure}");
        }
        let rules = ["--rules", "tenhou", "--rules", "tenhou", "--rules", "mleague"];
        let found = json(&ok(&[&["sweep"], &rules[..], &words].concat()));
        let others = found["figures"].as_array().expect("figures");
        for figure in others.iter().filter(|figure| !figure["difference"].is_null()) {
            let [value, low, high] =
                ["difference", "difference_low", "difference_high"].map(|key| figure[key].as_f64());
            if figure["variant"] == "mleague" {
                assert!(is_proper(figure, "difference_low", "difference_high"), "{figure}");
                let is_share =
                    figure["kind"] == "mean" || low.is_none_or(|low| low >= -1.0) && high <= Some(1.0);
                assert!(is_share, "{figure}");
            } else {
                assert_eq!((value, low, high), (Some(0.0), Some(0.0), Some(0.0)), "{figure}");
            }
        }
    }
}

#[test]
fn text_json_csv_and_parquet_have_the_same_figures() {
    let folder = folder();
    let [csv, parquet] = ["figures.csv", "figures.parquet"].map(|name| folder.path().join(name));
    let files = ["--csv", shown(&csv), "--parquet", shown(&parquet)];
    let words = [&["stats", "--games", "60", "--only", "draws,games"], &files[..]].concat();
    let found = json(&ok(&[&words[..], &["--json"]].concat()));
    let figures = found["figures"].as_array().expect("figures");
    let names: Vec<&str> = figures.iter().map(|figure| figure["name"].as_str().expect("a name")).collect();
    for reason in
        ["exhaustive", "nagashi", "kyuushu-kyuuhai", "four-winds", "four-riichi", "four-kans", "triple-ron"]
    {
        assert!(names.contains(&format!("draws.{reason}").as_str()), "{reason} has a figure even if it is 0");
    }
    let lines = std::fs::read_to_string(&csv).expect("a file");
    let mut lines = lines.lines();
    let columns: Vec<&str> = lines.next().expect("names").split(',').collect();
    assert_eq!(lines.clone().count(), figures.len());
    for (line, figure) in lines.zip(figures) {
        for (name, cell) in columns.iter().zip(line.split(',')) {
            let value = match &figure[*name] {
                Value::String(text) => text.clone(),
                Value::Null => String::new(),
                other => other.to_string(),
            };
            // Reading JSON may change the last digit.
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-14 * a.abs();
            let same = value == cell || matches!((value.parse(), cell.parse()), (Ok(a), Ok(b)) if near(a, b));
            assert!(same, "{name} of {line}: {value}");
        }
    }
    let rows = parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(
        std::fs::File::open(&parquet).expect("a file"),
    );
    let rows = rows.expect("Parquet").build().expect("Parquet").map(|batch| batch.expect("rows").num_rows());
    assert_eq!(rows.sum::<usize>(), figures.len());
}

/// The sum of a count over the groups of a figure whose names begin so.
fn total(figures: &[Value], name: &str, key: &str, start: &str) -> i64 {
    let is_meant = |figure: &&Value| {
        figure["name"] == name && figure["group"].as_str().is_some_and(|group| group.starts_with(start))
    };
    figures.iter().filter(is_meant).map(|figure| figure[key].as_i64().expect("a count")).sum()
}

/// Every player and every hand is in one group of each division.
#[test]
fn groups_add_up_to_all() {
    let agents = "greedy,random,greedy,greedy:calls=off";
    let found = json(&ok(&["stats", "--games", "60", "--agents", agents, "--json"]));
    let found = found["figures"].as_array().expect("figures");
    for name in ["players.win", "players.gain", "players.riichi-turn", "players.tenpai"] {
        for key in ["events", "trials"] {
            let of = |start: &str| total(found, name, key, start);
            let divisions = [of("seat "), of("wind "), of("agent "), of("dealer") + of("non-dealer")];
            assert_eq!(divisions, [of("all"); 4], "{name}, {key}");
        }
    }
    let names = ["hands.tsumo", "hands.dealer-repeat", "hands.riichi", "draws.exhaustive", "turns.mean"];
    for name in names.into_iter().chain(["han.mean", "points.mean", "hands.honba"]) {
        let of = |start: &str| total(found, name, "events", start);
        assert_eq!([of("round-wind "), of("round ")], [of("all"); 2], "{name}");
        assert!(of("round South ") > 0 && of("round South ") == of("round-wind South"), "{name}");
    }
}
