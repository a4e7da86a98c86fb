//! The players and rules of a table: the choices of a person, and the contents of `table.toml`.

use std::path::Path;

use jantaku_agents::{Catalog, NamedAgent};
use jantaku_engine::replay::GameStart;
use jantaku_engine::{Rules, Seat};
use serde::{Deserialize, Serialize};

use super::error::ServeError;
use jantaku_sim::dataset::BranchPoint;
use jantaku_sim::play::Schedule;
use jantaku_sim::run::{ConfigError, NamedRules, check_rules};
use jantaku_sim::store::{Folder, write};

/// What runs and logs call the person at a table.
pub const PERSON: &str = "person";

/// The time that a person has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TimeLimit {
    /// Seconds for each decision.
    pub seconds: u16,
    /// Further seconds in each hand.
    pub spare: u16,
}

/// The clocks that a person can choose.
pub(super) const CLOCKS: [Option<TimeLimit>; 4] = [
    None,
    Some(TimeLimit { seconds: 5, spare: 10 }),
    Some(TimeLimit { seconds: 10, spare: 20 }),
    Some(TimeLimit { seconds: 30, spare: 60 }),
];

/// What a person can choose at a new table. A request cannot name other agents and rules, which could start
/// programs and read files.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The agents. The first one is the default.
    pub agents: Vec<NamedAgent>,
    /// The rules.
    pub rules: Vec<NamedRules>,
}

/// A table: its rules, its players and its seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TableSetup {
    /// The name of the rules.
    pub rules_name: String,
    /// The players by seat: agents of the catalog, and [`PERSON`].
    pub agents: Vec<String>,
    /// The seat of the person.
    pub seat: u8,
    /// The seed of the run that keeps the game.
    pub seed: u64,
    /// The number of the game in that run: 0 unless the table continues a game of a run.
    #[serde(default, skip_serializing_if = "jantaku_sim::is_default")]
    pub game: u64,
    /// Where the game branches from another one, if the table continues one.
    pub branch: Option<BranchPoint>,
    /// The agent that gives hints, if there is one.
    pub hints: Option<String>,
    /// The time limit, if there is one.
    pub clock: Option<TimeLimit>,
    /// The rules.
    pub rules: Rules,
}

impl TableSetup {
    /// Reads the file of a table.
    pub(super) fn read(path: &Path) -> Result<TableSetup, ServeError> {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|cause| ServeError::file(path, "cannot read", &cause))?;
        let setup: TableSetup = toml::from_str(&text).map_err(|error| ServeError::table(path, &error))?;
        setup.rules.check().map_err(|wrong| ServeError::table(path, &wrong))?;
        if setup.agents.len() != usize::from(setup.rules.players.count()) || setup.person().is_none() {
            let what = "expected an agent or a person for each seat, and the seat of the person";
            return Err(ServeError::table(path, &what));
        }
        if let Some(branch) = &setup.branch {
            branch.check(&setup.rules).map_err(|wrong| ServeError::table(path, &wrong))?;
        }
        Ok(setup)
    }

    /// Where the game starts.
    pub(super) fn start(&self) -> GameStart {
        BranchPoint::start(self.branch.as_ref(), &self.rules)
    }

    /// Writes the file of a table.
    pub(super) fn write(&self, path: &Path) -> Result<(), ServeError> {
        let text = toml::to_string(self).expect("every field has a TOML form");
        Ok(write(&Folder, path, text.as_bytes())?)
    }

    /// The seat of the person. None if the rules have no such seat.
    pub(super) fn person(&self) -> Option<Seat> {
        self.rules.players.seats().find(|seat| seat.number() == self.seat)
    }

    /// The seed of the game.
    pub(super) fn game_seed(&self) -> u64 {
        Schedule::selfplay(self.seed, self.game + 1).fixture(self.game).seed
    }

    /// The agents by seat, checked to play under the rules. None for the person. Errors name `path`.
    pub(super) fn opponents(&self, path: &Path) -> Result<Vec<Option<NamedAgent>>, ServeError> {
        let catalog = Catalog::standard();
        let agent = |(seat, name): (usize, &String)| {
            let agent = (seat != usize::from(self.seat)).then(|| catalog.agent(name)).transpose();
            agent.map_err(|error| ServeError::table(path, &error))
        };
        let agents = self.agents.iter().enumerate().map(agent).collect::<Result<Vec<_>, _>>()?;
        check_rules(agents.iter().flatten(), &self.rules)?;
        Ok(agents)
    }

    /// The agent for hints, checked to play under the rules. None if the table has none. Errors name `path`.
    pub(super) fn advisor(&self, path: &Path) -> Result<Option<NamedAgent>, ServeError> {
        let agent = self.hints.as_ref().map(|name| Catalog::standard().agent(name)).transpose();
        let agent = agent.map_err(|error| ServeError::table(path, &error))?;
        let checked = check_rules(&agent, &self.rules);
        checked.map_err(|error| ConfigError { field: "hints", ..error })?;
        Ok(agent)
    }
}
