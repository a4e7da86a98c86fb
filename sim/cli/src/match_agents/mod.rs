//! `jantaku match`.
//!
//! - `report`: what it prints at the end

mod report;

use std::path::PathBuf;

use anyhow::{Context as _, anyhow, bail};
use jantaku_agents::{Catalog, NamedAgent};
use jantaku_sim::arena::{
    MOST_SETS, MatchOutcome, MatchPlan, MatchReport, MatchSetup, PrepareError, PreparedMatch, Sprt,
    play_match, play_match_batched, sets_for,
};
use jantaku_sim::play::{By, Detail, Seatings};
use jantaku_sim::players::{Players, Started};
use jantaku_sim::run::RunConfig;
use jantaku_sim::stats::Section;
use serde_json::json;

use super::arguments::{load_rules, number, start_threads};
use super::figures::FigureOptions;
use super::output::{Ended, Output, say, say_json};
use super::players::{StartOptions, note_games_played_again};
use super::print;
use super::progress::Progress;
use report::Report;

/// The sets of a match that finds out how many sets are needed.
const PILOT_SETS: u64 = 400;

/// Find out which agent is stronger, with error bars
///
/// All games of a set are on the same walls, and the agents change seats. Intervals and tests are
/// over sets. sim/docs/matches.md has the formulas.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Play this agent against the baseline; see `jantaku agents`
    #[arg(long, value_name = "AGENT", requires = "baseline", conflicts_with = "agents")]
    challenger: Option<String>,
    /// Play the challenger against this agent
    #[arg(long, value_name = "AGENT", requires = "challenger")]
    baseline: Option<String>,
    /// Play these agents at one table, an agent for each seat
    #[arg(long, value_name = "A,B,C,D")]
    agents: Option<String>,
    /// Choose who sits where in the games of a set: 1-v-rest, the challenger in each seat in turn;
    /// 2-v-2, both agents in two seats, all six ways; all-orders, all orders of --agents around the
    /// table; rotations, each of --agents in each seat [default: 1-v-rest, or all-orders]
    #[arg(long, value_name = "SEATINGS", value_parser = ["1-v-rest", "2-v-2", "all-orders", "rotations"])]
    seatings: Option<String>,
    /// Play this many sets, or at most as many with --sprt
    #[arg(
        long, value_name = "N", value_parser = number::<u64>(1..=MOST_SETS), allow_negative_numbers = true,
        required_unless_present_any = ["sprt", "plan", "resume"]
    )]
    sets: Option<u64>,
    /// Stop as soon as it is clear whether the challenger gains the second number of placements or
    /// only the first, such as 0,0.05
    #[arg(long, value_name = "G0,G1", value_parser = two_gains, allow_hyphen_values = true, conflicts_with = "agents")]
    sprt: Option<(f64, f64)>,
    /// Set the chance of each wrong decision of --sprt
    #[arg(long, value_name = "ALPHA[,BETA]", value_parser = two_risks, default_value = "0.05", requires = "sprt")]
    risk: (f64, f64),
    /// Say how many sets show this gain in 80 of 100 matches; plays 400 sets to find out, unless
    /// the variance of a set's mean placement is given
    #[arg(
        long, value_name = "gain=G[,variance=V]", value_parser = gain_to_plan,
        conflicts_with_all = ["sets", "sprt", "out", "agents", "luck"]
    )]
    plan: Option<(f64, Option<f64>)>,
    /// Choose the rules, a preset or a TOML file; `jantaku rules list` lists the presets
    /// [default: tenhou]
    #[arg(long, value_name = "PRESET|FILE")]
    rules: Option<String>,
    /// Set the seed of the walls and of random choices [default: 0]
    #[arg(long, value_name = "S", value_parser = number::<u64>(0..=i64::MAX as u64), allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Play on this many threads, at most 1024 [default: all threads of the machine]
    #[arg(long, value_name = "T", value_parser = number::<usize>(1..=1024), allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Keep the games as a run in this new or empty folder, with the result in result.json
    #[arg(long, value_name = "DIR", required_if_eq("resume", "true"))]
    out: Option<PathBuf>,
    /// Also report results without luck, whose intervals are narrower
    #[arg(long)]
    luck: bool,
    /// Choose the tables of the run: hands, also decisions, or also oracle [default: hands, or
    /// decisions with --luck]
    #[arg(long, value_name = "LEVEL", value_parser = ["hands", "decisions", "oracle"], requires = "out")]
    log: Option<String>,
    /// Resume the match in the folder with its own options; a larger --sets extends it
    #[arg(long, conflicts_with_all = ["challenger", "agents", "seatings", "sprt", "rules", "seed", "log", "luck", "plan"])]
    resume: bool,
    #[command(flatten)]
    figures: FigureOptions,
    #[command(flatten)]
    start: StartOptions,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    args.figures.check()?;
    let (sections, divisions) = if args.figures.are_chosen() {
        (args.figures.sections()?, args.figures.divisions()?)
    } else {
        (vec![Section::Players], vec![By::Agent])
    };
    start_threads(args.threads)?;
    if let Some((gain, variance)) = args.plan {
        return plan(args, (gain, variance), output);
    }
    // Signals are caught before the first file is written.
    let mut progress = Progress::sets(0, !output.quiet)?;
    let (mut game, agents) = prepared(args)?;
    if let Some(run) = game.run()
        && !output.quiet
    {
        note_games_played_again(run);
    }
    let earlier = game.earlier_faults()?;
    let mut players = game.start(&agents, args.start.verbose, &progress.stop_flag())?;
    game.plan().sets.map_or_else(|| progress.set_open(), |sets| progress.set_length(sets));
    let outcome = game.play(&mut players, earlier, &mut progress);
    progress.finish();
    let MatchOutcome { played, times, faults, threads } = outcome?;
    let report = MatchReport {
        config: game.config(),
        folder: args.out.as_deref(),
        plan: game.plan(),
        played: &played,
        times: &times,
        faults: &faults,
        threads,
        sections: &sections,
        divisions: &divisions,
    };
    args.figures.write(&report.figures())?;
    if let Some(folder) = &args.out {
        report.write(folder)?;
    }
    if output.json {
        say_json(&report.json())?;
    } else {
        let shown = Report { report: &report, shows_figures: args.figures.are_chosen() };
        say(&shown.text(output.quiet))?;
    }
    Ok(if played.complete { Ended::Done } else { Ended::Interrupted })
}

