//! Samples the hidden tiles by a Markov chain.

use std::ops::Range;

use jantaku_engine::{HiddenTiles, Observation, Rng, Round, Seat, Tile, TileKind};

use super::evidence::{Evidence, Tiles};
use super::features::{HandState, RED};
use super::tenpai::{Exchange, Tenpai};
use super::weights::Weights;

/// The number of proposals for each opponent in a chain.
const STEPS: usize = 120;
/// The maximum number of random tenpai hands tried to find one with the waits that an open riichi
/// shows.
const SHOWN_ATTEMPTS: usize = 4000;
/// The weight for each kind that is in a hand's waits or in the shown waits, but not in both.
const MISMATCH: f32 = -10.0;
/// The possible numbers of copies of a kind in a hand, 0–4.
const COPIES: usize = 5;
/// The maximum number of hidden tiles.
const MAX: usize = 140;

/// The distribution of the hidden tiles in one decision, given what the player has seen.
#[derive(Clone, Debug)]
pub struct HandInference<'a> {
    weights: &'a Weights,
    hidden: HiddenTiles,
    /// Players in riichi come first; among them, those who show their waits.
    opponents: Vec<Opponent>,
    /// The index of the first wall tile in a [`Chain`].
    wall: usize,
}

#[derive(Clone, Debug)]
struct Opponent {
    evidence: Evidence,
    /// The indices of the hand's tiles in a [`Chain`].
    places: Range<usize>,
    /// The number of further tiles in the hand, such as one just drawn.
    more: usize,
    /// The weight of each kind by its number of copies.
    kind_weights: [[f32; COPIES]; TileKind::COUNT],
    /// The weight of a red five.
    red: f32,
}

/// A determinization: all hidden tiles, in the order that [`Observation::complete`] takes.
#[derive(Clone, Debug)]
pub struct World {
    tiles: [Tile; MAX],
    len: usize,
}

impl World {
    /// The tiles.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles[..self.len]
    }

    /// The round with these hidden tiles.
    pub fn complete(&self, o: &Observation<'_>) -> Round {
        o.complete(self.tiles())
    }
}

/// The state of a Markov chain.
struct Chain {
    tiles: [Tile; MAX],
    hands: [Tiles; 3],
    /// The groups of the hands in riichi.
    tenpai: [Option<Tenpai>; 3],
    /// The weight of each hand as a whole.
    hand_weights: [f32; 3],
    /// The number of tiles of each kind in the wall.
    wall: [u8; TileKind::COUNT],
}

