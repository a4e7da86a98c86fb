//! `jantaku rules`.

use std::path::Path;

use anyhow::bail;
use clap::Subcommand;
use jantaku_engine::Rules;
use jantaku_engine::rules::{FIELDS, Field, FieldOrigin, FieldProblem, PRESETS, Preset, reference};
use jantaku_sim::logs::files::read_text;
use jantaku_sim::run::NamedRules;
use serde_json::json;

use super::output::{Ended, Output, say, say_json};
use super::print;

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the presets
    List,
    /// Print every field of a rule set with its meaning and source, as a rule file
    Show {
        /// Show this preset or TOML file; - is stdin
        rules: String,
    },
    /// Print the fields in which two rule sets differ
    Diff {
        /// Compare this preset or TOML file; - is stdin
        left: String,
        /// Compare it with this preset or TOML file
        right: String,
    },
    /// Print a reference of all fields and presets, as Markdown
    Reference,
    /// Check rule sets and note fields without effect; exit with status 1 if one is not valid
    Check {
        /// Check these TOML files or presets; - is stdin
        #[arg(required = true)]
        rules: Vec<String>,
    },
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    match &args.command {
        Command::List => list(output)?,
        Command::Show { rules } => show(rules, output)?,
        Command::Diff { left, right } => diff(left, right, output)?,
        Command::Reference => {
            output.check_no_json("`rules reference` prints Markdown; `rules show --json` prints fields")?;
            say(&reference())?;
        }
        Command::Check { rules } => return check(rules, output),
    }
    Ok(Ended::Done)
}

fn list(output: Output) -> anyhow::Result<()> {
    let hash = |preset: &Preset| format!("{:016x}", preset.rules().hash());
    let preset = |p: &Preset| json!({ "name": p.name, "title": p.title(), "hash": hash(p) });
    let line = |preset: &Preset| {
        print::wrapped(&format!("{:<19} {}  {}", preset.name, hash(preset), preset.title()), 38)
    };
    let presets: Vec<_> = PRESETS.iter().map(preset).collect();
    output.print(&json!({ "presets": presets }), || PRESETS.iter().map(line).collect())
}

fn show(name: &str, output: Output) -> anyhow::Result<()> {
    let Given { name, rules, text: file } = &Given::load(name)?;
    let values = rules.to_table();
    let origin = |field: &Field| FieldOrigin::of(field.name, file, name);
    if output.json {
        let origin = |field: &Field| {
            let FieldOrigin { rules, note } = origin(field);
            (field.name.to_owned(), json!({ "set_by": rules, "note": note }))
        };
        let origins: serde_json::Map<String, serde_json::Value> = FIELDS.iter().map(origin).collect();
        let hash = format!("{:016x}", rules.hash());
        let shown = json!({ "rules": name, "hash": hash, "fields": values, "origins": origins });
        return say_json(&shown);
    }
    let mut text = print::comment(&format!("Rules {name}, hash {:016x}", rules.hash()), 0);
    if let Some(preset) = Preset::named(name) {
        text += &print::comment(&format!("{}\nSource: {}", preset.title(), preset.source()), 0);
    }
    for field in FIELDS {
        text += "\n";
        text += &print::comment(&format!("{}\nSource: {}.", field.meaning, field.source), 0);
        let allowed = (field.values)();
        if allowed.len() > 1 {
            for (value, meaning) in allowed {
                text += &print::comment(&format!("  {value:<20} {meaning}"), 23);
            }
        }
        let FieldOrigin { rules, note } = origin(field);
        let note = note.map_or_else(String::new, |note| format!("; {note}"));
        let (value, origin) =
            (format!("{} = {}", field.name, values[field.name]), format!("set by {rules}{note}"));
        // Long comments come before the value.
        text += &if print::columns(&value) + print::columns(&origin) + 3 > print::width() {
            print::comment(&origin, 0) + &value + "\n"
        } else {
            format!("{value} # {origin}\n")
        };
    }
    say(&text)
}

fn diff(left: &str, right: &str, output: Output) -> anyhow::Result<()> {
    check_stdin([left, right])?;
    let (left, right) = (Given::load(left)?, Given::load(right)?);
    let (a, b) = (left.rules.to_table(), right.rules.to_table());
    let note = |given: &Given, field: &Field| FieldOrigin::of(field.name, &given.text, given.name).note;
    let differing = FIELDS.iter().filter(|field| a[field.name] != b[field.name]);
    if output.json {
        let field = |f: &Field| {
            json!({
                "field": f.name,
                "left": a[f.name],
                "right": b[f.name],
                "left_note": note(&left, f),
                "right_note": note(&right, f),
            })
        };
        let differences: Vec<_> = differing.map(field).collect();
        return say_json(&json!({ "left": left.name, "right": right.name, "differences": differences }));
    }
    let mut assumed = false;
    let mut cell = |given: &Given, values: &toml::Table, field: &Field| {
        let is_assumed = note(given, field).is_some_and(|note| note.starts_with("assumed"));
        assumed |= is_assumed;
        format!("{}{}", values[field.name], if is_assumed { " *" } else { "" })
    };
    let rows: Vec<[String; 3]> =
        differing.map(|f| [f.name.to_owned(), cell(&left, &a, f), cell(&right, &b, f)]).collect();
    let names = [left.name, right.name];
    if rows.is_empty() {
        return say(&format!("{} and {} are the same rules\n", left.name, right.name));
    }
    let mut text = diff_text(names, &rows);
    if assumed {
        text += "* assumed; `jantaku rules show` has the reason\n";
    }
    say(&text)
}