/// Prints how many sets show a gain.
fn plan(args: &Args, (gain, variance): (f64, Option<f64>), output: Output) -> anyhow::Result<Ended> {
    let (mut config, agents) = asked(args)?;
    let per_set = config.schedule().games_per_set();
    let (variance, pace) = if let Some(variance) = variance {
        (variance, None)
    } else {
        config.games = Some(PILOT_SETS * per_set);
        let mut progress = Progress::sets(PILOT_SETS, !output.quiet)?;
        let pilot = MatchPlan::of_sets(PILOT_SETS);
        let mut players = args.start.start(&agents, None, &progress)?;
        let pilot = match &mut players {
            Players::Policies(agents) => play_match(&config, &pilot, agents, &mut progress)?,
            Players::Started(Started { agents, tables }) => {
                play_match_batched(&config, &pilot, agents, *tables, &mut progress)?
            }
        };
        progress.finish();
        let Some(variance) = pilot.counts.variance().filter(|_| pilot.complete) else {
            eprintln!("interrupted after {} of {PILOT_SETS} sets of the pilot", pilot.sets);
            return Ok(Ended::Interrupted);
        };
        if variance == 0.0 {
            bail!(
                "--plan: all {PILOT_SETS} sets of the pilot have the same mean placement: no number of sets shows \
                a gain"
            );
        }
        (variance, Some(pilot.seconds / pilot.sets as f64))
    };
    let sets = sets_for(gain, variance);
    if sets > MOST_SETS {
        bail!(
            "--plan gain={gain:e}: needs more than {MOST_SETS} sets, the most of a match; give a larger gain"
        );
    }
    let (games, seconds) = (sets * per_set, pace.map(|pace| pace * sets as f64));
    if output.json {
        say_json(&json!({
            "gain": gain, "power": 0.8, "variance": variance, "sets": sets, "games": games, "seconds": seconds,
        }))?;
    } else {
        let time = seconds.map_or_else(String::new, |seconds| format!(", {}", print::duration(seconds)));
        say(&format!(
            "a gain of {gain} shows in 80 of 100 matches of {} ({}{time})\n\
             standard deviation of a set's mean placement: {}\n",
            print::many(sets, "set"),
            print::many(games, "game"),
            print::decimal(variance.sqrt(), 3),
        ))?;
    }
    Ok(Ended::Done)
}

/// The agents of a match, with their names. Their files are read once.
type Agents = Vec<(String, NamedAgent)>;

/// The match that the command line asks for, new or resumed, and its agents.
fn prepared(args: &Args) -> anyhow::Result<(PreparedMatch, Agents)> {
    let in_words_of_options = |error| match error {
        PrepareError::FewerSets { .. }
        | PrepareError::OnFault { .. }
        | PrepareError::LuckNeedsDecisions { .. } => anyhow!("--{error}"),
        other => other.into(),
    };
    if let Some(folder) = args.out.as_ref().filter(|_| args.resume) {
        let game = PreparedMatch::resume(folder, &wanted(args)).map_err(in_words_of_options)?;
        let config = game.config();
        let agents = config.named_agents().with_context(|| format!("agents {}", config.agents.join(",")))?;
        return Ok((game, agents));
    }
    let (config, agents) = asked(args)?;
    let game = PreparedMatch::new(config, wanted(args), args.out.as_deref());
    Ok((game.map_err(in_words_of_options)?, agents))
}

