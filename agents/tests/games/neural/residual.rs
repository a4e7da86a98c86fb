//! The agent `residual`, and the candidates that its networks read.

use std::path::PathBuf;

use jantaku_agents::candidates::{Comparison, Limits};
use jantaku_agents::encode::{Domain, SparseV1};
use jantaku_agents::residual::{CandidateEncoder, EncodedCandidate, Residual, ResidualManifest};
use jantaku_agents::{Catalog, Heuristic, NamedPolicy, OptionKind, Policy};
use jantaku_engine::{Action, Observation, Players, Rng, Rules, random};
use safetensors::tensor::{Dtype, TensorView, serialize};
use tempfile::TempDir;

use crate::common::{each_action_of_heuristic, named, refused};
use crate::level::Size;

const HIDDEN: usize = 8;

/// Games of each kind whose candidates are encoded.
const ENCODED_GAMES: Size = Size(6, 6, 12);

/// A network: its tensors and its manifest.
struct Network {
    tensors: Vec<(&'static str, Vec<usize>, Vec<f32>)>,
    manifest: ResidualManifest,
}

impl Network {
    /// A network whose weights follow from a seed. `value` scales its outputs.
    fn random(seed: u64, value: f32) -> Network {
        let mut rng = Rng::new(seed);
        let mut weights = |count: usize, size: f32| -> Vec<f32> {
            (0..count).map(|_| size * (rng.uniform() as f32 - 0.5)).collect()
        };
        let (features, scalars) = (usize::from(CandidateEncoder::FEATURES), CandidateEncoder::SCALARS);
        let tensors = vec![
            ("embedding.weight", vec![features, HIDDEN], weights(features * HIDDEN, 0.2)),
            ("embedding.bias", vec![HIDDEN], weights(HIDDEN, 0.2)),
            ("scalars.weight", vec![HIDDEN, scalars], weights(HIDDEN * scalars, 0.2)),
            ("value.weight", vec![1, HIDDEN], weights(HIDDEN, value)),
            ("value.bias", vec![1], vec![0.5]),
        ];
        let manifest = ResidualManifest::new("heuristic:version=3", &Rules::default());
        Network { tensors, manifest }
    }

    fn bytes(&self) -> Vec<u8> {
        let bytes: Vec<Vec<u8>> = self
            .tensors
            .iter()
            .map(|(_, _, values)| values.iter().flat_map(|value| value.to_le_bytes()).collect())
            .collect();
        let views = self.tensors.iter().zip(&bytes).map(|((name, shape, _), bytes)| {
            (*name, TensorView::new(Dtype::F32, shape.clone(), bytes).expect("a tensor"))
        });
        let manifest = serde_json::to_string(&self.manifest).expect("JSON");
        let metadata = [("jantaku".to_owned(), manifest)].into_iter().collect();
        serialize(views, Some(metadata)).expect("a file")
    }

