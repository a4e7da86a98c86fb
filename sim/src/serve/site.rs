//! What a server offers, and its answers to requests.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use jantaku_engine::random::hash;
use jantaku_engine::{Action, ActionId, Seat};
use serde_json::{Value, json};

use super::error::ServeError;
use super::http::{Method, Request, Response};
use super::pages::{self, MAX_GAMES, SourcePage, SourceRow, TableRow};
use super::play::Place;
use super::source::{Contents, SoFar, Source};
use super::sources::{Sources, league_of};
use super::table::{NotTaken, Table};
use super::table_config::{Offer, TableSetup};
use super::words::Words;
use super::{save_game, table_form};
use crate::replay::open::MAX_COUNTED;
use crate::reports::page::{Origin, page};
use crate::store::{Lock, lock};

/// Why a source has no result.
const NO_RESULT: &str = "no result: this is a log, or a run that keeps no hands";

/// What a server offers: tables to sit down at, and games to look at.
pub struct Site {
    offer: Offer,
    /// The folder with a folder for each table.
    folder: PathBuf,
    tables: Mutex<Tables>,
    sources: Sources,
    stop: Arc<AtomicBool>,
    /// The number of tables set up by this server, for their seeds.
    count: AtomicU64,
}

/// A table, and the decisions with which its game begins.
type AskedTable = (TableSetup, Vec<(Seat, Action)>);

/// The tables of a folder.
struct Tables {
    named: BTreeMap<String, Entry>,
    /// Keeps other servers away from the folder. None before there is a folder, and on systems
    /// without such locks.
    lock: Option<Lock>,
}

/// A table in the list.
#[derive(Clone)]
enum Entry {
    /// A kept game that was not opened yet.
    Kept(Arc<TableSetup>),
    Open(Arc<Table>),
}

impl Site {
    /// Offers tables in a folder, and the games of these runs, logs and folders of them.
    ///
    /// Games that were not played to their end go on. Agents stop to wait when `stop` is set. Also
    /// returns the tables that cannot be opened, and why. The folder is locked against other
    /// servers until the server of the site has ended.
    ///
    /// # Errors
    ///
    /// If a source or the folder cannot be read, or another server has the folder.
    pub fn open(
        offer: Offer,
        folder: &Path,
        sources: &[PathBuf],
        stop: Arc<AtomicBool>,
    ) -> Result<(Site, Vec<ServeError>), ServeError> {
        let sources = Sources::find(sources)?;
        let mut tables = Tables { named: BTreeMap::new(), lock: None };
        let mut wrong = Vec::new();
        if folder.exists() {
            tables.lock = locked(folder)?;
        }
        for path in folders(folder)? {
            match Entry::find(&path, &stop) {
                Ok(entry) => drop(tables.named.insert(name_of(&path), entry)),
                Err(error) => wrong.push(error),
            }
        }
        let (tables, count) = (Mutex::new(tables), AtomicU64::new(0));
        Ok((Site { offer, folder: folder.to_owned(), tables, sources, stop, count }, wrong))
    }

