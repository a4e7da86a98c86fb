//! Any log gives an error, a list of differences or neither, and never a panic.

use std::io::Cursor;
use std::path::Path;

use jantaku_engine::Rng;
use jantaku_engine::replay::RecordedGame;
use jantaku_sim::logs::files::Games;
use jantaku_sim::logs::{LogFormat, Source};
use jantaku_sim::replay::convert::{self, complete};

#[path = "../../sim/tests/suite/common/mutate.rs"]
mod mutate;

/// Mutates a log and returns its new length.
///
/// Half of the time the fuzzer changes bytes. Otherwise the change is one that occurs in logs:
/// other numbers, swapped lines, tags and values.
pub fn mutate(bytes: &mut [u8], len: usize, seed: u32) -> usize {
    let most = bytes.len();
    if seed.is_multiple_of(2) {
        return libfuzzer_sys::fuzzer_mutate(bytes, len, most);
    }
    let mut log = bytes[..len].to_vec();
    mutate::mutate(&mut log, &mut Rng::new(u64::from(seed)));
    log.truncate(most);
    bytes[..log.len()].copy_from_slice(&log);
    log.len()
}

/// Reads the bytes as a file of games and replays those in one format.
pub fn read_and_replay(bytes: &[u8], format: LogFormat) {
    for source in games(bytes) {
        match source {
            Ok(source) if source.format() == format => match source.read(None) {
                Ok(game) => replay(&game),
                Err(error) => must_have_text(&error),
            },
            Ok(_) => {}
            Err(error) => must_have_text(&error),
        }
    }
}

fn games(bytes: &[u8]) -> impl Iterator<Item = Result<Source, impl std::fmt::Display + std::fmt::Debug>> {
    let name = Path::new("2026010100gm-0009-0000-fuzz.log");
    Games::of(name, Cursor::new(bytes.to_vec())).expect("bytes can be read")
}

/// A game without differences can be written in each format, and replays without differences again.
fn replay(game: &RecordedGame) {
    let differences = game.replay(&mut ()).differences;
    differences.iter().for_each(must_have_text);
    if !differences.is_empty() {
        return;
    }
    let complete = complete(game).expect("a game without differences is complete");
    for format in [convert::Format::Mjai, convert::Format::Tenhou6] {
        let text = format.text(&complete);
        for source in games(text.as_bytes()) {
            let source = source.expect("a written log");
            let again = source.read(Some(&game.rules)).expect("a readable log");
            assert_eq!(again.replay(&mut ()).differences, [], "{text}");
        }
    }
}

/// A report has a text.
fn must_have_text(report: &impl std::fmt::Display) {
    assert!(!report.to_string().is_empty());
}
