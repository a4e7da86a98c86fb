//! Games as the orders of their agents.

use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of players of a game.
const MAX_PLAYERS: usize = 4;

/// The agents of a game by their indexes, from first place to last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Order {
    agents: [u16; MAX_PLAYERS],
    players: u8,
}

impl Order {
    /// None for more than four agents.
    pub(super) fn new(agents: impl IntoIterator<Item = usize>) -> Option<Order> {
        let mut order = Order { agents: [0; MAX_PLAYERS], players: 0 };
        for agent in agents {
            *order.agents.get_mut(usize::from(order.players))? = u16::try_from(agent).ok()?;
            order.players += 1;
        }
        Some(order)
    }

    pub(super) fn len(self) -> usize {
        usize::from(self.players)
    }

    pub(super) fn agents(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + Clone {
        self.agents[..self.len()].iter().map(|agent| usize::from(*agent))
    }

    /// Every pair of agents, the one that finished ahead first.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let behind = |place| self.agents().skip(place + 1);
        self.agents()
            .enumerate()
            .flat_map(move |(place, ahead)| behind(place).map(move |other| (ahead, other)))
    }
}

/// Games of several agents, each with its set of walls and the order of its agents.
///
/// Games of one set share their walls and are not independent. It does not matter in which order
/// games are added.
///
/// ```
/// use jantaku_measure::arena::RankedGames;
///
/// let mut games = RankedGames::new(3);
/// games.add(0, &[2, 0, 1]); // On the walls of set 0, agent 2 finished first.
/// games.add(0, &[0, 2]); // Games need not have the same number of players.
/// games.add(1, &[0, 1, 2]);
/// assert_eq!((games.games(), games.sets()), (3, 2));
/// assert_eq!((games.ahead(0, 2), games.ahead(2, 0)), (2, 1));
/// assert_eq!(games.placements(0), [2, 1, 0, 0]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedGames {
    /// How many games have this set and order.
    orders: BTreeMap<(u64, Order), u64>,
    /// By two agents: games in which the first finished ahead of the second.
    ahead: Vec<Vec<u64>>,
    /// By agent: games in each place.
    placements: Vec<[u64; MAX_PLAYERS]>,
}

impl RankedGames {
    /// No games yet of this many agents.
    #[must_use]
    pub fn new(agents: usize) -> RankedGames {
        RankedGames {
            orders: BTreeMap::new(),
            ahead: vec![vec![0; agents]; agents],
            placements: vec![[0; MAX_PLAYERS]; agents],
        }
    }

    /// Adds a game: the number of its set, and the indexes of its agents from first place to last.
    ///
    /// # Panics
    ///
    /// If the game has not two to four different agents, or an index is too large.
    pub fn add(&mut self, set: u64, by_placement: &[usize]) {
        assert!((2..=MAX_PLAYERS).contains(&by_placement.len()), "{} players", by_placement.len());
        let order = Order::new(by_placement.iter().copied()).expect("two to four agents");
        for (ahead, behind) in order.pairs() {
            assert!(ahead != behind, "agent {ahead} plays against itself");
            self.ahead[ahead][behind] += 1;
        }
        for (place, agent) in by_placement.iter().enumerate() {
            self.placements[*agent][place] += 1;
        }
        *self.orders.entry((set, order)).or_default() += 1;
    }

    /// The number of agents.
    #[must_use]
    pub const fn agents(&self) -> usize {
        self.ahead.len()
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.orders.values().sum()
    }

    /// The number of sets with a game.
    #[must_use]
    pub fn sets(&self) -> u64 {
        self.sets_with(|_| true)
    }

    /// In how many games the first agent finished ahead of the second.
    #[must_use]
    pub fn ahead(&self, agent: usize, other: usize) -> u64 {
        self.ahead[agent][other]
    }

    /// In how many games the agent finished first, second, third and fourth.
    #[must_use]
    pub fn placements(&self, agent: usize) -> [u64; MAX_PLAYERS] {
        self.placements[agent]
    }

    /// How many games the agent played.
    #[must_use]
    pub fn games_of(&self, agent: usize) -> u64 {
        self.placements[agent].iter().sum()
    }

    /// The mean of the agent's placements; 1 is first place. None without games.
    #[must_use]
    pub fn mean_placement(&self, agent: usize) -> Option<f64> {
        let games = self.games_of(agent);
        let sum: u64 = (1..).zip(self.placements[agent]).map(|(place, games)| place * games).sum();
        (games > 0).then(|| sum as f64 / games as f64)
    }

    /// In how many sets both agents played in one game.
    pub(super) fn sets_with_both(&self, agent: usize, other: usize) -> u64 {
        self.sets_with(|order| [agent, other].iter().all(|one| order.agents().any(|agent| agent == *one)))
    }

    /// The number of sets with such an order.
    fn sets_with(&self, is_wanted: impl Fn(&Order) -> bool) -> u64 {
        let wanted = self.orders.keys().filter(|(_, order)| is_wanted(order)).map(|(set, _)| set);
        wanted.collect::<BTreeSet<_>>().len() as u64
    }

    /// The orders with their sets and numbers of games, by set.
    pub(super) fn orders(&self) -> impl Iterator<Item = (u64, Order, u64)> {
        self.orders.iter().map(|((set, order), games)| (*set, *order, *games))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_with_both_agents_are_counted_once() {
        let mut games = RankedGames::new(5);
        for (set, order) in
            [(0, [0, 1, 2, 3]), (0, [3, 1, 2, 0]), (1, [0, 2, 3, 4]), (4, [4, 1, 2, 3]), (4, [4, 1, 0, 3])]
        {
            games.add(set, &order);
        }
        assert_eq!([(0, 1), (0, 4), (1, 4), (0, 2)].map(|(a, b)| games.sets_with_both(a, b)), [2, 2, 1, 2]);
        assert_eq!((games.sets(), games.games(), games.games_of(4)), (3, 5, 3));
        assert_eq!(games.mean_placement(4), Some(2.0));
    }

    #[test]
    #[should_panic(expected = "agent 1 plays against itself")]
    fn an_agent_has_one_place() {
        RankedGames::new(2).add(0, &[1, 0, 1]);
    }
}
