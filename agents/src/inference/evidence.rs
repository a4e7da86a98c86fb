//! The public information about one opponent, and the features of the hands that they could hold.

use jantaku_engine::{Concealed, Observation, Phase, Riichi, Seat, TileCounts, TileKind, TileSet, Tracker};

use super::features::{
    CALLS, COPIES, DORA, FLUSH, FURITEN, HandState, IMPROVING, KIND, NEAR, NOT_CALLED, PAIRS, RED, RELATIONS,
    Relation, SHANTEN, SHANTEN_AT, STEP_BACK, TANYAO, TEDASHI, TIMES, TURNS, UNCHANGED, WAIT_KINDS,
    WAIT_TILES,
};
use crate::view;

/// The number of discards that count as early.
const EARLY: usize = 6;
/// At most this many tsumogiri are kept by their kind: the first since the hand last changed.
const MAX_DRAWN: usize = 4;

/// The public information about one opponent.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The opponent.
    pub seat: Seat,
    /// Whether the hand is closed, open or in riichi.
    pub state: HandState,
    /// The number of melds.
    pub melds: usize,
    /// Whether no meld is a sequence.
    no_sequence: bool,
    /// The number of open melds.
    calls: usize,
    history: DiscardHistory,
    /// The kinds that the player has discarded.
    discarded: TileSet,
    /// The waits that an open riichi shows. Empty without one.
    pub(super) shown_waits: TileSet,
    /// The number of unseen tiles of each kind, those of this hand included.
    unseen: [u8; TileKind::COUNT],
    kinds: [KindEvidence; TileKind::COUNT],
}

/// The public information about one kind in the hand of one opponent.
#[derive(Clone, Copy, Debug)]
struct KindEvidence {
    /// The first feature of [`KIND`] for this kind.
    first: u16,
    is_dora: bool,
    /// The offset in [`FLUSH`], if the melds are of one suit.
    flush: Option<u8>,
    /// Whether the kind rules out a tanyao that the melds allow.
    against_tanyao: bool,
    /// The offset in [`NOT_CALLED`].
    not_called: Option<u8>,
}

/// The concealed tiles of a hand, in the form that features need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiles {
    pub(super) counts: [u8; TileKind::COUNT],
    pub(super) tracker: Tracker,
}

impl Tiles {
    pub(super) const EMPTY: Tiles = Tiles { counts: [0; TileKind::COUNT], tracker: Tracker::EMPTY };

    #[inline]
    pub(super) fn add(&mut self, kind: TileKind) {
        self.counts[kind.index()] += 1;
        self.tracker.add(kind);
    }

    #[inline]
    pub(super) fn remove(&mut self, kind: TileKind) {
        self.counts[kind.index()] -= 1;
        self.tracker.remove(kind);
    }

    /// Whether the hand has the kind that is `steps` ranks away.
    #[inline]
    fn has(&self, kind: TileKind, steps: i8) -> bool {
        kind.offset(steps).is_some_and(|kind| self.counts[kind.index()] > 0)
    }

    /// The waits of a tenpai hand.
    fn waits(&self, melds: usize) -> TileSet {
        let counts = TileCounts::new(self.counts).unwrap_or_default();
        Concealed::from(&counts).waits(melds)
    }
}

impl From<&Concealed> for Tiles {
    fn from(hand: &Concealed) -> Tiles {
        Tiles { counts: *hand.counts().as_array(), tracker: *hand.tracker() }
    }
}

impl Evidence {
    /// Collects the evidence about an opponent.
    pub fn new(o: &Observation<'_>, seat: Seat) -> Evidence {
        let side = o.side(seat);
        let melds = side.melds();
        let calls = melds.iter().filter(|meld| meld.is_open()).count();
        let state = match (side.riichi(), calls) {
            (Riichi::None, 0) => HandState::Closed,
            (Riichi::None, _) => HandState::Open,
            _ => HandState::Riichi,
        };
        let unseen = o.unseen();
        let mut evidence = Evidence {
            seat,
            state,
            melds: melds.len(),
            no_sequence: melds.iter().all(|meld| !meld.is_sequence()),
            calls,
            history: DiscardHistory::new(o, seat),
            discarded: side.discarded(),
            shown_waits: o.shown_waits(seat),
            unseen: std::array::from_fn(|kind| unseen.of(TileKind::from_index(kind)) as u8),
            kinds: [KindEvidence::NONE; TileKind::COUNT],
        };
        evidence.set_kinds(o);
        evidence
    }

