//! `jantaku manual`.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Command;

use super::output::{Ended, Output};

/// Write manual pages for `man`, one for each command
#[derive(clap::Args)]
pub(super) struct Args {
    /// Write the pages into this folder, which is made if it does not exist
    folder: PathBuf,
}

pub(super) fn run(args: &Args, words: Command, output: Output) -> anyhow::Result<Ended> {
    output.check_no_json("`manual` writes pages and prints nothing")?;
    let folder = &args.folder;
    if folder.is_file() {
        bail!("{}: expected a folder, found a file", folder.display());
    }
    let write = || {
        std::fs::create_dir_all(folder)?;
        clap_mangen::generate_to(words, folder)
    };
    write().with_context(|| folder.display().to_string())?;
    Ok(Ended::Done)
}
