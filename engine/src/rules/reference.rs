//! The page of all presets and fields, `engine/docs/rules.md`.

use std::fmt::Write as _;

use super::{FIELDS, Field, FieldOrigin, PRESETS, Preset, Rules};

const HEAD: &str = "\
# Rules

A rule set is a TOML file. It sets the fields that differ from its `base`, which is one of the
presets below, or another file, by its path from the folder of this one. Without `base`, the other
fields have the values of `tenhou`.

- `jantaku rules show NAME` prints a rule set with the meaning and source of every field.
- `jantaku rules diff A B` prints the fields in which two rule sets differ.
- `jantaku rules check FILE` checks a rule file.

`jantaku rules reference` writes this page.
";

/// All presets with the fields they set, and all fields with meanings, values and sources, as
/// Markdown.
///
/// # Panics
///
/// Never: writing to a string does not fail.
pub fn reference() -> String {
    let mut page = HEAD.to_owned();
    page += "\n## Presets\n\n| name | players | rules | hash |\n|---|---|---|---|\n";
    for preset in PRESETS {
        let rules = preset.rules();
        let (name, title, players) = (preset.name, preset.title(), rules.players.count());
        writeln!(page, "| [`{name}`](#{name}) | {players} | {title} | `{:016x}` |", rules.hash())
            .expect("a string takes any text");
    }
    page += "\nThe hash covers the fields that differ from `tenhou`. Datasets name their rules by it.\n";
    PRESETS.iter().for_each(|preset| page += &preset_section(preset));
    page += "\n## Fields\n";
    FIELDS.iter().for_each(|field| page += &field_section(field));
    page
}

/// The section of a preset: its base, the fields it sets, and notes about assumptions.
fn preset_section(preset: &Preset) -> String {
    let values = preset.rules().to_table();
    let title = wrapped(&format!("{}. Source: {}.", preset.title(), preset.source()), "");
    let mut text = format!("\n### {}\n\n{title}", preset.name);
    let base = preset.base().map_or_else(String::new, |base| format!("[`{base}`](#{base}) with:\n\n"));
    let mut rows = String::new();
    for field in FIELDS {
        let origin = FieldOrigin::of(field.name, preset.toml, preset.name);
        if origin.rules == preset.name && (origin.note.is_some() || preset.name != "tenhou") {
            let note = origin.note.unwrap_or_default();
            rows += format!("| `{}` | `{}` | {note}", field.name, values[field.name]).trim_end();
            rows += " |\n";
        }
    }
    if !rows.is_empty() {
        text += &format!("\n{base}| field | value | note |\n|---|---|---|\n{rows}");
    }
    text
}

/// The section of a field: its meaning, its values, and the presets by value.
fn field_section(field: &Field) -> String {
    let meaning = wrapped(&format!("{} Source: {}.", field.meaning, field.source), "");
    let mut text = format!("\n### {}\n\n{meaning}\n", field.name);
    for (value, meaning) in (field.values)() {
        text += &wrapped(&format!("- `{value}` {meaning}"), "  ");
    }
    text += "\n| value | presets |\n|---|---|\n";
    let mut by_value: Vec<(String, Vec<&str>)> = Vec::new();
    // The defaults come first, under an empty name that the page does not show.
    for (name, rules) in
        std::iter::once(("", Rules::default())).chain(PRESETS.iter().map(|p| (p.name, p.rules())))
    {
        let value = rules.to_table()[field.name].to_string();
        match by_value.iter_mut().find(|(known, _)| *known == value) {
            Some((_, names)) => names.push(name),
            None => by_value.push((value, vec![name])),
        }
    }
    for (row, (value, names)) in by_value.iter().enumerate() {
        let names = if row == 0 { "the default: all others".to_owned() } else { names.join(", ") };
        writeln!(text, "| `{value}` | {names} |").expect("a string takes any text");
    }
    text
}

/// A paragraph or list item in lines of at most 100 columns, each after the first with this indent.
fn wrapped(text: &str, indent: &str) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > 100 {
            lines.push('\n');
            lines += indent;
            column = indent.len();
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines += word;
        column += width;
    }
    lines.push('\n');
    lines
}
