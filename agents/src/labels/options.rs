//! Which decisions are labelled, and how.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::candidates::{ComparisonKind, Limits};
use crate::text::{parse_options, quoted};

/// Which decisions are labelled, and how: the table `labels` of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LabelOptions {
    /// The agent whose choices and candidates are compared: `heuristic` with any options.
    pub base: String,
    /// The agent that plays all seats in rollouts.
    pub players: String,
    /// The agent that plays all seats instead where candidates differ in riichi or in danger. The value of
    /// the choice then depends on how the hand continues.
    pub careful: String,
    /// Fresh walls for each decision.
    pub deals: u16,
    /// In games of four: the turns that rollouts play after a decision of the kind `discard`, each of four
    /// draws. Then a network that sees all hands gives the value ([`oracle`](crate::oracle)). 0 plays to
    /// the end of the hand, as after all other decisions. Runs that do not state `turns` have 0.
    #[serde(default)]
    pub turns: u8,
    /// The most candidates of a decision, 2–12.
    pub candidates: u8,
    /// Candidates that the base estimates worse than its choice by more than this many points are left out.
    pub margin: f32,
    /// The share of decisions of each kind that are labelled.
    pub shares: KindShares,
}

/// The defaults name versions, so that a resumed run labels with the same agents as before.
impl Default for LabelOptions {
    fn default() -> LabelOptions {
        LabelOptions {
            base: "heuristic:version=2".to_owned(),
            players: "heuristic:fast,version=2".to_owned(),
            careful: "heuristic:version=2".to_owned(),
            deals: 4,
            turns: 4,
            candidates: Limits::USUAL.most as u8,
            margin: Limits::USUAL.margin,
            shares: KindShares { discard: 0.33, danger: 1.0, riichi: 1.0, call: 1.0, kan: 1.0, abort: 1.0 },
        }
    }
}

/// Options that differ from the defaults, as in `deals=8,players=heuristic,discard=0.1`. The name of a kind
/// of decision, here `discard`, sets the share of this kind.
impl FromStr for LabelOptions {
    type Err = String;

    fn from_str(text: &str) -> Result<LabelOptions, String> {
        let mut options = LabelOptions::default();
        if text.is_empty() {
            return Ok(options);
        }
        for (name, value) in parse_options(text)? {
            options.set(&name, &value.unwrap_or_default())?;
        }
        Ok(options)
    }
}

/// All options, as [`FromStr`] reads them.
impl fmt::Display for LabelOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LabelOptions { base, players, careful, deals, turns, candidates, margin, shares } = self;
        let [base, players, careful] = [base, players, careful].map(|agent| quoted(agent));
        write!(f, "base={base},players={players},careful={careful}")?;
        write!(f, ",deals={deals},turns={turns},candidates={candidates},margin={margin}")?;
        ComparisonKind::ALL.into_iter().try_for_each(|kind| write!(f, ",{}={}", kind.name(), shares.of(kind)))
    }
}

impl LabelOptions {
    /// The agents behind the labels: the base, and those that play the rollouts.
    pub fn agents(&self) -> [&str; 3] {
        [&self.base, &self.players, &self.careful]
    }

    /// Which actions are candidates.
    pub(super) fn limits(&self) -> Limits {
        Limits { most: usize::from(self.candidates), margin: self.margin }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let expects = |expected: &str| format!("`{name}={value}`: expected {expected}");
        match name {
            "base" => value.clone_into(&mut self.base),
            "players" => value.clone_into(&mut self.players),
            "careful" => value.clone_into(&mut self.careful),
            "deals" => {
                let deals = value.parse().ok().filter(|deals| (1..=1000).contains(deals));
                self.deals = deals.ok_or_else(|| expects("a whole number from 1 to 1000"))?;
            }
            "turns" => {
                let turns = value.parse().ok().filter(|turns| *turns <= 20);
                self.turns = turns.ok_or_else(|| expects("a whole number from 0 to 20"))?;
            }
            "candidates" => {
                let most = value.parse().ok().filter(|most| (2..=12).contains(most));
                self.candidates = most.ok_or_else(|| expects("a whole number from 2 to 12"))?;
            }
            "margin" => {
                let margin = value.parse().ok().filter(|margin: &f32| *margin >= 0.0 && margin.is_finite());
                self.margin = margin.ok_or_else(|| expects("points, at least 0"))?;
            }
            _ => {
                let kind = ComparisonKind::named(name).ok_or_else(|| {
                    format!(
                        "unknown option `{name}`: expected base, players, careful, deals, turns, candidates, \
                         margin, or a kind of decision with its share: kan, abort, riichi, call, danger, discard"
                    )
                })?;
                let share = value.parse().ok().filter(|share| (0.0..=1.0).contains(share));
                *self.shares.of_mut(kind) = share.ok_or_else(|| expects("a share from 0 to 1"))?;
            }
        }
        Ok(())
    }
}

/// The share of decisions of each kind that are labelled, 0–1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "they are the kinds of decisions")]
pub struct KindShares {
    pub discard: f64,
    pub danger: f64,
    pub riichi: f64,
    pub call: f64,
    pub kan: f64,
    pub abort: f64,
}

impl KindShares {
    /// The share of a kind.
    pub const fn of(mut self, kind: ComparisonKind) -> f64 {
        *self.of_mut(kind)
    }

    /// The share of a kind, to change it.
    pub const fn of_mut(&mut self, kind: ComparisonKind) -> &mut f64 {
        match kind {
            ComparisonKind::Discard => &mut self.discard,
            ComparisonKind::Danger => &mut self.danger,
            ComparisonKind::Riichi => &mut self.riichi,
            ComparisonKind::Call => &mut self.call,
            ComparisonKind::Kan => &mut self.kan,
            ComparisonKind::Abort => &mut self.abort,
        }
    }

    /// The largest share.
    pub(super) fn largest(&self) -> f64 {
        ComparisonKind::ALL.into_iter().map(|kind| self.of(kind)).fold(0.0, f64::max)
    }
}
