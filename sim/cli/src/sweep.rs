//! `jantaku sweep`.

use anyhow::{anyhow, bail};
use jantaku_engine::RulesError;
use jantaku_sim::reports::{SweepError, SweepPlan, SweepReport, SweepRequest, Variant, VariantError};
use jantaku_sim::stats::{Section, difference_table};
use toml::{Table, Value};

use super::arguments::{agents, named_rules};
use super::figures::{self, FigureOptions};
use super::output::{Ended, Output, say, say_json};
use super::precision;
use super::print;
use super::stats::GameOptions;

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

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    if !args.play.are_given() {
        bail!("--games N is needed, the number of games to play under each variant; or --precision");
    }
    let (sections, divisions) = (args.figures.sections()?, args.figures.divisions()?);
    args.figures.check()?;
    args.play.start_threads()?;
    if args.play.precision.plan {
        return plan(args, output);
    }
    let swept = play(args, &sections, output)?;
    args.figures.write(&difference_table(&swept.rows))?;
    if output.json {
        say_json(&swept.json())?;
    } else {
        let head = if output.quiet { String::new() } else { head(&swept) };
        say(&(head + &figures::difference_text(&swept.rows, &divisions)))?;
    }
    Ok(if swept.complete { Ended::Done } else { Ended::Interrupted })
}

fn play(args: &Args, sections: &[Section], output: Output) -> anyhow::Result<SweepReport> {
    let plan = asked(args)?;
    let mut progress = args.play.progress(output)?;
    let swept = SweepReport::play(plan, sections, &mut progress);
    progress.finish();
    Ok(swept?)
}

/// Prints how many games the precision needs.
fn plan(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let asked = asked(args)?;
    let mut progress = args.play.progress(output)?;
    let plan = asked.plan(args.play.games, &mut progress);
    progress.finish();
    precision::print_plan(plan, args.play.games, output)
}

/// What the command line asks to play.
fn asked(args: &Args) -> anyhow::Result<SweepPlan> {
    let request = SweepRequest {
        rules: args.rules.iter().map(|name| named_rules(name)).collect::<anyhow::Result<_>>()?,
        vary: args.vary.iter().map(|vary| varied(vary)).collect::<anyhow::Result<_>>()?,
        games: args.play.games,
        precision: args.play.precision.precision.clone(),
        agents: args.play.agents.as_deref().map(agents),
        seed: args.play.seed,
    };
    request.resolve().map_err(|error| match error {
        SweepError::Request(error) => precision::in_words_of_options(error),
        SweepError::Variants(error) => in_words(error),
    })
}

/// The error with options instead of fields.
fn in_words(error: VariantError) -> anyhow::Error {
    match error {
        VariantError::SeveralBases(_) => anyhow!("--vary changes one rule set: give --rules once"),
        VariantError::TooFew(_) => anyhow!(
            "a sweep needs at least two variants: give --rules several times, or --vary with a value \
             that the rules do not have"
        ),
        VariantError::Rules(error) => {
            RulesError { origin: format!("--vary {}", error.origin), ..error }.into()
        }
        other => other.into(),
    }
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

/// A field and its values with their texts; `vary` is `field=v1,v2`.
fn varied(vary: &str) -> anyhow::Result<(String, Vec<(String, Value)>)> {
    let (field, values) =
        vary.split_once('=').filter(|(field, values)| !field.is_empty() && !values.is_empty()).ok_or_else(
            || anyhow!("--vary {vary}: expected a field and its values, such as `kiriage=true,false`"),
        )?;
    let value = |text: &str| (text.to_owned(), toml_value(text));
    Ok((field.to_owned(), split(values).into_iter().map(value).collect()))
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

fn head(swept: &SweepReport) -> String {
    let games = print::many(swept.sweep.variants()[0].games(), "game");
    let names = swept.variants.names();
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
        same_as_first(swept.variants.all()),
        precision::lines(&swept.precision),
    );
    print::wrapped(&text, 2)
}
