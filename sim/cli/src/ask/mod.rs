//! `jantaku ask`.
//!
//! - `answer`: an agent's choice and its reasons as text, which `show --explain` prints, too

pub(super) mod answer;

use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use jantaku_agents::{Catalog, NamedAgent};
use jantaku_engine::{Action, Event, Observation, Phase, Position};
use jantaku_measure::explain::{DecisionReport, ask_all};
use jantaku_show::text;
use jantaku_sim::logs::files::shown;
use jantaku_sim::options::number;
use jantaku_sim::play::ThreadOptions;
use jantaku_sim::replay::decision_ref::DecisionRef;
use jantaku_sim::replay::source::{DecisionContext, GameSource};
use jantaku_sim::run;

use super::arguments::{SourceKind, load_rules, note_other_games, rules_of_log, start_threads};
use super::output::{Ended, Output, note, say, say_exact};
use super::print;

/// The end of `--help`.
const MORE: &str = "\
A position:
  rules = \"tenhou\"            # a preset or a file [default: tenhou]
  round = \"S4\"
  honba = 0
  sticks = 0                  # riichi sticks from earlier hands
  indicators = \"3m\"           # dora indicators, oldest first
  seat = \"south\"              # who decides, by seat wind
  live = 61                   # optional; checked
  [east]                      # a player; also [south], [west], [north]
  score = 25000               # points now [default: those of the start]
  river = \"9m 1z* 5s'\"        # * tsumogiri, r riichi, ' called by another
  [south]
  river = \"9p 1z\"
  melds = \"[5'55s]\"           # ' sideways tile: first from the left player, in
                              # the middle from across, last from the right
  hand = \"234m234889p77z\"     # needed for `seat`; +5m would be a drawn tile
  [west]
  river = \"9p 2z\"
  [north]
  river = \"1m 9s\"

sim/docs/positions.md has the whole format.

Numbers count from 0: GAME in the run or log, STEP is the number of a decision
in the game, as `jantaku show` and `jantaku analyse` print it. With several
games in a log, write LOG:GAME:STEP.

Examples:
  $ jantaku ask position.toml
  $ jantaku ask runs/first:3:141 --agents heuristic,greedy
  $ jantaku ask runs/first:3:141 --toml >position.toml
  $ jantaku ask game.mjlog:141 --json";

/// Ask agents what they do in a position, and why
///
/// Prints each agent's choice. `heuristic` also prints the expected result of every action, and
/// `residual` the correction of its network. Other agents print values and probabilities if they have them
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct Args {
    /// Ask about the position in this file, or about a decision of a run or log; - is stdin
    #[arg(value_name = "POSITION|RUN:GAME:STEP|LOG:STEP|LOG:GAME:STEP")]
    place: String,
    /// Ask these agents; `jantaku agents` lists them. Agents of a run may be given by their names
    #[arg(long, value_name = "AGENTS", default_value = "heuristic")]
    agents: String,
    /// Choose the hidden tiles of a position, and the random numbers of agents
    #[arg(long, value_name = "SEED", default_value_t = 0, value_parser = number::<u64>(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    /// Read a log under these rules instead of its own: a preset or a file. Runs and positions have their own
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
    #[command(flatten)]
    threads: ThreadOptions,
    /// Print the player's view as a position, and ask no agent
    #[arg(long)]
    toml: bool,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    if args.toml {
        output.check_no_json("`--toml` prints a position")?;
    }
    start_threads(args.threads)?;
    let decision = DecisionRef::parse(&args.place)?;
    let agents = agents_of("--agents", &args.agents, decision.run())?;
    if let DecisionRef { path, game: None, step: Some(step) } = &decision {
        note_other_games(path, &format!("{}:1:{step}", shown(path)), output);
    }
    let kind = match decision.run() {
        Some(_) => SourceKind::Run,
        None if decision.step.is_none() => SourceKind::Position,
        None => SourceKind::Log,
    };
    let name = args.rules.as_deref();
    // A log named without a decision looks like a position. Its error comes before that of `--rules`.
    let rules = if let SourceKind::Position = kind { None } else { rules_of_log(name, kind)? };
    let load = |rules: &str| load_rules(rules).map_err(|error| format!("{error:#}"));
    let source = decision.open(args.seed, rules.as_ref(), load)?;
    if let SourceKind::Position = kind {
        rules_of_log(name, kind)?;
    }
    let text = decision.visit(&source, |context, chosen| {
        answer_at(args, output, &agents, (&decision, &source), context, chosen)
    })??;
    if output.json || args.toml {
        say_exact(&text)?;
    } else {
        say(&text)?;
    }
    Ok(Ended::Done)
}

/// The agents of an option's list, in which those of a run may be given by their names.
pub(super) fn agents_of(option: &str, list: &str, run: Option<&Path>) -> anyhow::Result<Vec<NamedAgent>> {
    let of_run = run.map(run::read).transpose()?.map(|(config, _)| config.agents);
    let place = || format!("{option} {list}");
    let agents = Catalog::standard().list_with(list, &of_run.unwrap_or_default()).with_context(place)?;
    run::check_names("agents", &agents).map_err(|error| anyhow!(error.what)).with_context(place)?;
    Ok(agents)
}

/// The output about a decision.
fn answer_at(
    args: &Args,
    output: Output,
    agents: &[NamedAgent],
    (decision, source): (&DecisionRef, &GameSource),
    context: &DecisionContext<'_>,
    chosen: Option<Action>,
) -> anyhow::Result<String> {
    let (o, name) = (&context.observation, decision.name(source));
    for text in source.notes().iter().filter(|_| !output.quiet) {
        note(&format!("note: {name}: {text}"));
    }
    if args.toml {
        return Ok(position_of(source.rules_base(args.rules.as_deref()), o, context.events)?.to_toml());
    }
    let answers = ask_all(agents, context)?;
    if output.json {
        let report = DecisionReport::new((decision, source), context, chosen, answers);
        return Ok(format!("{}\n", serde_json::to_value(report)?));
    }
    let mut page = format!("{name}\n{}\n{}", assumptions(&source.assumed()), text::observation(o));
    if let Some(legend) = text::legend(&page) {
        page += &format!("{legend}.\n");
    }
    if let Some(action) = chosen {
        page += &format!("{:?} chose: {}\n", o.seat(), o.describe(action));
    }
    let legend = answer::legend(agents);
    let between = if legend.is_empty() { "" } else { "\n" };
    let mut reasons = String::new();
    for answer in &answers {
        reasons += &format!("\n{}", answer::text(answer, print::width()));
    }
    let [page, reasons] = [page, reasons].map(|text| print::wrapped_beside_tables(&text, 2, 2));
    Ok(page + between + &legend + &reasons)
}

/// A line about the values missing in a position.
fn assumptions(assumed: &[String]) -> String {
    if assumed.is_empty() {
        return String::new();
    }
    format!("Not given, so assumed: {}.\n", assumed.join("; "))
}

/// The position of a decision: what the player sees of the hand in play.
fn position_of(rules: &str, o: &Observation<'_>, events: &[Event]) -> anyhow::Result<Position> {
    if !matches!(o.phase(), Phase::Turn | Phase::Claim | Phase::KanClaim) {
        bail!("a position is a turn or a claim; this decision is at the end of a hand");
    }
    let start = events.iter().rposition(|event| matches!(event, Event::Deal { .. })).unwrap_or(0);
    let seen: Vec<Event> = events[start..].iter().map(|event| event.seen_by(o.seat())).collect();
    Position::seen(o.rules(), rules, &seen, o.seat()).context("a position has no dead hands")
}
