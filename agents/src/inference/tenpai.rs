//! Tenpai hands made of groups.

use jantaku_engine::{Rng, TileKind};

use super::evidence::Tiles;

/// A complete hand that lacks one tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tenpai {
    groups: [Group; 7],
    len: usize,
    /// The index of the group with the missing tile, and of the tile in the group.
    hole: (usize, usize),
}

/// A sequence, a triplet or a pair.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Group {
    kinds: [TileKind; 3],
    len: usize,
}

/// The tiles that a hand gives to the wall and takes from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exchange {
    pub(super) given: [TileKind; 3],
    pub(super) taken: [TileKind; 3],
    pub(super) len: usize,
}

/// The number of sequences in the three suits.
const SEQUENCES: usize = 21;
/// Each sequence is proposed this many times as often as each triplet.
const PER_TRIPLET: usize = 4;
/// The number of attempts to find tiles for a group, and for a hand.
const ATTEMPTS: usize = 64;

impl Group {
    const NONE: Group = Group { kinds: [TileKind::EAST; 3], len: 0 };

    /// A random sequence or triplet.
    fn set(rng: &mut Rng) -> Group {
        let number = rng.below(SEQUENCES * PER_TRIPLET + TileKind::COUNT);
        let kinds = match number.checked_sub(SEQUENCES * PER_TRIPLET) {
            Some(triplet) => [TileKind::from_index(triplet); 3],
            None => {
                let sequence = number / PER_TRIPLET;
                let low = 9 * (sequence / 7) + sequence % 7;
                [low, low + 1, low + 2].map(TileKind::from_index)
            }
        };
        Group { kinds, len: 3 }
    }

    /// A random pair.
    fn pair(rng: &mut Rng) -> Group {
        let kind = TileKind::from_index(rng.below(TileKind::COUNT));
        Group { kinds: [kind; 3], len: 2 }
    }

    const fn is_sequence(&self) -> bool {
        self.kinds[0].index() != self.kinds[1].index()
    }

    /// The relative rate at which [`Group::set`] or [`Group::pair`] proposes this group.
    const fn rate(&self) -> f32 {
        if self.is_sequence() { PER_TRIPLET as f32 } else { 1.0 }
    }

    /// The tiles without the one at this place.
    fn without(&self, hole: Option<usize>) -> impl Iterator<Item = TileKind> {
        self.kinds[..self.len]
            .iter()
            .enumerate()
            .filter(move |(at, _)| Some(*at) != hole)
            .map(|(_, kind)| *kind)
    }
}

impl Tenpai {
    /// Takes a random tenpai hand from these tiles: `sets` sets and a pair, or seven pairs without
    /// `sets`. None if no hand was found.
    pub(super) fn random(
        sets: Option<usize>,
        left: &mut [u8; TileKind::COUNT],
        rng: &mut Rng,
    ) -> Option<Tenpai> {
        (0..ATTEMPTS).find_map(|_| {
            let mut rest = *left;
            let found = Tenpai::attempt(sets, &mut rest, rng)?;
            *left = rest;
            Some(found)
        })
    }

    fn attempt(sets: Option<usize>, left: &mut [u8; TileKind::COUNT], rng: &mut Rng) -> Option<Tenpai> {
        let len = sets.map_or(7, |sets| sets + 1);
        let pairs = if sets.is_some() { 1 } else { 7 };
        let mut hand = Tenpai { groups: [Group::NONE; 7], len, hole: (0, 0) };
        let tiles = 3 * (len - pairs) + 2 * pairs;
        // The missing tile, counted from the first tile of the next group.
        let mut hole = rng.below(tiles);
        for at in 0..len {
            let size = if at < len - pairs { 3 } else { 2 };
            let here = (hole < size).then_some(hole);
            if let Some(place) = here {
                hand.hole = (at, place);
            }
            hole = if here.is_some() { usize::MAX } else { hole.wrapping_sub(size) };
            hand.groups[at] = (0..ATTEMPTS).find_map(|_| {
                let group = if size == 3 { Group::set(rng) } else { Group::pair(rng) };
                let is_new = sets.is_some() || !hand.groups[..at].contains(&group);
                let mut rest = *left;
                let found = is_new
                    && group.without(here).all(|kind| {
                        let tiles = &mut rest[kind.index()];
                        let is_left = *tiles > 0;
                        *tiles -= u8::from(is_left);
                        is_left
                    });
                if found {
                    *left = rest;
                }
                found.then_some(group)
            })?;
        }
        Some(hand)
    }

