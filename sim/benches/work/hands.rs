//! Turns: hands of 13 tiles with a draw and a discard.

use std::iter;

use jantaku_engine::{Concealed, Rng, Tile, TileCounts, TileKind};

/// A kind of hands.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Dealt hands, mostly of shanten 3 or 4.
    Uniform,
    /// Hands played towards tenpai: alternately tenpai and shanten 1.
    NearTenpai,
}

/// A hand of 13 tiles with the next draw and discard.
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

/// `count` turns. The same seed gives the same turns.
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

/// Draws and discards from a shuffled wall until the hand has at most the wanted shanten.
///
/// Each discard is a random one of lowest shanten. None if the wall ends first.
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

/// A random discard of lowest shanten.
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
