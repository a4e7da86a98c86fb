//! Decisions in the player's own turn.

use jantaku_engine::{
    Action, Concealed, Declare, Meld, MeldKind, Observation, Riichi, Shanten, Tile, TileKind, TileSet,
};

use super::attack::{Prospect, Situation, YAKUMAN};
use super::{Candidate, Heuristic, leads};

pub(super) fn choose(agent: &Heuristic, o: &Observation<'_>) -> Action {
    if let Some(action) = without_discard(agent, o) {
        return action;
    }
    let mut actions = o.legal().iter();
    if let (Some(only), None) = (actions.next(), actions.next()) {
        return only.action();
    }
    let mut best: Option<Candidate> = None;
    candidates(agent, o, |candidate| {
        if best.is_none_or(|best| candidate.worth > best.worth) {
            best = Some(candidate);
        }
    });
    best.expect("a turn without a win leaves a discard").action
}

/// A kita, kyuushu kyuuhai or kan, if the agent wants it.
fn without_discard(agent: &Heuristic, o: &Observation<'_>) -> Option<Action> {
    let legal = o.legal();
    let hand = o.hand_with_draw();
    if legal.contains(Action::Kita.id()) && takes_kita(agent, o, &hand) {
        return Some(Action::Kita);
    }
    if legal.contains(Action::KyuushuKyuuhai.id()) {
        let orphans = (hand.kinds() & TileSet::YAOCHUU).len();
        let far = hand.shanten(o.melds().len()).number() >= 3;
        return (orphans < agent.tables(o).params.plan.orphans && far).then_some(Action::KyuushuKyuuhai);
    }
    let kinds = legal.kan_kinds();
    if kinds.is_empty() {
        return None;
    }
    agent.at(o, |situation| {
        let kind = kinds.iter().find(|kind| situation.takes_kan(&hand, *kind))?;
        Some(Action::Kan { kind })
    })
}

/// Whether to set a North aside: it must not take tenpai or the way to thirteen orphans.
fn takes_kita(agent: &Heuristic, o: &Observation<'_>, hand: &Concealed) -> bool {
    let mut rest = *hand;
    rest.remove(Tile::plain(TileKind::NORTH));
    let melds = o.melds().len();
    if rest.shanten(melds) <= hand.shanten(melds).max(Shanten::TENPAI) {
        return true;
    }
    let orphans = (hand.kinds() & TileSet::YAOCHUU).len();
    hand.shanten(melds) > Shanten::TENPAI && orphans < agent.tables(o).params.plan.orphans
}

/// Calls `found` with each discard, plain and with riichi.
pub(super) fn candidates(agent: &Heuristic, o: &Observation<'_>, mut found: impl FnMut(Candidate)) {
    let hand = o.hand_with_draw();
    let (plain, riichi) = (discards(o, Declare::Nothing), discards(o, Declare::Riichi));
    agent.at(o, |situation| {
        let prospects = situation.after_discards(&hand, o.melds(), plain | riichi);
        for kind in plain.iter() {
            let without = prospects.plain(kind);
            let with = prospects.riichi(kind);
            let may_riichi = riichi.contains(kind);
            if agent.damaten || !may_riichi {
                found(situation.candidate(kind, &hand, Declare::Nothing, without));
            }
            if may_riichi {
                found(situation.candidate(kind, &hand, Declare::Riichi, with));
            }
        }
    });
}

impl Situation<'_> {
    fn candidate(
        &self,
        kind: TileKind,
        hand: &Concealed,
        declare: Declare,
        prospect: &Prospect,
    ) -> Candidate {
        let risk = self.threats.risk(kind);
        let worth = prospect.worth - risk - self.usefulness(kind);
        Candidate::new(discard_of(kind, hand, self.scene.o, declare), worth, risk, prospect)
    }

    /// Whether to declare this ankan or kakan: it must not slow the hand, nor arm a player who
    /// threatens while the hand is far from tenpai. In the last hand, a leader who is not tenpai makes
    /// no new dora.
    fn takes_kan(&self, hand: &Concealed, kind: TileKind) -> bool {
        let o = self.scene.o;
        let added = o.melds().pons().contains(kind);
        let mut rest = *hand;
        (0..if added { 1 } else { 4 }).for_each(|_| {
            rest.remove_any(kind);
        });
        let melds = o.melds().len();
        let after = rest.shanten(if added { melds } else { melds + 1 });
        let keeps_pace = after <= hand.shanten(melds).max(Shanten::TENPAI);
        let is_near = self.threats.count == 0 || after.number() <= i8::from(!added);
        let is_ahead = self.worth.is_last_hand() && leads(o) && after > Shanten::TENPAI;
        keeps_pace && is_near && !is_ahead && (added || self.keeps_plan(hand, &rest, kind))
    }

    /// Whether an ankan leaves a hand that is not worth much less: its tiles may be those that the
    /// only yaku of an open hand cannot have, or part of a better hand. In riichi the waits stay.
    fn keeps_plan(&self, hand: &Concealed, rest: &Concealed, kind: TileKind) -> bool {
        let o = self.scene.o;
        if o.side(o.seat()).riichi() != Riichi::None {
            return true;
        }
        let melds = o.melds();
        let before = self.after_discards(hand, melds, hand.kinds());
        let before = hand.kinds().iter().map(|kind| before.plain(kind).or(*before.riichi(kind)));
        let before = before.fold(Prospect::NONE, Prospect::or);
        let mut after = *melds;
        after.push(Meld::new(MeldKind::Ankan, kind, hand.reds_of(kind) as u8, None));
        let after = self.waiting(rest, &after);
        let keeps_yakuman = before.points < YAKUMAN || after.points >= before.points;
        keeps_yakuman && after.worth >= self.params.plan.after_kan * before.worth
    }
}

/// The kinds that may be discarded with this declaration.
fn discards(o: &Observation<'_>, declare: Declare) -> TileSet {
    let mut kinds = o.legal().discard_tiles(declare).kinds();
    if let Some(tile) = o.drawn().filter(|_| o.legal().contains(Action::Tsumogiri { declare }.id())) {
        kinds.insert(tile.kind());
    }
    kinds
}

/// The discard of a tile of this kind: the drawn tile if it is the same, and a plain five before a
/// red one.
fn discard_of(kind: TileKind, hand: &Concealed, o: &Observation<'_>, declare: Declare) -> Action {
    let all_red = hand.reds_of(kind) == hand.count(kind);
    let tile = if all_red { Tile::red(kind.suit()) } else { Tile::plain(kind) };
    let (tsumogiri, discard) = (Action::Tsumogiri { declare }, Action::Discard { tile, declare });
    let is_drawn = o.drawn() == Some(tile) && o.legal().contains(tsumogiri.id());
    // In riichi, only the drawn tile can be discarded, also if it is red.
    if is_drawn || !o.legal().contains(discard.id()) { tsumogiri } else { discard }
}
