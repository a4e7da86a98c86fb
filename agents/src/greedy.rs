//! The agent `greedy`: plays for the nearest win and ignores danger.
//!
//! # Why
//!
//! **Why does `greedy` lose so many points?** It ignores danger. It is a baseline for matches and
//! the workload of speed measurements.

use std::cmp::Ordering;

use jantaku_engine::{
    Action, ActionId, ActionSet, Concealed, Declare, Meld, MeldKind, Melds, Observation, Phase, Riichi, Rng,
    Shanten, Suit, Tile, TileKind, TileSet,
};

use crate::Policy;
use crate::entry::{Built, Entry};
use crate::heuristic::count_of;
use crate::heuristic::ron_points::RonPoints;
use crate::option::{AgentOption, OptionKind};
use crate::view::{discard_of, discards, dora, leads};

pub(crate) const ENTRY: Entry = Entry {
    name: "greedy",
    about: "the nearest win: lowest shanten, then most ukeire; wins and declares riichi whenever it can",
    options: &[AgentOption::new(
        "calls",
        OptionKind::SWITCH,
        "on",
        "chi and pon that bring the hand nearer to tenpai and leave a yaku possible",
    )],
    build: |options, _| Ok(Built::policy(Greedy { calls: options.is_on("calls") })),
};

/// Plays for the nearest win and ignores danger.
///
/// - It wins whenever it can.
/// - It declares riichi whenever it can.
/// - It discards for the lowest shanten. Among equal discards it prefers the most unseen ukeire,
///   then to keep dora, then to keep middle tiles.
/// - It makes a chi or pon that lowers the shanten and leaves a yaku possible. It never makes a
///   daiminkan.
/// - It declares an ankan or kakan that does not raise the shanten, and every kita. In riichi, the ankan
///   must not lower the points of the win.
/// - It declares kyuushu kyuuhai at 4-shanten or more.
/// - It shows a tenpai hand at an exhaustive draw.
/// - It ends the game when it is in first place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Greedy {
    /// Whether it makes chi and pon. If not, its hands stay closed.
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

fn turn(o: &Observation<'_>, legal: ActionSet) -> Action {
    if legal.contains(Action::Kita.id()) {
        return Action::Kita;
    }
    let hand = o.hand_with_draw();
    let melds = o.melds().len();
    if legal.contains(Action::KyuushuKyuuhai.id()) && hand.shanten(melds).number() >= 4 {
        return Action::KyuushuKyuuhai;
    }
    let in_riichi = o.side(o.seat()).riichi() != Riichi::None;
    let is_good = |kind: &TileKind| {
        if in_riichi { keeps_points(&hand, o, *kind) } else { keeps_pace(&hand, melds, o, *kind) }
    };
    if let Some(kind) = legal.kan_kinds().iter().find(is_good) {
        return Action::Kan { kind };
    }
    discard(o, &hand)
}

/// Whether the shanten after the kan is no higher than after the best discard.
fn keeps_pace(hand: &Concealed, melds: usize, o: &Observation<'_>, kind: TileKind) -> bool {
    let mut rest = *hand;
    let added = o.melds().pons().contains(kind);
    (0..if added { 1 } else { 4 }).for_each(|_| {
        rest.remove_any(kind);
    });
    let melds_after = if added { melds } else { melds + 1 };
    rest.shanten(melds_after) <= hand.shanten(melds).max(Shanten::TENPAI)
}

/// Whether a hand in riichi wins at least as many points after this ankan. Its waits stay the same.
fn keeps_points(hand: &Concealed, o: &Observation<'_>, kind: TileKind) -> bool {
    let (rest, mut melds) = (hand.within(!TileSet::of(kind)), *o.melds());
    melds.push(Meld::new(MeldKind::Ankan, kind, hand.reds_of(kind) as u8, None));
    points_of_waits(o, &rest, &melds) >= points_of_waits(o, o.hand(), o.melds())
}

/// The sum of the points of a win over the unseen tiles that complete a hand in riichi.
fn points_of_waits(o: &Observation<'_>, hand: &Concealed, melds: &Melds) -> u32 {
    let (riichi, unseen) = (o.side(o.seat()).riichi(), o.unseen());
    let (_, waits) = hand.ukeire(melds.len());
    let mut points = RonPoints::new(o, melds, riichi);
    waits.iter().map(|kind| unseen.of(kind) * points.of(hand, kind)).sum()
}

fn discard(o: &Observation<'_>, hand: &Concealed) -> Action {
    let declare = if discards(o, Declare::Riichi).is_empty() { Declare::Nothing } else { Declare::Riichi };
    discard_of(best_discard(o, hand, discards(o, declare)), hand, o, declare)
}

/// The kind among `kinds` to discard: lowest shanten, then most unseen ukeire, then lowest keep
/// value.
fn best_discard(o: &Observation<'_>, hand: &Concealed, kinds: TileSet) -> TileKind {
    let options = hand.discard_options(o.melds().len());
    let allowed = options.as_slice().iter().filter(|option| kinds.contains(option.kind));
    let nearest = allowed.clone().map(|option| option.shanten).min();
    let unseen = o.unseen();
    let mut best: Option<(u32, TileKind)> = None;
    for option in allowed.filter(|option| Some(option.shanten) == nearest) {
        let ukeire = unseen.count(option.ukeire);
        let is_better = best.is_none_or(|(most, kind)| match ukeire.cmp(&most) {
            Ordering::Equal => keep_value(o, option.kind) < keep_value(o, kind),
            order => order == Ordering::Greater,
        });
        if is_better {
            best = Some((ukeire, option.kind));
        }
    }
    best.expect("a turn without a win leaves a discard").1
}

