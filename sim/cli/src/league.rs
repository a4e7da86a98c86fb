//! `jantaku league`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use jantaku_agents::{Catalog, Faults};
use jantaku_sim::arena::{
    Explanation, LeagueConfig, LeagueError, LeagueRequest, LeagueResult, PlotRow, Rating, Ratings, plot, rate,
};
use jantaku_sim::play::{Detail, Seatings, faults_as_json};
use serde_json::{Value, json};

use super::arguments::{agents, in_words_of_options, named_rules, number, start_threads};
use super::output::{Ended, Output, say, say_json};
use super::players::{StartOptions, fault_lines};
use super::print;
use super::progress::Progress;

/// The largest number of a TOML file.
const LARGEST: u64 = i64::MAX as u64;

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
    /// Choose the rules, a preset or a TOML file; `jantaku rules list` lists the presets
    /// [default: tenhou]
    #[arg(long, value_name = "PRESET|FILE")]
    rules: Option<String>,
    /// Set the seed of the walls, from 0 to 9223372036854775807 [default: 0]
    #[arg(long, value_name = "S", value_parser = number::<u64>(0..=LARGEST), allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Choose the seatings of a set: rotations, in which all agents move on by one seat from game
    /// to game, or all-orders [default: rotations]
    #[arg(long, value_name = "KIND", value_parser = ["rotations", "all-orders"])]
    seatings: Option<String>,
    /// Write the league to this new or empty folder
    #[arg(long, value_name = "DIR", required_if_eq("resume", "true"))]
    out: Option<PathBuf>,
    /// Play what is missing of the league in the folder: tables that were interrupted or that have
    /// new agents, and new sets
    #[arg(long)]
    resume: bool,
    /// Choose the tables of data to write: games, also hands, also decisions, or also oracle
    /// [default: games]
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
    /// Draw the ratings into this SVG file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    start: StartOptions,
}

fn rating(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| "expected a number".to_owned())
}

/// A league after it was played.
struct Report<'a> {
    config: &'a LeagueConfig,
    out: Option<&'a Path>,
    played: LeagueResult,
    ratings: Ratings,
    anchor: usize,
    anchor_rating: f64,
    /// The agents that had faults.
    faults: Vec<(String, Faults)>,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    check_plot(args)?;
    start_threads(args.threads)?;
    // Signals are caught before the first file is written.
    let mut progress = Progress::games(0, !output.quiet)?;
    let (league, agents) = request(args)?.resolve().map_err(in_words)?;
    let config = league.config();
    let anchor = anchor(args, config)?;
    progress.set_length(league.remaining()?);
    let played = league.play(&agents, args.start.verbose, &progress.stop_flag(), &mut progress);
    progress.finish();
    let played = played?;
    let faults = config.agents.iter().cloned().zip(played.faults.iter().cloned());
    let report = Report {
        faults: faults.filter(|(_, faults)| faults.total() > 0).collect(),
        ratings: rate(&played.games, anchor, args.anchor_rating),
        config,
        out: args.out.as_deref(),
        played,
        anchor,
        anchor_rating: args.anchor_rating,
    };
    if let Some(path) = &args.plot {
        std::fs::write(path, report.svg()).with_context(|| format!("{}: cannot write", path.display()))?;
    }
    report.warn();
    if output.json {
        say_json(&report.json())?;
    } else {
        say(&report.text(output.quiet))?;
    }
    Ok(if report.played.complete { Ended::Done } else { Ended::Interrupted })
}

