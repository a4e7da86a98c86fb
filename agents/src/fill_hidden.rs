//! The tiles that a player does not see, filled into the hand that they saw: [`guess`] draws them,
//! [`with_held`] takes the concealed tiles of the other players.

use std::collections::VecDeque;
use std::iter::repeat_n;

use jantaku_engine::replay::RecordedHand;
use jantaku_engine::{BySeat, Declare, Event, InRiichi, Melds, Rng, Rules, Seat, Tile, TileSet, Wall};

use crate::mjai::shown;

/// Fills in the tiles of a hand that this player does not see. All actions of the others stay
/// possible: they hold what they discard and meld later, and a player in riichi is tenpai.
///
/// `hand` must have the player's own tiles; the dealt and drawn tiles of the others are ignored. None
/// if more copies of a tile are visible than exist, if a player shows a tile that they cannot have, or if no
/// tenpai hand is found for a player in riichi. The hand that is returned may still break the rules; another
/// attempt may then succeed.
pub(crate) fn guess(hand: &RecordedHand, own: Seat, rules: &Rules, rng: &mut Rng) -> Option<RecordedHand> {
    let (mut guess, others) = Guess::new(hand, own, rules)?;
    for (seat, hidden) in &others {
        if let Some(riichi) = &hidden.riichi {
            let tiles = riichi.tiles(&guess.left, rules, rng)?;
            guess.fill_all(*seat, &riichi.slots, tiles)?;
        }
    }
    let mut rest = guess.left.clone();
    rng.shuffle(&mut rest);
    for (seat, hidden) in &others {
        let tiles = rest.split_off(rest.len().checked_sub(hidden.free.len())?);
        guess.fill_all(*seat, &hidden.free, tiles.into_iter().rev())?;
    }
    Some(guess.hand)
}

/// Fills in the tiles of a hand that this player does not see. `held` has the concealed tiles of the
/// others after the last event of the hand. A tile just drawn comes last. None if the tiles do not fit.
pub(crate) fn with_held(
    hand: &RecordedHand,
    own: Seat,
    rules: &Rules,
    held: &BySeat<&[Tile]>,
) -> Option<RecordedHand> {
    let (mut guess, others) = Guess::new(hand, own, rules)?;
    for (seat, hidden) in &others {
        let (slots, triplets) = match &hidden.riichi {
            Some(riichi) => (&*riichi.slots, riichi.triplets(&mut guess.left.clone())?),
            None => (&[][..], Vec::new()),
        };
        let slots: Vec<Slot> = slots.iter().chain(&hidden.free).copied().collect();
        guess.fill_all(*seat, &slots, triplets.into_iter().chain(held[*seat].iter().copied()))?;
    }
    Some(guess.hand)
}

/// A hand with some hidden tiles filled in, and the tiles that are left for the others.
struct Guess {
    hand: RecordedHand,
    left: Vec<Tile>,
}

/// Where a player got a tile.
#[derive(Clone, Copy)]
enum Slot {
    /// The dealt tile with this index.
    Dealt(usize),
    /// The tile of the draw with this index among the events of the hand.
    Drawn(usize),
}

/// Where another player got their hidden tiles.
struct Hidden {
    /// Where they got tiles that may be anything.
    free: Vec<Slot>,
    riichi: Option<HiddenInRiichi>,
}

/// The hand of a player in riichi.
struct HiddenInRiichi {
    /// Where they got the tiles that are concealed after the riichi discard and stay hidden.
    slots: Vec<Slot>,
    /// What is known of the hand. Of each ankan in riichi, three tiles are among `slots`.
    known: InRiichi,
}

/// How many hands of a player in riichi are tried.
const ATTEMPTS: usize = 500;

impl HiddenInRiichi {
    /// Random tiles for the slots, which make the hand tenpai.
    fn tiles(&self, left: &[Tile], rules: &Rules, rng: &mut Rng) -> Option<Vec<Tile>> {
        let mut pool = left.to_vec();
        let triplets = self.triplets(&mut pool)?;
        rng.shuffle(&mut pool);
        let hand = self.known.hand(&mut pool, rules, ATTEMPTS, rng)?;
        Some([triplets, hand].concat())
    }

    /// Takes three tiles of each ankan in riichi out of `left`. The fourth tile was drawn.
    fn triplets(&self, left: &mut Vec<Tile>) -> Option<Vec<Tile>> {
        let kinds = self.known.kans.iter().flat_map(|kind| [*kind; 3]);
        kinds.map(|kind| take(left, |tile| tile.kind() == kind)).collect()
    }
}

