//! How many games of a match or of a league's table make a part.
//!
//! # Why
//!
//! **How large are the parts of a match?** 1000 games. If an agent reports that it is slow, one set,
//! or as many games as are in play at once if those are more than 40. An interruption loses the games
//! in play anyway; larger parts would lose more. Agents state their speed, since only they know it: a
//! search, an external engine and a function of the caller are slow.

use jantaku_agents::{AgentSpeed, NamedAgent};

/// The number of games of a part without slow agents, rounded to sets. An interruption loses the games
/// of an unfinished part.
const MAX: u64 = 1000;

/// With at most this many games in play at once, a part of slow agents has a single set.
const FEW: u64 = 40;

/// The games of a part of a new run of these agents, in whole duplicate sets.
///
/// If one of them is slow, a part is one set, so that an interruption costs only games in play. If
/// more than 40 games are in play at once, a part has about that many, up to 1000. `tables` is the
/// number of games at once that the user chose.
pub fn games_per_part(agents: &[NamedAgent], tables: Option<usize>, games_per_set: u64) -> u64 {
    let is_slow = agents.iter().any(|agent| agent.speed() == AgentSpeed::Slow);
    let at_once = || tables.or_else(|| agents.iter().filter_map(NamedAgent::tables).min()).unwrap_or(1);
    let about = match at_once() as u64 {
        _ if !is_slow => MAX,
        0..=FEW => games_per_set,
        many => many.min(MAX),
    };
    (about / games_per_set).max(1) * games_per_set
}

#[cfg(test)]
mod tests {
    use jantaku_agents::{Agent, AgentError, Built, Catalog, Setup, StartAgent};

    use super::*;

    #[test]
    fn an_interrupted_search_loses_few_games() {
        let parts = |agents: &str| {
            games_per_part(&Catalog::standard().agents(agents, 2).expect("two agents"), None, 6)
        };
        assert_eq!(parts("heuristic,greedy"), 996);
        assert_eq!(parts("mc:rollouts=64,heuristic"), 6);
        assert_eq!(parts("noisy:base=\"mc:rollouts=64\",p=0.1,heuristic"), 6);
        assert_eq!(parts("mjai:command=bot,heuristic"), 6);
    }

    /// A function of the caller that plays this many games at once.
    struct Function(usize);

    impl StartAgent for Function {
        fn start(&self, _: &str, _: &Setup) -> Result<Box<dyn Agent>, AgentError> {
            unreachable!("nothing is played")
        }

        fn is_deterministic(&self) -> bool {
            false
        }

        fn tables(&self) -> usize {
            self.0
        }

        fn speed(&self) -> AgentSpeed {
            AgentSpeed::Slow
        }
    }

    #[test]
    fn parts_have_the_games_in_play_of_slow_agents() {
        let parts = |tables, chosen| {
            let function = NamedAgent::outside_catalog("function", Built::agent(Function(tables)));
            games_per_part(&[function.expect("a plain name")], chosen, 4)
        };
        assert_eq!([parts(1, None), parts(100, None), parts(2048, None)], [4, 100, 1000]);
        assert_eq!(parts(2048, Some(16)), 4);
    }
}
