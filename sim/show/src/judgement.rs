//! What the choices of a player were worth.

use std::borrow::Cow;

use jantaku_engine::named_enum;
use serde::{Deserialize, Serialize};

use crate::{DecisionKind, Sentence};

named_enum! {
    /// How good a choice is, by its cost and the mistake threshold: by default 2,000 points.
    Grade {
        /// The choice of the agent, or one that it values no less.
        Best = "best",
        /// It costs at most a quarter of the threshold.
        Fine = "fine",
        /// It costs at most the threshold.
        Inaccuracy = "inaccuracy",
        /// It costs more than the threshold.
        Mistake = "mistake",
        /// It costs more than the threshold, but another agent finds the choice good, or a search no mistake.
        Disputed = "disputed",
        /// The agent cannot say.
        Undecided = "undecided",
    }
}

impl Grade {
    /// The part of the mistake threshold from which a choice is no longer fine.
    const INACCURATE: f32 = 0.25;

    /// The grade of a choice that costs this many points. A mistake costs more than `threshold`.
    pub fn of(cost: Option<f32>, threshold: f32) -> Grade {
        match cost {
            None => Grade::Undecided,
            Some(..=0.0) => Grade::Best,
            Some(cost) if cost <= Grade::INACCURATE * threshold => Grade::Fine,
            Some(cost) if cost <= threshold => Grade::Inaccuracy,
            Some(_) => Grade::Mistake,
        }
    }

    /// Whether the choice costs at most a quarter of the mistake threshold.
    pub const fn is_good(self) -> bool {
        matches!(self, Grade::Best | Grade::Fine)
    }
}

/// What the choice of a player was worth, by the estimates of an agent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Judgement {
    /// The kind of the decision.
    pub kind: DecisionKind,
    /// The points that the choice loses. None if the agent does not know them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f32>,
    /// The standard error of the cost. None if the agent does not know that of its values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_error: Option<f32>,
    /// The points of this choice that earlier decisions of the hand have cost already. Only refusals of riichi
    /// have them: a player who stays damaten makes that choice again at each draw, and it costs once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_before: Option<f32>,
    /// The grade of the choice.
    pub grade: Grade,
    /// The answers of other agents. They are asked about mistakes alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherAnswer>,
    /// The answer of a search. It is asked about mistakes alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchAnswer>,
}

impl Judgement {
    /// A judgement without answers of other agents.
    pub const fn new(
        kind: DecisionKind,
        cost: Option<f32>,
        cost_error: Option<f32>,
        grade: Grade,
    ) -> Judgement {
        Judgement { kind, cost, cost_error, cost_before: None, grade, others: Vec::new(), search: None }
    }

    /// Counts these points as the cost of earlier decisions, and grades what is left, at best as fine. A mistake
    /// costs more than `threshold`.
    pub fn count_before(&mut self, points: f32, threshold: f32) {
        let before = points.min(self.cost.unwrap_or_default());
        if before > 0.0 {
            self.cost_before = Some(before);
            self.cost = self.cost.map(|cost| cost - before);
            let grade = Grade::of(self.cost, threshold);
            self.grade = if grade == Grade::Best { Grade::Fine } else { grade };
        }
    }

    /// Adds the answers of other agents and of a search. A mistake becomes disputed if an agent finds the
    /// choice good, or the search finds no mistake.
    pub fn compare(&mut self, others: Vec<OtherAnswer>, search: Option<SearchAnswer>) {
        let by_search = search.as_ref().is_some_and(|search| search.answer.grade != Grade::Mistake);
        if self.grade == Grade::Mistake && (by_search || others.iter().any(|other| other.grade.is_good())) {
            self.grade = Grade::Disputed;
        }
        (self.others, self.search) = (others, search);
    }
}

/// What another agent thinks of a choice.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OtherAnswer {
    /// The agent.
    pub agent: String,
    /// Its own choice.
    pub action: String,
    /// The points that the choice of the player loses, by its estimates. None if it does not know
    /// them.
    pub cost: Option<f32>,
    /// Its grade of the choice of the player.
    pub grade: Grade,
}

