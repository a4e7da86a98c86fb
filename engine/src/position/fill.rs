//! Random discards for the rivers that a position does not give.

use super::hidden::unseen_tiles;
use super::{Dropped, Entry, Position, Wrong, many};
use crate::event::Event;
use crate::game::Game;
use crate::random::{Rng, hash};
use crate::wall::{DEAD, DEALT, Wall};
use crate::{BySeat, Seat, Suit, Tile, TileSet};

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
        self.check_turn_hand()?;
        let mut refused = None;
        for fill in 0..FILLS {
            let mut rng = Rng::new(hash(&[seed, STREAM, fill]));
            let Some(filled) = self.filled(turn, &mut rng) else { continue };
            match filled.play_given(seed) {
                Ok(played) => return Ok(played),
                Err(wrong) => refused.get_or_insert(wrong),
            };
        }
        let most = self.most_turns();
        if turn > most {
            let what = format!("found {turn}, expected at most {most}: then the wall ends");
            return Err(Wrong::new("turn", what));
        }
        Err(refused.unwrap_or_else(|| {
            let name = self.name(self.seat);
            let what = format!(
                "found {turn}, but no random discards lead to this turn of {name} with the given rivers and melds; a claim needs the river that ends with the tile"
            );
            Wrong::new("turn", what)
        }))
    }

    /// The turns of the player who decides until the wall ends, if nobody calls.
    fn most_turns(&self) -> u8 {
        let rules = &self.rules;
        let tiles: u32 = Wall::copies(rules).into_iter().map(u32::from).sum();
        let (players, before) = (rules.players, self.dealer().steps_to(self.seat, rules.players));
        let count = u32::from(players.count());
        let live = tiles.saturating_sub(DEAD as u32 + DEALT as u32 * count);
        live.saturating_sub(before.into()).div_ceil(count) as u8
    }

    /// Checks that the hand has a drawn tile, unless the player may have called or may claim a tile.
    fn check_turn_hand(&self) -> Result<(), Wrong> {
        let player = &self.players[self.seat];
        let Some(held) = player.hand.as_ref().filter(|held| held.drawn.is_none()) else { return Ok(()) };
        let mut others = self.rules.players.others(self.seat);
        let tiles = many(held.tiles.len(), "tile");
        let what = match held.tiles.len() % 3 {
            2 if self.claims(self.seat).is_empty() => {
                format!("found {tiles} without a drawn one: write the drawn tile after `+`, such as `+5m`")
            }
            1 if others.all(|seat| self.players[seat].river.is_empty()) => format!(
                "found {tiles}: write the drawn tile after `+`, such as `+5m`; to ask about a claim, give the \
                 river that ends with the tile"
            ),
            _ => return Ok(()),
        };
        Err(self.wrong(self.seat, "hand", what))
    }

    /// The position with whole rivers. None if no order of calls was found that fits.
    fn filled(&self, turn: u8, rng: &mut Rng) -> Option<Position> {
        let fits = |_| self.discards_before(turn, rng).filter(|discards| self.fits(discards));
        let discards = (0..CALLS).find_map(fits)?;
        let mut pool = unseen_tiles(self);
        rng.shuffle(&mut pool);
        let (own_waits, near) = (self.own_waits(), self.near_hand());
        let mut filled = Position { turn: None, ..self.clone() };
        for (seat, discards) in discards.enumerate() {
            let unknown = &discards[..discards.len() - self.players[seat].discards()];
            let mut river = Vec::new();
            for (number, claimed) in (1..).zip(unknown) {
                // A wait that another player has just discarded would make the player furiten, too.
                let is_own_or_last = seat == self.seat || number == unknown.len();
                let avoid = if is_own_or_last { own_waits } else { TileSet::EMPTY };
                let unlikely = if seat == self.seat { near } else { TileSet::EMPTY };
                let tile = match claimed {
                    Some(tile) => *tile,
                    None => random_discard(&mut pool, number, avoid, unlikely)?,
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

    /// The kinds of the concealed tiles of the player who decides, and their neighbours. A player
    /// seldom discards those and ends up with this hand.
    fn near_hand(&self) -> TileSet {
        let held = self.players[self.seat].hand.iter().flat_map(|held| held.tiles.iter().chain(&held.drawn));
        let kinds = held.map(|tile| tile.kind());
        kinds.flat_map(|kind| [Some(kind), kind.offset(-1), kind.offset(1)]).flatten().collect()
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

/// Takes a discard out of the pool, the one with this number in its river, from 1. Players discard
/// honours first, then terminals: it is the first such tile of seven random ones for the first
/// discard, of six for the second, and so on, down to two.
///
/// Takes a kind in `unlikely` only if there is no other. None if the pool has no tile outside
/// `avoid`.
fn random_discard(pool: &mut Vec<Tile>, number: usize, avoid: TileSet, unlikely: TileSet) -> Option<Tile> {
    let choices = 8_usize.saturating_sub(number).max(2);
    let rank = |tile: Tile| match tile.kind() {
        kind if kind.suit() == Suit::Honours => 2,
        kind => usize::from(TileSet::YAOCHUU.contains(kind)),
    };
    let choose = |avoid: TileSet| {
        let allowed = pool.iter().enumerate().filter(|(_, tile)| !avoid.contains(tile.kind()));
        allowed.take(choices).max_by_key(|(_, tile)| rank(**tile)).map(|(at, _)| at)
    };
    let at = choose(avoid | unlikely).or_else(|| choose(avoid))?;
    Some(pool.swap_remove(at))
}
