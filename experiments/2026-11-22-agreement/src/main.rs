//! Compares the decisions of an agent with those of people in recorded games.
//!
//! Writes a table of CSV for each kind of decision; `tables.py` counts them.
//!
//! - `games`: the recorded games
//! - `judge`: the agent
//! - `facts`: what describes a decision in all tables
//! - `discards`, `riichi`, `calls`, `others`: the tables
//! - `worst`: the decisions that the agent likes least
//! - `watch`: asks the agent at each decision of a game

mod calls;
mod discards;
mod facts;
mod games;
mod judge;
mod others;
mod riichi;
mod watch;
mod worst;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use judge::Judge;
use rayon::prelude::*;
use watch::{Lines, Watcher};
use worst::{Group, Worst};

const USAGE: &str = "usage: jantaku-agreement AGENT OUT [DATA]
       jantaku-agreement AGENT --worst N[:calm|threat|riichi|call|pass] [DATA]

Writes the tables to the folder OUT, or prints the N decisions in which the agent expects most of
another action than the person's. DATA is the folder of the reference data, or JANTAKU_DATA.";

/// The name of a table, its own columns and its lines.
type Table = (&'static str, &'static str, fn(&Lines) -> &str);

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (agent, out, worst, data) = match words.as_slice() {
        [agent, "--worst", worst, data @ ..] => (agent, None, parse_worst(worst)?, data),
        [agent, out, data @ ..] => (agent, Some(Path::new(out)), Worst::new(None, 0), data),
        _ => return Err(USAGE.into()),
    };
    let data = match data {
        [data] => PathBuf::from(data),
        [] => std::env::var_os("JANTAKU_DATA").map(PathBuf::from).ok_or(USAGE)?,
        _ => return Err(USAGE.into()),
    };
    let judge = Judge::new(agent)?;
    let logs = games::read(&data)?;
    let watched: Result<Vec<(Lines, Worst)>, String> = logs
        .par_iter()
        .enumerate()
        .map(|(number, log)| {
            let name = &log.name;
            let game = log.game().map_err(|error| format!("{name}: {error}"))?;
            let mut watcher = Watcher::new(&judge, number, name, log.last_round(), worst.clone());
            let report = game.replay(&mut watcher);
            match report.differences.first() {
                Some(difference) => Err(format!("{name}: {difference}")),
                None => Ok((watcher.lines, watcher.worst)),
            }
        })
        .collect();
    let watched = watched?;
    let Some(out) = out else {
        let all = watched.into_iter().fold(worst, |all, (_, of_game)| all.merge(of_game));
        all.texts().for_each(|text| println!("{text}"));
        return Ok(());
    };
    let tables: [Table; 4] = [
        ("discards", discards::COLUMNS, |lines| &lines.discards),
        ("riichi", riichi::COLUMNS, |lines| &lines.riichi),
        ("calls", calls::COLUMNS, |lines| &lines.calls),
        ("others", others::COLUMNS, |lines| &lines.others),
    ];
    fs::create_dir_all(out)?;
    for (name, columns, of) in tables {
        let lines: Vec<&str> = watched.iter().map(|(lines, _)| of(lines)).collect();
        let header = format!("{},{columns}", facts::COLUMNS);
        fs::write(out.join(format!("{name}.csv")), format!("{header}\n{}", lines.concat()))?;
    }
    eprintln!("{} games", logs.len());
    Ok(())
}

/// Reads `N` or `N:GROUP`.
fn parse_worst(text: &str) -> Result<Worst, Box<dyn Error>> {
    let (most, group) = match text.split_once(':') {
        Some((most, name)) => {
            let group = Group::ALL.into_iter().find(|group| group.name() == name);
            (most, Some(group.ok_or(USAGE)?))
        }
        None => (text, None),
    };
    Ok(Worst::new(group, most.parse()?))
}
