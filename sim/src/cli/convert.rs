//! `jantaku convert`.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use jantaku_engine::replay::RecordedGame;
use jantaku_sim::convert::{Format, complete};
use jantaku_sim::formats::LogError;
use jantaku_sim::formats::batch::each_game;
use jantaku_sim::formats::files::find;
use jantaku_sim::store::{self, Folder, Store};
use serde_json::json;

use super::progress::Progress;
use super::{Ended, Output, load_rules, print, say, say_json};

/// Write recorded games in another format.
///
/// Reads what `replay` reads. Each game is played again first: one that does not come out as recorded is told and left out. Exit
/// status: 0 all games are written, 2 some are not.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Files and folders.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The format to write.
    #[arg(long, value_name = "FORMAT", value_parser = ["mjai", "tenhou6"])]
    to: String,
    /// A new folder for a file a game; or one file of a game a line, if it ends with .jsonl or .jsonl.gz.
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
    /// Rules of games whose logs do not state them: a preset or a file. Otherwise those of Tenhou that fit.
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let assumed = args.rules.as_deref().map(load_rules).transpose()?;
    let files = find(&args.paths)?;
    if files.is_empty() {
        bail!("no recorded games: no file in these folders ends as one");
    }
    let format = if args.to == "mjai" { Format::Mjai } else { Format::Tenhou6 };
    let mut target = Target::open(&args.out, format)?;
    let bytes = files.iter().filter_map(|path| path.metadata().ok()).map(|file| file.len()).sum();
    let mut progress = Progress::bytes(bytes, !output.quiet).context("cannot watch for signals")?;
    let (mut games, mut errors, mut unreadable) = (0, Vec::new(), Vec::new());
    let mut written = Ok(());
    let all = each_game(
        &files,
        |source| complete(source, assumed.as_ref()),
        &mut progress,
        |source, game| match game {
            Ok(game) if written.is_ok() => {
                written = target.write(games, source.id(), &game);
                games += 1;
            }
            Ok(_) => {}
            Err(error) => errors.push(error.of_game(&source.name)),
        },
        |error| unreadable.push(error),
    );
    progress.finish();
    written.with_context(|| format!("{}: cannot write", args.out.display()))?;
    target.finish().with_context(|| format!("{}: cannot write", args.out.display()))?;
    errors.append(&mut unreadable);
    tell(games, &errors, &args.out, output)?;
    Ok(match errors.is_empty() {
        _ if !all => Ended::Interrupted,
        true => Ended::Done,
        false => Ended::Unreadable,
    })
}

fn tell(games: u64, errors: &[LogError], out: &Path, output: Output) -> anyhow::Result<()> {
    if output.json {
        let error =
            |error: &LogError| json!({ "file": error.file, "place": error.place, "error": error.what });
        let errors: Vec<_> = errors.iter().map(error).collect();
        return say_json(&json!({ "games": games, "out": out, "errors": errors }));
    }
    errors.iter().for_each(|error| eprintln!("left out: {error}"));
    if output.quiet {
        return Ok(());
    }
    let (games, left_out) = (print::thousands(games), print::thousands(errors.len() as u64));
    say(&format!("{}: {games} games, {left_out} left out\n", out.display()))
}

/// Where games are written.
enum Target {
    /// A file a game.
    Files(PathBuf, Format),
    /// A game a line.
    Lines(PathBuf, Format, Lines),
}

enum Lines {
    Plain(<Folder as Store>::File),
    Gzip(GzEncoder<<Folder as Store>::File>),
}

impl Target {
    fn open(out: &Path, format: Format) -> anyhow::Result<Target> {
        let show = out.display();
        let name = out.to_string_lossy();
        if !name.ends_with(".jsonl") && !name.ends_with(".jsonl.gz") {
            super::check_is_free(out)?;
            return Ok(Target::Files(out.to_owned(), format));
        }
        if out.exists() {
            bail!("{show}: is there already; choose another name");
        }
        let file = Folder.create(out).with_context(|| format!("{show}: cannot create"))?;
        let lines = if name.ends_with(".gz") {
            Lines::Gzip(GzEncoder::new(file, Compression::default()))
        } else {
            Lines::Plain(file)
        };
        Ok(Target::Lines(out.to_owned(), format, lines))
    }

    fn write(&mut self, number: u64, id: &str, game: &RecordedGame) -> anyhow::Result<()> {
        match self {
            Target::Files(folder, format) => {
                let path = folder.join(format!("{number:06}.{}", format.ending()));
                store::write(&mut Folder, &path, format.text(game).as_bytes())?;
            }
            Target::Lines(_, format, lines) => {
                let file: &mut dyn Write = match lines {
                    Lines::Plain(file) => file,
                    Lines::Gzip(file) => file,
                };
                file.write_all(format.line(id, game).as_bytes())?;
            }
        }
        Ok(())
    }

    fn finish(self) -> std::io::Result<()> {
        let (path, file) = match self {
            Target::Files(..) => return Ok(()),
            Target::Lines(path, _, Lines::Plain(file)) => (path, file),
            Target::Lines(path, _, Lines::Gzip(file)) => (path, file.finish()?),
        };
        Folder.finish(file, &path)
    }
}
