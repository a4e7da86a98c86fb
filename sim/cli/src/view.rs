//! `jantaku view`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, anyhow, bail};
use jantaku_agents::{Catalog, MonteCarlo, NamedAgent};
use jantaku_engine::Players;
use jantaku_measure::explain::{AskingAdvisor, shown_advisors};
use jantaku_measure::review::{Review, ReviewAdvisor, ReviewRequest, SeatChoice, Threshold};
use jantaku_pages::page;
use jantaku_show::HandChoice;
use jantaku_show::transcript::TranscriptScope;
use jantaku_show::view::{Advisor, Opening};
use jantaku_sim::logs::files::shown;
use jantaku_sim::options::number;
use jantaku_sim::path_text;
use jantaku_sim::play::ThreadOptions;
use jantaku_sim::replay::error::SourceError;
use jantaku_sim::replay::source::GameSource;
use jantaku_sim::replay::view::Viewed;
use jantaku_sim::run::{AgentChoice, NamedRules, RulesChoice};
use serde_json::json;

use super::arguments::{SourceKind, load_rules, open_game, rules_of_log, split_game, start_threads};
use super::output::{Ended, Output, note, say_exact};
use super::print;

/// The end of `--help`.
const MORE: &str = "\
The page is one file and needs no network: open it in any browser, or send it by
mail. It shows the table, event by event, turn by turn or hand by hand, in
English, Japanese or Chinese. `?` in the page lists its keys.

Examples:
  $ jantaku view runs/first:3 --open
  $ jantaku view game.mjlog --hand S2 --seat Aki --closed --out game.html
  $ jantaku view runs/first:3 --agent heuristic --open
  $ jantaku view runs/first:3 --agent heuristic --agent residual --open
  $ jantaku view game.mjlog --agent mc:rollouts=512 --seat 2 --open
  $ jantaku view position.toml --open";

/// Write a game as a page for the browser
///
/// Reads every game that `show` reads, and positions
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct Args {
    /// View this game of a run or log, or the position in this file: its name ends in .toml, or is -
    /// for stdin
    #[arg(value_name = "RUN:GAME|LOG|LOG:GAME|POSITION")]
    source: String,
    /// Write the page to this file, and replace it if it exists; - is stdout
    #[arg(long, value_name = "FILE", default_value = "view.html")]
    out: PathBuf,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Open at this hand: a number from 0, or the first hand with a name such as E3 or E3-1
    #[arg(long, value_name = "N|HAND", allow_negative_numbers = true)]
    hand: Option<HandChoice>,
    /// Open at this decision, counted from 0 in the game, as `show`, `ask` and `analyse` count them
    #[arg(long, value_name = "N", conflicts_with = "hand", value_parser = number::<usize>(0..=u64::from(u32::MAX)), allow_negative_numbers = true)]
    step: Option<usize>,
    /// Seat this player at the bottom: a seat (0 is the first dealer), its wind in the first hand (E),
    /// or a name
    #[arg(long, value_name = "SEAT|WIND|NAME", allow_negative_numbers = true)]
    seat: Option<SeatChoice>,
    /// Show only the hand of the player at the bottom
    #[arg(long)]
    closed: bool,
    /// Add what this agent thinks of each decision, and what it costs. `mc` reviews the decisions of
    /// `--seat` as `analyse` does, which takes minutes; other agents are asked about all seats, or
    /// about that of `--seat`. Give it several times to compare agents
    #[arg(long = "agent", value_name = "AGENT")]
    agents: Vec<String>,
    /// Call a loss of more than this many points a mistake
    #[arg(long, value_name = "POINTS", default_value_t = Threshold::POINTS as u32, requires = "agents", value_parser = number::<u32>(0..=1_000_000), allow_negative_numbers = true)]
    threshold: u32,
    /// Spend at most this many rollouts on confirming losses, with `mc`
    #[arg(long, value_name = "N", default_value_t = ReviewRequest::ROLLOUTS, requires = "agents", value_parser = number::<u64>(0..=u64::MAX), allow_negative_numbers = true)]
    rollouts: u64,
    #[command(flatten)]
    threads: ThreadOptions,
    /// Read a log under these rules, whatever it states: a preset or a file. Runs and positions have their own
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let (view, opening) = view(args, output)?;
    let opening = Opening {
        seat: args.seat.as_ref().map_or(Ok(opening.seat), |seat| {
            let players = Players::try_from(view.players).ok().context("a game has two to four players")?;
            seat_of(seat, players, &view.names)
        })?,
        closed: opening.closed || args.closed,
        ..opening
    };
    let html = page(&view, opening);
    if args.out == Path::new("-") {
        if args.open || output.json {
            bail!("--out -: stdout has the page; `--open` and `--json` need a file");
        }
        say_exact(&html)?;
        return Ok(Ended::Done);
    }
    let show = args.out.display();
    std::fs::write(&args.out, &html).with_context(|| format!("{show}: cannot write"))?;
    let hands = view.hands.len();
    let written = json!({ "out": path_text(&args.out), "hands": hands, "bytes": html.len() });
    let text = || format!("{show}: {}, {}\n", view.source, print::many(hands as u64, "hand"));
    output.sum_up(&written, text)?;
    if args.open {
        open(&args.out)?;
    }
    Ok(Ended::Done)
}

