//! Files of recorded games: finds them, detects their format, and yields the texts of their games.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::source::{LogFormat, Source};
use super::tenhou::Date;
use super::{LogError, Problem, majsoul};
use crate::store;

/// The longest text of one game, in bytes. Real games need less than a tenth of it.
pub const MAX_GAME_BYTES: usize = 4 << 20;

/// The extensions of log files in folders. Each may be followed by `.gz`.
pub const ENDINGS: [&str; 6] = ["xml", "mjlog", "json", "jsonl", "mjson", "txt"];

/// The log files and runs at these paths. Folders are searched in order of name. A folder to which links
/// lead is searched once for each path.
///
/// # Errors
///
/// If a path does not exist or a folder cannot be read.
pub fn find(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        let at_path = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        found.extend(find_at(path).map_err(at_path)?);
    }
    Ok(found)
}

/// [`find`] for one path, with errors that do not name it.
///
/// # Errors
///
/// As for [`find`].
pub fn find_at(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if is_page_url(path) || store::is_url(path) || is_stdin(path) {
        found.push(path.to_owned());
    } else if path.is_dir() && !is_run(path) {
        search(path, &mut BTreeSet::new(), &mut found)?;
    } else {
        std::fs::metadata(path)?;
        found.push(path.to_owned());
    }
    Ok(found)
}

/// Adds the logs of a folder, unless it was searched before: a link may lead back to a folder above.
fn search(folder: &Path, searched: &mut BTreeSet<PathBuf>, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if !searched.insert(folder.canonicalize()?) {
        return Ok(());
    }
    let tables = folder.join("tables");
    if folder.join("league.toml").is_file() && tables.is_dir() {
        // The other files of a league are no logs.
        return search(&tables, searched, found);
    }
    let entries: io::Result<Vec<PathBuf>> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect();
    let mut entries = entries?;
    entries.sort();
    for path in entries {
        if is_run(&path) {
            found.push(path);
        } else if path.is_dir() {
            search(&path, searched, found)?;
        } else if is_log(&path) {
            found.push(path);
        }
    }
    Ok(())
}

fn is_run(path: &Path) -> bool {
    path.join("run.toml").is_file()
}

/// Whether a file in a folder counts as a log, by its name.
pub fn is_log(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    ENDINGS.iter().any(|ending| name.strip_suffix(ending).is_some_and(|stem| stem.ends_with('.')))
}

/// Whether a path is the address of a page, not of a run in an object store. A URL of Tenhou's
/// viewer holds a log itself.
pub fn is_page_url(path: &Path) -> bool {
    let is_page = |text: &str| text.starts_with("http://") || text.starts_with("https://");
    path.to_str().is_some_and(is_page) && !store::is_url(path)
}

/// Whether a path is stdin: `-`.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether a path is stdin, a pipe or a device, which can be read only once.
pub fn is_stream(path: &Path) -> bool {
    is_stdin(path) || std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Whether a path names something to read: a file, a pipe, stdin or the URL of a page, but no folder.
pub fn is_readable(path: &Path) -> bool {
    is_page_url(path) || path.is_file() || is_stream(path)
}

/// The name of a log for messages: its path, `stdin`, or the start of a URL, whose rest is the log.
pub fn shown(path: &Path) -> String {
    if is_stdin(path) {
        return "stdin".to_owned();
    }
    let text = path.display().to_string();
    match text.split_once(JSON_OF_URL).filter(|_| is_page_url(path)) {
        Some((site, _)) => format!("{site}{JSON_OF_URL}…"),
        None => text,
    }
}

/// The content of a file, or of stdin if it is `-`.
pub(crate) fn content_of(path: &Path) -> io::Result<Vec<u8>> {
    if !is_stdin(path) {
        return std::fs::read(path);
    }
    let mut content = Vec::new();
    io::stdin().read_to_end(&mut content).map(|_| content)
}

/// The text of a file, or of stdin if it is `-`.
///
/// # Errors
///
/// If it cannot be read or is not UTF-8. The message names the file.
pub fn read_text(path: &Path) -> io::Result<String> {
    let name = shown(path);
    let unreadable = |error: io::Error| io::Error::new(error.kind(), format!("{name}: cannot read: {error}"));
    String::from_utf8(content_of(path).map_err(unreadable)?).map_err(|error| {
        let (at, bytes) = (error.utf8_error().valid_up_to(), error.as_bytes());
        let line = String::from_utf8_lossy(&bytes[..at]).matches('\n').count() + 1;
        let byte = bytes[at];
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!(
                "{name}:{line}: expected UTF-8, found the byte 0x{byte:02x} at offset {at}: save the file as UTF-8"
            ),
        )
    })
}

