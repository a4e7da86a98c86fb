//! Games as the orders of their agents.

use std::collections::BTreeMap;

use jantaku_sim::play::SharedCount;

/// The maximum number of players of a game.
const MAX_PLAYERS: usize = 4;

/// The parts in which a game is counted, so that ties divide it evenly: among 1, 2, 4, 6 or 24 orders.
const PARTS: i64 = 24;

/// The agents of a game by their indexes, from first place to last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Order {
    agents: [u16; MAX_PLAYERS],
    players: u8,
}

impl Order {
    /// None for more than four agents, or an index above 65,535.
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
/// games are added. A game whose players share places counts as all orders of the tied players, in equal
/// parts: of two tied players, each finished ahead in half a game.
///
/// ```
/// use jantaku_measure::arena::RankedGames;
///
/// let mut games = RankedGames::new(3);
/// games.add(0, &[2, 0, 1]); // On the walls of set 0, agent 2 finished first.
/// games.add(0, &[0, 2]); // Games need not have the same number of players.
/// games.add(1, &[0, 1, 2]);
/// assert_eq!((games.games(), games.sets()), (3, 2));
/// assert_eq!([games.ahead(0, 2), games.ahead(2, 0)].map(|count| count.0), [2.0, 1.0]);
/// assert_eq!(games.placements(0).map(|count| count.0), [2.0, 1.0, 0.0, 0.0]);
/// games.add_shared(1, &[vec![0, 2], vec![1]]); // The agents 0 and 2 share the first two places.
/// assert_eq!([games.ahead(0, 2), games.ahead(2, 0)].map(|count| count.0), [2.5, 1.5]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedGames {
    /// How many games have this set and order. [`PARTS`] are one game, in all counts of this struct.
    orders: BTreeMap<(u64, Order), i64>,
    /// By two agents: games in which the first finished ahead of the second.
    ahead: Vec<Vec<i64>>,
    /// By agent: games in each place.
    placements: Vec<[i64; MAX_PLAYERS]>,
}

impl RankedGames {
    /// No games yet of this many agents.
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
        self.add_shared(set, &by_placement.iter().map(|agent| vec![*agent]).collect::<Vec<_>>());
    }

    /// Adds a game as [`RankedGames::add`] does. Agents that share places are in one list.
    ///
    /// # Panics
    ///
    /// As [`RankedGames::add`].
    pub fn add_shared(&mut self, set: u64, by_placement: &[Vec<usize>]) {
        let agents = by_placement.concat();
        assert!((2..=MAX_PLAYERS).contains(&agents.len()), "{} players", agents.len());
        for (at, agent) in agents.iter().enumerate() {
            assert!(!agents[..at].contains(agent), "agent {agent} plays against itself");
        }
        let orders = orders(by_placement);
        let parts = PARTS / orders.len() as i64;
        for agents in orders {
            let order = Order::new(agents.iter().copied()).expect("two to four agents");
            order.pairs().for_each(|(ahead, behind)| self.ahead[ahead][behind] += parts);
            for (place, agent) in agents.into_iter().enumerate() {
                self.placements[agent][place] += parts;
            }
            *self.orders.entry((set, order)).or_default() += parts;
        }
    }

    /// The number of agents.
    pub const fn agents(&self) -> usize {
        self.ahead.len()
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        whole_games(self.orders.values())
    }

    /// The number of sets with a game.
    pub fn sets(&self) -> u64 {
        let mut sets: Vec<u64> = self.orders.keys().map(|(set, _)| *set).collect();
        sets.dedup();
        sets.len() as u64
    }

    /// In how many games the first agent finished ahead of the second.
    pub fn ahead(&self, agent: usize, other: usize) -> SharedCount {
        SharedCount::of(self.ahead[agent][other], PARTS)
    }

    /// In how many games the agent finished first, second, third and fourth.
    pub fn placements(&self, agent: usize) -> [SharedCount; MAX_PLAYERS] {
        self.placements[agent].map(|count| SharedCount::of(count, PARTS))
    }

    /// How many games the agent played.
    pub fn games_of(&self, agent: usize) -> u64 {
        whole_games(&self.placements[agent])
    }

    /// How many games had both agents.
    pub fn games_of_both(&self, agent: usize, other: usize) -> u64 {
        whole_games([&self.ahead[agent][other], &self.ahead[other][agent]])
    }

    /// The mean of the agent's placements; 1 is first place. None without games.
    pub fn mean_placement(&self, agent: usize) -> Option<f64> {
        let games: i64 = self.placements[agent].iter().sum();
        let sum: i64 = (1..).zip(self.placements[agent]).map(|(place, games)| place * games).sum();
        (games > 0).then(|| sum as f64 / games as f64)
    }

    /// By two agents, the smaller index first: in how many sets both played in one game.
    pub(super) fn sets_with_both(&self) -> Vec<Vec<u64>> {
        let none = (0, None);
        let mut found = vec![vec![none; self.agents()]; self.agents()];
        for (set, order) in self.orders.keys() {
            for (agent, other) in order.pairs() {
                let (sets, last) = &mut found[agent.min(other)][agent.max(other)];
                // The orders of a set follow each other.
                *sets += u64::from(last.replace(set) != Some(set));
            }
        }
        found.into_iter().map(|row| row.into_iter().map(|(sets, _)| sets).collect()).collect()
    }

    /// The set of each order, the order, and its number of games in [`PARTS`], by set.
    pub(super) fn orders(&self) -> impl Iterator<Item = (u64, Order, i64)> {
        self.orders.iter().map(|((set, order), parts)| (*set, *order, *parts))
    }
}

