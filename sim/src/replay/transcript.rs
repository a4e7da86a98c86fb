//! One game of a run or of a log as text.

use std::path::{Path, PathBuf};

use jantaku_engine::replay::RecordedGame;
use jantaku_show::HandChoice;
use jantaku_show::transcript::{Annotator, Story, StoryScope};
use serde::Serialize;

use super::open::{GameOfRun, OpenError};
use crate::dataset::Copied;
use crate::logs::files::shown;

/// A game as text, as `jantaku show --json` prints it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GameStory {
    /// The number of the game in its run or log.
    pub game: u64,
    /// The seed of the game; 0 for a game of a log.
    pub seed: u64,
    /// The name of the log that the game comes from. None for a game of self-play.
    pub source: Option<String>,
    /// The agent of each seat, or the player's name in the log.
    pub agents: Vec<String>,
    /// The decisions that were copied from another game, where other players made them.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "Copied::serialize_numbers")]
    pub copied: Option<Copied>,
    /// One line for each event or decision.
    pub lines: Vec<String>,
    /// The differences between the log and the rules. The rest of their hands is not shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<String>,
}

/// Why a game cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum StoryError {
    /// The game cannot be replayed.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The game has no such hand.
    #[error("{}: no hand {hand}; game {game} has hands 0 to {last}", shown(path))]
    NoHand {
        /// The run or log.
        path: PathBuf,
        /// The number of the game.
        game: u64,
        /// The hand.
        hand: HandChoice,
        /// The number of its last hand.
        last: usize,
    },
    /// The decision is in another hand.
    #[error("{}: decision {step} is in hand {found}, not in hand {hand}", shown(path))]
    OtherHand {
        /// The run or log.
        path: PathBuf,
        /// The number of the decision.
        step: usize,
        /// The number of its hand.
        found: usize,
        /// The hand of the scope.
        hand: HandChoice,
    },
    /// The game has no such decision.
    #[error("{}: no decision {step}; game {game} has decisions 0 to {last}", shown(path))]
    NoDecision {
        /// The run or log.
        path: PathBuf,
        /// The number of the game.
        game: u64,
        /// The number of the decision.
        step: usize,
        /// The number of its last decision.
        last: usize,
    },
}

impl GameStory {
    /// Shows a game, or the part of it in the scope.
    ///
    /// # Errors
    ///
    /// If the game cannot be replayed, or has no such hand or decision.
    pub fn show(
        game: &GameOfRun,
        scope: StoryScope,
        annotator: impl Annotator,
    ) -> Result<GameStory, StoryError> {
        let stored = &game.stored;
        let mut story = Story::new(stored.rules, scope, annotator);
        game.replay(&mut story)?;
        check(&story, scope, &game.folder, stored.game)?;
        Ok(GameStory {
            game: stored.game,
            seed: stored.seed,
            source: stored.source.clone(),
            agents: stored.agents.clone(),
            copied: stored.copied.clone(),
            lines: story.into_lines(),
            differences: Vec::new(),
        })
    }

    /// Shows the game of a log with this number, or the part of it in the scope. A hand with a
    /// difference from the rules is shown up to there.
    ///
    /// # Errors
    ///
    /// If the game has no such hand or decision.
    pub fn of_log(
        (log, number): (&Path, u64),
        game: &RecordedGame,
        scope: StoryScope,
        annotator: impl Annotator,
    ) -> Result<GameStory, StoryError> {
        let mut story = Story::new(game.rules, scope, annotator);
        let report = game.replay(&mut story);
        check(&story, scope, log, number)?;
        Ok(GameStory {
            game: number,
            seed: 0,
            source: Some(shown(log)),
            agents: game.names.clone(),
            copied: None,
            lines: story.into_lines(),
            differences: report.differences.iter().map(ToString::to_string).collect(),
        })
    }
}

/// Checks that the game has the hand and the decision of the scope.
fn check<A: Annotator>(
    story: &Story<A>,
    scope: StoryScope,
    path: &Path,
    game: u64,
) -> Result<(), StoryError> {
    if let Some(hand) = story.hands().missing() {
        let last = story.hands().latest().unwrap_or(0);
        return Err(StoryError::NoHand { path: path.to_owned(), game, hand, last });
    }
    if let Some(step) = scope.step.filter(|step| *step >= story.decisions()) {
        let last = story.decisions().saturating_sub(1);
        return Err(StoryError::NoDecision { path: path.to_owned(), game, step, last });
    }
    if let (Some(step), Some(found), Some(hand)) = (scope.step, story.hand_of_step(), scope.hand)
        && story.is_empty()
    {
        return Err(StoryError::OtherHand { path: path.to_owned(), step, found, hand });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use jantaku_agents::{Policy, Random};
    use jantaku_engine::{Action, ActionId, Event, Game, Rules};

    use super::*;
    use crate::dataset::{StoredDecision, StoredGame};

    /// Forced discards have lines, too: in riichi, and when a call leaves one tile to discard.
    #[test]
    fn every_discard_has_a_line() {
        let mut after_calls = 0;
        for seed in 0..20 {
            let (mut events, mut decisions) = (Vec::new(), Vec::new());
            let rules = Rules::default();
            let mut game = Game::new_seen(&rules, seed, &mut events);
            while !game.is_over() {
                let (seat, legal) = game.decisions().next().expect("a seat must decide");
                // Four calls leave few tiles to choose from.
                let call = legal.iter().map(ActionId::action).find(|a| matches!(a, Action::Pon { .. }));
                let action = call
                    .unwrap_or_else(|| Random.choose(&game.observe(seat), &mut game.random_stream(seat, 0)));
                decisions.push(StoredDecision { hand: 0, step: 0, seat, action: action.id() });
                game.submit_seen(seat, action, &mut events).expect("legal");
            }
            let (agents, hands) = (Vec::new(), Vec::new());
            let stored =
                StoredGame { game: 0, seed, source: None, agents, rules, hands, decisions, copied: None };
            let mut story = Story::new(rules, StoryScope::default(), ());
            stored.replay(&mut story).expect("the game replays");
            let lines = story.into_lines();
            let chosen = |line: &String| line.split("  (or ").next().map_or_else(String::new, str::to_owned);
            let shown = lines.iter().map(chosen);
            let shown = shown.filter(|line| line.contains("discard") || line.contains("tsumogiri")).count();
            let discards = events.iter().filter(|event| matches!(event, Event::Discard { .. })).count();
            assert_eq!(shown, discards, "seed {seed}: {lines:#?}");
            after_calls += lines.iter().filter(|line| line.contains("  discards ")).count();
        }
        assert!(after_calls > 0);
    }
}
