//! Models with random weights, and decisions to evaluate.

use std::collections::BTreeMap;
use std::path::Path;

use jantaku_agents::encode::{Encoder, Inputs, Rows, SparseV1};
use jantaku_agents::neural::{CpuModel, Manifest, Outputs, Precision, ValueHead};
use jantaku_agents::{Greedy, Policy as _};
use jantaku_engine::{ActionId, Game, Rng, Rules};
use safetensors::tensor::{Dtype, TensorView, serialize};

/// A model for `sparse-v1`, with its tensors by name.
#[derive(Clone)]
pub struct Model {
    pub manifest: Manifest,
    pub tensors: BTreeMap<String, Tensor>,
}

#[derive(Clone)]
pub struct Tensor {
    pub shape: Vec<usize>,
    pub values: Vec<f32>,
}

impl Model {
    /// A model with this many columns in its embedding and outputs of its layers, and a value.
    pub fn random(seed: u64, columns: usize, layers: &[usize]) -> Model {
        let mut model =
            Model { manifest: Manifest::new(SparseV1::ENCODER, &Rules::default()), tensors: BTreeMap::new() };
        model.manifest.heads.value = Some(ValueHead { unit: "points".to_owned() });
        let mut rng = Rng::new(seed);
        let features = usize::from(SparseV1::FEATURES);
        model.add(&mut rng, "embedding.weight", &[features, columns], 0.1);
        model.add(&mut rng, "embedding.bias", &[columns], 0.1);
        model.add(&mut rng, "scalars.weight", &[columns, SparseV1::SCALARS], 0.1);
        let mut inputs = columns;
        for (number, outputs) in layers.iter().enumerate() {
            model.add_layer(&mut rng, &format!("layers.{number}"), inputs, *outputs);
            inputs = *outputs;
        }
        model.add_layer(&mut rng, "policy", inputs, ActionId::COUNT);
        model.add_layer(&mut rng, "value", inputs, 1);
        model
    }

    fn add_layer(&mut self, rng: &mut Rng, name: &str, inputs: usize, outputs: usize) {
        let most = (3.0 / inputs as f32).sqrt();
        self.add(rng, &format!("{name}.weight"), &[outputs, inputs], most);
        self.add(rng, &format!("{name}.bias"), &[outputs], 0.1);
    }

    /// Adds a tensor of uniform random numbers from −`most` to `most`.
    fn add(&mut self, rng: &mut Rng, name: &str, shape: &[usize], most: f32) {
        let uniform = |rng: &mut Rng| (rng.next_u64() >> 40) as f32 / (1_u32 << 23) as f32 - 1.0;
        let values = (0..shape.iter().product()).map(|_| most * uniform(rng)).collect();
        self.tensors.insert(name.to_owned(), Tensor { shape: shape.to_vec(), values });
    }

    pub fn tensor(&self, name: &str) -> &Tensor {
        self.tensors.get(name).unwrap_or_else(|| panic!("the model has no tensor {name}"))
    }

    /// The file of the model.
    pub fn bytes(&self) -> Vec<u8> {
        self.bytes_with(&serde_json::to_string(&self.manifest).unwrap())
    }

    /// The file of the model with another manifest.
    pub fn bytes_with(&self, manifest: &str) -> Vec<u8> {
        self.bytes_of(Some(manifest))
    }

    /// The file of the model with this manifest, or without any.
    pub fn bytes_of(&self, manifest: Option<&str>) -> Vec<u8> {
        let data = |tensor: &Tensor| tensor.values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
        let data: Vec<_> = self.tensors.iter().map(|(name, tensor)| (name, tensor, data(tensor))).collect();
        let views = data.iter().map(|(name, tensor, data)| {
            (name.as_str(), TensorView::new(Dtype::F32, tensor.shape.clone(), data).unwrap())
        });
        let entry = |manifest: &str| [("jantaku".to_owned(), manifest.to_owned())].into_iter().collect();
        serialize(views, manifest.map(entry)).unwrap()
    }

    /// The file with 16-bit weights.
    pub fn bytes_of_halves(&self) -> Vec<u8> {
        let data: Vec<_> = self.tensors.values().map(|tensor| vec![0; 2 * tensor.values.len()]).collect();
        let views = self.tensors.iter().zip(&data).map(|((name, tensor), data)| {
            (name.as_str(), TensorView::new(Dtype::F16, tensor.shape.clone(), data).unwrap())
        });
        let manifest = serde_json::to_string(&self.manifest).unwrap();
        serialize(views, Some([("jantaku".to_owned(), manifest)].into_iter().collect())).unwrap()
    }

    /// The model, opened.
    pub fn open(&self, precision: Precision) -> CpuModel {
        let parsed = CpuModel::parse(Path::new("test.safetensors"), &self.bytes(), precision);
        parsed.unwrap_or_else(|error| panic!("{error}")).0
    }

    /// The model, opened for each kind of instructions.
    pub fn open_all(&self, precision: Precision) -> Vec<CpuModel> {
        let parsed =
            CpuModel::parse_for_all_instructions(Path::new("test.safetensors"), &self.bytes(), precision);
        parsed.unwrap_or_else(|error| panic!("{error}"))
    }
}

/// Encodes the first decisions of a game of `greedy`.
pub fn decisions(encoder: Encoder, seed: u64, count: usize) -> Rows {
    let (mut game, mut rows) = (Game::new(&Rules::default(), seed), Rows::new(encoder));
    rows.reset(count);
    let mut view = rows.view_mut();
    for row in 0..count {
        let (seat, _) = game.decisions().next().expect("the game is long enough");
        let o = game.observe(seat);
        view.encode(row, &o);
        let action = Greedy::default().choose(&o, &mut game.random_stream(seat, 0));
        game.submit(seat, action).expect("legal");
    }
    rows
}

/// The active features of a row of `sparse-v1`, and its scalars.
pub fn lists(inputs: Inputs<'_>, row: usize) -> (&[u16], &[f32]) {
    let counts: &[u16] = inputs.array::<u16>("counts").expect("counts");
    let active: &[u16] = inputs.array::<u16>("active").expect("features");
    let scalars: &[f32] = inputs.array("scalars").expect("scalars");
    (
        &active[row * SparseV1::MAX_ACTIVE..][..usize::from(counts[row])],
        &scalars[row * SparseV1::SCALARS..][..SparseV1::SCALARS],
    )
}

/// The outputs for these inputs, evaluated in batches of this size.
pub fn outputs(model: &mut dyn jantaku_agents::neural::Evaluator, encoded: &Rows, batch: usize) -> Outputs {
    let mut outputs = Outputs::new();
    outputs.reset(encoded.rows());
    let (mut start, mut rest) = (0, outputs.view_mut());
    while start < encoded.rows() {
        let end = (start + batch).min(encoded.rows());
        let (out, others) = rest.split_at(end - start);
        model.evaluate(encoded.inputs().slice(start..end), out).unwrap_or_else(|error| panic!("{error}"));
        (start, rest) = (end, others);
    }
    outputs
}
