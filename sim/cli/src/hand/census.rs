//! `jantaku hand --census`: the number of hands at each shanten.

use jantaku_engine::rules::options::TileKinds;
use jantaku_engine::{Census, Shanten};
use serde_json::json;

use super::facts::FLAGS;
use super::page::distance;
use crate::output::{Ended, Output, say, say_json};
use crate::print;

/// The arguments for one hand, besides its facts.
const OF_A_HAND: [&str; 3] = ["hand", "jsonl", "rules"];

#[derive(clap::Args)]
#[group(skip)]
pub(super) struct Args {
    /// Count all possible hands by shanten
    #[arg(long, conflicts_with_all = OF_A_HAND, conflicts_with_all = FLAGS)]
    pub(super) census: bool,
    /// Set the number of tiles in each hand of --census
    #[arg(long, value_name = "13|14", default_value_t = 14, conflicts_with_all = OF_A_HAND, conflicts_with_all = FLAGS, value_parser = clap::value_parser!(u8).range(13..=14))]
    tiles: u8,
    /// Set the number of players of --census: 4 with 136 tiles, or 3 with 108
    #[arg(long, value_name = "3|4", default_value_t = 4, conflicts_with_all = OF_A_HAND, conflicts_with_all = FLAGS, value_parser = clap::value_parser!(u8).range(3..=4))]
    players: u8,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let kinds = if args.players == 3 { TileKinds::ThreePlayer } else { TileKinds::Full };
    let census = Census::of(kinds, usize::from(args.tiles));
    if output.json {
        let count = |(shanten, hands): (Shanten, u64)| json!({ "shanten": shanten.number(), "hands": hands });
        let counts: Vec<_> = census.iter().map(count).collect();
        let (tiles, players, total) = (args.tiles, args.players, census.total());
        say_json(&json!({ "tiles": tiles, "players": players, "counts": counts, "total": total }))?;
    } else {
        say(&print::table(&table(&census)))?;
    }
    Ok(Ended::Done)
}

fn table(census: &Census) -> Vec<Vec<String>> {
    let total = census.total();
    let row = |name: String, hands| {
        vec![
            name,
            print::thousands(hands),
            format!("{} %", print::decimal(100.0 * hands as f64 / total as f64, 6)),
        ]
    };
    let mut rows: Vec<_> = census.iter().map(|(shanten, hands)| row(distance(shanten), hands)).collect();
    rows.push(row("all".to_owned(), total));
    let sum: f64 = census.iter().map(|(shanten, hands)| f64::from(shanten.number()) * hands as f64).sum();
    rows.push(vec!["mean shanten".to_owned(), String::new(), print::decimal(sum / total as f64, 5)]);
    rows
}
