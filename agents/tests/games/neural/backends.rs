//! Laws of the backends.

use allocation_counter::measure;
use jantaku_agents::encode::{Encoder, Inputs, PlanesV1, SparseV1};
use jantaku_agents::neural::{Evaluator, Outputs, Precision, Uniform};
use jantaku_engine::ActionId;

use super::model::{Model, Tensor, decisions, lists, outputs};

/// Logits and values of a row, evaluated in f64 as the definition says.
fn reference(model: &Model, inputs: &Inputs<'_>, row: usize) -> Vec<f64> {
    let (active, scalars) = lists(*inputs, row);
    let Tensor { shape, values: table } = model.tensor("embedding.weight");
    let mut values: Vec<f64> = model.tensor("embedding.bias").values.iter().copied().map(f64::from).collect();
    for feature in active {
        for (value, weight) in values.iter_mut().zip(&table[usize::from(*feature) * shape[1]..]) {
            *value += f64::from(*weight);
        }
    }
    let weights = model.tensor("scalars.weight").values.chunks_exact(SparseV1::SCALARS);
    for (value, weights) in values.iter_mut().zip(weights) {
        let products = weights.iter().zip(scalars).map(|(w, x)| f64::from(*w) * f64::from(*x));
        *value += products.sum::<f64>();
    }
    let dense = |name: &str, inputs: &[f64]| -> Vec<f64> {
        let [weights, biases] =
            ["weight", "bias"].map(|part| &model.tensor(&format!("{name}.{part}")).values);
        let outputs = weights.chunks_exact(inputs.len()).zip(biases);
        let sum = |weights: &[f32]| weights.iter().zip(inputs).map(|(w, x)| f64::from(*w) * x).sum::<f64>();
        outputs.map(|(weights, bias)| f64::from(*bias) + sum(weights)).collect()
    };
    let mut number = 0;
    loop {
        values.iter_mut().for_each(|value| *value = value.max(0.0));
        let name = format!("layers.{number}");
        if !model.tensors.contains_key(&format!("{name}.weight")) {
            break;
        }
        values = dense(&name, &values);
        number += 1;
    }
    let mut heads = dense("policy", &values);
    heads.extend(dense("value", &values));
    heads
}

/// The largest difference to the reference, and the root of the mean square of the logits.
fn difference(model: &Model, inputs: &Inputs<'_>, found: &Outputs) -> (f64, f64) {
    let (mut most, mut squares, mut count) = (0.0_f64, 0.0, 0.0);
    for row in 0..inputs.rows() {
        let expected = reference(model, inputs, row);
        let found = found.policy().row(row).to_vec().into_iter().chain([found.value()[row]]);
        for (found, expected) in found.zip(expected) {
            let difference = (f64::from(found) - expected).abs();
            // `max` would ignore NaN.
            assert!(difference.is_finite(), "row {row}: found {found}, expected {expected}");
            most = most.max(difference);
            squares += expected * expected;
            count += 1.0;
        }
    }
    (most, f64::sqrt(squares / count))
}

/// Shapes with and without padding, with no layers and several.
const SHAPES: [(usize, &[usize]); 4] = [(1, &[]), (16, &[16]), (37, &[50, 3, 70]), (256, &[384, 256])];

#[test]
fn floats_are_those_of_the_definition() {
    let encoded = decisions(SparseV1::ENCODER, 1, 150);
    for (columns, layers) in SHAPES {
        let model = Model::random(7, columns, layers);
        let found = outputs(&mut model.open(Precision::F32), &encoded, 100);
        let (most, size) = difference(&model, &encoded.inputs(), &found);
        assert!(most < 1e-4 * size.max(1.0), "{columns} {layers:?}: {most} off, size {size}");
    }
}

#[test]
fn bytes_are_close_to_the_definition() {
    let encoded = decisions(SparseV1::ENCODER, 2, 150);
    let model = Model::random(7, 256, &[384, 256]);
    let found = outputs(&mut model.open(Precision::Int8), &encoded, 100);
    let (most, size) = difference(&model, &encoded.inputs(), &found);
    assert!(most < 0.1 * size, "{most} off, size {size}");
}

