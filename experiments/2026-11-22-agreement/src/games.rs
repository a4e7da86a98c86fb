//! The recorded games of people: those of the phoenix room of Tenhou.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use jantaku_engine::replay::RecordedGame;
use jantaku_sim::logs::LogError;
use jantaku_sim::logs::mjlog;
use jantaku_sim::logs::tenhou::Date;
use serde::Deserialize;

/// Both bits in the type of a game name the phoenix room.
const PHOENIX: u32 = 0xA0;

/// A line of the collection.
#[derive(Deserialize)]
pub struct Log {
    /// The name of the game in the collection.
    #[serde(rename = "id")]
    pub name: String,
    /// The name on the server, if it is known. It starts with the date.
    #[serde(rename = "log_id")]
    on_server: Option<String>,
    /// The rules and the room as bits.
    go_type: u32,
    rules: String,
    xml: String,
}

impl Log {
    /// Reads the game.
    ///
    /// # Errors
    ///
    /// If the log is broken.
    pub fn game(&self) -> Result<RecordedGame, LogError> {
        mjlog::read(&self.xml, self.on_server.as_deref().and_then(Date::find))
    }

    /// The number of hands before the scheduled last one.
    pub fn last_round(&self) -> u16 {
        if self.rules.contains("tonpu") { 3 } else { 7 }
    }
}

/// The four-player games of the phoenix room in a folder with the reference data.
///
/// # Errors
///
/// If the folder has no such games or a file cannot be read.
pub fn read(data: &Path) -> Result<Vec<Log>, Box<dyn Error>> {
    let folder = data.join("tenhou-mjlog");
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("4p-") && name.ends_with(".jsonl.gz") {
            files.push(path);
        }
    }
    files.sort();
    let mut logs = Vec::new();
    for path in files {
        let lines = BufReader::new(MultiGzDecoder::new(BufReader::new(File::open(&path)?))).lines();
        for line in lines {
            let log: Log = serde_json::from_str(&line?)?;
            if log.go_type & PHOENIX == PHOENIX {
                logs.push(log);
            }
        }
    }
    if logs.is_empty() { Err(format!("{}: no games", folder.display()).into()) } else { Ok(logs) }
}
