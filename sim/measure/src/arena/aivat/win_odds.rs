//! The prospects of a seat: its distance from a win, its chance to win the hand, and the value of
//! the win.

use jantaku_engine::{Concealed, Seat, Tile, TileKind, TileSet};

use super::numbers::SCORES;
use super::view::{Place, View};

/// How far a hand is from winning.
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    /// The number of tiles that the hand needs to be complete, after the best discard: 1 is tenpai.
    pub missing: usize,
    /// The kinds that lower this number.
    pub ukeire: TileSet,
}

impl Distance {
    /// The distance of a hand that is not about to discard.
    pub fn at_rest(hand: &Concealed, melds: usize) -> Distance {
        let (shanten, ukeire) = hand.ukeire(melds);
        Distance { missing: (shanten.number() + 1) as usize, ukeire }
    }
}

/// The style of a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// No open meld, no riichi.
    Closed,
    /// In riichi.
    Riichi,
    /// An open meld.
    Open,
}

impl Style {
    /// The number of styles.
    pub const COUNT: usize = 3;

    /// The style of a seat.
    pub const fn of(place: &Place) -> Style {
        if place.in_riichi {
            Style::Riichi
        } else if place.is_open {
            Style::Open
        } else {
            Style::Closed
        }
    }
}

/// The class of a hand by the value of its win: its style and its number of dora.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class(usize);

impl Class {
    /// More dora are clamped to this number.
    const MAX_DORA: usize = 5;
    /// The number of classes.
    pub const COUNT: usize = Style::COUNT * (Class::MAX_DORA + 1);

    /// The class of hands of a style with this many dora.
    pub const fn of(style: Style, dora: usize) -> Class {
        let dora = if dora < Class::MAX_DORA { dora } else { Class::MAX_DORA };
        Class(style as usize * (Class::MAX_DORA + 1) + dora)
    }

    /// All classes, with the number of their style.
    pub fn all() -> impl Iterator<Item = (Class, usize)> {
        (0..Class::COUNT).map(|index| (Class(index), index / (Class::MAX_DORA + 1)))
    }

    /// The number of the class.
    pub const fn index(self) -> usize {
        self.0
    }
}

/// The features of a seat's chance to win the hand.
#[derive(Clone, Copy, Debug)]
pub struct Outlook {
    /// The number of tiles that the hand needs to be complete, at least 1.
    pub missing: usize,
    /// The hidden tiles that lower this number.
    pub tiles: u32,
    /// The tiles in the hands of other seats that lower this number.
    pub held: u32,
    /// The style of the hand.
    pub style: Style,
    /// Whether a wait is among the seat's discards.
    pub is_furiten: bool,
    /// Whether another seat is in riichi.
    pub is_threatened: bool,
    /// Whether the seat has drawn and has not discarded.
    pub in_turn: bool,
    /// Live tiles left, over the number of players.
    pub draws: f32,
}

/// The number of features in the weighted sum of a score.
pub const FEATURES: usize = 9;
/// The number of distances with weights of their own. Larger distances have the weights of the last.
pub const DISTANCES: usize = 6;

impl Outlook {
    /// The row of [`SCORES`], and the features that it weighs.
    pub fn features(&self) -> (usize, [f32; FEATURES]) {
        let flag = |is_set: bool| f32::from(u8::from(is_set));
        let row = self.missing.clamp(1, DISTANCES) - 1;
        let riichi_or_turn = flag(if row == 0 { self.style == Style::Riichi } else { self.in_turn });
        let features = [
            1.0,
            (self.tiles as f32 + 0.5).ln(),
            (self.draws + 0.5).ln(),
            self.draws,
            flag(self.style == Style::Open),
            flag(self.is_threatened && self.style != Style::Riichi),
            flag(self.is_furiten),
            riichi_or_turn,
            (self.held as f32 + 0.5).ln(),
        ];
        (row, features)
    }

    /// The odds of a win against a drawn hand.
    pub fn weight(&self) -> f32 {
        let (row, features) = self.features();
        SCORES[row].iter().zip(features).map(|(weight, feature)| weight * feature).sum::<f32>().exp()
    }
}

/// A seat that is not about to discard, with its prospects before the next tile.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// The distance of its hand.
    pub distance: Distance,
    /// The features before the next tile.
    pub outlook: Outlook,
}

impl Waiting {
    /// The prospects of a seat.
    pub fn of(view: &View, seat: Seat) -> Waiting {
        let place = &view.places[seat];
        let distance = Distance::at_rest(&place.hand, place.melds);
        let outlook = Outlook {
            missing: distance.missing.max(1),
            tiles: view.hidden_kinds.count(distance.ukeire),
            held: view.held_by_others(seat, distance.ukeire),
            style: Style::of(place),
            is_furiten: distance.missing == 1 && distance.ukeire.intersects(place.discarded),
            is_threatened: view.riichi.iter().any(|other| other != seat),
            in_turn: false,
            draws: f32::from(view.live) / f32::from(view.players.count()),
        };
        Waiting { distance, outlook }
    }

    /// Whether a discard of this kind is one of the seat's waits, without furiten.
    pub const fn wins_on(&self, kind: TileKind) -> bool {
        self.distance.missing == 1 && !self.outlook.is_furiten && self.distance.ukeire.contains(kind)
    }
}

/// A seat right after it has drawn.
#[derive(Clone, Copy, Debug)]
pub struct InTurn {
    /// Whether the hand is complete.
    pub is_complete: bool,
    /// Whether a best discard is the kind just drawn.
    pub can_spare: bool,
    /// The features after the best discard.
    pub outlook: Outlook,
}

impl InTurn {
    /// The seat after it has drawn a hidden tile of this kind. `before` are its prospects before
    /// the draw.
    pub fn after(view: &View, seat: Seat, before: &Waiting, kind: TileKind) -> InTurn {
        let drawn = TileSet::of(kind);
        let left = |ukeire: TileSet| view.hidden_kinds.count(ukeire) - (ukeire & drawn).len();
        let mut outlook = Outlook { in_turn: true, ..before.outlook };
        let helps = before.distance.ukeire.contains(kind);
        let place = &view.places[seat];
        if helps && before.distance.missing == 1 {
            outlook.tiles = left(before.distance.ukeire);
            return InTurn { is_complete: true, can_spare: false, outlook };
        }
        if place.in_riichi {
            return InTurn { is_complete: false, can_spare: true, outlook };
        }
        let mut hand = place.hand;
        hand.add(Tile::plain(kind));
        let options = hand.best_discards(place.melds);
        let mut can_spare = false;
        let (mut most, mut waits) = (None, TileSet::EMPTY);
        for option in options.as_slice() {
            let tiles = left(option.ukeire);
            can_spare |= option.kind == kind;
            if most.is_none_or(|most| tiles > most) {
                (most, waits) = (Some(tiles), option.ukeire);
                outlook.held = view.held_by_others(seat, waits);
                outlook.missing = (option.shanten.number() + 1) as usize;
            }
        }
        outlook.tiles = most.unwrap_or(0);
        outlook.is_furiten = outlook.missing == 1 && waits.intersects(place.discarded);
        InTurn { is_complete: false, can_spare, outlook }
    }
}

/// The row of [`RON_NOW`](super::numbers::RON_NOW) for a seat that has drawn the winning tile of another seat:
/// it is in riichi, it does not need the tile, or neither.
pub const fn holder(place: &Place, in_turn: &InTurn) -> usize {
    if place.in_riichi {
        0
    } else if in_turn.can_spare {
        1
    } else {
        2
    }
}
