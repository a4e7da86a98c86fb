//! Describes a run for other tools: a dataset card for Hugging Face, and Croissant metadata.
//!
//! # Why
//!
//! **Why does no run have these files by itself?** They repeat what `run.toml`, `manifest.json` and the schemas
//! of the tables state, and people change them: a license, a description, links. So they are written on
//! request, and never replaced.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::dataset::{Column, Kind, ReadError, TableKind, columns_as_markdown};
use crate::run::config::RunConfig;
use crate::run::files::read;
use crate::run::in_use::located;
use crate::run::manifest::Manifest;
use crate::store;

/// The JSON-LD context of Croissant 1.1 (<https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html>).
const CONTEXT: &str = include_str!("croissant_context.json");

/// Writes `README.md` with the configurations of `load_dataset`, and `croissant.json`, into the folder of a run
/// or under its URL. Returns their paths.
///
/// # Errors
///
/// If the run cannot be read, one of the files exists, or it cannot be written.
pub fn write_card(folder: &Path) -> Result<[PathBuf; 2], ReadError> {
    let (config, manifest) = read(folder)?;
    let run = located(folder)?;
    let name = run_name(&run.path);
    let croissant =
        serde_json::to_string_pretty(&croissant(&name, &config, &manifest)).expect("plain values");
    let files = [("README.md", readme(&name, &config, &manifest)), ("croissant.json", croissant + "\n")];
    let files = files.map(|(file, text)| (run.path.join(file), text));
    if let Some((path, _)) = files.iter().find(|(path, _)| store::exists(path)) {
        return Err(ReadError::new(path, &"already exists; move it away to write a new one"));
    }
    for (path, text) in &files {
        store::write(&*run.store, path, text.as_bytes()).map_err(|error| ReadError::new(path, &error))?;
    }
    Ok(files.map(|(path, _)| path))
}

/// The name of a run: that of its folder.
fn run_name(path: &Path) -> String {
    let absolute = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    absolute.file_name().map_or_else(|| "run".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The paths of a table's files, relative to the folder of the run.
fn files_of(table: TableKind) -> String {
    format!("{}/part-*.parquet", table.name())
}

/// What a run has, in one sentence.
fn description(config: &RunConfig, manifest: &Manifest) -> String {
    let (games, plural) = (manifest.games, if manifest.games == 1 { "" } else { "s" });
    if config.from_logs {
        return format!("{games} recorded game{plural} of riichi mahjong.");
    }
    let (rules, agents) = (config.rules_in_words(), config.agents.join(", "));
    format!(
        "{games} game{plural} of riichi mahjong under the rules {rules}, played by {agents} with seed {}.",
        config.seed
    )
}

/// The dataset card: a configuration for each table, and what its columns mean.
fn readme(name: &str, config: &RunConfig, manifest: &Manifest) -> String {
    // Of the tables that most datasets have, the one with the most rows.
    let usual = [TableKind::Decisions, TableKind::Hands, TableKind::Games];
    let main_table = usual.into_iter().find(|table| config.keeps(*table));
    let mut text = format!("---\npretty_name: {}\ntags:\n- mahjong\n- games\nconfigs:\n", json!(name));
    for table in config.kept() {
        let default = if main_table == Some(table) { "  default: true\n" } else { "" };
        write!(text, "- config_name: {}\n  data_files: {}\n{default}", table.name(), files_of(table))
            .expect("a String takes everything");
    }
    let (what, version, commit) = (description(config, manifest), &config.version, &config.commit);
    let first = main_table.map_or("games", TableKind::name);
    write!(
        text,
        "---\n\n# {name}\n\n{what}\n\nJantaku {version} (commit {commit}) wrote the tables. `run.toml` has everything \
         needed to repeat the run, `manifest.json` the SHA-256 of each file.\n\n```python\nfrom datasets import \
         load_dataset\n\n{first} = load_dataset(\"PATH\", \"{first}\")\n```\n"
    )
    .expect("a String takes everything");
    config.kept().for_each(|table| text += &columns_as_markdown(table, config.schema));
    text
}

/// The Croissant metadata: the files of each table, and its columns as fields.
fn croissant(name: &str, config: &RunConfig, manifest: &Manifest) -> Value {
    let file_set = |table: TableKind| {
        json!({
            "@type": "cr:FileSet",
            "@id": format!("{}-files", table.name()),
            "encodingFormat": "application/x-parquet",
            "includes": files_of(table),
        })
    };
    let record_set = |table: TableKind| {
        let keys = table.columns().iter().take(table.keys());
        json!({
            "@type": "cr:RecordSet",
            "@id": table.name(),
            "name": table.name(),
            "description": table.about().iter().map(|line| line.trim()).collect::<Vec<_>>().join(" "),
            "key": keys.map(|column| json!({ "@id": field_id(column) })).collect::<Vec<_>>(),
            "field": table.columns_of(config.schema).map(field).collect::<Vec<_>>(),
        })
    };
    json!({
        "@context": serde_json::from_str::<Value>(CONTEXT).expect("the context is JSON"),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": name,
        "description": description(config, manifest),
        "keywords": ["mahjong", "games"],
        "distribution": config.kept().map(file_set).collect::<Vec<_>>(),
        "recordSet": config.kept().map(record_set).collect::<Vec<_>>(),
    })
}

fn field_id(column: &Column) -> String {
    format!("{}/{}", column.table.name(), column.name)
}

/// A column as a field. A list has as many dimensions as the type.
fn field(column: &Column) -> Value {
    let (mut kind, mut dimensions) = (column.kind, Vec::new());
    while let Kind::List(item) = kind {
        dimensions.push("-1");
        kind = *item;
    }
    let mut field = json!({
        "@type": "cr:Field",
        "@id": field_id(column),
        "name": column.name,
        "description": column.meaning,
        "dataType": data_type(kind),
        "source": {
            "fileSet": { "@id": format!("{}-files", column.table.name()) },
            "extract": { "column": column.name },
        },
    });
    if !dimensions.is_empty() {
        field["isArray"] = true.into();
        field["arrayShape"] = dimensions.join(",").into();
    }
    field
}

/// The type of values in Croissant.
fn data_type(kind: Kind) -> String {
    match kind {
        Kind::Bool => "sc:Boolean".to_owned(),
        Kind::Word | Kind::Text => "sc:Text".to_owned(),
        Kind::List(item) => data_type(*item),
        number => format!("cr:{}", number.data_type()),
    }
}
