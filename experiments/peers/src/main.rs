//! Jantaku's engine beside published ones, on the same hands in the same run: `experiments/peers/run`.
//!
//! - `measure`: CPU time, and what is printed
//! - `shape`: shanten, ukeire and discards of `xiangting` and `riichienv-core`
//! - `score`: won hands of `riichienv-core`
//! - `games`: whole games of `riichienv-core`
//! - `replay`: recorded games, played again
//! - `python`: the same hands and games for `peers.py`, which asks `mahjong` and `riichienv`
//!
//! The hands are those of the engine's own benches.

mod games;
#[allow(dead_code, reason = "the benches ask for more")]
#[path = "../../../engine/benches/work/hands.rs"]
mod hands;
mod measure;
mod python;
#[allow(dead_code, reason = "the benches ask for more")]
#[path = "../../../engine/benches/work/games.rs"]
mod recorded;
mod replay;
mod score;
mod shape;
#[allow(dead_code, reason = "the benches ask for more")]
#[path = "../../../engine/benches/work/wins.rs"]
mod wins;

use std::error::Error;

use hands::Kind;
use jantaku_engine::Rules;
use measure::Report;

/// Five is the least that the median of is worth telling.
const RUNS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let python = words.next().ok_or("expected the Python program that has `mahjong` and `riichienv`")?;
    let scale: usize = words.next().map_or(Ok(100), |word| word.parse())?;
    let mut report = Report::default();
    let mut of_python = python::Questions::default();
    for (kind, name) in [(Kind::Uniform, "uniform"), (Kind::NearTenpai, "near tenpai")] {
        let turns = hands::turns(kind, 10_000 * scale, 1);
        report.add(shape::shanten(name, &turns));
        report.add(shape::ukeire(name, &turns[..1000 * scale]));
        report.add(shape::discards(name, &turns[..1000 * scale]));
        report.add(shape::best_discards(name, &turns[..1000 * scale]));
        of_python.add_hands(name, &turns[..10 * scale]);
    }
    // The rules by which `riichienv` scores.
    let rules = Rules::preset("mjsoul").ok_or("a preset")?;
    let wins = wins::wins(1000 * scale, &rules, 1);
    report.add(score::scores(&wins, &rules));
    of_python.add_wins(&wins[..10 * scale]);
    for row in games::games(scale as u64) {
        report.add(row);
    }
    of_python.games = (scale / 10).max(1);
    let recorded = recorded::recordings(scale as u64, &rules);
    report.add(replay::replays(&recorded));
    of_python.add_recorded(&recorded[..(scale / 10).max(1)])?;
    report.add_python(&of_python.ask(&python)?);
    print!("{report}");
    Ok(())
}