/// Checks that the picture has a folder, before hours of play.
fn check_plot(args: &Args) -> anyhow::Result<()> {
    let Some(path) = &args.plot else { return Ok(()) };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if path.is_dir() || folder.is_some_and(|folder| !folder.is_dir()) {
        bail!("--plot {}: expected a file in a folder that exists", path.display());
    }
    Ok(())
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

/// The index of the anchor.
fn anchor(args: &Args, config: &LeagueConfig) -> anyhow::Result<usize> {
    let Some(text) = &args.anchor else { return Ok(0) };
    let agent = Catalog::standard().agent(text).with_context(|| format!("--anchor {text}"))?;
    let index = config.agents.iter().position(|name| name == agent.name());
    index.with_context(|| {
        format!("--anchor {text}: is not in the league; expected one of {}", config.agents.join(", "))
    })
}

impl Report<'_> {
    /// The agents, strongest first.
    fn order(&self) -> Vec<usize> {
        let key = |agent: &usize| match self.ratings.ratings[*agent] {
            Rating::Above { .. } => (0, 0.0),
            Rating::Anchor(value) | Rating::Finite { value, .. } => (1, -value),
            Rating::Unknown => (2, 0.0),
            Rating::Below { .. } => (3, 0.0),
        };
        let placement = |agent: &usize| self.played.games.mean_placement(*agent).unwrap_or(f64::INFINITY);
        let mut order: Vec<usize> = (0..self.config.agents.len()).collect();
        order.sort_by(|a, b| {
            let ((class, value), (other_class, other)) = (key(a), key(b));
            let by_rating = class.cmp(&other_class).then(value.total_cmp(&other));
            by_rating.then(placement(a).total_cmp(&placement(b)))
        });
        order
    }

    fn svg(&self) -> String {
        let row = |agent: usize| PlotRow {
            label: self.config.agents[agent].clone(),
            rating: self.ratings.ratings[agent],
        };
        let rows: Vec<PlotRow> = self.order().into_iter().map(row).collect();
        let (games, rules) = (print::many(self.played.games.games(), "game"), &self.config.rules_name);
        plot(&rows, &format!("{games} under {rules}"))
    }

    /// Warns of results that the ratings do not explain, and of tables of several programs.
    fn warn(&self) {
        if let Some(found) = self.ratings.explanation.as_ref().filter(|found| found.is_poor()) {
            let pair = found.pairs[0];
            let [agent, other] = [pair.agent, pair.other].map(|agent| &self.config.agents[agent]);
            eprintln!(
                "warning: the ratings do not explain the results ({}): {agent} finished ahead of {other} in \
                {:.1} % of their games, expected {:.1} %",
                explained(found),
                100.0 * pair.observed,
                100.0 * pair.expected
            );
        }
        if self.played.programs.len() > 1 {
            let programs: Vec<&str> = self.played.programs.iter().map(String::as_str).collect();
            eprintln!(
                "warning: several programs played the tables ({}); agents may have changed between them",
                programs.join("; ")
            );
        }
    }

    fn text(&self, quiet: bool) -> String {
        let head = if quiet { String::new() } else { print::wrapped(&self.head(), 2) + "\n" };
        let explained = self.ratings.explanation.as_ref().map_or_else(String::new, |found| {
            format!("\nagreement of results and ratings: {}\n", explained(found))
        });
        head + "ratings with 95 % intervals, and the share of games in each place, %\n"
            + &print::table(&self.rating_rows())
            + "\nlikelihood that the row's agent is stronger than the column's, %\n"
            + &self.pair_table(|agent, other| likelihood(self.ratings.superiority[agent][other]))
            + &format!(
                "\nshare of games in which the row's agent finished ahead, % of {}\n",
                self.pair_games()
            )
            + &self.pair_table(|agent, other| {
                let (ahead, behind) =
                    (self.played.games.ahead(agent, other), self.played.games.ahead(other, agent));
                percent(ahead, ahead + behind)
            })
            + &explained
    }

    fn head(&self) -> String {
        let Report { config, played, .. } = self;
        let LeagueResult { seconds, threads, .. } = played;
        let (tables, sets) = (config.tables().len() as u64, config.sets);
        let (games, all) = (played.games.games(), config.games());
        let interrupted = if played.complete {
            String::new()
        } else {
            let (games, all) = (print::thousands(games), print::thousands(all));
            let end = if self.out.is_some() {
                "are kept; to resume, repeat the command with --resume"
            } else {
                "were played"
            };
            format!("interrupted: {games} of {all} games {end}\n")
        };
        let speed = if played.played == 0 {
            "nothing was left to play\n".to_owned()
        } else {
            format!(
                "{} in {seconds:.1} s on {}: {} games/s\n",
                print::many(played.played, "game"),
                print::many(*threads as u64, "thread"),
                print::thousands((played.played as f64 / seconds) as u64)
            )
        };
        format!(
            "{interrupted}league of {}: {} of {}, {} under {}, seed {}\n{speed}",
            print::many(config.agents.len() as u64, "agent"),
            print::many(tables, "table"),
            print::many(sets, "set"),
            print::many(games, "game"),
            config.rules_name,
            config.seed
        ) + &fault_lines(&self.faults)
    }

    fn rating_rows(&self) -> Vec<Vec<String>> {
        let places = ["1st", "2nd", "3rd", "4th"];
        let places = &places[..usize::from(self.config.rules.players.count())];
        let titles = ["agent", "Elo", "±", "games", "place"].iter().chain(places);
        let mut rows: Vec<Vec<String>> = vec![titles.map(|title| (*title).to_owned()).collect()];
        let games = &self.played.games;
        for (number, agent) in (1..).zip(self.order()) {
            let rating = self.ratings.ratings[agent];
            let points = |value: f64| format!("{value:+.1}");
            let (value, interval) = match rating {
                Rating::Anchor(value) => (points(value), "anchor".to_owned()),
                Rating::Finite { value, interval: Some((_, high)) } => {
                    (points(value), format!("{:.1}", high - value))
                }
                Rating::Finite { value, interval: None } => (points(value), "–".to_owned()),
                Rating::Above { low } => {
                    ("∞".to_owned(), low.map_or_else(String::new, |low| format!("> {low:+.1}")))
                }
                Rating::Below { high } => {
                    ("-∞".to_owned(), high.map_or_else(String::new, |high| format!("< {high:+.1}")))
                }
                Rating::Unknown => ("–".to_owned(), "–".to_owned()),
            };
            let placement =
                games.mean_placement(agent).map_or_else(|| "–".to_owned(), |mean| format!("{mean:.3}"));
            let own = games.games_of(agent);
            let mut row = vec![self.label(number, agent), value, interval, print::thousands(own), placement];
            row.extend(games.placements(agent)[..places.len()].iter().map(|count| percent(*count, own)));
            rows.push(row);
        }
        rows
    }

    fn label(&self, number: usize, agent: usize) -> String {
        format!("{number} {}", self.config.agents[agent])
    }

    /// A table with a row and a column for each agent.
    fn pair_table(&self, cell: impl Fn(usize, usize) -> String) -> String {
        let order = self.order();
        let numbers = (1..=order.len()).map(|number| number.to_string());
        let mut rows = vec![std::iter::once(String::new()).chain(numbers).collect::<Vec<String>>()];
        for (number, agent) in (1..).zip(&order) {
            let cells =
                order.iter().map(|other| if agent == other { String::new() } else { cell(*agent, *other) });
            rows.push(std::iter::once(self.label(number, *agent)).chain(cells).collect());
        }
        print::table(&rows)
    }

    /// How many games two agents have played against each other.
    fn pair_games(&self) -> String {
        let (games, agents) = (&self.played.games, self.config.agents.len());
        let pairs = (0..agents).flat_map(|agent| (0..agent).map(move |other| (agent, other)));
        let counts = pairs.map(|(agent, other)| games.ahead(agent, other) + games.ahead(other, agent));
        let (least, most) =
            counts.fold((u64::MAX, 0), |(least, most), count| (least.min(count), most.max(count)));
        if least == most {
            print::many(most, "game")
        } else {
            format!("{} to {}", print::thousands(least), print::many(most, "game"))
        }
    }

    fn json(&self) -> Value {
        let Report { config, out, played, ratings, anchor, anchor_rating, faults } = self;
        let LeagueResult { seconds, threads, .. } = played;
        let (games, players) = (&played.games, usize::from(config.rules.players.count()));
        let agent = |agent: usize| {
            let rating = ratings.ratings[agent];
            json!({
                "agent": config.agents[agent],
                "rating": rating.value(),
                "low": rating.low(),
                "high": rating.high(),
                "games": games.games_of(agent),
                "placement": games.mean_placement(agent),
                "placements": games.placements(agent)[..players],
            })
        };
        let pair = |agent: usize, other: usize| {
            let (ahead, behind) = (games.ahead(agent, other), games.ahead(other, agent));
            json!({
                "agent": config.agents[agent],
                "other": config.agents[other],
                "games": ahead + behind,
                "ahead": ahead,
                "superiority": ratings.superiority[agent][other],
            })
        };
        let order = self.order();
        let pairs = order.iter().flat_map(|agent| {
            order.iter().filter(move |other| agent != *other).map(move |other| pair(*agent, *other))
        });
        let fit = ratings.explanation.as_ref().map(
            |found| json!({ "p_value": found.p_value, "misfit": found.misfit, "poor": found.is_poor() }),
        );
        json!({
            "agents": order.iter().map(|one| agent(*one)).collect::<Vec<_>>(),
            "pairs": pairs.collect::<Vec<_>>(),
            "fit": fit,
            "anchor": config.agents[*anchor],
            "anchor_rating": anchor_rating,
            "tables": config.tables().len(),
            "sets": config.sets,
            "games": games.games(),
            "played": played.played,
            "seatings": config.seatings.name(),
            "rules": config.rules_name,
            "rules_hash": format!("{:016x}", config.rules.hash()),
            "seed": config.seed,
            "out": out,
            "complete": played.complete,
            "faults": faults_as_json(faults),
            "seconds": seconds,
            "threads": threads,
        })
    }
}

/// The figures of the agreement of results and ratings.
fn explained(found: &Explanation) -> String {
    let p =
        if found.p_value < 0.0001 { "p < 0.0001".to_owned() } else { format!("p = {:.4}", found.p_value) };
    format!("{p}, misfit {:.2} percentage points", 100.0 * found.misfit)
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
