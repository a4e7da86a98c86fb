//! What a match shows so far.

use jantaku_engine::Players;
use serde::Serialize;

use super::rating::ELO;
use super::sequential::SprtState;
use super::sums::Mean;

/// What a match shows so far.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standing {
    /// The number of sets.
    pub sets: u64,
    /// The number of games.
    pub games: u64,
    /// The mean placement of all players.
    pub fair: f64,
    /// The fair mean placement minus that of the first agent, if two agents play.
    pub gain: Option<Mean>,
    /// How much stronger the first agent is than the second on an Elo scale, if it plays alone
    /// against the rest. None if it has always the same extreme placement.
    pub elo: Option<Mean>,
    /// Where the sequential test stands; none without one.
    pub sprt: Option<SprtState>,
    /// The agents, in the order of the match.
    pub agents: Vec<AgentStanding>,
}

/// What a match shows of one agent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AgentStanding {
    /// The name; agents with equal names are numbered.
    pub agent: String,
    /// The placement, from 1.
    pub placement: Mean,
    /// The result with uma and oka, in points: 55000 means +55.0.
    pub result: Mean,
    /// The points at the end.
    pub points: Mean,
    /// The share of games in each placement, the first one first.
    pub placements: Vec<f64>,
    /// The variance of the mean placement of a set, over that of as many games on walls of their
    /// own. None if there are fewer than two sets or all placements are equal.
    pub variance_ratio: Option<f64>,
    /// The same without luck; none if the match does not measure luck.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_luck: Option<WithoutLuck>,
}

/// What a match shows of one agent if its luck is taken away.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WithoutLuck {
    /// The placement.
    pub placement: Mean,
    /// The result.
    pub result: Mean,
    /// The points at the end.
    pub points: Mean,
    /// What is left of the variance.
    pub variance_ratio: LuckRatios,
}

/// The variance of a set's mean without luck, over that with luck. None if there are fewer than two
/// sets or all sets have the same mean with luck.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct LuckRatios {
    /// Of placements.
    pub placement: Option<f64>,
    /// Of results.
    pub result: Option<f64>,
    /// Of points.
    pub points: Option<f64>,
}

/// How much better than fair a placement is.
pub(super) fn gain(fair: f64, placement: &Mean) -> Mean {
    Mean {
        value: fair - placement.value,
        low: placement.high.map(|high| fair - high),
        high: placement.low.map(|low| fair - low),
        standard_error: placement.standard_error,
    }
}

/// The Elo difference that explains the mean placement of one agent among equal others.
///
/// In the Plackett–Luce model a player of strength θ above the others has the mean placement
/// 1 + (n − 1)(1 − σ(θ)), because each of them is ahead with the chance 1 − σ(θ). Elo is
/// 400 / ln 10 · θ. The standard error is that of the placement times the slope.
pub(super) fn elo(players: Players, placement: &Mean) -> Option<Mean> {
    let others = f64::from(players.count() - 1);
    let elo = |placement: f64| {
        let wins = 1.0 - (placement - 1.0) / others;
        (wins > 0.0 && wins < 1.0).then(|| ELO * (wins / (1.0 - wins)).ln())
    };
    let wins = 1.0 - (placement.value - 1.0) / others;
    Some(Mean {
        value: elo(placement.value)?,
        low: placement.high.and_then(elo),
        high: placement.low.and_then(elo),
        standard_error: placement.standard_error.map(|error| error * ELO / (others * wins * (1.0 - wins))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_is_that_of_expected_placements() {
        let mean = |value: f64| Mean { value, low: Some(value), high: None, standard_error: Some(0.01) };
        let of = |players, placement| elo(players, &mean(placement)).map(|elo| elo.value);
        assert_eq!(of(Players::Four, 2.5), Some(0.0));
        assert_eq!(of(Players::Two, 1.5), Some(0.0));
        assert_eq!(of(Players::Four, 1.0), None);
        // Ahead of each other player with the chance 10/11: 400 Elo.
        let found = of(Players::Three, 1.0 + 2.0 / 11.0).expect("finite");
        assert!((found - 400.0).abs() < 1e-9, "{found}");
    }
}