/// The hosts of Tenhou's viewer. ron2.jp is that of Ron2.
const SITES: [&str; 2] = ["tenhou.net/", "ron2.jp/"];

/// What precedes the log in a URL of Tenhou's viewer.
const JSON_OF_URL: &str = "#json=";

/// Why a URL is no log.
fn error_of_url(url: &str) -> io::Error {
    let replays =
        SITES.iter().any(|site| ["0/", "3/"].iter().any(|page| url.contains(&[*site, *page].concat())));
    let what = if replays || url.contains("?log=") {
        "replay links hold no game: download the log, and give its file"
    } else {
        "expected a file, or a URL of tenhou.net/6 with `#json=`: download the log, and give its file"
    };
    io::Error::other(what)
}

/// The games of a file, one after the other.
///
/// The format follows from the content, which may be compressed with gzip:
///
/// - `<` starts an mjlog.
/// - A JSON list is a list of mjai events.
/// - JSON with `RecordNewRound` holds records of Mahjong Soul.
/// - Another JSON object is a tenhou.net/6 log, an mjai event, or a line of a collection: a game
///   under the key `xml`, `log`, `events` or `record`.
/// - Text that is none of these and comes before a line with an mjai event is part of an mjai log.
/// - A line with a URL of Tenhou's viewer (`https://tenhou.net/6/#json=…`) is a tenhou.net/6 log of
///   one hand or more.
pub struct Games {
    path: PathBuf,
    /// The number of bytes of the file that have been read.
    position: Arc<AtomicU64>,
    lines: LineReader,
    /// A line that was read ahead, or an error that ended the last game before its end.
    ahead: Option<Result<(usize, String), LogError>>,
    /// Whether the file holds one game per line.
    is_collection: bool,
    /// Whether the iterator has returned its first game, or an error in its place.
    has_begun: bool,
    done: bool,
}

/// A line of a collection: a game and its name under the keys that collections use.
#[derive(Deserialize)]
struct CollectionLine<'a> {
    log_id: Option<String>,
    path: Option<String>,
    id: Option<serde_json::Value>,
    xml: Option<String>,
    #[serde(borrow)]
    log: Option<&'a RawValue>,
    #[serde(borrow)]
    events: Option<&'a RawValue>,
    #[serde(borrow)]
    record: Option<&'a RawValue>,
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
}

impl CollectionLine<'_> {
    /// The game of the line, if it has one.
    fn game(&self, line: &str, name: String, played: Option<Date>) -> Option<Source> {
        let id = self.id.as_ref().and_then(|id| id.as_str());
        let hints = [self.log_id.as_deref(), self.path.as_deref(), id];
        let played = hints.into_iter().flatten().find_map(Date::find).or(played);
        let (format, text) = match (&self.xml, self.log, self.events) {
            (Some(xml), ..) => (LogFormat::Mjlog, xml.as_str()),
            _ if majsoul::is_log(line) => (LogFormat::Majsoul, self.record.map_or(line, RawValue::get)),
            (_, Some(log), _) if log.get().starts_with('{') => (LogFormat::Tenhou6, log.get()),
            (_, Some(_), _) => (LogFormat::Tenhou6, line),
            (.., Some(events)) => (LogFormat::Mjai, events.get()),
            _ => return None,
        };
        Some(Source { name, id: id.map(str::to_owned), format, text: text.to_owned(), played })
    }
}

impl Games {
    /// Opens a file, stdin ([`is_stdin`]), or the log in a URL ([`is_page_url`]).
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, or a URL holds no log.
    pub fn open(path: &Path) -> io::Result<Games> {
        match path.to_str().filter(|_| is_page_url(path)) {
            None if is_stdin(path) => Games::of(Path::new(&shown(path)), io::stdin()),
            None => Games::of(path, File::open(path)?),
            Some(url) if url.contains(JSON_OF_URL) => {
                Games::of(Path::new(&shown(path)), Cursor::new(url.to_owned().into_bytes()))
            }
            Some(url) => Err(error_of_url(url)),
        }
    }

    /// The games in the content of a file. `path` names it in messages.
    ///
    /// # Errors
    ///
    /// If the first bytes cannot be read.
    pub fn of(path: &Path, content: impl Read + Send + 'static) -> io::Result<Games> {
        let position = Arc::new(AtomicU64::new(0));
        let mut content = BufReader::new(CountingReader { content, position: Arc::clone(&position) });
        let is_gzip = content.fill_buf()?.starts_with(&[0x1F, 0x8B]);
        let text: Box<dyn Read + Send> =
            if is_gzip { Box::new(MultiGzDecoder::new(content)) } else { Box::new(content) };
        Ok(Games {
            path: path.to_owned(),
            position,
            lines: LineReader { text: BufReader::new(text), number: 0, is_broken: false, failure: None },
            ahead: None,
            is_collection: false,
            has_begun: false,
            done: false,
        })
    }

