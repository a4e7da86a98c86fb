//! `jantaku convert`.

use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use jantaku_engine::Rules;
use jantaku_engine::replay::RecordedGame;
use jantaku_sim::logs::LogError;
use jantaku_sim::logs::files::MAX_GAME_BYTES;
use jantaku_sim::play::{Detail, GameRecord, Sink as _, ThreadOptions};
use jantaku_sim::replay::convert::{Converted, Format, complete_input, record_input};
use jantaku_sim::replay::inputs::{Input, Inputs};
use jantaku_sim::run::{ParquetSink, RunConfig};
use jantaku_sim::store::{self, Folder, Location, NewFile, Store as _};

use super::arguments::{load_rules, open_inputs, start_threads};
use super::html::check_absent;
use super::output::{Ended, Output};
use super::print;
use super::problems::Problems;
use super::progress::Progress;

/// Write recorded games in another format or as a run
///
/// Reads what `replay` reads. Replays each game first, and reports and leaves out every game with a
/// difference from the rules. Of a log that breaks off, mjai and tenhou6 get the whole hands before
/// that. Leaves out values and probabilities that agents stored. Exit status: 0 all games are
/// written, 2 some are left out or break off, 130 interrupted: a run then keeps the games of its
/// complete parts. If no game is written, there is no file or folder
#[derive(clap::Args)]
pub(super) struct Args {
    /// Read these files, folders and runs, or a game of them, such as RUN:3 or LOG:0
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Write this format
    #[arg(long, value_name = "FORMAT", value_parser = ["mjai", "tenhou6", "tenhou6-url", "run"])]
    to: String,
    /// Write to a new folder: a run, or one file per game. With the ending .jsonl or .jsonl.gz,
    /// write one file with one game per line; with that of the format, .mjson or .json, a file of the
    /// only game. URLs of tenhou.net/6 have one hand per line, and may
    /// also go to one file with the ending .txt
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
    /// Override the rules that logs state by a preset or a file [default: the rules that a log
    /// states, or those of Tenhou that fit]
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
    /// Choose the tables of a run: those up to decisions, or also the hidden hands at each
    /// decision
    #[arg(long, value_name = "LEVEL", value_parser = ["decisions", "oracle"], default_value = "decisions")]
    log: String,
    #[command(flatten)]
    threads: ThreadOptions,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    start_threads(args.threads)?;
    let conversion = Conversion {
        assumed: args.rules.as_deref().map(load_rules).transpose()?,
        inputs: open_inputs(&args.paths)?,
        out: &args.out,
        output,
    };
    let name = args.out.to_string_lossy();
    let format = Format::named(&args.to);
    let is_file = [".jsonl", ".jsonl.gz"].iter().any(|ending| name.ends_with(ending));
    let written = match format {
        None if is_file => bail!(
            "{name}: `--to run` writes a folder; choose a name without .jsonl, or `--to mjai` or `--to tenhou6`"
        ),
        None => conversion.into_run(Detail::named(&args.log).expect("clap checks the level"))?,
        Some(format) if name.ends_with(".jsonl.gz") => conversion.into_gzipped_lines(format)?,
        Some(Format::Tenhou6Url) if name.ends_with(".txt") => conversion.into_lines(Format::Tenhou6Url)?,
        Some(format) if name.ends_with(".jsonl") => conversion.into_lines(format)?,
        Some(format) if name.ends_with(&format!(".{}", format.ending())) => conversion.into_file(format)?,
        Some(format) => conversion.into_files(format)?,
    };
    summarize(&written, &args.out, output)?;
    Ok(Ended::of(!written.complete, written.errors.count() + written.gaps.count(), 0))
}

/// The result of a conversion.
struct Written {
    /// The number of games that were converted.
    games: u64,
    /// The number of games that are kept. An interrupted run keeps only those of complete parts.
    kept: u64,
    /// Whether all inputs were read.
    complete: bool,
    /// The games that were left out.
    errors: Problems<LogError>,
    /// The games that break off. Their whole hands before that are written.
    gaps: Problems<LogError>,
}

