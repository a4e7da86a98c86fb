//! Saves a finished game: as a run, as a log, and as a page with advice.
//!
//! # Why
//!
//! **Why does a table of `serve` keep the decisions of agents, too?** A game follows from its seed
//! and its decisions. Agents that use a clock or a process might answer differently when asked
//! again, and a search would take minutes. So a table resumes by replaying its file.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::path::Path;

use jantaku_agents::{Catalog, MonteCarlo, NamedAgent};
use jantaku_engine::replay::{Answers, Both, RecordedGame, replay_game_from};
use jantaku_engine::{Action, Game, Observation, Seat};
use jantaku_pages::served_page;
use jantaku_show::transcript::TranscriptScope;
use jantaku_show::view::Opening;

use super::error::ServeError;
use super::table_config::TableSetup;
use jantaku_measure::explain::{AskingAdvisor, shown_advisors};
use jantaku_measure::review::Threshold;
use jantaku_sim::play::{Detail, GameRecord, Memory, PlayedParts, Sink as _, Tally};
use jantaku_sim::replay::convert::Format;
use jantaku_sim::replay::source::GameSource;
use jantaku_sim::replay::view::Viewed;
use jantaku_sim::run::{self, AgentParameters, Run, RunConfig, Shard, check_rules};
use jantaku_sim::store::{Folder, write};

/// The folder of the run in a table's folder.
pub(super) const RUN: &str = "run";
/// The log in the folder of a table.
const LOG: &str = "game.mjson";
/// The page with advice in the folder of a table.
const REVIEW: &str = "review.html";

/// Whether the game of the table in this folder is saved.
pub(super) fn is_saved(folder: &Path) -> bool {
    run::read(&folder.join(RUN)).is_ok_and(|(_, manifest)| manifest.complete)
}

/// Saves the game with these decisions in the folder of its table.
pub(super) fn save(folder: &Path, setup: &TableSetup, made: &[(Seat, Action)]) -> Result<(), ServeError> {
    let mut seen = Both(Memory::new(Detail::Decisions, &setup.rules), RecordedGame::new(setup.rules));
    let mut left = vec![VecDeque::new(); 4];
    made.iter().for_each(|(seat, action)| left[seat.index()].push_back(*action));
    let answer = |_: &Game, o: &Observation<'_>| {
        Ok::<_, Infallible>(left[o.seat().index()].pop_front().expect("every decision was made"))
    };
    let mut script = Answers(answer, &mut seen);
    let replayed = replay_game_from(&setup.rules, setup.game_seed(), &setup.start(), &mut script);
    replayed.expect("the decisions were legal");
    let Both(memory, mut game) = seen;
    game.names.clone_from(&setup.agents);
    write(&Folder, &folder.join(LOG), Format::Mjai.text(&game).as_bytes())?;
    let record = memory.finish(setup.game, setup.game_seed()).expect("the game is over");
    write_run(&folder.join(RUN), setup, record)
}

/// The log of a saved game.
pub(super) fn log(folder: &Path) -> Result<Vec<u8>, ServeError> {
    let file = folder.join(LOG);
    std::fs::read(&file).map_err(|cause| ServeError::file(&file, "cannot read", &cause))
}

/// Writes a run of one game. Replaces an incomplete one.
fn write_run(folder: &Path, setup: &TableSetup, record: GameRecord) -> Result<(), ServeError> {
    if folder.exists() {
        let removed = std::fs::remove_dir_all(folder);
        removed.map_err(|cause| ServeError::file(folder, "cannot remove", &cause))?;
    }
    let TableSetup { rules_name, rules, agents, seed, game, branch, .. } = setup;
    let opponents: Vec<NamedAgent> = setup.opponents(folder)?.into_iter().flatten().collect();
    let config = RunConfig {
        games: Some(game + 1),
        seed: *seed,
        agents: agents.clone(),
        games_per_part: 1,
        // Only the last game of the run was played: its last shard.
        shard: (*game > 0).then(|| Shard::last(game + 1)),
        deterministic: false,
        branch: branch.clone(),
        parameters: AgentParameters::of(&opponents),
        ..RunConfig::new(rules_name, rules)
    };
    let mut run = Run::create(folder, config)?;
    run.write(&mut (), |_, sink, _| {
        sink.take(record)?;
        Ok(PlayedParts { games: 1, tally: Tally::default(), threads: 1 })
    })?;
    Ok(())
}

/// A game with what an agent thinks of the decisions of this seat, or of all. `heuristic` takes the place of
/// an agent that is too slow, cannot play under the rules, or is not given.
pub(super) fn reviewed(
    game: &GameSource,
    agent: Option<&NamedAgent>,
    seat: Option<u8>,
) -> Result<Viewed, ServeError> {
    // A search of every decision takes minutes.
    let can_review = |agent: &&NamedAgent| {
        agent.downcast::<MonteCarlo>().is_none() && check_rules([*agent], game.rules()).is_ok()
    };
    let fast = agent.filter(can_review).cloned();
    let agent = fast.unwrap_or_else(|| Catalog::standard().agent("heuristic").expect("an agent"));
    let mut advisor = AskingAdvisor::new(&agent, game.seed(), seat, Threshold::POINTS);
    let (mut view, opening) = game.view(TranscriptScope::default(), &mut advisor)?;
    advisor.into_failure().map_or(Ok(()), Err)?;
    view.advisors = shown_advisors([&agent]);
    Ok((view, opening))
}

/// The page of a saved game, with what an agent thinks of the decisions of the person. It is made once, and
/// kept in the folder.
pub(super) fn review(
    folder: &Path,
    setup: &TableSetup,
    hints: Option<&NamedAgent>,
) -> Result<String, ServeError> {
    let TableSetup { seat, game, .. } = *setup;
    let file = folder.join(REVIEW);
    if let Ok(page) = std::fs::read_to_string(&file) {
        return Ok(page);
    }
    let game = GameSource::open(&folder.join(RUN), Some(game), None)?;
    let (view, opening) = reviewed(&game, hints, Some(seat))?;
    let table = folder.file_name().unwrap_or_default().to_string_lossy();
    let html = served_page(&view, Opening { seat, ..opening }, &format!("/tables/{table}/review"));
    write(&Folder, &file, html.as_bytes())?;
    Ok(html)
}
