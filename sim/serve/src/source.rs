//! The games of a run, a log or a league, or a position.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

use jantaku_agents::NamedAgent;
use jantaku_engine::Rules;
use jantaku_engine::rules::Preset;
use jantaku_pages::{page, served_page};
use jantaku_show::Sentence;
use jantaku_show::transcript::TranscriptScope;
use serde::Serialize;
use serde_json::{Value, json};

use super::error::ServeError;
use super::live_game::{can_be_played, play_again};
use super::result::{Played, ResultSoFar};
use super::save_game::reviewed;
use super::start::Start;
use jantaku_measure::arena::League;
use jantaku_sim::logs::LogError;
use jantaku_sim::logs::files::{Games, is_page_url, shown};
use jantaku_sim::play::Detail;
use jantaku_sim::replay::error::SourceError;
use jantaku_sim::replay::source::GameSource;
use jantaku_sim::run::{self, RunConfig};
use jantaku_sim::store::{self, is_locked};

/// Why there is no game in play to show.
const NONE_IN_PLAY: &str = "no game in play can be shown: the run is over, or its agents are slow, need other \
     programs, or belong to another version of Jantaku";

/// A run, a log, a league or a position that a server shows.
#[derive(Debug)]
pub(super) struct Source {
    path: PathBuf,
    /// What was played at a URL. It costs requests to find out.
    at_url: OnceLock<Played>,
    /// The games of a log, as they were counted last.
    counted: Mutex<Option<Counted>>,
    /// The result, as it was counted last.
    result: Mutex<Option<(u64, Progress, Arc<ResultSoFar>)>>,
}

/// The number of games of a log, which were counted up to a limit.
#[derive(Clone, Copy, Debug)]
struct Counted {
    /// The file that was read.
    file: FileStamp,
    games: u64,
    /// Whether the log has more games than were counted.
    has_more: bool,
}

/// The size of a file, and when it was modified. None for a URL, which holds its log.
type FileStamp = Option<(u64, SystemTime)>;

/// What a source holds now.
pub(super) struct Contents {
    /// The number of the first game.
    pub(super) first: u64,
    /// The number of games that can be listed.
    pub(super) games: u64,
    /// Whether a log has more games, which were not counted.
    pub(super) has_more: bool,
    /// The number of games that the run will have. None for a log, or if it is not known.
    pub(super) planned: Option<u64>,
    /// How far a run is. A log is complete.
    pub(super) progress: Progress,
    /// Whether figures of the games can be counted: a run may keep only their results, or branch from
    /// another game.
    pub(super) has_hands: bool,
    /// Whether the games can be shown: a run may keep only their results.
    pub(super) has_decisions: bool,
    /// The agents of a run.
    pub(super) agents: Vec<String>,
}

/// The result of a source.
pub(super) enum SoFar {
    Result(Arc<ResultSoFar>),
    /// No part is complete yet.
    Nothing(Contents),
    /// It is a log, a position, or a run whose figures cannot be counted: see [`Contents::has_hands`].
    Never,
}

impl SoFar {
    /// The result. None if there is none now.
    pub(super) fn result(&self) -> Option<&ResultSoFar> {
        match self {
            SoFar::Result(result) => Some(result),
            SoFar::Nothing(_) | SoFar::Never => None,
        }
    }
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Progress {
    /// All games are there.
    Complete,
    /// A program is writing it.
    Running,
    /// It was stopped, and can be resumed.
    Stopped,
}

impl Contents {
    /// A log of this many games, or a position.
    const fn file(games: u64, has_more: bool) -> Contents {
        Contents {
            first: 0,
            games,
            has_more,
            planned: None,
            progress: Progress::Complete,
            has_hands: false,
            has_decisions: true,
            agents: Vec::new(),
        }
    }

    /// What a page polls.
    pub(super) fn state(&self) -> Value {
        json!({ "games": self.games, "planned": self.planned, "progress": self.progress })
    }
}

impl Source {
    /// The run or league in a folder, or the log or position in a file.
    pub(super) const fn new(path: PathBuf) -> Source {
        Source { path, at_url: OnceLock::new(), counted: Mutex::new(None), result: Mutex::new(None) }
    }

    /// The folder of a run or league, or the file of a log or position.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is a league, whose games are those of its tables.
    pub(super) fn is_league(&self) -> bool {
        self.played() == Some(Played::League)
    }

    /// Its name in lists.
    pub(super) fn name(&self) -> String {
        shown(&self.path)
    }

