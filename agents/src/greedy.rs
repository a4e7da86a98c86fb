//! A player who wants nothing but the nearest win.

use std::cmp::Ordering;

use jantaku_engine::rules::knobs::TileKinds;
use jantaku_engine::{
    Action, ActionId, ActionSet, ChiPosition, Concealed, Declare, MeldKind, Observation, Phase, Rng, Shanten,
    Suit, Tile, TileKind, TileSet,
};

use crate::Policy;

/// Plays for the nearest win and sees no danger.
///
/// - wins whenever it can, and declares riichi whenever it can
/// - discards so that the hand is as near to tenpai as possible; of equally near hands it keeps the one with the most unseen tiles that bring it
///   nearer, then the one with more dora, then the one with more middle tiles
/// - calls a chi or pon that brings the hand nearer and leaves a yaku possible; never an open quad
/// - makes own quads that do not set the hand back, and sets Norths aside
/// - ends the hand with nine terminals if it is four or more away from tenpai
/// - shows a tenpai hand at a draw, and ends the game when it is first
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Greedy {
    /// Whether it calls chi and pon.
    pub calls: bool,
}

impl Default for Greedy {
    fn default() -> Greedy {
        Greedy { calls: true }
    }
}

impl Policy for Greedy {
    #[inline]
    fn choose(&self, o: &Observation<'_>, _: &mut Rng) -> Action {
        let legal = o.legal();
        if let Some(win) = [Action::Tsumo, Action::Ron].into_iter().find(|win| legal.contains(win.id())) {
            return win;
        }
        match o.phase() {
            Phase::Turn => turn(o, legal),
            Phase::Claim if self.calls => claim(o, legal).unwrap_or(Action::Pass),
            Phase::End if leads(o) => Action::EndGame,
            _ => Action::Pass,
        }
    }
}

/// Whether this player is first; of players with as many points the earlier seat is.
fn leads(o: &Observation<'_>) -> bool {
    let own = o.scores()[o.seat()];
    o.scores().enumerate().all(|(seat, points)| *points < own || *points == own && seat >= o.seat())
}

fn turn(o: &Observation<'_>, legal: ActionSet) -> Action {
    if legal.contains(Action::Kita.id()) {
        return Action::Kita;
    }
    let hand = o.hand_with_draw();
    let melds = o.melds().len();
    if legal.contains(Action::KyuushuKyuuhai.id()) && hand.shanten(melds).number() >= 4 {
        return Action::KyuushuKyuuhai;
    }
    if let Some(kind) = legal.kan_kinds().iter().find(|kind| keeps_pace(&hand, melds, o, *kind)) {
        return Action::Kan { kind };
    }
    discard(o, &hand, legal)
}

/// Whether the hand is as near to tenpai with the quad as with its best discard.
fn keeps_pace(hand: &Concealed, melds: usize, o: &Observation<'_>, kind: TileKind) -> bool {
    let mut rest = *hand;
    let added = o.melds().pons().contains(kind);
    (0..if added { 1 } else { 4 }).for_each(|_| {
        rest.remove_any(kind);
    });
    let melds_after = if added { melds } else { melds + 1 };
    rest.shanten(melds_after) <= hand.shanten(melds).max(Shanten::TENPAI)
}

fn discard(o: &Observation<'_>, hand: &Concealed, legal: ActionSet) -> Action {
    let drawn = o.drawn();
    let (riichi, declare) = discards(legal, drawn, Declare::Riichi);
    let (kinds, declare) =
        if riichi.is_empty() { discards(legal, drawn, Declare::Nothing) } else { (riichi, declare) };
    let kind = best_discard(o, hand, kinds);
    discard_of(kind, hand, drawn, legal, declare)
}

/// Of some kinds that which leaves the least shanten, then the most unseen tiles that help, then which is worth least by itself.
fn best_discard(o: &Observation<'_>, hand: &Concealed, kinds: TileSet) -> TileKind {
    let options = hand.discard_options(o.melds().len());
    let allowed = options.as_slice().iter().filter(|option| kinds.contains(option.kind));
    let nearest = allowed.clone().map(|option| option.shanten).min();
    let unseen = o.unseen();
    let mut best: Option<(u32, TileKind)> = None;
    for option in allowed.filter(|option| Some(option.shanten) == nearest) {
        let helping = unseen.count(option.ukeire);
        let is_better = best.is_none_or(|(most, kind)| match helping.cmp(&most) {
            Ordering::Equal => worth(o, option.kind) < worth(o, kind),
            order => order == Ordering::Greater,
        });
        if is_better {
            best = Some((helping, option.kind));
        }
    }
    best.expect("a turn without a win leaves a discard").1
}