/// What the command line asks to play.
const fn wanted(args: &Args) -> MatchPlan {
    let sprt = match args.sprt {
        Some((low, high)) => Some(Sprt { low, high, alpha: args.risk.0, beta: args.risk.1 }),
        None => None,
    };
    let StartOptions { tables, on_fault, .. } = args.start;
    MatchPlan { sets: args.sets, tables, on_fault, luck: args.luck, sprt }
}

/// The run that the command line asks for, and its agents. Its number of games is unknown with a
/// test.
fn asked(args: &Args) -> anyhow::Result<(RunConfig, Agents)> {
    let rules_name = args.rules.as_deref().unwrap_or("tenhou");
    let rules = load_rules(rules_name)?;
    let (agents, usual) = match (&args.challenger, &args.baseline, &args.agents) {
        (Some(challenger), Some(baseline), _) => (
            vec![named("--challenger", challenger)?, named("--baseline", baseline)?],
            Seatings::OneVersusRest,
        ),
        (_, _, Some(agents)) => {
            let seats = usize::from(rules.players.count());
            let agents =
                Catalog::standard().agents(agents, seats).with_context(|| format!("--agents {agents}"))?;
            (agents, Seatings::AllOrders)
        }
        _ => bail!("expected --challenger and --baseline, or --agents, or --resume with --out"),
    };
    let named = |name: &String| Seatings::ALL.into_iter().find(|seatings| seatings.name() == name);
    let seatings = args.seatings.as_ref().and_then(named).unwrap_or(usual);
    if seatings.agents(rules.players) != agents.len() {
        let others = if agents.len() == 2 { "1-v-rest or 2-v-2" } else { "all-orders or rotations" };
        bail!("--seatings {}: expected {others} for these agents", seatings.name());
    }
    let detail = match (&args.out, &args.log) {
        (None, _) => Detail::None,
        (_, log) => Detail::named(log.as_deref().unwrap_or(if args.luck { "decisions" } else { "hands" }))
            .expect("clap checks the level"),
    };
    let agents: Agents = agents.into_iter().map(|agent| (agent.to_string(), agent)).collect();
    let (rules, seed) = (&rules, args.seed.unwrap_or(0));
    let setup = MatchSetup { rules_name, rules, agents: &agents, seatings, seed, detail };
    Ok((setup.config(&wanted(args))?, agents))
}

/// The agent that an option names.
fn named(option: &str, agent: &str) -> anyhow::Result<NamedAgent> {
    Catalog::standard().agent(agent).with_context(|| format!("{option} {agent}"))
}

/// Parses two gains such as `0,0.05`.
fn two_gains(text: &str) -> Result<(f64, f64), String> {
    let (low, high) = text.split_once(',').and_then(|(low, high)| Some((real(low)?, real(high)?))).ok_or(
        "expected two gains in placements, such as 0,0.05: the test tells whether the gain is the second \
         one or only the first",
    )?;
    let test = Sprt { low, high, alpha: 0.05, beta: 0.05 };
    test.check().map(|()| (low, high))
}

/// Parses one or two chances such as `0.05` or `0.01,0.05`.
fn two_risks(text: &str) -> Result<(f64, f64), String> {
    let (alpha, beta) = text.split_once(',').unwrap_or((text, text));
    let risks =
        real(alpha).zip(real(beta)).ok_or("expected one or two chances, such as 0.05 or 0.01,0.05")?;
    let test = Sprt { low: 0.0, high: 1.0, alpha: risks.0, beta: risks.1 };
    test.check().map(|()| risks)
}

/// Parses `gain=0.03` or `gain=0.03,variance=0.25`.
fn gain_to_plan(text: &str) -> Result<(f64, Option<f64>), String> {
    let expected =
        || "expected gain=G or gain=G,variance=V with positive numbers, such as gain=0.03".to_owned();
    let (mut gain, mut variance) = (None, None);
    for part in text.split(',') {
        let (name, value) = part.split_once('=').ok_or_else(expected)?;
        let value = real(value).filter(|value| *value > 0.0).ok_or_else(expected)?;
        match name.trim() {
            "gain" => gain = Some(value),
            "variance" => variance = Some(value),
            _ => return Err(expected()),
        }
    }
    Ok((gain.ok_or_else(expected)?, variance))
}

/// A finite number.
fn real(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}
