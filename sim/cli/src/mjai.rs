//! `jantaku mjai`.

use std::io::{BufRead as _, Write as _};

use anyhow::Context as _;
use jantaku_agents::mjai::{Dialect, Player, PlayerSetup};
use jantaku_agents::{Catalog, Setup};
use jantaku_sim::options::number;

use super::arguments::load_rules;
use super::output::{Ended, Output, note};

/// Play as a bot of another program, which speaks mjai on stdin and stdout
#[derive(clap::Args)]
pub(super) struct Args {
    /// Play with this agent; `jantaku agents` lists them
    #[arg(long, value_name = "AGENT", default_value = "greedy")]
    agent: String,
    /// Play at this seat, 0 to 3; without it, at the `id` of `start_game`
    #[arg(long, value_name = "SEAT", value_parser = number::<u8>(0..=3), allow_negative_numbers = true)]
    seat: Option<u8>,
    /// Expect lines with all events since the last question (app) or with one event (line)
    /// [default: each line may be either]
    #[arg(long, value_name = "DIALECT", value_parser = Dialect::ALL.map(Dialect::name))]
    dialect: Option<String>,
    /// Play by these rules, a preset or a TOML file [default: those of `start_game`, or Tenhou's]
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
    /// Join the game of a host that says `hello` with this name
    #[arg(long, value_name = "NAME", default_value_t = PlayerSetup::default().name)]
    name: String,
    /// Join this room of the host
    #[arg(long, value_name = "ROOM", default_value_t = PlayerSetup::default().room)]
    room: String,
    /// Set the seed of the agent's random choices
    #[arg(long, value_name = "SEED", default_value_t = 0, value_parser = number::<u64>(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
}

/// Answers each line of stdin with a line on stdout until stdin ends.
pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    output.check_no_json("`mjai` prints one answer per line, which is JSON already")?;
    let of_agent = || format!("--agent {}", args.agent);
    let agent = Catalog::standard().agent(&args.agent).with_context(of_agent)?;
    let setup = PlayerSetup {
        seat: args.seat,
        rules: args.rules.as_deref().map(load_rules).transpose()?,
        dialect: args.dialect.as_deref().and_then(Dialect::named),
        seed: args.seed,
        name: args.name.clone(),
        room: args.room.clone(),
    };
    let mut player = Player::new(agent.start(&Setup::default())?, setup).with_context(of_agent)?;
    let mut stdout = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let answer = player.answer(&line.context("stdin")?).context("stdin")?;
        player.take_notes().iter().for_each(|text| note(&format!("note: stdin: {text}")));
        writeln!(stdout, "{answer}").and_then(|()| stdout.flush()).context("cannot print")?;
    }
    Ok(Ended::Done)
}
