//! A wall that deals the tiles of a position when they are needed.

use super::hidden::HiddenHands;
use super::order::{Order, Step};
use super::{Position, Wrong};
use crate::random::Rng;
use crate::wall::{DEALT, Revealed, Wall, WallStep};
use crate::{BySeat, MeldKind, Seat, Tile, TileKind};

/// The tiles that one player is dealt and draws, in order.
#[derive(Clone, Debug, Default)]
struct Hand {
    /// A place for each tile; None until it is known.
    slots: Vec<Option<Tile>>,
    /// The tiles that the player must have at some time.
    needs: Vec<Need>,
    /// Whether the last place was drawn in this turn and no discard followed.
    has_drawn: bool,
}

/// A tile that comes from one of the first `before` places.
#[derive(Clone, Copy, Debug)]
struct Need {
    tile: Tile,
    before: usize,
}

/// A draw or a call.
enum Turn {
    /// The seat, the place among its tiles, and whether it is a replacement tile.
    Draw { seat: Seat, slot: usize, replacement: bool },
    /// The number of players that the call passes over.
    Call(u8),
}

impl Hand {
    fn need(&mut self, tile: Tile, before: usize) {
        self.needs.push(Need { tile, before });
    }

    /// The tile is the last one drawn. False if that is another tile.
    fn draw_was(&mut self, tile: Tile) -> bool {
        let last = self.slots.last_mut();
        last.is_some_and(|last| *last.get_or_insert(tile) == tile)
    }

    /// Fills the places: the tiles that leave the hand first come first.
    fn fill(&mut self) -> Option<()> {
        self.needs.sort_by_key(|need| need.before);
        let mut needs = self.needs.iter();
        for (index, slot) in self.slots.iter_mut().enumerate() {
            if slot.is_none() {
                let need = needs.next().filter(|need| index < need.before)?;
                *slot = Some(need.tile);
            }
        }
        needs.next().is_none().then_some(())
    }
}

impl Position {
    /// A wall for this order of turns, with random tiles where none is known.
    pub(super) fn wall(&self, order: Order<'_>, rng: &mut Rng) -> Result<Wall, Wrong> {
        let players = self.rules.players;
        let mut hands = BySeat::from_fn(players, |_| Hand { slots: vec![None; DEALT], ..Hand::default() });
        let mut turns = Vec::new();
        for step in order.steps {
            self.deal_step(*step, &mut hands, &mut turns)?;
        }
        let mut hidden = HiddenHands::new(self, order, rng);
        for (seat, player) in self.players.enumerate() {
            let hand = &mut hands[seat];
            let all = hand.slots.len();
            let tiles = match &player.hand {
                Some(held) => held.tiles.clone(),
                None => hidden.of(seat)?,
            };
            if let Some(tile) = player.hand.as_ref().and_then(|held| held.drawn)
                && !hand.draw_was(tile)
            {
                return Err(self.wrong(seat, "hand", format!("{tile} cannot be the tile just drawn")));
            }
            let before = all - usize::from(hand.has_drawn && player.hand.is_some());
            tiles.into_iter().for_each(|tile| hand.need(tile, before));
        }
        for seat in players.seats() {
            hands[seat].fill().ok_or_else(|| {
                self.wrong(
                    seat,
                    "river",
                    "the tiles do not fit into the hand: no draw is left for one of them",
                )
            })?;
        }
        self.wall_of(&hands, &turns, rng)
    }

    /// Records the tiles and places of a step.
    fn deal_step(&self, step: Step, hands: &mut BySeat<Hand>, turns: &mut Vec<Turn>) -> Result<(), Wrong> {
        match step {
            Step::Draw { seat, replacement } => {
                let hand = &mut hands[seat];
                turns.push(Turn::Draw { seat, slot: hand.slots.len(), replacement });
                hand.slots.push(None);
                hand.has_drawn = true;
            }
            Step::Discard { seat, dropped, .. } => {
                let hand = &mut hands[seat];
                if dropped.tsumogiri {
                    if !hand.draw_was(dropped.tile) {
                        let what = format!("{} cannot be the tile just drawn", dropped.tile);
                        return Err(self.wrong(seat, "river", what));
                    }
                } else {
                    hand.need(dropped.tile, hand.slots.len() - usize::from(hand.has_drawn));
                }
                hand.has_drawn = false;
            }
            Step::Call { seat, declared } => {
                let hand = &mut hands[seat];
                declared.own().into_iter().for_each(|tile| hand.need(tile, hand.slots.len()));
                hand.has_drawn = false;
                let claimed = declared.meld.claimed();
                let players = self.rules.players;
                turns.extend(claimed.map(|claimed| Turn::Call(claimed.from.steps_to(seat, players))));
            }
            Step::Kan { seat, declared } => {
                let tiles = match declared.meld.kind() {
                    MeldKind::Ankan => declared.own(),
                    _ => declared.added.into_iter().collect(),
                };
                self.set_aside(seat, tiles, hands)?;
            }
            Step::Kita { seat } => {
                self.set_aside(seat, vec![Tile::plain(TileKind::NORTH)], hands)?;
            }
        }
        Ok(())
    }

    /// Tiles that leave the hand for a kan or kita. One of them counts as the tile just drawn: in
    /// riichi it must be, and else it is likely.
    fn set_aside(&self, seat: Seat, mut tiles: Vec<Tile>, hands: &mut BySeat<Hand>) -> Result<(), Wrong> {
        let hand = &mut hands[seat];
        if let Some(tile) = tiles.pop()
            && !hand.draw_was(tile)
        {
            return Err(self.wrong(
                seat,
                "melds",
                format!("{tile} cannot be the tile drawn before this kan"),
            ));
        }
        let before = hand.slots.len() - 1;
        tiles.into_iter().for_each(|tile| hand.need(tile, before));
        hand.has_drawn = false;
        Ok(())
    }

    fn wall_of(&self, hands: &BySeat<Hand>, turns: &[Turn], rng: &mut Rng) -> Result<Wall, Wrong> {
        let players = self.rules.players;
        let tile = |seat: Seat, slot: usize| hands[seat].slots[slot].expect("every place has a tile");
        let dealt: Vec<[Tile; DEALT]> = (0..players.count())
            .map(|steps| self.dealer().after(steps, players))
            .map(|seat| std::array::from_fn(|slot| tile(seat, slot)))
            .collect();
        let step = |turn: &Turn| match *turn {
            Turn::Draw { seat, slot, replacement: false } => WallStep::Draw(tile(seat, slot)),
            Turn::Draw { seat, slot, replacement: true } => WallStep::Replacement(tile(seat, slot)),
            Turn::Call(skipped) => WallStep::Call(skipped),
        };
        let play: Vec<WallStep> = turns.iter().map(step).collect();
        let revealed =
            Revealed { dealt: &dealt, play: &play, indicators: &self.indicators, ura_indicators: &[] };
        let wall = Wall::revealed(&self.rules, &revealed, |rest| rng.shuffle(rest));
        wall.map_err(|error| Wrong::new(format!("{}.river", self.name(self.seat)), error.to_string()))
    }
}
