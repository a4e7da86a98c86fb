//! What `stats` and `sweep` print and write: sections, groups, spread, and the width of lines.

use serde_json::Value;

use crate::common::program::{folder, json, ok, path};

/// The figures of a command.
fn figures(args: &[&str]) -> Vec<Value> {
    json(&ok(&[args, &["--json"]].concat()))["figures"].as_array().expect("figures").clone()
}

/// The value under a key, for the figures of a name by group.
fn by_group<'a>(figures: &'a [Value], name: &str, key: &str) -> Vec<(&'a str, f64)> {
    let of_name = figures.iter().filter(|figure| figure["name"] == name);
    of_name.map(|f| (f["group"].as_str().expect("a group"), f[key].as_f64().expect("a number"))).collect()
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
    let found = figures(&["stats", "--games", "60", "--agents", "greedy,random,greedy,greedy:calls=off"]);
    for name in ["players.win", "players.gain", "players.riichi-turn", "players.tenpai"] {
        for key in ["events", "trials"] {
            let of = |start: &str| total(&found, name, key, start);
            let divisions = [of("seat "), of("wind "), of("agent "), of("dealer") + of("non-dealer")];
            assert_eq!(divisions, [of("all"); 4], "{name}, {key}");
        }
    }
    let names = ["hands.tsumo", "hands.dealer-repeat", "hands.riichi", "draws.exhaustive", "turns.mean"];
    for name in names.into_iter().chain(["han.mean", "points.mean", "hands.honba"]) {
        let of = |start: &str| total(&found, name, "events", start);
        assert_eq!([of("round-wind "), of("round ")], [of("all"); 2], "{name}");
        assert!(of("round South ") > 0 && of("round South ") == of("round-wind South"), "{name}");
    }
}

/// One game has one result for each seat, so the spread follows from the means of the seats.
#[test]
fn spread_is_that_of_the_single_amounts() {
    let found = figures(&["stats", "--games", "1", "--seed", "3"]);
    let mut results: Vec<f64> = by_group(&found, "players.result", "value")
        .iter()
        .filter(|(group, _)| group.starts_with("seat "))
        .map(|(_, result)| *result)
        .collect();
    results.sort_by(f64::total_cmp);
    let mean = results.iter().sum::<f64>() / 4.0;
    let deviation = (results.iter().map(|result| (result - mean).powi(2)).sum::<f64>() / 4.0).sqrt();
    let expected = [
        ("sd", deviation),
        ("q05", results[0]),
        ("q25", results[0]),
        ("q50", results[1]),
        ("q75", results[2]),
        ("q95", results[3]),
    ];
    for (measure, expected) in expected {
        let found = by_group(&found, &format!("spread.result-{measure}"), "value");
        let (_, all) = found.iter().find(|(group, _)| *group == "all").expect("all players");
        assert!((all - expected).abs() < 1e-6, "{measure}: {all}, expected {expected}");
    }
}

#[test]
fn shares_by_han_and_fu_add_up_to_those_by_fu() {
    let found = figures(&["stats", "--games", "200", "--only", "fu,han-fu"]);
    for fu in ["20", "25", "30", "40", "50"] {
        let events = |name: &str| found.iter().filter(|f| f["name"] == name).map(|f| &f["events"]).next();
        let of_han =
            |han: &str| events(&format!("han-fu.{han}-han-{fu}-fu")).map_or(0, |n| n.as_i64().unwrap());
        let total: i64 = ["1", "2", "3", "4", "5+"].map(of_han).iter().sum();
        assert_eq!(events(&format!("fu.{fu}")).and_then(Value::as_i64), Some(total), "{fu} fu");
    }
    let printed = ok(&["stats", "--games", "200", "--only", "han-fu"]);
    let table = printed.split_once("\nHan-fu, per win below yakuman with fu\n").expect("a table").1;
    let head: Vec<&str> = table.lines().next().expect("a head").split_whitespace().collect();
    assert_eq!(head.join(" "), "fu 1 han 2 han 3 han 4 han 5+ han");
    assert!(table.lines().any(|line| line.starts_with("  30 fu")), "{table}");
}