impl Guess {
    /// The hand with the tiles that the others show filled in, and where each of them got the tiles that stay
    /// hidden. None if the visible tiles are impossible.
    fn new(hand: &RecordedHand, own: Seat, rules: &Rules) -> Option<(Guess, Vec<(Seat, Hidden)>)> {
        let copies = Tile::all().zip(Wall::copies(rules));
        let left = copies.flat_map(|(tile, copies)| repeat_n(tile, copies.into())).collect();
        let mut guess = Guess { hand: hand.clone(), left };
        guess.see(own)?;
        let others = rules.players.others(own).map(|seat| Some((seat, guess.show(seat)?)));
        let others = others.collect::<Option<_>>()?;
        Some((guess, others))
    }

    /// Removes the tiles that the player sees from the unseen ones, except what other players show.
    fn see(&mut self, own: Seat) -> Option<()> {
        let drawn = self.hand.events.iter().filter_map(|event| match event {
            Event::Draw { seat, tile, .. } if *seat == own => *tile,
            _ => None,
        });
        let seen: Vec<Tile> =
            self.hand.dealt[own].into_iter().chain(drawn).chain(self.hand.indicators()).collect();
        seen.into_iter().try_for_each(|tile| self.take(tile))
    }

    /// Fills in the hidden tiles that a player shows later: each discard from the hand and each
    /// tile of a meld replaces the oldest unknown tile.
    fn show(&mut self, seat: Seat) -> Option<Hidden> {
        let mut free: VecDeque<Slot> = (0..13).map(Slot::Dealt).collect();
        let (mut riichi, mut melds): (Option<HiddenInRiichi>, Melds) = (None, Melds::default());
        let events = self.hand.events.clone();
        for (at, event) in events.iter().enumerate() {
            if let Event::Draw { seat: drawer, .. } = event
                && *drawer == seat
            {
                match (next_of(seat, &events[at + 1..]), &mut riichi) {
                    (Some(Event::Discard { tile, tsumogiri: true, .. }), _) => {
                        self.fill(seat, Slot::Drawn(at), *tile)?;
                    }
                    (Some(Event::Ankan { meld, .. }), Some(riichi)) => {
                        self.fill(seat, Slot::Drawn(at), meld.tiles().last()?)?;
                        riichi.known.kans.push(meld.low());
                        riichi.known.melds.push(*meld);
                    }
                    _ => free.push_back(Slot::Drawn(at)),
                }
            }
            let Some((_, needed)) = shown(event).filter(|(other, _)| *other == seat) else { continue };
            // Whether these tiles were filled in at the draw before.
            let is_filled = match event {
                Event::Discard { tsumogiri, .. } => *tsumogiri,
                Event::Call { .. } | Event::Ankan { .. } => riichi.is_some(),
                _ => false,
            };
            if let (Event::Call { meld, .. } | Event::Ankan { meld, .. }, None) = (event, &riichi) {
                melds.push(*meld);
            }
            for tile in needed.into_iter().filter(|_| !is_filled) {
                let slot = free.pop_front()?;
                self.fill(seat, slot, tile)?;
            }
            if let Event::Discard { declare, .. } = event
                && *declare != Declare::Nothing
            {
                let known = InRiichi { melds, safe: TileSet::EMPTY, kans: Vec::new() };
                riichi = Some(HiddenInRiichi { slots: free.drain(..).collect(), known });
            }
        }
        Some(Hidden { free: free.into(), riichi })
    }

    /// Takes a tile out of those left.
    fn take(&mut self, tile: Tile) -> Option<()> {
        take(&mut self.left, |left| *left == tile).map(drop)
    }

    /// Fills these places, as many as there are tiles for.
    fn fill_all(&mut self, seat: Seat, slots: &[Slot], tiles: impl IntoIterator<Item = Tile>) -> Option<()> {
        slots.iter().zip(tiles).try_for_each(|(slot, tile)| self.fill(seat, *slot, tile))
    }

    fn fill(&mut self, seat: Seat, slot: Slot, tile: Tile) -> Option<()> {
        self.take(tile)?;
        match slot {
            Slot::Dealt(index) => self.hand.dealt[seat][index] = tile,
            Slot::Drawn(at) => {
                let Some(Event::Draw { tile: drawn, .. }) = self.hand.events.get_mut(at) else { return None };
                *drawn = Some(tile);
            }
        }
        Some(())
    }
}

/// The next event with which this player shows tiles.
fn next_of(seat: Seat, events: &[Event]) -> Option<&Event> {
    events.iter().find(|event| shown(event).is_some_and(|(other, _)| other == seat))
}

/// Takes the first tile for which `is_it` holds, and keeps the order of the others.
fn take(left: &mut Vec<Tile>, is_it: impl Fn(&Tile) -> bool) -> Option<Tile> {
    left.iter().position(is_it).map(|at| left.remove(at))
}
