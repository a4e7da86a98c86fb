//! Statistics: equal figures from games and files, and the output of the program.

use std::path::{Path, PathBuf};
use std::process::Command;

use jantaku_agents::{Catalog, NamedPolicy};
use jantaku_engine::Rules;
use jantaku_engine::rules::{PRESETS, Preset};
use jantaku_sim::play::{Detail, Job, Players, Policies, Schedule};
use jantaku_sim::run::{ParquetSink, RunConfig};
use jantaku_sim::stats::{Estimate, Occurrence, StoredRuns, read, simulate, sweep};
use jantaku_sim::store::Folder;
use tempfile::TempDir;

use crate::common::program::{folder, jantaku, ok, remove_hashes, text};

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
    let config =
        RunConfig { games_per_part, ..RunConfig::new(name, job.rules, names, games, seed, job.detail) };
    let path = folder.path().join(name);
    let mut sink = ParquetSink::start(Folder, &path, config).expect("a new folder");
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

/// The program gets half the memory that the counts of all games of the part would take.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_part_size() {
    let folder = folder();
    let run = folder.path().join("run");
    let run = shown(&run);
    let games = "--games 20000 --games-per-part 20000 --agents tsumogiri --log hands --quiet";
    ok(&["selfplay"].into_iter().chain(games.split(' ')).chain(["--out", run]).collect::<Vec<_>>());
    let command =
        format!("ulimit -d 48000; exec {} stats {run} --threads 1 --quiet", env!("CARGO_BIN_EXE_jantaku"));
    let output = Command::new("bash").args(["-c", &command]).output().expect("bash starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The copies are in a copied run, in logs that were converted twice, and inside one run.
#[test]
fn copies_of_games_from_logs_are_counted_once() {
    let folder = folder();
    let [played, first, again, copy, both] =
        ["played", "first", "again", "copy", "both"].map(|name| folder.path().join(name));
    let [played, first, again, copy, both] = [&played, &first, &again, &copy, &both].map(|path| shown(path));
    ok(&["selfplay", "--games", "30", "--seed", "4", "--out", played, "--quiet"]);
    ok(&["convert", played, "--to", "run", "--out", first, "--quiet"]);
    ok(&["convert", first, "--to", "tenhou6", "--out", again, "--quiet"]);
    ok(&["convert", again, "--to", "run", "--out", copy, "--quiet"]);
    ok(&["convert", played, copy, "--to", "run", "--out", both, "--quiet"]);
    let counted = |runs: &[&str]| -> serde_json::Value {
        serde_json::from_str(&ok(&[&["stats"], runs, &["--json"]].concat())).expect("JSON")
    };
    let once = counted(&[first]);
    assert_eq!((&once["games"], &once["left_out"]), (&30.into(), &0.into()));
    for runs in [&[first, copy][..], &[both], &[copy, first]] {
        let twice = counted(runs);
        assert_eq!((&twice["games"], &twice["left_out"]), (&30.into(), &30.into()), "{runs:?}");
        assert_eq!((&twice["units"], &twice["complete"]), (&30.into(), &true.into()), "{runs:?}");
        assert!(twice["figures"] == once["figures"], "{runs:?}");
    }
    let printed = ok(&["stats", both, "--only", "players", "--by", "agent"]);
    assert!(printed.ends_with("\nNo figures by agent: these games have no such groups.\n"), "{printed}");
    let head = ok(&["stats", both, "--only", "draws"]);
    assert!(head.contains("\n30 copies of games left out.\n"), "{head}");
}

#[test]
fn thread_counts_do_not_change_statistics() {
    let rules = Rules::default();
    let agents = policies("greedy,random,greedy,random", &rules);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let mut players = Players::from(agents.clone());
        pool.install(|| simulate(&job(&rules, 600), &mut players, &mut ()).expect("agents play legally"))
    };
    assert!(on(1) == on(3));
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

/// Runs the program and expects status 2 and a message that begins with this text.
fn refused(args: &[&str], message: &str) {
    let output = jantaku(args);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
    assert!(stderr.starts_with(message), "{args:?}: {stderr}");
    assert!(output.stdout.is_empty(), "{args:?}");
}

fn shown(path: &Path) -> &str {
    path.to_str().expect("a path of plain characters")
}

/// Few games can be equal by chance, so no interval has length 0. The exception is the difference
/// between equal rules, which is exactly 0.
#[test]
fn few_games_do_not_give_certainty() {
    let is_proper = |figure: &serde_json::Value, low: &str, high: &str| {
        let [low, high] = [low, high].map(|end| figure[end].as_f64());
        low.is_some() == high.is_some() && low.is_none_or(|low| low < high.expect("both ends"))
    };
    for (agents, games) in [("greedy,random,greedy,tsumogiri", "50"), ("random", "5"), ("greedy", "2")] {
        let words = ["--agents", agents, "--games", games, "--json"];
        let found: serde_json::Value =
            serde_json::from_str(&ok(&[&["stats"], &words[..]].concat())).expect("JSON");
        for figure in found["figures"].as_array().expect("figures") {
            assert!(is_proper(figure, "low", "high"), "{figure}");
            let is_rate = figure["kind"] == "rate";
            assert!(!is_rate || figure["units"] == 1 || !figure["low"].is_null(), "{figure}");
        }
        let rules = ["--rules", "tenhou", "--rules", "tenhou", "--rules", "mleague"];
        let found: serde_json::Value =
            serde_json::from_str(&ok(&[&["sweep"], &rules[..], &words].concat())).expect("JSON");
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
    let words = [
        "stats",
        "--games",
        "60",
        "--only",
        "draws,games",
        "--csv",
        shown(&csv),
        "--parquet",
        shown(&parquet),
    ];
    let found: serde_json::Value =
        serde_json::from_str(&ok(&[&words[..], &["--json"]].concat())).expect("JSON");
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
                serde_json::Value::String(text) => text.clone(),
                serde_json::Value::Null => String::new(),
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
    let printed = ok(&words[..5]);
    assert!(printed.starts_with("60 games of greedy under tenhou, seed 0: "), "{printed}");
    assert!(printed.contains("\nDraws, per hand\n  figure "), "{printed}");
    assert!(!printed.contains("yaku"), "{printed}");
    refused(&words, &format!("error: {}: already exists; choose another name", shown(&csv)));
}

#[test]
fn bad_input_is_refused_with_a_message() {
    let (rules, folder, fresh) = (Rules::default(), folder(), folder());
    let agents = &policies("greedy", &rules)[..];
    let all = job(&rules, 5);
    let run = write(&all, agents, &folder, "run");
    let games = write(&Job { detail: Detail::Games, ..job(&rules, 5) }, agents, &folder, "games");
    let other_rules = Preset::named("wrc").expect("a preset").rules();
    let other = write(&job(&other_rules, 5), agents, &folder, "wrc");
    let [run, games, other] = [&run, &games, &other].map(|path| shown(path));
    refused(&["stats"], "error: expected the folders of runs, or --games N to play games");
    refused(&["stats", run, "--games", "5"], "error: the argument '[RUN]...' cannot be used with '--games");
    refused(&["stats", run, "--rules", "wrc"], "error: the argument");
    for words in [["--seed", "3"], ["--agents", "random"]] {
        let message = "error: --agents and --seed need --games N: a stored run has its own agents and seed";
        refused(&[&["stats", run], &words[..]].concat(), message);
    }
    refused(&["stats", "nowhere"], "error: nowhere/run.toml: cannot read");
    refused(
        &["stats", games],
        &format!(
            "error: {games}: has no table of hands (`--log games`); statistics need a run with `--log hands`"
        ),
    );
    refused(
        &["stats", run, other],
        &format!(
            "error: {other}: has other rules than {run}: wrc ({:016x}) instead of run ({:016x}); count them \
             separately",
            other_rules.hash(),
            rules.hash()
        ),
    );
    let (parent, name) = run.rsplit_once('/').expect("a path");
    for spelling in [run.to_owned(), format!("{parent}/./{name}/"), format!("{run}/hands/..")] {
        let message =
            format!("error: {spelling}: is the same folder as {run}; its games would be counted twice");
        refused(&["stats", run, &spelling], &message);
    }
    let copied = write(&job(&rules, 3), agents, &fresh, "run");
    let copied = shown(&copied);
    let message = format!(
        "error: {copied}: has games of {run}: the same seed, agents and rules; they would be counted twice"
    );
    refused(&["stats", run, copied], &message);
    refused(
        &["stats", run, "--csv", "a.csv", "--parquet", "a.csv"],
        "error: --csv and --parquet: both name a.csv; choose another name for one of them",
    );
    refused(
        &["stats", run, "--only", "draws,yku"],
        "error: --only: unknown section `yku`, expected one of hands, draws, turns, yaku, han, fu, \
         han-fu, points, games, players, spread; or a figure",
    );
    refused(
        &["stats", run, "--only", "draws.four-kan"],
        "error: --only: unknown figure `draws.four-kan` (did you mean `draws.four-kans`?); `jantaku stats \
         --list` prints all",
    );
    refused(&["stats", run, "--csv", "nowhere/a.csv"], "error: nowhere/a.csv: its folder does not exist");
    let more = shown(&write(&job(&rules, 6), agents, &fresh, "more")).to_owned();
    // Without sizes in the manifest, the rows show what is wrong.
    [run, &more].iter().for_each(|run| remove_hashes(run));
    let [own, others] = [run, &more].map(|run| format!("{run}/games/part-000000.parquet"));
    let kept = std::fs::read(&own).expect("a part");
    std::fs::copy(&others, &own).expect("a copy");
    refused(
        &["stats", run],
        &format!("error: {own}: unexpected game 5; the part should have the games 0 to 4"),
    );
    std::fs::write(&others, &kept).expect("a file");
    refused(
        &["stats", &more],
        &format!("error: {others}: game 5 is missing; the part should have the games 0 to 5"),
    );
    std::fs::write(&own, &kept).expect("a file");
    let hands = format!("{more}/hands/part-000000.parquet");
    let kept = std::fs::read(&hands).expect("a part");
    std::fs::copy(format!("{run}/hands/part-000000.parquet"), &hands).expect("a copy");
    std::fs::copy(write(&job(&rules, 6), agents, &folder, "six").join("games/part-000000.parquet"), &others)
        .expect("a copy");
    let missing = jantaku(&["stats", &more]);
    let stderr = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(
        stderr.starts_with(&format!("error: {hands}: game 5: expected ")) && stderr.ends_with("found 0\n"),
        "{stderr}"
    );
    std::fs::write(&hands, &kept).expect("a file");
    let part = format!("{run}/hands/part-000000.parquet");
    std::fs::copy(&hands, &part).expect("a copy");
    refused(&["stats", run], &format!("error: {part}: game 5 is not in the table `games`"));
    std::fs::copy(format!("{other}/hands/part-000000.parquet"), &part).expect("a copy");
    refused(&["stats", run], &format!("error: {part}: game "));
    std::fs::write(&part, "no table").expect("a file");
    refused(&["stats", run], &format!("error: {part}: "));
    std::fs::remove_file(&part).expect("a file");
    refused(&["stats", run], &format!("error: {part}: cannot open: No such file"));
}

#[test]
fn variants_have_unique_names() {
    let words = ["sweep", "--rules", "tenhou", "--rules", "wrc", "--rules", "tenhou", "--games", "3"];
    let printed = ok(&words);
    let head = "3 games of greedy on the same walls under tenhou, wrc, tenhou (2), seed 0\n";
    assert!(printed.starts_with(head), "{printed}");
    assert!(printed.contains("\ntenhou (2) has the rules of tenhou.\n\nHands\n"), "{printed}");
    let found: serde_json::Value =
        serde_json::from_str(&ok(&[&words[..], &["--json"]].concat())).expect("JSON");
    let name = |index: usize| found["variants"][index]["name"].as_str().expect("a name");
    assert_eq!([0, 1, 2].map(name), ["tenhou", "wrc", "tenhou (2)"]);
    let figures = found["figures"].as_array().expect("figures");
    assert!(figures.iter().any(|figure| figure["variant"] == "tenhou (2)"));
}

#[test]
fn variants_that_cannot_be_compared_are_refused() {
    let sweep =
        |words: &[&str], message: &str| refused(&[&["sweep", "--games", "2"], words].concat(), message);
    refused(&["sweep", "--rules", "tenhou", "--rules", "wrc"], "error: --games N is needed");
    sweep(
        &["--rules", "tenhou"],
        "error: a sweep needs at least two variants: give --rules several times, or",
    );
    sweep(&["--rules", "tenhou", "--vary", "kiriage=false"], "error: a sweep needs at least two variants");
    sweep(
        &["--rules", "tenhou", "--rules", "tenhou-sanma"],
        "error: tenhou is for 4 players and tenhou-sanma for 3; all variants need the same number of players",
    );
    sweep(
        &["--rules", "tenhou", "--rules", "wrc", "--vary", "kiriage=true"],
        "error: --vary changes one rule set",
    );
    sweep(
        &["--rules", "tenhou", "--vary", "kiriage"],
        "error: --vary kiriage: expected a field and its values",
    );
    sweep(
        &["--rules", "tenhou", "--vary", "kiriag=true"],
        "error: --vary kiriag=true: `kiriag`: unknown field; did you mean `kiriage`?",
    );
    sweep(
        &["--rules", "tenhou", "--vary", "kuikae=Free,Never"],
        "error: --vary kuikae=Never: `kuikae`: expected Both | GenbutsuOnly | SujiOnly | Free, found",
    );
    sweep(&["--rules", "tenhou", "--vary", "uma=[1,2]"], "error: --vary uma=[1,2]: `uma`: ");
    let rule_files = "every variant needs valid rules: if fields depend on each other, write a rule file for \
                      each variant, and give these with --rules\n";
    for (vary, has_advice) in [
        (&["--vary", "max_ron=1"][..], true),
        (&["--vary", "max_ron=2,1", "--vary", "triple_ron=Abort"], true),
        (&["--vary", "kuikae=Never"], false),
    ] {
        let refused = jantaku(&[&["sweep", "--games", "2", "--rules", "tenhou"], vary].concat());
        let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!((refused.status.code(), stderr.ends_with(rule_files)), (Some(2), has_advice), "{stderr}");
    }
    for (vary, list) in [
        ("uma=15,5,-5,-15", "uma=[15, 5, -5, -15]"),
        ("double_yakuman=daisuushii,suuankou", r#"double_yakuman=["daisuushii", "suuankou"]"#),
    ] {
        let found = jantaku(&["sweep", "--games", "2", "--rules", "tenhou", "--vary", vary]);
        let (said, advice) = (text(&found.stderr), format!("brackets and quotes: `--vary '{list}'`\n"));
        assert!(found.status.code() == Some(2) && said.ends_with(&advice), "{said}");
    }
    for names in [["a=tenhou", "a=mjsoul"], ["wrc=tenhou", "wrc"]] {
        let name = names[0].split('=').next().expect("a name");
        let message = format!("error: --rules: `{name}` names two rule sets; give each its own name");
        sweep(&["--rules", names[0], "--rules", names[1]], &message);
    }
    let names = ok(&[
        "sweep",
        "--games",
        "2",
        "--rules",
        "tenhou",
        "--vary",
        "kiriage=true,false",
        "--vary",
        "kuikae=Both,Free",
        "--json",
    ]);
    let names: serde_json::Value = serde_json::from_str(&names).expect("JSON");
    let names: Vec<&str> =
        names["variants"].as_array().expect("a list").iter().filter_map(|v| v["name"].as_str()).collect();
    assert_eq!(
        names,
        ["tenhou", "kiriage=true kuikae=Both", "kiriage=true kuikae=Free", "kiriage=false kuikae=Free"]
    );
}

/// The head names the agents of each run, and by agent they have their own figures.
#[test]
fn runs_with_different_agents_name_them() {
    let (rules, folder) = (Rules::default(), folder());
    let [a, b] = [("mine=greedy:calls=off", "a"), ("random", "b")]
        .map(|(agents, name)| write(&job(&rules, 4), &policies(agents, &rules), &folder, name));
    let [a, b] = [&a, &b].map(|path| shown(path));
    let printed = ok(&["stats", a, b, "--only", "players.win", "--by", "agent"]);
    for line in [
        format!("\n{a}: mine\n"),
        format!("\n{b}: random\n"),
        "\nagent mine: greedy:calls=off\n".to_owned(),
        "\n    agent mine ".to_owned(),
        "\n    agent random ".to_owned(),
    ] {
        assert!(printed.contains(&line), "{line}: {printed}");
    }
    assert!(!printed.contains("deal-in"), "one figure: {printed}");
    let found: serde_json::Value = serde_json::from_str(&ok(&["stats", a, b, "--json"])).expect("JSON");
    assert_eq!(found["agents"], serde_json::Value::Null);
    assert_eq!(found["agents_of_runs"][0]["agents"][0], "mine=greedy:calls=off");
    assert_eq!(found["agents_of_runs"][1]["run"], b);
    let one = ok(&["stats", a, "--only", "draws"]);
    assert!(one.starts_with("4 games of mine under a, from "), "{one}");
}

/// A match and other games are not all sets of the same size.
#[test]
fn sets_and_single_games_are_counted_by_their_walls() {
    let folder = folder();
    let [sets, single] = ["sets", "single"].map(|name| folder.path().join(name));
    let [sets, single] = [&sets, &single].map(|path| shown(path));
    let challenge = ["match", "--challenger", "greedy", "--baseline", "random", "--sets", "2"];
    ok(&[&challenge[..], &["--log", "hands", "--out", sets, "--quiet"]].concat());
    ok(&["selfplay", "--games", "3", "--seed", "5", "--log", "hands", "--out", single, "--quiet"]);
    let alone = ok(&["stats", sets, "--only", "draws"]);
    assert!(alone.starts_with("8 games in 2 sets on the same walls of "), "{alone}");
    let both = ok(&["stats", sets, single, "--only", "draws"]);
    assert!(both.starts_with("11 games on 5 different walls under "), "{both}");
}

/// Tables cut the interval of a mean placement at the first and the last place; JSON has the whole one.
#[test]
fn placement_intervals_end_at_possible_places() {
    for (rules, shown) in [("tenhou", " 2.5 ± 1.5 "), ("tenhou-sanma", " (1.0 to 3.0)")] {
        let words = ["stats", "--games", "2", "--rules", rules, "--by", "seat", "--only", "players"];
        let found: serde_json::Value =
            serde_json::from_str(&ok(&[&words[..], &["--json"]].concat())).expect("JSON");
        let figures = found["figures"].as_array().expect("figures");
        let is_beyond = |figure: &&serde_json::Value| {
            figure["name"] == "players.placement" && figure["low"].as_f64().is_some_and(|low| low < 1.0)
        };
        assert!(figures.iter().any(|figure| is_beyond(&figure)), "{figures:?}");
        let printed = ok(&words);
        assert!(printed.contains(shown), "{printed}");
    }
}

/// Games of three and of four players from logs are counted together, which the output says.
#[test]
fn games_of_several_numbers_of_players_are_named() {
    let folder = folder();
    let [four, three, logs] = ["four", "three", "logs"].map(|name| folder.path().join(name));
    let [four, three, logs] = [&four, &three, &logs].map(|path| shown(path));
    ok(&["selfplay", "--games", "3", "--out", four, "--quiet"]);
    ok(&["selfplay", "--games", "2", "--rules", "tenhou-sanma", "--out", three, "--quiet"]);
    ok(&["convert", four, three, "--to", "run", "--out", logs, "--quiet"]);
    let printed = ok(&["stats", logs, "--only", "draws"]);
    assert!(printed.contains("\n2 games of 3 players, 3 of 4, counted together.\n"), "{printed}");
    let found: serde_json::Value = serde_json::from_str(&ok(&["stats", logs, "--json"])).expect("JSON");
    assert_eq!(found["players"], serde_json::json!([{"players": 3, "games": 2}, {"players": 4, "games": 3}]));
    assert!(!ok(&["stats", four, "--only", "draws"]).contains("counted together"));
    let hash = |name: &str| Preset::named(name).expect("a preset").rules().hash();
    let info = ok(&["info", logs]);
    for (name, line) in [("tenhou", "4 players: 3 games"), ("tenhou-sanma", "3 players: 2 games")] {
        let line = format!("\n  rules    {name}, {:016x}, {line}\n", hash(name));
        assert!(info.contains(&line), "{line}: {info}");
    }
}

/// Long names have a number and a legend, and no line is longer than a terminal.
#[test]
fn rows_fit_a_terminal() {
    let agents = "noisy:base=tsumogiri,p=0.125,random,a-name-of-24-letters-xyz=greedy,greedy";
    let (legend, fact) = (
        format!("\n  {:<24}  noisy:base=tsumogiri,p=0.125\n", "[1] noisy"),
        "\nagent [1] noisy: noisy:base=tsumogiri,p=0.125\n",
    );
    let words = ["--agents", agents, "--games", "4", "--only", "players,spread", "--by", "agent"];
    let stats = ok(&[&["stats"], &words[..]].concat());
    assert!(stats.contains(fact) && stats.contains("\n    agent [1] noisy "), "{stats}");
    let vary = ["--rules", "tenhou", "--vary", "honba_ron=300,1500", "--vary", "kuikae=GenbutsuOnly,Free"];
    let sweep = ok(&[&["sweep"], &vary[..], &words].concat());
    assert!(sweep.contains(": honba_ron=1500 kuikae=GenbutsuOnly\n"), "the legend: {sweep}");
    let selfplay = ok(&["selfplay", "--log", "none", "--agents", agents, "--games", "4"]);
    assert!(selfplay.contains(&legend), "{selfplay}");
    for printed in [stats, sweep, selfplay] {
        let is_long = |line: &&str| line.chars().count() > 80;
        assert_eq!(printed.lines().find(is_long), None);
    }
}

#[test]
fn variants_have_names_of_their_own() {
    let folder = folder();
    let file = folder.path().join("house.toml");
    std::fs::write(&file, "base = 'tenhou'\nkiriage = true\n").expect("a file");
    let (ours, markdown) = (format!("ours={}", shown(&file)), folder.path().join("sweep.md"));
    let words =
        ["sweep", "--rules", "tenhou", "--rules", &ours, "--games", "5", "--only", "points.mean,draws"];
    let printed = ok(&[&words[..], &["--markdown", shown(&markdown)]].concat());
    assert!(
        printed.starts_with("5 games of greedy on the same walls under tenhou, ours, seed 0\n"),
        "{printed}"
    );
    assert!(!printed.contains("deal-in"), "{printed}");
    let text = std::fs::read_to_string(&markdown).expect("a file");
    assert!(text.starts_with("# 5 games of greedy on the same walls under tenhou, ours, seed 0\n"), "{text}");
    let head = "\n## Points\n\n| variant | difference | value |\n|---|---|---|\n| **mean, per win** | | |\n| tenhou |  | ";
    assert!(text.contains(head), "{text}");
    let rows = |start: &str| -> Vec<&str> {
        let (_, rows) = text.split_once(&format!("\n| **{start}, per ")).expect("a figure");
        rows.lines().skip(1).take(2).collect()
    };
    let (means, rates) = (rows("mean"), rows("exhaustive"));
    assert!(means.iter().all(|row| row.matches('|').count() == 4 && !row.contains('%')), "{means:?}");
    assert!(rates.iter().all(|row| row.contains(" %")) && rates[1].contains('±'), "{rates:?}");
    refused(
        &[&words[..], &["--markdown", shown(&markdown)]].concat(),
        &format!("error: {}: already", shown(&markdown)),
    );
}

#[test]
fn fields_vary_one_at_a_time() {
    let words = [
        "sweep",
        "--games",
        "1",
        "--rules",
        "tenhou",
        "--vary",
        "kiriage=true",
        "--vary",
        "kuikae=Free",
        "--json",
    ];
    let names = |words: &[&str]| {
        let found: serde_json::Value = serde_json::from_str(&ok(words)).expect("JSON");
        let variants = found["variants"].as_array().expect("a list").clone();
        variants
            .iter()
            .map(|variant| variant["name"].as_str().expect("a name").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&words), ["tenhou", "kiriage=true kuikae=Free"]);
    let one = names(&[&words[..], &["--one-at-a-time"]].concat());
    assert_eq!(one, ["tenhou", "kiriage=true", "kuikae=Free"]);
}
