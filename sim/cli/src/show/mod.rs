//! `jantaku show`.
//!
//! - `story`: a game as text

mod story;

use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use jantaku_agents::Catalog;
use jantaku_sim::dataset::{StoredGame, TableKind, read_games, read_thoughts};
use jantaku_sim::play::Detail;
use jantaku_sim::run::{self, RunConfig};
use serde_json::json;
use story::{Explainer, Story};

use super::arguments::number;
use super::ask::answer::Asker;
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

/// A game of a run.
pub(super) struct OpenedGame {
    pub(super) config: RunConfig,
    pub(super) stored: StoredGame,
    /// The part that holds it.
    part: u64,
}

/// Opens a game of a run.
pub(super) fn open_game(folder: &Path, game: u64) -> anyhow::Result<OpenedGame> {
    let (config, manifest) = run::read(folder)?;
    let show = folder.display();
    if config.detail < Detail::Decisions {
        bail!("{show}: keeps only {}; `show` needs a run with decisions", config.detail.name());
    }
    let Some(part) = manifest.part_of(game) else {
        let Range { start, end } = config.range().start..config.range().start + manifest.games;
        let what = if start == end { "no games".to_owned() } else { format!("games {start} to {}", end - 1) };
        bail!("{show}: no game {game}; the run holds {what}")
    };
    run::check_part(folder, part, &TableKind::ALL)?;
    let stored = read_games(folder, &config.contents(), part.part, Some(game))?.into_iter().next();
    let stored = stored.with_context(|| format!("{show}: no game {game}"))?;
    Ok(OpenedGame { part: part.part, config, stored })
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let OpenedGame { config, stored, part } = open_game(&args.run, args.game)?;
    let thoughts = read_thoughts(&args.run, part, args.game)?;
    let show = args.run.display();
    let explainer = match &args.explain {
        Some(agents) => {
            let agents = Catalog::standard().list(agents).with_context(|| format!("--explain {agents}"))?;
            Some(Explainer::new(Asker::new(agents), stored.seed))
        }
        None => None,
    };
    let mut story = Story::new(stored.rules, args.hand, args.step, thoughts, explainer);
    stored.replay(&mut story).map_err(|what| anyhow::anyhow!("{show}: game {}: {what}", args.game))?;
    if let Some(hand) = args.hand.filter(|hand| *hand >= story.hands) {
        bail!("{show}: no hand {hand}; game {} has hands 0 to {}", args.game, story.hands - 1);
    }
    if let Some(step) = args.step.filter(|step| *step >= story.decisions) {
        bail!("{show}: no decision {step}; game {} has decisions 0 to {}", args.game, story.decisions - 1);
    }
    if let Some(error) = story.failure() {
        return Err(error);
    }
    let lines = story.lines;
    if output.json {
        let game = json!({
            "game": args.game,
            "seed": stored.seed,
            "source": stored.source,
            "agents": stored.agents,
            "lines": lines,
        });
        say_json(&game)?;
        return Ok(Ended::Done);
    }
    let mut text = match &stored.source {
        None => {
            format!("game {} of {show}, seed {}, rules {}\n", args.game, stored.seed, config.rules_name)
        }
        Some(source) => format!("game {} of {show}, from {source}\n", args.game),
    };
    for (seat, agent) in stored.agents.iter().enumerate() {
        text += &format!("seat {seat}: {agent}\n");
    }
    say(&print::wrapped(&(text + &lines.join("\n") + "\n"), 6))?;
    Ok(Ended::Done)
}
