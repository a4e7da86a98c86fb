//! The arithmetic that `agents/docs/networks.md` states, in plain scalars, and hashes of its bits.

use std::fmt::Write as _;

use jantaku_agents::encode::SparseV1;
use jantaku_agents::neural::Precision;
use sha2::{Digest as _, Sha256};

use super::model::{Model, Tensor, decisions, lists, outputs};

/// The first layer, before negative values become 0.
fn first(model: &Model, precision: Precision, active: &[u16], scalars: &[f32]) -> Vec<f32> {
    let Tensor { shape, values: table } = model.tensor("embedding.weight");
    let of_column = |column: usize, bias: f32, weights: &[f32]| {
        let start = weights.iter().zip(scalars).fold(bias, |sum, (weight, scalar)| sum + weight * scalar);
        let weights = active.iter().map(|feature| table[usize::from(*feature) * shape[1] + column]);
        if precision == Precision::F32 {
            return weights.fold(start, |sum, weight| sum + weight);
        }
        let mut largest: Vec<f32> = table[column..].iter().step_by(shape[1]).map(|w| w.abs()).collect();
        largest.sort_by(|a, b| b.total_cmp(a));
        let most: f64 = largest.iter().take(640).map(|weight| f64::from(*weight)).sum();
        let size = (most / (32_767.0 - 640.0)) as f32;
        let steps: i32 = weights.map(|weight| (weight / size).round() as i32).sum();
        start + steps as f32 * size
    };
    let biases = model.tensor("embedding.bias").values.iter();
    let weights = model.tensor("scalars.weight").values.chunks_exact(SparseV1::SCALARS);
    biases.zip(weights).zip(0..).map(|((bias, weights), column)| of_column(column, *bias, weights)).collect()
}

/// The outputs of a dense layer.
fn dense(model: &Model, precision: Precision, name: &str, inputs: &[f32]) -> Vec<f32> {
    let largest = |numbers: &[f32]| numbers.iter().fold(0.0, |most: f32, number| most.max(number.abs()));
    let of_output = |weights: &[f32], bias: f32| {
        let pairs = weights.iter().zip(inputs);
        if precision == Precision::F32 {
            return pairs.fold(bias, |sum, (weight, input)| weight.mul_add(*input, sum));
        }
        let (s, t) = (largest(weights) / 127.0, largest(inputs) / 255.0);
        let inverse = 255.0 / largest(inputs);
        let sum: i32 =
            pairs.map(|(w, x)| (w / s).round() as i32 * (x * inverse).round_ties_even() as i32).sum();
        sum as f32 * (s * t) + bias
    };
    let [weights, biases] = ["weight", "bias"].map(|part| &model.tensor(&format!("{name}.{part}")).values);
    weights.chunks_exact(inputs.len()).zip(biases).map(|(weights, bias)| of_output(weights, *bias)).collect()
}

#[test]
fn bits_are_those_of_the_documented_arithmetic() {
    let layers = [50, 3, 70];
    let (model, encoded) = (Model::random(11, 37, &layers), decisions(SparseV1::ENCODER, 12, 30));
    for precision in [Precision::F32, Precision::Int8] {
        let found = outputs(&mut model.open(precision), &encoded, 30);
        for row in 0..encoded.rows() {
            let (active, scalars) = lists(encoded.inputs(), row);
            let mut values = first(&model, precision, active, scalars);
            for layer in 0..layers.len() {
                values.iter_mut().for_each(|value| *value = value.max(0.0));
                values = dense(&model, precision, &format!("layers.{layer}"), &values);
            }
            values.iter_mut().for_each(|value| *value = value.max(0.0));
            let [policy, value] = ["policy", "value"].map(|head| dense(&model, precision, head, &values));
            let expected = policy.into_iter().chain(value).map(f32::to_bits);
            let found = found.policy().row(row).to_vec().into_iter().chain([found.value()[row]]);
            assert!(found.map(f32::to_bits).eq(expected), "{precision:?}, row {row}");
        }
    }
}

/// Every processor computes these bits.
#[test]
fn bits_never_change() {
    let model = Model::random(13, 256, &[384, 256]);
    let games = [14, 15, 16].map(|seed| decisions(SparseV1::ENCODER, seed, 150));
    let hash = |precision| {
        let mut hash = Sha256::new();
        for encoded in &games {
            let found = outputs(&mut model.open(precision), encoded, 100);
            found.policy().iter().chain(found.value()).for_each(|number| hash.update(number.to_le_bytes()));
        }
        hash.finalize().iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").expect("a String takes everything");
            text
        })
    };
    let expected = [
        "5bb557eff84aa1ece4dfe06a250787e2ca9e497c60ab1bd080ca1d0623a6f4d0",
        "577a8e4110884d52c9fe7aff3c0e20cdb20745b6af956310e5f6de3e88717c6a",
    ];
    assert_eq!([Precision::F32, Precision::Int8].map(hash), expected);
}
