//! The weights of the features of a hand.

use std::fmt::Write as _;

use jantaku_engine::Players;
use toml::Table;

use super::features::{BLOCKS, Block, FEATURES, HandState};
use crate::by_players::ByPlayers;

/// The released weights.
const RELEASED: &str = include_str!("weights.toml");

/// The weights for games with any number of players.
#[derive(Clone, Debug)]
pub struct InferenceModel(ByPlayers<Weights>);

impl InferenceModel {
    /// The released weights.
    ///
    /// # Panics
    ///
    /// Never: a test reads them.
    pub fn released() -> InferenceModel {
        InferenceModel::from_toml(RELEASED).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Reads weights as [`Weights::to_toml`] writes them, in tables `usual` and `three_players`.
    ///
    /// # Errors
    ///
    /// If the text is not TOML, or a list is missing or has the wrong length.
    pub fn from_toml(text: &str) -> Result<InferenceModel, WeightsError> {
        let table: Table = text.parse().map_err(|error| WeightsError(format!("{error}")))?;
        let weights = |name: &str| {
            let part = table.get(name).and_then(|part| part.as_table());
            Weights::from_table(part.ok_or_else(|| WeightsError(format!("`{name}` is missing")))?)
        };
        let (usual, three_players) = (weights("usual")?, weights("three_players")?);
        Ok(InferenceModel(ByPlayers { usual, three_players }))
    }

    /// Weights that make all hands equally likely, with the share of seven pairs in riichi as it is.
    #[must_use]
    pub fn uniform(self) -> InferenceModel {
        InferenceModel(self.0.map(|weights| Weights { seven_pairs: weights.seven_pairs, ..Weights::zero() }))
    }

    /// The weights for games with this number of players.
    pub const fn of(&self, players: Players) -> &Weights {
        self.0.of(players)
    }
}

/// The weights for games with one number of players.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// The share of seven pairs among hands in riichi.
    pub seven_pairs: f32,
    /// The weight of each feature, by state.
    features: Vec<[f32; FEATURES]>,
}

impl Weights {
    /// Weights that make all hands equally likely.
    pub fn zero() -> Weights {
        Weights { seven_pairs: 0.0, features: vec![[0.0; FEATURES]; HandState::ALL.len()] }
    }

    /// The weight of each feature in this state.
    #[inline]
    pub fn of(&self, state: HandState) -> &[f32; FEATURES] {
        &self.features[state as usize]
    }

    /// The weights in this state, for fitting them.
    pub fn of_mut(&mut self, state: HandState) -> &mut [f32; FEATURES] {
        &mut self.features[state as usize]
    }

    fn from_table(table: &Table) -> Result<Weights, WeightsError> {
        let mut weights = Weights::zero();
        let number = |value: &toml::Value| value.as_float().filter(|number| number.is_finite());
        let wrong = |name: &str| WeightsError(format!("`{name}` is missing, or not made of finite floats"));
        weights.seven_pairs =
            table.get("seven_pairs").and_then(number).ok_or_else(|| wrong("seven_pairs"))? as f32;
        for state in HandState::ALL {
            for Block { name, first, len } in BLOCKS {
                let path = format!("{}.{name}", state.name());
                let list = table.get(state.name()).and_then(|part| part.get(name));
                let list = list.and_then(|list| list.as_array()).ok_or_else(|| wrong(&path))?;
                if list.len() != len {
                    return Err(WeightsError(format!(
                        "`{path}`: expected {len} numbers, found {}",
                        list.len()
                    )));
                }
                for (to, from) in weights.of_mut(state)[first..].iter_mut().zip(list) {
                    *to = number(from).ok_or_else(|| wrong(&path))? as f32;
                }
            }
        }
        Ok(weights)
    }

    /// The weights as TOML, in a table of this name.
    pub fn to_toml(&self, name: &str) -> String {
        let mut text = format!("[{name}]\nseven_pairs = {:.4}\n", self.seven_pairs);
        let mut line = |words: std::fmt::Arguments<'_>| text.write_fmt(words).unwrap_or_default();
        for state in HandState::ALL {
            line(format_args!("\n[{name}.{}]\n", state.name()));
            for Block { name, first, len } in BLOCKS {
                line(format_args!("{name} = ["));
                for (at, weight) in self.of(state)[first..first + len].iter().enumerate() {
                    line(format_args!("{}{weight:.3},", if at % 12 == 0 { "\n    " } else { " " }));
                }
                line(format_args!("\n]\n"));
            }
        }
        text
    }
}

/// The error for weights that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("weights of hidden hands: {0}")]
pub struct WeightsError(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_weights_are_read_back() {
        let mut weights = Weights::zero();
        weights.seven_pairs = 0.0625;
        weights.of_mut(HandState::Open)[7] = -1.25;
        let text = format!("{}{}", weights.to_toml("usual"), Weights::zero().to_toml("three_players"));
        let read = InferenceModel::from_toml(&text).expect("written weights");
        assert_eq!(read.of(Players::Four), &weights);
        assert_eq!(read.of(Players::Three), &Weights::zero());
        let error = InferenceModel::from_toml(&text.replace("-1.250, ", "")).unwrap_err().to_string();
        assert!(error.contains("`open.shanten`: expected 144 numbers, found 143"), "{error}");
    }

    #[test]
    fn released_weights_are_complete() {
        assert_ne!(InferenceModel::released().of(Players::Three), &Weights::zero());
    }
}
