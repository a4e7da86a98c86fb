//! Which decisions a loader loads.

use jantaku_engine::{Phase, Players, Seat, SeatSet};
use serde::Deserialize;

use crate::dataset::tables::decisions::phase_name;
use crate::run::ConfigError;

/// The decisions to load: those that match every field. None matches all.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub struct Filter {
    /// Decisions of these seats.
    pub seats: Option<Vec<u8>>,
    /// Decisions of these agents, or of players of a log with these names. Not those that were copied
    /// from another game, where other players made them.
    pub agents: Option<Vec<String>>,
    /// Decisions of players who finish the game with these placements, from 1.
    pub placements: Option<Vec<u8>>,
    /// These kinds of decisions: `turn`, `claim`, `kan-claim`, `draw`, `end`.
    pub kinds: Option<Vec<String>>,
}

/// The phases in which players decide. The number of a kind of decision is the place in this list.
const PHASES: [Phase; 5] = [Phase::Turn, Phase::Claim, Phase::KanClaim, Phase::Draw, Phase::End];

/// The number of the kind of decision in this phase: its place in [`Filter::kind_names`]. [`Phase`] has the
/// same order; [`Phase::Over`] counts as the end.
pub(super) fn kind_number(phase: Phase) -> u8 {
    (phase as u8).min(Phase::End as u8)
}

impl Filter {
    /// The names of the kinds of decisions, in the order of their numbers.
    pub fn kind_names() -> [&'static str; 5] {
        PHASES.map(phase_name)
    }

    pub(super) fn check(&self) -> Result<(), ConfigError> {
        if let Some(seat) = self.seats.iter().flatten().find(|seat| **seat >= 4) {
            return Err(ConfigError::new("seats", &"seats from 0 to 3", seat));
        }
        if let Some(place) = self.placements.iter().flatten().find(|place| !(1..=4).contains(*place)) {
            return Err(ConfigError::new("placements", &"placements from 1 to 4", place));
        }
        let names = Filter::kind_names();
        if let Some(kind) = self.kinds.iter().flatten().find(|kind| !names.contains(&kind.as_str())) {
            return Err(ConfigError::new("kinds", &format!("one of {}", names.join(", ")), kind));
        }
        Ok(())
    }

    /// The seats whose decisions match, in a game of these agents.
    pub(super) fn seats_of(&self, players: Players, agents: &[String]) -> SeatSet {
        let passes = |seat: &Seat| {
            let of_seat = self.seats.as_ref().is_none_or(|seats| seats.contains(&seat.number()));
            let name = agents.get(seat.index());
            let of_agent = self.agents.as_ref().is_none_or(|names| name.is_some_and(|n| names.contains(n)));
            of_seat && of_agent
        };
        players.seats().filter(passes).collect()
    }

    /// Whether each kind of decision matches, by its number.
    pub(super) fn kinds(&self) -> [bool; 5] {
        Filter::kind_names()
            .map(|name| self.kinds.as_ref().is_none_or(|kinds| kinds.iter().any(|kind| kind == name)))
    }

    /// Whether decisions of players with this placement match. An unknown placement, 0, matches only if
    /// there is no filter of placements.
    pub(super) fn passes_placement(&self, placement: u8) -> bool {
        self.placements.as_ref().is_none_or(|placements| placements.contains(&placement))
    }
}
