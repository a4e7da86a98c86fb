//! Random discards for the rivers that a position does not give.

use super::hidden::unseen_tiles;
use super::{Dropped, Position, RiverEntry, many};
use crate::random::{Rng, hash};
use crate::replay::GameHistory;
use crate::rules::FieldProblem;
use crate::rules::options::TileKinds;
use crate::wall::{DEAD, DEALT, Wall};
use crate::{BySeat, Seat, Suit, Tile, TileKind, TileSet};

/// Names the stream of the discards.
const STREAM: u64 = u64::from_le_bytes(*b"discards");
/// The number of random rivers that are tried.
const FILLS: u64 = 64;
/// The number of orders of calls that are tried for each set of random rivers.
const CALLS: u32 = 1_000;
/// Random turns are given up after this many discards.
const MAX_DISCARDS: usize = 100;

/// How often people discard honours, terminals, twos and eights, and threes and sevens, in percent: a
/// row for each discard of a hand, the last one for all later discards. The
/// percentage missing to 100 is that of fours to sixes.
///
/// Counted in 636 recorded games of Tenhou. `jantaku convert LOGS --to run` writes the discards of logs
/// as a table; in 1,719 games every share is the same to one percentage point.
const CLASSES: [[usize; 4]; 8] = [
    [58, 33, 5, 1],
    [51, 30, 10, 4],
    [44, 27, 15, 6],
    [37, 25, 18, 10],
    [30, 24, 19, 12],
    [26, 23, 20, 14],
    [25, 23, 19, 15],
    [24, 22, 19, 16],
];
/// How often the discard is the tile just drawn, in percent, by the number of the discard as above.
const TSUMOGIRI: [usize; 9] = [7, 16, 23, 30, 35, 38, 41, 43, 45];

/// The discards of each player from the deal: the tile of a claimed discard, None for any other.
type Discards = BySeat<Vec<Option<Tile>>>;

