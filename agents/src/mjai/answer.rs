//! Actions as answers of the format, and answers as actions.

use std::fmt;

use jantaku_engine::{
    Action, ActionId, Concealed, Declare, Meld, MeldKind, Observation, Seat, Tile, TileKind,
};
use serde::{Deserialize, Serialize};

use super::pai::Pai;
use super::parts::{NORTH, pais};

/// An answer of a player.
///
/// Riichi takes two answers: `reach`, then `dahai` with the discard.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Answer {
    /// What the player does, such as `dahai`; `none` for nothing.
    #[serde(rename = "type")]
    pub kind: String,
    /// The seat of the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<u8>,
    /// The seat that the tile comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<u8>,
    /// The discarded, claimed, added or winning tile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pai: Option<Pai>,
    /// The tiles of the meld that the player holds, or the tiles of the pon for a kakan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consumed: Option<Vec<Pai>>,
    /// Whether the discard is the tile just drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tsumogiri: Option<bool>,
    /// The reason of a `ryukyoku`: `kyushukyuhai`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The name of the player, in the `join` that answers `hello`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The room of a `join`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<String>,
}

/// What an answer does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// A whole action.
    Action(Action),
    /// The announcement of riichi. The discard follows in a second answer.
    Riichi,
}

/// The type of the answer to `hello`.
pub(super) const JOIN: &str = "join";

/// The types of answers to other events.
const KINDS: [&str; 11] =
    ["none", "dahai", "reach", "chi", "pon", "daiminkan", "ankan", "kakan", "kita", "hora", "ryukyoku"];

/// The answer as JSON.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).expect("an answer is JSON"))
    }
}

impl Answer {
    /// The answer that does nothing.
    pub fn none() -> Answer {
        Answer::of("none")
    }

    fn of(kind: &str) -> Answer {
        Answer { kind: kind.to_owned(), ..Answer::default() }
    }

    /// The type and the tiles, such as `chi 3s 4s`.
    pub(super) fn short(&self) -> String {
        let own = self.consumed.iter().flatten().filter(|_| self.kind != "kakan");
        let pai = self.pai.iter().filter(|_| matches!(self.kind.as_str(), "dahai" | "kakan"));
        let tiles: Vec<String> = own.chain(pai).map(|pai| format!(" {pai}")).collect();
        let tsumogiri = if self.tsumogiri == Some(true) { " tsumogiri" } else { "" };
        format!("{}{}{tsumogiri}", self.kind, tiles.concat())
    }

    /// Whether it does nothing.
    pub fn is_none(&self) -> bool {
        self.kind == "none"
    }

    /// A discard.
    pub(super) fn dahai(seat: Seat, tile: Tile, tsumogiri: bool) -> Answer {
        let actor = Some(seat.number());
        Answer { actor, pai: Some(tile.into()), tsumogiri: Some(tsumogiri), ..Answer::of("dahai") }
    }

    /// The answer to `hello`: the player joins a room.
    pub fn join(name: &str, room: &str) -> Answer {
        Answer { name: Some(name.to_owned()), room: Some(room.to_owned()), ..Answer::of(JOIN) }
    }

    /// The announcement of riichi by this player.
    pub fn reach(actor: u8) -> Answer {
        Answer { actor: Some(actor), ..Answer::of("reach") }
    }

    /// Checks that answers of this type exist, and that the answer has what its type needs.
    ///
    /// # Errors
    ///
    /// What is missing or unknown.
    pub(super) fn check(&self) -> Result<(), String> {
        let kind = match self.kind.as_str() {
            "nukidora" => "kita",
            kind => kind,
        };
        if !KINDS.contains(&kind) && kind != JOIN {
            return Err(format!("`type` is `{kind}`, expected one of {}", KINDS.join(", ")));
        }
        let lacks_pai = matches!(kind, "dahai" | "kakan") && self.pai.is_none_or(|pai| pai.0.is_none());
        let lacks_consumed = matches!(kind, "chi" | "pon" | "ankan") && self.consumed.is_none();
        match (lacks_pai, lacks_consumed) {
            (true, _) => Err(format!("`{kind}` needs `pai`")),
            (_, true) => Err(format!("`{kind}` needs `consumed`")),
            _ => Ok(()),
        }
    }

    /// What the answer does at this decision. None if that is not legal.
    ///
    /// Values that the answer leaves out follow from the decision. A discard without `tsumogiri` is
    /// the drawn tile, if that fits.
    pub(super) fn meaning(&self, o: &Observation<'_>) -> Option<Meaning> {
        if self.kind == "reach" {
            let is_own = self.actor.is_none_or(|actor| actor == o.seat().number());
            return riichi_discards(o).next().filter(|_| is_own).map(|_| Meaning::Riichi);
        }
        let plain = o.legal().iter().map(ActionId::action).filter(|action| riichi_of(*action).is_none());
        self.action(o, plain).map(Meaning::Action)
    }

    /// The discard of an announced riichi. None if it is not legal.
    pub(super) fn riichi_discard(&self, o: &Observation<'_>) -> Option<Action> {
        self.action(o, riichi_discards(o))
    }