    /// Fills in the evidence about each kind.
    fn set_kinds(&mut self, o: &Observation<'_>) {
        let river = &self.history;
        let melds = o.side(self.seat).melds();
        let in_melds = melds.iter().fold(TileSet::EMPTY, |kinds, meld| kinds | meld.kinds());
        let mut suits = (0..3).filter(|suit| in_melds.suit_bits(*suit) != 0);
        let flush = match (suits.next(), suits.next()) {
            (Some(suit), None) if self.calls > 0 => Some(suit),
            _ => None,
        };
        let may_be_tanyao = self.calls > 0 && !in_melds.intersects(TileSet::YAOCHUU);
        let valued = view::shared_yakuhai(o) | TileSet::of(o.seat_wind(self.seat).tile());
        let dora: TileSet = view::dora(o).collect();
        let time = (river.turn / 6).min(TIMES - 1);
        for kind in TileKind::all() {
            let relation = river.relation(kind) as usize;
            let first = KIND + ((kind_type(kind, valued) * RELATIONS + relation) * TIMES + time) * COPIES;
            self.kinds[kind.index()] = KindEvidence {
                first: first as u16,
                is_dora: dora.contains(kind),
                flush: flush.map(|suit| match kind.is_honour() {
                    true => 1,
                    false if kind.suit() as usize == suit => 0,
                    false => 2,
                }),
                against_tanyao: may_be_tanyao && kind.is_yaochuu(),
                not_called: river.not_called.contains(kind).then(|| u8::from(!valued.contains(kind))),
            };
        }
    }

    /// The index for the number of open melds.
    fn calls_at(&self) -> usize {
        self.calls.clamp(1, CALLS) - 1
    }

    /// Calls `add` with the features of this number of copies of a kind.
    #[inline]
    pub(super) fn add_kind(&self, kind: TileKind, copies: usize, mut add: impl FnMut(usize, f32)) {
        if copies == 0 {
            return;
        }
        let about = &self.kinds[kind.index()];
        let class = copies.min(COPIES) - 1;
        add(usize::from(about.first) + class, 1.0);
        if about.is_dora {
            add(DORA + class, 1.0);
        }
        if let Some(part) = about.flush {
            add(FLUSH + 3 * self.calls_at() + usize::from(part), copies as f32);
        }
        if about.against_tanyao {
            add(TANYAO + self.calls_at(), copies as f32);
        }
        if let Some(part) = about.not_called.filter(|_| copies > 1) {
            add(NOT_CALLED + usize::from(part), 1.0);
        }
    }

    /// Calls `add` with the features of the hand as a whole.
    #[inline]
    pub(super) fn add_hand(&self, tiles: &Tiles, mut add: impl FnMut(usize, f32)) {
        let shanten = tiles.tracker.shanten(self.melds).number().max(0) as usize;
        let near = shanten.min(NEAR - 1);
        if self.state != HandState::Riichi {
            let turn = (self.history.turn / 3).min(TURNS - 1);
            let at = (self.calls.min(3) * TURNS + turn) * SHANTEN + shanten.min(SHANTEN - 1);
            add(SHANTEN_AT + at, 1.0);
        }
        add(UNCHANGED + 4 * near + self.history.unchanged.min(3), 1.0);
        if let Some(kind) = self.history.tedashi {
            self.add_tedashi(kind, tiles, shanten, &mut add);
        }
        for kind in &self.history.drawn[..self.history.unchanged.min(MAX_DRAWN)] {
            if tiles.counts[kind.index()] < 4 {
                let mut with = tiles.tracker;
                with.add(*kind);
                if (with.shanten(self.melds).number().max(-1) + 1) as usize <= shanten {
                    add(IMPROVING + near, 1.0);
                }
            }
        }
        if self.state == HandState::Open && self.no_sequence {
            let pairs = tiles.counts.iter().filter(|copies| **copies > 1).count();
            add(PAIRS + self.calls_at(), pairs as f32);
        }
        if shanten == 0 {
            self.add_waits(tiles, add);
        }
    }

    /// Calls `add` with the features of the last discard from the hand.
    #[inline]
    fn add_tedashi(&self, kind: TileKind, tiles: &Tiles, shanten: usize, add: &mut impl FnMut(usize, f32)) {
        let near = shanten.min(NEAR - 1);
        if tiles.counts[kind.index()] < 4 {
            let mut before = tiles.tracker;
            before.add(kind);
            let lost = shanten as i8 - before.shanten(self.melds).number();
            if lost > 0 {
                add(STEP_BACK + usize::from(lost > 1), 1.0);
            }
        }
        if tiles.counts[kind.index()] > 0 {
            add(TEDASHI + 3 * near, 1.0);
        }
        for (part, steps) in [(1, 1), (2, 2)] {
            if tiles.has(kind, steps) || tiles.has(kind, -steps) {
                add(TEDASHI + 3 * near + part, 1.0);
            }
        }
    }

    /// Calls `add` with the features of the waits of a tenpai hand.
    fn add_waits(&self, tiles: &Tiles, mut add: impl FnMut(usize, f32)) {
        let waits = tiles.waits(self.melds);
        let kinds = (waits.len() as usize).clamp(1, 3);
        add(WAIT_KINDS + kinds - 1, 1.0);
        let left = |kind: TileKind| {
            usize::from(self.unseen[kind.index()].saturating_sub(tiles.counts[kind.index()]))
        };
        let left: usize = waits.iter().map(left).sum();
        add(WAIT_TILES + left.div_ceil(2).min(4), 1.0);
        for (part, kinds) in [self.discarded, self.history.passed].into_iter().enumerate() {
            if waits.intersects(kinds) {
                add(FURITEN + part, 1.0);
            }
        }
    }