    fn write(&self, folder: &TempDir) -> PathBuf {
        let path = folder.path().join("r.safetensors");
        std::fs::write(&path, self.bytes()).expect("a file");
        path
    }
}

fn agent(path: &std::path::Path, options: &str) -> NamedPolicy {
    named(&format!("residual:model={}{options}", path.display())).to_policy().expect("a policy")
}

fn error(path: &std::path::Path) -> String {
    refused(&format!("residual:model={}", path.display()))
}

/// Plays games of `heuristic` and calls `see` with every decision.
fn each_decision(rules: &Rules, games: u64, mut see: impl FnMut(&Observation<'_>)) {
    for seed in 0..games {
        each_action_of_heuristic(rules, seed, |game, seat, _| see(&game.observe(seat)));
    }
}

fn comparison(o: &Observation<'_>) -> Result<Comparison, Action> {
    Heuristic::default().compare(o, Limits { most: 4, margin: 1000.0 }, &mut Rng::new(0))
}

/// A candidate sees all rows of `sparse-v1` with a feature for each kind.
#[test]
fn candidates_see_all_rows_of_kinds() {
    let rows = SparseV1::ENCODER.table().features.iter().filter(|row| row.domain == Domain::Kinds).count();
    assert_eq!(usize::from(CandidateEncoder::SHARED - CandidateEncoder::NEAR), 6 * rows);
}

/// The tables of `docs/residual.md` have all features and scalars.
#[test]
fn the_page_has_all_inputs() {
    let page = include_str!("../../../docs/residual.md");
    let total = |head: &str| -> usize {
        let rows = page.lines().skip_while(|line| !line.starts_with(head)).skip(2);
        let numbers = rows.take_while(|line| line.starts_with('|')).map(|row| {
            let number = row.trim_end_matches(" |").rsplit(" | ").next().expect("a column");
            number.split(" × ").map(|factor| factor.parse::<usize>().expect("a number")).product::<usize>()
        });
        numbers.sum()
    };
    assert_eq!(total("| features |"), usize::from(CandidateEncoder::FEATURES));
    assert_eq!(total("| scalars |"), CandidateEncoder::SCALARS);
    for name in CandidateEncoder::NUMBERS {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
}

#[test]
fn encoded_candidates_have_each_feature_once() {
    let mut seen = vec![false; usize::from(CandidateEncoder::FEATURES)];
    for preset in ["tenhou", "tenhou-sanma"] {
        each_decision(&Rules::preset(preset).expect("a preset"), ENCODED_GAMES.get().into(), |o| {
            let Ok(comparison) = comparison(o) else { return };
            let rows = CandidateEncoder::encode(o, &comparison);
            assert_eq!(rows.len(), comparison.candidates.len());
            for EncodedCandidate { active, scalars } in rows {
                let mut sorted = active.clone();
                sorted.sort_unstable();
                sorted.dedup();
                assert!(sorted.len() == active.len() && active.len() <= CandidateEncoder::MAX_ACTIVE);
                active.iter().for_each(|feature| seen[usize::from(*feature)] = true);
                assert!(scalars.iter().all(|scalar| scalar.abs() <= 50.0), "{scalars:?}");
            }
        });
    }
    let (near, others) = seen.split_at(usize::from(CandidateEncoder::SHARED));
    let near = &near[usize::from(CandidateEncoder::NEAR)..];
    for seen in [near, others] {
        assert!(seen.iter().filter(|seen| **seen).count() > seen.len() / 2, "{seen:?}");
    }
}

/// The last features are facts of the position apart from its tiles, the same for all candidates.
#[test]
fn candidates_share_the_features_of_no_kind() {
    each_decision(&Rules::default(), 2, |o| {
        let Ok(comparison) = comparison(o) else { return };
        let rows = CandidateEncoder::encode(o, &comparison);
        let shared = |row: &EncodedCandidate| -> Vec<u16> {
            let is_own = |feature: &&u16| **feature < CandidateEncoder::SHARED;
            row.active.iter().skip_while(is_own).copied().collect()
        };
        let first = shared(&rows[0]);
        assert!(!first.is_empty() && first.iter().all(|feature| *feature >= CandidateEncoder::SHARED));
        assert!(rows.iter().all(|row| shared(row) == first), "{rows:?}");
    });
}

/// A network with the same output for every input corrects nothing.
#[test]
fn without_corrections_it_plays_like_heuristic() {
    let folder = TempDir::new().expect("a folder");
    let path = Network::random(1, 0.0).write(&folder);
    let (residual, heuristic) = (agent(&path, ",least=0"), Heuristic::default());
    each_decision(&Rules::default(), 4, |o| {
        let expected = heuristic.choose(o, &mut Rng::new(0));
        assert_eq!(residual.choose(o, &mut Rng::new(0)), expected);
    });
}

/// A large network moves its choices to other candidates, always legal ones, and less so the more
/// another action must gain.
#[test]
fn corrections_switch_to_other_candidates() {
    let folder = TempDir::new().expect("a folder");
    let path = Network::random(2, 2.0).write(&folder);
    let [often, rarely, never] = [",least=0", ",least=500", ",shrink=0,least=0"].map(|o| agent(&path, o));
    let heuristic = Heuristic::default();
    let (mut switched, mut rare) = (0, 0);
    each_decision(&Rules::default(), 4, |o| {
        let [choice, action, other, same] = [&heuristic as &dyn Policy, &often, &rarely, &never]
            .map(|agent| agent.choose(o, &mut Rng::new(0)));
        assert!(o.legal().contains(action.id()) && same == choice);
        if action != choice {
            let comparison = comparison(o).expect("candidates");
            assert!(comparison.candidates.iter().any(|candidate| candidate.action == action));
        }
        switched += u32::from(action != choice);
        rare += u32::from(other != choice);
    });
    assert!(rare > 0 && switched > rare, "{switched} and {rare}");
}

/// Both ways to ask it agree, and it reports the values after the correction.
#[test]
fn replies_have_the_corrected_values() {
    let folder = TempDir::new().expect("a folder");
    let path = Network::random(6, 2.0).write(&folder);
    let agent = named(&format!("residual:model={},least=0", path.display()));
    let residual = agent.downcast::<Residual>().expect("a residual agent");
    let mut compared = 0;
    each_decision(&Rules::default(), 2, |o| {
        let reply = residual.reply(o, &mut Rng::new(0));
        assert_eq!(reply.action, residual.choose(o, &mut Rng::new(0)));
        let Ok(corrected) = residual.compare(o, &mut Rng::new(0)) else {
            assert_eq!(reply.search_info, None);
            return;
        };
        let reported = reply.search_info.expect("search info");
        reported.check(o.legal()).unwrap_or_else(|error| panic!("{error}"));
        let values = reported.action_values.expect("values");
        for (at, candidate) in corrected.comparison.candidates.iter().enumerate() {
            let place = o.legal().iter().position(|id| id.action() == candidate.action);
            let reported = values[place.expect("a legal action")].map(|estimate| estimate.mean);
            assert_eq!(reported, corrected.value(at));
            let (Some(base), Some(value)) = (corrected.base_value(at), reported) else { continue };
            assert!((value - base - corrected.corrections[at]).abs() < 0.01);
            compared += 1;
        }
    });
    assert!(compared > 0);
}

/// Bytes give nearly the corrections of floats.
#[test]
fn int8_is_near_f32() {
    let folder = TempDir::new().expect("a folder");
    let path = Network::random(3, 1.0).write(&folder);
    let [floats, bytes] = ["f32", "int8"].map(|precision| {
        let agent = named(&format!("residual:model={},precision={precision}", path.display()));
        agent.downcast::<Residual>().expect("a residual agent").clone()
    });
    let (mut errors, mut sizes) = (0.0, 0.0);
    each_decision(&Rules::default(), 2, |o| {
        let [of_floats, of_bytes] = [&floats, &bytes].map(|agent| agent.compare(o, &mut Rng::new(0)));
        let (Ok(of_floats), Ok(of_bytes)) = (of_floats, of_bytes) else { return };
        assert!(of_floats.corrections[0].abs() < f32::EPSILON);
        for (float, byte) in of_floats.corrections.iter().zip(&of_bytes.corrections) {
            errors += (float - byte).powi(2);
            sizes += float.powi(2);
        }
    });
    assert!(errors < 0.02 * sizes, "{errors} of {sizes}");
}

/// The corrections of the released networks have the same bits on every processor.
#[test]
fn bits_never_change() {
    let hash = |name: &str, rules: &str| {
        let residual = named(name).downcast::<Residual>().expect("a residual agent").clone();
        let mut bits = Vec::new();
        each_decision(&Rules::preset(rules).expect("a preset"), 2, |o| {
            let Ok(corrected) = residual.compare(o, &mut Rng::new(0)) else { return };
            bits.extend(corrected.corrections.iter().map(|correction| u64::from(correction.to_bits())));
        });
        assert!(bits.len() > 100, "{name}: {}", bits.len());
        format!("{:016x}", random::hash(&bits))
    };
    for (version, rules, expected) in [
        (2, "tenhou", ["b8f7642d6b672ce3", "535efa03eda7466d"]),
        (3, "tenhou", ["b8f7642d6b672ce3", "535efa03eda7466d"]),
        (3, "tenhou-sanma", ["a7cd7dbc3e871b21", "d062b3420dfa3f8c"]),
    ] {
        let name = |precision| format!("residual:version={version},precision={precision}");
        assert_eq!(["f32", "int8"].map(|precision| hash(&name(precision), rules)), expected, "{rules}");
    }
}

/// Under rules with another number of players, it plays like `heuristic`.
#[test]
fn other_numbers_of_players_are_not_corrected() {
    let folder = TempDir::new().expect("a folder");
    let path = Network::random(4, 2.0).write(&folder);
    let (residual, heuristic) = (agent(&path, ",least=0"), Heuristic::default());
    each_decision(&Rules::preset("tenhou-sanma").expect("a preset"), 2, |o| {
        let expected = heuristic.choose(o, &mut Rng::new(0));
        assert_eq!(residual.choose(o, &mut Rng::new(0)), expected);
    });
}

/// The networks that are part of the program.
fn versions() -> &'static [&'static str] {
    let catalog = Catalog::standard();
    let entry = catalog.entries().iter().find(|entry| entry.name == "residual").expect("the agent");
    let version = entry.options.iter().find(|option| option.name == "version").expect("the option");
    let OptionKind::Choice(versions) = version.kind else { panic!("words: {version:?}") };
    versions
}

/// Runs record the network of an agent, and a released one never changes its bytes.
#[test]
fn cards_have_the_hashes_of_the_released_networks() {
    for version in versions() {
        let name = format!("residual:version={version}");
        let agent = named(&name);
        let files: Vec<_> = agent.files().iter().filter(|file| file.option.starts_with(&name)).collect();
        assert!(!files.is_empty(), "{name} has no network");
        let card = format!("{}/docs/residual-{version}.md", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&card).unwrap_or_else(|error| panic!("{card}: {error}"));
        for file in files {
            assert!(
                text.contains(&file.sha256),
                "{card} does not have the SHA-256 of {}, {}. If this version is not released yet, write it \
                 there, with new figures. If it is, restore the file and add the network as a new version",
                file.option,
                file.sha256
            );
        }
    }
}

/// Without options, the agent plays the newest network, which changes some choices of `heuristic`.
#[test]
fn the_newest_network_is_the_default() {
    let newest = named("residual");
    let same = named(&format!("residual:version={}", versions().last().expect("a network")));
    assert_eq!((newest.name(), newest.files()), (same.name(), same.files()));
    let residual = newest.downcast::<Residual>().expect("a residual agent");
    let network = residual.model(Players::Four).expect("a network for four players");
    let base = named(&network.manifest().base).to_policy().expect("a policy");
    let (mut switched, mut decisions) = (0, 0);
    each_decision(&Rules::default(), 4, |o| {
        let [action, choice] =
            [residual as &dyn Policy, &base].map(|agent| agent.choose(o, &mut Rng::new(0)));
        assert!(o.legal().contains(action.id()));
        switched += u32::from(action != choice);
        decisions += 1;
    });
    assert!(switched > 0 && switched < decisions / 2, "{switched} of {decisions}");
}

#[test]
fn two_networks_are_refused() {
    let said = "`version` and `model` both name a network: give only one of them";
    let error = refused("residual:version=3,model=r.safetensors");
    assert_eq!(error, format!("agent `residual:model=r.safetensors`: {said}"));
}

#[test]
fn wrong_files_are_refused() {
    let folder = TempDir::new().expect("a folder");
    let said = |change: &dyn Fn(&mut Network)| {
        let mut network = Network::random(5, 1.0);
        change(&mut network);
        error(&network.write(&folder))
    };
    let base = said(&|network| network.manifest.base = "greedy".to_owned());
    assert!(base.contains("manifest, base: found `greedy`, expected heuristic"), "{base}");
    let encoder = said(&|network| network.manifest.encoder.hash = "0".repeat(16));
    assert!(encoder.contains("manifest, encoder: found `candidate-v2` with the hash 0000"), "{encoder}");
    assert!(encoder.contains("expected `candidate-v2` with the hash"), "{encoder}");
    let shrink = said(&|network| network.manifest.shrink = -1.0);
    assert!(shrink.contains("manifest, shrink: found -1, expected a number, at least 0"), "{shrink}");
    let least = said(&|network| _ = network.manifest.least.remove("kan"));
    assert!(least.contains("least: found abort, call, danger, discard, riichi, expected points"), "{least}");
    let candidates = said(&|network| network.manifest.candidates = 1);
    assert!(candidates.contains("candidates: found 1, expected a number from 2 to 12"), "{candidates}");
    let tensor = said(&|network| network.tensors.truncate(4));
    assert!(tensor.contains("tensor value.bias"), "{tensor}");
    let nan = said(&|network| network.tensors[3].2[1] = f32::NAN);
    assert!(nan.contains("tensor value.weight: found NaN at element 1"), "{nan}");
    let missing = error(&folder.path().join("none.safetensors"));
    assert!(missing.contains("expected a readable file"), "{missing}");
}
