//! Recorded games, and damaged runs.

use std::fs;
use std::path::{Path, PathBuf};

use jantaku_engine::Action;
use jantaku_engine::replay::RecordedGame;
use jantaku_sim::dataset::read_games;
use jantaku_sim::loader::{LoadError, Loader, LoaderConfig};
use jantaku_sim::play::Detail;
use jantaku_sim::replay::convert::Format;
use jantaku_sim::run::{self, Run, RunConfig};

use super::loader::run as play;
use super::loader::{Line, config, folder, lines, load, preset, stored};
use crate::sizes::LOADED_BATCHES;

/// Writes the games of a run as logs, one game a line.
pub fn logs(run: &Path, file: &Path, format: Format) {
    let (config, manifest) = run::read(run).expect("a run");
    let mut text = String::new();
    for part in &manifest.parts {
        for game in read_games(run, &config.contents(), part.part, None).expect("games") {
            let mut recording = RecordedGame::new(game.rules);
            game.replay(&mut recording).expect("a whole game");
            text += &format.line(&game.game.to_string(), &recording);
        }
    }
    fs::write(file, text).expect("a file");
}

/// Whether the decisions of logs are these of a run. Logs do not record claims outranked by another
/// claim; they look like passes.
fn are_of_run(found: &[Line], expected: &[Line]) -> bool {
    let pass = Action::Pass.id().number();
    let fits = |(found, expected): (&Line, &Line)| {
        let same = (found.0, found.1, &found.3) == (expected.0, expected.1, &expected.3);
        same && (found.2 == expected.2 || found.2 == pass)
    };
    found.len() == expected.len() && found.iter().zip(expected).all(fits)
}

#[test]
fn logs_give_the_decisions_of_their_run() {
    let folder = folder();
    let path = play(&folder, "run", &preset("tenhou"), 9);
    let expected = stored(&path);
    for (format, name) in [(Format::Mjai, "mjai.jsonl"), (Format::Tenhou6, "tenhou6.jsonl")] {
        let file = folder.path().join(name);
        logs(&path, &file, format);
        let found = lines(&load(LoaderConfig { rules: Some(preset("tenhou")), ..config(&file) }));
        assert!(are_of_run(&found, &expected), "{name}");
        let differ = found.iter().zip(&expected).filter(|(found, expected)| found.2 != expected.2).count();
        assert!(differ * 100 < expected.len(), "{differ} outranked claims");
        let shuffled =
            LoaderConfig { rules: Some(preset("tenhou")), buffer: 300, window: 4, ..config(&file) };
        let mut other = lines(&load(shuffled.clone()));
        assert!(other != found);
        other.sort();
        assert!(other == found, "{name}, shuffled");
        let halves: usize =
            (0..2).map(|rank| lines(&load(LoaderConfig { rank, ranks: 2, ..shuffled.clone() })).len()).sum();
        assert_eq!(halves, expected.len());
    }
}

#[test]
fn a_damaged_log_is_an_error_or_left_out() {
    let folder = folder();
    let path = play(&folder, "run", &preset("tenhou"), 5);
    let file = folder.path().join("logs.jsonl");
    logs(&path, &file, Format::Mjai);
    let text = fs::read_to_string(&file).expect("a file");
    let mut games: Vec<String> = text.lines().map(str::to_owned).collect();
    games[1] = "{\"events\":[{\"type\":\"start_game\"}]}".to_owned();
    games[3] = games[3].replacen("\"pai\":\"5m\"", "\"pai\":\"9m\"", 1);
    fs::write(&file, games.join("\n")).expect("a file");
    let new = || LoaderConfig { rules: Some(preset("tenhou")), ..config(&file) };
    let error = Loader::start(new()).expect("a loader").find_map(Result::err).expect("a damaged log");
    assert!(matches!(&error, LoadError::Log(log) if log.file.ends_with("logs.jsonl:2")), "{error}");
    let mut loader = Loader::start(LoaderConfig { skip_damaged: true, ..new() }).expect("a loader");
    let batches: Vec<_> = loader.by_ref().collect::<Result<_, _>>().expect("the other games");
    let expected: Vec<_> = stored(&path).into_iter().filter(|line| ![1, 3].contains(&line.0)).collect();
    assert!(are_of_run(&lines(&batches), &expected));
    assert_eq!(loader.skipped(), 2);
}

