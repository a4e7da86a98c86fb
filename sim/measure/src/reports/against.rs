//! Figures beside those of other games, published or counted.

use std::collections::HashMap;
use std::path::Path;

use jantaku_engine::{Known, Rules};
use serde::{Deserialize, Serialize};

use super::games::{GamesReport, ReportError};
use crate::stats::{
    Estimate, FigureKind, FigureRow, Population, SeededWalls, StoredRuns, error_of_difference,
};
use jantaku_show::report::numbers::many;
use jantaku_sim::dataset::ReadError;
use jantaku_sim::play::Watch;
use jantaku_sim::store;

/// Games whose figures stand beside others.
#[derive(Debug)]
pub enum Reference {
    /// Published frequencies.
    Published(&'static Population),
    /// The games of a stored run, such as recorded games.
    Counted(Box<GamesReport>),
}

/// Why there are no figures to compare with.
#[derive(Debug, thiserror::Error)]
pub enum ReferenceError {
    /// No population has this name, and no folder.
    #[error("no published frequencies and no folder `{text}`: {known}, or the folder of a run")]
    Unknown {
        /// The text.
        text: String,
        /// The names of the populations.
        known: Known,
    },
    /// The run cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The run has no games.
    #[error(transparent)]
    Report(#[from] ReportError),
}

impl Reference {
    /// The population with this name, or the games of the run in this folder, which are counted.
    ///
    /// # Errors
    ///
    /// If there is neither, or the run cannot be read.
    pub fn open(text: &str, watch: &mut dyn Watch) -> Result<Reference, ReferenceError> {
        if let Some(population) = Population::named(text) {
            return Ok(Reference::Published(population));
        }
        if !Path::new(text).exists() && !store::is_url(Path::new(text)) {
            let known = Known::new(text, Population::all().iter().map(|population| population.name.as_str()));
            return Err(ReferenceError::Unknown { text: text.to_owned(), known });
        }
        let runs = StoredRuns::open(&[text.into()])?;
        Ok(Reference::Counted(Box::new(GamesReport::read(&runs, watch)?)))
    }

    /// These figures beside those of the reference, where it has them.
    #[must_use]
    pub fn beside(&self, report: &GamesReport) -> Against {
        let rows = &report.figures;
        match self {
            Reference::Published(population) => Against {
                name: population.name.clone(),
                about: population.about.clone(),
                source: Some(population.source.clone()),
                rules: population.rules.clone(),
                notes: rules_besides(report, &population.rules)
                    .into_iter()
                    .chain(population.notes.iter().cloned())
                    .collect(),
                figures: in_common(rows, |name| population.figure(name)),
            },
            Reference::Counted(other) => {
                let by_name: HashMap<&str, Estimate> =
                    of_all(&other.figures).map(|row| (row.name.as_str(), row.estimate())).collect();
                let part = if other.complete { "" } else { "; incomplete" };
                Against {
                    name: other.runs[0].clone(),
                    about: format!("{}, {}{part}", many(other.games, "game"), many(other.hands, "hand")),
                    source: None,
                    rules: other.rules.clone(),
                    notes: other_rules(report, other)
                        .into_iter()
                        .chain(shared_walls(report, other))
                        .collect(),
                    figures: in_common(rows, |name| by_name.get(name).copied()),
                }
            }
        }
    }
}

/// The figures of all players and hands.
fn of_all(rows: &[FigureRow]) -> impl Iterator<Item = &FigureRow> {
    rows.iter().filter(|row| row.group == "all")
}

/// The figures that a reference has, too.
fn in_common(rows: &[FigureRow], other: impl Fn(&str) -> Option<Estimate>) -> Vec<Beside> {
    of_all(rows).filter_map(|row| Beside::new(row, other(&row.name)?)).collect()
}

/// Figures beside those of a reference.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Against {
    /// The name of the published frequencies, or the folder of the run.
    pub name: String,
    /// Which games they are.
    pub about: String,
    /// Who published them. None for a run.
    pub source: Option<String>,
    /// The name of their rules.
    pub rules: String,
    /// What cannot be compared, or only roughly.
    pub notes: Vec<String>,
    /// The figures that both have.
    pub figures: Vec<Beside>,
}

/// A figure beside that of a reference.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Beside {
    /// Section and figure; only figures that both have.
    pub name: String,
    /// `rate` or `mean`.
    pub kind: FigureKind,
    /// What the rate is a share of, or what the mean is taken over.
    pub per: String,
    /// Value in these games.
    pub value: f64,
    /// Lower end of its 95 % interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Value in the other games.
    pub other: f64,
    /// Lower end of its 95 % interval; None if the source does not give the number of cases.
    pub other_low: Option<f64>,
    /// The upper end.
    pub other_high: Option<f64>,
    /// `value` − `other`.
    pub difference: f64,
    /// Standard error of the difference; None without `low`.
    pub standard_error: Option<f64>,
    /// `difference` / `standard_error`.
    pub standard_errors: Option<f64>,
}

impl Beside {
    /// None for quantiles and standard deviations, which have no intervals.
    fn new(row: &FigureRow, other: Estimate) -> Option<Beside> {
        let (difference, standard_error) =
            (row.value - other.value, error_of_difference(row.estimate(), other));
        matches!(row.kind, FigureKind::Rate | FigureKind::Mean).then(|| Beside {
            name: row.name.clone(),
            kind: row.kind,
            per: row.per.clone().into_owned(),
            value: row.value,
            low: row.low,
            high: row.high,
            other: other.value,
            other_low: other.interval.map(|(low, _)| low),
            other_high: other.interval.map(|(_, high)| high),
            difference,
            standard_error,
            standard_errors: standard_error.map(|error| difference / error),
        })
    }

    /// The section, and the name in it.
    #[must_use]
    pub fn names(&self) -> (&str, &str) {
        self.name.split_once('.').unwrap_or(("", &self.name))
    }
}

/// A note if not all games have the rules of a preset.
fn rules_besides(report: &GamesReport, preset: &str) -> Option<String> {
    let hash = format!("{:016x}", Rules::preset(preset)?.hash());
    let (found, name) = report.rules_of_all();
    found.iter().any(|other| *other != hash).then(|| differing(&name, preset))
}

/// A note if the games of two reports do not have the same rules.
fn other_rules(report: &GamesReport, other: &GamesReport) -> Option<String> {
    let ((own, own_name), (others, other_name)) = (report.rules_of_all(), other.rules_of_all());
    (own != others).then(|| differing(&own_name, &other_name))
}

/// A note if games of both sides are on the same walls, so that their figures depend on each other.
fn shared_walls(report: &GamesReport, other: &GamesReport) -> Option<String> {
    let any = |has: fn(&SeededWalls, &SeededWalls) -> bool| {
        report.walls.iter().any(|own| other.walls.iter().any(|other| has(own, other)))
    };
    if any(SeededWalls::is_same_run) {
        return Some("the same run is on both sides".to_owned());
    }
    any(SeededWalls::overlap).then(|| {
        "both have games on the same walls, so the standard errors are too large; a sweep or a match compares \
         games on the same walls"
            .to_owned()
    })
}

fn differing(own: &str, other: &str) -> String {
    format!("the rules differ: {own} in these games, {other} in the others")
}
