//! The labels by rollouts of a batch, with their candidates encoded.

use jantaku_agents::candidates::Comparison;
use jantaku_agents::labels::Label;
use jantaku_agents::residual::{CandidateEncoder, EncodedCandidate};
use rayon::prelude::*;

use super::sample::Sample;

/// The labels of the decisions in a batch. Lists of decisions have one entry for each decision, and
/// lists of candidates one for each candidate of the first decision, then of the second, and so on.
/// The first candidate of a decision is the choice of the base agent.
#[derive(Clone, Debug, Default)]
pub struct Labelled {
    /// What the candidates of each decision differ in, as its place in
    /// [`ComparisonKind::ALL`](jantaku_agents::candidates::ComparisonKind::ALL).
    pub kinds: Vec<u8>,
    /// The deals of each decision.
    pub deals: Vec<u16>,
    /// The number of candidates of each decision.
    pub counts: Vec<u16>,
    /// The number of each candidate's action.
    pub actions: Vec<u8>,
    /// The base agent's expected value of each candidate minus that of its choice, in points; NaN if
    /// it decides by rule.
    pub gaps: Vec<f32>,
    /// The sum of each candidate's values over the deals, in points.
    pub values: Vec<f32>,
    /// The sum of their squares.
    pub value_squares: Vec<f32>,
    /// The sum of each candidate's differences to the first, in points.
    pub differences: Vec<f32>,
    /// The sum of their squares.
    pub difference_squares: Vec<f32>,
    /// The active features ([`CandidateEncoder`]) of the first candidate, then of the second, and so on.
    pub features: Vec<u16>,
    /// The number of active features of each candidate.
    pub feature_counts: Vec<u16>,
    /// The scalars of each candidate, [`CandidateEncoder::SCALARS`] in a row.
    pub scalars: Vec<f32>,
}

impl Labelled {
    /// The labels of decisions that have one, encoded in parallel on the current rayon pool if
    /// `parallel`.
    pub(super) fn of(samples: &[Sample], parallel: bool) -> Labelled {
        let encoded: Vec<(&Label, Vec<EncodedCandidate>)> = if parallel {
            samples.par_iter().with_min_len(64).map(encode).collect()
        } else {
            samples.iter().map(encode).collect()
        };
        let mut labelled = Labelled::default();
        encoded.iter().for_each(|(label, candidates)| labelled.push(label, candidates));
        labelled
    }

    fn push(&mut self, label: &Label, candidates: &[EncodedCandidate]) {
        self.kinds.push(label.kind as u8);
        self.deals.push(label.deals);
        self.counts.push(candidates.len() as u16);
        for action in &label.actions {
            self.actions.push(action.compared.action.id().number());
            self.gaps.push(action.compared.gap.unwrap_or(f32::NAN));
            self.values.push(action.values.sum);
            self.value_squares.push(action.values.squares);
            self.differences.push(action.differences.sum);
            self.difference_squares.push(action.differences.squares);
        }
        for candidate in candidates {
            self.features.extend_from_slice(&candidate.active);
            self.feature_counts.push(candidate.active.len() as u16);
            self.scalars.extend_from_slice(&candidate.scalars);
        }
    }
}

fn encode(sample: &Sample) -> (&Label, Vec<EncodedCandidate>) {
    let label = sample.extras.as_ref().and_then(|extras| extras.label.as_ref());
    let label = label.expect("only labelled decisions are loaded");
    let candidates = label.actions.iter().map(|action| action.compared).collect();
    let comparison = Comparison { kind: label.kind, unit: label.unit, candidates };
    (label, CandidateEncoder::encode(&sample.snapshot.observe(), &comparison))
}