/// Rules at the head of a column: of a long path, the name of the file.
fn title(name: &str) -> String {
    let most = print::width() / 4;
    let file = Path::new(name).file_name().unwrap_or_default().to_string_lossy();
    if print::columns(name) <= most { name.to_owned() } else { print::cut(&file, most) }
}

/// A table of the short values, then the long ones, each on lines of its own.
fn diff_text(names: [&str; 2], rows: &[[String; 3]]) -> String {
    /// The longest value for which a line has room.
    const SHORT: usize = 24;
    let is_long = |row: &&[String; 3]| row.iter().any(|cell| print::columns(cell) > SHORT);
    let (long, short): (Vec<_>, Vec<_>) = rows.iter().partition(is_long);
    let mut text = String::new();
    if !short.is_empty() {
        let [left, right] = names.map(title);
        let head = vec![String::new(), left, right];
        let rows = short.into_iter().map(|row| row.to_vec());
        text += &print::table(&std::iter::once(head).chain(rows).collect::<Vec<_>>());
    }
    let width = names.map(print::columns).into_iter().max().unwrap_or(0);
    for [field, left, right] in long {
        text += &format!("  {field}\n");
        for (name, value) in names.iter().zip([left, right]) {
            text += &print::wrapped(&format!("    {}  {value}", print::left(name, width)), width + 6);
        }
    }
    text
}

fn check(names: &[String], output: Output) -> anyhow::Result<Ended> {
    check_stdin(names.iter().map(String::as_str))?;
    let results: Vec<(&str, anyhow::Result<Checked>)> =
        names.iter().map(|name| (shown(name), Checked::load(name))).collect();
    let failed = results.iter().any(|(_, checked)| checked.is_err());
    let result = |(name, checked): &(&str, anyhow::Result<Checked>)| match checked {
        Ok(Checked { rules, base, notes }) => {
            let hash = format!("{:016x}", rules.hash());
            json!({ "rules": name, "ok": true, "base": base, "hash": hash, "notes": notes })
        }
        Err(error) => json!({ "rules": name, "ok": false, "error": format!("{error:#}") }),
    };
    let lines = |(name, checked): &(&str, anyhow::Result<Checked>)| match checked {
        Ok(Checked { rules, base, notes }) => {
            let notes: String = notes.iter().flat_map(|note| [note.as_str(), "\n"]).collect();
            format!("{name}: ok, on top of {base}, hash {:016x}\n{notes}", rules.hash())
        }
        Err(error) => format!("{error:#}\n"),
    };
    let checked: Vec<_> = results.iter().map(result).collect();
    output.print(&json!({ "checked": checked }), || results.iter().map(lines).collect())?;
    Ok(if failed { Ended::No } else { Ended::Done })
}

/// The rules on stdin.
const STDIN: &str = "-";

/// Checks that at most one rule set comes from stdin.
fn check_stdin<'a>(names: impl IntoIterator<Item = &'a str>) -> anyhow::Result<()> {
    if names.into_iter().filter(|name| *name == STDIN).count() > 1 {
        bail!("{STDIN}: given twice, but stdin holds one rule set");
    }
    Ok(())
}

/// The name of rules in messages.
fn shown(name: &str) -> &str {
    if name == STDIN { "stdin" } else { name }
}

/// Rules of a preset, a file or stdin.
struct Given<'a> {
    name: &'a str,
    rules: Rules,
    text: String,
}

impl Given<'_> {
    fn load(name: &str) -> anyhow::Result<Given<'_>> {
        let is_stdin = name == STDIN;
        let text = if is_stdin { read_text(STDIN.as_ref())? } else { NamedRules::text(name)? };
        let name = shown(name);
        Ok(Given { name, rules: NamedRules::read(&text, name.as_ref())?, text })
    }
}

/// Rules that can be used.
struct Checked {
    rules: Rules,
    /// The name of the preset or file that they build on.
    base: String,
    /// A note on each field that the file sets without effect.
    notes: Vec<String>,
}

impl Checked {
    fn load(name: &str) -> anyhow::Result<Checked> {
        let Given { name, rules, text } = Given::load(name)?;
        // The presets also set fields that matter to the presets on top of them.
        let idle = if Preset::named(name).is_some() { Vec::new() } else { rules.idle_fields_in(&text) };
        let note = |note: &FieldProblem| match note.line {
            Some(line) => format!("{name}:{line}: note: {note}"),
            None => format!("{name}: note: {note}"),
        };
        Ok(Checked { rules, base: Rules::base_of(&text), notes: idle.iter().map(note).collect() })
    }
}
