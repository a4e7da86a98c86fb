//! Runs, matches and leagues record the parameters of their agents, and refuse others.

use std::fs;

use jantaku_agents::{Catalog, ParameterFile};

use crate::common::program::{files, folder, forget_last_part, jantaku, ok, path, text};

const FIRST: &str = "[push]\nrisk_share = 0.5\n";
const OTHER: &str = "[push]\nrisk_share = 0.4\n";

/// Writes the file of the parameters.
fn set(params: &str, contents: &str) {
    fs::write(params, contents).expect("a file");
}

/// Runs the program, which must refuse the changed file.
fn refuses(words: &[&str], agent: &str, option: &str) {
    let output = jantaku(words);
    assert_eq!(output.status.code(), Some(2), "{words:?}");
    let [expected, found] = [FIRST, OTHER].map(|contents| ParameterFile::new("", contents.as_bytes()).sha256);
    let message = format!(
        ".toml: `parameters`: `{option}` of agent `{agent}`: expected the SHA-256 {expected}, that of the games \
        so far, found {found}: other parameters may play other games; restore the file"
    );
    // `verify` lists errors among its findings.
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(said.lines().any(|line| line.ends_with(&message)), "{words:?}: {said}");
}

#[test]
fn a_run_names_the_parameters_of_its_agents() {
    let folder = folder();
    let (params, run) = (path(&folder, "mine.toml"), path(&folder, "run"));
    set(&params, FIRST);
    let agent = format!("heuristic:params={params}");
    let agents = format!("{agent},noisy:base=heuristic,p=0.5,greedy,heuristic");
    ok(&["selfplay", "--games", "1", "--agents", &agents, "--quiet", "--out", &run]);
    let config: toml::Table =
        fs::read_to_string(format!("{run}/run.toml")).expect("a run").parse().expect("TOML");
    let released = Catalog::standard().agent("heuristic").expect("an agent");
    let lines = released.files().iter().map(|file| format!("\"{}\" = \"{}\"\n", file.option, file.sha256));
    let released = lines.collect::<Vec<_>>().concat();
    let own = ParameterFile::new("", FIRST.as_bytes()).sha256;
    let expected = format!(
        "[heuristic]\n{released}[\"{agent}\"]\n\"params={params}\" = \"{own}\"\n{released}\
        [\"noisy:base=heuristic,p=0.5\"]\n{released}"
    );
    assert_eq!(config["parameters"], toml::Value::Table(expected.parse().expect("TOML")));
    let run = path(&folder, "greedy");
    ok(&["selfplay", "--games", "1", "--agents", "greedy", "--quiet", "--out", &run]);
    let config = fs::read_to_string(format!("{run}/run.toml")).expect("a run");
    assert!(!config.contains("parameters"), "{config}");
}

/// The network of `residual` and the parameters of its base both have versions.
#[test]
fn a_run_names_the_released_network() {
    let folder = folder();
    let run = path(&folder, "run");
    ok(&["selfplay", "--games", "1", "--agents", "greedy,greedy,residual,greedy", "--quiet", "--out", &run]);
    let config: toml::Table =
        fs::read_to_string(format!("{run}/run.toml")).expect("a run").parse().expect("TOML");
    let agent = Catalog::standard().agent("residual").expect("an agent");
    let network = agent.files().iter().find(|file| file.option.starts_with("residual:version="));
    let network = network.expect("a network");
    let found = &config["parameters"]["residual"];
    assert_eq!(found[network.option.as_str()].as_str(), Some(&*network.sha256));
    let base = found["version=1"].as_str();
    assert!(base.is_some_and(|base| base != network.sha256), "{found}");
    ok(&["verify", &run]);
}

/// To resume, extend, verify or merge a run, the program needs its first parameters.
#[test]
fn a_run_keeps_its_parameters() {
    let folder = folder();
    let [params, run, whole, out] = ["mine.toml", "run", "whole", "out"].map(|name| path(&folder, name));
    let agent = format!("heuristic:params={params}");
    let option = format!("params={params}");
    let new = ["selfplay", "--games", "4", "--games-per-part", "2", "--log", "games", "--quiet", "--agents"];
    let play = |more: &[&str]| ok(&[&new[..], &[&agent], more].concat());
    let resume = ["selfplay", "--resume", "--quiet", "--out", &run];
    set(&params, FIRST);
    play(&["--out", &run]);
    play(&["--out", &whole]);
    let one = path(&folder, "one");
    play(&["--shard", "1/2", "--out", &one]);
    set(&params, OTHER);
    // Nothing is left to play.
    ok(&resume);
    refuses(&[&resume[..], &["--games", "6"]].concat(), &agent, &option);
    refuses(&["verify", &run], &agent, &option);
    let two = path(&folder, "two");
    play(&["--shard", "2/2", "--out", &two]);
    let merged = jantaku(&["merge", &one, &two, "--out", &out]);
    let error = text(&merged.stderr);
    assert!(error.contains(&format!("`parameters.{agent}.{option}`: expected \"")), "{error}");
    forget_last_part(&run);
    refuses(&resume, &agent, &option);
    set(&params, FIRST);
    ok(&resume);
    assert_eq!(files(&run), files(&whole));
    ok(&["verify", &run]);
    fs::remove_file(&params).expect("a file");
    let said = text(&jantaku(&["verify", &run]).stdout);
    assert!(said.contains(&format!("`parameters`: agent `{agent}`: {params}: ")), "{said}");
}