/// What a loader says about a run.
fn error(run: &Path) -> String {
    match Loader::start(config(run)) {
        Err(error) => error.to_string(),
        Ok(mut loader) => loader.find_map(Result::err).expect("an error").to_string(),
    }
}

/// Changes the bytes of a file, or removes it.
type Change<'a> = &'a dyn Fn(Vec<u8>) -> Option<Vec<u8>>;

#[test]
fn damaged_runs_are_errors() {
    let folder = folder();
    let whole = play(&folder, "run", &preset("tenhou"), 9);
    let part = "decisions/part-000001.parquet";
    let damaged = |file: &str, change: Change<'_>| {
        let path = whole.join(file);
        let bytes = fs::read(&path).expect("a file");
        match change(bytes.clone()) {
            Some(changed) => fs::write(&path, changed).expect("a file"),
            None => fs::remove_file(&path).expect("a file"),
        }
        let found = error(&whole);
        fs::write(&path, bytes).expect("a file");
        found
    };
    let cut = |bytes: Vec<u8>| Some(bytes[..bytes.len() - 9].to_vec());
    let flipped = |mut bytes: Vec<u8>| {
        bytes[1000] ^= 4;
        Some(bytes)
    };
    let cases: [(&str, Change<'_>, &str); 6] = [
        (part, &cut, ": expected "),
        (
            part,
            &flipped,
            ": has a different SHA-256 than manifest.json says: it is damaged, or another tool rewrote it; \
             `jantaku.verify(quick=True)` lists all such files",
        ),
        (part, &|_| None, ": cannot read: "),
        ("manifest.json", &|_| None, ": is missing; `jantaku rebuild-manifest` writes it from the parts"),
        ("manifest.json", &|_| Some(b"{".to_vec()), ""),
        ("run.toml", &|_| Some(b"games = 1".to_vec()), ""),
    ];
    for (file, change, expected) in cases {
        let (found, named) = (damaged(file, change), whole.join(file).display().to_string());
        assert!(found.starts_with(&(named + expected)), "{found}");
    }
    assert!(lines(&load(config(&whole))) == stored(&whole), "all files are whole again");
    let nowhere = folder.path().join("nowhere");
    assert!(error(&nowhere).starts_with(&nowhere.display().to_string()));
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).expect("a folder");
    assert_eq!(error(&empty), format!("{}: no run and no file with the name of a log", empty.display()));
    assert!(error(&PathBuf::from("s3x://bucket/run")).starts_with("s3x://bucket/run: "));
}

#[test]
fn a_run_without_decisions_is_refused() {
    let (folder, rules) = (folder(), preset("duo"));
    let path = folder.path().join("run");
    let agents = vec!["greedy".to_owned(); 2];
    let config =
        RunConfig { agents, games: Some(2), seed: 1, detail: Detail::Hands, ..RunConfig::new("duo", &rules) };
    let mut players = config.players().expect("known agents");
    Run::create(&path, config).expect("a new folder").play(&mut players, &mut ()).expect("a run");
    let expected = "the run keeps only hands, expected decisions: write it with `log=\"decisions\"`";
    assert_eq!(error(&path), format!("{}: {expected}", path.display()));
}

/// Real games of several formats, through the same door.
#[test]
#[ignore = "needs JANTAKU_DATA"]
fn real_games_are_loaded() {
    const BATCH: usize = 4096;
    let batches = LOADED_BATCHES.get() as usize;
    let root = PathBuf::from(std::env::var_os("JANTAKU_DATA").expect("JANTAKU_DATA is not set"));
    for (name, least) in [("tenhou-mjlog", 500_000), ("mjai", 1_000), ("tenhou6", 100)] {
        let new = LoaderConfig {
            mixed: true,
            skip_damaged: true,
            buffer: 10_000,
            batch: BATCH,
            ..config(&root.join(name))
        };
        let mut loader = Loader::start(new).expect("logs");
        let (mut rows, mut legal) = (0, 0);
        for batch in loader.by_ref().take(batches) {
            let batch = batch.expect("the other games");
            rows += batch.rows();
            let actions = batch.actions.iter().zip(batch.encoded.masks());
            legal += actions.filter(|(action, mask)| mask[usize::from(**action)] == 1).count();
        }
        let least = least.min(BATCH.saturating_mul(batches));
        assert!(rows >= least, "{name}: {rows} decisions, {} left out", loader.skipped());
        // A rule that punishes fouls makes illegal actions possible.
        assert!(legal * 1000 >= rows * 999, "{name}: {legal} of {rows} are legal");
    }
}
