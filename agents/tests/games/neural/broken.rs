//! Models that cannot be played: each message states the file, the value found, the value expected
//! and the remedy.

use std::fs;
use std::path::Path;

use jantaku_agents::Catalog;
use jantaku_agents::encode::PlanesV1;
use jantaku_agents::neural::Manifest;
use jantaku_engine::Rules;
use serde_json::Value;
use tempfile::TempDir;

use super::model::{Model, Tensor};

/// A folder with models.
struct Models {
    folder: TempDir,
    good: Model,
}

impl Models {
    fn new() -> Models {
        Models { folder: TempDir::new().unwrap(), good: Model::random(1, 16, &[8]) }
    }

    /// The message for `neural` with a model of these contents, without the path of the folder.
    fn said(&self, contents: &[u8], options: &str) -> String {
        self.said_of("m.safetensors", contents, options)
    }

    fn said_of(&self, file: &str, contents: &[u8], options: &str) -> String {
        fs::write(self.folder.path().join(file), contents).unwrap();
        self.said_without(file, options)
    }

    /// The message for a file that a test may have written.
    fn said_without(&self, file: &str, options: &str) -> String {
        let path = self.folder.path().join(file);
        let agent = Catalog::standard().agent(&format!("neural:model={}{options}", path.display()));
        let message = agent.err().map_or_else(String::new, |error| error.to_string());
        let folder = format!("{}/", self.folder.path().display());
        match message.split_once("`: ") {
            Some((_, reason)) => reason.replace(&folder, ""),
            None => message.replace(&folder, ""),
        }
    }

    /// The message for a model with a changed manifest.
    fn said_of_manifest(&self, change: impl FnOnce(&mut Value)) -> String {
        let mut manifest = serde_json::to_value(&self.good.manifest).unwrap();
        change(&mut manifest);
        self.said(&self.good.bytes_with(&manifest.to_string()), "")
    }

    /// The message for a model with changed tensors.
    fn said_of_tensors(&self, change: impl FnOnce(&mut Model)) -> String {
        let mut model = self.good.clone();
        change(&mut model);
        self.said(&model.bytes(), "")
    }
}

/// Checks that a message has these parts, in their order.
#[track_caller]
fn expect(message: &str, parts: &[&str]) {
    let mut rest = message;
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else { panic!("no `{part}` in: {message}") };
        rest = after;
    }
}

#[test]
fn good_models_open() {
    let models = Models::new();
    for options in ["", ",precision=int8", ",temperature=0.5,top-p=0.9,average-suits=on,rules=any"] {
        assert_eq!(models.said(&models.good.bytes(), options), "");
    }
}

#[test]
fn broken_files() {
    let models = Models::new();
    let good = models.good.bytes();
    let header = "m.safetensors: header: found ";
    let half = &good[..good.len() / 2];
    let whole = "expected a whole safetensors file; copy the file again";
    expect(&models.said(half, ""), &[header, &format!("({} bytes), ", half.len()), whole]);
    expect(&models.said(&good[..5], ""), &[header, "header too small (5 bytes)", whole]);
    expect(&models.said(b"", ""), &[header, "(0 bytes)", whole]);
    let mut other = good.clone();
    other[8..16].copy_from_slice(b"PK\x03\x04abcd");
    expect(&models.said(&other, ""), &[header, "invalid JSON in header", whole]);
    let mut long = good.clone();
    long.extend([0; 8]);
    expect(&models.said(&long, ""), &[header, whole]);
}

#[test]
fn files_that_are_none() {
    let models = Models::new();
    let advice =
        "expected a readable file; give the option `model` the file's path, or put the file at this path";
    expect(
        &models.said_without("no.safetensors", ""),
        &["no.safetensors: model: found No such file", advice],
    );
    fs::create_dir(models.folder.path().join("folder.safetensors")).unwrap();
    expect(
        &models.said_without("folder.safetensors", ""),
        &["folder.safetensors: model: found a folder, ", advice],
    );
    let ending =
        ["m.onnx: model: found a name without a known ending", ".safetensors", ".pt", "export the model"];
    expect(&models.said_of("m.onnx", b"", ""), &ending);
}

