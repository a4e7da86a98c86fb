//! The tensors of a `.safetensors` file.

use std::path::Path;

use jantaku_engine::ActionId;
use safetensors::SafeTensorError;
use safetensors::tensor::{Dtype, Metadata, SafeTensors};

use super::embedding::EmbeddingWeights;
use super::lists::Lists;
use super::network::{Network, Precision, Weights};
use super::tier::Tier;
use crate::encode::Encoder;
use crate::neural::manifest::either;
use crate::neural::{Manifest, ModelError};

/// The entry of the file's metadata that has the manifest.
const MANIFEST: &str = "jantaku";

/// The maximum number of outputs of a layer. The sums of a layer in bytes then fit an i32.
const MOST_OUTPUTS: usize = 65_536;

const FIT: &str = "make the layers fit the encoder and each other (agents/docs/networks.md)";

/// A model as its file has it.
pub struct ModelFile<'a> {
    path: &'a Path,
    tensors: SafeTensors<'a>,
    manifest: Manifest,
    lists: Lists,
}

/// A matrix of a model, row-major.
struct Matrix {
    rows: usize,
    columns: usize,
    values: Vec<f32>,
}

impl<'a> ModelFile<'a> {
    /// Reads the header and the manifest of a file with these contents.
    pub fn parse(path: &'a Path, contents: &'a [u8]) -> Result<ModelFile<'a>, ModelError> {
        let broken = |error: SafeTensorError| {
            let found = format!("{error} ({} bytes)", contents.len());
            let advice = "copy the file again, or export the model again";
            ModelError::new(path, "header", found, "a whole safetensors file", advice)
        };
        let (_, metadata) = SafeTensors::read_metadata(contents).map_err(broken)?;
        let tensors = SafeTensors::deserialize(contents).map_err(broken)?;
        let (manifest, lists) = manifest(path, &metadata)?;
        Ok(ModelFile { path, tensors, manifest, lists })
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
        let names = ["embedding.weight", "embedding.bias", "scalars.weight"];
        let table = self.matrix(names[0], Some(self.lists.features.into()), None)?;
        let columns = table.columns;
        let biases = self.values(names[1], &[columns])?;
        let scalars = self.values(names[2], &[columns, self.lists.scalars])?;
        let (mut known, mut layers, mut inputs) = (names.map(str::to_owned).to_vec(), Vec::new(), columns);
        while self.tensors.tensor(&format!("layers.{}.weight", layers.len())).is_ok() {
            let name = format!("layers.{}", layers.len());
            let layer = self.layer(&name, None, inputs)?;
            inputs = layer.biases.len();
            layers.push(layer);
            known.extend(of_layer(&name));
        }
        self.expect_no_more_layers(layers.len())?;
        layers.push(self.heads(inputs)?);
        let others = self.manifest.heads.others.keys().map(String::as_str);
        known.extend(others.chain(["policy"]).chain(self.value()).flat_map(of_layer));
        self.expect_known(&known)?;
        let most_active = self.lists.most_active;
        let embedding =
            EmbeddingWeights { table: &table.values, biases: &biases, scalars: &scalars, most_active };
        Ok(Network::new(tier, precision, embedding, &layers))
    }

    /// The policy and, below it, the value, as one layer.
    fn heads(&self, inputs: usize) -> Result<Weights, ModelError> {
        let mut heads = self.layer("policy", Some(ActionId::COUNT), inputs)?;
        if let Some(name) = self.value() {
            let value = self.layer(name, Some(1), inputs)?;
            heads.weights.extend(value.weights);
            heads.biases.extend(value.biases);
        } else if let Some(name) = of_layer("value").iter().find(|name| self.tensors.tensor(name).is_ok()) {
            let advice =
                "state the unit of the value in heads.value of the manifest, or leave the tensor out";
            let expected = "no such tensor: the manifest has no value";
            return Err(self.error(name, "a tensor".to_owned(), expected, advice));
        }
        Ok(heads)
    }

    /// The name of the value, if the manifest has one.
    fn value(&self) -> Option<&'static str> {
        self.manifest.heads.value.as_ref().map(|_| "value")
    }

    /// Checks that no layer has a number from this one on: its weights, or those before it, are missing.
    fn expect_no_more_layers(&self, first: usize) -> Result<(), ModelError> {
        let number = |name: &str| name.strip_prefix("layers.")?.split('.').next()?.parse::<usize>().ok();
        if self.tensors.names().into_iter().filter_map(number).any(|number| number >= first) {
            self.shape(&format!("layers.{first}.weight"))?;
        }
        Ok(())
    }

    /// A dense layer. The number of its outputs may be open.
    fn layer(&self, name: &str, outputs: Option<usize>, inputs: usize) -> Result<Weights, ModelError> {
        let [weights, biases] = of_layer(name);
        let Matrix { rows, values, .. } = self.matrix(&weights, outputs, Some(inputs))?;
        Ok(Weights { weights: values, biases: self.values(&biases, &[rows])? })
    }

    /// A matrix. The number of its rows or columns may be open.
    fn matrix(&self, name: &str, rows: Option<usize>, columns: Option<usize>) -> Result<Matrix, ModelError> {
        let shape = self.shape(name)?;
        let fits = |found: usize, expected: Option<usize>| match expected {
            Some(expected) => found == expected,
            None => (1..=MOST_OUTPUTS).contains(&found),
        };
        match shape[..] {
            [found_rows, found_columns] if fits(found_rows, rows) && fits(found_columns, columns) => {
                let values = self.values(name, &shape)?;
                Ok(Matrix { rows: found_rows, columns: found_columns, values })
            }
            _ => {
                let side = |side: Option<usize>| {
                    side.map_or(format!("1 to {MOST_OUTPUTS}"), |side| side.to_string())
                };
                let expected = format!("the shape [{}, {}]", side(rows), side(columns));
                Err(self.error(name, format!("the shape {shape:?}"), &expected, FIT))
            }
        }
    }

    /// The values of a tensor of this shape, all finite.
    fn values(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, ModelError> {
        let found = self.shape(name)?;
        if found != shape {
            let expected = format!("the shape {shape:?}");
            return Err(self.error(name, format!("the shape {found:?}"), &expected, FIT));
        }
        let data = self.tensors.tensor(name).map_or(&[][..], |tensor| tensor.data());
        let values: Vec<f32> = data.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        match values.iter().position(|value| !value.is_finite()) {
            Some(at) => {
                let found = format!("{} at element {at}", values[at]);
                Err(self.error(name, found, "finite numbers", "train the model again: it diverged"))
            }
            None => Ok(values),
        }
    }

    /// The shape of a tensor of floats.
    fn shape(&self, name: &str) -> Result<Vec<usize>, ModelError> {
        let Ok(info) = self.tensors.tensor(name) else {
            let mut names = self.tensors.names();
            names.sort_unstable();
            let found =
                if names.is_empty() { "no tensors".to_owned() } else { format!("only {}", names.join(", ")) };
            return Err(self.error(name, found, "a tensor of this name", FIT));
        };
        if info.dtype() != Dtype::F32 {
            let found = format!("{:?}", info.dtype());
            return Err(self.error(name, found, "F32", "export the weights as 32-bit floats"));
        }
        Ok(info.shape().to_vec())
    }

    /// Checks that the file has no tensors but these.
    fn expect_known(&self, known: &[String]) -> Result<(), ModelError> {
        let mut names = self.tensors.names();
        names.sort_unstable();
        match names.into_iter().find(|name| !known.iter().any(|known| known == name)) {
            Some(name) => {
                let advice = "leave it out, or name it as a head in the manifest";
                let expected = format!("only {}", known.join(", "));
                Err(self.error(name, "a tensor".to_owned(), &expected, advice))
            }
            None => Ok(()),
        }
    }

    fn error(&self, tensor: &str, found: String, expected: &str, advice: &str) -> ModelError {
        ModelError::new(self.path, format!("tensor {tensor}"), found, expected, advice)
    }
}

/// The names of the weights and biases of a layer.
fn of_layer(name: &str) -> [String; 2] {
    [format!("{name}.weight"), format!("{name}.bias")]
}

/// The manifest in the metadata of a file, and the shape of the inputs that it names.
fn manifest(path: &Path, metadata: &Metadata) -> Result<(Manifest, Lists), ModelError> {
    let entry = metadata.metadata().as_ref().and_then(|entries| entries.get(MANIFEST));
    let Some(text) = entry else {
        let place = format!("metadata, {MANIFEST}");
        let advice = "export the model with its manifest (agents/docs/networks.md)";
        return Err(ModelError::new(path, place, "no such entry", "the manifest of the model", advice));
    };
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