/// The kinds that may be discarded with this declaration.
fn discards(legal: ActionSet, drawn: Option<Tile>, declare: Declare) -> (TileSet, Declare) {
    let mut kinds = legal.discard_tiles(declare).kinds();
    if let Some(tile) = drawn.filter(|_| legal.contains(Action::Tsumogiri { declare }.id())) {
        kinds.insert(tile.kind());
    }
    (kinds, declare)
}

/// What a tile is worth by itself: how often it is dora, then how useful it is.
fn worth(o: &Observation<'_>, kind: TileKind) -> (usize, u8, u8) {
    let three_player_tiles = o.rules().tiles == TileKinds::ThreePlayer;
    let is_dora = |indicator: &&Tile| indicator.kind().dora(three_player_tiles) == kind;
    let (use_, order) = usefulness(o, kind);
    (o.indicators().iter().filter(is_dora).count(), use_, order)
}

/// How useful a tile is by itself, and which of equally useful ones goes first.
///
/// Winds of others go first, that of the next player before all: so the seats do not all begin with the same wind.
fn usefulness(o: &Observation<'_>, kind: TileKind) -> (u8, u8) {
    let valued = TileSet::DRAGONS.contains(kind) || is_valued_wind(o, kind);
    match kind.suit() {
        Suit::Honours if valued => (2, kind.number()),
        Suit::Honours => (0, (kind.number() + 3 - o.seat_wind(o.seat()).tile().number()) % 4),
        _ => (kind.rank().min(10 - kind.rank()), kind.number()),
    }
}

fn is_valued_wind(o: &Observation<'_>, kind: TileKind) -> bool {
    kind == o.seat_wind(o.seat()).tile() || kind == o.round_wind().tile()
}

/// The discard of a tile of this kind: the drawn one before one in hand, a plain five before a red one.
fn discard_of(
    kind: TileKind,
    hand: &Concealed,
    drawn: Option<Tile>,
    legal: ActionSet,
    declare: Declare,
) -> Action {
    let all_red = hand.reds_of(kind) == hand.count(kind);
    let tile = if all_red { Tile::red(kind.suit()) } else { Tile::plain(kind) };
    let tsumogiri = Action::Tsumogiri { declare };
    if drawn == Some(tile) && legal.contains(tsumogiri.id()) {
        tsumogiri
    } else {
        Action::Discard { tile, declare }
    }
}

/// The call that brings the hand nearest, if one brings it nearer at all.
fn claim(o: &Observation<'_>, legal: ActionSet) -> Option<Action> {
    let now = o.hand().shanten(o.melds().len());
    let calls = legal.iter().map(ActionId::action).filter_map(|action| Call::of(o, action));
    let nearer = calls.filter(|call| call.shanten() < now && call.has_yaku_in_reach(o));
    nearer.min_by_key(|call| (call.shanten(), u32::MAX - call.helping_tiles(o))).map(|call| call.action)
}

/// A chi or pon, and the hand that it leaves before the discard.
struct Call {
    action: Action,
    kind: MeldKind,
    /// The kinds of the meld.
    meld: TileSet,
    rest: Concealed,
    melds: usize,
}

impl Call {
    fn of(o: &Observation<'_>, action: Action) -> Option<Call> {
        let claimed = o.offer()?.tile.kind();
        let (kind, own, reds): (MeldKind, [TileKind; 2], u8) = match action {
            Action::Chi { position, red } => {
                (MeldKind::Chi, ChiPosition::partners(position, claimed)?, u8::from(red))
            }
            Action::Pon { reds } => (MeldKind::Pon, [claimed; 2], reds),
            _ => return None,
        };
        let mut rest = *o.hand();
        let mut reds_left = reds;
        for kind in own {
            let red = reds_left > 0 && TileSet::FIVES.contains(kind);
            reds_left -= u8::from(red);
            rest.remove(if red { Tile::red(kind.suit()) } else { Tile::plain(kind) });
        }
        let meld = own.into_iter().chain([claimed]).collect();
        Some(Call { action, kind, meld, rest, melds: o.melds().len() + 1 })
    }

