//! `jantaku sweep`.

use std::time::Instant;

use anyhow::{anyhow, bail};
use jantaku_engine::{Rules, RulesError};
use jantaku_sim::stats::{self, Compared, Groups, Section, Statistics, Sweep, compared_columns};
use serde_json::json;
use toml::{Table, Value};

use super::figures::{self, Files};
use super::progress::Progress;
use super::stats::Play;
use super::{Ended, Output, load_rules, print, say, say_json};

/// More variants than anybody reads.
const MOST: usize = 64;

/// Play variants of the rules on the same walls, and tell what they differ by.
///
/// Each figure of each variant has an interval of 95 %, and so has its difference from the first variant, which comes from the differences game
/// by game: luck that both had plays no part.
#[derive(clap::Args)]
pub(super) struct Args {
    /// A preset or a TOML file; give it once for each variant, or once as what `--vary` changes.
    #[arg(long, value_name = "PRESET|FILE", required = true)]
    rules: Vec<String>,
    /// A field and the values that it takes, such as `kiriage=true,false`: the rules as they are come first, then one variant a value. Of
    /// several fields every combination is played.
    #[arg(long, value_name = "FIELD=V1,V2", allow_hyphen_values = true)]
    vary: Vec<String>,
    #[command(flatten)]
    play: Play,
    #[command(flatten)]
    files: Files,
}

/// Rules with a name.
struct Variant {
    name: String,
    rules: Rules,
}

/// A finished or interrupted sweep.
struct Swept {
    sweep: Sweep,
    variants: Vec<Variant>,
    agents: Vec<String>,
    seed: u64,
    rows: Vec<Compared>,
    complete: bool,
    seconds: f64,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let Some(games) = args.play.games else {
        bail!("--games N is needed: how many games are played under each variant")
    };
    let sections = args.files.sections()?;
    args.files.check()?;
    let swept = play(args, games, &sections, output)?;
    args.files.write(&compared_columns(&swept.rows))?;
    if output.json {
        say_json(&as_json(&swept))?;
    } else if !output.quiet {
        say(&(head(&swept) + &figures::compared_text(&swept.rows, &sections)))?;
    }
    Ok(if swept.complete { Ended::Done } else { Ended::Interrupted })
}

fn play(args: &Args, games: u64, sections: &[Section], output: Output) -> anyhow::Result<Swept> {
    let variants = variants(args)?;
    let start = Instant::now();
    let players = args.play.players(&variants[0].rules)?;
    let jobs: Vec<_> =
        variants.iter().map(|variant| args.play.job(&variant.rules, &players, games)).collect();
    let mut progress = Progress::games(games, !output.quiet)?;
    let sweep = args.play.on_threads(|| stats::sweep(&jobs, &mut progress))??;
    progress.finish();
    let agents: Vec<String> = players.iter().map(|(name, _)| name.clone()).collect();
    let names: Vec<String> = variants.iter().map(|variant| variant.name.clone()).collect();
    Ok(Swept {
        rows: sweep.rows(&names, &Groups::new(&agents), sections),
        complete: sweep.variants()[0].games() == games,
        seed: args.play.seed(),
        seconds: start.elapsed().as_secs_f64(),
        sweep,
        variants,
        agents,
    })
}

/// The variants that are asked for; the first is what the others are compared with.
fn variants(args: &Args) -> anyhow::Result<Vec<Variant>> {
    let mut variants = Vec::new();
    for name in &args.rules {
        variants.push(Variant { name: name.clone(), rules: load_rules(name)? });
    }
    if !args.vary.is_empty() {
        if variants.len() > 1 {
            bail!("--vary changes one rule set: give --rules once");
        }
        let base = &variants[0];
        let mut varied = vec![(Vec::new(), base.rules.to_table())];
        for vary in &args.vary {
            varied = all_with(&varied, vary)?;
        }
        for (changes, table) in varied {
            let name = changes.join(" ");
            let rules = rules_of(&table, &name)?;
            // The rules as they are stand first already.
            if rules != variants[0].rules {
                variants.push(Variant { name, rules });
            }
        }
    }
    if variants.len() < 2 {
        bail!(
            "a sweep compares variants: give --rules several times, or --vary with a value that the rules do not have"
        );
    }
    if variants.len() > MOST {
        bail!("{} variants: at most {MOST} are played", variants.len());
    }
    let players = |variant: &Variant| variant.rules.players.count();
    match variants.iter().find(|variant| players(variant) != players(&variants[0])) {
        None => Ok(told_apart(variants)),
        Some(other) => bail!(
            "{} is for {} players and {} for {}: they do not play on the same walls",
            variants[0].name,
            players(&variants[0]),
            other.name,
            players(other)
        ),
    }
}

