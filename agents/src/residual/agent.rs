//! The agent.

use jantaku_engine::{Action, ActionId, Observation, Players, Rng};

use super::file::{NEWEST, NetworkFile, VERSIONS};
use super::model::ResidualModel;
use crate::candidates::Comparison;
use crate::entry::{Built, Entry};
use crate::neural::{ModelError, Precision};
use crate::option::{AgentOption, OptionKind};
use crate::{Estimate, Heuristic, ParameterFile, Policy, Reply, SearchInfo};

pub(crate) const ENTRY: Entry = Entry {
    name: "residual",
    about: "heuristic with a network that corrects its estimates",
    options: &[
        AgentOption::new(
            "version",
            OptionKind::Choice(VERSIONS),
            NEWEST,
            "released network, which never changes under the same version",
        ),
        AgentOption::unset("model", OptionKind::File, "file of another network"),
        AgentOption::unset(
            "shrink",
            OptionKind::Number(0.0..=2.0),
            "factor of the corrections; by default that of the network",
        ),
        AgentOption::unset(
            "least",
            OptionKind::Number(0.0..=10_000.0),
            "margin in points to override the choice of heuristic; by default the network's, by kind of \
                    decision",
        ),
        AgentOption::new(
            "precision",
            OptionKind::Choice(&["f32", "int8"]),
            "f32",
            "numbers that the network computes with",
        ),
    ],
    build: |options, agent| {
        let is_int8 = options.text("precision") == "int8";
        let precision = if is_int8 { Precision::Int8 } else { Precision::F32 };
        let files = NetworkFile::open(options)?;
        let models = files.iter().map(|file| ResidualModel::parse(&file.path, &file.contents, precision));
        let models = models.collect::<Result<Vec<_>, _>>()?;
        // The networks of a version have the same base.
        let base_name = &models[0].manifest().base;
        let base = agent(base_name)?;
        let wrong_base = || {
            let advice = "name `heuristic` with its version";
            let expected = "heuristic with any options";
            ModelError::new(&files[0].path, "manifest, base", format!("`{base_name}`"), expected, advice)
        };
        let heuristic = base.downcast::<Heuristic>().ok_or_else(wrong_base)?.clone();
        let [shrink, least] = ["shrink", "least"].map(|name| options.optional::<f32>(name));
        let networks = files.iter().map(|file| ParameterFile::new(&file.option, &file.contents));
        let files = base.files().iter().cloned().chain(networks).collect();
        Ok(Built::policy(Residual { shrink, least, base: heuristic, models }).with_files(files))
    },
};

/// `heuristic` with a network that corrects its estimates.
///
/// It takes the candidate with the highest estimate after the correction, if that is better than the
/// choice of `heuristic` by more than [`least`](Residual::least). Where `heuristic` decides by rule,
/// and in games with a number of players that it has no network for, it plays like `heuristic`.
#[derive(Clone, Debug)]
pub struct Residual {
    /// Factor of the corrections. None for that of the network.
    pub shrink: Option<f32>,
    /// The margin in points to override the choice of `heuristic`. None for those of the network, by
    /// kind of decision.
    pub least: Option<f32>,
    base: Heuristic,
    /// One for each number of players.
    models: Vec<ResidualModel>,
}

impl Residual {
    /// The agent whose estimates the network corrects.
    pub const fn base(&self) -> &Heuristic {
        &self.base
    }

    /// The network for games with this number of players. None if the agent has none.
    pub fn model(&self, players: Players) -> Option<&ResidualModel> {
        self.models.iter().find(|model| model.players() == players)
    }

    /// The candidates of a decision with the corrections of the network.
    ///
    /// # Errors
    ///
    /// The choice of `heuristic` alone, if there is nothing to compare, or no network for such games.
    pub fn compare(&self, o: &Observation<'_>, rng: &mut Rng) -> Result<Corrected, Action> {
        let Some(model) = self.model(o.rules().players) else { return Err(self.base.choose(o, rng)) };
        let comparison = self.base.compare(o, model.limits(), rng)?;
        let shrink = self.shrink.unwrap_or(model.manifest().shrink);
        let mut corrections = model.corrections(o, &comparison);
        corrections.iter_mut().for_each(|correction| *correction *= shrink);
        let least = self.least.unwrap_or_else(|| model.least(comparison.kind));
        Ok(Corrected { comparison, corrections, least })
    }
}

/// The candidates of a decision with the corrections of a network.
#[derive(Clone, PartialEq, Debug)]
pub struct Corrected {
    /// The candidates with the estimates of `heuristic`. The first is its choice.
    pub comparison: Comparison,
    /// What the network adds to the gaps, in points: 0 for the first.
    pub corrections: Vec<f32>,
    /// The points by which another candidate must be better than the first.
    pub least: f32,
}

impl Corrected {
    /// The index of the candidate that the agent chooses.
    pub fn chosen(&self) -> usize {
        let (mut best, mut most) = (0, self.least);
        for at in 1..self.corrections.len() {
            if let Some(gain) = self.gain(at).filter(|gain| *gain > most) {
                (best, most) = (at, gain);
            }
        }
        best
    }

    /// How much better than the first this candidate is after the correction, in points. None if
    /// `heuristic` decides on one of them by rule.
    pub fn gain(&self, at: usize) -> Option<f32> {
        Some(self.comparison.candidates[at].gap? + self.corrections[at])
    }

    /// The estimate of `heuristic` for this candidate, in points. None if it decides on the candidate
    /// by rule.
    pub fn base_value(&self, at: usize) -> Option<f32> {
        let estimate = self.comparison.candidates[at].estimate?;
        Some(self.comparison.unit * estimate.value)
    }

    /// The estimate for this candidate after the correction, in points. None as for
    /// [`Corrected::gain`] and [`Corrected::base_value`].
    pub fn value(&self, at: usize) -> Option<f32> {
        self.gain(at)?;
        Some(self.base_value(at)? + self.corrections[at]).filter(|value| value.is_finite())
    }
}

impl Policy for Residual {
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        match self.compare(o, rng) {
            Ok(corrected) => corrected.comparison.candidates[corrected.chosen()].action,
            Err(choice) => choice,
        }
    }

    /// Reports the estimates of the candidates after the correction, in points, as action values.
    fn reply(&self, o: &Observation<'_>, rng: &mut Rng) -> Reply {
        let corrected = match self.compare(o, rng) {
            Ok(corrected) => corrected,
            Err(choice) => return choice.into(),
        };
        let candidates = &corrected.comparison.candidates;
        let value = |id: ActionId| {
            let at = candidates.iter().position(|candidate| candidate.action == id.action())?;
            Some(Estimate { mean: corrected.value(at)?, standard_error: None })
        };
        let action_values = Some(o.legal().iter().map(value).collect());
        let search_info = SearchInfo { action_values, ..SearchInfo::default() };
        let action = candidates[corrected.chosen()].action;
        Reply { action, search_info: Some(Box::new(search_info)), took: None }
    }
}
