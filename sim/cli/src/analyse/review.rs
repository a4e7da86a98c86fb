//! Reviews the decisions of a seat.

use jantaku_agents::{Arm, MonteCarlo, Policy as _, SearchResult};
use jantaku_engine::replay::Spectator;
use jantaku_engine::{Action, Declare, Event, Observation, Observer, Phase, Riichi, Rng, Seat};
use jantaku_hands::text;

/// What kind of choice a decision is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// What to discard while nobody else is in riichi.
    Discard,
    /// What to discard while somebody else is.
    AgainstRiichi,
    /// Whether to declare riichi.
    Riichi,
    /// Whether to call chi or pon.
    Call,
    /// Whether to declare a kan.
    Kan,
    /// Whether to win, abort or set a North aside.
    Other,
}

impl Kind {
    pub(super) const ALL: [Kind; 6] =
        [Kind::Discard, Kind::AgainstRiichi, Kind::Riichi, Kind::Call, Kind::Kan, Kind::Other];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Kind::Discard => "discards",
            Kind::AgainstRiichi => "discards against riichi",
            Kind::Riichi => "riichi or not",
            Kind::Call => "chi and pon",
            Kind::Kan => "kans",
            Kind::Other => "others",
        }
    }

    /// The kind of a decision between these actions.
    fn of(o: &Observation<'_>, mut actions: impl Iterator<Item = Action> + Clone) -> Kind {
        let any = |wanted: fn(&Action) -> bool| actions.clone().any(|action| wanted(&action));
        if any(|action| matches!(action, Action::Kan { .. } | Action::Daiminkan)) {
            Kind::Kan
        } else if any(|action| declares(*action) == Declare::Riichi) {
            Kind::Riichi
        } else if any(|action| matches!(action, Action::Chi { .. } | Action::Pon { .. })) {
            Kind::Call
        } else if o.phase() == Phase::Turn && actions.all(is_discard) {
            let mut others = o.rules().players.others(o.seat());
            let is_threatened = others.any(|seat| o.side(seat).riichi() != Riichi::None);
            if is_threatened { Kind::AgainstRiichi } else { Kind::Discard }
        } else {
            Kind::Other
        }
    }
}

const fn is_discard(action: Action) -> bool {
    matches!(action, Action::Discard { .. } | Action::Tsumogiri { .. })
}

const fn declares(action: Action) -> Declare {
    match action {
        Action::Discard { declare, .. } | Action::Tsumogiri { declare } => declare,
        _ => Declare::Nothing,
    }
}

/// An alternative to the action that was played.
pub(super) struct Alternative {
    pub(super) action: String,
    /// How much better the search believes it to be than the action played, in points: the difference
    /// in the rollouts, shrunk towards what the proposer thinks.
    pub(super) believed: f32,
    /// The mean difference in the rollouts, in points, and its standard error.
    pub(super) difference: f32,
    pub(super) standard_error: f32,
    /// The number of deals in which both were played.
    pub(super) deals: usize,
}

/// The action that the search would take instead.
pub(super) struct Better {
    pub(super) action: String,
    /// By how much it is believed to be better, in points.
    pub(super) points: f32,
    /// Whether the rollouts alone make it clear.
    pub(super) is_clear: bool,
}

/// An action is clearly better if the rollouts differ by more than this many standard errors.
const CLEAR: f32 = 2.0;

/// A decision of the player, with more than one action to compare.
pub(super) struct Reviewed {
    /// The name of the hand, such as `East 1`.
    pub(super) hand_name: String,
    pub(super) hand: usize,
    /// The number of the decision in the game, over all players, from 0.
    pub(super) step: usize,
    pub(super) kind: Kind,
    /// The player's tiles and melds.
    pub(super) tiles: String,
    pub(super) played: String,
    /// The expected result of the game, in points, after the action played, and its standard error.
    pub(super) value: f32,
    pub(super) standard_error: f32,
    /// The number of deals in which the action was played.
    pub(super) deals: usize,
    /// The other actions, best first.
    pub(super) alternatives: Vec<Alternative>,
    pub(super) better: Option<Better>,
}

/// The review of a game.
pub(super) struct Review {
    /// Decisions with more than one action to compare.
    pub(super) decisions: Vec<Reviewed>,
    /// The number of decisions with a single legal action, or a single one worth comparing.
    pub(super) clear: usize,
    /// The number of hands of the game.
    pub(super) hands: usize,
}

/// Follows a game and reviews the decisions of a seat.
pub(super) struct Reviewer<'a> {
    search: &'a MonteCarlo,
    seat: Seat,
    /// The only hand to review.
    only: Option<usize>,
    seed: u64,
    /// The number of decisions so far, of all players.
    steps: usize,
    review: Review,
}

impl<'a> Reviewer<'a> {
    pub(super) const fn new(
        search: &'a MonteCarlo,
        seat: Seat,
        only: Option<usize>,
        seed: u64,
    ) -> Reviewer<'a> {
        let review = Review { decisions: Vec::new(), clear: 0, hands: 0 };
        Reviewer { search, seat, only, seed, steps: 0, review }
    }

    pub(super) fn finish(self) -> Review {
        self.review
    }

    fn review(&mut self, o: &Observation<'_>, played: Action) {
        let hand = self.review.hands - 1;
        let mut rng =
            Rng::of_decision(self.seed, hand as u32, o.seat(), o.decision_count(), self.search.salt());
        let SearchResult { action: best, arms, .. } = self.search.review(o, played, &mut rng);
        let [own, others @ ..] = arms.as_slice() else { return };
        let Some(value) = own.estimate().filter(|_| !others.is_empty()) else {
            self.review.clear += 1;
            return;
        };
        let of_best = others.iter().find(|arm| arm.action == best);
        let mut alternatives: Vec<Alternative> = others.iter().map(|arm| alternative(o, arm)).collect();
        alternatives.sort_by(|a, b| b.believed.total_cmp(&a.believed));
        let drawn = o.drawn().map_or_else(String::new, |tile| format!("+{tile}"));
        let offered = o.offer().map_or_else(String::new, |offer| format!(" on {}", offer.tile));
        self.review.decisions.push(Reviewed {
            hand_name: text::hand_name(o.round(), o.honba(), o.rules()),
            hand,
            step: self.steps,
            kind: Kind::of(o, arms.iter().map(|arm| arm.action)),
            tiles: format!("{}{drawn}{}{offered}", o.hand(), o.melds()),
            played: o.describe(played),
            value: value.mean,
            standard_error: value.standard_error.unwrap_or_default(),
            deals: own.worlds,
            alternatives,
            better: of_best.map(|arm| Better {
                action: o.describe(arm.action),
                points: arm.posterior,
                is_clear: arm.difference > CLEAR * arm.error,
            }),
        });
    }
}

fn alternative(o: &Observation<'_>, arm: &Arm) -> Alternative {
    Alternative {
        action: o.describe(arm.action),
        believed: arm.posterior,
        difference: arm.difference,
        standard_error: arm.error,
        deals: arm.worlds,
    }
}

impl Observer for Reviewer<'_> {
    fn event(&mut self, event: &Event) {
        if matches!(event, Event::Deal { .. }) {
            self.review.hands += 1;
        }
    }
}

impl Spectator for Reviewer<'_> {
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        let is_asked = self.only.is_none_or(|hand| self.review.hands == hand + 1);
        if o.seat() == self.seat && is_asked {
            if o.legal().is_choice() && o.phase() != Phase::End {
                self.review(o, action);
            } else {
                self.review.clear += 1;
            }
        }
        self.steps += 1;
    }
}
