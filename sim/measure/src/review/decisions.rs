//! Collects the decisions of a player while a game is replayed.

use jantaku_engine::replay::Spectator;
use jantaku_engine::{Action, Event, Observation, Observer, Phase, Rules, Seat, Snapshot};
use jantaku_show::{HandChoice, HandFilter, text};

/// A decision of the player.
pub(super) struct PlayedDecision {
    pub snapshot: Snapshot,
    pub played: Action,
    /// The number of the hand in the game, from 0.
    pub hand: usize,
    pub hand_name: String,
    /// The number of the decision in the game, over all players, from 0.
    pub step: usize,
}

/// The decisions of a player in a game.
pub(super) struct Decisions {
    seat: Seat,
    /// The rules of the game.
    rules: Rules,
    /// The hands dealt so far, and which of them to review: one, or all.
    pub hands: HandFilter,
    /// Decisions so far, of all players.
    steps: usize,
    /// The number of the first decision to review: earlier ones were copied from another game.
    first: usize,
    /// The decisions that a search can compare.
    pub found: Vec<PlayedDecision>,
    /// The number of reviewed decisions without a choice that a search can compare.
    pub clear: usize,
}

impl Decisions {
    /// Collects the decisions of `seat` in `hand`, or in all hands, from the number `first` on.
    pub(super) const fn new(seat: Seat, hand: Option<HandChoice>, rules: &Rules, first: usize) -> Decisions {
        Decisions {
            seat,
            rules: *rules,
            hands: HandFilter::new(hand),
            steps: 0,
            first,
            found: Vec::new(),
            clear: 0,
        }
    }

    /// Whether a decision belongs to the review.
    fn has(&self, o: &Observation<'_>) -> bool {
        self.steps >= self.first && o.seat() == self.seat && self.hands.is_chosen()
    }
}

impl Observer for Decisions {
    fn event(&mut self, event: &Event) {
        if let Event::Deal { round, honba, .. } = event {
            self.hands.deal(*round, *honba, &self.rules);
        }
    }
}

impl Spectator for Decisions {
    fn decision(&mut self, o: &Observation<'_>, played: Action) {
        let is_reviewed = self.has(o);
        let step = self.steps;
        self.steps += 1;
        if !is_reviewed {
            return;
        }
        if !o.legal().is_choice() || o.phase() == Phase::End {
            self.clear += 1;
            return;
        }
        let (snapshot, hand) = (o.snapshot(), self.hands.latest().unwrap_or(0));
        let hand_name = text::hand_name(o.round(), o.honba(), o.rules());
        self.found.push(PlayedDecision { snapshot, played, hand, hand_name, step });
    }

    fn undealt_hand(&mut self) {
        self.hands.skip();
    }
}
