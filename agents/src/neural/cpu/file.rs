//! The model in a `.safetensors` file.

use std::path::Path;

use jantaku_engine::ActionId;

use super::lists::Lists;
use super::network::{Network, Precision, Weights};
use super::tensors::{Tensors, layer_names};
use super::tier::Tier;
use crate::encode::Encoder;
use crate::neural::manifest::either;
use crate::neural::{Manifest, ModelError};

/// A model as its file has it.
pub struct ModelFile<'a> {
    tensors: Tensors<'a>,
    manifest: Manifest,
    lists: Lists,
}

impl<'a> ModelFile<'a> {
    /// Reads the header and the manifest of a file with these contents.
    pub fn parse(path: &'a Path, contents: &'a [u8]) -> Result<ModelFile<'a>, ModelError> {
        let (tensors, manifest) = Tensors::parse(path, contents)?;
        let (manifest, lists) = read_manifest(path, &manifest)?;
        Ok(ModelFile { tensors, manifest, lists })
    }

    /// The shape of its inputs.
    pub const fn lists(&self) -> Lists {
        self.lists
    }

    /// The manifest.
    pub fn into_manifest(self) -> Manifest {
        self.manifest
    }

    /// Prepares the network for this tier.
    pub fn network(&self, tier: Tier, precision: Precision) -> Result<Network, ModelError> {
        let mut body = self.tensors.body(self.lists)?;
        body.layers.push(self.heads(body.outputs)?);
        let others = self.manifest.heads.others.keys().map(String::as_str);
        body.names.extend(others.chain(["policy"]).chain(self.value()).flat_map(layer_names));
        self.tensors.expect_known(&body.names)?;
        Ok(Network::new(tier, precision, body.embedding(), &body.layers))
    }

    /// The policy and, below it, the value, as one layer.
    fn heads(&self, inputs: usize) -> Result<Weights, ModelError> {
        let mut heads = self.tensors.layer("policy", Some(ActionId::COUNT), inputs)?;
        if let Some(name) = self.value() {
            let value = self.tensors.layer(name, Some(1), inputs)?;
            heads.weights.extend(value.weights);
            heads.biases.extend(value.biases);
        } else if let Some(name) = layer_names("value").iter().find(|name| self.tensors.has(name)) {
            let advice =
                "state the unit of the value in heads.value of the manifest, or leave the tensor out";
            let expected = "no such tensor: the manifest has no value";
            return Err(self.tensors.error(name, "a tensor".to_owned(), expected, advice));
        }
        Ok(heads)
    }

    /// The name of the value, if the manifest has one.
    fn value(&self) -> Option<&'static str> {
        self.manifest.heads.value.as_ref().map(|_| "value")
    }
}

/// The manifest in a file, and the shape of the inputs that it names.
fn read_manifest(path: &Path, text: &str) -> Result<(Manifest, Lists), ModelError> {
    let manifest = Manifest::parse(text, path)?;
    let Some(lists) = Lists::of(manifest.encoder()) else {
        let found = format!("`{}`", manifest.encoder.name);
        let known = Encoder::ALL.iter().filter(|encoder| Lists::of(**encoder).is_some());
        let expected = either(known.map(|encoder| format!("`{encoder}`")));
        let advice = "export other networks as TorchScript, to a .pt file";
        return Err(ModelError::new(path, "manifest, encoder.name", found, expected, advice));
    };
    match manifest.heads.others.keys().find(|name| is_layer(name)) {
        Some(name) => {
            let expected = "heads with other names than `embedding`, `scalars` and `layers.…`";
            let (found, advice) = ("a head with the name of a layer", "give the head another name");
            Err(ModelError::new(path, format!("manifest, heads.{name}"), found, expected, advice))
        }
        None => Ok((manifest, lists)),
    }
}

/// Whether the tensors of this name belong to the layers below the heads.
fn is_layer(name: &str) -> bool {
    matches!(name, "embedding" | "scalars") || name.starts_with("layers.")
}
