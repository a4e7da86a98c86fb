//! Times Jantaku's engine and published packages on the same hands: `experiments/peers/run`.
//!
//! - `measure`: CPU times and the report
//! - `shape`: shanten, ukeire and discards, with `xiangting` and `riichienv-core`
//! - `score`: scores of winning hands, with `riichienv-core`
//! - `games`: whole games, with `riichienv-core`
//! - `replay`: replays of recorded games
//! - `python`: sends hands and games to `peers.py`, which times `mahjong` and `riichienv`
//!
//! The hands come from the engine's benches.

mod games;
#[allow(dead_code, reason = "the benches use more of the file")]
#[path = "../../../sim/benches/work/hands.rs"]
mod hands;
mod measure;
mod python;
#[allow(dead_code, reason = "the benches use more of the file")]
#[path = "../../../sim/benches/work/games.rs"]
mod recorded;
mod replay;
mod score;
mod shape;
#[allow(dead_code, reason = "the benches use more of the file")]
#[path = "../../../sim/benches/work/wins.rs"]
mod wins;

use std::error::Error;

use hands::Kind;
use jantaku_engine::Rules;
use measure::Report;

/// Runs of each measurement. The report has their median.
const RUNS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let python = words
        .next()
        .ok_or("expected the path of a Python with `mahjong` and `riichienv` as first argument")?;
    let scale: usize = words.next().map_or(Ok(100), |word| word.parse())?;
    let mut report = Report::default();
    let mut for_python = python::Questions::default();
    for (kind, name) in [(Kind::Uniform, "uniform"), (Kind::NearTenpai, "near tenpai")] {
        let turns = hands::turns(kind, 10_000 * scale, 1);
        report.add(shape::shanten(name, &turns));
        report.add(shape::ukeire(name, &turns[..1000 * scale]));
        report.add(shape::discards(name, &turns[..1000 * scale]));
        report.add(shape::best_discards(name, &turns[..1000 * scale]));
        for_python.add_hands(name, &turns[..10 * scale]);
    }
    // `riichienv` scores by the rules of Mahjong Soul.
    let rules = Rules::preset("mjsoul").ok_or("a preset")?;
    let wins = wins::wins(1000 * scale, &rules, 1);
    report.add(score::scores(&wins, &rules));
    for_python.add_wins(&wins[..10 * scale]);
    for row in games::games(scale as u64) {
        report.add(row);
    }
    for_python.games = (scale / 10).max(1);
    let recorded = recorded::recordings(scale as u64, &rules);
    report.add(replay::replays(&recorded));
    for_python.add_recorded(&recorded[..(scale / 10).max(1)])?;
    report.add_python(&for_python.ask(&python)?);
    print!("{report}");
    Ok(())
}
