//! One game of a run or of a log as text.

use jantaku_show::transcript::{Annotator, Transcript, TranscriptScope};
use serde::Serialize;

use super::error::SourceError;
use super::source::GameSource;
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
    /// What a reader should know of the game, such as decisions copied from another game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// One line for each event or decision.
    pub lines: Vec<String>,
    /// The differences between the log and the rules. The rest of their hands is not shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<String>,
}

impl GameSource {
    /// The game as text, or the part of it in the scope. A hand of a log is shown up to its first
    /// difference from the rules. A position has no text.
    ///
    /// # Errors
    ///
    /// If the game cannot be replayed, or has no such hand or decision.
    pub fn transcript(
        &self,
        scope: TranscriptScope,
        annotator: impl Annotator,
    ) -> Result<GameStory, SourceError> {
        let mut transcript = Transcript::new(*self.rules(), scope, annotator);
        let differences = self.replay(&mut transcript)?;
        self.check_scope(scope, transcript.hands(), transcript.decisions())?;
        if let (Some(step), Some(found), Some(hand)) = (scope.step, transcript.hand_of_step(), scope.hand)
            && transcript.is_empty()
        {
            let what = format!("decision {step} is in hand {found}, not in hand {hand}");
            return Err(SourceError::NoDecision { place: shown(self.path()), what });
        }
        let (seed, source) = match self {
            GameSource::Run(game) => (game.stored.seed, game.stored.source.clone()),
            GameSource::Log(_) | GameSource::Position(_) => (0, Some(shown(self.path()))),
        };
        let (game, agents, lines) = (self.number(), self.names().to_vec(), transcript.into_lines());
        let notes = self.notes().iter().map(ToString::to_string).collect();
        Ok(GameStory { game, seed, source, agents, notes, lines, differences })
    }
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
                StoredGame { game: 0, seed, source: None, agents, rules, hands, decisions, branch: None };
            let mut transcript = Transcript::new(rules, TranscriptScope::default(), ());
            stored.replay(&mut transcript).expect("the game replays");
            let lines = transcript.into_lines();
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
