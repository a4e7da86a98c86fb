//! The agent `graded`: plays at one of six levels, from beginner to `residual`.
//!
//! # Why
//!
//! **Why is a level more than random moves?** A weak player is not a strong one who sometimes moves at
//! random. They misjudge every hand a little, discard what is dangerous, and call too much. So a level
//! below the highest chooses by the estimates of `heuristic`, with errors and habits. At a table of
//! one level, wins, deal-ins, riichi and calls are then about as frequent as among people. Rejected:
//! `noisy`, whose random moves cost as much, but by plays that no person makes.

use jantaku_engine::{Action, Observation, Rng};

use crate::entry::{Built, Entry};
use crate::heuristic::candidates::best_of_each;
use crate::option::{AgentOption, OptionDefault, OptionKind};
use crate::{Candidate, Heuristic, Policy};

pub(crate) const ENTRY: Entry = Entry {
    name: "graded",
    about: "a player of a chosen level: 1 is a beginner, 6 is residual",
    options: &[AgentOption {
        name: "level",
        kind: OptionKind::Integer(1..=HABITS.len() as i64 + 1),
        default: OptionDefault::Required,
        about: "strength, in steps of about 50 Elo",
    }],
    build: |options, agent| {
        let Some(habits) = HABITS.get(options.value::<usize>("level") - 1) else {
            return Ok(agent("residual")?.into_built());
        };
        let base = agent("heuristic")?;
        let heuristic = base.downcast::<Heuristic>().expect("the agent of this name").clone();
        Ok(Built::policy(Graded { base: heuristic, habits }).with_parts([base]))
    },
};

/// How a player of a level departs from the choices of `heuristic`.
struct Habits {
    /// The standard deviation of the errors in the estimates of actions, in points.
    error: f32,
    /// The share of the expected loss by deal-in that the player takes into account, from 0 to 1.
    caution: f32,
    /// The points by which chi and pon seem better than they are.
    calls: f32,
    /// The points by which riichi seems better than it is.
    riichi: f32,
}

/// The habits of each level, from the lowest. Above them comes `residual`.
const HABITS: &[Habits] = &[
    Habits { error: 350.0, caution: 0.0, calls: -80.0, riichi: 0.0 },
    Habits { error: 270.0, caution: 0.07, calls: 0.0, riichi: -200.0 },
    Habits { error: 220.0, caution: 0.2, calls: 30.0, riichi: -400.0 },
    Habits { error: 166.0, caution: 0.43, calls: 60.0, riichi: -500.0 },
    Habits { error: 100.0, caution: 0.7, calls: 80.0, riichi: -500.0 },
];

impl Habits {
    /// What an action seems to be worth, without the error.
    fn value(&self, candidate: &Candidate) -> f32 {
        let habit = match candidate.action {
            Action::Chi { .. } | Action::Pon { .. } => self.calls,
            action if action.declares_riichi() => self.riichi,
            _ => 0.0,
        };
        candidate.value + (1.0 - self.caution) * candidate.risk + habit
    }
}

/// Chooses the action that seems best. Decisions that `heuristic` makes by rule, such as a win, have no
/// error.
struct Graded {
    base: Heuristic,
    habits: &'static Habits,
}

impl Policy for Graded {
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        self.base.by_rule(o).unwrap_or_else(|| {
            let mut candidates = self.base.explain(o);
            candidates.iter_mut().for_each(|candidate| candidate.value = self.habits.value(candidate));
            let with_error =
                |candidate: Candidate| (candidate.value + self.habits.error * noise(rng), candidate.action);
            let estimates = best_of_each(o, candidates).into_iter().map(with_error);
            let best = estimates.max_by(|(value, _), (other, _)| value.total_cmp(other));
            best.expect("a turn without a win leaves a discard, and a claim can be passed").1
        })
    }
}

/// A number with mean 0 and standard deviation 1, between −3 and 3: a sum of three uniform numbers. Unlike a
/// normal one it needs no logarithm, which machines round differently.
fn noise(rng: &mut Rng) -> f32 {
    2.0 * (0..3).map(|_| rng.uniform_f32() - 0.5).sum::<f32>()
}
