//! `--html FILE`: results as pages for the browser.

use std::path::{Path, PathBuf};

use anyhow::bail;
use jantaku_measure::reports::page::{Maker, Origin, Reported, page_of};
use jantaku_measure::review::{Review, ReviewRequest};
use jantaku_sim::logs::files::is_stream;
use jantaku_sim::play::By;
use jantaku_sim::store::{self, Folder};

/// The option for the page of a result.
#[derive(clap::Args)]
pub(super) struct HtmlOption {
    /// Write a page for the browser to this file: figures with their intervals, what was run, and the
    /// result as JSON
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

impl HtmlOption {
    /// Checks before a long computation that the page can be written.
    pub fn check(&self) -> anyhow::Result<()> {
        self.html.as_deref().map_or(Ok(()), check_new_file)
    }

    /// Writes the page of a result if it is asked for, with the figures of these groups.
    pub fn write(&self, result: &impl Reported, divisions: &[By]) -> anyhow::Result<()> {
        let Some(path) = &self.html else { return Ok(()) };
        write(path, result, Origin { divisions: divisions.to_vec(), ..Origin::default() })
    }

    /// Writes the page of a review if it is asked for, and beside it the page of its game, which it links to.
    /// A game from a pipe cannot be read again, so it has none.
    pub fn write_review(&self, review: &Review, request: &ReviewRequest) -> anyhow::Result<()> {
        let Some(path) = &self.html else { return Ok(()) };
        let game = (!is_stream(&request.source)).then(|| game_page(path));
        if let Some(game) = &game {
            store::write(&Folder, game, review.game_page(request)?.as_bytes())?;
        }
        let name =
            game.as_ref().and_then(|game| game.file_name()).map(|name| address(&name.to_string_lossy()));
        write(path, review, Origin { game: name, ..Origin::default() })
    }
}

/// Writes the page of a result of this command line.
fn write(path: &Path, result: &impl Reported, origin: Origin) -> anyhow::Result<()> {
    let origin = Origin { maker: Maker::Command(command_line()), ..origin };
    Ok(store::write(&Folder, path, page_of(result, &origin).as_bytes())?)
}

/// The page of the game beside that of its review: `review-game.html` beside `review.html`.
pub(super) fn game_page(review: &Path) -> PathBuf {
    review.with_file_name(format!("{}-game.html", review.file_stem().unwrap_or_default().to_string_lossy()))
}

/// The name of a file as an address in its own folder. Browsers encode other letters themselves.
fn address(name: &str) -> String {
    format!("./{}", name.replace('%', "%25").replace('#', "%23").replace('?', "%3F"))
}

/// Checks that a file does not exist, that its folder does, and that it is not `-` for stdout.
pub(super) fn check_new_file(path: &Path) -> anyhow::Result<()> {
    if path == Path::new("-") {
        bail!("-: expected a file, because stdout has the report; `./-` is a file of that name");
    }
    check_absent(path)?;
    let show = path.display();
    if !path.parent().is_none_or(|folder| folder.as_os_str().is_empty() || folder.is_dir()) {
        bail!("{show}: its folder does not exist");
    }
    Ok(())
}

/// Checks that a file does not exist.
pub(super) fn check_absent(path: &Path) -> anyhow::Result<()> {
    if path.exists() {
        bail!("{}: already exists; choose another name", path.display());
    }
    Ok(())
}

/// The command line of this program, ready to be copied into a shell.
fn command_line() -> String {
    let words = crate::LINE.get().into_iter().flatten().skip(1);
    let words = words.map(|word| quoted(&word.to_string_lossy()));
    std::iter::once("jantaku".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_=,.:/+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_a_game_has_an_address() {
        let page = game_page(Path::new("out/my #1 ä.html"));
        assert_eq!(page, Path::new("out/my #1 ä-game.html"));
        assert_eq!(address("my #1 ä-game.html"), "./my %231 ä-game.html");
    }

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        for (word, expected) in [
            ("--agents=a,b", "--agents=a,b"),
            ("", "''"),
            ("two words", "'two words'"),
            ("it's", "'it'\\''s'"),
            ("$HOME", "'$HOME'"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }
}
