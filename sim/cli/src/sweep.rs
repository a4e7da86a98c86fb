//! `jantaku sweep`.

use std::path::Path;

use anyhow::{anyhow, bail};
use jantaku_engine::RulesError;
use jantaku_show::view::without_hidden;
use jantaku_sim::reports::{SweepError, SweepPlan, SweepReport, SweepRequest, VariantError};
use jantaku_sim::run::NamedRules;
use jantaku_sim::stats::{Section, difference_table};
use toml::{Table, Value};

use super::arguments::{agents, in_words_of_options, named_rules};
use super::figures::FigureOptions;
use super::output::{Ended, Output};
use super::precision;
use super::print::AgentNames;
use super::stats::GameOptions;

/// Compare variants of the rules on the same walls
///
/// Each figure of each variant has a 95 % interval, and so has its difference from the first
/// variant. The difference is taken game by game, so the luck that both variants share cancels.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Add a preset or TOML file as a variant, with a name of its own if one is given; with
    /// `--vary`, give only one
    #[arg(long, value_name = "[NAME=]PRESET|FILE", required = true)]
    rules: Vec<String>,
    /// Add a variant for each value of a rule field, such as `kiriage=true,false`; several fields
    /// give all combinations
    #[arg(long, value_name = "FIELD=V1,V2", allow_hyphen_values = true)]
    vary: Vec<String>,
    /// Change one field in each variant, instead of all combinations
    #[arg(long, requires = "vary")]
    one_at_a_time: bool,
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
    let mut swept = play(args, &sections, output)?;
    args.figures.keep(&mut swept.figures);
    args.figures.write(&swept, &swept.figures, &difference_table(&swept.figures), &divisions, output)?;
    Ok(if swept.complete { Ended::Done } else { Ended::Interrupted })
}

fn play(args: &Args, sections: &[Section], output: Output) -> anyhow::Result<SweepReport> {
    let plan = asked(args)?;
    let mut progress = args.play.progress(output)?;
    let swept = SweepReport::play(&plan, sections, &mut progress);
    progress.finish();
    Ok(swept?)
}

/// Prints how many games the precision needs.
fn plan(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let asked = asked(args)?;
    let mut progress = args.play.progress(output)?;
    let plan = asked.plan(args.play.games, &mut progress);
    progress.finish();
    let agents: Vec<String> = asked.policies.agents().iter().map(ToString::to_string).collect();
    precision::print_plan(plan, args.play.games, &AgentNames::of(&agents), output)
}

/// What the command line asks to play.
fn asked(args: &Args) -> anyhow::Result<SweepPlan> {
    let rules = args.rules.iter().map(|text| labelled_rules(text)).collect::<anyhow::Result<Vec<_>>>()?;
    check_names(&rules)?;
    let request = SweepRequest {
        rules,
        vary: args.vary.iter().map(|vary| varied(vary)).collect::<anyhow::Result<_>>()?,
        one_at_a_time: args.one_at_a_time,
        games: args.play.games,
        precision: args.play.precision.precision.clone(),
        agents: args.play.agents.as_deref().map(agents),
        seed: args.play.seed,
    };
    request.resolve().map_err(|error| match error {
        SweepError::Request(error) => in_words_of_options(error),
        SweepError::Variants(error) => in_words(error, args),
    })
}

/// The rules of a variant; `text` is `tenhou` or `ours=my.toml`.
fn labelled_rules(text: &str) -> anyhow::Result<NamedRules> {
    let (name, rules) = match split_label(text) {
        Some((name, rules)) => (name.to_owned(), named_rules(rules)?),
        None => {
            let rules = named_rules(text)?;
            (rules.name.clone(), rules)
        }
    };
    // A name stands on one line of a table.
    Ok(NamedRules { name: without_hidden(&name, &[]), ..rules })
}

/// Checks that no two rule sets share a name.
fn check_names(rules: &[NamedRules]) -> anyhow::Result<()> {
    for (index, own) in rules.iter().enumerate() {
        let name = &own.name;
        if rules[..index].iter().any(|other| other.name == *name && other.rules != own.rules) {
            bail!("--rules: `{name}` names two rule sets; give each its own name, such as `mine=mjsoul`");
        }
    }
    Ok(())
}

/// The name of a variant and its rules. None without a name of its own: a path can have an equals
/// sign.
fn split_label(text: &str) -> Option<(&str, &str)> {
    text.split_once('=').filter(|(name, _)| !name.is_empty() && !Path::new(text).exists())
}

/// The error with options instead of fields.
fn in_words(error: VariantError, args: &Args) -> anyhow::Error {
    match error {
        VariantError::Twice(field) => {
            anyhow!("--vary {field}: given twice; give all values at once, such as `--vary {field}=V1,V2`")
        }
        VariantError::SeveralBases(_) => anyhow!("--vary changes one rule set: give --rules once"),
        VariantError::TooFew(_) => anyhow!(
            "a sweep needs at least two variants: give --rules several times, or --vary with a value \
             that the rules do not have"
        ),
        VariantError::Rules(error) => {
            let error = RulesError { origin: format!("--vary {}", error.origin), ..error };
            if let Some(advice) = advice_about_list(args, &error) {
                return anyhow!("{error}{advice}");
            }
            if !may_depend(args, &error) {
                return error.into();
            }
            anyhow!(
                "{error}\nevery variant needs valid rules: if fields depend on each other, write a rule file \
                 for each variant, and give these with --rules"
            )
        }
        other => other.into(),
    }
}

/// Advice about a value without brackets for a field that takes a list: commas separate variants.
fn advice_about_list(args: &Args, error: &RulesError) -> Option<String> {
    let wrong = error.problems.iter().find_map(|problem| problem.field.as_ref())?;
    let (field, values) =
        args.vary.iter().filter_map(|vary| vary.split_once('=')).find(|(field, _)| field == wrong)?;
    let base = labelled_rules(args.rules.first()?).ok()?.rules.to_table();
    let values: Vec<Value> = split(values).into_iter().map(toml_value).collect();
    let lacks_brackets = base.get(field)?.is_array() && !values.iter().any(Value::is_array);
    let list = Value::Array(values);
    lacks_brackets.then(|| format!("\na list needs brackets and quotes: `--vary '{field}={list}'`"))
}

/// Whether rules may be invalid because a field does not fit another: several fields are changed, or
/// the field at fault is not one of them.
fn may_depend(args: &Args, error: &RulesError) -> bool {
    let is_varied = |field: &String| {
        args.vary.iter().any(|vary| vary.split_once('=').is_some_and(|(varied, _)| varied == field))
    };
    let are_combined = args.vary.len() > 1 && !args.one_at_a_time;
    are_combined || !error.problems.iter().filter_map(|problem| problem.field.as_ref()).all(is_varied)
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
