//! Values of the game in stored form: seats as numbers, tiles as texts, values by seat as lists.
//!
//! Plain structs and enums derive serde's traits. Here are the types whose values must be checked when
//! they are read.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::{BySeat, Claimed, Meld, MeldKind, Players, Seat, SeatSet, Shanten, Tile, TileKind, TileSet};

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
        let number = u8::deserialize(deserializer)?;
        Seat::new(number).ok_or_else(|| D::Error::custom(format!("seat {number}: expected 0 to 3")))
    }
}

/// As a list of seats.
impl Serialize for SeatSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for SeatSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SeatSet, D::Error> {
        Ok(Vec::<Seat>::deserialize(deserializer)?.into_iter().collect())
    }
}

/// As a list of the values of the seats in play.
impl<T: Serialize> Serialize for BySeat<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T: Deserialize<'de> + Copy> Deserialize<'de> for BySeat<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BySeat<T>, D::Error> {
        let values = Vec::<T>::deserialize(deserializer)?;
        let players = u8::try_from(values.len()).ok().and_then(|count| Players::try_from(count).ok());
        let by_seat = players.and_then(|players| BySeat::from_slice(players, &values));
        by_seat.ok_or_else(|| D::Error::custom(format!("{} values by seat: expected 2 to 4", values.len())))
    }
}

/// As text, such as `5m` or `0p`.
impl Serialize for Tile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Tile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tile, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// As the text of its plain tile.
impl Serialize for TileKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TileKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TileKind, D::Error> {
        let tile = Tile::deserialize(deserializer)?;
        if tile.is_red() {
            return Err(D::Error::custom(format!("{tile} is a red five: expected a kind, such as 5m")));
        }
        Ok(tile.kind())
    }
}

/// As a list of kinds.
impl Serialize for TileSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for TileSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TileSet, D::Error> {
        Ok(Vec::<TileKind>::deserialize(deserializer)?.into_iter().collect())
    }
}

impl<'de> Deserialize<'de> for Shanten {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Shanten, D::Error> {
        let number = i8::deserialize(deserializer)?;
        let missing = u8::try_from(i16::from(number) + 1).ok().filter(|missing| *missing <= 9);
        let shanten = missing.map(Shanten::from_missing);
        shanten.ok_or_else(|| D::Error::custom(format!("shanten {number}: expected -1 to 8")))
    }
}

impl<'de> Deserialize<'de> for Meld {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Meld, D::Error> {
        #[derive(serde::Deserialize)]
        struct Parts {
            kind: MeldKind,
            low: TileKind,
            reds: u8,
            claimed: Option<Claimed>,
        }
        let Parts { kind, low, reds, claimed } = Parts::deserialize(deserializer)?;
        if kind == MeldKind::Chi && low.offset(2).is_none() {
            return Err(D::Error::custom(format!("no chi begins with {low}")));
        }
        let meld = Meld::new(kind, low, reds, claimed);
        match claimed.filter(|claimed| !meld.kinds().contains(claimed.tile.kind())) {
            Some(Claimed { tile, .. }) => {
                Err(D::Error::custom(format!("the claimed {tile} is not in {meld}")))
            }
            None => Ok(meld),
        }
    }
}

/// Reads an optional field and tells a missing key (`None`) from null (`Some(None)`). The field needs
/// `#[serde(default)]`.
pub(crate) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::{GameHistory, RecordedGame, RecordedWin};
    use crate::rules::Rules;
    use crate::{Action, Event, Outcome, Standing};

    /// A random game in which everybody wins who can, and how its hands ended.
    fn game(preset: &str, seed: u64) -> (RecordedGame, Vec<Outcome>) {
        let rules = Rules::preset(preset).expect("a preset");
        let mut history = GameHistory::new(&rules, seed, &Standing::start(&rules), None).expect("sane rules");
        let mut random = crate::Rng::new(seed);
        loop {
            let Some((seat, legal)) = history.game().decisions().next() else { break };
            let win = [Action::Ron, Action::Tsumo].into_iter().find(|win| legal.contains(win.id()));
            let at = random.next_u64() as usize % legal.iter().count();
            let action = win.unwrap_or_else(|| legal.iter().nth(at).expect("a legal action").action());
            history.submit(seat, action).expect("a legal action");
        }
        let (mut recording, mut outcomes) = (RecordedGame::new(rules), Vec::new());
        history.replay(&mut recording);
        history.replay(&mut |event: &Event| {
            if let Event::HandEnd(outcome) = event {
                outcomes.push(outcome.clone());
            }
        });
        (recording, outcomes)
    }

    #[test]
    fn games_and_outcomes_are_read_as_they_were_stored() {
        let mut wins = 0;
        for seed in 0..40 {
            let (game, outcomes) = game(["tenhou", "tenhou-sanma", "duo", "mleague"][seed % 4], seed as u64);
            wins += outcomes.iter().map(|outcome| outcome.wins().len()).sum::<usize>();
            let text = serde_json::to_string(&(&game, &outcomes)).expect("plain data");
            let again: (RecordedGame, Vec<Outcome>) = serde_json::from_str(&text).expect("as stored");
            assert_eq!(again, (game, outcomes));
        }
        assert!(wins > 0);
    }

    #[test]
    fn a_win_without_liability_differs_from_one_that_does_not_say() {
        let win = |liable| RecordedWin {
            winner: Seat::FIRST,
            from: None,
            tile: None,
            yaku: None,
            han: None,
            dora: None,
            fu: None,
            points: None,
            limit: None,
            base: None,
            liable,
            deltas: None,
        };
        for liable in [None, Some(None), Some(Some(Seat::FIRST))] {
            let text = serde_json::to_string(&win(liable)).expect("plain data");
            assert_eq!(serde_json::from_str::<RecordedWin>(&text).expect("as stored"), win(liable));
        }
    }

    #[test]
    fn values_that_do_not_exist_are_errors() {
        fn wrong<'de, T: Deserialize<'de> + std::fmt::Debug>(text: &'de str) -> String {
            serde_json::from_str::<T>(text).expect_err(text).to_string()
        }
        assert!(wrong::<Seat>("4").contains("seat 4: expected 0 to 3"));
        assert!(wrong::<BySeat<i32>>("[1]").contains("1 values by seat"));
        assert!(wrong::<BySeat<i32>>("[1, 2, 3, 4, 5]").contains("expected 2 to 4"));
        assert!(wrong::<Tile>("\"8z\"").contains("`8z` is not a tile"));
        assert!(wrong::<TileKind>("\"0m\"").contains("expected a kind"));
        assert!(wrong::<Shanten>("9").contains("expected -1 to 8"));
        assert!(wrong::<Shanten>("-2").contains("expected -1 to 8"));
        let chi = r#"{"kind":"Chi","low":"8m","reds":0,"claimed":null}"#;
        assert!(wrong::<Meld>(chi).contains("no chi begins with 8m"));
        let pon = r#"{"kind":"Pon","low":"8m","reds":0,"claimed":{"tile":"7m","from":0}}"#;
        assert!(wrong::<Meld>(pon).contains("the claimed 7m is not in"));
    }
}
