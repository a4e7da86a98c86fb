//! Faults of agents as results state them.

use std::collections::BTreeMap;

use jantaku_agents::{FaultKind, Faults};
use serde::{Deserialize, Serialize};

/// The faults of the agents that had some.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FaultReport {
    /// The faults of each agent that is a program, by kind.
    pub faults: Vec<FaultCount>,
    /// The games and moves of each agent with faults.
    pub fault_shares: BTreeMap<String, FaultShare>,
}

/// The faults of an agent that are of one kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FaultCount {
    /// An agent that is a program and had faults.
    pub agent: String,
    /// `crash`, `late`, `oversized`, `not_json`, `not_an_answer` or `illegal`.
    pub kind: FaultKind,
    /// Its faults of this kind.
    pub count: u64,
}

/// The games and moves of an agent with faults.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FaultShare {
    /// Its games that have ended.
    pub games: u64,
    /// Those with faults.
    pub games_with_faults: u64,
    /// Its moves in the games that have ended.
    pub moves: u64,
    /// The moves that the substitute made.
    pub substituted: u64,
    /// The message of the latest fault. Empty if the result was read from JSON.
    #[serde(skip)]
    pub latest: String,
}

impl FaultReport {
    /// The faults of these agents, by their labels.
    pub fn of(faults: &[(String, Faults)]) -> FaultReport {
        let counts = |(agent, faults): &(String, Faults)| {
            let count = |(kind, count)| FaultCount { agent: agent.clone(), kind, count };
            faults.iter().map(count).collect::<Vec<_>>()
        };
        let share = |(agent, faults): &(String, Faults)| (agent.clone(), FaultShare::of(faults));
        FaultReport {
            faults: faults.iter().flat_map(counts).collect(),
            fault_shares: faults.iter().map(share).collect(),
        }
    }

    /// The same faults with the first and the last line of each message, which may have a traceback
    /// between them.
    #[must_use]
    pub fn shortened(&self) -> FaultReport {
        let mut short = self.clone();
        for share in short.fault_shares.values_mut() {
            share.latest = shortened_message(&share.latest);
        }
        short
    }
}

/// The first and the last line of a message.
fn shortened_message(message: &str) -> String {
    let lines: Vec<&str> = message.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    match lines[..] {
        [] => String::new(),
        [only] => only.to_owned(),
        [first, .., last] => format!("{first} … {last}"),
    }
}

impl FaultShare {
    fn of(faults: &Faults) -> FaultShare {
        let moves = faults.moves();
        FaultShare {
            games: faults.games(),
            games_with_faults: faults.games_with_faults(),
            moves: moves.all,
            substituted: moves.substituted,
            latest: faults.latest().unwrap_or_default().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_lose_their_tracebacks() {
        let message = "the process ended\nLast lines of its stderr:\nTraceback\n  a()\nKeyError: 'x'\n";
        assert_eq!(shortened_message(message), "the process ended … KeyError: 'x'");
        assert_eq!([shortened_message("one line"), shortened_message("")], ["one line", ""]);
    }
}
