//! Shards of a run, merged to the run that one program writes.

use std::fs;
use std::path::Path;

use crate::common::program::{files, folder, jantaku, json, ok, path, refused, text, wrong_size};

const GAMES: [&str; 7] = ["selfplay", "--games", "26", "--games-per-part", "3", "--seed", "7"];

/// Nine parts in four shards, one of them resumed: merged in any order, they have the bytes of the
/// whole run.
#[test]
fn merged_shards_equal_the_whole_run() {
    let folder = folder();
    let [whole, merged] = ["whole", "merged"].map(|name| path(&folder, name));
    ok(&[&GAMES[..], &["--out", &whole]].concat());
    let shards: Vec<String> = (1..=4).map(|number| path(&folder, &number.to_string())).collect();
    for (number, out) in (1..).zip(&shards) {
        let shard = format!("{number}/4");
        let summary = ok(&[&GAMES[..], &["--shard", &shard, "--out", out]].concat());
        assert!(summary.starts_with(&format!("shard {shard} of a run of 26 games\n")), "{summary}");
    }
    let games = |shard: &String| {
        files(shard).keys().filter(|name| name.starts_with("games")).cloned().collect::<Vec<_>>()
    };
    let parts = |numbers: std::ops::Range<u32>| {
        numbers
            .map(|part| format!("games/part-{part:06}.parquet").into())
            .collect::<Vec<std::path::PathBuf>>()
    };
    assert_eq!(shards.iter().map(games).collect::<Vec<_>>(), [0..2, 2..4, 4..6, 6..9].map(parts));
    // A shard without its last part is resumed as the same shard.
    let manifest = format!("{}/manifest.json", shards[1]);
    let complete = fs::read(&manifest).expect("a manifest");
    fs::remove_file(format!("{}/games/part-000003.parquet", shards[1])).expect("a part");
    let rebuilt = jantaku(&["rebuild-manifest", &shards[1]]);
    assert_eq!(rebuilt.status.code(), Some(1), "{}", text(&rebuilt.stderr));
    assert_eq!(
        text(&rebuilt.stdout),
        format!("{}: the manifest names 1 part with 3 games; the run is not complete\n", shards[1])
    );
    ok(&["selfplay", "--resume", "--quiet", "--out", &shards[1]]);
    assert!(fs::read(&manifest).expect("a manifest") == complete);
    refused(
        &["selfplay", "--resume", "--games", "40", "--out", &shards[3]],
        &format!(
            "error: {}: is shard 4/4, which has a fixed share of the games: merge the shards, then resume \
            the merged run with more games",
            shards[3]
        ),
    );

    let mut words = vec!["merge", "--out", &merged];
    words.extend([2, 0, 3, 1].map(|number: usize| shards[number].as_str()));
    assert_eq!(ok(&words), format!("{merged}: 26 games in 9 parts, of 4 shards\n"));
    assert!(files(&merged) == files(&whole));
    // The merged run is extended. The files of the shards stay.
    let last = format!("{}/games/part-000008.parquet", shards[3]);
    let of_shard = fs::read(&last).expect("a part");
    let longer = path(&folder, "longer");
    let more: Vec<&str> = GAMES.iter().map(|word| if *word == "26" { "30" } else { word }).collect();
    ok(&[&more[..], &["--quiet", "--out", &longer]].concat());
    ok(&["selfplay", "--resume", "--games", "30", "--quiet", "--out", &merged]);
    assert!(files(&merged) == files(&longer));
    assert!(fs::read(&last).expect("a part") == of_shard);
    let shown = ok(&["show", &shards[3], "--game", "20"]);
    assert_eq!(shown, ok(&["show", &whole, "--game", "20"]).replace(&whole, &shards[3]));
    refused(
        &["show", &shards[3], "--game", "17"],
        &format!("error: {}: no game 17; the run holds games 18 to 25", shards[3]),
    );
}

