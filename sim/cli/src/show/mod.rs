//! `jantaku show`.
//!
//! - `notes`: what agents reported, and what other agents would do

mod notes;

use std::path::PathBuf;

use anyhow::Context as _;
use jantaku_agents::Catalog;
use jantaku_hands::HandChoice;
use jantaku_hands::story::StoryScope;
use jantaku_sim::dataset::read_search_info;
use jantaku_sim::logs::files::shown;
use jantaku_sim::replay::open::{GameOfRun, game_of_log};
use jantaku_sim::replay::story::GameStory;
use notes::{Explainer, Notes};

use super::arguments::{load_rules, note_other_games, number};
use super::output::{Ended, Output, say, say_json};
use super::print;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Read this run or log
    #[arg(value_name = "RUN|LOG")]
    path: PathBuf,
    /// Show this game, counted from 0. A log has a game 0 by default
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
    /// Set the rules of a log that states none, or none that fit: a preset or a file
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
}

/// Spaces before the figures of an agent that explains a decision.
const EXPLAINED: usize = 8;

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let scope = StoryScope { hand: args.hand, step: args.step };
    let (story, heading) =
        if args.path.is_dir() { of_run(args, scope)? } else { of_log(args, output, scope)? };
    for difference in &story.differences {
        eprintln!("warning: {}: {difference}", shown(&args.path));
    }
    if output.json {
        say_json(&story)?;
        return Ok(Ended::Done);
    }
    let mut text = heading;
    for (seat, agent) in story.agents.iter().enumerate() {
        text += &format!("seat {seat}: {agent}\n");
    }
    let page = text + &story.lines.join("\n") + "\n";
    say(&print::wrapped_beside_tables(&page, 6, EXPLAINED))?;
    Ok(Ended::Done)
}

/// A game of a run, and its first line.
fn of_run(args: &Args, scope: StoryScope) -> anyhow::Result<(GameStory, String)> {
    let show = args.path.display();
    let number = args.game.with_context(|| format!("{show}: name a game of the run, as in --game 0"))?;
    let game = GameOfRun::open(&args.path, number)?;
    let search_info = read_search_info(&args.path, game.part, number)?;
    let mut notes = Notes { search_info, explainer: explainer(args, game.stored.seed)? };
    let story = GameStory::show(&game, scope, &mut notes)?;
    notes.failure().map_or(Ok(()), Err)?;
    let heading = match &story.source {
        None => {
            let rules = &game.config.rules_name;
            format!("game {number} of {show}, seed {}, rules {rules}\n", story.seed)
        }
        Some(source) => format!("game {number} of {show}, from {source}\n"),
    };
    Ok((story, heading))
}

/// A game of a log, and its first line.
fn of_log(args: &Args, output: Output, scope: StoryScope) -> anyhow::Result<(GameStory, String)> {
    let (path, number) = (&args.path, args.game.unwrap_or(0));
    if args.game.is_none() {
        note_other_games(path, "--game 1", output);
    }
    let assumed = args.rules.as_deref().map(load_rules).transpose()?;
    let game = game_of_log(path, number, assumed.as_ref())?;
    let mut notes = Notes { search_info: Vec::new(), explainer: explainer(args, 0)? };
    let story = GameStory::of_log((path, number), &game, scope, &mut notes)?;
    notes.failure().map_or(Ok(()), Err)?;
    Ok((story, format!("game {number} of {}\n", shown(path))))
}

/// Asks the agents of `--explain`, if it is given.
fn explainer(args: &Args, seed: u64) -> anyhow::Result<Option<Explainer>> {
    let Some(agents) = &args.explain else { return Ok(None) };
    let agents = Catalog::standard().list(agents).with_context(|| format!("--explain {agents}"))?;
    Ok(Some(Explainer::new(agents, seed)))
}
