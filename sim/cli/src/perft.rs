//! `jantaku perft`.

use std::path::PathBuf;

use anyhow::anyhow;
use jantaku_engine::perft::{self, PerftPosition};
use jantaku_engine::{Game, Round, Rules};
use jantaku_sim::logs::files::{read_text, shown};
use jantaku_sim::options::number;
use serde_json::json;

use super::arguments::load_rules;
use super::output::{Ended, Output};
use super::print;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Count from the positions in these files (- is stdin); without a file, from the first hand of a
    /// game
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Count only the position with this name
    #[arg(long, value_name = "NAME", requires = "files")]
    position: Option<String>,
    /// Count to this depth [default: the depths of the file]
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=1000), allow_negative_numbers = true, required_unless_present = "files")]
    depth: Option<u32>,
    /// Play this action before counting, such as "2 discard 5m"; repeat the option for more actions
    #[arg(long = "move", value_name = "MOVE")]
    moves: Vec<String>,
    /// Print the lines of play below each action
    #[arg(long)]
    divide: bool,
    /// Play by these rules, a preset or a TOML file
    #[arg(long, value_name = "RULES", default_value = "tenhou", conflicts_with = "files")]
    rules: String,
    /// Set the seed of the game
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = number::<u64>(0..=u64::MAX), allow_negative_numbers = true, conflicts_with = "files")]
    seed: u64,
}

/// The counts of a position.
struct Counted {
    name: String,
    /// Lines of play to depth 1, 2 and so on.
    lines: Vec<u64>,
    /// The counts that the file states.
    expected: Vec<u64>,
    /// The lines of play to the largest depth, by their first action.
    divided: Vec<(String, u64)>,
}

impl Counted {
    fn agrees(&self) -> bool {
        self.lines.iter().zip(&self.expected).all(|(counted, expected)| counted == expected)
    }
}

/// Counts lines of play. The check fails if a file states another number.
pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let mut counted = Vec::new();
    for (name, rules, position) in positions(args)? {
        let round = position.round(&rules, &mut ()).map_err(|error| anyhow!("{name}: {}", error.what))?;
        // The counts in the file are for the position before these actions.
        let expected = if args.moves.is_empty() { position.counts } else { Vec::new() };
        counted.push(count(name, &round, expected, args));
    }
    let agree = counted.iter().all(Counted::agrees);
    let positions: Vec<_> = counted.iter().map(as_json).collect();
    let text = |position: &Counted| format!("{}\n{}", position.name, print::table(&table(position)));
    output
        .print(&json!({ "agree": agree, "positions": positions }), || counted.iter().map(text).collect())?;
    Ok(if agree { Ended::Done } else { Ended::No })
}

/// The positions to count, each with a name and its rules.
fn positions(args: &Args) -> anyhow::Result<Vec<(String, Rules, PerftPosition)>> {
    let mut found = Vec::new();
    if args.files.is_empty() {
        let rules = load_rules(&args.rules)?;
        let game = Game::new(&rules, args.seed);
        let name = format!("{} seed {}", args.rules, args.seed);
        found.push((name, rules, PerftPosition::new("", game.round().wall(), Vec::new())));
    }
    for path in &args.files {
        let (text, name) = (read_text(path)?, shown(path));
        let (rules, positions) = perft::read(&text, &name)?;
        let wanted =
            |position: &PerftPosition| args.position.as_ref().is_none_or(|name| *name == position.name);
        let named = |position: PerftPosition| (format!("{name}: {}", position.name), rules, position);
        found.extend(positions.into_iter().filter(wanted).map(named));
    }
    if found.is_empty() {
        match &args.position {
            Some(name) => anyhow::bail!("--position {name}: the files have no position with this name"),
            None => anyhow::bail!("the files have no positions"),
        }
    }
    found.iter_mut().for_each(|(.., position)| position.moves.extend(args.moves.iter().cloned()));
    Ok(found)
}

fn count(name: String, round: &Round, expected: Vec<u64>, args: &Args) -> Counted {
    let depth = args.depth.unwrap_or((expected.len() as u32).max(1));
    let text = |seat, id| perft::move_text(&round.observe(seat), id);
    let divided = if args.divide { perft::divide(round, depth) } else { Vec::new() };
    Counted {
        name,
        lines: (1..=depth).map(|depth| perft::count(round, depth)).collect(),
        expected,
        divided: divided.into_iter().map(|(seat, id, lines)| (text(seat, id), lines)).collect(),
    }
}

fn table(counted: &Counted) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for (index, lines) in counted.lines.iter().enumerate() {
        let expected = counted.expected.get(index).filter(|expected| *expected != lines);
        rows.push(vec![
            format!("depth {}", index + 1),
            print::thousands(*lines),
            expected.map_or_else(String::new, |n| format!("the file has {}", print::thousands(*n))),
        ]);
    }
    let divided = counted.divided.iter().map(|(text, n)| vec![text.clone(), print::thousands(*n)]);
    rows.extend(divided);
    rows
}

fn as_json(counted: &Counted) -> serde_json::Value {
    json!({
        "position": counted.name,
        "counts": counted.lines,
        "agrees": counted.agrees(),
        "divided": counted.divided.iter().map(|(text, lines)| json!({ "action": text, "lines": lines })).collect::<Vec<_>>(),
    })
}
