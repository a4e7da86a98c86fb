//! What a match says about an agent's placement.

/// Smaller differences of mean placements come from rounding.
const EQUAL: f64 = 1e-9;

/// How an agent places compared with the average of all players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FairField {
    /// The agents are the same, so the placement differs in no set.
    Equal,
    /// The interval of the difference is on the better side of 0.
    Better,
    /// The interval of the difference is on the worse side of 0.
    Worse,
    /// The interval of the difference contains 0.
    Open,
    /// There is no interval, because there is only one set, or all sets agree.
    NoInterval,
}

impl FairField {
    /// What a placement difference and its 95 % interval show. Positive differences are better.
    ///
    /// ```
    /// use jantaku_measure::reports::FairField;
    ///
    /// assert_eq!(FairField::of(0.3, Some((-1.0, 1.5))), FairField::Open);
    /// assert_eq!(FairField::of(-0.3, Some((-0.5, -0.1))), FairField::Worse);
    /// assert_eq!(FairField::of(0.0, None), FairField::NoInterval);
    /// ```
    pub fn of(difference: f64, interval: Option<(f64, f64)>) -> FairField {
        match interval {
            Some((low, high)) if difference.abs() < EQUAL && high - low < EQUAL => FairField::Equal,
            Some((low, _)) if low > 0.0 => FairField::Better,
            Some((_, high)) if high < 0.0 => FairField::Worse,
            Some(_) => FairField::Open,
            None => FairField::NoInterval,
        }
    }

    /// The sentence about the agent of this name, without a full stop.
    pub fn sentence(self, name: &str) -> String {
        match self {
            FairField::Equal => format!("{name} places exactly average"),
            FairField::Better => format!("{name} places better than average"),
            FairField::Worse => format!("{name} places worse than average"),
            FairField::Open => {
                format!("The match does not show that {name} places better or worse than average")
            }
            FairField::NoInterval => {
                "There is no interval: there is only one set, or all sets agree".to_owned()
            }
        }
    }
}
