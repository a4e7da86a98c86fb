//! Names of hands in a game: `9`, `E3`, `S4-1`.

use std::fmt;
use std::str::FromStr;

use jantaku_engine::{Rules, Wind};

use crate::text::hand_number;

/// A hand of a game.
///
/// ```
/// use jantaku_show::HandChoice;
///
/// assert_eq!("9".parse::<HandChoice>()?, HandChoice::Number(9));
/// assert_eq!("s4-1".parse::<HandChoice>()?.to_string(), "S4-1");
/// assert!("E".parse::<HandChoice>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandChoice {
    /// The hand with this number in the game, from 0.
    Number(usize),
    /// The first hand with this name.
    Named {
        /// The wind of the round.
        wind: Wind,
        /// The number of the hand in the round, from 1.
        number: u16,
        /// The honba. None for any.
        honba: Option<u16>,
    },
}

impl FromStr for HandChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<HandChoice, String> {
        let found = text.parse().ok().map(HandChoice::Number).or_else(|| named(text));
        found.ok_or_else(|| "expected a number from 0, or a hand such as E3 or E3-1 (with honba)".to_owned())
    }
}

fn named(text: &str) -> Option<HandChoice> {
    let (hand, honba) = match text.split_once('-') {
        Some((hand, honba)) => (hand, Some(honba.parse().ok()?)),
        None => (text, None),
    };
    let letter = hand.chars().next()?.to_ascii_uppercase();
    let wind = Wind::ALL.into_iter().find(|wind| wind.letter() == letter)?;
    let number = hand[1..].parse().ok().filter(|number| (1..=4).contains(number))?;
    Some(HandChoice::Named { wind, number, honba })
}

impl fmt::Display for HandChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HandChoice::Number(number) => write!(f, "{number}"),
            HandChoice::Named { wind, number, honba } => {
                write!(f, "{}{number}", wind.letter())?;
                honba.map_or(Ok(()), |honba| write!(f, "-{honba}"))
            }
        }
    }
}

/// Counts the hands of a game and finds the chosen one: all without a choice.
#[derive(Clone, Copy, Debug)]
pub struct HandFilter {
    choice: Option<HandChoice>,
    /// Hands dealt so far.
    hands: usize,
    /// Hands of the log so far that could not be dealt.
    undealt: usize,
    /// The index of the chosen hand among those dealt. None until it is dealt.
    found: Option<usize>,
}

impl HandFilter {
    /// A filter before the first hand.
    pub const fn new(choice: Option<HandChoice>) -> HandFilter {
        HandFilter { choice, hands: 0, undealt: 0, found: None }
    }

    /// The next hand is dealt.
    pub fn deal(&mut self, round: u16, honba: u16, rules: &Rules) {
        let is_chosen = self.choice.is_some_and(|choice| match choice {
            HandChoice::Number(number) => number == self.hands + self.undealt,
            HandChoice::Named { wind, number, honba: wanted } => {
                hand_number(round, rules.players.count()) == (wind, number)
                    && wanted.is_none_or(|wanted| wanted == honba)
            }
        });
        if is_chosen && self.found.is_none() {
            self.found = Some(self.hands);
        }
        self.hands += 1;
    }

    /// The next hand of a log cannot be dealt.
    pub const fn skip(&mut self) {
        self.undealt += 1;
    }

    /// The number of hands dealt so far.
    pub const fn hands(&self) -> usize {
        self.hands
    }

    /// The index of the latest hand among those dealt. None before the first.
    pub const fn latest(&self) -> Option<usize> {
        self.hands.checked_sub(1)
    }

    /// The number of the last hand so far, from 0, with the hands that could not be dealt.
    pub const fn last(&self) -> usize {
        (self.hands + self.undealt).saturating_sub(1)
    }

    /// Whether the latest hand is chosen.
    pub fn is_chosen(&self) -> bool {
        self.choice.is_none() || self.found.is_some() && self.found == self.latest()
    }

    /// The index of the chosen hand among those dealt. None without a choice, or before this hand is
    /// dealt.
    pub const fn found(&self) -> Option<usize> {
        self.found
    }

    /// The choice, if no hand dealt so far matches it.
    pub fn missing(&self) -> Option<HandChoice> {
        self.choice.filter(|_| self.found.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the chosen hands of a game with these rounds and honba.
    fn chosen(choice: &str) -> Vec<usize> {
        let mut filter = HandFilter::new(Some(choice.parse().expect(choice)));
        let hands = [(0, 0), (0, 1), (1, 2), (2, 0), (4, 0), (4, 1)];
        let mut found = Vec::new();
        for (round, honba) in hands {
            filter.deal(round, honba, &Rules::default());
            found.extend(filter.latest().filter(|_| filter.is_chosen()));
        }
        assert_eq!(filter.missing().is_some(), found.is_empty());
        found
    }

    #[test]
    fn a_name_is_the_first_hand_that_has_it() {
        for (choice, number) in [("3", 3), ("E1", 0), ("e1-1", 1), ("E2", 2), ("E2-2", 2), ("S1", 4)] {
            assert_eq!(chosen(choice), [number], "{choice}");
        }
        for missing in ["6", "E2-0", "N1", "E4"] {
            assert_eq!(chosen(missing), [0; 0], "{missing}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "E", "E0", "E5", "X1", "E1-", "-1", "1.5", "東1", "E1-x"] {
            assert!(text.parse::<HandChoice>().is_err(), "{text}");
        }
    }
}
