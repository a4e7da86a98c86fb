//! What kind of choice a decision is.

use jantaku_engine::{Action, Observation, Phase, Riichi, named_enum};

named_enum! {
    /// What kind of choice a decision is, in the order of reports.
    DecisionKind {
        /// A discard while no other player is in riichi.
        Discard = "discards",
        /// A discard while another player is in riichi.
        AgainstRiichi = "discards against riichi",
        /// Whether to declare riichi.
        Riichi = "riichi or not",
        /// Whether to call chi or pon.
        Call = "chi and pon",
        /// Whether to declare a kan.
        Kan = "kans",
        /// Whether to win, abort or set a North aside.
        Other = "others",
    }
}

impl DecisionKind {
    /// The kind of a decision between these actions. Of several kinds that fit, the first of kan, riichi and
    /// call counts.
    pub fn of(o: &Observation<'_>, mut actions: impl Iterator<Item = Action> + Clone) -> DecisionKind {
        let any = |wanted: fn(&Action) -> bool| actions.clone().any(|action| wanted(&action));
        if any(|action| matches!(action, Action::Kan { .. } | Action::Daiminkan)) {
            DecisionKind::Kan
        } else if any(|action| action.declares_riichi()) {
            DecisionKind::Riichi
        } else if any(|action| matches!(action, Action::Chi { .. } | Action::Pon { .. })) {
            DecisionKind::Call
        } else if o.phase() == Phase::Turn && actions.all(|action| action.declare().is_some()) {
            let mut others = o.rules().players.others(o.seat());
            let is_threatened = others.any(|seat| o.side(seat).riichi() != Riichi::None);
            if is_threatened { DecisionKind::AgainstRiichi } else { DecisionKind::Discard }
        } else {
            DecisionKind::Other
        }
    }
}
