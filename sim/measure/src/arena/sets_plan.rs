//! Plans how many sets a match needs, with a pilot.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::matches::{Match, MatchError, PrepareError};
use super::plan::MAX_SETS;
use super::power::{PILOT_SETS, sets_for};
use super::request::MatchRequest;
use jantaku_sim::play::Watch;
use jantaku_sim::run::{ConfigError, RequestError};

/// The chance that a match of the planned length shows the placement difference.
const POWER: f64 = 0.8;

/// A placement difference that a match should show.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetsPlanRequest {
    /// The match of a challenger and a baseline. Its pilot has its own number of sets.
    #[serde(skip)]
    pub game: MatchRequest,
    /// The placement difference.
    pub placement_difference: f64,
    /// The variance of the mean placement of a set. Without it, a pilot estimates it.
    pub variance: Option<f64>,
}

/// How many sets show a placement difference, as `jantaku match --plan --json` prints it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SetsPlan {
    /// The placement difference.
    pub placement_difference: f64,
    /// The chance that a match of this many sets shows it.
    pub power: f64,
    /// The variance of the mean placement of a set.
    pub variance: f64,
    /// The number of sets that is enough.
    pub sets: u64,
    /// Their games.
    pub games: u64,
    /// The estimated time of these games in seconds. None if the variance was given.
    pub seconds: Option<f64>,
}

/// Why the number of sets is not known.
#[derive(Debug, thiserror::Error)]
pub enum SetsPlanError {
    /// A field of the match is not valid.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// An agent cannot start.
    #[error(transparent)]
    Start(#[from] PrepareError),
    /// The pilot could not be played.
    #[error(transparent)]
    Play(#[from] MatchError),
    /// The watch stopped the pilot.
    #[error("interrupted after {sets} of {PILOT_SETS} sets of the pilot")]
    Interrupted {
        /// Sets of the pilot that were played.
        sets: u64,
    },
    /// All sets have the same mean placement.
    #[error(
        "all {PILOT_SETS} sets of the pilot have the same mean placement: no number of sets shows a placement difference"
    )]
    NoVariance,
    /// A match cannot have enough sets.
    #[error(
        "a placement difference of {placement_difference:e} needs more than {MAX_SETS} sets, the maximum of a match; give a \
        larger difference"
    )]
    TooMany {
        /// The placement difference.
        placement_difference: f64,
    },
}

impl SetsPlanRequest {
    /// Plays the pilot if there is no variance, and computes the number of sets.
    ///
    /// # Errors
    ///
    /// If a field is not valid, the pilot cannot be played to its end, or no number of sets is
    /// enough.
    pub fn plan(
        &self,
        verbose: bool,
        stop: &Arc<AtomicBool>,
        watch: &mut dyn Watch,
    ) -> Result<SetsPlan, SetsPlanError> {
        self.check()?;
        let pilot = MatchRequest { sets: Some(PILOT_SETS), ..self.game.clone() };
        let (config, agents) = pilot.config()?;
        let per_set = config.schedule().games_per_set();
        let most = f64::from(config.rules.players.count() - 1) / 2.0;
        if self.placement_difference > most {
            let (expected, found) =
                (format!("at most {most}, that of an agent which always wins"), self.placement_difference);
            return Err(RequestError::field("placement_difference", &expected, &found).into());
        }
        if let Some(variance) = self.variance {
            return self.sets(variance, per_set, None);
        }
        let mut game = Match::in_memory(config, agents, pilot.plan());
        let mut players = game.start(verbose, stop)?;
        watch.expect(PILOT_SETS);
        let (played, counts) = game.play_counted(&mut players, watch)?;
        let Some(variance) = counts.variance().filter(|_| played.complete) else {
            return Err(SetsPlanError::Interrupted { sets: played.sets });
        };
        if variance == 0.0 {
            return Err(SetsPlanError::NoVariance);
        }
        self.sets(variance, per_set, Some(played.speed.seconds / played.speed.sets as f64))
    }

    fn check(&self) -> Result<(), RequestError> {
        let given = [("placement_difference", Some(self.placement_difference)), ("variance", self.variance)];
        for (field, number) in given {
            if let Some(found) = number.filter(|number| !(number.is_finite() && *number > 0.0)) {
                return Err(RequestError::field(field, &"a positive number", &found));
            }
        }
        let MatchRequest {
            agents,
            sets,
            sprt,
            out,
            variance_reduction,
            shard,
            resume,
            seed,
            keep_draws,
            start,
            ..
        } = &self.game;
        let (has_variance, no_games) =
            (self.variance.is_some(), "no game is played where the variance is given");
        let planned = "a plan finds the sets that a challenger and a baseline need";
        let without_effect = [
            ("agents", agents.is_some(), planned),
            ("sets", sets.is_some(), planned),
            ("sprt", sprt.is_some(), planned),
            ("out", out.is_some(), planned),
            ("variance_reduction", *variance_reduction, planned),
            ("shard", shard.is_some(), planned),
            ("resume", *resume, planned),
            ("seed", has_variance && seed.is_some(), no_games),
            ("tables", has_variance && start.tables.is_some(), no_games),
            ("on_fault", has_variance && start.on_fault.is_some(), no_games),
            ("keep_draws", has_variance && *keep_draws, no_games),
            ("verbose", has_variance && start.verbose, no_games),
        ];
        match without_effect.into_iter().find(|(_, is_given, _)| *is_given) {
            Some((field, _, why)) => Err(ConfigError::without_effect(field, &why).into()),
            None => Ok(()),
        }
    }

    /// The number of sets with this variance. A set takes `seconds_per_set` seconds.
    fn sets(
        &self,
        variance: f64,
        per_set: u64,
        seconds_per_set: Option<f64>,
    ) -> Result<SetsPlan, SetsPlanError> {
        let (difference, sets) = (self.placement_difference, sets_for(self.placement_difference, variance));
        if sets > MAX_SETS {
            return Err(SetsPlanError::TooMany { placement_difference: difference });
        }
        let seconds = seconds_per_set.map(|seconds| seconds * sets as f64);
        Ok(SetsPlan {
            placement_difference: difference,
            power: POWER,
            variance,
            sets,
            games: sets * per_set,
            seconds,
        })
    }
}
