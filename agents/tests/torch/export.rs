//! What a model answers in Python and in both backends here.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use jantaku_agents::encode::{Encoder, Inputs, PlanesV1, Rows, SparseV1, expand_f32};
use jantaku_agents::neural::torch::{TorchSettings, open};
use jantaku_agents::neural::{CpuModel, Device, Evaluator, Outputs, Precision};
use jantaku_agents::{Greedy, Policy as _};
use jantaku_engine::{ActionId, Game, Rules};
use ndarray::{Array3, ArrayView2, ArrayView3, Axis, Slice};

use crate::{folder, manifest, python};

/// Decisions of the games that the models answer.
const DECISIONS: usize = 300;

/// The largest difference between the answers of Python and those of Rust.
const TOLERANCE: f32 = 1e-4;

#[test]
fn planes_are_answered_as_in_python() {
    answers_are_those_of_python(PlanesV1::ENCODER);
}

#[test]
fn features_are_answered_as_in_python() {
    answers_are_those_of_python(SparseV1::ENCODER);
}

fn answers_are_those_of_python(encoder: Encoder) {
    let folder = folder(&encoder.to_string());
    let model = folder.join("model.json");
    let manifest = manifest(encoder);
    fs::write(&model, serde_json::to_string(&manifest).expect("a manifest is JSON")).expect("it is written");
    let encoded = decisions(encoder);
    write_inputs(&folder, encoded.inputs());
    python("export_model.py", &[&model, Path::new("--inputs"), &folder]);

    let expected = numbers(&fs::read(model.with_extension("expected")).expect("Python wrote its answers"));
    let expected = ArrayView2::from_shape((DECISIONS, ActionId::COUNT + 1), &expected).expect("all rows");
    let spread = expected.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
    assert!(spread > 0.1, "the answers are too small to compare: {spread}");

    let model = model.with_extension("pt");
    for threads in [NonZeroUsize::new(1), NonZeroUsize::new(2), None] {
        let settings = TorchSettings { threads, ..TorchSettings::of(Device::Cpu) };
        let mut torch = open(&model, &manifest, settings).expect("the model opens");
        assert_eq!((torch.encoder(), torch.is_deterministic()), (Some(encoder), false));
        for size in [1, 7, DECISIONS] {
            compare(&mut *torch, encoded.inputs(), size, expected);
        }
    }
    if encoder == SparseV1::ENCODER {
        let mut torch = open(&model, &manifest, TorchSettings::of(Device::Cpu)).expect("the model opens");
        let model = model.with_extension("safetensors");
        let contents = fs::read(&model).expect("Python wrote the weights");
        let (mut network, read) =
            CpuModel::parse(&model, &contents, Precision::F32).expect("the backend in Rust reads them");
        assert_eq!(read, manifest);
        compare(&mut network, encoded.inputs(), DECISIONS, expected);
        backends_agree([&mut network, &mut *torch], encoded.inputs());
    }
}

/// Evaluates batches of this size and compares their rows with the answers of Python.
fn compare(torch: &mut dyn Evaluator, inputs: Inputs<'_>, size: usize, expected: ArrayView2<'_, f32>) {
    let mut outputs = Outputs::new();
    for start in (0..DECISIONS).step_by(size) {
        let end = (start + size).min(DECISIONS);
        outputs.reset(end - start);
        torch.evaluate(inputs.slice(start..end), outputs.view_mut()).expect("the model answers");
        let (policy, value) = (outputs.policy(), outputs.value());
        let rows = policy.rows().into_iter().zip(value);
        let found = rows.flat_map(|(logits, value)| logits.into_iter().chain([value]));
        let expected = expected.slice_axis(Axis(0), Slice::from(start..end));
        for (found, expected) in found.zip(expected) {
            let difference = (found - expected).abs();
            assert!(difference <= TOLERANCE, "rows {start} to {end}: found {found}, expected {expected}");
        }
    }
}

/// Evaluates all decisions with two backends and compares their answers.
fn backends_agree(backends: [&mut dyn Evaluator; 2], inputs: Inputs<'_>) {
    let [first, second] = backends.map(|backend| {
        let mut outputs = Outputs::new();
        outputs.reset(inputs.rows());
        backend.evaluate(inputs, outputs.view_mut()).expect("the model answers");
        outputs.policy().iter().chain(outputs.value()).copied().collect::<Vec<f32>>()
    });
    for (first, second) in first.into_iter().zip(second) {
        assert!((first - second).abs() <= TOLERANCE, "one backend answers {first}, the other {second}");
    }
}

/// Encoded decisions of games between greedy players.
fn decisions(encoder: Encoder) -> Rows {
    let mut encoded = Rows::new(encoder);
    encoded.reset(DECISIONS);
    let mut rows = encoded.view_mut();
    let (greedy, mut seed) = (Greedy::default(), 0);
    let mut game = Game::new(&Rules::default(), seed);
    for row in 0..DECISIONS {
        if game.is_over() {
            seed += 1;
            game = Game::new(&Rules::default(), seed);
        }
        let seat = game.pending().iter().next().expect("somebody decides");
        let action = {
            let o = game.observe(seat);
            rows.encode(row, &o);
            greedy.choose(&o, &mut game.random_stream(seat, 0))
        };
        game.submit(seat, action).expect("greedy answers legally");
    }
    encoded
}

/// Writes what `forward` takes, for Python.
fn write_inputs(folder: &Path, inputs: Inputs<'_>) {
    let write = |name: &str, bytes: Vec<u8>| fs::write(folder.join(name), bytes).expect("inputs are written");
    if let Some(bytes) = inputs.array::<u8>("planes") {
        let shape = (inputs.rows(), PlanesV1::CHANNELS, 34);
        let bytes = ArrayView3::from_shape(shape, bytes).expect("all rows");
        let mut planes = Array3::zeros(shape);
        expand_f32(PlanesV1::ENCODER.table().channels, bytes, planes.view_mut()).expect("equal shapes");
        write("planes", planes.iter().flat_map(|number: &f32| number.to_le_bytes()).collect());
    } else {
        let active: &[u16] = inputs.array::<u16>("active").expect("features");
        let counts: &[u16] = inputs.array::<u16>("counts").expect("counts");
        let scalars: &[f32] = inputs.array("scalars").expect("scalars");
        let (mut features, mut offsets) = (Vec::new(), Vec::new());
        for (active, count) in active.chunks_exact(SparseV1::MAX_ACTIVE).zip(counts) {
            offsets.extend((features.len() as i64 / 8).to_le_bytes());
            let active = active.iter().take(usize::from(*count));
            features.extend(active.flat_map(|feature| i64::from(*feature).to_le_bytes()));
        }
        write("active", features);
        write("offsets", offsets);
        write("scalars", scalars.iter().flat_map(|number| number.to_le_bytes()).collect());
    }
}

fn numbers(bytes: &[u8]) -> Vec<f32> {
    let (numbers, []) = bytes.as_chunks() else { panic!("whole numbers") };
    numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}
