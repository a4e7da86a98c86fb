//! `jantaku merge`.

use std::path::PathBuf;

use jantaku_sim::run::merge;

use super::output::{Ended, Output};
use super::print;

/// Join the shards of a run
///
/// The result has the same bytes as a run without shards. Shards come from `--shard` of `selfplay`,
/// `match` and `label`, and stay unchanged. Resume a merged match to count it. Files are hard links to
/// those of the shards where the file system allows it, otherwise copies. Shards in an object store are
/// merged there: it makes the copies, and nothing is downloaded
#[derive(clap::Args)]
pub(super) struct Args {
    /// Read all shards, in folders or under URLs, in any order
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    /// Write the run to this new folder or URL
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let merged = merge(&args.shards, &args.out)?;
    output.sum_up(&merged, || {
        let (games, parts) = (print::many(merged.games, "game"), print::many(merged.parts as u64, "part"));
        let shards = print::many(merged.shards as u64, "shard");
        format!("{}: {games} in {parts}, of {shards}\n", args.out.display())
    })?;
    Ok(Ended::Done)
}