    /// After the best discard.
    fn shanten(&self) -> Shanten {
        self.rest.shanten(self.melds).max(Shanten::TENPAI)
    }

    /// The unseen tiles that help after the best discard.
    fn helping_tiles(&self, o: &Observation<'_>) -> u32 {
        let unseen = o.unseen();
        let options = self.rest.discard_options(self.melds);
        let near = options.as_slice().iter().filter(|option| option.shanten == self.shanten());
        near.map(|option| unseen.count(option.ukeire)).max().unwrap_or(0)
    }

    /// Whether the open hand can still have a yaku: a triplet that counts by itself, only simples, one suit, or only triplets.
    fn has_yaku_in_reach(&self, o: &Observation<'_>) -> bool {
        let own = o.melds().iter();
        let melds = own.clone().map(|meld| meld.kinds()).fold(self.meld, |all, kinds| all | kinds);
        let no_run = self.kind != MeldKind::Chi && own.clone().all(|meld| !meld.is_sequence());
        let triplets =
            self.rest.at_least(3) | own.filter(|meld| !meld.is_sequence()).map(|meld| meld.low()).collect();
        self.has_yakuhai(o, triplets)
            || self.may_be_simples(o, melds)
            || self.may_be_one_suit(melds)
            || no_run && self.rest.at_least(2).len() as usize + self.melds >= 5
    }

    fn has_yakuhai(&self, o: &Observation<'_>, triplets: TileSet) -> bool {
        let valued: TileSet = TileSet::HONOURS
            .iter()
            .filter(|k| TileSet::DRAGONS.contains(*k) || is_valued_wind(o, *k))
            .collect();
        let made = if self.kind == MeldKind::Pon { triplets | self.meld } else { triplets };
        let pairs = self.rest.at_least(2) & o.unseen().kinds();
        valued.intersects(made | pairs)
    }

    fn may_be_simples(&self, o: &Observation<'_>, melds: TileSet) -> bool {
        let others = self.count_of(TileSet::YAOCHUU);
        o.rules().kuitan && !melds.intersects(TileSet::YAOCHUU) && others <= SPARE_TILES
    }

    fn may_be_one_suit(&self, melds: TileSet) -> bool {
        (0..3).any(|suit| {
            let suit = TileSet::from_bits(0b1_1111_1111 << (9 * suit)) | TileSet::HONOURS;
            melds.is_subset(suit) && self.count_of(!suit) <= SPARE_TILES
        })
    }

    /// How many concealed tiles are of these kinds.
    fn count_of(&self, kinds: TileSet) -> u32 {
        (1..=4).map(|copies| (self.rest.at_least(copies) & kinds).len()).sum()
    }
}

/// How many tiles that do not fit a yaku an open hand is expected to get rid of.
const SPARE_TILES: u32 = 2;

#[cfg(test)]
mod tests {
    use jantaku_engine::{Event, Game, HandEnd, Rules};

    use super::*;

    /// Plays games and collects what happened.
    fn play(policy: Greedy, games: u64) -> Vec<Event> {
        let mut events = Vec::new();
        for seed in 0..games {
            let mut game = Game::new_seen(&Rules::default(), seed, &mut events);
            while !game.is_over() {
                let (seat, _) = game.decisions().next().expect("somebody is asked");
                let action = policy.choose(&game.observe(seat), &mut game.random_stream(seat, 0));
                game.submit_seen(seat, action, &mut events).expect("greedy answers legally");
            }
        }
        events
    }

    #[test]
    fn it_wins_most_hands_and_keeps_closed_when_told() {
        for calls in [true, false] {
            let events = play(Greedy { calls }, 20);
            let hands = events.iter().filter(|e| matches!(e, Event::HandEnd(_))).count();
            let wins = events
                .iter()
                .filter(|e| matches!(e, Event::HandEnd(o) if matches!(o.end, HandEnd::Win(_))))
                .count();
            let called = events.iter().filter(|e| matches!(e, Event::Call { .. })).count();
            assert!(wins * 2 > hands, "{wins} of {hands}");
            assert_eq!(called > 0, calls);
        }
    }
}
