//! `jantaku perft`.

use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use jantaku_engine::perft::{self, Position};
use jantaku_engine::{Game, Round, Rules};
use serde_json::json;

use super::{Ended, Output, load_rules, number, print, say, say_json};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Files of positions with their counts; without one the first hand of a game is counted.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Count only the position of this name.
    #[arg(long, value_name = "NAME", requires = "files")]
    position: Option<String>,
    /// Count to this depth; without it, to those that the file counts.
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=1000), allow_negative_numbers = true, required_unless_present = "files")]
    depth: Option<u32>,
    /// Play this before counting, such as "2 discard 5m"; can be given several times.
    #[arg(long = "move", value_name = "MOVE")]
    moves: Vec<String>,
    /// Tell the lines below each action.
    #[arg(long)]
    divide: bool,
    /// The rules: a preset or a file.
    #[arg(long, value_name = "RULES", default_value = "tenhou", conflicts_with = "files")]
    rules: String,
    /// The seed of the game.
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = number::<u64>(0..=u64::MAX), allow_negative_numbers = true, conflicts_with = "files")]
    seed: u64,
}

/// A position whose lines were counted.
struct Counted {
    name: String,
    lines: Vec<u64>,
    /// What the file says.
    expected: Vec<u64>,
    /// The last of the lines by their first answer.
    divided: Vec<(String, u64)>,
}

impl Counted {
    fn agrees(&self) -> bool {
        self.lines.iter().zip(&self.expected).all(|(counted, expected)| counted == expected)
    }
}

/// Counts lines. The answer is no if a file has another number.
pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let mut counted = Vec::new();
    for (name, rules, position) in positions(args)? {
        let round = position.round(&rules, &mut ()).map_err(|error| anyhow!("{name}: {}", error.what))?;
        // A position that goes on from another has other counts.
        let expected = if args.moves.is_empty() { position.counts } else { Vec::new() };
        counted.push(count(name, &round, expected, args));
    }
    let agree = counted.iter().all(Counted::agrees);
    if output.json {
        say_json(&json!({ "agree": agree, "positions": counted.iter().map(as_json).collect::<Vec<_>>() }))?;
    } else {
        let texts =
            counted.iter().map(|position| format!("{}\n{}", position.name, print::table(&table(position))));
        say(&texts.collect::<String>())?;
    }
    Ok(if agree { Ended::Done } else { Ended::No })
}

/// The positions that are asked for, each with its rules and a name.
fn positions(args: &Args) -> anyhow::Result<Vec<(String, Rules, Position)>> {
    let mut found = Vec::new();
    if args.files.is_empty() {
        let rules = load_rules(&args.rules)?;
        let game = Game::new(&rules, args.seed);
        let name = format!("{} seed {}", args.rules, args.seed);
        found.push((name, rules, Position::new("", game.round().wall(), Vec::new())));
    }
    for path in &args.files {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("{}: cannot read", path.display()))?;
        let (rules, positions) = perft::read(&text, &path.display().to_string())?;
        let wanted = |position: &Position| args.position.as_ref().is_none_or(|name| *name == position.name);
        let named = |position: Position| (format!("{}: {}", path.display(), position.name), rules, position);
        found.extend(positions.into_iter().filter(wanted).map(named));
    }
    anyhow::ensure!(!found.is_empty(), "no position of this name in the files");
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
    for (place, lines) in counted.lines.iter().enumerate() {
        let expected = counted.expected.get(place).filter(|expected| *expected != lines);
        rows.push(vec![
            format!("depth {}", place + 1),
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