/// Variants of the same name get numbers from the second on: `tenhou`, `tenhou (2)`.
fn told_apart(mut variants: Vec<Variant>) -> Vec<Variant> {
    let given: Vec<String> = variants.iter().map(|variant| variant.name.clone()).collect();
    for (place, variant) in variants.iter_mut().enumerate() {
        let before = given[..place].iter().filter(|name| **name == given[place]).count();
        if before > 0 {
            variant.name = format!("{} ({})", variant.name, before + 1);
        }
    }
    variants
}

/// Says which variants have the rules of the first, from which they cannot differ.
fn same_as_first(variants: &[Variant]) -> String {
    let (first, others) = variants.split_first().expect("a sweep compares variants");
    let mut text = String::new();
    for variant in others.iter().filter(|variant| variant.rules == first.rules) {
        text += &format!("{} has the rules of {}\n", variant.name, first.name);
    }
    text
}

/// Rules that are being varied: the changes so far, and all fields.
type Varied = (Vec<String>, Table);

/// Each of the rules with each value of a field: `field=v1,v2`.
fn all_with(varied: &[Varied], vary: &str) -> anyhow::Result<Vec<Varied>> {
    let (field, values) =
        vary.split_once('=').filter(|(field, values)| !field.is_empty() && !values.is_empty()).ok_or_else(
            || anyhow!("--vary {vary}: expected a field and its values, as in `kiriage=true,false`"),
        )?;
    let mut all = Vec::new();
    for (changes, table) in varied {
        for text in split(values) {
            let mut table = table.clone();
            match (table.get_mut(field), toml_value(text)) {
                (Some(Value::Table(old)), Value::Table(new)) => old.extend(new),
                (_, value) => _ = table.insert(field.to_owned(), value),
            }
            let changes = changes.iter().cloned().chain([format!("{field}={text}")]).collect();
            all.push((changes, table));
        }
    }
    Ok(all)
}

/// The parts between commas that stand in no bracket.
fn split(values: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (place, letter) in values.char_indices() {
        match letter {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&values[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&values[start..]);
    parts
}

/// A value as TOML has it; a word may stand without quotes.
fn toml_value(text: &str) -> Value {
    let read = format!("value = {text}").parse::<Table>().ok().and_then(|mut table| table.remove("value"));
    read.unwrap_or_else(|| Value::String(text.to_owned()))
}

/// The rules of a table of all fields.
fn rules_of(table: &Table, changes: &str) -> anyhow::Result<Rules> {
    let read = Rules::from_toml(&toml::to_string(table)?, &format!("--vary {changes}"));
    // Nobody has written the lines of this text.
    Ok(read.map_err(|error| RulesError { line: None, ..error })?)
}

fn head(swept: &Swept) -> String {
    let mut agents = swept.agents.clone();
    agents.dedup();
    let games = print::thousands(swept.sweep.variants()[0].games());
    let names: Vec<&str> = swept.variants.iter().map(|variant| variant.name.as_str()).collect();
    format!(
        "{games} games of {} on the same walls under {}, seed {}\nintervals of 95 %; last the difference from {}, with the interval that the differences game by game give it\n{}",
        agents.join(", "),
        names.join(", "),
        swept.seed,
        names[0],
        same_as_first(&swept.variants),
    )
}

fn as_json(swept: &Swept) -> serde_json::Value {
    let variant = |(variant, statistics): (&Variant, &Statistics)| {
        json!({
            "name": variant.name,
            "rules_hash": format!("{:016x}", variant.rules.hash()),
            "hands": statistics.hands(),
        })
    };
    json!({
        "games": swept.sweep.variants()[0].games(),
        "variants": swept.variants.iter().zip(swept.sweep.variants()).map(variant).collect::<Vec<_>>(),
        "agents": swept.agents,
        "seed": swept.seed,
        "complete": swept.complete,
        "figures": swept.rows,
        "seconds": swept.seconds,
    })
}
