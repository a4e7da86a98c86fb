//! The concealed tiles of all seats, from the events of a hand.

use jantaku_engine::notation::HandText;
use jantaku_engine::{BySeat, Concealed, Event, Observer, Players, Seat, Tile, TileKind};

/// The concealed tiles of every seat in the hand in play. No player sees all of them.
#[derive(Clone, Debug)]
pub struct AllConcealed {
    hands: BySeat<Concealed>,
    /// The tile just drawn, which is in no hand yet.
    drawn: Option<Tile>,
    texts: BySeat<HandText>,
}

impl AllConcealed {
    /// The seats before a deal.
    pub fn new(players: Players) -> AllConcealed {
        let hands = BySeat::splat(players, Concealed::EMPTY);
        AllConcealed { texts: hands.map(HandText::new), hands, drawn: None }
    }

    /// The concealed tiles of each seat, without the tile just drawn.
    pub const fn hands(&self) -> &BySeat<Concealed> {
        &self.hands
    }

    /// The concealed tiles of each seat in hand notation, without the tile just drawn.
    pub(super) const fn texts(&self) -> &BySeat<HandText> {
        &self.texts
    }

    /// Adds the drawn or claimed tile to the hand of a seat, and removes the tiles in `lost`.
    fn exchange(&mut self, seat: Seat, gained: Option<Tile>, lost: impl IntoIterator<Item = Tile>) {
        let hand = &mut self.hands[seat];
        gained.into_iter().for_each(|tile| hand.add(tile));
        lost.into_iter().for_each(|tile| hand.remove(tile));
        self.texts[seat] = HandText::new(hand);
    }
}

impl Observer for AllConcealed {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Deal { hands, .. } => {
                self.hands = hands.map(|tiles| tiles.iter().flatten().copied().collect());
                self.texts = self.hands.map(HandText::new);
                self.drawn = None;
            }
            Event::Draw { tile, .. } => self.drawn = *tile,
            Event::Discard { tsumogiri: true, .. } => self.drawn = None,
            Event::Discard { seat, tile, .. } | Event::Kakan { seat, tile } => {
                let drawn = self.drawn.take();
                self.exchange(*seat, drawn, [*tile]);
            }
            Event::Kita { seat } => {
                let drawn = self.drawn.take();
                self.exchange(*seat, drawn, [Tile::plain(TileKind::NORTH)]);
            }
            Event::Ankan { seat, meld } => {
                let drawn = self.drawn.take();
                self.exchange(*seat, drawn, meld.tiles());
            }
            Event::Call { seat, meld } => {
                self.exchange(*seat, meld.claimed().map(|claimed| claimed.tile), meld.tiles());
            }
            Event::RiichiAccepted { .. }
            | Event::DeadHand { .. }
            | Event::Indicator { .. }
            | Event::HandEnd(_)
            | Event::GameEnd { .. } => {}
        }
    }
}