    /// Checks that it still exists. A URL is not checked: reading it reports the error.
    fn check_exists(&self) -> Result<(), ServeError> {
        if is_page_url(&self.path) || store::is_url(&self.path) || self.path.exists() {
            return Ok(());
        }
        Err(ServeError::gone(&self.path))
    }

    /// What it holds now. Logs can be very long, so only this many of their games are counted.
    pub(super) fn contents(&self, most: u64) -> Result<Contents, ServeError> {
        self.check_exists()?;
        match self.played() {
            None if is_position(&self.path) => {
                self.game(0, 0)?;
                Ok(Contents::file(1, false))
            }
            None => {
                let Counted { games, has_more, .. } = self.counted(most)?;
                Ok(Contents::file(games, has_more))
            }
            Some(Played::League) => self.contents_of_league(),
            Some(Played::Run | Played::Match) => self.contents_of_run(),
        }
    }

    /// Counts at most this many games of the log, including unreadable ones: but a file whose only game is
    /// unreadable is no log. Keeps the count until the file changes.
    fn counted(&self, most: u64) -> Result<Counted, ServeError> {
        let cannot_open = |cause| ServeError::file(&self.path, "cannot open", &cause);
        let file = self.stamp().map_err(cannot_open)?;
        let mut known = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let is_enough = |known: &Counted| known.file == file && (!known.has_more || known.games >= most);
        if let Some(known) = known.filter(is_enough) {
            return Ok(known);
        }
        // A pipe can be read only once.
        let mut found = Games::open(&self.path).map_err(cannot_open)?;
        let first = found.next();
        let others = found.take(usize::try_from(most).unwrap_or(usize::MAX).max(1)).count() as u64;
        let games = u64::from(first.is_some()) + others;
        let only = first.filter(|_| others == 0);
        if let Some(why) = only.and_then(|only| only.and_then(|game| game.read(None)).err()) {
            return Err(not_a_source(&self.path, &why));
        }
        let counted = Counted { file, games: games.min(most), has_more: games > most };
        Ok(*known.insert(counted))
    }

    /// The size of the file and when it was modified, which change if it is written again.
    fn stamp(&self) -> std::io::Result<FileStamp> {
        if is_page_url(&self.path) {
            return Ok(None);
        }
        let found = self.path.metadata()?;
        Ok(Some((found.len(), found.modified()?)))
    }

    fn contents_of_run(&self) -> Result<Contents, ServeError> {
        let (config, manifest) = run::read_started(&self.path)?;
        let manifest = manifest.unwrap_or_default();
        Ok(Contents {
            first: config.range().start,
            games: manifest.games,
            has_more: false,
            planned: config.games_of_folder(),
            progress: self.progress(manifest.complete),
            has_hands: config.detail >= Detail::Hands && config.branch.is_none(),
            has_decisions: config.detail >= Detail::Decisions,
            agents: config.agents,
        })
    }

    fn contents_of_league(&self) -> Result<Contents, ServeError> {
        let (games, planned) = League::progress(&self.path)?;
        Ok(Contents {
            planned: Some(planned),
            progress: self.progress(games == planned),
            has_hands: true,
            has_decisions: false,
            ..Contents::file(games, false)
        })
    }

    /// How far a run or league is. A program that writes it holds the lock of the folder. Object stores
    /// have no locks, so a run there seems to be stopped.
    fn progress(&self, is_complete: bool) -> Progress {
        match (is_complete, is_locked(&self.path)) {
            (true, _) => Progress::Complete,
            (false, true) => Progress::Running,
            (false, false) => Progress::Stopped,
        }
    }

    /// The result of its games. They are counted again when there are more.
    pub(super) fn result(&self) -> Result<SoFar, ServeError> {
        let contents = self.contents(0)?;
        let Some(played) = self.played().filter(|_| contents.has_hands) else { return Ok(SoFar::Never) };
        if contents.games == 0 {
            return Ok(SoFar::Nothing(contents));
        }
        let mut known = self.result.lock().unwrap_or_else(PoisonError::into_inner);
        let (games, progress) = (contents.games, contents.progress);
        if let Some((.., result)) = known.as_ref().filter(|known| (known.0, known.1) == (games, progress)) {
            return Ok(SoFar::Result(Arc::clone(result)));
        }
        let result = Arc::new(played.result(&self.path)?);
        *known = Some((games, progress, Arc::clone(&result)));
        Ok(SoFar::Result(result))
    }

