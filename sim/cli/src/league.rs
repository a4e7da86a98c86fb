//! `jantaku league`.

use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use jantaku_agents::{Catalog, NamedAgent, label_of};
use jantaku_sim::arena::{
    AgentPair, LeagueConfig, LeagueError, LeagueFit, LeagueReport, LeagueRequest, RatedAgent, Rating,
    WorstPair,
};
use jantaku_sim::play::{Detail, FaultReport, Seatings};
use jantaku_sim::reports::page::PageKind;
use jantaku_sim::run::StartError;

use super::arguments::{agents, field_in_words, in_words_of_options, named_rules, number, start_threads};
use super::html::HtmlOption;
use super::output::{Ended, Output, note, say, say_json};
use super::players::{StartOptions, fault_lines};
use super::print::{self, AgentNames};
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
    args.html.write(PageKind::League, &report, &[])?;
    warn(&report, output.quiet);
    if output.json {
        say_json(&report)?;
    } else {
        say(&text(&report, output.quiet))?;
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
        explained(fit),
        100.0 * observed,
        100.0 * expected
    )))
}

fn text(report: &LeagueReport, quiet: bool) -> String {
    let agents = report.agents.iter().map(|rated| (rated.agent.clone(), rated.text.clone()));
    let figures = rating_figures(report);
    let names = &AgentNames::within(agents, room_for_names(report.agents.len(), &figures));
    let head = if quiet { String::new() } else { print::wrapped(&head(report, names), 2) + "\n" };
    let legend = print::legend(names);
    let head = if legend.is_empty() { head } else { format!("{head}{legend}\n") };
    let fit = report
        .fit
        .as_ref()
        .map_or_else(String::new, |fit| format!("\nagreement of results and ratings: {}", explained(fit)));
    let ahead =
        format!("share of games in which the row's agent finished ahead, % of {}", pair_games(report));
    head + &print::wrapped("ratings with 95 % intervals, and the share of games in each place, %", 2)
        + &print::table(&labelled(&figures, "agent", report, names))
        + "\n"
        + &print::wrapped("likelihood that the row's agent is stronger than the column's, %", 2)
        + &pair_table(report, names, |pair| likelihood(pair.los))
        + "\n"
        + &print::wrapped(&ahead, 2)
        + &pair_table(report, names, |pair| percent(pair.ahead, pair.games))
        + &print::wrapped(&fit, 2)
}

fn head(report: &LeagueReport, names: &AgentNames) -> String {
    let LeagueReport { games, games_asked, played, seconds, threads, .. } = *report;
    let interrupted = if report.complete {
        String::new()
    } else {
        let (games, all) = (print::thousands(games), print::thousands(games_asked));
        let end = if report.out.is_some() {
            "are kept; to resume, repeat the command with --resume"
        } else {
            "were played"
        };
        format!("interrupted: {games} of {all} games {end}\n")
    };
    let speed = if played == 0 {
        if report.complete { "nothing was left to play\n".to_owned() } else { String::new() }
    } else {
        format!(
            "{} in {seconds:.1} s on {}: {}\n",
            print::many(played, "game"),
            print::many(threads as u64, "thread"),
            print::speed(played, seconds, "game")
        )
    };
    format!(
        "{interrupted}league of {}: {} of {}, {} under {}, seed {}\n{speed}",
        print::many(report.agents.len() as u64, "agent"),
        print::many(report.tables as u64, "table"),
        print::many(report.sets, "set"),
        print::many(games, "game"),
        report.rules,
        report.seed
    ) + &fault_lines(&FaultReport::of(&report.faults), names)
}

/// The cells of the ratings beside the agents, with those of the head.
fn rating_figures(report: &LeagueReport) -> Vec<Vec<String>> {
    let places = ["1st", "2nd", "3rd", "4th"];
    let places = &places[..report.agents[0].placements.len()];
    let titles = ["Elo", "±", "games", "place"].iter().chain(places);
    let mut rows: Vec<Vec<String>> = vec![titles.map(|title| (*title).to_owned()).collect()];
    for rated in &report.agents {
        let [value, interval] = rating_cells(rated.estimate);
        let placement = rated.placement.map_or_else(|| "–".to_owned(), |mean| format!("{mean:.3}"));
        let games = print::thousands(rated.games);
        let mut row = vec![value, interval, games, placement];
        row.extend(rated.placements.iter().map(|count| percent(*count, rated.games)));
        rows.push(row);
    }
    rows
}

/// The fewest columns of a name that a table shows.
const MIN_LETTERS: usize = 8;
/// The figures beside a name in a line of the narrowest terminal: the rating, its interval and the
/// games.
const FIGURES_OF_LINE: usize = 3;

