//! Laws of the wrappers.

use std::num::NonZeroUsize;

use jantaku_agents::encode::SuitOrder;
use jantaku_agents::neural::{
    Check, Encoded, EncodedMut, Encoder, Evaluator, EvaluatorError, Inputs, Outputs, OutputsMut, Precision,
    Shared, Split, SuitAverage,
};
use jantaku_engine::{ActionId, Rules};

use crate::model::{Model, decisions, outputs};

/// Answers what another evaluator does, with one number changed.
struct Wrong<E> {
    evaluator: E,
    row: usize,
    by: f32,
}

impl<E: Evaluator> Evaluator for Wrong<E> {
    fn encoder(&self) -> Encoder {
        self.evaluator.encoder()
    }

    fn evaluate(&mut self, inputs: Inputs<'_>, mut out: OutputsMut<'_>) -> Result<(), EvaluatorError> {
        self.evaluator.evaluate(inputs, out.reborrow())?;
        out.policy[[self.row, 37]] += self.by;
        Ok(())
    }
}

#[test]
fn check_finds_the_largest_difference() {
    let (model, encoded) = (Model::random(1, 16, &[16]), decisions(Encoder::SparseV1, 1, 20));
    let open = || model.open(Precision::F32);
    let check = |by: f32| {
        let mut check = Check::new(open(), Wrong { evaluator: open(), row: 3, by }, 1e-4);
        let mut out = Outputs::new();
        out.reset(20);
        let result = check.evaluate(encoded.inputs(), out.view_mut());
        (result.map_err(|error| error.to_string()), check.largest(), out.policy().to_owned())
    };
    let expected = outputs(&mut open(), &encoded, 20);
    assert_eq!(check(0.0), (Ok(()), 0.0, expected.policy().to_owned()));
    let (result, largest, _) = check(5e-5);
    assert!(result.is_ok() && largest > 4e-5);
    for by in [-0.5, f32::NAN] {
        let message = check(by).0.unwrap_err();
        assert!(message.contains("in row 3, action 37: "), "{message}");
        assert!(message.contains("expected at most 0.0001"), "{message}");
    }
}

/// Counts what it is asked.
struct Counted<E>(E, Vec<usize>);

impl<E: Evaluator> Evaluator for &mut Counted<E> {
    fn encoder(&self) -> Encoder {
        self.0.encoder()
    }

    fn evaluate(&mut self, inputs: Inputs<'_>, out: OutputsMut<'_>) -> Result<(), EvaluatorError> {
        self.1.push(inputs.rows());
        self.0.evaluate(inputs, out)
    }
}

#[test]
fn split_gives_small_batches() {
    let (model, encoded) = (Model::random(2, 16, &[16]), decisions(Encoder::SparseV1, 2, 20));
    let mut counted = Counted(model.open(Precision::F32), Vec::new());
    let mut split = Split::new(&mut counted, NonZeroUsize::new(8).unwrap());
    let found = outputs(&mut split, &encoded, 20);
    assert_eq!(counted.1, [8, 8, 4]);
    let expected = outputs(&mut model.open(Precision::F32), &encoded, 20);
    assert_eq!(found.policy(), expected.policy());
    assert_eq!(found.value(), expected.value());
}

#[test]
fn owners_share_an_evaluator() {
    let (model, encoded) = (Model::random(3, 16, &[16]), decisions(Encoder::SparseV1, 3, 20));
    let expected = outputs(&mut model.open(Precision::Int8), &encoded, 20);
    let shared = Shared::new(Box::new(model.open(Precision::Int8)));
    assert!(shared.is_repeatable());
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
fn permuted(encoded: &Encoded, order: SuitOrder) -> Encoded {
    let mut encoded = encoded.clone();
    match encoded.view_mut() {
        EncodedMut::Planes(mut planes) => order.planes(&mut planes).unwrap(),
        EncodedMut::Sparse { mut active, counts, .. } => {
            for (mut features, count) in active.rows_mut().into_iter().zip(counts) {
                let features = features.iter_mut().take(usize::from(*count));
                features.for_each(|feature| *feature = order.feature(*feature));
            }
        }
    }
    encoded
}

/// An evaluator for planes whose answers depend on every byte.
struct Sum;

impl Evaluator for Sum {
    fn encoder(&self) -> Encoder {
        Encoder::PlanesV1
    }

    fn evaluate(&mut self, inputs: Inputs<'_>, mut out: OutputsMut<'_>) -> Result<(), EvaluatorError> {
        let Inputs::Planes(planes) = inputs else { panic!("planes") };
        for (row, planes) in planes.outer_iter().enumerate() {
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
        let encoded = decisions(encoder, 4, 8);
        let mut average = SuitAverage::new(encoder, SuitOrder::allowed(&rules));
        let mut answers = |encoded: &Encoded| {
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
                    let place = format!("{encoder} {order} row {row}: {found} {expected}");
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
