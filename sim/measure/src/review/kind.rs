//! What kind of choice a decision is.

use jantaku_engine::{Action, Declare, Observation, Phase, Riichi};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What kind of choice a decision is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecisionKind {
    /// A discard while no other player is in riichi.
    Discard,
    /// A discard while another player is in riichi.
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

impl DecisionKind {
    /// All kinds in the order of reports.
    pub const ALL: [DecisionKind; 6] = [
        DecisionKind::Discard,
        DecisionKind::AgainstRiichi,
        DecisionKind::Riichi,
        DecisionKind::Call,
        DecisionKind::Kan,
        DecisionKind::Other,
    ];

    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DecisionKind::Discard => "discards",
            DecisionKind::AgainstRiichi => "discards against riichi",
            DecisionKind::Riichi => "riichi or not",
            DecisionKind::Call => "chi and pon",
            DecisionKind::Kan => "kans",
            DecisionKind::Other => "others",
        }
    }

    /// The kind of a decision between these actions.
    pub(crate) fn of(o: &Observation<'_>, mut actions: impl Iterator<Item = Action> + Clone) -> DecisionKind {
        let any = |wanted: fn(&Action) -> bool| actions.clone().any(|action| wanted(&action));
        if any(|action| matches!(action, Action::Kan { .. } | Action::Daiminkan)) {
            DecisionKind::Kan
        } else if any(|action| declares(*action) == Declare::Riichi) {
            DecisionKind::Riichi
        } else if any(|action| matches!(action, Action::Chi { .. } | Action::Pon { .. })) {
            DecisionKind::Call
        } else if o.phase() == Phase::Turn && actions.all(is_discard) {
            let mut others = o.rules().players.others(o.seat());
            let is_threatened = others.any(|seat| o.side(seat).riichi() != Riichi::None);
            if is_threatened { DecisionKind::AgainstRiichi } else { DecisionKind::Discard }
        } else {
            DecisionKind::Other
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

impl Serialize for DecisionKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for DecisionKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DecisionKind, D::Error> {
        let name = String::deserialize(deserializer)?;
        let named = DecisionKind::ALL.into_iter().find(|kind| kind.name() == name);
        named.ok_or_else(|| D::Error::custom(format!("unknown kind of decision `{name}`")))
    }
}
