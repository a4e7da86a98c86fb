//! Files of recorded games: which format they are in, and where one game ends and the next begins.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;
use jantaku_agents::mjai;
use jantaku_engine::Rules;
use jantaku_engine::replay::RecordedGame;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::tenhou::{self, Month};
use super::{LogError, mjlog, tenhou6};

/// The longest text of one game that is read, in bytes; real games stay below a tenth of it.
pub const LONGEST: usize = 4 << 20;

/// The ends of names of files that are looked for in folders, each also with `.gz`.
pub const ENDINGS: [&str; 6] = ["xml", "mjlog", "json", "jsonl", "mjson", "txt"];

/// The text of one recorded game.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where it was found: the file, with the number of the line where the file holds a game a line.
    pub name: String,
    /// The name that the line of a collection gives it.
    id: Option<String>,
    format: Format,
    text: String,
    played: Option<Month>,
}

/// The formats that can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Tenhou's XML.
    Mjlog,
    /// tenhou.net/6 JSON.
    Tenhou6,
    /// mjai JSON lines, or a JSON list of events.
    Mjai,
}

impl Source {
    /// The format.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The name of the game: that which the line of a collection gives it, or the name of its file.
    #[must_use]
    pub fn id(&self) -> &str {
        let file = || self.name.rsplit(['/', '\\']).next().unwrap_or(&self.name);
        self.id.as_deref().unwrap_or_else(file)
    }

    /// How many bytes the text has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The game. If the log does not state its rules they are the assumed ones; without these, those of Tenhou under which the game
    /// can have gone as recorded.
    ///
    /// # Errors
    ///
    /// If the text is not a log of its format, is broken, or was played with special rules.
    pub fn read(&self, assumed: Option<&Rules>) -> Result<RecordedGame, LogError> {
        match self.format {
            Format::Mjlog => mjlog::read(&self.text, self.played),
            Format::Tenhou6 => tenhou6::read(&self.text, self.played, assumed),
            Format::Mjai => {
                let mut log = mjai::read(&self.text)?;
                match assumed {
                    _ if log.states_rules => {}
                    Some(rules) if rules.players != log.game.rules.players => {
                        let (found, expected) = (log.game.rules.players, rules.players);
                        let what = format!(
                            "a game of {}, but the rules are for {}",
                            found.count(),
                            expected.count()
                        );
                        return Err(LogError::new("the game", what));
                    }
                    Some(rules) => log.game.rules = *rules,
                    None => tenhou::fit_rules(&mut log.game, self.played),
                }
                Ok(log.game)
            }
        }
    }
}

/// The files of recorded games and the runs under these paths, folders searched through in order of name.
///
/// # Errors
///
/// If a path does not exist or a folder cannot be read.
pub fn find(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        if path.is_dir() && !is_run(path) {
            search(path, &mut found).map_err(named)?;
        } else {
            std::fs::metadata(path).map_err(named)?;
            found.push(path.clone());
        }
    }
    Ok(found)
}

fn search(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let entries: io::Result<Vec<PathBuf>> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect();
    let mut entries = entries?;
    entries.sort();
    for path in entries {
        if is_run(&path) {
            found.push(path);
        } else if path.is_dir() {
            search(&path, found)?;
        } else if is_log(&path) {
            found.push(path);
        }
    }
    Ok(())
}

fn is_run(path: &Path) -> bool {
    path.join("run.toml").is_file()
}

fn is_log(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    ENDINGS.iter().any(|ending| name.strip_suffix(ending).is_some_and(|stem| stem.ends_with('.')))
}

/// Reads the games of a file one after the other.
///
/// The format is told by the content: `<` begins XML; a JSON object is a tenhou.net/6 log, an mjai event, or a line that holds a game
/// under `xml`, `log` or `events`; a JSON list is a list of mjai events. All of them may be compressed with gzip.
pub struct Games {
    path: PathBuf,
    position: Arc<AtomicU64>,
    lines: Lines,
    /// A line that was read ahead.
    ahead: Option<(usize, String)>,
    /// Whether the file holds a game a line.
    is_collection: bool,
    /// Whether anything was found in the file.
    found: bool,
    done: bool,
}

/// One line with a game, as the wrappers of collections write it.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(default)]
    log_id: Option<String>,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    id: Option<serde_json::Value>,
    #[serde(default)]
    xml: Option<String>,
    #[serde(borrow, default)]
    log: Option<&'a RawValue>,
    #[serde(borrow, default)]
    events: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "type")]
    kind: Option<&'a RawValue>,
}

impl Line<'_> {
    /// The game that the line holds.
    fn game(&self, line: &str, name: String, played: Option<Month>) -> Option<Source> {
        let id = self.id.as_ref().and_then(|id| id.as_str());
        let hints = [self.log_id.as_deref(), self.path.as_deref(), id];
        let played = hints.into_iter().flatten().find_map(Month::find).or(played);
        let (format, text) = match (&self.xml, self.log, self.events) {
            (Some(xml), ..) => (Format::Mjlog, xml.as_str()),
            (_, Some(log), _) if log.get().starts_with('{') => (Format::Tenhou6, log.get()),
            (_, Some(_), _) => (Format::Tenhou6, line),
            (.., Some(events)) => (Format::Mjai, events.get()),
            _ => return None,
        };
        Some(Source { name, id: id.map(str::to_owned), format, text: text.to_owned(), played })
    }
}

impl Games {
    /// The games of this file.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened.
    pub fn open(path: &Path) -> io::Result<Games> {
        Games::of(path, File::open(path)?)
    }