/// What a search thinks of a choice, after it played that and a better one in the same worlds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SearchAnswer {
    /// The answer.
    #[serde(flatten)]
    pub answer: OtherAnswer,
    /// The standard error of the cost.
    pub cost_error: Option<f32>,
    /// Why the other choice is better.
    pub reason: Option<Sentence>,
}

/// The sum of some decisions of a player.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct KindSum {
    /// The name of the kind, or `all`.
    pub kind: Cow<'static, str>,
    /// The number of decisions.
    pub compared: usize,
    /// Decisions in which no action was found to be better. Undecided ones do not count.
    pub agreed: usize,
    /// Decisions that cost something, but at most a quarter of the mistake threshold.
    pub fine: usize,
    /// Decisions that cost more than a quarter of the mistake threshold, but are no mistakes.
    pub inaccuracies: usize,
    /// Decisions that are mistakes.
    pub mistakes: usize,
    /// Decisions that would be mistakes, but that another agent finds good.
    pub disputed: usize,
    /// Decisions of which it is not known whether they are mistakes.
    pub undecided: usize,
    /// Undecided decisions whose loss is not known.
    pub unknown: usize,
    /// The share of agreed ones among the decisions, from 0 to 1; None without decisions.
    pub agreement: Option<f32>,
    /// Points lost; None if no loss was measured.
    pub lost: Option<f32>,
    /// The lower end of the 95 % interval of the points lost; None if no loss has an error.
    pub lost_low: Option<f32>,
    /// Its upper end.
    pub lost_high: Option<f32>,
    /// Points lost in each decision with a known loss, on average: one number for a game.
    pub lost_each: Option<f32>,
}

/// The half width of a 95 % interval, in standard errors.
pub const HALF_WIDTH_95: f32 = 1.96;

impl KindSum {
    /// The points lost and the ends of their interval. None if no loss has an error.
    pub fn loss(&self) -> Option<[f32; 3]> {
        Some([self.lost?, self.lost_low?, self.lost_high?])
    }

