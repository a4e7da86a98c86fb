//! `jantaku completions`.

use clap::Command;
use clap_complete::{Shell, generate};

use super::output::{Ended, Output, say_exact};

/// Print a script that lets a shell complete commands and options
///
/// Bash looks for it in the folder ~/.local/share/bash-completion/completions
#[derive(clap::Args)]
pub(super) struct Args {
    /// Write the script for this shell
    shell: Shell,
}

pub(super) fn run(args: &Args, mut words: Command, output: Output) -> anyhow::Result<Ended> {
    output.check_no_json("`completions` prints a script for a shell")?;
    let mut script = Vec::new();
    generate(args.shell, &mut words, "jantaku", &mut script);
    say_exact(&String::from_utf8(script)?)?;
    Ok(Ended::Done)
}