impl Written {
    /// Whether all games of the inputs were left out. Then there is nothing to write.
    fn is_empty(&self) -> bool {
        self.games == 0 && self.errors.count() > 0
    }
}

fn summarize(written: &Written, out: &Path, output: Output) -> anyhow::Result<()> {
    let Written { games, kept, complete, ref errors, ref gaps } = *written;
    let summary = Converted {
        games: kept,
        out: out.to_owned(),
        complete,
        error_count: errors.count(),
        errors: errors.kept().to_vec(),
        gap_count: gaps.count(),
        gaps: gaps.kept().to_vec(),
    };
    output.sum_up(&summary, || {
        let (games_kept, left_out) = (print::many(kept, "game"), print::thousands(errors.count()));
        let text = if written.is_empty() {
            format!("nothing is written, {left_out} left out\n")
        } else {
            format!("{}: {games_kept}, {left_out} left out\n", out.display())
        };
        if complete {
            return text;
        }
        let of_parts = if kept < games { " of complete parts" } else { "" };
        let read = print::many(games, "game");
        format!("interrupted after {read}; kept {}{of_parts}\n{text}", print::thousands(kept))
    })
}

/// What to convert, and where to write it.
struct Conversion<'a> {
    /// The rules of `--rules`, if they are given.
    assumed: Option<Rules>,
    inputs: Inputs,
    out: &'a Path,
    output: Output,
}

