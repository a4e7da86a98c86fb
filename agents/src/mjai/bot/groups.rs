//! The process groups of all bots of this program, so that none outlives it.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The IDs of the groups in which processes may run. The lock is held while a process starts, so
/// that the set lacks none.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a process in a group of its own, so that Ctrl-C reaches only this program, which then
/// ends its bots.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    let mut running = running();
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let child = command.spawn()?;
    running.insert(child.id());
    Ok(child)
}

/// Kills a process with its descendants, and waits for its end.
pub(super) fn end(child: &mut Child) {
    let mut running = running();
    kill(child.id());
    running.remove(&child.id());
    drop(running);
    let _ = child.kill();
    let _ = child.wait();
}

/// Kills the processes of all agents and ends this program with a status.
///
/// A program calls this where it does not drop its agents, such as after a second Ctrl-C.
pub fn exit(status: i32) -> ! {
    // The lock is held to the end: no process starts any more.
    let running = running();
    running.iter().copied().for_each(kill);
    std::process::exit(status)
}

/// Kills the processes of a group. It may have ended already.
fn kill(group: u32) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        if let Some(group) = i32::try_from(group).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
    #[cfg(not(unix))]
    let _ = group;
}
