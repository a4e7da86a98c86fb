//! Passes the current commit to the compiler as `JANTAKU_COMMIT`, or `unknown` outside a clone.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=../.git/HEAD");
    println!("cargo::rerun-if-changed=../.git/refs/heads");
    let git = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output();
    let commit =
        git.ok().filter(|output| output.status.success()).and_then(|o| String::from_utf8(o.stdout).ok());
    println!("cargo::rustc-env=JANTAKU_COMMIT={}", commit.as_deref().map_or("unknown", str::trim));
}
