//! `jantaku sweep`.

use std::time::Instant;

use anyhow::{anyhow, bail};
use jantaku_engine::{Rules, RulesError};
use jantaku_sim::play::{Groups, Watch as _};
use jantaku_sim::stats::{self, DifferenceRow, Precision, Section, Statistics, Sweep, difference_table};
use serde_json::json;
use toml::{Table, Value};

use super::arguments::load_rules;
use super::figures::{self, FigureOptions};
use super::output::{Ended, Output, say, say_json};
use super::precision;
use super::print;
use super::stats::GameOptions;

/// The largest number of variants.
const MAX_VARIANTS: usize = 64;

/// Compare variants of the rules on the same walls
///
/// Each figure of each variant has a 95 % interval, and so has its difference from the first
/// variant. The difference is taken game by game, so the luck that both variants share cancels.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Add a preset or TOML file as a variant; with `--vary`, give only one
    #[arg(long, value_name = "PRESET|FILE", required = true)]
    rules: Vec<String>,
    /// Add a variant for each value of a rule field, such as `kiriage=true,false`; several fields
    /// give all combinations
    #[arg(long, value_name = "FIELD=V1,V2", allow_hyphen_values = true)]
    vary: Vec<String>,
    #[command(flatten)]
    play: GameOptions,
    #[command(flatten)]
    figures: FigureOptions,
}

/// A rule set of the sweep.
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
    rows: Vec<DifferenceRow>,
    /// How exactly the differences of `--precision` are known.
    precision: Vec<Precision>,
    complete: bool,
    seconds: f64,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let Some(games) = args.play.most_games() else {
        bail!("--games N is needed, the number of games to play under each variant; or --precision")
    };
    let (sections, divisions) = (args.figures.sections()?, args.figures.divisions()?);
    args.figures.check()?;
    args.play.start_threads()?;
    if args.play.precision.plan {
        return plan(args, output);
    }
    let swept = play(args, games, &sections, output)?;
    args.figures.write(&difference_table(&swept.rows))?;
    if output.json {
        say_json(&as_json(&swept))?;
    } else {
        let head = if output.quiet { String::new() } else { head(&swept) };
        say(&(head + &figures::difference_text(&swept.rows, &divisions)))?;
    }
    Ok(if swept.complete { Ended::Done } else { Ended::Interrupted })
}

fn play(args: &Args, games: u64, sections: &[Section], output: Output) -> anyhow::Result<Swept> {
    let variants = variants(args)?;
    let start = Instant::now();
    let players = args.play.players(&variants[0].rules)?;
    let jobs: Vec<_> =
        variants.iter().map(|variant| args.play.job(&variant.rules, &players, games)).collect();
    let agents: Vec<String> = players.iter().map(|(name, _)| name.clone()).collect();
    let groups = Groups::new(&agents);
    let targets = args.play.precision.targets(&groups, &rules_of_all(&variants))?;
    let mut progress = args.play.progress(output)?;
    let sweep = if targets.is_empty() {
        stats::sweep(&jobs, &mut progress)?
    } else {
        stats::sweep_until(&jobs, &targets, &mut progress)?
    };
    progress.finish();
    let is_whole = sweep.variants()[0].games() == games;
    let names: Vec<String> = variants.iter().map(|variant| variant.name.clone()).collect();
    Ok(Swept {
        rows: sweep.rows(&names, &groups, sections),
        precision: precision::known(&targets, &sweep),
        complete: is_whole || !targets.is_empty() && !progress.should_stop(),
        seed: args.play.seed(),
        seconds: start.elapsed().as_secs_f64(),
        sweep,
        variants,
        agents,
    })
}

/// Prints how many games the precision needs.
fn plan(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let variants = variants(args)?;
    let players = args.play.players(&variants[0].rules)?;
    let groups = Groups::new(players.iter().map(|(name, _)| name));
    let targets = args.play.precision.targets(&groups, &rules_of_all(&variants))?;
    let mut progress = args.play.progress(output)?;
    let play = |games| {
        let jobs = variants.iter().map(|variant| args.play.job(&variant.rules, &players, games));
        let pilot = stats::sweep(&jobs.collect::<Vec<_>>(), &mut progress);
        progress.finish();
        pilot
    };
    precision::plan(&targets, args.play.games, play, output)
}

