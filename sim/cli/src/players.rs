//! How the agents of a command are started, and the output about their faults.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use jantaku_agents::OnFault;
use jantaku_sim::play::{self, FaultReport};
use jantaku_sim::reports::faults;
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
pub(super) fn fault_lines(found: &FaultReport, names: &AgentNames) -> String {
    faults::fault_lines(found, names).into_iter().map(|line| line + "\n").collect()
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
