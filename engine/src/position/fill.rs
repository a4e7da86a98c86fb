//! Random discards for the rivers that a position does not give.

use super::hidden::unseen_tiles;
use super::{Dropped, Entry, Position, Wrong};
use crate::event::Event;
use crate::game::Game;
use crate::random::{Rng, hash};
use crate::{BySeat, Seat, Tile, TileSet};

/// Names the stream of the discards.
const STREAM: u64 = u64::from_le_bytes(*b"discards");
/// The number of random rivers that are tried.
const FILLS: u64 = 64;
/// The number of orders of calls that are tried for each.
const CALLS: u32 = 1_000;
/// A hand has fewer discards.
const MOST_DISCARDS: usize = 100;

/// The discards of each player from the deal: the tile if a meld claims it.
type Discards = BySeat<Vec<Option<Tile>>>;

impl Position {
    /// Plays the hand up to this turn of the player who decides. Random discards precede those of
    /// the given rivers.
    pub(super) fn play_filled(&self, turn: u8, seed: u64) -> Result<(Game, Vec<Event>), Wrong> {
        let mut refused = None;
        for fill in 0..FILLS {
            let mut rng = Rng::new(hash(&[seed, STREAM, fill]));
            let Some(filled) = self.filled(turn, &mut rng) else { continue };
            match filled.play_given(seed) {
                Ok(played) => return Ok(played),
                Err(wrong) => refused.get_or_insert(wrong),
            };
        }
        Err(refused.unwrap_or_else(|| {
            let name = self.name(self.seat);
            let what = format!(
                "found {turn}, but no random discards lead to this turn of {name} with the given rivers and melds; a claim needs the river that ends with the tile"
            );
            Wrong::new("turn", what)
        }))
    }

    /// The position with whole rivers. None if no order of calls was found that fits.
    fn filled(&self, turn: u8, rng: &mut Rng) -> Option<Position> {
        let fits = |_| self.discards_before(turn, rng).filter(|discards| self.fits(discards));
        let discards = (0..CALLS).find_map(fits)?;
        let mut pool = unseen_tiles(self);
        rng.shuffle(&mut pool);
        let own_waits = self.own_waits();
        let mut filled = Position { turn: None, ..self.clone() };
        for (seat, discards) in discards.enumerate() {
            let unknown = &discards[..discards.len() - self.players[seat].discards()];
            let mut river = Vec::new();
            for (number, claimed) in (1..).zip(unknown) {
                // A wait that another player has just discarded would make the player furiten, too.
                let is_own_or_last = seat == self.seat || number == unknown.len();
                let avoid = if is_own_or_last { own_waits } else { TileSet::EMPTY };
                let tile = match claimed {
                    Some(tile) => *tile,
                    None => early_discard(&mut pool, avoid)?,
                };
                let claimed = claimed.is_some();
                river.push(Entry::Discard(Dropped { tile, tsumogiri: false, riichi: false, claimed }));
            }
            river.extend(&self.players[seat].river);
            filled.players[seat].river = river;
        }
        Some(filled)
    }

    /// Random turns and calls up to the decision. None if they do not lead there.
    fn discards_before(&self, turn: u8, rng: &mut Rng) -> Option<Discards> {
        let players = self.rules.players;
        let held = self.players[self.seat].hand.as_ref()?;
        let asks_claim = held.drawn.is_none() && held.tiles.len() % 3 == 1;
        let mut discards: Discards = BySeat::from_fn(players, |_| Vec::new());
        let mut left = BySeat::from_fn(players, |seat| self.claims(seat));
        let (mut seat, mut has_drawn) = (self.dealer(), true);
        while discards.iter().map(Vec::len).sum::<usize>() < MOST_DISCARDS {
            let is_turn = discards[self.seat].len() + 1 >= usize::from(turn);
            let are_made = left.iter().all(Vec::is_empty);
            if is_turn && seat == self.seat {
                let is_asked = !asks_claim && has_drawn == held.drawn.is_some();
                return (is_asked && are_made).then_some(discards);
            }
            let caller = players
                .others(seat)
                .find(|caller| left[*caller].iter().any(|(_, from)| *from == seat) && rng.below(2) == 0);
            let claim = caller.and_then(|caller| {
                let at = left[caller].iter().position(|(_, from)| *from == seat)?;
                Some((caller, left[caller].remove(at).0))
            });
            discards[seat].push(claim.map(|(_, tile)| tile));
            let is_last = asks_claim && is_turn && claim.is_none() && are_made;
            if is_last && !self.players[seat].river.is_empty() {
                return Some(discards);
            }
            (seat, has_drawn) = claim.map_or((seat.next(players), true), |(caller, _)| (caller, false));
        }
        None
    }

    /// The tiles that a player claimed, and from whom.
    fn claims(&self, seat: Seat) -> Vec<(Tile, Seat)> {
        let claimed = self.players[seat].melds.iter().filter_map(|declared| declared.meld.claimed());
        claimed.map(|claimed| (claimed.tile, claimed.from)).collect()
    }

    /// Whether the given rivers can be the last ones of these discards.
    fn fits(&self, discards: &Discards) -> bool {
        self.players.enumerate().all(|(seat, player)| {
            let given = player.river.iter().filter_map(|entry| match entry {
                Entry::Discard(dropped) => Some(dropped.claimed.then_some(dropped.tile)),
                _ => None,
            });
            let given: Vec<Option<Tile>> = given.collect();
            discards[seat].ends_with(&given)
        })
    }

    /// The tiles that the player who decides waits on, after any discard. Discarding one would make
    /// them furiten.
    fn own_waits(&self) -> TileSet {
        let player = &self.players[self.seat];
        let Some(held) = &player.hand else { return TileSet::EMPTY };
        let tiles: Vec<Tile> = held.tiles.iter().chain(&held.drawn).copied().collect();
        let waits = |tiles: &[Tile]| {
            let hand: crate::Concealed = tiles.iter().copied().collect();
            hand.waits(player.melds.len())
        };
        if tiles.len() % 3 == 1 {
            return waits(&tiles);
        }
        let without = |at: usize| [&tiles[..at], &tiles[at + 1..]].concat();
        (0..tiles.len()).fold(TileSet::EMPTY, |all, at| all | waits(&without(at)))
    }
}

/// Takes a tile out of the pool: of two random ones, rather a terminal or honour, which players
/// discard first. None if the pool has no tile outside `avoid`.
fn early_discard(pool: &mut Vec<Tile>, avoid: TileSet) -> Option<Tile> {
    let allowed = pool.iter().enumerate().filter(|(_, tile)| !avoid.contains(tile.kind())).take(2);
    let (at, _) = allowed.max_by_key(|(_, tile)| TileSet::YAOCHUU.contains(tile.kind()))?;
    Some(pool.swap_remove(at))
}
