//! What a server offers, and its answers to requests.

use std::collections::HashSet;
use std::convert::identity;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use jantaku_engine::ActionId;
use jantaku_engine::random::hash;
use jantaku_show::Sentence;
use serde::Deserialize;
use serde_json::{Value, json};

use super::error::ServeError;
use super::http::{BAD, CONFLICT, FAILED, MISSING, Method, Request, Response, UNAVAILABLE};
use super::pages::{self, MAX_GAMES, SourcePage, SourceRow, TableRow};
use super::play::Known;
use super::source::{Contents, SoFar, Source, is_position};
use super::sources::{Sources, league_of};
use super::start::Start;
use super::table::{Rejected, Table};
use super::table_config::{Offer, TableSetup};
use super::table_form::{self, Place, PlaceOf};
use super::tables::Tables;
use super::words::Words;
use jantaku_measure::reports::page::{Origin, page};
use jantaku_sim::replay::source::MAX_COUNTED;

/// What a server offers: tables to play at, and games to look at.
pub struct Site {
    offer: Offer,
    tables: Tables,
    sources: Sources,
    /// The number of tables set up by this server, for their seeds.
    count: AtomicU64,
}

/// An answer, or the response to a request that cannot be answered.
type Answer = Result<Response, Response>;

impl Site {
    /// Offers tables in a folder, and the games of these runs, logs and folders of them.
    ///
    /// Resumes unfinished games. Agents stop waiting when `stop` is set. Also returns the tables that
    /// cannot be opened, and why. The folder is locked against other servers until the server of the
    /// site has ended.
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
        let sources = Sources::find(sources, folder)?;
        let (tables, wrong) = Tables::open(folder, stop)?;
        Ok((Site { offer, tables, sources, count: AtomicU64::new(0) }, wrong))
    }

    /// The number of tables, and of runs, logs, leagues and positions.
    pub fn counts(&self) -> (usize, usize) {
        (self.tables.all().len(), self.sources.count())
    }

    /// Waits until no agent plays at a table, after `stop` was set.
    pub(super) fn wait_for_agents(&self) {
        self.tables.wait_for_agents();
    }

    /// Sets a table up, and returns its name.
    ///
    /// # Errors
    ///
    /// If an agent cannot play under the rules, the folder cannot be written, another server has
    /// it, or the server ends.
    pub fn sit_down(&self, setup: &TableSetup) -> Result<String, ServeError> {
        self.tables.set_up(setup, &[])
    }

    /// The answer to a request that the guard has let pass.
    pub(super) fn answer(&self, request: &Request) -> Response {
        let words = Words::of(request.header("accept-language"));
        let response = self.route(words, request).unwrap_or_else(identity);
        let is_navigation = request.header("accept").is_some_and(|kinds| kinds.contains("text/html"));
        if !is_navigation {
            return response;
        }
        response.with_page(|why| pages::error(words, words.error, why, ""))
    }

    fn route(&self, words: &Words, request: &Request) -> Answer {
        use Method::{Get, Post};
        let parts: Vec<&str> = request.path.split('/').skip(1).collect();
        Ok(match (request.method, &parts[..]) {
            (Get, [""]) => self.index(words),
            (Get, ["state"]) => Response::json(&self.state()),
            (Get, ["games", source]) => self.source_page(words, self.source(source)?, request)?,
            (Get, ["games", source, "state"]) => {
                Response::json(&self.source(source)?.1.contents(MAX_COUNTED as u64)?.state())
            }
            (Get, ["games", source, "result"]) => match self.source(source)?.1.result()? {
                SoFar::Result(result) => Response::json(&result.json),
                SoFar::Nothing(contents) => Response::json(&contents.state()),
                SoFar::Never => Response::error(MISSING, Sentence::new("no-result", ())),
            },
            (Get, ["games", source, "report"]) => report(words, self.source(source)?)?,
            (Get, ["games", source, "now"]) => Response::html(self.source(source)?.1.page_in_play()?),
            (Post, ["games"]) => self.open_log(words, request),
            (Get, ["games", source, game]) => {
                let ((number, source), game) = (self.source(source)?, parsed(game)?);
                let agent = |number: &str| self.offer.agents.get(number.parse::<usize>().ok()?);
                let agent =
                    request.query("agent").map(|number| agent(number).ok_or_else(Response::not_found));
                let agent = agent.transpose()?;
                Response::html(source.page(game, &format!("/games/{number}/{game}"), agent)?)
            }
            (Get, ["games", source, game, decision]) => {
                let ((number, source), game, decision) =
                    (self.source(source)?, parsed(game)?, parsed(decision)?);
                let start = source.start(game, decision, 0)?;
                let place = Place { of: PlaceOf::Source(number, game), decision };
                Response::html(pages::play_on(words, &self.offer, &place, &start))
            }
            (Get, ["tables", name, "review", decision]) => {
                let (table, decision) = (self.table(name)?, parsed(decision)?);
                let place = Place { of: PlaceOf::Table((*name).to_owned()), decision };
                let start = table.start(decision)?;
                start.map_or_else(not_over, |start| {
                    Response::html(pages::play_on(words, &self.offer, &place, &start))
                })
            }
            (Post, ["tables"]) => self.new_table(words, request)?,
            (Get, ["tables", name]) => Response::html(self.table(name)?.page()),
            (Get, ["tables", name, "state"]) => {
                let (table, known) = (self.table(name)?, known(request));
                let known =
                    known.ok_or_else(|| Response::error(BAD, "expected the numbers of hands and steps"))?;
                Response::json(&table.wait(known))
            }
            (Get, ["tables", name, "review"]) => {
                self.table(name)?.review()?.map_or_else(not_over, Response::html)
            }
            (Get, ["tables", name, "log"]) => self.table(name)?.log()?.map_or_else(not_over, Response::file),
            (Post, ["tables", name, "act"]) => act(&self.table(name)?, &Choice::read(request)?)?,
            (Post, ["tables", name, "undo"]) => {
                let (table, decision) = (self.table(name)?, Choice::read(request)?.decision);
                news_or(table.undo(decision), || table.ready(decision), "nothing-to-undo")?
            }
            (Post, ["tables", name, "ready"]) => {
                Response::json(&self.table(name)?.ready(Choice::read(request)?.decision))
            }
            (Post, ["tables", name, "hint"]) => {
                match self.table(name)?.hint(Choice::read(request)?.decision) {
                    Some(Ok(hint)) => Response::json(&hint),
                    Some(Err(error)) => Response::json(&json!({ "failure": error.to_string() })),
                    // Another window may have decided meanwhile.
                    None => Response::json(&json!({})),
                }
            }
            _ => Response::not_found(),
        })
    }

    /// The source with this number, and the number.
    fn source(&self, number: &str) -> Result<(usize, Arc<Source>), Response> {
        let number = parsed(number)?;
        Ok((number, self.sources.numbered(number).ok_or_else(Response::not_found)?))
    }

    fn table(&self, name: &str) -> Result<Arc<Table>, Response> {
        self.tables.named(name)?.ok_or_else(Response::not_found)
    }

    fn index(&self, words: &Words) -> Response {
        // A copy: reading the sources may take long, and other requests need the tables meanwhile.
        let tables = self.tables.all();
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
        let tables = self.tables.all();
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

    /// The page of a source.
    fn source_page(&self, words: &Words, source: (usize, Arc<Source>), request: &Request) -> Answer {
        let (number, source) = source;
        let from: u64 = request.query("from").and_then(|from| from.parse().ok()).unwrap_or(0);
        let contents = &source.contents(from.saturating_add(MAX_GAMES).max(MAX_COUNTED as u64))?;
        let (result, name, in_play) = (source.result()?, &*source.name(), source.in_play()?);
        let result = result.result();
        let tables = if source.is_league() { &self.tables_of(words, &source)[..] } else { &[] };
        let has_reviews = !is_position(source.path());
        let page = SourcePage { number, name, contents, result, tables, in_play, has_reviews };
        Ok(Response::html(page.html(words, from).map_err(ServeError::from)?))
    }

    /// The tables of a league.
    fn tables_of(&self, words: &Words, league: &Source) -> Vec<SourceRow> {
        let is_table = |of: &Listed| league_of(of.source.path()).is_some_and(|of| of == league.path());
        self.listed().iter().filter(|of| is_table(of)).map(|of| of.row(words)).collect()
    }

    /// Keeps the log that a form sends, and sends the browser to it.
    fn open_log(&self, words: &Words, request: &Request) -> Response {
        let has_content = |(_, content): &(&str, &[u8])| !content.trim_ascii().is_empty();
        let [file, text] = ["file", "text"].map(|part| request.part(part));
        let sent = file.filter(has_content).or(text.filter(has_content)).or(file);
        let (name, content) = sent.unwrap_or_default();
        let kept = self.tables.begin_writing().and_then(|_| self.sources.keep(name, content));
        let shown = kept.and_then(|number| match self.sources.numbered(number) {
            Some(source) if source.contents(1)?.has_more => Ok(format!("/games/{number}")),
            _ => Ok(format!("/games/{number}/0?agent=0")),
        });
        match shown {
            Ok(page) => Response::see_other(page),
            Err(why) => {
                let form = pages::log_form(words, request.part("text").unwrap_or_default().1);
                Response::error_page(BAD, pages::error(words, words.not_opened, why.to_string(), &form))
            }
        }
    }

    /// Sets a table up as a form says.
    fn new_table(&self, words: &Words, request: &Request) -> Answer {
        let bad = |wrong: String| Response::error(BAD, wrong);
        let random = self.new_seed();
        let (setup, made) = match table_form::place_of(request).map_err(bad)? {
            None => (table_form::table_of(request, words, &self.offer, random).map_err(bad)?, Vec::new()),
            Some(place) => {
                let start = self.start(&place, table_form::seed_of(request, random).map_err(bad)?)?;
                (table_form::table_from(request, &self.offer, &start).map_err(bad)?, start.made)
            }
        };
        match self.tables.set_up(&setup, &made) {
            Ok(name) => Ok(Response::see_other(format!("/tables/{name}"))),
            Err(error @ ServeError::Ends) => Err(error.into()),
            Err(error) => Err(Response::error(CONFLICT, error.to_string())),
        }
    }

    /// The game from which a form plays on.
    fn start(&self, place: &Place, seed: u64) -> Result<Start, Response> {
        match &place.of {
            PlaceOf::Source(number, game) => {
                let missing = || Response::error(BAD, format!("there is no source with the number {number}"));
                let source = self.sources.numbered(*number).ok_or_else(missing)?;
                Ok(source.start(*game, place.decision, seed)?)
            }
            PlaceOf::Table(name) => self.table(name)?.start(place.decision)?.ok_or_else(not_over),
        }
    }

    /// An unpredictable seed. It fits into a TOML file.
    fn new_seed(&self) -> u64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        hash(&[now, count, u64::from(std::process::id())]) >> 1
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

/// The response if something cannot be done.
impl From<ServeError> for Response {
    fn from(error: ServeError) -> Response {
        let status = match &error {
            ServeError::Ends => UNAVAILABLE,
            error if error.is_missing() => MISSING,
            _ => FAILED,
        };
        Response::error(status, error.to_string())
    }
}

/// A number in a path.
fn parsed<N: FromStr>(text: &str) -> Result<N, Response> {
    text.parse().map_err(|_| Response::not_found())
}

/// The report of a source, or how far it is.
fn report(words: &Words, (number, source): (usize, Arc<Source>)) -> Answer {
    Ok(match source.result()? {
        SoFar::Result(result) => {
            let page = page(result.kind, &result.json, &Origin::default());
            Response::html(page.map_err(ServeError::from)?)
        }
        SoFar::Nothing(contents) => {
            Response::html(pages::no_result(words, (number, &source.name()), &contents))
        }
        SoFar::Never => Response::error(MISSING, Sentence::new("no-result", ())),
    })
}

fn not_over() -> Response {
    Response::error(CONFLICT, Sentence::new("not-over", ()))
}

/// What a page knows of the game, as its query says.
fn known(request: &Request) -> Option<Known> {
    let number = |name| request.query(name)?.parse().ok();
    Some(Known {
        hands: number("hands")?,
        steps: number("steps")?,
        decision: number("decision"),
        undone: number("undone").unwrap_or(0),
    })
}

/// What a page sends about a decision.
#[derive(Deserialize)]
struct Choice {
    /// The number of the decision at the table.
    decision: usize,
    /// The number of the chosen action, if one was chosen.
    action: Option<u8>,
}

impl Choice {
    fn read(request: &Request) -> Result<Choice, Response> {
        if !request.header("content-type").is_some_and(|kind| kind.starts_with("application/json")) {
            return Err(Response::error(BAD, "expected JSON"));
        }
        serde_json::from_slice(&request.body)
            .map_err(|_| Response::error(BAD, "expected a decision, and an action"))
    }
}

/// Makes a decision of the person.
fn act(table: &Arc<Table>, choice: &Choice) -> Answer {
    let action =
        choice.action.and_then(ActionId::new).ok_or_else(|| Response::error(BAD, "expected an action"))?;
    news_or(table.act(choice.decision, action), || table.ready(choice.decision), "illegal")
}

/// The news after a decision, or `late` news if it came too late. `illegal` is the key of the sentence for an
/// illegal decision.
fn news_or(done: Result<Value, Rejected>, late: impl FnOnce() -> Value, illegal: &str) -> Answer {
    match done {
        Ok(news) => Ok(Response::json(&news)),
        Err(Rejected::Late) => Ok(Response::json(&late())),
        Err(Rejected::Illegal) => Err(Response::error(CONFLICT, Sentence::new(illegal, ()))),
        Err(Rejected::Failed(error)) => Err((*error).into()),
    }
}
