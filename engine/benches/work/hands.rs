//! Hands in turn: 13 tiles and one that is drawn.

use std::iter;

use jantaku_engine::{Concealed, Rng, Tile, TileCounts, TileKind};

/// Which hands.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// As they are dealt: 3 or 4 away from tenpai.
    Uniform,
    /// Played towards tenpai until they are tenpai or, every second one, 1 away from it.
    NearTenpai,
}

/// A hand of 13 tiles, what is drawn, and what is discarded then.
pub struct Turn {
    /// The 13 tiles.
    pub before: TileCounts,
    /// The draw.
    pub drawn: TileKind,
    /// The discard.
    pub discarded: TileKind,
}

impl Turn {
    /// The 14 tiles.
    pub fn with_draw(&self) -> TileCounts {
        let mut counts = self.before;
        counts.add(self.drawn);
        counts
    }
}

/// So many turns, the same for the same seed.
pub fn turns(kind: Kind, count: usize, seed: u64) -> Vec<Turn> {
    let mut rng = Rng::new(seed);
    let wanted = |i: usize| match kind {
        Kind::Uniform => i8::MAX,
        Kind::NearTenpai => (i % 2) as i8,
    };
    (0..count)
        .map(|i| iter::repeat_with(|| walk(wanted(i), &mut rng)).flatten().next().expect("endless"))
        .collect()
}

/// Draws and discards from a shuffled set until the hand is as near to tenpai as wanted. Discards any of the tiles that leave the least shanten.
/// None of a hand that still waits for tiles that are gone when the set is.
fn walk(wanted: i8, rng: &mut Rng) -> Option<Turn> {
    let mut wall: Vec<TileKind> = TileKind::all().flat_map(|kind| [kind; 4]).collect();
    rng.shuffle(&mut wall);
    let mut hand: Concealed = wall.drain(..13).map(Tile::plain).collect();
    for drawn in wall {
        let before = hand;
        hand.add(Tile::plain(drawn));
        let discarded = best_discard(&hand, rng);
        if before.shanten(0).number() <= wanted {
            return Some(Turn { before: before.counts(), drawn, discarded });
        }
        hand.remove(Tile::plain(discarded));
    }
    None
}

fn best_discard(hand: &Concealed, rng: &mut Rng) -> TileKind {
    let after = |kind: &TileKind| {
        let mut rest = *hand.tracker();
        rest.remove(*kind);
        rest.shanten(0)
    };
    let least = hand.kinds().iter().map(|kind| after(&kind)).min().expect("a hand has tiles");
    let best: Vec<TileKind> = hand.kinds().iter().filter(|kind| after(kind) == least).collect();
    best[rng.below(best.len())]
}
