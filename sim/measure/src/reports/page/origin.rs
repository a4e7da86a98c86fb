//! Where a result comes from.

use jantaku_pages::report::Fact;
use jantaku_sim::play::By;
use jantaku_sim::{VERSION, commit};

/// Where a result comes from, besides what its JSON says.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// What made the page.
    pub maker: Maker,
    /// The groups whose figures are shown, besides all players and, if there are several, the agents.
    pub divisions: Vec<By>,
    /// The address of the page of the game that was reviewed, if there is one.
    pub game: Option<String>,
}

/// What made a page.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Maker {
    /// A program that called the library.
    #[default]
    Library,
    /// A Python program.
    Python,
    /// This command line.
    Command(String),
}

impl Origin {
    /// What made the page, and with which version.
    pub(super) fn facts(&self) -> Vec<Fact> {
        let maker = match &self.maker {
            Maker::Library => None,
            Maker::Python => Some(Fact::new("made by", "a Python program, so there is no command line")),
            Maker::Command(command) => Some(Fact::appendix("command", command)),
        };
        let program = Fact::new("program", format!("jantaku {VERSION}, commit {}", commit()));
        maker.into_iter().chain([program]).collect()
    }
}

/// The name of the rules and what differs from the closest preset.
pub(super) fn rules_facts(name: &str, hash: Option<&str>, toml: Option<&str>) -> Vec<Fact> {
    let hash = hash.map_or_else(String::new, |hash| format!(" (hash {hash})"));
    let mut facts = vec![Fact::new("rules", format!("{name}{hash}"))];
    facts.extend(toml.map(|toml| Fact::appendix("rules in full", toml.trim_end())));
    facts
}
