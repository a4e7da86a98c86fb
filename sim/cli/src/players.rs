//! How the agents of a command are started, and the output about their faults.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use jantaku_agents::{FaultKind, Faults, OnFault};
use jantaku_sim::play;
use jantaku_sim::run::Run;

use super::arguments::number;
use super::output::note;
use super::print::{self, AgentNames};

/// Options for agents that have to be started, such as programs.
#[derive(clap::Args)]
pub(super) struct StartOptions {
    /// Play this many games at once if an agent is a network or a program; a program has at most one
    /// process for each seat in these games [default: 2048 for each thread, at most 8192; 8192 with
    /// libtorch, 4 with a program]
    #[arg(long, value_name = "N", value_parser = number::<usize>(1..=65_536), allow_negative_numbers = true)]
    pub tables: Option<usize>,
    /// Choose what a fault of a program causes: stop the run, substitute this move (discard the
    /// drawn tile, or pass), or forfeit the rest of the game to the substitute [default: stop]
    #[arg(long, value_name = "ACTION", value_parser = on_fault())]
    pub on_fault: Option<OnFault>,
    /// Print what programs write to stderr; otherwise it goes to `agents.log` in the folder of a
    /// run
    #[arg(long)]
    pub verbose: bool,
}

fn on_fault() -> impl TypedValueParser<Value = OnFault> {
    let named = |name: String| OnFault::named(&name).expect("clap checks the name");
    PossibleValuesParser::new(OnFault::ALL.map(OnFault::name)).map(named)
}

impl StartOptions {
    /// The options of the library.
    pub const fn options(&self) -> play::StartOptions {
        let StartOptions { tables, on_fault, verbose } = *self;
        play::StartOptions { tables, on_fault, verbose }
    }
}

/// A line for each agent with faults, with the whole message of the latest one.
pub(super) fn fault_lines(faults: &[(String, Faults)]) -> String {
    faults
        .iter()
        .map(|(name, faults)| fault_line(name, faults, faults.latest().unwrap_or_default()))
        .collect()
}

/// [`fault_lines`] with the first and the last line of messages, which may have a traceback between
/// them.
pub(super) fn short_fault_lines(faults: &[(String, Faults)]) -> String {
    let short = |faults: &Faults| shortened_message(faults.latest().unwrap_or_default());
    faults.iter().map(|(name, faults)| fault_line(name, faults, &short(faults))).collect()
}

fn fault_line(name: &str, faults: &Faults, latest: &str) -> String {
    let kinds: Vec<String> =
        faults.iter().map(|(kind, count): (FaultKind, u64)| format!("{kind} {count}")).collect();
    format!("faults of {name}: {}{}; the latest: {latest}\n", kinds.join(", "), fault_shares(faults))
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

/// Faults under the names that tables show.
pub(super) fn shown_faults(faults: &[(String, Faults)], names: &AgentNames) -> Vec<(String, Faults)> {
    faults.iter().map(|(label, faults)| (names.shown(label).to_owned(), faults.clone())).collect()
}

/// The shares of games and moves with faults. Empty if no game has ended.
fn fault_shares(faults: &Faults) -> String {
    let (games, moves) = (faults.games(), faults.moves());
    if games == 0 {
        return String::new();
    }
    format!(
        "; faults in {} of games, and the substitute made {} of the moves",
        print::percent(faults.games_with_faults().min(games), games),
        print::percent(moves.substituted, moves.all),
    )
}

/// Says which games of a resumed run are played again, although they are there.
pub(super) fn note_games_played_again(run: &Run) {
    let deterministic = run.config().deterministic;
    let kept = run.config().range().start + run.manifest().games;
    if let again @ 1.. = kept - run.remaining().start.min(kept) {
        let (games, are) = (print::many(again, "game"), if again == 1 { "is" } else { "are" });
        let result = if deterministic {
            "to the same result"
        } else {
            "and can end otherwise: an agent is not deterministic, or the build has changes that no commit \
             names"
        };
        note(&format!("the last part is not full: its {games} {are} played again, {result}"));
    }
    if let Some(parts) = run.after_gap() {
        let them = if parts.whole.len() == 1 { "it is" } else { "they are" };
        note(&format!("{parts}, which the manifest does not name: {them} played again, to the same bytes"));
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
