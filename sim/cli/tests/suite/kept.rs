//! Runs that are killed or lose their disk. Resumed, they have the bytes of an uninterrupted run.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use arrow_array::types::UInt16Type;
use jantaku_sim::dataset::TableKind;

use crate::common::program::{
    Killer, files, folder, forget_last_part, jantaku, json, ok, path, refused, text, wait_until, wrong_size,
};
use crate::common::tables::{file_of, rows, write};
use crate::models::write_model;
use crate::sizes::KILLS;

const PROGRAM: &str = env!("CARGO_BIN_EXE_jantaku");

/// A run of many small parts.
const SMALL_PARTS: [&str; 9] =
    ["selfplay", "--games", "40", "--games-per-part", "1", "--seed", "11", "--quiet", "--agents=greedy"];

/// The files of a finished run. Checks that no partial file is left.
fn finished(run: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let found = files(run);
    let left = found.keys().find(|name| name.to_string_lossy().contains(".partial"));
    assert!(left.is_none(), "{left:?} is left");
    assert!(!Path::new(run).join("environment.json.partial").exists());
    found
}

fn assert_same(run: &str, whole: &BTreeMap<PathBuf, Vec<u8>>) {
    let found = finished(run);
    assert_eq!(found.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>());
    for (name, bytes) in whole {
        assert!(found[name] == *bytes, "{} differs", name.display());
    }
}

/// Starts a program that resumes a run with more options.
fn resume(more: &[&str], out: &str) -> Child {
    let resume = ["--resume", "--out", out];
    Command::new(PROGRAM).args(more).args(resume).stderr(Stdio::piped()).spawn().expect("the program starts")
}

/// Whether the manifest says that a run is complete.
fn is_complete(run: &str) -> bool {
    let manifest = fs::read_to_string(format!("{run}/manifest.json"));
    manifest.is_ok_and(|text| json(&text)["complete"] == true)
}

/// A run that is killed at random moments, again and again, ends with the same bytes.
#[test]
fn killed_runs_resume() {
    kill_and_resume(&SMALL_PARTS, KILLS.get());
}

/// Networks play in batches, and parts of their games are written while later games continue.
#[test]
fn killed_runs_of_networks_resume() {
    let folder = folder();
    let model = path(&folder, "m.safetensors");
    write_model(model.as_ref());
    let agents =
        format!("neural:model={model},temperature=1,heuristic,neural:model={model},precision=int8,greedy");
    let words = "selfplay --games 12 --games-per-part 1 --tables 3 --seed 11 --quiet --agents";
    kill_and_resume(&words.split(' ').chain([&*agents]).collect::<Vec<_>>(), KILLS.get().div_ceil(5));
}

/// Kills a run at random moments until it has been killed this often, and compares each that ends
/// with an uninterrupted one.
fn kill_and_resume(words: &[&str], kills: u32) {
    let folder = folder();
    let (whole, out) = (path(&folder, "whole"), path(&folder, "killed"));
    let mut killer = Killer::timed(1, || drop(ok(&[words, &["--out", &whole]].concat())));
    ok(&["verify", &whole, "--quiet"]);
    let whole = finished(&whole);
    let (mut killed, mut runs) = (0, 0);
    while killed < kills {
        killed += u32::from(killer.kill(resume(words, &out)));
        if is_complete(&out) {
            ok(&["selfplay", "--resume", "--quiet", "--out", &out]);
            assert_same(&out, &whole);
            fs::remove_dir_all(&out).expect("a folder of the test");
            runs += 1;
        }
    }
    if Path::new(&out).join("run.toml").exists() {
        ok(&["selfplay", "--resume", "--quiet", "--out", &out]);
        assert_same(&out, &whole);
    }
    eprintln!("{killed} kills, {runs} runs ended between them");
}

/// An extended run says which games it plays again, and whether they stay the same.
#[test]
fn extended_runs_say_what_they_play_again() {
    let folder = folder();
    for (name, agents) in [("greedy", "greedy"), ("mc", "mc:ms=1,greedy,greedy,greedy")] {
        let out = path(&folder, name);
        ok(&["selfplay", "--games", "2", "--agents", agents, "--quiet", "--out", &out]);
        // With modified sources no run is deterministic.
        let toml = fs::read_to_string(format!("{out}/run.toml")).expect("a file");
        let is_deterministic = toml.contains("\ndeterministic = true\n");
        assert!(name == "greedy" || !is_deterministic);
        let extended = jantaku(&["selfplay", "--resume", "--games", "3", "--out", &out]);
        let result = if is_deterministic {
            "to the same result"
        } else {
            "and can end otherwise: an agent is not deterministic, or the build has changes that no commit names"
        };
        let note = format!("the last part is not full: its 2 games are played again, {result}\n");
        assert!(text(&extended.stderr).contains(&note), "{}", text(&extended.stderr));
    }
}