/// To resume, extend or verify labels, the program needs their first parameters.
#[test]
fn labels_keep_their_parameters() {
    let folder = folder();
    let [params, run, plain, later, whole] =
        ["mine.toml", "run", "plain", "later", "whole"].map(|name| path(&folder, name));
    let agent = format!("heuristic:params={params}");
    let option = format!("params={params}");
    let labels = format!("deals=1,base=\"{agent}\",players=greedy,careful=greedy,discard=0.05");
    let new = ["selfplay", "--agents", "greedy", "--games", "2", "--games-per-part", "1", "--quiet", "--out"];
    set(&params, FIRST);
    ok(&[&new[..], &[&plain]].concat());
    for out in [&run, &whole] {
        ok(&[&new[..], &[out, "--labels", &labels]].concat());
    }
    ok(&["label", &plain, "--labels", &labels, "--out", &later, "--quiet"]);
    assert_eq!(files(&later), files(&whole));
    let config: toml::Table =
        fs::read_to_string(format!("{run}/run.toml")).expect("a run").parse().expect("TOML");
    let own = ParameterFile::new("", FIRST.as_bytes()).sha256;
    assert_eq!(config["parameters"][&agent][&option].as_str(), Some(&*own));
    // New labels leave nothing of the old ones.
    let again = path(&folder, "again");
    let greedy = "deals=1,base=heuristic:version=1,players=greedy,careful=greedy,discard=0.05";
    ok(&["label", &later, "--labels", greedy, "--out", &again, "--quiet"]);
    let config = fs::read_to_string(format!("{again}/run.toml")).expect("a run");
    assert!(
        config.contains("[parameters.\"heuristic:version=1\"]") && !config.contains("mine.toml"),
        "{config}"
    );
    set(&params, OTHER);
    for run in [&run, &later] {
        refuses(&["verify", run], &agent, &option);
        forget_last_part(run);
    }
    let resumed = [
        vec!["selfplay", "--resume", "--quiet", "--out", &run],
        vec!["label", &plain, "--resume", "--quiet", "--out", &later],
    ];
    resumed.iter().for_each(|words| refuses(words, &agent, &option));
    set(&params, FIRST);
    for (words, run) in resumed.iter().zip([&run, &later]) {
        ok(words);
        assert_eq!(files(run), files(&whole));
        ok(&["verify", run]);
    }
}

/// The default version of an agent may have changed since a run began.
#[test]
fn a_run_is_not_resumed_with_a_newer_version() {
    let folder = folder();
    let run = path(&folder, "run");
    ok(&["selfplay", "--games", "1", "--agents", "heuristic", "--quiet", "--out", &run]);
    let config = fs::read_to_string(format!("{run}/run.toml")).expect("a run");
    let version = config.lines().find(|line| line.starts_with("\"version=3\"")).expect("version 3");
    fs::write(format!("{run}/run.toml"), config.replace(version, "")).expect("a file");
    let output = jantaku(&["selfplay", "--resume", "--games", "2", "--quiet", "--out", &run]);
    let error = text(&output.stderr);
    assert!(error.contains("agent `heuristic` now also reads `version=3`"), "{error}");
}

/// Matches and leagues get no more sets from other parameters.
#[test]
fn matches_and_leagues_keep_their_parameters() {
    let folder = folder();
    let [params, matched, tested, league] =
        ["mine.toml", "match", "test", "league"].map(|name| path(&folder, name));
    let agent = format!("heuristic:params={params}");
    let option = format!("params={params}");
    set(&params, FIRST);
    let pair = ["match", "--quiet", "--challenger", &agent, "--baseline", "greedy"];
    ok(&[&pair[..], &["--sets", "1", "--out", &matched]].concat());
    ok(&[&pair[..], &["--sets", "100", "--sprt", "0,0.001", "--out", &tested]].concat());
    let agents = format!("greedy,random,tsumogiri,{agent}");
    ok(&["league", "--agents", &agents, "--sets", "1", "--quiet", "--out", &league]);
    let config = fs::read_to_string(format!("{league}/league.toml")).expect("a league");
    assert!(config.contains(&format!("\"{option}\" = \"")), "{config}");
    set(&params, OTHER);
    for (out, sets) in [(&matched, "2"), (&tested, "200")] {
        refuses(&["match", "--quiet", "--resume", "--out", out, "--sets", sets], &agent, &option);
    }
    let resume = ["league", "--quiet", "--resume", "--out", &league];
    ok(&resume);
    refuses(&[&resume[..], &["--sets", "2"]].concat(), &agent, &option);
    refuses(&[&resume[..], &["--agents", "heuristic"]].concat(), &agent, &option);
    assert_eq!(fs::read_to_string(format!("{league}/league.toml")).expect("a league"), config);
    set(&params, FIRST);
    ok(&[&resume[..], &["--agents", "heuristic", "--sets", "2"]].concat());
    let config = fs::read_to_string(format!("{league}/league.toml")).expect("a league");
    assert!(config.contains("[parameters.heuristic]\n\"version=1\" = \""), "{config}");
    for (out, sets) in [(&matched, "2"), (&tested, "200")] {
        ok(&["match", "--quiet", "--resume", "--out", out, "--sets", sets]);
    }
}