/// Every order of agents in which those of an earlier list are ahead of those of a later one.
fn orders(by_placement: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for tied in by_placement {
        for _ in tied {
            let longer = |order: &Vec<usize>| {
                let left = tied.iter().filter(|agent| !order.contains(agent));
                left.map(|agent| [&order[..], &[*agent]].concat()).collect::<Vec<_>>()
            };
            orders = orders.iter().flat_map(longer).collect();
        }
    }
    orders
}

/// The number of games of these parts.
fn whole_games<'a>(parts: impl IntoIterator<Item = &'a i64>) -> u64 {
    (parts.into_iter().sum::<i64>() / PARTS) as u64
}

/// Orders with their numbers of games.
pub(super) fn weighted(parts: BTreeMap<Order, i64>) -> Vec<(Order, f64)> {
    parts.into_iter().map(|(order, parts)| (order, SharedCount::of(parts, PARTS).0)).collect()
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
        let sets = games.sets_with_both();
        assert_eq!([(0, 1), (0, 4), (1, 4), (0, 2)].map(|(a, b)| sets[a][b]), [2, 2, 1, 2]);
        assert_eq!((games.sets(), games.games(), games.games_of(4)), (3, 5, 3));
        assert_eq!(games.mean_placement(4), Some(2.0));
    }

    /// A game with ties is its orders in equal parts: the places of all agents add up, and so do both sides of a
    /// pair.
    #[test]
    fn shared_places_add_up_to_games() {
        let shapes: [&[Vec<usize>]; 5] = [
            &[vec![0, 1, 2, 3]],
            &[vec![3], vec![0, 1, 2]],
            &[vec![1, 2], vec![0, 3]],
            &[vec![2], vec![3, 1], vec![0]],
            &[vec![0], vec![1], vec![2], vec![3]],
        ];
        let mut games = RankedGames::new(4);
        for (set, shape) in (0..).zip(shapes) {
            games.add_shared(set, shape);
            let count = (set + 1) as f64;
            for place in 0..4 {
                let sum: f64 = (0..4).map(|agent| games.placements(agent)[place].0).sum();
                assert!((sum - count).abs() < 1e-12, "{shape:?}: {sum} in place {place}");
            }
            for (agent, other) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
                let sum = games.ahead(agent, other).0 + games.ahead(other, agent).0;
                assert!((sum - count).abs() < 1e-12, "{shape:?}: {sum}");
                assert_eq!(games.games_of_both(agent, other), set + 1);
            }
        }
        let counts = |agent: usize| games.placements(agent).map(|count| (12.0 * count.0).round() as u32);
        assert_eq!(counts(3), [3 + 12, 3 + 6, 3 + 6 + 6, 3 + 6 + 12]);
        assert_eq!((games.games(), games.sets(), games.games_of(2)), (5, 5, 5));
    }

    #[test]
    #[should_panic(expected = "agent 1 plays against itself")]
    fn an_agent_has_one_place() {
        RankedGames::new(2).add(0, &[1, 0, 1]);
    }
}