#[test]
fn merge_refuses_folders_that_are_not_all_shards_of_one_run() {
    let folder = folder();
    let [one, two, whole, out] = ["one", "two", "whole", "out"].map(|name| path(&folder, name));
    let play = |more: &[&str], out: &str| _ = ok(&[&GAMES[..], more, &["--quiet", "--out", out]].concat());
    play(&["--shard", "1/2"], &one);
    play(&["--shard", "2/2"], &two);
    play(&[], &whole);
    let merge = |shards: &[&str], message: &str| {
        refused(&[&["merge", "--out", &out], shards].concat(), &format!("error: {message}"));
        assert!(!Path::new(&out).exists());
    };
    merge(&[&one], &format!("{one}: shard 2/2 of this run is missing"));
    let quarter = path(&folder, "quarter");
    play(&["--shard", "2/4"], &quarter);
    merge(&[&quarter], &format!("{quarter}: shards 1, 3, 4 of 4 of this run are missing"));
    merge(&[&one, &one], &format!("{one}: is shard 1/2, but so is {one}"));
    let rules = path(&folder, "rules.toml");
    fs::write(&rules, "base = \"tenhou\"\nkiriage = true\n").expect("a file");
    for (flag, value, what) in [
        ("--agents", "random", format!("`agents`: expected {:?}, found {:?}", ["greedy"; 4], ["random"; 4])),
        ("--games", "25", "`games`: expected 26, found 25".to_owned()),
        ("--rules", &rules, "`rules.kiriage`: expected false, found true".to_owned()),
        ("--seed", "4", "`seed`: expected 7, found 4".to_owned()),
        ("--shard", "2/3", "expected one of 2 shards, found shard 2/3".to_owned()),
    ] {
        let other = path(&folder, flag);
        let mut words = [&GAMES[..], &["--shard", "2/2", "--quiet", "--out", &other]].concat();
        match words.iter().position(|word| *word == flag) {
            Some(index) => words[index + 1] = value,
            None => words.extend([flag, value]),
        }
        ok(&words);
        merge(&[&one, &other], &format!("{other}: is not a shard of the same run as {one}: {what}"));
    }
    // Another program, or another file of an agent's parameters under the same name.
    let parameters = path(&folder, "parameters.toml");
    let agent = format!("heuristic:params={parameters}");
    let [first, second] = ["first", "second"].map(|name| path(&folder, name));
    for (shard, text, out) in [("1/2", "", &first), ("2/2", "# changed\n", &second)] {
        fs::write(&parameters, format!("[push]\nrisk_share = 0.5\n{text}")).expect("a file");
        play(&["--agents", &agent, "--shard", shard], out);
    }
    let hash = |run: &str| {
        let config = fs::read_to_string(format!("{run}/run.toml")).expect("a run");
        let line =
            config.lines().find(|line| line.contains("params=") && line.contains("\" = \"")).expect("a hash");
        line.rsplit_once(" = ").expect("a value").1.to_owned()
    };
    let (expected, found) = (hash(&first), hash(&second));
    merge(
        &[&first, &second],
        &format!(
            "{second}: is not a shard of the same run as {first}: `parameters.{agent}.params={parameters}`: expected \
            {expected}, found {found}"
        ),
    );
    let config = format!("{second}/run.toml");
    let text = fs::read_to_string(&config).expect("a run");
    let commit = text.lines().find_map(|line| line.strip_prefix("commit = ")).expect("a commit");
    fs::write(&config, text.replacen(commit, "\"0123456789ab\"", 1)).expect("a file");
    merge(
        &[&first, &second],
        &format!(
            "{second}: is not a shard of the same run as {first}: `commit`: expected {commit}, found \"0123456789ab\""
        ),
    );
    merge(&[&one, &whole], &format!("{whole}: is a whole run, expected a shard"));
    let manifest = format!("{two}/manifest.json");
    let good = fs::read_to_string(&manifest).expect("a manifest");
    fs::write(&manifest, good.replacen("true", "false", 1)).expect("a file");
    merge(&[&one, &two], &format!("{two}: is not complete: repeat its command with --resume to complete it"));
    fs::write(&manifest, good.replacen("\"rows\": 3", "\"rows\": 4", 1)).expect("a file");
    let file = format!("{two}/games/part-000004.parquet");
    merge(&[&one, &two], &format!("{file}: expected 4 rows, as the manifest says, found 3"));
    fs::write(&manifest, &good).expect("a file");
    let cut = fs::read(&file).expect("a part");
    fs::write(&file, &cut[..cut.len() / 2]).expect("a file");
    let (whole, half) = (cut.len(), cut.len() / 2);
    merge(&[&one, &two], &format!("{file}: {}", wrong_size(whole, half)));
    refused(
        &[&GAMES[..], &["--shard", "1/10", "--out", &out]].concat(),
        "error: --shard: expected at most 9 shards, one for each part of 3 games, found 1/10; a smaller --games-per-part \
        makes more parts",
    );
    refused(
        &[&GAMES[..], &["--shard", "3/2", "--out", &out]].concat(),
        "error: invalid value '3/2' for '--shard <I/N>': expected a shard such as 2/4, from 1/4 to 4/4, found `3/2`\n\n\
        For more information, try '--help'.",
    );
}