/// In both precisions, the bits depend on neither the batch, the threads nor the instructions.
#[test]
fn bits_depend_on_the_row_alone() {
    let encoded = decisions(SparseV1::ENCODER, 3, 150);
    for precision in [Precision::F32, Precision::Int8] {
        for (columns, layers) in SHAPES {
            let model = Model::random(7, columns, layers);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
            let expected = pool.install(|| outputs(&mut model.open(precision), &encoded, encoded.rows()));
            let mut kinds = Vec::new();
            for mut opened in model.open_all(precision) {
                kinds.push(opened.instructions());
                for batch in [1, 16, 17, 64, 149] {
                    let found = outputs(&mut opened, &encoded, batch);
                    let place =
                        format!("{precision:?} {columns} {layers:?} {} {batch}", opened.instructions());
                    assert_eq!(found.policy(), expected.policy(), "{place}");
                    assert_eq!(found.value(), expected.value(), "{place}");
                }
            }
            assert_eq!(kinds.last(), Some(&"portable"));
        }
    }
}

#[test]
fn a_block_allocates_nothing() {
    let (encoded, mut out) = (decisions(SparseV1::ENCODER, 8, 64), Outputs::new());
    out.reset(encoded.rows());
    for precision in [Precision::F32, Precision::Int8] {
        let mut model = Model::random(7, 37, &[50]).open(precision);
        let allocated = measure(|| {
            model.evaluate(encoded.inputs(), out.view_mut()).unwrap_or_else(|error| panic!("{error}"));
        });
        assert_eq!(allocated.count_total, 0, "{precision:?}");
    }
}

/// The sum of the embedding's steps cannot overflow, also for weights of one sign.
#[test]
fn steps_do_not_overflow() {
    let mut model = Model::random(7, 16, &[]);
    let table = model.tensors.get_mut("embedding.weight").expect("the model has an embedding");
    table.values.iter_mut().for_each(|weight| *weight = 0.5 + weight.abs());
    let mut encoded = decisions(SparseV1::ENCODER, 4, 1);
    let mut rows = encoded.view_mut();
    let active = rows.array::<u16>("active").expect("features");
    active.iter_mut().zip(0_u16..).for_each(|(feature, number)| *feature = number);
    rows.array::<u16>("counts").expect("counts")[0] = SparseV1::MAX_ACTIVE as u16;
    let found = outputs(&mut model.open(Precision::Int8), &encoded, 1);
    let (most, size) = difference(&model, &encoded.inputs(), &found);
    assert!(most < 0.05 * size, "{most} off, size {size}");
}

#[test]
fn all_bits_of_uniform_are_0() {
    for encoder in Encoder::ALL {
        let encoded = decisions(*encoder, 5, 3);
        let found = outputs(&mut Uniform::new(*encoder), &encoded, 2);
        assert_eq!(found.policy().dim(), (3, ActionId::COUNT));
        assert!(found.policy().iter().chain(found.value()).all(|number| *number == 0.0));
    }
}

#[test]
fn inputs_of_another_encoder_are_an_error() {
    let (encoded, mut out) = (decisions(PlanesV1::ENCODER, 6, 2), Outputs::new());
    let mut model = Model::random(7, 16, &[]).open(Precision::F32);
    out.reset(2);
    let error = model.evaluate(encoded.inputs(), out.view_mut()).unwrap_err().to_string();
    assert_eq!(error, "the network reads `sparse-v1`, the inputs are those of `planes-v1`");
    let encoded = decisions(SparseV1::ENCODER, 6, 2);
    out.reset(1);
    let error = model.evaluate(encoded.inputs(), out.view_mut()).unwrap_err().to_string();
    assert_eq!(error, "policy: expected a contiguous array of the shape [2, 165], found [1, 165]");
}
