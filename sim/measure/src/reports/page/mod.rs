//! Results as pages for the browser: `--html`.
//!
//! Each result has one builder of its [`Report`], which the program prints, too.
//!
//! - `origin`: where a result comes from
//! - `figures`: figures of games as tables
//! - `statistics`, `cases`, `sweep`, `matches`, `league`, `review`, `training`, `conformance`: the page of each result

mod cases;
mod conformance;
mod figures;
mod league;
mod matches;
mod origin;
mod review;
mod statistics;
mod sweep;
mod training;

use jantaku_engine::named_enum;
use jantaku_pages::report::{Report, Section, sections_html};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use self::origin::{Maker, Origin};
pub use self::review::ReviewDetail;
use super::{CaseReport, GamesReport, SweepReport};
use crate::arena::{LeagueReport, MatchResult};
use crate::review::Review;
use jantaku_sim::play::By;

/// The heading of placements, results and points.
const RESULTS: &str = "Results";
/// The heading of the ratings.
const RATINGS: &str = "Ratings";

named_enum! {
    /// What a page shows, by the command that prints the result, or `training`.
    PageKind {
        /// The result of `jantaku stats --json`.
        Statistics = "stats",
        /// The result of `jantaku sweep --json`.
        Sweep = "sweep",
        /// The result of `jantaku match --json`.
        Match = "match",
        /// The result of `jantaku league --json`.
        League = "league",
        /// The result of `jantaku analyse --json`.
        Review = "analyse",
        /// The figures of a training over its steps: `rows` of `network`, `step`, `seconds` and figures.
        Training = "training",
    }
}

/// A value is not a result of this kind.
#[derive(Debug, thiserror::Error)]
#[error("the result does not have the keys that this version prints: {0}")]
pub struct PageError(#[from] serde_json::Error);

/// A result that programs print and show as a page.
pub trait Reported: Serialize {
    /// The report, with the figures of the groups of these divisions.
    fn report(&self, divisions: &[By]) -> Report;

    /// The report with all that a page has: also where the result comes from, and the result as JSON.
    fn page_report(&self, origin: &Origin) -> Report;
}

/// The [`page()`] of a result that is not JSON yet.
pub fn page_of(result: &impl Reported, origin: &Origin) -> String {
    result.page_report(origin).to_html()
}

/// A result as JSON.
fn data(result: &impl Serialize) -> Value {
    serde_json::to_value(result).expect("a result is JSON")
}

/// The page of a result: one file of HTML that needs no other file, no network and no script.
///
/// It has the result as JSON in the element `data`, and weighs less than a megabyte, unless names
/// alone weigh more: what does not fit is left out, and the page says so.
///
/// # Errors
///
/// If the value is not a result of this kind.
///
/// ```
/// use jantaku_measure::reports::page::{Origin, PageKind, page};
/// use serde_json::json;
///
/// let training = json!({ "rows": [{ "network": "</script>", "step": 1, "seconds": 2.0, "loss": 0.5 }] });
/// let html = page(PageKind::Training, &training, &Origin::default())?;
/// assert!(html.contains("&lt;/script&gt;") && html.contains(r#""\u003c/script>""#));
/// assert_eq!(html.matches("<script").count(), 2, "the data and the script");
/// # Ok::<(), jantaku_measure::reports::page::PageError>(())
/// ```
pub fn page(kind: PageKind, result: &Value, origin: &Origin) -> Result<String, PageError> {
    Ok(report(kind, result, Some(origin))?.to_html())
}

/// A result as text for this width, as the program prints it without further options.
///
/// # Errors
///
/// If the value is not a result of this kind.
pub fn text(kind: PageKind, result: &Value, width: usize) -> Result<String, PageError> {
    Ok(report(kind, result, None)?.to_text(width))
}

/// The tables of a result that its reader looks for first, as HTML in [`STYLE`](jantaku_pages::report::STYLE): figures of players,
/// placements and results, or ratings. Empty if the result has no games.
///
/// # Errors
///
/// If the value is not a result of this kind.
pub fn headline(kind: PageKind, result: &Value) -> Result<String, PageError> {
    const FIGURES: [&str; 6] = ["placement", "result", "win", "deal-in", "riichi", "call"];
    let headings: &[&str] = match kind {
        PageKind::Match => &[RESULTS],
        PageKind::League => &[RATINGS],
        _ => &["Players by agent", "Players, per hand of a player"],
    };
    let mut result = result.clone();
    if let Some(figures) = result["figures"].as_array_mut().filter(|_| kind == PageKind::Statistics) {
        let name = |figure: &Value| figure["name"].as_str()?.strip_prefix("players.").map(str::to_owned);
        figures.retain(|figure| name(figure).is_some_and(|name| FIGURES.contains(&name.as_str())));
    }
    let report = report(kind, &result, Some(&Origin::default()))?;
    let is_first = |section: &&Section| headings.contains(&section.heading());
    Ok(sections_html(report.sections.iter().filter(is_first)))
}

/// The report of a result. If an origin is given, the report of its page.
fn report(kind: PageKind, result: &Value, origin: Option<&Origin>) -> Result<Report, PageError> {
    fn of<R: Reported + DeserializeOwned>(
        result: &Value,
        origin: Option<&Origin>,
    ) -> Result<Report, PageError> {
        let found = R::deserialize(result)?;
        Ok(origin.map_or_else(|| found.report(&[]), |origin| found.page_report(origin)))
    }
    match kind {
        PageKind::Statistics if result.get("of").is_some() => of::<CaseReport>(result, origin),
        PageKind::Statistics => of::<GamesReport>(result, origin),
        PageKind::Sweep => of::<SweepReport>(result, origin),
        PageKind::Match => of::<MatchResult>(result, origin),
        PageKind::League => of::<LeagueReport>(result, origin),
        PageKind::Review => of::<Review>(result, origin),
        PageKind::Training => Ok(training::report(result, origin.unwrap_or(&Origin::default()))?),
    }
}
