//! How many games a precision needs.

use std::time::Instant;

use jantaku_show::numbers::many;
use serde::Serialize;

use super::request::{Simulation, SweepPlan};
use crate::stats::{self, FIRST_BATCH, Measured, Precision, Target};
use jantaku_sim::play::{Players, RunError, Watch};

/// How many games a precision needs, as `jantaku stats --plan --json` prints it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GamesPlan {
    /// Games that were played for the estimate.
    pub pilot: u64,
    /// Games that are enough for all figures; None if that needs more than 2⁴⁰ games, or if the pilot
    /// does not determine the number, because a figure has no interval or had no event.
    pub games: Option<u64>,
    /// Whether the requested maximum number of games is enough. None if no number was given, or if
    /// the pilot cannot show it.
    pub enough: Option<bool>,
    /// Why there is no number of games; None if there is one.
    pub reason: Option<String>,
    /// The estimated time of `games` in seconds, on this machine and with these threads.
    pub seconds: Option<f64>,
    /// The threads that played the pilot.
    pub threads: usize,
    /// What the pilot says about each figure.
    pub precision: Vec<Precision>,
}

/// Why the number of games is not known.
#[derive(Debug, thiserror::Error)]
pub enum GamesPlanError {
    /// The pilot could not be played.
    #[error("cannot play the pilot games of the plan")]
    Play(#[from] RunError),
    /// The watch stopped the pilot.
    #[error("interrupted after {games} of {FIRST_BATCH} games of the pilot")]
    Interrupted {
        /// Games of the pilot that were played.
        games: u64,
    },
}

impl Simulation {
    /// Plays the first games and estimates how many the targets need. `most` is the number of games
    /// that the caller would play.
    ///
    /// # Errors
    ///
    /// If the pilot cannot be played to its end.
    pub fn plan(
        &self,
        most: Option<u64>,
        players: &mut Players,
        watch: &mut dyn Watch,
    ) -> Result<GamesPlan, GamesPlanError> {
        watch.expect(FIRST_BATCH);
        GamesPlan::estimate(&self.targets, most, |games| stats::simulate(&self.job(games), players, watch))
    }
}

impl SweepPlan {
    /// Plays the first games under each variant and estimates how many the targets need. `most` is
    /// the number of games that the caller would play.
    ///
    /// # Errors
    ///
    /// If the pilot cannot be played to its end.
    pub fn plan(&self, most: Option<u64>, watch: &mut dyn Watch) -> Result<GamesPlan, GamesPlanError> {
        watch.expect(FIRST_BATCH);
        let play = |games| stats::sweep(&self.jobs(games), &self.policies, watch);
        GamesPlan::estimate(&self.targets, most, play)
    }
}

impl GamesPlan {
    /// The plan for these targets. `play` plays a number of games, for the pilot.
    fn estimate<M: Measured>(
        targets: &[Target],
        most: Option<u64>,
        play: impl FnOnce(u64) -> Result<M, RunError>,
    ) -> Result<GamesPlan, GamesPlanError> {
        let start = Instant::now();
        let pilot = play(FIRST_BATCH)?;
        let seconds_per_game = start.elapsed().as_secs_f64() / pilot.games().max(1) as f64;
        if pilot.games() < FIRST_BATCH {
            return Err(GamesPlanError::Interrupted { games: pilot.games() });
        }
        let precision = Precision::of_all(targets, &pilot);
        let games = games_for(&precision);
        let is_known = !precision.iter().any(Precision::is_unknown);
        let is_enough = |most| games.is_some_and(|games| games <= most);
        Ok(GamesPlan {
            pilot: pilot.games(),
            games,
            reason: games.is_none().then(|| reason(pilot.games(), &precision)),
            enough: most.filter(|_| is_known).map(is_enough),
            seconds: games.map(|games| games as f64 * seconds_per_game),
            threads: rayon::current_num_threads(),
            precision,
        })
    }
}

/// Why a pilot of this many games gives no number of games.
fn reason(pilot: u64, precision: &[Precision]) -> String {
    let pilot = many(pilot, "game");
    match precision.iter().find(|known| known.is_unknown()) {
        None => "more games than can be played".to_owned(),
        Some(known) if known.distance.is_none() => {
            format!("unknown: in the pilot of {pilot}, a figure has no interval")
        }
        Some(known) if known.is_rate => format!("unknown: the pilot of {pilot} had no such event"),
        Some(_) => format!("unknown: the figure is 0 in the pilot of {pilot}"),
    }
}

/// The games that are enough for all figures. None if one of them is not known.
fn games_for(precision: &[Precision]) -> Option<u64> {
    let games = precision.iter().map(|known| known.games).collect::<Option<Vec<u64>>>()?;
    games.into_iter().max().map(|games| games.max(FIRST_BATCH))
}