impl Position {
    /// Plays the hand up to this turn of the player who decides. Random discards precede those of
    /// the position's rivers.
    pub(super) fn play_filled(&self, turn: u8, seed: u64) -> Result<GameHistory, FieldProblem> {
        self.check_turn_hand()?;
        let mut refused = None;
        for fill in 0..FILLS {
            let mut rng = Rng::new(hash(&[seed, STREAM, fill]));
            let Some(filled) = self.filled(turn, &mut rng) else { continue };
            match filled.play_whole(seed) {
                Ok(played) => return Ok(played),
                Err(problem) => refused.get_or_insert(problem),
            };
        }
        let most = self.most_turns();
        if turn > most {
            let what = format!("found {turn}, expected at most {most}: then the wall ends");
            return Err(FieldProblem::new("turn", what));
        }
        Err(refused.unwrap_or_else(|| {
            let name = self.name(self.seat);
            let what = format!(
                "found {turn}, but no random discards lead to this turn of {name} with the given rivers and melds; to ask about a claim, give the river that ends with the tile"
            );
            FieldProblem::new("turn", what)
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
    fn check_turn_hand(&self) -> Result<(), FieldProblem> {
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

    /// The position with whole rivers. None if no order of calls was found that fits, or if no tile is left
    /// that a discard may be.
    fn filled(&self, turn: u8, rng: &mut Rng) -> Option<Position> {
        let fits = |_| self.discards_before(turn, rng).filter(|discards| self.fits(discards));
        let discards = (0..CALLS).find_map(fits)?;
        let mut pool = unseen_tiles(self);
        rng.shuffle(&mut pool);
        let (own_waits, near, dora) = (self.own_waits(), self.near_hand(), self.dora());
        let mut filled = Position { turn: None, ..self.clone() };
        for (seat, discards) in discards.enumerate() {
            let unknown = &discards[..discards.len() - self.players[seat].discards()];
            // After a call, a player discards without a draw.
            let always_draws = self.players[seat].melds.is_empty();
            let mut river = Vec::new();
            for (number, claimed) in unknown.iter().enumerate() {
                // A wait that another player has just discarded would make the player furiten, too.
                let is_own_or_last = seat == self.seat || number + 1 == unknown.len();
                let never = if is_own_or_last { own_waits } else { TileSet::EMPTY };
                let seldom = if seat == self.seat { near } else { TileSet::EMPTY };
                let tile = match claimed {
                    Some(tile) => *tile,
                    None => random_discard(&mut pool, number, Unlikely { never, seldom, dora }, rng)?,
                };
                let claimed = claimed.is_some();
                let tsumogiri = rng.below(100) < TSUMOGIRI[number.min(TSUMOGIRI.len() - 1)];
                let tsumogiri = tsumogiri && always_draws && !claimed;
                river.push(RiverEntry::Discard(Dropped { tile, tsumogiri, riichi: false, claimed }));
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
        while discards.iter().map(Vec::len).sum::<usize>() < MAX_DISCARDS {
            let is_turn = discards[self.seat].len() + 1 >= usize::from(turn);
            let claims_are_made = left.iter().all(Vec::is_empty);
            if is_turn && seat == self.seat {
                let is_asked = !asks_claim && has_drawn == held.drawn.is_some();
                return (is_asked && claims_are_made).then_some(discards);
            }
            let caller = players
                .others(seat)
                .find(|caller| left[*caller].iter().any(|(_, from)| *from == seat) && rng.below(2) == 0);
            let claim = caller.and_then(|caller| {
                let at = left[caller].iter().position(|(_, from)| *from == seat)?;
                Some((caller, left[caller].remove(at).0))
            });
            discards[seat].push(claim.map(|(_, tile)| tile));
            // The player decides about the tile just discarded: the last one of a river in the position.
            let is_last = asks_claim && is_turn && claim.is_none() && claims_are_made;
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

    /// Whether these discards can end with the rivers of the position.
    fn fits(&self, discards: &Discards) -> bool {
        self.players.enumerate().all(|(seat, player)| {
            let given = player.river.iter().filter_map(|entry| match entry {
                RiverEntry::Discard(dropped) => Some(dropped.claimed.then_some(dropped.tile)),
                _ => None,
            });
            let given: Vec<Option<Tile>> = given.collect();
            discards[seat].ends_with(&given)
        })
    }

    /// The kinds that are dora.
    fn dora(&self) -> TileSet {
        let three = self.rules.tiles == TileKinds::ThreePlayer;
        self.indicators.iter().map(|tile| tile.kind().dora(three)).collect()
    }

    /// The kinds of the concealed tiles of the player who decides, and their neighbours. A player
    /// who reaches this hand has rarely discarded them.
    fn near_hand(&self) -> TileSet {
        let kinds = self.players[self.seat].held().map(Tile::kind);
        kinds.flat_map(|kind| [Some(kind), kind.offset(-1), kind.offset(1)]).flatten().collect()
    }

    /// The tiles that the player who decides waits on, after any discard. Discarding one would make
    /// them furiten.
    fn own_waits(&self) -> TileSet {
        let player = &self.players[self.seat];
        let tiles: Vec<Tile> = player.held().collect();
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

/// Kinds that a random discard avoids.
#[derive(Clone, Copy)]
struct Unlikely {
    /// Never discarded.
    never: TileSet,
    /// Discarded only if there is nothing else.
    seldom: TileSet,
    /// The dora. Like red fives, they are discarded after all other kinds but those of `seldom`.
    dora: TileSet,
}

/// Takes a discard out of a pool whose tiles are in random order. `number` is its index in the river. None
/// if the pool has only kinds of `never`.
fn random_discard(pool: &mut Vec<Tile>, number: usize, unlikely: Unlikely, rng: &mut Rng) -> Option<Tile> {
    let Unlikely { never, seldom, dora } = unlikely;
    let shares = CLASSES[number.min(CLASSES.len() - 1)];
    let (roll, mut total) = (rng.below(100), 0);
    let is_before_roll = |share: &&usize| {
        total += **share;
        total <= roll
    };
    let class = shares.iter().take_while(is_before_roll).count();
    let find = |class: Option<usize>, avoid: TileSet, keeps_reds: bool| {
        pool.iter().position(|tile| {
            let is_of_class = class.is_none_or(|class| class == class_of(tile.kind()));
            is_of_class && !avoid.contains(tile.kind()) && !(keeps_reds && tile.is_red())
        })
    };
    let at = find(Some(class), never | seldom | dora, true)
        .or_else(|| find(None, never | seldom | dora, true))
        .or_else(|| find(None, never | seldom, false))
        .or_else(|| find(None, never, false))?;
    Some(pool.swap_remove(at))
}

/// The column of a kind in [`CLASSES`].
const fn class_of(kind: TileKind) -> usize {
    match (kind.suit(), kind.rank()) {
        (Suit::Honours, _) => 0,
        (_, 1 | 9) => 1,
        (_, 2 | 8) => 2,
        (_, 3 | 7) => 3,
        _ => 4,
    }
}
