//! The file of a network: a version that is part of the program, or the user's own file.
//!
//! # Why
//!
//! **Why are the networks of `residual` files in the repository?** The program plays them with no
//! other file, and the same bytes give the same games on every machine. Runs state their SHA-256,
//! and a test compares it with its card, such as `agents/docs/residual-3.md`. A new network becomes a new
//! version, so games of the old one can still be replayed. Rejected: 16-bit floats. They save half
//! of the 0.7 MB, but add a second format to the reader. Also rejected: a download, which a program
//! without a network connection lacks.

use std::borrow::Cow;
use std::path::PathBuf;

use crate::error::BuildError;
use crate::neural::read_model;
use crate::option::Options;

/// The versions of the network, oldest first. A released version never changes, so that runs played
/// with it stay reproducible. The network of version 1 left the program before its first release.
pub(super) const VERSIONS: &[&str] = &["2", "3"];
/// The version that agents have by default.
pub(super) const NEWEST: &str = VERSIONS[VERSIONS.len() - 1];
/// The network of version 2, for four players.
const FOUR: &[u8] = include_bytes!("version-2.safetensors");
/// The files of each version, for four and for three players. Version 3 plays with four players like version 2.
/// `docs/residual-2.md` and `docs/residual-3.md` are their cards.
const FILES: [&[&[u8]]; VERSIONS.len()] = [&[FOUR], &[FOUR, include_bytes!("version-3-three.safetensors")]];

/// The file of a network.
pub(super) struct NetworkFile {
    /// Its path, or the name of the version, for messages.
    pub path: PathBuf,
    /// Its name in runs.
    pub option: String,
    /// Its contents.
    pub contents: Cow<'static, [u8]>,
}

impl NetworkFile {
    /// The files that the options name: `model`, or else those of `version`.
    pub(super) fn open(options: &Options) -> Result<Vec<NetworkFile>, BuildError> {
        let Some(path) = options.optional::<PathBuf>("model") else {
            return Ok(NetworkFile::of_version(options.text("version")));
        };
        if options.is_given("version") {
            return Err("`version` and `model` both name a network: give only one of them".into());
        }
        let contents = Cow::Owned(read_model(&path)?);
        let option = format!("model={}", path.display());
        Ok(vec![NetworkFile { path, option, contents }])
    }

    /// The files of a version. Their names in runs begin with that of the agent, because the parameters
    /// of `heuristic` have versions, too.
    fn of_version(version: &str) -> Vec<NetworkFile> {
        let at = VERSIONS.iter().position(|other| *other == version).expect("a released version");
        let names = ["", ",players=3"].map(|players| format!("residual:version={version}{players}"));
        let file = |(option, contents): (String, &&'static [u8])| {
            let path = PathBuf::from(&option);
            NetworkFile { path, option, contents: Cow::Borrowed(contents) }
        };
        names.into_iter().zip(FILES[at]).map(file).collect()
    }
}
