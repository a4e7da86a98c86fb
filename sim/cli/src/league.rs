//! `jantaku league`.

use jantaku_measure::arena::{LeagueReport, LeagueRequest, WorstPair};
use jantaku_measure::reports::page::Reported as _;
use jantaku_sim::play::ThreadOptions;

use super::arguments::start_threads;
use super::html::HtmlOption;
use super::output::{Ended, Output, note, say, say_json};
use super::print;
use super::progress::Progress;

/// Rate agents by games of all tables on the same walls
///
/// Every choice of agents is a table, and every table plays the same sets of walls. In each set its
/// agents change seats. sim/docs/league.md explains the ratings.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    request: LeagueRequest,
    #[command(flatten)]
    html: HtmlOption,
    #[command(flatten)]
    threads: ThreadOptions,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    args.html.check()?;
    start_threads(args.threads)?;
    // Signals are caught before the first file is written.
    let mut progress = Progress::games(0, !output.quiet)?;
    let request = &args.request;
    let (league, agents) = request.resolve()?;
    let anchor = request.anchor(league.config())?;
    progress.set_length(league.remaining()?);
    let played = league.play(&agents, request.start.verbose, &progress.stop_flag(), &mut progress);
    progress.finish();
    let out = request.out.as_deref();
    let report = LeagueReport::new(league.config(), out, played?, anchor, request.anchor_rating);
    if let Some(folder) = out {
        report.write(folder)?;
    }
    args.html.write(&report, &[])?;
    warn(&report, output.quiet);
    if output.json {
        say_json(&report)?;
    } else {
        let shown = report.report(&[]);
        let shown = if output.quiet { shown.without_head() } else { shown };
        say(&shown.to_text(print::width()))?;
    }
    Ok(if report.complete { Ended::Done } else { Ended::Interrupted })
}

/// Says how far the ratings can be trusted, and warns of tables of several programs.
fn warn(report: &LeagueReport, quiet: bool) {
    match ranking_doubt(report) {
        Some(Doubt::Unranked(text)) if !quiet => note(&format!("note: {text}")),
        Some(Doubt::PoorFit(text)) => note(&format!("warning: {text}")),
        Some(Doubt::Unranked(_)) | None => {}
    }
    if report.programs.len() > 1 {
        note(&format!(
            "warning: several programs played the tables ({}); agents may have changed between them",
            report.programs.join("; ")
        ));
    }
}

/// Why ratings say less than they seem to.
enum Doubt {
    /// There are too few sets to distinguish any agents.
    Unranked(String),
    /// One rating for each agent does not describe the results.
    PoorFit(String),
}

/// The chance from which on an agent counts as stronger than another: the interval of their difference
/// leaves out 0.
const SURE: f64 = 0.975;

/// The most important doubt about the ratings. A misfit matters only to ratings that rank agents.
fn ranking_doubt(report: &LeagueReport) -> Option<Doubt> {
    let sets = print::many(report.sets_played, "set");
    if report.sets_played == 0 {
        return None;
    }
    if report.sets_played < 2 {
        return Some(Doubt::Unranked(format!(
            "{sets} gives no intervals; play more sets to rank the agents"
        )));
    }
    if !report.pairs.iter().any(|pair| pair.los.is_some_and(|los| los >= SURE)) {
        return Some(Doubt::Unranked(format!(
            "{sets} are too few to rank these agents: no difference between two of them is significant at 95 %"
        )));
    }
    let fit = report.fit.as_ref().filter(|fit| fit.poor)?;
    let WorstPair { agent, other, observed, expected } = &fit.worst;
    Some(Doubt::PoorFit(format!(
        "one rating for each agent does not fit the results ({}); the worst pair: {agent} finished ahead of \
         {other} in {:.1} % of their games, the ratings predict {:.1} %",
        fit.sentence(),
        100.0 * observed,
        100.0 * expected
    )))
}