/// Placements of all players add up to the same in every game; those of a seat do not.
#[test]
fn what_the_rules_fix_is_shown_by_group_only() {
    let fixed = ["players.placement", "players.placement-1", "players.points", "players.result"];
    let of = |agents: &str| figures(&["stats", "--games", "30", "--agents", agents]);
    let (same, mixed) = (of("greedy"), of("greedy,random,greedy,random"));
    for name in fixed {
        let groups = |found: &[Value]| -> Vec<String> {
            by_group(found, name, "value").iter().map(|(group, _)| (*group).to_owned()).collect()
        };
        assert_eq!(groups(&same), ["seat 0", "seat 1", "seat 2", "seat 3"], "{name}");
        let with_agents = ["seat 0", "seat 1", "seat 2", "seat 3", "agent greedy", "agent random"];
        assert_eq!(groups(&mixed), with_agents, "{name}");
    }
    let sweep = ["sweep", "--rules", "tenhou", "--rules", "mleague", "--games", "30", "--only", "players"];
    assert!(!ok(&sweep).contains("placement"));
    let by_seat = ok(&[&sweep[..], &["--by", "seat"]].concat());
    let (_, block) =
        by_seat.split_once("\n  placement, seat 2, per game of a player\n").expect("a block for each seat");
    let lines: Vec<&str> = block.lines().take(3).collect();
    assert!(lines[0].starts_with("    tenhou ") && lines[1].starts_with("    mleague "), "{block}");
    assert!(lines[1].contains('±') && lines[2].starts_with("  bust, seat 2"), "{block}");
}

/// Every player who played has a share of every placement, and every number of tenpai players has
/// one, even without an event.
#[test]
fn what_did_not_happen_has_a_bound() {
    for (rules, players) in [("tenhou", 4), ("tenhou-sanma", 3)] {
        let words = ["stats", "--agents", "greedy", "--rules", rules, "--games"];
        let found = figures(&[&words[..], &["2"]].concat());
        let mut zeros = 0;
        for placement in 1..=4 {
            let name = format!("players.placement-{placement}");
            let of_seats = by_group(&found, &name, "value");
            let seats = of_seats.iter().filter(|(group, _)| group.starts_with("seat ")).count();
            assert_eq!(seats, if placement <= players { players } else { 0 }, "{rules}: {name}");
            zeros += of_seats.iter().filter(|(_, share)| *share == 0.0).count();
        }
        assert!(zeros > 0, "{rules}: a player has two placements in two games");
        let found = figures(&[&words[..], &["60"]].concat());
        for tenpai in 0..=4 {
            let all = by_group(&found, &format!("draws.tenpai-{tenpai}"), "value").len();
            assert_eq!(all, usize::from(tenpai <= players), "{rules}: {tenpai} tenpai");
        }
    }
    let printed = ok(&["stats", "--games", "3", "--only", "players.placement-4", "--by", "seat"]);
    assert_eq!(printed.matches("\n    seat ").count(), 4, "{printed}");
    assert!(printed.lines().any(|line| line.contains("  ≤ ")), "{printed}");
}

/// What the rules of a variant exclude is exactly 0 there. The difference is as uncertain as the
/// figure of the other variant.
#[test]
fn a_variant_that_cannot_have_a_figure_has_exactly_none() {
    let words = |rules: [&'static str; 2]| {
        let [first, second] = rules;
        ["sweep", "--rules", first, "--rules", second, "--games", "60", "--only", "draws.kyuushu-kyuuhai"]
    };
    for (rules, sign) in [(["tenhou", "mleague"], -1.0), (["mleague", "tenhou"], 1.0)] {
        let rows = figures(&words(rules));
        let row = |variant: &str| {
            let is_row = |row: &&Value| row["variant"] == variant && row["group"] == "all";
            rows.iter().find(is_row).expect("a row").clone()
        };
        let number = |row: &Value, key: &str| row[key].as_f64().expect("a number");
        let (with, without, second) = (row("tenhou"), row("mleague"), row(rules[1]));
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(["value", "low", "high"].iter().all(|key| near(number(&without, key), 0.0)), "{without}");
        let mut ends = ["low", "high"].map(|key| sign * number(&with, key));
        ends.sort_by(f64::total_cmp);
        assert!(ends[0] < ends[1], "{with}");
        let keys = ["difference_low", "difference_high", "difference"];
        let expected = [ends[0], ends[1], sign * number(&with, "value")];
        assert!(keys.iter().zip(expected).all(|(key, value)| near(number(&second, key), value)), "{second}");
        let printed = ok(&words(rules));
        assert!(printed.contains("  cannot occur"), "{printed}");
    }
}

