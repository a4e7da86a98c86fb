//! The tensors of a `.safetensors` file, and the layers that they hold.

use std::path::Path;

use safetensors::SafeTensorError;
use safetensors::tensor::{Dtype, SafeTensors};

use super::embedding::EmbeddingWeights;
use super::lists::Lists;
use super::network::Weights;
use crate::neural::ModelError;

/// The entry of the file's metadata that has the manifest.
const MANIFEST: &str = "jantaku";

/// The maximum number of outputs of a layer. In bytes, the sums of the next layer then fit an i32.
const MAX_OUTPUTS: usize = 65_536;

const FIT: &str = "make the layers fit the encoder and each other (agents/docs/networks.md)";

/// The tensors of a file.
pub struct Tensors<'a> {
    path: &'a Path,
    tensors: SafeTensors<'a>,
}

/// The layers below the heads: an embedding and dense layers.
pub struct Body {
    lists: Lists,
    table: Vec<f32>,
    biases: Vec<f32>,
    scalars: Vec<f32>,
    /// The dense layers. The heads follow.
    pub layers: Vec<Weights>,
    /// The number of outputs of the last layer.
    pub outputs: usize,
    /// The names of the tensors.
    pub names: Vec<String>,
}

/// A matrix of a model, row-major.
struct Matrix {
    rows: usize,
    columns: usize,
    values: Vec<f32>,
}

impl Body {
    /// The weights of the embedding.
    pub fn embedding(&self) -> EmbeddingWeights<'_> {
        EmbeddingWeights {
            table: &self.table,
            biases: &self.biases,
            scalars: &self.scalars,
            most_active: self.lists.most_active,
        }
    }
}

impl<'a> Tensors<'a> {
    /// Reads the header of a file with these contents, and the manifest in its metadata.
    pub fn parse(path: &'a Path, contents: &'a [u8]) -> Result<(Tensors<'a>, String), ModelError> {
        let broken = |error: SafeTensorError| {
            let found = format!("{error} ({} bytes)", contents.len());
            let advice = "copy the file again, or export the model again";
            ModelError::new(path, "header", found, "a whole safetensors file", advice)
        };
        let (_, metadata) = SafeTensors::read_metadata(contents).map_err(broken)?;
        let tensors = SafeTensors::deserialize(contents).map_err(broken)?;
        let entry = metadata.metadata().as_ref().and_then(|entries| entries.get(MANIFEST));
        let manifest = entry.ok_or_else(|| {
            let place = format!("metadata, {MANIFEST}");
            let advice = "export the model with its manifest (agents/docs/networks.md)";
            ModelError::new(path, place, "no such entry", "the manifest of the model", advice)
        })?;
        Ok((Tensors { path, tensors }, manifest.clone()))
    }

    /// Whether there is a tensor of this name.
    pub fn has(&self, name: &str) -> bool {
        self.tensors.tensor(name).is_ok()
    }

    /// The layers below the heads, for inputs of this shape.
    pub fn body(&self, lists: Lists) -> Result<Body, ModelError> {
        let names = ["embedding.weight", "embedding.bias", "scalars.weight"];
        let table = self.matrix(names[0], Some(lists.features.into()), None)?;
        let columns = table.columns;
        let biases = self.values(names[1], &[columns])?;
        let scalars = self.values(names[2], &[columns, lists.scalars])?;
        let (mut names, mut layers, mut outputs) = (names.map(str::to_owned).to_vec(), Vec::new(), columns);
        while self.has(&format!("layers.{}.weight", layers.len())) {
            let name = format!("layers.{}", layers.len());
            let layer = self.layer(&name, None, outputs)?;
            outputs = layer.biases.len();
            layers.push(layer);
            names.extend(layer_names(&name));
        }
        self.expect_no_more_layers(layers.len())?;
        Ok(Body { lists, table: table.values, biases, scalars, layers, outputs, names })
    }

    /// Checks that no layer has a number from this one on: its weights, or those before it, are missing.
    fn expect_no_more_layers(&self, first: usize) -> Result<(), ModelError> {
        let number = |name: &str| name.strip_prefix("layers.")?.split('.').next()?.parse::<usize>().ok();
        if self.tensors.names().into_iter().filter_map(number).any(|number| number >= first) {
            // This tensor is missing: returns its error.
            self.shape(&format!("layers.{first}.weight"))?;
        }
        Ok(())
    }

    /// A dense layer. Without `outputs`, it may have any number of them.
    pub fn layer(&self, name: &str, outputs: Option<usize>, inputs: usize) -> Result<Weights, ModelError> {
        let [weights, biases] = layer_names(name);
        let Matrix { rows, values, .. } = self.matrix(&weights, outputs, Some(inputs))?;
        Ok(Weights { weights: values, biases: self.values(&biases, &[rows])? })
    }

    /// A matrix. A side without an expected number may have any.
    fn matrix(&self, name: &str, rows: Option<usize>, columns: Option<usize>) -> Result<Matrix, ModelError> {
        let shape = self.shape(name)?;
        let fits = |found: usize, expected: Option<usize>| match expected {
            Some(expected) => found == expected,
            None => (1..=MAX_OUTPUTS).contains(&found),
        };
        match shape[..] {
            [found_rows, found_columns] if fits(found_rows, rows) && fits(found_columns, columns) => {
                let values = self.values(name, &shape)?;
                Ok(Matrix { rows: found_rows, columns: found_columns, values })
            }
            _ => {
                let side =
                    |side: Option<usize>| side.map_or(format!("1 to {MAX_OUTPUTS}"), |side| side.to_string());
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
    pub fn shape(&self, name: &str) -> Result<Vec<usize>, ModelError> {
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
    pub fn expect_known(&self, known: &[String]) -> Result<(), ModelError> {
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

    pub fn error(&self, tensor: &str, found: String, expected: &str, advice: &str) -> ModelError {
        ModelError::new(self.path, format!("tensor {tensor}"), found, expected, advice)
    }
}

/// The names of the weights and biases of a layer.
pub fn layer_names(name: &str) -> [String; 2] {
    [format!("{name}.weight"), format!("{name}.bias")]
}
