//! `jantaku league`.

use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use jantaku_agents::{Catalog, NamedAgent, label_of};
use jantaku_sim::arena::{LeagueConfig, LeagueError, LeagueReport, LeagueRequest, WorstPair};
use jantaku_sim::play::{Detail, Seatings};
use jantaku_sim::reports::page::Reported as _;
use jantaku_sim::run::StartError;

use super::arguments::{agents, field_in_words, in_words_of_options, named_rules, number, start_threads};
use super::html::HtmlOption;
use super::output::{Ended, Output, note, say, say_json};
use super::players::StartOptions;
use super::print;
use super::progress::Progress;

/// The largest number of a TOML file.
const MAX_NUMBER: u64 = i64::MAX as u64;

/// The largest rating of the anchor, in either direction. Larger ones would hide the decimals.
const MAX_RATING: f64 = 1_000_000.0;

/// Rate agents by games of all tables on the same walls
///
/// Every choice of agents is a table, and every table plays the same sets of walls. In each set its
/// agents change seats. sim/docs/league.md explains the ratings.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Choose the agents, at least one for each seat; `jantaku agents` lists them. With `--resume`,
    /// those that are not in the league yet join it
    #[arg(long, value_name = "A,B,C,…", required_unless_present = "resume")]
    agents: Option<String>,
    /// Play this many sets of walls at every table; with `--resume`, a larger number extends the
    /// league
    #[arg(
        long, value_name = "N", required_unless_present = "resume",
        value_parser = number::<u64>(1..=1_000_000_000), allow_negative_numbers = true
    )]
    sets: Option<u64>,
    /// Choose the rules, a preset (`jantaku rules list` lists them) or a TOML file
    /// [default: tenhou]
    #[arg(long, value_name = "PRESET|FILE")]
    rules: Option<String>,
    /// Set the seed of the walls, from 0 to 9223372036854775807 [default: 0]
    #[arg(long, value_name = "S", value_parser = number::<u64>(0..=MAX_NUMBER), allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Choose the seatings of a set: rotations, in which all agents move on by one seat from game
    /// to game, or all-orders [default: rotations]
    #[arg(long, value_name = "KIND", value_parser = ["rotations", "all-orders"])]
    seatings: Option<String>,
    /// Write the league to this new or empty folder
    #[arg(long, value_name = "DIR", required_if_eq("resume", "true"))]
    out: Option<PathBuf>,
    /// Play the missing games of the league in the folder: interrupted tables, tables with new
    /// agents, and new sets
    #[arg(long)]
    resume: bool,
    /// Choose the tables of data to write: games, also hands, also decisions, or also oracle
    /// [default: hands]
    #[arg(long, value_name = "LEVEL", value_parser = ["games", "hands", "decisions", "oracle"], requires = "out")]
    log: Option<String>,
    /// Play on this many threads, at most 1024 [default: all threads of the machine]
    #[arg(long, value_name = "T", value_parser = number::<usize>(1..=1024), allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Give this agent a fixed rating, to which all others are relative [default: the first agent]
    #[arg(long, value_name = "AGENT")]
    anchor: Option<String>,
    /// Set the rating of the anchor
    #[arg(long, value_name = "R", default_value_t = 0.0, allow_negative_numbers = true, value_parser = rating)]
    anchor_rating: f64,
    #[command(flatten)]
    html: HtmlOption,
    #[command(flatten)]
    start: StartOptions,
}

fn rating(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.abs() <= MAX_RATING);
    number.ok_or_else(|| format!("expected a number from -{MAX_RATING} to {MAX_RATING}"))
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    args.html.check()?;
    start_threads(args.threads)?;
    // Signals are caught before the first file is written.
    let mut progress = Progress::games(0, !output.quiet)?;
    let (league, agents) = request(args)?.resolve().map_err(in_words)?;
    let anchor = anchor(args, league.config())?;
    progress.set_length(league.remaining()?);
    let played = league.play(&agents, args.start.verbose, &progress.stop_flag(), &mut progress);
    progress.finish();
    let out = args.out.as_deref();
    let report = LeagueReport::new(league.config(), out, played?, anchor, args.anchor_rating);
    if let Some(folder) = out {
        report.write(folder)?;
    }
    args.html.write_report(&report, &[])?;
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

/// What the command line asks for.
fn request(args: &Args) -> anyhow::Result<LeagueRequest> {
    let seatings = |name: &str| Seatings::ALL.into_iter().find(|seatings| seatings.name() == name);
    Ok(LeagueRequest {
        agents: args.agents.as_deref().map(agents),
        sets: args.sets,
        rules: args.rules.as_deref().map(named_rules).transpose()?,
        seed: args.seed,
        seatings: args.seatings.as_deref().and_then(seatings),
        log: args.log.as_deref().and_then(Detail::named),
        out: args.out.clone(),
        resume: args.resume,
        tables: args.start.tables,
        on_fault: args.start.on_fault,
    })
}

/// The error with options instead of fields.
fn in_words(error: LeagueError) -> anyhow::Error {
    match error {
        LeagueError::Request(error) => in_words_of_options(error),
        LeagueError::Config(error) | LeagueError::Start(StartError::Config(error)) => field_in_words(error),
        LeagueError::TooFewAgents { found, seats } => anyhow!(
            "--agents: {} for tables of {seats} seats; a league needs at least {seats}. To compare fewer \
            agents, use `jantaku match`",
            print::many(found as u64, "agent")
        ),
        LeagueError::Other { folder, field, found, asked } => anyhow!(
            "--{}: the league in {} has {found}, found {asked}; leave out the option to resume the league as \
            it is",
            field.replace('_', "-"),
            folder.display()
        ),
        other => other.into(),
    }
}

/// The index of the agent with a fixed rating. It is given as an agent or by the name that the user
/// gave it.
fn anchor(args: &Args, config: &LeagueConfig) -> anyhow::Result<usize> {
    let is_given = |name: &String| args.anchor.as_deref() == Some(label_of(name));
    if let Some(index) = config.agents.iter().position(is_given) {
        return Ok(index);
    }
    let agent = |text: &String| Catalog::standard().agent(text).with_context(|| format!("--anchor {text}"));
    let agent: Option<NamedAgent> = args.anchor.as_ref().map(agent).transpose()?;
    config.anchor(agent.as_ref()).map_err(in_words_of_options)
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