impl Conversion<'_> {
    /// Writes a run.
    fn into_run(self, detail: Detail) -> anyhow::Result<Written> {
        let out = self.out;
        let is_new = !out.exists();
        let _lock = super::arguments::claim(out)?;
        let start = || ParquetSink::start(Location::new(Folder, out), RunConfig::for_logs(detail));
        // The first game starts the run.
        let mut started = None;
        let written = self.convert(
            |input, assumed| Ok((record_input(input, assumed, detail)?, None)),
            |number, game| {
                let mut sink = started.take().map_or_else(start, Ok)?;
                sink.take(GameRecord { game: number, ..game })?;
                started = Some(sink);
                Ok(())
            },
        )?;
        if written.is_empty() {
            if is_new {
                // Fails if another program has written to it.
                _ = std::fs::remove_dir(out);
            }
            return Ok(written);
        }
        let sink = started.map_or_else(start, Ok)?;
        let manifest = if written.complete { sink.finish() } else { sink.stop() };
        let kept = manifest.with_context(|| cannot_write(out))?.games;
        Ok(Written { kept, ..written })
    }

    /// Writes a file with the only game. Fails if there are several.
    fn into_file(self, format: Format) -> anyhow::Result<Written> {
        let out = self.out;
        let mut file = create_file(out)?;
        let written = self.convert_texts(
            |_, game| format.text(game),
            |number, text| if number == 0 { Ok(file.write_all(text.as_bytes())?) } else { Ok(()) },
        )?;
        if written.games > 1 {
            Folder.discard(out);
            let (show, games) = (out.display(), written.games);
            bail!("{show}: one file for {games} games; choose a folder, or a name with the ending .jsonl");
        }
        end_file(&written, file, out)?;
        Ok(written)
    }

    /// Writes a folder with one file per game.
    fn into_files(self, format: Format) -> anyhow::Result<Written> {
        super::arguments::check_is_free(self.out)?;
        let out = self.out;
        self.convert_texts(
            |_, game| format.text(game),
            |number, text| {
                let path = out.join(format!("{number:06}.{}", format.ending()));
                Ok(store::write(&Folder, &path, text.as_bytes())?)
            },
        )
    }

    /// Writes a file with one game per line.
    fn into_lines(self, format: Format) -> anyhow::Result<Written> {
        let out = self.out;
        let mut file = create_file(out)?;
        let written = self.write_lines(format, &mut file)?;
        end_file(&written, file, out)?;
        Ok(written)
    }

    /// Writes a gzipped file with one game per line.
    fn into_gzipped_lines(self, format: Format) -> anyhow::Result<Written> {
        let out = self.out;
        let mut file = GzEncoder::new(create_file(out)?, Compression::default());
        let written = self.write_lines(format, &mut file)?;
        let file = file.finish().with_context(|| cannot_write(out))?;
        end_file(&written, file, out)?;
        Ok(written)
    }

    fn write_lines(self, format: Format, file: &mut impl Write) -> anyhow::Result<Written> {
        self.convert_texts(
            |input, game| format.line(&input.id(), game),
            |_, line| Ok(file.write_all(line.as_bytes())?),
        )
    }

    /// Converts the whole hands of all games to texts and writes them in order, with their numbers.
    fn convert_texts(
        self,
        text: impl Fn(&Input, &RecordedGame) -> String + Sync,
        write: impl FnMut(u64, String) -> anyhow::Result<()>,
    ) -> anyhow::Result<Written> {
        self.convert(
            |input, assumed| {
                let (game, gap) = complete_input(input, assumed)?;
                Ok((readable(text(input, &game))?, gap))
            },
            write,
        )
    }

    /// Converts all games on all threads and writes them in order, with their numbers. `convert`
    /// gets each input with the rules to assume, and returns where its game breaks off, if it does.
    fn convert<T: Send>(
        mut self,
        convert: impl Fn(&Input, Option<&Rules>) -> Result<(T, Option<LogError>), LogError> + Sync,
        mut write: impl FnMut(u64, T) -> anyhow::Result<()>,
    ) -> anyhow::Result<Written> {
        let mut progress = Progress::bytes(self.inputs.total(), !self.output.quiet)?;
        let errors = RefCell::new(Problems::new(self.output, progress.bar()));
        let mut gaps = Problems::new(self.output, progress.bar());
        let leave_out = |error: &LogError| {
            errors.borrow_mut().warn(&format!("left out: {error}\n"), || error.clone());
        };
        let (mut games, mut result) = (0, Ok(()));
        let complete = self.inputs.each(
            |input| convert(input, self.assumed.as_ref()),
            &mut progress,
            |input, game| match game {
                _ if result.is_err() => {}
                Ok((game, gap)) => {
                    result = write(games, game);
                    games += 1;
                    if let Some(gap) = gap {
                        gaps.warn(&format!("breaks off: {gap}\n"), || gap.clone());
                    }
                }
                Err(error) => leave_out(&error.in_game(&input.place())),
            },
            |error| leave_out(&error),
        );
        progress.finish();
        result.with_context(|| cannot_write(self.out))?;
        Ok(Written { games, kept: games, complete, errors: errors.into_inner(), gaps })
    }
}

fn cannot_write(path: &Path) -> String {
    format!("{}: cannot write", path.display())
}

/// Creates a file, which gets its name when it is published.
fn create_file(path: &Path) -> anyhow::Result<Box<dyn NewFile>> {
    check_absent(path)?;
    Folder.create(path).with_context(|| format!("{}: cannot create", path.display()))
}

/// Gives a file its name, or removes it if it has no game.
fn end_file(written: &Written, file: Box<dyn NewFile>, path: &Path) -> anyhow::Result<()> {
    if written.is_empty() {
        Folder.discard(path);
        return Ok(());
    }
    file.seal().and_then(|()| Folder.publish(path)).with_context(|| cannot_write(path))
}

/// The text of a game, if it is short enough to be read again.
fn readable(text: String) -> Result<String, LogError> {
    if text.len() <= MAX_GAME_BYTES {
        return Ok(text);
    }
    let found = text.len();
    let what = format!("the game takes {found} bytes in this format, expected at most {MAX_GAME_BYTES}");
    Err(LogError::new("", what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_too_long_to_read_are_not_written() {
        assert!(readable("x".repeat(MAX_GAME_BYTES)).is_ok());
        let error = readable("x".repeat(MAX_GAME_BYTES + 1)).expect_err("too long").to_string();
        assert!(error.contains("4194305 bytes in this format, expected at most 4194304"), "{error}");
    }
}
