//! Published frequencies of recorded games.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::interval::{Estimate, wilson};

/// A population of games with published frequencies.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Population {
    /// The name, such as `tenhou-2018`.
    pub name: String,
    /// Which games they are.
    pub about: String,
    /// Who published them.
    pub source: String,
    /// The preset of their rules.
    pub rules: String,
    /// What cannot be compared, or only roughly.
    pub notes: Vec<String>,
    of: Vec<OfCases>,
}

/// Published figures with the same cases. Their keys are the names of our figures.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfCases {
    /// The number of cases. None if the source does not give it.
    cases: Option<u64>,
    /// The cases that are events.
    #[serde(default)]
    counts: BTreeMap<String, u64>,
    /// Shares of the cases.
    #[serde(default)]
    rates: BTreeMap<String, f64>,
    #[serde(default)]
    means: BTreeMap<String, f64>,
}

impl Population {
    /// All populations.
    ///
    /// # Panics
    ///
    /// Never: the file is part of the program, and a test reads it.
    #[must_use]
    pub fn all() -> &'static [Population] {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            population: Vec<Population>,
        }
        static ALL: LazyLock<Vec<Population>> = LazyLock::new(|| {
            let file: File = toml::from_str(include_str!("published.toml")).expect("the file is valid");
            file.population
        });
        &ALL
    }

    /// The population with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Population> {
        Population::all().iter().find(|population| population.name == name)
    }

    /// The figure with this name, with Wilson's interval for independent cases. A mean, and a rate of
    /// an unknown number of cases, has no interval. None if it is not published.
    #[must_use]
    pub fn figure(&self, name: &str) -> Option<Estimate> {
        self.of.iter().find_map(|of| of.figure(name))
    }

    /// The names of all its figures, and whether each is a rate.
    #[cfg(test)]
    fn names(&self) -> impl Iterator<Item = (&str, bool)> {
        let rates = self.of.iter().flat_map(|of| of.counts.keys().chain(of.rates.keys()));
        let means = self.of.iter().flat_map(|of| of.means.keys());
        rates.map(|name| (name.as_str(), true)).chain(means.map(|name| (name.as_str(), false)))
    }
}

impl OfCases {
    fn figure(&self, name: &str) -> Option<Estimate> {
        let of_count = |count: &u64| Some(*count as f64 / self.cases? as f64);
        let rate = self.counts.get(name).and_then(of_count).or_else(|| self.rates.get(name).copied());
        let of_rate =
            |value| Estimate { value, interval: self.cases.map(|cases| wilson(value, cases as f64)) };
        let mean = || self.means.get(name).map(|value| Estimate { value: *value, interval: None });
        rate.map(of_rate).or_else(mean)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use jantaku_engine::Rules;

    use super::*;
    use crate::stats::Statistics;
    use jantaku_sim::play::Groups;

    #[test]
    fn published_figures_are_ours() {
        for population in Population::all() {
            let rules = Rules::preset(&population.rules).expect("a preset");
            let statistics = Statistics::new(&Groups::default(), &rules);
            let mut seen = HashSet::new();
            for (name, is_rate) in population.names() {
                let is_it = |figure: &crate::stats::Figure| figure.full_name() == name && figure.group == 0;
                let (figure, _) = statistics
                    .figures()
                    .find(|(figure, _)| is_it(figure))
                    .unwrap_or_else(|| panic!("{name}"));
                assert_eq!(figure.is_rate, is_rate, "{name}");
                assert!(seen.insert(name), "{}: {name} twice", population.name);
                let found = population.figure(name).expect("a published figure");
                assert!(found.value >= 0.0 && (!is_rate || found.value < 1.0), "{name}");
            }
            assert!(!seen.is_empty(), "{}", population.name);
        }
    }

    #[test]
    fn rates_have_the_interval_of_their_cases() {
        let population = Population::named("tenhou-2016").expect("a population");
        let found = population.figure("hands.draw").expect("a rate");
        let (low, high) = found.interval.expect("cases");
        assert!((found.value - 0.16196).abs() < 1e-5, "{}", found.value);
        let half = 1.96 * (found.value * (1.0 - found.value) / 1_710_645.0).sqrt();
        assert!(((high - low) / 2.0 - half).abs() < 0.01 * half);
        assert_eq!(population.figure("points.mean").and_then(|mean| mean.interval), None);
        assert!(population.figure("draws.exhaustive").is_none());
        assert!(Population::named("tenhou").is_none());
    }
}
