//! `jantaku show`.
//!
//! - `notes`: what agents reported, and what other agents would do

mod notes;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use jantaku_show::HandChoice;
use jantaku_show::transcript::StoryScope;
use jantaku_show::view::readable;
use jantaku_sim::dataset::read_search_info;
use jantaku_sim::logs::files::shown;
use jantaku_sim::options::number;
use jantaku_sim::replay::open::{GameOfRun, game_of_log};
use jantaku_sim::replay::transcript::GameStory;
use jantaku_sim::store::is_folder;
use notes::{Explainer, Notes};

use super::arguments::{Ruled, note_other_games, rules_of_log, split_game};
use super::ask::agents_of;
use super::output::{Ended, Output, note, say, say_json};
use super::print;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Read this run or log (- is stdin), or this game of it
    #[arg(value_name = "RUN|LOG|RUN:GAME|LOG:GAME")]
    path: PathBuf,
    /// Show this game, counted from 0 [default for a log: 0]
    #[arg(long, value_name = "N", value_parser = number::<u64>(0..=u64::MAX), allow_negative_numbers = true)]
    game: Option<u64>,
    /// Show only this hand of the game: a number from 0, or the first hand with a name such as E3 or
    /// E3-1
    #[arg(long, value_name = "N|HAND", allow_negative_numbers = true)]
    hand: Option<HandChoice>,
    /// Show only the decision with this number, counted from 0 in the game, as `ask` and `analyse`
    /// count them
    #[arg(long, value_name = "N", value_parser = number::<usize>(0..=u64::from(u32::MAX)), allow_negative_numbers = true)]
    step: Option<usize>,
    /// Print below each decision what these agents would do, and why [default: heuristic]
    #[arg(long, value_name = "AGENTS", num_args = 0..=1, default_missing_value = "heuristic")]
    explain: Option<String>,
    /// Read a log under these rules, whatever it states: a preset or a file. Runs have their own
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
}

/// Spaces before the figures of an agent that explains a decision.
const EXPLAINED: usize = 8;

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let scope = StoryScope { hand: args.hand, step: args.step };
    let (path, game) = place(args)?;
    let (story, heading) = if is_folder(&path) {
        of_run(args, (&path, game), scope)?
    } else {
        of_log(args, (&path, game), output, scope)?
    };
    for difference in &story.differences {
        note(&format!("warning: {}: {difference}", shown(&path)));
    }
    if output.json {
        say_json(&story)?;
        return Ok(Ended::Done);
    }
    let mut text = String::new();
    for (seat, agent) in story.agents.iter().enumerate() {
        text += &format!("seat {seat}: {}\n", readable(agent));
    }
    let page = text + &story.lines.join("\n") + "\n";
    say(&(heading + &print::wrapped_beside_tables(&page, 6, EXPLAINED)))?;
    Ok(Ended::Done)
}

/// The run or log, and the game that is named.
fn place(args: &Args) -> anyhow::Result<(PathBuf, Option<u64>)> {
    let (path, game) = if args.path.exists() {
        (args.path.clone(), None)
    } else {
        split_game(&args.path.to_string_lossy())?
    };
    match (game, args.game) {
        (Some(game), Some(other)) if game != other => {
            bail!("{}: names game {game}, but --game names {other}; give one of them", args.path.display())
        }
        (game, other) => Ok((path, game.or(other))),
    }
}

/// A game of a run, and its first line.
fn of_run(
    args: &Args,
    (path, game): (&Path, Option<u64>),
    scope: StoryScope,
) -> anyhow::Result<(GameStory, String)> {
    rules_of_log(args.rules.as_deref(), Ruled::Run)?;
    let show = path.display();
    let number = game.with_context(|| format!("{show}: name a game of the run, as in --game 0"))?;
    let game = GameOfRun::open(path, number)?;
    let search_info = read_search_info(path, game.part, number)?;
    let explainer = explainer(args, Some(path), game.stored.seed)?;
    let legend = explainer.as_ref().map_or_else(String::new, Explainer::legend);
    let mut notes = Notes { search_info, explainer };
    let story = GameStory::show(&game, scope, &mut notes)?;
    notes.failure().map_or(Ok(()), Err)?;
    let heading = match &story.source {
        None => {
            let rules = &game.config.rules_name;
            let copied = game.stored.copied.as_ref().map_or_else(String::new, |copied| format!("{copied}\n"));
            format!("game {number} of {show}, seed {}, rules {rules}\n{copied}", story.seed)
        }
        Some(source) => format!("game {number} of {show}, from {source}\n"),
    };
    Ok((story, print::wrapped(&heading, 6) + &legend))
}

/// A game of a log, and its first line.
fn of_log(
    args: &Args,
    (path, game): (&Path, Option<u64>),
    output: Output,
    scope: StoryScope,
) -> anyhow::Result<(GameStory, String)> {
    let number = game.unwrap_or(0);
    if game.is_none() {
        note_other_games(path, "--game 1", output);
    }
    let assumed = rules_of_log(args.rules.as_deref(), Ruled::Log)?;
    let game = game_of_log(path, number, assumed.as_ref())?;
    let explainer = explainer(args, None, 0)?;
    let legend = explainer.as_ref().map_or_else(String::new, Explainer::legend);
    let mut notes = Notes { search_info: Vec::new(), explainer };
    let story = GameStory::of_log((path, number), &game, scope, &mut notes)?;
    notes.failure().map_or(Ok(()), Err)?;
    let heading = format!("game {number} of {}\n", shown(path));
    Ok((story, print::wrapped(&heading, 6) + &legend))
}

/// Asks the agents of `--explain`, if it is given.
fn explainer(args: &Args, run: Option<&Path>, seed: u64) -> anyhow::Result<Option<Explainer>> {
    let Some(agents) = &args.explain else { return Ok(None) };
    let agents = agents_of(agents, run).with_context(|| format!("--explain {agents}"))?;
    Ok(Some(Explainer::new(agents, seed)))
}