    /// The number of kinds that are in the hand's waits or in the shown waits, but not in both.
    pub(super) fn mismatch(&self, tiles: &Tiles) -> u32 {
        let waits = tiles.waits(self.melds);
        ((waits - self.shown_waits) | (self.shown_waits - waits)).len()
    }

    /// Calls `add` with the number and the value of every feature of a hand.
    pub fn features(&self, hand: &Concealed, mut add: impl FnMut(usize, f32)) {
        let tiles = Tiles::from(hand);
        for kind in hand.kinds().iter() {
            self.add_kind(kind, hand.count(kind), &mut add);
        }
        if self.state != HandState::Riichi && hand.red_count() > 0 {
            add(RED, f32::from(hand.red_count()));
        }
        self.add_hand(&tiles, add);
    }
}

impl KindEvidence {
    const NONE: KindEvidence =
        KindEvidence { first: 0, is_dora: false, flush: None, against_tanyao: false, not_called: None };
}

/// What a player's discards, and those of the other players, show about the player's hand.
#[derive(Clone, Debug)]
struct DiscardHistory {
    /// The number of discards, at the declaration for a player in riichi.
    turn: usize,
    /// Tsumogiri since the hand last changed, at the declaration for a player in riichi.
    unchanged: usize,
    /// The last discard from the hand.
    tedashi: Option<TileKind>,
    /// The kinds of the first tsumogiri that `unchanged` counts.
    drawn: [TileKind; MAX_DRAWN],
    /// The kinds that passed since the hand last changed, or since the riichi.
    passed: TileSet,
    /// The kinds of the early discards.
    early: TileSet,
    /// The kinds of the later discards.
    late: TileSet,
    /// The kinds that another player discarded and this one did not call.
    not_called: TileSet,
}

impl DiscardHistory {
    fn new(o: &Observation<'_>, seat: Seat) -> DiscardHistory {
        let mut river = DiscardHistory {
            turn: 0,
            unchanged: 0,
            tedashi: None,
            drawn: [TileKind::EAST; MAX_DRAWN],
            passed: TileSet::EMPTY,
            early: TileSet::EMPTY,
            late: TileSet::EMPTY,
            not_called: TileSet::EMPTY,
        };
        let mut in_riichi = false;
        // The tile on offer can still be called.
        let settled = o.discards().len() - usize::from(o.phase() == Phase::Claim);
        for (at, discard) in o.discards().iter().enumerate() {
            let kind = discard.tile.kind();
            if discard.seat != seat {
                if at < settled {
                    river.passed.insert(kind);
                    if discard.claimed_by.is_none() && !in_riichi {
                        river.not_called.insert(kind);
                    }
                }
                continue;
            }
            if in_riichi {
                // The tile drawn in riichi did not win.
                river.passed.insert(kind);
                continue;
            }
            let group = if river.turn < EARLY { &mut river.early } else { &mut river.late };
            group.insert(kind);
            river.turn += 1;
            if discard.tsumogiri {
                if let Some(place) = river.drawn.get_mut(river.unchanged) {
                    *place = kind;
                }
                river.unchanged += 1;
            } else {
                river.tedashi = Some(kind);
                river.unchanged = 0;
                river.passed = TileSet::EMPTY;
            }
            if discard.riichi {
                in_riichi = true;
                river.passed = TileSet::EMPTY;
            }
        }
        river
    }

    /// The relation of a kind to the player's discards.
    fn relation(&self, kind: TileKind) -> Relation {
        if self.early.contains(kind) {
            return Relation::Early;
        }
        if self.late.contains(kind) {
            return Relation::Late;
        }
        if kind.is_honour() {
            return Relation::None;
        }
        let in_suit = |kinds: TileSet| kinds.suit_bits(kind.suit() as usize);
        let rank = u32::from(kind.rank()) - 1;
        let mut found = Relation::None;
        let mut see = |relation: Relation| {
            if found == Relation::None || relation < found {
                found = relation;
            }
        };
        let near = |other: u32| rank.abs_diff(other);
        for other in (0..9).filter(|other| in_suit(self.early) >> other & 1 != 0) {
            let is_outside = rank < other && other <= 4 || rank > other && other >= 4;
            match (is_outside, near(other)) {
                (true, 1) => see(Relation::OutsideNext),
                (true, _) => see(Relation::Outside),
                (false, 1) => see(Relation::InsideNext),
                (false, 2) => see(Relation::InsideGap),
                _ => {}
            }
        }
        for other in (0..9).filter(|other| in_suit(self.late) >> other & 1 != 0) {
            if near(other) <= 2 {
                see(Relation::LateNear);
            }
        }
        found
    }
}

/// The index of a kind's type: valued honours, other winds, terminals, 2 and 8, 3 and 7, 4–6.
fn kind_type(kind: TileKind, valued: TileSet) -> usize {
    if kind.is_honour() {
        return usize::from(!valued.contains(kind));
    }
    match kind.rank().min(10 - kind.rank()) {
        1 => 2,
        2 => 3,
        3 => 4,
        _ => 5,
    }
}
