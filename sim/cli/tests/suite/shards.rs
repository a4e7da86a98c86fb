//! Shards of a run, merged to the run that one program writes.

use std::path::Path;

use crate::common::program::{files, folder, json, ok, path, refused};

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
            "error: {first}: is shard 1/2 of a match: repeat its command with `--resume` to continue it, or merge \
            all shards and resume the match there"
        ),
    );
    asked(
        &["--shard", "1/9", "--out", &path(&folder, "more")],
        "--shard: expected at most 3 shards, one for each part of 1000 games, found 1/9",
    );
    refused(
        &["match", "--resume", "--seed", "6", "--out", &whole],
        "error: --seed: the match has 5, found 6; leave it out to resume the match as it is",
    );
    // Another plan with the same games.
    let other = path(&folder, "other");
    ok(&[&game[..], &["--quiet", "--shard", "2/2", "--out", &other, "--tables", "4"]].concat());
    refused(
        &["merge", "--out", &path(&folder, "none"), first, &other],
        &format!("error: {other}/match.toml: differs from that of {first}"),
    );
}
