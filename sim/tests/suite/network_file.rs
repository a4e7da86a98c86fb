//! A small network, as a file.

use jantaku_agents::encode::SparseV1;
use jantaku_agents::neural::{Manifest, ValueHead};
use jantaku_engine::{ActionId, Rng, Rules};
use safetensors::tensor::{Dtype, TensorView, serialize};

/// The file of a small network for `sparse-v1` with random weights from `-most` to `most`. Its rules are the
/// default ones.
pub fn model(most: f32) -> Vec<u8> {
    const COLUMNS: usize = 16;
    let mut manifest = Manifest::new(SparseV1::ENCODER, &Rules::default());
    manifest.heads.value = Some(ValueHead { unit: "points".to_owned() });
    let mut rng = Rng::new(1);
    let mut weights = |shape: &[usize]| -> Vec<u8> {
        let weight = |_| ((rng.next_u64() >> 40) as f32 / (1_u32 << 23) as f32 - 1.0).mul_add(most, 0.0);
        (0..shape.iter().product()).map(weight).flat_map(f32::to_le_bytes).collect()
    };
    let tensors = [
        ("embedding.weight", vec![usize::from(SparseV1::FEATURES), COLUMNS]),
        ("embedding.bias", vec![COLUMNS]),
        ("scalars.weight", vec![COLUMNS, SparseV1::SCALARS]),
        ("policy.weight", vec![ActionId::COUNT, COLUMNS]),
        ("policy.bias", vec![ActionId::COUNT]),
        ("value.weight", vec![1, COLUMNS]),
        ("value.bias", vec![1]),
    ]
    .map(|(name, shape)| (name, weights(&shape), shape));
    let views = tensors.iter().map(|(name, data, shape)| {
        (*name, TensorView::new(Dtype::F32, shape.clone(), data).expect("as many weights as the shape has"))
    });
    let manifest = serde_json::to_string(&manifest).expect("a manifest is JSON");
    serialize(views, Some([("jantaku".to_owned(), manifest)].into())).expect("a file")
}
