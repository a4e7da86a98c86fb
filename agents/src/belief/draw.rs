//! Draws deals of the hidden tiles.

use std::ops::Range;

use jantaku_engine::{HiddenTiles, Observation, Rng, Round, Seat, Tile, TileKind};

use super::evidence::{Evidence, Tiles};
use super::features::{RED, State};
use super::tenpai::{Exchange, Tenpai};
use super::weights::Weights;

/// Exchanges that are tried for each opponent in a draw.
const STEPS: usize = 120;
/// The most tenpai hands that are tried for one with the waits that an open riichi shows.
const SHOWN_ATTEMPTS: usize = 4000;
/// The weight of each kind by which the waits of a hand differ from those shown.
const MISMATCH: f32 = -10.0;
/// Copies of one kind in one hand, 0–4.
const COPIES: usize = 5;
/// The most hidden tiles.
const MOST: usize = 140;

/// What a player may believe about the hidden tiles of one decision.
#[derive(Clone, Debug)]
pub struct Belief<'a> {
    weights: &'a Weights,
    hidden: HiddenTiles,
    /// Players in riichi come first, and of these, those who show their waits.
    opponents: Vec<Opponent>,
    /// The first tile of the wall in a [`Walk`].
    wall: usize,
}

#[derive(Clone, Debug)]
struct Opponent {
    evidence: Evidence,
    /// The places of the hand in a [`Walk`].
    places: Range<usize>,
    /// Tiles in the hand besides, which this player has just drawn or must discard.
    more: usize,
    /// The weight of so many copies of each kind.
    fields: [[f32; COPIES]; TileKind::COUNT],
    /// The weight of a red five.
    red: f32,
}

/// A deal of the hidden tiles, in the order of [`Observation::complete`].
#[derive(Clone, Debug)]
pub struct Deal {
    tiles: [Tile; MOST],
    len: usize,
}

impl Deal {
    /// The tiles.
    #[must_use]
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles[..self.len]
    }

    /// The hand in play with these tiles.
    #[must_use]
    pub fn complete(&self, o: &Observation<'_>) -> Round {
        o.complete(self.tiles())
    }
}

/// A deal on its way.
struct Walk {
    tiles: [Tile; MOST],
    hands: [Tiles; 3],
    /// The groups of players in riichi.
    tenpai: [Option<Tenpai>; 3],
    /// The weight of each hand as a whole.
    values: [f32; 3],
    /// Tiles of each kind in the wall.
    wall: [u8; TileKind::COUNT],
}