/// A rate lies in its interval, and the interval between 0 and 100 %.
#[test]
fn printed_intervals_of_rates_stay_between_0_and_100() {
    let agents = "greedy,random,greedy,tsumogiri";
    let printed =
        ok(&["stats", "--agents", agents, "--games", "50", "--only", "players", "--by", "seat", "-q"]);
    let (mut intervals, mut bounds) = (0, 0);
    for line in printed.lines().filter(|line| line.contains(" %")) {
        let (text, _) = line.split_once(" %").expect("it is there");
        let cell = text.trim().rsplit("  ").next().expect("a cell");
        let number = |word: &str| word.replace(',', "").parse::<f64>().ok();
        match cell.split([' ', '(', ')']).filter_map(number).collect::<Vec<_>>()[..] {
            // Rounded to the last digit.
            [value, half] => {
                assert!(cell.contains('±') && value - half > -0.1 && value + half < 100.1, "{line}");
                intervals += 1;
            }
            [value, low, high] => {
                assert!(0.0 <= low && low <= value && value <= high && high <= 100.0, "{line}");
                intervals += 1;
            }
            [_] => bounds += usize::from(cell.contains(['≤', '≥'])),
            _ => panic!("{line}"),
        }
    }
    assert!(intervals > 30 && bounds > 5, "{printed}");
}

/// Few games have wide intervals, many games have many decimals.
#[test]
fn lines_fit_80_columns() {
    let folder = folder();
    let run = path(&folder, "run");
    let options = "noisy:p=0.125,greedy:calls=off,random,tsumogiri";
    let all = "seat,wind,dealer,agent,round-wind,round";
    let three = ["sweep", "--rules", "tenhou", "--vary", "kiriage=true", "--vary", "uma=[30,10,-10,-30]"];
    let noisy: Vec<String> = (1..8).map(|salt| format!("noisy:p=0.125,salt={salt}")).collect();
    let league = format!("greedy,random,tsumogiri,greedy:calls=off,{}", noisy.join(","));
    let five = "a-name-of-24-letters-yes=greedy,noisy:p=0.125,random,tsumogiri,greedy:calls=off";
    let numbered = "noisy:base=tsumogiri,p=0.125,random,a-name-of-24-letters-xyz=greedy,greedy";
    let commands: Vec<Vec<&str>> = vec![
        vec!["stats", "--agents", numbered, "--games", "4", "--only", "players,spread", "--by", "agent"],
        vec!["selfplay", "--log", "none", "--agents", numbered, "--games", "4"],
        vec!["league", "--agents", five, "--sets", "2", "--anchor-rating", "12345"],
        vec!["league", "--agents", &league, "--sets", "1"],
        vec!["selfplay", "--games", "30", "--agents", options, "--out", &run],
        vec!["selfplay", "--resume", "--out", &run],
        vec!["selfplay", "--games", "2", "--rules", "tenhou-sanma", "--log", "none"],
        vec!["info", &run],
        vec!["stats", &run, "--by", all],
        vec!["stats", "--games", "1", "--by", all],
        vec!["stats", "--games", "2", "--rules", "tenhou-sanma", "--by", all],
        vec!["stats", "--games", "3000", "--agents", "tsumogiri", "--by", all],
        [&three[..], &["--games", "40", "--agents", options, "--by", all]].concat(),
        vec!["sweep", "--rules", "tenhou", "--rules", "mleague", "--games", "2", "--by", all],
        vec!["hand", "19m19p19s1234567z+1z", "--riichi", "--dora", "1z", "--by", "tsumo"],
        vec!["hand", "19m19p19s1234567z"],
        vec!["hand", "2345678m345p345s8s"],
        vec!["hand", "147m258p369s1234z5z"],
        vec!["hand", "2345m3456p34567s2z"],
        vec!["agents"],
        vec!["show", &run, "--game", "0"],
        vec!["rules", "list"],
        vec!["rules", "diff", "tenhou", "mleague"],
        vec!["rules", "diff", "tenhou", "majiang-default"],
        vec!["rules", "diff", "dragon-kong-express", "jpml-a"],
    ];
    for command in commands {
        let printed = ok(&command);
        let long: Vec<&str> = printed.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{command:?}: {long:#?}");
        assert!(printed.lines().all(|line| line.trim_end() == line), "{command:?}: spaces at a line's end");
    }
}
