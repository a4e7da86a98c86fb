//! Figures beside those of other games.

use anyhow::anyhow;
use jantaku_measure::reports::Reference;

use super::output::Output;
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
