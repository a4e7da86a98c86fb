//! What a server offers, and its answers to requests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use jantaku_agents::NamedAgent;
use jantaku_engine::random::hash;
use jantaku_engine::{ActionId, Players};
use serde_json::Value;

use super::error::ServeError;
use super::http::{Method, Request, Response};
use super::pages::{self, TableRow};
use super::play::Place;
use super::setup::{PERSON, TableSetup, TimeLimit};
use super::source::Source;
use super::table::{NotTaken, Table};
use super::words::Words;
use crate::run::NamedRules;

/// The clocks that a person can choose.
pub(super) const CLOCKS: [Option<TimeLimit>; 4] = [
    None,
    Some(TimeLimit { seconds: 5, spare: 10 }),
    Some(TimeLimit { seconds: 10, spare: 20 }),
    Some(TimeLimit { seconds: 30, spare: 60 }),
];

/// What a person can choose at a new table. A request names no other agents and rules: they could start
/// programs and read files.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The agents. The first one is offered first.
    pub agents: Vec<NamedAgent>,
    /// The rules.
    pub rules: Vec<NamedRules>,
}

/// What a server offers: tables to sit down at, and games to look at.
pub struct Site {
    offer: Offer,
    /// The folder with a folder for each table.
    folder: PathBuf,
    tables: Mutex<BTreeMap<String, Arc<Table>>>,
    sources: Vec<Source>,
    stop: Arc<AtomicBool>,
    /// The number of tables set up by this server, for their seeds.
    count: AtomicU64,
}

impl Site {
    /// Offers tables in a folder, and the games of these runs, logs and folders of them.
    ///
    /// Games that were not played to their end go on. Agents stop to wait when `stop` is set. Also returns
    /// the tables that cannot be opened, and why.
    ///
    /// # Errors
    ///
    /// If a source or the folder cannot be read.
    pub fn open(
        offer: Offer,
        folder: &Path,
        sources: &[PathBuf],
        stop: Arc<AtomicBool>,
    ) -> Result<(Site, Vec<ServeError>), ServeError> {
        let (mut tables, mut wrong) = (BTreeMap::new(), Vec::new());
        for path in folders(folder)? {
            match Table::open(&path, &stop) {
                Ok(table) => drop(tables.insert(name_of(&path), table)),
                Err(error) => wrong.push(error),
            }
        }
        let (tables, sources) = (Mutex::new(tables), Source::find(sources)?);
        let (folder, count) = (folder.to_owned(), AtomicU64::new(0));
        Ok((Site { offer, folder, tables, sources, stop, count }, wrong))
    }

    /// The number of tables, and of runs and logs.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        (self.tables().len(), self.sources.len())
    }

    /// Waits until no agent plays at a table, after `stop` was set. Then nothing is written any more.
    pub(super) fn rest(&self) {
        let tables: Vec<Arc<Table>> = self.tables().values().map(Arc::clone).collect();
        tables.iter().for_each(|table| table.rest());
    }

    /// Sets a table up, and returns its name.
    ///
    /// # Errors
    ///
    /// If an agent cannot play under the rules, or the folder cannot be written.
    pub fn sit_down(&self, setup: &TableSetup) -> Result<String, ServeError> {
        let mut tables = self.tables();
        let is_free = |name: &String| !tables.contains_key(name) && !self.folder.join(name).exists();
        let name =
            (1..u32::MAX).map(|number| format!("table-{number:04}")).find(is_free).expect("a free name");
        let table = Table::create(&self.folder.join(&name), setup, &self.stop)?;
        tables.insert(name.clone(), table);
        Ok(name)
    }

    /// The answer to a request that the guard has let pass.
    pub(super) fn answer(&self, request: &Request) -> Response {
        let parts: Vec<&str> = request.path.split('/').skip(1).collect();
        let words = Words::of(request.header("accept-language"));
        match (request.method, &parts[..]) {
            (Method::Get, [""]) => self.index(words),
            (Method::Get, ["games", source]) => self.games(words, source, request),
            (Method::Get, ["games", source, game]) => self.game(source, game),
            (Method::Post, ["tables"]) => self.new_table(request),
            (method, ["tables", name, rest @ ..]) => match self.table(name) {
                Some(table) => of_table(&table, method, rest, request),
                None => Response::not_found(),
            },
            _ => Response::not_found(),
        }
    }

    fn tables(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Arc<Table>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn table(&self, name: &str) -> Option<Arc<Table>> {
        self.tables().get(name).map(Arc::clone)
    }

    fn index(&self, words: &Words) -> Response {
        let tables = self.tables();
        let rows: Vec<TableRow<'_>> = tables
            .iter()
            .map(|(name, table)| {
                let (hands, is_over) = table.progress();
                TableRow { name, setup: table.setup(), hands, is_over }
            })
            .collect();
        let line = |(number, source): (usize, &Source)| {
            let state = match source.contents() {
                Ok(contents) => pages::state(words, &contents),
                Err(error) => error.to_string(),
            };
            (number, source.name(), state)
        };
        let sources: Vec<_> = self.sources.iter().enumerate().map(line).collect();
        Response::html(pages::index(words, &self.offer, &rows, &sources))
    }

    fn games(&self, words: &Words, source: &str, request: &Request) -> Response {
        let Some((number, source)) = self.source(source) else { return Response::not_found() };
        let from = request.query("from").and_then(|from| from.parse().ok()).unwrap_or(0);
        match source.contents() {
            Ok(contents) => Response::html(pages::games(words, number, &source.name(), &contents, from)),
            Err(error) => Response::failed(&error.to_string()),
        }
    }

    fn game(&self, source: &str, game: &str) -> Response {
        let found = self.source(source).zip(game.parse().ok());
        let Some(((_, source), game)) = found else { return Response::not_found() };
        match source.page(game) {
            Ok(page) => Response::html(page),
            Err(error) => Response::failed(&error.to_string()),
        }
    }

    fn source(&self, number: &str) -> Option<(usize, &Source)> {
        let number: usize = number.parse().ok()?;
        Some((number, self.sources.get(number)?))
    }

    /// Sets a table up as a form says.
    fn new_table(&self, request: &Request) -> Response {
        let Some(setup) = self.setup_of(request) else {
            return Response::bad("expected the fields of the form for a table");
        };
        match self.sit_down(&setup) {
            Ok(name) => Response::see_other(format!("/tables/{name}")),
            Err(error) => Response::conflict(&error.to_string()),
        }
    }

    /// The table that a form describes. Its fields are numbers in the lists of the offer.
    fn setup_of(&self, request: &Request) -> Option<TableSetup> {
        let number = |name: &str| request.form(name)?.parse::<usize>().ok();
        let agent = |number: usize| Some(self.offer.agents.get(number)?.name().to_owned());
        let NamedRules { name: rules_name, rules } = self.offer.rules.get(number("rules")?)?.clone();
        let players = usize::from(rules.players.count());
        let seed = match request.form("seed").filter(|seed| !seed.is_empty()) {
            Some(seed) => seed.parse::<u32>().ok()?.into(),
            None => self.new_seed(),
        };
        let seat = match number("seat")? {
            // Not the number from which the walls follow.
            0 => hash(&[seed, 1]) as usize % players,
            seat => seat - 1,
        };
        let mut agents = vec![PERSON.to_owned(); players];
        for step in 1..players {
            // The only opponent of two sits opposite.
            let chair = if rules.players == Players::Two { 1 } else { step - 1 };
            agents[(seat + step) % players] = agent(number(&format!("opponent{chair}"))?)?;
        }
        let hints = number("hints")?.checked_sub(1).map(|number| agent(number).ok_or(())).transpose();
        let clock = *CLOCKS.get(number("clock")?)?;
        let seat = u8::try_from(seat).ok().filter(|seat| usize::from(*seat) < players)?;
        Some(TableSetup { rules_name, agents, seat, seed, hints: hints.ok()?, clock, rules })
    }

    /// A seed that nobody knows in advance. It fits into a TOML file.
    fn new_seed(&self) -> u64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        hash(&[now, count, u64::from(std::process::id())]) >> 1
    }
}