    /// How many bytes of the file have been read.
    pub fn bytes_read(&self) -> u64 {
        self.position.load(Ordering::Relaxed)
    }

    /// A problem of the file, or of the line with this number.
    fn error(&self, line: Option<usize>, problem: Problem) -> LogError {
        let place = line.map_or_else(String::new, |number| format!("line {number}"));
        LogError::at(place, problem).in_game(&self.path.display().to_string())
    }

    fn next_line(&mut self) -> Result<Option<(usize, String)>, LogError> {
        match self.ahead.take() {
            Some(ahead) => ahead.map(Some),
            None => self.lines.next().map_err(|(number, problem)| self.error(Some(number), problem)),
        }
    }

    /// Appends a line to the text of a game, which must not become too long.
    fn append(&self, text: &mut String, (number, line): (usize, &str)) -> Result<(), LogError> {
        if text.len() + line.len() > MAX_GAME_BYTES {
            let what = format!("a game of more than {MAX_GAME_BYTES} bytes");
            return Err(self.error(Some(number), Problem::new(what)));
        }
        text.push('\n');
        text.push_str(line);
        Ok(())
    }

    /// The next line while a game is read. On an error the game ends with the lines read so far, and the
    /// iterator returns the error next.
    fn line_of_game(&mut self) -> Option<(usize, String)> {
        let line = self.next_line();
        line.unwrap_or_else(|error| {
            self.ahead = Some(Err(error));
            None
        })
    }

    /// The text of the only game of a file: its first line and all that follow.
    fn rest(&mut self, first: String) -> Result<String, LogError> {
        let mut text = first;
        while let Some((number, line)) = self.line_of_game() {
            self.append(&mut text, (number, &line))?;
        }
        Ok(text)
    }

    fn next_game(&mut self) -> Result<Option<Source>, LogError> {
        let Some((number, line)) = self.next_line()? else { return Ok(None) };
        let start = line.trim_start_matches('\u{FEFF}').trim_start();
        let path = self.path.display().to_string();
        let played = Date::find(&self.path.file_name().unwrap_or_default().to_string_lossy());
        let in_line = format!("{path}:{number}");
        let source = |name: &String, format, text| {
            Ok(Some(Source { name: name.clone(), id: None, format, text, played }))
        };
        if start.starts_with('<') {
            return source(&path, LogFormat::Mjlog, self.rest(start.to_owned())?);
        }
        if start.starts_with('[') {
            let text = self.rest(start.to_owned())?;
            let format = if majsoul::is_log(&text) { LogFormat::Majsoul } else { LogFormat::Mjai };
            return source(&path, format, text);
        }
        if let Some(text) = text_of_url(start) {
            self.is_collection = true;
            return source(&in_line, LogFormat::Tenhou6, text);
        }
        let entry = match serde_json::from_str::<CollectionLine<'_>>(start) {
            Ok(entry) => entry,
            // A JSON document over many lines.
            Err(_) if number == 1 && start.starts_with('{') => {
                let text = self.rest(start.to_owned())?;
                let format = if majsoul::is_log(&text) { LogFormat::Majsoul } else { LogFormat::Tenhou6 };
                return source(&path, format, text);
            }
            Err(_) => {
                if !self.has_begun
                    && let Some(text) = self.game_after_text(start)
                {
                    return source(&path, LogFormat::Mjai, text);
                }
                let problem =
                    Problem::new("not a recorded game: expected XML, JSON or a URL of tenhou.net/6");
                return Err(self.error(Some(number), problem));
            }
        };
        if entry.kind.is_some() {
            let text = self.mjai_game(start.to_owned())?;
            return source(if number == 1 { &path } else { &in_line }, LogFormat::Mjai, text);
        }
        let game = entry.game(start, in_line, played);
        self.is_collection |= game.is_some();
        game.map(Some).ok_or_else(|| {
            let what = "no recorded game: expected one of the keys `xml`, `log`, `events`, `record`, `type`";
            self.error(Some(number), Problem::quoting(what))
        })
    }

    /// The mjai game of a file that starts with text that is no log, such as messages of a server. None
    /// if no event follows, or the text up to it is too long or cannot be read.
    fn game_after_text(&mut self, first: &str) -> Option<String> {
        let is_event = |line: &str| {
            let entry: Option<CollectionLine<'_>> = serde_json::from_str(line).ok();
            entry.is_some_and(|entry| entry.kind.is_some())
        };
        let mut text = first.to_owned();
        while let Ok(Some((number, line))) = self.next_line() {
            self.append(&mut text, (number, &line)).ok()?;
            if is_event(&line) {
                return self.mjai_game(text).ok();
            }
        }
        None
    }

    /// The events of one mjai game: the lines up to the next game's `start_game`. Messages of the
    /// server may come before its own `start_game`.
    fn mjai_game(&mut self, first: String) -> Result<String, LogError> {
        let begins_game =
            |line: &str| ["\"start_game\"", "\"start_kyoku\""].iter().any(|key| line.contains(key));
        let mut has_start = begins_game(&first);
        let mut text = first;
        while let Some((number, line)) = self.line_of_game() {
            if has_start && line.contains("\"start_game\"") {
                self.ahead = Some(Ok((number, line)));
                break;
            }
            has_start = has_start || begins_game(&line);
            self.append(&mut text, (number, &line))?;
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
        if matches!(game, Ok(None)) && !self.has_begun {
            game = Err(self.error(None, Problem::new("the file is empty: expected a recorded game")));
        }
        self.has_begun = true;
        // A bad line of a collection does not hide the lines after it.
        self.done = match &game {
            Ok(game) => game.is_none(),
            Err(_) => !self.is_collection || self.lines.is_broken,
        };
        game.transpose()
    }
}

