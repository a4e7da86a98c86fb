//! `jantaku convert`.

use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use jantaku_engine::replay::RecordedGame;
use jantaku_sim::logs::LogError;
use jantaku_sim::logs::files::LONGEST;
use jantaku_sim::play::Sink as _;
use jantaku_sim::replay::convert::{Format, complete, record};
use jantaku_sim::replay::inputs::Inputs;
use jantaku_sim::run::store::{self, Folder, Store};
use jantaku_sim::run::{ParquetSink, RunConfig};
use serde_json::json;

use super::progress::Progress;
use super::told::{Told, error_json};
use super::{Ended, Output, load_rules, print, say, say_json};

/// Write recorded games in another format, or as the tables of a run.
///
/// Reads what `replay` reads. Each game is played again first: one that does not come out as recorded is told and left out. Exit
/// status: 0 all games are written, 2 some are not, 130 interrupted, where a run keeps the games of complete parts.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Files, folders and runs.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The format to write.
    #[arg(long, value_name = "FORMAT", value_parser = ["mjai", "tenhou6", "run"])]
    to: String,
    /// A new folder for the run, or for a file a game; or one file of a game a line, if it ends with .jsonl or .jsonl.gz.
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
    /// Rules of games whose logs do not state them: a preset or a file. Otherwise those of Tenhou that fit.
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let assumed = args.rules.as_deref().map(load_rules).transpose()?;
    let mut inputs = Inputs::open(&args.paths)?;
    let mut target = Target::open(&args.out, &args.to)?;
    let mut progress = Progress::bytes(inputs.total(), !output.quiet).context("cannot watch for signals")?;
    let (mut games, errors) = (0, RefCell::new(Told::new(output, progress.bar())));
    let leave_out = |error: &LogError| {
        errors.borrow_mut().warn(&format!("left out: {error}\n"), || error_json(error));
    };
    let mut written = Ok(());
    let all = inputs.each(
        |input| input.read(assumed.as_ref()).and_then(|game| complete(&game)),
        &mut progress,
        |input, game| {
            if written.is_err() {
                return;
            }
            match game.and_then(|game| target.write(games, &input.id(), &game)) {
                Ok(done) => {
                    written = done;
                    games += 1;
                }
                Err(error) => leave_out(&error.of_game(&input.place())),
            }
        },
        |error| leave_out(&error),
    );
    progress.finish();
    let cannot = || format!("{}: cannot write", args.out.display());
    written.with_context(cannot)?;
    let kept = target.finish(all).with_context(cannot)?.unwrap_or(games);
    let errors = errors.into_inner();
    tell(&Written { taken: games, kept, complete: all }, &errors, &args.out, output)?;
    Ok(match errors.count() {
        _ if !all => Ended::Interrupted,
        0 => Ended::Done,
        _ => Ended::Unreadable,
    })
}

/// How many games were written.
struct Written {
    taken: u64,
    /// How many of them are kept: of a run that was interrupted, those of complete parts.
    kept: u64,
    /// Whether all that there are were read.
    complete: bool,
}

fn tell(written: &Written, errors: &Told, out: &Path, output: Output) -> anyhow::Result<()> {
    let Written { taken, kept, complete } = *written;
    if output.json {
        let (error_count, errors) = (errors.count(), errors.kept());
        return say_json(
            &json!({ "games": kept, "out": out, "complete": complete, "error_count": error_count, "errors": errors }),
        );
    }
    if output.quiet {
        return Ok(());
    }
    let many = print::thousands;
    let mut text = format!("{}: {} games, {} left out\n", out.display(), many(kept), many(errors.count()));
    if !complete {
        let of_parts = if kept < taken { ", those of complete parts" } else { "" };
        text = format!("interrupted after {} games; {} are kept{of_parts}\n{text}", many(taken), many(kept));
    }
    say(&text)
}

/// Where games are written.
enum Target {
    /// A file a game.
    Files(PathBuf, Format),
    /// A game a line.
    Lines(PathBuf, Format, Lines),
    /// A run.
    Run(ParquetSink),
}

enum Lines {
    Plain(<Folder as Store>::File),
    Gzip(GzEncoder<<Folder as Store>::File>),
}

impl Target {
    fn open(out: &Path, format: &str) -> anyhow::Result<Target> {
        let show = out.display();
        let name = out.to_string_lossy();
        let format = match format {
            "mjai" => Format::Mjai,
            "tenhou6" => Format::Tenhou6,
            _ => {
                super::check_is_free(out)?;
                return Ok(Target::Run(ParquetSink::start(Folder, out, RunConfig::of_logs())?));
            }
        };
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

    /// Writes a game; the outer error says why it cannot be written in this format, the inner that nothing can be written.
    fn write(&mut self, number: u64, id: &str, game: &RecordedGame) -> Result<anyhow::Result<()>, LogError> {
        Ok(match self {
            Target::Files(folder, format) => {
                let path = folder.join(format!("{number:06}.{}", format.ending()));
                let text = readable(format.text(game))?;
                store::write(&mut Folder, &path, text.as_bytes()).map_err(Into::into)
            }
            Target::Lines(_, format, lines) => {
                let line = readable(format.line(id, game))?;
                let file: &mut dyn Write = match lines {
                    Lines::Plain(file) => file,
                    Lines::Gzip(file) => file,
                };
                file.write_all(line.as_bytes()).map_err(Into::into)
            }
            Target::Run(sink) => sink.take(record(game, number, id)?).map_err(Into::into),
        })
    }

    /// Writes what is left, of all games or of those before an interruption; gives how many games are kept if it is not all that were taken.
    fn finish(self, all: bool) -> anyhow::Result<Option<u64>> {
        let (path, file) = match self {
            Target::Files(..) => return Ok(None),
            Target::Run(sink) => {
                let manifest = if all { sink.finish() } else { sink.stop() }?;
                return Ok(Some(manifest.games));
            }
            Target::Lines(path, _, Lines::Plain(file)) => (path, file),
            Target::Lines(path, _, Lines::Gzip(file)) => (path, file.finish()?),
        };
        Folder.seal(file)?;
        Folder.publish(&path)?;
        Ok(None)
    }
}

/// The text of a game, if it is not too long to be read again.
fn readable(text: String) -> Result<String, LogError> {
    if text.len() <= LONGEST {
        return Ok(text);
    }
    let what =
        format!("the game takes {} bytes in this format, more than the {LONGEST} that are read", text.len());
    Err(LogError::new("", what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_not_be_read_is_not_written() {
        assert!(readable("x".repeat(LONGEST)).is_ok());
        let error = readable("x".repeat(LONGEST + 1)).expect_err("too long").to_string();
        assert!(error.contains("4194305 bytes in this format, more than the 4194304"), "{error}");
    }
}