impl<'a> Belief<'a> {
    /// What the player who decides may believe.
    #[must_use]
    pub fn new(weights: &'a Weights, o: &Observation<'_>) -> Belief<'a> {
        let hidden = o.hidden();
        let mut seats: Vec<Evidence> =
            o.rules().players.others(o.seat()).map(|seat| Evidence::new(o, seat)).collect();
        seats.sort_by_key(|evidence| (evidence.state != State::Riichi, evidence.shown.is_empty()));
        let mut wall = 0;
        let opponents = seats.into_iter().map(|evidence| {
            let len = 13 - 3 * evidence.melds;
            let places = wall..wall + len;
            wall += len;
            let more = hidden.in_hand(evidence.seat) - len;
            Opponent::new(evidence, places, more, weights)
        });
        let opponents = opponents.collect();
        Belief { weights, hidden, opponents, wall }
    }

    /// What is known of each opponent, players in riichi first.
    pub fn evidence(&self) -> impl Iterator<Item = &Evidence> {
        self.opponents.iter().map(|opponent| &opponent.evidence)
    }

    /// Draws a deal.
    #[must_use]
    pub fn draw(&self, rng: &mut Rng) -> Deal {
        let mut walk = self.start(rng);
        for _ in 0..STEPS {
            for (at, opponent) in self.opponents.iter().enumerate() {
                match walk.tenpai[at] {
                    Some(tenpai) => self.regroup(&mut walk, at, opponent, &tenpai, rng),
                    None => self.exchange(&mut walk, at, opponent, rng),
                }
            }
        }
        self.deal(&walk)
    }

    /// A random deal in which players in riichi are tenpai.
    fn start(&self, rng: &mut Rng) -> Walk {
        let all = self.hidden.tiles();
        let mut tiles = [Tile::plain(TileKind::EAST); MOST];
        tiles[..all.len()].copy_from_slice(all);
        let mut left = [0; TileKind::COUNT];
        all.iter().for_each(|tile| left[tile.kind().index()] += 1);
        let mut walk =
            Walk { tiles, hands: [Tiles::EMPTY; 3], tenpai: [None; 3], values: [0.0; 3], wall: left };
        let mut fixed = 0;
        for (at, opponent) in self.opponents.iter().enumerate() {
            if opponent.evidence.state != State::Riichi {
                break;
            }
            let Some(tenpai) = opponent.tenpai(self.weights, &mut walk.wall, rng) else { break };
            let mut place = opponent.places.start;
            for kind in tenpai.tiles() {
                let from = walk.pick(place..all.len(), kind, rng);
                walk.tiles.swap(place, from);
                place += 1;
            }
            fixed = place;
            walk.tenpai[at] = Some(tenpai);
        }
        rng.shuffle(&mut walk.tiles[fixed..all.len()]);
        walk.wall = [0; TileKind::COUNT];
        walk.tiles[self.wall..all.len()].iter().for_each(|tile| walk.wall[tile.kind().index()] += 1);
        for (at, opponent) in self.opponents.iter().enumerate() {
            for tile in &walk.tiles[opponent.places.clone()] {
                walk.hands[at].add(tile.kind());
            }
            walk.values[at] = opponent.value(self.weights, &walk.hands[at]);
        }
        walk
    }

    /// Tries to exchange a tile of a hand for one of the wall.
    #[inline]
    fn exchange(&self, walk: &mut Walk, at: usize, opponent: &Opponent, rng: &mut Rng) {
        let place = opponent.places.start + rng.below(opponent.places.len());
        let from = self.wall + rng.below(self.hidden.tiles().len() - self.wall);
        let [given, taken] = [walk.tiles[place], walk.tiles[from]];
        let [old, new] = [given, taken].map(Tile::kind);
        let hand = &walk.hands[at];
        let reds = f32::from(i8::from(taken.is_red()) - i8::from(given.is_red()));
        let mut change = opponent.red * reds;
        if old == new {
            if accepts(change, rng) {
                walk.tiles.swap(place, from);
            }
            return;
        }
        let [gives, takes] = [old, new].map(|kind| usize::from(hand.counts[kind.index()]));
        let [of_old, of_new] = [old, new].map(|kind| &opponent.fields[kind.index()]);
        change += of_old[gives - 1] - of_old[gives] + of_new[takes + 1] - of_new[takes];
        let mut next = *hand;
        next.remove(old);
        next.add(new);
        let value = opponent.value(self.weights, &next);
        if accepts(change + value - walk.values[at], rng) {
            walk.tiles.swap(place, from);
            walk.hands[at] = next;
            walk.values[at] = value;
            walk.wall[old.index()] += 1;
            walk.wall[new.index()] -= 1;
        }
    }

    /// Tries another group in a tenpai hand.
    #[inline]
    fn regroup(&self, walk: &mut Walk, at: usize, opponent: &Opponent, tenpai: &Tenpai, rng: &mut Rng) {
        let Some((new, exchange, proposed)) = tenpai.propose(rng) else { return };
        if exchange.is_impossible(&walk.wall) {
            return;
        }
        let (mut hand, mut wall) = (walk.hands[at], walk.wall);
        let Some((deals, weight)) = exchange.apply(&mut hand, &mut wall, &opponent.fields) else { return };
        if hand.tracker.shanten(opponent.evidence.melds).number() != 0 {
            return;
        }
        let value = opponent.value(self.weights, &hand);
        let change = weight + value - walk.values[at] + (deals * proposed).ln();
        if accepts(change, rng) {
            let Exchange { given, taken, len } = exchange;
            for (given, taken) in given.iter().zip(taken).take(len) {
                let place = walk.pick(opponent.places.clone(), *given, rng);
                let from = walk.pick(self.wall..self.hidden.tiles().len(), taken, rng);
                walk.tiles.swap(place, from);
            }
            walk.hands[at] = hand;
            walk.wall = wall;
            walk.values[at] = value;
            walk.tenpai[at] = Some(new);
        }
    }

    /// The deal in the order of seats.
    fn deal(&self, walk: &Walk) -> Deal {
        let all = self.hidden.tiles().len();
        let mut deal = Deal { tiles: walk.tiles, len: all };
        let (mut to, mut rest) = (0, self.wall);
        for seat in (0..4).filter_map(Seat::new) {
            for opponent in self.opponents.iter().filter(|opponent| opponent.evidence.seat == seat) {
                let more = rest..rest + opponent.more;
                rest += opponent.more;
                for from in opponent.places.clone().chain(more) {
                    deal.tiles[to] = walk.tiles[from];
                    to += 1;
                }
            }
        }
        deal.tiles[to..all].copy_from_slice(&walk.tiles[rest..all]);
        deal
    }
}

