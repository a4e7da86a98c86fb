//! The output about resumed runs.

use jantaku_sim::run::Run;

use super::output::{Output, note};
use super::print;

/// Says which games of a resumed run are played again, although its files have them.
pub(super) fn note_games_played_again(run: Option<&Run>, output: Output) {
    let Some(run) = run.filter(|_| !output.quiet) else { return };
    let deterministic = run.config().deterministic;
    let kept = run.config().range().start + run.manifest().games;
    if let again @ 1.. = kept - run.remaining().start.min(kept) {
        let (games, are) = (print::many(again, "game"), if again == 1 { "is" } else { "are" });
        let result = if deterministic {
            "to the same result"
        } else {
            "and can end otherwise: an agent is not deterministic, or the build has changes that no commit \
             names"
        };
        note(&format!("the last part is not full: its {games} {are} played again, {result}"));
    }
    if let Some(parts) = run.after_gap() {
        let them = if parts.whole.len() == 1 { "it is" } else { "they are" };
        note(&format!("{parts}, which the manifest does not name: {them} played again, to the same bytes"));
    }
}
