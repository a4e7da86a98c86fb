//! `jantaku serve`.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use jantaku_agents::NamedAgent;
use jantaku_engine::rules::PRESETS;
use jantaku_serve::{Offer, Server, Site};
use jantaku_sim::options::number;
use jantaku_sim::play::ThreadOptions;
use jantaku_sim::run::{AgentChoice, NamedRules, check_rules};
use serde_json::json;

use super::arguments::start_threads;
use super::output::{Ended, Output, note};
use super::{print, progress, view};

/// The end of `--help`.
const MORE: &str = "\
Open the address that it prints. Play at a table against agents, open any
game of the sources, and play on from any decision. Only browsers on this
machine reach the server. Ctrl-C ends it; games at tables continue when it
starts again.

A finished game is kept under the folder of the tables: `run` is a run, and
`game.mjson` a log. sim/docs/serve.md describes the pages.

Examples:
  $ jantaku serve --open
  $ jantaku serve runs logs/game.mjlog
  $ jantaku serve s3://bucket/run
  $ jantaku serve position.toml
  $ jantaku serve --agents heuristic,mybot='mjai:command=\"./bot {seat}\"'
  $ jantaku serve --rules house.toml --tables games/house";

/// The agents for opponents and hints.
const OFFERED: &str = "residual,heuristic,level-5=graded:level=5,level-4=graded:level=4,\
    level-3=graded:level=3,level-2=graded:level=2,level-1=graded:level=1,greedy,mc:rollouts=64,random";

/// Play at a table in the browser, or look at games
///
/// Serves pages to browsers on this machine, until Ctrl-C
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct Args {
    /// List the games of these runs, logs and folders, and these positions
    #[arg(value_name = "RUN|LOG|POSITION|FOLDER")]
    sources: Vec<PathBuf>,
    /// Listen at this port of 127.0.0.1; 0 is any free port
    #[arg(long, value_name = "PORT", default_value_t = 7136, value_parser = number::<u16>(0..=65_535), allow_negative_numbers = true)]
    port: u16,
    /// Keep tables in this folder
    #[arg(long, value_name = "FOLDER", default_value = "tables")]
    tables: PathBuf,
    /// Offer these agents as opponents and for hints; by default residual, heuristic, the levels of graded below
    /// residual, greedy, mc:rollouts=64 and random
    #[arg(long, value_name = "AGENTS", default_value = OFFERED, hide_default_value = true)]
    agents: String,
    /// Offer these rules before the presets: a preset or a file; give it again for more
    #[arg(long, value_name = "RULES")]
    rules: Vec<String>,
    /// Open the first page in the browser
    #[arg(long)]
    open: bool,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    start_threads(ThreadOptions::default())?;
    let agents = AgentChoice::Text(args.agents.clone()).list("agents")?;
    let offer = Offer { rules: offered_rules(&args.rules, &agents)?, agents };
    let stop = progress::stop_at_signals()?;
    // Binds first: if the port is taken, no game at a table continues.
    let server = Server::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, args.port)))?;
    let (site, wrong) = Site::open(offer, &args.tables, &args.sources, stop.clone())?;
    for error in wrong {
        note(&format!("note: {error}"));
    }
    let (tables, sources) = site.counts();
    let url = format!("http://{}/", server.address());
    output.print(&json!({ "url": url, "tables": tables, "sources": sources }), || {
        let (tables, sources) = (print::many(tables as u64, "table"), print::many(sources as u64, "source"));
        format!("{url}: {tables}, {sources}; Ctrl-C ends the server\n")
    })?;
    if args.open {
        view::browse(url.as_ref())?;
    }
    server.serve(&Arc::new(site), &stop);
    debug_assert!(stop.load(Ordering::Relaxed), "only a signal ends the server");
    Ok(Ended::Done)
}

/// The given rules, then the presets under which an agent can play.
fn offered_rules(given: &[String], agents: &[NamedAgent]) -> anyhow::Result<Vec<NamedRules>> {
    let mut rules = given.iter().map(|name| NamedRules::open(name)).collect::<Result<Vec<_>, _>>()?;
    for preset in PRESETS {
        let (name, preset) = (preset.name.to_owned(), preset.rules());
        let can_play = agents.iter().any(|agent| check_rules([agent], &preset).is_ok());
        if can_play && rules.iter().all(|other| other.name != name) {
            rules.push(NamedRules { name, rules: preset });
        }
    }
    Ok(rules)
}
