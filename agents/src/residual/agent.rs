//! The agent.

use jantaku_engine::{Action, Observation, Rng};

use super::file::{NEWEST, NetworkFile, VERSIONS};
use super::model::ResidualModel;
use crate::compare::{Comparison, ComparisonKind};
use crate::entry::{Built, Entry};
use crate::neural::{ModelError, Precision};
use crate::option::{AgentOption, OptionDefault, OptionKind};
use crate::{Heuristic, ParameterFile, Policy};

pub(crate) const ENTRY: Entry = Entry {
    name: "residual",
    about: "heuristic with a network that corrects its estimates",
    options: &[
        AgentOption {
            name: "version",
            kind: OptionKind::Choice(VERSIONS),
            default: OptionDefault::Value(NEWEST),
            about: "released network, which never changes under the same version",
        },
        AgentOption {
            name: "model",
            kind: OptionKind::File,
            default: OptionDefault::Unset,
            about: "file of another network",
        },
        AgentOption {
            name: "shrink",
            kind: OptionKind::Number(0.0..=2.0),
            default: OptionDefault::Unset,
            about: "factor of the corrections; by default that of the network",
        },
        AgentOption {
            name: "least",
            kind: OptionKind::Number(0.0..=10_000.0),
            default: OptionDefault::Unset,
            about: "points by which another action must be better, in all decisions; by default those of the \
                    network",
        },
        AgentOption {
            name: "precision",
            kind: OptionKind::Choice(&["f32", "int8"]),
            default: OptionDefault::Value("f32"),
            about: "numbers that the network computes with",
        },
    ],
    build: |options, agent| {
        let NetworkFile { path, option, contents } = NetworkFile::open(options)?;
        let is_int8 = options.value::<String>("precision") == "int8";
        let precision = if is_int8 { Precision::Int8 } else { Precision::F32 };
        let model = ResidualModel::parse(&path, &contents, precision)?;
        let base = agent(&model.manifest().base)?;
        let wrong_base = || {
            let advice = "name `heuristic` with its version";
            let found = format!("`{}`", model.manifest().base);
            ModelError::new(&path, "manifest, base", found, "heuristic with any options", advice)
        };
        let heuristic = base.downcast::<Heuristic>().ok_or_else(wrong_base)?.clone();
        let [shrink, least] = ["shrink", "least"].map(|name| options.value::<Option<f32>>(name));
        let mut files = base.files().to_vec();
        files.push(ParameterFile::new(&option, &contents));
        let residual = Residual {
            shrink: shrink.unwrap_or(model.manifest().shrink),
            least: least.map_or_else(|| model.least(), |least| [least; ComparisonKind::ALL.len()]),
            base: heuristic,
            model,
        };
        Ok(Built::policy(residual).with_files(files))
    },
};

/// `heuristic` with a network that corrects its estimates.
///
/// It takes the candidate with the highest estimate after the correction, if that is better than the
/// choice of `heuristic` by at least [`least`](Residual::least). Where `heuristic` decides by rule,
/// and in games with another number of players than the network was trained for, it plays like
/// `heuristic`.
#[derive(Clone, Debug)]
pub struct Residual {
    /// Factor of the corrections.
    pub shrink: f32,
    /// The points by which another action must be better than the choice of `heuristic`, by the number
    /// of the kind of decision.
    pub least: [f32; ComparisonKind::ALL.len()],
    base: Heuristic,
    model: ResidualModel,
}

impl Residual {
    /// The network.
    #[must_use]
    pub const fn model(&self) -> &ResidualModel {
        &self.model
    }

    /// What it thinks of the candidates of a decision.
    ///
    /// # Errors
    ///
    /// The choice of `heuristic` alone, if there is nothing to compare or the network was not trained
    /// for such games.
    pub fn compare(&self, o: &Observation<'_>, rng: &mut Rng) -> Result<Corrected, Action> {
        if o.rules().players != self.model.players() {
            return Err(self.base.choose(o, rng));
        }
        let comparison = self.base.compare(o, self.model.limits(), rng)?;
        let corrections = self.model.corrections(o, &comparison);
        Ok(Corrected { comparison, corrections })
    }
}

/// The candidates of a decision with the corrections of a network.
#[derive(Clone, PartialEq, Debug)]
pub struct Corrected {
    /// The candidates with the estimates of `heuristic`.
    pub comparison: Comparison,
    /// The corrections of the gaps, in points.
    pub corrections: Vec<f32>,
}

impl Policy for Residual {
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        let Corrected { comparison, corrections } = match self.compare(o, rng) {
            Ok(corrected) => corrected,
            Err(choice) => return choice,
        };
        let (mut best, mut most) = (comparison.candidates[0].action, self.least[comparison.kind as usize]);
        for (compared, correction) in comparison.candidates.iter().zip(corrections).skip(1) {
            let Some(gap) = compared.gap else { continue };
            let gain = gap + self.shrink * correction;
            if gain > most {
                (best, most) = (compared.action, gain);
            }
        }
        best
    }
}
