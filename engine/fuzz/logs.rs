//! Logs: whatever they say, there is an error, a list of differences or neither, and never a panic.

use std::io::Cursor;
use std::path::Path;

use jantaku_engine::Rng;
use jantaku_engine::replay::RecordedGame;
use jantaku_sim::replay::convert::{self, complete};
use jantaku_sim::logs::files::{Format, Games, Source};

#[path = "../../sim/tests/suite/common/mutate.rs"]
mod mutate;

/// Changes a log half of the time as the fuzzer changes any bytes, half of the time as logs are wrong: numbers become others, lines,
/// tags and values change places. Returns the new length.
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

/// Reads the games that these bytes would hold as a file, and replays those of one format.
pub fn read_and_replay(bytes: &[u8], format: Format) {
    for source in games(bytes) {
        match source {
            Ok(source) if source.format() == format => match source.read(None) {
                Ok(game) => replay(&game),
                Err(error) => must_say_something(&error),
            },
            Ok(_) => {}
            Err(error) => must_say_something(&error),
        }
    }
}

fn games(bytes: &[u8]) -> impl Iterator<Item = Result<Source, impl std::fmt::Display + std::fmt::Debug>> {
    let name = Path::new("2026010100gm-0009-0000-fuzz.log");
    Games::of(name, Cursor::new(bytes.to_vec())).expect("bytes can be read")
}

/// What goes as recorded can be written in every format, and goes so again.
fn replay(game: &RecordedGame) {
    let differences = game.replay(&mut ()).differences;
    differences.iter().for_each(must_say_something);
    if !differences.is_empty() {
        return;
    }
    let complete = complete(game).expect("a game without a difference has everything that its rules tell");
    for format in [convert::Format::Mjai, convert::Format::Tenhou6] {
        let text = format.text(&complete);
        for source in games(text.as_bytes()) {
            let source = source.expect("what was written is a log");
            let again = source.read(Some(&game.rules)).expect("what was written can be read");
            assert_eq!(again.replay(&mut ()).differences, [], "{text}");
        }
    }
}

/// Reports are for a person.
fn must_say_something(report: &impl std::fmt::Display) {
    assert!(!report.to_string().is_empty());
}