impl<'a> HandInference<'a> {
    /// The distribution for the player who decides.
    pub fn new(weights: &'a Weights, o: &Observation<'_>) -> HandInference<'a> {
        HandInference::after_riichi(weights, o, None)
    }

    /// The distribution for the player who decides. The player `declared` counts as in riichi, although
    /// their declaration is not accepted yet.
    pub fn after_riichi(
        weights: &'a Weights,
        o: &Observation<'_>,
        declared: Option<Seat>,
    ) -> HandInference<'a> {
        let hidden = o.hidden();
        let mut seats: Vec<Evidence> =
            o.rules().players.others(o.seat()).map(|seat| Evidence::new(o, seat)).collect();
        let declares = |evidence: &&mut Evidence| Some(evidence.seat) == declared;
        seats.iter_mut().filter(declares).for_each(|evidence| evidence.state = HandState::Riichi);
        seats.sort_by_key(|evidence| (evidence.state != HandState::Riichi, evidence.shown_waits.is_empty()));
        let mut wall = 0;
        let opponents = seats.into_iter().map(|evidence| {
            let len = 13 - 3 * evidence.melds;
            let places = wall..wall + len;
            wall += len;
            let more = hidden.in_hand(evidence.seat) - len;
            Opponent::new(evidence, places, more, weights)
        });
        let opponents = opponents.collect();
        HandInference { weights, hidden, opponents, wall }
    }

    /// The evidence about each opponent, players in riichi first.
    pub fn evidence(&self) -> impl Iterator<Item = &Evidence> {
        self.opponents.iter().map(|opponent| &opponent.evidence)
    }

    /// Samples a world.
    pub fn sample(&self, rng: &mut Rng) -> World {
        let mut chain = self.start(rng);
        for _ in 0..STEPS {
            for (at, opponent) in self.opponents.iter().enumerate() {
                match chain.tenpai[at] {
                    Some(tenpai) => self.regroup(&mut chain, at, opponent, &tenpai, rng),
                    None => self.exchange(&mut chain, at, opponent, rng),
                }
            }
        }
        self.world(&chain)
    }

    /// The start of a chain: a random world in which players in riichi are tenpai.
    fn start(&self, rng: &mut Rng) -> Chain {
        let all = self.hidden.tiles();
        let mut tiles = [Tile::plain(TileKind::EAST); MAX];
        tiles[..all.len()].copy_from_slice(all);
        let mut left = [0; TileKind::COUNT];
        all.iter().for_each(|tile| left[tile.kind().index()] += 1);
        let mut chain =
            Chain { tiles, hands: [Tiles::EMPTY; 3], tenpai: [None; 3], hand_weights: [0.0; 3], wall: left };
        let mut fixed = 0;
        for (at, opponent) in self.opponents.iter().enumerate() {
            // Players in riichi come first.
            if opponent.evidence.state != HandState::Riichi {
                break;
            }
            let Some(tenpai) = opponent.tenpai(self.weights, &mut chain.wall, rng) else { break };
            let mut place = opponent.places.start;
            for kind in tenpai.tiles() {
                let from = chain.pick(place..all.len(), kind, rng);
                chain.tiles.swap(place, from);
                place += 1;
            }
            fixed = place;
            chain.tenpai[at] = Some(tenpai);
        }
        rng.shuffle(&mut chain.tiles[fixed..all.len()]);
        chain.wall = [0; TileKind::COUNT];
        chain.tiles[self.wall..all.len()].iter().for_each(|tile| chain.wall[tile.kind().index()] += 1);
        for (at, opponent) in self.opponents.iter().enumerate() {
            for tile in &chain.tiles[opponent.places.clone()] {
                chain.hands[at].add(tile.kind());
            }
            chain.hand_weights[at] = opponent.hand_weight(self.weights, &chain.hands[at]);
        }
        chain
    }

    /// Proposes to exchange a tile of a hand for one of the wall.
    #[inline]
    fn exchange(&self, chain: &mut Chain, at: usize, opponent: &Opponent, rng: &mut Rng) {
        let place = opponent.places.start + rng.below(opponent.places.len());
        let from = self.wall + rng.below(self.hidden.tiles().len() - self.wall);
        let [given, taken] = [chain.tiles[place], chain.tiles[from]];
        let [old, new] = [given, taken].map(Tile::kind);
        let hand = &chain.hands[at];
        let reds = f32::from(i8::from(taken.is_red()) - i8::from(given.is_red()));
        let mut change = opponent.red * reds;
        if old == new {
            if accepts(change, rng) {
                chain.tiles.swap(place, from);
            }
            return;
        }
        let [gives, takes] = [old, new].map(|kind| usize::from(hand.counts[kind.index()]));
        let [of_old, of_new] = [old, new].map(|kind| &opponent.kind_weights[kind.index()]);
        change += of_old[gives - 1] - of_old[gives] + of_new[takes + 1] - of_new[takes];
        let mut next = *hand;
        next.remove(old);
        next.add(new);
        let weight = opponent.hand_weight(self.weights, &next);
        if accepts(change + weight - chain.hand_weights[at], rng) {
            chain.tiles.swap(place, from);
            chain.hands[at] = next;
            chain.hand_weights[at] = weight;
            chain.wall[old.index()] += 1;
            chain.wall[new.index()] -= 1;
        }
    }

    /// Proposes a different group, or a different missing tile, for a tenpai hand.
    #[inline]
    fn regroup(&self, chain: &mut Chain, at: usize, opponent: &Opponent, tenpai: &Tenpai, rng: &mut Rng) {
        let Some((new, exchange, proposed)) = tenpai.propose(rng) else { return };
        if exchange.is_impossible(&chain.wall) {
            return;
        }
        let (mut hand, mut wall) = (chain.hands[at], chain.wall);
        let Some((worlds, of_kinds)) = exchange.apply(&mut hand, &mut wall, &opponent.kind_weights) else {
            return;
        };
        if hand.tracker.shanten(opponent.evidence.melds).number() != 0 {
            return;
        }
        let weight = opponent.hand_weight(self.weights, &hand);
        let change = of_kinds + weight - chain.hand_weights[at] + (worlds * proposed).ln();
        if accepts(change, rng) {
            let Exchange { given, taken, len } = exchange;
            for (given, taken) in given.iter().zip(taken).take(len) {
                let place = chain.pick(opponent.places.clone(), *given, rng);
                let from = chain.pick(self.wall..self.hidden.tiles().len(), taken, rng);
                chain.tiles.swap(place, from);
            }
            chain.hands[at] = hand;
            chain.wall = wall;
            chain.hand_weights[at] = weight;
            chain.tenpai[at] = Some(new);
        }
    }

    /// The world in the order of seats.
    fn world(&self, chain: &Chain) -> World {
        let all = self.hidden.tiles().len();
        let mut world = World { tiles: chain.tiles, len: all };
        let (mut to, mut rest) = (0, self.wall);
        for seat in (0..4).filter_map(Seat::new) {
            for opponent in self.opponents.iter().filter(|opponent| opponent.evidence.seat == seat) {
                let more = rest..rest + opponent.more;
                rest += opponent.more;
                for from in opponent.places.clone().chain(more) {
                    world.tiles[to] = chain.tiles[from];
                    to += 1;
                }
            }
        }
        world.tiles[to..all].copy_from_slice(&chain.tiles[rest..all]);
        world
    }
}

