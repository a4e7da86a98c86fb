//! Who sits where in the games of a set.

use jantaku_engine::{Players, Seat, named_enum};

/// The agent of each seat, by its index in the list of agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seating([u8; 4]);

impl Seating {
    /// The index of the agent in a seat.
    #[inline]
    pub const fn agent(self, seat: Seat) -> usize {
        self.0[seat.index()] as usize
    }

    /// The value of the agent in each seat, from the value of each agent.
    pub fn arrange<T: Copy>(self, of_agents: [T; 4]) -> [T; 4] {
        self.0.map(|agent| of_agents[usize::from(agent)])
    }

    /// The value of the agent in each playing seat, in the order of the seats.
    pub fn by_seat<T>(self, of_agents: &[T], players: Players) -> impl Iterator<Item = &T> {
        players.seats().map(move |seat| &of_agents[self.agent(seat)])
    }
}

named_enum! {
    /// The seatings of a set: its games are on the same walls and differ in who sits where.
    ///
    /// In every set each agent sits equally often in each seat, except for [`Seatings::Fixed`].
    #[derive(Default)]
    Seatings {
        /// One game: an agent for each seat, in the order of the list.
        #[default]
        Fixed = "fixed",
        /// Two agents: the first in each seat in turn, the second in all other seats.
        OneVersusRest = "1-v-rest",
        /// Two agents at tables of four: all six ways to give the first agent two seats.
        TwoVersusTwo = "2-v-2",
        /// An agent for each seat: all move on by one seat from game to game.
        Rotations = "rotations",
        /// An agent for each seat: all orders around the table.
        AllOrders = "all-orders",
    }
}

impl Seatings {
    /// The kinds of sets with several games.
    pub const OF_SETS: [Seatings; 4] =
        [Seatings::OneVersusRest, Seatings::TwoVersusTwo, Seatings::AllOrders, Seatings::Rotations];

    /// Whether each game has its own walls.
    pub const fn is_fixed(self) -> bool {
        matches!(self, Seatings::Fixed)
    }

    /// Whether two agents play against each other.
    pub const fn is_pair(self) -> bool {
        matches!(self, Seatings::OneVersusRest | Seatings::TwoVersusTwo)
    }

    /// The number of agents.
    pub const fn agents(self, players: Players) -> usize {
        match self {
            Seatings::OneVersusRest | Seatings::TwoVersusTwo => 2,
            Seatings::Fixed | Seatings::Rotations | Seatings::AllOrders => players.count() as usize,
        }
    }

    /// The number of games in a set.
    pub const fn games_per_set(self, players: Players) -> u64 {
        match self {
            Seatings::Fixed => 1,
            Seatings::OneVersusRest | Seatings::Rotations => players.count() as u64,
            Seatings::TwoVersusTwo => TWO_OF_FOUR.len() as u64,
            Seatings::AllOrders => factorial(players.count() as usize) as u64,
        }
    }

    /// The seating of one game of a set, by its number from 0.
    pub(crate) fn seating(self, number: usize, players: Players) -> Seating {
        let seats = usize::from(players.count());
        let by_seat = |agent: &dyn Fn(usize) -> usize| Seating(std::array::from_fn(|seat| agent(seat) as u8));
        match self {
            Seatings::Fixed => by_seat(&|seat| seat),
            Seatings::OneVersusRest => by_seat(&|seat| usize::from(seat != number)),
            Seatings::TwoVersusTwo => by_seat(&|seat| usize::from(!TWO_OF_FOUR[number].contains(&seat))),
            Seatings::Rotations => by_seat(&|seat| (seat + seats - number) % seats),
            Seatings::AllOrders => {
                let order = order(number, seats);
                by_seat(&|seat| order.get(seat).copied().unwrap_or(seat))
            }
        }
    }
}

/// The seats of the first agent in each game of two against two.
const TWO_OF_FOUR: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

const fn factorial(number: usize) -> usize {
    if number <= 1 { 1 } else { number * factorial(number - 1) }
}

/// The permutation of the numbers below `count` with this number in sorted order.
fn order(number: usize, count: usize) -> Vec<usize> {
    let mut rest: Vec<usize> = (0..count).collect();
    let mut number = number;
    let pick = |left: usize| {
        let choices = factorial(left - 1);
        let at = number / choices;
        number %= choices;
        rest.remove(at)
    };
    (1..=count).rev().map(pick).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The agents by seat in every game of a set.
    fn set(seatings: Seatings, players: Players) -> Vec<Vec<usize>> {
        let agents = |number| {
            let seating = seatings.seating(number as usize, players);
            players.seats().map(|seat| seating.agent(seat)).collect()
        };
        (0..seatings.games_per_set(players)).map(agents).collect()
    }

    #[test]
    fn each_agent_sits_equally_often_in_each_seat() {
        for players in [Players::Two, Players::Three, Players::Four] {
            for seatings in Seatings::ALL.into_iter().filter(|seatings| !seatings.is_fixed()) {
                if seatings == Seatings::TwoVersusTwo && players != Players::Four {
                    continue;
                }
                let games = set(seatings, players);
                let different: HashSet<&Vec<usize>> = games.iter().collect();
                assert_eq!(different.len(), games.len(), "{seatings:?}");
                for agent in 0..seatings.agents(players) {
                    let times: HashSet<usize> = (0..usize::from(players.count()))
                        .map(|seat| games.iter().filter(|game| game[seat] == agent).count())
                        .collect();
                    assert_eq!(times.len(), 1, "{seatings:?}, {players:?}, agent {agent}: {times:?}");
                    assert!(!times.contains(&0));
                }
            }
        }
    }

    #[test]
    fn seatings_of_small_sets() {
        let two = Players::Two;
        assert_eq!(set(Seatings::OneVersusRest, Players::Three), [[0, 1, 1], [1, 0, 1], [1, 1, 0]]);
        assert_eq!(set(Seatings::Rotations, Players::Three), [[0, 1, 2], [2, 0, 1], [1, 2, 0]]);
        assert_eq!(set(Seatings::AllOrders, two), [[0, 1], [1, 0]]);
        assert_eq!(set(Seatings::Fixed, two), [[0, 1]]);
        assert_eq!(set(Seatings::AllOrders, Players::Four).len(), 24);
        assert_eq!(set(Seatings::TwoVersusTwo, Players::Four)[1], [0, 1, 0, 1]);
    }
}
