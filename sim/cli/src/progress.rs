//! The progress bar and Ctrl-C.

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use jantaku_sim::play::Watch;

use super::print;

/// How long the writer is behind before the bar says so. The queue of the writer is short, so brief
/// waits are usual.
const LONG: Duration = Duration::from_secs(5);

/// Shows the progress of a run and stops it at Ctrl-C. Its bar disappears when it is dropped.
pub(super) struct Progress {
    bar: ProgressBar,
    /// Since when the writer has been behind without a break.
    behind_since: Option<Instant>,
    /// What the runner says about where the run stands.
    note: String,
    stop: Arc<AtomicBool>,
}

impl Progress {
    /// A bar over games on stderr, if that is a terminal and `shown` is true.
    pub(super) fn games(games: u64, shown: bool) -> anyhow::Result<Progress> {
        let template = "{wide_bar} {percent:>3} %  {human_pos} of {human_len} games  {per_sec}  {left}{msg}";
        Progress::new(games, template, shown)
    }

    /// [`Progress::games`] for sets of games on the same walls.
    pub(super) fn sets(sets: u64, shown: bool) -> anyhow::Result<Progress> {
        let template = "{wide_bar} {percent:>3} %  {human_pos} of {human_len} sets  {left}{msg}";
        Progress::new(sets, template, shown)
    }

    /// [`Progress::games`] for bytes of files.
    pub(super) fn bytes(bytes: u64, shown: bool) -> anyhow::Result<Progress> {
        Progress::new(bytes, "{wide_bar} {percent:>3} %  {bytes} of {total_bytes}  {left}", shown)
    }

    /// [`Progress::games`] for searches, whose number grows with what they find.
    pub(super) fn searches(shown: bool) -> anyhow::Result<Progress> {
        Progress::new(0, "{wide_bar} {percent:>3} %  {human_pos} of {human_len} searches  {left}", shown)
    }

    fn new(length: u64, template: &str, shown: bool) -> anyhow::Result<Progress> {
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template(template).expect("the template is valid");
        let style = style.with_key("per_sec", |state: &ProgressState, out: &mut dyn Write| {
            let games = print::speed(state.pos(), state.pos() as f64 / state.per_sec(), "game");
            out.write_str(&games).ok();
        });
        // Games that are played at the same time all end late. Until one has ended, the speed is unknown.
        let style = style.with_key("left", |state: &ProgressState, out: &mut dyn Write| {
            let left = HumanDuration(state.eta());
            if state.pos() > 0 { write!(out, "{left:#} left") } else { write!(out, "time left unknown") }
                .ok();
        });
        let bar = ProgressBar::with_draw_target(Some(length), target).with_style(style);
        Ok(Progress { bar, behind_since: None, note: String::new(), stop: stop_at_signals()? })
    }

    /// The flag that is set when the run is to stop.
    pub(super) fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Sets the number of games, sets or bytes.
    pub(super) fn set_length(&self, length: u64) {
        self.bar.set_length(length);
    }

    /// Shows sets of games whose number is not known.
    pub(super) fn set_open(&self) {
        let template = "{spinner} {human_pos} sets  {elapsed}{msg}";
        self.bar.set_style(ProgressStyle::with_template(template).expect("the template is valid"));
    }

    /// The bar, for printing lines above it.
    pub(super) fn bar(&self) -> ProgressBar {
        self.bar.clone()
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watch for Progress {
    fn progress(&mut self, done: u64) {
        let lasts = self.behind_since.is_some_and(|since| since.elapsed() >= LONG);
        let behind = if lasts { "  the writer is behind" } else { "" };
        self.bar.set_message(format!("{}{behind}", self.note));
        self.bar.set_position(done);
    }

    fn expect(&mut self, length: u64) {
        self.set_length(length);
    }

    fn note(&mut self, text: &str) {
        self.note = format!("  {text}");
    }

    fn writer_is_behind(&mut self, is_behind: bool) {
        self.behind_since = is_behind.then(|| self.behind_since.unwrap_or_else(Instant::now));
    }

    fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// The exit status after a second signal.
const INTERRUPTED: i32 = 130;

/// A flag that SIGINT (Ctrl-C), SIGTERM and SIGHUP (the terminal closes) set, the same at every
/// call. A second SIGINT or SIGTERM ends the processes of agents and this program at once.
///
/// Also catches SIGXFSZ, so that a write beyond the file size limit fails with an error.
pub(super) fn stop_at_signals() -> anyhow::Result<Arc<AtomicBool>> {
    static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    if let Some(stop) = STOP.get() {
        return Ok(Arc::clone(stop));
    }
    let stop = Arc::new(AtomicBool::new(false));
    catch(&stop).context("cannot watch for signals")?;
    Ok(Arc::clone(STOP.get_or_init(|| stop)))
}

/// Catches the signals on a thread: a signal handler cannot do the work for the second one.
#[cfg(unix)]
fn catch(stop: &Arc<AtomicBool>) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    // A terminal that closes may send SIGHUP twice.
    #[cfg(target_os = "linux")]
    if !hangup_is_ignored() {
        signal_hook::flag::register(SIGHUP, Arc::clone(stop))?;
    }
    let stop = Arc::clone(stop);
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for _ in signals.forever() {
            if stop.swap(true, Ordering::Relaxed) {
                jantaku_agents::mjai::exit(INTERRUPTED);
            }
        }
    })?;
    Ok(())
}

/// Catches Ctrl-C. A second one ends the program, and the system ends its processes.
#[cfg(not(unix))]
fn catch(stop: &Arc<AtomicBool>) -> std::io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};

    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(signal, INTERRUPTED, Arc::clone(stop))?;
        signal_hook::flag::register(signal, Arc::clone(stop))?;
    }
    Ok(())
}

/// Whether the program was started to survive its terminal, as `nohup` does.
///
/// `/proc` has the ignored signals as a hexadecimal number. Its lowest bit is SIGHUP, signal 1.
#[cfg(target_os = "linux")]
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Brief waits are usual, and so are waits with breaks.
    #[test]
    fn the_writer_is_behind_when_that_lasts() {
        let mut progress = Progress::games(100, false).expect("signals are caught");
        let mut says = |is_behind: bool, waited: Option<Duration>| {
            progress.writer_is_behind(is_behind);
            if let (Some(since), Some(waited)) = (&mut progress.behind_since, waited) {
                *since -= waited;
            }
            progress.progress(1);
            progress.bar.message().contains("the writer is behind")
        };
        assert!(!says(true, None));
        assert!(!says(true, Some(LONG / 2)));
        assert!(says(true, Some(LONG / 2)), "it has waited since the first report");
        assert!(says(true, None));
        assert!(!says(false, None));
        assert!(!says(true, None), "a break ends it");
    }
}
