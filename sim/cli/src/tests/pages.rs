//! The commands on the pages of the site are commands of the program.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser as _;

use crate::Words;

/// Commands of this page have variables of a scheduler. `sim/tests/recipes.py` runs most of them.
const WITH_VARIABLES: &str = "python/docs/cluster.md";

#[test]
fn commands_of_the_pages_are_understood() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut understood = 0;
    for page in pages(root) {
        for words in commands(&fs::read_to_string(root.join(&page)).expect("a page")) {
            let words = ["jantaku".to_owned()].into_iter().chain(words);
            if let Err(error) = Words::try_parse_from(words) {
                panic!("{}: {error}", page.display());
            }
            understood += 1;
        }
    }
    assert!(understood >= 120, "{understood}");
}

/// The pages to which `docs/contents.md` links.
fn pages(root: &Path) -> BTreeSet<PathBuf> {
    let contents = fs::read_to_string(root.join("docs/contents.md")).expect("the contents");
    let links = contents.split("](").skip(1).filter_map(|text| text.split(')').next());
    let listed = links.map(|link| match link.strip_prefix("../") {
        Some(page) => PathBuf::from(page),
        None => Path::new("docs").join(link),
    });
    listed.filter(|page| page != Path::new(WITH_VARIABLES)).collect()
}

/// The program's commands in the shell blocks of a page, as words. Leaves out the parts for the shell and
/// the commands of other programs.
fn commands(page: &str) -> Vec<Vec<String>> {
    let blocks = page.split("\n```").filter_map(|block| block.strip_prefix("sh\n"));
    let lines = blocks.map(|block| block.replace("\\\n", " ")).collect::<Vec<_>>().join("\n");
    let words = lines.lines().filter_map(|line| {
        let words = line.strip_prefix("jantaku ").or_else(|| line.strip_prefix("cargo run --release -- "))?;
        Some(shlex::split(words).unwrap_or_else(|| panic!("not the words of a command: {line}")))
    });
    let is_for_the_shell = |word: &str| word.starts_with(['|', '>', '&']);
    words.map(|words| words.into_iter().take_while(|word| !is_for_the_shell(word)).collect()).collect()
}
