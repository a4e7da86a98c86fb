//! `jantaku show`.
//!
//! - `notes`: what agents reported, and what other agents would do

mod notes;

use std::path::PathBuf;

use anyhow::Context as _;
use jantaku_agents::Catalog;
use jantaku_hands::story::StoryScope;
use jantaku_sim::dataset::read_search_info;
use jantaku_sim::replay::open::GameOfRun;
use jantaku_sim::replay::story::GameStory;
use notes::{Explainer, Notes};

use super::arguments::number;
use super::output::{Ended, Output, say, say_json};
use super::print;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Read the run in this folder
    run: PathBuf,
    /// Show this game, counted from 0
    #[arg(long, value_name = "N", value_parser = number::<u64>(0..=u64::MAX), allow_negative_numbers = true)]
    game: u64,
    /// Show only this hand of the game, counted from 0
    #[arg(long, value_name = "N", value_parser = number::<u16>(0..=u64::from(u16::MAX)), allow_negative_numbers = true)]
    hand: Option<u16>,
    /// Show only the decision with this number, counted from 0 in the game
    #[arg(long, value_name = "N", value_parser = number::<usize>(0..=u64::from(u32::MAX)), allow_negative_numbers = true)]
    step: Option<usize>,
    /// Print below each decision what these agents would do, and why [default: heuristic]
    #[arg(long, value_name = "AGENTS", num_args = 0..=1, default_missing_value = "heuristic")]
    explain: Option<String>,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let game = GameOfRun::open(&args.run, args.game)?;
    let search_info = read_search_info(&args.run, game.part, args.game)?;
    let explainer = match &args.explain {
        Some(agents) => {
            let agents = Catalog::standard().list(agents).with_context(|| format!("--explain {agents}"))?;
            Some(Explainer::new(agents, game.stored.seed))
        }
        None => None,
    };
    let mut notes = Notes { search_info, explainer };
    let scope = StoryScope { hand: args.hand, step: args.step };
    let story = GameStory::show(&game, scope, &mut notes)?;
    if let Some(error) = notes.failure() {
        return Err(error.into());
    }
    if output.json {
        say_json(&story)?;
        return Ok(Ended::Done);
    }
    let (show, rules) = (args.run.display(), &game.config.rules_name);
    let mut text = match &story.source {
        None => format!("game {} of {show}, seed {}, rules {rules}\n", args.game, story.seed),
        Some(source) => format!("game {} of {show}, from {source}\n", args.game),
    };
    for (seat, agent) in story.agents.iter().enumerate() {
        text += &format!("seat {seat}: {agent}\n");
    }
    say(&print::wrapped(&(text + &story.lines.join("\n") + "\n"), 6))?;
    Ok(Ended::Done)
}
