//! The program `jantaku`.

use std::process::ExitCode;

fn main() -> ExitCode {
    jantaku_program::run(std::env::args_os().collect()).into()
}