    /// The tiles of the hand.
    pub(super) fn tiles(&self) -> impl Iterator<Item = TileKind> {
        let (group, place) = self.hole;
        self.groups[..self.len]
            .iter()
            .enumerate()
            .flat_map(move |(at, found)| found.without((at == group).then_some(place)))
    }

    /// The kind of the missing tile, one of the waits.
    pub(super) const fn missing(&self) -> TileKind {
        let (group, place) = self.hole;
        self.groups[group].kinds[place]
    }

    /// Proposes a hand with a different group or a different missing tile. Returns it with the
    /// tiles that change, and the ratio of the proposal rates, backward to forward. None if the
    /// hand would be the same.
    pub(super) fn propose(&self, rng: &mut Rng) -> Option<(Tenpai, Exchange, f32)> {
        let at = rng.below(self.len);
        let old = self.groups[at];
        let mut new = *self;
        let mut exchange = Exchange { given: [TileKind::EAST; 3], taken: [TileKind::EAST; 3], len: 0 };
        if rng.below(4) == 0 {
            // A tile of the group `at` is missing instead of the current one.
            let place = rng.below(old.len);
            let (group, missing) = self.hole;
            exchange.given[0] = old.kinds[place];
            exchange.taken[0] = self.groups[group].kinds[missing];
            exchange.len = 1;
            new.hole = (at, place);
            // Each tile of a longer group is proposed less often.
            let ratio = old.len as f32 / self.groups[group].len as f32;
            return (new.hole != self.hole).then_some((new, exchange.reduced(), ratio));
        }
        let group = if old.len == 3 { Group::set(rng) } else { Group::pair(rng) };
        if group == old || self.len == 7 && self.groups.contains(&group) {
            return None;
        }
        new.groups[at] = group;
        let (mut here, mut there) = (None, None);
        if self.hole.0 == at {
            here = Some(self.hole.1);
            there = Some(rng.below(group.len));
            new.hole = (at, there.unwrap_or_default());
        }
        for (to, kind) in exchange.given.iter_mut().zip(old.without(here)) {
            *to = kind;
            exchange.len += 1;
        }
        exchange.taken.iter_mut().zip(group.without(there)).for_each(|(to, kind)| *to = kind);
        Some((new, exchange.reduced(), old.rate() / group.rate()))
    }
}

impl Exchange {
    /// Exchanges the tiles between hand and wall. Returns the ratio of the numbers of worlds with
    /// the new and the old counts, and the change of the kinds' weights. None if the wall lacks a
    /// tile; hand and wall are then invalid.
    #[inline]
    pub(super) fn apply(
        &self,
        hand: &mut Tiles,
        wall: &mut [u8; TileKind::COUNT],
        kind_weights: &[[f32; 5]; TileKind::COUNT],
    ) -> Option<(f32, f32)> {
        let (mut ratio, mut weight) = (1.0, 0.0);
        for kind in &self.given[..self.len] {
            let (kind, at) = (*kind, kind.index());
            let copies = usize::from(hand.counts[at]);
            weight += kind_weights[at][copies - 1] - kind_weights[at][copies];
            ratio *= copies as f32 / f32::from(wall[at] + 1);
            hand.remove(kind);
            wall[at] += 1;
        }
        for kind in &self.taken[..self.len] {
            let (kind, at) = (*kind, kind.index());
            if wall[at] == 0 {
                return None;
            }
            let copies = usize::from(hand.counts[at]);
            weight += kind_weights[at][copies + 1] - kind_weights[at][copies];
            ratio *= f32::from(wall[at]) / (copies + 1) as f32;
            hand.add(kind);
            wall[at] -= 1;
        }
        Some((ratio, weight))
    }

    /// Whether the wall lacks one of the tiles to take.
    #[inline]
    pub(super) fn is_impossible(&self, wall: &[u8; TileKind::COUNT]) -> bool {
        self.taken[..self.len].iter().any(|kind| wall[kind.index()] == 0)
    }

    /// The exchange without tiles that are both given and taken.
    fn reduced(mut self) -> Exchange {
        let mut at = 0;
        while at < self.len {
            match self.taken[..self.len].iter().position(|taken| *taken == self.given[at]) {
                Some(same) => {
                    self.len -= 1;
                    self.taken.swap(same, self.len);
                    self.given.swap(at, self.len);
                }
                None => at += 1,
            }
        }
        self
    }
}
