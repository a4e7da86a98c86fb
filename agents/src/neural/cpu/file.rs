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

/// The network in a file with these contents, prepared for this tier, its manifest, and the shape of its inputs.
pub fn read(
    tier: Tier,
    path: &Path,
    contents: &[u8],
    precision: Precision,
) -> Result<(Network, Manifest, Lists), ModelError> {
    let (tensors, manifest) = Tensors::parse(path, contents)?;
    let (manifest, lists) = read_manifest(path, &manifest)?;
    let mut body = tensors.body(lists)?;
    let value = manifest.heads.value.as_ref().map(|_| "value");
    body.layers.push(heads(&tensors, value, body.outputs)?);
    let others = manifest.heads.others.keys().map(String::as_str);
    body.names.extend(others.chain(["policy"]).chain(value).flat_map(layer_names));
    tensors.expect_known(&body.names)?;
    Ok((Network::new(tier, precision, body.embedding(), &body.layers), manifest, lists))
}

/// The policy and, below it, the value of this name, as one layer.
fn heads(tensors: &Tensors<'_>, value: Option<&str>, inputs: usize) -> Result<Weights, ModelError> {
    let mut heads = tensors.layer("policy", Some(ActionId::COUNT), inputs)?;
    if let Some(name) = value {
        let value = tensors.layer(name, Some(1), inputs)?;
        heads.weights.extend(value.weights);
        heads.biases.extend(value.biases);
    } else if let Some(name) = layer_names("value").iter().find(|name| tensors.has(name)) {
        let advice = "state the unit of the value in heads.value of the manifest, or leave the tensor out";
        let expected = "no such tensor: the manifest has no value";
        return Err(tensors.error(name, "a tensor".to_owned(), expected, advice));
    }
    Ok(heads)
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
