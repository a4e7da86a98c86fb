//! Random tiles for the hands that a position does not show.

use super::Position;
use super::order::{Order, Step};
use crate::own_view::is_tenpai;
use crate::random::Rng;
use crate::rules::FieldProblem;
use crate::wall::Wall;
use crate::{BySeat, Concealed, Melds, Rules, Seat, Tile, TileKind, TileSet};

/// The number of attempts to find a tenpai hand for a player in riichi. Late in a hand of two players,
/// all of them may fail.
const ATTEMPTS: usize = 5_000;
/// Without melds, one attempt in this many builds seven pairs.
const PAIRS_ONE_IN: usize = 10;

/// The hidden hands of a position.
pub(super) struct HiddenHands<'a> {
    position: &'a Position,
    /// The concealed tiles of hidden players in riichi. None for other players, and if no tenpai hand was
    /// found.
    tenpai: BySeat<Option<Vec<Tile>>>,
    /// The tiles that no hand has yet, in random order.
    pool: Vec<Tile>,
}

impl<'a> HiddenHands<'a> {
    /// Draws the hands of the hidden players in riichi.
    pub(super) fn new(position: &'a Position, order: Order<'_>, rng: &mut Rng) -> HiddenHands<'a> {
        let players = position.rules.players;
        let mut pool = unseen_tiles(position);
        rng.shuffle(&mut pool);
        let mut hidden = HiddenHands { position, tenpai: BySeat::from_fn(players, |_| None), pool };
        for seat in players.seats() {
            if position.players[seat].hand.is_none()
                && let Some(riichi) = in_riichi(position, order, seat)
            {
                hidden.tenpai[seat] = riichi.hand(&mut hidden.pool, &position.rules, ATTEMPTS, rng);
            }
        }
        // Taking the hands in riichi out of the pool has changed its order.
        rng.shuffle(&mut hidden.pool);
        hidden
    }

    /// Takes the concealed tiles of a hidden player. Fails if no tenpai hand was found for a player in
    /// riichi.
    pub(super) fn take(&mut self, seat: Seat) -> Result<Vec<Tile>, FieldProblem> {
        let player = &self.position.players[seat];
        if let Some(tiles) = self.tenpai[seat].take() {
            return Ok(tiles);
        }
        if player.declares_riichi() {
            let what = "found a riichi, but the unseen tiles make no tenpai hand";
            return Err(self.position.wrong(seat, "river", what));
        }
        let count = 13 - 3 * player.melds.len();
        Ok(self.pool.split_off(self.pool.len().saturating_sub(count)))
    }
}

/// A tenpai hand of thirteen orphans, which [`complete_hand`] does not build. None if the pool has none.
fn thirteen_orphans(pool: &[Tile]) -> Option<Vec<Tile>> {
    let count = |kind: &TileKind| pool.iter().filter(|tile| tile.kind() == *kind).count();
    let mut kinds: Vec<TileKind> = TileSet::YAOCHUU.iter().filter(|kind| count(kind) > 0).collect();
    if kinds.len() == 12 {
        kinds.push(kinds.iter().copied().find(|kind| count(kind) > 1)?);
    }
    tiles_of(pool, &kinds).filter(|tiles| tiles.len() == 13)
}

/// Tiles of the pool of these kinds. None if it has too few.
fn tiles_of(pool: &[Tile], kinds: &[TileKind]) -> Option<Vec<Tile>> {
    let mut left = pool.to_vec();
    let mut take = |kind: &TileKind| {
        let at = left.iter().position(|tile| tile.kind() == *kind)?;
        Some(left.swap_remove(at))
    };
    kinds.iter().map(&mut take).collect()
}

/// The tiles that the position does not show.
pub(super) fn unseen_tiles(position: &Position) -> Vec<Tile> {
    let mut left = Wall::copies(&position.rules);
    for (tile, _) in position.shown() {
        left[tile.index()] = left[tile.index()].saturating_sub(1);
    }
    let copies = Tile::all().zip(left);
    copies.flat_map(|(tile, copies)| std::iter::repeat_n(tile, usize::from(copies))).collect()
}

/// What an order of turns says about the hand of a player in riichi. None if they are not in riichi.
fn in_riichi(position: &Position, order: Order<'_>, seat: Seat) -> Option<InRiichi> {
    let melds = position.players[seat].melds.iter().map(|declared| declared.meld).collect();
    let mut riichi = InRiichi { melds, safe: TileSet::EMPTY, kans: Vec::new() };
    let (mut in_riichi, last) = (false, order.steps.len().saturating_sub(1));
    for (index, step) in order.steps.iter().enumerate() {
        match step {
            Step::Discard { seat: other, dropped, .. } => {
                in_riichi |= *other == seat && dropped.riichi;
                // The player may still win on the last discard.
                if *other == seat || in_riichi && index < last {
                    riichi.safe.insert(dropped.tile.kind());
                }
            }
            Step::Kan { seat: other, declared } if in_riichi && *other == seat => {
                riichi.kans.push(declared.meld.low());
            }
            Step::Kan { declared, .. } if in_riichi && index < last => {
                declared.added.into_iter().for_each(|tile| riichi.safe.insert(tile.kind()));
            }
            _ => {}
        }
    }
    in_riichi.then_some(riichi)
}

/// What is known about the hidden hand of a player in riichi.
#[derive(Clone, Debug)]
pub struct InRiichi {
    /// The melds, including the ankans declared in riichi.
    pub melds: Melds,
    /// The kinds on which the player would be furiten.
    pub safe: TileSet,
    /// The kinds of the ankans that the player declared in riichi.
    pub kans: Vec<TileKind>,
}

