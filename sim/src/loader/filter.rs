//! Which decisions a loader loads.

use jantaku_engine::{Phase, Players, Seat, SeatSet};
use serde::Deserialize;

use super::error::{LoadError, wrong};

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

/// The kinds of decisions by name.
const KINDS: [(&str, Phase); 5] = [
    ("turn", Phase::Turn),
    ("claim", Phase::Claim),
    ("kan-claim", Phase::KanClaim),
    ("draw", Phase::Draw),
    ("end", Phase::End),
];

/// The number of a kind of decision in the order of [`Filter::kinds`], from 0.
pub(super) fn kind_number(phase: Phase) -> u8 {
    (0..).zip(KINDS).find(|(_, (_, kind))| *kind == phase).map_or(4, |(number, _)| number)
}

impl Filter {
    /// The names of the kinds of decisions, in the order of their numbers.
    #[must_use]
    pub fn kind_names() -> [&'static str; 5] {
        KINDS.map(|(name, _)| name)
    }

    pub(super) fn check(&self) -> Result<(), LoadError> {
        if let Some(seat) = self.seats.iter().flatten().find(|seat| **seat >= 4) {
            return Err(wrong("seats", "seats from 0 to 3", seat));
        }
        if let Some(place) = self.placements.iter().flatten().find(|place| !(1..=4).contains(*place)) {
            return Err(wrong("placements", "placements from 1 to 4", place));
        }
        let is_known = |kind: &&String| !KINDS.iter().any(|(name, _)| name == kind);
        if let Some(kind) = self.kinds.iter().flatten().find(is_known) {
            return Err(wrong("kinds", &format!("one of {}", Filter::kind_names().join(", ")), kind));
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
        KINDS.map(|(name, _)| self.kinds.as_ref().is_none_or(|kinds| kinds.iter().any(|kind| kind == name)))
    }

    /// Whether decisions of players with this placement match. 0 if it is not known.
    pub(super) fn passes_placement(&self, placement: u8) -> bool {
        self.placements.as_ref().is_none_or(|placements| placements.contains(&placement))
    }
}