/// The columns of a name for which lines have room beside the first figures. The other figures follow
/// in further lines if need be.
fn room_for_names(agents: usize, figures: &[Vec<String>]) -> usize {
    let width = |column: usize| figures.iter().map(|row| print::columns(&row[column])).max().unwrap_or(0);
    let others: usize = (0..FIGURES_OF_LINE).map(|column| 2 + width(column)).sum();
    let number = agents.to_string().len() + 1;
    print::width().saturating_sub(2 + number + others).clamp(MIN_LETTERS, print::MAX_LETTERS)
}

/// Rows of cells, the first of them the head, behind the agents.
fn labelled(
    cells: &[Vec<String>],
    title: &str,
    report: &LeagueReport,
    names: &AgentNames,
) -> Vec<Vec<String>> {
    let agents = (1..).zip(&report.agents).map(|(number, rated)| label(number, rated, names));
    let labels = std::iter::once(title.to_owned()).chain(agents);
    labels
        .zip(cells)
        .map(|(label, cells)| std::iter::once(label).chain(cells.iter().cloned()).collect())
        .collect()
}

/// A rating and half its interval, or its bound.
fn rating_cells(rating: Rating) -> [String; 2] {
    let points = |value: f64| format!("{value:+.1}");
    let bound =
        |sign: char, end: Option<f64>| end.map_or_else(String::new, |end| format!("{sign} {end:+.1}"));
    match rating {
        Rating::Anchor(value) => [points(value), "anchor".to_owned()],
        Rating::Finite { value, interval: Some((_, high)) } => {
            [points(value), format!("{:.1}", high - value)]
        }
        Rating::Finite { value, interval: None } => [points(value), "–".to_owned()],
        Rating::Above { low } => ["∞".to_owned(), bound('>', low)],
        Rating::Below { high } => ["-∞".to_owned(), bound('<', high)],
        Rating::Unknown => ["–".to_owned(), "–".to_owned()],
    }
}

fn label(number: usize, rated: &RatedAgent, names: &AgentNames) -> String {
    format!("{number} {}", names.shown(&rated.agent))
}

/// A table with a row and a column for each agent, in blocks of columns that fit the lines.
fn pair_table(report: &LeagueReport, names: &AgentNames, cell: impl Fn(&AgentPair) -> String) -> String {
    let agents = &report.agents;
    let labels = (1..).zip(agents).map(|(number, rated)| print::columns(&label(number, rated, names)));
    let room = print::width().saturating_sub(2 + labels.max().unwrap_or(0));
    let blocks = agents.len().div_ceil((room / (2 + PAIR_WIDTH)).max(1));
    let columns: Vec<(usize, &RatedAgent)> = (1..).zip(agents).collect();
    let of_block = |columns: &[(usize, &RatedAgent)]| {
        let mut cells = vec![columns.iter().map(|(number, _)| number.to_string()).collect::<Vec<_>>()];
        cells.extend(agents.iter().map(|rated| {
            let pairs = columns.iter().map(|(_, other)| report.pair(&rated.agent, &other.agent));
            pairs.map(|pair| pair.map_or_else(String::new, &cell)).collect()
        }));
        print::table(&labelled(&cells, "", report, names))
    };
    let tables: Vec<String> = columns.chunks(agents.len().div_ceil(blocks)).map(of_block).collect();
    tables.join("\n")
}

/// Letters of the widest cell of a pair, such as `>99.9`.
const PAIR_WIDTH: usize = 5;

/// How many games two agents have played against each other.
fn pair_games(report: &LeagueReport) -> String {
    let counts = || report.pairs.iter().map(|pair| pair.games);
    let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    if least == most {
        print::many(most, "game")
    } else {
        format!("{} to {}", print::thousands(least), print::many(most, "game"))
    }
}

/// The figures of the goodness of fit.
fn explained(fit: &LeagueFit) -> String {
    let p = if fit.p_value < 0.0001 { "p < 0.0001".to_owned() } else { format!("p = {:.4}", fit.p_value) };
    format!("{p}, excess RMS {:.2} percentage points", 100.0 * fit.excess_rms)
}

/// A share in percent; a dash if the whole is 0.
fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.1}", 100.0 * part as f64 / whole as f64) }
}

/// A likelihood in percent that never looks certain.
fn likelihood(likelihood: Option<f64>) -> String {
    match likelihood.map(|likelihood| 100.0 * likelihood) {
        None => "–".to_owned(),
        Some(percent) if percent < 0.05 => "<0.1".to_owned(),
        Some(percent) if percent >= 99.95 => ">99.9".to_owned(),
        Some(percent) => format!("{percent:.1}"),
    }
}
