//! `jantaku conform`.

use anyhow::bail;
use jantaku_measure::conform::{ConformRequest, Conformance, Theme, ThemeScore};
use jantaku_measure::reports::page::Reported as _;
use jantaku_sim::options::number;

use super::html::HtmlOption;
use super::output::{Ended, Output, note};
use super::print;

/// Check whether another engine plays and scores by the same rules
///
/// Starts the engine and asks it in JSON, one line for each question and answer: legal actions and events
/// of given hands, and values of hands. docs/conformance.md has the protocol. What the engine does not
/// support is not asked. Exit status: 0 no difference, 1 differences, 2 the engine cannot be asked
#[derive(clap::Args)]
pub(super) struct Args {
    /// The command that starts the engine, after --
    #[arg(required = true, last = true, value_name = "COMMAND")]
    command: Vec<String>,
    /// Ask only these themes, separated by commas: perft, cases, scoring, games
    #[arg(long, value_name = "THEME,…", value_delimiter = ',', value_parser = theme)]
    only: Vec<Theme>,
    /// Wait this long for each answer
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = number::<u32>(1..=86400), allow_negative_numbers = true)]
    seconds: u32,
    /// Play this many games under each of six presets
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number::<u32>(0..=1_000_000), allow_negative_numbers = true)]
    games: u32,
    /// Score this many random hands under each of four presets
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = number::<u32>(0..=10_000_000), allow_negative_numbers = true)]
    hands: u32,
    /// Set the seed of the games and hands
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = number::<u64>(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    page: HtmlOption,
}

fn theme(name: &str) -> Result<Theme, String> {
    let names = || Theme::ALL.map(Theme::name).join(", ");
    Theme::named(name).ok_or_else(|| format!("expected {}", names()))
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    args.page.check()?;
    let request = ConformRequest {
        only: args.only.clone(),
        seconds: args.seconds.into(),
        games: args.games,
        hands: args.hands,
        seed: args.seed,
    };
    let ended = |score: &ThemeScore| {
        let ThemeScore { theme, passed, failed, not_supported, not_asked, .. } = score;
        if !output.quiet {
            let rest = if *not_asked > 0 { format!(", {not_asked} not asked") } else { String::new() };
            note(&format!("{theme}: {passed} passed, {failed} failed, {not_supported} not supported{rest}"));
        }
    };
    let found = Conformance::check(&args.command, &request, ended)?;
    args.page.write(&found, &[])?;
    output.sum_up(&found, || found.report(&[]).to_text(print::width()))?;
    if let Some(error) = found.error {
        bail!(error);
    }
    Ok(if found.agrees() { Ended::Done } else { Ended::No })
}