    /// The page of a game, with what an agent thinks of all decisions. `address` begins the links that play
    /// on from a decision.
    pub(super) fn page(
        &self,
        game: u64,
        address: &str,
        agent: Option<&NamedAgent>,
    ) -> Result<String, ServeError> {
        let game = self.game(game, 0)?;
        let (view, opening) = match agent {
            Some(_) => reviewed(&game, agent, None)?,
            None => game.view(TranscriptScope::default(), ())?,
        };
        Ok(served_page(&view, opening, address))
    }

    /// The number of the game in play. None if the run is not running, or the game cannot be shown.
    pub(super) fn in_play(&self) -> Result<Option<u64>, ServeError> {
        Ok(self.config_in_play()?.map(|(_, game)| game))
    }

    /// The page of the game in play. The run has not written it yet.
    pub(super) fn page_in_play(&self) -> Result<String, ServeError> {
        let (place, what) = (self.path.display().to_string(), NONE_IN_PLAY.to_owned());
        let (config, game) = self.config_in_play()?.ok_or(ServeError::Missing { place, what })?;
        let game = GameSource::Run(Box::new(play_again(&self.path, config, game)?));
        let (mut view, opening) = game.view(TranscriptScope::default(), ())?;
        view.note([Sentence::new("not-written", ())]);
        Ok(page(&view, opening))
    }

    /// The run with the number of its game in play.
    fn config_in_play(&self) -> Result<Option<(RunConfig, u64)>, ServeError> {
        self.check_exists()?;
        if !matches!(self.played(), Some(Played::Run | Played::Match)) {
            return Ok(None);
        }
        let (config, manifest) = run::read_started(&self.path)?;
        let manifest = manifest.unwrap_or_default();
        let (range, is_running) = (config.range(), self.progress(manifest.complete) == Progress::Running);
        let game = range.start + manifest.games;
        let is_in_play = is_running && game < range.end && can_be_played(&config);
        Ok(is_in_play.then_some((config, game)))
    }

    /// The game up to a decision, to be played on. Tiles that are not known are dealt from the seed.
    pub(super) fn start(&self, game: u64, decision: usize, seed: u64) -> Result<Start, ServeError> {
        let start = Start::new(&self.game(game, seed)?, decision, seed)?;
        let what = format!("game {game}: cannot be continued: it has no decision {decision}");
        start.ok_or_else(|| ServeError::Missing { place: self.name(), what })
    }

    /// A game by its number, or the position with hidden tiles dealt from the seed.
    fn game(&self, game: u64, seed: u64) -> Result<GameSource, ServeError> {
        self.check_exists()?;
        if !is_position(&self.path) {
            return Ok(GameSource::open(&self.path, Some(game), None)?);
        }
        if game > 0 {
            return Err(SourceError::not_in_log(&self.path, game, 1).into());
        }
        Ok(GameSource::open_position(&self.path, seed, preset)?)
    }

    /// What was played here. None for a log or a position.
    fn played(&self) -> Option<Played> {
        if store::is_url(&self.path) {
            return Some(*self.at_url.get_or_init(|| Played::of(&self.path)));
        }
        self.path.is_dir().then(|| Played::of(&self.path))
    }
}

/// Why the game of a log with a single game cannot be read. None for more games: some may be damaged.
pub(super) fn why_unreadable(mut games: Games) -> Option<LogError> {
    let why = games.next()?.and_then(|first| first.read(None)).err()?;
    games.next().is_none().then_some(why)
}

/// The error for a path without anything that a server can show. `why` says why no game can be read.
fn not_a_source(path: &Path, why: &LogError) -> ServeError {
    let (why, place) = (why.to_string(), path.display().to_string());
    let why = why.strip_prefix(&place).map_or(why.as_str(), |why| why.trim_start_matches(": "));
    let expected = "expected a run, a league, a log, a position or a folder of them";
    ServeError::new(&shown(path), format!("{expected}, found no recorded game ({why})"))
}

/// Whether a file has the name of a position.
pub(super) fn is_position(path: &Path) -> bool {
    !is_page_url(path) && path.extension().is_some_and(|ending| ending == "toml") && path.is_file()
}

/// The rules with this name in a position. Only presets are accepted.
fn preset(name: &str) -> Result<Rules, String> {
    Rules::preset(name).ok_or_else(|| format!("found `{name}`, {}", Preset::known(name)))
}
