//! How much a long check does: `JANTAKU_TESTS` is `quick`, `full`, or unset for the usual size.
//!
//! - `quick`: after each edit; finds most mistakes in seconds
//! - unset: every law, at sizes that take seconds
//! - `full`: before a release

use std::sync::LazyLock;

/// The size of a check: quick, usual and full.
///
/// Each crate lists its sizes in a table of constants, `tests/suite/sizes.rs`.
#[derive(Clone, Copy, Debug)]
pub struct Size(pub u32, pub u32, pub u32);

impl Size {
    /// The size at the level of `JANTAKU_TESTS`.
    ///
    /// # Panics
    ///
    /// If `JANTAKU_TESTS` is neither `quick` nor `full`.
    pub fn get(self) -> u32 {
        match *LEVEL {
            Level::Quick => self.0,
            Level::Usual => self.1,
            Level::Full => self.2,
        }
    }
}

#[derive(Clone, Copy)]
enum Level {
    Quick,
    Usual,
    Full,
}

static LEVEL: LazyLock<Level> = LazyLock::new(|| {
    let value = std::env::var_os("JANTAKU_TESTS").unwrap_or_default();
    match value.to_str() {
        Some("") => Level::Usual,
        Some("quick") => Level::Quick,
        Some("full") => Level::Full,
        _ => panic!("JANTAKU_TESTS is {}, expected quick, full or nothing", value.display()),
    }
});