    /// The games of what would be in a file of this name.
    ///
    /// # Errors
    ///
    /// If the first bytes cannot be read.
    pub fn of(path: &Path, content: impl Read + Send + 'static) -> io::Result<Games> {
        let position = Arc::new(AtomicU64::new(0));
        let mut content = BufReader::new(Counted { content, position: Arc::clone(&position) });
        let is_gzip = content.fill_buf()?.starts_with(&[0x1F, 0x8B]);
        let text: Box<dyn Read + Send> =
            if is_gzip { Box::new(MultiGzDecoder::new(content)) } else { Box::new(content) };
        Ok(Games {
            path: path.to_owned(),
            position,
            lines: Lines { text: BufReader::new(text), number: 0, is_broken: false },
            ahead: None,
            is_collection: false,
            found: false,
            done: false,
        })
    }

    /// How many bytes of the file have been read.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.position.load(Ordering::Relaxed)
    }

    /// Whether no more games come.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.done
    }

    fn error(&self, what: impl std::fmt::Display) -> LogError {
        LogError::new("", what).of_game(&self.path.display().to_string())
    }

    fn next_line(&mut self) -> Result<Option<(usize, String)>, LogError> {
        match self.ahead.take() {
            Some(line) => Ok(Some(line)),
            None => self.lines.next().map_err(|error| self.error(error)),
        }
    }

    /// The rest of the file after this line, as the text of one game.
    fn rest(&mut self, first: String) -> Result<String, LogError> {
        let mut text = first;
        while let Some((number, line)) = self.lines.next().map_err(|error| self.error(error))? {
            if text.len() + line.len() > LONGEST {
                return Err(self.error(format!("line {number}: more than {LONGEST} bytes of one game")));
            }
            text.push('\n');
            text.push_str(&line);
        }
        Ok(text)
    }

    fn next_game(&mut self) -> Result<Option<Source>, LogError> {
        let Some((number, line)) = self.next_line()? else { return Ok(None) };
        let start = line.trim_start_matches('\u{FEFF}').trim_start();
        let name = self.path.display().to_string();
        let played = Month::find(&self.path.file_name().unwrap_or_default().to_string_lossy());
        let whole = |format, text| Ok(Some(Source { name: name.clone(), id: None, format, text, played }));
        if start.starts_with('<') {
            return whole(Format::Mjlog, self.rest(start.to_owned())?);
        }
        if start.starts_with('[') {
            return whole(Format::Mjai, self.rest(start.to_owned())?);
        }
        let line = match serde_json::from_str::<Line<'_>>(start) {
            Ok(line) => line,
            // A JSON document over many lines.
            Err(_) if number == 1 && start.starts_with('{') => {
                return whole(Format::Tenhou6, self.rest(start.to_owned())?);
            }
            Err(_) => {
                return Err(self.error(format!("line {number}: not a recorded game: expected XML or JSON")));
            }
        };
        if line.kind.is_some() {
            let text = self.mjai_game(start.to_owned())?;
            let name = if number == 1 { name } else { format!("{name}:{number}") };
            return Ok(Some(Source { name, id: None, format: Format::Mjai, text, played }));
        }
        let game = line.game(start, format!("{name}:{number}"), played);
        self.is_collection |= game.is_some();
        game.map(Some).ok_or_else(|| {
            self.error(format!(
                "line {number}: no recorded game: expected one of the keys `xml`, `log`, `events`, `type`"
            ))
        })
    }

    /// The events of one mjai game: the lines up to the next `start_game`.
    fn mjai_game(&mut self, first: String) -> Result<String, LogError> {
        let mut text = first;
        while let Some((number, line)) = self.next_line()? {
            if line.contains("\"start_game\"") && !text.is_empty() {
                self.ahead = Some((number, line));
                break;
            }
            if text.len() + line.len() > LONGEST {
                return Err(self.error(format!("line {number}: more than {LONGEST} bytes of one game")));
            }
            text.push('\n');
            text.push_str(&line);
        }
        Ok(text)
    }
}

impl Iterator for Games {
    type Item = Result<Source, LogError>;
    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let mut game = self.next_game();
        if matches!(game, Ok(None)) && !self.found {
            game = Err(self.error("the file is empty: expected a recorded game"));
        }
        self.found = true;
        // In a collection a line that is none does not hide those after it.
        self.done = match &game {
            Ok(game) => game.is_none(),
            Err(_) => !self.is_collection || self.lines.is_broken,
        };
        game.transpose()
    }
}

/// The content of a file, and a count of what is read of it.
struct Counted<R> {
    content: R,
    position: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.content.read(buffer)?;
        self.position.fetch_add(len as u64, Ordering::Relaxed);
        Ok(len)
    }
}

/// Lines that are not empty, with their numbers from 1.
struct Lines {
    text: BufReader<Box<dyn Read + Send>>,
    number: usize,
    /// Whether the file could not be read further.
    is_broken: bool,
}

impl Lines {
    fn next(&mut self) -> io::Result<Option<(usize, String)>> {
        let line = self.read();
        self.is_broken = line.is_err();
        line
    }

    fn read(&mut self) -> io::Result<Option<(usize, String)>> {
        loop {
            let mut line = Vec::new();
            let len = self.text.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut line)?;
            self.number += 1;
            if len == 0 {
                return Ok(None);
            }
            if len > LONGEST {
                let what = format!("line {}: longer than {LONGEST} bytes", self.number);
                return Err(io::Error::new(io::ErrorKind::InvalidData, what));
            }
            let line = String::from_utf8(line).map_err(|_| {
                io::Error::new(io::ErrorKind::InvalidData, format!("line {}: not UTF-8", self.number))
            })?;
            if !line.trim().is_empty() {
                return Ok(Some((self.number, line)));
            }
        }
    }
}
