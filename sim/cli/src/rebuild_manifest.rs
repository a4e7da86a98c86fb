//! `jantaku rebuild-manifest`.

use std::path::PathBuf;

use jantaku_sim::run::rebuild_manifest;

use super::output::{Ended, Output, note, say, say_json};
use super::print;

/// Write the manifest of a run from its parts, after it was lost or the parts were rewritten
///
/// The new manifest names the complete parts up to the first one that is missing or damaged, with
/// their sizes and hashes. Files must have the hashes of the old manifest, if that can be read. No
/// other file changes. Then `jantaku verify` checks the values, and `jantaku selfplay --resume` plays
/// the games that are not named. Exit status: 0 all parts are named, 1 a part is left out
#[derive(clap::Args)]
pub(super) struct Args {
    /// Write the manifest of the run in this folder or under this URL
    run: PathBuf,
    /// Accept parts whose files differ from the hashes in the old manifest, because a tool rewrote
    /// them
    #[arg(long)]
    accept_changes: bool,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let rebuilt = rebuild_manifest(&args.run, args.accept_changes)?;
    if output.json {
        say_json(&rebuilt)?;
    } else {
        if let Some(error) = &rebuilt.left_out {
            note(&format!("left out: {error}"));
        }
        if let Some(parts) = &rebuilt.after_gap {
            let them = if parts.whole.len() == 1 { "it" } else { "them" };
            note(&format!("left out: {parts}; `--resume` would play {them} again"));
        }
        if !output.quiet {
            let parts = print::many(rebuilt.parts as u64, "part");
            let games = print::many(rebuilt.games, "game");
            let what = if rebuilt.complete { "the run is complete" } else { "the run is not complete" };
            say(&format!("{}: the manifest names {parts} with {games}; {what}\n", args.run.display()))?;
            if rebuilt.uncompared_files > 0 {
                let files = print::many(rebuilt.uncompared_files as u64, "file");
                let run = args.run.display();
                say(&format!(
                    "there was no hash to compare for {files}: check their values with `jantaku verify {run}`\n"
                ))?;
            }
        }
    }
    Ok(if rebuilt.left_out.is_some() { Ended::No } else { Ended::Done })
}
