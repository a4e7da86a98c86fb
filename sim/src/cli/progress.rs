//! The progress bar, and how a run is interrupted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use jantaku_sim::play::Watch;
use signal_hook::consts::{SIGINT, SIGTERM};

/// Shows how far a run is, and stops it at Ctrl-C.
pub(super) struct Progress {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
    /// How often games have had to wait for the writer, and how often they had when that was last looked at.
    waits: Option<(Arc<AtomicU64>, u64)>,
}

impl Progress {
    /// A bar over games on stderr, if that is a terminal and it is wanted.
    pub(super) fn games(games: u64, shown: bool) -> std::io::Result<Progress> {
        let template =
            "{bar:32} {percent:>3} %  {human_pos} of {human_len} games  {per_sec}  {eta} left{msg}";
        Progress::new(games, template, shown)
    }

    /// A bar over bytes of files.
    pub(super) fn bytes(bytes: u64, shown: bool) -> std::io::Result<Progress> {
        Progress::new(bytes, "{bar:32} {percent:>3} %  {bytes} of {total_bytes}  {eta} left", shown)
    }

    fn new(length: u64, template: &str, shown: bool) -> std::io::Result<Progress> {
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template(template).expect("the template is valid");
        let bar = ProgressBar::with_draw_target(Some(length), target).with_style(style.with_key(
            "per_sec",
            |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
                write!(out, "{:.0} games/s", state.per_sec()).ok();
            },
        ));
        Ok(Progress { bar, stop: stop_at_signals()?, waits: None })
    }

    /// Says from now on when games wait for whoever writes them.
    pub(super) fn watch_writer(&mut self, waits: Arc<AtomicU64>) {
        self.waits = Some((waits, 0));
    }

    /// The bar, for what is printed while it is there.
    pub(super) fn bar(&self) -> ProgressBar {
        self.bar.clone()
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watch for Progress {
    fn progress(&mut self, done: u64) {
        self.bar.set_position(done);
        if let Some((waits, before)) = &mut self.waits {
            let now = waits.load(Ordering::Relaxed);
            self.bar.set_message(if now > *before { "  the writer is behind" } else { "" });
            *before = now;
        }
    }

    fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// A flag that Ctrl-C, a request to end or the end of the terminal raises; the second time Ctrl-C ends the program at once.
///
/// Also lets a write beyond a limit of the system fail like any other instead of ending the program.
fn stop_at_signals() -> std::io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&stop))?;
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
    }
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    // A terminal that goes away may say so twice.
    #[cfg(target_os = "linux")]
    if !hangup_is_ignored() {
        signal_hook::flag::register(signal_hook::consts::SIGHUP, Arc::clone(&stop))?;
    }
    Ok(stop)
}

/// Whether whoever started the program has it live on when the terminal goes away, as `nohup` does.
///
/// Linux tells which signals are ignored, as a hexadecimal number; the lowest bit is that of SIGHUP, signal 1.
#[cfg(target_os = "linux")]
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}