    /// The action among these that the answer states. If it fits several, a tsumogiri comes first, then the
    /// last of the others. None if it fits none.
    fn action(&self, o: &Observation<'_>, actions: impl Iterator<Item = Action>) -> Option<Action> {
        let fitting = actions.filter(|action| self.fits(&answer(o, *action)));
        fitting.max_by_key(|action| matches!(action, Action::Tsumogiri { .. }))
    }

    /// Whether every value that the answer states is that of `full`, an answer that leaves out nothing.
    fn fits(&self, full: &Answer) -> bool {
        let sorted = |pais: &Option<Vec<Pai>>| {
            pais.clone().map(|mut pais| {
                pais.sort_by_key(|pai| pai.0);
                pais
            })
        };
        let kind = if self.kind == "nukidora" { "kita" } else { &self.kind };
        kind == full.kind
            && (self.actor.is_none() || self.actor == full.actor || full.actor.is_none())
            && (self.target.is_none() || self.target == full.target)
            && (self.pai.is_none() || self.pai == full.pai)
            && (self.consumed.is_none() || sorted(&self.consumed) == sorted(&full.consumed))
            && (self.tsumogiri.is_none() || self.tsumogiri == full.tsumogiri)
    }
}

/// The riichi discards that are legal.
pub(super) fn riichi_discards(o: &Observation<'_>) -> impl Iterator<Item = Action> {
    o.legal().iter().map(ActionId::action).filter(|action| riichi_of(*action) == Some(Declare::Riichi))
}

/// The legal answers to a question. They have the announcement of riichi, but not its discards.
pub(super) fn legal(o: &Observation<'_>) -> Vec<Answer> {
    let plain = o.legal().iter().map(ActionId::action).filter(|action| riichi_of(*action).is_none());
    let riichi = riichi_discards(o).next().map(|_| Answer::reach(o.seat().number()));
    plain.map(|action| answer(o, action)).chain(riichi).collect()
}

/// The kind of riichi that a discard declares. None for other actions.
pub(super) fn riichi_of(action: Action) -> Option<Declare> {
    action.declare().filter(|declare| *declare != Declare::Nothing)
}

/// The answer for a legal action. For a discard with riichi it is the second of two answers.
///
/// The format has no words for the questions at the end of a hand: whether to show a tenpai hand,
/// and whether to end the game. Their answers are of the type `none`.
pub(super) fn answer(o: &Observation<'_>, action: Action) -> Answer {
    let actor = Some(o.seat().number());
    let of = |kind: &str| Answer { actor, ..Answer::of(kind) };
    let offer = o.offer();
    let claim = |kind: &str, consumed: Vec<Tile>| Answer {
        target: offer.map(|offer| offer.from.number()),
        pai: offer.map(|offer| offer.tile.into()),
        consumed: Some(pais(consumed)),
        ..of(kind)
    };
    let offered = offer.map(|offer| offer.tile);
    match action {
        Action::Discard { tile, .. } => Answer::dahai(o.seat(), tile, false),
        Action::Tsumogiri { .. } => {
            let drawn = o.drawn().expect("a tile was drawn");
            Answer::dahai(o.seat(), drawn, true)
        }
        Action::Chi { .. } | Action::Pon { .. } => {
            let own = offered.and_then(|tile| action.tiles_from_hand(tile.kind()));
            claim(action.word(), own.into_iter().flatten().collect())
        }
        Action::Daiminkan => {
            let own = offered.map(|tile| held(o.hand(), tile.kind()));
            claim("daiminkan", own.unwrap_or_default())
        }
        Action::Kan { kind } => {
            let own = held(&o.hand_with_draw(), kind);
            let is_pon = |meld: &&Meld| meld.kind() == MeldKind::Pon && meld.low() == kind;
            match o.melds().iter().find(is_pon) {
                Some(pon) => Answer {
                    pai: own.first().map(|tile| Pai::from(*tile)),
                    consumed: Some(pais(pon.tiles())),
                    ..of("kakan")
                },
                None => Answer { consumed: Some(pais(own)), ..of("ankan") },
            }
        }
        Action::Kita => Answer { pai: Some(NORTH.into()), ..of("kita") },
        Action::Ron => Answer { consumed: None, ..claim("hora", Vec::new()) },
        Action::Tsumo => Answer { target: actor, pai: o.drawn().map(Pai::from), ..of("hora") },
        Action::KyuushuKyuuhai => Answer { reason: Some("kyushukyuhai".to_owned()), ..of("ryukyoku") },
        Action::Pass | Action::KeepClosed | Action::EndGame => Answer::none(),
    }
}

/// The tiles of a kind in a hand.
fn held(hand: &Concealed, kind: TileKind) -> Vec<Tile> {
    let reds = hand.reds_of(kind);
    let tile = |index| if index < reds { Tile::red(kind.suit()) } else { Tile::plain(kind) };
    (0..hand.count(kind)).map(tile).collect()
}