/// A complete run is extended from 9 to 24 games. At every kill the manifest is right and names all
/// full parts of the old run. The run ends with the bytes of one that was asked for 24 games at
/// once.
#[test]
fn killed_extensions_resume() {
    let folder = folder();
    let [short, whole, out] = ["short", "whole", "run"].map(|name| path(&folder, name));
    let play = |games: &str, out: &str| {
        let words = ["selfplay", "--games-per-part", "4", "--seed", "11", "--quiet"];
        ok(&[&words[..], &["--games", games, "--out", out]].concat());
    };
    play("9", &short);
    let mut killer = Killer::timed(2, || play("24", &whole));
    let whole = finished(&whole);
    let (mut killed, mut runs) = (0, 0);
    let copied = |ended: std::io::Result<Output>| assert!(ended.expect("cp starts").status.success());
    while killed < KILLS.get() {
        if !Path::new(&out).exists() {
            copied(Command::new("cp").args(["-r", &short, &out]).output());
        }
        killed += u32::from(killer.kill(resume(&["selfplay", "--games", "24", "--quiet"], &out)));
        ok(&["verify", "--quick", &out, "--quiet"]);
        let found = json(&ok(&["info", &out, "--json"]));
        assert!(found["games"].as_u64() >= Some(8), "{found}");
        if found["complete"] == true && found["games"] == 24 {
            ok(&["selfplay", "--resume", "--quiet", "--out", &out]);
            assert_same(&out, &whole);
            fs::remove_dir_all(&out).expect("a folder of the test");
            runs += 1;
        }
    }
    if Path::new(&out).exists() {
        ok(&["selfplay", "--games", "24", "--resume", "--quiet", "--out", &out]);
        assert_same(&out, &whole);
    }
    eprintln!("{killed} kills, {runs} runs ended between them");
}

/// There is nothing to do for a complete run, unless it is damaged or shall be shorter.
#[test]
fn a_complete_run_is_left_as_it_is() {
    let folder = folder();
    let out = path(&folder, "run");
    let words = ["selfplay", "--games", "5", "--games-per-part", "2", "--log", "games"];
    ok(&[&words[..], &["--quiet", "--out", &out]].concat());
    let (before, environment) =
        (finished(&out), fs::read(format!("{out}/environment.json")).expect("a file"));
    let resume = ["--resume", "--out", &out];
    let message = format!("{out}: the run is complete: 5 games in 3 parts; nothing is left to play");
    // The length of the path decides where the line is broken.
    let one_line = |printed: String| printed.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(one_line(ok(&["selfplay", "--resume", "--out", &out])), message);
    assert_eq!(one_line(ok(&[&words[..], &resume].concat())), message);
    let found = json(&ok(&["selfplay", "--resume", "--out", &out, "--json"]));
    assert_eq!(
        (&found["complete"], &found["games"], &found["rows"]["games"]),
        (&true.into(), &0.into(), &5.into())
    );
    assert!(finished(&out) == before);
    assert!(fs::read(format!("{out}/environment.json")).expect("a file") == environment);
    refused(
        &["selfplay", "--games", "4", "--resume", "--out", &out],
        &format!(
            "error: --games: the run in {out} has 5, found 4; leave out the option to resume the run as it is"
        ),
    );
    let part = format!("{out}/games/part-000001.parquet");
    let bytes = fs::read(&part).expect("a part");
    fs::write(&part, &bytes[1..]).expect("a file");
    let wrong = wrong_size(bytes.len(), bytes.len() - 1);
    refused(&["selfplay", "--resume", "--out", &out], &format!("error: {part}: {wrong}"));
}

