//! The manifest of a model.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use jantaku_engine::rules::RulesError;
use jantaku_engine::{ActionId, Rules};
use serde::{Deserialize, Serialize};

use super::ModelError;
use crate::encode::{Encoder, EncoderId, hash_of};

/// The manifest of a model: its encoder, the rules of its training, and its outputs.
///
/// The manifest of the `TorchScript` file `model.pt` is the JSON file `model.json` beside it. A
/// `.safetensors` file has the same JSON text in the entry `jantaku` of its metadata.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of the manifest: [`Manifest::FORMAT`].
    pub format: u32,
    /// The encoder whose inputs the model reads.
    pub encoder: EncoderName,
    /// The actions whose logits it returns.
    pub actions: Actions,
    /// The rules that it was trained for.
    pub rules: TrainedRules,
    /// Its outputs.
    pub heads: Heads,
    /// Whether it was trained with permuted suits.
    #[serde(default)]
    pub augmented: bool,
    /// Notes of the trainer: a JSON value that nothing reads.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub notes: serde_json::Value,
}

/// An encoder as a manifest names it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EncoderName {
    /// The name, with the version: `sparse-v1`.
    pub name: String,
    /// The version.
    pub version: u32,
    /// The hash of its table ([`EncoderId::hash`](crate::encode::EncoderId::hash)).
    pub hash: String,
}

/// The actions of a policy.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Actions {
    /// Their number.
    pub count: usize,
    /// A hash of their list: see [`Actions::current`].
    pub hash: String,
}

/// The rules that a model was trained for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainedRules {
    /// The name, such as `tenhou`, if they have one. For people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// [`Rules::hash`] as 16 hexadecimal digits.
    pub hash: String,
    /// The rules as TOML ([`Rules::to_toml`]).
    pub text: String,
}

/// The outputs of a model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Heads {
    /// The number of logits of the policy: 165.
    pub policy: usize,
    /// The value of the decision, if the model returns one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<ValueHead>,
    /// Other heads by name, with the shape of one row. Nothing reads them in play.
    #[serde(flatten)]
    pub others: BTreeMap<String, Vec<usize>>,
}

/// The value that a model returns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueHead {
    /// The unit, such as `points` or `placement`.
    pub unit: String,
}

/// An encoder of this program, as manifests name it.
impl From<&EncoderId> for EncoderName {
    fn from(id: &EncoderId) -> EncoderName {
        EncoderName { name: id.name.to_owned(), version: id.version, hash: id.hash.clone() }
    }
}

impl Actions {
    /// The actions of this program.
    ///
    /// The hash is the first 16 hexadecimal digits of the SHA-256 of 165 lines, one for each action:
    /// its number, a space and its text.
    pub fn current() -> Actions {
        static HASH: LazyLock<String> =
            LazyLock::new(|| hash_of(ActionId::all().map(|id| format!("{} {}", id.number(), id.action()))));
        Actions { count: ActionId::COUNT, hash: HASH.clone() }
    }
}

impl TrainedRules {
    /// These rules, without a name.
    pub(crate) fn of(rules: &Rules) -> TrainedRules {
        TrainedRules { name: None, hash: format!("{:016x}", rules.hash()), text: rules.to_toml() }
    }

    /// The rules of the text.
    pub(crate) fn rules(&self) -> Result<Rules, RulesError> {
        Rules::from_toml(&self.text, "text")
    }

    /// Checks that the text has the hash.
    fn check(&self, file: &Path) -> Result<(), ModelError> {
        let (found, advice) = match self.rules() {
            Ok(rules) if format!("{:016x}", rules.hash()) == self.hash => return Ok(()),
            Ok(rules) => (
                format!("rules with the hash {:016x}", rules.hash()),
                "write the hash and the text of the same rules",
            ),
            Err(error) => (
                format!("no rules, {error}"),
                "play it with the version that wrote it, or export the model again",
            ),
        };
        let expected = format!("rules with the hash {}, as rules.hash says", self.hash);
        Err(ModelError::new(file, "manifest, rules.text", found, expected, advice))
    }
}

impl Manifest {
    /// The version of the manifest that this program writes and reads.
    pub const FORMAT: u32 = 1;

