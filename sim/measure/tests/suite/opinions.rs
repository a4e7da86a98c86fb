//! What agents say that the decisions of weak players cost, and why.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jantaku_agents::{Catalog, NamedAgent, Policy as _};
use jantaku_engine::{Action, Event, Game, Observation, Phase, Rng, Rules};
use jantaku_measure::explain::AskingAdvisor;
use jantaku_measure::review::{Grade, KindSum};
use jantaku_show::view::Advisor as _;
use jantaku_show::{Judgement, Opinion, Sentence, WORDS};
use serde_json::Value;

use crate::level::Size;

/// Games of each weak player.
const GAMES: Size = Size(1, 3, 170);

const WEAK: [&str; 3] = ["random", "tsumogiri", "noisy:base=greedy,p=0.3"];

fn agent(name: &str) -> NamedAgent {
    Catalog::standard().agent(name).expect("a name of the catalog")
}

/// Plays a game of one agent. Calls `see` with each of its decisions and the opinions of these agents.
fn each_decision(
    (rules, seed, player): (&Rules, u64, &str),
    agents: &[NamedAgent],
    mut see: impl FnMut(&Observation<'_>, Action, &[Opinion]),
) {
    let player = agent(player);
    let policy = player.policy().expect("a policy");
    // Nothing is a mistake, so no search of a second opinion runs.
    let asked = agents.iter().map(|agent| AskingAdvisor::new(agent, seed, None, f32::INFINITY));
    let mut advisors: Vec<AskingAdvisor<'_>> = asked.collect();
    let (mut events, mut sent, mut number): (Vec<Event>, usize, usize) = (Vec::new(), 0, 0);
    let mut game = Game::new_seen(rules, seed, &mut events);
    while let Some(seat) = game.pending().iter().next() {
        events[sent..].iter().for_each(|event| advisors.event(event));
        sent = events.len();
        let o = game.observe(seat);
        let mut rng = Rng::of_decision(seed, 1, seat, o.decision_count(), number as u64);
        let action = policy.choose(&o, &mut rng);
        let opinions: Vec<Opinion> =
            advisors.advice(&o, action, number, 1).into_iter().map(|one| one.expect("an opinion")).collect();
        see(&o, action, &opinions);
        number += 1;
        game.submit_seen(seat, action, &mut events).expect("a legal action");
    }
    advisors.into_iter().for_each(|advisor| assert!(advisor.into_failure().is_none()));
}

/// Short games of each weak player, with four and with three players.
fn games(mut play: impl FnMut(&Rules, u64, &str)) {
    for preset in ["tenhou", "tenhou-sanma"] {
        let rules = Rules { wind_rounds: 1, ..Rules::preset(preset).expect("a preset") };
        for seed in 0..u64::from(GAMES.get()) {
            WEAK.iter().for_each(|player| play(&rules, seed, player));
        }
    }
}

fn judgement(opinion: &Opinion) -> &Judgement {
    opinion.judgement.as_ref().expect("a judgement")
}

/// The cost of a choice, whether or not earlier decisions have counted it.
fn whole_cost(judgement: &Judgement) -> Option<f32> {
    judgement.cost.map(|cost| cost + judgement.cost_before.unwrap_or_default())
}

/// A player who stays damaten refuses riichi at each draw. In a hand that costs as much as the most expensive
/// refusal.
#[test]
fn refusing_riichi_costs_once_in_a_hand() {
    let agents = [agent("heuristic")];
    let rules = Rules { wind_rounds: 1, ..Rules::default() };
    let mut refused: BTreeMap<_, Vec<[f32; 2]>> = BTreeMap::new();
    for seed in 0..20 {
        each_decision((&rules, seed, "graded:level=5"), &agents, |o, action, opinions| {
            let judgement = judgement(&opinions[0]);
            let is_refusal = opinions[0].action.contains("riichi ") && !action.declares_riichi();
            if let Some(whole) = whole_cost(judgement).filter(|_| is_refusal) {
                let hand = (seed, o.round(), o.honba(), o.seat());
                refused.entry(hand).or_default().push([judgement.cost.unwrap_or_default(), whole]);
            }
        });
    }
    for (hand, costs) in &refused {
        let sum: f32 = costs.iter().map(|[cost, _]| cost).sum();
        let most = costs.iter().map(|[_, whole]| *whole).fold(0.0, f32::max);
        assert!((sum - most).abs() < 1.0, "{hand:?}: {costs:?}");
    }
    assert!(refused.values().any(|costs| costs.len() > 2 && costs[0][0] > 100.0), "{refused:?}");
}

/// Of every agent: the cost of its own choice is 0, that of another is known and not below 0, or counted as
/// unknown.
#[test]
fn costs_are_known_or_counted() {
    let names = [
        "heuristic",
        "heuristic:version=1,calls=off",
        "residual",
        "mc:rollouts=8",
        "greedy",
        "neural:model=uniform",
    ];
    let agents = names.map(agent);
    let rules = Rules { wind_rounds: 1, ..Rules::default() };
    let mut judged: Vec<Vec<Judgement>> = vec![Vec::new(); names.len()];
    for player in WEAK {
        each_decision((&rules, 3, player), &agents, |o, action, opinions| {
            for (opinion, all) in opinions.iter().zip(&mut judged) {
                let judgement = judgement(opinion);
                let place = format!("{} on {} at {:?}", opinion.text, o.describe(action), o.phase());
                match judgement.cost {
                    Some(cost) => assert!(cost.is_finite() && cost >= 0.0, "{place}: {cost}"),
                    None => assert_eq!(judgement.grade, Grade::Undecided, "{place}"),
                }
                if opinion.action == o.describe(action) {
                    assert_eq!((judgement.cost, judgement.grade), (Some(0.0), Grade::Best), "{place}");
                }
                all.push(judgement.clone());
            }
        });
    }
    for (agent, judged) in agents.iter().zip(&judged) {
        let sum = KindSum::of("all", judged.iter());
        let unknown = judged.iter().filter(|one| one.cost.is_none()).count();
        assert_eq!((sum.compared, sum.unknown), (judged.len(), unknown), "{}", agent.name());
        assert!(sum.agreed > 0 && sum.compared > 200, "{sum:?}");
    }
}

/// Actions that `heuristic` takes or leaves by rule.
fn is_by_rule(action: &str) -> bool {
    ["kan ", "daiminkan", "kita", "kyuushu kyuuhai"].iter().any(|word| action.starts_with(word))
}

/// `residual` values all that `heuristic` values, on its scale: a cost differs from that by its base by the
/// corrections of the two actions alone. So no weak player costs less, but for the corrections in favour of
/// what they chose.
#[test]
fn residual_costs_no_less_than_its_base() {
    let agents = ["residual:version=3", "heuristic:version=2"].map(agent);
    let mut lost = [0.0_f64; 2];
    let mut mistakes = [0; 2];
    games(|rules, seed, player| {
        each_decision((rules, seed, player), &agents, |o, action, opinions| {
            let [residual, base] = opinions else { panic!("two opinions") };
            let played = o.describe(action);
            let place = format!("{player}, seed {seed}: {played}");
            for option in &residual.options {
                let Some(value) = option.value else { continue };
                let of_base = base.option(&option.action).and_then(|one| one.value).expect("a value");
                let correction = option.correction.as_ref().map_or(0.0, |one| one.correction);
                assert!((value - of_base - correction).abs() < 0.1, "{place}: {option:?}");
            }
            for opinion in [residual, base] {
                let is_free =
                    o.phase() == Phase::End || [&played, &opinion.action].iter().any(|one| is_by_rule(one));
                assert!(judgement(opinion).cost.is_some() || is_free, "{place}: {opinion:?}");
            }
            let costs = [residual, base].map(|opinion| whole_cost(judgement(opinion)));
            let [Some(cost), Some(of_base)] = costs else {
                assert_eq!(costs, [None; 2], "{place}");
                return;
            };
            let correction = residual.option(&played).and_then(|one| one.correction.as_ref());
            let favour = correction.map_or(0.0, |one| one.correction.max(0.0));
            assert!(cost >= of_base - favour - 0.1, "{place}: {cost}, base {of_base}, {favour}");
            if player == "tsumogiri" {
                [cost, of_base].into_iter().zip(&mut lost).for_each(|(cost, sum)| *sum += f64::from(cost));
                let are_mistakes = opinions.iter().map(|one| judgement(one).cost > Some(2000.0));
                are_mistakes.zip(&mut mistakes).for_each(|(is_one, sum)| *sum += u32::from(is_one));
            }
        });
    });
    assert!(lost[0] >= lost[1] && lost[1] > 20_000.0 * f64::from(GAMES.get()), "{lost:?}");
    assert!(mistakes[0] >= mistakes[1] && mistakes[1] > 0, "{mistakes:?}");
}

/// Adds the keys of a sentence and of those in it to `keys`, and its texts, such as actions, to `texts`.
fn collect(value: &Value, keys: &mut BTreeSet<String>, texts: &mut Vec<String>) {
    for (name, value) in value.as_object().expect("a sentence has a key") {
        match value {
            Value::String(key) if name == "key" => drop(keys.insert(key.clone())),
            Value::String(text) => texts.push(text.clone()),
            Value::Object(_) => collect(value, keys, texts),
            _ => {}
        }
    }
}

/// No placeholder stays, and Japanese and Chinese have no English but names and what pages translate: actions.
#[test]
fn reasons_speak_all_languages() {
    let names = ["heuristic:calls=off", "residual", "mc:rollouts=8", "neural:model=uniform"];
    let agents: Vec<NamedAgent> =
        names.into_iter().chain(["graded:level=2"]).chain(WEAK).map(agent).collect();
    let mut found = BTreeSet::new();
    let mut check = |reason: &Sentence| {
        let mut texts = vec!["heuristic".to_owned(), "residual".to_owned()];
        collect(&serde_json::to_value(reason).expect("JSON"), &mut found, &mut texts);
        texts.sort_by_key(|text| Reverse(text.len()));
        for language in ["en", "ja", "zh"] {
            let said = reason.in_language(language);
            assert!(!said.contains(['{', '}']) && !said.contains("null"), "{said}");
            let other = texts.iter().fold(said.clone(), |rest, text| rest.replace(&**text, ""));
            let is_english = other.contains(|letter: char| letter.is_ascii_alphabetic());
            assert_eq!(is_english, language == "en", "{said}");
        }
    };
    for preset in ["tenhou", "tenhou-sanma"] {
        let rules = Rules { wind_rounds: 1, ..Rules::preset(preset).expect("a preset") };
        for player in ["noisy:base=greedy,p=0.3", "heuristic"] {
            each_decision((&rules, 4, player), &agents, |_, _, opinions| {
                for opinion in opinions {
                    check(opinion.reason.as_ref().expect("a reason"));
                    assert_eq!(opinion.why, opinion.reason.as_ref().expect("a reason").to_string());
                    let verdicts = opinion.options.iter().filter_map(|option| option.verdict.as_ref());
                    verdicts.for_each(|verdict| check(&verdict.reason));
                }
            });
        }
    }
    assert!(found.len() > 20, "{found:?}");
}

/// The keys of sentences in a source.
fn keys_in(source: &str, is_verdicts: bool) -> BTreeSet<String> {
    let marks: &[&str] = if is_verdicts {
        &["(true, \"", "(false, \""]
    } else {
        &[
            "Sentence::new(",
            "let key = ",
            "let from = ",
            "=> \"network-",
            "words.sentence(",
            "news_or(",
            "add_share(",
        ]
    };
    let mut keys = BTreeSet::new();
    for line in source.lines().filter(|line| marks.iter().any(|mark| line.contains(mark))) {
        let parts: Vec<&str> = line.split('"').collect();
        let literals = (1..parts.len()).step_by(2).filter(|at| !parts[at + 1].starts_with(':'));
        keys.extend(literals.map(|at| parts[at].to_owned()));
    }
    keys
}

/// Every sentence that the sources name has a template, and every template is named. Those of catalogs are named
/// by their agents, and `points` by templates.
#[test]
fn sentences_and_sources_have_the_same_keys() {
    let words: Value = serde_json::from_str(WORDS[0]).expect("JSON");
    let templates = words["page"]["sentences"].as_object().expect("an object");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders: Vec<_> =
        ["sim/measure/src", "sim/serve/src", "sim/src"].map(|folder| root.join(folder)).into();
    let turn = std::fs::read_to_string(root.join("agents/src/heuristic/turn.rs")).expect("a source");
    let mut named = keys_in(&turn, true);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let source = text.split("#[cfg(test)]").next().unwrap_or_default();
            if source.contains("Sentence") || source.contains("words.sentence(") {
                named.extend(keys_in(source, false));
            }
        }
    }
    let is_other = |key: &String| {
        let is_key = key.bytes().all(|letter| letter.is_ascii_lowercase() || letter == b'-');
        !is_key || key.is_empty() || key == "points" || key.starts_with("rule-")
    };
    let found: Vec<_> = named.iter().filter(|key| !is_other(key)).collect();
    let expected: Vec<_> = templates.keys().filter(|key| !is_other(key)).collect();
    assert_eq!(found, expected);
}
