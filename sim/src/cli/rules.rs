//! `jantaku rules`.

use clap::Subcommand;
use jantaku_engine::rules::{FIELDS, PRESETS, Preset};
use serde_json::json;

use super::{Ended, Output, load_rules, print, print_json};

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the presets.
    List,
    /// Print every field of a rule set with its meaning; the text is itself a rule file.
    Show {
        /// A preset or a TOML file.
        rules: String,
    },
    /// Print the fields in which two rule sets differ.
    Diff {
        /// A preset or a TOML file.
        left: String,
        /// A preset or a TOML file.
        right: String,
    },
    /// Tell whether rule files can be used; exit status 1 if one cannot.
    Check {
        /// TOML files or presets.
        #[arg(required = true)]
        rules: Vec<String>,
    },
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    match &args.command {
        Command::List => list(output),
        Command::Show { rules } => show(rules, output)?,
        Command::Diff { left, right } => diff(left, right, output)?,
        Command::Check { rules } => return Ok(check(rules, output)),
    }
    Ok(Ended::Done)
}

fn list(output: Output) {
    let hash = |preset: &Preset| format!("{:016x}", preset.rules().hash());
    if output.json {
        let preset = |p: &Preset| json!({ "name": p.name, "title": p.title(), "hash": hash(p) });
        print_json(&json!({ "presets": PRESETS.iter().map(preset).collect::<Vec<_>>() }));
        return;
    }
    for preset in PRESETS {
        println!("{:<14} {}  {}", preset.name, hash(preset), preset.title());
    }
}

fn show(name: &str, output: Output) -> anyhow::Result<()> {
    let rules = load_rules(name)?;
    let values = rules.to_table();
    if output.json {
        print_json(&json!({ "rules": name, "hash": format!("{:016x}", rules.hash()), "fields": values }));
        return Ok(());
    }
    println!("# Rules {name}, hash {:016x}", rules.hash());
    for field in FIELDS {
        println!("\n#{}", field.meaning);
        let values_of = (field.values)();
        if values_of.len() > 1 {
            for (value, meaning) in values_of {
                println!("#   {value:<20} {meaning}");
            }
        }
        println!("{} = {}", field.name, values[field.name]);
    }
    Ok(())
}

fn diff(left: &str, right: &str, output: Output) -> anyhow::Result<()> {
    let (a, b) = (load_rules(left)?.to_table(), load_rules(right)?.to_table());
    let differing = FIELDS.iter().filter(|field| a[field.name] != b[field.name]);
    if output.json {
        let field = |f: &jantaku_engine::rules::Field| json!({ "field": f.name, "left": a[f.name], "right": b[f.name] });
        print_json(
            &json!({ "left": left, "right": right, "differences": differing.map(field).collect::<Vec<_>>() }),
        );
        return Ok(());
    }
    let mut rows: Vec<Vec<String>> =
        differing.map(|f| vec![f.name.to_owned(), a[f.name].to_string(), b[f.name].to_string()]).collect();
    if rows.is_empty() {
        println!("{left} and {right} are the same rules");
        return Ok(());
    }
    rows.insert(0, vec![String::new(), left.to_owned(), right.to_owned()]);
    print!("{}", print::table(&rows));
    Ok(())
}

fn check(names: &[String], output: Output) -> Ended {
    let results: Vec<_> = names.iter().map(|name| (name, load_rules(name))).collect();
    let failed = results.iter().any(|(_, rules)| rules.is_err());
    if output.json {
        let result = |(name, rules): &(&String, anyhow::Result<jantaku_engine::Rules>)| match rules {
            Ok(rules) => json!({ "rules": name, "ok": true, "hash": format!("{:016x}", rules.hash()) }),
            Err(error) => json!({ "rules": name, "ok": false, "error": format!("{error:#}") }),
        };
        print_json(&json!({ "checked": results.iter().map(result).collect::<Vec<_>>() }));
    } else {
        for (name, rules) in &results {
            match rules {
                Ok(rules) => println!("{name}: ok, hash {:016x}", rules.hash()),
                Err(error) => println!("{error:#}"),
            }
        }
    }
    if failed { Ended::No } else { Ended::Done }
}