impl InRiichi {
    /// Takes a random tenpai hand out of the pool, beside the melds. None if none of the `attempts`
    /// is tenpai, and the pool has no thirteen orphans. The first tenth of the attempts need a wait with
    /// an unseen tile. The first fifth look for a hand that is not furiten; after them, a furiten one is
    /// taken, too.
    pub fn hand(
        &self,
        pool: &mut Vec<Tile>,
        rules: &Rules,
        attempts: usize,
        rng: &mut Rng,
    ) -> Option<Vec<Tile>> {
        let InRiichi { melds, safe, .. } = self;
        let kinds: Vec<TileKind> = rules.kinds().iter().collect();
        let mut found = None;
        for attempt in 0..attempts {
            if attempt >= attempts / 5 && found.is_some() {
                break;
            }
            let mut counts = [0; TileKind::COUNT];
            pool.iter().for_each(|tile| counts[tile.kind().index()] += 1);
            // A lent tile lets the hand wait on a kind of which no tile is unseen.
            let lent = (attempt >= attempts / 10).then(|| kinds[rng.below(kinds.len())]);
            lent.into_iter().for_each(|kind| counts[kind.index()] += 1);
            let Some(mut hand) = complete_hand(counts, 4 - melds.len(), rng) else { continue };
            // The hand waits for the tile taken out: the lent one, which is not in the pool, or a random one.
            let at = lent.and_then(|lent| hand.iter().position(|kind| *kind == lent));
            hand.swap_remove(at.unwrap_or_else(|| rng.below(hand.len())));
            let Some(tiles) = tiles_of(pool, &hand) else { continue };
            let concealed: Concealed = tiles.iter().copied().collect();
            let waits = concealed.waits(melds.len());
            let is_tenpai = is_tenpai(&concealed, waits, melds, rules);
            if waits.is_empty() || !is_tenpai || !self.allows_kans(&concealed, waits, melds.len()) {
                continue;
            }
            let is_furiten = waits.intersects(*safe);
            found = Some(tiles);
            if !is_furiten {
                break;
            }
        }
        let tiles = found.or_else(|| thirteen_orphans(pool).filter(|_| melds.is_empty()))?;
        for tile in &tiles {
            let at = pool.iter().position(|other| other == tile)?;
            pool.swap_remove(at);
        }
        Some(tiles)
    }

    /// Whether the ankans left the waits and the shape of this hand as they were.
    fn allows_kans(&self, concealed: &Concealed, waits: TileSet, melds: usize) -> bool {
        let mut before = *concealed;
        for kind in &self.kans {
            let is_near = |steps: i8| kind.offset(steps).is_some_and(|near| concealed.kinds().contains(near));
            if [-2, -1, 1, 2].into_iter().any(is_near) {
                return false;
            }
            (0..3).for_each(|_| before.add(Tile::plain(*kind)));
        }
        self.kans.is_empty() || before.waits(melds - self.kans.len()) == waits
    }
}

/// Random kinds that make this many sets and a pair, or seven pairs. None if there are too few.
fn complete_hand(mut counts: Counts, sets: usize, rng: &mut Rng) -> Option<Vec<TileKind>> {
    let mut hand = Vec::with_capacity(14);
    if sets == 4 && rng.below(PAIRS_ONE_IN) == 0 {
        for _ in 0..7 {
            let kind = choose(&counts, |counts, kind| counts[kind.index()].saturating_sub(1), rng)?;
            counts[kind.index()] = 0;
            hand.extend([kind; 2]);
        }
        return Some(hand);
    }
    for _ in 0..sets {
        let is_sequence = |counts: &Counts, kind: TileKind| ways_of_sequence(counts, kind);
        let is_triplet = |counts: &Counts, kind: TileKind| ways_of(counts[kind.index()], 3);
        let ways = |ways: &dyn Fn(&Counts, TileKind) -> usize| -> usize {
            TileKind::all().map(|kind| ways(&counts, kind)).sum()
        };
        let (sequences, triplets) = (ways(&is_sequence), ways(&is_triplet));
        let kinds = if rng.below(sequences + triplets) < sequences {
            let low = choose(&counts, is_sequence, rng)?;
            [low, low.offset(1)?, low.offset(2)?]
        } else {
            [choose(&counts, is_triplet, rng)?; 3]
        };
        kinds.iter().for_each(|kind| counts[kind.index()] -= 1);
        hand.extend(kinds);
    }
    let pair = choose(&counts, |counts, kind| ways_of(counts[kind.index()], 2), rng)?;
    hand.extend([pair; 2]);
    Some(hand)
}

/// The number of tiles of each kind.
type Counts = [usize; TileKind::COUNT];

/// The number of ways to choose 2 or 3 of this many tiles.
const fn ways_of(count: usize, chosen: usize) -> usize {
    let pairs = count * count.saturating_sub(1) / 2;
    if chosen == 2 { pairs } else { pairs * count.saturating_sub(2) / 3 }
}

/// The number of ways to choose the tiles of a sequence.
fn ways_of_sequence(counts: &Counts, low: TileKind) -> usize {
    let tiles = [Some(low), low.offset(1), low.offset(2)];
    tiles.into_iter().map(|kind| kind.map_or(0, |kind| counts[kind.index()])).product()
}

/// A random kind with these weights. None if all are 0.
fn choose(counts: &Counts, weight: impl Fn(&Counts, TileKind) -> usize, rng: &mut Rng) -> Option<TileKind> {
    let total: usize = TileKind::all().map(|kind| weight(counts, kind)).sum();
    let mut left = rng.below(total);
    TileKind::all().find(|kind| {
        let weight = weight(counts, *kind);
        let is_it = left < weight;
        left = left.saturating_sub(weight);
        is_it
    })
}
