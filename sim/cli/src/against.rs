//! Figures beside those of other games.

use anyhow::anyhow;
use jantaku_sim::reports::{Against, Beside, Reference};

use super::figures::distinct;
use super::output::Output;
use super::print;
use super::progress::Progress;

/// The option for games to compare with.
#[derive(clap::Args)]
pub(super) struct AgainstOption {
    /// Print figures beside published ones (tenhou-2018, tenhou-2016, draws, nine-terminals, han-fu) or
    /// those of another run, such as converted logs
    #[arg(long, value_name = "NAME|RUN", conflicts_with_all = ["plan", "list", "by"])]
    against: Option<String>,
}

impl AgainstOption {
    /// The games to compare with. Those of a run are counted.
    pub fn open(&self, output: Output) -> anyhow::Result<Option<Reference>> {
        let Some(text) = &self.against else { return Ok(None) };
        let mut progress = Progress::games(0, !output.quiet)?;
        let reference = Reference::open(text, &mut progress);
        progress.finish();
        Ok(Some(reference.map_err(|error| anyhow!("--against: {error}"))?))
    }
}

/// What the other games are, and a table for each section and denominator.
pub(super) fn text(against: &Against) -> String {
    let source = against.source.iter().map(|source| format!("source: {source}\n"));
    let notes = against.notes.iter().map(|note| format!("note: {note}\n"));
    let head = format!("\nbeside {}: {}\n", against.name, against.about);
    let mut text = print::wrapped(&std::iter::once(head).chain(source).chain(notes).collect::<String>(), 2);
    if against.figures.is_empty() {
        text += "\nno figures in common\n";
    }
    for title in distinct(against.figures.iter().map(heading)) {
        let columns = ["", "value", "there", "difference", "in standard errors"];
        let mut lines = vec![columns.map(str::to_owned).to_vec()];
        let of_title = against.figures.iter().filter(|found| heading(found) == title);
        lines.extend(of_title.map(line));
        text += &format!("\n{}{}", print::wrapped(&title, 2), print::table(&lines));
    }
    text
}

fn heading(found: &Beside) -> String {
    format!("{}, per {}", found.names().0, found.per)
}

/// The cells of a figure.
fn line(found: &Beside) -> Vec<String> {
    std::iter::once(found.names().1.to_owned()).chain(found.texts()).collect()
}