/// The rows of `tests/neural/broken.toml`.
#[test]
fn changes_are_refused() {
    let models = Models::new();
    let file: toml::Table = include_str!("../../neural/broken.toml").parse().unwrap();
    let check = |kind: &str, said: &dyn Fn(&toml::Value, &str) -> String| {
        for row in file[kind].as_array().unwrap() {
            let parts = row["said"].as_array().unwrap().iter().map(|part| part.as_str().unwrap());
            expect(&said(row, row["name"].as_str().unwrap()), &parts.collect::<Vec<_>>());
        }
    };
    check("tensor", &|row, name| {
        models.said_of_tensors(|model| {
            model.tensors.remove(name);
            if let Some(shape) = row.get("shape") {
                let shape: Vec<usize> = shape.clone().try_into().unwrap();
                let values = vec![0.0; shape.iter().product()];
                model.tensors.insert(name.to_owned(), Tensor { shape, values });
            }
        })
    });
    check("manifest", &|row, at| {
        let (parent, key) = at.rsplit_once('/').unwrap();
        let value = serde_json::to_value(row.get("value")).unwrap();
        models.said_of_manifest(|manifest| manifest.pointer_mut(parent).unwrap()[key] = value)
    });
    check("option", &|_, text| models.said(&models.good.bytes(), text));
}

#[test]
fn wrong_tensors() {
    let models = Models::new();
    let empty = models.said_of_tensors(|model| model.tensors.clear());
    expect(
        &empty,
        &["tensor embedding.weight: found no tensors, expected a tensor of this name; make the layers fit"],
    );
    for number in [f32::NAN, f32::NEG_INFINITY] {
        let message = models.said_of_tensors(|model| {
            model.tensors.get_mut("layers.0.weight").unwrap().values[3] = number;
        });
        let found = format!("m.safetensors: tensor layers.0.weight: found {number} at element 3");
        expect(&message, &[&found, "expected finite numbers; train the model again"]);
    }
    let halves = models.good.bytes_of_halves();
    expect(&models.said(&halves, ""), &["tensor ", "found F16, expected F32; export the weights"]);
}

#[test]
fn wrong_manifests() {
    let models = Models::new();
    let wrc = Rules::preset("wrc").unwrap();
    let other = models.said_of_manifest(|manifest| manifest["rules"]["text"] = wrc.to_toml().into());
    let found = format!("manifest, rules.text: found rules with the hash {:016x}, ", wrc.hash());
    let expected =
        format!("expected rules with the hash {:016x}, as rules.hash says", Rules::default().hash());
    expect(&other, &[&found, &expected]);
    let bias = models.said_of_tensors(|model| {
        model.tensors.remove("value.weight");
        model.manifest.heads.value = None;
    });
    expect(&bias, &["tensor value.bias: found a tensor, expected no such tensor", "heads.value"]);
    expect(&models.said(&models.good.bytes_with("{"), ""), &["manifest: found EOF", "expected JSON"]);
    let planes = serde_json::to_string(&Manifest::new(PlanesV1::ENCODER, &Rules::default())).unwrap();
    expect(
        &models.said(&models.good.bytes_with(&planes), ""),
        &["encoder.name: found `planes-v1`, expected `sparse-v1`", "; export other"],
    );
    let without = models.good.bytes_of(None);
    expect(
        &models.said(&without, ""),
        &["metadata, jantaku: found no such entry, expected the manifest of the model; export the model"],
    );
}

#[test]
fn torch_script_needs_its_manifest() {
    let message = Manifest::beside(Path::new("no/m.pt")).unwrap_err().to_string();
    let found =
        "no/m.json: manifest: found no such file, expected the manifest of no/m.pt; write the text of ";
    expect(&message, &[found, "`jantaku.Encoder(NAME).manifest(RULES)` in Python"]);
}

/// Without libtorch, a manifest would not help.
#[cfg(not(feature = "torch"))]
#[test]
fn torch_script_needs_libtorch() {
    let models = Models::new();
    let parts = [
        "m.pt: model: found ",
        "wheel without libtorch, expected ",
        "`jantaku.train.player.player`",
        "`jantaku.FunctionAgent`",
        "run `make torch`",
    ];
    expect(&models.said_of("m.pt", b"", ",device=cuda"), &parts);
    let manifest = serde_json::to_string(&models.good.manifest).unwrap();
    fs::write(models.folder.path().join("m.json"), manifest).unwrap();
    expect(&models.said_of("m.pt", b"", ",device=cuda"), &parts);
}

#[test]
fn messages_name_the_path_as_given() {
    let message = Catalog::standard().agent("neural:model=no/such.safetensors").unwrap_err().to_string();
    let start = "agent `neural:model=no/such.safetensors`: no/such.safetensors: model: found ";
    assert!(message.starts_with(start), "{message}");
}