    /// The manifest of a model with a policy, trained for this encoder and these rules.
    pub fn new(encoder: Encoder, rules: &Rules) -> Manifest {
        Manifest {
            format: Manifest::FORMAT,
            encoder: encoder.id().into(),
            actions: Actions::current(),
            rules: TrainedRules::of(rules),
            heads: Heads { policy: ActionId::COUNT, value: None, others: BTreeMap::new() },
            augmented: false,
            notes: serde_json::Value::Null,
        }
    }

    /// The side file with the manifest of a `TorchScript` model: `model.json` for `model.pt`.
    pub fn side_file(model: &Path) -> PathBuf {
        model.with_extension("json")
    }

    /// Reads the side file of a `TorchScript` model.
    ///
    /// # Errors
    ///
    /// If there is no such file, or as [`Manifest::parse`].
    pub fn beside(model: &Path) -> Result<Manifest, ModelError> {
        let file = Manifest::side_file(model);
        let text = fs::read_to_string(&file).map_err(|error| {
            let found = match error.kind() {
                ErrorKind::NotFound => "no such file".to_owned(),
                _ => error.to_string(),
            };
            let expected = format!("the manifest of {}", model.display());
            let advice = "write the text of `jantaku.Encoder(NAME).manifest(RULES)` in Python, or of `cargo run \
                --example manifest`, to this file";
            ModelError::new(&file, "manifest", found, expected, advice)
        })?;
        Manifest::parse(&text, &file)
    }

    /// Reads a manifest and checks that this program can play such a model. `file` is the file that
    /// has it, for messages.
    ///
    /// # Errors
    ///
    /// If the text is no manifest, the encoder, the actions or the heads are not those of this
    /// program, or the text of the rules has another hash. [`Manifest::check_rules`] compares the
    /// rules with those of a game.
    pub fn parse(text: &str, file: &Path) -> Result<Manifest, ModelError> {
        let again = "export the model again";
        let value: serde_json::Value = serde_json::from_str(text)
            .map_err(|error| ModelError::new(file, "manifest", error.to_string(), "JSON", again))?;
        let format = value.get("format").unwrap_or(&serde_json::Value::Null);
        if *format != Manifest::FORMAT {
            let advice = "use the version of jantaku that wrote it, or export the model again";
            let expected = Manifest::FORMAT.to_string();
            return Err(ModelError::new(file, "manifest, format", format.to_string(), expected, advice));
        }
        let manifest: Manifest = serde_json::from_value(value).map_err(|error| {
            let expected = "the fields of a manifest (agents/docs/networks.md)";
            ModelError::new(file, "manifest", error.to_string(), expected, again)
        })?;
        manifest.check(file)?;
        Ok(manifest)
    }

    /// The encoder whose inputs the model reads.
    ///
    /// # Panics
    ///
    /// If the manifest names an unknown encoder. [`Manifest::parse`] returns no such manifest.
    pub fn encoder(&self) -> Encoder {
        Encoder::named(&self.encoder.name).expect("a checked manifest names a known encoder")
    }

    /// Checks everything except the rules of the game to be played.
    fn check(&self, file: &Path) -> Result<(), ModelError> {
        let known = either(Encoder::ALL.iter().map(|encoder| format!("`{encoder}`")));
        let Some(encoder) = Encoder::named(&self.encoder.name) else {
            let found = format!("`{}`", self.encoder.name);
            let advice = "train the model with an encoder of this version, or use the version that has it";
            return Err(ModelError::new(file, "manifest, encoder.name", found, known, advice));
        };
        let id = encoder.id();
        let place = |field: &str| format!("manifest, {field}");
        let train = "train the model with this version of jantaku";
        let fields = [
            ("encoder.version", self.encoder.version.to_string(), id.version.to_string(), train),
            ("encoder.hash", self.encoder.hash.clone(), id.hash.clone(), train),
            ("actions.count", self.actions.count.to_string(), ActionId::COUNT.to_string(), train),
            ("actions.hash", self.actions.hash.clone(), Actions::current().hash, train),
            (
                "heads.policy",
                self.heads.policy.to_string(),
                ActionId::COUNT.to_string(),
                "give the model a policy with a logit for each action",
            ),
        ];
        match fields.into_iter().find(|(_, found, expected, _)| found != expected) {
            Some((field, found, expected, advice)) => {
                Err(ModelError::new(file, place(field), found, expected, advice))
            }
            None => self.rules.check(file),
        }
    }

