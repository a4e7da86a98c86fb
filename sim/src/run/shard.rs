//! A share of a run.
//!
//! # Why
//!
//! **Why do shards hold whole parts, numbered as in the whole run?** Then a merge moves no rows:
//! files get a second name, and manifests are concatenated. A shard differs by one line of its
//! `run.toml`, which the merged run does not have.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A share of a run: consecutive whole parts. They keep their numbers of the whole run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// From 1.
    number: u64,
    of: u64,
}

impl Shard {
    /// The last of this many shards, at least one.
    pub const fn last(of: u64) -> Shard {
        Shard { number: of, of }
    }

    /// The number of this shard, from 1.
    pub(super) const fn number(self) -> u64 {
        self.number
    }

    /// How many shards the run has.
    pub(super) const fn of(self) -> u64 {
        self.of
    }

    /// This shard's part numbers in a run of `parts` parts.
    fn parts(self, parts: u64) -> Range<u64> {
        let before = |shards: u64| {
            let parts = u128::from(parts) * u128::from(shards) / u128::from(self.of);
            u64::try_from(parts).expect("no more than all parts")
        };
        before(self.number - 1)..before(self.number)
    }

    /// This shard's game numbers in a run of `games` games. `None` if there are fewer parts than
    /// shards.
    pub fn games(self, games: u64, per_part: u64) -> Option<Range<u64>> {
        let parts = games.div_ceil(per_part);
        let own = self.parts(parts);
        (self.of <= parts).then(|| own.start * per_part..games.min(own.end.saturating_mul(per_part)))
    }
}

/// The form of the command line and of `run.toml`: `2/4`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let shard = text.split_once('/').and_then(|(number, of)| {
            let (number, of) = (number.parse().ok()?, of.parse().ok()?);
            (1..=of).contains(&number).then_some(Shard { number, of })
        });
        shard.ok_or_else(|| format!("expected a shard such as 2/4, from 1/4 to 4/4, found `{text}`"))
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Shard, String> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_hold_every_game_once() {
        for (games, per_part, of) in
            [(10, 1, 3), (10, 3, 4), (1000, 7, 5), (5, 10, 1), (i64::MAX as u64, 1, 2)]
        {
            let shards = (1..=of).map(|number| Shard { number, of });
            let ranges: Vec<Range<u64>> =
                shards.map(|shard| shard.games(games, per_part).expect("enough parts")).collect();
            assert_eq!((ranges[0].start, ranges[ranges.len() - 1].end), (0, games));
            assert!(ranges.windows(2).all(|two| two[0].end == two[1].start));
            assert!(ranges.iter().all(|range| !range.is_empty() && range.start % per_part == 0));
        }
        assert_eq!(Shard { number: 1, of: 5 }.games(40, 10), None);
    }

    #[test]
    fn shard_text_parses_back() {
        let shard: Shard = "2/4".parse().expect("a shard");
        assert_eq!((shard.number, shard.of, shard.to_string()), (2, 4, "2/4".to_owned()));
        for wrong in ["", "2", "0/4", "5/4", "2/0", "-1/2", "1/x"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