    /// The sum of these decisions.
    pub fn of<'a>(
        kind: impl Into<Cow<'static, str>>,
        judgements: impl Iterator<Item = &'a Judgement>,
    ) -> KindSum {
        let all: Vec<&Judgement> = judgements.collect();
        let count = |grade: Grade| all.iter().filter(|one| one.grade == grade).count();
        let known: Vec<f32> = all.iter().filter_map(|one| one.cost).collect();
        let errors: Vec<f32> = all.iter().filter_map(|one| one.cost_error).collect();
        let lost = (!known.is_empty()).then(|| known.iter().sum::<f32>());
        let variance = errors.iter().map(|error| error * error).sum::<f32>();
        let half = (!errors.is_empty()).then(|| HALF_WIDTH_95 * variance.sqrt());
        let agreed = count(Grade::Best);
        KindSum {
            kind: kind.into(),
            compared: all.len(),
            agreed,
            fine: count(Grade::Fine),
            inaccuracies: count(Grade::Inaccuracy),
            mistakes: count(Grade::Mistake),
            disputed: count(Grade::Disputed),
            undecided: count(Grade::Undecided),
            unknown: all.len() - known.len(),
            agreement: (!all.is_empty()).then(|| agreed as f32 / all.len() as f32),
            lost,
            lost_low: lost.zip(half).map(|(lost, half)| lost - half),
            lost_high: lost.zip(half).map(|(lost, half)| lost + half),
            lost_each: lost.map(|lost| lost / known.len() as f32),
        }
    }

    /// This sum without its losses, for decisions whose losses were not measured.
    #[must_use]
    pub fn without_loss(self) -> KindSum {
        KindSum { lost: None, lost_low: None, lost_high: None, lost_each: None, ..self }
    }

    /// The sums of the kinds that occurred.
    pub fn by_kind(judgements: &[&Judgement]) -> Vec<KindSum> {
        let of = |kind: DecisionKind| {
            let those = judgements.iter().copied().filter(move |one| one.kind == kind);
            KindSum::of(kind.name(), those)
        };
        DecisionKind::ALL.into_iter().map(of).filter(|sum| sum.compared > 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(cost: Option<f32>, kind: DecisionKind) -> Judgement {
        Judgement::new(kind, cost, None, Grade::of(cost, 2000.0))
    }

    #[test]
    fn grades_follow_from_the_cost() {
        use Grade::{Best, Fine, Inaccuracy, Mistake, Undecided};
        let costs = [(-3.0, Best), (0.0, Best), (0.1, Fine), (500.0, Fine), (501.0, Inaccuracy)];
        for (cost, grade) in costs.into_iter().chain([(2000.0, Inaccuracy), (2000.1, Mistake)]) {
            assert_eq!(Grade::of(Some(cost), 2000.0), grade, "{cost}");
        }
        assert_eq!(Grade::of(None, 2000.0), Undecided);
    }

    /// Each decision has one grade, and each belongs to one kind.
    #[test]
    fn sums_cover_all_decisions() {
        let kinds = [DecisionKind::Discard, DecisionKind::Call, DecisionKind::Kan];
        let costs = [None, Some(0.0), Some(300.0), Some(900.0), Some(5000.0), None, Some(2001.0)];
        let all: Vec<Judgement> =
            costs.into_iter().zip(kinds.into_iter().cycle()).map(|(cost, kind)| judged(cost, kind)).collect();
        let all: Vec<&Judgement> = all.iter().collect();
        let sum = KindSum::of("all", all.iter().copied());
        let KindSum { agreed, fine, inaccuracies, mistakes, disputed, undecided, .. } = sum;
        assert_eq!([agreed, fine, inaccuracies, mistakes, disputed, undecided], [1, 1, 1, 2, 0, 2]);
        assert_eq!((sum.compared, sum.unknown, sum.lost, sum.lost_low), (7, 2, Some(8201.0), None));
        assert_eq!((sum.agreement, sum.lost_each), (Some(1.0 / 7.0), Some(8201.0 / 5.0)));
        let kinds = KindSum::by_kind(&all);
        assert_eq!(kinds.iter().map(|kind| kind.compared).sum::<usize>(), 7);
        let lost: f32 = kinds.iter().filter_map(|kind| kind.lost).sum();
        assert!((lost - 8201.0).abs() < 0.1);
        assert_eq!(KindSum::of("all", [].into_iter()).lost_each, None);
    }

    /// However often riichi is refused, the hand costs as much as the most expensive refusal.
    #[test]
    fn earlier_costs_are_not_counted_again() {
        use Grade::{Fine, Inaccuracy, Mistake};
        let (mut before, mut counted) = (0.0_f32, Vec::new());
        for cost in [1500.0, 900.0, 4000.0, 4000.0] {
            let mut judgement = judged(Some(cost), DecisionKind::Riichi);
            judgement.count_before(before, 2000.0);
            before = before.max(cost);
            counted.push((judgement.cost, judgement.cost_before, judgement.grade));
        }
        let expected = [
            (Some(1500.0), None, Inaccuracy),
            (Some(0.0), Some(900.0), Fine),
            (Some(2500.0), Some(1500.0), Mistake),
            (Some(0.0), Some(4000.0), Fine),
        ];
        assert_eq!(counted, expected);
    }

    #[test]
    fn another_agent_can_dispute_a_mistake() {
        let other = |cost| OtherAnswer {
            agent: "greedy".to_owned(),
            action: "pass".to_owned(),
            cost,
            grade: Grade::of(cost, 2000.0),
        };
        let search = |cost| SearchAnswer { answer: other(Some(cost)), cost_error: Some(300.0), reason: None };
        for (own, others, searched, expected) in [
            (5000.0, vec![Some(1500.0), Some(400.0)], None, Grade::Disputed),
            (5000.0, vec![Some(1500.0), None], None, Grade::Mistake),
            (5000.0, vec![Some(1500.0)], Some(1500.0), Grade::Disputed),
            (5000.0, vec![Some(1500.0)], Some(2500.0), Grade::Mistake),
            (1000.0, vec![Some(0.0)], None, Grade::Inaccuracy),
        ] {
            let mut judgement = judged(Some(own), DecisionKind::Call);
            judgement.compare(others.into_iter().map(other).collect(), searched.map(search));
            assert_eq!(judgement.grade, expected);
        }
    }
}