/// The JSON text in a URL of Tenhou's viewer, percent-encoded or not. Other values may follow it, such
/// as `&ts=0`. None if the line is no such URL.
fn text_of_url(line: &str) -> Option<String> {
    let (site, text) = line.split_once(JSON_OF_URL)?;
    let is_json = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_ok();
    if !SITES.iter().any(|known| site.contains(known)) || site.starts_with('{') {
        return None;
    }
    // A text that is not encoded may contain `&` itself.
    let plain = text.rfind('}').map(|end| &text[..=end]).filter(|text| is_json(text));
    let encoded = text.split(['&', ' ']).next().unwrap_or_default().trim();
    let decode = |encoded: &str| percent_decode_str(encoded).decode_utf8_lossy().into_owned();
    // Encoders of forms write `+` for a space.
    let of_form =
        || Some(decode(&encoded.replace('+', " "))).filter(|text| encoded.contains('+') && is_json(text));
    let decoded = || Some(decode(encoded)).filter(|text| is_json(text)).or_else(of_form);
    Some(plain.map(str::to_owned).or_else(decoded).unwrap_or_else(|| decode(encoded)))
}

/// Counts the bytes that are read.
struct CountingReader<R> {
    content: R,
    position: Arc<AtomicU64>,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.content.read(buffer)?;
        self.position.fetch_add(len as u64, Ordering::Relaxed);
        Ok(len)
    }
}

/// Lines that are not empty, with their numbers from 1.
struct LineReader {
    text: BufReader<Box<dyn Read + Send>>,
    number: usize,
    /// Whether an error ended the reading.
    is_broken: bool,
    /// An error that came after part of a line, such as at the end of a cut gzip file. The next call
    /// returns it.
    failure: Option<Problem>,
}

impl LineReader {
    /// The next line. An error comes with the number of its line.
    fn next(&mut self) -> Result<Option<(usize, String)>, (usize, Problem)> {
        let line = self.read();
        self.is_broken = line.is_err();
        line.map_err(|problem| (self.number, problem))
    }

    fn read(&mut self) -> Result<Option<(usize, String)>, Problem> {
        if let Some(problem) = self.failure.take() {
            return Err(problem);
        }
        loop {
            let mut line = Vec::new();
            self.number += 1;
            let limited = self.text.by_ref().take(MAX_GAME_BYTES as u64 + 1).read_until(b'\n', &mut line);
            match limited.map_err(Problem::new) {
                Err(problem) if line.is_empty() => return Err(problem),
                // The part of the line before the error is returned first.
                Err(problem) => self.failure = Some(problem),
                Ok(0) => return Ok(None),
                Ok(len) if len > MAX_GAME_BYTES => {
                    return Err(Problem::new(format!("longer than {MAX_GAME_BYTES} bytes")));
                }
                Ok(_) => {}
            }
            let line = String::from_utf8(line).map_err(|_| Problem::new("not UTF-8"))?;
            if !line.trim().is_empty() {
                return Ok(Some((self.number, line)));
            }
        }
    }
}
