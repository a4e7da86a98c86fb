//! Reference data, which is not part of the project.
//!
//! Tests that read it are marked `#[ignore = "needs JANTAKU_DATA"]`. `make test` runs them too when
//! `JANTAKU_DATA` is set.

use std::path::PathBuf;

/// A folder of the reference data.
///
/// # Panics
///
/// If `JANTAKU_DATA` is not set, or does not contain it.
pub fn reference(folder: &str) -> PathBuf {
    let root = std::env::var_os("JANTAKU_DATA").filter(|root| !root.is_empty());
    let root = root.expect("JANTAKU_DATA is not set: set it to the folder of the reference data");
    let path = PathBuf::from(root).join(folder);
    assert!(path.is_dir(), "{} is no folder: JANTAKU_DATA must contain it", path.display());
    path
}