#[test]
fn resume_refuses_what_contradicts_the_run() {
    let folder = folder();
    let out = path(&folder, "run");
    let resume = |more: &[&str], message: &str| {
        refused(&[&["selfplay", "--resume", "--out", &out], more].concat(), &format!("error: {message}"));
    };
    resume(&[], &format!("{out}: there is no run.toml, so no run to resume"));
    ok(&[&SMALL_PARTS[..], &["--out", &out]].concat());
    let manifest = format!("{out}/manifest.json");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    forget_last_part(&out);
    let has = |flag: &str, there: &str, asked: &str| {
        format!(
            "{flag}: the run in {out} has {there}, found {asked}; \
            leave out the option to resume the run as it is"
        )
    };
    resume(&["--games", "39"], &has("--games", "40", "39"));
    resume(&["--seed", "12"], &has("--seed", "11", "12"));
    resume(&["--agents", "random"], &has("--agents", &["greedy"; 4].join(","), &["random"; 4].join(",")));
    resume(&["--log", "hands"], &has("--log", "decisions", "hands"));
    resume(&["--games-per-part", "2"], &has("--games-per-part", "1", "2"));
    let hash = |name: &str| json(&ok(&["rules", "show", name, "--json"]))["hash"].as_str().map(str::to_owned);
    let rules = |name: &str| format!("{name} ({})", hash(name).expect("a hash"));
    resume(&["--rules", "wrc"], &has("--rules", &rules("tenhou"), &rules("wrc")));
    let config = format!("{out}/run.toml");
    let good = fs::read_to_string(&config).expect("a run");
    for (from, to, what) in [
        (
            "schema = 3",
            "schema = 0",
            "`schema`: expected tables of version 3 (the oldest read: 3), found version 0",
        ),
        (
            "version = \"0.1.0\"",
            "version = \"0.0.9\"",
            "`version`: expected 0.1.0, that of this program, found 0.0.9: another program may play other games",
        ),
    ] {
        assert!(good.contains(from), "{good}");
        fs::write(&config, good.replacen(from, to, 1)).expect("a file");
        resume(&[], &format!("{config}: {what}"));
    }
    for (from, to, what) in [
        ("seed = 11", "seed = 12", "`seed`: expected that of the stored game 0, found 12"),
        (
            r#"agents = ["greedy","#,
            r#"agents = ["random","#,
            r#"`agents`: expected ["greedy", "greedy", "greedy", "greedy"], those of the stored games, found ["random", "greedy", "greedy", "greedy"]"#,
        ),
    ] {
        assert!(good.contains(from), "{good}");
        fs::write(&config, good.replacen(from, to, 1)).expect("a file");
        resume(&[], &format!("{config}: {what}"));
    }
    let manifest = format!("{out}/manifest.json");
    for (from, to, what) in [
        (
            r#"log = "decisions""#,
            r#"log = "hands""#,
            "part 0: expected files of games, hands, found files of games, hands, decisions",
        ),
        ("games = 40", "games = 9", "`parts`: expected 0 games in part 9, found 1"),
        ("games_per_part = 1", "games_per_part = 7", "`parts`: expected 7 games in part 0, found 1"),
    ] {
        fs::write(&config, good.replacen(from, to, 1)).expect("a file");
        resume(&[], &format!("{manifest}: {what}"));
    }
    fs::write(&config, &good).expect("a file");
    let named = Path::new(&out).join("hands/part-000007.parquet");
    fs::rename(&named, folder.path().join("kept")).expect("a file");
    resume(
        &[],
        &format!(
            "{out}: the manifest names hands/part-000007.parquet, but there is no such file; \
            `jantaku rebuild-manifest` names the parts before it"
        ),
    );
    fs::rename(folder.path().join("kept"), &named).expect("a file");
    let whole = fs::read(&named).expect("a file");
    fs::write(&named, &whole[..whole.len() / 2]).expect("a file");
    resume(&[], &format!("{out}/hands/part-000007.parquet: {}", wrong_size(whole.len(), whole.len() / 2)));
    fs::write(&named, &whole).expect("a file");
    // Files of other programs stay.
    fs::write(format!("{out}/games/notes.txt"), "dear").expect("a file");
    ok(&["selfplay", "--resume", "--quiet", "--out", &out]);
    assert!(fs::read_to_string(format!("{out}/manifest.json")).expect("a manifest") == text);
    assert!(Path::new(&out).join("games/notes.txt").exists());
}