    /// Checks that the model was trained for these rules. `keep_draws` may differ, because players do
    /// not notice it.
    ///
    /// # Errors
    ///
    /// If the rules have another hash.
    pub fn check_rules(&self, rules: &Rules, file: &Path) -> Result<(), ModelError> {
        let hash = |keep_draws| format!("{:016x}", Rules { keep_draws, ..*rules }.hash());
        if [false, true].map(hash).contains(&self.rules.hash) {
            return Ok(());
        }
        let played = hash(rules.keep_draws);
        let name = self.rules.name.as_ref().map(|name| format!("`{name}`, ")).unwrap_or_default();
        let found = format!("rules {name}{}", self.rules.hash);
        let expected = format!("the rules of the game, {played}");
        let advice = "play the rules it was trained for, or give the agent the option rules=any";
        Err(ModelError::new(file, "manifest, rules.hash", found, expected, advice))
    }
}

/// Names in a message: `a`, `b` or `c`.
pub(super) fn either(names: impl IntoIterator<Item = String>) -> String {
    let mut names: Vec<String> = names.into_iter().collect();
    match (names.pop(), names.is_empty()) {
        (Some(last), false) => format!("{} or {last}", names.join(", ")),
        (last, _) => last.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::{PlanesV1, SparseV1};

    /// The message for a manifest with one field changed; empty if it is accepted.
    fn said(pointer: &str, value: serde_json::Value) -> String {
        let manifest = Manifest::new(SparseV1::ENCODER, &Rules::default());
        let mut json = serde_json::to_value(manifest).expect("a manifest is JSON");
        if !pointer.is_empty() {
            *json.pointer_mut(pointer).expect("the manifest has the field") = value;
        }
        let parsed = Manifest::parse(&json.to_string(), Path::new("m.json"));
        parsed.err().map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn a_manifest_parses_back() {
        let mut manifest = Manifest::new(PlanesV1::ENCODER, &Rules::default());
        manifest.heads.value = Some(ValueHead { unit: "placement".to_owned() });
        manifest.heads.others.insert("danger".to_owned(), vec![3, 34]);
        manifest.notes = serde_json::json!({ "steps": 10 });
        let text = serde_json::to_string(&manifest).expect("a manifest is JSON");
        assert_eq!(Manifest::parse(&text, Path::new("m.json")), Ok(manifest));
    }

    #[test]
    fn messages_name_file_place_found_and_expected() {
        let id = SparseV1::ENCODER.id();
        let train = "train the model with this version of jantaku";
        assert_eq!(said("", serde_json::Value::Null), "");
        let name = said("/encoder/name", "sparse-v9".into());
        assert!(name.starts_with("m.json: manifest, encoder.name: found `sparse-v9`, expected `"), "{name}");
        let advice = "; train the model with an encoder of this version, or use the version that has it";
        assert!(name.ends_with(advice), "{name}");
        assert_eq!(
            said("/encoder/hash", "00".into()),
            format!("m.json: manifest, encoder.hash: found 00, expected {}; {train}", id.hash)
        );
        assert_eq!(
            said("/actions/count", 46.into()),
            format!("m.json: manifest, actions.count: found 46, expected 165; {train}")
        );
        let format = said("/format", 2.into());
        assert!(format.starts_with("m.json: manifest, format: found 2, expected 1; "), "{format}");
        let missing = said("/rules", serde_json::json!({ "hash": "1" }));
        assert!(missing.contains("missing field `text`"), "{missing}");
    }

    /// A change of an action's text or number makes all models unplayable.
    #[test]
    fn the_hash_of_the_actions_is_pinned() {
        assert_eq!(Actions::current().hash, "3113458e4aadf87b");
    }

    #[test]
    fn other_rules_are_an_error() {
        let manifest = Manifest::new(SparseV1::ENCODER, &Rules::default());
        let other = Rules { kuitan: false, ..Rules::default() };
        assert_eq!(manifest.check_rules(&Rules::default(), Path::new("m.json")), Ok(()));
        let error = manifest.check_rules(&other, Path::new("m.json")).unwrap_err().to_string();
        assert!(error.contains(&format!("{:016x}", other.hash())), "{error}");
        assert!(error.contains("rules=any"), "{error}");
    }
}
