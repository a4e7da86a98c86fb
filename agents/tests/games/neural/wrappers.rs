//! Laws of the wrappers.

use jantaku_agents::encode::{Encoder, Inputs, PlanesV1, Rows, SparseV1, SuitOrder};
use jantaku_agents::neural::{
    Evaluator, EvaluatorError, Outputs, OutputsMut, Precision, Shared, SuitAverage,
};
use jantaku_engine::{ActionId, Rules};

use super::model::{Model, decisions, outputs};

#[test]
fn owners_share_an_evaluator() {
    let (model, encoded) = (Model::random(3, 16, &[16]), decisions(SparseV1::ENCODER, 3, 20));
    let expected = outputs(&mut model.open(Precision::Int8), &encoded, 20);
    let shared = Shared::new(Box::new(model.open(Precision::Int8)));
    assert!(shared.is_deterministic());
    std::thread::scope(|scope| {
        for batch in 1..5 {
            let (mut owner, encoded, expected) = (shared.clone(), &encoded, &expected);
            scope.spawn(move || {
                assert_eq!(outputs(&mut owner, encoded, batch).policy(), expected.policy());
            });
        }
    });
}

/// The same decisions with permuted suits.
fn permuted(rows: &Rows, order: SuitOrder) -> Rows {
    let mut permuted = Rows::new(rows.encoder());
    permuted.copy_permuted(rows.inputs(), order);
    permuted
}

/// An evaluator for planes whose answers depend on every byte.
struct Sum;

impl Evaluator for Sum {
    fn encoder(&self) -> Option<Encoder> {
        Some(PlanesV1::ENCODER)
    }

    fn evaluate(&mut self, inputs: Inputs<'_>, mut out: OutputsMut<'_>) -> Result<(), EvaluatorError> {
        let planes: &[u8] = inputs.array::<u8>("planes").expect("planes");
        for (row, planes) in planes.chunks_exact(PlanesV1::BYTES).enumerate() {
            let weighed = |step: usize| -> f32 {
                let weight = |at: usize| ((at * step) % 101) as f32 / 1e4;
                planes.iter().enumerate().map(|(at, byte)| f32::from(*byte) * weight(at)).sum()
            };
            out.policy.row_mut(row).iter_mut().enumerate().for_each(|(at, logit)| *logit = weighed(at + 3));
            out.value[row] = weighed(1);
        }
        Ok(())
    }
}

/// Averaged over all orders, permuted decisions get the permuted answers.
#[test]
fn averages_follow_the_suits() {
    let rules = Rules::default();
    let mut model = Model::random(4, 32, &[16]).open(Precision::F32);
    let evaluators: [&mut dyn Evaluator; 2] = [&mut model, &mut Sum];
    for evaluator in evaluators {
        let encoder = evaluator.encoder();
        let encoded = decisions(encoder.expect("it reads inputs"), 4, 8);
        let mut average = SuitAverage::new(encoder, SuitOrder::allowed(&rules));
        let mut answers = |encoded: &Rows| {
            let mut out = Outputs::new();
            out.reset(encoded.rows());
            average.evaluate(&mut *evaluator, encoded.inputs(), out.view_mut()).unwrap();
            out
        };
        let plain = answers(&encoded);
        for order in SuitOrder::allowed(&rules) {
            let found = answers(&permuted(&encoded, order));
            for row in 0..encoded.rows() {
                let logits: [f32; ActionId::COUNT] = plain.policy().row(row).to_vec().try_into().unwrap();
                let expected = order.policy(&logits);
                let pairs = found.policy().row(row).to_vec().into_iter().zip(expected);
                let values = (found.value()[row], plain.value()[row]);
                for (found, expected) in pairs.chain([values]) {
                    let place = format!("{encoder:?} {order} row {row}: {found} {expected}");
                    assert!((found - expected).abs() <= 1e-5 * expected.abs().max(1.0), "{place}");
                }
            }
        }
        // One order alone changes nothing.
        let mut same = SuitAverage::new(encoder, [SuitOrder::ALL[0]]);
        let mut out = Outputs::new();
        out.reset(encoded.rows());
        same.evaluate(&mut *evaluator, encoded.inputs(), out.view_mut()).unwrap();
        assert_eq!(out.policy(), outputs(&mut *evaluator, &encoded, 8).policy());
    }
}