/// The answer to a request about a table.
fn of_table(table: &Arc<Table>, method: Method, rest: &[&str], request: &Request) -> Response {
    match (method, rest) {
        (Method::Get, []) => Response::html(table.page()),
        (Method::Get, ["state"]) => match known(request) {
            Some(known) => Response::json(&table.wait(known)),
            None => Response::bad("expected the numbers of hands and steps"),
        },
        (Method::Get, ["review"]) => match table.review() {
            Ok(Some(page)) => Response::html(page),
            Ok(None) => Response::conflict("the game is not over"),
            Err(error) => Response::failed(&error.to_string()),
        },
        (Method::Get, ["log"]) => match std::fs::read(table.log()) {
            Ok(log) => Response::file(log),
            Err(_) => Response::conflict("the game is not over"),
        },
        (Method::Post, [what]) => decided(table, what, request),
        _ => Response::not_found(),
    }
}

/// What a page knows, by its query.
fn known(request: &Request) -> Option<Place> {
    let number = |name| request.query(name)?.parse().ok();
    Some(Place { hands: number("hands")?, steps: number("steps")?, decision: number("decision") })
}

/// The answer to a request about a decision.
fn decided(table: &Arc<Table>, what: &str, request: &Request) -> Response {
    if !request.header("content-type").is_some_and(|kind| kind.starts_with("application/json")) {
        return Response::bad("expected JSON");
    }
    let body: Option<Value> = serde_json::from_slice(&request.body).ok();
    let number = |name: &str| usize::try_from(body.as_ref()?.get(name)?.as_u64()?).ok();
    let Some(decision) = number("decision") else { return Response::bad("expected a decision") };
    match what {
        "act" => {
            let action = number("action").and_then(|number| u8::try_from(number).ok());
            let Some(action) = action.and_then(ActionId::new) else {
                return Response::bad("expected an action");
            };
            match table.act(decision, action) {
                Ok(news) => Response::json(&news),
                Err(NotTaken::Late) => Response::json(&table.ready(decision)),
                Err(NotTaken::Illegal) => Response::conflict("the action is not legal"),
                Err(NotTaken::Failed(error)) => Response::failed(&error.to_string()),
            }
        }
        "ready" => Response::json(&table.ready(decision)),
        "hint" => match table.hint(decision) {
            Some(Ok(hint)) => Response::json(&hint),
            Some(Err(error)) => Response::json(&serde_json::json!({ "failure": error.to_string() })),
            // Another window may have decided meanwhile.
            None => Response::json(&serde_json::json!({})),
        },
        _ => Response::not_found(),
    }
}

/// The folders with tables in a folder, in order. None if the folder does not exist yet.
fn folders(folder: &Path) -> Result<Vec<PathBuf>, ServeError> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let error = |cause| ServeError::file(folder, "cannot read", cause);
    let entries = std::fs::read_dir(folder).map_err(error)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
    let mut paths = paths.map_err(error)?;
    paths.retain(|path| path.join("table.toml").is_file() && is_plain(&name_of(path)));
    paths.sort();
    Ok(paths)
}

/// Whether a name can stand in the path of a request as it is.
fn is_plain(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
