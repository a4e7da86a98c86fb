//! A network and its manifest.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jantaku_engine::{Observation, Players, Rules};
use serde::{Deserialize, Serialize};

use super::encoder::{CandidateEncoder, EncodedCandidate};
use crate::candidates::{Comparison, ComparisonKind, Limits};
use crate::neural::cpu::{Lists, Network, Scratch, SparseRow, Tensors, Tier, layer_names};
use crate::neural::{EncoderName, ModelError, Precision, TrainedRules};

/// What a network was trained for: the entry `jantaku` in the metadata of its `.safetensors` file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResidualManifest {
    /// The version of the manifest: [`ResidualManifest::FORMAT`].
    pub format: u32,
    /// The encoder whose inputs it reads, such as `candidate-v2`.
    pub encoder: EncoderName,
    /// The agent whose estimates it corrects, such as `heuristic:version=2`.
    pub base: String,
    /// The rules that it was trained for.
    pub rules: TrainedRules,
    /// The most candidates of a decision.
    pub candidates: usize,
    /// Candidates that the base estimates worse than its choice by more than this many points are left out.
    pub margin: f32,
    /// Factor of the corrections.
    pub shrink: f32,
    /// For each kind of decision ([`ComparisonKind::name`]), the points by which another action must be
    /// better than the choice of the base.
    pub least: BTreeMap<String, f32>,
    /// Notes of the trainer: a JSON value that nothing reads.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub notes: serde_json::Value,
}

/// A network that corrects estimates.
#[derive(Clone, Debug)]
pub struct ResidualModel {
    network: Network,
    manifest: ResidualManifest,
    /// [`ResidualManifest::least`], by the number of the kind of decision.
    least: [f32; ComparisonKind::ALL.len()],
    players: Players,
}

/// The size of the unit of the network's outputs, in points.
const UNIT: f32 = 10_000.0;

impl ResidualManifest {
    /// The version of manifests that this program reads.
    pub const FORMAT: u32 = 1;

    /// A manifest for networks of this program that correct this agent under these rules, with the
    /// limits that labels have by default.
    pub fn new(base: &str, rules: &Rules) -> ResidualManifest {
        let Limits { most: candidates, margin } = Limits::USUAL;
        ResidualManifest {
            format: ResidualManifest::FORMAT,
            encoder: CandidateEncoder::id().into(),
            base: base.to_owned(),
            rules: TrainedRules::of(rules),
            candidates,
            margin,
            shrink: 1.0,
            least: ComparisonKind::ALL.map(|kind| (kind.name().to_owned(), 40.0)).into(),
            notes: serde_json::Value::Null,
        }
    }

    /// Reads and checks a manifest.
    fn parse(text: &str, path: &Path) -> Result<(ResidualManifest, Players), ModelError> {
        let error = |place: &str, found: String, expected: &str| {
            let advice = "export the model as agents/docs/residual.md describes";
            ModelError::new(path, format!("manifest{place}"), found, expected, advice)
        };
        let manifest: ResidualManifest = serde_json::from_str(text).map_err(|wrong| {
            error("", wrong.to_string(), "the manifest of a network for the agent `residual`")
        })?;
        if manifest.format != ResidualManifest::FORMAT {
            return Err(error(", format", manifest.format.to_string(), "1"));
        }
        let encoder = CandidateEncoder::id().into();
        if manifest.encoder != encoder {
            let named = |name: &EncoderName| format!("`{}` with the hash {}", name.name, name.hash);
            return Err(error(", encoder", named(&manifest.encoder), &named(&encoder)));
        }
        let least = manifest.least.iter().map(|(kind, points)| (format!("least.{kind}"), *points));
        let numbers = [("margin".to_owned(), manifest.margin), ("shrink".to_owned(), manifest.shrink)];
        for (name, value) in numbers.into_iter().chain(least) {
            if !value.is_finite() || value < 0.0 {
                return Err(error(&format!(", {name}"), value.to_string(), "a number, at least 0"));
            }
        }
        let kinds = ComparisonKind::ALL.map(ComparisonKind::name);
        if !manifest.least.keys().map(String::as_str).eq(BTreeSet::from(kinds)) {
            let found: Vec<&str> = manifest.least.keys().map(String::as_str).collect();
            return Err(error(", least", found.join(", "), &format!("points for {}", kinds.join(", "))));
        }
        if !(2..=12).contains(&manifest.candidates) {
            return Err(error(", candidates", manifest.candidates.to_string(), "a number from 2 to 12"));
        }
        let rules = manifest.rules.rules();
        let rules = rules.map_err(|wrong| error(", rules.text", wrong.to_string(), "rules as TOML"))?;
        Ok((manifest, rules.players))
    }
}

impl ResidualModel {
    /// Reads a `.safetensors` file with these contents. `path` is its name, for messages.
    ///
    /// # Errors
    ///
    /// If the file is truncated, this program cannot play its manifest, or a tensor is missing, not
    /// expected, not finite, or of the wrong type or shape.
    pub fn parse(path: &Path, contents: &[u8], precision: Precision) -> Result<ResidualModel, ModelError> {
        let (tensors, text) = Tensors::parse(path, contents)?;
        let (manifest, players) = ResidualManifest::parse(&text, path)?;
        let lists = Lists {
            features: CandidateEncoder::FEATURES,
            most_active: CandidateEncoder::MAX_ACTIVE,
            scalars: CandidateEncoder::SCALARS,
        };
        let mut body = tensors.body(lists)?;
        body.layers.push(tensors.layer("value", Some(1), body.outputs)?);
        body.names.extend(layer_names("value"));
        tensors.expect_known(&body.names)?;
        let network = Network::new(Tier::best(), precision, body.embedding(), &body.layers);
        let least = ComparisonKind::ALL.map(|kind| manifest.least[kind.name()]);
        Ok(ResidualModel { network, manifest, least, players })
    }

    /// What it was trained for.
    pub const fn manifest(&self) -> &ResidualManifest {
        &self.manifest
    }

    /// The number of players that it was trained for.
    pub const fn players(&self) -> Players {
        self.players
    }

    /// The margin in points to override the choice of the base at decisions of this kind.
    pub(super) const fn least(&self, kind: ComparisonKind) -> f32 {
        self.least[kind as usize]
    }

    /// Which actions it compares.
    pub const fn limits(&self) -> Limits {
        Limits { most: self.manifest.candidates, margin: self.manifest.margin }
    }

    /// The corrections of the candidates' gaps, in points: 0 for the first.
    pub fn corrections(&self, o: &Observation<'_>, comparison: &Comparison) -> Vec<f32> {
        self.evaluate(&CandidateEncoder::encode(o, comparison))
    }

    /// The corrections of encoded candidates, in points: 0 for the first.
    fn evaluate(&self, candidates: &[EncodedCandidate]) -> Vec<f32> {
        let rows = candidates.iter().map(|row| SparseRow { active: &row.active, scalars: &row.scalars });
        thread_local! {
            static SCRATCH: RefCell<Scratch> = RefCell::default();
        }
        let mut values = vec![0.0; candidates.len()];
        SCRATCH.with_borrow_mut(|scratch| {
            self.network.make_room(candidates.len(), scratch);
            self.network.run(rows, scratch, |row, outputs, lane| values[row] = outputs[0].0[lane]);
        });
        let first = values[0];
        values.iter_mut().for_each(|value| *value = UNIT * (*value - first));
        values
    }
}
