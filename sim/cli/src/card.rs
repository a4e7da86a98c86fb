//! `jantaku card`.

use std::path::PathBuf;

use jantaku_sim::path_text;
use jantaku_sim::run::write_card;
use serde_json::json;

use super::output::{Ended, Output};

/// Describe a run for other tools: a dataset card and Croissant metadata
///
/// Writes README.md and croissant.json into the folder of the run. With README.md, `load_dataset` of
/// Hugging Face opens the folder, with a configuration for each table. croissant.json follows Croissant
/// 1.1 of MLCommons: the files of each table, and its columns with types and meanings. Fails if one of the
/// two files exists. No other file changes
#[expect(clippy::doc_markdown, reason = "MLCommons is the name of an organisation")]
#[derive(clap::Args)]
pub(super) struct Args {
    /// Describe the run in this folder or under this URL
    run: PathBuf,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let files = write_card(&args.run)?;
    let written =
        json!({ "run": path_text(&args.run), "files": files.each_ref().map(|file| path_text(file)) });
    output.sum_up(&written, || {
        let names = files.each_ref().map(|file| file.display().to_string());
        format!("{}\n", names.join("\n"))
    })?;
    Ok(Ended::Done)
}
