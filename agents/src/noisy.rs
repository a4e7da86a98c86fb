//! The agent `noisy`.

use jantaku_engine::{Action, Observation, Rng};

use crate::entry::{Built, Entry};
use crate::option::{AgentOption, OptionDefault, OptionKind};
use crate::{NamedPolicy, Policy, Random, Reply};

pub(crate) const ENTRY: Entry = Entry {
    name: "noisy",
    about: "another agent that makes some random moves: shows what a match can resolve",
    options: &[
        AgentOption::new(
            "base",
            OptionKind::Text,
            "greedy",
            "agent that makes the other moves; quote it if it has several options",
        ),
        AgentOption {
            name: "p",
            kind: OptionKind::Number(0.0..=1.0),
            default: OptionDefault::Required,
            about: "share of decisions that are replaced by a random legal action",
        },
        AgentOption::new(
            "wins",
            OptionKind::Choice(&["lose", "keep"]),
            "lose",
            "whether random moves also replace a ron or tsumo of the base",
        ),
        AgentOption::new(
            "salt",
            OptionKind::Integer(0..=i64::MAX),
            "0",
            "gives agents with the same options different random moves",
        ),
    ],
    build: |options, agent| {
        let base = agent(options.text("base"))?;
        let noisy = Noisy {
            base: base.to_policy()?,
            p: options.value("p"),
            keeps_wins: options.text("wins") == "keep",
            salt: options.value("salt"),
        };
        Ok(Built::policy(noisy).with_parts([base]))
    },
};

/// Replaces a share of another agent's decisions with uniformly random legal actions.
#[derive(Clone, Debug)]
pub struct Noisy {
    /// The agent that makes the other moves.
    pub base: NamedPolicy,
    /// The share of decisions that are replaced, from 0 to 1. The random action may be the one that
    /// the base chose.
    pub p: f64,
    /// Whether a ron or tsumo that the base chose is never replaced.
    pub keeps_wins: bool,
    /// See [`Policy::salt`]. The base gets the random numbers of this salt, too.
    pub salt: u64,
}

impl Noisy {
    /// Whether to replace this decision of the base. The base has already drawn its random numbers,
    /// so with `p` 0 it plays as without noise.
    fn replaces(&self, action: Action, rng: &mut Rng) -> bool {
        let is_kept = self.keeps_wins && matches!(action, Action::Ron | Action::Tsumo);
        rng.uniform() < self.p && !is_kept
    }
}

impl Policy for Noisy {
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        let action = self.base.choose(o, rng);
        if self.replaces(action, rng) { Random.choose(o, rng) } else { action }
    }

    /// A replaced decision has no search info. Other decisions keep that of the base, except the
    /// probability of the action, which the noise changes.
    fn reply(&self, o: &Observation<'_>, rng: &mut Rng) -> Reply {
        let mut reply = self.base.reply(o, rng);
        if self.replaces(reply.action, rng) {
            return Random.choose(o, rng).into();
        }
        if let Some(search_info) = &mut reply.search_info {
            search_info.probability = None;
        }
        reply
    }

    fn salt(&self) -> u64 {
        self.salt
    }
}

#[cfg(test)]
mod tests {
    use jantaku_engine::{Game, Rules};

    use super::*;
    use crate::{Catalog, Greedy};

    fn noisy(text: &str) -> NamedPolicy {
        let agent = Catalog::standard().agent(text).unwrap_or_else(|error| panic!("{error}"));
        agent.policy().expect("a policy")
    }

    /// Counts decisions in games of `greedy`, and those in which the agent decides differently.
    /// Over all decisions, and over those in which `greedy` wins.
    fn changed(agent: &impl Policy) -> [(usize, usize); 2] {
        let greedy = Greedy { calls: true };
        let mut counts = [(0, 0); 2];
        for seed in 0..40 {
            let mut game = Game::new(&Rules::default(), seed);
            while !game.is_over() {
                let (seat, _) = game.decisions().next().expect("a seat must decide");
                let o = game.observe(seat);
                let base = greedy.choose(&o, &mut game.random_stream(seat, 0));
                let action = agent.choose(&o, &mut game.random_stream(seat, agent.salt()));
                assert_eq!(agent.reply(&o, &mut game.random_stream(seat, agent.salt())).action, action);
                let is_win = usize::from(matches!(base, Action::Ron | Action::Tsumo));
                for (decisions, others) in &mut counts[..=is_win] {
                    *decisions += 1;
                    *others += usize::from(action != base);
                }
                game.submit(seat, base).expect("legal");
            }
        }
        counts
    }

    #[test]
    fn the_share_of_other_decisions_follows_p() {
        assert_eq!(changed(&noisy("noisy:p=0"))[0].1, 0);
        let all = changed(&noisy("noisy:p=1"));
        for p in [0.05, 0.3] {
            let [(decisions, others), _] = changed(&noisy(&format!("noisy:p={p},salt=3")));
            let expected = p * all[0].1 as f64;
            assert_eq!(decisions, all[0].0);
            let deviation = (others as f64 - expected).abs() / expected.sqrt();
            assert!(deviation < 4.0, "{others} of {decisions} decisions, expected {expected}");
        }
    }

    #[test]
    fn kept_wins_are_never_replaced() {
        let [_, (wins, lost)] = changed(&noisy("noisy:p=1"));
        assert!(lost > wins / 3, "{lost} of {wins}");
        assert_eq!(changed(&noisy("noisy:p=1,wins=keep"))[1], (wins, 0));
    }

    #[test]
    fn salts_make_different_moves() {
        let moves = |agent: &NamedPolicy| {
            let mut game = Game::new(&Rules::default(), 1);
            let mut moves = Vec::new();
            while !game.is_over() {
                let (seat, _) = game.decisions().next().expect("a seat must decide");
                let action = agent.choose(&game.observe(seat), &mut game.random_stream(seat, agent.salt()));
                moves.push(action);
                game.submit(seat, action).expect("legal");
            }
            moves
        };
        let [one, two] = ["noisy:p=0.2,salt=1", "noisy:p=0.2,salt=2"].map(noisy);
        assert_eq!(moves(&one), moves(&one));
        assert_ne!(moves(&one), moves(&two));
    }

    #[test]
    fn the_base_may_have_options() {
        let text = "noisy:base=greedy:calls=off,p=0.5,wins=keep";
        assert_eq!(noisy(text).name(), text);
        let nested = r#"noisy:base="noisy:p=0.1,salt=2",p=0.5"#;
        assert_eq!(noisy(nested).name(), nested);
        let error = Catalog::standard().agent("noisy:base=gredy,p=0.1").unwrap_err().to_string();
        assert!(error.contains("unknown agent `gredy`, did you mean `greedy`?"), "{error}");
    }
}