/// The view of the source.
fn view(args: &Args, output: Output) -> anyhow::Result<Viewed> {
    let path = Path::new(&args.source);
    let scope = TranscriptScope { hand: args.hand, step: args.step };
    if args.source == "-" || (path.extension().is_some_and(|end| end == "toml") && path.is_file()) {
        if !args.agents.is_empty() {
            bail!("{}: `--agent` needs a game; `jantaku ask` answers about positions", args.source);
        }
        rules_of_log(args.rules.as_deref(), SourceKind::Position)?;
        let load = |rules: &str| load_rules(rules).map_err(|error| format!("{error:#}"));
        let position = GameSource::open_position(path, 0, load);
        let position = position.map_err(|error| not_a_position(&args.source, error))?;
        return Ok(position.view(scope, ())?);
    }
    let source = open_game(&split_game(&args.source)?, args.rules.as_deref(), ":1", output)?;
    let viewed =
        if args.agents.is_empty() { source.view(scope, ())? } else { advised(args, &source, scope)? };
    for text in viewed.0.notes.iter().filter(|_| !output.quiet) {
        note(&format!("note: {}: {text}", shown(source.path())));
    }
    Ok(viewed)
}

/// The error of a file, or of stdin, that is no position. It says how to give a log instead.
fn not_a_position(source: &str, error: SourceError) -> anyhow::Error {
    match error {
        SourceError::WholeLog { log } if source == "-" => anyhow!(
            "{log}: found a log, expected a position; write the log to a file, or give `/dev/stdin` for `-`"
        ),
        SourceError::WholeLog { log } => anyhow!("{log}: found a log, expected a position"),
        other => other.into(),
    }
}

/// The view of a game with what the agents think of it.
fn advised(args: &Args, source: &GameSource, scope: TranscriptScope) -> anyhow::Result<Viewed> {
    let (catalog, names) = (Catalog::standard(), &args.agents);
    let agent = |name: &String| catalog.agent(name).with_context(|| format!("--agent {name}"));
    let agents = names.iter().map(agent).collect::<anyhow::Result<Vec<_>>>()?;
    let seat = args.seat.as_ref();
    let seat = seat.map(|seat| seat_of(seat, source.rules().players, source.names())).transpose()?;
    let reviewed = |agent: &NamedAgent| {
        let is_search = agent.downcast::<MonteCarlo>().is_some();
        is_search.then(|| review(args, agent, source)).transpose()
    };
    let reviews = agents.iter().map(reviewed).collect::<anyhow::Result<Vec<_>>>()?;
    let (seed, threshold) = (source.seed(), args.threshold as f32);
    let asked = agents.iter().map(|agent| AskingAdvisor::new(agent, seed, seat, threshold));
    let mut asked: Vec<AskingAdvisor<'_>> = asked.collect();
    let mut reviewed: Vec<_> = reviews.iter().map(|review| review.as_ref().map(ReviewAdvisor::new)).collect();
    let advisors = asked.iter_mut().zip(&mut reviewed).map(|(asked, reviewed)| match reviewed {
        Some(reviewed) => reviewed as &mut dyn Advisor,
        None => asked,
    });
    let mut advisors: Vec<&mut dyn Advisor> = advisors.collect();
    let (mut view, opening) = source.view(scope, &mut advisors)?;
    for (name, advisor) in names.iter().zip(asked) {
        advisor.into_failure().map_or(Ok(()), Err).with_context(|| format!("--agent {name}"))?;
    }
    view.advisors = shown_advisors(&agents);
    Ok((view, opening))
}

/// Reviews the decisions of the seat of `--seat` by search. Fails without that option.
fn review(args: &Args, agent: &NamedAgent, source: &GameSource) -> anyhow::Result<Review> {
    start_threads(args.threads)?;
    let seat = args.seat.clone();
    let seat = seat.with_context(|| format!("--agent {}: name the player, as in --seat 0", agent.name()))?;
    let rules = || NamedRules { name: String::new(), rules: *source.rules() };
    let request = ReviewRequest {
        source: source.path().to_owned(),
        game: Some(source.number()),
        seat,
        hand: None,
        agent: Some(AgentChoice::Ready(vec![agent.clone()])),
        threshold: Some(args.threshold as f32),
        threshold_places: None,
        rollouts: Some(args.rollouts),
        seed: None,
        rules: args.rules.is_some().then(|| RulesChoice::Ready(Box::new(rules()))),
    };
    Ok(request.review(&mut ())?)
}

/// The number of the seat at the bottom.
fn seat_of(choice: &SeatChoice, players: Players, names: &[String]) -> anyhow::Result<u8> {
    Ok(choice.seat(players, names)?.number())
}

/// Opens a file in the browser of the system.
fn open(file: &Path) -> anyhow::Result<()> {
    let path = file.canonicalize().with_context(|| format!("{}: cannot open", file.display()))?;
    browse(path.as_os_str())
}

/// Opens a file or an address in the browser of the system.
pub(super) fn browse(target: &OsStr) -> anyhow::Result<()> {
    let (program, first): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let show = target.display();
    let started =
        Command::new(program).args(first).arg(target).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    started.with_context(|| format!("cannot start {program}; open {show} in a browser"))?;
    Ok(())
}