/// A manifest may name all parts and still say that the run is not complete, such as one edited by
/// hand.
#[test]
fn a_run_that_lacks_only_the_complete_flag_is_completed() {
    let folder = folder();
    let out = path(&folder, "run");
    ok(&["selfplay", "--games", "4", "--games-per-part", "2", "--quiet", "--out", &out]);
    let whole = finished(&out);
    let manifest = format!("{out}/manifest.json");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    fs::write(&manifest, text.replacen("\"complete\": true", "\"complete\": false", 1)).expect("a file");
    assert!(fs::read_to_string(&manifest).expect("a manifest") != text);
    ok(&["selfplay", "--resume", "--quiet", "--out", &out]);
    assert_same(&out, &whole);
}

/// Games from logs are not played, so their runs cannot be resumed.
#[test]
fn a_run_of_logs_is_not_resumed() {
    let folder = folder();
    let [out, run] = ["run", "of-logs"].map(|name| path(&folder, name));
    ok(&["selfplay", "--games", "1", "--quiet", "--out", &out]);
    ok(&["convert", &out, "--to", "run", "--quiet", "--out", &run]);
    refused(
        &["selfplay", "--resume", "--out", &run],
        &format!(
            "error: {run}/run.toml: the games come from logs and are not played: convert the logs again"
        ),
    );
}

/// Two programs in the same run would overwrite each other's parts. The lock ends with the program
/// that holds it, also when it is killed.
#[cfg(target_os = "linux")]
#[test]
fn a_run_is_locked_while_it_is_written() {
    let folder = folder();
    let out = path(&folder, "run");
    let mut first = Command::new(PROGRAM)
        .args(["selfplay", "--games", "10000000", "--quiet", "--out", &out])
        .spawn()
        .expect("the program starts");
    wait_until(&mut first, || Path::new(&out).join("decisions").exists());
    for second in [&["selfplay", "--resume", "--out", &out][..], &["rebuild-manifest", &out]] {
        refused(second, &format!("error: {out}: another program is writing it"));
    }
    first.kill().expect("the program is ours");
    first.wait().expect("the program ends");
    ok(&["rebuild-manifest", &out]);
    // Of two programs that create the same run, one writes it.
    let out = path(&folder, "new");
    let words = ["selfplay", "--games", "20", "--games-per-part", "1", "--quiet", "--out", &out];
    let start = || {
        let program = Command::new(PROGRAM).args(words).stderr(Stdio::piped()).spawn();
        program.expect("the program starts")
    };
    let ended = [start(), start()].map(|program| program.wait_with_output().expect("the program ends"));
    let wrote = ended.iter().filter(|ended| ended.status.success()).count();
    let messages: String = ended.iter().map(|ended| text(&ended.stderr)).collect();
    let refused = ["another program is writing it", "already holds a run", "is not empty"];
    assert!(wrote == 1 && refused.iter().any(|what| messages.contains(what)), "{wrote}: {messages}");
    ok(&["verify", &out, "--quiet"]);
}

fn bash(script: &str) -> Output {
    Command::new("bash").args(["-c", script]).output().expect("bash starts")
}

/// A limit of the file size stands in for a full disk, which only root could mount. First the
/// manifest, which grows with every part, and then a part cannot be written.
#[test]
fn a_run_on_a_full_disk_resumes() {
    let folder = folder();
    let whole = path(&folder, "whole");
    let words = "selfplay --games 60 --games-per-part 1 --seed 11 --quiet --log";
    for (log, limit, what) in [("games", 8, "write"), ("decisions", 42, "finish")] {
        ok(&words.split(' ').chain([log, "--out", &whole]).collect::<Vec<_>>());
        let out = path(&folder, log);
        let ended = bash(&format!("ulimit -f {limit}; exec {PROGRAM} {words} {log} --out {out}"));
        let manifest = json(&fs::read_to_string(format!("{out}/manifest.json")).expect("a manifest"));
        let kept = manifest["games"].as_u64().expect("a number");
        assert!((1..60).contains(&kept), "{kept} games are kept");
        let file = match log {
            "games" => "manifest.json".to_owned(),
            _ => format!("decisions/part-{kept:06}.parquet"),
        };
        let message = format!(
            "error: stopped; the {kept} games of complete parts are kept in {out}: {out}/{file}: \
            cannot {what}: File too large (os error 27)\n"
        );
        assert_eq!((ended.status.code(), text(&ended.stderr)), (Some(2), message));
        ok(&["selfplay", "--resume", "--quiet", "--out", &out]);
        assert_same(&out, &finished(&whole));
        fs::remove_dir_all(&whole).expect("a folder of the test");
    }
}