/// Without files a shard plays the games that it would write.
#[test]
fn a_shard_counts_its_own_games() {
    let summary = ok(&[&GAMES[..], &["--shard", "2/4", "--log", "none"]].concat());
    assert!(summary.starts_with("shard 2/4 of a run of 26 games\n6 games of greedy"), "{summary}");
}

/// The shards of a match, one of them begun twice: merged, they are the match that one program plays.
#[test]
fn merged_shards_of_a_match_are_the_match() {
    let folder = folder();
    let game =
        ["match", "--challenger", "greedy", "--baseline", "greedy:calls=off", "--sets", "600", "--seed", "5"];
    let [whole, merged] = ["whole", "merged"].map(|name| path(&folder, name));
    let counted = ok(&[&game[..], &["--quiet", "--json", "--out", &whole]].concat());
    let shards: Vec<String> = (1..=2).map(|number| path(&folder, &number.to_string())).collect();
    for (number, out) in (1..).zip(&shards) {
        let shard = format!("{number}/2");
        let words = [&game[..], &["--resume", "--shard", &shard, "--out", out]].concat();
        let sets = [250, 350][number - 1];
        let played = ok(&words).replace("\n  ", " ");
        assert!(
            played.starts_with(&format!(
                "{out}: shard {number}/2 of a match of 600 sets: {sets} of {sets} sets in complete parts\n"
            )),
            "{played}"
        );
        let again = ok(&words).replace("\n  ", " ");
        assert!(again.contains(&format!("is complete: {sets} sets; nothing is left to play\n")), "{again}");
    }
    ok(&["merge", "--quiet", "--out", &merged, &shards[1], &shards[0]]);
    let games = |run: &str| {
        let mut files = files(run);
        files.retain(|name, _| !name.to_string_lossy().starts_with("result"));
        files
    };
    assert!(games(&merged) == games(&whole) && games(&whole).contains_key(Path::new("match.toml")));
    let joined = ok(&["match", "--resume", "--quiet", "--json", "--out", &merged]);
    let agents = |text: &str| json(text)["agents"].clone();
    assert_eq!(agents(&joined), agents(&counted));

    let first = &shards[0];
    let asked =
        |more: &[&str], message: &str| refused(&[&game[..], more].concat(), &format!("error: {message}"));
    refused(
        &["match", "--resume", "--out", first],
        &format!(
            "error: {first}: is shard 1/2 of a match: repeat its command with --resume to continue it, or merge \
            all shards and resume the match there"
        ),
    );
    asked(
        &["--shard", "1/9", "--out", &path(&folder, "more")],
        "--shard: expected at most 3 shards, one for each part of 1000 games, found 1/9",
    );
    asked(
        &["--resume", "--out", &whole],
        "--challenger: the match to resume has its own; leave out the option",
    );
    // Another plan with the same games.
    let other = path(&folder, "other");
    ok(&[&game[..], &["--quiet", "--shard", "2/2", "--out", &other, "--tables", "4"]].concat());
    refused(
        &["merge", "--out", &path(&folder, "none"), first, &other],
        &format!("error: {other}/match.toml: differs from that of {first}"),
    );
}
