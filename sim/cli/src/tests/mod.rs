//! The ends of helps fit a terminal, and the pages name commands that exist.

mod pages;

use clap::CommandFactory as _;

use crate::{Words, print};

/// The lines that a user copies are at the ends of helps. Longer ones would be wrapped.
#[test]
fn ends_of_helps_fit_80_columns() {
    let (mut commands, mut checked) = (vec![Words::command()], 0);
    while let Some(command) = commands.pop() {
        if let Some(end) = command.get_after_long_help() {
            let end = end.to_string();
            let long = end.lines().find(|line| line.chars().count() > print::WIDTH);
            assert_eq!(long, None, "{}", command.get_name());
            checked += 1;
        }
        commands.extend(command.get_subcommands().cloned());
    }
    assert!(checked >= 5, "{checked}");
}