    /// The number of tables, and of runs and logs.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        (self.tables().named.len(), self.sources.count())
    }

    /// Waits until no agent plays at a table, after `stop` was set. Then no game is written any
    /// more, and another server can have the folder.
    pub(super) fn rest(&self) {
        let tables = self.tables().named.clone();
        for entry in tables.values() {
            if let Entry::Open(table) = entry {
                table.rest();
            }
        }
        self.tables().lock = None;
    }

    /// Sets a table up, and returns its name.
    ///
    /// # Errors
    ///
    /// If an agent cannot play under the rules, the folder cannot be written, another server has
    /// it, or the server ends.
    pub fn sit_down(&self, setup: &TableSetup) -> Result<String, ServeError> {
        self.sit_down_after(setup, &[])
    }

    /// Sets a table up whose game begins with these decisions.
    fn sit_down_after(&self, setup: &TableSetup, made: &[(Seat, Action)]) -> Result<String, ServeError> {
        let mut tables = self.tables();
        if self.stop.load(Ordering::Relaxed) {
            return Err(ServeError::Ends);
        }
        if tables.lock.is_none() {
            std::fs::create_dir_all(&self.folder)
                .map_err(|cause| ServeError::file(&self.folder, "cannot create", cause))?;
            tables.lock = locked(&self.folder)?;
        }
        let is_free = |name: &String| !tables.named.contains_key(name) && !self.folder.join(name).exists();
        let name =
            (1..u32::MAX).map(|number| format!("table-{number:04}")).find(is_free).expect("a free name");
        let table = Table::create(&self.folder.join(&name), setup, made, &self.stop)?;
        tables.named.insert(name.clone(), Entry::Open(table));
        Ok(name)
    }

    /// The answer to a request that the guard has let pass.
    pub(super) fn answer(&self, request: &Request) -> Response {
        let parts: Vec<&str> = request.path.split('/').skip(1).collect();
        let words = Words::of(request.header("accept-language"));
        match (request.method, &parts[..]) {
            (Method::Get, [""]) => self.index(words),
            (Method::Get, ["state"]) => Response::json(&self.state()),
            (Method::Get, ["games", number, rest @ ..]) => {
                let found =
                    number.parse().ok().and_then(|number| Some((number, self.sources.numbered(number)?)));
                let Some((number, source)) = found else { return Response::not_found() };
                self.of_source(words, (number, &source), rest, request).unwrap_or_else(|error| failed(&error))
            }
            (Method::Post, ["tables"]) => self.new_table(request),
            (method, ["tables", name, rest @ ..]) => match self.table(name) {
                Ok(Some(table)) => of_table(&table, method, rest, request),
                Ok(None) => Response::not_found(),
                Err(error) => failed(&error),
            },
            _ => Response::not_found(),
        }
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The table with this name. One with a kept game is opened now.
    fn table(&self, name: &str) -> Result<Option<Arc<Table>>, ServeError> {
        let entry = self.tables().named.get(name).cloned();
        let folder = self.folder.join(name);
        match entry {
            None => Ok(None),
            Some(_) if !folder.exists() => Err(ServeError::Gone { path: folder }),
            Some(Entry::Open(table)) => Ok(Some(table)),
            Some(Entry::Kept(_)) => {
                let table = Table::open(&folder, &self.stop)?;
                self.tables().named.insert(name.to_owned(), Entry::Open(Arc::clone(&table)));
                Ok(Some(table))
            }
        }
    }

    fn index(&self, words: &Words) -> Response {
        // Sources may take long, and others want to play meanwhile.
        let tables = self.tables().named.clone();
        let rows: Vec<TableRow<'_>> = tables.iter().map(|(name, entry)| entry.row(name)).collect();
        let sources = self.listed();
        let state = state_of(&rows, &sources);
        let leagues: HashSet<&Path> = sources.iter().map(|listed| listed.source.path()).collect();
        let is_table = |listed: &&Listed| {
            league_of(listed.source.path()).is_some_and(|league| leagues.contains(league.as_path()))
        };
        let shown: Vec<SourceRow> =
            sources.iter().filter(|of| !is_table(of)).map(|of| of.row(words)).collect();
        Response::html(pages::index(words, &self.offer, &rows, &shown, &state))
    }

    /// What the first page polls: how far tables, runs and leagues are.
    fn state(&self) -> Value {
        let tables = self.tables().named.clone();
        let rows: Vec<TableRow<'_>> = tables.iter().map(|(name, entry)| entry.row(name)).collect();
        state_of(&rows, &self.listed())
    }

    /// All sources, with what they hold now.
    fn listed(&self) -> Vec<Listed> {
        let sources = self.sources.all().into_iter().enumerate();
        let listed = |(number, source): (usize, Arc<Source>)| {
            let contents = source.contents(MAX_COUNTED as u64);
            Listed { number, source, contents }
        };
        sources.map(listed).collect()
    }

    /// The answer to a request about a source.
    fn of_source(
        &self,
        words: &Words,
        (number, source): (usize, &Arc<Source>),
        rest: &[&str],
        request: &Request,
    ) -> Result<Response, ServeError> {
        Ok(match rest {
            [] => {
                let from: u64 = request.query("from").and_then(|from| from.parse().ok()).unwrap_or(0);
                let contents = source.contents(from.saturating_add(MAX_GAMES).max(MAX_COUNTED as u64))?;
                let (result, name) = (source.result()?, source.name());
                let result = result.result();
                let tables = if source.is_league() { self.tables_of(words, source) } else { Vec::new() };
                let (name, in_play) = (name.as_str(), source.in_play()?);
                let (contents, tables) = (&contents, &tables[..]);
                let page = SourcePage { number, name, contents, result, tables, in_play };
                Response::html(page.html(words, from)?)
            }
            ["state"] => Response::json(&source.contents(MAX_COUNTED as u64)?.state()),
            ["result"] => match source.result()? {
                SoFar::Result(result) => Response::json(&result.json),
                SoFar::Nothing(contents) => Response::json(&contents.state()),
                SoFar::Never => Response::missing(NO_RESULT),
            },
            ["report"] => match source.result()? {
                SoFar::Result(result) => Response::html(page(result.kind, &result.json, &Origin::default())?),
                SoFar::Nothing(contents) => {
                    Response::html(pages::no_result(words, (number, &source.name()), &contents))
                }
                SoFar::Never => Response::missing(NO_RESULT),
            },
            ["now"] => Response::html(source.page_in_play()?),
            [game] => match game.parse() {
                Ok(game) => Response::html(source.page(game, &format!("/games/{number}/{game}"))?),
                Err(_) => Response::not_found(),
            },
            [game, decision] => match game.parse().ok().zip(decision.parse().ok()) {
                Some((game, decision)) => {
                    let start = source.start(game, decision, 0)?;
                    Response::html(pages::play_on(words, &self.offer, (number, game, decision), &start))
                }
                None => Response::not_found(),
            },
            _ => Response::not_found(),
        })
    }

    /// The tables of a league.
    fn tables_of(&self, words: &Words, league: &Source) -> Vec<SourceRow> {
        let is_table = |of: &Listed| league_of(of.source.path()).is_some_and(|of| of == league.path());
        self.listed().iter().filter(|of| is_table(of)).map(|of| of.row(words)).collect()
    }

    /// Sets a table up as a form says.
    fn new_table(&self, request: &Request) -> Response {
        let (setup, made) = match self.asked_table(request) {
            Ok(Ok(table)) => table,
            Ok(Err(wrong)) => return Response::bad(&wrong),
            Err(error) => return failed(&error),
        };
        match self.sit_down_after(&setup, &made) {
            Ok(name) => Response::see_other(format!("/tables/{name}")),
            Err(error @ ServeError::Ends) => failed(&error),
            Err(error) => Response::conflict(&error.to_string()),
        }
    }

    /// The table that a form asks for, and the decisions at the start of its game; or the error in the
    /// form.
    fn asked_table(&self, request: &Request) -> Result<Result<AskedTable, String>, ServeError> {
        let (number, game, decision) = match table_form::place_of(request) {
            Ok(Some(place)) => place,
            Ok(None) => {
                let setup = table_form::table_of(request, &self.offer, self.new_seed());
                return Ok(setup.map(|setup| (setup, Vec::new())));
            }
            Err(wrong) => return Ok(Err(wrong)),
        };
        let Some(source) = self.sources.numbered(number) else {
            return Ok(Err(format!("source: there is none with the number {number}")));
        };
        let seed = match table_form::seed_of(request, self.new_seed()) {
            Ok(seed) => seed,
            Err(wrong) => return Ok(Err(wrong)),
        };
        let start = source.start(game, decision, seed)?;
        Ok(table_form::table_from(request, &self.offer, &start).map(|setup| (setup, start.made)))
    }

    /// An unpredictable seed. It fits into a TOML file.
    fn new_seed(&self) -> u64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        hash(&[now, count, u64::from(std::process::id())]) >> 1
    }
}

