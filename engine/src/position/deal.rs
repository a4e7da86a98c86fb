//! A wall that deals the tiles of a position when they are needed.

use super::Position;
use super::hidden::HiddenHands;
use super::order::{Order, Step};
use crate::random::Rng;
use crate::rules::FieldProblem;
use crate::wall::{DEALT, Revealed, Wall, WallStep};
use crate::{BySeat, MeldKind, Seat, Tile, TileKind};

/// The tiles that one player is dealt and draws, in order.
#[derive(Clone, Debug, Default)]
struct Hand {
    /// A slot for each tile; None until it is known.
    slots: Vec<Option<Tile>>,
    /// The tiles that the player must get, each in time.
    needs: Vec<Need>,
    /// Whether the last slot was drawn in this turn and no discard followed.
    has_drawn: bool,
}

/// A tile that comes from one of the first `before` slots.
#[derive(Clone, Copy, Debug)]
struct Need {
    tile: Tile,
    before: usize,
}

impl Hand {
    fn need(&mut self, tile: Tile, before: usize) {
        self.needs.push(Need { tile, before });
    }

    /// Records which tile was drawn last. Returns false if a different one is known already.
    fn draw_was(&mut self, tile: Tile) -> bool {
        let last = self.slots.last_mut();
        last.is_some_and(|last| *last.get_or_insert(tile) == tile)
    }

    /// The tiles of all slots. Unknown slots get the needed tiles, the earliest needs first. None if a tile
    /// comes too late, or if there are more or fewer needs than unknown slots.
    fn filled(&mut self) -> Option<Vec<Tile>> {
        self.needs.sort_by_key(|need| need.before);
        let mut needs = self.needs.iter();
        let mut fill = |(index, slot): (usize, &Option<Tile>)| {
            slot.or_else(|| Some(needs.next().filter(|need| index < need.before)?.tile))
        };
        let tiles = self.slots.iter().enumerate().map(&mut fill).collect::<Option<Vec<Tile>>>()?;
        needs.next().is_none().then_some(tiles)
    }
}

impl Position {
    /// A wall for this order of turns, with random tiles where none is known.
    pub(super) fn wall(&self, order: Order<'_>, rng: &mut Rng) -> Result<Wall, FieldProblem> {
        let players = self.rules.players;
        let mut hands = BySeat::from_fn(players, |_| Hand { slots: vec![None; DEALT], ..Hand::default() });
        for step in order.steps {
            self.deal_step(*step, &mut hands)?;
        }
        let mut hidden = HiddenHands::new(self, order, rng);
        for (seat, player) in self.players.enumerate() {
            let hand = &mut hands[seat];
            let all = hand.slots.len();
            let tiles = match &player.hand {
                Some(held) => held.tiles.clone(),
                None => hidden.take(seat)?,
            };
            if let Some(tile) = player.hand.as_ref().and_then(|held| held.drawn)
                && !hand.draw_was(tile)
            {
                return Err(self.wrong(seat, "hand", format!("{tile} cannot be the tile just drawn")));
            }
            let before = all - usize::from(hand.has_drawn && player.hand.is_some());
            tiles.into_iter().for_each(|tile| hand.need(tile, before));
        }
        let mut dealt = BySeat::from_fn(players, |_| Vec::new());
        for seat in players.seats() {
            dealt[seat] = hands[seat].filled().ok_or_else(|| {
                let what = "the tiles do not fit into the hand: no draw is left for one of them";
                self.wrong(seat, "river", what)
            })?;
        }
        self.wall_of(order, &dealt, rng)
    }

    /// Records the tiles and slots of a step.
    fn deal_step(&self, step: Step, hands: &mut BySeat<Hand>) -> Result<(), FieldProblem> {
        match step {
            Step::Draw { seat, .. } => {
                let hand = &mut hands[seat];
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
                declared.hand_tiles().into_iter().for_each(|tile| hand.need(tile, hand.slots.len()));
                hand.has_drawn = false;
            }
            Step::Kan { seat, declared } => {
                let tiles = match declared.meld.kind() {
                    MeldKind::Ankan => declared.hand_tiles(),
                    _ => declared.added.into_iter().collect(),
                };
                self.set_aside(seat, ("melds", "kan"), tiles, hands)?;
            }
            Step::Kita { seat } => {
                self.set_aside(seat, ("kita", "kita"), vec![Tile::plain(TileKind::NORTH)], hands)?;
            }
        }
        Ok(())
    }

    /// Records the tiles that leave the hand for a kan or kita. One of them counts as the tile just drawn:
    /// in riichi it must be, otherwise it probably is.
    fn set_aside(
        &self,
        seat: Seat,
        (field, declared): (&'static str, &str),
        mut tiles: Vec<Tile>,
        hands: &mut BySeat<Hand>,
    ) -> Result<(), FieldProblem> {
        let hand = &mut hands[seat];
        if let Some(tile) = tiles.pop()
            && !hand.draw_was(tile)
        {
            let what = format!("{tile} cannot be the tile drawn before this {declared}");
            return Err(self.wrong(seat, field, what));
        }
        let before = hand.slots.len() - 1;
        tiles.into_iter().for_each(|tile| hand.need(tile, before));
        hand.has_drawn = false;
        Ok(())
    }

    /// The wall with these tiles of each player, in the order in which they get them.
    fn wall_of(
        &self,
        order: Order<'_>,
        tiles: &BySeat<Vec<Tile>>,
        rng: &mut Rng,
    ) -> Result<Wall, FieldProblem> {
        let players = self.rules.players;
        let mut left = BySeat::from_fn(players, |seat| tiles[seat].iter().copied());
        let mut next = |seat: Seat| left[seat].next().expect("every place has a tile");
        let dealt: Vec<[Tile; DEALT]> =
            players.seats_from(self.dealer()).map(|seat| std::array::from_fn(|_| next(seat))).collect();
        let step = |step: &Step| match *step {
            Step::Draw { seat, replacement: false } => Some(WallStep::Draw(next(seat))),
            Step::Draw { seat, replacement: true } => Some(WallStep::Replacement(next(seat))),
            Step::Call { seat, declared } => {
                Some(WallStep::Call(declared.meld.claimed()?.from.steps_to(seat, players)))
            }
            _ => None,
        };
        let play: Vec<WallStep> = order.steps.iter().filter_map(step).collect();
        let revealed =
            Revealed { dealt: &dealt, play: &play, indicators: &self.indicators, ura_indicators: &[] };
        let wall = Wall::revealed(&self.rules, &revealed, |rest| rng.shuffle(rest));
        wall.map_err(|error| self.wrong(self.seat, "river", error.to_string()))
    }
}