impl Opponent {
    fn new(evidence: Evidence, places: Range<usize>, more: usize, weights: &Weights) -> Opponent {
        let of = weights.of(evidence.state);
        let mut kind_weights = [[0.0; COPIES]; TileKind::COUNT];
        for kind in TileKind::all() {
            for (copies, weight) in kind_weights[kind.index()].iter_mut().enumerate() {
                evidence.add_kind(kind, copies, |feature, value| *weight += of[feature] * value);
            }
        }
        let red = if evidence.state == HandState::Riichi { 0.0 } else { of[RED] };
        Opponent { evidence, places, more, kind_weights, red }
    }

    /// The weight of a hand as a whole.
    #[inline]
    fn hand_weight(&self, weights: &Weights, tiles: &Tiles) -> f32 {
        let of = weights.of(self.evidence.state);
        let mut sum = 0.0;
        self.evidence.add_hand(tiles, |feature, value| sum += of[feature] * value);
        if !self.evidence.shown_waits.is_empty() {
            sum += MISMATCH * self.evidence.mismatch(tiles) as f32;
        }
        sum
    }

    /// Takes a random tenpai hand from these tiles. After open riichi it has the shown waits, if such a
    /// hand is found. A hand of thirteen orphans never is, because it has no groups. None if
    /// no hand is found.
    fn tenpai(&self, weights: &Weights, left: &mut [u8; TileKind::COUNT], rng: &mut Rng) -> Option<Tenpai> {
        let sets = 4 - self.evidence.melds;
        let mut random = |left: &mut [u8; TileKind::COUNT]| {
            let is_pairs = sets == 4 && rng.uniform_f32() < weights.seven_pairs;
            Tenpai::random((!is_pairs).then_some(sets), left, rng)
        };
        if self.evidence.shown_waits.is_empty() {
            return random(left);
        }
        let mut best: Option<(u32, Tenpai)> = None;
        for _ in 0..SHOWN_ATTEMPTS {
            let Some(tenpai) = random(&mut left.clone()) else { break };
            if best.is_some() && !self.evidence.shown_waits.contains(tenpai.missing()) {
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

impl Chain {
    /// The index of a random tile of this kind among the tiles at `places`, which must have one.
    fn pick(&self, places: Range<usize>, kind: TileKind, rng: &mut Rng) -> usize {
        let is_found = |place: &usize| self.tiles[*place].kind() == kind;
        let copies = places.clone().filter(is_found).count();
        places.filter(is_found).nth(rng.below(copies)).expect("the counts say that the tile is there")
    }
}

/// Whether the chain accepts a proposal (Metropolis–Hastings). `log_ratio` is the logarithm of the acceptance
/// ratio: the change of the weights, which are logarithms, and the correction for the proposal.
#[inline]
fn accepts(log_ratio: f32, rng: &mut Rng) -> bool {
    log_ratio >= 0.0 || rng.uniform_f32() < log_ratio.exp()
}
