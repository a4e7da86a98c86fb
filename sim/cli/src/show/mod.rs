//! `jantaku show`.
//!
//! - `notes`: what agents reported, and what other agents would do

mod notes;

use std::path::PathBuf;

use anyhow::bail;
use jantaku_measure::explain::AskingAdvisor;
use jantaku_show::HandChoice;
use jantaku_show::transcript::TranscriptScope;
use jantaku_show::view::readable;
use jantaku_sim::dataset::read_search_info;
use jantaku_sim::logs::files::shown;
use jantaku_sim::options::number;
use jantaku_sim::replay::source::GameSource;
use jantaku_sim::replay::stored_run::GameOfRun;
use jantaku_sim::store::is_folder;
use notes::Notes;

use super::arguments::{open_game, split_game};
use super::ask::{agents_of, answer};
use super::output::{Ended, Output, note};
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
    let scope = TranscriptScope { hand: args.hand, step: args.step };
    let place = place(args)?;
    let game = open_game(&place, args.rules.as_deref(), "--game 1", output)?;
    let path = &place.0;
    let search_info = match &game {
        GameSource::Run(game) => read_search_info(path, game.part, game.stored.game)?,
        GameSource::Log(_) | GameSource::Position(_) => Vec::new(),
    };
    let run = Some(path.as_path()).filter(|path| is_folder(path));
    let agents = args.explain.as_ref().map(|agents| agents_of("--explain", agents, run));
    let agents = agents.transpose()?.unwrap_or_default();
    let advisors = agents.iter().map(|agent| AskingAdvisor::new(agent, game.seed(), None, 0.0));
    let mut notes = Notes { search_info, advisors: advisors.collect() };
    let heading = print::wrapped(&heading(&game), 6) + &answer::legend(&agents);
    let transcript = game.transcript(scope, &mut notes)?;
    notes.failure().map_or(Ok(()), Err)?;
    if let GameSource::Log(_) = game {
        for text in game.notes().iter().filter(|_| !output.quiet) {
            note(&format!("note: {}: {text}", shown(path)));
        }
    }
    for difference in &transcript.differences {
        note(&format!("warning: {}: {difference}", shown(path)));
    }
    output.print(&transcript, || {
        let seat = |(seat, agent): (usize, &String)| format!("seat {seat}: {}\n", readable(agent));
        let seats: String = transcript.agents.iter().enumerate().map(seat).collect();
        let page = seats + &transcript.lines.join("\n") + "\n";
        heading + &print::wrapped_beside_tables(&page, 6, EXPLAINED)
    })?;
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

/// The first lines about a game.
fn heading(game: &GameSource) -> String {
    let name = format!("game {} of {}", game.number(), shown(game.path()));
    let GameSource::Run(run) = game else { return name + "\n" };
    let GameOfRun { stored, config, .. } = &**run;
    match &stored.source {
        Some(source) => format!("{name}, from {source}\n"),
        None => {
            let notes = game.notes().iter().map(|note| note.to_string() + "\n").collect::<String>();
            format!("{name}, seed {}, rules {}\n{notes}", stored.seed, config.rules_name)
        }
    }
}