impl Entry {
    /// The table in this folder. A game that is not over continues.
    fn find(folder: &Path, stop: &Arc<AtomicBool>) -> Result<Entry, ServeError> {
        if save_game::is_kept(folder) {
            return Ok(Entry::Kept(Arc::new(TableSetup::read(&folder.join("table.toml"))?)));
        }
        Ok(Entry::Open(Table::open(folder, stop)?))
    }

    /// Its row in the list of tables.
    fn row<'a>(&'a self, name: &'a str) -> TableRow<'a> {
        match self {
            Entry::Kept(setup) => TableRow { name, setup, hands: 0, is_over: true },
            Entry::Open(table) => {
                let (hands, is_over) = table.progress();
                TableRow { name, setup: table.setup(), hands, is_over }
            }
        }
    }
}

/// A source with what it holds now.
struct Listed {
    number: usize,
    source: Arc<Source>,
    contents: Result<Contents, ServeError>,
}

impl Listed {
    /// Its row in a list.
    fn row(&self, words: &Words) -> SourceRow {
        let state = match &self.contents {
            Ok(contents) => pages::state(words, contents),
            Err(error) => error.to_string(),
        };
        SourceRow { number: self.number, name: self.source.name(), state }
    }
}

/// How far tables and sources are.
fn state_of(tables: &[TableRow<'_>], sources: &[Listed]) -> Value {
    let tables: Vec<Value> = tables.iter().map(|row| json!([row.name, row.hands, row.is_over])).collect();
    let sources: Vec<Option<Value>> =
        sources.iter().map(|of| of.contents.as_ref().ok().map(Contents::state)).collect();
    json!({ "tables": tables, "sources": sources })
}

/// The answer if something cannot be done.
fn failed(error: &ServeError) -> Response {
    let why = error.to_string();
    match error {
        ServeError::Ends => Response::unavailable(&why),
        error if error.is_missing() => Response::missing(&why),
        _ => Response::failed(&why),
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
            Err(error) => failed(&error),
        },
        (Method::Get, ["log"]) => match table.log() {
            Ok(Some(log)) => Response::file(log),
            Ok(None) => Response::conflict("the game is not over"),
            Err(error) => failed(&error),
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
                Err(NotTaken::Failed(error)) => failed(&error),
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

/// Locks the folder of the tables against other servers.
fn locked(folder: &Path) -> Result<Option<Lock>, ServeError> {
    lock(folder).map_err(|cause| ServeError::Locked { folder: folder.to_owned(), cause })
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