/// The value of keeping a single tile: the number of indicators that make it dora, then its
/// [`usefulness`].
fn keep_value(o: &Observation<'_>, kind: TileKind) -> (usize, u8, u8) {
    let (usefulness, order) = usefulness(o, kind);
    (dora(o).filter(|dora| *dora == kind).count(), usefulness, order)
}

/// How useful a single tile is, and its order among equally useful tiles.
///
/// Winds without a value are the least useful: first the next player's wind, then those after it in
/// turn order. Each seat therefore discards a different wind first. Terminals follow, then 2 and 8
/// together with dragons and valued winds, then the middle tiles.
fn usefulness(o: &Observation<'_>, kind: TileKind) -> (u8, u8) {
    let valued = TileSet::DRAGONS.contains(kind) || is_valued_wind(o, kind);
    match kind.suit() {
        Suit::Honours if valued => (2, kind.number()),
        Suit::Honours => (0, (kind.number() + 3 - o.seat_wind(o.seat()).tile().number()) % 4),
        _ => (kind.rank().min(10 - kind.rank()), kind.number()),
    }
}

fn is_valued_wind(o: &Observation<'_>, kind: TileKind) -> bool {
    kind == o.seat_wind(o.seat()).tile() || o.rules().round_winds(o.round_wind()).contains(kind)
}

/// The call that leaves the lowest shanten, then the most ukeire. None if no call lowers the shanten and
/// leaves a yaku possible.
fn claim(o: &Observation<'_>, legal: ActionSet) -> Option<Action> {
    let now = o.hand().shanten(o.melds().len());
    let calls = legal.iter().map(ActionId::action).filter_map(|action| Call::of(o, action));
    let nearer = calls.filter(|call| call.shanten() < now && call.has_yaku_in_reach(o));
    nearer.min_by_key(|call| (call.shanten(), u32::MAX - call.ukeire(o))).map(|call| call.action)
}

/// A chi or pon, and the hand after it, before the discard.
struct Call {
    action: Action,
    kind: MeldKind,
    /// The kinds of the meld.
    meld: TileSet,
    /// The concealed tiles after the call.
    rest: Concealed,
    /// The number of melds after the call.
    melds: usize,
}

impl Call {
    fn of(o: &Observation<'_>, action: Action) -> Option<Call> {
        let claimed = o.offer()?.tile.kind();
        let own = action.tiles_from_hand(claimed)?;
        let kind = if matches!(action, Action::Pon { .. }) { MeldKind::Pon } else { MeldKind::Chi };
        let mut rest = *o.hand();
        own.into_iter().for_each(|tile| rest.remove(tile));
        let meld = own.into_iter().map(Tile::kind).chain([claimed]).collect();
        Some(Call { action, kind, meld, rest, melds: o.melds().len() + 1 })
    }

    /// The shanten after the best discard.
    fn shanten(&self) -> Shanten {
        self.rest.shanten(self.melds).max(Shanten::TENPAI)
    }

    /// The unseen ukeire after the best discard.
    fn ukeire(&self, o: &Observation<'_>) -> u32 {
        let unseen = o.unseen();
        let options = self.rest.discard_options(self.melds);
        let near = options.as_slice().iter().filter(|option| option.shanten == self.shanten());
        near.map(|option| unseen.count(option.ukeire)).max().unwrap_or(0)
    }

    /// Whether the open hand can still have a yaku: yakuhai, tanyao, honitsu or toitoi.
    fn has_yaku_in_reach(&self, o: &Observation<'_>) -> bool {
        let own = o.melds().iter();
        let melds = own.clone().map(|meld| meld.kinds()).fold(self.meld, |all, kinds| all | kinds);
        let no_sequence = self.kind != MeldKind::Chi && own.clone().all(|meld| !meld.is_sequence());
        let triplets =
            self.rest.at_least(3) | own.filter(|meld| !meld.is_sequence()).map(|meld| meld.low()).collect();
        self.has_yakuhai(o, triplets)
            || self.may_be_simples(o, melds)
            || self.may_be_one_suit(melds)
            || no_sequence && self.rest.at_least(2).len() as usize + self.melds >= 5
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
        let others = count_of(&self.rest, TileSet::YAOCHUU);
        o.rules().kuitan && !melds.intersects(TileSet::YAOCHUU) && others <= SPARE_TILES
    }

    fn may_be_one_suit(&self, melds: TileSet) -> bool {
        (0..3).any(|suit| {
            let suit = TileSet::from_bits(0b1_1111_1111 << (9 * suit)) | TileSet::HONOURS;
            melds.is_subset(suit) && count_of(&self.rest, !suit) <= SPARE_TILES
        })
    }
}

/// The most tiles outside a yaku that an open hand is expected to discard in time.
const SPARE_TILES: u32 = 2;