impl Opponent {
    fn new(evidence: Evidence, places: Range<usize>, more: usize, weights: &Weights) -> Opponent {
        let of = weights.of(evidence.state);
        let mut fields = [[0.0; COPIES]; TileKind::COUNT];
        for kind in TileKind::all() {
            for (copies, weight) in fields[kind.index()].iter_mut().enumerate() {
                evidence.of_kind(kind, copies, |feature, value| *weight += of[feature] * value);
            }
        }
        let red = if evidence.state == State::Riichi { 0.0 } else { of[RED] };
        Opponent { evidence, places, more, fields, red }
    }

    /// The weight of a hand as a whole.
    #[inline]
    fn value(&self, weights: &Weights, tiles: &Tiles) -> f32 {
        let of = weights.of(self.evidence.state);
        let mut sum = 0.0;
        self.evidence.of_hand(tiles, |feature, value| sum += of[feature] * value);
        if !self.evidence.shown.is_empty() {
            sum += MISMATCH * self.evidence.mismatch(tiles) as f32;
        }
        sum
    }

    /// A random tenpai hand from these tiles, which it takes. It has the waits that an open riichi
    /// shows if such a hand is found: there is none for thirteen orphans.
    fn tenpai(&self, weights: &Weights, left: &mut [u8; TileKind::COUNT], rng: &mut Rng) -> Option<Tenpai> {
        let sets = 4 - self.evidence.melds;
        let mut random = |left: &mut [u8; TileKind::COUNT]| {
            let is_pairs = sets == 4 && uniform(rng) < weights.seven_pairs;
            Tenpai::random((!is_pairs).then_some(sets), left, rng)
        };
        if self.evidence.shown.is_empty() {
            return random(left);
        }
        let mut best: Option<(u32, Tenpai)> = None;
        for _ in 0..SHOWN_ATTEMPTS {
            let Some(tenpai) = random(&mut left.clone()) else { break };
            if best.is_some() && !self.evidence.shown.contains(tenpai.missing()) {
                continue;
            }
            let mut tiles = Tiles::EMPTY;
            tenpai.tiles().for_each(|kind| tiles.add(kind));
            let mismatch = self.evidence.mismatch(&tiles);
            if best.is_none_or(|(least, _)| mismatch < least) {
                best = Some((mismatch, tenpai));
            }
            if mismatch == 0 {
                break;
            }
        }
        let (_, tenpai) = best?;
        tenpai.tiles().for_each(|kind| left[kind.index()] -= 1);
        Some(tenpai)
    }
}

impl Walk {
    /// The place of a random tile of this kind. The tiles there have one.
    fn pick(&self, places: Range<usize>, kind: TileKind, rng: &mut Rng) -> usize {
        let is_found = |place: &usize| self.tiles[*place].kind() == kind;
        let copies = places.clone().filter(is_found).count();
        places.filter(is_found).nth(rng.below(copies)).expect("the counts tell that the tile is there")
    }
}

/// Whether a change of the weight is accepted.
#[inline]
fn accepts(change: f32, rng: &mut Rng) -> bool {
    change >= 0.0 || uniform(rng) < change.exp()
}

/// A number from 0 to 1.
#[inline]
fn uniform(rng: &mut Rng) -> f32 {
    (rng.next_u64() >> 40) as f32 * (1.0 / (1_u64 << 24) as f32)
}