fn rules_of_all(variants: &[Variant]) -> Vec<&Rules> {
    variants.iter().map(|variant| &variant.rules).collect()
}

/// The variants from the command line. The others are compared with the first.
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
            // The unchanged rules are the first variant already.
            if rules != variants[0].rules {
                variants.push(Variant { name, rules });
            }
        }
    }
    if variants.len() < 2 {
        bail!(
            "a sweep needs at least two variants: give --rules several times, or --vary with a value \
             that the rules do not have"
        );
    }
    if variants.len() > MAX_VARIANTS {
        bail!("found {} variants, expected at most {MAX_VARIANTS}", variants.len());
    }
    let players = |variant: &Variant| variant.rules.players.count();
    match variants.iter().find(|variant| players(variant) != players(&variants[0])) {
        None => Ok(with_unique_names(variants)),
        Some(other) => bail!(
            "{} is for {} players and {} for {}; all variants need the same number of players",
            variants[0].name,
            players(&variants[0]),
            other.name,
            players(other)
        ),
    }
}

/// Numbers variants with the same name, from the second on: `tenhou`, `tenhou (2)`.
fn with_unique_names(mut variants: Vec<Variant>) -> Vec<Variant> {
    let given: Vec<String> = variants.iter().map(|variant| variant.name.clone()).collect();
    for (index, variant) in variants.iter_mut().enumerate() {
        let before = given[..index].iter().filter(|name| **name == given[index]).count();
        if before > 0 {
            variant.name = format!("{} ({})", variant.name, before + 1);
        }
    }
    variants
}

/// A line for each variant with the same rules as the first.
fn same_as_first(variants: &[Variant]) -> String {
    let (first, others) = variants.split_first().expect("a sweep compares variants");
    let mut text = String::new();
    for variant in others.iter().filter(|variant| variant.rules == first.rules) {
        text += &format!("{} has the rules of {}\n", variant.name, first.name);
    }
    text
}

/// A rule set in the making: the changes so far, and all fields.
type VariedRules = (Vec<String>, Table);

/// Every rule set with every value of a field; `vary` is `field=v1,v2`.
fn all_with(varied: &[VariedRules], vary: &str) -> anyhow::Result<Vec<VariedRules>> {
    let (field, values) =
        vary.split_once('=').filter(|(field, values)| !field.is_empty() && !values.is_empty()).ok_or_else(
            || anyhow!("--vary {vary}: expected a field and its values, such as `kiriage=true,false`"),
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

/// Splits at the commas outside brackets.
fn split(values: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (index, letter) in values.char_indices() {
        match letter {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&values[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&values[start..]);
    parts
}

/// A value in TOML syntax, but words need no quotes.
fn toml_value(text: &str) -> Value {
    let read = format!("value = {text}").parse::<Table>().ok().and_then(|mut table| table.remove("value"));
    read.unwrap_or_else(|| Value::String(text.to_owned()))
}

/// Checks a table of all fields and makes rules of it.
fn rules_of(table: &Table, changes: &str) -> anyhow::Result<Rules> {
    let read = Rules::from_toml(&toml::to_string(table)?, &format!("--vary {changes}"));
    // The lines of this text are not the user's.
    Ok(read.map_err(|error| RulesError { line: None, ..error })?)
}

fn head(swept: &Swept) -> String {
    let games = print::many(swept.sweep.variants()[0].games(), "game");
    let names: Vec<&str> = swept.variants.iter().map(|variant| variant.name.as_str()).collect();
    let part = if swept.complete { "" } else { "; incomplete" };
    let text = format!(
        "{games} of {} on the same walls under {}, seed {}{part}\n\
         95 % intervals; last, the difference from {} and its interval from the differences game by game; \
         –: no interval\n\
         {}{}",
        print::agents(&swept.agents),
        names.join(", "),
        swept.seed,
        names[0],
        same_as_first(&swept.variants),
        precision::lines(&swept.precision),
    );
    print::wrapped(&text, 2)
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
        "precision": swept.precision,
        "complete": swept.complete,
        "figures": swept.rows,
        "seconds": swept.seconds,
    })
}
