//! Faults of agents in words.

use jantaku_show::report::numbers::percent;

use super::names::AgentNames;
use crate::play::{FaultReport, FaultShare};

/// A line for each agent with faults, with the whole message of the latest one.
#[must_use]
pub fn fault_lines(found: &FaultReport, names: &AgentNames) -> Vec<String> {
    let line = |(agent, share): (&String, &FaultShare)| {
        let own = found.faults.iter().filter(|one| one.agent == *agent);
        let kinds: Vec<String> = own.map(|one| format!("{} {}", one.kind, one.count)).collect();
        let latest =
            if share.latest.is_empty() { String::new() } else { format!("; the latest: {}", share.latest) };
        format!("faults of {}: {}{}{latest}", names.shown(agent), kinds.join(", "), shares(share))
    };
    found.fault_shares.iter().map(line).collect()
}

/// The shares of games and moves with faults. Empty if no game has ended.
fn shares(share: &FaultShare) -> String {
    let FaultShare { games, games_with_faults, moves, substituted, .. } = *share;
    if games == 0 {
        return String::new();
    }
    format!(
        "; faults in {} of games, and the substitute made {} of the moves",
        percent(games_with_faults.min(games), games),
        percent(substituted, moves)
    )
}

impl FaultReport {
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
