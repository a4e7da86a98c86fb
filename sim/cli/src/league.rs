//! `jantaku league`.

use jantaku_measure::arena::{LeagueReport, LeagueRequest, WorstPair};
use jantaku_measure::reports::page::Reported as _;
use jantaku_sim::play::ThreadOptions;

use super::arguments::start_threads;
use super::html::HtmlOption;
use super::output::{Ended, Output, note};
use super::print;
use super::progress::Progress;

/// Rate agents by games of all tables on the same walls
///
/// Each combination of agents is a table; all tables play the same sets of walls. In each set its
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
    output.print(&report, || {
        let shown = report.report(&[]);
        let shown = if output.quiet { shown.without_head() } else { shown };
        shown.to_text(print::width())
    })?;
    Ok(if report.complete { Ended::Done } else { Ended::Interrupted })
}

/// Says how far the ratings can be trusted, and warns of tables of several programs.
fn warn(report: &LeagueReport, quiet: bool) {
    if let Some(text) = unranked(report) {
        if !quiet {
            note(&format!("note: {text}"));
        }
    } else if let Some(text) = poor_fit(report) {
        // A misfit matters only to ratings that rank agents.
        note(&format!("warning: {text}"));
    }
    if report.programs.len() > 1 {
        note(&format!(
            "warning: several programs played the tables ({}); agents may have changed between them",
            report.programs.join("; ")
        ));
    }
}

/// The chance from which on an agent counts as stronger than another: the interval of their difference
/// leaves out 0.
const SURE: f64 = 0.975;

/// A note if there are too few sets to distinguish any two agents.
fn unranked(report: &LeagueReport) -> Option<String> {
    let sets = print::many(report.sets_played, "set");
    let is_significant = || report.pairs.iter().any(|pair| pair.los.is_some_and(|los| los >= SURE));
    match report.sets_played {
        0 => None,
        1 => Some(format!("{sets} gives no intervals; play more sets to rank the agents")),
        _ if is_significant() => None,
        _ => Some(format!(
            "{sets} are too few to rank these agents: no difference between two of them is significant at 95 %"
        )),
    }
}

/// A warning if the ratings do not describe the results.
fn poor_fit(report: &LeagueReport) -> Option<String> {
    let fit = report.fit.as_ref().filter(|fit| fit.poor)?;
    let WorstPair { agent, other, observed, expected } = &fit.worst;
    Some(format!(
        "one rating for each agent does not fit the results ({}); the worst pair: {agent} finished ahead of \
         {other} in {:.1} % of their games, the ratings predict {:.1} %",
        fit.sentence(),
        100.0 * observed,
        100.0 * expected
    ))
}