/// A program that is killed before it writes the manifest leaves a part without a hash. Its values
/// may have changed since.
#[test]
fn a_part_without_a_hash_is_played_again() {
    let folder = folder();
    let out = path(&folder, "run");
    ok(&["selfplay", "--games", "6", "--games-per-part", "2", "--seed", "11", "--quiet", "--out", &out]);
    let whole = finished(&out);
    forget_last_part(&out);
    let part = file_of(Path::new(&out), TableKind::Hands, 2);
    let rows = rows(&part);
    let honba = rows.schema().index_of("honba").expect("a column");
    let mut columns = rows.columns().to_vec();
    let changed = columns[honba].as_primitive::<UInt16Type>().unary::<_, UInt16Type>(|honba| honba + 1);
    columns[honba] = Arc::new(changed);
    write(&part, &RecordBatch::try_new(rows.schema(), columns).expect("columns of the table"));
    ok(&["selfplay", "--resume", "--quiet", "--out", &out]);
    assert_same(&out, &whole);
    // A part that is not changed either.
    forget_last_part(&out);
    let resumed = json(&ok(&["selfplay", "--resume", "--out", &out, "--json"]));
    assert_eq!((&resumed["first_game"], &resumed["games"]), (&4.into(), &2.into()));
    assert_same(&out, &whole);
}

/// A folder that loses write permission ends the run. With the permission back, the run resumes.
#[test]
fn a_run_without_permission_resumes() {
    let folder = folder();
    let (whole, out) = (path(&folder, "whole"), path(&folder, "run"));
    ok(&[&SMALL_PARTS[..], &["--out", &whole]].concat());
    let (words, hands) = (SMALL_PARTS.join(" "), format!("{out}/hands"));
    // Root passes permission checks unless it drops its capabilities.
    let ended = bash(&format!(
        "[ $(id -u) = 0 ] && as='setpriv --bounding-set=-all --inh-caps=-all'
        $as {PROGRAM} {words} --out {out} & while ! [ -e {hands}/part-000003.parquet ]; do sleep 0.005; done
        chmod a-w {hands}; wait $!; status=$?; chmod u+w {hands}; exit $status"
    ));
    let message = text(&ended.stderr);
    assert_eq!(ended.status.code(), Some(2), "{message}");
    assert!(
        message.starts_with("error: stopped; ") && message.contains(&format!("are kept in {out}: ")),
        "{message}"
    );
    assert!(message.contains(&format!(": {hands}/part-0000")), "{message}");
    assert!(message.ends_with(": Permission denied (os error 13)\n"), "{message}");
    ok(&["selfplay", "--resume", "--quiet", "--out", &out]);
    assert_same(&out, &finished(&whole));
}

/// `file://` URLs are folders. `cloud.py` tests object stores.
#[test]
fn file_urls_are_folders() {
    let folder = folder();
    let out = path(&folder, "run");
    ok(&["selfplay", "--games", "1", "--quiet", "--out", &format!("file://{out}")]);
    assert!(Path::new(&out).join("run.toml").exists());
    let play = |url: &str| jantaku(&["selfplay", "--games", "1", "--quiet", "--out", url]);
    let played = play(&format!("file://localhost{out}%20%C3%A9%25"));
    assert!(played.status.success(), "{}", text(&played.stderr));
    assert!(Path::new(&format!("{out} é%")).join("run.toml").exists());
    for (url, what) in [
        (
            "file://elsewhere/run",
            "expected a folder of this machine, as file:///folder, found the host `elsewhere`",
        ),
        ("file://localhost", "expected a folder, as file:///folder, found none"),
        ("file:///run%2", "expected a byte as `%20`, found `%2`"),
        ("file:///run%+1", "expected a byte as `%20`, found `%+1`"),
    ] {
        let message = format!("error: {url}: {what}");
        refused(&["selfplay", "--games", "1", "--quiet", "--out", url], &message);
    }
    #[cfg(not(feature = "cloud"))]
    refused(
        &["selfplay", "--games", "1", "--out", "s3://bucket/run"],
        "error: s3://bucket/run: is a URL, and this program was built without `--features cloud`",
    );
    #[cfg(feature = "cloud")]
    refused(
        &["selfplay", "--games", "1", "--out", "ftp://bucket/run"],
        "error: ftp://bucket/run: Generic URL error: Unable to recognise URL \"ftp://bucket/run\"",
    );
}
