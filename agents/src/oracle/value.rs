//! The network, and the expected value.

use std::cell::RefCell;
use std::path::Path;
use std::sync::LazyLock;

use super::encoding::Encoded;
use super::payoffs::{BASES, Chances, Payoffs};
use crate::neural::cpu::{Lists, Network, Scratch, SparseRow, Tensors, Tier, layer_names};
use crate::neural::{ModelError, Precision};

/// The value of hands in play with all hands open.
#[derive(Clone, Debug)]
pub(crate) struct OracleValue {
    network: Network,
}

/// The number of ends: the wins by winner and payer, and the draw. Their outputs come first.
const ENDS: usize = Encoded::SEATS * Encoded::SEATS + 1;
/// The first output for the points of wins, by winner and base points.
const POINTS: usize = ENDS;
/// The first output for tenpai at a draw, by player.
const TENPAI: usize = POINTS + Encoded::SEATS * BASES.len();
/// The number of outputs of the network.
const OUTPUTS: usize = TENPAI + Encoded::SEATS;

/// The number of rows that are evaluated at a time.
const ROWS: usize = 16;

impl OracleValue {
    /// The network of the program.
    pub(crate) fn released() -> &'static OracleValue {
        static RELEASED: LazyLock<OracleValue> = LazyLock::new(|| {
            let (name, contents) = (Path::new("value.safetensors"), include_bytes!("value.safetensors"));
            OracleValue::parse(name, contents).unwrap_or_else(|error| panic!("{error}"))
        });
        &RELEASED
    }

    /// Reads a `.safetensors` file with these contents. `path` is its name, for messages.
    fn parse(path: &Path, contents: &[u8]) -> Result<OracleValue, ModelError> {
        let (tensors, _) = Tensors::parse(path, contents)?;
        let lists = Lists {
            features: Encoded::FEATURES as u16,
            most_active: Encoded::MAX_ACTIVE,
            scalars: Encoded::SCALARS,
        };
        let mut body = tensors.body(lists)?;
        body.layers.push(tensors.layer("ends", Some(OUTPUTS), body.outputs)?);
        body.names.extend(layer_names("ends"));
        tensors.expect_known(&body.names)?;
        Ok(OracleValue {
            network: Network::new(Tier::best(), Precision::F32, body.embedding(), &body.layers),
        })
    }

    /// The values of some hands in play, each with its payoffs.
    pub(crate) fn values(&self, hands: &[(Encoded, &Payoffs)]) -> Vec<f32> {
        thread_local! {
            static SCRATCH: RefCell<Scratch> = RefCell::default();
        }
        let mut values = vec![0.0; hands.len()];
        SCRATCH.with_borrow_mut(|scratch| {
            for (hands, values) in hands.chunks(ROWS).zip(values.chunks_mut(ROWS)) {
                self.network.make_room(hands.len(), scratch);
                let rows =
                    hands.iter().map(|(row, _)| SparseRow { active: row.active(), scalars: &row.scalars });
                self.network.run(rows, scratch, |row, outputs, lane| {
                    let outputs: [f32; OUTPUTS] = std::array::from_fn(|at| outputs[at].0[lane]);
                    values[row] = hands[row].1.expected(&chances(&outputs));
                });
            }
        });
        values
    }
}

/// The chances from the outputs of the network.
fn chances(outputs: &[f32; OUTPUTS]) -> Chances {
    let ends: [f32; ENDS] = softmax(&outputs[..ENDS]);
    let of_winner = |winner: usize| std::array::from_fn(|payer| ends[winner * Encoded::SEATS + payer]);
    let points = |winner: usize| softmax(&outputs[POINTS + winner * BASES.len()..][..BASES.len()]);
    Chances {
        wins: std::array::from_fn(of_winner),
        draw: ends[ENDS - 1],
        points: std::array::from_fn(points),
        tenpai: std::array::from_fn(|at| 1.0 / (1.0 + (-outputs[TENPAI + at]).exp())),
    }
}

fn softmax<const N: usize>(outputs: &[f32]) -> [f32; N] {
    let most = outputs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut shares: [f32; N] = std::array::from_fn(|at| (outputs[at] - most).exp());
    let sum: f32 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
    shares
}
