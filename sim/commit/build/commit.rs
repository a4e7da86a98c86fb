//! The commit that the program is built from.

use std::path::Path;
use std::process::Command;

/// The commit of a clone.
pub(crate) struct Commit {
    /// Its first twelve digits, with `-dirty` if a source differs from it.
    pub(crate) name: String,
    /// The files of git that change when another commit is checked out, relative to the root.
    pub(crate) files: Vec<String>,
}

/// The commit of the sources, which are relative to the root. None if the root is not the top of a
/// clone.
///
/// Files that git does not track are no sources.
pub(crate) fn commit(root: &Path, sources: &[&str]) -> Option<Commit> {
    let git = |words: &[&str]| git(root, words);
    // The sources may be part of another repository.
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != root.canonicalize().ok()? {
        return None;
    }
    let mut files = Vec::new();
    for name in ["HEAD", "refs/heads", "packed-refs"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        // A path that does not exist would run the build script at every build.
        files.extend(Some(path).filter(|path| root.join(path).exists()));
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let status = ["status", "--porcelain", "--untracked-files=no", "--"];
    let modified = git(&[&status[..], sources].concat())?;
    Some(Commit { name: if modified.is_empty() { commit } else { commit + "-dirty" }, files })
}

/// The output of a git command in a folder, without the last line feed. None if it fails.
fn git(folder: &Path, words: &[&str]) -> Option<String> {
    let output =
        Command::new("git").arg("-C").arg(folder).arg("--no-optional-locks").args(words).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim_end().to_owned())
}
